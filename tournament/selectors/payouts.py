"""Reasons why the payout structure cannot be posted or superseded, and its effect on ties (T31–T33)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ground.refused import Conflict, Refused
from ground.words import Sentence
from tournament.engine.steps.places import money_ties_open, play_is_over
from tournament.engine.steps.ties import tie_open
from tournament.engine.ties import TieGroup, group_priced
from tournament.models import Entry, Event, Round
from tournament.selectors.prizes import why_payouts_stand
from tournament.selectors.stages import live_payouts, state_of


def why_not_post(event: Event) -> Refused | None:
    """Return why no first payout structure can be posted (T31): as ``why_no_payouts_now``, and two more.

    ``posted_already`` (409), and ``alternates_waiting`` (409): the buy-in of an alternate who never had a
    seat is refunded before the pool is divided (T6, T32).
    """
    if live_payouts(event) is not None:
        return Conflict(
            "posted_already",
            "A payout structure is posted. Two people may replace it until the first payment.",
        )
    waiting = event.entries.filter(status=Entry.Status.WAITING).order_by("number")
    codes = ", ".join(waiting.values_list("code", flat=True))
    why_not = why_no_payouts_now(event)
    if why_not is None and codes:
        return Conflict(
            "alternates_waiting",
            "The alternates %(codes)s were not seated, and their buy-ins are still in the pool. "
            "First withdraw them with a refund at the desk.",
            codes=codes,
        )
    return why_not


def why_not_supersede(event: Event) -> Refused | None:
    """Return why the posted structure cannot be superseded (T31): as ``why_no_payouts_now``, and two more.

    ``nothing_posted`` (409), and what ``why_payouts_stand`` returns after a payment.
    """
    if live_payouts(event) is None:
        return why_no_payouts_now(event) or Conflict(
            "nothing_posted", "No payout structure is posted yet. Post one."
        )
    return why_no_payouts_now(event) or why_payouts_stand(event)


def why_no_payouts_now(event: Event) -> Refused | None:
    """T31: return ``too_early`` or ``event_over`` (409): structures are posted from the close of the first
    round on.

    Before that, nobody may know whom a structure favours.
    """
    if event.status in (Event.Status.CALLED_OFF, Event.Status.PAID):
        return Conflict(
            "event_over",
            "The event is %(state)s; no payout structure can be posted any more.",
            state=Sentence(event.get_status_display()),
        )
    if not event.rounds.filter(number=1, kind=Round.Kind.ROUND, status=Round.Status.CLOSED).exists():
        return Conflict("too_early", "The payout structure is posted once round 1 is closed.")
    return None


@dataclass(frozen=True)
class TiesChanged:
    """Ties that are no longer played for money, and ties that newly are.

    ``opens``: the places were decided, and are open again until the new ties are.
    """

    ended: tuple[TieGroup, ...] = ()
    begun: tuple[TieGroup, ...] = ()
    opens: bool = False


def ties_changed(event: Event, prizes_cents: Sequence[int]) -> TiesChanged:
    """Compare the ties that are played for money with the ties under these prizes."""
    state = state_of(event)
    if not play_is_over(state) or not prizes_cents:
        return TiesChanged()
    open_tie, anew = tie_open(state), list[TieGroup]()
    playing = list(open_tie.tie.groups) if open_tie and open_tie.tie else money_ties_open(state)
    if state.prizes_cents is not None:
        anew = money_ties_open(replace(state, prizes_cents=tuple(prizes_cents)))
    ended = [group for group in playing if len(set(group_priced(group, prizes_cents).prizes_cents)) == 1]
    known = {code for group in playing for code in group.entries}
    begun = [group for group in anew if not known & set(group.entries)]
    opens = bool(begun) and event.status == Event.Status.FINISHED
    return TiesChanged(tuple(ended), tuple(begun), opens)
