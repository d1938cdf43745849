"""A tie is looked at again with its penalties and with who was disqualified, each at its place (T17, T26)."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from ground.refused import Refused
from tables.models import Deal, Seat
from tables.selectors import table_view
from tables.services import (
    corrections,
    dealing,
    seating,
)
from tests.factories import new_key
from tests.tables.cast import (
    chips_at,
    close,
    confirm,
    draw_and_seat,
    hand,
    person,
    play_and_count,
    refusal,
    result,
    seated,
    shoe_of,
    stack_at,
    take_chips,
)
from tests.tables.test_corrections_closed import books_agree, final, post, put_right, status
from tests.tables.test_corrections_ties import BETS3, correct, fresh, outcomes, words
from tests.tables.tied import code_at, places, play_off, sudden_death
from tournament.models import JournalEntry, Penalty, Round
from tournament.selectors.penalties import cancelled_by_ruling
from tournament.selectors.stages import next_stage
from tournament.services import entries
from tournament.services.payouts import payouts_supersede_request
from tournament.services.penalties import penalty_cancel
from tournament.services.requests import request_decide
from tournament.services.rounds import tie_rule

pytestmark = [pytest.mark.django_db, pytest.mark.long]

ALL4 = {1: 200, 2: 200, 3: 200, 4: 200}


def penalise(stage: Round, box: int, chips: int) -> int:
    return int(take_chips(stack_at(stage, box).entry, chips, "phone")["penalty"])


def forgive(penalty: int) -> None:
    confirm(ask_to_forgive(penalty))


def ask_to_forgive(penalty: int) -> dict[str, Any]:
    return penalty_cancel(penalty_id=penalty, reason="it was not theirs", key=new_key(), actor=None)


def disqualify(stage: Round, code: str) -> None:
    asked = entries.entry_disqualify_request(
        entry_id=stage.event.entries.get(code=code).pk,
        reason="marked a card",
        key=new_key(),
        actor=person("director"),
    )
    request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=person("director"))
    stage.refresh_from_db()


def seats(stage: Round, count: int) -> list[str]:
    return [code_at(stage, box) for box in range(1, count + 1)]


def shoe_next(stage: Round, deal: Deal) -> None:
    dealing.shoe_next(round_id=stage.pk, table_id=deal.shoe.table_id, key=new_key(), actor=None)


# Penalties -------------------------------------------------------------------------------------------


def test_T17_T26_a_hand_after_a_penalty_is_put_right_and_the_penalty_stays_at_its_place():
    stage = play_off()
    one, two, three = seats(stage, 3)
    hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalise(stage, 1, 400)
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    # 4,800, 5,200, 4,800: box 2 is in, the others play on for the other seat.
    assert outcomes(stage) == {one: "", two: "advanced", three: ""}
    correct(old, outcomes=words(b1="win", b2="win", b3="push"))
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "cut", two: "advanced", three: "advanced"})
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 4800, two: 5200, three: 5000}
    assert books_agree(stage.event)


def test_T17_T26_a_hand_before_a_penalty_is_put_right_and_the_later_hand_still_has_its_chips():
    stage = play_off()
    one, two, three = seats(stage, 3)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalise(stage, 1, 400)
    second = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="win")
    assert outcomes(stage) == {one: "cut", two: "advanced", three: "advanced"}
    correct(first, outcomes=words(b1="win", b2="win", b3="win"))
    second.refresh_from_db()
    assert (second.status, second.stacks) == ("settled", {"1": 4800, "2": 5200, "3": 5200})
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 5000, two: 5400, three: 5400}
    assert books_agree(stage.event)


def test_T17_T26_a_penalty_given_after_the_tie_was_decided_is_cancelled_and_the_preview_says_so():
    """In truth the first hand had decided it: the phone rang at a table that was over."""
    stage = play_off()
    one, two, three = seats(stage, 3)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalty = penalise(stage, 3, 400)
    hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="win")
    anew = words(b1="win", b2="win", b3="lose")
    seen = corrections.correction_preview(deal_id=first.pk, outcomes=anew)
    assert [(each.pk, why) for each, why in seen.dropped] == [(penalty, "the tie was decided before it")]
    correct(first, outcomes=anew)
    cancelled = Penalty.objects.get(pk=penalty)
    assert cancelled.cancelled_at is not None
    assert cancelled.cancel_reason == "after a correction of the tie the tie was decided before it"
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "advanced", two: "advanced", three: "cut"})
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 5200, two: 5200, three: 4800}
    assert stage.event.journal.latest("seq").body["noted"]["penalties_cancelled"] == [penalty]
    assert books_agree(stage.event)
    # Looked at again the cancelled penalty is none.
    again = Deal.objects.get(corrects=first)
    correct(again, outcomes=words(b1="win", b2="push", b3="push"))
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [0, 5000, 5000]
    assert books_agree(stage.event)


@pytest.mark.parametrize(("taken", "stands"), [(100, True), (200, True), (300, False)])
def test_T17_T26_a_penalty_stands_as_long_as_its_chips_would_have_been_there(taken: int, stands: bool):
    """One chip fewer than the stack, all of it, one more: 200 are left of 400 after the hand put right."""
    stage = play_off(play_off_chips=400)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalty = penalise(stage, 1, taken)
    anew = words(b1="lose", b2="lose", b3="lose")
    seen = corrections.correction_preview(deal_id=first.pk, outcomes=anew)
    dropped = [] if stands else [(penalty, "the chips would not have been there")]
    assert [(each.pk, why) for each, why in seen.dropped] == dropped
    correct(first, outcomes=anew)
    assert chips_at(stage, 1) == (200 - taken if stands else 200)
    assert (Penalty.objects.get(pk=penalty).cancelled_at is None) == stands
    assert books_agree(stage.event)


def test_T17_T26_a_penalty_whose_cancelling_was_only_asked_for_is_undone_by_a_correction():
    """Nobody has confirmed it: the correction cancels the penalty, and looked at again it never was."""
    stage = play_off()
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalty = penalise(stage, 3, 400)
    ask_to_forgive(penalty)
    assert cancelled_by_ruling(stage.event_id) == set()
    hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="win")
    correct(first, outcomes=words(b1="win", b2="win", b3="lose"))
    assert Penalty.objects.get(pk=penalty).cancel_reason.startswith("after a correction of the tie")
    assert cancelled_by_ruling(stage.event_id) == set()
    assert books_agree(stage.event)
    correct(Deal.objects.get(corrects=first), outcomes=words(b1="win", b2="push", b3="push"))
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [0, 5000, 5000]
    assert books_agree(stage.event)


def test_T17_T26_a_penalty_that_the_director_cancelled_comes_back_at_its_place():
    stage = play_off()
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalty = penalise(stage, 1, 400)
    hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    assert fresh(stage) == "counted", "two are ahead of the one with 400 less"
    correct(first, outcomes=words(b1="win", b2="push", b3="push"))
    # Box 1 was in after the first hand, so that the penalty and the hand of three do not stand.
    assert outcomes(stage)[code_at(stage, 1)] == "advanced"
    assert Penalty.objects.get(pk=penalty).cancelled_at is not None
    assert books_agree(stage.event)


def test_T17_T26_a_cancelled_penalty_of_somebody_decided_since_is_handed_in_with_the_rest():
    stage = play_off()
    one, two, three = seats(stage, 3)
    hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalties = [penalise(stage, box, 400) for box in (1, 2, 3)]
    old = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    for penalty in penalties:
        forgive(penalty)
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [5000, 5000, 5000]
    correct(old, outcomes=words(b1="win", b2="win", b3="lose"))
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "advanced", two: "advanced", three: "cut"})
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 4800, two: 4800, three: 4400}
    assert sum(chips_at(stage, box) for box in (1, 2, 3)) == 0
    assert books_agree(stage.event)
    made = Deal.objects.get(corrects=old)
    correct(made, outcomes=words(b1="push", b2="push", b3="push"))
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [5000, 5000, 5000]
    assert books_agree(stage.event)


def test_T17_T26_in_a_closed_play_off_with_a_penalty_too():
    stage = play_off()
    one, two, three = seats(stage, 3)
    hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalise(stage, 3, 400)
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    close(stage)
    close(Round.objects.get(pk=stage.parent_id))
    put_right(old, outcomes={**words(b1="lose", b2="win"), 3: {"hands": [{"result": "natural"}]}})
    # 4,800, 5,200 and 4,600 + 300.
    assert outcomes(stage) == {one: "cut", two: "advanced", three: "advanced"}
    assert books_agree(stage.event)


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


def test_T17_T26_the_winner_who_was_disqualified_leaves_a_seat_to_those_who_play_on():
    stage = play_off(4)
    one, two, three, four = seats(stage, 4)
    first = hand(shoe_of(stage), ALL4, b1="win", b2="push", b3="push", b4="push")
    assert outcomes(stage)[one] == "advanced"
    disqualify(stage, one)
    assert stage.stakes["contested"] == 2
    second = hand(shoe_of(stage), {2: 200, 3: 200, 4: 200}, b2="win", b3="win", b4="lose")
    assert fresh(stage) == "counted"
    correct(second, outcomes=words(b2="win", b3="lose", b4="win"))
    assert outcomes(stage) == {one: "advanced", two: "advanced", three: "cut", four: "advanced"}
    # Another one had won the first hand: box 1 was playing when it was disqualified.
    correct(first, outcomes=words(b1="push", b2="win", b3="push", b4="push"))
    assert (fresh(stage), outcomes(stage)[two], stage.stakes["contested"]) == ("playing", "advanced", 1)
    assert stage.stacks.get(entry__code=one).outcome == ""
    assert books_agree(stage.event)


def test_T17_T26_where_the_disqualification_ended_the_play_off_it_goes_on_if_more_were_playing():
    stage = play_off(4)
    one, two, three, four = seats(stage, 4)
    first = hand(shoe_of(stage), ALL4, b1="push", b2="push", b3="push", b4="lose")
    assert outcomes(stage)[four] == "cut"
    disqualify(stage, three)
    assert (fresh(stage), outcomes(stage)[one], outcomes(stage)[two]) == ("counted", "advanced", "advanced")
    correct(first, outcomes=words(b1="push", b2="push", b3="push", b4="push"))
    assert (fresh(stage), stage.stakes["contested"]) == ("playing", 2)
    assert outcomes(stage) == {one: "", two: "", three: "", four: ""}
    assert [chips_at(stage, box) for box in (1, 2, 4)] == [5000, 5000, 5000]
    assert books_agree(stage.event)
    # The shoe was over with the tie: a further one follows.
    dealing.shoe_next(round_id=stage.pk, table_id=first.shoe.table_id, key=new_key(), actor=None)
    hand(shoe_of(stage), {1: 200, 2: 200, 4: 200}, b1="lose", b2="win", b4="win")
    assert sorted(close(stage)["advanced"]) == sorted([two, four])


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


def ahead_and_tied(entrants: int = 4, cut: int = 2, **settings: Any) -> Round:
    """One has won round 1, the others are level for the seats that are left, and play off for them."""
    round_ = seated(entrants, cut_after_round_1=cut, cut_after_round_2=2, **settings)
    hand(shoe_of(round_), {1: 400}, b1="win")
    play_and_count(round_)
    return draw_and_seat(round_.event)


def test_T17_T26_disqualified_after_the_close_of_a_play_off_that_goes_on_after_all():
    """Box 3 lost and was disqualified; in truth 2 and 3 were level, and the seat is box 2's."""
    stage = play_off()
    one, two, three = seats(stage, 3)
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    close(stage)
    disqualify(stage, three)
    put_right(old, outcomes=words(b1="win", b2="push", b3="push"))
    parent = Round.objects.get(pk=stage.parent_id)
    assert (fresh(stage), outcomes(stage)[two], parent.status) == ("closed", "advanced", "counted")
    assert stage.stacks.get(entry__code=three).state == "disqualified"
    assert not Seat.objects.filter(round=stage, entry__code=three, vacated_at__isnull=True).exists()
    assert books_agree(stage.event)
    close(parent)
    assert outcomes(parent) == {one: "advanced", two: "advanced", three: "cut"}
    assert books_agree(stage.event)


