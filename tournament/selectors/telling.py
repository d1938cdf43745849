"""What an entry of the journal tells: parts, each of which says one object or one figure of it.

A part names the ids that it needs in words, so that a page of the journal asks for all of them at once.
Paths lead into the entry: ``asked.entry``, ``result.amount_cents``, ``noted.before``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.templatetags.cutline import chips, money, ordinal, signed

Words = Any
"""Marked text, or a string: what ``gettext_lazy`` gives."""


@dataclass(frozen=True)
class Told:
    """One entry as its parts read it: what was asked, what came of it, what came to light on the way."""

    asked: Mapping[str, Any]
    result: Mapping[str, Any]
    noted: Mapping[str, Any]
    seq: int = 0

    def at(self, *paths: str) -> Any:
        """What stands at the first of these paths where anything stands; None where nothing does."""
        found = (self._at(path) for path in paths)
        return next((each for each in found if each not in (None, "", [], {})), None)

    def _at(self, path: str) -> Any:
        first, *steps = path.split(".")
        found: Any = getattr(self, first)
        for step in steps:
            found = found.get(step) if isinstance(found, Mapping) else None
        return found


@dataclass(frozen=True)
class Names:
    """What ids mean, in words, by kind of thing; the currency; where the second counts stand."""

    things: Mapping[tuple[str, int], str] = field(default_factory=dict)
    currency: str = "USD"
    second_counts: Mapping[int, int] = field(default_factory=dict)

    def of(self, thing: str, pk: Any) -> str:
        """A thing in words; empty for one that is not known."""
        return self.things.get((thing, pk), "") if isinstance(pk, int) else ""


@dataclass(frozen=True)
class Part:
    """One fact of an entry. ``ids``: (kind of thing, path) of every id that it says in words."""

    say: Callable[[Told, Names], str]
    ids: tuple[tuple[str, str], ...] = ()

    def needs(self, told: Told) -> Iterable[tuple[str, int]]:
        """The ids that have to be looked up for this entry."""
        for thing, path in self.ids:
            found = told.at(path)
            for pk in found if isinstance(found, list) else [found]:
                if type(pk) is int:
                    yield thing, pk


# Objects ---------------------------------------------------------------------------------------------


def thing(kind: str, *paths: str) -> Part:
    """An object by its id, or as the entry names it: an entry, a table, a hand, a round, a person."""

    def say(told: Told, names: Names) -> str:
        found = told.at(*paths)
        return found if isinstance(found, str) else names.of(kind, found)

    return Part(say, tuple((kind, path) for path in paths))


def things(kind: str, path: str) -> Part:
    """Several objects by their ids."""

    def say(told: Told, names: Names) -> str:
        found = told.at(path)
        said = (names.of(kind, pk) for pk in found) if isinstance(found, list) else ()
        return ", ".join(each for each in said if each)

    return Part(say, ((kind, path),))


def seat_of() -> Part:
    """Table and box of the seat that was given or given up."""

    def say(told: Told, names: Names) -> str:
        if told.at("result.table") is None:
            return names.of("seat", told.at("asked.seat"))
        return box_words(told.at("result.table"), told.at("result.box"))

    return Part(say, (("seat", "asked.seat"),))


def box_words(table: int, box: int) -> str:
    """A box in words."""
    return _("table %(table)s, box %(box)s") % {"table": table, "box": box}


# Words and figures -----------------------------------------------------------------------------------


def text(*paths: str, words: Words = "%(n)s") -> Part:
    """A figure or a word as it stands."""
    return _part(paths, words, lambda value, names: str(value))


def amount(*paths: str, words: Words = "%(n)s") -> Part:
    """An amount of money, in cents."""
    return _part(paths, words, lambda value, names: money(value, names.currency))


def amounts(path: str, words: Words = "%(n)s") -> Part:
    """Amounts by place: ``1st $600.00``."""
    return _part(
        (path,),
        words,
        lambda value, names: ", ".join(
            f"{ordinal(place)} {money(cents, names.currency)}" for place, cents in enumerate(value, start=1)
        ),
    )


def stack(path: str) -> Part:
    """An amount of chips."""
    words = gettext_lazy("%(n)s chips")
    return _part((path,), words, lambda value, names: chips(value) if value else "")


def cards(path: str) -> Part:
    """How many cards have left a shoe; not where its hands were entered by results, and only one is known."""
    words = gettext_lazy("%(n)s cards dealt")
    return _part((path,), words, lambda value, names: str(value) if value > 1 else "")


def place(path: str) -> Part:
    """A place."""
    return _part((path,), "%(n)s", lambda value, names: ordinal(value))


def how_many(path: str, words: Words) -> Part:
    """How many stand in a list."""
    return _part((path,), words, lambda value, names: str(len(value)))


def listed(path: str, words: Words = "%(n)s") -> Part:
    """A list as it stands."""
    return _part((path,), words, lambda value, names: ", ".join(map(str, value)))


def one_of(path: str, words: Mapping[Any, Words]) -> Part:
    """A word from a closed set; what is not in it is left out."""
    return Part(lambda told, names: str(words.get(told._at(path), "")))


def by_box(path: str, *, net: bool = False, words: Words = "%(n)s") -> Part:
    """Chips by box: ``box 1 +200, box 2 −400``."""
    return _part((path,), words, lambda value, names: boxes_words(value, signed if net else chips))


def by_entry(path: str) -> Part:
    """Changes of stacks by entry: ``E003 +400``."""
    return _part(
        (path,),
        "%(n)s",
        lambda value, names: ", ".join(f"{code} {signed(n)}" for code, n in sorted(value.items())),
    )


def boxes_words(value: Mapping[str, int], form: Callable[[int], str] = chips) -> str:
    """Chips by box in words, lowest box first."""
    return ", ".join(
        _("box %(box)s %(n)s") % {"box": box, "n": form(value[box])} for box in sorted(value, key=int)
    )


def _part(paths: Sequence[str], words: Words, form: Callable[[Any, Names], str]) -> Part:
    def say(told: Told, names: Names) -> str:
        found = told.at(*paths)
        # 0 is a figure as well: nothing given back is worth saying.
        said = form(found, names) if found is not None else ""
        return str(words) % {"n": said} if said else ""

    return Part(say)


# What changed ----------------------------------------------------------------------------------------


def changed(before: str, after: str) -> Part:
    """The values that are others than before: ``day limit $250.00 → $300.00``."""

    def say(told: Told, names: Names) -> str:
        return changes_words(told.at(before) or {}, told.at(after) or {}, names.currency)

    return Part(say)


def changes_words(old: Mapping[str, Any], new: Mapping[str, Any], currency: str) -> str:
    """Values before and after, those that differ."""
    return ", ".join(
        f"{setting_words(name)} {_value(name, old[name], currency)} → {_value(name, new[name], currency)}"
        for name in old
        if name in new and old[name] != new[name]
    )


def setting_words(name: str) -> str:
    """A setting by the name of its field, its unit left out."""
    return name.removesuffix("_cents").removesuffix("_chips").replace("_", " ")


def _value(name: str, value: Any, currency: str) -> str:
    if isinstance(value, bool) or value is None:
        return {True: _("yes"), False: _("no"), None: _("none")}[value]
    if isinstance(value, list):
        return ", ".join(map(str, value)) or _("none")
    if isinstance(value, Mapping):
        return ", ".join(f"{setting_words(str(key))} {each}" for key, each in value.items()) or _("none")
    if isinstance(value, int) and name.endswith("_cents"):
        return money(value, currency)
    return chips(value) if isinstance(value, int) else str(value)


# Counts (T18) ----------------------------------------------------------------------------------------


def count_entered() -> Part:
    """Which count and its figures; the first one's stay hidden until the second is in (T18)."""

    def say(told: Told, names: Names) -> str:
        first = told.at("result.which") == 1
        words = _("first count") if first else _("second count")
        if first and names.second_counts.get(told.at("asked.shoe") or 0, 0) < told.seq:
            return _("first count, hidden until the second is in")
        return f"{words}: {boxes_words(told.at('asked.chips') or {})}"

    return Part(say)


