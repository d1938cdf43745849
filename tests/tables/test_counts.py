"""Counts at the end of a shoe, twice and blind (T18, T19)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import CountSheet, Shoe
from tables.selectors import count_view
from tables.selectors.countings import (
    countings,
    rulings,
)
from tables.services import corrections, counts
from tests.cast.counting import enter
from tests.cast.factories import new_key
from tests.cast.floor import (
    chips_at,
    close,
    count_both,
    draw_and_seat,
    event_make,
    hand,
    person,
    play_and_count,
    refusal,
    result,
    rule,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
    take_chips,
)
from tests.cast.tied import play_off
from tournament.models import Round
from tournament.services.entries import entry_disqualify_request
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


def reopen(shoe: Shoe, reason: str = "a rack fell over") -> dict[str, Any]:
    return counts.count_reopen(shoe_id=shoe.pk, reason=reason, key=new_key(), actor=None)


def over(round_: Round, table: int = 1) -> Shoe:
    """A shoe with one hand, box 1 up by 200 and box 2 down by 200, that is over."""
    hand(shoe_of(round_, table), {1: 200, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe_of(round_, table))
    return shoe_of(round_, table)


RIGHT = {1: 5_200, 2: 4_800}


def test_T18_two_counts_that_agree_with_the_ledger_count_the_table():
    round_ = seated(2)
    shoe = over(round_)
    first = enter(shoe, RIGHT)
    assert (first["which"], first["agreed"], first["status"]) == (1, None, "over")
    second = enter(shoe, RIGHT)
    assert (second["which"], second["agreed"], second["status"]) == (2, True, "counted")
    round_.refresh_from_db()
    assert round_.status == "counted"


def test_T19_the_round_is_counted_with_its_last_table():
    round_ = seated(9)
    play_first, play_second = over(round_, 1), over(round_, 2)
    count_both(play_first)
    round_.refresh_from_db()
    assert round_.status == "playing"
    count_both(play_second)
    round_.refresh_from_db()
    assert round_.status == "counted"


def test_T18_T23_a_count_waits_for_the_end_of_the_shoe_and_is_never_due_in_a_play_off():
    with refusal("shoe_not_over", 409):
        enter(shoe_of(seated(2)), {1: 5_000, 2: 5_000})
    shoe = shoe_of(play_off())
    shoe_over(shoe)
    with refusal("count_not_due"):
        enter(shoe, {1: 5_000, 2: 5_000, 3: 5_000})


def test_T18_one_person_does_not_count_twice():
    shoe, alone = over(seated(2)), person()
    enter(shoe, RIGHT, alone)
    with refusal("same_person", 403):
        enter(shoe, RIGHT, alone)
    with refusal("same_person", 403):
        counts.count_enter(shoe_id=shoe.pk, chips=RIGHT, key=new_key(), actor=alone, tablet=person())


def test_T18_the_first_count_is_entered_by_whoever_is_logged_in():
    shoe = over(seated(2))
    with refusal("first_by_login", 403):
        counts.count_enter(shoe_id=shoe.pk, chips=RIGHT, key=new_key(), actor=person(), tablet=person())


def test_T18_in_a_rehearsal_one_person_may_and_the_journal_says_so():
    round_ = seated(2, kind="rehearsal")
    shoe, alone = over(round_), person()
    enter(shoe, RIGHT, alone)
    assert enter(shoe, RIGHT, alone)["agreed"]
    last = round_.event.journal.filter(kind="count.enter").latest("seq")
    assert last.body["noted"]["one_person"] is True


def test_T18_nobody_sees_the_first_count_before_the_second_is_in():
    shoe, first, second = over(seated(2)), person(), person()
    enter(shoe, {1: 5_000, 2: 4_800}, first)
    for viewer in (first, second, None):
        seen = count_view(shoe, viewer)
        assert seen.differences == {}
        assert "5000" not in repr(seen).replace("_", "")
    assert (count_view(shoe, first).may_enter, count_view(shoe, second).may_enter) == (False, True)
    enter(shoe, RIGHT, second)
    assert count_view(shoe, second).differences == {1: (5_000, 5_200, 5_200)}


@pytest.mark.parametrize(
    ("chips", "code"),
    [
        ({1: 5_250, 2: 4_800}, "not_whole_chips"),
        ({1: "5200", 2: 4_800}, "not_whole_chips"),
        ({1: -100, 2: 4_800}, "negative"),
        ({1: 5_200}, "box_missing"),
        ({1: 5_200, 2: 4_800, 3: 100}, "box_empty"),
        ({1: 5_200, 9: 4_800}, "bad_seat"),
        # One hand of 200, split to four and each doubled, wins 1,600 at most.
        ({1: 6_700, 2: 4_800}, "more_than_possible"),
    ],
)
def test_T18_numbers_that_cannot_be_are_refused(chips: dict[Any, Any], code: str):
    shoe = over(seated(2))
    with refusal(code):
        enter(shoe, chips)
    assert not CountSheet.objects.exists()


def test_T18_counts_that_differ_need_a_ruling_with_a_reason():
    round_ = seated(2)
    shoe = over(round_)
    with refusal("counts_missing", 409):
        rule(shoe, RIGHT)
    enter(shoe, RIGHT)
    assert enter(shoe, {1: 5_100, 2: 4_800})["agreed"] is False
    with refusal("counts_in", 409):
        enter(shoe, RIGHT)
    with refusal("reason_missing"):
        rule(shoe, RIGHT, reason=" ")
    rule(shoe, RIGHT)
    shoe.refresh_from_db()
    assert (shoe.status, chips_at(round_, 1)) == ("counted", 5_200)


def test_T18_a_count_can_be_reopened_and_a_ruling_is_reversed_with_it():
    round_ = seated(2)
    shoe = over(round_)
    count_both(shoe, {1: 5_100, 2: 4_800})
    rule(shoe, {1: 5_100, 2: 4_800})
    with refusal("reason_missing"):
        reopen(shoe, "")
    reopen(shoe)
    round_.refresh_from_db(), shoe.refresh_from_db()
    assert (round_.status, shoe.status, chips_at(round_, 1)) == ("playing", "over", 5_200)
    with refusal("no_count", 409):
        reopen(shoe)
    assert count_both(shoe)["agreed"]


def test_T18_no_count_is_reopened_once_the_round_is_closed():
    round_ = seated(2)
    shoe = over(round_)
    count_both(shoe)
    round_.refresh_from_db()
    close(round_)
    with refusal("round_closed", 409):
        reopen(shoe)


def test_T18_a_count_under_a_play_off_stays():
    round_ = seated(3, cut_after_round_1=2, cut_after_round_2=2)
    play_and_count(round_)
    draw_and_seat(round_.event)
    with refusal("tie_open", 409):
        reopen(shoe_of(round_))


def test_T18_an_event_on_counts_alone_takes_the_count_as_the_stack():
    round_ = draw_and_seat(event_make(2, record_mode="counts"))
    shoe_over(shoe_of(round_))
    assert count_both(shoe_of(round_), {1: 7_300, 2: 0})["agreed"]
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (7_300, 0)
    reopen(shoe_of(round_))
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (5_000, 5_000)
    count_both(shoe_of(round_), {1: 100, 2: 200})
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (100, 200)
    round_.refresh_from_db()
    close(round_)


def test_T26_a_box_that_was_disqualified_is_not_counted():
    round_ = seated(3)
    shoe = over(round_)
    seat = round_.seats.get(box=3)
    asked = entry_disqualify_request(
        entry_id=seat.entry_id, reason="marked cards", key=new_key(), actor=person()
    )
    request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=person())
    with refusal("box_empty"):
        enter(shoe, {**RIGHT, 3: 5_000})
    assert count_both(shoe, RIGHT)["agreed"]


# A ruling beside its evidence, for ever ---------------------------------------------------------------

BOTH = {1: 5_000, 2: 4_800}


def evidence(shoe: Shoe) -> list[tuple[int, int, int | None, int | None]]:
    """First, second, hands and ruling of box 1, for every time the table was counted."""
    return [(b.first, b.second, b.hands, b.ruled) for each in countings(shoe) for b in each.boxes[:1]]


def test_T18_a_ruling_leaves_the_counts_and_what_the_hands_say_as_they_were():
    round_ = seated(2)
    shoe = over(round_)
    count_both(shoe, BOTH)
    rule(shoe, {1: 5_600, 2: 4_800}, "chip found")
    assert chips_at(round_, 1) == 5_600
    assert evidence(shoe) == [(5_000, 5_000, 5_200, 5_600)]
    found = countings(shoe)[0]
    assert [box.box for box in found.disputed] == [1]
    assert found.ruling and (found.ruling.reason, found.ruling.who) == ("chip found", "")
    noted = round_.event.journal.get(kind="request.decide").body["noted"]
    assert (noted["hands"], noted["counts"]) == ({"1": 5_200, "2": 4_800}, [{"1": 5_000, "2": 4_800}] * 2)
    round_.refresh_from_db()
    close(round_)
    assert evidence(shoe) == [(5_000, 5_000, 5_200, 5_600)]


def test_T18_a_second_ruling_stands_beside_the_first_which_was_taken_back():
    round_ = seated(2)
    shoe = over(round_)
    count_both(shoe, BOTH)
    rule(shoe, {1: 5_600, 2: 4_800})
    reopen(shoe, "once more")
    assert chips_at(round_, 1) == 5_200
    count_both(shoe, {1: 5_100, 2: 4_800})
    rule(shoe, {1: 5_100, 2: 4_800}, "counted by three")
    assert evidence(shoe) == [(5_000, 5_000, 5_200, 5_600), (5_100, 5_100, 5_200, 5_100)]
    first, second = countings(shoe)
    assert first.taken_back and first.taken_back.reason == "once more"
    assert not second.taken_back
    assert [each.boxes[0].ruled for each in rulings(round_.event)] == [5_100]


def test_T18_counts_taken_back_by_a_correction_keep_what_the_hands_said_then():
    round_ = seated(2)
    shoe = over(round_)
    count_both(shoe, BOTH)
    rule(shoe, {1: 5_000, 2: 4_800})
    wrong = shoe.deals.get()
    corrections.deal_correct(
        deal_id=wrong.pk,
        outcomes={1: result("push"), 2: result("lose")},
        reason="a push",
        key=new_key(),
        actor=None,
    )
    assert evidence(shoe) == [(5_000, 5_000, 5_200, 5_000)]
    assert [each.taken_back.reason for each in countings(shoe) if each.taken_back] == ["a push"]
    assert rulings(round_.event) == []
    assert count_both(shoe, BOTH)["agreed"]
    assert evidence(shoe)[-1] == (5_000, 5_000, 5_000, None)


def test_T18_one_count_alone_that_is_taken_back_is_nobodys_to_see():
    shoe = over(seated(2))
    enter(shoe, BOTH)
    assert countings(shoe) == []
    reopen(shoe)
    assert countings(shoe) == []
    count_both(shoe)
    assert evidence(shoe) == [(5_200, 5_200, 5_200, None)]


def test_T18_a_penalty_after_the_count_is_no_difference_and_one_before_it_is_in_the_hands():
    round_ = seated(2)
    shoe = over(round_)
    penalty(round_, 400)
    count_both(shoe, {1: 4_800, 2: 4_800})
    assert evidence(shoe) == [(4_800, 4_800, 4_800, None)]
    penalty(round_, 200)
    assert chips_at(round_, 1) == 4_600
    assert evidence(shoe) == [(4_800, 4_800, 4_800, None)]


def penalty(round_: Round, chips: int) -> None:
    take_chips(stack_at(round_, 1).entry, chips)
