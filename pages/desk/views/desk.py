"""The cashier's desk: find or add a person, check, buy in, receipt; and the page of an entry."""

from __future__ import annotations

from functools import partial
from typing import Any

import segno
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import path, reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.refused import Refused
from pages.bases import desk_basis, entry_basis
from pages.cut_told import cuts_of_entry
from pages.desk.forms import (
    BuyInForm,
    IdentityForm,
    PenaltyForm,
    PlayerForm,
    TurnAwayForm,
    WithdrawForm,
)
from pages.desk.reads import asked_about, disqualifying, without_form
from pages.fields import ReasonForm
from pages.guard import carries_out
from pages.history import history_shown
from pages.kit import (
    Tried,
    act_or_sentence,
    actor_of,
    event_get,
    form_sentence,
    key_of,
    number_or_0,
    opens,
    posted,
    press_of,
    reason_refused,
    refused_in_ask,
    said,
    see_other,
    staff_page,
    typed_text,
    wants_fragment,
)
from pages.replacing import replacing_link
from pages.seat_told import seat_told
from pages.unsaved import keeps_typed, typed_by
from tables.selectors.whereabouts import seats_taken
from tournament.engine.typed import plain_number
from tournament.figures import money
from tournament.models import Entry, Event, Penalty, Player, Stack
from tournament.roles import CASHIER, DIRECTOR, FLOOR, MANAGER, role_required, roles_of
from tournament.selectors.alternates import seating_of
from tournament.selectors.buying import AtDesk, alike_at_desk, players_at_desk
from tournament.selectors.desk import (
    desk_summary,
    entries_list,
    entry_by_code,
    money_lines,
    players_search,
    roster_locked,
    round_begun,
    waiting_number,
    why_new_entry_waits,
)
from tournament.selectors.entrants import entry_may_play, entry_words
from tournament.selectors.penalties import PENALTY, penalties_of
from tournament.selectors.prizes import currency_of, prizes_for
from tournament.selectors.refunds import due_left
from tournament.selectors.stage_ranking import chips_in_front, entry_rows, left_play, place_shown
from tournament.services.entries import (
    entry_buy_in,
    entry_disqualify_request,
    entry_withdraw,
    why_not_withdraw,
)
from tournament.services.penalties import penalty_add, penalty_cancel
from tournament.services.people import (
    player_check_refuse,
    player_create,
    player_identity,
    player_let_in_request,
    players_apart_request,
)
from tournament.services.press import Press
from tournament.services.requests import why_not_ask

ENTRIES_SHOWN = 25
SELLS = (CASHIER, DIRECTOR)


# -- The desk -----------------------------------------------------------------------------------------


