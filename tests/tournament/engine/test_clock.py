"""The clock of an event, pure: lengths, ends by a local time, what is left. The time is an argument."""

from datetime import UTC, datetime, time, timedelta

import pytest

from ground.refused import Refused
from tournament.engine.clock import (
    LONGEST_SECONDS,
    end_of,
    left_words,
    length_checked,
    nearest,
    seconds_until,
)

DENVER = "America/Denver"
NOW = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
MICRO = timedelta(microseconds=1)


def told(act, *arguments):
    """What it answers, or the code with which it refuses."""
    try:
        return act(*arguments)
    except Refused as no:
        return no.code


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        *((timedelta(0), 0), (-MICRO, 0), (-timedelta(hours=1), 0)),
        *((MICRO, 1), (timedelta(seconds=1), 1), (timedelta(seconds=1) + MICRO, 2)),
        *((timedelta(hours=2) - MICRO, 7200), (timedelta(hours=2), 7200)),
    ],
)
def test_a_begun_second_counts_and_the_time_is_up_at_exactly_zero(left, shown):
    assert seconds_until(NOW + left, NOW) == shown


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        *((0, "clock_too_short"), (1, 1), (LONGEST_SECONDS, 86_400)),
        *((LONGEST_SECONDS + 1, "clock_too_long"), (-(10**9), "clock_too_short")),
    ],
)
def test_a_clock_runs_for_one_second_to_24_hours(seconds, expected):
    assert told(length_checked, seconds) == expected


@pytest.mark.parametrize(
    ("ahead", "code"),
    [
        *((timedelta(seconds=-1), "clock_past"), (timedelta(0), "clock_past"), (timedelta(seconds=1), "")),
        *((timedelta(hours=24), ""), (timedelta(hours=24, seconds=1), "clock_too_long")),
        *((-timedelta(days=400), "clock_past"), (timedelta(days=400), "clock_too_long")),
    ],
)
def test_an_end_is_after_now_and_at_most_24_hours_away(ahead, code):
    local = (NOW + ahead).replace(tzinfo=None)
    assert told(end_of, local, "UTC", NOW) == (code or NOW + ahead)


@pytest.mark.parametrize(("local", "code"), [(datetime.min, "clock_past"), (datetime.max, "clock_too_long")])
def test_the_ends_of_the_calendar_are_refused_in_a_sentence(local, code):
    assert {told(end_of, local, zone, NOW) for zone in (DENVER, "Pacific/Kiritimati")} == {code}


def test_T6_an_end_is_by_the_clock_of_its_zone_and_refused_where_the_clock_changes():
    # 20:30 UTC is 13:30 in Denver.
    assert end_of(datetime(2026, 11, 20, 13, 31), DENVER, NOW) == NOW + timedelta(minutes=1)
    now = datetime(2026, 11, 1, 7, 0, tzinfo=UTC)
    assert told(end_of, datetime(2026, 11, 1, 1, 30), DENVER, now) == "start_twice"
    now = datetime(2026, 3, 8, 8, 50, tzinfo=UTC)
    assert told(end_of, datetime(2026, 3, 8, 2, 30), DENVER, now) == "start_no_such_hour"


@pytest.mark.parametrize(
    ("minutes", "typed", "meant"),
    [
        # By Denver's wall: 20:31, 23:50, 00:10.
        (31, time(20, 30), datetime(2026, 11, 20, 20, 30)),
        (31, time(20, 32), datetime(2026, 11, 20, 20, 32)),
        (230, time(0, 10), datetime(2026, 11, 21, 0, 10)),
        (250, time(23, 50), datetime(2026, 11, 20, 23, 50)),
    ],
)
def test_a_time_of_day_is_the_nearest_one(minutes, typed, meant):
    now = datetime(2026, 11, 21, 3, 0, tzinfo=UTC) + timedelta(minutes=minutes)
    assert nearest(typed, DENVER, now) == meant


def test_what_is_left_in_words():
    words = {0: "0:00", 9: "0:09", 59: "0:59", 60: "1:00", 3599: "59:59", 3600: "1:00:00"}
    assert {seconds: left_words(seconds) for seconds in words} == words
