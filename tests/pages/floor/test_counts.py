"""Counts: two people, blind; the ruling; counted again; the sheet on paper (T18)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session

from tables.models import CountSheet, Shoe
from tables.services import counts
from tests.cast.at_tables import dealer_at, logged_in, text, url
from tests.cast.counting import COUNTED, answer, basis_of, press, recount, rule, staff
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    close,
    count_both,
    hand,
    person,
    play_and_count,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.html import data, read
from tests.cast.pages import next_of
from tests.cast.tied import play_off
from tests.cast.worlds import kept
from tournament.models import Event, Request
from tournament.services import pins
from tournament.services.penalties import penalty_add

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough password"
FIRST = {1: 5400, 2: 4800, 3: 5000}


def typed(page) -> dict[str, str]:
    """Box → the figure in its field, for a page that asks for a count."""
    html = page if isinstance(page, str) else page.content.decode()
    return dict(re.findall(r'name="chips-(\d)" value="([^"]*)"', html))


@pytest.fixture
@kept
def shoe(db) -> Shoe:
    """A shoe of three boxes that is over, after a hand: 5,400, 4,800 and 5,000."""
    shoe = shoe_of(seated(3))
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    return shoe


def test_T18_a_second_person_counts_blind_at_the_same_tablet_by_pin(shoe):
    tablet, floor = dealer_at(shoe), person("floor")
    other = person("dealer")
    pins.pin_set(pin="204816", proved=True, key=new_key(), actor=floor)
    assert 'name="pin"' not in tablet.get(url(shoe, "count/")).content.decode(), "the first is the log-in's"
    assert press(tablet, shoe, chips={**FIRST, 2: 4600}).status_code == 303
    page = logged_in("floor").get(url(shoe, "count/")).content.decode()
    assert 'name="chips-1"' in page and not re.search("4,?600|5,?400", page)
    answer = press(tablet, shoe, chips=FIRST)
    assert (answer.status_code, "same_person" in data(answer, "code")) == (403, True)
    page = tablet.get(url(shoe, "count/")).content.decode()
    offered = re.findall(r'<option value="([^"]+)"', page)
    assert floor.username in offered and not {tablet.user.username, other.username} & set(offered)
    assert not re.search("4,?600", page)
    floor_s, other_s, own = (each.username for each in (floor, other, tablet.user))
    for who, pin in ((floor_s, "204817"), (other_s, "204816"), (own, "204816"), (f"{floor_s}\x00", "204817")):
        answer = press(tablet, shoe, chips=FIRST, who=who, pin=pin)
        page = answer.content.decode()
        assert (answer.status_code, data(page, "code")) == (403, ["not_signed"])
        assert typed(page)["1"] == "5400" and pin not in page and "4600" not in page
    assert press(tablet, shoe, chips=FIRST, who=floor.username, pin="204816").status_code == 303
    first, second = CountSheet.objects.order_by("which")
    assert (first.counted_by, second.counted_by) == (tablet.user, floor)
    assert tablet.get("/house/").wsgi_request.user == tablet.user
    entry = shoe.round.event.journal.latest("seq")
    assert (entry.actor, entry.body["noted"]["tablet"]) == (floor, tablet.user.pk)
    assert "204816" not in str(entry.body)


def test_T18_the_box_that_differs_is_counted_again_blind_at_the_same_tablet(shoe):
    tablet, floor, director = dealer_at(shoe), logged_in("floor"), logged_in("director")
    pins.pin_set(pin="204816", proved=True, key=new_key(), actor=floor.user)
    press(tablet, shoe, chips=FIRST)
    press(floor, shoe, chips={**FIRST, 2: 4600})
    for client in (tablet, floor):
        page = client.get(url(shoe, "count/")).content.decode()
        assert re.findall(r'name="(chips-\d)"', page) == ["chips-2"]
        assert not re.search("4,?[68]00", page), page[7300:7700]
        assert "200" not in text(client.get(f"/staff/{shoe.round.event.slug}/"))
    page = director.get(url(shoe, "count/")).content.decode()
    assert "4,600" in page and "data-recount" in page and 'value="again"' not in page
    answer = press(tablet, shoe, "again", {2: 4650}, who=floor.user.username, pin="204816")
    assert (answer.status_code, typed(answer)) == (422, {"2": "4650"})
    assert press(tablet, shoe, "again", {2: 4800}).status_code == 303
    answer = press(tablet, shoe, "again", {2: 4600})
    assert data(answer, "code") == ["counted_again"]
    signed = {"who": floor.user.username, "pin": "204816"}
    assert press(tablet, shoe, "again", {2: 4800}, **signed).status_code == 303
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.COUNTED
    assert CountSheet.objects.get(which=2, status="live").counted_by == floor.user
    late = press(tablet, shoe, "again", {2: 4700}, **signed)
    assert late.status_code == 409 and "4,700" in text(late)


def test_T18_figures_typed_for_a_count_outlive_the_session_and_the_pin_does_not(shoe):
    tablet, floor = dealer_at(shoe), person("floor")
    press(tablet, shoe, chips=FIRST)
    page = tablet.get(url(shoe, "count/")).content.decode()
    typed_by = re.search(r'name="typed_by" value="([^"]+)"', page)[1]
    tablet.logout()
    sent = {"chips": {**FIRST, 2: 4600}, "who": floor.username, "pin": "204816", "typed_by": typed_by}
    login = press(tablet, shoe, **sent)["Location"]
    assert "204816" not in str([each.get_decoded() for each in Session.objects.all()])
    fields = {"username": tablet.user.username, "password": PASSWORD}
    shown = tablet.post(login, {**fields, "next": url(shoe, "count/")}, follow=True)
    page = shown.content.decode()
    assert set(data(page, "code")) == {"not_saved"}
    assert typed(page)["2"] == "4600" and "204816" not in page
    assert CountSheet.objects.count() == 1


def test_T18_a_manager_makes_the_second_count_and_not_the_first(shoe):
    manager, here = logged_in("manager"), url(shoe, "count/")
    assert not typed(manager.get(here))
    answer = press(manager, shoe, chips=FIRST)
    assert (answer.status_code, "not_yours_to_count" in data(answer, "code")) == (403, True)
    press(dealer_at(shoe), shoe, chips=FIRST)
    assert typed(manager.get(here))
    assert f'id="next-go" class="btn btn-go" href="{here}"' in manager.get(staff(shoe)).content.decode()
    assert press(manager, shoe, chips={**FIRST, 2: 4600}).status_code == 303
    for do in ("rule", "reopen"):
        assert press(manager, shoe, do, FIRST, reason="x").status_code == 403


def test_T18_two_equal_counts_close_the_table_and_are_hidden_once_they_are_taken_back(shoe):
    press(dealer_at(shoe), shoe, chips=FIRST)
    floor, here = logged_in("floor"), url(shoe, "count/")
    press(floor, shoe, chips={1: "5,400", 2: "4 800", 3: "5000"})
    page = floor.get(here)
    assert data(page, "counting") == ["counted"] and "4,800" in text(page)
    assert press(dealer_at(shoe), shoe, "reopen", reason="x").status_code == 403
    assert press(floor, shoe, "reopen", reason="").status_code == 422
    assert press(floor, shoe, "reopen", reason="Box 2 moved").status_code == 303
    counts.count_enter(shoe_id=shoe.pk, chips=FIRST, key=new_key(), actor=UserFactory())
    assert "4,800" not in text(floor.get(here))
    press(floor, shoe, chips=FIRST)
    page = floor.get(here)
    assert data(page, "counting") == ["counted", "taken_back"]
    assert data(page, "taken-back-by") == [floor.user.username] and "Box 2 moved" in text(page)
    shoe.round.refresh_from_db()
    close(shoe.round)
    answer = press(floor, shoe, "reopen", reason="Too late")
    assert (answer.status_code, data(answer, "code")[0]) == (409, "round_closed")


def test_T18_counts_that_differ_stand_side_by_side_and_the_director_rules(shoe):
    press(dealer_at(shoe), shoe, chips=FIRST)
    floor, sent = logged_in("floor"), {"chips": {**FIRST, 2: 4600}, "key": new_key()}
    press(floor, shoe, **sent)
    assert press(floor, shoe, "rule", FIRST, reason="x").status_code == 403
    director = logged_in("director")
    page = director.get(url(shoe, "count/"))
    assert data(page, "counting") == ["differ"]
    at, names = data(page, "box").index("2"), ("first", "second", "hands", "ruled")
    assert [data(page, name)[at] for name in names] == ["4800", "4600", "4800", ""]
    answer = press(director, shoe, "rule", FIRST, reason=" ")
    assert (answer.status_code, data(answer, "code")) == (422, ["reason_missing"])
    assert press(director, shoe, "rule", FIRST, reason="Seen twice").status_code == 303
    assert data(director.get(url(shoe, "count/")), "counting") == ["ruled"]
    assert chips_at(shoe.round, 2) == 4800
    recount(shoe)
    assert press(floor, shoe, **sent).status_code == 303, "sent once more, after both were withdrawn"


def test_T18_equal_counts_say_by_how_much_they_differ_from_the_hands(both):
    page = logged_in("director").get(url(both, "count/"))
    assert (data(page, "counting"), data(page, "from-hands")) == (["differ"], ["-400"])


def test_T18_figures_that_cannot_be_are_refused_and_stay_typed(shoe):
    for chips, code in (("5450", "not_whole_chips"), ("many", "not_a_number"), ("", "box_missing")):
        answer = press(dealer_at(shoe), shoe, chips={**FIRST, 1: chips})
        assert (answer.status_code, data(answer, "code")) == (422, [code])
        assert typed(answer) == {"1": chips, "2": "4800", "3": "5000"}
    assert not CountSheet.objects.exists()


def test_T18_the_sheet_has_a_line_for_every_box_twice_and_the_way_back(shoe):
    page = dealer_at(shoe).get(url(shoe, "count/sheet/"))
    assert text(page).count("E001") == 2 and "5,400" not in text(page)
    assert 'class="qr"' in page.content.decode()


def test_a_shoe_that_is_played_is_not_counted_and_hostile_presses_are_sentences():
    shoe, client = shoe_of(seated(3)), logged_in("director")
    assert data(client.get(url(shoe, "count/")), "stage") == ["playing"]
    assert press(client, shoe, chips={1: 5000, 2: 5000, 3: 5000}).status_code == 409
    for sent in ({"do": "x"}, {"do": "enter", "shoe": "x"}, {"do": "enter", "shoe": "999999999"}):
        answer = client.post(url(shoe, "count/"), {"key": new_key(), **sent})
        assert 400 <= answer.status_code < 500
        assert data(answer, "code")


def test_T18_the_count_says_that_an_open_play_off_rests_on_it():
    page = logged_in("floor").get(url(shoe_of(play_off().parent), "count/"))
    assert data(page, "code") == ["tie_open"]


# -- A count that came too late -------------------------------------------------------------------------

IN, LATE = {1: 5000, 2: 4800, 3: 6200}, {1: 5000, 2: 4800, 3: 6300}


@pytest.fixture
@kept
def due(db) -> Shoe:
    """Three boxes on counts alone, to be counted."""
    due = shoe_of(seated(3, record_mode="counts"))
    shoe_over(due)
    return due


def counted(due, chips=IN):
    counts.count_enter(shoe_id=due.pk, chips=chips, key=new_key(), actor=UserFactory())


def late(client, due, seen, chips=LATE):
    """What a count that came too late gives back: box → what was typed, and both counts where they show."""
    answer = press(client, due, "enter", chips, basis=seen)
    assert answer.status_code in (403, 409)
    rows = [each.attrs for each in read(answer.content.decode()).all("tr") if "data-typed" in each.attrs]
    names = ("data-typed", "data-first", "data-second")
    return {int(row["data-box"]): tuple(row.get(name, "") for name in names) for row in rows}, answer


@pytest.fixture
def seen(due) -> Callable[[Any], str]:
    """What the page of somebody is made from."""
    return lambda client: basis_of(client.get(url(due, "count/")))


def test_T18_a_late_second_count_is_given_back_beside_both_counts(due, seen):
    counted(due)
    floor = logged_in("floor")
    before = seen(floor)
    counted(due)
    boxes, answer = late(floor, due, before)
    assert "given_back" in data(answer, "code")
    assert (boxes[1], boxes[3]) == (("5,000", "5000", "5000"), ("6,300", "6200", "6200"))
    assert CountSheet.objects.filter(shoe=due).count() == 2 and chips_at(due.round, 3) == 6200
    # What is no figure is given back as it was typed.
    answer = press(floor, due, chips={1: "<b>x", 2: "9" * 400, 3: "6 200"}, basis=before)
    page = answer.content.decode()
    assert answer.status_code in (409, 422) and "&lt;b&gt;x" in page and "9" * 21 not in page
    assert "6,200" in page
    assert press(floor, due, "reopen", reason="6,300 it was").status_code == 303, "it can be counted anew"


def test_T18_a_late_first_count_shows_nothing_of_the_count_that_is_in(due, seen):
    floor = logged_in("floor")
    before = seen(floor)
    counts.count_enter(shoe_id=due.pk, chips=IN, key=new_key(), actor=floor.user)
    boxes, answer = late(floor, due, before)
    assert boxes[3] == ("6,300", "", "") and "6,200" not in answer.content.decode()
    # The form of the second has what another typed.
    boxes, answer = late(logged_in("floor"), due, before)
    assert 'value="6300"' in answer.content.decode() and "6200" not in answer.content.decode()
    assert not boxes


def test_T18_the_counts_differ_and_a_late_third_does_not_fill_in_the_ruling(due, seen):
    counted(due)
    director = logged_in("director")
    before = seen(director)
    counted(due, IN | {3: 6100})
    boxes, answer = late(director, due, before)
    assert boxes[3] == ("6,300", "6200", "6100")
    assert 'value="6300"' not in answer.content.decode(), "nobody rules by a press of the other form"


# -- A ruling that moves chips, from the asking to its end (T18, T26) ------------------------------------


@pytest.fixture
@kept
def both(db) -> Shoe:
    """Three boxes: the hands say 5,400, 4,800 and 5,000; both have counted 5,000 in box 1."""
    both = shoe_of(seated(3))
    hand(both, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(both)
    count_both(both, COUNTED)
    return both


def test_T18_T19_while_it_waits_nobody_is_offered_another_ruling_or_the_close(both):
    director, dealer = logged_in("director"), dealer_at(both)
    page = dealer.get(url(both), headers={"HX-Request": "true"}).content.decode()
    watch = {"since": page.split("since=")[1].split("&")[0]}
    assert dealer.get(url(both), watch, headers={"HX-Request": "true"}).status_code == 204
    seen = basis_of(director.get(url(both, "count/")))
    rule(director, both)
    # A dealer's tablet asks again and again: nothing has changed, until a second person is asked.
    assert dealer.get(url(both), watch, headers={"HX-Request": "true"}).status_code == 200
    page = director.get(url(both, "count/")).content.decode()
    assert data(page, "counting") == ["ruling_waits"]
    assert 'value="rule"' not in page and 'value="reopen"' in page
    refused = rule(director, both, COUNTED)
    assert (refused.status_code, "ruling_waits" in data(refused, "code")) == (409, True)
    late = press(director, both, "rule", COUNTED, reason="x", basis=seen)
    assert (late.status_code, data(late, "code")[0]) == (409, "stale")
    for tail in ("", "close/"):
        assert "ruling_waits" in data(director.get(staff(both, f"rounds/{both.round_id}/{tail}")), "code")


def test_T18_confirmed_by_a_manager_every_page_names_both_persons(both):
    director, manager = logged_in("director"), logged_in("manager")
    rule(director, both)
    assert answer(director, both).status_code == 403
    assert answer(manager, both).status_code == 303
    assert chips_at(both.round, 1) == 5600
    rounds, ruled = staff(both, f"rounds/{both.round_id}/"), ("5000", "5000", "5400", "5600")

    def told(path):
        """The figures of box 1: what both counted, what the hands say, what was ruled."""
        page = director.get(path)
        assert data(page, "ruled-by") == [director.user.username], path
        assert data(page, "confirmed-by") == [manager.user.username], path
        assert not data(page, "waits") and "A chip lay on the floor" in text(page), path
        at = data(page, "box").index("1")
        assert tuple(data(page, name)[at] for name in ("first", "second", "hands", "ruled")) == ruled, path

    for path in (url(both, "count/"), staff(both), rounds, f"{rounds}close/"):
        told(path)
    both.round.refresh_from_db()
    close(both.round)
    told(staff(both))
    told(url(both, "count/"))


def test_T18_refused_the_requests_say_who_asked_for_what_and_the_count_is_open_again(both):
    director, manager = logged_in("director"), logged_in("manager")
    rule(director, both)
    assert answer(manager, both, "refuse").status_code == 303
    page = director.get(url(both, "count/"))
    assert 'value="rule"' in page.content.decode()
    said = text(director.get(f"/staff/{both.round.event.slug}/requests/"))
    assert all(each in said for each in (director.user.username, manager.user.username, "5,600"))
    assert next_of(both.round.event)[0].tail == "tables/1/count/"
    # In a rehearsal whoever asks may confirm.
    Event.objects.update(kind=Event.Kind.REHEARSAL)
    rule(director, both)
    assert answer(director, both).status_code == 303
    assert chips_at(both.round, 1) == 5600


def test_T18_what_no_longer_holds_is_told_so_and_offers_no_approval(both):
    director, manager, floor = logged_in("director"), logged_in("manager"), logged_in("floor")
    rule(director, both)
    recount(both)
    page = manager.get(staff(both, "requests/"))
    assert data(page, "code") == ["lapsed"]
    assert 'value="approve"' not in page.content.decode() and 'value="refuse"' in page.content.decode()
    late = answer(manager, both)
    assert (late.status_code, data(late, "code")) == (409, ["lapsed"])
    assert [step.tail for step in next_of(both.round.event) if step.tells] == []
    # Whoever counts now sees nothing of what was counted, or ruled, before.
    for path in (staff(both, "requests/"), url(both, "count/"), url(both)):
        assert "5,600" not in text(floor.get(path)), path
    assert answer(manager, both, "refuse").status_code == 303
    assert "5,600" not in text(floor.get(staff(both, "requests/")))


@pytest.mark.parametrize("word", ["refuse", "approve"])
def test_T18_an_answered_ruling_keeps_its_figures_and_leads_to_the_count(both, word):
    rule(logged_in("director"), both)
    manager, path = logged_in("manager"), staff(both, "requests/")
    asked = manager.get(path).content.decode()
    answer(manager, both, word)
    answered = manager.get(path).content.decode().split('id="done-title"')[1]
    assert all(figure in page for figure in ("5,000", "5,600") for page in (asked, answered))
    assert f'href="{url(both, "count/")}"' in answered
    assert ("→" in answered) is (word == "approve"), "what was refused moved no stack"


def test_T26_the_round_says_that_a_penalty_waits_and_is_not_closed_or_played_off():
    """A second person is asked for 400 chips of box 1 of a counted round."""
    late_bet = shoe_of(seated(4, cut_after_round_1=2, cut_after_round_2=2))
    play_and_count(late_bet.round)
    about = {
        "entry_id": stack_at(late_bet.round, 1).entry_id,
        "kind": "chips",
        "chips": 400,
        "reason": "Late",
    }
    penalty_add(**about, key=new_key(), actor=UserFactory())
    director, asked = logged_in("director"), Request.objects.get()
    round_ = staff(late_bet, f"rounds/{late_bet.round_id}/")
    page = director.get(round_)
    assert (data(page, "step"), data(page, "waits")) == (["waits"], [str(asked.pk)])
    assert "400" in text(page) and stack_at(late_bet.round, 1).entry.code in text(page)
    assert "ruling_waits" in data(director.get(f"{round_}close/"), "code")
    assert next_of(late_bet.round.event)[0].tells == {asked.pk}
    draw = director.get(staff(late_bet, "draw/"))
    assert "ruling_waits" in data(draw, "code")
    assert "draw/lock/" not in draw.content.decode()
    answer(logged_in("manager"), late_bet, "refuse")
    page = director.get(round_)
    assert (data(page, "step"), data(page, "waits")) == (["play_off"], [])
    assert "draw/lock/" in director.get(staff(late_bet, "draw/")).content.decode()
