"""A hand whose correction waits for a second person is marked, and cannot be asked about twice (T17, T20)."""

from __future__ import annotations

import pytest

from tests.cast.at_tables import logged_in
from tests.cast.corrected import post, round_1
from tests.cast.correction_asked import SWAPPED, asked_for, page_of
from tests.cast.cut_since import latest
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat, person
from tests.cast.html import data
from tournament.models import Request
from tournament.services.requests import request_decide

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def test_T17_a_hand_whose_correction_waits_is_marked_and_cannot_be_asked_about_twice():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    draw_and_seat(round_.event)
    asked = asked_for(old, outcomes=SWAPPED)
    base = f"/staff/{round_.event.slug}/deals/"
    listed, correct = f"{base}?table=1&round={round_.pk}", f"{base}{asked.body['deal']}/correct/"
    client = logged_in("director")
    page = client.get(listed)
    assert data(page, "code") == ["correction_waits"]
    assert f'href="{page_of(asked)}"' in page.content.decode() and correct not in page.content.decode()
    assert data(logged_in("floor").get(listed), "code") == ["correction_waits"]
    shown = client.get(correct)
    assert "already_asked" in data(shown, "code") and 'value="preview"' not in shown.content.decode()
    posted = {"key": new_key(), "how": "void", "do": "correct", "reason": "again"}
    refused = client.post(correct, posted)
    assert (refused.status_code, data(refused, "code").count("already_asked")) == (409, 1)
    assert Request.objects.filter(kind=asked.kind, event=round_.event).count() == 1
    request_decide(request_id=asked.pk, approve=False, key=new_key(), actor=person("manager"))
    assert correct in client.get(listed).content.decode()
    assert 'value="preview"' in client.get(correct).content.decode()
    assert asked_for(latest(old), void=True).status == "open"
