"""The clock that an event shows on phones and screens."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournament.engine.clock import LONGEST_SECONDS

LABEL_LONGEST = 40


class EventClock(models.Model):
    """The clock of an event, from its start until it is stopped; the journal has the clocks before it.

    A running clock has its end, a paused one what is left of it; the server's time says which second it is.
    ``version`` is the number of the journal's entry that changed it last.
    """

    class Kind(models.TextChoices):
        ROUND = "round", "a round"
        START = "start", "the start of a round"
        BREAK = "break", "a break"
        LATE = "late", "late registration"

    event = models.OneToOneField("tournament.Event", on_delete=models.PROTECT, related_name="clock")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    label = models.CharField(max_length=LABEL_LONGEST, blank=True)
    # The round that it is about, for the words of a clock without a label.
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
