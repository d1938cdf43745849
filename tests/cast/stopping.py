"""A command in a process of its own that a test stops by Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a process group of its own, with pipes; kill the group in the end.

    The command receives Ctrl-C even when the tests were started by a shell's ``&``, which ignores Ctrl-C for
    itself and for every process below it.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        pipe = subprocess.PIPE
        run = subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        yield run
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(run.pid, signal.SIGKILL)
        run.wait(60)
        for stream in (run.stdout, run.stderr):
            assert stream is not None
            stream.close()
