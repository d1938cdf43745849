"""What goes wrong at a table: irregularities that are played on, and void rounds, in the record and live."""

import json
from typing import Any

import pytest

from games.blackjack.chosen import rules_make
from games.blackjack.deal import (
    CardBurned,
    CardDrawn,
    CardExposed,
    Deal,
    Decision,
    HoleCard,
    InsuranceClosed,
    LookedUnder,
    NotDealt,
    apply,
    deal_record,
    deal_start,
    legal,
    op_from_dict,
    op_to_dict,
)
from games.blackjack.record import answer, settle
from games.blackjack.results import results_settle
from games.blackjack.rules import SHEETS
from games.blackjack.told import outcomes_of
from ground.refused import Refused
from tests.games.blackjack.deals import record


def wrong(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, **more}


def made(
    sheet: str, bets: dict[int, int], cards: str, moves: str, *found: Any, **more: Any
) -> dict[str, Any]:
    return record(sheet, bets, cards, moves, irregularities=list(found), **more)


def code(*args: Any, **more: Any) -> str | None:
    return answer(made(*args, **more)).get("error")


def test_irregularities_are_data_of_the_sheet() -> None:
    assert {name: rules.irregularities for name, rules in SHEETS.items() if rules.irregularities} == {
        "eca": ("face_up", "misdealt", "dealer_extra"),
        "banco": ("extra", "not_dealt"),
    }
    assert {name: rules.void_reasons for name, rules in SHEETS.items()} == {
        "wonder": ("ruling",),
        "eca": ("ruling", "misdeal"),
        "banco": ("ruling", "cut_card"),
        "ggpoker": ("ruling", "malfunction"),
        "wiesbaden": ("ruling",),
    }
    assert (
        code("wonder", {1: 200}, "Ts 6h 9d Tc 5s", "1 stand", wrong("face_up", card=1))
        == "irregularity_not_known"
    )


# -- eca ---------------------------------------------------------------------------------------------


def test_eca_a_card_found_face_up_is_burned() -> None:
    settled = settle(
        made(
            "eca",
            {1: 20},
            "Ts 2h 6h 9d 3h Tc 5s",
            "1 stand",
            wrong("face_up", card=2),
            wrong("face_up", card=5),
        )
    )
    assert settled["hands"]["1"][0]["cards"] == ["Ts", "9d"]
    assert settled["dealer"] == ["6h", "Tc", "5s"]


def test_eca_a_burned_card_counts_among_the_copies() -> None:
    cards = "8s 8s 8s 8s 8s 8s 8s"
    assert code("eca", {1: 20}, cards, "1 stand", wrong("face_up", card=1)) == "impossible_card"


def test_eca_a_burned_card_with_no_card_after_it_is_left_over() -> None:
    assert code("eca", {1: 20}, "Ts 6h 9d Tc 5s 3h", "1 stand", wrong("face_up", card=6)) == "cards_left_over"


def test_eca_a_card_dealt_in_error_is_played_as_the_next_card() -> None:
    cards = "Ts 6h 2d 5c Tc 5s"
    settled = settle(made("eca", {1: 20}, cards, "1 hit, 1 stand", wrong("misdealt", card=4)))
    assert settled["hands"]["1"][0]["cards"] == ["Ts", "2d", "5c"]


def test_eca_who_refuses_the_card_gets_no_other_and_the_next_player_may_have_it() -> None:
    bets = {1: 20, 2: 20}
    cards = "Ts 9s 6h 2d 3d 5c Tc Kh"
    settled = settle(made("eca", bets, cards, "2 hit, 2 stand", wrong("misdealt", card=6, refused=[1])))
    assert [hand["cards"] for hand in settled["hands"]["1"]] == [["Ts", "2d"]]
    assert [hand["cards"] for hand in settled["hands"]["2"]] == [["9s", "3d", "5c"]]
    assert code("eca", bets, cards, "1 hit, 2 stand", wrong("misdealt", card=6, refused=[1])) == "out_of_turn"


def test_eca_a_card_that_all_refuse_is_the_dealers_next() -> None:
    settled = settle(
        made("eca", {1: 20, 2: 20}, "Ts 9s 6h 2d 3d 5c Tc", "", wrong("misdealt", card=6, refused=[1, 2]))
    )
    assert settled["dealer"] == ["6h", "5c", "Tc"]
    assert settled["net"] == {"1": -20, "2": -20}


