"""Simulated players at a table, who play hand after hand through the same services as people.

For rehearsals and simulations only. Every choice depends only on the event's posted code and the shoe's
recorded seed, so the same shoe is always played in the same way.
"""

from __future__ import annotations

import hashlib
import secrets
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.contrib.auth.models import User

from games.protocol import BetSight, Cards, Rules
from games.registry import GAMES, game_of
from ground.chance import Stream
from ground.refused import Forbidden, Refused
from tables.models import Shoe
from tables.selectors.floor import house_rules
from tables.selectors.next_hand import bet_blocked
from tables.services.chips_due import chips_due_confirm
from tables.services.dealing import deal_simulated
from tables.services.hand import Place
from tables.services.shoes import shoe_end
from tournament import sql
from tournament.models import Stack
from tournament.selectors.basis import key_first
from tournament.services.journal import Command, Json, command

from .locks import shoe_get, shoe_lock

HANDS_MAX = 1_000
NOBODY_BETS = "nobody_bets"


# Larger than the number of tables of the largest simulation, which deals them in turn.
@lru_cache(maxsize=256)
def _cards(rules: Rules, seed: bytes, decks: int) -> Cards:
    return game_of(rules).shoe_make(rules, seed, decks)


def _cards_of(shoe: Shoe, rules: Rules) -> Cards:
    """Return the shuffled cards of a simulated shoe."""
    return _cards(rules, bytes(shoe.seed or b""), shoe.decks)


@lru_cache(maxsize=4_096)
def player_of(game: str, event_code: str, entry_code: str) -> Any:
    """Return the playing style of a simulated player, drawn once for an entry of an event."""
    return GAMES[game].player_make(Stream(seed_of(event_code, "player", entry_code)))


def seed_of(*parts: object) -> bytes:
    """Return 32 bytes that depend on all parts in order."""
    return hashlib.sha256("/".join(map(str, parts)).encode()).digest()


def shoe_play_on(*, shoe_id: int, hands: int | None = 1, key: str, actor: User | None) -> Json:
    """Let the simulated players at a table play: ``hands`` hands, or with None the rest of the shoe.

    Each hand is a command of its own. When the cut card comes out, or nobody can bet any more, the shoe is
    ended (T11). Gives ``{"hands": played, "shoe_over": bool}``. Raises Refused ``not_simulated`` in a real
    event, and what ``deal_record`` refuses.
    """
    event = shoe_get(shoe_id).round.event
    if not event.is_rehearsal:
        raise Forbidden("not_simulated", "Only in a rehearsal are hands played by simulated players.")
    shoe_seed(shoe_id=shoe_id, seed=secrets.token_bytes(32), key=key_first(key, "seed"), actor=actor)
    shoe, played, over = shoe_get(shoe_id), 0, False
    while not over and played < (HANDS_MAX if hands is None else hands):
        named = f"{key}:{played}" if played else key_first(key, "0")
        bet = hand_play(shoe_id=shoe_id, key=named, actor=actor)
        played += bet
        over = shoe_end_if_due(shoe=shoe, bet=bet, key=f"{key}:end", actor=actor)
        if not bet or not _still_in_play(shoe_id):
            break
    return {"hands": played, "shoe_over": over}


def _still_in_play(shoe_id: int) -> bool:
    round_ = shoe_get(shoe_id).round
    return round_.status in (round_.Status.SEATED, round_.Status.PLAYING)


def shoe_seed(*, shoe_id: int, seed: bytes, key: str, actor: User | None) -> Json:
    """Record the seed of a simulated shoe, once; a later one changes nothing. Gives ``{"shoe", "seed"}``."""
    shoe = shoe_get(shoe_id)
    if shoe.seed:
        return {"shoe": shoe_id, "seed": bytes(shoe.seed).hex()}

    def act(cmd: Command) -> Json:
        found = shoe_lock(shoe_id)
        if not found.seed:
            found.seed = seed
            found.save(update_fields=["seed"])
        return {"shoe": shoe_id, "seed": bytes(found.seed).hex()}

    body = {"shoe": shoe_id, "seed": seed.hex()}
    return command(kind="shoe.seed", key=key, actor=actor, event_id=shoe.round.event_id, body=body, act=act)


