"""The manager's pages: the payout structure and the payments (T30–T35)."""

import re
from html import unescape
from itertools import chain
from typing import Any

import pytest
from django.db import transaction

from ground.refused import Refused
from pages.manager.forms import as_typed, places_of, structure_typed
from tables.services.nights import (
    Night,
    night_buy_in,
    night_open,
    night_play,
    round_1_over,
)
from tests.cast.at_desk import (
    Somebody,
    codes,
    done,
    figures,
    journal_length,
    marked,
    refused_in_place,
    staff,
)
from tests.cast.factories import EventFactory, new_key
from tests.cast.floor import close, draw_and_seat, event_make, hand, play_and_count, shoe_of
from tests.cast.html import Node, read
from tests.cast.prizes import after_round_1, finished, night
from tests.cast.worlds import kept
from tournament.engine.payouts import template_structure
from tournament.models import Event, Payment, PayoutStructure, Request
from tournament.selectors.prizes import payouts_check, prize_lines
from tournament.services.entries import entry_withdraw
from tournament.services.payouts import payouts_post

pytestmark = pytest.mark.django_db
SIX = {"a1": "40", "a2": "24", "a3": "14", "a4": "10", "a5": "7", "a6": "5"}


def page_says(event: Event) -> str:
    """The code of the page's note; with one nothing can be sent."""
    answer = Somebody("manager").get(staff(event, "payouts/"))
    buttons = [n for n in read(answer.content.decode()).all("button") if n.attrs.get("type") == "submit"]
    found = codes(answer)
    assert ("disabled" in buttons[-1].attrs) == bool(found)
    return " ".join(found)


def refused_for(event: Event) -> str:
    """What the service says to a structure that could be paid."""
    try:
        with transaction.atomic():
            payouts_post(
                event_id=event.pk,
                structure={"kind": "fixed", "amounts": [60_000, 20_000]},
                key=new_key(),
                actor=None,
            )
            transaction.set_rollback(True)
    except Refused as refused:
        return refused.code
    return ""


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


@kept
def twelve_after_round_1() -> Night:
    made = night_open(
        name="Twelve",
        code="TWELVE",
        kind=Event.Kind.REHEARSAL,
        luck="luck",
        settings={"cut_after_round_1": 6, "cut_after_round_2": 4, "public_input": False},
    )
    night_buy_in(made, 12)
    night_play(made, until=round_1_over)
    return made


def boxes_of(page: Node) -> dict[str, str]:
    """What stands in the boxes of the builder, by name."""
    named = [n.attrs for n in page.all("input") if re.fullmatch(r"[af]\d+", n.attrs.get("name", ""))]
    return {each["name"]: each["value"] for each in named}


def places_form(page: Node) -> Node:
    """The form in which another number of places is typed."""
    return next(f for f in page.all("form") if any(n.attrs.get("name") == "places" for n in f.all("input")))


@pytest.mark.parametrize("kind", ["shares", "fixed", "both"])
def test_T30_every_entry_can_be_paid_from_the_page_and_not_one_more(kind):
    event, manager = twelve_after_round_1().event, Somebody("manager")
    asks = places_form(read(manager.get(staff(event, "payouts/"), kind=kind).content.decode()))
    assert asks.attrs["data-paid-at-most"] == "12"
    typed = {n.attrs["name"]: n.attrs["value"] for n in asks.all("input")} | {"places": "12"}
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
    assert page_says(event) == refused_for(event) == "not_in_play"
    round_ = draw_and_seat(event)
    event.refresh_from_db()
    assert page_says(event) == refused_for(event) == "too_early"
    hand(shoe_of(round_), {1: 200, 2: 400, 3: 600, 4: 800}, b1="win", b2="win", b3="win", b4="win")
    play_and_count(round_)
    close(round_)
    assert page_says(event) == refused_for(event) == "alternates_waiting"
    for entry in event.entries.filter(status="waiting"):
        entry_withdraw(entry_id=entry.pk, key=new_key(), actor=None)
    assert page_says(event) == refused_for(event) == ""


