"""Everything that the hall and the phones show: announcements, screens, the clock, published standings."""

from datetime import timedelta

from django.db import models
from django.db.models import Q

from tournament.engine.clock import LONGEST_SECONDS

from .triggers import by_staff


class Announcement(models.Model):
    """A sentence of the director on the screens in the hall and on the public page, until it is withdrawn."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="announcements")
    text = models.CharField(max_length=200)
    posted_by = by_staff()
    posted_at = models.DateTimeField()
    withdrawn_by = by_staff()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("event_id", "id")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="announcement_says_something"),
        ]


class HallScreen(models.Model):
    """A named screen in the hall; ``shows``: its only kind of slide, empty for all.

    ``seen_at`` is not part of the journal: when the screen last loaded its slide, recorded at most every
    ``SEEN_EVERY``.
    """

    SEEN_EVERY = timedelta(seconds=10)

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="hall_screens")
    name = models.SlugField(max_length=20)
    shows = models.CharField(max_length=20, blank=True)
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("event_id", "name")
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="screen_name_once_per_event"),
        ]


class HallRotation(models.Model):
    """The slides of an event's screens in order: ``[[kind, seconds], …]``; without a row, the default
    ones."""

    event = models.OneToOneField("tournament.Event", on_delete=models.PROTECT, related_name="hall_rotation")
    slides = models.JSONField()
    # The journal position of the command that set it; another version is another picture.
    version = models.PositiveBigIntegerField()


LABEL_LONGEST = 40


class EventClock(models.Model):
    """The clock of an event, from its start until it is stopped; earlier clocks are in the journal.

    A running clock has its end, a paused one the remaining time; the server's time is the reference.
    ``version`` is the number of the journal entry that changed it last.
    """

    class Kind(models.TextChoices):
        ROUND = "round", "a round"
        START = "start", "the start of a round"
        BREAK = "break", "a break"
        LATE = "late", "late registration"

    event = models.OneToOneField("tournament.Event", on_delete=models.PROTECT, related_name="clock")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    label = models.CharField(max_length=LABEL_LONGEST, blank=True)
    # The number of the round, for the words of a clock without a label.
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    left_seconds = models.PositiveIntegerField(null=True, blank=True)
    version = models.PositiveBigIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at__isnull=False, left_seconds=None)
                | Q(
                    ends_at=None,
                    left_seconds__isnull=False,
                    left_seconds__gte=1,
                    left_seconds__lte=LONGEST_SECONDS,
                ),
                name="clock_runs_or_is_paused",
            ),
        ]


MINUTES_LEAST, MINUTES_MOST = 1, 60


class StandingsPublication(models.Model):
    """How an event publishes its standings; without a row they are live.

    ``public_until``: the newest moment whose standings the public had seen at the last change. Newer ones are
    not shown before the delay has passed.
    """

    class Mode(models.TextChoices):
        LIVE = "live", "live"
        DELAYED = "delayed", "delayed"
        HIDDEN = "hidden", "hidden"

    event = models.OneToOneField("tournament.Event", on_delete=models.PROTECT, related_name="publication")
    mode = models.CharField(max_length=8, choices=Mode.choices)
    minutes = models.PositiveSmallIntegerField(null=True)
    public_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(mode="live", minutes=None, public_until=None)
                | Q(mode="hidden", minutes=None, public_until__isnull=False)
                | Q(
                    mode="delayed",
                    minutes__gte=MINUTES_LEAST,
                    minutes__lte=MINUTES_MOST,
                    minutes__isnull=False,
                    public_until__isnull=False,
                ),
                name="publication_has_its_figures",
            ),
        ]


class StandingsKept(models.Model):
    """The standings from the moment ``at`` until the next row of the event. Not kept while they are live."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="standings_kept")
    at = models.DateTimeField()
    etag = models.CharField(max_length=64)
    body = models.JSONField()

    class Meta:
        ordering = ("event_id", "at", "id")
        indexes = [models.Index(fields=["event", "at"], name="standings_kept_by_time")]
