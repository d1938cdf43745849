"""Replay a recorded hand: one picture for each event of the hand.

The engine plays the hand. The source that feeds it the cards and decisions of the record also takes a picture
of the felt before each of them. This module knows no rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.blackjack.boxes import PLAYING, STATE_NAMES, Box
from games.blackjack.boxes import Hand as EngineHand
from games.blackjack.cards import HIDDEN, total
from games.blackjack.game import BLACKJACK
from games.blackjack.irregular import Irregularities, irregularities_of, turns_after
from games.blackjack.play import DEALER, PLAY, Decided, Play
from games.blackjack.record import boxes_of, cards_of, rules_of, settle
from games.blackjack.rules import HouseRules
from games.blackjack.sources import IrregularSource
from games.registry import game_of_record
from ground.refused import Refused
from ground.words import gettext_noop as _

Json = dict[str, Any]

DRAWS = {"hit": 1, "double": 1, "split": 1}


@dataclass(frozen=True)
class HandPicture:
    """One hand on the felt. ``bet_chips`` includes a double; ``state`` is one of the engine's words, or
    ``waiting`` before its turn; ``active`` while it is played."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    bet_chips: int
    state: str
    active: bool


@dataclass(frozen=True)
class BoxPicture:
    """One box at one moment; ``players`` share it, the owner first."""

    box: int
    bet_chips: int
    stack_chips: int | None
    put_up_chips: int
    insurance_chips: int
    line_chips: int
    side_bets: Mapping[str, int]
    hands: tuple[HandPicture, ...]
    players: tuple[str, ...]
    not_dealt: bool


@dataclass(frozen=True)
class Step:
    """One event of a hand, and the felt after it.

    ``kind``: bets, card, hole, burned, looked, turned, decision, refused, settled. ``box`` None is the
    dealer; ``hand`` counts from 0. ``cards``: the cards dealt in this step. ``mishap``: the kind of error, if
    dealt in error.
    """

    kind: str
    box: int | None = None
    hand: int | None = None
    cards: tuple[str, ...] = ()
    action: str = ""
    amount_chips: int | None = None
    player: str = ""
    natural: bool = False
    mishap: str = ""
    number: int = 0
    boxes: tuple[BoxPicture, ...] = ()
    dealer: tuple[str, ...] = ()
    dealer_total: int = 0


@dataclass(frozen=True)
class Replay:
    """A replayed hand record. ``play`` is the finished round, ``answer`` its settlement; a void round has
    only the step of its bets, and no ``play``."""

    record: Json
    rules: HouseRules
    answer: Json
    steps: tuple[Step, ...]
    play: Play | None

    @property
    def void(self) -> str:
        """Why the round is void, empty if it counts."""
        return str(self.answer.get("void", ""))


class _Film:
    """The pictures of one round, taken as it is played."""

    def __init__(self, cards: list[str], found: Irregularities, mishaps: Mapping[int, str]) -> None:
        self.cards = cards
        self.found = found
        self.mishaps = mishaps
        self.number = 0
        self.steps: list[Step] = []
        self.now = Step("bets")
        self.hole_is_down = False
        self.play: Play
        self.sitting_out: list[Box] = []

    # -- called by the source ----------------------------------------------------------------------------

    def card(self, card: str) -> None:
        """Add a card dealt face up, to the decision just taken or to the hand whose turn it is."""
        mishap = self._passed()
        now, play = self.now, self.play
        most = 2 if now.action == "split" and play.rules.split_cards == "both" else DRAWS.get(now.action, 0)
        if now.kind == "decision" and play.step == PLAY and len([c for c in now.cards if c != "JK"]) < most:
            self.now = replace(now, cards=(*now.cards, card), mishap=now.mishap or mishap)
            return
        if now.kind == "card" and now.cards[-1] == "JK":
            self.now = replace(now, cards=(*now.cards, card))
            return
        self._next(Step("card", self._seat(), self._hand(), (card,), mishap=mishap))

    def hole(self) -> None:
        """Add the hole card, dealt face down."""
        mishap = self._passed()
        self._next(Step("hole", cards=(HIDDEN,), mishap=mishap))
        self.hole_is_down = True

    def looked(self, natural: bool) -> None:
        """Add the dealer's peek."""
        self._next(Step("looked", natural=natural))

    def turned(self, card: str, *, early: bool = False) -> None:
        """Turn the hole card over, unless it lies face up already."""
        if not self.hole_is_down:
            return
        self._next(Step("turned", cards=(card,), mishap="hole_turned" if early else ""))
        self.hole_is_down = False

    def decided(self, decided: Decided) -> None:
        """Add the decision of a box."""
        seat, action, amount, name, _along = decided
        hand = self.play.hand_at if self.play.step == PLAY and seat == self._seat() else 0
        self._next(Step("decision", seat, hand, action=action, amount_chips=amount, player=name or ""))

    def refused(self) -> None:
        """Add that boxes refuse a card dealt in error; they get no other card."""
        self._next(Step("refused", self._seat(), self._hand()))

    def over(self) -> None:
        """Finish the round: the cards burned at its end, and the last picture, with the settlement."""
        for number in range(self.number + 1, len(self.cards) + 1):
            self._burn(number)
        self._next(Step("settled"))
        self._shoot()

    # -- pictures ----------------------------------------------------------------------------------------

    def _passed(self) -> str:
        """Add the cards burned before the next played card; return that card's mishap, empty without one."""
        self.number += 1
        while self.number in self.found.burned:
            self._burn(self.number)
            self.number += 1
        return self.mishaps.get(self.number, "")

    def _burn(self, number: int) -> None:
        mishap = self.mishaps.get(number, "")
        self._next(Step("burned", cards=(self.cards[number - 1],), mishap=mishap))

    def _next(self, step: Step) -> None:
        """Take the picture of the finished step, and begin the next one."""
        self._shoot()
        self.now = step

    def _shoot(self) -> None:
        play = self.play
        dealer = tuple(play.dealer)
        if self.hole_is_down and len(dealer) > 1:
            dealer = (dealer[0], HIDDEN, *dealer[2:])
        pictures = [_box_picture(play, box) for box in play.boxes]
        pictures += [_box_picture(play, box, not_dealt=True) for box in self.sitting_out]
        step = replace(
            self.now,
            number=len(self.steps),
            boxes=tuple(sorted(pictures, key=lambda picture: picture.box)),
            dealer=dealer,
            dealer_total=total([card for card in dealer if card != HIDDEN]),
        )
        self.steps.append(step)

    def _seat(self) -> int | None:
        return self.play.box.seat if self.play.box is not None and self.play.step != DEALER else None

    def _hand(self) -> int | None:
        if self._seat() is None:
            return None
        return self.play.hand_at if self.play.step == PLAY else 0


