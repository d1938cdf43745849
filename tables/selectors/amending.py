"""Work out an open hand with one tap or its bets changed, and the later taps that no longer fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.protocol import ByBox, Hand, Json, Need, Rules
from games.registry import game_of
from ground.refused import Conflict, Refused
from tables.models import Deal
from tables.selectors.deals import boxed, line_chips, taps_standing
from tables.selectors.floor import house_rules

Taps = list[list[Json]]


@dataclass(frozen=True)
class Change:
    """A change to a hand: ``put`` replaces tap ``at``, counted from 0 among the taps that stand.

    ``out``: remove the tap. ``before``: keep the tap and insert ``put`` before it. ``bets``: change only the
    bets. ``keep``: the number of taps that may stay; None: all of them must.
    """

    at: int | None = None
    put: tuple[Json, ...] = ()
    out: bool = False
    before: bool = False
    bets: Mapping[int, int] | None = None
    keep: int | None = None


@dataclass(frozen=True)
class Amended:
    """The taps that stand after a change, and the hand after them. ``rest``: the taps that no longer fit, and
    ``no``: why. ``at``: the index after the new taps; ``stays``: the touched tap stays behind them."""

    standing: Taps
    hand: Hand
    at: int
    rest: list[Json] = field(default_factory=list)
    no: Refused | None = None
    stays: bool = False

    def kept(self, count: int) -> Taps:
        """Return the first ``count`` taps."""
        return self.standing[:count]


def tapped_op(taps: Sequence[Json]) -> Json:
    """Return the operation that was tapped, out of all that the tap means: of a hit, its card."""
    return taps[-1]


def amended(deal: Deal, change: Change, stacks: ByBox) -> Amended:
    """Return the hand with this change, as far as its taps still fit.

    Raises Refused ``bad_operation`` and other codes of the game for ``put``, and ``no_such_tap`` (409).
    """
    said = [tapped_op(ops) for ops in taps_standing(deal.taps)]
    if change.at is None:
        return _replayed(deal, change.bets, stacks, said, (0, 0))
    at = change.at
    if not 0 <= at < len(said):
        raise Conflict("no_such_tap", "This is no longer on the table. Look at the hand, then go on.")
    game = game_of(house_rules(deal.shoe.round))
    put = _put_for(said[at], replace(change, put=tuple(game.op_checked(op) for op in change.put)))
    end = at + len(put)
    own = [tapped_op(ops) for ops in _turn(deal, stacks, at, put)]
    if not _goes_before(said[at], change):
        found = _replayed(deal, None, stacks, [*said[:at], *put, *said[at + 1 :]], (at, end), own)
        return found if found.no is None else _without_own_taps(deal, stacks, at, put, found)
    found = _replayed(deal, None, stacks, [*said[:at], *put, *said[at:]], (at, end), own)
    if found.rest and found.rest[0] is said[at] and "action" in said[at]:
        # The old decision does not fit behind the new tap, so the new tap replaces it.
        return _replayed(deal, None, stacks, [*said[:at], *put, *said[at + 1 :]], (at, end))
    return replace(found, stays=all(op is not said[at] for op in found.rest))


def tapped(deal: Deal, said: list[Json]) -> Amended:
    """Return the hand after these taps. Raises Refused with the game's codes."""
    checked = [game_of(house_rules(deal.shoe.round)).op_checked(op) for op in said]
    return _replayed(deal, None, boxed(deal.stacks), checked, (0, len(checked)))


def _without_own_taps(deal: Deal, stacks: ByBox, at: int, put: list[Json], found: Amended) -> Amended:
    """Return the hand without the later taps of the turn of tap ``at``, if all other taps fit.

    If a box did not split after all, its later cards and decisions go, and those of other boxes stay (T17).
    If the other taps do not fit either, return ``found``.
    """
    taps = taps_standing(deal.taps)
    own = [tapped_op(ops) for ops in _turn(deal, stacks, at, [tapped_op(taps[at])])[1:]]
    if not own:
        return found
    behind = [tapped_op(ops) for ops in taps[at + 1 + len(own) :]]
    said = [*(tapped_op(ops) for ops in taps[:at]), *put, *behind]
    without = _replayed(deal, None, stacks, said, (at, at + len(put)))
    if without.no is not None:
        return found
    return replace(without, rest=own, no=_box_finished(tapped_op(taps[at])["seat"]))


