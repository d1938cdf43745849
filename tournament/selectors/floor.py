"""Questions that the tournament asks the floor: who sits where, and how far the tables are.

The tournament does not know tables; the floor registers who answers when it starts. A port, because the
snapshot and the moves of a round lie below the tables (ADR 20); pages, above, ask the tables themselves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tournament.models import Event


@dataclass(frozen=True)
class TableProgress:
    """One table in a round: its last settled hand, its state (dealing, over, counted), its latest shoe.

    ``decks`` of the shoe, 0 where nobody knows; ``cards_out``: those that are known to have left it;
    ``last_hand``: the cut card is out (T11).
    """

    table: int
    hands: int
    state: str
    shoe: int = 0
    decks: int = 0
    cards_out: int = 0
    last_hand: bool = False


class Floor(Protocol):
    """The questions; rounds and entries by id."""

    def seats(self, round_ids: Iterable[int]) -> dict[tuple[int, int], tuple[int, int]]:
        """(round, entry) → (table number, box): the seats that are taken now."""

    def progress(self, round_id: int) -> list[TableProgress]:
        """The tables of a round, by number."""

    def capacity(self, event: Event) -> int | None:
        """How many boxes the draw of round 1 has; None before there is a table or a posted number (T4)."""

    def boxes_free(self, round_id: int) -> list[tuple[int, int]]:
        """The boxes of a round's tables where somebody can still be seated: (table number, box)."""

    def bettors(self, round_id: int) -> set[int]:
        """The entries with a bet in a hand of a round that counts (T15)."""

    def why_ruling_over(self, body: Mapping[str, Any]) -> str:
        """Why a ruling on a count that was asked for no longer holds; empty while it does (T18)."""


_registered: list[Floor] = []


def floor_register(answers: Floor) -> None:
    """Called once, by the floor's app, when it is ready; the last one counts."""
    _registered[:] = [answers]


def floor() -> Floor:
    """Return the object that answers these questions."""
    return _registered[0]
