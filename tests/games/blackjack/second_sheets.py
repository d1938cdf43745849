"""The sheets for the second opinion, written down a second time from the table of house rules."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

INSURING = ("insurance", "even_money")
RANKS = "A23456789TJQK"
DECK = [rank + suit for rank in RANKS for suit in "shdc"]

NAMES = ("wonder", "eca", "banco", "ggpoker", "wiesbaden")
TABLE: dict[str, tuple[Any, ...]] = {
    "decks": ((6, 8), (6,), (6,), (4, 6, 8), (4, 6, 8)),
    "limits": ((200, 1000, 200, 100), (10, 500, 10, 5), (5, 200, 5, 5), (10, 1000, 10, 1), (10, 500, 10, 5)),
    "looks": ("AT", "", "", "A", ""),
    "hole_card": (True, False, False, True, False),
    "soft17": ("hit", *["stand"] * 4),
    "natural_paid": ("at_once",) * 5,
    "insurance": ("up_to_half", "half", "up_to_half", "half", "up_to_half"),
    "insurance_floor": (False, False, True, False, False),
    "natural_may_insure": (True, True, False, True, True),
    "insurance_closes": ("play", "play", "third_card", "play", "play"),
    "even_money": (True,) * 5,
    "even_money_returns_insurance": (True,) * 5,
    "double": ("any", "9-11", "any", "any", "9-11"),
    "double_soft_low": (False,) * 5,
    "double_amount": ("equal", "equal", "equal", "up_to", "equal"),
    "double_after_split": (True, True, True, False, True),
    "split": ("rank", *["value"] * 4),
    "max_hands": (4, None, 4, 2, 4),
    "resplit_aces": (False, True, False, False, False),
    "split_aces": ("one_card",) * 5,
    "split_cards": ("reached", "reached", "reached", "both", "reached"),
    "split_natural": (False,) * 5,
    "surrender": ("late", "none", "not_against_ace", "none", "none"),
    "surrender_after_split": (False, False, True, False, False),
    "draw_on_21": (True, False, True, False, True),
    "late_natural": ("all",) * 5,
    "line_chip": (False, False, True, False, False),
    "line_chip_push": ("stays",) * 5,
    "halves": (None,) * 5,
    "side_bets": (False, False, False, False, True),
    "players": (1, 4, 3, 1, 7),
    "shared_max": ("box",) * 5,
    "knows": ((), ("face_up", "misdealt", "dealer_extra"), ("extra", "not_dealt"), (), ()),
}
"""What each sheet says, a row a question."""
SHEETS = {name: {row: says[at] for row, says in TABLE.items()} for at, name in enumerate(NAMES)}
YES_NO = [
    *("natural_may_insure", "even_money", "even_money_returns_insurance", "double_soft_low"),
    *("double_after_split", "resplit_aces", "draw_on_21"),
]


def options_of(sheet: Mapping[str, Any]) -> dict[str, list[Any]]:
    """What a director may set on a sheet, from the rows of the table."""
    found: dict[str, list[Any]] = {name: [True, False] for name in YES_NO} | {
        "soft17": ["hit", "stand", "until_hard"],
        "natural_paid": ["at_once", "at_end"],
        "double": ["any", "9-11"],
        "double_amount": ["equal", "up_to"],
        "split": ["rank", "value"],
        "max_hands": [2, 3, 4],
        "split_aces": ["one_card", "play_on"],
        "split_cards": ["reached", "both"],
        "surrender": ["none"],
    }
    if not sheet["looks"] and not sheet["side_bets"]:
        found["hole_card"] = [True, False]
    if "A" not in sheet["looks"]:
        found["insurance_closes"] = ["play", "third_card"]
    if sheet["looks"] != "AT":
        found["late_natural"] = ["all", "original"]
    if sheet["surrender"] != "none":
        found["surrender"] = ["none", sheet["surrender"]]
        found["surrender_after_split"] = [True, False]
    if sheet["line_chip"]:
        found["line_chip_push"] = ["stays", "player", "house"]
    else:
        found["split_natural"] = [True, False]
        found["halves"] = ["player", "house"]
    if sheet["players"] > 1:
        found["shared_max"] = ["box", "player"]
    return found


def options_random(sheet: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Some options that go together."""
    offered = options_of(sheet)
    chosen = {
        name: random.choice(offered[name]) for name in random.sample(sorted(offered), random.randint(0, 8))
    }
    game = {**sheet, **chosen}
    if chosen.get("double_soft_low") and game["double"] != "9-11":
        del chosen["double_soft_low"]
    if chosen.get("surrender_after_split") and game["surrender"] == "none":
        del chosen["surrender_after_split"]
    if chosen.get("even_money_returns_insurance") is False and not game["even_money"]:
        del chosen["even_money_returns_insurance"]
    return chosen


def points(card: str) -> int:
    """What a card counts, an ace as 1."""
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def low_total(cards: list[str]) -> int:
    return sum(points(card) for card in cards)


def total(cards: list[str]) -> int:
    """The best total not over 21 if there is one."""
    low = low_total(cards)
    return low + 10 if any(card[0] == "A" for card in cards) and low + 10 <= 21 else low


def is_21_in_two(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards) == 21


class Hand:
    """``bets``: name → [bet, double, surrendered]; ``end``: why it needs no more decisions, or nothing."""

    def __init__(self, cards: list[str], bets: dict[str, list[Any]], split: bool, aces: bool) -> None:
        self.cards = cards
        self.bets = bets
        self.split = split
        self.aces = aces
        self.end = ""
        self.natural = False

    def who(self) -> list[str]:
        """Whose bets are still on it, the one who decides first."""
        return [name for name, bet in self.bets.items() if not bet[2]]


class Who:
    """A player on a box."""

    def __init__(self, name: str, bet: int, stack: int | None) -> None:
        self.name = name
        self.bet = bet
        self.stack = stack
        self.up = bet
        self.back = 0
        self.insured = 0
        self.even = False
        self.side: dict[str, int] = {}
        self.line = 0

    def can_add(self, chips: int) -> bool:
        return self.stack is None or self.up - self.back + chips <= self.stack


class Box:
    """A box: its players, the owner first, and its hands."""

    def __init__(self, seat: int, whos: list[Who]) -> None:
        self.seat = seat
        self.whos = whos
        self.hands: list[Hand] = []
        self.joker = False
        self.first: list[str] = []
        self.barred = False
        self.dealt = True

    @property
    def owner(self) -> Who:
        return self.whos[0]

    def named(self, name: str | None) -> Who | None:
        if name is None:
            return self.owner
        return next((who for who in self.whos if who.name == name), None) if len(self.whos) > 1 else None
