"""What a second person is asked to put right: the preview of exactly that, on a page of its own (T17)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal
from tables.services.corrections import deal_correct
from tests.cast.at_tables import logged_in
from tests.cast.corrected import post, put_right, round_1, words
from tests.cast.correction_asked import SWAPPED, answer, asked_for, changes, page_of
from tests.cast.counting import basis_of
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
from tests.cast.html import data, read
from tests.cast.tied import CUTS, code_at, play_off, sudden_death
from tournament.models import Request, Round
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db
LOST = words(b1="lose", b2="win", b3="lose", b4="lose")


@pytest.mark.parametrize("role", ["director", "manager"])
def test_T17_the_link_of_a_request_leads_to_the_preview_of_exactly_that_request(role: str):
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    asked = asked_for(old, outcomes=SWAPPED)
    client = logged_in(role)
    listed = client.get(f"/staff/{round_.event.slug}/requests/").content.decode()
    assert f'href="{page_of(asked)}"' in listed
    assert "/correct/" not in listed
    page = client.get(page_of(asked))
    two, three = code_at(round_, 2), code_at(round_, 3)
    assert changes(page) == {two: "5200 4800", three: "4800 5200"}
    assert changes(page, name="place") == {two: "2 3", three: "3 2"}
    assert changes(page, name="state") == {two: "advances out", three: "out advances"}
    assert asked.reason in page.content.decode()


def test_T17_the_asker_sees_the_same_page_and_can_only_take_it_back():
    _round, old = round_1()
    asked = asked_for(old, outcomes=SWAPPED)
    client = logged_in("director")
    Request.objects.filter(pk=asked.pk).update(requested_by=client.user)
    page = client.get(page_of(asked))
    assert "5200 4800" in changes(page).values()
    assert 'value="approve"' not in page.content.decode() and 'value="refuse"' in page.content.decode()
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
    assert (unseen.status_code, data(unseen, "code")) == (409, ["seen_first"])
    assert Deal.objects.get(pk=old.pk).status == "settled"
    assert answer(client, asked).status_code == 303
    asked.refresh_from_db()
    assert (asked.status, asked.decided_by) == ("approved", client.user)
    assert Deal.objects.get(pk=old.pk).status == "reversed"


def two_hands() -> tuple[Round, Deal, Deal]:
    round_ = seated(4, **CUTS)
    first = hand(shoe_of(round_), {1: 400, 2: 200, 3: 200, 4: 400}, b1="win", b2="win", b3="lose", b4="lose")
    second = hand(shoe_of(round_), {1: 200}, b1="win")
    play_and_count(round_)
    close(round_)
    return round_, first, second


def test_T17_what_has_changed_since_it_was_asked_is_shown_and_refuses_a_page_from_before():
    """Another hand of the round is put right between the two persons: the preview is what is confirmed."""
    round_, first, second = two_hands()
    asked = asked_for(first, outcomes=LOST)
    client = logged_in("manager")
    before = client.get(page_of(asked))
    assert "changed_since" not in data(before, "code")
    put_right(second, outcomes=words(b1="push"))
    page, one = client.get(page_of(asked)), code_at(round_, 1)
    assert "changed_since" in data(page, "code")
    assert (changes(page)[one], changes(page, "seen")[one]) == ("5400 4600", "5600 4800")
    no = answer(client, asked, basis=basis_of(before))
    assert (no.status_code, "stale" in data(no, "code")) == (409, True)
    assert Deal.objects.get(pk=first.pk).status == "settled"
    assert answer(client, asked).status_code == 303


def test_T17_what_cannot_be_carried_out_any_more_says_why_and_can_be_refused():
    """Another hand put right opened the round again, for a tie; there the director put this one right."""
    _round, old, second = two_hands()
    asked = asked_for(old, outcomes=SWAPPED)
    put_right(second, bets={1: 200, 3: 400}, outcomes=words(b1="win", b3="win"))
    deal_correct(deal_id=old.pk, void=True, reason="misdeal", key=new_key(), actor=person("director"))
    client = logged_in("manager")
    answered = client.get(page_of(asked))
    assert (answered.status_code, data(answered, "code")) == (200, ["deal_not_settled"])
    assert 'value="approve"' not in answered.content.decode()
    assert "5200 4800" in changes(answered, "seen").values() and not changes(answered)
    assert answer(client, asked).status_code == 409
    assert answer(client, asked, "refuse").status_code == 303


def test_T17_what_was_confirmed_stays_beside_what_is_recorded_since():
    """Another hand was put right before it was confirmed, and once more afterwards."""
    round_, first, second = two_hands()
    asked = asked_for(first, outcomes=LOST)
    put_right(second, outcomes=words(b1="push"))
    request_decide(request_id=asked.pk, approve=True, key=new_key(), actor=person("manager"))
    one, client = code_at(round_, 1), logged_in("director")
    page = client.get(page_of(asked))
    assert (changes(page, "seen")[one], changes(page, "confirmed")[one]) == ("5600 4800", "5400 4600")
    assert "recorded_as_confirmed" in data(page, "code") and not changes(page, "since")
    put_right(Deal.objects.get(corrects=second), outcomes=words(b1="win"))
    page = client.get(page_of(asked))
    assert (changes(page, "confirmed")[one], changes(page, "since")[one]) == ("5400 4600", "4600 4800")


@pytest.mark.parametrize("stage", [play_off, sudden_death])
def test_T17_right_after_a_hand_of_a_tie_was_put_right_nothing_else_is_said_to_be_recorded(stage: Any):
    found = stage()
    boxes = [seat.box for seat in found.seats.order_by("box")]
    rest = {f"b{box}": "push" for box in boxes[2:]}
    old = hand(shoe_of(found), dict.fromkeys(boxes, 200), b1="win", b2="lose", **rest)
    close(found)
    asked = asked_for(old, outcomes=words(b1="lose", b2="win", **rest))
    request_decide(request_id=asked.pk, approve=True, key=new_key(), actor=person("manager"))
    assert "recorded_as_confirmed" in data(logged_in("director").get(page_of(asked)), "code")


def test_T17_the_page_shows_the_hand_as_it_is_and_as_it_would_be():
    _round, old = round_1()
    asked = asked_for(old, bets={1: 400, 2: 200, 3: 200, 4: 600}, outcomes=SWAPPED)

    def shown(request: Request) -> list[tuple[str, str, str]]:
        page = read(logged_in("manager").get(page_of(request)).content.decode())
        rows = [row.attrs for row in page.all("tr") if row.attrs.get("data-box") == "4"]
        states = [each.attrs["data-state"] for each in page.all(".handpanel")]
        return [
            (state, row["data-bet-chips"], row["data-net-chips"])
            for state, row in zip(states, rows, strict=True)
        ]

    assert shown(asked) == [("settled", "400", "-400"), ("settled", "600", "-600")]
    request_decide(request_id=asked.pk, approve=False, key=new_key(), actor=person("manager"))
    assert shown(asked_for(old, void=True)) == [("settled", "400", "-400"), ("void", "400", "")]


def test_T17_a_request_by_cards_shows_the_cards():
    round_ = seated(2, **CUTS)
    old = recorded(shoe_of(round_), one_box_win(1, 200))
    play_and_count(round_)
    close(round_)
    lost = record({1: 200}, ["Kh", "9c", "7s", "Td"], {"seat": 1, "action": "stand"})
    page = logged_in("manager").get(page_of(asked_for(old, record=lost))).content.decode()
    assert 'aria-label="7 of spades"' in page and page.count('aria-label="King of hearts"') == 2


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
    page = logged_in("manager").get(page_of(asked))
    assert "5200 4800" in changes(page).values()
    assert "changed_since" not in data(page, "code")


def test_T17_the_floor_reads_it_and_answers_nothing():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    draw_and_seat(round_.event)
    asked = asked_for(old, outcomes=SWAPPED)
    client = logged_in("floor")
    page = client.get(page_of(asked))
    assert "5200 4800" in changes(page).values() and 'name="answer"' not in page.content.decode()
    assert data(page, "code").count("not_yours_to_confirm") == 1
    assert "seats_stand" in data(page, "code")
    assert answer(client, asked).status_code == 403


@pytest.mark.parametrize("typed", [{}, {"answer": ""}, {"answer": "perhaps"}])
def test_an_answer_that_is_neither_yes_nor_no_is_none(typed: dict[str, str]):
    _, old = round_1()
    asked = asked_for(old, outcomes=SWAPPED)
    told = logged_in("manager").post(page_of(asked), {"key": new_key(), **typed})
    assert (told.status_code, data(told, "code")) == (400, ["no_answer"])
    asked.refresh_from_db()
    assert asked.status == Request.Status.OPEN
