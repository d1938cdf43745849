"""Correct a settled hand by touching what is wrong on the felt (T17).

A touch changes a draft and writes nothing. The finished hand is sent like that of the text form;
``pages.director.views.corrections`` has preview, reason and confirmation.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from games.registry import game_of
from ground.refused import Refused
from pages.dealer.games.parts import part_of
from pages.dealer.reads import Screen
from pages.dealer.views import amend, felt
from pages.director.reads.felt import (
    draft_of,
    draft_recorded,
    fields_of,
    query_of,
    screen_of,
    taps_in,
    taps_of_text,
    taps_put,
)
from pages.floor.forms import CARDS_MAX, bets_of_form, op_of_form, record_of_form
from pages.kit import Tried, act_or_sentence, staff_page, wants_fragment
from tables.models import Deal
from tables.selectors.amending import Amended, Change, amended, tapped
from tables.selectors.basis import correction_basis
from tables.selectors.deals import boxed, taps_standing
from tables.selectors.floor import house_rules
from tables.selectors.records import cards_of
from tables.services.amending import standing_after
from tournament.models import Event

Json = dict[str, Any]
FELT = "felt"
KEY = "director/_felt_key.html"


def is_asked(request: HttpRequest) -> bool:
    """Return whether the request is for the felt: by its address, a touch, or a hand typed as text."""
    if request.method == "POST":
        return request.POST.get("do") in (FELT, "amend")
    return request.GET.get("how") == FELT


def draft_sent(request: HttpRequest, deal: Deal) -> Deal:
    """Return the hand as touched or typed so far, else as recorded.

    Raises Refused if the hand is impossible.
    """
    sent = request.POST if request.method == "POST" else request.GET
    if sent.get("do") == FELT:
        record = record_of_form(sent, game_of(house_rules(deal.shoe.round)).actions)
        return draft_of(deal, record["bets"], taps_of_text(deal, record))
    if "taps" in sent:
        bets = {str(box): chips for box, chips in bets_of_form(sent).items()}
        return draft_of(deal, bets, [amend.op_of(word) for word in sent["taps"].split()[:CARDS_MAX]])
    return draft_recorded(deal)


def show(request: HttpRequest, event: Event, deal: Deal) -> HttpResponse:
    """Show the felt with the change just made, or its refusal."""
    recorded = draft_recorded(deal)
    tried = Tried(result={})
    try:
        draft = draft_sent(request, deal)
    except Refused:
        tried, draft = act_or_sentence(lambda: {"draft": draft_sent(request, deal)}), recorded
    if tried.done and request.POST.get("do") == "amend":
        tried = act_or_sentence(partial(_touch, request, draft))
    shown, words = screen_of(event, draft), _words(draft)
    fields = fields_of(draft, words)
    whole = shown.hand is not None and shown.hand.state is not None and shown.hand.state.needs.kind == "done"
    context = {
        "deal": deal,
        "basis": correction_basis(deal.pk),
        "draft": fields,
        "text": _text(draft, shown) if whole else {},
        "changed": (draft.bets, words) != (recorded.bets, _words(recorded)),
        "refused": "" if tried.done else tried.sentence,
        "fragment": wants_fragment(request),
        **_stage(request, shown, tried, query_of(fields), whole=whole),
    }
    template = "director/_correct_felt.html" if context["fragment"] else "director/correct_felt.html"
    answer = staff_page(request, template, context, event=event, status=tried.status)
    if not context["fragment"]:
        return answer
    # The address carries the draft, so that reloading or going back keeps the changes.
    answer["HX-Replace-Url"] = f"{request.path}?{query_of(fields)}"
    return felt.closed_up(answer)


def _words(draft: Deal) -> list[str]:
    return [amend.word_of(op) for op in taps_in(draft)]


def _look(draft: Deal, change: Change) -> Amended:
    """Return the draft as a change would leave it."""
    return amended(draft, change, boxed(draft.stacks))


def _touch(request: HttpRequest, draft: Deal) -> Json:
    """Apply the touched change. Raises Refused ``amend_drops`` and the game's codes."""
    if request.POST.get("amend") == amend.NEXT:
        taps_put(draft, tapped(draft, [*taps_in(draft), op_of_form(request.POST)]).standing)
        return {}
    change = amend.change_of(request.POST, draft)
    standing = standing_after(_look(draft, change), change)
    if change.bets is not None:
        draft.bets = {str(box): chips for box, chips in sorted(change.bets.items())}
    taps_put(draft, standing)
    return {}


def _text(draft: Deal, shown: Screen) -> dict[str, str]:
    """Return the whole hand as the fields of the text form."""
    assert shown.hand is not None
    draft.record = game_of(shown.rules).hand_record(shown.hand.state)
    return cards_of(draft)


def _stage(request: HttpRequest, shown: Screen, tried: Tried, query: str, *, whole: bool) -> Json:
    """Return the felt with its touchable parts, and the pad."""
    assert shown.hand is not None
    part = part_of(shown.rules)
    page = amend.Felt(look=_look, query=query, back=f"?{query}", key=KEY)
    sent = request.GET if request.method != "POST" else QueryDict() if tried.done else request.POST
    boxes, dealer = _decisions_said(felt.boxes(shown, "hand"), shown), part.dealer(shown)
    stage: Json = {"side": "hand", "boxes": boxes, "dealer": dealer, "prints": part.prints(shown.rules)}
    stage = amend.on_stage(request, shown, sent, stage, page)
    if stage["side"] == "hand" and not whole:
        stage |= amend.asks_next(shown, page)
    return {"want": part.wanted(shown), "steps": _steps(shown, page), "back": page.back, **stage}


def _decisions_said(boxes: list[Json], shown: Screen) -> list[Json]:
    """Return the boxes, each with its last decision (touchable) before its result."""
    assert shown.hand is not None
    touches, words = part_of(shown.rules).touches(shown), game_of(shown.rules).actions
    taps = taps_standing(shown.hand.deal.taps)
    last = {box: taps[at][0] for box, at in (touches.said if touches else {}).items()}
    return [_said_of(box, last.get(box["number"]), words) for box in boxes]


def _said_of(box: Json, decided: Json | None, words: Any) -> Json:
    if decided is None or decided.get("action") not in words:
        return box
    labels = [_(words[decided["action"]]), str(box.get("label", ""))]
    return box | {"label": " ".join(filter(None, labels))}


def _steps(shown: Screen, page: amend.Felt) -> list[Json]:
    """Return every tap in order with its link, including taps that the felt does not show."""
    assert shown.hand is not None
    touches = part_of(shown.rules).touches(shown)
    if touches is None:
        return []
    return [
        {
            "number": at + 1,
            "link": page.link(at, ""),
            "title": amend.place_words(touches, at)
            if "card" in op
            else amend.first_up(amend.felt_words(shown, op)),
            "cards": [op["card"]] if "card" in op else [],
        }
        for at, op in enumerate(taps_in(shown.hand.deal))
    ]
