"""Put a mistake in an open hand right and keep the rest of the hand, or rule on it (T17).

A settled hand is corrected instead (``corrections``). Both are commands, as a correction is, so that the
journal has the hand as it was before, and the ruling with its person and reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from games.registry import game_of
from ground.refused import Refused
from tables.models import Deal
from tables.selectors.amending import Amended, Change, amended, tapped_op
from tables.selectors.deals import boxed, deal_play, taps_standing
from tables.selectors.floor import house_rules
from tables.selectors.shoes import shoe_cards_check
from tables.services.hand import (
    all_bet_check,
    bets_check,
    bets_of,
    called_check,
    open_check,
    place_of_open,
    seen_check,
    tapped_by,
)
from tables.services.locks import event_of_deal, hand_lock, running_check
from tournament.services.arguments import reason_clean
from tournament.services.journal import Command, Json, command


def deal_amend(
    *,
    deal_id: int,
    seen: int,
    called: str = "",
    change: Change,
    key: str,
    actor: User | None,
    screen: str = "",
) -> Json:
    """Put one tap of an open hand, or its bets, right; later taps stay where they still fit.

    ``seen`` and ``called`` as for a tap (``deal_tap``). Later taps that no longer fit are taken back only if
    ``change.keep`` says how many taps stay. Gives ``{"deal", "number", "seen"}``. Raises Refused
    ``deal_not_open`` (409), ``stale`` (409), ``entered_by_results``, ``amend_nothing`` if nothing would
    change, ``amend_drops`` if taps do not fit, the game's codes for a card or a decision, and those of T12
    for a bet.
    """
    event_id = event_of_deal(deal_id)
    body = {"deal": deal_id, "seen": seen, "change": _told(change)}

    def act(cmd: Command) -> Json:
        deal = _hand_by_cards(deal_id, seen, called)
        before = taps_standing(deal.taps)
        bets = _bets_set(deal, change)
        found = amended(deal, change, boxed(deal.stacks))
        standing = standing_after(found, change)
        if standing == before and bets is None:
            raise Refused("amend_nothing", "The hand already has this. Choose the right one, or go back.")
        said = _said(deal, change, before, bets, stays=found.stays)
        tap: Json = {"nonce": str(key)[:64], "said": said, "standing": standing}
        tap |= {"bets": _moved(deal, bets)} if bets is not None else {}
        deal.taps = [*deal.taps, tap | tapped_by(actor, screen)]
        deal.save(update_fields=["taps", "bets", "stacks", "sits_out"])
        shoe_cards_check(deal.shoe, deal_play(deal).cards, but=deal)
        dropped = [_words(deal, op) for op in _behind(found, standing)]
        cmd.note(said=said, dropped=dropped, taps=before)
        return {"deal": deal.pk, "number": deal.number, "seen": len(deal.taps)}

    return command(kind="deal.amend", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _hand_by_cards(deal_id: int, seen: int, called: str) -> Deal:
    """Lock an open hand. Refuse unless it is entered card by card and the screen is up to date."""
    deal = hand_lock(deal_id)
    open_check(deal)
    running_check(deal.shoe.round.event)
    seen_check(deal, seen)
    called_check(deal, called)
    _by_cards_check(deal)
    return deal


def _by_cards_check(deal: Deal) -> None:
    if deal.mode != Deal.Mode.CARDS:
        raise Refused("entered_by_results", "This hand is entered by its results, not card by card.")


def amend_preview(deal: Deal, change: Change) -> Amended:
    """Return the hand as ``deal_amend`` would change it; changes nothing. Raises Refused as it does."""
    if change.bets is not None:
        place = place_of_open(deal)
        return amended(deal, change, bets_check(place, bets_of(change.bets)))
    return amended(deal, change, boxed(deal.stacks))


def _told(change: Change) -> Json:
    """Return the change as the journal stores it."""
    if change.bets is not None:
        return {"bets": {str(box): bet for box, bet in change.bets.items()}, "keep": change.keep}
    return {
        "at": change.at,
        "put": list(change.put),
        "out": change.out,
        "before": change.before,
        "keep": change.keep,
    }


def _bets_set(deal: Deal, change: Change) -> Mapping[int, int] | None:
    """Change the bets of the hand and return the old ones; None if the change is not about bets."""
    if change.bets is None:
        return None
    bets, before = bets_of(change.bets), boxed(deal.bets)
    if bets == before:
        raise Refused("amend_nothing", "The hand already has this. Choose the right one, or go back.")
    place = place_of_open(deal)
    deal.stacks = bets_check(place, bets)
    # A box without a bet got no cards: it stays out of this hand, even if its player is back.
    stays_out = {box: 0 for box in place.stacks if box not in before and box not in place.sits_out}
    all_bet_check(place, stays_out | bets)
    deal.bets, deal.sits_out = bets, place.sits_out
    return before


def standing_after(found: Amended, change: Change) -> list[list[Json]]:
    """Return the taps that stay. Raises Refused ``amend_drops`` if fewer would stay than ``change.keep``."""
    most = len(found.standing)
    if change.keep is not None and change.keep <= most:
        return found.kept(change.keep)
    if found.no is None:
        return found.standing
    raise Refused("amend_drops", "Some later taps do not fit any more: %(why)s", why=found.no.message)


def _behind(found: Amended, standing: list[list[Json]]) -> list[Json]:
    return [*(tapped_op(ops) for ops in found.standing[len(standing) :]), *found.rest]


def _said(
    deal: Deal, change: Change, before: list[list[Json]], bets: Mapping[int, int] | None, *, stays: bool
) -> str:
    """Return a sentence with the old and the new state of what was put right."""
    if bets is not None:
        moved = _moved(deal, bets).items()
        return "; ".join(f"bet of box {box}: {bets.get(box, 0):,} is now {bet:,}" for box, bet in moved)
    assert change.at is not None
    was, put = _words(deal, tapped_op(before[change.at])), [_words(deal, op) for op in change.put]
    if not put:
        return f"{was}: taken out" if change.keep is None else f"taken back from {was} on"
    return f"before {was}: {', '.join(put)}" if stays else f"{was} is now {', '.join(put)}"


def _moved(deal: Deal, bets: Mapping[int, int]) -> dict[int, int]:
    """Return the bets that differ from ``bets``, by box."""
    now = boxed(deal.bets)
    return {box: now.get(box, 0) for box in sorted({*bets, *now}) if bets.get(box) != now.get(box)}


def _words(deal: Deal, op: Mapping[str, Any]) -> str:
    return game_of(house_rules(deal.shoe.round)).op_words(op)


# Rulings ----------------------------------------------------------------------------------------------

# The game's own rules settle everything except its ``ruled_ops``. A ruling is a tap with a reason.


def deal_play_on(
    *,
    deal_id: int,
    seen: int,
    called: str = "",
    op: Mapping[str, Any],
    reason: str,
    key: str,
    actor: User | None,
    screen: str = "",
) -> Json:
    """Rule that an open hand is played on after the mistake ``op``, one of the game's ``ruled_ops``.

    ``seen``, ``called`` and ``screen`` as for a tap (``deal_tap``). Gives ``{"deal", "number", "seen"}``.
    Raises Refused ``deal_not_open`` (409), ``stale`` (409), ``reason_missing`` and as ``went_wrong`` does.
    """
    event_id = event_of_deal(deal_id)
    body = {"deal": deal_id, "seen": seen, "op": op, "reason": reason}

    def act(cmd: Command) -> Json:
        why = reason_clean(reason)
        deal = _hand_by_cards(deal_id, seen, called)
        went_wrong(cmd, deal, op, ruling="play_on", reason=why, nonce=key, screen=screen)
        return {"deal": deal.pk, "number": deal.number, "seen": len(deal.taps)}

    return command(kind="deal.play_on", key=key, actor=actor, event_id=event_id, body=body, act=act)


def went_wrong(
    cmd: Command,
    deal: Deal,
    op: Mapping[str, Any],
    *,
    ruling: str,
    reason: str,
    nonce: str,
    screen: str = "",
) -> None:
    """Store the mistake ``op`` with a locked hand, and the ruling: ``play_on`` or ``void``.

    Raises Refused ``entered_by_results``, ``bad_operation``, ``no_ruling_needed``, and the codes of the
    engine (``irregularity_impossible``, ``not_now``, ``card_contradicts_look`` …).
    """
    _by_cards_check(deal)
    game = game_of(house_rules(deal.shoe.round))
    checked = game.op_checked(op)
    if checked["op"] not in game.ruled_ops:
        raise Refused("no_ruling_needed", "This needs no ruling. Enter it as it happened.")
    by = cmd.actor.pk if cmd.actor else None
    tap = {"nonce": str(nonce)[:64], "op": checked, "ruling": ruling, "reason": reason, "by": by}
    tap |= tapped_by(cmd.actor, screen)
    deal.taps = [*deal.taps, tap]
    shoe_cards_check(deal.shoe, deal_play(deal).cards, but=deal)
    deal.save(update_fields=["taps"])
    cmd.note(said=game.op_words(checked))
