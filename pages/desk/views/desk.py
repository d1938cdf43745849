"""The cashier's desk: find or add a person, check the person, sell an entry."""

from __future__ import annotations

from typing import Any

from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.typed import plain_number
from pages.bases import desk_basis
from pages.desk.forms import BuyInForm, IdentityForm, PlayerForm, TurnAwayForm
from pages.desk.reads import waits_words
from pages.guard import carries_out, role_required
from pages.kit import (
    Tried,
    act_or_sentence,
    actor_of,
    event_get,
    form_sentence,
    number_or_0,
    posted,
    pressed,
    reason_refused,
    see_other,
    staff_page,
    submission_key,
    told,
    typed_text,
    wants_fragment,
)
from pages.unsaved import keeps_typed, typed_by
from pages.words.standings import seating_words
from tournament.models import Entry, Event, Player
from tournament.roles import CASHIER, DIRECTOR
from tournament.selectors.buying import AtDesk, alike_at_desk, players_at_desk
from tournament.selectors.desk import (
    desk_summary,
    entries_list,
    players_search,
    seating_of,
    why_new_entry_waits,
)
from tournament.services.entries import entry_buy_in, why_desk_closed
from tournament.services.people import (
    player_check_refuse,
    player_create,
    player_identity,
    player_let_in_request,
    players_apart_request,
    why_requested_at_desk,
)

ENTRIES_SHOWN = 25
SELLS = (CASHIER, DIRECTOR)


# -- The desk -----------------------------------------------------------------------------------------


@role_required(*SELLS)
@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Find a person by part of a name and sell an entry. With htmx the search runs while typing."""
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
    seating = seating_of(event) if waiting else None
    context = {
        **_found_context(typed, found or []),
        "summary": desk_summary(event),
        "closed": told(why_desk_closed(event)),
        "why_waits": waits_words(why_new_entry_waits(event)),
        "entries": entries[::-1] if "all" in request.GET else entries[::-1][:ENTRIES_SHOWN],
        "entries_count": len(entries),
        "waiting": waiting,
        "seating": seating,
        "seating_words": seating_words(seating) if seating else "",
        "sold": next((entry for entry in entries if entry.code == sold), None),
        "person": person,
        "alike": alike_at_desk(event, person) if person else [],
        "ask_waits": told(why_requested_at_desk(event, person.player, person.code) if person else None),
        "typed_by": typed_by(request),
        "basis": desk_basis(event.pk, person.player.pk) if person else None,
        "nobody": nobody,
        "new_player": None if person else PlayerForm.of_somebody(typed, focused=nobody),
        "buy_in": BuyInForm(),
        "identity": IdentityForm(),
        **context,
    }
    return staff_page(request, "desk/desk.html", context, event=event, status=status)


@keeps_typed
@carries_out("player.create")
@posted("tournament:desk")
def desk_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a person who is new to the house, and go on to the check."""
    event, form = event_get(slug), PlayerForm(request.POST)

    def act() -> dict[str, Any]:
        return player_create(
            **form.cleaned_data, event_id=event.pk, key=submission_key(request), actor=actor_of(request)
        )

    fields = dict.fromkeys(("identity_known", "identity_bad", "identity_missing"), "identity_number")
    tried = act_or_sentence(act, form, **fields, birth_year_bad="birth_year")
    if tried.result is None:
        typed = typed_text(request.POST, "q")
        # If the desk is closed, its form is not on the page, so no field can be marked.
        closed = told(why_desk_closed(event))
        beside = form.errors and (tried.code == "form" or not closed)
        sentence = closed if beside else tried.sentence
        return _desk_page(
            request,
            event,
            typed=typed,
            found=_found(event, typed),
            new_player=form,
            adding=True,
            refused=sentence,
            status=tried.status,
        )
    return see_other(
        request, "", f"{resolve_url('tournament:desk', slug=slug)}?player={tried.result['player']}"
    )


