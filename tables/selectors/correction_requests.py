"""Corrections of closed stages, which need two persons: requested and made ones (T17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ground.refused import Refused
from tables.models import Deal
from tournament.engine.standing import Side
from tournament.models import Event, Posting, Request, Round, Stack
from tournament.selectors.open_requests import effects_recorded, why_asked_already
from tournament.selectors.stages import main_rounds

AFTER_CLOSE = "correct_after_close"


@dataclass(frozen=True)
class Shown:
    """An entry at one moment, as a preview shows it; requests and the journal store it by these names.

    ``rank`` is None if the pages show none; ``tied``: it is shared. ``cut`` is a state of the ranking, empty
    in a round without a cut. ``prize_cents`` is the current prize of the rank, with ties shared; None for
    players who play on, or if no structure is posted.
    """

    chips: int
    rank: int | None
    tied: bool
    cut: str
    prize_cents: int | None


@dataclass(frozen=True)
class EntryChange:
    """One entry in a preview."""

    entry: str
    before: Shown
    after: Shown

    @property
    def changed(self) -> bool:
        """Whether anything changes for this entry."""
        return self.before != self.after

    @property
    def rank_moves(self) -> bool:
        """Whether the rank changes, or becomes shared or unshared."""
        return (self.before.rank, self.before.tied) != (self.after.rank, self.after.tied)


@dataclass(frozen=True)
class CorrectionRequest:
    """A requested correction of a closed stage, with its changes as the second person saw them.

    Before the answer, or where the journal has none, the changes are those that the asker saw.
    """

    request: Request
    deal: Deal

    @property
    def stage(self) -> Round:
        """The round, play-off or sudden death that the hand was dealt in."""
        return self.deal.shoe.round

    @property
    def main(self) -> Round:
        """The round whose cut rests on the hand; for sudden death the stage itself."""
        return self.stage.parent or self.stage

    @cached_property
    def kept(self) -> Mapping[str, Any]:
        """The changes as they are stored."""
        return effects_recorded(self.request) or self.request.body

    @cached_property
    def lines(self) -> tuple[EntryChange, ...]:
        """The entries that change."""
        stored = self.kept.get("seen", ())
        return tuple(EntryChange(each["entry"], *(_shown_of(each, at) for at in (0, 1))) for each in stored)

    @property
    def differs(self) -> Mapping[str, Any]:
        """How the cut would differ; empty if it would not."""
        return self.kept.get("differs") or {}

    @property
    def codes(self) -> frozenset[str]:
        """The entries that change, and those that should or should not have advanced."""
        sides = (self.differs.get(name, ()) for name in ("missed", "extra", "tied"))
        return frozenset(line.entry for line in self.lines).union(*sides)

    @property
    def moves_cut(self) -> bool:
        """Whether an entry would change its side of a cut or of a tie."""
        return any(line.before.cut != line.after.cut for line in self.lines)


def _shown_of(stored: Mapping[str, Any], at: int) -> Shown:
    tied, cut = stored.get("tied", (False, False))[at], stored["cut"][at]
    # Older journals have other words for a tie.
    side = Side(OF_A_TIE.get(cut, cut)) if cut else ""
    return Shown(stored["chips"][at], stored["rank"][at], tied, side, stored["prize_cents"][at])


OF_A_TIE: dict[str, str] = {"in": Side.ADVANCES, "open": Side.PLAYING, "placed": Side.RANKED}


def correction_requests(event: Event) -> list[CorrectionRequest]:
    """Return the corrections of an event that wait for a second person, oldest first."""
    return _corrections(event, Request.Status.OPEN)


def _corrections(event: Event, status: str) -> list[CorrectionRequest]:
    found = Request.objects.filter(event=event, kind=AFTER_CLOSE, status=status)
    asked = list(found.select_related("requested_by").order_by("decided_at", "pk"))
    hands = Deal.objects.select_related("shoe__table", "shoe__round__parent")
    deals = hands.in_bulk([each.body["deal"] for each in asked]) if asked else {}
    return [CorrectionRequest(each, deals[each.body["deal"]]) for each in asked]


def why_correction_requested(deal: Deal) -> Refused | None:
    """Return ``already_asked`` (409) while a correction of the same hand waits for a second person (T17)."""
    return why_asked_already(deal.shoe.round.event_id, AFTER_CLOSE, body__deal=deal.pk)


def corrections_of(round_: Round) -> list[CorrectionRequest]:
    """Return the corrections that would change a stage, its ties, or stacks carried into it (T22)."""
    asked = correction_requests(round_.event)
    return [each for each in asked if round_.pk in (each.stage.pk, each.main.pk) or _carried(each, round_)]


def _carried(asked: CorrectionRequest, round_: Round) -> bool:
    if round_.kind != Round.Kind.ROUND or asked.main.kind != Round.Kind.ROUND:
        return False
    if round_.number not in round_.event.format.carried_on(asked.main.number):
        return False
    moved = [code for code, chips in asked.request.body["changes"].items() if chips]
    return Stack.objects.filter(round=round_, entry__code__in=moved).exists()


@dataclass(frozen=True)
class StagePutRight:
    """A round or a sudden death with the corrections that two persons made after its first close, in order.

    ``is_open``: it is not closed again, because a tie is open.
    """

    round: Round
    corrected: tuple[CorrectionRequest, ...]
    is_open: bool


def stage_put_right(round_: Round) -> StagePutRight | None:
    """Return a stage with the corrections of its hands, and its play-offs' hands, made after its close (T17).

    None without a correction. For a round, only corrections before its last close count: after that the next
    stage keeps its seats, and ``cut_review`` tells how the cut differs.
    """
    approved = _corrections(round_.event, Request.Status.APPROVED)
    made = [each for each in approved if each.main.pk == round_.pk and _before_last_close(round_, each)]
    return StagePutRight(round_, tuple(made), round_.closed_at is None) if made else None


def _before_last_close(round_: Round, made: CorrectionRequest) -> bool:
    if round_.kind == Round.Kind.SUDDEN_DEATH:
        return True
    at, closed_at = made.request.decided_at, round_.closed_at
    # A play-off can be closed, and put right, before its round is closed for the first time.
    posted = Posting.objects.filter(event=round_.event_id, kind=Posting.Kind.RESULT, number=round_.number)
    return posted.filter(at__lt=at).exists() and (closed_at is None or at is None or at <= closed_at)


def stages_put_right(event: Event) -> list[StagePutRight]:
    """Return ``stage_put_right`` for the stages that were played last; empty once the event is paid."""
    if event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        return []
    sudden = list(event.rounds.filter(kind=Round.Kind.SUDDEN_DEATH).order_by("pk"))
    found = map(stage_put_right, sudden or main_rounds(event)[-1:])
    return [each for each in found if each is not None]
