"""Replay a recorded hand step by step: a hand of an event, or a hand record from a file."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.refused import Refused
from ground.typed import plain_number
from pages.auditor.reads.records import FILE_MOST_BYTES, FileLine, file_read, rulings_of
from pages.dealer.games.blackjack import rank_words
from pages.floor.at_table import not_your_table
from pages.guard import may_press, role_required
from pages.kit import actor_of, event_get, opens, said, staff_page, told
from pages.replay import BoxPicture, Replay, Step, cards_replay, record_replay, why_not_replayed
from pages.words.corrections_later import later_of_hand
from pages.words.corrections_wait import correction_of_hand
from pages.words.replay import BoxTotal, box_label, hand_shown, settlement, step_note, step_title
from tables.models import Deal
from tables.models.floor import BOXES
from tables.selectors.clerks import deals_at
from tables.selectors.records import recorded_hand
from tables.services.correcting import why_not_correct
from tournament.models import Event
from tournament.roles import AUDITOR, DEALER, ROLES, roles_of

Json = dict[str, Any]
RECORD_FIELDS = (
    *("id", "rules", "decks", "limits", "options", "bets", "stacks", "side_bets", "line_chips", "players"),
    *("cards", "decisions", "irregularities", "void", "void_reason", "results"),
)
WORKING = tuple(role for role in ROLES if role != AUDITOR)


# -- A hand of an event -----------------------------------------------------------------------------------


@role_required(*WORKING)
@require_safe
def replay(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the felt after step ``?step=`` of a hand; its results if no cards were recorded."""
    event = event_get(slug)
    deal = _deal(request, event, pk)
    hand = recorded_hand(event, deal)
    names = {line.box: line.entry.player.public_name for line in hand.boxes if line.entry}
    context: Json = {"deal": deal, "hand": hand, "record": _text(deal.record)}
    hands = reverse("tables:deals", kwargs={"slug": slug})
    if opens(request, hands):
        context["all_hands"] = f"{hands}?table={deal.shoe.table.number}&round={deal.shoe.round_id}"
    waits = correction_of_hand(request, event, deal) or later_of_hand(request, event, deal)
    context |= {"correction_waits": waits, "rulings": rulings_of(deal)}
    context |= _put_right(request, event, deal)
    try:
        found = cards_replay(deal.record)
    except Refused as no:
        # Recorded by an older engine, or edited in the database: show the stored results.
        found, context["refused"] = None, said(no.message)
    if found is not None:
        context |= _stage(found, request.GET.get("step", ""), names, deal.button_box)
    return staff_page(request, "auditor/replay.html", context, event=event)


def _put_right(request: HttpRequest, event: Event, deal: Deal) -> Json:
    """Return the address where this person can correct the hand, or why nobody can now (T17)."""
    if deal.status != Deal.Status.SETTLED or not may_press(request, "deal.correct"):
        return {}
    deal.shoe.round.event = event
    no = why_not_correct(deal)
    if no is not None:
        return {"correct_no": told(no)}
    return {
        "correct_href": reverse("tables:correct", kwargs={"slug": event.slug, "pk": deal.pk}) + "?how=felt"
    }


