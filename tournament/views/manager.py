"""The manager's pages: build and post the payout structure, pay the prizes (T30–T35)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.refused import Refused
from tournament.engine.payouts import FIXED, SHARES, template_structure
from tournament.forms.payouts import (
    PayForm,
    SupersedeForm,
    Typed,
    as_typed,
    kind_of,
    places_of,
    structure_typed,
)
from tournament.models import Event, Payment, PayoutStructure, Request
from tournament.roles import CASHIER, DIRECTOR, MANAGER, role_required
from tournament.selectors.bases import payouts_basis, prize_basis
from tournament.selectors.desk import entry_by_code
from tournament.selectors.prizes import (
    PrizeLine,
    entries_that_can_be_paid,
    payouts_check,
    payouts_may_be_posted,
    pool_of,
    prize_lines,
)
from tournament.selectors.stages import live_payouts
from tournament.services.basis import Press
from tournament.services.payouts import PAY, payouts_post, payouts_supersede_request, prize_pay
from tournament.views.forms_support import (
    Tried,
    act_or_sentence,
    actor_of,
    event_get,
    posted,
    press_of,
    see_other,
    staff_page,
)

TEMPLATES = range(2, 11)


# -- The structure ------------------------------------------------------------------------------------


@role_required(MANAGER, DIRECTOR)
@require_safe
def payouts(request: HttpRequest, slug: str) -> HttpResponse:
    """Build the structure from a template or by hand; what is posted, and what it replaced."""
    event = event_get(slug)
    return _builder(request, event, _typed(request, event))


def _typed(request: HttpRequest, event: Event) -> Typed:
    """What the boxes begin with: what was typed, a template, what is posted, or six places."""
    if "a1" in request.GET:
        return structure_typed(request.GET)
    live = live_payouts(event)
    if live is not None and "places" not in request.GET and "kind" not in request.GET:
        return as_typed(live.structure["kind"], live.structure["amounts"])
    default = len(live.prizes_cents) if live else min(6, max(2, entries_that_can_be_paid(event)))
    shares = template_structure(places_of(request.GET, default))
    if kind_of(request.GET) == SHARES:
        return as_typed(SHARES, shares.amounts)
    check = payouts_check(event, shares)
    return as_typed(FIXED, [row.prize_cents for row in check.rows] or [0] * len(shares.amounts))


def _builder(
    request: HttpRequest, event: Event, typed: Typed, status: int = 200, refused: str = ""
) -> HttpResponse:
    versions = list(
        PayoutStructure.objects.filter(event=event).select_related("posting").order_by("-version")
    )
    context = {
        "built": typed,
        "check": payouts_check(event, typed.structure) if typed.structure else None,
        "templates": TEMPLATES,
        "pool": pool_of(event),
        "may_post": payouts_may_be_posted(event),
        "versions": versions,
        "live": next((each for each in versions if each.status == PayoutStructure.Status.LIVE), None),
        "paying": Payment.objects.filter(event=event).exists(),
        "asked": Request.objects.filter(
            event=event, kind="payouts_supersede", status=Request.Status.OPEN
        ).first(),
        "refused": refused,
    }
    return staff_page(request, "tournament/staff/payouts.html", context, event=event, status=status)


@role_required(MANAGER, DIRECTOR)
@require_safe
def payouts_live_check(request: HttpRequest, slug: str) -> HttpResponse:
    """The fragment beside the boxes: what every place would be paid, and whether it adds up."""
    event = event_get(slug)
    typed = structure_typed(request.GET)
    context = {"built": typed, "check": payouts_check(event, typed.structure) if typed.structure else None}
    return staff_page(request, "tournament/staff/_payouts_check.html", context, event=event)


@role_required(MANAGER)
@require_safe
def payouts_confirm(request: HttpRequest, slug: str) -> HttpResponse:
    """Look at the prizes once more before they are posted, or a second person is asked to replace them."""
    event = event_get(slug)
    typed = structure_typed(request.GET)
    check = payouts_check(event, typed.structure) if typed.structure else None
    if check is None or not check.ok:
        return _builder(request, event, typed, status=422, refused=check.problem if check else typed.problem)
    return _confirm_page(request, event, typed, SupersedeForm())


def _confirm_page(
    request: HttpRequest,
    event: Event,
    typed: Typed,
    form: SupersedeForm,
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    context = {
        "built": typed,
        "check": payouts_check(event, typed.structure or {}),
        "live": live_payouts(event),
        "basis": payouts_basis(event.pk),
        "form": form,
        "refused": refused,
    }
    return staff_page(request, "tournament/staff/payouts_confirm.html", context, event=event, status=status)


def _press(request: HttpRequest, event: Event) -> Press:
    return press_of(request, partial(payouts_basis, event.pk))


@role_required(MANAGER)
@posted("tournament:payouts")
def payouts_publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Post the structure: final, public, hashed (T31)."""
    event, typed = event_get(slug), structure_typed(request.POST)
    if typed.structure is None:
        return _builder(request, event, typed, status=422, refused=typed.problem)
    structure = typed.structure
    tried = act_or_sentence(
        lambda: payouts_post(
            event_id=event.pk, structure=structure, key=_press(request, event), actor=actor_of(request)
        )
    )
    if tried.result is None:
        return _builder(request, event, typed, status=tried.status, refused=tried.sentence)
    said = _("The payout structure is posted, version %(n)s.") % {"n": tried.result["version"]}
    return see_other(request, said, "tournament:payouts", slug=slug)


