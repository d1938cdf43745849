"""The seed of a run decides what its tests draw."""

import secrets

import pytest

from tests import seed


@pytest.mark.parametrize(("size", "many"), [(10, 4), (59, 7), (5, 5), (3, 8)])
def test_consecutive_seeds_reach_every_value(monkeypatch, size, many):
    values, seen = list(range(size)), set()
    for number in range(325, 325 + -(-size // many)):
        monkeypatch.setenv(seed.NAME, str(number))
        found = seed.turn(values, many)
        assert len(found) == min(size, many)
        seen |= set(found)
    assert seen == set(values)


def test_a_seed_draws_the_same_again_and_another_seed_does_not(monkeypatch):
    drawn, tokens = [], []
    for number in ("325", "325", "326"):
        monkeypatch.setenv(seed.NAME, number)
        drawn.append(seed.chance_of("races").random())
        with seed.drawn_from("an event"):
            tokens.append((secrets.token_hex(16), secrets.token_bytes(32)))
    assert drawn[0] == drawn[1] != drawn[2]
    assert tokens[0] == tokens[1] != tokens[2]
    assert secrets.token_bytes(32) != secrets.token_bytes(32)
