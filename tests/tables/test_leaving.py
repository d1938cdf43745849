"""An entry leaves during a hand, after a count or before the next round (T6, T7, T18, T25, T26)."""

from __future__ import annotations

import pytest

from tables.models import Seat, Shoe
from tables.services import dealing
from tests.cast.alternates import fill as take_seat
from tests.cast.corrected import books_agree
from tests.cast.counting import enter
from tests.cast.empty_seat import codes, entry_at, fill, three_of_five
from tests.cast.factories import EntryFactory, UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    close,
    confirm,
    disqualify,
    draw_and_seat,
    opened,
    payouts_post,
    play_and_count,
    refusal,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tournament.engine.steps.places import places_so_far
from tournament.models import Event, Stack
from tournament.selectors.next_steps import seat_due
from tournament.selectors.stages import state_of
from tournament.services import entries
from tournament.services.penalties import penalty_add
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("box", [1, 3])
def test_T26_who_sits_at_an_open_hand_is_ruled_on_when_it_is_over(box):
    round_ = seated()
    entry, other = stack_at(round_, box).entry, stack_at(round_, 2).entry
    deal = opened(shoe_of(round_), {1: 200, 2: 200}, "results")
    given = {"entry_id": other.pk, "kind": "chips", "chips": 300, "reason": "slow play", "actor": None}
    chips = penalty_add(**given, key=new_key())
    about = {"entry_id": entry.pk, "reason": "marked a card", "actor": UserFactory()}
    out = entries.entry_disqualify_request(**about, key=new_key())
    for asked in (chips, out):
        with refusal("hand_open", 409):
            confirm(asked)
    dealing.deal_void(deal_id=deal.pk, reason="a card fell", key=new_key(), actor=None)
    confirm(chips), confirm(out)
    assert chips_at(round_, 2) == 4_700
    assert Seat.objects.get(entry=entry).vacated_at is not None
    play_and_count(round_)
    close(round_)
    last = places_so_far(state_of(round_.event))[-1]
    assert (last.entry, last.place, last.out_of_play) == (entry.code, 4, True)
    payouts_post(round_.event, 300_00, 100_00)
    disqualify(round_, other.code)
    assert {each.entry for each in places_so_far(state_of(round_.event))[2:]} == {other.code, entry.code}
    assert reconcile(round_.event) == []


def test_T6_box_of_who_withdraws_before_the_first_bet_goes_to_an_alternate():
    round_ = seated(4)
    leaving = stack_at(round_, 2).entry
    alternate = EntryFactory(event=round_.event)
    entries.entry_withdraw(entry_id=leaving.pk, reason="taken ill", key=new_key(), actor=None)
    take_seat(round_, 2)
    assert stack_at(round_, 2).entry == alternate
    assert Stack.objects.get(entry=leaving).state == Stack.State.WITHDRAWN
    assert reconcile(round_.event) == []


def test_T7_T18_on_counts_alone_a_withdrawal_makes_the_count_that_agrees_the_stacks():
    shoe = shoe_of(seated(3, record_mode="counts"))
    shoe_over(shoe)
    enter(shoe, {1: 5400, 2: 4800, 3: 5000}), enter(shoe, {1: 5400, 2: 4600, 3: 5000})
    about = {"entry_id": stack_at(shoe.round, 2).entry_id, "reason": "taken ill", "refund": False}
    entries.entry_withdraw(**about, key=new_key(), actor=UserFactory())
    shoe.refresh_from_db()
    assert (shoe.status, chips_at(shoe.round, 1)) == (Shoe.Status.COUNTED, 5400)
    assert reconcile(shoe.round.event) == []


def drawn(event: Event) -> list[str]:
    due = seat_due(event)
    return sorted(due.entries) if due else []


def test_T26_the_seat_of_a_disqualified_qualifier_stays_empty():
    round_, _deal = three_of_five()
    gone, later = entry_at(round_, 1), entry_at(round_, 2)
    disqualify(round_, gone.code)
    with refusal("not_qualified"):
        fill(gone)
    assert drawn(round_.event) == codes(round_, 2, 3)
    second = draw_and_seat(round_.event)
    disqualify(round_, later.code)
    with refusal("not_qualified"):
        fill(later)
    live = Seat.objects.filter(round=second, vacated_at=None)
    assert [seat.entry.code for seat in live.select_related("entry")] == codes(round_, 3)
    assert books_agree(round_.event)
