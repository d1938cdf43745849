"""What the director says and shows in the hall."""

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
