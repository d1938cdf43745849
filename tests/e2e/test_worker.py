"""The two tasks through a real worker and a real Redis, and what becomes of them without either (faults)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from tests.cast.serving import ROOT, environment
from tournament import tasks
from tournament.models import Draw, Event, JournalHead, Round, StandingsSnapshot

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]

NO_BROKER = "redis://127.0.0.1:1/0"
QUEUE = "celery"

# What a cashier, the floor and a director do, in a process of its own that knows the broker.
DESK = """
import django; django.setup()
import json
from tables.services.draws import draw_cards, draw_confirm, draw_lock
from tables.services.seating import tables_ensure
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
event = EventFactory()
for _ in range(9):
    EntryFactory(event=event)
floor, director = UserFactory(), UserFactory()
tables_ensure(event_id=event.pk, key=new_key(), actor=floor)
draw = draw_lock(event_id=event.pk, key=new_key(), actor=floor)["draw"]
draw_cards(draw_id=draw, cards="KH 4D 7S AC 2D", key=new_key(), actor=floor)
draw_confirm(draw_id=draw, key=new_key(), actor=director)
print(json.dumps({"event": event.pk, "draw": draw}))
"""

AGAIN = """
import sys
import django; django.setup()
from celery import current_app
current_app.tasks["tables.seat_round"].delay(int(sys.argv[1]))
current_app.tasks["tournament.recompute_standings"].delay(int(sys.argv[2]))
"""


def run(script: str, *args: object, broker_url: str) -> str:
    """Run a script in a process of its own; what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, args)],
        cwd=ROOT,
        env=environment(broker_url),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def work_at_the_desk(broker_url: str) -> dict[str, int]:
    """An event with nine entries whose first draw is confirmed: its id and the draw's."""
    made: dict[str, int] = json.loads(run(DESK, broker_url=broker_url))
    return made


@pytest.fixture
def queue(redis_url: str) -> Iterator[Any]:
    """The real Redis, emptied before and after."""
    client = redis.Redis.from_url(redis_url)
    client.flushall()
    yield client
    client.flushall()


@pytest.fixture
def worker(redis_url: str) -> Iterator[Callable[[], None]]:
    """Starts a real worker when called; gone with the test."""
    started: list[subprocess.Popen[bytes]] = []
    command = ["-m", "celery", "-A", "config.celery", "worker", "-c", "1", "-P", "solo", "-l", "warning"]

    def start() -> None:
        started.append(subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment(redis_url)))

    yield start
    for process in started:
        process.terminate()
    for process in started:
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()  # or it would still hold a connection when the database is dropped
            process.wait(10)
            raise


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Until it is so; a minute at most, on a machine that has other work."""
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"not in a minute: {what}")


def standings_are_up_to_date(event_id: int) -> bool:
    head = JournalHead.objects.get(event=event_id).seq
    return StandingsSnapshot.objects.filter(event=event_id, position=head).exists()


def test_seat_round_and_recompute_standings_through_a_real_worker(queue, redis_url, worker):
    made = work_at_the_desk(redis_url)
    # Nobody works yet: what was commanded is saved, and the tasks wait in Redis.
    assert Draw.objects.get(pk=made["draw"]).status == "confirmed"
    assert not StandingsSnapshot.objects.filter(event=made["event"]).exists()
    assert queue.llen(QUEUE) >= 2

    worker()
    wait_for(lambda: Draw.objects.get(pk=made["draw"]).status == "drawn", "the seats are drawn")
    wait_for(lambda: standings_are_up_to_date(made["event"]), "the standings follow")
    snapshot = StandingsSnapshot.objects.get(event=made["event"])
    assert snapshot.body["headline"]["state"] == "seated"
    assert sum(len(each["rows"]) for each in snapshot.body["sections"]) == 9

    # The same tasks delivered once more change nothing (faults).
    head = JournalHead.objects.get(event=made["event"]).seq
    run(AGAIN, made["draw"], made["event"], broker_url=redis_url)
    wait_for(lambda: queue.llen(QUEUE) == 0 and queue.hlen("unacked") == 0, "the queue is empty")
    assert Round.objects.filter(event=made["event"]).count() == 1
    assert JournalHead.objects.get(event=made["event"]).seq == head
    assert StandingsSnapshot.objects.get(event=made["event"]).at == snapshot.at


def test_faults_with_the_broker_away_play_goes_on_and_the_sweep_makes_up_for_it(queue):
    made = work_at_the_desk(NO_BROKER)
    event = Event.objects.get(pk=made["event"])
    assert event.entries.count() == 9
    assert Draw.objects.get(pk=made["draw"]).status == "confirmed"
    assert not StandingsSnapshot.objects.filter(event=event).exists()
    tasks.sweep()
    assert Draw.objects.get(pk=made["draw"]).status == "drawn"
    tasks.sweep()
    assert standings_are_up_to_date(event.pk)
