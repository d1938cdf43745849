"""The pages of the screens in the hall: what they say, what a look at them costs, when they change."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from ground.refused import Refused
from tables.services.draws import draw_lock
from tables.services.seating import tables_ensure
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key, round_seat
from tests.cast.playing import event_with, finished, round_1_closed, win
from tests.cast.playing import post as prizes_post
from tournament.models import Announcement, Event
from tournament.services.announcements import LONGEST, MOST, announcement_post, announcement_withdraw
from tournament.services.events import event_call_off, event_start_change
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def slides(client: Client, event: Event, tag: str = "") -> Any:
    headers = {"If-None-Match": tag} if tag else {}
    return client.get(reverse("tournament:tv_slides", args=[event.slug]), headers=headers)


def kinds(response: Any) -> list[str]:
    return re.findall(r'data-kind="(\w+)"', response.content.decode())


@pytest.fixture
def event() -> Event:
    """Five entries in round 1, hands played."""
    made = event_with(5, cut_after_round_1=3, cut_after_round_2=2)
    win(round_seat(made), E001=1_000, E002=600, E003=400, E004=200, E005=-200)
    standings_recompute(event_id=made.pk)
    return made


def test_T20_a_screen_shows_places_stacks_and_the_cut(client: Client, event: Event) -> None:
    for name in ("tv", "tv_slides"):
        content = client.get(reverse(f"tournament:{name}", args=[event.slug])).content.decode()
        rows = re.findall(r'data-entry="(E\d+)" data-place="([=\d]+)" data-stack="(\d+)"', content)
        assert rows[0] == ("E001", "1", "6000")
        assert rows[4] == ("E005", "5", "4800")
        assert content.index('data-entry="E003"') < content.index('data-line="row"')
        assert content.index('data-line="row"') < content.index('data-entry="E004"')


def test_an_unchanged_screen_costs_one_query(
    client: Client, event: Event, django_assert_num_queries: Any
) -> None:
    tag = slides(client, event)["ETag"]
    with django_assert_num_queries(1):
        again = slides(client, event, tag)
    assert (again.status_code, again.content) == (304, b"")


def test_a_changed_screen_costs_three_however_many_play(
    client: Client, django_assert_num_queries: Any
) -> None:
    for entrants in (4, 20):
        made = event_with(entrants)
        round_seat(made)
        standings_recompute(event_id=made.pk)
        with django_assert_num_queries(3):
            assert slides(client, made).status_code == 200


def test_the_page_carries_the_tag_of_its_first_picture(client: Client, event: Event) -> None:
    page = client.get(reverse("tournament:tv", args=[event.slug])).content.decode()
    tag = re.search(r'data-etag="([^"]+)"', page)
    assert tag is not None
    assert slides(client, event, tag[1].replace("&quot;", '"')).status_code == 304


def test_T31_posted_prizes_come_onto_the_screen(client: Client) -> None:
    made = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    standings_recompute(event_id=made.pk)
    before = slides(client, made)
    assert "prizes" not in kinds(before)
    prizes_post(made)
    standings_recompute(event_id=made.pk)
    after = slides(client, made, before["ETag"])
    assert "prizes" in kinds(after)
    assert re.search(r'data-first-prize="(\d+)"', after.content.decode())


def test_T6_a_start_that_is_moved_is_shown_moved(client: Client) -> None:
    made = event_with(2)
    standings_recompute(event_id=made.pk)
    before = slides(client, made)
    at = datetime(2027, 3, 5, 19)
    event_start_change(
        event_id=made.pk, starts_at=at, starts_zone="America/Denver", key=new_key(), actor=None
    )
    standings_recompute(event_id=made.pk)
    after = slides(client, made, before["ETag"])
    assert after.status_code == 200
    assert "start" in kinds(after)


def test_T4_a_locked_roster_comes_onto_the_screen(client: Client) -> None:
    made, floor = event_with(9), UserFactory(roles=["floor"])
    tables_ensure(event_id=made.pk, key=new_key(), actor=floor)
    standings_recompute(event_id=made.pk)
    assert "draw" not in kinds(slides(client, made))
    draw_lock(event_id=made.pk, key=new_key(), actor=floor)
    standings_recompute(event_id=made.pk)
    content = slides(client, made).content.decode()
    assert re.findall(r'data-draw="(\d+)" [a-z-]+="(\w+)"', content) == [("1", "locked")]


def test_an_empty_event_one_called_off_and_one_that_is_over(client: Client) -> None:
    empty, off, over = event_with(0), event_with(2), finished()
    event_call_off(event_id=off.pk, reason="No power", key=new_key(), actor=None)
    for made in (empty, off, over):
        standings_recompute(event_id=made.pk)
    assert kinds(slides(client, empty)) == ["notice"]
    assert kinds(slides(client, off)) == ["notice"]
    assert set(kinds(slides(client, over))) == {"standings"}


def test_an_event_whose_standings_are_not_made_yet_has_a_screen(client: Client) -> None:
    made = event_with(2)
    page = client.get(reverse("tournament:tv", args=[made.slug]))
    assert kinds(page) == ["notice"]
    assert "data-behind" in page.content.decode()


@pytest.mark.parametrize(("digits", "drawn"), [(4, True), (5000, False)])
@pytest.mark.parametrize("name", ["tv", "rules_poster"])
def test_an_address_that_no_code_can_hold_has_none(
    client: Client, event: Event, name: str, digits: int, drawn: bool
) -> None:
    page = client.get(
        reverse(f"tournament:{name}", args=[event.slug]), headers={"Host": f"localhost:{'8' * digits}"}
    )
    assert page.status_code == 200
    assert ('class="qr"' in page.content.decode()) == drawn


def test_names_are_text_on_a_screen(client: Client) -> None:
    made = event_with(0)
    EntryFactory(event=made, player=PlayerFactory(alias='<b onclick="x">Ann'))
    standings_recompute(event_id=made.pk)
    content = slides(client, made).content.decode()
    assert escape('<b onclick="x">Ann') in content
    assert "<b onclick" not in content


@pytest.mark.parametrize(("asked", "theme"), [("", "dark"), ("?theme=light", "light"), ("?theme=x", "dark")])
def test_a_screen_is_dark_unless_it_is_asked_to_be_light(
    client: Client, event: Event, asked: str, theme: str
) -> None:
    page = client.get(reverse("tournament:tv", args=[event.slug]) + asked).content.decode()
    assert re.search(r'<html[^>]* data-theme="(\w+)"', page)[1] == theme  # type: ignore[index]  # it is there


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


def test_an_announcement_is_text(client: Client, event: Event) -> None:
    announced(event, "<script>alert(1)</script>")
    for content in (slides(client, event).content, client.get(f"/e/{event.slug}/").content):
        assert b"&lt;script&gt;alert(1)&lt;/script&gt;" in content
        assert b"<script>alert" not in content


def test_of_a_called_off_event_announcements_are_shown_too(client: Client) -> None:
    made = event_with(2)
    event_call_off(event_id=made.pk, reason="No power", key=new_key(), actor=None)
    announced(made)
    assert kinds(slides(client, made)) == ["announcement", "notice"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("x" * 201, "text_too_long"), ("  ", "text_missing"), ("a\u202eb", "text_bad")],
)
def test_a_text_that_cannot_be_shown_is_refused(event: Event, text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        announced(event, text)
    assert refused.value.code == code
    assert not Announcement.objects.exists()


def test_a_text_of_just_the_longest_is_posted(event: Event) -> None:
    announced(event, "x" * LONGEST)
    assert len(Announcement.objects.get().text) == LONGEST == 200


def test_one_more_announcement_than_the_hall_can_read_is_refused(event: Event) -> None:
    for _ in range(MOST):
        last = announced(event)
    with pytest.raises(Refused) as refused:
        announced(event)
    assert refused.value.code == "announcements_full"
    announcement_withdraw(announcement_id=last, key=new_key(), actor=None)
    announced(event)
    with pytest.raises(Refused) as again:
        announcement_withdraw(announcement_id=last, key=new_key(), actor=None)
    assert again.value.code == "announcement_withdrawn"


def test_before_the_rules_are_posted_nobody_could_read_one() -> None:
    with pytest.raises(Refused) as refused:
        announced(EventFactory(opened=False))
    assert refused.value.code == "not_public"
