"""What holds over any legal play: chips are conserved, replay is equality, verify and can agree."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.blackjack.cards import DECK
from games.blackjack.chosen import OPTION_NAMES, rules_make
from games.blackjack.deal import (
    CardDrawn,
    Deal,
    Decision,
    HoleCard,
    InsuranceClosed,
    Legal,
    LookedUnder,
    Op,
    apply,
    deal_record,
    deal_replay,
    deal_start,
    legal,
    op_from_dict,
    op_to_dict,
)
from games.blackjack.options import option_values
from games.blackjack.record import answer, settle
from games.blackjack.results import net_bounds, results_settle
from games.blackjack.rules import SHEETS, HouseRules
from ground.refused import Refused
from tests.games.blackjack.deals import played_live
from tests.games.blackjack.opinions import CODES

SEEDS = st.integers(0, 2**32 - 1)
ACTIONS = ("stand", "hit", "double", "split", "surrender", "insurance", "even_money", "fold")
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def random_options(sheet: HouseRules, random: Random) -> dict[str, object]:
    """Some options of ``sheet``, such as go together."""
    offered = [name for name in OPTION_NAMES if option_values(sheet, name)]
    while True:
        chosen = random.sample(offered, random.randint(0, 6))
        options = {name: random.choice(option_values(sheet, name)) for name in chosen}
        try:
            rules_make(sheet.name, options=options)
        except Refused:
            continue
        return options


class Table:
    """A random sheet with random options, bets and stacks, and a shoe that likes to make pairs and aces."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        sheet = SHEETS[random.choice(list(SHEETS))]
        decks = random.choice(sheet.decks_allowed)
        self.rules = rules_make(sheet.name, decks=decks, options=random_options(sheet, random))
        seats = random.sample(range(1, 8), random.randint(1, 4))
        most = self.rules.max_chips // self.rules.step_chips
        least = self.rules.min_chips // self.rules.step_chips
        self.bets = {
            seat: random.randint(least, min(most, least + 9)) * self.rules.step_chips for seat in seats
        }
        odd = random.choice([0, self.rules.chip_chips])
        self.stacks = random.choice(
            [None, {s: b * random.choice([1, 2, 3, 9]) + odd for s, b in self.bets.items()}]
        )
        self.more: dict[str, Any] = {}
        if self.rules.line_chip:
            self.more["line_chips"] = {seats[0]: self.rules.chip_chips}
        if self.rules.side_bets and self.stacks is None:
            self.more["side_bets"] = {seats[0]: {"twins": 10, "crazy_twins": 20}}
        ranks = random.choice(["A23456789TJQK", "A23456789TJQK", "A8T9", "AAK5"])
        self.cards = [card for card in DECK * self.rules.decks if card[0] in ranks]
        random.shuffle(self.cards)
        self.hole = ""

    def start(self) -> Deal:
        return deal_start(self.rules, self.bets, self.stacks, **self.more)

    def given(self, deal: Deal) -> Op:
        """The card or the look that the deal needs."""
        if deal.needs.kind == "look":
            self.hole = self.cards.pop()
            return LookedUnder(points([deal.dealer[0], self.hole]) == 21)
        if not deal.needs.hole:
            return CardDrawn(self.cards.pop())
        if not self.hole:
            self.hole = self.cards.pop()
        return HoleCard(self.hole)

    def chosen(self, offers: list[Legal]) -> Op:
        return op_of(self.random.choice(offers), self.random)

    def play(self) -> Deal:
        deal = self.start()
        while deal.needs.kind != "done":
            deal = apply(
                deal, self.chosen(legal(deal)) if deal.needs.kind == "decision" else self.given(deal)
            )
        return deal


def op_of(offer: Legal, random: Random) -> Op:
    """The offer as an operation, with any amount that it allows."""
    if offer.seat is None:
        return InsuranceClosed()
    if offer.min_chips is None or offer.action == "split":
        return Decision(offer.seat, offer.action)
    assert offer.max_chips is not None
    assert offer.step_chips is not None
    steps = (offer.max_chips - offer.min_chips) // offer.step_chips
    return Decision(offer.seat, offer.action, offer.min_chips + random.randint(0, steps) * offer.step_chips)


# -- conservation ------------------------------------------------------------------------------------


def points(cards: tuple[str, ...] | list[str]) -> int:
    """The best total, worked out apart from the engine."""
    values = [11 if c[0] == "A" else 10 if c[0] in "TJQK" else int(c[0]) for c in cards]
    aces = sum(value == 11 for value in values)
    while sum(values) > 21 and aces:
        values[values.index(11)] = 1
        aces -= 1
    return sum(values)


