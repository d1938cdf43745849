"""At the table: what goes wrong in a hand and is played on, where the sheet knows it (irregularities)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.blackjack.rules import SHEETS
from tables.models import Deal
from tests.cast.amending import tapped
from tests.cast.at_tables import Clerk, code, dealer_at, url, wanted
from tests.cast.floor import chips_at, opened, seated, shoe_of
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


def clerk_at(sheet: str, boxes: int = 2) -> Clerk:
    shoe = shoe_of(seated(boxes, sheet=sheet))
    return Clerk(dealer_at(shoe), shoe)


def page(clerk: Clerk) -> str:
    return clerk.client.get(url(clerk.shoe)).content.decode()


def mishap(clerk: Clerk, kind: str, card: str, **more: Any) -> Any:
    sent = {"mishap": kind, "mishap-rank": card[0], "mishap-suit": card[1], **more}
    return clerk.in_hand("tap", **sent)


def settled(clerk: Clerk) -> Deal:
    assert clerk.in_hand("settle").status_code == 200
    deal = Deal.objects.get(status="settled")
    assert reconcile(clerk.shoe.round.event) == []
    return deal


def test_eca_a_card_that_lay_face_up_is_burned_and_the_next_one_is_dealt():
    clerk = clerk_at("eca")
    clerk.press("bets", bet_1=200, bet_2=200)
    assert 'name="burned"' in page(clerk)
    clerk.cards("Ts")
    assert wanted(clerk.in_hand("tap", card="2h", burned="1")) == "card:2"
    clerk.cards("9s", "9h", "9d", "8d")
    clerk.tap("stand:1")
    clerk.tap("stand:2")
    clerk.cards("8c")
    deal = settled(clerk)
    assert deal.record["irregularities"] == [{"kind": "face_up", "card": 2}]
    assert deal.answer["net"] == {"1": 200, "2": 0}


def test_eca_a_card_dealt_in_error_is_refused_by_one_and_is_the_next_ones():
    clerk = clerk_at("eca")
    clerk.press("bets", bet_1=200, bet_2=200)
    clerk.cards("Ts", "9s", "6h", "2d", "3d")
    assert re.findall(r'name="refuses-(\d)"', page(clerk)) == ["1", "2"]
    answer = clerk.in_hand("tap", **{"mishap": "exposed", "mishap-rank": "5"})
    assert (answer.status_code, code(answer), len(clerk.deal.taps)) == (422, "no_rank", 5)
    answer = mishap(clerk, "exposed", "5c", **{"refuses-1": "1"})
    assert wanted(answer) == "decision:2"
    assert 'data-came-out="5c"' in answer.content.decode()
    # One card at a time comes out in error: the form is gone until somebody has it.
    assert 'value="exposed"' not in answer.content.decode()
    answer = clerk.tap("hit:2")
    assert "data-came-out" not in answer.content.decode()
    clerk.tap("stand:2")
    clerk.cards("Tc", "Kh")
    deal = settled(clerk)
    assert deal.record["irregularities"] == [{"kind": "misdealt", "card": 6, "refused": [1], "after": 0}]
    assert deal.answer["hands"]["2"][0]["cards"] == ["9s", "3d", "5c"]


def test_eca_a_card_too_many_on_the_finished_hand_of_the_dealer_is_burned():
    clerk = clerk_at("eca")
    clerk.press("bets", bet_1=200)
    clerk.cards("Ts", "9h", "9d")
    clerk.tap("stand:1")
    answer = clerk.cards("Tc")
    assert 'value="too_many"' in answer.content.decode()
    assert wanted(mishap(clerk, "too_many", "2c")) == "done"
    assert settled(clerk).record["irregularities"] == [{"kind": "dealer_extra", "card": 5}]


def test_banco_a_box_that_was_not_dealt_to_sits_out_and_has_its_bet_back():
    clerk = clerk_at("banco", 3)
    before = chips_at(clerk.shoe.round, 2)
    clerk.press("bets", bet_1=20, bet_2=40, bet_3=20)
    clerk.cards("Ts")
    assert 'value="not_dealt:2"' in page(clerk)
    assert wanted(clerk.tap("not_dealt:2")) == "card:3"
    clerk.cards("9s", "9h", "9d", "8d")
    clerk.tap("stand:1")
    clerk.tap("stand:3")
    clerk.cards("9c")
    deal = settled(clerk)
    assert deal.answer["net"] == {"1": 20, "2": 0, "3": -20}
    assert chips_at(clerk.shoe.round, 2) == before


@pytest.mark.parametrize("sheet", [name for name, rules in SHEETS.items() if not rules.irregularities])
def test_a_sheet_that_knows_none_offers_none_and_refuses_them(sheet):
    clerk = clerk_at(sheet)
    clerk.press("bets", bet_1=200, bet_2=200)
    assert not re.search('name="burned"|value="exposed"', page(clerk))
    for sent in ({"card": "2h", "burned": "1"}, {"tap": "not_dealt:1"}):
        answer = clerk.in_hand("tap", **sent)
        assert (answer.status_code, code(answer)) == (422, "irregularity_not_known")


# -- What needs a ruling, on every sheet ------------------------------------------------------------------

THREE = "9s 8d 7c 6d 2h 3c 4d"
BETS = {1: 200, 2: 200, 3: 200}


def forms(page: str) -> list[str]:
    return re.findall(r'data-wrong="(\w+)"', page)


def wrong(clerk: Clerk, which: str, ruling: str = "play_on", **more: Any) -> Any:
    return clerk.in_hand("wrong", **{"wrong": which, "ruling": ruling, "reason": "Floor: Ann"} | more)


def replayed(clerk: Clerk, deal: Deal) -> list[str]:
    answer = clerk.client.get(f"/staff/{deal.shoe.round.event.slug}/deals/{deal.pk}/replay/")
    return re.findall(r'data-ruling="(\w+)"', answer.content.decode())


def test_T17_a_hole_card_turned_too_early_and_a_skipped_box_are_played_on_or_the_hand_is_void():
    shoe = shoe_of(seated(3))
    clerk, deal = Clerk(dealer_at(shoe), shoe), tapped(opened(shoe, BETS), THREE[:-3])
    assert forms(page(clerk)) == []
    tapped(deal, THREE[-2:])
    assert forms(page(clerk)) == ["hole", "skipped"]
    # Without the card, or without a reason, nothing is kept, and the form says so where it was sent.
    for suit, reason, why in (("", "Ann", "no_rank"), ("d", "", "reason_missing")):
        answer = wrong(clerk, "hole", rank="T", suit=suit, reason=reason)
        assert answer.status_code == 422
        form = answer.content.decode().partition('data-wrong="hole"')[2].partition("</form>")[0]
        assert f'data-code="{why}"' in form
        assert '<option value="T" selected>' in form
    assert len(clerk.deal.taps) == 7
    answer = wrong(clerk, "skipped", seat=1, behind=2)
    assert forms(answer.content.decode()) == ["hole"]
    tapped(deal, "stand:2")
    answer = wrong(clerk, "hole", rank="T", suit="d")
    assert forms(answer.content.decode()) == []
    tapped(deal, "stand:1 stand:3 4c")
    deal = settled(clerk)
    assert deal.record["cards"] == [*THREE.split(), "Td", "4c"]
    assert [each["kind"] for each in deal.record["irregularities"]] == ["skipped", "hole_turned"]
    assert replayed(clerk, deal) == ["play_on", "play_on"]
    # The next hand: the last box was skipped, which can only stand; but the floor makes the hand void.
    deal = tapped(opened(shoe, BETS), f"{THREE} stand:1 stand:2")
    assert wrong(clerk, "skipped", "void", seat=3, behind="stands").status_code == 200
    deal.refresh_from_db()
    assert (deal.status, replayed(clerk, deal)) == ("void", ["void"])
