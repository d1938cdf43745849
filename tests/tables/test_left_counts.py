"""Somebody leaves a table whose two counts are in and differ: what is left agrees, or not (T18, T25, T26)."""

from __future__ import annotations

import pytest

from tables.models import Shoe
from tables.selectors.countings import countings
from tests.cast.at_tables import logged_in, text, url
from tests.cast.counting import enter, leave
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, close, hand, seated, shoe_of, shoe_over, stack_at
from tournament.services import entries
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db
RIGHT = {1: 5400, 2: 4800, 3: 5000}
DIFFERS = {**RIGHT, 2: 4600}


def counted(*counts: dict[int, int], **settings: str) -> Shoe:
    """A table of three whose shoe is over, with these counts in."""
    shoe = shoe_of(seated(3, **settings))
    if not settings:
        hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    for chips in counts:
        enter(shoe, chips)
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER
    return shoe


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        ((RIGHT, DIFFERS), "counted"),
        ((RIGHT, {**DIFFERS, 1: 5200}), "over"),  # another box differs as well
        ((RIGHT,), "over"),  # one count alone stays one count
    ],
)
def test_T18_T26_once_the_only_box_that_differed_has_left_play_the_table_is_counted(counts, status):
    shoe = counted(*counts)
    leave(shoe, 2)
    shoe.refresh_from_db(), shoe.round.refresh_from_db()
    assert shoe.status == status
    if status == "counted":
        assert shoe.round.status == "counted"
        close(shoe.round)
        assert reconcile(shoe.round.event) == []


def test_T7_T18_on_counts_alone_a_withdrawal_makes_the_count_that_agrees_the_stacks():
    shoe = counted(RIGHT, DIFFERS, record_mode="counts")
    about = {"entry_id": stack_at(shoe.round, 2).entry_id, "reason": "taken ill", "refund": False}
    entries.entry_withdraw(**about, key=new_key(), actor=UserFactory())
    shoe.refresh_from_db()
    assert (shoe.status, chips_at(shoe.round, 1)) == (Shoe.Status.COUNTED, 5400)
    assert reconcile(shoe.round.event) == []


def test_T18_T26_the_evidence_of_the_box_that_left_stays_as_it_was_and_says_why_it_does_not_count():
    shoe = counted(RIGHT, DIFFERS)
    gone = stack_at(shoe.round, 2).entry
    leave(shoe, 2)
    shoe.refresh_from_db()
    (counting,) = countings(shoe)
    box = next(each for each in counting.boxes if each.box == 2)
    assert (box.first, box.second, box.hands, box.hands_now) == (4800, 4600, 4800, None)
    assert gone.code in text(logged_in("director").get(url(shoe, "count/")))
