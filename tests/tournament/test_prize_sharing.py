"""A paid place that nobody holds any more, and its prize as two persons rule (T26)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.cast import playing
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.factories import UserFactory, new_key
from tests.cast.html import read
from tests.cast.payments import ask, by_code, decide, disqualify, pay, refused, take_back
from tests.cast.worlds import kept
from tournament.models import Event, Posting, Request
from tournament.selectors.prizes import paid_of, prizes_for
from tournament.selectors.unheld import Goes, Unclaimed, unclaimed, unclaimed_or_asked
from tournament.services.payouts import payouts_supersede_request
from tournament.services.reconcile import reconcile

pytestmark = [pytest.mark.django_db, pytest.mark.soak]
FOUR = {"kind": "fixed", "amounts": [15_000, 9_000, 6_000, 4_000]}


def share(event: Event, **shares_cents: int) -> dict[str, Any]:
    return decide(ask(event, **shares_cents))


def prizes(event: Event) -> dict[str, int]:
    return by_code(event, prizes_for(event))


@kept
def unheld() -> Event:
    """Three entrants, three prizes of $150, $90 and $60; E003 is disqualified."""
    found = playing.finished(3)
    disqualify(found, "E003")
    return found


@pytest.fixture
def event() -> Event:
    """The last of three places is nobody's."""
    return unheld()


def test_T26_two_persons_rule_who_is_given_it_and_until_then_it_goes_in_proportion(event: Event):
    assert prizes(event) == {"E001": 18_750, "E002": 11_250}
    assert unclaimed(event) == [Unclaimed(Goes.IN_PROPORTION, (3,), 6_000)]
    asked = ask(event, E002=6_000)
    assert prizes(event) == {"E001": 18_750, "E002": 11_250}
    assert unclaimed_or_asked(event) == [Unclaimed(Goes.ASKED, (3,), 6_000, {"E002": 6_000})]
    done_ = decide(asked)
    assert prizes(event) == {"E001": 15_000, "E002": 15_000}
    posting = Posting.objects.get(kind="sharing")
    assert (posting.number, posting.pk, posting.hash) == (1, done_["posting"], done_["hash"])
    assert posting.body == {
        "event": event.code,
        "version": 1,
        "places": [3],
        "cents": 6_000,
        "shares_cents": {"E002": 6_000},
        "reason": "they agreed",
    }
    assert unclaimed(event) == [Unclaimed(Goes.RULED, (3,), 6_000, {"E002": 6_000})]
    pay(event, "E001")
    assert pay(event, "E002")["event_paid"] is True
    assert sum(paid_of(event).values()) == 30_000
    assert reconcile(event) == []


@pytest.mark.parametrize("cents", [5_999, 6_001, 0])
def test_T26_it_adds_up_to_that_prize_to_the_cent(event: Event, cents: int):
    with refused("shares_wrong"):
        ask(event, E001=cents)
    assert ask(event, E001=5_999, E002=1)["request"]


def test_T26_only_what_nobody_holds_is_shared_out_and_only_to_those_with_a_place(event: Event):
    with refused("not_placed"):
        ask(event, E003=6_000)
    with refused("not_placed"):
        ask(event, E009=6_000)
    with refused("shares_wrong"):
        ask(event, E001=7_000, E002=-1_000)
    with refused("reason_missing"):
        ask(event, " ", E001=6_000)
    held = playing.finished(5)
    with refused("all_held"):
        ask(held, E001=100)
    running = playing.round_1_closed(5)
    playing.post(running)
    with refused("not_finished"):
        ask(running, E001=100)


def test_T26_director_or_manager_asks_and_another_one_of_them_confirms(event: Event):
    for role in ("cashier", "floor", "dealer"):
        with refused("not_yours_to_ask"):
            ask(event, actor=UserFactory(roles=[role]), E001=6_000)
    manager = UserFactory(roles=["manager"])
    asked = ask(event, actor=manager, E001=6_000)
    with refused("own_request"):
        decide(asked, manager)
    with refused("not_yours_to_confirm"):
        decide(asked, UserFactory(roles=["cashier"]))
    decide(asked, UserFactory(roles=["director"]))
    assert prizes(event) == {"E001": 21_000, "E002": 9_000}


