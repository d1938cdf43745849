"""A deal as the table sees it: what is needed next, what is legal, and what came of it.

    deal = deal_start(rules, {1: 200, 3: 400}, {1: 900, 3: 5000})
    deal.needs                      # Need(kind="card", seat=1, hand=0, ...)
    deal = apply(deal, CardDrawn("8h"))
    legal(deal)                     # [Legal(seat=1, action="hit"), Legal(1, "double", 200, 200, 100), ...]
    deal = apply(deal, Decision(1, "hit"))
    deal_record(deal)               # the hand record, once deal.needs.kind == "done"

A deal never changes; ``apply`` gives a new one. Undo is ``undo(deal)``, a replay
without the last operation.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.engine.cards import HIDDEN, copies_refusal, is_natural, total
from tables.engine.ops import (
    CardDrawn,
    Decision,
    HoleCard,
    InsuranceClosed,
    LookedUnder,
    Op,
    op_from_dict,
    op_to_dict,
)
from tables.engine.play import (
    BEFORE_PLAY,
    DEAL,
    DONE,
    INSURANCE,
    PLAY,
    PLAYING,
    STATE_NAMES,
    Box,
    Decided,
    Hand,
    Play,
)
from tables.engine.record import boxes_of, card_check
from tables.engine.rules import HouseRules, rules_record
from tables.engine.settlement import answer_make
from tournament.engine.refused import Refused

__all__ = [
    "BoxView",
    "CardDrawn",
    "Deal",
    "Decision",
    "HandView",
    "HoleCard",
    "InsuranceClosed",
    "Legal",
    "LookedUnder",
    "Need",
    "Op",
    "apply",
    "deal_record",
    "deal_replay",
    "deal_start",
    "legal",
    "op_from_dict",
    "op_to_dict",
    "undo",
]


@dataclass(frozen=True, slots=True)
class Need:
    """What the deal waits for.

    ``kind``: "card", "decision", "look" or "done". ``step``: "deal", "insurance", "look", "play",
    "dealer" or "done". ``seat`` and ``hand`` (counted from 0, left to right) say for whom; both are None
    for the dealer and in the insurance step, where every box may speak. ``hole``: the card to give is the
    hole card, turned over (``HoleCard``).
    """

    kind: str
    step: str
    seat: int | None = None
    hand: int | None = None
    hole: bool = False


@dataclass(frozen=True, slots=True)
class Legal:
    """One legal action: for chips, any multiple of ``step_chips`` from ``min_chips`` to ``max_chips``.

    ``action`` is one of the record's, or "close_insurance" (the operation ``InsuranceClosed``), which has
    no seat. Actions without chips have None; a double of a fixed amount has min = max.
    """

    seat: int | None
    action: str
    min_chips: int | None = None
    max_chips: int | None = None
    step_chips: int | None = None


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand of a box. ``state``: "playing", "waiting" (its turn has not come), "stood", "bust",
    "surrendered", "natural" (waits for the dealer), "paid" (a natural, paid) or "even_money"."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    bet_chips: int
    double_chips: int
    state: str
    net_chips: int | None


@dataclass(frozen=True, slots=True)
class BoxView:
    """One box: its bet, its hands left to right, its insurance, and all that it has put up (A6)."""

    seat: int
    bet_chips: int
    stack_chips: int | None
    put_up_chips: int
    insurance_chips: int
    hands: tuple[HandView, ...]
    net_chips: int | None


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal so far. ``dealer`` has "??" for a hole card that is face down. ``answer`` is what
    ``settle`` says of the record, once done (``net``, ``hands``, ``dealer``, ``insurance`` …)."""

    rules: HouseRules
    bets: Mapping[int, int]
    stacks: Mapping[int, int] | None
    side_bets: Mapping[int, Mapping[str, int]] | None
    line_chips: Mapping[int, int] | None
    ops: tuple[Op, ...]
    needs: Need
    boxes: tuple[BoxView, ...]
    dealer: tuple[str, ...]
    dealer_total: int
    cards: tuple[str, ...]
    answer: Mapping[str, Any] | None
    _play: Play = field(repr=False, compare=False)

    @property
    def cards_seen(self) -> int:
        """How many cards are known to have left the shoe; one more lies face down under a "??"."""
        return len(self.cards)