def test_T17_T26_disqualified_while_a_decided_play_off_waits_for_its_close():
    stage = play_off()
    one, two, three = seats(stage, 3)
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    disqualify(stage, two)
    correct(old, outcomes=words(b1="win", b2="push", b3="push"))
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "advanced", two: "", three: "advanced"})
    assert books_agree(stage.event)


def test_T17_T26_a_ruling_on_those_left_holds_without_the_disqualified():
    stage = play_off(4)
    one, two, three, four = seats(stage, 4)
    first = hand(shoe_of(stage), ALL4, b1="push", b2="push", b3="push", b4="push")
    disqualify(stage, four)
    for box in (1, 2, 3):
        away = stack_at(stage, box)
        seating.stack_absent(stack_id=away.pk, absent=True, reason="left", key=new_key(), actor=None)
    tie_rule(round_id=stage.parent_id, advance=[one, two], reason="nobody came", key=new_key(), actor=None)
    assert fresh(stage) == "closed"
    seen = corrections.correction_preview(
        deal_id=first.pk, outcomes=words(b1="win", b2="win", b3="win", b4="win")
    )
    assert not seen.goes_on
    put_right(first, outcomes=words(b1="win", b2="win", b3="win", b4="win"))
    assert outcomes(stage) == {one: "advanced", two: "advanced", three: "cut", four: ""}
    assert books_agree(stage.event)


