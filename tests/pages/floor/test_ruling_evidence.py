"""What a ruling on a count was asked on stays beside it, whatever became of it (T18, T26)."""

from __future__ import annotations

import re
from typing import Any

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
from tests.cast.html import data
from tournament.models import Request
from tournament.selectors.waiting import why_lapsed
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db
EVIDENCE = {"5,000", "5,600"}


def words_of(page: Any) -> list[str]:
    return re.findall(r"[\d,]*\d", text(page) if not isinstance(page, str) else page)


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


def listed(shoe: Shoe) -> Any:
    return logged_in("manager").get(staff(shoe, "requests/"))


@pytest.mark.parametrize("word", ["refuse", "approve"])
def test_T18_an_answered_ruling_keeps_its_figures_and_leads_to_the_count(shoe, word):
    asked(shoe)
    assert set(words_of(listed(shoe))) >= EVIDENCE
    answer(logged_in("manager"), shoe, word)
    answered = listed(shoe).content.decode().split('id="done-title"')[1]
    assert set(words_of(answered)) >= EVIDENCE
    assert f'href="{url(shoe, "count/")}"' in answered
    assert ("→" in answered) is (word == "approve"), "what was refused moved no stack"


def test_T18_a_ruling_that_no_longer_holds_keeps_its_figures(shoe):
    request = asked(shoe)
    leave(shoe)
    assert why_lapsed(request) is not None
    page = listed(shoe)
    assert "lapsed" in data(page, "code") and set(words_of(page)) >= EVIDENCE
    request_decide(request_id=request.pk, approve=False, key=new_key(), actor=UserFactory())
    page = listed(shoe)
    assert "count_ruling" in data(page, "answered") and set(words_of(page)) >= EVIDENCE


@pytest.mark.parametrize("again", [COUNTED, COUNTED | {2: 5000}])
def test_T18_its_figures_are_hidden_while_the_table_is_counted_again(shoe, again):
    asked(shoe)
    recount(shoe)
    page = listed(shoe)
    assert "lapsed" in data(page, "code")
    assert "5,600" not in words_of(page), "who counts now sees nothing of it"
    for chips in (COUNTED, again):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    assert set(words_of(listed(shoe))) >= EVIDENCE
    answered = rule(logged_in("director"), shoe, COUNTED)
    assert (answered.status_code == 303) is (again != COUNTED), "new counts that differ are ruled on"


def history(shoe: Shoe, box: int) -> list[tuple[str, bool]]:
    """What the history of a player says of the request: its kind, and whether it tells the figures."""
    entry = stack_at(shoe.round, box).entry
    page = text(logged_in("director").get(staff(shoe, f"entries/{entry.code}/")))
    told = [each for each in entry_history(entry) if each.entry.kind in ("count.rule", "request.decide")]
    assert all(each.title in page for each in told)
    return sorted((each.entry.kind, "5,600" in each.detail) for each in told)


def test_T18_a_ruling_that_was_asked_for_and_refused_stands_in_the_history_of_its_entry(shoe):
    asked(shoe)
    both = [("count.rule", True), ("request.decide", True)]
    assert history(shoe, 1) == both[:1]
    answer(logged_in("manager"), shoe, "refuse")
    assert history(shoe, 1) == both
    assert history(shoe, 3) == [], "it moves no stack of box 3"
    recount(shoe)
    assert history(shoe, 1) == [], "the floor reads this page, and counts"
    count_both(shoe, COUNTED)
    assert history(shoe, 1) == both