def test_T26_what_has_been_paid_stands_whatever_is_ruled(event: Event):
    pay(event, "E001")
    with refused("less_than_paid"):
        ask(event, E001=3_749, E002=2_251)
    share(event, E001=3_750, E002=2_250)
    assert prizes(event) == {"E001": 18_750, "E002": 11_250}
    share(event, E001=6_000)
    assert pay(event, "E001")["amount_cents"] == 2_250
    assert pay(event, "E002")["event_paid"] is True
    assert reconcile(event) == []


def test_T26_a_ruling_takes_the_place_of_the_one_before_and_both_stay_public(event: Event):
    share(event, E001=6_000)
    share(event, E002=6_000)
    assert prizes(event) == {"E001": 15_000, "E002": 15_000}
    assert list(event.postings.filter(kind="sharing").values_list("number", flat=True)) == [1, 2]
    page = Somebody().get(f"/e/{event.slug}/prizes/").content.decode()
    assert "E002 $60.00" in page and "E001 $60.00" in page
    for posting in event.postings.filter(kind="sharing"):
        assert posting.hash in page


def test_T26_a_further_place_that_falls_free_goes_in_proportion_beside_the_ruling():
    event = playing.finished(4, structure=FOUR, **playing.promised(*FOUR["amounts"]))
    disqualify(event, "E004")
    share(event, E002=4_000)
    disqualify(event, "E003")
    # 60.00 as five to three, 40.00 as it was ruled.
    assert prizes(event) == {"E001": 18_750, "E002": 15_250}
    assert [(each.goes, each.places, each.cents) for each in unclaimed(event)] == [
        (Goes.RULED, (4,), 4_000),
        (Goes.IN_PROPORTION, (3,), 6_000),
    ]
    with refused("shares_wrong"):
        ask(event, E001=6_000)
    share(event, E001=10_000)
    assert prizes(event) == {"E001": 25_000, "E002": 9_000}
    assert reconcile(event) == []


def test_T26_a_ruling_that_gives_to_somebody_disqualified_since_holds_no_longer():
    event = playing.finished(4, structure=FOUR, **playing.promised(*FOUR["amounts"]))
    disqualify(event, "E004")
    share(event, E003=4_000)
    pay(event, "E001")
    disqualify(event, "E003")
    assert prizes(event) == {"E001": 21_250, "E002": 12_750}
    assert unclaimed(event) == [Unclaimed(Goes.IN_PROPORTION, (3, 4), 10_000)]
    assert pay(event, "E001")["amount_cents"] == 6_250
    assert pay(event, "E002")["event_paid"] is True
    assert reconcile(event) == []


def test_T26_paid_by_a_ruling_that_holds_no_longer_nobody_is_owed_less_than_they_have():
    """E003 was given the whole prize and paid; in proportion it would be a little of it."""
    event = playing.finished(4, structure={"kind": "fixed", "amounts": [90_000, 2_000, 2_000, 1_000]})
    disqualify(event, "E004")
    share(event, E002=1, E003=999)
    pay(event, "E003")
    assert paid_of(event) == {event.entries.get(code="E003").pk: 2_999}
    disqualify(event, "E002")
    assert prizes(event) == {"E001": 92_001, "E003": 2_999}
    assert [pay(event, "E001")["event_paid"], reconcile(event)] == [True, []]


def test_T31_a_ruling_is_about_the_structure_of_its_day(event: Event):
    share(event, E002=6_000)
    asked = payouts_supersede_request(
        event_id=event.pk,
        structure={"kind": "fixed", "amounts": [20_000, 10_000]},
        reason="two are left",
        key=new_key(),
        actor=UserFactory(),
    )
    decide(asked)
    assert prizes(event) == {"E001": 20_000, "E002": 10_000}
    assert unclaimed(event) == []


def test_T26_what_was_asked_is_about_other_places_by_now():
    event = playing.finished(4, structure=FOUR, **playing.promised(*FOUR["amounts"]))
    disqualify(event, "E004")
    asked = ask(event, E001=4_000)
    disqualify(event, "E003")
    with refused("shares_wrong"):
        decide(asked)
    assert not Posting.objects.filter(kind="sharing").exists()


