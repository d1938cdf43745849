"""Open stages, and post their results (T19–T26, T33, T34)."""

from collections.abc import Callable, Collection
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q

from ground.canonical import json_hash
from tournament.engine.advance import Decided
from tournament.engine.next_steps import NextStep
from tournament.engine.state import Stage, State
from tournament.engine.steps.cut import contested_in
from tournament.engine.steps.places import without_hand
from tournament.models import Draw, Entry, Event, JournalHead, Posting, Request, Round, posting_name
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.standings import placed_by_sudden_death

from .arguments import event_of, find
from .heads import heads_after_commit
from .journal import Command, Json, command
from .status import status_move

Kind, Status = Round.Kind, Round.Status
REOPENING = ("correct_after_close", DISQUALIFY, "payouts_supersede")
"""Requests of two people that can reopen a closed stage."""


def round_open(cmd: Command, *, step: NextStep, draw: Draw | None) -> Round:
    """Open a stage inside the command that seats it; its stacks, chips and seats follow from the fact."""
    event, (number, kind, sequence) = event_of(cmd), step.stage
    parent = event.rounds.get(number=number, kind=Kind.ROUND) if kind == Kind.PLAY_OFF else None
    return Round.objects.create(
        event=event,
        number=number,
        kind=kind,
        sequence=sequence,
        parent=parent,
        cut_to=event.format.seats_after(number) if kind == Kind.ROUND else None,
        contested=step.seats,
        draw=draw,
        opened_at=cmd.at,
    )


def rulings_lift(round_: Round, lifted: Collection[int]) -> None:
    """Lift rulings that do not apply any more; ``lifted``: their indices among those in force (T17, T23)."""
    in_force = list(round_.rulings.filter(lifted=False).values_list("pk", flat=True))
    round_.rulings.filter(pk__in=[in_force[at] for at in lifted]).update(lifted=True)


# Closing --------------------------------------------------------------------------------------------


def round_command(
    kind: str,
    round_id: int,
    act: Callable[[Command, Round], Json],
    *,
    key: str,
    actor: User | None,
    **asked: Any,
) -> Json:
    """Carry out a command about a round, which is read again once its event is locked.

    ``asked``: the other arguments of the command. Refuses ``no_such_round`` (404) and what ``act`` refuses.
    """
    round_ = find(Round.objects.select_related("event", "parent"), round_id, "round")

    def fresh(cmd: Command) -> Json:
        round_.refresh_from_db()
        return act(cmd, round_)

    body = {"round": round_id, **asked}
    return command(kind=kind, key=key, actor=actor, event_id=round_.event_id, body=body, act=fresh)


def rulings_used(round_: Round, settled: Collection[Decided], in_it: Collection[str]) -> None:
    """Record which rulings on its tie a round is closed with, the later one of two equal rulings (T23)."""
    used, left, there = list[int](), set(settled), frozenset(in_it)
    for ruling in round_.rulings.filter(lifted=False).order_by("-seq"):
        said = Decided(there.intersection(ruling.tied), there.intersection(ruling.advance))
        used += [ruling.pk] if said in left else []
        left.discard(said)
    round_.rulings.update(used=Q(pk__in=used))


def result_post(cmd: Command, round_: Round, state: State, stage: Stage) -> None:
    """Post the result of a closed round, with the head of the journal before it (faults, threats)."""
    rows = sorted(stage.results.items(), key=lambda each: (each[1].place or 0, each[0]))
    body = {
        "event": round_.event.code,
        "round": round_.number,
        "cut_to": round_.cut_to,
        "standings": [[each.place, code, each.chips, each.outcome] for code, each in rows],
        "journal_head": JournalHead.objects.get(event=round_.event).hash,
    }
    won, lost = contested_in(state, stage)
    if lost:
        body["tie"] = {"won": sorted(won), "lost": sorted(lost)}
    gone = Entry.objects.filter(event=round_.event, status=Entry.Status.DISQUALIFIED)
    out = set(gone.values_list("code", flat=True))
    if out & stage.results.keys():
        body["disqualified"] = [
            code for code, _result in rows if code in out
        ]  # T26: they hold no place of the round any more.
    unplayed = without_hand(state, stage)
    if unplayed:
        # T15: the place of such a player does not follow from chips, so the notice says why.
        body["no_hand"] = [code for code, _result in rows if code in unplayed]
    ruled = list(round_.rulings.filter(used=True).values("tied", "advance", "reason"))
    if ruled:
        body["tie_rulings"] = ruled
    posting_make(cmd, kind=Posting.Kind.RESULT, number=round_.number, body=body)


def posting_make(cmd: Command, *, kind: str, number: int, body: Json) -> Posting:
    """Post a public, final notice inside a command; its hash is that of its canonical JSON.

    A corrected result is posted as a new version with the reason; the old one stays public (T17).
    """
    earlier = Posting.objects.filter(event=event_of(cmd), kind=Posting.Kind.RESULT, number=number)
    version = 1 + earlier.count() if kind == Posting.Kind.RESULT else 1
    if version > 1:
        body = {**body, **_reason_of_version(cmd, earlier.latest("version"))}
    hash_ = json_hash(body)
    # The posting must follow from the journal alone (audit).
    name = posting_name(kind, number, version)
    cmd.note(posted={**cmd.notes.get("posted", {}), name: hash_})
    heads_after_commit(event_of(cmd))
    return Posting.objects.create(
        event=event_of(cmd),
        kind=kind,
        number=number,
        version=version,
        body=body,
        hash=hash_,
        posted_by=cmd.actor,
        at=cmd.at,
    )


def _reason_of_version(cmd: Command, before: Posting) -> Json:
    """Return the request that led to a new version of a result: ``{"again": {"kind": …, "reason": …}}``.

    It is the request that this command approves. If the round was reopened before, it is the latest one
    approved since the version ``before``, a correction first, since its form promises to post the reason.
    Empty if the result follows from play.
    The reason of a disqualification is not posted: it is about a person.
    """
    approved = Request.objects.filter(event=cmd.event, status=Request.Status.APPROVED)
    later = approved.filter(kind__in=REOPENING, decided_at__gt=before.at).order_by("-decided_at", "-pk")
    request = approved.filter(decided_at=cmd.at).first()
    request = request or min(later, key=lambda each: REOPENING.index(each.kind), default=None)
    if request is None:
        return {}
    return {"again": {"kind": request.kind, "reason": "" if request.kind == DISQUALIFY else request.reason}}


def draws_give_up(event: Event) -> None:
    """Give up a locked draw for a tie that nobody plays (T26, T33); it stays public."""
    for draw in event.draws.filter(status__in=[Draw.Status.LOCKED, Draw.Status.CONFIRMED], rounds=None):
        status_move(draw, Draw.Status.SUPERSEDED, superseded_reason=Draw.GIVEN_UP)


def final_post(cmd: Command, event: Event) -> None:
    """Post the places of an event."""
    final = event.entries.exclude(place=None).order_by("place", "code")
    body: Json = {"event": event.code, "final": [[e.place, e.code, e.final_chips] for e in final]}
    by_death, out = placed_by_sudden_death(event), Entry.Status.DISQUALIFIED
    listed = {
        "sudden_death": [e.code for e in final if e.pk in by_death],
        "disqualified": [e.code for e in final if e.status == out],
    }
    body |= {name: codes for name, codes in listed.items() if codes}
    # Decided again, it is the next version of the same result (posting_make).
    posting_make(cmd, kind=Posting.Kind.RESULT, number=event.format.after_last, body=body)
