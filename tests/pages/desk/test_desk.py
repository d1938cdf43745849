"""The desk: find, add, check, buy in, receipt; and what can be done with an entry."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast.at_desk import Somebody, codes, done, figures, journal_length, marked, refused_in_place, staff
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, new_key, round_seat
from tests.cast.html import read
from tournament.models import Event, Penalty, Player, PlayerCheck, PlayerDay, Request
from tournament.selectors.desk import house_read, today
from tournament.services import entries, people
from tournament.services.logins import staff_add

pytestmark = pytest.mark.django_db


def ann(**named):
    return PlayerFactory(**{"given_name": "Ann", "family_name": "Berg", **named})


def test_the_desk_finds_people_by_name_and_entries_by_number():
    """Typing asks for the list alone; the only person found is chosen at once."""
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()
    text = cashier.get(staff(event, "desk/"), q="berg").content.decode()
    assert 'name="identity_checked"' in text and f'name="player" value="{player.pk}"' in text
    ann(given_name="Anna", family_name="Bergstrom")
    text = cashier.part(staff(event, "desk/"), q="ber an").content.decode()
    assert text.count('data-left-cents="25000"') == 2 and "<html" not in text
    restored = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in cashier.client.get(staff(event, "desk/"), headers=restored).content.decode()
    EntryFactory(event=event, player=player)
    found = cashier.get(staff(event, "desk/"), q="e001").content.decode()
    assert staff(event, "entries/E001/") in found


def test_a_person_who_is_not_on_record_is_added_and_goes_on_to_the_check():
    event, cashier = EventFactory(), Somebody("cashier")
    assert "enter_adds" in marked(cashier.part(staff(event, "desk/"), q="Zoe"), "state")
    page = cashier.get(staff(event, "desk/"), q="xena wolf")
    assert "add_here" in marked(page, "state")
    assert 'value="xena"' in page.content.decode() and 'fold" open' in page.content.decode()
    fields = {"given_name": "Ann", "family_name": "Berg", "alias": "", "identity_number": "P 123"}
    response = cashier.press(staff(event, "desk/player/"), **fields)
    done(response, f"?player={Player.objects.get().pk}")
    assert 'id="buy-in"' in cashier.get(response["Location"]).content.decode()
    again = cashier.press(staff(event, "desk/player/"), q="berg", **{**fields, "given_name": "Anja"})
    text = refused_in_place(again, code="identity_known")
    assert 'value="Anja"' in text and "Ann Berg" in text and "nobody_of_that_name" not in text


@pytest.mark.parametrize("tail", ["desk/?player={}", "entries/E001/"])
def test_T7_withdrawing_is_a_link_on_top_that_opens_the_form(tail):
    entry, cashier = EntryFactory(player=ann()), Somebody("cashier")
    path = staff(entry.event, tail.format(entry.player_id))
    assert "?open=withdraw#withdraw" in marked(cashier.get(path), "withdraw")[""].attrs["href"]
    opened = read(cashier.get(staff(entry.event, "entries/E001/"), open="withdraw").content.decode())
    (form,) = [node for node in opened.all("details") if node.attrs.get("id") == "withdraw"]
    assert "open" in form.attrs
    done(cashier.press(staff(entry.event, "entries/E001/withdraw/")), "entries/E001/")
    assert not marked(cashier.get(path), "withdraw")
    page = cashier.get(staff(entry.event, "entries/E001/"))
    assert marked(page, "money")["refund"].attrs["data-cents"] == "10000"


def test_T3_T7_buying_in_gives_a_receipt_which_says_later_that_the_money_was_given_back():
    event, cashier = EventFactory(), Somebody("cashier")
    for code, each in (("E001", ann()), ("E002", ann(given_name="Bea"))):
        sold = cashier.press(staff(event, "desk/buy-in/"), player=each.pk, identity_checked="on")
        done(sold, f"?sold={code}")
    page = cashier.get(sold["Location"])
    assert figures(marked(page, "chips")["5000"]) == {"chips": 5_000, "cents": 100_00}
    assert "E002" in marked(page, "entry") and staff(event, "entries/E002/receipt/") in page.content.decode()
    done(cashier.press(staff(event, "entries/E001/withdraw/")))
    given, kept = (cashier.get(staff(event, f"entries/{code}/receipt/")) for code in ("E001", "E002"))
    assert "10000" in marked(given, "back-cents") and not marked(given, "chips")
    assert not marked(kept, "back-cents") and {"5000"} == set(marked(kept, "chips"))
    assert 'data-paid-cents="10000"' in kept.content.decode() and 'class="qr"' in kept.content.decode()


def test_T2_who_is_over_the_day_limit_reads_what_is_left_and_keeps_what_was_typed():
    player, cashier = ann(), Somebody("cashier")
    EntryFactory(event=EventFactory(settings={"buy_in_cents": 125_00}), player=player)
    event, before = EventFactory(settings={"buy_in_cents": 130_00}), journal_length()
    response = cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on", q="ber")
    text = refused_in_place(response, code="day_limit")
    assert 'value="ber"' in text and "checked autofocus" in text
    assert "12500" in marked(response, "left-cents")
    assert journal_length() == before


def test_T6_T7_the_desk_says_why_somebody_may_not_buy_in_and_records_a_refusal():
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()

    def sale_refused(code, status=422, **fields):
        sale = cashier.press(staff(event, "desk/buy-in/"), player=player.pk, **fields)
        return refused_in_place(sale, code=code, status=status)

    assert "checked-error" in sale_refused("identity_not_checked")
    done(cashier.press(staff(event, "desk/turn-away/"), player=player.pk, outcome="excluded"))
    check = PlayerCheck.objects.filter(event=event).get()
    assert (check.outcome, check.checked_by) == ("excluded", cashier.user)
    for typed, code in (({"outcome": "tall"}, "invalid_choice"), ({}, "required")):
        refused_in_place(cashier.press(staff(event, "desk/turn-away/"), player=player.pk, **typed), code=code)
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    assert "desk_closed" in codes(cashier.get(staff(event, "desk/")))
    sale_refused("desk_closed", 409, identity_checked="on")


@pytest.mark.parametrize("why", ["", "likely_duplicate", "turned_away", "identity_missing", "day_limit"])
def test_T7_what_bars_somebody_who_was_found_is_a_word_and_a_mark_in_the_list(why):
    """And nothing offers a sale that would be refused."""
    event, cashier = EventFactory(), Somebody("cashier")
    ann()
    others = {"likely_duplicate": {}, "identity_missing": {"family_name": "Berger", "identity_digest": None}}
    person = ann(**others.get(why, {"family_name": "Berger"}))
    if why == "turned_away":
        about = {"event_id": event.pk, "player_id": person.pk, "outcome": "excluded"}
        people.player_check_refuse(**about, key=new_key(), actor=None)
    if why == "day_limit":
        spent = {"spent_cents": 24_900, "limit_cents": 25_000}
        PlayerDay.objects.create(player=person, gaming_day=today(house_read()), **spent)
    listed = cashier.get(staff(event, "desk/"), q="ann ber").content.decode()
    row = listed[listed.index(f"?player={person.pk}&amp;") :].split("</li>")[0]
    assert re.findall(r'data-code="(\w+)"', row) == ([why] if why else [])
    assert ("<svg" in row) == bool(why)
    panel = cashier.get(staff(event, "desk/"), player=str(person.pk)).content.decode()
    assert ('id="buy-in"' in panel) == (not why)


@pytest.mark.parametrize("entrants", [3, 30])
def test_the_desk_asks_the_database_the_same_few_times_whatever_its_size(entrants):
    event, cashier = EventFactory(), Somebody("cashier")
    for _ in range(entrants):
        EntryFactory(event=event)
    cashier.get("/house/")  # the session is prolonged once a minute
    with CaptureQueriesContext(connection) as asked:
        assert cashier.get(staff(event, "desk/"), q="player").status_code == 200
    assert len(asked) == 26, [each["sql"] for each in asked.captured_queries]


def test_T26_chips_of_a_penalty_are_asked_for_and_the_page_says_who_confirmed():
    entry, director, manager = EntryFactory(), Somebody("director"), Somebody("manager")
    EntryFactory(event=entry.event)
    round_seat(entry.event)
    page, floor = staff(entry.event, "entries/E001/"), Somebody("floor")
    offered = floor.get(page).content.decode()
    assert 'value="warning"' in offered and 'value="chips"' not in offered
    asked = {"kind": "chips", "chips": "200", "reason": "Late bet"}
    refused_in_place(floor.press(f"{page}penalty/", **asked), code="not_yours_to_ask", status=403)
    text = refused_in_place(
        director.press(f"{page}penalty/", **asked | {"chips": "150"}), code="not_whole_chips"
    )
    assert 'value="150"' in text and "Late bet" in text
    done(director.press(f"{page}penalty/", **asked), "requests/")
    assert "penalty_chips" in marked(director.get(page), "request") and not Penalty.objects.exists()
    assert "penalty_chips" in marked(manager.get(staff(entry.event, "requests/")), "request")
    answer = staff(entry.event, f"requests/{Request.objects.get().pk}/")
    refused_in_place(director.press(answer, answer="approve"), code="own_request", status=403)
    done(manager.press(answer, answer="approve"), "requests/")
    penalty = Penalty.objects.get()
    assert (penalty.by, penalty.chips) == (director.user, 200)
    given = marked(director.get(page), "penalty")["chips"].attrs
    assert (given["data-chips"], given["data-state"]) == ("200", "given")
    assert given["data-confirmed-by"] == manager.user.username
    done(director.press(f"{page}penalty/{penalty.pk}/cancel/", reason="In time"), "requests/")
    assert marked(director.get(page), "penalty")["chips"].attrs["data-state"] == "cancelling"
    back = Request.objects.get(kind="penalty_chips_back")
    done(manager.press(staff(entry.event, f"requests/{back.pk}/"), answer="approve"), "requests/")
    assert marked(director.get(page), "penalty")["chips"].attrs["data-state"] == "cancelled"


def test_an_answer_that_is_neither_yes_nor_no_is_none():
    """A page that has lost its button's word has not refused anything."""
    entry, other, asker = EntryFactory(), Somebody("manager"), Somebody("director").user
    given = {"reason": "Rude", "actor": asker}
    asked = entries.entry_disqualify_request(entry_id=entry.pk, key=new_key(), **given)["request"]
    house = staff_add(username="nora", roles=["floor"], key=new_key(), **given)["request"]
    for path in (staff(entry.event, f"requests/{asked}/"), f"/house/requests/{house}/"):
        for answer in ({}, {"answer": ""}, {"answer": "perhaps"}):
            refused_in_place(other.press(path, **answer), code="no_answer", status=400)
    assert set(Request.objects.values_list("status", flat=True)) == {Request.Status.OPEN}


