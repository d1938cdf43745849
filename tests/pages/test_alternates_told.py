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
from tests.cast.floor import event_make, hand, shoe_of
from tests.cast.pages import next_of
from tournament.models import Entry, Round

pytestmark = pytest.mark.django_db


def states(answer: Any) -> list[str]:
    return re.findall(r'data-seating="([^"]+)"', answer.content.decode())


# -- Tonight -------------------------------------------------------------------------------------------


def test_T6_tonight_names_the_box_that_is_free_for_the_alternate_until_seating_is_closed():
    round_ = full_of(3, 4)
    event, cashier = round_.event, Somebody("cashier")
    tail = f"seating/{round_.pk}/1/1/"
    assert tail not in [step.tail for step in next_of(event)]
    no_show(round_, 1)
    assert [step.tail for step in next_of(event)[:2]] == [tail, "tables/"]
    page = Somebody("floor").get(staff(event, tail))
    assert page.status_code == 200 and 'name="entry"' in page.content.decode()
    addresses = [staff(event, "entries/E004/receipt/"), staff(event, "desk/")]
    assert [states(cashier.get(each)) for each in addresses] == [["open"], ["open"]]
    hand(shoe_of(round_), {2: 200}, b2="win")
    tails = [step.tail for step in next_of(event)]
    assert "desk/" in tails and not [each for each in tails if each.startswith("seating/")]
    assert [states(cashier.get(each)) for each in addresses] == [["closed"], ["closed"]]


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
    """And again where a box has come free since."""
    round_ = full_of(3, 4)
    clerk = Clerk(logged_in("floor"), shoe_of(round_))
    before = clerk.press("bets", bet_2=200)
    no_show(round_, 1)
    asked = clerk.press(do, **fields, closes=closes(before))
    assert (asked.status_code, bool(closes(asked))) == (409, True)
    assert Round.objects.get(pk=round_.pk).status == "seated" and not Deal.objects.exists()
    answer = clerk.press(do, **fields, closes=closes(asked))
    assert answer.status_code == 200, answer.content.decode()[:3000]
    assert Round.objects.get(pk=round_.pk).status == "playing"
