"""A hand of a play-off or sudden death put right: the stage is looked at again from that hand (T17)."""

from __future__ import annotations

import pytest
from django.db.models import Sum

from tables.models import Deal
from tables.services import (
    corrections,
    dealing,
    seating,
)
from tests.cast.corrected_ties import BETS3, correct, fresh, outcomes, words
from tests.cast.factories import new_key
from tests.cast.floor import (
    chips_at,
    close,
    draw_and_seat,
    hand,
    play_and_count,
    refusal,
    seated,
    shoe_of,
    stack_at,
)
from tests.cast.leaving import disqualify
from tests.cast.tied import code_at, places, play_off, sudden_death
from tournament.models import ChipEntry, JournalEntry, Round
from tournament.services.reconcile import reconcile
from tournament.services.rounds import tie_rule
from tournament.sql import unguarded

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def books_agree(stage: Round) -> bool:
    legs = ChipEntry.objects.filter(transaction__event=stage.event)
    assert reconcile(stage.event) == []
    return legs.aggregate(n=Sum("amount_chips"))["n"] == 0


# A play-off ------------------------------------------------------------------------------------------


def test_T17_the_deciding_hand_of_a_play_off_is_put_right_before_its_close():
    """The clerk mixed up boxes 2 and 3: another one has won the seat."""
    stage = play_off()
    one, two, three = (code_at(stage, box) for box in (1, 2, 3))
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "advanced", two: "advanced", three: "cut"})
    made = correct(old, outcomes=words(b1="win", b2="lose", b3="win"))
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "advanced", two: "cut", three: "advanced"})
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 5200, two: 4800, three: 5200}
    assert made["changes"] == {two: -400, three: 400}
    assert sum(chips_at(stage, box) for box in (1, 2, 3)) == 0
    assert books_agree(stage)
    assert sorted(close(stage)["advanced"]) == sorted([one, three])


def test_T17_where_a_play_off_is_not_decided_after_all_it_goes_on():
    stage = play_off()
    one, two, three = (code_at(stage, box) for box in (1, 2, 3))
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    correct(old, outcomes=words(b1="win", b2="push", b3="push"))
    assert (fresh(stage), stage.stakes["contested"]) == ("playing", 1)
    assert outcomes(stage) == {one: "advanced", two: "", three: ""}
    assert [stack_at(stage, box).state for box in (2, 3)] == ["playing", "playing"]
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [0, 5000, 5000]
    assert books_agree(stage)
    dealing.shoe_next(round_id=stage.pk, table_id=old.shoe.table_id, key=new_key(), actor=None)
    hand(shoe_of(stage), {2: 200, 3: 200}, b2="lose", b3="win")
    assert (fresh(stage), outcomes(stage)[three]) == ("counted", "advanced")
    assert books_agree(stage)


def test_T17_a_correction_that_changes_nothing_decided_leaves_the_play_off_as_it_is():
    stage = play_off()
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    before = outcomes(stage)
    seen = corrections.correction_preview(deal_id=old.pk, outcomes=words(b1="natural", b2="win", b3="lose"))
    assert [line.entry for line in seen.changed] == [code_at(stage, 1), code_at(stage, 2)]
    assert not seen.goes_on and not seen.void
    correct(old, outcomes=words(b1="natural", b2="win", b3="lose"))
    assert (fresh(stage), outcomes(stage)) == ("counted", before)
    assert books_agree(stage)


def test_T17_a_later_hand_that_others_would_have_played_is_void():
    """Hand 1 put 1 in and left 2 and 3; hand 2 decided between them. In truth 1 and 2 had to play on."""
    stage = play_off()
    one, two, three = (code_at(stage, box) for box in (1, 2, 3))
    first = hand(shoe_of(stage), BETS3, b1="win", b2="push", b3="push")
    second = hand(shoe_of(stage), {2: 200, 3: 200}, b2="win", b3="lose")
    assert outcomes(stage) == {one: "advanced", two: "advanced", three: "cut"}
    anew = words(b1="push", b2="push", b3="win")
    seen = corrections.correction_preview(deal_id=first.pk, outcomes=anew)
    assert [deal.number for deal, _why in seen.void] == [2]
    assert seen.goes_on
    assert correct(first, outcomes=anew)["void"] == 1
    assert (fresh(stage), outcomes(stage)) == ("playing", {one: "", two: "", three: "advanced"})
    second.refresh_from_db()
    assert (second.status, second.corrected_by.status, second.corrected_by.number) == ("reversed", "void", 2)
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [5000, 5000, 0]
    assert books_agree(stage)


def test_T17_a_later_hand_whose_bet_would_not_be_covered_is_void():
    stage = play_off(play_off_chips=400)
    first = hand(shoe_of(stage), {1: 400, 2: 400, 3: 400}, b1="push", b2="push", b3="push")
    hand(shoe_of(stage), {1: 400, 2: 400, 3: 400}, b1="win", b2="win", b3="lose")
    anew = {"bets": BETS3, "outcomes": words(b1="lose", b2="lose", b3="lose")}
    assert len(corrections.correction_preview(deal_id=first.pk, **anew).void) == 1
    correct(first, **anew)
    assert (fresh(stage), [chips_at(stage, box) for box in (1, 2, 3)]) == ("playing", [200, 200, 200])
    assert books_agree(stage)


def test_T17_a_hand_after_the_tie_was_decided_is_void():
    stage = play_off()
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    hand(shoe_of(stage), BETS3, b1="win", b2="lose", b3="win")
    anew = words(b1="win", b2="win", b3="lose")
    assert len(corrections.correction_preview(deal_id=first.pk, outcomes=anew).void) == 1
    correct(first, outcomes=anew)
    assert (fresh(stage), outcomes(stage)[code_at(stage, 3)]) == ("counted", "cut")
    assert books_agree(stage)


