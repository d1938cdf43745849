"""A paid place that nobody holds any more: what becomes of its prize, and the rulings about it (T26)."""

from collections.abc import Sequence

from tournament.engine.prizes import Goes, Prizes, Unclaimed
from tournament.engine.state import State
from tournament.models import Event, Posting, Request
from tournament.selectors.prizes import prizes_at
from tournament.selectors.stages import live_payouts

SHARE = "prize_sharing"
"""The request of two persons about the prize of a place that nobody holds."""


def sharing_waits(event: Event) -> Request | None:
    """Return the ruling that a second person is asked about; None without one."""
    return event.requests.filter(kind=SHARE, status=Request.Status.OPEN).first()


def unclaimed_or_asked(event: Event, state: State | None = None) -> list[Unclaimed]:
    """Return the unclaimed prizes as the staff sees them: a ruling that waits, if it is about these places.

    ``state``: the event's ``money_state``, where it has been read.
    """
    prizes = prizes_at(event, state)
    asked = sharing_waits(event) if prizes.unheld else None
    live = live_payouts(event) if asked else None
    about = (live.version, list(prizes.unheld)) if live else None
    if asked is None or (asked.body["version"], asked.body["places"]) != about:
        return list(prizes.unclaimed)
    return [Unclaimed(Goes.ASKED, prizes.unheld, prizes.unheld_cents, dict(asked.body["shares_cents"]))]


def sharings(event: Event) -> list[Posting]:
    """Every ruling about a prize that nobody holds, the last one first: all stay public."""
    return list(event.postings.filter(kind=Posting.Kind.SHARING).order_by("-number"))


def sharing_in_force(made: Sequence[Posting], prizes: Prizes) -> Posting | None:
    """Return the last of all rulings, the first of ``made``, while it is in force; None without one."""
    return made[0] if any(each.goes is Goes.RULED for each in prizes.unclaimed) else None
