"""Every sentence about a rule of the hand, said once: row by row of the house-rule table.

The director's question, the posted rules, the texts of the record's schema and ``docs/rules-house.md`` come
from here. Text is only marked for translation; whoever shows it translates it, and writes its figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.bets import largest_bet
from games.blackjack.rules import HouseRules
from games.said import Chips, Row, Said, Several
from ground.words import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Question:
    """What a director may be asked about a row: the question, and what then holds for each value."""

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
            _("The look"),
            _("Soft 17"),
            _("Blackjack pays"),
            _("Blackjack is paid"),
            _("Insurance"),
            _("Insuring a blackjack"),
            _("Insurance closes"),
            _("Even money"),
            _("Doubling"),
            _("Amount of a double"),
            _("Double after a split"),
            _("Splitting"),
            _("Hands after splits"),
            _("Split aces"),
            _("Second card of split hands"),
            _("Ace and ten after a split"),
            _("Surrender"),
            _("Drawing on 21"),
            _("A dealer's blackjack after play"),
            _("Halves"),
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
"""The decisions of the hand record → what their buttons say."""

SHOE = Said(
    "T11",
    _(
        "A round lasts one shoe at each table, less about one deck behind the cut card; one card is"
        " burned first. When the cut card comes out, the hand is finished and the round is over at "
        "that table."
    ),
)

QUESTIONS: dict[str, Question] = {
    "hole_card": Question(
        3,
        _("When is the dealer's second card dealt?"),
        {
            True: _("The dealer's second card is dealt face down, after the players' second cards."),
            False: _("The dealer's second card is drawn after all boxes have played; none lies face down."),
        },
    ),
    "soft17": Question(
        5,
        _("What does the dealer do on a soft 17?"),
        {
            "hit": _("The dealer draws to 17, hits a soft 17, and stands on a soft 18 or more."),
            "stand": _("The dealer draws to 17 and stands on every 17, soft or hard."),
            "until_hard": _(
                "The dealer draws to 17; from a soft 17 on the dealer draws until the hand is hard or over."
            ),
        },
    ),
    "natural_paid": Question(
        7,
        _("When is a blackjack paid?"),
        {
            "at_once": _("A blackjack is paid as soon as the dealer cannot have one; until then it waits."),
            "at_end": _("A blackjack waits for the dealer's hand and is paid with the others."),
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
            "look": _("Insurance closes when the dealer looks."),
            "play": _("Insurance closes before anybody plays."),
            "third_card": _("Insurance is open until somebody takes a third card or the dealer draws."),
        },
    ),
    "even_money": Question(
        11,
        _("Is even money offered to a blackjack against an ace?"),
        {
            True: _("A blackjack against an ace may be paid 1:1 at once (even money)."),
            False: _("There is no even money."),
        },
    ),
    "even_money_returns_insurance": Question(
        11,
        _("Does taking even money return an insurance bet already made?"),
        {
            True: _("A player who takes even money gets back an insurance bet already made."),
            False: _("An insurance bet stays when even money is taken, and wins or loses on its own."),
        },
    ),
    "double": Question(
        12,
        _("Which first two cards may be doubled?"),
        {
            "any": _("Any first two cards may be doubled but a blackjack."),
            "9-11": _("First two cards with a total of 9, 10 or 11 may be doubled."),
        },
    ),
    "double_soft_low": Question(
        12,
        _("May an ace count 1 for doubling on 9, 10 and 11?"),
        {
            True: _("For doubling an ace counts 1: ace and eight are 9, ace and nine are 10."),
            False: _("For doubling a hand counts its best total: ace and eight are 19."),
        },
    ),
    "double_amount": Question(
        13,
        _("For how much may a bet be doubled?"),
        {
            "equal": _("A double is the same amount as the bet."),
            "up_to": _("A double may be for less than the bet, in whole chips."),
        },
    ),
    "double_after_split": Question(
        14,
        _("May a hand be doubled after a split?"),
        {
            True: _("Hands after a split may be doubled like any other."),
            False: _("Hands after a split may not be doubled."),
        },
    ),
    "split": Question(
        15,
        _("Which two cards may be split?"),
        {
            "rank": _("Two cards of the same rank may be split; ten and queen do not match."),
            "value": _("Two cards of the same value may be split; ten and queen match."),
        },
    ),
    "max_hands": Question(
        16,
        _("How many hands may a box have after splits?"),
        {
            2: _("A box has at most two hands after splits."),
            3: _("A box has at most three hands after splits."),
            4: _("A box has at most four hands after splits."),
            None: _("A box may be split as often as its cards match."),
        },
    ),
    "resplit_aces": Question(
        17,
        _("May aces be split again?"),
        {
            True: _("A split ace that gets an ace may be split again."),
            False: _("Aces are split once."),
        },
    ),
    "split_aces": Question(
        17,
        _("How many cards does a split ace get?"),
        {
            "one_card": _("A split ace gets one card and stands."),
            "play_on": _("A split ace is played on like any other hand."),
        },
    ),
    "split_cards": Question(
        18,
        _("When do split hands get their second card?"),
        {
            "reached": _("A split hand gets its second card when its turn comes."),
            "both": _("Both split hands get their second card at once."),
        },
    ),
    "split_natural": Question(
        19,
        _("Is an ace with a ten after a split a blackjack?"),
        {
            True: _("An ace with a ten or face card after a split is a blackjack like any other."),
            False: _("An ace with a ten or face card after a split is 21 and no blackjack: it is paid 1:1."),
        },
    ),
    "surrender": Question(
        20,
        _("May a hand be surrendered?"),
        {
            "none": _("There is no surrender."),
            "late": _("First two cards may be given up for half of the bet, once the dealer has looked."),
            "not_against_ace": _(
                "First two cards may be given up for half of the bet, but not against an ace; the half is"
                " kept even if the dealer then has a blackjack."
            ),
        },
    ),
    "surrender_after_split": Question(
        20,
        _("May a hand be surrendered after a split?"),
        {
            True: _("Hands after a split may be surrendered too, split aces apart."),
            False: _("Hands after a split may not be surrendered."),
        },
    ),
    "draw_on_21": Question(
        21,
        _("May a player draw on 21?"),
        {
            True: _("A player with 21 may still draw."),
            False: _("A hand of 21 stands by itself."),
        },
    ),
    "late_natural": Question(
        22,
        _("What does a dealer's blackjack take that is found after play?"),
        {
            "all": _(
                "A dealer's blackjack found after play takes every bet but a blackjack's, doubles and splits"
                " too."
            ),
            "original": _(
                "A dealer's blackjack found after play takes the original bet only, which lies on the left"
                " hand; doubles and split bets of hands not over 21 come back."
            ),
        },
    ),
    "line_chip_push": Question(
        23,
        _("What becomes of the chip on the line if the next hand is a push?"),
        {
            "stays": _("On a push the chip stays on the line for the hand after."),
            "player": _("On a push the chip on the line is the player's."),
            "house": _("On a push the chip on the line is the house's."),
        },
    ),
    "halves": Question(
        23,
        _("For whom is a half rounded that is not whole chips?"),
        {
            None: _("Bets are such that half of a bet is always whole chips."),
            "player": _(
                "Where half of a bet is not whole chips, what is paid or handed back is rounded up, for the"
                " player."
            ),
            "house": _(
                "Where half of a bet is not whole chips, what is paid or handed back is rounded down, for the"
                " house."
            ),
        },
    ),
    "shared_max": Question(
        25,
        _("For whom does the maximum hold where several players share a box?"),
        {
            "box": _("On a shared box the largest bet holds for all its players together."),
            "player": _("On a shared box the largest bet holds for each of its players."),
        },
    ),
}
"""What may be asked, by the field of ``HouseRules``, in the order of the rows."""


def chosen(rules: HouseRules, *names: str) -> list[Said]:
    """What holds by these rules, in the sentences of the questions."""
    return [Said(f"row {QUESTIONS[name].row}", QUESTIONS[name].says[getattr(rules, name)]) for name in names]


def posted(rules: HouseRules) -> list[Said]:
    """Every rule of the hand in the order of play, for the posted rules; rows 1 and 2 are of the event."""
    parts: Iterable[Iterable[Said]] = (
        _cards(rules),
        _dealing(rules),
        _naturals(rules),
        _insurance(rules),
        _playing(rules),
        _doubling(rules),
        _splitting(rules),
        _surrender(rules),
        _dealer(rules),
        _settling(rules),
        _halves(rules),
        _boxes(rules),
        _mishaps(rules),
    )
    return [said for part in parts for said in part]


def decks_and_bets(r: HouseRules) -> list[Said]:
    """Rows 1 and 2, as the set-up shows them beside the others."""
    decks = _("%(n)s decks are used; the sheet allows %(allowed)s.")
    bets = _("Bets are from %(low)s to %(high)s in steps of %(step)s; the smallest chip is %(chip)s.")
    limits = {"low": r.min_chips, "high": r.max_chips, "step": r.step_chips, "chip": r.chip_chips}
    top = largest_bet(r.limits)
    if top < r.max_chips:
        bets = _(
            "Bets are from %(low)s to %(high)s in steps of %(step)s, so the largest is %(top)s;"
            " the smallest chip is %(chip)s."
        )
        limits["top"] = top
    return [
        Said("row 1", decks, {"n": r.decks, "allowed": numbers(r.decks_allowed)}),
        Said("row 2", bets, {name: Chips(amount) for name, amount in limits.items()}),
    ]


def glance(r: HouseRules) -> Several:
    """What tells a sheet apart from the others."""
    bets = {"low": Chips(r.min_chips), "high": Chips(r.max_chips)}
    return Several(
        (
            Said("row 1", _("%(decks)s decks"), {"decks": numbers(r.decks_allowed)}),
            Said("row 2", _("bets %(low)s to %(high)s"), bets),
            _("a hole card") if r.hole_card else _("no hole card"),
            _("surrender") if r.surrender != "none" else _("no surrender"),
        ),
        " · ",
    )


def numbers(found: tuple[int, ...]) -> Several:
    """``4, 6 or 8``."""
    return Several(tuple(str(each) for each in found), last=_("%(some)s or %(last)s"))


def _cards(r: HouseRules) -> list[Said]:
    sheet = _("Hands are played by the sheet “%(name)s”, for which %(decks)s decks may be used.")
    rows = [
        Said("T16", sheet, {"name": r.title, "decks": numbers(r.decks_allowed)}),
        Said(
            "A2",
            _("An ace counts 1 or 11, a ten and every face card 10. A hand counts its best total up to 21."),
        ),
    ]
    if r.joker:
        joker = _(
            "One joker is shuffled in. It has no value: it is laid beside the box and the next card takes its"
            " place."
        )
        rows.append(Said("row 1", joker))
    return rows


def _dealing(r: HouseRules) -> list[Said]:
    order = _(
        "Cards are dealt one at a time: one to each box with a bet, the lowest box first, one to the dealer"
        " face up, then a second to each box."
    )
    return [Said("A1", order), *chosen(r, "hole_card"), _look(r)]


def _look(r: HouseRules) -> Said:
    under = {
        "A": _("an ace"),
        "T": _("a ten or a face card"),
        "AT": _("an ace, a ten or a face card"),
    }.get(r.looks_under)
    if under is None:
        return Said("row 4", _("The dealer does not look for a blackjack before the boxes play."))
    words = _(
        "Under %(card)s the dealer looks at the second card before anybody plays; a blackjack ends the hand."
    )
    return Said("row 4", words, {"card": under})


# -- Blackjack and insurance ------------------------------------------------------------------------------


def _naturals(r: HouseRules) -> list[Said]:
    is_one = _(
        "An ace with a ten or face card as the first two cards is a blackjack. It is paid %(won)s:%(bet)s."
    )
    pays = {"won": r.natural_pays[0], "bet": r.natural_pays[1]}
    return [Said("row 6", is_one, pays), *chosen(r, "natural_paid"), *_paid_at_once(r)]


def _paid_at_once(r: HouseRules) -> list[Said]:
    """Against which card a blackjack is paid at once, and what it waits for against the others."""
    if r.natural_paid != "at_once":
        return []
    waits = {
        "A": _("against an ace it waits until the dealer has looked, against a ten for the dealer's hand"),
        "T": _("against a ten it waits until the dealer has looked, against an ace for the dealer's hand"),
        "AT": _("against any other card it waits until the dealer has looked"),
    }.get(r.looks_under, _("against any other card it waits for the dealer's hand"))
    words = _("That is at once against a dealer's first card from %(low)s to %(high)s; %(waits)s.")
    return [Said("row 7", words, {"low": r.paid_at_once[0], "high": r.paid_at_once[1], "waits": waits})]


def _insurance(r: HouseRules) -> list[Said]:
    amount = _("exactly half of the bet") if r.insurance == "half" else _("up to half of the bet")
    if r.insurance == "half" and r.halves is not None:
        amount = _("exactly half of the bet, rounded down")
    offered = _("Against a dealer's ace a bet may be insured once, for %(amount)s, in whole chips.")
    rows = [Said("row 8", offered, {"amount": amount})]
    if r.insurance_from_half_minimum:
        rows.append(Said("row 8", _("An insurance is at least half of the smallest bet.")))
    pays = _("Insurance is paid 2:1 if the dealer has a blackjack, and lost if not.")
    even_money = ["even_money", "even_money_returns_insurance"][: 2 if r.even_money else 1]
    return [
        *rows,
        *chosen(r, "natural_may_insure", "insurance_closes"),
        Said("A4", pays),
        *chosen(r, *even_money),
    ]


# -- The boxes play ---------------------------------------------------------------------------------------


def _playing(r: HouseRules) -> list[Said]:
    order = _("Boxes play in their order, the lowest first; the hands of a split box from left to right.")
    limit = _("Doubles, splits and insurance need the chips: nobody puts up more than lies in front of them.")
    return [Said("A3", order), *chosen(r, "draw_on_21"), Said("A6", limit)]


def _doubling(r: HouseRules) -> list[Said]:
    one_card = Said("row 12", _("A doubled hand gets exactly one more card."))
    which = ["double", "double_soft_low"][: 2 if r.double == "9-11" else 1]
    return [*chosen(r, *which), one_card, *chosen(r, "double_amount", "double_after_split")]


def _splitting(r: HouseRules) -> list[Said]:
    bet = Said("row 15", _("Every split is for a second bet of the same amount."))
    then = ("max_hands", "split_aces", "resplit_aces", "split_cards", "split_natural")
    return [*chosen(r, "split"), bet, *chosen(r, *then)]


def _surrender(r: HouseRules) -> list[Said]:
    return chosen(r, *["surrender", "surrender_after_split"][: 1 if r.surrender == "none" else 2])


# -- The dealer, and who wins -----------------------------------------------------------------------------


def _dealer(r: HouseRules) -> list[Said]:
    only = _("The dealer draws only as long as the result of some hand depends on it.")
    rows = [*chosen(r, "soft17"), Said("A5", only)]
    if not r.hole_card:
        alone = _("Where only blackjacks or insurance wait, the second card alone is drawn.")
        rows.append(Said("A5", alone))
    return rows


def _settling(r: HouseRules) -> list[Said]:
    rows = [
        Said(
            "A4",
            _(
                "A hand over 21 loses at once. If the dealer is over 21 every hand still in wins. Otherwise"
                " the higher total wins and equal totals push. A won hand is paid 1:1."
            ),
        ),
        Said("A4", _("Blackjack against blackjack is a push; a dealer's blackjack beats every other 21.")),
    ]
    if r.hole_card and {"A", "T"} <= set(r.looks_under):
        found = _("A blackjack of the dealer is looked for first; one found after play was overlooked.")
        rows.append(Said("row 22", found))
    return [*rows, *chosen(r, "late_natural")]


def _halves(r: HouseRules) -> list[Said]:
    if not r.line_chip:
        return chosen(r, "halves")
    line = _(
        "Where the %(won)s:%(bet)s of a blackjack is not whole chips, the whole chips are paid and one chip"
        " lies on the line. The box's next hand decides it: won, it is the player's; lost, the house's. Until"
        " then, and where the shoe ends first, it is the house's."
    )
    rounded = _("Where half of a surrendered bet is no whole chip it is rounded for the player.")
    return [
        Said("row 23", line, {"won": r.natural_pays[0], "bet": r.natural_pays[1]}),
        *chosen(r, "line_chip_push"),
        Said("row 23", rounded),
    ]


SIDE_BETS = {"twins": _("Twins"), "crazy_twins": _("Crazy Twins")}


def _boxes(r: HouseRules) -> list[Said]:
    return [_side_bets(r), *_sharing(r)]


def _side_bets(r: HouseRules) -> Said:
    """What the sheet has, with its limits, in the one sentence that says that none of it is offered."""
    if not r.side_bets:
        return Said("row 24", _("There are no side bets."))
    most = dict(r.side_bet_box_max)
    limit = _("%(kind)s (up to %(chips)s on a shared box)")
    listed: list[Said | str] = [
        Said("row 24", limit, {"kind": SIDE_BETS[kind], "chips": Chips(most[kind])})
        if kind in most
        else SIDE_BETS[kind]
        for kind in r.side_bets
    ]
    words = _("The side bets of the sheet, %(names)s, are not offered in this event.")
    return Said("row 24", words, {"names": Several(tuple(listed), last=_("%(some)s and %(last)s"))})


SHARED_MAX = {
    "box": _("with one largest bet for all of them together"),
    "player": _("with the largest bet for each of them"),
}


def _sharing(r: HouseRules) -> list[Said]:
    if r.players_per_box == 1:
        return [Said("row 25", _("A box is one player's."))]
    many = _(
        "The sheet lets any number of players share a box, %(most)s; in this event a box is one player's."
    )
    if r.players_per_box is not None:
        many = _(
            "The sheet lets up to %(n)s players share a box, %(most)s; in this event a box is one player's."
        )
    return [Said("row 25", many, {"n": r.players_per_box, "most": SHARED_MAX[r.shared_max]})]


MISHAPS = {
    "face_up": _("A card found face up in the shoe is burned."),
    "misdealt": _(
        "A card dealt in error is the next card. A player may refuse it and then gets no further card;"
        " refused by all, it is the dealer's next."
    ),
    "extra": _("A card that came out too many is the next card."),
    "dealer_extra": _("A card too many on the dealer's finished hand is burned."),
    "not_dealt": _("A box that was not dealt to sits the hand out and has its bet back."),
}
VOID = {
    "ruling": _("by ruling, when something has gone wrong that cannot be put right"),
    "misdeal": _("after a misdeal that cannot be put right"),
    "cut_card": _("when cards were dealt past a cut card that nobody noticed"),
    "malfunction": _("after a malfunction, which voids all pays and plays"),
}


def _mishaps(r: HouseRules) -> list[Said]:
    reasons = Several(tuple(VOID[reason] for reason in r.void_reasons), "; ")
    void = _("A hand is declared void and every bet is returned %(reasons)s.")
    return [
        *(Said("irregular", MISHAPS[kind]) for kind in r.irregularities),
        Said("T17", void, {"reasons": reasons}),
    ]
