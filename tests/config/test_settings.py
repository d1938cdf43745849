"""Settings as another environment would have them: each in a process of its own."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config.secret import local_secret_key
from tests.cast.manage import ROOT, SERVER, manage, told


def test_a_server_passes_check_deploy() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", **SERVER)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("asked", "env", "says"),
    [
        (["check", "--deploy"], {**SERVER, "SECRET_KEY": ""}, "SECRET_KEY"),
        (["check", "--deploy", "--fail-level", "WARNING"], {**SERVER, "HEADS_KEY": ""}, "cutline.W001"),
        (["check"], {"DATABASE_URL": "sqlite:///x.db"}, "PostgreSQL"),
        (["check"], {"DEBUG": "1", "CONN_MAX_AGE": "long"}, "CONN_MAX_AGE"),
    ],
)
def test_a_value_that_cannot_be_is_refused(asked: list[str], env: dict[str, str], says: str) -> None:
    done = manage(*asked, **env)
    assert done.returncode == 1 and says in done.stderr
    assert "Traceback" not in done.stderr


def test_debug_is_off_unless_asked_for() -> None:
    assert told("settings.DEBUG") == "False"
    assert told("settings.DEBUG", DEBUG="1") == "True"


def test_tasks_are_eager_without_a_broker_and_late_acknowledged_with_one() -> None:
    assert told("settings.CELERY_TASK_ALWAYS_EAGER") == "True"
    with_broker = "settings.CELERY_TASK_ALWAYS_EAGER, settings.CELERY_TASK_ACKS_LATE"
    assert told(with_broker, BROKER_URL="redis://localhost/0") == "False True"


def test_a_task_ends_before_it_would_be_handed_out_again() -> None:
    visible = settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    assert visible > settings.CELERY_TASK_TIME_LIMIT


def test_the_sweep_that_the_clock_sends_for_exists() -> None:
    from config.celery import app

    app.loader.import_default_modules()
    assert {row["task"] for row in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)


def test_cookies_are_secure_on_a_server_and_closed_to_scripts_everywhere() -> None:
    assert told("settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE", **SERVER) == "True True"
    assert settings.SESSION_COOKIE_HTTPONLY
    assert settings.CSRF_COOKIE_HTTPONLY


def test_a_secret_key_is_made_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    key = local_secret_key(tmp_path)
    assert len(key) >= 50
    assert local_secret_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / "var" / "secret_key").stat().st_mode) == 0o600


def test_a_secret_key_file_left_empty_is_filled(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "secret_key").touch()
    assert local_secret_key(tmp_path) == local_secret_key(tmp_path) != ""


def test_a_command_that_needs_no_database_starts_none(tmp_path: Path) -> None:
    code = """
import config.settings, config.launch.embedded as e
import django; django.setup()
print(e._Held.users_fd)
"""
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "None", done.stderr
