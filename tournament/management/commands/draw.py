"""Repeat a posted draw: the offline check that anybody can run, with no database and no network."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ground.chance import secret_parse
from ground.refused import Refused
from tournament.engine.draw import cards_parse, draw_order


class Command(BaseCommand):
    help = "Print the order in which the entries of a draw take the open seats, on one line."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--secret", required=True, metavar="HEX", help="the revealed secret, 64 hex digits"
        )
        parser.add_argument("--event", required=True, metavar="NAME", help="the event's posted code")
        parser.add_argument("--number", required=True, type=int, metavar="N", help="the number of the draw")
        parser.add_argument("--cards", default="", help='the five public cards, like "KH 4D 7S AC 2D"')
        parser.add_argument("entries", nargs="+", metavar="ENTRY", help="the entry codes of the roster")

    def handle(self, *args: Any, **options: Any) -> str:
        try:
            # A draw without public input hashes the empty string instead of cards.
            cards = cards_parse(options["cards"]) if options["cards"] else ""
            secret = secret_parse(options["secret"])
            order = draw_order(secret, options["event"], options["number"], options["entries"], cards)
        except Refused as refused:
            raise CommandError(refused.message, returncode=2) from refused
        return " ".join(order)
