"""The secret key of a checkout without a configured one."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def local_secret_key(base_dir: Path) -> str:
    """Return ``var/secret_key``; create it first, readable by its owner alone, if there is none."""
    path = base_dir / "var" / "secret_key"
    try:
        return _read(path) or _make(path)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path} cannot be read or written ({error.strerror}). Mend that, or set SECRET_KEY."
        ) from error


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return ""


def _make(path: Path) -> str:
    """Link a finished file into place: of two concurrent processes one wins, and none reads half a key."""
    path.parent.mkdir(exist_ok=True)
    new = path.with_name(f"secret_key.{os.getpid()}")
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w") as file:
        file.write(secrets.token_urlsafe(50) + "\n")
    try:
        if path.exists() and not _read(path):  # an empty file, left by a full disk
            new.replace(path)
        else:
            os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink(missing_ok=True)
    return _read(path)
