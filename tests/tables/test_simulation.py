"""Simulated players, the nights they play, the rehearsal, and the commands that run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection

from games.blackjack.bots import BET_POLICIES
from games.blackjack.game import BLACKJACK
from tables.models import Clerk, Deal, Shoe
from tables.services import names, nights, rehearsal, simulation
from tests.cast.calls import refused
from tests.cast.factories import new_key
from tests.cast.floor import seated, shoe_of
from tests.cast.simulated import event_of, simulate
from tournament.engine.settings import CHIPS_MAX
from tournament.models import Event, Round, Stack
from tournament.roles import ROLES
from tournament.selectors.stages import live_payouts
from tournament.services.journal import chain_verify
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def _bets_are_of_the_round(round_: Round, posted: dict[str, int | None]) -> None:
    """F5: every bet of the round and of its play-offs, and what its records say of the limits."""
    deals = Deal.objects.filter(shoe__round__in=[round_, *round_.play_offs.all()])
    assert deals
    for deal in deals:
        for box, bet in deal.bets.items():
            assert bet % posted["step"] == 0 and bet >= posted["min"], deal
            assert bet <= (posted["max"] or deal.stacks[box]), deal
        limits = deal.record.get("limits", {"min": 200, "max": 1_000, "step": 200, "chip": 100})
        assert limits == {**posted, "max": posted["max"] or CHIPS_MAX, "chip": 100}


def test_F1_F4_four_rounds_each_its_own_way_are_played_to_the_last_prize() -> None:
    plan: list[dict[str, Any]] = [
        {"stack": "reset", "advance": {"top": 7}},
        {"stack": 3_000, "advance": {"top": 5}, "bets": {"min": 400, "max": 2_000, "step": 400}},
        {"stack": "carried", "advance": {"top": 3}, "bets": {"min": 600, "max": None, "step": 200}},
        {"stack": "reset", "advance": None},
    ]
    result = nights.event_simulate(entrants=9, seed=5, settings={"plan": plan})
    event = event_of(result)
    played = list(event.rounds.filter(kind=Round.Kind.ROUND).order_by("number"))
    assert [each.number for each in played] == list(range(1, len(plan) + 1))
    before: dict[str, int] = {}
    for round_, posted in zip(played, plan, strict=True):
        stacks = {stack.entry.code: stack for stack in round_.stacks.select_related("entry")}
        own = {"reset": 5_000}.get(posted["stack"], posted["stack"])
        for code, stack in stacks.items():
            assert stack.start_chips == (before[code] if own == "carried" else own), (round_, code)
        before = {code: stack.closed_chips or 0 for code, stack in stacks.items()}
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


ELSEWHERE = """
import sys
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
import django
django.setup()
from django.core.management import call_command
call_command("simulate", "--entrants", "4", "--seed", "8", "--json")
"""
"""The command in a process of its own, on this test's database."""


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_same_seed_is_the_same_night_with_any_hash_seed():
    def run(hash_seed: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-c", ELSEWHERE, connection.settings_dict["NAME"]],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "DJANGO_SETTINGS_MODULE": "config.settings"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        night = json.loads(done.stdout)
        # All but the slug and the head of the journal is the same.
        return {**night, "event": "", "journal": night["journal"]["entries"]}

    assert run("1") == run("77")


@pytest.mark.parametrize(
    "words", [{"entrants": 1}, {"entrants": 1001}, {"decks": 7}, {"stacks": "shared"}, {"sheet": "bridge"}]
)
def test_a_night_that_cannot_be_ends_with_a_sentence_and_nothing_on_standard_output(words: dict[str, Any]):
    given = {"entrants": 4, "seed": 1, **words}
    status, out, err = simulate(*(f"--{name}={value}" for name, value in given.items()))
    assert (status, out, bool(err)) == (2, "", True)
    assert not Event.objects.exists()
    for missing in (["--seed=1"], ["--entrants=4"], ["--entrants=few", "--seed=1"]):
        with pytest.raises(CommandError, match=r"--seed|--entrants"):
            call_command("simulate", *missing, stdout=StringIO(), stderr=StringIO())


def test_players_are_mixed_and_the_same_whenever_they_come():
    crew = [simulation.player_of(BLACKJACK.name, "SIM-7", f"E{n:03}") for n in range(1, 43)]
    assert {each.policy for each in crew} == set(BET_POLICIES)
    assert {each.insures for each in crew} == {True, False}
    simulation.player_of.cache_clear()
    assert crew[0] == simulation.player_of(BLACKJACK.name, "SIM-7", "E001")
    assert len({names.name_of(number) for number in range(1, 1_001)}) == 1_000


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
