"""A deal as the table sees it: what is needed next, what is legal, and what came of it.

    deal = deal_start(rules, {1: 200, 3: 400}, {1: 900, 3: 5000})
    deal.needs                      # Need(kind="card", seat=1, hand=0, ...)
    deal = apply(deal, CardDrawn("8h"))
    legal(deal)                     # [Legal(seat=1, action="hit"), Legal(1, "double", 200, 200, 100), ...]
    deal = apply(deal, Decision(1, "hit"))
    deal_record(deal)               # the hand record, once deal.needs.kind == "done"

A deal never changes; ``apply`` gives a new one. Undo is ``deal_replay(..., deal.ops[:-1])``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.engine.ops import (  # noqa: F401 - the operations belong to this module's face
    CardDrawn,
    Decision,
    HoleCard,
    InsuranceClosed,
    LookedUnder,
    Op,
    op_from_dict,
    op_to_dict,
)
from tables.engine.rules import HouseRules


@dataclass(frozen=True, slots=True)
class Need:
    """What the deal waits for.

    ``kind``: "card", "decision", "look" or "done". ``step``: "deal", "insurance", "look", "play",
    "dealer" or "done". ``seat`` and ``hand`` (counted from 0, left to right) say for whom; both are None
    for the dealer and in the insurance step, where every box may speak. ``hole``: the card to give is the
    hole card, turned over (``HoleCard``).
    """

    kind: str
    step: str
    seat: int | None = None
    hand: int | None = None
    hole: bool = False


@dataclass(frozen=True, slots=True)
class Legal:
    """One legal action: for chips, any multiple of ``step_chips`` from ``min_chips`` to ``max_chips``.

    ``action`` is one of the record's, or "close_insurance" (the operation ``InsuranceClosed``), which has
    no seat. Actions without chips have None; a double of a fixed amount has min = max.
    """

    seat: int | None
    action: str
    min_chips: int | None = None
    max_chips: int | None = None
    step_chips: int | None = None


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand of a box. ``state``: "playing", "waiting" (its turn has not come), "stood", "bust",
    "surrendered", "natural" (waits for the dealer), "paid" (a natural, paid) or "even_money"."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    bet_chips: int
    double_chips: int
    state: str
    net_chips: int | None


@dataclass(frozen=True, slots=True)
class BoxView:
    """One box: its bet, its hands left to right, its insurance, and all that it has put up (A6)."""

    seat: int
    bet_chips: int
    stack_chips: int | None
    put_up_chips: int
    insurance_chips: int
    hands: tuple[HandView, ...]
    net_chips: int | None


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal so far. ``dealer`` has "??" for a hole card that is face down. ``answer`` is what
    ``settle`` says of the record, once done (``net``, ``hands``, ``dealer``, ``insurance`` …)."""

    rules: HouseRules
    bets: Mapping[int, int]
    stacks: Mapping[int, int] | None
    ops: tuple[Op, ...]
    needs: Need
    boxes: tuple[BoxView, ...]
    dealer: tuple[str, ...]
    dealer_total: int
    cards_seen: int
    answer: Mapping[str, Any] | None = field(default=None)


def deal_start(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None = None,
    *,
    side_bets: Mapping[int, Mapping[str, int]] | None = None,
    line_chips: Mapping[int, int] | None = None,
) -> Deal:
    """A deal with the bets down and no card out. Amounts in whole chips.

    Raises Refused with the record's codes (``no_bets``, ``bet_above_maximum``, ``not_enough_chips`` …).
    """
    raise NotImplementedError


def apply(deal: Deal, op: Op) -> Deal:
    """The deal after ``op``. Raises Refused, and then nothing has happened."""
    raise NotImplementedError


def legal(deal: Deal) -> list[Legal]:
    """Every action that ``apply`` would accept now; empty while a card or a look is needed."""
    raise NotImplementedError


def deal_replay(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    ops: Iterable[Op],
) -> Deal:
    """The deal after all of ``ops``: ``deal_replay(…, deal.ops[:-1])`` takes the last one back."""
    raise NotImplementedError


def deal_record(deal: Deal) -> dict[str, Any]:
    """The hand record of a finished deal. Raises Refused ``deal_not_done`` before that."""
    raise NotImplementedError
