"""The director's choices about the hand, row by row of the house-rule table, and the rule for each value.

The set-up page, the posted rules, the record's schema and ``docs/rules-house.md`` show these sentences. Text
is only marked for translation here; a page translates it and formats its figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.rule_text import Row, RuleText
from ground.words import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the director about a row, and the rule that follows from each value."""

    row: int
    asks: str
    says: Mapping[object, str]


ROWS = tuple(
    Row(number, title)
    for number, title in enumerate(
        (
            _("Decks"),
            _("Bets"),
            _("The dealer's second card"),
            _("Checking for blackjack"),
            _("Soft 17"),
            _("Blackjack pays"),
            _("When a blackjack is paid"),
            _("Insurance"),
            _("Insuring a blackjack"),
            _("Insurance closes"),
            _("Even money"),
            _("Doubling"),
            _("Amount of a double"),
            _("Doubling after a split"),
            _("Splitting"),
            _("Hands after splits"),
            _("Split aces"),
            _("Second card of split hands"),
            _("Ace and ten after a split"),
            _("Surrender"),
            _("Drawing on 21"),
            _("A dealer's blackjack after play"),
            _("Half amounts"),
            _("Side bets"),
            _("Shared boxes"),
        ),
        start=1,
    )
)

ACTIONS = {
    "hit": _("Hit"),
    "stand": _("Stand"),
    "double": _("Double"),
    "split": _("Split"),
    "surrender": _("Surrender"),
    "insurance": _("Insurance"),
    "even_money": _("Even money"),
}
"""The decisions of the hand record → the labels of their buttons."""

SHOE = RuleText(
    "T11",
    _(
        "Each table plays one shoe in a round. The first card is burned, and about one deck stays behind the"
        " cut card. When the cut card comes out, the hand is finished and the round is over at that table."
    ),
)

