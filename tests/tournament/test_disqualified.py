"""Disqualified while a tie is played, and after the places are decided (T26, T33, T35)."""

from __future__ import annotations

import pytest

from tests.cast import playing
from tests.cast.calls import refused
from tests.cast.disqualified import LISTED, NETS, PRIZES, close, places, play_off, sudden_death, withdraw
from tests.cast.factories import round_seat, round_to
from tests.cast.floor import disqualify
from tests.cast.payments import pay
from tournament.engine.ties import TieGroup
from tournament.models import Entry, Event, Stack
from tournament.selectors.entrants import entrants_of
from tournament.selectors.next_steps import seat_due
from tournament.selectors.penalties import why_not_disqualify
from tournament.selectors.prizes import prizes_for
from tournament.selectors.stage_ranking import stage_ranking
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("entrants", "first", "gone", "then", "advanced"),
    [
        (6, {}, "E003", {"E004": 200}, "E001 E002 E004"),
        # One is left for the seat, and has it without a hand.
        (4, {}, "E003", {}, "E001 E002 E004"),
        # A player who was through: a seat more is played for.
        (6, {}, "E001", {"E003": 200, "E004": 400}, "E002 E003 E004"),
        # The loser of a play-off that is closed.
        (5, {"E003": 200}, "E004", {}, "E001 E002 E003"),
    ],
)
def test_T26_a_play_off_goes_on_without_a_disqualified_player(entrants, first, gone, then, advanced):
    event, round_, stage = play_off(entrants)
    if first:
        playing.win(stage, **first)
        close(stage)
    disqualify(event, gone)
    if then:
        playing.win(stage, **then)
    stage.refresh_from_db()
    round_.refresh_from_db()
    assert sum(stage.stacks.values_list("chips", flat=True)) == 0
    if not first:
        close(stage)
    round_.refresh_from_db()
    assert sorted(close(round_)["advanced"]) == advanced.split()
    assert reconcile(event) == []


@pytest.mark.parametrize("closed", [False, True])
def test_T26_the_winner_of_a_play_off_is_disqualified_and_the_losers_play_for_the_seat(closed: bool):
    event, _round, stage = play_off(5)
    playing.win(stage, E003=200)
    if closed:
        close(stage)
    disqualify(event, "E003")
    if not closed:
        close(stage)
    found = seat_due(event)
    assert found is not None
    assert (found.entries, found.seats) == (("E004", "E005"), 1)


def test_T26_one_of_a_sudden_death_is_disqualified_and_the_others_play_for_one_place_less():
    event, stage = sudden_death(NETS)
    disqualify(event, "E003")
    stage.refresh_from_db()
    (group,) = stage_ranking(stage).groups
    assert (group.places, group.entries) == ((2, 3), ("E002", "E004"))
    playing.win(stage, E004=200)
    close(stage)
    event.refresh_from_db()
    assert event.status == "finished"
    assert places(event) == {"E001": 1, "E004": 2, "E002": 3, "E005": 4, "E006": 5, "E007": 6, "E003": 7}
    assert sum(prizes_for(event).values()) == 70_000
    assert reconcile(event) == []


def test_T26_the_last_of_a_tie_takes_its_best_place_without_a_hand():
    event, stage = sudden_death({**NETS, "E004": 800})
    disqualify(event, "E002")
    stage.refresh_from_db()
    assert (stage.status, stage.stacks.get(entry__code="E003").place) == ("counted", 2)
    close(stage)
    assert places(event)["E003"] == 2


def test_T26_somebody_ahead_of_a_tie_is_disqualified_and_it_moves_up_with_its_prizes():
    event, stage = sudden_death(NETS)
    disqualify(event, "E001")
    stage.refresh_from_db()
    (group,) = stage_ranking(stage).groups
    assert (group.places, group.prizes_cents) == ((1, 2, 3), (28_000, 21_000, 14_000))


def test_T26_a_tie_that_moves_up_into_the_money_is_played_afterwards():
    nets = {"E001": 2000, "E002": 2000, "E003": 800, "E004": 600, "E005": 400, "E006": 400}
    event, stage = sudden_death(nets)
    disqualify(event, "E003")
    playing.win(stage, E002=200)
    close(stage)
    found = seat_due(event)
    assert found is not None
    assert found.groups == (TieGroup((4, 5), ("E005", "E006"), (7_000, 0)),)


