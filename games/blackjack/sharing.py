"""Boxes shared by several players (row 25), as a hand record writes them.

``players``: box → list of ``{"name", "bet", "stack"?, "side_bets"?, "line_chip"?}``. The first is the owner,
whose bet is the box's in ``bets`` and whose stack, side bets and chip on the line are in the record's own
fields; the others follow in the order of their bets.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.blackjack.boxes import Box, Player
from games.blackjack.rules import HouseRules
from ground.refused import Refused
from ground.words import shown

OWNER_FIELDS = frozenset({"name", "bet"})
PLAYER_FIELDS = frozenset({"name", "bet", "stack", "side_bets", "line_chip"})

BetCheck = Callable[[HouseRules, int, int], None]
SideBetCheck = Callable[[HouseRules, object, object, object], None]
LineChipCheck = Callable[[HouseRules, int, int], None]


def players_put(
    players: object,
    rules: HouseRules,
    boxes: list[Box],
    *,
    bet_check: BetCheck,
    side_bet_check: SideBetCheck,
    line_chip_check: LineChipCheck,
) -> None:
    """Put the players who share a box on it, each with a bet.

    Raises Refused ``bad_record``, ``players_not_allowed``, ``bet_…``, ``side_bet_…``, ``not_enough_chips``.
    """
    if type(players) is not dict:
        raise Refused(
            "bad_record",
            "players must be an object of box and players, not %(players)s.",
            players=shown(players),
        )
    by_seat = {str(box.seat): box for box in boxes}
    for seat, entered in players.items():
        box = by_seat.get(seat)
        if box is None:
            raise Refused("bad_seat", "players names box %(seat)s, which has no bet.", seat=shown(seat))
        _number_check(rules, box, entered)
        names = _names(box, entered)
        box.name = names[0]
        _owner_check(box, entered[0])
        box.players = [_player(rules, box, each, bet_check, line_chip_check) for each in entered[1:]]
        _maximum_check(rules, box)
        for player, each in zip(box.players, entered[1:], strict=True):
            _side_bets_put(rules, box, player, each, side_bet_check)
        for player in box.players:
            if not player.has(0):
                raise Refused(
                    "not_enough_chips",
                    "%(player)s on box %(seat)s puts up %(put_up)s of %(stack)s chips.",
                    player=player.name,
                    seat=seat,
                    put_up=shown(player.put_up),
                    stack=shown(player.stack),
                )
        _box_side_bets_check(rules, box)


def _number_check(rules: HouseRules, box: Box, entered: object) -> None:
    """Check how many players share a box (row 25)."""
    if type(entered) is not list or not entered:
        raise Refused(
            "bad_record", "The players of box %(seat)s must be a list, the owner first.", seat=box.seat
        )
    most = rules.players_per_box
    if most is not None and len(entered) > most:
        allowed = "one player only" if most == 1 else f"at most {most} players"
        raise Refused(
            "players_not_allowed",
            "Box %(seat)s has %(n)s players; there is %(allowed)s.",
            seat=box.seat,
            n=len(entered),
            allowed=allowed,
        )


def _names(box: Box, entered: list[Any]) -> list[str]:
    names = [each.get("name") if isinstance(each, dict) else None for each in entered]
    for name in names:
        if type(name) is not str or not name:
            raise Refused(
                "bad_record",
                "Every player on box %(seat)s needs a name, not %(name)s.",
                seat=box.seat,
                name=shown(name),
            )
    if len(set(names)) < len(names):
        raise Refused("bad_record", "Two players on box %(seat)s have the same name.", seat=box.seat)
    return [str(name) for name in names]


def _owner_check(box: Box, owner: Mapping[str, Any]) -> None:
    """Check that the owner's figures are in the record's own fields; only the bet is repeated."""
    if not set(owner) <= OWNER_FIELDS:
        raise Refused(
            "bad_record",
            "The owner of box %(seat)s has name and bet here; stack, side bets and chip on "
            "the line stand in the record's own fields.",
            seat=box.seat,
        )
    if type(owner.get("bet")) is not int or owner["bet"] != box.bet:
        raise Refused(
            "bad_record",
            "The owner of box %(seat)s has bet %(bet)s, not %(given)s.",
            seat=box.seat,
            bet=box.bet,
            given=shown(owner.get("bet")),
        )


def _player(
    rules: HouseRules, box: Box, each: Mapping[str, Any], bet_check: BetCheck, line_chip_check: LineChipCheck
) -> Player:
    """Return a player who shares the box with its owner."""
    if not set(each) <= PLAYER_FIELDS:
        extra = sorted(str(word) for word in set(each) - PLAYER_FIELDS)[0]
        raise Refused(
            "bad_record",
            "A player on box %(seat)s has %(extra)s, which is not known here.",
            seat=box.seat,
            extra=shown(extra),
        )
    chips = {field: each[field] for field in ("bet", "stack", "line_chip") if field in each}
    for field, value in chips.items():
        if type(value) is not int:
            raise Refused(
                "bad_record",
                "%(field)s of %(name)s on box %(seat)s is %(value)s, no integer.",
                field=field,
                name=each["name"],
                seat=box.seat,
                value=shown(value),
            )
    if "bet" not in chips:
        raise Refused("bad_record", "%(name)s on box %(seat)s has no bet.", name=each["name"], seat=box.seat)
    bet_check(rules, box.seat, chips["bet"])
    player = Player(each["name"], chips["bet"], chips.get("stack"))
    if "line_chip" in chips:
        line_chip_check(rules, box.seat, chips["line_chip"])
        player.line_chip = chips["line_chip"]
    return player


def _maximum_check(rules: HouseRules, box: Box) -> None:
    """Check the maximum bet, which applies to the box or to each player (row 25)."""
    together = box.bet + sum(player.bet for player in box.players)
    if rules.shared_max == "box" and together > rules.max_chips:
        raise Refused(
            "bet_above_maximum",
            "The players of box %(seat)s bet %(together)s together; the maximum of a box is %(max_chips)s.",
            seat=box.seat,
            together=shown(together),
            max_chips=shown(rules.max_chips),
        )


def _side_bets_put(
    rules: HouseRules, box: Box, player: Player, each: Mapping[str, Any], side_bet_check: SideBetCheck
) -> None:
    side_bets = each.get("side_bets", {})
    if type(side_bets) is not dict:
        raise Refused(
            "bad_record",
            "side_bets of %(player)s on box %(seat)s must be an object.",
            player=player.name,
            seat=box.seat,
        )
    for kind, chips in side_bets.items():
        side_bet_check(rules, box.seat, kind, chips)
    player.side_bets = side_bets
    player.put_up += sum(side_bets.values())


def _box_side_bets_check(rules: HouseRules, box: Box) -> None:
    """Check the limit of one kind of side bet on a shared box (row 24)."""
    for kind, most in rules.side_bet_box_max:
        together = sum(account.side_bets.get(kind, 0) for account in (box, *box.players))
        if together > most:
            raise Refused(
                "side_bet_amount",
                "The players of box %(seat)s bet %(together)s on %(kind)s together; %(most)s is the most.",
                seat=box.seat,
                together=shown(together),
                kind=kind,
                most=shown(most),
            )
