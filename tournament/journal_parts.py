"""The parts of a journal line as data: the facts of an entry, their paths, their words.

The catalogue is written with these parts; a page of the journal looks up ids and puts the parts into words
(``pages.words.journal``). Paths lead into an entry: ``asked.entry``, ``result.amount_cents``,
``noted.before``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ground.words import gettext_noop

Words = str
"""A text marked for translation; a page translates it."""


class How(StrEnum):
    """The format of a fact."""

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
    """One fact of an entry: the first of ``paths`` with a value, formatted by ``how`` into ``words``.

    ``thing``: the kind of thing that its ids refer to. ``each``: the words of a closed set.
    """

    how: How
    paths: tuple[str, ...] = ()
    words: Words = "%(n)s"
    thing: str = ""
    each: Mapping[Any, Words] = field(default_factory=dict)


def thing(kind: str, *paths: str, words: Words = "%(n)s") -> Part:
    """Return a part for a thing given by id, or by its name in the entry: an entry, a table, a hand, a round,
    a person."""
    return Part(How.THING, paths, words, thing=kind)


SEAT = Part(How.SEAT, ("asked.seat",), thing="seat")
"""Table and box of a seat that was given or given up."""
OTHERS = Part(How.THINGS, ("asked.others",), thing="player")
"""The other people involved."""


def one_of(path: str, words: Mapping[Any, Words]) -> Part:
    """Return a part with a word from a closed set; other values are left out."""
    return Part(How.ONE_OF, (path,), each=words)


def by_box(path: str, *, net: bool = False, words: Words = "%(n)s") -> Part:
    """Return a part with chips by box: ``box 1 +200, box 2 −400``; ``net``: with their sign."""
    return Part(How.BY_BOX_NET if net else How.BY_BOX, (path,), words)


def _part_of(how: How, usual: Words = "%(n)s") -> Callable[..., Part]:
    """Return a function that makes parts of this format from paths, with ``usual`` as the default words."""
    return lambda *paths, words=usual: Part(how, paths, words)


text = _part_of(How.TEXT)
"""A figure or a word, unchanged."""
sentence = _part_of(How.SENTENCE)
"""A sentence that was stored with its figures (``Sentence.to_json``)."""
amount = _part_of(How.AMOUNT)
"""An amount of money, in cents."""
amounts = _part_of(How.AMOUNTS)
"""Amounts by place: ``1st $600.00``."""
stack = _part_of(How.STACK, gettext_noop("%(n)s chips"))
"""An amount of chips; 0 is left out."""
cards = _part_of(How.CARDS, gettext_noop("%(n)s cards dealt"))
"""The number of cards that left a shoe; left out if its hands were entered by results, so that one card is
known."""
place = _part_of(How.PLACE)
"""A place, as "=2nd" where others share it."""
how_many = _part_of(How.HOW_MANY)
"""The length of a list."""
listed = _part_of(How.LISTED)
"""The items of a list."""
by_entry = _part_of(How.BY_ENTRY)
"""Changes of stacks by entry: ``E003 +400``."""
changed = _part_of(How.CHANGED)
"""The values that changed between two paths: ``day limit $250.00 → $300.00``."""
count_entered = _part_of(How.COUNT_ENTERED)
"""The number of a count and its figures; those of the first stay hidden until the second is in (T18)."""
count_ruled = _part_of(How.COUNT_RULED)
"""The counted chips, the chips by the hands and the ruled chips, for each box in which they differ."""
counts_taken_back = _part_of(How.COUNTS_TAKEN_BACK)
"""The reopened counts; a single count stays hidden, because the next counter may read the journal."""