def test_eca_a_refused_card_that_the_dealer_does_not_need_is_left() -> None:
    cards = "Ts 6h 6d Tc 5c"
    assert code("eca", {1: 20}, cards, "1 hit", wrong("misdealt", card=5)) is None
    assert code("eca", {1: 20}, cards, "1 hit") == "cards_left_over"


STANDS = "1 stand"


def test_eca_a_refusal_says_after_how_many_decisions_the_card_came_out() -> None:
    late = wrong("misdealt", card=6, refused=[1], after=2)
    settled = settle(made("eca", {1: 20}, "8s 6h 8d Ts 9c 5c Tc", "1 split, 1 stand", late))
    assert [hand["cards"] for hand in settled["hands"]["1"]] == [["8s", "Ts"], ["8d", "9c"]]
    assert settled["dealer"] == ["6h", "5c", "Tc"]
    early = wrong("misdealt", card=5, refused=[1], after=1)
    settled = settle(made("eca", {1: 20}, "8s 6h 8d Ts 9c 5c", "1 split", early))
    # The second hand never got its second card: it stands with the one that it has.
    assert [hand["cards"] for hand in settled["hands"]["1"]] == [["8s", "Ts"], ["8d"]]
    assert settled["dealer"] == ["6h", "9c", "5c"]
    never = wrong("misdealt", card=6, refused=[1], after=9)
    cards = "8s 6h 8d Ts 9c 5c Tc"
    assert code("eca", {1: 20}, cards, f"1 split, {STANDS}, {STANDS}", never) == "irregularity_impossible"


@pytest.mark.parametrize(
    ("cards", "moves", "mark"),
    [
        ("Ts 6h 9d Tc 5s", "1 stand", {"card": 1, "refused": [1]}),
        ("Ts 6h 9d Tc 5s", "1 stand", {"card": 3, "refused": [1]}),
        ("Ts 6h 9d Tc 5s", "1 stand", {"card": 5, "refused": [1]}),
        ("Ts 9s 6h 2d 3d 5c Tc Kh", f"{STANDS}, 2 hit, 2 stand", {"card": 6, "refused": [1], "after": 1}),
        ("Ts 9s 6h 2d 3d 5c Tc Kh", f"1 hit, {STANDS}, 2 stand", {"card": 6, "refused": [2]}),
    ],
)
def test_eca_a_refusal_for_which_there_was_no_turn_cannot_be(cards: str, moves: str, mark: Any) -> None:
    bets = {1: 20, 2: 20} if "9s" in cards else {1: 20}
    assert code("eca", bets, cards, moves, wrong("misdealt", **mark)) == "irregularity_impossible"


def test_eca_a_card_too_many_on_the_dealers_finished_hand_is_burned() -> None:
    settled = settle(made("eca", {1: 20}, "Ts 6h 9d Tc 5s 3h", "1 stand", wrong("dealer_extra", card=6)))
    assert settled["dealer"] == ["6h", "Tc", "5s"]
    early = wrong("dealer_extra", card=5)
    assert code("eca", {1: 20}, "Ts 6h 9d Tc 5s", "1 stand", early) == "irregularity_impossible"
    two = "Ts 6h 9d Tc 5s 3h 4h"
    assert code("eca", {1: 20}, two, "1 stand", wrong("dealer_extra", card=6)) == "cards_left_over"


# -- banco -------------------------------------------------------------------------------------------


def test_banco_an_extra_card_is_the_next_card() -> None:
    settled = settle(made("banco", {1: 20}, "Ts 6h 2d 5c Tc 5s", "1 hit, 1 stand", wrong("extra", card=4)))
    assert settled["hands"]["1"][0]["cards"] == ["Ts", "2d", "5c"]
    assert code("banco", {1: 20}, "Ts 6h 9d Tc 5s 3h", "1 stand", wrong("extra", card=6)) is None


