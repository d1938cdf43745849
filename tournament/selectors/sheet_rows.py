"""The rows of the house rules as a director reads them: what holds, and whether the sheet says so."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.blackjack.rules import SHEETS, SILENT, HouseRules
from games.blackjack.words import ROWS, decks_and_bets, glance, posted

from .hand_text import spoken


@dataclass(frozen=True)
class SheetRow:
    """One row: its number, its sentences, and its source: S (the sheet says so), D (our reading), or both."""

    number: int
    title: str
    sentences: tuple[str, ...]
    source: str


def sheet_rows(rules: HouseRules) -> list[SheetRow]:
    """Rows 1 to 25 of the rules of an event."""
    said: dict[str, list[str]] = {}
    for each in [*decks_and_bets(rules), *posted(rules)]:
        said.setdefault(each.where, []).append(spoken(each))
    silent = SILENT[rules.name]
    return [
        SheetRow(
            row.number, _(row.title), tuple(said.get(f"row {row.number}", ())), silent.get(row.number, "S")
        )
        for row in ROWS
    ]


def sheets_to_choose() -> list[dict[str, str]]:
    """The five sheets with what tells them apart at a glance."""
    return [{"name": name, "words": spoken(glance(rules))} for name, rules in SHEETS.items()]
