"""Who is there bets every hand; to sit one out is a ruling or a penalty (T12, T13, T15, T26)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.selectors.table_view import table_view
from tables.services import corrections, dealing, seating
from tables.services.simulation import hand_play, shoe_seed
from tests.cast.at_tables import dealer_at, url
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, chips_right, record, refusal, result, seated, shoe_of, stack_at
from tests.cast.tied import play_off
from tournament.models import Event, Round
from tournament.services.penalties import penalty_add, penalty_cancel

pytestmark = pytest.mark.django_db


def by_cards(shoe: Shoe, bets: dict[int, int]) -> Any:
    return dealing.deal_open(shoe_id=shoe.pk, bets=bets, actor=None)


def by_results(shoe: Shoe, bets: dict[int, int], **words: str) -> Any:
    chips_right(shoe)
    outcomes = {box: result(words.get(f"b{box}", "push")) for box in bets}
    about = {"shoe_id": shoe.pk, "bets": bets, "outcomes": outcomes}
    return dealing.deal_record_results(**about, key=new_key(), actor=None)


def by_record(shoe: Shoe, bets: dict[int, int]) -> Any:
    """Everybody has 20, the dealer 19."""
    n = len(bets)
    cards = [*["Kh", "Qh", "Jh"][:n], "9c", *["Ks", "Qs", "Js"][:n], "Td"]
    whole = record(bets, cards, *[{"seat": box, "action": "stand"} for box in bets])
    return dealing.deal_record(shoe_id=shoe.pk, record=whole, key=new_key(), actor=None)


WAYS = pytest.mark.parametrize("way", [by_cards, by_results, by_record])


def absent(round_: Round, box: int, absent: bool = True) -> None:
    stack = stack_at(round_, box)
    seating.stack_absent(stack_id=stack.pk, absent=absent, reason="away", key=new_key(), actor=None)


def sit_out(round_: Round, box: int) -> int:
    given = {"entry_id": stack_at(round_, box).entry_id, "kind": "sit_out", "reason": "abuse"}
    return int(penalty_add(**given, key=new_key(), actor=None)["penalty"])


@WAYS
def test_T12_a_player_who_is_there_without_a_bet_is_refused_by_box_and_name(way):
    round_ = seated(3)
    with refusal("bet_missing") as no:
        way(shoe_of(round_), {1: 200, 3: 200})
    assert stack_at(round_, 2).entry.code in no.value.message
    assert not Deal.objects.exists()
    absent(round_, 2)
    assert way(shoe_of(round_), {1: 200, 3: 200})["number"] == 1


def test_T12_an_open_hand_settles_when_an_absent_player_is_back_before_its_end():
    round_ = seated(2)
    absent(round_, 2)
    deal = dealing.deal_open(shoe_id=shoe_of(round_).pk, bets={1: 200}, mode="results", actor=None)["deal"]
    absent(round_, 2, False)
    dealing.deal_settle(deal_id=deal, outcomes={1: result("win")}, key=new_key(), actor=None)
    assert chips_at(round_, 1) == 5_200


def outcomes(stage: Round) -> dict[int, str]:
    return {box: stack_at(stage, box).outcome for box in (1, 2, 3)}


@pytest.mark.parametrize("away", [absent, sit_out])
def test_T12_T13_T26_in_a_play_off_only_a_ruling_or_a_penalty_sits_a_hand_out(away):
    """An absent player is behind one who is out of chips; whoever serves a penalty keeps the stack."""
    stage = play_off(play_off_chips=200)
    with refusal("bet_missing"):
        by_results(shoe_of(stage), {1: 200, 2: 200})
    assert set(outcomes(stage).values()) == {""}
    away(stage, 3)
    by_results(shoe_of(stage), {1: 200, 2: 200}, b1="lose")
    cut, through = (3, 1) if away is absent else (1, 3)
    assert outcomes(stage) == {cut: "cut", 2: "advanced", through: "advanced"}


@WAYS
def test_T26_the_table_holds_to_a_hand_sat_out_once(way):
    round_ = seated(3)
    penalty = sit_out(round_, 2)
    with refusal("penalty_sits_out") as no:
        way(shoe_of(round_), {1: 200, 2: 200, 3: 200})
    assert "Box 2" in no.value.message
    made = way(shoe_of(round_), {1: 200, 3: 200})
    assert Deal.objects.get(pk=made["deal"]).sits_out == {"2": penalty}
    if way is by_cards:
        dealing.deal_void(deal_id=made["deal"], reason="misdeal", key=new_key(), actor=None)
        with refusal("penalty_sits_out"):
            way(shoe_of(round_), {1: 200, 2: 200, 3: 200})
    else:
        with refusal("bet_missing"):
            way(shoe_of(round_), {1: 200, 3: 200})
        way(shoe_of(round_), {1: 200, 2: 200, 3: 200})


def test_T26_before_the_first_card_a_cancelled_penalty_is_bet_in_this_hand_and_a_new_one_sits_out_the_next():
    round_ = seated(2)
    penalty = sit_out(round_, 1)
    deal = by_cards(shoe_of(round_), {2: 200})["deal"]
    with refusal("penalty_sits_out"):
        dealing.deal_bets(deal_id=deal, bets={1: 200, 2: 200}, actor=None)
    penalty_cancel(penalty_id=penalty, reason="wrong person", key=new_key(), actor=None)
    with refusal("bet_missing"):
        dealing.deal_bets(deal_id=deal, bets={2: 400}, actor=None)
    dealing.deal_bets(deal_id=deal, bets={1: 200, 2: 200}, actor=None)
    assert Deal.objects.get(pk=deal).sits_out == {}
    sit_out(round_, 1)
    dealing.deal_bets(deal_id=deal, bets={1: 400, 2: 200}, actor=None)
    dealing.deal_void(deal_id=deal, reason="misdeal", key=new_key(), actor=None)
    assert by_results(shoe_of(round_), {2: 200})["number"] == 2


def test_T26_a_hand_that_the_player_could_not_bet_in_serves_no_penalty():
    round_ = seated(2)
    sit_out(round_, 1)
    absent(round_, 2)
    assert by_results(shoe_of(round_), {1: 200})["number"] == 1, "it waits where nobody else can bet"
    absent(round_, 2, False)
    absent(round_, 1)
    by_results(shoe_of(round_), {2: 200})
    absent(round_, 1, False)
    with refusal("penalty_sits_out"):
        by_results(shoe_of(round_), {1: 200, 2: 200})


def test_T26_a_void_hand_serves_no_penalty_and_a_corrected_one_does():
    round_ = seated(2)
    sit_out(round_, 1)
    deal = Deal.objects.get(pk=by_results(shoe_of(round_), {2: 200})["deal"])
    anew = {"bets": {2: 400}, "outcomes": {2: result("win")}}
    made = corrections.deal_correct(deal_id=deal.pk, reason="misread", key=new_key(), actor=None, **anew)
    with refusal("bet_missing"):
        by_results(shoe_of(round_), {2: 200})
    corrections.deal_correct(deal_id=made["deal"], void=True, reason="never dealt", key=new_key(), actor=None)
    by_results(shoe_of(round_), {2: 200})


def test_T26_simulated_players_hold_to_it_too():
    round_ = seated(2, kind=Event.Kind.REHEARSAL)
    shoe = shoe_of(round_)
    penalty = sit_out(round_, 1)
    shoe_seed(shoe_id=shoe.pk, seed=b"1" * 32, key=new_key(), actor=None)
    hand_play(shoe_id=shoe.pk, key=new_key(), actor=None)
    deal = Deal.objects.get()
    assert (list(deal.bets), deal.sits_out) == (["2"], {"1": penalty})
    hand_play(shoe_id=shoe.pk, key=new_key(), actor=None)
    assert set(Deal.objects.get(number=2).bets) == {"1", "2"}


def test_T26_the_table_shows_who_sits_the_hand_out():
    round_ = seated(2)
    shoe = shoe_of(round_)
    sit_out(round_, 1)
    row = table_view(shoe.table, round_).boxes[0]
    assert (row.may_bet, row.sits_out) == (False, True)
    page = dealer_at(shoe).get(url(shoe), {"mode": "cards"}).content.decode()
    assert ('name="bet-1"' in page, 'name="bet-2"' in page) == (False, True)
    by_results(shoe, {2: 200})
    assert table_view(shoe.table, round_).boxes[0].may_bet
