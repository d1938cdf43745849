"""Rows of the floor, fetched and locked in one order: event head, shoe, deal."""

from __future__ import annotations

from tables.models import Deal, Shoe
from tournament.engine.refused import Refused
from tournament.models import Event


def shoe_get(shoe_id: int) -> Shoe:
    """The shoe with its table, round and event, not locked; Refused ``no_such_shoe`` (404)."""
    return _shoe(shoe_id, lock=False)


def event_of_shoe(shoe_id: int) -> int:
    """Whose chain a command at this shoe belongs to; Refused ``no_such_shoe`` (404)."""
    found = Shoe.objects.filter(pk=shoe_id).order_by().values_list("round__event_id", flat=True).first()
    if found is None:
        raise Refused("no_such_shoe", "There is no such shoe.", status=404)
    return found


def shoe_lock(shoe_id: int) -> Shoe:
    """The shoe, its row locked until the transaction ends."""
    return _shoe(shoe_id, lock=True)


def _shoe(shoe_id: int, *, lock: bool) -> Shoe:
    shoes = Shoe.objects.select_related("table", "round__event")
    if lock:
        shoes = shoes.select_for_update(of=("self",))
    found = shoes.filter(pk=shoe_id).first()
    if found is None:
        raise Refused("no_such_shoe", "There is no such shoe.", status=404)
    return found


def deal_get(deal_id: int) -> Deal:
    """The hand with its shoe, table, round and event, not locked; Refused ``no_such_deal`` (404)."""
    return _deal(deal_id, lock=False)


def deal_lock(deal_id: int) -> Deal:
    """The hand, its row locked until the transaction ends."""
    return _deal(deal_id, lock=True)


def _deal(deal_id: int, *, lock: bool) -> Deal:
    deals = Deal.objects.select_related("shoe__table", "shoe__round__event")
    if lock:
        deals = deals.select_for_update(of=("self",))
    found = deals.filter(pk=deal_id).first()
    if found is None:
        raise Refused("no_such_deal", "There is no such hand.", status=404)
    return found


def running_check(event: Event) -> None:
    """Refuse ``event_not_running`` (409) where nothing is played any more, or not yet."""
    if event.status != Event.Status.RUNNING:
        raise Refused(
            "event_not_running", f"{event} is {event.get_status_display()}: nothing is played.", status=409
        )
