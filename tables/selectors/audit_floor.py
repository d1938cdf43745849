"""Compare the floor with the journal: seats, shoes, hands and count sheets (T4, T6, T11, T16 to T18).

The engine also settles every hand again from its record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection
from django.db.models import Q, Sum
from django.db.models.expressions import RawSQL
from django.db.models.fields import IntegerField

from games.protocol import AnyGame
from games.registry import game_of, game_of_record
from ground.refused import Refused
from ground.typed import text_composed
from tables.models import CountSheet, Deal, Seat, Shoe
from tables.selectors.audit_rows import (
    Difference,
    ExpectedRows,
    FoldedEvent,
    JournalLine,
    beside,
    compared,
    hand_name,
    shoe_name,
    stage_name,
)
from tables.selectors.correction_requests import AFTER_CLOSE
from tables.selectors.corrections_later import DROP, LAPSE, LATER
from tables.selectors.floor import house_rules
from tables.selectors.names import ShoeName
from tournament.engine.facts import ROUND, StageKey
from tournament.engine.state import seats_of
from tournament.models import Draw, Entry

Columns = dict[str, Any]
CORRECTIONS = ("deal.correct", AFTER_CLOSE)
CORRECTED = ("deal.correct", LATER, LAPSE, DROP)
Status = Deal.Status


# -- Seats ------------------------------------------------------------------------------------------------


def _seats(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the seats whose player is not the one in the fold, and the seats that should be free."""
    drawn_anew = (Draw.Status.LOCKED, Draw.Status.CONFIRMED)
    waiting = set(folded.event.rounds.filter(draw__status__in=drawn_anew).values_list("pk", flat=True))
    times, columns = {line.at for line in folded.lines}, ("table", "box", "vacated_at")
    # A correction may change whether a tie was still open when its player was disqualified.
    unclear = Entry.Status.DISQUALIFIED if is_corrected(folded) else ""

    def is_clear(key: StageKey, code: str) -> bool:
        return key[1] == ROUND or folded.state.entries.get(code) != unclear

    should = {
        seat_name(stage.frame.key, code): dict(zip(columns, (table.table, index + 1, None), strict=True))
        for stage in folded.state.stages
        for code, (table, index) in seats_of(stage).items()
        if is_clear(stage.frame.key, code)
    }
    are = dict[str, Columns]()
    rows = Seat.objects.filter(round__event=folded.event).order_by("pk")
    for round_, code, table, box, vacated in rows.values_list(
        "round", "entry__code", "table__number", "box", "vacated_at"
    ):
        key = folded.names.stages[round_]
        name = seat_name(key, code)
        if vacated is not None and vacated not in times:
            yield Difference(name, "vacated_at", vacated, "the time of a command")
        if round_ in waiting:
            # The seats of a stage that is drawn again are given up (T4).
            should.pop(name, None)
        if is_clear(key, code) and (vacated is None or name in should):
            are[name] = dict(zip(columns, (table, box, vacated), strict=True))
    yield from compared(are, should)


def is_corrected(folded: FoldedEvent) -> bool:
    """Whether a hand of the event was corrected or taken back."""
    return any(line.act in CORRECTIONS for line in folded.lines)


def seat_name(key: StageKey, code: str) -> str:
    """Return the name of a seat in a difference."""
    return f"seat of {code}, {stage_name(key)}"


# -- Shoes ------------------------------------------------------------------------------------------------