# Disqualified in a sudden death ------------------------------------------------------------------------


def three_level(**settings: Any) -> Round:
    """Three are level for places 1 to 3, which pay 400, 300 and 200."""
    return sudden_death(3, **settings)


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


def test_T17_T26_a_place_decided_before_the_disqualification_moves_up_when_played_again():
    """In truth the first hand parted all three: 1st is disqualified, the others move up."""
    stage = three_level(sudden_death_until="frozen")
    one, two, three = seats(stage, 3)
    first = hand(shoe_of(stage), BETS3, b1="win", b2="push", b3="push")
    assert places(stage) == {one: 1, two: None, three: None}
    disqualify(stage, one)
    assert [group["places"] for group in stage.stakes["groups"]] == [[1, 2]]
    correct(first, outcomes={**words(b2="push", b3="lose"), 1: {"hands": [{"result": "natural"}]}})
    assert (fresh(stage), places(stage)[two], places(stage)[three]) == ("counted", 1, 2)
    assert books_agree(stage.event)
    close(stage)
    assert final(stage.event) == {one: 3, two: 1, three: 2}
    assert books_agree(stage.event)


def test_T17_T26_somebody_ahead_of_the_tie_is_disqualified_and_its_places_move_up_again():
    stage = sudden_death(4, groups=2)
    first = hand(shoe_of(stage, 2), {1: 200, 2: 200}, b1="push", b2="push")
    ahead = code_at(stage, 1)
    disqualify(stage, ahead)
    second = hand(shoe_of(stage, 2), {1: 200, 2: 200}, b1="win", b2="lose")
    a, b = code_at(stage, 1, 2), code_at(stage, 2, 2)
    assert (fresh(stage), places(stage)[a], places(stage)[b]) == ("counted", 2, 3)
    correct(second, outcomes=words(b1="lose", b2="win"))
    assert (places(stage)[a], places(stage)[b]) == (3, 2)
    correct(first, outcomes=words(b1="win", b2="lose"))
    # Decided as 3rd and 4th before, and moved up since; the second hand was dealt to a tie that was over.
    assert (places(stage)[a], places(stage)[b]) == (2, 3)
    assert Deal.objects.filter(shoe__round=stage, status="void", number=2).count() == 1
    assert books_agree(stage.event)


