"""The stages of an event as state of the engine, read from its rows, and the entries that advance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from tournament import sql
from tournament.engine import settings as event_settings
from tournament.engine.advance import Advanced, Decided
from tournament.engine.facts import StageKey, key_of
from tournament.engine.next_steps import key_played
from tournament.engine.plan import plan_of
from tournament.engine.state import (
    NO_COUNTS,
    START,
    Frame,
    Gone,
    Result,
    State,
    TableState,
    Tie,
    stage_of,
)
from tournament.engine.state import Stage as StageState
from tournament.engine.steps.cut import cut_of
from tournament.engine.steps.replacing import REPLACE
from tournament.engine.ties import TieGroup, group_priced
from tournament.models import (
    ChipEntry,
    ChipTransaction,
    Entry,
    Event,
    JournalEntry,
    PayoutStructure,
    Round,
    Stack,
    TieRuling,
)
from tournament.selectors.floor import floor

Kind = Round.Kind
# Stacks in these states were never played, or were given up, so they are not ranked (T6, T25).
NOT_RANKED = (Stack.State.NO_SHOW, Stack.State.WITHDRAWN)
_LEFT = (*NOT_RANKED, Stack.State.DISQUALIFIED)
IN_PLAY = (Stack.State.PLAYING, Stack.State.ABSENT)


def main_rounds(event: Event) -> list[Round]:
    """Return the seated rounds of the plan, in order (F1)."""
    return list(event.rounds.filter(kind=Kind.ROUND).order_by("number"))


# The page of a table runs this query with every tap.
_UNCLOSED = (
    f"SELECT {sql.columns(Round, 'r')} FROM tournament_round r WHERE r.event_id = %s AND r.status <> 'closed'"  # noqa: S608 - our own columns
)


def current_round(event: Event) -> Round | None:
    """Return the stage that is being played: the unclosed play-off if there is one, else the unclosed
    round."""
    made = (sql.made(Round, row) for row in sql.rows(_UNCLOSED, event.pk))
    unclosed = {key_of(each): each for each in made}
    if not unclosed:
        return None
    found = unclosed[key_played(unclosed)]
    found.event = event
    return found


# The state of an event ----------------------------------------------------------------------------------


def state_of(event: Event) -> State:
    """Return the state of an event from its rows, for its standings and next steps.

    Money, shoes, counts and the decided places are left out: they rank nobody.
    """
    rounds = list(event.rounds.prefetch_related("rulings").order_by("pk"))
    rows = Stack.objects.filter(round__in=rounds).order_by("entry__number")
    stacks: dict[int, list[Any]] = {each.pk: [] for each in rounds}
    entries, plan = dict[str, str](), plan_of(event.settings_json)
    if not rounds:
        entries = dict(event.entries.order_by("number").values_list("code", "status"))
    for stack in rows.values_list(*_STACK, named=True):
        stacks[stack.round_id].append(stack)
        entries[stack.entry__code] = stack.entry__status
    ended = any(s.outcome for each in stacks.values() for s in each)
    handed = chips_handed_in(event.pk, rows.exclude(outcome="")) if ended else {}
    left = {Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED}.intersection(entries.values())
    replaced = _by_stack(replaced_in(event.pk), rounds, stacks) if left else {}
    seats = floor().seats(stacks) if stacks else {}
    posted = live_payouts(event)
    prizes_cents = tuple(posted.prizes_cents) if posted else None
    by_hands = plan.settings.record_mode == event_settings.HANDS
    stages = tuple(
        _stage_of(each, stacks[each.pk], seats, replaced, handed, prizes_cents or (), by_hands=by_hands)
        for each in rounds
    )
    at = {stage.frame.key: index for index, stage in enumerate(stages)}
    return State(plan, event.status, entries, stages, at, prizes_cents, (), START.money, (), ())


_STACK = (
    *("pk", "round_id", "entry_id", "entry__code", "entry__status", "state", "chips", "start_chips"),
    *("last_change_chips", "outcome", "place", "place_tied"),
    *("tied_from", "plays_from", "absent_at_look"),
)


def replaced_in(event_id: int) -> dict[int, str]:
    """Return replaced entries with the code of their replacement; empty text if nobody took the seat
    (T25)."""
    made = JournalEntry.objects.filter(event=event_id, kind="entry.replace").order_by("seq")
    rows = made.values_list("body__asked__entry", "result")
    return {int(entry): result["in"] or "" for entry, result in rows}


def _by_stack(
    replaced: Mapping[int, str], rounds: Iterable[Round], stacks: Mapping[int, Iterable[Any]]
) -> dict[int, str]:
    """Return the stacks from which replaced entries had qualified, with the codes of their replacements.

    A seat comes from the last round from which its entry advanced; in earlier rounds nobody took it (T25).
    """
    mains = (each.pk for each in rounds if each.kind == Kind.ROUND)
    through = (s for pk in mains for s in stacks[pk] if s.outcome == Stack.Outcome.ADVANCED)
    last = {s.entry_id: s.pk for s in through}
    return {last[entry]: code for entry, code in replaced.items() if entry in last}


def chips_handed_in(event_id: int, stacks: QuerySet[Stack]) -> dict[int, int]:
    """Return stack → the chips that were handed in or carried on, for stacks of an event.

    From the ledger, less the chips that a replacement got back (T25). Together with the remaining chips they
    are the final stack of the stage (T20). A new stack begins at 0: what a no-show handed in who came after
    all (T6), or a player whose tie goes on with fresh chips (T33), is not part of it.
    """
    legs = ChipEntry.objects.filter(stack__in=stacks.order_by(), transaction__event=event_id)
    legs = legs.filter(transaction__kind__in=_HANDED, transaction__reversed_by=None).order_by("pk")
    columns = ("stack", "transaction__kind", "transaction__source", "amount_chips")
    found = defaultdict[int, int](int)
    for stack, kind, source, chips in legs.values_list(*columns):
        if chips < 0 or source.startswith(f"{REPLACE}:"):
            found[stack] -= chips
        elif kind == ChipTransaction.Kind.ISSUE:
            found[stack] = 0
    return found


_HANDED = (ChipTransaction.Kind.ISSUE, ChipTransaction.Kind.CARRY, ChipTransaction.Kind.RETURN)


def _stage_of(
    round_: Round,
    stacks: Sequence[Any],
    seats: Mapping[tuple[int, int], tuple[int, int]],
    replaced: Mapping[int, str],
    handed: Mapping[int, int],
    prizes_cents: Sequence[int],
    *,
    by_hands: bool,
) -> StageState:
    closed, tables = round_.status == Round.Status.CLOSED, defaultdict[int, list[Any]](list)
    for s in stacks:
        if s.state not in _LEFT:
            tables[seats.get((round_.pk, s.entry_id), (0, 0))[0]].append(s)
    played = _bettors(round_, stacks) if by_hands and round_.kind == Kind.ROUND else set()
    results = {
        s.entry__code: Result(
            *(s.outcome, s.place, s.place_tied, s.chips + handed.get(s.pk, 0)),
            by=replaced.get(s.pk),
        )
        for s in stacks
        if s.outcome or (closed and s.state not in NOT_RANKED)
    }
    return StageState(
        Frame(key_of(round_), 0, {number: at for at, number in enumerate(tables)}, round_.cut_to),
        round_.status,
        tuple(_table_of(number, there, played) for number, there in tables.items()),
        frozenset(s.entry__code for s in stacks if s.state == Stack.State.ABSENT),
        tuple(Gone(s.entry__code, 0, 0, s.start_chips, None, s.state) for s in stacks if s.state in _LEFT),
        results,
        None if round_.kind == Kind.ROUND else _tie_of(round_, stacks, prizes_cents),
        tuple(
            Decided(frozenset(each.tied), frozenset(each.advance))
            for each in reversed(round_.rulings.all())
            if not each.lifted
        ),
    )


def _bettors(round_: Round, stacks: Iterable[Any]) -> set[int]:
    """Return the entries that have played a hand of a round; computed only if it matters (T15).

    An entry whose last hand moved the stack has played; a push proves nothing, nor does a void hand. While
    the round is played it matters only for an absent player: all others still have their first hand to come.
    """
    playing = round_.status in (Round.Status.SEATED, Round.Status.PLAYING)
    there = [s for s in stacks if s.state == Stack.State.ABSENT or (not playing and s.state not in _LEFT)]
    return floor().bettors(round_.pk) if any(not s.last_change_chips for s in there) else set()


def _table_of(table: int, there: Sequence[Any], played: Collection[int]) -> TableState:
    last = tuple(s.last_change_chips or (0 if s.entry_id in played else None) for s in there)
    return TableState(
        table,
        tuple(s.entry__code for s in there),
        tuple(s.chips for s in there),
        tuple(s.start_chips for s in there),
        last,
        shoe=0,
        status="",
        number=0,
        # Table 0 stands for an unknown table.
        hands=sum(s.entry_id in played for s in there) if table else 0,
        button=None,
        counts=NO_COUNTS,
    )


def _tie_of(round_: Round, stacks: Sequence[Any], prizes_cents: Sequence[int]) -> Tie:
    absent = frozenset(s.entry__code for s in stacks if s.absent_at_look)
    played = _groups(((s.entry__code, s.plays_from) for s in stacks), prizes_cents)
    opened = _groups(((s.entry__code, s.tied_from) for s in stacks), prizes_cents)
    return Tie(round_.contested, played, {}, absent, opened)


def boxes_for_all(event: Event) -> int | None:
    """Return the number of boxes if all tied players advance only if there is a box for each (T23), else
    None."""
    return floor().capacity(event) if event.settings.tie_at_cut == event_settings.ALL_ADVANCE else None


def round_cut(round_: Round, state: State | None = None) -> Advanced:
    """Return the cut of a counted round (T20), its ties settled by the settings of the event (T23).

    The last round cuts nobody. ``state``: that of its event, if it is known.
    """
    state = state or state_of(round_.event)
    return cut_of(state, stage_of(state, key_of(round_)), boxes=boxes_for_all(round_.event))


def live_payouts(event: Event) -> PayoutStructure | None:
    """Return the payout structure in force (T31), if one is posted."""
    return PayoutStructure.objects.filter(event=event, status=PayoutStructure.Status.LIVE).first()


def stage_row(event: Event, key: StageKey) -> Round:
    """Return the database row of a stage."""
    return event.rounds.get(number=key[0], kind=key[1], sequence=key[2])


def _groups(firsts: Iterable[tuple[str, int | None]], prizes_cents: Sequence[int]) -> tuple[TieGroup, ...]:
    """Return the ties of entries, each given with the first place that it plays for, None for none."""
    tied = dict[int, list[str]]()
    for code, first in firsts:
        if first is not None:
            tied.setdefault(first, []).append(code)
    return tuple(
        group_priced(
            TieGroup(tuple(range(place, place + len(codes))), tuple(sorted(codes)), ()), prizes_cents
        )
        for place, codes in sorted(tied.items())
    )


def has_chips_in_play(event: Event) -> bool:
    """Whether any player has chips in front; calling the event off hands them in (T8, T24)."""
    return Stack.objects.filter(entry__event=event, chips__gt=0).exists()


# Rulings on a tie at the cut ---------------------------------------------------------------------------


@dataclass(frozen=True)
class TieRuled:
    """One ruling (T23): the tied entries, those that advance by it, the person, time and reason.

    ``who`` is empty for the house itself, ``at`` None if its journal entry was not recorded with it.
    ``counts``: the cut is made with it.
    """

    tied: tuple[str, ...]
    advance: tuple[str, ...]
    reason: str
    who: str
    at: datetime | None
    counts: bool


def tie_rulings(round_: Round, state: State | None = None) -> list[TieRuled]:
    """Return every ruling on the tie at the cut of a round, oldest first (T23).

    ``state``: that of its event, if it is known.
    """
    kept = list(round_.rulings.all())
    if not kept:
        return []
    entries = JournalEntry.objects.filter(event=round_.event_id, seq__in=[each.seq for each in kept])
    made = {entry.seq: entry for entry in entries.select_related("actor")}
    now = {each.seq for each in kept if each.used}
    if round_.status != Round.Status.CLOSED:
        there = frozenset(round_.stacks.filter(state__in=IN_PLAY).values_list("entry__code", flat=True))
        said = {
            Decided(there.intersection(each.tied), there.intersection(each.advance)): each.seq
            for each in kept
            if not each.lifted
        }
        now = {said[each] for each in round_cut(round_, state).settled if each in said}
    return [_ruled(each, made.get(each.seq), each.seq in now) for each in kept]


def _ruled(ruling: TieRuling, entry: JournalEntry | None, counts: bool) -> TieRuled:
    who = entry.actor.get_username() if entry and entry.actor else ""
    at = entry.at if entry else None
    return TieRuled(tuple(ruling.tied), tuple(ruling.advance), ruling.reason, who, at, counts)


def rulings_posted(round_: Round) -> list[dict[str, Any]]:
    """Return the public part of the rulings of a closed round: ``advance`` and ``reason`` of each."""
    return [{**each} for each in round_.rulings.filter(used=True).values("advance", "reason")]
