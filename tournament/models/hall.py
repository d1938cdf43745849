"""What the director says and shows in the hall."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q


class Announcement(models.Model):
    """A sentence of the director, on the screens in the hall and the public page until it is withdrawn."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="announcements")
    text = models.CharField(max_length=200)
    posted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    posted_at = models.DateTimeField()
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("event_id", "id")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="announcement_says_something"),
        ]


class HallScreen(models.Model):
    """A screen in the hall that has a name; ``shows``: the kind of slide that it keeps to, empty for all.

    ``seen_at`` is no part of the journal: when the screen last asked for its picture, written down at most
    every ``SEEN_EVERY``.
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
    """The slides of an event's screens in their order: ``[[kind, seconds], …]``; without a row, the usual."""

    event = models.OneToOneField("tournament.Event", on_delete=models.PROTECT, related_name="hall_rotation")
    slides = models.JSONField()
    # The journal position of the command that composed it: another one is another picture.
    version = models.PositiveBigIntegerField()
