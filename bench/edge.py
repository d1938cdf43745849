"""The kernel's figures beside published ones: house edges, variance, rounds a shoe, first actions.

    python bench/edge.py [--hands 200000000] [--seed 1] [--processes 2] [--short]

``--hands`` is the number for wonder; other rows play a quarter of it. Prints tables for ``results.md``; a
figure is marked "off" if it differs by more than four standard errors.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.blackjack.event_rules import rules_make
from games.blackjack.rules import HouseRules
from plan import edge
from plan.kernel.flat import first_actions, flat_make

STANDARD_ERRORS = 4


@dataclass(frozen=True)
class Row:
    """A published edge in % of the first bet. ``fresh``: with a new shoe for each hand, else with a cut
    card."""

    words: str
    percent: float
    sheet: str
    fresh: bool = True
    decks: int | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def rules(self) -> HouseRules:
        """The sheet with its options."""
        return rules_make(self.sheet, decks=self.decks, options=self.options or None)


NONE = {"surrender": "none"}
STAND = {"soft17": "stand"}
ROWS = [
    Row("wonder", 0.5295, "wonder"),
    Row("wonder, a cut card a deck from the end", 0.551, "wonder", fresh=False),
    Row("wonder, 8 decks", 0.5545, "wonder", decks=8),
    Row("wonder, no surrender", 0.618, "wonder", options=NONE),
    Row("the same, a cut card", 0.639, "wonder", fresh=False, options=NONE),
    Row("wonder, soft 17 stood", 0.333, "wonder", options=STAND),
    Row("the same, no surrender", 0.4056, "wonder", options=STAND | NONE),
    Row("the same, a cut card", 0.426, "wonder", fresh=False, options=STAND | NONE),
    Row("wiesbaden", 0.6135, "wiesbaden"),
    Row("wiesbaden, any two cards doubled", 0.517, "wiesbaden", options={"double": "any"}),
    Row("wiesbaden, one split", 0.664, "wiesbaden", options={"max_hands": 2}),
    Row(
        "wiesbaden, any two doubled, soft 17 hit",
        0.727,
        "wiesbaden",
        options={"double": "any", "soft17": "hit"},
    ),
    Row("eca, four hands", 0.5465, "eca", options={"max_hands": 4}),
]
ROUNDS_A_SHOE = {
    6: (48.25, 32.08, 24.27, 19.59, 16.45, 14.20, 12.51),
    8: (67.4, 44.7, 33.8, 27.2, 22.8, 19.7, 17.3),
}
FIRST = {"stand": 38.795, "hit": 34.306, "double": 9.967, "surrender": 5.205, "split": 2.446}
FIRST |= {"paid": 4.532, "pushed": 0.217}


def edges(hands: int, seed: int, processes: int) -> None:
    """Print one line per row of edges."""
    print("| rules | published | ours | standard error | hands | seconds | |")
    print("|---|---|---|---|---|---|---|")
    for row in ROWS:
        many = hands if row.sheet == "wonder" and not row.decks and not row.options else hands // 4
        job = edge.job_make(row.rules(), many, seed, per_shoe=edge.EVERY_HAND if row.fresh else 0)
        edge.warm(job)
        started = time.perf_counter()
        nets, _ = edge.play(job, processes=processes, progress=lambda _: None)
        found = edge.edge_of(nets, job.bet_chips)
        off = abs(found.edge_percent - row.percent) / found.se_percent
        words = f"{off:.1f} standard errors{'' if off < STANDARD_ERRORS else ', off'}"
        seconds = time.perf_counter() - started
        print(f"| {row.words} | {row.percent} | {found.edge_percent:.4f} | {found.se_percent:.4f}", end="")
        print(f" | {found.hands:,} | {seconds:.0f} | {words} |", flush=True)


def tables(rounds: int, seed: int) -> None:
    """Print variance, covariance, cards and first actions of wonder, and rounds per shoe."""
    rules = rules_make("wonder")
    sums = flat_make(rules, [200]).play(rounds, seed, 0)
    fresh = flat_make(rules, [200], counted=True, per_shoe=edge.EVERY_HAND)
    fresh.play(rounds, seed, 3)
    two = flat_make(rules, [200, 200]).play(rounds, seed, 1)
    none = flat_make(rules_make("wonder", options=NONE), [200]).play(rounds, seed, 2)
    print(f"variance {sums.squares[0] / rounds / 200**2:.4f} (published 1.310), ", end="")
    print(f"without surrender {none.squares[0] / rounds / 200**2:.4f} (1.346), ", end="")
    print(f"covariance of two boxes {two.cross / rounds / 200**2:.4f} (0.484), ", end="")
    print(f"cards a round {sums.cards / rounds:.3f} (5.437)")
    shares = {name: 100 * times / rounds for name, times in first_actions(fresh.counts).items()}
    print(" · ".join(f"{name} {shares[name]:.3f} ({percent})" for name, percent in FIRST.items()))
    for decks, published in ROUNDS_A_SHOE.items():
        found = []
        for boxes in range(1, 8):
            flat = flat_make(rules_make("wonder", decks=decks), [200] * boxes, cut_from_end=51)
            played = flat.play(rounds // 20, seed, boxes)
            found.append(f"{played.rounds / played.shoes:.2f} ({published[boxes - 1]})")
        print(f"rounds a shoe, {decks} decks: {' · '.join(found)}")


def main() -> None:
    """Run the edges first, then the rest."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hands", type=int, default=200_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=edge.cores())
    parser.add_argument("--short", action="store_true", help="400,000 hands")
    args = parser.parse_args()
    if args.short:
        args.hands = 400_000
    edges(args.hands, args.seed, args.processes)
    tables(max(args.hands // 10, 100_000), args.seed)


if __name__ == "__main__":
    main()
