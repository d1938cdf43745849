"""The simulated shoe and what has left a real one (T10, T11), totals, ranks and values."""

from collections import Counter

import pytest

from games.blackjack.cards import DECK, is_natural, is_soft, total
from games.blackjack.shoe import shoe_make
from games.blackjack.shoe_left import cards_check, hands_most, why_not_over
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


# -- what has left a shoe ----------------------------------------------------------------------------

ALL_BUT = {left: Counter(DECK * 6) - Counter(DECK[: left + 1]) for left in (3, 4)}  # one was burned unseen


@pytest.mark.parametrize(
    ("out", "cards", "code"),
    [
        *(({"9h": 5}, ["9h", "2c"], ""), ({"9h": 6}, ["9h", "2c"], "card_used_up")),
        *(({"9h": 4}, ["9h", "9h"], ""), ({"9h": 5}, ["9h", "9h"], "card_used_up")),
        *(({}, ["JK"], ""), ({"JK": 1}, ["JK"], "card_used_up")),
        *((ALL_BUT[4], DECK[:4], ""), (ALL_BUT[3], DECK[:4], "shoe_empty")),
    ],
)
def test_T11_the_last_copy_and_the_last_card_can_leave_and_one_more_cannot(out, cards, code):
    try:
        cards_check(out, cards, 6, joker="JK" in cards)
        said = ""
    except Refused as no:
        said = no.code
    assert said == code


@pytest.mark.parametrize(
    ("out", "boxes", "early"),
    [(206, [], True), (207, [], False), (0, [7] * 5, True), (0, [7] * 6, False)],
)
def test_T11_more_than_two_decks_left_is_long_before_the_cut_card(out, boxes, early):
    """Without cards, each hand counts with the most it can have taken."""
    found = why_not_over(out, boxes, 6, joker=False)
    assert (found is not None and found.code == "cut_card_not_out") is early


def test_T11_a_shoe_holds_no_more_hands_than_of_three_cards_each():
    assert [hands_most(309, 0, 6, joker=False), hands_most(310, 0, 6, joker=False)] == [1, 0]
    assert hands_most(0, 103, 6, joker=False) == 0 < hands_most(0, 102, 6, joker=False)