def test_T31_before_round_1_is_closed_it_can_be_built_and_not_posted():
    event, manager = night().event, Somebody("manager")
    response = manager.press(staff(event, "payouts/post/"), kind="shares", **SIX)
    assert response.status_code == 409 and "not_in_play" in codes(response)
    assert 'name="a1" value="40"' in response.content.decode()


BOTH = {"kind": "both", "a1": "60", "f1": "500", "a2": "40", "f2": "100"}


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ({"a1": "60", "a2": "30"}, "shares_wrong"),
        ({"a1": "40", "a2": "60"}, "prizes_rising"),
        ({"a1": "half", "a2": "50"}, "amount"),
        ({"a1": "50", "a2": "", "a3": "50"}, "prize_none"),
        ({"a1": "100"}, "places_paid_few"),
        ({}, "places_paid_few"),
        ({**BOTH, "f1": "lots"}, "amount"),
        ({**BOTH, "a1": "half"}, "amount"),
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


def test_T32_the_live_check_has_the_difference():
    event, manager = night().event, Somebody("manager")
    more = manager.part(staff(event, "payouts/check/"), kind="fixed", a1="600", a2="300.50")
    assert marked(more, "state")["can_be_posted"].attrs["data-cents"] == "10050"


def test_T32_prizes_below_the_promise_are_told_with_both_sums_and_not_posted():
    made = after_round_1()
    event, manager = made.event, Somebody("manager")
    typed = {"kind": "fixed", "a1": "400", "a2": "399.99"}
    for path in ("payouts/check/", "payouts/confirm/"):
        page = manager.client.get(staff(event, path), typed)
        assert "pays_less_than_promised" in codes(page)
        assert "$799.99" in page.content.decode() and "$800.00" in page.content.decode()
    answer = manager.press(staff(event, "payouts/post/"), page=staff(event, "payouts/"), **typed)
    assert answer.status_code == 422
    assert not PayoutStructure.objects.filter(event=event).exists()


def test_T32_the_builder_begins_with_the_list_of_prizes_that_the_rules_promise():
    event = night(prizes_promised="list", promised_prizes_cents=[30_000, 20_000, 10_000]).event
    page = Somebody("manager").get(staff(event, "payouts/")).content.decode()
    assert re.findall(r'name="a\d+" value="([^"]*)"', page) == ["300.00", "200.00", "100.00"]
    assert 'data-cents="-20000"' in page


def test_T32_boxes_left_empty_at_the_end_pay_nothing():
    event, manager = night().event, Somebody("manager")
    typed = {"a1": "65", "a2": "35", "a3": "", "a4": ""}
    check = manager.part(staff(event, "payouts/check/"), kind="shares", **typed)
    assert prizes(check) == {"1": 520_00, "2": 280_00}


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
    path = staff(event, "payouts/replace/")
    done(manager.press(path, **{**typed, "f2": "100"}, reason="A sponsor"), "payouts/")
    assert Request.objects.get().body["structure"] == {
        "kind": "both",
        "amounts": [6000, 4000],
        "fixed": [500_00, 100_00],
    }


def test_T31_the_structure_is_looked_at_and_then_posted():
    event, manager = after_round_1().event, Somebody("manager")
    assert prizes(manager.get(staff(event, "payouts/confirm/"), kind="shares", **SIX))["1"] == 320_00
    done(manager.press(staff(event, "payouts/post/"), kind="shares", **SIX), "payouts/")
    posted = PayoutStructure.objects.get(event=event)
    assert posted.prizes_cents == [320_00, 192_00, 112_00, 80_00, 56_00, 40_00]
    page = manager.get(staff(event, "payouts/"))
    assert marked(page, "version")["1"].attrs["data-state"] == "live"
    assert posted.posting.hash in page.content.decode() and boxes_of(read(page.content.decode()))
    before = journal_length()
    again = manager.press(staff(event, "payouts/post/"), kind="shares", **SIX)
    assert again.status_code == 409 and "posted_already" in codes(again)
    assert journal_length() == before


PERCENT = re.compile(r"[0-9][0-9.]*\s%")
AS_WRITTEN = re.compile(r"[0-9]+(?:\.[0-9]?[1-9])?\N{NO-BREAK SPACE}%")


