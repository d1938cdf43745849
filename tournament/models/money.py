"""The money ledger, in cents, and a person's spending on a gaming day (T2)."""

from django.db import models
from django.db.models import F, Q

from ground.words import gettext_noop as _

from .triggers import adds_up_to_zero, append_only, by_staff


class MoneyAccount(models.TextChoices):
    """Desk: cash in the drawer. Pool and fee: owed by the desk (negative). House: money that the house
    adds."""

    DESK = "desk", "cash desk"
    POOL = "pool", "prize pool"
    FEE = "fee", "fee"
    HOUSE = "house", "house"


class MoneyTransaction(models.Model):
    """A buy-in, a refund, a prize, or a reversed payment. The gaming day is stored, never recomputed."""

    class Kind(models.TextChoices):
        BUY_IN = "buy_in", _("buy-in")
        REFUND = "refund", _("refund")
        PRIZE = "prize", _("prize")
        FURTHER = "further", _("further payment of the prize")
        TAKEN_BACK = "taken", _("prize taken back")

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="money_transactions")
    entry = models.ForeignKey("tournament.Entry", on_delete=models.PROTECT, related_name="money_transactions")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    amount_cents = models.PositiveBigIntegerField()
    gaming_day = models.DateField()
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )
    by = by_staff()
    at = models.DateTimeField()

    class Meta:
        triggers = append_only("money_transaction")
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["refund", "taken"], reverses__isnull=False)
                | (~Q(kind__in=["refund", "taken"]) & Q(reverses__isnull=True)),
                name="back_only_of_an_original",
            ),
            models.UniqueConstraint(
                fields=["entry"], condition=Q(kind="buy_in"), name="one_buy_in_per_entry"
            ),
            models.UniqueConstraint(fields=["entry"], condition=Q(kind="prize"), name="one_prize_per_entry"),
        ]


class MoneyEntry(models.Model):
    """One leg, in cents."""

    transaction = models.ForeignKey(MoneyTransaction, on_delete=models.PROTECT, related_name="legs")
    account = models.CharField(max_length=8, choices=MoneyAccount.choices)
    amount_cents = models.BigIntegerField()

    class Meta:
        triggers = [
            *append_only("money_entry"),
            adds_up_to_zero("money_entry", "amount_cents", table="tournament_moneyentry"),
        ]


class HandOut(models.Model):
    """The buy-in of a called-off event paid back to the player, once per entry (T8)."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="hand_outs")
    entry = models.OneToOneField("tournament.Entry", on_delete=models.PROTECT, related_name="hand_out")
    amount_cents = models.PositiveBigIntegerField()
    handed_by = by_staff()
    identity_checked_by = by_staff()
    transaction = models.OneToOneField(MoneyTransaction, on_delete=models.PROTECT, related_name="hand_out")
    at = models.DateTimeField()

    class Meta:
        triggers = append_only("hand_out")


class PlayerDay(models.Model):
    """A person's spending on buy-ins on a gaming day; the row holds the approved limit (T2)."""

    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="days")
    gaming_day = models.DateField()
    spent_cents = models.BigIntegerField(default=0)
    limit_cents = models.PositiveBigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "gaming_day"], name="one_row_per_player_and_day"),
            models.CheckConstraint(
                condition=Q(spent_cents__gte=0) & Q(spent_cents__lte=F("limit_cents")),
                name="spend_within_the_day_limit",
            ),
        ]
