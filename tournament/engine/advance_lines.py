"""Read the lines of ``manage.py cut``, a round with its advance rule, and answer with the cut
(docs/formats.md)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Final

from ground.refused import Refused
from ground.words import shown
from tournament.engine.advance import Advance, Advanced, Finish, PartTie, Session, WentOut, advance

LINE: Final = {"id", "advance", "smallest_bet", "sessions"}
BESIDE: Final = {"answer", "why"}
"""Keys of the published test vectors that are not part of the question."""
ENTRY: Final = {"entry", "chips", "out", "disqualified"}
PARTS: Final = {part.name for part in fields(Advance)}


def answer(of: object) -> dict[str, Any]:
    """Return the answer to any JSON value: the entries that advanced, or ``error`` with a code and a
    ``message``."""
    name = of.get("id") if isinstance(of, Mapping) else None
    try:
        return {"id": name, **_advanced_json(_decided(of))}
    except Refused as refused:
        return {"id": name, "error": refused.code, "message": str(refused.message)}


def _decided(of: object) -> Advanced:
    if not isinstance(of, Mapping) or not set(of) <= LINE | BESIDE:
        raise Refused(
            "bad_advance",
            "A line is an object with 'advance' and 'sessions', and perhaps 'id' and 'smallest_bet'.",
        )
    rule = _rule(of.get("advance"))
    smallest_bet = of.get("smallest_bet")
    if smallest_bet is not None and not _is_count(smallest_bet):
        raise Refused(
            "bad_advance",
            "'smallest_bet' is a whole number of chips from 0 on, or null. It is %(value)s.",
            value=shown(smallest_bet),
        )
    sessions = of.get("sessions")
    if not isinstance(sessions, list) or not sessions:
        raise Refused("bad_sessions", "'sessions' is a list of at least one session.")
    read = [_session(session, number) for number, session in enumerate(sessions, start=1)]
    _each_once(read)
    return advance(rule, read, smallest_bet)


def _rule(of: object) -> Advance:
    if not isinstance(of, Mapping) or not set(of) <= PARTS or not all(map(_is_count, of.values())):
        raise Refused(
            "bad_advance",
            "'advance' has a whole number from 0 on for each of these parts: %(parts)s. It is %(value)s.",
            parts=", ".join(sorted(PARTS)),
            value=shown(of),
        )
    return Advance(**of)


def _session(of: object, number: int) -> Session:
    tables = of.get("tables") if isinstance(of, Mapping) and set(of) == {"tables"} else None
    if not isinstance(tables, Mapping) or not all(map(_is_table, tables.items())):
        raise Refused(
            "bad_sessions",
            "Session %(number)s is an object with 'tables', and nothing else: the number of each table,"
            " from 1 on, with a list of its entries.",
            number=number,
        )
    return {int(name): [_finish(each, number, name) for each in tables[name]] for name in tables}


def _is_table(table: tuple[str, object]) -> bool:
    """Whether this is a table number with a list. Leading zeros are refused, so that no table has two
    names."""
    return bool(re.fullmatch("[1-9][0-9]{0,8}", table[0])) and isinstance(table[1], list)


def _finish(of: object, session: int, table: str) -> Finish:
    if not _is_entry(of):
        raise Refused(
            "bad_entry",
            "Session %(session)s, table %(table)s: %(entry)s is no entry. That is an object with 'entry',"
            " its code, 'chips', a whole number from 0 on, and perhaps 'disqualified', true or false, or"
            " 'out' with 'hand', from 1 on, and 'before', a stack in chips.",
            session=session,
            table=table,
            entry=shown(of),
        )
    assert isinstance(of, Mapping)
    out = of.get("out")
    return Finish(of["entry"], of["chips"], WentOut(**out) if out else None, of.get("disqualified", False))


def _is_entry(of: object) -> bool:
    return (
        isinstance(of, Mapping)
        and set(of) <= ENTRY
        and isinstance(of.get("entry"), str)
        and bool(of["entry"])
        and _is_count(of.get("chips"))
        and isinstance(of.get("disqualified", False), bool)
        and (of.get("out") is None or _is_out(of["out"]))
    )


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
                        "%(entry)s is there twice. An entry ends a round once.",
                        entry=shown(finish.entry),
                    )
                seen.add(finish.entry)


def _advanced_json(decided: Advanced) -> dict[str, Any]:
    return {
        "advanced": [asdict(each) for each in decided.through],
        "ties": [_tie_json(tie) for tie in decided.ties],
        "drawn_from": list(decided.drawn_from),
        "not_through": [list(level) for level in decided.not_through],
    }


def _tie_json(tie: PartTie) -> dict[str, Any]:
    where = {"session": tie.session, "table": tie.table}
    here = {name: number for name, number in where.items() if number is not None}
    return {"part": tie.part, **here, "entries": list(tie.entries), "seats": tie.seats}
