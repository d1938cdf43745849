"""The commands that moved the chips of an entry, from the ledger."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Sum
from django.db.models.functions import Coalesce

from tournament.models import ChipEntry, ChipTransaction, Entry, JournalEntry, Round

HANDS = ("deal.settle", "deal.record")
"""The commands that settle a hand. In a tie they also post other transactions, which are no hands."""


class How(StrEnum):
    """Why chips came to a stack or left it."""

    PLAYED = "played"
    ISSUED = "issued"
    CARRIED = "carried"
    HANDED_IN = "handed_in"


_HOW: dict[str, How] = {
    ChipTransaction.Kind.ISSUE: How.ISSUED,
    ChipTransaction.Kind.CARRY: How.CARRIED,
    ChipTransaction.Kind.RETURN: How.HANDED_IN,
}


@dataclass(frozen=True)
class Moved:
    """The chips that a command moved for an entry in a stage; 0 if its movements cancel out."""

    round: Round
    how: How
    chips: int


def chips_moved(entry: Entry) -> dict[int, list[Moved]]:
    """Map journal numbers to the chips that the command moved for an entry, without ordinary hands.

    A corrected hand is included, with its reversal. A transaction and its journal entry belong to one
    command, so they have the same time.
    """
    found = ChipEntry.objects.filter(stack__entry=entry).order_by("pk")
    legs = list(found.select_related("transaction__reverses", "stack__round__parent"))
    here = JournalEntry.objects.filter(event=entry.event_id, at__in={leg.transaction.at for leg in legs})
    commands = {at: (seq, kind) for at, seq, kind in here.values_list("at", "seq", "kind")}
    total: dict[int, dict[tuple[Round, How], int]] = defaultdict(lambda: defaultdict(int))
    for leg in legs:
        seq, kind = commands.get(leg.transaction.at, (0, ""))
        if leg.transaction.kind == ChipTransaction.Kind.DEAL and kind in HANDS:
            continue
        assert leg.stack is not None, "the leg was found by its stack"
        total[seq][leg.stack.round, _how(leg.transaction)] += leg.amount_chips
    return {
        seq: [Moved(round_, how, chips) for (round_, how), chips in moved.items()]
        for seq, moved in total.items()
    }


@dataclass(frozen=True)
class Account:
    """The parts of a stack, in chips: ``hands``, the nets of its ordinary hands, and ``others``, the rest.

    Parts of ``others``: ``carried`` (from an earlier round; below 0 into the next), ``handed_in`` (below 0).
    """

    round: Round
    hands_chips: int
    others_chips: int
    carried_chips: int = 0
    handed_in_chips: int = 0

    @property
    def stack_chips(self) -> int:
        """The stack by the ledger."""
        return self.hands_chips + self.others_chips


def chip_accounts(entry: Entry) -> list[Account]:
    """Return the parts of each stack of an entry, by stage; with ``chips_moved`` the whole ledger."""
    others: dict[int, int] = defaultdict(int)
    ways: dict[tuple[int, How], int] = defaultdict(int)
    for moved in chips_moved(entry).values():
        for each in moved:
            others[each.round.pk] += each.chips
            ways[each.round.pk, each.how] += each.chips
    stacks = entry.stacks.select_related("round__parent").annotate(
        sum_chips=Coalesce(Sum("chip_entries__amount_chips"), 0)
    )
    return [
        Account(
            stack.round,
            stack.sum_chips - others[stack.round_id],
            others[stack.round_id],
            ways[stack.round_id, How.CARRIED],
            ways[stack.round_id, How.HANDED_IN],
        )
        for stack in stacks.order_by("round_id")
    ]


def _how(posted: ChipTransaction) -> How:
    """Return why a transaction moved chips; for a reversal, the reason of the reversed one (T17)."""
    return _HOW.get((posted.reverses or posted).kind, How.PLAYED)
