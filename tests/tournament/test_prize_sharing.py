"""A paid place that nobody holds any more, and its prize as two persons rule (T26)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.cast import playing
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.calls import refused
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import confirm as decide
from tests.cast.floor import disqualify
from tests.cast.html import data
from tests.cast.payments import ask, pay, won
from tournament.engine.prizes import Goes, Unclaimed
from tournament.models import Event, Posting, Request
from tournament.selectors.prizes import paid_of, unclaimed_for_staff
from tournament.services.payouts import payouts_supersede_request
from tournament.services.reconcile import reconcile

pytestmark = [pytest.mark.django_db, pytest.mark.soak]
FOUR = {"kind": "fixed", "amounts": [15_000, 9_000, 6_000, 4_000]}


def share(event: Event, **shares_cents: int) -> dict[str, Any]:
    return decide(ask(event, **shares_cents))


@pytest.fixture
def event() -> Event:
    """Three entrants, three prizes of $150, $90 and $60; E003 is disqualified: the last place is nobody's."""
    found = playing.finished(3)
    disqualify(found, "E003")
    return found


def test_T26_two_persons_rule_who_is_given_it_and_until_then_it_goes_in_proportion(event: Event):
    assert won(event) == {"E001": 18_750, "E002": 11_250}
    assert unclaimed_for_staff(event) == [Unclaimed(Goes.IN_PROPORTION, (3,), 6_000)]
    for cents in (5_999, 6_001, 0):
        with refused("shares_wrong"):
            ask(event, E001=cents)
    asked = ask(event, E001=1, E002=5_999)
    assert won(event) == {"E001": 18_750, "E002": 11_250}
    shares_cents = {"E001": 1, "E002": 5_999}
    assert unclaimed_for_staff(event) == [Unclaimed(Goes.ASKED, (3,), 6_000, shares_cents)]
    done_ = decide(asked)
    assert won(event) == {"E001": 15_001, "E002": 14_999}
    posting = Posting.objects.get(kind="sharing")
    assert (posting.number, posting.pk, posting.hash) == (1, done_["posting"], done_["hash"])
    about = {"event": event.code, "version": 1, "places": [3], "cents": 6_000, "reason": "they agreed"}
    assert posting.body == {**about, "shares_cents": shares_cents}
    assert unclaimed_for_staff(event) == [Unclaimed(Goes.RULED, (3,), 6_000, shares_cents)]
    pay(event, "E001")
    assert pay(event, "E002")["event_paid"] is True
    assert sum(paid_of(event).values()) == 30_000
    assert reconcile(event) == []


def test_T26_only_what_nobody_holds_is_shared_out_and_only_to_those_with_a_place(event: Event):
    for code, reason, shares_cents in (
        ("not_placed", "agreed", {"E003": 6_000}),
        ("not_placed", "agreed", {"E009": 6_000}),
        ("shares_wrong", "agreed", {"E001": 7_000, "E002": -1_000}),
        ("reason_missing", " ", {"E001": 6_000}),
    ):
        with refused(code):
            ask(event, reason, **shares_cents)
    held = playing.finished(5)
    with refused("all_held"):
        ask(held, E001=100)
    running = playing.round_1_closed(5)
    playing.post(running)
    with refused("not_finished"):
        ask(running, E001=100)


def test_T26_director_or_manager_asks_and_another_one_of_them_confirms(event: Event):
    with refused("not_yours_to_ask"):
        ask(event, actor=UserFactory(roles=["cashier"]), E001=6_000)
    manager = UserFactory(roles=["manager"])
    asked = ask(event, actor=manager, E001=6_000)
    for code, actor in (("own_request", manager), ("not_yours_to_confirm", UserFactory(roles=["cashier"]))):
        with refused(code):
            decide(asked, actor)
    decide(asked, UserFactory(roles=["director"]))
    assert won(event) == {"E001": 21_000, "E002": 9_000}


def test_T26_what_has_been_paid_stands_whatever_is_ruled_and_the_latest_ruling_counts(event: Event):
    pay(event, "E001")
    with refused("less_than_paid"):
        ask(event, E001=3_749, E002=2_251)
    share(event, E001=3_750, E002=2_250)
    assert won(event) == {"E001": 18_750, "E002": 11_250}
    share(event, E001=6_000)
    assert list(event.postings.filter(kind="sharing").values_list("number", flat=True)) == [1, 2]
    assert pay(event, "E001")["amount_cents"] == 2_250
    assert pay(event, "E002")["event_paid"] is True
    with refused("event_over"):
        ask(event, E002=6_000)
    assert reconcile(event) == []


def test_T26_T31_a_further_place_that_falls_free_goes_in_proportion_and_a_new_structure_ends_the_ruling():
    event = playing.finished(4, structure=FOUR, **playing.promised(*FOUR["amounts"]))
    disqualify(event, "E004")
    share(event, E002=4_000)
    asked = ask(event, E001=4_000)
    disqualify(event, "E003")
    with refused("shares_wrong"):
        decide(asked)
    # 60.00 as five to three, 40.00 as it was ruled.
    assert won(event) == {"E001": 18_750, "E002": 15_250}
    assert [(each.goes, each.places, each.cents) for each in unclaimed_for_staff(event)] == [
        (Goes.RULED, (4,), 4_000),
        (Goes.IN_PROPORTION, (3,), 6_000),
    ]

    two = {"kind": "fixed", "amounts": [24_000, 10_000]}
    about = {"event_id": event.pk, "structure": two, "reason": "two are left", "key": new_key()}
    decide(payouts_supersede_request(**about, actor=UserFactory()))
    assert (won(event), unclaimed_for_staff(event)) == ({"E001": 24_000, "E002": 10_000}, [])


def test_T26_the_page_shares_it_out(event: Event):
    manager, path = Somebody("manager"), staff(event, "payouts/sharing/")
    page = manager.get(path).content.decode()
    assert shares(page) == [("E001", "37.50"), ("E002", "22.50")]
    assert data(page, "goes") == ["in_proportion"]
    wrong = manager.press(path, **{"share-E001": "10", "share-E002": "40"}, reason="Agreed")
    text = refused_in_place(wrong, code="shares_wrong")
    assert shares(text) == [("E001", "10"), ("E002", "40")] and "Agreed" in text
    done(manager.press(path, **{"share-E001": "", "share-E002": "60"}, reason="Agreed"), "payouts/")
    assert shares(manager.get(path).content.decode()) == [], "no form for what would be refused"
    decide({"request": Request.objects.get(status="open").pk})
    for path in (staff(event, "payouts/"), staff(event, "pay/"), staff(event), f"/e/{event.slug}/prizes/"):
        assert "E002 $60.00" in manager.get(path).content.decode(), path


def shares(page: str) -> list[tuple[str, str]]:
    """Entry → what is typed or proposed for it."""
    return re.findall(r'name="share-(\w+)" value="([^"]*)"', page)


def test_T26_T35_nobody_is_paid_what_a_ruling_that_waits_would_make_another(event: Event):
    asked = ask(event, E001=60_00)
    for code in ("E001", "E002"):
        with refused("answer_waits"):
            pay(event, code)
    cashier = Somebody("cashier")
    assert "btn-go" not in cashier.get(staff(event, "pay/")).content.decode(), "nobody is offered to be paid"
    decide(asked)
    assert cashier.get(staff(event, "pay/")).content.decode().count("btn-go") == 1
