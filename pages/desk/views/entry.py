"""The page of an entry: withdraw it, log a penalty, disqualify it, print its receipt and seat card."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.refused import Refused
from pages.bases import entry_basis
from pages.desk.forms import PenaltyForm, WithdrawForm
from pages.desk.reads import asked_about, disqualifying, without_form
from pages.fields import ReasonForm
from pages.guard import carries_out, role_required
from pages.kit import (
    Tried,
    act_or_sentence,
    actor_of,
    entry_get,
    event_get,
    opens,
    posted,
    pressed,
    refused_in_ask,
    see_other,
    staff_page,
    told,
)
from pages.languages import printed
from pages.qr import qr_svg
from pages.unsaved import keeps_typed, typed_by
from pages.words.cut import cuts_of_entry
from pages.words.history import history_shown
from pages.words.replacing import replacing_link
from tables.selectors.whereabouts import seats_taken
from tournament.engine.state import State
from tournament.figures import money
from tournament.models import Entry, Event, Penalty, Stack
from tournament.roles import CASHIER, DIRECTOR, FLOOR, MANAGER, roles_of
from tournament.selectors.desk import money_lines, roster_locked, seating_of, waiting_number
from tournament.selectors.entrants import entry_may_play, entry_statuses_set
from tournament.selectors.penalties import PENALTY, penalties_of
from tournament.selectors.prizes import currency_of, prizes_for
from tournament.selectors.refunds import due_left
from tournament.selectors.stage_ranking import entry_rows, left_play, place_shown, row_in_front
from tournament.selectors.stages import state_of
from tournament.services.entries import entry_disqualify_request, entry_withdraw, why_not_withdraw
from tournament.services.penalties import penalty_add, penalty_cancel
from tournament.services.requests import why_not_request


@role_required(CASHIER, DIRECTOR, MANAGER, FLOOR)
@require_safe
def entry(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Show an entry: its payments, its standing, its history, and the actions on it."""
    event = event_get(slug)
    return _entry_page(request, event, entry_get(event, code))


def _entry_page(
    request: HttpRequest, event: Event, entry: Entry, status: int = 200, **context: Any
) -> HttpResponse:
    state = _state(event)
    rows = entry_rows(entry, state)
    stacks, front = [row.stack for row in rows], row_in_front(rows)
    locked = roster_locked(event)
    entry_statuses_set(event, [entry])
    replaced = why_not_withdraw(entry)
    context = {
        "entry": entry,
        "typed_by": typed_by(request),
        "basis": entry_basis(entry.pk),
        "money": money_lines(entry),
        "rows": cuts_of_entry(request, event, rows) if state else [{"row": row} for row in rows],
        "chips": front.stack.chips if front else None,
        "left_play": left_play(front),
        "seat": _seat_words(entry, stacks),
        "waiting_number": waiting_number(entry),
        "place": place_shown(event, entry, state) if state else None,
        "prize_cents": prizes_for(event).get(entry.code),
        "prize_receipt": _prize_receipt(request, event, entry),
        "due": due_left(event, entry),
        "penalties": penalties_of(entry),
        **history_shown(entry),
        "only_replaced": told(replaced),
        "replacing": replacing_link(entry) if replaced else "",
        "ruling": locked and entry.status != Entry.Status.WAITING,
        "in_event": entry.status in (Entry.Status.LIVE, Entry.Status.WAITING)
        and event.status in (Event.Status.OPEN, Event.Status.RUNNING),
        **disqualifying(entry),
        "withdraw": WithdrawForm(),
        "penalty": PenaltyForm(takes_chips=_takes_chips(request)),
        **asked_about(event, entry, stacks, partial(opens, request)),
        "disqualify": ReasonForm(),
        **context,
    }
    context["above"] = context.get("above") or without_form(context, roles_of(request.user))
    if state is None:
        context["above"] = _("The journal of this event is not whole, so no places are shown.")
    return staff_page(request, "desk/entry.html", context, event=event, status=status)


