"""The public pages: no login, no session, readable without script, cached for less than a second.

A view reads one selector and renders; the ETag shows whether a copy is current.
"""

from __future__ import annotations

import functools
import hashlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from ground.canonical import canonical_json
from pages.languages import for_players, speak
from pages.public.reads import public
from pages.public.reads.entry import entry_page, entry_public, hand_page, left_unseated
from pages.public.reads.results import played_now, posted_results, result_in_force
from pages.public.reads.rules_text import rules_sections
from pages.public.reads.shown import lists_naming, rows_matching, shown
from pages.qr import qr_svg
from tables.selectors.draws import open_draw
from tournament.engine.days import zone_of
from tournament.models import Draw, Event
from tournament.selectors.clocks import clock_shown

View = Callable[..., HttpResponse]

KEPT: dict[str, Any] = {"public": True, "max_age": 0}
"""Browsers must ask each time whether their copy is current."""
FRONT_KEEPS = "X-Accel-Expires"
"""nginx may cache an answer until the end of the second of its request. So no answer is older than a second,
and standings are hidden everywhere a second after the director has hidden them. nginx counts in whole
seconds: with ``max-age=1`` it would keep an answer for up to two."""
SERVER_NOW = "Cutline-Now"
"""The header with the server's time in milliseconds since 1970: a phone's clock may be wrong."""


