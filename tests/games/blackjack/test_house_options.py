"""What a director may set otherwise than the sheet: each test is named after the row it belongs to.

That options pay as they say, card by card and by results, is held by the second opinion, which has them all.
"""

from typing import Any

import pytest

from games.blackjack.chosen import OPTION_NAMES, options_differing, rules_make, rules_record
from games.blackjack.options import option_catalogue, option_values
from games.blackjack.record import answer
from games.blackjack.results import hands_at_most
from games.blackjack.rules import FIRST_FIELDS, SHEETS, HouseRules
from ground.refused import Refused
from tests.games.blackjack.deals import code_of, record

NO_DOUBLE, SURPLUS = "double_not_allowed", "decisions_left_over"

# -- the catalogue -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_every_value_of_the_catalogue_can_be_set_and_comes_back_in_a_record(sheet: str) -> None:
    for option in option_catalogue(SHEETS[sheet]):
        assert len(set(option.sentences)) == len(option.values) > 1
        assert option.default in option.values
        for value in option.values:
            options = options_differing(SHEETS[sheet], {option.name: value})
            if value == option.default:
                assert options == {}
                continue
            beside = {"double_soft_low": {"double": "9-11"}}.get(option.name, {})
            rules = rules_make(sheet, options={**options, **beside})
            assert getattr(rules, option.name) == value
            said = rules_record(rules)
            assert rules_make(said.pop("rules"), **said) == rules
            assert HouseRules.from_dict(rules.to_dict()) == rules


def test_the_catalogue_goes_by_the_rows_of_the_table() -> None:
    found = {name: option_catalogue(rules) for name, rules in SHEETS.items()}
    for options in found.values():
        assert [each.row for each in options] == sorted(each.row for each in options)
    assert {each.name for options in found.values() for each in options} == set(OPTION_NAMES)


def test_row16_the_catalogue_shows_no_limit_where_the_sheet_has_none() -> None:
    found = {o.name: o for o in option_catalogue(SHEETS["eca"])}["max_hands"]
    assert (found.values, found.default) == ((2, 3, 4, None), None)
    assert option_values(SHEETS["eca"], "max_hands") == (2, 3, 4)
    assert (hands_at_most(SHEETS["eca"]), hands_at_most(SHEETS["wonder"])) == (96, 4)


@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        ("wonder", {"double_soft_low": True}),
        ("eca", {"double": "any", "double_soft_low": True}),
        ("banco", {"surrender": "none", "surrender_after_split": True}),
        ("wonder", {"even_money": False, "even_money_returns_insurance": False}),
        ("wonder", {"hole_card": True}),
        ("wonder", {"halves": None}),
        ("eca", {"max_hands": None}),
        ("eca", {"surrender": "late"}),
        ("eca", {"hole_card": 1}),
        *(("wonder", {"max_hands": hands}) for hands in (0, 5, True, 2.0)),
        *(("wonder", options) for options in ([], {"soft17": "maybe"}, {"split": ["rank"]}, {1: 2})),
    ],
)
def test_options_that_say_nothing_there_are_refused(sheet: str, options: Any) -> None:
    assert code_of(sheet, options=options) == "bad_options"


def test_a_snapshot_from_before_an_option_existed_plays_as_it_did() -> None:
    for name, rules in SHEETS.items():
        old = {field: value for field, value in rules.to_dict().items() if field in FIRST_FIELDS}
        assert HouseRules.from_dict(old) == rules, name
    with pytest.raises(Refused):
        HouseRules.from_dict({**SHEETS["eca"].to_dict(), "unknown": 1})
    with pytest.raises(Refused):
        HouseRules.from_dict({k: v for k, v in SHEETS["eca"].to_dict().items() if k != "soft17"})


# -- row by row --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "moves", "options", "expected"),
    [
        # A soft 17 is drawn to until it is hard, and a soft 18 stands.
        ("Ts 6h Td Ac As 9s", "1 stand", {"soft17": "until_hard"}, 20),
        ("Ts 7h Td Ac", "1 stand", {"soft17": "until_hard"}, 20),
        ("Ts 6h Td Ac As 9s", "1 stand", {"soft17": "hit"}, "cards_left_over"),
        # A natural that is paid at the end waits for the dealer's second card.
        *(("As 6h Kd", "", {}, 30), ("As 6h Kd", "", {"natural_paid": "at_end"}, "cards_missing")),
        # An ace may count 1 for doubling on 9 to 11.
        *((f"{two} Tc Ts Th", "1 double", {"double_soft_low": True}, 40) for two in ("As 6h 8d", "5s 6h 6d")),
        *(
            (f"{two} Tc Ts", "1 double", {"double_soft_low": True}, NO_DOUBLE)
            for two in ("As 6h 7d", "2s 6h Td")
        ),
        ("As 6h 8d Tc Ts", "1 double", {}, NO_DOUBLE),
        # Aces are split again, or played on, only where it is said.
        ("As 6h Ad Ac 9s Th Td", "1 split, 1 split", {"resplit_aces": False}, SURPLUS),
        ("As 6h Ad Ac 9s Th Td", "1 split, 1 stand", {"resplit_aces": True}, 40),
        ("As 6h Ad Ac 9s Th Td", "1 split, 1 hit", {"resplit_aces": True}, "hit_not_allowed"),
        ("As 6h Ad 3c 5s 9h Th Td", "1 split, 1 hit, 1 stand, 1 stand", {"split_aces": "play_on"}, 40),
        ("As 6h Ad Kc 9s Th Td", "1 split", {"split_natural": True}, 50),
        ("7s 6h 7d 7c Ts", "1 hit, 1 hit", {"draw_on_21": True}, -20),
        ("7s 6h 7d 7c Ts 5h", "1 hit, 1 hit", {"draw_on_21": False}, SURPLUS),
        ("6s Kh 5d Tc Ac", "1 double", {"late_natural": "original"}, -20),
    ],
)
def test_row5_row7_row12_row17_row19_row21_row22_options_card_by_card(
    cards: str, moves: str, options: dict[str, Any], expected: Any
) -> None:
    got = answer(record("eca", {1: 20}, cards, moves, options=options))
    assert got.get("error", got.get("net", {}).get("1")) == expected


@pytest.mark.parametrize(
    ("sheet", "halves", "limits", "amounts"),
    [
        ("wonder", None, None, (100, 200, 300, 400, 500)),
        ("eca", None, (20, 70, 20), (10, 20, 30)),
        ("eca", "house", (25, 100, 25), (10, 25, 35, 50)),
        ("wiesbaden", "player", (15, 45, 15), (5, 10, 15, 20)),
        ("banco", None, (15, 45, 15), (10, 15, 20)),
    ],
)
def test_row8_every_amount_that_a_bet_of_the_table_can_be_insured_for(
    sheet: str, halves: str | None, limits: Any, amounts: tuple[int, ...]
) -> None:
    table = dict(zip(("min", "max", "step", "chip"), (*limits, 5), strict=True)) if limits else None
    rules = rules_make(sheet, limits=table, options={"halves": halves} if halves else None)
    assert rules.insurances(8) == rules.insurances(len(amounts)) == amounts
    assert rules.insurances(len(amounts) - 1) == ()
    endless = {"min": 25, "max": 10**9, "step": 25, "chip": 5}
    assert rules_make("eca", limits=endless, options={"halves": "player"}).insurances(8) == ()
