"""Public, final notices; prizes and their payment; requests; the standings snapshot."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .triggers import append_only, by_staff


class Posting(models.Model):
    """A public, final notice, numbered by kind; never edited (T31)."""

    class Kind(models.TextChoices):
        RULES = "rules", "rules"
        PAYOUTS = "payouts", "payout structure"
        DRAW = "draw", "draw"
        RESULT = "result", "result"
        CALLED_OFF = "called_off", "called off"
        # T26: the ruled recipients of an unclaimed prize; only in events of earlier releases.
        SHARING = "sharing", "sharing of a prize"
        # T6: the start of a public event was moved.
        START = "start", "start"

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="postings")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    number = models.PositiveSmallIntegerField(default=1)
    # A result that two people correct is posted again; every version stays public (T17).
    version = models.PositiveSmallIntegerField(default=1)
    body = models.JSONField()
    hash = models.CharField(max_length=64)
    posted_by = by_staff()
    at = models.DateTimeField()

    class Meta:
        ordering = ("event_id", "at", "id")
        constraints = [
            models.UniqueConstraint(fields=["event", "kind", "number", "version"], name="posting_once")
        ]
        triggers = append_only("posting")


def posting_name(kind: str, number: int, version: int) -> str:
    """Return the name of a posting in the journal and the audit: ``result 1, version 2``."""
    return f"{kind} {number}" + (f", version {version}" if version > 1 else "")


class PayoutStructure(models.Model):
    """A payout structure, current or superseded (T31): a new version supersedes it, both stay public."""

    class Status(models.TextChoices):
        LIVE = "live", "in force"
        SUPERSEDED = "superseded", "superseded"

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="payouts")
    version = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.LIVE)
    # engine.payouts structure as a dict; prizes_cents are its prizes at the posting, by place.
    structure = models.JSONField()
    prizes_cents = models.JSONField()
    pool_cents = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=200, blank=True)
    posting = models.OneToOneField(Posting, on_delete=models.PROTECT, related_name="payout_structure")

    class Meta:
        ordering = ("event_id", "version")
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(status="live"), name="one_live_payout_structure"
            ),
            models.UniqueConstraint(fields=["event", "version"], name="payout_version_once"),
        ]


class Payment(models.Model):
    """A payment of a prize, or its reversal, in cents, numbered per entry (T35, T26). Never edited.

    The first one pays the prize. Another one follows if the prize has grown or was reversed; a reversal is a
    row of its own.
    """

    class Kind(models.TextChoices):
        PRIZE = "prize", "prize"
        FURTHER = "further", "further payment of the prize"
        TAKEN_BACK = "taken", "payment taken back"

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="payments")
    entry = models.ForeignKey("tournament.Entry", on_delete=models.PROTECT, related_name="payments")
    number = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.PRIZE)
    place = models.PositiveIntegerField()
    amount_cents = models.PositiveBigIntegerField()
    paid_by = by_staff()
    identity_checked_by = by_staff()
    second_person = by_staff()
    takes_back = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="taken_back_by"
    )
    reason = models.CharField(max_length=200, blank=True)
    transaction = models.OneToOneField(
        "tournament.MoneyTransaction", on_delete=models.PROTECT, related_name="payment"
    )
    at = models.DateTimeField()

    class Meta:
        triggers = append_only("payment")
        constraints = [
            # Two payments that were made from the same state have the same number: the second is refused.
            models.UniqueConstraint(fields=["entry", "number"], name="one_payment_per_entry_and_number"),
            models.CheckConstraint(
                condition=Q(kind="taken", takes_back__isnull=False)
                | (~Q(kind="taken") & Q(takes_back__isnull=True)),
                name="taken_back_is_a_payment",
            ),
            models.CheckConstraint(
                condition=Q(number=1, kind="prize") | (Q(number__gt=1) & ~Q(kind="prize")),
                name="first_payment_is_the_prize",
            ),
        ]


class Request(models.Model):
    """A request: one person makes it, and a second person confirms or refuses it (faults, Who may do what).

    ``body``: the ids and figures that its kind declares in ``approvals``.
    """

    class Status(models.TextChoices):
        OPEN = "open", "waits"
        APPROVED = "approved", "approved"
        REFUSED = "refused", "refused"

    # None: it concerns the house (its logins, its gaming day), and is journalled in the house's chain.
    event = models.ForeignKey(
        "tournament.Event", null=True, on_delete=models.PROTECT, related_name="requests"
    )
    kind = models.CharField(max_length=40)
    body = models.JSONField()
    reason = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    requested_by = by_staff()
    requested_at = models.DateTimeField(db_default=Now())
    decided_by = by_staff(blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    one_person_may = models.BooleanField(default=False)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True)
                | Q(one_person_may=True)
                | ~Q(decided_by=F("requested_by")),
                name="nobody_approves_their_own_request",
            ),
        ]

    @classmethod
    def waiting(cls, event_id: int | None, *kinds: str, **filters: Any) -> models.QuerySet[Request]:
        """Return the open requests of these kinds, oldest first; ``event_id`` is None for the house's."""
        return cls.objects.filter(event=event_id, kind__in=kinds, status=cls.Status.OPEN, **filters)


class StandingsSnapshot(models.Model):
    """The standings, computed once per change; an older journal position never overwrites a newer one.

    ``body`` holds values and states, which pages put into words; ``etag`` identifies its content.
    """

    event = models.OneToOneField("tournament.Event", on_delete=models.PROTECT, related_name="standings")
    position = models.PositiveBigIntegerField()
    body = models.JSONField()
    etag = models.CharField(max_length=64)
    at = models.DateTimeField()