def test_T17_T26_disqualified_after_the_places_are_decided_and_a_hand_put_right_after_that():
    stage = three_level()
    one, two, three = seats(stage, 3)
    old = hand(shoe_of(stage), {1: 400, 2: 200, 3: 200}, b1="win", b2="push", b3="lose")
    close(stage)
    assert status(stage.event) == "finished"
    disqualify(stage, one)
    assert final(stage.event) == {one: 3, two: 1, three: 2}
    put_right(old, outcomes=words(b1="win", b2="lose", b3="push"))
    assert (status(stage), status(stage.event)) == ("closed", "finished")
    assert final(stage.event) == {one: 3, two: 2, three: 1}
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


def test_T17_where_it_was_not_kept_at_what_somebody_was_disqualified_the_refusal_says_what_to_do():
    """From before the journal noted it."""
    stage = play_off(4)
    old = hand(shoe_of(stage), ALL4, b1="push", b2="push", b3="push", b4="push")
    four = code_at(stage, 4)
    disqualify(stage, four)
    decided = JournalEntry.objects.filter(event=stage.event, kind="request.decide").latest("seq")
    noted = {key: value for key, value in decided.body["noted"].items() if key not in ("place", "tie")}
    forgotten = {**decided.body, "noted": noted}
    from pgtrigger import ignore

    with ignore():
        JournalEntry.objects.filter(pk=decided.pk).update(body=forgotten)
    with refusal("tie_not_replayed", 409) as no:
        correct(old, void=True)
    assert f"it was not kept at what {four} was disqualified" in no.value.message
    assert "move chips by a penalty, or by cancelling one" in no.value.message


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


# Any night of a tie ----------------------------------------------------------------------------------------


OFTEN = [*["hand"] * 5, *["penalty"] * 2, "forgive", "absent", "disqualify", "look", "prizes"]


