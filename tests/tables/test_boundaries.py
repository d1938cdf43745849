"""One below, equal, one above: bets and counts."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from tables.selectors.counts import boxes_to_count
from tables.selectors.floor import occupied_boxes, stacks_by_box
from tables.selectors.next_hand import bet_blocked
from tables.services import dealing
from tests.cast import floor as cast
from tests.cast.calls import refused
from tests.cast.counting import enter
from tests.cast.factories import as_command
from tournament.services.chips import chips_hand

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("chips", "bets"), [(100, False), (200, True), (300, True)])
def test_T13_a_stack_that_just_covers_the_minimum_bets_and_one_below_is_busted(chips, bets):
    round_ = cast.seated(3)
    shoe, stack = cast.shoe_of(round_), cast.stack_at(round_, 1)
    nets = {stack: chips - stack.chips}
    as_command(round_.event, lambda cmd: chips_hand(cmd, nets=nets, source="deal:0"))
    stack.refresh_from_db()
    assert (bet_blocked(stack, 200) == "") == bets
    assert (1 in occupied_boxes(stacks_by_box(shoe), 200)) == bets
    with_it, without = dict.fromkeys((1, 2, 3), 200), {2: 200, 3: 200}
    # Whoever covers the minimum has to bet, and whoever does not cannot.
    with refused("bet_missing" if bets else "not_enough_chips"):
        dealing.deal_open(shoe_id=shoe.pk, bets=without if bets else with_it, actor=None)
    assert dealing.deal_open(shoe_id=shoe.pk, bets=with_it if bets else without, actor=None)["deal"]


@pytest.mark.parametrize(("more_chips", "code"), [(-100, ""), (0, ""), (100, "more_than_possible")])
def test_T18_a_count_may_be_the_most_that_could_be_won_and_not_a_chip_more(more_chips, code):
    shoe = cast.shoe_of(cast.seated(3))
    cast.hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    cast.shoe_over(shoe)
    right = {box: stack.chips for box, stack in boxes_to_count(shoe).items()}
    # Four hands after splits, each doubled and won: 5,000 and eight times the bet of 200.
    with refused(code) if code else nullcontext():
        enter(shoe, {**right, 1: 5_000 + 4 * 2 * 200 + more_chips})