def test_T26_where_nobody_holds_a_paid_place_two_persons_rule_who_is_paid():
    """Two played the final for the two prizes; both are disqualified, and E003 was cut before it."""
    event = playing.finished(
        3,
        structure={"kind": "fixed", "amounts": [20_000, 10_000]},
        cut_after_round_1=2,
        cut_after_round_2=2,
    )
    disqualify(event, "E001")
    assert prizes(event) == {"E002": 30_000}
    disqualify(event, "E002")
    assert prizes(event) == {}
    director = Somebody("director")
    tonight = director.get(staff(event)).content.decode()
    assert 'data-goes="to_rule"' in tonight
    share(event, E003=30_000)
    assert pay(event, "E003")["event_paid"] is True
    assert reconcile(event) == []


def test_T26_with_a_payment_taken_back_it_can_be_ruled_on_again(event: Event):
    pay(event, "E001"), pay(event, "E002")
    event.refresh_from_db()
    assert event.status == "paid"
    with refused("not_finished"):
        ask(event, E002=6_000)
    take_back(event, "E001")
    share(event, E001=3_750, E002=2_250)
    assert pay(event, "E001")["event_paid"] is True


# -- Pages ----------------------------------------------------------------------------------------------


def test_T26_the_page_shares_it_out(event: Event):
    manager, director = Somebody("manager"), Somebody("director")
    path = staff(event, "payouts/sharing/")
    assert path in manager.get(staff(event, "payouts/")).content.decode()
    page = manager.get(path).content.decode()
    assert shares(page) == [("E001", "37.50"), ("E002", "22.50")]
    text = refused_in_place(
        manager.press(path, **{"share-E001": "10", "share-E002": "40"}, reason="Agreed"), code="shares_wrong"
    )
    assert shares(text) == [("E001", "10"), ("E002", "40")] and "Agreed" in text
    assert manager.press(path, **{"share-E001": "ten"}, reason="Agreed").status_code == 422
    assert manager.press(path, **{"share-E002": "60"}).status_code == 422
    done(manager.press(path, **{"share-E001": "", "share-E002": "60"}, reason="Agreed"), "payouts/")
    assert shares(manager.get(path).content.decode()) == [], "no form for what would be refused"
    assert manager.press(path, **{"share-E001": "60"}, reason="Otherwise").status_code == 409
    asked = Request.objects.get(status="open")
    assert "E002 $60.00" in director.get(staff(event, "requests/")).content.decode()
    done(director.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    for path in (staff(event, "payouts/"), staff(event, "pay/"), staff(event), f"/e/{event.slug}/prizes/"):
        assert "E002 $60.00" in director.get(path).content.decode(), path
    public = read(manager.get(f"/e/{event.slug}/prizes/").content.decode())
    (now,) = [each for each in public.all("table") if "E001" in each.text]
    assert [row.all("th", "td")[-1].text for row in now.all("tbody")[0].all("tr")] == ["$150.00", "$150.00"]


def shares(page: str) -> list[tuple[str, str]]:
    """Entry → what is typed or proposed for it."""
    return re.findall(r'name="share-(\w+)" value="([^"]*)"', page)


def test_T26_where_every_place_is_held_the_page_offers_nothing():
    event, manager = playing.finished(5), Somebody("manager")
    path = staff(event, "payouts/sharing/")
    assert "share-E001" not in manager.get(path).content.decode()
    assert "payouts/sharing/" not in manager.get(staff(event, "payouts/")).content.decode()
    assert manager.press(path, reason="Agreed").status_code == 409


def test_T26_T35_nobody_is_paid_what_a_ruling_that_waits_would_make_another(event: Event):
    before = prizes(event)
    asked = ask(event, E001=60_00)
    for code in ("E001", "E002"):
        with refused("sharing_asked"):
            pay(event, code)
    assert paid_of(event) == {}
    listed = Somebody("cashier").get(staff(event, "pay/")).content.decode()
    assert "btn-go" not in listed, "nobody is offered to be paid"
    decide(asked)
    assert Somebody("cashier").get(staff(event, "pay/")).content.decode().count("btn-go") == 1
    assert prizes(event)["E001"] == 210_00 != before["E001"]
    pay(event, "E001")
    pay(event, "E002")
    assert sum(paid_of(event).values()) == 300_00


def test_T26_T35_who_gets_the_same_by_a_ruling_that_waits_is_paid(event: Event):
    same = prizes(event)["E002"]
    ask(event, E001=60_00 - (same - 90_00), E002=same - 90_00)
    pay(event, "E002")
    assert by_code(event, paid_of(event)) == {"E002": same}
