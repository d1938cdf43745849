"""Rows of the floor, fetched and locked in one order: event head, shoe, deal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from ground.refused import Refused, refuse
from tables.models import Deal, Shoe, Table
from tables.selectors.basis import shoe_basis
from tables.selectors.next_hand import why_not_running
from tournament import sql
from tournament.models import Event, Round
from tournament.selectors.basis import Basis
from tournament.services.journal import Command, Json, command


def no_such_shoe() -> Refused:
    """Return what is said where no shoe has this id, or one of another table has it."""
    return Refused("no_such_shoe", "There is no such shoe at this table. Load the page again.", status=404)


def shoe_get(shoe_id: int) -> Shoe:
    """The shoe with its table, round and event, not locked; Refused ``no_such_shoe`` (404)."""
    return _shoe(shoe_id, lock=False)


_EVENT = "SELECT r.event_id FROM tables_shoe s JOIN tournament_round r ON r.id = s.round_id"


def event_of_shoe(shoe_id: int) -> int:
    """Return the event of a shoe, whose chain a command belongs to. Raises Refused ``no_such_shoe`` (404)."""
    found = sql.row(f"{_EVENT} WHERE s.id = %s", shoe_id)
    if found is None:
        raise no_such_shoe()
    return int(found[0])


def shoe_command(
    kind: str, shoe_id: int, act: Callable[[Command], Json], *, key: str, actor: User | None, **asked: Any
) -> Json:
    """Carry out a command about a shoe; ``asked``: its other arguments. Refused ``no_such_shoe`` (404)."""
    body = {"shoe": shoe_id, **asked}
    return command(kind=kind, key=key, actor=actor, event_id=event_of_shoe(shoe_id), body=body, act=act)


def shoe_lock(shoe_id: int) -> Shoe:
    """The shoe, its row locked until the transaction ends."""
    return _shoe(shoe_id, lock=True)


def shoes_lock(shoes: QuerySet[Shoe]) -> None:
    """Lock these rows until the transaction ends: nobody opens a hand there."""
    list(shoes.select_for_update(of=("self",)).order_by("pk").values_list("pk"))


_SHOE = (
    f"SELECT {sql.columns(Shoe, 's')}, {sql.columns(Table, 't')}, {sql.columns(Round, 'r')},"  # noqa: S608 - our own columns
    f" {sql.columns(Event, 'e')} FROM tables_shoe s"  # our own columns
    " JOIN tables_table t ON t.id = s.table_id JOIN tournament_round r ON r.id = s.round_id"
    " JOIN tournament_event e ON e.id = r.event_id WHERE s.id = %s"
)


def _shoe(shoe_id: int, *, lock: bool) -> Shoe:
    found = sql.row(f"{_SHOE} FOR UPDATE OF s" if lock else _SHOE, shoe_id)
    if found is None:
        raise no_such_shoe()
    shoe: Shoe
    shoe, table, round_, event = sql.split(found, Shoe, Table, Round, Event)
    shoe.table, shoe.round, round_.event = table, round_, event
    return shoe


_DEAL = (
    f"SELECT {sql.columns(Deal, 'd')}, {sql.columns(Shoe, 's')}, {sql.columns(Table, 't')},"  # noqa: S608 - our own columns
    f" {sql.columns(Round, 'r')}, {sql.columns(Event, 'e')} FROM tables_deal d"  # our own columns
    " JOIN tables_shoe s ON s.id = d.shoe_id JOIN tables_table t ON t.id = s.table_id"
    " JOIN tournament_round r ON r.id = s.round_id JOIN tournament_event e ON e.id = r.event_id"
    " WHERE d.id = %s"
)


def _no_such_deal() -> Refused:
    return Refused("no_such_deal", "There is no such hand.", status=404)


def deal_get(deal_id: int) -> Deal:
    """The hand with its shoe, table, round and event, not locked; Refused ``no_such_deal`` (404)."""
    return _deal(deal_id, lock=False)


def deal_lock(deal_id: int) -> Deal:
    """The hand, its row locked until the transaction ends."""
    return _deal(deal_id, lock=True)


def hand_lock(deal_id: int) -> Deal:
    """Return the hand, its row locked as ``deal_lock`` does, and the row of its shoe before it."""
    sql.row(
        "SELECT 1 FROM tables_shoe WHERE id = (SELECT shoe_id FROM tables_deal WHERE id = %s) FOR UPDATE",
        deal_id,
    )
    return deal_lock(deal_id)


def event_of_deal(deal_id: int) -> int:
    """Return the event of a hand, whose chain a command belongs to. Raises Refused ``no_such_deal`` (404)."""
    found = sql.row(f"{_EVENT} JOIN tables_deal d ON d.shoe_id = s.id WHERE d.id = %s", deal_id)
    if found is None:
        raise _no_such_deal()
    return int(found[0])


def _deal(deal_id: int, *, lock: bool) -> Deal:
    found = sql.row(f"{_DEAL} FOR UPDATE OF d" if lock else _DEAL, deal_id)
    if found is None:
        raise _no_such_deal()
    deal: Deal
    deal, shoe, table, round_, event = sql.split(found, Deal, Shoe, Table, Round, Event)
    deal.shoe, shoe.table, shoe.round, round_.event = shoe, table, round_, event
    return deal


def shoe_basis_locked(shoe_id: int) -> Basis:
    """Return the basis of the forms of a table, locked until the transaction ends.

    Hands are opened and tapped without the event's lock, so that lock alone is not enough.
    """
    sql.row("SELECT 1 FROM tables_shoe WHERE id = %s FOR UPDATE", shoe_id)
    sql.row("SELECT 1 FROM tables_deal WHERE shoe_id = %s AND status = 'open' FOR UPDATE", shoe_id)
    return shoe_basis(shoe_id)


def running_check(event: Event) -> None:
    """Refuse ``event_not_running`` (409) unless the event is being played."""
    refuse(why_not_running(event))
