"""A ruling that moves chips, as the pages tell it from the asking to its end (T18, T26)."""

from __future__ import annotations

import pytest

from tables.models import Shoe
from tables.services import counts
from tests.cast.at_tables import dealer_at, logged_in, sentence, text, url
from tests.cast.counting import COUNTED, RULED, answer, basis_of, recount, rule, staff
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, count_both, hand, play_and_count, seated, shoe_of, shoe_over, stack_at
from tests.cast.tied import named_at
from tournament.models import Event, Penalty
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
    assert 'value="rule"' not in page and 'value="reopen"' in page
    refused = rule(director, shoe, COUNTED)
    assert refused.status_code == 409 and "waits for a second person" in sentence(refused)
    close = text(director.get(staff(shoe, f"rounds/{shoe.round_id}/close/")))
    said = f"A ruling on chips, asked for by {director.user.username}, waits for a second person."
    page = text(director.get(staff(shoe, f"rounds/{shoe.round_id}/")))
    assert said in close and said in page and "Still being played" not in page


def test_T18_confirmed_by_a_manager_every_page_names_both_persons(shoe):
    director, manager = logged_in("director"), logged_in("manager")
    rule(director, shoe)
    assert answer(director, shoe).status_code == 403
    assert answer(manager, shoe).status_code == 303
    assert chips_at(shoe.round, 1) == 5600
    both = f"Ruled by {director.user.username}, confirmed by {manager.user.username}"
    paths = (
        staff(shoe),
        staff(shoe, f"rounds/{shoe.round_id}/"),
        staff(shoe, f"rounds/{shoe.round_id}/close/"),
    )
    for path in (url(shoe, "count/"), *paths):
        assert both in text(director.get(path)), path
        assert "waits for a second person" not in text(director.get(path)).lower(), path
        assert "asked for at" in text(director.get(path)), "the time beside it is that of the confirming"


def test_T18_in_a_rehearsal_nobody_is_told_that_another_must_confirm(shoe):
    Event.objects.update(kind=Event.Kind.REHEARSAL)
    director = logged_in("director")
    told = text(director.get(rule(director, shoe)["Location"]))
    pages = [told, *(text(director.get(url(shoe, tail))) for tail in ("", "count/"))]
    pages.append(text(director.get(staff(shoe, f"rounds/{shoe.round_id}/"))))
    for page in pages:
        assert "a director or a manager, in a rehearsal also who asked for it, has confirmed" in page
        assert "nother director" not in page
    assert answer(director, shoe).status_code == 303
    assert chips_at(shoe.round, 1) == 5600


def test_T18_refused_the_count_page_says_who_refused_what_and_is_open_again(shoe):
    director, manager = logged_in("director"), logged_in("manager")
    rule(director, shoe)
    assert answer(manager, shoe, "refuse").status_code == 303
    page = director.get(url(shoe, "count/"))
    assert 'value="rule"' in page.content.decode()
    who, player = director.user.username, named_at(shoe.round, 1)
    asked = f"Ruling asked for by {who}: box 1, {player}: 5,600, “A chip lay on the floor”"
    assert asked in text(page) and f"Refused by {manager.user.username}" in text(page)
    assert "Table 1: counts and recorded hands differ by 400 in box 1" in text(director.get(staff(shoe)))


def test_T18_what_no_longer_holds_is_told_so_and_offers_no_approval(shoe):
    director, manager, floor = logged_in("director"), logged_in("manager"), logged_in("floor")
    rule(director, shoe)
    recount(shoe)
    page = manager.get(staff(shoe, "requests/"))
    assert "No longer holds" in text(page)
    assert "The counts of Table 1 have been taken back since." in text(page)
    assert 'value="approve"' not in page.content.decode() and 'value="refuse"' in page.content.decode()
    late = answer(manager, shoe)
    assert late.status_code == 409 and "no longer holds" in sentence(late)
    tonight = text(director.get(staff(shoe)))
    assert "1 request no longer holds" in tonight and "a ruling waits" not in tonight
    assert "Ruling waits" not in text(floor.get(staff(shoe, "tables/")))
    # Whoever counts now sees nothing of what was counted, or ruled, before.
    for path in (staff(shoe, "requests/"), url(shoe, "count/"), staff(shoe), url(shoe)):
        shown = text(floor.get(path)) if path != staff(shoe) else ""
        assert "5,600" not in shown, path
    assert answer(manager, shoe, "refuse").status_code == 303
    assert "5,600" not in text(floor.get(staff(shoe, "requests/")))