def _box_picture(play: Play, box: Box, *, not_dealt: bool = False) -> BoxPicture:
    return BoxPicture(
        box=box.seat,
        bet_chips=box.bet,
        stack_chips=box.stack,
        put_up_chips=box.put_up,
        insurance_chips=box.insurance,
        line_chips=box.line_chip,
        side_bets=dict(box.side_bets),
        hands=tuple(_hand_picture(play, box, at, hand) for at, hand in enumerate(box.hands)),
        players=(box.name, *(player.name for player in box.players)) if box.players else (),
        not_dealt=not_dealt,
    )


def _hand_picture(play: Play, box: Box, at: int, hand: EngineHand) -> HandPicture:
    active = play.step == PLAY and play.box is box and play.hand_at == at
    state = STATE_NAMES[hand.state]
    if hand.state == PLAYING and not active:
        state = "waiting"
    return HandPicture(tuple(hand.cards), hand.total, hand.soft, hand.bet + hand.extra, state, active)


class _FilmSource:
    """The source of a record; it reports each card and decision to the film as the round takes it."""

    def __init__(self, inner: IrregularSource, film: _Film) -> None:
        self.inner = inner
        self.film = film

    def card(self) -> str:
        """Return the next card, face up."""
        card = self.inner.card()
        self.film.card(card)
        return card

    def hole(self) -> str:
        """Return the hole card, in its place (A1)."""
        card = self.inner.hole()
        self.film.hole()
        return card

    def looked(self, up: str, hole: str) -> bool:
        """Return what the dealer's peek showed."""
        natural = self.inner.looked(up, hole)
        self.film.looked(natural)
        return natural

    def turned(self, hole: str) -> str:
        """Return the hole card, turned over."""
        self.film.turned(hole)
        return self.inner.turned(hole)

    def insurance(self, play: Play) -> Decided | None:
        """Return the next decision on insurance."""
        return self._seen(self.inner.insurance(play))

    def decision(self, play: Play) -> Decided | None:
        """Return the next decision, None if a card was refused; first report a hole card turned too early."""
        early = self.inner.found.hole_turned
        if early is not None and self.inner.at >= early:
            self.film.turned(play.dealer[1], early=True)
        decided = self._seen(self.inner.decision(play))
        if decided is None:
            self.film.refused()
        return decided

    def _seen(self, decided: Decided | None) -> Decided | None:
        if decided is not None:
            self.film.decided(decided)
        return decided

    def where(self) -> str:
        """Return the place in the record that a refusal is about."""
        return self.inner.where()


# -- Replaying --------------------------------------------------------------------------------------------


def why_not_replayed(record: object) -> Refused | None:
    """Return why a valid record has no pictures: only blackjack is replayed card by card."""
    game = game_of_record(record)
    if game is BLACKJACK:
        return None
    return Refused(
        "not_replayed", _("Hands of %(game)s are settled here, not shown card by card."), game=game.name
    )


def cards_replay(record: dict[str, Any] | None) -> Replay | None:
    """Replay a stored record; None if its cards were not recorded, or its game has no pictures."""
    if not record or "cards" not in record or why_not_replayed(record):
        return None
    return record_replay(record)


def record_replay(record: object) -> Replay:
    """Replay a hand record. Raises Refused with the codes of settling it."""
    answer = settle(record)
    assert isinstance(record, dict)
    rules = rules_of(record)
    boxes = boxes_of(record, rules)
    if "void" in answer:
        return Replay(record, rules, answer, (), None)
    cards, decisions, shared = cards_of(record, rules), record.get("decisions", []), "players" in record
    found = irregularities_of(record.get("irregularities", []), rules, boxes, cards)
    film = _Film(cards, found, _mishaps(record))
    source = IrregularSource(cards, decisions, found, shared=shared)
    play = Play(rules, [box for box in boxes if box.seat not in found.not_dealt], _FilmSource(source, film))
    play.turns = turns_after(found.skip, play.boxes, refusals=bool(found.refusals))
    film.play = source.play = play
    film.sitting_out = [box for box in boxes if box.seat in found.not_dealt]
    play.run()
    film.over()
    return Replay(record, rules, answer, tuple(film.steps), play)


def _mishaps(record: Mapping[str, Any]) -> dict[int, str]:
    """Map card numbers to their mishaps."""
    return {each["card"]: each["kind"] for each in record.get("irregularities", ()) if "card" in each}
