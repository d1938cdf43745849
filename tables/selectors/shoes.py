"""The cards that have left a shoe in all its hands, known cards of void hands too, and its end (T11)."""

from __future__ import annotations

from collections import Counter

from games.registry import game_of
from ground.refused import Conflict, Refused
from tables.models import Deal, Shoe
from tables.selectors.counts import live_sheets
from tables.selectors.deals import deal_play
from tables.selectors.floor import house_rules
from tournament import sql
from tournament.models import Round

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
    known = sum(cards for cards, _boxes in hands if cards is not None)
    unknown = [boxes for cards, boxes in hands if cards is None]
    rules = house_rules(shoe.round)
    return game_of(rules).why_not_over(rules, known, unknown, shoe.decks)


def why_not_reopen(shoe: Shoe) -> Refused | None:
    """Return why a shoe cannot be reopened; None if it can, which is until its chips are counted.

    ``shoe_dealing`` (409), ``counts_in`` (409), ``round_not_playing`` (409), ``shoe_followed`` (409).
    """
    names = {"table": shoe.table}
    if shoe.status == Shoe.Status.DEALING:
        return Conflict("shoe_dealing", "The shoe at %(table)s is still being played.", **names)
    if shoe.status == Shoe.Status.COUNTED or live_sheets(shoe):
        return Conflict(
            "counts_in", "Chips have been counted at %(table)s. Withdraw the counts first.", **names
        )
    if shoe.round.status != Round.Status.PLAYING:
        return Conflict(
            "round_not_playing",
            "%(round)s is %(state)s: nothing is dealt.",
            round=shoe.round,
            state=shoe.round.get_status_display(),
        )
    later = Shoe.objects.filter(round=shoe.round_id, table=shoe.table_id, number__gt=shoe.number)
    if later.exists():
        return Conflict("shoe_followed", "Another shoe is in play at %(table)s.", **names)
    return None


def why_not_last_hand(shoe: Shoe, *, out: bool) -> Refused | None:
    """Return why the cut card cannot be noted as out (``out`` False: as not out); None if it can.

    ``shoe_over`` (409), ``already_last`` (409), ``not_last`` (409).
    """
    if shoe.status != Shoe.Status.DEALING:
        return Conflict("shoe_over", "The shoe at %(table)s is over already.", table=shoe.table)
    if shoe.last_hand and out:
        return Conflict(
            "already_last",
            "The cut card at %(table)s is already out: finish the hand, and the shoe is over.",
            table=shoe.table,
        )
    if not shoe.last_hand and not out:
        return Conflict("not_last", "Nobody has reported the cut card at %(table)s.", table=shoe.table)
    return None


def ended_with(shoe: Shoe, deal: Deal) -> bool:
    """Whether this hand was the last one of the shoe and ended it, and no chips have been counted since."""
    over = shoe.status == Shoe.Status.OVER and shoe.last_hand and shoe.ended_at == deal.closed_at
    return over and not live_sheets(shoe)
