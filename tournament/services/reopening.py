"""What was closed is opened again to be put right, by two persons and before the first payment (T17).

Called from inside commands; never a command of its own. Postings stay: what is closed again is posted anew.
"""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament.engine.ranking import rank
from tournament.models import ChipTransaction, Entry, Event, Round, Stack
from tournament.selectors.prizes import payments_standing
from tournament.selectors.stages import (
    round_cut,
    standings_of,
)

from .chips import chips_rewrite
from .journal import Command
from .rounds import close_with_cut, places_settle, result_post
from .status import status_move

Kind, Status = Round.Kind, Round.Status
IN_PLAY = (Stack.State.PLAYING, Stack.State.ABSENT)


def refuse_paid(event: Event) -> None:
    """After the first payment every hand stands (T17). Raises Refused ``paid_from`` (409)."""
    if payments_standing(event).exists():
        raise Refused(
            "paid_from",
            _(
                "A prize has been paid. No hand is changed until every payment has been taken back, each by"
                " two persons."
            ),
            status=409,
        )


def event_reopen(cmd: Command, event: Event) -> None:
    """Places that were decided are open again; does nothing before that."""
    if event.status != Event.Status.FINISHED:
        return
    event.entries.update(place=None, place_tied=False, final_chips=None)
    chips_rewrite(cmd, reverse=_returned(event, "settled"), post=(), due=False)
    status_move(event, Event.Status.RUNNING)


def round_reopen(cmd: Command, round_: Round) -> None:
    """A closed main round is counted again: its chips lie on the table as they did, nobody has a place."""
    _refuse_left(round_)
    status_move(round_, Status.COUNTED, closed_at=None)
    chips_rewrite(cmd, reverse=_returned(round_.event, f"round:{round_.pk}"), post=(), due=False)
    round_.stacks.update(place=None, place_tied=False, closed_chips=None, outcome=Stack.Outcome.NONE)


def round_reclose(cmd: Command, round_: Round) -> None:
    """Close it again, with a new version of its result; where its tie is open after all it waits for that.

    T26: who was disqualified since the close is last of the round, and goes on by no correction.
    """
    gone = round_.stacks.filter(state__in=IN_PLAY, entry__status=Entry.Status.DISQUALIFIED)
    gone.update(state=Stack.State.DISQUALIFIED)
    _refuse_gone(round_)
    if round_.status == Status.COUNTED and not round_cut(round_).open_tie:
        close_with_cut(cmd, round_)
    places_settle(cmd, round_.event)


def _refuse_left(round_: Round) -> None:
    """T25: who was to go on and left, or was replaced, has changed the cut since; it is not made again."""
    went_on = round_.stacks.filter(outcome=Stack.Outcome.ADVANCED).select_related("entry")
    left = [stack.entry for stack in went_on if stack.entry.status != Entry.Status.LIVE]
    if left:
        raise _left(left[0], f"was to go on after {round_} and has left since")


def _refuse_gone(round_: Round) -> None:
    """T25: who was cut and has left since cannot go on after all."""
    if round_.status != Status.COUNTED:
        return
    found = round_cut(round_).cut
    left = round_.event.entries.filter(code__in=(*found.advance, *found.tied)).exclude(
        status=Entry.Status.LIVE
    )
    if left.exists():
        raise _left(left[0], f"was cut in {round_}, would go on, and has left since")


def _left(entry: Entry, what: str) -> Refused:
    return Refused(
        "entry_left",
        _(
            "%(entry)s %(what)s, so its cut is not made again. Draw the next round first; "
            "then the chips follow and the seats stand."
        ),
        status=409,
        entry=entry.code,
        what=what,
    )


def ranks_again(cmd: Command, round_: Round) -> None:
    """The ranks of a closed round by its stacks as they are now; who went on stays (T17, T20)."""
    stacks = {s.entry.code: s for s in round_.stacks.select_related("entry").exclude(place=None)}
    for ranked in rank(standings_of(stacks.values())):
        stack = stacks[ranked.entry]
        stack.place, stack.place_tied = ranked.place, ranked.tied
    Stack.objects.bulk_update(stacks.values(), ["place", "place_tied"])
    result_post(cmd, round_, stacks.values())


def _returned(event: Event, source: str) -> list[ChipTransaction]:
    standing = ChipTransaction.objects.filter(event=event, source=source, reversed_by__isnull=True)
    return list(standing.filter(kind=ChipTransaction.Kind.RETURN).order_by("pk"))
