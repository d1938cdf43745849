"""The basis of a form: what the form is about, and how far the journal was when its page was made.

Two screens show the same thing, and both send their form: the second one was made from a state that is no
more. So every form carries its basis, and the command asks the journal what was written about the thing
since.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ground.canonical import canonical_json, sha256_hex

MARK = 16
Name = tuple[str, int | str]


@dataclass(frozen=True)
class Basis:
    """What a form was made from.

    ``names`` are those by which the journal of ``event_id`` (None: the house's) calls the thing,
    ``("deal", 4)``. ``kinds`` are the commands and the requests that change it without naming it,
    ``round.close`` or ``round`` for the whole family. ``besides`` are commands that name the thing and leave
    what the form is about as it is. ``seq`` is how far that journal was.

    Open hands, and figures made from more than one journal, change without an entry: a form about these has a
    ``mark`` of its facts, which decides alone; ``now`` says them in a sentence.
    """

    event_id: int | None
    seq: int
    names: frozenset[Name] = frozenset()
    kinds: frozenset[str] = frozenset()
    besides: frozenset[str] = frozenset()
    mark: str = ""
    now: str = ""

    def __str__(self) -> str:
        return f"{self.mark}.{self.seq}"

    def concerns(self, kind: str, asked: Any, noted: Any, result: Mapping[str, Any]) -> bool:
        """Whether an entry of the journal is about this thing."""
        noted = noted or {}
        # A request says its kind where it is made (result) and where it is answered (noted).
        kinds = {kind, kind.partition(".")[0], result.get("kind"), noted.get("kind")}
        if "round_played" in noted:
            # The first hand of a round begins it, without a command of its own.
            kinds |= {"round", "round.play"}
        if kinds & self.kinds:
            return True
        if kind in self.besides:
            return False
        # What came of it says the number of a table, where what was asked says its id.
        came = {name for name in _names(noted) | _names(result) if name[0] != "table"}
        return not self.names.isdisjoint(came | _names(asked))


def _names(part: object) -> set[Name]:
    """Return the names in a part of a journal entry, with those inside it (a request's body).

    The record of a hand has numbers where the journal has ids, so it names nothing.
    """
    if not isinstance(part, Mapping):
        return set()
    found: set[Name] = {(name, value) for name, value in part.items() if isinstance(value, int | str)}
    return found.union(*(_names(value) for name, value in part.items() if name != "record"))


def marked(of: str, facts: Any) -> str:
    """Return the mark of a thing: another one as soon as any of its facts, which are JSON, is another."""
    return sha256_hex(canonical_json([of, facts]))[:MARK]


def mark_of(token: str) -> str:
    """Return the mark in what a form carried."""
    return token.partition(".")[0]


def seq_of(token: str) -> int | None:
    """Return how far the journal was when the form was made; None where the form does not say."""
    seq = token.partition(".")[2]
    return int(seq) if seq.isascii() and seq.isdecimal() and len(seq) <= 12 else None
