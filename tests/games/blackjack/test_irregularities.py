"""What goes wrong at a table: irregularities and rulings that are played on, and void rounds.

The second opinion plays rounds with burned, refused and surplus cards and boxes left out. Here is what it
does not play: what is refused, the extra card of one sheet, and what a ruling plays on whatever the sheet.
"""

import json
from typing import Any

import pytest

from games.blackjack.deal import (
    CardBurned,
    CardDrawn,
    CardExposed,
    Deal,
    Decision,
    HoleCard,
    HoleTurned,
    InsuranceClosed,
    LookedUnder,
    NotDealt,
    Skipped,
    apply,
    deal_record,
    op_from_dict,
    op_to_dict,
)
from games.blackjack.record import answer, settle
from games.blackjack.rules import SHEETS
from tests.games.blackjack.deals import after, record, refusal, started

ONE, TWO = {1: 20}, {1: 20, 2: 20}
IMPOSSIBLE, LOOK = "irregularity_impossible", "card_contradicts_look"


def wrong(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, **more}


def code(sheet: str, bets: dict[int, int], cards: str, moves: str, *found: Any) -> str | None:
    return answer(record(sheet, bets, cards, moves, irregularities=list(found))).get("error")


def as_recorded(deal: Deal) -> list[dict[str, Any]]:
    """The irregularities of the record of a finished deal, which settles as the deal did."""
    written = json.loads(json.dumps(deal_record(deal)))
    assert {**settle(written), "id": 0} == {**(deal.answer or {}), "id": 0}
    for op in deal.ops:
        assert op_from_dict(json.loads(json.dumps(op_to_dict(op)))) == op
    return list(written["irregularities"])


# -- in the record -----------------------------------------------------------------------------------


PLAYED = "Ts 6h 9d Tc 5s"
"""Box 1 stands on 19 and the dealer has 21, in five cards."""


RECORDED: list[Any] = [
    ("wonder", "", wrong("face_up", card=1), "irregularity_not_known"),
    ("eca", "", wrong("extra", card=1), "irregularity_not_known"),
    ("eca", " 3h", wrong("face_up", card=6), "cards_left_over"),
    *(("eca", "", wrong("misdealt", card=card, refused=[1]), IMPOSSIBLE) for card in (1, 3, 5)),
    ("eca", " 3h", wrong("misdealt", card=6, refused=[1], after=9), IMPOSSIBLE),
    ("eca", "", wrong("dealer_extra", card=5), IMPOSSIBLE),
    ("eca", " 3h 4h", wrong("dealer_extra", card=6), "cards_left_over"),
    ("banco", " 3h", wrong("extra", card=6), None),
    ("banco", "", wrong("not_dealt", seat=1), IMPOSSIBLE),
    ("eca", "", wrong("hole_turned", after=0), IMPOSSIBLE),
    ("eca", "", wrong("skipped", seat=1, behind=1), IMPOSSIBLE),
    ("eca", "", wrong("skipped", seat=1), None),
]


@pytest.mark.parametrize(("sheet", "more", "found", "expected"), RECORDED)
def test_an_irregularity_of_a_record_is_one_that_can_be(
    sheet: str, more: str, found: Any, expected: str | None
) -> None:
    assert code(sheet, {1: 200 if sheet == "wonder" else 20}, PLAYED + more, "1 stand", found) == expected


def test_eca_a_refusal_for_which_there_was_no_turn_cannot_be() -> None:
    for moves, mark in (
        ("1 stand, 2 hit, 2 stand", {"refused": [1], "after": 1}),
        ("1 hit, 1 stand, 2 stand", {"refused": [2]}),
    ):
        found = wrong("misdealt", card=6, **mark)
        assert code("eca", TWO, "Ts 9s 6h 2d 3d 5c Tc Kh", moves, found) == IMPOSSIBLE


TWICE = (wrong("face_up", card=1), wrong("hole_turned", after=0), wrong("skipped", seat=1))


MISSHAPEN: list[Any] = [
    *(None, 7, {"kind": "face_up"}, ["face_up"], [{}], [{"kind": ["extra"]}], [wrong("flood", card=1)]),
    *([each, each] for each in TWICE),
    *([wrong("face_up", **card)] for card in ({}, {"card": 0}, {"card": 6}, {"card": True})),
    *([wrong("misdealt", card=4, refused=refused)] for refused in (1, ["1"], [2])),
    [wrong("misdealt", card=4, refused=[1], after="x")],
    *([wrong("not_dealt", seat=seat)] for seat in (2, "1", None)),
    *([wrong("hole_turned", after=after)] for after in (None, -1, True)),
    *([wrong("skipped", **skip)] for skip in ({"seat": 2}, {"seat": 1, "behind": 9})),
]


@pytest.mark.parametrize("found", MISSHAPEN)
def test_irregularities_of_the_wrong_shape_are_refused(found: Any) -> None:
    played = (
        record(sheet, ONE, PLAYED, "1 stand", irregularities=found) for sheet in ("eca", "banco", "ggpoker")
    )
    codes = {answer(each)["error"] for each in played}
    assert "bad_record" in codes <= {"bad_record", "irregularity_not_known", IMPOSSIBLE}


