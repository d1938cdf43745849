"""Basic strategy, which nobody wrote down here, against the published charts' cells."""

import pytest

from games.blackjack.chosen import rules_make
from games.blackjack.rules import SHEETS, HouseRules
from plan.blackjack.basic import Basic, basic_strategy
from plan.blackjack.playbook import UPS, Act

ACE = 1
HARD = {9: (6, 3), 10: (6, 4), 11: (6, 5), 12: (10, 2), 13: (10, 3), 14: (10, 4), 15: (10, 5), 16: (10, 6)}
HARD |= {5: (3, 2), 6: (4, 2), 7: (4, 3), 8: (5, 3), 17: (10, 7), 18: (10, 8), 19: (10, 9)}

# Hit, stand, double or else hit, double or else stand; by the dealer's 2 … 10 and ace.
PLAIN = {
    **dict.fromkeys((5, 6, 7, 8), "HHHHHHHHHH"),
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    12: "HHSSSHHHHH",
    **dict.fromkeys((13, 14, 15, 16), "SSSSSHHHHH"),
    **dict.fromkeys((17, 18, 19), "SSSSSSSSSS"),
}
SOFT = {
    2: "HHHDDHHHHH",
    3: "HHHDDHHHHH",
    4: "HHDDDHHHHH",
    5: "HHDDDHHHHH",
    6: "HDDDDHHHHH",
    9: "SSSSSSSSSS",
}
COLUMNS = (2, 3, 4, 5, 6, 7, 8, 9, 10, ACE)
LETTERS = {Act.STAND: "S", Act.HIT: "H", Act.DOUBLE: "T", Act.DOUBLE | Act.HIT: "D"}


def letter(book: Basic, up: int, one: int, two: int) -> str:
    return LETTERS[book.first(up, one, two) & (Act.HIT | Act.DOUBLE)]


def row(book: Basic, one: int, two: int) -> str:
    return "".join(letter(book, up, one, two) for up in COLUMNS)


def wished(book: Basic, act: Act, one: int, two: int) -> set[int]:
    """The dealer's cards against which two cards are split or given up."""
    return {up for up in UPS if book.first(up, one, two) & act}


def wonder(**options: object) -> HouseRules:
    return rules_make("wonder", options=options or None)


def test_wonder_is_the_published_chart():
    book = basic_strategy(wonder())
    assert {total: row(book, *HARD[total]) for total in PLAIN} == PLAIN
    assert {other: row(book, ACE, other) for other in SOFT} == SOFT
    assert row(book, *HARD[11]) == "DDDDDDDDDD"
    assert row(book, ACE, 7) == "TTTTTSSHHH"
    assert row(book, ACE, 8) == "SSSSTSSSSS"


def test_wonder_surrenders_as_published():
    book = basic_strategy(wonder())
    given_up = {cards: wished(book, Act.SURRENDER, *cards) for cards in (*HARD.values(), (8, 8), (7, 7))}
    assert {cards: ups for cards, ups in given_up.items() if ups} == {
        HARD[15]: {10, ACE},
        HARD[16]: {9, 10, ACE},
        HARD[17]: {ACE},
        (8, 8): {ACE},
    }


def test_wonder_splits_as_published():
    book = basic_strategy(wonder())
    assert {points: wished(book, Act.SPLIT, points, points) for points in UPS} == {
        ACE: set(UPS),
        2: {2, 3, 4, 5, 6, 7},
        3: {2, 3, 4, 5, 6, 7},
        4: {5, 6},
        5: set(),
        6: {2, 3, 4, 5, 6},
        7: {2, 3, 4, 5, 6, 7},
        8: set(UPS),
        9: {2, 3, 4, 5, 6, 8, 9},
        10: set(),
    }


def test_row_5_standing_on_soft_17_changes_six_cells():
    hits, stands = basic_strategy(wonder()), basic_strategy(wonder(soft17="stand"))
    cells = {
        (up, one, two): stands.first(up, one, two)
        for up in UPS
        for one in UPS
        for two in UPS
        if one >= two and stands.first(up, one, two) != hits.first(up, one, two)
    }
    of_11 = {(ACE, one, 11 - one) for one in range(6, 10)}
    of_15 = {(ACE, one, 15 - one) for one in range(8, 11)}
    of_17 = {(ACE, one, 17 - one) for one in (9, 10)}
    assert set(cells) == of_11 | of_15 | of_17 | {(2, 7, ACE), (6, 8, ACE), (ACE, 8, 8)}
    assert {cells[cell] for cell in of_11 | of_15} == {Act.HIT}
    assert {cells[cell] for cell in of_17} == {Act.STAND}
    assert cells[2, 7, ACE] == cells[6, 8, ACE] == Act.STAND
    assert cells[ACE, 8, 8] & (Act.SPLIT | Act.SURRENDER) == Act.SPLIT


@pytest.mark.parametrize("name", ["eca", "wiesbaden"])
def test_row_3_without_a_hole_card_no_second_bet_meets_a_natural(name: str):
    book = basic_strategy(SHEETS[name])
    assert [letter(book, up, *HARD[11]) for up in (10, ACE)] == ["H", "H"]
    assert [book.first(up, 8, 8) for up in (10, ACE)] == [Act.HIT, Act.HIT]
    assert book.first(ACE, ACE, ACE) == Act.HIT
    assert book.first(10, ACE, ACE) & Act.SPLIT
    assert {up for up in UPS if book.first(up, *HARD[16]) & Act.SURRENDER} == set()


def test_row_22_where_a_natural_takes_the_original_bet_only_the_second_bet_is_worth_while():
    book = basic_strategy(rules_make("wiesbaden", options={"late_natural": "original"}))
    assert letter(book, 10, *HARD[11]) == "D"
    assert book.first(10, 8, 8) & Act.SPLIT and book.first(ACE, ACE, ACE) & Act.SPLIT


def test_row_14_without_a_double_after_a_split_fewer_small_pairs_are_split():
    book = basic_strategy(wonder(double_after_split=False))
    assert wished(book, Act.SPLIT, 2, 2) == {4, 5, 6, 7}
    assert wished(book, Act.SPLIT, 3, 3) == {4, 5, 6, 7}
    assert wished(book, Act.SPLIT, 4, 4) == set()
    assert wished(book, Act.SPLIT, 6, 6) == {3, 4, 5, 6}


def test_three_cards_and_more_go_on_as_two_do_but_double_nothing():
    book = basic_strategy(wonder())
    assert [book.later(10, state) for state in (12, 16, 17, 18)] == [True, True, False, False]
    # Ace and seven in three cards against a nine: a soft 18 draws.
    assert book.later(9, 8 | 32) and not book.later(8, 8 | 32)
