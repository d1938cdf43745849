"""The keeper: runs the embedded PostgreSQL as its child until no process uses it any more.

Started by ``config.launch.embedded.ensure()`` as ``python -m config.launch.embedded.keeper``; answers with
one line on standard output: ``ready``, ``taken`` (there is a keeper already) or a sentence about the error.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

import psycopg
from psycopg import sql

from config.launch.embedded import try_lock
from config.launch.embedded.places import (
    SHARED_HOME,
    EmbeddedError,
    Places,
    can_run,
    disk_sentence,
    find_places,
    installed_package,
    is_throwaway,
    open_lock,
    own,
    package_label,
    tree_name,
)

LOOK_EVERY_SECONDS = 0.2
START_WITHIN_SECONDS = 60
STARTS_IN_A_ROW = 20
LOG_BYTES = 5_000_000
SUPERUSER = "postgres"

# Durable like a production server, small, and only reachable through the socket.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "max_wal_size": "512MB",
    "log_min_messages": "warning",
    # A failed statement, and its message about the row, may name a person.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
}
# The tests' own server never waits for the disk.
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "300",
}


def main() -> int:
    """Run the keeper; the exit status is 1 if the server could not be started."""
    try:
        places = find_places()
        keeper_fd = _claim(places)
        if keeper_fd is None:
            print("taken", flush=True)
            return 0
        _prepare(places)
        server = _start(places)
    except EmbeddedError as error:
        print(error, flush=True)
        return 1
    except OSError as error:
        print(disk_sentence(error, Path("var")), flush=True)
        return 1
    print("ready", flush=True)
    _leave_terminal()
    users_fd = _keep(places, server)
    os.close(keeper_fd)  # first: whoever waits for users.lock must find no keeper
    if users_fd is not None:
        os.close(users_fd)
    return 0


def _claim(places: Places) -> int | None:
    """Become the only keeper. Waits a moment: processes that check for a keeper hold its lock briefly."""
    fd = open_lock(places.keeper_lock)
    for _ in range(50):
        if try_lock(fd, fcntl.LOCK_EX):
            return fd
        time.sleep(0.01)
    os.close(fd)
    return None


def _leave_terminal() -> None:
    """Close the starter's pipe, so that a shell that waits for it does not wait for the keeper."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


def _prepare(places: Places) -> None:
    _copy_binaries(places)
    if not (places.data / "PG_VERSION").exists():
        _initdb(places)
    _end_leftover_server(places)


def _copy_binaries(places: Places) -> None:
    """Copy the wheel's tree and its libraries to a place where the server's user can run them."""
    program = places.bin_dir / "postgres"
    if program.exists():
        if can_run(program, places.uid, places.gid):
            return
        raise EmbeddedError(_cannot_run(program))
    package = installed_package()
    if os.geteuid() != 0 or not (package / tree_name(places.data)).exists():
        raise EmbeddedError(_cannot_run(program))
    target = SHARED_HOME / package_label()
    SHARED_HOME.mkdir(parents=True, exist_ok=True)
    SHARED_HOME.chmod(0o755)
    new = target.with_name(f"{target.name}.new-{os.getpid()}")
    try:
        for tree in (f"{package.name}/{tree_name(places.data)}", f"{package.name}.libs"):
            shutil.copytree(package.parent / tree, new / tree, symlinks=True)
        for folder, _, files in os.walk(new):  # the copy must be open whatever the umask was
            Path(folder).chmod(0o755)
            for file in files:
                path = Path(folder, file)
                if not path.is_symlink():
                    path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
        with contextlib.suppress(OSError):  # another checkout has just put it there
            new.rename(target)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    can_run.cache_clear()
    if not can_run(places.bin_dir / "postgres", places.uid, places.gid):
        raise EmbeddedError(_cannot_run(places.bin_dir / "postgres"))


def _cannot_run(program: Path) -> str:
    return (
        f"The embedded PostgreSQL ({program}) does not run on this machine. It needs Linux with glibc 2.28 "
        "or newer, or macOS, on x86-64 or arm64. Set DATABASE_URL to use a PostgreSQL server (15 or newer)."
    )


