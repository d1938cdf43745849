"""The interface of a game's part of the pages that enter hands."""

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
"""The most amounts that have a button; if there are more, the amount is typed."""


@dataclass(frozen=True)
class Touches:
    """The cards on the felt with their taps, counted from 0 among the taps that stand.

    ``boxes``: box → hand → card; ``said``: box → its last decision; ``looked``: the dealer's peek.
    """

    boxes: Mapping[int, list[list[int | None]]]
    dealer: list[int | None]
    said: Mapping[int, int]
    looked: int | None


class Part(Protocol):
    """A game's part of the table's page and of the correction page. Words and pictures, no rules."""

    def prints(self, rules: Rules) -> tuple[str, str]:
        """Return the two lines printed on the cloth."""
        ...

    def in_hand(self, shown: Screen) -> dict[int, Json]:
        """Map boxes to their cards in the hand on the table, for ``_box.html``."""
        ...

    def dealer(self, shown: Screen) -> Json:
        """Return the cards of the dealer, or in the middle, and their label."""
        ...

    def wanted(self, shown: Screen) -> Json:
        """Return the next entry: ``kind``, ``card`` (whether it is one), ``eyebrow``, ``title``, ``detail``.

        ``now``: the step in a few words, if the title does not have it.
        """
        ...

    def decisions(self, shown: Screen) -> list[Json]:
        """Return the decisions as buttons: ``value`` (``hit:5``), ``label``, ``key``, ``legal``."""
        ...

    def offers(self, shown: Screen) -> list[Json]:
        """Return the offers that boxes may take now, out of turn too."""
        ...

    def touches(self, shown: Screen) -> Touches | None:
        """Return the touches that correct a hand; None if hands of this game cannot be corrected by touch."""
        ...

    def record_taps(self, record: Mapping[str, Any]) -> list[Json] | None:
        """Return the taps that enter a recorded hand card by card; None if that is impossible."""
        ...

    def results_form(self, rules: Rules) -> Json:
        """Return the fields of the results form: ``outcomes`` as (value, word, key), and the game's own."""
        ...

    def outcomes(self, rules: Rules, post: Mapping[str, str], bets: Mapping[int, int]) -> dict[int, Json]:
        """Read the results form: return the outcome of every box that has one, for the game."""
        ...

    def fields(self, rules: Rules, outcomes: Mapping[str, Json]) -> dict[str, str]:
        """Return outcomes as fields of the form, the inverse of ``outcomes``."""
        ...

    def ahead(self, shown: Screen) -> Json | None:
        """Return what the script needs to go on before the server answers; None if the script has to wait."""
        ...

    def ahead_words(self) -> Json:
        """Return the words of that script; empty if it waits."""
        ...

    def cards_help(self) -> tuple[str, str]:
        """Return help on how to type the cards and the decisions of a hand."""
        ...


def net_label(net_chips: int, hand_nets: Iterable[int | None] = (), words: str = "") -> Json:
    """Return the pill of a box that won or lost ``net_chips`` in all.

    It says "Push" only if none of the box's hands (``hand_nets``, in chips) won or lost: a lost hand with won
    insurance also nets 0.
    """
    tone = "gain" if net_chips > 0 else "loss" if net_chips < 0 else ""
    label = signed(net_chips) if net_chips or any(hand_nets) else _("Push")
    return {"label": label, "tone": tone, "net_chips": net_chips, "note": words}
