"""What the public may see of the standings: live, delayed or hidden, and never back and forth."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.cast.factories import EntryFactory, EventFactory
from tests.cast.floor import refusal
from tests.cast.publication import publish
from tournament.models import Event, StandingsKept, StandingsPublication, StandingsSnapshot
from tournament.selectors.publication import Delayed, Hidden, Live, Mode, standings_at, standings_shown
from tournament.services.standings import standings_outdate, standings_recompute

START = datetime(2026, 11, 25, 20, tzinfo=UTC)
MINUTES = 10


def set_to(mode: str, **figures: Any) -> Event:
    event = Event(status=Event.Status.RUNNING)
    event.publication = StandingsPublication(mode=mode, **figures)
    return event


@pytest.mark.parametrize(
    ("seconds_on", "shown_on", "behind"),
    [(0, 0, 1), (61, 0, 2), (599, 0, MINUTES), (600, 0, MINUTES), (601, 1, MINUTES)],
)
def test_a_delay_stands_still_until_it_has_caught_up(seconds_on: int, shown_on: int, behind: int):
    event = set_to(Mode.DELAYED, minutes=MINUTES, public_until=START)
    now, shown = (START + timedelta(seconds=seconds) for seconds in (seconds_on, shown_on))
    assert standings_shown(event, now) == Delayed(shown, MINUTES, behind)
    hidden = set_to(Mode.HIDDEN, public_until=START)
    assert standings_shown(hidden, now) == Hidden()
    hidden.status = Event.Status.CALLED_OFF
    assert standings_shown(hidden, now) == standings_shown(set_to(Mode.LIVE), now) == Live()


def made_anew(event: Event) -> None:
    """Have the standings made anew, as another command would."""
    StandingsSnapshot.objects.filter(event=event).update(position=0)
    standings_recompute(event_id=event.pk)


@pytest.fixture
def event(db: None) -> Event:
    """An event whose desk is open, with its standings."""
    made = EventFactory()
    standings_recompute(event_id=made.pk)
    return made


def test_no_change_of_the_director_goes_back_or_shows_what_is_newer(event: Event) -> None:
    """From live to ten minutes, to hidden and to twenty minutes: the public stays where it was."""
    publish(event, "delayed", MINUTES)
    first = StandingsPublication.objects.get(event=event).public_until
    assert first >= StandingsSnapshot.objects.get(event=event).at
    for mode, minutes in (("hidden", None), ("delayed", 20), ("delayed", 1)):
        publish(event, mode, minutes)
        assert StandingsPublication.objects.get(event=event).public_until == first
    # Ten minutes later, had the delay been one minute: what was public then stays public for a longer delay.
    StandingsPublication.objects.update(public_until=first - timedelta(minutes=MINUTES))
    publish(event, "delayed", 30)
    again = StandingsPublication.objects.get(event=event).public_until
    assert first - timedelta(minutes=1) <= again <= first + timedelta(minutes=5)
    publish(event, "live")
    assert StandingsPublication.objects.get(event=event).public_until is None


def test_standings_are_kept_while_they_are_not_live_and_only_once_each(event: Event) -> None:
    kept = StandingsKept.objects.filter(event=event)
    assert not kept.exists()
    publish(event, "hidden")
    body = StandingsSnapshot.objects.get(event=event).body
    made_anew(event)
    assert [each.body for each in kept.all()] == [body]
    EntryFactory(event=event)
    made_anew(event)
    assert [each.body == body for each in kept.all()] == [True, False]
    publish(event, "live")
    assert not kept.all().exists()
    # Nor is a name kept that was corrected.
    publish(event, "delayed", MINUTES)
    made_anew(event)
    standings_outdate(event_ids=[event.pk], mark="corrected")
    assert not kept.all().exists()


def test_what_is_older_than_the_longest_delay_is_dropped_but_the_one_that_it_shows(event: Event) -> None:
    publish(event, "delayed", 60)
    now = StandingsSnapshot.objects.get(event=event).at
    kept = StandingsKept.objects.filter(event=event)
    kept.delete()
    for name, minutes in (("dropped", 61), ("shown", 60), ("later", 59)):
        kept.create(event=event, at=now - timedelta(minutes=minutes), etag=name, body={})
    made_anew(event)
    assert [each.etag for each in kept][:2] == ["shown", "later"] and kept.count() == 3
    for minutes, found in ((60, "shown"), (59.5, "shown"), (59, "later")):
        moment = standings_at(event, now - timedelta(minutes=minutes))
        assert moment is not None and moment.etag == found
    assert standings_at(event, now - timedelta(minutes=61)) is None


@pytest.mark.parametrize(("at", "shown"), [(1, Delayed), (0, Live), (-1, Live)])
def test_after_the_end_the_delay_lasts_until_the_last_change_is_public(event: Event, at: int, shown: type):
    publish(event, "delayed", MINUTES)
    StandingsPublication.objects.update(public_until=START)
    StandingsKept.objects.update(at=START + timedelta(seconds=at))
    event = Event.objects.get(pk=event.pk)
    now = START + timedelta(minutes=MINUTES)
    assert isinstance(standings_shown(event, now), Delayed)
    event.status = Event.Status.FINISHED
    assert isinstance(standings_shown(event, now), shown)


def test_what_cannot_be_published_is_refused(event: Event) -> None:
    for minutes in (None, 0, 61):
        with refusal("minutes_out_of_range"):
            publish(event, "delayed", minutes)
    assert [publish(event, "delayed", minutes)["minutes"] for minutes in (1, 60)] == [1, 60]
    with refusal("publication_unknown"):
        publish(event, "secret")
    with refusal("not_public", 409):
        publish(EventFactory(opened=False), "hidden")
    Event.objects.filter(pk=event.pk).update(status=Event.Status.PAID)
    with refusal("event_over", 409):
        publish(event, "hidden")
    assert publish(event, "live")["mode"] == "live"
