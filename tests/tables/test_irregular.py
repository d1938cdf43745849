"""T17: what went wrong in an open hand and is ruled on: played on, or void; and what is kept of it."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal
from tables.selectors.amending import Change
from tables.selectors.deals import deal_play
from tables.selectors.irregular import rulings_of
from tables.services import dealing
from tables.services.amending import deal_amend
from tables.services.irregular import deal_play_on
from tests.cast.amending import tapped
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, opened, refusal, seated, shoe_of
from tournament.models import JournalEntry
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db

BETS = {1: 200, 2: 200, 3: 200}
FIRST = "9s 8d 7c 6d 2h 3c 4d stand:1"
"""Boxes 1, 2 and 3 have 11 each, the dealer shows a six; box 1 stands."""
HOLE = {"op": "hole_turned", "card": "Td"}
SKIPPED = {"op": "skipped", "seat": 2, "behind": 3}


@pytest.fixture
def deal(db: None) -> Deal:
    return tapped(opened(shoe_of(seated(3)), BETS), FIRST)


def play_on(deal: Deal, op: dict[str, Any], **more: Any) -> Deal:
    deal.refresh_from_db()
    sent = {"seen": len(deal.taps), "reason": "Floor: Ann", "key": new_key(), "actor": None, **more}
    deal_play_on(deal_id=deal.pk, op=op, **sent)
    deal.refresh_from_db()
    return deal


def settled(deal: Deal) -> dict[str, Any]:
    dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)
    deal.refresh_from_db()
    assert reconcile(deal.shoe.round.event) == []
    return deal.record or {}


def told(deal: Deal) -> list[tuple[bool, str]]:
    return [(each.played_on, each.reason) for each in rulings_of(deal)]


def test_T17_a_hole_card_turned_too_early_stays_and_the_hand_is_settled_with_it(deal):
    ann = UserFactory(roles=["dealer"])
    before = chips_at(deal.shoe.round, 2)
    key, op = new_key(), {**HOLE, "card": "Tc"}
    for _ in range(2):
        assert len(play_on(deal, op, key=key, seen=8).taps) == 9, "sent twice it counts once"
    dealing.deal_undo(deal_id=deal.pk, seen=9, nonce=new_key())
    deal.refresh_from_db()
    assert told(deal) == [], "a ruling that is taken back is none"
    play_on(deal, op, actor=ann)
    # It was another ten: the card is put right as any other, and stays the one that was turned too early.
    right = Change(at=8, put=({"op": "card", "card": "Td"},))
    deal_amend(deal_id=deal.pk, seen=11, change=right, key=new_key(), actor=ann)
    deal.refresh_from_db()
    assert deal_play(deal).dealer == ("6d", "Td")  # type: ignore[attr-defined]  # of blackjack
    tapped(deal, "Ts stand:2 stand:3 4c")
    record = settled(deal)
    assert record["cards"] == ["9s", "8d", "7c", "6d", "2h", "3c", "4d", "Td", "Ts", "4c"]
    assert record["irregularities"] == [{"kind": "hole_turned", "after": 1}]
    assert chips_at(deal.shoe.round, 2) == before + 200
    assert told(deal) == [(True, "Floor: Ann")]
    assert rulings_of(deal)[0].by == ann
    entry = JournalEntry.objects.filter(kind="deal.play_on").latest("seq")
    assert (entry.actor, entry.body["asked"]["reason"]) == (ann, "Floor: Ann")
    assert "Tc" in entry.body["noted"]["said"] and "Td" in rulings_of(deal)[0].said


def test_T17_a_box_that_was_skipped_acts_behind_the_one_that_acted(deal):
    play_on(deal, SKIPPED)
    tapped(deal, "Ts stand:3")
    assert deal_play(deal).needs.seat == 2
    tapped(deal, "9h stand:2 Td 4c")
    assert settled(deal)["irregularities"] == [{"kind": "skipped", "seat": 2, "behind": 3}]
    assert (deal.answer or {})["net"] == {"1": -200, "2": 0, "3": 200}


def test_T17_a_hand_that_is_void_by_a_ruling_keeps_what_went_wrong(deal):
    before = [chips_at(deal.shoe.round, box) for box in BETS]
    void = {"deal_id": deal.pk, "reason": "Floor: Ann", "key": new_key(), "actor": None}
    dealing.deal_void(happened={"op": "skipped", "seat": 2}, **void)
    deal.refresh_from_db()
    assert deal.status == Deal.Status.VOID
    assert [chips_at(deal.shoe.round, box) for box in BETS] == before
    assert told(deal) == [(False, "Floor: Ann")]
    assert JournalEntry.objects.get(kind="deal.void").body["noted"]["said"] == rulings_of(deal)[0].said


REFUSED: list[tuple[dict[str, Any], dict[str, Any], str, int]] = [
    (HOLE, {"reason": " "}, "reason_missing", 422),
    (HOLE, {"seen": 3}, "stale", 409),
    ({"op": "hole_turned", "card": "Zz"}, {}, "bad_card", 422),
    ({"op": "hole_turned"}, {}, "bad_operation", 422),
    ({"op": "card", "card": "Td"}, {}, "no_ruling_needed", 422),
    ({"op": "skipped", "seat": 1, "behind": 2}, {}, "irregularity_impossible", 422),
    ({"op": "skipped", "seat": 2, "behind": 2}, {}, "irregularity_impossible", 422),
    ({"op": "skipped", "seat": 2, "behind": 7}, {}, "bad_seat", 422),
]


def test_T17_what_cannot_have_gone_wrong_is_refused_and_changes_nothing(deal):
    before = list(deal.taps)
    for op, more, code, status in REFUSED:
        with refusal(code, status):
            play_on(deal, op, **more)
    # A plain tap is no ruling, and a hand by results keeps none.
    with refusal("ruling_needed"):
        dealing.deal_tap(deal_id=deal.pk, seen=len(before), nonce=new_key(), op=HOLE)
    dealing.deal_mode(deal_id=deal.pk, mode="results")
    with refusal("entered_by_results"):
        play_on(deal, HOLE)
    deal.refresh_from_db()
    assert deal.taps == before
    assert not JournalEntry.objects.filter(kind="deal.play_on").exists()
