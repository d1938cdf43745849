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
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small .venv as the set-up leaves it."""
    monkeypatch.setattr(bootstrap, "ROOT", str(tmp_path))
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(bootstrap, "VAR", str(tmp_path / "var"))
    monkeypatch.setattr(bootstrap, "LOG", str(tmp_path / "var" / "setup.log"))
    monkeypatch.setattr(bootstrap, "MAKING", str(tmp_path / "var" / "setup.unfinished"))
    monkeypatch.setattr(bootstrap, "VENV_PYTHON", str(tmp_path / ".venv" / "bin" / "python"))
    (tmp_path / "var").mkdir()
    packages = tmp_path / ".venv" / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
    for folder in ("pip", "django", "django-5.2.dist-info"):
        (packages / folder).mkdir(parents=True)
    (packages / "django" / "__init__.py").touch()
    (packages / "django-5.2.dist-info" / "RECORD").write_text("django/__init__.py,sha256=x,1\n")
    (tmp_path / ".venv" / "bin").mkdir()
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for name in ("requirements.txt", "requirements-dev.txt"):
        (tmp_path / name).write_text("django==5.2\n")
        Path(bootstrap.stamp_path(name)).write_text(bootstrap.stamp(name))
    return packages


def test_a_whole_venv_is_left_alone(venv: Path) -> None:
    assert bootstrap.is_ready("run")
    assert bootstrap.is_ready("dev")


def test_changed_requirements_are_installed_into_it(venv: Path, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("django==5.3\n")
    assert bootstrap.is_whole()
    assert not bootstrap.is_ready("run")


@pytest.mark.parametrize("fault", ["killed", "no python", "torn out", "another place"])
def test_a_half_made_venv_or_one_of_another_place_is_begun_anew(venv: Path, fault: str) -> None:
    assert bootstrap.is_whole()
    if fault == "killed":
        Path(bootstrap.MAKING).touch()
    elif fault == "no python":
        Path(bootstrap.VENV_PYTHON).unlink()
    elif fault == "torn out":
        shutil.rmtree(venv / "django")
    else:
        stamp = Path(bootstrap.stamp_path("requirements.txt"))
        stamp.write_text(stamp.read_text().replace(bootstrap.VENV, "/somewhere/else/.venv"))
    assert not bootstrap.is_whole()


def test_an_old_python_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"3\.11 or newer.*make PYTHON="):
        bootstrap.find_python()


def test_an_old_python_hands_over_to_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    went: list[str] = []
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(shutil, "which", lambda name: "/opt/python3.12" if name == "python3.12" else None)
    monkeypatch.setattr(os, "execv", lambda path, arguments: (went.append(path), sys.exit(0)))
    monkeypatch.setattr(bootstrap, "runs", lambda python: True)
    with pytest.raises(SystemExit):
        bootstrap.find_python()
    assert went == ["/opt/python3.12"]


NO_ROOM, HASHES = "[Errno 28] No space", "DO NOT MATCH THE HASHES"
NO_BUILD = "No matching distribution"


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        (bootstrap.why_no_venv("ensurepip"), "apt install"),
        (bootstrap.why_no_venv(NO_ROOM), "disk"),
        (bootstrap.why_no_pip(NO_ROOM), "disk"),
        (bootstrap.why_no_pip(NO_BUILD), "build"),
        (bootstrap.why_no_pip(HASHES), "pinned"),
        (bootstrap.why_no_pip("name resolution"), "network"),
        (bootstrap.disk_sentence(OSError(28, "no", "/x")), "disk"),
        (bootstrap.disk_sentence(OSError(30, "no", "/x")), "/x cannot"),
        (bootstrap.disk_sentence(OSError(13, "no", "/x")), "/x cannot"),
    ],
)
def test_a_failed_step_ends_with_a_sentence(sentence: str, says: str) -> None:
    assert says in sentence


def serve(**env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "config.launch.serve"],
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )


def refused(says: str, **env: str) -> None:
    done = serve(**env)
    assert done.returncode == 1 and says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_taken_port_and_an_impossible_address_are_refused() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        refused("is taken", PORT=str(other.getsockname()[1]))
    refused("PORT", PORT="eighty")
    refused("PORT", PORT="70000")
    refused("HOST", HOST="192.0.2.1", PORT="8000")


@pytest.mark.parametrize("rest", [[], ["-x"], ["-q", "--durations=20"], ["-x", "--maxfail=3", "--tb=short"]])
def test_all_tests_run_side_by_side(monkeypatch: pytest.MonkeyPatch, rest: list[str]) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert bootstrap.side_by_side(rest) == ["-n", "2", "--dist", "worksteal"]
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert bootstrap.side_by_side(rest)[1] == "4"
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert bootstrap.side_by_side(rest) == []


@pytest.mark.parametrize(
    "rest",
    [["tests/config"], ["-x", "-k", "cut"], ["-kcut"], ["-m", "long"], ["--lf"], ["--pdb"], ["-n", "0"]],
)
def test_what_chooses_among_the_tests_or_looks_on_runs_in_one_process(rest: list[str]) -> None:
    assert bootstrap.side_by_side(rest) == []
