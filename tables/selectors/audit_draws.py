"""The draws beside the journal, and every drawn seat and button found anew from its secret (T4, T14, T21)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from django.db.models import CharField, Func

from ground.refused import Refused
from tables.selectors.audit_desk import REDRAW, done_by_two
from tables.selectors.audit_rows import Difference, Told, as_kept, compared, named
from tables.selectors.journal_facts import Line
from tournament.engine.draw import seats_drawn
from tournament.models import Draw, DrawSecret, Event

Columns = dict[str, Any]
Status = Draw.Status


def _draws(told: Told) -> Iterator[Difference]:
    """Give the draws that were committed, locked, cut, confirmed or drawn otherwise."""
    rows = Draw.objects.filter(event=told.event).values("number", *_planned(""))
    should = {f"draw {number}": row for number, row in _should(told).items()}
    yield from compared(named("draw {number}", rows), should)


def _should(told: Told) -> dict[int, Columns]:
    numbers = dict(Draw.objects.filter(event=told.event).values_list("pk", "number"))
    found = dict[int, Columns]()
    for line in told.lines:
        if line.kind == "event.open":
            for number, commitment in enumerate(line.result["commitments"], start=1):
                found.setdefault(number, _planned(commitment))
        elif line.kind == "draw.lock":
            found[line.result["number"]] |= _locked(told, line)
        elif line.kind == "draw.cards":
            found[numbers[line.asked["draw"]]] |= {"cards": line.asked["cards"], "cards_by": line.actor}
        elif line.kind == "draw.confirm":
            found[line.result["number"]] |= {"status": "confirmed", "confirmed_by": line.actor}
        elif line.kind == "round.seat":
            drawn = {"revealed_secret": line.noted["secret"], "result": line.result["seats"]}
            found[line.result["draw"]] |= {"status": "drawn", "drawn_at": line.at, **drawn}
        elif done := done_by_two(line, REDRAW):
            why = {"status": "superseded", "superseded_reason": _reason(told, line)}
            found[done["supersedes"]] |= why
            found[done["number"]] |= _locked(told, line)
    if told.state.status in (Event.Status.FINISHED, Event.Status.PAID):
        # A draw that was locked for a tie that nobody plays any more is given up (T26, T33).
        for columns in found.values():
            if columns["status"] in (Status.LOCKED, Status.CONFIRMED):
                columns |= {"status": "superseded", "superseded_reason": Draw.GIVEN_UP}
    return found


def _planned(commitment: str) -> Columns:
    nothing: Columns = {"roster": [], "open_seats": [], "cards": "", "cards_by": None, "confirmed_by": None}
    drawn: Columns = {"revealed_secret": "", "result": [], "drawn_at": None, "superseded_reason": ""}
    return {"commitment": commitment, "status": "planned", **nothing, **drawn}


def _locked(told: Told, line: Line) -> Columns:
    status = "locked" if told.event.settings.public_input else "confirmed"
    return {"status": status, "roster": line.noted["roster"], "open_seats": line.noted["open_seats"]}


def _reason(told: Told, line: Line) -> str:
    asked = (each for each in told.lines if each.result.get("request") == line.asked["request"])
    return as_kept(next(asked).asked["reason"])


def _secrets(told: Told) -> Iterator[Difference]:
    """Give the secrets that are not those that were committed to; none is read out of the database."""
    digest = Func("secret", template="encode(sha256(%(expressions)s), 'hex')", output_field=CharField())
    kept = DrawSecret.objects.filter(draw__event=told.event).values_list("draw__number", digest)
    are = {f"draw {number}": {"secret": digest} for number, digest in kept}
    rows = told.event.draws.values_list("number", "commitment")
    yield from compared(are, {f"draw {number}": {"secret": commitment} for number, commitment in rows})


def _drawn_anew(told: Told) -> Iterator[Difference]:
    """Give the seats and buttons in the journal that do not come of secret, roster and cards (T4, T14)."""
    draws = {row.number: row for row in Draw.objects.filter(event=told.event)}
    for line in told.lines:
        if line.kind != "round.seat":
            continue
        number, secret = line.result["draw"], bytes.fromhex(line.noted["secret"])
        draw, row = draws[number], f"journal entry {line.seq}"
        if sha256(secret).hexdigest() != draw.commitment:
            yield Difference(row, "secret", sha256(secret).hexdigest(), draw.commitment)
            continue
        seats, buttons = _of_secret(told, draw, secret)
        for column, said, should in (
            ("seats", line.result["seats"], seats),
            ("buttons", line.noted["buttons"], buttons),
        ):
            if said != should:
                yield Difference(row, column, said, should)


def _of_secret(told: Told, draw: Draw, secret: bytes) -> tuple[list[list[Any]], dict[str, int]]:
    """Return the seats and the buttons that a draw comes to; nothing where no draw can be made of it."""
    try:
        drawn = seats_drawn(secret, told.event.code, draw.number, draw.roster, draw.cards, draw.open_seats)
    except (Refused, ValueError):
        return [], {}
    return [list(seat) for seat in drawn[0]], {str(table): box for table, box in drawn[1].items()}


PARTS = (_draws, _secrets, _drawn_anew)
