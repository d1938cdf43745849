"""Every hand beside the journal's own copy, and settled anew by the engine from its record (T16, T17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection

from games.protocol import AnyGame
from games.registry import game_of_record
from ground.refused import Refused
from tables.models import Deal
from tables.selectors.audit_desk import done_by_two
from tables.selectors.audit_rows import Difference, Told, as_kept, compared, hand_name
from tables.selectors.journal_facts import Line

Columns = dict[str, Any]
CORRECTED = "correct_after_close"


def deal_name(told: Told, pk: int, status: str = "") -> str:
    """Return what a difference calls a hand, one that was reversed as such."""
    name = hand_name(*told.names.hand(pk))
    return f"{name}, reversed ({pk})" if status == Deal.Status.REVERSED else name


# -- Records ----------------------------------------------------------------------------------------------


_KEPT = """
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


def _records(told: Told) -> Iterator[Difference]:
    """Give the hands whose record is not the one that the journal has; the database digests both."""
    with connection.cursor() as cursor:
        cursor.execute(_KEPT, [told.event.pk])
        kept = dict(cursor.fetchall())
        cursor.execute(_RECORDS, [told.event.pk])
        for pk, status, record in cursor.fetchall():
            if pk in kept and kept[pk] != record:
                yield Difference(deal_name(told, pk, status), "record", "another", "that of the journal")


def _answers(told: Told) -> Iterator[Difference]:
    """Give the hands whose answer or outcomes their record does not come to."""
    rows = Deal.objects.filter(shoe__round__event=told.event, record__isnull=False)
    codes = told.names.entries
    settled = rows.filter(status__in=[Deal.Status.SETTLED, Deal.Status.REVERSED])
    columns = ("pk", "status", "record", "answer", "outcomes", "entries")
    for pk, status, *row in settled.values_list(*columns).iterator():
        name = deal_name(told, pk, status)
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
        # A correction writes who is still there: whoever has left since is in the row alone.
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


# -- Who recorded it, when, and why -------------------------------------------------------------------------


def _made(told: Told) -> Iterator[Difference]:
    """Give the hands that another person recorded, another way, at another time or for another reason."""
    should = dict[int, Columns]()
    for line in told.lines:
        pk = int(line.noted.get("deal") or line.result.get("deal") or 0)
        if line.kind in ("deal.record", "deal.settle"):
            should[pk] = {"mode": line.noted["mode"], "closed_at": line.at}
            if line.kind == "deal.record":
                should[pk] |= {"opened_by": line.actor, "opened_at": line.at, "reason": ""}
        elif line.kind == "deal.void":
            should[pk] = {"closed_at": line.at, "reason": as_kept(line.asked["reason"])}
        elif line.kind == "deal.correct" and pk:
            should[pk] = {**_anew(line), "reason": as_kept(line.asked["reason"])}
        elif (done := done_by_two(line, CORRECTED)) and done["deal"]:
            should[done["deal"]] = _anew(line)
    columns = ("mode", "opened_by", "opened_at", "closed_at", "reason")
    rows = Deal.objects.filter(shoe__round__event=told.event).values_list("pk", "status", *columns)
    are, names = dict[int, Columns](), dict[int, str]()
    for pk, status, *row in rows:
        if status != Deal.Status.OPEN and pk in should:
            are[pk], names[pk] = dict(zip(columns, row, strict=True)), deal_name(told, pk, status)
            # A later hand of a tie can fall with a correction: what stood beside it then goes.
            if status == Deal.Status.VOID:
                should[pk] = {name: value for name, value in should[pk].items() if name == "mode"}
    yield from compared(
        {names[pk]: row for pk, row in are.items()},
        {names[pk]: should[pk] for pk in are},
    )


def _anew(line: Line) -> Columns:
    return {"opened_by": line.actor, "opened_at": line.at, "closed_at": line.at}


PARTS = (_records, _answers, _made)
