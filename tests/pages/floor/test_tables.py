"""The floor: every table of the stage, and who keeps it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pages.director.reads.floor_facts import table_lines
from tables.models import Clerk as Kept
from tests.cast.alternates import alone, status
from tests.cast.at_desk import Somebody, staff
from tests.cast.at_tables import HTMX, dealer_at, logged_in, text, url
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import draw_and_seat, event_make, person, seated, shoe_of
from tests.cast.html import data
from tests.cast.pages import next_of
from tournament.models import Event, Round
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_(db):
    """Round 1 at two tables."""
    return seated(8)


def address(round_) -> str:
    return f"/staff/{round_.event.slug}/tables/"


def test_a_dealer_is_bound_to_a_table_sees_that_alone_and_is_taken_off_again(round_):
    dealer, floor = logged_in("dealer"), logged_in("floor")
    sent = {"table": 2, "user": dealer.user.pk}
    assert floor.post(address(round_), {**sent, "key": new_key()}).status_code == 303
    assert Kept.objects.get(user=dealer.user).table.number == 2
    assert dealer.user.username in text(floor.get(address(round_)))
    page = text(dealer.get(address(round_)))
    assert "Table 2" in page and "Table 1" not in page
    deals = f"/staff/{round_.event.slug}/deals/?table=1"
    for another in (f"{address(round_)}1/", deals):
        refused = dealer.get(another)
        assert refused.status_code == 403
        assert f'href="{address(round_)}2/"' in refused.content.decode(), "the way to their own table"
    tonight = dealer.get(f"/staff/{round_.event.slug}/").content.decode()
    assert 'tables/2/">Table 2' in tonight and "<strong>Table 1" in tonight
    release = {**sent, "do": "release"}
    assert floor.post(address(round_), {**release, "key": new_key()}).status_code == 303
    assert f'href="{address(round_)}' not in dealer.get(f"{address(round_)}2/").content.decode()
    again = floor.post(address(round_), {**release, "key": new_key()})
    assert (again.status_code, data(again, "code")[0]) == (409, "not_bound")


@pytest.mark.parametrize("over", ["finished", "paid", "called_off"])
def test_a_dealer_of_an_event_that_is_over_is_free_for_the_next(round_, over):
    dealer, floor, old = dealer_at(shoe_of(round_, 1)), logged_in("floor"), round_.event
    Event.objects.filter(pk=old.pk).update(status=over)
    next_event = seated(3).event
    tables = f"/staff/{next_event.slug}/tables/"
    assert "leaves table" not in text(floor.get(tables))
    sent = {"table": 1, "user": dealer.user.pk, "key": new_key()}
    assert "has no dealer now" not in text(floor.post(tables, sent, follow=True))
    assert Kept.objects.get(user=dealer.user).table.event == next_event


def test_only_dealers_are_bound_and_not_by_dealers(round_):
    director, dealer = logged_in("director"), dealer_at(shoe_of(round_, 1))
    sent = {"table": 2, "user": dealer.user.pk, "key": new_key()}
    answer = director.post(address(round_), {**sent, "user": person("cashier").pk})
    assert (answer.status_code, data(answer, "code")) == (422, ["not_a_dealer"])
    assert dealer.post(address(round_), sent).status_code == 403
    assert director.post(address(round_), {**sent, "table": 99}).status_code == 404


def test_the_floor_is_looked_at_again_as_a_fragment_and_needs_few_queries_however_many_tables():
    def needed(entrants: int) -> int:
        page, client = address(seated(entrants)), logged_in("director")
        client.get(page)
        with CaptureQueriesContext(connection) as made:
            part = client.get(page, **HTMX).content.decode()
        assert "<html" not in part and 'id="floor"' in part
        return len(made)

    assert needed(36) == needed(8)


@pytest.mark.parametrize(("entries", "offered"), [(7, False), (8, True)])
def test_T4_tables_are_offered_only_while_somebody_has_no_box(entries, offered):
    event = event_make(0)
    for _ in range(entries):
        EntryFactory(event=event)
    director = logged_in("director")
    boxes = f"/staff/{event.slug}/boxes/"
    director.post(boxes + "add/", {"key": new_key(), "basis": "fresh"})
    page = director.get(boxes)
    assert ('name="all"' in page.content.decode()) == offered


# -- Play has begun (T6, T18) ----------------------------------------------------------------------------


def page_of(round_: Round) -> str:
    return staff(round_.event, f"rounds/{round_.pk}/begin/")


def test_T6_the_table_and_tonight_offer_the_press_once():
    round_ = alone()
    shoe = shoe_of(round_)
    dealer = dealer_at(shoe)
    begins = f"{page_of(round_)}?table=1"

    def offered() -> bool:
        """By the table; Tonight offers the same, and an auditor never."""
        found = f'href="{begins}"' in dealer.get(url(shoe)).content.decode()
        tails = [step.tail for step in next_of(round_.event)]
        assert tails == ([f"rounds/{round_.pk}/begin/"] if found else ["tables/"])
        assert "/begin/" not in logged_in("auditor").get(url(shoe)).content.decode()
        return found

    assert offered()
    answer = dealer.post(begins, {"key": "begin"})
    assert (answer.status_code, answer["Location"], status(round_)) == (303, url(shoe), "playing")
    assert not offered()
    standings_recompute(event_id=round_.event_id)
    # T18: the cut card is next, and nobody says how many hands a table had.
    table, public = dealer.get(url(shoe)), Somebody().get(f"/e/{round_.event.slug}/tables/1/")
    assert (data(table, "wait"), data(public, "hands")) == (["cut_card"], [""])
    assert [line.hands for line in table_lines(Round.objects.get(pk=round_.pk))[0]] == [None]


def test_T6_the_page_says_who_waits_before_the_press_closes_seating():
    code = 'data-code="seating_closes"'
    floor, nobody = Somebody("floor"), alone()
    assert code not in floor.get(page_of(nobody)).content.decode()
    round_ = draw_and_seat(event_make(3, record_mode="counts", tables_count=1, boxes_per_table=2))
    assert code in floor.get(page_of(round_)).content.decode()
