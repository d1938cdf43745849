"""A table and who keeps it: each file seats a ``round_`` of its own."""

from __future__ import annotations

import pytest

from tables.models import Shoe
from tests.cast.at_tables import Clerk, dealer_at
from tests.cast.floor import shoe_of
from tournament.models import Round


@pytest.fixture
def shoe(round_: Round) -> Shoe:
    """The shoe at the table of the round."""
    return shoe_of(round_)


@pytest.fixture
def clerk(shoe: Shoe) -> Clerk:
    """The dealer of that table, who taps."""
    return Clerk(dealer_at(shoe), shoe)
