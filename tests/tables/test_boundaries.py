"""One below, equal, one above: prizes, the desk, the least entrants, counts, bets and corrections."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import pytest

from tables.selectors.counts import boxes_to_count
from tables.selectors.floor import occupied_boxes, stacks_by_box
from tables.selectors.next_hand import bet_blocked
from tables.services import dealing
from tables.services.corrections import correction_preview, deal_correct
from tests.cast import floor as cast
from tests.cast.calls import refused
from tests.cast.corrected import words
from tests.cast.counting import enter
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, as_command, new_key
from tests.cast.playing import finished
from tournament.models import Entry, House, Payment, Penalty, PlayerDay
from tournament.selectors.buying import players_at_desk
from tournament.selectors.prizes import prize_lines
from tournament.services.chips import chips_hand
from tournament.services.entries import entry_buy_in
from tournament.services.payments import prize_pay

pytestmark = pytest.mark.django_db


FIRST = 250_00


def verdict(code: str) -> AbstractContextManager[Any]:
    """What is inside is refused with this code, or done where there is none."""
    return refused(code) if code else nullcontext()


@pytest.mark.parametrize(("from_cents", "reached"), [(FIRST - 1, True), (FIRST, True), (FIRST + 1, False)])
def test_T35_second_person_and_tax_notice_begin_with_the_posted_prize(from_cents, reached):
    event = finished(second_person_from_cents=from_cents, tax_notice_from_cents=from_cents)
    line = prize_lines(event)[0]
    notice = from_cents if reached else None
    assert (line.amount_cents, line.second_person, line.tax_form_from_cents) == (FIRST, reached, notice)
    paid = prize_pay(entry_id=line.entry.pk, identity_checked=True, key=new_key(), actor=UserFactory())
    assert ("request" in paid, Payment.objects.exists()) == (reached, not reached)
    assert (cast.confirm(paid) if reached else paid)["tax_form_from_cents"] == notice


@pytest.mark.parametrize(("left_cents", "code"), [(99_99, "day_limit"), (100_00, ""), (100_01, "")])
def test_T2_the_desk_offers_what_the_day_limit_still_covers(left_cents, code):
    House.objects.update_or_create(pk=1, defaults={"day_limit_cents": 250_00})
    event, player = EventFactory(), PlayerFactory()
    buy_in = partial(entry_buy_in, player_id=player.pk, identity_checked=True, actor=None)
    buy_in(event_id=EventFactory().pk, key=new_key())
    PlayerDay.objects.filter(player=player).update(spent_cents=250_00 - left_cents)
    at_desk = players_at_desk(event, [player])[0]
    assert (at_desk.left_cents, at_desk.why_not == "") == (left_cents, not code)
    with verdict(code):
        buy_in(event_id=event.pk, key=new_key())
    assert Entry.objects.filter(event=event).exists() == (not code)


@pytest.mark.parametrize(("chips", "taken"), [(-100, 0), (0, 0), (1, 0), (99, 0), (100, 100), (101, 0)])
def test_T26_a_penalty_in_chips_is_a_multiple_of_the_chip_from_one_on(chips, taken):
    round_ = cast.seated(3)
    stack = cast.stack_at(round_, 1)
    with verdict("" if taken else "not_whole_chips"):
        cast.take_chips(stack.entry, chips)
    assert cast.chips_at(round_, 1) == 5_000 - taken
    assert Penalty.objects.filter(entry=stack.entry_id).exists() == bool(taken)


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
    with verdict(code):
        enter(shoe, {**right, 1: 5_000 + 4 * 2 * 200 + more_chips})


@pytest.mark.parametrize(
    ("now", "chips", "ranks"),
    [
        ("lose", 4_800, {"1": 2, "2": 2, "3": 1}),
        ("push", 5_000, {"1": 1, "2": 3, "3": 1}),
        ("win", 5_200, {"1": 1, "2": 3, "3": 2}),
    ],
)
def test_T17_the_preview_says_the_figures_that_the_correction_then_makes(now, chips, ranks):
    round_ = cast.seated(3)
    shoe = cast.shoe_of(round_)
    deal = cast.hand(shoe, dict.fromkeys((1, 2, 3), 200), b1="natural", b2="lose", b3="push")
    box_of = {cast.stack_at(round_, box).entry.code: str(box) for box in (1, 2, 3)}
    outcomes = words(b1=now, b2="lose", b3="push")
    asked = {"deal_id": deal.pk, "bets": dict.fromkeys((1, 2, 3), 200), "outcomes": outcomes}
    told = {box_of[line.entry]: line for line in correction_preview(**asked).lines}
    assert (told["1"].before.chips, told["1"].after.chips) == (5_300, chips)
    assert {box: line.before.rank for box, line in told.items()} == {"1": 1, "2": 3, "3": 2}
    assert {box: line.after.rank for box, line in told.items()} == ranks
    deal_correct(**asked, reason="seen again", key=new_key(), actor=None)
    assert {box: cast.chips_at(round_, int(box)) for box in told} == {"1": chips, "2": 4_800, "3": 5_000}
