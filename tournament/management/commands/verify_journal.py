"""``manage.py verify_journal EVENT``: verify the chain of an event (faults, threats)."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ground.refused import Refused
from tournament.selectors.chain import chain_verify
from tournament.selectors.desk import event_by_name

HOUSE = "house"


class Command(BaseCommand):
    help = "Check the chain of a journal. Prints `ok ENTRIES HEAD`, or `broken at SEQ: why` and exits with 1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="slug or code of an event, or `house` for the journal of the house")

    def handle(self, *args: Any, event: str, **options: Any) -> None:
        try:
            report = chain_verify(None if event == HOUSE else event_by_name(event))
        except Refused as refused:
            raise CommandError(refused.message, returncode=2) from refused
        if report.broken_at is not None:
            self.stdout.write(f"broken at {report.broken_at}: {report.why}")
            sys.exit(1)
        self.stdout.write(f"ok {report.entries} {report.head}")
