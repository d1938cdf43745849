"""Hands at a table: T11 to T17, T31, taps, whole records."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal
from tables.selectors.deals import deal_view
from tables.services import dealing, seating, shoes
from tests.cast import floor as cast
from tests.cast.amending import op_of, tapped
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import (
    chips_at,
    draw_and_seat,
    hand,
    one_box_win,
    payouts_post,
    play_and_close,
    recorded,
    refusal,
    result,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.tied import play_off
from tournament.models import ChipEntry, Entry, Round

pytestmark = pytest.mark.django_db


def opened(round_: Round, bets: dict[int, int], mode: str = "cards") -> Deal:
    return cast.opened(shoe_of(round_), bets, mode)


WIN = "Kh 9c Ks stand:1 Td"


def settle(deal: Deal, **more: Any) -> dict[str, Any]:
    return dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None, **more)


OWN = {"bet_min_chips": 400, "bet_max_chips": 2_000, "bet_step_chips": 400}


def test_T12_a_bet_off_the_ladder_of_the_event_or_where_nobody_sits_is_refused():
    for ladder, most, wrong in (
        (OWN, 2_000, {"bet_not_in_increment": {1: 600}}),
        (
            {},
            1_000,
            {
                "bet_below_minimum": {1: 100},
                "bet_not_in_increment": {1: 300},
                "bet_above_maximum": {1: 1_200},
                "box_empty": {7: 200},
                "bad_seat": {8: 200},
                "no_bets": {1: 0},
            },
        ),
    ):
        round_ = seated(2, **ladder)
        for code, bets in wrong.items():
            with refusal(code):
                opened(round_, bets)
        assert not Deal.objects.filter(shoe__round=round_).exists()
        assert opened(round_, {1: most}).bets == {"1": most}


def test_T12_a_double_that_the_stack_does_not_cover_is_refused():
    deal = tapped(opened(seated(2, starting_chips=300), {1: 200}), "6h 9c 5s")
    with refusal("not_enough_chips"):
        tapped(deal, "double:1")


def test_T15_who_is_absent_sits_the_hand_out_and_the_ruling_is_logged():
    round_ = seated(2)
    about = {"stack_id": stack_at(round_, 1).pk, "actor": None}
    with refusal("reason_missing"):
        seating.stack_absent(**about, absent=True, reason="", key=new_key())
    seating.stack_absent(**about, absent=True, reason="phone", key=new_key())
    with refusal("absent"):
        opened(round_, {1: 200})
    assert round_.event.journal.get(kind="stack.absent").result["reason"] == "phone"
    seating.stack_absent(**about, absent=False, reason="is back", key=new_key())
    with refusal("stack_not_playing", 409):
        seating.stack_absent(**about, absent=False, reason="is back", key=new_key())


def test_a_hand_card_by_card_settles_in_one_command():
    round_ = seated(2)
    deal = tapped(opened(round_, {1: 400}), WIN)
    before, key = round_.event.journal.count(), new_key()
    made = dealing.deal_settle(deal_id=deal.pk, key=key, actor=None)
    assert made["net"] == {"1": 400}
    assert dealing.deal_settle(deal_id=deal.pk, key=key, actor=None) == made
    with refusal("deal_not_open", 409):
        settle(deal)
    with refusal("deal_settled"):
        dealing.deal_void(deal_id=deal.pk, reason="misdeal", key=new_key(), actor=None)
    bank = ChipEntry.objects.get(transaction__source=f"deal:{deal.pk}", account="bank")
    assert (chips_at(round_, 1), bank.amount_chips) == (5_400, -400)
    assert stack_at(round_, 1).last_change_chips == 400
    assert round_.event.journal.count() == before + 1
    kept = round_.event.journal.get(kind="deal.settle").body["noted"]["record"]
    assert kept["cards"] == ["Kh", "9c", "Ks", "Td"]
    assert kept["entries"]["1"] == stack_at(round_, 1).entry.code


def test_a_tap_counts_once_and_only_on_the_hand_that_its_screen_showed():
    deal = opened(seated(2), {1: 200})
    for nonce, op, code in (("a", op_of("1x"), "bad_card"), ("a", {"op": "shuffle"}, "bad_operation")):
        with refusal(code):
            dealing.deal_tap(deal_id=deal.pk, seen=0, nonce=nonce, op=op)
    first = dealing.deal_tap(deal_id=deal.pk, seen=0, nonce="a", op=op_of("Kh"))
    again = dealing.deal_tap(deal_id=deal.pk, seen=0, nonce="a", op=op_of("Kh"))
    assert first == again == {"deal": deal.pk, "seen": 1, "done": False}
    with refusal("nonce_reused"):
        dealing.deal_tap(deal_id=deal.pk, seen=1, nonce="a", op=op_of("Ks"))
    tapped(deal, "9c")
    with refusal("stale", 409) as no:
        dealing.deal_tap(deal_id=deal.pk, seen=1, nonce="late", op=op_of("2s"))
    assert "card 9c" in no.value.message
    for seen in (2, 3):
        dealing.deal_undo(deal_id=deal.pk, seen=seen, nonce=f"undo {seen}")
    with refusal("nothing_to_undo"):
        dealing.deal_undo(deal_id=deal.pk, seen=4, nonce="undo 4")
    deal.refresh_from_db()
    assert (len(deal.taps), deal_view(deal).said) == (4, ()), "an undo is one more tap"
    assert settle(tapped(deal, WIN))["net"] == {"1": 200}


def test_a_hand_is_opened_once_and_a_half_entered_one_neither_settles_nor_lets_the_shoe_end():
    round_ = seated(2)
    deal = opened(round_, {1: 200})
    assert opened(round_, {1: 200}) == deal
    with refusal("deal_open", 409):
        opened(round_, {1: 400})
    dealing.deal_bets(deal_id=deal.pk, bets={1: 400, 2: 200}, actor=None)
    deal.refresh_from_db()
    assert deal.bets == {"1": 400, "2": 200}
    tapped(deal, "Kh")
    with refusal("cards_are_out", 409):
        dealing.deal_bets(deal_id=deal.pk, bets={1: 200}, actor=None)
    with refusal("deal_not_done"):
        settle(deal)
    with refusal("deal_open", 409):
        shoes.shoe_end(shoe_id=deal.shoe_id, reason="fire drill", key=new_key(), actor=None)
    assert chips_at(round_, 1) == 5_000


def test_an_open_hand_by_results_settles_with_its_outcomes():
    round_ = seated(2)
    deal = opened(round_, {1: 200, 2: 200}, mode="results")
    with refusal("results_missing"):
        settle(deal, outcomes={1: result("win")})
    with refusal("entered_by_results"):
        tapped(deal, "Kh")
    settle(deal, outcomes={1: result("natural"), 2: result("win", doubled=200)})
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (5_300, 5_400)


def test_T17_a_void_hand_gives_every_bet_back_and_stays_in_the_journal_with_its_number():
    round_ = seated(2)
    deal = tapped(opened(round_, {1: 200}), "Kh")
    with refusal("reason_missing"):
        dealing.deal_void(deal_id=deal.pk, reason="", key=new_key(), actor=None)
    dealing.deal_void(deal_id=deal.pk, reason="exposed card", key=new_key(), actor=None)
    said = round_.event.journal.get(kind="deal.void").body["noted"]
    assert (said["table"], said["shoe"], said["number"]) == (1, 1, 1)
    kept = said["record"]
    assert (kept["bets"], kept["stacks"], kept["hand"]) == ({"1": 200}, {"1": 5_000}, 1)
    assert kept["entries"]["1"] == stack_at(round_, 1).entry.code
    again = opened(round_, {1: 200})
    assert (chips_at(round_, 1), again.number, again.button_box) == (5_000, 2, deal.button_box)
    with refusal("deal_not_open", 409):
        tapped(deal, "9c")


def test_T14_the_button_passes_a_box_that_is_empty_or_out_of_chips():
    round_ = seated(4, starting_chips=300)
    shoe = shoe_of(round_)
    shoe.button_box = 1
    shoe.save()
    seating.seat_no_show(seat_id=round_.seats.get(box=2).pk, key=new_key(), actor=None)
    hand(shoe, {1: 200, 3: 200, 4: 200}, b1="win", b3="lose", b4="win")
    assert [hand(shoe, {1: 200}, b1="win").button_box for _ in range(3)] == [4, 1, 4]


@pytest.mark.parametrize("closed", [False, True])
def test_T6_T19_the_first_bet_or_shoe_that_ends_starts_the_round_once_and_makes_no_shows(closed):
    round_ = seated(9)
    late = EntryFactory(event=round_.event)
    Entry.objects.filter(pk=late.pk).update(status="live", waiting_since=None)
    with refusal("bet_below_minimum"):
        opened(round_, {1: 100})
    round_.refresh_from_db()
    assert round_.status == "seated"
    if closed:
        shoes.shoe_end(shoe_id=shoe_of(round_).pk, reason="a broken table", key=new_key(), actor=None)
    for table in (1, 2)[closed:]:
        cast.opened(shoe_of(round_, table), {1: 200})
    round_.refresh_from_db()
    late.refresh_from_db()
    assert (round_.status, late.status) == ("playing", "no_show")
    assert round_.event.journal.filter(kind="round.play").count() == (not closed)


def test_T31_no_hand_after_round_1_without_a_posted_structure():
    round_ = seated(4)
    play_and_close(round_)
    second = draw_and_seat(round_.event)
    with refusal("payouts_not_posted"):
        opened(second, {1: 200})
    with refusal("payouts_not_posted"):
        hand(shoe_of(second), {1: 200}, b1="win")
    with refusal("payouts_not_posted"):
        shoes.shoe_end(shoe_id=shoe_of(second).pk, reason="fire drill", key=new_key(), actor=None)
    payouts_post(round_.event)
    hand(shoe_of(second), {1: 200}, b1="win")


def test_T10_a_whole_record_is_checked_against_table_and_rules():
    round_ = seated(2)
    shoe, right = shoe_of(round_), one_box_win(1, 200)
    for wrong, code in (
        ({"rules": "ggpoker"}, "rules_differ"),
        ({"decks": 8}, "rules_differ"),
        ({"stacks": {"1": 400}}, "stacks_differ"),
        ({"cards": ["Kh"]}, "cards_missing"),
        ({"bets": [200]}, "bad_record"),
        ({"bets": {"6": 200}}, "box_empty"),
    ):
        with refusal(code):
            recorded(shoe, right | wrong)
    assert not Deal.objects.exists()
    recorded(shoe, right | {"stacks": {"1": 5_000}, "decks": 6})
    assert chips_at(round_, 1) == 5_200
    assert shoe_of(round_).cards_dealt == 1 + 4


def test_T23_a_play_off_goes_on_with_a_further_shoe():
    stage = play_off()
    shoe = shoe_of(stage)
    about = {"table_id": shoe.table_id, "actor": None}
    with refusal("one_shoe_a_round"):
        shoes.shoe_next(round_id=stage.parent_id, key=new_key(), **about)
    with refusal("shoe_dealing", 409):
        shoes.shoe_next(round_id=stage.pk, key=new_key(), **about)
    shoe_over(shoe)
    made = shoes.shoe_next(round_id=stage.pk, key=new_key(), **about)
    assert (made["number"], made["button"] in (1, 2, 3)) == (2, True)
    with refusal("shoe_followed", 409):
        shoes.shoe_reopen(shoe_id=shoe.pk, reason="by mistake", key=new_key(), actor=None)
    hand(shoe_of(stage), {1: 200}, b1="lose")
    stage.refresh_from_db()
    assert stage.status == "counted"
