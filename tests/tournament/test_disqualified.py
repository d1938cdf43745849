"""Disqualified while a tie is played, and after the places are decided (T26, T33, T35)."""

from __future__ import annotations

import pytest

from ground.refused import Refused
from tests.cast import playing
from tests.cast.disqualified import NETS, close, disqualify, places, play_off, sudden_death, won
from tests.cast.factories import UserFactory, new_key, round_seat, round_to
from tournament.models import Entry, Event, Payment, Posting, Round, Stack
from tournament.selectors.prizes import prizes_for
from tournament.selectors.stages import next_stage
from tournament.services.payments import prize_pay
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


def refused(event: Event, code: str) -> str:
    with pytest.raises(Refused) as no:
        disqualify(event, code)
    return no.value.code


def outcomes(stage: Round) -> dict[str, str]:
    return dict(stage.stacks.values_list("entry__code", "outcome"))


# -- A play-off --------------------------------------------------------------------------------------


def test_T26_one_of_those_who_play_off_is_disqualified_and_the_others_go_on():
    event, round_, stage = play_off()
    disqualify(event, "E003")
    stage.refresh_from_db()
    assert (stage.status, stage.stakes["contested"]) == ("playing", 1)
    assert stage.stacks.get(entry__code="E003").state == Stack.State.DISQUALIFIED
    won(stage, E004=200)
    close(stage)
    round_.refresh_from_db()
    assert sorted(close(round_)["advanced"]) == ["E001", "E002", "E004"]
    assert reconcile(event) == []


def test_T26_the_last_but_one_of_a_play_off_leaves_the_seat_to_the_other():
    event, round_, stage = play_off(4)
    disqualify(event, "E003")
    stage.refresh_from_db()
    assert (stage.status, outcomes(stage)["E004"]) == ("counted", "advanced")
    assert sum(stage.stacks.values_list("chips", flat=True)) == 0
    close(stage)
    round_.refresh_from_db()
    assert sorted(close(round_)["advanced"]) == ["E001", "E002", "E004"]
    assert reconcile(event) == []


def test_T26_who_was_through_is_disqualified_and_a_seat_more_is_played_for():
    event, round_, stage = play_off()
    disqualify(event, "E001")
    stage.refresh_from_db()
    assert stage.stakes["contested"] == 2
    won(stage, E003=200, E004=400)
    close(stage)
    round_.refresh_from_db()
    assert sorted(close(round_)["advanced"]) == ["E002", "E003", "E004"]


@pytest.mark.parametrize("closed", [False, True])
def test_T26_the_winner_of_a_play_off_is_disqualified_and_the_losers_play_for_the_seat(closed: bool):
    event, _round, stage = play_off(5)
    won(stage, E003=200)
    if closed:
        close(stage)
    disqualify(event, "E003")
    if not closed:
        close(stage)
    found = next_stage(event)
    assert found is not None
    assert ([e.code for e in found.entries], found.stakes) == (["E004", "E005"], {"contested": 1})


def test_T26_the_loser_of_a_play_off_is_disqualified_and_its_winner_stays_in():
    event, round_, stage = play_off(5)
    won(stage, E003=200)
    close(stage)
    disqualify(event, "E004")
    round_.refresh_from_db()
    assert sorted(close(round_)["advanced"]) == ["E001", "E002", "E003"]


# -- A sudden death ----------------------------------------------------------------------------------


def test_T26_one_of_a_sudden_death_is_disqualified_and_the_others_play_for_one_place_less():
    event, stage = sudden_death(NETS)
    disqualify(event, "E003")
    stage.refresh_from_db()
    (group,) = stage.stakes["groups"]
    assert (group["places"], group["entries"]) == ([2, 3], ["E002", "E004"])
    won(stage, E004=200)
    close(stage)
    assert event.__class__.objects.get(pk=event.pk).status == "finished"
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
    (group,) = stage.stakes["groups"]
    assert (group["places"], group["prizes_cents"]) == ([1, 2, 3], [28_000, 21_000, 14_000])


