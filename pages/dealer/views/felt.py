"""The boxes of the felt for the templates, for every game. Words and pictures, no rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.protocol import HandSummary
from games.registry import game_of
from pages.dealer.games.part import net_label
from pages.dealer.games.parts import part_of
from pages.dealer.reads import Screen
from pages.kit import number_or_0
from tables.models import Shoe
from tables.selectors.table_view import BoxRow
from tournament.figures import signed
from tournament.models import Stack

Json = dict[str, Any]
BETWEEN_TAGS = re.compile(rb">\s*\n\s*<")


def boxes(shown: Screen, side: str) -> list[Json]:
    """Return the boxes of the event with the hand on the table or, between hands, the last hand's result.

    ``side``: what the pad enters. Beside the results of a new hand lie no cards of the last one.
    """
    in_hand = part_of(shown.rules).in_hand(shown)
    made = []
    for row in shown.view.boxes:
        if row.entry is None and row.box > shown.boxes_posted:
            continue
        box = _box(row, shown)
        if row.box in in_hand:
            box |= in_hand[row.box]
        elif shown.hand is None:
            box |= _last_hand(row, shown, side)
        made.append(box)
    return made


def ahead(shown: Screen) -> dict[str, str]:
    """Return what the script needs to go on while taps are being sent; empty if it waits for each tap.

    ``ahead_rules`` are the deciding rules, the same for all hands of a shoe; ``ahead`` is the hand.
    """
    found = part_of(shown.rules).ahead(shown)
    if not found:
        return {}
    rules = {"rules": found.pop("rules", None)}
    return {"ahead": _short_json(found), "ahead_rules": _short_json(rules)}


def _short_json(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))


def of_the_shoe(shown: Screen) -> Json:
    """Return the ids of the parts that depend only on the rules, so that they are sent once for a shoe."""
    pk = shown.shoe.pk if shown.shoe else 0
    return {"sheet_id": f"sheet-{pk}", "print_id": f"print-{pk}"}


def closed_up(answer: HttpResponse) -> HttpResponse:
    """Return the answer without the indentation between tags: it is sent at every tap."""
    answer.content = BETWEEN_TAGS.sub(b">\n<", answer.content)
    return answer


def pad_side(shown: Screen, mode: str, *, acts: bool, betting: bool, changing: bool, stays: bool) -> str:
    """Return what the pad enters: ``bets``, ``hand`` (by cards) or ``results``; else ``read`` or ``wait``."""
    open_now = shown.hand is not None
    if not acts:
        return "read" if open_now or betting else "wait"
    if stays:
        return "results"
    if mode == "cards" and open_now and not changing:
        return "hand"
    if changing or (betting and mode == "cards"):
        return "bets"
    return "results" if betting or open_now else "wait"


def pad_off(want: Json, *, hits: bool, earlier: bool = False) -> Json:
    """Return whether the card keys are grey, and why they or *Settle* are, by the next step.

    The script uses the same words for what it draws ahead (``ahead_words``). ``hits``: a card would be a hit.
    ``earlier``: the pad is that of an earlier moment, which is being corrected.
    """
    now = want.get("now") or want.get("title", "")
    no_card = _("No card fits here: %(now)s.") if earlier else _("No card comes now: %(now)s.")
    return {
        "pad_off": not want.get("card") and not hits,
        "why_card": no_card % {"now": now},
        "why_settle": _("The hand is not finished: %(now)s.") % {"now": now},
    }


def amounts_kept(post: Mapping[str, str], stage: Json) -> None:
    """Fill the typed amounts into the fields of a stage: insurance, and a double for less."""
    for offer in stage.get("offers", ()):
        offer["entered"] = post.get(f"insurance-amount-{offer['box']}", "")
    for each in stage.get("decisions", ()):
        each["entered"] = post.get(f"double-amount-{each.get('for_less')}", "")


def boxes_entered(
    boxes: list[Json], rows: list[Json], outcomes: Iterable[tuple[str, Any, str]], side: str
) -> list[Json]:
    """Return the boxes while bets or results are entered: whether each can be tapped, and its entries."""
    if side not in ("bets", "results"):
        return boxes
    words = {value: said for value, said, _key in outcomes}
    entered = {row["box"]: row for row in rows if row["may_bet"] or row["bet_stands"]}
    made = []
    for box in boxes:
        row = entered.get(box["number"])
        if row is None:
            made.append(box)
            continue
        bet, out = number_or_0(row["bet"]), words.get(row["out"])
        made.append(box | {"at": True, "bet_chips": bet} | ({"label": out, "tone": ""} if out else {}))
    return made


def _box(row: BoxRow, shown: Screen) -> Json:
    if row.entry is None:
        return {"number": row.box, "state": "empty", "hands": []}
    return {
        "number": row.box,
        "name": row.entry.player.public_name,
        "code": row.entry.code,
        "stack_chips": row.shown_chips,
        "line_chips": shown.line_chips.get(row.box),
        "bet_chips": row.bet_chips,
        "hands": [],
        "button": row.button,
        "state": "" if row.may_bet or row.bet_chips else "out",
        "label": why_words(row) if not row.bet_chips else "",
    }


def why_words(row: BoxRow) -> str:
    """Return why a box does not bet, short enough for its pill."""
    if row.stack is None or row.may_bet:
        return ""
    if row.stack.state == Stack.State.ABSENT:
        return _("Absent")
    if row.sits_out:
        return _("Sits out")
    if row.stack.state == Stack.State.PLAYING:
        return _("Out of chips") if not row.chips else _("Below the minimum")
    decided: dict[str, str] = {Stack.Outcome.ADVANCED: _("Advances"), Stack.Outcome.CUT: _("Out")}
    if row.stack.place:
        return _("Place %(n)s") % {"n": row.stack.place}
    return str(decided.get(row.stack.outcome, _(row.stack.get_state_display())))


def _last_hand(row: BoxRow, shown: Screen, side: str) -> Json:
    """Return the last hand's result of a box, shown between hands."""
    if row.entry is None or row.box not in shown.last_nets or not row.may_bet:
        return {}
    told = _last_hands(row.box, shown)
    made = net_label(shown.last_nets[row.box], (each.net_chips for each in told), _("last hand"))
    return made if side == "results" else made | _last_cards(row.box, shown, told)


