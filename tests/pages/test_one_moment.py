"""A command that is saved while a page is being read does not appear on half of it (ADR 23)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import InternalError, connection, transaction

from pages.director.views import seating as draw_pages
from tables.selectors.basis import draw_basis
from tables.services import draws
from tests.cast import floor as cast
from tests.cast.at_tables import logged_in
from tests.cast.calls import at_once
from tests.cast.factories import new_key
from tournament.models import Event
from tournament.selectors.moment import of_one_moment, one_moment
from tournament.services import queue

pytestmark = pytest.mark.django_db(transaction=True)


def meanwhile(monkeypatch: Any, where: Any, name: str, act: Callable[[], Any]) -> None:
    """Let somebody else save something once this part of the page has been read."""
    read, done = getattr(where, name), []

    def first(*args: Any, **kwargs: Any) -> Any:
        found = read(*args, **kwargs)
        if not done:
            done.extend(at_once(act))
            assert not isinstance(done[0], Exception), done[0]
        return found

    monkeypatch.setattr(where, name, first)


def test_seats_drawn_while_the_draw_page_is_read_are_seen_when_it_looks_again(monkeypatch):
    event, carry_out = cast.event_make(4), queue._send
    monkeypatch.setattr(
        queue, "_send", lambda task, *args: task == "tables.seat_round" or carry_out(task, *args)
    )
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    meanwhile(monkeypatch, draw_pages, "draw_view", lambda: draws.round_seat(draw_id=locked["draw"]))
    floor, page = logged_in("floor"), f"/staff/{event.slug}/draw/"
    first = floor.get(page)
    assert first.context["step"] == "drawing"
    text = first.content.decode()
    mark = re.search(r"\?watch=(\w+)", text)[1]
    assert mark != draw_basis(event.pk).mark
    again = floor.get(f"{page}?watch={mark}", headers={"HX-Request": "true"})
    assert again.headers["HX-Redirect"] == page
    assert floor.get(page).context["step"] != "drawing"


def test_one_moment_shows_nothing_newer_and_refuses_to_write():
    event = cast.event_make(2)
    rename = lambda: Event.objects.filter(pk=event.pk).update(name="Another")  # noqa: E731 - said once
    name = lambda: Event.objects.get(pk=event.pk).name  # noqa: E731 - said three times
    with one_moment():
        first = name()
        at_once(rename)
        assert name() == first
    assert name() == "Another"
    with pytest.raises(InternalError, match="read-only"):
        of_one_moment(rename)()
    # Afterwards the connection writes again, and sees what others write.
    assert rename() == 1
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')"
        )
        assert cursor.fetchone() == ("read committed", "off")


def test_one_moment_does_nothing_inside_a_transaction():
    event = cast.event_make(2)
    with transaction.atomic(), one_moment():
        Event.objects.filter(pk=event.pk).update(name="Another")
    assert Event.objects.get(pk=event.pk).name == "Another"
