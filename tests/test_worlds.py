"""A world that is put back is the one that the desk and the floor made, row by row."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from tests.cast import floor as cast
from tests.cast import playing, worlds
from tests.cast.screens import everything
from tournament.models import Event
from tournament.selectors.chain import chain_verify
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db

WORLDS: dict[str, Callable[[], Any]] = {
    "sold": lambda: cast.event_make(5, buy_in_cents=50_00),
    "seated": lambda: cast.seated(4),
    "played to the end": lambda: playing.finished(5, cut_after_round_1=4, cut_after_round_2=3),
}


@pytest.fixture(autouse=True)
def none_yet(request: pytest.FixtureRequest) -> Any:
    """Nothing is kept of the tests before, nor for those after."""
    before = dict(worlds._worlds)
    worlds._worlds.clear()
    yield
    worlds._worlds.clear()
    worlds._worlds.update(before)


@pytest.mark.parametrize("name", WORLDS)
def test_what_is_put_back_is_what_the_services_wrote(name: str) -> None:
    with transaction.atomic():
        first = WORLDS[name]()
        written = everything()
        transaction.set_rollback(True)
    assert not Event.objects.exists()
    again = WORLDS[name]()
    assert (again, everything()) == (first, written)
    assert sum(map(len, written.values())) > 30
    connection.check_constraints()
    event = again if isinstance(again, Event) else again.event
    assert chain_verify(event).why == ""
    assert reconcile(event) == []


def test_what_a_test_does_to_its_world_is_not_in_the_next() -> None:
    with transaction.atomic():
        round_ = cast.seated(3)
        round_.number = 7
        cast.hand(cast.shoe_of(round_), {1: 200}, b1="win")
        transaction.set_rollback(True)
    again = cast.seated(3)
    assert again.number == 1
    assert cast.chips_at(again, 1) == 5000
