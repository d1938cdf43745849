"""Draws: the one in progress, why a draw cannot be made now, and the public draws."""

from __future__ import annotations

from dataclasses import dataclass

from ground.refused import Conflict, Refused, refuse
from tables.selectors.floor import tables_posted, tables_usable
from tables.selectors.next_hand import REDRAW, why_not_running
from tournament.engine.next_steps import NextStep
from tournament.engine.seats import capacity, tables_needed
from tournament.models import Draw, Entry, Event, Request, Round
from tournament.selectors.desk import why_too_few
from tournament.selectors.next_steps import seat_due
from tournament.selectors.open_requests import why_rulings_wait

Status = Draw.Status


@dataclass(frozen=True)
class DrawView:
    """What the draw page shows the staff.

    ``due``: the stage to seat next (None: nothing); ``draw``: the draw in progress (None: the roster is not
    locked yet); ``redraw``: an open request for a redraw; ``last``: the last draw made; ``problem``: why the
    draw cannot go on, empty if it can.
    """

    due: NextStep | None
    draw: Draw | None
    last: Draw | None
    redraw: Request | None
    problem: str

    @property
    def purpose(self) -> str:
        """The purpose of the current or next draw; empty without one."""
        return self.draw.purpose if self.draw else purpose_of(self.due) if self.due else ""


def purpose_of(due: NextStep) -> str:
    """Return the purpose of a stage's draw, as it is posted."""
    number, kind, sequence = due.stage
    if kind == Round.Kind.SUDDEN_DEATH:
        return "Seats for sudden death"
    if kind == Round.Kind.PLAY_OFF:
        return f"Seats for {f'play-off {sequence}' if sequence > 1 else 'the play-off'} of round {number}"
    return f"Seats for round {number}"


def open_draw(event: Event) -> Draw | None:
    """Return the draw whose roster is locked and that is not drawn yet, None without one."""
    return event.draws.filter(status__in=[Status.LOCKED, Status.CONFIRMED]).order_by("number").first()


def why_not_drawn(event: Event, due: NextStep, *, puts_out: bool = False) -> Refused | None:
    """Return why the roster of the next stage cannot be locked; None where it can.

    ``ruling_waits`` (409): a waiting ruling may change who is seated or what they play for (T23, T26).
    ``too_few_entrants``: fewer entries than the posted minimum have a box (T24). ``no_box``: no box is in
    use, or after round 1 there are too few (T4); in round 1 entries without a box wait. ``puts_out``: the
    caller adds the needed tables first if there are none.
    """
    if waits := why_rulings_wait(event.pk):
        return waits
    if due.late_seated and (few := why_too_few(event)):
        return few
    return None if puts_out and not event.tables.exists() else _why_no_box(event, due)


def _why_no_box(event: Event, due: NextStep) -> Refused | None:
    tables, posted = tables_usable(event), tables_posted(event, due.stage[1])
    if capacity(tables, posted) < 1:
        return Refused("no_box", "No box is in use. Add a table first.")
    if due.late_seated or not due.entries:
        return None
    try:
        tables_needed(len(due.entries), tables, posted)
    except Refused as no:
        return Refused("no_box", no.message)
    return None


def draws_public(event: Event) -> list[Draw]:
    """Return every draw that was ever locked, superseded ones too, by number."""
    return list(event.draws.exclude(status=Status.PLANNED).order_by("number"))


def draws_waiting() -> list[int]:
    """Return ids of draws that are confirmed but not carried out, for the sweep."""
    on = (Event.Status.OPEN, Event.Status.RUNNING)
    return list(
        Draw.objects.filter(status=Status.CONFIRMED, event__status__in=on).values_list("pk", flat=True)
    )


def redraw_check(event: Event, entry: Entry | None = None) -> None:
    """Refuse ``draw_in_progress`` (409) while a redraw is under way: its roster is locked, without new seats.

    ``entry``: only if this entry is on the roster.
    """
    redraws = event.draws.filter(status__in=[Status.LOCKED, Status.CONFIRMED], rounds__isnull=False)
    draw = redraws.first()
    if draw is not None and (entry is None or entry.code in draw.roster):
        raise Conflict(
            "draw_in_progress",
            "A redraw is under way: the roster of draw %(draw)s is locked. Carry out that draw first.",
            draw=draw.number,
        )


def before_first_bet(round_: Round) -> None:
    """Refuse a change of seats unless the round is seated and its first bet is not called yet.

    Raises Refused ``event_not_running``, ``first_bet_called`` and ``draw_in_progress``, all 409.
    The round of a called-off event stays seated, and its seats do not change (T8).
    """
    refuse(why_not_running(round_.event))
    if round_.status != Round.Status.SEATED:
        raise Conflict(
            "first_bet_called", "%(round)s has begun with its first bet: seats stand.", round=round_
        )
    redraw_check(round_.event)


def draw_view(event: Event) -> DrawView:
    """What the draw page shows the staff."""
    draw = open_draw(event)
    last = event.draws.filter(status=Status.DRAWN).order_by("-number").first()
    redraw = Request.objects.filter(event=event, kind=REDRAW, status=Request.Status.OPEN).first()
    problem = ""
    due = seat_due(event)
    if draw is not None and event.status in (Event.Status.OPEN, Event.Status.RUNNING):
        try:
            roster_check(draw, due)
        except Refused as no:
            problem = no.message
    return DrawView(due, draw, last, redraw, problem)


def roster_check(draw: Draw, due: NextStep | None) -> None:
    """Refuse ``roster_changed`` (409) if the players to seat are not those of the locked roster.

    In round 1 entries bought after the lock are late, not missing (T6). A redraw has no stage of its own: its
    round stands.
    """
    if draw.rounds.exists():
        return
    codes, roster = set(due.entries if due else ()), set(draw.roster)
    if roster == codes or (due and due.late_seated and roster < codes):
        return
    raise Conflict(
        "roster_changed",
        "The players have changed since the roster of draw %(draw)s was locked. No longer seated: "
        "%(gone)s. To be seated as well: %(new)s. Ask a second person to confirm a redraw.",
        draw=draw.number,
        gone=", ".join(sorted(roster - codes)) or "–",
        new=", ".join(sorted(codes - roster)) or "–",
    )
