"""A deal at the table: what is needed, what is legal, the hidden hole card, undo.

That a deal settles, is recorded and replayed as its record is held by the second opinion (``opinions.Live``).
"""

from typing import Any

import pytest

from games.blackjack.deal import (
    CardDrawn,
    Decision,
    HoleCard,
    InsuranceClosed,
    Legal,
    LookedUnder,
    Need,
    apply,
    deal_record,
    deal_start,
    legal,
    op_from_dict,
    undo,
)
from games.blackjack.rules import SHEETS
from ground.refused import Refused
from tests.games.blackjack.deals import after, refusal, started

WONDER = SHEETS["wonder"]
TWO = {1: 20, 2: 20}


def test_A1_the_deal_says_for_whom_each_card_is() -> None:
    deal = deal_start(WONDER, {3: 400, 1: 200})
    asked = []
    for card in ["8h", "9c", "6s", "8d", "Th"]:
        asked.append((deal.needs.kind, deal.needs.step, deal.needs.seat))
        assert (legal(deal), deal.needs.hand) == ([], None if deal.needs.seat is None else 0)
        deal = apply(deal, CardDrawn(card))
    assert asked == [("card", "deal", box) for box in (1, 3, None, 1, 3)]
    assert deal.needs == Need(kind="decision", step="play", seat=1, hand=0)


def test_A2_the_table_says_whether_a_hand_is_soft() -> None:
    for cards, total, soft in (("As 6h 7d", 18, True), ("Ts 6h 7d", 17, False), ("As 6h Ad", 12, True)):
        hand = started("eca", {1: 20}, cards).boxes[0].hands[0]
        assert (hand.total, hand.soft) == (total, soft)


def test_row3_the_hole_card_is_a_placeholder_until_it_is_turned() -> None:
    deal = started("wonder", {1: 200}, "Ts 6h 8d")
    assert (deal.dealer, deal.dealer_total, len(deal.cards)) == (("6h", "??"), 6, 3)
    deal = after(deal, Decision(1, "stand"))
    assert deal.needs == Need(kind="card", step="dealer", hole=True)
    deal = after(deal, HoleCard("Tc"), CardDrawn("5s"))
    assert (deal.needs.kind, deal.dealer_total) == ("done", 21)
    assert deal_record(deal)["cards"] == ["Ts", "6h", "8d", "Tc", "5s"]


def test_row4_the_look_is_asked_for_under_an_ace_and_a_ten_only() -> None:
    assert started("wonder", {1: 200}, "Ts Kh 8d").needs == Need(kind="look", step="look")
    assert started("wonder", {1: 200}, "Ts 9h 8d").needs.kind == "decision"
    assert started("ggpoker", {1: 20}, "Ts Kh 8d").needs.kind == "decision"


def test_row4_a_hole_card_is_what_the_look_said() -> None:
    deal = after(started("wonder", {1: 200}, "Ts Kh 8d"), LookedUnder(True))
    assert deal.needs == Need(kind="card", step="look", hole=True)
    assert refusal(deal, HoleCard("9c")) == "card_contradicts_look"
    ended = apply(deal, HoleCard("Ac"))
    assert (ended.needs.kind, (ended.answer or {})["net"]) == ("done", {"1": -200})
    deal = after(started("wonder", {1: 200}, "Ts Ah 8d"), InsuranceClosed(), LookedUnder(False))
    deal = apply(deal, Decision(1, "stand"))
    assert refusal(deal, HoleCard("Qc")) == refusal(deal, CardDrawn("Qc")) == "card_contradicts_look"
    assert apply(deal, HoleCard("7c")).needs.kind == "done"


def test_row10_insurance_is_open_before_the_look_and_closed_by_the_dealer() -> None:
    deal = started("wonder", {1: 200, 2: 200}, "Ts As Ah 8d Kd")
    assert deal.needs == Need(kind="decision", step="insurance")
    assert legal(deal)[2:] == [Legal(2, "even_money"), Legal(None, "close_insurance")]
    assert refusal(deal, Decision(1, "stand")) == refusal(deal, LookedUnder(False)) == "not_now"
    deal = after(deal, Decision(2, "even_money"), InsuranceClosed(), LookedUnder(False))
    assert refusal(deal, Decision(1, "insurance", 100)) == "insurance_closed"
    # Once nobody can take it, the offer closes by itself.
    deal = after(started("wonder", {1: 200}, "Ts Ah 8d"), Decision(1, "insurance", 100))
    assert deal.needs.kind == "look"