def test_T30_a_share_is_written_alike_wherever_it_stands():
    """Beside "100 %" no "50.00 %": on the manager's pages, in a refusal, in a request, to the public."""
    event, manager = after_round_1().event, Somebody("manager")
    halves, whole = {"kind": "shares", "a1": "52.5", "a2": "47.5"}, {"kind": "shares", "a1": "60", "a2": "40"}
    read = [manager.get(staff(event, tail), **halves) for tail in ("payouts/check/", "payouts/confirm/")]
    read.append(manager.get(staff(event, "payouts/check/"), **{**halves, "a2": "30"}))
    done(manager.press(staff(event, "payouts/post/"), **halves))
    done(manager.press(staff(event, "payouts/replace/"), **whole, reason="Agreed"))
    read += [manager.get(staff(event, "requests/")), manager.get(f"/e/{event.slug}/prizes/")]
    found = [PERCENT.findall(unescape(page.content.decode())) for page in read]
    assert all(found), found
    assert all(AS_WRITTEN.fullmatch(each) for each in chain(*found)), found
    assert {"52.5\xa0%", "100\xa0%", "82.5\xa0%", "60\xa0%"} <= set(chain(*found))


def test_T31_two_persons_replace_it_with_a_reason_and_both_stay():
    event, manager, director = after_round_1().event, Somebody("manager"), Somebody("director")
    done(manager.press(staff(event, "payouts/post/"), kind="shares", **SIX))
    path = staff(event, "payouts/replace/")
    refused_in_place(manager.press(path, kind="shares", a1="65", a2="35", reason=""), code="required")
    done(manager.press(path, kind="shares", a1="65", a2="35", reason="Two places"), "payouts/")
    assert "supersede_asked" in codes(manager.get(staff(event, "payouts/")))
    asked = Request.objects.get(event=event)
    done(director.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    page = manager.get(staff(event, "payouts/"))
    states = {n: node.attrs["data-state"] for n, node in marked(page, "version").items() if n.isdecimal()}
    assert states["1"] == "superseded" and "Two places" in page.content.decode()


def test_T30_a_second_person_is_not_asked_for_what_cannot_be_paid():
    event, manager = after_round_1().event, Somebody("manager")
    done(manager.press(staff(event, "payouts/post/"), kind="shares", **SIX))
    answer = manager.press(staff(event, "payouts/replace/"), kind="shares", a1="60", a2="30", reason="Agreed")
    assert answer.status_code == 422 and "shares_wrong" in codes(answer)
    assert boxes_of(read(answer.content.decode()))["a1"] == "60"
    assert not Request.objects.exists()


def test_T30_only_as_many_places_are_offered_as_entries_can_be_paid():
    def offered(event: Event) -> list[str]:
        page = Somebody("manager").get(staff(event, "payouts/")).content.decode()
        return re.findall(r'href="\?places=(\d+)&amp;kind=\w+"[^>]*>\d', page)

    assert offered(night().event) == [str(n) for n in range(2, 9)]
    assert offered(EventFactory()) == ["2"]


def test_T31_the_director_looks_and_does_not_post():
    event, director = after_round_1().event, Somebody("director")
    assert "manager_posts" in codes(director.get(staff(event, "payouts/")))
    assert director.press(staff(event, "payouts/post/"), kind="shares", **SIX).status_code == 403


# -- Paying -------------------------------------------------------------------------------------------


def test_T35_a_prize_is_paid_once_after_the_identity_check():
    event, cashier = finished(), Somebody("cashier")
    line = prize_lines(event)[0]
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


def test_T31_from_the_first_payment_on_the_structure_is_final_and_T35_the_last_prize_ends_the_event():
    event, manager = finished(), Somebody("manager")
    first, *others = prize_lines(event)
    done(manager.press(staff(event, f"pay/{first.entry.code}/"), identity_checked="on"))
    page = manager.get(staff(event, "payouts/"))
    assert "paid_from" in codes(page) and not boxes_of(read(page.content.decode()))
    for line in others:
        done(manager.press(staff(event, f"pay/{line.entry.code}/"), identity_checked="on"))
    event.refresh_from_db()
    assert event.status == Event.Status.PAID
    totals = figures(marked(manager.get(staff(event, "pay/")), "state")["paid"])
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
