"""`make run`: the database, its migrations, the rehearsal of the first start, the pages.

The pages are plain HTTP on HOST and PORT. Without DATABASE_URL this is the whole of Cutline; with it the
pages use that server; with BROKER_URL one worker with the sweep's clock runs too.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import subprocess
import sys
from typing import Any

from config import web

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("HTTPS", "0")  # the pages below are plain HTTP whatever the database is

GRACE_SECONDS = 1


def main() -> None:
    host, port = read_address()
    listeners = bind(host, port)  # before anything else: the commonest thing to go wrong
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda got, frame: sys.exit(128 + got))
    try:
        prepare()
        worker = start_worker()
        try:
            serve(listeners, f"http://{shown(host)}:{port}")
        finally:
            stop_worker(worker)
    finally:
        _leave_nothing_running()


def read_address() -> tuple[str, int]:
    """Return HOST and PORT from the environment, or exit with a sentence."""
    host, port = os.environ.get("HOST") or "localhost", os.environ.get("PORT") or "8000"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        sys.exit(f"PORT is {port!r}; it must be a number from 1 to 65535, as in: PORT=8001 make run")
    return host, int(port)


def bind(host: str, port: int) -> list[socket.socket]:
    """Bind the port on every address of the host name; exit with a sentence if that fails."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        sys.exit(_why_no_port(error, host, port))
    listeners: list[socket.socket] = []
    # IPv4 first; further addresses of a name (::1) that do not exist here are left out.
    for family, kind, protocol, _, address in sorted(found, key=lambda row: row[0] != socket.AF_INET):
        try:
            listeners.append(_bind_one(family, kind, protocol, address))
        except OSError as error:
            if error.errno == errno.EADDRINUSE or (not listeners and family == found[-1][0]):
                sys.exit(_why_no_port(error, host, port))
    if not listeners:
        sys.exit(f"HOST is {host!r}, which is no address of this machine. Leave it out, or say 0.0.0.0.")
    return listeners


def _bind_one(family: int, kind: int, protocol: int, address: Any) -> socket.socket:
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    return listener


def _why_no_port(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is taken, perhaps by a Cutline that already runs. "
            f"Stop that program, or take another port: PORT={port + 1 if port < 65535 else 8001} make run"
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} may not be used by this user. Take one above 1023: PORT=8000 make run"
    return f"HOST is {host!r}, no address of this machine ({error.strerror}). Leave it out, or say 0.0.0.0."


def shown(host: str) -> str:
    """Return the host as a person would type it: the machine itself for 'every address', IPv6 in brackets."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return "localhost"
    return f"[{host}]" if ":" in host else host


def prepare() -> None:
    """Start the database, update the tables, and on a local first start make the rehearsal with its
    logins."""
    from config.launch.prepare import main as migrate

    migrate()
    from django.conf import settings
    from django.core.management import call_command, get_commands
    from django.db import connections

    if settings.LOCAL and "first_start" in get_commands():
        call_command("first_start")
        sys.stdout.flush()
    connections.close_all()  # the workers are forked from here


def serve(listeners: list[socket.socket], address: str) -> None:
    """Serve until stopped. Reports that Cutline is ready when the first worker accepts requests."""
    from gunicorn.app.base import BaseApplication
    from gunicorn.arbiter import Arbiter

    class Master(Arbiter):
        def handle_int(self) -> None:
            self.handle_term()  # Ctrl-C lets a request end, as SIGTERM does

    class Pages(BaseApplication):
        def load_config(self) -> None:
            for key, value in gunicorn_settings(listeners, address).items():
                self.cfg.set(key, value)

        def load(self) -> Any:
            from config.wsgi import application

            return application

    with contextlib.suppress(SystemExit):
        Master(Pages()).run()


def gunicorn_settings(listeners: list[socket.socket], address: str) -> dict[str, Any]:
    """Return gunicorn's settings for a house's single machine."""

    def say_ready(worker: Any) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all; the master decides
        if worker.age == 1:
            print(f"Cutline is ready at {address}", flush=True)
        web.worker_ready(worker)

    return {
        **web.settings(),
        "bind": [f"fd://{listener.fileno()}" for listener in listeners],
        "graceful_timeout": GRACE_SECONDS,
        "loglevel": "warning",
        "post_worker_init": say_ready,
    }


def start_worker() -> subprocess.Popen[bytes] | None:
    """Start, with a broker, one worker for the tasks and the beat for the sweep."""
    from django.conf import settings

    if not settings.BROKER_URL:
        return None
    beat = settings.BASE_DIR / "var" / "beat-schedule"
    command = [sys.executable, "-m", "celery", "-q", "-A", "config.celery", "worker", "-B", "-s", str(beat)]
    return subprocess.Popen([*command, "-c", "1", "-l", "warning"], cwd=settings.BASE_DIR)  # noqa: S603 - our own


def stop_worker(worker: subprocess.Popen[bytes] | None) -> None:
    """Let the worker finish its task; a task that is cut off is delivered again."""
    if worker is None:
        return
    worker.terminate()
    try:
        worker.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()


def _leave_nothing_running() -> None:
    from config.launch.embedded import release

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # already stopping
    release()


if __name__ == "__main__":
    main()
