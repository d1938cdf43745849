"""A second opinion: the house rules worked out again, slowly, from the sheets' table and nothing else.

Nothing of the engine is imported here. ``Round`` plays one round with random decisions out of a shuffled
shoe; it knows at every decision what is allowed (``may``) and at the end what each bet comes to (``answer``).
Every player on a box, owner or not, is treated alike; a bet is settled by one function, ``bet_net``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.games.blackjack.second_answer import Played
from tests.games.blackjack.second_sheets import (
    DECK,
    INSURING,
    RANKS,
    SHEETS,
    Box,
    Hand,
    Who,
    is_21_in_two,
    low_total,
    options_random,
    points,
    total,
)


class Round(Played):
    """One round under a random sheet with random options, played by chance out of ``random``."""

    def __init__(self, random: Random, *, sheet: str = "", plain: bool = False) -> None:
        self.random = random
        self.name = sheet or random.choice(sorted(SHEETS))
        self.sheet = SHEETS[self.name]
        self.options = {} if plain else options_random(self.sheet, random)
        self.game = {**self.sheet, **self.options}
        self.decks = random.choice(self.sheet["decks"])
        self.limits = self._limits()
        self.low, self.high, self.step, self.chip = self.limits
        self.shared = self.sheet["players"] > 1 and random.random() < 0.4
        self.boxes = [self._box(seat) for seat in sorted(random.sample(range(1, 8), random.randint(1, 4)))]
        ranks = random.choice([RANKS, RANKS, "A8T9", "AAK5", "A6789", "23A9TQ"])
        self.shoe = [card for card in DECK * self.decks if card[0] in ranks]
        random.shuffle(self.shoe)
        if self.sheet["side_bets"]:
            self.shoe.insert(len(self.shoe) - random.randint(1, 30), "JK")
        self.cards: list[str] = []
        self.waiting: str | None = None
        self.decisions: list[dict[str, Any]] = []
        self.irregular: list[dict[str, Any]] = []
        self.tries: list[tuple[int, dict[str, Any], bool]] = []
        self.dealer: list[str] = []
        self.looked = False
        self.third = False
        self.current: tuple[Box, Hand] | None = None
        self.dealing: Box | None = None
        self.hole_at: int | None = None
        self.watch: Callable[[], None] | None = None

    # -- what lies on the table --

    def _box(self, seat: int) -> Box:
        random = self.random
        number = random.randint(1, min(self.sheet["players"], 4)) if self.shared else 1
        whos = [self._who(name) for name in ("anna", "ben", "carl", "dora")[:number]]
        if self.game["shared_max"] == "box":
            while sum(who.bet for who in whos) > self.high:
                whos.pop()
        box = Box(seat, whos)
        if self.sheet["side_bets"] and random.random() < 0.4:
            for who in whos:
                self._side(who, whos)
        for who in whos:
            if who.stack is not None and who.up > who.stack:
                who.stack = who.up
        return box

    def _limits(self) -> tuple[int, int, int, int]:
        """Least, most, step and chip: the sheet's, or where halves are rounded a ladder of odd chips."""
        low, high, step, chip = self.sheet["limits"]
        if self.game["halves"] is None or self.random.random() < 0.2:
            return low, high, step, chip
        chip = self.random.choice([1, 5, 100])
        step = chip * self.random.choice([1, 3, 5])
        return step, step * self.random.randint(10, 40), step, chip

    def _who(self, name: str) -> Who:
        random = self.random
        bet = self.low + self.step * random.randint(0, min(9, (self.high - self.low) // self.step))
        stack = None
        if random.random() < 0.5:
            stack = bet * random.choice([1, 2, 3, 9]) + random.choice([0, self.chip])
        who = Who(name, bet, stack)
        if self.game["line_chip"] and random.random() < 0.3:
            who.line = self.chip
        return who

    def _side(self, who: Who, whos: list[Who]) -> None:
        for kind in ("twins", "crazy_twins"):
            chips = self.random.choice([0, 10, 20, 100])
            if kind == "twins" and sum(each.side.get("twins", 0) for each in whos) + chips > 200:
                continue
            if chips:
                who.side[kind] = chips
                who.up += chips

    # -- the cards --

    def take(self) -> str:
        """The next card, burning and laying aside what does not count."""
        if self.waiting is not None:
            card, self.waiting = self.waiting, None
            return card
        while self.sheet["knows"] and "face_up" in self.sheet["knows"] and self.random.random() < 0.004:
            self.irregular.append({"kind": "face_up", "card": len(self.cards) + 1})
            self.cards.append(self.shoe.pop())
        card = self.shoe.pop()
        self.cards.append(card)
        if card == "JK":
            if self.dealing is not None:
                self.dealing.joker = True
            return self.take()
        return card

    # -- the round --

    def play(self) -> Round:
        self._leave_out()
        boxes = [box for box in self.boxes if box.dealt]
        for box in boxes:
            self.dealing = box
            box.first.append(self.take())
        self.dealing = None
        self.dealer.append(self.take())
        for box in boxes:
            self.dealing = box
            box.first.append(self.take())
            box.hands = [Hand(list(box.first), {w.name: [w.bet, 0, False] for w in box.whos}, False, False)]
        self.dealing = None
        if self.game["hole_card"]:
            self.dealer.append(self.take())
            self.hole_at = len(self.cards)
        for box in boxes:
            if is_21_in_two(box.hands[0].cards):
                box.hands[0].natural = True
                box.hands[0].end = "paid" if self._natural_is_safe() else "natural"
        self._insurance()
        up = self.dealer[0]
        looks = self.game["looks"]
        self.looked = (up[0] == "A" and "A" in looks) or (points(up) == 10 and "T" in looks)
        if self.looked and is_21_in_two(self.dealer):
            return self
        if self.looked:
            for box in boxes:
                if box.hands[0].end == "natural" and self._natural_is_safe():
                    box.hands[0].end = "paid"
        for box in boxes:
            if not box.hands[0].end:
                self._box_plays(box)
        self.current = None
        self._dealer_plays(boxes)
        return self

    def _leave_out(self) -> None:
        if "not_dealt" in self.sheet["knows"] and len(self.boxes) > 1 and self.random.random() < 0.05:
            box = self.random.choice(self.boxes)
            box.dealt = False
            self.irregular.append({"kind": "not_dealt", "seat": box.seat})

    def _natural_is_safe(self) -> bool:
        return self.game["natural_paid"] == "at_once" and (self.looked or 2 <= points(self.dealer[0]) <= 9)

    def _insurance(self) -> None:
        everyone = [(box, who) for box in self.boxes if box.dealt for who in box.whos]
        self.random.shuffle(everyone)
        self._try_some("insurance")
        for box, who in everyone:
            for action in INSURING:
                word = self._insurance_word(box, who, action)
                if self.random.random() < 0.4 and self.may_insure(word):
                    self._do_insure(box, who, word)
                    self._try_some("insurance")

    def _insurance_word(self, box: Box, who: Who, action: str) -> dict[str, Any]:
        word: dict[str, Any] = {"seat": box.seat, "action": action}
        if action == "insurance":
            most = who.bet // 2
            word["amount"] = self.random.choice([most, most // self.chip * self.chip, self.chip])
        if who is not box.owner:
            word["player"] = who.name
        return word

    def _do_insure(self, box: Box, who: Who, word: dict[str, Any]) -> None:
        self.decisions.append(word)
        if word["action"] == "insurance":
            who.insured = word["amount"]
            who.up += word["amount"]
            return
        who.even = True
        if self.game["even_money_returns_insurance"]:
            who.up -= who.insured
            who.insured = 0
        if all(each.even for each in box.whos):
            box.hands[0].end = "even"

    def _box_plays(self, box: Box) -> None:
        at = 0
        while at < len(box.hands):
            hand = box.hands[at]
            self.current = (box, hand)
            if len(hand.cards) == 1 and not box.barred:
                self._card_to(hand)
            while not hand.end:
                self._hand_step(box, hand)
            at += 1

    def _card_to(self, hand: Hand) -> None:
        hand.cards.append(self.take())
        self.third = True
        if low_total(hand.cards) > 21:
            hand.end = "bust"

    def _hand_step(self, box: Box, hand: Hand) -> None:
        if self.game["split_natural"] and hand.split and is_21_in_two(hand.cards):
            hand.natural = True
            hand.end = "paid" if self._natural_is_safe() else "natural"
            return
        if box.barred or self._stands_by_itself(box, hand):
            hand.end = "stood"
            return
        if self._expose(box):
            return
        self._try_some("play")
        if self._late_insurance():
            return
        self._do(box, hand, self._choice(box, hand))

    def _stands_by_itself(self, box: Box, hand: Hand) -> bool:
        if total(hand.cards) == 21 and not self.game["draw_on_21"]:
            return True
        if not hand.aces or self.game["split_aces"] == "play_on":
            return False
        another = self.game["resplit_aces"] and len(hand.cards) == 2 and hand.cards[1][0] == "A"
        return not (another and self._room(box))

    def _room(self, box: Box) -> bool:
        return self.game["max_hands"] is None or len(box.hands) < self.game["max_hands"]

    def _expose(self, box: Box) -> bool:
        """A card comes out in error, and this box and perhaps the next ones will not have it."""
        if "misdealt" not in self.sheet["knows"] or self.waiting is not None or self.random.random() > 0.01:
            return False
        refusing = [box]
        for later in self.boxes:
            if later.seat > box.seat and self.random.random() < 0.5:
                if later.hands[0].end:
                    break
                refusing.append(later)
            elif later.seat > box.seat:
                break
        for each in refusing:
            each.barred = True
        self.third = True
        self.waiting = self.shoe.pop()
        self.cards.append(self.waiting)
        seats = [each.seat for each in refusing]
        mark = {"kind": "misdealt", "card": len(self.cards), "refused": seats, "after": len(self.decisions)}
        self.irregular.append(mark)
        return True

    def _late_insurance(self) -> bool:
        box = self.random.choice([box for box in self.boxes if box.dealt])
        who = self.random.choice(box.whos)
        word = self._insurance_word(box, who, self.random.choice(["insurance", "even_money"]))
        if self.random.random() < 0.3 and self.may(word):
            self._do_insure(box, who, word)
            return True
        return False

    def _choice(self, box: Box, hand: Hand) -> dict[str, Any]:
        """A random legal decision, the rarer ones with a good chance."""
        for action in self.random.sample(["split", "double", "surrender"], 3):
            for word in self._words(box, hand, action):
                if self.random.random() < 0.6 and self.may(word):
                    return word
        action = "hit" if total(hand.cards) < self.random.choice([12, 15, 17, 19, 22]) else "stand"
        word = {"seat": box.seat, "action": action}
        return word if self.may(word) else {"seat": box.seat, "action": "stand"}

    def _words(self, box: Box, hand: Hand, action: str) -> list[dict[str, Any]]:
        word: dict[str, Any] = {"seat": box.seat, "action": action}
        caller, *others = hand.who()
        if action == "surrender":
            named = self.random.choice([None, *hand.who()]) if len(box.whos) > 1 else None
            return [word | ({"player": named} if named else {})]
        if action == "double":
            amount = self.random.choice([None, None, self.chip, hand.bets[caller][0]])
            word |= {"amount": amount} if amount is not None else {}
        along = {}
        for name in others:
            if self.random.random() < 0.6:
                bet = hand.bets[name][0]
                less = action == "double" and self.game["double_amount"] == "up_to"
                along[name] = self.random.choice([bet, self.chip]) if less else bet
        both = word | {"with": along} if along else word
        return [both, word]

    # -- what is allowed --

    def may_insure(self, word: dict[str, Any]) -> bool:
        """Rows 8, 9 and 11, apart from when."""
        box = next((box for box in self.boxes if box.seat == word["seat"] and box.dealt), None)
        who = box.named(word.get("player")) if box else None
        if box is None or who is None or self.dealer[0][0] != "A" or who.even:
            return False
        natural = box.hands[0].natural and not box.hands[0].split
        if word["action"] == "even_money":
            return bool(natural and self.game["even_money"])
        amount = word.get("amount")
        if amount is None or who.insured or (natural and not self.game["natural_may_insure"]):
            return False
        if self.game["insurance"] == "half":
            fits = 2 * amount == who.bet
            if self.game["halves"]:
                # The whole chips in half of the bet: another one would be more than half.
                fits = (
                    amount > 0
                    and amount % self.chip == 0
                    and 2 * amount <= who.bet < 2 * (amount + self.chip)
                )
        else:
            floor = self.low if self.game["insurance_floor"] else 1
            fits = amount > 0 and 2 * amount >= floor and 2 * amount <= who.bet and amount % self.chip == 0
        return fits and who.can_add(amount)

    def may(self, word: dict[str, Any]) -> bool:
        """Whether ``word`` is a legal decision now, in play."""
        action = word["action"]
        if action in INSURING:
            still_open = self.game["insurance_closes"] == "third_card" and not self.third
            return still_open and self.may_insure(word)
        assert self.current is not None
        box, hand = self.current
        if word["seat"] != box.seat:
            return False
        who = hand.who()
        named = word.get("player") if len(box.whos) > 1 else None
        if action == "surrender":
            return (named is None or named in who) and self._may_surrender(hand)
        if named is not None and named != who[0]:
            return False
        one_card = hand.aces and self.game["split_aces"] == "one_card"
        if action in ("stand", "hit"):
            return action == "stand" or not one_card
        if action == "double":
            return not one_card and self._may_double(box, hand, word)
        return action == "split" and self._may_split(box, hand, word)

    def _may_surrender(self, hand: Hand) -> bool:
        kind = self.game["surrender"]
        if kind == "none" or len(hand.cards) != 2 or hand.aces:
            return False
        if hand.split and not self.game["surrender_after_split"]:
            return False
        return kind != "not_against_ace" or self.dealer[0][0] != "A"

    def _may_double(self, box: Box, hand: Hand, word: dict[str, Any]) -> bool:
        if len(hand.cards) != 2 or (hand.split and not self.game["double_after_split"]):
            return False
        counted = low_total(hand.cards) if self.game["double_soft_low"] else total(hand.cards)
        if self.game["double"] == "9-11" and counted not in (9, 10, 11):
            return False
        caller = hand.who()[0]
        bet = hand.bets[caller][0]
        chips = {caller: bet if word.get("amount") is None else word["amount"], **word.get("with", {})}
        if caller in word.get("with", {}):
            return False
        return all(self._may_add(box, hand, name, c, exact=False) for name, c in chips.items())

    def _may_split(self, box: Box, hand: Hand, word: dict[str, Any]) -> bool:
        if len(hand.cards) != 2 or not self._room(box):
            return False
        first, second = hand.cards
        if first[0] != second[0] and (self.game["split"] == "rank" or points(first) != points(second)):
            return False
        if hand.aces and not self.game["resplit_aces"]:
            return False
        caller = hand.who()[0]
        if caller in word.get("with", {}):
            return False
        chips = {caller: hand.bets[caller][0], **word.get("with", {})}
        return all(self._may_add(box, hand, name, c, exact=True) for name, c in chips.items())

    def _may_add(self, box: Box, hand: Hand, name: str, chips: int, *, exact: bool) -> bool:
        """Whether ``name`` may put ``chips`` more on this hand."""
        if name not in hand.who():
            return False
        who = next(each for each in box.whos if each.name == name)
        bet = hand.bets[name][0]
        if exact or self.game["double_amount"] == "equal":
            fits = chips == bet
        else:
            fits = 0 < chips <= bet and chips % self.chip == 0
        return fits and who.can_add(chips)

    # -- what it does --

    def _do(self, box: Box, hand: Hand, word: dict[str, Any]) -> None:
        self.decisions.append(word)
        action = word["action"]
        who = hand.who()
        if action == "stand":
            hand.end = "stood"
        elif action == "hit":
            self._card_to(hand)
        elif action == "surrender":
            name = word.get("player") or who[0]
            hand.bets[name][2] = True
            bet = hand.bets[name][0]
            next(each for each in box.whos if each.name == name).back += self.in_chips(bet, "player")
            if not hand.who():
                hand.end = "surrendered"
        else:
            first = hand.bets[who[0]][0]
            amount = word.get("amount")
            chips = {who[0]: first if amount is None or action == "split" else amount}
            chips |= word.get("with", {})
            for each in box.whos:
                each.up += chips.get(each.name, 0)
            self._double(hand, chips) if action == "double" else self._split(box, hand, chips)

    def _double(self, hand: Hand, chips: dict[str, int]) -> None:
        for name, more in chips.items():
            hand.bets[name][1] = more
        self._card_to(hand)
        hand.end = hand.end or "stood"

    def _split(self, box: Box, hand: Hand, chips: dict[str, int]) -> None:
        away = hand.cards.pop()
        aces = away[0] == "A"
        bets = {who.name: [who.bet, 0, False] for who in box.whos if who.name in chips}
        right = Hand([away], bets, True, aces)
        hand.split, hand.aces = True, aces
        box.hands.insert(box.hands.index(hand) + 1, right)
        self._card_to(hand)
        if self.game["split_cards"] == "both":
            self._card_to(right)

    def _insurance_at_the_last(self, boxes: list[Box]) -> None:
        """Row 10: nobody took a third card, and the dealer is about to turn or draw one."""
        waits = any(hand.end in ("stood", "natural") for box in boxes for hand in box.hands)
        insured = any(who.insured for box in boxes for who in box.whos)
        for _ in range(3):
            if self.third or not (waits or insured or self.game["hole_card"]):
                return
            if self.game["insurance_closes"] == "third_card":
                self._try_some("dealer")
                self._late_insurance()

    def _dealer_plays(self, boxes: list[Box]) -> None:
        self._insurance_at_the_last(boxes)
        ends = {hand.end for box in boxes for hand in box.hands}
        insured = any(who.insured for box in boxes for who in box.whos) and not self.looked
        if not self.game["hole_card"] and (ends & {"stood", "natural"} or insured):
            self.dealer.append(self.take())
        if len(self.dealer) < 2 or is_21_in_two(self.dealer) or "stood" not in ends:
            self._card_too_many()
            return
        had_soft_17 = False
        while True:
            soft = total(self.dealer) != low_total(self.dealer)
            now = total(self.dealer)
            had_soft_17 = had_soft_17 or (soft and now == 17)
            on_soft_17 = soft and now == 17 and self.game["soft17"] in ("hit", "until_hard")
            until_hard = soft and had_soft_17 and self.game["soft17"] == "until_hard"
            if now >= 17 and not on_soft_17 and not until_hard:
                break
            self.dealer.append(self.take())
        self._card_too_many()

    def _card_too_many(self) -> None:
        if "dealer_extra" in self.sheet["knows"] and self.random.random() < 0.02:
            self.cards.append(self.shoe.pop())
            self.irregular.append({"kind": "dealer_extra", "card": len(self.cards)})

    # -- attempts that an engine must answer as ``may`` does --

    def _try_some(self, when: str) -> None:
        """Remember a few attempts: where, what, and whether it is allowed."""
        if self.watch is not None:
            self.watch()
        for _ in range(2):
            word = self._attempt()
            about_insurance = word["action"] in INSURING
            if about_insurance and all(each["action"] in INSURING for each in self.decisions):
                # Until somebody plays, a record does not say that the offer was closed.
                self.tries.append((len(self.decisions), word, self.may_insure(word)))
            elif when == "play" or (when == "dealer" and about_insurance):
                self.tries.append((len(self.decisions), word, self.may(word)))

    def _attempt(self) -> dict[str, Any]:
        random = self.random
        actions = ["stand", "hit", "double", "split", "surrender", "insurance", "even_money", "fold"]
        seats = [box.seat for box in self.boxes if box.dealt]
        seat = self.current[0].seat if self.current and random.random() < 0.8 else random.choice([*seats, 8])
        word: dict[str, Any] = {"seat": seat, "action": random.choice(actions)}
        if random.random() < 0.5:
            bet = random.choice(self.boxes).owner.bet
            amounts = [0, -self.chip, self.chip, bet // 2, bet, bet + self.chip, bet // 2 + 1]
            word["amount"] = random.choice(amounts)
        if self.is_shared:
            if random.random() < 0.3:
                word["player"] = random.choice(["anna", "ben", "carl", "zoe"])
            if word["action"] in ("double", "split") and random.random() < 0.5:
                names = random.sample(["anna", "ben", "carl", "zoe"], random.randint(1, 2))
                word["with"] = {name: random.choice([self.chip, self.boxes[0].owner.bet]) for name in names}
        return word
