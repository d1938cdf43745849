"""The table's own page, a tablet beside the dealer: hands by cards or by results, tap by tap.

The page has one address; the field ``do`` names the action. Every form carries its key and, inside a hand,
the number of taps that the screen has seen. Presses that waited on the tablet come together, each as its form
would have sent it alone (ADR 24).
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import path
from django.utils.translation import gettext as _

from games.protocol import Rules
from ground.refused import Forbidden
from pages.dealer.games.parts import part_of
from pages.dealer.reads import Screen, results_preview, screen, take_back_of
from pages.dealer.views import amend, changed, felt, irregular, presence, results
from pages.dealer.views.presses import deal_press, is_typed, screen_of, shoe_press, tap_press, typed_check
from pages.floor.at_table import everywhere, table_or_404
from pages.floor.forms import bets_of_form, first_card, hand_typed, op_of_form
from pages.guard import carries_out, may_press
from pages.kit import (
    Tried,
    act_or_sentence,
    no_such_button,
    number_or_0,
    reason_refused,
    said,
    see_other,
    staff_page,
    wants_fragment,
)
from pages.words.plans import bets_words
from tables.models import Deal, Shoe, Table
from tables.selectors.basis import shoe_basis
from tables.selectors.deals import boxed
from tables.selectors.floor import house_rules
from tables.selectors.seating import may_begin, seating_closes
from tables.selectors.shoes import why_not_end, why_not_reopen
from tables.services import dealing, simulation
from tables.services.locks import deal_get, shoe_get
from tables.services.shoes import shoe_end, shoe_last_hand, shoe_next, shoe_reopen
from tables.services.take_back import deal_take_back
from tournament.models import Event, Round
from tournament.roles import AUDITOR, roles_of

Json = dict[str, Any]
Act = Callable[[HttpRequest, Table], Json]
CARDS, RESULTS = "cards", "results"
PRESSES_MOST = 40
"""The most presses that one request carries out; the tablet sends the rest again."""


@carries_out(
    "round.play",
    "deal.settle",
    "deal.record",
    "deal.void",
    "deal.play_on",
    "deal.amend",
    "deal.take_back",
    "shoe.end",
    "shoe.last_hand",
    "shoe.reopen",
    "shoe.next",
    "shoe.seed",
    "stack.absent",
    "seat.seen",
    "chips.due",
)
def table(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the table. For a press, carry it out and show the table after it, or why it was refused."""
    event, at = table_or_404(request, slug, number)
    if request.method != "POST":
        return _show(request, event, at)
    if request.POST.get("do") == "check":
        return _check(request, event, at)
    if "press" in request.POST:
        return _in_line(request, event, at)
    tried = act_or_sentence(partial(_act, request, at))
    if tried.done and not wants_fragment(request):
        response = see_other(request, "", "tables:table", slug=slug, number=number)
        response["Location"] += f"?mode={_mode_asked(request)}" if _mode_asked(request) else ""
        return response
    return _show(request, event, at, tried)


def _in_line(request: HttpRequest, event: Event, at: Table) -> HttpResponse:
    """Carry out the presses that waited on the tablet, in their order, until one is refused.

    Each press is a transaction of its own and counts once by its key, however often it is sent.
    ``Cutline-Saved`` is the number of presses carried out, counted from the first, even if a later press or
    the page fails; ``Cutline-Refused`` is the code of a refusal. The answer is the page after the last press.

    ``whose``: the login and the table of the presses. Presses of another login are not carried out (403);
    they wait on the tablet for their owner. ``once``: the parts of the page that the tablet has and that
    never change; they are not sent again.
    """
    there = request.POST.get("once", "").split()
    if request.POST.get("whose") != _whose(request, at):
        return HttpResponse(status=403, headers={"Cache-Control": "private, no-store"})
    request.presses_saved = 0  # type: ignore[attr-defined]  # told by config.middleware, whatever fails
    tried = None
    for body in request.POST.getlist("press")[:PRESSES_MOST]:
        # An action reads a press as if its form had been sent alone.
        request.POST = QueryDict(body)
        tried = act_or_sentence(partial(_act, request, at))
        if not tried.done:
            break
        request.presses_saved += 1  # type: ignore[attr-defined]  # as above
    answer = _show(request, event, at, tried, there)
    if tried is not None and not tried.done:
        answer["Cutline-Refused"] = tried.code
    return answer


