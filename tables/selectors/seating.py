"""Seats before the first bet of a round: unseen players, the end of seating, free boxes (T6, T25).

In round 1 the first bet closes seating, and the table's page asks once before it. If no hands are recorded,
'Play has begun' takes its place (T18, T19).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ground.refused import Conflict, Refused
from tables.models import Seat, Table
from tables.selectors.draws import before_first_bet
from tables.selectors.floor import boxes_free, boxes_usable, seats_live, tables_of
from tables.selectors.next_hand import play_check
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.desk import waiting_list
from tournament.selectors.replacements import qualified_from, round_after
from tournament.selectors.stages import current_round

# Unseen players (T6) ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unseen:
    """The open question before the first bet: ``seats`` whose player has not been seen, by table and box.

    The floor rules each present, absent or no-show. ``seen``: seats of players who are there; ``free``:
    (table, box) of every free box of the round; ``waiting``: the alternates in order.
    """

    seats: tuple[Seat, ...] = ()
    seen: tuple[Seat, ...] = ()
    free: tuple[tuple[int, int], ...] = ()
    waiting: tuple[Entry, ...] = ()

    def at(self, number: int) -> tuple[Seat, ...]:
        """Return the seats at one table whose players have not been seen."""
        return tuple(seat for seat in self.seats if seat.table.number == number)

    def seen_at(self, number: int) -> tuple[Seat, ...]:
        """Return the seats at one table whose players have been seen."""
        return tuple(seat for seat in self.seen if seat.table.number == number)

    @property
    def tables(self) -> dict[int, tuple[Seat, ...]]:
        """The seats whose players have not been seen, by table number."""
        by_table = groupby(self.seats, key=lambda seat: seat.table.number)
        return {number: tuple(seats) for number, seats in by_table}


def asks_who_is_there(round_: Round | None) -> bool:
    """Whether seats can still be given up and taken: in round 1, until its first bet is called (T6)."""
    if round_ is None or round_.status != Round.Status.SEATED:
        return False
    first = round_.kind == Round.Kind.ROUND and round_.number == 1
    return first and round_.event.status == Event.Status.RUNNING


def unseen_of(event: Event) -> Unseen:
    """Return the seats of an event whose players have not been seen; empty once the first bet is called (T6).

    Players who were ruled absent are left out.
    """
    round_ = current_round(event)
    if round_ is None or not asks_who_is_there(round_):
        return Unseen()
    seats = seats_live(round_)
    absent = Stack.objects.filter(round=round_, state=Stack.State.ABSENT).values_list("entry_id", flat=True)
    away = set(absent)
    return Unseen(
        seats=tuple(s for s in seats if s.seen_at is None and s.entry_id not in away),
        seen=tuple(s for s in seats if s.seen_at is not None),
        free=tuple(boxes_free(round_)),
        waiting=tuple(waiting_list(event)),
    )


# The first bet (T6, T19) ------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatingCloses:
    """The end of seating with the first bet: the number of waiting alternates, and the free boxes."""

    alternates: int
    free: tuple[tuple[int, int], ...]

    @property
    def mark(self) -> str:
        """The mark of the question: the page asks again if it changes."""
        return f"{self.alternates}:" + ",".join(f"{table}.{box}" for table, box in self.free)


def seating_closes(round_: Round) -> SeatingCloses | None:
    """Return what ends with the first bet of a round; None if it closes no seating or nobody waits (T6)."""
    opens = round_.number == 1 and round_.kind == Round.Kind.ROUND and round_.status == Round.Status.SEATED
    waiting = round_.event.entries.filter(status=Entry.Status.WAITING).count() if opens else 0
    return SeatingCloses(waiting, tuple(boxes_free(round_))) if waiting else None


def why_ask_first(round_: Round, answered: str) -> Refused | None:
    """Return ``seating_closes`` (409) before the first bet while an alternate waits, until answered (T6).

    ``answered``: the mark of the question that the page has asked already.
    """
    closes = seating_closes(round_)
    if closes is None or closes.mark == answered:
        return None
    return Conflict(
        "seating_closes",
        "The first bet closes seating. Alternates waiting: %(alternates)s. Free boxes: %(free)s. Mark"
        " no-shows and seat the alternates first, or press again to begin without them.",
        alternates=closes.alternates,
        free=len(closes.free),
    )


def begin_check(round_: Round) -> None:
    """Refuse while 'Play has begun' cannot be pressed.

    Raises Refused ``not_counts_alone``, and as ``before_first_bet`` and ``play_check`` do.
    """
    counts_alone_check(round_)
    before_first_bet(round_)
    play_check(round_)


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
        raise Refused("not_counts_alone", "%(round)s begins with the first bet.", round=round_)


# Taking a box (T6, T25) -------------------------------------------------------------------------------


def replace_check(entry: Entry) -> Round:
    """Return the round that an entry qualified from, if another entry may replace it (T25).

    Raises Refused ``not_qualified``, and as ``before_first_bet`` does. The seat of a disqualified qualifier
    stays empty (T26).
    """
    from_round = qualified_from(entry)
    in_it = entry.status == Entry.Status.LIVE and entry.event.status == Event.Status.RUNNING
    if from_round is None or not in_it:
        raise Refused(
            "not_qualified",
            "%(entry)s has not qualified for a round that is still to be played.",
            entry=entry.code,
        )
    after = round_after(from_round)
    if after is not None:
        before_first_bet(after)
    return from_round


def box_check(round_: Round, table: Table, box: int) -> None:
    """Refuse ``box_out_of_use`` and ``box_taken`` (409) if no player can sit down at this box."""
    at_table = tables_of(round_).filter(pk=table.pk).exists()
    if not at_table or box not in boxes_usable(table, round_.event.settings):
        raise Refused(
            "box_out_of_use", "Box %(box)s of %(table)s is not used in this round.", box=box, table=table
        )
    if Seat.objects.filter(round=round_, table=table, box=box, vacated_at__isnull=True).exists():
        raise Conflict(
            "box_taken",
            "Box %(box)s of %(table)s has just been taken. Choose another one.",
            box=box,
            table=table,
        )
