"""What of the standings is public while they are live, delayed or hidden: every public address by name."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tables.models import Shoe
from tests.cast import floor as cast
from tests.cast.every_page import TABLE
from tests.cast.factories import new_key
from tests.cast.pages import address
from tests.cast.publication import publish
from tests.cast.worlds import kept
from tournament.figures import chips
from tournament.models import Event, Stack, StandingsKept, StandingsPublication
from tournament.selectors.desk import database_now
from tournament.services.hall import screen_add
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db

NUMBERED: dict[str, dict[str, Any]] = {
    **{f"tournament:{name}": {"number": 1} for name in ("table_display", "table_picture", "draw")},
    **{f"tournament:{name}": {"screen": "bar"} for name in ("tv_screen", "tv_screen_slides")},
    "tournament:public_entry": {"code": "E001"},
}


def of_event(*names: str) -> tuple[str, ...]:
    return tuple(f"tournament:{name}" for name in names)


GOVERNED = of_event("leaderboard", "standings", "tv", "tv_slides", "tv_screen", "tv_screen_slides")
GOVERNED += of_event("table_display", "table_picture", "public_entry")
"""Show stacks and places of an open round: the director's choice holds."""
IN_PART = of_event("results")
"""Shows what is posted, and what an open round tells of a tie: the choice holds for the second."""
POSTED = of_event("seats", "rules", "rules_poster", "results_poster", "prizes", "draws", "draw")
"""Show only what is posted: the same in every state."""
OF_A_CLOSED_ROUND = of_event("public_hand")
"""Shows a hand once the result of its round is posted (test_entry)."""
OF_NO_EVENT = ("healthz", "readyz", "service_worker", *of_event("events", "login", "password_link"))
"""Know of no standings."""
POLLED = of_event("standings", "tv_slides", "table_picture")
TWO, FIVE = 2, 5


def path_of(name: str, event: Event) -> str:
    return reverse(name, kwargs={"slug": event.slug, **NUMBERED.get(name, {})})


def paths(names: tuple[str, ...], event: Event) -> list[str]:
    return [path_of(name, event) for name in names]


def governed(event: Event) -> list[str]:
    overlay = path_of("tournament:table_display", event) + "?overlay=1"
    return [*paths(GOVERNED, event), address("leaderboard", event) + "?you=E001", overlay]


@pytest.fixture
@kept
def shoe() -> Shoe:
    """Four players at one table; a hand has made their stacks figures that nothing else on a page has."""
    made = cast.shoe_of(cast.seated(4, boxes_per_table=4))
    screen_add(event_id=made.round.event_id, name="bar", key=new_key(), actor=None)
    hand(made, 400)
    return made


def hand(shoe: Shoe, bet: int) -> None:
    """Box 1 wins its bet, the others lose theirs."""
    outcomes = {box: cast.result("win" if box == 1 else "lose", bet=bet) for box in range(1, 5)}
    cast.by_results(shoe, dict.fromkeys(outcomes, bet), outcomes)
    standings_recompute(event_id=shoe.round.event_id)


def figures(shoe: Shoe) -> set[str]:
    """The stacks as pages write them."""
    stacks = Stack.objects.filter(round=shoe.round).values_list("chips", flat=True)
    return {word for each in stacks for word in (chips(each), f'"{each}"')}


def shown(client: Client, path: str, words: set[str]) -> set[str]:
    content = client.get(path).content.decode()
    return {word for word in words if word in content}


def test_every_public_address_is_classified() -> None:
    lines = [line.split() for line in TABLE.strip().splitlines()[1:]]
    anybody = {line[0] for line in lines if line[-1].startswith("200")}
    assert anybody == {*GOVERNED, *IN_PART, *POSTED, *OF_A_CLOSED_ROUND, *OF_NO_EVENT}


def test_hidden_no_public_address_shows_a_stack_or_a_place(client: Client, shoe: Shoe) -> None:
    event, stacks = shoe.round.event, figures(shoe)
    before = {path: client.get(path).content for path in paths(POSTED, event)}
    for path in governed(event):
        assert shown(client, path, stacks), path
    publish(event, "hidden")
    standings_recompute(event_id=event.pk)
    for path in [*governed(event), *paths(IN_PART, event)]:
        content = client.get(path).content.decode()
        assert not {word for word in stacks if word in content}, path
        assert not re.search(r'data-place="=?\d', content), path
        assert re.search(r'data-publication="hidden"', content), path
        # That would tell which hand was settled last.
        assert 'data-state="playing"' not in content, path
    assert {path: client.get(path).content for path in before} == before
    for path in (address("leaderboard", event) + "?you=E001", address("standings", event)):
        content = client.get(path).content
        assert b'data-where="table 1, box' in content, path
        assert not re.search(rb'data-(hand|hands-left|chances|needs|prize)="', content), path
    content = client.get(path_of("tournament:table_picture", event)).content
    assert b'data-hands="" data-hands-left=""' in content
    publish(event, "live")
    for path in paths(POLLED, event):
        assert shown(client, path, stacks), path