def _whose(request: HttpRequest, at: Table) -> str:
    """Return the name under which the tablet stores the taps of one login for one table."""
    return f"{request.user.pk}.{at.pk}"


def _act(request: HttpRequest, at: Table) -> Json:
    do = request.POST.get("do", "")
    act = ACTIONS.get(do)
    if act is None:
        raise no_such_button()
    return act(request, at)


# -- What a press does ----------------------------------------------------------------------------------


def _bets(request: HttpRequest, at: Table) -> Json:
    """Call the bets, by the button or by the first card."""
    press, bets = shoe_press(request, at), bets_of_form(request.POST)
    if first_card(request.POST):
        op, nonce = op_of_form(request.POST), press["key"][:64]
        return dealing.deal_begin(**press, bets=bets, op=op, nonce=nonce, screen=screen_of(request))
    return dealing.deal_open(**press, bets=bets, mode=CARDS)


def _other_bets(request: HttpRequest, at: Table) -> Json:
    return dealing.deal_bets(bets=bets_of_form(request.POST), **deal_press(request, at))


def _tap(request: HttpRequest, at: Table) -> Json:
    return dealing.deal_tap(**tap_press(request, at), op=op_of_form(request.POST))


def _undo(request: HttpRequest, at: Table) -> Json:
    return dealing.deal_undo(**tap_press(request, at))


def _settle(request: HttpRequest, at: Table) -> Json:
    return dealing.deal_settle(**deal_press(request, at))


def _results(request: HttpRequest, at: Table) -> Json:
    """A hand by its results, in one step; or the open one, whose bets stand."""
    if request.POST.get("deal"):
        press = deal_press(request, at)
        deal = deal_get(press["deal_id"])
        outcomes = _outcomes(house_rules(deal.shoe.round), request, boxed(deal.bets))
        return dealing.deal_settle(**press, outcomes=outcomes)
    press, bets = shoe_press(request, at), bets_of_form(request.POST)
    outcomes = _outcomes(house_rules(shoe_get(press["shoe_id"]).round), request, bets)
    return dealing.deal_record_results(**press, bets=bets, outcomes=outcomes)


def _outcomes(rules: Rules, request: HttpRequest, bets: Mapping[int, int]) -> dict[int, Json]:
    return part_of(rules).outcomes(rules, request.POST, bets)


def _void(request: HttpRequest, at: Table) -> Json:
    return dealing.deal_void(**deal_press(request, at), reason=request.POST.get("reason", ""))


def _take_back(request: HttpRequest, at: Table) -> Json:
    """T17: the person who settled a hand takes it back."""
    return deal_take_back(**deal_press(request, at))


def _other_mode(request: HttpRequest, at: Table) -> Json:
    """Enter the open hand by its results, or by its cards again."""
    press = deal_press(request, at)
    return dealing.deal_mode(deal_id=press["deal_id"], mode=request.POST.get("to", ""), key=press["key"])


def _shoe_end(request: HttpRequest, at: Table) -> Json:
    """End the shoe; while a hand is typed and not settled, that hand is the last one (T11)."""
    act = shoe_last_hand if is_typed(request) else shoe_end
    return act(**shoe_press(request, at), reason=request.POST.get("reason", ""))


def _last_hand(request: HttpRequest, at: Table) -> Json:
    """Note that the cut card is out in the open hand, or take that note back."""
    out, reason = request.POST.get("out") != "no", request.POST.get("reason", "")
    return shoe_last_hand(**shoe_press(request, at), out=out, reason=reason)


def _reopen(request: HttpRequest, at: Table) -> Json:
    if not may_press(request, "shoe.reopen"):
        raise Forbidden("not_allowed", _("Only the floor or the director can open a shoe again."))
    return shoe_reopen(**shoe_press(request, at), reason=request.POST.get("reason", ""))


def _close_table(request: HttpRequest, at: Table) -> Json:
    """Close the table in the middle of the shoe, with a reason (T11)."""
    typed_check(request)
    reason = request.POST.get("reason", "")
    return shoe_end(**shoe_press(request, at), reason=reason, in_the_middle=True)


