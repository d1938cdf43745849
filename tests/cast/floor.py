"""The cast of the floor's tests: a seated event, and hands with chosen results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User

from ground.refused import Refused
from tables.models import Deal, Seat, Shoe
from tables.selectors.counts import boxes_to_count
from tables.selectors.floor import stacks_by_box
from tables.selectors.next_hand import due_by_box
from tables.selectors.table_view import table_view
from tables.services import counts, dealing, draws, seating, shoes
from tables.services.chips_due import chips_due_confirm
from tables.services.closing import round_close
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tests.cast.worlds import kept
from tournament.models import Draw, Entry, Event, PayoutStructure, Round, Stack
from tournament.selectors.prizes import structure_from_dict
from tournament.services import payouts
from tournament.services.entries import entry_disqualify_request
from tournament.services.journal import Command, command
from tournament.services.penalties import penalty_add
from tournament.services.requests import request_decide


@contextmanager
def refusal(code: str, status: int = 422) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """``with refusal("stale", 409) as no:`` — the block must be refused with this code."""
    with pytest.raises(Refused) as no:
        yield no
    assert (no.value.code, no.value.status) == (code, status), no.value


@kept
def event_make(entrants: int, *, kind: str = Event.Kind.TOURNAMENT, **settings: Any) -> Event:
    """An event with its desk open, this many entries and enough tables; draws without public cards.

    Players of boxes that ``hand`` leaves out play no hand, but are ranked (T15).
    """
    event = EventFactory(kind=kind, settings={"public_input": False, "no_hand": "ranked", **settings})
    for _ in range(entrants):
        EntryFactory(event=event)
    if entrants:
        seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    return event


def draw_and_seat(event: Event) -> Round:
    """Lock the next draw and carry it out."""
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    seated = draws.round_seat(draw_id=locked["draw"])
    event.refresh_from_db()
    return Round.objects.get(pk=seated["round"])


@kept
def seated(entrants: int = 4, **settings: Any) -> Round:
    return draw_and_seat(event_make(entrants, **settings))


def shoe_of(round_: Round, table: int = 1) -> Shoe:
    """The newest shoe of a table."""
    return (
        Shoe.objects.select_related("table", "round__event")
        .filter(round=round_, table__number=table)
        .latest("number")
    )


def stack_at(round_: Round, box: int, table: int = 1) -> Stack:
    seat = Seat.objects.get(round=round_, table__number=table, box=box, vacated_at__isnull=True)
    return Stack.objects.select_related("entry").get(round=round_, entry=seat.entry_id)


def chips_at(round_: Round, box: int) -> int:
    return stack_at(round_, box).chips


def result(word: str, **more: Any) -> dict[str, Any]:
    """The outcome of a box with one hand."""
    return {"hands": [{"result": word, **more}]}


def chips_right(shoe: Shoe) -> None:
    """The dealer moves the chips that are due at the table, and says so."""
    now = Shoe.objects.select_related("round").get(pk=shoe.pk)
    if due_by_box(now.round, stacks_by_box(now)):
        chips_due_confirm(shoe_id=shoe.pk, key=new_key(), actor=None)


@contextmanager
def only(shoe: Shoe, boxes: Iterable[int]) -> Iterator[None]:
    """Mark every other player at the table absent meanwhile: a player who is present must bet (T12, T15).

    Chips that an earlier ruling moved are put right on the felt first.
    """
    chips_right(shoe)
    seats = Seat.objects.filter(round=shoe.round_id, table=shoe.table_id, vacated_at__isnull=True)
    others = seats.exclude(box__in=list(boxes)).values("entry")
    here = Stack.objects.filter(round=shoe.round_id, entry__in=others, state=Stack.State.PLAYING)
    away = list(here.values_list("pk", flat=True))
    Stack.objects.filter(pk__in=away).update(state=Stack.State.ABSENT)
    try:
        yield
    finally:
        Stack.objects.filter(pk__in=away, state=Stack.State.ABSENT).update(state=Stack.State.PLAYING)


def opened(shoe: Shoe, bets: dict[int, int], mode: str = "cards", actor: User | None = None) -> Deal:
    """An open hand of these boxes; the others are absent."""
    with only(shoe, bets):
        made = dealing.deal_open(shoe_id=shoe.pk, bets=bets, mode=mode, actor=actor)
    return Deal.objects.get(pk=made["deal"])


def recorded(shoe: Shoe, record: dict[str, Any]) -> Deal:
    """A whole hand record of these boxes; the others are absent."""
    bets = record.get("bets", {})
    with only(shoe, map(int, bets) if isinstance(bets, dict) else ()):
        made = dealing.deal_record(shoe_id=shoe.pk, record=record, key=new_key(), actor=None)
    return Deal.objects.get(pk=made["deal"])


def hand(shoe: Shoe, bets: dict[int, int], **words: str) -> Deal:
    """Record a hand by results: ``hand(shoe, {1: 200, 2: 400}, b1="win", b2="lose")``.

    All other players are absent. In a tie they bet the minimum and push, as an absent player loses it.
    """
    outcomes = {int(box[1:]): result(word) for box, word in words.items()}
    if shoe.round.kind == Round.Kind.ROUND:
        return by_results(shoe, bets, outcomes)
    rows = table_view(shoe.table, shoe.round).boxes
    others = [row.box for row in rows if row.may_bet and row.box not in bets]
    least = dict.fromkeys(others, shoe.round.event.settings.bet_min_chips)
    return by_results(shoe, {**bets, **least}, {**outcomes, **{box: result("push") for box in others}})


def by_results(shoe: Shoe, bets: dict[int, int], outcomes: dict[int, Any]) -> Deal:
    """A whole hand by the outcomes of these boxes; the others are absent."""
    with only(shoe, bets):
        made = dealing.deal_record_results(
            shoe_id=shoe.pk, bets=bets, outcomes=outcomes, key=new_key(), actor=None
        )
    return Deal.objects.get(pk=made["deal"])


# Box 1 stands on 20, the dealer has 19: 8h 9c is replaced by what each test needs.
def record(bets: dict[int, int], cards: list[str], *decisions: dict[str, Any]) -> dict[str, Any]:
    return {
        "rules": "wonder",
        "bets": {str(box): chips for box, chips in bets.items()},
        "cards": cards,
        "decisions": list(decisions),
    }


def one_box_win(box: int, bet: int) -> dict[str, Any]:
    """Box has 20 against the dealer's 19: wins its bet. Five cards are not needed: four leave the shoe."""
    return record({box: bet}, ["Kh", "9c", "Ks", "Td"], {"seat": box, "action": "stand"})