def _last_hands(box: int, shown: Screen) -> Sequence[HandSummary]:
    last = shown.last
    if last is None or str(box) not in last.bets:
        return ()
    return game_of(shown.rules).hand_summaries(
        last.bets[str(box)], str(box), last.answer or {}, last.outcomes.get(str(box))
    )


def _last_cards(box: int, shown: Screen, told: Sequence[HandSummary]) -> Json:
    """Return the cards of a box and its bet as long as the hand still lies on the table."""
    last = shown.last
    if last is None or not shown.fresh or str(box) not in last.bets:
        return {}
    hands = [
        {"cards": each.cards, "total": "", "label": "" if each.net_chips is None else signed(each.net_chips)}
        for each in told
        if each.cards
    ]
    return {"hands": hands, "bet_chips": last.bets[str(box)]}


def last_dealer(shown: Screen, side: str) -> Json:
    """Return the dealer's cards while the hand settled last still lies there and no results are entered."""
    if not shown.fresh or shown.last is None or side == "results":
        return {}
    cards = (shown.last.answer or {}).get("dealer", [])
    return {"cards": cards, "label": _("last hand")} if cards else {}


def where_words(shown: Screen) -> str:
    """Return the line beside the table's name: ``Round 1 · hand 9 · 6 decks``, or the number of hands.

    Without hands in an event on counts alone (T18).
    """
    view = shown.view
    if view.round is None or view.shoe is None:
        return ""
    decks = ngettext("%(n)s deck", "%(n)s decks", view.shoe.decks) % {"n": view.shoe.decks}
    if view.shoe.status == Shoe.Status.DEALING and not view.tie_done:
        number = _("hand %(n)s") % {"n": shown.number}
    else:
        number = ngettext("%(n)s hand", "%(n)s hands", view.hands) % {"n": view.hands}
    return " · ".join([view.round.title, *([] if view.round.counts_alone else [number]), decks])
