"""A hand of a closed stage put right by two persons, before the first payment (T17)."""

from __future__ import annotations

import pytest

from tables.services import corrections, dealing
from tables.services.draws import draw_lock
from tests.cast.corrected import (
    ask,
    books_agree,
    closed_play_off,
    final,
    outcomes,
    played,
    post,
    put_right,
    round_1,
    status,
    words,
)
from tests.cast.factories import new_key
from tests.cast.floor import (
    chips_at,
    close,
    draw_and_seat,
    hand,
    person,
    play_and_count,
    refusal,
    shoe_of,
    stack_at,
)
from tests.cast.rounds import ended_with
from tests.cast.tied import code_at, sudden_death
from tournament.models import Posting, Round
from tournament.services.payments import prize_pay
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


# A round before the next is seated ------------------------------------------------------------------


@pytest.mark.parametrize("stacks", ["carried", "reset"])
def test_T17_a_closed_round_is_put_right_and_its_cut_made_again(stacks):
    round_, old = round_1(stacks=stacks)
    two, three = code_at(round_, 2), code_at(round_, 3)
    done = put_right(old, outcomes=words(b1="win", b2="lose", b3="win", b4="lose"))
    assert done["changes"] == {two: -400, three: 400}
    assert (status(round_), outcomes(round_)[two], outcomes(round_)[three]) == ("closed", "cut", "advanced")
    ended = ended_with(round_)
    assert [ended[code_at(round_, box)] for box in (1, 2, 3, 4)] == [5400, 4800, 5200, 4600]
    in_front = [5400, 0, 5200, 0] if stacks == "carried" else [0, 0, 0, 0]
    assert [chips_at(round_, box) for box in (1, 2, 3, 4)] == in_front
    results = Posting.objects.filter(event=round_.event, kind="result", number=1).order_by("version")
    assert [each.version for each in results] == [1, 2]
    assert results[0].body["standings"] != results[1].body["standings"]
    assert books_agree(round_.event)


def test_T17_a_locked_roster_comes_first():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    draw_lock(event_id=round_.event_id, key=new_key(), actor=None)
    with refusal("draw_in_progress", 409):
        ask(old, void=True)


# A round after the next is seated ---------------------------------------------------------------------


@pytest.mark.parametrize("bet", [False, True])
def test_T17_the_seats_stand_and_carried_chips_follow(bet):
    """In truth 3 and not 2 should have gone on: nobody is reseated, 2 plays on with 400 less."""
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    two, three = code_at(round_, 2), code_at(round_, 3)
    second = draw_and_seat(round_.event)
    box = next(box for box in (1, 2) if code_at(second, box) == two)
    if bet:
        later = hand(shoe_of(second), {box: 200}, **{f"b{box}": "win"})
    anew = words(b1="win", b2="lose", b3="win", b4="lose")
    seen = corrections.correction_preview(deal_id=old.pk, outcomes=anew)
    assert seen.seats_stand
    # What it does is said, and beside it who should have gone on.
    assert {line.entry: (line.before.cut, line.after.cut) for line in seen.changed} == {
        two: ("advances", "advances"),
        three: ("out", "out"),
    }
    assert seen.differs is not None
    assert (seen.differs.missed, seen.differs.extra) == ((three,), (two,))
    put_right(old, outcomes=anew)
    assert (outcomes(round_)[two], outcomes(round_)[three]) == ("advanced", "cut")
    assert chips_at(second, box) == (5000 if bet else 4800)
    assert stack_at(second, box).start_chips == 4800
    if bet:
        later.refresh_from_db()
        assert later.stacks == {str(box): 4800}
    assert (stack_at(round_, 2).place, stack_at(round_, 3).place) == (3, 2)
    assert books_agree(round_.event)
    play_and_count(second)
    close(second)
    assert books_agree(round_.event)


@pytest.mark.parametrize("stacks", ["carried", "reset"])
def test_T17_places_and_prizes_follow_after_the_event_is_decided(stacks):
    """Of those cut in round 1, box 4 and not box 3 was the better one: third place and its prize."""
    event, round_, old = played(stacks=stacks)
    three, four = code_at(round_, 3), code_at(round_, 4)
    assert (final(event)[three], final(event)[four]) == (3, 4)
    put_right(old, outcomes=words(b1="win", b2="win", b3="lose", b4="push"))
    assert (status(event), final(event)[three], final(event)[four]) == ("finished", 4, 3)
    assert event.postings.filter(kind="result", number=4).count() == 2
    assert books_agree(event)


def test_T17_after_the_first_payment_every_hand_stands():
    event, _, old = played()
    winner = event.entries.get(place=1)
    asked = ask(old, outcomes=words(b1="win", b2="win", b3="lose", b4="push"))
    prize_pay(entry_id=winner.pk, identity_checked=True, key=new_key(), actor=person("cashier"))
    with refusal("paid_from", 409):
        ask(old, void=True)
    with refusal("paid_from", 409):
        request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=person("director"))


# A closed play-off ------------------------------------------------------------------------------------


@pytest.mark.parametrize("round_too", [False, True])
def test_T17_a_closed_play_off_is_put_right(round_too):
    stage, old = closed_play_off(round_too=round_too)
    one, two, three = (code_at(stage, box) for box in (1, 2, 3))
    put_right(old, outcomes=words(b1="win", b2="lose", b3="win"))
    assert (status(stage), outcomes(stage)) == ("closed", {one: "advanced", two: "cut", three: "advanced"})
    parent = Round.objects.get(pk=stage.parent_id)
    assert parent.status == ("closed" if round_too else "counted")
    if not round_too:
        close(parent)
    assert (outcomes(parent)[two], outcomes(parent)[three]) == ("cut", "advanced")
    assert books_agree(stage.event)


@pytest.mark.parametrize("round_too", [False, True])
def test_T17_a_closed_play_off_that_is_not_decided_after_all_goes_on(round_too):
    stage, old = closed_play_off(round_too=round_too)
    put_right(old, outcomes=words(b1="win", b2="push", b3="push"))
    parent = Round.objects.get(pk=stage.parent_id)
    assert (status(stage), parent.status) == ("playing", "playing_off")
    dealing.shoe_next(round_id=stage.pk, table_id=old.shoe.table_id, key=new_key(), actor=None)
    hand(shoe_of(stage), {2: 200, 3: 200}, b2="lose", b3="win")
    close(stage)
    close(Round.objects.get(pk=parent.pk))
    assert outcomes(parent)[code_at(stage, 3)] == "advanced"
    assert books_agree(stage.event)


# A closed sudden death --------------------------------------------------------------------------------


def test_T17_a_closed_sudden_death_is_put_right_with_places_and_prizes():
    stage = sudden_death()
    one, two = code_at(stage, 1), code_at(stage, 2)
    old = hand(shoe_of(stage), {1: 200, 2: 200}, b1="win", b2="lose")
    close(stage)
    assert final(stage.event) == {one: 1, two: 2}
    put_right(old, outcomes=words(b1="lose", b2="win"))
    assert (status(stage), status(stage.event)) == ("closed", "finished")
    assert final(stage.event) == {one: 2, two: 1}
    assert books_agree(stage.event)