def _initdb(places: Places) -> None:
    """Create the data beside its place and move it there in one step, so that a kill leaves no half."""
    for old in places.home.glob("data.new-*"):
        shutil.rmtree(old, ignore_errors=True)
    new = places.home / f"data.new-{os.getpid()}"
    new.mkdir(mode=0o700)
    own(new, places.uid, places.gid)
    locale = ["--locale=C"]
    if tree_name(places.data) != "pginstall":
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    done = subprocess.run(  # noqa: S603 - our own binary
        [places.bin_dir / "initdb", "-D", new, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", *locale],
        **_as_server(places),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        shutil.rmtree(new, ignore_errors=True)
        raise EmbeddedError(_why(done.stdout, places))
    if places.data.exists():
        places.data.rmdir()  # an empty folder somebody made; anything else is refused here
    new.rename(places.data)


def _as_server(places: Places) -> dict:  # type: ignore[type-arg]  # keyword arguments of Popen
    """Return Popen's arguments for a program of the server: its user, a plain environment, a working
    folder."""
    who = {"user": places.uid, "group": places.gid, "extra_groups": []} if os.geteuid() == 0 else {}
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
    return {**who, "env": env, "cwd": "/", "stdin": subprocess.DEVNULL, "umask": 0o077}


def _end_leftover_server(places: Places) -> None:
    """End a server whose keeper was killed, and delete a pid file of another process."""
    pid_file = places.data / "postmaster.pid"
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        pid = 0
    for how, seconds in ((signal.SIGINT, 10), (signal.SIGQUIT, 5), (signal.SIGKILL, 5)):
        if not _is_our_server(pid, places):
            break
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)
        end = time.monotonic() + seconds
        while _is_our_server(pid, places) and time.monotonic() < end:
            time.sleep(0.05)
    pid_file.unlink(missing_ok=True)
    for left in places.socket_dir.glob(".s.PGSQL.*"):  # it believes its socket's lock file too
        left.unlink(missing_ok=True)


def _is_our_server(pid: int, places: Places) -> bool:
    """Whether that process is a PostgreSQL on our data: its pid may have been reused."""
    if pid <= 1:
        return False
    proc = Path(f"/proc/{pid}/cmdline")
    if Path("/proc/self").exists():
        try:
            words = proc.read_bytes().split(b"\0")
        except OSError:
            return False
        return os.fsencode(places.data) in words
    shown = subprocess.run(  # noqa: S603 - fixed command
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return str(places.data) in shown.stdout


def _start(places: Places) -> subprocess.Popen[bytes]:
    """Start the server and return when it answers. Raises ``EmbeddedError``."""
    for left in reversed(range(STARTS_IN_A_ROW)):
        _trim_log(places)
        before = places.log.stat().st_size if places.log.exists() else 0
        server = _launch(places)
        end = time.monotonic() + START_WITHIN_SECONDS
        while server.poll() is None and time.monotonic() < end:
            if _set_up_roles(places):
                return server
            time.sleep(0.03)
        if server.poll() is None:
            _stop(server)
        with places.log.open("rb") as log:
            log.seek(before)
            text = log.read().decode(errors="replace")
        # The last children of a killed server need a moment to notice and let go.
        if left == 0 or "still in use" not in text:
            raise EmbeddedError(_why(text, places))
        time.sleep(0.25)
    raise AssertionError("not reached")


def _launch(places: Places) -> subprocess.Popen[bytes]:
    settings = SETTINGS | THROWAWAY_SETTINGS if is_throwaway() else SETTINGS
    options = [f"--{key}={value}" for key, value in settings.items()]
    with places.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own binary
            [
                places.bin_dir / "postgres",
                "-D",
                places.data,
                f'--unix_socket_directories="{places.socket_dir}"',
                *options,
            ],
            **_as_server(places),
            stdout=log,
            stderr=log,
        )


def _trim_log(places: Places) -> None:
    if places.log.exists() and places.log.stat().st_size > LOG_BYTES:
        places.log.write_bytes(b"")


def _set_up_roles(places: Places) -> bool:
    """Create Cutline's own role (no superuser) and database if they are missing; False: not up yet."""
    try:
        with psycopg.connect(
            host=str(places.socket_dir), user=SUPERUSER, dbname="postgres", autocommit=True, connect_timeout=5
        ) as db:
            if not db.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [places.user]).fetchone():
                db.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEDB").format(sql.Identifier(places.user)))
            if not db.execute("SELECT 1 FROM pg_database WHERE datname = %s", [places.name]).fetchone():
                db.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(
                        sql.Identifier(places.name), sql.Identifier(places.user)
                    )
                )
    except psycopg.OperationalError:
        return False
    return True


def _keep(places: Places, server: subprocess.Popen[bytes]) -> int | None:
    """Watch the server. Returns the users' lock, held alone, when no user is left (None: told to end)."""
    told: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        told.append(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, note)
    users_fd = open_lock(places.users_lock)
    while not told:
        if try_lock(users_fd, fcntl.LOCK_EX):
            _stop(server)
            return users_fd
        if server.poll() is not None:  # crashed or killed while in use
            try:
                _end_leftover_server(places)
                server = _start(places)
            except EmbeddedError:
                break  # the next process that asks gets the reason
        time.sleep(LOOK_EVERY_SECONDS)
    _stop(server)
    os.close(users_fd)
    return None


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Shut down fast and cleanly; harder only if the server does not end."""
    for how, seconds in ((signal.SIGINT, 20), (signal.SIGQUIT, 5), (signal.SIGKILL, 5)):
        if server.poll() is not None:
            return
        server.send_signal(how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(seconds)


def _why(text: str, places: Places) -> str:
    """Return the sentence for a server that did not start, from its output."""
    if "No space left on device" in text:
        return f"The disk is full: {places.home} cannot be written. Free some space (300 MB) and start again."
    if "Read-only file system" in text:
        return f"{places.home} is on a disk that cannot be written. Use a copy of Cutline on one that can."
    last = "\n".join(text.strip().splitlines()[-5:]) or "(nothing)"
    return f"The embedded PostgreSQL did not start. The end of what it wrote ({places.log}):\n{last}"


if __name__ == "__main__":
    sys.exit(main())
