"""Hands at a table: opened, tapped, settled, void; the start of play (T12–T17, T31).

A tap is not a command: it is kept with the hand, and journalled when the hand settles. Locks are taken in
one order: event head, shoe, hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User

from games.protocol import Hand
from games.registry import game_of
from ground.refused import Conflict, Refused
from tables.models import Deal, Shoe
from tables.selectors.deals import bets_called, bets_word, boxed, deal_play, ops_of
from tables.selectors.floor import house_rules
from tables.selectors.next_hand import play_check
from tables.selectors.shoes import shoe_cards_check
from tables.services.amending import went_wrong
from tables.services.facts_write import facts_write
from tables.services.hand import (
    Outcome,
    Place,
    all_bet_check,
    bets_check,
    bets_of,
    called_check,
    correct_after,
    corrected_first,
    hand_post,
    last_hand_over,
    open_check,
    outcome_of_record,
    outcome_of_results,
    place_of,
    place_of_open,
    play_begin,
    seen_check,
    tapped_by,
    void_record,
)
from tables.services.locks import deal_lock, event_of_deal, hand_lock, running_check, shoe_get, shoe_lock
from tournament import sql
from tournament.engine.facts import HandVoid, Looked, boxes, key_of
from tournament.models import Round
from tournament.selectors.basis import basis_check
from tournament.services.arguments import reason_clean
from tournament.services.commits import saving
from tournament.services.journal import Command, Json, command, not_whole
from tournament.services.rounds import round_command
from tournament.services.status import status_move

Mode = Deal.Mode

# The hand on the table ------------------------------------------------------------------------------


def deal_open(
    *, shoe_id: int, bets: Mapping[Any, Any], mode: str = Mode.CARDS, key: str = "", actor: User | None
) -> Json:
    """Call the bets of a hand, chips by box. Gives ``{"deal", "number"}``.

    ``mode`` is ``cards`` or ``results``. This is no command: of ``key`` only the basis of the form is used.

    The first hand of a round starts the round (T19), which is journalled. Sending the form twice opens one
    hand.
    Raises Refused ``deal_open`` (409), ``shoe_over`` (409), ``counts_only``, ``chips_due`` (409),
    ``box_empty``, ``absent`` (T15), ``not_playing``, ``bet_missing`` and ``penalty_sits_out``, T12 in the
    record's codes, and what ``play_check`` raises.
    """
    if mode not in (Mode.CARDS, Mode.RESULTS):
        raise Refused("bad_mode", "A hand is entered by cards or by results.")
    called = bets_of(bets)
    corrected_first(shoe_id)
    with saving():
        before = shoe_get(shoe_id)
        if before.round.status == Round.Status.SEATED:
            # Before the shoe's lock, because commands lock the event's head first.
            _round_play(before.round, actor)
        shoe = shoe_lock(shoe_id)
        deal = _same_open(shoe, called, mode, actor)
        if deal is None:
            basis_check(key)
            deal = _deal_make(place_of(shoe), called, mode, actor)
    return {"deal": deal.pk, "number": deal.number}


def deal_begin(
    *,
    shoe_id: int,
    bets: Mapping[Any, Any],
    op: Mapping[str, Any],
    nonce: str,
    key: str,
    actor: User | None,
    screen: str = "",
) -> Json:
    """Open a hand with its first card ``op``, in one tap.

    Sending the tap twice opens one hand with one card. Gives ``{"deal", "seen", "done"}``. Raises Refused as
    ``deal_open`` and ``deal_tap`` do, and then opens nothing.
    """
    corrected_first(shoe_id)
    with saving():
        deal_id = _begun(shoe_id, bets_of(bets), nonce)
        if deal_id is None:
            try:
                deal_id = deal_open(shoe_id=shoe_id, bets=bets, key=key, actor=actor)["deal"]
            except Refused:
                # The form was sent twice at once, and the other copy has opened the hand.
                deal_id = _begun(shoe_id, bets_of(bets), nonce)
                if deal_id is None:
                    raise
        return _tap(deal_id, 0, nonce, op, "", tapped_by(actor, screen))


def _begun(shoe_id: int, bets: Mapping[int, int], nonce: str) -> int | None:
    """Return the hand that this press has opened, even if the hand has been settled since."""
    deal = Deal.objects.filter(shoe=shoe_id, taps__0__nonce=nonce).order_by("-pk").first()
    # Compare the bets of that press: another screen may have changed the bets of the hand since.
    if deal is None or bets_word(bets) != deal.taps[0].get("called", bets_called(deal)):
        return None
    return deal.pk


def _same_open(shoe: Shoe, bets: Mapping[int, int], mode: str, actor: User | None) -> Deal | None:
    """Return the open hand if this press has opened it."""
    deal = Deal.objects.filter(shoe=shoe, status=Deal.Status.OPEN, mode=mode, opened_by=actor).first()
    if deal is None or deal.taps or boxed(deal.bets) != bets:
        return None
    return deal


def _deal_make(place: Place, bets: Mapping[int, int], mode: str, actor: User | None) -> Deal:
    stacks = bets_check(place, bets)
    all_bet_check(place, bets)
    return Deal.objects.create(
        shoe=place.shoe,
        number=place.number,
        mode=mode,
        button_box=place.button,
        bets=bets,
        stacks=stacks,
        entries=_entry_ids(place),
        sits_out=place.sits_out,
        opened_by=actor,
    )


def _entry_ids(place: Place) -> dict[str, int]:
    return {str(box): stack.entry_id for box, stack in place.stacks.items()}


def deal_bets(*, deal_id: int, bets: Mapping[Any, Any], key: str = "", actor: User | None) -> Json:
    """Change the bets of an open hand before its first card, or once every card is taken back.

    Of ``key`` only the basis of the form is used. Raises Refused ``cards_are_out`` (409), ``deal_not_open``
    (409) and what T12 refuses.
    """
    called = bets_of(bets)
    with saving():
        deal = hand_lock(deal_id)
        if boxed(deal.bets) == called:
            return {"deal": deal.pk, "number": deal.number}
        basis_check(key)
        _bets_again(deal, called)
    return {"deal": deal.pk, "number": deal.number}


def deal_mode(*, deal_id: int, mode: str, key: str = "") -> Json:
    """Switch an open hand to results, or back to cards; all taps are kept.

    Like a tap, this is not a command. Gives ``{"deal", "number"}``. Raises Refused ``deal_not_open`` (409),
    ``bad_mode``, and for a simulated hand as well.
    """
    with saving():
        deal = hand_lock(deal_id)
        if mode not in (Mode.CARDS, Mode.RESULTS) or deal.mode == Mode.SIMULATED:
            raise Refused("bad_mode", "A hand is entered by cards or by results.")
        if deal.mode != mode:
            basis_check(key)
            open_check(deal)
            running_check(deal.shoe.round.event)
            deal.mode = mode
            deal.save(update_fields=["mode"])
    return {"deal": deal.pk, "number": deal.number}


def _bets_again(deal: Deal, bets: dict[int, int]) -> None:
    open_check(deal)
    if ops_of(deal.taps):
        raise Conflict(
            "cards_are_out", "Cards are out, so the bets stand. Take the cards back, or void the hand."
        )
    running_check(deal.shoe.round.event)
    place = place_of_open(deal)
    deal.stacks = bets_check(place, bets)
    all_bet_check(place, bets)
    deal.bets, deal.sits_out = bets, place.sits_out
    deal.save(update_fields=["bets", "stacks", "sits_out"])


def deal_tap(
    *,
    deal_id: int,
    seen: int,
    nonce: str,
    op: Mapping[str, Any],
    called: str = "",
    actor: User | None = None,
    screen: str = "",
) -> Json:
    """Record one tap: a card, a decision or a look (an operation of the game).

    ``seen`` is the number of taps that the screen knew, ``called`` the bets that it showed (``bets_called``;
    empty if a tap of the same request began the hand), ``nonce`` the tap's own name: a tap that is sent twice
    counts once. ``actor`` tapped on ``screen``; other screens compare that mark with their own.

    Gives ``{"deal", "seen", "done"}``. Raises Refused ``stale`` (409) with what has changed,
    ``deal_not_open`` (409), ``nonce_reused``, ``bad_operation``, ``ruling_needed`` for an operation that
    needs a ruling (``deal_play_on``), and what the engine refuses.
    """
    return _tap(deal_id, seen, nonce, op, called, tapped_by(actor, screen))


def deal_undo(
    *, deal_id: int, seen: int, nonce: str, called: str = "", actor: User | None = None, screen: str = ""
) -> Json:
    """Take the last tap back, which is one more tap. Raises Refused ``stale`` (409), ``nothing_to_undo``."""
    return _tap(deal_id, seen, nonce, None, called, tapped_by(actor, screen))


def _tap(
    deal_id: int, seen: int, nonce: str, op: Mapping[str, Any] | None, called: str, by: Mapping[str, Any]
) -> Json:
    if not nonce or len(nonce) > 64:
        raise not_whole("no_nonce")
    with saving():
        deal = deal_lock(deal_id)
        tap = {"nonce": nonce, "undo": True} if op is None else {"nonce": nonce, "op": _op(deal, op)}
        before = next((t for t in deal.taps if t["nonce"] == tap["nonce"]), None)
        if before is None:
            running_check(deal.shoe.round.event)
            open_check(deal)
            seen_check(deal, seen)
            called_check(deal, called)
            begins = {} if deal.taps else {"called": bets_called(deal)}
            deal.taps = [*deal.taps, {**tap, **_meant(deal, tap), **begins, **by}]
            hand = _tap_check(deal)
            sql.send("UPDATE tables_deal SET taps = %s WHERE id = %s", json.dumps(deal.taps), deal.pk)
        elif any(before.get(name) != tap.get(name) for name in ("op", "undo")):
            raise Refused("nonce_reused", "This was sent before with different content. Load the page again.")
        else:
            hand = deal_play(deal)
        return {"deal": deal.pk, "seen": len(deal.taps), "done": hand.needs.kind == "done"}


def _meant(deal: Deal, tap: Json) -> Json:
    """Return the operations of a tap, to be stored with it: a card for a box that may hit is also the hit."""
    if "op" not in tap:
        return {}
    ops = list(game_of(house_rules(deal.shoe.round)).op_meant(deal_play(deal), tap["op"]))
    return {"meant": ops} if len(ops) > 1 else {}


def _op(deal: Deal, op: Mapping[str, Any]) -> Json:
    game = game_of(house_rules(deal.shoe.round))
    checked = game.op_checked(op)
    if checked["op"] in game.ruled_ops:
        raise Refused("ruling_needed", "Enter what went wrong, and the reason why the hand is played on.")
    return checked


def _tap_check(deal: Deal) -> Hand:
    """Return the hand, if the engine accepts the taps with the new one at the end."""
    if deal.mode != Mode.CARDS:
        raise Refused("entered_by_results", "This hand is entered by its results, not card by card.")
    try:
        hand = deal_play(deal)
    except IndexError:
        raise Refused("nothing_to_undo", "There is nothing to take back.") from None
    if "card" in deal.taps[-1].get("op", {}):
        shoe_cards_check(deal.shoe, hand.cards, but=deal)
    return hand


# Settled --------------------------------------------------------------------------------------------


def deal_settle(
    *, deal_id: int, outcomes: Mapping[Any, Any] | None = None, key: str, actor: User | None
) -> Json:
    """Settle an open hand: chips, hand record and button in one command (architecture, How a deal flows).

    ``outcomes`` by box for a hand that is entered by results. Gives ``{"deal", "number", "net", "button"}``.
    Raises Refused ``deal_not_done`` while something is missing, ``deal_not_open`` (409), ``results_missing``.
    """
    event_id = event_of_deal(deal_id)

    def act(cmd: Command) -> Json:
        deal = hand_lock(deal_id)
        open_check(deal)
        running_check(deal.shoe.round.event)
        place = place_of_open(deal)
        outcome = _outcome_of_open(place, deal, outcomes)
        posted = hand_post(cmd, place, deal, outcome)
        correct_after(deal.shoe)
        return posted

    body = {"deal": deal_id} if outcomes is None else {"deal": deal_id, "outcomes": outcomes}
    return command(kind="deal.settle", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _outcome_of_open(place: Place, deal: Deal, outcomes: Mapping[Any, Any] | None) -> Outcome:
    if deal.mode == Mode.RESULTS:
        return outcome_of_results(place, boxed(deal.bets), boxed(deal.stacks), outcomes or {})
    return outcome_of_record(place, game_of(place.rules).hand_record(deal_play(deal)))


def deal_record(*, shoe_id: int, record: Mapping[str, Any], key: str, actor: User | None) -> Json:
    """Record a whole hand at once, from a hand record (a file, an intelligent shoe).

    One command. Gives ``{"deal", "number", "net", "button"}``. Raises Refused as ``deal_open`` does, the
    codes of the hand record, ``rules_differ`` and ``stacks_differ``.
    """
    body = {"shoe": shoe_id, "record": record, "mode": Mode.CARDS}
    return _record(shoe_id, Mode.CARDS, body, lambda place: outcome_of_record(place, record), key, actor)


def deal_simulated(*, shoe_id: int, played: Callable[[Place], Json], key: str, actor: User | None) -> Json:
    """Record a hand of simulated players: ``played`` makes its record while the shoe is locked.

    The record is no argument of the command, so only the notes of the journal entry have it. Gives and
    refuses what ``deal_record`` does, and what ``played`` refuses.
    """
    body = {"shoe": shoe_id, "mode": Mode.SIMULATED}
    return _record(
        shoe_id, Mode.SIMULATED, body, lambda place: outcome_of_record(place, played(place)), key, actor
    )


def deal_record_results(
    *, shoe_id: int, bets: Mapping[Any, Any], outcomes: Mapping[Any, Any], key: str, actor: User | None
) -> Json:
    """Record a whole hand at once by its results: bets by box, and the outcome of each (engine.results).

    Gives ``{"deal", "number", "net", "button"}``. Raises Refused as ``deal_open`` and ``results_settle`` do.
    """
    called = bets_of(bets)

    def make(place: Place) -> Outcome:
        return outcome_of_results(place, called, bets_check(place, called), outcomes)

    body = {"shoe": shoe_id, "bets": called, "outcomes": outcomes}
    return _record(shoe_id, Mode.RESULTS, body, make, key, actor)


def _record(
    shoe_id: int, mode: str, body: Json, make: Callable[[Place], Outcome], key: str, actor: User | None
) -> Json:
    event_id = corrected_first(shoe_id)

    def act(cmd: Command) -> Json:
        shoe = shoe_lock(shoe_id)
        place = place_of(shoe)
        outcome = make(place)
        all_bet_check(place, boxed(outcome.record["bets"]))
        cards = outcome.record.get("cards", ())
        if cards and mode != Mode.SIMULATED:
            # T11: a simulated hand is dealt from the very cards of its shoe.
            shoe_cards_check(shoe, cards)
        play_begin(cmd, shoe.round)
        deal = Deal(
            shoe=shoe,
            number=place.number,
            mode=mode,
            button_box=place.button,
            bets=outcome.record["bets"],
            stacks=outcome.record["stacks"],
            entries=_entry_ids(place),
            sits_out=place.sits_out,
            opened_by=actor,
            opened_at=cmd.at,
        )
        return hand_post(cmd, place, deal, outcome)

    return command(kind="deal.record", key=key, actor=actor, event_id=event_id, body=body, act=act)


def deal_void(
    *, deal_id: int, reason: str, happened: Mapping[str, Any] | None = None, key: str, actor: User | None
) -> Json:
    """Void an open hand: every bet goes back, its number stays used, the button stays where it is (T17).

    ``happened``: what went wrong, one of the game's ``ruled_ops``, if known; it is stored with the hand. Only
    a correction can void a settled hand. Raises Refused ``deal_settled``, ``deal_not_open`` (409),
    ``reason_missing``, and as ``went_wrong`` does.
    """
    event_id = event_of_deal(deal_id)

    def act(cmd: Command) -> Json:
        why = reason_clean(reason)
        deal = hand_lock(deal_id)
        if deal.status == Deal.Status.SETTLED:
            raise Refused(
                "deal_settled", "Hand %(deal)s is settled; only a correction can void it.", deal=deal.number
            )
        open_check(deal)
        if happened is not None:
            went_wrong(cmd, deal, happened, ruling="void", reason=why, nonce=key)
        cmd.note(number=deal.number, bets=deal.bets, taps=deal.taps)
        cmd.note(table=deal.shoe.table.number, shoe=deal.shoe.number)
        place = place_of_open(deal)
        cmd.note(record=void_record(place, deal))
        cmd.write(HandVoid(*place.key, boxes(deal.bets)))
        status_move(deal, Deal.Status.VOID, reason=why, closed_at=cmd.at)
        last_hand_over(cmd, deal.shoe)
        correct_after(deal.shoe)
        return {"deal": deal.pk, "number": deal.number}

    body: Json = {"deal": deal_id, "reason": reason}
    if happened is not None:
        body["happened"] = happened
    return command(kind="deal.void", key=key, actor=actor, event_id=event_id, body=body, act=act)


# Rounds -------------------------------------------------------------------------------------------


def _round_play(round_: Round, actor: User | None) -> None:
    """Start a round with its first open hand, unless another table was first."""
    try:
        round_play(round_id=round_.pk, key=f"round.play:{round_.pk}", actor=actor)
    except Refused as no:
        if no.code not in ("key_reused", "round_not_seated"):
            raise


def round_play(*, round_id: int, key: str, actor: User | None) -> Json:
    """Start a round; from then on its seats are final (T6, T19). Without recorded hands a person presses it.

    Raises Refused ``round_not_seated`` (409), and what ``play_check`` raises.
    """

    def act(cmd: Command, round_: Round) -> Json:
        if round_.status != Round.Status.SEATED:
            raise Conflict(
                "round_not_seated",
                "%(round)s is %(state)s already.",
                round=round_,
                state=round_.get_status_display(),
            )
        play_check(round_)
        play_begin(cmd, round_)
        return {"round": round_.pk}

    return round_command("round.play", round_id, act, key=key, actor=actor)


def round_look(*, round_id: int, key: str, actor: User | None) -> Json:
    """Go on in a tie without absent players, who rank last in it (T23, T33).

    After a hand this happens by itself. Raises Refused ``not_a_tie`` for a main round, ``deal_open`` (409),
    and what ``play_check`` raises.
    """

    def act(cmd: Command, round_: Round) -> Json:
        if round_.kind == Round.Kind.ROUND:
            raise Refused("not_a_tie", "Only a play-off or sudden death goes on without absent players.")
        play_check(round_)
        # Opening a hand takes the shoe's lock: none can start while the tie may be ending.
        shoes = [shoe.pk for shoe in Shoe.objects.select_for_update().filter(round=round_).order_by("pk")]
        if Deal.objects.filter(shoe__in=shoes, status=Deal.Status.OPEN).exists():
            raise Conflict("deal_open", "A hand is open. Finish it, or void it.")
        facts_write(cmd, Looked(key_of(round_)))
        round_.refresh_from_db()
        return {"round": round_.pk, "status": round_.status}

    return round_command("round.look", round_id, act, key=key, actor=actor)
