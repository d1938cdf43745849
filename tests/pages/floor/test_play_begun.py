"""'Play has begun' and its undoing where people press it: at the table and on Tonight (T6, T18)."""

from __future__ import annotations

import pytest

from tests.cast.alternates import alone, begin, status
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.at_tables import dealer_at, logged_in, url
from tests.cast.floor import draw_and_seat, event_make, seated, shoe_of
from tests.cast.pages import next_of
from tournament.models import Round

pytestmark = pytest.mark.django_db


def page_of(round_: Round, tail: str = "") -> str:
    return staff(round_.event, f"rounds/{round_.pk}/begin/{tail}")


def test_T6_the_table_offers_the_press_then_its_undoing_and_comes_back_to_the_table():
    round_ = alone()
    shoe = shoe_of(round_)
    dealer = dealer_at(shoe)
    begins, undoes = (f"{page_of(round_, tail)}?table=1" for tail in ("", "undo/"))

    def offered() -> tuple[bool, bool]:
        page = dealer.get(url(shoe)).content.decode()
        return f'href="{begins}"' in page, f'href="{undoes}"' in page

    assert offered() == (True, False)
    answer = dealer.post(begins, {"key": "begin"})
    assert (answer.status_code, answer["Location"], status(round_)) == (303, url(shoe), "playing")
    assert offered() == (False, True)
    done(dealer.post(undoes, {"key": "undo"}), url(shoe))
    assert (offered(), status(round_)) == ((True, False), "seated")


def test_T6_tonight_offers_the_press_then_its_undoing():
    round_ = alone()
    tail = f"rounds/{round_.pk}/begin/"
    assert [step.tail for step in next_of(round_.event)] == [tail]
    begin(round_)
    assert [step.tail for step in next_of(round_.event)] == ["tables/", f"{tail}undo/"]
    done(Somebody("floor").press(page_of(round_, "undo/")), staff(round_.event))
    assert [step.tail for step in next_of(round_.event)] == [tail]


def test_T6_an_event_of_hands_is_offered_no_such_press():
    round_ = seated(3)
    assert [step.tail for step in next_of(round_.event)] == ["tables/"]
    assert "/begin/" not in logged_in("floor").get(url(shoe_of(round_))).content.decode()
    answer = Somebody("floor").press(page_of(round_))
    assert (answer.status_code, status(round_)) == (422, "seated")


def test_T6_the_page_says_who_waits_before_the_press_closes_seating():
    code = 'data-code="seating_closes"'
    floor, nobody = Somebody("floor"), alone()
    assert code not in floor.get(page_of(nobody)).content.decode()
    round_ = draw_and_seat(event_make(3, record_mode="counts", tables_count=1, boxes_per_table=2))
    assert code in floor.get(page_of(round_)).content.decode()


def test_an_auditor_is_offered_neither_press():
    round_ = alone()
    assert "/begin/" not in logged_in("auditor").get(url(shoe_of(round_))).content.decode()
