"""The manager's pages: the payout structure and the payments (T30–T35)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import transaction

from ground.refused import Refused
from pages.manager.forms import as_typed, places_of, structure_typed
from pages.words.prizes import compared_words
from tests.cast import playing
from tests.cast.at_desk import Somebody, codes, done, figures, journal_length, marked, refused_in_place, staff
from tests.cast.every_page import partly_paid
from tests.cast.factories import new_key
from tests.cast.floor import close, disqualify, draw_and_seat, event_make, hand, play_and_count, shoe_of
from tests.cast.html import Node, read
from tests.cast.prizes import after_round_1, finished, night
from tournament.engine.payouts import template_structure
from tournament.models import Event, Payment, PayoutStructure, Request
from tournament.selectors.prizes import Compared, payouts_check, prize_lines
from tournament.services.entries import entry_withdraw
from tournament.services.payouts import payouts_post

pytestmark = pytest.mark.django_db
SIX = {"a1": "40", "a2": "24", "a3": "14", "a4": "10", "a5": "7", "a6": "5"}


def says(event: Event) -> str:
    """The code of the page's note, with which nothing can be sent: that by which the service refuses."""
    answer = Somebody("manager").get(staff(event, "payouts/"))
    buttons = [n for n in read(answer.content.decode()).all("button") if n.attrs.get("type") == "submit"]
    found = " ".join(codes(answer))
    assert ("disabled" in buttons[-1].attrs) == bool(found)
    structure, refused = {"kind": "fixed", "amounts": [60_000, 20_000]}, ""
    try:
        with transaction.atomic():
            payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=None)
            transaction.set_rollback(True)
    except Refused as no:
        refused = no.code
    assert found == refused
    return found


def prizes(response: Any) -> dict[str, int]:
    """Place → prize in cents, as the check says it."""
    rows = {place: figures(node) for place, node in marked(response, "place").items()}
    return {place: each["cents"] for place, each in rows.items()}


# -- Building -----------------------------------------------------------------------------------------


def test_T30_templates_pay_from_two_to_ten_places():
    event, manager = night().event, Somebody("manager")
    two = manager.get(staff(event, "payouts/"), places="2")
    assert 'name="a2" value="35"' in two.content.decode() and prizes(two) == {"1": 520_00, "2": 280_00}
    for places in range(3, 9):
        paid = prizes(manager.get(staff(event, "payouts/"), places=str(places)))
        assert len(paid) == places and sum(paid.values()) == 800_00
    assert "places_paid_many" in codes(manager.get(staff(event, "payouts/"), places="10"))


def boxes_of(page: Node) -> dict[str, str]:
    """What stands in the boxes of the builder, by name."""
    named = [n.attrs for n in page.all("input") if re.fullmatch(r"[af]\d+", n.attrs.get("name", ""))]
    return {each["name"]: each["value"] for each in named}


@pytest.mark.parametrize("kind", ["shares", "fixed", "both"])
def test_T30_every_entry_can_be_paid_from_the_page_and_not_one_more(kind):
    event, manager = after_round_1(12).event, Somebody("manager")
    forms = read(manager.get(staff(event, "payouts/"), kind=kind).content.decode()).all("form")
    (asks,) = [f for f in forms if any(n.attrs.get("name") == "places" for n in f.all("input"))]
    assert asks.attrs["data-paid-at-most"] == "12"
    typed = {n.attrs["name"]: n.attrs["value"] for n in asks.all("input")} | {"places": "12"}
    unread = manager.get(asks.attrs["action"], **typed | {"places": "a dozen"})
    assert "whole" in codes(unread) and 'value="a dozen"' in unread.content.decode()
    built = boxes_of(read(manager.get(asks.attrs["action"], **typed).content.decode()))
    assert "a12" in built and "a13" not in built and ("f12" in built) == (kind == "both")
    done(manager.press(staff(event, "payouts/post/"), kind=kind, **built))
    prizes = PayoutStructure.objects.get(event=event).prizes_cents
    assert len(prizes) == 12 and sum(prizes) == 1_200_00
    thirteen = {f"a{place}": "1" for place in range(2, 14)} | {"a1": "88"}
    check = payouts_check(event, structure_typed({"kind": "shares", **thirteen}).structure)
    assert check.code == "places_paid_many"


@pytest.mark.parametrize(("typed", "places"), [("1", 2), ("11", 11), ("250", 250), ("251", 250)])
def test_T30_a_page_holds_250_places(typed, places):
    built = as_typed(template_structure(places_of({"places": typed}, 6)))
    assert built.places == places
    sent = {f"a{place}": text for place, text, _fixed in built.rows}
    assert len(structure_typed(sent).structure["amounts"]) == places


