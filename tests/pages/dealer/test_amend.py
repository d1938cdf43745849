"""T17: an open hand put right on its page: what can be touched, what the pad offers, what it asks."""

from __future__ import annotations

import re

import pytest

from tables.models import Deal
from tables.selectors.deals import taps_standing
from tests.cast.at_tables import Clerk, logged_in, url
from tests.cast.floor import only

pytestmark = pytest.mark.django_db
BOXES = 2

FIRST = ("9s", "8d", "6d", "2h", "3c")


@pytest.fixture
def hand(clerk: Clerk) -> Clerk:
    """A hand of both boxes with its first cards out."""
    clerk.press("bets", bet_1=200, bet_2=200)
    clerk.cards(*FIRST)
    return clerk


def page_of(clerk: Clerk, **asked: object) -> str:
    return clerk.client.get(url(clerk.shoe), asked).content.decode()


def links(page: str) -> list[str]:
    return re.findall(r'<a class="[^"]*touch[^"]*" href="\?amend=([\w-]+)"', page)


def marked(page: str) -> list[str]:
    return re.findall(r'is-marked" href="\?amend=(\d+)"', page)


def codes(answer) -> list[str]:
    return re.findall(r'class="refused"><div class="note[^"]*" data-code="(\w+)"', answer.content.decode())


def side(page: str) -> str:
    found = re.search(r'class="clerk pad pad-(\w+)"', page)
    assert found is not None
    return found.group(1)


def cards(clerk: Clerk) -> list[str]:
    ops = [ops[-1] for ops in taps_standing(clerk.deal.taps)]
    return [op.get("card") or f"{op['action']}:{op['seat']}" for op in ops]


def test_T17_every_card_bet_and_decision_of_the_open_hand_can_be_touched(clerk):
    """A card that a split has moved is still the tap that it was."""
    clerk.press("bets", bet_1=200, bet_2=200)
    clerk.cards("8s", "8d", "6d", "8h", "3c")
    assert links(page_of(clerk)) == ["0", "3", "bet-1", "1", "4", "bet-2", "2"]
    clerk.tap("split:1")
    clerk.cards("Th")
    clerk.tap("stand:1")
    clerk.cards("9h")
    assert links(page_of(clerk))[:5] == ["0", "6", "3", "8", "bet-1"]


def test_T17_a_touched_card_is_marked_and_the_pad_asks_for_the_right_one(hand):
    page = page_of(hand, amend=3)
    assert side(page) == "amend"
    assert marked(page) == ["3"]
    free = re.findall(r'form="amending" name="card" value="(\w+)"(?![^>]*disabled)', page)
    assert "4h" in free
    answer = hand.in_hand("amend", amend=3, card="4h")
    assert answer.status_code == 200
    # What was put right is marked until the next answer.
    assert (side(answer.content.decode()), marked(answer.content.decode())) == ("hand", ["3"])
    assert "is-marked" not in page_of(hand)
    assert cards(hand) == ["9s", "8d", "6d", "4h", "3c"]
    # An auditor is shown the hand and touches nothing.
    page = logged_in("auditor").get(url(hand.shoe), {"amend": 0}).content.decode()
    assert (links(page), side(page), 'name="do"' in page) == ([], "read", False)


@pytest.mark.parametrize(
    ("chips", "code"),
    [("1000", ""), ("1200", "bet_above_maximum"), ("many", "not_a_number"), ("", "not_a_number")],
)
def test_T12_a_bet_is_put_right_after_cards_are_out(hand, chips, code):
    assert side(page_of(hand, amend="bet-2")) == "amend"
    with only(hand.shoe, [1, 2]):
        answer = hand.in_hand("amend", amend="bet-2", chips=chips)
    assert (answer.status_code, codes(answer)) == ((422, [code]) if code else (200, []))
    assert Deal.objects.get().bets == {"1": 200, "2": 200 if code else 1000}


@pytest.mark.parametrize("at", ["0", "bet-x", "99"])
def test_what_no_page_sends_is_refused_and_changes_nothing(hand, at):
    for typed in ({}, {"card": "zz"}, {"chips": "x"}, {"tap": "stand:9"}):
        assert hand.in_hand("amend", amend=at, **typed).status_code in (409, 422)
    assert cards(hand) == list(FIRST)


