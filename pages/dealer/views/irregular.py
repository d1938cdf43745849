"""What went wrong in the open hand and needs a ruling: the press by which it is played on, or void (T17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from pages.dealer.views.presses import deal_press, deal_pressed, screen_of
from pages.floor.forms import number_of, ruled_op_of_form
from pages.kit import actor_of, typed_text
from tables.models import Table
from tables.services import dealing
from tables.services.amending import deal_play_on

Json = dict[str, Any]


def wrong(request: HttpRequest, at: Table) -> Json:
    """The ruling on what went wrong; the button that was pressed says which."""
    deal_id, op = deal_pressed(request, at), ruled_op_of_form(request.POST)
    reason, actor = request.POST.get("reason", ""), actor_of(request)
    key = deal_press(request, deal_id)
    if request.POST.get("ruling") == "void":
        return dealing.deal_void(deal_id=deal_id, reason=reason, happened=op, key=key, actor=actor)
    return deal_play_on(
        deal_id=deal_id,
        seen=number_of(request.POST, "seen"),
        called=typed_text(request.POST, "called", longest=200),
        op=op,
        reason=reason,
        key=key,
        actor=actor,
        screen=screen_of(request),
    )


def is_there(context: Json, post: Mapping[str, str]) -> bool:
    """Whether the page still has the form that was sent, in which a refusal is said: of the same box."""
    ruled: Json = context["want"].get("mishaps", {}).get("ruled", {}) if context["side"] == "hand" else {}
    if post.get("wrong") == "skipped":
        return str(ruled.get("skipped", {}).get("box")) == post.get("seat")
    return "hole" in ruled and post.get("wrong") == "hole"
