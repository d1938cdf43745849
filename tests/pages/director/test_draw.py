"""The draw, the seating chart, no-shows, alternates, replacements, tables and boxes."""

import re

import pytest
from django.test import Client

from tables.models import Seat, Table
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.factories import EntryFactory, EventFactory
from tests.cast.floor import confirm, draw_and_seat, event_make
from tests.cast.html import data, read
from tests.cast.pages import next_of
from tests.cast.worlds import kept
from tournament.models import Entry, Event, MoneyTransaction, Player

pytestmark = pytest.mark.django_db
CARDS = "KH 4D 7S AC 2D"
LOCK = '/draw/lock/"'
CONFIRM = '/draw/confirm/"'


@kept
def sold(entrants=4, **given):
    event = EventFactory(**given)
    for _ in range(entrants):
        EntryFactory(event=event)
    return event


def locked(**given):
    event, director = sold(**given), Somebody("director")
    done(director.press(staff(event, "draw/lock/")), "draw/")
    return event, director


# -- Lock, cards, confirm -----------------------------------------------------------------------------


def test_T4_the_page_shows_the_roster_the_tables_and_the_commitment_before_the_lock():
    event = sold(9)
    page = Somebody("director").get(staff(event, "draw/"))
    assert data(page, "entry") == [f"E00{number}" for number in range(1, 10)]
    assert (data(page, "tables"), data(page, "boxes")) == (["2"], ["14"])
    assert event.draws.get(number=1).commitment in page.content.decode()


@pytest.mark.parametrize(
    ("entrants", "given", "code"),
    [
        (2, {}, "too_few_entrants"),
        (3, {}, ""),
        (4, {"tables_count": 1, "boxes_per_table": 2}, "too_few_entrants"),
        (4, {"tables_count": 1, "boxes_per_table": 3}, ""),
        (4, None, "no_box"),
    ],
)
def test_T4_T24_the_lock_is_offered_where_the_posted_minimum_has_a_box(entrants, given, code):
    event, director = sold(entrants, settings={"min_entrants": 3, **(given or {})}), Somebody("director")
    if given is None:
        Table.objects.create(event=event, number=1, in_use=False)
    # An alternate counts where a box has come free.
    elif event.entries.filter(status="waiting").exists() and not code:
        Entry.objects.filter(event=event, number=1).update(status="withdrawn")
    assert (next_of(event)[0].tail == "draw/") is (code != "too_few_entrants")
    page = director.get(staff(event, "draw/"))
    assert (LOCK in page.content.decode()) is (not code)
    assert data(page, "code") == ([code] if code else [])
    response = director.press(staff(event, "draw/lock/"))
    if code:
        assert (response.status_code, data(response, "code")[0]) == (422, code)
        assert LOCK not in response.content.decode()
    else:
        done(response, "draw/")


def test_cards_are_tapped_one_by_one_and_taken_back_and_stay_typed_where_they_cannot_be():
    event, director = locked()
    path = staff(event, "draw/")
    assert data(director.get(path), "step") == ["cards"]
    for typed, shown in (
        ({"cards": "KH 4D", "rank": "7", "suit": "s"}, 'value="KH 4D 7S"'),
        ({"cards": "KH 4D", "back": "1"}, 'value="KH"'),
        ({"cards": "KH 4D", "rank": "4", "suit": "d"}, 'value="KH 4D"'),
    ):
        assert shown in director.get(path, **typed).content.decode()
    for cards, code in (("KH 4D 7S AC", "cards_count"), ("KH 4D 7S AC 1X", "cards_bad")):
        text = refused_in_place(director.press(f"{path}cards/", draw=1, cards=cards), code=code)
        assert f'value="{cards}"' in text and "cards-error" in text


def confirmed_by(event):
    """Who confirmed the cards, as players read it."""
    page = Client().get(f"/e/{event.slug}/draws/1/").content.decode()
    return re.search(r'data-confirmed-by="(\w+)"', page)[1]


def test_who_typed_the_cards_does_not_confirm_them_and_a_second_person_does(
    django_capture_on_commit_callbacks,
):
    event, director = locked()
    path, floor, manager = staff(event, "draw/"), Somebody("floor"), Somebody("manager")
    assert "/draw/cards/" not in manager.get(path).content.decode()
    done(director.press(f"{path}cards/", draw=1, cards=CARDS))
    page = director.get(path)
    assert data(page, "code") == ["same_person"] and CONFIRM not in page.content.decode()
    refused_in_place(director.press(f"{path}confirm/", draw=1), code="same_person", status=403)
    assert confirmed_by(event) == "nobody"
    assert all(CONFIRM in each.get(path).content.decode() for each in (floor, manager))
    with django_capture_on_commit_callbacks(execute=True):
        done(floor.press(f"{path}confirm/", draw=1))
    event.refresh_from_db()
    assert (event.status, confirmed_by(event)) == (Event.Status.RUNNING, "another")
    page = director.get(path).content.decode()
    assert f"/e/{event.slug}/draws/1/" in page and staff(event, "seating/") in page
    # Players of one name stand by name in the order of their entries.
    Player.objects.filter(entries__event=event).update(alias="Ann")
    chart = director.get(staff(event, "seating/")).content.decode()
    assert (chart.count('class="seat"'), chart.count('<span class="only-print">free</span>')) == (4, 3)
    assert len(re.findall(r'href="[^"]*/seating/\d+/1/\d/"', chart)) == 3, "the free boxes can be filled"
    names = chart.partition('id="names-title"')[2]
    assert re.findall(r"E\d{3}", names) == ["E001", "E002", "E003", "E004"]
    # It is drawn anew by two persons too.
    assert director.press(f"{path}1/again/", reason="").status_code == 422
    done(director.press(f"{path}1/again/", reason="A box broke"), "draw/")
    assert data(director.get(path), "code") == ["redraw_waits"]
    assert "redraw_waits" in data(director.get(staff(event, "seating/")), "code")
    assert data(director.get(staff(event, "tables/1/")), "wait") == ["blocked"], "no bets yet"
    (step,) = next_of(event)
    assert (step.tail, step.tells) == ("requests/", {event.requests.get(kind="redraw").pk})
    confirm({"request": event.requests.get(kind="redraw").pk})
    chart = director.get(staff(event, "seating/"))
    assert "draw_in_progress" in data(chart, "code") and "seat somebody" not in chart.content.decode()


