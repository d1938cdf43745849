"""Names in any script beside figures."""

import pytest

from tournament.engine.names import FROM_HERE, TO_HERE, isolated
from tournament.models import Player


@pytest.mark.parametrize("name", ["Ann B.", "Ωμέγα", "Владимир К.", "王小明", "José Ñ.", "", "E017"])
def test_a_name_from_left_to_right_stays_as_it_is(name):
    assert isolated(name) == name


@pytest.mark.parametrize("name", ["דוד כ.", "محمد ا.", "Ann דוד", "\u202eneve"])
def test_a_name_from_right_to_left_is_kept_apart_from_its_neighbours(name):
    assert isolated(name) == FROM_HERE + name + TO_HERE


def test_a_player_is_shown_kept_apart():
    player = Player(given_name="דוד", family_name="כהן")
    assert player.public_name == f"{FROM_HERE}דוד כ.{TO_HERE}"
    assert player.full_name == f"{FROM_HERE}דוד כהן{TO_HERE}"
    assert Player(given_name="Ann", family_name="Berg", alias="אבי").public_name == f"{FROM_HERE}אבי{TO_HERE}"
