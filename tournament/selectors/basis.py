"""What forms of the tournament are made from: facts, and how far the journal was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tournament.engine.basis import Basis
from tournament.models import JournalHead


def basis_made(
    of: str,
    facts: Any,
    *,
    now: str,
    event_id: int | None,
    about: Iterable[tuple[str, int | str]] = (),
    over: bool = False,
) -> Basis:
    """A basis with how far the journal of its event is; ``over`` where nothing is left to decide."""
    seq = JournalHead.objects.filter(event=event_id).values_list("seq", flat=True).first()
    return Basis(of, facts, now, event_id, frozenset(about), seq or 0, over)
