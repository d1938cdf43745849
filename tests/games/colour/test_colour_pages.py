"""A second game on the pages that all games share: set up, posted, dealt, put right, read."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from tables.models import Deal
from tables.selectors.records import recorded_hand
from tests.cast import floor as cast
from tests.cast.at_desk import codes
from tests.cast.at_tables import Clerk, dealer_at, logged_in, text, url
from tests.cast.factories import EventFactory, new_key
from tests.cast.presses import FRESH
from tests.games.colour.deals import dealt, rouge
from tests.games.colour.game import ACES, SHOE_SAID, TURNED, WANTED
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
    assert 'name="ace"' in shown and "insurance" not in shown.lower()
    assert TURNED[:-1] in shown
    sent = {"key": new_key(), "basis": FRESH, "ace": '"push"'}
    assert director.post(f"/staff/{event.slug}/setup/hand/", sent).status_code == 303
    event.refresh_from_db()
    assert event.settings.options == {"ace": "push"}
    form = page(director, f"/staff/{event.slug}/setup/")
    assert '<option value="1" selected>1 deck</option>' in form and '<option value="8"' not in form


def test_T16_its_rules_are_posted_for_everybody_to_read(round_: Round) -> None:
    said = text(Client().get(f"/e/{round_.event.slug}/rules/"))
    for sentence in (TURNED, ACES["push"], SHOE_SAID):
        assert sentence in said
    assert not re.search(r"blackjack|insurance|double|splitting|dealer's", said, re.I)


# -- At the table ------------------------------------------------------------------------------------------


def test_a_hand_is_dealt_on_the_plain_page(clerk: Clerk) -> None:
    clerk.press("bets", bet_1="50", bet_2="100")
    shown = text(clerk.client.get(url(clerk.shoe), {"mode": "cards"}))
    assert "Box 1" in shown and WANTED["decision"] in shown and "COLOUR" in shown
    assert not re.search(r"blackjack|H S D P R|surrender", shown, re.I)
    assert codes(clerk.in_hand("tap", card="7h"))[0] == "not_now"
    clerk.tap("red:1")
    clerk.tap("black:2")
    shown = page(clerk.client, url(clerk.shoe), mode="cards")
    assert WANTED["card"] in shown and "red:" not in shown
    clerk.cards("7h")
    shown = text(clerk.client.get(url(clerk.shoe), {"mode": "cards"}))
    assert WANTED["done"] in shown and "+50" in shown and "−100" in shown
    assert clerk.in_hand("settle").status_code == 200
    assert clerk.shoe.deals.get().answer["net"] == {"1": 50, "2": -100}


def test_a_hand_is_entered_by_results_on_the_plain_page(clerk: Clerk) -> None:
    shown = page(clerk.client, url(clerk.shoe), mode="results")
    offered = set(re.findall(r'name="out-1" value="(\w+)"', shown))
    assert offered == {f"{colour}_{came}" for colour in ("red", "black") for came in ("win", "lose", "push")}
    assert not re.search(r"insur|split|even_money|natural|blackjack", re.sub(r"<[^>]+>", " ", shown), re.I)
    checked = clerk.press("check", bet_1="50", out_1="red_win", bet_2="100", out_2="black_lose")
    assert "+50" in checked.content.decode() and "−100" in checked.content.decode()
    assert "bad_result" in codes(clerk.press("results", bet_1="50", out_1="natural"))
    impossible = clerk.press("results", bet_1="50", out_1="red_win", bet_2="50", out_2="black_win")
    assert "result_impossible" in codes(impossible)
    clerk.press("results", bet_1="50", out_1="red_win", bet_2="100", out_2="black_lose")
    deal = clerk.shoe.deals.get()
    assert deal.answer["net"] == {"1": 50, "2": -100}
    told = [(line.hands[0].word, line.net_chips) for line in recorded_hand(deal.shoe.round.event, deal).boxes]
    assert told == [("red", 50), ("black", -100)]


# -- Afterwards --------------------------------------------------------------------------------------------


def test_T17_a_hand_is_read_with_its_record_and_put_right_by_results_and_by_cards(round_: Round) -> None:
    deal = dealt(cast.shoe_of(round_), {1: 50, 2: 100}, {1: "red", 2: "black"}, "7h")
    director = logged_in("director")
    path = f"/staff/{round_.event.slug}/deals/{deal.pk}"
    read = director.get(f"{path}/replay/")
    assert "not_replayed" not in codes(read) and "7h" in text(read) and "red" in text(read)
    pasted = {"records": json.dumps(deal.record), "key": new_key()}
    assert "not_replayed" in codes(director.post("/staff/replay/", pasted))
    shown = page(director, f"{path}/correct/", how="results")
    assert re.findall(r'"out-\d" value="(\w+)" checked', shown) == ["red_win", "black_lose"]
    shown = page(director, f"{path}/correct/", how="cards")
    assert ">7h</textarea>" in shown and "\n2 black</textarea>" in shown and "hole card" not in shown
    sent = {"how": "cards", "bet-1": "50", "bet-2": "100", "cards": "7s", "decisions": "1 red\n2 black"}
    for more, status in (({"do": "preview"}, 200), ({"do": "correct", "reason": "misread"}, 303)):
        sent |= {**more, "key": new_key(), "basis": FRESH}
        assert director.post(f"{path}/correct/", sent).status_code == status
    assert Deal.objects.get(corrects=deal).answer["net"] == {"1": -50, "2": 100}
