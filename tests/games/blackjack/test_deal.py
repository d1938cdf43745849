"""A deal at the table: what is needed, what is legal, the hidden hole card, undo, and the record of it."""

import json
from typing import Any

import pytest

from games.blackjack.boxes import EVEN_MONEY, PLAYING, STATE_NAMES
from games.blackjack.chosen import rules_make
from games.blackjack.deal import (
    CardDrawn,
    Deal,
    Decision,
    HoleCard,
    InsuranceClosed,
    Legal,
    LookedUnder,
    Need,
    Op,
    apply,
    deal_record,
    deal_replay,
    deal_start,
    legal,
    op_from_dict,
    op_to_dict,
    undo,
)
from games.blackjack.record import settle
from games.blackjack.rules import SHEETS
from ground.refused import Refused

WONDER = SHEETS["wonder"]


def dealt(cards: str, bets: dict[int, int], sheet: str = "wonder", **more: Any) -> Deal:
    deal = deal_start(SHEETS[sheet], bets, **more)
    for card in cards.split():
        deal = apply(deal, CardDrawn(card))
    return deal


def after(deal: Deal, *ops: Op) -> Deal:
    for op in ops:
        deal = apply(deal, op)
    return deal


def refusal(deal: Deal, op: Op) -> str:
    with pytest.raises(Refused) as no:
        apply(deal, op)
    return no.value.code


def words(deal: Deal) -> list[str]:
    return [offer.action for offer in legal(deal)]


def test_A1_the_deal_says_for_whom_each_card_is() -> None:
    deal = deal_start(WONDER, {3: 400, 1: 200})
    asked = []
    for card in ["8h", "9c", "6s", "8d", "Th"]:
        asked.append((deal.needs.kind, deal.needs.seat))
        assert legal(deal) == []
        deal = apply(deal, CardDrawn(card))
    assert asked == [("card", 1), ("card", 3), ("card", None), ("card", 1), ("card", 3)]
    assert deal.needs == Need(kind="decision", step="play", seat=1, hand=0)


def test_row3_the_hole_card_is_a_placeholder_until_it_is_turned() -> None:
    deal = dealt("Ts 6h 8d", {1: 200})
    assert deal.dealer == ("6h", "??")
    assert deal.dealer_total == 6
    assert deal.cards_seen == 3
    deal = after(deal, Decision(1, "stand"))
    assert deal.needs == Need(kind="card", step="dealer", hole=True)
    deal = after(deal, HoleCard("Tc"), CardDrawn("5s"))
    assert deal.needs.kind == "done"
    assert deal.dealer_total == 21
    assert deal_record(deal)["cards"] == ["Ts", "6h", "8d", "Tc", "5s"]


def test_row4_the_look_is_asked_for_under_an_ace_and_a_ten_only() -> None:
    assert dealt("Ts Kh 8d", {1: 200}).needs == Need(kind="look", step="look")
    assert dealt("Ts 9h 8d", {1: 200}).needs.kind == "decision"
    assert dealt("Ts Kh 8d", {1: 20}, "ggpoker").needs.kind == "decision"


def test_row4_a_natural_seen_in_the_look_ends_the_deal_once_it_is_turned() -> None:
    deal = after(dealt("Ts Kh 8d", {1: 200}), LookedUnder(True))
    assert deal.needs == Need(kind="card", step="look", hole=True)
    assert refusal(deal, HoleCard("9c")) == "card_contradicts_look"
    deal = apply(deal, HoleCard("Ac"))
    assert deal.needs.kind == "done"
    assert deal.answer is not None
    assert deal.answer["net"] == {"1": -200}


def test_row4_a_hole_card_that_contradicts_the_look_is_refused_when_it_is_turned() -> None:
    deal = after(dealt("Ts Ah 8d", {1: 200}), InsuranceClosed(), LookedUnder(False), Decision(1, "stand"))
    assert refusal(deal, HoleCard("Qc")) == "card_contradicts_look"
    assert refusal(deal, CardDrawn("Qc")) == "card_contradicts_look"
    assert apply(deal, HoleCard("7c")).needs.kind == "done"