@keeps_typed
@carries_out("entry.buy_in")
@posted("tournament:desk")
def desk_buy_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Sell an entry. If another desk used up the day limit meanwhile, show what is left (T2)."""
    event, form = event_get(slug), BuyInForm(request.POST)
    person = _person(event, request.POST.get("player", ""))
    if person is None:
        raise Http404

    def act() -> dict[str, Any]:
        return entry_buy_in(
            event_id=event.pk,
            player_id=person.player.pk,
            identity_checked=form.cleaned_data["identity_checked"],
            **pressed(request, desk_basis, event.pk, person.player.pk),
        )

    tried = act_or_sentence(act, form, identity_not_checked="identity_checked")
    if tried.result is None:
        # The rest of the day limit may have changed meanwhile, so read it again.
        again = _person(event, str(person.player.pk))
        typed = typed_text(request.POST, "q")
        sentence = "" if form.errors else tried.sentence
        return _desk_page(
            request, event, typed=typed, person=again, buy_in=form, refused=sentence, status=tried.status
        )
    message = _("%(code)s · %(name)s has bought in.")
    if tried.result["status"] == Entry.Status.WAITING:
        message = _("%(code)s · %(name)s has bought in and waits as alternate %(n)s. %(why)s")
    words = {
        "code": tried.result["code"],
        "name": person.player.full_name,
        "n": tried.result["waiting_number"],
        "why": waits_words(why_new_entry_waits(event)),
    }
    return see_other(
        request, message % words, f"{resolve_url('tournament:desk', slug=slug)}?sold={tried.result['code']}"
    )


@keeps_typed
@carries_out("player.turned_away")
@posted("tournament:desk")
def desk_turn_away(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that a person was turned away: the check, its time and the checker (T7)."""
    event, player = event_get(slug), _player(request)
    form = TurnAwayForm(request.POST)
    tried = act_or_sentence(
        lambda: player_check_refuse(
            event_id=event.pk,
            player_id=player.pk,
            **form.cleaned_data,
            **pressed(request, desk_basis, event.pk, player.pk),
        ),
        form,
    )
    if not tried.done:
        return _refused_page(request, event, player, form, tried)
    message = _("Recorded: %(name)s was turned away.") % {"name": player.full_name}
    return see_other(request, message, "tournament:desk", slug=slug)


@keeps_typed
@carries_out("player.identity")
@posted("tournament:desk")
def desk_identity(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the identity number on a record that has none, and go on to the check (T2)."""
    event, player = event_get(slug), _player(request)
    form = IdentityForm(request.POST)
    tried = act_or_sentence(
        lambda: player_identity(
            player_id=player.pk, **form.cleaned_data, **pressed(request, desk_basis, event.pk, player.pk)
        ),
        form,
    )
    if not tried.done:
        return _refused_page(request, event, player, form, tried)
    return see_other(request, "", f"{resolve_url('tournament:desk', slug=slug)}?player={player.pk}")


def _player(request: HttpRequest) -> Player:
    return get_object_or_404(Player, pk=number_or_0(request.POST.get("player", "")))


def _refused_page(
    request: HttpRequest, event: Event, player: Player, form: BaseForm, tried: Tried
) -> HttpResponse:
    """Show the desk with this person again, and why the form was refused."""
    person = _person(event, str(player.pk))
    sentence = form_sentence(form) or tried.sentence
    return _desk_page(request, event, person=person, refused=sentence, status=tried.status)


ASKS = {"turned_away": player_let_in_request, "likely_duplicate": players_apart_request}
"""Refusals of a buy-in by code, and the request that can lift each."""


@keeps_typed
@carries_out("player_let_in", "players_apart")
@posted("tournament:desk")
def desk_ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask a second person to let a refused person buy in (T2, T7)."""
    event = event_get(slug)
    person = _person(event, request.POST.get("player", ""))
    if person is None or person.code not in ASKS:
        raise Http404
    tried = act_or_sentence(
        lambda: ASKS[person.code](
            event_id=event.pk,
            player_id=person.player.pk,
            reason=request.POST.get("reason", ""),
            **pressed(request, desk_basis, event.pk, person.player.pk),
        )
    )
    if not tried.done:
        more = {"refused": tried.sentence, **reason_refused(tried)}
        return _desk_page(request, event, person=person, status=tried.status, **more)
    return see_other(request, _("A second person has been asked."), "tournament:requests", slug=slug)


urlpatterns = [
    path("staff/<slug:slug>/desk/", desk, name="desk"),
    path("staff/<slug:slug>/desk/player/", desk_player, name="desk_player"),
    path("staff/<slug:slug>/desk/buy-in/", desk_buy_in, name="desk_buy_in"),
    path("staff/<slug:slug>/desk/turn-away/", desk_turn_away, name="desk_turn_away"),
    path("staff/<slug:slug>/desk/identity/", desk_identity, name="desk_identity"),
    path("staff/<slug:slug>/desk/ask/", desk_ask, name="desk_ask"),
]
