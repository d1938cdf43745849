"""What a game gives to the pages on which its hands are entered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.translation import gettext as _

from games.protocol import Rules
from pages.dealer.reads import Screen
from tournament.figures import signed

Json = dict[str, Any]
LADDER_LONGEST = 8
"""The most amounts that are offered to be chosen; more than that are typed."""


@dataclass(frozen=True)
class Touches:
    """What lies on the felt, with the tap that it came by, counted from 0 among the taps that stand.

    ``boxes``: box → hand → card; ``said``: box → its last decision; ``looked``: what the dealer's line says.
    """

    boxes: Mapping[int, list[list[int | None]]]
    dealer: list[int | None]
    said: Mapping[int, int]
    looked: int | None


class Part(Protocol):
    """The game's part of the table's page and of the correction's. Words and pictures, no rule."""

    def prints(self, rules: Rules) -> tuple[str, str]:
        """The two lines on the cloth."""
        ...

    def in_hand(self, shown: Screen) -> dict[int, Json]:
        """Box → what lies there in the hand on the table, as ``_box.html`` takes it."""
        ...

    def dealer(self, shown: Screen) -> Json:
        """The cards of the dealer, or in the middle, and what is said of them."""
        ...

    def wanted(self, shown: Screen) -> Json:
        """Return the next entry: ``kind``, ``card`` (whether it is one), ``eyebrow``, ``title``, ``detail``.

        ``now`` is the same in a few words, where the title does not say it.
        """
        ...

    def decisions(self, shown: Screen) -> list[Json]:
        """The decisions as buttons: ``value`` (``hit:5``), ``label``, ``key``, ``legal``."""
        ...

    def offers(self, shown: Screen) -> list[Json]:
        """Return the offers that any box may take now, whoever's turn it is."""
        ...

    def touches(self, shown: Screen) -> Touches | None:
        """Return the touches that correct a hand; None if hands of this game cannot be corrected by touch."""
        ...

    def record_taps(self, record: Mapping[str, Any]) -> list[Json] | None:
        """The taps by which a recorded hand is entered card by card; None where it cannot be."""
        ...

    def results_form(self, rules: Rules) -> Json:
        """Return the fields of the results form: ``outcomes`` as (value, word, key), and the game's own."""
        ...

    def outcomes(self, rules: Rules, post: Mapping[str, str], bets: Mapping[int, int]) -> dict[int, Json]:
        """The results form read: the outcome of every box that has one, as the game takes it."""
        ...

    def fields(self, rules: Rules, outcomes: Mapping[str, Json]) -> dict[str, str]:
        """The other way: outcomes as the fields of the form."""
        ...

    def ahead(self, shown: Screen) -> Json | None:
        """Return what the script needs to go on before the server answers; None if the script has to wait."""
        ...

    def ahead_words(self) -> Json:
        """The words in which that script says what is wanted next; empty where it waits."""
        ...

    def cards_help(self) -> tuple[str, str]:
        """Explain how the cards and the decisions of a hand are written."""
        ...


def net_label(net_chips: int, hand_nets: Iterable[int | None] = (), words: str = "") -> Json:
    """Return the pill of a box that won or lost ``net_chips`` in all.

    It says "Push" only where none of the box's hands (``hand_nets``, in chips) won or lost: a lost hand
    beside won insurance comes to 0 as well.
    """
    tone = "gain" if net_chips > 0 else "loss" if net_chips < 0 else ""
    label = signed(net_chips) if net_chips or any(hand_nets) else _("Push")
    return {"label": label, "tone": tone, "net_chips": net_chips, "note": words}
