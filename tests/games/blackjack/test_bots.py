"""Simulated players: strategy, bets, and whole deals."""

from random import Random

import pytest

from games.blackjack.bots import BET_POLICIES, DECLINE, BetSight, Sight, bet_policy, decider_make, play_out
from games.blackjack.cards import is_soft, total
from games.blackjack.event_rules import rules_make
from games.blackjack.record import settle
from games.blackjack.rules import SHEETS
from games.blackjack.shoe import shoe_make
from ground.chance import Stream
from ground.refused import Refused
from tests.games.blackjack import second_sheets
from tests.games.blackjack.charts import HANDS, UPS, published

WONDER = SHEETS["wonder"]
ALL = ("stand", "hit", "double", "split", "surrender")


def choice(sheet: str, cards: str, dealer: str, actions: tuple[str, ...] = ALL) -> str:
    held = tuple(cards.split())
    sight = Sight(1, held, total(held), is_soft(held), dealer, 200, actions)
    return decider_make(SHEETS[sheet])(sight)


def test_what_is_not_allowed_is_replaced_by_the_next_best() -> None:
    assert choice("wonder", "As 8d", "6h", ("stand", "hit")) == "stand"
    assert choice("wonder", "6s 5d", "6h", ("stand", "hit")) == "hit"
    assert choice("wonder", "8s 8d", "Ah", ("stand", "hit", "split")) == "split"
    assert choice("eca", "As Ad", "Ah", ("stand", "split")) == "stand"
    assert choice("wiesbaden", "8s 8d", "Kh", ("stand", "hit", "double", "split")) == "hit"


def test_insurance_is_declined_unless_the_player_insures() -> None:
    sight = Sight(1, ("As", "Kd"), 21, True, "Ah", 200, (DECLINE, "insurance", "even_money"))
    assert decider_make(WONDER)(sight) == DECLINE
    assert decider_make(WONDER, insures=True)(sight) == "even_money"


def test_bet_policies() -> None:
    for policy, sight, bet in (
        ("minimum", BetSight(5000, 0, 0), 200),
        ("maximum", BetSight(700, 0, 0), 600),
        ("ten_percent", BetSight(5300, 0, 0), 400),
        ("catch_up", BetSight(5000, 5500, 0, hands_left=4), 200),
        ("catch_up", BetSight(5000, 5500, 0, hands_left=3), 800),
        ("protect_lead", BetSight(5000, 0, 4800, rival_bet_chips=600), 600),
        ("protect_lead", BetSight(5000, 0, 3000), 200),
        ("protect_lead", BetSight(5000, 0, 5200, rival_bet_chips=800), 800),
        ("last_hand", BetSight(5000, 5400, 0, hands_left=1), 600),
        ("last_hand", BetSight(5000, 9000, 5000, rival_bet_chips=1000, hands_left=1), 800),
    ):
        assert bet_policy(policy)(WONDER, sight, Stream(b"x")) == bet, (policy, sight)


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_row2_every_policy_bets_within_the_limits_and_the_stack(sheet: str) -> None:
    rules = SHEETS[sheet]
    stream = Stream(b"bets")
    for policy in [*BET_POLICIES] * 100:
        numbers = [stream.below(3 * rules.max_chips) // rules.chip_chips * rules.chip_chips for _ in range(4)]
        stack, target, rival, rival_bet = numbers
        seen = rival_bet if stream.below(2) else None
        sight = BetSight(stack, target, rival, seen, stream.below(5) or None)
        bet = bet_policy(policy)(rules, sight, stream)
        assert (bet == 0) == (sight.stack_chips < rules.min_chips), (policy, sight)
        if bet:
            assert rules.min_chips <= bet <= min(rules.max_chips, sight.stack_chips), (policy, sight)
            assert bet % rules.step_chips == 0, (policy, sight)


@pytest.mark.parametrize("seed", range(12))
def test_simulated_deals_settle_under_any_options(seed: int) -> None:
    random = Random(seed)
    sheet = random.choice(sorted(second_sheets.SHEETS))
    options = second_sheets.options_random(second_sheets.SHEETS[sheet], random)
    rules = rules_make(sheet, options=options or None)
    shoe = shoe_make(bytes([seed]) * 32, rules.decks, joker=rules.joker)
    player = decider_make(rules, insures=random.random() < 0.5)
    bets, stacks = {2: rules.min_chips * 2, 6: rules.min_chips * 3}, {2: rules.min_chips * 3}
    dealt = 1
    while not shoe.cut_is_out(dealt):
        record = play_out(rules, bets, stacks, shoe, {2: player, 6: player}, dealt=dealt)
        assert record == play_out(rules, bets, stacks, shoe, {2: player, 6: player}, dealt=dealt)
        assert record["cards"] == list(shoe.cards[dealt : dealt + len(record["cards"])])
        assert settle(record)["net"].keys() == {"2", "6"}
        dealt += len(record["cards"])


@pytest.mark.parametrize("sheet", ["wonder", "eca", "ggpoker", "wiesbaden"])
def test_A7_bots_play_a_ladder_of_odd_chips_in_whole_chips(sheet: str) -> None:
    limits = {"min": 25, "max": 500, "step": 25, "chip": 5}
    rules = rules_make(sheet, limits=limits, options={"halves": "house"})
    players = dict.fromkeys(range(1, 8), decider_make(rules, insures=True))
    actions = set()
    for number in range(20):
        shoe = shoe_make(number.to_bytes(4, "big"), rules.decks, joker=rules.joker)
        bets, stacks = (dict.fromkeys(players, chips) for chips in (25, 200))
        record = play_out(rules, bets, stacks, shoe, players, dealt=1)
        assert all(chips % 5 == 0 for chips in settle(record)["net"].values())
        actions |= {decision["action"] for decision in record["decisions"]}
    assert {"insurance", "hit", "double"} <= actions
    assert ("surrender" in actions) == (rules.surrender != "none")


def test_a_shoe_without_cards_and_a_player_without_sense_are_refused() -> None:
    for dealt, player, code in (
        (310, decider_make(WONDER), "shoe_empty"),
        (1, lambda _: "fold", "unknown_action"),
    ):
        players = dict.fromkeys(range(1, 8), player)
        with pytest.raises(Refused) as no:
            play_out(WONDER, dict.fromkeys(players, 200), None, shoe_make(b"x", 6), players, dealt=dealt)
        assert no.value.code == code


LETTER = {"hit": "H", "stand": "S", "double": "D", "split": "P", "surrender": "R"}


@pytest.mark.parametrize("sheet", ["wonder", "eca", "ggpoker"])
def test_basic_strategy_is_the_published_chart(sheet: str) -> None:
    found = {name: "".join(LETTER[choice(sheet, cards, up)] for up in UPS) for name, cards in HANDS.items()}
    assert found == published(sheet)
