"""A tie is looked at again with its penalties and with who was disqualified, each at its place (T17, T26)."""

from __future__ import annotations

import pytest

from tables.models import Deal
from tables.services import (
    corrections,
)
from tests.cast.corrected import books_agree, final, post, put_right, status
from tests.cast.corrected_ties import BETS3, correct, fresh, outcomes, words
from tests.cast.floor import close, draw_and_seat, hand, refusal, shoe_of
from tests.cast.leaving import ALL4, ahead_and_tied, disqualify, seats, shoe_next, three_level
from tests.cast.tied import code_at, places, play_off, sudden_death
from tournament.models import JournalEntry, Round
from tournament.selectors.stages import next_stage
from tournament.sql import unguarded

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


# Disqualified in a play-off ----------------------------------------------------------------------------


def test_T17_T26_the_deciding_hand_of_a_play_off_without_a_disqualified_is_put_right():
    stage = play_off(4)
    one, two, three, four = seats(stage, 4)
    hand(shoe_of(stage), ALL4, b1="push", b2="push", b3="push", b4="push")
    disqualify(stage, four)
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    assert fresh(stage) == "counted"
    seen = {e.entry: e for e in corrections.correction_preview(deal_id=old.pk, void=True).lines}
    assert (seen[four].cut_before, seen[four].cut_after) == ("disqualified", "disqualified")
    assert (seen[four].rank_before, seen[four].chips_after) == (4, 0), "T26: the stack has left play"
    correct(old, outcomes=words(b1="win", b2="lose", b3="win"))
    assert outcomes(stage) == {one: "advanced", two: "cut", three: "advanced", four: ""}
    assert stage.stacks.get(entry__code=four).state == "disqualified"
    assert books_agree(stage.event)
    assert sorted(close(stage)["advanced"]) == sorted([one, three])


def test_T17_T26_a_hand_before_the_disqualification_is_put_right_and_its_chips_go_where_they_went():
    """In truth box 4 had won: through, and then disqualified, so that the others play for its seat."""
    stage = play_off(4)
    one, two, three, four = seats(stage, 4)
    first = hand(shoe_of(stage), ALL4, b1="push", b2="push", b3="push", b4="push")
    disqualify(stage, four)
    second = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    correct(first, outcomes=words(b1="push", b2="push", b3="push", b4="win"))
    second.refresh_from_db()
    assert second.status == "settled", "the same three would have played it"
    assert outcomes(stage) == {one: "advanced", two: "advanced", three: "cut", four: "advanced"}
    assert stage.stacks.get(entry__code=four).state == "disqualified"
    assert sum(chips for chips in stage.stacks.values_list("chips", flat=True)) == 0
    assert books_agree(stage.event)
    # And back: now 5,200 and not 5,000 are handed in as box 4 leaves.
    made = Deal.objects.get(corrects=first)
    correct(made, outcomes=words(b1="win", b2="win", b3="win", b4="win"))
    assert stage.stacks.get(entry__code=four).closed_chips is None
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all() if s.entry.code != four} == {
        one: 5400,
        two: 5400,
        three: 5000,
    }
    assert books_agree(stage.event)


def test_T17_T26_somebody_through_already_is_disqualified_and_the_seat_is_counted_when_it_is_played_again():
    stage = ahead_and_tied()
    one, two, three = seats(stage, 3)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    ahead = stage.parent.stacks.exclude(entry__code__in=[one, two, three]).get().entry.code
    disqualify(stage, ahead)
    assert stage.stakes["contested"] == 2
    second = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    assert fresh(stage) == "counted"
    correct(second, outcomes=words(b1="win", b2="lose", b3="win"))
    assert outcomes(stage) == {one: "advanced", two: "cut", three: "advanced"}
    # In truth box 1 had won it before the seat came free, for which the other two play off once more.
    correct(first, outcomes=words(b1="win", b2="push", b3="push"))
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "advanced", two: "cut", three: "cut"})
    assert books_agree(stage.event)
    close(stage)
    found = next_stage(stage.event)
    assert found is not None
    assert ([e.code for e in found.entries], found.stakes) == (sorted([two, three]), {"contested": 1})


# Disqualified in a sudden death ------------------------------------------------------------------------


