"""Records of finished hands, and corrections with a preview of all changes (T17)."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.registry import game_of
from ground.refused import refuse
from pages.dealer.games.parts import fields_of, part_of
from pages.dealer.views import results
from pages.director.reads.felt import why_not_touched
from pages.director.views import correct_felt
from pages.floor.at_table import not_your_table, reads_everywhere
from pages.floor.forms import ALL_BOXES, bets_of_form, record_of_form
from pages.guard import carries_out, may_press, role_required
from pages.kit import (
    UNTRIED,
    Tried,
    act_or_sentence,
    actor_of,
    event_get,
    number_or_0,
    opens,
    pressed,
    reason_refused,
    see_other,
    staff_page,
    told,
    wants_fragment,
)
from pages.words.corrections_later import hand_open_words, later_of_event
from pages.words.corrections_wait import correction_of_hand, corrections_wait
from pages.words.cut import what_can_be_done_words
from pages.words.naming import entries_named
from pages.words.requests import codes_differing, cut_differs_words, ruling_kept_words
from pages.words.saying import said
from tables.models import Deal, Table
from tables.selectors.basis import correction_basis
from tables.selectors.clerks import table_of_dealer
from tables.selectors.correction_requests import EntryChange, correction_requests, why_correction_requested
from tables.selectors.corrections_later import later_of, waiting, why_correction_waits
from tables.selectors.deals import stacks_before
from tables.selectors.floor import house_rules
from tables.selectors.records import cards_of, recorded_hand, recorded_hands
from tables.selectors.take_back import why_not_settled
from tables.services.correcting import why_void
from tables.services.correction_later import correction_drop, deal_correct_or_later
from tables.services.correction_preview import Preview
from tables.services.corrections import correction_preview, correction_request
from tournament.models import Entry, Event, Round
from tournament.roles import DEALER, DIRECTOR, FLOOR, MANAGER
from tournament.selectors.prizes import currency_of
from tournament.selectors.stages import current_round

Json = dict[str, Any]
RESULTS, CARDS, VOID = "results", "cards", "void"
HOWS = ((RESULTS, "Results"), (CARDS, "Cards"), (VOID, "Void"))


@role_required(DIRECTOR, MANAGER, FLOOR, DEALER)
@require_safe
def deals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hands of a table in a round, newest first, each with its record."""
    event = event_get(slug)
    tables = _tables(request, event)
    rounds = list(event.rounds.order_by("id"))
    table = _chosen(tables, request.GET.get("table"), lambda each: each.number)
    round_ = (
        _chosen(rounds, request.GET.get("round"), lambda each: each.pk) if "round" in request.GET else None
    )
    round_ = round_ or current_round(event) or (rounds[-1] if rounds else None)
    hands = recorded_hands(event, table, round_) if table and round_ else []
    waits = {each["deal"].pk: each for each in corrections_wait(request, event, correction_requests(event))}
    waits = {**later_of_event(request, event), **waits}
    rows = [{"hand": hand, "waits": waits.get(hand.deal.pk)} for hand in hands]
    context = {"tables": tables, "rounds": rounds, "table": table, "round": round_, "hands": rows}
    context["corrects"] = may_press(request, "deal.correct")
    context["opens_floor"] = opens(request, resolve_url("tables:floor", slug=slug))
    return staff_page(request, "director/deals.html", context, event=event)


def _tables(request: HttpRequest, event: Event) -> list[Table]:
    """Return the tables whose hands this person may read: for a dealer only their own."""
    if reads_everywhere(request):
        return list(Table.objects.filter(event=event).order_by("number"))
    own = table_of_dealer(actor_of(request), event)
    if own is None or request.GET.get("table", str(own.number)) != str(own.number):
        raise not_your_table(request)
    return [own]


def _chosen(things: list[Any], asked: str | None, number: Any) -> Any:
    return next((each for each in things if str(number(each)) == asked), things[0] if things else None)


# -- Correction -------------------------------------------------------------------------------------------