def test_T17_fresh_stacks_that_were_not_due_are_taken_back():
    """All three lost all they had and got fresh stacks; in truth one of them had won."""
    stage = play_off(play_off_chips=400)
    bets = {1: 400, 2: 400, 3: 400}
    first = hand(shoe_of(stage), bets, b1="lose", b2="lose", b3="lose")
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [400, 400, 400]
    hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    correct(first, outcomes=words(b1="win", b2="win", b3="lose"))
    assert (fresh(stage), [chips_at(stage, box) for box in (1, 2, 3)]) == ("counted", [0, 0, 0])
    assert {s.closed_chips for s in stage.stacks.all()} == {800, 0}
    assert books_agree(stage)


def test_T17_who_was_absent_then_is_absent_when_it_is_looked_at_again():
    stage = play_off()
    away = stack_at(stage, 3)
    seating.stack_absent(stack_id=away.pk, absent=True, reason="gone", key=new_key(), actor=None)
    old = hand(shoe_of(stage), {1: 200, 2: 200}, b1="lose", b2="lose")
    assert outcomes(stage)[away.entry.code] == "cut"
    correct(old, outcomes=words(b1="win", b2="push"))
    assert (fresh(stage), outcomes(stage)[away.entry.code]) == ("counted", "cut")
    assert books_agree(stage)


def test_T17_a_ruling_for_those_who_were_left_holds_where_it_still_fits():
    stage = play_off(4)
    first = hand(shoe_of(stage), {**BETS3, 4: 200}, b1="win", b2="push", b3="push", b4="lose")
    one, two = code_at(stage, 1), code_at(stage, 2)
    stage.stacks.filter(state="playing").update(state="absent")
    tie_rule(round_id=stage.parent_id, advance=[one, two], reason="nobody came", key=new_key(), actor=None)
    assert fresh(stage) == "closed"
    seen = corrections.correction_preview(
        deal_id=first.pk, outcomes=words(b1="natural", b2="push", b3="push", b4="lose")
    )
    assert not seen.goes_on
    lifted = corrections.correction_preview(
        deal_id=first.pk, outcomes=words(b1="push", b2="push", b3="win", b4="lose")
    )
    assert lifted.goes_on


def test_T17_a_stage_that_more_than_hands_decided_is_not_looked_at_again():
    stage = play_off()
    old = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    stage.stacks.filter(entry__code=code_at(stage, 1)).update(chips=4000)
    with refusal("tie_not_replayed", 409):
        correct(old, void=True)


# A sudden death ---------------------------------------------------------------------------------------


def test_T17_the_deciding_hand_of_a_sudden_death_is_put_right_before_its_close():
    stage = sudden_death()
    one, two = code_at(stage, 1), code_at(stage, 2)
    old = hand(shoe_of(stage), {1: 200, 2: 200}, b1="win", b2="lose")
    assert (fresh(stage), places(stage)) == ("counted", {one: 1, two: 2})
    seen = corrections.correction_preview(deal_id=old.pk, outcomes=words(b1="lose", b2="win"))
    lines = {line.entry: line for line in seen.lines}
    assert (lines[one].rank_before, lines[one].rank_after) == (1, 2)
    assert (lines[one].prize_before_cents, lines[one].prize_after_cents) == (40_000, 30_000)
    correct(old, outcomes=words(b1="lose", b2="win"))
    assert (fresh(stage), places(stage)) == ("counted", {one: 2, two: 1})
    assert books_agree(stage)
    close(stage)
    assert stage.event.entries.get(code=two).place == 1


def test_T17_putting_one_group_right_leaves_the_other_as_it_was():
    stage = sudden_death(4, groups=2)
    first, second = shoe_of(stage, 1), shoe_of(stage, 2)
    old = hand(first, {1: 200, 2: 200}, b1="win", b2="lose")
    hand(second, {1: 200, 2: 200}, b1="push", b2="push")
    hand(second, {1: 200, 2: 200}, b1="win", b2="lose")
    others = {code: place for code, place in places(stage).items() if place in (3, 4)}
    correct(old, outcomes=words(b1="lose", b2="win"))
    assert fresh(stage) == "counted"
    assert places(stage) == {code_at(stage, 1): 2, code_at(stage, 2): 1, **others}
    made = Deal.objects.get(shoe=first, status="settled")
    correct(made, void=True)
    assert fresh(stage) == "playing"
    assert places(stage) == {code_at(stage, 1): None, code_at(stage, 2): None, **others}
    assert [group["places"] for group in stage.stakes["groups"]] == [[1, 2]]
    assert books_agree(stage)


def test_T17_T26_who_was_disqualified_before_the_tie_began_has_no_part_in_it():
    """Nor is it asked at what they were disqualified: here it was not kept."""
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2)
    disqualify(round_, code_at(round_, 4))
    decided = JournalEntry.objects.filter(event=round_.event, kind="request.decide").latest("seq")
    noted = {key: value for key, value in decided.body["noted"].items() if key not in ("place", "tie")}
    with unguarded():
        JournalEntry.objects.filter(pk=decided.pk).update(body={**decided.body, "noted": noted})
    play_and_count(round_)
    stage = draw_and_seat(round_.event)
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    assert fresh(stage) == "counted"
    one, two, three = (code_at(stage, box) for box in (1, 2, 3))
    correct(old, outcomes=words(b1="win", b2="lose", b3="win"))
    assert outcomes(stage) == {one: "advanced", two: "cut", three: "advanced"}
