"""What a second person is asked to put right: the preview of exactly that, on a page of its own (T17)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tables.models import Deal
from tables.services.corrections import deal_correct
from tests.cast.at_tables import logged_in, sentence, text
from tests.cast.corrected import post, put_right, round_1, words
from tests.cast.correction_asked import SWAPPED, answer, asked_for, page_of
from tests.cast.factories import new_key
from tests.cast.floor import (
    close,
    draw_and_seat,
    hand,
    one_box_win,
    person,
    play_and_count,
    record,
    recorded,
    seated,
    shoe_of,
)
from tests.cast.tied import CUTS, code_at, play_off, sudden_death
from tournament.models import Request, Round
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", ["director", "manager"])
def test_T17_the_link_of_a_request_leads_to_the_preview_of_exactly_that_request(role: str):
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    asked = asked_for(old, outcomes=SWAPPED)
    client = logged_in(role)
    listed = client.get(f"/staff/{round_.event.slug}/requests/").content.decode()
    assert f'href="{page_of(asked)}"' in listed
    assert "/correct/" not in listed
    page = text(client.get(page_of(asked)))
    two, three = code_at(round_, 2), code_at(round_, 3)
    assert f"{two} 5,200 → 4,800 2 → 3 Advances → Out" in page
    assert f"{three} 4,800 → 5,200 3 → 2 Out → Advances" in page
    assert "the camera shows it" in page


def test_T17_the_asker_sees_the_same_page_and_can_only_take_it_back():
    _round, old = round_1()
    asked = asked_for(old, outcomes=SWAPPED)
    client = logged_in("director")
    Request.objects.filter(pk=asked.pk).update(requested_by=client.user)
    page = client.get(page_of(asked)).content.decode()
    assert "5,200 → <b>4,800</b>" in page
    assert 'value="approve"' not in page
    assert "Take it back" in page
    assert answer(client, asked).status_code == 403
    assert answer(client, asked, "refuse").status_code == 303
    asked.refresh_from_db()
    assert (asked.status, asked.decided_by) == ("refused", None)


def test_T17_it_is_confirmed_where_it_is_seen_and_not_in_the_list():
    round_, old = round_1()
    asked = asked_for(old, outcomes=SWAPPED)
    client = logged_in("manager")
    listed = client.get(f"/staff/{round_.event.slug}/requests/").content.decode()
    assert 'value="approve"' not in listed and 'value="refuse"' in listed
    assert 'value="approve"' in client.get(page_of(asked)).content.decode()
    path = f"/staff/{round_.event.slug}/requests/{asked.pk}/"
    unseen = client.post(path, {"answer": "approve", "key": new_key()})
    assert unseen.status_code == 409 and "This is confirmed on its own page" in text(unseen)
    assert Deal.objects.get(pk=old.pk).status == "settled"
    assert answer(client, asked).status_code == 303
    asked.refresh_from_db()
    assert (asked.status, asked.decided_by) == ("approved", client.user)
    assert Deal.objects.get(pk=old.pk).status == "reversed"


def test_T17_what_has_changed_since_it_was_asked_is_said_and_what_would_be_now_is_shown():
    """Between the two persons another hand of the round was put right."""
    round_ = round_with_two_hands()
    first, second = Deal.objects.filter(shoe__round=round_).order_by("number")
    asked = asked_for(first, outcomes=words(b1="lose", b2="win", b3="lose", b4="lose"))
    client = logged_in("manager")
    assert "is not what was seen when it was asked" not in text(client.get(page_of(asked)))
    put_right(second, outcomes=words(b1="push"))
    page = text(client.get(page_of(asked)))
    assert "is not what was seen when it was asked" in page
    one = code_at(round_, 1)
    assert f"{one} 5,400 → 4,600" in page, "what it would change now"
    assert f"{one} 5,600 → 4,800" in page, "what was seen when it was asked"


def round_with_two_hands() -> Round:
    round_ = seated(4, **CUTS)
    hand(shoe_of(round_), {1: 400, 2: 200, 3: 200, 4: 400}, b1="win", b2="win", b3="lose", b4="lose")
    hand(shoe_of(round_), {1: 200}, b1="win")
    play_and_count(round_)
    close(round_)
    return round_


def test_T17_who_has_the_page_open_while_another_hand_is_put_right_is_told():
    """The preview is what is confirmed: with another preview the form is of a state that is no more."""
    round_ = round_with_two_hands()
    first, second = Deal.objects.filter(shoe__round=round_).order_by("number")
    asked = asked_for(first, outcomes=words(b1="lose", b2="win", b3="lose", b4="lose"))
    client = logged_in("manager")
    basis = re.search(r'name="basis" value="([^"]*)"', client.get(page_of(asked)).content.decode())
    assert basis is not None
    put_right(second, outcomes=words(b1="push"))
    no = answer(client, asked, basis=basis[1])
    assert no.status_code == 409
    assert "In the meantime" in sentence(no)
    assert Deal.objects.get(pk=first.pk).status == "settled"
    assert answer(client, asked).status_code == 303


def test_T17_what_cannot_be_carried_out_any_more_says_why_and_can_be_refused():
    """Another hand put right opened the round again, for a tie; there the director put this one right."""
    round_ = round_with_two_hands()
    old, second = Deal.objects.filter(shoe__round=round_).order_by("number")
    asked = asked_for(old, outcomes=SWAPPED)
    put_right(second, bets={1: 200, 3: 400}, outcomes=words(b1="win", b3="win"))
    deal_correct(deal_id=old.pk, void=True, reason="misdeal", key=new_key(), actor=person("director"))
    client = logged_in("manager")
    answered = client.get(page_of(asked))
    assert answered.status_code == 200
    page = text(answered)
    assert "It cannot be carried out as things stand: Hand 1 is reversed." in page
    assert 'value="approve"' not in answered.content.decode()
    assert "As it was asked" in page and "5,200 → 4,800" in page
    assert answer(client, asked).status_code == 409
    assert answer(client, asked, "refuse").status_code == 303


def test_T17_what_was_confirmed_stays_beside_what_is_recorded_since():
    """Another hand was put right before it was confirmed, and once more afterwards."""
    round_ = round_with_two_hands()
    first, second = Deal.objects.filter(shoe__round=round_).order_by("number")
    asked = asked_for(first, outcomes=words(b1="lose", b2="win", b3="lose", b4="lose"))
    put_right(second, outcomes=words(b1="push"))
    request_decide(request_id=asked.pk, approve=True, key=new_key(), actor=person("manager"))
    one, client = code_at(round_, 1), logged_in("director")
    page = text(client.get(page_of(asked)))
    assert f"{one} 5,600 → 4,800" in page.split("What was confirmed")[0], "as it was asked"
    assert f"{one} 5,400 → 4,600" in page.split("What was confirmed")[1]
    assert "Of these players the same is recorded now." in page
    put_right(Deal.objects.get(corrects=second), outcomes=words(b1="win"))
    page = text(client.get(page_of(asked)))
    assert f"{one} 5,400 → 4,600" in page.split("What was confirmed")[1].split("Recorded now")[0]
    assert f"{one} 4,600 → 4,800" in page.split("Recorded now")[1]


@pytest.mark.parametrize("stage", [play_off, sudden_death])
def test_T17_right_after_a_hand_of_a_tie_was_put_right_nothing_else_is_said_to_be_recorded(stage: Any):
    found = stage()
    boxes = [seat.box for seat in found.seats.order_by("box")]
    rest = {f"b{box}": "push" for box in boxes[2:]}
    old = hand(shoe_of(found), dict.fromkeys(boxes, 200), b1="win", b2="lose", **rest)
    close(found)
    asked = asked_for(old, outcomes=words(b1="lose", b2="win", **rest))
    request_decide(request_id=asked.pk, approve=True, key=new_key(), actor=person("manager"))
    page = text(logged_in("director").get(page_of(asked)))
    assert "Of these players the same is recorded now." in page


def test_T17_the_page_shows_the_hand_as_it_is_and_as_it_would_be():
    _round, old = round_1()
    asked = asked_for(old, bets={1: 400, 2: 200, 3: 200, 4: 600}, outcomes=SWAPPED)
    page = text(logged_in("manager").get(page_of(asked)))
    now, then = page.split("As it would be recorded")
    assert "As it is recorded" in now and "400 −400" in now
    assert "600 −600" in then
    request_decide(request_id=asked.pk, approve=False, key=new_key(), actor=person("manager"))
    void = asked_for(old, void=True)
    assert "bet goes back" in text(logged_in("manager").get(page_of(void)))


def test_T17_a_request_by_cards_shows_the_cards():
    round_ = seated(2, **CUTS)
    old = recorded(shoe_of(round_), one_box_win(1, 200))
    play_and_count(round_)
    close(round_)
    lost = record({1: 200}, ["Kh", "9c", "7s", "Td"], {"seat": 1, "action": "stand"})
    page = logged_in("manager").get(page_of(asked_for(old, record=lost))).content.decode()
    assert 'aria-label="7 of spades"' in page and page.count('aria-label="King of hearts"') == 2


def test_T17_the_page_of_a_tie_names_the_hands_that_become_void_and_that_it_goes_on():
    stage = play_off()
    first = hand(shoe_of(stage), {1: 200, 2: 200, 3: 200}, b1="win", b2="push", b3="push")
    hand(shoe_of(stage), {2: 200, 3: 200}, b2="win", b3="lose")
    close(stage)
    asked = asked_for(first, outcomes=words(b1="push", b2="push", b3="win"))
    page = text(logged_in("manager").get(page_of(asked)))
    assert "Hand 2 at table 1 becomes void: others would have been playing." in page
    assert "The tie is not decided after all" in page
    assert page.count("Plays on") == 2


def test_T17_the_page_shows_prizes_that_change():
    stage = sudden_death()
    old = hand(shoe_of(stage), {1: 200, 2: 200}, b1="win", b2="lose")
    close(stage)
    page = text(logged_in("manager").get(page_of(asked_for(old, outcomes=words(b1="lose", b2="win")))))
    assert "$400 → $300" in page and "$300 → $400" in page


def test_T17_where_seats_stand_the_page_says_so():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    draw_and_seat(round_.event)
    asked = asked_for(old, outcomes=SWAPPED)
    assert "its seats stand" in text(logged_in("manager").get(page_of(asked)))


def test_T17_only_a_correction_of_this_event_has_such_a_page():
    round_, old = round_1()
    asked = asked_for(old, void=True)
    other, _ = round_1()
    client = logged_in("director")
    assert client.get(f"/staff/{other.event.slug}/requests/{asked.pk}/correction/").status_code == 404
    assert client.get(f"/staff/{round_.event.slug}/requests/999999/correction/").status_code == 404
    Request.objects.filter(pk=asked.pk).update(kind="disqualify")
    assert client.get(page_of(asked)).status_code == 404


def test_T17_a_request_from_before_what_was_seen_was_kept_still_opens():
    _round, old = round_1()
    asked = asked_for(old, outcomes=SWAPPED)
    for gone in ("seen", "hand"):
        del asked.body[gone]
    asked.save()
    page = text(logged_in("manager").get(page_of(asked)))
    assert "5,200 → 4,800" in page
    assert "is not what was seen" not in page


def test_T17_the_floor_reads_it_and_answers_nothing():
    _round, old = round_1()
    asked = asked_for(old, outcomes=SWAPPED)
    client = logged_in("floor")
    page = client.get(page_of(asked)).content.decode()
    assert "5,200 → <b>4,800</b>" in page and 'name="answer"' not in page
    assert page.count("Only a director or a manager can confirm this. Ask one of them.") == 1
    assert answer(client, asked).status_code == 403


@pytest.mark.parametrize("typed", [{}, {"answer": ""}, {"answer": "perhaps"}])
def test_an_answer_that_is_neither_yes_nor_no_is_none(typed: dict[str, str]):
    _, old = round_1()
    asked = asked_for(old, outcomes=SWAPPED)
    told = logged_in("manager").post(page_of(asked), {"key": new_key(), **typed})
    assert (told.status_code, "Your answer did not come" in sentence(told)) == (400, True)
    asked.refresh_from_db()
    assert asked.status == Request.Status.OPEN
