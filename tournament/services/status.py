"""The one function that moves a status: a conditional UPDATE; the second caller gets nothing."""

from typing import Any

from django.db.models import Model

from ground.refused import Conflict, Refused
from tournament.engine.stages import move_check


def changed_meanwhile() -> Refused:
    """Return ``changed_meanwhile`` (409): another person was faster."""
    return Conflict("changed_meanwhile", "Another person has just changed this. Load the page again.")


def status_move(thing: Model, to: str, **also: Any) -> None:
    """Move ``thing`` to status ``to`` and set the fields in ``also``; the surrounding command journals it.

    Raises Refused ``move_not_allowed`` (409) if the move is not in the engine's table, and
    ``changed_meanwhile`` (409) if another person was faster.
    """
    kind = thing._meta.model_name or ""
    kind = {"payoutstructure": "payout"}.get(kind, kind)
    before = thing.status  # type: ignore[attr-defined]  # every model passed here has a status
    move_check(kind, before, to)
    changed = type(thing)._default_manager.filter(pk=thing.pk, status=before).update(status=to, **also)
    if not changed:
        raise changed_meanwhile()
    for name, value in {"status": to, **also}.items():
        setattr(thing, name, value)
