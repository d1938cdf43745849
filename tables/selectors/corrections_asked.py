"""Corrections of closed stages that wait for a second person (T17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal
from tournament.models import Event, Request, Round, Stack

AFTER_CLOSE = "correct_after_close"


@dataclass(frozen=True)
class CorrectionAsked:
    """A correction that waits, with the changes that its asker saw."""

    request: Request
    deal: Deal

    @property
    def stage(self) -> Round:
        """The round, play-off or sudden death that the hand was dealt in."""
        return self.deal.shoe.round

    @property
    def main(self) -> Round:
        """The round whose cut rests on the hand; a sudden death itself."""
        return self.stage.parent or self.stage

    @cached_property
    def seen(self) -> Mapping[str, Mapping[str, Any]]:
        """Map entry codes to stack, rank, side of the cut and prize, before and after."""
        return {each["entry"]: each for each in self.request.body.get("seen", ())}

    @property
    def codes(self) -> frozenset[str]:
        """The entries it is about: those that change, and those that should or should not have advanced."""
        differs = self.request.body.get("differs") or {}
        return frozenset(self.seen).union(*(differs.get(name, ()) for name in ("missed", "extra", "tied")))

    @property
    def moves_cut(self) -> bool:
        """Whether an entry would change its side of a cut or of a tie."""
        return any(
            before != after for before, after in (each.get("cut", ("", "")) for each in self.seen.values())
        )


def corrections_asked(event: Event) -> list[CorrectionAsked]:
    """Return the corrections of an event that wait for a second person, oldest first."""
    waiting = Request.objects.filter(event=event, kind=AFTER_CLOSE, status=Request.Status.OPEN)
    asked = list(waiting.select_related("requested_by").order_by("pk"))
    found = Deal.objects.select_related("shoe__table", "shoe__round__parent")
    deals = found.in_bulk([each.body["deal"] for each in asked]) if asked else {}
    return [CorrectionAsked(each, deals[each.body["deal"]]) for each in asked]


def why_not_ask_again(deal: Deal) -> Refused | None:
    """``already_asked`` (409) while a correction of the same hand waits for a second person (T17).

    Each of two would be confirmed without knowing of the other.
    """
    waiting = Request.objects.filter(
        event=deal.shoe.round.event_id, kind=AFTER_CLOSE, status=Request.Status.OPEN, body__deal=deal.pk
    )
    if not waiting.exists():
        return None
    return Refused(
        "already_asked",
        _("A correction of this hand waits for a second person already. Have it answered first."),
        status=409,
    )


def corrections_of(round_: Round) -> list[CorrectionAsked]:
    """Return the corrections that would change a stage, its ties, or stacks carried into it (T22)."""
    asked = corrections_asked(round_.event)
    return [each for each in asked if round_.pk in (each.stage.pk, each.main.pk) or _carried(each, round_)]


def _carried(asked: CorrectionAsked, round_: Round) -> bool:
    if round_.kind != Round.Kind.ROUND or asked.main.kind != Round.Kind.ROUND:
        return False
    if round_.number not in round_.event.format.carried_on(asked.main.number):
        return False
    moved = [code for code, chips in asked.request.body["changes"].items() if chips]
    return Stack.objects.filter(round=round_, entry__code__in=moved).exists()
