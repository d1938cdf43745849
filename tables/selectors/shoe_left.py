"""The cards that have left a shoe, over all its hands: those of void ones too, where known (T11)."""

from __future__ import annotations

from collections import Counter

from games.registry import game_of
from ground.refused import Refused
from tables.models import Deal, Shoe
from tables.selectors.deals import deal_play
from tournament import sql

from .floor import house_rules

# How many cards each hand is known to have had, and how many boxes bet in it: the page asks this each time.
_HANDS = """
    SELECT coalesce(jsonb_array_length(d.record->'cards'), jsonb_array_length(o.record->'cards')),
        (SELECT count(*) FROM jsonb_object_keys(d.bets))
    FROM tables_deal d LEFT JOIN tables_deal o ON o.id = d.corrects_id AND d.status = 'void'
    WHERE d.shoe_id = %s AND d.status <> 'reversed'
"""


# Asked with every card: of a settled hand nothing is read but its cards.
_CARDS = """
    SELECT id, ARRAY(SELECT jsonb_array_elements_text(record->'cards')) FROM tables_deal
    WHERE shoe_id = %s AND status <> 'reversed' AND id <> %s
"""


def hand_cards(deal: Deal) -> tuple[str, ...]:
    """The cards of a hand as far as they are known; a void hand had those that were entered before.

    One that was taken back has its own taps; a correction has none, and its cards are the first record's.
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
    """Card → how often it has left the shoe; ``but``: the hand in question left out."""
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
    """Refuse a hand whose cards this shoe does not hold any more (T10, T11)."""
    rules = house_rules(shoe.round)
    game_of(rules).cards_check(rules, cards_out(shoe, but), cards, shoe.decks)


def why_not_end(shoe: Shoe) -> Refused | None:
    """Why this shoe cannot end without a reason; None where it can, or where no hands are recorded."""
    if shoe.round.counts_alone:
        return None
    hands = sql.rows(_HANDS, shoe.pk)
    known = sum(cards for cards, _ in hands if cards is not None)
    unknown = [boxes for cards, boxes in hands if cards is None]
    rules = house_rules(shoe.round)
    return game_of(rules).why_not_over(rules, known, unknown, shoe.decks)
