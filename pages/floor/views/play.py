"""'Play has begun' in an event on counts alone: a page that asks once more (T6, T18)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import path

from pages.guard import carries_out
from pages.kit import (
    Tried,
    act_or_sentence,
    event_get,
    number_or_0,
    pressed,
    see_other,
    staff_page,
    why_not_now,
)
from tables.models import Seat
from tables.selectors.basis import play_basis
from tables.selectors.seating import begin_check, counts_alone_check, seating_closes
from tables.services.dealing import round_play
from tournament.models import Round


@carries_out("round.play")
def play_begin(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Begin play: the seats stand, and seating is closed (T6)."""
    event = event_get(slug)
    round_ = get_object_or_404(Round.objects.select_related("event"), pk=pk, event=event)
    back = _back(request, round_)
    tried = Tried()
    if request.method == "POST":

        def act() -> dict[str, Any]:
            counts_alone_check(round_)
            return round_play(round_id=pk, **pressed(request, play_basis, pk))

        tried = act_or_sentence(act)
        if tried.done:
            return see_other(request, "", back)
        round_.refresh_from_db()
    context = {
        "round": round_,
        "closes": seating_closes(round_),
        "why_not": why_not_now(partial(begin_check, round_)),
        "basis": play_basis(pk),
        "back": back,
        "action": request.get_full_path(),
        "refused": tried.sentence,
    }
    return staff_page(request, "floor/play_begin.html", context, event=event, status=tried.status)


def _back(request: HttpRequest, round_: Round) -> str:
    """Return the address to go back to: the table that asked, or 'Tonight'."""
    number, slug = number_or_0(request.GET.get("table", "")), round_.event.slug
    if number and Seat.objects.filter(round=round_, table__number=number).exists():
        return resolve_url("tables:table", slug=slug, number=number)
    return resolve_url("tables:tonight", slug=slug)


urlpatterns = [
    path("staff/<slug:slug>/rounds/<int:pk>/begin/", play_begin, name="play_begin"),
]
