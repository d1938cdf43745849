"""The operations of a hand at a table, in the order in which the play asks for them: cards, decisions,
irregularities.

The play goes as far as the operations go; at their end it pauses with the next need.
"""

from typing import Any, NoReturn

from games.blackjack.boxes import PLAYING, Box
from games.blackjack.cards import HIDDEN, copies_refusal, is_natural
from games.blackjack.irregular import Skip, bar, impossible, turns_after
from games.blackjack.legal import insurance_legal
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
    op_kind,
)
from games.blackjack.play import BEFORE_PLAY, DEAL, DEALER, Decided, Play
from games.blackjack.record import card_check
from games.blackjack.rules import HouseRules
from ground.refused import Refused
from ground.words import gettext_noop as _

NEEDED_FIRST = {
    "card": _("Enter the next card first."),
    "decision": _("Enter the decision of the box to act first."),
    "looked": _("First say whether the dealer has blackjack."),
    "hole": _("Enter the hole card first."),
    "insurance_closed": _("Close insurance first."),
}


class Pause(Exception):
    """The operations are used up. ``kind``: what the hand waits for; ``hole``: whether that is the hole
    card."""

    def __init__(self, kind: str, *, hole: bool = False) -> None:
        self.kind = kind
        self.hole = hole


class LiveSource:
    """The operations at a table. The hole card is a placeholder until it is turned over."""

    __slots__ = (
        "at",
        "cards",
        "decided",
        "exposed",
        "hole_at",
        "hole_up",
        "left_out",
        "look",
        "marks",
        "ops",
        "play",
        "refused",
        "ruled",
        "rules",
        "up",
    )

    def __init__(self, rules: HouseRules, ops: tuple[Op, ...]) -> None:
        self.rules = rules
        self.ops = ops
        self.left_out = tuple(op.seat for op in ops if isinstance(op, NotDealt))
        self.at = 0
        self.cards: list[str] = []
        self.hole_at: int | None = None
        self.hole_up = False
        self.look: bool | None = None
        self.up = ""
        self.play: Play | None = None
        self.decided = 0
        self.refused: tuple[int, ...] = ()
        self.exposed: str | None = None
        self.marks: list[tuple[int, dict[str, Any]]] = []
        self.ruled: list[dict[str, Any]] = []

    def irregularities(self) -> list[dict[str, Any]]:
        """The irregularities for the record: cards by their number in the order of the shoe."""
        cards = [{**each, "card": at + 1} for at, each in self.marks]
        return [*({"kind": "not_dealt", "seat": seat} for seat in self.left_out), *cards, *self.ruled]

    def turns(self, boxes: list[Box]) -> list[Box]:
        """Return the boxes in the order in which they act in the whole hand. Raises Refused."""
        skips = [op for op in self.ops if isinstance(op, Skipped)]
        if len(skips) > 1:
            impossible(_("Only one box of a hand can have been skipped; void the hand."))
        if skips:
            before = self.ops[: self.ops.index(skips[0])]
            played = (op for op in before if isinstance(op, Decision) and op.action not in BEFORE_PLAY)
            if any(op.seat >= skips[0].seat for op in played):
                _not_skipped(skips[0].seat)
        refusals = any(isinstance(op, CardExposed) and op.refused for op in self.ops)
        return turns_after(Skip(skips[0].seat, skips[0].behind) if skips else None, boxes, refusals=refusals)

    def cards_in_order(self) -> tuple[str, ...]:
        """The cards known so far in the order of the shoe, a turned hole card in its place (A1)."""
        return tuple(self.cards)

    def _next(self, kind: str, *wanted: str, hole: bool = False) -> Op:
        if self.at >= len(self.ops):
            raise Pause(kind, hole=hole)
        op = self.ops[self.at]
        self.at += 1
        if op_kind(op) not in wanted:
            raise Refused("not_now", NEEDED_FIRST[wanted[0]])
        return op

    def _seen(self, card: str, at: int) -> str:
        """Add ``card`` to the cards seen, if the shoe can hold it (A8)."""
        card_check(card, self.rules, "This card")
        self.cards.insert(at, card)
        if copies_refusal(self.cards, self.rules.decks) is not None:
            raise Refused(
                "impossible_card",
                "%(card)s has come out more often than %(decks)s decks can hold it.",
                card=card,
                decks=self.rules.decks,
            )
        return card

    def card(self) -> str:
        """Return the next card, face up; a card dealt in error counts as the next one."""
        if self.exposed is not None:
            taker = self.play.box if self.play is not None else None
            if taker is not None and any(seat >= taker.seat for seat in self.refused):
                impossible(
                    _("Box %(seat)s takes the card before all who refuse it have had their turn."),
                    seat=taker.seat,
                )
            card, self.exposed = self.exposed, None
            return card
        op = self._next("card", "card", "burned", "not_dealt")
        while isinstance(op, CardBurned | NotDealt):
            if isinstance(op, NotDealt):
                self._pass_over(op)
            else:
                self._burn(op.card, "face_up")
            op = self._next("card", "card", "burned", "not_dealt")
        assert isinstance(op, CardDrawn)
        return self._seen(op.card, len(self.cards))

    def _burn(self, card: str, kind: str) -> None:
        self._known(kind)
        self.marks.append((len(self.cards), {"kind": kind}))
        self._seen(card, len(self.cards))

    def _pass_over(self, op: NotDealt) -> None:
        """Pass over a box that got no cards: neither this box nor any after it has a card yet."""
        self._known("not_dealt")
        assert self.play is not None
        dealt = [box.seat for box in self.play.boxes if box.hands]
        if self.play.step != DEAL or self.play.dealer or any(seat > op.seat for seat in dealt):
            impossible(_("Box %(seat)s has been dealt to, or it was its turn before."), seat=op.seat)

    def too_many(self) -> None:
        """Burn the cards that came out after the hand was over and that no hand needed."""
        kind = "dealer_extra" if "dealer_extra" in self.rules.irregularities else "extra"
        while self.at < len(self.ops) and isinstance(op := self.ops[self.at], CardBurned):
            self._burn(op.card, kind)
            self.at += 1

    def _known(self, kind: str) -> None:
        if kind not in self.rules.irregularities:
            raise Refused(
                "irregularity_not_known",
                "%(rules)s has no rule for %(kind)s; void the hand.",
                rules=self.rules.name,
                kind=kind,
            )

    def hole(self) -> str:
        """Deal the hole card face down."""
        self.hole_at = len(self.cards)
        return HIDDEN

    def looked(self, up: str, hole: str) -> bool:
        """Return whether the dealer found a natural under the first card, as entered."""
        op = self._next("look", "looked")
        assert isinstance(op, LookedUnder)
        self.look = op.natural
        self.up = up
        return op.natural

    def turned(self, hole: str) -> str:
        """Turn the hole card, which must agree with the check; it may lie face up already."""
        if self.hole_up:
            return hole
        op = self._next("card", "hole", "card", hole=True)
        assert isinstance(op, HoleCard | CardDrawn)
        return self._turned(op.card)

    def _turned(self, hole: str) -> str:
        assert self.hole_at is not None
        card = self._seen(hole, self.hole_at)
        # The hole card comes before the cards that were dealt after it.
        self.marks = [(at + (at >= self.hole_at), each) for at, each in self.marks]
        if self.look is not None and is_natural((self.up, card)) != self.look:
            if self.look:
                raise Refused(
                    "card_contradicts_look",
                    "The dealer checked and had a blackjack, but %(card)s under %(up)s is none.",
                    card=card,
                    up=self.up,
                )
            raise Refused(
                "card_contradicts_look",
                "The dealer checked and had no blackjack, but %(card)s under %(up)s is one.",
                card=card,
                up=self.up,
            )
        return card

    def insurance(self, play: Play) -> Decided | None:
        """Return the next answer to the insurance; the offer closes when no box has anything left to take.

        If the offer lasts until the dealer draws, only the dealer's card closes it (row 10).
        """
        if play.step == DEALER:
            return self._late_insurance()
        if not any(insurance_legal(play, box) for box in play.boxes):
            return None
        op = self._next("decision", "insurance_closed", "decision")
        if isinstance(op, InsuranceClosed):
            return None
        decided = _decided(op)
        self.decided += 1
        if decided[1] not in BEFORE_PLAY:
            raise Refused("not_now", "Insurance is still open; close it before anybody plays.")
        return decided

    def _late_insurance(self) -> Decided | None:
        op = self.ops[self.at] if self.at < len(self.ops) else None
        if not isinstance(op, Decision) or op.action not in BEFORE_PLAY:
            return None
        self.at += 1
        self.decided += 1
        return _decided(op)

    def decision(self, play: Play) -> Decided | None:
        """Return the next decision, or None if an irregularity means that the hand must be read again."""
        op = self._next("decision", "decision", "exposed", "hole_turned", "skipped")
        if isinstance(op, CardExposed):
            self._expose(op, play)
        elif isinstance(op, HoleTurned):
            self._turn_early(op, play)
        elif isinstance(op, Skipped):
            return self._pass_by(op, play)
        else:
            self.decided += 1
            return _decided(op)
        return None

    def _turn_early(self, op: HoleTurned, play: Play) -> None:
        """Turn the hole card while boxes act. As a third card it ends the insurance (row 10)."""
        if self.hole_at is None:
            impossible(_("The dealer has no hole card on this sheet."))
        if self.hole_up:
            impossible(_("The hole card lies face up already."))
        play.dealer[1] = self._turned(op.card)
        self.hole_up = play.third_card = True
        self.ruled.append({"kind": "hole_turned", "after": self.decided})

    def _pass_by(self, op: Skipped, play: Play) -> Decided | None:
        """Pass over a skipped box at its turn: it stands, or acts later (``turns``)."""
        hand = play.box_of(op.seat).hands[0]
        decides = hand.state == PLAYING and (hand.total < 21 or self.rules.draw_on_21)
        if play.seat < op.seat or not decides:
            _not_skipped(op.seat)
        later = {} if op.behind is None else {"behind": op.behind}
        self.ruled.append({"kind": "skipped", "seat": op.seat, **later})
        if later:
            return None
        self.decided += 1
        return op.seat, "stand", None, None, None

    def _expose(self, op: CardExposed, play: Play) -> None:
        # A card dealt in error on one sheet is a card too many on another: on both it is the next card.
        kind = "extra" if "extra" in self.rules.irregularities and not op.refused else "misdealt"
        self._known(kind)
        if self.exposed is not None:
            raise Refused(
                "not_now",
                "%(exposed)s has already come out in error and is the next card.",
                exposed=self.exposed,
            )
        bar(play, op.refused)
        refused = {"refused": list(op.refused), "after": self.decided} if op.refused else {}
        self.marks.append((len(self.cards), {"kind": kind, **refused}))
        self.refused = op.refused
        self.exposed = self._seen(op.card, len(self.cards))

    def where(self) -> str:
        """Return an empty text: at a table only the last operation can be refused."""
        return ""


def _not_skipped(seat: int) -> NoReturn:
    """Raise Refused ``irregularity_impossible``."""
    impossible(_("Box %(seat)s is not the next to act, so it was not skipped here."), seat=seat)


def _decided(op: Op) -> Decided:
    assert isinstance(op, Decision)
    return op.seat, op.action, op.amount, op.player, dict(op.along) or None