def test_banco_a_box_that_was_not_dealt_to_sits_out_and_has_its_bet_back() -> None:
    settled = settle(
        made(
            "banco",
            {1: 20, 4: 25},
            "Ts 6h 9d Tc 5s",
            "1 stand",
            wrong("not_dealt", seat=4),
            line_chips={4: 5},
        )
    )
    assert settled["net"] == {"1": -20, "4": 0}
    assert settled["hands"]["4"] == []
    assert settled["line_chip"] == {"4": 5}
    assert code("banco", {1: 20}, "", "", wrong("not_dealt", seat=1)) == "irregularity_impossible"
    lowest = settle(made("banco", {1: 20, 4: 20}, "Ts 6h 9d Tc 5s", "4 stand", wrong("not_dealt", seat=1)))
    assert list(lowest["net"].items()) == [("1", 0), ("4", -20)]
    both = made("banco", {1: 20, 4: 20}, "Ts 6h 9d Tc 5s", "4 stand", wrong("not_dealt", seat=1))
    both["players"] = {"1": [{"name": "anna", "bet": 20}, {"name": "ben", "bet": 5, "line_chip": 5}]}
    found = settle(both)["players"]["1"]
    assert found == [{"name": "anna", "net": 0}, {"name": "ben", "net": 0, "line_chip": 5}]


# -- shape -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "found",
    [
        None,
        7,
        {"kind": "face_up"},
        ["face_up"],
        [{}],
        [{"kind": ["face_up"]}],
        [{"kind": "flood", "card": 1}],
        [{"kind": "face_up"}],
        [{"kind": "face_up", "card": 0}],
        [{"kind": "face_up", "card": 6}],
        [{"kind": "face_up", "card": True}],
        [{"kind": "face_up", "card": 1}, {"kind": "face_up", "card": 1}],
        [{"kind": "misdealt", "card": 4, "refused": 1}],
        [{"kind": "misdealt", "card": 4, "refused": ["1"]}],
        [{"kind": "misdealt", "card": 4, "refused": [2]}],
        [{"kind": "misdealt", "card": 4, "refused": [1], "after": "x"}],
    ],
)
def test_irregularities_of_the_wrong_shape_are_refused(found: Any) -> None:
    spoilt = record("eca", {1: 20}, "Ts 6h 9d Tc 5s", "1 stand", irregularities=found)
    assert answer(spoilt)["error"] == "bad_record"


def test_a_box_that_cannot_have_been_left_out_is_refused() -> None:
    for seat in (2, "1", None):
        assert (
            code("banco", {1: 20}, "Ts 6h 9d Tc 5s", "1 stand", wrong("not_dealt", seat=seat)) == "bad_record"
        )


def test_no_irregularity_leaves_a_record_as_it_was() -> None:
    assert settle(made("wonder", {1: 200}, "Ts 6h 9d Tc 5s", "1 stand"))["net"] == {"1": -200}


# -- void --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_a_void_round_gives_every_bet_back(sheet: str) -> None:
    bet = SHEETS[sheet].min_chips
    for reason in SHEETS[sheet].void_reasons:
        void = record(sheet, {1: bet, 3: bet}, "Ts 6h 9d", "", void=True, void_reason=reason)
        assert answer(void) == {
            "net": {"1": 0, "3": 0},
            "hands": {"1": [], "3": []},
            "dealer": [],
            "void": reason,
            "id": None,
        }


def test_a_void_round_needs_a_reason_that_the_sheet_knows() -> None:
    for more in ({}, {"void_reason": "cut_card"}, {"void_reason": None}, {"void_reason": ["misdeal"]}):
        assert answer(record("eca", {1: 20}, "", "", void=True, **more))["error"] == "bad_record"
    for void in (None, 1, "true"):
        assert answer(record("eca", {1: 20}, "", "", void=void))["error"] == "bad_record"


def test_a_round_that_is_not_void_counts_whatever_the_reason() -> None:
    counted = record("eca", {1: 20}, "Ts 6h 9d Tc 5s", "1 stand", void=False, void_reason="misdeal")
    assert settle(counted)["net"] == {"1": -20}


def test_a_void_round_is_still_checked_for_bets_and_cards() -> None:
    void = {"void": True, "void_reason": "ruling"}
    assert answer(record("eca", {1: 5}, "Ts", "", **void))["error"] == "bet_below_minimum"
    assert answer(record("eca", {1: 20}, "Xx", "", **void))["error"] == "bad_card"
    assert answer({**record("eca", {1: 20}, "Ts", ""), **void, "decisions": 7})["error"] == "bad_record"


def test_row23_a_chip_on_the_line_stays_there_in_a_void_round() -> None:
    void = record("banco", {1: 20}, "Ts", "", void=True, void_reason="cut_card", line_chips={1: 5})
    assert answer(void)["line_chip"] == {"1": 5}
    void["players"] = {"1": [{"name": "anna", "bet": 20}, {"name": "ben", "bet": 5, "line_chip": 5}]}
    found = answer(void)["players"]
    assert found == {"1": [{"name": "anna", "net": 0}, {"name": "ben", "net": 0, "line_chip": 5}]}