def house_takes(deal: Deal) -> int:
    """What the house wins from hands and insurance, worked out apart from the engine."""
    rules = deal.rules
    natural = len(deal.dealer) == 2 and points(deal.dealer) == 21
    dealer = points(deal.dealer)
    taken = 0
    for box in deal.boxes:
        for at, hand in enumerate(box.hands):
            staked = hand.bet_chips + hand.double_chips
            if natural and rules.late_natural == "original" and hand.state == "stood":
                taken += hand.bet_chips if at == 0 else 0
            else:
                taken += house_takes_hand(rules, hand, staked, natural, dealer)
        if box.insurance_chips:
            taken += -2 * box.insurance_chips if natural else box.insurance_chips
    return taken


def house_takes_hand(rules: HouseRules, hand: Any, staked: int, natural: bool, dealer: int) -> int:
    if hand.state == "surrendered":
        return staked // 2 // rules.chip_chips * rules.chip_chips
    if hand.state == "even_money":
        return -staked
    if hand.state in ("natural", "paid"):
        whole = staked * 3 // 2
        whole -= whole % rules.chip_chips if rules.line_chip else 0
        return 0 if natural else -whole
    total = points(hand.cards)
    if total > 21:
        return staked
    if natural or total < dealer <= 21:
        return staked
    return 0 if total == dealer else -staked


@slow
@given(SEEDS)
def test_A4_what_the_boxes_win_the_house_loses(seed: int) -> None:
    deal = Table(seed).play()
    assert deal.answer is not None
    boxes = sum(net for box in deal.answer["hands"].values() for net in (hand["net"] for hand in box))
    assert boxes + sum(deal.answer.get("insurance", {}).values()) + house_takes(deal) == 0
    for box in deal.boxes:
        assert box.net_chips == deal.answer["net"][str(box.seat)]


@slow
@given(SEEDS)
def test_A6_nobody_puts_up_or_loses_more_than_the_stack(seed: int) -> None:
    deal = Table(seed).play()
    for box in deal.boxes:
        assert box.net_chips is not None
        if box.stack_chips is not None:
            back = sum(
                box.bet_chips - deal.rules.surrender_loss(box.bet_chips)
                for hand in box.hands
                if hand.state == "surrendered"
            )
            assert box.put_up_chips - back <= box.stack_chips
            least, most = net_bounds(deal.rules, box.bet_chips, box.stack_chips)
            assert least <= box.net_chips <= most


# -- replay ------------------------------------------------------------------------------------------


@slow
@given(SEEDS)
def test_a_live_deal_and_its_record_settle_alike(seed: int) -> None:
    deal = Table(seed).play()
    written = json.loads(json.dumps(deal_record(deal)))
    settled = settle(written)
    assert settled.pop("id") is None
    assert settled == deal.answer
    assert played_live(written).answer == deal.answer


