"""What the table's page works out by itself until it is answered, held against the engine step by step."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.blackjack import deal as engine
from games.blackjack.rules import SHEETS, HouseRules
from ground.refused import Refused
from pages.dealer.games.blackjack_ahead import rules_deciding, taps_said
from tests.seed import run_seed

pytestmark = [pytest.mark.browser, pytest.mark.soak]

Json = dict[str, Any]
AHEAD = Path(__file__).parents[2] / "static" / "ahead.js"
HANDS = 150
OPTIONS: dict[str, list[Any]] = {
    "natural_paid": ["at_once", "at_end"],
    "insurance": ["half", "up_to_half"],
    "insurance_closes": ["look", "play", "third_card"],
    "even_money": [True, False],
    "even_money_returns_insurance": [True, False],
    "natural_may_insure": [True, False],
    "double": ["any", "9-11"],
    "double_soft_low": [True, False],
    "double_amount": ["equal", "up_to"],
    "double_after_split": [True, False],
    "split": ["value", "rank"],
    "max_hands": [2, 3, 4, None],
    "resplit_aces": [True, False],
    "split_aces": ["one_card", "play_on"],
    "split_cards": ["reached", "both"],
    "split_natural": [True, False],
    "surrender": ["none", "late", "not_against_ace"],
    "surrender_after_split": [True, False],
    "draw_on_21": [True, False],
    "soft17": ["hit", "stand", "until_hard"],
    "halves": [None, "player", "house"],
}
RANKS = ["A23456789TJQK", "A8T", "AATJ", "2345A"]
"""Cards of a hand are drawn from one of these: all, or such as give many splits, aces and naturals."""

LOOK = """hands => hands.map(({ start, taps }) => [...taps.keys(), taps.length].map(at => {
    const got = cutlineAhead.look(start, taps.slice(0, at));
    const hand = ({ cards, total, soft }) => [cards, total, soft];
    return got && {
        need: [got.kind, got.step, got.seat, got.hand, got.hole],
        legal: got.legal.map(a => [a.seat, a.action, a.min ?? null, a.max ?? null, a.step ?? null]),
        hands: got.boxes.map(b => [b.seat, b.put, b.put - b.back, b.hands.map(hand)]),
        dealer: [got.dealer, got.dealerTotal],
    };
}))"""


def seen(deal: engine.Deal) -> Json:
    """What the engine says of a hand, in the same shape."""
    need = deal.needs
    return {
        "need": [need.kind, need.step, need.seat, need.hand, need.hole],
        "legal": [
            [each.seat, each.action, each.min_chips, each.max_chips, each.step_chips]
            for each in engine.legal(deal)
        ],
        "hands": [
            [
                box.seat,
                box.put_up_chips,
                _out(deal, box),
                [[list(hand.cards), hand.total, hand.soft] for hand in box.hands],
            ]
            for box in deal.boxes
        ],
        "dealer": [list(deal.dealer), deal.dealer_total],
    }


def _out(deal: engine.Deal, box: engine.BoxView) -> int:
    """What of a stack is out; half of what was given up is the player's again."""
    given_up = [hand.bet_chips for hand in box.hands if hand.state == "surrendered"]
    return box.put_up_chips - sum(bet - deal.rules.surrender_loss(bet) for bet in given_up)


class Table:
    """Hands dealt at random under sheets and options at random, until they are over or refused."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def rules(self) -> HouseRules:
        """A sheet, two times in three with other options."""
        sheet, chance = self.chance.choice(list(SHEETS.values())), self.chance
        if chance.random() < 0.34:
            return sheet
        others = {name: chance.choice(OPTIONS[name]) for name in chance.sample(sorted(OPTIONS), 5)}
        return replace(sheet, **others)

    def hand(self) -> tuple[Json, list[Json | None]]:
        """What the page would be given, and what the engine says after none, one, two … of its taps."""
        rules, chance = self.rules(), self.chance
        seats = sorted(chance.sample(range(1, 8), chance.randint(1, 4)))
        bets = {
            seat: chance.randrange(rules.min_chips, rules.max_chips + 1, rules.step_chips) for seat in seats
        }
        stacks = {seat: bet * chance.choice([1, 2, 3, 9]) for seat, bet in bets.items()}
        ranks = chance.choice(RANKS)
        deal, ops = engine.deal_start(rules, bets, stacks), []
        said: list[Json | None] = [seen(deal)]
        while deal.needs.kind != "done":
            op = self.op(deal, ranks)
            try:
                deal = engine.apply(deal, engine.op_from_dict(op))
            except Refused as no:
                if no.code == "impossible_card":
                    continue
                ops.append(op)
                said.append(None)
                break
            ops.append(op)
            said.append(seen(deal))
        start = {"rules": rules_deciding(rules), "bets": bets, "stacks": stacks}
        return {"start": start, "taps": taps_said([op] for op in ops)}, said

    def op(self, deal: engine.Deal, ranks: str) -> Json:
        """Something that may come next."""
        chance, legal = self.chance, engine.legal(deal)
        if deal.needs.kind == "look":
            return {"op": "looked", "natural": chance.random() < 0.3}
        if deal.needs.kind == "card" and not (legal and chance.random() < 0.3):
            joker = deal.rules.joker and not deal.needs.hole and chance.random() < 0.03
            card = "JK" if joker else chance.choice(ranks) + chance.choice("shdc")
            return {"op": "hole" if deal.needs.hole else "card", "card": card}
        each = chance.choice(legal)
        if each.action == "close_insurance":
            return {"op": "insurance_closed"}
        op: Json = {"op": "decision", "seat": each.seat, "action": each.action}
        if each.action == "insurance" or (each.action == "double" and each.min_chips != each.max_chips):
            assert each.min_chips and each.max_chips and each.step_chips
            op["amount"] = chance.randrange(each.min_chips, each.max_chips + 1, each.step_chips)
        return op


def test_the_page_knows_what_comes_next_and_what_is_legal_as_the_engine_does(page: Any) -> None:
    table = Table(run_seed())
    dealt = [table.hand() for _ in range(HANDS)]
    page.goto("about:blank")
    page.add_script_tag(path=AHEAD)
    looked = page.evaluate(LOOK, [hand for hand, _said in dealt])
    assert sum(len(steps) for steps in looked) > 5 * HANDS
    for (hand, said), steps in zip(dealt, looked, strict=True):
        for at, (mine, engines) in enumerate(zip(steps, said, strict=True)):
            assert mine == engines, (hand["start"], hand["taps"][:at])


def test_a_hand_in_which_something_went_wrong_is_left_to_the_server() -> None:
    assert taps_said([[{"op": "card", "card": "8h"}], [{"op": "burned", "card": "9h"}]]) is None
    assert taps_said([[{"op": "decision", "seat": 1, "action": "hit"}, {"op": "card", "card": "8h"}]]) == [
        ["hit:1", "8h"]
    ]