def _state(event: Event) -> State | None:
    """Return the state of the event; None once it is called off if its journal is not whole.

    Refunds are handed out all the same.
    """
    try:
        return state_of(event)
    except Refused:
        if event.status != Event.Status.CALLED_OFF:
            raise
        return None


def _prize_receipt(request: HttpRequest, event: Event, entry: Entry) -> str:
    """Return the address of the receipt once a prize was paid, for a person who may open it; else empty."""
    href = reverse("tournament:pay_receipt", args=[event.slug, entry.code])
    return href if entry.payments.exists() and opens(request, href) else ""


def _takes_chips(request: HttpRequest) -> bool:
    """Whether this person may ask for a penalty in chips."""
    return why_not_request(PENALTY, actor_of(request)) is None


def _refused(
    request: HttpRequest, event: Event, entry: Entry, where: str, tried: Tried, form: BaseForm
) -> HttpResponse:
    """Show a refusal beside its form, or on top if the form is gone because the entry has changed."""
    if tried.code == "stale":
        shown = {"above": tried.sentence}
    else:
        shown = {"refused": "" if form.errors else tried.sentence}
    return _entry_page(request, event, entry, tried.status, refused_at=where, **{where: form}, **shown)


def _seat_words(entry: Entry, stacks: list[Stack]) -> str:
    open_rounds = [stack.round_id for stack in stacks if stack.round.closed_at is None]
    seats = seats_taken(open_rounds) if open_rounds else {}
    found = next((seats[pk, entry.pk] for pk in reversed(open_rounds) if (pk, entry.pk) in seats), None)
    return _("table %(table)s, box %(box)s") % {"table": found[0], "box": found[1]} if found else ""


