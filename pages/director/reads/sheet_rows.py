"""The rows of the house rules for a director: the rule in force, and its source."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.protocol import Rules
from games.registry import game_of, sheet_title, sheets
from pages.words.hands import spoken


@dataclass(frozen=True)
class SheetRow:
    """One row: its number, its sentences, and its source: S (the sheet), D (our interpretation), or both.

    ``otherwise``: the event differs from its sheet or from our interpretation.
    """

    number: int
    title: str
    sentences: tuple[str, ...]
    source: str
    otherwise: bool

    @property
    def source_words(self) -> str:
        """Return the source in words."""
        if self.otherwise:
            return _("this event differs from the sheet")
        words = {"S": _("the sheet says so"), "D": _("the sheet is silent: as the house reads it")}
        return str(words.get(self.source, _("in part the sheet, in part as the house reads it")))


def sheet_rows(rules: Rules) -> list[SheetRow]:
    """Return the rows of an event's rules."""
    game = game_of(rules)
    sentences, silent = _said(rules), game.silent(rules.name)
    # Every number of decks that the sheet allows counts as the sheet's rule.
    of_the_sheet = _said(game.rules_make(rules.name, decks=rules.decks))
    return [
        SheetRow(
            row.number,
            _(row.title),
            sentences.get(row.number, ()),
            silent.get(row.number, "S"),
            sentences.get(row.number) != of_the_sheet.get(row.number),
        )
        for row in game.rows
    ]


def _said(rules: Rules) -> dict[int, tuple[str, ...]]:
    """Map rows to their sentences."""
    sentences: dict[str, list[str]] = {}
    game = game_of(rules)
    for each in [*game.decks_and_bets(rules), *game.posted(rules)]:
        sentences.setdefault(each.where, []).append(spoken(each))
    return {
        row.number: tuple(sentences[f"row {row.number}"])
        for row in game.rows
        if f"row {row.number}" in sentences
    }


def sheets_to_choose() -> list[dict[str, str]]:
    """Return the sheets with the main differences between them."""
    return [
        {"name": name, "title": sheet_title(name), "words": spoken(game_of(rules).glance(rules))}
        for name, rules in sheets().items()
    ]
