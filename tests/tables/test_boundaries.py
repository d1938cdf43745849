"""One below, equal, one above: prizes, the desk, the least entrants, counts, bets and corrections."""

from __future__ import annotations

from functools import partial

import pytest

from tables.selectors.counts import boxes_to_count
from tables.selectors.floor import occupied_boxes, stacks_by_box
from tables.selectors.sitting import bet_blocked
from tables.services import dealing
from tables.services.corrections import correction_preview, deal_correct
from tables.services.counts import count_enter
from tables.services.draws import draw_lock
from tests.cast import floor as cast
from tests.cast.calls import refused
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, as_command, new_key
from tests.cast.playing import finished, round_1_closed
from tournament.models import Entry, House, Payment, Penalty, PlayerDay
from tournament.selectors.buying import players_at_desk
from tournament.selectors.desk import desk_summary
from tournament.selectors.prizes import prize_lines
from tournament.services.chips import chips_settle
from tournament.services.entries import entry_buy_in
from tournament.services.payments import prize_pay
from tournament.services.payouts import payouts_check

pytestmark = pytest.mark.django_db


# Prizes (T32, T35): the first of five is $250.00 ----------------------------------------------------------

FIRST = 250_00


@pytest.mark.parametrize(("from_cents", "reached"), [(FIRST - 1, True), (FIRST, True), (FIRST + 1, False)])
def test_T35_second_person_and_tax_notice_begin_with_the_posted_prize(from_cents, reached):
    event = finished(second_person_from_cents=from_cents, tax_notice_from_cents=from_cents)
    line = prize_lines(event)[0]
    notice = from_cents if reached else None
    assert (line.amount_cents, line.second_person, line.tax_form_from_cents) == (FIRST, reached, notice)
    paid = prize_pay(entry_id=line.entry.pk, identity_checked=True, key=new_key(), actor=UserFactory())
    assert ("request" in paid, Payment.objects.exists()) == (reached, not reached)
    assert (cast.confirm(paid) if reached else paid)["tax_form_from_cents"] == notice


@pytest.mark.parametrize(("difference", "code"), [(-1, "pays_less_than_promised"), (0, ""), (1, "")])
def test_T32_fixed_prizes_are_told_apart_from_the_pool_to_the_cent(difference, code):
    event = round_1_closed(5)
    check = payouts_check(event, {"kind": "fixed", "amounts": [300_00, 200_00 + difference]})
    assert (check.code, check.difference_cents) == (code, max(difference, 0))


# The desk (T2, T24) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left_cents", "may"), [(99_99, False), (100_00, True), (100_01, True)])
def test_T2_the_desk_offers_what_the_day_limit_still_covers(left_cents, may):
    House.objects.update_or_create(pk=1, defaults={"day_limit_cents": 250_00})
    event, player = EventFactory(), PlayerFactory()
    buy_in = partial(entry_buy_in, player_id=player.pk, identity_checked=True, actor=None)
    buy_in(event_id=EventFactory().pk, key=new_key())
    PlayerDay.objects.filter(player=player).update(spent_cents=250_00 - left_cents)
    at_desk = players_at_desk(event, [player])[0]
    assert at_desk.left_cents == left_cents
    assert (at_desk.why_not == "") == may
    if may:
        buy_in(event_id=event.pk, key=new_key())
    else:
        with refused("day_limit"):
            buy_in(event_id=event.pk, key=new_key())
    assert Entry.objects.filter(event=event).exists() == may


@pytest.mark.parametrize(("entrants", "enough"), [(2, False), (3, True), (4, True)])
def test_T24_the_posted_minimum_is_enough(entrants, enough):
    event = cast.event_make(entrants, min_entrants=3)
    assert desk_summary(event).enough == enough
    if enough:
        assert draw_lock(event_id=event.pk, key=new_key(), actor=None)["draw"]
    else:
        with refused("too_few_entrants"):
            draw_lock(event_id=event.pk, key=new_key(), actor=None)


@pytest.mark.parametrize(
    ("chips", "taken"),
    [(-100, False), (0, False), (1, False), (99, False), (100, True), (101, False), (200, True)],
)
def test_T26_a_penalty_in_chips_is_a_multiple_of_the_chip_from_one_on(chips, taken):
    round_ = cast.seated(3)
    stack = cast.stack_at(round_, 1)
    if taken:
        cast.take_chips(stack.entry, chips)
    else:
        with refused("not_whole_chips"):
            cast.take_chips(stack.entry, chips)
    assert cast.chips_at(round_, 1) == 5_000 - (chips if taken else 0)
    assert Penalty.objects.filter(entry=stack.entry_id).exists() == taken


# At the table (T12, T13, T18) -------------------------------------------------------------------------------


@pytest.mark.parametrize(("chips", "bets"), [(100, False), (200, True), (300, True)])
def test_T13_a_stack_that_just_covers_the_minimum_bets_and_one_below_is_busted(chips, bets):
    round_ = cast.seated(3)
    shoe, stack = cast.shoe_of(round_), cast.stack_at(round_, 1)
    nets = {stack: chips - stack.chips}
    as_command(round_.event, lambda cmd: chips_settle(cmd, nets=nets, source="deal:0"))
    stack.refresh_from_db()
    assert (bet_blocked(stack, 200) == "") == bets
    assert (1 in occupied_boxes(stacks_by_box(shoe), 200)) == bets
    everybody = dict.fromkeys((1, 2, 3), 200)
    if bets:
        dealing.deal_open(shoe_id=shoe.pk, bets=everybody, actor=None)
    else:
        with refused("not_enough_chips"):
            dealing.deal_open(shoe_id=shoe.pk, bets=everybody, actor=None)
        assert dealing.deal_open(shoe_id=shoe.pk, bets={2: 200, 3: 200}, actor=None)["deal"]


@pytest.mark.parametrize(("more_chips", "taken"), [(-100, True), (0, True), (100, False)])
def test_T18_a_count_may_be_the_most_that_could_be_won_and_not_a_chip_more(more_chips, taken):
    round_ = cast.seated(3)
    shoe = cast.shoe_of(round_)
    cast.hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    cast.shoe_over(shoe)
    right = {box: stack.chips for box, stack in boxes_to_count(shoe).items()}
    # Four hands after splits, each doubled and won: 5,000 and eight times the bet of 200.
    most = 5_000 + 4 * 2 * 200
    counted = {**right, 1: most + more_chips}
    asked = {"shoe_id": shoe.pk, "chips": counted, "key": new_key(), "actor": UserFactory()}
    if taken:
        count_enter(**asked)
    else:
        with refused("more_than_possible"):
            count_enter(**asked)


# Corrections (T17) -----------------------------------------------------------------------------------------


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
    results = {1: now, 2: "lose", 3: "push"}
    asked = {
        "deal_id": deal.pk,
        "bets": dict.fromkeys((1, 2, 3), 200),
        "outcomes": {box: {"hands": [{"result": result}]} for box, result in results.items()},
    }
    told = {box_of[line.entry]: line for line in correction_preview(**asked).lines}
    assert (told["1"].chips_before, told["1"].chips_after) == (5_300, chips)
    assert {box: line.rank_before for box, line in told.items()} == {"1": 1, "2": 3, "3": 2}
    assert {box: line.rank_after for box, line in told.items()} == ranks
    deal_correct(**asked, reason="seen again", key=new_key(), actor=None)
    assert {box: cast.chips_at(round_, int(box)) for box in told} == {"1": chips, "2": 4_800, "3": 5_000}
