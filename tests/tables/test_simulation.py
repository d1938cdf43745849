"""Simulated players, the nights they play, the rehearsal, and the commands that run them."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command

from games.blackjack.bots import BET_POLICIES
from games.blackjack.game import BLACKJACK
from tables.models import Clerk, Deal, Shoe
from tables.services import names, nights, rehearsal, simulation
from tests.cast.calls import refused
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import seated, shoe_of
from tests.cast.simulated import SUMMARY, comparable, event_of, simulate
from tournament.engine.settings import CHIPS_MAX
from tournament.models import Event, Round, Stack
from tournament.roles import ROLES
from tournament.selectors.stages import live_payouts
from tournament.services.journal import chain_verify
from tournament.services.reconcile import reconcile

SUMMARY |= {"chips_issued", "chips_on_tables"}


PLANS: dict[str, list[dict[str, Any]]] = {
    "two rounds, stacks carried": [
        {"stack": "reset", "advance": {"top": 3}},
        {"stack": "carried", "advance": None},
    ],
    "four rounds, each its own way": [
        {"stack": "reset", "advance": {"top": 7}},
        {"stack": 3_000, "advance": {"top": 5}, "bets": {"min": 400, "max": 2_000, "step": 400}},
        {"stack": "carried", "advance": {"top": 3}, "bets": {"min": 600, "max": None, "step": 200}},
        {"stack": "reset", "advance": None},
    ],
}


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


@pytest.mark.django_db
@pytest.mark.parametrize(
    "plan",
    [pytest.param(plan, marks=pytest.mark.soak if len(plan) == 2 else []) for plan in PLANS.values()],
    ids=PLANS,
)
def test_F1_F4_any_number_of_rounds_is_played_to_the_last_prize(plan: list[dict[str, Any]]) -> None:
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


# -- A whole event -----------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.soak
def test_T33_sudden_death_is_the_fourth_round():
    result = nights.event_simulate(entrants=8, seed=1, settings={"stacks": "reset"})
    found = [each for each in result["rounds"] if each["kind"] == "sudden_death"]
    assert [each["number"] for each in found] == [4]
    assert found[0]["deals"] >= 1
    prizes = {each["place"]: each["prize_cents"] for each in result["places"] if each["prize_cents"]}
    assert sorted(prizes.values(), reverse=True) == [prizes[place] for place in range(1, 7)]


@pytest.mark.django_db
@pytest.mark.soak
def test_T24_two_entrants_play_for_two_prizes():
    result = nights.event_simulate(entrants=2, seed=5)
    assert [each["place"] for each in result["places"]] == [1, 2]
    assert sum(each["prize_cents"] for each in result["places"]) == result["pool_cents"] == 20_000


@pytest.mark.django_db
@pytest.mark.soak
def test_T23_a_simulated_director_rules_where_the_event_says_so():
    result = nights.event_simulate(entrants=14, seed=14, settings={"tie_at_cut": "director"})
    assert {each["kind"] for each in result["rounds"]} == {"round"}
    assert event_of(result).journal.filter(kind="round.tie_rule").exists()


# -- The same night again ----------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.soak
def test_same_seed_is_the_same_night_but_for_slug_and_head():
    first, second = (nights.event_simulate(entrants=9, seed=21) for _ in range(2))
    assert first["event"] != second["event"]
    assert json.dumps(comparable(first)) == json.dumps(comparable(second))


# -- The command -------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("entrants", ["1", "1001", "0", "-3"])
def test_entrants_out_of_range_end_with_a_sentence_and_nothing_on_standard_output(entrants: str):
    status, out, err = simulate(f"--entrants={entrants}", "--seed=7")
    assert (status, out, bool(err)) == (2, "", True)
    assert not Event.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "told"),
    [(["--decks=7"], "decks"), (["--stacks=shared"], "stack")],
)
def test_settings_that_cannot_be_posted_end_with_a_sentence(words: list[str], told: str):
    status, out, err = simulate("--entrants=4", "--seed=1", *words)
    assert (status, out) == (2, "")
    assert told in err


@pytest.mark.django_db
@pytest.mark.parametrize("words", [["--seed=1"], ["--entrants=4"], ["--entrants=few", "--seed=1"]])
def test_words_that_are_missing_or_no_number_are_refused(words: list[str]):
    with pytest.raises(CommandError, match=r"--seed|--entrants"):
        call_command("simulate", *words, stdout=StringIO(), stderr=StringIO())


@pytest.mark.django_db
@pytest.mark.soak
def test_nothing_but_the_json_is_on_standard_output(capsys: pytest.CaptureFixture[str]):
    status, out, err = simulate("--entrants=4", "--seed=6", "--decks=8", "--stacks=reset", "--json")
    assert (status, err) == (0, "")
    assert set(json.loads(out)) == SUMMARY
    assert capsys.readouterr().out == ""


@pytest.mark.django_db
@pytest.mark.soak
def test_the_posted_code_names_the_seed():
    event = event_of(nights.event_simulate(entrants=3, seed=12))
    assert (event.code, event.kind) == ("SIM-12", Event.Kind.SIMULATION)
    secret = nights.seed_of("SIM-12", "draw", 1).hex()
    assert event.draws.get(number=1).revealed_secret == secret


# -- Players and hands -------------------------------------------------------------------------------


def test_players_are_mixed_and_the_same_whenever_they_come():
    crew = [simulation.player_of(BLACKJACK.name, "SIM-7", f"E{n:03}") for n in range(1, 43)]
    assert {each.policy for each in crew} == set(BET_POLICIES)
    assert {each.insures for each in crew} == {True, False}
    simulation.player_of.cache_clear()
    assert crew[0] == simulation.player_of(BLACKJACK.name, "SIM-7", "E001")


def test_names_of_simulated_players_do_not_repeat_within_a_thousand():
    people = [names.name_of(number) for number in range(1, 1_001)]
    assert len(set(people)) == 1_000
    assert all(given and family for given, family in people)


@pytest.mark.django_db
def test_no_simulated_hand_is_played_in_a_real_event():
    round_ = seated(3)
    with refused("not_simulated", 403):
        simulation.shoe_play_on(shoe_id=shoe_of(round_).pk, key=new_key(), actor=None)
    assert not Deal.objects.exists()


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_a_shoe_keeps_its_first_seed_and_deals_only_from_a_seed():
    shoe = shoe_of(seated(2, kind=Event.Kind.REHEARSAL))
    with refused("shoe_not_seeded"):
        simulation.hand_play(shoe_id=shoe.pk, key=new_key(), actor=None)
    first = simulation.shoe_seed(shoe_id=shoe.pk, seed=b"a" * 32, key=new_key(), actor=None)
    later = simulation.shoe_seed(shoe_id=shoe.pk, seed=b"b" * 32, key=new_key(), actor=None)
    assert first["seed"] == later["seed"] == (b"a" * 32).hex()


# -- The rehearsal of a first start ------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rehearsal of 15 instead of 42, which is as good and quicker."""
    monkeypatch.setattr(rehearsal, "ENTRANTS", 15)


