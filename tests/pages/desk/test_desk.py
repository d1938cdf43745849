"""The desk: find, add, check, buy in, receipt; and what can be done with an entry."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast.at_desk import Somebody, codes, done, figures, journal_length, marked, refused_in_place, staff
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, draw_lock, new_key, round_seat
from tests.cast.html import read
from tournament.models import Entry, Event, Penalty, Player, PlayerCheck, PlayerDay, Request
from tournament.selectors.desk import house_read, today
from tournament.services import entries, people
from tournament.services.logins import staff_add

pytestmark = pytest.mark.django_db


def ann(**named):
    return PlayerFactory(**{"given_name": "Ann", "family_name": "Berg", **named})


# -- Finding ------------------------------------------------------------------------------------------


def test_the_search_box_has_the_focus_and_works_without_script():
    event, cashier = EventFactory(), Somebody("cashier")
    ann()
    ann(given_name="Anna", family_name="Bergstrom")
    assert "autofocus" in cashier.get(staff(event, "desk/")).content.decode()
    text = cashier.get(staff(event, "desk/"), q="ber an").content.decode()
    assert "Ann Berg" in text and "Anna Bergstrom" in text and text.count('data-left-cents="25000"') == 2


def test_T2_what_is_left_of_the_day_is_red_only_where_nothing_is():
    """Beside somebody who may not buy in for another reason it is information, like the limit itself."""
    event, cashier, house = EventFactory(), Somebody("cashier"), house_read()
    for spent, given in enumerate(("Ann", "Bea", "Cleo")):
        person = ann(given_name=given, identity_digest=None if given == "Ann" else f"d{given}")
        if spent:
            cents = house.day_limit_cents // (3 - spent)
            PlayerDay.objects.create(
                player=person, gaming_day=today(house), spent_cents=cents, limit_cents=house.day_limit_cents
            )
    found = marked(cashier.get(staff(event, "desk/"), q="berg"), "left-cents")
    red = {left: "loss" in node.classes for left, node in found.items()}
    assert red == {"25000": False, "12500": False, "0": True}
    for each in Player.objects.all():
        ((left, node),) = marked(
            cashier.get(staff(event, "desk/"), player=str(each.pk)), "left-cents"
        ).items()
        assert ("loss" in node.classes) == (left == "0")


def test_who_is_not_on_record_is_added_by_enter_or_in_the_form_that_is_open():
    event, cashier = EventFactory(), Somebody("cashier")
    assert "enter_adds" in marked(cashier.part(staff(event, "desk/"), q="Zoe"), "state")
    page = cashier.get(staff(event, "desk/"), q="xena wolf")
    text = page.content.decode()
    assert "add_here" in marked(page, "state")
    assert 'value="xena"' in text and 'value="wolf"' in text and 'fold" open' in text
    Event.objects.filter(pk=event.pk).update(status=Event.Status.CALLED_OFF)
    assert "closed" in marked(cashier.get(staff(event, "desk/"), q="Zoe"), "state")


def test_typing_asks_for_the_list_alone():
    event, cashier = EventFactory(), Somebody("cashier")
    ann()
    text = cashier.part(staff(event, "desk/"), q="berg").content.decode()
    assert "Ann Berg" in text and "<h1" not in text and "<html" not in text


def test_a_history_restore_gets_the_page_whole():
    event, cashier = EventFactory(), Somebody("cashier")
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in cashier.client.get(staff(event, "desk/"), {"q": "x"}, headers=headers).content.decode()


def test_a_single_hit_is_chosen_by_enter():
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()
    text = cashier.get(staff(event, "desk/"), q="berg").content.decode()
    assert 'name="identity_checked"' in text and f'name="player" value="{player.pk}"' in text


def test_an_entry_number_finds_the_entry():
    entry = EntryFactory(player=ann())
    text = Somebody("cashier").get(staff(entry.event, "desk/"), q="e001").content.decode()
    assert "Ann Berg" in text and staff(entry.event, "entries/E001/") in text


@pytest.mark.parametrize("tail", ["desk/?player={}", "entries/E001/"])
def test_T7_withdrawing_is_a_link_on_top_that_opens_the_form(tail):
    entry, cashier = EntryFactory(player=ann()), Somebody("cashier")
    found = read(cashier.get(staff(entry.event, tail.format(entry.player_id))).content.decode())
    (link,) = [node.attrs["href"] for node in found.all("a") if "data-withdraw" in node.attrs]
    assert link.endswith("?open=withdraw#withdraw")
    opened = read(cashier.get(staff(entry.event, "entries/E001/"), open="withdraw").content.decode())
    (form,) = [node for node in opened.all("details") if node.attrs.get("id") == "withdraw"]
    assert "open" in form.attrs
    entries.entry_withdraw(entry_id=entry.pk, key=new_key(), actor=cashier.user)
    gone = read(cashier.get(staff(entry.event, tail.format(entry.player_id))).content.decode())
    assert not [node for node in gone.all("a") if "data-withdraw" in node.attrs]


def test_hostile_addresses_find_nothing_and_break_nothing():
    event, cashier = EventFactory(), Somebody("cashier")
    for query in (
        {"player": "9" * 400},
        {"player": "-1"},
        {"q": "\x00'\"<script>"},
        {"q": "E99999"},
        {"sold": "<b>"},
    ):
        response = cashier.get(staff(event, "desk/"), **query)
        assert response.status_code == 200 and "<script>alert" not in response.content.decode()


# -- Adding and selling -------------------------------------------------------------------------------


def test_a_new_person_is_added_and_goes_on_to_the_check():
    event, cashier = EventFactory(), Somebody("cashier")
    fields = {"given_name": "Ann", "family_name": "Berg", "alias": "", "identity_number": "P 123"}
    response = cashier.press(staff(event, "desk/player/"), **fields)
    done(response, f"?player={Player.objects.get().pk}")
    assert 'id="buy-in"' in cashier.get(response["Location"]).content.decode()


def test_one_person_one_record():
    event, cashier = EventFactory(), Somebody("cashier")
    people.player_create(
        given_name="Ann", family_name="Berg", identity_number="P123", key=new_key(), actor=None
    )
    fields = {"given_name": "Anja", "family_name": "Berg", "alias": "", "identity_number": "p-123"}
    text = refused_in_place(cashier.press(staff(event, "desk/player/"), **fields), code="identity_known")
    assert 'value="Anja"' in text and Player.objects.count() == 1


def test_T3_buying_in_gives_an_entry_and_its_receipt():
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()
    response = cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on")
    done(response, "?sold=E001")
    page = cashier.get(response["Location"])
    assert figures(marked(page, "chips")["5000"]) == {"chips": 5_000, "cents": 100_00}
    assert "E001" in marked(page, "entry") and staff(event, "entries/E001/receipt/") in page.content.decode()


def test_T7_the_receipt_of_a_buy_in_that_was_given_back_says_so():
    event, cashier = EventFactory(), Somebody("cashier")
    for each in (ann(), ann(given_name="Bea")):
        done(cashier.press(staff(event, "desk/buy-in/"), player=each.pk, identity_checked="on"))
    done(cashier.press(staff(event, "entries/E001/withdraw/")))
    given, kept = (cashier.get(staff(event, f"entries/{code}/receipt/")) for code in ("E001", "E002"))
    assert "10000" in marked(given, "back-cents") and not marked(given, "chips")
    assert not marked(kept, "back-cents") and "5000" in marked(kept, "chips")


def test_no_two_fields_of_an_entry_share_a_label():
    entry, director = EntryFactory(), Somebody("director", "floor")
    EntryFactory(event=entry.event)
    ids_once(director, entry)
    # Once the roster is locked a third reason stands there.
    draw_lock(entry.event)
    ids_once(director, entry)


def ids_once(who: Somebody, entry: Entry) -> None:
    page = who.get(staff(entry.event, f"entries/{entry.code}/")).content.decode()
    ids = re.findall(r' id="([^"]+)"', page)
    assert {"id_penalty_reason", "id_reason"} <= set(ids) and sorted(ids) == sorted(set(ids))


def test_the_same_press_twice_sells_one_entry():
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()
    for _ in range(2):
        done(cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on", key="one"))
    assert event.entries.count() == 1
    other = cashier.press(staff(event, "desk/buy-in/"), player=ann().pk, identity_checked="on", key="one")
    refused_in_place(other, code="key_reused")


def test_T7_without_the_check_nothing_is_sold():
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()
    text = refused_in_place(
        cashier.press(staff(event, "desk/buy-in/"), player=player.pk), code="identity_not_checked"
    )
    assert "checked-error" in text and not event.entries.exists()


def test_T2_who_is_over_the_day_limit_reads_what_is_left_and_keeps_what_was_typed():
    player, cashier = ann(), Somebody("cashier")
    EntryFactory(event=EventFactory(settings={"buy_in_cents": 125_00}), player=player)
    event, before = EventFactory(settings={"buy_in_cents": 130_00}), journal_length()
    response = cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on", q="ber")
    text = refused_in_place(response, code="day_limit")
    assert 'value="ber"' in text and "checked autofocus" in text
    assert "12500" in marked(response, "left-cents")
    assert journal_length() == before


def test_T7_an_excluded_person_is_refused_and_the_refusal_is_recorded():
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()
    people.player_exclude(player_id=player.pk, reason="own wish", key=new_key(), actor=None)
    response = cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on")
    refused_in_place(response, code="player_excluded", status=403)
    done(cashier.press(staff(event, "desk/turn-away/"), player=player.pk, outcome="excluded"))
    check = PlayerCheck.objects.filter(event=event).get()
    assert (check.outcome, check.checked_by) == ("excluded", cashier.user)


def test_T7_under_age_is_recorded_and_shown_the_next_time():
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()
    done(cashier.press(staff(event, "desk/turn-away/"), player=player.pk, outcome="under_age"))
    assert "turned_away" in codes(cashier.get(staff(event, "desk/"), q="berg"))
    for typed, code in (({"outcome": "tall"}, "invalid_choice"), ({}, "required")):
        refused_in_place(cashier.press(staff(event, "desk/turn-away/"), player=player.pk, **typed), code=code)


def test_T6_the_desk_is_closed_once_round_1_has_begun():
    event, cashier, player = EventFactory(), Somebody("cashier"), ann()
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    assert "desk_closed" in codes(cashier.get(staff(event, "desk/")))
    response = cashier.press(staff(event, "desk/buy-in/"), player=player.pk, identity_checked="on")
    refused_in_place(response, code="desk_closed", status=409)


@pytest.mark.parametrize("why", ["likely_duplicate", "turned_away", "identity_missing"])
def test_what_bars_a_person_stands_above_what_can_be_done_about_it(why):
    """The reason stands before what it asks for, and nothing offers a sale that would be refused."""
    event, director = EventFactory(), Somebody("director")
    ann()
    person = PlayerFactory(identity_digest=None) if why == "identity_missing" else ann()
    if why == "turned_away":
        about = {"event_id": event.pk, "player_id": person.pk, "outcome": "excluded"}
        people.player_check_refuse(**about, key=new_key(), actor=None)
    text = director.get(staff(event, "desk/"), player=str(person.pk)).content.decode()
    panel = text[text.index('id="person-title"') :]
    assert 0 < panel.index(f'data-code="{why}"') < panel.index("<form")
    assert 'id="buy-in"' not in panel


@pytest.mark.parametrize("why", ["", "likely_duplicate", "turned_away", "identity_missing", "day_limit"])
def test_T7_what_bars_somebody_who_was_found_is_a_word_and_a_mark_in_the_list(why):
    """Not by colour alone: whoever reads the list aloud, or sees no red, knows it."""
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


@pytest.mark.parametrize("entrants", [3, 30])
def test_the_desk_asks_the_database_the_same_few_times_whatever_its_size(entrants):
    event, cashier = EventFactory(), Somebody("cashier")
    for _ in range(entrants):
        EntryFactory(event=event)
    cashier.get("/house/")  # the session is prolonged once a minute
    with CaptureQueriesContext(connection) as asked:
        assert cashier.get(staff(event, "desk/"), q="player").status_code == 200
    assert len(asked) == 27, [each["sql"] for each in asked.captured_queries]


# -- An entry -----------------------------------------------------------------------------------------


def test_T7_before_the_draw_the_cashier_withdraws_with_a_refund():
    entry, cashier = EntryFactory(), Somebody("cashier")
    done(cashier.press(staff(entry.event, "entries/E001/withdraw/")), "entries/E001/")
    entry.refresh_from_db()
    assert entry.status == Entry.Status.WITHDRAWN
    page = cashier.get(staff(entry.event, "entries/E001/"))
    assert marked(page, "money")["refund"].attrs["data-cents"] == "10000"
    assert cashier.get(staff(entry.event, "entries/E009/")).status_code == 404


def test_T7_after_the_lock_only_the_director_rules_with_a_reason():
    entry = EntryFactory()
    event = entry.event
    draw_lock(event)
    path, director = staff(event, "entries/E001/withdraw/"), Somebody("director")
    response = Somebody("cashier").press(path, reason="Ill")
    assert response.status_code == 403 and "only_director" in codes(response)
    refused_in_place(director.press(path, reason=""), code="reason_missing")
    done(director.press(path, reason="Taken ill", refund="on"))
    entry.refresh_from_db()
    assert entry.status == Entry.Status.WITHDRAWN


def test_T26_a_penalty_is_logged_and_can_be_cancelled():
    entry, director = EntryFactory(), Somebody("director")
    EntryFactory(event=entry.event)
    round_seat(entry.event)
    path = staff(entry.event, "entries/E001/penalty/")
    pressed = director.press(path, kind="chips", chips="150", reason="Late bet")
    text = refused_in_place(pressed, code="not_whole_chips")
    assert 'value="150"' in text and "Late bet" in text
    done(director.press(path, kind="warning", reason="Late bet"), "entries/E001/")
    penalty = Penalty.objects.get()
    assert director.press(f"{path}{penalty.pk}/cancel/", reason=" ").status_code == 422
    done(director.press(f"{path}{penalty.pk}/cancel/", reason="In time"), "entries/E001/")
    penalty.refresh_from_db()
    assert penalty.cancelled_at is not None
    assert "In time" in director.get(staff(entry.event, "entries/E001/")).content.decode()


def test_T26_chips_of_a_penalty_are_asked_for_and_the_page_says_who_confirmed():
    entry, director, manager = EntryFactory(), Somebody("director"), Somebody("manager")
    EntryFactory(event=entry.event)
    round_seat(entry.event)
    page = staff(entry.event, "entries/E001/")
    done(director.press(f"{page}penalty/", kind="chips", chips="200", reason="Late bet"), "requests/")
    assert "penalty_chips" in marked(director.get(page), "request") and not Penalty.objects.exists()
    assert "penalty_chips" in marked(manager.get(staff(entry.event, "requests/")), "request")
    answer = staff(entry.event, f"requests/{Request.objects.get().pk}/")
    refused_in_place(director.press(answer, answer="approve"), code="own_request", status=403)
    done(manager.press(answer, answer="approve"), "requests/")
    penalty = Penalty.objects.get()
    given = marked(director.get(page), "penalty")["chips"].attrs
    assert (given["data-chips"], given["data-state"]) == ("200", "given")
    assert given["data-confirmed-by"] == manager.user.username and "4,800" in words(director.get(page))
    done(director.press(f"{page}penalty/{penalty.pk}/cancel/", reason="In time"), "requests/")
    assert marked(director.get(page), "penalty")["chips"].attrs["data-state"] == "cancelling"
    assert "/cancel/" not in director.get(page).content.decode(), "it is asked for already"
    back = Request.objects.get(kind="penalty_chips_back")
    done(manager.press(staff(entry.event, f"requests/{back.pk}/"), answer="approve"), "requests/")
    assert marked(director.get(page), "penalty")["chips"].attrs["data-state"] == "cancelled"


def test_T26_the_floor_is_not_offered_chips_and_is_told_who_asks_for_them():
    entry, floor = EntryFactory(), Somebody("floor")
    EntryFactory(event=entry.event)
    round_seat(entry.event)
    page = staff(entry.event, "entries/E001/")
    assert 'value="warning"' in (text := floor.get(page).content.decode())
    assert 'value="chips"' not in text and 'name="chips"' not in text
    answer = floor.press(f"{page}penalty/", kind="chips", chips="200", reason="Late bet")
    refused_in_place(answer, code="not_yours_to_ask", status=403)
    assert not Request.objects.exists()


def words(response):
    """The text of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_T26_a_disqualification_waits_for_a_second_person():
    entry, director, other = EntryFactory(), Somebody("director"), Somebody("director")
    path = staff(entry.event, "entries/E001/disqualify/")
    refused_in_place(director.press(path, reason=""), code="required")
    done(director.press(path, reason="Marked cards"), "requests/")
    asked = Request.objects.get()
    answer = staff(entry.event, f"requests/{asked.pk}/")
    page = director.get(staff(entry.event, "requests/"))
    assert (
        "data-own" in marked(page, "request")["disqualify"].attrs and "Marked cards" in page.content.decode()
    )
    own = director.press(answer, answer="approve")
    refused_in_place(own, code="own_request", status=403)
    unseen = other.press(answer, answer="approve")
    refused_in_place(unseen, code="seen_first", status=409)
    entry.refresh_from_db()
    assert entry.status == Entry.Status.LIVE
    done(other.press(f"{answer}disqualification/", answer="approve"), "requests/")
    entry.refresh_from_db()
    assert entry.status == Entry.Status.DISQUALIFIED
    answered = marked(other.get(staff(entry.event, "requests/")), "answered")
    assert answered["disqualify"].attrs["data-state"] == "approved"
    late = other.press(answer, answer="refuse")
    assert late.status_code == 409


