"""Hands that are over, and putting one right with a preview (T17)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy

import pytest

from tables.models import Deal, Shoe
from tables.services import dealing
from tests.cast.at_tables import dealer_at, logged_in, sentence, text
from tests.cast.calls import made_once
from tests.cast.factories import new_key
from tests.cast.floor import (
    by_results,
    chips_at,
    close,
    hand,
    opened,
    play_and_count,
    record,
    recorded,
    seated,
    shoe_of,
)
from tournament.models import Request

pytestmark = pytest.mark.django_db
CARDS = ["9h", "8s", "Kd", "2c", "9s", "7d", "5h", "6c", "Tc"]


@pytest.fixture(scope="module")
def made_shoe(django_db_setup, django_db_blocker) -> Iterator[Shoe]:
    with made_once(django_db_blocker, lambda: shoe_of(seated(3))) as made:
        yield made


@pytest.fixture
def shoe(made_shoe, db) -> Shoe:
    return deepcopy(made_shoe)


@pytest.fixture
def deal(shoe) -> Deal:
    """A hand by results: box 1 won 400, box 2 lost 200."""
    return hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")


def listing(shoe) -> str:
    return f"/staff/{shoe.round.event.slug}/deals/"


def address(deal) -> str:
    return f"/staff/{deal.shoe.round.event.slug}/deals/{deal.pk}/correct/"


def press(client, deal, do="preview", **fields):
    return client.post(address(deal), {"do": do, "key": new_key(), **fields})


RIGHT = {"how": "results", "bet-1": "400", "out-1": "lose", "bet-2": "200", "out-2": "lose"}


@pytest.mark.parametrize(
    ("role", "listed", "correct"),
    [
        ("director", 200, 200),
        ("floor", 200, 403),
        ("auditor", 200, 200),
        ("dealer", 403, 403),
        ("cashier", 403, 403),
        ("manager", 403, 403),
    ],
)
def test_the_pages_open_for_their_roles(shoe, deal, role, listed, correct):
    client = logged_in(role)
    assert client.get(listing(shoe)).status_code == listed
    assert client.get(address(deal)).status_code == correct
    if role != "director":
        assert press(client, deal, "correct", reason="x", **RIGHT).status_code == 403
        assert chips_at(shoe.round, 1) == 5400


def test_a_dealer_reads_the_hands_of_the_own_table(db):
    round_ = seated(8)
    one, two = shoe_of(round_, 1), shoe_of(round_, 2)
    client = dealer_at(one)
    assert client.get(listing(one)).status_code == 200
    assert client.get(listing(two) + "?table=2").status_code == 403


def test_a_hand_by_cards_is_readable(shoe):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    recorded(shoe, taken)
    page = logged_in("director").get(listing(shoe))
    assert "stand" in text(page)
    assert 'aria-label="9 of spades"' in page.content.decode()
    assert "+400" in text(page)


def test_void_hands_stay_in_the_list_with_their_reason(shoe):
    dealing.deal_void(deal_id=opened(shoe, {1: 200}).pk, reason="Two cards fell", key=new_key(), actor=None)
    page = text(logged_in("floor").get(listing(shoe)))
    assert "Void" in page
    assert "Two cards fell" in page


def test_T17_the_form_begins_with_the_hand_as_it_was_recorded(deal):
    page = logged_in("director").get(address(deal)).content.decode()
    assert 'name="bet-1" value="400" data-bet-key="4" aria-label="400" checked' in page
    assert 'name="out-1" value="win" checked' in page


def test_T17_a_preview_shows_stacks_and_ranks_and_changes_nothing(shoe, deal):
    page = press(logged_in("director"), deal, **RIGHT)
    assert page.status_code == 200
    assert "5,400 → 4,600" in text(page)
    assert "1 → 3" in text(page)
    assert chips_at(shoe.round, 1) == 5400
    assert 'name="out-1" value="lose" checked' in page.content.decode()


def test_T17_a_correction_needs_a_reason_and_reverses_the_hand(shoe, deal):
    client = logged_in("director")
    answer = press(client, deal, "correct", reason=" ", **RIGHT)
    assert (answer.status_code, "reason" in sentence(answer).lower()) == (422, True)
    answer = press(client, deal, "correct", reason="Box 1 had 19", **RIGHT)
    assert answer.status_code == 303
    assert chips_at(shoe.round, 1) == 4600
    page = text(client.get(answer["Location"]))
    assert "Reversed" in page
    assert "Box 1 had 19" in page


def test_T17_a_hand_by_cards_is_entered_again_as_text(shoe):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    deal, client = recorded(shoe, taken), logged_in("director")
    page = client.get(address(deal)).content.decode()
    assert "9s Td 9h 7d" in page
    assert "1 stand" in page
    right = {"how": "cards", "bet-1": "400", "cards": "9s 10d 9h 9d", "decisions": "1 Stand"}
    assert "5,400 → 4,600" in text(press(client, deal, **right))
    assert press(client, deal, "correct", reason="It was a nine", **right).status_code == 303
    assert chips_at(shoe.round, 1) == 4600


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"cards": "9s 1x 9h"}, "1x is no card"),
        ({"decisions": "1 jump"}, "1 jump is no decision"),
        ({"decisions": "² hit"}, "² hit is no decision"),
        ({"decisions": "１ hit"}, "１ hit is no decision"),
        ({"decisions": "12 hit"}, "12 hit is no decision"),
        ({"decisions": "1 insurance ²"}, "type a whole number of chips"),
        ({"decisions": "1 insurance 5_0"}, "type a whole number of chips"),
        ({"bet-1": "²"}, "type a whole number of chips"),
        ({"bet-1": "4,00"}, "type a whole number of chips"),
        ({"decisions": "stand"}, "is no decision"),
        ({"cards": ""}, ""),
        ({"bet-1": "300"}, "300"),
        ({"bet-1": "x"}, "whole number"),
    ],
)
def test_T17_what_cannot_be_is_refused_in_a_sentence_and_stays_typed(shoe, fields, words):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    deal = recorded(shoe, taken)
    typed = {"how": "cards", "bet-1": "400", "cards": "9s 10d 9h 9d", "decisions": "1 stand", **fields}
    answer = press(logged_in("director"), deal, **typed)
    assert answer.status_code == 422
    assert words in sentence(answer)
    assert typed["decisions"] in answer.content.decode()
    assert chips_at(shoe.round, 1) == 5400


def test_T17_a_settled_hand_is_voided_by_a_correction(shoe, deal):
    client = logged_in("director")
    assert "5,400 → 5,000" in text(press(client, deal, how="void"))
    assert press(client, deal, "correct", how="void", reason="Misdeal").status_code == 303
    assert chips_at(shoe.round, 1) == 5000


def test_T17_a_correction_of_a_counted_table_says_that_it_is_counted_again(shoe, deal):
    play_and_count(shoe.round)
    page = press(logged_in("director"), deal, **RIGHT)
    assert "counted again" in text(page)


def test_T17_after_the_close_two_persons_put_it_on_record_and_nobody_is_reseated(shoe, deal):
    play_and_count(shoe.round)
    close(shoe.round)
    client = logged_in("director")
    page = press(client, deal, **RIGHT)
    assert "Ask a second person" in text(page)
    assert press(client, deal, "correct", reason="Found on the tape", **RIGHT).status_code == 303
    assert Request.objects.get().status == Request.Status.OPEN


def test_a_hand_with_a_split_and_insurance_comes_back_into_the_form(shoe):
    split = {
        "hands": [{"result": "win"}, {"result": "lose", "doubled": 400}],
        "insurance": 200,
        "insurance_won": False,
    }
    page = logged_in("director").get(address(by_results(shoe, {1: 400}, {1: split}))).content.decode()
    assert 'name="out-1" value="split" checked' in page
    assert 'value="lose_doubled" selected' in page
    assert 'name="insurance" value="lost" checked' in page


def test_a_hand_of_another_event_is_404(deal):
    other = seated(2)
    client = logged_in("director")
    assert client.get(f"/staff/{other.event.slug}/deals/{deal.pk}/correct/").status_code == 404


def test_T17_who_sat_there_and_did_not_bet_is_shown_as_without_a_bet(deal):
    """Three sit there and two bet: the third was recorded without a bet, which is no gap to be filled."""
    page = logged_in("director").get(address(deal)).content.decode()
    checked = re.findall(r'name="bet-(\d)" value="(\d+)"[^>]*checked', page)
    assert checked == [("1", "400"), ("2", "200"), ("3", "0")]
    assert page.count('<p class="muted small">5,000</p>') == 3, "who did not bet sat there with a stack"
    again = press(logged_in("director"), deal, **RIGHT, **{"bet-3": "0"})
    assert again.status_code == 200 and "What would change" in text(again)
