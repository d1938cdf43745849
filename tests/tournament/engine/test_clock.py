"""The clock of an event, pure: lengths, ends by a local time, what is left. The time is an argument."""

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(Refused) as no:
        yield
    assert no.value.code == code


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
    ("seconds", "code"),
    [
        *((-1, "clock_too_short"), (0, "clock_too_short"), (1, ""), (LONGEST_SECONDS, "")),
        *((LONGEST_SECONDS + 1, "clock_too_long"), (-(10**9), "clock_too_short"), (10**9, "clock_too_long")),
    ],
)
def test_a_clock_runs_for_one_second_to_24_hours(seconds, code):
    if not code:
        assert length_checked(seconds) == seconds
        return
    with refused(code):
        length_checked(seconds)


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
    if not code:
        assert end_of(local, "UTC", "", NOW) == NOW + ahead
        return
    with refused(code):
        end_of(local, "UTC", "", NOW)


@pytest.mark.parametrize(("local", "code"), [(datetime.min, "clock_past"), (datetime.max, "clock_too_long")])
def test_the_ends_of_the_calendar_are_refused_in_a_sentence(local, code):
    for zone in (DENVER, "Pacific/Kiritimati"):
        with refused(code):
            end_of(local, zone, "", NOW)


def test_an_end_is_by_the_clock_of_its_zone():
    # 20:30 UTC is 13:30 in Denver.
    assert end_of(datetime(2026, 11, 20, 13, 31), DENVER, "", NOW) == NOW + timedelta(minutes=1)
    with refused("clock_past"):
        end_of(datetime(2026, 11, 20, 13, 30), DENVER, "", NOW)


def test_T6_an_end_that_comes_twice_is_asked_for_again():
    now, local = datetime(2026, 11, 1, 7, 0, tzinfo=UTC), datetime(2026, 11, 1, 1, 30)
    with refused("start_twice"):
        end_of(local, DENVER, "", now)
    first = end_of(local, DENVER, "2026-11-01T01:30:00-06:00", now)
    second = end_of(local, DENVER, "2026-11-01T01:30:00-07:00", now)
    assert (first - now, second - now) == (timedelta(minutes=30), timedelta(minutes=90))
    with refused("clock_past"):
        end_of(local, DENVER, "2026-11-01T01:30:00-06:00", now + timedelta(minutes=30))


def test_T6_an_end_that_the_clock_change_skips_is_asked_for_again():
    now, local = datetime(2026, 3, 8, 8, 50, tzinfo=UTC), datetime(2026, 3, 8, 2, 30)
    with refused("start_no_such_hour"):
        end_of(local, DENVER, "", now)
    assert end_of(local, DENVER, "2026-03-08T03:30:00-06:00", now) == datetime(2026, 3, 8, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "typed", "meant"),
    [
        # By Denver's wall: 20:31, 23:50, 00:10.
        (datetime(2026, 11, 21, 3, 31, tzinfo=UTC), time(20, 30), datetime(2026, 11, 20, 20, 30)),
        (datetime(2026, 11, 21, 3, 31, tzinfo=UTC), time(20, 32), datetime(2026, 11, 20, 20, 32)),
        (datetime(2026, 11, 21, 6, 50, tzinfo=UTC), time(0, 10), datetime(2026, 11, 21, 0, 10)),
        (datetime(2026, 11, 21, 7, 10, tzinfo=UTC), time(23, 50), datetime(2026, 11, 20, 23, 50)),
    ],
)
def test_a_time_of_day_is_the_nearest_one(now, typed, meant):
    assert nearest(typed, DENVER, now) == meant


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0:00"),
        (9, "0:09"),
        (59, "0:59"),
        (60, "1:00"),
        (2100, "35:00"),
        (3599, "59:59"),
        (3600, "1:00:00"),
    ],
)
def test_what_is_left_in_words(seconds, words):
    assert left_words(seconds) == words
