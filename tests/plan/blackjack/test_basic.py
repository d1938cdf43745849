"""Basic strategy, which planning works out by itself, against the published chart."""

import pytest

from games.blackjack.event_rules import rules_make
from games.blackjack.rules import SHEETS, HouseRules
from plan.blackjack.basic import Basic, basic_strategy
from plan.blackjack.playbook import UPS, Act
from tests.games.blackjack import charts

ACE = 1
HARD_11, HARD_16 = (6, 5), (10, 6)
LETTERS = {Act.SURRENDER: "R", Act.SPLIT: "P", Act.DOUBLE: "D", Act.HIT: "H"}
POINTS = {"A": ACE, "T": 10}


def letter(book: Basic, up: int, one: int, two: int) -> str:
    """What the book would do first, of what it wishes for."""
    wish = book.first(up, one, two)
    return next((said for act, said in LETTERS.items() if wish & act), "S")


def wished(book: Basic, act: Act, one: int, two: int) -> set[int]:
    """The dealer's cards against which two cards are split or given up."""
    return {up for up in UPS if book.first(up, one, two) & act}


def wonder(**options: object) -> HouseRules:
    return rules_make("wonder", options=options or None)


def test_wonder_is_the_published_chart():
    book = basic_strategy(wonder())
    ups = [POINTS.get(up[0]) or int(up[0]) for up in charts.UPS]
    hands = {
        name: [POINTS.get(card[0]) or int(card[0]) for card in cards.split()]
        for name, cards in charts.HANDS.items()
    }
    found = {
        name: "".join(letter(book, up, max(cards), min(cards)) for up in ups) for name, cards in hands.items()
    }
    assert found == charts.published("wonder")


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
    assert [letter(book, up, *HARD_11) for up in (10, ACE)] == ["H", "H"]
    assert [book.first(up, 8, 8) for up in (10, ACE)] == [Act.HIT, Act.HIT]
    assert book.first(ACE, ACE, ACE) == Act.HIT
    assert book.first(10, ACE, ACE) & Act.SPLIT
    assert {up for up in UPS if book.first(up, *HARD_16) & Act.SURRENDER} == set()


def test_row_22_where_a_natural_takes_the_original_bet_only_the_second_bet_is_worth_while():
    book = basic_strategy(rules_make("wiesbaden", options={"late_natural": "original"}))
    assert letter(book, 10, *HARD_11) == "D"
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
    # A soft 18 of two cards that may not be doubled stands against a six, and is drawn to against a nine.
    assert [book.first(up, ACE, 7) & (Act.DOUBLE | Act.HIT) for up in (6, 9)] == [Act.DOUBLE, Act.HIT]
    # Ace and seven in three cards against a nine: a soft 18 draws.
    assert book.later(9, 8 | 32) and not book.later(8, 8 | 32)
