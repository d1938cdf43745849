"""A table and who keeps it: a file says in ``BOXES`` how many are seated, once for all of its tests."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from tables.models import Shoe
from tests.cast.at_tables import Clerk, dealer_at
from tests.cast.calls import made_once
from tests.cast.floor import seated, shoe_of
from tournament.models import Round


@pytest.fixture(scope="module")
def made_round(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[Round]:
    """Round 1 at one table, as it was seated."""
    with made_once(django_db_blocker, lambda: seated(request.module.BOXES)) as made:
        yield made


@pytest.fixture
def round_(made_round: Round, db: None) -> Round:
    """That round, for one test."""
    return deepcopy(made_round)


@pytest.fixture
def shoe(round_: Round) -> Shoe:
    """The shoe at the table of the round."""
    return shoe_of(round_)


@pytest.fixture
def clerk(shoe: Shoe) -> Clerk:
    """The dealer of that table, who taps."""
    return Clerk(dealer_at(shoe), shoe)
