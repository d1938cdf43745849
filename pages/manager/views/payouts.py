"""Build and post the payout structure, or request its replacement (T30–T33)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pages.bases import payouts_basis
from pages.guard import carries_out, role_required
from pages.kit import Refusal, act_or_sentence, event_get, posted, pressed, said, see_other, staff_page, told
from pages.manager.forms import (
    PLACES_MAX,
    PLACES_MIN,
    SupersedeForm,
    Typed,
    as_typed,
    kind_of,
    places_of,
    places_unread,
    structure_typed,
)
from pages.words.prizes import compared_words, ties_words, unclaimed_words
from tournament.engine.payouts import BOTH, FIXED, SHARES, Structure, template_structure
from tournament.models import Event, PayoutStructure, Request
from tournament.roles import DIRECTOR, MANAGER
from tournament.selectors.heads import heads_behind
from tournament.selectors.payouts import ties_changed, why_not_post, why_not_supersede
from tournament.selectors.prizes import (
    PayoutsCheck,
    currency_of,
    payable_entries_count,
    payouts_check,
    pool_of,
    prizes_at,
    structure_from_dict,
    why_payouts_stand,
)
from tournament.selectors.stages import live_payouts
from tournament.services.payouts import payouts_post, payouts_supersede_request

TEMPLATES = range(2, 11)


# -- The structure ------------------------------------------------------------------------------------


@role_required(MANAGER, DIRECTOR)
@require_safe
def payouts(request: HttpRequest, slug: str) -> HttpResponse:
    """Build the structure from a template or by hand; show the posted one and those it replaced."""
    event = event_get(slug)
    return _builder(request, event, _typed(request, event))


def _typed(request: HttpRequest, event: Event) -> Typed:
    """Return the initial prizes: typed, from a template, the posted ones, or six places."""
    if "a1" in request.GET:
        return structure_typed(request.GET)
    live = live_payouts(event)
    if live is not None and "places" not in request.GET and "kind" not in request.GET:
        return _posted(live)
    offered, listed = _templates(event, live), event.settings.promised_prizes_cents
    kept = len(live.prizes_cents) if live else min(len(listed), offered[-1])
    default = kept if kept in offered else min(6, offered[-1])
    shares = template_structure(places_of(request.GET, default))
    kind, none = kind_of(request.GET, FIXED if listed else SHARES), (0,) * len(shares.amounts)
    if kind == FIXED and listed:
        return as_typed(Structure(FIXED, (*listed, *none)[: len(none)]))
    if kind == SHARES:
        return as_typed(shares)
    if kind == BOTH:
        return as_typed(Structure(BOTH, shares.amounts, none))
    check = payouts_check(event, shares)
    return as_typed(Structure(FIXED, tuple(row.prize_cents for row in check.rows) or none))


def _templates(event: Event, live: PayoutStructure | None) -> list[int]:
    """Return the numbers of places to link: up to ten that the entries allow, and the one in force.

    Other numbers are typed. If fewer than two places can be paid, the fewest places are built, and the page
    shows why they wait.
    """
    can_be_paid = payable_entries_count(event)
    kept = {len(live.prizes_cents if live else event.settings.promised_prizes_cents)}
    return sorted(n for n in kept | {*TEMPLATES} if TEMPLATES[0] <= n <= max(TEMPLATES[0], can_be_paid))


def _posted(live: PayoutStructure) -> Typed:
    return as_typed(structure_from_dict(live.structure))


def _builder(
    request: HttpRequest, event: Event, typed: Typed, status: int = 200, refused: str = ""
) -> HttpResponse:
    versions = list(
        PayoutStructure.objects.filter(event=event).select_related("posting").order_by("-version")
    )
    live = next((each for each in versions if each.status == PayoutStructure.Status.LIVE), None)
    why_not = why_not_supersede(event) if live else why_not_post(event)
    context = {
        "built": typed,
        **_check(event, payouts_check(event, typed.structure) if typed.structure else None),
        "templates": _templates(event, live),
        "places_unread": places_unread(request.GET),
        "paid_at_most": max(PLACES_MIN, min(PLACES_MAX, payable_entries_count(event))),
        "pool": pool_of(event),
        "why_not": told(why_not),
        "versions": versions,
        "live": live,
        "paying": told(why_payouts_stand(event)),
        "asked": Request.objects.filter(
            event=event, kind="payouts_supersede", status=Request.Status.OPEN
        ).first(),
        "refused": refused,
        "unclaimed": unclaimed_words(prizes_at(event).unclaimed, currency_of(event)),
        "in_force": live if live and typed == _posted(live) else None,
        "heads_behind": heads_behind(event),
    }
    return staff_page(request, "manager/payouts.html", context, event=event, status=status)


def _check(event: Event, check: PayoutsCheck | None) -> dict[str, Any]:
    """Return the sums of typed prizes, and why they cannot be posted or how they compare with the pool."""
    compared = compared_words(check.compared, currency_of(event)) if check and check.compared else []
    return {"check": check, "problem": said(check.problem) if check else "", "compared": compared}


@role_required(MANAGER, DIRECTOR)
@require_safe
def payouts_live_check(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the fragment beside the fields: the prize of every place, and whether they add up."""
    event = event_get(slug)
    typed = structure_typed(request.GET)
    check = payouts_check(event, typed.structure) if typed.structure else None
    context = {"built": typed, **_check(event, check)}
    return staff_page(request, "manager/_payouts_check.html", context, event=event)


