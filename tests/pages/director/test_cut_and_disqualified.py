"""A cut that is ruled to stand and a disqualification of one of its players name each other (T17, T26)."""

from __future__ import annotations

import pytest

from tests.cast.at_tables import logged_in
from tests.cast.counting import basis_of
from tests.cast.cut_since import stands, swapped
from tests.cast.disqualifying import answer, ask
from tests.cast.factories import new_key
from tests.cast.html import data

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def test_T17_T26_a_disqualification_that_waits_is_told_beside_the_cut_and_the_cut_beside_it():
    round_, _second, two, _three = swapped()
    client, here = logged_in("director"), f"/staff/{round_.event.slug}/"
    rounds = f"{here}rounds/{round_.pk}/"
    seen = basis_of(client.get(f"{rounds}stands/"))
    asked = ask(round_.event, two)
    fields = {"reason": "they played on", "key": new_key(), "basis": seen}
    refused = client.post(f"{rounds}stands/", fields)
    assert (refused.status_code, "stale" in data(refused, "code")) == (409, True)
    round_.refresh_from_db()
    assert not round_.stakes.get("cut_stands")
    response, page = client.get(rounds), f"{here}requests/{asked}/disqualification/"
    assert str(asked) in data(response, "waits")
    assert f'href="{page}"' in response.content.decode()
    assert "cut_stands" not in data(client.get(page), "code")
    stands(round_)
    assert "cut_stands" in data(client.get(page), "code")
    answer(asked, approve=False)
    assert not data(client.get(rounds), "waits")
