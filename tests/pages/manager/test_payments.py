"""The pages of a prize that is paid in parts, and of a payment that is taken back (T26, T35)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.cast import playing
from tests.cast.at_desk import Somebody, codes, done, figures, marked, refused_in_place, staff
from tests.cast.every_page import partly_paid
from tests.cast.factories import round_seat
from tests.cast.payments import disqualify, pay
from tournament.models import Event, Payment, Request

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """E002 and E003 were paid; then E001 was disqualified, so that both are owed more."""
    found = partly_paid(Event.Kind.TOURNAMENT)
    found.refresh_from_db()
    return found


def lines(who: Somebody, path: str) -> dict[str, tuple[int, int]]:
    """The prize of every entry and what has been paid of it, in cents, as a page lists them."""
    found = {code: figures(node) for code, node in marked(who.get(path), "entry").items()}
    return {code: (each["cents"], each["paid-cents"]) for code, each in found.items() if "cents" in each}


def amount(who: Somebody, path: str) -> dict[str, int]:
    """The one amount that stands large on a page, with what belongs to it."""
    (node,) = [each for each in marked(who.get(path), "cents").values() if "huge" in each.classes]
    return figures(node)


def button(who: Somebody, path: str) -> bool:
    """Whether the page has the form that pays."""
    return 'name="identity_checked"' in who.get(path).content.decode()


def asked() -> Request:
    return Request.objects.get(status="open")


def answer(event: Event, who: Somebody, word: str = "approve") -> Any:
    return who.press(staff(event, f"requests/{asked().pk}/"), answer=word)


def test_T26_the_difference_is_paid_with_a_receipt_of_its_own(event: Event):
    cashier, path = Somebody("cashier"), staff(event, "pay/E002/")
    for listed in ("pay/", ""):
        found = lines(cashier, staff(event, listed))
        assert (found["E002"], found["E003"]) == ((250_00, 150_00), (150_00, 100_00))
    assert amount(cashier, path) == {"cents": 100_00, "paid-cents": 150_00}
    before = cashier.get(path + "receipt/")
    assert figures(marked(before, "place")["1"])["place-then"] == 2
    assert path in [node.attrs["href"] for node in marked(before, "pay-left").values()]
    assert not marked(Somebody("director").get(path + "receipt/"), "pay-left")
    refused_in_place(cashier.press(path), code="identity_not_checked")
    done(cashier.press(path, identity_checked="on"), "receipt/")
    receipt = cashier.get(path + "receipt/")
    assert amount(cashier, path + "receipt/") == {"cents": 100_00, "left-cents": 0}
    assert "25000" in marked(receipt, "paid-cents") and not marked(receipt, "pay-left")
    assert cashier.get(path)["Location"].endswith("receipt/")


def test_T26_a_payment_is_taken_back_by_two_persons_with_a_receipt(event: Event):
    cashier, director = Somebody("cashier"), Somebody("director")
    path = staff(event, "pay/E003/")
    assert path + "take-back/" in cashier.get(path + "receipt/").content.decode()
    assert path + "take-back/" not in director.get(path + "receipt/").content.decode()
    refused_in_place(cashier.press(path + "take-back/", reason=""), code="required")
    done(cashier.press(path + "take-back/", reason="Wrong person"), "/pay/")
    # Paid, and nothing is paid of it or asked for anew before that is answered: every page says so.
    for page in (path, path + "receipt/"):
        assert codes(cashier.get(page)) == ["taking_back_asked"]
        assert not button(cashier, page) and not marked(cashier.get(page), "pay-left")
    for listed in ("", "pay/"):
        node = marked(cashier.get(staff(event, listed)), "entry")["E003"]
        assert node.all(".pill")[0].attrs["data-code"] == "prize_take_back"
    refused_in_place(cashier.press(path, identity_checked="on"), code="taking_back_asked", status=409)
    again = cashier.press(path + "take-back/", reason="Wrong person")
    assert (again.status_code, codes(again)) == (409, ["already_asked", "taking_back_asked"])
    done(answer(event, director))
    back = Payment.objects.get(kind="taken")
    assert (back.amount_cents, back.paid_by, back.second_person) == (100_00, cashier.user, director.user)
    receipt = cashier.get(path + "receipt/")
    assert marked(receipt, "state")["taken_back"].attrs["data-cents"] == "10000"
    assert str(cashier.user) in marked(receipt, "by") and str(director.user) in marked(
        receipt, "second-person"
    )
    assert "Wrong person" in receipt.content.decode()
    assert amount(cashier, path) == {"cents": 150_00, "paid-cents": 0} and button(cashier, path)
    entry = cashier.get(staff(event, "entries/E003/")).content.decode()
    assert re.findall(r'data-money="(\w+)"', entry) == ["buy_in", "prize", "taken"]
    assert re.findall(r'data-in="(\w+)"', entry) == ["true", "false", "true"]


def test_T26_a_payment_stands_in_the_way_of_a_disqualification(event: Event):
    director, path = Somebody("director"), staff(event, "entries/E003/disqualify/")
    pressed = director.press(path, reason="marked cards")
    assert pressed.status_code == 409
    for page in (pressed, director.get(staff(event, "entries/E003/"))):
        assert "prize_paid" in codes(page) and path not in page.content.decode()
        assert staff(event, "pay/E003/receipt/") in page.content.decode()


def test_T35_in_a_paid_event_a_payment_can_still_be_taken_back_and_nothing_else():
    event = playing.finished(5)
    manager, director = Somebody("manager"), Somebody("director")
    for code in ("E001", "E002", "E003"):
        done(manager.press(staff(event, f"pay/{code}/"), identity_checked="on"))
    done(manager.press(staff(event, "pay/E003/take-back/"), reason="Wrong person"))
    assert "paid" in marked(manager.get(staff(event, "pay/")), "state")
    done(manager.get(staff(event, "pay/E005/")), "/pay/")
    assert "no_prize" in codes(manager.get(staff(event, "pay/")))
    done(answer(event, director))
    event.refresh_from_db()
    assert event.status == "finished"
    totals = figures(marked(manager.get(staff(event, "pay/")), "state")["finished"])
    assert totals == {"cents": 500_00, "paid-cents": 400_00}


def test_T26_while_a_tie_that_came_of_it_is_played_what_was_paid_is_listed():
    amounts = [20_000, 12_000, 8_000, 5_000, 5_000]
    event = playing.round_1_closed(6, stacks="reset", **playing.promised(*amounts))
    playing.post(event, {"kind": "fixed", "amounts": amounts})
    for number in (2, 3):
        event.refresh_from_db()
        round_ = round_seat(event)
        level = {"E004": 400, "E005": 400} if number == 3 else {}
        playing.win(round_, **playing.ladder(round_) | level)
        playing.close(round_)
    pay(event, "E004")
    disqualify(event, "E001")
    cashier = Somebody("cashier")
    assert "running" in marked(cashier.get(staff(event, "pay/")), "state")
    assert lines(cashier, staff(event, "pay/")) == {"E004": (50_00, 50_00)}
    assert amount(cashier, staff(event, "pay/E004/receipt/"))["cents"] == 50_00


@pytest.mark.parametrize(("since", "told"), [("paid", ["stale"]), ("gone", ["stale", "no_prize"])])
def test_T26_T35_a_press_for_a_prize_that_is_paid_or_gone_by_now_offers_nothing_to_pay(since, told):
    event, cashier, manager = playing.finished(5), Somebody("cashier"), Somebody("manager")
    path = staff(event, "pay/E001/")
    seen = re.search(r'name="basis" value="([^"]+)"', cashier.get(path).content.decode())[1]
    if since == "paid":
        done(manager.press(path, identity_checked="on"), "receipt/")
    else:
        disqualify(event, "E001")
    pressed = cashier.press(path, basis=seen, identity_checked="on")
    assert (pressed.status_code, codes(pressed)) == (409, told)
    assert 'name="identity_checked"' not in pressed.content.decode() and not marked(pressed, "cents")
    assert Payment.objects.count() == (since == "paid")


def test_T26_who_is_asked_to_be_disqualified_is_paid_nothing_until_that_is_answered():
    event, cashier, director = playing.finished(5), Somebody("cashier"), Somebody("director")
    done(director.press(staff(event, "entries/E001/disqualify/"), reason="marked cards"))
    path = staff(event, "pay/E001/")
    assert codes(cashier.get(path)) == ["disqualification_asked"] and not button(cashier, path)
    for listed in ("pay/", ""):
        assert "disqualify" in codes(cashier.get(staff(event, listed)))
    refused_in_place(cashier.press(path, identity_checked="on"), code="disqualification_asked", status=409)
    assert not Payment.objects.exists()
    done(answer(event, Somebody("manager"), "refuse"))
    done(cashier.press(path, identity_checked="on"), "receipt/")


def test_T26_nor_does_the_second_person_of_a_payment_pay_who_is_asked_to_be_disqualified():
    event = playing.finished(5, second_person_from_cents=20_000)
    cashier, director = Somebody("cashier"), Somebody("director")
    path = staff(event, "pay/E001/")
    done(cashier.press(path, identity_checked="on"), "/pay/")
    assert "prize_pay" in codes(cashier.get(staff(event, "pay/"))) and not button(cashier, path)
    waiting = asked()
    done(director.press(staff(event, "entries/E001/disqualify/"), reason="marked cards"))
    answered = Somebody("manager").press(staff(event, f"requests/{waiting.pk}/"), answer="approve")
    assert answered.status_code == 409 and "disqualification_asked" in codes(answered)
    assert not Payment.objects.exists()
