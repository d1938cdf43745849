"""What one tap says more than its card: the hit of a box that may hit, and that no more bets are taken."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.selectors import deal_view
from tables.selectors.amending import Change
from tables.services import dealing
from tables.services.amending import deal_amend
from tests.cast import floor as cast
from tests.cast.factories import new_key
from tests.cast.floor import refusal, seated, shoe_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def shoe(db: None) -> Shoe:
    """A table of two; boxes 1 and 2."""
    return shoe_of(seated(2))


def card(face: str) -> dict[str, Any]:
    return {"op": "card", "card": face}


def tap(deal: Deal, op: dict[str, Any], nonce: str = "") -> dict[str, Any]:
    deal.refresh_from_db()
    seen = len(deal.taps)
    return dealing.deal_tap(deal_id=deal.pk, seen=seen, nonce=nonce or f"n{seen}", op=op)


def dealt(shoe: Shoe, *cards: str) -> Deal:
    """A hand of box 1 with these cards: to the box, the dealer, the box."""
    deal = cast.opened(shoe, {1: 200})
    for face in cards:
        tap(deal, card(face))
    return deal


def begin(shoe: Shoe, bets: dict[int, int], nonce: str = "n", face: str = "Kh") -> dict[str, Any]:
    key = new_key()
    return dealing.deal_begin(shoe_id=shoe.pk, bets=bets, op=card(face), nonce=nonce, key=key, actor=None)


def test_T17_a_card_while_a_box_may_hit_is_the_hit_and_the_record_says_both(shoe):
    deal = dealt(shoe, "5h", "6c", "6s")
    tap(deal, card("2d"))
    dealing.deal_undo(deal_id=deal.pk, seen=4, nonce="u")
    deal.refresh_from_db()
    assert len(deal_view(deal).said) == 3, "one undo takes back the card and its hit"
    first = tap(deal, card("2d"), "twice")
    assert dealing.deal_tap(deal_id=deal.pk, seen=5, nonce="twice", op=card("2d")) == first
    with refusal("nonce_reused"):
        dealing.deal_tap(deal_id=deal.pk, seen=5, nonce="twice", op=card("3d"))
    with refusal("stale", 409) as no:
        dealing.deal_tap(deal_id=deal.pk, seen=5, nonce="late", op=card("3d"))
    assert "hit" in no.value.message and "card 2d" in no.value.message
    deal.refresh_from_db()
    assert deal_view(deal).state.boxes[0].hands[0].cards == ("5h", "6s", "2d")
    tap(deal, {"op": "decision", "seat": 1, "action": "stand"})
    for op in ({"op": "hole", "card": "Td"}, card("9h")):
        tap(deal, op)
    dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)
    deal.refresh_from_db()
    assert deal.record["cards"] == ["5h", "6c", "6s", "Td", "2d", "9h"]
    hits = [each["action"] for each in deal.record["decisions"]]
    assert hits == ["hit", "stand"]


def test_a_card_is_no_hit_where_the_box_may_not_hit_or_it_lay_face_up(shoe):
    ace = dealt(shoe, "5h", "Ac", "6s")
    with refusal("not_now"):
        tap(ace, card("2d"))
    dealing.deal_void(deal_id=ace.pk, reason="again", key=new_key(), actor=None)
    deal = dealt(shoe, "5h", "6c", "6s")
    with refusal("not_now"):
        tap(deal, {"op": "burned", "card": "2d"})


def test_T17_T19_the_first_card_ends_the_bets_and_begins_the_hand_once(shoe):
    first = begin(shoe, {1: 200, 2: 400})
    deal = Deal.objects.get()
    assert (first["seen"], deal.bets, deal.taps[0]["op"]["card"]) == (1, {"1": 200, "2": 400}, "Kh")
    shoe.round.refresh_from_db()
    assert shoe.round.status == "playing"
    assert begin(shoe, {1: 200, 2: 400}) == first
    for again in ({"nonce": "another", "bets": {1: 200, 2: 400}}, {"bets": {1: 200, 2: 600}}):
        with refusal("deal_open", 409):
            begin(shoe, **again)
    # The answer was lost, another tablet has put a bet right, and the tablet sends its press again.
    change = Change(bets={1: 600, 2: 400})
    deal_amend(deal_id=first["deal"], seen=1, change=change, key=new_key(), actor=None)
    assert begin(shoe, {1: 200, 2: 400})["deal"] == first["deal"]
    deal = Deal.objects.get()
    assert (deal.bets, len(deal.taps)) == ({"1": 600, "2": 400}, 2)
    # With the bets that lie there now it is another press, and the table has its hand.
    with refusal("deal_open", 409):
        begin(shoe, {1: 600, 2: 400})


def test_sent_twice_at_once_the_second_finds_the_hand_that_the_first_has_begun(shoe, monkeypatch):
    """Both have looked before either was saved; the second waits at the lock, and is no other hand."""
    first, looked, look = begin(shoe, {1: 200, 2: 400}), [], dealing._begun

    def before_the_other(*asked: Any) -> int | None:
        looked.append(asked)
        return None if len(looked) == 1 else look(*asked)

    monkeypatch.setattr(dealing, "_begun", before_the_other)
    assert begin(shoe, {1: 200, 2: 400}) == first
    assert len(looked) == 2 and len(Deal.objects.get().taps) == 1


@pytest.mark.parametrize(
    ("bets", "face", "code"),
    [
        ({1: 200}, "Kh", "bet_missing"),
        ({1: 300, 2: 200}, "Kh", "bet_not_in_increment"),
        ({1: 200, 2: 200}, "1x", "bad_card"),
    ],
)
def test_T17_T19_a_first_card_that_is_refused_opens_nothing(shoe, bets, face, code):
    with refusal(code):
        begin(shoe, bets, face=face)
    assert not Deal.objects.exists()
    shoe.round.refresh_from_db()
    assert shoe.round.status == "seated"
