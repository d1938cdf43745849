"""Blackjack at the table: hands, dealer, next step, decisions, and the results form.

Words and pictures, no rules: the game decides what is legal and which outcomes are possible.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.blackjack import deal as engine
from games.blackjack.results import hands_at_most
from games.blackjack.rules import HouseRules
from games.blackjack.words import ACTIONS
from games.protocol import Rules
from ground.refused import Refused
from pages.dealer.games import blackjack_ahead, blackjack_touch
from pages.dealer.games.part import LADDER_LONGEST, net_label
from pages.dealer.reads import Screen
from pages.floor.forms import whole
from pages.kit import said
from tournament.figures import chips as chips_words
from tournament.figures import signed

Json = dict[str, Any]
AMOUNTS_MOST = 10


def prints(rules: Rules) -> tuple[str, str]:
    """Return the two lines printed on the cloth."""
    won, bet = cast(HouseRules, rules).natural_pays
    return _("BLACKJACK PAYS %(won)s TO %(bet)s") % {"won": won, "bet": bet}, _("INSURANCE 2 TO 1")


def _state(shown: Screen) -> engine.Deal | None:
    """Return the game's state of the hand on the table."""
    return cast("engine.Deal | None", shown.hand.state) if shown.hand else None


def in_hand(shown: Screen) -> dict[int, Json]:
    """Map boxes to their cards in the hand on the table."""
    state = _state(shown)
    if state is None:
        return {}
    made = {box.seat: _in_hand(box, state) for box in state.boxes}
    skipped = {each["seat"] for each in state.irregularities if "behind" in each}
    for box in state.boxes:
        if box.seat in skipped and box.hands[0].state == "waiting":
            made[box.seat]["label"] = _("Waits")
    return made


def _in_hand(box: engine.BoxView, state: engine.Deal) -> Json:
    need = state.needs
    lit = need.kind != "done" and need.seat == box.seat
    hands = [_hand(hand, lit and need.hand == at) for at, hand in enumerate(box.hands)]
    made: Json = {
        "hands": hands,
        "bet_chips": box.put_up_chips - box.insurance_chips,
        "state": "act" if lit else "",
    }
    if not box.dealt:
        return made | {"state": "out", "label": _("Not dealt to")}
    if box.net_chips is not None:
        natural = any(hand.state in ("natural", "paid", "even_money") for hand in box.hands)
        made |= net_label(box.net_chips, (hand.net_chips for hand in box.hands))
        if natural and box.net_chips > 0:
            made["tone"] = "brass"
        return made
    return made | _standing(box, lit)


def _standing(box: engine.BoxView, lit: bool) -> Json:
    """Return the words and the colour of a box's pill while the hand goes on."""
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
    """Return the dealer's cards, and their total or what the peek showed."""
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
        _("Dealer shows %(rank)s · checked: blackjack")
        if looked
        else _("Dealer shows %(rank)s · checked: no blackjack")
    )
    return words % {"rank": up}


def rank_words(card: str) -> str:
    """Return a rank in words: ``10``, ``ace``, ``8``."""
    named = {"A": _("ace"), "T": "10", "J": _("jack"), "Q": _("queen"), "K": _("king")}
    return str(named.get(card[0], card[0]))


# -- The next step --------------------------------------------------------------------------------------


def wanted(shown: Screen) -> Json:
    """Return the clerk's next step: ``eyebrow``, ``title``, ``detail``, and open offers."""
    state = _state(shown)
    if state is None:
        return {}
    need = state.needs
    names = {row.box: row.entry.player.public_name for row in shown.view.boxes if row.entry}
    made: Json = {"kind": need.kind, "step": need.step, "hole": need.hole, "card": need.kind == "card"}
    made |= {"box": need.seat}
    made["joker"] = state.rules.joker and not need.hole
    made["mishaps"] = _mishaps(state)
    if need.kind == "done":
        finished = _("Hand %(n)s is finished") % {"n": shown.number}
        return made | {"eyebrow": finished, "now": finished, "title": _dealer_words(state)}
    if need.kind == "look":
        return made | {"eyebrow": _dealer_words(state), "title": _("Check the hole card")}
    if need.step == "insurance":
        return made | {"eyebrow": _("Dealer shows an ace"), "title": _("Insurance is open")}
    if need.seat is None:
        title = _("Turn the hole card") if need.hole else _("Card for the dealer")
        return made | {"eyebrow": _("Dealer"), "title": title, "detail": _dealer_detail(state)}
    return made | _wanted_of_box(state, names.get(need.seat, ""))


