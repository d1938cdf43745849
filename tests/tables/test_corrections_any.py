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
from tests.cast.corrected import SWAPPED, books_agree, correct_now, put_right, round_1, status
from tests.cast.factories import new_key
from tests.cast.floor import (
    close,
    disqualify,
    draw_and_seat,
    hand,
    person,
    result,
    shoe_of,
    stack_at,
)
from tests.cast.leaving import ahead_and_tied, three_level
from tests.cast.rounds import ended_with
from tests.cast.tied import play_off, sudden_death, tied_for_money
from tournament.models import Event, Round
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
    for words in (("win", "push", "lose"), ("push",) * 3):
        anew = {box: result(word) for box, word in enumerate(words, start=1)}
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
    changed |= {code: after - before for code, before, after in seen.handed_in}
    assert done["changes"] == {code: chips for code, chips in changed.items() if chips}
    shown = [(row.code, row.chips, row.place, row.tied, row.state) for row in stage_ranking(stage).rows]
    told = [(e.entry, e.after.chips, e.after.rank, e.after.tied, e.after.cut) for e in seen.lines]
    assert told == shown
    change = put_right if status(stage) == "closed" else correct_now
    change(Deal.objects.get(pk=done["deal"]), outcomes=as_it_was)
    holds(stage.event)
    # A stage that goes on was opened again; what was void or cancelled stays so.
    if not (seen.void or seen.goes_on):
        assert there(stage) == before
