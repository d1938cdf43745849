"""The facts of an event: what happened, or what a person or chance decided; never what follows from it.

| group  | facts                                                                       |
|--------|-----------------------------------------------------------------------------|
| set-up | ``Opened`` · ``SetUpAgain``                                                 |
| desk   | ``Sold`` · ``Withdrawn`` · ``MovedUp`` · ``CalledOff`` · ``HandedOut``      |
| seats  | ``RosterLocked`` · ``Seated`` · ``SeatGiven`` · ``NoShow`` · ``Replaced``   |
| table  | ``Began`` · ``Hand`` · ``HandVoid`` · ``ShoeEnded`` ·                       |
|        | ``ShoeReopened`` · ``ShoeOpened`` · ``Absent`` · ``Looked``                 |
| counts | ``Counted`` · ``CountRuled`` · ``CountReopened``                            |
| ruling | ``Penalty`` · ``PenaltyCancelled`` · ``Disqualified`` · ``TieRuled`` ·      |
|        | ``CutStands``                                                               |
| close  | ``Closed``                                                                  |
| prizes | ``Posted`` · ``Paid`` · ``PaymentReversed``                                 |

| facts  | ``Corrected`` · ``TakenBack``                                               |

Each has its step in ``steps/``; the last two change which other facts stand. Entries are named by code,
stages by ``StageKey``. A figure for each box is a tuple of seven, box 1 first; chips are whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tournament.engine.plan import Plan
from tournament.engine.ties import TieGroup
from tournament.engine.value import value

StageKey = tuple[int, str, int]
"""A stage of an event: the number of its round, its kind, and which one of that kind it is, from 1."""
ROUND: Final = "round"
PLAY_OFF: Final = "play_off"
SUDDEN_DEATH: Final = "sudden_death"
BOXES: Final = 7
PenaltyKey = tuple[StageKey, str, int]
"""A penalty in chips: its stage and entry, and which one of that entry there, from 1."""
HandKey = tuple[StageKey, int, int, int]
"""A hand: its stage, table and shoe, and its number there."""
Boxes = tuple[int, ...]
"""One whole number a box, 0 where there is nothing."""


def boxes(by_box: Mapping[Any, int] | None) -> Boxes:
    """Return the seven figures of a table from those that are known by box, as a number or as text (JSON)."""
    found = {int(box): figure for box, figure in (by_box or {}).items()}
    return tuple(found.get(box, 0) for box in range(1, BOXES + 1))


def key_of(stage: Any) -> StageKey:
    """Return the name of a stage from its row."""
    return stage.number, str(stage.kind), stage.sequence


class Fact:
    """What happened, or what a person or chance decided; ``fold.STEPS`` has the step of each kind."""

    __slots__ = ()


# -- Set-up and desk --------------------------------------------------------------------------------------


@value
class Opened(Fact):
    """The rules are posted and the desk is open (T2)."""

    plan: Plan


@value
class SetUpAgain(Fact):
    """The desk is closed before anything was sold, and the rules can be changed again (T2)."""


@value
class Sold(Fact):
    """An entry was sold for so much (T2); ``waits``: as an alternate (T6)."""

    entry: str
    cents: int
    waits: bool


@value
class Withdrawn(Fact):
    """An entry has left the event, with so much of its buy-in given back (T7)."""

    entry: str
    refund_cents: int


@value
class MovedUp(Fact):
    """Alternates have come into the event before the draw, because boxes are free (T6).

    Tables are no part of the state, so what a command found of them is obeyed.
    """

    entries: tuple[str, ...]


@value
class CalledOff(Fact):
    """The event is called off: every buy-in is due to its entry (T8)."""


@value
class HandedOut(Fact):
    """An entry of a called-off event was handed its buy-in (T8)."""

    entry: str
    cents: int


# -- Seats ------------------------------------------------------------------------------------------------


@value
class RosterLocked(Fact):
    """The roster of a draw is fixed; in round 1 those in ``waiting`` have no box (T4, T6)."""

    roster: tuple[str, ...]
    waiting: tuple[str, ...]


@value
class Seated(Fact):
    """A draw has seated a stage, also anew (T4, T21): (entry, table, box) and each table's button (T14).

    ``stakes``, once a hand was put right: what a tie was seated for, so many seats and these groups. It stays
    that tie, whoever is level now (T23, T33).
    """

    stage: StageKey
    seats: tuple[tuple[str, int, int], ...]
    buttons: tuple[tuple[int, int], ...]
    stakes: tuple[int, tuple[TieGroup, ...]] | None = None


@value
class SeatGiven(Fact):
    """An alternate or a late entrant takes a free box before the first bet of round 1 (T6)."""

    stage: StageKey
    entry: str
    table: int
    box: int


@value
class NoShow(Fact):
    """The player of a seat in round 1 has not come (T6); the buy-in is given back by a ruling alone."""

    entry: str
    refund_cents: int = 0


@value
class Replaced(Fact):
    """A qualifier is out, and this entry has the place instead; ``by`` None: nobody could take it (T25).

    ``level``, once a hand was put right: who stood next then, several where they were level.
    """

    entry: str
    by: str | None
    level: tuple[str, ...] = ()


# -- Tables -----------------------------------------------------------------------------------------------


@value
class Began(Fact):
    """The first bet of a stage is called (T6, T19)."""

    stage: StageKey


@value
class OfHand(Fact):
    """A hand of a shoe, by its number there."""

    stage: StageKey
    table: int
    shoe: int
    number: int

    @property
    def key(self) -> HandKey:
        """The key of the hand: stage, table, shoe, number."""
        return (self.stage, self.table, self.shoe, self.number)


@value
class Hand(OfHand):
    """A settled hand (T12–T17): bets, what each box won or lost, and all that it had put up.

    ``button`` is whose player bet first, ``line_chip`` what the hand left on the line of each box, and
    ``sits_out`` the boxes that a penalty kept from betting (T26).
    """

    bets: Boxes
    nets: Boxes
    put_up: Boxes
    line_chip: Boxes
    sits_out: tuple[int, ...]
    button: int | None


@value
class HandVoid(OfHand):
    """A hand that is void: the bets go back, the number stays used (T17).

    ``button`` only where the hand was settled at first: then it had moved on already.
    """

    bets: Boxes
    button: int | None = None


@value
class ShoeEnded(Fact):
    """The cut card is out and the hand finished, or the table was closed (T11)."""

    stage: StageKey
    table: int


@value
class ShoeReopened(Fact):
    """A shoe was ended by mistake, and goes on (T11)."""

    stage: StageKey
    table: int


@value
class ShoeOpened(Fact):
    """A further shoe at a table where a tie is played (T23, T33), with its button (T14)."""

    stage: StageKey
    table: int
    number: int
    button: int | None


@value
class Looked(Fact):
    """The director goes on in a tie without those who are absent (T23, T33)."""

    stage: StageKey


@value
class Absent(Fact):
    """A seated player is ruled absent, or back (T15)."""

    stage: StageKey
    entry: str
    on: bool


@value
class Counted(Fact):
    """One person has counted the chips of every box of a table (T18).

    ``moved``: the count is over, and it moved these chips, whatever is put right since (T17). ``again``: it
    takes the place of count 1 or 2, by a second count of the boxes in which the two differ.
    """

    stage: StageKey
    table: int
    chips: Boxes
    moved: Boxes | None = None
    again: int = 0


@value
class CountRuled(Fact):
    """The director has ruled what lies in every box of a table (T18): by so much other than the ledger said.

    The figure itself would swallow what a correction moves later.
    """

    stage: StageKey
    table: int
    moved: Boxes


@value
class CountReopened(Fact):
    """The counts of a table are taken back, a ruling on them too (T18)."""

    stage: StageKey
    table: int


# -- Rulings ----------------------------------------------------------------------------------------------


@value
class OfPenalty(Fact):
    """A penalty in chips. ``nth``: which one of the entry in the stage."""

    stage: StageKey
    entry: str
    nth: int
    chips: int

    @property
    def key(self) -> PenaltyKey:
        """What the penalty is called by."""
        return (self.stage, self.entry, self.nth)


@value
class Penalty(OfPenalty):
    """Two persons take chips of a stack, which go to the bank of the table (T26)."""


@value
class PenaltyCancelled(OfPenalty):
    """Two persons give the chips of a penalty back (T26)."""


@value
class Disqualified(Fact):
    """Two persons have disqualified an entry (T26); ``place`` is evidence: what it held until then."""

    entry: str
    place: int


@value
class TieRuled(Fact):
    """The director decides the tie at the cut of a round, and says which tied players advance (T23).

    ``level``: the players who were tied at that moment, kept once a hand was put right.
    """

    stage: StageKey
    advance: tuple[str, ...]
    level: tuple[str, ...] = ()


@value
class CutDiffers:
    """The entries by which a cut differs from those who went on (T17); ``tied`` contest ``seats``."""

    missed: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    seats: int = 0

    def __bool__(self) -> bool:
        return bool(self.missed or self.extra or self.tied)

    def body(self) -> dict[str, list[str] | int]:
        """Return the same as JSON."""
        lists = {"missed": list(self.missed), "extra": list(self.extra), "tied": list(self.tied)}
        return {**lists, "seats": self.seats}

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> CutDiffers:
        """Return what ``body`` has made JSON of."""
        missed, extra, tied = (tuple(body[side]) for side in ("missed", "extra", "tied"))
        return cls(missed, extra, tied, body["seats"])


@value
class CutStands(Fact):
    """The director rules that a cut stands although the corrected hands come to another (T17, T19).

    ``differs`` is evidence: whom the ruling is about. It is about nobody else, whatever is put right later.
    """

    stage: StageKey
    differs: CutDiffers


# -- Closing and prizes -----------------------------------------------------------------------------------


@value
class Closed(Fact):
    """The director has closed a stage (T19); ``through`` is evidence: who went on when it was written.

    ``pinned``: they sit in a later stage, so it is obeyed whatever is put right (T17). ``out``: who was
    disqualified between the close and a correction that closes the stage again, and is last of it (T26).
    """

    stage: StageKey
    through: tuple[str, ...]
    pinned: bool = False
    out: tuple[str, ...] = ()


@value
class Posted(Fact):
    """A payout structure is in force (T31): the prize of each place in cents, first place first."""

    prizes_cents: tuple[int, ...]


@value
class Paid(Fact):
    """A prize was handed over (T35)."""

    entry: str
    cents: int


@value
class PaymentReversed(Fact):
    """Two persons have taken back all that an entry was paid (T26)."""

    entry: str
    cents: int


# -- About facts ------------------------------------------------------------------------------------------


@value
class TakenBack:
    """The hand that was settled last is taken back by its clerk; its number is free again (T17)."""

    at: HandKey


@value
class Corrected:
    """A hand was recorded wrongly, and should have been this one; None: void (T17).

    The rest is evidence of what ``corrections.decide`` comes to: ``fallen`` are the later hands and penalties
    of its tie that do not stand with it, ``through`` the stages that the command has closed again, each with
    who goes on, ``again`` the tables that are counted again.
    """

    at: HandKey
    by: Hand | None
    fallen: tuple[HandKey | PenaltyKey, ...] = ()
    through: tuple[tuple[StageKey, tuple[str, ...]], ...] = ()
    again: tuple[tuple[StageKey, int], ...] = ()


Written = Fact | TakenBack | Corrected
"""What a command writes: a fact, or what makes others of facts that were written."""