def test_row10_insurance_is_open_before_the_look_and_closed_by_the_dealer() -> None:
    deal = dealt("Ts As Ah 8d Kd", {1: 400, 2: 200}, stacks={1: 500, 2: 900})
    assert deal.needs == Need(kind="decision", step="insurance")
    assert legal(deal) == [
        Legal(1, "insurance", 100, 100, 100),
        Legal(2, "insurance", 100, 100, 100),
        Legal(2, "even_money"),
        Legal(None, "close_insurance"),
    ]
    assert refusal(deal, Decision(1, "stand")) == "not_now"
    assert refusal(deal, LookedUnder(False)) == "not_now"
    deal = after(deal, Decision(2, "even_money"), InsuranceClosed(), LookedUnder(False))
    assert refusal(deal, Decision(1, "insurance", 100)) == "insurance_closed"


def test_row10_the_offer_closes_by_itself_when_nobody_can_take_it() -> None:
    assert dealt("Ts Ah 8d", {1: 200}, stacks={1: 250}).needs.kind == "look"
    deal = apply(dealt("Ts Ah 8d", {1: 200}), Decision(1, "insurance", 100))
    assert deal.needs.kind == "look"


def test_row10_banco_offers_insurance_during_play_until_a_third_card() -> None:
    deal = after(dealt("Ts Th Ah 9c 8s", {1: 20, 2: 20}, "banco"), InsuranceClosed())
    assert "insurance" in words(deal)
    deal = apply(deal, Decision(2, "insurance", 10))
    assert deal.boxes[1].insurance_chips == 10
    assert deal.boxes[1].put_up_chips == 30
    deal = after(deal, Decision(1, "hit"), CardDrawn("2c"))
    assert "insurance" not in words(deal)
    assert refusal(deal, Decision(1, "insurance", 10)) == "insurance_closed"


def test_row10_banco_offers_insurance_until_the_dealer_draws() -> None:
    deal = after(dealt("Ts Th Ah 9c 8s", {1: 20, 2: 20}, "banco"), InsuranceClosed())
    deal = after(deal, Decision(1, "stand"), Decision(2, "stand"))
    assert (deal.needs.kind, deal.needs.step, deal.needs.seat) == ("card", "dealer", None)
    assert {(each.seat, each.action, each.max_chips) for each in legal(deal)} == {
        (1, "insurance", 10),
        (2, "insurance", 10),
    }
    deal = apply(deal, Decision(2, "insurance", 10))
    assert {each.seat for each in legal(deal)} == {1}
    assert refusal(deal, Decision(2, "insurance", 10)) == "insurance_not_offered"
    assert refusal(deal, InsuranceClosed()) == "not_now"
    deal = apply(deal, CardDrawn("Kc"))
    assert deal.needs.kind == "done"
    assert legal(deal) == []
    assert deal.answer is not None
    assert deal.answer["net"] == {"1": -20, "2": 0}
    assert settle(deal_record(deal))["net"] == deal.answer["net"]


def test_row10_no_insurance_once_the_dealer_has_drawn_or_a_third_card_is_out() -> None:
    deal = after(dealt("Ts Th Ah 9c 8s", {1: 20, 2: 20}, "banco"), InsuranceClosed())
    stood = after(deal, Decision(1, "stand"), Decision(2, "stand"), CardDrawn("3c"))
    assert (stood.needs.kind, stood.needs.step) == ("card", "dealer")
    assert legal(stood) == []
    assert refusal(stood, Decision(2, "insurance", 10)) == "not_now"
    hit = after(deal, Decision(1, "hit"), CardDrawn("2c"), Decision(1, "stand"), Decision(2, "stand"))
    assert (hit.needs.kind, hit.needs.step) == ("card", "dealer")
    assert legal(hit) == []


def test_row11_even_money_shows_in_the_box() -> None:
    deal = apply(dealt("As Ah Kd", {1: 20}, "eca"), Decision(1, "even_money"))
    assert deal.needs.kind == "done"
    assert deal.boxes[0].hands[0].state == "even_money"
    assert deal.boxes[0].net_chips == 20


def test_legal_names_every_action_with_its_chips() -> None:
    deal = dealt("8s 6h 8d", {1: 200}, stacks={1: 500})
    assert legal(deal) == [
        Legal(1, "stand"),
        Legal(1, "hit"),
        Legal(1, "double", 200, 200, 100),
        Legal(1, "split", 200, 200, 100),
        Legal(1, "surrender"),
    ]
    assert words(dealt("8s 6h 8d", {1: 200}, stacks={1: 399})) == ["stand", "hit", "surrender"]


