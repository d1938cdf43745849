"""The close of a round: the ranking, its cut and ties, play-off and sudden death (T19–T24, T33)."""

from __future__ import annotations

import pytest

from tables.models import Shoe
from tests.cast.at_tables import HTMX, Clerk, logged_in, sentence, text, url
from tests.cast.floor import (
    draw_and_seat,
    hand,
    payouts_post,
    play_and_count,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.rounds import CUTS, address, counted, press
from tests.cast.worlds import kept
from tournament.models import Event, Round, Stack
from tournament.selectors.stages import round_cut

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("role", "page", "closing"),
    [
        ("director", 200, 200),
        ("floor", 200, 403),
        ("manager", 200, 403),
        ("auditor", 200, 200),
        ("dealer", 403, 403),
        ("cashier", 403, 403),
    ],
)
def test_the_page_opens_for_its_roles(role, page, closing):
    round_ = counted()
    client = logged_in(role)
    assert client.get(address(round_)).status_code == page
    assert client.get(address(round_, "close/")).status_code == closing
    if role != "director":
        assert press(client, round_, "close").status_code == 403
        round_.refresh_from_db()
        assert round_.status == Round.Status.COUNTED


def test_T20_the_close_names_nobody_who_advances_before_every_table_is_counted():
    round_ = seated(5, **CUTS)
    client = logged_in("director")
    page = text(client.get(address(round_, "close/")))
    assert "has not been counted at every table yet" in page
    assert "advance:" not in page
    shoe_over(shoe_of(round_))
    assert "advance:" not in text(client.get(address(round_, "close/")))


@pytest.mark.parametrize(
    ("closed", "words"), [(True, "is closed already"), (False, "tied for 2 of the seats")]
)
def test_T20_the_close_of_what_is_closed_or_tied_says_so(closed, words):
    round_ = counted(tied=not closed)
    client = logged_in("director")
    assert ("3 players advance" in text(client.get(address(round_, "close/")))) is closed
    if closed:
        assert press(client, round_, "close").status_code == 303
    page = text(client.get(address(round_, "close/")))
    assert words in page
    assert "advance:" not in page


def test_T20_the_cut_line_is_drawn_and_the_close_lists_who_advances():
    round_ = counted()
    client = logged_in("director")
    page = client.get(address(round_))
    assert "Top 3 advance" in text(page)
    assert text(page).count("Advances") == 3
    confirm = client.get(address(round_, "close/"))
    names = [stack_at(round_, box).entry.code for box in (1, 2, 3)]
    assert all(code in text(confirm) for code in names)
    assert stack_at(round_, 4).entry.code not in text(confirm)
    assert press(client, round_, "close").status_code == 303
    round_.refresh_from_db()
    assert round_.status == Round.Status.CLOSED
    closed = client.get(address(round_))
    assert "final" in text(closed)
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
    page = text(client.get(address(round_)))
    assert "Seated, not begun" in page and "No hand has been dealt in it." in page
    assert "Still being played" not in page
    hand(shoe_of(round_), {1: 200}, b1="push")
    page = text(client.get(address(round_)))
    assert "Still being played" in page and "not begun" not in page
    assert "On the line" in page
    assert "Advances" not in page
    answer = press(client, round_, "close")
    assert (answer.status_code, "counted" in sentence(answer)) == (409, True)


def test_T23_a_tie_at_the_cut_is_spelled_out_and_played_off():
    round_ = counted(tied=True)
    client = logged_in("director")
    page = text(client.get(address(round_)))
    assert "3 players tied for 2 seats" in page
    assert page.count("Plays off") == 3
    assert "Draw the play-off" in page
    draw = text(client.get(f"/staff/{round_.event.slug}/draw/"))
    assert "Locking posts the names" in draw
    assert "seated by hand" not in draw
    answer = press(client, round_, "close")
    assert (answer.status_code, "tied" in sentence(answer)) == (422, True)


