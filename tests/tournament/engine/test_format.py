"""The plan of an event: what the settings say of its rounds, and what is read from it."""

from dataclasses import replace

import pytest

from tournament.engine.advance import Advance
from tournament.engine.format import CARRY, RESET, Bets, Format, RoundPlan, RoundSettings
from tournament.engine.settings import CHIPS_MAX, DEFAULTS, format_of, hand_rules, round_rules

BETS = Bets(200, 1_000, 200)
CARRIED_ON = RoundPlan(CARRY, BETS, Advance(top=6))
AFRESH = RoundPlan(2_000, Bets(400, None, 400), Advance(top=6))
PLAN = Format((AFRESH, CARRIED_ON, CARRIED_ON, AFRESH, RoundPlan(CARRY, Bets(300, 900, 300), None)))


def test_F1_T20_T22_the_settings_of_the_sheet_are_three_rounds_with_carried_stacks():
    plan = format_of(DEFAULTS)
    assert plan == Format(
        (
            RoundPlan(5_000, BETS, Advance(top=12)),
            RoundPlan(CARRY, BETS, Advance(top=6)),
            RoundPlan(CARRY, BETS, None),
        )
    )
    assert [plan.seats_after(number) for number in (1, 2, 3)] == [12, 6, None]


@pytest.mark.parametrize(("stack", "chips"), [(RESET, 3_000), (7_000, 7_000)])
def test_F4_T22_a_round_has_the_stack_of_the_start_or_the_one_that_is_posted_for_it(stack, chips):
    rounds = (DEFAULTS.plan[0], RoundSettings(Advance(top=6), stack), RoundSettings(None))
    plan = format_of(replace(DEFAULTS, plan=rounds, starting_chips=3_000))
    assert [each.stack_chips for each in plan.rounds] == [3_000, chips, CARRY]


@pytest.mark.parametrize(("number", "least"), [(1, 200), (2, 400), (3, 200), (4, 200), (9, 200)])
def test_F5_a_round_has_its_own_bets_and_what_follows_the_last_has_those_of_the_last(number, least):
    rounds = [*DEFAULTS.plan]
    rounds[1] = replace(rounds[1], bets=Bets(400, None, 200))
    settings = replace(DEFAULTS, plan=tuple(rounds))
    rules = round_rules(settings, number)
    assert format_of(settings).of(number).bets.min_chips == rules.min_chips == least
    assert rules.max_chips == (CHIPS_MAX if number == 2 else 1_000)
    assert replace(rules, min_chips=200, max_chips=1_000) == hand_rules(settings)


@pytest.mark.parametrize(("rounds", "draws"), [(2, 9), (3, 12), (12, 39)])
def test_F1_T21_there_is_a_draw_for_every_round_its_play_off_and_a_redraw(rounds, draws):
    assert Format((AFRESH,) * rounds).planned_draws == draws


@pytest.mark.parametrize(
    ("number", "carried", "on", "least"),
    [
        (1, False, [2, 3], 200),
        (2, True, [3], 200),
        (3, True, [], None),
        (4, False, [5], 300),
        (5, True, [], None),
        (6, False, [], None),
    ],
)
def test_F4_F15_T20_T22_chips_are_carried_until_a_round_starts_anew_by_who_can_bet_in_it(
    number, carried, on, least
):
    assert PLAN.is_carried_into(number) is carried
    assert list(PLAN.carried_on(number)) == on
    assert PLAN.least_to_advance(number) == least