def count_ruled() -> Part:
    """Box by box what was counted, what the hands say and what was ruled, where these are not one figure."""

    def say(told: Told, names: Names) -> str:
        counts, ruled = told.at("noted.counts") or [], told.at("asked.chips") or {}
        # None where no hand was recorded: the table ran on counts alone.
        hands = told.at("noted.hands", "noted.before") or {}
        lines = []
        for box in sorted(ruled, key=int):
            counted = [sheet[box] for sheet in counts if box in sheet]
            if {ruled[box], *counted, hands.get(box, ruled[box])} != {ruled[box]}:
                lines.append(_ruled_words(box, counted, hands.get(box), ruled[box]))
        return "; ".join(lines)

    return Part(say)


def _ruled_words(box: str, counted: Sequence[int], hands: int | None, ruled: int) -> str:
    said = [_("counted %(n)s") % {"n": _(" and ").join(map(chips, counted))}] if counted else []
    said += [_("hands %(n)s") % {"n": chips(hands)}] if hands is not None else []
    said.append(_("ruled %(n)s") % {"n": chips(ruled)})
    return _("box %(box)s: %(said)s") % {"box": box, "said": ", ".join(said)}


def counts_taken_back() -> Part:
    """The counts that no longer hold; one alone stays hidden, for whoever counts next may read this."""

    def say(told: Told, names: Names) -> str:
        counts = told.at("noted.counts") or []
        if len(counts) < 2:
            return _("one count") if counts else ""
        return "; ".join(boxes_words(sheet) for sheet in counts)

    return Part(say)
