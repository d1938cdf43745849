"""What an event may set otherwise than its sheet: every option, its values, and the words for them.

An option is a field of ``HouseRules`` of the same name. ``option_catalogue`` is for the set-up page and the
posted rules; ``options_check`` is what a hand record and an event's settings go through. A page passes
``question`` and ``sentences`` through gettext; here they are only marked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from games.blackjack.words import gettext_noop, shown
from ground.refused import Refused

if TYPE_CHECKING:
    from games.blackjack.rules import HouseRules

YES_NO = (True, False)


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a director may choose. ``row``: of the house-rule table; ``default``: the sheet's own.

    ``sentences`` says for each of ``values``, in the same order, what then holds at the table. A value that
    is the default is left out of a record, and must be where it is None (no limit).
    """

    name: str
    row: int
    values: tuple[object, ...]
    default: object
    question: str
    sentences: tuple[str, ...]

    def sentence(self, value: object) -> str:
        """What holds at the table with ``value``."""
        return self.sentences[self.values.index(value)]


def _always(sheet: HouseRules) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class _Known:
    """An option apart from any sheet: value → sentence, and the sheets that it makes sense on."""

    row: int
    question: str
    sentences: Mapping[object, str]
    offered: Callable[[HouseRules], bool] = _always
    own_only: tuple[object, ...] = ()  # values that only the sheet that has them can be set to


def _hole_card_is_open(sheet: HouseRules) -> bool:
    """A hole card that the dealer looks under cannot be done without, and a joker face down tells nobody."""
    return not sheet.looks_under and not sheet.joker


def _no_look_at_ace(sheet: HouseRules) -> bool:
    """A look under the ace ends insurance by itself."""
    return "A" not in sheet.looks_under


def _natural_can_be_late(sheet: HouseRules) -> bool:
    return not {"A", "T"} <= set(sheet.looks_under)


def _surrenders(sheet: HouseRules) -> bool:
    return sheet.surrender != "none"


def _has_line(sheet: HouseRules) -> bool:
    return sheet.line_chip


def _has_no_line(sheet: HouseRules) -> bool:
    """Naturals after splits would leave several chips on one line."""
    return not sheet.line_chip


def _shares(sheet: HouseRules) -> bool:
    return sheet.players_per_box != 1