@keeps_typed
@carries_out("entry.withdraw")
@posted("tournament:entry", "slug", "code")
def entry_leave(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Withdraw an entry: before the draw with its refund; later the director rules, with a reason (T7)."""
    event = event_get(slug)
    found, form = entry_get(event, code), WithdrawForm(request.POST)
    ruling = roster_locked(event) and found.status != Entry.Status.WAITING
    if ruling and DIRECTOR not in roles_of(request.user):
        sentence = _("The roster is locked: only the director can withdraw an entry now. Ask the director.")
        return _entry_page(
            request, event, found, status=403, refused=sentence, refused_at="withdraw", withdraw=form
        )

    def act() -> dict[str, Any]:
        return entry_withdraw(
            entry_id=found.pk,
            reason=form.cleaned_data["reason"],
            refund=form.cleaned_data["refund"] if ruling else True,
            **pressed(request, entry_basis, found.pk),
        )

    tried = act_or_sentence(act, form, reason_missing="reason", text_too_long="reason")
    if tried.result is None:
        return _refused(request, event, found, "withdraw", tried, form)
    message = _("%(code)s is withdrawn. Refunded: %(amount)s.")
    words = {"code": found.code, "amount": money(tried.result["refunded_cents"], currency_of(event))}
    return see_other(request, message % words, "tournament:entry", slug=slug, code=found.code)


@keeps_typed
@carries_out("penalty.add", "penalty_chips")
@posted("tournament:entry", "slug", "code")
def entry_penalty(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Log a warning or a hand sat out, or ask a second person for a penalty in chips (T26)."""
    event = event_get(slug)
    # The service tells a person who may not ask for chips; the form accepts the choice.
    asks_for_chips = _takes_chips(request) or request.POST.get("kind") == Penalty.Kind.CHIPS
    found, form = entry_get(event, code), PenaltyForm(request.POST, takes_chips=asks_for_chips)

    def act() -> dict[str, Any]:
        cleaned = form.cleaned_data
        return penalty_add(
            entry_id=found.pk,
            kind=cleaned["kind"],
            reason=cleaned["reason"],
            chips=cleaned.get("chips") or 0,
            **pressed(request, entry_basis, found.pk),
        )

    tried = act_or_sentence(
        act, form, not_whole_chips="chips", not_enough_chips="chips", reason_missing="reason"
    )
    if tried.result is None:
        return _refused(request, event, found, "penalty", tried, form)
    if "request" in tried.result:
        message = _("A second person has been asked to confirm the penalty. Until then it takes no chips.")
        return see_other(request, message, "tournament:requests", slug=slug)
    return see_other(request, _("The penalty is logged."), "tournament:entry", slug=slug, code=found.code)


@keeps_typed
@carries_out("penalty.cancel", "penalty_chips_back")
@posted("tournament:entry", "slug", "code")
def entry_penalty_cancel(request: HttpRequest, slug: str, code: str, penalty_id: int) -> HttpResponse:
    """Cancel a penalty, with a reason; a second person is asked to give chips back (T26)."""
    event = event_get(slug)
    found = entry_get(event, code)
    penalty = get_object_or_404(Penalty, pk=penalty_id, entry=found)
    tried = act_or_sentence(
        lambda: penalty_cancel(
            penalty_id=penalty.pk,
            reason=request.POST.get("reason", ""),
            **pressed(request, entry_basis, found.pk),
        )
    )
    if tried.result is None:
        mine = next(row for row in penalties_of(found) if row.penalty.pk == penalty.pk)
        where = refused_in_ask(tried, asks=not mine.penalty.cancelled_at and not mine.cancelling)
        return _entry_page(
            request, event, found, status=tried.status, above=where.get("refused", ""), **where
        )
    if "request" in tried.result:
        sentence = _("A second person has been asked to give the chips back.")
        return see_other(request, sentence, "tournament:requests", slug=slug)
    return see_other(request, _("The penalty is cancelled."), "tournament:entry", slug=slug, code=found.code)


@keeps_typed
@carries_out("disqualify")
@posted("tournament:entry", "slug", "code")
def entry_disqualify(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Ask a second person for a disqualification (T26)."""
    event = event_get(slug)
    found, form = entry_get(event, code), ReasonForm(request.POST)
    tried = act_or_sentence(
        lambda: entry_disqualify_request(
            entry_id=found.pk,
            reason=form.cleaned_data["reason"],
            **pressed(request, entry_basis, found.pk),
        ),
        form,
        reason_missing="reason",
    )
    if not tried.done:
        return _refused(request, event, found, "disqualify", tried, form)
    message = _("A second person has been asked to confirm the disqualification.")
    return see_other(request, message, "tournament:requests", slug=slug)


@role_required(CASHIER, DIRECTOR)
@require_safe
@printed
def receipt(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Print receipt and seat card on one page, with the QR code of the player's own page."""
    event = event_get(slug)
    found = entry_get(event, code)
    money = [line.made for line in money_lines(found)]
    paid = [each for each in money if each.kind == "buy_in"]
    stacks = list(found.stacks.select_related("round").order_by("round_id"))
    board = reverse("tournament:leaderboard", kwargs={"slug": event.slug})
    address = request.build_absolute_uri(f"{board}?you={found.code}")
    context = {
        "entry": found,
        "paid": paid[0] if paid else None,
        "given_back": [each for each in money if each.kind == "refund"],
        "may_play": entry_may_play(event, found),
        "seated_once": bool(stacks),
        "seat": _seat_words(found, stacks),
        "waiting_number": waiting_number(found),
        "seating": seating_of(event) if found.status == Entry.Status.WAITING else None,
        "address": address,
        "qr": qr_svg(address),
    }
    return staff_page(request, "desk/receipt.html", context, event=event)


urlpatterns = [
    path("staff/<slug:slug>/entries/<slug:code>/", entry, name="entry"),
    path("staff/<slug:slug>/entries/<slug:code>/withdraw/", entry_leave, name="entry_leave"),
    path("staff/<slug:slug>/entries/<slug:code>/penalty/", entry_penalty, name="entry_penalty"),
    path(
        "staff/<slug:slug>/entries/<slug:code>/penalty/<int:penalty_id>/cancel/",
        entry_penalty_cancel,
        name="entry_penalty_cancel",
    ),
    path("staff/<slug:slug>/entries/<slug:code>/disqualify/", entry_disqualify, name="entry_disqualify"),
    path("staff/<slug:slug>/entries/<slug:code>/receipt/", receipt, name="receipt"),
]
