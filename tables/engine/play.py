"""The rules at work: one round of play, driven by whatever gives it cards and decisions.

This is the only implementation of the rules. ``Play.run`` asks its source for the next card or decision
and otherwise goes straight through A1 to A5; a record, a live table and simulated players are three
sources of it. Where a source has nothing more to give it raises, and the ``Play`` stands where it was,
to be looked at.

Verify, can, act: each action has one ``verify_…`` that raises Refused; what is legal is what it lets pass.
"""

from collections.abc import Iterable, Mapping
from typing import NoReturn, Protocol

from tables.engine.cards import JOKER, VALUE
from tables.engine.rules import HouseRules
from tables.engine.words import shown
from tournament.engine.refused import Refused

PLAYING, STOOD, BUST, SURRENDERED, NATURAL, PAID, EVEN_MONEY = range(7)
STATE_NAMES = ("playing", "stood", "bust", "surrendered", "natural", "paid", "even_money")

DEAL, INSURANCE, LOOK, PLAY, DEALER, DONE = "deal", "insurance", "look", "play", "dealer", "done"
BEFORE_PLAY = ("insurance", "even_money")

Decided = tuple[int, str, int | None]
"""A decision: box, action, and chips or None."""


class Source(Protocol):
    """What gives a ``Play`` its cards and decisions."""

    def card(self) -> str:
        """The next card, face up."""

    def hole(self) -> str:
        """The hole card as it is dealt: the card, or HIDDEN where it lies face down."""

    def looked(self, up: str, hole: str) -> bool:
        """Whether the dealer, looking under ``up``, found a natural."""

    def turned(self, hole: str) -> str:
        """The hole card as it is turned over."""

    def insurance(self, play: "Play") -> Decided | None:
        """The next word on insurance or even money before play, or None when the offer is closed."""

    def decision(self, play: "Play") -> Decided:
        """The next decision."""

    def where(self) -> str:
        """Where in the source a refusal is: "Decision 3: ", or nothing."""


class Hand:
    """One hand of a box; ``hard`` is its total with every ace as 1, ``extra`` the chips of a double."""

    __slots__ = ("ace", "aces", "bet", "cards", "extra", "hard", "split", "state")

    def __init__(self, card: str, bet: int) -> None:
        self.cards = [card]
        self.hard = VALUE[card]
        self.ace = self.hard == 1
        self.bet = bet
        self.extra = 0
        self.state = PLAYING
        self.split = False
        self.aces = False

    def add(self, card: str) -> None:
        """Put ``card`` on the hand; over 21 it is bust at once (A4)."""
        value = VALUE[card]
        self.cards.append(card)
        self.hard += value
        if value == 1:
            self.ace = True
        if self.hard > 21:
            self.state = BUST

    def part(self) -> "Hand":
        """Split: keep the first card and give away the second as a new hand with the same bet (A3)."""
        right = Hand(self.cards.pop(), self.bet)
        self.hard -= right.hard
        self.split = right.split = True
        self.aces = right.aces = right.ace
        return right

    @property
    def soft(self) -> bool:
        """Whether an ace counts as 11 (A2)."""
        return self.ace and self.hard <= 11

    @property
    def total(self) -> int:
        """The best total (A2)."""
        return self.hard + 10 if self.ace and self.hard <= 11 else self.hard


class Box:
    """A box in play; ``put_up`` is everything its player has staked in this deal (A6)."""

    __slots__ = (
        "bet",
        "dealt",
        "hands",
        "insurance",
        "joker",
        "line_chip",
        "put_up",
        "seat",
        "side_bets",
        "stack",
    )

    def __init__(self, seat: int, bet: int, stack: int | None) -> None:
        self.seat = seat
        self.bet = bet
        self.stack = stack
        self.put_up = bet
        self.insurance = 0
        self.hands: list[Hand] = []
        self.dealt: tuple[str, ...] = ()
        self.side_bets: Mapping[str, int] = {}
        self.line_chip = 0
        self.joker = False

    def has(self, chips: int) -> bool:
        """Whether the stack, where it is known, still holds ``chips`` more (A6)."""
        return self.stack is None or self.put_up + chips <= self.stack


