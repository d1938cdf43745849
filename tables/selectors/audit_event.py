"""Compare the event with its journal: settings, tables, stages and postings (T2, T31)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db.models import CharField, F, Func

from ground.canonical import json_hash
from ground.refused import Refused
from tables.models import Table
from tables.selectors.audit_rows import (
    Difference,
    ExpectedRows,
    FoldedEvent,
    JournalLine,
    beside,
    compared,
    stage_name,
)
from tables.selectors.next_hand import REDRAW
from tournament.engine.draw import seats_drawn
from tournament.engine.facts import BOXES, PLAY_OFF, ROUND, StageKey
from tournament.models import (
    Draw,
    Event,
    JournalEntry,
    PayoutStructure,
    Posting,
    Round,
    TieRuling,
    posting_name,
)

Columns = dict[str, Any]

POSTED = ("buy_in_cents", "fee_cents", "guarantee_cents", "starting_chips", "min_entrants")
"""The settings that have columns of their own once the rules are posted."""


# -- The event --------------------------------------------------------------------------------------------


def _event(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the differences from the posted settings and from the command that created the event."""
    should = _created(folded) | _settings(folded) | {"status": folded.state.status}
    are = {column: getattr(folded.event, column) for column in should}
    yield from compared({"event": are}, {"event": should})


def _created(folded: FoldedEvent) -> Columns:
    """Return name, code, kind and start, as the house's journal and later commands have them."""
    of_house = JournalEntry.objects.filter(event=None, kind="event.create", result__event=folded.event.pk)
    made = of_house.first()
    if made is None:
        return {}
    asked = made.body["asked"]
    found = {"name": asked["name"], "kind": asked["kind"], **made.result} | _start(asked)
    for line in folded.lines:
        if line.kind == "event.settings" and line.asked["name"]:
            found["name"] = line.asked["name"]
        if line.kind == "event.start":
            found |= {"code": line.result["code"], **_start(line.asked)}
    del found["event"]
    return found


def _start(asked: Any) -> Columns:
    """Return the requested start; without one the time zone is not compared."""
    if not asked.get("starts_at"):
        return {"starts_at": None}
    return {"starts_at": datetime.fromisoformat(asked["starts_at"]), "starts_zone": asked["starts_zone"]}


def _settings(folded: FoldedEvent) -> Columns:
    """Return the posted settings; no rules are in force while the settings can still be changed."""
    opened = [line for line in folded.lines if line.kind in ("event.open", "event.setup_again")]
    if not opened or opened[-1].kind != "event.open":
        return {"rules_hash": ""}
    settings = opened[-1].noted["settings"]
    columns = {column: settings[column] for column in POSTED}
    return {**columns, "settings_json": settings, "rules_hash": opened[-1].result["rules_hash"]}


# -- Tables and stages ------------------------------------------------------------------------------------


@beside(Table, "table {number}")
def _tables(folded: FoldedEvent) -> ExpectedRows:
    """Yield the tables with the boxes that commands put in or out of use (T4)."""
    found, out = dict[int, Columns](), folded.event.settings.boxes_per_table
    for line in folded.lines:
        if line.kind == "table.add":
            found[line.result["number"]] = _in_use(True, line.asked["boxes_out"])
        elif line.kind == "table.change":
            found[folded.names.tables[line.asked["table"]]] = _in_use(
                line.asked["in_use"], line.asked["boxes_out"]
            )
        elif line.kind == "tables.ensure":
            for number in line.result["tables"]:
                # An existing table is not changed.
                found.setdefault(number, _in_use(True, list(range(out + 1, BOXES + 1))))
    return ((f"table {number}", columns) for number, columns in found.items())


def _in_use(in_use: bool, boxes_out: list[int]) -> Columns:
    return {"in_use": in_use, "boxes_out": boxes_out}


