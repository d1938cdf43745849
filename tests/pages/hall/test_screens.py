"""The pages of the screens in the hall: what they say, what a look at them costs, when they change."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from pages.director.reads.hall import NEVER, OFFLINE, ON, screen_state
from tables.models import Shoe
from tables.selectors.floor import seats_live
from tables.services import dealing
from tables.services.draws import draw_lock
from tables.services.seating import tables_ensure
from tests.cast import floor as cast
from tests.cast.at_desk import Somebody, staff
from tests.cast.at_tables import logged_in
from tests.cast.calls import refused
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, new_key, round_seat
from tests.cast.pages import five_in_play
from tests.cast.playing import event_with, finished, post, round_1_closed
from tests.cast.worlds import kept
from tournament.models import Announcement, Event, HallScreen, JournalEntry
from tournament.selectors.floor import TableProgress
from tournament.selectors.hall import ROTATION, SECONDS_LEAST, SECONDS_MOST, rotation_of
from tournament.selectors.hands_left import hands_about
from tournament.services.events import event_call_off, event_start_change
from tournament.services.hall import (
    LONGEST,
    MOST,
    SCREENS_MOST,
    announcement_post,
    announcement_withdraw,
    rotation_set,
    screen_add,
    screen_seen,
    screen_show,
)
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def slides(client: Client, event: Event, tag: str = "") -> Any:
    headers = {"If-None-Match": tag} if tag else {}
    return client.get(reverse("tournament:tv_slides", args=[event.slug]), headers=headers)


def kinds(response: Any) -> list[str]:
    return re.findall(r'data-kind="(\w+)"', response.content.decode())


@pytest.fixture
def event() -> Event:
    return five_in_play()


def test_T20_a_screen_shows_places_stacks_and_the_cut(client: Client, event: Event) -> None:
    for name in ("tv", "tv_slides"):
        content = client.get(reverse(f"tournament:{name}", args=[event.slug])).content.decode()
        rows = re.findall(r'data-entry="(E\d+)" data-place="([=\d]+)" data-stack="(\d+)"', content)
        assert rows[0] == ("E001", "1", "6000")
        assert rows[4] == ("E005", "5", "4800")
        assert content.index('data-entry="E003"') < content.index('data-line="row"')
        assert content.index('data-line="row"') < content.index('data-entry="E004"')


def test_an_unchanged_screen_costs_one_query_and_a_changed_one_three(
    client: Client, event: Event, django_assert_num_queries: Any
) -> None:
    # The page carries the tag of its first picture.
    page = client.get(reverse("tournament:tv", args=[event.slug])).content.decode()
    tag = re.search(r'data-etag="([^"]+)"', page)
    assert tag is not None
    with django_assert_num_queries(1):
        again = slides(client, event, tag[1].replace("&quot;", '"'))
    assert (again.status_code, again.content) == (304, b"")
    many = event_with(20)
    round_seat(many)
    standings_recompute(event_id=many.pk)
    for made in (event, many):
        with django_assert_num_queries(3):
            assert slides(client, made).status_code == 200


def test_T4_T6_a_start_that_is_moved_and_a_locked_roster_come_onto_the_screen(client: Client) -> None:
    made = event_with(9)
    tables_ensure(event_id=made.pk, key=new_key(), actor=None)
    moved = {"starts_at": datetime(2027, 3, 5, 19), "starts_zone": "America/Denver"}
    event_start_change(event_id=made.pk, **moved, key=new_key(), actor=None)
    for lock, shown in ((False, "start"), (True, "draw")):
        if lock:
            draw_lock(event_id=made.pk, key=new_key(), actor=None)
        standings_recompute(event_id=made.pk)
        assert kinds(slides(client, made))[0] == shown


def test_an_empty_event_one_called_off_and_one_that_is_over(client: Client) -> None:
    empty, off, over = event_with(0), event_with(2), finished()
    # Before its standings are made an event has a screen too.
    page = client.get(reverse("tournament:tv", args=[off.slug]))
    assert kinds(page) == ["notice"] and "data-behind" in page.content.decode()
    event_call_off(event_id=off.pk, reason="No power", key=new_key(), actor=None)
    for made in (empty, off, over):
        standings_recompute(event_id=made.pk)
    assert kinds(slides(client, empty)) == ["notice"]
    assert kinds(slides(client, off)) == ["notice"]
    assert set(kinds(slides(client, over))) == {"standings"}
    announced(off)
    assert kinds(slides(client, off)) == ["announcement", "notice"]


# Announcements --------------------------------------------------------------------------------------------


def announced(event: Event, text: str = "Dinner is served") -> int:
    made = announcement_post(event_id=event.pk, text=text, key=new_key(), actor=None)
    standings_recompute(event_id=event.pk)
    return int(made["announcement"])


def on_phones(client: Client, event: Event) -> list[str]:
    content = client.get(reverse("tournament:leaderboard", args=[event.slug])).content.decode()
    return re.findall(r'data-announcement="(\d+)"', content)


def test_an_announcement_stands_on_screens_and_phones_until_it_is_withdrawn(
    client: Client, event: Event
) -> None:
    before = slides(client, event)
    pk = announced(event)
    shown = slides(client, event, before["ETag"])
    assert kinds(shown)[0] == "announcement"
    assert re.findall(r'urgent="(\w+) (\d+)"', shown.content.decode()) == [("announcement", str(pk))]
    assert on_phones(client, event) == [str(pk)]
    announcement_withdraw(announcement_id=pk, key=new_key(), actor=None)
    standings_recompute(event_id=event.pk)
    assert "announcement" not in kinds(slides(client, event, shown["ETag"]))
    assert on_phones(client, event) == []


def test_names_and_announcements_are_text(client: Client) -> None:
    made = event_with(0)
    EntryFactory(event=made, player=PlayerFactory(alias='<b onclick="x">Ann'))
    announced(made, "<script>alert(1)</script>")
    for content in (slides(client, made).content, client.get(f"/e/{made.slug}/").content):
        assert escape('<b onclick="x">Ann').encode() in content and b"<b onclick" not in content
        assert b"&lt;script&gt;alert(1)&lt;/script&gt;" in content and b"<script>alert" not in content


@pytest.mark.parametrize(
    ("text", "code"),
    [("x" * (LONGEST + 1), "text_too_long"), ("  ", "text_missing"), ("a\u202eb", "text_bad")],
)
def test_a_text_that_cannot_be_shown_is_refused(event: Event, text: str, code: str) -> None:
    with refused(code):
        announced(event, text)
    assert not Announcement.objects.exists()


def test_one_more_announcement_than_the_hall_can_read_is_refused(event: Event) -> None:
    for _ in range(MOST):
        last = announced(event, "x" * LONGEST)
    with refused("announcements_full"):
        announced(event)
    announcement_withdraw(announcement_id=last, key=new_key(), actor=None)
    announced(event)
    with refused("announcement_withdrawn"):
        announcement_withdraw(announcement_id=last, key=new_key(), actor=None)
    draft = EventFactory(opened=False)
    with refused("not_public"):  # nobody could read one
        announced(draft)


# -- Screens with a name ---------------------------------------------------------------------------------


NOW = datetime(2026, 11, 20, 21, 4, tzinfo=UTC)


def named(posted: Event, name: str = "bar") -> int:
    return int(screen_add(event_id=posted.pk, name=name, key=new_key(), actor=None)["screen"])


def picture(client: Client, posted: Event, name: str = "bar", tag: str = "") -> Any:
    address = reverse("tournament:tv_screen_slides", args=[posted.slug, name])
    return client.get(address, headers={"If-None-Match": tag} if tag else {})


@pytest.fixture
@kept
def posted() -> Event:
    """Round 1 is closed and the prizes are posted: there are standings and prizes to show."""
    made = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    post(made)
    standings_recompute(event_id=made.pk)
    return made


def test_each_look_of_a_screen_is_seen_but_not_journalled_and_costs_one_query(
    client: Client, posted: Event, django_assert_num_queries: Any
) -> None:
    pk = named(posted)
    entries = JournalEntry.objects.count()
    assert HallScreen.objects.get(pk=pk).seen_at is None
    seen = picture(client, posted)
    first = HallScreen.objects.get(pk=pk).seen_at
    assert first is not None
    with django_assert_num_queries(1):
        assert picture(client, posted, tag=seen["ETag"]).status_code == 304
    assert HallScreen.objects.get(pk=pk).seen_at == first
    assert JournalEntry.objects.count() == entries
    # No cache answers for a named screen.
    page = client.get(reverse("tournament:tv_screen", args=[posted.slug, "bar"]))
    for response in (page, seen):
        assert response["Cache-Control"] == "no-store"
        assert not response.cookies


@pytest.mark.parametrize(("seconds", "again"), [(5, False), (11, True)])
def test_being_seen_is_written_once_in_ten_seconds(posted: Event, seconds: int, again: bool) -> None:
    pk = named(posted)
    screen_seen(screen_id=pk)
    before = HallScreen.objects.get(pk=pk).seen_at - timedelta(seconds=seconds)  # type: ignore[operator]  # it is
    HallScreen.objects.filter(pk=pk).update(seen_at=before)
    screen_seen(screen_id=pk)
    assert (HallScreen.objects.get(pk=pk).seen_at != before) == again


def test_a_name_that_nobody_gave_is_not_there_and_makes_no_row(client: Client, posted: Event) -> None:
    assert picture(client, posted, "stranger").status_code == 404
    assert client.get(reverse("tournament:tv_screen", args=[posted.slug, "stranger"])).status_code == 404
    assert not HallScreen.objects.exists()
    draft = EventFactory(opened=False)
    named(draft)
    assert picture(client, draft).status_code == 404


# Steered ---------------------------------------------------------------------------------------------------


def test_a_screen_keeps_to_one_slide_until_it_is_released_and_others_do_not(
    client: Client, posted: Event
) -> None:
    pk = named(posted)
    named(posted, "stage")
    before = picture(client, posted)
    assert {"standings", "prizes"} <= set(kinds(before))
    screen_show(event_id=posted.pk, screen_id=pk, kind="prizes", key=new_key(), actor=None)
    steered = picture(client, posted, tag=before["ETag"])
    assert set(kinds(steered)) == {"prizes"}
    assert kinds(picture(client, posted, "stage")) == kinds(before)
    screen_show(event_id=posted.pk, screen_id=pk, kind="", key=new_key(), actor=None)
    assert kinds(picture(client, posted, tag=steered["ETag"])) == kinds(before)
    # What is not there to be shown leaves the rotation.
    screen_show(event_id=posted.pk, screen_id=pk, kind="tie", key=new_key(), actor=None)
    assert kinds(picture(client, posted)) == kinds(before)


# Composed --------------------------------------------------------------------------------------------------


def compose(posted: Event, *slides: tuple[str, int]) -> None:
    rotation_set(event_id=posted.pk, slides=slides, key=new_key(), actor=None)


def test_the_rotation_is_shown_in_its_order_and_with_its_seconds(client: Client, posted: Event) -> None:
    tv = reverse("tournament:tv_slides", args=[posted.slug])
    before = client.get(tv)
    compose(posted, ("prizes", SECONDS_MOST), ("standings", SECONDS_LEAST))
    after = client.get(tv, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert kinds(after) == ["prizes", "standings"]
    assert re.findall(r'data-seconds="(\d+)"', after.content.decode()) == ["120", "3"]
    compose(posted, ("standings", 10))
    assert kinds(client.get(tv, headers={"If-None-Match": after["ETag"]})) == ["standings"]
    # Where there is nothing of the rotation to show, no screen is left empty.
    compose(posted, ("tie", 10))
    assert kinds(client.get(tv)) == kinds(before)


def test_a_rotation_that_cannot_be_is_refused(posted: Event) -> None:
    for code, *slides in (
        ("rotation_empty",),
        ("slide_unknown", ("clockwork", 10)),
        ("slide_twice", ("tie", 10), ("tie", 10)),
        ("seconds_out_of_range", ("tie", SECONDS_LEAST - 1)),
        ("seconds_out_of_range", ("tie", SECONDS_MOST + 1)),
    ):
        with refused(code):
            compose(posted, *slides)
    assert rotation_of(posted) == list(ROTATION)


def test_a_name_that_is_no_address_or_taken_or_one_too_many_is_refused(posted: Event) -> None:
    for name in ("", "-bar", "bar-", "b r", "bär", "x" * 21, "a/b", "<b>"):
        with refused("screen_name_bad"):
            named(posted, name)
    for number in range(SCREENS_MOST - 1):
        named(posted, f"s{number}")
    named(posted, "x" * 20)
    for name, code in (("S1", "screen_name_taken"), ("more", "screens_full")):
        with refused(code):
            named(posted, name)


# The director's page ---------------------------------------------------------------------------------------


def test_the_director_sees_which_screens_are_on(client: Client, posted: Event) -> None:
    ages = {"attic": None, "bar": 30, "stage": 31}
    for name, seconds in ages.items():
        named(posted, name)
        assert (
            screen_state(None if seconds is None else NOW - timedelta(seconds=seconds), NOW)
            == ({"attic": NEVER, "bar": ON, "stage": OFFLINE}[name])
        )
    picture(client, posted, "bar")
    HallScreen.objects.filter(name="stage").update(seen_at=datetime.now(UTC) - timedelta(hours=1))
    page = logged_in("director").get(reverse("tournament:hall", args=[posted.slug])).content.decode()
    states = dict(re.findall(r'data-screen="(\w+)" data-state="(\w+)"', page))
    assert states == {"attic": NEVER, "bar": ON, "stage": OFFLINE}


def test_the_director_composes_steers_and_is_told_what_is_wrong(posted: Event) -> None:
    pk, director = named(posted), Somebody("director")

    def send(tail: str, **typed: Any) -> int:
        return int(director.press(staff(posted, f"hall/{tail}"), **typed).status_code)

    seconds = {f"seconds_{kind}": "10" for kind in dict(ROTATION)} | {"seconds_out": "10"}
    numbers = {"number_prizes": "1", "number_standings": "2"}
    assert send("rotation/", **seconds, **numbers) == 303
    assert rotation_of(posted) == [("prizes", 10), ("standings", 10)]
    assert send("screens/show/", screen=pk, kind="prizes") == 303
    assert HallScreen.objects.get(pk=pk).shows == "prizes"
    assert send("screens/", name="b r") == 422
    assert send("rotation/", **seconds) == 422
    assert send("rotation/", **{**seconds, **numbers, "seconds_tie": "soon"}) == 422
    assert send("screens/remove/", screen=pk) == 303
    assert not HallScreen.objects.exists()
    assert send("screens/show/", screen=pk, kind="tie") == 404


# -- The display of a table ------------------------------------------------------------------------------


def table_picture(client: Client, shoe: Shoe, tag: str = "") -> Any:
    address = reverse("tournament:table_picture", args=[shoe.round.event.slug, shoe.table.number])
    return client.get(address, headers={"If-None-Match": tag} if tag else {})


@pytest.fixture
@kept
def shoe() -> Shoe:
    """Four players at table 1; one hand is settled: the player of box 1 won 200 with a bet of 200."""
    made = cast.shoe_of(cast.seated(4))
    bets = dict.fromkeys(range(1, 5), 200)
    cast.by_results(made, bets, {box: cast.result("win" if box == 1 else "lose", bet=200) for box in bets})
    standings_recompute(event_id=made.round.event_id)
    return Shoe.objects.get(pk=made.pk)


def test_players_stacks_changes_and_the_button_stand_by_box(client: Client, shoe: Shoe) -> None:
    content = table_picture(client, shoe).content.decode()
    rows = re.findall(r'data-box="(\d)" data-stack="(\d+)"( data-button)?', content)
    assert [(box, int(stack)) for box, stack, _ in rows] == [
        (str(box), cast.chips_at(shoe.round, box)) for box in range(1, 5)
    ]
    assert [box for box, _, button in rows if button] == [str(shoe.button_box)]
    assert 'data-hands="1"' in content


def test_T18_on_counts_alone_nobody_moves_the_button_on_and_none_is_shown(client: Client) -> None:
    shoe = cast.shoe_of(cast.seated(4, record_mode="counts"))
    standings_recompute(event_id=shoe.round.event_id)
    content = table_picture(client, shoe).content.decode()
    assert 'data-box="1"' in content and "data-button" not in content


def test_T16_nothing_of_an_open_hand_is_shown_and_unchanged_it_costs_two_queries(
    client: Client, shoe: Shoe, django_assert_num_queries: Any
) -> None:
    before = table_picture(client, shoe)
    deal = cast.opened(shoe, dict.fromkeys(range(1, 5), 200))
    assert deal.status == "open"
    standings_recompute(event_id=shoe.round.event_id)
    assert table_picture(client, shoe).content == before.content
    with django_assert_num_queries(2):
        assert table_picture(client, shoe, before["ETag"]).status_code == 304
    # Its end is shown.
    dealing.deal_void(deal_id=deal.pk, reason="Misdeal", key=new_key(), actor=None)
    cast.shoe_over(shoe)
    content = table_picture(client, shoe, before["ETag"]).content.decode()
    assert re.findall(r'hands-left="(\d*)" data-state="(\w+)"', content) == [("", "over")]


def test_T23_in_a_play_off_those_who_play_it_are_shown_at_their_boxes(client: Client) -> None:
    """Box 1 has won the round; the other three play off at the same table, at boxes that are drawn anew."""
    round_ = cast.seated(4, cut_after_round_1=2, cut_after_round_2=2)
    bets = dict.fromkeys(range(1, 5), 200)
    outcomes = {box: cast.result("win" if box == 1 else "lose", bet=200) for box in bets}
    cast.by_results(cast.shoe_of(round_), bets, outcomes)
    cast.play_and_count(round_)
    play_off = cast.draw_and_seat(round_.event)
    standings_recompute(event_id=round_.event_id)
    content = table_picture(client, cast.shoe_of(play_off)).content.decode()
    shown = re.findall(r'data-entry="(\w+)" data-box="(\d)"', content)
    assert shown == [(seat.entry.code, str(seat.box)) for seat in seats_live(play_off)]
    assert len(shown) == 3


def test_a_table_that_is_not_there_and_one_where_nobody_sits(client: Client, shoe: Shoe) -> None:
    slug = shoe.round.event.slug
    for name in ("table_display", "table_picture"):
        assert client.get(reverse(f"tournament:{name}", args=[slug, 99])).status_code == 404
    empty = cast.event_make(2)
    page = client.get(reverse("tournament:table_display", args=[empty.slug, 1]))
    assert page.status_code == 200
    assert "data-box" not in page.content.decode() and 'tv is-over"' not in page.content.decode()
    # The overlay has no ground.
    page = client.get(reverse("tournament:table_display", args=[slug, 1]), {"overlay": "1"})
    assert 'tv is-over"' in page.content.decode()


@pytest.mark.parametrize(
    ("dealt", "hands", "left"),
    [(0, 0, 14), (0, 13, 1), (0, 20, 1), (1, 5, 9), (130, 5, 5), (400, 10, 1)],
)
def test_hands_left_go_by_the_cards_and_never_fall_below_one_while_the_shoe_is_played(
    dealt: int, hands: int, left: int
) -> None:
    table = TableProgress(1, hands, "dealing", decks=6, cards_out=dealt)
    assert hands_about(table) == left
    assert hands_about(replace(table, last_hand=True)) is None