class Play:
    """One round of play. ``step``, ``box`` and ``hand_at`` say where it stands."""

    __slots__ = (
        "box",
        "boxes",
        "dealer",
        "dealer_natural",
        "draw",
        "hand_at",
        "looked",
        "played",
        "rules",
        "source",
        "step",
        "third_card",
    )  # fmt: skip

    def __init__(self, rules: HouseRules, boxes: Iterable[Box], source: Source) -> None:
        self.rules = rules
        self.boxes = list(boxes)
        self.source = source
        self.draw = self._draw_past_joker if rules.joker else source.card
        self.dealer: list[str] = []
        self.dealer_natural = False
        self.looked = False
        self.step = DEAL
        self.box: Box | None = None
        self.hand_at = 0
        self.played = False
        self.third_card = False

    def run(self) -> None:
        """Play the round to its end. What a source raises, and Refused, pass through."""
        self._deal()
        self._offer_insurance()
        self._look()
        if not self.dealer_natural:
            self.step = PLAY
            for box in self.boxes:
                if box.hands[0].state == PLAYING:
                    self._play_box(box)
            self._play_dealer()
        self.box = None
        self.step = DONE

    # -- dealing -------------------------------------------------------------------------------------

    def _draw_past_joker(self) -> str:
        """The next card; the joker is laid beside the box and the next card takes its place."""
        card = self.source.card()
        while card == JOKER:
            if self.step == DEAL and self.box is not None:
                self.box.joker = True
            card = self.source.card()
        return card

    def _deal(self) -> None:
        """A1, and naturals that are paid at once (row 7)."""
        draw = self.draw
        for box in self.boxes:
            self.box = box
            box.hands.append(Hand(draw(), box.bet))
        self.box = None
        up = draw()
        self.dealer.append(up)
        low, high = self.rules.paid_at_once
        natural = PAID if low <= VALUE[up] <= high else NATURAL
        for box in self.boxes:
            self.box = box
            hand = box.hands[0]
            hand.add(draw())
            if hand.hard == 11 and hand.ace:
                hand.state = natural
            if box.side_bets:
                box.dealt = tuple(hand.cards)
        self.box = None
        if self.rules.hole_card:
            self.dealer.append(self.source.hole())

    # -- insurance and the look ----------------------------------------------------------------------

    def _offer_insurance(self) -> None:
        """Rows 8 to 11, before anyone plays."""
        self.step = INSURANCE
        word = self.source.insurance(self)
        while word is not None:
            self._insure(*word)
            word = self.source.insurance(self)

    def _insure(self, seat: int, action: str, amount: int | None) -> None:
        box = self.box_of(seat)
        if action == "insurance":
            self.verify_insurance(box, amount)
            assert amount is not None
            box.insurance = amount
            box.put_up += amount
            return
        self.verify_even_money(box)
        box.hands[0].state = EVEN_MONEY
        if self.rules.even_money_returns_insurance:
            box.put_up -= box.insurance
            box.insurance = 0

    def _insure_in_play(self, seat: int, action: str, amount: int | None) -> None:
        """Insurance or even money after play has begun: row 10 says whether it may be."""
        if self.insurance_is_over():
            self.refuse(
                "insurance_closed", f"box {shown(seat)} comes too late; insurance and even money are closed."
            )
        self._insure(seat, action, amount)

    def insurance_is_over(self) -> bool:
        """Whether the offer of insurance and even money has closed (row 10)."""
        if self.step == INSURANCE:
            return False
        if self.rules.insurance_closes == "third_card":
            return self.third_card
        return self.played or self.dealer[0][0] == "A"

    def _look(self) -> None:
        """The dealer looks under an ace or a ten, where the sheet says so (rows 4 and 7)."""
        rules = self.rules
        up = self.dealer[0]
        if not rules.looks_under or ("T" if VALUE[up] == 10 else up[0]) not in rules.looks_under:
            return
        self.step = LOOK
        self.dealer_natural = self.source.looked(up, self.dealer[1])
        self.looked = True
        if self.dealer_natural:
            self.dealer[1] = self.source.turned(self.dealer[1])
            return
        for box in self.boxes:
            if box.hands[0].state == NATURAL:
                box.hands[0].state = PAID

    # -- the boxes -----------------------------------------------------------------------------------

    def _play_box(self, box: Box) -> None:
        """A3: the hands of a box, left to right."""
        self.box = box
        hands = box.hands
        stands_on_21 = not self.rules.draw_on_21
        at = 0
        while at < len(hands):
            hand = hands[at]
            self.hand_at = at
            if len(hand.cards) == 1:
                self._give(hand)
            while hand.state == PLAYING:
                if (stands_on_21 and hand.total == 21) or self._is_finished_ace(box, hand):
                    hand.state = STOOD
                else:
                    self._act(box, hand, self.source.decision(self))
            at += 1

    def _give(self, hand: Hand) -> None:
        card = self.draw()
        self.third_card = True
        hand.add(card)

    def _act(self, box: Box, hand: Hand, decided: Decided) -> None:
        """One decision of the box whose turn it is, or a late word on insurance."""
        seat, action, amount = decided
        if action in BEFORE_PLAY:
            self._insure_in_play(seat, action, amount)
            return
        if seat != box.seat:
            self.refuse(
                "out_of_turn",
                f"it is box {box.seat}'s turn, hand {self.hand_at + 1}, not box {shown(seat)}'s.",
            )
        if action == "stand":
            hand.state = STOOD
        elif action == "hit":
            self.verify_hit(hand)
            self.played = True
            self._give(hand)
        elif action == "double":
            self._double(box, hand, amount)
        elif action == "split":
            self._split(box, hand)
        elif action == "surrender":
            self.verify_surrender(hand)
            hand.state = SURRENDERED
        else:
            self.refuse("unknown_action", f"box {seat} cannot '{action[:20]}'; there is no such action.")
        self.played = True

    def _double(self, box: Box, hand: Hand, amount: int | None) -> None:
        self.verify_double(box, hand, amount)
        hand.extra = hand.bet if amount is None else amount
        box.put_up += hand.extra
        self.played = True
        self._give(hand)
        if hand.state == PLAYING:
            hand.state = STOOD

    def _split(self, box: Box, hand: Hand) -> None:
        """A3: the first card stays, the second begins a new hand to the right (rows 15 to 18)."""
        self.verify_split(box, hand)
        right = hand.part()
        box.hands.insert(self.hand_at + 1, right)
        box.put_up += hand.bet
        self.played = True
        self._give(hand)
        if self.rules.split_cards == "both":
            self.hand_at += 1
            self._give(right)
            self.hand_at -= 1

    def _is_finished_ace(self, box: Box, hand: Hand) -> bool:
        """Whether this is a split ace with its one card that may not be split again (row 17)."""
        return hand.aces and not (
            self.rules.resplit_aces
            and len(hand.cards) == 2
            and hand.hard == 2
            and not self._hands_are_full(box)
        )

    def _hands_are_full(self, box: Box) -> bool:
        return self.rules.max_hands is not None and len(box.hands) >= self.rules.max_hands

    # -- verify --------------------------------------------------------------------------------------

    def verify_insurance(self, box: Box, amount: int | None) -> None:
        """Rows 8 and 9, A6: raises Refused unless ``box`` may insure for ``amount`` chips now."""
        state = box.hands[0].state
        if self.dealer[0][0] != "A":
            self.refuse("insurance_not_offered", f"box {box.seat} cannot insure: the dealer shows no ace.")
        if box.insurance or state == EVEN_MONEY:
            self.refuse("insurance_not_offered", f"box {box.seat} is insured or paid even money already.")
        if state == NATURAL and not self.rules.natural_may_insure:
            self.refuse("insurance_not_offered", f"box {box.seat} has a natural, which may not be insured.")
        low, high, step = self.rules.insurance_range(box.bet)
        if amount is None or not low <= amount <= high or amount % step:
            self.refuse(
                "insurance_amount",
                f"box {box.seat} insures a bet of {box.bet} for {low} to {high} in steps of {step},"
                f" not for {'nothing' if amount is None else shown(amount)}."
                if low <= high
                else f"box {box.seat} cannot insure a bet of {box.bet} in whole chips of {step}.",
            )
        self.verify_chips(box, amount)

    def verify_even_money(self, box: Box) -> None:
        """Row 11: raises Refused unless ``box`` may take even money now."""
        if not self.rules.even_money:
            self.refuse("even_money_not_offered", f"box {box.seat}: even money is not offered here.")
        if self.dealer[0][0] != "A":
            self.refuse("even_money_not_offered", f"box {box.seat}: even money is for a dealer's ace only.")
        if box.hands[0].state != NATURAL:
            self.refuse("even_money_not_offered", f"box {box.seat} has no natural waiting to be paid.")

    def verify_hit(self, hand: Hand) -> None:
        """Row 17: raises Refused if the hand may have no further card."""
        if hand.aces:
            self.refuse("hit_not_allowed", f"box {self.seat}: a split ace gets one card only.")

    def verify_double(self, box: Box, hand: Hand, amount: int | None) -> None:
        """Rows 12 to 14, A6: raises Refused unless ``hand`` may be doubled for ``amount`` (None: the bet)."""
        rules = self.rules
        if len(hand.cards) != 2 or hand.aces:
            self.refuse(
                "double_not_allowed", f"box {box.seat}: only the first two cards of a hand are doubled."
            )
        if hand.split and not rules.double_after_split:
            self.refuse("double_not_allowed", f"box {box.seat}: no double after a split at this table.")
        if rules.double == "9-11" and not 9 <= hand.total <= 11:
            self.refuse(
                "double_not_allowed", f"box {box.seat} has {hand.total}; only 9, 10 and 11 are doubled."
            )
        chips = hand.bet if amount is None else amount
        least = self.least_double(hand)
        if not least <= chips <= hand.bet or chips % rules.chip_chips:
            self.refuse(
                "double_amount",
                f"box {box.seat} doubles a bet of {hand.bet} for "
                + (f"{least} to {hand.bet}" if least < hand.bet else "the same again")
                + f", not for {shown(chips)}.",
            )
        self.verify_chips(box, chips)

    def least_double(self, hand: Hand) -> int:
        """The fewest chips that ``hand`` may be doubled for (row 13); the most is its bet."""
        return self.rules.chip_chips if self.rules.double_amount == "up_to" else hand.bet

    def verify_split(self, box: Box, hand: Hand) -> None:
        """Rows 15 to 17 and A6: raises Refused unless ``hand`` may be split now."""
        cards = hand.cards
        if len(cards) != 2:
            self.refuse("split_not_allowed", f"box {box.seat}: only the first two cards of a hand are split.")
        first, second = cards
        same = first[0] == second[0] if self.rules.split == "rank" else VALUE[first] == VALUE[second]
        if not same:
            self.refuse(
                "split_not_allowed", f"box {box.seat}: {first} and {second} do not match at this table."
            )
        if hand.aces and not self.rules.resplit_aces:
            self.refuse("split_not_allowed", f"box {box.seat}: aces are not split again.")
        if self._hands_are_full(box):
            self.refuse("split_not_allowed", f"box {box.seat} has {len(box.hands)} hands, which is the most.")
        self.verify_chips(box, hand.bet)

    def verify_surrender(self, hand: Hand) -> None:
        """Row 20: raises Refused unless ``hand`` may be given up now."""
        rules = self.rules
        if rules.surrender == "none":
            self.refuse("surrender_not_allowed", f"box {self.seat}: there is no surrender at this table.")
        if len(hand.cards) != 2 or hand.aces:
            self.refuse("surrender_not_allowed", f"box {self.seat}: only on the first two cards of a hand.")
        if rules.surrender == "late" and hand.split:
            self.refuse("surrender_not_allowed", f"box {self.seat}: no surrender after a split.")
        if rules.surrender == "not_against_ace" and self.dealer[0][0] == "A":
            self.refuse("surrender_not_allowed", f"box {self.seat}: no surrender against an ace.")

    def verify_chips(self, box: Box, chips: int) -> None:
        """A6: raises Refused if the stack does not hold ``chips`` more."""
        if not box.has(chips):
            self.refuse(
                "not_enough_chips",
                f"box {box.seat} has put up {box.put_up} of {shown(box.stack)} chips; it cannot add {chips}.",
            )

    @property
    def seat(self) -> int:
        """The box whose turn it is."""
        assert self.box is not None
        return self.box.seat

    def box_of(self, seat: int) -> Box:
        """The box with this number. Raises Refused ``bad_seat`` if it is not in play."""
        found = [box for box in self.boxes if box.seat == seat]
        if not found:
            self.refuse("bad_seat", f"box {shown(seat)} has no bet in this deal.")
        return found[0]

    def refuse(self, code: str, sentence: str) -> NoReturn:
        """Raise Refused, the sentence led by where in the source it was."""
        sentence = self.source.where() + sentence
        raise Refused(code, sentence[0].upper() + sentence[1:])

    # -- the dealer ----------------------------------------------------------------------------------

    def _play_dealer(self) -> None:
        """A5: the dealer turns or draws, to 17, as far as anybody's result depends on it."""
        self.step = DEALER
        self.box = None
        dealer = self.dealer
        states = {hand.state for box in self.boxes for hand in box.hands}
        insured = not self.looked and any(box.insurance for box in self.boxes)
        if self.rules.hole_card:
            dealer[1] = self.source.turned(dealer[1])
        elif STOOD in states or NATURAL in states or insured:
            dealer.append(self.draw())
        else:
            return
        hard = VALUE[dealer[0]] + VALUE[dealer[1]]
        ace = "A" in (dealer[0][0], dealer[1][0])
        self.dealer_natural = ace and hard == 11
        if STOOD in states and not self.dealer_natural:
            self._draw_to_17(hard, ace)

    def _draw_to_17(self, hard: int, ace: bool) -> None:
        """Row 5."""
        hits_soft_17 = self.rules.soft17 == "hit"
        while True:
            soft = ace and hard <= 11
            total = hard + 10 if soft else hard
            if total > 17 or (total == 17 and not (soft and hits_soft_17)):
                return
            card = self.draw()
            self.dealer.append(card)
            hard += VALUE[card]
            ace = ace or card[0] == "A"
