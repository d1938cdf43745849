"""The rules at work: one round of play, driven by a source of cards and decisions.

This is the only implementation of the rules. ``Play.run`` asks its source for the next card or decision and
otherwise goes straight through A1 to A5; a record, a live table and simulated players are three sources. If a
source has nothing more to give it raises, and the ``Play`` keeps its position for inspection.

The checks are in ``verify``; this module acts.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, Protocol

from games.blackjack.boxes import (
    EVEN_MONEY,
    NATURAL,
    PAID,
    PLAYING,
    STOOD,
    SURRENDERED,
    Account,
    Box,
    Hand,
    Player,
    Stake,
)
from games.blackjack.cards import JOKER, VALUE
from games.blackjack.rules import HouseRules
from games.blackjack.verify import Verify
from ground.refused import Refused
from ground.words import Sentence, shown
from ground.words import gettext_noop as _

DEAL, INSURANCE, LOOK, PLAY, DEALER, DONE = "deal", "insurance", "look", "play", "dealer", "done"
BEFORE_PLAY = ("insurance", "even_money")

Along = Mapping[str, int]
"""The players of a shared box who join a double or a split: name → chips."""

Decided = tuple[int, str, int | None, str | None, Along | None]
"""A decision: box, action, chips or None; on a shared box also its player and the players who join."""


class Source(Protocol):
    """The source of a ``Play``'s cards and decisions."""

    def card(self) -> str:
        """Return the next card, face up."""

    def hole(self) -> str:
        """Return the hole card as it is dealt: the card, or HIDDEN if it lies face down."""

    def looked(self, up: str, hole: str) -> bool:
        """Return whether the dealer, checking under ``up``, found a natural."""

    def turned(self, hole: str) -> str:
        """Return the hole card as it is turned over."""

    def insurance(self, play: "Play") -> Decided | None:
        """Return the next answer to the offer of insurance or even money, or None when the offer is
        closed."""

    def decision(self, play: "Play") -> Decided | None:
        """Return the next decision, or None if an irregularity means that the hand must be read again."""

    def where(self) -> str:
        """Return the place of a refusal in the source: "Decision 3: ", or an empty text."""


