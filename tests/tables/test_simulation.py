"""Simulated players, the nights they play, the rehearsal, and the commands that run them."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from games.blackjack.record import answer
from tables.models import Clerk, Deal, Shoe
from tables.selectors.audit import audit
from tables.services import nights, rehearsal, simulation
from tests.cast.calls import refused
from tests.cast.factories import new_key
from tests.cast.floor import seated, shoe_of
from tests.cast.rounds import ended_with
from tests.cast.simulated import event_of, simulate
from tournament.engine.settings import CHIPS_MAX
from tournament.models import Event, MoneyEntry, Player, Round, Stack
from tournament.roles import ROLES
from tournament.selectors.chain import chain_verify
from tournament.selectors.stages import live_payouts
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


def _bets_are_of_the_round(round_: Round, posted: dict[str, int | None]) -> None:
    deals = Deal.objects.filter(shoe__round__in=[round_, *round_.play_offs.all()])
    assert deals
    for deal in deals:
        for box, bet in deal.bets.items():
            assert bet % posted["step"] == 0 and bet >= posted["min"], deal
            assert bet <= (posted["max"] or deal.stacks[box]), deal
        limits = deal.record.get("limits", {"min": 200, "max": 1_000, "step": 200, "chip": 100})
        assert limits == {**posted, "max": posted["max"] or CHIPS_MAX, "chip": 100}


def test_F1_F4_F5_four_rounds_each_its_own_way_are_played_to_the_last_prize() -> None:
    plan: list[dict[str, Any]] = [
        {"stack": "reset", "advance": {"top": 5}},
        {"stack": 3_000, "advance": {"top": 4}, "bets": {"min": 400, "max": 2_000, "step": 400}},
        {"stack": "carried", "advance": {"top": 3}, "bets": {"min": 600, "max": None, "step": 200}},
        {"stack": "reset", "advance": None},
    ]
    result = nights.event_simulate(entrants=7, seed=3, settings={"plan": plan})
    event = event_of(result)
    played = list(event.rounds.filter(kind=Round.Kind.ROUND).order_by("number"))
    assert [each.number for each in played] == list(range(1, len(plan) + 1))
    before: dict[str, int] = {}
    for round_, posted in zip(played, plan, strict=True):
        stacks = {stack.entry.code: stack for stack in round_.stacks.select_related("entry")}
        own = {"reset": 5_000}.get(posted["stack"], posted["stack"])
        for code, stack in stacks.items():
            assert stack.start_chips == (before[code] if own == "carried" else own), (round_, code)
        before = ended_with(round_)
        if posted["advance"]:
            gone_on = [code for code, s in stacks.items() if s.outcome == Stack.Outcome.ADVANCED]
            assert len(gone_on) == posted["advance"]["top"], round_
            before = {code: before[code] for code in gone_on}
        _bets_are_of_the_round(round_, posted.get("bets", {"min": 200, "max": 1_000, "step": 200}))
    assert (event.status, reconcile(event)) == (Event.Status.PAID, [])
    assert result["chips_issued"] == result["chips_on_tables"]
    assert chain_verify(event).broken_at is None


@pytest.mark.soak
def test_T23_a_simulated_director_rules_where_the_event_says_so():
    result = nights.event_simulate(entrants=14, seed=14, settings={"tie_at_cut": "director"})
    assert {each["kind"] for each in result["rounds"]} == {"round"}
    assert event_of(result).journal.filter(kind="round.tie_rule").exists()


def test_a_night_that_cannot_be_ends_with_a_sentence_and_nothing_on_standard_output():
    for words in [
        {"entrants": 1},
        {"entrants": 1001},
        {"decks": 7},
        {"stacks": "shared"},
        {"sheet": "bridge"},
    ]:
        given = {"entrants": 4, "seed": 1, **words}
        status, out, err = simulate(*(f"--{name}={value}" for name, value in given.items()))
        assert (status, out, bool(err)) == (2, "", True)
    assert not Event.objects.exists()
    for missing in (["--seed=1"], ["--entrants=4"], ["--entrants=few", "--seed=1"]):
        with pytest.raises(CommandError, match=r"--seed|--entrants"):
            call_command("simulate", *missing, stdout=StringIO(), stderr=StringIO())


def test_T11_the_rest_of_a_shoe_is_played_to_the_cut_card():
    round_ = seated(4, kind=Event.Kind.REHEARSAL)
    shoe = shoe_of(round_)
    some = simulation.shoe_play_on(shoe_id=shoe.pk, hands=2, key=new_key(), actor=None)
    assert some == {"hands": 2, "shoe_over": False}
    rest = simulation.shoe_play_on(shoe_id=shoe.pk, hands=None, key=new_key(), actor=None)
    assert rest["shoe_over"]
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER
    assert shoe.cards_dealt >= 5 * 52
    assert shoe.deals.count() == 2 + rest["hands"]


def test_a_shoe_keeps_its_first_seed_and_deals_only_from_a_seed():
    real = shoe_of(seated(3))
    with refused("not_simulated", 403):
        simulation.shoe_play_on(shoe_id=real.pk, key=new_key(), actor=None)
    shoe = shoe_of(seated(2, kind=Event.Kind.REHEARSAL))
    about = {"shoe_id": shoe.pk, "actor": None}
    with refused("shoe_not_seeded"):
        simulation.hand_play(key=new_key(), **about)
    first = simulation.shoe_seed(seed=b"a" * 32, key=new_key(), **about)
    later = simulation.shoe_seed(seed=b"b" * 32, key=new_key(), **about)
    assert first["seed"] == later["seed"] == (b"a" * 32).hex()


@pytest.mark.soak
def test_first_start_makes_logins_and_a_rehearsal_in_round_2_once(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(rehearsal, "ENTRANTS", 15)
    out, again = StringIO(), StringIO()
    call_command("first_start", stdout=out)
    logins = [line.split() for line in out.getvalue().splitlines() if line.startswith("login ")]
    assert sorted(role for _, role, _, _ in logins) == sorted(ROLES)
    assert all(role == user and len(password) >= 12 for _, role, user, password in logins)
    assert len({password for *_, password in logins}) == len(ROLES)
    call_command("first_start", stdout=again)
    assert again.getvalue() == ""
    event = Event.objects.get(slug="rehearsal")
    assert (event.kind, event.status) == ("rehearsal", "running")
    first, second = event.rounds.filter(kind=Round.Kind.ROUND).order_by("number")
    assert (first.status, second.status, second.stacks.count()) == ("closed", "playing", 12)
    shoes = second.shoes.order_by("table__number")
    assert [shoe.deals.count() for shoe in shoes] == [3, 2]
    assert Clerk.objects.get(user__username="dealer").table == shoes[0].table
    posted = live_payouts(event)
    assert posted is not None and sum(posted.prizes_cents) == posted.pool_cents
    assert (chain_verify(event).broken_at, reconcile(event)) == (None, [])


def test_a_production_start_makes_nothing_by_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(django_settings, "LOCAL", False)
    with pytest.raises(CommandError, match="DATABASE_URL"):
        call_command("first_start", stdout=StringIO())
    assert not Event.objects.exists()


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


def test_T2_T32_the_books_of_a_simulated_event_hold_to_the_cent_and_the_chip(night: dict[str, Any]):
    event, prizes = event_of(night), [each["prize_cents"] for each in night["places"]]
    assert sum(prizes) == night["pool_cents"] == 14 * 10_000
    assert sum(1 for cents in prizes if cents) == 6
    assert prizes == sorted(prizes, reverse=True)
    report = chain_verify(event)
    assert report.broken_at is None
    assert night["journal"] == {"entries": report.entries, "head": report.head}
    assert reconcile(event) == []
    assert night["chips_issued"] == night["chips_on_tables"] > 14 * 5_000
    assert not Stack.objects.filter(round__event=event, chips__gt=0).exists()
    assert Player.objects.filter(simulated=True).count() == 14
    assert not Player.objects.filter(simulated=True, days__isnull=False).exists()
    pool = MoneyEntry.objects.filter(transaction__event=event, account="pool")
    assert sum(pool.values_list("amount_cents", flat=True)) == 0


def test_T16_the_rows_of_a_simulated_night_are_what_its_journal_says(night: dict[str, Any]):
    found = audit(event_of(night))
    assert (found.differences, found.stop) == ((), None)


def test_every_hand_is_recorded_and_settles_to_the_same_answer_again(night: dict[str, Any]):
    hands = Deal.objects.filter(shoe__round__event=event_of(night))
    assert hands.count() == sum(each["deals"] for each in night["rounds"])
    for deal in hands.order_by("pk")[:40]:
        again = answer(deal.record)
        assert again["net"] == deal.answer["net"]
        assert deal.mode == Deal.Mode.SIMULATED


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
