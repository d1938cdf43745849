"""Tasks: thin, safe twice, made up for by the sweep (faults)."""

from __future__ import annotations

import pytest

from tests.cast.factories import as_command
from tests.cast.playing import event_with
from tournament import tasks
from tournament.models import JournalHead, StandingsSnapshot
from tournament.services import commits

pytestmark = pytest.mark.django_db


def position(event):
    return StandingsSnapshot.objects.values_list("position", flat=True).get(event=event)


def head(event):
    return JournalHead.objects.get(event=event).seq


def test_sweep_makes_up_for_lost_tasks(settings):
    event, other = event_with(2), event_with(3)
    tasks.sweep()
    as_command(event, lambda cmd: None)
    assert position(event) < head(event)
    tasks.sweep()
    assert (position(event), position(other)) == (head(event), head(other))
    beat = settings.CELERY_BEAT_SCHEDULE.values()
    assert [(each["task"], each["schedule"] <= 15) for each in beat] == [(tasks.sweep.name, True)]
    assert tasks.sweep.acks_late and tasks.recompute_standings.acks_late


def test_a_command_with_standings_enqueues_after_the_commit(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        event = event_with(2)
        assert not StandingsSnapshot.objects.filter(event=event).exists()
    assert position(event) == head(event)


def test_an_event_that_fails_does_not_hold_up_the_others(monkeypatch, caplog):
    broken, event = event_with(1), event_with(2)
    real = tasks.standings_recompute

    def fails_for_one(*, event_id):
        if event_id == broken.pk:
            raise RuntimeError("broken")
        return real(event_id=event_id)

    monkeypatch.setattr(tasks, "standings_recompute", fails_for_one)
    tasks.sweep()
    assert position(event) == head(event)
    assert "tries again" in caplog.text


STANDINGS = "tournament.recompute_standings"


def test_what_is_asked_for_many_times_in_a_row_goes_out_once_when_it_is_over_be_it_by_an_error(
    django_capture_on_commit_callbacks, monkeypatch
):
    sent = []
    monkeypatch.setattr(commits, "_send", lambda task, *args: sent.append((task, *args)))

    def night():
        with commits.once(STANDINGS):
            for event_id in (1, 1, 2, 1):
                commits.after_commit(STANDINGS, event_id)
            with commits.once(STANDINGS):
                commits.after_commit(STANDINGS, 2)
            commits.after_commit("tables.seat_round", 7)
            raise RuntimeError("the night ends here")

    with django_capture_on_commit_callbacks(execute=True):
        with pytest.raises(RuntimeError):
            night()
        commits.after_commit(STANDINGS, 3)
    assert sent == [("tables.seat_round", 7), (STANDINGS, 1), (STANDINGS, 2), (STANDINGS, 3)]


def test_a_process_that_serves_pages_lets_nobody_wait_for_the_standings(monkeypatch):
    """Without a broker its own thread makes them; the seats of a draw are still made at once."""
    taken, at_once = [], []
    monkeypatch.setattr(commits._messenger, "take", taken.append)
    for name in (STANDINGS, "tables.seat_round"):
        task = commits.current_app.tasks[name]
        monkeypatch.setattr(task, "apply_async", lambda args, name=name: at_once.append((name, args)))
    commits._send(STANDINGS, 1)
    monkeypatch.setattr(commits._Serving, "pages", True)
    commits._send(STANDINGS, 1)
    commits._send("tables.seat_round", 7)
    assert (at_once, taken) == ([(STANDINGS, (1,)), ("tables.seat_round", (7,))], [(STANDINGS, (1,))])
