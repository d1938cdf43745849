"""The chip ledger: four accounts per event, every transaction adds up to 0 (Standing orders)."""

from django.db import models
from django.db.models import Q

from .triggers import adds_up_to_zero, append_only


class ChipAccount(models.TextChoices):
    """Issued is kept negative, so that issued + stacks + bank + returned = 0 at any time."""

    ISSUED = "issued", "issued"
    STACK = "stack", "stacks"
    BANK = "bank", "table bank"
    RETURNED = "returned", "returned"


class ChipTransaction(models.Model):
    """One movement of chips, with its purpose and its command. Never edited: reversed."""

    class Kind(models.TextChoices):
        ISSUE = "issue", "chips issued"
        CARRY = "carry", "carried to the next round"
        DEAL = "deal", "hand settled"
        COUNT = "count", "count"
        RETURN = "return", "chips handed in"
        PENALTY = "penalty", "penalty"
        REVERSAL = "reversal", "reversal"

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="chip_transactions")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    # The cause in the words of the floor ("deal:12", "count:3"); the tournament knows no tables.
    source = models.CharField(max_length=40, blank=True)
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )
    at = models.DateTimeField()

    class Meta:
        triggers = append_only("chip_transaction")
        indexes = [models.Index(fields=["event", "source"], name="chip_transaction_source")]


class ChipEntry(models.Model):
    """One leg, in chips; positive into the account."""

    transaction = models.ForeignKey(ChipTransaction, on_delete=models.PROTECT, related_name="legs")
    account = models.CharField(max_length=8, choices=ChipAccount.choices)
    stack = models.ForeignKey(
        "tournament.Stack", null=True, blank=True, on_delete=models.PROTECT, related_name="chip_entries"
    )
    amount_chips = models.BigIntegerField()

    class Meta:
        triggers = [
            *append_only("chip_entry"),
            adds_up_to_zero("chip_entry", "amount_chips", table="tournament_chipentry"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(account="stack", stack__isnull=False)
                | (~Q(account="stack") & Q(stack__isnull=True)),
                name="chip_entry_names_its_stack",
            ),
        ]
