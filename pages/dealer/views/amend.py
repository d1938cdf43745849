"""Correct a hand by touching the mistake on the felt: the pad with its question, and the press of an open
hand.

The pad is that of the moment of the touched tap: it offers the choices of that moment. Settled hands are
touched in the same way (``pages.director.views.correct_felt``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from games.protocol import Hand
from games.registry import game_of
from ground.refused import Refused
from ground.typed import plain_number
from pages.dealer.games.part import Touches
from pages.dealer.games.parts import part_of
from pages.dealer.reads import Screen
from pages.dealer.views import felt, results
from pages.dealer.views.presses import deal_press, seen_of
from pages.floor.forms import JOKER, box_name, number_of, op_of_form, whole
from pages.kit import number_or_0
from pages.words.cards import card_name
from tables.models import Deal, Table
from tables.selectors.amending import Amended, Change, tapped_op
from tables.selectors.deals import DealView, boxed, taps_standing
from tables.services.amending import amend_preview, deal_amend
from tournament.figures import chips
from tournament.services.journal import not_whole

Json = dict[str, Any]
BET = "bet-"
DECIDED = ("action", "seat", "amount")
NEXT = "next"
"""The target behind all taps: the next tap."""


@dataclass(frozen=True)
class Felt:
    """The page with the touchable felt; by default the table's page with its open hand.

    ``look``: previews a change of the hand. ``query``: the beginning of the page's addresses; ``back``: the
    address without a touch; ``key``: the template of the hidden fields of every press.
    """

    look: Callable[[Deal, Change], Amended] = amend_preview
    query: str = ""
    back: str = "?mode=cards"
    key: str = "dealer/_hand_key.html"

    def link(self, target: str | int | None, marked: str) -> Json | None:
        """Return the address that touches ``target``; None if it cannot be touched."""
        if target is None:
            return None
        return {"href": f"?{self.query}amend={target}", "marked": str(target) == marked}


def amend(request: HttpRequest, at: Table) -> Json:
    """Change the touched card or decision of the open hand."""
    press = deal_press(request, at)
    change = change_of(request.POST, Deal.objects.get(pk=press["deal_id"]))
    return deal_amend(**press, **seen_of(request), change=change)


def change_of(post: QueryDict, deal: Deal) -> Change:
    """Return the change that the pad's form requests. Refuses ``form_broken``, ``not_a_number``."""
    target, keep = post.get("amend", ""), plain_number(post.get("keep", ""))
    if target.startswith(BET):
        box = number_of({"box": target.removeprefix(BET)}, "box")
        bets = boxed(deal.bets) | {box: whole(post.get("chips", "").strip(), box_name(box))}
        return Change(bets=bets, keep=keep)
    at = number_of(post, "amend")
    if post.get("cut") == "from":
        return Change(at=at, keep=at)
    pressed = [op_of_form(post)] if post.get("card") or post.get("tap") else []
    put = [*(op_of(word) for word in post.getlist("put")[:10]), *pressed]
    if not put and not post.get("cut"):
        raise not_whole("form_broken")
    out, before = post.get("cut") == "one", bool(post.get("before"))
    return Change(at=at, put=tuple(put), out=out, before=before, keep=keep)


def op_of(word: str) -> Json:
    """Return the operation of a word of the page: ``8h`` or ``double:3``."""
    return op_of_form({"card": word} if len(word) == 2 else {"tap": word})


def word_of(op: Mapping[str, Any]) -> str:
    """Return the word of an operation, the inverse of ``op_of``."""
    match op["op"]:
        case "looked":
            return "look:yes" if op["natural"] else "look:no"
        case "insurance_closed":
            return "close_insurance"
        case "not_dealt":
            return f"not_dealt:{op['seat']}"
    return str(op["card"]) if "card" in op else ":".join(str(op[n]) for n in DECIDED if n in op)


# -- What is shown ------------------------------------------------------------------------------------


def on_stage(
    request: HttpRequest, shown: Screen, kept: Mapping[str, str], stage: Json, page: Felt | None = None
) -> Json:
    """Return the stage with its touchable parts and, after a touch, with the pad's question."""
    felt.amounts_kept(request.POST or request.GET, stage)
    touches = part_of(shown.rules).touches(shown) if stage["side"] == "hand" else None
    if touches is None or shown.hand is None:
        return stage
    page, target = page or Felt(), kept.get("amend", "")
    asks = _asks(request, shown, touches, target, page) if _of_this_hand(shown.hand, kept) else None
    # Mark the corrected tap too, until the next answer.
    put_right = request.POST.get("amend", "") if request.POST.get("do") == "amend" else ""
    marked = target if asks else put_right
    lies = {
        "boxes": [_box_touched(box, touches, marked, page) for box in stage["boxes"]],
        "dealer": _dealer_touched(stage["dealer"], touches, marked, page),
    }
    return stage | lies | (_asked(asks, page) if asks else {})


def asks_next(shown: Screen, page: Felt) -> Json:
    """Return the stage of an incomplete hand: the pad asks for the next tap."""
    asks = _pad(shown, part_of(shown.rules).wanted(shown), earlier=False)
    return _asked({**asks, "target": NEXT, "more": True, "next": True}, page)


