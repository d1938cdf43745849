"""Tables, and changes to their seats after the draw (T4, T6, T15, T25, T26)."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User

from ground.refused import Conflict, Refused
from tables.models import Seat, Table
from tables.models.floor import BOXES
from tables.selectors.draws import before_first_bet
from tables.selectors.floor import seat_of, tables_too_few
from tables.selectors.seating import asks_who_is_there, box_check, replace_check
from tournament.engine.facts import Absent, NoShow, Replaced, SeatGiven, key_of
from tournament.engine.settings import TABLES_MAX
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.desk import waiting_list
from tournament.selectors.replacements import next_ranked
from tournament.services.arguments import event_of, find, reason_clean
from tournament.services.entries import alternates_move_up, buy_in_standing_check, entry_leaves
from tournament.services.journal import Command, Json, command
from tournament.services.rounds import round_command

from .facts_write import facts_write
from .locks import running_check, shoe_command, shoe_lock

# Tables ---------------------------------------------------------------------------------------------


def table_add(*, event_id: int, boxes_out: Iterable[int] = (), key: str, actor: User | None) -> Json:
    """Add a table with the next number (T4). Gives ``{"table": id, "number": n}``.

    Raises Refused ``bad_box``, ``too_many_tables``.
    """
    out = _boxes(boxes_out)

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        table = _table_make(event, out)
        alternates_move_up(cmd, event)
        return {"table": table.pk, "number": table.number}

    body = {"event": event_id, "boxes_out": out}
    return command(kind="table.add", key=key, actor=actor, event_id=event_id, body=body, act=act)


def table_change(
    *, table_id: int, in_use: bool, boxes_out: Iterable[int], key: str, actor: User | None
) -> Json:
    """Put a table, or some of its boxes, out of use or back (T4); it takes effect with the next draw.

    Raises Refused ``box_occupied`` (409) if somebody sits there, ``bad_box``, ``no_such_table`` (404).
    """
    table = find(Table, table_id, "table")
    out = _boxes(boxes_out)

    def act(cmd: Command) -> Json:
        table.refresh_from_db()
        cmd.note(before={"in_use": table.in_use, "boxes_out": table.boxes_out})
        _box_free_check(table, in_use, out)
        table.in_use, table.boxes_out = in_use, out
        table.save(update_fields=["in_use", "boxes_out"])
        alternates_move_up(cmd, event_of(cmd))
        return {"table": table.pk}

    body = {"table": table_id, "in_use": in_use, "boxes_out": out}
    return command(kind="table.change", key=key, actor=actor, event_id=table.event_id, body=body, act=act)


def tables_ensure(*, event_id: int, key: str, actor: User | None) -> Json:
    """Add tables until everybody in the event has a box, or the posted number of tables is reached (T4)."""

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        chosen = event.settings
        tables = list(Table.objects.filter(event=event))
        while tables_too_few(event, tables):
            out = list(range(chosen.boxes_per_table + 1, BOXES + 1))
            tables.append(_table_make(event, out))
        alternates_move_up(cmd, event)
        return {"tables": [table.number for table in tables]}

    body = {"event": event_id}
    return command(kind="tables.ensure", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _table_make(event: Event, boxes_out: list[int]) -> Table:
    last = Table.objects.filter(event=event).order_by("-number").first()
    number = last.number + 1 if last else 1
    if number > TABLES_MAX:
        raise Refused("too_many_tables", "An event has at most %(tables_max)s tables.", tables_max=TABLES_MAX)
    return Table.objects.create(event=event, number=number, boxes_out=boxes_out)


def _boxes(boxes: Iterable[int]) -> list[int]:
    found = sorted(set(boxes))
    if any(type(box) is not int or not 1 <= box <= BOXES for box in found):
        raise Refused("bad_box", "Boxes are numbered 1 to %(boxes)s.", boxes=BOXES)
    return found


def _box_free_check(table: Table, in_use: bool, boxes_out: list[int]) -> None:
    seats = Seat.objects.filter(table=table, vacated_at__isnull=True).exclude(
        round__status=Round.Status.CLOSED
    )
    taken = sorted(seats.values_list("box", flat=True).distinct())
    hit = [box for box in taken if not in_use or box in boxes_out]
    if hit:
        raise Conflict(
            "box_occupied",
            "Somebody sits at box %(hit)s of %(table)s. Change it when this round is closed.",
            hit=hit[0],
            table=table,
        )


# Until the first bet (T6) ---------------------------------------------------------------------------


def seat_no_show(
    *, seat_id: int, refund: bool = False, reason: str = "", key: str, actor: User | None
) -> Json:
    """Rule a player of round 1 a no-show: the seat is free for an alternate (T6).

    There is no refund unless the director rules so, with a reason. The chips leave play. Raises Refused
    ``first_bet_called`` (409), ``not_round_1``, ``seat_vacated`` (409), ``event_not_running`` (409),
    ``reason_missing``.
    """
    seat = find(Seat.objects.select_related("round__event", "entry", "table"), seat_id, "seat")

    def act(cmd: Command) -> Json:
        seat.refresh_from_db(fields=["vacated_at"])
        seat.round.refresh_from_db()
        seat.entry.refresh_from_db()
        no_show_check(seat)
        if refund:
            reason_clean(reason)
        refunded_cents = entry_leaves(cmd, seat.entry, Entry.Status.NO_SHOW, refund=refund)
        facts_write(cmd, NoShow(seat.entry.code, refunded_cents))
        return {"seat": seat.pk, "entry": seat.entry.code, "refunded_cents": refunded_cents}

    body = {"seat": seat_id, "refund": refund, "reason": reason}
    event_id = seat.round.event_id
    return command(kind="seat.no_show", key=key, actor=actor, event_id=event_id, body=body, act=act)


def no_show_check(seat: Seat) -> None:
    """Refuse as ``seat_no_show`` does if the player of this seat cannot be ruled a no-show."""
    if seat.vacated_at is not None:
        raise Conflict("seat_vacated", "This seat has been given up already.")
    before_first_bet(seat.round)
    if seat.round.number != 1 or seat.round.kind != Round.Kind.ROUND:
        raise Refused(
            "not_round_1",
            "Only in round 1 can a player be a no-show. Mark a qualified player absent, or withdraw "
            "the entry.",
        )


SEATED_LATE = (Entry.Status.LIVE, Entry.Status.WAITING, Entry.Status.NO_SHOW)


def seat_fill(
    *, round_id: int, table_id: int, box: int, entry_id: int | None = None, key: str, actor: User | None
) -> Json:
    """Seat an alternate or a late entrant at a free box before the first bet of round 1 (T6).

    A no-show who arrives after all may get a box too, unless the buy-in was refunded. Without ``entry_id``
    the first on the waiting list gets it. Raises Refused ``box_taken`` (409), ``box_out_of_use``,
    ``first_bet_called`` (409), ``not_round_1``, ``event_not_running`` (409), ``no_alternate``,
    ``not_next_alternate``, ``already_seated``, ``entry_not_live``, ``buy_in_refunded`` (409).
    """
    table = find(Table, table_id, "table")

    def act(cmd: Command, round_: Round) -> Json:
        _fill_time_check(round_)
        entry = _entry_to_seat(round_, entry_id)
        box_check(round_, table, box)
        if entry.status == Entry.Status.NO_SHOW:
            buy_in_standing_check(entry)
        facts_write(cmd, SeatGiven(key_of(round_), entry.code, table.number, box))
        seat = round_.seats.get(entry=entry, vacated_at=None)
        return {"seat": seat.pk, "entry": entry.code, "table": table.number, "box": box}

    asked = {"table": table_id, "box": box, "entry": entry_id}
    return round_command("seat.fill", round_id, act, key=key, actor=actor, **asked)


def fill_check(round_: Round, table: Table, box: int) -> None:
    """Refuse as ``seat_fill`` does if nobody new can be seated at this box."""
    _fill_time_check(round_)
    box_check(round_, table, box)


def _fill_time_check(round_: Round) -> None:
    before_first_bet(round_)
    if round_.number != 1 or round_.kind != Round.Kind.ROUND:
        raise Refused("not_round_1", "No new player can be seated after round 1.")


def _entry_to_seat(round_: Round, entry_id: int | None) -> Entry:
    waiting = waiting_list(round_.event)
    if entry_id is None:
        if not waiting:
            raise Refused("no_alternate", "Nobody is waiting for a seat.")
        return waiting[0]
    entry = Entry.objects.filter(pk=entry_id, event=round_.event_id).first()
    if entry is None or entry.status not in SEATED_LATE:
        raise Refused("entry_not_live", "This entry is not in the event, or not any more.")
    if entry.status == Entry.Status.WAITING and waiting[0].pk != entry.pk:
        raise Refused(
            "not_next_alternate",
            "%(waiting)s waits before %(entry)s.",
            waiting=waiting[0].code,
            entry=entry.code,
        )
    if seat_of(round_, entry) is not None:
        raise Conflict("already_seated", "%(entry)s has a seat already.", entry=entry.code)
    return entry


# Between rounds (T25) ------------------------------------------------------------------------------------


def entry_replace(
    *, entry_id: int, reason: str, replacement_id: int | None = None, key: str, actor: User | None
) -> Json:
    """Give the place and seat of a leaving qualifier to the next entry in rank (T25).

    Possible until the first bet of the next round. Where stacks are carried, the replacement gets its own
    stack of the close. The seat stays empty if nobody is left. If several are tied for it, the director names
    one with ``replacement_id``. No refund. Raises Refused ``tie_choose``, ``not_a_replacement``,
    ``reason_missing`` and as ``replace_check`` does.
    """
    entry = find(Entry, entry_id, "entry")

    def act(cmd: Command) -> Json:
        entry.refresh_from_db()
        why = reason_clean(reason)
        coming = _replacement(replace_check(entry), replacement_id)
        by = coming.code if coming else None
        facts_write(cmd, Replaced(entry.code, by))
        return {"out": entry.code, "in": by, "reason": why}

    body = {"entry": entry_id, "reason": reason, "replacement": replacement_id}
    return command(kind="entry.replace", key=key, actor=actor, event_id=entry.event_id, body=body, act=act)


def _replacement(from_round: Round, replacement_id: int | None) -> Entry | None:
    tied = next_ranked(from_round)
    if replacement_id is None and len(tied) > 1:
        raise Refused(
            "tie_choose",
            "%(tied)s are tied for the seat. Name the one who takes it.",
            tied=", ".join(each.code for each in tied),
        )
    if replacement_id is None or not tied:
        return tied[0] if tied else None
    chosen = next((each for each in tied if each.pk == replacement_id), None)
    if chosen is None:
        raise Refused(
            "not_a_replacement",
            "The seat is for %(tied)s, next in the standings of the closed round.",
            tied=" or ".join(each.code for each in tied),
        )
    return chosen


# Absence (T15) --------------------------------------------------------------------------------------


def stack_absent(*, stack_id: int, absent: bool, reason: str, key: str, actor: User | None) -> Json:
    """Rule a seated player absent or back; an absent player sits hands out and keeps the stack (T15).

    Raises Refused ``stack_not_playing`` (409), ``round_closed`` (409), ``event_not_running`` (409),
    ``reason_missing``.
    """
    stack = find(Stack, stack_id, "stack")
    before = Stack.State.PLAYING if absent else Stack.State.ABSENT
    after = Stack.State.ABSENT if absent else Stack.State.PLAYING

    def act(cmd: Command) -> Json:
        stack.round.refresh_from_db()
        running_check(stack.round.event)
        if stack.round.status == Round.Status.CLOSED:
            raise Conflict("round_closed", "%(round)s is closed.", round=stack.round)
        why = reason_clean(reason)
        if not Stack.objects.filter(pk=stack.pk, state=before).update(state=after):
            raise Conflict(
                "stack_not_playing",
                "%(entry)s is not %(label)s any more. Look again.",
                entry=stack.entry.code,
                label=before.label,
            )
        cmd.write(Absent(key_of(stack.round), stack.entry.code, absent))
        return {"stack": stack.pk, "entry": stack.entry.code, "absent": absent, "reason": why}

    body = {"stack": stack_id, "absent": absent, "reason": reason}
    return command(
        kind="stack.absent", key=key, actor=actor, event_id=stack.round.event_id, body=body, act=act
    )


def seats_seen(
    *, shoe_id: int, boxes: Iterable[int], seen: bool = True, key: str, actor: User | None
) -> Json:
    """Mark the players of these boxes as seen at their table, or as not seen (T6).

    It moves no chips and frees no seat; the floor decides later on unseen players: no-show or absent. Raises
    Refused ``no_box_named``, ``box_empty``, ``first_bet_called`` (409), ``not_round_1``,
    ``event_not_running`` (409), ``no_such_shoe`` (404).
    """
    named = sorted(set(boxes))

    def act(cmd: Command) -> Json:
        shoe = shoe_lock(shoe_id)
        running_check(shoe.round.event)
        before_first_bet(shoe.round)
        if not asks_who_is_there(shoe.round):
            raise Refused("not_round_1", "Players are marked as seen only before round 1.")
        if not named:
            raise Refused("no_box_named", "Tick the boxes whose players are at the table.")
        here = Seat.objects.filter(
            round=shoe.round_id, table=shoe.table_id, flight=shoe.flight, vacated_at__isnull=True
        )
        missing = set(named) - set(here.values_list("box", flat=True))
        if missing:
            raise Refused("box_empty", "Nobody has the seat at box %(box)s.", box=min(missing))
        here.filter(box__in=named).update(seen_at=cmd.at if seen else None)
        return {"shoe": shoe.pk, "boxes": named, "seen": seen}

    return shoe_command("seat.seen", shoe_id, act, key=key, actor=actor, boxes=named, seen=seen)
