"""The clock of an event: started, paused, set and stopped by commands; kept by the server's time."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.db import IntegrityError, transaction

from pages.words.standings import clock_ends
from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.calls import refused
from tests.cast.factories import EventFactory, new_key
from tournament.models import Event, EventClock
from tournament.selectors.clocks import State, clock_number, clock_shown
from tournament.selectors.desk import database_now
from tournament.services.clocks import Until, clock_pause, clock_resume, clock_set, clock_start, clock_stop
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


ACTS = ((clock_pause, {}), (clock_resume, {}), (clock_stop, {}))


def clock(event: Event) -> EventClock:
    return EventClock.objects.get(event=event)


def shown(event: Event, now: datetime):
    return clock_shown(Event.objects.get(pk=event.pk), now)


def run_out(event: Event) -> None:
    EventClock.objects.filter(event=event).update(ends_at=database_now() - timedelta(minutes=1))


def test_what_is_no_clock_is_refused(event):
    soon = (datetime.now(UTC) + timedelta(minutes=10)).replace(tzinfo=None, second=0, microsecond=0)
    for code, given in (
        ("clock_too_short", {"seconds": 0}),
        ("clock_too_long", {"seconds": 86_401}),
        ("clock_one_time", {"seconds": None}),
        ("clock_one_time", {"until": Until(seconds=60, local=soon)}),
        ("clock_past", {"until": Until(local=soon - timedelta(minutes=11))}),
        ("text_too_long", {"label": "x" * 41}),
        ("text_bad", {"label": "a\u202eb"}),
        ("clock_kind", {"kind": "lunch"}),
    ):
        with refused(code):
            start(event, **given)
    assert not EventClock.objects.exists()
    start(event, until=Until(local=soon), label=f" {'x' * 40}")
    assert (clock(event).ends_at, clock(event).label) == (soon.replace(tzinfo=UTC), "x" * 40)


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
    for act, given in (*ACTS, (clock_set, {"until": Until(seconds=60)})):
        with refused("no_clock"):
            change(act, event, **given)
    start(event)
    for act, code in ((clock_resume, "clock_runs"), (start, "clock_already")):
        with refused(code):
            act(event) if act is start else change(act, event)
    change(clock_pause, event)
    for act, code in ((clock_pause, "clock_paused"), (start, "clock_already")):
        with refused(code):
            act(event) if act is start else change(act, event)
    change(clock_resume, event)
    run_out(event)
    for act, code in ((clock_pause, "clock_up"), (clock_resume, "clock_runs")):
        with refused(code):
            change(act, event)
    change(clock_set, event, until=Until(seconds=60))
    assert shown(event, event.journal.latest("seq").at).state == State.RUNNING
    run_out(event)
    start(event, kind="late")
    assert clock(event).kind == "late"
    change(clock_stop, event)
    assert not EventClock.objects.exists() and shown(event, database_now()) is None


def test_a_clock_is_set_and_one_that_is_paused_stays_paused_unless_an_end_is_given(event):
    start(event)
    change(clock_set, event, until=Until(seconds=30))
    assert clock(event).ends_at - event.journal.latest("seq").at == timedelta(seconds=30)
    for seconds, code in ((0, "clock_too_short"), (86_401, "clock_too_long")):
        with refused(code):
            change(clock_set, event, until=Until(seconds=seconds))
    change(clock_pause, event)
    change(clock_set, event, until=Until(seconds=45))
    assert (clock(event).ends_at, clock(event).left_seconds) == (None, 45)
    soon = (datetime.now(UTC) + timedelta(minutes=10)).replace(tzinfo=None, microsecond=0)
    change(clock_set, event, until=Until(local=soon))
    assert (clock(event).ends_at, clock(event).left_seconds) == (soon.replace(tzinfo=UTC), None)


def test_an_event_that_is_not_on_has_no_clock():
    draft, off, over = EventFactory(opened=False), EventFactory(), playing.finished(4)
    start(off)
    event_call_off(event_id=off.pk, reason="The power is out", key=new_key(), actor=None)
    for event in (draft, off, over):
        with refused("clock_closed"):
            start(event)
        for act, given in (*ACTS, (clock_set, {"until": Until(seconds=60)})):
            with refused("clock_closed"):
                change(act, event, **given)
        assert shown(event, database_now()) is None


def test_it_is_up_at_exactly_zero_and_its_tag_changes_then_and_with_each_change_but_not_by_running(event):
    start(event, 60)
    end = clock(event).ends_at
    tags = []
    for at, state, left in (
        (end - timedelta(seconds=60), State.RUNNING, 60),
        (end - timedelta(microseconds=1), State.RUNNING, 1),
        (end, State.UP, 0),
        (end + timedelta(hours=1), State.UP, 0),
    ):
        found = shown(event, at)
        assert (found.state, found.seconds_left) == (state, left)
        tags.append(found.tag)
    assert tags[0] == tags[1] != tags[2] == tags[3]
    for act, given in (*ACTS[:2], (clock_set, {"until": Until(seconds=60)})):
        change(act, event, **given)
        tags.append(shown(event, event.journal.latest("seq").at).tag)
    assert len(set(tags)) == 5


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


def test_T6_an_end_is_shown_by_the_zone_of_the_event(event):
    def at(hour, minute=0):
        return datetime(2026, 11, 1, hour, minute, tzinfo=UTC)

    Event.objects.filter(pk=event.pk).update(starts_at=at(2), starts_zone="America/Denver")
    start(event)
    for end, local, offset in (
        (at(6, 30), time(0, 30), ""),
        (at(7, 30), time(1, 30), "UTC-06:00"),
        (at(8, 30), time(1, 30), "UTC-07:00"),
    ):
        EventClock.objects.update(ends_at=end)
        found = shown(event, end - timedelta(minutes=20))
        assert (found.ends.local.time(), found.ends_another_day) == (local, False)
        assert clock_ends(found).endswith(offset) and bool(offset) == ("UTC" in clock_ends(found))
    EventClock.objects.update(ends_at=at(6, 10))
    assert [shown(event, now).ends_another_day for now in (at(5, 59), at(6))] == [True, False]


def test_the_database_holds_that_a_clock_runs_or_is_paused(event):
    start(event)
    for ends, left in [(False, None), (True, 5), (False, 0), (False, 86_401)]:
        facts = {"ends_at": datetime(2026, 11, 1, tzinfo=UTC) if ends else None, "left_seconds": left}
        with pytest.raises(IntegrityError, match="clock_runs_or_is_paused"), transaction.atomic():
            EventClock.objects.update(**facts)


def test_T6_the_first_bet_stops_the_clock_of_its_start_and_of_late_registration():
    for kind, label in (("start", "The first round"), ("late", "")):
        round_ = cast.seated(3)
        start(round_.event, kind=kind, label=label)
        cast.hand(cast.shoe_of(round_), {1: 200}, b1="win")
        assert not EventClock.objects.filter(event=round_.event).exists()
        assert round_.event.journal.filter(body__noted__clock_stopped=True).count() == 1


def test_the_first_bet_leaves_every_other_clock_and_late_registration_is_over():
    for kind, number in (("break", None), ("start", 2)):
        round_ = cast.seated(3)
        start(round_.event, kind=kind)
        EventClock.objects.filter(event=round_.event).update(number=number)
        cast.hand(cast.shoe_of(round_), {1: 200}, b1="win")
        assert (clock(round_.event).kind, clock(round_.event).number) == (kind, number)
    change(clock_stop, round_.event)
    with refused("seating_closed"):
        start(round_.event, kind="late")
    start(round_.event)
