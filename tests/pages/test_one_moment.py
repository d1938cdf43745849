"""A command that is saved while a page is being read does not appear on half of it (ADR 23)."""

from __future__ import annotations

import re
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


def test_seats_drawn_while_the_draw_page_is_read_are_seen_when_it_looks_again(monkeypatch):
    """Somebody else saves something once this part of the page has been read."""
    event, carry_out, read = cast.event_make(4), queue._send, draw_pages.draw_view
    monkeypatch.setattr(
        queue, "_send", lambda task, *args: task == "tables.seat_round" or carry_out(task, *args)
    )
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)

    def view(*args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(draw_pages, "draw_view", read)
        found = read(*args, **kwargs)
        (done,) = at_once(lambda: draws.round_seat(draw_id=locked["draw"]))
        assert not isinstance(done, Exception), done
        return found

    monkeypatch.setattr(draw_pages, "draw_view", view)
    floor, page = logged_in("floor"), f"/staff/{event.slug}/draw/"
    first = floor.get(page)
    assert first.context["step"] == "drawing"
    mark = re.search(r"\?watch=(\w+)", first.content.decode())[1]
    assert mark != draw_basis(event.pk).mark
    again = floor.get(f"{page}?watch={mark}", headers={"HX-Request": "true"})
    assert again.headers["HX-Redirect"] == page
    assert floor.get(page).context["step"] != "drawing"


def test_one_moment_shows_nothing_newer_and_refuses_to_write():
    event = cast.event_make(2)
    rename = lambda: Event.objects.filter(pk=event.pk).update(name="Another")  # noqa: E731 - said thrice
    with one_moment():
        first = Event.objects.get(pk=event.pk).name
        at_once(rename)
        assert Event.objects.get(pk=event.pk).name == first != "Another"
    assert Event.objects.get(pk=event.pk).name == "Another"
    with pytest.raises(InternalError, match="read-only"):
        of_one_moment(rename)()
    # Afterwards the connection writes again, and sees what others write.
    assert rename() == 1
    with transaction.atomic(), one_moment(), connection.cursor() as cursor:
        cursor.execute("SHOW transaction_isolation")
        assert cursor.fetchone() == ("read committed",), "inside a transaction it does nothing"
