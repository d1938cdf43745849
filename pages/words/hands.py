"""Translate a game's sentences about its rules, and format their figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from games.protocol import Rules
from games.registry import game_of
from games.rule_text import Chips, RuleText, Several
from tournament.figures import chips


@dataclass(frozen=True, slots=True)
class Rule:
    """One or more sentences of the posted rules that state the same settings.

    ``clause``: the clause as in code and tests (`T12`), or `row 5` of the house rules. ``settings``: the
    settings that the sentences state, with their values; empty for rules of every event.
    """

    clause: str
    text: str
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def options(self) -> str:
        """The names of the settings, side by side."""
        return " ".join(self.settings)

    @property
    def values(self) -> str:
        """Their values in the same order, as the posted JSON writes them."""
        return " ".join(map(_as_posted, self.settings.values()))


def _as_posted(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def hand_rule_sentences(rules: Rules) -> list[Rule]:
    """Return every rule of the hand in the order of play."""
    return [Rule(said.where, spoken(said), said.settings) for said in game_of(rules).posted(rules)]


def spoken(said: object) -> str:
    """Translate a sentence with figures, a list, an amount of chips, or a marked word."""
    if isinstance(said, RuleText):
        return _(said.text) % {name: spoken(each) for name, each in said.figures.items()}
    if isinstance(said, Several):
        return _several(said)
    if isinstance(said, Chips):
        return chips(said.amount)
    return _(said) if isinstance(said, str) and said else str(said)


def _several(said: Several) -> str:
    parts = [spoken(each) for each in said.parts]
    if not said.last or len(parts) < 2:
        return said.between.join(parts)
    return _(said.last) % {"some": said.between.join(parts[:-1]), "last": parts[-1]}