def _shoe_next(request: HttpRequest, at: Table) -> Json:
    press = shoe_press(request, at)
    round_id = shoe_get(press["shoe_id"]).round_id
    return shoe_next(round_id=round_id, table_id=at.pk, key=press["key"], actor=press["actor"])


def _simulate(request: HttpRequest, at: Table) -> Json:
    typed_check(request)
    hands = None if request.POST.get("hands") == "all" else 1
    return simulation.shoe_play_on(**shoe_press(request, at), hands=hands)


ACTIONS: dict[str, Act] = {
    "bets": _bets,
    "rebet": _other_bets,
    "tap": _tap,
    "undo": _undo,
    "amend": amend.amend,
    "wrong": irregular.wrong,
    "settle": _settle,
    "results": _results,
    "void": _void,
    "take_back": _take_back,
    "mode": _other_mode,
    "cut": _shoe_end,
    "last_hand": _last_hand,
    "reopen": _reopen,
    "close": _close_table,
    "next_shoe": _shoe_next,
    "absent": presence.absent,
    "seen": presence.seen,
    "unseen": partial(presence.seen, seen=False),
    "due": presence.chips_right,
    "simulate": _simulate,
}


def _check(request: HttpRequest, event: Event, at: Table) -> HttpResponse:
    """Return the net of the typed results, box by box, before they are settled."""
    shown = screen(event, at)
    nets: dict[int, int] = {}

    def look() -> Json:
        # A form of no hand has bets of its own, whatever lies on the table.
        bets = (_bets_standing(shown) if request.POST.get("deal") else {}) or bets_of_form(request.POST)
        nets.update(results_preview(shown, bets, _outcomes(shown.rules, request, bets)))
        return {}

    tried = act_or_sentence(look)
    waiting = tried.code in ("results_missing", "no_bets")
    lines = [
        {"box": row.box, "name": row.entry.player.public_name, "net": nets[row.box]}
        for row in shown.view.occupied
        if row.entry and row.box in nets
    ]
    return staff_page(
        request, "dealer/_nets.html", {"lines": lines, "tried": tried, "waiting": waiting}, event=event
    )


def _bets_standing(shown: Screen) -> dict[int, int]:
    return {int(box): bet for box, bet in shown.hand.deal.bets.items()} if shown.hand else {}


# -- What is shown --------------------------------------------------------------------------------------


def _show(
    request: HttpRequest, event: Event, at: Table, tried: Tried | None = None, there: Sequence[str] = ()
) -> HttpResponse:
    shown, others = screen(event, at), changed.tablets(request, at)
    fragment = wants_fragment(request)
    version = f"{shown.version}.{others}"
    if fragment and request.GET.get("since") == version:
        return HttpResponse(status=204, headers={"Cache-Control": "private, no-store"})
    basis = shoe_basis(shown.shoe.pk) if shown.shoe else None
    if fragment and basis is not None and changed.typed_before(request, basis):
        return changed.meanwhile(request, event, shown, basis)
    kept = _kept(request, tried)
    stays = _stays(request, shown, kept)
    kept = _as_settled(shown, kept)
    mode = RESULTS if stays else _mode(request, shown)
    context = {
        "at": at,
        "shown": shown,
        "version": version,
        "others": others,
        "basis": basis,
        "takes_back": take_back_of(shown, request.user.pk),
        "where": felt.where_words(shown),
        "unseen": shown.unseen,
        "unseen_here": shown.unseen.at(at.number),
        "seen_here": shown.unseen.seen_at(at.number),
        "mode": mode,
        "stays": stays,
        **changed.told(request, shown, tried),
        "closes": _closes(request, shown, tried),
        **reason_refused(tried),
        "everywhere": everywhere(request),
        "fragment": fragment,
        "there": there,
        **felt.of_the_shoe(shown),
        "ahead_words": {} if fragment else part_of(shown.rules).ahead_words(),
        "whose": _whose(request, at),
        **_stage(request, shown, kept, stays=stays),
    }
    context["refused_in"] = _form_open(request, context) if tried and not tried.done else ""
    template = "dealer/_table.html" if fragment else "dealer/table.html"
    answer = staff_page(request, template, context, event=event, status=tried.status if tried else 200)
    return felt.closed_up(answer) if fragment else answer


