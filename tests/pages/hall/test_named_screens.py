"""Named screens: seen and offline, steered and released, and the rotation that the director composes."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ground.refused import Refused
from pages.director.reads.hall import NEVER, OFFLINE, ON, SLIDE_NAMES, screen_state
from tests.cast.factories import EventFactory, UserFactory, new_key, round_seat
from tests.cast.playing import event_with, post, round_1_closed
from tournament.models import Event, HallScreen, JournalEntry
from tournament.selectors.hall import ROTATION, SECONDS_LEAST, SECONDS_MOST, STEERED, rotation_of
from tournament.services.screens import (
    SCREENS_MOST,
    rotation_set,
    screen_add,
    screen_remove,
    screen_seen,
    screen_show,
)
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 20, 21, 4, tzinfo=UTC)


def named(event: Event, name: str = "bar") -> int:
    return int(screen_add(event_id=event.pk, name=name, key=new_key(), actor=None)["screen"])


def picture(client: Client, event: Event, name: str = "bar", tag: str = "") -> Any:
    address = reverse("tournament:tv_screen_slides", args=[event.slug, name])
    return client.get(address, headers={"If-None-Match": tag} if tag else {})


def kinds(response: Any) -> list[str]:
    return re.findall(r'data-kind="(\w+)"', response.content.decode())


@pytest.fixture
def event() -> Event:
    """Round 1 is closed and the prizes are posted: there are standings and prizes to show."""
    made = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    post(made)
    standings_recompute(event_id=made.pk)
    return made


# Seen ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "state"), [(0, ON), (30, ON), (31, OFFLINE), (3600, OFFLINE)])
def test_a_screen_that_has_not_asked_for_30_seconds_is_offline(seconds: int, state: str) -> None:
    assert screen_state(NOW - timedelta(seconds=seconds), NOW) == state
    assert screen_state(None, NOW) == NEVER


def test_each_look_of_a_screen_is_seen_but_not_journalled(client: Client, event: Event) -> None:
    pk = named(event)
    entries = JournalEntry.objects.count()
    assert HallScreen.objects.get(pk=pk).seen_at is None
    tag = picture(client, event)["ETag"]
    first = HallScreen.objects.get(pk=pk).seen_at
    assert first is not None
    assert picture(client, event, tag=tag).status_code == 304
    assert HallScreen.objects.get(pk=pk).seen_at == first
    assert JournalEntry.objects.count() == entries


@pytest.mark.parametrize(("seconds", "again"), [(5, False), (11, True)])
def test_being_seen_is_written_once_in_ten_seconds(event: Event, seconds: int, again: bool) -> None:
    pk = named(event)
    screen_seen(screen_id=pk)
    before = HallScreen.objects.get(pk=pk).seen_at - timedelta(seconds=seconds)  # type: ignore[operator]  # it is
    HallScreen.objects.filter(pk=pk).update(seen_at=before)
    screen_seen(screen_id=pk)
    assert (HallScreen.objects.get(pk=pk).seen_at != before) == again


def test_an_unchanged_named_screen_costs_one_query(
    client: Client, event: Event, django_assert_num_queries: Any
) -> None:
    named(event)
    named(event, "stage")
    tag = picture(client, event)["ETag"]
    with django_assert_num_queries(1):
        assert picture(client, event, tag=tag).status_code == 304


def test_no_cache_answers_for_a_named_screen(client: Client, event: Event) -> None:
    named(event)
    page = client.get(reverse("tournament:tv_screen", args=[event.slug, "bar"]))
    for response in (page, picture(client, event)):
        assert response["Cache-Control"] == "no-store"
        assert not response.cookies


def test_a_name_that_nobody_gave_is_not_there_and_makes_no_row(client: Client, event: Event) -> None:
    assert picture(client, event, "stranger").status_code == 404
    assert client.get(reverse("tournament:tv_screen", args=[event.slug, "stranger"])).status_code == 404
    assert not HallScreen.objects.exists()
    draft = EventFactory(opened=False)
    named(draft)
    assert picture(client, draft).status_code == 404


# Steered ---------------------------------------------------------------------------------------------------


def test_a_screen_keeps_to_one_slide_until_it_is_released_and_others_do_not(
    client: Client, event: Event
) -> None:
    pk = named(event)
    named(event, "stage")
    before = picture(client, event)
    assert {"standings", "prizes"} <= set(kinds(before))
    screen_show(event_id=event.pk, screen_id=pk, kind="prizes", key=new_key(), actor=None)
    steered = picture(client, event, tag=before["ETag"])
    assert set(kinds(steered)) == {"prizes"}
    assert kinds(picture(client, event, "stage")) == kinds(before)
    screen_show(event_id=event.pk, screen_id=pk, kind="", key=new_key(), actor=None)
    assert kinds(picture(client, event, tag=steered["ETag"])) == kinds(before)


def test_a_screen_that_keeps_to_what_is_not_there_shows_the_rotation(client: Client, event: Event) -> None:
    pk = named(event)
    before = kinds(picture(client, event))
    screen_show(event_id=event.pk, screen_id=pk, kind="tie", key=new_key(), actor=None)
    assert kinds(picture(client, event)) == before


def test_every_kind_has_its_words() -> None:
    assert set(SLIDE_NAMES) == set(STEERED)


# Composed --------------------------------------------------------------------------------------------------


def compose(event: Event, *slides: tuple[str, int]) -> None:
    rotation_set(event_id=event.pk, slides=slides, key=new_key(), actor=None)


def test_the_rotation_is_shown_in_its_order_and_with_its_seconds(client: Client, event: Event) -> None:
    tv = reverse("tournament:tv_slides", args=[event.slug])
    before = client.get(tv)
    compose(event, ("prizes", SECONDS_MOST), ("standings", SECONDS_LEAST))
    after = client.get(tv, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert kinds(after) == ["prizes", "standings"]
    assert re.findall(r'data-seconds="(\d+)"', after.content.decode()) == ["120", "3"]
    compose(event, ("standings", 10))
    assert kinds(client.get(tv, headers={"If-None-Match": after["ETag"]})) == ["standings"]


def test_a_rotation_without_anything_to_show_leaves_no_screen_empty(client: Client) -> None:
    made = event_with(3)
    round_seat(made)
    standings_recompute(event_id=made.pk)
    tv = reverse("tournament:tv_slides", args=[made.slug])
    before = kinds(client.get(tv))
    compose(made, ("tie", 10))
    assert kinds(client.get(tv)) == before
    assert "standings" in before


@pytest.mark.parametrize(
    ("slides", "code"),
    [
        ((), "rotation_empty"),
        ((("clockwork", 10),), "slide_unknown"),
        ((("tie", 10), ("tie", 10)), "slide_twice"),
        ((("tie", SECONDS_LEAST - 1),), "seconds_out_of_range"),
        ((("tie", SECONDS_MOST + 1),), "seconds_out_of_range"),
    ],
)
def test_a_rotation_that_cannot_be_is_refused(
    event: Event, slides: tuple[tuple[str, int], ...], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        compose(event, *slides)
    assert refused.value.code == code
    assert rotation_of(event) == list(ROTATION)


@pytest.mark.parametrize("name", ["", "-bar", "bar-", "b r", "bär", "x" * 21, "a/b", "<b>"])
def test_a_name_that_is_no_address_is_refused(event: Event, name: str) -> None:
    with pytest.raises(Refused) as refused:
        named(event, name)
    assert refused.value.code == "screen_name_bad"


def test_names_come_once_and_are_not_too_many(event: Event) -> None:
    for number in range(SCREENS_MOST - 1):
        named(event, f"s{number}")
    named(event, "x" * 20)
    for name, code in (("S1", "screen_name_taken"), ("more", "screens_full")):
        with pytest.raises(Refused) as refused:
            named(event, name)
        assert refused.value.code == code


def test_what_is_done_to_a_screen_that_is_gone_is_refused(event: Event) -> None:
    pk = named(event)
    screen_remove(event_id=event.pk, screen_id=pk, key=new_key(), actor=None)
    for act in (
        lambda: screen_remove(event_id=event.pk, screen_id=pk, key=new_key(), actor=None),
        lambda: screen_show(event_id=event.pk, screen_id=pk, kind="tie", key=new_key(), actor=None),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert (refused.value.code, refused.value.status) == ("no_such_screen", 404)


# The director's page ---------------------------------------------------------------------------------------


def test_the_director_sees_which_screens_are_on(client: Client, event: Event) -> None:
    for name in ("bar", "stage", "attic"):
        named(event, name)
    picture(client, event, "bar")
    picture(client, event, "stage")
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    HallScreen.objects.filter(name="stage").update(seen_at=long_ago)
    client.force_login(UserFactory(roles=["director"]))
    page = client.get(reverse("tournament:hall", args=[event.slug])).content.decode()
    assert re.findall(r'data-screen="(\w+)" data-state="(\w+)"', page) == [
        ("attic", NEVER),
        ("bar", ON),
        ("stage", OFFLINE),
    ]


def test_the_director_composes_steers_and_is_told_what_is_wrong(client: Client, event: Event) -> None:
    pk = named(event)
    client.force_login(UserFactory(roles=["director"]))
    hall = reverse("tournament:hall", args=[event.slug])

    def send(tail: str, **typed: Any) -> Any:
        page = client.get(hall).content.decode()
        form = re.search(rf'<form[^>]*action="{hall}{tail}".*?</form>', page, re.S)
        assert form is not None
        hidden = dict(re.findall(r'name="(key|basis)" value="([^"]*)"', form[0]))
        return client.post(hall + tail, {**hidden, **typed})

    seconds = {f"seconds_{kind}": "10" for kind in dict(ROTATION)} | {"seconds_out": "10"}
    numbers = {"number_prizes": "1", "number_standings": "2"}
    assert send("rotation/", **seconds, **numbers).status_code == 303
    assert rotation_of(event) == [("prizes", 10), ("standings", 10)]
    assert send("screens/show/", screen=pk, kind="prizes").status_code == 303
    assert HallScreen.objects.get(pk=pk).shows == "prizes"
    assert send("screens/", name="b r").status_code == 422
    assert send("rotation/", **seconds).status_code == 422
    assert send("rotation/", **{**seconds, **numbers, "seconds_tie": "soon"}).status_code == 422
    assert send("screens/remove/", screen=pk).status_code == 303
    assert not HallScreen.objects.exists()
