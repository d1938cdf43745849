"""``manage.py reconcile [EVENT…]``: compare the books (Standing orders)."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ground.refused import Refused
from tournament.models import Event
from tournament.selectors.desk import event_by_name
from tournament.services.reconcile import reconcile


class Command(BaseCommand):
    help = "Compare the stacks with the ledgers. Prints `ok`, or every account that differs and exits with 1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("events", nargs="*", metavar="EVENT", help="slug or code; default: all events")

    def handle(self, *args: Any, events: list[str], **options: Any) -> None:
        try:
            chosen = [event_by_name(name) for name in events] or list(Event.objects.order_by("pk"))
        except Refused as refused:
            raise CommandError(refused.message, returncode=2) from refused
        found = [f"{event.slug}: {each}" for event in chosen for each in reconcile(event)]
        self.stdout.write("\n".join(found) or "ok")
        if found:
            sys.exit(1)
