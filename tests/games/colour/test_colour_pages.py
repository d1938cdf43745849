"""A second game on the pages that all games share: set up, posted, dealt, put right, read."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from tables.models import Deal
from tests.cast import floor as cast
from tests.cast.at_tables import Clerk, dealer_at, logged_in, sentence, text, url
from tests.cast.factories import EventFactory, new_key
from tests.cast.presses import FRESH
from tests.games.colour.deals import dealt, rouge
from tournament.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_(db: None) -> Round:
    return cast.seated(3, **rouge(options={"ace": "push"}))


@pytest.fixture
def clerk(round_: Round) -> Clerk:
    shoe = cast.shoe_of(round_)
    return Clerk(dealer_at(shoe), shoe)


def page(client: Client, path: str, **query: str) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200
    return answer.content.decode()


# -- Rules ---------------------------------------------------------------------------------------------------


def test_T16_the_set_up_asks_and_shows_what_the_game_says() -> None:
    event = EventFactory(settings=rouge(), opened=False)
    director = logged_in("director")
    shown = page(director, f"/staff/{event.slug}/setup/hand/")
    assert "What does an ace do?" in shown and "insurance" not in shown.lower()
    assert "One card is turned for all" in shown
    sent = {"key": new_key(), "basis": FRESH, "ace": '"push"'}
    assert director.post(f"/staff/{event.slug}/setup/hand/", sent).status_code == 303
    event.refresh_from_db()
    assert event.settings.options == {"ace": "push"}
    form = page(director, f"/staff/{event.slug}/setup/")
    assert '<option value="1" selected>1 deck</option>' in form and '<option value="8"' not in form


def test_T16_its_rules_are_posted_for_everybody_to_read(round_: Round) -> None:
    said = text(Client().get(f"/e/{round_.event.slug}/rules/"))
    assert "One card is turned for all. Who has called its colour is paid 1:1." in said
    assert "On an ace every bet comes back." in said
    assert "less a quarter of a deck; two are burned" in said
    assert "1 decks at every table" not in said
    assert not re.search(r"blackjack|insurance|double|splitting|dealer's", said, re.I)


# -- At the table ------------------------------------------------------------------------------------------


def test_a_hand_is_dealt_on_the_plain_page(clerk: Clerk) -> None:
    clerk.press("bets", bet_1="50", bet_2="100")
    shown = text(clerk.client.get(url(clerk.shoe), {"mode": "cards"}))
    assert "Box 1 to act" in shown and "Red or black?" in shown and "COLOUR" in shown
    assert not re.search(r"blackjack|H S D P R|surrender", shown, re.I)
    answer = clerk.in_hand("tap", card="7h")
    assert sentence(answer) == "A decision is needed first, not a card."
    clerk.tap("red:1")
    clerk.tap("black:2")
    shown = page(clerk.client, url(clerk.shoe), mode="cards")
    assert "Turn the card" in shown and "red:" not in shown
    clerk.cards("7h")
    shown = text(clerk.client.get(url(clerk.shoe), {"mode": "cards"}))
    assert "The card is turned" in shown and "+50" in shown and "−100" in shown
    assert clerk.in_hand("settle").status_code == 200
    assert clerk.shoe.deals.get().answer["net"] == {"1": 50, "2": -100}


def test_a_hand_is_entered_by_results_on_the_plain_page(clerk: Clerk) -> None:
    shown = page(clerk.client, url(clerk.shoe), mode="results")
    offered = set(re.findall(r'name="out-1" value="(\w+)"', shown))
    assert offered == {f"{colour}_{came}" for colour in ("red", "black") for came in ("win", "lose", "push")}
    assert not re.search(
        r"insur|split|even money|show an ace|blackjack", re.sub(r"<[^>]+>", " ", shown), re.I
    )
    checked = clerk.press("check", bet_1="50", out_1="red_win", bet_2="100", out_2="black_lose")
    assert "+50" in checked.content.decode() and "−100" in checked.content.decode()
    answer = clerk.press("results", bet_1="50", out_1="natural")
    assert sentence(answer) == "Box 1: this cannot come of a hand here."
    clerk.press("results", bet_1="50", out_1="red_win", bet_2="100", out_2="black_lose")
    assert clerk.shoe.deals.get().answer["net"] == {"1": 50, "2": -100}


# -- Afterwards --------------------------------------------------------------------------------------------


@pytest.fixture
def deal(round_: Round) -> Deal:
    return dealt(cast.shoe_of(round_), {1: 50, 2: 100}, {1: "red", 2: "black"}, "7h")


def test_T17_a_hand_is_put_right_by_results_and_by_cards(deal: Deal) -> None:
    event = deal.shoe.round.event
    director = logged_in("director")
    path = f"/staff/{event.slug}/deals/{deal.pk}/correct/"
    shown = page(director, path, how="results")
    assert re.findall(r'name="out-\d" value="(\w+)" checked', shown) == ["red_win", "black_lose"]
    shown = page(director, path, how="cards")
    assert ">7h</textarea>" in shown and "1 red\n2 black</textarea>" in shown and "hole card" not in shown
    sent = {"how": "cards", "bet-1": "50", "bet-2": "100", "cards": "7s", "decisions": "1 red\n2 black"}
    looked = director.post(path, {**sent, "do": "preview", "key": new_key(), "basis": FRESH})
    assert looked.status_code == 200
    done = director.post(
        path, {**sent, "do": "correct", "reason": "misread", "key": new_key(), "basis": FRESH}
    )
    assert done.status_code == 303
    assert Deal.objects.get(corrects=deal).answer["net"] == {"1": -50, "2": 100}


def test_a_hand_is_read_with_its_record_and_claims_no_replay_it_does_not_have(deal: Deal) -> None:
    event = deal.shoe.round.event
    director = logged_in("director")
    shown = text(director.get(f"/staff/{event.slug}/deals/{deal.pk}/replay/"))
    assert "cannot be played again" not in shown and "7h" in shown and "red" in shown
    pasted = {"records": json.dumps(deal.record), "key": new_key()}
    answer = director.post("/staff/replay/", pasted)
    assert "Hands of colour are settled here, not shown card by card." in text(answer)
