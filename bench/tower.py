"""The way of one settled hand through the tower: modules that it passes, and calls to a higher floor.

    python bench/tower.py [--list]

One hand of seven boxes goes through ``tables.services.dealing.deal_record``, as in ``deals.py``; every call
between two of our modules is recorded. A call goes up if the called module is on a higher floor than its
caller (config, pages, tables, tournament, games, ground; inside an app services, selectors, models, engine).
An earlier hand has filled the caches.

Then two hands are settled on the table's own page, one by its cards and one by its results: the bench counts
the modules of ``tables`` and ``tournament`` that are called from the arrival of the form to its commit.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scratch import ROOT, scratch_database

FLOORS = ("ground", "games", "tournament", "tables", "pages", "config")
LAYERS = ("engine", "models", "selectors", "services")


def height(module: str) -> tuple[int, int]:
    """Return the floor of a module, and its layer inside an app; modules without a layer are below all
    layers."""
    parts = module.split(".")
    layer = next((n for n, name in enumerate(LAYERS) if name in parts), -1)
    return FLOORS.index(parts[0]), layer if parts[0] in ("tournament", "tables") else 0


class Way:
    """Every call from one of our modules to another, in order; other modules in between are left out."""

    def __init__(self, *, to_commit: bool = False) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self._names: dict[str, str] = {}
        self._to_commit = to_commit

    @property
    def modules(self) -> list[str]:
        """Return every module that called another one, or was called."""
        return sorted({each for call in self.calls for each in call})

    def name(self, frame: FrameType) -> str:
        """Return the module of a frame, empty if it is not ours."""
        path = frame.f_code.co_filename
        if path not in self._names:
            inside = Path(path).is_relative_to(ROOT) and ".venv" not in path
            found = (
                Path(path).relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") if inside else ""
            )
            self._names[path] = found if found.split(".")[0] in FLOORS else ""
        return self._names[path]

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        if event != "call":
            return
        if self._to_commit and frame.f_code.co_qualname == "BaseDatabaseWrapper._commit":
            sys.setprofile(None)
            return
        callee = self.name(frame)
        before = frame.f_back
        while callee and before is not None and not self.name(before):
            before = before.f_back
        if callee and before is not None and self.name(before) != callee:
            self.calls[self.name(before), callee] += 1


def settle_on_the_page(args: argparse.Namespace) -> None:
    """Settle a hand by its cards and one by its results on the page of a table; print the modules of each."""
    from answers import BET, HAND, Tablet, client_asks, logged_in

    from tournament.models import Event

    slug = Event.objects.values_list("slug", flat=True).get()
    path, cookies = f"/staff/{slug}/tables/1/", logged_in("clerk")
    tablet = Tablet(path, cookies, client_asks(path, cookies))
    tablet.load()
    cards = [word for word in HAND if not word.startswith("hit:")]
    typed = {f"bet-{box}": BET for box in range(1, 8)} | {f"out-{box}": "win" for box in range(1, 8)}
    for name in ("cards", "results"):
        # The first of the two hands fills the caches.
        for last in (False, True):
            way = Way(to_commit=True)
            if name == "cards":
                for word in cards:
                    tablet.tap(word)
            sys.setprofile(way if last else None)
            if name == "cards":
                tablet.settle()
            else:
                tablet.press("settle", do="results", mode="results", basis=tablet.field("basis"), **typed)
            sys.setprofile(None)
        passed = [each for each in way.modules if each.split(".")[0] in ("tables", "tournament")]
        print(
            f"a hand by {name}: {len(passed)} modules of tables and tournament from the press to its commit"
        )
        if args.list:
            print(*passed, sep="\n")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--list", action="store_true", help="the modules, and the calls that go up")
    args = options.parse_args()
    # Sessions are created and read in one process.
    os.environ["HTTPS"] = "0"
    with scratch_database():
        from deals import event_seat, records_deal

        from config.celery import app
        from tables.services.dealing import deal_record

        app.conf.task_always_eager = False
        shoe, records = event_seat()[0], records_deal()[0]
        way = Way()
        for n, record in enumerate(records[:2]):
            if n:
                sys.setprofile(way)
            deal_record(shoe_id=shoe, record=record, key=f"tower:{n}", actor=None)
            sys.setprofile(None)
        report(way, args)
        settle_on_the_page(args)


def report(way: Way, args: argparse.Namespace) -> None:
    """Print the modules of a recorded hand."""
    modules = way.modules
    up = {call: n for call, n in way.calls.items() if height(call[1]) > height(call[0])}
    print(f"{len(modules)} modules, {sum(way.calls.values())} calls between them, {sum(up.values())} back up")
    if args.list:
        print(*modules, sep="\n")
        for (caller, callee), n in sorted(up.items()):
            print(f"{n:4} {caller} → {callee}")


if __name__ == "__main__":
    main()
