"""The kernel's rounds as hand records, which the plain engine must settle alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from games.blackjack.cards import JOKER, RANKS, SUITS
from games.blackjack.event_rules import rules_record
from games.blackjack.rules import HouseRules
from plan.kernel.chance import key_make
from plan.kernel.layout import BOXES, Action, Record, Rule
from plan.kernel.rounds import round_play
from plan.kernel.shoes import shoe_make
from plan.kernel.tables import MUCH, felt_make, trace_make

ACTIONS = {action: action.name.lower() for action in Action}


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the kernel: its record, the net of each box, and the chips left on the lines (row 23)."""

    record: dict[str, Any]
    net: dict[str, int]
    line_chip: dict[str, int]


@dataclass(frozen=True, slots=True)
class Seat:
    """A box before a round: chips of the bet, the stack (None: unlimited) and the line; its strategy, and the
    offers that it takes (``Insures``)."""

    bet_chips: int
    stack_chips: int | None = None
    line_chips: int = 0
    play: int = 0
    insures: int = 0


def shoe_words(cards: Sequence[int]) -> list[str]:
    """Return a shoe's cards in the notation of records: of each rank the suits in turn, as the kernel has no
    suits."""
    seen: dict[int, int] = {}
    words = []
    for card in cards:
        rank = card >> 4
        seen[rank] = seen.get(rank, -1) + 1
        words.append(RANKS[rank] + SUITS[seen[rank] % 4])
    return words


class Shoe:
    """One shoe of the kernel, dealt round by round."""

    def __init__(
        self, rules: HouseRules, table: Record, *, seed: int, block: int = 0, number: int = 0
    ) -> None:
        self.says = rules_record(rules)
        self.table = table
        self.felt = felt_make([0] * BOXES)
        self.trace = trace_make()
        size = int(table.rule[Rule.SIZE])
        ready = size - size % 4
        key = np.uint64(key_make(seed, 0, number))
        _, self.at, self.cut, self.joker = shoe_make(table, self.felt, ready, key)
        self.end = size - rules.joker
        self.words = shoe_words([int(card) for card in self.felt.shoe[: self.end]])

    def rounds(self, seats: Iterator[Sequence[Seat]]) -> Iterator[Round]:
        """Yield rounds until the cut card is out; ``seats`` yields the boxes of each."""
        while self.at < self.cut:
            played = self.play(next(seats))
            if played is None:
                return
            yield played

    def play(self, seats: Sequence[Seat]) -> Round | None:
        """Return the next round, its boxes numbered from 1; None if the shoe ran out in it."""
        felt, trace = self.felt, self.trace
        _put(felt, seats)
        trace.count = 0
        end = int(round_play(self.table, felt, self.at, len(seats), trace, None))
        if end > self.end:
            self.at = end
            return None
        cards = self.words[self.at : end]
        if self.at <= self.joker < end:
            cards.insert(self.joker - self.at, JOKER)
        self.at = end
        record = {**self.says, **_opening(seats), "cards": cards, "decisions": _decisions(trace)}
        nets, lines = felt.net.tolist(), felt.newly.tolist()
        boxes = range(len(seats))
        left = {str(box + 1): lines[box] for box in boxes if lines[box]}
        return Round(record, {str(box + 1): nets[box] for box in boxes}, left)


def _put(felt: Record, seats: Sequence[Seat]) -> None:
    for at, seat in enumerate(seats):
        felt.stack[at] = MUCH if seat.stack_chips is None else seat.stack_chips
        felt.bet[at], felt.line[at] = seat.bet_chips, seat.line_chips
        felt.play[at], felt.insures[at] = seat.play, seat.insures


def _opening(seats: Sequence[Seat]) -> dict[str, Any]:
    stacks = {str(at): seat.stack_chips for at, seat in enumerate(seats, 1) if seat.stack_chips is not None}
    lines = {str(at): seat.line_chips for at, seat in enumerate(seats, 1) if seat.line_chips}
    return {
        "bets": {str(at): seat.bet_chips for at, seat in enumerate(seats, 1)},
        **({"stacks": stacks} if stacks else {}),
        **({"line_chips": lines} if lines else {}),
    }


def _decisions(trace: Record) -> list[dict[str, Any]]:
    decisions = []
    for box, action, chips in trace.rows[: trace.count].tolist():
        decision: dict[str, Any] = {"seat": box + 1, "action": ACTIONS[Action(action)]}
        decisions.append({**decision, "amount": chips} if chips else decision)
    return decisions
