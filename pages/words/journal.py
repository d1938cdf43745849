"""The parts of a journal entry (``tournament.journal_parts``) in words.

All ids of a page are looked up at once, into ``Names``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from ground.words import sentence_of
from pages.words.saying import said
from tournament.figures import chips, money, ordinal, signed
from tournament.journal_parts import How, Part


@dataclass(frozen=True)
class JournalBody:
    """One entry as its parts read it: the arguments, the result and the notes of its command."""

    asked: Mapping[str, Any]
    result: Mapping[str, Any]
    noted: Mapping[str, Any]
    seq: int = 0

    def at(self, *paths: str) -> Any:
        """Return the value at the first of these paths that has one, None without any."""
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
    """The names of ids by kind of object; the currency; the journal numbers of second counts."""

    things: Mapping[tuple[str, int], str] = field(default_factory=dict)
    currency: str = "USD"
    second_counts: Mapping[int, int] = field(default_factory=dict)

    def of(self, thing: str, pk: Any) -> str:
        """Return an object in words; empty for an unknown one."""
        return self.things.get((thing, pk), "") if isinstance(pk, int) else ""


def ids_needed(part: Part, body: JournalBody) -> Iterable[tuple[str, int]]:
    """Yield (kind of object, id) for the ids that a part of this entry needs."""
    for path in part.paths if part.thing else ():
        found = body.at(path)
        for pk in found if isinstance(found, list) else [found]:
            if type(pk) is int:
                yield part.thing, pk


def say(part: Part, body: JournalBody, names: Names) -> str:
    """Return a part of an entry in words; empty if it has no value."""
    if part.how in _FIGURES:
        found = body.at(*part.paths)
        # 0 is a value too: that no chips were given back is worth a line.
        said = _FIGURES[part.how](found, names) if found is not None else ""
        return _(part.words) % {"n": said} if said else ""
    return _SENTENCES[part.how](part, body, names)


# Figures ---------------------------------------------------------------------------------------------

_FIGURES: dict[How, Callable[[Any, Names], str]] = {
    How.TEXT: lambda value, names: str(value),
    How.SENTENCE: lambda value, names: said(sentence_of(value)),
    How.AMOUNT: lambda value, names: money(value, names.currency),
    How.AMOUNTS: lambda value, names: ", ".join(
        f"{ordinal(place)} {money(cents, names.currency)}" for place, cents in enumerate(value, start=1)
    ),
    How.STACK: lambda value, names: chips(value) if value else "",
    How.CARDS: lambda value, names: str(value) if value > 1 else "",
    How.HOW_MANY: lambda value, names: str(len(value)),
    How.LISTED: lambda value, names: ", ".join(map(str, value)),
    How.BY_BOX: lambda value, names: boxes_words(value),
    How.BY_BOX_NET: lambda value, names: boxes_words(value, signed),
    How.BY_ENTRY: lambda value, names: ", ".join(f"{code} {signed(n)}" for code, n in sorted(value.items())),
}


# Objects and sentences -------------------------------------------------------------------------------


def _thing(part: Part, body: JournalBody, names: Names) -> str:
    found = body.at(*part.paths)
    said = found if isinstance(found, str) else names.of(part.thing, found)
    return _(part.words) % {"n": said} if said else ""


def _things(part: Part, body: JournalBody, names: Names) -> str:
    found = body.at(*part.paths)
    said = (names.of(part.thing, pk) for pk in found) if isinstance(found, list) else ()
    return ", ".join(each for each in said if each)


def _seat(part: Part, body: JournalBody, names: Names) -> str:
    if body.at("result.table") is None:
        return names.of(part.thing, body.at(*part.paths))
    return box_words(body.at("result.table"), body.at("result.box"))


def _one_of(part: Part, body: JournalBody, names: Names) -> str:
    return _(part.each.get(body._at(part.paths[0]), ""))


def _place(part: Part, body: JournalBody, names: Names) -> str:
    found = body.at(*part.paths)
    shared = "=" if body.at("result.tied") else ""
    return _(part.words) % {"n": shared + ordinal(found)} if found else ""


def _changed(part: Part, body: JournalBody, names: Names) -> str:
    before, after = part.paths
    return changes_words(body.at(before) or {}, body.at(after) or {}, names.currency)


def _count_entered(part: Part, body: JournalBody, names: Names) -> str:
    first = body.at("result.which") == 1
    words = _("first count") if first else _("second count")
    if body.asked.get("again"):
        words = _("counted again in the first count") if first else _("counted again in the second count")
    elif first and names.second_counts.get(body.at("asked.shoe") or 0, 0) < body.seq:
        return _("first count, hidden until the second is in")
    return f"{words}: {boxes_words(body.at('asked.chips') or {})}"


def _count_ruled(part: Part, body: JournalBody, names: Names) -> str:
    # A refused ruling has no notes; the request has the evidence in its arguments.
    counts = body.at("noted.counts", "asked.counts") or []
    ruled, hands = body.at("asked.chips") or {}, _hands_beside(body)
    lines = []
    for box in sorted(ruled, key=int):
        counted = [sheet[box] for sheet in counts if box in sheet]
        if {ruled[box], *counted, hands.get(box, ruled[box])} != {ruled[box]}:
            lines.append(ruled_words(box, counted, hands.get(box), ruled[box], asked=_only_asked(body)))
    return "; ".join(lines)


def _only_asked(body: JournalBody) -> bool:
    """Whether a ruling was only requested or was refused (T18)."""
    return not body.result or body.at("result.request") is not None


def _hands_beside(body: JournalBody) -> Mapping[str, int]:
    """Return the chips by the hands at a ruling; empty for a table on counts alone."""
    found = (body.noted.get("hands"), body.asked.get("hands"), body.noted.get("before"))
    return next((each for each in found if each is not None), {})


def _counts_taken_back(part: Part, body: JournalBody, names: Names) -> str:
    counts = body.at("noted.counts") or []
    if len(counts) < 2:
        return _("one count") if counts else ""
    return "; ".join(boxes_words(sheet) for sheet in counts)


_SENTENCES: dict[How, Callable[[Part, JournalBody, Names], str]] = {
    How.THING: _thing,
    How.THINGS: _things,
    How.SEAT: _seat,
    How.ONE_OF: _one_of,
    How.PLACE: _place,
    How.CHANGED: _changed,
    How.COUNT_ENTERED: _count_entered,
    How.COUNT_RULED: _count_ruled,
    How.COUNTS_TAKEN_BACK: _counts_taken_back,
}


# Words that other pages share ------------------------------------------------------------------------


def box_words(table: int, box: int) -> str:
    """Return a box in words."""
    return _("table %(table)s, box %(box)s") % {"table": table, "box": box}


def boxes_words(value: Mapping[str, int], form: Callable[[int], str] = chips) -> str:
    """Return chips by box in words, lowest box first."""
    return ", ".join(
        _("box %(box)s %(n)s") % {"box": box, "n": form(value[box])} for box in sorted(value, key=int)
    )


def ruled_words(
    box: str, counted: Sequence[int], hands: int | None, ruled: int, *, who: str = "", asked: bool = False
) -> str:
    """Return a ruling on the count of a box with its evidence; ``hands``: None if no hands were recorded.

    ``who``: the player, for pages that name players (the journal does not). ``asked``: the ruling is only
    requested, not confirmed.
    """
    said = [_("counted %(n)s") % {"n": _(" and ").join(map(chips, counted))}] if counted else []
    said += [_("hands %(n)s") % {"n": chips(hands)}] if hands is not None else []
    words = _("asked for %(n)s") if asked else _("ruled %(n)s")
    said.append(words % {"n": chips(ruled)})
    words = _("box %(box)s, %(who)s: %(said)s") if who else _("box %(box)s: %(said)s")
    return words % {"box": box, "who": who, "said": ", ".join(said)}


def changes_words(old: Mapping[str, Any], new: Mapping[str, Any], currency: str) -> str:
    """Return the values that differ, before and after."""
    return ", ".join(
        f"{setting_words(name)} {_value(name, old[name], currency)} → {_value(name, new[name], currency)}"
        for name in old
        if name in new and old[name] != new[name]
    )


def setting_words(name: str) -> str:
    """Return the name of a setting's field without its unit."""
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