def _shoes(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the shoes whose opening, end, seed or cards differ from the journal (T11)."""
    should = _expected_shoes(folded)
    # The newest shoe of each table, even if its command wrote no fact.
    newest = {(of, table): number for of, table, number in sorted(should)}
    # If a correction reopens a tie, the fold goes on with the shoe that has ended.
    corrected = is_corrected(folded)
    for stage in folded.state.stages:
        if corrected and stage.tie is not None:
            continue
        for table in stage.tables:
            at = stage.frame.key, table.table
            now = should.get((*at, newest.get(at, table.shoe)))
            if now is not None and "status" not in now:
                now |= {"status": table.status, "button_box": table.button}
    void = Deal.objects.filter(shoe__round__event=folded.event, status=Status.VOID)
    cards = dict(
        # A hand that was settled and then voided has used its cards too.
        Deal.objects.filter(Q(status=Status.SETTLED) | Q(pk__in=void.values("corrects")))
        .filter(shoe__round__event=folded.event)
        .annotate(cards=_CARDS)
        .values_list("shoe")
        .annotate(Sum("cards"))
        .order_by()
    )
    are = {}
    for row in Shoe.objects.filter(round__event=folded.event).select_related("round__event", "table"):
        name = folded.names.shoes[row.pk]
        are[name] = {column: getattr(row, column) for column in _COLUMNS}
        are[name] |= {"seed": bytes(row.seed).hex() if row.seed else "", "cards_dealt": row.cards_dealt}
        are[name]["to_correct"] = [each.get("seq") for each in row.to_correct]
        if name in should:
            burned = game_of(house_rules(row.round)).burned_cards
            should[name]["cards_dealt"] = burned + (cards.get(row.pk) or 0)
    for shoe in should.values():
        if shoe["ended_at"] is None and shoe.get("status") != Shoe.Status.DEALING:
            # The shoe ended with its tie: no command names it.
            del shoe["ended_at"], shoe["ended_reason"]
    named = ({shoe_name(name): columns for name, columns in side.items()} for side in (are, should))
    yield from compared(*named)


_COLUMNS = (
    *("status", "button_box", "decks", "last_hand"),
    *("opened_at", "ended_at", "ended_reason"),
)
_CARDS = RawSQL(
    "jsonb_array_length(coalesce(record -> 'cards', '[]'::jsonb))", (), output_field=IntegerField()
)


def _expected_shoes(folded: FoldedEvent) -> dict[ShoeName, Columns]:
    """Return the shoes as commands opened and ended them; a shoe that the fold ends has no time here."""
    found, names = dict[ShoeName, Columns](), folded.names
    for line in folded.lines:
        if line.kind == "round.seat":
            _shoes_of_draw(folded, line, found)
        elif line.kind == "shoe.next":
            key, table = names.stages[line.asked["round"]], names.tables[line.asked["table"]]
            found[key, table, line.result["number"]] = _opened(folded, line)
        elif line.kind == "shoe.seed":
            found[names.shoes[line.asked["shoe"]]]["seed"] = line.result["seed"]
        elif line.kind == "shoe.last_hand":
            out, why = line.asked["out"], text_composed(line.asked["reason"])
            found[names.shoes[line.asked["shoe"]]] |= {"last_hand": out, "ended_reason": why if out else ""}
        elif line.kind == "shoe.end":
            ended = found[names.shoes[line.asked["shoe"]]]
            why = text_composed(line.asked["reason"]) or ended["ended_reason"]
            ended |= {"ended_at": line.at, "ended_reason": why}
        elif line.kind == "shoe.reopen":
            again = {"ended_at": None, "ended_reason": "", "last_hand": False}
            found[names.shoes[line.asked["shoe"]]] |= again
        elif line.kind in CORRECTED:
            _to_correct(folded, line, found)
        if "shoe_over" in line.noted:
            found[names.shoes[line.noted["shoe_over"]]]["ended_at"] = line.at
    return found


def _shoes_of_draw(folded: FoldedEvent, line: JournalLine, found: dict[ShoeName, Columns]) -> None:
    """Open a shoe at every drawn table without one; a shoe that a redraw leaves out is unused."""
    key, tables = folded.names.stages[line.result["round"]], set(map(int, line.noted["buttons"]))
    for (of, table, _number), shoe in found.items():
        if of == key and table not in tables and "status" not in shoe:
            shoe |= {"status": "counted", "ended_at": line.at, "ended_reason": "drawn anew at other tables"}
    for table in tables:
        there = [shoe for (of, at, _number), shoe in found.items() if (of, at) == (key, table)]
        if all("status" in shoe for shoe in there):
            found[key, table, len(there) + 1] = _opened(folded, line)


def _opened(folded: FoldedEvent, line: JournalLine) -> Columns:
    ended: Columns = {"ended_at": None, "ended_reason": "", "last_hand": False, "to_correct": []}
    return {"decks": folded.event.settings.decks, "opened_at": line.at, "seed": "", **ended}


def _to_correct(folded: FoldedEvent, line: JournalLine, found: dict[ShoeName, Columns]) -> None:
    """Follow a correction that waits for the end of a hand, until it is made, taken back or read (T17)."""
    later = line.result["later"] if line.kind == LATER else line.asked.get("later", line.noted.get("later"))
    if later is None:
        return
    waits = found[folded.names.hands[line.asked["deal"]][:3]]["to_correct"]
    if line.kind == LATER:
        waits.append(later)
    elif line.kind != LAPSE:
        waits.remove(later)


# -- Counts -----------------------------------------------------------------------------------------------


@beside(CountSheet, "count {which}, {shoe}", of="shoe__round__event")
def _counts(folded: FoldedEvent) -> ExpectedRows:
    """Yield the count sheets with their figures, person and time (T18)."""
    should, live = list[tuple[str, Columns]](), dict[tuple[int, int], Columns]()
    for line in folded.lines:
        if line.kind == "count.enter":
            shoe, which = line.asked["shoe"], line.result["which"]
            figures, at, before = line.asked["chips"], line.at, live.get((shoe, which))
            if line.asked.get("again") and before is not None:
                figures, at = before["chips"] | figures, before["at"]
                before["status"] = "reopened"
            sheet = {"chips": figures, "counted_by": line.actor, "at": at, "status": "live"}
            live[shoe, which] = sheet
            should.append((f"count {which}, {shoe_name(folded.names.shoes[shoe])}", sheet))
        for shoe in line.noted.get("reopened", ()):
            for which in (1, 2):
                live.pop((shoe, which), {})["status"] = "reopened"
    return should


def _deal_name(folded: FoldedEvent, pk: int, status: str = "") -> str:
    """Return the name of a hand in a difference, marked if it was reversed."""
    name = hand_name(*folded.names.hands[pk])
    return f"{name}, reversed ({pk})" if status == Status.REVERSED else name


# -- Records ----------------------------------------------------------------------------------------------


_DIGESTS = """
    SELECT coalesce((j.body #>> '{noted,deal}')::bigint, (j.result ->> 'deal')::bigint,
        (j.result #>> '{done,deal}')::bigint), md5(nullif(j.body #> '{noted,record}', 'null')::text)
    FROM tournament_journalentry j WHERE j.event_id = %s
    AND (j.kind IN ('deal.record', 'deal.settle', 'deal.correct')
        OR j.kind = 'request.decide' AND j.body #>> '{noted,kind}' = 'correct_after_close')
    ORDER BY j.seq
"""
_RECORDS = """
    SELECT d.id, d.status, md5(nullif(d.record, 'null')::text) FROM tables_deal d
    JOIN tables_shoe s ON s.id = d.shoe_id JOIN tournament_round r ON r.id = s.round_id WHERE r.event_id = %s
"""


def _records(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the hands whose record is not that of the journal; the database hashes both."""
    with connection.cursor() as cursor:
        cursor.execute(_DIGESTS, [folded.event.pk])
        kept = dict(cursor.fetchall())
        cursor.execute(_RECORDS, [folded.event.pk])
        for pk, status, record in cursor.fetchall():
            if pk in kept and kept[pk] != record:
                yield Difference(_deal_name(folded, pk, status), "record", "another", "that of the journal")


def _answers(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the hands whose answer or outcomes do not follow from their record."""
    rows = Deal.objects.filter(shoe__round__event=folded.event, record__isnull=False)
    codes = folded.names.entries
    settled = rows.filter(status__in=[Status.SETTLED, Status.REVERSED])
    columns = ("pk", "status", "record", "answer", "outcomes", "entries")
    for pk, status, *row in settled.values_list(*columns).iterator():
        name = _deal_name(folded, pk, status)
        record, answer, outcomes, entries = (each or {} for each in row)
        try:
            should = _settled(game_of_record(record), record)
        except (Refused, ValueError, KeyError, TypeError) as why:
            yield Difference(name, "record", f"no hand that can be settled ({why})", "a hand")
            continue
        for column in should.keys() | answer.keys():
            if answer.get(column) != should.get(column):
                yield Difference(name, f"answer, {column}", answer.get(column), should.get(column))
        if outcomes != record.get("results", {}):
            yield Difference(name, "outcomes", outcomes, record.get("results", {}))
        # The record of a correction names only entries that are still seated; the row names all.
        sat = {box: codes.get(entries.get(box, 0)) for box in record.get("entries", {})}
        if sat != record.get("entries", {}):
            yield Difference(name, "entries", sat, record.get("entries"))


def _settled(game: AnyGame, record: Mapping[str, Any]) -> Mapping[str, Any]:
    if "results" not in record:
        answer: Mapping[str, Any] = game.settle(record)
        return answer
    bets, stacks, outcomes, line = (
        {int(box): each for box, each in record.get(name, {}).items()}
        for name in ("bets", "stacks", "results", "line_chips")
    )
    rules = game.rules_of(record)
    by_results: Mapping[str, Any] = game.results_settle(
        rules, bets, stacks, outcomes, line_chips=line or None
    )
    return by_results


# -- Person, time and reason of a hand --------------------------------------------------------------------


def _made(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the hands whose person, mode, time or reason differs."""
    should = dict[int, Columns]()
    for line in folded.lines:
        pk = int(line.noted.get("deal") or line.done.get("deal") or 0)
        if line.kind in ("deal.record", "deal.settle"):
            should[pk] = {"mode": line.noted["mode"], "closed_at": line.at}
            if line.kind == "deal.record":
                should[pk] |= {"opened_by": line.actor, "opened_at": line.at, "reason": ""}
        elif line.kind == "deal.void":
            should[pk] = {"closed_at": line.at, "reason": folded.reason(line)}
        elif line.act in CORRECTIONS:
            # Earlier versions named the person who confirmed a correction, and noted nobody.
            by = line.noted.get("recorded_by", line.actor)
            should[pk] = {"opened_by": by, "opened_at": line.at, "closed_at": line.at}
            should[pk]["reason"] = folded.reason(line)
    rows = Deal.objects.filter(shoe__round__event=folded.event, pk__in=should).exclude(status=Status.OPEN)
    for row in rows.values("pk", "status", "mode", "opened_by", "opened_at", "closed_at", "reason"):
        columns, name = should[row["pk"]], _deal_name(folded, row["pk"], row["status"])
        # A correction can void a later hand of a tie; only its mode stays.
        if row["status"] == Status.VOID:
            columns = {column: value for column, value in columns.items() if column == "mode"}
        yield from compared({name: row}, {name: columns})


PARTS = (_seats, _shoes, _counts, _records, _answers, _made)
