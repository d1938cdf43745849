"""T17: an open hand put right, tap by tap: what stays, what does not fit any more, what is refused."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.selectors.amending import Change
from tables.selectors.deals import deal_play, ops_of
from tables.services import dealing
from tables.services.amending import deal_amend
from tests.cast.amending import op_of, tapped, words
from tests.cast.factories import new_key
from tests.cast.floor import opened, refusal, seated, shoe_of, stack_at
from tournament.models import JournalEntry, Stack

pytestmark = pytest.mark.django_db

FIRST = "9s 8d 6d 2h 3c"
"""Box 1 has 9s 2h, box 2 has 8d 3c, the dealer shows 6d: both have 11."""


@pytest.fixture
def shoe(db: None) -> Shoe:
    return shoe_of(seated(2))


def put(deal: Deal, at: int, *words: str, key: str = "", seen: int | None = None, **more: Any) -> Deal:
    deal.refresh_from_db()
    change = Change(at=at, put=tuple(op_of(word) for word in words), **more)
    about = {"seen": len(deal.taps) if seen is None else seen, "key": key or new_key(), "actor": None}
    deal_amend(deal_id=deal.pk, change=change, **about)
    deal.refresh_from_db()
    return deal


def bet(deal: Deal, keep: int | None = None, **bets: int) -> Deal:
    deal.refresh_from_db()
    called = {int(box): chips for box, chips in deal.bets.items()}
    change = Change(bets=called | {int(box[1:]): chips for box, chips in bets.items()}, keep=keep)
    deal_amend(deal_id=deal.pk, seen=len(deal.taps), change=change, key=new_key(), actor=None)
    deal.refresh_from_db()
    return deal


@pytest.mark.parametrize(
    ("taps", "at", "anew", "more", "left"),
    [
        (f"{FIRST} Ts stand:1 stand:2", 0, "8s", {}, "8s 8d 6d 2h 3c Ts stand:1 stand:2"),
        # Box 2 doubled: the card behind it is the one of the double.
        (f"{FIRST} Ts stand:1 stand:2 9d", 7, "double:2", {}, f"{FIRST} Ts stand:1 double:2 9d"),
        # The card was a hit of box 1 on the page, and of box 2 at the table.
        (f"{FIRST} Ts", 5, "stand:1", {}, f"{FIRST} stand:1 Ts"),
        # A hit was left out; with a card that busts the box its stand goes, and the taps behind it stay.
        (f"{FIRST} stand:1 stand:2", 5, "7h", {}, f"{FIRST} 7h stand:1 stand:2"),
        (f"{FIRST} 7h stand:1 stand:2", 6, "9h", {}, f"{FIRST} 7h 9h stand:2"),
        # Cards move to other boxes, and back where one was typed twice.
        ("8d 6d 2h", 0, "9s", {"before": True}, "9s 8d 6d 2h"),
        ("9s 8d 6d 2h", 0, "", {}, "8d 6d 2h"),
        (f"{FIRST} Ts stand:1", 3, "", {"keep": 3}, "9s 8d 6d"),
    ],
)
def test_T17_a_tap_is_put_right_and_every_later_one_that_fits_stays(shoe, taps, at, anew, more, left):
    deal = tapped(opened(shoe, {1: 200, 2: 200}), taps)
    put(deal, at, *anew.split(), **more)
    assert words(deal) == left


def test_T17_a_card_that_makes_22_leaves_no_stand_and_says_so(shoe):
    deal = tapped(opened(shoe, {1: 200, 2: 200}), f"{FIRST} Tc stand:1 stand:2")
    for at, card, code in ((0, "1s", "bad_card"), (8, "8s", "no_such_tap"), (0, "9s", "amend_nothing")):
        with refusal(code, 409 if code == "no_such_tap" else 422):
            put(deal, at, card)
    with refusal("amend_drops"):
        put(deal, 0, "Th")
    assert words(deal).endswith("stand:1 stand:2")
    put(deal, 0, "Th", keep=6)
    assert words(deal) == "Th 8d 6d 2h 3c Tc"
    assert deal_play(deal).needs.seat == 2


def test_T17_another_upcard_that_is_looked_under_drops_what_came_without_the_look(shoe):
    deal = tapped(opened(shoe, {1: 200, 2: 200}), f"{FIRST} Ts stand:1")
    with refusal("amend_drops") as no:
        put(deal, 2, "Td")
    assert "look" in str(no.value).lower()
    put(deal, 2, "Td", keep=5)
    assert words(deal) == "9s 8d Td 2h 3c"
    assert deal_play(deal).needs.kind == "look"
    # 9 is not looked under, and everything fits.
    deal = tapped(deal, "look:no Ts")
    with refusal("amend_drops"):
        put(deal, 2, "9d")


@pytest.mark.parametrize(("stack", "code"), [(800, ""), (600, ""), (400, "not_enough_chips")])
def test_T12_a_bet_is_put_right_up_to_the_stack(shoe, stack, code):
    """A bet of 600: with one step more, with all there is, with one step less."""
    deal = tapped(opened(shoe, {1: 200, 2: 200}), FIRST)
    found = stack_at(shoe.round, 1)
    Stack.objects.filter(pk=found.pk).update(chips=stack)
    with refusal(code) if code else nullcontext():
        bet(deal, b1=600)
    deal.refresh_from_db()
    assert (deal.bets["1"], words(deal)) == (200 if code else 600, FIRST)
    assert code or deal.stacks["1"] == stack


def test_T12_a_bet_that_leaves_too_little_for_a_double_drops_it(shoe):
    deal = tapped(opened(shoe, {1: 200, 2: 200}), f"{FIRST} double:1 9c")
    Deal.objects.filter(pk=deal.pk).update(stacks={"1": 700, "2": 700})
    Stack.objects.filter(pk=stack_at(shoe.round, 1).pk).update(chips=700)
    with refusal("amend_drops") as no:
        bet(deal, b1=400)
    assert "400" in str(no.value)
    bet(deal, b1=400, keep=5)
    assert (words(deal), deal.bets["1"]) == (FIRST, 400)


def test_T15_a_bet_is_put_right_though_a_player_who_sat_the_hand_out_is_back(shoe):
    """Box 2 was absent as the hand was dealt, as ``opened`` has it, and is back when the bet is put right."""
    deal = tapped(opened(shoe, {1: 200}), "9s 6d 2h")
    assert stack_at(shoe.round, 2).state == Stack.State.PLAYING
    bet(deal, b1=400)
    assert deal.bets == {"1": 400}


def test_T17_what_another_tablet_tapped_meanwhile_makes_it_stale(shoe):
    deal = tapped(opened(shoe, {1: 200, 2: 200}), FIRST)
    tapped(deal, "stand:1")
    with refusal("stale", 409):
        put(deal, 0, "8s", seen=5)
    change = Change(at=0, put=(op_of("8s"),))
    with refusal("stale", 409):
        deal_amend(deal_id=deal.pk, seen=6, called="1:400,2:200", change=change, key=new_key(), actor=None)
    # And the other way round: the tap of a screen that does not know it.
    put(deal, 0, "8s")
    with refusal("stale", 409) as no:
        dealing.deal_tap(deal_id=deal.pk, seen=6, nonce="late", op=op_of("stand:2"))
    assert "8s" in str(no.value)


def test_T17_sent_twice_it_counts_once_and_the_journal_says_what_it_was(shoe):
    deal = tapped(opened(shoe, {1: 200, 2: 200}), f"{FIRST} Ts stand:1")
    key = new_key()
    put(deal, 2, "Td", keep=5, key=key)
    put(deal, 2, "Td", keep=5, key=key, seen=7)
    assert len(deal.taps) == 8
    dealing.deal_void(deal_id=deal.pk, reason="misdeal", key=new_key(), actor=None)
    with refusal("deal_not_open", 409):
        put(deal, 0, "8s")
    entry = JournalEntry.objects.get(kind="deal.amend")
    assert "6d" in entry.body["noted"]["said"] and "Td" in entry.body["noted"]["said"]
    assert len(entry.body["noted"]["dropped"]) == 2
    assert [op for ops in entry.body["noted"]["taps"] for op in ops][2] == {"op": "card", "card": "6d"}
    assert ops_of(deal.taps)[2] == {"op": "card", "card": "Td"}
