"""The table of a tie that is decided: its shoe, its page, and what the floor is told (T14, T19, T23, T33)."""

from __future__ import annotations

from typing import Any

import pytest

from pages.director.reads.floor_facts import table_lines
from pages.director.reads.tonight import stops
from tables.models import Shoe
from tables.selectors.basis import shoe_basis
from tables.selectors.table_view import table_view
from tables.services import dealing, seating, shoes
from tables.services.closing import tie_rule
from tests.cast.at_desk import Somebody, staff
from tests.cast.at_tables import waits
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import close, disqualify, hand, refusal, shoe_of, stack_at
from tests.cast.rounds import ended_with
from tests.cast.tied import code_at, play_off, sudden_death
from tournament.models import Round
from tournament.selectors.next_steps import state_now

pytestmark = pytest.mark.django_db
LEVEL2 = {1: 200, 2: 200}
BETS3 = {1: 200, 2: 200, 3: 200}


def lines(stage: Round) -> tuple[dict[int, str], Any]:
    found, facts = table_lines(Round.objects.get(pk=stage.pk))
    return {line.number: str(line.word) for line in found}, facts


@pytest.mark.parametrize("by", ["disqualification", "ruling"])
def test_T23_T26_a_play_off_that_no_hand_ends_leaves_no_shoe_in_play(by: str):
    stage = play_off()
    hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    if by == "disqualification":
        disqualify(stage.event, code_at(stage, 3))
    else:
        nobody_there(stage)
        advance = [code_at(stage, box) for box in (1, 2)]
        tie_rule(round_id=stage.parent_id, advance=advance, reason="nobody came", key=new_key(), actor=None)
    stage.refresh_from_db()
    assert stage.status == ("counted" if by == "disqualification" else "closed")
    assert shoe_of(stage).status == Shoe.Status.OVER
    assert by == "disqualification" or set(advance) <= set(close(stage.parent)["advanced"])


def nobody_there(stage: Round) -> None:
    away = {"absent": True, "reason": "gone", "actor": None}
    for stack in stage.stacks.filter(state="playing"):
        seating.stack_absent(stack_id=stack.pk, key=new_key(), **away)


def test_T33_with_fresh_chips_a_player_ends_with_those_alone():
    stage = sudden_death(sudden_death_chips=300)
    hand(shoe_of(stage), LEVEL2, b1="lose", b2="lose")
    hand(shoe_of(stage), LEVEL2, b1="win", b2="lose")
    assert ended_with(stage) == {code_at(stage, 1): 500, code_at(stage, 2): 100}


def test_T33_if_all_are_absent_they_stay_tied_and_the_event_ends():
    stage = sudden_death()
    nobody_there(stage)
    dealing.round_look(round_id=stage.pk, key=new_key(), actor=None)
    close(stage)
    stage.event.refresh_from_db()
    assert stage.event.status == "finished"
    assert list(stage.event.entries.values_list("place", "place_tied")) == [(1, True), (1, True)]


def test_T23_those_clearly_in_are_fixed_and_the_rest_go_on_with_fresh_stacks_where_they_have_none():
    stage = play_off(play_off_chips=400)
    hand(shoe_of(stage), dict.fromkeys((1, 2, 3), 400), b1="lose", b2="lose", b3="lose")
    assert set(stage.stacks.values_list("chips", "due_chips")) == {(400, 0)}
    hand(shoe_of(stage), BETS3, b1="win", b2="push", b3="push")
    stage.refresh_from_db()
    first = stack_at(stage, 1)
    assert (first.chips, first.outcome, first.state) == (0, "advanced", "settled")
    assert ended_with(stage) == {first.entry.code: 600}
    assert [row.shown_chips for row in table_view(shoe_of(stage).table, stage).boxes[:3]] == [600, 400, 400]
    assert (stage.status, stage.contested) == ("playing", 1)
    hand(shoe_of(stage), {2: 200, 3: 200}, b2="push", b3="lose")
    stage.refresh_from_db()
    assert stage.status == "counted"


def test_T23_a_ruling_leaves_what_the_play_off_has_decided():
    stage = play_off()
    first, second, third = (code_at(stage, box) for box in (1, 2, 3))
    hand(shoe_of(stage), BETS3, b1="win", b2="push", b3="push")
    nobody_there(stage)
    ruling: dict[str, Any] = {"round_id": stage.parent_id, "reason": "drawn lots", "actor": None}
    for advance, no in (([second, third], "play_off_decided"), ([first], "cut_winners_wrong")):
        with refusal(no):
            tie_rule(advance=advance, key=new_key(), **ruling)
    assert tie_rule(advance=[first, third], key=new_key(), **ruling)["advance"] == sorted([first, third])
    with refusal("no_tie", 409):
        tie_rule(advance=[first, second], key=new_key(), **ruling)


