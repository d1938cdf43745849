"""The journal: the log of every command, one hash chain per event (and one for the house)."""

from django.db import models

from .triggers import append_only, by_staff


class JournalHead(models.Model):
    """The end of a chain. The lock on its row puts an event's commands in one order."""

    event = models.OneToOneField(
        "tournament.Event", null=True, blank=True, on_delete=models.PROTECT, related_name="journal_head"
    )
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="0" * 64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event"], nulls_distinct=False, name="one_chain_per_event"),
        ]


class HeadsKept(models.Model):
    """How many postings and payments of an event have their head in which file; for pages and the sweep."""

    event = models.OneToOneField("tournament.Event", on_delete=models.CASCADE, related_name="+")
    count = models.PositiveIntegerField()
    file = models.TextField()


class JournalEntry(models.Model):
    """One command: the actor, its arguments, the time, the result. Ids only, no personal data; append-only.

    ``facts``: its facts for the event (``tournament.engine.facts``); null if they are unknown.
    """

    event = models.ForeignKey("tournament.Event", null=True, on_delete=models.PROTECT, related_name="journal")
    seq = models.PositiveBigIntegerField()
    key = models.CharField(max_length=80, unique=True)
    actor = by_staff()
    approver = by_staff()
    kind = models.CharField(max_length=40)
    body = models.JSONField()
    result = models.JSONField()
    facts = models.JSONField(null=True)
    at = models.DateTimeField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ("event_id", "seq")
        constraints = [
            models.UniqueConstraint(
                fields=["event", "seq"], nulls_distinct=False, name="journal_seq_once_per_chain"
            ),
        ]
        triggers = append_only("journal_entry")
