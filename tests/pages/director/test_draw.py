"""The draw, the seating chart, no-shows, alternates, replacements, tables and boxes."""

import re

import pytest
from django.test import Client

from tables.models import Clerk, Seat, Table
from tables.selectors.clerks import bound_of, released_of
from tables.services.nights import NOBODY, Night, night_play, round_1_over
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tests.cast.floor import draw_and_seat, event_make
from tests.cast.html import data, read
from tests.cast.pages import next_of
from tests.cast.worlds import kept
from tournament.models import Draw, Entry, Event, Player, Round
from tournament.selectors.stages import qualified

pytestmark = pytest.mark.django_db
CARDS = "KH 4D 7S AC 2D"
LOCK = '/draw/lock/"'
CHECKED = r'name="(?:in_use|box)" value="(\d)" checked'
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


def seated(django_capture, **given):
    event, director = locked(**given)
    with django_capture(execute=True):
        done(director.press(staff(event, "draw/cards/"), draw=1, cards=CARDS))
        done(Somebody("floor").press(staff(event, "draw/confirm/"), draw=1))
    event.refresh_from_db()
    return event, director


# -- Lock, cards, confirm -----------------------------------------------------------------------------


def test_T4_the_page_shows_the_roster_the_tables_and_the_commitment_before_the_lock():
    event = sold(9)
    page = Somebody("director").get(staff(event, "draw/"))
    assert data(page, "entry") == [f"E00{number}" for number in range(1, 10)]
    assert (data(page, "tables"), data(page, "boxes")) == (["2"], ["14"])
    assert event.draws.get(number=1).commitment in page.content.decode()


def offers(event, code):
    """The lock is offered by the draw and by Tonight unless ``code`` refuses it; sent all the same, it is."""
    director = Somebody("director")
    page = director.get(staff(event, "draw/"))
    assert (LOCK in page.content.decode()) is (not code)
    assert data(page, "code") == ([code] if code else [])
    response = director.press(staff(event, "draw/lock/"))
    if code:
        assert (response.status_code, data(response, "code")[0]) == (422, code)
        assert LOCK not in response.content.decode()
    else:
        done(response, "draw/")


@pytest.mark.parametrize(
    ("entrants", "given", "code"),
    [
        (2, {}, "too_few_entrants"),
        (3, {}, ""),
        (4, {}, ""),
        (4, {"tables_count": 1, "boxes_per_table": 2}, "too_few_entrants"),
        (4, {"tables_count": 1, "boxes_per_table": 3}, ""),
    ],
)
def test_T24_the_lock_is_offered_where_the_posted_minimum_has_a_box(entrants, given, code):
    event = sold(entrants, settings={"min_entrants": 3, **given})
    assert (next_of(event)[0].tail == "draw/") is (not code)
    offers(event, code)


def test_T24_an_alternate_counts_where_a_box_has_come_free():
    event = sold(4, settings={"min_entrants": 3, "tables_count": 1, "boxes_per_table": 3})
    assert [each.status for each in event.entries.order_by("number")] == ["live", "live", "live", "waiting"]
    Entry.objects.filter(event=event, number=1).update(status="withdrawn")
    assert next_of(event)[0].tail == "draw/"
    offers(event, "")


def test_T4_the_lock_is_not_offered_without_a_box():
    event = sold(2)
    Table.objects.create(event=event, number=1, in_use=False)
    offers(event, "no_box")


def test_T4_the_lock_puts_out_tables_and_asks_for_five_cards():
    event, director = locked()
    assert data(director.get(staff(event, "draw/")), "step") == ["cards"]
    assert Table.objects.filter(event=event).count() == 1


def test_cards_are_tapped_one_by_one_and_taken_back():
    event, director = locked()
    path = staff(event, "draw/")
    text = director.get(path, cards="KH 4D", rank="7", suit="s").content.decode()
    assert 'value="KH 4D 7S"' in text and "3 / 5" in text
    text = director.get(path, cards="KH 4D", back="1").content.decode()
    assert 'value="KH"' in text
    text = director.get(path, cards="KH 4D", rank="4", suit="d").content.decode()
    assert 'value="KH 4D"' in text and "2 / 5" in text


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("KH 4D 7S AC", "cards_count"),
        ("KH 4D 7S AC KH", "cards_twice"),
        ("KH 4D 7S AC 1X", "cards_bad"),
    ],
)
def test_cards_that_cannot_be_are_refused_beside_the_field_and_stay_typed(cards, code):
    event, director = locked()
    text = refused_in_place(director.press(staff(event, "draw/cards/"), draw=1, cards=cards), code=code)
    assert f'value="{cards}"' in text and "cards-error" in text