@role_required(*SELLS)
@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Find a person by name or part of it, sell an entry; as you type with htmx, by Enter without."""
    event = event_get(slug)
    typed = " ".join(typed_text(request.GET, "q", 200).split())
    found = _found(event, typed)
    if wants_fragment(request) and "q" in request.GET:
        return staff_page(request, "desk/_found.html", _found_context(typed, found), event=event)
    person = _person(event, request.GET.get("player", ""))
    if person is None and len(found) == 1 and found[0].entry is None:
        person = found[0]
    return _desk_page(request, event, typed=typed, found=found, person=person)


def _found(event: Event, typed: str) -> list[AtDesk]:
    number = plain_number(typed.removeprefix("E").removeprefix("e"), digits_max=5)
    if number is not None:
        players = list(Player.objects.filter(entries__event=event, entries__number=number))
    else:
        players = players_search(typed)
    return players_at_desk(event, players) if players else []


def _found_context(typed: str, found: list[AtDesk]) -> dict[str, Any]:
    return {"typed_name": typed, "found": found, "asked": bool(typed)}


def _person(event: Event, player_id: str) -> AtDesk | None:
    number = number_or_0(player_id)
    players = list(Player.objects.filter(pk=number)) if number else []
    return next(iter(players_at_desk(event, players)), None) if players else None


def _desk_page(
    request: HttpRequest,
    event: Event,
    *,
    typed: str = "",
    found: list[AtDesk] | None = None,
    person: AtDesk | None = None,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    entries = entries_list(event)
    nobody = bool(typed) and not found and person is None
    sold = request.GET.get("sold", "")
    waiting = sorted(
        (entry for entry in entries if entry.waiting_since),
        key=lambda entry: (entry.waiting_since, entry.number),
    )
    context = {
        **_found_context(typed, found or []),
        "summary": desk_summary(event),
        "closed": _why_closed(event),
        "why_waits": why_new_entry_waits(event),
        "entries": entries[::-1] if "all" in request.GET else entries[::-1][:ENTRIES_SHOWN],
        "entries_count": len(entries),
        "waiting": waiting,
        "seating": seating_of(event) if waiting else None,
        "sold": next((entry for entry in entries if entry.code == sold), None),
        "person": person,
        "alike": alike_at_desk(event, person) if person else [],
        "typed_by": typed_by(request),
        "basis": desk_basis(event.pk, person.player.pk) if person else None,
        "nobody": nobody,
        "new_player": None if person else PlayerForm.of_somebody(typed, focused=nobody),
        "buy_in": BuyInForm(),
        "identity": IdentityForm(),
        **context,
    }
    return staff_page(request, "desk/desk.html", context, event=event, status=status)


def _at_desk(request: HttpRequest, event: Event, player: Player) -> Press:
    return press_of(request, partial(desk_basis, event.pk, player.pk))


def _why_closed(event: Event) -> str:
    """Why nothing can be sold; empty while it can."""
    if event.status == Event.Status.DRAFT:
        return _("The desk opens when the rules are posted.")
    if event.status == Event.Status.CALLED_OFF:
        return _("The event is called off. What is due is handed out on the page 'Pay'.")
    if event.status not in (Event.Status.OPEN, Event.Status.RUNNING):
        return _("The desk is closed: the event is %(status)s.") % {"status": event.get_status_display()}
    return (
        _("The desk is closed: round 1 has begun, and nobody can enter any more.")
        if round_begun(event)
        else ""
    )


@keeps_typed
@carries_out("player.create")
@posted("tournament:desk")
def desk_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Add somebody who is new to the house, and go on to the check."""
    event, form = event_get(slug), PlayerForm(request.POST)

    def act() -> dict[str, Any]:
        return player_create(
            **form.cleaned_data, event_id=event.pk, key=key_of(request), actor=actor_of(request)
        )

    fields = dict.fromkeys(("identity_known", "identity_bad", "identity_missing"), "identity_number")
    tried = act_or_sentence(act, form, **fields, birth_year_bad="birth_year")
    if tried.result is None:
        typed = typed_text(request.POST, "q")
        # Where the desk is closed its form is not on the page, and nothing is marked in it.
        closed = _why_closed(event)
        beside = form.errors and (tried.code == "form" or not closed)
        sentence = closed if beside else tried.sentence
        return _desk_page(
            request, event, typed=typed, new_player=form, adding=True, refused=sentence, status=tried.status
        )
    return see_other(
        request, "", f"{resolve_url('tournament:desk', slug=slug)}?player={tried.result['player']}"
    )


