"""The posted rules of the hand: every sentence in the order of play, with the settings behind it.

The sentences among which a director chooses are in ``words``. Text is only marked for translation here; a
page translates it and formats its figures.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.bets import largest_bet
from games.blackjack.rules import HouseRules
from games.blackjack.words import QUESTIONS
from games.rule_text import Chips, RuleText, Several
from ground.words import gettext_noop as _


def chosen(rules: HouseRules, *names: str) -> list[RuleText]:
    """Return the sentences that apply for these questions."""
    return [
        _of(rules, QUESTIONS[name].row, QUESTIONS[name].says[getattr(rules, name)], name) for name in names
    ]


def _of(rules: HouseRules, row: int, text: str, *names: str, **figures: object) -> RuleText:
    """Return a sentence of a row about the fields ``names`` of these rules."""
    return RuleText(f"row {row}", text, figures, {name: getattr(rules, name) for name in names})


def posted(rules: HouseRules) -> list[RuleText]:
    """Return every rule of the hand in the order of play, for the posted rules; rows 1 and 2 belong to the
    event."""
    parts: Iterable[Iterable[RuleText]] = (
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
    return [text for part in parts for text in part]


def decks_and_bets(r: HouseRules) -> list[RuleText]:
    """Return rows 1 and 2, as the set-up shows them beside the others."""
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
        RuleText("row 1", decks, {"n": r.decks, "allowed": numbers(r.decks_allowed)}),
        RuleText("row 2", bets, {name: Chips(amount) for name, amount in limits.items()}),
    ]


def glance(r: HouseRules) -> Several:
    """Return the rules that distinguish a sheet from the others."""
    bets = {"low": Chips(r.min_chips), "high": Chips(r.max_chips)}
    return Several(
        (
            RuleText("row 1", _("%(decks)s decks"), {"decks": numbers(r.decks_allowed)}),
            RuleText("row 2", _("bets %(low)s to %(high)s"), bets),
            _("a hole card") if r.hole_card else _("no hole card"),
            _("surrender") if r.surrender != "none" else _("no surrender"),
        ),
        " · ",
    )


def numbers(found: tuple[int, ...]) -> Several:
    """Return a list in words: ``4, 6 or 8``."""
    return Several(tuple(str(each) for each in found), last=_("%(some)s or %(last)s"))


def _cards(r: HouseRules) -> list[RuleText]:
    sheet = _("The house rules “%(name)s” apply to every hand. They allow %(decks)s decks.")
    named = {"sheet": r.name, "decks_allowed": r.decks_allowed}
    values = _(
        "An ace counts 1 or 11, a face card 10 and every other card its number. A hand counts its best total"
        " up to 21. It is soft while an ace in it counts 11, and otherwise hard."
    )
    rows = [
        RuleText("T16", sheet, {"name": r.title, "decks": numbers(r.decks_allowed)}, named),
        RuleText("A2", values),
    ]
    if r.joker:
        joker = _(
            "One joker is shuffled in. It has no value: it is laid beside the box and the next card takes its"
            " place."
        )
        rows.append(_of(r, 1, joker, "joker"))
    return rows


def _dealing(r: HouseRules) -> list[RuleText]:
    order = _(
        "Cards are dealt one at a time: first one card to each box with a bet, beginning with the lowest box,"
        " then one card face up to the dealer, then a second card to each box."
    )
    return [RuleText("A1", order), *chosen(r, "hole_card"), _of(r, 4, LOOKS[r.looks_under], "looks_under")]


LOOKS = {
    "": _("The dealer does not check for a blackjack before the boxes play."),
    "A": _(
        "If the dealer's first card is an ace, the dealer checks the second card before anybody plays. A"
        " blackjack ends the hand at once."
    ),
    "T": _(
        "If the dealer's first card is a ten or a face card, the dealer checks the second card before anybody"
        " plays. A blackjack ends the hand at once."
    ),
    "AT": _(
        "If the dealer's first card is an ace, a ten or a face card, the dealer checks the second card before"
        " anybody plays. A blackjack ends the hand at once."
    ),
}
"""The dealer's first cards that are checked → the sentence of the rule (row 4)."""


# -- Blackjack and insurance ------------------------------------------------------------------------------


def _naturals(r: HouseRules) -> list[RuleText]:
    is_one = _(
        "An ace together with a ten or a face card as the first two cards is a blackjack. A winning blackjack"
        " is paid %(won)s:%(bet)s."
    )
    won, bet = r.natural_pays
    at_once = [_paid_at_once(r)] if r.natural_paid == "at_once" else []
    return [_of(r, 6, is_one, "natural_pays", won=won, bet=bet), *chosen(r, "natural_paid"), *at_once]


