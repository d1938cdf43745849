"""The simulated shoe (T10, T11), totals, ranks and values."""

from collections import Counter

import pytest

from games.blackjack.cards import DECK, is_natural, is_soft, same_rank, same_value, total
from games.blackjack.shoe import shoe_make
from ground.refused import Refused


def test_T10_T11_a_shoe_holds_every_card_with_about_a_deck_behind_the_cut_card_and_one_burned() -> None:
    for decks in (4, 6, 8):
        shoe = shoe_make(b"seed", decks)
        assert Counter(shoe.cards) == Counter(dict.fromkeys(DECK, decks))
        assert len(shoe.cards) - shoe.cut == 52 and shoe.burned == shoe.cards[0]
        assert [shoe.cut_is_out(shoe.cut - 1), shoe.cut_is_out(shoe.cut)] == [False, True]
    joker = shoe_make(b"seed", 6, joker=True)
    assert (len(joker.cards), joker.cards.count("JK")) == (313, 1)
    # A known shoe stays as it is.
    assert shoe_make(bytes(32), 6).cards[:8] == ("4c", "8s", "8d", "Qh", "Qd", "9h", "Ks", "5d")


@pytest.mark.parametrize(
    ("decks", "cut", "code"),
    [(5, 52, "decks_not_allowed"), (0, 52, "decks_not_allowed"), (6, -1, "bad_cut"), (6, 311, "bad_cut")],
)
def test_T10_T11_other_decks_and_a_cut_card_outside_the_shoe_are_refused(
    decks: int, cut: int, code: str
) -> None:
    with pytest.raises(Refused) as no:
        shoe_make(b"seed", decks, cut)
    assert no.value.code == code


@pytest.mark.parametrize(
    ("cards", "best", "soft"),
    [
        ("Ah Kd", 21, True),
        ("Ah Ad", 12, True),
        ("Ah 5d Kc", 16, False),
        ("9h 5d Kc", 24, False),
        ("", 0, False),
    ],
)
def test_A2_totals(cards: str, best: int, soft: bool) -> None:
    assert (total(cards.split()), is_soft(cards.split())) == (best, soft)
    assert is_natural(tuple(cards.split())) == (cards == "Ah Kd")
    assert not is_natural(("7h", "7d", "7c"))


def test_row15_ranks_and_values() -> None:
    assert same_rank("Th", "Td") and not same_rank("Th", "Qd")
    assert same_value("Th", "Qd") and not same_value("9h", "Td")
