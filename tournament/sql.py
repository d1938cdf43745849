"""Statements written by hand, for the way of a hand and of a sale (architecture, How a deal flows).

Composing a query takes the ORM longer than PostgreSQL takes to answer it, and a hand needs a dozen of them.
So the statements of every hand and every sale are written out (``bench/results.md`` has the figures). Columns
come from the models, so a new field is read here too. Statements that run once per round stay with the ORM,
unless they write a thousand rows (``update``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model
from django.db.models.base import ModelState

Thing = TypeVar("Thing", bound=Model)
Row = tuple[Any, ...]


@cache
def columns(model: type[Model], alias: str) -> str:
    """Return every column of a model for a SELECT, in the order in which ``made`` takes them."""
    return ", ".join(f'{alias}."{field.column}"' for field in model._meta.concrete_fields)


@cache
def width(model: type[Model]) -> int:
    """Return the number of columns in ``columns``."""
    return len(model._meta.concrete_fields)


@cache
def _conversions(model: type[Model]) -> list[tuple[int, Callable[..., Any]]]:
    """Return the columns that do not arrive as Python values (JSON), each with its converter."""
    return [
        (at, field.from_db_value)
        for at, field in enumerate(model._meta.concrete_fields)
        if hasattr(field, "from_db_value")
    ]


@cache
def _names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def made(model: type[Thing], row: Sequence[Any]) -> Thing:
    """Return the model's instance of a row of ``columns``, as a queryset would.

    The constructor is not called, since that takes a tenth of the time of a hand. A row of the database needs
    none of its checks, and no model that is read here has a constructor or a signal of its own.
    """
    values = list(row)
    for at, convert in _conversions(model):
        values[at] = convert(values[at], None, connection)
    thing = model.__new__(model)
    thing.__dict__.update(zip(_names(model), values, strict=True))
    thing._state = ModelState()
    thing._state.adding, thing._state.db = False, connection.alias
    return thing


@cache
def _by_pk(model: type[Model]) -> str:
    meta = model._meta
    return f'SELECT {columns(model, "m")} FROM {meta.db_table} m WHERE m."{meta.pk.column}" = %s'  # noqa: S608 - our own columns


def found(model: type[Thing], pk: int) -> Thing | None:
    """Return the row with this id, or None."""
    there = row(_by_pk(model), pk)
    return made(model, there) if there else None


def split(row: Sequence[Any], *models: type[Model]) -> list[Any]:
    """Return one instance of each model from a row with the columns of all of them, in order."""
    found, at = [], 0
    for model in models:
        found.append(made(model, row[at : at + width(model)]))
        at += width(model)
    return found


def rows(sql: str, *values: Any) -> list[Row]:
    """Execute a statement with its values, and return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def row(sql: str, *values: Any) -> Row | None:
    """Return the first row of a statement, or None."""
    found = rows(sql, *values)
    return found[0] if found else None


def send(sql: str, *values: Any) -> None:
    """Execute a statement that returns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def update(things: Sequence[Model], names: Collection[str]) -> None:
    """Write these fields of many rows in one short statement; ``bulk_update`` has a branch for each value."""
    if not things:
        return
    meta = type(things[0])._meta
    fields = [field for field in meta.concrete_fields if field.name in names]
    columns = [f'"{field.column}"' for field in fields]
    send(
        f"UPDATE {meta.db_table} thing SET {', '.join(f'{each} = now.{each}' for each in columns)}"  # noqa: S608 - our own columns
        f" FROM unnest(%s::bigint[], {', '.join(f'%s::{field.db_type(connection)}[]' for field in fields)})"
        f" AS now (pk, {', '.join(columns)}) WHERE thing.id = now.pk",
        [thing.pk for thing in things],
        *([getattr(thing, field.attname) for thing in things] for field in fields),
    )
