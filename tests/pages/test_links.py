"""Every link and every button of a page is open to its reader (faults), in the states of an event.

Each role walks from Tonight, the list of events and the public page along the links, one page of each
address. The tests of permissions and of every plan hold the links of all pages against the guards
(``tests/cast/links.py``); here each one is followed, and each button is pressed without its key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urljoin

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve

from tables.models import Clerk, Table
from tests.cast import every_page, hostile, playing, tied
from tests.cast import floor as cast
from tests.cast.every_form import drawing
from tests.cast.every_page import ANONYMOUS, COLUMNS
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tests.cast.hostile import Form, forms_of
from tests.cast.links import links_of
from tests.cast.pages import round_1_posted
from tournament.models import Event, JournalEntry
from tournament.roles import CASHIER, DEALER, FLOOR, MANAGER
from tournament.services.events import event_call_off
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db

OURS = Event.Kind.TOURNAMENT


def hand_open() -> Event:
    round_ = cast.seated(4)
    cast.opened(cast.shoe_of(round_), {1: 200, 2: 200})
    return round_.event


def off_while_seated() -> Event:
    event = cast.seated(4).event
    event_call_off(event_id=event.pk, reason="the power is out", key=new_key(), actor=UserFactory())
    return event


SCENES: dict[str, Callable[[], Event]] = {
    "draft": lambda: EventFactory(opened=False),
    "sale": lambda: EntryFactory().event,
    "draw waits for its cards": lambda: drawing(confirm=False),
    "seated": lambda: cast.seated(8, boxes_per_table=4).event,
    "hand open": hand_open,
    "ruling waits": lambda: hostile.ruling_waits().event,
    "tie": hostile.tied,
    "tie to rule": lambda: hostile.tied(tie_at_cut="director"),
    "round closed": round_1_posted,
    "play-off": lambda: tied.play_off(4).event,
    "tied for money": tied.tied_for_money,
    "sudden death": lambda: cast.sudden_death_of_two().event,
    "finished": lambda: playing.finished(5),
    "paid": lambda: every_page.partly_paid(OURS),
    "place unclaimed": lambda: every_page.place_unclaimed(OURS),
    "called off": lambda: every_page.called_off(OURS),
    "called off while seated": off_while_seated,
    "disqualification asked": lambda: every_page.disqualification_asked(OURS).event,
    "correction asked": lambda: every_page.correction_asked(OURS).event,
    "cut put right": lambda: every_page.cut_put_right().event,
}


class Reader:
    """A person of one role, or a stranger, who walks along the links of an event."""

    def __init__(self, role: str, event: Event) -> None:
        self.role, self.event, self.faults = role, event, list[str]()
        self.client = Client(raise_request_exception=False)
        self.seen: set[object] = set()
        if role != ANONYMOUS:
            user = UserFactory(roles=[role])
            self.client.force_login(user)
            table = Table.objects.filter(event=event, number=1).first()
            if role == DEALER and table:
                Clerk.objects.create(user=user, table=table)

    def walk(self) -> None:
        """Open one page of each address that can be reached, and press each of its buttons."""
        begins = ["/", "/house/", f"/staff/{self.event.slug}/"]
        begins += [f"/e/{self.event.slug}/"] if self.event.status != Event.Status.DRAFT else []
        todo = [("the address bar", path) for path in begins]
        for origin, path in todo:
            answer = self.client.get(path)
            if answer.status_code in (301, 302, 303):
                if not answer["Location"].startswith("/login"):
                    todo.append((origin, urljoin(path, answer["Location"])))
            elif answer.status_code not in (200, 204):
                self.faults.append(f"{self.role}: {origin} leads to {path}: {answer.status_code}")
            elif "html" in answer["Content-Type"]:
                html = answer.content.decode()
                self.press_all(path, html)
                todo += [(path, link) for link in links_of(path, html) if self.is_new(link)]

    def is_new(self, link: str) -> bool:
        """Whether no page of this address with these parameters has been opened yet."""
        path, _, query = link.partition("?")
        if path.startswith(("/de/", "/static/")):
            return False
        found = resolve(path)
        elsewhere = found.kwargs.get("slug", self.event.slug) != self.event.slug
        return not elsewhere and self.is_first((found.view_name, *sorted(parse_qs(query))))

    def is_first(self, key: object) -> bool:
        """Whether this was not asked before."""
        known = key in self.seen
        self.seen.add(key)
        return not known

    def press_all(self, page: str, html: str) -> None:
        """Press every button of a kind once, without the key of its form; its state changes nothing."""
        for form in forms_of(page.partition("?")[0], html):
            for name, value in form.buttons:
                sent = {**form.fields, **({name: value} if name else {})}
                sent.pop("key", None)
                kind = (resolve(form.action).view_name, name, sent.get("do"), sent.get("how"))
                # The first bet of a round is called under a key of its own.
                if form.action != "/logout" and sent.get("do") != "bets" and self.is_first(kind):
                    self.press(page, form, sent)

    def press(self, page: str, form: Form, sent: dict[str, Any]) -> None:
        with transaction.atomic():
            before = JournalEntry.objects.count()
            status = self.client.post(form.action, sent).status_code
            done = JournalEntry.objects.count() - before
            transaction.set_rollback(True)
        if status in (403, 404, 405) or status >= 500 or done:
            self.faults.append(f"{self.role}: {page} has a button of {form.name}: {status}, {done} done")


IN_GATE = [
    ("draft", MANAGER, CASHIER),
    ("hand open", DEALER, ANONYMOUS),
    ("play-off", FLOOR),
    ("called off", CASHIER, ANONYMOUS),
]
IN_SOAK = [(scene, *COLUMNS) for scene in SCENES]


@pytest.mark.parametrize(
    "walk", [*IN_GATE, *(pytest.param(each, marks=pytest.mark.soak) for each in IN_SOAK)]
)
def test_every_link_and_button_is_open_to_its_reader(walk: tuple[str, ...]) -> None:
    scene, *roles = walk
    event = SCENES[scene]()
    event.refresh_from_db()
    standings_recompute(event_id=event.pk)
    readers = [Reader(role, event) for role in roles]
    for reader in readers:
        reader.walk()
    assert [fault for reader in readers for fault in reader.faults] == []
