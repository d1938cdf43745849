"""``manage.py audit EVENT``: compare every row of an event with its journal (faults, threats)."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ground.refused import Refused
from tables.selectors.audit import Audit, audit
from tables.selectors.audit_heads import heads_compared, printed_compared
from tables.selectors.audit_rows import MISSING, THERE, Difference
from tournament.models import Event
from tournament.selectors.desk import event_by_name
from tournament.selectors.heads import heads_enabled, heads_late, heads_posted

DIFFERS, UNKNOWN_EVENT, NOT_YET, NO_KEY = 1, 2, 3, 4


class Command(BaseCommand):
    help = (
        "Replay the journal of an event and compare the result with its rows and with the heads that have"
        " left the house. Prints `ok`, or each difference and exits with 1. Exits with 3 if nothing differs,"
        " but an entry without facts, or with one of another release, ended the comparison early."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="slug or code of an event")
        parser.add_argument("--heads", type=Path, help="file of sealed heads; default: HEADS_FILE")
        parser.add_argument("--head", action="append", default=[], help="code that a posted result shows")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, event: str, **options: Any) -> None:
        try:
            found = event_by_name(event)
        except Refused as refused:
            raise CommandError(refused.message, returncode=UNKNOWN_EVENT) from refused
        report = audit(found)
        report = replace(report, differences=(*report.differences, *heads(found, options)))
        said = (
            json.dumps(as_json(found, report), indent=2, default=str)
            if options["json"]
            else "\n".join(lines(report))
        )
        self.stdout.write(said)
        code = exit_code(report)
        if code:
            sys.exit(code)


def heads(event: Event, options: Mapping[str, Any]) -> Iterator[Difference]:
    """Compare the journal with a file of heads and with printed heads; without the key it cannot."""
    file, printed = options["heads"], options["head"]
    if (file or printed) and not settings.HEADS_KEY:
        raise CommandError("HEADS_KEY is not set, so no head can be checked.", returncode=NO_KEY)
    yield from printed_compared(event, printed)
    own = heads_enabled() and file is None and event.kind != Event.Kind.SIMULATION
    file = Path(settings.HEADS_FILE) if own else file
    if file is None:
        return
    try:
        yield from heads_compared(event, file, whole=own)
    except FileNotFoundError:
        if not own or heads_posted(event, heads_late()):
            yield Difference(str(file), "file", MISSING, THERE)
    except OSError as error:
        yield Difference(str(file), "file", error.strerror, "readable")


def exit_code(report: Audit) -> int:
    """Return 1 if something differs, 3 if not everything could be compared, else 0."""
    if report.differences:
        return DIFFERS
    return NOT_YET if report.stop else 0


def lines(report: Audit) -> list[str]:
    """Return the printed lines: one for each difference, and where the fold stopped."""
    found = [
        f"{each.row}: {each.column} is {each.is_}, should be {each.should}" for each in report.differences
    ]
    if report.stop:
        stop = report.stop
        found.append(
            f"stopped at {stop.line.seq}, {stop.line.kind}: {stop.why}; hands and ledgers before it compared"
        )
    if not found:
        found.append(f"ok: {report.entries} journal entries, {report.facts} facts")
    return found


def as_json(event: Event, report: Audit) -> dict[str, Any]:
    """Return the report as one JSON object."""
    stop = report.stop
    found = [
        {"row": each.row, "column": each.column, "is": each.is_, "should": each.should}
        for each in report.differences
    ]
    stopped = {"seq": stop.line.seq, "kind": stop.line.kind, "why": stop.why} if stop else None
    figures = {"event": event.slug, "entries": report.entries, "facts": report.facts}
    return {**figures, "differences": found, "stopped": stopped}
