"""Whole events, the same in any process, and table pages under each sheet (T16; rows 10, 13, 20, 23, 24)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from jsonschema import Draft202012Validator

from games.blackjack.event_rules import rules_make
from games.blackjack.rules import SHEETS
from tables.models import Deal
from tables.selectors import floor
from tables.selectors.floor import event_rules
from tables.services import nights
from tests.cast.at_tables import Clerk, dealer_at, url, wanted
from tests.cast.floor import hand, seated, shoe_of
from tests.cast.simulated import event_of
from tournament.selectors.chain import chain_verify
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs" / "hand-record.schema.json").read_text()))


@pytest.mark.soak
@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_a_whole_event_runs_under_every_sheet(sheet: str) -> None:
    result = nights.event_simulate(entrants=5, seed=3, settings={"sheet": sheet, "boxes_per_table": 3})
    event = event_of(result)
    assert event_rules(event) == SHEETS[sheet]
    assert result["chips_issued"] == result["chips_on_tables"]
    assert min(each["place"] for each in result["places"]) == 1
    assert reconcile(event) == []
    assert chain_verify(event).broken_at is None
    shoe = shoe_of(seated(3, sheet=sheet))
    hand(shoe, {1: 200, 2: 200}, b1="natural", b2="push")
    records = Deal.objects.filter(status=Deal.Status.SETTLED).values_list("record", flat=True)
    assert len(records) > 10
    assert [error.message for record in records for error in SCHEMA.iter_errors(record)] == []
    assert {record["rules"] for record in records if record} == {sheet}


@pytest.mark.soak
@pytest.mark.parametrize("halves", ["player", "house"])
def test_A7_a_whole_event_runs_with_a_ladder_of_odd_chips(halves: str) -> None:
    ladder = {"bet_min_chips": 25, "bet_max_chips": 500, "bet_step_chips": 25, "chip_value_chips": 5}
    stacks = dict.fromkeys(("starting_chips", "play_off_chips", "sudden_death_chips"), 1_000)
    settings = {**ladder, **stacks, "options": {"halves": halves}, "boxes_per_table": 3}
    event = event_of(nights.event_simulate(entrants=5, seed=3, settings=settings))
    assert event_rules(event) == rules_make(
        "wonder", limits={"min": 25, "max": 500, "step": 25, "chip": 5}, options={"halves": halves}
    )
    deals = list(Deal.objects.filter(shoe__round__event=event))
    odd = [deal for deal in deals for bet in deal.bets.values() if bet % 10]
    assert odd
    assert reconcile(event) == []


ELSEWHERE = """
import sys
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
import django
django.setup()
from django.core.management import call_command
call_command("simulate", "--entrants", "4", "--seed", "8", "--json")
"""
"""The command in a process of its own, on this test's database."""


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_same_seed_is_the_same_night_with_any_hash_seed():
    def run(hash_seed: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-c", ELSEWHERE, connection.settings_dict["NAME"]],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "DJANGO_SETTINGS_MODULE": "config.settings"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        night = json.loads(done.stdout)
        # All but the slug and the head of the journal is the same.
        return {**night, "event": "", "journal": night["journal"]["entries"]}

    assert run("1") == run("77")


def clerk_at(sheet: str, bet: str = "", *cards: str) -> Clerk:
    shoe = shoe_of(seated(2, sheet=sheet))
    clerk = Clerk(dealer_at(shoe), shoe)
    if bet:
        clerk.press("bets", bet_1=bet)
    if cards:
        clerk.cards(*cards)
    return clerk


def settled(clerk: Clerk) -> Deal:
    clerk.in_hand("settle")
    return clerk.shoe.deals.get()


def page(clerk: Clerk) -> str:
    """The table's page as it is drawn: without what the script keeps for the hand to come."""
    whole = clerk.client.get(url(clerk.shoe), {"mode": "cards"}).content.decode()
    whole = re.sub(r'<template id="ahead".*?</template>', "", whole, flags=re.DOTALL)
    return re.sub(r' data-(ahead|rules)="[^"]*"', "", whole)


def test_row10_insurance_during_play_is_typed_until_the_dealer_draws() -> None:
    clerk = clerk_at("banco", "200", "9h", "Ac", "8s")
    typed = {"tap": "insurance:1:typed"}
    shown = page(clerk)
    assert "insurance:1:typed" in shown and "close_insurance" in shown
    assert clerk.in_hand("tap", **typed, insurance_amount_1="x").status_code == 422
    clerk.in_hand("tap", tap="close_insurance")
    assert wanted(clerk.tap("stand:1")) == "card"
    shown = page(clerk)
    assert "insurance:1:typed" in shown and "close_insurance" not in shown
    assert clerk.in_hand("tap", **typed, insurance_amount_1="55").status_code == 200
    assert "insurance:1:typed" not in page(clerk)
    # 17 loses 200 to the blackjack found after play; the insurance of 55 brings 110.
    clerk.cards("Kd")
    assert settled(clerk).answer["net"] == {"1": -90}


def test_row13_a_double_for_less_is_typed() -> None:
    clerk = clerk_at("ggpoker", "100", "5h", "9c", "6s")
    assert "double:1:typed" in page(clerk)
    assert clerk.in_hand("tap", tap="double:1:typed", double_amount_1="40").status_code == 200
    clerk.cards("Kh")
    clerk.in_hand("tap", card="Kd", hole="1")
    assert settled(clerk).answer["net"] == {"1": 140}


def test_row24_the_joker_has_a_key_and_takes_no_place() -> None:
    clerk = clerk_at("wiesbaden", "10")
    assert 'value="joker"' in page(clerk)
    assert clerk.in_hand("tap", tap="joker").status_code == 200
    clerk.cards("Kh", "9c", "Qs")
    clerk.in_hand("tap", tap="stand:1")
    clerk.cards("8d")
    assert settled(clerk).record["cards"][0] == "JK"
    assert 'value="joker"' not in page(clerk_at("eca"))


def test_T16_the_rules_of_a_bounded_number_of_stages_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    floor._PLAY.clear()
    monkeypatch.setattr(floor, "_PLAY_AT_MOST", 1)
    for sheet in ("wonder", "banco", "wonder"):
        assert floor.house_rules(seated(2, sheet=sheet)) == SHEETS[sheet]
        assert len(floor._PLAY) == 1


def test_row20_results_offer_what_the_sheet_offers() -> None:
    offers = {"wonder": (True, True), "eca": (False, True), "banco": (True, None), "ggpoker": (False, None)}
    for sheet, (surrender, even_money) in offers.items():
        clerk = clerk_at(sheet)
        shown = clerk.client.get(url(clerk.shoe), {"mode": "results"}).content.decode()
        assert ('value="surrender"' in shown) is surrender, sheet
        assert even_money is None or 'value="even_money"' in shown, sheet


def test_row23_the_table_shows_the_chip_on_the_line() -> None:
    clerk = clerk_at("banco", "15", "Ah", "9c", "Kh")
    settled(clerk)
    assert 'data-chips="5"' in page(clerk)