def deal_start(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None = None,
    *,
    side_bets: Mapping[int, Mapping[str, int]] | None = None,
    line_chips: Mapping[int, int] | None = None,
) -> Deal:
    """A deal with the bets down and no card out. Amounts in whole chips.

    Raises Refused with the record's codes (``no_bets``, ``bet_above_maximum``, ``not_enough_chips`` …).
    """
    return deal_replay(rules, bets, stacks, (), side_bets=side_bets, line_chips=line_chips)


def apply(deal: Deal, op: Op) -> Deal:
    """The deal after ``op``. Raises Refused, and then nothing has happened.

    Codes: those of the record; ``not_now`` where something else is needed first;
    ``card_contradicts_look`` for a hole card that is not what the look said.
    """
    return _again(deal, (*deal.ops, op))


def undo(deal: Deal) -> Deal:
    """The deal without its last operation. Raises Refused ``nothing_to_undo`` at the start."""
    if not deal.ops:
        raise Refused("nothing_to_undo", "Nothing has happened in this deal yet.")
    return _again(deal, deal.ops[:-1])


def _again(deal: Deal, ops: tuple[Op, ...]) -> Deal:
    return deal_replay(
        deal.rules, deal.bets, deal.stacks, ops, side_bets=deal.side_bets, line_chips=deal.line_chips
    )


def deal_replay(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    ops: Iterable[Op],
    *,
    side_bets: Mapping[int, Mapping[str, int]] | None = None,
    line_chips: Mapping[int, int] | None = None,
) -> Deal:
    """The deal after all of ``ops``, from the start. Raises Refused as ``apply`` does."""
    ops = tuple(ops)
    opening = _opening(bets, stacks, side_bets, line_chips)
    source = LiveSource(rules, ops)
    play = Play(rules, boxes_of(opening, rules), source)
    needs = _run(play, source)
    answer = answer_make(play) if needs.kind == "done" else None
    return Deal(
        rules=rules,
        bets=dict(bets),
        stacks=None if stacks is None else dict(stacks),
        side_bets=side_bets,
        line_chips=line_chips,
        ops=ops,
        needs=needs,
        boxes=tuple(_box_view(play, box, answer) for box in play.boxes),
        dealer=tuple(play.dealer),
        dealer_total=total([card for card in play.dealer if card != HIDDEN]),
        cards=source.cards_in_order(),
        answer=answer,
        _play=play,
    )


def _opening(
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    side_bets: Mapping[int, Mapping[str, int]] | None,
    line_chips: Mapping[int, int] | None,
) -> dict[str, Any]:
    """What lies on the table before the first card, as the fields of a hand record."""
    fields = {"bets": bets, "stacks": stacks, "side_bets": side_bets, "line_chips": line_chips}
    return {
        name: {str(seat): dict(v) if isinstance(v, Mapping) else v for seat, v in sorted(by_seat.items())}
        for name, by_seat in fields.items()
        if by_seat is not None
    }


def deal_record(deal: Deal) -> dict[str, Any]:
    """The hand record of a finished deal, without ``id``. Raises Refused ``deal_not_done`` before that."""
    if deal.needs.kind != "done":
        raise Refused("deal_not_done", "This deal is not over; finish it or void it.")
    decisions = [
        {"seat": op.seat, "action": op.action} | ({} if op.amount is None else {"amount": op.amount})
        for op in deal.ops
        if isinstance(op, Decision)
    ]
    opening = _opening(deal.bets, deal.stacks, deal.side_bets, deal.line_chips)
    return {**rules_record(deal.rules), **opening, "cards": list(deal.cards), "decisions": decisions}


# -- running -----------------------------------------------------------------------------------------