def _mishaps(state: engine.Deal) -> Json:
    """Return the mistakes that this sheet has a rule for and that are possible now."""
    known, need = set(state.rules.irregularities), state.needs
    in_play = need.kind == "decision" and need.step == "play" and not _came_out(state)
    undealt = need.kind == "card" and need.step == "deal" and not state.dealer
    found: Json = {
        "burned": "face_up" in known and need.kind == "card" and not need.hole,
        "exposed": in_play and bool(known & {"misdealt", "extra"}),
        "too_many": need.kind == "done" and bool(known & {"dealer_extra", "extra"}),
        "not_dealt": need.seat if undealt and "not_dealt" in known else None,
    }
    if found["exposed"] and "misdealt" in known:
        found["refusers"] = [box.seat for box in state.boxes if box.seat >= (need.seat or 0) and box.dealt]
    found["asks"] = bool(found["exposed"] or found["too_many"] or found["not_dealt"])
    found["ruled"] = _ruled(state)
    found["folds"] = found["asks"] or bool(found["ruled"])
    return found | {"ranks": RANKS, "suits": SUITS} if any(found.values()) else {}


def _ruled(state: engine.Deal) -> Json:
    """Return the mistakes that need a ruling and are possible now: the hole card turned, a box skipped.

    The engine decides whether it is possible; a skipped box acts after one of the waiting boxes.
    """
    need = state.needs
    if need.kind != "decision" or need.step != "play" or need.seat is None:
        return {}
    found: Json = {"hole": need.seat} if "??" in state.dealer else {}
    if engine.why_not(state, engine.Skipped(need.seat)) is None:
        behind = [box.seat for box in state.boxes if box.seat > need.seat and box.dealt]
        found["skipped"] = {"box": need.seat, "behind": behind}
    return found


RANKS = [(rank, "10" if rank == "T" else rank) for rank in "A23456789TJQK"]
SUITS = [
    ("s", gettext_lazy("spades")),
    ("h", gettext_lazy("hearts")),
    ("d", gettext_lazy("diamonds")),
    ("c", gettext_lazy("clubs")),
]


def _came_out(state: engine.Deal) -> str:
    """Return the card dealt in error that waits to be the next card of a box; empty without one."""
    burned = [each for each in state.irregularities if each["kind"] == "face_up"]
    given = sum(len(hand.cards) for box in state.boxes for hand in box.hands) + len(burned)
    given += len([card for card in state.dealer if card != "??"])
    return state.cards[-1] if len(state.cards) > given else ""


def _dealer_detail(state: engine.Deal) -> str:
    known = [card for card in state.dealer if card != "??"]
    return _("has %(n)s") % {"n": state.dealer_total} if len(known) > 1 else ""


