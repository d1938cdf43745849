"""Tonight at its boundaries: one table, four, five; nobody, one, two who wait; the shares of a shoe."""

from __future__ import annotations

import pytest

from pages.director.reads.cut_panel import (
    AROUND_THE_CUT,
    TOP_SHOWN,
    cut_panel,
)
from pages.director.reads.floor_facts import FloorFacts, table_lines
from pages.director.reads.tonight import (
    event_of_tonight,
    whats_next,
)
from tables.services.counts import count_enter
from tests.cast import floor as cast
from tests.cast.factories import UserFactory, new_key
from tests.cast.playing import close, event_with, ladder, round_seat, win
from tournament.models import Event, Request
from tournament.services.entries import entry_disqualify_request

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("requests", "words"), [(0, ""), (1, "1 request waits"), (2, "2 requests wait")])
def test_every_request_that_waits_for_a_second_person_is_counted(requests, words):
    event = event_with(4)
    # Before a draw and at a close a disqualification stands at the top: what is next waits for it (T26).
    round_seat(event)
    for entry in event.entries.order_by("number")[:requests]:
        asked = {"reason": "marked cards", "key": new_key(), "actor": UserFactory(roles=["director"])}
        entry_disqualify_request(entry_id=entry.pk, **asked)
    titles = [step.title for step in whats_next(event, FloorFacts()) if "second person" in step.title]
    assert [title.split(" for ")[0] for title in titles] == ([words] if words else [])
    Request.objects.update(status=Request.Status.REFUSED)
    assert not [step for step in whats_next(event, FloorFacts()) if "second person" in step.title]


@pytest.mark.parametrize(
    ("statuses", "which"),
    [
        ((Event.Status.OPEN, Event.Status.RUNNING), 1),
        ((Event.Status.RUNNING, Event.Status.OPEN), 0),
        ((Event.Status.RUNNING, Event.Status.FINISHED), 0),
        ((Event.Status.OPEN, Event.Status.FINISHED), 1),
        ((Event.Status.OPEN, Event.Status.OPEN), 1),
        ((Event.Status.PAID, Event.Status.OPEN), 1),
        ((Event.Status.PAID, Event.Status.CALLED_OFF), None),
    ],
)
def test_the_event_of_tonight_is_the_one_that_most_people_work_at(statuses, which):
    events = [event_with(0) for _ in statuses]
    for event, status in zip(events, statuses, strict=True):
        Event.objects.filter(pk=event.pk).update(status=status)
    assert event_of_tonight() == (events[which] if which is not None else None)


def test_the_event_of_tonight_is_a_real_one_before_a_rehearsal_in_play():
    real, rehearsal = event_with(0), event_with(0, kind=Event.Kind.REHEARSAL)
    Event.objects.filter(pk=rehearsal.pk).update(status=Event.Status.RUNNING)
    assert event_of_tonight() == real


@pytest.mark.parametrize("cut", [3, 4, 5, 8])
def test_T20_the_panel_shows_four_on_each_side_of_the_cut(cut):
    event = event_with(12, cut_after_round_1=cut, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, **ladder(round_))
    shown = cut_panel(event, round_).rows
    codes = sorted(round_.stacks.values_list("entry__code", flat=True))
    assert [row.code for row in shown] == codes[max(0, cut - AROUND_THE_CUT) : cut + AROUND_THE_CUT]
    assert [row.code for row in shown if row.line] == [codes[cut]]


@pytest.mark.parametrize("entrants", [TOP_SHOWN - 1, TOP_SHOWN, TOP_SHOWN + 1])
def test_T24_where_nobody_is_cut_the_panel_shows_the_top_nine(entrants):
    event = event_with(entrants, cut_after_round_1=entrants, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, **ladder(round_))
    panel = cut_panel(event, round_)
    assert len(panel.rows) == min(entrants, TOP_SHOWN)
    assert not any(row.line for row in panel.rows)


def test_T18_a_table_line_says_what_its_shoe_is_at():
    """Seated, playing, one count, two that differ, counted: the word, the hands, the share of the shoe."""
    round_ = cast.seated(3)
    shoe = cast.shoe_of(round_)

    def line():
        (found,), facts = table_lines(round_)
        return (found.word, found.hands, found.percent), facts

    assert line()[0] == ("Seated", 0, 0)
    cast.hand(shoe, {1: 200}, b1="win")
    said, facts = line()
    assert said[:2] == ("Playing", 1) and 0 <= said[2] < 100
    assert (facts.playing, facts.to_count, facts.differ) == ((1,), (), ())
    cast.shoe_over(shoe)
    said, facts = line()
    assert said == ("Count due", 1, 100) and (facts.playing, facts.to_count) == ((), (1,))
    cast.count_both(shoe)
    assert line()[0] == ("Counted", 1, 100)


@pytest.mark.parametrize("chips", [-100, 100])
def test_T18_counts_that_differ_are_told_in_chips_however_they_differ(chips):
    round_ = cast.seated(3)
    shoe = cast.shoe_of(round_)
    cast.hand(shoe, {1: 200}, b1="win")
    cast.shoe_over(shoe)
    right = {box: cast.chips_at(round_, box) for box in (1, 2, 3)}
    for counted in (right, {**right, 1: right[1] + chips}):
        count_enter(shoe_id=shoe.pk, chips=counted, key=new_key(), actor=UserFactory())
    (line,), facts = table_lines(round_)
    assert (line.word, line.tone) == ("Counts differ", "bad")
    assert [(d.table, d.box, d.chips, d.with_ledger) for d in facts.differ] == [(1, 1, 100, False)]
    assert facts.to_count == ()


@pytest.mark.parametrize(("number", "asked"), [(1, False), (2, True), (3, True)])
def test_T31_from_round_2_on_the_payouts_are_the_next_thing_where_none_are_posted(number, asked):
    event = event_with(5)
    for _ in range(number - 1):
        round_ = round_seat(event)
        win(round_, **ladder(round_))
        close(round_)
        event.refresh_from_db()
    round_seat(event)
    # The rounds are seated without tables: no draw has carried itself out.
    event.draws.exclude(status="planned").update(status="drawn")
    event.refresh_from_db()
    assert ("payouts/" in [step.tail for step in whats_next(event, FloorFacts())]) is asked
