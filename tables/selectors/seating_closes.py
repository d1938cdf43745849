"""The first bet of a round: in round 1 it closes seating, and the table's page asks once before it (T6).

Where no hands are recorded, 'Play has begun' stands for it (T18, T19).
"""

from __future__ import annotations

from dataclasses import dataclass

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.selectors.draws import before_first_bet
from tables.selectors.floor import boxes_free
from tables.selectors.next_hand import payouts_check
from tournament.models import Entry, Round


@dataclass(frozen=True)
class SeatingCloses:
    """What ends with the first bet: how many alternates wait, and the free boxes as (table number, box)."""

    alternates: int
    free: tuple[tuple[int, int], ...]

    @property
    def mark(self) -> str:
        """Names what was asked about: with another mark the page asks again."""
        return f"{self.alternates}:" + ",".join(f"{table}.{box}" for table, box in self.free)


def seating_closes(round_: Round) -> SeatingCloses | None:
    """What ends with the first bet of a round; None where it closes no seating, or nobody waits (T6)."""
    opens = round_.number == 1 and round_.kind == Round.Kind.ROUND and round_.status == Round.Status.SEATED
    waiting = round_.event.entries.filter(status=Entry.Status.WAITING).count() if opens else 0
    return SeatingCloses(waiting, tuple(boxes_free(round_))) if waiting else None


def why_ask_first(round_: Round, answered: str) -> Refused | None:
    """``seating_closes`` (409) before the first bet while an alternate waits, until that is answered (T6).

    ``answered``: the mark of what the page has asked about already.
    """
    closes = seating_closes(round_)
    if closes is None or closes.mark == answered:
        return None
    return Refused(
        "seating_closes",
        _(
            "The first bet closes seating. Alternates waiting: %(alternates)s. Free boxes: %(free)s. Mark"
            " no-shows and seat the alternates first, or press again to begin without them."
        ),
        status=409,
        alternates=closes.alternates,
        free=len(closes.free),
    )


def begin_check(round_: Round) -> None:
    """Refuse ``not_counts_alone``, ``first_bet_called`` (409), ``payouts_not_posted`` (T31): no press now."""
    counts_alone_check(round_)
    before_first_bet(round_)
    payouts_check(round_)


def may_begin(round_: Round) -> bool:
    """Whether 'Play has begun' can be pressed now."""
    try:
        begin_check(round_)
    except Refused:
        return False
    return True


def counts_alone_check(round_: Round) -> None:
    """Refuse ``not_counts_alone``: a round of hands begins with its first bet (T19)."""
    if not round_.counts_alone:
        raise Refused("not_counts_alone", _("%(round)s begins with the first bet."), round=round_)
