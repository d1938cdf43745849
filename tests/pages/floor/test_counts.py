"""Counts: two people, blind; the ruling; counted again; the sheet on paper (T18)."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session

from tables.models import CountSheet, Shoe
from tables.services import counts
from tests.cast import floor as cast
from tests.cast.at_tables import dealer_at, logged_in, sentence, text, url
from tests.cast.counting import basis_of, press
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, close, confirm, count_both, hand, person, seated, shoe_of, shoe_over
from tests.cast.tied import named_at
from tournament.models import Request
from tournament.services import pins

pytestmark = pytest.mark.django_db
FIRST = {1: 5400, 2: 4800, 3: 5000}


@pytest.fixture
def shoe(db) -> Shoe:
    """A shoe of three boxes that is over, after a hand: 5,400, 4,800 and 5,000."""
    shoe = shoe_of(seated(3))
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    return shoe


@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("director", 200),
        ("floor", 200),
        ("auditor", 200),
        ("dealer", 403),
        ("cashier", 403),
        ("manager", 200),
    ],
)
def test_the_count_opens_for_the_roles_of_the_floor(shoe, role, status):
    for tail in ("count/", "count/sheet/"):
        assert logged_in(role).get(url(shoe, tail)).status_code == status


def test_T18_the_first_count_is_not_in_the_second_counters_page(shoe):
    one, two = dealer_at(shoe), logged_in("floor")
    assert press(one, shoe, chips={**FIRST, 2: 4500}).status_code == 303
    page = two.get(url(shoe, "count/")).content.decode()
    assert "second count" in page
    for figure in ("4500", "4,500", "5400", "5,400"):
        assert figure not in page


def test_T18_who_counted_first_waits_for_a_second_person(shoe):
    client = dealer_at(shoe)
    press(client, shoe, chips=FIRST)
    assert "a second person counts" in text(client.get(url(shoe, "count/")))
    answer = press(client, shoe, chips=FIRST)
    assert (answer.status_code, "second person" in sentence(answer).lower()) == (403, True)


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
        assert (answer.status_code, re.findall(r'data-code="([^"]+)"', page)) == (403, ["not_signed"])
        assert 'name="chips-1" value="5400"' in page and pin not in page and "4600" not in page
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
    assert answer.status_code == 422 and 'name="chips-2" value="4650"' in answer.content.decode()
    assert press(tablet, shoe, "again", {2: 4800}).status_code == 303
    answer = press(tablet, shoe, "again", {2: 4600})
    assert re.findall(r'data-code="([^"]+)"', answer.content.decode()) == ["counted_again"]
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
        assert re.findall(r'data-code="([^"]+)"', told) == ["stale"]
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
        assert 'name="chips-1" value="5400"' in answer.content.decode()
        return answer.status_code

    assert [signed("204816"), *(signed("a wrong password") for _ in range(9))] == [403] * 10
    assert [signed("a wrong password"), signed("a long enough password")] == [429, 429]
    right = {"username": floor.username, "password": "a long enough password"}
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
    fields = {"username": tablet.user.username, "password": "a long enough password"}
    shown = tablet.post(login, {**fields, "next": url(shoe, "count/")}, follow=True)
    page = shown.content.decode()
    assert set(re.findall(r'data-code="([^"]+)"', page)) == {"not_saved"}
    assert 'name="chips-2" value="4600"' in page and "204816" not in page
    assert CountSheet.objects.count() == 1


def test_T18_a_manager_makes_the_second_count_and_not_the_first(shoe):
    manager = logged_in("manager")
    page = text(manager.get(url(shoe, "count/")))
    assert "The first count is due" in page and "A manager makes the second" in page
    answer = press(manager, shoe, chips=FIRST)
    assert (answer.status_code, "A manager makes the second" in sentence(answer)) == (403, True)
    press(dealer_at(shoe), shoe, chips=FIRST)
    assert 'name="chips-1"' in manager.get(url(shoe, "count/")).content.decode()
    tonight = manager.get(f"/staff/{shoe.round.event.slug}/").content.decode()
    assert "Another role does this" not in tonight and f'href="{url(shoe, "count/")}"' in tonight
    assert press(manager, shoe, chips=FIRST).status_code == 303
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.COUNTED


def test_T18_a_manager_neither_rules_on_counts_nor_takes_them_back(shoe):
    press(dealer_at(shoe), shoe, chips=FIRST)
    manager = logged_in("manager")
    press(manager, shoe, chips={**FIRST, 2: 4600})
    assert press(manager, shoe, "rule", FIRST, reason="x").status_code == 403
    assert press(manager, shoe, "reopen", reason="x").status_code == 403


def test_no_link_of_a_manager_leads_to_a_closed_door(shoe):
    """The pages of a round, of its counts and Tonight: whatever they link to opens."""
    manager, slug = logged_in("manager"), shoe.round.event.slug
    here = (f"/staff/{slug}/", f"/staff/{slug}/rounds/{shoe.round_id}/", url(shoe, "count/"))
    press(dealer_at(shoe), shoe, chips=FIRST)
    before = [closed_doors(manager, path) for path in here]
    press(manager, shoe, chips={**FIRST, 2: 4600})
    assert before + [closed_doors(manager, path) for path in here] == [[]] * 6


def closed_doors(client, path):
    """Where the links of a page lead to that this person may not open."""
    page = client.get(path).content.decode()
    links = set(re.findall(r'href="(/staff/[^"#]+)', page))
    return sorted(link for link in links if client.get(link).status_code == 403)


def test_T18_two_equal_counts_close_the_table(shoe):
    press(dealer_at(shoe), shoe, chips=FIRST)
    press(logged_in("floor"), shoe, chips={1: "5,400", 2: "4 800", 3: "5000"})
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.COUNTED
    assert "Counted" in text(logged_in("director").get(url(shoe, "count/")))


def test_T18_counts_that_differ_stand_side_by_side_and_the_director_rules(shoe):
    press(dealer_at(shoe), shoe, chips=FIRST)
    floor = logged_in("floor")
    press(floor, shoe, chips={**FIRST, 2: 4600})
    assert press(floor, shoe, "rule", FIRST, reason="x").status_code == 403
    director = logged_in("director")
    page = text(director.get(url(shoe, "count/")))
    assert "Counts differ" in page
    assert "4,800 4,600 4,800 −200" in page
    answer = press(director, shoe, "rule", FIRST, reason=" ")
    assert (answer.status_code, "reason" in sentence(answer).lower()) == (422, True)
    assert press(director, shoe, "rule", FIRST, reason="Counted a third time").status_code == 303
    assert "The ruling stands: the table is counted." in text(director.get(url(shoe, "count/")))
    assert chips_at(shoe.round, 2) == 4800


def test_T18_a_count_is_opened_again_with_a_reason_until_the_round_is_closed(shoe):
    for chips in (FIRST, FIRST):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    assert press(dealer_at(shoe), shoe, "reopen", reason="x").status_code == 403
    floor = logged_in("floor")
    assert press(floor, shoe, "reopen", reason="").status_code == 422
    assert press(floor, shoe, "reopen", reason="Box 2 was moved").status_code == 303
    assert not CountSheet.objects.filter(status=CountSheet.Status.LIVE).exists()
    for chips in (FIRST, FIRST):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    shoe.round.refresh_from_db()
    close(shoe.round)
    answer = press(floor, shoe, "reopen", reason="Too late")
    assert (answer.status_code, bool(sentence(answer))) == (409, True)


@pytest.mark.parametrize(
    "chips",
    [
        {**FIRST, 1: 5450},
        {**FIRST, 1: 90000},
        {**FIRST, 1: "-5"},
        {**FIRST, 1: "many"},
        {**FIRST, 1: ""},
        {**FIRST, 1: "9" * 30},
    ],
)
def test_T18_figures_that_cannot_be_are_refused_and_stay_typed(shoe, chips):
    answer = press(dealer_at(shoe), shoe, chips=chips)
    assert answer.status_code == 422
    assert "ox 1" in sentence(answer)
    assert 'name="chips-2" value="4800"' in answer.content.decode()
    assert not CountSheet.objects.exists()


def test_a_shoe_that_is_played_is_not_counted(db):
    shoe = shoe_of(seated(3))
    client = logged_in("director")
    assert "still being played" in text(client.get(url(shoe, "count/")))
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
        assert sentence(answer)


def test_T18_after_a_ruling_the_pages_show_it_beside_counts_and_hands(shoe):
    press(dealer_at(shoe), shoe, chips={**FIRST, 1: 5000})
    press(logged_in("floor"), shoe, chips={**FIRST, 1: 5000})
    director = logged_in("director")
    press(director, shoe, "rule", {**FIRST, 1: 5600}, reason="A chip lay on the floor")
    manager = logged_in("manager")
    confirm({"request": Request.objects.get().pk}, manager.user)
    said = f"Ruled by {director.user.username}, confirmed by {manager.user.username}"
    page = text(director.get(url(shoe, "count/")))
    assert "5,000 5,000 5,400 from the hands 5,600" in page
    assert said in page and "A chip lay on the floor" in page
    assert "5,600 0" not in page
    tonight = f"/staff/{shoe.round.event.slug}/"
    words = f"Box 1, {named_at(shoe.round, 1)}: counted 5,000 and 5,000, the hands say 5,400, ruled 5,600"
    for path in (tonight, f"{tonight}rounds/{shoe.round_id}/", f"{tonight}rounds/{shoe.round_id}/close/"):
        assert words in text(director.get(path)), path
        assert said in text(director.get(path)), path
    assert "Ruled on" in text(director.get(tonight))
    shoe.round.refresh_from_db()
    close(shoe.round)
    assert words in text(director.get(tonight))
    assert "5,000 5,000 5,400 from the hands 5,600" in text(director.get(url(shoe, "count/")))


def test_T18_counts_that_were_taken_back_are_hidden_until_both_are_in_again(shoe):
    for chips in ({**FIRST, 1: 5100}, FIRST):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    floor = logged_in("floor")
    assert "5,100" in text(floor.get(url(shoe, "count/")))
    press(floor, shoe, "reopen", reason="Box 2 was moved")
    counts.count_enter(shoe_id=shoe.pk, chips=FIRST, key=new_key(), actor=UserFactory())
    assert "5,100" not in text(floor.get(url(shoe, "count/")))
    press(floor, shoe, chips=FIRST)
    page = text(floor.get(url(shoe, "count/")))
    assert "Counted before" in page and "Taken back" in page and "5,100" in page
    assert f"Taken back by {floor.user.username}: “Box 2 was moved”" in page


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
    cast.rule(shoe, chips | {1: 5600, 2: 4800}, "seen by both")
    close(round_)
    second = cast.draw_and_seat(round_.event)
    assert not second.seats.filter(table=shoe.table).exists()
    page = text(logged_in("director").get(url(shoe, "count/")))
    assert "Nobody has been seated at this table yet" not in page
    assert "Round 1" in page and "Ruled on" in page and "seen by both" in page and "5,600" in page
    assert "Count again" not in page
