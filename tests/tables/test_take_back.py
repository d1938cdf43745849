"""The hand that was settled last, taken back by its clerk without a director (T17)."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from tables.models import Deal, Shoe
from tables.selectors.records import recorded_hands
from tables.selectors.shoes import cards_out
from tables.selectors.take_back import is_fresh
from tables.services import dealing, seating
from tables.services.take_back import deal_take_back
from tests.cast import amending
from tests.cast.calls import at_once, codes
from tests.cast.corrected import books_agree
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    hand,
    one_box_win,
    only,
    opened,
    recorded,
    refusal,
    result,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.tied import play_off
from tournament.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk() -> User:
    return UserFactory(roles=["dealer"])


@pytest.fixture
def round_() -> Round:
    return seated(2)


@pytest.fixture
def shoe(round_: Round) -> Shoe:
    return shoe_of(round_)


def tapped(shoe: Shoe, clerk: User) -> Deal:
    """A hand of boxes 1 and 2 by taps, settled by this clerk: both stand, the dealer busts."""
    deal = opened(shoe, {1: 400, 2: 200}, actor=clerk)
    amending.tapped(deal, "9s Ts Kd Td 9h look:no stand:1 stand:2 6s Qh")
    dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=clerk)
    return Deal.objects.get(pk=deal.pk)


def take_back(deal: Deal, actor: User | None, key: str = "") -> dict[str, Any]:
    return deal_take_back(deal_id=deal.pk, key=key or new_key(), actor=actor)


def test_T17_a_hand_taken_back_is_open_again_with_all_its_taps_and_chips_and_button_are_as_before(
    round_, shoe, clerk
):
    first = hand(shoe, {1: 200, 2: 600}, b1="lose", b2="win")
    shoe.refresh_from_db()
    before = (chips_at(round_, 1), chips_at(round_, 2), shoe.button_box, shoe.cards_dealt)
    deal = tapped(shoe, clerk)
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (before[0] + 400, before[1] + 200)

    done = take_back(deal, clerk)

    shoe.refresh_from_db()
    assert (chips_at(round_, 1), chips_at(round_, 2), shoe.button_box, shoe.cards_dealt) == before
    again = Deal.objects.get(pk=done["deal"])
    deal.refresh_from_db()
    assert (again.status, again.number, again.corrects) == ("open", 2, deal)
    for name in ("taps", "bets", "stacks", "button_box"):
        assert getattr(again, name) == getattr(deal, name)
    assert deal.status == "reversed"
    assert done["changes"] == {
        stack_at(round_, 1).entry.code: -400,
        stack_at(round_, 2).entry.code: -200,
    }
    # The leaderboard says again what the hand before did.
    assert [stack_at(round_, box).last_change_chips for box in (1, 2)] == [-200, 600]
    assert first.number == 1
    assert books_agree(round_.event)


def test_T17_what_was_taken_back_is_put_right_by_taps_and_settled_again(round_, shoe, clerk):
    deal = tapped(shoe, clerk)
    again = take_back(deal, clerk)["deal"]
    taps = len(deal.taps)
    dealing.deal_undo(deal_id=again, seen=taps, nonce="u1")
    dealing.deal_tap(deal_id=again, seen=taps + 1, nonce="c1", op={"op": "card", "card": "4h"})
    assert cards_out(shoe)["4h"] == 1
    assert cards_out(shoe)["Qh"] == 0, "the card that was taken back is in the shoe"
    dealing.deal_settle(deal_id=again, key=new_key(), actor=clerk)
    # 19 against 20: box 1 loses its 400, box 2 with 19 its 200.
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (4600, 4800)
    hands = [(h.deal.status, h.stands_for) for h in recorded_hands(round_.event, shoe.table, round_)]
    assert hands == [("settled", "taken_back"), ("reversed", "")]
    assert books_agree(round_.event)


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_take_it_back_once(round_, shoe, clerk):
    deal = tapped(shoe, clerk)
    answers = at_once(lambda: take_back(deal, clerk), lambda: take_back(deal, clerk))
    assert codes(answers) == ["deal_not_settled"]
    assert Deal.objects.filter(status="open").count() == 1
    assert books_agree(round_.event)


# -- Who, and until when ------------------------------------------------------------------------------


def test_T17_only_who_settled_it_takes_it_back(shoe, clerk):
    deal = tapped(shoe, clerk)
    for other in (UserFactory(roles=["director"]), None):
        with refusal("not_yours", 403):
            take_back(deal, other)
    deal.refresh_from_db()
    at, late_by = deal.closed_at + timedelta(seconds=30), timedelta(microseconds=1)
    assert is_fresh(deal, at) and not is_fresh(deal, at + late_by)
    assert deal.status == "settled"


def late(_shoe: Shoe, deal: Deal) -> None:
    Deal.objects.filter(pk=deal.pk).update(closed_at=deal.closed_at - timedelta(seconds=31))


def another(shoe: Shoe, _deal: Deal, *, void: bool = False) -> None:
    after = opened(shoe, {1: 200, 2: 200})
    if void:
        dealing.deal_void(deal_id=after.pk, reason="misdeal", key=new_key(), actor=None)


def absent(shoe: Shoe, _deal: Deal) -> None:
    stack = stack_at(shoe.round, 2)
    seating.stack_absent(stack_id=stack.pk, absent=True, reason="telephone", key=new_key(), actor=None)


@pytest.mark.parametrize(
    ("since", "code", "status"),
    [
        (late, "too_late", 422),
        (another, "dealt_since", 409),
        (partial(another, void=True), "dealt_since", 409),
        (lambda shoe, _deal: shoe_over(shoe), "shoe_over", 409),
        (absent, "moved_since", 422),
    ],
)
def test_T11_T15_T17_what_has_happened_since_makes_it_the_directors(shoe, clerk, since, code, status):
    deal = tapped(shoe, clerk)
    since(shoe, deal)
    with refusal(code, status):
        take_back(deal, clerk)


def test_a_hand_that_no_screen_has_entered_is_the_directors(shoe, clerk):
    with only(shoe, [1]):
        made = dealing.deal_record(shoe_id=shoe.pk, record=one_box_win(1, 200), key=new_key(), actor=clerk)
    with refusal("not_tapped"):
        take_back(Deal.objects.get(pk=made["deal"]), clerk)
    assert recorded(shoe, one_box_win(1, 200)).number == 2


def test_T23_a_hand_of_a_play_off_is_the_directors():
    clerk, shoe = UserFactory(), shoe_of(play_off())
    boxes = {1: result("push"), 2: result("push"), 3: result("push")}
    about = {"shoe_id": shoe.pk, "bets": dict.fromkeys(boxes, 200), "outcomes": boxes}
    made = dealing.deal_record_results(**about, key=new_key(), actor=clerk)
    with refusal("hand_of_tie"):
        take_back(Deal.objects.get(pk=made["deal"]), clerk)


# -- Cards and results ------------------------------------------------------------------------------------


def test_an_open_hand_by_cards_is_entered_by_its_results_and_by_cards_again(round_, shoe, clerk):
    deal = amending.tapped(opened(shoe, {1: 400, 2: 200}, actor=clerk), "9s")
    dealing.deal_mode(deal_id=deal.pk, mode="results")
    with refusal("entered_by_results"):
        amending.tapped(deal, "8s")
    dealing.deal_mode(deal_id=deal.pk, mode="cards")
    amending.tapped(deal, "8s")
    dealing.deal_mode(deal_id=deal.pk, mode="results")
    outcomes = {1: result("win"), 2: result("lose")}
    dealing.deal_settle(deal_id=deal.pk, outcomes=outcomes, key=new_key(), actor=clerk)
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (5400, 4800)
    deal.refresh_from_db()
    assert (deal.mode, "cards" in deal.record) == ("results", False)
    with refusal("deal_not_open", 409):
        dealing.deal_mode(deal_id=deal.pk, mode="cards")
    assert books_agree(round_.event)


def test_a_hand_is_entered_by_cards_or_by_results_and_in_no_other_way(shoe, clerk):
    deal = opened(shoe, {1: 400, 2: 200}, actor=clerk)
    for mode in ("", "simulated", "by hand"):
        with refusal("bad_mode"):
            dealing.deal_mode(deal_id=deal.pk, mode=mode)
