"""The house, its events, their rounds, the entries and the chips in front of them."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from ground.words import gettext_noop as _
from tournament.engine import settings as event_settings
from tournament.engine.days import STARTS_BEFORE, STARTS_FROM, Start, gaming_day

from .people import Player

if TYPE_CHECKING:
    from tournament.engine.format import Format, RoundPlan
    from tournament.engine.settings import EventSettings


def zone_at_first() -> str:
    """Return the time zone of a new house: the one of the machine."""
    return str(settings.TIME_ZONE)


class House(models.Model):
    """The casino: one row with the settings for all its events (T2)."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    name = models.CharField(max_length=80, default="Cutline")
    currency = models.CharField(max_length=3, default="USD")
    time_zone = models.CharField(max_length=64, default=zone_at_first)
    # The language of addresses that name none: /e/… and not /de/e/….
    language = models.CharField(max_length=8, default=settings.LANGUAGE_CODE)
    day_limit_cents = models.PositiveBigIntegerField(default=250_00)
    day_turns_at_hour = models.PositiveSmallIntegerField(default=6)
    identity_required = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="house_is_one_row"),
            models.CheckConstraint(condition=Q(day_turns_at_hour__lte=23), name="house_hour_of_the_day"),
        ]

    def __str__(self) -> str:
        return self.name

    def day_of(self, at: datetime) -> date:
        """Return the gaming day of a moment (T2)."""
        return gaming_day(at, self.time_zone, self.day_turns_at_hour)


class Event(models.Model):
    """One tournament. The settings are columns until the first posting freezes and hashes them."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("being set up")
        OPEN = "open", _("desk open")
        RUNNING = "running", _("in play")
        FINISHED = "finished", _("places decided")
        PAID = "paid", _("paid")
        CALLED_OFF = "called_off", _("called off")

    class Kind(models.TextChoices):
        TOURNAMENT = "tournament", "tournament"
        REHEARSAL = "rehearsal", "rehearsal"
        SIMULATION = "simulation", "simulation"

    # The posted code, which never changes: draws are verified with it. A simulation's is SIM-<seed>, so it
    # may recur.
    code = models.CharField(max_length=32)
    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.TOURNAMENT)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.DRAFT)
    # The time zone of the start: a later change of the house's zone moves no event (T6).
    starts_at = models.DateTimeField(null=True, blank=True)
    starts_zone = models.CharField(max_length=64, default="UTC")
    settings_json = models.JSONField(default=dict)
    rules_hash = models.CharField(max_length=64, blank=True)
    buy_in_cents = models.PositiveBigIntegerField(default=100_00)
    fee_cents = models.PositiveBigIntegerField(default=0)
    guarantee_cents = models.PositiveBigIntegerField(default=0)
    starting_chips = models.PositiveIntegerField(default=5_000)
    min_entrants = models.PositiveSmallIntegerField(default=2)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["code"], condition=~Q(kind="simulation"), name="event_code_once"),
            models.CheckConstraint(
                condition=Q(fee_cents__lte=F("buy_in_cents")), name="event_fee_within_buy_in"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "called_off"]) | ~Q(rules_hash=""),
                name="event_rules_frozen_before_the_desk_opens",
            ),
            models.CheckConstraint(
                condition=Q(starts_at=None) | Q(starts_at__gte=STARTS_FROM, starts_at__lt=STARTS_BEFORE),
                name="event_starts_within_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def start(self) -> Start | None:
        """The start, in the zone in which it was set; None if it is not set."""
        return Start(self.starts_at, self.starts_zone) if self.starts_at else None

    @start.setter
    def start(self, start: Start | None) -> None:
        self.starts_at = start.at if start else None
        self.starts_zone = start.zone if start else self.starts_zone

    @property
    def settings(self) -> EventSettings:
        """The event's settings as one frozen value (engine.settings)."""
        kept: tuple[Any, EventSettings] | None = self.__dict__.get("_settings")
        if kept is None or kept[0] is not self.settings_json:
            kept = self.__dict__["_settings"] = (
                self.settings_json,
                event_settings.from_dict(self.settings_json),
            )
        return kept[1]

    @property
    def format(self) -> Format:
        """The plan of its rounds, from its settings (F1)."""
        return event_settings.format_of(self.settings)

    @property
    def is_over(self) -> bool:
        """Whether every place is decided, or the event is called off."""
        return self.status in (self.Status.FINISHED, self.Status.PAID, self.Status.CALLED_OFF)

    @property
    def is_rehearsal(self) -> bool:
        """One person may be both the first and the second person, and no day limit counts (T2, faults)."""
        return self.kind != self.Kind.TOURNAMENT


