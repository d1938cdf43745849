"""The present state of a table: stage, shoe, open hand, and every box."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ground.button import button_here
from tables.models import Deal, Seat, Shoe, Table
from tables.models.floor import BOXES
from tables.selectors.floor import TIE_DONE, boxes_usable, house_rules, occupied_boxes
from tables.selectors.next_hand import (
    bet_blocked,
    payouts_missing,
    sitting_out,
    why_not_level,
    why_redraw_waits,
)
from tournament import sql
from tournament.engine.facts import key_of
from tournament.engine.state import stage_of
from tournament.models import Entry, Event, Player, Round, Stack
from tournament.selectors.stages import IN_PLAY, current_round, state_of


@dataclass(frozen=True)
class BoxRow:
    """One box of a table in a round. ``seat``, ``entry`` and ``stack`` are None where nobody sits.

    ``may_bet``: the player is present and covers the minimum, so the player must bet (T13, T15).
    ``why_not`` says why a player may not bet; ``sits_out``: the reason is a penalty (T26). ``bet_chips`` is
    the bet of the open hand, None without one; ``ended_chips``: the chips with which the player ended a
    decided tie, None for others.
    """

    box: int
    in_use: bool
    seat: Seat | None = None
    entry: Entry | None = None
    stack: Stack | None = None
    may_bet: bool = False
    why_not: str = ""
    sits_out: bool = False
    button: bool = False
    bet_chips: int | None = None
    ended_chips: int | None = None

    @property
    def chips(self) -> int | None:
        """The chips in front of the box; None if nobody sits there."""
        return self.stack.chips if self.stack else None

    @property
    def in_play(self) -> bool:
        """Whether the player is still in the stage, absent or not."""
        return self.stack is not None and self.stack.state in IN_PLAY

    @property
    def shown_chips(self) -> int | None:
        """The chips that a screen shows; for a player whose tie is decided, those at its end (T23)."""
        return self.chips if self.ended_chips is None else self.ended_chips


@dataclass(frozen=True)
class TableView:
    """The present state of a table. ``round`` and ``shoe`` are None while nobody is seated there.

    ``hands``: the number of settled hands of the shoe. ``last_number``: that of the newest hand; void hands
    use numbers too (T17).
    """

    table: Table
    round: Round | None
    shoe: Shoe | None
    boxes: tuple[BoxRow, ...]
    open_deal: Deal | None
    hands: int
    last_number: int = 0

    @cached_property
    def blocked(self) -> str:
        """Why no hand can be dealt at the moment, in a sentence; empty if one can. The hall does not use
        it."""
        if self.round is None or self.shoe is None:
            return "Nobody is seated at this table."
        return _blocked(self.round, self.shoe, self.boxes)

    @property
    def tie_done(self) -> bool:
        """Whether nobody at this table still plays a tie, which other tables may still play."""
        in_tie = self.round is not None and self.round.kind != Round.Kind.ROUND
        return in_tie and self.shoe is not None and not any(row.in_play for row in self.boxes)

    @property
    def occupied(self) -> tuple[BoxRow, ...]:
        """The boxes with a player."""
        return tuple(row for row in self.boxes if row.entry)


# The table's page reads this with every tap: its newest shoe, the shoe's hands, and the open hand.
_SHOE_NOW = (
    "SELECT had.hands, had.number,"  # noqa: S608 - our own columns
    f" {sql.columns(Shoe, 's')}, {sql.columns(Deal, 'd')} FROM tables_shoe s"
    " LEFT JOIN tables_deal d ON d.shoe_id = s.id AND d.status = 'open',"
    " LATERAL (SELECT count(*) FILTER (WHERE status = 'settled') hands,"
    "  coalesce(max(number) FILTER (WHERE status <> 'reversed'), 0) number"
    "  FROM tables_deal WHERE shoe_id = s.id) had"
    " WHERE s.table_id = %s AND s.round_id = %s ORDER BY s.flight DESC, s.number DESC LIMIT 1"
)


def table_view(table: Table, round_: Round | None = None) -> TableView:
    """Return the present state of a table in the current stage (or in ``round_``)."""
    round_ = round_ or current_round(table.event)
    found = sql.row(_SHOE_NOW, table.pk, round_.pk) if round_ else None
    if round_ is None or found is None:
        empty = tuple(BoxRow(box, box in table.boxes_in_use) for box in range(1, BOXES + 1))
        return TableView(table, round_, None, empty, None, 0)
    hands, number, *columns = found
    shoe, deal = sql.split(columns, Shoe, Deal)
    open_deal = None if deal.pk is None else deal
    boxes = _rows(table, round_, shoe, open_deal)
    return TableView(table, round_, shoe, boxes, open_deal, hands, number)


# The page of a table asks this with every tap.
_SEATS = (
    f"SELECT {sql.columns(Seat, 'p')}, {sql.columns(Entry, 'e')}, {sql.columns(Player, 'y')},"  # noqa: S608 - our own columns
    f" {sql.columns(Stack, 's')} FROM tables_seat p"
    " JOIN tournament_entry e ON e.id = p.entry_id JOIN tournament_player y ON y.id = e.player_id"
    " LEFT JOIN tournament_stack s ON s.entry_id = p.entry_id AND s.round_id = p.round_id"
    " WHERE p.round_id = %s AND p.table_id = %s AND p.vacated_at IS NULL ORDER BY p.box"
)


def _sitting_at(table: Table, round_: Round) -> tuple[dict[int, Seat], dict[int, Stack]]:
    """Return the seats by box, with entry and player, and the stacks by box, with their entry."""
    seats, stacks = dict[int, Seat](), dict[int, Stack]()
    for row in sql.rows(_SEATS, round_.pk, table.pk):
        seat, entry, player, stack = sql.split(row, Seat, Entry, Player, Stack)
        seat.entry, entry.player = entry, player
        seats[seat.box] = seat
        if stack.pk is not None:
            stack.entry = entry
            stacks[seat.box] = stack
    return seats, stacks


def _rows(table: Table, round_: Round, shoe: Shoe, open_deal: Deal | None) -> tuple[BoxRow, ...]:
    seats, by_box = _sitting_at(table, round_)
    event = round_.event
    bets = {int(box): chips for box, chips in open_deal.bets.items()} if open_deal else {}
    minimum = house_rules(round_).min_chips
    held = {int(box) for box in open_deal.sits_out} if open_deal else sitting_out(event.pk, by_box, minimum)
    usable = boxes_usable(table, event.settings)
    button = (
        open_deal.button_box if open_deal else button_here(shoe.button_box, occupied_boxes(by_box, minimum))
    )
    ended, rows = _ended(round_, by_box.values()), []
    for box in range(1, BOXES + 1):
        seat, stack = seats.get(box), by_box.get(box)
        why_not = bet_blocked(stack, minimum) if stack else ""
        why_not = why_not or ("sits this hand out" if box in held else "")
        rows.append(
            BoxRow(
                box=box,
                in_use=box in usable,
                seat=seat,
                entry=seat.entry if seat else None,
                stack=stack,
                may_bet=stack is not None and not why_not,
                why_not=why_not,
                sits_out=box in held,
                # On counts alone no hands are recorded that would move the button.
                button=box == button and not round_.counts_alone,
                bet_chips=bets.get(box),
                ended_chips=ended.get(stack.pk) if stack else None,
            )
        )
    return tuple(rows)


def _ended(round_: Round, stacks: Iterable[Stack]) -> dict[int, int]:
    """Return, by stack, the chips with which players ended a tie that is decided for them (T23)."""
    decided = [each for each in stacks if each.state == Stack.State.SETTLED]
    results = stage_of(state_of(round_.event), key_of(round_)).results if decided else {}
    # A correction between the two reads may have opened the tie again.
    there = (each for each in decided if each.entry.code in results)
    return {each.pk: results[each.entry.code].chips for each in there}


def _blocked(round_: Round, shoe: Shoe, boxes: Iterable[BoxRow]) -> str:
    if round_.event.status == Event.Status.CALLED_OFF:
        return "The event is called off."
    if shoe.status != Shoe.Status.DEALING:
        return "The shoe is over."
    if redraw := why_redraw_waits(round_):
        return redraw.message
    if round_.status not in (Round.Status.SEATED, Round.Status.PLAYING):
        return f"{round_} is not being played."
    if round_.counts_alone:
        return "This event runs on counts alone: chips are counted when the shoe is over."
    if payouts_missing(round_):
        return "No hand is dealt before the payout structure is posted."
    if round_.kind != Round.Kind.ROUND and not any(row.in_play for row in boxes):
        return TIE_DONE
    if not any(row.entry for row in boxes):
        return "Nobody sits at this table."
    if not any(row.may_bet for row in boxes):
        return "Nobody at this table can bet."
    waits = why_not_level(shoe) if round_.kind != Round.Kind.ROUND else None
    return waits.message if waits else ""
