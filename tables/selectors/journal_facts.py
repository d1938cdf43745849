"""The facts of a command, by what it asked for, noted and came to, and as the journal keeps them.

They are worked out while the command is carried out (``facts_of``), and kept with its entry in the journal
(``facts_kept``); the audit works them out again. Rows are read for names alone, which never change. A command
that no step knows yet ends the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import sub
from typing import Any, TypeAlias

from django.db.models import JSONField
from django.db.models.expressions import RawSQL

from tables.selectors.names import Names
from tournament.engine.facts import (
    Absent,
    Boxes,
    CalledOff,
    Closed,
    Corrected,
    Counted,
    CountReopened,
    CountRuled,
    CutDiffers,
    CutStands,
    Disqualified,
    Hand,
    HandedOut,
    HandKey,
    Looked,
    MovedUp,
    NoShow,
    Opened,
    Paid,
    PaymentReversed,
    Penalty,
    PenaltyCancelled,
    Posted,
    PrizeShared,
    Replaced,
    RosterLocked,
    Seated,
    SeatGiven,
    SetUpAgain,
    ShoeOpened,
    ShoeReopened,
    Sold,
    TakenBack,
    TieRuled,
    Withdrawn,
    Written,
    boxes,
)
from tournament.engine.facts_json import fact_of_json
from tournament.engine.plan import plan_of
from tournament.models import Entry, Event, JournalEntry

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the journal, without hashes; of a hand's record its bets and button alone."""

    seq: int
    kind: str
    at: datetime
    asked: Json
    noted: Json
    result: Json
    bets: Mapping[str, int]
    button: int | None
    actor: int | None
    facts: Sequence[Json] | None = None

    @property
    def act(self) -> str:
        """The kind of the command, or of the request that two persons confirmed by it."""
        confirmed = self.kind == "request.decide" and "done" in self.result
        return str(self.noted["kind"]) if confirmed else self.kind

    @property
    def done(self) -> Json:
        """What the command came to, or the request that two persons confirmed by it."""
        found: Json = self.result.get("done", self.result)
        return found


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the reading has ended: at an entry that no step knows yet, or that cannot be (``amiss``)."""

    seq: int
    kind: str
    at: datetime
    why: str
    amiss: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """The facts of a journal, each with the entry that it is from, and where the reading ended early."""

    facts: tuple[tuple[int, Written], ...]
    entries: int
    stop: Stop | None


class NotYet(Exception):
    """Raised for an entry that no step knows yet; says why."""


WITHOUT_RECORDS = RawSQL("body #- '{asked,record}' #- '{noted,record}'", (), output_field=JSONField())
"""The body of an entry without the records of its hand, which are most of a journal."""


def journal_lines(event: Event) -> Iterable[Line]:
    """Give the entries of an event's journal in order."""
    rows = JournalEntry.objects.filter(event=event).order_by("seq")
    record = "body__noted__record__"
    columns = ("result", f"{record}bets", f"{record}button", "actor", "facts")
    for seq, kind, at, body, *others in rows.values_list(
        "seq", "kind", "at", WITHOUT_RECORDS, *columns
    ).iterator():
        yield Line(seq, kind, at, body["asked"], body.get("noted", {}), *others)


def facts_of(lines: Iterable[Line], names: Names) -> Read:
    """Return the facts that commands come to, up to the first one that no step knows yet."""
    return _read(lines, lambda line: _facts(line, names))


def facts_kept(lines: Iterable[Line], names: Names) -> Read:
    """Return the facts that the journal keeps, up to the first entry without any."""
    return _read(lines, lambda line: _kept(line, names))


def _read(lines: Iterable[Line], facts: Callable[[Line], list[Written]]) -> Read:
    found, seq = list[tuple[int, Written]](), 0
    for line in lines:
        try:
            found += [(line.seq, fact) for fact in facts(line)]
        except NotYet as why:
            return Read(tuple(found), seq, Stop(line.seq, line.kind, line.at, str(why)))
        except KeyError as lacking:
            why_not = f"it names a row that is not there: {lacking}"
            return Read(tuple(found), seq, Stop(line.seq, line.kind, line.at, why_not, amiss=True))
        except ValueError as no:
            return Read(tuple(found), seq, Stop(line.seq, line.kind, line.at, str(no), amiss=True))
        seq = line.seq
    return Read(tuple(found), seq, None)


def _kept(line: Line, names: Names) -> list[Written]:
    if line.facts is None:
        _facts(line, names)
        raise NotYet("its facts were not kept")
    return [fact_of_json(each) for each in line.facts]


def _facts(line: Line, names: Names) -> list[Written]:
    if line.kind in NO_FACT:
        return []
    read = FACTS.get(line.kind)
    return [] if read is None else read(line, names)


# -- Desk ------------------------------------------------------------------------------------------------


def _opened(line: Line, names: Names) -> list[Written]:
    return [Opened(plan_of(line.noted["settings"]))]


def _set_up_again(line: Line, names: Names) -> list[Written]:
    return [SetUpAgain()]


