"""A count or a ruling that came too late is given back, and nobody reads a sign for its opposite (T18)."""

from __future__ import annotations

import pytest

from tables.models import CountSheet, Shoe
from tables.services import counts
from tests.cast.at_tables import logged_in, text, url
from tests.cast.counting import basis_of, press
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, seated, shoe_of, shoe_over

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


def said(answer) -> str:
    return " ".join(text(answer).split())


def late(client, shoe, seen, chips=LATE, do="enter", **fields):
    answer = press(client, shoe, do, chips, basis=seen, **fields)
    assert answer.status_code in (403, 409)
    return said(answer)


def test_T18_a_late_second_count_is_given_back_and_said_to_differ_box_by_box(shoe):
    counted(shoe)
    floor = logged_in("floor")
    seen = basis_of(floor.get(url(shoe, "count/")))
    counted(shoe)
    page = late(floor, shoe, seen)
    assert "What you had counted Not saved" in page
    assert "3 6,300 6,200 6,200 differs" in page and "1 5,000 5,000 5,000 the same" in page
    assert "press Count again on this page" in page
    assert CountSheet.objects.filter(shoe=shoe).count() == 2 and chips_at(shoe.round, 3) == 6200
    assert press(floor, shoe, "reopen", reason="6,300 by a second look").status_code == 303, "so it is"


def test_T18_a_late_first_count_shows_nothing_of_the_count_that_is_in(shoe):
    floor = logged_in("floor")
    seen = basis_of(floor.get(url(shoe, "count/")))
    counts.count_enter(shoe_id=shoe.pk, chips=FIRST, key=new_key(), actor=floor.user)
    page = late(floor, shoe, seen)
    assert "3 6,300" in page and "6,200" not in page and "differs" not in page
    assert "What is counted is shown once both counts are in." in page


def test_T18_a_late_count_of_another_is_kept_in_the_form_of_the_second(shoe):
    floor = logged_in("floor")
    seen = basis_of(floor.get(url(shoe, "count/")))
    counted(shoe)
    answer = press(floor, shoe, chips=LATE, basis=seen)
    assert 'value="6300"' in answer.content.decode() and "6200" not in answer.content.decode()
    assert "What you had counted" not in said(answer), "the form has it"


def test_T18_the_counts_differ_and_a_late_third_does_not_fill_in_the_ruling(shoe):
    counted(shoe)
    director = logged_in("director")
    seen = basis_of(director.get(url(shoe, "count/")))
    counted(shoe, FIRST | {3: 6100})
    answer = press(director, shoe, chips=LATE, basis=seen)
    page = said(answer)
    assert "3 6,300 6,200 6,100 differs" in page
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
