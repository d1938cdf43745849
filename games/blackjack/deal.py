"""A deal at the table: what is needed next, what is legal, and the result.

    deal = deal_start(rules, {1: 200, 3: 400}, {1: 900, 3: 5000})
    deal.needs                      # Need(kind="card", seat=1, hand=0, ...)
    deal = apply(deal, CardDrawn("8h"))
    legal(deal)                     # [Legal(seat=1, action="hit"), Legal(1, "double", 200, 200, 100), ...]
    deal = apply(deal, Decision(1, "hit"))
    deal_record(deal)               # the hand record, once deal.needs.kind == "done"

A deal never changes; ``apply`` returns a new one. ``undo(deal)`` replays it without the last operation.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.blackjack.boxes import PLAYING, STATE_NAMES, Box, Hand, Player
from games.blackjack.cards import HIDDEN, total
from games.blackjack.event_rules import rules_record
from games.blackjack.irregular import impossible, sat_out
from games.blackjack.legal import Legal, hand_legal, insurance_legal
from games.blackjack.live import LiveSource, Pause
from games.blackjack.ops import (
    CardBurned,
    CardDrawn,
    CardExposed,
    Decision,
    HoleCard,
    HoleTurned,
    InsuranceClosed,
    LookedUnder,
    NotDealt,
    Op,
    Skipped,
    decision_to_dict,
    op_from_dict,
    op_to_dict,
)
from games.blackjack.play import DEAL, DEALER, DONE, INSURANCE, PLAY, Play
from games.blackjack.record import boxes_of
from games.blackjack.rules import HouseRules
from games.blackjack.settlement import answer_make
from ground.refused import Refused
from ground.words import gettext_noop as _

__all__ = [
    "BoxView",
    "CardBurned",
    "CardDrawn",
    "CardExposed",
    "Deal",
    "Decision",
    "HandView",
    "HoleCard",
    "HoleTurned",
    "InsuranceClosed",
    "Legal",
    "LookedUnder",
    "Need",
    "NotDealt",
    "Op",
    "PlayerView",
    "Skipped",
    "apply",
    "deal_record",
    "deal_replay",
    "deal_start",
    "legal",
    "op_from_dict",
    "op_to_dict",
    "undo",
    "why_not",
]


Players = Mapping[int, Sequence[Mapping[str, Any]]]
"""Box → the players who share it, the owner first, as in the ``players`` of a hand record."""


@dataclass(frozen=True, slots=True)
class Need:
    """The next input of a deal.

    ``kind``: "card", "decision", "look" or "done". ``step``: "deal", "insurance", "look", "play", "dealer" or
    "done". ``seat`` and ``hand`` (from 0, left to right) say for whom; both are None for the dealer and in
    the insurance step, where every box may decide. ``hole``: the next card is the hole card, turned over
    (``HoleCard``). ``player``: the one who decides on a shared box. ``behind``: how many hands of the box
    come after that hand.
    """

    kind: str
    step: str
    seat: int | None = None
    hand: int | None = None
    hole: bool = False
    player: str | None = None
    behind: int = 0


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand of a box. ``state``: "playing", "waiting" (for its turn), "stood", "bust", "surrendered",
    "natural" (waits for the dealer), "paid" (a natural, paid) or "even_money"."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    bet_chips: int
    double_chips: int
    state: str
    net_chips: int | None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player who shares a box with its owner."""

    name: str
    bet_chips: int
    stack_chips: int | None
    put_up_chips: int
    insurance_chips: int
    net_chips: int | None


