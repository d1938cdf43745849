"""A correction that waits for a second person is told wherever it would change something (T17, T19)."""

from __future__ import annotations

import pytest

from tests.cast.at_tables import logged_in, text
from tests.cast.corrected import post, round_1
from tests.cast.correction_asked import SWAPPED, answer, asked_for, page_of
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat
from tests.cast.tied import code_at
from tournament.models import Event, Request, Round

pytestmark = pytest.mark.django_db


def staff(event: Event, tail: str = "") -> str:
    return f"/staff/{event.slug}/{tail}"


def pages_of(asked: Request, round_: Round) -> dict[str, str]:
    """Every page that must tell of a correction which moves somebody across the cut of a closed round."""
    two, three = code_at(round_, 2), code_at(round_, 3)
    return {
        "round": f"rounds/{round_.pk}/",
        "who would be out": f"entries/{two}/",
        "who would go on": f"entries/{three}/",
        "hand": f"deals/{asked.body['deal']}/correct/",
        "draw": "draw/",
    }


def waiting() -> tuple[Round, Request]:
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    return round_, asked_for(old, outcomes=SWAPPED)


@pytest.mark.parametrize("which", ["round", "who would be out", "who would go on", "hand", "draw"])
def test_T17_a_correction_that_waits_is_linked_where_it_would_change_something(which: str):
    round_, asked = waiting()
    client = logged_in("director")
    path = staff(round_.event, pages_of(asked, round_)[which])
    assert page_of(asked) in client.get(path).content.decode()
    answer(client, asked, "refuse")
    assert page_of(asked) not in client.get(path).content.decode().split("History")[0]


def test_T17_whom_it_is_not_about_is_not_told_of_it():
    round_, asked = waiting()
    page = logged_in("director").get(staff(round_.event, f"entries/{code_at(round_, 4)}/")).content.decode()
    assert page_of(asked) not in page and "correct hand 1" not in page


def test_T17_who_may_not_open_its_page_is_offered_no_link():
    round_, asked = waiting()
    response = logged_in("cashier").get(staff(round_.event, f"entries/{code_at(round_, 2)}/"))
    assert "correct hand 1" in text(response)
    assert page_of(asked) not in response.content.decode()


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