def confirmed_by(event):
    """Who confirmed the cards, as players read it."""
    page = Client().get(f"/e/{event.slug}/draws/1/").content.decode()
    return re.search(r'data-confirmed-by="(\w+)"', page)[1]


def test_who_typed_the_cards_does_not_confirm_them():
    event, director = locked()
    done(director.press(staff(event, "draw/cards/"), draw=1, cards=CARDS))
    page = director.get(staff(event, "draw/"))
    assert data(page, "code") == ["same_person"] and CONFIRM not in page.content.decode()
    response = director.press(staff(event, "draw/confirm/"), draw=1)
    refused_in_place(response, code="same_person", status=403)
    assert confirmed_by(event) == "nobody"
    assert CONFIRM in Somebody("floor").get(staff(event, "draw/")).content.decode()


def test_in_a_rehearsal_one_person_may_and_the_same_press_again_says_by_whom_it_was_done():
    event, director = locked(kind=Event.Kind.REHEARSAL)
    done(director.press(staff(event, "draw/cards/"), draw=1, cards=CARDS))
    path, key = staff(event, "draw/"), new_key()
    assert data(director.get(path), "code") == ["one_person"]
    for again in (False, True):
        done(director.press(f"{path}confirm/", draw=1, key=key))
        said = read(director.get(path).content.decode()).one(".messages")
        assert CARDS in said and (director.user.get_username() in said) is again
    assert event.draws.get(number=1).status == Draw.Status.CONFIRMED
    assert confirmed_by(event) == "one"


def test_a_second_person_confirms_and_the_seats_are_there(django_capture_on_commit_callbacks):
    event, director = seated(django_capture_on_commit_callbacks)
    assert event.status == Event.Status.RUNNING
    assert confirmed_by(event) == "another"
    page = director.get(staff(event, "draw/")).content.decode()
    assert f"/e/{event.slug}/draws/1/" in page and staff(event, "seating/") in page
    chart = director.get(staff(event, "seating/")).content.decode()
    links = re.findall(r'<a [^>]*class="no-print">seat somebody</a>', chart)
    assert (chart.count('class="seat"'), len(links)) == (4, 3)
    assert chart.count('<span class="only-print">free</span>') == 3
    # Players of one name stand by name in the order of their entries.
    Player.objects.filter(entries__event=event).update(alias="Ann")
    names = director.get(staff(event, "seating/")).content.decode().partition('id="names-title"')[2]
    assert re.findall(r"E\d{3}", names) == ["E001", "E002", "E003", "E004"]


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


def test_while_the_seats_are_drawn_the_page_waits_and_then_goes_on():
    event, director = locked(kind=Event.Kind.REHEARSAL)
    director.press(staff(event, "draw/cards/"), draw=1, cards=CARDS)
    director.press(staff(event, "draw/confirm/"), draw=1)
    assert data(director.get(staff(event, "draw/")), "step") == ["drawing"]
    mark = mark_of(director, event)
    watching = director.part(staff(event, "draw/"), watch=mark)
    assert watching.status_code == 204 and "HX-Redirect" not in watching
    event.draws.filter(number=1).update(status=Draw.Status.SUPERSEDED)
    assert director.part(staff(event, "draw/"), watch=mark)["HX-Redirect"] == staff(event, "draw/")


def mark_of(somebody, event):
    """What the draw page asks for while it is open."""
    text = somebody.get(staff(event, "draw/")).content.decode()
    return re.search(r"\?watch=([0-9a-f]{16})", text)[1]


def test_an_open_draw_page_follows_every_step_that_others_take():
    event, director = EventFactory(), Somebody("director")
    for _ in range(4):
        EntryFactory(event=event)
    clerk, second = Somebody("floor"), Somebody("director")
    steps = [
        (director, "draw/lock/", {}),
        (clerk, "draw/cards/", {"draw": 1, "cards": CARDS}),
        (clerk, "draw/cards/", {"draw": 1, "cards": "AH 4D 7S AC 2D"}),
        (second, "draw/confirm/", {"draw": 1, "cards": "AH 4D 7S AC 2D"}),
    ]
    for who, tail, fields in steps:
        mark = mark_of(director, event)
        assert "HX-Redirect" not in director.part(staff(event, "draw/"), watch=mark)
        done(who.press(staff(event, tail), **fields))
        assert director.part(staff(event, "draw/"), watch=mark)["HX-Redirect"] == staff(event, "draw/"), tail