def test_T23_a_play_off_shows_who_is_in_and_who_goes_on_and_gives_the_close_back():
    round_ = counted(tied=True)
    play_off = draw_and_seat(round_.event)
    client = logged_in("director")
    assert "are playing off" in text(client.get(address(round_)))
    page = text(client.get(address(play_off)))
    assert "Played for 2 seats" in page
    assert page.count("Still playing") == 3
    shoe = shoe_of(play_off)
    hand(shoe, {1: 1000, 2: 200, 3: 200}, b1="win", b2="win", b3="lose")
    page = text(client.get(address(play_off)))
    assert page.count("Advances") == 2
    assert "The tie is decided. The director closes it." in text(client.get(url(shoe)))
    page = text(client.get(address(play_off)))
    assert "The seats are decided" in page
    assert "have played off" in text(client.get(address(round_)))
    assert "Who has won a seat" in text(client.get(address(play_off) + "close/"))
    assert press(client, play_off, "close").status_code == 303
    page = text(client.get(address(round_)))
    assert "3 players advance" in page
    assert press(client, round_, "close").status_code == 303


def test_T23_a_further_shoe_of_a_play_off_is_begun_at_its_table():
    round_ = counted(tied=True)
    play_off = draw_and_seat(round_.event)
    shoe_over(shoe_of(play_off))
    clerk = Clerk(logged_in("floor"), shoe_of(play_off))
    page = clerk.client.get(url(clerk.shoe))
    assert "Begin the next shoe" in text(page)
    assert clerk.press("next_shoe").status_code == 200
    assert shoe_of(play_off).number == 2
    assert shoe_of(play_off).status == Shoe.Status.DEALING


def test_T23_where_the_rules_leave_it_to_the_director_the_ruling_is_made_here():
    round_ = counted(tied=True, tie_at_cut="director")
    client = logged_in("director")
    page = client.get(address(round_))
    assert "Choose 2 who advance" in text(page)
    codes = [stack_at(round_, box).entry.code for box in (2, 3)]
    answer = press(client, round_, "rule", advance=codes[:1], reason="Longest in the house")
    assert (answer.status_code, "exactly 2" in sentence(answer)) == (422, True)
    assert f'value="{codes[0]}" checked' in answer.content.decode()
    assert "Longest in the house" in answer.content.decode()
    assert press(client, round_, "rule", advance=codes, reason="").status_code == 422
    assert press(logged_in("floor"), round_, "rule", advance=codes, reason="x").status_code == 403
    assert press(client, round_, "rule", advance=codes, reason="Longest in the house").status_code == 303
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
    page = text(client.get(address(round_)))
    if word == "close":
        assert "4 players advance" in page
        assert press(client, round_, "close").status_code == 303
        return
    assert press(client, round_, "close").status_code == 422
    assert "play-off" in page.lower()
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
    page = text(client.get(address(round_)))
    assert "Sudden death decides a tie for money" in page
    assert "2nd to 3rd" in page
    assert "$300" in page
    sudden = draw_and_seat(round_.event)
    assert "2nd to 3rd" in text(client.get(address(sudden)))
    hand(shoe_of(sudden), {1: 400, 2: 200}, b1="win", b2="lose")
    page = text(client.get(address(sudden)))
    assert "No tie for money is left" in page
    assert press(client, sudden, "close").status_code == 303
    assert Event.objects.get(pk=round_.event_id).status == Event.Status.FINISHED


def test_T20_the_last_round_cuts_nobody():
    round_ = final(500_00, 200_00, 200_00)
    page = logged_in("director").get(address(round_)).content.decode()
    ranking = page[page.index('class="standings') :]
    assert "pill" not in ranking
    assert "cutrow" not in ranking


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
    assert (answer.status_code, bool(sentence(answer))) == (422, True)
    assert client.get(address(round_), **HTMX).status_code == 200
