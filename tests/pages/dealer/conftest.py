"""A table and who keeps it: a file says in ``BOXES`` how many are seated, once for all of its tests."""

from __future__ import annotations

import pytest

from tables.models import Shoe
from tests.cast.at_tables import Clerk, dealer_at
from tests.cast.floor import seated, shoe_of
from tournament.models import Round


@pytest.fixture
def round_(request: pytest.FixtureRequest, db: None) -> Round:
    """Round 1 at one table, as it was seated."""
    return seated(request.module.BOXES)


@pytest.fixture
def shoe(round_: Round) -> Shoe:
    """The shoe at the table of the round."""
    return shoe_of(round_)


@pytest.fixture
def clerk(shoe: Shoe) -> Clerk:
    """The dealer of that table, who taps."""
    return Clerk(dealer_at(shoe), shoe)