def test_cards_that_are_being_typed_stay_when_the_page_follows():
    event, director = locked()
    mark = mark_of(director, event)
    EntryFactory(event=event)
    to = director.part(staff(event, "draw/"), watch=mark, cards="KH 4D")["HX-Redirect"]
    assert 'value="KH 4D"' in director.get(to).content.decode()


def test_a_redraw_is_asked_of_a_second_person(django_capture_on_commit_callbacks):
    event, director = seated(django_capture_on_commit_callbacks)
    path = staff(event, "draw/1/again/")
    assert director.press(path, reason="").status_code == 422
    done(director.press(path, reason="A box broke"), "draw/")
    assert data(director.get(staff(event, "draw/")), "code") == ["redraw_waits"]
    assert event.requests.get().kind == "redraw"


def test_T4_a_manager_confirms_the_cards_and_does_nothing_else_at_the_draw(
    django_capture_on_commit_callbacks,
):
    event, manager = sold(), Somebody("manager")
    path = staff(event, "draw/")
    other = [staff(event, tail) for tail in ("boxes/", "desk/", "seating/")]

    def offered():
        page = manager.get(path)
        assert page.status_code == 200
        text = page.content.decode()
        assert not [each for each in other if f'href="{each}"' in text], "a link to a closed door"
        return re.findall(r'action="[^"]*/draw/([a-z]+)/"', text)

    director = Somebody("director")
    assert offered() == []
    done(director.press(staff(event, "draw/lock/")), "draw/")
    assert offered() == []
    for tail, typed in (("draw/lock/", {}), ("draw/cards/", {"draw": 1, "cards": CARDS})):
        assert manager.press(staff(event, tail), **typed).status_code == 403
    done(director.press(staff(event, "draw/cards/"), draw=1, cards=CARDS))
    assert offered() == ["confirm"]
    with django_capture_on_commit_callbacks(execute=True):
        done(manager.press(staff(event, "draw/confirm/"), draw=1, cards=CARDS), "draw/")
    assert Draw.objects.get(event=event, number=1).confirmed_by == manager.user
    assert offered() == []


def test_confirming_a_draw_that_is_not_locked_or_not_there_is_refused():
    event = sold()
    director = Somebody("director")
    assert director.press(staff(event, "draw/confirm/"), draw=1).status_code == 409
    assert director.press(staff(event, "draw/confirm/"), draw=99).status_code == 404
    assert director.press(staff(event, "draw/confirm/")).status_code == 404


# -- Before the first bet -----------------------------------------------------------------------------


def test_T6_a_no_show_frees_the_box_for_the_alternate(django_capture_on_commit_callbacks):
    event, director = seated(
        django_capture_on_commit_callbacks, entrants=4, settings={"tables_count": 1, "boxes_per_table": 3}
    )
    assert data(director.get(staff(event, "seating/")), "code") == ["alternates_wait"]
    seat = Seat.objects.filter(round__event=event).first()
    path = staff(event, f"seating/{seat.pk}/no-show/")
    assert 'id="confirm"' in director.get(path).content.decode()
    text = refused_in_place(director.press(path, refund="on", reason=""), code="reason_missing")
    assert "checked" in text
    done(director.press(path), "seating/")
    round_ = Round.objects.get(event=event)
    fill = staff(event, f"seating/{round_.pk}/1/{seat.box}/")
    assert "E004" in director.get(fill).content.decode()
    waiting = event.entries.get(code="E004")
    done(director.press(fill, entry=waiting.pk), "seating/")
    waiting.refresh_from_db()
    assert waiting.status == Entry.Status.LIVE
    assert director.press(fill, entry=waiting.pk).status_code in (409, 422)


