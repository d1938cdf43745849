"""``manage.py edge``: the house edge of a sheet by simulation. Needs no database."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand

from ground.refused import Refused
from plan import edge
from plan.blackjack.sheets import sheet_make
from plan.kernel.jit import HAS_NUMBA

BAD_USE = 2
INTERRUPTED = 130
EVERY_SECONDS = 2.0
NO_NUMBA = "numba is not installed: the plain engine plays the same hands, some hundred times slower."


def count(text: str) -> int:
    """Return a number from 1 on."""
    number = int(text.replace("_", "")) if text.replace("_", "").isdigit() else 0
    if number < 1:
        raise ArgumentTypeError(f"'{text}' is no number from 1 on.")
    return number


class Command(BaseCommand):
    help = "Play hands with basic strategy at one box and print the house edge, in % of the first bet."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rules", required=True, help="wonder, eca, banco, ggpoker or wiesbaden")
        parser.add_argument("--hands", type=count, default=10_000_000)
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same answer")
        parser.add_argument("--decks", type=int, help="a number that the sheet allows; default: its own")
        parser.add_argument("--options", help='as in a hand record, as JSON: {"soft17": "stand"}')
        parser.add_argument("--processes", type=count, default=edge.cores(), help="default: one per core")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            chosen = json.loads(options["options"]) if options["options"] else None
            rules = sheet_make(options["rules"], decks=options["decks"], options=chosen)
        except ValueError as no:
            self._give_up(f"--options is no JSON: {no}")
        except Refused as no:
            self._give_up(no.message)
        job = edge.job_make(rules, options["hands"], options["seed"])
        if not HAS_NUMBA:
            self.stderr.write(NO_NUMBA)
        edge.warm(job)
        started = time.perf_counter()
        progress = Progress(self, job.hands)
        found, whole = edge.play(job, processes=options["processes"], progress=progress)
        seconds = time.perf_counter() - started
        self._answer(rules.name, edge.edge_of(found, job.bet_chips), seconds, as_json=options["json"])
        if not whole:
            self.stderr.write(f"Stopped after {found.hands:,} of {job.hands:,} hands.")
            sys.exit(INTERRUPTED)

    def _give_up(self, sentence: str) -> None:
        self.stderr.write(sentence)
        sys.exit(BAD_USE)

    def _answer(self, name: str, said: edge.Edge, seconds: float, *, as_json: bool) -> None:
        if not said.hands:
            return
        answer = {
            "rules": name,
            "hands": said.hands,
            "edge_percent": round(said.edge_percent, 6),
            "se_percent": round(said.se_percent, 6),
            "variance": round(said.variance, 6),
            "seconds": round(seconds, 3),
            "hands_per_second": round(said.hands / seconds),
        }
        if as_json:
            self.stdout.write(json.dumps(answer))
        else:
            for key, value in answer.items():
                self.stdout.write(f"{key:17} {value:,}" if isinstance(value, int) else f"{key:17} {value}")


class Progress:
    """Reports the progress on standard error, every two seconds."""

    def __init__(self, command: BaseCommand, hands: int) -> None:
        self.command = command
        self.hands = hands
        self.last = time.monotonic()

    def __call__(self, played: int) -> None:
        if time.monotonic() - self.last >= EVERY_SECONDS:
            self.last = time.monotonic()
            self.command.stderr.write(f"{played:,} of {self.hands:,} hands ({played * 100 // self.hands} %)")
