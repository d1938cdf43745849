"""The felt as the templates draw it: boxes, dealer, what is wanted next. Words and pictures, no rule."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.blackjack import deal as engine
from pages.dealer.reads import Screen
from tables.models import Shoe
from tables.selectors.floor import BoxRow
from tournament.figures import chips as chips_words
from tournament.figures import signed
from tournament.models import Stack

Json = dict[str, Any]
LEGAL_ORDER = ("hit", "stand", "double", "split", "surrender")
AMOUNTS_MOST = 10
KEYS = {"hit": "h", "stand": "s", "double": "d", "split": "p", "surrender": "r"}


def boxes(shown: Screen) -> list[Json]:
    """The seven boxes, with the hand on the table or, between hands, what the last one did."""
    state = _state(shown)
    in_hand = {box.seat: box for box in state.boxes} if state else {}
    made = []
    for row in shown.view.boxes:
        box = _box(row, shown)
        if row.box in in_hand and state is not None:
            box |= _in_hand(in_hand[row.box], state)
        elif shown.hand is None:
            box |= _last_hand(row, shown)
        made.append(box)
    return made


def _state(shown: Screen) -> engine.Deal | None:
    """The hand on the table, as the game sees it."""
    return cast("engine.Deal | None", shown.hand.state) if shown.hand else None


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
    """Why a box does not bet, short enough for its pill."""
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
    return str(decided.get(row.stack.outcome, row.stack.get_state_display()))


def _last_hand(row: BoxRow, shown: Screen) -> Json:
    """Between hands a box shows what the last hand did to it."""
    if row.entry is None or row.box not in shown.last_nets or not row.may_bet:
        return {}
    return _net(shown.last_nets[row.box], _("last hand"))


def _net(net_chips: int, words: str = "") -> Json:
    tone = "gain" if net_chips > 0 else "loss" if net_chips < 0 else ""
    label = signed(net_chips) if net_chips else _("Push")
    return {"label": label, "tone": tone, "net_chips": net_chips, "note": words}


def _in_hand(box: engine.BoxView, state: engine.Deal) -> Json:
    need = state.needs
    lit = need.kind != "done" and need.seat == box.seat
    hands = [_hand(hand, lit and need.hand == at) for at, hand in enumerate(box.hands)]
    made: Json = {
        "hands": hands,
        "bet_chips": box.put_up_chips - box.insurance_chips,
        "state": "act" if lit else "",
    }
    if box.net_chips is not None:
        natural = any(hand.state in ("natural", "paid", "even_money") for hand in box.hands)
        made |= _net(box.net_chips)
        if natural and box.net_chips > 0:
            made["tone"] = "brass"
        return made
    return made | _standing(box, lit)


def _standing(box: engine.BoxView, lit: bool) -> Json:
    """How far a box is while the hand goes on."""
    state = box.hands[0].state if len(box.hands) == 1 else ""
    words = {
        "stood": ("stand", _("Stands"), ""),
        "bust": ("bust", _("Bust"), "loss"),
        "surrendered": ("out", _("Surrender"), ""),
        "natural": ("natural", _("Blackjack"), "brass"),
        "paid": ("natural", _("Blackjack, paid"), "brass"),
        "even_money": ("natural", _("Even money"), "brass"),
    }
    if state in words and not lit:
        mark, label, tone = words[state]
        return {"state": mark, "label": label, "tone": tone}
    if box.insurance_chips:
        return {"label": _("Insured %(chips)s") % {"chips": chips_words(box.insurance_chips)}}
    return {}


def _hand(hand: engine.HandView, active: bool) -> Json:
    labels = {"bust": _("bust"), "stood": "", "playing": "", "waiting": ""}
    net = signed(hand.net_chips) if hand.net_chips is not None else ""
    return {
        "cards": hand.cards,
        "total": hand.total if hand.cards else "",
        "label": net or labels.get(hand.state, ""),
        "active": active,
    }


def dealer(shown: Screen) -> Json:
    """The dealer's cards and what is known of them."""
    state = _state(shown)
    if state is None or not state.dealer:
        return {"cards": [], "label": ""}
    return {"cards": state.dealer, "label": _dealer_words(state)}


def _dealer_words(state: engine.Deal) -> str:
    up = rank_words(state.dealer[0])
    looked = next((op.natural for op in state.ops if isinstance(op, engine.LookedUnder)), None)
    known = [card for card in state.dealer if card != "??"]
    if len(known) > 1:
        if len(known) == 2 and state.dealer_total == 21:
            return _("Dealer has blackjack")
        words = _("Dealer busts with %(n)s") if state.dealer_total > 21 else _("Dealer has %(n)s")
        return words % {"n": state.dealer_total}
    if looked is None:
        return _("Dealer shows %(rank)s") % {"rank": up}
    words = (
        _("Dealer shows %(rank)s · looked: blackjack")
        if looked
        else _("Dealer shows %(rank)s · looked: no blackjack")
    )
    return words % {"rank": up}


def rank_words(card: str) -> str:
    """A rank in words: ``10``, ``ace``, ``8``."""
    named = {"A": _("ace"), "T": "10", "J": _("jack"), "Q": _("queen"), "K": _("king")}
    return str(named.get(card[0], card[0]))


# -- What is wanted next --------------------------------------------------------------------------------


