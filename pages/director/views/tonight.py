"""Tonight: one page per event with the next step and who must do it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from pages.director.reads.closing import cut_panel
from pages.director.reads.floor_facts import table_lines
from pages.director.reads.hall import publication_mark
from pages.director.reads.steps import with_clock
from pages.director.reads.tonight import stops, whats_next
from pages.director.views.cut_review import cuts_shown
from pages.floor.at_table import lines_opened
from pages.guard import role_required
from pages.kit import event_get, opens, staff_page, wants_fragment, why_not_now
from pages.words.prize_waits import prize_waits
from pages.words.prizes import unclaimed_words
from pages.words.put_right import put_right_words
from tables.selectors.correction_requests import stages_put_right
from tables.selectors.countings import rulings
from tables.selectors.seating import unseen_of
from tournament.engine.state import State
from tournament.models import Event
from tournament.roles import CASHIER, DEALER, DIRECTOR, FLOOR, MANAGER, roles_of
from tournament.selectors.clocks import ON, ClockShown, clock_shown
from tournament.selectors.desk import database_now, desk_summary
from tournament.selectors.entrants import entrants_of
from tournament.selectors.heads import heads_behind
from tournament.selectors.next_steps import state_now
from tournament.selectors.prizes import PrizeLine, currency_of, pool_of, prize_lines, prizes_at
from tournament.selectors.stages import current_round
from tournament.services.events import call_off_check


@role_required(DIRECTOR, MANAGER, CASHIER, DEALER, FLOOR)
@require_safe
def tonight(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page, or its live part, which polls every five seconds: 204 while nothing has changed."""
    event = event_get(slug)
    context = _context(event, clock_shown(event, database_now()))
    context["steps"] = [
        stop if not stop.href or opens(request, stop.href) else replace(stop, href="")
        for stop in context["steps"]
    ]
    context["tables"] = lines_opened(request, event, context["tables"])
    context["publication"] = publication_mark(event)
    context["unseen"] = unseen_of(event)
    context["heads_behind"] = heads_behind(event)
    context["decides"] = bool(roles_of(request.user) & {DIRECTOR, FLOOR})
    context["put_right"] = [put_right_words(found) for found in stages_put_right(event)]
    context["cuts"] = [] if event.status == Event.Status.CALLED_OFF else cuts_shown(request, event)
    seen = _fingerprint(context)
    if wants_fragment(request):
        if request.GET.get("seen") == seen:
            return HttpResponse(
                status=204, headers={"Vary": "HX-Request", "Cache-Control": "private, no-store"}
            )
        return staff_page(request, "director/_tonight_live.html", {**context, "seen": seen}, event=event)
    context |= {"seen": seen, "may_call_off": _may_call_off(event)}
    return staff_page(request, "director/tonight.html", context, event=event)


def _fingerprint(context: dict[str, Any]) -> str:
    """Return a fingerprint of what the page shows, including the minute."""
    minute = timezone.now().strftime("%H:%M")
    shown = [
        minute,
        *(
            repr(context[name])
            for name in (
                "steps",
                "next",
                "also",
                "clock_tag",
                "pool",
                "entrants",
                "tables",
                "panel",
                "prizes",
                "unclaimed",
                "rulings",
                "cuts",
                "put_right",
                "unseen",
                "publication",
                "heads_behind",
            )
        ),
    ]
    return hashlib.sha256("\n".join(shown).encode()).hexdigest()[:16]


def _may_call_off(event: Event) -> bool:
    """Whether the button opens the form; once a prize is paid it only says why not (T24)."""
    on = (Event.Status.DRAFT, Event.Status.OPEN, Event.Status.RUNNING, Event.Status.FINISHED)
    return event.status in on and not why_not_now(partial(call_off_check, event))


def _context(event: Event, clock: ClockShown | None) -> dict[str, Any]:
    over = event.status == Event.Status.CALLED_OFF
    round_ = None if over else current_round(event)
    (lines, facts), state = table_lines(round_), state_now(event)
    steps = with_clock(whats_next(event, facts, state), clock)
    ruled = rulings(event)
    return {
        "steps": stops(event, state),
        "next": steps[0] if steps else None,
        "also": steps[1:],
        "clock": clock,
        "clock_tag": clock.tag if clock else "",
        "clock_on": event.status in ON,
        "pool": pool_of(event),
        "entrants": entrants_of(event),
        "round": round_,
        "tables": lines,
        "rulings": ruled,
        "panel": None if over else cut_panel(event, round_, state),
        "summary": desk_summary(event) if round_ is None and event.status == Event.Status.OPEN else None,
        "unclaimed": unclaimed_words(prizes_at(event, state).unclaimed, currency_of(event)),
        "prizes": _prizes(event, state) if event.status in (Event.Status.FINISHED, Event.Status.PAID) else [],
    }


def _prizes(event: Event, state: State) -> list[tuple[PrizeLine, str]]:
    """Return every prize with the open request about it, if any."""
    lines = prize_lines(event, state)
    waits = prize_waits(event, lines)
    return [(line, waits.get(line.entry.pk, "")) for line in lines]


urlpatterns = [path("staff/<slug:slug>/", tonight, name="tonight")]
