"""What the journal says of a command, as data: which facts of it, where they stand, in which words.

The catalogue is written in these; a page of the journal looks up what ids mean and speaks them
(``selectors.telling``). Paths lead into an entry: ``asked.entry``, ``result.amount_cents``, ``noted.before``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ground.words import gettext_noop

Words = str
"""Text that is marked for translation; a page says it in its language."""


class How(StrEnum):
    """How a fact is said."""

    THING = "thing"
    THINGS = "things"
    SEAT = "seat"
    TEXT = "text"
    SENTENCE = "sentence"
    AMOUNT = "amount"
    AMOUNTS = "amounts"
    AMOUNTS_BY_ENTRY = "amounts_by_entry"
    STACK = "stack"
    CARDS = "cards"
    PLACE = "place"
    HOW_MANY = "how_many"
    LISTED = "listed"
    ONE_OF = "one_of"
    BY_BOX = "by_box"
    BY_BOX_NET = "by_box_net"
    BY_ENTRY = "by_entry"
    CHANGED = "changed"
    COUNT_ENTERED = "count_entered"
    COUNT_RULED = "count_ruled"
    COUNTS_TAKEN_BACK = "counts_taken_back"


@dataclass(frozen=True)
class Part:
    """One fact of an entry: the first of ``paths`` where anything stands, said as ``how`` in ``words``.

    ``thing``: the kind of thing that its ids are. ``each``: the words of a closed set.
    """

    how: How
    paths: tuple[str, ...] = ()
    words: Words = "%(n)s"
    thing: str = ""
    each: Mapping[Any, Words] = field(default_factory=dict)


def thing(kind: str, *paths: str, words: Words = "%(n)s") -> Part:
    """An object by its id, or as the entry names it: an entry, a table, a hand, a round, a person."""
    return Part(How.THING, paths, words, thing=kind)


def things(kind: str, path: str) -> Part:
    """Several objects by their ids."""
    return Part(How.THINGS, (path,), thing=kind)


def seat_of() -> Part:
    """Table and box of the seat that was given or given up."""
    return Part(How.SEAT, ("asked.seat",), thing="seat")


def text(*paths: str, words: Words = "%(n)s") -> Part:
    """A figure or a word as it stands."""
    return Part(How.TEXT, paths, words)


def sentence(path: str) -> Part:
    """A sentence that was kept with its figures (``Sentence.kept``)."""
    return Part(How.SENTENCE, (path,))


def amount(*paths: str, words: Words = "%(n)s") -> Part:
    """An amount of money, in cents."""
    return Part(How.AMOUNT, paths, words)


def amounts(path: str, words: Words = "%(n)s") -> Part:
    """Amounts by place: ``1st $600.00``."""
    return Part(How.AMOUNTS, (path,), words)


def amounts_by_entry(path: str) -> Part:
    """Amounts by entry: ``E002 $60.00, E003 $40.00``."""
    return Part(How.AMOUNTS_BY_ENTRY, (path,))


def stack(path: str) -> Part:
    """An amount of chips; 0 is not said."""
    return Part(How.STACK, (path,), gettext_noop("%(n)s chips"))


def cards(path: str) -> Part:
    """How many cards have left a shoe; not where its hands were entered by results, and only one is known."""
    return Part(How.CARDS, (path,), gettext_noop("%(n)s cards dealt"))


def place(path: str) -> Part:
    """A place."""
    return Part(How.PLACE, (path,))


def how_many(path: str, words: Words) -> Part:
    """How many stand in a list."""
    return Part(How.HOW_MANY, (path,), words)


def listed(path: str, words: Words = "%(n)s") -> Part:
    """A list as it stands."""
    return Part(How.LISTED, (path,), words)


def one_of(path: str, words: Mapping[Any, Words]) -> Part:
    """A word from a closed set; what is not in it is left out."""
    return Part(How.ONE_OF, (path,), each=words)


def by_box(path: str, *, net: bool = False, words: Words = "%(n)s") -> Part:
    """Chips by box: ``box 1 +200, box 2 −400``; ``net``: with their sign."""
    return Part(How.BY_BOX_NET if net else How.BY_BOX, (path,), words)


def by_entry(path: str) -> Part:
    """Changes of stacks by entry: ``E003 +400``."""
    return Part(How.BY_ENTRY, (path,))


def changed(before: str, after: str) -> Part:
    """The values that are others than before: ``day limit $250.00 → $300.00``."""
    return Part(How.CHANGED, (before, after))


def count_entered() -> Part:
    """Which count and its figures; the first one's stay hidden until the second is in (T18)."""
    return Part(How.COUNT_ENTERED)


def count_ruled() -> Part:
    """Box by box what was counted, what the hands say and what was ruled, where these are not one figure."""
    return Part(How.COUNT_RULED)


def counts_taken_back() -> Part:
    """The counts that no longer hold; one alone stays hidden, for whoever counts next may read this."""
    return Part(How.COUNTS_TAKEN_BACK)
