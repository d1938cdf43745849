"""A paid place that nobody holds any more: what becomes of its prize, and the rulings about it (T26)."""

from tournament.engine.prizes import Goes, Unclaimed
from tournament.engine.state import State
from tournament.models import Event, Posting, Request
from tournament.selectors.prizes import prizes_at
from tournament.selectors.stages import live_payouts

SHARE = "prize_sharing"
"""The request of two persons about the prize of a place that nobody holds."""


def sharing_waits(event: Event) -> Request | None:
    """Return the ruling that a second person is asked about; None without one."""
    return event.requests.filter(kind=SHARE, status=Request.Status.OPEN).first()


def unclaimed(event: Event) -> list[Unclaimed]:
    """Return the unclaimed prizes and what happens to each; empty where every place is held."""
    return list(prizes_at(event).unclaimed)


def unclaimed_or_asked(event: Event, state: State | None = None) -> list[Unclaimed]:
    """As ``unclaimed``, for the staff: a ruling that waits, if it is about these places and structure.

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


def sharing_in_force(event: Event) -> Posting | None:
    """Return the last ruling while it is in force; None without one."""
    ruled = any(each.goes is Goes.RULED for each in unclaimed(event))
    return sharings(event)[0] if ruled else None