# -- void --------------------------------------------------------------------------------------------

REASONS = {"eca": ("misdeal",), "banco": ("cut_card",), "ggpoker": ("malfunction",)}


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_a_void_round_gives_every_bet_back_for_a_reason_of_the_sheet(sheet: str) -> None:
    bet = SHEETS[sheet].min_chips
    for reason in ("ruling", "misdeal", "cut_card", "malfunction"):
        void = answer(record(sheet, {1: bet, 3: bet}, "Ts 6h 9d", "", void=True, void_reason=reason))
        if reason in ("ruling", *REASONS.get(sheet, ())):
            back = {"net": {"1": 0, "3": 0}, "hands": {"1": [], "3": []}, "dealer": []}
            assert void == {**back, "void": reason, "id": None}
        else:
            assert void["error"] == "bad_record"


def test_a_void_round_is_said_to_be_and_is_still_checked_for_bets_and_cards() -> None:
    void = {"void": True, "void_reason": "ruling"}
    for more in ({"void_reason": None}, {"void_reason": ["ruling"]}, {"void": 1}, {"void": None}):
        assert answer(record("eca", ONE, "", "", **{**void, **more}))["error"] == "bad_record"
    assert answer(record("eca", {1: 5}, "Ts", "", **void))["error"] == "bet_below_minimum"
    assert answer(record("eca", ONE, "Xx", "", **void))["error"] == "bad_card"
    assert answer({**record("eca", ONE, "Ts", ""), **void, "decisions": 7})["error"] == "bad_record"
    assert answer(record("eca", ONE, PLAYED, "1 stand", **void | {"void": False}))["net"] == {"1": -20}


def test_row23_a_chip_on_the_line_stays_there_in_a_void_round() -> None:
    void = record("banco", ONE, "Ts", "", void=True, void_reason="cut_card", line_chips={1: 5})
    void["players"] = {"1": [{"name": "anna", "bet": 20}, {"name": "ben", "bet": 5, "line_chip": 5}]}
    got = answer(void)
    assert got["line_chip"] == {"1": 5}
    assert got["players"]["1"] == [{"name": "anna", "net": 0}, {"name": "ben", "net": 0, "line_chip": 5}]


# -- at the table ------------------------------------------------------------------------------------


def test_eca_a_card_that_nobody_refuses_is_the_next_one() -> None:
    dealt = started("eca", TWO, "Ts 9s 6h 2d 3d")
    hit = after(dealt, CardExposed("5c"), Decision(1, "hit"))
    assert hit.boxes[0].hands[0].cards == ("Ts", "2d", "5c")
    assert refusal(apply(dealt, CardExposed("5c", (1,))), CardExposed("6c", (2,))) == "not_now"


def test_eca_a_refusal_needs_a_turn() -> None:
    deal = started("eca", TWO, "Ts 9s 6h 2d 3d")
    assert refusal(deal, CardExposed("5c", (3,))) == "bad_seat"
    # Box 1 would take the card that box 2 has refused before its turn.
    assert refusal(apply(deal, CardExposed("5c", (2,))), Decision(1, "hit")) == IMPOSSIBLE
    assert refusal(apply(deal, Decision(1, "stand")), CardExposed("5c", (1,))) == IMPOSSIBLE
    skipped = apply(deal, Skipped(1, 2))
    assert refusal(skipped, CardExposed("5c", (2,))) == IMPOSSIBLE
    both = (wrong("skipped", seat=1, behind=2), wrong("misdealt", card=6, refused=[2], after=0))
    assert code("eca", TWO, "Ts 9s 6h 2d 3d 5c", "", *both) == IMPOSSIBLE


def test_banco_an_extra_card_is_the_next_one_or_is_left_over() -> None:
    deal = after(started("banco", ONE, "Ts 9h 2d"), CardExposed("5c"), Decision(1, "hit"))
    assert deal.boxes[0].hands[0].cards == ("Ts", "2d", "5c")
    deal = after(deal, Decision(1, "stand"), CardDrawn("8c"), CardBurned("4c"))
    assert as_recorded(deal) == [wrong("extra", card=4), wrong("extra", card=6)]
    assert refusal(started("banco", ONE, "Ts 9h 2d"), CardExposed("5c", (1,))) == "irregularity_not_known"


THREE = "9s 8d 7c 6d 2h 3c 4d"
"""Boxes 1, 2 and 3 have 11 each, the dealer shows a six."""
STOOD = Decision(1, "stand")


def three(*done: Any, cards: str = THREE) -> Deal:
    return after(started("wonder", {1: 200, 2: 200, 3: 200}, cards), *done)


NINE = started("eca", ONE, "Ts 9h 9d")
OUT = started("banco", {1: 20, 3: 40})


