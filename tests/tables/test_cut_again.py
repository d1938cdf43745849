"""A closed round put right before the next is seated: what was corrected, who goes on by it (T17)."""

from __future__ import annotations

import pytest

from tables.selectors.cut_again import CutAgain, cut_again
from tournament.models import Round

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def found_of(round_: Round) -> CutAgain | None:
    return cut_again(Round.objects.get(pk=round_.pk))


def told(round_: Round) -> tuple[list[str], list[str], list[tuple[str, int, int]], bool]:
    """Who goes on and did not, who is out and was to go on, whose place moved, whether it is open again."""
    found = found_of(round_)
    assert found is not None
    moved = [(each.entry.code, each.before, each.after) for each in found.moved]
    return [e.code for e in found.goes_on], [e.code for e in found.out], moved, found.is_open
