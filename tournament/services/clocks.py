"""The clock of an event: start, pause, resume, set and stop. The clock decides nothing by itself."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q

from ground.refused import Conflict, Refused
from ground.typed import name_clean
from tournament.engine.clock import end_of, end_words, left_words, length_checked
from tournament.models import Event, EventClock, Round
from tournament.models.hall import LABEL_LONGEST
from tournament.selectors.clocks import (
    clock_number,
    clock_to_change,
    clock_zone,
    running_check,
    start_clock_check,
)
from tournament.selectors.desk import round_begun

from .arguments import event_of
from .journal import Command, Json, command


@dataclass(frozen=True)
class Until:
    """The end of a clock: after ``seconds``, or at ``local``, a time without a zone by the event's clock."""

    seconds: int | None = None
    local: datetime | None = None

    def to_dict(self) -> Json:
        """Return the end for the journal."""
        local = self.local.isoformat() if self.local else None
        return {"seconds": self.seconds, "until": local}


def clock_start(
    *, event_id: int, kind: str, until: Until, label: str = "", key: str, actor: User | None
) -> Json:
    """Start the clock of an event: of a ``round``, the ``start`` of one, a ``break``, ``late`` registration.

    An event has one clock; it is replaced once its time is up. ``label`` replaces the words of the kind.
    Result: ``{"ends_at": ISO in UTC, "ends": in words}``. Refuses ``clock_kind``, an invalid ``until``
    (``clock_one_time``, ``clock_too_short``, ``clock_too_long``, ``clock_past``, ``start_no_such_hour``,
    ``start_twice``), ``text_too_long``, ``text_bad``, ``clock_closed``, ``clock_already`` and, for late
    registration once play has begun (T6), ``seating_closed`` (409).
    """
    if kind not in EventClock.Kind.values:
        raise Refused("clock_kind", "Choose what the clock is for.")
    words = name_clean(label, "The label", longest=LABEL_LONGEST)

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        start_clock_check(event, cmd.at)
        if kind == EventClock.Kind.LATE and round_begun(event):
            raise Conflict(
                "seating_closed", "Seating is closed: the first bet has been called. Choose another clock."
            )
        end = _end(event, until, cmd.at)
        EventClock.objects.filter(event=event).delete()
        number = None if words else clock_number(event, kind)
        EventClock.objects.create(
            event=event, kind=kind, label=words, number=number, ends_at=end, version=cmd.seq
        )
        return _runs(event, end)

    body = {"kind": kind, "label": words, **until.to_dict()}
    return command(kind="clock.start", key=key, actor=actor, event_id=event_id, body=body, act=act)


def clock_pause(*, event_id: int, key: str, actor: User | None) -> Json:
    """Pause a running clock; it keeps the remaining seconds, rounded up.

    Result: ``{"left_seconds": …, "left": in words}``. Refuses ``clock_closed``, ``no_clock``,
    ``clock_paused`` and ``clock_up`` (409).
    """

    def act(cmd: Command) -> Json:
        clock = clock_to_change(event_of(cmd))
        return _pauses(cmd, clock, running_check(clock, cmd.at))

    return command(kind="clock.pause", key=key, actor=actor, event_id=event_id, body={}, act=act)


def clock_resume(*, event_id: int, key: str, actor: User | None) -> Json:
    """Resume a paused clock. Result: as ``clock_start``. Also refuses ``clock_runs`` (409)."""

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        clock = clock_to_change(event)
        if clock.left_seconds is None:
            raise Conflict("clock_runs", "The clock is not paused.")
        return _run(cmd, clock, cmd.at + timedelta(seconds=clock.left_seconds))

    return command(kind="clock.resume", key=key, actor=actor, event_id=event_id, body={}, act=act)


def clock_set(*, event_id: int, until: Until, key: str, actor: User | None) -> Json:
    """Set a clock to another remaining time or another end.

    A paused clock stays paused with another remaining time; a new end resumes it. A clock whose time is up
    runs again. Result: as ``clock_start`` or ``clock_pause``. Refuses an invalid ``until`` as they do,
    ``clock_closed`` and ``no_clock`` (409).
    """

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        clock = clock_to_change(event)
        end = _end(event, until, cmd.at)
        if clock.ends_at is None and until.seconds is not None:
            return _pauses(cmd, clock, until.seconds)
        return _run(cmd, clock, end)

    return command(kind="clock.set", key=key, actor=actor, event_id=event_id, body=until.to_dict(), act=act)


def clock_stop(*, event_id: int, key: str, actor: User | None) -> Json:
    """Stop the clock, so that the event shows none. Refuses ``clock_closed`` and ``no_clock`` (409)."""

    def act(cmd: Command) -> Json:
        clock_to_change(event_of(cmd)).delete()
        return {}

    return command(kind="clock.stop", key=key, actor=actor, event_id=event_id, body={}, act=act)


def clock_stop_at_bet(cmd: Command, round_: Round) -> None:
    """Stop a clock that counts down to the round or to the end of seating: the first bet is called (T6).

    Phones then no longer announce the start of the round or late registration.
    """
    if round_.kind != Round.Kind.ROUND:
        return
    met = Q(kind=EventClock.Kind.START) & (Q(number=None) | Q(number=round_.number))
    if round_.number == 1:
        met |= Q(kind=EventClock.Kind.LATE)
    if EventClock.objects.filter(met, event=round_.event).delete()[0]:
        cmd.note(clock_stopped=True)


def _end(event: Event, until: Until, now: datetime) -> datetime:
    """Return the end of a clock that is set now."""
    if (until.seconds is None) == (until.local is None):
        raise Refused(
            "clock_one_time", "Type either the minutes or the time at which the clock ends, one of the two."
        )
    if until.local is not None:
        return end_of(until.local, clock_zone(event), now)
    assert until.seconds is not None, "or there is a local time"
    return now + timedelta(seconds=length_checked(until.seconds))


def _run(cmd: Command, clock: EventClock, end: datetime) -> Json:
    clock.ends_at, clock.left_seconds, clock.version = end, None, cmd.seq
    clock.save()
    return _runs(event_of(cmd), end)


def _runs(event: Event, end: datetime) -> Json:
    zone = clock_zone(event)
    return {"ends_at": end.isoformat(), "ends": end_words(end, zone)}


def _pauses(cmd: Command, clock: EventClock, seconds: int) -> Json:
    clock.ends_at, clock.left_seconds, clock.version = None, seconds, cmd.seq
    clock.save()
    return {"left_seconds": seconds, "left": left_words(seconds)}
