"""The plan that an event is played by: its posted settings, read once (F1, T2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament.engine.format import Format
from tournament.engine.settings import EventSettings, format_of, from_dict


@dataclass(frozen=True, slots=True)
class Plan:
    """The posted settings and the rounds that follow from them."""

    settings: EventSettings
    format: Format


def plan_of(snapshot: Mapping[str, Any]) -> Plan:
    """Return the plan that a snapshot of settings posts. Raises Refused if the snapshot is not a plan."""
    settings = from_dict(snapshot)
    return Plan(settings, format_of(settings))
