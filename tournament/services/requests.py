"""Dual control: one person requests, and a second person with their own login confirms (faults).

The catalogue says who may request and confirm each kind; the effect of an approval is registered here::

    @handler("disqualify", check=may_disqualify)
    def _(cmd: Command, request: Request) -> Json: ...

The handler runs inside the command of the decision: one transaction, one journal entry. If only the tables
know whether it can be carried out now, ``check`` refuses what the handler would refuse. A request without an
event concerns the house: it waits on the house's own page and is journalled in the house's own chain.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from ground.arguments import body_check
from ground.refused import Conflict, Forbidden, Refused, refuse
from ground.words import gettext_noop as _
from tournament.catalogue import REQUESTS
from tournament.command_kinds import LEADS
from tournament.models import Event, Request
from tournament.roles import roles_of
from tournament.selectors.open_requests import why_asked_already, why_lapsed

from .arguments import find, reason_clean, reason_or_empty
from .commits import saving, unwatched
from .journal import Command, Json, command, event_lock
from .second_person import why_not_two
from .status import status_move

Handler = Callable[[Command, Request], Json]
Check = Callable[[Request], object]
_handlers: dict[str, Handler] = {}
_checks: dict[str, Check] = {}


def handler(kind: str, check: Check | None = None) -> Callable[[Handler], Handler]:
    """Register the effect of approving a kind of request; the kind must be in the catalogue.

    ``check`` refuses what the approval would refuse, and writes nothing.
    """
    assert kind in REQUESTS, f"{kind!r} is not among the requests of the catalogue of commands"

    def register(function: Handler) -> Handler:
        assert kind not in _handlers, f"two handlers for {kind}"
        _handlers[kind] = function
        if check is not None:
            _checks[kind] = check
        return function

    return register


def why_not_request(kind: str, asker: User | None) -> Refused | None:
    """Return why this person cannot make such a request; the house itself (None) always may."""
    text = _("Only %(whose)s can ask for this. Ask one of them.")
    return _why_not_one_of(REQUESTS[kind].asks, asker, "not_yours_to_ask", text)


def _why_not_one_of(roles: tuple[str, ...], person: User | None, code: str, text: str) -> Refused | None:
    if person is None or roles_of(person) & set(roles):
        return None
    return Forbidden(code, text, whose=" or ".join(f"a {role}" for role in roles))


def why_not_confirm(request: Request, person: User | None, at: datetime) -> Refused | None:
    """Return why this person cannot confirm a request now.

    ``not_yours_to_confirm`` by role, ``own_request``, ``about_you`` for a person who would gain by it,
    ``login_of_yours``: all 403. In a rehearsal one person may do both.
    """
    why_not = _why_not_role(request, person)
    if why_not is not None or request.one_person_may:
        return why_not
    if request.requested_by_id == (person.pk if person else None):
        return Forbidden("own_request", "You cannot confirm your own request. Ask a second person to log in.")
    if person is not None and request.body.get("user") == person.pk:
        return Forbidden("about_you", _("This is about your own login. Another person must confirm it."))
    return why_not_two(request.requested_by_id, person, at)


def _why_not_role(request: Request, person: User | None) -> Refused | None:
    text = _("Only %(whose)s can confirm this. Ask one of them.")
    approval = REQUESTS.get(request.kind)
    # A kind of an earlier release has lapsed, and somebody must be able to refuse it.
    confirms = approval.confirms if approval else LEADS
    return _why_not_one_of(confirms, person, "not_yours_to_confirm", text)


def request_open(
    *,
    event_id: int | None,
    kind: str,
    body: Mapping[str, Any],
    reason: str,
    check: Callable[[], object] | None = None,
    key: str,
    actor: User | None,
) -> Json:
    """Open a request that a second person must confirm. Result: ``{"request": id, "kind": …}``.

    ``body``: ids and figures for the handler. ``check`` refuses an impossible request; it runs inside the
    command, so that the same key sent again gets its first result. Without ``event_id`` it concerns the
    house. Refuses ``request_unknown``, ``not_yours_to_ask`` (403), ``reason_missing`` and ``already_asked``
    if the same request is open.
    """
    if kind not in _handlers:
        raise Refused("request_unknown", "Nobody can be asked to confirm %(kind)s.", kind=f"{kind!a}")
    asked = dict(body)

    def act(cmd: Command) -> Json:
        return request_add(cmd, kind=kind, body=asked, reason=reason, check=check)

    journalled = {"kind": kind, "body": asked, "reason": reason_or_empty(reason)}
    return command(kind="request.open", key=key, actor=actor, event_id=event_id, body=journalled, act=act)


def request_add(
    cmd: Command,
    *,
    kind: str,
    body: Json,
    reason: str,
    check: Callable[[], object] | None = None,
) -> Json:
    """Open a request inside a command that turns out to need a second person.

    ``reason`` is checked last: a form that comes too late need not give one. Refuses as ``request_open``;
    TypeError for a body with other arguments than the catalogue declares.
    """
    _refuse_stopped(cmd.event, kind)
    refuse(why_not_request(kind, cmd.actor))
    if check is not None:
        check()
    body_check(kind, REQUESTS[kind].takes, json.loads(json.dumps(body)))
    refuse(why_asked_already(cmd.event.pk if cmd.event else None, kind, body=body))
    if cmd.event is not None:
        # The request must follow from the journal alone (audit); a request of the house may concern a person.
        cmd.note(asks=body)
    request = Request.objects.create(
        event=cmd.event,
        kind=kind,
        body=body,
        reason=reason_clean(reason),
        requested_by=cmd.actor,
        requested_at=cmd.at,
        one_person_may=cmd.event is not None and cmd.event.is_rehearsal,
    )
    return {"request": request.pk, "kind": kind}


def request_decide(*, request_id: int, approve: bool, key: str, actor: User | None) -> Json:
    """Confirm or refuse a request; a confirmed one is carried out at once, in the same transaction.

    Result: ``{"request": id, "status": …}`` and, under ``"done"``, the result of the handler. Refuses what
    ``why_not_confirm`` returns: nobody confirms their own request; in a rehearsal one person may, and the
    journal says ``one_person``. People may withdraw their own request. Refuses ``already_decided`` (409), and
    ``lapsed`` (409) if the situation of the request no longer exists.
    """
    event_id = find(Request, request_id, "request").event_id

    def act(cmd: Command) -> Json:
        request = find(Request, request_id, "request")
        if request.status != Request.Status.OPEN:
            raise Conflict(
                "already_decided", "This request is %(state)s already.", state=request.get_status_display()
            )
        cmd.note(kind=request.kind, requested_by=request.requested_by_id)
        if not approve:
            # The asker may withdraw the request.
            refuse(None if _is_own(cmd, request) else _why_not_role(request, cmd.actor))
            _decide(cmd, request, Request.Status.REFUSED)
            return {"request": request.pk, "status": request.status}
        _refuse_stopped(cmd.event, request.kind)
        refuse(why_not_confirm(request, cmd.actor, cmd.at))
        if _is_own(cmd, request):
            cmd.note(one_person=True)
        refuse(why_lapsed(request))
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
    )


def foreseen(request: Request, preview: Callable[[Any], Any] | None = None) -> Any:
    """Return what the check of an open request works out now, or why it cannot be carried out now.

    Refused ``lapsed`` (409) or by the check of its kind, so that the list, the request's page and the answer
    agree. None for a kind without a check. ``preview`` of it is made with the event locked, at one moment.
    """
    try:
        refuse(why_lapsed(request))
        if request.kind not in _checks:
            return None
        with unwatched(), saving():
            if preview is None:
                return _checks[request.kind](request)
            event_lock(request.event_id or 0)
            return preview(_checks[request.kind](request))
    except Refused as no:
        return no


def why_not_carried_out(request: Request) -> Refused | None:
    """Return why a request cannot be carried out now, whoever confirms it; None if it can."""
    found = foreseen(request) if request.status == Request.Status.OPEN else None
    return found if isinstance(found, Refused) else None


def _decide(cmd: Command, request: Request, status: str) -> None:
    # Withdrawing one's own request is no approval, so no second person is recorded.
    nobody = _is_own(cmd, request) and not request.one_person_may
    status_move(request, status, decided_by=None if nobody else cmd.actor, decided_at=cmd.at)


def _is_own(cmd: Command, request: Request) -> bool:
    return (cmd.actor.pk if cmd.actor else None) == request.requested_by_id


def _refuse_stopped(event: Event | None, kind: str) -> None:
    once_paid = kind in REQUESTS and REQUESTS[kind].once_paid
    if event is None or (event.status == Event.Status.PAID and once_paid):
        return
    if event.status in (Event.Status.CALLED_OFF, Event.Status.PAID):
        raise Conflict(
            "event_over",
            "The event is %(state)s; nothing can change in it.",
            state=event.get_status_display(),
        )