@pytest.mark.parametrize(
    ("deal", "op", "expected"),
    [
        (started("wonder", {1: 200}, "Ts 6h"), CardBurned("2h"), "irregularity_not_known"),
        (started("wonder", {1: 200}, "Ts 6h 2d"), CardExposed("2h"), "irregularity_not_known"),
        *((started("eca", ONE, "Ts"), op, "not_now") for op in (CardExposed("2h"), HoleCard("2h"), STOOD)),
        *((started("eca", ONE, "Ts"), op, "not_now") for op in (LookedUnder(True), InsuranceClosed())),
        *((NINE, op, "not_now") for op in (CardBurned("2h"), CardDrawn("2h"))),
        (after(NINE, STOOD, CardDrawn("Tc"), CardBurned("2c")), CardDrawn("3c"), "not_now"),
        (after(OUT, CardDrawn("Ts"), CardDrawn("9s")), NotDealt(1), IMPOSSIBLE),
        (after(OUT, *map(CardDrawn, ("Ts", "9s", "9h"))), NotDealt(3), "not_now"),
        (apply(OUT, CardDrawn("Ts")), NotDealt(7), "bad_seat"),
        *((apply(OUT, NotDealt(1)), NotDealt(box), IMPOSSIBLE) for box in (1, 3)),
        (started("eca", {1: 20, 3: 40}), NotDealt(1), "irregularity_not_known"),
        (NINE, HoleTurned("Td"), IMPOSSIBLE),
        (three(cards="9s 8d"), HoleTurned("Td"), "not_now"),
        (three(STOOD, HoleTurned("Td")), HoleTurned("Th"), IMPOSSIBLE),
        (three(*(Decision(box, "stand") for box in (1, 2, 3))), HoleTurned("Td"), "not_now"),
        (after(three(cards="9s 8d 7c Td 2h 3c 4d"), LookedUnder(False)), HoleTurned("Ad"), LOOK),
        # Only the box whose turn it is was skipped, and once in a hand.
        *((three(STOOD), Skipped(box, behind), IMPOSSIBLE) for box, behind in ((1, 2), (2, 1), (2, 2))),
        *((three(), Skipped(2, behind), IMPOSSIBLE) for behind in (3, None)),
        *((three(STOOD), Skipped(2, 4), "bad_seat"), (three(), Skipped(4), "bad_seat")),
        (three(Skipped(1, 2)), Skipped(2), IMPOSSIBLE),
        (three(STOOD, cards="9s Ad 7c 6d 2h Kc 4d"), Skipped(2, 3), IMPOSSIBLE),  # it had nothing to decide
    ],
)
def test_at_the_table_what_cannot_have_happened_now_is_refused(deal: Deal, op: Any, expected: str) -> None:
    assert refusal(deal, op) == expected


# -- played on by a ruling ---------------------------------------------------------------------------


def test_a_hole_card_that_was_turned_too_early_is_in_its_place_and_not_asked_for_again() -> None:
    deal = three(STOOD, HoleTurned("Td"))
    assert (deal.dealer, deal.dealer_total, deal.needs.seat) == (("6d", "Td"), 16, 2)
    deal = after(deal, Decision(2, "hit"), CardDrawn("Ts"), Decision(2, "stand"), Decision(3, "stand"))
    # The next card is the dealer's third.
    assert (deal.needs.step, deal.needs.hole) == ("dealer", False)
    deal = apply(deal, CardDrawn("2s"))
    assert as_recorded(deal) == [wrong("hole_turned", after=1)]
    assert deal_record(deal)["cards"] == [*THREE.split(), "Td", "Ts", "2s"]
    assert (deal.answer or {})["net"] == {"1": -200, "2": 200, "3": -200}


def test_a_box_that_was_skipped_acts_behind_the_one_that_acted() -> None:
    deal = three(STOOD, Skipped(2, 3))
    assert deal.needs.seat == 3
    deal = after(deal, Decision(3, "hit"), CardDrawn("Ts"), Decision(3, "stand"))
    assert deal.needs.seat == 2
    deal = after(
        deal, Decision(2, "hit"), CardDrawn("9h"), Decision(2, "stand"), HoleCard("Td"), CardDrawn("4s")
    )
    assert as_recorded(deal) == [wrong("skipped", seat=2, behind=3)]
    written = deal_record(deal)
    # The cards as they left the shoe, the decisions as they were made.
    assert written["cards"] == [*THREE.split(), "Td", "Ts", "9h", "4s"]
    assert [each["seat"] for each in written["decisions"]] == [1, 3, 3, 2, 2]
    assert (deal.answer or {})["net"] == {"1": -200, "2": 0, "3": 200}


def test_a_box_that_was_skipped_and_has_no_chance_left_stands() -> None:
    deal = three(STOOD, Skipped(2), Decision(3, "hit"), CardDrawn("Ts"), Decision(3, "stand"))
    deal = after(deal, HoleCard("Td"), CardDrawn("4s"))
    assert as_recorded(deal) == [wrong("skipped", seat=2)]
    assert {"seat": 2, "action": "stand"} in deal_record(deal)["decisions"]
    assert (deal.answer or {})["net"] == {"1": -200, "2": -200, "3": 200}
