"""The screens in the hall: a page for a television, and the part of it that the page polls."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control

from pages.desk.views.entry import qr_svg
from pages.hall.reads.slides import first_prize, slides_of
from pages.public.reads import public
from pages.public.views import LIVE_SECONDS, public_page
from tournament.engine.days import zone_of
from tournament.models import Event

SCREEN_FORM = "1"
"""Changed with what a slide looks like: a screen that was opened before loads its page anew."""
EVERY_SECONDS = 4


def _tag(etag: str, behind: bool) -> str:
    return f'"tv{SCREEN_FORM}-{etag or "none"}{"-behind" if behind else ""}"'


def _picture(event: Event) -> dict[str, Any]:
    """What the slides are drawn from, with the tag of just that."""
    snapshot = getattr(event, "standings", None)
    nothing = {"headline": event.get_status_display(), "notes": [], "sections": []}
    body = snapshot.body if snapshot else nothing
    # A body that was stored before an update is made anew within seconds.
    body = {**body, "hall": body.get("hall", {"start": None, "payouts": None, "draw": None})}
    behind = bool(event.behind) or snapshot is None  # type: ignore[attr-defined]  # annotated
    return {
        "event": event,
        "body": body,
        "slides": slides_of(body),
        "first_prize": first_prize(body),
        "behind": behind,
        "form": SCREEN_FORM,
        "etag": _tag(snapshot.etag if snapshot else "", bool(event.behind)),  # type: ignore[attr-defined]  # annotated
    }


def _drawn(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    event: Event = context["event"]
    with timezone.override(zone_of(getattr(event, "zone", None) or "UTC")):
        return render(request, template, context)


@public_page(LIVE_SECONDS)
def tv(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a screen: every slide, one after the other; the script shows one at a time."""
    event = public.event_with_standings(slug)
    if event is None:
        raise Http404("no such event")
    address = request.build_absolute_uri(reverse("tournament:leaderboard", kwargs={"slug": slug}))
    more = {
        "slides_url": reverse("tournament:tv_slides", kwargs={"slug": slug}),
        "every_seconds": EVERY_SECONDS,
        "qr": qr_svg(address),
        "address": address.split("://", 1)[1],
        "theme": "light" if request.GET.get("theme") == "light" else "dark",
    }
    return _drawn(request, "hall/tv.html", {**_picture(event), **more})


@public_page(LIVE_SECONDS)
def tv_slides(request: HttpRequest, slug: str) -> HttpResponse:
    """The slides alone: one small query while nothing has changed, as for the phones."""
    known = public.standings_tag(slug)
    if known is None:
        raise Http404("no such event")
    etag = _tag(known[0] or "", known[1])
    if get_conditional_response(request, etag=etag) is not None:
        unchanged = HttpResponse(status=304, headers={"ETag": etag})
        patch_cache_control(unchanged, public=True, max_age=LIVE_SECONDS)
        return unchanged
    event = public.event_with_standings(slug)
    if event is None:
        raise Http404("no such event")
    context = _picture(event)
    response = _drawn(request, "hall/_picture.html", context)
    response["ETag"] = context["etag"]
    return response


urlpatterns = [
    path("e/<slug:slug>/tv/", tv, name="tv"),
    path("e/<slug:slug>/tv/slides", tv_slides, name="tv_slides"),
]
