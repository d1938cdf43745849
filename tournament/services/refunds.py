"""Pay out the refunds of a called-off event, one entry at a time (T8)."""

from django.contrib.auth.models import User

from ground.refused import Conflict
from tournament.engine.facts import HandedOut
from tournament.models import Entry, Event, HandOut

from .arguments import event_id_of_entry, event_of, find
from .journal import Command, Json, command
from .money import money_refund
from .people import refuse_unchecked


def refund_hand_out(*, entry_id: int, identity_checked: bool, key: str, actor: User | None) -> Json:
    """Pay out the buy-in of an entry of a called-off event, once, after the identity check (T8).

    Result: ``{"entry", "code", "amount_cents", "hand_out": id}``. Refuses ``not_called_off`` (409),
    ``handed_out_already`` (409), ``nothing_to_refund`` (409) and ``identity_not_checked``.
    """

    def act(cmd: Command) -> Json:
        entry = find(Entry, entry_id, "entry")
        _refuse_not_due(event_of(cmd), entry)
        refuse_unchecked(identity_checked)
        posted = money_refund(cmd, entry=entry)
        cmd.write(HandedOut(entry.code, posted.amount_cents))
        given = HandOut.objects.create(
            event=event_of(cmd),
            entry=entry,
            amount_cents=posted.amount_cents,
            handed_by=cmd.actor,
            identity_checked_by=cmd.actor,
            transaction=posted,
            at=cmd.at,
        )
        return {
            "entry": entry.pk,
            "code": entry.code,
            "amount_cents": given.amount_cents,
            "hand_out": given.pk,
        }

    body, event_id = {"entry": entry_id, "identity_checked": identity_checked}, event_id_of_entry(entry_id)
    return command(kind="refund.hand_out", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _refuse_not_due(event: Event, entry: Entry) -> None:
    if event.status != Event.Status.CALLED_OFF:
        raise Conflict("not_called_off", "Buy-ins are handed out only after an event has been called off.")
    given = HandOut.objects.filter(entry=entry).first()
    if given is not None:
        raise Conflict("handed_out_already", "%(entry)s has been given the buy-in already.", entry=entry.code)
