"""How the engine declares its values: facts, states, standings, ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(kind: type[T]) -> type[T]:
    """Make a dataclass whose values are never changed; mypy checks that.

    A frozen dataclass would check it at run time too, but each value would take six times as long to make,
    and a fold makes four for every hand.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)