@keeps_typed
@carries_out("entry.buy_in")
@posted("tournament:desk")
def desk_buy_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Sell an entry; who loses a race for the day limit reads what is left (T2)."""
    event, form = event_get(slug), BuyInForm(request.POST)
    person = _person(event, request.POST.get("player", ""))
    if person is None:
        raise Http404

    def act() -> dict[str, Any]:
        return entry_buy_in(
            event_id=event.pk,
            player_id=person.player.pk,
            identity_checked=form.cleaned_data["identity_checked"],
            key=_at_desk(request, event, person.player),
            actor=actor_of(request),
        )

    tried = act_or_sentence(act, form, identity_not_checked="identity_checked")
    if tried.result is None:
        # What the person has left may have changed meanwhile: it is read again.
        again = _person(event, str(person.player.pk))
        typed = typed_text(request.POST, "q")
        sentence = "" if form.errors else tried.sentence
        return _desk_page(
            request, event, typed=typed, person=again, buy_in=form, refused=sentence, status=tried.status
        )
    said = _("%(code)s · %(name)s has bought in.")
    if tried.result["status"] == Entry.Status.WAITING:
        said = _("%(code)s · %(name)s has bought in and waits as alternate %(n)s. %(why)s")
    words = {
        "code": tried.result["code"],
        "name": person.player.full_name,
        "n": tried.result["waiting_number"],
        "why": why_new_entry_waits(event),
    }
    return see_other(
        request, said % words, f"{resolve_url('tournament:desk', slug=slug)}?sold={tried.result['code']}"
    )


@keeps_typed
@carries_out("player.turned_away")
@posted("tournament:desk")
def desk_turn_away(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that a person was turned away: the check, its time and the checker (T7)."""
    event, form = event_get(slug), TurnAwayForm(request.POST)
    player = get_object_or_404(Player, pk=number_or_0(request.POST.get("player", "")))
    tried = act_or_sentence(
        lambda: player_check_refuse(
            event_id=event.pk,
            player_id=player.pk,
            outcome=form.cleaned_data["outcome"],
            key=_at_desk(request, event, player),
            actor=actor_of(request),
        ),
        form,
    )
    if not tried.done:
        person, sentence = _person(event, str(player.pk)), form_sentence(form) or tried.sentence
        return _desk_page(request, event, person=person, refused=sentence, status=tried.status)
    return see_other(
        request,
        _("Recorded: %(name)s was turned away.") % {"name": player.full_name},
        "tournament:desk",
        slug=slug,
    )


