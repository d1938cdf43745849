"""What the journal says of a command, as data: which facts of it, where they stand, in which words.

The catalogue is written in these; a page of the journal looks up what ids mean and puts them into words
(``pages.words.journal``). Paths lead into an entry: ``asked.entry``, ``result.amount_cents``,
``noted.before``.
"""

from collections.abc import Callable, Mapping
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


SEAT = Part(How.SEAT, ("asked.seat",), thing="seat")
"""Table and box of the seat that was given or given up."""
OTHERS = Part(How.THINGS, ("asked.others",), thing="player")
"""The persons beside the one that something is about."""


def one_of(path: str, words: Mapping[Any, Words]) -> Part:
    """A word from a closed set; what is not in it is left out."""
    return Part(How.ONE_OF, (path,), each=words)


def by_box(path: str, *, net: bool = False, words: Words = "%(n)s") -> Part:
    """Chips by box: ``box 1 +200, box 2 −400``; ``net``: with their sign."""
    return Part(How.BY_BOX_NET if net else How.BY_BOX, (path,), words)


def _said(how: How, usual: Words = "%(n)s") -> Callable[..., Part]:
    """Return what makes a part of its paths, in ``words`` where the usual ones do not fit."""
    return lambda *paths, words=usual: Part(how, paths, words)


text = _said(How.TEXT)
"""A figure or a word as it stands."""
sentence = _said(How.SENTENCE)
"""A sentence that was kept with its figures (``Sentence.kept``)."""
amount = _said(How.AMOUNT)
"""An amount of money, in cents."""
amounts = _said(How.AMOUNTS)
"""Amounts by place: ``1st $600.00``."""
stack = _said(How.STACK, gettext_noop("%(n)s chips"))
"""An amount of chips; 0 is not said."""
cards = _said(How.CARDS, gettext_noop("%(n)s cards dealt"))
"""How many cards have left a shoe; not where its hands were entered by results, and only one is known."""
place = _said(How.PLACE)
"""A place."""
how_many = _said(How.HOW_MANY)
"""How many stand in a list."""
listed = _said(How.LISTED)
"""A list as it stands."""
by_entry = _said(How.BY_ENTRY)
"""Changes of stacks by entry: ``E003 +400``."""
changed = _said(How.CHANGED)
"""The values that are others than before, of two paths: ``day limit $250.00 → $300.00``."""
count_entered = _said(How.COUNT_ENTERED)
"""Which count and its figures; the first one's stay hidden until the second is in (T18)."""
count_ruled = _said(How.COUNT_RULED)
"""Box by box what was counted, what the hands say and what was ruled, where these are not one figure."""
counts_taken_back = _said(How.COUNTS_TAKEN_BACK)
"""The counts that no longer hold; one alone stays hidden, for whoever counts next may read this."""