@dataclass(frozen=True, slots=True)
class BoxView:
    """One box: its bet, its hands from left to right, its insurance, and all chips put up (A6).

    On a shared box these are the owner's, and ``players`` has the others. A box that is not ``dealt`` sits
    out and gets its bet back.
    """

    seat: int
    bet_chips: int
    stack_chips: int | None
    put_up_chips: int
    insurance_chips: int
    hands: tuple[HandView, ...]
    net_chips: int | None
    players: tuple[PlayerView, ...] = ()
    dealt: bool = True


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal so far. ``dealer`` has "??" for a hole card that is face down. ``answer``: what ``settle``
    returns for the record, once done (``net``, ``hands``, ``dealer``, ``insurance`` …)."""

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
    players: Players | None = None
    irregularities: tuple[Mapping[str, Any], ...] = ()


def deal_start(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None = None,
    *,
    side_bets: Mapping[int, Mapping[str, int]] | None = None,
    line_chips: Mapping[int, int] | None = None,
    players: Players | None = None,
) -> Deal:
    """Return a deal with the bets down and no card out. Amounts in whole chips.

    Raises Refused with the record's codes (``no_bets``, ``bet_above_maximum``, ``not_enough_chips`` …).
    """
    return deal_replay(rules, bets, stacks, (), side_bets=side_bets, line_chips=line_chips, players=players)


def apply(deal: Deal, op: Op) -> Deal:
    """Return the deal after ``op``. Raises Refused, and then nothing has happened.

    Codes: those of the record; ``not_now`` if another input is needed first; ``card_contradicts_look`` for a
    hole card that contradicts the dealer's check.
    """
    return _again(deal, (*deal.ops, op))


def why_not(deal: Deal, op: Op) -> Refused | None:
    """Return why ``apply`` would refuse ``op`` now; None if it would not."""
    try:
        apply(deal, op)
    except Refused as no:
        return no
    return None


def undo(deal: Deal) -> Deal:
    """Return the deal without its last operation. Raises Refused ``nothing_to_undo`` at the start."""
    if not deal.ops:
        raise Refused("nothing_to_undo", "Nothing has happened in this hand yet.")
    return _again(deal, deal.ops[:-1])


def _again(deal: Deal, ops: tuple[Op, ...]) -> Deal:
    return deal_replay(
        deal.rules,
        deal.bets,
        deal.stacks,
        ops,
        side_bets=deal.side_bets,
        line_chips=deal.line_chips,
        players=deal.players,
    )


def deal_replay(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    ops: Iterable[Op],
    *,
    side_bets: Mapping[int, Mapping[str, int]] | None = None,
    line_chips: Mapping[int, int] | None = None,
    players: Players | None = None,
) -> Deal:
    """Return the deal after all of ``ops``, from the start. Raises Refused as ``apply`` does."""
    ops = tuple(ops)
    opening = _opening(bets, stacks, side_bets, line_chips, players)
    source = LiveSource(rules, ops)
    boxes = boxes_of(opening, rules)
    left_out = _left_out(boxes, source.left_out)
    play = source.play = Play(rules, [box for box in boxes if box not in left_out], source)
    play.turns = source.turns(play.boxes)
    needs = _run(play, source)
    answer = sat_out(answer_make(play), left_out) if needs.kind == "done" else None
    return Deal(
        rules=rules,
        bets=dict(bets),
        stacks=None if stacks is None else dict(stacks),
        side_bets=side_bets,
        line_chips=line_chips,
        ops=ops,
        needs=needs,
        boxes=tuple(_box_view(play, box, answer, dealt=box not in left_out) for box in boxes),
        dealer=tuple(play.dealer),
        dealer_total=total([card for card in play.dealer if card != HIDDEN]),
        cards=source.cards_in_order(),
        answer=answer,
        _play=play,
        players=players,
        irregularities=tuple(source.irregularities()),
    )


def _left_out(boxes: list[Box], seats: Sequence[int]) -> list[Box]:
    """Return the boxes without cards. Raises Refused ``bad_seat``, ``irregularity_impossible``."""
    by_seat = {box.seat: box for box in boxes}
    for seat in seats:
        if seat not in by_seat:
            raise Refused("bad_seat", "Box %(seat)s has no bet.", seat=seat)
    if len(set(seats)) < len(seats) or (seats and len(seats) == len(boxes)):
        impossible(_("No box was dealt to; the hand is void."))
    return [by_seat[seat] for seat in seats]


def _opening(
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    side_bets: Mapping[int, Mapping[str, int]] | None,
    line_chips: Mapping[int, int] | None,
    players: Players | None,
) -> dict[str, Any]:
    """Return the bets before the first card, as fields of a hand record."""
    fields: dict[str, Mapping[int, Any] | None] = {
        "bets": bets,
        "stacks": stacks,
        "side_bets": side_bets,
        "line_chips": line_chips,
        "players": players,
    }
    return {
        name: {str(seat): _plain(value) for seat, value in sorted(by_seat.items())}
        for name, by_seat in fields.items()
        if by_seat is not None
    }


def _plain(value: Any) -> Any:
    """Return mappings and sequences as JSON values."""
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def deal_record(deal: Deal) -> dict[str, Any]:
    """Return the hand record of a finished deal, without ``id``. Raises Refused ``deal_not_done`` before
    that."""
    if deal.needs.kind != "done":
        raise Refused("deal_not_done", "This hand is not over; finish it or void it.")
    # A skipped box that could no longer act stood.
    stood = [
        Decision(op.seat, "stand") if isinstance(op, Skipped) and op.behind is None else op for op in deal.ops
    ]
    decisions = [decision_to_dict(op) for op in stood if isinstance(op, Decision)]
    opening = _opening(deal.bets, deal.stacks, deal.side_bets, deal.line_chips, deal.players)
    irregular = (
        {"irregularities": [dict(each) for each in deal.irregularities]} if deal.irregularities else {}
    )
    return {
        **rules_record(deal.rules),
        **opening,
        "cards": list(deal.cards),
        "decisions": decisions,
        **irregular,
    }


# -- running -----------------------------------------------------------------------------------------


def _run(play: Play, source: LiveSource) -> Need:
    """Play to the end of the operations and return the next need."""
    try:
        play.run()
    except Pause as pause:
        box = play.box
        in_play = play.step == PLAY
        return Need(
            kind=pause.kind,
            step=play.step,
            seat=box.seat if box is not None and play.step in (DEAL, PLAY) else None,
            hand=play.hand_at if in_play else 0 if box is not None and play.step == DEAL else None,
            hole=pause.hole,
            player=_caller_name(play) if in_play else None,
            behind=len(box.hands) - 1 - play.hand_at if box is not None and in_play else 0,
        )
    source.too_many()
    if source.at < len(source.ops):
        raise Refused("not_now", "The hand is over; nothing more can happen in it.")
    return Need(kind="done", step="done")


def _caller_name(play: Play) -> str | None:
    """Return the player who decides on a shared box."""
    box = play.box
    if box is None or not box.players:
        return None
    caller = play.caller(box, box.hands[play.hand_at])[1]
    return caller.name


# -- legal actions -----------------------------------------------------------------------------------


def legal(deal: Deal) -> list[Legal]:
    """Return every action that ``apply`` would accept now; empty while a card or a check is needed.

    If the dealer's first draw closes the insurance (row 10), insurance may still be taken while that card is
    awaited.
    """
    play = deal._play
    if play.step == DEALER and deal.needs.kind == "card":
        return [] if play.insurance_is_over() else _insurance_offers(play)
    if deal.needs.kind != "decision":
        return []
    if play.step == INSURANCE:
        return [*_insurance_offers(play), Legal(None, "close_insurance")]
    box = play.box
    assert box is not None
    actions = hand_legal(play, box, box.hands[play.hand_at])
    return actions if play.insurance_is_over() else [*actions, *_insurance_offers(play)]


def _insurance_offers(play: Play) -> list[Legal]:
    return [offer for box in play.boxes for offer in insurance_legal(play, box)]


# -- views -------------------------------------------------------------------------------------------


def _box_view(play: Play, box: Box, answer: Mapping[str, Any] | None, *, dealt: bool) -> BoxView:
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
        players=tuple(
            _player_view(player, None if answer is None else answer["players"][seat][at]["net"])
            for at, player in enumerate(box.players, start=1)
        ),
        dealt=dealt,
    )


def _player_view(player: Player, net_chips: int | None) -> PlayerView:
    return PlayerView(
        name=player.name,
        bet_chips=player.bet,
        stack_chips=player.stack,
        put_up_chips=player.put_up,
        insurance_chips=player.insurance,
        net_chips=net_chips,
    )


def _state(play: Play, box: Box, at: int, hand: Hand) -> str:
    if hand.state != PLAYING:
        return STATE_NAMES[hand.state]
    if play.step == DONE:
        # The dealer's natural came before any box could act.
        return "stood"
    its_turn = play.step == PLAY and play.box is box and play.hand_at == at
    return "playing" if its_turn else "waiting"
