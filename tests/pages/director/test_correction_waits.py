"""A correction that waits for a second person is told wherever it would change something (T17, T19)."""

from __future__ import annotations

import pytest

from tests.cast.at_tables import logged_in
from tests.cast.corrected import post, round_1
from tests.cast.correction_asked import SWAPPED, answer, asked_for, page_of
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat
from tests.cast.html import data
from tests.cast.tied import code_at
from tournament.models import Event, Request, Round

pytestmark = pytest.mark.django_db


def staff(event: Event, tail: str = "") -> str:
    return f"/staff/{event.slug}/{tail}"


def waiting() -> tuple[Round, Request]:
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    return round_, asked_for(old, outcomes=SWAPPED)


def test_T17_a_correction_that_waits_is_linked_wherever_it_would_change_something():
    """It moves somebody across the cut of a closed round: 3 goes on and not 2, and nothing of 4 changes."""
    round_, asked = waiting()
    client, hand = logged_in("director"), f"deals/{asked.body['deal']}/correct/"
    two, three, four = (f"entries/{code_at(round_, box)}/" for box in (2, 3, 4))
    tails = (f"rounds/{round_.pk}/", two, three, hand, f"deals/?table=1&round={round_.pk}", "draw/")

    def linked(tail: str) -> bool:
        return page_of(asked) in client.get(staff(round_.event, tail)).content.decode()

    assert [linked(tail) for tail in tails] == [True] * len(tails)
    assert not linked(four)
    # Its page is closed to the cashier.
    assert page_of(asked) not in logged_in("cashier").get(staff(round_.event, two)).content.decode()
    answer(client, asked, "refuse")
    assert not any(linked(tail) for tail in (*tails[:2], tails[-1]))


def test_T17_a_hand_whose_correction_waits_is_marked_and_cannot_be_asked_about_twice():
    round_, asked = waiting()
    listed = staff(round_.event, f"deals/?table=1&round={round_.pk}")
    correct = staff(round_.event, f"deals/{asked.body['deal']}/correct/")
    client = logged_in("director")
    page = client.get(listed)
    assert data(page, "code") == ["correction_waits"] and correct not in page.content.decode()
    assert data(logged_in("floor").get(listed), "code") == ["correction_waits"]
    assert 'value="preview"' not in client.get(correct).content.decode()
    posted = {"key": new_key(), "how": "void", "do": "correct", "reason": "again"}
    refused = client.post(correct, posted)
    assert (refused.status_code, data(refused, "code").count("already_asked")) == (409, 1)
    answer(client, asked, "refuse")
    assert correct in client.get(listed).content.decode()
    assert 'value="preview"' in client.get(correct).content.decode()


def test_T17_chips_that_were_carried_tell_it_on_the_page_of_the_next_round_too():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    second = draw_and_seat(round_.event)
    asked = asked_for(old, outcomes=SWAPPED)
    page = logged_in("director").get(staff(round_.event, f"rounds/{second.pk}/")).content.decode()
    assert page_of(asked) in page
    other = round_1(stacks="reset")
    post(other[0].event, 30_000, 10_000)
    next_ = draw_and_seat(other[0].event)
    waits = asked_for(other[1], outcomes=SWAPPED)
    client = logged_in("director")
    assert page_of(waits) not in client.get(staff(next_.event, f"rounds/{next_.pk}/")).content.decode()
    assert page_of(waits) in client.get(staff(next_.event, f"rounds/{other[0].pk}/")).content.decode()


def test_T17_a_roster_that_was_looked_at_before_it_was_asked_is_not_locked():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    client = logged_in("director")
    page = client.get(staff(round_.event, "draw/")).content.decode()
    basis = page.split('name="basis" value="')[1].split('"')[0]
    asked_for(old, outcomes=SWAPPED)
    pressed = client.post(staff(round_.event, "draw/lock/"), {"key": new_key(), "basis": basis})
    assert pressed.status_code == 409
    assert not round_.event.draws.filter(status="locked").exists()
