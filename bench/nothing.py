"""An application that does nothing, under the gunicorn of the pages: the upper bound of gunicorn."""

from __future__ import annotations

from typing import Any

import config.wsgi  # noqa: F401 - gunicorn's workers want Django set up


def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """A 304 with as many headers as a poll has."""
    headers = [(f"X-Header-{number}", "twenty signs of text") for number in range(12)]
    start_response("304 Not Modified", [*headers, ("Content-Length", "0")])
    return []