# -- at the table ------------------------------------------------------------------------------------


def started(sheet: str, bets: dict[int, int], cards: str, **options: Any) -> Deal:
    deal = deal_start(rules_make(sheet, options=options or None), bets)
    for card in cards.split():
        deal = apply(deal, CardDrawn(card))
    return deal


def test_eca_at_the_table_a_card_is_burned_and_written_down() -> None:
    deal = apply(started("eca", {1: 20}, "Ts 6h"), CardBurned("2h"))
    assert deal.needs.kind == "card"
    for op in (CardDrawn("9d"), Decision(1, "stand"), CardDrawn("Tc"), CardBurned("3h"), CardDrawn("5s")):
        deal = apply(deal, op)
    written = json.loads(json.dumps(deal_record(deal)))
    assert written["irregularities"] == [wrong("face_up", card=3), wrong("face_up", card=6)]
    assert {**settle(written), "id": 0} == {**(deal.answer or {}), "id": 0}


def test_eca_at_the_table_a_card_burned_after_the_hole_card_counts_it() -> None:
    deal = started("eca", {1: 20}, "Ts 6h 2d", hole_card=True)
    for op in (
        Decision(1, "hit"),
        CardBurned("2h"),
        CardDrawn("9d"),
        *(() if deal.needs.step == "play" else (InsuranceClosed(),)),
        HoleCard("Kc"),
        CardDrawn("5s"),
    ):
        deal = apply(deal, op)
    written = deal_record(deal)
    assert written["irregularities"] == [wrong("face_up", card=5)]
    assert settle(written)["net"] == (deal.answer or {})["net"]


def test_eca_at_the_table_a_refused_card_goes_on_to_the_next_box() -> None:
    deal = started("eca", {1: 20, 2: 20}, "Ts 9s 6h 2d 3d")
    deal = apply(deal, CardExposed("5c", (1,)))
    assert (deal.needs.kind, deal.needs.seat) == ("decision", 2)
    with pytest.raises(Refused) as no:
        apply(deal, CardExposed("6c", (2,)))
    assert no.value.code == "not_now"
    deal = apply(deal, Decision(2, "hit"))
    assert deal.boxes[1].hands[0].cards == ("9s", "3d", "5c")
    for op in (Decision(2, "stand"), CardDrawn("Tc"), CardDrawn("Kh")):
        deal = apply(deal, op)
    written = deal_record(deal)
    assert written["irregularities"] == [wrong("misdealt", card=6, refused=[1], after=0)]
    assert settle(written)["net"] == (deal.answer or {})["net"] == {"1": 20, "2": 20}


def test_eca_at_the_table_a_card_that_nobody_refuses_is_the_next() -> None:
    deal = apply(started("eca", {1: 20}, "Ts 6h 2d"), CardExposed("5c"))
    assert [offer.action for offer in legal(deal)] == ["stand", "hit"]
    deal = apply(deal, Decision(1, "hit"))
    assert deal.boxes[0].hands[0].cards == ("Ts", "2d", "5c")


def test_eca_at_the_table_a_refusal_needs_a_turn() -> None:
    deal = started("eca", {1: 20, 2: 20}, "Ts 9s 6h 2d 3d")
    for seats, expected in (((3,), "bad_seat"), ((2,), None)):
        if expected is None:
            # Box 1 would take the card that box 2 has refused before its turn.
            with pytest.raises(Refused) as no:
                apply(apply(deal, CardExposed("5c", seats)), Decision(1, "hit"))
            assert no.value.code == "irregularity_impossible"
        else:
            with pytest.raises(Refused) as no:
                apply(deal, CardExposed("5c", seats))
            assert no.value.code == expected
    deal = apply(deal, Decision(1, "stand"))
    with pytest.raises(Refused) as no:
        apply(deal, CardExposed("5c", (1,)))
    assert no.value.code == "irregularity_impossible"


@pytest.mark.parametrize("op", [CardBurned("2h"), CardExposed("2h")])
def test_at_the_table_a_sheet_without_the_rule_refuses_it(op: Any) -> None:
    deal = started("wonder", {1: 200}, "Ts 6h" if isinstance(op, CardBurned) else "Ts 6h 2d")
    with pytest.raises(Refused) as no:
        apply(deal, op)
    assert no.value.code == "irregularity_not_known"


