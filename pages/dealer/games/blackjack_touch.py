"""The cards and decisions of blackjack that can be touched to correct them, each with its tap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from games.blackjack.deal import Deal
from games.blackjack.taps import dealt_by, taps_of
from ground.refused import Refused
from ground.words import gettext_noop as _
from pages.dealer.games.part import Touches
from pages.dealer.reads import Screen
from tables.selectors.deals import taps_standing

Json = dict[str, Any]


def touches(shown: Screen) -> Touches | None:
    """Return the tap of every card, and of the last decision of each box and of the dealer."""
    if shown.hand is None or shown.hand.state is None:
        return None
    taps = taps_standing(shown.hand.deal.taps)
    # An operation belongs to its tap: a hit and its card are one tap.
    tap_of = [at for at, ops in enumerate(taps) for _op in ops]
    dealt = dealt_by(cast(Deal, shown.hand.state))
    return Touches(
        boxes={box: [_taps(cards, tap_of) for cards in hands] for box, hands in dealt.boxes.items()},
        dealer=_taps(dealt.dealer, tap_of),
        said=_said(taps),
        looked=_last(taps, ("looked", "insurance_closed")),
    )


def record_taps(record: Mapping[str, Any]) -> list[Json] | None:
    """Return the taps of a recorded hand. Refuses ``irregular_hand``: an irregularity is no plain tap."""
    if record.get("irregularities"):
        raise Refused(
            "irregular_hand",
            _("This hand was played on after a mistake. Correct it by its results."),
        )
    return taps_of(record)


def _taps(cards: Iterable[int | None], tap_of: list[int]) -> list[int | None]:
    return [None if at is None else tap_of[at] for at in cards]


def _said(taps: Iterable[Iterable[Mapping[str, Any]]]) -> dict[int, int]:
    """Map boxes to the tap of their last decision."""
    return {op["seat"]: at for at, ops in enumerate(taps) for op in ops if op["op"] == "decision"}


def _last(taps: list[list[Json]], kinds: tuple[str, ...]) -> int | None:
    found = [at for at, ops in enumerate(taps) if ops[-1]["op"] in kinds]
    return found[-1] if found else None
