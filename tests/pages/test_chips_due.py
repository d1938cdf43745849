"""T17, T26: the table, Tables and Tonight say which chips are to be moved, and the table confirms it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from pages.director.reads.floor_facts import due_words
from tables.models import Deal, Shoe
from tables.selectors.chips_due import due_by_table
from tables.services import dealing
from tests.cast.at_desk import codes
from tests.cast.at_tables import HTMX, dealer_at, logged_in, url
from tests.cast.corrected import correct
from tests.cast.every_form import chips_due
from tests.cast.factories import new_key
from tests.cast.floor import hand, seated, shoe_of, stack_at, take_chips
from tests.cast.leaving import penalise
from tests.cast.screens import Screen
from tests.cast.worlds import kept
from tournament.models import JournalEntry, Round, Stack

pytestmark = pytest.mark.django_db
BETS = {"bet-1": 200, "bet-2": 200, "bet-3": 200}


@kept
def two_boxes_due() -> Shoe:
    """A table of three: 600 are to be taken from box 1, and 400 given to box 2."""
    round_ = seated(3)
    hand(shoe_of(round_), {1: 200, 2: 200, 3: 200}, b1="push", b2="lose", b3="lose")
    correct(Deal.objects.get(), b1="push", b2="win", b3="lose")
    take_chips(stack_at(round_, 1).entry, 600)
    return shoe_of(round_)


def told(client: Client, shoe: Shoe) -> list[tuple[str, str]]:
    """Box and chips, as the table's page names them."""
    page = client.get(url(shoe)).content.decode()
    return re.findall(r'data-box="(\d)" data-chips="(-?\d+)"', page)


def due(shoe: Shoe) -> dict[int, int]:
    found = due_by_table(Round.objects.get(pk=shoe.round_id))
    return {each.box: each.chips for each in found.get(shoe.table.number, ())}


def press(client: Client, shoe: Shoe, do: str = "due", **fields: Any) -> Any:
    sent = {"do": do, "key": new_key(), "shoe": shoe.pk, "basis": "fresh", **fields}
    return client.post(url(shoe), sent, **HTMX)


def test_T17_T26_the_dealer_of_the_table_is_told_and_confirms():
    """So do the floor and the director at every table; a dealer of no table and the auditor do not."""
    shoe = two_boxes_due()
    for role in ("dealer", "cashier"):
        assert press(logged_in(role), shoe).status_code == 403
    assert b'value="due"' not in logged_in("auditor").get(url(shoe)).content
    words, path = due_words(due_by_table(shoe.round)[shoe.table.number]), f"/staff/{shoe.round.event.slug}/"
    floor, tails = logged_in("floor"), ("", "tables/")
    for tail in tails:
        page = floor.get(path + tail).content.decode()
        assert words and words in page and f'href="{path}tables/1/"' in page
    client = dealer_at(shoe)
    assert told(floor, shoe) == told(client, shoe) == [("1", "-600"), ("2", "400")]
    assert press(client, shoe).status_code == 200
    assert (told(client, shoe), due(shoe)) == ([], {})
    entry = JournalEntry.objects.get(kind="chips.due")
    assert entry.result["due"] == {"1": -600, "2": 400}
    assert entry.actor == client.user  # type: ignore[attr-defined]  # set by ``dealer_at``
    assert not [tail for tail in tails if words in floor.get(path + tail).content.decode()]
    again = press(floor, shoe)
    assert (again.status_code, codes(again)) == (409, ["no_chips_due"])


@pytest.mark.parametrize("role", ["floor", "director"])
def test_T26_the_floor_confirms_at_every_table(role: str):
    shoe = two_boxes_due()
    assert press(logged_in(role), shoe).status_code == 200 and not due(shoe)


def test_T26_while_a_hand_is_on_the_table_nothing_lies_over_it():
    """A hand that was opened in the very moment in which a penalty was confirmed is played on."""
    round_ = seated(2)
    hand(shoe_of(round_), {1: 200, 2: 200}, b1="win", b2="lose")
    shoe, client = shoe_of(round_), logged_in("floor")
    opened = dealing.deal_open(shoe_id=shoe.pk, bets={1: 200, 2: 200}, actor=None)
    Stack.objects.filter(pk=stack_at(round_, 1).pk).update(due_chips=-800)
    assert told(client, shoe) == []
    dealing.deal_void(deal_id=opened["deal"], reason="misdeal", key=new_key(), actor=None)
    assert told(client, shoe) == [("1", "-800")]


@pytest.mark.parametrize("fields", [{"do": "bets"}, {"do": "bets", "card": "Ts"}])
def test_T26_bets_that_are_called_too_early_stay_on_the_page_that_says_what_is_due(fields: dict[str, str]):
    shoe = two_boxes_due()
    client = logged_in("floor")
    answer = press(client, shoe, **fields, **(BETS | {"bet-2": 400}))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert page.count('data-code="chips_due"') == 2, "the refusal, and the panel"
    assert re.search(r'value="400"[^>]* checked', page)
    page = press(client, shoe, **(BETS | {"bet-2": 400})).content.decode()
    assert "chips_due" not in page
    assert re.search(r'value="400"[^>]* checked', page), "what was typed stays"


def test_T26_a_confirmation_of_an_amount_that_has_changed_since_is_stale_and_confirms_nothing():
    form = chips_due()
    round_ = Round.objects.get()
    screen = Screen(form)
    penalise(round_, 1, 200)
    answer = screen.send(form)
    assert answer.status_code == 409
    assert 'data-code="stale"' in answer.content.decode()
    assert due(shoe_of(round_)) == {1: -1_000}
    assert Screen(form).send(form).status_code == 303
    assert due(shoe_of(round_)) == {}
