"""The data with which the script plays ahead of the server's answer: ``static/ahead.js``.

The rules that decide the next step, bets and stacks in chips by box, and the taps in short words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.protocol import Rules
from pages.dealer.reads import Screen
from tables.selectors.deals import taps_standing
from tournament.figures import chips as chips_words

Json = dict[str, Any]
DECIDING = (
    *("joker", "min_chips", "chip_chips", "hole_card", "looks_under", "soft17", "paid_at_once"),
    *("natural_paid", "insurance", "insurance_from_half_minimum", "natural_may_insure", "insurance_closes"),
    *("even_money", "even_money_returns_insurance", "double", "double_soft_low", "double_amount"),
    *("double_after_split", "split", "max_hands", "resplit_aces", "split_aces", "split_cards"),
    *("split_natural", "surrender", "surrender_after_split", "draw_on_21", "halves"),
)
"""The rules that decide the legal choices; only the server computes pay."""


def ahead(shown: Screen) -> Json | None:
    """Return the hand on the table, or the stacks before one; None if the script has to wait."""
    if shown.hand is None:
        stacks = {row.box: row.chips for row in shown.view.occupied if row.may_bet}
        return {"rules": rules_deciding(shown.rules), "stacks": stacks}
    if shown.hand.state is None:
        return None
    deal = shown.hand.deal
    taps = taps_said(taps_standing(deal.taps))
    if taps is None:
        return None
    return {"rules": rules_deciding(shown.rules), "bets": deal.bets, "stacks": deal.stacks, "taps": taps}


def rules_deciding(rules: Rules) -> Json:
    """Return those rules of a blackjack sheet as JSON."""
    return {name: getattr(rules, name) for name in DECIDING}


def taps_said(taps: Iterable[Iterable[Json]]) -> list[list[str]] | None:
    """Return each tap as operations in short words; None if the hand has an irregularity."""
    said = [[_word(op) for op in ops] for ops in taps]
    return None if any(not word for words in said for word in words) else [list(words) for words in said]


def _word(op: Mapping[str, Any]) -> str:
    """Return ``8h``, ``stand:3``, ``insurance:3:200``, ``look:no``, ``close_insurance``; empty if
    irregular."""
    match op["op"]:
        case "card" | "hole":
            return str(op["card"])
        case "decision" if set(op) <= {"op", "seat", "action", "amount"}:
            amount = f":{op['amount']}" if "amount" in op else ""
            return f"{op['action']}:{op['seat']}{amount}"
        case "looked":
            return "look:yes" if op["natural"] else "look:no"
        case "insurance_closed":
            return "close_insurance"
    return ""


KEYS = {"hit": "h", "stand": "s", "double": "d", "split": "p", "surrender": "r"}
"""The decisions in their order on the pad, each with its key."""


def ahead_words(names: Mapping[str, str]) -> Json:
    """Return the words of the script: the same as in ``blackjack.wanted``.

    ``names``: the decisions by name, each with its word.
    """
    said = {
        "card-box": _("Card for box %(n)s"),
        "act-box": _("Box %(n)s to act"),
        "which-hand": _(" · hand %(n)s of %(all)s"),
        "detail": _("bet %(bet)s · stack %(stack)s"),
        "soft": _("soft %(n)s"),
        "dealer": _("Dealer"),
        "card-dealer": _("Card for the dealer"),
        "turn": _("Turn the hole card"),
        "has": _("has %(n)s"),
        "look": _("Check the hole card"),
        "ace": _("Dealer shows an ace"),
        "insurance": _("Insurance is open"),
        "done": _("Hand %(n)s is finished"),
        "shows": _("Dealer shows %(rank)s"),
        "shows-natural": _("Dealer shows %(rank)s · checked: blackjack"),
        "shows-none": _("Dealer shows %(rank)s · checked: no blackjack"),
        "box-name": _("Box %(n)s, %(name)s"),
        "insures": _("Box %(n)s insures for %(chips)s"),
        "dealer-has": _("Dealer has %(n)s"),
        "dealer-busts": _("Dealer busts with %(n)s"),
        "dealer-natural": _("Dealer has blackjack"),
        "rank-a": _("ace"),
        "rank-j": _("jack"),
        "rank-q": _("queen"),
        "rank-k": _("king"),
        "is-stood": _("Stands"),
        "is-bust": _("Bust"),
        "is-surrendered": _("Surrender"),
        "is-natural": _("Blackjack"),
        "is-paid": _("Blackjack, paid"),
        "is-even_money": _("Even money"),
        "to-act": _("to act"),
        "insured": _("Insured %(chips)s"),
        "thousand": chips_words(1000),
        "why-card": _("No card comes now: %(now)s."),
        "why-settle": _("The hand is not finished: %(now)s."),
    }
    actions = [(action, _(names[action]), key) for action, key in KEYS.items()]
    return {"said": list(said.items()), "actions": actions, "settle": _("Settle hand %(n)s")}