def happen(stage: Round, luck: random.Random) -> None:
    """Something that may happen to a tie; what is refused happens to nobody."""
    stage.refresh_from_db()
    shoe = luck.choice(list(stage.shoes.order_by("pk")))
    rows = {row.box: row for row in table_view(shoe.table, stage).boxes if row.may_bet}
    every = list(stage.stacks.select_related("entry").order_by("pk"))
    try:
        match luck.choice(
            ["hand"] * 5 + ["penalty"] * 2 + [*["forgive", "absent", "disqualify", "look", "prizes"]]
        ):
            case "hand" if rows:
                words_ = {f"b{box}": luck.choice(["win", "lose", "push"]) for box in rows}
                hand(shoe, dict.fromkeys(rows, 200), **words_)
            case "penalty" if rows:
                box = luck.choice(list(rows))
                entry = Seat.objects.get(round=stage, table=shoe.table, box=box, vacated_at=None).entry
                take_chips(entry, luck.choice([100, 200, 400]), "phone")
            case "forgive":
                given_now = Penalty.objects.filter(round=stage, cancelled_at=None).order_by("pk")
                forgive(luck.choice(list(given_now)).pk) if given_now else None
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


def there(stage: Round) -> Any:
    """All that a correction may change, but for the hands; who is disqualified is that for good."""
    stage.refresh_from_db()
    fields = ("chips", "closed_chips", "outcome", "place", "state")
    stacks = [
        (*each[:4], "out" if gone == "disqualified" else each[4])
        for *each, gone in stage.stacks.order_by("pk").values_list(*fields, "entry__status")
    ]
    return stage.status, stacks, stage.stakes.get("contested"), stage.stakes.get("groups")


KINDS: dict[str, Callable[[random.Random], Round]] = {
    "play-off": lambda luck: play_off(5, play_off_chips=1000),
    "play-off with one ahead": lambda luck: ahead_and_tied(5, 3, play_off_chips=1000),
    "sudden death": lambda luck: sudden_death(luck.choice([3, 4]), sudden_death_chips=1000),
    "places frozen": lambda luck: three_level(sudden_death_until="frozen", sudden_death_chips=1000),
    "two groups": lambda luck: sudden_death(4, groups=2, sudden_death_chips=1000),
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", KINDS)
def test_T17_T26_any_hand_of_any_tie_is_put_right_and_back_and_the_books_agree(kind: str, seed: int):
    luck = random.Random(f"{kind} {seed}")
    stage = KINDS[kind](luck)
    for _ in range(12):
        happen(stage, luck)
    if fresh(stage) == "counted" and luck.random() < 0.7:
        close(stage)
        if luck.random() < 0.7:
            with suppress(Refused):
                disqualify(stage, luck.choice(list(stage.event.entries.order_by("pk"))).code)
        if luck.random() < 0.4:
            with suppress(Refused):
                supersede(stage, luck)
    assert books_agree(stage.event)
    deals = list(Deal.objects.filter(shoe__round=stage, status="settled").order_by("pk"))
    if deals:
        put_right_and_back(stage, luck.choice(deals), luck)


def put_right_and_back(stage: Round, deal: Deal, luck: random.Random) -> None:
    before = there(stage)
    change = put_right if fresh(stage) == "closed" else correct
    as_it_was = {int(box): outcome for box, outcome in deal.outcomes.items()}
    anew = {box: result(luck.choice(["win", "lose", "push", "natural"])) for box in as_it_was}
    seen = corrections.correction_preview(deal_id=deal.pk, outcomes=anew)
    done = change(deal, outcomes=anew)
    assert books_agree(stage.event)
    changed = {line.entry: line.chips_after - line.chips_before for line in seen.lines}
    changed |= {code: after - before for code, before, after in seen.handed_in}
    assert done["changes"] == {code: chips for code, chips in changed.items() if chips}
    for stack in stage.stacks.select_related("entry"):
        line = next(each for each in seen.lines if each.entry == stack.entry.code)
        if line.cut_after == "disqualified":
            assert (line.chips_before, line.chips_after) == (0, 0)
        else:
            assert line.chips_after == (stack.chips if stack.closed_chips is None else stack.closed_chips)
    change = put_right if fresh(stage) == "closed" else correct
    change(Deal.objects.get(pk=done["deal"]), outcomes=as_it_was)
    assert books_agree(stage.event)
    # A stage that goes on was opened again; what was void or cancelled stays so.
    if not (seen.void or seen.dropped or seen.goes_on):
        assert there(stage) == before


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