@pytest.mark.parametrize(("seconds", "newer"), [(1, False), (0, True), (-1, True)])
def test_delayed_every_address_shows_the_standings_of_then(
    client: Client, shoe: Shoe, seconds: int, newer: bool
) -> None:
    """A hand that is settled a second later than the delay is not shown; at the delay and before it is."""
    event, before = shoe.round.event, figures(shoe)
    publish(event, "delayed", FIVE)
    hand(shoe, 600)
    after = figures(shoe)
    settled = database_now() - timedelta(minutes=FIVE) + timedelta(seconds=seconds)
    first, second = StandingsKept.objects.filter(event=event).order_by("at", "pk")
    StandingsKept.objects.filter(pk=second.pk).update(at=settled)
    StandingsKept.objects.filter(pk=first.pk).update(at=settled - timedelta(minutes=TWO))
    StandingsPublication.objects.update(public_until=settled - timedelta(minutes=TWO))
    for path in paths(POLLED, event) if newer else governed(event):
        content = client.get(path).content.decode()
        assert any(word in content for word in before) is not newer, path
        assert any(word in content for word in after) is newer, path
        assert 'data-publication="delayed"' in content, path


def test_the_call_to_the_table_is_the_one_of_now_in_every_state(client: Client, shoe: Shoe) -> None:
    event = shoe.round.event

    def calls() -> dict[str, tuple[str, str]]:
        content = client.get(address("standings", event)).content.decode()
        found = re.findall(r'data-entry="(E\d+)".*? data-where="([^"]*)".*? data-call="([^"]*)"', content)
        return {code: (where, call) for code, where, call in found}

    live = calls()
    assert len(live) == len(set(live.values())) == event.entries.count()
    publish(event, "hidden")
    assert calls() == live
    publish(event, "delayed", FIVE)
    kept = StandingsKept.objects.get(event=event)
    rows = next(each for each in kept.body["sections"] if each["kind"] == "live")["rows"]
    # Then two sat elsewhere, one had no seat in a round that was closed, and one was not in yet.
    del rows[0], rows[0]["table"], rows[0]["box"]
    for row in rows:
        row["call"] = "of then"
    for row in rows[1:]:
        row["table"] = row["box"] = 9
    kept.save()
    assert calls() == live


def test_each_state_has_its_tag_which_the_page_and_the_poll_share(client: Client, shoe: Shoe) -> None:
    event, pages = shoe.round.event, ("leaderboard", "tv", "table_display")
    known: dict[str, list[str]] = {name: [] for name in POLLED}
    for mode, minutes in (("live", None), ("delayed", FIVE), ("hidden", None)):
        publish(event, mode, minutes)
        standings_recompute(event_id=event.pk)
        for page, poll in zip(pages, POLLED, strict=True):
            content = client.get(path_of(f"tournament:{page}", event)).content.decode()
            tag = html.unescape(re.findall(r'data-etag="([^"]*)"', content)[0])
            path = path_of(poll, event)
            assert client.get(path, headers={"If-None-Match": tag}).status_code == 304, (mode, poll)
            for old in known[poll]:
                assert client.get(path, headers={"If-None-Match": old}).status_code == 200, (mode, poll)
            known[poll].append(tag)


@pytest.mark.parametrize(("mode", "minutes"), [("hidden", None), ("delayed", FIVE)])
def test_a_tie_of_an_open_round_is_told_while_the_standings_are_live_alone(
    client: Client, mode: str, minutes: int | None
) -> None:
    round_ = cast.seated(4, cut_after_round_1=2, cut_after_round_2=2)
    cast.play_and_count(round_)
    path = address("results", round_.event)
    assert b'data-state="play_off_follows"' in client.get(path).content
    publish(round_.event, mode, minutes)
    assert b'data-state="play_off_follows"' not in client.get(path).content


def test_a_table_with_other_players_than_then_shows_no_stack(client: Client, shoe: Shoe) -> None:
    """The next draw has seated others at the table while the delay still shows the round before."""
    event, stacks = shoe.round.event, figures(shoe)
    publish(event, "delayed", FIVE)
    kept = StandingsKept.objects.get(event=event)
    section = next(each for each in kept.body["sections"] if each["kind"] == "live")
    section["rows"][0]["box"], section["rows"][1]["box"] = (row["box"] for row in section["rows"][1::-1])
    kept.save()
    path = path_of("tournament:table_picture", event)
    assert not shown(client, path, stacks)
    assert client.get(path).content.count(b"data-box=") == len(stacks) // 2 + TWO
