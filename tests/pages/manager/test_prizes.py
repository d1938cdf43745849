"""The manager's pages: the payout structure and the payments (T30–T35)."""

import re
from html import unescape
from itertools import chain

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
from tests.cast.at_desk import Somebody, done, journal_length, refused_in_place, staff
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


ALL_THE_SAME = " You can build it now and see what it would pay with the entries so far."


def page_says(event: Event) -> str:
    """The note of the page without what it adds to a refusal; with one nothing can be sent."""
    page = read(Somebody("manager").get(staff(event, "payouts/")).content.decode())
    notes = [node.text for node in page.walk() if "note" in node.attrs.get("class", "").split()]
    notes = [text for text in notes if not text.startswith("The prizes add up")]
    button = next(node for node in page.walk() if node.tag == "button" and "Look at it before" in node.text)
    assert ("disabled" in button.attrs) == bool(notes)
    return " ".join(notes).removesuffix(ALL_THE_SAME)


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
        return refused.message
    return ""


# -- Building -----------------------------------------------------------------------------------------


def test_T30_templates_pay_from_two_to_ten_places():
    event, manager = night().event, Somebody("manager")
    text = manager.get(staff(event, "payouts/"), places="2").content.decode()
    assert 'name="a2" value="35"' in text and "$520.00" in text and "$280.00" in text
    for places in range(2, 9):
        text = manager.get(staff(event, "payouts/"), places=str(places)).content.decode()
        assert "add up to the pool of $800.00 exactly" in text
    text = manager.get(staff(event, "payouts/"), places="10").content.decode()
    assert "10 places would be paid; entries that can be paid: 8." in text


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
    assert (
        page_says(event)
        == refused_for(event)
        == "The event is not in play (desk open): no payout structure is posted now."
    )
    round_ = draw_and_seat(event)
    event.refresh_from_db()
    assert page_says(event) == refused_for(event) == "The payout structure is posted once round 1 is closed."
    hand(shoe_of(round_), {1: 200, 2: 400, 3: 600, 4: 800}, b1="win", b2="win", b3="win", b4="win")
    play_and_count(round_)
    close(round_)
    waits = page_says(event)
    assert waits == refused_for(event)
    assert "E005, E006, who waited as alternates" in waits
    tonight = read(Somebody("manager").get(staff(event, "")).content.decode()).text
    assert f"No further hand is dealt before it is posted. {waits}" in tonight
    for entry in event.entries.filter(status="waiting"):
        entry_withdraw(entry_id=entry.pk, key=new_key(), actor=None)
    assert page_says(event) == refused_for(event) == ""


def test_T31_before_round_1_is_closed_it_can_be_built_and_not_posted():
    event, manager = night().event, Somebody("manager")
    page = manager.get(staff(event, "payouts/")).content.decode()
    assert (
        "The event is not in play (desk open): no payout structure is posted now. You can build it now"
        in page
    )
    response = manager.press(staff(event, "payouts/post/"), kind="shares", **SIX)
    assert response.status_code == 409
    assert (
        "no payout structure is posted now" in response.content.decode()
        and 'name="a1" value="40"' in response.content.decode()
    )


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"a1": "60", "a2": "30"}, "these add up to 90\xa0%."),
        ({"a1": "40", "a2": "60"}, "Place 2 would be paid more than place 1."),
        ({"a1": "half", "a2": "50"}, "Place 1: Type a share like 40 or 12.5."),
        ({"a1": "50", "a2": "", "a3": "50"}, "Place 2 would be paid nothing."),
        ({"a1": "100"}, "At least 2 places are paid; this pays 1."),
        ({}, "At least 2 places are paid; this pays 0."),
    ],
)
def test_T32_the_live_check_says_what_is_wrong(typed, sentence):
    event, manager = night().event, Somebody("manager")
    text = manager.part(staff(event, "payouts/check/"), kind="shares", **typed).content.decode()
    assert sentence in text and "<html" not in text


def test_T32_the_live_check_has_the_difference():
    event, manager = night().event, Somebody("manager")
    more = manager.part(staff(event, "payouts/check/"), kind="fixed", a1="600", a2="300.50").content.decode()
    assert 'data-cents="10050"' in more


def test_T32_prizes_below_the_promise_are_told_with_both_sums_and_not_posted():
    made = after_round_1()
    event, manager = made.event, Somebody("manager")
    typed = {"kind": "fixed", "a1": "400", "a2": "399.99"}
    for path in ("payouts/check/", "payouts/confirm/"):
        page = manager.client.get(staff(event, path), typed).content.decode()
        assert 'data-code="pays_less_than_promised"' in page
        assert "$799.99" in page and "$800.00" in page
    answer = manager.press(staff(event, "payouts/post/"), page=staff(event, "payouts/"), **typed)
    assert answer.status_code == 422
    assert not PayoutStructure.objects.filter(event=event).exists()


def test_T32_the_builder_begins_with_the_list_of_prizes_that_the_rules_promise():
    event = night(prizes_promised="list", promised_prizes_cents=[30_000, 20_000, 10_000]).event
    page = Somebody("manager").get(staff(event, "payouts/")).content.decode()
    assert re.findall(r'name="a\d+" value="([^"]*)"', page) == ["300.00", "200.00", "100.00"]
    assert 'data-state="can_be_posted" data-cents="-20000"' in page


