"""Any hand of any tie is put right and back, whatever happened in it, and the books agree (T17, T26)."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from ground.refused import Refused
from tables.models import Deal
from tables.selectors.audit import audit
from tables.selectors.table_view import table_view
from tables.services import corrections, dealing, seating
from tests.cast.corrected import SWAPPED, books_agree, correct_now, post, put_right, round_1, status, words
from tests.cast.factories import new_key
from tests.cast.floor import (
    by_results,
    close,
    disqualify,
    draw_and_seat,
    hand,
    person,
    play_and_close,
    refusal,
    result,
    shoe_of,
    stack_at,
)
from tests.cast.leaving import ahead_and_tied, three_level
from tests.cast.payments import pay, won
from tests.cast.rounds import ended_with
from tests.cast.tied import code_at, play_off, sudden_death, tied_for_money
from tournament.models import Event, Round
from tournament.selectors.next_steps import seat_due
from tournament.selectors.stage_ranking import stage_ranking
from tournament.services.payouts import payouts_supersede_request
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


def happen(stage: Round, luck: random.Random) -> None:
    """Something that may happen to a tie; what is refused happens to nobody."""
    stage.refresh_from_db()
    shoe = luck.choice(list(stage.shoes.order_by("pk")))
    rows = {row.box: row for row in table_view(shoe.table, stage).boxes if row.may_bet}
    every = list(stage.stacks.select_related("entry").order_by("pk"))
    try:
        match luck.choice(["hand"] * 5 + ["absent", "disqualify", "look", "prizes"]):
            case "hand" if rows:
                words_ = {f"b{box}": luck.choice(["win", "lose", "push"]) for box in rows}
                hand(shoe, dict.fromkeys(rows, 200), **words_)
            case "absent":
                stack = luck.choice(every)
                away = {"stack_id": stack.pk, "absent": stack.state == "playing", "reason": "tired"}
                seating.stack_absent(**away, key=new_key(), actor=None)
            case "disqualify":
                disqualify(stage, luck.choice(list(stage.event.entries.order_by("pk"))).code)
            case "look":
                dealing.round_look(round_id=stage.pk, key=new_key(), actor=None)
            case "prizes":
                supersede(stage, luck)
    except Refused:
        return


def supersede(stage: Round, luck: random.Random) -> None:
    """Two persons post other prizes (T31)."""
    amounts = sorted((luck.choice([10_000, 20_000, 30_000]) for _ in range(3)), reverse=True)
    asked = payouts_supersede_request(
        event_id=stage.event_id,
        structure={"kind": "fixed", "amounts": amounts},
        reason="a sponsor",
        key=new_key(),
        actor=person(),
    )
    request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=person())


def holds(event: Event) -> None:
    """The books agree, and the journal comes to the rows."""
    assert books_agree(event)
    found = audit(event)
    assert (found.differences, found.stop) == ((), None)


def there(stage: Round) -> Any:
    """Return all that a correction may change, without the hands; a disqualification is never undone."""
    stage.refresh_from_db()
    fields = ("plays_from", "chips", "outcome", "place", "state")
    stacks = [
        (*each[:4], "out" if gone == "disqualified" else each[4])
        for *each, gone in stage.stacks.order_by("pk").values_list(*fields, "entry__status")
    ]
    return stage.status, stacks, ended_with(stage), stage.contested


KINDS: dict[str, Callable[[random.Random], Round]] = {
    "play-off": lambda luck: play_off(5, play_off_chips=1000),
    "play-off with one ahead": lambda luck: ahead_and_tied(5, 3, play_off_chips=1000),
    "sudden death": lambda luck: sudden_death(luck.choice([3, 4]), sudden_death_chips=1000),
    "places frozen": lambda luck: three_level(sudden_death_until="frozen", sudden_death_chips=1000),
    "two groups": lambda luck: draw_and_seat(tied_for_money(4, groups=2, sudden_death_chips=1000)),
}


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", KINDS)
def test_T17_T26_any_hand_of_any_tie_is_put_right_and_back_and_the_books_agree(kind: str, seed: int):
    luck = random.Random(f"{kind} {seed}")
    stage = KINDS[kind](luck)
    for _ in range(12):
        happen(stage, luck)
    if status(stage) == "counted" and luck.random() < 0.7:
        close(stage)
        if luck.random() < 0.7:
            with suppress(Refused):
                disqualify(stage, luck.choice(list(stage.event.entries.order_by("pk"))).code)
        if luck.random() < 0.4:
            with suppress(Refused):
                supersede(stage, luck)
    holds(stage.event)
    deals = list(Deal.objects.filter(shoe__round=stage, status="settled").order_by("pk"))
    if deals:
        put_right_and_back(stage, luck.choice(deals), luck)


def test_T26_a_player_who_is_disqualified_since_has_no_seat_to_differ_in_a_tie_put_right():
    stage = three_level(sudden_death_until="frozen", sudden_death_chips=1000)
    deal = hand(shoe_of(stage), dict.fromkeys((1, 2, 3), 200), b1="win", b2="push", b3="lose")
    stage.refresh_from_db()
    close(stage)
    disqualify(stage, stack_at(stage, 1).entry.code)
    done = put_right(deal, outcomes={1: result("win"), 2: result("push"), 3: result("push")})
    assert status(stage) == "playing"
    holds(stage.event)
    # Nor one to get back, where the tie is decided before that again.
    for results in (("win", "push", "lose"), ("push",) * 3):
        anew = {box: result(word) for box, word in enumerate(results, start=1)}
        change = put_right if status(stage) == "closed" else correct_now
        done = change(Deal.objects.get(pk=done["deal"]), outcomes=anew)
        holds(stage.event)


def test_T26_nor_in_a_round_that_is_closed_again():
    round_, old = round_1()
    disqualify(round_, stack_at(round_, 4).entry.code)
    put_right(old, outcomes=SWAPPED)
    assert status(round_) == "closed"
    holds(round_.event)


def put_right_and_back(stage: Round, deal: Deal, luck: random.Random) -> None:
    before = there(stage)
    change = put_right if status(stage) == "closed" else correct_now
    as_it_was = {int(box): outcome for box, outcome in deal.outcomes.items()}
    anew = {box: result(luck.choice(["win", "lose", "push", "natural"])) for box in as_it_was}
    seen = corrections.correction_preview(deal_id=deal.pk, outcomes=anew)
    done = change(deal, outcomes=anew)
    holds(stage.event)
    changed = {line.entry: line.after.chips - line.before.chips for line in seen.lines}
    assert done["changes"] == {code: chips for code, chips in changed.items() if chips}
    rows = [row for row in stage_ranking(stage).rows if not row.state.gone]
    told = {e.entry: (e.after.chips, e.after.rank, e.after.tied, e.after.cut) for e in seen.lines}
    assert [told[row.code] for row in rows] == [(row.chips, row.place, row.tied, row.state) for row in rows]
    change = put_right if status(stage) == "closed" else correct_now
    change(Deal.objects.get(pk=done["deal"]), outcomes=as_it_was)
    holds(stage.event)
    # A stage that goes on was opened again; what was void or cancelled stays so.
    if not (seen.void or seen.goes_on):
        assert there(stage) == before


def test_T17_T23_a_second_play_off_of_a_round_is_played_corrected_and_paid_to_the_end():
    first = play_off(5, play_off_chips=1000, cut_after_round_1=3, cut_after_round_2=3)
    event, all_level = first.event, words(**dict.fromkeys(("b1", "b2", "b3", "b4", "b5"), "push"))
    three_win = all_level | words(b1="win", b2="win", b3="win")
    old = by_results(shoe_of(first), dict.fromkeys(range(1, 6), 200), three_win)
    first.refresh_from_db()
    close(first)
    # Three have won their seats; without one of them the other two play again, for one seat.
    disqualify(event, code_at(first, 1))
    second, two = draw_and_seat(event), {1: 200, 2: 200}
    assert (second.sequence, second.contested) == (2, 1)
    for word in ("push", "win"):
        hand(shoe_of(second), two, b1=word, b2=word)
        assert status(second) == "playing"
    with refusal("tie_open", 409):
        put_right(old, outcomes=all_level)
    hand(shoe_of(second), two, b1="win", b2="lose")
    second.refresh_from_db()
    close(second)
    holds(event)
    # Others have won the first one: there is a third to play. Put right again, there is none.
    sat = {box: code_at(first, box) for box in (2, 3)}
    others = all_level | words(b1="win", b2="lose", b3="lose", b4="win", b5="win")
    due = seat_due_after(put_right(old, outcomes=others), event)
    assert (due.stage, set(due.entries)) == ((1, "play_off", 3), {*sat.values()})
    deal = Deal.objects.filter(shoe__round=first, status="settled").get()
    put_right(deal, outcomes=all_level)
    assert status(first) == "playing"
    deal = Deal.objects.filter(shoe__round=first, status="settled").get()
    assert seat_due_after(correct_now(deal, outcomes=three_win), event) is None
    if status(first) == "counted":
        close(first)
    round_ = Round.objects.get(pk=first.parent_id)
    close(round_)
    post(event, 40_000, 20_000, 20_000)
    for _ in range(2):
        play_and_close(draw_and_seat(event))
    # Two stay level for places that pay the same, which they share.
    last = draw_and_seat(event)
    for word in ("push", "win"):
        hand(shoe_of(last), dict.fromkeys((1, 2, 3), 200), b1=word, b2="push", b3="push")
    last.refresh_from_db()
    close(last)
    assert sorted(won(event).values()) == [20_000, 20_000, 40_000]
    for code in won(event):
        pay(event, code)
    assert status(event) == "paid"
    holds(event)


def seat_due_after(_done: object, event: Event) -> Any:
    """The stage that is to be seated now; the books agree."""
    holds(event)
    event.refresh_from_db()
    return seat_due(event)
