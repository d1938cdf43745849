"""A ruling that moves chips, as the pages tell it from the asking to its end (T18, T26)."""

from __future__ import annotations

import pytest

from tables.models import Shoe
from tables.services import counts
from tests.cast.at_tables import dealer_at, logged_in, text, url
from tests.cast.counting import COUNTED, RULED, answer, basis_of, recount, rule, staff
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, count_both, hand, play_and_count, seated, shoe_of, shoe_over, stack_at
from tests.cast.html import data
from tests.cast.pages import next_of
from tournament.models import Event, Penalty, Request
from tournament.services.penalties import penalty_add, penalty_cancel

pytestmark = pytest.mark.django_db


@pytest.fixture
def shoe(db) -> Shoe:
    """Three boxes: the hands say 5,400, 4,800 and 5,000; both have counted 5,000 in box 1."""
    shoe = shoe_of(seated(3))
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    count_both(shoe, COUNTED)
    return shoe


def test_T18_T19_while_it_waits_nobody_is_offered_another_ruling_or_the_close(shoe):
    director = logged_in("director")
    rule(director, shoe)
    page = director.get(url(shoe, "count/")).content.decode()
    assert data(page, "counting") == ["ruling_waits"]
    assert 'value="rule"' not in page and 'value="reopen"' in page
    refused = rule(director, shoe, COUNTED)
    assert (refused.status_code, "ruling_waits" in data(refused, "code")) == (409, True)
    for tail in ("", "close/"):
        assert "ruling_waits" in data(director.get(staff(shoe, f"rounds/{shoe.round_id}/{tail}")), "code")


def test_T18_confirmed_by_a_manager_every_page_names_both_persons(shoe):
    director, manager = logged_in("director"), logged_in("manager")
    rule(director, shoe)
    assert answer(director, shoe).status_code == 403
    assert answer(manager, shoe).status_code == 303
    assert chips_at(shoe.round, 1) == 5600
    rounds = staff(shoe, f"rounds/{shoe.round_id}/")
    for path in (url(shoe, "count/"), staff(shoe), rounds, f"{rounds}close/"):
        page = director.get(path)
        assert data(page, "ruled-by") == [director.user.username], path
        assert data(page, "confirmed-by") == [manager.user.username], path
        assert not data(page, "waits"), path


def test_T18_in_a_rehearsal_whoever_asked_may_confirm(shoe):
    Event.objects.update(kind=Event.Kind.REHEARSAL)
    director = logged_in("director")
    rule(director, shoe)
    assert answer(director, shoe).status_code == 303
    assert chips_at(shoe.round, 1) == 5600


def test_T18_refused_the_count_page_says_who_asked_for_what_and_is_open_again(shoe):
    director, manager = logged_in("director"), logged_in("manager")
    rule(director, shoe)
    assert answer(manager, shoe, "refuse").status_code == 303
    page = director.get(url(shoe, "count/"))
    assert 'value="rule"' in page.content.decode() and data(page, "fate") == ["refused"]
    said = text(page)
    assert all(each in said for each in (director.user.username, manager.user.username, "5,600"))
    assert next_of(shoe.round.event)[0].tail == "tables/1/count/"


def test_T18_what_no_longer_holds_is_told_so_and_offers_no_approval(shoe):
    director, manager, floor = logged_in("director"), logged_in("manager"), logged_in("floor")
    rule(director, shoe)
    recount(shoe)
    page = manager.get(staff(shoe, "requests/"))
    assert data(page, "code") == ["lapsed"]
    assert 'value="approve"' not in page.content.decode() and 'value="refuse"' in page.content.decode()
    late = answer(manager, shoe)
    assert (late.status_code, data(late, "code")) == (409, ["lapsed"])
    assert [step.tail for step in next_of(shoe.round.event) if step.tells] == []
    # Whoever counts now sees nothing of what was counted, or ruled, before.
    for path in (staff(shoe, "requests/"), url(shoe, "count/"), url(shoe)):
        assert "5,600" not in text(floor.get(path)), path
    assert answer(manager, shoe, "refuse").status_code == 303
    assert "5,600" not in text(floor.get(staff(shoe, "requests/")))


