"""Sentences of a game: marked for translation, with separate figures, for pages to translate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a game's table of house rules: its number and its subject."""

    number: int
    title: str


@dataclass(frozen=True, slots=True)
class Chips:
    """A figure of a sentence that is an amount of chips."""

    amount: int


@dataclass(frozen=True, slots=True)
class Several:
    """Several words or sentences inside a sentence, with the text between them."""

    parts: tuple[RuleText | str, ...]
    between: str = ", "
    last: str = ""


@dataclass(frozen=True, slots=True)
class RuleText:
    """A sentence of the posted rules with its figures. ``where``: `row 5`, a clause (`A4`, `T17`).

    ``settings``: the settings behind it, each with its value; empty if it applies to every event.
    """

    where: str
    text: str
    figures: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
