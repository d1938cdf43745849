"""Cards and decisions from a hand record, as the source of a ``Play``."""

from collections.abc import Iterator
from typing import Any

from games.blackjack.cards import VALUE
from games.blackjack.irregular import Irregularities, bar, impossible
from games.blackjack.play import BEFORE_PLAY, Along, Decided, Play
from ground.refused import Refused
from ground.words import gettext_noop as _
from ground.words import shown


class RecordSource:
    """Cards and decisions of a record, in its order. Raises StopIteration after the last card."""

    __slots__ = ("at", "card", "decisions", "shared")

    def __init__(self, cards: Iterator[str], decisions: list[Any], *, shared: bool = False) -> None:
        self.card = cards.__next__
        self.decisions = decisions
        self.shared = shared
        self.at = 0

    def hole(self) -> str:
        """Return the hole card, which the record has in its place (A1)."""
        return self.card()

    def looked(self, up: str, hole: str) -> bool:
        """Return whether the dealer found a natural."""
        return VALUE[up] + VALUE[hole] == 11 and "A" in (up[0], hole[0])

    def turned(self, hole: str) -> str:
        """Return the hole card."""
        return hole

    def insurance(self, play: Play) -> Decided | None:
        """Return the next answer to the offer of insurance; any other decision closes the
        offer."""
        decisions = self.decisions
        if self.at >= len(decisions):
            return None
        decision = decisions[self.at]
        if isinstance(decision, dict) and decision.get("action") in BEFORE_PLAY:
            return self._next(play)
        return None

    def decision(self, play: Play) -> Decided | None:
        """Return the next decision. Raises Refused ``decisions_missing`` or ``bad_record``."""
        return self._next(play)

    def _next(self, play: Play) -> Decided:
        at = self.at
        if at >= len(self.decisions):
            raise Refused(
                "decisions_missing",
                "Box %(seat)s, hand %(hand_at)s, must decide, but decision %(at)s is not there."
                if play.box is not None and len(play.box.hands) > 1
                else "Box %(seat)s must decide, but decision %(at)s is not there.",
                seat=play.seat,
                hand_at=play.hand_at + 1,
                at=at + 1,
            )
        self.at = at + 1
        decision = self.decisions[at]
        if type(decision) is dict:
            seat = decision.get("seat")
            action = decision.get("action")
            amount = decision.get("amount")
            if type(seat) is int and type(action) is str and (amount is None or type(amount) is int):
                if self.shared:
                    return seat, action, amount, *_shared_words(decision, at)
                return seat, action, amount, None, None
        raise Refused(
            "bad_record",
            "Decision %(at)s %(decision_fault)s.",
            at=at + 1,
            decision_fault=_decision_fault(decision),
        )

    def where(self) -> str:
        """Return the place of the last decision, counted from 1."""
        return f"Decision {self.at}: " if self.at else ""


class IrregularSource(RecordSource):
    """The source of a hand with irregularities: cards are burned, and boxes refuse a card."""

    __slots__ = ("all_cards", "exposed", "found", "last", "pending", "play")

    def __init__(
        self, cards: list[str], decisions: list[Any], found: Irregularities, *, shared: bool
    ) -> None:
        self.all_cards = cards
        self.found = found
        self.exposed: set[int] = set()
        self.last = 0
        self.pending = self._following(0)
        self.play: Play | None = None
        super().__init__(self._drawn(), decisions, shared=shared)

    def _following(self, number: int) -> int:
        """Return the number of the card that is drawn after card ``number``."""
        number += 1
        while number in self.found.burned:
            number += 1
        return number

    def _drawn(self) -> Iterator[str]:
        """Yield the cards that are played. Raises Refused ``irregularity_impossible`` if play contradicts the
        record."""
        while self.pending <= len(self.all_cards):
            number = self.last = self.pending
            card = self.all_cards[number - 1]
            if number in self.found.dealer_extra:
                impossible(
                    _("Card %(number)s, %(card)s, was needed; the dealer's hand was not finished."),
                    number=number,
                    card=card,
                )
            self._refused_by_all_before(number)
            self.pending = self._following(number)
            yield card

    def _refused_by_all_before(self, number: int) -> None:
        """Check that the boxes that refused card ``number`` were asked before the box that took it."""
        if number not in self.found.refusals:
            return
        taker = self.play.box if self.play is not None else None
        for seat in self.found.refusals[number].boxes:
            if number not in self.exposed or (taker is not None and seat >= taker.seat):
                impossible(
                    _("Box %(seat)s had no turn at which to refuse card %(number)s."),
                    seat=seat,
                    number=number,
                )

    def decision(self, play: Play) -> Decided | None:
        """Return the next decision, or None once the box whose turn it is has refused a card.

        A hole card that was turned too early ends the offer of insurance as any third card does (row 10).
        """
        if self.found.hole_turned is not None and self.at >= self.found.hole_turned:
            play.third_card = True
        refusal = self.found.refusals.get(self.pending)
        if refusal is not None and self.pending not in self.exposed and self.at >= refusal.after:
            self.exposed.add(self.pending)
            bar(play, refusal.boxes)
            return None
        return self._next(play)

    def left_over(self) -> list[int]:
        """Return the numbers of the unexplained cards that no hand got."""
        for number in self.found.refusals:
            if number not in self.exposed:
                impossible(
                    _("Card %(number)s was refused, but nobody had a turn to refuse it."), number=number
                )
        return [n for n in range(self.last + 1, len(self.all_cards) + 1) if n not in self.found.spare]


def _shared_words(decision: dict[str, Any], at: int) -> tuple[str | None, Along | None]:
    """Return the player who decides, and the players who join (row 25). Raises Refused ``bad_record``."""
    name = decision.get("player")
    along = decision.get("with")
    if name is not None and type(name) is not str:
        raise Refused(
            "bad_record",
            "Decision %(at)s has player %(name)s, which is no name.",
            at=at + 1,
            name=shown(name),
        )
    if along is not None and not (
        type(along) is dict and all(type(chips) is int for chips in along.values())
    ):
        raise Refused(
            "bad_record",
            "Decision %(at)s has with %(along)s, not names and chips.",
            at=at + 1,
            along=shown(along),
        )
    return name, along


def _decision_fault(decision: object) -> str:
    if not isinstance(decision, dict):
        return f"is {shown(decision)}, not an object with seat and action"
    if type(decision.get("seat")) is not int:
        return f"has seat {shown(decision.get('seat'))}, which is not an integer"
    if type(decision.get("action")) is not str:
        return f"has action {shown(decision.get('action'))}, which is not a word"
    return f"of box {decision['seat']} has amount {shown(decision.get('amount'))}, which is not an integer"