def test_T32_boxes_left_empty_at_the_end_pay_nothing():
    event, manager = night().event, Somebody("manager")
    typed = {"a1": "65", "a2": "35", "a3": "", "a4": ""}
    text = manager.part(staff(event, "payouts/check/"), kind="shares", **typed).content.decode()
    assert "2nd" in text and "3rd" not in text and "exactly" in text


# -- Posting ------------------------------------------------------------------------------------------


def test_T32_both_together_are_built_posted_and_read_by_the_public():
    event, manager = after_round_1().event, Somebody("manager")
    page = manager.get(staff(event, "payouts/"), places="2", kind="both").content.decode()
    assert 'name="a2" value="35"' in page and 'name="f2" value="0.00"' in page
    typed = {"kind": "both", "a1": "60", "f1": "500", "a2": "40", "f2": "", "a3": "", "f3": ""}
    check = read(manager.part(staff(event, "payouts/check/"), **typed).content.decode()).text
    assert "1st 60 % $500.00 $980.00 2nd 40 % $0.00 $320.00 Together 100 % $500.00 $1,300.00" in check
    look = read(manager.get(staff(event, "payouts/confirm/"), **typed).content.decode())
    sent = {n.attrs["name"]: n.attrs.get("value", "") for n in look.all("input") if n.attrs.get("name")}
    assert {name: sent[name] for name in typed} == typed
    done(manager.press(staff(event, "payouts/post/"), **typed), "payouts/")
    public = read(manager.get(f"/e/{event.slug}/prizes/").content.decode()).text
    assert "1st 60 % + $500.00 $980.00 2nd 40 % + $0.00 $320.00" in public
    assert "the house adds the fixed amounts of $500.00" in public
    again = manager.get(staff(event, "payouts/")).content.decode()
    assert 'name="f1" value="500.00"' in again and "This is in force" not in again
    path = staff(event, "payouts/replace/")
    done(manager.press(path, **{**typed, "f2": "100"}, reason="A sponsor"), "payouts/")
    asked = read(manager.get(staff(event, "requests/")).content.decode()).text
    assert "1st 60 % + $500.00 · 2nd 40 % + $100.00" in asked


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"f1": "lots"}, "Place 1: Type an amount like 100 or 100.50."),
        ({"a1": "half"}, "Place 1: Type a share like 40 or 12.5."),
        ({"f2": "501"}, "Place 2 would be paid more than place 1."),
        ({"a2": "39"}, "The shares must add up to 100 %"),
    ],
)
def test_T32_what_cannot_be_of_both_is_said_and_stays_typed(typed, says):
    event, manager = night().event, Somebody("manager")
    boxes = {"kind": "both", "a1": "60", "f1": "500", "a2": "40", "f2": "100"} | typed
    response = manager.get(staff(event, "payouts/confirm/"), **boxes)
    text = response.content.decode()
    assert response.status_code == 422 and says in text.replace("\N{NO-BREAK SPACE}", " ")
    assert all(f'name="{name}" value="{value}"' in text for name, value in boxes.items() if name != "kind")


def test_T31_the_structure_is_looked_at_and_then_posted():
    event, manager = after_round_1().event, Somebody("manager")
    text = manager.get(staff(event, "payouts/confirm/"), kind="shares", **SIX).content.decode()
    assert "A posted structure is never edited" in text and "$320.00" in text
    done(manager.press(staff(event, "payouts/post/"), kind="shares", **SIX), "payouts/")
    posted = PayoutStructure.objects.get(event=event)
    assert posted.prizes_cents == [320_00, 192_00, 112_00, 80_00, 56_00, 40_00]
    text = manager.get(staff(event, "payouts/")).content.decode()
    assert posted.posting.hash in text and "In force" in text
    # Two persons may replace it: nothing beside that calls it final.
    assert "1 version, public" in text and "Build another version" in text and "final" not in text


def test_T30_what_cannot_be_paid_is_refused_before_the_confirmation():
    event, manager = after_round_1().event, Somebody("manager")
    response = manager.get(staff(event, "payouts/confirm/"), kind="shares", a1="60", a2="30")
    refused = response.content.decode()
    assert response.status_code == 422 and "these add up to 90\xa0%" in refused and 'value="60"' in refused


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


def test_T31_a_second_press_does_not_post_a_second_structure():
    event, manager = after_round_1().event, Somebody("manager")
    done(manager.press(staff(event, "payouts/post/"), kind="shares", **SIX))
    before = journal_length()
    response = manager.press(staff(event, "payouts/post/"), kind="shares", **SIX)
    assert response.status_code == 409 and "A payout structure is posted." in response.content.decode()
    assert journal_length() == before


