"""Tables, their boxes and seats, and the rules of their hands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from games.protocol import Rules
from ground.refused import Conflict, Refused
from ground.words import Sentence
from tables.models import Seat, Shoe, Table
from tournament import sql
from tournament.engine import settings as event_settings
from tournament.engine.seats import capacity
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.stages import IN_PLAY

TIE_DONE = Sentence("The tie at this table is decided.")


def event_rules(event: Event) -> Rules:
    """Return the frozen rules of the hand (T16), with the bets of the event."""
    return event_settings.hand_rules(event.settings)


@dataclass(frozen=True)
class StagePlay:
    """The rules of the hands of a stage, and whether none of these hands is recorded (T18)."""

    rules: Rules
    counts_alone: bool


_PLAY: dict[tuple[str, int, str], StagePlay] = {}
"""What ``stage_play`` has found: by the hash of the posted settings, which never change, and the stage."""
_PLAY_AT_MOST = 512


def stage_play(round_: Round) -> StagePlay:
    """Return the frozen rules of a stage's hands (T16), with the bets of the stage (F5)."""
    event = round_.event
    stage = event.rules_hash, round_.number, round_.kind
    found = _PLAY.get(stage)
    if found is None:
        rules = event_settings.round_rules(event.settings, round_.number)
        found = StagePlay(rules, round_.counts_alone)
        if event.rules_hash:
            if len(_PLAY) >= _PLAY_AT_MOST:
                _PLAY.clear()
            _PLAY[stage] = found
    return found


def house_rules(round_: Round) -> Rules:
    """Return the frozen rules of the hand (T16), with the bets of this stage (T10, T12, F5)."""
    return stage_play(round_).rules


_NAMED = (
    f"SELECT {sql.columns(Table, 't')}, {sql.columns(Event, 'e')} FROM tables_table t"  # noqa: S608 - our own columns
    " JOIN tournament_event e ON e.id = t.event_id WHERE e.slug = %s AND t.number = %s"
)


def table_named(slug: str, number: int) -> Table | None:
    """Return the table of an address with its event, None if there is none."""
    found = sql.row(_NAMED, slug, number)
    if found is None:
        return None
    table: Table
    table, table.event = sql.split(found, Table, Event)
    return table


def boxes_usable(table: Table, chosen: event_settings.EventSettings) -> list[int]:
    """Return the boxes of a table that can be drawn: in use, and within the event's boxes per table (T4)."""
    return [box for box in table.boxes_in_use if box <= chosen.boxes_per_table]


_TABLES = f"SELECT {sql.columns(Table, 't')} FROM tables_table t WHERE t.event_id = %s ORDER BY t.number"  # noqa: S608 - our own columns


def tables_usable(event: Event) -> list[tuple[int, list[int]]]:
    """Return the tables with their boxes in use, for the engine (T4)."""
    tables = [sql.made(Table, row) for row in sql.rows(_TABLES, event.pk)]
    return [(table.number, boxes_usable(table, event.settings)) for table in tables]


def tables_of(round_: Round) -> QuerySet[Table]:
    """Return the tables of a round; before its first bet without those that a redraw has left empty (T4)."""
    shoes = Shoe.objects.filter(round=round_)
    if round_.status == Round.Status.SEATED:
        shoes = shoes.exclude(status=Shoe.Status.COUNTED)
    return Table.objects.filter(shoes__in=shoes).distinct()


def boxes_free(round_: Round) -> list[tuple[int, int]]:
    """Return the usable boxes of a round's tables without a player: (table number, box), in order (T6)."""
    taken = set(
        Seat.objects.filter(round=round_, vacated_at__isnull=True).values_list("table__number", "box")
    )
    tables = tables_of(round_).order_by("number")
    usable = [(table.number, boxes_usable(table, round_.event.settings)) for table in tables]
    return [(number, box) for number, boxes in usable for box in boxes if (number, box) not in taken]