def _wanted_of_box(state: engine.Deal, name: str) -> Json:
    need = state.needs
    box = next(each for each in state.boxes if each.seat == need.seat)
    words = _("Card for box %(n)s") if need.kind == "card" else _("Box %(n)s to act")
    # A box has no hand before its first card.
    hand = box.hands[need.hand or 0] if box.hands else None
    staked = hand.bet_chips + hand.double_chips if hand else box.bet_chips
    eyebrow = words % {"n": box.seat} + _which_hand(box, need.hand or 0)
    return {
        "eyebrow": eyebrow,
        "now": eyebrow,
        "title": name,
        "total": _total(hand, deciding=need.kind == "decision") if hand else "",
        "detail": _("bet %(bet)s · stack %(stack)s")
        % {"bet": chips_words(staked), "stack": chips_words(box.stack_chips)},
        "came_out": _came_out(state),
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
    """Return the five decisions in fixed order; an illegal one has the engine's reason."""
    state = _state(shown)
    if shown.hand is None or state is None:
        return []
    legal = {each.action: each for each in shown.hand.legal if each.seat == state.needs.seat}
    words = {action: _(word) for action, word in ACTIONS.items()}
    seat, why_not = state.needs.seat, _why_not(state, legal)
    made = []
    for action, key in blackjack_ahead.KEYS.items():
        found, no = legal.get(action), why_not.get(action)
        double = action == "double" and found is not None
        label = f"{words[action]} {chips_words(found.max_chips)}" if double and found else words[action]
        made.append(
            {
                "value": f"{action}:{seat}",
                "action": action,
                "label": label,
                "key": key,
                "legal": no is None,
                "code": no.code if no else "",
                "why": said(no.message) if no else "",
                "go": action == "stand",
                "hits": action == "hit" and found is not None,
                "for_less": seat if found is not None and found.min_chips != found.max_chips else None,
                "least": found.min_chips if found is not None else None,
            }
        )
    return made


def _why_not(state: engine.Deal, legal: Collection[str]) -> dict[str, Refused | None]:
    """Map each decision that is not legal now to the reason. To find one, the engine replays the hand."""
    seat = state.needs.seat or state.boxes[0].seat
    barred = [action for action in blackjack_ahead.KEYS if action not in legal]
    if state.needs.kind != "decision":
        # A card or a look comes first, whatever is decided: one reason bars them all.
        return dict.fromkeys(barred, engine.why_not(state, engine.Decision(seat, barred[0])))
    return {action: engine.why_not(state, engine.Decision(seat, action)) for action in barred}


def offers(shown: Screen) -> list[Json]:
    """Return insurance and even money by box, with the possible amounts.

    A box keeps its row after it has insured while insurance is open, so that no row moves.
    """
    state = _state(shown)
    if shown.hand is None or state is None:
        return []
    names = {row.box: row.entry.player.public_name for row in shown.view.boxes if row.entry}
    by_box: dict[int, Json] = _insured(state, names) if state.needs.step == "insurance" else {}
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
            # Too many amounts to tap: the maximum has a button, others are typed.
            offer["amounts"] = list(amounts) if len(amounts) <= AMOUNTS_MOST else [amounts[-1]]
            offer["typed"] = len(amounts) > AMOUNTS_MOST
    return [by_box[box] for box in sorted(by_box)]


def _insured(state: engine.Deal, names: Mapping[int, str]) -> dict[int, Json]:
    """Map insured boxes to their row, without further amounts."""
    return {
        box.seat: {
            "box": box.seat,
            "name": names.get(box.seat, ""),
            "amounts": [],
            "said": _standing(box, lit=False).get("label", ""),
        }
        for box in state.boxes
        if box.dealt
    }


ahead = blackjack_ahead.ahead
touches = blackjack_touch.touches
record_taps = blackjack_touch.record_taps


def ahead_words() -> Json:
    """Return the words for the script, the same as on this page."""
    return blackjack_ahead.ahead_words(ACTIONS)


def cards_help() -> tuple[str, str]:
    """Explain how cards and decisions are written in a correction."""
    return (
        _(
            "First a card to each box with a bet, then the dealer's, a second one to each box, the hole card,"
            " then as drawn: 8h 9c As 10d, or 8 9 A 10 where no suits are entered."
        ),
        _("Box and decision: 1 hit, 1 stand, 3 insurance 200, 3 even money, 5 double, 5 split, 6 surrender."),
    )


# -- Results ------------------------------------------------------------------------------------------

DOUBLED = "_doubled"
SPLIT = "split"
# The outcomes of a box: value, word, and key.
OUTCOMES: list[tuple[str, Any, str]] = [
    ("lose", gettext_lazy("Lose"), "l"),
    ("push", gettext_lazy("Push"), "p"),
    ("win", gettext_lazy("Win"), "w"),
    ("natural", gettext_lazy("Blackjack"), "b"),
    ("surrender", gettext_lazy("Surrender"), "u"),
    ("lose_doubled", gettext_lazy("Lose ×2"), "k"),
    ("push_doubled", gettext_lazy("Push ×2"), "o"),
    ("win_doubled", gettext_lazy("Win ×2"), "x"),
    ("split", gettext_lazy("Split"), "i"),
    ("not_dealt", gettext_lazy("Not dealt to"), "n"),
]
# Buttons that enter one outcome for all boxes without one, once the dealer's hand is known.
REST_KEYS: list[tuple[str, Any]] = [
    ("win", gettext_lazy("Dealer bust: the others win")),
    ("lose", gettext_lazy("Dealer beats the others")),
    ("push", gettext_lazy("The others push")),
]
SPLIT_OUTCOMES: list[tuple[str, Any]] = [
    ("lose", gettext_lazy("Lose")),
    ("push", gettext_lazy("Push")),
    ("win", gettext_lazy("Win")),
    ("lose_doubled", gettext_lazy("Lose ×2")),
    ("push_doubled", gettext_lazy("Push ×2")),
    ("win_doubled", gettext_lazy("Win ×2")),
]


def results_form(of: Rules) -> Json:
    """Return the outcomes that a hand can have under these rules, for the templates."""
    rules = cast(HouseRules, of)
    after_split = [each for each in SPLIT_OUTCOMES if rules.double_after_split or "doubled" not in each[0]]
    if rules.surrender_after_split:
        after_split.append(("surrender", _("Surrender")))
    if rules.split_natural:
        after_split.append(("natural", _("Blackjack")))
    never = {"surrender"} if rules.surrender == "none" else set()
    never |= set() if "not_dealt" in rules.irregularities else {"not_dealt"}
    outcomes = [each for each in OUTCOMES if each[0] not in never]
    return {
        "outcomes": outcomes,
        "split_outcomes": after_split,
        "asks_ace": True,
        "rest_keys": REST_KEYS,
        "insurances": rules.insurances(LADDER_LONGEST),
        "hands_most": hands_at_most(rules),
        "for_less": rules.double_amount == "up_to",
        "doubles_split": rules.double_after_split,
    }


def outcomes(rules: Rules, post: Mapping[str, str], bets: Mapping[int, int]) -> dict[int, Json]:
    """Return the outcome of every box with a bet and a result, for ``games.blackjack.results``."""
    most = hands_at_most(cast(HouseRules, rules))
    return {box: _outcome(post, box, bet, most) for box, bet in bets.items() if post.get(f"out-{box}")}


def _outcome(post: Mapping[str, str], box: int, bet_chips: int, most: int) -> dict[str, Any]:
    hands = [(post[f"out-{box}"], f"dbl-{box}")]
    if hands[0][0] == SPLIT:
        names = ((post.get(f"hand-{box}-{at}", ""), f"dbl-{box}-{at}") for at in range(1, most + 1))
        hands = [(word, less) for word, less in names if word]
        if len(hands) < 2:
            raise Refused(
                "split_needs_hands", _("Box %(n)s was split: enter the result of each hand.") % {"n": box}
            )
    outcome: dict[str, Any] = {
        "hands": [_hand_of(word, post.get(less, "").strip(), box, bet_chips) for word, less in hands]
    }
    return outcome | _insurance(post, box)


def _hand_of(word: str, less: str, box: int, bet_chips: int) -> dict[str, Any]:
    """Return one hand; ``less``: the chips of a double for less, empty for a full double."""
    if not word.endswith(DOUBLED):
        return {"result": word}
    doubled = whole(less, _("Double of box %(n)s") % {"n": box}) if less else bet_chips
    return {"result": word.removesuffix(DOUBLED), "doubled": doubled}


def _insurance(post: Mapping[str, str], box: int) -> dict[str, Any]:
    """Return the insurance, only if the form says that the dealer showed an ace."""
    shown = post.get("insurance", "")
    text = post.get(f"ins-{box}", "").strip()
    if shown not in ("won", "lost") or not text:
        return {}
    chips = whole(text, _("Insurance of box %(n)s") % {"n": box})
    return {"insurance": chips, "insurance_won": shown == "won"} if chips else {}


def fields(rules: Rules, outcomes: Mapping[str, Json]) -> dict[str, str]:
    """Return outcomes as fields of the results form: ``out-3``, ``hand-3-1``, ``dbl-3``, ``ins-3``."""
    for_less = cast(HouseRules, rules).double_amount == "up_to"
    fields = {}
    for box, outcome in outcomes.items():
        hands = outcome["hands"]
        fields[f"out-{box}"] = _word(hands[0]) if len(hands) == 1 else SPLIT
        for at, hand in enumerate(hands, start=1):
            tail = f"{box}-{at}" if len(hands) > 1 else box
            if len(hands) > 1:
                fields[f"hand-{tail}"] = _word(hand)
            if for_less and hand.get("doubled"):
                fields[f"dbl-{tail}"] = str(hand["doubled"])
        if outcome.get("insurance"):
            fields[f"ins-{box}"] = str(outcome["insurance"])
            fields["insurance"] = "won" if outcome["insurance_won"] else "lost"
    return fields


def _word(hand: Json) -> str:
    return str(hand["result"]) + (DOUBLED if hand.get("doubled") else "")
