"""A step of the page 'Tonight'."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """Something that waits for somebody: the sentence, the page below the event's address, who does it.

    ``tells``: the requests to a second person that it speaks of. ``look``: the words of a link to the page at
    ``look_tail`` for the floor, which does not do this and has to see it.
    """

    title: str
    detail: str
    tail: str = ""
    action: str = ""
    roles: tuple[str, ...] = ()
    tells: frozenset[int] = frozenset()
    look: str = ""
    look_tail: str = ""
