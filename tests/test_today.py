"""The days of the long walks: together they try everything."""

import pytest

from tests import today


@pytest.mark.parametrize(("size", "many"), [(10, 4), (59, 7), (5, 5), (3, 8)])
def test_in_as_many_days_as_it_takes_every_value_has_its_turn(monkeypatch, size, many):
    values, seen = list(range(size)), set()
    for day in range(325, 325 + -(-size // many)):
        monkeypatch.setenv(today.NAME, str(day))
        found = today.turn(values, many)
        assert len(found) == min(size, many)
        seen |= set(found)
    assert seen == set(values)


def test_a_day_that_is_named_is_played_again_and_another_is_another(monkeypatch):
    drawn = []
    for day in ("325", "325", "326"):
        monkeypatch.setenv(today.NAME, day)
        drawn.append(today.chance_of("races").random())
    assert drawn[0] == drawn[1] != drawn[2]