def test_a_refused_request_changes_nothing():
    entry = EntryFactory()
    entries.entry_disqualify_request(
        entry_id=entry.pk, reason="Rude", key=new_key(), actor=Somebody("director").user
    )
    other = Somebody("manager")
    done(other.press(staff(entry.event, f"requests/{Request.objects.get().pk}/"), answer="refuse"))
    entry.refresh_from_db()
    assert entry.status == Entry.Status.LIVE


@pytest.mark.parametrize("answer", [{}, {"answer": ""}, {"answer": "perhaps"}])
def test_an_answer_that_is_neither_yes_nor_no_is_none(answer):
    """A page that has lost its button's word has not refused anything."""
    entry, other = EntryFactory(), Somebody("manager")
    asked = entries.entry_disqualify_request(
        entry_id=entry.pk, reason="Rude", key=new_key(), actor=Somebody("director").user
    )["request"]
    house = staff_add(
        username="nora", roles=["floor"], reason="new", key=new_key(), actor=Somebody("director").user
    )["request"]
    for path in (staff(entry.event, f"requests/{asked}/"), f"/house/requests/{house}/"):
        refused_in_place(other.press(path, **answer), code="no_answer", status=400)
    assert set(Request.objects.values_list("status", flat=True)) == {Request.Status.OPEN}


def test_the_receipt_has_the_qr_code_of_the_players_own_view():
    entry = EntryFactory(player=ann(alias="Ace"))
    text = Somebody("cashier").get(staff(entry.event, "entries/E001/receipt/")).content.decode()
    assert (
        f"/e/{entry.event.slug}/?you=E001" in text
        and 'class="qr"' in text
        and 'data-paid-cents="10000"' in text
    )
    assert "style=" not in text and "data-print" in text
