"""The first bet of round 1 closes seating: the page of the table asks once while an alternate waits (T6)."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ground.refused import Refused
from tables.selectors.floor import boxes_free
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

    @property
    def waiting_words(self) -> str:
        """``2 alternates wait`` · ``1 alternate waits``."""
        return ngettext("%(n)s alternate waits", "%(n)s alternates wait", self.alternates) % {
            "n": self.alternates
        }

    @property
    def free_words(self) -> str:
        """``table 1, box 1 is free`` · ``3 boxes are free, first table 1, box 1`` · ``no box is free``."""
        if not self.free:
            return _("no box is free")
        table, box = self.free[0]
        return ngettext(
            "table %(table)s, box %(box)s is free",
            "%(n)s boxes are free, first table %(table)s, box %(box)s",
            len(self.free),
        ) % {"n": len(self.free), "table": table, "box": box}

    @property
    def words(self) -> str:
        """Both, in a sentence."""
        return _("%(waiting)s, and %(free)s.") % {"waiting": self.waiting_words, "free": self.free_words}

    @property
    def advice(self) -> str:
        """What can be done before the press."""
        if self.free:
            return _("Seat the alternates first, or press again to begin without them.")
        return _("If a player has not come, mark the no-show first, or press again to begin without them.")


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
        _("This closes seating. %(words)s %(advice)s"),
        status=409,
        words=closes.words,
        advice=closes.advice,
    )