@role_required(MANAGER)
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
            key=_press(request, event),
            actor=actor_of(request),
        ),
        form,
        reason_missing="reason",
    )
    if not tried.done:
        sentence = "" if form.errors else tried.sentence
        return _confirm_page(request, event, typed, form, status=tried.status, refused=sentence)
    return see_other(
        request,
        _("A second person has been asked to confirm the new structure."),
        "tournament:payouts",
        slug=slug,
    )


# -- Paying -------------------------------------------------------------------------------------------


@role_required(CASHIER, MANAGER, DIRECTOR)
@require_safe
def pay(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is owed what, by place, and who has been paid."""
    event = event_get(slug)
    if event.status == Event.Status.CALLED_OFF:
        return see_other(request, "", "tournament:refunds", slug=slug)
    lines = prize_lines(event)
    asked = Request.objects.filter(event=event, kind=PAY, status=Request.Status.OPEN).values_list(
        "body__entry", flat=True
    )
    context = {
        "lines": lines,
        "asked": set(asked),
        "first_unpaid": next((each.entry.pk for each in lines if not each.payment), None),
        "owed_cents": sum(line.amount_cents for line in lines),
        "paid_cents": sum(line.payment.amount_cents for line in lines if line.payment),
        "live": live_payouts(event),
    }
    return staff_page(request, "tournament/staff/pay.html", context, event=event)


@role_required(CASHIER, MANAGER)
def pay_entry(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Check the identity and pay one prize, once (T35)."""
    event = event_get(slug)
    line = _prize_line(event, code)
    form = PayForm(request.POST or None)
    if line.payment is not None and request.method != "POST":
        return see_other(request, "", "tournament:pay_receipt", slug=slug, code=line.entry.code)
    tried = Tried()
    if request.method == "POST":
        form.is_valid()
        tried = act_or_sentence(
            lambda: prize_pay(
                entry_id=line.entry.pk,
                identity_checked=form.cleaned_data["identity_checked"],
                key=press_of(request, partial(prize_basis, line.entry.pk)),
                actor=actor_of(request),
            ),
            form,
            identity_not_checked="identity_checked",
        )
        if tried.result is not None:
            return _paid(request, slug, line, tried.result)
    basis = prize_basis(line.entry.pk)
    context = {"line": line, "basis": basis, "form": form, "refused": "" if form.errors else tried.sentence}
    return staff_page(request, "tournament/staff/pay_entry.html", context, event=event, status=tried.status)


def _prize_line(event: Event, code: str) -> PrizeLine:
    try:
        found = entry_by_code(event, code)
    except Refused as refused:
        raise Http404 from refused
    line = next((each for each in prize_lines(event) if each.entry.pk == found.pk), None)
    if line is None:
        raise Http404
    return line


def _paid(request: HttpRequest, slug: str, line: PrizeLine, result: dict[str, Any]) -> HttpResponse:
    if "request" in result:
        said = _("A second person has been asked to confirm the prize of %(code)s.") % {
            "code": line.entry.code
        }
        return see_other(request, said, "tournament:pay", slug=slug)
    said = _("%(code)s is paid.") % {"code": line.entry.code}
    if result.get("event_paid"):
        said = _("%(code)s is paid. That was the last prize: the event is paid.") % {"code": line.entry.code}
    return see_other(request, said, "tournament:pay_receipt", slug=slug, code=line.entry.code)


@role_required(CASHIER, MANAGER, DIRECTOR)
@require_safe
def pay_receipt(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """The receipt of a prize, to print and sign."""
    event = event_get(slug)
    line = _prize_line(event, code)
    if line.payment is None:
        return see_other(request, "", "tournament:pay", slug=slug)
    context = {"line": line, "live": live_payouts(event)}
    return staff_page(request, "tournament/staff/pay_receipt.html", context, event=event)


urlpatterns = [
    path("staff/<slug:slug>/payouts/", payouts, name="payouts"),
    path("staff/<slug:slug>/payouts/check/", payouts_live_check, name="payouts_check"),
    path("staff/<slug:slug>/payouts/confirm/", payouts_confirm, name="payouts_confirm"),
    path("staff/<slug:slug>/payouts/post/", payouts_publish, name="payouts_post"),
    path("staff/<slug:slug>/payouts/replace/", payouts_replace, name="payouts_replace"),
    path("staff/<slug:slug>/pay/", pay, name="pay"),
    path("staff/<slug:slug>/pay/<slug:code>/", pay_entry, name="pay_entry"),
    path("staff/<slug:slug>/pay/<slug:code>/receipt/", pay_receipt, name="pay_receipt"),
]
