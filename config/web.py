"""gunicorn's settings, for `make run` and for `gunicorn config.wsgi`."""

from __future__ import annotations

import logging
import os
from typing import Any

WORKERS = 2
# Each has a connection to the database while it works.
THREADS = 24
# The path of the address without the query: a search is a person's name.
ACCESS_LOG_FORMAT = '%(h)s %(t)s "%(m)s %(U)s" %(s)s %(B)s %(M)sms'


def worker_ready(worker: Any) -> None:
    """Called in every worker once it can accept requests."""
    from config import logs, periodic, write_limit
    from tournament.services import commits

    write_limit.keep_free(worker.cfg.threads)
    logging.getLogger("gunicorn.access").addFilter(logs.NoLinks())
    periodic.start()
    commits.pages_served()


def settings() -> dict[str, Any]:
    """Return gunicorn's settings that apply wherever it serves."""
    return {
        "workers": int(os.environ.get("WEB_CONCURRENCY", WORKERS)),
        "threads": THREADS,
        "worker_class": "gthread",
        "preload_app": True,  # a process that is killed has its successor at once
        "timeout": 60,
        "keepalive": 5,
        "limit_request_line": 8_190,  # bytes: the builder of 250 paid places sends its boxes in the address
        "access_log_format": ACCESS_LOG_FORMAT,
        "control_socket_disable": True,
        "post_worker_init": worker_ready,
    }