def test_T17_T26_a_sudden_death_without_a_disqualified_is_put_right_for_one_place_less():
    stage = three_level()
    one, two, three = seats(stage, 3)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    disqualify(stage, two)
    old = hand(shoe_of(stage), {1: 200, 3: 200}, b1="win", b3="lose")
    assert (fresh(stage), places(stage)) == ("counted", {one: 1, two: None, three: 2})
    correct(old, outcomes=words(b1="lose", b3="win"))
    assert places(stage) == {one: 2, two: None, three: 1}
    correct(first, outcomes=words(b1="push", b2="win", b3="push"))
    assert books_agree(stage.event)
    close(stage)
    assert final(stage.event) == {one: 2, two: 3, three: 1}
    assert books_agree(stage.event)


def test_T17_T26_a_closed_sudden_death_that_goes_on_without_who_was_disqualified_since():
    stage = three_level()
    one, two, three = seats(stage, 3)
    old = hand(shoe_of(stage), {1: 400, 2: 200, 3: 200}, b1="win", b2="push", b3="lose")
    close(stage)
    disqualify(stage, one)
    put_right(old, outcomes=words(b1="push", b2="push", b3="push"))
    assert (fresh(stage), status(stage.event)) == ("playing", "running")
    assert [(g["places"], g["entries"]) for g in stage.stakes["groups"]] == [([1, 2], sorted([two, three]))]
    assert stage.stacks.get(entry__code=one).state == "disqualified"
    assert books_agree(stage.event)
    shoe_next(stage, old)
    hand(shoe_of(stage), {2: 200, 3: 200}, b2="lose", b3="win")
    later = Deal.objects.filter(shoe__round=stage, status="settled").latest("pk")
    correct(later, outcomes=words(b2="win", b3="lose"))
    close(stage)
    assert final(stage.event) == {one: 3, two: 1, three: 2}
    assert books_agree(stage.event)


# What cannot be looked at again --------------------------------------------------------------------------


def test_T17_where_it_was_not_kept_at_what_somebody_was_disqualified_it_is_refused():
    """From before the journal noted it."""
    stage = play_off(4)
    old = hand(shoe_of(stage), ALL4, b1="push", b2="push", b3="push", b4="push")
    disqualify(stage, code_at(stage, 4))
    decided = JournalEntry.objects.filter(event=stage.event, kind="request.decide").latest("seq")
    noted = {key: value for key, value in decided.body["noted"].items() if key not in ("place", "tie")}
    forgotten = {**decided.body, "noted": noted}
    with unguarded():
        JournalEntry.objects.filter(pk=decided.pk).update(body=forgotten)
    with refusal("tie_not_replayed", 409):
        correct(old, void=True)


# Seats that stand ----------------------------------------------------------------------------------------


def test_T17_a_play_off_whose_seats_stand_can_be_put_right_again_and_back():
    stage = play_off()
    one, two, three = seats(stage, 3)
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    close(stage)
    close(Round.objects.get(pk=stage.parent_id))
    post(stage.event, 20_000, 10_000)
    draw_and_seat(stage.event)
    before = outcomes(stage)
    for anew in (
        words(b1="win", b2="lose", b3="win"),
        words(b1="push", b2="push", b3="push"),
        words(b1="win", b2="push", b3="push"),
        words(b1="win", b2="win", b3="lose"),
    ):
        put_right(Deal.objects.filter(shoe=old.shoe, status="settled").get(), outcomes=anew)
        assert outcomes(stage) == before
        assert books_agree(stage.event)
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 5200, two: 5200, three: 4800}


@pytest.mark.parametrize(("now", "ranks"), [("lose", (1, 2, 3)), ("win", (1, 1, 3))])
def test_T17_T26_in_the_preview_who_is_disqualified_stands_behind_all_others(now, ranks):
    """Also behind those who are level and play on: they share the first of the places played for."""
    stage = sudden_death(3)
    old = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    codes = seats(stage, 3)
    disqualify(stage, codes[2])
    seen = corrections.correction_preview(deal_id=old.pk, outcomes=words(b1="win", b2=now, b3="push"))
    told = {line.entry: line.rank_after for line in seen.lines}
    assert tuple(told[code] for code in codes) == ranks
