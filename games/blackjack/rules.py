"""House rules: one frozen object of settings per sheet; no code looks at a sheet's name.

Each field is a row of the house-rule table. ``SHEETS`` holds the five posted sheets as data; the choices of
an event are applied in ``event_rules``.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from ground.refused import Refused

LIMIT_FIELDS = {
    "min": "min_chips",
    "max": "max_chips",
    "step": "step_chips",
    "chip": "chip_chips",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The settings of the game at one table. Amounts are whole chips.

    The number in a comment is the row of the house-rule table.
    """

    game: ClassVar[str] = "blackjack"
    name: str
    decks: int  # 1
    decks_allowed: tuple[int, ...]  # 1
    joker: bool = False  # 1: one joker in the shuffler
    min_chips: int  # 2
    max_chips: int  # 2
    step_chips: int  # 2
    chip_chips: int  # 2: value of the smallest chip
    hole_card: bool  # 3: the dealer's second card is dealt face down before play
    looks_under: str = ""  # 4: first cards, "A" and "T" (any ten-value), under which the dealer looks
    soft17: str = "stand"  # 5: "hit", "stand" or "until_hard"
    natural_pays: tuple[int, int] = (3, 2)  # 6
    paid_at_once: tuple[int, int] = (2, 9)  # 7: dealer's first cards against which a natural is paid at once
    natural_paid: str = "at_once"  # 7: or "at_end", with the other hands
    insurance: str = "half"  # 8: "half" exactly, or "up_to_half"
    insurance_from_half_minimum: bool = False  # 8: at least half the table's minimum
    natural_may_insure: bool = True  # 9
    insurance_closes: str = (
        "play"  # 10: "look", "play" (before anyone plays) or "third_card" (or the dealer draws)
    )
    even_money: bool = True  # 11
    even_money_returns_insurance: bool = True  # 11
    double: str = "any"  # 12: "any" or "9-11"
    double_soft_low: bool = False  # 12: whether an ace counts 1 for doubling on 9 to 11
    double_amount: str = "equal"  # 13: "equal" or "up_to"
    double_after_split: bool = True  # 14
    split: str = "value"  # 15: "value" or "rank"
    max_hands: int | None = 4  # 16: None is no limit
    resplit_aces: bool = False  # 17
    split_aces: str = "one_card"  # 17: or "play_on" like any other hand
    split_cards: str = "reached"  # 18: second cards "reached" (when the hand is) or "both" at once
    split_natural: bool = False  # 19: whether ace and ten after a split are a natural
    surrender: str = "none"  # 20: "none", "late" (after the look) or "not_against_ace"
    surrender_after_split: bool = False  # 20
    draw_on_21: bool = True  # 21
    late_natural: str = "all"  # 22: what a dealer's natural after play takes: "all" or "original" bets
    line_chip: bool = False  # 23: odd halves of a natural lie on the line
    line_chip_push: str = "stays"  # 23: what a push does to the chip: "stays", "player" or "house"
    halves: str | None = None  # 23, A7: for "player" or "house" halves are rounded; None: none arise
    side_bets: tuple[str, ...] = ()  # 24
    side_bet_box_max: tuple[tuple[str, int], ...] = ()  # 24: most chips of a kind on a shared box
    players_per_box: int | None = 1  # 25: None is no limit
    shared_max: str = "box"  # 25: the maximum holds for the "box" together or for each "player"
    irregularities: tuple[str, ...] = ()  # the kinds after which a round is played on
    void_reasons: tuple[str, ...] = ("ruling",)  # why a round may be void

    @property
    def title(self) -> str:
        """The sheet's name for people to read."""
        return TITLES.get(self.name, self.name)

    @property
    def limits(self) -> dict[str, int]:
        """The bet limits with the keys of the hand record."""
        return {word: getattr(self, field) for word, field in LIMIT_FIELDS.items()}

    @property
    def odd_halves(self) -> bool:
        """Whether half a bet need not be whole chips: it stays on the line or is rounded (row 23, A7)."""
        return self.line_chip or self.halves is not None

    def insurance_range(self, bet_chips: int) -> tuple[int, int, int]:
        """Return least, most and step of the insurance of a bet, in chips (row 8); none if least is above
        most.

        A7: if halves are rounded, exactly half means its whole chips.
        """
        chip = self.chip_chips
        half = bet_chips // 2 // chip * chip
        if self.insurance == "half" and self.halves is not None:
            return max(half, chip), half, chip
        if self.insurance == "half":
            return (bet_chips // 2, bet_chips // 2, 1) if bet_chips % 2 == 0 else (chip, 0, chip)
        low = -(-self.min_chips // 2) if self.insurance_from_half_minimum else chip
        return -(-low // chip) * chip, half, chip

    def insurances(self, most: int) -> tuple[int, ...]:
        """Return every possible amount of insurance at the table, in chips, smallest first (row 8).

        Empty if there are more than ``most`` amounts: bets may be limited by the stacks alone.
        """
        found: set[int] = set()
        for bet in range(self.min_chips, self.max_chips + 1, self.step_chips):
            low, high, step = self.insurance_range(bet)
            if high - low > most * step:
                return ()
            found.update(range(low, high + 1, step))
            if len(found) > most:
                return ()
        return tuple(sorted(found))

    def natural_pay(self, bet_chips: int) -> int:
        """Return the win of a natural, in chips (row 6), rounded if the event rounds halves (A7).

        If an odd half lies on the line (row 23), the whole chips of the win.
        """
        over, under = self.natural_pays
        if not self.odd_halves:
            return bet_chips * over // under
        return self._whole(bet_chips * over, under, up=self.halves == "player")

    def surrender_loss(self, bet_chips: int) -> int:
        """Return the loss of a surrender: half the bet; the refund is rounded up, or down for the house (rows
        20, 23, A7)."""
        return bet_chips - self._whole(bet_chips, 2, up=self.halves != "house")

    def _whole(self, over: int, under: int, *, up: bool) -> int:
        """Return ``over / under`` chips, rounded to whole chips of the table."""
        unit = under * self.chip_chips
        return (-(-over // unit) if up else over // unit) * self.chip_chips

    def to_dict(self) -> dict[str, Any]:
        """Return all settings as JSON values, for an event to store and hash."""
        return {k: _listed(v) for k, v in asdict(self).items()}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> "HouseRules":
        """Return the rules that ``to_dict`` wrote, including older versions with fewer fields.

        A missing field that is not in ``FIRST_FIELDS`` gets the sheet's value, which was played then. Raises
        Refused ``bad_options`` if another setting is missing, or one is unknown.
        """
        names = {each.name for each in fields(cls)}
        given = set(settings)
        if not FIRST_FIELDS <= given <= names:
            raise Refused("bad_options", "These are not the settings of one house-rule sheet.")
        own = SHEETS.get(settings["name"])
        later = {} if own is None else {name: getattr(own, name) for name in names - given}
        return cls(**{name: _tupled(value) for name, value in settings.items()}, **later)


def _listed(value: Any) -> Any:
    """Return tuples as lists, for JSON."""
    return [_listed(each) for each in value] if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    return tuple(_tupled(each) for each in value) if isinstance(value, list) else value


FIRST_FIELDS = frozenset(
    {
        *("name", "decks", "decks_allowed", "joker", "min_chips", "max_chips", "step_chips", "chip_chips"),
        *("hole_card", "looks_under", "soft17", "natural_pays", "paid_at_once", "insurance"),
        *("insurance_from_half_minimum", "natural_may_insure", "insurance_closes", "even_money"),
        *("even_money_returns_insurance", "double", "double_amount", "double_after_split", "split"),
        *("max_hands", "resplit_aces", "split_cards", "surrender", "draw_on_21", "line_chip", "side_bets"),
        "players_per_box",
    }
)
"""Settings that every posted event has; all other settings were added later."""

SHEETS: dict[str, HouseRules] = {
    rules.name: rules
    for rules in (
        HouseRules(
            name="wonder",
            decks=6,
            decks_allowed=(6, 8),
            min_chips=200,
            max_chips=1000,
            step_chips=200,
            chip_chips=100,
            hole_card=True,
            looks_under="AT",
            soft17="hit",
            insurance="up_to_half",
            insurance_closes="look",
            split="rank",
            surrender="late",
        ),
        HouseRules(
            name="eca",
            decks=6,
            decks_allowed=(6,),
            min_chips=10,
            max_chips=500,
            step_chips=10,
            chip_chips=5,
            hole_card=False,
            double="9-11",
            max_hands=None,
            resplit_aces=True,
            draw_on_21=False,
            players_per_box=4,
            irregularities=("face_up", "misdealt", "dealer_extra"),
            void_reasons=("ruling", "misdeal"),
        ),
        HouseRules(
            name="banco",
            decks=6,
            decks_allowed=(6,),
            min_chips=5,
            max_chips=200,
            step_chips=5,
            chip_chips=5,
            hole_card=False,
            insurance="up_to_half",
            insurance_from_half_minimum=True,
            natural_may_insure=False,
            insurance_closes="third_card",
            surrender="not_against_ace",
            surrender_after_split=True,
            line_chip=True,
            players_per_box=3,
            irregularities=("extra", "not_dealt"),
            void_reasons=("ruling", "cut_card"),
        ),
        HouseRules(
            name="ggpoker",
            decks=6,
            decks_allowed=(4, 6, 8),
            min_chips=10,
            max_chips=1000,
            step_chips=10,
            chip_chips=1,
            hole_card=True,
            looks_under="A",
            double_amount="up_to",
            double_after_split=False,
            max_hands=2,
            split_cards="both",
            draw_on_21=False,
            void_reasons=("ruling", "malfunction"),
        ),
        HouseRules(
            name="wiesbaden",
            decks=6,
            decks_allowed=(4, 6, 8),
            joker=True,
            min_chips=10,
            max_chips=500,
            step_chips=10,
            chip_chips=5,
            hole_card=False,
            insurance="up_to_half",
            double="9-11",
            side_bets=("twins", "crazy_twins"),
            side_bet_box_max=(("twins", 200),),
            players_per_box=None,
        ),
    )
}

TITLES = {"wonder": "Wonder", "eca": "ECA", "banco": "Banco", "ggpoker": "GGPoker", "wiesbaden": "Wiesbaden"}
"""The names of the sheets for people to read; records and settings keep the short names."""

# Rows on which a sheet is silent or incomplete: there our reading applies (D).
SILENT: dict[str, dict[int, str]] = {
    "wonder": {7: "S, D", 9: "D", 18: "D", 19: "D", 20: "S, D", 21: "D", 25: "D"},
    "eca": {24: "D"},
    "banco": {2: "S, D", 3: "D", 13: "D", 14: "D", 18: "D", 21: "D", 23: "S, D", 24: "D"},
    "ggpoker": {1: "D", 2: "D", 5: "D", 6: "D", 7: "D", 9: "D", 11: "D", 20: "D", 24: "D", 25: "D"},
    "wiesbaden": {1: "S, D", 2: "D", 7: "D", 9: "D", 10: "D", 13: "D", 17: "S, D", 18: "D", 20: "D", 22: "D"},
}
