"""The facts of an event: things that happened, or that a person or chance decided, but never consequences.

| group  | facts                                                                     |
|--------|---------------------------------------------------------------------------|
| set-up | ``Opened`` · ``SetUpAgain``                                               |
| desk   | ``Sold`` · ``Withdrawn`` · ``MovedUp`` · ``CalledOff`` · ``HandedOut``    |
| seats  | ``RosterLocked`` · ``Seated`` · ``SeatGiven`` · ``NoShow`` · ``Replaced`` |
| table  | ``Began`` · ``Hand`` · ``HandVoid`` · ``ShoeEnded`` ·                     |
|        | ``ShoeReopened`` · ``ShoeOpened`` · ``Absent`` · ``Looked``               |
| counts | ``Counted`` · ``CountRuled`` · ``CountReopened``                          |
| ruling | ``Penalty`` · ``PenaltyCancelled`` · ``Disqualified`` · ``TieRuled`` ·    |
|        | ``CutStands``                                                             |
| close  | ``Closed``                                                                |
| prizes | ``Posted`` · ``Paid`` · ``PaymentReversed``                               |
| facts  | ``Corrected`` · ``TakenBack``                                             |

Each fact has its step in ``steps/``; the last two change which other facts stand. Entries are named by code,
stages by ``StageKey``. Figures by box are a tuple of seven, box 1 first; chips are integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tournament.engine.plan import Plan
from tournament.engine.ties import TieGroup
from tournament.engine.value import value

StageKey = tuple[int, str, int]
"""The key of a stage: the number of its round, its kind, and its number among those of that kind, from 1."""
ROUND: Final = "round"
PLAY_OFF: Final = "play_off"
SUDDEN_DEATH: Final = "sudden_death"
BOXES: Final = 7
PenaltyKey = tuple[StageKey, str, int]
"""The key of a penalty in chips: its stage, its entry, and its number for that entry there, from 1."""
HandKey = tuple[StageKey, int, int, int]
"""The key of a hand: its stage, table and shoe, and its number there."""
Boxes = tuple[int, ...]
"""One whole number for each box, 0 for a box without one."""


def boxes(by_box: Mapping[Any, int] | None) -> Boxes:
    """Return the seven figures of a table from figures by box, whose keys are numbers or text (JSON)."""
    found = {int(box): figure for box, figure in (by_box or {}).items()}
    return tuple(found.get(box, 0) for box in range(1, BOXES + 1))


def key_of(stage: Any) -> StageKey:
    """Return the key of a stage from its row."""
    return stage.number, str(stage.kind), stage.sequence


class Fact:
    """Something that happened, or that a person or chance decided; ``fold.STEPS`` has the step of each
    kind."""

    __slots__ = ()


# -- Set-up and desk --------------------------------------------------------------------------------------


@value
class Opened(Fact):
    """The rules are posted and the desk is open (T2)."""

    plan: Plan


@value
class SetUpAgain(Fact):
    """The desk is closed before any sale, so that the rules can be changed again (T2)."""


@value
class Sold(Fact):
    """An entry was sold for ``cents`` (T2); ``waits``: it is an alternate (T6)."""

    entry: str
    cents: int
    waits: bool


@value
class Withdrawn(Fact):
    """An entry has left the event, with its buy-in refunded or with ``refund_cents`` 0 (T7)."""

    entry: str
    refund_cents: int


@value
class MovedUp(Fact):
    """Alternates have moved into the event before the draw, because boxes are free (T6).

    Tables are not part of the state, so the fold accepts what the command found.
    """

    entries: tuple[str, ...]


@value
class CalledOff(Fact):
    """The event is called off: every entry is owed its buy-in (T8)."""


@value
class HandedOut(Fact):
    """The buy-in of an entry of a called-off event was refunded (T8)."""

    entry: str
    cents: int


# -- Seats ------------------------------------------------------------------------------------------------


@value
class RosterLocked(Fact):
    """The roster of a draw is fixed; in round 1 the entries in ``waiting`` have no box (T4, T6)."""

    roster: tuple[str, ...]
    waiting: tuple[str, ...]


@value
class Seated(Fact):
    """A draw has seated a stage for the first time or anew (T4, T21): (entry, table, box), and each table's
    button (T14).

    ``stakes`` is set once a hand was corrected: the seats and groups for which a tie was seated. The tie
    stays the same one, whichever players are tied now (T23, T33).
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
    """The player of a seat in round 1 did not come (T6); only a ruling refunds the buy-in."""

    entry: str
    refund_cents: int = 0