class Play(Verify):
    """One round of play. ``step``, ``box`` and ``hand_at`` are its position.

    ``turns``: the boxes in the order in which they act, which is their own unless one was skipped.
    """

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
        "turns",
    )  # fmt: skip

    def __init__(self, rules: HouseRules, boxes: Iterable[Box], source: Source) -> None:
        self.rules = rules
        self.boxes = self.turns = list(boxes)
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
        """Play the round to its end. Exceptions of a source, and Refused, pass through."""
        self._deal()
        self._offer_insurance()
        self._look()
        if not self.dealer_natural:
            self.step = PLAY
            for box in self.turns:
                if box.hands[0].state == PLAYING:
                    self._play_box(box)
            self._play_dealer()
        self.box = None
        self.step = DONE

    # -- dealing -------------------------------------------------------------------------------------

    def _draw_past_joker(self) -> str:
        """Return the next card; a joker is laid beside the box and replaced by the next card."""
        card = self.source.card()
        while card == JOKER:
            if self.step == DEAL and self.box is not None:
                self.box.joker = True
            card = self.source.card()
        return card

    def _deal(self) -> None:
        """Deal the first cards (A1), and pay naturals that are paid at once (row 7)."""
        draw = self.draw
        for box in self.boxes:
            self.box = box
            box.hands.append(Hand(draw(), box.bet))
        self.box = None
        up = draw()
        self.dealer.append(up)
        natural = self._natural_state()
        for box in self.boxes:
            self.box = box
            hand = box.hands[0]
            hand.add(draw())
            if hand.hard == 11 and hand.ace:
                hand.state = natural
            if box.players:
                hand.stakes = [Stake(player) for player in box.players]
            if box.has_side_bets:
                box.dealt = tuple(hand.cards)
        self.box = None
        if self.rules.hole_card:
            self.dealer.append(self.source.hole())

    def _natural_state(self) -> int:
        """Return the state of a natural (row 7): paid once the dealer cannot have one, or waiting."""
        rules = self.rules
        if rules.natural_paid != "at_once":
            return NATURAL
        low, high = rules.paid_at_once
        return PAID if self.looked or low <= VALUE[self.dealer[0]] <= high else NATURAL

    # -- insurance and the look ----------------------------------------------------------------------

    def _offer_insurance(self) -> None:
        """Offer insurance and even money before play (rows 8 to 11)."""
        self.step = INSURANCE
        word = self.source.insurance(self)
        while word is not None:
            self._insure(word)
            word = self.source.insurance(self)

    def _insure(self, decided: Decided) -> None:
        seat, action, amount, name, _ = decided
        box = self.box_of(seat)
        account = self.account_of(box, name)
        if action == "insurance":
            self.verify_insurance(box, amount, account)
            assert amount is not None
            account.insurance = amount
            account.put_up += amount
            return
        self.verify_even_money(box, account)
        account.even_money = True
        if not box.players or all(each.even_money for each in (box, *box.players)):
            box.hands[0].state = EVEN_MONEY
        if self.rules.even_money_returns_insurance:
            account.put_up -= account.insurance
            account.insurance = 0

    def _insure_in_play(self, decided: Decided) -> None:
        """Take insurance or even money after play has begun, if row 10 allows it."""
        if self.insurance_is_over():
            self.refuse(
                "insurance_closed",
                _("box %(decided)s comes too late; insurance and even money are closed."),
                decided=shown(decided[0]),
            )
        self._insure(decided)

    def insurance_is_over(self) -> bool:
        """Whether the offer of insurance and even money has closed (row 10).

        ``third_card``: a card after the first two is out, a box's or the dealer's.
        """
        if self.step == INSURANCE:
            return False
        if self.rules.insurance_closes == "third_card":
            return self.third_card
        return self.played or self.dealer[0][0] == "A"

    def _look(self) -> None:
        """Let the dealer check under an ace or a ten, if the sheet says so (rows 4 and 7)."""
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
        natural = self._natural_state()
        for box in self.boxes:
            if box.hands[0].state == NATURAL:
                box.hands[0].state = natural

    # -- the boxes -----------------------------------------------------------------------------------

    def _play_box(self, box: Box) -> None:
        """Play the hands of a box, left to right (A3)."""
        self.box = box
        hands = box.hands
        stands_on_21 = not self.rules.draw_on_21
        split_natural = self.rules.split_natural
        at = 0
        while at < len(hands):
            hand = hands[at]
            self.hand_at = at
            if len(hand.cards) == 1 and not box.barred:
                self._give(hand)
            while hand.state == PLAYING:
                # A box that refused a card dealt in error is barred from further cards.
                if split_natural and hand.split and len(hand.cards) == 2 and hand.hard == 11 and hand.ace:
                    hand.state = self._natural_state()
                elif box.barred or (stands_on_21 and hand.total == 21) or self._is_finished_ace(box, hand):
                    hand.state = STOOD
                else:
                    decided = self.source.decision(self)
                    if decided is not None:
                        self._act(box, hand, decided)
            at += 1

    def _give(self, hand: Hand) -> None:
        card = self.draw()
        self.third_card = True
        hand.add(card)

    def _act(self, box: Box, hand: Hand, decided: Decided) -> None:
        """Carry out one decision of the box whose turn it is, or a late insurance."""
        seat, action, amount, name, along = decided
        if action in BEFORE_PLAY:
            self._insure_in_play(decided)
            return
        if seat != box.seat:
            self.refuse(
                "out_of_turn",
                _("it is box %(seat)s's turn, hand %(hand_at)s, not box %(seat_2)s's.")
                if len(box.hands) > 1
                else _("it is box %(seat)s's turn, not box %(seat_2)s's."),
                seat=box.seat,
                hand_at=self.hand_at + 1,
                seat_2=shown(seat),
            )
        if action == "surrender":
            self._surrender(box, hand, name)
        else:
            self._verify_caller(box, hand, name)
            if action == "stand":
                hand.state = STOOD
            elif action == "hit":
                self.verify_hit(hand)
                self._give(hand)
            elif action == "double":
                self._double(box, hand, amount, along)
            elif action == "split":
                self._split(box, hand, along)
            else:
                self.refuse(
                    "unknown_action",
                    _("box %(seat)s cannot '%(action)s'; there is no such action."),
                    seat=seat,
                    action=action[:20],
                )
        self.played = True

    def _surrender(self, box: Box, hand: Hand, name: str | None) -> None:
        """Surrender (row 20). On a shared box others may play on; half the bet is available again (A6)."""
        self.verify_surrender(hand)
        unnamed = name is None or not box.players
        stake = self.caller(box, hand)[0] if unnamed else self.stake_of(box, hand, name or "")
        account = stake.player if isinstance(stake, Stake) else box
        account.back += stake.bet - self.rules.surrender_loss(stake.bet)
        if not box.players:
            hand.state = SURRENDERED
            return
        if isinstance(stake, Stake):
            stake.out = True
        else:
            hand.given_up = True
        if hand.given_up and all(each.out for each in hand.stakes):
            hand.state = SURRENDERED

    def _double(self, box: Box, hand: Hand, amount: int | None, along: Along | None) -> None:
        stake, account = self.caller(box, hand)
        self.verify_double(box, hand, amount)
        extra = stake.bet if amount is None else amount
        others = self.verify_along(box, hand, "double", along) if along else ()
        stake.extra = extra
        account.put_up += extra
        for other, chips in others:
            other.extra = chips
            other.player.put_up += chips
        self._give(hand)
        if hand.state == PLAYING:
            hand.state = STOOD

    def _split(self, box: Box, hand: Hand, along: Along | None) -> None:
        """Split (A3): the first card stays, the second begins a new hand to the right (rows 15 to 18).

        Row 25: a player who shares the box and does not join keeps the one hand on the left.
        """
        self.verify_split(box, hand)
        stake, account = self.caller(box, hand)
        others = self.verify_along(box, hand, "split", along) if along else ()
        right = hand.part()
        box.hands.insert(self.hand_at + 1, right)
        account.put_up += stake.bet
        if box.players:
            self._share_out(right, stake, others)
        self._give(hand)
        if self.rules.split_cards == "both":
            self.hand_at += 1
            self._give(right)
            self.hand_at -= 1

    def _share_out(self, right: Hand, caller: "Hand | Stake", others: Iterable[tuple[Stake, int]]) -> None:
        """Move the players who split to the new hand, in the order of the box."""
        stakes = [Stake(stake.player) for stake, _ in others]
        for stake in stakes:
            stake.player.put_up += stake.bet
        if isinstance(caller, Stake):
            # The owner gave the pair up, and another player splits it.
            right.bet = 0
            right.given_up = True
            stakes.insert(0, Stake(caller.player))
        right.stakes = stakes

    def _is_finished_ace(self, box: Box, hand: Hand) -> bool:
        """Whether this is a split ace with its one card that may not be split again (row 17)."""
        rules = self.rules
        if not hand.aces or rules.split_aces != "one_card":
            return False
        return not (
            rules.resplit_aces and len(hand.cards) == 2 and hand.hard == 2 and not self.hands_are_full(box)
        )

    # -- shared boxes (row 25) ------------------------------------------------------------------------

    def caller(self, box: Box, hand: Hand) -> "tuple[Hand, Box] | tuple[Stake, Player]":
        """Return the player who decides for ``hand``: its owner, or after a surrender the next one on it."""
        if hand.given_up:
            for stake in hand.stakes:
                if not stake.out:
                    return stake, stake.player
        return hand, box

    def account_of(self, box: Box, name: str | None) -> Account:
        """Return the player called ``name`` on ``box``, its owner for None. Raises Refused
        ``unknown_player``."""
        if name is None:
            return box
        if box.players:
            found: dict[str, Account] = {box.name: box, **{player.name: player for player in box.players}}
            if name in found:
                return found[name]
        self.refuse(
            "unknown_player", _("box %(seat)s has no player %(name)s."), seat=box.seat, name=shown(name)
        )

    def stake_of(self, box: Box, hand: Hand, name: str) -> "Hand | Stake":
        """Return the bet of ``name`` that is still on ``hand``. Raises Refused."""
        account = self.account_of(box, name)
        if account is box and not hand.given_up:
            return hand
        for stake in hand.stakes:
            if stake.player is account and not stake.out:
                return stake
        self.refuse(
            "unknown_player",
            _("%(name)s has no bet on hand %(hand_at)s of box %(seat)s.")
            if len(box.hands) > 1
            else _("%(name)s has no bet on box %(seat)s."),
            name=shown(name),
            hand_at=self.hand_at + 1,
            seat=box.seat,
        )

    def _verify_caller(self, box: Box, hand: Hand, name: str | None) -> None:
        if name is None or not box.players:
            return
        if self.stake_of(box, hand, name) is not self.caller(box, hand)[0]:
            self.refuse(
                "out_of_turn",
                _("%(name)s does not decide for box %(seat)s, but shares it."),
                name=shown(name),
                seat=box.seat,
            )

    def may_go_along(self, box: Box, hand: Hand) -> list[Stake]:
        """Return the players on a shared hand, without the player who decides for it."""
        caller = self.caller(box, hand)[0]
        return [stake for stake in hand.stakes if stake is not caller and not stake.out]

    def verify_along(self, box: Box, hand: Hand, action: str, along: Along) -> list[tuple[Stake, int]]:
        """Return the players who join, in the order of the box (rows 13 and 25, A6). Raises Refused."""
        found = {stake.player.name: stake for stake in self.may_go_along(box, hand)}
        for name in along:
            if name not in found:
                self.refuse(
                    "unknown_player",
                    _("%(name)s does not share hand %(hand_at)s of box %(seat)s.")
                    if len(box.hands) > 1
                    else _("%(name)s does not share box %(seat)s."),
                    name=shown(name),
                    hand_at=self.hand_at + 1,
                    seat=box.seat,
                )
        going = [(stake, along[name]) for name, stake in found.items() if name in along]
        for stake, chips in going:
            least = self.least_double(stake.bet) if action == "double" else stake.bet
            if not least <= chips <= stake.bet or chips % self.rules.chip_chips:
                code = "double_amount" if action == "double" else "split_not_allowed"
                self.refuse(
                    code,
                    _("%(player)s on box %(seat)s has bet %(bet)s and cannot %(action)s for %(chips)s."),
                    player=stake.player.name,
                    seat=box.seat,
                    bet=stake.bet,
                    action=action,
                    chips=shown(chips),
                )
            self.verify_chips(box, chips, stake.player)
        return going

    @property
    def seat(self) -> int:
        """The box whose turn it is."""
        assert self.box is not None
        return self.box.seat

    def box_of(self, seat: int) -> Box:
        """Return the box with this number. Raises Refused ``bad_seat`` if it is not in play."""
        found = [box for box in self.boxes if box.seat == seat]
        if not found:
            self.refuse("bad_seat", _("box %(seat)s has no bet in this hand."), seat=shown(seat))
        return found[0]

    def refuse(self, code: str, text: str, **figures: Any) -> NoReturn:
        """Raise Refused, with the place in the source before the sentence."""
        what = Sentence(text, **figures)
        raise Refused(code, Sentence("%(where)s%(what)s", where=self.source.where(), what=what).capitalized())

    # -- the dealer ----------------------------------------------------------------------------------

    def _play_dealer(self) -> None:
        """Play the dealer's hand (A5) up to 17, while the result of a box depends on it."""
        self.step = DEALER
        self.box = None
        if self._dealer_draws():
            self._insure_before_the_dealer_draws()
        if not self._dealer_draws():
            return
        dealer = self.dealer
        if self.rules.hole_card:
            dealer[1] = self.source.turned(dealer[1])
        else:
            dealer.append(self.draw())
        self.third_card = True
        states = {hand.state for box in self.boxes for hand in box.hands}
        hard = VALUE[dealer[0]] + VALUE[dealer[1]]
        ace = "A" in (dealer[0][0], dealer[1][0])
        self.dealer_natural = ace and hard == 11
        if STOOD in states and not self.dealer_natural:
            self._draw_to_17(hard, ace)

    def _dealer_draws(self) -> bool:
        """Whether the dealer turns or draws a card at all (A5)."""
        if self.rules.hole_card:
            return True
        if any(hand.state in (STOOD, NATURAL) for box in self.boxes for hand in box.hands):
            return True
        return not self.looked and any(
            account.insurance for box in self.boxes for account in (box, *box.players)
        )

    def _insure_before_the_dealer_draws(self) -> None:
        """Offer insurance until the dealer draws, if no third card is out before (row 10)."""
        while not self.insurance_is_over():
            word = self.source.insurance(self)
            if word is None:
                return
            self._insure(word)

    def _draw_to_17(self, hard: int, ace: bool) -> None:
        """Draw to 17 (row 5). ``until_hard``: on a soft 17 the dealer draws until no ace counts 11."""
        soft17 = self.rules.soft17
        until_hard = False
        while True:
            soft = ace and hard <= 11
            total = hard + 10 if soft else hard
            if soft and total == 17 and soft17 != "stand":
                until_hard = soft17 == "until_hard"
            elif total >= 17 and not (soft and until_hard):
                return
            card = self.draw()
            self.dealer.append(card)
            hard += VALUE[card]
            ace = ace or card[0] == "A"