def test_the_seating_chart_leads_to_the_seat_cards_of_each_table_and_of_all():
    round_ = draw_and_seat(event_make(9, tables_count=2, boxes_per_table=5))
    path, floor = staff(round_.event, f"seating/{round_.pk}/cards/"), Somebody("floor")
    chart, seats = (
        floor.get(staff(round_.event, "seating/")).content.decode(),
        Seat.objects.order_by("table__number", "box"),
    )
    for link, expected in ((path, seats), (path.replace("cards", "1/cards"), seats.filter(table__number=1))):
        assert f'href="{link}"' in chart
        cards = read(floor.get(link).content.decode()).all(".seatcard")
        assert [card.one(".huge") for card in cards] == [f"{s.table.number} · {s.box}" for s in expected]
        assert [card.attrs["aria-label"] for card in cards] == [seat.entry.code for seat in expected]
        assert all(card.all(".qr") for card in cards)


def test_an_open_draw_page_follows_every_step_that_others_take():
    event, director = sold(), Somebody("director")
    path, clerk, second = staff(event, "draw/"), Somebody("floor"), Somebody("director")

    def mark():
        """What the page asks for while it is open."""
        return re.search(r'\?watch=([^"]+)"', director.get(path).content.decode())[1]

    steps = [
        (director, "lock/", {}),
        (clerk, "cards/", {"draw": 1, "cards": CARDS}),
        (clerk, "cards/", {"draw": 1, "cards": "AH 4D 7S AC 2D"}),
        (second, "confirm/", {"draw": 1, "cards": "AH 4D 7S AC 2D"}),
    ]
    for who, tail, fields in steps:
        seen = mark()
        same = director.part(path, watch=seen)
        assert same.status_code == 204 and "HX-Redirect" not in same
        done(who.press(path + tail, **fields))
        assert director.part(path, watch=seen)["HX-Redirect"] == path, tail
    assert data(director.get(path), "step") == ["drawing"]
    # Cards that are being typed stay when the page follows.
    to = director.part(path, watch=".0", cards="KH 4D")["HX-Redirect"]
    assert to == f"{path}?cards=KH+4D"


# -- Before the first bet -----------------------------------------------------------------------------


def test_T6_a_no_show_is_refunded_with_a_reason_and_the_alternate_takes_the_box():
    round_, director = draw_and_seat(event_make(4, tables_count=1, boxes_per_table=3)), Somebody("director")
    event, seat = round_.event, Seat.objects.filter(round=round_).first()
    assert data(director.get(staff(event, "seating/")), "code") == ["alternates_wait"]
    path, floor = staff(event, f"seating/{seat.pk}/no-show/"), Somebody("floor")
    text = refused_in_place(director.press(path, refund="on", reason=""), code="reason_missing")
    assert "checked" in text
    assert 'name="refund"' not in floor.get(path).content.decode()
    assert floor.press(path, refund="on", reason="Her train").status_code == 403
    done(director.press(path, refund="on", reason="His train"), "seating/")
    assert MoneyTransaction.objects.filter(entry=seat.entry_id, kind="refund").exists()
    fill = staff(event, f"seating/{round_.pk}/1/{seat.box}/")
    done(director.press(fill, entry=event.entries.get(code="E004").pk), "seating/")
    assert event.entries.get(code="E004").status == Entry.Status.LIVE


# -- Tables and boxes ---------------------------------------------------------------------------------


def test_T4_boxes_and_tables_go_out_of_use():
    event, floor = sold(), Somebody("floor")
    done(floor.press(staff(event, "boxes/add/"), one="1"), "boxes/")
    done(floor.press(staff(event, "boxes/1/"), in_use="1", box=["1", "2", "5"]), "boxes/")
    table = Table.objects.get(event=event)
    assert (table.in_use, table.boxes_out) == (True, [3, 4, 6, 7])
    done(floor.press(staff(event, "boxes/add/"), all="1"))
    assert Table.objects.filter(event=event).count() == 2