@pytest.mark.django_db
@pytest.mark.soak
def test_the_rehearsal_waits_at_the_tables_of_round_2_with_payouts_posted(few: None):
    people = {role: UserFactory(username=role, roles=[role]) for role in ROLES}
    event = Event.objects.get(pk=rehearsal.rehearsal_make()["event"])
    assert (event.slug, event.kind, event.status) == ("rehearsal", "rehearsal", "running")
    first, second = event.rounds.filter(kind=Round.Kind.ROUND).order_by("number")
    assert (first.status, second.status) == ("closed", "playing")
    assert second.stacks.count() == 12
    hands = [shoe.deals.count() for shoe in second.shoes.order_by("table__number")]
    assert hands == [3, 2]
    posted = live_payouts(event)
    assert posted is not None
    assert sum(posted.prizes_cents) == posted.pool_cents
    assert (
        Clerk.objects.get(user=people["dealer"]).table.number
        == second.shoes.order_by("table__number")[0].table.number
    )
    assert chain_verify(event).broken_at is None
    assert reconcile(event) == []


@pytest.mark.django_db
@pytest.mark.soak
def test_first_start_prints_a_login_for_every_role_and_makes_it_all_once(few: None):
    out = StringIO()
    call_command("first_start", stdout=out)
    logins = [line.split() for line in out.getvalue().splitlines() if line.startswith("login ")]
    assert sorted(role for _, role, _, _ in logins) == sorted(ROLES)
    assert all(role == user and len(password) >= 12 for _, role, user, password in logins)
    assert len({password for *_, password in logins}) == len(ROLES)
    again = StringIO()
    call_command("first_start", stdout=again)
    assert again.getvalue() == ""
    assert Event.objects.filter(slug="rehearsal").count() == 1


@pytest.mark.django_db
def test_a_production_start_makes_nothing_by_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(django_settings, "LOCAL", False)
    with pytest.raises(CommandError, match="DATABASE_URL"):
        call_command("first_start", stdout=StringIO())
    assert not Event.objects.exists()


@pytest.mark.django_db
@pytest.mark.soak
def test_a_rehearsal_that_is_cut_off_leaves_nothing(few: None, monkeypatch: pytest.MonkeyPatch):
    def broken(night: Any) -> None:
        raise RuntimeError("cut off")

    monkeypatch.setattr(rehearsal, "night_post_payouts", broken)
    with pytest.raises(RuntimeError, match="cut off"):
        rehearsal.rehearsal_make()
    assert not Event.objects.filter(slug="rehearsal").exists()