def shoe_over(shoe: Shoe) -> None:
    shoes.shoe_end(shoe_id=shoe.pk, reason="fire drill", key=new_key(), actor=None)


def count_both(shoe: Shoe, chips: dict[int, int] | None = None) -> dict[str, Any]:
    """Two people count the same; without ``chips``, what the ledger says."""
    right = chips if chips is not None else {box: s.chips for box, s in boxes_to_count(shoe).items()}
    counts.count_enter(shoe_id=shoe.pk, chips=right, key=new_key(), actor=UserFactory())
    return counts.count_enter(shoe_id=shoe.pk, chips=right, key=new_key(), actor=UserFactory())


def confirm(asked: dict[str, Any], by: User | None = None) -> dict[str, Any]:
    """A second person confirms what was asked for; gives what that did."""
    second = by or UserFactory()
    decided = request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=second)
    done: dict[str, Any] = decided["done"]
    return done


def disqualify(where: Event | Round, code: str) -> None:
    """Asked for by one person and confirmed by another."""
    event = where if isinstance(where, Event) else where.event
    given = {"entry_id": event.entries.get(code=code).pk, "reason": "marked cards"}
    confirm(entry_disqualify_request(**given, key=new_key(), actor=person()))
    where.refresh_from_db()


def rule(shoe: Shoe, chips: dict[int, int], reason: str = "counted together") -> dict[str, Any]:
    """A director rules on a count, and where that moves chips a second person confirms."""
    asked = counts.count_rule(shoe_id=shoe.pk, chips=chips, reason=reason, key=new_key(), actor=None)
    return confirm(asked) if "request" in asked else asked


def take_chips(entry: Entry, chips: int, reason: str = "late") -> dict[str, Any]:
    """A penalty in chips that two persons have given."""
    given = {"entry_id": entry.pk, "kind": "chips", "chips": chips, "reason": reason}
    return confirm(penalty_add(**given, key=new_key(), actor=None))


def play_and_count(round_: Round) -> None:
    """End every shoe of a round and count it as the ledger says."""
    for shoe in round_.shoes.all():
        if shoe.status == Shoe.Status.DEALING:
            shoe_over(shoe)
        count_both(shoe)
    round_.refresh_from_db()


def close(round_: Round) -> dict[str, Any]:
    closed = round_close(round_id=round_.pk, key=new_key(), actor=None)
    round_.refresh_from_db()
    return closed


def play_and_close(round_: Round) -> None:
    """End and count every shoe of a round, and close it."""
    play_and_count(round_)
    close(round_)


def sudden_death_of_two() -> Round:
    """Seat two level players for sudden death, for $150 and $50 (T33)."""
    round_ = seated(2)
    payouts_post(round_.event, 150_00, 50_00)
    for number in (1, 2, 3):
        stage = round_ if number == 1 else draw_and_seat(round_.event)
        play_and_close(stage)
    return draw_and_seat(round_.event)


def payouts_post(event: Event, *prizes_cents: int) -> PayoutStructure:
    """A structure in force, as T31 asks for; before round 1 is closed, which the service would refuse.

    Without prizes: three quarters and a quarter of the pool.
    """
    structure: dict[str, Any] = {"kind": "shares", "amounts": [7500, 2500]}
    if prizes_cents:
        structure = {"kind": "fixed", "amounts": list(prizes_cents)}

    def act(cmd: Command) -> dict[str, Any]:
        posted = payouts._post(cmd, structure_from_dict(structure), reason="")
        return {"version": posted.version, "prizes_cents": posted.prizes_cents}

    asked = {"structure": {}}
    command(kind="payouts.post", key=new_key(), actor=None, event_id=event.pk, body=asked, act=act)
    return PayoutStructure.objects.get(event=event)


def draw_of(round_: Round) -> Draw:
    assert round_.draw is not None
    return round_.draw


def person(*roles: str) -> User:
    """Somebody who works here; director and manager where no role is named."""
    return UserFactory(roles=list(roles) or None)
