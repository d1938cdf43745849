"""What a transactional test finds, whichever tests the same process has run before it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission

from tests.cast.factories import EventFactory
from tournament.models import Event
from tournament.roles import ROLES


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", [1, 2])
def test_between_transactional_tests_the_rows_go_and_the_roles_stay(turn: int) -> None:
    assert not Event.objects.exists(), turn
    assert set(Group.objects.values_list("name", flat=True)) == set(ROLES), turn
    assert Permission.objects.exists(), turn
    EventFactory()
