"""The clock of an event as pages show it, and the reasons why a change of it is refused."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ground.refused import Conflict
from tournament.engine.clock import left_words, seconds_until
from tournament.engine.days import Start
from tournament.models import Event, EventClock, Round
from tournament.selectors.basis import Basis, basis_made
from tournament.selectors.desk import house_read
from tournament.selectors.stages import current_round, main_rounds

Kind = EventClock.Kind
ON = (Event.Status.OPEN, Event.Status.RUNNING)


class State(StrEnum):
    """The state of a clock."""

    RUNNING = "running"
    PAUSED = "paused"
    UP = "up"


@dataclass(frozen=True)
class ClockShown:
    """A clock as pages show it at the moment ``now``.

    ``ends``: its end in the zone of the event, None while it is paused. ``ends_another_day``: whether that is
    on another day than ``now``. ``number``: its round, if it has no label.
    """

    kind: str
    label: str
    number: int | None
    state: State
    seconds_left: int
    ends_at: datetime | None
    ends: Start | None
    now: datetime
    version: int

    @property
    def ends_another_day(self) -> bool:
        """Whether it ends on another day than ``now``, in the zone of the event."""
        local = self.ends.local if self.ends else None
        return local is not None and local.date() != self.now.astimezone(local.tzinfo).date()

    @property
    def left(self) -> str:
        """The remaining time: ``0:09``, ``35:00``, ``2:00:00``."""
        return left_words(self.seconds_left)

    @property
    def tag(self) -> str:
        """A tag that changes only when the clock is changed or its time is up."""
        return clock_tag(self.version, self.state == State.UP)

    @property
    def ends_ms(self) -> int | None:
        """The end in milliseconds since 1970, for the script that counts down."""
        return milliseconds(self.ends_at) if self.ends_at else None

    @property
    def now_ms(self) -> int:
        """The server's time in milliseconds since 1970, by which the script corrects a phone's clock."""
        return milliseconds(self.now)


def milliseconds(at: datetime) -> int:
    """Return a moment in whole milliseconds since 1970."""
    return int(at.timestamp()) * 1000 + at.microsecond // 1000


def clock_tag(version: int, up: bool) -> str:
    """Return the part of an ETag that names a clock."""
    return f"clock{version}{'up' if up else ''}"


def is_up(ends_at: datetime | None, now: datetime) -> bool:
    """Whether the time of a clock is up: from its end on, never while it is paused."""
    return ends_at is not None and not seconds_until(ends_at, now)


def clock_of(event: Event) -> EventClock | None:
    """Return the clock of an event, prefetched or read now; None if there is none."""
    return getattr(event, "clock", None)


def clock_shown(event: Event, now: datetime) -> ClockShown | None:
    """Return the clock of an event at a moment; None without one, or if the event is not on (``ON``)."""
    clock = clock_of(event) if event.status in ON else None
    if clock is None:
        return None
    end = clock.ends_at
    left = clock.left_seconds or (seconds_until(end, now) if end else 0)
    return ClockShown(
        kind=clock.kind,
        label=clock.label,
        number=clock.number,
        state=State.PAUSED if end is None else State.UP if is_up(end, now) else State.RUNNING,
        seconds_left=left,
        ends_at=end,
        ends=Start(end, clock_zone(event)) if end else None,
        now=now,
        version=clock.version,
    )


def clock_zone(event: Event) -> str:
    """Return the zone in which the clock of an event is set and shown: that of its start, or the house's
    (T6)."""
    return event.start.zone if event.start else house_read().time_zone


def clock_number(event: Event, kind: str) -> int | None:
    """Return the round that a clock of this kind is about; None if it is about no round of the plan."""
    if kind not in (Kind.ROUND, Kind.START):
        return None
    round_ = current_round(event)
    if round_ is None:
        number = len(main_rounds(event)) + 1
    elif round_.kind != Round.Kind.ROUND:
        return None
    else:
        begun = kind == Kind.START and round_.status != Round.Status.SEATED
        number = round_.number + (1 if begun else 0)
    return number if number <= event.format.last else None


# -- Refusals -----------------------------------------------------------------------------------------


def clock_check(event: Event) -> None:
    """Refuse ``clock_closed`` (409) for an event whose desk is not open and that is not in play."""
    if event.status not in ON:
        raise Conflict(
            "clock_closed",
            "The event is %(word)s. A clock runs only while the desk is open or the event is in play.",
            word=event.get_status_display(),
        )


def start_clock_check(event: Event, now: datetime) -> None:
    """Refuse ``clock_already`` (409) while a clock runs or is paused, and ``clock_closed`` (409)."""
    clock_check(event)
    shown = clock_shown(event, now)
    if shown is not None and shown.state != State.UP:
        raise Conflict("clock_already", "The event has a clock already. Stop it first, or set it.")


def clock_to_change(event: Event) -> EventClock:
    """Return the clock to be changed. Refuses ``clock_closed`` and ``no_clock`` (409)."""
    clock_check(event)
    clock = clock_of(event)
    if clock is None:
        raise Conflict("no_clock", "The event has no clock any more. Start one.")
    return clock


def running_check(clock: EventClock, now: datetime) -> int:
    """Return the remaining seconds of a running clock. Refuses ``clock_paused`` and ``clock_up`` (409)."""
    if clock.ends_at is None:
        raise Conflict("clock_paused", "The clock is paused already.")
    left = seconds_until(clock.ends_at, now)
    if not left:
        raise Conflict("clock_up", "The time is up. Set the clock, or stop it.")
    return left


def clock_basis(event_id: int) -> Basis:
    """Return the basis for the forms of the clock: its last change. The passing time changes nothing."""
    return basis_made(event_id, "clock")
