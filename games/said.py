"""How a game says something: marked for translation, its figures apart, for whoever shows it to speak."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a game's table of house rules: its number, and what it is about."""

    number: int
    title: str


@dataclass(frozen=True, slots=True)
class Chips:
    """A figure of a sentence that is an amount of chips."""

    amount: int


@dataclass(frozen=True, slots=True)
class Several:
    """Words or sentences of a sentence that stand side by side, with what stands between two of them."""

    parts: tuple[Said | str, ...]
    between: str = ", "
    last: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the posted rules with its figures. ``where``: `row 5`, a clause (`A4`, `T17`).

    ``settings``: the settings that it says, each with its value; nothing where it holds for every event.
    """

    where: str
    text: str
    figures: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
