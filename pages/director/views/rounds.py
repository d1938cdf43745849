"""The close of a round: ranking, cut line, ties, play-off and sudden death (T19–T24, T33)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import path
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.refused import Forbidden
from pages.bases import round_basis
from pages.director.reads.closing import Closing, closing, groups_named, nobody_there
from pages.director.reads.floor_facts import table_lines
from pages.director.views.cut_review import cut_shown
from pages.floor.at_table import lines_opened, reads_everywhere
from pages.guard import carries_out, may_press, role_required
from pages.kit import (
    UNTRIED,
    Tried,
    act_or_sentence,
    answers_requests,
    event_get,
    no_such_button,
    opens,
    pressed,
    reason_refused,
    see_other,
    staff_page,
    told,
)
from pages.words.corrections_wait import corrections_wait
from pages.words.naming import entries_named, entry_named, stage_named
from pages.words.put_right import put_right_words
from pages.words.requests import request_words
from tables.models import Shoe
from tables.selectors.correction_requests import corrections_of, stage_put_right
from tables.selectors.countings import Counting, rulings
from tables.services.closing import round_close, tie_rule
from tables.services.dealing import round_look
from tournament.engine.facts import key_of
from tournament.engine.state import State
from tournament.engine.steps.places import money_ties_open, play_is_over, rounds_of
from tournament.models import Event, Round, Stack
from tournament.roles import DIRECTOR, FLOOR, MANAGER
from tournament.selectors.floor import floor
from tournament.selectors.next_steps import seat_due
from tournament.selectors.open_requests import rulings_waiting, why_not_close
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import live_payouts, state_of, tie_rulings

Json = dict[str, Any]
Status, Kind = Round.Status, Round.Kind


@carries_out("round.close", "round.tie_rule", "round.look", shows=(FLOOR, MANAGER))
def round_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the state of a stage; the director closes it, or rules on its tie."""
    event, round_ = _round(slug, pk)
    if request.method != "POST":
        return _show(request, event, round_)
    tried = act_or_sentence(partial(_act, request, round_))
    if tried.done:
        return see_other(request, _sentence(request, round_), "tables:round", slug=slug, pk=pk)
    return _show(request, event, round_, tried)


