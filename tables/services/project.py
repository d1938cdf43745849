"""Write the rows that differ between two folded states of an event (T17, T23, T33).

| what                                                     | where              |
|----------------------------------------------------------|--------------------|
| the ledger: moves that differ are reversed, posted anew  | ``project_chips``  |
| stacks: state, last change, outcome, place, tie          | ``_stacks``        |
| seats that are given up, or given                        | ``_seats``         |
| stages: status, and the seats of a play-off              | ``_stages``        |
| shoes and counts                                         | ``_tables``        |
| the stacks before hands that stand                       | ``_hands``         |
| status and place of entries, status of the event         | ``_places``        |
| posted results                                           | ``_post``          |

Only differences are written. Hands themselves are written by ``correction_write``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property
from typing import Final

from django.db.models import Q, QuerySet

from tables.models import CountSheet, Deal, Seat, Shoe, Table
from tables.selectors.counts import live_sheets
from tables.selectors.names import hand_keys, penalty_keys
from tournament import sql
from tournament.engine.corrections import Decision
from tournament.engine.facts import BOXES, ROUND, HandKey, StageKey, key_of
from tournament.engine.stages import CLOSED, COUNTED, DEALING, DISQUALIFIED, FINISHED, IN_PLAY, LIVE, WAITING
from tournament.engine.state import (
    EMPTY,
    RETURN,
    REVERSAL,
    STACK,
    Move,
    StackNow,
    Stage,
    State,
    seats_of,
    stacks_changed,
    stage_of,
    table_of,
)
from tournament.engine.steps.cut import cut_of
from tournament.models import ChipTransaction, Event, Round, Stack
from tournament.selectors.facts_standing import Course
from tournament.services.chips import ChipMove, chips_rewrite, felt_keep
from tournament.services.journal import Command
from tournament.services.rounds import draws_give_up, final_post, result_post, rulings_lift, rulings_used
from tournament.services.status import status_move

from .chips_due import due_clear

NOTHING_DECIDED: Final = Decision(())


@dataclass(frozen=True)
class Rows:
    """The rows of an event, by the names that the facts use.

    ``hands``: the hands that were recorded anew, by their key.
    """

    event: Event
    hands: Mapping[HandKey, Deal]
    rounds: Mapping[StageKey, Round]
    stacks: dict[tuple[StageKey, str], Stack]

    @classmethod
    def of(
        cls,
        event: Event,
        hands: Mapping[HandKey, Deal],
        only: Collection[tuple[StageKey, str]] | None = None,
    ) -> Rows:
        """Read the rows; of stacks ``only`` these, locked until the command is over."""
        rounds = {key_of(each): each for each in event.rounds.select_related("event", "parent")}
        stacks = Stack.objects.filter(round__event=event).select_related("entry")
        if only is not None:
            which = Q(pk__in=())
            for stage in {stage for stage, _code in only}:
                codes = [code for at, code in only if at == stage]
                which |= Q(round=rounds[stage], entry__code__in=codes)
            stacks = stacks.filter(which)
        locked, keys = stacks.select_for_update(of=("self",)), {each.pk: key for key, each in rounds.items()}
        of_stacks = {(keys[each.round_id], each.entry.code): each for each in locked}
        return cls(event, hands, rounds, of_stacks)

    @cached_property
    def tables(self) -> dict[int, int]:
        """The ids of the tables by number."""
        return dict(Table.objects.filter(event=self.event).values_list("number", "pk"))

    def join(self, keys: Iterable[tuple[StageKey, str]]) -> None:
        """Create an empty stack for each entry that joins a stage (T6, T25)."""
        new = sorted(key for key in keys if key not in self.stacks)
        if not new:
            return
        entries = {each.code: each for each in self.event.entries.filter(code__in=[code for _, code in new])}
        made = [Stack(round=self.rounds[stage], entry=entries[code]) for stage, code in new]
        self.stacks.update(zip(new, Stack.objects.bulk_create(made), strict=True))

    def shoe(self, stage: StageKey, table: int, number: int) -> QuerySet[Shoe]:
        """Return a shoe by its name, to be changed or read."""
        return Shoe.objects.filter(round=self.rounds[stage], table__number=table, number=number)


def project(
    cmd: Command,
    rows: Rows,
    before: Course,
    after: Course,
    found: Decision = NOTHING_DECIDED,
    *,
    at_table: bool = False,
) -> None:
    """Bring the rows from one state to the other. ``found``: the decision of a correction.

    ``at_table``: players and dealers also move the chips on the felt.

    Raises Refused ``not_enough_chips`` where a stack would end below zero.
    """
    _again(cmd, rows, after.state, found.again)
    settle_felt = project_chips(cmd, rows, before.moves, after.moves, at_table=at_table)
    _stacks(rows, before.state, after.state)
    counted = list[Shoe]()
    for stage in after.state.stages:
        was = stage_of(before.state, stage.frame.key)
        _stages(cmd, rows, was, stage)
        if stage.tie is None:
            counted += _tables(rows, was, stage)
        _seats(cmd, rows, was, stage)
    settle_felt()
    for shoe in counted:
        due_clear(shoe)
    _hands(rows, before, after)
    _places(cmd, rows.event, before.state, after.state)
    _post(cmd, rows, before.state, after.state, found)


# Stacks and stages ----------------------------------------------------------------------------------


def _stacks(rows: Rows, before: State, after: State) -> None:
    changed = set[str]()
    moved, columns = list[Stack](), [each.name for each in fields(StackNow) if each.name != "chips"]
    for key, (old, now) in stacks_changed(before, after).items():
        names = [name for name in columns if old is None or getattr(now, name) != getattr(old, name)]
        for name in names:
            setattr(rows.stacks[key], name, getattr(now, name))
        if names:
            moved.append(rows.stacks[key])
            changed |= set(names)
    sql.update(moved, changed)


def _stages(cmd: Command, rows: Rows, was: Stage, now: Stage) -> None:
    round_ = rows.rounds[now.frame.key]
    if was.status != now.status:
        round_.status = now.status
        round_.closed_at = cmd.at if now.status == CLOSED else None
        round_.save(update_fields=["status", "closed_at"])
        # If a tie goes on after all, an ended shoe stays ended and another one is opened.
        if now.tie is not None and now.status not in IN_PLAY:
            tie_over(cmd, round_)
    if was.tie and now.tie and was.tie.seats != now.tie.seats:
        round_.contested = now.tie.seats
        round_.save(update_fields=["contested"])
    stand = [(each.level, each.winners) for each in now.rulings]
    lifted = [at for at, each in enumerate(reversed(was.rulings)) if (each.level, each.winners) not in stand]
    if lifted:
        rulings_lift(round_, lifted)


def _seats(cmd: Command, rows: Rows, was: Stage, now: Stage) -> None:
    """Free the seats of players who have left, and give seats to new players (T6, T25).

    A disqualified player has no seat in a stage that is played or closed again (T26). The seat stays free
    even if a correction puts the disqualification after the stage.
    """
    key, out = now.frame.key, {each.entry for each in was.gone if each.state == DISQUALIFIED}
    left = {each.entry for each in now.gone} - {each.entry for each in was.gone}
    if left and (now.tie is None or now.status != CLOSED):
        gone = [rows.stacks[key, entry].entry_id for entry in left]
        seats = Seat.objects.filter(round=rows.rounds[key], entry__in=gone)
        seats.filter(vacated_at__isnull=True).update(vacated_at=cmd.at)
    Seat.objects.bulk_create(
        Seat(
            round=rows.rounds[key],
            table_id=rows.tables[new.table],
            box=box,
            entry=rows.stacks[key, entry].entry,
        )
        for old, new in zip(was.tables, now.tables, strict=True)
        for box, (before, entry) in enumerate(zip(old.entries, new.entries, strict=True), start=1)
        if entry not in (EMPTY, before) and entry not in out
    )


# Tables ---------------------------------------------------------------------------------------------


def _again(cmd: Command, rows: Rows, after: State, again: Iterable[tuple[StageKey, int]]) -> None:
    """Open the count of a table again, since its stacks have changed (T18)."""
    for stage, table in again:
        last = table_of(stage_of(after, stage), table).shoe
        sheets_reopen(cmd, rows.shoe(stage, table, last).get())


def sheets_reopen(cmd: Command, shoe: Shoe) -> None:
    """Take both count sheets back and note it in the journal, which the audit relies on."""
    cmd.note(counts=[sheet.chips for sheet in live_sheets(shoe)])
    # A correction may open the counts of several tables in one command.
    cmd.note(reopened=[*cmd.notes.get("reopened", []), shoe.pk])
    sheets = CountSheet.objects.filter(shoe=shoe, status=CountSheet.Status.LIVE)
    sheets.update(status=CountSheet.Status.REOPENED)


def _tables(rows: Rows, was: Stage, now: Stage) -> list[Shoe]:
    """Update the tables of a round: count again, adopt counts that agree now, move the button.

    Return the shoes that became counted, at which no chips are due.
    """
    counted = list[Shoe]()
    for old, new in zip(was.tables, now.tables, strict=True):
        if (old.status, old.button) == (new.status, new.button):
            continue
        last = rows.shoe(now.frame.key, new.table, new.shoe)
        if old.status != new.status:
            shoe = last.get()
            status_move(shoe, new.status, **({"ended_at": None} if new.status == DEALING else {}))
            if new.status == COUNTED:
                counted.append(shoe)
        if old.button != new.button:
            # After the change another box may be the first that covers the minimum (T14).
            last.update(button_box=new.button)
    return counted


def tie_over(cmd: Command, round_: Round) -> None:
    """End the shoes of a decided tie without a count (T33)."""
    shoes = Shoe.objects.filter(round=round_, status=Shoe.Status.DEALING)
    shoes.update(status=Shoe.Status.OVER, ended_reason="the tie is decided", ended_at=cmd.at)


def _hands(rows: Rows, before: Course, after: Course) -> None:
    """Update the stacks before later hands; the records of these hands stay as entered."""
    if not rows.hands:
        return  # Only a correction changes the stacks before other hands.
    moved = {
        key for key, stacks in after.stacks.items() if before.stacks.get(key) != stacks
    } - rows.hands.keys()
    if not moved:
        return
    keys = {pk: key for pk, key in hand_keys(rows.event).items() if key in moved}
    for deal in Deal.objects.filter(pk__in=keys, status=Deal.Status.SETTLED):
        chips = after.stacks[keys[deal.pk]]
        stacks = {box: chips[int(box) - 1] for box in deal.stacks if 1 <= int(box) <= BOXES}
        if stacks != deal.stacks:
            Deal.objects.filter(pk=deal.pk).update(stacks=stacks)


# Places and postings --------------------------------------------------------------------------------


def _places(cmd: Command, event: Event, before: State, after: State) -> None:
    waits: Mapping[str, Mapping[str, datetime | None]]
    waits = {WAITING: {"waiting_since": cmd.at}, LIVE: {"waiting_since": None}}
    for code, status in after.entries.items():
        if before.entries[code] != status:
            status_move(event.entries.get(code=code), status, **waits.get(status, {}))
    was, now = ({each.entry: each for each in state.places} for state in (before, after))
    moved = {code for code in was.keys() | now.keys() if was.get(code) != now.get(code)}
    placed = list(event.entries.filter(code__in=moved))
    for entry in placed:
        ranked = now.get(entry.code)
        entry.place, entry.place_tied = (ranked.place, ranked.tied) if ranked else (None, False)
        entry.final_chips = ranked.chips if ranked else None
    sql.update(placed, ["place", "place_tied", "final_chips"])
    if before.status != after.status:
        Event.objects.filter(pk=event.pk).update(status=after.status)
        event.status = after.status
    if after.status == FINISHED:
        draws_give_up(event)


def _ranks(stage: Stage) -> dict[str, tuple[int | None, bool, int]]:
    """Return place, tie and chips by entry; replacing a qualifier does not change them (T25)."""
    return {code: (each.place, each.tied, each.chips) for code, each in stage.results.items()}


def _post(cmd: Command, rows: Rows, before: State, after: State, found: Decision) -> None:
    """Post the results of closed rounds, and the final places, again if they have changed (T17)."""
    again = dict(found.through)
    for stage in after.stages:
        key, was = stage.frame.key, stage_of(before, stage.frame.key)
        if key[1] != ROUND or stage.status != CLOSED:
            continue
        round_ = rows.rounds[key]
        if key in again:
            Round.objects.filter(pk=round_.pk).update(closed_at=cmd.at)
            round_.closed_at = cmd.at
        if key in again or _ranks(was) != _ranks(stage):
            rulings_used(round_, cut_of(after, stage).settled, seats_of(stage).keys())
            result_post(cmd, round_, after, stage)
    if after.status == FINISHED and before.places != after.places:
        final_post(cmd, rows.event)


Source = tuple[object, ...]
PENALTY, HAND, STAGE, COUNT = "penalty", "hand", "stage", "count"


def project_chips(
    cmd: Command,
    rows: Rows,
    before: Iterable[Move],
    after: Iterable[Move],
    *,
    at_table: bool,
) -> Callable[[], None]:
    """Write the moves that differ, and return a function to call once the stages are written.

    ``at_table``: they are also moved on the felt, so that nothing is due for them.

    Raises Refused ``not_enough_chips`` where a stack would end below zero.
    """
    lay = {stack: stack.chips - stack.due_chips for stack in rows.stacks.values()}
    was, now = _by_source(before), _by_source(after)
    reverse, post = list[ChipTransaction](), list[ChipMove]()
    for source in [*was, *(each for each in now if each not in was)]:
        old, new = was.get(source, []), now.get(source, [])
        if old == new:
            continue
        wrong, anew = _differs(cmd, rows, source, _in_order(old), _in_order(new))
        reverse += wrong
        # If a clerk takes a hand back, its chips are moved back on the felt (T17).
        for stack, chips in _nets(rows, old[0]).items() if wrong and at_table else ():
            lay[stack] -= chips
        for move in anew:
            nets = _nets(rows, move)
            reverses = _posted(cmd, rows, source).first() if move.kind == REVERSAL else None
            post.append(ChipMove(move.kind, nets, _named(rows, source, rows.hands), reverses))
            # Counted chips already lie on the felt; penalty chips are moved after the table is told.
            moved = source[0] == COUNT or (at_table and source[0] != PENALTY)
            for stack, chips in nets.items() if moved else ():
                lay[stack] = 0 if move.kind == RETURN else lay[stack] + chips
    chips_rewrite(cmd, reverse=reverse, post=post)

    def settle_felt() -> None:
        chips = dict(Stack.objects.filter(pk__in=[each.pk for each in lay]).values_list("pk", "chips"))
        felt_keep({stack: felt for stack, felt in lay.items() if chips[stack.pk] - felt != stack.due_chips})

    return settle_felt


def _by_source(moves: Iterable[Move]) -> dict[Source, list[Move]]:
    found = dict[Source, list[Move]]()
    for move in moves:
        found.setdefault(move.source, []).append(move)
    return found


def _in_order(moves: Iterable[Move]) -> list[Move]:
    """Return the moves with sorted legs, so that they can be compared."""
    return [Move(move.kind, move.source, tuple(sorted(move.legs, key=str))) for move in moves]


def _differs(
    cmd: Command, rows: Rows, source: Source, old: list[Move], new: list[Move]
) -> tuple[list[ChipTransaction], list[Move]]:
    """Return the transactions of a source to reverse, and the moves to post."""
    pairs = zip(old, new, strict=False)
    same = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
    if same == len(old):
        return [], new[same:]
    standing = list(_posted(cmd, rows, source))
    if len(standing) != len(old):
        same = 0
    return standing[same:], new[same:]


def _posted(cmd: Command, rows: Rows, source: Source) -> QuerySet[ChipTransaction]:
    """Return the posted transactions of a source that are not reversed."""
    found = ChipTransaction.objects.filter(event=cmd.event, source=_named(rows, source, {}), reversed_by=None)
    return found.exclude(kind=ChipTransaction.Kind.REVERSAL).order_by("pk")


def _nets(rows: Rows, move: Move) -> dict[Stack, int]:
    return {
        rows.stacks[stage, entry]: chips
        for account, stage, entry, chips in move.legs
        if account == STACK and stage is not None
    }


def _named(rows: Rows, source: Source, hands: Mapping[HandKey, Deal]) -> str:
    """Return the source of a transaction as the ledger names it; for a hand, its latest record."""
    word, *rest = source
    if word == HAND:
        stage, table, shoe, number = rest
        key: HandKey = (stage, table, shoe, number)  # type: ignore[assignment]  # the source of a hand is its key
        return f"deal:{hands[key].pk if key in hands else _standing(rows, key)}"
    if word == STAGE:
        return f"round:{rows.rounds[rest[0]].pk}"  # type: ignore[index]  # its key
    if word == COUNT:
        stage, table, number = rest
        return f"count:{rows.shoe(stage, table, number).get().pk}"  # type: ignore[arg-type]  # names a shoe
    if word == PENALTY:
        return next(f"penalty:{pk}" for pk, key in penalty_keys(rows.event).items() if key == tuple(rest))
    return ":".join(map(str, source))


def _standing(rows: Rows, key: HandKey) -> int:
    """Return the id of the hand's record that the ledger has posted, 0 without one."""
    stage, table, shoe, number = key
    recorded = Deal.objects.filter(shoe__in=rows.shoe(stage, table, shoe), number=number)
    sources = [f"deal:{pk}" for pk in recorded.values_list("pk", flat=True)]
    posted = ChipTransaction.objects.filter(
        source__in=sources, kind=ChipTransaction.Kind.DEAL, reversed_by=None
    )
    source = posted.values_list("source", flat=True).first()
    return int(source.removeprefix("deal:")) if source else 0
