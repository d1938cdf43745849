"""Simulated events."""

from __future__ import annotations

from io import StringIO
from typing import Any

from django.core.management import call_command

from tournament.models import Event


def simulate(*words: str) -> tuple[int, str, str]:
    """``manage.py simulate`` in this process: its exit status, standard output and standard error."""
    out, err = StringIO(), StringIO()
    try:
        call_command("simulate", *words, stdout=out, stderr=err)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def event_of(result: dict[str, Any]) -> Event:
    return Event.objects.get(slug=result["event"])