def test_T25_a_qualifier_is_replaced_by_the_next_ranked():
    cuts = {"public_input": False, "cut_after_round_1": 4, "cut_after_round_2": 2}
    event = sold(8, kind=Event.Kind.REHEARSAL, settings=cuts)
    night = Night(event, "luck", NOBODY)
    director = Somebody("director")
    done(director.press(staff(event, "draw/lock/")))
    night_play_first(night)
    round_1 = Round.objects.get(event=event, number=1, kind="round")
    leaving = qualified(round_1)[0]
    path = staff(event, f"seating/replace/{leaving.code}/")
    assert leaving.code in director.get(staff(event, "seating/")).content.decode()
    assert 'id="confirm"' in director.get(path).content.decode()
    entry_page = director.get(staff(event, f"entries/{leaving.code}/")).content.decode()
    assert re.search(r"<button[^>]*>(<svg.*?</svg>)?Log the penalty</button>", entry_page)
    assert re.search(r'<a [^>]*href="[^"]*/seating/replace/[^"]*">(<svg.*?</svg>)?Replace</a>', entry_page)
    refused_in_place(director.press(path, reason=""), code="required")
    done(director.press(path, reason="Ill", **replacement(director.get(path))), "seating/")
    leaving.refresh_from_db()
    assert leaving.status == Entry.Status.WITHDRAWN and len(qualified(round_1)) == 4


def night_play_first(night):
    from tables.services.draws import round_seat

    round_seat(draw_id=night.event.draws.get(number=1).pk)
    night_play(night, until=round_1_over)


def replacement(page):
    """The first of those who are tied for the place, where the director has to name one."""
    field = page.context["form"].fields.get("replacement")
    return {"replacement": field.choices[0][0]} if field else {}


# -- Tables and boxes ---------------------------------------------------------------------------------


def test_T4_boxes_and_tables_go_out_of_use():
    event, floor = sold(), Somebody("floor")
    done(floor.press(staff(event, "boxes/add/"), one="1"), "boxes/")
    done(floor.press(staff(event, "boxes/1/"), in_use="1", box=["1", "2", "5"]), "boxes/")
    table = Table.objects.get(event=event)
    assert (table.in_use, table.boxes_out) == (True, [3, 4, 6, 7])
    done(floor.press(staff(event, "boxes/add/"), all="1"))
    assert Table.objects.filter(event=event).count() == 2


def test_T4_a_box_where_somebody_sits_stays(django_capture_on_commit_callbacks):
    event, director = seated(django_capture_on_commit_callbacks)
    refused_in_place(director.press(staff(event, "boxes/1/"), in_use="1"), code="box_occupied", status=409)


def test_a_dealer_is_bound_to_a_table():
    event, director = sold(), Somebody("director")
    dealer, cashier = UserFactory(roles=["dealer"], username="dora"), UserFactory(roles=["cashier"])
    Table.objects.create(event=event, number=1)
    path = staff(event, "boxes/1/dealer/")
    refused_in_place(director.press(path, user=cashier.pk), code="not_a_dealer")
    done(director.press(path, user=dealer.pk), "boxes/")
    assert Clerk.objects.get().user == dealer
    assert "dora" in director.get(staff(event, "boxes/")).content.decode()
    done(director.press(path, user=dealer.pk, release="1"))
    assert not Clerk.objects.exists()


def test_a_dealer_who_is_given_a_second_table_gives_up_the_first():
    event, director = sold(), Somebody("director")
    dealer = UserFactory(roles=["dealer"], username="dora")
    first = Table.objects.create(event=event, number=1)
    second = Table.objects.create(event=event, number=2)
    Clerk.objects.create(user=dealer, table=first)
    done(director.press(staff(event, "boxes/2/dealer/"), user=dealer.pk))
    assert Clerk.objects.get(user=dealer).table.number == 2
    # The page says which table has no dealer by it.
    bound = ({"user": dealer.pk, "table": 2, "left": left} for left in (first.pk, second.pk, None))
    assert [bound_of(each, event).alone for each in bound] == [first, None, None]
    released = ({"user": dealer.pk, "table": number} for number in (1, 2))
    assert [released_of(each, event).alone for each in released] == [first, None]


def test_a_press_without_its_form_shows_the_boxes_as_they_are_stored():
    event, director = sold(), Somebody("director")
    Table.objects.create(event=event, number=1, boxes_out=[7])
    answer = director.client.post(staff(event, "boxes/1/"))
    assert answer.status_code >= 400
    page = answer.content.decode()
    assert re.findall(CHECKED, page) == ["1", *"123456"]
    # What was unticked in the form itself stays so where it is refused.
    page = director.client.post(staff(event, "boxes/1/"), {"key": "no key", "box": ["1"]}).content.decode()
    assert re.findall(CHECKED, page) == ["1"]