def test_T26_a_tie_for_money_that_comes_of_it_is_played_although_some_are_paid():
    nets = {"E001": 2000, "E002": 2000, "E003": 800, "E004": 600, "E005": 400, "E006": 400}
    event, stage = sudden_death(nets)
    playing.win(stage, E002=200)
    close(stage)
    assert places(event)["E005"] == places(event)["E006"] == 5
    pay(event, "E004")
    with refused("prize_paid"):
        disqualify(event, "E004")
    disqualify(event, "E003")
    assert (event.status, set(places(event).values()), prizes_for(event)) == ("running", {None}, {})
    with refused("not_finished"):
        pay(event, "E001")
    again = round_seat(event)
    round_to(again, "playing")
    playing.win(again, E005=200)
    close(again)
    event.refresh_from_db()
    assert (event.status, places(event)["E005"], places(event)["E006"]) == ("finished", 4, 5)
    assert pay(event, "E004")["amount_cents"] == 7_000
    assert reconcile(event) == []


def play(event: Event, number: int) -> None:
    """The rounds that are left, up to ``number``; the lowest code ends on top."""
    while event.rounds.filter(kind="round").count() < number:
        event.refresh_from_db()
        round_ = round_seat(event)
        playing.win(round_, **playing.ladder(round_))
        playing.close(round_)
    event.refresh_from_db()


@pytest.mark.parametrize("when", ["in the round", "between rounds", "after the places are decided"])
def test_T26_those_behind_who_withdrew_move_up_whenever_it_is_found_out(when: str):
    event = playing.round_1_closed(6, stacks="reset", cut_after_round_1=4, cut_after_round_2=4, **LISTED)
    playing.post(event, {**PRIZES, "amounts": [20_000, 15_000, 10_000, 5_000, 5_000]})
    withdraw(event, "E005")
    if when == "between rounds":
        disqualify(event, "E005")
    round_ = round_seat(event)
    round_to(round_, "playing")
    if when == "in the round":
        disqualify(event, "E005")
    playing.win(round_, **playing.ladder(round_))
    round_to(round_, "counted")
    close(round_)
    play(event, 3)
    if when == "after the places are decided":
        assert places(event)["E005"] == 5
        disqualify(event, "E005")
    assert places(event) == {"E001": 1, "E002": 2, "E003": 3, "E004": 4, "E006": 5, "E005": 6}
    assert prizes_for(event)["E006"] == 5_000
    words = {row.code: str(row.state) for row in stage_ranking(event.rounds.order_by("pk")[0]).rows}
    assert (words["E005"], words["E006"]) == ("disqualified", "out")
    assert reconcile(event) == []


def test_T26_a_stack_that_was_given_up_is_ranked_in_no_round_by_it():
    event = playing.round_1_closed(6, stacks="reset", **LISTED)
    playing.post(event, PRIZES)
    round_ = round_seat(event)
    round_to(round_, "playing")
    entry = withdraw(event, "E004")
    disqualify(event, "E004")
    assert Stack.objects.get(round=round_, entry=entry).state == "withdrawn"
    assert "E004" not in {row.code for row in stage_ranking(round_).rows}
    first = {row.code: row.place for row in stage_ranking(event.rounds.order_by("pk")[0]).rows}
    assert first["E004"] == 6
    assert entrants_of(event).entrants == 6


def test_T26_whoever_no_round_has_ranked_has_no_place_to_lose():
    event = playing.event_with(4)
    gone = withdraw(event, "E003", refund=True)
    Entry.objects.filter(code="E004").update(status="waiting", waiting_since=gone.created_at)
    round_ = round_seat(event)
    round_to(round_, "playing")
    Stack.objects.filter(round=round_, entry__code="E002").update(state="no_show")
    Entry.objects.filter(code="E002").update(status="no_show")
    disqualify(event, "E001")
    for entry in event.entries.all():
        why_not = why_not_disqualify(entry)
        assert why_not is not None and why_not.code == "not_in_the_event"
        with refused("not_in_the_event"):
            disqualify(event, entry.code)