@beside(Round, "{round}", round=F("pk"))
def _stages(folded: FoldedEvent) -> ExpectedRows:
    """Yield the stages with their seating, opening, status, cut and seats at stake (T4, T19)."""
    seated = dict[StageKey | None, Columns]()
    for line in folded.lines:
        if line.kind == "round.seat":
            drawn = folded.names.stages.get(line.result["round"])
            seated.setdefault(drawn, {"opened_at": line.at})["draw__number"] = line.result["draw"]
        elif line.act == REDRAW:
            for columns in seated.values():
                if columns["draw__number"] == line.done["supersedes"]:
                    columns["draw__number"] = line.done["number"]
    for stage in folded.state.stages:
        number, kind, _nth = key = stage.frame.key
        columns = {
            "status": stage.status,
            "cut_to": stage.frame.cut_to,
            "contested": stage.tie.seats if stage.tie else 0,
            "parent__number": number if kind == PLAY_OFF else None,
            "parent__kind": ROUND if kind == PLAY_OFF else None,
        }
        yield stage_name(key), {**columns, **seated.get(key, {})}


def _standing_rulings(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the stages where other rulings on ties apply than in the fold, the latest first (T23)."""
    should = {
        stage_name(stage.frame.key): {"rulings": [(each.level, each.winners) for each in stage.rulings]}
        for stage in folded.state.stages
    }
    are = {name: {"rulings": list[Any]()} for name in should}
    standing = TieRuling.objects.filter(round__event=folded.event, lifted=False).order_by("-seq")
    for round_, tied, advance in standing.values_list("round", "tied", "advance"):
        are[stage_name(folded.names.stages[round_])]["rulings"].append((set(tied), set(advance)))
    yield from compared(are, should)


@beside(TieRuling, "ruling {seq}", of="round__event")
def _rulings(folded: FoldedEvent) -> ExpectedRows:
    """Yield the rulings on ties (T23)."""
    for line in folded.of("round.tie_rule"):
        ruled = {"advance": sorted(line.asked["advance"]), "reason": line.asked["reason"]}
        yield f"ruling {line.seq}", ruled


# -- Postings ---------------------------------------------------------------------------------------------


def _postings(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the postings whose text was changed: the journal has the hash of each (T31)."""
    should = {
        f"posting {name}": {"hash": hash_, "content": hash_, "posted_by": line.actor, "at": line.at}
        for line in folded.lines
        for name, hash_ in line.noted.get("posted", {}).items()
    }
    are = {}
    for row in Posting.objects.filter(event=folded.event):
        content = json_hash(row.body)
        name = f"posting {posting_name(row.kind, row.number, row.version)}"
        are[name] = {"hash": row.hash, "content": content, "posted_by": row.posted_by_id, "at": row.at}
    yield from compared(are, should)


@beside(PayoutStructure, "payout structure {version}")
def _payouts(folded: FoldedEvent) -> ExpectedRows:
    """Yield the payout structures as posted; the last one is in force (T31)."""
    versions = list(Posting.objects.filter(event=folded.event, kind=Posting.Kind.PAYOUTS).order_by("number"))
    for posting in versions:
        columns = {
            "status": "live" if posting is versions[-1] else "superseded",
            "structure": posting.body["structure"],
            "prizes_cents": posting.body["prizes_cents"],
            "pool_cents": posting.body["pool"]["cents"],
            "reason": posting.body["reason"],
            "posting": posting.pk,
        }
        yield f"payout structure {posting.number}", columns


def _times(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the transactions of chips and the closes of stages whose time is that of no command."""
    times, posted = {line.at for line in folded.lines}, folded.event.chip_transactions
    closed = folded.event.rounds.values_list("pk", "closed_at")
    rows = [
        *((f"chips, {kind}: {of}", "at", at) for kind, of, at in posted.values_list("kind", "source", "at")),
        *((stage_name(folded.names.stages[pk]), "closed_at", at) for pk, at in closed if at is not None),
    ]
    for row, column, at in rows:
        if at not in times:
            yield Difference(row, column, at, "the time of a command")


# -- Draws -----------------------------------------------------------------------------------------------


Status = Draw.Status
# The database compares, so no secret is read.
_DIGEST = Func(
    "secret_row__secret", template="encode(sha256(%(expressions)s), 'hex')", output_field=CharField()
)


@beside(Draw, "draw {number}", secret=_DIGEST)
def _draws(folded: FoldedEvent) -> ExpectedRows:
    """Yield the draws as they were committed, locked, cut, confirmed and drawn, with their secrets."""
    numbers = dict(folded.event.draws.values_list("pk", "number"))
    found = dict[int, Columns]()
    for line in folded.lines:
        if line.kind == "event.open":
            for number, commitment in enumerate(line.result["commitments"], start=1):
                found.setdefault(number, _planned(commitment))
        elif line.kind == "draw.lock":
            found[line.result["number"]] |= _locked(folded, line)
        elif line.kind == "draw.cards":
            found[numbers[line.asked["draw"]]] |= {"cards": line.asked["cards"], "cards_by": line.actor}
        elif line.kind == "draw.confirm":
            found[line.result["number"]] |= {"status": "confirmed", "confirmed_by": line.actor}
        elif line.kind == "round.seat":
            drawn = {"revealed_secret": line.noted["secret"], "result": line.result["seats"]}
            found[line.result["draw"]] |= {"status": "drawn", "drawn_at": line.at, **drawn}
        elif line.act == REDRAW:
            why = {"status": "superseded", "superseded_reason": folded.reason(line)}
            found[line.done["supersedes"]] |= why
            found[line.done["number"]] |= _locked(folded, line)
    if folded.state.status in (Event.Status.FINISHED, Event.Status.PAID):
        # A draw locked for a tie that is no longer played is given up (T26, T33).
        for columns in found.values():
            if columns["status"] in (Status.LOCKED, Status.CONFIRMED):
                columns |= {"status": "superseded", "superseded_reason": Draw.GIVEN_UP}
    return ((f"draw {number}", columns) for number, columns in found.items())


def _planned(commitment: str) -> Columns:
    nothing: Columns = {"roster": [], "open_seats": [], "cards": "", "cards_by": None, "confirmed_by": None}
    drawn: Columns = {"revealed_secret": "", "result": [], "drawn_at": None, "superseded_reason": ""}
    return {"commitment": commitment, "secret": commitment, "status": "planned", **nothing, **drawn}


def _locked(folded: FoldedEvent, line: JournalLine) -> Columns:
    status = "locked" if folded.event.settings.public_input else "confirmed"
    return {"status": status, "roster": line.noted["roster"], "open_seats": line.noted["open_seats"]}


def _drawn_anew(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the seats and buttons in the journal that do not follow from secret, roster and cards (T4,
    T14)."""
    draws = {row.number: row for row in Draw.objects.filter(event=folded.event)}
    for line in folded.of("round.seat"):
        number, secret = line.result["draw"], bytes.fromhex(line.noted["secret"])
        draw, row = draws[number], f"journal entry {line.seq}"
        if sha256(secret).hexdigest() != draw.commitment:
            yield Difference(row, "secret", sha256(secret).hexdigest(), draw.commitment)
            continue
        seats, buttons = _of_secret(folded, draw, secret)
        for column, said, should in (
            ("seats", line.result["seats"], seats),
            ("buttons", line.noted["buttons"], buttons),
        ):
            if said != should:
                yield Difference(row, column, said, should)


def _of_secret(folded: FoldedEvent, draw: Draw, secret: bytes) -> tuple[list[list[Any]], dict[str, int]]:
    """Return the seats and buttons that a secret draws; both empty where the draw cannot be made."""
    try:
        drawn = seats_drawn(secret, folded.event.code, draw.number, draw.roster, draw.cards, draw.open_seats)
    except (Refused, ValueError):
        return [], {}
    return [list(seat) for seat in drawn[0]], {str(table): box for table, box in drawn[1].items()}


_OF_EVENT = (_event, _tables, _stages, _rulings, _standing_rulings, _postings, _payouts, _times)
PARTS = (*_OF_EVENT, _draws, _drawn_anew)
