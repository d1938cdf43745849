"""Settings as another environment would have them: each in a process of its own."""

import os
import stat
import subprocess
import sys

import pytest
from django.conf import settings

from config.secret import local_secret_key
from tests.cast.manage import ROOT, SERVER, manage, told


def test_a_server_passes_check_deploy():
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
def test_a_value_that_cannot_be_is_refused(asked, env, says):
    done = manage(*asked, **env)
    assert done.returncode == 1 and says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, "False True False"),
        ({"DEBUG": "1", "BROKER_URL": "redis://localhost/0"}, "True False False"),
        ({**SERVER, "SECURE_HSTS_PRELOAD": "1"}, "False True True"),
    ],
)
def test_debug_broker_and_browsers_list_are_off_unless_asked_for(env, expected):
    names = ("DEBUG", "CELERY_TASK_ALWAYS_EAGER", "SECURE_HSTS_PRELOAD")
    assert told(", ".join(f"settings.{name}" for name in names), **env) == expected


def test_the_sweep_that_the_clock_sends_for_exists_and_ends_before_it_would_be_handed_out_again():
    from config.celery import app

    app.loader.import_default_modules()
    assert {row["task"] for row in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)
    visible = settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    assert visible > settings.CELERY_TASK_TIME_LIMIT


def test_a_secret_key_is_made_once_and_read_by_its_owner_alone(tmp_path):
    (tmp_path / "var").mkdir()
    file = tmp_path / "var" / "secret_key"
    file.touch()  # a file that was left empty is filled
    key = local_secret_key(tmp_path)
    assert len(key) >= 50 and local_secret_key(tmp_path) == key
    file.unlink()
    assert local_secret_key(tmp_path) != key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_command_that_needs_no_database_starts_none():
    code = "import config.launch.embedded as e, django; django.setup(); print(e._Held.users_fd)"
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "None", done.stderr
