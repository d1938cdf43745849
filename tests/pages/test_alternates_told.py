"""T6: what pages and receipts say of seats, alternates and free boxes before the first bet."""

import re
from typing import Any

import pytest
from django.test import Client

from tables.models import Deal
from tables.selectors.basis import shoe_basis
from tables.services import seating
from tables.services.seating import seats_seen
from tests.cast.alternates import full_of, no_show, table
from tests.cast.at_desk import Somebody, codes, staff
from tests.cast.at_tables import Clerk, dealer_at, logged_in
from tests.cast.factories import EntryFactory, PlayerFactory, new_key
from tests.cast.floor import event_make, hand, seated, shoe_of
from tests.cast.pages import next_of
from tests.cast.worlds import kept
from tournament.models import Entry, Round

pytestmark = pytest.mark.django_db


def states(answer: Any) -> list[str]:
    return re.findall(r'data-seating="([^"]+)"', answer.content.decode())


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


PAGES = {"tonight": "", "tables": "tables/", "table": "tables/1/"}


@kept
def three_never_came() -> tuple[Round, Entry]:
    """14 entries at two tables, nobody seen at boxes 5, 6 and 7 of table 1, one alternate."""
    round_ = seated(14)
    late = EntryFactory(event=round_.event)
    for number, boxes in ((1, range(1, 5)), (2, range(1, 8))):
        shoe = shoe_of(round_, number)
        seats_seen(shoe_id=shoe.pk, boxes=boxes, key=new_key(), actor=None)
    return round_, late


def marks(client: Client, round_: Round, page: str, mark: str) -> list[str]:
    answer = client.get(f"/staff/{round_.event.slug}/{PAGES[page]}")
    return re.findall(rf'data-{mark}="([^"]+)"', answer.content.decode())


def press(client: Client, round_: Round, do: str, **fields: Any) -> Any:
    shoe = shoe_of(round_)
    fields = {"do": do, "key": new_key(), "shoe": shoe.pk, "basis": "fresh", **fields}
    return client.post(f"/staff/{round_.event.slug}/tables/1/", fields)


@pytest.mark.parametrize("page", PAGES)
def test_T6_the_page_names_the_boxes_where_nobody_has_been_seen(page):
    round_, late = three_never_came()
    client = logged_in("floor")
    assert marks(client, round_, page, "unseen") == ["1:5", "1:6", "1:7"]
    assert marks(client, round_, page, "waiting") == [late.code]
    assert marks(client, round_, page, "free") == []
    seating.seat_no_show(seat_id=round_.seats.get(box=6, table__number=1).pk, key=new_key(), actor=None)
    assert marks(client, round_, page, "unseen") == ["1:5", "1:7"]
    assert marks(client, round_, page, "free") == ["1:6"]
    hand(shoe_of(round_), {1: 200}, b1="win")
    assert marks(client, round_, page, "unseen") == []


def test_T6_the_dealer_ticks_who_is_there_and_leaves_no_shows_to_the_floor():
    round_ = seated(4)
    client = dealer_at(shoe_of(round_))
    page = client.get(f"/staff/{round_.event.slug}/tables/1/").content.decode()
    assert "/no-show/" not in page
    assert press(client, round_, "seen", seen=["1", "3"]).status_code == 303
    assert marks(client, round_, "table", "unseen") == ["1:2", "1:4"]
    assert press(client, round_, "seen", all="2,4").status_code == 303
    assert marks(client, round_, "table", "unseen") == []
    assert press(client, round_, "unseen", seen="3").status_code == 303
    assert marks(client, round_, "table", "unseen") == ["1:3"]
    assert press(client, round_, "seen").status_code == 422


def test_T6_bets_that_are_typed_stay_while_a_player_is_ticked():
    round_ = seated(2)
    answer = Clerk(logged_in("floor"), shoe_of(round_)).press("seen", seen="1", bet_1="400")
    assert re.search(r'"bet-1" value="400"[^>]* checked', answer.content.decode())


@pytest.mark.parametrize(
    "fields",
    [{"do": "bets"}, {"do": "bets", "card": "Ts"}, {"do": "results", "out_1": "win", "out_2": "win"}],
)
def test_T6_the_first_bets_are_called_after_a_player_has_been_ticked(fields):
    """Bets from a page of before are refused."""
    round_ = seated(2)
    shoe, client = shoe_of(round_), logged_in("floor")
    before = str(shoe_basis(shoe.pk))
    seats_seen(shoe_id=shoe.pk, boxes=[1], key=new_key(), actor=None)
    answer = press(client, round_, "bets", **{"basis": before, "bet-1": 200, "bet-2": 200})
    assert answer.status_code == 409
    assert 'data-code="stale"' in answer.content.decode()
    answer = Clerk(client, shoe).press(**fields, bet_1=200, bet_2=200)
    assert answer.status_code == 200
    assert Deal.objects.filter(shoe=shoe).exists()
