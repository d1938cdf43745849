"""What one tap says more than its card: the hit of a box that may hit, and that no more bets are taken."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.selectors import deal_view
from tables.selectors.amending import Change
from tables.services import dealing
from tables.services.amending import deal_amend
from tests.cast.amending import op_of, tapped
from tests.cast.factories import new_key
from tests.cast.floor import opened, refusal, seated, shoe_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def shoe(db: None) -> Shoe:
    return shoe_of(seated(2))


def tap(deal: Deal, face: str, seen: int, nonce: str) -> dict[str, Any]:
    return dealing.deal_tap(deal_id=deal.pk, seen=seen, nonce=nonce, op=op_of(face))


def begin(shoe: Shoe, bets: dict[int, int], nonce: str = "n", face: str = "Kh") -> dict[str, Any]:
    key = new_key()
    return dealing.deal_begin(shoe_id=shoe.pk, bets=bets, op=op_of(face), nonce=nonce, key=key, actor=None)


def test_T17_a_card_while_a_box_may_hit_is_the_hit_and_the_record_says_both(shoe):
    deal = tapped(opened(shoe, {1: 200}), "5h 6c 6s 2d")
    dealing.deal_undo(deal_id=deal.pk, seen=4, nonce="u")
    deal.refresh_from_db()
    assert len(deal_view(deal).said) == 3, "one undo takes back the card and its hit"
    assert tap(deal, "2d", 5, "twice") == tap(deal, "2d", 5, "twice")
    with refusal("nonce_reused"):
        tap(deal, "3d", 5, "twice")
    with refusal("stale", 409) as no:
        tap(deal, "3d", 5, "late")
    assert "hit" in no.value.message and "card 2d" in no.value.message
    deal.refresh_from_db()
    assert deal_view(deal).state.boxes[0].hands[0].cards == ("5h", "6s", "2d")
    tapped(deal, "stand:1 Td 9h")
    dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)
    deal.refresh_from_db()
    assert deal.record["cards"] == ["5h", "6c", "6s", "Td", "2d", "9h"]
    assert [each["action"] for each in deal.record["decisions"]] == ["hit", "stand"]
    ace = tapped(opened(shoe, {1: 200}), "5h Ac 6s")
    with refusal("not_now"):
        tapped(ace, "2d")
    dealing.deal_void(deal_id=ace.pk, reason="again", key=new_key(), actor=None)
    face_up = tapped(opened(shoe, {1: 200}), "5h 6c 6s")
    with refusal("not_now"):
        dealing.deal_tap(deal_id=face_up.pk, seen=3, nonce="b", op={"op": "burned", "card": "2d"})


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


def test_T17_T19_a_first_card_that_is_refused_opens_nothing(shoe):
    for bets, face, code in (
        ({1: 200}, "Kh", "bet_missing"),
        ({1: 300, 2: 200}, "Kh", "bet_not_in_increment"),
        ({1: 200, 2: 200}, "1x", "bad_card"),
    ):
        with refusal(code):
            begin(shoe, bets, face=face)
    assert not Deal.objects.exists()
    shoe.round.refresh_from_db()
    assert shoe.round.status == "seated"
