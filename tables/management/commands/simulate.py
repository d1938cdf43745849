"""``manage.py simulate``: play a whole event with simulated players, through the services of a real one."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ground.refused import Refused
from tables.services.nights import event_simulate
from tournament.engine.settings import DEFAULTS, sheets

BAD_USE = 2


class Command(BaseCommand):
    help = "Play a whole event with simulated players and print its result as one JSON object."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--entrants", type=int, required=True, help="2 to 1,000")
        parser.add_argument("--seed", type=int, required=True, help="same seed and rules, same night")
        parser.add_argument("--sheet", default=DEFAULTS.sheet, help=", ".join(sheets()))
        parser.add_argument("--decks", type=int, default=6, help="4, 6 or 8, if the sheet allows it")
        parser.add_argument("--stacks", default="carried", help="carried or reset")
        parser.add_argument("--json", action="store_true", help="no effect: the output is always JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        settings = {name: options[name] for name in ("sheet", "decks", "stacks")}
        try:
            result = event_simulate(entrants=options["entrants"], seed=options["seed"], settings=settings)
        except Refused as no:
            self.stderr.write(no.message)
            sys.exit(BAD_USE)
        self.stdout.write(json.dumps(result, indent=2))