def public_page(view: View) -> Callable[..., HttpResponseBase]:
    """Make a view a public page: GET and HEAD, cached for less than a second, 304 if nothing has changed."""

    @for_players
    @require_safe
    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        until = f"@{int(time.time())}"
        response = view(request, *args, **kwargs)
        if response.status_code in (200, 304):
            # Set this before Cache-Control: nginx before 1.23 obeys the first of the two.
            response[FRONT_KEEPS] = until
        if response.status_code != 200:
            return response
        if not response.has_header("ETag"):
            response["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
        patch_cache_control(response, **KEPT)
        response["X-Robots-Tag"] = "noindex, nofollow"
        answer = get_conditional_response(request, etag=response["ETag"], response=response) or response
        answer[FRONT_KEEPS] = until
        return answer

    return wrapped


def unchanged(request: HttpRequest, etag: str, now_ms: int) -> HttpResponse | None:
    """Return 304 for a poll of a page that already shows ``etag``; else None."""
    if get_conditional_response(request, etag=etag) is None:
        return None
    answer = HttpResponseNotModified(headers={"ETag": etag, SERVER_NOW: str(now_ms)})
    patch_cache_control(answer, **KEPT)
    return answer


def _event(request: HttpRequest, slug: str) -> Event:
    return _spoken(request, public.public_events().filter(slug=slug).first())


def event_with_standings(request: HttpRequest, slug: str) -> Event:
    """Return the event with its snapshot, and activate the page's language; 404 without such an event."""
    return _spoken(request, public.event_with_standings(slug))


def _spoken(request: HttpRequest, event: Event | None) -> Event:
    if event is None:
        raise Http404("no such event")
    speak(request, getattr(event, "language", None))
    return event


def _page(request: HttpRequest, name: str, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Render a page of an event with the house's clock and currency."""
    zone = zone_of(getattr(event, "zone", None) or "UTC")
    currency = getattr(event, "currency", None) or "USD"
    with timezone.override(zone):
        return render(request, f"public/{name}.html", {"event": event, "currency": currency, **context})


@public_page
def events(request: HttpRequest) -> HttpResponse:
    """Show the events of the house, past ones with their winners, and the log-in for staff."""
    house = public.house()
    speak(request, house.language)
    with timezone.override(zone_of(house.time_zone)):
        on, over = public.events_listed()
        context = {"house": house.name, "on": on, "over": over}
        return render(request, "public/events.html", context)


@public_page
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings with the cut line; ``?you=E017`` (or ``?me=``) pins an entry, by number or name."""
    event = event_with_standings(request, slug)
    seen = shown(event)
    body, has_any = seen.body, hasattr(event, "standings")
    word = (request.GET.get("you") or request.GET.get("me") or "")[:60]
    found = rows_matching(body, word)
    clock = clock_shown(event, event.now)  # type: ignore[attr-defined]  # annotated
    return _page(
        request,
        "leaderboard",
        event,
        {
            "body": body,
            "html": mark_safe(seen.html),  # noqa: S308 - our own template made it, escaped
            "clock": clock,
            "etag": str(public.tag_of(event, clock, seen)) if has_any else "",
            "live": body["live"],
            "searchable": any(section["kind"] != "entries" for section in body["sections"]),
            "behind": seen.behind,
            "updated_at": seen.at,
            "word": word,
            "you": found[0] if len(found) == 1 else None,
            "several": found[:12] if len(found) > 1 else [],
            "listed": [] if found else lists_naming(body, word)[:12],
        },
    )


@public_page
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the fragment that phones poll; one small query while nothing has changed."""
    tag = public.fragment_tag(slug)
    if tag is None:
        raise Http404("no such event")
    tag = replace(tag, language=speak(request, tag.language))
    same = unchanged(request, str(tag), tag.now_ms)
    if same is not None:
        return same
    event = event_with_standings(request, slug)
    seen = shown(event)
    html = mark_safe(seen.html)  # noqa: S308 - our own template made it, escaped
    clock = clock_shown(event, event.now)  # type: ignore[attr-defined]  # annotated
    # Use the tag of the sent fragment: the snapshot may be newer than that of the query.
    sent = public.tag_of(event, clock, seen)
    context = {"html": html, "behind": seen.behind, "clock": clock}
    response = render(request, "public/_fragment.html", context)
    response["ETag"], response[SERVER_NOW] = str(sent), sent.now_ms
    return response


@public_page
def public_entry(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Show an entry's page: its row of the standings, its seats and results, its hands of closed rounds.

    An entry that left without a seat gets 404, with a page that says so without a name.
    """
    event = event_with_standings(request, slug)
    entry = entry_public(event, code)
    body = shown(event).body
    if entry is None:
        status = left_unseated(event, code)
        if not status:
            raise Http404("no such entry")
        response = _page(request, "entry_gone", event, {"code": code, "status": status, "body": body})
        response.status_code = 404
        return response
    return _page(
        request, "entry", event, {"entry": entry, "own": entry_page(event, entry, body), "body": body}
    )


@public_page
def public_hand(request: HttpRequest, slug: str, code: str, pk: int, step: int) -> HttpResponse:
    """Show a hand of an entry step by step; each step has an address, so no script is needed."""
    event = _event(request, slug)
    entry = entry_public(event, code)
    found = hand_page(event, entry, pk, step) if entry else None
    if found is None:
        raise Http404("no such hand")
    return _page(request, "hand", event, {"entry": entry, "page": found, **found.stage})


@public_page
def seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the seats by table and by name."""
    event = _event(request, slug)
    context = {
        "chart": public.seating_chart(event),
        "waiting": open_draw(event),
        "over": event.is_over,
    }
    return _page(request, "seats", event, context)


@public_page
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the posted rules in words, clause by clause, with date and hash."""
    event = _event(request, slug)
    context = _rules(event)
    posting = context["posting"]
    # The exact text that was hashed, so that anybody can hash it again.
    hashed = {
        "settings_json": canonical_json(event.settings_json),
        "posting_json": canonical_json(posting.body) if posting else "",
    }
    return _page(request, "rules", event, {**context, **hashed})


@public_page
def rules_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Print the rules on A4 or, with ``?paper=letter``, on Letter, with the QR code of their page."""
    event = _event(request, slug)
    context = {**_rules(event), **_on_paper(request, "tournament:rules", slug)}
    return _page(request, "rules_poster", event, context)


def _on_paper(request: HttpRequest, page: str, slug: str) -> dict[str, Any]:
    """Return the paper of a poster, and the address of its page with the QR code."""
    address = request.build_absolute_uri(reverse(page, kwargs={"slug": slug}))
    paper = "letter" if request.GET.get("paper") == "letter" else "a4"
    return {"address": address, "qr": qr_svg(address), "paper": paper}


def _rules(event: Event) -> dict[str, Any]:
    """Return the rules in force, clause by clause, and the earlier postings."""
    postings = public.rules_postings(event)
    return {
        "posting": postings[0] if postings else None,
        "earlier": postings[1:],
        "sections": rules_sections(event),
    }


@public_page
def prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all versions of the posted payout structure, and the pool."""
    event = _event(request, slug)
    return _page(request, "prizes", event, {"prizes": public.prizes_page(event)})


@public_page
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every posted result and ruling with its reason, and the tie being played (T17, T23, T33)."""
    event = event_with_standings(request, slug)
    seen = shown(event)
    # Postings are always public; the tie of an open round is not while standings are hidden.
    now = [] if seen.tag else played_now(event)
    posted = posted_results(event)
    printable = any(each.live and each.rows for each in posted)
    context = {"now": now, "posted": posted, "printable": printable, "body": seen.body}
    return _page(request, "results", event, context)


@public_page
def results_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Print the result in force; the final places with their prizes, pool and structure (T19, T31)."""
    event = _event(request, slug)
    posted = result_in_force(event)
    prizes_shown = public.prizes_page(event) if posted and posted.final else None
    context = {"posted": posted, "prizes": prizes_shown, **_on_paper(request, "tournament:results", slug)}
    return _page(request, "results_poster", event, context)


@public_page
def draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every committed draw, and its state."""
    event = _event(request, slug)
    found = list(event.draws.order_by("number"))
    context = {
        "draws": found,
        "drawn": sum(each.status == Draw.Status.DRAWN for each in found),
        "unused": any(public.unused(event, each) for each in found),
        "superseded": any(each.status == Draw.Status.SUPERSEDED and not each.is_given_up for each in found),
    }
    return _page(request, "draws", event, context)


@public_page
def draw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one draw with everything that is needed to repeat it."""
    event = _event(request, slug)
    found: Draw | None = event.draws.filter(number=number).first()
    if found is None:
        raise Http404("no such draw")
    context = {
        "draw": found,
        "unused": public.unused(event, found),
        # T4: an event without public cards has none in any draw.
        "cards_cut": bool(found.cards) or (event.settings.public_input and not found.revealed_secret),
        # In a rehearsal one person may both enter and confirm the cards.
        "same_person": found.cards_by_id is not None and found.cards_by_id == found.confirmed_by_id,
        "script": public.draw_check_script(found, event.code),
        "seats": public.draw_seats(found),
        "order": [code for code, _, _ in found.result],
    }
    return _page(request, "draw", event, context)


urlpatterns = [
    path("", events, name="events"),
    path("e/<slug:slug>/", leaderboard, name="leaderboard"),
    path("e/<slug:slug>/standings", standings, name="standings"),
    path("e/<slug:slug>/entries/<slug:code>/", public_entry, name="public_entry"),
    path("e/<slug:slug>/entries/<slug:code>/hands/<int:pk>/<int:step>/", public_hand, name="public_hand"),
    path("e/<slug:slug>/seats/", seats, name="seats"),
    path("e/<slug:slug>/rules/", rules, name="rules"),
    path("e/<slug:slug>/rules/poster/", rules_poster, name="rules_poster"),
    path("e/<slug:slug>/prizes/", prizes, name="prizes"),
    path("e/<slug:slug>/results/", results, name="results"),
    path("e/<slug:slug>/results/poster/", results_poster, name="results_poster"),
    path("e/<slug:slug>/draws/", draws, name="draws"),
    path("e/<slug:slug>/draws/<int:number>/", draw, name="draw"),
]
