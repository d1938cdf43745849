"""Shoes, deals and counts."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now

from ground.words import gettext_noop as _
from tables.models.floor import Table
from tournament.models.triggers import by_staff


class Shoe(models.Model):
    """One shoe at one table in one round (T11)."""

    class Status(models.TextChoices):
        DEALING = "dealing", "playing"
        OVER = "over", "count due"
        COUNTED = "counted", "counted"

    round = models.ForeignKey("tournament.Round", on_delete=models.PROTECT, related_name="shoes")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="shoes")
    flight = models.PositiveSmallIntegerField(default=1)
    number = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.DEALING)
    decks = models.PositiveSmallIntegerField()
    # Seed of a simulated shoe; a real shoe has none.
    seed = models.BinaryField(null=True, blank=True)
    cards_dealt = models.PositiveIntegerField(default=0)
    button_box = models.PositiveSmallIntegerField(null=True, blank=True)
    # T11: the cut card is out; the shoe is over once the hand on the table is finished.
    last_hand = models.BooleanField(default=False, db_default=False)
    ended_reason = models.CharField(max_length=200, blank=True)
    # T17: corrections that wait for the end of an open hand, and refused ones that no director has read yet:
    # [{"seq": of the journal, "deal": id, "hand": number, "no": code, "why": Sentence.to_json}].
    to_correct = models.JSONField(
        default=list, db_default=Value([], output_field=models.JSONField()), blank=True
    )
    opened_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("round_id", "flight", "table__number", "number")
        constraints = [
            models.UniqueConstraint(
                fields=["round", "flight", "table", "number"], name="shoe_once_per_table"
            ),
            models.UniqueConstraint(
                fields=["round", "flight", "table"],
                condition=Q(status="dealing"),
                name="one_shoe_in_play_per_table",
            ),
        ]


class Deal(models.Model):
    """One round of play at a table ('hand 7' on the pages). Corrected by reversal, never edited (T17)."""

    class Status(models.TextChoices):
        OPEN = "open", "open"
        SETTLED = "settled", "settled"
        VOID = "void", "void"
        REVERSED = "reversed", "reversed"

    class Mode(models.TextChoices):
        CARDS = "cards", _("cards")
        RESULTS = "results", _("results")
        SIMULATED = "simulated", _("simulated")

    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="deals")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    mode = models.CharField(max_length=10, choices=Mode.choices)
    button_box = models.PositiveSmallIntegerField(null=True, blank=True)
    # {"1": chips}: the bets, and the stacks before them, so that the engine needs no other read.
    bets = models.JSONField(default=dict)
    stacks = models.JSONField(default=dict)
    # {"1": entry id}: the entries at the boxes when the hand was dealt.
    entries = models.JSONField(default=dict)
    # {"1": penalty id}: the boxes that sat this hand out by a penalty (T26).
    sits_out = models.JSONField(
        default=dict, db_default=Value({}, output_field=models.JSONField()), blank=True
    )
    # Every tap in order, undos included: [{"nonce": …, "op": {…}} | {"nonce": …, "undo": true}]. Putting the
    # hand right is a tap too: {"nonce": …, "said": …, "standing": the taps that stand from there on}; if it
    # changed bets, "bets" has the changed ones. Each tap has "by" and "on": the id of the user who tapped,
    # and a mark of the screen. The first one has "called": the bets that were called with it. A screen sends
    # the length of this list as the sequence number that it has seen.
    taps = models.JSONField(default=list)
    outcomes = models.JSONField(default=dict, blank=True)
    record = models.JSONField(null=True, blank=True)
    answer = models.JSONField(null=True, blank=True)
    corrects = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="corrected_by"
    )
    reason = models.CharField(max_length=200, blank=True)
    opened_by = by_staff()
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("shoe_id", "number", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["shoe", "number"], condition=~Q(status="reversed"), name="deal_number_once_per_shoe"
            ),
            models.UniqueConstraint(
                fields=["shoe"], condition=Q(status="open"), name="one_open_deal_per_shoe"
            ),
        ]

    def copy_with(self, **otherwise: Any) -> Deal:
        """Return an unsaved copy of this hand with the columns ``otherwise`` replaced."""
        same = ("shoe", "number", "mode", "button_box", "bets", "stacks", "entries", "sits_out")
        return Deal(**{name: getattr(self, name) for name in same} | otherwise)


class CountSheet(models.Model):
    """The chips of every box of a table, counted by one person (T18). Two sheets have to agree."""

    class Status(models.TextChoices):
        LIVE = "live", "live"
        REOPENED = "reopened", "reopened"

    shoe = models.ForeignKey(Shoe, on_delete=models.PROTECT, related_name="counts")
    which = models.PositiveSmallIntegerField()
    # {"1": chips} by box.
    chips = models.JSONField()
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.LIVE)
    counted_by = by_staff()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["shoe", "which"], condition=Q(status="live"), name="two_counts_per_shoe"
            ),
            models.CheckConstraint(condition=Q(which__in=[1, 2]), name="count_is_first_or_second"),
        ]