def _problem(check: PayoutsCheck) -> Refusal:
    return Refusal(said(check.problem), check.code)


@role_required(MANAGER)
@require_safe
def payouts_confirm(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the prizes once more before they are posted or their replacement is requested."""
    event = event_get(slug)
    typed = structure_typed(request.GET)
    check = payouts_check(event, typed.structure) if typed.structure else None
    if check is None or not check.ok:
        return _builder(
            request, event, typed, status=422, refused=_problem(check) if check else typed.problem
        )
    return _confirm_page(request, event, typed, SupersedeForm())


def _confirm_page(
    request: HttpRequest,
    event: Event,
    typed: Typed,
    form: SupersedeForm,
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    check, live = payouts_check(event, typed.structure or {}), live_payouts(event)
    context = {
        "built": typed,
        **_check(event, check),
        "live": live,
        "ties": ties_words(ties_changed(event, [row.prize_cents for row in check.rows])) if live else [],
        "basis": payouts_basis(event.pk),
        "form": form,
        "refused": refused,
    }
    return staff_page(request, "manager/payouts_confirm.html", context, event=event, status=status)


@carries_out("payouts.post")
@posted("tournament:payouts")
def payouts_publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Post the structure: final, public, hashed (T31)."""
    event, typed = event_get(slug), structure_typed(request.POST)
    if typed.structure is None:
        return _builder(request, event, typed, status=422, refused=typed.problem)
    structure = typed.structure
    tried = act_or_sentence(
        lambda: payouts_post(
            event_id=event.pk, structure=structure, **pressed(request, payouts_basis, event.pk)
        )
    )
    if tried.result is None:
        return _builder(request, event, typed, status=tried.status, refused=tried.sentence)
    done = _("The payout structure is posted, version %(n)s.") % {"n": tried.result["version"]}
    return see_other(request, done, "tournament:payouts", slug=slug)


@carries_out("payouts_supersede")
@posted("tournament:payouts")
def payouts_replace(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask a second person to replace the posted structure, with a reason (T31)."""
    event, typed, form = event_get(slug), structure_typed(request.POST), SupersedeForm(request.POST)
    if typed.structure is None:
        return _builder(request, event, typed, status=422, refused=typed.problem)
    structure = typed.structure
    tried = act_or_sentence(
        lambda: payouts_supersede_request(
            event_id=event.pk,
            structure=structure,
            reason=form.cleaned_data["reason"],
            **pressed(request, payouts_basis, event.pk),
        ),
        form,
        reason_missing="reason",
    )
    if not tried.done:
        check = payouts_check(event, structure)
        if not check.ok:
            # Offer no request for prizes that cannot be paid.
            return _builder(request, event, typed, status=tried.status, refused=_problem(check))
        sentence = "" if form.errors else tried.sentence
        return _confirm_page(request, event, typed, form, status=tried.status, refused=sentence)
    return see_other(
        request,
        _("A second person has been asked to confirm the new structure."),
        "tournament:payouts",
        slug=slug,
    )


urlpatterns = [
    path("staff/<slug:slug>/payouts/", payouts, name="payouts"),
    path("staff/<slug:slug>/payouts/check/", payouts_live_check, name="payouts_check"),
    path("staff/<slug:slug>/payouts/confirm/", payouts_confirm, name="payouts_confirm"),
    path("staff/<slug:slug>/payouts/post/", payouts_publish, name="payouts_post"),
    path("staff/<slug:slug>/payouts/replace/", payouts_replace, name="payouts_replace"),
]
