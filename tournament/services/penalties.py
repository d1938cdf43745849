"""Lesser penalties: a warning, a skipped hand, or chips; two people take and return chips (T26)."""

from django.contrib.auth.models import User

from ground.refused import Conflict, Refused, refuse
from tournament.engine import facts
from tournament.engine.facts import key_of
from tournament.models import Entry, Penalty, Request, Stack
from tournament.selectors.penalties import (
    PENALTY,
    PENALTY_BACK,
    stack_now,
    why_not_cancel,
    why_not_in_it,
    why_not_take,
)

from .arguments import event_id_of_entry, find, reason_clean, reason_or_empty
from .entries import facts_apply, floor_notify
from .journal import Command, Json, command
from .requests import handler, request_add

Kind = Penalty.Kind


def penalty_add(
    *, entry_id: int, kind: str, reason: str, chips: int = 0, key: str, actor: User | None
) -> Json:
    """Give a lesser penalty (T26): ``warning`` or ``sit_out`` (a hand) at once. Result: ``{"penalty": id}``.

    ``chips`` takes chips: a director requests it, and once a second person confirms, they go from the stack
    to the table bank; result: ``{"request": id, "kind": …}``. Refuses ``penalty_unknown``,
    ``reason_missing``, ``not_in_the_event``, and for chips ``not_yours_to_ask`` (403), ``already_asked``
    (409), and what ``why_not_take`` returns.
    """
    if kind not in Kind.values:
        raise Refused("penalty_unknown", "A penalty is a warning, a hand sat out, or chips.")
    why = reason_clean(reason)
    taken_chips = chips if kind == Kind.CHIPS else 0

    def act(cmd: Command) -> Json:
        entry = find(Entry, entry_id, "entry")
        refuse(why_not_in_it(entry))
        stack = stack_now(entry)
        if kind == Kind.CHIPS:
            return _chips_request(cmd, entry, stack, taken_chips, why)
        about = {"entry": entry, "round": stack.round if stack else None, "kind": kind, "reason": why}
        return {"penalty": Penalty.objects.create(**about, by=cmd.actor, at=cmd.at).pk}

    body = {"entry": entry_id, "kind": kind, "chips": taken_chips, "reason": why}
    event_id = event_id_of_entry(entry_id)
    return command(kind="penalty.add", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _chips_request(cmd: Command, entry: Entry, stack: Stack | None, chips: int, why: str) -> Json:
    refuse(why_not_take(entry, chips))
    assert stack is not None, "or it has been refused"
    body = {"entry": entry.pk, "chips": chips, "round": stack.round_id}
    return request_add(cmd, kind=PENALTY, body=body, reason=why)


def _may_take(request: Request) -> Stack:
    """Return the stack of a penalty in chips, if the hand at its table is finished."""
    entry = find(Entry, request.body["entry"], "entry")
    refuse(why_not_take(entry, request.body["chips"], request.body["round"]))
    floor_notify(entry)
    stack = stack_now(entry)
    assert stack is not None, "or it has been refused"
    return stack


@handler(PENALTY, check=_may_take)
def _penalty_confirmed(cmd: Command, request: Request) -> Json:
    """Move the chips from the stack to the table bank after a second person confirmed (T26)."""
    stack, chips = _may_take(request), request.body["chips"]
    about = {"entry": stack.entry, "round": stack.round, "kind": Kind.CHIPS, "chips": chips}
    penalty = Penalty.objects.create(**about, reason=request.reason, by=request.requested_by, at=cmd.at)
    return _chips_follow(cmd, penalty, facts.Penalty)


# Cancelling ------------------------------------------------------------------------------------------


def penalty_cancel(*, penalty_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Cancel a penalty, with a reason (T26). Result: ``{"penalty": id}``.

    Chips return to the stack only after a second person confirmed; result: ``{"request": id, "kind": …}``.
    Refuses what ``why_not_cancel`` returns, for example after the round of the penalty is closed: its
    standings are final.
    """
    event_id = find(Penalty, penalty_id, "penalty").entry.event_id

    def act(cmd: Command) -> Json:
        penalty = find(Penalty, penalty_id, "penalty")
        refuse(why_not_cancel(penalty))
        if penalty.kind == Kind.CHIPS:
            body = {"penalty": penalty.pk, "entry": penalty.entry_id, "round": penalty.round_id}
            return request_add(cmd, kind=PENALTY_BACK, body=body, reason=reason)
        _cancel(cmd, penalty, reason_clean(reason))
        return {"penalty": penalty.pk}

    body = {"penalty": penalty_id, "reason": reason_or_empty(reason)}
    return command(kind="penalty.cancel", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _cancel(cmd: Command, penalty: Penalty, why: str) -> None:
    current = Penalty.objects.filter(pk=penalty.pk, cancelled_at__isnull=True)
    if not current.update(cancelled_at=cmd.at, cancel_reason=why):
        raise Conflict("already_cancelled", "This penalty is cancelled already.")


def _may_give_back(request: Request) -> Penalty:
    """Return the penalty whose chips are to be returned, if the hand at the table is finished."""
    penalty = find(Penalty, request.body["penalty"], "penalty")
    refuse(why_not_cancel(penalty))
    floor_notify(penalty.entry)
    return penalty


@handler(PENALTY_BACK, check=_may_give_back)
def _cancelling_confirmed(cmd: Command, request: Request) -> Json:
    """Cancel the penalty and return its chips after a second person confirmed (T26)."""
    penalty = _may_give_back(request)
    _cancel(cmd, penalty, request.reason)
    return _chips_follow(cmd, penalty, facts.PenaltyCancelled)


def _chips_follow(cmd: Command, penalty: Penalty, ruled: type[facts.OfPenalty]) -> Json:
    """Write the fact of the ruling; its chips are due at the table."""
    assert penalty.round is not None, "chips are taken in a round"
    of_entry = Penalty.objects.filter(entry=penalty.entry_id, round=penalty.round_id, kind=Kind.CHIPS)
    nth = of_entry.filter(pk__lte=penalty.pk).count()
    facts_apply(cmd, ruled(key_of(penalty.round), penalty.entry.code, nth, penalty.chips))
    return {"penalty": penalty.pk, "entry": penalty.entry_id}
