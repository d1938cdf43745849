"""The rows of the house rules as a director reads them: what holds, and whether the sheet says so."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.blackjack.rules import SHEETS, HouseRules
from tournament.templatetags.cutline import chips

from .hand_text import hand_rows

# Rows on which a sheet is silent, or says only part: what holds is then our reading (D). All others it says.
SILENT: dict[str, dict[int, str]] = {
    "wonder": {7: "S, D", 9: "D", 18: "D", 19: "D", 20: "S, D", 21: "D", 25: "D"},
    "eca": {24: "D"},
    "banco": {2: "S, D", 3: "D", 13: "D", 14: "D", 18: "D", 21: "D", 23: "S, D", 24: "D"},
    "ggpoker": {1: "D", 2: "D", 5: "D", 6: "D", 7: "D", 9: "D", 11: "D", 20: "D", 24: "D", 25: "D"},
    "wiesbaden": {1: "S, D", 2: "D", 7: "D", 9: "D", 10: "D", 13: "D", 17: "S, D", 18: "D", 20: "D", 22: "D"},
}


@dataclass(frozen=True)
class SheetRow:
    """One row: its number, its sentences, and its source: S (the sheet says so), D (our reading), or both."""

    number: int
    title: str
    sentences: tuple[str, ...]
    source: str


def sheet_rows(rules: HouseRules) -> list[SheetRow]:
    """Rows 1 to 25 of the rules of an event."""
    said: dict[int, list[str]] = {1: [_decks(rules)], 2: [_bets(rules)]}
    for row, sentence in hand_rows(rules):
        if row.startswith("row "):
            said.setdefault(int(row.removeprefix("row ")), []).append(sentence)
    silent = SILENT[rules.name]
    return [
        SheetRow(number, title, tuple(said.get(number, ())), silent.get(number, "S"))
        for number, title in _titles().items()
    ]


def sheets_to_choose() -> list[dict[str, str]]:
    """The five sheets with what tells them apart at a glance."""
    return [{"name": name, "words": _glance(rules)} for name, rules in SHEETS.items()]


def _glance(r: HouseRules) -> str:
    parts = [
        _("%(decks)s decks") % {"decks": _numbers(r.decks_allowed)},
        _("bets %(low)s to %(high)s") % {"low": chips(r.min_chips), "high": chips(r.max_chips)},
        _("a hole card") if r.hole_card else _("no hole card"),
        _("surrender") if r.surrender != "none" else _("no surrender"),
    ]
    return " · ".join(parts)


def _decks(r: HouseRules) -> str:
    words = _("%(n)s decks are used; the sheet allows %(allowed)s.")
    return words % {"n": r.decks, "allowed": _numbers(r.decks_allowed)}


def _numbers(found: tuple[int, ...]) -> str:
    texts = [str(each) for each in found]
    return (
        texts[0]
        if len(texts) == 1
        else _("%(some)s or %(last)s") % {"some": ", ".join(texts[:-1]), "last": texts[-1]}
    )


def _bets(r: HouseRules) -> str:
    words = _("Bets are from %(low)s to %(high)s in steps of %(step)s; the smallest chip is %(chip)s.")
    return words % {
        "low": chips(r.min_chips),
        "high": chips(r.max_chips),
        "step": chips(r.step_chips),
        "chip": chips(r.chip_chips),
    }


def _titles() -> dict[int, str]:
    return {
        1: _("Decks"),
        2: _("Bets"),
        3: _("The dealer's second card"),
        4: _("The look"),
        5: _("Soft 17"),
        6: _("Blackjack pays"),
        7: _("Blackjack is paid"),
        8: _("Insurance"),
        9: _("Insuring a blackjack"),
        10: _("Insurance closes"),
        11: _("Even money"),
        12: _("Doubling"),
        13: _("Amount of a double"),
        14: _("Double after a split"),
        15: _("Splitting"),
        16: _("Hands after splits"),
        17: _("Split aces"),
        18: _("Second card of split hands"),
        19: _("Ace and ten after a split"),
        20: _("Surrender"),
        21: _("Drawing on 21"),
        22: _("A dealer's blackjack after play"),
        23: _("Halves"),
        24: _("Side bets"),
        25: _("Shared boxes"),
    }
