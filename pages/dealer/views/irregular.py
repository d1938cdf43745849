"""Rulings on a mistake in the open hand: play on, or void the hand (T17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from pages.dealer.views.presses import deal_press, seen_of
from pages.floor.forms import ruled_op_of_form
from tables.models import Table
from tables.services import dealing
from tables.services.amending import deal_play_on

Json = dict[str, Any]


def wrong(request: HttpRequest, at: Table) -> Json:
    """Carry out the ruling of the pressed button."""
    op, reason = ruled_op_of_form(request.POST), request.POST.get("reason", "")
    press = deal_press(request, at)
    if request.POST.get("ruling") == "void":
        return dealing.deal_void(**press, reason=reason, happened=op)
    return deal_play_on(**press, **seen_of(request), op=op, reason=reason)


def is_there(context: Json, post: Mapping[str, str]) -> bool:
    """Whether the page still has the sent form, for the same box, to show its refusal."""
    ruled: Json = context["want"].get("mishaps", {}).get("ruled", {}) if context["side"] == "hand" else {}
    if post.get("wrong") == "skipped":
        return str(ruled.get("skipped", {}).get("box")) == post.get("seat")
    return "hole" in ruled and post.get("wrong") == "hole"