def _form_open(request: HttpRequest, context: Json) -> str:
    """Return the folded form that was sent and refused: it opens again and shows the refusal."""
    do, shown = request.POST.get("do", ""), context["shown"]
    if not context["acts"] or shown.shoe is None:
        return ""
    between = not shown.hand and not context["over"]
    there = {
        "void": bool(shown.hand) and not context["stays"],
        "cut": between and not context["stays"],
        "close": between,
        "last_hand": bool(shown.hand) and not shown.shoe.last_hand,
        "reopen": context["reopens"],
        "absent": between and context["everywhere"],
        "wrong": irregular.is_there(context, request.POST),
    }
    return do if there.get(do) else ""


def _kept(request: HttpRequest, tried: Tried | None) -> Mapping[str, str]:
    """Return the typed values that the page keeps: of a refused form, or typed while somebody else acted."""
    if request.method == "POST":
        # Beside a hand that is typed: who is there, that the chips are right, that the cut card came out.
        beside_it = ("absent", "seen", "unseen", "due", "cut", "last_hand")
        beside = request.POST.get("do") in beside_it and request.POST.get("leave") != "1"
        through = tried is not None and tried.done and not beside
        return {} if through else request.POST
    return request.GET


def _as_settled(shown: Screen, kept: Mapping[str, str]) -> Mapping[str, str]:
    """Return the typed values; without any, those entered for a hand by results that was taken back."""
    entered = shown.hand.deal.outcomes if shown.hand and shown.hand.deal.mode == Deal.Mode.RESULTS else {}
    if not entered or hand_typed(kept):
        return kept
    return ChainMap(dict(kept), part_of(shown.rules).fields(shown.rules, entered))


def _stays(request: HttpRequest, shown: Screen, kept: Mapping[str, str]) -> bool:
    """Whether typed results stay on the screen although the table has gone on without them.

    Another screen has begun another hand, or no hand can be entered any more. The results fit into neither
    form, and only the person who typed them may discard them.
    """
    if _mode_asked(request) != RESULTS or not hand_typed(kept) or shown.shoe is None:
        return False
    asked_of, deal = kept.get("shoe", ""), kept.get("deal", "")
    if deal and not asked_of:
        mine = Deal.objects.filter(pk=number_or_0(deal), shoe=shown.shoe).exists()
    else:
        mine = asked_of in ("", str(shown.shoe.pk))
    if not mine:
        return False
    return bool(shown.view.blocked) if shown.hand is None else deal != str(shown.hand.deal.pk)


def _mode_asked(request: HttpRequest) -> str:
    by_button = {"bets": CARDS, "results": RESULTS}.get(request.POST.get("do", ""))
    if by_button is not None:
        return by_button
    asked = request.POST.get("mode") or request.GET.get("mode") or ""
    return asked if asked in (CARDS, RESULTS) else ""


def _mode(request: HttpRequest, shown: Screen) -> str:
    """Return how this hand is entered: the way it was begun, the way asked for, else the last way."""
    if shown.hand is not None:
        return RESULTS if shown.hand.deal.mode == Deal.Mode.RESULTS else CARDS
    asked = _mode_asked(request)
    if asked:
        return asked
    return RESULTS if shown.last is not None and shown.last.mode == Deal.Mode.RESULTS else CARDS