class _Pause(Exception):
    """The operations are used up and the deal waits."""

    def __init__(self, kind: str, *, hole: bool = False) -> None:
        self.kind = kind
        self.hole = hole


def _run(play: Play, source: "LiveSource") -> Need:
    """Run as far as the operations go; what is needed then."""
    try:
        play.run()
    except _Pause as pause:
        box = play.box
        in_play = play.step == PLAY
        return Need(
            kind=pause.kind,
            step=play.step,
            seat=box.seat if box is not None and play.step in (DEAL, PLAY) else None,
            hand=play.hand_at if in_play else 0 if box is not None and play.step == DEAL else None,
            hole=pause.hole,
        )
    if source.at < len(source.ops):
        raise Refused("not_now", "The deal is over; nothing more can happen in it.")
    return Need(kind="done", step="done")


class LiveSource:
    """The operations at a table. The hole card is a placeholder until it is turned over."""

    __slots__ = ("at", "cards", "hole_at", "look", "ops", "rules", "up")

    def __init__(self, rules: HouseRules, ops: tuple[Op, ...]) -> None:
        self.rules = rules
        self.ops = ops
        self.at = 0
        self.cards: list[str] = []
        self.hole_at: int | None = None
        self.look: bool | None = None
        self.up = ""

    def cards_in_order(self) -> tuple[str, ...]:
        """The cards known so far as they left the shoe: a hole card that was turned is in its place (A1)."""
        return tuple(self.cards)

    def _next(self, kind: str, *wanted: str, hole: bool = False) -> Op:
        if self.at >= len(self.ops):
            raise _Pause(kind, hole=hole)
        op = self.ops[self.at]
        self.at += 1
        if _kind(op) not in wanted:
            first, given = _NAMES[wanted[0]], _NAMES[_kind(op)].lower()
            raise Refused("not_now", f"{first} is needed first, not {given}.")
        return op

    def _seen(self, card: str, at: int) -> str:
        """Put ``card`` among those seen, if it can be one of the shoe (A8)."""
        card_check(card, self.rules, "This card")
        self.cards.insert(at, card)
        if copies_refusal(self.cards, self.rules.decks) is not None:
            raise Refused(
                "impossible_card", f"{card} is out more often than the {self.rules.decks} decks hold it."
            )
        return card

    def card(self) -> str:
        """The next card, face up."""
        op = self._next("card", "card")
        assert isinstance(op, CardDrawn)
        return self._seen(op.card, len(self.cards))

    def hole(self) -> str:
        """The hole card goes down unseen."""
        self.hole_at = len(self.cards)
        return HIDDEN

    def looked(self, up: str, hole: str) -> bool:
        """What the clerk says the look showed."""
        op = self._next("look", "looked")
        assert isinstance(op, LookedUnder)
        self.look = op.natural
        self.up = up
        return op.natural

    def turned(self, hole: str) -> str:
        """The hole card, which must be what the look said."""
        op = self._next("card", "hole", "card", hole=True)
        assert isinstance(op, HoleCard | CardDrawn)
        assert self.hole_at is not None
        card = self._seen(op.card, self.hole_at)
        if self.look is not None and is_natural((self.up, card)) != self.look:
            said = "a natural" if self.look else "no natural"
            raise Refused(
                "card_contradicts_look", f"The look said {said}; {card} under {self.up} contradicts it."
            )
        return card

    def insurance(self, play: Play) -> Decided | None:
        """A word on insurance; the offer closes by itself when nobody has anything left to take."""
        if not any(insurance_legal(play, box) for box in play.boxes):
            return None
        op = self._next("decision", "insurance_closed", "decision")
        if isinstance(op, InsuranceClosed):
            return None
        decided = _decided(op)
        if decided[1] not in BEFORE_PLAY:
            raise Refused("not_now", "Insurance is still open; close it before anybody plays.")
        return decided

    def decision(self, play: Play) -> Decided:
        """The next decision."""
        return _decided(self._next("decision", "decision"))

    def where(self) -> str:
        """Nothing: at a table it is always the last operation."""
        return ""


