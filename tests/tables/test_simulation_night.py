"""One whole simulated event, looked at from every side: it is what a real night would have left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from games.blackjack.record import answer
from tables.models import Deal
from tables.services import nights
from tests.cast.simulated import event_of
from tournament.models import Event, MoneyEntry, Player, Stack
from tournament.services.journal import chain_verify
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def night(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Any]]:
    """14 entrants with seed 14: play-offs in rounds 1 and 2. Played once for all who only look at it."""
    with django_db_blocker.unblock():
        with transaction.atomic():
            yield nights.event_simulate(entrants=14, seed=14)
            transaction.set_rollback(True)
        connection.close()


def test_T20_T23_every_entry_has_a_place_and_who_wins_a_play_off_advances(night: dict[str, Any]):
    places = [each["place"] for each in night["places"]]
    assert sorted(each["entry"] for each in night["places"]) == [f"E{n:03}" for n in range(1, 15)]
    assert (places, places[0], event_of(night).status) == (sorted(places), 1, Event.Status.PAID)
    first, tie_1, second, tie_2, last = night["rounds"]
    kinds = [(each["number"], each["kind"]) for each in night["rounds"]]
    assert kinds == [(1, "round"), (1, "play_off"), (2, "round"), (2, "play_off"), (3, "round")]
    main = (first, second, last)
    assert [(each["entries"], each["tables"]) for each in main] == [(14, 2), (12, 2), (6, 1)]
    assert [len(each["advanced"]) for each in main] == [12, 6, 0]
    for round_, play_off in ((first, tie_1), (second, tie_2)):
        assert play_off["advanced"] and set(play_off["advanced"]) < set(round_["advanced"])


def test_T32_the_prizes_add_up_to_the_pool_to_the_cent(night: dict[str, Any]):
    prizes = [each["prize_cents"] for each in night["places"]]
    assert sum(prizes) == night["pool_cents"] == 14 * 10_000
    assert sum(1 for cents in prizes if cents) == 6
    assert prizes == sorted(prizes, reverse=True)


def test_journal_and_ledgers_of_a_simulated_event_hold_and_no_chip_is_lost(night: dict[str, Any]):
    event = event_of(night)
    report = chain_verify(event)
    assert report.broken_at is None
    assert night["journal"] == {"entries": report.entries, "head": report.head}
    assert reconcile(event) == []
    assert night["chips_issued"] == night["chips_on_tables"] > 14 * 5_000
    assert not Stack.objects.filter(round__event=event, chips__gt=0).exists()


def test_every_hand_is_recorded_and_settles_to_the_same_answer_again(night: dict[str, Any]):
    hands = Deal.objects.filter(shoe__round__event=event_of(night))
    assert hands.count() == sum(each["deals"] for each in night["rounds"])
    for deal in hands.order_by("pk")[:40]:
        again = answer(deal.record)
        assert again["net"] == deal.answer["net"]
        assert deal.mode == Deal.Mode.SIMULATED


def test_T2_a_simulation_does_not_touch_the_day_limit_of_a_person(night: dict[str, Any]):
    assert Player.objects.filter(simulated=True).count() == 14
    assert not Player.objects.filter(simulated=True, days__isnull=False).exists()
    pool = MoneyEntry.objects.filter(transaction__event=event_of(night), account="pool")
    assert sum(pool.values_list("amount_cents", flat=True)) == 0


def test_T21_every_round_has_a_draw_of_the_seed_and_new_seats(night: dict[str, Any]):
    event = event_of(night)
    assert (event.code, event.kind) == ("SIM-14", Event.Kind.SIMULATION)
    assert event.draws.get(number=1).revealed_secret == nights.seed_of("SIM-14", "draw", 1).hex()
    rounds = list(event.rounds.filter(kind="round").order_by("number"))
    assert [round_.draw.number for round_ in rounds] == [1, 3, 5]
    first, second = (
        {seat.entry_id: (seat.table_id, seat.box) for seat in round_.seats.all()} for round_ in rounds[:2]
    )
    assert any(first[entry] != seat for entry, seat in second.items())