def test_T26_a_tie_that_moves_up_into_the_money_is_played_afterwards():
    event, stage = sudden_death(
        {"E001": 2000, "E002": 2000, "E003": 800, "E004": 600, "E005": 400, "E006": 400}
    )
    disqualify(event, "E003")
    won(stage, E002=200)
    close(stage)
    found = next_stage(event)
    assert found is not None
    assert found.stakes["groups"] == [
        {"places": [4, 5], "entries": ["E005", "E006"], "prizes_cents": [7_000, 0]}
    ]
    again = round_seat(event)
    round_to(again, "playing")
    won(again, E006=200)
    close(again)
    assert places(event) == {"E002": 1, "E001": 2, "E004": 3, "E006": 4, "E005": 5, "E007": 6, "E003": 7}
    assert reconcile(event) == []


# -- After the places are decided --------------------------------------------------------------------


def test_T26_after_the_places_are_decided_those_behind_move_up_and_are_paid_so():
    event = playing.finished(5)
    before = prizes_for(event)
    disqualify(event, "E002")
    assert (event.status, places(event)) == (
        "finished",
        {"E001": 1, "E003": 2, "E004": 3, "E005": 4, "E002": 5},
    )
    prizes = {event.entries.get(pk=pk).code: cents for pk, cents in prizes_for(event).items()}
    assert sorted(c for c in prizes.values() if c) == sorted(c for c in before.values() if c)
    assert (prizes["E003"], prizes["E004"], prizes["E002"]) == (15_000, 10_000, 0)
    results = Posting.objects.filter(event=event, kind="result", number__gt=3).order_by("version")
    assert [(posting.number, posting.version) for posting in results] == [(4, 1), (4, 2)]
    for code in ("E001", "E003", "E004"):
        pay(event, code)
    event.refresh_from_db()
    assert event.status == "paid"
    assert refused(event, "E001") == "event_over"


def pay(event: Event, code: str) -> None:
    prize_pay(
        entry_id=event.entries.get(code=code).pk, identity_checked=True, key=new_key(), actor=UserFactory()
    )


def test_T26_a_place_that_nobody_holds_any_more_leaves_its_prize_to_the_others_in_proportion():
    event = playing.finished(3)
    disqualify(event, "E003")
    prizes = {event.entries.get(pk=pk).code: cents for pk, cents in prizes_for(event).items()}
    # 150.00 and 90.00 share the third prize of 60.00 as five to three.
    assert prizes == {"E001": 18_750, "E002": 11_250, "E003": 0}
    pay(event, "E001"), pay(event, "E002")
    event.refresh_from_db()
    assert event.status == "paid"
    assert sum(Payment.objects.values_list("amount_cents", flat=True)) == 30_000
    assert reconcile(event) == []


def test_T26_whoever_has_the_prize_in_hand_is_not_disqualified():
    event = playing.finished(5)
    pay(event, "E002")
    with pytest.raises(Refused, match=r"^prize_paid:"):
        disqualify(event, "E002")
    assert event.entries.get(code="E002").status == Entry.Status.LIVE


def test_T26_a_tie_for_money_that_comes_of_it_is_played():
    event, stage = sudden_death(
        {"E001": 2000, "E002": 2000, "E003": 800, "E004": 600, "E005": 400, "E006": 400}
    )
    won(stage, E002=200)
    close(stage)
    assert places(event)["E005"] == places(event)["E006"] == 5
    disqualify(event, "E003")
    assert (event.status, set(places(event).values())) == ("running", {None})
    again = round_seat(event)
    round_to(again, "playing")
    won(again, E005=200)
    close(again)
    event.refresh_from_db()
    assert (event.status, places(event)["E005"], places(event)["E006"]) == ("finished", 4, 5)
