"""An open hand: what is put right, what one tap says, and what went wrong and is ruled on (T12, T17, T19)."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from pages.auditor.reads.records import rulings_of
from tables.models import Deal, Shoe
from tables.selectors.amending import Change
from tables.selectors.deals import deal_play, deal_view, ops_of
from tables.services import dealing
from tables.services.amending import deal_amend, deal_play_on
from tests.cast.amending import op_of, tapped, words
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, opened, refusal, seated, shoe_of, stack_at
from tournament.models import JournalEntry, Stack
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db

FIRST, ACES = "9s 8d 6d 2h 3c", "As 8d 6d Ah 3c"
EIGHTS, LATER = "8s 9d 6d 8h 3c split:1", "Th stand:1 stand:2"
TWICE = f"{EIGHTS} 8d split:1"
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
        # A hit that was none has no card, and the next box keeps what it has.
        (f"{FIRST} 2s Ts stand:2", 5, "stand:1", {"keep": 7}, f"{FIRST} stand:1 stand:2"),
        # A hit was left out; with a card that busts the box its stand goes, and the taps behind it stay.
        (f"{FIRST} stand:1 stand:2", 5, "7h", {}, f"{FIRST} 7h stand:1 stand:2"),
        (f"{FIRST} 7h stand:1 stand:2", 6, "9h", {}, f"{FIRST} 7h 9h stand:2"),
        # Box 1 is bust without its stand, and only that goes.
        (f"{FIRST} Tc stand:1 stand:2 Td", 0, "Th", {"keep": 8}, "Th 8d 6d 2h 3c Tc stand:2 Td"),
        (f"{ACES} split:1 Th 9h stand:2", 5, "stand:1", {"keep": 7}, f"{ACES} stand:1 stand:2"),
        # Nor does the second hand of a split box get cards that the first had by a hit or by a split.
        (f"{EIGHTS} 2s 5h stand:1 {LATER}", 7, "stand:1", {"keep": 11}, f"{EIGHTS} 2s stand:1 {LATER}"),
        (
            f"{TWICE} 2s stand:1 3s stand:1 {LATER}",
            7,
            "stand:1",
            {"keep": 11},
            f"{EIGHTS} 8d stand:1 {LATER}",
        ),
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


def test_T17_another_upcard_that_is_looked_under_drops_what_came_without_the_look(shoe):
    deal = tapped(opened(shoe, {1: 200, 2: 200}), f"{FIRST} Ts stand:1")
    with refusal("amend_drops") as no:
        put(deal, 2, "Td")
    assert "blackjack" in str(no.value)
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
    for at, card, code in ((0, "1s", "bad_card"), (7, "8s", "no_such_tap"), (0, "9s", "amend_nothing")):
        with refusal(code, 409 if code == "no_such_tap" else 422):
            put(deal, at, card)
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


BETS = {1: 200, 2: 200, 3: 200}
ELEVENS = "9s 8d 7c 6d 2h 3c 4d stand:1"
"""Boxes 1, 2 and 3 have 11 each, the dealer shows a six; box 1 stands."""
HOLE = {"op": "hole_turned", "card": "Td"}
SKIPPED = {"op": "skipped", "seat": 2, "behind": 3}


@pytest.fixture
def deal(db: None) -> Deal:
    return tapped(opened(shoe_of(seated(3)), BETS), ELEVENS)


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
