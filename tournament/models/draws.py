"""Draws, and the secrets to which the house committed beforehand (verifiable-draw)."""

from django.db import models
from django.db.models import Q

from ground.words import gettext_noop as _

from .triggers import by_staff


class Draw(models.Model):
    """One draw, once per number: committed, locked, public input, drawn. The old one stays public."""

    class Status(models.TextChoices):
        PLANNED = "planned", _("committed")
        LOCKED = "locked", _("roster locked")
        CONFIRMED = "confirmed", _("cards confirmed")
        DRAWN = "drawn", _("drawn")
        SUPERSEDED = "superseded", _("superseded")

    GIVEN_UP = "Nothing is left to be seated: every place is decided."
    """The reason of an unused draw that no other one has replaced."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="draws")
    number = models.PositiveSmallIntegerField()
    commitment = models.CharField(max_length=64)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.PLANNED)
    purpose = models.CharField(max_length=60, blank=True)
    roster = models.JSONField(default=list, blank=True)
    # Open seats in their posted order: [[table, box], …].
    open_seats = models.JSONField(default=list, blank=True)
    cards = models.CharField(max_length=20, blank=True)
    cards_by = by_staff(blank=True)
    confirmed_by = by_staff(blank=True)
    revealed_secret = models.CharField(max_length=64, blank=True)
    # [[entry code, table, box], …] in the shuffled order.
    result = models.JSONField(default=list, blank=True)
    superseded_reason = models.CharField(max_length=200, blank=True)
    drawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("event_id", "number")
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="draw_once_per_number"),
            models.CheckConstraint(
                condition=Q(status__in=["drawn", "superseded"]) | Q(revealed_secret=""),
                name="draw_secret_revealed_only_when_drawn",
            ),
        ]

    def __str__(self) -> str:
        return f"draw {self.number}"

    @property
    def is_given_up(self) -> bool:
        """Whether its roster was locked for a tie that nobody plays any more (T26, T33)."""
        return self.superseded_reason == self.GIVEN_UP


class DrawSecret(models.Model):
    """The 32 bytes behind a commitment; in a table of its own, so that no query reads it by accident."""

    draw = models.OneToOneField(Draw, on_delete=models.PROTECT, related_name="secret_row")
    secret = models.BinaryField(max_length=32)