PAID_AT_ONCE = {
    "": _(
        "Against a dealer's first card from %(low)s to %(high)s it is paid at once; against any other card it"
        " waits for the dealer's hand."
    ),
    "A": _(
        "Against a dealer's first card from %(low)s to %(high)s it is paid at once, and against an ace after"
        " the dealer has checked for a blackjack; against any other card it waits for the dealer's hand."
    ),
    "T": _(
        "Against a dealer's first card from %(low)s to %(high)s it is paid at once, and against a ten or a"
        " face card after the dealer has checked for a blackjack; against any other card it waits for the"
        " dealer's hand."
    ),
    "AT": _(
        "Against a dealer's first card from %(low)s to %(high)s it is paid at once, and against any other"
        " card after the dealer has checked for a blackjack."
    ),
}
"""The dealer's first cards that are checked → when a blackjack is paid before the other hands (row 7)."""


def _paid_at_once(r: HouseRules) -> RuleText:
    low, high = r.paid_at_once
    return _of(r, 7, PAID_AT_ONCE[r.looks_under], "paid_at_once", low=low, high=high)


INSURANCE = {
    "half": _(
        "If the dealer's first card is an ace, a bet may be insured once, for exactly half of the bet."
    ),
    "half_rounded": _(
        "If the dealer's first card is an ace, a bet may be insured once, for exactly half of the bet,"
        " rounded down to whole chips."
    ),
    "up_to_half": _(
        "If the dealer's first card is an ace, a bet may be insured once, for up to half of the bet, in whole"
        " chips."
    ),
}


def _insurance(r: HouseRules) -> list[RuleText]:
    amount = "half_rounded" if r.insurance == "half" and r.halves is not None else r.insurance
    rows = [_of(r, 8, INSURANCE[amount], "insurance")]
    if r.insurance_from_half_minimum:
        least = _("Insurance must be at least half of the minimum bet.")
        rows.append(_of(r, 8, least, "insurance_from_half_minimum"))
    pays = _("Insurance is paid 2:1 if the dealer has a blackjack; otherwise it is lost.")
    even_money = ["even_money", "even_money_returns_insurance"][: 2 if r.even_money else 1]
    return [
        *rows,
        *chosen(r, "natural_may_insure", "insurance_closes"),
        RuleText("A4", pays),
        *chosen(r, *even_money),
    ]


# -- The boxes play ---------------------------------------------------------------------------------------


def _playing(r: HouseRules) -> list[RuleText]:
    order = _(
        "The boxes play in order, beginning with the lowest number. The hands of a split box play from left"
        " to right."
    )
    limit = _("Players may double, split or insure only with chips that lie in front of them.")
    return [RuleText("A3", order), *chosen(r, "draw_on_21"), RuleText("A6", limit)]


def _doubling(r: HouseRules) -> list[RuleText]:
    one_card = RuleText("row 12", _("A doubled hand gets exactly one more card."))
    which = ["double", "double_soft_low"][: 2 if r.double == "9-11" else 1]
    return [*chosen(r, *which), one_card, *chosen(r, "double_amount", "double_after_split")]


def _splitting(r: HouseRules) -> list[RuleText]:
    bet = RuleText("row 15", _("Each split needs a further bet of the same amount as the first."))
    then = ("max_hands", "split_aces", "resplit_aces", "split_cards", "split_natural")
    return [*chosen(r, "split"), bet, *chosen(r, *then)]


def _surrender(r: HouseRules) -> list[RuleText]:
    return chosen(r, *["surrender", "surrender_after_split"][: 1 if r.surrender == "none" else 2])


# -- The dealer, and who wins -----------------------------------------------------------------------------


def _dealer(r: HouseRules) -> list[RuleText]:
    only = _("The dealer draws only while the result of at least one hand depends on it.")
    rows = [*chosen(r, "soft17"), RuleText("A5", only)]
    if not r.hole_card:
        alone = _(
            "If only blackjacks or insurance bets are still open, the dealer draws only the second card."
        )
        rows.append(RuleText("A5", alone))
    return rows


def _settling(r: HouseRules) -> list[RuleText]:
    rows = [
        RuleText(
            "A4",
            _(
                "A hand over 21 loses at once. If the dealer goes over 21, every hand still in play wins."
                " Otherwise the higher total wins. With equal totals nobody wins and the player keeps the bet"
                " (push). A winning hand is paid 1:1."
            ),
        ),
        RuleText(
            "A4",
            _("Blackjack against blackjack is a push. A dealer's blackjack beats every other hand with 21."),
        ),
        *chosen(r, "late_natural"),
    ]
    if r.hole_card and {"A", "T"} <= set(r.looks_under):
        found = _("This can happen only if the blackjack was overlooked when the dealer checked for it.")
        rows.append(RuleText("row 22", found))
    return rows


