"""The dealer's hand: when it draws, and the exact chances of its results (A5, row 5)."""

from __future__ import annotations

from functools import lru_cache

from plan.blackjack.states import STATES, is_soft, state_after, worth

Counts = tuple[int, ...]
"""Remaining cards by points: index 0 aces … index 9 ten-value cards."""

Results = tuple[float, ...]
"""Chances of the dealer's results: bust, 17, 18, 19, 20, 21, and a natural."""

OVER, NATURAL = 0, 6
UNTIL_HARD = 64
"""A flag in a dealer's state: drawing on until no ace counts 11 (row 5)."""


def counts_of(decks: int) -> Counts:
    """Return the cards of full decks."""
    return (*(4 * decks for _ in range(9)), 16 * decks)


def without(counts: Counts, *points: int) -> Counts:
    """Return the remaining cards after some are gone."""
    left = list(counts)
    for each in points:
        left[each - 1] -= 1
    return tuple(left)


def dealer_draws(soft17: str, state: int) -> bool:
    """Whether a dealer in ``state`` draws (row 5)."""
    total = worth(state & (STATES - 1))
    soft = is_soft(state)
    if soft and total == 17 and soft17 != "stand":
        return True
    return 0 < total < 17 or (soft and bool(state & UNTIL_HARD))


def dealer_after(soft17: str, state: int, points: int) -> int:
    """Return the dealer's state after a card."""
    held = state & UNTIL_HARD
    if is_soft(state) and worth(state & (STATES - 1)) == 17 and soft17 == "until_hard":
        held = UNTIL_HARD
    return state_after(state & (STATES - 1), points) | held


@lru_cache(maxsize=4096)
def dealer_results(counts: Counts, up: int, soft17: str) -> Results:
    """Return the chances of each result with ``up`` on the table and ``counts`` left, before the check."""
    found = [0.0] * 7
    for points, chance in enumerate(_chances(counts), 1):
        if not chance:
            continue
        if up + points == 11 and 1 in (up, points):
            found[NATURAL] += chance
            continue
        state = dealer_after(soft17, state_after(0, up), points)
        _add(found, chance, _drawn(without(counts, points), state, soft17, {}))
    return tuple(found)


def _drawn(
    counts: Counts, state: int, soft17: str, known: dict[tuple[Counts, int], list[float]]
) -> list[float]:
    """Return the chances from ``state`` on; hands of equal cards in another order are one."""
    if not dealer_draws(soft17, state):
        found = [0.0] * 7
        total = worth(state & (STATES - 1))
        found[total - 16 if total else OVER] = 1.0
        return found
    key = (counts, state)
    if key not in known:
        found = [0.0] * 7
        for points, chance in enumerate(_chances(counts), 1):
            if chance:
                after = dealer_after(soft17, state, points)
                _add(found, chance, _drawn(without(counts, points), after, soft17, known))
        known[key] = found
    return known[key]


def _add(found: list[float], chance: float, more: list[float]) -> None:
    for at, each in enumerate(more):
        found[at] += chance * each


def _chances(counts: Counts) -> list[float]:
    left = sum(counts)
    return [count / left for count in counts]
