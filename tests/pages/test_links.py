"""The links of a page lead somewhere (faults).

Each role walks from Tonight, the list of events and the public page along the links, one page of each
address. The tests of permissions and of every plan hold the links and buttons of all pages against the
guards (``tests/cast/links.py``) in the states that every event goes through; here are the others, and the
links are followed as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urljoin

import pytest
from django.test import Client
from django.urls import resolve

from tables.models import Clerk, Table
from tests.cast import every_page, hostile, tied
from tests.cast import floor as cast
from tests.cast.every_form import drawing
from tests.cast.every_page import ANONYMOUS, COLUMNS
from tests.cast.factories import UserFactory
from tests.cast.links import APART, closed, links_of
from tournament.models import Event
from tournament.roles import CASHIER, DEALER, FLOOR
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def hand_open() -> Event:
    round_ = cast.seated(4)
    cast.opened(cast.shoe_of(round_), {1: 200, 2: 200})
    return round_.event


SCENES: dict[str, Callable[[], Event]] = {
    "draw waits for its cards": lambda: drawing(confirm=False),
    "hand open": hand_open,
    "ruling waits": lambda: hostile.ruling_waits().event,
    "tie to rule": lambda: hostile.tied(tie_at_cut="director"),
    "play-off": lambda: tied.play_off(4).event,
    "tied for money": tied.tied_for_money,
    "sudden death": lambda: cast.sudden_death_of_two().event,
    "paid": lambda: every_page.partly_paid(Event.Kind.TOURNAMENT),
    "place unclaimed": lambda: every_page.place_unclaimed(Event.Kind.TOURNAMENT),
    "called off": lambda: every_page.called_off(Event.Kind.TOURNAMENT),
    "cut put right": lambda: every_page.cut_put_right().event,
}


def walk(role: str, event: Event) -> Iterator[str]:
    """Open one page of each address that a reader can reach, and give what is closed."""
    client, seen = Client(raise_request_exception=False), set[object]([None])
    if role != ANONYMOUS:
        client.force_login(user := UserFactory(roles=[role]))
        if role == DEALER and (table := Table.objects.filter(event=event, number=1).first()):
            Clerk.objects.create(user=user, table=table)
    begins = ["/", "/house/", f"/staff/{event.slug}/", f"/e/{event.slug}/"]
    todo = [("the address bar", path) for path in begins]
    for origin, path in todo:
        answer = client.get(path)
        if answer.status_code in (301, 302, 303):
            if not answer["Location"].startswith("/login"):
                todo.append((origin, urljoin(path, answer["Location"])))
        elif answer.status_code not in (200, 204):
            yield f"{role}: {origin} leads to {path}: {answer.status_code}"
        elif "html" in answer["Content-Type"]:
            html = answer.content.decode()
            yield from closed(role, path, html)
            for link in links_of(path, html):
                if (kind := kind_of(link, event)) not in seen:
                    seen.add(kind)
                    todo.append((path, link))


def kind_of(link: str, event: Event) -> object:
    """The address of a link and the names of its parameters; None for other events, languages and files."""
    path, _, query = link.partition("?")
    if path.startswith(APART):
        return None
    found = resolve(path)
    ours = found.kwargs.get("slug", event.slug) == event.slug
    return (found.view_name, *sorted(parse_qs(query))) if ours else None


IN_GATE = [("hand open", DEALER, FLOOR), ("called off", CASHIER, ANONYMOUS)]
IN_SOAK = [(scene, *COLUMNS) for scene in SCENES]


@pytest.mark.parametrize(
    "scene_and_roles", [*IN_GATE, *(pytest.param(each, marks=pytest.mark.soak) for each in IN_SOAK)]
)
def test_every_link_and_button_is_open_to_its_reader(scene_and_roles: tuple[str, ...]) -> None:
    scene, *roles = scene_and_roles
    event = SCENES[scene]()
    event.refresh_from_db()
    standings_recompute(event_id=event.pk)
    assert [fault for role in roles for fault in walk(role, event)] == []