def test_T17_a_hand_that_has_changed_or_is_over_is_shown_as_it_is(hand):
    seen, before = len(hand.deal.taps), hand.deal
    hand.tap("stand:1")
    answer = hand.press("amend", deal=hand.deal.pk, seen=seen, amend=0, card="8s")
    assert (answer.status_code, codes(answer)) == (409, ["stale"])
    assert side(answer.content.decode()) == "hand"
    # A page that looks again by itself asks about the hand that it showed.
    assert side(page_of(hand, amend=0, seen=seen)) == "hand"
    assert side(page_of(hand, amend=0, seen=seen + 1)) == "amend"
    # Another screen has voided the hand; the next one has as many taps.
    hand.in_hand("void", reason="the bets were wrong")
    hand.press("bets", bet_1=200, bet_2=200)
    hand.cards(*FIRST)
    assert seen == len(hand.deal.taps)
    answer = hand.press("amend", deal=before.pk, seen=seen, amend=0, card="8s")
    assert (answer.status_code, side(answer.content.decode())) == (409, "hand")
    assert side(page_of(hand, amend=0, seen=seen, deal=before.pk)) == "hand"
    page = page_of(hand, amend=0, seen=seen, deal=hand.deal.pk)
    assert side(page) == "amend"
    assert f"amend=0&amp;seen={seen}&amp;deal={hand.deal.pk}" in page, "what looks again by itself"


def ops(clerk: Clerk) -> list[str]:
    return [ops[-1]["op"] for ops in taps_standing(clerk.deal.taps)][5:]


def test_T17_insurance_that_was_forgotten_or_taken_wrongly_is_put_right(clerk):
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s", "8d", "Ah", "2h", "3c")
    clerk.tap("close_insurance")
    clerk.tap("look:no")
    assert 'href="?amend=5"' in page_of(clerk, amend=6)
    # Before the offer was closed.
    assert clerk.in_hand("amend", amend=5, tap="insurance:1:200").status_code == 200
    assert ops(clerk) == ["decision", "insurance_closed", "looked"]
    assert taps_standing(clerk.deal.taps)[5][0]["amount"] == 200
    # The look itself: a natural, and the hand waits for the hole card.
    assert clerk.in_hand("amend", amend=7, tap="look:yes").status_code == 200
    assert taps_standing(clerk.deal.taps)[7] == [{"op": "looked", "natural": True}]


# -- Keys that cannot be pressed -------------------------------------------------------------------------


KEY = re.compile(r'<button [^>]*name="tap" value="(\w+):\w+" data-key="\w"([^>]*)>')


def why(page: str) -> dict[str, str]:
    """Decision → the code of why it cannot be pressed, empty where it can."""
    return {action: (re.findall(r'data-code="(\w+)"', rest) or [""])[0] for action, rest in KEY.findall(page)}


def test_T16_a_key_that_cannot_be_pressed_has_the_code_of_why_and_its_words(clerk):
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s")
    assert set(why(page_of(clerk)).values()) == {"not_now"}
    clerk.cards("8d", "6d", "2h", "8c")
    keys = {"hit": "", "stand": "", "double": "", "split": "split_not_allowed", "surrender": ""}
    page = page_of(clerk)
    assert why(page) == keys
    off = re.findall(r'<button [^>]*aria-disabled="true" aria-describedby="([\w-]+)"', page)
    assert off == ["why-split", "why-settle"]
    assert 'aria-describedby="why-card" data-code="not_now"' not in page
    assert all(re.search(rf'id="{mark}">[^<]+<', page) for mark in off)
    assert not re.search(r'id="why-split">[^<]*\b[2-9TJQKA][shdc]\b', page), "cards are named in words"
    clerk.cards("3s")
    later = {"double": "double_not_allowed", "surrender": "surrender_not_allowed"}
    assert why(page_of(clerk)) == keys | later


@pytest.mark.parametrize(("stack", "code"), [(700, "not_enough_chips"), (800, ""), (900, "")])
def test_A6_a_double_that_the_stack_does_not_hold_says_so(clerk, stack, code):
    """A bet of 400 with 300, 400 and 500 chips left."""
    clerk.press("bets", bet_1=400)
    Deal.objects.update(stacks={"1": stack})
    clerk.cards("5s", "6d", "6h")
    assert why(page_of(clerk))["double"] == code
