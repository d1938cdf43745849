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
from pages.hall.reads.table import shoe_tag, table_shown
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


def _unchanged(request: HttpRequest, etag: str) -> HttpResponse | None:
    """The answer to a screen that has this picture already."""
    if get_conditional_response(request, etag=etag) is None:
        return None
    unchanged = HttpResponse(status=304, headers={"ETag": etag})
    patch_cache_control(unchanged, public=True, max_age=LIVE_SECONDS)
    return unchanged


@public_page(LIVE_SECONDS)
def tv_slides(request: HttpRequest, slug: str) -> HttpResponse:
    """The slides alone: one small query while nothing has changed, as for the phones."""
    known = public.standings_tag(slug)
    if known is None:
        raise Http404("no such event")
    unchanged = _unchanged(request, _tag(known[0] or "", known[1]))
    if unchanged is not None:
        return unchanged
    event = public.event_with_standings(slug)
    if event is None:
        raise Http404("no such event")
    context = _picture(event)
    response = _drawn(request, "hall/_picture.html", context)
    response["ETag"] = context["etag"]
    return response


def _at_table(event: Event | None, number: int) -> dict[str, Any]:
    """What the display of a table is drawn from, with its tag."""
    shoe = shoe_tag(event.slug, number) if event else None
    if event is None or shoe is None:
        raise Http404("no such table")
    context = _picture(event)
    etag = context["etag"].removesuffix('"') + f'-{shoe}"'
    return {**context, "table": table_shown(event, context["body"], number), "etag": etag}


@public_page(LIVE_SECONDS)
def table_display(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One table for the people around it; with ``?overlay=1`` on nothing, to lie over a film."""
    parts = {"slug": slug, "number": number}
    more = {
        "slides_url": reverse("tournament:table_picture", kwargs=parts),
        "every_seconds": EVERY_SECONDS,
        "theme": "light" if request.GET.get("theme") == "light" else "dark",
        "over": request.GET.get("overlay") == "1",
    }
    context = _at_table(public.event_with_standings(slug), number)
    return _drawn(request, "hall/table.html", {**context, **more})


@public_page(LIVE_SECONDS)
def table_picture(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The table alone: two small queries while nothing has changed."""
    known, shoe = public.standings_tag(slug), shoe_tag(slug, number)
    if known is None or shoe is None:
        raise Http404("no such table")
    unchanged = _unchanged(request, _tag(known[0] or "", known[1]).removesuffix('"') + f'-{shoe}"')
    if unchanged is not None:
        return unchanged
    context = _at_table(public.event_with_standings(slug), number)
    response = _drawn(request, "hall/_table.html", context)
    response["ETag"] = context["etag"]
    return response


urlpatterns = [
    path("e/<slug:slug>/tables/<int:number>/", table_display, name="table_display"),
    path("e/<slug:slug>/tables/<int:number>/picture", table_picture, name="table_picture"),
    path("e/<slug:slug>/tv/", tv, name="tv"),
    path("e/<slug:slug>/tv/slides", tv_slides, name="tv_slides"),
]
