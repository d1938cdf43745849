"""A fact as JSON and back, as the journal keeps it: ``{"fact": "Sold", "entry": "E001", …}``.

The fields of each class and their types say how. Tuples are lists in JSON, and the plan of an event is the
snapshot of its posted settings, so that a plan has one spelling. A field with a default may be missing: facts
from before it existed are read with the default. A type that nothing here reads is refused on import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from ground.refused import Refused
from tournament.engine.facts import Written
from tournament.engine.plan import Plan, plan_of
from tournament.engine.settings import to_dict

NAME: Final = "fact"
PLAIN: Final = (int, str, bool, type(None))
Convert = Callable[[Any], Any]


def fact_to_json(fact: Written) -> dict[str, Any]:
    """Return a fact as JSON, with the name of its class."""
    return {NAME: type(fact).__name__, **_WRITE[type(fact)](fact)}


def fact_of_json(body: Mapping[str, Any]) -> Written:
    """Return the fact that ``fact_to_json`` has made JSON of. Raises ValueError where it is no fact."""
    try:
        fact: Written = _READ[body[NAME]](body)
    except (LookupError, TypeError, AttributeError, Refused) as why:
        raise ValueError(f"no fact: {why!r}") from why
    return fact


def _as_it_is(value: Any) -> Any:
    return value


def _writer(hint: Any) -> Convert:
    """Return what makes JSON of a value of this type; tuples are lists in JSON already."""
    if hint is Plan:
        return lambda plan: to_dict(plan.settings)
    if is_dataclass(hint):
        return _object_writer(hint)
    if get_origin(hint) is tuple:
        return _tuple_of(hint, _writer)
    if get_origin(hint) in (Union, UnionType):
        return _either(hint, _writer)
    return _plain(hint)


def _reader(hint: Any) -> Convert:
    """Return what makes a value of this type of JSON."""
    if hint is Plan:
        return plan_of
    if is_dataclass(hint):
        return _object_reader(hint)
    if get_origin(hint) is tuple:
        return _tuple_of(hint, _reader)
    if get_origin(hint) in (Union, UnionType):
        return _either(hint, _reader)
    return _plain(hint)


def _plain(hint: Any) -> Convert:
    if hint not in PLAIN:
        raise TypeError(f"no JSON for {hint}")
    return _as_it_is


def _tuple_of(hint: Any, convert: Callable[[Any], Convert]) -> Convert:
    """Return what converts a tuple; a tuple of figures or names is converted as a whole."""
    parts = get_args(hint)
    each = [convert(part) for part in parts if part is not Ellipsis]
    if all(one is _as_it_is for one in each):
        return tuple
    if parts[-1] is Ellipsis:
        (one,) = each
        return lambda values: tuple(map(one, values))
    return lambda values: tuple(one(value) for one, value in zip(each, values, strict=True))


def _either(hint: Any, convert: Callable[[Any], Convert]) -> Convert:
    """Return what converts None or a value, and of several kinds of tuples the one that is so long."""
    kinds = [part for part in get_args(hint) if part is not type(None)]
    if len(kinds) == 1:
        (one,) = (convert(part) for part in kinds)
        return one if one is _as_it_is else lambda value: None if value is None else one(value)
    by_length = {len(get_args(part)): convert(part) for part in kinds}
    if len(by_length) < len(kinds) or any(get_origin(part) is not tuple for part in kinds):
        raise TypeError(f"no JSON for {hint}")
    return lambda values: by_length[len(values)](values)


def _fields(kind: Any, convert: Callable[[Any], Convert]) -> tuple[tuple[str, Convert], ...]:
    hints = get_type_hints(kind)
    return tuple((each.name, convert(hints[each.name])) for each in fields(kind))


def _object_writer(kind: Any) -> Convert:
    each = _fields(kind, _writer)
    return lambda thing: {name: convert(getattr(thing, name)) for name, convert in each}


def _object_reader(kind: Any) -> Convert:
    each = _fields(kind, _reader)
    return lambda body: kind(**{name: convert(body[name]) for name, convert in each if name in body})


_WRITE: Final[Mapping[type, Convert]] = {kind: _writer(kind) for kind in get_args(Written)}
_READ: Final[Mapping[str, Convert]] = {kind.__name__: _reader(kind) for kind in get_args(Written)}
