"""Through, out or still in it: claimed only where every course of the hands bears it out (T13, T20, T23)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.blackjack.rules import SHEETS
from games.registry import game_of
from tests.tournament.engine.one_table import ONE, codes, hand, seated
from tournament.engine.advance import Finish, WentOut, best
from tournament.engine.facts import Began
from tournament.engine.fold import fold
from tournament.engine.needs import Chance, Reach, chances, needs, needs_chips, reach
from tournament.engine.ranking import gap_to_cut
from tournament.engine.standing import standing
from tournament.engine.state import stage_of

WONDER = SHEETS["wonder"]
CHIP = 100
chips = st.integers(0, 6).map(lambda n: n * CHIP)


@st.composite
def fields(draw):
    """Up to four entries, each with all stacks that it can end with, and whether it may have no hand."""
    field = {}
    for code in "ABCD"[: draw(st.integers(1, 4))]:
        least, width = draw(chips), draw(st.integers(0, 2))
        ends = [least + CHIP * n for n in range(width + 1)]
        field[code] = (ends, draw(st.sampled_from([(True, True), (False, True), (False, False)])))
    return field


@given(fields(), st.integers(1, 4), st.sampled_from([None, 200]))
def test_T15_T20_through_and_out_are_claimed_exactly_where_every_course_says_so(field, seats, minimum):
    told = chances(
        [Reach(code, ends[0], ends[-1], *known) for code, (ends, known) in field.items()], seats, minimum
    )
    each = [
        [Finish(code, stack, None if played else WentOut(0, stack)) for stack in ends for played in {*known}]
        for code, (ends, known) in field.items()
    ]
    always, ever = set(field), set()
    for course in product(*each):
        found = best(course, seats, minimum)
        always &= {*found.entries}
        ever |= {*found.entries, *found.level}
    # The stacks end independently of each other here, so no claim is missing either.
    assert {code for code, chance in told.items() if chance == Chance.CLINCHED} == always
    assert {code for code, chance in told.items() if chance == Chance.OUT} == set(field) - ever


@given(st.lists(chips, min_size=1, max_size=5), st.integers(1, 4), st.sampled_from([None, 200]))
def test_T20_T23_what_is_needed_is_enough_and_a_chip_less_is_not(stacks, seats, minimum):
    field = [Finish(f"E{n}", stack) for n, stack in enumerate(stacks)]
    gaps = gap_to_cut(field, seats, minimum)

    def through(stacks):
        return best(stacks, seats, minimum).entries

    for each in field:
        needs = needs_chips(gaps[each.entry], CHIP)
        assert (each.entry in through(field)) == (needs is None)
        if needs is not None:
            for more, goes_on in ((needs, True), (needs - CHIP, False)):
                then = [Finish(s.entry, s.chips + (more if s is each else 0)) for s in field]
                assert (each.entry in through(then)) == goes_on


def test_a_stack_without_a_bound_is_never_beaten_for_certain():
    told = chances([Reach("A", 0, None), Reach("B", 9_000, 9_000), Reach("C", 100, 100)], 1)
    assert told == {"A": Chance.ALIVE, "B": Chance.ALIVE, "C": Chance.OUT}


@pytest.mark.parametrize(
    ("stack", "hands", "ends"),
    [
        (5_000, 0, (5_000, 5_000)),
        (100, 1, (100, 100)),  # T13: below the smallest bet no hand is played
        (200, 1, (0, 500)),  # a natural: 3 to 2 on all of it
        (200, None, (0, None)),
        (20_000, 1, (11_500, 28_000)),  # four hands of 1,000, each doubled; insurance lost as well
    ],
)
def test_T12_T13_the_least_and_the_most_of_a_stack(stack, hands, ends):
    assert reach(WONDER, stack, hands) == ends


@given(st.integers(2, 120).map(lambda n: n * CHIP), st.integers(0, 15))
def test_T12_no_course_of_bets_leaves_the_reach(stack, hands):
    """Bet by bet the best that a hand can bring is taken, and the worst: both stay inside."""
    bounds = game_of(WONDER).net_bounds
    least, most = reach(WONDER, stack, hands)
    best = worst = stack
    for _ in range(hands):
        bets = range(WONDER.min_chips, min(WONDER.max_chips, best) + 1, WONDER.step_chips)
        best += max((bounds(WONDER, bet, best)[1] for bet in bets), default=0)
        bets = range(WONDER.min_chips, min(WONDER.max_chips, worst) + 1, WONDER.step_chips)
        worst += min((bounds(WONDER, bet, worst)[0] for bet in bets), default=0)
    assert least <= worst <= stack <= best <= most


@pytest.mark.parametrize(
    ("out", "hands", "left"), [(1, 0, 103), (300, 5, 4), (1, 100, 3), (311, 0, 0), (312, 9, 0)]
)
def test_T11_no_shoe_holds_more_hands_than_its_cards(out, hands, left):
    assert game_of(WONDER).hands_most(WONDER, out, hands, 6) == left


FAR, OVER = (1_000, 600, 400, 200, -200), dict.fromkeys(codes(5), 0)


@pytest.mark.parametrize(
    ("nets", "hands", "told"),
    [
        (FAR, {}, ["alive", "alive", "alive 300", "alive 500", "alive 900"]),
        (FAR, OVER, ["clinched", "clinched", "out", "out", "out"]),
        # T23: level with the last seat.
        ((1_000, 400, 400, 200, -200), OVER, ["clinched", "alive", "alive", "out", "out"]),
        # T12: with one hand left 4,800 can be level with 9,600, and above 9,500.
        (
            (4_800, 4_600, 4_500, 200, -200),
            {**OVER, "E005": 1},
            ["clinched", "alive", "out", "out", "alive 4900"],
        ),
        # T15: a stack that nothing has moved may be without a hand, and behind all who played.
        ((0, -200, -400, -600, -800), OVER, ["alive", "clinched", "alive", "out", "out"]),
    ],
)
def test_T20_who_is_through_or_out_and_the_chips_needed_in_a_round_for_two(nets, hands, told):
    state = fold([*seated(5), Began(ONE), hand(dict(enumerate(nets, start=1)))])
    stage = stage_of(state, ONE)
    found = needs(state, stage, standing(state, stage), hands)
    assert [f"{found[code].chance} {found[code].needs_chips or ''}".strip() for code in codes(5)] == told