@slow
@given(SEEDS)
def test_a_deal_replays_to_itself_at_every_operation(seed: int) -> None:
    table = Table(seed)
    deal = table.play()
    stopped = deal_replay(deal.rules, deal.bets, deal.stacks, deal.ops, **table.more)
    assert stopped == deal
    part = [op_from_dict(op_to_dict(op)) for op in deal.ops[: len(deal.ops) // 2]]
    again = deal_replay(deal.rules, deal.bets, deal.stacks, part, **table.more)
    for op in deal.ops[len(part) :]:
        again = apply(again, op)
    assert again == deal


@slow
@given(SEEDS)
def test_results_of_a_deal_come_to_what_its_cards_came_to(seed: int) -> None:
    deal = Table(seed).play()
    assert deal.answer is not None
    natural = points(deal.dealer) == 21 and len(deal.dealer) == 2
    came_back = natural and deal.rules.late_natural == "original"
    outcomes = {box.seat: outcome_of(box, natural, came_back) for box in deal.boxes}
    if deal.side_bets:
        return
    got = results_settle(deal.rules, deal.bets, deal.stacks, outcomes, line_chips=deal.line_chips)
    assert got["net"] == deal.answer["net"]
    assert got.get("line_chip") == deal.answer.get("line_chip")
    assert got.get("insurance") == deal.answer.get("insurance")


def outcome_of(box: Any, natural: bool, came_back: bool) -> dict[str, Any]:
    hands = []
    for hand in box.hands:
        word = "win" if hand.net_chips > 0 else "lose" if hand.net_chips < 0 else "push"
        if hand.state in ("even_money", "surrendered"):
            word = {"even_money": "even_money", "surrendered": "surrender"}[hand.state]
        elif hand.state in ("natural", "paid") and not natural:
            word = "natural"
        doubled = 0 if came_back and hand.state == "stood" else hand.double_chips
        hands.append({"result": word, "doubled": doubled})
    return {"hands": hands, "insurance": box.insurance_chips, "insurance_won": natural}


# -- verify and can ----------------------------------------------------------------------------------


def candidates(deal: Deal, random: Random) -> list[Op]:
    """Everything somebody might try at a decision."""
    step = deal.rules.chip_chips
    tried: list[Op] = [InsuranceClosed(), LookedUnder(False), CardDrawn("8h"), HoleCard("8h")]
    for seat in (*deal.bets, 8):
        bet = deal.bets.get(seat, step)
        amounts = {None, -step, 0, 1, step, bet // 2, bet, bet + step, random.randint(0, bet)}
        for action in ACTIONS:
            tried += [
                Decision(seat, action, a) for a in amounts if a is None or action in ("insurance", "double")
            ]
    return tried


def is_offered(op: Op, offers: list[Legal], bets: Mapping[int, int]) -> bool:
    """Whether ``legal`` has this operation among what it offers."""
    if isinstance(op, InsuranceClosed):
        return Legal(None, "close_insurance") in offers
    if not isinstance(op, Decision):
        return False
    offer = {(offer.seat, offer.action): offer for offer in offers}.get((op.seat, op.action))
    if offer is None or offer.min_chips is None or offer.action == "split":
        return offer is not None
    assert offer.max_chips is not None
    assert offer.step_chips is not None
    # A double without an amount is for the whole bet; an insurance always says its amount.
    chips = bets[op.seat] if op.amount is None and op.action == "double" else op.amount
    return (
        chips is not None
        and offer.min_chips <= chips <= offer.max_chips
        and (chips - offer.min_chips) % offer.step_chips == 0
    )


@settings(slow, max_examples=60)
@given(SEEDS)
def test_what_is_not_legal_is_refused_and_what_is_legal_is_accepted(seed: int) -> None:
    table = Table(seed)
    deal = table.start()
    while deal.needs.kind != "done":
        offers = legal(deal)
        if deal.needs.kind != "decision":
            # Row 10: while the dealer's first draw is awaited an insurance may still be taken.
            assert {offer.action for offer in offers} <= {"insurance", "even_money"}
            assert not offers or table.rules.insurance_closes == "third_card"
            for op in candidates(deal, table.random):
                if is_offered(op, offers, table.bets):
                    apply(deal, op)
            deal = apply(deal, table.given(deal))
            continue
        assert offers
        for op in candidates(deal, table.random):
            if is_offered(op, offers, table.bets):
                apply(deal, op)
            else:
                with pytest.raises(Refused):
                    apply(deal, op)
        deal = apply(deal, table.chosen(offers))


# -- spoilt records ----------------------------------------------------------------------------------

WORDS = ("1", "2", "name", "bet", "kind", "card", "refused", "after", "face_up", "misdealt", "seat", "with")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from((*DECK, *WORDS)),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(WORDS) | st.text(), inner),
    max_leaves=12,
)
RECORD = ("id", "rules", "bets", "cards", "decisions", "decks", "stacks", "limits")
FIELDS = st.sampled_from(
    (*RECORD, "side_bets", "options", "line_chips", "players", "irregularities", "void", "void_reason")
)


@given(JSON)
def test_any_json_value_whatever_is_answered(value: Any) -> None:
    assert answer(value)["error"] in CODES


@slow
@given(SEEDS, st.dictionaries(FIELDS, JSON, max_size=3), st.randoms(use_true_random=False))
def test_a_spoilt_record_is_settled_or_refused_with_a_code(
    seed: int, spoilt: dict[str, Any], random: Random
) -> None:
    written = json.loads(json.dumps(deal_record(Table(seed).play())))
    spoil(written, random)
    assert_answered(written)
    assert_answered({**written, **spoilt})


def spoil(written: dict[str, Any], random: Random) -> None:
    """Drop, double, swap or alter something deep in the record."""
    lists = [found for found in (written["cards"], written["decisions"]) if found]
    found = random.choice(lists)
    at = random.randrange(len(found))
    match random.randrange(5):
        case 0:
            del found[at]
        case 1:
            found.insert(at, found[at])
        case 2:
            random.shuffle(found)
        case 3:
            written["bets"][random.choice("12345678")] = random.choice([0, -10, 10**30, 5, True, "10", 1.5])
        case _:
            found[at] = random.choice([None, 7, "Ah", "JK", {"seat": 1, "action": "split"}, [found[at]]])


def assert_answered(written: Any) -> None:
    got = answer(written)
    if "error" in got:
        assert got["error"] in CODES
        assert got["message"]
        assert set(got) == {"id", "error", "message"}
    else:
        json.dumps(got)
