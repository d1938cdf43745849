"""What a shoe holds and what has left it (T10, T11)."""

from collections import Counter

import pytest

from games.blackjack.cards import DECK
from games.blackjack.shoe_left import cards_check, shoe_size, why_not_over
from ground.refused import Refused


def refused(out, cards, decks=6, *, joker=False):
    try:
        cards_check(out, cards, decks, joker=joker)
    except Refused as no:
        return no.code
    return ""


@pytest.mark.parametrize(
    ("before", "now", "code"), [(5, 1, ""), (6, 1, "card_used_up"), (4, 2, ""), (5, 2, "card_used_up")]
)
def test_T11_the_last_copy_of_a_card_can_leave_and_one_more_cannot(before, now, code):
    assert refused({"9h": before}, ["9h"] * now + ["2c"]) == code


def test_T11_there_is_one_joker_in_a_shoe():
    assert refused({}, ["JK"], joker=True) == ""
    assert refused({"JK": 1}, ["JK"], joker=True) == "card_used_up"


@pytest.mark.parametrize(("left", "code"), [(4, ""), (3, "shoe_empty")])
def test_T11_no_card_after_the_last(left, code):
    out = Counter(DECK * 6)
    for card in DECK[: left + 1]:  # one was burned, and nobody knows which
        out[card] -= 1
    hand = list(DECK[:4])
    assert sum(out.values()) == shoe_size(6, joker=False) - 1 - left
    assert refused(out, hand) == code


@pytest.mark.parametrize(("out", "reason"), [(206, True), (207, False)])
def test_T11_more_than_two_decks_left_is_long_before_the_cut_card(out, reason):
    found = why_not_over(out, [], 6, joker=False)
    assert (found is not None and found.code == "cut_card_not_out") is reason


@pytest.mark.parametrize(("hands", "reason"), [(5, True), (6, False)])
def test_T11_without_cards_each_hand_counts_with_the_most_it_can_have_taken(hands, reason):
    assert (why_not_over(0, [7] * hands, 6, joker=False) is not None) is reason


def test_T11_the_refusal_names_how_many_cards_can_have_left():
    most = why_not_over(0, [2], 6, joker=False).message.figures
    exact = why_not_over(9, [], 6, joker=True).message.figures
    assert {16, 312} <= set(most.values()) and {10, 313} <= set(exact.values())
