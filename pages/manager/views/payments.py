"""Payments of prizes: the list, the payment, its receipt, and its reversal (T26, T35)."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pages.bases import prize_basis
from pages.guard import carries_out, role_required
from pages.kit import (
    act_or_sentence,
    entry_get,
    event_get,
    posted,
    pressed,
    see_other,
    sent,
    staff_page,
    told,
)
from pages.languages import printed
from pages.manager.forms import PayForm, TakeBackForm
from pages.unsaved import keeps_typed, typed_by
from pages.words.prize_waits import prize_waits
from pages.words.prizes import still_to_pay_words, tax_form_words, unclaimed_words
from tournament.models import Event, Request
from tournament.roles import CASHIER, DIRECTOR, MANAGER
from tournament.selectors.heads import heads_behind
from tournament.selectors.prizes import PrizeLine, currency_of, prize_line, prize_lines, prizes_at
from tournament.selectors.stages import live_payouts
from tournament.services.payments import PAY, prize_pay, prize_take_back_request, why_not_pay, why_not_pay_yet


@role_required(CASHIER, MANAGER, DIRECTOR)
@require_safe
def pay(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the prizes by place, and whether they are paid."""
    event = event_get(slug)
    if event.status == Event.Status.CALLED_OFF:
        return see_other(request, "", "tournament:refunds", slug=slug)
    lines = prize_lines(event)
    waits = prize_waits(event, lines)
    payable = (each.entry.pk for each in lines if each.left_cents and each.entry.pk not in waits)
    context = {
        "lines": [(line, waits.get(line.entry.pk, "")) for line in lines],
        "first_unpaid": next(payable, None),
        "owed_cents": sum(line.amount_cents for line in lines),
        "paid_cents": sum(line.paid_cents for line in lines),
        "live": live_payouts(event),
        "unclaimed": unclaimed_words(prizes_at(event).unclaimed, currency_of(event)),
        "heads_behind": heads_behind(event),
    }
    return staff_page(request, "manager/pay.html", context, event=event)


@keeps_typed
@carries_out("prize.pay", "prize_pay")
def pay_entry(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Check the identity and pay one prize, or what was added since it was paid (T35)."""
    event = event_get(slug)
    line = _prize_line(event, code)
    form = PayForm(sent(request))
    if not line.left_cents and request.method != "POST":
        return _nothing_left(request, slug, line)
    tried = act_or_sentence(
        lambda: prize_pay(
            entry_id=line.entry.pk, **form.cleaned_data, **pressed(request, prize_basis, line.entry.pk)
        ),
        form,
        identity_not_checked="identity_checked",
    )
    if tried.result is not None:
        return _paid(request, slug, line, tried.result)
    context = {
        "line": line,
        "basis": prize_basis(line.entry.pk),
        "typed_by": typed_by(request),
        "form": form,
        "tax_form": tax_form_words(line, currency_of(event)),
        "refused": "" if form.errors else tried.sentence,
        "why_not": told(why_not_pay(line.entry)),
        "asked_to_pay": _asked_to_pay(event, line),
    }
    return staff_page(request, "manager/pay_entry.html", context, event=event, status=tried.status)


def _nothing_left(request: HttpRequest, slug: str, line: PrizeLine) -> HttpResponse:
    """Redirect from a paid prize to its receipt, and from no prize to the list of prizes."""
    if line.payments:
        return see_other(request, "", "tournament:pay_receipt", slug=slug, code=line.entry.code)
    return see_other(request, told(why_not_pay(line.entry)), "tournament:pay", slug=slug)


def _asked_to_pay(event: Event, line: PrizeLine) -> bool:
    """Whether a request to confirm this payment is already open."""
    waiting = Request.objects.filter(event=event, kind=PAY, status=Request.Status.OPEN)
    return waiting.filter(body__entry=line.entry.pk).exists()


def _prize_line(event: Event, code: str) -> PrizeLine:
    """Return the prize line of an entry; a line of 0 if it has no prize, or none any more."""
    return prize_line(event, entry_get(event, code))


def _paid(request: HttpRequest, slug: str, line: PrizeLine, result: dict[str, Any]) -> HttpResponse:
    if "request" in result:
        message = _("A second person has been asked to confirm the prize of %(code)s.") % {
            "code": line.entry.code
        }
        return see_other(request, message, "tournament:pay", slug=slug)
    message = _("%(code)s is paid.") % {"code": line.entry.code}
    if result.get("event_paid"):
        message = _("%(code)s is paid. That was the last prize: the event is paid.") % {
            "code": line.entry.code
        }
    return see_other(request, message, "tournament:pay_receipt", slug=slug, code=line.entry.code)


@role_required(CASHIER, MANAGER, DIRECTOR)
@require_safe
@printed
def pay_receipt(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Show the receipt of a prize, to print and sign, and the form to request its reversal."""
    event = event_get(slug)
    line = _prize_line(event, code)
    if not line.payments:
        return see_other(request, "", "tournament:pay", slug=slug)
    return _receipt_page(request, event, line)


def _receipt_page(
    request: HttpRequest, event: Event, line: PrizeLine, status: int = 200, **context: Any
) -> HttpResponse:
    context = {
        "line": line,
        "live": live_payouts(event),
        "asked": _asked_words(event, line),
        "still_to_pay": still_to_pay_words(line, currency_of(event)),
        "basis": prize_basis(line.entry.pk),
        "take_back": TakeBackForm(),
        "tax_form": tax_form_words(line, currency_of(event)),
        **context,
    }
    return staff_page(request, "manager/pay_receipt.html", context, event=event, status=status)


def _asked_words(event: Event, line: PrizeLine) -> str:
    """Return the open request about this prize in words; empty without one."""
    if _asked_to_pay(event, line):
        return _("A second person has already been asked to confirm this prize, on the page 'Second person'.")
    return told(why_not_pay_yet(line.entry))


@carries_out("prize_take_back")
@posted("tournament:pay_receipt", "slug", "code")
def pay_take_back(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Ask a second person to reverse a payment, with a reason (faults)."""
    event = event_get(slug)
    line, form = _prize_line(event, code), TakeBackForm(request.POST)
    if not line.payments:
        raise Http404
    tried = act_or_sentence(
        lambda: prize_take_back_request(
            entry_id=line.entry.pk,
            reason=form.cleaned_data["reason"],
            **pressed(request, prize_basis, line.entry.pk),
        ),
        form,
        reason_missing="reason",
        text_bad="reason",
    )
    if not tried.done:
        refused = "" if form.errors else tried.sentence
        return _receipt_page(request, event, line, tried.status, take_back=form, refused=refused)
    message = _("A second person has been asked to confirm that the payment of %(code)s is taken back.")
    return see_other(request, message % {"code": line.entry.code}, "tournament:pay", slug=slug)


urlpatterns = [
    path("staff/<slug:slug>/pay/", pay, name="pay"),
    path("staff/<slug:slug>/pay/<slug:code>/", pay_entry, name="pay_entry"),
    path("staff/<slug:slug>/pay/<slug:code>/receipt/", pay_receipt, name="pay_receipt"),
    path("staff/<slug:slug>/pay/<slug:code>/take-back/", pay_take_back, name="pay_take_back"),
]
