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

pytestmark = pytest.mark.django_db


def reopen(shoe: Shoe, reason: str = "a rack fell over") -> dict[str, Any]:
    return counts.count_reopen(shoe_id=shoe.pk, reason=reason, key=new_key(), actor=None)


def over(round_: Round, table: int = 1) -> Shoe:
    """A shoe with one hand, box 1 up by 200 and box 2 down by 200, that is over."""
    hand(shoe_of(round_, table), {1: 200, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe_of(round_, table))
    return shoe_of(round_, table)


RIGHT, BOTH = {1: 5_200, 2: 4_800}, {1: 5_000, 2: 4_800}


def test_T18_T19_T23_tables_are_counted_after_their_shoes_and_the_round_with_the_last_of_them():
    round_ = seated(9)
    with refusal("shoe_not_over", 409):
        enter(shoe_of(round_), RIGHT)
    first, second = over(round_, 1), over(round_, 2)
    count_both(first)
    round_.refresh_from_db()
    assert round_.status == "playing"
    count_both(second)
    round_.refresh_from_db()
    assert round_.status == "counted"
    close(round_)
    with refusal("round_closed", 409):
        reopen(first)
    tie = play_off()
    shoe_over(shoe_of(tie))
    with refusal("count_not_due"):
        enter(shoe_of(tie), {1: 5_000, 2: 5_000, 3: 5_000})
    with refusal("tie_open", 409):
        reopen(shoe_of(tie.parent))


def test_T18_two_people_who_are_logged_in_count_a_table():
    shoe, alone = over(seated(2)), person()
    with refusal("first_by_login", 403):
        counts.count_enter(shoe_id=shoe.pk, chips=RIGHT, key=new_key(), actor=person(), tablet=person())
    first = enter(shoe, RIGHT, alone)
    assert (first["which"], first["agreed"], first["status"]) == (1, None, "over")
    with refusal("same_person", 403):
        enter(shoe, RIGHT, alone)
    with refusal("same_person", 403):
        counts.count_enter(shoe_id=shoe.pk, chips=RIGHT, key=new_key(), actor=alone, tablet=person())
    second = enter(shoe, RIGHT)
    assert (second["which"], second["agreed"], second["status"]) == (2, True, "counted")


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
    enter(shoe, BOTH)
    assert len(countings(shoe)) == 1
    reopen(shoe)
    assert len(countings(shoe)) == 1, "one count alone stays blind"
    assert count_both(shoe)["agreed"]


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


# A ruling beside its evidence, for ever ---------------------------------------------------------------


def evidence(shoe: Shoe) -> list[tuple[int, int, int | None, int | None]]:
    """First, second, hands and ruling of box 1, for every time the table was counted."""
    return [(b.first, b.second, b.hands, b.ruled) for each in countings(shoe) for b in each.boxes[:1]]


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


def test_T18_a_penalty_after_the_count_is_no_difference_and_one_before_it_is_in_the_hands():
    round_ = seated(2)
    shoe = over(round_)
    take_chips(stack_at(round_, 1).entry, 400)
    count_both(shoe, {1: 4_800, 2: 4_800})
    assert evidence(shoe) == [(4_800, 4_800, 4_800, None)]
    take_chips(stack_at(round_, 1).entry, 200)
    assert chips_at(round_, 1) == 4_600
    assert evidence(shoe) == [(4_800, 4_800, 4_800, None)]