KNOWN: dict[str, _Known] = {
    "hole_card": _Known(
        3,
        gettext_noop("When is the dealer's second card dealt?"),
        {
            True: gettext_noop(
                "The dealer's second card is dealt face down, after the players' second cards."
            ),
            False: gettext_noop("The dealer's second card is drawn after the players have played."),
        },
        _hole_card_is_open,
    ),
    "soft17": _Known(
        5,
        gettext_noop("What does the dealer do on a soft 17?"),
        {
            "hit": gettext_noop("The dealer draws to 17, hits a soft 17, and stands on a soft 18 or more."),
            "stand": gettext_noop("The dealer draws to 17 and stands on every 17, soft or hard."),
            "until_hard": gettext_noop(
                "The dealer draws to 17; from a soft 17 on the dealer draws until the hand is hard or over."
            ),
        },
    ),
    "natural_paid": _Known(
        7,
        gettext_noop("When is a blackjack paid?"),
        {
            "at_once": gettext_noop(
                "A blackjack is paid as soon as the dealer cannot have one; until then it waits."
            ),
            "at_end": gettext_noop("A blackjack waits for the dealer's hand and is paid with the others."),
        },
    ),
    "natural_may_insure": _Known(
        9,
        gettext_noop("May a blackjack be insured?"),
        {
            True: gettext_noop("A blackjack may be insured like any other hand."),
            False: gettext_noop("A blackjack may not be insured."),
        },
    ),
    "insurance_closes": _Known(
        10,
        gettext_noop("Until when may a bet be insured?"),
        {
            "play": gettext_noop("Insurance closes before anybody plays."),
            "third_card": gettext_noop(
                "Insurance is open until somebody takes a third card or the dealer draws."
            ),
        },
        _no_look_at_ace,
    ),
    "even_money": _Known(
        11,
        gettext_noop("Is even money offered to a blackjack against an ace?"),
        {
            True: gettext_noop("A blackjack against an ace may be paid 1:1 at once (even money)."),
            False: gettext_noop("There is no even money."),
        },
    ),
    "even_money_returns_insurance": _Known(
        11,
        gettext_noop("Does even money give back an insurance that lies already?"),
        {
            True: gettext_noop("Whoever takes even money gets an insurance back that lies already."),
            False: gettext_noop("An insurance stays when even money is taken, and wins or loses by itself."),
        },
    ),
    "double": _Known(
        12,
        gettext_noop("Which first two cards may be doubled?"),
        {
            "any": gettext_noop("Any first two cards may be doubled but a blackjack."),
            "9-11": gettext_noop("First two cards with a total of 9, 10 or 11 may be doubled."),
        },
    ),
    "double_soft_low": _Known(
        12,
        gettext_noop("May an ace count 1 for doubling on 9, 10 and 11?"),
        {
            True: gettext_noop("For doubling an ace counts 1: ace and eight are 9, ace and nine are 10."),
            False: gettext_noop("For doubling a hand counts its best total: ace and eight are 19."),
        },
    ),
    "double_amount": _Known(
        13,
        gettext_noop("For how much may a bet be doubled?"),
        {
            "equal": gettext_noop("A double is the same amount as the bet."),
            "up_to": gettext_noop("A double may be for less than the bet, in whole chips."),
        },
    ),
    "double_after_split": _Known(
        14,
        gettext_noop("May a hand be doubled after a split?"),
        {
            True: gettext_noop("Hands after a split may be doubled like any other."),
            False: gettext_noop("Hands after a split may not be doubled."),
        },
    ),
    "split": _Known(
        15,
        gettext_noop("Which two cards may be split?"),
        {
            "rank": gettext_noop("Two cards of the same rank may be split; ten and queen do not match."),
            "value": gettext_noop("Two cards of the same value may be split; ten and queen match."),
        },
    ),
    "max_hands": _Known(
        16,
        gettext_noop("How many hands may a box have after splits?"),
        {
            2: gettext_noop("A box has at most two hands after splits."),
            3: gettext_noop("A box has at most three hands after splits."),
            4: gettext_noop("A box has at most four hands after splits."),
            None: gettext_noop("A box may be split as often as its cards match."),
        },
        own_only=(None,),
    ),
    "resplit_aces": _Known(
        17,
        gettext_noop("May aces be split again?"),
        {
            True: gettext_noop("A split ace that gets an ace may be split again."),
            False: gettext_noop("Aces are split once."),
        },
    ),
    "split_aces": _Known(
        17,
        gettext_noop("How many cards does a split ace get?"),
        {
            "one_card": gettext_noop("A split ace gets one card and stands."),
            "play_on": gettext_noop("A split ace is played on like any other hand."),
        },
    ),
    "split_cards": _Known(
        18,
        gettext_noop("When do split hands get their second card?"),
        {
            "reached": gettext_noop("A split hand gets its second card when its turn comes."),
            "both": gettext_noop("Both split hands get their second card at once."),
        },
    ),
    "split_natural": _Known(
        19,
        gettext_noop("Is an ace with a ten after a split a blackjack?"),
        {
            True: gettext_noop("An ace with a ten or face card after a split is a blackjack."),
            False: gettext_noop("An ace with a ten or face card after a split is 21 and no blackjack."),
        },
        _has_no_line,
    ),
    "surrender": _Known(
        20,
        gettext_noop("May a hand be surrendered?"),
        {
            "none": gettext_noop("There is no surrender."),
            "late": gettext_noop(
                "First two cards may be given up for half of the bet, once the dealer has looked."
            ),
            "not_against_ace": gettext_noop(
                "First two cards may be given up for half of the bet, but not against an ace."
            ),
        },
        own_only=("late", "not_against_ace"),
    ),
    "surrender_after_split": _Known(
        20,
        gettext_noop("May a hand be surrendered after a split?"),
        {
            True: gettext_noop("Hands after a split may be surrendered too, split aces apart."),
            False: gettext_noop("Hands after a split may not be surrendered."),
        },
        _surrenders,
    ),
    "draw_on_21": _Known(
        21,
        gettext_noop("May a player draw on 21?"),
        {
            True: gettext_noop("A player with 21 may still draw."),
            False: gettext_noop("A hand of 21 stands by itself."),
        },
    ),
    "late_natural": _Known(
        22,
        gettext_noop("What does a dealer's blackjack take that is found after play?"),
        {
            "all": gettext_noop("A dealer's blackjack found after play takes doubles and split bets too."),
            "original": gettext_noop(
                "A dealer's blackjack found after play takes the original bet only, which lies on the left"
                " hand; doubles and split bets of hands not over 21 come back."
            ),
        },
        _natural_can_be_late,
    ),
    "line_chip_push": _Known(
        23,
        gettext_noop("What becomes of the chip on the line if the next hand is a push?"),
        {
            "stays": gettext_noop("On a push the chip stays on the line for the hand after."),
            "player": gettext_noop("On a push the chip on the line is the player's."),
            "house": gettext_noop("On a push the chip on the line is the house's."),
        },
        _has_line,
    ),
    "shared_max": _Known(
        25,
        gettext_noop("For whom does the maximum hold where several players share a box?"),
        {
            "box": gettext_noop("The bets of all players on a box may not exceed the maximum together."),
            "player": gettext_noop("Each player on a box may bet up to the maximum."),
        },
        _shares,
    ),
}
"""Every option there is, in the order of the rows. Its words are those of the hand record."""

