"""Hands that are over, and putting one right with a preview (T17)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy

import pytest

from tables.models import Deal, Shoe
from tables.services import dealing
from tests.cast.at_tables import dealer_at, logged_in
from tests.cast.calls import made_once
from tests.cast.correction_asked import changes
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
from tests.cast.html import data
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


def test_a_dealer_reads_the_hands_of_the_own_table(db):
    round_ = seated(8)
    one, two = shoe_of(round_, 1), shoe_of(round_, 2)
    client = dealer_at(one)
    assert client.get(listing(one)).status_code == 200
    assert client.get(listing(two) + "?table=2").status_code == 403


def test_hands_are_listed_with_cards_results_and_why_they_are_void(shoe):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    recorded(shoe, taken)
    dealing.deal_void(deal_id=opened(shoe, {1: 200}).pk, reason="Misdeal", key=new_key(), actor=None)
    page = logged_in("floor").get(listing(shoe))
    assert data(page, "state") == ["void", "settled"]
    assert data(page, "net-chips") == ["", "400"]
    assert all(each in page.content.decode() for each in ("9 of spades", "stand", "Misdeal"))


def checked(page) -> dict[str, str]:
    """What is chosen in the form: the name of each choice and its value."""
    return dict(re.findall(r'name="([\w-]+)" value="(\w+)"[^>]*checked', page.content.decode()))


def test_T17_a_preview_shows_stacks_and_ranks_and_changes_nothing(shoe, deal):
    """Three sit there and two bet: the third was recorded without a bet, which is no gap to be filled."""
    client, code = logged_in("director"), shoe.round.seats.get(box=1).entry.code
    page = client.get(address(deal))
    was = {"bet-1": "400", "bet-2": "200", "bet-3": "0", "out-1": "win", "out-2": "lose"}
    assert was.items() <= checked(page).items()
    page = press(client, deal, **RIGHT, **{"bet-3": "0"})
    assert page.status_code == 200
    assert (changes(page)[code], changes(page, name="place")[code]) == ("5400 4600", "1 3")
    assert chips_at(shoe.round, 1) == 5400
    assert checked(page)["out-1"] == "lose"


def test_T17_a_correction_needs_a_reason_and_reverses_the_hand(shoe, deal):
    client = logged_in("director")
    answer = press(client, deal, "correct", reason=" ", **RIGHT)
    assert (answer.status_code, data(answer, "code")) == (422, ["reason_missing"])
    answer = press(client, deal, "correct", reason="Misread", **RIGHT)
    assert answer.status_code == 303
    assert chips_at(shoe.round, 1) == 4600
    page = client.get(answer["Location"])
    assert data(page, "state") == ["settled", "reversed"] and "Misread" in page.content.decode()


def test_T17_a_hand_by_cards_is_entered_again_as_text(shoe):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    deal, client = recorded(shoe, taken), logged_in("director")
    page = client.get(address(deal)).content.decode()
    assert "9s Td 9h 7d" in page
    assert "1 stand" in page
    right = {"how": "cards", "bet-1": "400", "cards": "9s 10d 9h 9d", "decisions": "1 Stand"}
    assert "5400 4600" in changes(press(client, deal, **right)).values()
    assert press(client, deal, "correct", reason="Misread", **right).status_code == 303
    assert chips_at(shoe.round, 1) == 4600


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"cards": "9s 1x 9h"}, "card_unreadable"),
        ({"decisions": "1 jump"}, "decision_unreadable"),
        ({"decisions": "² hit"}, "decision_unreadable"),
        ({"decisions": "１ hit"}, "decision_unreadable"),
        ({"decisions": "12 hit"}, "decision_unreadable"),
        ({"decisions": "stand"}, "decision_unreadable"),
        ({"decisions": "1 insurance ²"}, "not_a_number"),
        ({"decisions": "1 insurance 5_0"}, "not_a_number"),
        ({"bet-1": "²"}, "not_a_number"),
        ({"bet-1": "4,00"}, "not_a_number"),
        ({"bet-1": "x"}, "not_a_number"),
        ({"bet-1": "300"}, "bet_not_in_increment"),
        ({"cards": ""}, "cards_missing"),
    ],
)
def test_T17_what_cannot_be_is_refused_and_stays_typed(shoe, fields, code):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    deal = recorded(shoe, taken)
    typed = {"how": "cards", "bet-1": "400", "cards": "9s 10d 9h 9d", "decisions": "1 stand", **fields}
    answer = press(logged_in("director"), deal, **typed)
    assert (answer.status_code, data(answer, "code")) == (422, [code])
    assert typed["decisions"] in answer.content.decode()
    assert chips_at(shoe.round, 1) == 5400


def test_T17_a_settled_hand_is_voided_by_a_correction(shoe, deal):
    client = logged_in("director")
    assert "5400 5000" in changes(press(client, deal, how="void")).values()
    assert press(client, deal, "correct", how="void", reason="Misdeal").status_code == 303
    assert chips_at(shoe.round, 1) == 5000


def test_T17_a_counted_table_is_counted_again_and_after_the_close_a_second_person_is_asked(shoe, deal):
    client = logged_in("director")
    play_and_count(shoe.round)
    assert data(press(client, deal, **RIGHT), "code") == ["recount"]
    close(shoe.round)
    assert "second_person" in data(press(client, deal, **RIGHT), "code")
    assert press(client, deal, "correct", reason="On tape", **RIGHT).status_code == 303
    assert Request.objects.get().status == Request.Status.OPEN


def test_a_hand_with_a_split_and_insurance_comes_back_into_the_form(shoe):
    split = {
        "hands": [{"result": "win"}, {"result": "lose", "doubled": 400}],
        "insurance": 200,
        "insurance_won": False,
    }
    page = logged_in("director").get(address(by_results(shoe, {1: 400}, {1: split})))
    assert {"out-1": "split", "insurance": "lost"}.items() <= checked(page).items()
    assert 'value="lose_doubled" selected' in page.content.decode()


def test_a_hand_of_another_event_is_404(deal):
    other = seated(2)
    client = logged_in("director")
    assert client.get(f"/staff/{other.event.slug}/deals/{deal.pk}/correct/").status_code == 404
