"""The screens in the hall: a page for a television, and the part that it polls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from pages.hall.reads.screens import ScreenNow, screen_now, shoe_tag, table_shown
from pages.hall.reads.slides import composed, first_prize, slides_of
from pages.languages import for_players, speak
from pages.public.reads.public import tag_of
from pages.public.reads.shown import shown
from pages.public.views import SERVER_NOW, event_with_standings, public_page, unchanged
from pages.qr import qr_svg
from tournament.engine.days import zone_of
from tournament.models import Event
from tournament.selectors.clocks import clock_shown
from tournament.selectors.hall import rotation_of
from tournament.services.hall import screen_seen

SCREEN_VERSION = "1"
"""Change this with the look of slides: screens that are open then reload their page."""
EVERY_SECONDS = 0.7


def _tag(*parts: str) -> str:
    return f'"tv{SCREEN_VERSION}-{"-".join(parts)}"'


def _picture(event: Event, now: ScreenNow) -> dict[str, Any]:
    """Return the context of the slides, with its tag."""
    seen = shown(event)
    # A body stored before an update is replaced within seconds.
    body = {"hall": {"start": None, "payouts": None, "draw": None}, **seen.body}
    clock = clock_shown(event, event.now)  # type: ignore[attr-defined]  # annotated
    # Use the tag of the sent standings: they may be newer than those of the query.
    drawn = replace(now, standings=tag_of(event, clock, seen))
    return {
        "event": event,
        "clock": clock,
        "body": body,
        "slides": composed(slides_of(body), rotation_of(event), now.shows),
        "first_prize": first_prize(body),
        "behind": seen.behind,
        "form": SCREEN_VERSION,
        "etag": _tag(drawn.tag),
    }


def _drawn(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    event: Event = context["event"]
    with timezone.override(zone_of(getattr(event, "zone", None) or "UTC")):
        return render(request, template, context)


def _page(request: HttpRequest, slug: str, now: ScreenNow | None, name: str = "") -> HttpResponse:
    """Show the page of a screen: all slides in a row; the script shows one at a time."""
    event = event_with_standings(request, slug)
    if now is None:
        raise Http404("no such screen")
    address = request.build_absolute_uri(reverse("tournament:leaderboard", kwargs={"slug": slug}))
    part = {"slug": slug, "screen": name} if name else {"slug": slug}
    more = {
        "slides_url": reverse("tournament:tv_screen_slides" if name else "tournament:tv_slides", kwargs=part),
        "every_seconds": EVERY_SECONDS,
        "qr": qr_svg(address),
        "address": address.split("://", 1)[1],
        "theme": "light" if request.GET.get("theme") == "light" else "dark",
        "screen": name,
    }
    return _drawn(request, "hall/tv.html", {**_picture(event, now), **more})


def _slides(request: HttpRequest, slug: str, now: ScreenNow | None) -> HttpResponse:
    """Answer with the slides alone, or with 304 if they are unchanged."""
    if now is None:
        raise Http404("no such screen")
    same = unchanged(request, _tag(now.tag), now.standings.now_ms)
    return same or _sent(
        request, "hall/_picture.html", now, _picture(event_with_standings(request, slug), now)
    )


def _sent(request: HttpRequest, template: str, now: ScreenNow, context: dict[str, Any]) -> HttpResponse:
    """Draw the polled part of a screen, with its tag and the server's time."""
    response = _drawn(request, template, context)
    response["ETag"], response[SERVER_NOW] = context["etag"], now.standings.now_ms
    return response


@public_page
def tv(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a screen without a name."""
    return _page(request, slug, _now(request, slug))


@public_page
def tv_slides(request: HttpRequest, slug: str) -> HttpResponse:
    """Send its slides; one small query while nothing has changed, as for phones."""
    return _slides(request, slug, _now(request, slug))


@for_players
@require_safe
def tv_screen(request: HttpRequest, slug: str, screen: str) -> HttpResponse:
    """Show a named screen; not cached, so that every poll is noted."""
    response = _page(request, slug, _seen(request, slug, screen), screen)
    response["Cache-Control"] = "no-store"
    return response


@for_players
@require_safe
def tv_screen_slides(request: HttpRequest, slug: str, screen: str) -> HttpResponse:
    """Send its slides; one small query while nothing has changed, and a write every ten seconds."""
    response = _slides(request, slug, _seen(request, slug, screen))
    response["Cache-Control"] = "no-store"
    return response


def _now(request: HttpRequest, slug: str, name: str = "") -> ScreenNow | None:
    """Return the screen, in the language of the answer."""
    now = screen_now(slug, name)
    return now and replace(
        now, standings=replace(now.standings, language=speak(request, now.standings.language))
    )


def _seen(request: HttpRequest, slug: str, name: str) -> ScreenNow | None:
    now = _now(request, slug, name)
    if now is not None and now.pk is not None and now.is_to_be_noted:
        screen_seen(screen_id=now.pk)
    return now


def _at_table(request: HttpRequest, slug: str, number: int, now: ScreenNow | None) -> dict[str, Any]:
    """Return the context of a table's display, with its tag."""
    event, shoe = event_with_standings(request, slug), shoe_tag(slug, number)
    if shoe is None or now is None:
        raise Http404("no such table")
    context = _picture(event, now)
    etag = context["etag"].removesuffix('"') + f'-{shoe}"'
    return {**context, "table": table_shown(event, context["body"], number), "etag": etag}


@public_page
def table_display(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one table for the people around it; with ``?overlay=1`` transparent, to lie over a video."""
    parts = {"slug": slug, "number": number}
    more = {
        "slides_url": reverse("tournament:table_picture", kwargs=parts),
        "every_seconds": EVERY_SECONDS,
        "theme": "light" if request.GET.get("theme") == "light" else "dark",
        "over": request.GET.get("overlay") == "1",
    }
    context = _at_table(request, slug, number, _now(request, slug))
    return _drawn(request, "hall/table.html", {**context, **more})


@public_page
def table_picture(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the table alone; two small queries while nothing has changed."""
    now, shoe = _now(request, slug), shoe_tag(slug, number)
    if now is None or shoe is None:
        raise Http404("no such table")
    same = unchanged(request, _tag(now.tag).removesuffix('"') + f'-{shoe}"', now.standings.now_ms)
    return same or _sent(request, "hall/_table.html", now, _at_table(request, slug, number, now))


urlpatterns = [
    path("e/<slug:slug>/tv/<slug:screen>/", tv_screen, name="tv_screen"),
    path("e/<slug:slug>/tv/<slug:screen>/slides", tv_screen_slides, name="tv_screen_slides"),
    path("e/<slug:slug>/tables/<int:number>/", table_display, name="table_display"),
    path("e/<slug:slug>/tables/<int:number>/picture", table_picture, name="table_picture"),
    path("e/<slug:slug>/tv/", tv, name="tv"),
    path("e/<slug:slug>/tv/slides", tv_slides, name="tv_slides"),
]
