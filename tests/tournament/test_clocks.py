"""The clock of an event: started, paused, set and stopped by commands; kept by the server's time."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.db import IntegrityError, transaction

from pages.standings_words import clock_ends
from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.calls import refused
from tests.cast.factories import EventFactory, new_key
from tournament.models import Event, EventClock
from tournament.selectors.clocks import State, clock_number, clock_shown
from tournament.selectors.desk import database_now
from tournament.services.clocks import (
    Until,
    clock_pause,
    clock_resume,
    clock_set,
    clock_start,
    clock_stop,
)
from tournament.services.events import event_call_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return EventFactory()


def start(event: Event, seconds: int | None = 600, **given) -> dict:
    about = {"kind": "break", "until": Until(seconds=seconds), "key": new_key(), "actor": None}
    return clock_start(event_id=event.pk, **{**about, **given})


def change(act, event: Event, **given) -> dict:
    return act(event_id=event.pk, key=new_key(), actor=None, **given)


def clock(event: Event) -> EventClock:
    return EventClock.objects.get(event=event)


def shown(event: Event, now: datetime):
    return clock_shown(Event.objects.get(pk=event.pk), now)


def run_out(event: Event) -> datetime:
    """Let the clock end now; the moment of its end."""
    now = database_now() - timedelta(minutes=1)
    EventClock.objects.filter(event=event).update(ends_at=now)
    return now


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        *((-1, "clock_too_short"), (0, "clock_too_short"), (1, ""), (86_400, "")),
        (86_401, "clock_too_long"),
        (None, "clock_one_time"),
    ],
)
def test_a_length_is_one_second_to_24_hours(event, seconds, code):
    if not code:
        made = start(event, seconds)
        at = event.journal.latest("seq").at
        assert datetime.fromisoformat(made["ends_at"]) - at == timedelta(seconds=seconds)
        return
    with refused(code):
        start(event, seconds)
    assert not EventClock.objects.exists() and not event.journal.filter(kind="clock.start").exists()


def test_an_end_that_is_past_is_refused_and_one_that_comes_is_taken(event):
    soon = (datetime.now(UTC) + timedelta(minutes=10)).replace(tzinfo=None, second=0, microsecond=0)
    with refused("clock_past"):
        start(event, until=Until(local=soon - timedelta(minutes=11)))
    with refused("clock_one_time"):
        start(event, until=Until(seconds=60, local=soon))
    assert not EventClock.objects.exists()
    start(event, until=Until(local=soon))
    assert clock(event).ends_at == soon.replace(tzinfo=UTC)


def test_it_is_up_at_exactly_zero_and_not_before(event):
    start(event, 60)
    end = clock(event).ends_at
    for at, state, left in (
        (end - timedelta(seconds=60), State.RUNNING, 60),
        (end - timedelta(microseconds=1), State.RUNNING, 1),
        (end, State.UP, 0),
        (end + timedelta(hours=1), State.UP, 0),
    ):
        found = shown(event, at)
        assert (found.state, found.seconds_left) == (state, left)


def test_a_pause_keeps_what_is_left_and_resume_runs_on_from_there(event):
    start(event, 600)
    paused = change(clock_pause, event)
    end = clock(event).ends_at
    assert end is None and paused["left_seconds"] == clock(event).left_seconds == 600
    later = database_now() + timedelta(hours=3)
    assert (shown(event, later).state, shown(event, later).seconds_left) == (State.PAUSED, 600)
    change(clock_resume, event)
    at = event.journal.latest("seq").at
    assert clock(event).left_seconds is None
    assert clock(event).ends_at - at == timedelta(seconds=600)


def test_what_is_paused_or_up_is_not_paused_and_what_runs_does_not_go_on(event):
    for act in (clock_pause, clock_resume, clock_stop):
        with refused("no_clock"):
            change(act, event)
    with refused("no_clock"):
        change(clock_set, event, until=Until(seconds=60))
    start(event)
    with refused("clock_runs"):
        change(clock_resume, event)
    change(clock_pause, event)
    with refused("clock_paused"):
        change(clock_pause, event)
    change(clock_resume, event)
    run_out(event)
    with refused("clock_up"):
        change(clock_pause, event)
    with refused("clock_runs"):
        change(clock_resume, event)


def test_a_running_clock_is_set_and_runs(event):
    start(event)
    change(clock_set, event, until=Until(seconds=30))
    assert clock(event).ends_at - event.journal.latest("seq").at == timedelta(seconds=30)
    for seconds, code in ((0, "clock_too_short"), (-5, "clock_too_short"), (86_401, "clock_too_long")):
        with refused(code):
            change(clock_set, event, until=Until(seconds=seconds))
    assert clock(event).ends_at - event.journal.latest("seq").at == timedelta(seconds=30)


def test_a_paused_clock_that_is_set_stays_paused_and_an_end_lets_it_run(event):
    start(event)
    change(clock_pause, event)
    change(clock_set, event, until=Until(seconds=45))
    assert (clock(event).ends_at, clock(event).left_seconds) == (None, 45)
    soon = (datetime.now(UTC) + timedelta(minutes=10)).replace(tzinfo=None, microsecond=0)
    change(clock_set, event, until=Until(local=soon))
    assert (clock(event).ends_at, clock(event).left_seconds) == (soon.replace(tzinfo=UTC), None)


def test_a_clock_whose_time_is_up_is_set_or_replaced(event):
    start(event)
    with refused("clock_already"):
        start(event)
    change(clock_pause, event)
    with refused("clock_already"):
        start(event)
    change(clock_resume, event)
    end = run_out(event)
    assert shown(event, end).state == State.UP
    change(clock_set, event, until=Until(seconds=60))
    assert shown(event, event.journal.latest("seq").at).state == State.RUNNING
    run_out(event)
    start(event, kind="late")
    assert clock(event).kind == "late"


def test_a_stopped_clock_is_gone(event):
    start(event)
    change(clock_stop, event)
    assert not EventClock.objects.exists()
    assert shown(event, database_now()) is None
    with refused("no_clock"):
        change(clock_stop, event)


def test_an_event_that_is_not_on_has_no_clock():
    draft, off, over = EventFactory(opened=False), EventFactory(), playing.finished(4)
    start(off)
    event_call_off(event_id=off.pk, reason="The power is out", key=new_key(), actor=None)
    for event in (draft, off, over):
        with refused("clock_closed"):
            start(event)
        for act in (clock_pause, clock_resume, clock_stop):
            with refused("clock_closed"):
                change(act, event)
        with refused("clock_closed"):
            change(clock_set, event, until=Until(seconds=60))
        assert shown(event, database_now()) is None
    assert EventClock.objects.get().event == off


@pytest.mark.parametrize(
    ("label", "code"), [("x" * 40, ""), ("x" * 41, "text_too_long"), ("a\u202eb", "text_bad"), ("  ", "")]
)
def test_a_label_is_short_and_can_be_seen(event, label, code):
    if code:
        with refused(code):
            start(event, label=label)
    else:
        start(event, label=label)
        assert clock(event).label == label.strip()


def test_a_kind_that_there_is_not_is_refused(event):
    with refused("clock_kind"):
        start(event, kind="lunch")


def test_the_tag_changes_with_each_change_and_once_at_zero_but_not_by_running(event):
    start(event, 60)
    end = clock(event).ends_at
    running = shown(event, end - timedelta(seconds=60)).tag
    assert shown(event, end - timedelta(microseconds=1)).tag == running
    up = shown(event, end).tag
    assert up != running and shown(event, end + timedelta(hours=1)).tag == up
    tags = {running, up}
    for act, given in (
        (clock_pause, {}),
        (clock_resume, {}),
        (clock_set, {"until": Until(seconds=60)}),
    ):
        change(act, event, **given)
        tags.add(shown(event, event.journal.latest("seq").at).tag)
    assert len(tags) == 5


def test_the_round_of_a_clock_is_the_one_that_is_played_or_comes_next(event):
    assert (clock_number(event, "start"), clock_number(event, "round")) == (1, 1)
    assert clock_number(event, "break") is clock_number(event, "late") is None
    seated = cast.seated(3)
    assert (clock_number(seated.event, "start"), clock_number(seated.event, "round")) == (1, 1)
    cast.hand(cast.shoe_of(seated), {1: 200}, b1="win")
    assert (clock_number(seated.event, "start"), clock_number(seated.event, "round")) == (2, 1)
    closed = playing.round_1_closed(5)
    assert (clock_number(closed, "start"), clock_number(closed, "round")) == (2, 2)
    start(closed, kind="start")
    assert (clock(closed).number, clock(closed).label) == (2, "")


def test_T6_an_end_is_shown_by_the_zone_of_the_event():
    event = EventFactory()
    Event.objects.filter(pk=event.pk).update(
        starts_at=datetime(2026, 11, 1, 2, tzinfo=UTC), starts_zone="America/Denver"
    )
    start(event)
    for end, local, offset in (
        (datetime(2026, 11, 1, 6, 30, tzinfo=UTC), time(0, 30), False),
        (datetime(2026, 11, 1, 7, 30, tzinfo=UTC), time(1, 30), "UTC-06:00"),
        (datetime(2026, 11, 1, 8, 30, tzinfo=UTC), time(1, 30), "UTC-07:00"),
    ):
        EventClock.objects.update(ends_at=end)
        clock = shown(event, end - timedelta(minutes=20))
        assert (clock.ends.local.time(), clock.ends_another_day) == (local, False)
        assert not offset or clock_ends(clock).endswith(offset)
        assert bool(offset) == ("UTC" in clock_ends(clock))
    EventClock.objects.update(ends_at=datetime(2026, 11, 1, 6, 10, tzinfo=UTC))
    for now, another_day in (
        (datetime(2026, 11, 1, 5, 59, tzinfo=UTC), True),
        (datetime(2026, 11, 1, 6, tzinfo=UTC), False),
    ):
        clock = shown(event, now)
        assert clock.ends_another_day == another_day == clock_ends(clock).startswith("Sun ")


@pytest.mark.parametrize(
    "facts",
    [
        {"ends_at": None, "left_seconds": None},
        {"ends_at": datetime(2026, 11, 1, tzinfo=UTC), "left_seconds": 5},
        {"ends_at": None, "left_seconds": 0},
        {"ends_at": None, "left_seconds": 86_401},
    ],
)
def test_the_database_holds_that_a_clock_runs_or_is_paused(event, facts):
    start(event)
    with pytest.raises(IntegrityError, match="clock_runs_or_is_paused"), transaction.atomic():
        EventClock.objects.update(**facts)


def test_T6_the_first_bet_stops_the_clock_of_its_start_and_of_late_registration():
    for kind, label in (("start", ""), ("start", "The first round"), ("late", "")):
        round_ = cast.seated(3)
        start(round_.event, kind=kind, label=label)
        cast.hand(cast.shoe_of(round_), {1: 200}, b1="win")
        assert not EventClock.objects.filter(event=round_.event).exists()
        assert round_.event.journal.filter(body__noted__clock_stopped=True).count() == 1


def test_the_first_bet_leaves_every_other_clock():
    for kind in ("round", "break"):
        round_ = cast.seated(3)
        start(round_.event, kind=kind)
        cast.hand(cast.shoe_of(round_), {1: 200}, b1="win")
        assert clock(round_.event).kind == kind
    round_ = cast.seated(3)
    start(round_.event, kind="start")
    EventClock.objects.filter(event=round_.event).update(number=2)
    cast.hand(cast.shoe_of(round_), {1: 200}, b1="win")
    assert clock(round_.event).number == 2


def test_T6_late_registration_is_not_counted_once_play_has_begun():
    round_ = cast.seated(3)
    cast.hand(cast.shoe_of(round_), {1: 200}, b1="win")
    with refused("seating_closed"):
        start(round_.event, kind="late")
    start(round_.event, kind="break")
