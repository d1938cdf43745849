"""The clock on the public pages: in the page, in the fragment that phones poll, and in its tag."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.cast.clock import change, data, ends, start
from tests.cast.factories import EventFactory
from tests.cast.pages import address
from tournament.models import Event, EventClock
from tournament.selectors.desk import database_now
from tournament.services.clocks import Until, clock_pause, clock_resume, clock_set, clock_stop
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db
SERVER_NOW = "Cutline-Now"


@pytest.fixture
def event() -> Event:
    made = EventFactory()
    standings_recompute(event_id=made.pk)
    return made


def poll(client, event: Event, tag: str = ""):
    return client.get(address("standings", event), headers={"If-None-Match": tag} if tag else {})


@pytest.mark.parametrize("kind", ["round", "start", "break", "late"])
def test_page_and_fragment_show_kind_state_and_seconds(client, event, kind):
    start(event, 600, kind, label="<b>Dinner</b>")
    ends(event, timedelta(seconds=754))
    pages = [client.get(address(name, event)).content.decode() for name in ("leaderboard", "standings")]
    for page in pages:
        found = data(page)
        assert (found["clock-kind"], found["state"], found["seconds-left"]) == (kind, "running", "754")
        assert int(found["clock-ends"]) - int(found["clock-now"]) == 754_000
        assert "&lt;b&gt;Dinner" in page and "<b>Dinner" not in page
    tag = html.unescape(re.search(r'data-etag="([^"]*)"', pages[0])[1])
    assert poll(client, event, tag).status_code == 304
    change(clock_pause, event)
    found = data(poll(client, event).content.decode())
    left = str(EventClock.objects.get().left_seconds)  # the pause is later than this test's transaction
    assert (found["state"], found["seconds-left"]) == ("paused", left) and "clock-ends" not in found


def test_each_change_has_another_tag_and_a_running_clock_has_one_until_its_time_is_up(client, event):
    """It follows at the next poll without a new snapshot, also while the broker is away."""
    tags = [poll(client, event)["ETag"]]
    sixty = {"until": Until(seconds=60)}
    for act, given in ((None, {}), (clock_pause, {}), (clock_set, sixty), (clock_resume, {}), (None, {})):
        if act:
            change(act, event, **given)
        elif len(tags) == 1:
            start(event)
        else:
            ends(event, timedelta(0))
        answer = poll(client, event, tags[-1])
        assert answer.status_code == 200
        tags.append(answer["ETag"])
        if len(tags) == 5:
            ends(event, timedelta(microseconds=1))
        again = poll(client, event, tags[-1])
        now = database_now().timestamp() * 1000
        assert again.status_code == 304
        assert all(abs(int(each[SERVER_NOW]) - now) <= 1 for each in (answer, again))
    assert len(set(tags)) == len(tags)
    ends(event, timedelta(hours=-3))
    assert poll(client, event, tags[-1]).status_code == 304
    change(clock_stop, event)
    assert poll(client, event)["ETag"] == tags[0]


def test_T6_the_end_is_said_by_the_zone_of_the_event(client, event):
    Event.objects.filter(pk=event.pk).update(
        starts_at=datetime(2026, 11, 20, tzinfo=UTC), starts_zone="Asia/Tokyo"
    )
    start(event)
    end = database_now() + timedelta(minutes=10)
    EventClock.objects.update(ends_at=end)
    page = client.get(address("leaderboard", event)).content.decode()
    said = re.search(r'<p class="clock-end">([^<]*)</p>', page)[1]
    assert f"{end + timedelta(hours=9):%H:%M}" in said


def test_a_page_with_a_clock_takes_at_most_four_queries(client, event, django_assert_max_num_queries):
    start(event)
    tag = poll(client, event)["ETag"]
    with django_assert_max_num_queries(4):
        client.get(address("leaderboard", event))
    with django_assert_max_num_queries(2):
        assert poll(client, event, tag).status_code == 304
