"""Draw and seating: lock, five public cards, the chart, no-shows, alternates, replacements."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.refused import Forbidden, Refused
from pages.director.forms.seating import FillForm, NoShowForm, ReplaceForm
from pages.director.reads.seat_instead import instead_of_fill, instead_of_no_show
from pages.guard import carries_out, may_press, role_required
from pages.kit import (
    Refusal,
    act_or_sentence,
    act_or_why_not,
    actor_of,
    entry_get,
    event_get,
    number_or_0,
    opens,
    posted,
    pressed,
    refused_in_ask,
    said,
    see_other,
    sent,
    staff_page,
    submission_of,
    told,
    typed_text,
    wants_fragment,
    why_not_now,
)
from pages.languages import printed
from pages.qr import qr_svg
from pages.words.corrections_wait import corrections_wait
from pages.words.replacing import replacing_words
from tables.models import Seat, Table
from tables.models.floor import BOXES
from tables.selectors.basis import box_basis, draw_basis, replacing_basis, seat_basis
from tables.selectors.correction_requests import corrections_of
from tables.selectors.draws import DrawView, before_first_bet, draw_view, draws_public, why_not_drawn
from tables.selectors.floor import boxes_usable, tables_posted, tables_usable
from tables.selectors.next_hand import why_redraw_waits
from tables.selectors.seating import replace_check
from tables.services.draws import draw_cards, draw_confirm, draw_lock, redraw_request
from tables.services.seating import (
    entry_replace,
    fill_check,
    no_show_check,
    seat_fill,
    seat_no_show,
    tables_ensure,
)
from tournament.engine.next_steps import NextStep
from tournament.engine.seats import tables_needed
from tournament.engine.steps.places import qualified, rounds_of
from tournament.models import Draw, Entry, Event, Round
from tournament.roles import CASHIER, DIRECTOR, FLOOR, MANAGER, roles_of
from tournament.selectors.basis import holds, key_first
from tournament.selectors.desk import database_now, waiting_list
from tournament.selectors.moment import one_moment
from tournament.selectors.replacements import last_closed_round, next_ranked
from tournament.selectors.stages import main_rounds, state_of
from tournament.services.commits import saving
from tournament.services.journal import kind_pressed
from tournament.services.second_person import why_not_second

CARDS = 5
CARD = re.compile(r"([A2-9TJQK])([CDHS])")


# -- The draw -----------------------------------------------------------------------------------------


@role_required(DIRECTOR, MANAGER, FLOOR)
@require_safe
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the next draw: lock the roster, type the cards, confirm them, see the seats."""
    event = event_get(slug)
    if wants_fragment(request) and "watch" in request.GET:
        return _watch(request, event)
    return _draw_page(request, event)


def _watch(request: HttpRequest, event: Event) -> HttpResponse:
    """Answer a page that polls for another person's next step, so that it reloads."""
    if holds(draw_basis(event.pk), request.GET["watch"]):
        return HttpResponse(status=204)
    # Keep the typed cards: the draw also changes when an entry is sold or leaves.
    cards = (
        urlencode({"cards": " ".join(typed)}) if (typed := cards_split(request.GET.get("cards", ""))) else ""
    )
    to = resolve_url("tables:draw", slug=event.slug) + (f"?{cards}" if cards else "")
    return HttpResponse(status=204, headers={"HX-Redirect": to})


@one_moment()
def _draw_page(request: HttpRequest, event: Event, status: int = 200, **context: Any) -> HttpResponse:
    view = draw_view(event)
    cut = context.pop("cards", None)
    typed = cards_so_far(request.GET) if cut is None else cards_split(cut)
    shown, step = view.draw, _draw_step(view.draw, view.due)
    if step != "cards":
        # The cards were typed for a step that is over: show the refusal on top.
        context.setdefault("refused", context.pop("cards_refused", ""))
    context = {
        "view": view,
        "basis": draw_basis(event.pk),
        "step": step,
        "due": view.due,
        "entrants": _entrants(event, view.due.entries if view.due else ()),
        "why_not_lock": _why_not_lock(event, view),
        "boxes": _boxes_for(event, view.due) if view.due and not shown else None,
        "corrections_wait": _corrections(request, event) if step == "lock" else [],
        "commitment": event.draws.filter(status=Draw.Status.PLANNED).order_by("number").first(),
        "typed_cards": typed,
        "slots": [*typed, *[""] * (CARDS - len(typed))][:CARDS],
        "typed_text": cut if cut is not None else " ".join(typed),
        "why_not_confirm": _why_not_confirm(request, event, shown),
        **_theirs(request, event),
        "names": _names(event, shown.roster if shown else []),
        "draws": draws_public(event),
        "may_redraw": _may_redraw(view),
        **context,
    }
    return staff_page(request, "director/draw.html", context, event=event, status=status)