def _asked(asks: Json, page: Felt) -> Json:
    where = {"query": page.query, "back": page.back, "key": page.key}
    return {"side": "amend", "ahead": "", "amend": asks | where}


def _of_this_hand(hand: DealView, kept: Mapping[str, str]) -> bool:
    """Whether the touched tap belongs to the shown hand in its present state."""
    now = {"deal": str(hand.deal.pk), "seen": str(hand.seen)}
    return all(kept.get(name, "") in ("", value) for name, value in now.items())


def _box_touched(box: Json, touches: Touches, marked: str, page: Felt) -> Json:
    taps = touches.boxes.get(box["number"])
    if taps is None:
        return box
    small = len(taps) > 1
    hands = [
        hand
        | {
            "touch": [
                {
                    "code": code,
                    "size": "sm" if small or len(hand["cards"]) > 4 else "",
                    "link": page.link(tap, marked),
                }
                for code, tap in zip(hand["cards"], at, strict=True)
            ]
        }
        for hand, at in zip(box["hands"], taps, strict=True)
    ]
    said, bet = touches.said.get(box["number"]), f"{BET}{box['number']}"
    links = {"touch_said": page.link(said, marked), "touch_bet": page.link(bet, marked)}
    return box | {"hands": hands, **links}


def _dealer_touched(dealer: Json, touches: Touches, marked: str, page: Felt) -> Json:
    cards = [
        {"code": code, "size": "lg", "link": page.link(tap, marked)}
        for code, tap in zip(dealer["cards"], touches.dealer, strict=True)
    ]
    return dealer | {"touch": cards, "touch_said": page.link(touches.looked, marked)}


def _asks(request: HttpRequest, shown: Screen, touches: Touches, target: str, page: Felt) -> Json | None:
    """Return the pad's question about ``target``; None if it does not exist."""
    assert shown.hand is not None
    if target.startswith(BET):
        return _asks_bet(request, shown, number_or_0(target.removeprefix(BET)), page)
    at = plain_number(target)
    taps = taps_standing(shown.hand.deal.taps)
    if at is None or at >= len(taps):
        return None
    found = _tried(request, shown.hand.deal, page)
    put = [word_of(op) for op in change_of(request.POST, shown.hand.deal).put] if found else []
    more = found is not None and len(found.standing) == found.at
    there = tapped_op(taps[at])
    past = _past(shown, hand_before(shown, taps[:at]) if found is None or not more else found.hand)
    want = part_of(shown.rules).wanted(past)
    words = first_up(felt_words(shown, there, taps[:at]))
    title = place_words(touches, at) if "card" in there else words
    asks = _pad(past, want, word_of(there))
    felt.amounts_kept(request.POST, asks)
    return {
        **asks,
        "target": target,
        "title": asks["title"] if more else title,
        "was": asks["was"] if more else words,
        "card": there.get("card", ""),
        "put": put,
        "behind": [_tap_words(shown, taps, each) for each in range(at, len(taps))],
        "deals": "card" in there and want.get("step") == "deal" and _in_deal(shown),
        "decided": _decided(shown, taps, want, _box_of(touches, at)),
        **_drops(shown, found, more=more),
        "becomes": _becomes(found, words, [felt_words(shown, op_of(word)) for word in put]),
    }


def _pad(past: Screen, want: Json, there: str = "", *, earlier: bool = True) -> Json:
    """Return the keys at one moment of the hand and the question; ``there`` is the present entry.

    ``earlier``: the hand has gone on since that moment.
    """
    part = part_of(past.rules)
    decisions = part.decisions(past)
    hits = any(each["hits"] for each in decisions)
    return {
        "title": want["title"],
        "was": first_up(want["eyebrow"]),
        "want": want | felt.pad_off(want, hits=hits, earlier=earlier),
        "decisions": [each | {"here": each["value"] == there} for each in decisions],
        "offers": part.offers(past) if want.get("step") == "insurance" else [],
    }


def _box_of(touches: Touches, tap: int) -> int | None:
    """Return the box of a card."""
    return next((box for box, hands in touches.boxes.items() if any(tap in cards for cards in hands)), None)


def _decided(shown: Screen, taps: list[list[Json]], want: Json, box: int | None) -> list[Json]:
    """Return a box's decisions, shown at its first two cards: with two hands they have no other place.

    At the peek, return that insurance was closed before it.
    """
    if want.get("kind") == "look":
        closed = [at for at, ops in enumerate(taps) if ops[-1]["op"] == "insurance_closed"]
        return [{"tap": at, "words": _("Insurance closed")} for at in closed]
    if want.get("step") != "deal" or box is None:
        return []
    words = game_of(shown.rules).actions
    said = [(at, ops[-1]) for at, ops in enumerate(taps) if ops[-1].get("seat") == box]
    return [{"tap": at, "words": _(words[op["action"]])} for at, op in said if op.get("action") in words]


def _in_deal(shown: Screen) -> bool:
    """Whether the first cards are still being dealt: only then can a card move to another box."""
    return part_of(shown.rules).wanted(shown).get("step") == "deal"