TYPED = {"given_name": "Jan", "family_name": "de Berg", "alias": "", "reason": "Passport"}


def states_of_corrections(text):
    return re.findall(r'<li class="wraps" data-state="(\w+)"', text)


def values(text):
    return dict(re.findall(r'name="(given_name|family_name)" value="([^"]*)"', text))


def test_T7_the_form_for_somebody_new_has_the_name_as_it_was_typed():
    text = Somebody("cashier").get(staff(EventFactory(), "desk/"), q="Jan de Berg").content.decode()
    assert values(text) == {"given_name": "Jan", "family_name": "de Berg"}


def test_T7_a_cashier_corrects_a_name_and_what_was_typed_stays_where_it_is_refused():
    entry, cashier = EntryFactory(player=PlayerFactory(family_name="De Berg")), Somebody("cashier")
    path = staff(entry.event, f"people/{entry.player_id}/")
    for role, linked in (("cashier", True), ("director", True), ("floor", False)):
        page = Somebody(role).get(staff(entry.event, "entries/E001/")).content.decode()
        assert (f'href="{path}"' in page) == linked
    for wrong in ({"birth_year": "1899"}, {"reason": ""}):
        answer = cashier.press(path, **{**TYPED, **wrong})
        text = answer.content.decode()
        assert answer.status_code == 422 and text.count(" has-error") == 1
        assert values(text)["family_name"] == "de Berg"
    assert values(cashier.get(path).content.decode())["family_name"] == "De Berg"
    done(cashier.press(path, **TYPED), path)
    assert Player.objects.get().family_name == "de Berg"
    page = cashier.get(path).content.decode()
    assert states_of_corrections(page) == ["done"] and "Passport" in page


def test_T7_a_year_of_birth_waits_for_a_second_person_and_an_identity_number_is_never_shown():
    player = PlayerFactory(given_name="Jan", family_name="de Berg", birth_year=1974)
    cashier, path = Somebody("cashier"), staff(EventFactory(), f"people/{player.pk}/")
    done(cashier.press(path, **TYPED, birth_year="1947", identity_number="XK 4711"), path)
    assert Player.objects.get().birth_year == 1974
    own, manager = cashier.get(path).content.decode(), Somebody("manager")
    waiting = manager.get("/house/requests/").content.decode()
    assert states_of_corrections(own) == ["open"]
    assert "1974 → 1947" in waiting and "Passport" in waiting
    assert not [number for number in ("4711", player.identity_digest) if number in own + waiting]
    done(manager.press(f"/house/requests/{Request.objects.get().pk}/", answer="approve"))
    assert Player.objects.get().birth_year == 1947
    assert states_of_corrections(cashier.get(path).content.decode()) == ["approved"]