def test_T31_the_page_says_what_the_service_would_refuse_before_anything_is_typed():
    event = event_make(6, tables_count=1, boxes_per_table=4, cut_after_round_1=3, cut_after_round_2=2)
    assert says(event) == "too_early"
    round_ = draw_and_seat(event)
    event.refresh_from_db()
    assert says(event) == "too_early"
    hand(shoe_of(round_), {1: 200, 2: 400, 3: 600, 4: 800}, b1="win", b2="win", b3="win", b4="win")
    play_and_count(round_)
    close(round_)
    assert says(event) == "alternates_waiting"
    for entry in event.entries.filter(status="waiting"):
        entry_withdraw(entry_id=entry.pk, key=new_key(), actor=None)
    assert says(event) == ""


BOTH = {"kind": "both", "a1": "60", "f1": "500", "a2": "40", "f2": "100"}


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ({"a1": "40", "a2": "60"}, "prizes_rising"),
        ({"a1": "half", "a2": "50"}, "amount"),
        ({"a1": "50", "a2": "", "a3": "50"}, "prize_none"),
        ({}, "places_paid_few"),
        ({**BOTH, "f1": "lots"}, "amount"),
        ({**BOTH, "f2": "501"}, "prizes_rising"),
        ({**BOTH, "a2": "39"}, "shares_wrong"),
    ],
)
def test_T32_what_cannot_be_paid_is_said_at_once_and_before_the_confirmation_and_stays_typed(typed, code):
    event, manager = night().event, Somebody("manager")
    part = manager.part(staff(event, "payouts/check/"), **{"kind": "shares", **typed})
    assert codes(part)[-1] == code and "<html" not in part.content.decode()
    whole = manager.get(staff(event, "payouts/confirm/"), **{"kind": "shares", **typed})
    assert whole.status_code == 422 and code in codes(whole)
    boxes = boxes_of(read(whole.content.decode()))
    assert {name: boxes[name] for name in typed if name != "kind"} == {
        name: text for name, text in typed.items() if name != "kind"
    }


def test_T32_prizes_below_the_promise_are_told_with_both_sums_and_not_posted():
    event, manager = after_round_1().event, Somebody("manager")
    typed = {"kind": "fixed", "a1": "400", "a2": "399.99"}
    for path in ("payouts/check/", "payouts/confirm/"):
        page = manager.client.get(staff(event, path), typed)
        assert "pays_less_than_promised" in codes(page)
        assert "$799.99" in page.content.decode() and "$800.00" in page.content.decode()
    answer = manager.press(staff(event, "payouts/post/"), page=staff(event, "payouts/"), **typed)
    assert answer.status_code == 422
    assert not PayoutStructure.objects.filter(event=event).exists()
    # The live check has the difference where it is more.
    more = manager.part(staff(event, "payouts/check/"), kind="fixed", a1="600", a2="300.50")
    assert marked(more, "state")["can_be_posted"].attrs["data-cents"] == "10050"


# -- Posting ------------------------------------------------------------------------------------------


def test_T32_both_together_are_built_posted_and_read_by_the_public():
    event, manager = after_round_1().event, Somebody("manager")
    page = manager.get(staff(event, "payouts/"), places="2", kind="both").content.decode()
    assert 'name="a2" value="35"' in page and 'name="f2" value="0.00"' in page
    typed = {"kind": "both", "a1": "60", "f1": "500", "a2": "40", "f2": "", "a3": "", "f3": ""}
    check = manager.part(staff(event, "payouts/check/"), **typed)
    assert prizes(check) == {"1": 980_00, "2": 320_00} and "130000" in marked(check, "cents")
    look = read(manager.get(staff(event, "payouts/confirm/"), **typed).content.decode())
    sent = {n.attrs["name"]: n.attrs.get("value", "") for n in look.all("input") if n.attrs.get("name")}
    assert {name: sent[name] for name in typed} == typed
    done(manager.press(staff(event, "payouts/post/"), **typed), "payouts/")
    public = read(manager.get(f"/e/{event.slug}/prizes/").content.decode()).text
    assert "60 % + $500.00 $980.00" in public and "40 % + $0.00 $320.00" in public
    assert 'name="f1" value="500.00"' in manager.get(staff(event, "payouts/")).content.decode()