def test_row13_a_double_for_less_is_bounded_by_bet_and_stack() -> None:
    deal = dealt("6s 6h 5d", {1: 10}, "ggpoker", stacks={1: 17})
    assert Legal(1, "double", 1, 7, 1) in legal(deal)
    assert refusal(deal, Decision(1, "double")) == "not_enough_chips"
    assert apply(deal, Decision(1, "double", 7)).boxes[0].put_up_chips == 17


def test_row18_the_second_split_card_is_asked_for_when_the_hand_is_reached() -> None:
    deal = after(dealt("8s 6h 8d", {1: 200}), Decision(1, "split"))
    assert deal.needs == Need(kind="card", step="play", seat=1, hand=0)
    deal = after(deal, CardDrawn("Td"))
    assert [hand.state for hand in deal.boxes[0].hands] == ["playing", "waiting"]
    deal = after(deal, Decision(1, "stand"))
    assert deal.needs == Need(kind="card", step="play", seat=1, hand=1)


def test_row18_both_split_cards_are_asked_for_at_once() -> None:
    deal = after(dealt("8s 6h 8d", {1: 10}, "ggpoker"), Decision(1, "split"), CardDrawn("Td"))
    assert deal.needs == Need(kind="card", step="play", seat=1, hand=1)


def test_A8_a_card_that_cannot_be_there_is_refused() -> None:
    deal = deal_start(WONDER, dict.fromkeys(range(1, 8), 200))
    for _ in range(6):
        deal = apply(deal, CardDrawn("8s"))
    assert refusal(deal, CardDrawn("8s")) == "impossible_card"
    assert refusal(deal, CardDrawn("10h")) == "bad_card"
    assert refusal(deal, CardDrawn("JK")) == "bad_card"


def test_row24_the_joker_is_drawn_like_any_card_and_the_next_one_takes_its_place() -> None:
    deal = dealt("JK", {1: 20}, "wiesbaden", side_bets={1: {"twins": 10}})
    assert deal.needs.seat == 1
    assert deal.boxes[0].hands == ()
    assert deal.boxes[0].put_up_chips == 30
    deal = after(
        deal, *(CardDrawn(card) for card in ["8s", "9h", "8d"]), Decision(1, "stand"), CardDrawn("9c")
    )
    assert deal.answer is not None
    assert deal.answer["side_bets"] == {"1": 2000}
    assert settle(deal_record(deal))["net"] == deal.answer["net"]


def test_row23_the_chip_on_the_line_goes_with_the_deal() -> None:
    deal = after(
        dealt("Ts 9h 9d", {1: 20}, "banco", line_chips={1: 5}), Decision(1, "stand"), CardDrawn("9c")
    )
    assert deal.answer is not None
    assert deal.answer["net"] == {"1": 25}
    assert settle(deal_record(deal))["net"] == {"1": 25}


@pytest.mark.parametrize(
    "op",
    [Decision(1, "stand"), LookedUnder(False), HoleCard("Ac"), InsuranceClosed()],
    ids=lambda op: type(op).__name__,
)
def test_what_is_not_needed_now_is_refused(op: Op) -> None:
    assert refusal(deal_start(WONDER, {1: 200}), op) == "not_now"


def test_nothing_happens_after_the_end() -> None:
    deal = after(dealt("Ts 6h 8d", {1: 200}), Decision(1, "surrender"), HoleCard("Tc"))
    assert deal.needs.kind == "done"
    assert legal(deal) == []
    assert refusal(deal, CardDrawn("2c")) == "not_now"


def test_a_refused_operation_leaves_the_deal_as_it_was() -> None:
    deal = dealt("Ts 6h 8d", {1: 200})
    before = (deal.needs, deal.boxes, deal.ops)
    assert refusal(deal, Decision(1, "split")) == "split_not_allowed"
    assert (deal.needs, deal.boxes, deal.ops) == before


def test_undo_takes_the_last_operation_back() -> None:
    deal = dealt("Ts 6h 8d", {1: 200})
    on = apply(deal, Decision(1, "hit"))
    assert undo(on) == deal
    with pytest.raises(Refused) as no:
        undo(deal_start(WONDER, {1: 200}))
    assert no.value.code == "nothing_to_undo"


def test_A6_bets_are_checked_when_the_deal_starts() -> None:
    for bets, stacks, code in (
        ({}, None, "no_bets"),
        ({8: 200}, None, "bad_seat"),
        ({1: 300}, None, "bet_not_in_increment"),
        ({1: 400}, {1: 300}, "not_enough_chips"),
    ):
        with pytest.raises(Refused) as no:
            deal_start(WONDER, bets, stacks)
        assert no.value.code == code