@role_required(DIRECTOR)
@require_safe
def round_close_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask before a round is closed, with the names of the players who advance."""
    event, round_ = _round(slug, pk)
    state = state_of(event)
    context: Json = {"round": round_, "basis": round_basis(round_.pk), "rulings": _rulings(event, round_)}
    why_not = why_not_close(round_, state)
    context["why_not"] = told(why_not)
    context |= _chips_wait(request, event, round_, state) | _corrections(request, event, round_)
    context["closing"] = closing(round_, state) if round_.kind == Kind.ROUND else None
    context["tie_rulings"] = _tie_rulings(event, round_, state)
    return staff_page(request, "director/round_close.html", context, event=event)


def _round(slug: str, pk: int) -> tuple[Event, Round]:
    event = event_get(slug)
    round_ = get_object_or_404(Round.objects.select_related("parent"), event=event, pk=pk)
    round_.event = event
    return event, round_


def _act(request: HttpRequest, round_: Round) -> Json:
    if not may_press(request, "round.close"):
        raise Forbidden("not_allowed", _("Only the director can close a round and rule on its tie."))
    how: Json = {"round_id": round_.pk, **pressed(request, round_basis, round_.pk)}
    match request.POST.get("do"):
        case "close":
            return round_close(**how)
        case "rule":
            reason = request.POST.get("reason", "")
            return tie_rule(advance=request.POST.getlist("advance"), reason=reason, **how)
        case "look":
            return round_look(**how)
    raise no_such_button()


def _sentence(request: HttpRequest, round_: Round) -> str:
    words = {"close": _("%(round)s is closed."), "rule": _("The ruling on %(round)s stands."), "look": ""}
    return capfirst(words[request.POST["do"]] % {"round": stage_named(round_)})


# -- What is shown ----------------------------------------------------------------------------------------


def _show(request: HttpRequest, event: Event, round_: Round, tried: Tried = UNTRIED) -> HttpResponse:
    round_.refresh_from_db()
    round_.event = event
    state = state_of(event)
    context: Json = {
        "round": round_,
        "basis": round_basis(round_.pk),
        "refused": tried.sentence,
        **reason_refused(tried),
        "directs": may_press(request, "round.close"),
        "reads_hands": reads_everywhere(request),
        "chosen": request.POST.getlist("advance"),
        "stages": event.rounds.order_by("id"),
        **_chips_wait(request, event, round_, state),
        **_corrections(request, event, round_),
        "lines": lines_opened(request, event, table_lines(round_)[0]),
        "opens_floor": opens(request, resolve_url("tables:floor", slug=event.slug)),
    }
    if round_.kind != Kind.PLAY_OFF and (put_right := stage_put_right(round_)):
        context["put_right"] = [put_right_words(put_right)]
    if round_.kind == Kind.ROUND:
        found, why_not = closing(round_, state), why_not_close(round_, state)
        context |= {
            "closing": found,
            "step": _step(found, why_not.code if why_not else ""),
            "why_not_close": told(why_not),
            "dealt": _dealt(round_),
            "rulings": _rulings(event, round_),
            "tie_rulings": _tie_rulings(event, round_, state),
            "cuts": cut_shown(request, round_),
            **_after(event, round_, state),
        }
    else:
        ranking = stage_ranking(round_, state)
        named = {row.code: entry_named(row.entry) for row in ranking.rows}
        context |= {
            "tie": ranking,
            "groups": groups_named(ranking.groups, named),
            "all_absent": nobody_there(round_),
            "some_absent": round_.stacks.filter(state=Stack.State.ABSENT).exists(),
        }
    return staff_page(request, "director/round.html", context, event=event, status=tried.status)


def _rulings(event: Event, round_: Round) -> list[Counting]:
    return [each for each in rulings(event) if each.shoe.round_id == round_.pk]


def _tie_rulings(event: Event, round_: Round, state: State) -> list[Json]:
    """Return the rulings on the tie at the cut, with their players by number and name (T23)."""
    made = tie_rulings(round_, state)
    named = entries_named(event, (code for each in made for code in each.ruling.tied))
    return [
        {
            "ruled": each,
            "advance": [named.get(code, code) for code in each.ruling.advance],
            "tied": [named.get(code, code) for code in each.ruling.tied],
        }
        for each in made
    ]


def _chips_wait(request: HttpRequest, event: Event, round_: Round, state: State) -> Json:
    """Return the open requests that would change this ranking.

    For the round closed last, include requests that would change who plays the next one (T26).
    """
    counts = round_.status != Status.CLOSED or _goes_on(event, round_, state)
    waiting = rulings_waiting(event.pk) if counts else []
    words = request_words(event, waiting)
    return {
        "chips_wait": [{"asked": each, "words": words[each.pk]} for each in waiting],
        "gone_waits": any(each.kind == DISQUALIFY for each in waiting),
        "opens_requests": answers_requests(request, event),
    }


def _goes_on(event: Event, round_: Round, state: State) -> bool:
    """Whether this is the last closed round, from which the next roster is made."""
    return _is_last(round_, state) and seat_due(event, state) is not None


def _is_last(round_: Round, state: State) -> bool:
    """Whether no later round of the plan is seated."""
    return rounds_of(state)[-1].frame.key == key_of(round_)


def _corrections(request: HttpRequest, event: Event, round_: Round) -> Json:
    """Return the open corrections that would change this stage (T17)."""
    waiting = corrections_wait(request, event, corrections_of(round_))
    return {"corrections_wait": waiting, "may_change": any(each["changes"] for each in waiting)}


def _dealt(round_: Round) -> bool:
    """Whether a table still deals hands or will deal some."""
    return any(each.state == Shoe.Status.DEALING for each in floor().progress(round_.pk))


def _step(found: Closing, why_not: str) -> str:
    """Return the name of the panel on top. ``why_not``: why the round cannot be closed."""
    round_ = found.round
    if round_.status == Status.CLOSED:
        return "closed"
    if why_not == "ruling_waits":
        return "waits"
    if round_.status in (Status.SEATED, Status.PLAYING):
        return "playing"
    if found.may_rule:
        return "rule"
    if round_.status == Status.PLAYING_OFF:
        return "playing_off"
    if found.plays_off:
        return "play_off"
    return "close"


def _after(event: Event, round_: Round, state: State) -> Json:
    """Return the context after the last round's close: ties for money, or final places."""
    last = _is_last(round_, state) and round_.status == Status.CLOSED
    over = last and play_is_over(state)
    groups = money_ties_open(state) if over else []
    named = entries_named(event, (code for each in groups for code in each.entries))
    begun = event.rounds.filter(kind=Kind.SUDDEN_DEATH).exclude(status=Status.CLOSED)
    sudden_death = begun.first() if groups else None
    return {
        "over": over,
        "last_closed": last,
        "groups": groups_named(groups, named),
        "sudden_death": sudden_death,
        "payouts": live_payouts(event) if last else None,
    }


urlpatterns = [
    path("staff/<slug:slug>/rounds/<int:pk>/", round_page, name="round"),
    path("staff/<slug:slug>/rounds/<int:pk>/close/", round_close_page, name="round_close"),
]
