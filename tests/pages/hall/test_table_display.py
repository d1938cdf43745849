"""The display of a table: what is public of it, box by box, and nothing of a hand that is open."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tables.models import Shoe
from tables.selectors.floor import seats_live
from tests.cast import floor as cast
from tournament.selectors.floor import TableProgress
from tournament.selectors.hands_left import hands_about
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def picture(client: Client, shoe: Shoe, tag: str = "") -> Any:
    address = reverse("tournament:table_picture", args=[shoe.round.event.slug, shoe.table.number])
    return client.get(address, headers={"If-None-Match": tag} if tag else {})


@pytest.fixture
def shoe() -> Shoe:
    """Four players at table 1; one hand is settled: the player of box 1 won 200 with a bet of 200."""
    made = cast.shoe_of(cast.seated(4))
    bets = dict.fromkeys(range(1, 5), 200)
    cast.by_results(made, bets, {box: cast.result("win" if box == 1 else "lose", bet=200) for box in bets})
    standings_recompute(event_id=made.round.event_id)
    return Shoe.objects.get(pk=made.pk)


def test_players_stacks_changes_and_the_button_stand_by_box(client: Client, shoe: Shoe) -> None:
    content = picture(client, shoe).content.decode()
    rows = re.findall(r'data-box="(\d)" data-stack="(\d+)"( data-button)?', content)
    assert [(box, int(stack)) for box, stack, _ in rows] == [
        (str(box), cast.chips_at(shoe.round, box)) for box in range(1, 5)
    ]
    assert [box for box, _, button in rows if button] == [str(shoe.button_box)]
    assert 'data-hands="1"' in content


def test_T16_nothing_of_an_open_hand_is_shown(client: Client, shoe: Shoe) -> None:
    before = picture(client, shoe)
    deal = cast.opened(shoe, dict.fromkeys(range(1, 5), 200))
    assert deal.status == "open"
    standings_recompute(event_id=shoe.round.event_id)
    after = picture(client, shoe)
    assert after.content == before.content


def test_T23_in_a_play_off_those_who_play_it_are_shown_at_their_boxes(client: Client) -> None:
    """Box 1 has won the round; the other three play off at the same table, at boxes that are drawn anew."""
    round_ = cast.seated(4, cut_after_round_1=2, cut_after_round_2=2)
    bets = dict.fromkeys(range(1, 5), 200)
    outcomes = {box: cast.result("win" if box == 1 else "lose", bet=200) for box in bets}
    cast.by_results(cast.shoe_of(round_), bets, outcomes)
    cast.play_and_count(round_)
    play_off = cast.draw_and_seat(round_.event)
    standings_recompute(event_id=round_.event_id)
    content = picture(client, cast.shoe_of(play_off)).content.decode()
    shown = re.findall(r'data-entry="(\w+)" data-box="(\d)"', content)
    assert shown == [(seat.entry.code, str(seat.box)) for seat in seats_live(play_off)]
    assert len(shown) == 3


def test_an_unchanged_table_costs_two_queries(
    client: Client, shoe: Shoe, django_assert_num_queries: Any
) -> None:
    tag = picture(client, shoe)["ETag"]
    with django_assert_num_queries(2):
        assert picture(client, shoe, tag).status_code == 304


def test_the_end_of_the_shoe_is_shown(client: Client, shoe: Shoe) -> None:
    tag = picture(client, shoe)["ETag"]
    cast.shoe_over(shoe)
    content = picture(client, shoe, tag).content.decode()
    assert re.findall(r'hands-left="(\d*)" data-state="(\w+)"', content) == [("", "over")]


def test_a_table_that_is_not_there_and_one_where_nobody_sits(client: Client, shoe: Shoe) -> None:
    slug = shoe.round.event.slug
    for name in ("table_display", "table_picture"):
        assert client.get(reverse(f"tournament:{name}", args=[slug, 99])).status_code == 404
    empty = cast.event_make(2)
    page = client.get(reverse("tournament:table_display", args=[empty.slug, 1]))
    assert page.status_code == 200
    assert "data-box" not in page.content.decode()


@pytest.mark.parametrize(("asked", "over"), [("", False), ("?overlay=1", True), ("?overlay=0", False)])
def test_the_overlay_has_no_ground(client: Client, shoe: Shoe, asked: str, over: bool) -> None:
    address = reverse("tournament:table_display", args=[shoe.round.event.slug, 1])
    assert ('tv is-over"' in client.get(address + asked).content.decode()) == over


@pytest.mark.parametrize(
    ("dealt", "hands", "left"),
    [(0, 0, 14), (0, 13, 1), (0, 20, 1), (1, 5, 9), (130, 5, 5), (259, 10, 1), (400, 10, 1)],
)
def test_hands_left_go_by_the_cards_and_never_fall_below_one_while_the_shoe_is_played(
    dealt: int, hands: int, left: int
) -> None:
    table = TableProgress(1, hands, "dealing", decks=6, cards_out=dealt)
    assert hands_about(table) == left
    assert hands_about(replace(table, last_hand=True)) is None