def _stage(request: HttpRequest, shown: Screen, kept: Mapping[str, str], *, stays: bool) -> Json:
    """Return the values of the page that depend on what the table is doing."""
    view, part = shown.view, part_of(shown.rules)
    ladder = results.ladder(shown.rules)
    # Bets that were sent while another screen called its own are shown as a change of those.
    sent = request.method == "POST" and kept.get("do") == "bets" and hand_typed(kept)
    changing = shown.hand is not None and not shown.hand.said and not stays
    changing = changing and (request.GET.get("change") == "1" or sent)
    # T8: an event that was called off offers nothing more to do at its tables.
    acts = bool(roles_of(request.user) - {AUDITOR}) and view.table.event.status != Event.Status.CALLED_OFF
    betting, mode = shown.hand is None and not view.blocked, RESULTS if stays else _mode(request, shown)
    side = felt.pad_side(shown, mode, acts=acts, betting=betting, changing=changing, stays=stays)
    entered = _entered(shown, kept, side, stays=stays)
    entering = RESULTS if mode == RESULTS else "hand" if shown.hand else "bets"
    stage = {
        **_hand_shown(shown),
        **entered,
        "keys_help": results.keys_help(entering, ladder, entered["outcomes"]),
        "side": side,
        "prints": part.prints(shown.rules),
        "dealer": felt.last_dealer(shown, side) or part.dealer(shown),
        **(felt.ahead(shown) if acts and side in ("hand", "bets") else {}),
        "offers": part.offers(shown),
        "changing": changing,
        "acts": acts,
        "betting": betting,
        "ladder": ladder,
        "bets_words": "" if ladder or view.round is None else bets_words(view.round.plan.bets),
        "over": view.shoe is not None and (view.shoe.status != Shoe.Status.DEALING or view.tie_done),
        "early": _early(shown),
        "reopens": _reopens(request, shown),
        "may_begin": view.round is not None and may_begin(view.round),
        "main_round": view.round is not None and view.round.kind == Round.Kind.ROUND,
    }
    return amend.on_stage(request, shown, kept, stage)


def _hand_shown(shown: Screen) -> Json:
    """Return the next step of the hand on the table, and the legal decisions."""
    part = part_of(shown.rules)
    want, decisions = part.wanted(shown), part.decisions(shown)
    hits = any(each["hits"] for each in decisions)
    return {
        "want": want | felt.pad_off(want, hits=hits),
        "decisions": decisions,
        "decisions_open": any(each["legal"] for each in decisions),
    }


def _entered(shown: Screen, kept: Mapping[str, str], side: str, *, stays: bool) -> Json:
    """Return the bets and results entered so far, by box. The bets start as those of the hand before."""
    asked = part_of(shown.rules).results_form(shown.rules)
    stands = {} if stays else _bets_standing(shown) or results.same_bets(shown)
    # While cards are entered there is nothing to enter box by box.
    rows = [] if side == "hand" else results.rows(shown, kept, stands, asked.get("hands_most", 0))
    called = results.from_the_button(rows)
    which, missing = (called, "bet") if side == "bets" else (rows, "out")
    return {
        **asked,
        "boxes": felt.boxes_entered(felt.boxes(shown, side), rows, asked["outcomes"], side),
        "rows": rows,
        "bet_rows": called,
        "at_box": results.at_box(which, missing, kept.get("at", "")),
        "hands_asked": kept.get("hands", ""),
        "insurance": kept.get("insurance", ""),
    }


def _reopens(request: HttpRequest, shown: Screen) -> bool:
    """Whether this person can reopen a shoe that was ended by mistake (T11)."""
    if shown.shoe is None or shown.shoe.status != Shoe.Status.OVER or shown.view.tie_done:
        return False
    if shown.view.round is not None:
        shown.shoe.round = shown.view.round
    return may_press(request, "shoe.reopen") and why_not_reopen(shown.shoe) is None


def _closes(request: HttpRequest, shown: Screen, tried: Tried | None) -> str:
    """Return the mark of the question whether to close seating, for the next press; else empty (T6)."""
    if tried is None or tried.done or shown.view.round is None:
        return ""
    found = seating_closes(shown.view.round)
    asked = found and (tried.code == "seating_closes" or found.mark == request.POST.get("closes"))
    return found.mark if found and asked else ""


def _early(shown: Screen) -> str:
    """Return why the shoe cannot end without a reason, for the form that ends it; empty if it can."""
    shoe, view = shown.shoe, shown.view
    if shoe is None or view.open_deal is not None or shoe.status != Shoe.Status.DEALING:
        return ""
    if view.round is not None:
        shoe.round = view.round
    found = why_not_end(shoe)
    return said(found.message) if found else ""


urlpatterns = [path("staff/<slug:slug>/tables/<int:number>/", table, name="table")]
