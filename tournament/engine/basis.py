"""The basis of a form: as much of what is known as matters to a person who reads that form.

Two screens show the same thing, and both send their form: the second one was made from a state that is no
more. So every form carries the mark of its basis, and the command looks whether it is still the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ground.canonical import canonical_json, sha256_hex

MARK = 16


@dataclass(frozen=True)
class Basis:
    """What a form was made from.

    ``of`` names the thing (``shoe 12``) and ``facts`` say how it stands, as JSON; together they are the
    ``mark``. ``now`` says the same in a sentence, for who is told that it has changed. ``about`` are the
    names by which the journal of ``event_id`` (None: the house's) speaks of it, ``("deal", 4)``; empty where
    every entry concerns it. ``seq`` is how far that journal was. ``over``: it is decided, so that whatever
    was typed into a form about it is not to be sent again.
    """

    of: str
    facts: Any
    now: str
    event_id: int | None = None
    about: frozenset[tuple[str, int | str]] = frozenset()
    seq: int = 0
    over: bool = False

    @property
    def mark(self) -> str:
        """Another one as soon as any of the facts is another."""
        return sha256_hex(canonical_json([self.of, self.facts]))[:MARK]

    def __str__(self) -> str:
        return f"{self.mark}.{self.seq}"

    def concerns(self, *said: object) -> bool:
        """Whether parts of a journal entry speak of this thing."""
        return not self.about or any(_names(part) & self.about for part in said)


def _names(part: object) -> set[tuple[str, int | str]]:
    """The names in a part of a journal entry, those one level down as well (a request's body)."""
    if not isinstance(part, Mapping):
        return set()
    found: set[tuple[str, int | str]] = {
        (name, value) for name, value in part.items() if isinstance(value, int | str)
    }
    return found.union(*(_names(value) for value in part.values()))


def mark_of(token: str) -> str:
    """The mark in what a form carried."""
    return token.partition(".")[0]


def seq_of(token: str) -> int | None:
    """How far the journal was when the form was made; None where the form does not say."""
    seq = token.partition(".")[2]
    return int(seq) if seq.isascii() and seq.isdecimal() and len(seq) <= 12 else None
