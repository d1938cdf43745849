"""Counts: two people, blind; the ruling; counted again; the sheet on paper (T18)."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session

from tables.models import CountSheet, Shoe
from tables.services import counts
from tests.cast import floor as cast
from tests.cast.at_tables import dealer_at, logged_in, text, url
from tests.cast.counting import basis_of, press
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, close, confirm, count_both, hand, person, seated, shoe_of, shoe_over
from tests.cast.html import data
from tournament.models import Request
from tournament.services import pins

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough password"
FIRST = {1: 5400, 2: 4800, 3: 5000}


def typed(page) -> dict[str, str]:
    """Box → the figure in its field, for a page that asks for a count."""
    html = page if isinstance(page, str) else page.content.decode()
    return dict(re.findall(r'name="chips-(\d)" value="([^"]*)"', html))


def boxes_of(page) -> dict[int, tuple[str, ...]]:
    """Box → what both counted, what the hands say, and what was ruled, as a page shows it."""
    shown = zip(*(data(page, name) for name in ("box", "first", "second", "hands", "ruled")), strict=True)
    return {int(box): figures for box, *rest in shown for figures in [tuple(rest)]}


def tonight(shoe: Shoe) -> str:
    return f"/staff/{shoe.round.event.slug}/"


@pytest.fixture
def shoe(db) -> Shoe:
    """A shoe of three boxes that is over, after a hand: 5,400, 4,800 and 5,000."""
    shoe = shoe_of(seated(3))
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    return shoe


def test_T18_the_first_count_is_not_in_the_second_counters_page(shoe):
    one, two = dealer_at(shoe), logged_in("floor")
    assert press(one, shoe, chips={**FIRST, 2: 4500}).status_code == 303
    page = two.get(url(shoe, "count/")).content.decode()
    assert 'name="chips-1"' in page and not re.search("4,?500|5,?400", page)
    page = one.get(url(shoe, "count/")).content.decode()
    assert data(page, "stage") == ["enter"] and 'name="pin"' in page, "another person counts now"
    answer = press(one, shoe, chips=FIRST)
    assert (answer.status_code, "same_person" in data(answer, "code")) == (403, True)


def test_T18_a_second_person_counts_at_the_same_tablet_by_pin(shoe):
    tablet, floor = dealer_at(shoe), person("floor")
    other = person("dealer")
    pins.pin_set(pin="204816", proved=True, key=new_key(), actor=floor)
    assert 'name="pin"' not in tablet.get(url(shoe, "count/")).content.decode(), "the first is the log-in's"
    press(tablet, shoe, chips={**FIRST, 2: 4600})
    page = tablet.get(url(shoe, "count/")).content.decode()
    offered = re.findall(r'<option value="([^"]+)"', page)
    assert floor.username in offered and not {tablet.user.username, other.username} & set(offered)
    assert "4600" not in page and "4,600" not in page
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
        assert not re.search("4,?[68]00", page)
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


def test_T18_a_form_that_comes_too_late_is_told_no_figure_of_another_count(shoe):
    """Who made the first count may still count a box again, and who counts anew sees nothing of before."""
    first, second, page = logged_in("floor"), logged_in("floor"), url(shoe, "count/")

    def late(do, chips, meanwhile):
        seen = basis_of(first.get(page))
        assert meanwhile().status_code == 303
        answer = press(first, shoe, do, chips, basis=seen)
        told = answer.content.decode()
        assert data(told, "code")[0] == "stale"
        assert second.user.username in told and not re.search("4,?[67]00", told)

    press(first, shoe, chips=FIRST)
    late("enter", FIRST, lambda: press(second, shoe, chips={**FIRST, 2: 4600}))
    late("again", {2: 4800}, lambda: press(second, shoe, "again", {2: 4700}))
    late("again", {2: 4800}, lambda: press(second, shoe, "reopen", reason="all anew"))


@pytest.mark.soak
def test_T18_wrong_passwords_at_a_tablet_count_in_the_throttle_of_the_log_in(shoe, login_throttle):
    tablet, floor = dealer_at(shoe), person("floor")
    press(tablet, shoe, chips=FIRST)

    def signed(secret):
        answer = press(tablet, shoe, chips=FIRST, who=floor.username, pin=secret)
        assert typed(answer)["1"] == "5400"
        return answer.status_code

    assert [signed("204816"), *(signed("wrong") for _ in range(9))] == [403] * 10
    assert [signed("wrong"), signed(PASSWORD)] == [429, 429]
    right = {"username": floor.username, "password": PASSWORD}
    assert tablet.post("/login", right).status_code == 302, "the tablet is logged in still"


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
    assert f'id="next-go" class="btn btn-go" href="{here}"' in manager.get(tonight(shoe)).content.decode()
    assert press(manager, shoe, chips={**FIRST, 2: 4600}).status_code == 303
    assert press(manager, shoe, "rule", FIRST, reason="x").status_code == 403
    assert press(manager, shoe, "reopen", reason="x").status_code == 403


def test_no_link_of_a_manager_leads_to_a_closed_door(shoe):
    """The pages of a round, of its counts and Tonight, between the counts and after: their links open."""
    manager, links = logged_in("manager"), set()
    for counts_it, chips in ((dealer_at(shoe), FIRST), (manager, {**FIRST, 2: 4600})):
        press(counts_it, shoe, chips=chips)
        for path in (tonight(shoe), f"{tonight(shoe)}rounds/{shoe.round_id}/", url(shoe, "count/")):
            links |= set(re.findall(r'href="(/staff/[^"#]+)', manager.get(path).content.decode()))
    assert [link for link in sorted(links) if manager.get(link).status_code == 403] == []


def test_T18_two_equal_counts_close_the_table(shoe):
    press(dealer_at(shoe), shoe, chips=FIRST)
    press(logged_in("floor"), shoe, chips={1: "5,400", 2: "4 800", 3: "5000"})
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.COUNTED
    assert data(logged_in("director").get(url(shoe, "count/")), "counting") == ["counted"]


def test_T18_counts_that_differ_stand_side_by_side_and_the_director_rules(shoe):
    press(dealer_at(shoe), shoe, chips=FIRST)
    floor = logged_in("floor")
    press(floor, shoe, chips={**FIRST, 2: 4600})
    assert press(floor, shoe, "rule", FIRST, reason="x").status_code == 403
    director = logged_in("director")
    page = director.get(url(shoe, "count/"))
    assert data(page, "counting") == ["differ"]
    assert boxes_of(page)[2] == ("4800", "4600", "4800", "")
    answer = press(director, shoe, "rule", FIRST, reason=" ")
    assert (answer.status_code, data(answer, "code")) == (422, ["reason_missing"])
    assert press(director, shoe, "rule", FIRST, reason="Seen twice").status_code == 303
    assert data(director.get(url(shoe, "count/")), "counting") == ["ruled"]
    assert chips_at(shoe.round, 2) == 4800


def test_T18_a_count_is_opened_again_with_a_reason_until_the_round_is_closed(shoe):
    for chips in (FIRST, FIRST):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    assert press(dealer_at(shoe), shoe, "reopen", reason="x").status_code == 403
    floor = logged_in("floor")
    assert press(floor, shoe, "reopen", reason="").status_code == 422
    assert press(floor, shoe, "reopen", reason="Box 2 moved").status_code == 303
    assert not CountSheet.objects.filter(status=CountSheet.Status.LIVE).exists()
    for chips in (FIRST, FIRST):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    shoe.round.refresh_from_db()
    close(shoe.round)
    answer = press(floor, shoe, "reopen", reason="Too late")
    assert (answer.status_code, data(answer, "code")[0]) == (409, "round_closed")


@pytest.mark.parametrize(
    ("chips", "code"),
    [
        (5450, "not_whole_chips"),
        (90000, "more_than_possible"),
        ("-5", "not_a_number"),
        ("many", "not_a_number"),
        ("", "box_missing"),
        ("9" * 30, "not_a_number"),
    ],
)
def test_T18_figures_that_cannot_be_are_refused_and_stay_typed(shoe, chips, code):
    answer = press(dealer_at(shoe), shoe, chips={**FIRST, 1: chips})
    assert (answer.status_code, data(answer, "code")) == (422, [code])
    assert typed(answer) == {"1": str(chips), "2": "4800", "3": "5000"}
    assert not CountSheet.objects.exists()


def test_a_shoe_that_is_played_is_not_counted(db):
    shoe = shoe_of(seated(3))
    client = logged_in("director")
    assert data(client.get(url(shoe, "count/")), "stage") == ["playing"]
    assert press(client, shoe, chips={1: 5000, 2: 5000, 3: 5000}).status_code == 409


def test_the_sheet_has_a_line_for_every_box_twice_and_the_way_back(shoe):
    page = dealer_at(shoe).get(url(shoe, "count/sheet/"))
    assert text(page).count("E001") == 2
    assert 'class="qr"' in page.content.decode()
    assert "5,400" not in page.content.decode()


def test_hostile_presses_are_sentences(shoe):
    client = logged_in("director")
    for sent in ({"do": "x"}, {"do": "enter", "shoe": "x"}, {"do": "enter", "shoe": "999999999"}):
        answer = client.post(url(shoe, "count/"), {"key": new_key(), **sent})
        assert 400 <= answer.status_code < 500
        assert data(answer, "code")


def test_T18_after_a_ruling_the_pages_show_it_beside_counts_and_hands(shoe):
    press(dealer_at(shoe), shoe, chips={**FIRST, 1: 5000})
    press(logged_in("floor"), shoe, chips={**FIRST, 1: 5000})
    director, manager = logged_in("director"), logged_in("manager")
    press(director, shoe, "rule", {**FIRST, 1: 5600}, reason="Off felt")
    confirm({"request": Request.objects.get().pk}, manager.user)
    here = url(shoe, "count/")
    rounds = f"{tonight(shoe)}rounds/{shoe.round_id}/"

    def shown(path):
        page = director.get(path)
        assert "Off felt" in page.content.decode(), path
        assert data(page, "ruled-by") == [director.user.username], path
        assert data(page, "confirmed-by") == [manager.user.username], path
        return boxes_of(page)

    ruled = {1: ("5000", "5000", "5400", "5600")}
    assert shown(here).items() >= ruled.items()
    assert [shown(path) for path in (tonight(shoe), rounds, f"{rounds}close/")] == [ruled] * 3
    shoe.round.refresh_from_db()
    close(shoe.round)
    assert shown(tonight(shoe)) == ruled and shown(here)[1] == ruled[1]


def test_T18_counts_that_were_taken_back_are_hidden_until_both_are_in_again(shoe):
    for chips in ({**FIRST, 1: 5100}, FIRST):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    floor, here = logged_in("floor"), url(shoe, "count/")
    assert "5,100" in text(floor.get(here))
    press(floor, shoe, "reopen", reason="Box 2 moved")
    counts.count_enter(shoe_id=shoe.pk, chips=FIRST, key=new_key(), actor=UserFactory())
    assert "5,100" not in text(floor.get(here))
    press(floor, shoe, chips=FIRST)
    page = floor.get(here)
    assert data(page, "counting") == ["counted", "taken_back"] and "5,100" in text(page)
    assert data(page, "taken-back-by") == [floor.user.username] and "Box 2 moved" in text(page)


def test_T18_a_table_where_nobody_sits_any_more_shows_how_it_was_counted():
    round_ = seated(8, boxes_per_table=4, cut_after_round_1=3, cut_after_round_2=2)
    chips = dict.fromkeys(range(1, 5), 5000)
    shoe = shoe_of(round_, 2)
    hand(shoe_of(round_), {1: 400, 2: 200}, b1="win", b2="win")
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    for each in (shoe_of(round_), shoe):
        shoe_over(each)
    count_both(shoe_of(round_))
    count_both(shoe, chips)
    cast.rule(shoe, chips | {1: 5600, 2: 4800}, "seen")
    close(round_)
    second = cast.draw_and_seat(round_.event)
    assert not second.seats.filter(table=shoe.table).exists()
    page = logged_in("director").get(url(shoe, "count/"))
    assert data(page, "counting") == ["ruled"] and boxes_of(page)[1][-1] == "5600"
    assert 'value="reopen"' not in page.content.decode()