@carries_out("deal.correct", "deal.correct_later", "deal.correct_drop", "correct_after_close")
def correct(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Enter the correct hand, preview every stack, rank and cut that moves, give the reason, confirm.

    The hand is entered as text, by its results, or by touching the mistake on the felt, which makes the text.
    """
    event = event_get(slug)
    found = Deal.objects.select_related("shoe__table", "shoe__round")
    deal = get_object_or_404(found, pk=pk, shoe__round__event=event)
    deal.shoe.round.event = event
    how = _how(request, deal)
    if request.POST.get("do") == "drop":
        dropped = act_or_sentence(partial(_drop, request, deal))
        if not dropped.done:
            return _show(request, event, deal, how, dropped)
        words = _("Done. Hand %(n)s stands as it is recorded.")
        return see_other(request, words % {"n": deal.number}, "tables:tonight", slug=slug)
    if correct_felt.is_asked(request) and may_press(request, "deal.correct"):
        tried = act_or_sentence(partial(_felt, request, deal))
        if tried.done:
            return correct_felt.show(request, event, deal)
        if wants_fragment(request):
            # Load the whole page, which shows what has happened to the hand.
            return HttpResponse(
                status=204, headers={"HX-Refresh": "true", "Cache-Control": "private, no-store"}
            )
        looks = request.method != "POST"
        return _show(request, event, deal, how, replace(tried, status=200) if looks else tried)
    if request.method != "POST":
        return _show(request, event, deal, how)
    if request.POST.get("do") != "correct":
        looked, preview = _look(request, deal, how)
        return _show(request, event, deal, how, looked if preview is None else UNTRIED, preview)
    tried = act_or_sentence(partial(_correct, request, deal, how))
    if tried.result is None:
        deal.refresh_from_db(fields=["status"])
        return _show(request, event, deal, how, tried, _look(request, deal, how)[1])
    response = see_other(request, _sentence(tried.result, deal), "tables:deals", slug=slug)
    response["Location"] += f"?table={deal.shoe.table.number}&round={deal.shoe.round_id}"
    return response


def _felt(request: HttpRequest, deal: Deal) -> Json:
    """Refuse a hand that the felt cannot show, or a typed hand that is impossible."""
    refuse(why_not_touched(deal) or why_correction_waits(deal))
    if request.POST.get("do") == correct_felt.FELT:
        correct_felt.draft_sent(request, deal)
    return {}


def _how(request: HttpRequest, deal: Deal) -> str:
    asked = request.POST.get("how") or request.GET.get("how") or ""
    if asked in dict(HOWS):
        return asked
    return RESULTS if deal.mode == Deal.Mode.RESULTS else CARDS


def _anew(request: HttpRequest, deal: Deal, how: str) -> Json:
    """Return the correct hand for the services."""
    if how == VOID:
        return {"void": True}
    rules = house_rules(deal.shoe.round)
    if how == CARDS:
        return {"record": record_of_form(request.POST, game_of(rules).actions)}
    bets = bets_of_form(request.POST)
    return {"bets": bets, "outcomes": part_of(rules).outcomes(rules, request.POST, bets)}


def _preview(request: HttpRequest, deal: Deal, how: str) -> Json:
    return {"preview": correction_preview(deal_id=deal.pk, **_anew(request, deal, how))}


def _look(request: HttpRequest, deal: Deal, how: str) -> tuple[Tried, Preview | None]:
    looked = act_or_sentence(partial(_preview, request, deal, how))
    return looked, looked.result["preview"] if looked.result else None


def _correct(request: HttpRequest, deal: Deal, how: str) -> Json:
    closed = deal.shoe.round.status == Round.Status.CLOSED
    service = correction_request if closed else deal_correct_or_later
    reason = request.POST.get("reason", "")
    return service(
        deal_id=deal.pk,
        reason=reason,
        **pressed(request, correction_basis, deal.pk),
        **_anew(request, deal, how),
    )


def _drop(request: HttpRequest, deal: Deal) -> Json:
    """Take back a waiting correction, or mark the refusal of one as read."""
    return correction_drop(
        deal_id=deal.pk,
        later=number_or_0(request.POST.get("later", "")),
        **pressed(request, correction_basis, deal.pk),
    )


def _sentence(result: Json, deal: Deal) -> str:
    if "request" in result:
        return _("A second person has been asked to confirm it. Until then nothing changes.")
    if "later" in result:
        return _("Hand %(n)s is corrected when the open hand ends.") % {"n": deal.number}
    return _("Hand %(n)s is corrected. The old record stays readable.") % {"n": deal.number}


def _show(
    request: HttpRequest,
    event: Event,
    deal: Deal,
    how: str,
    tried: Tried = UNTRIED,
    preview: Preview | None = None,
) -> HttpResponse:
    rules, later = house_rules(deal.shoe.round), later_of(deal)
    part, no = part_of(rules), why_correction_requested(deal) or why_not_settled(deal)
    asked = part.results_form(rules)
    why_not = told(no)
    entered = request.method == "POST" and request.POST.get("do") != "drop"
    typed = request.POST if entered else {**fields_of(rules, deal), **cards_of(deal)}
    context = {
        "deal": deal,
        "basis": correction_basis(deal.pk),
        "hand": recorded_hand(event, deal),
        "how": how,
        "touched": may_press(request, "deal.correct") and why_not_touched(deal) is None,
        "kept": typed,
        "rows": _rows(event, deal, typed, asked.get("hands_most", 0)),
        "ladder": results.ladder(rules),
        **asked,
        "help": part.cards_help(),
        "insurance": typed.get("insurance", ""),
        "cards_text": typed.get("cards", ""),
        "decisions_text": typed.get("decisions", ""),
        "reason": request.POST.get("reason", ""),
        "refused": tried.sentence if tried.sentence != why_not else "",
        **reason_refused(tried),
        "why_not": why_not,
        "later": later,
        "hand_open": "" if why_not or waiting(later) else hand_open_words(deal),
        "preview": None if why_not or waiting(later) else preview,
        "lines": named_lines(event, preview.changed) if preview else [],
        "tie": deal.shoe.round.kind != Round.Kind.ROUND,
        **follows(event, preview),
        **columns(preview.changed if preview else ()),
        "currency": currency_of(event),
        "closed": deal.shoe.round.status == Round.Status.CLOSED,
        "enters": not (why_not or waiting(later)),
        "corrections_wait": [each] if (each := correction_of_hand(request, event, deal)) else [],
    }
    return staff_page(request, "director/correct.html", context, event=event, status=tried.status)


def _rows(event: Event, deal: Deal, typed: Any, most: int) -> list[Json]:
    """Return a row for every player who sat there in the hand, with the entered values."""
    found = Entry.objects.filter(pk__in=deal.entries.values()).select_related("player")
    entries = {entry.pk: entry for entry in found}
    unbet = stacks_before(deal)
    return [
        {
            "box": box,
            "name": entries[deal.entries[str(box)]].player.public_name,
            # The hand stores only the stacks of boxes that bet.
            "stack_chips": deal.stacks.get(str(box), unbet.get(deal.entries[str(box)])),
            "may_bet": True,
            # A player without a bet sat the hand out: the bet is not missing.
            **results.entered(box, ChainMap(typed, {f"bet-{box}": "0"}), deal.bets.get(str(box)), most),
        }
        for box in ALL_BOXES
        if deal.entries.get(str(box)) in entries
    ]


def columns(lines: Iterable[EntryChange]) -> Json:
    """Return the columns that a preview needs: sides of the cut, prizes.

    A prize of None (plays on) differs from 0 (out, no prize).
    """
    lines = list(lines)
    prizes = [(line.before.prize_cents, line.after.prize_cents) for line in lines]
    return {
        "sides": any(line.before.cut or line.after.cut for line in lines),
        "prizes": any(before or after or before != after for before, after in prizes),
    }


def follows(event: Event, preview: Preview | None) -> Json:
    """Return the other effects of a preview: a differing cut, rulings, and void hands."""
    if preview is None:
        return {"cut_differs": [], "can_be_done": "", "ruled": [], "void": []}
    about = preview.differs.body() if preview.differs else {}
    named = entries_named(event, codes_differing(about) | {each["entry"] for each in preview.ruled})
    differs = cut_differs_words(about, named)
    stage = preview.deal.shoe.round
    carried = event.rounds.filter(kind=Round.Kind.ROUND, number__in=event.format.carried_on(stage.number))
    return {
        "on_table": carried.filter(status__in=(Round.Status.SEATED, Round.Status.PLAYING)).exists(),
        "cut_differs": differs,
        "can_be_done": what_can_be_done_words(stage.parent or stage) if differs else "",
        "ruled": [ruling_kept_words(each, named) for each in preview.ruled],
        "void": [(deal, why, said(why_void(deal, why))) for deal, why in preview.void],
    }


def named_lines(event: Event, lines: Iterable[EntryChange]) -> list[Json]:
    """Return the lines of a preview with the names of the players."""
    lines = list(lines)
    found = event.entries.filter(code__in=[line.entry for line in lines]).select_related("player")
    names = {entry.code: entry.player.public_name for entry in found}
    return [{"line": line, "name": names.get(line.entry, "")} for line in lines]


urlpatterns = [
    path("staff/<slug:slug>/deals/", deals, name="deals"),
    path("staff/<slug:slug>/deals/<int:pk>/correct/", correct, name="correct"),
]
