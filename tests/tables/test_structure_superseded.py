"""The payout structure is superseded while ties for money are played, or were (T31, T33)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import playing
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import close, disqualify, draw_and_seat, hand, refusal, shoe_of, stack_at
from tests.cast.payments import pay, won
from tests.cast.tied import code_at, places, sudden_death, tied_for_money
from tournament.engine.prizes import Goes, Unclaimed
from tournament.models import Event, Round
from tournament.selectors.payouts import TiesChanged, ties_changed
from tournament.selectors.prizes import prizes_at
from tournament.selectors.stage_ranking import stage_ranking
from tournament.services.payments import prize_pay
from tournament.services.payouts import payouts_supersede_request
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def ask(event: Event, *amounts: int) -> dict[str, Any]:
    return payouts_supersede_request(
        event_id=event.pk,
        structure={"kind": "fixed", "amounts": list(amounts)},
        reason="a sponsor",
        key=new_key(),
        actor=UserFactory(),
    )


def approve(asked: dict[str, Any]) -> None:
    request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=UserFactory())


def supersede(event: Event, *amounts: int) -> None:
    approve(ask(event, *amounts))
    event.refresh_from_db()
    assert reconcile(event) == []


def fresh(stage: Round) -> str:
    stage.refresh_from_db()
    stage.event.refresh_from_db()
    return str(stage.status)


def groups(stage: Round) -> list[tuple[list[int], list[int]]]:
    return [([*each.places], [*each.prizes_cents]) for each in stage_ranking(stage).groups]


def prizes(event: Event) -> list[int]:
    return sorted(won(event).values(), reverse=True)


def pay_all(event: Event) -> None:
    """Every prize is paid, the pool out whole, and the books agree."""
    for code in won(event):
        pay(event, code)
    event.refresh_from_db()
    assert (event.status, reconcile(event)) == ("paid", [])


LEVEL2 = {1: 200, 2: 200}


# A place that nobody holds ------------------------------------------------------------------------------


def test_T26_a_prize_that_nobody_holds_goes_in_proportion_until_two_persons_replace_the_structure():
    """Three prizes of $150, $90 and $60; E003 is disqualified, so the last place is nobody's."""
    event = playing.finished(3)
    disqualify(event, "E003")
    assert won(event) == {"E001": 187_50, "E002": 112_50}
    assert prizes_at(event).unclaimed == Unclaimed(Goes.IN_PROPORTION, (3,), 60_00)
    supersede(event, 240_00, 60_00)
    assert (won(event), prizes_at(event).unclaimed) == ({"E001": 240_00, "E002": 60_00}, None)
    pay_all(event)


# While it is played -------------------------------------------------------------------------------------


def test_T33_a_group_whose_places_pay_the_same_now_is_not_played_for_any_more():
    """They share the lower number; the group at the other table plays on, held up by nothing."""
    stage = sudden_death(4, groups=2)
    hand(shoe_of(stage, 1), LEVEL2, b1="push", b2="push")
    supersede(stage.event, 35_000, 35_000, 20_000, 10_000)
    first = [code_at(stage, box) for box in (1, 2)]
    assert [places(stage)[code] for code in first] == [1, 1]
    assert [(stack_at(stage, box).chips, stack_at(stage, box).state) for box in (1, 2)] == [
        (0, "settled")
    ] * 2
    assert (fresh(stage), groups(stage)) == ("playing", [([3, 4], [20_000, 10_000])])
    hand(shoe_of(stage, 2), LEVEL2, b1="lose", b2="win")
    assert fresh(stage) == "counted"
    close(stage)
    assert prizes(stage.event) == [35_000, 35_000, 20_000, 10_000]
    shared = stage.event.entries.filter(code__in=first).values_list("place", "place_tied")
    assert list(shared) == [(1, True), (1, True)]
    pay_all(stage.event)


# Before its draw, and after the places were decided ---------------------------------------------------


@pytest.mark.parametrize("paid", [False, True])
def test_T33_places_that_were_shared_and_pay_differently_now_are_played_for(paid: bool):
    event = tied_for_money(4, groups=2, amounts=[35_000, 35_000, 15_000, 15_000])
    assert event.status == "finished"
    assert ties_changed(event, [35_000, 35_000, 15_000, 15_000]) == TiesChanged()
    changed = ties_changed(event, [35_000, 35_000, 20_000, 10_000])
    assert ([tie.places for tie in changed.begun], changed.ended, changed.opens) == ([(3, 4)], (), True)
    if paid:
        first = event.entries.filter(place=1)[0]
        prize_pay(entry_id=first.pk, identity_checked=True, key=new_key(), actor=None)
        with refusal("paid_from", 409):
            ask(event, 35_000, 35_000, 20_000, 10_000)
        return
    supersede(event, 35_000, 35_000, 20_000, 10_000)
    assert (event.status, prizes(event)) == ("running", [])
    stage = draw_and_seat(event)
    assert groups(stage) == [([3, 4], [20_000, 10_000])]
    hand(shoe_of(stage), LEVEL2, b1="win", b2="lose")
    close(stage)
    event.refresh_from_db()
    assert prizes(event) == [35_000, 35_000, 20_000, 10_000]
    pay_all(event)