def _sold(line: Line, names: Names) -> list[Written]:
    found = line.result
    return [Sold(found["code"], found["amount_cents"], found["status"] == Entry.Status.WAITING)]


def _withdrawn(line: Line, names: Names) -> list[Written]:
    found = line.result
    return [Withdrawn(found["code"], found["refunded_cents"]), *_moved_up(line, names)]


def _moved_up(line: Line, names: Names) -> list[Written]:
    """Return the alternates for whom the command has found boxes (T6)."""
    said = line.noted.get("moved_up")
    return [MovedUp(tuple(said.split(", ")))] if said else []


def _called_off(line: Line, names: Names) -> list[Written]:
    return [] if "request" in line.done else [CalledOff()]


def _handed_out(line: Line, names: Names) -> list[Written]:
    return [HandedOut(line.result["code"], line.result["amount_cents"])]


def _roster_locked(line: Line, names: Names) -> list[Written]:
    return [RosterLocked(tuple(line.result["roster"]), tuple(line.result["waiting"]))]


# -- Seats -----------------------------------------------------------------------------------------------


def _seated(line: Line, names: Names) -> list[Written]:
    key = names.stages[line.result["round"]]
    seats = tuple((code, table, box) for code, table, box in line.result["seats"])
    buttons = tuple((int(table), box) for table, box in line.noted["buttons"].items())
    return [Seated(key, seats, buttons)]


def _seat_given(line: Line, names: Names) -> list[Written]:
    found, key = line.result, names.stages[line.asked["round"]]
    return [SeatGiven(key, found["entry"], found["table"], found["box"])]


def _no_show(line: Line, names: Names) -> list[Written]:
    return [NoShow(line.result["entry"], line.result["refunded_cents"])]


def _replaced(line: Line, names: Names) -> list[Written]:
    return [Replaced(line.result["out"], line.result["in"])]


def _drawn_again(line: Line, names: Names) -> list[Written]:
    """A stage that was seated waits for its new seats; before that another roster is locked."""
    waiting = line.noted.get("waiting")
    return [] if waiting is None else [RosterLocked(tuple(line.noted["roster"]), tuple(waiting))]


def _absent(line: Line, names: Names) -> list[Written]:
    key, entry = names.stacks[line.asked["stack"]]
    return [Absent(key, entry, line.asked["absent"])]


# -- Tables ----------------------------------------------------------------------------------------------


def figures(by_box: Mapping[str, int] | None) -> Boxes:
    """Return the figures of a table that JSON has by box."""
    return boxes({int(box): chips for box, chips in (by_box or {}).items()})


def hand_of(key: HandKey, bets: Mapping[str, int], noted: Json, button: int | None) -> Hand:
    """Return a hand as a fact. ``noted``: its result by box and who sat it out, as the journal has them."""
    net, put_up, line_chip = (figures(noted[name]) for name in ("net", "put_up", "line_chip"))
    return Hand(*key, figures(bets), net, put_up, line_chip, tuple(noted["sits_out"]), button)


def _taken_hand_back(line: Line, names: Names) -> list[Written]:
    return [TakenBack(names.hand(line.asked["deal"]))]


def _corrected(line: Line, names: Names) -> list[Written]:
    """Return the hand as it should have been, and the tables that are counted again for it (T17, T18)."""
    noted, at = line.noted, names.hand(line.done["corrects"])
    by = None if noted["hand"] is None else hand_of(at, line.bets, noted["hand"], line.button)
    through = [(names.stages[int(pk)], tuple(codes)) for pk, codes in noted.get("through", {}).items()]
    again = [names.shoes[shoe][:2] for shoe in noted.get("reopened", [])]
    return [Corrected(at, by, tuple(through), tuple(again))]


def _shoe_reopened(line: Line, names: Names) -> list[Written]:
    return [ShoeReopened(*names.shoes[line.asked["shoe"]][:2])]


def _shoe_opened(line: Line, names: Names) -> list[Written]:
    key, table = names.stages[line.asked["round"]], names.tables[line.asked["table"]]
    return [ShoeOpened(key, table, line.result["number"], line.result["button"])]


def _looked(line: Line, names: Names) -> list[Written]:
    return [Looked(names.stages[line.asked["round"]])]


def _counted(line: Line, names: Names) -> list[Written]:
    key, table, _shoe = names.shoes[line.asked["shoe"]]
    if not line.asked.get("again"):
        return [Counted(key, table, figures(line.asked["chips"]))]
    return [Counted(key, table, figures(line.noted["sheet"]), again=line.result["which"])]


def _count_ruled(line: Line, names: Names) -> list[Written]:
    """Return the ruling; one that moves chips is only asked for before two persons have confirmed it."""
    if "request" in line.done:
        return []
    key, table, _shoe = names.shoes[line.done["shoe"]]
    before, after = figures(line.noted["before"]), figures(line.noted["after"])
    return [CountRuled(key, table, tuple(map(sub, after, before)))]


def _count_reopened(line: Line, names: Names) -> list[Written]:
    return [CountReopened(*names.shoes[line.asked["shoe"]][:2])]


# -- Closing and prizes ----------------------------------------------------------------------------------


