"""`make run` in a checkout of its own: it starts, is killed, starts again and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from config.launch.embedded import keeper_alive
from config.launch.embedded.places import find_places
from tests.cast.serving import free_port

ROOT = Path(__file__).resolve().parents[3]
PARTS = ["config", "pages", "plan", "tables", "tournament", "games", "ground"]
PARTS += ["templates", "static", "manage.py"]
OURS = ("DATABASE_URL", "BROKER_URL", "SECRET_KEY", "HTTPS", "DEBUG", "HOST")


@pytest.fixture
def checkout(tmp_path):
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    yield tmp_path
    places = find_places(tmp_path)
    end = time.monotonic() + 60
    while keeper_alive(places) and time.monotonic() < end:
        time.sleep(0.1)
    shutil.rmtree(places.home)
    shutil.rmtree(places.socket_dir, ignore_errors=True)


def start(checkout, port):
    """Start it as `make run` does, and read what it says until it is ready."""
    env = {key: value for key, value in os.environ.items() if key not in OURS}
    program = subprocess.Popen(
        [sys.executable, "-m", "config.launch.serve"],
        cwd=checkout,
        env={**env, "PORT": str(port), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    said = []
    while not said or not said[-1].startswith("Cutline is ready at"):
        line = program.stdout.readline()
        assert line, f"it ended: {said}"
        said.append(line.strip())
    return program, said


def status(port, path):
    with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=60) as answer:
        return int(answer.status)


def command_lines(of):
    shown = subprocess.run(["ps", "-A", "-ww", "-o", "command="], capture_output=True, text=True)
    return [line for line in shown.stdout.splitlines() if str(of) in line]


@pytest.mark.soak
def test_make_run_survives_kill_9_and_leaves_nothing_behind(checkout):
    port = free_port()
    program, said = start(checkout, port)
    assert said[-1].endswith(f" http://localhost:{port}")
    assert status(port, "/") == status(port, "/readyz") == 200

    os.killpg(program.pid, signal.SIGKILL)
    program.wait()
    port = free_port()
    program, again = start(checkout, port)
    assert status(port, "/readyz") == 200
    assert not [line for line in again if line.startswith("login ")], "passwords are shown once"

    os.killpg(program.pid, signal.SIGTERM)
    program.wait(60)
    assert not keeper_alive(find_places(checkout))
    assert not command_lines(find_places(checkout).home)