def test_T31_the_structure_is_looked_at_posted_and_replaced_by_two_persons():
    event, manager, director = after_round_1().event, Somebody("manager"), Somebody("director")
    assert "manager_posts" in codes(director.get(staff(event, "payouts/")))
    sent = {**SIX, "a7": "", "a8": ""}
    assert prizes(manager.get(staff(event, "payouts/confirm/"), kind="shares", **sent))["1"] == 320_00
    done(manager.press(staff(event, "payouts/post/"), kind="shares", **sent), "payouts/")
    posted = PayoutStructure.objects.get(event=event)
    assert posted.prizes_cents == [320_00, 192_00, 112_00, 80_00, 56_00, 40_00]
    page = manager.get(staff(event, "payouts/"))
    assert marked(page, "version")["1"].attrs["data-state"] == "live"
    assert posted.posting.hash in page.content.decode() and boxes_of(read(page.content.decode()))
    before = journal_length()
    again = manager.press(staff(event, "payouts/post/"), kind="shares", **SIX)
    assert again.status_code == 409 and "posted_already" in codes(again)
    path = staff(event, "payouts/replace/")
    refused_in_place(manager.press(path, kind="shares", a1="65", a2="35", reason=""), code="required")
    # A second person is not asked for what cannot be paid.
    answer = manager.press(path, kind="shares", a1="60", a2="30", reason="Agreed")
    assert answer.status_code == 422 and "shares_wrong" in codes(answer)
    assert boxes_of(read(answer.content.decode()))["a1"] == "60"
    assert journal_length() == before and not Request.objects.exists()
    done(manager.press(path, kind="shares", a1="65", a2="35", reason="Two places"), "payouts/")
    assert "supersede_asked" in codes(manager.get(staff(event, "payouts/")))
    asked = Request.objects.get(event=event)
    done(director.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    page = manager.get(staff(event, "payouts/"))
    states = {n: node.attrs["data-state"] for n, node in marked(page, "version").items() if n.isdecimal()}
    assert states["1"] == "superseded" and "Two places" in page.content.decode()


# -- Paying -------------------------------------------------------------------------------------------


def test_T35_a_prize_is_paid_once_after_the_identity_check_and_the_last_one_ends_the_event():
    event, cashier = finished(), Somebody("cashier")
    line, *others = prize_lines(event)
    path = staff(event, f"pay/{line.entry.code}/")
    assert str(line.amount_cents) in marked(cashier.get(path), "cents")
    refused_in_place(cashier.press(path), code="identity_not_checked")
    assert not Payment.objects.exists()
    done(cashier.press(path, identity_checked="on"), "receipt/")
    paid = Payment.objects.get()
    assert (paid.paid_by, paid.amount_cents) == (cashier.user, line.amount_cents)
    again = cashier.press(path, identity_checked="on")
    assert again.status_code == 409 and codes(again)[0] == "paid_already"
    assert cashier.get(path)["Location"].endswith("receipt/")
    assert cashier.user.username in marked(cashier.get(path + "receipt/"), "by")
    # T31: from the first payment on the structure is final.
    page = Somebody("manager").get(staff(event, "payouts/"))
    assert "paid_from" in codes(page) and not boxes_of(read(page.content.decode()))
    for line in others:
        done(cashier.press(staff(event, f"pay/{line.entry.code}/"), identity_checked="on"))
    event.refresh_from_db()
    assert event.status == Event.Status.PAID
    totals = figures(marked(cashier.get(staff(event, "pay/")), "state")["paid"])
    assert totals == {"cents": 800_00, "paid-cents": 800_00}


def test_T35_a_large_prize_asks_a_second_person_and_shows_the_tax_notice():
    event = finished(second_person_from_cents=300_00, tax_notice_from_cents=300_00)
    cashier, director = Somebody("cashier"), Somebody("director")
    line = prize_lines(event)[0]
    path = staff(event, f"pay/{line.entry.code}/")
    assert codes(cashier.get(path)) == ["tax_notice", "second_person_needed"]
    done(cashier.press(path, identity_checked="on"), "/pay/")
    assert "prize_pay" in codes(cashier.get(staff(event, "pay/")))
    asked = Request.objects.get(event=event)
    done(director.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    paid = Payment.objects.get()
    assert (paid.paid_by, paid.second_person) == (cashier.user, director.user)


def test_T35_who_has_no_prize_is_told_so_among_those_who_have():
    event, cashier = finished(), Somebody("cashier")
    last = event.entries.order_by("-place").first()
    done(cashier.get(staff(event, f"pay/{last.code}/")), "/pay/")
    assert "no_prize" in codes(cashier.get(staff(event, "pay/")))
    assert cashier.press(staff(event, f"pay/{last.code}/take-back/"), reason="a slip").status_code == 404
    assert cashier.get(staff(event, "pay/E999/")).status_code == 404


# -- Paid in parts, taken back (T26, T35) ----------------------------------------------------------------


@pytest.fixture
def partly() -> Event:
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


def answer(partly: Event, who: Somebody, word: str = "approve") -> Any:
    return who.press(staff(partly, f"requests/{asked().pk}/"), answer=word)


def test_T26_the_difference_is_paid_with_a_receipt_of_its_own(partly: Event):
    cashier, path = Somebody("cashier"), staff(partly, "pay/E002/")
    for listed in ("pay/", ""):
        found = lines(cashier, staff(partly, listed))
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


def test_T26_a_payment_is_taken_back_by_two_persons_with_a_receipt(partly: Event):
    cashier, director = Somebody("cashier"), Somebody("director")
    path = staff(partly, "pay/E003/")
    assert path + "take-back/" in cashier.get(path + "receipt/").content.decode()
    assert path + "take-back/" not in director.get(path + "receipt/").content.decode()
    refused_in_place(cashier.press(path + "take-back/", reason=""), code="required")
    done(cashier.press(path + "take-back/", reason="Wrong person"), "/pay/")
    # Paid, and nothing is paid of it or asked for anew before that is answered: every page says so.
    for page in (path, path + "receipt/"):
        assert codes(cashier.get(page)) == ["answer_waits"]
        assert not button(cashier, page) and not marked(cashier.get(page), "pay-left")
    for listed in ("", "pay/"):
        node = marked(cashier.get(staff(partly, listed)), "entry")["E003"]
        assert node.all(".pill")[0].attrs["data-code"] == "prize_take_back"
    refused_in_place(cashier.press(path, identity_checked="on"), code="answer_waits", status=409)
    again = cashier.press(path + "take-back/", reason="Wrong person")
    assert (again.status_code, codes(again)) == (409, ["already_asked", "answer_waits"])
    done(answer(partly, director))
    back = Payment.objects.get(kind="taken")
    assert (back.amount_cents, back.paid_by, back.second_person) == (100_00, cashier.user, director.user)
    receipt = cashier.get(path + "receipt/")
    assert marked(receipt, "state")["taken_back"].attrs["data-cents"] == "10000"
    assert str(cashier.user) in marked(receipt, "by") and str(director.user) in marked(
        receipt, "second-person"
    )
    assert "Wrong person" in receipt.content.decode()
    assert amount(cashier, path) == {"cents": 150_00, "paid-cents": 0} and button(cashier, path)
    entry = cashier.get(staff(partly, "entries/E003/")).content.decode()
    assert re.findall(r'data-money="(\w+)"', entry) == ["buy_in", "prize", "taken"]
    assert re.findall(r'data-in="(\w+)"', entry) == ["true", "false", "true"]


@pytest.mark.parametrize(("since", "why"), [("paid", "paid_already"), ("gone", "no_prize")])
def test_T26_T35_a_press_for_a_prize_that_is_paid_or_gone_by_now_offers_nothing_to_pay(since, why):
    partly, cashier, manager = playing.finished(5), Somebody("cashier"), Somebody("manager")
    path = staff(partly, "pay/E001/")
    seen = re.search(r'name="basis" value="([^"]+)"', cashier.get(path).content.decode())[1]
    if since == "paid":
        done(manager.press(path, identity_checked="on"), "receipt/")
    else:
        disqualify(partly, "E001")
    pressed = cashier.press(path, basis=seen, identity_checked="on")
    assert (pressed.status_code, codes(pressed)) == (409, ["stale", why])
    assert 'name="identity_checked"' not in pressed.content.decode() and not marked(pressed, "cents")
    assert Payment.objects.count() == (since == "paid")


@pytest.mark.parametrize(
    ("asks", "kind"), [("entries/E001/disqualify/", "disqualify"), ("call-off/", "call_off")]
)
def test_T8_T26_nobody_is_paid_what_a_second_person_may_take_away_until_that_is_answered(asks, kind):
    partly, cashier, director = playing.finished(5), Somebody("cashier"), Somebody("director")
    done(director.press(staff(partly, asks), reason="marked cards"))
    again = codes(director.get(staff(partly, "call-off/")))
    assert (again == ["already_asked"]) == (kind == "call_off"), "it is not offered twice"
    path = staff(partly, "pay/E001/")
    assert codes(cashier.get(path)) == ["answer_waits"] and not button(cashier, path)
    for listed in ("pay/", ""):
        assert kind in codes(cashier.get(staff(partly, listed)))
    refused_in_place(cashier.press(path, identity_checked="on"), code="answer_waits", status=409)
    assert not Payment.objects.exists()
    done(answer(partly, Somebody("manager"), "refuse"))
    done(cashier.press(path, identity_checked="on"), "receipt/")


@pytest.mark.parametrize(("prizes_cents", "shown"), [(50_000, ["$500.00"]), (50_100, ["$1.00", "$500.00"])])
@pytest.mark.parametrize("share_bp", [None, 8_050])
def test_T32_a_promise_is_said_with_its_sum_its_share_and_what_the_house_adds(prizes_cents, shown, share_bp):
    compared = Compared("more", 40_000, prizes_cents, None, 50_000, share_bp)
    said = compared_words(compared, "USD")[1]
    assert sorted(re.findall(r"\$[\d.,]*\d", said)) == shown
    assert ("80.5" in said) == (share_bp is not None)
