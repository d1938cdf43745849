"""Hands: the hand on the table, and earlier ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import Sum

from games.protocol import Hand, Json, Legal, Rules
from games.registry import game_of
from tables.models import Deal, Shoe
from tables.selectors.floor import house_rules
from tournament import sql
from tournament.models import ChipEntry

Taps = Iterable[Mapping[str, Any]]


@dataclass(frozen=True)
class DealView:
    """A hand on the table, as a screen shows it.

    ``seen`` is sent with the next tap; ``state`` is that of the game; ``legal``: the legal choices.

    ``said``: the taps that stand, in words, oldest first. ``state`` is None for a hand recorded by results.
    """

    deal: Deal
    seen: int
    state: Hand | None
    legal: tuple[Legal, ...]
    said: tuple[str, ...]

    @property
    def known(self) -> str:
        """The first letters of every tap's own name: the page recognizes its own taps by them."""
        return " ".join(tap["nonce"][:8] for tap in self.deal.taps)

    @property
    def called(self) -> str:
        """The bets that the screen shows; sent with the next tap, like ``seen``."""
        return bets_called(self.deal)


def ops_of(taps: Taps) -> list[Json]:
    """Return the operations that stand, without undone ones."""
    return [op for ops in taps_standing(taps) for op in ops]


def taps_standing(taps: Taps) -> list[list[Json]]:
    """Return the operations that stand, tap by tap."""
    standing: list[list[Json]] = []
    for tap in taps:
        if tap.get("undo"):
            standing.pop()
        elif "standing" in tap:
            # The hand was put right: these taps stand from here on.
            standing = [list(ops) for ops in tap["standing"]]
        else:
            standing.append(tap_ops(tap))
    return standing


def tap_ops(tap: Mapping[str, Any]) -> list[Json]:
    """Return the operations of a tap other than an undo; a card that is also a hit has two."""
    return list(tap.get("meant") or [tap["op"]])


def boxed(values: Mapping[str, Any]) -> dict[int, Any]:
    """Return the mapping with its JSON keys as box numbers."""
    return {int(box): value for box, value in values.items()}


def bets_called(deal: Deal) -> str:
    """Return the bets of a hand as one word: ``1:400,2:200``."""
    return bets_word(boxed(deal.bets))


def bets_word(bets: Mapping[int, int]) -> str:
    """Return these bets as one word: ``1:400,2:200``."""
    return ",".join(f"{box}:{bet}" for box, bet in sorted(bets.items()))


def line_chips(shoe: Shoe, rules: Rules, *, before: int | None = None) -> dict[int, int]:
    """Map boxes to the chips on their line (row 23), from the last settled hand in which the box bet.

    They belong to the bank until they are won, and stay with it if the shoe ends first. ``before``: as of
    before the hand with this number.
    """
    if not rules.line_chip:
        return {}
    settled = Deal.objects.filter(shoe=shoe, status=Deal.Status.SETTLED).order_by("-number")
    if before is not None:
        settled = settled.filter(number__lt=before)
    found: dict[int, int] = {}
    for bets, on_line in settled.values_list("bets", "answer__line_chip"):
        for box in bets:
            found.setdefault(int(box), (on_line or {}).get(box, 0))
    return {box: chips for box, chips in sorted(found.items()) if chips}


def deal_play(deal: Deal) -> Hand:
    """Replay a hand from its taps. A tap and the page that answers it ask for the same hand."""
    rules = house_rules(deal.shoe.round)
    on_line = line_chips(deal.shoe, rules, before=deal.number)
    return _replayed(rules, json.dumps([deal.bets, deal.stacks, ops_of(deal.taps), on_line]))


@lru_cache(maxsize=64)
def _replayed(rules: Rules, played: str) -> Hand:
    bets, stacks, ops, on_line = json.loads(played)
    line = {int(box): chips for box, chips in on_line.items() if box in bets} or None
    hand: Hand = game_of(rules).hand_replay(rules, boxed(bets), boxed(stacks), ops, line_chips=line)
    return hand


def deal_view(deal: Deal) -> DealView:
    """Return what the table's screen shows of a hand."""
    game = game_of(house_rules(deal.shoe.round))
    said = tuple(game.op_words(op) for op in ops_of(deal.taps))
    if deal.mode == Deal.Mode.RESULTS:
        return DealView(deal, len(deal.taps), None, (), said)
    state = deal_play(deal)
    return DealView(deal, len(deal.taps), state, tuple(game.legal(state)), said)


_DEALT_AT = "SELECT s.id, table_id FROM tables_shoe s JOIN tables_deal d ON d.shoe_id = s.id WHERE d.id = %s"


def dealt_at(deal_id: int) -> tuple[int, int] | None:
    """Return the ids of the shoe and the table of a hand; None where there is no such hand."""
    found = sql.row(_DEALT_AT, deal_id)
    return (found[0], found[1]) if found else None


_LAST = (
    f"SELECT {sql.columns(Deal, 'd')} FROM tables_deal d WHERE d.shoe_id = %s AND d.status = 'settled'"  # noqa: S608 - our own columns
    " ORDER BY d.number DESC LIMIT 1"
)


def last_settled(shoe: Shoe) -> Deal | None:
    """Return the newest settled hand of a shoe."""
    found = sql.row(_LAST, shoe.pk)
    return sql.made(Deal, found) if found else None


def tap_words(deal: Deal, tap: Mapping[str, Any]) -> str:
    """Return a tap in words."""
    if tap.get("undo"):
        return "the last entry was taken back"
    if "said" in tap:
        return str(tap["said"])
    game = game_of(house_rules(deal.shoe.round))
    return ", ".join(game.op_words(op) for op in tap_ops(tap))


def stacks_before(deal: Deal) -> dict[int, int]:
    """Map entry ids to their chips before a hand, for all who sat there when it was first recorded.

    An open hand has moved no chips yet, so its stacks are the present ones.
    """
    first = deal
    while first.corrects is not None:
        first = first.corrects
    held = ChipEntry.objects.filter(stack__round=first.shoe.round_id, stack__entry__in=first.entries.values())
    if first.closed_at is not None:
        held = held.filter(transaction__at__lt=first.closed_at)
    return dict(held.order_by().values_list("stack__entry").annotate(Sum("amount_chips")))
