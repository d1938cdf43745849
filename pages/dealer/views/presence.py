"""Presses between two hands: players who have come or are absent, and chips that were due."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from ground.refused import Forbidden, Refused
from pages.dealer.views.presses import shoe_press
from pages.floor.at_table import shoe_here
from pages.floor.forms import number_of
from pages.guard import may_press
from pages.kit import actor_of, submission_of
from tables.models import Seat, Table
from tables.services import seating
from tables.services.chips_due import chips_due_confirm, due_basis_now
from tables.services.seating import seats_seen
from tournament.models import Stack


def absent(request: HttpRequest, at: Table) -> dict[str, Any]:
    """Mark a player absent or back (T15). Refuses ``not_allowed`` and ``no_such_stack``."""
    if not may_press(request, "stack.absent"):
        raise Forbidden("not_allowed", _("Only the floor or the director marks a player absent."))
    # The form says absent or back; toggling the present state would undo a repeated press.
    number, _colon, way = request.POST.get("stack", "").partition(":")
    stack = Stack.objects.filter(pk=number_of({"stack": number}, "stack")).first()
    here = stack and Seat.objects.filter(
        table=at, round=stack.round_id, entry=stack.entry_id, vacated_at=None
    )
    if stack is None or not here:
        raise Refused("no_such_stack", _("This player does not sit at this table."), status=404)
    press = shoe_press(request, at)
    return seating.stack_absent(
        stack_id=stack.pk,
        absent=way != "back",
        reason=request.POST.get("reason", ""),
        key=press["key"],
        actor=press["actor"],
    )


def seen(request: HttpRequest, at: Table, seen: bool = True) -> dict[str, Any]:
    """Record which players have come before the first bet (T6), or that a player has not come after all."""
    ticked = (
        request.POST.get("all", "").split(",") if request.POST.get("all") else request.POST.getlist("seen")
    )
    boxes = [number_of({"box": box}, "box") for box in ticked]
    return seats_seen(**shoe_press(request, at), boxes=boxes, seen=seen)


def chips_right(request: HttpRequest, at: Table) -> dict[str, Any]:
    """Confirm that the due chips have been moved; refused as ``stale`` if others are due than the form
    showed."""
    shoe_id = shoe_here(at, number_of(request.POST, "shoe")).pk
    press = submission_of(request, partial(due_basis_now, shoe_id))
    return chips_due_confirm(shoe_id=shoe_id, key=press, actor=actor_of(request))
