"""A count or a ruling that came too late is given back, and nobody reads a sign for its opposite (T18)."""

from __future__ import annotations

import pytest

from tables.models import CountSheet, Shoe
from tables.services import counts
from tests.cast.at_tables import logged_in, url
from tests.cast.counting import basis_of, press
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, seated, shoe_of, shoe_over
from tests.cast.html import data, read

pytestmark = pytest.mark.django_db
FIRST = {1: 5000, 2: 4800, 3: 6200}
LATE = {1: 5000, 2: 4800, 3: 6300}


@pytest.fixture
def shoe(db) -> Shoe:
    """Three boxes on counts alone, to be counted."""
    shoe = shoe_of(seated(3, record_mode="counts"))
    shoe_over(shoe)
    return shoe


def counted(shoe, chips=FIRST):
    counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())


def late(client, shoe, seen, chips=LATE):
    """What a count that came too late gives back: box → what was typed, and both counts where they show."""
    answer = press(client, shoe, "enter", chips, basis=seen)
    assert answer.status_code in (403, 409)
    rows = [each.attrs for each in read(answer.content.decode()).all("tr") if "data-typed" in each.attrs]
    names = ("data-typed", "data-first", "data-second")
    return {int(row["data-box"]): tuple(row.get(name, "") for name in names) for row in rows}, answer


def test_T18_a_late_second_count_is_given_back_beside_both_counts(shoe):
    counted(shoe)
    floor = logged_in("floor")
    seen = basis_of(floor.get(url(shoe, "count/")))
    counted(shoe)
    boxes, answer = late(floor, shoe, seen)
    assert "given_back" in data(answer, "code")
    assert (boxes[1], boxes[3]) == (("5,000", "5000", "5000"), ("6,300", "6200", "6200"))
    assert CountSheet.objects.filter(shoe=shoe).count() == 2 and chips_at(shoe.round, 3) == 6200
    assert press(floor, shoe, "reopen", reason="6,300 it was").status_code == 303, "it can be counted anew"


def test_T18_a_late_first_count_shows_nothing_of_the_count_that_is_in(shoe):
    floor = logged_in("floor")
    seen = basis_of(floor.get(url(shoe, "count/")))
    counts.count_enter(shoe_id=shoe.pk, chips=FIRST, key=new_key(), actor=floor.user)
    boxes, answer = late(floor, shoe, seen)
    assert boxes[3] == ("6,300", "", "") and "6,200" not in answer.content.decode()


def test_T18_a_late_count_of_another_is_kept_in_the_form_of_the_second(shoe):
    floor = logged_in("floor")
    seen = basis_of(floor.get(url(shoe, "count/")))
    counted(shoe)
    boxes, answer = late(floor, shoe, seen)
    assert 'value="6300"' in answer.content.decode() and "6200" not in answer.content.decode()
    assert not boxes, "the form has it"


def test_T18_the_counts_differ_and_a_late_third_does_not_fill_in_the_ruling(shoe):
    counted(shoe)
    director = logged_in("director")
    seen = basis_of(director.get(url(shoe, "count/")))
    counted(shoe, FIRST | {3: 6100})
    boxes, answer = late(director, shoe, seen)
    assert boxes[3] == ("6,300", "6200", "6100")
    assert 'value="6300"' not in answer.content.decode(), "nobody rules by a press of the other form"


def test_T18_what_is_no_figure_is_given_back_as_it_was_typed(shoe):
    counted(shoe)
    floor = logged_in("floor")
    seen = basis_of(floor.get(url(shoe, "count/")))
    counted(shoe)
    answer = press(floor, shoe, chips={1: "<b>x", 2: "9" * 400, 3: "6 200"}, basis=seen)
    page = answer.content.decode()
    assert answer.status_code in (409, 422) and "&lt;b&gt;x" in page and "9" * 21 not in page
    assert "6,200" in page
