"""How the engine declares its values: facts, states, standings, ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(kind: type[T]) -> type[T]:
    """Make a dataclass whose values nothing may change, as mypy holds.

    Python would check that too, and take six times as long for each value: a fold makes four for every hand.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)
