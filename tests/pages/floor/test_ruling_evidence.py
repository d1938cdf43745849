"""What a ruling on a count was asked on stays beside it, whatever became of it (T18, T26)."""

from __future__ import annotations

import pytest

from pages.history import entry_history
from tables.models import Shoe
from tables.services import counts
from tests.cast.at_tables import logged_in, text, url
from tests.cast.counting import COUNTED, answer, leave, recount, rule, staff
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    count_both,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.tied import named_at
from tournament.models import Request
from tournament.selectors.waiting import why_lapsed
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db
ASKED = "Box 1, {}: counted 5,000 and 5,600, asked for 5,600"


@pytest.fixture
def shoe(db) -> Shoe:
    """Three boxes without a recorded hand: in box 1 the second count is higher by 600."""
    shoe = shoe_of(seated(3))
    shoe_over(shoe)
    for chips in (COUNTED, COUNTED | {1: 5600}):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    return shoe


def asked(shoe: Shoe) -> Request:
    """The director has asked for 5,600 in box 1."""
    rule(logged_in("director"), shoe, COUNTED | {1: 5600})
    return Request.objects.get()


def listed(shoe: Shoe) -> str:
    return " ".join(text(logged_in("manager").get(staff(shoe, "requests/"))).split())


@pytest.mark.parametrize(("word", "said"), [("refuse", "asked for 5,600"), ("approve", "ruled 5,600")])
def test_T18_an_answered_ruling_keeps_its_figures_and_leads_to_the_count(shoe, word, said):
    asked(shoe)
    assert ASKED.format(named_at(shoe.round, 1)) in listed(shoe)
    answer(logged_in("manager"), shoe, word)
    page = logged_in("manager").get(staff(shoe, "requests/")).content.decode()
    answered = page.split('id="done-title"')[1]
    assert f"Box 1, {named_at(shoe.round, 1)}: counted 5,000 and 5,600, {said}" in " ".join(answered.split())
    assert f'href="{url(shoe, "count/")}"' in answered
    assert ("→" in answered) is (word == "approve"), "what was refused moved no stack"


def test_T18_a_ruling_that_no_longer_holds_keeps_its_figures_and_says_that_nothing_is_left(shoe):
    request = asked(shoe)
    leave(shoe)
    assert why_lapsed(request) is not None
    page = listed(shoe)
    assert ASKED.format(named_at(shoe.round, 1)) in page and "No longer holds" in page
    assert "Table 1 is counted by now. Nothing is left to rule on." in page
    assert "anew" not in page and "nobody can confirm it: refuse it or take it back." in page
    request_decide(request_id=request.pk, approve=False, key=new_key(), actor=UserFactory())
    assert ASKED.format(named_at(shoe.round, 1)) in listed(shoe).split("Answered")[1]


def test_T18_it_is_said_when_a_ruling_can_be_asked_for_anew(shoe):
    asked(shoe)
    recount(shoe)
    page = listed(shoe)
    assert "The counts of Table 1 have been taken back since." in page
    assert "A ruling can be asked for once both new counts are in and differ." in page
    assert "5,600" not in page, "who counts now sees nothing of it"
    assert "Its figures are shown once the table is counted again." in page
    count_both(shoe, COUNTED)
    page = listed(shoe)
    assert (
        "By now it is counted. Nothing is left to rule on." in page
        and ASKED.format(named_at(shoe.round, 1)) in page
    )


def test_T18_where_the_new_counts_differ_too_they_can_be_ruled_on(shoe):
    asked(shoe)
    recount(shoe)
    for chips in (COUNTED, COUNTED | {2: 5000}):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    assert "They are in anew and differ: a ruling on them can be asked for." in listed(shoe)
    director = logged_in("director")
    assert rule(director, shoe, COUNTED).status_code == 303, "as it is said, so it is"


def told_of(shoe: Shoe, box: int) -> dict[str, str]:
    entry = stack_at(shoe.round, box).entry
    page = text(logged_in("director").get(staff(shoe, f"entries/{entry.code}/")))
    told = {line.title: line.detail for line in entry_history(entry)}
    assert all(title in page for title in told)
    return told


def test_T18_a_ruling_that_was_asked_for_and_refused_stands_in_the_history_of_its_entry(shoe):
    asked(shoe)
    title = "Ruling on a count asked for"
    figures = "box 1: counted 5,000 and 5,600, asked for 5,600"
    assert figures in told_of(shoe, 1)[title]
    answer(logged_in("manager"), shoe, "refuse")
    told = told_of(shoe, 1)
    assert title in told and figures in told["Second person refused"]
    assert not {title, "Second person refused"} & set(told_of(shoe, 3)), "it moves no stack of box 3"
    recount(shoe)
    assert title not in told_of(shoe, 1), "the floor reads this page, and counts"
    count_both(shoe, COUNTED)
    assert title in told_of(shoe, 1)
