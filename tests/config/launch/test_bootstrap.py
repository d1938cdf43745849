"""The set-up: what it believes of a .venv, and the sentence for everything that can go wrong."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from config.launch import bootstrap

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def venv(tmp_path, monkeypatch):
    """A small .venv as the set-up leaves it."""
    places = {"ROOT": "", "VENV": ".venv", "VAR": "var", "LOG": "var/setup.log"}
    places |= {"MAKING": "var/setup.unfinished", "VENV_PYTHON": ".venv/bin/python"}
    for name, place in places.items():
        monkeypatch.setattr(bootstrap, name, str(tmp_path / place))
    packages = tmp_path / ".venv" / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
    for folder in ("pip", "django", "django-5.2.dist-info", "../../../bin", "../../../../var"):
        (packages / folder).mkdir(parents=True)
    (packages / "django" / "__init__.py").touch()
    (packages / "django-5.2.dist-info" / "RECORD").write_text("django/__init__.py,sha256=x,1\n")
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for name in ("requirements.txt", "requirements-dev.txt"):
        (tmp_path / name).write_text("django==5.2\n")
        Path(bootstrap.stamp_path(name)).write_text(bootstrap.stamp(name))
    return packages


@pytest.mark.parametrize("fault", ["changed", "killed", "no python", "torn out", "another place"])
def test_a_whole_venv_is_left_alone_and_a_half_made_one_or_one_of_another_place_is_begun_anew(
    venv, tmp_path, fault
):
    assert bootstrap.is_whole() and bootstrap.is_ready("run") and bootstrap.is_ready("dev")
    if fault == "changed":
        (tmp_path / "requirements.txt").write_text("django==5.3\n")
    elif fault == "killed":
        Path(bootstrap.MAKING).touch()
    elif fault == "no python":
        Path(bootstrap.VENV_PYTHON).unlink()
    elif fault == "torn out":
        shutil.rmtree(venv / "django")
    else:
        stamp = Path(bootstrap.stamp_path("requirements.txt"))
        stamp.write_text(stamp.read_text().replace(bootstrap.VENV, "/somewhere/else/.venv"))
    # What has changed is installed into it.
    assert not bootstrap.is_ready("run")
    assert bootstrap.is_whole() == (fault == "changed")


@pytest.mark.parametrize("newer", [None, "/opt/python3.12"])
def test_an_old_python_hands_over_to_a_newer_one_or_says_what_to_do(monkeypatch, newer):
    went = []
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(shutil, "which", lambda name: newer if name == "python3.12" else None)
    monkeypatch.setattr(os, "execv", lambda path, arguments: (went.append(path), sys.exit(0)))
    monkeypatch.setattr(bootstrap, "runs", lambda python: True)
    with pytest.raises(SystemExit) as ended:
        bootstrap.find_python()
    assert went == ([newer] if newer else [])
    assert newer or "make PYTHON=" in str(ended.value)


def test_a_taken_port_and_an_impossible_address_are_refused():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = {"PORT": str(other.getsockname()[1])}
        for says, env in (("is taken", taken), ("PORT", {"PORT": "70000"}), ("HOST", {"HOST": "192.0.2.1"})):
            done = subprocess.run(
                [sys.executable, "-m", "config.launch.serve"],
                cwd=ROOT,
                env={**os.environ, "PORT": "8000", **env},
                capture_output=True,
                text=True,
                timeout=60,
            )
            assert done.returncode == 1 and says in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("cores", "rest", "processes"),
    [(2, "-x --tb=short", "2"), (64, "", "4"), (1, "", None), (2, "tests/config", None), (2, "-k cut", None)],
)
def test_all_tests_run_side_by_side_and_chosen_ones_in_one_process(monkeypatch, cores, rest, processes):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    expected = ["-n", processes, "--dist", "worksteal"] if processes else []
    assert bootstrap.side_by_side(rest.split()) == expected
