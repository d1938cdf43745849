"""The floor: every table of the stage, and who keeps it."""

from __future__ import annotations

from copy import deepcopy

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Clerk as Kept
from tests.cast.at_tables import HTMX, dealer_at, logged_in, text
from tests.cast.calls import made_once
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import event_make, person, seated, shoe_of
from tests.cast.html import data, read
from tests.cast.presses import FRESH

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_round(django_db_setup, django_db_blocker):
    with made_once(django_db_blocker, lambda: seated(8)) as made:
        yield made


@pytest.fixture
def round_(made_round, db):
    """Round 1 at two tables."""
    return deepcopy(made_round)


def address(round_) -> str:
    return f"/staff/{round_.event.slug}/tables/"


def test_a_dealer_sees_the_own_table_alone(round_):
    page = text(dealer_at(shoe_of(round_, 2)).get(address(round_)))
    assert "Table 2" in page
    assert "Table 1" not in page


@pytest.mark.parametrize("role", ["director", "floor"])
def test_a_dealer_is_bound_to_a_table_and_taken_off_again(round_, role):
    dealer, client = person("dealer"), logged_in(role)
    sent = {"table": 2, "user": dealer.pk}
    assert client.post(address(round_), {**sent, "key": new_key()}).status_code == 303
    assert Kept.objects.get(user=dealer).table.number == 2
    assert dealer.username in text(client.get(address(round_)))
    assert client.post(address(round_), {**sent, "do": "release", "key": new_key()}).status_code == 303
    again = client.post(address(round_), {**sent, "do": "release", "key": new_key()})
    assert (again.status_code, data(again, "code")[0]) == (409, "not_bound")


def test_only_dealers_are_bound_and_not_by_dealers(round_):
    cashier = person("cashier")
    answer = logged_in("floor").post(address(round_), {"table": 1, "user": cashier.pk, "key": new_key()})
    assert (answer.status_code, data(answer, "code")) == (422, ["not_a_dealer"])
    client = dealer_at(shoe_of(round_, 1))
    sent = {"table": 2, "user": client.user.pk, "key": new_key()}
    assert client.post(address(round_), sent).status_code == 403
    assert logged_in("director").post(address(round_), {**sent, "table": 99}).status_code == 404
    assert logged_in("auditor").post(address(round_), sent).status_code == 403


def test_the_floor_is_looked_at_again_as_a_fragment(round_):
    page = logged_in("director").get(address(round_), **HTMX).content.decode()
    assert "<html" not in page
    assert 'id="floor"' in page


def test_the_floor_needs_as_many_queries_for_six_tables_as_for_two():
    def needed(entrants: int) -> int:
        page, client = address(seated(entrants)), logged_in("director")
        client.get(page)
        with CaptureQueriesContext(connection) as made:
            client.get(page)
        return len(made)

    assert needed(36) == needed(8)


@pytest.mark.parametrize(("entries", "offered"), [(6, False), (7, False), (8, True)])
def test_T4_tables_are_offered_only_while_somebody_has_no_box(entries, offered):
    event = event_make(0)
    for _ in range(entries):
        EntryFactory(event=event)
    director = logged_in("director")
    boxes = f"/staff/{event.slug}/boxes/"
    director.post(boxes + "add/", {"key": new_key(), "basis": "fresh"})
    page = director.get(boxes)
    assert ('name="all"' in page.content.decode()) == offered


def test_the_form_never_starts_on_a_dealer_and_the_table_that_the_dealer_keeps(round_):
    floor, dora = logged_in("floor"), person("dealer")

    def starts_on() -> list[tuple[str, bool]]:
        """The values that are chosen, each with whether a table is left by it."""
        page = read(floor.get(address(round_)).content.decode())
        chosen = [n.attrs for n in page.walk() if n.tag == "option" and "selected" in n.attrs]
        return [(each["value"], "data-leaves" in each) for each in chosen]

    bind = {"user": dora.pk, "basis": FRESH}
    assert starts_on() == [(str(dora.pk), False), ("1", False)]
    for table, other in (("1", "2"), ("2", "1")):
        floor.post(address(round_), {**bind, "table": table, "key": new_key()})
        assert Kept.objects.get(user=dora).table.number == int(table)
        assert starts_on() == [(str(dora.pk), True), (other, False)]
