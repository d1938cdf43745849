"""The decorator for the values of the engine: facts, states, standings, ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(kind: type[T]) -> type[T]:
    """Make a dataclass whose values never change; mypy checks it.

    A frozen dataclass would check it at run time too, but creating a value would take six times as long, and
    a fold creates four for every hand.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)
