"""The cards that have left a shoe in all its hands, including the known cards of void hands (T11)."""

from __future__ import annotations

from collections import Counter

from games.registry import game_of
from ground.refused import Refused
from tables.models import Deal, Shoe
from tables.selectors.deals import deal_play
from tournament import sql

from .floor import house_rules

# For each hand its number of cards, if known, and of boxes that bet. Every page between hands reads this.
_HANDS = """
    SELECT coalesce(jsonb_array_length(d.record->'cards'), jsonb_array_length(o.record->'cards')),
        (SELECT count(*) FROM jsonb_object_keys(d.bets))
    FROM tables_deal d LEFT JOIN tables_deal o ON o.id = d.corrects_id AND d.status = 'void'
    WHERE d.shoe_id = %s AND d.status <> 'reversed'
"""


# Every card that is tapped reads this, so it reads only the cards of a hand.
_CARDS = """
    SELECT id, ARRAY(SELECT jsonb_array_elements_text(record->'cards')) FROM tables_deal
    WHERE shoe_id = %s AND status <> 'reversed' AND id <> %s
"""


def hand_cards(deal: Deal) -> tuple[str, ...]:
    """Return the known cards of a hand.

    A void hand has the cards that were entered before. A hand that was taken back has its own taps. A
    correction without cards has those of the hand that it corrects.
    """
    if deal.record and "cards" in deal.record:
        return tuple(deal.record["cards"])
    if deal.status == Deal.Status.SETTLED:
        return ()
    if deal.taps:
        return _tapped(deal)
    return hand_cards(deal.corrects) if deal.corrects is not None else _tapped(deal)


def _tapped(deal: Deal) -> tuple[str, ...]:
    return deal_play(deal).cards if deal.taps else ()


def cards_out(shoe: Shoe, but: Deal | None = None) -> Counter[str]:
    """Count how often each card has left the shoe, without the cards of the hand ``but``."""
    out: Counter[str] = Counter()
    unknown = []
    for pk, cards in sql.rows(_CARDS, shoe.pk, but.pk if but is not None else 0):
        out.update(cards or ())
        if not cards:
            unknown.append(pk)
    for deal in Deal.objects.filter(pk__in=unknown).select_related("corrects") if unknown else ():
        deal.shoe = shoe
        if deal.corrects is not None:
            deal.corrects.shoe = shoe
        out.update(hand_cards(deal))
    return out


def shoe_cards_check(shoe: Shoe, cards: tuple[str, ...] | list[str], but: Deal | None = None) -> None:
    """Refuse a hand with more cards of a kind than the shoe still holds (T10, T11)."""
    rules = house_rules(shoe.round)
    game_of(rules).cards_check(rules, cards_out(shoe, but), cards, shoe.decks)


def why_not_end(shoe: Shoe) -> Refused | None:
    """Return why this shoe cannot end without a reason; None if it can, or if no hands are recorded."""
    if shoe.round.counts_alone:
        return None
    hands = sql.rows(_HANDS, shoe.pk)
    known = sum(cards for cards, _ in hands if cards is not None)
    unknown = [boxes for cards, boxes in hands if cards is None]
    rules = house_rules(shoe.round)
    return game_of(rules).why_not_over(rules, known, unknown, shoe.decks)
