"""The second opinion on a round that was played: its record, and what each bet comes to."""

from __future__ import annotations

from typing import Any

from tests.games.blackjack.second_sheets import Box, Hand, Who, is_21_in_two, low_total, total


class Played:
    """A round when it is over; ``second_opinion.Round`` plays it."""

    @property
    def is_shared(self) -> bool:
        return any(len(box.whos) > 1 for box in self.boxes)

    def record(self) -> dict[str, Any]:
        """The hand record of the round."""
        record: dict[str, Any] = {
            "rules": self.name,
            "decks": self.decks,
            "bets": {str(box.seat): box.owner.bet for box in self.boxes},
            "cards": self.cards,
            "decisions": self.decisions,
        }
        for field, found in (
            ("options", self.options),
            ("limits", self._limits_said()),
            ("stacks", {str(b.seat): b.owner.stack for b in self.boxes if b.owner.stack is not None}),
            ("side_bets", {str(b.seat): b.owner.side for b in self.boxes if b.owner.side}),
            ("line_chips", {str(b.seat): b.owner.line for b in self.boxes if b.owner.line}),
            ("players", {str(b.seat): self._listed(b) for b in self.boxes if len(b.whos) > 1}),
            ("irregularities", self.irregular),
        ):
            if found:
                record[field] = found
        return record

    def _limits_said(self) -> dict[str, int]:
        """The limits as a record writes them, where they are not the sheet's."""
        if self.limits == self.sheet["limits"]:
            return {}
        return dict(zip(("min", "max", "step", "chip"), self.limits, strict=True))

    def _listed(self, box: Box) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = [{"name": box.owner.name, "bet": box.owner.bet}]
        for who in box.whos[1:]:
            each: dict[str, Any] = {"name": who.name, "bet": who.bet}
            each |= {"stack": who.stack} if who.stack is not None else {}
            each |= {"side_bets": who.side} if who.side else {}
            each |= {"line_chip": who.line} if who.line else {}
            listed.append(each)
        return listed

    def in_chips(self, twice: int, unless_chosen: str) -> int:
        """Half of ``twice`` in whole chips of the table; the event may say for whom the rest counts."""
        whole = 0
        while 2 * (whole + self.chip) <= twice:
            whole += self.chip
        rest = twice - 2 * whole
        return whole + (self.chip if rest and (self.game["halves"] or unless_chosen) == "player" else 0)

    def bet_net(self, box: Box, hand: Hand, who: Who) -> int:
        """What ``who`` wins or loses with the bet on ``hand``."""
        if who.name not in hand.bets:
            return 0
        bet, double, surrendered = hand.bets[who.name]
        dealer_natural = is_21_in_two(self.dealer)
        if surrendered:
            return self.in_chips(bet, "player") - int(bet)
        if low_total(hand.cards) > 21:
            return -(bet + double)
        if who.even:
            return int(bet)
        if hand.natural:
            return 0 if dealer_natural else self.in_chips(3 * bet, "house")
        if dealer_natural and self.game["late_natural"] == "original":
            return -bet if hand is box.hands[0] else 0
        theirs = 99 if dealer_natural else total(self.dealer)
        theirs = 0 if 21 < theirs < 99 else theirs
        ours = total(hand.cards)
        return int((ours > theirs) - (ours < theirs)) * (bet + double)

    def answer(self) -> dict[str, Any]:
        """What everybody won or lost, in the words of the hand record."""
        answer: dict[str, Any] = {"net": {}, "hands": {}, "dealer": self.dealer}
        for box in self.boxes:
            seat = str(box.seat)
            mine = self._settled(box, box.owner)
            answer["net"][seat] = mine["net"]
            answer["hands"][seat] = [
                {"cards": hand.cards, "net": self.bet_net(box, hand, box.owner)} for hand in box.hands
            ]
            for field in ("insurance", "side_bets", "line_chip"):
                if field in mine:
                    answer.setdefault(field, {})[seat] = mine[field]
            if len(box.whos) > 1:
                listed = [{"name": box.owner.name, "net": mine["net"]}]
                answer.setdefault("players", {})[seat] = listed
                listed += [{"name": who.name, **self._settled(box, who)} for who in box.whos[1:]]
        return answer

    def _settled(self, box: Box, who: Who) -> dict[str, int]:
        if not box.dealt:
            return {"net": 0} | ({"line_chip": who.line} if who.line else {})
        hands = sum(self.bet_net(box, hand, who) for hand in box.hands)
        found = {"net": hands}
        if who.insured:
            found["insurance"] = 2 * who.insured if is_21_in_two(self.dealer) else -who.insured
        if who.side:
            found["side_bets"] = sum(self._side_net(box, kind, chips) for kind, chips in who.side.items())
        found["net"] += found.get("insurance", 0) + found.get("side_bets", 0)
        if self.game["line_chip"]:
            line = self._line(box, who, hands)
            found["net"] += line[0]
            found |= {"line_chip": line[1]} if line[1] else {}
        return found

    def _side_net(self, box: Box, kind: str, chips: int) -> int:
        if kind == "twins":
            won = box.first[0][0] == box.first[1][0]
            return chips * (200 if box.joker else 11) if won else -chips
        own = sum(self.bet_net(box, hand, box.owner) for hand in box.hands)
        won = box.first[0][0] == self.dealer[0][0] and own >= 0
        return chips * (400 if box.joker else 22) if won else -chips

    def _line(self, box: Box, who: Who, hands: int) -> tuple[int, int]:
        """Chips from the line to the player, and what lies on it now."""
        odd = 0
        natural = box.hands[0].natural and not who.even and not is_21_in_two(self.dealer)
        if natural and 3 * who.bet % (2 * self.chip):
            odd = self.chip
        fate = "player" if hands > 0 else "house" if hands < 0 else self.game["line_chip_push"]
        return (who.line if fate == "player" else 0), odd + (who.line if fate == "stays" else 0)