def _halves(r: HouseRules) -> list[RuleText]:
    if not r.line_chip:
        return chosen(r, "halves")
    line = _(
        "If the %(won)s:%(bet)s payment for a blackjack is not a whole number of chips, the whole chips are"
        " paid and one chip is placed on the line. The next hand of the box decides about this chip: if the"
        " hand wins, the chip goes to the player; if it loses, to the house. Until then, and if the shoe ends"
        " first, the chip belongs to the house."
    )
    rounded = _("Half of a bet that is returned on surrender is rounded up to whole chips.")
    won, bet = r.natural_pays
    surrendered = [RuleText("row 23", rounded)] if r.surrender != "none" else []
    return [_of(r, 23, line, "line_chip", won=won, bet=bet), *chosen(r, "line_chip_push"), *surrendered]


SIDE_BETS = {"twins": _("Twins"), "crazy_twins": _("Crazy Twins")}


def _boxes(r: HouseRules) -> list[RuleText]:
    return [_side_bets(r), _sharing(r)]


def _side_bets(r: HouseRules) -> RuleText:
    """Return the sentence on side bets: it lists those of the sheet with their limits, and that none is
    offered."""
    if not r.side_bets:
        return _of(r, 24, _("There are no side bets."), "side_bets")
    most = dict(r.side_bet_box_max)
    limit = _("%(kind)s (up to %(chips)s on a shared box)")
    listed: list[RuleText | str] = [
        RuleText("row 24", limit, {"kind": SIDE_BETS[kind], "chips": Chips(most[kind])})
        if kind in most
        else SIDE_BETS[kind]
        for kind in r.side_bets
    ]
    words = _("The side bets of these house rules are not offered in this event: %(names)s.")
    return _of(r, 24, words, "side_bets", names=Several(tuple(listed)))


SHARING = {
    ("box", False): _(
        "In this event each box belongs to one player. The house rules would allow up to %(n)s players at a"
        " box, with one maximum bet for all of them together."
    ),
    ("player", False): _(
        "In this event each box belongs to one player. The house rules would allow up to %(n)s players at a"
        " box, with the maximum bet for each of them."
    ),
    ("box", True): _(
        "In this event each box belongs to one player. The house rules would allow any number of players at a"
        " box, with one maximum bet for all of them together."
    ),
    ("player", True): _(
        "In this event each box belongs to one player. The house rules would allow any number of players at a"
        " box, with the maximum bet for each of them."
    ),
}
"""The owner of the maximum, and whether any number may share a box → the sentence of the rule (row 25)."""


def _sharing(r: HouseRules) -> RuleText:
    if r.players_per_box == 1:
        return _of(r, 25, _("Each box belongs to one player."), "players_per_box")
    words = SHARING[r.shared_max, r.players_per_box is None]
    return _of(r, 25, words, "players_per_box", "shared_max", n=r.players_per_box)


MISHAPS = {
    "face_up": _("A card found face up in the shoe is burned."),
    "misdealt": _(
        "A card dealt in error is played as the next card. A player may refuse it, but then gets no further"
        " card. If all players refuse it, it is the dealer's next card."
    ),
    "extra": _("An extra card is played as the next card."),
    "dealer_extra": _("An extra card drawn to the dealer's finished hand is burned."),
    "not_dealt": _("A box that was dealt no cards sits the hand out and gets its bet back."),
}
VOID = {
    "ruling": _(
        "If something has gone wrong that cannot be put right, the hand is declared void by a ruling and"
        " every bet is returned."
    ),
    "misdeal": _(
        "After a misdeal that cannot be put right, the hand is declared void and every bet is returned."
    ),
    "cut_card": _(
        "If cards were dealt past a cut card that nobody noticed, the hand is declared void and every bet is"
        " returned."
    ),
    "malfunction": _(
        "After a malfunction, the hand is declared void and every bet is returned; nothing is paid and no"
        " play counts."
    ),
}


def _mishaps(r: HouseRules) -> list[RuleText]:
    return [
        *(RuleText("irregular", MISHAPS[kind], {}, {"irregularities": kind}) for kind in r.irregularities),
        *(RuleText("T17", VOID[reason], {}, {"void_reasons": reason}) for reason in r.void_reasons),
    ]
