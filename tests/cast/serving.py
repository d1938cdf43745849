"""A real server of the pages on the tests' database, and a browser's part of what it is sent."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from django.db import connection
from django.test import Client

TOKEN = "a" * 32
FORM = "application/x-www-form-urlencoded"


def free_port() -> int:
    """A port of this machine that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`gunicorn config.wsgi` as README starts it, in a process of its own."""

    def __init__(self, *words: str, log: Path, port: int = 0, **more: str) -> None:
        self.port, self.log = port or free_port(), log
        command = [sys.executable, "-m", "gunicorn", "config.wsgi", "-b", f"127.0.0.1:{self.port}", *words]
        with log.open("ab") as out:
            env = {**environment(""), **more}
            self.process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=out)
        self.until(lambda: self.send("GET", "/healthz")[0] == 200)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until it is so; what the server wrote, if it never is."""
        end = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < end, self.log.read_text()
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)

    def send(self, method: str, path: str, body: str = "", cookies: str = "") -> tuple[int, str]:
        """Return status (0 where no answer came) and text. The limit of 60 s only reports a hang."""
        browser = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            headers = {"Cookie": cookies, "Content-Type": FORM} if body else {"Cookie": cookies}
            browser.request(method, path, body, headers)
            answer = browser.getresponse()
            found = answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException):
            found = 0, ""
        finally:
            browser.close()
        return found

    def stop(self) -> None:
        """End it, and wait until it has ended: what it holds of the database is let go with it."""
        end(self.process, 60)


def end(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Ask a process to end; one that does not in this time is ended all the same, and that is a failure."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)
        raise


def cookies_of(client: Client) -> str:
    """The cookies of somebody who is logged in; ``TOKEN`` is the token of their forms."""
    return f"sessionid={client.cookies['sessionid'].value}; csrftoken={TOKEN}"


ROOT = Path(__file__).parents[2]


def environment(broker_url: str) -> dict[str, str]:
    """The variables of a server's process: the tests' database, and this broker."""
    connection.ensure_connection()
    info = connection.connection.info
    found = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"postgres:///{info.dbname}",
        "PGHOST": info.host,
        "PGPORT": str(info.port),
        "PGUSER": info.user,
        "PGPASSWORD": info.password or "",
        "BROKER_URL": broker_url,
        "SECRET_KEY": "a key of the tests, long enough to be taken for one",
        "HTTPS": "0",
    }
    return found
