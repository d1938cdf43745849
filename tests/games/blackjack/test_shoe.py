"""The simulated shoe (T10, T11)."""

from collections import Counter

import pytest

from games.blackjack.cards import DECK, is_natural, is_soft, same_rank, same_value, total
from games.blackjack.shoe import shoe_make
from ground.refused import Refused


@pytest.mark.parametrize("decks", [4, 6, 8])
def test_T10_a_shoe_holds_every_card_of_its_decks(decks: int) -> None:
    shoe = shoe_make(b"seed", decks)
    assert Counter(shoe.cards) == Counter(dict.fromkeys(DECK, decks))


def test_T11_about_a_deck_lies_behind_the_cut_card_and_one_card_is_burned() -> None:
    shoe = shoe_make(b"seed", 6)
    assert len(shoe.cards) - shoe.cut == 52
    assert shoe.burned == shoe.cards[0]
    assert not shoe.cut_is_out(shoe.cut - 1)
    assert shoe.cut_is_out(shoe.cut)


def test_the_same_seed_gives_the_same_shoe_and_another_seed_another() -> None:
    assert shoe_make(b"seed", 6) == shoe_make(b"seed", 6)
    assert shoe_make(b"seed", 6).cards != shoe_make(b"need", 6).cards


def test_a_known_shoe_stays_as_it_is() -> None:
    assert shoe_make(bytes(32), 6).cards[:8] == ("4c", "8s", "8d", "Qh", "Qd", "9h", "Ks", "5d")


def test_row24_the_joker_is_one_more_card() -> None:
    shoe = shoe_make(b"seed", 6, joker=True)
    assert len(shoe.cards) == 313
    assert shoe.cards.count("JK") == 1


@pytest.mark.parametrize("decks", [0, 5, 7])
def test_T10_other_numbers_of_decks_are_refused(decks: int) -> None:
    with pytest.raises(Refused) as no:
        shoe_make(b"seed", decks)
    assert no.value.code == "decks_not_allowed"


@pytest.mark.parametrize("cut", [-1, 311, 400])
def test_T11_a_cut_card_outside_the_shoe_is_refused(cut: int) -> None:
    with pytest.raises(Refused) as no:
        shoe_make(b"seed", 6, cut)
    assert no.value.code == "bad_cut"


@pytest.mark.parametrize(
    ("cards", "best", "soft"),
    [
        ("Ah Kd", 21, True),
        ("Ah Ad", 12, True),
        ("Ah 5d Kc", 16, False),
        ("9h 5d Kc", 24, False),
        ("Ah Ad 9c", 21, True),
        ("", 0, False),
    ],
)
def test_A2_totals(cards: str, best: int, soft: bool) -> None:
    assert total(cards.split()) == best
    assert is_soft(cards.split()) is soft


def test_A2_a_natural_is_two_cards() -> None:
    assert is_natural(("Ah", "Jd"))
    assert not is_natural(("7h", "7d", "7c"))
    assert not is_natural(("Ah", "9d"))


def test_row15_ranks_and_values() -> None:
    assert same_rank("Th", "Td")
    assert not same_rank("Th", "Qd")
    assert same_value("Th", "Qd")
    assert not same_value("9h", "Td")
