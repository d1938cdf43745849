"""The data of one table's screen, and a version that changes with any of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from games.protocol import Rules
from games.registry import game_of
from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Shoe, Table
from tables.selectors.basis import due_basis
from tables.selectors.corrections_later import Later, later_at, waiting
from tables.selectors.cut_review import CutReview, cut_before_play
from tables.selectors.deals import DealView, deal_view, last_settled, line_chips
from tables.selectors.floor import event_rules, house_rules
from tables.selectors.next_hand import BoxDue, due_by_box
from tables.selectors.rulings import CountState, count_state
from tables.selectors.seating import Unseen, asks_who_is_there, unseen_of
from tables.selectors.table_view import TableView, table_view
from tables.selectors.take_back import is_fresh, why_not_take_back
from tournament.models import Entry, Event, Penalty, Request, Stack
from tournament.selectors.basis import Basis
from tournament.selectors.open_requests import rulings_on_chips
from tournament.selectors.penalties import PENALTY, PENALTY_BACK


@dataclass(frozen=True)
class ChipsAsked:
    """An open request for a penalty in chips, or for its return, about a player at the table (T26)."""

    box: int
    asked: Request
    chips: int

    @property
    def taken(self) -> bool:
        """Whether the chips would be taken, not given back."""
        return self.asked.kind == PENALTY


@dataclass(frozen=True)
class Screen:
    """A table as its clerk sees it: ``hand`` is the open hand; without one, ``last`` is the last settled
    hand.

    ``version`` changes with any action at this table; ``number``: that of the hand on the table, or of the
    next one. ``line_chips``: box → chips on its line (row 23). ``count``: the state of the count, None before
    the shoe is over. ``chips_asked``: the open penalties. ``to_rule``: the cut to rule on before the first
    bet of the round. ``fresh``: ``last`` was settled just now, and its cards still lie there. ``unseen``:
    before the first bet of round 1, the boxes where nobody has been seen. ``due``: the chips to move before
    the next bets; ``due_basis``: the basis of its form.
    """

    view: TableView
    rules: Rules
    hand: DealView | None
    last: Deal | None
    number: int
    version: str
    line_chips: Mapping[int, int]
    count: CountState | None = None
    chips_asked: tuple[ChipsAsked, ...] = ()
    to_rule: CutReview | None = None
    fresh: bool = False
    unseen: Unseen = field(default_factory=Unseen)
    due: tuple[BoxDue, ...] = ()
    due_basis: Basis | None = None

    @property
    def shoe(self) -> Shoe | None:
        """The shoe in play, or the last one."""
        return self.view.shoe

    @property
    def boxes_posted(self) -> int:
        """The number of boxes of a table of the event (T4)."""
        return self.view.table.event.settings.boxes_per_table

    @property
    def later(self) -> list[Later]:
        """The corrections that wait for the end of the hand on the table (T17)."""
        return waiting(later_at(self.shoe)) if self.shoe else []

    @property
    def last_nets(self) -> dict[int, int]:
        """Box → what the last hand did to it, in chips; a void hand did nothing."""
        if self.last is None or self.last.number != self.number - 1:
            return {}
        nets = (self.last.answer or {}).get("net", {})
        return {int(box): net for box, net in nets.items()}


def screen(event: Event, table: Table) -> Screen:
    """Return the screen of a table in the current stage."""
    table.event = event
    view = table_view(table)
    rules = house_rules(view.round) if view.round else event_rules(event)
    deal, shoe = view.open_deal, view.shoe
    if deal is not None and shoe is not None:
        deal.shoe = _known(shoe, view)
    last = last_settled(shoe) if shoe and view.hands and not deal else None
    number = view.last_number + 1
    counted = count_state(shoe) if shoe and shoe.status == Shoe.Status.OVER else None
    asked = _chips_asked(view)
    due = _due(view)
    to_rule = cut_before_play(view.round)
    unseen = unseen_of(event) if asks_who_is_there(view.round) else Unseen()
    fresh = deal is None and last is not None and last.number == number - 1
    fresh = fresh and last is not None and is_fresh(last, timezone.now())
    return Screen(
        view=view,
        rules=rules,
        hand=deal_view(deal) if deal else None,
        last=last,
        number=deal.number if deal else number,
        version=_version(view, counted, (asked, due), to_rule, unseen, fresh=fresh),
        line_chips=line_chips(shoe, rules) if shoe else {},
        count=counted,
        chips_asked=asked,
        to_rule=to_rule,
        fresh=fresh,
        unseen=unseen,
        due=due,
        due_basis=due_basis(shoe.pk, table, due, _sitting(view)) if shoe and due else None,
    )


def _due(view: TableView) -> tuple[BoxDue, ...]:
    if view.round is None:
        return ()
    return due_by_box(view.round, _stacks(view))


def _stacks(view: TableView) -> dict[int, Stack]:
    return {row.box: row.stack for row in view.occupied if row.stack}


def _sitting(view: TableView) -> list[Entry]:
    return [row.entry for row in view.occupied if row.entry]


def take_back_of(shown: Screen, actor_id: int | None) -> Deal | None:
    """Return the hand settled just now if ``actor_id`` can take it back, else None (T17)."""
    if not shown.fresh or shown.last is None or shown.shoe is None:
        return None
    shown.last.shoe = _known(shown.shoe, shown.view)
    no = why_not_take_back(shown.last, _stacks(shown.view), actor_id=actor_id, at=timezone.now())
    return None if no else shown.last


def _chips_asked(view: TableView) -> tuple[ChipsAsked, ...]:
    """Return the open penalties. A ruling on the count is shown by the panel of the count instead."""
    waiting = rulings_on_chips([view.round]) if view.round else {}
    found = [
        (row.box, each)
        for row in view.occupied
        for each in waiting.get(row.entry.pk if row.entry else 0, ())
        if each.kind in (PENALTY, PENALTY_BACK)
    ]
    backs = [each.body["penalty"] for _box, each in found if each.kind == PENALTY_BACK]
    given = Penalty.objects.in_bulk(backs) if backs else {}
    return tuple(ChipsAsked(box, each, _chips_of(each, given)) for box, each in found)


def _chips_of(asked: Request, given: Mapping[int, Penalty]) -> int:
    if asked.kind == PENALTY:
        return int(asked.body["chips"])
    return given[asked.body["penalty"]].chips or 0


def _known(shoe: Shoe, view: TableView) -> Shoe:
    """Return the shoe with its known related objects set, so that none is fetched again."""
    if view.round is not None:
        shoe.round = view.round
    shoe.table = view.table
    return shoe


def _version(
    view: TableView,
    counted: CountState | None,
    chips: tuple[Iterable[ChipsAsked], Iterable[BoxDue]],
    to_rule: CutReview | None,
    unseen: Unseen,
    *,
    fresh: bool,
) -> str:
    deal, (asked, due) = view.open_deal, chips
    facts: list[Any] = [
        view.round and (view.round.pk, view.round.status),
        view.shoe and (view.shoe.pk, view.shoe.status, view.shoe.button_box, view.shoe.last_hand),
        view.shoe and view.shoe.to_correct,
        deal and (deal.pk, len(deal.taps), deal.bets, deal.mode),
        fresh,
        view.hands,
        view.blocked,
        counted and (counted.entered, counted.ruling and counted.ruling.request.pk),
        [each.asked.pk for each in asked],
        [(each.box, each.chips) for each in due],
        to_rule and (to_rule.round.pk, to_rule.about),
        [(seat.pk, seat.seen_at) for seat in (*unseen.seats, *unseen.seen)],
        (unseen.free, [entry.pk for entry in unseen.waiting]),
        [(row.box, row.entry and row.entry.pk, row.chips, row.why_not) for row in view.boxes],
    ]
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def results_preview(
    shown: Screen, bets: Mapping[int, int], outcomes: Mapping[int, Mapping[str, Any]]
) -> dict[int, int]:
    """Map boxes to the net chips of these results; raises Refused as settling would. Writes nothing."""
    if shown.shoe is None:
        raise Refused("no_such_shoe", _("Nobody is seated at this table. Load the page again."), status=404)
    stacks = {row.box: row.chips for row in shown.view.boxes if row.box in bets and row.chips is not None}
    on_line = {box: chips for box, chips in shown.line_chips.items() if box in bets} or None
    answer = game_of(shown.rules).results_settle(shown.rules, bets, stacks, outcomes, line_chips=on_line)
    return {int(box): net for box, net in answer["net"].items()}