@role_required(*WORKING)
@require_safe
def record(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Send the hand record of a hand as a file."""
    deal = _deal(request, event_get(slug), pk)
    if not deal.record:
        return HttpResponse(status=404)
    response = JsonResponse(deal.record, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="hand-{deal.pk}.json"'
    response["Cache-Control"] = "private, no-store"
    return response


def _deal(request: HttpRequest, event: Event, pk: int) -> Deal:
    """Return the hand. Dealers may only see hands of their own table."""
    found = Deal.objects.select_related("shoe__table", "shoe__round", "opened_by")
    deal = get_object_or_404(found, pk=pk, shoe__round__event=event)
    if roles_of(request.user) == {DEALER} and not deals_at(actor_of(request), deal.shoe.table):
        raise not_your_table(request)
    return deal


# -- A hand record from elsewhere --------------------------------------------------------------------------


@role_required(*ROLES)
def replay_from(request: HttpRequest) -> HttpResponse:
    """Paste or upload hand records and replay them; an impossible record is refused with its code."""
    if request.method != "POST":
        return staff_page(request, "auditor/replay_from.html", {"most_kb": FILE_MOST_BYTES // 1024})
    text, lines, refused = "", [], None
    try:
        content = _content(request)
        text = content.decode("utf-8", errors="replace")
        lines = file_read(content)
    except Refused as no:
        refused = no
    chosen = _chosen(lines, request.POST.get("line", ""))
    if chosen is not None and chosen.refused is None:
        refused = why_not_replayed(chosen.record)
    context: Json = {
        "text": text,
        "lines": lines,
        "line": chosen,
        "refused": refused or (chosen.refused if chosen else None),
        "most_kb": FILE_MOST_BYTES // 1024,
    }
    if chosen is not None and context["refused"] is None:
        found = record_replay(chosen.record)
        context |= {"record": _text(found.record), **_stage(found, request.POST.get("step", ""), {}, None)}
    status = context["refused"].status if context["refused"] else 200
    return staff_page(request, "auditor/replay_from.html", context, status=status)


def _content(request: HttpRequest) -> bytes:
    upload = request.FILES.get("file")
    if upload is None:
        return request.POST.get("records", "").encode("utf-8", errors="replace")
    # Read one byte too many, so that a file that is too long is noticed.
    content: bytes = upload.read(FILE_MOST_BYTES + 1)
    return content


def _chosen(lines: list[FileLine], asked: str) -> FileLine | None:
    """Return the chosen line, or the only one; None if none is chosen yet."""
    if len(lines) == 1:
        return lines[0]
    return next((line for line in lines if str(line.number) == asked), None)


# -- The felt ----------------------------------------------------------------------------------------------


def _text(found: Json | None) -> str:
    """Return a record as readable text, one field a line."""
    if not found:
        return ""
    known = [name for name in RECORD_FIELDS if name in found]
    names = [*known, *(name for name in found if name not in known)]
    fields = (f" {json.dumps(name)}: {json.dumps(found[name], ensure_ascii=False)}" for name in names)
    return "{\n" + ",\n".join(fields) + "\n}"


def _stage(found: Replay, asked: str, names: dict[int, str], button: int | None) -> Json:
    """Return the context for one step of a replay."""
    made: Json = {"replay": found, "void": found.void}
    if not found.steps:
        return made
    last = len(found.steps) - 1
    at = min(plain_number(asked, digits_max=4) or 0, last)
    step = found.steps[at]
    totals = {total.box: total for total in settlement(found)} if step.kind == "settled" else {}
    steps = [
        {"number": each.number, "title": step_title(each), "cards": _shown(each)} for each in found.steps
    ]
    pictures = {picture.box: picture for picture in step.boxes}
    return made | {
        "step": step,
        "title": step_title(step),
        "note": step_note(step),
        "steps": steps,
        "last": last,
        "before": at - 1 if at else None,
        "after": at + 1 if at < last else None,
        "totals": list(totals.values()),
        "boxes": [
            _box(pictures.get(box), box, step, names.get(box, ""), totals.get(box), button == box)
            for box in range(1, BOXES + 1)
        ],
        "dealer": {"cards": step.dealer, "label": _dealer(step)},
        "prints": [
            _("BLACKJACK PAYS %(won)s TO %(bet)s")
            % {"won": found.rules.natural_pays[0], "bet": found.rules.natural_pays[1]},
            _("INSURANCE 2 TO 1"),
        ],
    }


def _shown(step: Step) -> tuple[str, ...]:
    return () if step.kind == "hole" else step.cards


def _box(
    picture: BoxPicture | None, number: int, step: Step, name: str, total: BoxTotal | None, button: bool
) -> Json:
    if picture is None:
        return {"number": number, "state": "empty", "hands": []}
    lit = step.box == number and step.kind in ("card", "decision")
    label, tone = box_label(picture, total)
    return {
        "number": number,
        "name": name or ", ".join(picture.players),
        "stack_chips": picture.stack_chips,
        "line_chips": picture.line_chips,
        "bet_chips": picture.put_up_chips - picture.insurance_chips - sum(picture.side_bets.values()),
        "hands": [hand_shown(hand, active=lit and at == step.hand) for at, hand in enumerate(picture.hands)],
        "state": "out" if picture.not_dealt else "act" if lit else "",
        "label": label,
        "tone": tone,
        "button": button,
    }


def _dealer(step: Step) -> str:
    known = [card for card in step.dealer if card != "??"]
    if not known:
        return ""
    if len(known) == 1:
        return _("Dealer shows %(rank)s") % {"rank": rank_words(known[0])}
    if len(known) == 2 and step.dealer_total == 21:
        return _("Dealer has blackjack")
    words = _("Dealer busts with %(n)s") if step.dealer_total > 21 else _("Dealer has %(n)s")
    return words % {"n": step.dealer_total}


urlpatterns = [
    path("staff/replay/", replay_from, name="replay_from"),
    path("staff/<slug:slug>/deals/<int:pk>/replay/", replay, name="replay"),
    path("staff/<slug:slug>/deals/<int:pk>/record.json", record, name="record"),
]
