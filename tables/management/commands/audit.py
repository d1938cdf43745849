"""``manage.py audit EVENT``: is every row what the journal comes to? (faults, threats)"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ground.refused import Refused
from tables.selectors.audit import Audit, audit
from tournament.models import Event
from tournament.selectors.desk import event_by_name

DIFFERS, UNKNOWN_EVENT, NOT_YET = 1, 2, 3


class Command(BaseCommand):
    help = (
        "Fold the journal of an event and compare it with the rows: prints `ok`, or each difference and ends"
        " with 1. Ends with 3 where the journal holds a command that the fold does not know yet."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="slug or code of an event")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, event: str, **options: Any) -> None:
        try:
            found = event_by_name(event)
        except Refused as refused:
            raise CommandError(refused.message, returncode=UNKNOWN_EVENT) from refused
        report = audit(found)
        said = (
            json.dumps(as_json(found, report), indent=2, default=str)
            if options["json"]
            else "\n".join(lines(report))
        )
        self.stdout.write(said)
        code = exit_code(report)
        if code:
            sys.exit(code)


def exit_code(report: Audit) -> int:
    """Return 1 where something differs, 3 where the fold stopped before the end, 0 where all is as it is."""
    if report.differences:
        return DIFFERS
    return NOT_YET if report.stop else 0


def lines(report: Audit) -> list[str]:
    """Return what is printed: a line for each difference, and where the fold stopped."""
    found = [
        f"{each.row}: {each.column} is {each.is_}, should be {each.should}" for each in report.differences
    ]
    if report.stop:
        stop = report.stop
        found.append(f"stopped at {stop.seq}, {stop.kind}: {stop.why}; hands and ledgers before it compared")
    elif not found:
        found.append(f"ok {report.entries} {report.facts}")
    return found


def as_json(event: Event, report: Audit) -> dict[str, Any]:
    """Return the same as one JSON object."""
    stop = report.stop
    return {
        "event": event.slug,
        "entries": report.entries,
        "facts": report.facts,
        "differences": [
            {"row": each.row, "column": each.column, "is": each.is_, "should": each.should}
            for each in report.differences
        ],
        "stopped": {"seq": stop.seq, "kind": stop.kind, "why": stop.why} if stop else None,
    }
