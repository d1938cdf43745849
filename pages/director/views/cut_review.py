"""A cut that differs after a correction: its panel, and the ruling (T17)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import path
from django.utils.translation import gettext as _

from ground.refused import refuse
from pages.fields import ReasonForm
from pages.guard import carries_out
from pages.kit import act_or_why_not, event_get, opens, pressed, see_other, sent, staff_page, why_not_now
from pages.words.cut import what_can_be_done_words
from pages.words.naming import entries_named, stage_named
from pages.words.replacing import replacing_link
from pages.words.requests import codes_differing, cut_differs_words
from tables.selectors.basis import cut_basis
from tables.selectors.cut_review import CutReview, cut_review, cut_reviews, why_not_stands
from tables.services.closing import cut_stands
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.replacements import status_word
from tournament.selectors.stage_ranking import Row

Json = dict[str, Any]


def cuts_shown(request: HttpRequest, event: Event) -> list[Json]:
    """Return the panels of an event, each with the actions of this person."""
    return [_shown(request, found) for found in cut_reviews(event)]


def cut_shown(request: HttpRequest, round_: Round) -> list[Json]:
    """Return the panel of one round; empty where the right players advanced."""
    found = cut_review(round_) if round_.kind == Round.Kind.ROUND else None
    return [_shown(request, found)] if found else []


def _shown(request: HttpRequest, found: CutReview) -> Json:
    tied = [{**_line(request, found, row), "went_on": row.code in found.went_on} for row in found.tied]
    ruled = resolve_url("tables:cut_stands", slug=found.round.event.slug, pk=found.round.pk)
    open_ = why_not_stands(found.round, found) is None
    return {
        "cut": found,
        "missed": [_line(request, found, row) for row in found.missed],
        "extra": [_line(request, found, row) for row in found.extra],
        "tied": tied,
        "stands_at": ruled if open_ and opens(request, ruled) else "",
        "open": open_,
        "can_be_done": what_can_be_done_words(found.round) if open_ else "",
    }


def _line(request: HttpRequest, found: CutReview, row: Row) -> Json:
    """Return a player of the panel: the rank by the present hands, and what happened since."""
    action, href = _action(found, row)
    return {
        "row": row,
        "fate": fate_words(row.entry, found.round),
        "action": action if href and opens(request, href) else "",
        "href": href,
    }


def _action(found: CutReview, row: Row) -> tuple[str, str]:
    """Return the action on a player who advanced: replace before the first bet, disqualify after it."""
    event, entry = found.round.event, row.entry
    if found.stands or row.code not in found.went_on or entry.status != Entry.Status.LIVE:
        return "", ""
    if replace := replacing_link(entry):
        return replace, resolve_url("tables:entry_replace", slug=event.slug, code=entry.code)
    if event.status in (Event.Status.RUNNING, Event.Status.FINISHED):
        return _("Disqualify"), resolve_url("tournament:entry", slug=event.slug, code=entry.code)
    return "", ""


def fate_words(entry: Entry, round_: Round) -> str:
    """Return what happened to a player since a round was closed; empty for a player who was only cut."""
    if entry.status != Entry.Status.LIVE:
        return _("%(status)s since") % {"status": _(status_word(entry))}
    played = Stack.objects.filter(entry=entry, round__kind=Round.Kind.ROUND, round__number__gt=round_.number)
    last = played.select_related("round").order_by("-round__number").first()
    if last is None:
        return ""
    words = {
        Stack.Outcome.CUT: _("out in %(round)s"),
        Stack.Outcome.ADVANCED: _("also advanced from %(round)s"),
        Stack.Outcome.RANKED: _("has played %(round)s"),
    }
    return words.get(Stack.Outcome(last.outcome), _("plays %(round)s")) % {"round": stage_named(last.round)}


def _said(found: CutReview) -> list[str]:
    """Return the entries that the ruling is about, by number and name."""
    about = found.about.body()
    return cut_differs_words(about, entries_named(found.round.event, codes_differing(about)), now=True)


@carries_out("round.cut_stands")
def cut_stands_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Rule that a cut stands as it was made, with the reason."""
    event = event_get(slug)
    round_ = get_object_or_404(Round, event=event, pk=pk, kind=Round.Kind.ROUND)
    round_.event = event
    form = ReasonForm(sent(request))
    tried = act_or_why_not(
        lambda: refuse(why_not_stands(round_, cut_review(round_))),
        lambda: cut_stands(round_id=round_.pk, **form.cleaned_data, **pressed(request, cut_basis, round_.pk)),
        form,
        reason_missing="reason",
    )
    if tried.done:
        message = _("The cut of %(round)s stands.") % {"round": stage_named(round_)}
        return see_other(request, message, "tables:round", slug=slug, pk=pk)
    # Another ruling may have changed the round since it was read.
    round_.refresh_from_db()
    found = cut_review(round_)
    context: Json = {
        "round": round_,
        "said": _said(found) if found else [],
        "why_not": why_not_now(lambda: refuse(why_not_stands(round_, found))),
        "basis": cut_basis(round_.pk),
        "form": form,
        "refused": "" if form.errors else tried.sentence,
    }
    return staff_page(request, "director/cut_stands.html", context, event=event, status=tried.status)


urlpatterns = [path("staff/<slug:slug>/rounds/<int:pk>/stands/", cut_stands_page, name="cut_stands")]
