"""Somebody leaves a table whose two counts are in and differ: what is left agrees, or not (T18, T25, T26)."""

from __future__ import annotations

import pytest

from tables.models import Shoe
from tables.selectors.countings import countings
from tables.services import counts
from tests.cast.at_tables import logged_in, text, url
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    close,
    confirm,
    hand,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tournament.models import Entry, Round
from tournament.services import entries
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db
RIGHT = {1: 5400, 2: 4800, 3: 5000}


def counted_twice(first: dict[int, int], second: dict[int, int], **settings: str) -> Shoe:
    """A table of three whose shoe is over, with both counts in: they differ."""
    shoe = shoe_of(seated(3, **settings))
    if not settings:
        hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    for chips in (first, second):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER
    return shoe


def asked_to_disqualify(entry: Entry) -> int:
    asked = entries.entry_disqualify_request(
        entry_id=entry.pk, reason="marked a card", key=new_key(), actor=UserFactory()
    )
    return int(asked["request"])


def disqualify(entry: Entry) -> None:
    confirm({"request": asked_to_disqualify(entry)})


def four_pages(shoe: Shoe) -> dict[str, str]:
    """Tonight, the floor, the round and the count itself, as a director reads them."""
    base, director = f"/staff/{shoe.round.event.slug}/", logged_in("director")
    shown = {"tonight": base, "floor": f"{base}tables/", "round": f"{base}rounds/{shoe.round_id}/"}
    return {name: text(director.get(path)) for name, path in (shown | {"count": url(shoe, "count/")}).items()}


def test_T18_T26_once_the_box_that_differed_has_left_play_the_table_is_counted_on_every_page():
    shoe = counted_twice(RIGHT, {**RIGHT, 2: 4600})
    disqualify(stack_at(shoe.round, 2).entry)
    shoe.refresh_from_db(), shoe.round.refresh_from_db()
    assert (shoe.status, shoe.round.status) == (Shoe.Status.COUNTED, Round.Status.COUNTED)
    for name, page in four_pages(shoe).items():
        assert "Counted" in page or "is counted" in page, name
        assert "Counts differ" not in page, name
    close(shoe.round)
    assert reconcile(shoe.round.event) == []


def test_T18_T26_while_another_box_differs_the_table_is_not_counted():
    shoe = counted_twice(RIGHT, {**RIGHT, 1: 5200, 2: 4600})
    disqualify(stack_at(shoe.round, 2).entry)
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER


def test_T7_T18_a_withdrawal_is_looked_at_like_a_disqualification():
    shoe = counted_twice(RIGHT, {**RIGHT, 2: 4600})
    leaves = stack_at(shoe.round, 2).entry
    entries.entry_withdraw(
        entry_id=leaves.pk, reason="taken ill", refund=False, key=new_key(), actor=UserFactory()
    )
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.COUNTED


def test_T18_T26_on_counts_alone_the_count_that_agrees_becomes_the_stacks():
    shoe = counted_twice(RIGHT, {**RIGHT, 2: 4600}, record_mode="counts")
    disqualify(stack_at(shoe.round, 2).entry)
    shoe.refresh_from_db()
    assert (shoe.status, chips_at(shoe.round, 1)) == (Shoe.Status.COUNTED, 5400)
    assert reconcile(shoe.round.event) == []


def test_T18_T26_one_count_alone_stays_one_count():
    shoe = shoe_of(seated(3))
    shoe_over(shoe)
    even = dict.fromkeys(RIGHT, 5000)
    counts.count_enter(shoe_id=shoe.pk, chips=even, key=new_key(), actor=UserFactory())
    disqualify(stack_at(shoe.round, 2).entry)
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER


def test_T18_T26_the_evidence_of_the_box_that_left_stays_as_it_was_and_says_why_it_does_not_count():
    shoe = counted_twice(RIGHT, {**RIGHT, 2: 4600})
    gone = stack_at(shoe.round, 2).entry
    disqualify(gone)
    shoe.refresh_from_db()
    (counting,) = countings(shoe)
    box = next(each for each in counting.boxes if each.box == 2)
    assert (box.first, box.second, box.hands, box.hands_now) == (4800, 4600, 4800, None)
    assert gone.code in four_pages(shoe)["count"]
