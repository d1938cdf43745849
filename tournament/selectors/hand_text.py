"""The hand itself in our own words, written from the house rules of an event, row by row.

A row is that of the house-rule table (``docs/rules-house.md``); A1 to A8 hold for every sheet. Each field of
``HouseRules`` has a sentence here that is another one where the field is; a test goes through all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.blackjack.rules import HouseRules
from tournament.templatetags.cutline import chips

Row = tuple[str, str]
"""(row or clause, sentence)."""


def hand_rows(r: HouseRules) -> list[Row]:
    """Every rule of the hand in the order of play: ``("row 5", "The dealer …")``."""
    parts: Iterable[Iterable[Row]] = (
        _cards(r),
        _dealing(r),
        _naturals(r),
        _insurance(r),
        _playing(r),
        _doubling(r),
        _splitting(r),
        _surrender(r),
        _dealer(r),
        _settling(r),
        _halves(r),
        _boxes(r),
        _mishaps(r),
    )
    return [row for part in parts for row in part]


def _cards(r: HouseRules) -> list[Row]:
    allowed = " or ".join(map(str, r.decks_allowed)) if len(r.decks_allowed) > 1 else str(r.decks_allowed[0])
    sheet = _("Hands are played by the sheet “%(name)s”, for which %(decks)s decks may be used.")
    rows = [
        ("T16", sheet % {"name": r.name, "decks": allowed}),
        (
            "A2",
            _("An ace counts 1 or 11, a ten and every face card 10. A hand counts its best total up to 21."),
        ),
    ]
    if r.joker:
        joker = _(
            "One joker is shuffled in. It has no value: it is laid beside the box and the next card "
            "takes its place."
        )
        rows.append(("row 1", joker))
    return rows


def _dealing(r: HouseRules) -> list[Row]:
    order = _(
        "Cards are dealt one at a time: one to each box with a bet, the lowest box first, one to the dealer "
        "face up, then a second to each box."
    )
    second = _("The dealer's second card is drawn after all boxes have played; there is none face down.")
    if r.hole_card:
        second = _("The dealer's second card is dealt last, face down.")
    return [("A1", order), ("row 3", second), ("row 4", _look(r))]


def _look(r: HouseRules) -> str:
    under = {
        "A": _("an ace"),
        "T": _("a ten or a face card"),
        "AT": _("an ace, a ten or a face card"),
    }.get(r.looks_under)
    if under is None:
        return _("The dealer does not look for a blackjack before the boxes play.")
    words = _(
        "Under %(card)s the dealer looks at the second card before anybody plays; a blackjack ends the hand."
    )
    return words % {"card": under}


# -- Blackjack and insurance ------------------------------------------------------------------------------


def _naturals(r: HouseRules) -> list[Row]:
    is_one = _(
        "An ace with a ten or face card as the first two cards is a blackjack. It is paid %(won)s:%(bet)s."
    )
    pays = {"won": r.natural_pays[0], "bet": r.natural_pays[1]}
    return [("row 6", is_one % pays), ("row 7", _when_paid(r))]


def _when_paid(r: HouseRules) -> str:
    if r.natural_paid != "at_once":
        return _("A blackjack waits for the dealer's hand and is paid with the others.")
    waits = {
        "A": _("against an ace it waits until the dealer has looked, against a ten for the dealer's hand"),
        "T": _("against a ten it waits until the dealer has looked, against an ace for the dealer's hand"),
        "AT": _("against any other card it waits until the dealer has looked"),
    }.get(r.looks_under, _("against any other card it waits for the dealer's hand"))
    words = _(
        "Against a dealer's first card from %(low)s to %(high)s a blackjack is paid at once; %(waits)s."
    )
    return words % {"low": r.paid_at_once[0], "high": r.paid_at_once[1], "waits": waits}


def _insurance(r: HouseRules) -> list[Row]:
    amount = _("exactly half of the bet") if r.insurance == "half" else _("up to half of the bet")
    offered = _("Against a dealer's ace a bet may be insured once, for %(amount)s, in whole chips.") % {
        "amount": amount
    }
    if r.insurance_from_half_minimum:
        offered += " " + _("An insurance is at least half of the smallest bet.")
    closes = {
        "look": _("Insurance closes when the dealer looks."),
        "play": _("Insurance closes before anybody plays."),
        "third_card": _("Insurance stays open until somebody takes a third card or the dealer draws."),
    }[r.insurance_closes]
    pays = _("Insurance is paid 2:1 if the dealer has a blackjack, and lost if not.")
    natural = (
        _("A blackjack may be insured too.") if r.natural_may_insure else _("A blackjack cannot be insured.")
    )
    return [
        ("row 8", offered),
        ("row 9", natural),
        ("row 10", closes),
        ("A4", pays),
        ("row 11", _even_money(r)),
    ]


def _even_money(r: HouseRules) -> str:
    if not r.even_money:
        return _("Even money is not offered.")
    returned = _("An insurance that lies already stays and is won or lost by itself.")
    if r.even_money_returns_insurance:
        returned = _("An insurance that lies already is given back.")
    return _("Whoever has a blackjack against an ace may be paid 1:1 at once (even money).") + " " + returned


# -- The boxes play ---------------------------------------------------------------------------------------


def _playing(r: HouseRules) -> list[Row]:
    order = _("Boxes play in their order, the lowest first; the hands of a split box from left to right.")
    on_21 = _("With 21 a player may still draw.") if r.draw_on_21 else _("A hand of 21 stands by itself.")
    limit = _("Doubles, splits and insurance need the chips: nobody puts up more than lies in front of them.")
    return [("A3", order), ("row 21", on_21), ("A6", limit)]


def _doubling(r: HouseRules) -> list[Row]:
    on = _(
        "A bet may be doubled on any first two cards but a blackjack; the hand gets exactly one more card."
    )
    if r.double == "9-11":
        on = _("A bet may be doubled on first two cards of 9, 10 or 11; the hand gets exactly one more card.")
    if r.double == "9-11" and r.double_soft_low:
        on += " " + _("For this an ace counts 1: ace and eight are 9.")
    elif r.double == "9-11":
        on += " " + _("For this the best total counts: ace and eight are 19.")
    amount = _("It is doubled by the same amount.")
    if r.double_amount == "up_to":
        amount = _("It may be doubled by less than the bet, in whole chips.")
    split = _("Hands after a split may not be doubled.")
    if r.double_after_split:
        split = _("Hands after a split may be doubled under the same rule.")
    return [("row 12", on), ("row 13", amount), ("row 14", split)]


def _splitting(r: HouseRules) -> list[Row]:
    pairs = _(
        "Two cards of the same value may be split, ten and queen for example, for a second bet of the"
        " same amount."
    )
    if r.split == "rank":
        pairs = _(
            "Two cards of the same rank may be split, for a second bet of the same amount; ten and "
            "queen do not match."
        )
    most = _("A box may be split as often as its cards match.")
    if r.max_hands is not None:
        most = ngettext(
            "A box has at most %(n)s hand after splits.",
            "A box has at most %(n)s hands after splits.",
            r.max_hands,
        ) % {"n": r.max_hands}
    second = _("Both hands get their second card at once.")
    if r.split_cards == "reached":
        second = _("A split hand gets its second card when its turn comes.")
    natural = _("After a split an ace with a ten or face card is a blackjack like any other.")
    if not r.split_natural:
        natural = _("After a split an ace with a ten or face card is 21 and no blackjack: it is paid 1:1.")
    return [
        ("row 15", pairs),
        ("row 16", most),
        ("row 17", _aces(r)),
        ("row 18", second),
        ("row 19", natural),
    ]


def _aces(r: HouseRules) -> str:
    cards = _("Split aces are played on like other hands.")
    if r.split_aces == "one_card":
        cards = _("Split aces get one card each and stand.")
    again = _("Aces are not split again.")
    if r.resplit_aces:
        again = _("An ace that gets an ace may be split again.")
    return f"{cards} {again}"


def _surrender(r: HouseRules) -> list[Row]:
    if r.surrender == "none":
        return [("row 20", _("There is no surrender."))]
    offered = {
        "late": _(
            "Once the dealer has looked, first two cards may be given up for half of the bet (surrender)."
        ),
        "not_against_ace": _(
            "First two cards may be given up for half of the bet (surrender), but not against an ace;"
            " the half "
            "is kept even if the dealer then has a blackjack."
        ),
    }[r.surrender]
    split = _("Hands after a split may not be surrendered.")
    if r.surrender_after_split:
        split = _("Hands after a split may be surrendered too, split aces apart.")
    return [("row 20", f"{offered} {split}")]


# -- The dealer, and who wins -----------------------------------------------------------------------------


def _dealer(r: HouseRules) -> list[Row]:
    draws = {
        "hit": _("The dealer draws to 17, takes a card on soft 17, and stands on hard 17 and on 18 or more."),
        "stand": _("The dealer draws to 17 and stands on every 17, soft ones too."),
        "until_hard": _(
            "The dealer draws to 17; on a soft 17 the dealer goes on until the hand is hard or over 21."
        ),
    }[r.soft17]
    only = _("The dealer draws only as long as the result of some hand depends on it.")
    if not r.hole_card:
        only += " " + _("Where only blackjacks or insurance wait, the second card alone is drawn.")
    return [("row 5", draws), ("A5", only)]


def _settling(r: HouseRules) -> list[Row]:
    rows = [
        (
            "A4",
            _(
                "A hand over 21 loses at once. If the dealer is over 21 every hand still in wins. "
                "Otherwise the higher "
                "total wins and equal totals push. A won hand is paid 1:1."
            ),
        ),
        ("A4", _("Blackjack against blackjack is a push; a dealer's blackjack beats every other 21.")),
    ]
    late = _(
        "A dealer's blackjack that is found after play takes every bet, doubles and splits too, but a"
        " blackjack's."
    )
    if r.late_natural == "original":
        late = _(
            "A dealer's blackjack that is found after play takes the original bet on the left hand "
            "only; doubles and "
            "split bets of hands not over 21 come back."
        )
    if r.hole_card and {"A", "T"} <= set(r.looks_under):
        late = (
            _("No blackjack of the dealer can be found after play, because it is looked for first.")
            + " "
            + (
                _("Were one overlooked, it takes the original bets only.")
                if r.late_natural == "original"
                else _("Were one overlooked, it takes every bet.")
            )
        )
    return [*rows, ("row 22", late)]


def _halves(r: HouseRules) -> list[Row]:
    if not r.line_chip:
        return [("row 23", _("Bets are such that half of a bet is always whole chips."))]
    push = {
        "stays": _("on a push it stays for the hand after"),
        "player": _("on a push it is the player's"),
        "house": _("on a push it is the house's"),
    }[r.line_chip_push]
    line = _(
        "Where the %(won)s:%(bet)s of a blackjack is not whole chips, the whole chips are paid and one chip "
        "lies on the line. The box's next hand decides it: won, it is the player's; lost, the house's; "
        "%(push)s. Until then, and where the shoe ends first, it is the house's."
    )
    rounded = _("Where half of a surrendered bet is no whole chip it is rounded for the player.")
    return [
        ("row 23", line % {"won": r.natural_pays[0], "bet": r.natural_pays[1], "push": push}),
        ("row 23", rounded),
    ]


def _boxes(r: HouseRules) -> list[Row]:
    names = {"twins": _("Twins"), "crazy_twins": _("Crazy Twins")}
    none = _("There are no side bets.")
    if r.side_bets:
        listed = ", ".join(names[kind] for kind in r.side_bets)
        most = [
            _("%(kind)s up to %(chips)s on a shared box") % {"kind": names[kind], "chips": chips(each)}
            for kind, each in r.side_bet_box_max
        ]
        listed += f" ({'; '.join(most)})" if most else ""
        none = _("The side bets of the sheet, %(names)s, are not offered in this event.") % {"names": listed}
    return [("row 24", none), ("row 25", _sharing(r))]


def _sharing(r: HouseRules) -> str:
    if r.players_per_box == 1:
        shared = _("A box is one player's.")
    elif r.players_per_box is None:
        shared = _("The sheet lets any number of players share a box; in this event a box is one player's.")
    else:
        words = _("The sheet lets up to %(n)s players share a box; in this event a box is one player's.")
        shared = words % {"n": r.players_per_box}
    if r.shared_max == "player":
        shared += " " + _("On a shared box the largest bet would hold for each player.")
    elif r.players_per_box != 1:
        shared += " " + _("On a shared box the largest bet would hold for all players together.")
    return shared


def _mishaps(r: HouseRules) -> list[Row]:
    known = {
        "face_up": _("A card found face up in the shoe is burned."),
        "misdealt": _(
            "A card dealt in error is the next card. A player may refuse it and then gets no further "
            "card; refused by "
            "all, it is the dealer's next."
        ),
        "extra": _("A card that came out too many is the next card."),
        "dealer_extra": _("A card too many on the dealer's finished hand is burned."),
        "not_dealt": _("A box that was not dealt to sits the hand out and has its bet back."),
    }
    void = {
        "ruling": _("by a ruling, where something went wrong that cannot be put right"),
        "misdeal": _("after a misdeal that cannot be put right"),
        "cut_card": _("where it was dealt past a cut card that nobody noticed"),
        "malfunction": _("after a malfunction, with all its plays and pays"),
    }
    reasons = "; ".join(void[reason] for reason in r.void_reasons)
    rows = [("irregular", known[kind]) for kind in r.irregularities]
    return [*rows, ("T17", _("A hand is void, and every bet goes back: %(reasons)s.") % {"reasons": reasons})]