_NAMES = {
    "card": "A card",
    "decision": "A decision",
    "looked": "The look",
    "hole": "The hole card",
    "insurance_closed": "Closing the insurance",
}


def _kind(op: Op) -> str:
    return {
        CardDrawn: "card",
        Decision: "decision",
        LookedUnder: "looked",
        HoleCard: "hole",
        InsuranceClosed: "insurance_closed",
    }[type(op)]


def _decided(op: Op) -> Decided:
    assert isinstance(op, Decision)
    return op.seat, op.action, op.amount


# -- what is legal -----------------------------------------------------------------------------------


def legal(deal: Deal) -> list[Legal]:
    """Every action that ``apply`` would accept now; empty while a card or a look is needed."""
    play = deal._play
    if deal.needs.kind != "decision":
        return []
    if play.step == INSURANCE:
        offers = [offer for box in play.boxes for offer in insurance_legal(play, box)]
        return [*offers, Legal(None, "close_insurance")]
    box = play.box
    assert box is not None
    actions = hand_legal(play, box, box.hands[play.hand_at])
    if not play.insurance_is_over():
        actions += [offer for other in play.boxes for offer in insurance_legal(play, other)]
    return actions


def hand_legal(play: Play, box: Box, hand: Hand) -> list[Legal]:
    """What the hand whose turn it is may do."""
    actions = [Legal(box.seat, "stand")]
    if _passes(play.verify_hit, hand):
        actions.append(Legal(box.seat, "hit"))
    least = play.least_double(hand)
    if _passes(play.verify_double, box, hand, least):
        most = hand.bet if least == hand.bet else _affordable(box, hand.bet, play.rules.chip_chips)
        actions.append(Legal(box.seat, "double", least, most, play.rules.chip_chips))
    if _passes(play.verify_split, box, hand):
        actions.append(Legal(box.seat, "split", hand.bet, hand.bet, play.rules.chip_chips))
    if _passes(play.verify_surrender, hand):
        actions.append(Legal(box.seat, "surrender"))
    return actions


def insurance_legal(play: Play, box: Box) -> list[Legal]:
    """What a box may take of insurance and even money."""
    offers = []
    low, high, step = play.rules.insurance_range(box.bet)
    if low <= high and _passes(play.verify_insurance, box, low):
        offers.append(Legal(box.seat, "insurance", low, _affordable(box, high, step), step))
    if _passes(play.verify_even_money, box):
        offers.append(Legal(box.seat, "even_money"))
    return offers


def _affordable(box: Box, most: int, step: int) -> int:
    """The most chips up to ``most``, in whole steps, that the stack still holds (A6)."""
    return most if box.stack is None else min(most, (box.stack - box.put_up) // step * step)


def _passes(verify: Callable[..., None], *arguments: object) -> bool:
    try:
        verify(*arguments)
    except Refused:
        return False
    return True


# -- views -------------------------------------------------------------------------------------------


def _box_view(play: Play, box: Box, answer: Mapping[str, Any] | None) -> BoxView:
    seat = str(box.seat)
    return BoxView(
        seat=box.seat,
        bet_chips=box.bet,
        stack_chips=box.stack,
        put_up_chips=box.put_up,
        insurance_chips=box.insurance,
        hands=tuple(
            HandView(
                cards=tuple(hand.cards),
                total=hand.total,
                soft=hand.soft,
                bet_chips=hand.bet,
                double_chips=hand.extra,
                state=_state(play, box, at, hand),
                net_chips=None if answer is None else answer["hands"][seat][at]["net"],
            )
            for at, hand in enumerate(box.hands)
        ),
        net_chips=None if answer is None else answer["net"][seat],
    )


def _state(play: Play, box: Box, at: int, hand: Hand) -> str:
    if hand.state != PLAYING:
        return STATE_NAMES[hand.state]
    if play.step == DONE:
        # The dealer's natural came before anybody's turn.
        return "stood"
    its_turn = play.step == PLAY and play.box is box and play.hand_at == at
    return "playing" if its_turn else "waiting"
