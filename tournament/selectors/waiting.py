"""The rulings on chips that wait for a second person (T18, T26): do they still hold, what do they hold up.

What was asked for was asked about a state. Once that is no more, a count taken back or a round gone on, it no
longer holds: pages say so, nobody can confirm it, and nothing rests on it. That is read and never stored, so
that no command which changes the state can forget to say it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ground.refused import Refused
from tournament.models import Entry, Penalty, Request, Round
from tournament.selectors.floor import floor
from tournament.selectors.penalties import (
    DISQUALIFY,
    LASTING,
    PENALTY,
    PENALTY_BACK,
    why_not_cancel,
    why_not_disqualify,
    why_not_take,
)

COUNT_RULING = "count_ruling"
RULINGS = (COUNT_RULING, PENALTY, PENALTY_BACK)


def _penalty_over(asked: Request) -> str:
    body = asked.body
    entry = Entry.objects.get(pk=body["entry"])
    return _lasting(why_not_take(entry, body["chips"], body["round"]))


def _cancelling_over(asked: Request) -> str:
    penalty = Penalty.objects.select_related("entry", "round").get(pk=asked.body["penalty"])
    return _lasting(why_not_cancel(penalty))


def _disqualifying_over(asked: Request) -> str:
    return _lasting(why_not_disqualify(Entry.objects.get(pk=asked.body["entry"])))


def _lasting(why_not: Refused | None) -> str:
    return why_not.message if why_not is not None and why_not.code in LASTING else ""


# Kind → why what was asked for cannot be done any more, whoever confirms it; empty while it can.
_OVER: dict[str, Callable[[Request], str]] = {
    COUNT_RULING: lambda asked: floor().why_ruling_over(asked.body),
    PENALTY: _penalty_over,
    PENALTY_BACK: _cancelling_over,
    DISQUALIFY: _disqualifying_over,
}


def why_lapsed(asked: Request) -> Refused | None:
    """``lapsed`` (409) where what waits for a second person no longer holds; None where it does."""
    if asked.status != Request.Status.OPEN or asked.kind not in _OVER:
        return None
    why = _OVER[asked.kind](asked)
    if not why:
        return None
    return Refused(
        "lapsed",
        f"{why} What was asked for no longer holds, and nobody can confirm it. Ask for it anew if it is still"
        " wanted.",
        status=409,
    )


def rulings_waiting(rounds: Iterable[Round]) -> list[Request]:
    """The rulings on chips of these rounds that wait for a second person and still hold, oldest first."""
    here = Request.objects.filter(status=Request.Status.OPEN, kind__in=RULINGS)
    asked = here.filter(body__round__in=[round_.pk for round_ in rounds]).select_related("requested_by")
    return [each for each in asked.order_by("pk") if why_lapsed(each) is None]


def why_chips_wait(*rounds: Round) -> Refused | None:
    """``ruling_waits`` (409): no cut and no tie is made of stacks about which a second person is asked."""
    waiting = rulings_waiting(rounds)
    if not waiting:
        return None
    first = waiting[0].requested_by
    who = f", asked for by {first.get_username()}," if first else ""
    what, them = f"A ruling on chips{who} waits", "it"
    if len(waiting) > 1:
        what, them = f"{len(waiting)} rulings on chips wait", "them"
    sentence = (
        f"{what} for a second person. Have {them} confirmed or refused first, on the page Second person."
    )
    return Refused("ruling_waits", sentence, status=409)