class Entry(models.Model):
    """A player's paid place in an event (E001 …)."""

    class Status(models.TextChoices):
        LIVE = "live", _("in the event")
        WAITING = "waiting", _("alternate")
        WITHDRAWN = "withdrawn", _("withdrawn")
        NO_SHOW = "no_show", _("no-show")
        DISQUALIFIED = "disqualified", _("disqualified")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    code = models.CharField(max_length=8)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.LIVE)
    waiting_since = models.DateTimeField(null=True, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)
    place_tied = models.BooleanField(default=False)
    final_chips = models.PositiveIntegerField(null=True, blank=True)
    view_token = models.CharField(max_length=16, unique=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("event_id", "number")
        constraints = [
            models.UniqueConstraint(fields=["event", "code"], name="entry_code_once_per_event"),
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once_per_event"),
            models.UniqueConstraint(
                fields=["event", "player"],
                condition=~Q(status="withdrawn"),
                name="one_live_entry_per_player",
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Round(models.Model):
    """A stage of an event: a round of its plan (F1), a play-off inside one (T23), or sudden death (T33)."""

    class Kind(models.TextChoices):
        ROUND = "round", "round"
        PLAY_OFF = "play_off", "play-off"
        SUDDEN_DEATH = "sudden_death", "sudden death"

    class Status(models.TextChoices):
        SEATED = "seated", _("seated")
        PLAYING = "playing", _("playing")
        COUNTED = "counted", _("counted")
        PLAYING_OFF = "playing_off", _("tie at the cut")
        CLOSED = "closed", _("closed")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.ROUND)
    sequence = models.PositiveSmallIntegerField(default=1)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="play_offs"
    )
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.SEATED)
    cut_to = models.PositiveIntegerField(null=True, blank=True)
    # The number of seats that a play-off is still played for (T23).
    contested = models.PositiveIntegerField(default=0)
    draw = models.ForeignKey(
        "tournament.Draw", null=True, blank=True, on_delete=models.PROTECT, related_name="rounds"
    )
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("event_id", "number", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number", "kind", "sequence"], name="round_once_per_event"
            ),
            models.UniqueConstraint(
                fields=["event"],
                condition=~Q(status="closed") & ~Q(kind="play_off"),
                name="one_unclosed_round_per_event",
            ),
            models.UniqueConstraint(
                fields=["parent"],
                condition=~Q(status="closed") & Q(kind="play_off"),
                name="one_unclosed_play_off_per_round",
            ),
            models.CheckConstraint(
                condition=Q(kind="play_off", parent__isnull=False)
                | (~Q(kind="play_off") & Q(parent__isnull=True)),
                name="round_parent_only_of_a_play_off",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def plan(self) -> RoundPlan:
        """The plan of this stage, from the format of its event (F1)."""
        return self.event.format.of(self.number)

    @property
    def counts_alone(self) -> bool:
        """Whether no hand of this stage is recorded: the counts decide (T18). Ties are played with recorded
        hands."""
        return self.kind == self.Kind.ROUND and self.event.settings.record_mode == event_settings.COUNTS

    @property
    def title(self) -> str:
        """The name of this stage on pages."""
        nth = f" {self.sequence}" if self.sequence > 1 else ""
        if self.kind == self.Kind.PLAY_OFF:
            return f"Play-off{nth} of round {self.number}"
        if self.kind == self.Kind.SUDDEN_DEATH:
            return f"Sudden death{nth}"
        return f"Round {self.number}"


class TieRuling(models.Model):
    """A ruling on a tie at the cut of a round (T23): the tied entries, those that advance, and the reason.

    ``seq``: its entry in the journal. ``used``: the round was closed with it. ``lifted``: a correction led to
    another tie, so that it no longer applies. Rulings are never deleted.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="rulings")
    seq = models.PositiveBigIntegerField()
    tied = ArrayField(models.CharField(max_length=8))
    advance = ArrayField(models.CharField(max_length=8))
    reason = models.TextField()
    used = models.BooleanField(default=False)
    lifted = models.BooleanField(default=False)

    class Meta:
        ordering = ("seq",)
        constraints = [models.UniqueConstraint(fields=["round", "seq"], name="one_ruling_per_journal_entry")]

    def __str__(self) -> str:
        return f"{self.round_id}: {self.seq}"


class Stack(models.Model):
    """The chips in front of an entry in one round; ``chips`` mirrors the ledger (reconcile)."""

    class State(models.TextChoices):
        PLAYING = "playing", _("playing")
        ABSENT = "absent", _("absent")
        SETTLED = "settled", _("decided")
        NO_SHOW = "no_show", _("no-show")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")

    class Outcome(models.TextChoices):
        NONE = "", "open"
        ADVANCED = "advanced", "advances"
        CUT = "cut", "cut"
        RANKED = "ranked", "ranked"

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="stacks")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="stacks")
    chips = models.IntegerField(default=0)
    start_chips = models.IntegerField(default=0)
    last_change_chips = models.IntegerField(null=True, blank=True)
    # Chips of a ruling that the felt does not show yet: + to give to the box, − to take from it.
    due_chips = models.IntegerField(default=0, db_default=0)
    state = models.CharField(max_length=12, choices=State.choices, default=State.PLAYING)
    # Frozen when the round is closed (T19): place in the round, who advances.
    outcome = models.CharField(max_length=12, choices=Outcome.choices, default=Outcome.NONE, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)
    place_tied = models.BooleanField(default=False)
    # In a sudden death (T33): the first place of the tie for which it was seated, and of the one that it
    # still plays for; whether its player was absent at an evaluation, in a play-off too.
    tied_from = models.PositiveIntegerField(null=True, blank=True)
    plays_from = models.PositiveIntegerField(null=True, blank=True)
    absent_at_look = models.BooleanField(default=False)

    class Meta:
        ordering = ("round_id", "-chips", "entry__number")
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="one_stack_per_round_and_entry"),
            models.CheckConstraint(condition=Q(chips__gte=0), name="stack_never_negative"),
        ]
