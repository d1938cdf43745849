"""What is played on by a ruling, on every sheet: a hole card turned too early, a box that was skipped."""

import json
from typing import Any

import pytest

from games.blackjack.chosen import rules_make
from games.blackjack.deal import (
    CardDrawn,
    CardExposed,
    Deal,
    Decision,
    HoleCard,
    HoleTurned,
    LookedUnder,
    Skipped,
    apply,
    deal_record,
    deal_start,
    op_from_dict,
    op_to_dict,
)
from games.blackjack.record import answer, settle
from ground.refused import Refused
from tests.games.blackjack.deals import record


def wrong(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, **more}


def code(sheet: str, bets: dict[int, int], cards: str, moves: str, *found: Any) -> str | None:
    return answer(record(sheet, bets, cards, moves, irregularities=list(found))).get("error")


def started(sheet: str, bets: dict[int, int], cards: str) -> Deal:
    deal = deal_start(rules_make(sheet), bets)
    for card in cards.split():
        deal = apply(deal, CardDrawn(card))
    return deal


THREE = "9s 8d 7c 6d 2h 3c 4d"
"""Boxes 1, 2 and 3 have 11 each, the dealer shows a six."""


def three(*done: Any, cards: str = THREE) -> Deal:
    deal = started("wonder", {1: 200, 2: 200, 3: 200}, cards)
    for op in done:
        deal = apply(deal, op)
    return deal


def refused_code(deal: Deal, op: Any) -> str:
    with pytest.raises(Refused) as no:
        apply(deal, op)
    return no.value.code


def test_a_hole_card_that_was_turned_too_early_is_in_its_place_and_not_asked_for_again() -> None:
    deal = three(Decision(1, "stand"), HoleTurned("Td"))
    assert (deal.dealer, deal.dealer_total, deal.needs.seat) == (("6d", "Td"), 16, 2)
    assert refused_code(deal, HoleTurned("Th")) == "irregularity_impossible"
    for op in (Decision(2, "hit"), CardDrawn("Ts"), Decision(2, "stand"), Decision(3, "stand")):
        deal = apply(deal, op)
    # The next card is the dealer's third.
    assert (deal.needs.step, deal.needs.hole) == ("dealer", False)
    written = deal_record(apply(deal, CardDrawn("2s")))
    assert written["cards"] == [*THREE.split(), "Td", "Ts", "2s"]
    assert written["irregularities"] == [wrong("hole_turned", after=1)]
    without = {name: value for name, value in written.items() if name != "irregularities"}
    assert settle(written) == settle(without)
    assert settle(written)["net"] == {"1": -200, "2": 200, "3": -200}


def test_a_hole_card_is_turned_too_early_only_where_there_is_one_and_a_box_still_acts() -> None:
    assert refused_code(started("eca", {1: 20}, "Ts 6h 2d"), HoleTurned("Td")) == "irregularity_impossible"
    assert refused_code(three(cards="9s 8d"), HoleTurned("Td")) == "not_now"
    stood = three(*(Decision(box, "stand") for box in (1, 2, 3)))
    assert refused_code(stood, HoleTurned("Td")) == "not_now"


def test_a_hole_card_that_was_turned_too_early_is_what_the_look_said() -> None:
    looked = started("wonder", {1: 200}, "9s Td 2h")
    looked = apply(looked, LookedUnder(False))
    assert refused_code(looked, HoleTurned("Ad")) == "card_contradicts_look"
    assert apply(looked, HoleTurned("9d")).dealer == ("Td", "9d")


def test_a_box_that_was_skipped_acts_behind_the_one_that_acted() -> None:
    deal = three(Decision(1, "stand"), Skipped(2, 3))
    assert deal.needs.seat == 3
    for op in (Decision(3, "hit"), CardDrawn("Ts"), Decision(3, "stand")):
        deal = apply(deal, op)
    assert deal.needs.seat == 2
    for op in (Decision(2, "hit"), CardDrawn("9h"), Decision(2, "stand"), HoleCard("Td"), CardDrawn("4s")):
        deal = apply(deal, op)
    written = json.loads(json.dumps(deal_record(deal)))
    # The cards as they left the shoe, the decisions as they were made.
    assert written["cards"] == [*THREE.split(), "Td", "Ts", "9h", "4s"]
    assert [each["seat"] for each in written["decisions"]] == [1, 3, 3, 2, 2]
    assert written["irregularities"] == [wrong("skipped", seat=2, behind=3)]
    assert {**settle(written), "id": 0} == {**(deal.answer or {}), "id": 0}
    assert settle(written)["net"] == {"1": -200, "2": 0, "3": 200}


