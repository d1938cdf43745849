"""A cut that is ruled to stand and a disqualification of one of its players name each other (T17, T26)."""

from __future__ import annotations

import re

import pytest

from pages.naming import entries_named
from tests.cast.at_tables import logged_in, text
from tests.cast.cut_since import stands, swapped
from tests.cast.disqualifying import answer, ask
from tests.cast.factories import new_key

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def test_T17_T26_the_ruling_made_before_it_was_asked_is_refused_with_what_has_happened():
    round_, _second, two, _three = swapped()
    client, event = logged_in("director"), round_.event
    path = f"/staff/{event.slug}/rounds/{round_.pk}/stands/"
    basis = re.search(r'name="basis" value="([^"]+)"', client.get(path).content.decode())
    assert basis
    asked = ask(event, two)
    fields = {"reason": "they played on", "key": new_key(), "basis": basis[1]}
    refused = client.post(path, fields)
    assert refused.status_code == 409
    assert f"Disqualify {two}" in text(refused)
    round_.refresh_from_db()
    assert not round_.stakes.get("cut_stands")
    answer(asked, approve=False)


def test_T17_T26_the_panel_says_that_it_waits_and_its_page_that_the_cut_stands():
    round_, _second, two, _three = swapped()
    client, event = logged_in("director"), round_.event
    asked = ask(event, two)
    response = client.get(f"/staff/{event.slug}/rounds/{round_.pk}/")
    page = f"/staff/{event.slug}/requests/{asked}/disqualification/"
    assert f"Disqualify {two}" in text(response)
    assert "this waits for a second person" in text(response)
    assert f'href="{page}"' in response.content.decode()
    assert "ruled at" not in text(client.get(page))
    stands(round_)
    told = text(client.get(page))
    named = entries_named(event, [two])[two]
    assert f"that the cut of Round 1 stands, which is about {named} too" in told
    assert "They have played on for an hour" in told
    answer(asked, approve=False)
    assert "this waits" not in text(client.get(f"/staff/{event.slug}/rounds/{round_.pk}/"))
