"""The pages of a prize that is paid in parts, and of a payment that is taken back (T26, T35)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pages.naming import entry_named
from tests.cast import playing
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.every_page import partly_paid
from tests.cast.payments import disqualify
from tournament.models import Event, Payment, Request

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """E002 and E003 were paid; then E001 was disqualified, so that both are owed more."""
    found = partly_paid(Event.Kind.TOURNAMENT)
    found.refresh_from_db()
    return found


def seen_of(response: Any) -> str:
    """What the form of a page was made from."""
    found = re.search(r'name="basis" value="([^"]+)"', response.content.decode())
    assert found is not None
    return found[1]


def text(who: Somebody, path: str) -> str:
    return str(who.get(path).content.decode())


def test_T26_the_page_of_payments_says_what_was_paid_and_what_is_left(event: Event):
    page = text(Somebody("cashier"), staff(event, "pay/"))
    assert "$250.00 of $500.00 paid" in page
    assert "$150.00 of it paid" in page and "Pay $100.00" in page
    assert "$100.00 of it paid" in page and "Pay $50.00" in page
    assert "3 prizes are still to be paid." in text(Somebody("cashier"), staff(event))
    tonight = text(Somebody("director"), staff(event))
    assert "$100 to pay" in tonight and "$50 to pay" in tonight


def test_T26_the_difference_is_paid_with_a_receipt_of_its_own(event: Event):
    cashier = Somebody("cashier")
    page = text(cashier, staff(event, "pay/E002/"))
    assert "The prize is $250.00 now, and $150.00 of it has been paid." in page and "Pay $100.00" in page
    receipt = text(cashier, staff(event, "pay/E002/receipt/"))
    assert 'data-left-cents="10000"' in receipt and "2nd → 1st" in receipt
    assert "Pay what is left" in receipt
    assert "Pay what is left" not in text(Somebody("director"), staff(event, "pay/E002/receipt/"))
    refused_in_place(cashier.press(staff(event, "pay/E002/")), "Check the identity")
    done(cashier.press(staff(event, "pay/E002/"), identity_checked="on"), "receipt/")
    receipt = text(cashier, staff(event, "pay/E002/receipt/"))
    assert "further payment" in receipt and '<p class="huge">$100.00</p>' in receipt
    assert "Paid altogether" in receipt and "$250.00" in receipt and "data-left-cents" not in receipt
    assert "Pay what is left" not in receipt
    assert cashier.get(staff(event, "pay/E002/"))["Location"].endswith("receipt/")


def test_T26_a_payment_is_taken_back_by_two_persons_with_a_receipt(event: Event):
    cashier, director = Somebody("cashier"), Somebody("director")
    path = staff(event, "pay/E003/")
    assert "First have $100.00 back in the drawer." in text(cashier, path + "receipt/")
    assert "Take the payment back" not in text(director, path + "receipt/")
    refused_in_place(cashier.press(path + "take-back/", reason=""), "Give the reason")
    done(cashier.press(path + "take-back/", reason="To the wrong person"), "/pay/")
    said = "A second person is asked to take back the $100.00 that E003 has been paid. Have that confirmed or"
    waits = text(cashier, path + "receipt/")
    assert said in waits and "Pay what is left" not in waits
    # Tonight says no more of it than the receipt: what E003 is still owed cannot be paid now.
    tonight = text(cashier, staff(event))
    named = entry_named(event.entries.get(code="E003"))
    assert f"What {named} has been paid is asked to be taken back; a second person has not" in tonight
    assert "3 prizes are still to be paid; 2 of them can be paid now." in tonight
    assert "To be taken back: a second person is asked" in tonight
    assert "$50 to pay" not in tonight and "$100 to pay" in tonight
    # Paid, and not waiting to be paid: E003 has $100 of $150 in hand.
    listed = text(cashier, staff(event, "pay/"))
    assert "To be taken back: a second person is asked" in listed
    assert "Waits for a second person" not in listed
    page = text(cashier, path)
    said = "A second person is asked to take back the $100.00 that E003 has been paid. Have that confirmed or"
    assert said in page and "Pay $50.00" not in page and 'type="submit"' not in page.split("<main")[1]
    pressed = cashier.press(path, identity_checked="on")
    assert pressed.status_code == 409 and said in pressed.content.decode()
    again = cashier.press(path + "take-back/", reason="To the wrong person")
    assert again.status_code == 409 and "waiting for a second person already" in again.content.decode()
    waiting = text(director, staff(event, "requests/"))
    assert "Take back $100.00 that was paid to E003" in waiting
    asked = Request.objects.get(status="open")
    done(director.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    back = Payment.objects.get(kind="taken")
    assert (back.paid_by, back.second_person) == (cashier.user, director.user)
    receipt = text(cashier, path + "receipt/")
    assert "Receipt of a prize taken back" in receipt and "Handed back, signature of the player" in receipt
    assert "To the wrong person" in receipt and "−$100.00" in receipt
    assert "What was paid before was taken back on" in text(cashier, path)
    assert "Pay $150.00" in text(cashier, path)
    entry = text(cashier, staff(event, "entries/E003/"))
    assert "Prize taken back" in entry and "Receipt of the prize" in entry
    who = f"asked for by {cashier.user}, confirmed by {director.user}"
    assert who in entry and entry.count("paid in</span>") == 2 and entry.count("paid out</span>") == 1
    assert f"Asked for by</dt><dd>{cashier.user}</dd>" in receipt
    assert f"Confirmed by</dt><dd>{director.user} · " in receipt, "the time is that of the confirmation"


def test_T26_what_stands_in_the_way_of_a_disqualification_is_said_with_the_way_out(event: Event):
    director = Somebody("director")
    path = staff(event, "entries/E003/disqualify/")
    said = 'data-code="prize_paid"'
    page = director.press(path, reason="marked cards")
    assert page.status_code == 409
    for shown in (page.content.decode(), text(director, staff(event, "entries/E003/"))):
        assert said in shown and "Receipt of the prize" in shown and "disqualify/" not in shown


def test_T35_in_a_paid_event_a_payment_can_still_be_taken_back_and_nothing_else():
    event = playing.finished(5)
    manager, director = Somebody("manager"), Somebody("director")
    for code in ("E001", "E002", "E003"):
        done(manager.press(staff(event, f"pay/{code}/"), identity_checked="on"))
    done(manager.press(staff(event, "pay/E003/take-back/"), reason="To the wrong person"))
    asked = Request.objects.get(status="open")
    assert "all prizes are paid" in text(manager, staff(event, "pay/"))
    done(manager.get(staff(event, "pay/E005/")), "/pay/")
    assert "E005 has no prize by its place" in text(manager, staff(event, "pay/"))
    done(director.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    event.refresh_from_db()
    assert event.status == "finished"
    assert "$400.00 of $500.00 paid" in text(manager, staff(event, "pay/"))
    assert "1 prize is still to be paid." in text(manager, staff(event))


def test_T26_while_a_tie_that_came_of_it_is_played_what_was_paid_is_listed():
    amounts = [20_000, 12_000, 8_000, 5_000, 5_000]
    event = playing.round_1_closed(6, stacks="reset", **playing.promised(*amounts))
    playing.post(event, {"kind": "fixed", "amounts": amounts})
    from tests.cast.factories import round_seat
    from tests.cast.payments import disqualify, pay

    for number in (2, 3):
        event.refresh_from_db()
        round_ = round_seat(event)
        level = {"E004": 400, "E005": 400} if number == 3 else {}
        playing.win(round_, **playing.ladder(round_) | level)
        playing.close(round_)
    pay(event, "E004")
    disqualify(event, "E001")
    cashier = Somebody("cashier")
    page = text(cashier, staff(event, "pay/"))
    assert "$50.00 paid · a tie for money is to be played before the rest" in page
    assert "of $50.00 paid" not in page and "E002" not in page
    receipt = text(cashier, staff(event, "pay/E004/receipt/"))
    assert "4th" in receipt and '<p class="huge">$50.00</p>' in receipt


def test_T26_a_press_for_a_prize_that_a_disqualification_took_away_says_so():
    event, cashier = playing.finished(5), Somebody("cashier")
    path = staff(event, "pay/E001/")
    seen = seen_of(cashier.get(path))
    disqualify(event, "E001")
    pressed = cashier.press(path, basis=seen, identity_checked="on")
    said = "E001 has no prize by its place and the posted structure."
    page = refused_in_place(pressed, said, status=409)
    assert page.count(said) == 1 and "In the meantime" in page and "Disqualified" in page
    assert "Pay $" not in page and "$0.00" not in page and 'name="identity_checked"' not in page
    assert not Payment.objects.exists()


def test_T35_a_press_for_a_prize_that_another_screen_has_paid_offers_nothing_more_to_pay():
    event, cashier, manager = playing.finished(5), Somebody("cashier"), Somebody("manager")
    path = staff(event, "pay/E001/")
    seen = seen_of(manager.get(path))
    done(cashier.press(path, identity_checked="on"), "receipt/")
    page = refused_in_place(
        manager.press(path, basis=seen, identity_checked="on"), "E001 has been paid $250.00 already.", 409
    )
    assert page.count("has been paid $250.00 already") == 1
    assert "Pay $" not in page and "$0.00" not in page and 'name="identity_checked"' not in page


def test_T26_who_is_asked_to_be_disqualified_is_paid_nothing_until_that_is_answered():
    event, cashier, director = playing.finished(5), Somebody("cashier"), Somebody("director")
    done(director.press(staff(event, "entries/E001/disqualify/"), reason="marked cards"))
    said = "A second person is asked to disqualify E001, which takes the prize away."
    path = staff(event, "pay/E001/")
    page = text(cashier, path)
    assert said in page and "Pay $" not in page
    for listed in ("pay/", ""):
        assert "To be disqualified: a second person is asked" in text(cashier, staff(event, listed))
    assert "3 prizes are still to be paid; 2 of them can be paid now." in text(cashier, staff(event))
    assert said in refused_in_place(cashier.press(path, identity_checked="on"), said, 409)
    assert not Payment.objects.exists()
    asked = Request.objects.get(status="open")
    done(Somebody("manager").press(staff(event, f"requests/{asked.pk}/"), answer="refuse"))
    done(cashier.press(path, identity_checked="on"), "receipt/")


def test_T26_nor_does_the_second_person_of_a_payment_pay_who_is_asked_to_be_disqualified():
    event = playing.finished(5, second_person_from_cents=20_000)
    cashier, director = Somebody("cashier"), Somebody("director")
    path = staff(event, "pay/E001/")
    done(cashier.press(path, identity_checked="on"), "/pay/")
    assert "Waits for a second person" in text(cashier, staff(event, "pay/"))
    assert 'name="identity_checked"' not in text(cashier, path)
    asked = Request.objects.get(status="open")
    done(director.press(staff(event, "entries/E001/disqualify/"), reason="marked cards"))
    answered = Somebody("manager").press(staff(event, f"requests/{asked.pk}/"), answer="approve")
    assert answered.status_code == 409 and "asked to disqualify E001" in answered.content.decode()
    assert not Payment.objects.exists()
