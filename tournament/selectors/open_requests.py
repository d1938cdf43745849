"""Open requests about chips (T18, T26): whether they still apply, and what they delay.

A request was made in a certain state. Once that state is gone, because a count was reopened or a round went
on, the request has lapsed: pages show that, nobody can confirm it, and nothing waits for it. This is computed
and never stored, so that no command which changes the state can forget to record it.
"""

from collections.abc import Callable, Iterable
from typing import Any

from ground.refused import Conflict, Refused
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament import sql
from tournament.catalogue import REQUESTS
from tournament.engine.advance import Advanced
from tournament.engine.state import State
from tournament.models import Entry, Event, JournalEntry, Penalty, PlayerCorrection, Request, Round
from tournament.selectors.floor import floor
from tournament.selectors.penalties import (
    DISQUALIFY,
    LASTING,
    PENALTY,
    PENALTY_BACK,
    why_not_cancel,
    why_not_disqualify,
    why_not_take,
    why_tie_open,
)
from tournament.selectors.stages import round_cut

COUNT_RULING = "count_ruling"
CORRECT = "player_correct"
SHOE_COUNTED = "counted"
RULINGS = (COUNT_RULING, PENALTY, PENALTY_BACK)
NOBODY_CAN = _("nobody can confirm it: refuse it or take it back")
"""The way out of a lapsed request. Whether it can be made again depends on its own reason."""


def _penalty_over(request: Request) -> str:
    body = request.body
    entry = Entry.objects.get(pk=body["entry"])
    return _lasting(why_not_take(entry, body["chips"], body["round"]))


def _cancelling_over(request: Request) -> str:
    penalty = Penalty.objects.select_related("entry", "round").get(pk=request.body["penalty"])
    return _lasting(why_not_cancel(penalty))


def _disqualifying_over(request: Request) -> str:
    return _lasting(why_not_disqualify(Entry.objects.get(pk=request.body["entry"])))


def _record_changed(request: Request) -> str:
    """T7: return a reason if the record no longer holds the facts that a correction replaces."""
    correction = PlayerCorrection.objects.select_related("player").get(request=request)
    if all(getattr(correction.player, field) == value for field, value in correction.before.items()):
        return ""
    return _("The record of this person has changed since.")


def _lasting(why_not: Refused | None) -> str:
    return why_not.message if why_not is not None and why_not.code in LASTING else ""


# Kind → a function that returns why a request has lapsed; empty while it has not.
_OVER: dict[str, Callable[[Request], str]] = {
    COUNT_RULING: lambda request: floor().why_ruling_over(request.body),
    PENALTY: _penalty_over,
    PENALTY_BACK: _cancelling_over,
    DISQUALIFY: _disqualifying_over,
    CORRECT: _record_changed,
}


def _why_over(request: Request) -> str:
    if request.kind not in REQUESTS:
        return _("This kind of request no longer exists.")
    over = _OVER.get(request.kind)
    return over(request) if over else ""


def why_lapsed(request: Request) -> Refused | None:
    """Return ``lapsed`` (409) if a request no longer applies; None if it does."""
    if request.status != Request.Status.OPEN:
        return None
    why = _why_over(request)
    if not why:
        return None
    return Conflict(
        "lapsed", "%(why)s The request no longer holds, and %(nobody)s.", why=why, nobody=Sentence(NOBODY_CAN)
    )


def why_asked_already(event_id: int | None, kind: str, **filters: Any) -> Refused | None:
    """Return ``already_asked`` (409) while such a request is open: the two would not know of each other."""
    if not Request.waiting(event_id, kind, **filters).exists():
        return None
    return Conflict("already_asked", "This already waits for a second person, on the page 'Second person'.")


def why_not_request_disqualification(entry: Entry) -> Refused | None:
    """Return ``already_asked`` (409) while a request for it is open, and ``why_not_disqualify``."""
    waits = why_asked_already(entry.event_id, DISQUALIFY, body__entry=entry.pk)
    return waits or why_not_disqualify(entry)


def effects_recorded(request: Request) -> dict[str, Any] | None:
    """Return the effects that the journal recorded when a request was confirmed; None if there are none."""
    if request.status != Request.Status.APPROVED:
        return None
    answers = JournalEntry.objects.filter(
        event=request.event_id, kind="request.decide", result__request=request.pk, result__has_key="done"
    )
    found = answers.values_list("body__noted__effects", flat=True).first()
    return found if isinstance(found, dict) else None


# The page of a table runs this query with every tap.
_WAITING = "SELECT id FROM tournament_request WHERE event_id = %s AND status = 'open' AND kind = ANY(%s)"


