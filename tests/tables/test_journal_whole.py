"""The journal alone says what was played: the rules, the hands with what they put up, the void ones (T17)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.services import dealing
from tests.cast.corrected import put_right, round_1, words
from tests.cast.factories import new_key
from tests.cast.floor import hand, opened, record, recorded, result, seated, shoe_of, stack_at
from tests.cast.tied import code_at
from tournament.models import Event, JournalEntry
from tournament.services.penalties import penalty_add

pytestmark = pytest.mark.django_db


def noted(event: Event, kind: str) -> dict[str, Any]:
    entry = JournalEntry.objects.filter(event=event, kind=kind).latest("seq")
    body: dict[str, Any] = entry.body
    return body["noted"]


def test_T2_T13_T26_settings_and_all_that_was_put_up_are_in_the_journal():
    round_ = seated(3, decks=8)
    event, shoe = round_.event, shoe_of(round_)
    assert noted(event, "event.open")["settings"] == event.settings_json
    assert event.settings.decks == 8
    cards = ["6h", "9c", "5s", "Td", "Ks"]
    recorded(shoe, record({1: 400}, cards, {"seat": 1, "action": "double"}))
    said = noted(event, "deal.record")
    assert (said["net"], said["put_up"]) == ({"1": 800}, {"1": 800})
    assert (said["line_chip"], said["sits_out"]) == ({}, [])
    deal = opened(shoe, {1: 400}, mode="results")
    doubled = {"hands": [{"result": "win", "doubled": 400}]}
    dealing.deal_settle(deal_id=deal.pk, outcomes={1: doubled}, key=new_key(), actor=None)
    said = noted(event, "deal.settle")
    assert (said["net"], said["put_up"]) == ({"1": 800}, {"1": 800})
    held = stack_at(round_, 2).entry_id
    penalty_add(entry_id=held, kind="sit_out", reason="abuse", key=new_key(), actor=None)
    outcomes = {1: result("win"), 3: result("lose")}
    bets = {"shoe_id": shoe.pk, "bets": {1: 200, 3: 200}, "outcomes": outcomes}
    dealing.deal_record_results(**bets, key=new_key(), actor=None)
    assert noted(event, "deal.record")["sits_out"] == [2]


def test_row23_the_chip_on_the_line_is_noted():
    round_ = seated(2, sheet="banco")
    dealt = {"rules": "banco", "bets": {"1": 15}, "cards": ["Ah", "9c", "Ks"], "decisions": []}
    deal = recorded(shoe_of(round_), dealt)
    on_line = (deal.answer or {})["line_chip"]
    assert noted(round_.event, "deal.record")["line_chip"] == on_line != {}


def test_T17_a_void_hand_says_where_it_was_and_what_was_bet():
    round_ = seated(2)
    shoe = shoe_of(round_)
    hand(shoe, {1: 200}, b1="win")
    deal = opened(shoe, {1: 400})
    dealing.deal_void(deal_id=deal.pk, reason="exposed card", key=new_key(), actor=None)
    said = noted(round_.event, "deal.void")
    assert (said["table"], said["shoe"], said["number"]) == (1, 1, 2)
    kept = said["record"]
    assert (kept["bets"], kept["stacks"], kept["hand"]) == ({"1": 400}, {"1": 5_200}, 2)
    assert kept["entries"]["1"] == stack_at(round_, 1).entry.code


def test_T17_a_round_that_is_closed_again_says_who_is_through():
    round_, old = round_1()
    first = [code_at(round_, box) for box in (1, 2)]
    assert {*noted(round_.event, "round.close")["through"][str(round_.pk)]} == {*first}
    put_right(old, outcomes=words(b1="win", b2="lose", b3="win", b4="lose"))
    through = noted(round_.event, "request.decide")["through"][str(round_.pk)]
    assert {*through} == {code_at(round_, 1), code_at(round_, 3)}
