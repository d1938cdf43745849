"""What the public sees of the standings: as they are, some minutes behind, or nothing."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

MINUTES_LEAST, MINUTES_MOST = 1, 60


class StandingsPublication(models.Model):
    """How an event publishes its standings; without a row they are live.

    ``public_until``: the newest moment whose standings the public had seen at the last change. Nothing that
    is newer is shown before the delay has passed.
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

    def __str__(self) -> str:
        return f"{self.mode} of {self.event_id}"


class StandingsKept(models.Model):
    """The standings as they were from ``at`` on, until the next of the event. None while they are live."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="standings_kept")
    at = models.DateTimeField()
    etag = models.CharField(max_length=64)
    body = models.JSONField()

    class Meta:
        ordering = ("event_id", "at", "id")
        indexes = [models.Index(fields=["event", "at"], name="standings_kept_by_time")]

    def __str__(self) -> str:
        return f"standings of {self.event_id} at {self.at}"
