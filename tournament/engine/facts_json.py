"""Facts as JSON and back, as stored in the journal: ``{"fact": "Sold", "entry": "E001", …}``.

The fields of each class and their types define the conversion. Tuples are lists in JSON, and the plan of an
event is the snapshot of its posted settings, so that a plan has one spelling. A missing field gets its
default: older facts were written before the field existed. An unknown field type raises on import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from ground.refused import Refused
from tournament.engine.facts import Corrected, TakenBack, Written
from tournament.engine.fold import STEPS
from tournament.engine.plan import Plan, plan_of
from tournament.engine.settings import to_dict

NAME: Final = "fact"
KINDS: Final = (*STEPS, TakenBack, Corrected)
Convert = Callable[[Any], Any]


class UnknownFact(ValueError):
    """A kind of fact that this release does not have: another release wrote it."""


def fact_to_json(fact: Written) -> dict[str, Any]:
    """Return a fact as JSON, with the name of its class."""
    return {NAME: type(fact).__name__, **_WRITE[type(fact).__name__](fact)}


def fact_of_json(body: Mapping[str, Any]) -> Written:
    """Return the fact that ``fact_to_json`` has converted. Raises ValueError for anything else, UnknownFact
    for a kind of another release."""
    try:
        if body[NAME] not in _READ:
            raise UnknownFact(body[NAME])
        fact: Written = _READ[body[NAME]](body)
    except (LookupError, TypeError, AttributeError, Refused) as why:
        raise ValueError(f"no fact: {why!r}") from why
    return fact


def _as_it_is(value: Any) -> Any:
    return value


def _converter(hint: Any, *, writes: bool) -> Convert:
    """Return the function that converts values of this type to JSON, or from JSON."""
    if hint is Plan:
        return (lambda plan: to_dict(plan.settings)) if writes else plan_of
    if is_dataclass(hint):
        return _of_fields(hint, writes=writes)
    parts = {part: _converter(part, writes=writes) for part in get_args(hint) if part is not Ellipsis}
    if get_origin(hint) is tuple:
        return _of_tuple([parts.get(part) for part in get_args(hint)])
    if get_origin(hint) in (Union, UnionType):
        return _of_either(parts)
    if hint not in (int, str, bool, NoneType):
        raise TypeError(f"no JSON for {hint}")
    return _as_it_is


def _of_fields(kind: Any, *, writes: bool) -> Convert:
    hints = get_type_hints(kind)
    each = [(one.name, _converter(hints[one.name], writes=writes)) for one in fields(kind)]
    if writes:
        return lambda thing: {name: convert(getattr(thing, name)) for name, convert in each}
    return lambda body: kind(**{name: convert(body[name]) for name, convert in each if name in body})


def _of_tuple(each: list[Convert | None]) -> Convert:
    """Return the converter of a tuple; the last converter is None for a tuple of any length."""
    if all(convert in (_as_it_is, None) for convert in each):
        return tuple
    first = each[0]
    if first is not None and each[-1] is None:
        return lambda values: tuple(map(first, values))
    return lambda values: tuple(one(value) for one, value in zip(each, values, strict=True) if one)


def _of_either(parts: dict[Any, Convert]) -> Convert:
    """Return the converter of an optional value, or of two kinds of tuples that differ in length."""
    kinds = [part for part in parts if part is not NoneType]
    by_length = {len(get_args(part)): parts[part] for part in kinds}
    if len(by_length) < len(kinds):
        raise TypeError(f"no JSON for one of {kinds}")
    if len(kinds) > 1:
        return lambda values: by_length[len(values)](values)
    one = parts[kinds[0]]
    return lambda value: None if value is None else one(value)


def _all(*, writes: bool) -> dict[str, Convert]:
    return {kind.__name__: _converter(kind, writes=writes) for kind in KINDS}


_WRITE, _READ = _all(writes=True), _all(writes=False)
