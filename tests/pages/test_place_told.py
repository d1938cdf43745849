"""The place of somebody who has left the event: one on the entry's page and in public (T20, T26)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.cast import playing
from tests.cast.at_tables import logged_in
from tests.cast.disqualified import disqualify
from tests.cast.factories import new_key, round_seat, round_to
from tournament.models import Event
from tournament.selectors.standings import rows_matching, standings_body
from tournament.services import entries

pytestmark = pytest.mark.django_db


def in_round(number: int) -> Event:
    """Six entries, with a round that is being played."""
    if number == 1:
        event = playing.event_with(6, cut_after_round_1=3, cut_after_round_2=2)
    else:
        event = playing.round_1_closed(6, stacks="reset", cut_after_round_1=3, cut_after_round_2=2)
        playing.post(event)
    round_ = round_seat(event)
    round_to(round_, "playing")
    playing.win(round_, **{round_.stacks.earliest("pk").entry.code: 400})
    return event


def withdraw(event: Event, code: str) -> None:
    entry = event.entries.get(code=code)
    entries.entry_withdraw(entry_id=entry.pk, reason="ill", refund=False, key=new_key(), actor=None)


def place_here(event: Event, code: str) -> str:
    page = logged_in("director").get(f"/staff/{event.slug}/entries/{code}/").content.decode()
    return re.search(r'<dd data-place="([^"]*)"', page)[1]


@pytest.mark.parametrize("leave", [disqualify, withdraw])
@pytest.mark.parametrize("number", [1, 2])
def test_T20_T26_who_has_left_a_round_that_is_played_has_one_place(
    number: int, leave: Callable[[Event, str], Any]
):
    event = in_round(number)
    assert place_here(event, "E002") == ""
    leave(event, "E002")
    event.refresh_from_db()
    rows = rows_matching(standings_body(event), "E002")
    assert [each["code"] for each in rows] == (["E002"] if (number, leave) != (1, withdraw) else [])
    public = f"{'=' if rows[0]['tied'] else ''}{rows[0]['place']}" if rows else ""
    assert place_here(event, "E002") == public
