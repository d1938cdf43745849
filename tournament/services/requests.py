"""The second person: what one asks for and another, with a login of their own, confirms (faults).

A kind of request registers what its approval does::

    @handler("disqualify")
    def _(cmd: Command, request: Request) -> Json: ...

The handler runs inside the command of the decision: one transaction, one journal entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User

from tournament.catalogue import REQUESTS
from tournament.engine.refused import Refused
from tournament.models import Event, Request

from .asked import event_of, find, reason_clean
from .journal import Command, Json, command
from .status import status_move

Handler = Callable[[Command, Request], Json]
_handlers: dict[str, Handler] = {}


def handler(kind: str) -> Callable[[Handler], Handler]:
    """Register what the approval of a kind of request does; the kind is one of the catalogue's."""
    assert kind in REQUESTS, f"{kind!r} is not among the requests of the catalogue of commands"

    def register(function: Handler) -> Handler:
        assert kind not in _handlers, f"two handlers for {kind}"
        _handlers[kind] = function
        return function

    return register


def request_open(
    *,
    event_id: int,
    kind: str,
    body: Mapping[str, Any],
    reason: str,
    check: Callable[[], object] | None = None,
    key: str,
    actor: User | None,
) -> Json:
    """Ask for something that a second person has to confirm. Result: ``{"request": id, "kind": …}``.

    ``body`` is what the handler needs: ids and figures. ``check`` refuses what cannot be asked for; it runs
    inside the command, so that the same key sent again has its first result. Refuses ``request_unknown``,
    ``reason_missing`` and ``already_asked`` where the same is waiting for an answer.
    """
    if kind not in _handlers:
        raise Refused("request_unknown", f"Nobody can be asked to confirm {kind!a}.")
    why = reason_clean(reason)
    asked = dict(body)

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        _refuse_stopped(event)
        if check is not None:
            check()
        if Request.objects.filter(event=event, kind=kind, body=asked, status=Request.Status.OPEN).exists():
            raise Refused("already_asked", "This is waiting for a second person already.", status=409)
        request = Request.objects.create(
            event=event,
            kind=kind,
            body=asked,
            reason=why,
            requested_by=cmd.actor,
            requested_at=cmd.at,
            one_person_may=event.is_rehearsal,
        )
        return {"request": request.pk, "kind": kind}

    journalled = {"kind": kind, "body": asked, "reason": why}
    return command(kind="request.open", key=key, actor=actor, event_id=event_id, body=journalled, act=act)


def request_decide(*, request_id: int, approve: bool, key: str, actor: User | None) -> Json:
    """Confirm or refuse what somebody asked for; confirmed, it is done at once, in the same transaction.

    Result: ``{"request": id, "status": …}`` and, under ``"done"``, what it did. Refuses
    ``own_request`` (403): nobody confirms their own; in a rehearsal one person may, and the journal
    says ``one_person``. To take one's own request back is allowed. Refuses ``already_decided`` (409).
    """
    event_id = find(Request, request_id, "request").event_id

    def act(cmd: Command) -> Json:
        request = find(Request, request_id, "request")
        if request.status != Request.Status.OPEN:
            raise Refused(
                "already_decided", f"This request is {request.get_status_display()} already.", status=409
            )
        cmd.note(kind=request.kind, requested_by=request.requested_by_id)
        if not approve:
            _decide(cmd, request, Request.Status.REFUSED)
            return {"request": request.pk, "status": request.status}
        _refuse_stopped(event_of(cmd))
        _check_second_person(cmd, request)
        _decide(cmd, request, Request.Status.APPROVED)
        return {
            "request": request.pk,
            "status": request.status,
            "done": _handlers[request.kind](cmd, request),
        }

    return command(
        kind="request.decide",
        key=key,
        actor=actor,
        approver=actor if approve else None,
        event_id=event_id,
        body={"request": request_id, "approve": approve},
        act=act,
        standings=True,
    )


def _check_second_person(cmd: Command, request: Request) -> None:
    if not _is_own(cmd, request):
        return
    if not request.one_person_may:
        raise Refused(
            "own_request", "Nobody confirms their own request. Ask a second person to log in.", status=403
        )
    cmd.note(one_person=True)


def _decide(cmd: Command, request: Request, status: str) -> None:
    # Taking back one's own request is no approval, so the second person is left out of it.
    nobody = _is_own(cmd, request) and not request.one_person_may
    status_move(request, status, decided_by=None if nobody else cmd.actor, decided_at=cmd.at)


def _is_own(cmd: Command, request: Request) -> bool:
    return (cmd.actor.pk if cmd.actor else None) == request.requested_by_id


def _refuse_stopped(event: Event) -> None:
    if event.status in (Event.Status.CALLED_OFF, Event.Status.PAID):
        raise Refused(
            "event_over", f"The event is {event.get_status_display()}; nothing can change in it.", status=409
        )
