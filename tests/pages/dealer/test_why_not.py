"""The keys of the decisions: one that cannot be pressed says why, in the engine's own code."""

from __future__ import annotations

import re

import pytest

from tables.models import Deal
from tests.cast.at_tables import url

pytestmark = pytest.mark.django_db
BOXES = 3

KEY = re.compile(r'<button [^>]*name="tap" value="(\w+):\w+" data-key="\w"([^>]*)>')


def codes(page: str) -> dict[str, str]:
    """Decision → the code of why it cannot be pressed, empty where it can."""
    return {action: (re.findall(r'data-code="(\w+)"', rest) or [""])[0] for action, rest in KEY.findall(page)}


def page_of(clerk) -> str:
    return clerk.client.get(url(clerk.shoe)).content.decode()


def test_T16_a_key_that_cannot_be_pressed_has_the_code_of_why_and_its_words(clerk):
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s")
    assert set(codes(page_of(clerk)).values()) == {"not_now"}
    clerk.cards("8d", "6d", "2h", "8c")
    keys = {"hit": "", "stand": "", "double": "", "split": "split_not_allowed", "surrender": ""}
    page = page_of(clerk)
    assert codes(page) == keys
    off = re.findall(r'<button [^>]*aria-disabled="true" aria-describedby="([\w-]+)"', page)
    assert off == ["why-split", "why-settle"]
    assert all(re.search(rf'id="{mark}">[^<]+<', page) for mark in off)
    clerk.cards("3s")
    later = {"double": "double_not_allowed", "surrender": "surrender_not_allowed"}
    assert codes(page_of(clerk)) == keys | later


@pytest.mark.parametrize(("stack", "code"), [(700, "not_enough_chips"), (800, ""), (900, "")])
def test_A6_a_double_that_the_stack_does_not_hold_says_so(clerk, stack, code):
    """A bet of 400 with 300, 400 and 500 chips left."""
    clerk.press("bets", bet_1=400)
    Deal.objects.update(stacks={"1": stack})
    clerk.cards("5s", "6d", "6h")
    assert codes(page_of(clerk))["double"] == code


def greys(page: str) -> tuple[set[str], str]:
    """The codes of the cards, and that of the key that settles; empty where they can be pressed."""
    cards = re.findall(r'<button [^>]*data-card="\w+"([^>]*)>', page)
    # The first is the pad's own; the script has another one to draw with.
    settle = re.findall(r'<button [^>]*data-key="Enter"([^>]*)>', page)[0]
    off = re.compile(r'aria-disabled="true" aria-describedby="why-(?:card|settle)" data-code="(\w+)"')
    codes = [(off.findall(each) or [""])[0] for each in (*cards, settle)]
    return set(codes[:-1]), codes[-1]


def test_T16_grey_cards_and_a_grey_settle_have_the_code_of_why_and_its_words(clerk):
    clerk.press("bets", bet_1=400)
    clerk.cards("9s")
    page = page_of(clerk)
    assert greys(page) == ({""}, "deal_not_done")
    assert re.search(r'id="why-settle">[^<]+<', page)
    clerk.cards("6d", "Th")
    clerk.tap("stand:1")
    clerk.cards("Td", "8c")
    page = page_of(clerk)
    assert greys(page) == ({"not_now"}, "")
    assert re.search(r'id="why-card">[^<]+<', page)
    # What is grey is no lock: a press that comes all the same is refused in the same code.
    assert 'data-code="not_now"' in clerk.in_hand("tap", card="2h").content.decode()
