"""Colour: every box bets and calls red or black, then one card is turned for all of them.

A hit pays 1:1. Sheet `rouge` is played with one or six decks; what an ace does is the director's to choose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from typing import Any, ClassVar, NamedTuple

from games.bets import LIMIT_WORDS, Wrong
from games.protocol import BetSight, BoxShown, ByBox, Choice, HandShown, HandSummary, Json, Option, PlainGame
from games.rule_text import Row, RuleText
from ground.chance import Stream, shuffle
from ground.refused import Refused

DECK = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")
COLOURS = {"red": "hd", "black": "sc"}
ACES = {
    "plays": "An ace is red or black like any other card.",
    "push": "On an ace every bet comes back.",
}


SIGNS = {"win": 1, "push": 0, "lose": -1}
TURNED = "One card is turned for all. Who has called its colour is paid 1:1."
SHOE_SAID = "A round lasts one shoe at each table, less a quarter of a deck; two are burned."
WANTED = {"decision": "Red or black?", "card": "Turn the card", "done": "The card is turned"}
"""What the game says of itself, for the tests of the pages that say it again."""


@dataclass(frozen=True, slots=True)
class ColourRules:
    """The rules of colour at one table."""

    game: ClassVar[str] = "colour"
    name: str = "rouge"
    decks: int = 1
    decks_allowed: tuple[int, ...] = (1, 6)
    min_chips: int = 50
    max_chips: int = 500
    step_chips: int = 50
    chip_chips: int = 50
    ace: str = "plays"
    line_chip: ClassVar[bool] = False

    @property
    def limits(self) -> dict[str, int]:
        """The bet limits in the words of the hand record."""
        return {word: getattr(self, f"{word}_chips") for word in LIMIT_WORDS}

    def to_dict(self) -> Json:
        """For an event to snapshot."""
        return {"game": self.game, **asdict(self), "decks_allowed": list(self.decks_allowed)}


SHEETS = {"rouge": ColourRules()}


class Need(NamedTuple):
    kind: str
    seat: int | None = None
    behind: int = 0


class Call(NamedTuple):
    seat: int
    action: str
    min_chips: None = None
    max_chips: None = None
    step_chips: None = None


@dataclass(frozen=True)
class Hand:
    rules: ColourRules
    bets: ByBox
    stacks: ByBox
    called: Mapping[int, str] = field(default_factory=dict)
    cards: tuple[str, ...] = ()

    @property
    def needs(self) -> Need:
        """First the calls, the lowest box first, then the card."""
        if waits := sorted(set(self.bets) - set(self.called)):
            return Need("decision", waits[0])
        return Need("done" if self.cards else "card")

    def after(self, op: Mapping[str, Any]) -> Hand:
        """The hand after one thing more."""
        if self.needs.kind != op["op"]:
            raise Refused("not_now", f"A {self.needs.kind} is needed first, not a {op['op']}.")
        if op["op"] == "card":
            return replace(self, cards=(op["card"],))
        if op["seat"] != self.needs.seat:
            raise Refused("not_now", f"Box {self.needs.seat} calls first.")
        return replace(self, called={**self.called, op["seat"]: op["action"]})


class Cards:
    def __init__(self, seed: bytes, decks: int) -> None:
        self.cards = tuple(shuffle([*DECK * decks], Stream(seed)))
        self.cut = len(self.cards) - 13

    def cut_is_out(self, dealt: int) -> bool:
        """Whether the cut card has come."""
        return dealt >= self.cut


def net(rules: ColourRules, bet_chips: int, colour: str, card: str) -> int:
    """What a bet comes to."""
    if card[0] == "A" and rules.ace == "push":
        return 0
    return bet_chips if card[1] in COLOURS[colour] else -bet_chips


def bets_check(rules: ColourRules, bets: Mapping[Any, Any], stacks: Mapping[Any, Any] | None) -> None:
    """T12, A6."""
    if not bets:
        raise Refused("no_bets", "Nobody has bet.")
    for box, chips in bets.items():
        for code, wrong in (
            ("bet_below_minimum", chips < rules.min_chips),
            ("bet_above_maximum", chips > rules.max_chips),
            ("bet_not_in_increment", chips % rules.step_chips),
            ("not_enough_chips", stacks is not None and chips > stacks[box]),
        ):
            if wrong:
                raise Refused(code, f"Box {box} cannot bet {chips}.")


class Colour:
    """``games.protocol.Game``, in as few lines as it takes."""

    name = "colour"
    sheets: Mapping[str, ColourRules] = SHEETS
    burned_cards = 2
    cards_a_box = 0.2
    actions: Mapping[str, str] = {"red": "Red", "black": "Black"}
    ruled_ops: Sequence[str] = ()
    rows: Sequence[Row] = (Row(1, "Decks"), Row(2, "Bets"), Row(3, "The card"), Row(4, "Aces"))

    def rules_make(
        self, sheet: object, *, decks: object = None, limits: object = None, options: object = None
    ) -> ColourRules:
        rules = SHEETS.get(str(sheet))
        if rules is None:
            raise Refused("unknown_rules", f"Colour has no sheet {sheet!r}.")
        changes: dict[str, Any] = {} if decks is None else {"decks": decks}
        if isinstance(limits, dict):
            changes |= {f"{word}_chips": chips for word, chips in limits.items()}
        for option, value in (options if isinstance(options, dict) else {}).items():
            if option != "ace" or value not in ACES:
                raise Refused("bad_options", f"Option {option} cannot be {value!r} in colour.")
            changes["ace"] = value
        return replace(rules, **changes)

    def rules_limited(self, of: ColourRules, limits: Mapping[str, int]) -> ColourRules:
        return replace(of, **{f"{word}_chips": chips for word, chips in limits.items()})

    def rules_frozen(self, snapshot: Mapping[str, Any]) -> ColourRules | None:
        fields = {name: value for name, value in snapshot.items() if name != "game"}
        return ColourRules(**{**fields, "decks_allowed": tuple(fields["decks_allowed"])})

    def rules_record(self, rules: ColourRules) -> Json:
        found: Json = {"rules": rules.name, "decks": rules.decks, "limits": rules.limits}
        return {**found, **({"options": {"ace": rules.ace}} if rules.ace != "plays" else {})}

    def rules_of(self, record: Mapping[str, Any]) -> ColourRules:
        otherwise = {name: record.get(name) for name in ("decks", "limits", "options")}
        return self.rules_make(record.get("rules"), **otherwise)

    def options(self, sheet: ColourRules) -> Sequence[Option]:
        return [Option("ace", 4, tuple(ACES), sheet.ace, "What does an ace do?", tuple(ACES.values()))]

    def options_differing(self, sheet: ColourRules, chosen: Mapping[str, object]) -> dict[str, object]:
        return {name: value for name, value in chosen.items() if value != getattr(sheet, name)}

    def limits_wrong(self, limits: Mapping[str, int], of: ColourRules | None, most_chips: int) -> list[Wrong]:
        wrong = [word for word in LIMIT_WORDS if not 1 <= limits[word] <= most_chips]
        found = [(word, "out_of_range", f"{LIMIT_WORDS[word]} is out of range.") for word in wrong]
        if not wrong and limits["step"] % limits["chip"]:
            found.append(("step", "not_whole_chips", f"{LIMIT_WORDS['step']} must be whole chips."))
        return found

    def posted(self, rules: ColourRules) -> Sequence[RuleText]:
        return [RuleText("row 3", TURNED), RuleText("row 4", ACES[rules.ace])]

    def decks_and_bets(self, rules: ColourRules) -> Sequence[RuleText]:
        return [RuleText("row 1", "%(n)s decks are used.", {"n": rules.decks})]

    def shoe_rule(self, rules: ColourRules) -> RuleText:
        return RuleText("T11", SHOE_SAID)

    def glance(self, rules: ColourRules) -> RuleText:
        return RuleText("row 3", "one card for all")

    def silent(self, sheet: str) -> Mapping[int, str]:
        return {4: "D"}

    def shown(self, hand: Hand) -> HandShown:
        nets = self.settle(self.hand_record(hand))["net"] if hand.cards else {}
        boxes = {
            box: BoxShown(word=self.actions.get(hand.called.get(box, ""), ""), net_chips=nets.get(str(box)))
            for box in hand.bets
        }
        return HandShown(WANTED[hand.needs.kind], boxes, hand.cards)

    def choices(self, rules: ColourRules) -> Sequence[Choice]:
        came = {"win": "wins", "lose": "loses", **({"push": "ace"} if rules.ace == "push" else {})}
        return [
            Choice(f"{colour}_{result}", f"{word} {said}", "", {"called": colour, "result": result})
            for colour, word in self.actions.items()
            for result, said in came.items()
        ]

    def hand_start(
        self, rules: ColourRules, bets: ByBox, stacks: ByBox, *, line_chips: ByBox | None = None
    ) -> Hand:
        bets_check(rules, bets, stacks)
        return Hand(rules, bets, stacks)

    def hand_replay(
        self,
        rules: ColourRules,
        bets: ByBox,
        stacks: ByBox,
        ops: Iterable[Json],
        *,
        line_chips: ByBox | None = None,
    ) -> Hand:
        return reduce(Hand.after, ops, self.hand_start(rules, bets, stacks))

    def legal(self, hand: Hand) -> Sequence[Call]:
        seat = hand.needs.seat
        return [Call(seat, colour) for colour in COLOURS] if seat is not None else []

    def op_checked(self, op: Mapping[str, Any]) -> Json:
        match dict(op):
            case {"op": "card", "card": str(card)} if card in DECK:
                return {"op": "card", "card": card}
            case {"op": "decision", "seat": int(seat), "action": str(action)} if action in COLOURS:
                return {"op": "decision", "seat": seat, "action": action}
        raise Refused("bad_operation", "This does not happen in colour.")

    def op_meant(self, hand: Hand, op: Json) -> Sequence[Json]:
        return [op]

    def op_words(self, op: Mapping[str, Any]) -> str:
        return f"card {op['card']}" if op["op"] == "card" else f"box {op['seat']}: {op['action']}"

    def hand_record(self, hand: Hand) -> Json:
        if hand.needs.kind != "done":
            raise Refused("deal_not_done", "This hand is not over; finish it or void it.")
        return {
            **self.rules_record(hand.rules),
            "bets": {str(box): chips for box, chips in hand.bets.items()},
            "stacks": {str(box): chips for box, chips in hand.stacks.items()},
            "cards": list(hand.cards),
            "decisions": [{"seat": box, "action": colour} for box, colour in hand.called.items()],
        }

    def settle(self, record: object) -> Json:
        if not isinstance(record, dict):
            raise Refused("bad_record", "A record is an object.")
        rules, bets = self.rules_of(record), record["bets"]
        bets_check(rules, bets, record.get("stacks"))
        called = {str(each["seat"]): each["action"] for each in record.get("decisions", ())}
        if set(called) != set(bets) or len(record.get("cards", ())) != 1:
            raise Refused("bad_record", "A hand of colour is a call for each bet, and one card.")
        if not set(called.values()) <= set(COLOURS):
            raise Refused("unknown_action", "A call is red or black.")
        (card,) = record["cards"]
        nets = {box: net(rules, chips, called[box], card) for box, chips in bets.items()}
        return {"net": nets, "called": called, "dealer": [card], "id": record.get("id")}

    def settle_put_up(self, record: object) -> tuple[Json, Mapping[str, int]]:
        return self.settle(record), record["bets"] if isinstance(record, dict) else {}

    def answer(self, record: object) -> Json:
        try:
            return self.settle(record)
        except Refused as no:
            return {"id": None, "error": no.code, "message": no.message}

    def results_settle(
        self,
        rules: ColourRules,
        bets: ByBox,
        stacks: ByBox | None,
        outcomes: Mapping[int, Mapping[str, Any]],
        *,
        line_chips: ByBox | None = None,
    ) -> Json:
        bets_check(rules, bets, stacks)
        if set(outcomes) != set(bets):
            raise Refused("results_missing", "Say of every box that bet what came of it.")
        # The colour of the card, as each box has it: all of them saw the same one.
        seen = {_turned(each) for each in outcomes.values()}
        if len(seen) > 1 or (None in seen and rules.ace != "push"):
            raise Refused("result_impossible", "One card is turned: it cannot be of two colours.")
        nets = {str(box): bets[box] * SIGNS[outcomes[box]["result"]] for box in bets}
        return {"net": nets, "called": {str(box): each["called"] for box, each in outcomes.items()}}

    def net_bounds(
        self, rules: ColourRules, bet_chips: int, stack_chips: int | None = None
    ) -> tuple[int, int]:
        return -bet_chips, bet_chips

    def hand_summaries(
        self, bet_chips: int, box: str, answer: Mapping[str, Any], outcome: Mapping[str, Any] | None
    ) -> Sequence[HandSummary]:
        if not answer:
            return ()
        return (HandSummary((), answer["called"][box], answer["net"][box]),)

    def outcomes_of(
        self, bets: Mapping[str, int], record: Mapping[str, Any], answer: Mapping[str, Any]
    ) -> dict[str, Json]:
        words = {
            box: "win" if chips > 0 else "lose" if chips else "push" for box, chips in answer["net"].items()
        }
        return {box: called(colour, words[box]) for box, colour in answer["called"].items()}

    def cards_check(
        self, rules: ColourRules, out: Mapping[str, int], cards: Sequence[str], decks: int
    ) -> None:
        for card, now in Counter(cards).items():
            if out.get(card, 0) + now > decks:
                raise Refused("card_used_up", f"{card} has left this shoe {decks} times already.")

    def why_not_over(
        self, rules: ColourRules, out: int, boxes: Collection[int], decks: int
    ) -> Refused | None:
        if out + len(boxes) >= len(DECK) * decks // 2:
            return None
        return Refused("cut_card_not_out", "The cut card is not out yet. To end it, give the reason.")

    def hands_most(self, rules: ColourRules, out: int, hands: int, decks: int) -> int:
        return len(DECK) * decks - max(out, hands + self.burned_cards)

    def shoe_make(self, rules: ColourRules, seed: bytes, decks: int) -> Cards:
        return Cards(seed, decks)

    def player_make(self, stream: Stream) -> str:
        return tuple(COLOURS)[stream.below(2)]

    def bet(self, rules: ColourRules, player: str, sight: BetSight, stream: Stream) -> int:
        if sight.stack_chips < rules.min_chips:
            return 0
        most = min(rules.max_chips, sight.stack_chips) // rules.step_chips
        return rules.step_chips * (1 + stream.below(most))

    def play_out(
        self,
        rules: ColourRules,
        bets: ByBox,
        stacks: ByBox,
        cards: Cards,
        players: Mapping[int, str],
        *,
        dealt: int,
    ) -> Json:
        hand = Hand(rules, bets, stacks, dict(players), (cards.cards[dealt],))
        return self.hand_record(hand)


def called(colour: str, result: str) -> Json:
    """The result of a box."""
    return {"called": colour, "result": result}


def _turned(outcome: Mapping[str, Any]) -> str | None:
    """The colour of the card as an outcome has it; None for a push."""
    other = {"red": "black", "black": "red"}
    colour = str(outcome.get("called"))
    if colour not in other or outcome.get("result") not in SIGNS:
        raise Refused("bad_result", "A result says the colour called, and win, lose or push.")
    return {"win": colour, "lose": other[colour], "push": None}[outcome["result"]]


COLOUR: PlainGame[ColourRules, Hand] = Colour()