def test_T18_a_form_from_before_the_ruling_was_asked_for_is_told_so(shoe):
    one, two = logged_in("director"), logged_in("director")
    seen = basis_of(two.get(url(shoe, "count/")))
    rule(one, shoe)
    sent = {"do": "rule", "shoe": shoe.pk, "key": new_key(), "reason": "x", "basis": seen}
    late = two.post(url(shoe, "count/"), sent | {f"chips-{box}": n for box, n in COUNTED.items()})
    assert (late.status_code, data(late, "code")[0]) == (409, "stale")


def test_the_tables_page_that_watches_sees_a_ruling_that_is_asked_for(shoe):
    """A dealer's tablet asks again and again: nothing has changed, until a second person is asked."""
    dealer = dealer_at(shoe)
    page = dealer.get(url(shoe), headers={"HX-Request": "true"}).content.decode()
    watch = {"since": page.split("since=")[1].split("&")[0]}
    assert dealer.get(url(shoe), watch, headers={"HX-Request": "true"}).status_code == 204
    rule(logged_in("director"), shoe)
    assert dealer.get(url(shoe), watch, headers={"HX-Request": "true"}).status_code == 200


def test_T18_who_made_the_second_count_may_confirm_and_the_auditor_sees_it(db):
    shoe, manager, director = shoe_of(seated(3)), logged_in("manager"), logged_in("director")
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    for chips, who in ((RULED, UserFactory()), (COUNTED, manager.user)):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=who)
    rule(director, shoe)
    told = [client.get(staff(shoe, "requests/")) for client in (manager, logged_in("manager"))]
    assert [bool(page.context["waiting"][0]["counted"]) for page in told] == [True, False]
    assert answer(manager, shoe).status_code == 303
    assert chips_at(shoe.round, 1) == 5600
    assert "request.decide" in [
        each.entry.kind for each in director.get("/house/exceptions/").context["found"].lines
    ]


# A penalty in chips ----------------------------------------------------------------------------------


@pytest.fixture
def penalty(db) -> Shoe:
    """A counted round in which a second person is asked for 400 chips of box 1."""
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2)
    play_and_count(round_)
    penalty_add(
        entry_id=stack_at(round_, 1).entry_id,
        kind="chips",
        chips=400,
        reason="Late bet",
        key=new_key(),
        actor=UserFactory(username="dana"),
    )
    return shoe_of(round_)


def test_T26_the_round_says_that_a_penalty_waits_and_is_not_closed_or_played_off(penalty):
    director, asked = logged_in("director"), Request.objects.get()
    page = director.get(staff(penalty, f"rounds/{penalty.round_id}/"))
    assert (data(page, "step"), data(page, "waits")) == (["waits"], [str(asked.pk)])
    assert "400" in text(page) and stack_at(penalty.round, 1).entry.code in text(page)
    close = director.get(staff(penalty, f"rounds/{penalty.round_id}/close/"))
    assert "ruling_waits" in data(close, "code")
    assert next_of(penalty.round.event)[0].tells == {asked.pk}
    draw = director.get(staff(penalty, "draw/"))
    assert "ruling_waits" in data(draw, "code")
    assert "draw/lock/" not in draw.content.decode()
    answer(logged_in("manager"), penalty, "refuse")
    page = director.get(staff(penalty, f"rounds/{penalty.round_id}/"))
    assert (data(page, "step"), data(page, "waits")) == (["play_off"], [])
    assert "draw/lock/" in director.get(staff(penalty, "draw/")).content.decode()


def test_T26_the_table_says_that_a_penalty_of_somebody_seated_there_waits(penalty):
    dealer = dealer_at(penalty)
    page = dealer.get(url(penalty))
    assert "dana" in text(page)
    since = page.context["shown"].version
    answer(logged_in("manager"), penalty)
    assert "dana" not in text(dealer.get(url(penalty)))
    again = dealer.get(f"{url(penalty)}?since={since}", headers={"HX-Request": "true"})
    assert again.status_code == 200, "who looks again is told that it is answered"
    given = Penalty.objects.get()
    penalty_cancel(penalty_id=given.pk, reason="In time", key=new_key(), actor=UserFactory(username="lee"))
    assert "lee" in text(dealer.get(url(penalty)))
