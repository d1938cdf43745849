"""Run ``manage.py`` in an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SERVER = {
    "DATABASE_URL": "postgres://nobody@localhost/none",
    "SECRET_KEY": "only-for-this-test-0123456789-abcdefghijklmnopqrstuvwxyz",
    "ALLOWED_HOSTS": "cutline.example",
    "HEADS_KEY": "only-for-this-test-9876543210",
    "HEADS_FILE": "/var/lib/cutline/heads",
}


# Set on this machine or by these tests, and not what a server starts with.
NOT_PASSED_ON = {
    *("DATABASE_URL", "BROKER_URL", "SECRET_KEY", "HTTPS", "DEBUG", "ALLOWED_HOSTS"),
    *("DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE"),
}


def manage(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return python("manage.py", *words, **env)


def python(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if key not in NOT_PASSED_ON}
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**clean, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )


def told(expression: str, **env: str) -> str:
    return python("-c", f"from config import settings; print({expression})", **env).stdout.strip()
