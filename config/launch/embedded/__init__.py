"""PostgreSQL without a database server to install.

``ensure()`` is the only interface: it makes sure that the embedded server of this checkout runs and
returns how to reach it. The first process starts it, and it stops after the last one has ended; no process
has to sign off, because the kernel does it:

* every process that uses the server holds a *shared* lock on ``users.lock`` as long as it lives;
* one small process, the keeper, holds ``keeper.lock``, runs the server as its child and asks
  several times a second for ``users.lock`` *exclusively*. If it gets the lock no user is left,
  whatever ended them (exit, SIGTERM, kill -9), and the keeper stops the server and ends.

So there is no pid file to trust, and a process that arrives during a stop waits for its end.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from config.launch.embedded.places import EmbeddedError, Places, find_places, open_lock

__all__ = ["EmbeddedError", "Server", "ensure", "release"]

READY_WITHIN_SECONDS = 90  # a crash recovery on a slow disk included


@dataclass(frozen=True)
class Server:
    """How to reach the embedded server: the folder of its unix socket, and its own tools."""

    socket_dir: Path
    user: str
    name: str
    bin_dir: Path


class _Held:
    """The places that this process found and its lock on ``users.lock``."""

    mutex = threading.Lock()
    users_fd: int | None = None
    places: Places | None = None
    server: Server | None = None


def ensure() -> Server:
    """Keep the server running and answering for as long as this process lives.

    Cheap if it already runs (one open and one lock call). Raises ``EmbeddedError`` with a sentence for a
    person if it cannot run.
    """
    with _Held.mutex:
        places = _Held.places = _Held.places or find_places()
        if _Held.users_fd is None:
            _Held.users_fd = _become_user(places)
            _wait_until_ready(places)
        elif not keeper_alive(places):
            _wait_until_ready(places)
        if _Held.server is None:
            _Held.server = Server(places.socket_dir, places.user, places.name, places.bin_dir)
        return _Held.server


def release(*, wait_seconds: float = 15.0) -> None:
    """Stop using the server; if no other process uses it, wait until it has stopped.

    Only for a process that wants to leave nothing running behind it; all others just end.
    """
    with _Held.mutex:
        fd, places = _Held.users_fd, _Held.places
        if fd is None or places is None:
            return
        _Held.users_fd = None
        alone = try_lock(fd, fcntl.LOCK_EX)
        os.close(fd)
        end = time.monotonic() + wait_seconds
        while alone and keeper_alive(places) and time.monotonic() < end:
            time.sleep(0.05)


def keeper_alive(places: Places) -> bool:
    """Whether a keeper holds its lock. The kernel decides: a killed keeper holds nothing."""
    fd = open_lock(places.keeper_lock)
    try:
        return not try_lock(fd, fcntl.LOCK_SH)
    finally:
        os.close(fd)


def try_lock(fd: int, kind: int) -> bool:
    """Take the lock if it is free right now."""
    try:
        fcntl.flock(fd, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _become_user(places: Places) -> int:
    fd = open_lock(places.users_lock)
    fcntl.flock(fd, fcntl.LOCK_SH)  # waits while a keeper is stopping the server
    return fd


def _wait_until_ready(places: Places) -> None:
    end = time.monotonic() + READY_WITHIN_SECONDS
    while time.monotonic() < end:
        if not keeper_alive(places):
            _start_keeper(places)
        elif answers(places):
            return
        else:
            time.sleep(0.05)
    raise EmbeddedError(
        f"The embedded PostgreSQL did not answer within {READY_WITHIN_SECONDS} s. "
        f"What it wrote is in {places.log}."
    )


def _start_keeper(places: Places) -> None:
    """Start a keeper and wait for its one line: ready, taken (another was quicker) or a sentence."""
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen(
        [sys.executable, "-m", "config.launch.embedded.keeper"],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # Ctrl-C at a terminal is for the program, not for its database
        text=True,
    ) as keeper:
        assert keeper.stdout is not None
        said = keeper.stdout.readline().strip()
        if said == "ready":
            _forget(keeper)
            return
        rest = keeper.stdout.read().strip()
        keeper.wait()
    if said != "taken":
        raise EmbeddedError(
            f"{said}\n{rest}".strip() or f"The keeper ended without a word; see {places.log}."
        )


def _forget(keeper: subprocess.Popen[str]) -> None:
    """Detach a keeper: it outlives this process on purpose."""
    keeper.returncode = 0  # otherwise Popen would wait for it, and warn about it


def answers(places: Places) -> bool:
    """Whether the server accepts a connection now."""
    import psycopg

    try:
        psycopg.connect(
            host=str(places.socket_dir), user=places.user, dbname=places.name, connect_timeout=5
        ).close()
    except psycopg.OperationalError:
        return False
    return True
