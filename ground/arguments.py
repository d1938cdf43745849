"""The arguments of commands as data: the names and types of the values in a journalled body.

The catalogue is written with these types. A body is checked in the form in which it is journalled, after its
conversion to JSON: there the keys of an object are text, and values that are not JSON have been refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Holds:
    """The type of an argument: its description, its check, and whether it may be null or left out."""

    words: str
    fits: Callable[[Any], bool]
    may_be_none: bool = False
    may_be_absent: bool = False

    @property
    def or_none(self) -> Holds:
        """Return the type of an argument that may be null but must be present."""
        return replace(self, may_be_none=True)

    @property
    def or_absent(self) -> Holds:
        """Return the type of an argument that may be left out."""
        return replace(self, may_be_absent=True)

    def takes(self, value: object) -> bool:
        """Whether the argument may have this value."""
        return self.may_be_none if value is None else self.fits(value)


def _whole(value: Any) -> bool:
    # To Python, True is an integer too.
    return isinstance(value, int) and not isinstance(value, bool)


def _each(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _by_box(value: Any) -> bool:
    return isinstance(value, dict) and all(box.isdigit() and _whole(n) for box, n in value.items())


def _text(value: Any) -> bool:
    return isinstance(value, str)


ID = Holds("id", _whole)
WHOLE = Holds("whole number", _whole)
FLAG = Holds("yes or no", lambda value: isinstance(value, bool))
TEXT = Holds("text", _text)
TEXTS = Holds("list of texts", _each(_text))
WHOLES = Holds("list of whole numbers", _each(_whole))
CHIPS = Holds("chips by box", _by_box)
FACTS = Holds("facts by name", lambda value: isinstance(value, dict))
LISTED = Holds("list of facts", _each(lambda value: isinstance(value, dict)))

Takes = Mapping[str, Holds]
"""The arguments of a command by name."""


def body_check(what: str, takes: Takes, body: Mapping[str, Any]) -> None:
    """Raise TypeError, for a programmer's mistake, unless a body has exactly the declared arguments."""
    unknown = body.keys() - takes.keys()
    lacking = {name for name, each in takes.items() if not each.may_be_absent} - body.keys()
    wrong = {name for name, each in takes.items() if name in body and not each.takes(body[name])}
    said = (
        *(f"has no argument {name!r}" for name in sorted(unknown)),
        *(f"lacks {name!r}" for name in sorted(lacking)),
        *(
            f"takes {takes[name].words} as {name!r}, not {type(body[name]).__name__}"
            for name in sorted(wrong)
        ),
    )
    if said:
        raise TypeError(f"{what!r} {'; '.join(said)}: the catalogue of commands says what it takes")