QUESTIONS: dict[str, Question] = {
    "hole_card": Question(
        3,
        _("When is the dealer's second card dealt?"),
        {
            True: _("The dealer's second card is dealt face down, after the players' second cards."),
            False: _(
                "The dealer's second card is drawn after all boxes have played; no card lies face down."
            ),
        },
    ),
    "soft17": Question(
        5,
        _("What does the dealer do on a soft 17?"),
        {
            "hit": _(
                "The dealer draws on 16 or less and on a soft 17, and stands on a hard 17 and on 18 or more."
            ),
            "stand": _("The dealer draws on 16 or less and stands on 17 or more, soft or hard."),
            "until_hard": _(
                "The dealer draws on 16 or less and stands on 17 or more, except after a soft 17: then the"
                " dealer draws at least until the hand is no longer soft."
            ),
        },
    ),
    "natural_paid": Question(
        7,
        _("When is a blackjack paid?"),
        {
            "at_once": _("A blackjack is paid as soon as it is certain that the dealer has no blackjack."),
            "at_end": _("A blackjack is paid together with the other hands, after the dealer's hand."),
        },
    ),
    "natural_may_insure": Question(
        9,
        _("May a blackjack be insured?"),
        {
            True: _("A blackjack may be insured like any other hand."),
            False: _("A blackjack may not be insured."),
        },
    ),
    "insurance_closes": Question(
        10,
        _("Until when may a bet be insured?"),
        {
            "look": _("A bet may be insured until the dealer checks for a blackjack."),
            "play": _("A bet may be insured only before the first box is played."),
            "third_card": _("A bet may be insured until a player takes a third card or the dealer draws."),
        },
    ),
    "even_money": Question(
        11,
        _("Is even money offered to a blackjack against an ace?"),
        {
            True: _("A player with a blackjack against an ace may take 1:1 at once (even money)."),
            False: _("Even money is not offered."),
        },
    ),
    "even_money_returns_insurance": Question(
        11,
        _("Does taking even money return an insurance bet already made?"),
        {
            True: _("A player who takes even money gets back an insurance bet made before."),
            False: _("If a player takes even money, an insurance bet made before wins or loses on its own."),
        },
    ),
    "double": Question(
        12,
        _("Which first two cards may be doubled?"),
        {
            "any": _("Any first two cards except a blackjack may be doubled."),
            "9-11": _("Only first two cards with a total of 9, 10 or 11 may be doubled."),
        },
    ),
    "double_soft_low": Question(
        12,
        _("May an ace count 1 for doubling on 9, 10 and 11?"),
        {
            True: _("For doubling, an ace may count 1: ace and eight count 9, ace and nine count 10."),
            False: _("For doubling, a hand counts its best total: ace and eight count 19, not 9."),
        },
    ),
    "double_amount": Question(
        13,
        _("For how much may a bet be doubled?"),
        {
            "equal": _("Doubling adds a second bet of the same amount."),
            "up_to": _("Doubling adds a second bet of the same amount or less, in whole chips."),
        },
    ),
    "double_after_split": Question(
        14,
        _("May a hand be doubled after a split?"),
        {
            True: _("Hands after a split may be doubled like any other hand."),
            False: _("Hands after a split may not be doubled."),
        },
    ),
    "split": Question(
        15,
        _("Which two cards may be split?"),
        {
            "rank": _("Two cards of the same rank may be split; a ten and a queen may not."),
            "value": _("Two cards of the same value may be split, for example a ten and a queen."),
        },
    ),
    "max_hands": Question(
        16,
        _("How many hands may a box have after splits?"),
        {
            2: _("A box may have at most two hands after splits."),
            3: _("A box may have at most three hands after splits."),
            4: _("A box may have at most four hands after splits."),
            None: _("Matching cards may be split without limit."),
        },
    ),
    "resplit_aces": Question(
        17,
        _("May aces be split again?"),
        {
            True: _("A split ace that gets another ace may be split again."),
            False: _("Aces may be split only once."),
        },
    ),
    "split_aces": Question(
        17,
        _("How many cards does a split ace get?"),
        {
            "one_card": _("Each split ace gets only one more card."),
            "play_on": _("The hand of a split ace is played on like any other hand."),
        },
    ),
    "split_cards": Question(
        18,
        _("When do split hands get their second card?"),
        {
            "reached": _("A split hand gets its second card when its turn comes."),
            "both": _("Both hands get their second card directly after the split."),
        },
    ),
    "split_natural": Question(
        19,
        _("Is an ace with a ten after a split a blackjack?"),
        {
            True: _("An ace with a ten or face card after a split is a blackjack like any other."),
            False: _(
                "An ace with a ten or face card after a split counts 21 but is no blackjack; it pays 1:1."
            ),
        },
    ),
    "surrender": Question(
        20,
        _("May a hand be surrendered?"),
        {
            "none": _("A hand may not be surrendered."),
            "late": _(
                "Once the dealer has checked for a blackjack, a player may surrender the first two cards and"
                " gets half of the bet back."
            ),
            "not_against_ace": _(
                "A player may surrender the first two cards and gets half of the bet back, but not against an"
                " ace. The player keeps this half even if the dealer then has a blackjack."
            ),
        },
    ),
    "surrender_after_split": Question(
        20,
        _("May a hand be surrendered after a split?"),
        {
            True: _("Hands after a split may be surrendered too, except split aces."),
            False: _("Hands after a split may not be surrendered."),
        },
    ),
    "draw_on_21": Question(
        21,
        _("May a player draw on 21?"),
        {
            True: _("A player with 21 may still draw a card."),
            False: _("A hand with 21 gets no more cards."),
        },
    ),
    "late_natural": Question(
        22,
        _("What does a dealer's blackjack take that is found after play?"),
        {
            "all": _(
                "If the dealer has a blackjack after the boxes have played, all bets except those on a"
                " blackjack lose, including doubled and split bets."
            ),
            "original": _(
                "If the dealer has a blackjack after the boxes have played, only the original bet loses; on a"
                " split box it is the bet on the left hand. The amounts added by doubling and splitting are"
                " returned, except those of hands that were already over 21 or surrendered."
            ),
        },
    ),
    "line_chip_push": Question(
        23,
        _("What becomes of the chip on the line if the next hand is a push?"),
        {
            "stays": _("If that hand is a push, the chip stays on the line for the following hand."),
            "player": _("If that hand is a push, the chip on the line goes to the player."),
            "house": _("If that hand is a push, the chip on the line goes to the house."),
        },
    ),
    "halves": Question(
        23,
        _("For whom is a half rounded that is not whole chips?"),
        {
            None: _("Half of every possible bet is whole chips."),
            "player": _(
                "Amounts that are paid for a blackjack or returned on surrender are rounded up to whole"
                " chips."
            ),
            "house": _(
                "Amounts that are paid for a blackjack or returned on surrender are rounded down to whole"
                " chips."
            ),
        },
    ),
    "shared_max": Question(
        25,
        _("For whom does the maximum hold where several players share a box?"),
        {
            "box": _("On a shared box, the maximum bet is for all of its players together."),
            "player": _("On a shared box, the maximum bet is for each of its players."),
        },
    ),
}
"""The questions, by field of ``HouseRules``, in the order of the rows."""