def wanted(shown: Screen) -> Json:
    """What the clerk does next: ``eyebrow``, ``title`` and ``detail`` of the side, and what is open there."""
    state = _state(shown)
    if state is None:
        return {}
    need = state.needs
    names = {row.box: row.entry.player.public_name for row in shown.view.boxes if row.entry}
    made: Json = {"kind": need.kind, "step": need.step, "hole": need.hole, "card": need.kind == "card"}
    made["joker"] = state.rules.joker and not need.hole
    if need.kind == "done":
        return made | {
            "eyebrow": _("Hand %(n)s is finished") % {"n": shown.number},
            "title": _dealer_words(state),
        }
    if need.kind == "look":
        return made | {"eyebrow": _dealer_words(state), "title": _("Look under the card")}
    if need.step == "insurance":
        return made | {"eyebrow": _("Dealer shows an ace"), "title": _("Insurance is open")}
    if need.seat is None:
        title = _("Turn the hole card") if need.hole else _("Card for the dealer")
        return made | {"eyebrow": _("Dealer"), "title": title, "detail": _dealer_detail(state)}
    return made | _wanted_of_box(state, names.get(need.seat, ""))


def _dealer_detail(state: engine.Deal) -> str:
    known = [card for card in state.dealer if card != "??"]
    return _("has %(n)s") % {"n": state.dealer_total} if len(known) > 1 else ""


def _wanted_of_box(state: engine.Deal, name: str) -> Json:
    need = state.needs
    box = next(each for each in state.boxes if each.seat == need.seat)
    words = _("Card for box %(n)s") if need.kind == "card" else _("Box %(n)s to act")
    # Before its first card a box has no hand yet.
    hand = box.hands[need.hand or 0] if box.hands else None
    staked = hand.bet_chips + hand.double_chips if hand else box.bet_chips
    return {
        "eyebrow": words % {"n": box.seat} + _which_hand(box, need.hand or 0),
        "title": name,
        "total": _total(hand, deciding=need.kind == "decision") if hand else "",
        "detail": _("bet %(bet)s · stack %(stack)s")
        % {"bet": chips_words(staked), "stack": chips_words(box.stack_chips)},
    }


def _which_hand(box: engine.BoxView, at: int) -> str:
    if len(box.hands) < 2:
        return ""
    return _(" · hand %(n)s of %(all)s") % {"n": at + 1, "all": len(box.hands)}


def _total(hand: engine.HandView, *, deciding: bool) -> str:
    if not hand.cards:
        return ""
    return _("soft %(n)s") % {"n": hand.total} if hand.soft and deciding else str(hand.total)


def decisions(shown: Screen) -> list[Json]:
    """The five decisions for the box whose turn it is, those that are not legal shown as such."""
    state = _state(shown)
    if shown.hand is None or state is None or state.needs.step != "play":
        return []
    legal = {each.action: each for each in shown.hand.legal if each.seat == state.needs.seat}
    words = {
        "hit": _("Hit"),
        "stand": _("Stand"),
        "double": _("Double"),
        "split": _("Split"),
        "surrender": _("Surrender"),
    }
    made = []
    for action in LEGAL_ORDER:
        found = legal.get(action)
        double = action == "double" and found is not None
        label = f"{words[action]} {chips_words(found.max_chips)}" if double and found else words[action]
        seat = state.needs.seat
        made.append(
            {
                "value": f"{action}:{seat}",
                "label": label,
                "key": KEYS[action],
                "legal": found is not None,
                "for_less": seat if found is not None and found.min_chips != found.max_chips else None,
                "least": found.min_chips if found is not None else None,
            }
        )
    return made if legal else []


def offers(shown: Screen) -> list[Json]:
    """Insurance and even money, box by box, with the amounts that can be taken."""
    if shown.hand is None or shown.hand.state is None:
        return []
    names = {row.box: row.entry.player.public_name for row in shown.view.boxes if row.entry}
    by_box: dict[int, Json] = {}
    for each in shown.hand.legal:
        if each.seat is None or each.action not in ("insurance", "even_money"):
            continue
        offer = by_box.setdefault(
            each.seat, {"box": each.seat, "name": names.get(each.seat, ""), "amounts": []}
        )
        if each.action == "even_money":
            offer["even_money"] = True
        else:
            amounts = range(each.min_chips or 0, (each.max_chips or 0) + 1, each.step_chips or 1)
            offer["most"] = amounts[-1]
            # Too many to tap: the whole of it as a button, anything less is typed.
            offer["amounts"] = list(amounts) if len(amounts) <= AMOUNTS_MOST else [amounts[-1]]
            offer["typed"] = len(amounts) > AMOUNTS_MOST
    return [by_box[box] for box in sorted(by_box)]


def where_words(shown: Screen) -> str:
    """The line beside the table's name: ``Round 1 · hand 9 · 6 decks``, or how many hands it had."""
    view = shown.view
    if view.round is None or view.shoe is None:
        return ""
    decks = ngettext("%(n)s deck", "%(n)s decks", view.shoe.decks) % {"n": view.shoe.decks}
    if view.shoe.status == Shoe.Status.DEALING and not view.tie_done:
        number = _("hand %(n)s") % {"n": shown.number}
    else:
        number = ngettext("%(n)s hand", "%(n)s hands", view.hands) % {"n": view.hands}
    return " · ".join([view.round.title, number, decks])
