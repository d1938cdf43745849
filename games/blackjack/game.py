"""Blackjack for the tournament and the tables: the engine behind the protocol of all games."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.bets import Wrong
from games.blackjack import (
    bots,
    deal,
    event_rules,
    ops,
    posted,
    record,
    results,
    rules,
    shoe,
    shoe_left,
    summaries,
    words,
)
from games.blackjack.deal import Deal
from games.blackjack.irregular import RULED_KINDS
from games.blackjack.legal import Legal
from games.blackjack.limits import limits_wrong
from games.blackjack.options import option_catalogue
from games.blackjack.rules import HouseRules
from games.protocol import BetSight, ByBox, Game, HandSummary, Json, Option
from games.rule_text import Row, RuleText, Several
from ground.chance import Stream
from ground.refused import Refused


class Blackjack:
    """The methods are described in ``games.protocol.Game``."""

    name = HouseRules.game
    sheets: Mapping[str, HouseRules] = rules.SHEETS
    burned_cards = shoe.BURNED_CARDS
    cards_a_box = 2.7
    actions: Mapping[str, str] = words.ACTIONS
    ruled_ops: Collection[str] = RULED_KINDS
    rows: Sequence[Row] = words.ROWS

    # Rules and options

    def rules_make(
        self, sheet: object, *, decks: object = None, limits: object = None, options: object = None
    ) -> HouseRules:
        """Return a sheet with an event's decks, limits and options."""
        return event_rules.rules_make(sheet, decks=decks, limits=limits, options=options)

    def rules_limited(self, of: HouseRules, limits: Mapping[str, int]) -> HouseRules:
        """Return the rules with other bet limits."""
        return replace(
            of,
            min_chips=limits["min"],
            max_chips=limits["max"],
            step_chips=limits["step"],
            chip_chips=limits["chip"],
        )

    def rules_frozen(self, snapshot: Mapping[str, Any]) -> HouseRules | None:
        """Return frozen rules; None for the first snapshots, which had no rules of the hand."""
        return HouseRules.from_dict(snapshot) if "looks_under" in snapshot else None

    def rules_record(self, of: HouseRules) -> Json:
        """Return the fields of a record for the rules."""
        return event_rules.rules_record(of)

    def rules_of(self, fields: Mapping[str, Any]) -> HouseRules:
        """Return the rules in the fields of a record."""
        return record.rules_of(fields)

    def options(self, sheet: HouseRules) -> Sequence[Option]:
        """Return the options of a sheet."""
        return option_catalogue(sheet)

    def options_differing(self, sheet: HouseRules, picked: Mapping[str, object]) -> dict[str, object]:
        """Return the options in ``picked`` that differ from the sheet."""
        return event_rules.options_differing(sheet, picked)

    def limits_wrong(self, limits: Mapping[str, int], of: HouseRules | None, most_chips: int) -> list[Wrong]:
        """Halves must be whole chips unless they stay on the line or are rounded (row 23, A7)."""
        return limits_wrong(limits, odd_halves=of is not None and of.odd_halves, most_chips=most_chips)

    # Words

    def posted(self, of: HouseRules) -> Sequence[RuleText]:
        """Return every rule of the hand."""
        return posted.posted(of)

    def decks_and_bets(self, of: HouseRules) -> Sequence[RuleText]:
        """Return rows 1 and 2."""
        return posted.decks_and_bets(of)

    def shoe_rule(self, of: HouseRules) -> RuleText:
        """Return the rule: about one deck lies behind the cut card, one card is burned."""
        return words.SHOE

    def glance(self, of: HouseRules) -> RuleText | Several:
        """Return the distinctive rules of a sheet."""
        return posted.glance(of)

    def silent(self, sheet: str) -> Mapping[int, str]:
        """Return the rows on which the sheet is silent."""
        return rules.SILENT[sheet]

    # A hand card by card

    def hand_start(
        self, of: HouseRules, bets: ByBox, stacks: ByBox, *, line_chips: ByBox | None = None
    ) -> Deal:
        """Return a hand with the bets down."""
        return deal.deal_start(of, bets, stacks, line_chips=line_chips)

    def hand_replay(
        self,
        of: HouseRules,
        bets: ByBox,
        stacks: ByBox,
        operations: Iterable[Json],
        *,
        line_chips: ByBox | None = None,
    ) -> Deal:
        """Return the hand after these operations."""
        done = [ops.op_from_dict(each) for each in operations]
        return deal.deal_replay(of, bets, stacks, done, line_chips=line_chips)

    def legal(self, hand: Deal) -> Sequence[Legal]:
        """Return the legal decisions."""
        return deal.legal(hand)

    def op_checked(self, op: Mapping[str, Any]) -> Json:
        """Return an operation in the form that is stored."""
        return ops.op_to_dict(ops.op_from_dict(op))

    def op_meant(self, hand: Deal, op: Json) -> Sequence[Json]:
        """A card for a box that may hit is the hit; the card that is turned is the hole card."""
        if op["op"] in ("card", "hole") and hand.needs.kind == "card":
            return [{**op, "op": "hole" if hand.needs.hole else "card"}]
        if op["op"] == "hole" and hand.needs.kind == "decision":
            op = {**op, "op": "card"}
        hits = hand.needs.kind == "decision" and op["op"] == "card"
        hit = [each for each in self.legal(hand) if each.action == "hit"] if hits else []
        return [*({"op": "decision", "seat": each.seat, "action": "hit"} for each in hit), op]

    def op_words(self, op: Mapping[str, Any]) -> str:
        """Return a sentence for an operation."""
        return ops.op_words(ops.op_from_dict(op))

    def hand_record(self, hand: Deal) -> Json:
        """Return the record of a finished hand."""
        return deal.deal_record(hand)

    # Settling

    def settle(self, of: object) -> Json:
        """Return the answer to a record."""
        return record.settle(of)

    def settle_put_up(self, of: object) -> tuple[Json, Mapping[str, int]]:
        """Return the answer to a record, and the chips put up on each box."""
        return record.settle_put_up(of)

    def answer(self, of: object) -> Json:
        """Return the answer to any JSON value."""
        return record.answer(of)

    def results_settle(
        self,
        of: HouseRules,
        bets: ByBox,
        stacks: ByBox | None,
        outcomes: Mapping[int, Mapping[str, Any]],
        *,
        line_chips: ByBox | None = None,
    ) -> Json:
        """Return the answer to results."""
        return results.results_settle(of, bets, stacks, outcomes, line_chips=line_chips)

    def net_bounds(self, of: HouseRules, bet_chips: int, stack_chips: int | None = None) -> tuple[int, int]:
        """Return the least and the most that a box can win."""
        return results.net_bounds(of, bet_chips, stack_chips)

    # Records, read

    def hand_summaries(
        self, bet_chips: int, box: str, answer: Mapping[str, Any], outcome: Mapping[str, Any] | None
    ) -> Sequence[HandSummary]:
        """Return the hands of a box."""
        return tuple(summaries.hand_summaries(bet_chips, box, answer, outcome))

    def outcomes_of(
        self, bets: Mapping[str, int], of: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> dict[str, Json]:
        """Return the results of a hand that was recorded by cards."""
        return summaries.outcomes_of(bets, of, answer)

    # The shoe

    def cards_check(self, of: HouseRules, out: Mapping[str, int], cards: Sequence[str], decks: int) -> None:
        """Refuse a card that the shoe does not hold so often."""
        shoe_left.cards_check(out, cards, decks, joker=of.joker)

    def why_not_over(self, of: HouseRules, out: int, boxes: Collection[int], decks: int) -> Refused | None:
        """Return why the cut card cannot be out yet."""
        return shoe_left.why_not_over(out, boxes, decks, joker=of.joker)

    def hands_most(self, of: HouseRules, out: int, hands: int, decks: int) -> int:
        """Return an upper bound of the hands left in a shoe."""
        return shoe_left.hands_most(out, hands, decks, joker=of.joker)

    def shoe_make(self, of: HouseRules, seed: bytes, decks: int) -> shoe.Shoe:
        """Return a shuffled shoe."""
        return shoe.shoe_make(seed, decks, joker=of.joker)

    # Bots

    def player_make(self, stream: Stream) -> bots.Player:
        """Return a simulated player."""
        return bots.player_make(stream)

    def bet(self, of: HouseRules, player: bots.Player, sight: BetSight, stream: Stream) -> int:
        """Return the bet of a simulated player."""
        return bots.bet_policy(player.policy)(of, sight, stream)

    def play_out(
        self,
        of: HouseRules,
        bets: ByBox,
        stacks: ByBox,
        cards: shoe.Shoe,
        players: Mapping[int, bots.Player],
        *,
        dealt: int,
    ) -> Json:
        """Play basic strategy for all boxes; each player decides about insurance."""
        deciders = {box: bots.decider_of(of, player.insures) for box, player in players.items()}
        return bots.play_out(of, bets, stacks, cards, deciders, dealt=dealt)


BLACKJACK: Game[HouseRules, Deal] = Blackjack()