def _corrections(request: HttpRequest, event: Event) -> list[dict[str, Any]]:
    """Return the open corrections that would change the drawn players or their chips (T17)."""
    rounds = main_rounds(event)
    return corrections_wait(request, event, corrections_of(rounds[-1])) if rounds else []


def _why_not_lock(event: Event, view: DrawView) -> Refusal:
    """Return why the roster of the next stage cannot be locked; empty if it can, or is locked."""
    if view.due is None or view.draw is not None:
        return Refusal()
    # The page adds tables before it locks.
    return told(why_not_drawn(event, view.due, puts_out=True))


def _theirs(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the actions and links of this person: a manager only confirms."""
    pages = {"boxes": "tables:boxes", "seating": "tables:seating"}
    return {
        "draws_it": bool(roles_of(request.user) & {DIRECTOR, FLOOR}),
        "to": {name: opens(request, resolve_url(page, slug=event.slug)) for name, page in pages.items()},
    }


def _why_not_confirm(request: HttpRequest, event: Event, shown: Draw | None) -> Refusal:
    """Return why this person cannot confirm the cards; empty if they can."""
    if shown is None or event.is_rehearsal:
        return Refusal()
    if shown.cards_by_id == actor_of(request).pk:
        words = _(
            "You typed these cards. Another person, with their own login, compares them with the table "
            "and confirms."
        )
        return Refusal(words, "same_person")
    return told(why_not_second(shown.cards_by_id, actor_of(request), database_now()))


def _draw_step(open_draw: Draw | None, due: NextStep | None) -> str:
    if open_draw is None:
        return "lock" if due else "nothing"
    if open_draw.status == Draw.Status.CONFIRMED:
        return "drawing"
    return "confirm" if open_draw.cards else "cards"


def cards_split(text: str) -> list[str]:
    """Return the readable cards of a text, only to show them: ``KH 4D`` → two cards."""
    words = [word.upper().replace("10", "T") for word in re.split(r"[\s,]+", text[:200]) if word]
    return [word for word in words if CARD.fullmatch(word)][:CARDS]


def cards_so_far(data: Any) -> list[str]:
    """Return the cards tapped so far, including this tap; 'back' removes the last one."""
    cards = cards_split(data.get("cards", ""))
    if "back" in data:
        return cards[:-1]
    tapped = f"{data.get('rank', '')}{data.get('suit', '')}".upper()
    if CARD.fullmatch(tapped) and tapped not in cards and len(cards) < CARDS:
        cards.append(tapped)
    return cards


@dataclass(frozen=True)
class Boxes:
    """The tables and boxes that the draw will use, and the number of players without a box."""

    tables: int
    boxes: int
    short: int
    problem: str = ""
    put_out: bool = False


def _boxes_for(event: Event, due: NextStep) -> Boxes:
    usable = tables_usable(event)
    boxes = sum(len(each) for _number, each in usable)
    wanted, posted = len(due.entries), tables_posted(event, due.stage[1])
    if not usable:
        # The lock sets up as many tables as the entries need.
        each = event.settings.boxes_per_table
        count = max(posted or 0, -(-wanted // each))
        return Boxes(count, count * each, 0, put_out=True)
    try:
        chosen = tables_needed(wanted, usable, posted) if wanted else []
    except Refused as refused:
        return Boxes(0, boxes, max(0, wanted - boxes), said(refused.message))
    return Boxes(len(chosen), sum(len(each) for _number, each in chosen), 0)


def _entrants(event: Event, codes: Iterable[str]) -> QuerySet[Entry]:
    return event.entries.filter(code__in=codes).select_related("player").order_by("number")


def _names(event: Event, codes: list[str]) -> list[tuple[str, str]]:
    names = {entry.code: entry.player.public_name for entry in _entrants(event, codes)}
    return [(code, names.get(code, "")) for code in codes]


@carries_out("draw.lock", "tables.ensure")
@posted("tables:draw")
def draw_lock_post(request: HttpRequest, slug: str) -> HttpResponse:
    """Lock the roster and the open seats; an event without tables first gets the tables it needs."""
    event, actor = event_get(slug), actor_of(request)
    key = submission_of(request, partial(draw_basis, event.pk))

    def act() -> dict[str, Any]:
        # Both or neither: a refused lock leaves no tables behind.
        with saving():
            if Table.objects.filter(event=event).exists():
                return draw_lock(event_id=event.pk, key=key, actor=actor)
            tables_ensure(event_id=event.pk, key=key_first(key, "tables"), actor=actor)
            return draw_lock(event_id=event.pk, key=str(key), actor=actor)

    tried = act_or_sentence(act)
    if tried.result is None:
        return _draw_page(request, event, status=tried.status, refused=tried.sentence)
    message = _("The roster of draw %(n)s is locked: %(who)s entries.")
    words = {"n": tried.result["number"], "who": len(tried.result["roster"])}
    if tried.result["waiting"]:
        message = _("The roster of draw %(n)s is locked: %(who)s entries; alternates: %(late)s.")
        words["late"] = len(tried.result["waiting"])
    return see_other(request, message % words, "tables:draw", slug=slug)


@carries_out("draw.cards")
@posted("tables:draw")
def draw_cards_post(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the five cards of the public cut."""
    event = event_get(slug)
    found = _draw_of_form(request, event)
    cards = typed_text(request.POST, "cards", 60)
    tried = act_or_sentence(
        lambda: draw_cards(draw_id=found.pk, cards=cards, **pressed(request, draw_basis, event.pk))
    )
    if not tried.done:
        return _draw_page(request, event, status=tried.status, cards_refused=tried.sentence, cards=cards)
    return see_other(request, "", "tables:draw", slug=slug)


@carries_out("draw.confirm")
@posted("tables:draw")
def draw_confirm_post(request: HttpRequest, slug: str) -> HttpResponse:
    """Confirm the cards as another person; the seats are drawn."""
    event = event_get(slug)
    found, key = _draw_of_form(request, event), submission_of(request, partial(draw_basis, event.pk))
    before = kind_pressed(key)
    tried = act_or_sentence(
        lambda: draw_confirm(
            draw_id=found.pk,
            cards=typed_text(request.POST, "cards", 20),
            key=key,
            actor=actor_of(request),
        )
    )
    if not tried.done:
        return _draw_page(request, event, status=tried.status, refused=tried.sentence)
    return see_other(request, _confirmed_words(found, before), "tables:draw", slug=slug)


def _confirmed_words(draw: Draw, before: str) -> str:
    """Return the message that cards are confirmed; for a press repeated after ``before``, also by whom."""
    draw.refresh_from_db()
    who = draw.confirmed_by.get_username() if draw.confirmed_by else _("the house")
    names = {"n": draw.number, "cards": draw.cards, "who": who}
    if before:
        return _("The cards of draw %(n)s, %(cards)s, were confirmed already, by %(who)s.") % names
    return _("The cards of draw %(n)s, %(cards)s, are confirmed: its seats are drawn.") % names


def _draw_of_form(request: HttpRequest, event: Event) -> Draw:
    """Return the draw that the form is about, in its present state."""
    return get_object_or_404(Draw, event=event, number=number_or_0(request.POST.get("draw", "")))


def _may_redraw(view: DrawView) -> bool:
    seated = Round.objects.filter(draw=view.last, status=Round.Status.SEATED)
    return view.last is not None and seated.exclude(event__status=Event.Status.CALLED_OFF).exists()


@carries_out("redraw")
@posted("tables:draw")
def draw_again_post(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask a second person for a redraw, before the first bet only."""
    event = event_get(slug)
    found = get_object_or_404(Draw, event=event, number=number)
    tried = act_or_sentence(
        lambda: redraw_request(
            draw_id=found.pk,
            reason=request.POST.get("reason", ""),
            **pressed(request, draw_basis, event.pk),
        )
    )
    if not tried.done:
        view = draw_view(event)
        asks = _may_redraw(view) and not view.redraw and view.last == found
        return _draw_page(request, event, status=tried.status, **refused_in_ask(tried, asks=asks))
    return see_other(
        request, _("A second person has been asked to confirm the redraw."), "tables:draw", slug=slug
    )


# -- The chart ----------------------------------------------------------------------------------------


@role_required(DIRECTOR, FLOOR, CASHIER)
@require_safe
def seating(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the seats of a round by table, seven boxes each, and by name; to print."""
    event = event_get(slug)
    rounds = list(event.rounds.order_by("id"))
    wanted = request.GET.get("round", "")
    shown = next((r for r in rounds if str(r.pk) == wanted), rounds[-1] if rounds else None)
    chart, by_name = _chart(event, shown) if shown else ([], [])
    fillable = (
        shown is not None
        and (shown.kind, shown.number) == (Round.Kind.ROUND, 1)
        and shown.status == Round.Status.SEATED
    )
    why_not = why_not_now(partial(before_first_bet, shown)) if shown and fillable else ""
    context = {
        "rounds": rounds,
        "round": shown,
        "chart": chart,
        "by_name": by_name,
        "fillable": fillable,
        "fills": fillable and not why_not and may_press(request, "seat.fill"),
        "alternates": waiting_list(event) if fillable else [],
        "qualifiers": _qualifiers(event),
        "waits": (told(why_redraw_waits(shown)) or why_not) if shown else "",
    }
    return staff_page(request, "director/seating.html", context, event=event)


def _chart(event: Event, round_: Round) -> tuple[list[dict[str, Any]], list[Seat]]:
    """Return the tables of a round with their seven boxes, and the seats by name, in three queries."""
    seats = list(
        Seat.objects.filter(round=round_, vacated_at__isnull=True).select_related("entry__player", "table")
    )
    at = {(seat.table_id, seat.box): seat for seat in seats}
    used = {table_id for table_id, _box in at} | set(round_.shoes.values_list("table_id", flat=True))
    chart = []
    for table in Table.objects.filter(pk__in=used).order_by("number"):
        usable = boxes_usable(table, event.settings)
        boxes = [
            {"number": box, "seat": at.get((table.pk, box)), "out": box not in usable}
            for box in range(1, BOXES + 1)
        ]
        chart.append({"table": table, "boxes": boxes, "taken": sum(1 for box in boxes if box["seat"])})
    return chart, sorted(seats, key=_by_name)


def _by_name(seat: Seat) -> tuple[str, str]:
    """Sort by public name, then by entry."""
    return seat.entry.player.public_name.casefold(), seat.entry.code


@role_required(DIRECTOR, FLOOR, CASHIER)
@require_safe
@printed
def seat_cards(request: HttpRequest, slug: str, round_id: int, number: int | None = None) -> HttpResponse:
    """Print the seat cards of one table or all, each with the QR code of the player's own page."""
    event = event_get(slug)
    round_ = get_object_or_404(Round, pk=round_id, event=event)
    table = get_object_or_404(Table, event=event, number=number) if number is not None else None
    seats = Seat.objects.filter(round=round_, vacated_at__isnull=True, **({"table": table} if table else {}))
    board = reverse("tournament:leaderboard", kwargs={"slug": event.slug})
    address = request.build_absolute_uri(board)
    cards = [
        {"seat": seat, "qr": qr_svg(f"{address}?you={seat.entry.code}")}
        for seat in seats.select_related("entry__player", "table").order_by("table__number", "box")
    ]
    context = {"round": round_, "table": table, "cards": cards}
    return staff_page(request, "director/seating_cards.html", context, event=event)


def _qualifiers(event: Event) -> list[Entry]:
    """Return the qualifiers who can still be replaced, until the first bet of the next round (T25)."""
    rounds = main_rounds(event)
    closed = [each for each in rounds if each.status == Round.Status.CLOSED]
    if not closed or len(closed) >= event.format.last or event.status != Event.Status.RUNNING:
        return []
    if any(each.status != Round.Status.SEATED for each in rounds[len(closed) :]):
        return []
    state = state_of(event)
    codes = qualified(state, rounds_of(state)[len(closed) - 1])
    return list(event.entries.filter(code__in=codes).select_related("player").order_by("number"))


@carries_out("seat.no_show")
def no_show(request: HttpRequest, slug: str, seat_id: int) -> HttpResponse:
    """Rule a player a no-show: the box is free for an alternate (T6)."""
    event = event_get(slug)
    seat = get_object_or_404(
        Seat.objects.select_related("entry__player", "table"), pk=seat_id, round__event=event
    )
    rules = DIRECTOR in roles_of(request.user)
    form = NoShowForm(sent(request), refunds=rules)

    def act() -> dict[str, Any]:
        if "refund" in request.POST and not rules:
            sentence = _("Only the director can refund the buy-in of a no-show. Ask the director.")
            raise Forbidden("not_allowed", sentence)
        return seat_no_show(seat_id=seat.pk, **form.cleaned_data, **pressed(request, seat_basis, seat.pk))

    tried = act_or_why_not(partial(no_show_check, seat), act, form, reason_missing="reason")
    if tried.done:
        words = {"code": seat.entry.code, "table": seat.table.number, "box": seat.box}
        message = _("%(code)s is a no-show. Table %(table)s, box %(box)s is free.") % words
        return see_other(request, message, "tables:seating", slug=slug)
    why_not = why_not_now(partial(no_show_check, seat))
    context = {
        "seat": seat,
        "why_not": why_not,
        **(instead_of_no_show(seat, roles_of(request.user)) if why_not else {}),
        "basis": seat_basis(seat.pk),
        "form": form,
        "refused": "" if form.errors else tried.sentence,
    }
    return staff_page(request, "director/seating_no_show.html", context, event=event, status=tried.status)


@carries_out("seat.fill")
def fill(request: HttpRequest, slug: str, round_id: int, number: int, box: int) -> HttpResponse:
    """Seat an alternate or a late entrant at a free box, until the first bet (T6)."""
    event = event_get(slug)
    round_ = get_object_or_404(Round, pk=round_id, event=event)
    table = get_object_or_404(Table, event=event, number=number)
    form = FillForm(sent(request), event=event)
    tried = act_or_why_not(
        partial(fill_check, round_, table, box),
        lambda: seat_fill(
            round_id=round_.pk,
            table_id=table.pk,
            box=box,
            entry_id=form.cleaned_data["entry"].pk,
            **pressed(request, box_basis, round_.pk),
        ),
        form,
        **dict.fromkeys(
            ("not_next_alternate", "already_seated", "entry_not_live", "buy_in_refunded"), "entry"
        ),
    )
    if tried.result is not None:
        words = {"code": tried.result["entry"], "table": number, "box": box}
        message = _("%(code)s sits at table %(table)s, box %(box)s.") % words
        return see_other(request, message, "tables:seating", slug=slug)
    refused = "" if form.errors else tried.sentence
    context = {"round": round_, "table": table, "box": box, "form": form, "refused": refused}
    context["basis"] = box_basis(round_.pk)
    context["why_not"] = why_not_now(partial(fill_check, round_, table, box))
    if context["why_not"]:
        context |= instead_of_fill(round_, table, box, partial(opens, request))
    return staff_page(request, "director/seating_fill.html", context, event=event, status=tried.status)


@carries_out("entry.replace")
def replace_entry(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Give the place of a qualifier to the next entry in rank (T25)."""
    event = event_get(slug)
    found = entry_get(event, code)
    round_ = last_closed_round(event)
    coming = next_ranked(round_) if round_ else []
    form = ReplaceForm(sent(request), event=event, choices=coming)

    def act() -> dict[str, Any]:
        chosen = form.cleaned_data.get("replacement")
        return entry_replace(
            entry_id=found.pk,
            reason=form.cleaned_data["reason"],
            replacement_id=chosen.pk if chosen else None,
            **pressed(request, replacing_basis, found.pk),
        )

    check = partial(replace_check, found)
    tried = act_or_why_not(check, act, form, reason_missing="reason", tie_choose="replacement")
    if tried.result is not None:
        return see_other(request, _replaced_words(tried.result), "tables:seating", slug=slug)
    context = {
        "entry": found,
        "why_not": why_not_now(partial(replace_check, found)),
        "basis": replacing_basis(found.pk),
        "coming": coming,
        "confirm": replacing_words(coming),
        # None: the stack of the closed round, carried on (T22, T25).
        "stack_chips": event.format.of(round_.number + 1).stack_chips if round_ else None,
        "form": form,
        "refused": "" if form.errors else tried.sentence,
    }
    return staff_page(request, "director/seating_replace.html", context, event=event, status=tried.status)


def _replaced_words(result: dict[str, Any]) -> str:
    if not result["in"]:
        message = _("%(out)s is taken out. Nobody is left who could take the seat; it stays empty.")
    else:
        message = _("%(out)s is replaced: %(in)s takes the seat.")
    return message % result


urlpatterns = [
    path("staff/<slug:slug>/draw/", draw, name="draw"),
    path("staff/<slug:slug>/draw/lock/", draw_lock_post, name="draw_lock"),
    path("staff/<slug:slug>/draw/cards/", draw_cards_post, name="draw_cards"),
    path("staff/<slug:slug>/draw/confirm/", draw_confirm_post, name="draw_confirm"),
    path("staff/<slug:slug>/draw/<int:number>/again/", draw_again_post, name="draw_again"),
    path("staff/<slug:slug>/seating/", seating, name="seating"),
    path("staff/<slug:slug>/seating/<int:round_id>/cards/", seat_cards, name="seat_cards_all"),
    path("staff/<slug:slug>/seating/<int:round_id>/<int:number>/cards/", seat_cards, name="seat_cards"),
    path("staff/<slug:slug>/seating/<int:seat_id>/no-show/", no_show, name="seat_no_show"),
    path("staff/<slug:slug>/seating/<int:round_id>/<int:number>/<int:box>/", fill, name="seat_fill"),
    path("staff/<slug:slug>/seating/replace/<slug:code>/", replace_entry, name="entry_replace"),
]