def test_a_box_that_was_skipped_and_has_no_chance_left_stands() -> None:
    deal = three(Decision(1, "stand"), Skipped(2))
    assert deal.needs.seat == 3
    for op in (Decision(3, "hit"), CardDrawn("Ts"), Decision(3, "stand"), HoleCard("Td"), CardDrawn("4s")):
        deal = apply(deal, op)
    written = deal_record(deal)
    assert {"seat": 2, "action": "stand"} in written["decisions"]
    assert written["irregularities"] == [wrong("skipped", seat=2)]
    assert settle(written)["net"] == (deal.answer or {})["net"] == {"1": -200, "2": -200, "3": 200}


@pytest.mark.parametrize(
    ("done", "op", "code"),
    [
        ((Decision(1, "stand"),), Skipped(1, 2), "irregularity_impossible"),
        ((), Skipped(2, 3), "irregularity_impossible"),
        ((), Skipped(2), "irregularity_impossible"),
        ((Decision(1, "stand"),), Skipped(2, 1), "irregularity_impossible"),
        ((Decision(1, "stand"),), Skipped(2, 2), "irregularity_impossible"),
        ((Decision(1, "stand"),), Skipped(2, 4), "bad_seat"),
        ((), Skipped(4), "bad_seat"),
        ((Skipped(1, 2),), Skipped(2), "irregularity_impossible"),
    ],
)
def test_only_the_box_whose_turn_it_is_was_skipped_and_once_in_a_hand(done: Any, op: Any, code: str) -> None:
    assert refused_code(three(*done), op) == code


def test_a_box_with_nothing_to_decide_was_not_skipped() -> None:
    deal = three(cards="9s Ad 7c 6d 2h Kc 4d")
    assert refused_code(apply(deal, Decision(1, "stand")), Skipped(2, 3)) == "irregularity_impossible"


def test_a_skipped_box_and_a_refused_card_are_too_much_for_one_hand() -> None:
    deal = started("eca", {1: 20, 2: 20}, "Ts 9s 6h 2d 3d")
    skipped = apply(deal, Skipped(1, 2))
    assert refused_code(skipped, CardExposed("5c", (2,))) == "irregularity_impossible"
    both = (wrong("skipped", seat=1, behind=2), wrong("misdealt", card=6, refused=[2], after=0))
    assert code("eca", {1: 20, 2: 20}, "Ts 9s 6h 2d 3d 5c", "", *both) == "irregularity_impossible"


RECORDED: list[tuple[list[dict[str, Any]], str | None]] = [
    ([wrong("hole_turned")], "bad_record"),
    ([wrong("hole_turned", after=-1)], "bad_record"),
    ([wrong("hole_turned", after=True)], "bad_record"),
    ([wrong("hole_turned", after=0)] * 2, "bad_record"),
    ([wrong("hole_turned", after=0)], None),
    ([wrong("skipped", seat=2)], "bad_record"),
    ([wrong("skipped", seat=1, behind=9)], "bad_record"),
    ([wrong("skipped", seat=1, behind=1)], "irregularity_impossible"),
    ([wrong("skipped", seat=1)] * 2, "bad_record"),
    ([wrong("skipped", seat=1)], None),
]


def test_a_record_of_a_ruling_is_checked() -> None:
    found = [code("wonder", {1: 200}, "Ts 6h 9d Tc 5s", "1 stand", *each) for each, _expected in RECORDED]
    assert found == [expected for _each, expected in RECORDED]


def test_a_hole_card_of_a_record_needs_a_sheet_that_has_one() -> None:
    turned = wrong("hole_turned", after=0)
    assert code("eca", {1: 20}, "Ts 6h 9d Tc 5s", "1 stand", turned) == "irregularity_impossible"


def test_operations_of_rulings_are_small_json_and_back() -> None:
    for op in (HoleTurned("Td"), Skipped(2), Skipped(2, 3)):
        assert op_from_dict(json.loads(json.dumps(op_to_dict(op)))) == op
    for bad in (
        {"op": "hole_turned", "card": "2h", "more": 1},
        {"op": "skipped", "seat": 2, "behind": None},
        {"op": "skipped", "seat": True},
    ):
        with pytest.raises(Refused) as no:
            op_from_dict(bad)
        assert no.value.code == "bad_operation"
