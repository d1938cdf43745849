"""Rule on what went wrong in an open hand: it is played on, or it is void (T17).

The game's own rules settle everything but its ``ruled_ops``. A ruling is a tap that keeps who ruled what and
why, and a command, so that the journal has it too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from games.registry import game_of
from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal
from tables.selectors.deals import deal_play
from tables.selectors.floor import house_rules
from tables.selectors.shoe_left import shoe_cards_check
from tables.services.hand import called_check, open_check, seen_check, tapped_by
from tables.services.locks import event_of_deal, hand_lock, running_check
from tournament.services.asked import reason_clean
from tournament.services.journal import Command, Json, command


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
    """Play on in an open hand although ``op``, one of the game's ``ruled_ops``, went wrong.

    ``seen``, ``called`` and ``screen`` as for a tap (``deal_tap``). Gives ``{"deal", "number", "seen"}``.
    Raises Refused ``deal_not_open`` (409), ``stale`` (409), ``reason_missing`` and as ``went_wrong`` does.
    """
    event_id = event_of_deal(deal_id)
    body = {"deal": deal_id, "seen": seen, "op": op, "reason": reason}

    def act(cmd: Command) -> Json:
        why = reason_clean(reason)
        deal = hand_lock(deal_id)
        open_check(deal)
        running_check(deal.shoe.round.event)
        seen_check(deal, seen)
        called_check(deal, called)
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
    """Store with a locked hand what went wrong, and the ruling: ``play_on`` or ``void``.

    Raises Refused ``entered_by_results``, ``bad_operation``, ``no_ruling_needed``, and the codes of the
    engine (``irregularity_impossible``, ``not_now``, ``card_contradicts_look`` …).
    """
    if deal.mode != Deal.Mode.CARDS:
        raise Refused("entered_by_results", _("This hand is entered by its results, not card by card."))
    game = game_of(house_rules(deal.shoe.round))
    checked = game.op_checked(op)
    if checked["op"] not in game.ruled_ops:
        raise Refused("no_ruling_needed", _("This needs no ruling. Enter it as it happened."))
    by = cmd.actor.pk if cmd.actor else None
    tap = {"nonce": str(nonce)[:64], "op": checked, "ruling": ruling, "reason": reason, "by": by}
    tap |= tapped_by(cmd.actor, screen)
    deal.taps = [*deal.taps, tap]
    shoe_cards_check(deal.shoe, deal_play(deal).cards, but=deal)
    deal.save(update_fields=["taps"])
    cmd.note(said=game.op_words(checked))