def test_operations_of_irregularities_are_small_json_and_back() -> None:
    for op in (CardBurned("2h"), CardExposed("2h", (1, 3)), CardExposed("2h"), NotDealt(3)):
        assert op_from_dict(json.loads(json.dumps(op_to_dict(op)))) == op
    for bad in (
        {"op": "burned"},
        {"op": "burned", "card": 7},
        {"op": "burned", "card": "2h", "more": 1},
        {"op": "exposed", "card": "2h", "refused": ["1"]},
        {"op": "exposed", "card": "2h", "refused": [], "more": 1},
    ):
        with pytest.raises(Refused) as no:
            op_from_dict(bad)
        assert no.value.code == "bad_operation"


@pytest.mark.parametrize(
    ("cards", "op"),
    [
        ("Ts", CardExposed("2h")),
        ("Ts", LookedUnder(True)),
        ("Ts", HoleCard("2h")),
        ("Ts", InsuranceClosed()),
        ("Ts", Decision(1, "stand")),
        ("Ts 6h 2d", CardBurned("2h")),
        ("Ts 6h 2d", CardDrawn("2h")),
    ],
)
def test_at_the_table_what_comes_too_early_is_refused(cards: str, op: Any) -> None:
    with pytest.raises(Refused) as no:
        apply(started("eca", {1: 20}, cards), op)
    assert no.value.code == "not_now"


def test_eca_at_the_table_a_card_burned_after_the_hole_card_was_turned_keeps_its_number() -> None:
    deal = started("eca", {1: 20}, "Ts 6h 9d", hole_card=True)
    for op in (Decision(1, "stand"), HoleCard("2c"), CardBurned("3c"), CardDrawn("Tc")):
        deal = apply(deal, op)
    written = deal_record(deal)
    assert written["irregularities"] == [wrong("face_up", card=5)]
    assert settle(written)["net"] == (deal.answer or {})["net"] == {"1": 20}


def test_eca_at_the_table_a_card_too_many_on_the_dealers_finished_hand_is_burned() -> None:
    deal = started("eca", {1: 20}, "Ts 9h 9d")
    for op in (Decision(1, "stand"), CardDrawn("Tc"), CardBurned("2c")):
        deal = apply(deal, op)
    assert (deal.needs.kind, deal.dealer) == ("done", ("9h", "Tc"))
    written = deal_record(deal)
    assert written["irregularities"] == [wrong("dealer_extra", card=5)]
    assert settle(written)["net"] == (deal.answer or {})["net"] == {"1": 0}
    with pytest.raises(Refused) as no:
        apply(deal, CardDrawn("3c"))
    assert no.value.code == "not_now"


def test_banco_at_the_table_an_extra_card_is_the_next_one_or_is_left_over() -> None:
    deal = started("banco", {1: 20}, "Ts 9h 2d")
    deal = apply(apply(deal, CardExposed("5c")), Decision(1, "hit"))
    assert deal.boxes[0].hands[0].cards == ("Ts", "2d", "5c")
    for op in (Decision(1, "stand"), CardDrawn("8c"), CardBurned("4c")):
        deal = apply(deal, op)
    written = deal_record(deal)
    assert written["irregularities"] == [wrong("extra", card=4), wrong("extra", card=6)]
    assert settle(written)["net"] == (deal.answer or {})["net"]
    with pytest.raises(Refused) as no:
        apply(started("banco", {1: 20}, "Ts 9h 2d"), CardExposed("5c", (1,)))
    assert no.value.code == "irregularity_not_known"


def test_banco_at_the_table_a_box_that_was_not_dealt_to_sits_out_and_has_its_bet_back() -> None:
    deal = apply(started("banco", {1: 20, 3: 40, 4: 20}, "Ts"), NotDealt(3))
    assert (deal.needs.kind, deal.needs.seat) == ("card", 4)
    for card in ("9s", "9h", "9d", "8d"):
        deal = apply(deal, CardDrawn(card))
    for op in (Decision(1, "stand"), Decision(4, "stand"), CardDrawn("9c")):
        deal = apply(deal, op)
    assert [(box.seat, box.dealt) for box in deal.boxes] == [(1, True), (3, False), (4, True)]
    written = deal_record(deal)
    assert written["irregularities"] == [wrong("not_dealt", seat=3)]
    assert {**settle(written), "id": 0} == {**(deal.answer or {}), "id": 0}
    assert (deal.answer or {})["net"] == {"1": 20, "3": 0, "4": -20}