def test_T19_T33_the_table_of_a_decided_tie_has_no_end_and_no_further_shoe_while_others_play():
    """The cut card came out at table 1, and then its tie was decided otherwise than by a hand."""
    stage = sudden_death(4, groups=2)
    first, director = shoe_of(stage, 1), Somebody("director")
    hand(first, LEVEL2, b1="push", b2="push")
    shoes.shoe_end(shoe_id=first.pk, reason="the cut card", key=new_key(), actor=None)
    assert lines(stage)[1].next_shoe == (1,)
    disqualify(stage.event, code_at(stage, 1))
    words, facts = lines(stage)
    assert words == {1: "Decided", 2: "Seated"}
    assert (facts.playing, facts.next_shoe) == ((2,), ())
    with refusal("tie_decided", 409):
        shoes.shoe_next(round_id=stage.pk, table_id=first.table_id, key=new_key(), actor=None)
    answer = director.get(staff(stage.event, "tables/1/"))
    assert waits(answer) == "tie_done"
    other = director.get(staff(stage.event, "tables/2/")).content.decode()
    for offered in ("cut", "close", "absent"):
        assert f'value="{offered}"' in other
        assert f'value="{offered}"' not in answer.content.decode(), offered


def last_stops(event):
    """The states of the final and of the prizes, as Tonight shows them."""
    return [stop.state for stop in stops(event, state_now(event)) if stop.label in ("Final", "Prizes")]


def test_T19_the_shoe_of_a_decided_tie_is_not_ended_and_the_final_is_not_done_before_its_close():
    stage = sudden_death(4, groups=2)
    hand(shoe_of(stage, 1), LEVEL2, b1="win", b2="lose")
    with refusal("tie_decided", 409):
        shoes.shoe_end(shoe_id=shoe_of(stage, 1).pk, reason="over", key=new_key(), actor=UserFactory())
    hand(shoe_of(stage, 2), LEVEL2, b1="win", b2="lose")
    stage.refresh_from_db()
    stage.event.refresh_from_db()
    assert stage.status == "counted"
    assert "count" not in shoe_basis(shoe_of(stage, 2).pk).now, "nobody counts the chips of a tie"
    assert last_stops(stage.event) == ["now", ""]
    close(stage)
    stage.event.refresh_from_db()
    assert last_stops(stage.event) == ["done", "now"]


def test_T14_the_button_shown_is_the_one_that_the_next_hand_takes():
    """Places are fixed on the way: box 1 is decided, 2 and 3 play on, and one of them bets first."""
    stage = sudden_death(3, sudden_death_until="frozen")
    hand(shoe_of(stage), BETS3, b1="win", b2="push", b3="push")
    Shoe.objects.filter(round=stage).update(button_box=1)
    view = table_view(shoe_of(stage).table, Round.objects.get(pk=stage.pk))
    (shown,) = [row.box for row in view.boxes if row.button]
    assert shown == 2
    deal = dealing.deal_open(shoe_id=shoe_of(stage).pk, bets={2: 200, 3: 200}, mode="results", actor=None)
    assert shoe_of(stage).deals.get(pk=deal["deal"]).button_box == shown


def test_T23_T33_nobody_plays_for_a_tie_alone_where_one_table_holds_it():
    """The posted number is that of the rounds: three over a seat, or two over money, play together."""
    assert play_off(3, tables_count=2).shoes.count() == 1
    assert sudden_death(2, tables_count=2).shoes.count() == 1
    eight = play_off(8, tables_count=3, boxes_per_table=4)
    assert eight.shoes.count() == 2, "the fewest that hold them"
    assert play_off(3, tables_count=2, tie_tables="posted").shoes.count() == 2
    assert play_off(3, tie_tables="posted").shoes.count() == 1, "no number is posted"


def test_T23_a_table_that_waits_for_the_other_says_so_before_anything_is_pressed():
    stage = play_off(4, boxes_per_table=2)
    one, two = shoe_of(stage, 1), shoe_of(stage, 2)
    assert table_view(one.table).blocked == ""
    hand(one, LEVEL2, b1="win", b2="win")
    assert table_view(one.table).blocked and table_view(two.table).blocked == ""
    with refusal("wait_for_other_table", 409):
        hand(one, LEVEL2, b1="lose", b2="lose")
    assert waits(Somebody("dealer", "floor").get(staff(stage.event, "tables/1/"))) == "blocked"
    hand(two, LEVEL2, b1="win", b2="win")
    assert table_view(one.table).blocked == ""
    hand(one, LEVEL2, b1="lose", b2="lose")
    assert not stage.stacks.exclude(outcome="").exists()
    hand(two, LEVEL2, b1="push", b2="push")
    stage.refresh_from_db()
    assert stage.status == "counted"
