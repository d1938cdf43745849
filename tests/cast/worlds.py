"""The worlds that tests begin with: the services make one, and for the tests after it its rows are put back.

What comes back is what the services wrote, byte for byte: journal, ledgers, secrets and times. So nothing
here knows what a world is made of; ``test_worlds.py`` holds one that was put back against the one that was
made.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from tests.seed import drawn_from

P = ParamSpec("P")
T = TypeVar("T")

PATCHES = {"monkeypatch", "settings", "mocker", "django_capture_on_commit_callbacks"}
"""A test with one of these has changed what a world is made by, or waits for what its making sends."""


@dataclass
class World:
    """The rows that the services wrote, table by table, and the result of the function that called them."""

    event: int
    rows: list[tuple[str, bytes]]
    thing: Any


_worlds: dict[tuple[Callable[..., Any], str], list[World]] = defaultdict(list)
_used = False


def test_begins(item: pytest.Item) -> None:
    """Whether the worlds of this test may be kept, and those of others be used for it."""
    global _used  # noqa: PLW0603 - one test runs at a time
    _used = isinstance(item, pytest.Function) and not PATCHES & _asked_for(item)


def _asked_for(item: pytest.Function) -> set[str]:
    """The fixtures that the test and our own fixtures of it ask for; those of others patch nothing here."""
    info = item._fixtureinfo
    ours = [
        each
        for definitions in info.name2fixturedefs.values()
        for each in definitions
        if each.func.__module__.startswith("tests.")
    ]
    return set(info.initialnames).union(*(each.argnames for each in ours))


def kept(make: Callable[P, T]) -> Callable[P, T]:
    """A function that makes an event, and all that is in it, from nothing and through the services.

    Its arguments are plain values. Called again with the same ones, it gives what it gave before, and the
    rows are put back as they were; not twice into one database, so a second world is another one. A
    transactional test, one that patches something and one that waits for what is sent after a commit have
    their own made.
    """

    @wraps(make)
    def world(*args: P.args, **given: P.kwargs) -> T:
        if not (_used and connection.in_atomic_block):
            return make(*args, **given)
        try:
            asked = json.dumps([args, given, house := _house()], sort_keys=True)
        except TypeError:  # somebody of this test is in it
            return make(*args, **given)
        known = _worlds[make, asked]
        found = next((each for each in known if not _is_here(each)), None)
        if found is not None:
            _put_back(found)
            return deepcopy(found.thing)
        before = _ids()
        with drawn_from(f"{make.__module__} {make.__qualname__} {asked} {len(known)}"):
            thing = make(*args, **given)
        # What it changed of the house would be missing, where there was one before.
        if house == NO_HOUSE or house == _house():
            made = _written_since(before)
            if made is not None:
                known.append(World(*made, deepcopy(thing)))
        return thing

    return world


NO_HOUSE = "None None"


def _house() -> str:
    """Return what all events share: the settings of the house, and the length of its journal."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT md5(h::text) FROM tournament_house h),"
            " (SELECT seq FROM tournament_journalhead WHERE event_id IS NULL)"
        )
        return "{} {}".format(*cursor.fetchone())


def _is_here(world: World) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM tournament_event WHERE id = %s", [world.event])
        return cursor.fetchone() is not None


@cache
def _tables() -> dict[str, str]:
    """Every table that a world can be in, with its columns."""
    models = [*apps.get_app_config("tournament").get_models(), *apps.get_app_config("tables").get_models()]
    models += [User, User.groups.through]
    return {
        each._meta.db_table: ", ".join(f'"{field.column}"' for field in each._meta.concrete_fields)
        for each in models
    }


def _ids() -> list[list[int]]:
    """Return the ids of all rows, table by table."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"ARRAY(SELECT id FROM {name})" for name in _tables()))
        return list(cursor.fetchone())


def _written_since(before: list[list[int]]) -> tuple[int, list[tuple[str, bytes]]] | None:
    """An event that was not there before, and all rows that were not; None where there is no such event."""
    event, rows = None, []
    with connection.cursor() as cursor:
        for (table, columns), there, now in zip(_tables().items(), before, _ids(), strict=True):
            new = sorted(set(now) - set(there))
            if not new:
                continue
            if table == "tournament_event":
                event = new[0]
            which = ", ".join(map(str, new))
            with cursor.copy(
                f"COPY (SELECT {columns} FROM {table} WHERE id IN ({which}) ORDER BY id) TO STDOUT"
            ) as out:
                rows.append((f"COPY {table} ({columns}) FROM STDIN", b"".join(bytes(each) for each in out)))
    return None if event is None else (event, rows)


def _put_back(world: World) -> None:
    with connection.cursor() as cursor:
        for statement, data in world.rows:
            with cursor.copy(statement) as into:
                into.write(data)