@pytest.mark.parametrize(
    ("cards", "seat", "code"),
    [
        ("Ts 9s", 1, "irregularity_impossible"),
        ("Ts 9s 9h", 3, "not_now"),
        ("Ts", 7, "bad_seat"),
    ],
)
def test_banco_at_the_table_only_a_box_whose_turn_it_would_be_was_not_dealt_to(
    cards: str, seat: int, code: str
) -> None:
    with pytest.raises(Refused) as no:
        apply(started("banco", {1: 20, 3: 40}, cards), NotDealt(seat))
    assert no.value.code == code


def test_banco_at_the_table_somebody_is_dealt_to() -> None:
    deal = apply(started("banco", {1: 20, 3: 40}, ""), NotDealt(1))
    for seat in (1, 3):
        with pytest.raises(Refused) as no:
            apply(deal, NotDealt(seat))
        assert no.value.code == "irregularity_impossible"
    with pytest.raises(Refused) as no:
        apply(started("eca", {1: 20, 3: 40}, ""), NotDealt(1))
    assert no.value.code == "irregularity_not_known"


# -- by results ----------------------------------------------------------------------------------------


def by_results(push: str, outcomes: dict[int, Any]) -> dict[str, Any]:
    rules = rules_make("banco", options={"line_chip_push": push})
    return results_settle(rules, dict.fromkeys(outcomes, 20), None, outcomes, line_chips={1: 5})


@pytest.mark.parametrize("push", ["stays", "player", "house"])
def test_banco_by_results_a_box_that_was_not_dealt_to_keeps_its_bet_and_its_chip_on_the_line(
    push: str,
) -> None:
    outcomes = {1: {"hands": [{"result": "not_dealt"}]}, 2: {"hands": [{"result": "lose"}]}}
    found = by_results(push, outcomes)
    assert found["net"] == {"1": 0, "2": -20}
    assert found["line_chip"] == {"1": 5}


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        ({"hands": [{"result": "not_dealt", "doubled": 20}]}, "result_impossible"),
        ({"hands": [{"result": "not_dealt"}, {"result": "win"}]}, "result_impossible"),
        (
            {"hands": [{"result": "not_dealt"}], "insurance": 10, "insurance_won": True},
            "insurance_not_offered",
        ),
    ],
)
def test_by_results_a_box_that_was_not_dealt_to_has_done_nothing(outcome: Any, code: str) -> None:
    with pytest.raises(Refused) as no:
        by_results("stays", {1: outcome, 2: {"hands": [{"result": "lose"}]}})
    assert no.value.code == code


def test_by_results_somebody_was_dealt_to_and_the_sheet_must_know_it() -> None:
    not_dealt, lost = {"hands": [{"result": "not_dealt"}]}, {"hands": [{"result": "lose"}]}
    with pytest.raises(Refused) as nobody:
        by_results("stays", {1: not_dealt})
    with pytest.raises(Refused) as unknown:
        results_settle(rules_make("eca"), {1: 20, 2: 20}, None, {1: not_dealt, 2: lost})
    assert (nobody.value.code, unknown.value.code) == ("result_impossible", "result_impossible")


def test_cards_as_results_say_it_know_doubles_for_less_naturals_after_splits_and_who_was_not_dealt_to() -> (
    None
):
    def told(sheet: str, bets: dict[int, int], cards: str, moves: str, **more: Any) -> Any:
        written = record(sheet, bets, cards, moves, **more)
        return outcomes_of(written["bets"], written, settle(written))

    less = told("ggpoker", {1: 20}, "6s 6h 5d Ts Tc Th", "1 double 10")
    assert less == {"1": {"hands": [{"result": "win", "doubled": 10}]}}
    pushed = told("ggpoker", {1: 20}, "6s Th 5d 9c 8s", "1 double 7")
    assert pushed == {"1": {"hands": [{"result": "push", "doubled": 7}]}}
    split = told("eca", {1: 20}, "As 6h Ad Kc 9s Th Td", "1 split", options={"split_natural": True})
    assert split["1"]["hands"] == [{"result": "natural"}, {"result": "win"}]
    mishap = [wrong("not_dealt", seat=3)]
    out = told("banco", {1: 20, 3: 20}, "Ts 9h Td 8h", "1 stand", irregularities=mishap)
    assert out["3"] == {"hands": [{"result": "not_dealt"}]}
