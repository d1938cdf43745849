"""Names in any script beside figures."""

import pytest

from tournament.engine.names import FROM_HERE, TO_HERE
from tournament.models import Player


@pytest.mark.parametrize(
    ("apart", "names"), [(False, "Ann Ωμέγα Владимир 王小明 José"), (True, "דוד محمد \u202eneve")]
)
def test_a_name_from_right_to_left_is_kept_apart_from_its_neighbours_and_no_other(apart, names):
    for name in names.split():
        told = f"{name} B."
        player = Player(given_name=name, family_name="B", alias="")
        assert player.public_name == (FROM_HERE + told + TO_HERE if apart else told)
        assert Player(given_name="Ann", family_name="Berg", alias=name).public_name == (
            FROM_HERE + name + TO_HERE if apart else name
        )
