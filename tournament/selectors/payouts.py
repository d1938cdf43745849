"""When the payout structure is posted, and when it is superseded: why not now (T6, T31, T32)."""

from ground.refused import Refused
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.models import Entry, Event, Round
from tournament.selectors.prizes import why_payouts_stand
from tournament.selectors.stages import live_payouts


def why_not_post(event: Event) -> Refused | None:
    """Why no first payout structure can be posted (T31): what ``why_no_payouts_now`` says, and two more.

    ``posted_already`` (409), and ``alternates_waiting`` (409): T6, T32, an alternate who never had a seat has
    the buy-in back before the pool is divided.
    """
    if live_payouts(event) is not None:
        return Refused(
            "posted_already",
            _("A payout structure is posted. Two persons may supersede it until the first payment."),
            status=409,
        )
    waiting = event.entries.filter(status=Entry.Status.WAITING).order_by("number")
    codes = ", ".join(waiting.values_list("code", flat=True))
    why_not = why_no_payouts_now(event)
    if why_not is None and codes:
        return Refused(
            "alternates_waiting",
            _(
                "Nobody seated %(codes)s, who waited as alternates, and their buy-ins are "
                "still in the pool. Withdraw them with their refund at the desk first."
            ),
            status=409,
            codes=codes,
        )
    return why_not


def why_not_supersede(event: Event) -> Refused | None:
    """Why the posted structure cannot be superseded (T31): as ``why_no_payouts_now``, and until a payment.

    ``nothing_posted`` (409), and what ``why_payouts_stand`` says.
    """
    if live_payouts(event) is None:
        return why_no_payouts_now(event) or Refused(
            "nothing_posted", _("No payout structure is posted yet. Post one."), status=409
        )
    return why_no_payouts_now(event) or why_payouts_stand(event)


def why_no_payouts_now(event: Event) -> Refused | None:
    """T31: from the close of the first round that is played; before, nobody may know who it favours.

    ``too_early`` and ``event_over``, both 409.
    """
    if event.status in (Event.Status.CALLED_OFF, Event.Status.PAID):
        return Refused(
            "event_over",
            _("The event is %(state)s; no payout structure can be posted any more."),
            status=409,
            state=Sentence(event.get_status_display()),
        )
    first = event.rounds.filter(kind=Round.Kind.ROUND).order_by("number").first()
    if first is None or (first.number == 1 and first.status != Round.Status.CLOSED):
        return Refused("too_early", _("The payout structure is posted once round 1 is closed."), status=409)
    return None
