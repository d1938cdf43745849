"""The number of hands left in a shoe: an estimate for people, and an upper bound for claims (T11)."""

from __future__ import annotations

from games.protocol import Rules
from games.registry import game_of
from tournament.selectors.floor import TableProgress
from tournament.selectors.standings_states import Shoe

HANDS_A_SHOE = 14
"""A shoe of six decks lasts about this many hands at a full table; used if no cards are recorded."""
CARDS_A_DECK = 52
CARDS_A_HAND = 3
"""With fewer cards per hand, the hands were not recorded card by card."""
DEALING = "dealing"


def hands_about(table: TableProgress) -> int | None:
    """Return about how many hands are left in a shoe, by its cards per hand so far or the usual length.

    None for a shoe that is over or in its last hand; at least one before that.
    """
    if table.state != DEALING or table.last_hand:
        return None
    if not table.hands or table.cards_out < CARDS_A_HAND * table.hands:
        return max(1, HANDS_A_SHOE - table.hands)
    before_the_cut_card = CARDS_A_DECK * (table.decks - 1)
    return max(1, (before_the_cut_card - table.cards_out) * table.hands // table.cards_out)


def hands_most(rules: Rules, table: TableProgress, *, counts_alone: bool) -> int | None:
    """Return the most hands that can still be settled at a table of a main round; None if unknown.

    On counts alone the chips themselves are not known until both counts agree (T18).
    """
    if counts_alone:
        return 0 if table.state == "counted" else None
    if table.state != DEALING:
        return 0
    if table.last_hand:
        return 1
    if not table.decks:
        return None
    return game_of(rules).hands_most(rules, table.cards_out, table.hands, table.decks)


def shoe_state(table: TableProgress) -> Shoe:
    """Return the state of the shoe of a table."""
    return Shoe.LAST_HAND if table.state == DEALING and table.last_hand else Shoe(table.state)
