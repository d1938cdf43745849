"""The close of a round: the ranking, its cut and ties, play-off and sudden death (T19–T24, T33)."""

from __future__ import annotations

from collections import Counter

import pytest

from tables.models import Shoe
from tests.cast.at_tables import HTMX, Clerk, logged_in, url
from tests.cast.floor import (
    close,
    draw_and_seat,
    hand,
    payouts_post,
    play_and_count,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.html import data, read
from tests.cast.rounds import CUTS, address, counted, press
from tests.cast.worlds import kept
from tournament.models import Event, Round, Stack
from tournament.selectors.stages import round_cut

pytestmark = pytest.mark.django_db


def next_step(page):
    """What the round waits for; how many advance, how many seats are contested, and by how many."""
    return [data(page, name)[0] for name in ("step", "advance", "seats", "tied")]


def states(page):
    """How many players of a ranking are in each state."""
    return Counter(row.attrs["data-state"] for row in read(page.content.decode()).all(".srow"))


def test_T20_the_close_names_nobody_before_every_table_is_counted():
    round_ = seated(5, **CUTS)
    closes, client = address(round_, "close/"), logged_in("director")
    for over in (False, True):
        if over:
            shoe_over(shoe_of(round_))
        page = client.get(closes)
        assert (data(page, "code"), data(page, "advances")) == (["not_counted"], [])


def test_T20_the_close_names_nobody_where_the_round_is_closed_or_tied():
    round_ = counted(tied=True)
    page = logged_in("director").get(address(round_, "close/"))
    assert (data(page, "code"), data(page, "advances")) == (["tie_at_cut"], [])
    round_ = counted()
    close(round_)
    page = logged_in("director").get(address(round_, "close/"))
    assert (data(page, "code"), data(page, "advances")) == (["not_counted"], [])


def test_T20_the_cut_line_is_drawn_and_the_close_lists_who_advances():
    round_ = counted()
    client = logged_in("director")
    page = client.get(address(round_))
    assert next_step(page) == ["close", "3", "0", "0"]
    assert states(page) == {"advances": 3, "out": 2}
    assert len(read(page.content.decode()).all(".cutrow")) == 1
    codes = {stack_at(round_, box).entry.code for box in (1, 2, 3)}
    assert set(data(client.get(address(round_, "close/")), "advances")) == codes
    assert press(client, round_, "close").status_code == 303
    round_.refresh_from_db()
    assert round_.status == Round.Status.CLOSED
    closed = client.get(address(round_))
    assert data(closed, "step") == ["closed"]
    # T17: a hand of a closed round is put right too, and is found from here during the next one.
    assert f"/staff/{round_.event.slug}/deals/?round={round_.pk}" in closed.content.decode()
    assert "deals/?round=" not in logged_in("manager").get(address(round_)).content.decode()


@pytest.mark.parametrize(("rule", "advance"), [("out", 3), ("ranked", 4)])
def test_T15_the_closing_page_says_who_played_no_hand(rule, advance):
    """Whether the posted rules rank the stack or not: the director sees it before the close."""
    round_ = seated(4, cut_after_round_1=4, cut_after_round_2=2, no_hand=rule)
    hand(shoe_of(round_), {1: 200, 2: 200, 3: 200}, b1="win", b2="win", b3="lose")
    play_and_count(round_)
    code = stack_at(round_, 4).entry.code
    client = logged_in("director")
    ranking, closing = (client.get(address(round_, tail)).content.decode() for tail in ("", "close/"))
    assert f'data-no-hand="{code}"' in ranking
    assert (closing.count("data-no-hand"), closing.count(f'data-no-hand="{code}"')) == (1, 1)
    assert closing.count("data-advances") == advance


def test_T19_a_round_that_is_played_shows_its_ranking_and_cannot_be_closed():
    round_ = seated(5, **CUTS)
    client = logged_in("director")
    assert data(client.get(address(round_)), "step") == ["playing"]
    hand(shoe_of(round_), {1: 200}, b1="push")
    page = client.get(address(round_))
    assert (data(page, "step"), states(page)) == (["playing"], {"level": 5})
    answer = press(client, round_, "close")
    assert (answer.status_code, "not_counted" in data(answer, "code")) == (409, True)


def test_T23_a_tie_at_the_cut_is_played_off_and_the_close_given_back():
    round_ = counted(tied=True)
    client = logged_in("director")
    page = client.get(address(round_))
    assert next_step(page) == ["play_off", "1", "2", "3"]
    assert states(page)["plays_off"] == 3
    answer = press(client, round_, "close")
    assert (answer.status_code, "tie_at_cut" in data(answer, "code")) == (422, True)
    play_off = draw_and_seat(round_.event)
    assert data(client.get(address(round_)), "step") == ["playing_off"]
    page = client.get(address(play_off))
    assert (data(page, "seats"), states(page)) == (["2"], {"playing": 3})
    shoe = shoe_of(play_off)
    hand(shoe, {1: 1000, 2: 200, 3: 200}, b1="win", b2="win", b3="lose")
    page = client.get(address(play_off))
    assert (data(page, "step"), states(page)) == (["counted"], {"advances": 2, "out": 1})
    assert next_step(client.get(address(round_)))[0] == "playing_off"
    assert press(client, play_off, "close").status_code == 303
    assert next_step(client.get(address(round_)))[:2] == ["close", "3"]
    assert press(client, round_, "close").status_code == 303


def test_T23_a_further_shoe_of_a_play_off_is_begun_at_its_table():
    round_ = counted(tied=True)
    play_off = draw_and_seat(round_.event)
    shoe_over(shoe_of(play_off))
    clerk = Clerk(logged_in("floor"), shoe_of(play_off))
    assert 'value="next_shoe"' in clerk.client.get(url(clerk.shoe)).content.decode()
    assert clerk.press("next_shoe").status_code == 200
    assert shoe_of(play_off).number == 2
    assert shoe_of(play_off).status == Shoe.Status.DEALING


def test_T23_where_the_rules_leave_it_to_the_director_the_ruling_is_made_here():
    round_ = counted(tied=True, tie_at_cut="director")
    client = logged_in("director")
    assert next_step(client.get(address(round_))) == ["rule", "1", "2", "3"]
    codes = [stack_at(round_, box).entry.code for box in (2, 3)]
    answer = press(client, round_, "rule", advance=codes[:1], reason="Longest here")
    assert (answer.status_code, data(answer, "code")[0]) == (422, "cut_winners_wrong")
    assert f'value="{codes[0]}" checked' in answer.content.decode()
    assert "Longest here" in answer.content.decode()
    assert press(client, round_, "rule", advance=codes, reason="").status_code == 422
    assert press(logged_in("floor"), round_, "rule", advance=codes, reason="x").status_code == 403
    assert press(client, round_, "rule", advance=codes, reason="Longest here").status_code == 303
    assert press(client, round_, "close").status_code == 303
    advanced = Stack.objects.filter(round=round_, outcome=Stack.Outcome.ADVANCED)
    assert set(codes) < set(advanced.values_list("entry__code", flat=True))


@pytest.mark.parametrize(("boxes", "word"), [(4, "close"), (3, "play_off")])
def test_T23_all_tied_advance_only_where_there_are_boxes_for_all(boxes: int, word: str):
    round_ = counted(tied=True, tie_at_cut="all_advance")
    table = round_.shoes.get().table
    table.boxes_out = list(range(boxes + 1, 8))
    table.save()
    client = logged_in("director")
    page = client.get(address(round_))
    assert data(page, "step") == [word]
    if word == "close":
        assert data(page, "advance") == ["4"]
        assert press(client, round_, "close").status_code == 303
        return
    assert press(client, round_, "close").status_code == 422
    play_off = draw_and_seat(round_.event)
    assert (play_off.kind, play_off.stakes["contested"]) == ("play_off", 2)
    table.boxes_out = []
    table.save()
    assert round_cut(round_).open_tie


@kept
def final(*prizes: int) -> Round:
    """A closed last round of four, in which boxes 1 and 2 are tied for second place."""
    round_ = seated(4, **{"cut_after_round_1": 4, "cut_after_round_2": 4})
    event = round_.event
    for number in (1, 2, 3):
        if number > 1:
            round_ = draw_and_seat(event)
        bets = {1: 400, 2: 400, 3: 600, 4: 200} if number == 3 else {1: 200}
        hand(shoe_of(round_), bets, **{f"b{box}": "win" if number == 3 else "push" for box in bets})
        play_and_count(round_)
        assert press(logged_in("director"), round_, "close").status_code == 303
        round_.refresh_from_db()
        if number == 1:
            payouts_post(event, *prizes)
    event.refresh_from_db()
    return round_


def test_T33_a_tie_for_money_names_its_places_and_sudden_death_decides_it():
    round_ = final(500_00, 300_00, 100_00)
    client = logged_in("director")
    page = client.get(address(round_))
    assert (data(page, "places"), data(page, "cents")) == (["2 3"], ["30000 10000"])
    sudden = draw_and_seat(round_.event)
    assert data(client.get(address(sudden)), "places") == ["2 3"]
    hand(shoe_of(sudden), {1: 400, 2: 200}, b1="win", b2="lose")
    assert data(client.get(address(sudden)), "step") == ["counted"]
    assert press(client, sudden, "close").status_code == 303
    assert Event.objects.get(pk=round_.event_id).status == Event.Status.FINISHED


def test_T20_the_last_round_cuts_nobody():
    page = logged_in("director").get(address(final(500_00, 200_00, 200_00)))
    (ranking,) = read(page.content.decode()).all(".ranking")
    assert not ranking.all(".pill", ".cutrow")


def test_T33_the_director_goes_on_without_who_is_absent():
    round_ = counted(tied=True)
    play_off = draw_and_seat(round_.event)
    client = logged_in("director")
    shoe = shoe_of(play_off)
    clerk = Clerk(logged_in("floor"), shoe)
    for box in (1, 2):
        clerk.press("absent", stack=stack_at(play_off, box).pk, reason="Went home")
    assert press(client, play_off, "look").status_code == 303
    states = Stack.objects.filter(round=play_off).values_list("outcome", flat=True)
    assert Stack.Outcome.ADVANCED in states


def test_a_round_of_another_event_is_404_and_an_unknown_button_a_sentence():
    round_, other = counted(), seated(2)
    client = logged_in("director")
    assert client.get(f"/staff/{other.event.slug}/rounds/{round_.pk}/").status_code == 404
    answer = press(client, round_, "x")
    assert (answer.status_code, data(answer, "code")[0]) == (422, "unknown_action")
    assert client.get(address(round_), **HTMX).status_code == 200
