"""The walk of every word, where the seat of a disqualified qualifier is empty and where it is given."""

from __future__ import annotations

import pytest

from tables.services import seating
from tests.cast.factories import new_key
from tests.cast.floor import close, draw_and_seat, event_make
from tests.cast.leaving import disqualify
from tests.pages.every_word import Reader
from tests.pages.test_every_word import NAMES, by_entry, count, named, played, prizes_post
from tournament.models import Event
from tournament.selectors.replaced import last_closed_round, next_ranked

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def given(event: Event, code: str) -> None:
    """The seat of who was disqualified goes to the next-ranked, by number where several are level."""
    entry = event.entries.get(code=code)
    first = next_ranked(last_closed_round(event))[0]
    seating.entry_replace(
        entry_id=entry.pk, reason="a full table", replacement_id=first.pk, key=new_key(), actor=None
    )


def test_T25_T26_every_word_of_a_seat_that_is_empty_and_is_given_is_so():
    """Seven play, four go on: two are disqualified between the rounds and the seat of one is given; of those
    who are drawn one is disqualified before the first bet, whose seat is given as well."""
    event = event_make(0, cut_after_round_1=4, cut_after_round_2=2)
    named(event, NAMES[:7])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader = Reader(event)
    round_ = draw_and_seat(event)
    codes = sorted(by_entry(round_))
    played(round_, {code: (200 * (5 - i), "win") for i, code in enumerate(codes[:5])})
    count(round_, reader)
    close(round_)
    prizes_post(event, 500_00, 200_00)
    for code in codes[:2]:
        disqualify(round_, code)
        reader.hold()
    given(event, codes[0])
    reader.hold()
    draw_and_seat(event)
    reader.hold()
    disqualify(round_, codes[2])
    reader.hold()
    given(event, codes[2])
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)
