"""Hands of a tie, and of somebody who has left, put right through the services (T17, T26).

The rules are those of ``tests/tournament/engine/test_corrections.py``; ``test_corrections_any.py`` plays
them at random and compares.
"""

from __future__ import annotations

import pytest

from tables.models import Deal
from tables.services import corrections
from tests.cast.corrected import BETS3, books_agree, correct_now, outcomes, status, withdraw, words
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, confirm, disqualify, hand, refusal, seated, shoe_of, stack_at
from tests.cast.leaving import ALL4, penalise
from tests.cast.tied import code_at, play_off
from tournament.models import JournalEntry, Penalty
from tournament.services.penalties import penalty_add, penalty_cancel
from tournament.services.reconcile import chip_accounts
from tournament.sql import unguarded

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


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
    assert correct_now(first, outcomes=anew)["void"] == 1
    assert (status(stage), outcomes(stage)) == ("playing", {one: "", two: "", three: "advanced"})
    second.refresh_from_db()
    assert (second.status, second.corrected_by.status, second.corrected_by.number) == ("reversed", "void", 2)
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [5000, 5000, 0]
    assert books_agree(stage.event)


@pytest.mark.parametrize(("taken", "stands"), [(100, True), (200, True), (300, False)])
def test_T17_T26_a_penalty_stands_as_long_as_its_chips_would_have_been_there(taken: int, stands: bool):
    """One chip fewer than the stack, all of it, one more: 200 are left of 400 after the hand put right."""
    stage = play_off(play_off_chips=400)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalty = penalise(stage, 1, taken)
    anew = words(b1="lose", b2="lose", b3="lose")
    seen = corrections.correction_preview(deal_id=first.pk, outcomes=anew)
    assert [each.pk for each, _why in seen.dropped] == ([] if stands else [penalty])
    correct_now(first, outcomes=anew)
    assert chips_at(stage, 1) == (200 - taken if stands else 200)
    assert (Penalty.objects.get(pk=penalty).cancelled_at is None) == stands
    assert books_agree(stage.event)


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
        correct_now(old, void=True)


@pytest.mark.parametrize("how", ["withdrawn", "disqualified"])
def test_T17_T26_the_chips_that_were_handed_in_follow_the_hand_of_who_has_left(how: str):
    round_ = seated(3)
    old = hand(shoe_of(round_), {1: 200, 2: 200}, b1="win", b2="win")
    one = code_at(round_, 1)
    withdraw(round_, one) if how == "withdrawn" else disqualify(round_, one)
    before = chip_accounts(round_.event)["returned"]
    anew = words(b1="lose", b2="win")
    seen = corrections.correction_preview(deal_id=old.pk, outcomes=anew)
    assert seen.handed_in == ((one, 5_200, 4_800),)
    assert seen.changed == ()
    assert correct_now(old, outcomes=anew)["changes"] == {one: -400}
    assert (round_.stacks.get(entry__code=one).chips, chip_accounts(round_.event)["returned"]) == (
        0,
        before - 400,
    )
    assert books_agree(round_.event)


@pytest.mark.parametrize("forgiven", [False, True])
def test_T17_T26_a_box_that_sat_out_has_the_stack_from_before_its_penalty(forgiven: bool):
    """5,000 lay there when the hand was dealt; 400 were taken after it."""
    round_ = seated(2)
    old = hand(shoe_of(round_), {1: 200}, b1="win")
    entry = stack_at(round_, 2).entry
    given = {"entry_id": entry.pk, "kind": "chips", "chips": 400, "reason": "late"}
    made = confirm(penalty_add(**given, key=new_key(), actor=None))
    if forgiven:
        about = {"penalty_id": made["penalty"], "reason": "was not"}
        confirm(penalty_cancel(**about, key=new_key(), actor=None))
    correct_now(old, bets={1: 200, 2: 200}, outcomes=words(b1="win", b2="win"))
    assert Deal.objects.get(corrects=old).stacks == {"1": 5_000, "2": 5_000}
    assert chips_at(round_, 2) == (5_200 if forgiven else 4_800)
    assert books_agree(round_.event)