@keeps_typed
@carries_out("player.identity")
@posted("tournament:desk")
def desk_identity(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the identity number on a record that has none, and go on to the check (T2)."""
    event, form = event_get(slug), IdentityForm(request.POST)
    player = get_object_or_404(Player, pk=number_or_0(request.POST.get("player", "")))
    tried = act_or_sentence(
        lambda: player_identity(
            player_id=player.pk,
            identity_number=form.cleaned_data["identity_number"],
            key=_at_desk(request, event, player),
            actor=actor_of(request),
        ),
        form,
    )
    if not tried.done:
        person, sentence = _person(event, str(player.pk)), form_sentence(form) or tried.sentence
        return _desk_page(request, event, person=person, refused=sentence, status=tried.status)
    return see_other(request, "", f"{resolve_url('tournament:desk', slug=slug)}?player={player.pk}")


ASKS = {"turned_away": player_let_in_request, "likely_duplicate": players_apart_request}
"""What bars a person, and what two persons may rule about it."""


@keeps_typed
@carries_out("player_let_in", "players_apart")
@posted("tournament:desk")
def desk_ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask a second person about somebody who cannot buy in as things are (T2, T7)."""
    event = event_get(slug)
    person = _person(event, request.POST.get("player", ""))
    if person is None or person.code not in ASKS:
        raise Http404
    tried = act_or_sentence(
        lambda: ASKS[person.code](
            event_id=event.pk,
            player_id=person.player.pk,
            reason=request.POST.get("reason", ""),
            key=_at_desk(request, event, person.player),
            actor=actor_of(request),
        )
    )
    if not tried.done:
        more = {"refused": tried.sentence, **reason_refused(tried)}
        return _desk_page(request, event, person=person, status=tried.status, **more)
    return see_other(request, _("A second person has been asked."), "tournament:requests", slug=slug)


# -- An entry -----------------------------------------------------------------------------------------


@role_required(CASHIER, DIRECTOR, MANAGER, FLOOR)
@require_safe
def entry(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """An entry: what was paid, where it stands, its history, and what can be done with it."""
    event = event_get(slug)
    return _entry_page(request, event, _entry(event, code))


def _entry(event: Event, code: str) -> Entry:
    try:
        return entry_by_code(event, code)
    except Refused as refused:
        raise Http404 from refused


def _entry_page(
    request: HttpRequest, event: Event, entry: Entry, status: int = 200, **context: Any
) -> HttpResponse:
    rows = entry_rows(entry)
    stacks = [row.stack for row in rows]
    locked = roster_locked(event)
    replaced = why_not_withdraw(entry)
    context = {
        "entry": entry,
        "typed_by": typed_by(request),
        "basis": entry_basis(entry.pk),
        "money": money_lines(entry),
        "standing": entry_words(event, [entry])[entry.pk],
        "rows": cuts_of_entry(request, event, rows),
        "chips": chips_in_front(rows),
        "left_play": left_play(rows),
        "seat": _seat_words(entry, stacks),
        "waiting_number": waiting_number(entry),
        "place": place_shown(event, entry),
        "prize_cents": prizes_for(event).get(entry.pk),
        "prize_receipt": _prize_receipt(request, event, entry),
        "due": due_left(event, entry),
        "penalties": penalties_of(entry),
        **history_shown(entry),
        "only_replaced": said(replaced.message) if replaced else "",
        "replacing": replacing_link(entry) if replaced else "",
        "seat_left": seat_told(request, entry),
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
    return staff_page(request, "desk/entry.html", context, event=event, status=status)


def _prize_receipt(request: HttpRequest, event: Event, entry: Entry) -> str:
    """The address of the receipt, for who may open it, once a prize was paid; empty otherwise."""
    href = reverse("tournament:pay_receipt", args=[event.slug, entry.code])
    return href if entry.payments.exists() and opens(request, href) else ""


def _takes_chips(request: HttpRequest) -> bool:
    """Whether this person may ask for a penalty in chips."""
    return why_not_ask(PENALTY, actor_of(request)) is None


def _press(request: HttpRequest, entry: Entry) -> Press:
    return press_of(request, partial(entry_basis, entry.pk))


def _refused(where: str, tried: Tried, form: BaseForm | None = None) -> dict[str, Any]:
    """The sentence beside its form; on top where the entry is another one meanwhile, the form may be gone."""
    if tried.code == "stale":
        return {"refused_at": where, "above": tried.sentence}
    return {"refused_at": where, "refused": "" if form and form.errors else tried.sentence}


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
    found, form = _entry(event, code), WithdrawForm(request.POST)
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
            key=_press(request, found),
            actor=actor_of(request),
        )

    tried = act_or_sentence(act, form, reason_missing="reason", text_too_long="reason")
    if tried.result is None:
        return _entry_page(
            request, event, found, status=tried.status, withdraw=form, **_refused("withdraw", tried, form)
        )
    said = _("%(code)s is withdrawn. Refunded: %(amount)s.")
    words = {"code": found.code, "amount": money(tried.result["refunded_cents"], currency_of(event))}
    return see_other(request, said % words, "tournament:entry", slug=slug, code=found.code)


@keeps_typed
@carries_out("penalty.add", "penalty_chips")
@posted("tournament:entry", "slug", "code")
def entry_penalty(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """A warning, a hand sat out, or chips, which a second person is asked for (T26)."""
    event = event_get(slug)
    # Whoever may not ask for chips is told so by the service, not by a form that lacks the word.
    asks_for_chips = _takes_chips(request) or request.POST.get("kind") == Penalty.Kind.CHIPS
    found, form = _entry(event, code), PenaltyForm(request.POST, takes_chips=asks_for_chips)

    def act() -> dict[str, Any]:
        cleaned = form.cleaned_data
        return penalty_add(
            entry_id=found.pk,
            kind=cleaned["kind"],
            reason=cleaned["reason"],
            chips=cleaned.get("chips") or 0,
            key=_press(request, found),
            actor=actor_of(request),
        )

    tried = act_or_sentence(
        act, form, not_whole_chips="chips", not_enough_chips="chips", reason_missing="reason"
    )
    if tried.result is None:
        return _entry_page(
            request, event, found, status=tried.status, penalty=form, **_refused("penalty", tried, form)
        )
    if "request" in tried.result:
        said = _("A second person has been asked to confirm the penalty. Until then it takes no chips.")
        return see_other(request, said, "tournament:requests", slug=slug)
    return see_other(request, _("The penalty is logged."), "tournament:entry", slug=slug, code=found.code)


@keeps_typed
@carries_out("penalty.cancel", "penalty_chips_back")
@posted("tournament:entry", "slug", "code")
def entry_penalty_cancel(request: HttpRequest, slug: str, code: str, penalty_id: int) -> HttpResponse:
    """Cancel a penalty, with a reason; a second person is asked to give chips back (T26)."""
    event = event_get(slug)
    found = _entry(event, code)
    penalty = get_object_or_404(Penalty, pk=penalty_id, entry=found)
    tried = act_or_sentence(
        lambda: penalty_cancel(
            penalty_id=penalty.pk,
            reason=request.POST.get("reason", ""),
            key=_press(request, found),
            actor=actor_of(request),
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
    found, form = _entry(event, code), ReasonForm(request.POST)
    tried = act_or_sentence(
        lambda: entry_disqualify_request(
            entry_id=found.pk,
            reason=form.cleaned_data["reason"],
            key=_press(request, found),
            actor=actor_of(request),
        ),
        form,
        reason_missing="reason",
    )
    if not tried.done:
        return _entry_page(
            request, event, found, status=tried.status, disqualify=form, **_refused("disqualify", tried, form)
        )
    said = _("A second person has been asked to confirm the disqualification.")
    return see_other(request, said, "tournament:requests", slug=slug)


@role_required(CASHIER, DIRECTOR)
@require_safe
def receipt(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Receipt and seat card on one page to print, with the QR code of the player's own view."""
    event = event_get(slug)
    found = _entry(event, code)
    money = [line.made for line in money_lines(found)]
    paid = [each for each in money if each.kind == "buy_in"]
    stacks = list(found.stacks.select_related("round").order_by("round_id"))
    address = request.build_absolute_uri(f"/e/{event.slug}/?you={found.code}")
    context = {
        "entry": found,
        "paid": paid[0] if paid else None,
        "given_back": [each for each in money if each.kind == "refund"],
        "may_play": entry_may_play(event, found),
        "standing": entry_words(event, [found])[found.pk],
        "seated_once": bool(stacks),
        "seat": _seat_words(found, stacks),
        "waiting_number": waiting_number(found),
        "seating": seating_of(event) if found.status == Entry.Status.WAITING else None,
        "address": address,
        "qr": qr_svg(address),
    }
    return staff_page(request, "desk/receipt.html", context, event=event)


def qr_svg(text: str) -> SafeString:
    """A QR code as an SVG without size, so that the sheet can give it one."""
    drawn = segno.make(text, error="m", micro=False).svg_inline(
        border=2, omitsize=True, svgclass="qr", lineclass=None
    )
    return mark_safe(drawn)  # noqa: S308 - squares drawn by the library; the text itself is not in it


urlpatterns = [
    path("staff/<slug:slug>/desk/", desk, name="desk"),
    path("staff/<slug:slug>/desk/player/", desk_player, name="desk_player"),
    path("staff/<slug:slug>/desk/buy-in/", desk_buy_in, name="desk_buy_in"),
    path("staff/<slug:slug>/desk/turn-away/", desk_turn_away, name="desk_turn_away"),
    path("staff/<slug:slug>/desk/identity/", desk_identity, name="desk_identity"),
    path("staff/<slug:slug>/desk/ask/", desk_ask, name="desk_ask"),
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
