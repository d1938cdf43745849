"""The irregularities of a hand and the rulings on them, which its replay shows (T17)."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from games.registry import game_of
from tables.models import Deal
from tables.selectors.deals import ops_of
from tables.selectors.floor import house_rules


@dataclass(frozen=True)
class Ruled:
    """A ruling: what went wrong, whether the hand was played on or is void, the reason, and who ruled."""

    said: str
    played_on: bool
    reason: str
    by: User | None


def rulings_of(deal: Deal) -> list[Ruled]:
    """Return the rulings of a hand that were not taken back. A corrected card is named as it is now."""
    taps = {tap["op"]["op"]: tap for tap in deal.taps if "ruling" in tap}
    if not taps:
        return []
    game = game_of(house_rules(deal.shoe.round))
    people = User.objects.in_bulk([tap["by"] for tap in taps.values() if tap["by"]])
    return [
        Ruled(game.op_words(op), tap["ruling"] == "play_on", tap["reason"], people.get(tap["by"]))
        for op in ops_of(deal.taps)
        if (tap := taps.get(op["op"]))
    ]
