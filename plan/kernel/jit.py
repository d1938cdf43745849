"""Numba where it is installed: ``jit`` compiles once and keeps what it compiled (``HERE``)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
KERNEL = Path(__file__).parent


def _fingerprint() -> str:
    """Of all that is compiled: a function that was kept knows only of changes in its own file."""
    digest = hashlib.sha256()
    for path in sorted(KERNEL.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _kept_in() -> str | None:
    """Where compiled code is kept, or None for numba's own choice where the checkout cannot be written."""
    folder = KERNEL.parents[1] / "var" / "kernel" / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder) if os.access(folder, os.W_OK) else None


try:
    import numba
except ImportError:
    HAS_NUMBA = False

    def jit(function: F) -> F:
        """The function as it is: there is no numba here."""
        return function

else:
    HAS_NUMBA = True
    if not os.environ.get("NUMBA_CACHE_DIR"):
        setattr(numba.config, "CACHE_DIR", _kept_in() or "")  # noqa: B010 - numba makes its settings as it starts

    def jit(function: F) -> F:
        """The function compiled at its first call, or read back from where it was kept.

        It gives the interpreter free while it runs, knows no Python objects, and never checks an index.
        """
        try:
            return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
        except RuntimeError:  # nowhere to keep it: each process compiles for itself
            return cast(F, numba.njit(nogil=True, error_model="numpy")(function))