def test_a_deal_that_is_not_over_has_no_record() -> None:
    with pytest.raises(Refused) as no:
        deal_record(dealt("Ts 6h 8d", {1: 200}))
    assert no.value.code == "deal_not_done"


def test_the_record_says_the_rules_of_the_event() -> None:
    rules = rules_make("wonder", decks=8, options={"surrender": "none"})
    deal = deal_start(rules, {1: 200}, {1: 900})
    ops: list[Op] = [
        CardDrawn("Ts"),
        CardDrawn("6h"),
        CardDrawn("9d"),
        Decision(1, "stand"),
        HoleCard("Tc"),
        CardDrawn("Kc"),
    ]
    made = deal_record(after(deal, *ops))
    assert (made["decks"], made["options"], made["stacks"]) == (8, {"surrender": "none"}, {"1": 900})


OPS: list[Op] = [
    CardDrawn("8h"),
    Decision(3, "stand"),
    Decision(3, "insurance", 100),
    LookedUnder(True),
    HoleCard("Kd"),
    InsuranceClosed(),
]


@pytest.mark.parametrize("op", OPS, ids=lambda op: type(op).__name__)
def test_an_operation_survives_json(op: Op) -> None:
    assert op_from_dict(json.loads(json.dumps(op_to_dict(op)))) == op


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"op": "deal"},
        {"op": "card"},
        {"op": "card", "card": 7},
        {"op": "card", "card": "8h", "more": 1},
        {"op": "decision", "seat": "1", "action": "hit"},
        {"op": "decision", "seat": True, "action": "hit"},
        {"op": "decision", "seat": 1, "action": "hit", "amount": "5"},
        {"op": "decision", "seat": 1, "action": "hit", "amount": 1.5},
        {"op": "looked", "natural": 1},
    ],
)
def test_what_is_no_operation_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(Refused) as no:
        op_from_dict(data)
    assert no.value.code == "bad_operation"


def test_replay_from_json_gives_the_same_deal() -> None:
    deal = after(dealt("8s 6h 8d", {1: 200}), Decision(1, "split"), CardDrawn("Td"), Decision(1, "stand"))
    ops = [op_from_dict(op_to_dict(op)) for op in deal.ops]
    assert deal_replay(WONDER, {1: 200}, None, ops) == deal


@pytest.mark.parametrize(
    ("first", "second", "total", "soft"),
    [("As", "7d", 18, True), ("Ts", "7d", 17, False), ("As", "Ad", 12, True)],
)
def test_A2_the_table_says_whether_a_hand_is_soft(first: str, second: str, total: int, soft: bool) -> None:
    deal = deal_start(SHEETS["eca"], {1: 20})
    for card in (first, "6h", second):
        deal = apply(deal, CardDrawn(card))
    hand = deal.boxes[0].hands[0]
    assert (hand.total, hand.soft) == (total, soft)
    deal = apply(apply(deal, Decision(1, "hit")), CardDrawn("9c"))
    # An ace and an ace and nine are 21 with one of them as 11.
    assert deal.boxes[0].hands[0].soft is (second == "Ad")


def test_A1_for_the_dealers_card_no_box_and_no_hand_is_named() -> None:
    deal = apply(deal_start(SHEETS["eca"], {1: 20}), CardDrawn("Ts"))
    assert (deal.needs.kind, deal.needs.step, deal.needs.seat, deal.needs.hand) == (
        "card",
        "deal",
        None,
        None,
    )


@pytest.mark.parametrize(("look", "hole"), [(True, "9c"), (False, "Kc")])
def test_row4_a_hole_card_that_contradicts_the_look_is_refused(look: bool, hole: str) -> None:
    deal = deal_start(SHEETS["ggpoker"], {1: 20})
    for card in ("Ts", "Ah", "9d"):
        deal = apply(deal, CardDrawn(card))
    deal = apply(apply(deal, InsuranceClosed()), LookedUnder(look))
    if not look:
        deal = apply(deal, Decision(1, "stand"))
    with pytest.raises(Refused) as no:
        apply(deal, HoleCard(hole))
    assert no.value.code == "card_contradicts_look"


def test_the_states_of_hands_have_the_names_that_the_pages_know() -> None:
    assert STATE_NAMES == ("playing", "stood", "bust", "surrendered", "natural", "paid", "even_money")
    assert (PLAYING, EVEN_MONEY) == (0, 6)