def hand_play(*, shoe_id: int, key: str, actor: User | None) -> bool:
    """Play one hand from the shoe's recorded seed; False where nobody at the table can bet.

    Chips that are due at the table are confirmed as moved first. Raises Refused ``shoe_not_seeded`` and what
    ``deal_record`` refuses.
    """
    try:
        return _dealt(shoe_id, key, actor)
    except Refused as no:
        if no.code != "chips_due":
            raise
    # Sent again, this confirms nothing: chips that have become due since are refused below.
    chips_due_confirm(shoe_id=shoe_id, key=f"{key}:due", actor=actor)
    return _dealt(shoe_id, key, actor)


def _dealt(shoe_id: int, key: str, actor: User | None) -> bool:
    try:
        deal_simulated(shoe_id=shoe_id, played=_record, key=key, actor=actor)
    except Refused as no:
        if no.code != NOBODY_BETS:
            raise
        return False
    return True


def _record(place: Place) -> Json:
    """Return the hand that the players at a table play from the cards of its shoe."""
    shoe, rules, game = place.shoe, place.rules, place.game
    if not shoe.seed:
        raise Refused("shoe_not_seeded", "This shoe has no recorded seed to deal from.")
    cards = _cards_of(shoe, rules)
    bets = _bets(place, cards)
    if not bets:
        raise Refused(NOBODY_BETS, "Nobody at the table can bet.")
    chips = {box: place.stacks[box].chips for box in bets}
    players = {box: _player(place, box) for box in bets}
    dealt = max(shoe.cards_dealt, game.burned_cards)
    return dict(game.play_out(rules, bets, chips, cards, players, dealt=dealt))


_NOW = "SELECT status, cards_dealt FROM tables_shoe WHERE id = %s"


def shoe_end_if_due(*, shoe: Shoe, bet: bool, key: str, actor: User | None) -> bool:
    """End the shoe if the cut card is out or nobody can bet (T11, T13); return whether it is over.

    ``shoe``: as it was before the hand; the changes by the hand are read again.
    """
    found = sql.row(_NOW, shoe.pk)
    assert found is not None
    status, cards_dealt = found
    if status != Shoe.Status.DEALING:
        return True
    if shoe.seed and _cards_of(shoe, house_rules(shoe.round)).cut_is_out(cards_dealt):
        shoe_end(shoe_id=shoe.pk, key=key, actor=actor)
        return True
    if not bet and shoe.round.kind == shoe.round.Kind.ROUND:
        reason = "nobody at the table can cover the smallest bet"
        shoe_end(shoe_id=shoe.pk, reason=reason, key=key, actor=actor)
        return True
    return False


def _player(place: Place, box: int) -> Any:
    return player_of(place.rules.game, place.event.code, place.stacks[box].entry.code)


def _bets(place: Place, cards: Cards) -> dict[int, int]:
    """Return everybody's bet, given the stacks at all tables."""
    shoe, rules, game = place.shoe, place.rules, place.game
    able = {
        box: stack
        for box, stack in place.stacks.items()
        if box not in place.sits_out and not bet_blocked(stack, rules.min_chips)
    }
    field = _field(shoe)
    cards_a_deal = game.cards_a_box * (len(able) + 1)
    left = max(1, round((cards.cut - shoe.cards_dealt) / cards_a_deal))
    bets: dict[int, int] = {}
    for box, stack in able.items():
        sight = BetSight(
            stack_chips=stack.chips,
            target_chips=_target(shoe, field),
            rival_chips=_rival(stack.chips, field),
            hands_left=left,
        )
        stream = Stream(seed_of(bytes(shoe.seed or b"").hex(), shoe.cards_dealt, "bet", stack.entry.code))
        bets[box] = game.bet(rules, _player(place, box), sight, stream)
    return {box: chips for box, chips in bets.items() if chips}


_FIELD = "SELECT array_agg(chips ORDER BY chips) FROM tournament_stack WHERE round_id = %s AND state = %s"


def _field(shoe: Shoe) -> list[int]:
    """Return the stacks in play in the round at all tables, smallest first."""
    found = sql.row(_FIELD, shoe.round_id, Stack.State.PLAYING.value)
    return (found and found[0]) or []


def _target(shoe: Shoe, field: Sequence[int]) -> int:
    """Return the stack to reach: that of the last rank that advances, or the lead."""
    return field[-min(shoe.round.cut_to or 1, len(field))]


def _rival(chips: int, field: Sequence[int]) -> int:
    """Return the nearest other stack, or the player's own if nobody else is left."""
    own = bisect_left(field, chips)
    others = [*field[max(0, own - 1) : own], *field[own + 1 : own + 2]]
    return min(others, key=lambda other: (abs(other - chips), other), default=chips)
