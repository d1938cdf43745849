"""The checks of each action at a point of play: one ``verify_…`` each, which raises Refused.

An action is legal if its check passes; ``Play`` checks before it acts.
"""

from __future__ import annotations

from typing import Any, NoReturn

from games.blackjack.boxes import NATURAL, Account, Box, Hand, Player, Stake
from games.blackjack.cards import VALUE
from games.blackjack.rules import HouseRules
from ground.words import gettext_noop as _
from ground.words import shown


class Verify:
    """The part of a ``Play`` that refuses actions; it changes nothing."""

    __slots__ = ()

    rules: HouseRules
    dealer: list[str]

    @property
    def seat(self) -> int:
        """The box whose turn it is."""
        raise NotImplementedError

    def refuse(self, code: str, text: str, **figures: Any) -> NoReturn:
        """Raise Refused, with the place in the source before the sentence."""
        raise NotImplementedError

    def caller(self, box: Box, hand: Hand) -> tuple[Hand, Box] | tuple[Stake, Player]:
        """Return the player who decides for ``hand``."""
        raise NotImplementedError

    def hands_are_full(self, box: Box) -> bool:
        """Whether a box has as many hands as it may have (row 16)."""
        return self.rules.max_hands is not None and len(box.hands) >= self.rules.max_hands

    def verify_insurance(self, box: Box, amount: int | None, account: Account | None = None) -> None:
        """Refuse insurance of ``amount`` for ``account`` (None: the owner) unless rows 8 and 9 and A6 allow
        it."""
        account = account or box
        if self.dealer[0][0] != "A":
            self.refuse(
                "insurance_not_offered",
                _("box %(seat)s cannot insure: the dealer shows no ace."),
                seat=box.seat,
            )
        if account.insurance or account.even_money:
            self.refuse(
                "insurance_not_offered",
                _("box %(seat)s is insured or paid even money already."),
                seat=box.seat,
            )
        if box.hands[0].state == NATURAL and not self.rules.natural_may_insure:
            self.refuse(
                "insurance_not_offered",
                _("box %(seat)s has a blackjack, which may not be insured."),
                seat=box.seat,
            )
        low, high, step = self.rules.insurance_range(account.bet)
        if amount is None or not low <= amount <= high or amount % step:
            self.refuse_insurance(box, account.bet, amount)
        self.verify_chips(box, amount, account)

    def refuse_insurance(self, box: Box, bet_chips: int, amount: int | None) -> NoReturn:
        """Raise Refused ``insurance_amount``, with the possible amounts for a bet (row 8)."""
        low, high, step = self.rules.insurance_range(bet_chips)
        text = _(
            "box %(seat)s insures a bet of %(bet)s for %(low)s to %(high)s in steps of %(step)s,"
            " not for %(chips)s."
        )
        if low > high:
            text = _("box %(seat)s cannot insure a bet of %(bet)s in whole chips of %(step)s.")
        elif amount is None:
            text = _(
                "box %(seat)s insures a bet of %(bet)s for %(low)s to %(high)s in steps of %(step)s,"
                " not for nothing."
            )
        chips = {"bet": bet_chips, "low": low, "high": high, "step": step, "chips": amount}
        figures = {name: shown(value) for name, value in chips.items()}
        self.refuse("insurance_amount", text, seat=box.seat, **figures)

    def verify_even_money(self, box: Box, account: Account | None = None) -> None:
        """Refuse even money for ``account`` (None: the owner) unless row 11 allows it now."""
        if not self.rules.even_money:
            self.refuse(
                "even_money_not_offered", _("box %(seat)s: even money is not offered here."), seat=box.seat
            )
        if self.dealer[0][0] != "A":
            self.refuse(
                "even_money_not_offered",
                _("box %(seat)s: even money is for a dealer's ace only."),
                seat=box.seat,
            )
        if box.hands[0].state != NATURAL or (account or box).even_money:
            self.refuse(
                "even_money_not_offered",
                _("box %(seat)s has no blackjack waiting to be paid."),
                seat=box.seat,
            )

    def verify_hit(self, hand: Hand) -> None:
        """Refuse a further card if row 17 does not allow it."""
        if hand.aces and self.rules.split_aces == "one_card":
            self.refuse("hit_not_allowed", _("box %(seat)s: a split ace gets one card only."), seat=self.seat)

    def verify_double(self, box: Box, hand: Hand, amount: int | None) -> None:
        """Refuse to double ``hand`` for ``amount`` (None: the bet) unless rows 12 to 14 and A6 allow it.

        On a shared box it is the bet of the player who decides for the hand.
        """
        rules = self.rules
        stake, account = self.caller(box, hand)
        if len(hand.cards) != 2 or (hand.aces and rules.split_aces == "one_card"):
            self.refuse(
                "double_not_allowed",
                _("box %(seat)s: only the first two cards of a hand are doubled."),
                seat=box.seat,
            )
        if hand.split and not rules.double_after_split:
            self.refuse(
                "double_not_allowed", _("box %(seat)s: no double after a split at this table."), seat=box.seat
            )
        counted = hand.hard if rules.double_soft_low else hand.total
        if rules.double == "9-11" and not 9 <= counted <= 11:
            self.refuse(
                "double_not_allowed",
                _("box %(seat)s has %(counted)s; only 9, 10 and 11 are doubled."),
                seat=box.seat,
                counted=counted,
            )
        chips = stake.bet if amount is None else amount
        least = self.least_double(stake.bet)
        if not least <= chips <= stake.bet or chips % rules.chip_chips:
            self.refuse(
                "double_amount",
                _("box %(seat)s doubles a bet of %(bet)s for %(least)s to %(bet)s, not for %(chips)s.")
                if least < stake.bet
                else _("box %(seat)s doubles a bet of %(bet)s for the same again, not for %(chips)s."),
                seat=box.seat,
                bet=shown(stake.bet),
                least=shown(least),
                chips=shown(chips),
            )
        self.verify_chips(box, chips, account)

    def least_double(self, bet_chips: int) -> int:
        """Return the smallest double of a bet in chips (row 13); the largest is the bet."""
        return self.rules.chip_chips if self.rules.double_amount == "up_to" else bet_chips

    def verify_split(self, box: Box, hand: Hand) -> None:
        """Refuse to split ``hand`` unless rows 15 to 17 and A6 allow it now."""
        cards = hand.cards
        if len(cards) != 2:
            self.refuse(
                "split_not_allowed",
                _("box %(seat)s: only the first two cards of a hand are split."),
                seat=box.seat,
            )
        first, second = cards
        same = first[0] == second[0] if self.rules.split == "rank" else VALUE[first] == VALUE[second]
        if not same:
            self.refuse(
                "split_not_allowed",
                _("box %(seat)s: only a pair can be split; by these rules the two cards are not a pair."),
                seat=box.seat,
            )
        if hand.aces and not self.rules.resplit_aces:
            self.refuse("split_not_allowed", _("box %(seat)s: aces are not split again."), seat=box.seat)
        if self.hands_are_full(box):
            self.refuse(
                "split_not_allowed",
                _("box %(seat)s has %(n)s hands, which is the most."),
                seat=box.seat,
                n=len(box.hands),
            )
        stake, account = self.caller(box, hand)
        self.verify_chips(box, stake.bet, account)

    def verify_surrender(self, hand: Hand) -> None:
        """Refuse to surrender ``hand`` unless row 20 allows it now."""
        rules = self.rules
        if rules.surrender == "none":
            self.refuse(
                "surrender_not_allowed",
                _("box %(seat)s: there is no surrender at this table."),
                seat=self.seat,
            )
        if len(hand.cards) != 2 or hand.aces:
            self.refuse(
                "surrender_not_allowed",
                _("box %(seat)s: only on the first two cards of a hand."),
                seat=self.seat,
            )
        if hand.split and not rules.surrender_after_split:
            self.refuse(
                "surrender_not_allowed", _("box %(seat)s: no surrender after a split."), seat=self.seat
            )
        if rules.surrender == "not_against_ace" and self.dealer[0][0] == "A":
            self.refuse(
                "surrender_not_allowed", _("box %(seat)s: no surrender against an ace."), seat=self.seat
            )

    def verify_chips(self, box: Box, chips: int, account: Account | None = None) -> None:
        """Refuse if the stack of ``account`` (None: the owner) does not hold ``chips`` more (A6)."""
        account = account or box
        if not account.has(chips):
            self.refuse(
                "not_enough_chips",
                _("box %(seat)s has %(left)s chips left; %(chips)s are needed."),
                seat=box.seat,
                left=shown((account.stack or 0) - account.out),
                chips=shown(chips),
            )
