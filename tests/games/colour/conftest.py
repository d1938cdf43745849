"""While these tests run, colour is played here too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.registry import played
from tests.games.colour.game import COLOUR


@pytest.fixture(autouse=True)
def colour() -> Iterator[None]:
    """The second game."""
    with played(COLOUR):
        yield