def _closed(line: Line, names: Names) -> list[Written]:
    return [Closed(names.stages[line.asked["round"]], tuple(line.result["advanced"]))]


def _tie_ruled(line: Line, names: Names) -> list[Written]:
    return [TieRuled(names.stages[line.asked["round"]], tuple(line.asked["advance"]))]


def _cut_stands(line: Line, names: Names) -> list[Written]:
    return [CutStands(names.stages[line.result["round"]], CutDiffers.of(line.result))]


def _posted(line: Line, names: Names) -> list[Written]:
    return [Posted(tuple(line.done["prizes_cents"]))]


def _paid(line: Line, names: Names) -> list[Written]:
    if "request" in line.done:
        return []
    return [Paid(names.entries[line.done["entry"]], line.done["amount_cents"])]


# -- What two persons decide -----------------------------------------------------------------------------


def _decided(line: Line, names: Names) -> list[Written]:
    """A request that was refused changes nothing."""
    kind = line.noted.get("kind", "")
    if not line.asked["approve"] or kind in NO_FACT:
        return []
    read = CONFIRMED.get(kind)
    return [] if read is None else read(line, names)


def _taken_back(line: Line, names: Names) -> list[Written]:
    return [PaymentReversed(names.entries[line.done["entry"]], line.done["amount_cents"])]


def _shared(line: Line, names: Names) -> list[Written]:
    return [PrizeShared(tuple(sorted(line.done["shares_cents"].items())))]


def _disqualified(line: Line, names: Names) -> list[Written]:
    return [Disqualified(line.done["code"], line.noted["place"])]


def _penalty(line: Line, names: Names) -> list[Written]:
    return [Penalty(*names.penalties[line.done["penalty"]], line.noted["chips"])]


def _penalty_cancelled(line: Line, names: Names) -> list[Written]:
    return [PenaltyCancelled(*names.penalties[line.done["penalty"]], line.noted["chips"])]


CONFIRMED: Mapping[str, Callable[[Line, Names], list[Written]]] = {
    "call_off": _called_off,
    "correct_after_close": _corrected,
    "count_ruling": _count_ruled,
    "disqualify": _disqualified,
    "penalty_chips": _penalty,
    "penalty_chips_back": _penalty_cancelled,
    "payouts_supersede": _posted,
    "prize_pay": _paid,
    "prize_sharing": _shared,
    "prize_take_back": _taken_back,
    "redraw": _drawn_again,
}
"""Kind of request → its facts once a second person has confirmed it."""

FACTS: Mapping[str, Callable[[Line, Names], list[Written]]] = {
    "event.open": _opened,
    "event.setup_again": _set_up_again,
    "entry.buy_in": _sold,
    "entry.withdraw": _withdrawn,
    "event.call_off": _called_off,
    "refund.hand_out": _handed_out,
    "table.add": _moved_up,
    "table.change": _moved_up,
    "tables.ensure": _moved_up,
    "draw.lock": _roster_locked,
    "round.seat": _seated,
    "seat.fill": _seat_given,
    "seat.no_show": _no_show,
    "entry.replace": _replaced,
    "stack.absent": _absent,
    "deal.take_back": _taken_hand_back,
    "deal.correct": _corrected,
    "shoe.next": _shoe_opened,
    "round.look": _looked,
    "count.enter": _counted,
    "round.close": _closed,
    "payouts.post": _posted,
    "prize.pay": _paid,
    "request.decide": _decided,
    "shoe.reopen": _shoe_reopened,
    "round.tie_rule": _tie_ruled,
    "round.cut_stands": _cut_stands,
    "count.rule": _count_ruled,
    "count.reopen": _count_reopened,
}
"""Kind of command → its facts."""

NO_FACT = frozenset(
    {
        # Set-up before the rules are posted, and the start on the clock.
        "event.settings",
        "event.start",
        # Who deals where.
        "clerk.bind",
        "clerk.release",
        # Cards of a draw and seeds of a shoe: chance that the seats and hands already tell of.
        "draw.cards",
        "draw.confirm",
        "shoe.seed",
        # Said on the way: the seat that fills, and the hand that ends the shoe, come as facts of their own.
        "seat.seen",
        "shoe.last_hand",
        "player.turned_away",
        # What two persons say of a person; none of it is about an entry.
        "player_let_in",
        "players_apart",
        "request.open",
        # What is asked for while a hand is open is a correction once it is made.
        "deal.correct_later",
        "deal.correct_lapse",
        "deal.correct_drop",
        # An open hand is none yet; chips that the ledger has moved already are moved on the felt.
        "deal.amend",
        "deal.play_on",
        "chips.due",
        # A warning and a hand sat out move nothing, as each hand says who sat it out; a penalty in chips is
        # only asked for.
        "penalty.add",
        "penalty.cancel",
        # What the hall is told.
        "clock.start",
        "clock.pause",
        "clock.resume",
        "clock.set",
        "clock.stop",
        "announcement.post",
        "announcement.withdraw",
        "standings.publish",
        "hall.rotation",
        "screen.add",
        "screen.remove",
        "screen.show",
    }
)
"""Kinds of commands that change nothing of what is folded."""
