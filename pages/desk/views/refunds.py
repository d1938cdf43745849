"""Refunds of a called-off event, handed out one by one with a receipt (T8)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pages.bases import refund_basis
from pages.guard import carries_out, role_required
from pages.kit import act_or_sentence, entry_get, event_get, pressed, see_other, sent, staff_page
from pages.languages import printed
from pages.manager.forms import HandOutForm
from pages.unsaved import keeps_typed, typed_by
from tournament.models import Event
from tournament.roles import CASHIER, DIRECTOR, MANAGER
from tournament.selectors.refunds import Due, due_of, dues
from tournament.services.refunds import refund_hand_out


@role_required(CASHIER, MANAGER, DIRECTOR)
@require_safe
def refunds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every refund, whether it was handed out, and how much is left."""
    event = event_get(slug)
    return staff_page(request, "desk/refunds.html", {"dues": dues(event)}, event=event)


@keeps_typed
@carries_out("refund.hand_out")
def refund_entry(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Check the identity and hand out one refund, once."""
    event = event_get(slug)
    due = _due(event, code)
    form = HandOutForm(sent(request))
    if due.hand_out and request.method != "POST":
        return see_other(request, "", "tournament:refund_receipt", slug=slug, code=due.entry.code)
    tried = act_or_sentence(
        lambda: refund_hand_out(
            entry_id=due.entry.pk, **form.cleaned_data, **pressed(request, refund_basis, due.entry.pk)
        ),
        form,
        identity_not_checked="identity_checked",
    )
    if tried.done:
        message = _("The buy-in of %(code)s is refunded.") % {"code": due.entry.code}
        return see_other(request, message, "tournament:refund_receipt", slug=slug, code=due.entry.code)
    context = {
        "due": due,
        "basis": refund_basis(due.entry.pk),
        "typed_by": typed_by(request),
        "form": form,
        "refused": "" if form.errors else tried.sentence,
    }
    return staff_page(request, "desk/refund_entry.html", context, event=event, status=tried.status)


def _due(event: Event, code: str) -> Due:
    due = due_of(event, entry_get(event, code))
    if due is None:
        raise Http404
    return due


@role_required(CASHIER, MANAGER, DIRECTOR)
@require_safe
@printed
def refund_receipt(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Show the receipt of a refund, to print and sign."""
    event = event_get(slug)
    due = _due(event, code)
    if due.hand_out is None:
        return see_other(request, "", "tournament:refunds", slug=slug)
    return staff_page(request, "desk/refund_receipt.html", {"due": due}, event=event)


urlpatterns = [
    path("staff/<slug:slug>/refunds/", refunds, name="refunds"),
    path("staff/<slug:slug>/refunds/<slug:code>/", refund_entry, name="refund_entry"),
    path("staff/<slug:slug>/refunds/<slug:code>/receipt/", refund_receipt, name="refund_receipt"),
]
