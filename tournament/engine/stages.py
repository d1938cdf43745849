"""The statuses and the allowed moves between them.

The words are the values in the database; the models' choices mirror them. A service may still refuse a move
in the table for a reason that is not in the status (a payment made, a count missing). A move that is not in
the table is never made.
"""

from collections.abc import Mapping
from typing import Final

from ground.refused import Conflict

# Event
DRAFT: Final = "draft"
OPEN: Final = "open"
RUNNING: Final = "running"
FINISHED: Final = "finished"
PAID: Final = "paid"
CALLED_OFF: Final = "called_off"

# Entry
LIVE: Final = "live"
WAITING: Final = "waiting"
WITHDRAWN: Final = "withdrawn"
NO_SHOW: Final = "no_show"
DISQUALIFIED: Final = "disqualified"

# Round
SEATED: Final = "seated"
PLAYING: Final = "playing"
COUNTED: Final = "counted"
PLAYING_OFF: Final = "playing_off"
CLOSED: Final = "closed"
IN_PLAY: Final = (SEATED, PLAYING)
"""The statuses of a stage in which hands are played."""

# How an entry ends a stage
ADVANCED: Final = "advanced"
CUT: Final = "cut"
ONLY_RANKED: Final = "ranked"

# Shoe (``COUNTED`` is shared with the round)
DEALING: Final = "dealing"
OVER: Final = "over"

# Deal (``OPEN`` is shared with the event)
SETTLED: Final = "settled"
VOID: Final = "void"
REVERSED: Final = "reversed"

# Draw
LOCKED: Final = "locked"
CONFIRMED: Final = "confirmed"
DRAWN: Final = "drawn"
SUPERSEDED: Final = "superseded"

# Request for approval (``OPEN`` is shared with the event)
APPROVED: Final = "approved"
REFUSED: Final = "refused"

MOVES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    # T8, T33, T35: from draft to the last prize paid.
    "event": {
        # The rules are posted and the desk opens; from the first buy-in on they are frozen (T2).
        DRAFT: (OPEN, CALLED_OFF),
        # The draw of round 1 is made (T4). Called off: too few entrants (T24) or the director (T8). Back to
        # draft: the director sets it up again, as long as no entry was ever sold.
        OPEN: (RUNNING, CALLED_OFF, DRAFT),
        # Every place is decided, ties for money included (T33).
        RUNNING: (FINISHED, CALLED_OFF),
        # T8: at any time before payment; the service checks that nothing has been paid. T17: back to running
        # while a hand is corrected, by two people and before the first payment. T26: a disqualification has
        # made a tie for money, which is played.
        FINISHED: (PAID, CALLED_OFF, RUNNING),
        # T26: two people have reversed a payment, and there is a prize to pay again.
        PAID: (FINISHED,),
        CALLED_OFF: (),
    },
    # T6, T7, T26. A person who withdrew may enter again, with a new entry.
    "entry": {
        # T7: withdrawn with or without a refund. T6: absent when the first bet is called. T26:
        # disqualified. Waiting: a box went out of use before the draw and there is none left (T4, T6).
        LIVE: (WITHDRAWN, NO_SHOW, DISQUALIFIED, WAITING),
        # T6: an alternate takes the seat of a no-show, or goes home with a refund.
        WAITING: (LIVE, WITHDRAWN),
        # T26: a player who left after a round had ranked them holds a place, and can lose it. The service
        # checks that a round did.
        WITHDRAWN: (DISQUALIFIED,),
        # T6: a no-show who comes before the first bet is called may still be seated.
        NO_SHOW: (LIVE, DISQUALIFIED),
        # T26: lesser penalties can be cancelled; a disqualification is confirmed by a second person and
        # final.
        DISQUALIFIED: (),
    },
    # T19: seated → playing → counted → tie at the cut played off inside the round → closed.
    "round": {
        # T6: the first bet is called; nobody is seated after that.
        SEATED: (PLAYING,),
        # T18: every table has been counted.
        PLAYING: (COUNTED,),
        # T18: a count is reopened. T23: a tie at the cut. T19: no tie, the round is closed.
        COUNTED: (PLAYING, PLAYING_OFF, CLOSED),
        # T23: the contested seats are decided. Back to counted: a correction has changed the tie.
        PLAYING_OFF: (COUNTED, CLOSED),
        # T17: two people have corrected a hand. Playing: a play-off or sudden death is not decided after all.
        # Counted: a round is closed again with the consequences.
        CLOSED: (PLAYING, COUNTED),
    },
    # T11, T18: one shoe at one table in one round.
    "shoe": {
        # T11: the cut card came out and the hand is finished, or the table had to be closed.
        DEALING: (OVER,),
        # T18: two counts agree. T11: it was ended by mistake, and nothing is counted yet.
        OVER: (COUNTED, DEALING),
        # T18: a count can be reopened until the round is closed.
        COUNTED: (OVER,),
    },
    # T17: a deal is never edited and never deleted.
    "deal": {
        # T17: void, every bet goes back and the number stays used.
        OPEN: (SETTLED, VOID),
        # T17: reversed and recorded again as another deal; void if it should not have counted at all.
        SETTLED: (REVERSED, VOID),
        VOID: (),
        REVERSED: (),
    },
    # T4, T21: once per number.
    "draw": {
        # The roster and the open seats are fixed and posted.
        "planned": (LOCKED,),
        # The five cards are confirmed by a second person, or there is no public input to wait for. A locked
        # draw with a wrong roster is replaced by two people, like a drawn one.
        LOCKED: (CONFIRMED, SUPERSEDED),
        CONFIRMED: (DRAWN, SUPERSEDED),
        # Two people redraw with the next commitment; the old draw stays public.
        DRAWN: (SUPERSEDED,),
        SUPERSEDED: (),
    },
    # T31: a posted structure is superseded by a new version and never edited.
    "payout": {LIVE: (SUPERSEDED,), SUPERSEDED: ()},
    # A request for approval is answered once.
    "request": {OPEN: (APPROVED, REFUSED), APPROVED: (), REFUSED: ()},
}
"""Kind → status → the statuses that may follow it."""


def move_check(kind: str, from_status: str, to_status: str) -> None:
    """Refuse ``move_not_allowed`` (409: the page was out of date) if the move is not in the table."""
    if to_status not in MOVES[kind].get(from_status, ()):
        raise Conflict(
            "move_not_allowed",
            "This %(kind)s is already %(words)s. Load the page again."
            if from_status == to_status
            else "This %(kind)s is %(words)s and cannot become %(words_2)s. Load the page again.",
            kind=kind,
            words=_words(from_status),
            words_2=_words(to_status),
        )


def _words(status: str) -> str:
    return status.replace("_", " ")