def test_row10_banco_offers_insurance_until_a_third_card_or_the_dealer_draws() -> None:
    deal = after(started("banco", TWO, "Ts Th Ah 9c 8s"), InsuranceClosed())
    hit = after(deal, Decision(1, "hit"), CardDrawn("2c"))
    assert refusal(hit, Decision(1, "insurance", 10)) == "insurance_closed"
    deal = after(deal, Decision(1, "stand"), Decision(2, "stand"))
    assert (deal.needs.kind, deal.needs.step, deal.needs.seat) == ("card", "dealer", None)
    deal = apply(deal, Decision(2, "insurance", 10))
    assert [(each.seat, each.action, each.max_chips) for each in legal(deal)] == [(1, "insurance", 10)]
    assert (deal.boxes[1].insurance_chips, deal.boxes[1].put_up_chips) == (10, 30)
    assert refusal(deal, Decision(2, "insurance", 10)) == "insurance_not_offered"
    assert refusal(deal, InsuranceClosed()) == "not_now"
    drawn = apply(deal, CardDrawn("3c"))
    assert (legal(drawn), refusal(drawn, Decision(1, "insurance", 10))) == ([], "not_now")


def test_row11_even_money_shows_in_the_box() -> None:
    box = after(started("eca", {1: 20}, "As Ah Kd"), Decision(1, "even_money")).boxes[0]
    assert (box.hands[0].state, box.net_chips) == ("even_money", 20)


def test_row18_the_second_split_card_is_asked_for_when_the_hand_is_reached_or_at_once() -> None:
    deal = after(started("wonder", {1: 200}, "8s 6h 8d"), Decision(1, "split"))
    assert deal.needs == Need(kind="card", step="play", seat=1, hand=0, behind=1)
    deal = apply(deal, CardDrawn("Td"))
    assert [hand.state for hand in deal.boxes[0].hands] == ["playing", "waiting"]
    second = Need(kind="card", step="play", seat=1, hand=1)
    assert apply(deal, Decision(1, "stand")).needs == second
    both = after(started("ggpoker", {1: 10}, "8s 6h 8d"), Decision(1, "split"), CardDrawn("Td"))
    assert both.needs == second


def test_A8_a_card_that_cannot_be_there_is_refused() -> None:
    deal = started("wonder", dict.fromkeys(range(1, 8), 200), "8s 8s 8s 8s 8s 8s")
    assert refusal(deal, CardDrawn("8s")) == "impossible_card"
    assert refusal(deal, CardDrawn("10h")) == refusal(deal, CardDrawn("JK")) == "bad_card"
    assert refusal(started("wiesbaden", TWO, "JK"), CardDrawn("JK")) == "impossible_card"


def test_nothing_happens_after_the_end() -> None:
    deal = after(started("wonder", {1: 200}, "Ts 6h 8d"), Decision(1, "surrender"), HoleCard("Tc"))
    assert (deal.needs.kind, legal(deal), refusal(deal, CardDrawn("2c"))) == ("done", [], "not_now")


def test_a_refused_operation_leaves_the_deal_as_it_was_and_undo_takes_the_last_one_back() -> None:
    deal = started("wonder", {1: 200}, "Ts 6h 8d")
    before = (deal.needs, deal.boxes, deal.ops)
    assert refusal(deal, Decision(1, "split")) == "split_not_allowed"
    assert (deal.needs, deal.boxes, deal.ops) == before
    assert undo(apply(deal, Decision(1, "hit"))) == deal
    for too_early, code in ((undo, "nothing_to_undo"), (deal_record, "deal_not_done")):
        with pytest.raises(Refused) as no:
            too_early(deal_start(WONDER, {1: 200}))
        assert no.value.code == code


@pytest.mark.parametrize(
    ("bets", "stacks", "code"),
    [
        ({}, None, "no_bets"),
        ({8: 200}, None, "bad_seat"),
        ({1: 300}, None, "bet_not_in_increment"),
        ({1: 400}, {1: 399}, "not_enough_chips"),
    ],
)
def test_A6_bets_are_checked_when_the_deal_starts(bets: Any, stacks: Any, code: str) -> None:
    with pytest.raises(Refused) as no:
        deal_start(WONDER, bets, stacks)
    assert no.value.code == code


HIT: dict[str, Any] = {"op": "decision", "seat": 1, "action": "hit"}


NO_OPERATION: list[Any] = [
    *({}, {"op": "deal"}, {"op": "card"}, {"op": "card", "card": 7}, {"op": "looked", "natural": 1}),
    *({"op": op, "card": "8h", "more": 1} for op in ("card", "burned", "hole_turned")),
    *({**HIT, "seat": seat} for seat in ("1", True)),
    *({**HIT, "amount": amount} for amount in ("5", 1.5)),
    *({**HIT, **more} for more in ({"player": 7}, {"with": ["ben"]}, {"with": {"b": "40"}}, {"more": 1})),
    {"op": "exposed", "card": "2h", "refused": ["1"]},
    {"op": "exposed", "card": "2h", "refused": [], "more": 1},
    *({"op": "skipped", "seat": 2, "behind": None}, {"op": "skipped", "seat": True}),
]


@pytest.mark.parametrize("data", NO_OPERATION)
def test_what_is_no_operation_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(Refused) as no:
        op_from_dict(data)
    assert no.value.code == "bad_operation"
