"""Who was turned away stays so for the gaming day, whatever is typed at the desk (T7, faults)."""

from datetime import timedelta

import pytest

from tests.cast.at_desk import Somebody, done, staff
from tests.cast.buying import answered, buy_in, sale_refused, turn_away
from tests.cast.calls import refused
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, new_key
from tournament.models import PlayerCheck
from tournament.services import people

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
    assert cashier.user.username in page and "desk/ask/" not in page
    assert "desk/ask/" in director.get(staff(event, "desk/"), player=str(player.pk)).content.decode()
