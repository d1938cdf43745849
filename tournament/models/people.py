"""People. Only an id or a public name ever reaches the journal or a public page."""

from django.db import models
from django.db.models.functions import Now

from ground.words import gettext_noop as _
from tournament.engine.names import isolated

from .triggers import append_only, by_staff


class Player(models.Model):
    """A person who plays; one person, one record (keyed hash of the identity number, never shown)."""

    given_name = models.CharField(max_length=60)
    family_name = models.CharField(max_length=60)
    alias = models.CharField(max_length=40, blank=True)
    # The full name in the form in which it is compared (engine.names): without capitals, accents and word
    # order.
    name_folded = models.CharField(max_length=200, blank=True, db_index=True)
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    identity_digest = models.CharField(max_length=64, null=True, blank=True, unique=True)
    simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["family_name", "given_name"], name="player_by_name")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(birth_year__isnull=True)
                | models.Q(birth_year__gte=1900, birth_year__lte=2100),
                name="player_birth_year_can_be",
            ),
        ]

    def __str__(self) -> str:
        return self.public_name

    @property
    def public_name(self) -> str:
        """The alias, or 'Ann B.' (faults, personal data)."""
        if self.alias:
            return isolated(self.alias)
        initial = f" {self.family_name[0]}." if self.family_name else ""
        return isolated(f"{self.given_name}{initial}")

    @property
    def full_name(self) -> str:
        """The full name, for staff pages only."""
        return isolated(f"{self.given_name} {self.family_name}".strip())


class PlayerCheck(models.Model):
    """The check at the desk: its time, its outcome and the checker; no document is copied (T7)."""

    class Outcome(models.TextChoices):
        PASSED = "passed", _("passed")
        UNDER_AGE = "under_age", _("under age")
        EXCLUDED = "excluded", _("excluded")
        LET_IN = "let_in", _("let in by two persons")

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="checks")
    event = models.ForeignKey("tournament.Event", null=True, on_delete=models.PROTECT, related_name="checks")
    outcome = models.CharField(max_length=12, choices=Outcome.choices)
    checked_by = by_staff()
    # By the house's clock at that moment.
    gaming_day = models.DateField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        triggers = append_only("player_check")


class PlayersApart(models.Model):
    """Two records that look like one person; two of the staff have confirmed that they are two people."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    request = models.ForeignKey("tournament.Request", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        triggers = append_only("players_apart")
        constraints = [
            models.UniqueConstraint(fields=["player", "other"], name="players_apart_once"),
            models.CheckConstraint(
                condition=models.Q(player__lt=models.F("other")), name="players_apart_lower_first"
            ),
        ]


class PlayerCorrection(models.Model):
    """A correction of a person's record (T7): the facts before and after it, and the reason.

    The journal holds no fact about a person, so this row does. ``before`` and ``after`` name only the fields
    that differ; an identity number is its digest. With a ``request`` a second person decides on it.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="corrections")
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(max_length=200)
    by = by_staff()
    at = models.DateTimeField()
    request = models.OneToOneField(
        "tournament.Request", null=True, on_delete=models.PROTECT, related_name="player_correction"
    )


class Penalty(models.Model):
    """A lesser penalty (T26); it is logged and can be cancelled."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        SIT_OUT = "sit_out", _("a hand sat out")
        CHIPS = "chips", _("chips")

    entry = models.ForeignKey("tournament.Entry", on_delete=models.PROTECT, related_name="penalties")
    round = models.ForeignKey(
        "tournament.Round", null=True, on_delete=models.PROTECT, related_name="penalties"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices)
    chips = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=200)
    by = by_staff()
    at = models.DateTimeField(db_default=Now())
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancel_reason = models.CharField(max_length=200, blank=True)
