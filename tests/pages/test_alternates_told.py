"""What alternates and staff read about free boxes: at the table, on Tonight, at the desk, on paper (T6)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tables.models import Deal
from tests.cast.alternates import full_of, no_show, table
from tests.cast.at_desk import Somebody, codes, staff
from tests.cast.at_tables import Clerk, logged_in
from tests.cast.factories import PlayerFactory
from tests.cast.floor import draw_and_seat, event_make, hand, shoe_of
from tests.cast.pages import next_of
from tournament.models import Entry, Round

pytestmark = pytest.mark.django_db


def states(answer: Any) -> list[str]:
    return re.findall(r'data-seating="([^"]+)"', answer.content.decode())


# -- Tonight -------------------------------------------------------------------------------------------


def test_T6_tonight_names_the_box_that_is_free_for_the_alternate():
    round_ = full_of(3, 4)
    tail = f"seating/{round_.pk}/1/1/"
    assert tail not in [step.tail for step in next_of(round_.event)]
    no_show(round_, 1)
    first, begin = next_of(round_.event)[:2]
    assert (first.tail, begin.tail) == (tail, "tables/")
    page = Somebody("floor").get(staff(round_.event, tail))
    assert page.status_code == 200 and 'name="entry"' in page.content.decode()


def test_T6_once_seating_is_closed_tonight_does_not_say_that_no_box_was_free():
    round_ = full_of(3, 4)
    no_show(round_, 1)
    hand(shoe_of(round_), {2: 200}, b2="win")
    steps = next_of(round_.event)
    (refund,) = [step for step in steps if step.tail == "desk/"]
    assert "no box" not in refund.title
    assert not [step for step in steps if step.tail.startswith("seating/")]


# -- The desk, and paper -------------------------------------------------------------------------------


def test_T6_the_desk_says_that_it_sells_to_an_alternate_and_the_receipt_has_it():
    event = event_make(0)
    table(event, 3, 4, 5, 6, 7)
    cashier = Somebody("cashier")
    bought = []
    for waits in (False, False, True):
        player = PlayerFactory()
        before = cashier.get(staff(event, "desk/"), player=str(player.pk))
        assert ("buys_in_as_alternate" in codes(before)) == waits
        sale = cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on")
        assert ("sold_to_alternate" in codes(cashier.get(sale["Location"]))) == waits
        bought.append(Entry.objects.latest("pk"))
        receipt = cashier.get(staff(event, f"entries/{bought[-1].code}/receipt/"))
        assert states(receipt) == (["open"] if waits else [])
    assert [entry.status for entry in bought] == ["live", "live", "waiting"]


def test_T6_receipt_desk_and_phones_say_when_seating_is_closed():
    round_ = full_of(2, 3)
    event, cashier = round_.event, Somebody("cashier")
    addresses = [staff(event, "entries/E003/receipt/"), staff(event, "desk/")]
    assert [states(cashier.get(each)) for each in addresses] == [["open"], ["open"]]
    hand(shoe_of(round_), {1: 200}, b1="win")
    assert [states(cashier.get(each)) for each in addresses] == [["closed"], ["closed"]]


# -- The table asks once -------------------------------------------------------------------------------


def closes(answer: Any) -> str:
    found = re.search(r'name="closes" value="([^"]*)"', answer.content.decode())
    return found.group(1) if found else ""


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("bets", {"bet_2": 200}),
        ("results", {"bet_2": 200, "out_2": "win"}),
        ("cut", {"reason": "fire drill"}),
        ("close", {"reason": "fire drill"}),
    ],
)
def test_T6_the_table_asks_once_before_the_first_bet_closes_seating(do: str, fields: dict[str, Any]):
    round_ = full_of(3, 4)
    no_show(round_, 1)
    clerk = Clerk(logged_in("floor"), shoe_of(round_))
    asked = clerk.press(do, **fields)
    assert (asked.status_code, bool(closes(asked))) == (409, True)
    assert Round.objects.get(pk=round_.pk).status == "seated" and not Deal.objects.exists()
    answer = clerk.press(do, **fields, closes=closes(asked))
    assert answer.status_code == 200, answer.content.decode()[:3000]
    assert Round.objects.get(pk=round_.pk).status == "playing"


def test_T6_the_table_asks_again_where_a_box_has_come_free_since():
    round_ = full_of(3, 4)
    clerk = Clerk(logged_in("floor"), shoe_of(round_))
    asked = clerk.press("bets", bet_2=200)
    no_show(round_, 1)
    assert clerk.press("bets", bet_2=200, closes=closes(asked)).status_code == 409
    assert Round.objects.get(pk=round_.pk).status == "seated"


def test_T6_the_table_does_not_ask_where_nobody_waits():
    round_ = draw_and_seat(event_make(3))
    clerk = Clerk(logged_in("dealer", "floor"), shoe_of(round_))
    assert clerk.press("bets", bet_2=200).status_code == 200
