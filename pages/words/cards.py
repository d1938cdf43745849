"""The name of a card, as screen readers say it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

SUITS = {
    "s": gettext_lazy("spades"),
    "h": gettext_lazy("hearts"),
    "d": gettext_lazy("diamonds"),
    "c": gettext_lazy("clubs"),
}
RANKS = {
    "A": gettext_lazy("Ace"),
    "T": "10",
    "J": gettext_lazy("Jack"),
    "Q": gettext_lazy("Queen"),
    "K": gettext_lazy("King"),
}


def card_code(drawn: str) -> str:
    """Convert a card of the draw (`KH`) to the code of the drawings (`Kh`)."""
    return drawn[:-1] + drawn[-1:].lower()


def card_name(code: str) -> str:
    """Return a card in words: `8 of hearts`, the joker, and for other text a face-down card."""
    if code[-1:] not in SUITS:
        return _("joker") if code == "JK" else _("card face down")
    names = {"rank": RANKS.get(code[0], code[0]), "suit": SUITS[code[1]]}
    # German writes `Herz 8` and `Herz-Dame`.
    if code[0] in "AJQK":
        return pgettext("picture card", "%(rank)s of %(suit)s") % names
    return pgettext("number card", "%(rank)s of %(suit)s") % names