def test_T18_a_form_from_before_the_ruling_was_asked_for_is_told_so(shoe):
    one, two = logged_in("director"), logged_in("director")
    seen = basis_of(two.get(url(shoe, "count/")))
    rule(one, shoe)
    sent = {"do": "rule", "shoe": shoe.pk, "key": new_key(), "reason": "x", "basis": seen}
    late = two.post(url(shoe, "count/"), sent | {f"chips-{box}": n for box, n in COUNTED.items()})
    assert late.status_code == 409
    assert "Ruling on a count asked for" in sentence(late)


def test_the_tables_page_that_watches_sees_a_ruling_that_is_asked_for(shoe):
    """A dealer's tablet asks again and again: nothing has changed, until a second person is asked."""
    dealer = dealer_at(shoe)
    page = dealer.get(url(shoe), headers={"HX-Request": "true"}).content.decode()
    since = page.split("since=")[1].split("&")[0]
    watch = {"since": since}
    assert dealer.get(url(shoe), watch, headers={"HX-Request": "true"}).status_code == 204
    rule(logged_in("director"), shoe)
    again = dealer.get(url(shoe), watch, headers={"HX-Request": "true"})
    assert again.status_code == 200 and "A ruling waits for a second person" in again.content.decode()


def test_T18_who_made_the_second_count_may_confirm_and_the_auditor_sees_it(db):
    shoe, manager, director = shoe_of(seated(3)), logged_in("manager"), logged_in("director")
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    for chips, who in ((RULED, UserFactory()), (COUNTED, manager.user)):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=who)
    rule(director, shoe)
    said = "You made the second count."
    assert said in text(manager.get(staff(shoe, "requests/")))
    assert said not in text(logged_in("manager").get(staff(shoe, "requests/")))
    assert answer(manager, shoe).status_code == 303
    assert chips_at(shoe.round, 1) == 5600
    page = text(director.get("/house/exceptions/"))
    assert "confirmed by who made the second count" in page and "table 1" in page


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
    director, code = logged_in("director"), stack_at(penalty.round, 1).entry.code
    page = director.get(staff(penalty, f"rounds/{penalty.round_id}/"))
    assert "A second person is asked about the chips" in text(page)
    assert f"Take 400 chips from {code}" in text(page) and "Asked for by dana" in text(page)
    assert "Draw the play-off" not in text(page)
    close = text(director.get(staff(penalty, f"rounds/{penalty.round_id}/close/")))
    assert "A ruling on chips, asked for by dana, waits for a second person." in close
    assert "Round 1: a ruling on chips waits for a second person" in text(director.get(staff(penalty)))
    draw = director.get(staff(penalty, "draw/"))
    assert "A ruling on chips, asked for by dana, waits" in text(draw)
    assert "draw/lock/" not in draw.content.decode()


def test_T26_the_table_says_that_a_penalty_of_somebody_seated_there_waits(penalty):
    dealer = dealer_at(penalty)
    said = (
        "Box 1: a penalty of 400 chips, asked for by dana, waits for a second person. It takes none before."
    )
    page = dealer.get(url(penalty))
    assert said in text(page)
    since = page.context["shown"].version
    answer(logged_in("manager"), penalty)
    assert said not in text(dealer.get(url(penalty)))
    again = dealer.get(f"{url(penalty)}?since={since}", headers={"HX-Request": "true"})
    assert again.status_code == 200, "who looks again is told that it is answered"
    given = Penalty.objects.get()
    penalty_cancel(penalty_id=given.pk, reason="In time", key=new_key(), actor=UserFactory(username="lee"))
    said = "Box 1: lee has asked to give 400 chips of a penalty back, which waits for a second person."
    assert said in text(dealer.get(url(penalty)))


def test_T26_answered_the_round_goes_on(penalty):
    director = logged_in("director")
    answer(logged_in("manager"), penalty, "refuse")
    assert "Draw the play-off" in text(director.get(staff(penalty, f"rounds/{penalty.round_id}/")))
    assert "draw/lock/" in director.get(staff(penalty, "draw/")).content.decode()
