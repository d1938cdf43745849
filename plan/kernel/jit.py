"""Numba, if it is installed: ``jit`` compiles once and caches the code (``_cache_folder``)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
KERNEL = Path(__file__).parent


def _fingerprint() -> str:
    """Return a hash of all compiled modules: a cached function only notices changes in its own file."""
    digest = hashlib.sha256()
    for path in sorted(KERNEL.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> str | None:
    """Return the folder of compiled code; None for numba's own choice if the checkout is not writable."""
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
        """Return the function unchanged: numba is not installed."""
        return function

else:
    HAS_NUMBA = True
    if not os.environ.get("NUMBA_CACHE_DIR"):
        setattr(numba.config, "CACHE_DIR", _cache_folder() or "")  # noqa: B010 - numba makes its settings as it starts

    def jit(function: F) -> F:
        """Return the function, compiled at its first call or read from the cache.

        It releases the interpreter lock while it runs, knows no Python objects, and never checks an index.
        """
        try:
            return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
        except RuntimeError:  # nowhere to keep it: each process compiles for itself
            return cast(F, numba.njit(nogil=True, error_model="numpy")(function))