def rulings_waiting(event_id: int, *kinds: str) -> list[Request]:
    """Return the open requests that would change a ranking or a roster of an event, oldest first (T26).

    A ruling on chips changes stacks; after a disqualification everybody behind moves up. Lapsed requests are
    left out. ``kinds``: only requests of these kinds.
    """
    waiting = sql.rows(_WAITING, event_id, list(kinds or (*RULINGS, DISQUALIFY)))
    if not waiting:
        return []
    requests = Request.objects.filter(pk__in=[pk for (pk,) in waiting]).select_related("requested_by")
    return [each for each in requests.order_by("pk") if why_lapsed(each) is None]


def rulings_on_chips(rounds: Iterable[Round]) -> dict[int, list[Request]]:
    """Return entry → the open requests about its chips in these rounds, oldest first.

    A ruling on a count concerns the players whose stacks it moves.
    """
    rounds = list(rounds)
    pks = {each.pk for each in rounds}
    found: dict[int, list[Request]] = {}
    for request in rulings_waiting(rounds[0].event_id, *RULINGS) if rounds else ():
        body = request.body
        if body["round"] in pks:
            # A ruling of an earlier release does not name its entries.
            for entry_id in body.get("entries", ()) if request.kind == COUNT_RULING else [body["entry"]]:
                found.setdefault(entry_id, []).append(request)
    return found


def why_rulings_wait(event_id: int) -> Refused | None:
    """Return ``ruling_waits`` (409) while a request is open: no cut, tie or roster before the answer."""
    waiting = rulings_waiting(event_id)
    if not waiting:
        return None
    text = _(
        "A ruling on chips or a disqualification waits for a second person. Have it confirmed or refused"
        " first, on the page Second person."
    )
    if len(waiting) > 1:
        text = _(
            "%(n)s rulings on chips or disqualifications wait for a second person. Have them confirmed or"
            " refused first, on the page Second person."
        )
    return Conflict("ruling_waits", text, n=len(waiting))


def why_not_close(round_: Round, state: State | None = None) -> Refused | None:
    """Return why a stage cannot be closed now, with a sentence for every page (T19).

    ``not_counted`` (409), ``ruling_waits`` (409) if a request about its chips, or to disqualify one of its
    players, is open and nothing else is left to do at its tables, ``tie_open`` (409) while its tie is played
    off, ``tie_at_cut``, and ``event_over`` (409) in a called-off event. A decided play-off must be closed
    first: ``not_counted``. ``state``: that of its event, if it is known.
    """
    status = round_.status
    if status == Round.Status.CLOSED:
        return Conflict("not_counted", "%(round)s is closed already.", round=round_)
    if round_.event.status == Event.Status.CALLED_OFF:
        # All chips are handed in, so they can rank nobody any more (T8).
        return Conflict(
            "event_over", "The event is called off, so %(round)s can no longer be closed.", round=round_
        )
    if status == Round.Status.PLAYING_OFF:
        decided = round_.play_offs.filter(status=Round.Status.COUNTED).exists()
        sentence = Sentence("The play-off of %(title)s is decided. Close it first.", title=round_.title)
        return Conflict("not_counted", sentence) if decided else why_tie_open(round_)
    if status != Round.Status.COUNTED and not only_rulings_left(round_):
        return Conflict("not_counted", _not_counted(round_))
    waits = why_rulings_wait(round_.event_id)
    if waits is not None or round_.kind != Round.Kind.ROUND:
        return waits
    return why_tied(round_cut(round_, state))


def only_rulings_left(round_: Round) -> bool:
    """Whether only open requests for rulings keep a round from being counted (T18)."""
    if round_.kind != Round.Kind.ROUND or round_.status != Round.Status.PLAYING:
        return False
    left = {each.shoe for each in floor().progress(round_.pk) if each.state != SHOE_COUNTED}
    requests = rulings_waiting(round_.event_id, COUNT_RULING)
    return bool(left) and left <= {each.body["shoe"] for each in requests}


def _not_counted(round_: Round) -> Sentence:
    if round_.kind != Round.Kind.ROUND:
        return Sentence("%(round)s is not decided yet.", round=round_)
    return Sentence("%(round)s has not been counted at every table yet.", round=round_)


def why_tied(found: Advanced) -> Refused | None:
    """Return ``tie_at_cut``: the seats behind a tie belong to nobody before it is decided (T23)."""
    if not found.ties:
        return None
    return Refused(
        "tie_at_cut",
        "%(n)s players are tied for %(contested_seats)s of the seats in the next "
        "round. Decide the tie first.",
        n=len(found.level),
        contested_seats=found.seats,
    )
