"""Nobody takes a rehearsal for a real event: every page of one says so, on screen and on paper."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.cast.every_page import World, addresses, people, world_of
from tests.cast.factories import EntryFactory, EventFactory, UserFactory
from tests.cast.pages import paid_and_handed_out
from tournament.models import Event
from tournament.roles import ROLES

pytestmark = pytest.mark.django_db
MARK = re.compile(r'<aside class="rehearsal"[^>]*>(\w+)</aside>')
SHEETS = sorted((Path(__file__).resolve().parents[2] / "static").glob("*.css"))
STAFF = tuple(f"/staff/{{}}/{tail}" for tail in ("", "desk/", "draw/", "journal/", "entries/E001/receipt/"))
CARDS = ("tables:seat_cards", "tables:seat_cards_all", "tournament:receipt")
"""Each card of these is cut out, and carries the mark itself."""
PRINTS = ("receipt", "seat_cards", "count_sheet", "rules_poster", "results_poster", "pay_receipt")
PRINTS += ("refund_receipt",)


def pages(world: World) -> Iterator[tuple[str, str]]:
    """Name and text of every whole page of the events of a world, as somebody with every role sees it."""
    client = Client()
    client.force_login(UserFactory(roles=list(ROLES), username="everybody"))
    paid_and_handed_out(world)
    events = (world.draft, world.event, world.finished, world.paid, world.called_off)
    for name, path in addresses(world, people(world)).items():
        answer = client.get(path)
        text = answer.content.decode()
        of_event = any(f"/{event.slug}/" in path for event in events)
        if of_event and answer.status_code == 200 and "<html" in text:
            yield name, text


WORDS = [("rehearsal", "Rehearsal"), ("simulation", "Simulation")]


@pytest.mark.parametrize(("kind", "word"), [*WORDS, (Event.Kind.TOURNAMENT, "")])
def test_a_page_of_each_audience_says_so_or_does_not(kind: str, word: str):
    event = EntryFactory(event=EventFactory(kind=kind)).event
    client = Client()
    client.force_login(UserFactory(roles=list(ROLES)))
    for path in (f"/e/{event.slug}/", f"/e/{event.slug}/rules/", *STAFF):
        text = client.get(path.format(event.slug)).content.decode()
        assert MARK.findall(text) == [word][: bool(word)], path


SOAK = [pytest.param(*each, marks=pytest.mark.soak) for each in (WORDS[1], (Event.Kind.TOURNAMENT, ""))]


@pytest.mark.parametrize(("kind", "word"), [WORDS[0], *SOAK])
def test_every_page_and_print_says_so_or_does_not(kind: str, word: str):
    shown = dict(pages(world_of(kind)))
    assert [name for name, text in shown.items() if MARK.findall(text) != [word][: bool(word)]] == []
    assert len(shown) > 40
    assert [each for each in PRINTS if not any(each in name for name in shown)] == []
    for name in CARDS:
        cards = shown[name].split('<section class="seatcard"')[1:]
        assert cards and all(word in card.split("</section>")[0] for card in cards), name


def test_the_mark_is_not_hidden_in_print():
    everything = "".join(sheet.read_text() for sheet in SHEETS)
    assert ".rehearsal" in everything
    hidden: list[Any] = re.findall(r"([^{}]*)\{\s*display: none", everything)
    assert [rule for rule in hidden if ".rehearsal" in rule] == []
