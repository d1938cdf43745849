"""Questions of the tournament to the floor: seats, and the progress of tables.

The tournament does not know tables; the floor registers its answers when it starts. This is a port, because
the snapshot and the moves of a round lie below the tables (ADR 20); pages, above, ask the tables themselves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tournament.models import Event


@dataclass(frozen=True)
class TableProgress:
    """One table in a round: its last settled hand, its state (dealing, over, counted), its latest shoe.

    ``decks`` of the shoe, 0 if unknown; ``cards_out``: the cards known to have left it; ``last_hand``: the
    cut card is out (T11).
    """

    table: int
    hands: int
    state: str
    shoe: int = 0
    decks: int = 0
    cards_out: int = 0
    last_hand: bool = False


class Floor(Protocol):
    """The questions; rounds and entries are given by id."""

    def seats(self, round_ids: Iterable[int]) -> dict[tuple[int, int], tuple[int, int]]:
        """Return (round, entry) → (table number, box): the seats that are taken now."""

    def progress(self, round_id: int) -> list[TableProgress]:
        """Return the tables of a round, by number."""

    def capacity(self, event: Event) -> int | None:
        """Return how many boxes the draw of round 1 has; None before there is a table or a posted number
        (T4)."""

    def boxes_free(self, round_id: int) -> list[tuple[int, int]]:
        """Return the free boxes at a round's tables: (table number, box)."""

    def why_ruling_over(self, body: Mapping[str, Any]) -> str:
        """Return why a requested ruling on a count no longer applies; empty while it does (T18)."""


_registered: list[Floor] = []


def floor_register(answers: Floor) -> None:
    """Register the answers; called by the floor's app when it is ready. The last call counts."""
    _registered[:] = [answers]


def floor() -> Floor:
    """Return the object that answers these questions."""
    return _registered[0]
