"""Commands of all kinds in any order, each sent one to three times (event core; faults, threats).

A walk draws its commands and their arguments by chance; a third of them is what the event waits for. Many
others are refused, as things stand; those must leave the journal as it was. After every few commands the
books agree and the journal comes to the rows that are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from ground.refused import Refused
from tables.models import CountSheet, Deal, Seat, Shoe
from tables.selectors.audit import audit
from tables.selectors.audit_rows import journal_lines
from tables.selectors.cut_review import cut_reviews
from tables.selectors.floor import boxes_free
from tables.selectors.table_view import table_view
from tables.services import closing, corrections, counts, dealing, draws, seating, shoes, take_back
from tables.services.chips_due import chips_due_confirm
from tables.services.closing import round_close
from tests.cast.factories import EntryFactory, PlayerFactory, UserFactory, new_key
from tests.cast.floor import event_make, result
from tests.cast.payments import won
from tests.seed import chance_of
from tournament.engine.corrections import decide as core_decides
from tournament.engine.facts import Hand, Written
from tournament.engine.facts_json import fact_of_json
from tournament.engine.fold import fold
from tournament.engine.next_steps import Do, NextStep
from tournament.engine.state import stacks_of
from tournament.models import Draw, Entry, Event, JournalHead, Penalty, Request, Round, Stack
from tournament.selectors.facts_standing import NO_FACTS, course_standing
from tournament.selectors.next_steps import steps_of
from tournament.services import entries, events, payments, payouts, penalties, refunds
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db

Act = Callable[[str], object]
WORDS = ("win", "lose", "push")
Drawn = Callable[["Walk"], Act]
"""Draws the arguments of a command, and gives what sends it with a key."""
WHY = "so ruled"


@dataclass
class Walk:
    """An event, the chance that its commands are drawn by, and how often each was carried out.

    ``late``: the event may be called off now.
    """

    event: Event
    chance: Random
    done: dict[str, int]
    late: bool = False

    def any(self, rows: Any) -> Any:
        """One of some rows; refused as any other command where there is none."""
        found = list(rows.order_by("pk"))
        if not found:
            raise Refused("nothing_there", "There is none.")
        return self.chance.choice(found)

    def step(self) -> None:
        """Draw a command and send it one to three times: the same each time, or refused and nothing done.

        A command that was carried out is drawn less often after it, so that the rare ones have their turn.
        """
        weights = [weight / (1 + self.done.get(name, 0)) for name, (weight, _drawn) in ACTS.items()]
        name = self.chance.choices(list(ACTS), weights=weights)[0]
        if self.chance.random() < ONWARD_SHARE:
            name = go_on(self)
        key, before = new_key(), self.head()
        try:
            act = ACTS[name][1](self)
            first = act(key)
        except Refused:
            assert self.head() == before, name
            return
        after = self.head()
        self.done[name] = self.done.get(name, 0) + 1
        for _again in range(self.chance.randint(0, 2)):
            assert act(key) == first, name
        assert self.head() == after, name

    def head(self) -> str:
        """The end of the journal."""
        return str(JournalHead.objects.get(event=self.event).hash)

    def steps(self) -> tuple[NextStep, ...]:
        """What the event waits for."""
        return steps_of(Event.objects.get(pk=self.event.pk))

    def agrees(self) -> None:
        """The books agree, the journal comes to the rows, and what is kept is that."""
        event = Event.objects.get(pk=self.event.pk)
        assert reconcile(event) == []
        found = audit(event)
        assert (found.differences, found.stop) == ((), None), self.done
        course = course_standing(event)
        assert course == NO_FACTS.then(facts_now(event))


def shoes_that_are(*status: str) -> Callable[[Event], Any]:
    there = Shoe.objects.filter(status__in=status).exclude(round__status="closed")
    return lambda event: there.filter(round__event=event)


def _shoe(walk: Walk, status: str) -> Shoe:
    return walk.any(shoes_that_are(status)(walk.event))


def one(argument: str, rows: Callable[[Event], Any], command: Callable[..., object], **more: object) -> Drawn:
    """A command whose only argument that differs is one of some rows of the event."""

    def drawn(walk: Walk) -> Act:
        about = {argument: walk.any(rows(walk.event)).pk, "actor": None, **more}
        return lambda key: command(key=key, **about)

    return drawn


def buy_in(walk: Walk) -> Act:
    player = PlayerFactory()
    about = {"event_id": walk.event.pk, "player_id": player.pk, "identity_checked": True, "actor": None}
    return lambda key: entries.entry_buy_in(key=key, **about)


def withdraw(walk: Walk) -> Act:
    entry, refund = walk.any(walk.event.entries), walk.chance.random() < 0.5
    return lambda key: entries.entry_withdraw(
        entry_id=entry.pk, reason=WHY, refund=refund, key=key, actor=None
    )


def lock(walk: Walk) -> Act:
    def act(key: str) -> object:
        locked = draws.draw_lock(event_id=walk.event.pk, key=key, actor=None)
        draws.round_seat(draw_id=locked["draw"])
        return locked

    return act


def no_show(walk: Walk) -> Act:
    seat = walk.any(Seat.objects.filter(round__event=walk.event, vacated_at=None))
    refund = walk.chance.random() < 0.3
    return lambda key: seating.seat_no_show(seat_id=seat.pk, refund=refund, reason=WHY, key=key, actor=None)


def fill(walk: Walk) -> Act:
    round_, entry = walk.any(walk.event.rounds), walk.any(walk.event.entries.exclude(status="live"))
    number, box = walk.chance.choice(boxes_free(round_) or [(1, 1)])
    table = walk.event.tables.get(number=number)
    about = {"round_id": round_.pk, "table_id": table.pk, "box": box, "entry_id": entry.pk, "actor": None}
    return lambda key: seating.seat_fill(key=key, **about)


def absent(walk: Walk) -> Act:
    stacks = Stack.objects.filter(round__event=walk.event).exclude(round__status="closed")
    stack, on = walk.any(stacks), walk.chance.random() < 0.6
    return lambda key: seating.stack_absent(stack_id=stack.pk, absent=on, reason=WHY, key=key, actor=None)


def play(walk: Walk) -> Act:
    shoe = _shoe(walk, "dealing")
    if any_due(shoe):
        return lambda key: chips_due_confirm(shoe_id=shoe.pk, key=key, actor=None)
    boxes = [row.box for row in table_view(shoe.table, shoe.round).boxes if row.may_bet]
    about = {"shoe_id": shoe.pk, "bets": dict.fromkeys(boxes, shoe.round.plan.bets.min_chips)}
    if walk.chance.random() < 0.15:
        return lambda key: void(key, about)
    outcomes = {box: result(walk.chance.choice(WORDS)) for box in boxes}
    clerk = UserFactory()
    return lambda key: dealing.deal_record_results(outcomes=outcomes, key=key, actor=clerk, **about)


def void(key: str, about: dict[str, Any]) -> object:
    """A hand that is begun, and void; sent again, it is the same hand."""
    there = Deal.objects.filter(shoe=about["shoe_id"], status="void", reason=key).first()
    deal = there.pk if there else dealing.deal_open(mode="results", actor=None, **about)["deal"]
    return dealing.deal_void(deal_id=deal, reason=key, key=key, actor=None)


def any_due(shoe: Shoe) -> bool:
    """Whether chips are to be moved at the table before the next hand."""
    return Stack.objects.filter(round=shoe.round_id).exclude(due_chips=0).exists()


def taken_back(walk: Walk) -> Act:
    deals = Deal.objects.filter(shoe__round__event=walk.event, status="settled")
    deal = walk.any(deals.filter(pk=getattr(deals.order_by("pk").last(), "pk", 0)))
    outcomes = {int(box): result(walk.chance.choice(WORDS)) for box in deal.bets}

    def act(key: str) -> object:
        again = take_back.deal_take_back(deal_id=deal.pk, key=key, actor=deal.opened_by)
        if Deal.objects.get(pk=again["deal"]).status == "open":
            dealing.deal_settle(deal_id=again["deal"], outcomes=outcomes, key=f"{key} settled", actor=None)
        return again

    return act


def correct(walk: Walk) -> Act:
    deal = walk.any(Deal.objects.filter(shoe__round__event=walk.event, status="settled"))
    anew: dict[str, Any] = {"void": True}
    if walk.chance.random() < 0.8:
        anew = {"outcomes": {int(box): result(walk.chance.choice(WORDS)) for box in deal.bets}}
    if deal.shoe.round.status == "closed":
        return lambda key: corrections.correction_request(
            deal_id=deal.pk, reason=WHY, key=key, actor=None, **anew
        )
    return lambda key: corrections.deal_correct(deal_id=deal.pk, reason=WHY, key=key, actor=None, **anew)


def shoe_next(walk: Walk) -> Act:
    shoe = _shoe(walk, "over")
    return lambda key: shoes.shoe_next(round_id=shoe.round_id, table_id=shoe.table_id, key=key, actor=None)


def _boxes(shoe: Shoe) -> dict[int, int]:
    seats = Seat.objects.filter(round=shoe.round_id, table=shoe.table_id, vacated_at=None)
    stacks = dict(Stack.objects.filter(round=shoe.round_id).values_list("entry", "chips"))
    return {seat.box: stacks[seat.entry_id] for seat in seats}


def count(walk: Walk) -> Act:
    shoe, clerk = _shoe(walk, "over"), UserFactory(roles=["floor"])
    chips = _boxes(shoe)
    if walk.chance.random() < 0.3:
        chips = {box: max(0, each - walk.chance.choice([0, 100])) for box, each in chips.items()}
    return lambda key: counts.count_enter(shoe_id=shoe.pk, chips=chips, key=key, actor=clerk)


def count_again(walk: Walk) -> Act:
    live = CountSheet.objects.filter(shoe__round__event=walk.event, status="live", which=2)
    second = walk.any(live.filter(shoe__status="over"))
    first = CountSheet.objects.get(shoe=second.shoe, status="live", which=1)
    clerk, now = walk.chance.choice([first, second]).counted_by, _boxes(second.shoe)
    chips = {
        box: max(0, each - walk.chance.choice([0, 0, 0, 100]))
        for box, each in now.items()
        if first.chips.get(str(box)) != second.chips.get(str(box))
    }
    return lambda key: counts.count_enter(
        again=True, shoe_id=second.shoe_id, chips=chips, key=key, actor=clerk
    )


def count_rule(walk: Walk) -> Act:
    shoe = _shoe(walk, "over")
    chips = {box: max(0, each + walk.chance.choice([-100, 0])) for box, each in _boxes(shoe).items()}
    return lambda key: counts.count_rule(shoe_id=shoe.pk, chips=chips, reason=WHY, key=key, actor=None)


def tie_rule(walk: Walk) -> Act:
    round_ = walk.any(walk.event.rounds.filter(kind=Round.Kind.ROUND))
    due = next((step for step in walk.steps() if step.do == Do.RULE), None)
    codes = due.entries if due else list(walk.event.entries.values_list("code", flat=True))
    advance = walk.chance.sample(codes, due.seats if due else 1)
    return lambda key: closing.tie_rule(round_id=round_.pk, advance=advance, reason=WHY, key=key, actor=None)


def penalty(walk: Walk) -> Act:
    entry, kind = walk.any(walk.event.entries), walk.chance.choice(["warning", "sit_out", "chips", "chips"])
    about = {"entry_id": entry.pk, "kind": kind, "chips": 200, "reason": WHY, "actor": None}
    return lambda key: penalties.penalty_add(key=key, **about)


def seat_again(walk: Walk) -> Act:
    draw = walk.any(Draw.objects.filter(event=walk.event, status="confirmed"))
    return lambda key: draws.round_seat(draw_id=draw.pk)


def post(walk: Walk) -> Act:
    shares = walk.chance.choice([[10_000], [6_000, 4_000], [5_000, 3_000, 2_000]])
    structure = {"kind": "shares", "amounts": shares}
    about = {"event_id": walk.event.pk, "structure": structure, "actor": None}
    if walk.chance.random() < 0.3:
        return lambda key: payouts.payouts_supersede_request(reason=WHY, key=key, **about)
    return lambda key: payouts.payouts_post(key=key, **about)


def decide(walk: Walk) -> Act:
    asked = walk.any(Request.objects.filter(event=walk.event, status="open"))
    approve, other = walk.chance.random() < 0.9, UserFactory()
    return lambda key: request_decide(request_id=asked.pk, approve=approve, key=key, actor=other)


def call_off(walk: Walk) -> Act:
    if not walk.late:
        raise Refused("not_now", "An event is played for a while.")
    return lambda key: events.event_call_off(event_id=walk.event.pk, reason=WHY, key=key, actor=None)


def play_on(walk: Walk) -> str:
    """A hand, the end of a shoe, a further shoe of a tie, or a count, as a table waits for it; and before the
    first bet, seats that are given and given up."""
    seated = walk.event.rounds.filter(status="seated").first()
    if seated is not None and walk.chance.random() < 0.6:
        return walk.chance.choice(["no-show", "fill"] if seated.number == 1 else ["replace"])
    there = list(shoes_that_are("dealing", "over")(walk.event).order_by("pk"))
    shoe = walk.chance.choice(there) if there else None
    if shoe is None or shoe.status == "dealing":
        return walk.chance.choice(["play", "play", "shoe end"])
    if shoe.round.kind != "round":
        return "shoe next"
    two = CountSheet.objects.filter(shoe=shoe, status="live", which=2).exists()
    return walk.chance.choice(["count again", "count rule"] if two else ["count"])


def go_on(walk: Walk) -> str:
    """A command that the event waits for, or the answer of a person who is asked."""
    steps = walk.steps()
    if not steps or Request.objects.filter(event=walk.event, status="open").exists():
        return "decide"
    name = walk.chance.choice(ONWARD[walk.chance.choice(steps).do])
    return play_on(walk) if name == "play on" else name


ONWARD_SHARE = 0.7
ONWARD: dict[Do, tuple[str, ...]] = {
    Do.SELL: ("buy in", "withdraw", "withdraw"),
    Do.SEAT: ("lock", "lock", "correct"),
    Do.PLAY: (
        *["play on"] * 14,
        *("absent", "look", "penalty", "penalty back", "take back", "correct", "cut stands"),
        *("shoe reopen", "count reopen"),
    ),
    Do.RULE: ("tie rule",),
    Do.CLOSE: ("close",),
    Do.POST_PAYOUTS: ("post",),
    Do.SUPERSEDE: ("post",),
    Do.PAY: ("pay", "pay", "pay back"),
    Do.REFUND: ("refund",),
}
"""What the event waits for → the commands that do it."""


def of_event(model: Any, path: str = "event", **status: str) -> Callable[[Event], Any]:
    return lambda event: model.objects.filter(**{path: event}, **status)


def open_ties(event: Event) -> Any:
    return event.rounds.exclude(kind="round").exclude(status="closed")


def rounds_in_review(event: Event) -> Any:
    return event.rounds.filter(pk__in=[each.round.pk for each in cut_reviews(event)])


def winners(event: Event) -> Any:
    return event.entries.filter(code__in=won(event))


ENTRIES = of_event(Entry)
ACTS: dict[str, tuple[int, Drawn]] = {
    "buy in": (2, buy_in),
    "withdraw": (1, withdraw),
    "lock": (2, lock),
    "no-show": (1, no_show),
    "fill": (2, fill),
    "absent": (1, absent),
    "play": (4, play),
    "take back": (2, taken_back),
    "correct": (6, correct),
    "shoe end": (2, one("shoe_id", shoes_that_are("dealing"), shoes.shoe_end, reason=WHY)),
    "shoe reopen": (2, one("shoe_id", shoes_that_are("over"), shoes.shoe_reopen, reason=WHY)),
    "shoe next": (2, shoe_next),
    "count": (4, count),
    "count again": (6, count_again),
    "count rule": (2, count_rule),
    "count reopen": (3, one("shoe_id", shoes_that_are("over", "counted"), counts.count_reopen, reason=WHY)),
    "close": (0, one("round_id", of_event(Round, status="counted"), round_close)),
    "look": (1, one("round_id", open_ties, dealing.round_look)),
    "tie rule": (2, tie_rule),
    "cut stands": (4, one("round_id", rounds_in_review, closing.cut_stands, reason=WHY)),
    "penalty": (2, penalty),
    "penalty back": (
        1,
        one("penalty_id", of_event(Penalty, "entry__event"), penalties.penalty_cancel, reason=WHY),
    ),
    "disqualify": (1, one("entry_id", ENTRIES, entries.entry_disqualify_request, reason=WHY)),
    "replace": (4, one("entry_id", ENTRIES, seating.entry_replace, reason=WHY)),
    "redraw": (1, one("draw_id", of_event(Draw), draws.redraw_request, reason=WHY)),
    "seat again": (4, seat_again),
    "post": (3, post),
    "pay": (1, one("entry_id", winners, payments.prize_pay, identity_checked=True)),
    "pay back": (1, one("entry_id", ENTRIES, payments.prize_take_back_request, reason=WHY)),
    "decide": (8, decide),
    "call off": (20, call_off),
    "refund": (0, one("entry_id", ENTRIES, refunds.refund_hand_out, identity_checked=True)),
}
"""Command → how often it is drawn (0: only where the event waits for it), and what draws its arguments."""


def walked(name: str, steps: int, every: int, *, called_off: bool) -> Walk:
    """A walk of so many commands, looked at after every few of them.

    ``called_off``: the event may be called off near the end.
    """
    chance = chance_of(f"any order {name}")
    settings = {
        "boxes_per_table": chance.choice([3, 4]),
        "tables_count": 2,
        "starting_chips": chance.choice([1_000, 5_000]),
        "stacks": chance.choice(["carried", "reset"]),
        "tie_at_cut": chance.choice(["play_off", "director", "all_advance"]),
        "cut_after_round_1": 3,
        "cut_after_round_2": 2,
        "second_person_from_cents": 10_000_000,
    }
    event = event_make(0, **settings)
    about = {"event_id": event.pk, "actor": None}
    events.event_setup_again(key=new_key(), **about)
    events.event_open(key=new_key(), **about)
    for _ in range(chance.randint(6, 9)):
        EntryFactory(event=event)
    seating.tables_ensure(key=new_key(), **about)
    walk = Walk(event, chance, {})
    for at in range(steps):
        walk.late = called_off and at > steps * 0.7
        walk.step()
        if at % every == every - 1:
            walk.agrees()
    return walk


def facts_now(event: Event) -> list[Written]:
    return [fact_of_json(fact) for line in journal_lines(event) for fact in line.facts or ()]


def nothing_changed(walk: Walk) -> None:
    """Folded again from the start, and with every hand put right to what it is, the event is the same."""
    walk.agrees()
    facts = facts_now(walk.event)
    log = NO_FACTS.then(facts).log
    assert fold(log) == NO_FACTS.then(facts).state
    state = fold(log)
    for hand in [fact for fact in log if isinstance(fact, Hand)]:
        with suppress(Refused):
            same = core_decides(log, hand.key, hand)
            # T18: a counted table of an open round counts again, whatever the count had moved.
            assert same.again or stacks_of(fold(same.log)) == stacks_of(state)


def kinds_of(walk: Walk) -> Counter[str]:
    """How many facts of each kind the walk has written."""
    return Counter(type(fact).__name__ for fact in facts_now(walk.event))


def test_commands_in_any_order_leave_rows_that_the_journal_comes_to():
    """Of two events one is played to its prizes and one called off."""
    kinds = Counter[str]()
    for name, steps, called_off in (("cards", 110, False), ("gone", 50, True)):
        walk = walked(name, steps=steps, every=60, called_off=called_off)
        nothing_changed(walk)
        kinds += kinds_of(walk)
    assert len(kinds) >= 20 and kinds["Paid"] and kinds["CalledOff"], kinds


@pytest.mark.soak
@pytest.mark.parametrize("nth", range(40))
def test_commands_in_any_order_many_times(nth: int, record_property: Callable[[str, object], None]):
    walk = walked(f"{nth}", steps=400, every=20, called_off=nth % 4 == 0)
    nothing_changed(walk)
    record_property("facts", dict(kinds_of(walk)))