@value
class Replaced(Fact):
    """A qualifier is out, and the entry ``by`` gets the place; None if no entry could take it (T25).

    ``level`` is set once a hand was corrected: the entries that were next, several if they were tied.
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
    """A fact about one hand of a shoe, by its number there."""

    stage: StageKey
    table: int
    shoe: int
    number: int

    @property
    def key(self) -> HandKey:
        """The key of the hand."""
        return (self.stage, self.table, self.shoe, self.number)


@value
class Hand(OfHand):
    """A settled hand (T12–T17): the bets, what each box won or lost, and all that it had put up.

    ``button``: the box that bet first. ``line_chip``: what the hand left on the line of each box.
    ``sits_out``: the boxes that a penalty kept from betting (T26).
    """

    bets: Boxes
    nets: Boxes
    put_up: Boxes
    line_chip: Boxes
    sits_out: tuple[int, ...]
    button: int | None


@value
class HandVoid(OfHand):
    """A hand that was declared void: the bets are returned, the number stays used (T17).

    ``button`` is set only if the hand was settled first: then the button had moved on already.
    """

    bets: Boxes
    button: int | None = None


@value
class ShoeEnded(Fact):
    """The cut card is out and the hand is finished, or the table was closed (T11)."""

    stage: StageKey
    table: int


@value
class ShoeReopened(Fact):
    """A shoe that was ended by mistake continues (T11)."""

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
    """The director continues a tie without the absent players (T23, T33)."""

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

    ``moved``: the count is over and moved these chips, whatever is corrected later (T17). ``again``: it
    replaces count 1 or 2, by a second count of the boxes in which the two differ.
    """

    stage: StageKey
    table: int
    chips: Boxes
    moved: Boxes | None = None
    again: int = 0


@value
class CountRuled(Fact):
    """The director has ruled on the chips of every box of a table (T18), as differences from the ledger.

    A figure instead of a difference would swallow what a correction moves later.
    """

    stage: StageKey
    table: int
    moved: Boxes


@value
class CountReopened(Fact):
    """The counts of a table are reopened, including a ruling on them (T18)."""

    stage: StageKey
    table: int


# -- Rulings ----------------------------------------------------------------------------------------------


@value
class OfPenalty(Fact):
    """A penalty in chips. ``nth``: its number among those of the entry in the stage."""

    stage: StageKey
    entry: str
    nth: int
    chips: int

    @property
    def key(self) -> PenaltyKey:
        """The key of the penalty."""
        return (self.stage, self.entry, self.nth)


@value
class Penalty(OfPenalty):
    """Two people take chips of a stack, which go to the bank of the table (T26)."""


@value
class PenaltyCancelled(OfPenalty):
    """Two people return the chips of a penalty (T26)."""


@value
class Disqualified(Fact):
    """Two people have disqualified an entry (T26); ``place`` is evidence: the place it held until then."""

    entry: str
    place: int


@value
class TieRuled(Fact):
    """The director decides the tie at the cut of a round, and names the tied players who advance (T23).

    ``level`` is set once a hand was corrected: the players who were tied at that moment.
    """

    stage: StageKey
    advance: tuple[str, ...]
    level: tuple[str, ...] = ()


@value
class CutDiffers:
    """The difference between a cut and the entries that advanced (T17); the entries in ``tied`` contest
    ``seats``."""

    missed: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    seats: int = 0

    def __bool__(self) -> bool:
        return bool(self.missed or self.extra or self.tied)

    def body(self) -> dict[str, list[str] | int]:
        """Return the difference as JSON."""
        lists = {"missed": list(self.missed), "extra": list(self.extra), "tied": list(self.tied)}
        return {**lists, "seats": self.seats}

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> CutDiffers:
        """Return the difference that ``body`` has converted to JSON."""
        missed, extra, tied = (tuple(body[side]) for side in ("missed", "extra", "tied"))
        return cls(missed, extra, tied, body["seats"])


@value
class CutStands(Fact):
    """The director rules that a cut stands although the corrected hands lead to another one (T17, T19).

    ``differs`` is evidence: the entries that the ruling is about. It never extends to others, whatever is
    corrected later.
    """

    stage: StageKey
    differs: CutDiffers


# -- Closing and prizes -----------------------------------------------------------------------------------


@value
class Closed(Fact):
    """The director has closed a stage (T19). ``through`` is evidence: the entries that advanced at that
    moment.

    ``pinned``: they sit in a later stage, so the list stands whatever is corrected (T17). ``out``: the
    entries that were disqualified between the close and a correction that closes the stage again; they are
    ranked last (T26).
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
    """A prize was paid (T35)."""

    entry: str
    cents: int


@value
class PaymentReversed(Fact):
    """Two people have reversed all payments to an entry (T26)."""

    entry: str
    cents: int


# -- About facts ------------------------------------------------------------------------------------------


@value
class TakenBack:
    """The person who settled the last hand takes it back; its number is free again (T17)."""

    at: HandKey


@value
class Corrected:
    """A hand was recorded wrongly and is replaced by ``by``; None: it is void (T17).

    The other fields are evidence, computed by ``corrections.decide``. ``fallen``: the later hands
    of its tie that no longer stand. ``through``: the stages that the command has closed again, each with the
    entries that advance. ``again``: the tables that are counted again.
    """

    at: HandKey
    by: Hand | None
    fallen: tuple[HandKey, ...] = ()
    through: tuple[tuple[StageKey, tuple[str, ...]], ...] = ()
    again: tuple[tuple[StageKey, int], ...] = ()


Written = Fact | TakenBack | Corrected
"""What a command writes: a fact, or one that changes which earlier facts stand."""
