"""The lines of ``manage.py cut``: a round and its advance rule in, who goes on out (docs/formats.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Final

from ground.refused import Refused
from ground.words import gettext_noop as _
from ground.words import shown
from tournament.engine.advance import Advance, Advanced, Finish, PartTie, Session, WentOut, advance

LINE: Final = {"id", "advance", "smallest_bet", "sessions"}
BESIDE: Final = {"answer", "why"}
"""What a line of the published vectors has beside its question."""
ENTRY: Final = {"entry", "chips", "out", "disqualified"}
PARTS: Final = tuple(part.name for part in fields(Advance))


def answer(of: object) -> dict[str, Any]:
    """The answer to any JSON value: who advanced, or ``error`` with a code and a ``message``."""
    name = of.get("id") if isinstance(of, Mapping) else None
    try:
        return {"id": name, **_told(_decided(of))}
    except Refused as refused:
        return {"id": name, "error": refused.code, "message": str(refused.message)}


def _decided(of: object) -> Advanced:
    if not isinstance(of, Mapping):
        raise Refused("bad_advance", _("A line is an object with 'advance' and 'sessions'."))
    for key in sorted(set(of) - LINE - BESIDE):
        raise Refused(
            "bad_advance",
            _("%(key)s is no part of a line. It has 'id', 'advance', 'smallest_bet' and 'sessions'."),
            key=shown(key),
        )
    rule = _rule(of.get("advance"))
    smallest_bet = of.get("smallest_bet")
    if smallest_bet is not None and not _is_count(smallest_bet):
        raise Refused(
            "bad_advance",
            _("'smallest_bet' is a whole number of chips from 0 on, or null. It is %(value)s."),
            value=shown(smallest_bet),
        )
    sessions = _sessions(of.get("sessions"))
    _each_once(sessions)
    return advance(rule, sessions, smallest_bet)


def _rule(of: object) -> Advance:
    if not isinstance(of, Mapping):
        raise Refused("bad_advance", _("'advance' is an object of parts, like {\"top\": 12}."))
    for part, seats in of.items():
        if part not in PARTS:
            raise Refused(
                "bad_advance",
                _("%(part)s is no part of an advance rule. The parts are %(parts)s."),
                part=shown(part),
                parts=", ".join(PARTS),
            )
        if not _is_count(seats):
            raise Refused(
                "bad_advance",
                _("'%(part)s' is a whole number from 0 on. It is %(value)s."),
                part=part,
                value=shown(seats),
            )
    return Advance(**of)


def _sessions(of: object) -> list[Session]:
    if not isinstance(of, list) or not of:
        raise Refused("bad_sessions", _("'sessions' is a list of at least one session."))
    return [_session(session, number) for number, session in enumerate(of, start=1)]


def _session(of: object, number: int) -> Session:
    tables = of.get("tables") if isinstance(of, Mapping) and set(of) == {"tables"} else None
    if not isinstance(tables, Mapping):
        raise Refused(
            "bad_sessions",
            _("Session %(number)s is an object with 'tables', an object of table numbers, and nothing else."),
            number=number,
        )
    return {_table(name, number): _finishes(name, tables[name], number) for name in tables}


def _table(name: str, session: int) -> int:
    """A table's number: digits without a sign or a leading zero, so that no table has two names."""
    if not (name.isascii() and name.isdigit() and len(name) <= len("200000000") and name[0] != "0"):
        raise Refused(
            "bad_sessions",
            _("Session %(session)s: a table is named by its number from 1 on. This one is %(name)s."),
            session=session,
            name=shown(name),
        )
    return int(name)


def _finishes(table: str, of: object, session: int) -> list[Finish]:
    if not isinstance(of, list):
        raise Refused(
            "bad_sessions",
            _("Session %(session)s, table %(table)s is a list of entries."),
            session=session,
            table=table,
        )
    return [_finish(each, session, table) for each in of]


def _finish(of: object, session: int, table: str) -> Finish:
    why_not = _why_no_finish(of)
    if why_not is not None:
        raise Refused(
            "bad_entry",
            _("Session %(session)s, table %(table)s: %(why_not)s"),
            session=session,
            table=table,
            why_not=why_not.message,
        )
    assert isinstance(of, Mapping)
    out = of.get("out")
    return Finish(of["entry"], of["chips"], WentOut(**out) if out else None, of.get("disqualified", False))


def _why_no_finish(of: object) -> Refused | None:
    if not isinstance(of, Mapping) or not set(of) <= ENTRY or not isinstance(of.get("entry"), str):
        return Refused(
            "bad_entry",
            _("an entry is an object with 'entry' (its code), 'chips', and perhaps 'out' or 'disqualified'."),
        )
    entry, out = of["entry"], of.get("out")
    if not entry:
        return Refused("bad_entry", _("an entry has no code."))
    if not _is_count(of.get("chips")):
        return Refused(
            "bad_entry", _("'chips' of %(entry)s is a whole number from 0 on."), entry=shown(entry)
        )
    if not isinstance(of.get("disqualified", False), bool):
        return Refused("bad_entry", _("'disqualified' of %(entry)s is true or false."), entry=shown(entry))
    if out is not None and not _is_out(out):
        return Refused(
            "bad_entry",
            _("'out' of %(entry)s has 'hand', a number from 1 on, and 'before', a stack in chips."),
            entry=shown(entry),
        )
    return None


def _is_out(of: object) -> bool:
    return (
        isinstance(of, Mapping)
        and set(of) == {"hand", "before"}
        and _is_count(of["hand"])
        and of["hand"] > 0
        and _is_count(of["before"])
    )


def _is_count(of: object) -> bool:
    return isinstance(of, int) and not isinstance(of, bool) and of >= 0


def _each_once(sessions: Sequence[Session]) -> None:
    seen: set[str] = set()
    for session in sessions:
        for table in session.values():
            for finish in table:
                if finish.entry in seen:
                    raise Refused(
                        "entry_twice",
                        _("%(entry)s is there twice. An entry ends a round once."),
                        entry=shown(finish.entry),
                    )
                seen.add(finish.entry)


def _told(decided: Advanced) -> dict[str, Any]:
    return {
        "advanced": [asdict(each) for each in decided.through],
        "ties": [_tie_told(tie) for tie in decided.ties],
        "drawn_from": list(decided.drawn_from),
        "not_through": [list(level) for level in decided.not_through],
    }


def _tie_told(tie: PartTie) -> dict[str, Any]:
    where = {"session": tie.session, "table": tie.table}
    here = {name: number for name, number in where.items() if number is not None}
    return {"part": tie.part, **here, "entries": list(tie.entries), "seats": tie.seats}
