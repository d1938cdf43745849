"""What a shoe holds and what has left it (T10, T11)."""

from collections import Counter

import pytest

from games.blackjack.cards import DECK
from games.blackjack.shoe_left import cards_check, hands_most, why_not_over
from ground.refused import Refused

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
