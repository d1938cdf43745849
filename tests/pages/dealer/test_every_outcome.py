"""By results every outcome of the sheet can be entered: many hands, doubles for less, not dealt to."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tables.models import Deal
from tests.cast.at_tables import HTMX, Clerk, chosen, dealer_at, logged_in, sentence, url
from tests.cast.floor import chips_at, seated, shoe_of
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


def clerk_at(sheet: str, **settings: Any) -> Clerk:
    shoe = shoe_of(seated(2, sheet=sheet, **settings))
    return Clerk(dealer_at(shoe), shoe)


def page(clerk: Clerk, **asked: Any) -> str:
    return clerk.client.get(url(clerk.shoe), {"mode": "results", **asked}).content.decode()


def split(box: int, *words: str) -> dict[str, str]:
    return {f"out-{box}": "split", **{f"hand-{box}-{at}": word for at, word in enumerate(words, start=1)}}


def doubled(page: str) -> str:
    return re.findall(r'name="dbl-1" value="(\w+)"', page)[0]


def corrected(clerk: Clerk, deal: Deal) -> str:
    address = f"/staff/{clerk.shoe.round.event.slug}/deals/{deal.pk}/correct/"
    return logged_in("director").get(address, {"how": "results"}).content.decode()


def test_row16_more_than_four_hands_where_the_sheet_sets_no_limit():
    clerk = clerk_at("eca")
    before = chips_at(clerk.shoe.round, 1)
    shown = page(clerk)
    assert 'name="hand-1-5"' not in shown
    typed = {"bet-1": "20", **split(1, "win", "win", "lose", "win"), "hands": "8"}
    assert 'name="hand-1-8"' in page(clerk, **typed)
    # The page that looks again keeps how many hands were asked for.
    looked = {"since": shown.split("?since=")[1].split("&")[0] + "x", "mode": "results", **typed}
    assert 'name="hand-1-8"' in clerk.client.get(url(clerk.shoe), looked, **HTMX).content.decode()
    answer = clerk.press("results", **{"bet-1": 20, **split(1, *["win"] * 4, "surrender")})
    assert answer.status_code == 422
    fourth = answer.content.decode().split('name="hand-1-4"')[1].split("</select>")[0]
    assert re.findall(r'value="(\w+)" selected', fourth) == ["win"]
    assert 'name="hand-1-5"' in answer.content.decode(), "what was refused keeps its fifth hand"
    answer = clerk.press("results", **{"bet-1": 20, **split(1, *["win"] * 5, "lose_doubled")})
    assert answer.status_code == 200, sentence(answer)
    assert chips_at(clerk.shoe.round, 1) == before + 5 * 20 - 40
    deal = Deal.objects.get()
    assert len(deal.outcomes["1"]["hands"]) == 6
    again = corrected(clerk, deal)
    assert 'name="hand-1-6"' in again
    assert 'name="hand-1-7"' in again, "one that is free"
    assert reconcile(clerk.shoe.round.event) == []


@pytest.mark.parametrize(("sheet", "most"), [("wonder", 4), ("ggpoker", 2)])
def test_row16_no_more_hands_are_offered_than_the_sheet_has(sheet, most):
    shown = page(clerk_at(sheet), hands="12")
    assert f'name="hand-1-{most}"' in shown
    assert f'name="hand-1-{most + 1}"' not in shown
    # Row 13: where a double is the same again no amount is asked.
    assert ('name="dbl-1"' in shown) == (sheet == "ggpoker")


def test_row13_a_double_for_less_by_results():
    clerk = clerk_at("ggpoker")
    before = chips_at(clerk.shoe.round, 1)
    assert 'name="dbl-1-1"' not in page(clerk), "no doubles after a split on this sheet"
    answer = clerk.press("results", **{"bet-1": 20, "out-1": "win_doubled", "dbl-1": "7"})
    assert answer.status_code == 200, sentence(answer)
    assert chips_at(clerk.shoe.round, 1) == before + 27
    assert doubled(corrected(clerk, Deal.objects.get())) == "7"
    for typed in ("21", "seven"):
        answer = clerk.press("results", **{"bet-1": 20, "out-1": "win_doubled", "dbl-1": typed})
        assert (answer.status_code, doubled(answer.content.decode())) == (422, typed)


def test_row13_a_double_for_less_after_a_split():
    clerk = clerk_at("ggpoker", options={"double_after_split": True})
    before = chips_at(clerk.shoe.round, 1)
    typed = {"bet-1": 20, **split(1, "lose_doubled", "win_doubled"), "dbl-1-1": "5"}
    answer = clerk.press("results", **typed)
    assert answer.status_code == 200, sentence(answer)
    assert chips_at(clerk.shoe.round, 1) == before - 25 + 40


def test_banco_a_box_that_was_not_dealt_to_by_results():
    clerk = clerk_at("banco")
    before = chips_at(clerk.shoe.round, 1)
    assert 'value="not_dealt"' in page(clerk)
    typed = {"bet-1": 20, "out-1": "not_dealt", "bet-2": 20, "out-2": "lose"}
    assert clerk.press("results", **typed).status_code == 200
    assert chips_at(clerk.shoe.round, 1) == before
    assert chosen(corrected(clerk, Deal.objects.get()))["out-1"] == "not_dealt"
