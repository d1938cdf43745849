"""Row 23 at a table: the odd half of a natural lies on the line until the box's next hand decides it."""

from __future__ import annotations

from typing import Any

import pytest

from pages.dealer.games.parts import fields_of
from tables.models import Shoe
from tables.selectors.deals import deal_play, line_chips
from tables.selectors.floor import house_rules
from tables.services import corrections, dealing
from tests.cast.amending import tapped
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, hand, opened, recorded, refusal, result, seated, shoe_of
from tournament.models import Round
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db

NATURAL = ["Ah", "9c", "Ks", "8d"]  # the box has blackjack, the dealer 17


@pytest.fixture
def round_() -> Round:
    return seated(2, sheet="banco")


@pytest.fixture
def shoe(round_: Round) -> Shoe:
    return shoe_of(round_)


def on_line(shoe: Shoe) -> dict[int, int]:
    return line_chips(shoe, house_rules(shoe.round))


def record(cards: list[str], *decisions: str, bet: int = 15, **more: Any) -> dict[str, Any]:
    said = [{"seat": 1, "action": action} for action in decisions]
    return {"rules": "banco", "bets": {"1": bet}, "cards": cards, "decisions": said} | more


@pytest.mark.parametrize(("word", "net", "left"), [("win", 20, {}), ("lose", -15, {}), ("push", 0, {1: 5})])
def test_row23_the_next_hand_decides_the_chip(round_: Round, shoe: Shoe, word, net, left) -> None:
    before = chips_at(round_, 1)
    recorded(shoe, record(NATURAL[:3]))
    # 3:2 of 15 is 22.50: 20 are paid in chips of 5 and one chip lies on the line.
    assert (chips_at(round_, 1), on_line(shoe)) == (before + 20, {1: 5})
    hand(shoe, {2: 10}, b2="win")
    dealing.deal_void(deal_id=opened(shoe, {1: 15}).pk, reason="misdeal", key=new_key(), actor=None)
    assert on_line(shoe) == {1: 5}, "it waits while the box sits out and over a void hand"
    before = chips_at(round_, 1)
    made = hand(shoe, {1: 15}, b1=word)
    assert made.record is not None
    assert made.record["line_chips"] == {"1": 5}
    assert chips_at(round_, 1) == before + net
    assert on_line(shoe) == left
    assert reconcile(round_.event) == []


def test_row23_a_hand_entered_card_by_card_plays_for_the_chip(round_: Round, shoe: Shoe) -> None:
    recorded(shoe, record(NATURAL[:3]))
    before = chips_at(round_, 1)
    deal = tapped(opened(shoe, {1: 15}), "Kh 9c Qs stand:1 8d")
    assert (deal_play(deal).answer or {})["net"] == {"1": 20}
    dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)
    assert chips_at(round_, 1) == before + 20
    assert on_line(shoe) == {}


def test_row23_a_record_with_other_chips_on_the_line_is_refused(shoe: Shoe) -> None:
    win = ["Kh", "9c", "Qs", "8d"]
    with refusal("line_chips_differ"):
        recorded(shoe, record(win, "stand", line_chips={"1": 5}))
    recorded(shoe, record(NATURAL[:3]))
    with refusal("line_chips_differ"):
        recorded(shoe, record(win, "stand", line_chips={"1": 10}))
    assert recorded(shoe, record(win, "stand", line_chips={"1": 5})).answer["net"] == {"1": 20}  # type: ignore[index]  # settled


def test_row23_a_correction_takes_the_chip_off_the_line_until_a_hand_decides_it(shoe: Shoe) -> None:
    first = recorded(shoe, record(NATURAL[:3]))
    won = {"bets": {1: 15}, "outcomes": {1: result("win")}}
    made = corrections.deal_correct(deal_id=first.pk, **won, reason="it was 20", key=new_key(), actor=None)
    assert on_line(shoe) == {}
    assert reconcile(shoe.round.event) == []
    again = {"record": record(NATURAL[:3]), "reason": "it was not"}
    made = corrections.deal_correct(deal_id=made["deal"], **again, key=new_key(), actor=None)
    hand(shoe, {1: 15}, b1="win")
    with refusal("line_chip_decided"):
        corrections.correction_preview(deal_id=made["deal"], **won)
    # What leaves the chip as it was can still be put right.
    corrections.correction_preview(deal_id=made["deal"], record=record(["Ah", "8c", "Ks"]))


def test_row23_a_natural_is_entered_again_as_a_natural(shoe: Shoe) -> None:
    """In a correction: its net is not three to two of the bet where a chip went to the line."""
    rules = house_rules(shoe.round)
    assert fields_of(rules, recorded(shoe, record(NATURAL[:3])))["out-1"] == "natural"
    given_up = recorded(shoe, record(["Kh", "9c", "6s"], "surrender", bet=15))
    assert fields_of(rules, given_up)["out-1"] == "surrender"


def test_T12_no_side_bets_and_one_player_a_box_in_an_event() -> None:
    shoe = shoe_of(seated(2, sheet="wiesbaden"))
    entered = record(["Kh", "9c", "Ks", "8d"], "stand", bet=10, rules="wiesbaden")
    two = [{"name": "Ann", "bet": 10}, {"name": "Bo", "bet": 10}]
    for more, code in (
        ({"side_bets": {"1": {"twins": 10}}}, "side_bet_not_offered"),
        ({"players": {"1": two}}, "players_not_allowed"),
        ({"void": True, "void_reason": "ruling"}, "void_at_table"),
    ):
        with refusal(code):
            recorded(shoe, entered | more)
    assert recorded(shoe, entered)