NEEDS: dict[tuple[str, object], tuple[str, Callable[[HouseRules], bool]]] = {
    ("double_soft_low", True): ("double 9-11", lambda rules: rules.double == "9-11"),
    ("surrender_after_split", True): ("surrender", _surrenders),
    ("even_money_returns_insurance", False): ("even_money", lambda rules: rules.even_money),
}
"""Options that say something only beside another one: what they need."""


def option_values(sheet: HouseRules, option: str) -> tuple[object, ...]:
    """What a record may set ``option`` to on ``sheet``; nothing where the option makes no sense there."""
    known = KNOWN[option]
    if not known.offered(sheet):
        return ()
    own = getattr(sheet, option)
    return tuple(
        value
        for value in known.sentences
        if value not in known.own_only or (value is not None and value == own)
    )


def option_catalogue(sheet: HouseRules) -> list[Option]:
    """Every option that a director may choose on ``sheet``, in the order of the rows."""
    found = []
    for name, known in KNOWN.items():
        default = getattr(sheet, name)
        values = option_values(sheet, name)
        if default not in values:
            values = (*values, default)
        if len(values) < 2:
            continue
        sentences = tuple(known.sentences[value] for value in values)
        found.append(Option(name, known.row, values, default, known.question, sentences))
    return found


def options_check(sheet: HouseRules, options: object) -> dict[str, Any]:
    """``options`` of an event or a record, each one known and set to a value that it can have.

    Raises Refused ``bad_options``.
    """
    if not isinstance(options, dict):
        raise Refused("bad_options", "Options are an object of option and value.")
    for option, value in options.items():
        if option not in KNOWN:
            raise Refused(
                "bad_options", f"Option {shown(option)} is not known; there are: {', '.join(KNOWN)}."
            )
        allowed = option_values(sheet, option)
        if not allowed:
            raise Refused("bad_options", f"Option {option} has no meaning with {sheet.name}; leave it out.")
        if not any(type(value) is type(ok) and value == ok for ok in allowed):
            words = ", ".join(str(ok) for ok in allowed)
            raise Refused(
                "bad_options", f"Option {option} can be {words} with {sheet.name}, not {shown(value)}."
            )
    return dict(options)


def options_fit(rules: HouseRules, options: Mapping[str, Any]) -> None:
    """Raises Refused ``bad_options`` if one of ``options`` says nothing beside the others in ``rules``."""
    for option, value in options.items():
        needed = NEEDS.get((option, value))
        if needed is not None and not needed[1](rules):
            raise Refused("bad_options", f"Option {option} as {value} needs {needed[0]}; leave it out.")
