"""What a correction is said to do, in the list and on its page, is what it does (T17, T18)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tables.models import Deal
from tables.selectors.countings import countings
from tables.services import corrections
from tests.cast.at_tables import logged_in, text
from tests.cast.corrected import ask, closed_play_off, played, post, round_1, words
from tests.cast.counting import enter
from tests.cast.floor import (
    close,
    confirm,
    draw_and_seat,
    hand,
    play_and_count,
    rule,
    seated,
    shoe_of,
    shoe_over,
)
from tests.cast.rounds import ended_with
from tests.cast.tied import code_at
from tournament.models import Event, Request, Round, Stack
from tournament.selectors.prizes import prizes_for
from tournament.selectors.stage_ranking import place_shown
from tournament.selectors.stages import live_payouts, state_of

pytestmark = pytest.mark.django_db

SWAPPED = words(b1="win", b2="lose", b3="win", b4="lose")


def in_the_database(round_: Round) -> dict[str, tuple[Any, ...]]:
    """Entry → stack, rank and outcome in a closed round, and the prize that its place pays, None in play."""
    round_ = Round.objects.get(pk=round_.pk)
    event = Event.objects.get(pk=round_.event_id)
    rows = [(s.entry.code, s) for s in round_.stacks.exclude(place=None).select_related("entry")]
    ended = ended_with(round_)
    return {code: (ended[code], s.place, s.outcome, prize(event, s)) for code, s in rows}


def prize(event: Event, stack: Stack) -> int | None:
    if event.status == Event.Status.FINISHED:
        return prizes_for(event).get(stack.entry.code, 0)
    found, payouts = place_shown(event, stack.entry, state_of(event)), live_payouts(event)
    if found is None or payouts is None:
        return None
    assert not found.tied, "the scenes have no tie for money that is open"
    return int(payouts.prizes_cents[found.place - 1]) if found.place <= len(payouts.prizes_cents) else 0


OUTCOMES = {"advances": "advanced", "out": "cut", "": "ranked"}


def said_by(lines: Any) -> dict[str, tuple[Any, ...]]:
    return {
        line.entry: (line.after.chips, line.after.rank, OUTCOMES[line.after.cut], line.after.prize_cents)
        for line in lines
    }


def seats_drawn() -> tuple[Round, Deal, Any]:
    round_, old = round_1()
    post(round_.event, 40_000, 30_000, 20_000)
    draw_and_seat(round_.event)
    return round_, old, SWAPPED


def two_rounds_later() -> tuple[Round, Deal, Any]:
    round_, old, _ = seats_drawn()
    second = round_.event.rounds.latest("pk")
    play_and_count(second), close(second)
    draw_and_seat(round_.event)
    return round_, old, SWAPPED


def all_decided_and_another_cut() -> tuple[Round, Deal, Any]:
    _event, round_, old = played(stacks="reset")
    return round_, old, SWAPPED


SCENES = (seats_drawn, two_rounds_later, all_decided_and_another_cut)


@pytest.mark.parametrize("scene", SCENES)
def test_T17_what_was_said_to_change_is_what_changes(scene: Callable[[], tuple[Round, Deal, Any]]):
    round_, old, anew = scene()
    before = in_the_database(round_)
    looked = corrections.correction_preview(deal_id=old.pk, outcomes=anew)
    asked = ask(old, outcomes=anew)
    confirm(asked)
    after = in_the_database(round_)
    assert said_by(looked.lines) == after
    assert {line.entry for line in looked.changed} == {code for code in after if after[code] != before[code]}
    told = corrections.lines_kept(Request.objects.get(pk=asked["request"]))
    assert told == looked.changed


def test_T17_a_play_off_whose_seats_stand_is_not_said_to_be_won_by_another():
    stage, old = closed_play_off(round_too=True)
    post(stage.event, 20_000, 10_000)
    draw_and_seat(stage.event)
    two, three = code_at(stage, 2), code_at(stage, 3)
    looked = corrections.correction_preview(deal_id=old.pk, outcomes=words(b1="win", b2="lose", b3="win"))
    assert looked.seats_stand
    sides = {line.entry: (line.before.cut, line.after.cut) for line in looked.lines}
    assert (sides[two], sides[three]) == (("advances",) * 2, ("out",) * 2)
    assert all(line.before.prize_cents == line.after.prize_cents for line in looked.lines)
    assert looked.differs is not None
    assert (looked.differs.missed, looked.differs.extra) == ((three,), (two,))


# A count that was ruled on (T18) ---------------------------------------------------------------------------


def ruled(figure: int, **settings: Any) -> tuple[Round, Deal]:
    """A hand by which box 1 has 5,800; counted 5,800 and 5,900; ruled; the round closed."""
    cuts = {"cut_after_round_1": 2, "cut_after_round_2": 2, **settings}
    round_ = seated(3, **cuts)
    shoe = shoe_of(round_)
    old = hand(shoe, {1: 800, 2: 400, 3: 200}, b1="win", b2="lose", b3="lose")
    shoe_over(shoe)
    enter(shoe, {1: 5_800, 2: 4_600, 3: 4_800})
    enter(shoe, {1: 5_900, 2: 4_600, 3: 4_800})
    rule(shoe, {1: figure, 2: 4_600, 3: 4_800})
    round_.refresh_from_db()
    close(round_)
    return round_, old


ANEW = words(b1="natural", b2="lose", b3="lose")
"""Box 1 won 1,200 with a blackjack and not 800: its hands come to 6,200."""


def test_T18_a_correction_after_the_close_keeps_what_the_ruling_moved_and_the_preview_says_so():
    round_, old = ruled(5_900)
    asked = ask(old, outcomes=ANEW)
    at = f"/staff/{round_.event.slug}/requests/"
    client = logged_in("director")
    typed = {"bet-1": "800", "out-1": "natural", "bet-2": "400", "out-2": "lose", "bet-3": "200"}
    typed |= {"out-3": "lose", "do": "preview", "how": "results"}
    preview = client.post(f"/staff/{round_.event.slug}/deals/{old.pk}/correct/", typed)
    for answered in (preview, client.get(at), client.get(f"{at}{asked['request']}/correction/")):
        assert "+100" in text(answered) and "5,900 → 6,300" in text(answered)
    confirm(asked)
    assert ended_with(round_)[code_at(round_, 1)] == 6_300


def test_T18_the_evidence_of_a_ruling_stays_as_it_was():
    round_, old = ruled(5_900)
    confirm(ask(old, outcomes=ANEW))
    [found] = countings(shoe_of(round_))
    box = found.boxes[0]
    assert (box.first, box.second, box.hands) == (5_800, 5_900, 5_800)
    assert (box.ruled, box.moved) == (5_900, 100)
    assert not any(b.differs for b in found.boxes[1:])
    client = logged_in("director")
    for address in ("", f"rounds/{round_.pk}/", "tables/1/count/"):
        page = text(client.get(f"/staff/{round_.event.slug}/{address}"))
        assert "5,800" in page and "5,900" in page