def tables_posted(event: Event, kind: str) -> int | None:
    """The posted number of tables of a stage (T4), None for the fewest that hold it.

    A play-off or a sudden death uses the fewest, so that nobody plays alone if one table is enough, unless
    the event says that it uses the posted number too (T23, T33).
    """
    settings = event.settings
    alike = kind == Round.Kind.ROUND or settings.tie_tables == event_settings.AS_POSTED
    return settings.tables_count if alike else None


def tables_too_few(event: Event, tables: Iterable[Table]) -> bool:
    """Whether somebody in the event (alternates count) or the posted number of tables lacks boxes (T4).

    A draw uses at most the posted number of tables: alternates beyond it need none.
    """
    chosen = event.settings
    wanted = event.entries.filter(status__in=[Entry.Status.LIVE, Entry.Status.WAITING]).count()
    usable = [(table.number, boxes) for table in tables if (boxes := boxes_usable(table, chosen))]
    posted = chosen.tables_count
    if posted is None:
        return capacity(usable) < wanted
    return len(usable) < posted or capacity(usable, posted) < min(wanted, posted * chosen.boxes_per_table)


def seats_live(round_: Round) -> list[Seat]:
    """Return the seats of a round that are not given up, by table and box."""
    seats = Seat.objects.filter(round=round_, vacated_at__isnull=True)
    return list(seats.select_related("entry__player", "table").order_by("table__number", "box"))


def seat_of(round_: Round, entry: Entry) -> Seat | None:
    """Return the seat of an entry in a round, None without one."""
    seats = Seat.objects.filter(round=round_, entry=entry, vacated_at__isnull=True)
    return seats.select_related("table").first()


_STACKS = (
    f"SELECT seat.box, {sql.columns(Stack, 's')}, {sql.columns(Entry, 'e')}"  # noqa: S608 - our own columns
    " FROM tables_seat seat JOIN tournament_entry e ON e.id = seat.entry_id"
    " JOIN tournament_stack s ON s.entry_id = seat.entry_id AND s.round_id = seat.round_id"
    " WHERE seat.round_id = %s AND seat.table_id = %s AND seat.flight = %s AND seat.vacated_at IS NULL"
    " ORDER BY seat.box"
)


def stacks_by_box(shoe: Shoe) -> dict[int, Stack]:
    """Map the occupied boxes of a shoe's table to their stacks, with their entries."""
    found: dict[int, Stack] = {}
    for box, *columns in sql.rows(_STACKS, shoe.round_id, shoe.table_id, shoe.flight):
        found[box], entry = sql.split(columns, Stack, Entry)
        found[box].entry = entry
    return found


def current_shoe(table: Table, round_: Round | None) -> Shoe | None:
    """Return the newest shoe of a table in a round."""
    if round_ is None:
        return None
    return Shoe.objects.filter(table=table, round=round_).order_by("-flight", "-number").first()


def occupied_boxes(stacks: dict[int, Stack], bet_min_chips: int) -> list[int]:
    """Return the boxes at which the button can stop (T14): those of players who still play in this round."""
    return [
        b for b, stack in sorted(stacks.items()) if stack.state in IN_PLAY and stack.chips >= bet_min_chips
    ]


def tables_in_play(round_: Round) -> set[int]:
    """Return the ids of the tables of a stage where somebody still plays, or is absent."""
    seats = Seat.objects.filter(
        round=round_, vacated_at__isnull=True, entry__stacks__round=round_, entry__stacks__state__in=IN_PLAY
    )
    return set(seats.values_list("table_id", flat=True))


def why_tie_done(round_: Round, table: Table) -> Refused | None:
    """Return why the shoe of a table cannot be ended or followed by another: its tie is decided (T19,
    T33)."""
    if round_.kind == Round.Kind.ROUND or table.pk in tables_in_play(round_):
        return None
    return Conflict("tie_decided", TIE_DONE)
