"""What the pages say of the seat of a qualifier who is disqualified, and of who is replaced (T25, T26)."""

from __future__ import annotations

import pytest

from pages.director.reads.closing import closing
from tables.selectors.basis import draw_basis
from tests.cast.at_tables import logged_in, text
from tests.cast.empty_seat import codes, entry_at, fill, gone_and_filled, three_of_five
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat
from tests.cast.html import data
from tests.cast.leaving import disqualify

pytestmark = pytest.mark.django_db


def test_T25_T26_a_lock_from_before_the_seat_was_given_is_stale():
    round_, _deal = three_of_five()
    gone = entry_at(round_, 1)
    disqualify(round_, gone.code)
    client, basis = logged_in("director"), str(draw_basis(round_.event_id))
    fill(gone)
    answer = client.post(f"/staff/{round_.event.slug}/draw/lock/", {"key": new_key(), "basis": basis})
    assert (answer.status_code, len(data(answer, "entry"))) == (409, 3)


def test_T26_given_after_the_draw_the_round_counts_who_plays():
    round_, _deal = three_of_five()
    second = draw_and_seat(round_.event)
    gone = gone_and_filled(round_)
    assert closing(second).ranked == 3
    entry = text(logged_in("director").get(f"/staff/{round_.event.slug}/entries/{gone.code}/"))
    assert "Round 2 5,400 0 – disqualified" in entry
    assert sorted(s.entry.code for s in second.seats.filter(vacated_at=None)) == codes(round_, 2, 3, 4)