def test_T31_two_persons_replace_it_with_a_reason_and_both_stay():
    event, manager, director = after_round_1().event, Somebody("manager"), Somebody("director")
    done(manager.press(staff(event, "payouts/post/"), kind="shares", **SIX))
    path = staff(event, "payouts/replace/")
    refused_in_place(manager.press(path, kind="shares", a1="65", a2="35", reason=""), "Give the reason")
    done(manager.press(path, kind="shares", a1="65", a2="35", reason="Two places were agreed"), "payouts/")
    assert "A new structure waits" in manager.get(staff(event, "payouts/")).content.decode()
    asked = Request.objects.get(event=event)
    done(director.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    text = manager.get(staff(event, "payouts/")).content.decode()
    assert "Superseded" in text and "In force" in text and "Two places were agreed" in text


def test_T30_a_second_person_is_not_asked_for_what_cannot_be_paid():
    event, manager = after_round_1().event, Somebody("manager")
    done(manager.press(staff(event, "payouts/post/"), kind="shares", **SIX))
    answer = manager.press(staff(event, "payouts/replace/"), kind="shares", a1="60", a2="30", reason="Agreed")
    page = answer.content.decode()
    assert answer.status_code == 422 and "these add up to 90\xa0%" in page
    assert "Ask a second person" not in page and 'name="a1" value="60"' in page
    assert not Request.objects.exists()


def test_T30_only_as_many_places_are_offered_as_entries_can_be_paid():
    def offered(event: Event) -> list[str]:
        page = Somebody("manager").get(staff(event, "payouts/")).content.decode()
        return re.findall(r'href="\?places=(\d+)&amp;kind=\w+"[^>]*>\d', page)

    assert offered(night().event) == [str(n) for n in range(2, 9)]
    assert offered(EventFactory()) == ["2"]


def test_T31_the_director_looks_and_does_not_post():
    event, director = after_round_1().event, Somebody("director")
    assert "The manager posts it." in director.get(staff(event, "payouts/")).content.decode()
    assert director.press(staff(event, "payouts/post/"), kind="shares", **SIX).status_code == 403


# -- Paying -------------------------------------------------------------------------------------------


def test_T35_a_prize_is_paid_once_after_the_identity_check():
    event, cashier = finished(), Somebody("cashier")
    line = prize_lines(event)[0]
    path = staff(event, f"pay/{line.entry.code}/")
    assert f"Pay ${line.amount_cents // 100:,}" in cashier.get(path).content.decode()
    refused_in_place(cashier.press(path), "Check the identity")
    assert not Payment.objects.exists()
    done(cashier.press(path, identity_checked="on"), "receipt/")
    paid = Payment.objects.get()
    assert (paid.paid_by, paid.amount_cents) == (cashier.user, line.amount_cents)
    again = cashier.press(path, identity_checked="on")
    assert again.status_code == 409 and "has been paid" in again.content.decode()
    assert cashier.get(path)["Location"].endswith("receipt/")
    text = cashier.get(path + "receipt/").content.decode()
    assert cashier.user.username in text and "Signature of the cashier" in text


def test_T31_from_the_first_payment_on_the_structure_is_final_and_no_replacement_is_built():
    event, manager = finished(), Somebody("manager")
    line = prize_lines(event)[0]
    done(manager.press(staff(event, f"pay/{line.entry.code}/"), identity_checked="on"))
    text = manager.get(staff(event, "payouts/")).content.decode()
    assert "prizes are paid by it" in text and "Build another version" not in text


def test_T35_the_last_prize_ends_the_event():
    event, cashier = finished(), Somebody("cashier")
    for line in prize_lines(event):
        done(cashier.press(staff(event, f"pay/{line.entry.code}/"), identity_checked="on"))
    event.refresh_from_db()
    assert event.status == Event.Status.PAID
    text = cashier.get(staff(event, "pay/")).content.decode()
    assert "all prizes are paid" in text and "$800.00 of $800.00 paid" in text


def test_T35_a_large_prize_asks_a_second_person_and_shows_the_tax_notice():
    event = finished(second_person_from_cents=300_00, tax_notice_from_cents=300_00)
    cashier, director = Somebody("cashier"), Somebody("director")
    line = prize_lines(event)[0]
    path = staff(event, f"pay/{line.entry.code}/")
    text = cashier.get(path).content.decode()
    assert "needs a second person" in text or "need a second person" in text
    assert "data-tax-form" in text and "Ask a second person" in text
    done(cashier.press(path, identity_checked="on"), "/pay/")
    assert "Waits for a second person" in cashier.get(staff(event, "pay/")).content.decode()
    asked = Request.objects.get(event=event)
    done(director.press(staff(event, f"requests/{asked.pk}/"), answer="approve"))
    paid = Payment.objects.get()
    assert (paid.paid_by, paid.second_person) == (cashier.user, director.user)


def test_T35_who_has_no_prize_is_told_so_among_those_who_have():
    event, cashier = finished(), Somebody("cashier")
    last = event.entries.order_by("-place").first()
    done(cashier.get(staff(event, f"pay/{last.code}/")), "/pay/")
    told = f"{last.code} has no prize by its place and the posted structure."
    assert told in cashier.get(staff(event, "pay/")).content.decode()
    assert cashier.press(staff(event, f"pay/{last.code}/take-back/"), reason="a slip").status_code == 404
    assert cashier.get(staff(event, "pay/E999/")).status_code == 404