def _turn(deal: Deal, stacks: ByBox, at: int, decided: Sequence[Json]) -> Taps:
    """Return the taps from ``at`` on that belong to the hand deciding there or to hands split from it."""
    rules, bets, taps = house_rules(deal.shoe.round), boxed(deal.bets), taps_standing(deal.taps)
    seat = decided[0].get("seat") if decided else None
    lines, end, behind = _lines(deal, rules, bets), at, None
    while seat is not None and end < len(taps):
        done = [op for ops in taps[:end] for op in ops]
        needs = game_of(rules).hand_replay(rules, bets, stacks, done, line_chips=lines).needs
        behind = needs.behind if behind is None else behind
        if _is_over(needs, seat, behind):
            break
        end += 1
    return taps[at:end]


def _is_over(needs: Need, box: int, behind: int) -> bool:
    """Whether the hand of this box that has ``behind`` hands of the box after it has had its turn."""
    return needs.seat != box or needs.behind < behind


def _box_finished(box: int) -> Refused:
    return Refused("box_finished", "The hand of box %(box)s is already finished at that point.", box=box)


def _lines(deal: Deal, rules: Rules, bets: ByBox) -> ByBox | None:
    """Return the chips on the line of the boxes that bet, before this hand."""
    on_line = line_chips(deal.shoe, rules, before=deal.number)
    return {box: chips for box, chips in on_line.items() if box in bets} or None


def _goes_before(there: Json, change: Change) -> bool:
    """Whether the new tap goes before the touched one. A card does not replace a decision, nor a decision a
    card: both happened."""
    if not change.put or change.out:
        return False
    return change.before or _kind(there) != _kind(change.put[0])


def _kind(op: Json) -> str:
    """Return ``card`` or the name of the operation."""
    return "card" if "card" in op else str(op["op"])


def _put_for(there: Json, change: Change) -> list[Json]:
    """Return the new taps; a card that replaces a card keeps the other fields of the old tap."""
    put = list(change.put)
    if len(put) == 1 and "card" in there and "card" in put[0] and not change.before:
        return [{**there, "card": put[0]["card"]}]
    return put


def _replayed(
    deal: Deal,
    bets: Mapping[int, int] | None,
    stacks: ByBox,
    said: list[Json],
    put: tuple[int, int],
    own: Sequence[Json] = (),
) -> Amended:
    """Replay a hand as far as its taps fit. ``put``: start and end of the new taps in ``said``.

    ``own``: the taps of the hand whose decision changes. They are never moved to another hand (T17).
    """
    rules = house_rules(deal.shoe.round)
    game, called = game_of(rules), dict(bets) if bets is not None else boxed(deal.bets)
    lines, box, behind = _lines(deal, rules, called), said[put[0]]["seat"] if own else 0, 0
    standing: Taps = []
    rest: list[Json] = []
    no: Refused | None = None
    hand: Hand = game.hand_start(rules, called, stacks, line_chips=lines)
    for at, op in enumerate(said):
        behind = hand.needs.behind if at == put[0] else behind
        if any(op is each for each in own) and _is_over(hand.needs, box, behind):
            no = no or _box_finished(box)
            rest.append(op)
            continue
        try:
            meant = list(game.op_meant(hand, op))
            done = [each for ops in standing for each in ops]
            hand = game.hand_replay(rules, called, stacks, [*done, *meant], line_chips=lines)
        except Refused as refused:
            if put[0] <= at < put[1]:
                raise
            no = no or refused
            if not _too_late(hand, op):
                return Amended(standing, hand, put[1], [*rest, *said[at:]], no)
            rest.append(op)
            continue
        standing.append(meant)
    return Amended(standing, hand, put[1], rest, no)


def _too_late(hand: Hand, op: Json) -> bool:
    """Whether only this decision fails, because its box is already finished."""
    needs = hand.needs
    if "action" not in op:
        return False
    if needs.seat is None:
        return needs.kind in ("card", "done")
    return needs.kind == "decision" and op["seat"] < needs.seat
