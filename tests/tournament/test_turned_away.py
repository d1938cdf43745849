"""Who was turned away stays so for the gaming day, whatever is typed at the desk (T7, faults)."""

import importlib
from datetime import date, timedelta

import pytest
from django.apps import apps
from django.db import DatabaseError, transaction

from tests.cast.at_desk import Somebody, done, staff
from tests.cast.buying import answered, at, buy_in, sale_refused, turn_away
from tests.cast.calls import refused
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, new_key
from tournament.engine.days import day_ends, day_of
from tournament.models import House, PlayerCheck
from tournament.selectors.desk import database_now
from tournament.services import house, people

pytestmark = pytest.mark.django_db


# -- Turned away --------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", ["under_age", "excluded"])
def test_T7_who_was_turned_away_stays_turned_away_for_the_gaming_day(outcome):
    player, event = PlayerFactory(), EventFactory()
    turn_away(player, event, outcome)
    for each in (event, EventFactory()):
        sale_refused("turned_away", player, each, status=403)


def test_T7_on_another_gaming_day_the_check_is_made_anew():
    player, event = PlayerFactory(), EventFactory()
    turn_away(player, event)
    held = PlayerCheck.objects.get()
    yesterday = PlayerFactory()
    PlayerCheck.objects.create(
        player=yesterday,
        event=event,
        outcome="under_age",
        gaming_day=held.gaming_day - timedelta(days=1),
        at=held.at - timedelta(days=1),
    )
    assert buy_in(yesterday, event)["code"] == "E001"


@pytest.mark.parametrize(
    ("moment", "held"),
    [("now", True), ("the day's turn", True), ("a moment before it", False), ("yesterday", False)],
)
def test_T7_a_check_from_before_the_day_was_kept_holds_for_the_day_that_it_was_made_on(moment, held):
    """Somebody turned away in the hour before an upgrade is turned away after it."""
    event, player = EventFactory(), PlayerFactory()
    now, clock = database_now(), house.house_current().clock
    began = day_ends(day_of(now, clock) - timedelta(days=1), clock)
    at_ = {
        "now": now,
        "the day's turn": began,
        "a moment before it": began - timedelta(microseconds=1),
        "yesterday": now - timedelta(days=1),
    }[moment]
    PlayerCheck.objects.create(player=player, event=event, outcome="under_age", gaming_day=None, at=at_)
    migration = importlib.import_module("tournament.migrations.0011_days_of_checks")
    migration.days_of_checks(apps, None)
    assert not PlayerCheck.objects.filter(gaming_day=None).exists()
    if held:
        sale_refused("turned_away", player, event, status=403)
    else:
        assert buy_in(player, event)["code"] == "E001"
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        PlayerCheck.objects.update(outcome="passed")


def test_T7_the_days_of_old_checks_are_by_the_clock_of_the_house_and_those_that_were_kept_stay():
    zone = {"time_zone": "Europe/Vienna", "day_turns_at_hour": 6}
    House.objects.update_or_create(pk=1, defaults=zone)
    checks = [
        PlayerCheck.objects.create(player=PlayerFactory(), outcome="excluded", gaming_day=day, at=at(text))
        for day, text in ((None, "11-21 04:59"), (None, "11-21 05:00"), (date(2026, 1, 1), "11-21 05:00"))
    ]
    migration = importlib.import_module("tournament.migrations.0011_days_of_checks")
    migration.days_of_checks(apps, None)
    for check in checks:
        check.refresh_from_db()
    assert [check.gaming_day for check in checks] == [
        date(2026, 11, 20),
        date(2026, 11, 21),
        date(2026, 1, 1),
    ]


def test_T7_a_rehearsal_turns_nobody_away_for_real():
    player, rehearsal = PlayerFactory(), EventFactory(kind="rehearsal")
    turn_away(player, rehearsal)
    sale_refused("turned_away", player, rehearsal, status=403)
    assert buy_in(player)["code"] == "E001"


def test_T7_two_persons_let_somebody_in_after_all_and_it_can_be_taken_back():
    player, event, director = PlayerFactory(), EventFactory(), UserFactory()
    wanted = {"event_id": event.pk, "player_id": player.pk, "reason": "her passport says 1990"}
    with refused("not_turned_away", 409):
        people.player_let_in_request(**wanted, key=new_key(), actor=director)
    turn_away(player, event)
    asked = people.player_let_in_request(**wanted, key=new_key(), actor=director)
    with refused("own_request", 403):
        answered(asked, director)
    sale_refused("turned_away", player, event, status=403)
    answered(asked)
    assert buy_in(player, event)["code"] == "E001"
    turn_away(player, event)
    sale_refused("turned_away", player, status=403)


def test_T7_the_desk_says_who_turned_the_person_away_and_lets_the_director_ask():
    player, event = PlayerFactory(), EventFactory()
    cashier, director = Somebody("cashier"), Somebody("director")
    done(cashier.press(staff(event, "desk/turn-away/"), player=player.pk, outcome="under_age"))
    page = cashier.get(staff(event, "desk/"), player=str(player.pk)).content.decode()
    assert f"Turned away today as under age, by {cashier.user.username}: that holds" in page
    assert "desk/ask/" not in page
    assert "desk/ask/" in director.get(staff(event, "desk/"), player=str(player.pk)).content.decode()
