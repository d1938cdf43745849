"""An entry leaves in the middle of a round, or loses chips by ruling (T6, T7, T18, T26)."""

from __future__ import annotations

import pytest

from tables.models import Seat
from tables.services import (
    dealing,
    seating,
)
from tests.cast.factories import EntryFactory, UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    close,
    hand,
    opened,
    payouts_post,
    play_and_count,
    refusal,
    seated,
    shoe_of,
    stack_at,
)
from tournament.models import Entry, Round, Stack
from tournament.selectors.stages import places_so_far
from tournament.services import entries
from tournament.services.penalties import penalty_add
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


def hand_open(round_: Round, *boxes: int) -> int:
    """A hand that is being played at table 1."""
    bets = dict.fromkeys(boxes, 200)
    return int(opened(shoe_of(round_), bets, "results").pk)


def ask(entry: Entry) -> int:
    asked = entries.entry_disqualify_request(
        entry_id=entry.pk, reason="marked a card", key=new_key(), actor=UserFactory()
    )
    return int(asked["request"])


def confirm(request_id: int) -> None:
    request_decide(request_id=request_id, approve=True, key=new_key(), actor=UserFactory())


def disqualify(entry: Entry) -> None:
    confirm(ask(entry))


def withdraw(entry: Entry) -> None:
    entries.entry_withdraw(entry_id=entry.pk, reason="taken ill", key=new_key(), actor=None)


def box_of(entry: Entry) -> Seat:
    return Seat.objects.get(entry=entry)


@pytest.mark.parametrize("box", [1, 3])
def test_T26_who_sits_at_an_open_hand_is_disqualified_when_it_is_over(box):
    round_ = seated()
    entry = stack_at(round_, box).entry
    deal = hand_open(round_, 1, 2)
    asked = ask(entry)
    with refusal("hand_open", 409):
        confirm(asked)
    dealing.deal_void(deal_id=deal, reason="a card fell", key=new_key(), actor=None)
    confirm(asked)
    assert box_of(entry).vacated_at is not None


def test_T26_round_is_counted_and_closed_without_the_disqualified_box_who_is_last():
    round_ = seated(4)
    event = round_.event
    hand(shoe_of(round_), {1: 1000, 2: 200}, b1="win", b2="lose")
    winner = stack_at(round_, 1).entry
    disqualify(winner)
    play_and_count(round_)
    close(round_)
    last = places_so_far(event)[-1]
    assert (last.entry, last.place, last.out_of_play) == (winner.code, 4, True)
    assert reconcile(event) == []


def test_T6_box_of_who_withdraws_before_the_first_bet_goes_to_an_alternate():
    round_ = seated(4)
    leaving = stack_at(round_, 2).entry
    alternate = EntryFactory(event=round_.event)
    withdraw(leaving)
    table = box_of(leaving).table
    seating.seat_fill(round_id=round_.pk, table_id=table.pk, box=2, key=new_key(), actor=None)
    assert stack_at(round_, 2).entry == alternate
    assert Stack.objects.get(entry=leaving).state == Stack.State.WITHDRAWN
    assert reconcile(round_.event) == []


def test_T26_chips_are_taken_between_hands_and_the_count_agrees():
    round_ = seated(4)
    entry = stack_at(round_, 1).entry
    deal = hand_open(round_, 1)
    given = {"entry_id": entry.pk, "kind": "chips", "chips": 300, "reason": "slow play", "actor": None}
    asked = int(penalty_add(**given, key=new_key())["request"])
    with refusal("hand_open", 409):
        confirm(asked)
    dealing.deal_void(deal_id=deal, reason="a card fell", key=new_key(), actor=None)
    confirm(asked)
    assert chips_at(round_, 1) == 4_700
    play_and_count(round_)
    assert round_.status == Round.Status.COUNTED


def test_T26_qualifier_is_disqualified_between_rounds_and_the_others_go_on():
    round_ = seated(4)
    event = round_.event
    play_and_count(round_)
    close(round_)
    payouts_post(event, 300_00, 100_00)
    disqualify(event.entries.get(code="E002"))
    assert places_so_far(event)[-1].entry == "E002"
    assert reconcile(event) == []