def _asks_bet(request: HttpRequest, shown: Screen, box: int, page: Felt) -> Json | None:
    assert shown.hand is not None
    deal = shown.hand.deal
    bet, stack = boxed(deal.bets).get(box), boxed(deal.stacks).get(box, 0)
    if bet is None:
        return None
    tried = _tried(request, deal, page)
    return {
        "target": f"{BET}{box}",
        "title": _("Box %(n)s, bet") % {"n": box},
        "bet": bet,
        "entered": request.POST.get("chips", "") or bet,
        "typed": request.POST.get("chips", "") if tried else "",
        "box": box,
        "ladder": [(value, value <= stack) for value, _key in results.ladder(shown.rules)],
        **_drops(shown, tried, more=False),
        "becomes": _("The bet of box %(n)s becomes %(typed)s.")
        % {"n": box, "typed": request.POST.get("chips", "")},
    }


def _tried(request: HttpRequest, deal: Deal, page: Felt) -> Amended | None:
    """Return the hand as the refused press would change it: later taps do not fit."""
    if request.method != "POST" or request.POST.get("do") != "amend":
        return None
    try:
        found = page.look(deal, change_of(request.POST, deal))
    except Refused:
        return None
    return found if found.no is not None else None


def _drops(shown: Screen, found: Amended | None, *, more: bool) -> Json:
    if found is None:
        return {"drops": [], "more": False}
    assert shown.hand is not None
    taps = taps_standing(shown.hand.deal.taps)
    lost = [at for at, ops in enumerate(taps) if any(tapped_op(ops) is op for op in found.rest)]
    drops = [_tap_words(shown, taps, at) for at in lost]
    return {"drops": drops, "keep": len(found.standing), "more": more}


def _becomes(found: Amended | None, was: str, put: list[str]) -> str:
    """Return what the touched tap becomes if later taps would be taken back."""
    figures = {"was": was, "put": ", ".join(put)}
    if found is None:
        return ""
    if not put:
        return _("“%(was)s” is taken out.") % figures
    if found.stays:
        return _("“%(put)s” comes before “%(was)s”.") % figures
    return _("“%(was)s” becomes “%(put)s”.") % figures


def hand_before(shown: Screen, taps: list[list[Json]]) -> Hand:
    """Return the hand as it was when a tap was made."""
    assert shown.hand is not None
    deal = shown.hand.deal
    lines = {box: chips for box, chips in shown.line_chips.items() if str(box) in deal.bets} or None
    done = [op for ops in taps for op in ops]
    bets, stacks = boxed(deal.bets), boxed(deal.stacks)
    hand: Hand = game_of(shown.rules).hand_replay(shown.rules, bets, stacks, done, line_chips=lines)
    return hand


def felt_words(shown: Screen, op: Json, before: list[list[Json]] | None = None) -> str:
    """Return a tap in words: ``box 3, king of hearts``.

    ``before``: the earlier taps, which decide the box of a card; without them the card is named alone.
    """
    game = game_of(shown.rules)
    if op["op"] == "decision" and op["action"] in game.actions:
        what = {"box": box_name(op["seat"]), "what": _(game.actions[op["action"]])}
        if "amount" not in op:
            return _("%(box)s, %(what)s") % what
        return _("%(box)s, %(what)s %(chips)s") % {**what, "chips": chips(op["amount"])}
    if op["op"] not in ("card", "hole") or len(op["card"]) != 2 or op["card"] == JOKER:
        return game.op_words(op)
    if before is None:
        return card_name(op["card"])
    try:
        seat = hand_before(shown, before).needs.seat
    except Refused:
        # The bets have changed since, so the hand of that moment cannot be rebuilt.
        return card_name(op["card"])
    place = _("Dealer") if seat is None else box_name(seat)
    return _("%(box)s, %(what)s") % {"box": place, "what": card_name(op["card"])}


def _tap_words(shown: Screen, taps: list[list[Json]], at: int) -> str:
    return first_up(felt_words(shown, tapped_op(taps[at]), taps[:at]))


def _past(shown: Screen, hand: Hand) -> Screen:
    assert shown.hand is not None
    legal = tuple(game_of(shown.rules).legal(hand))
    return replace(shown, hand=replace(shown.hand, state=hand, legal=legal))


def place_words(touches: Touches, tap: int) -> str:
    """Return the place of a card: ``Box 3, second card``."""
    for box, hands in touches.boxes.items():
        for at, cards in enumerate(hands):
            if tap in cards:
                hand = _(", hand %(n)s") % {"n": at + 1} if len(hands) > 1 else ""
                return f"{box_name(box)}{hand}, {_which(cards.index(tap))}"
    if tap in touches.dealer:
        return f"{_('Dealer')}, {_which(touches.dealer.index(tap))}"
    return _("A card that was burned")


def _which(at: int) -> str:
    named = (_("first card"), _("second card"), _("third card"), _("fourth card"))
    return named[at] if at < len(named) else _("card %(n)s") % {"n": at + 1}


def first_up(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]
