"""The draw that players can check: lock, public cards, second person, seats, redraw (T4, T14, T21)."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User

from games.registry import game_of
from ground.refused import Conflict, Forbidden, Refused, refuse
from ground.words import gettext_noop as _
from tables.models import Deal, Seat, Shoe, Table
from tables.selectors.draws import open_draw, purpose_of, roster_check, why_not_drawn
from tables.selectors.floor import house_rules, tables_posted, tables_usable
from tables.selectors.next_hand import REDRAW
from tournament import sql
from tournament.engine.draw import cards_parse, seats_drawn
from tournament.engine.facts import RosterLocked, Seated, key_of
from tournament.engine.next_steps import NextStep
from tournament.engine.seats import capacity, open_seats, tables_needed
from tournament.models import Draw, DrawSecret, Entry, Event, Posting, Request, Round
from tournament.selectors.next_steps import seat_due
from tournament.selectors.stages import IN_PLAY, main_rounds
from tournament.services import commits
from tournament.services.arguments import event_of, find
from tournament.services.journal import Command, Json, command
from tournament.services.requests import handler, request_open
from tournament.services.rounds import posting_make, round_open
from tournament.services.second_person import second_person
from tournament.services.status import status_move

from .facts_write import facts_write

Status = Draw.Status

# Lock, cards, confirm -------------------------------------------------------------------------------


def draw_lock(*, event_id: int, key: str, actor: User | None) -> Json:
    """Fix the roster and the open seats of the next draw, and post them with its number (T4, T21).

    In round 1 the last entries without a box wait as alternates (T4). Without public input the draw is
    carried out at once. Gives ``{"draw": id, "number": n, "roster": codes, "waiting": codes}``. Raises
    Refused ``no_draw_due`` (409), ``draw_in_progress`` (409), ``no_commitment_left``, and what
    ``why_not_drawn`` says.
    """

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        due = _due(event)
        codes, waiting = _roster(event, due)
        draw = _lock(cmd, event, codes, purpose_of(due), due.stage[1])
        facts_write(cmd, RosterLocked(tuple(draw.roster), tuple(waiting)))
        return {"draw": draw.pk, "number": draw.number, "roster": draw.roster, "waiting": waiting}

    body = {"event": event_id}
    return command(kind="draw.lock", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _due(event: Event) -> NextStep:
    _refuse_over(event)
    locked = open_draw(event)
    if locked is not None:
        raise Conflict(
            "draw_in_progress", _("The roster of draw %(number)s is locked already."), number=locked.number
        )
    due = seat_due(event)
    if due is None:
        raise Conflict(
            "no_draw_due", _("No seats are to be drawn now. First close the round that is being played.")
        )
    refuse(why_not_drawn(event, due))
    return due


def _refuse_over(event: Event) -> None:
    if event.status not in (Event.Status.OPEN, Event.Status.RUNNING):
        raise Conflict(
            "no_draw_due",
            _("%(event)s is %(state)s: there is nothing to draw."),
            event=event,
            state=event.get_status_display(),
        )


def _roster(event: Event, due: NextStep) -> tuple[list[str], list[str]]:
    """Return (drawn, waiting) codes: in round 1 as many as there are boxes are drawn, in order (T4, T6)."""
    if not due.late_seated:
        return list(due.entries), []
    entrants = event.entries.filter(status__in=[Entry.Status.LIVE, Entry.Status.WAITING])
    codes = list(entrants.order_by("number").values_list("code", flat=True))
    boxes = capacity(tables_usable(event), event.settings.tables_count)
    return codes[:boxes], codes[boxes:]


def _lock(cmd: Command, event: Event, codes: Iterable[str], purpose: str, kind: str) -> Draw:
    """Take the next commitment for this roster (verifiable draw, step 2)."""
    roster = sorted(codes)
    draw = event.draws.filter(status=Status.PLANNED).order_by("number").first()
    if draw is None:
        raise Refused("no_commitment_left", _("Every secret that was fixed with the rules has been used."))
    seats = _open_seats(event, len(roster), kind)
    cmd.note(draw=draw.number, roster=roster, open_seats=seats)
    status_move(draw, Status.LOCKED, roster=roster, open_seats=seats, purpose=purpose)
    if not event.settings.public_input:
        _confirmed(draw)
    return draw


def _open_seats(event: Event, entrants: int, kind: str) -> list[list[int]]:
    try:
        chosen = tables_needed(entrants, tables_usable(event), tables_posted(event, kind))
        return [list(seat) for seat in open_seats(chosen, entrants)]
    except Refused as no:
        if no.code != "boxes_short":
            raise
        raise Refused("no_box", no.message) from no


def _confirmed(draw: Draw, by: User | None = None) -> None:
    status_move(draw, Status.CONFIRMED, confirmed_by=by)
    commits.after_commit("tables.seat_round", draw.pk)


def draw_cards(*, draw_id: int, cards: str, key: str, actor: User | None) -> Json:
    """Enter the five cards that a player's cut has exposed (step 3); a second person confirms them.

    Until then they can be entered again. Raises Refused ``draw_not_locked`` (409), also where the event draws
    without public cards, ``cards_count``, ``cards_bad``, ``cards_twice``.
    """
    draw = find(Draw, draw_id, "draw")
    typed = cards_parse(cards)

    def act(cmd: Command) -> Json:
        draw.refresh_from_db()
        _status_check(draw, "draw_not_locked", Status.LOCKED)
        draw.cards, draw.cards_by = typed, cmd.actor
        draw.save(update_fields=["cards", "cards_by"])
        return {"draw": draw.pk, "cards": typed}

    body = {"draw": draw_id, "cards": typed}
    return command(kind="draw.cards", key=key, actor=actor, event_id=draw.event_id, body=body, act=act)


def draw_confirm(*, draw_id: int, cards: str = "", key: str, actor: User | None) -> Json:
    """Confirm the five cards as the second person; the seats are drawn once this is saved.

    ``cards``: the cards that the person saw on the page. In a rehearsal one person may do both, and the
    journal says so. Raises Refused ``draw_not_locked`` (409), ``cards_missing``, ``cards_changed`` (409) if
    others were entered since, ``same_person`` (403), ``login_of_yours`` (403), ``no_draw_due`` (409) if the
    event is over, ``roster_changed`` (409).
    """
    draw = find(Draw, draw_id, "draw")

    def act(cmd: Command) -> Json:
        draw.refresh_from_db()
        event = event_of(cmd)
        _status_check(draw, "draw_not_locked", Status.LOCKED)
        if not draw.cards:
            raise Refused("cards_missing", _("Type the five cards of the cut first."))
        if cards and cards != draw.cards:
            raise Conflict(
                "cards_changed",
                _("In the meantime the cards %(cards)s have been typed. Compare them again."),
                cards=draw.cards,
            )
        same = Forbidden("same_person", _("A second person, with a login of their own, confirms."))
        second_person(cmd, first_id=draw.cards_by_id, one_may=event.is_rehearsal, own=same)
        _refuse_over(event)
        roster_check(draw, seat_due(event))
        _confirmed(draw, cmd.actor)
        return {"draw": draw.pk, "number": draw.number, "cards": draw.cards}

    body = {"draw": draw_id, "cards": cards} if cards else {"draw": draw_id}
    return command(kind="draw.confirm", key=key, actor=actor, event_id=draw.event_id, body=body, act=act)


def _status_check(draw: Draw, code: str, *allowed: str) -> None:
    """Refuse ``code`` (409) unless the draw has one of these statuses."""
    if draw.status not in allowed:
        text, state = _("Draw %(draw)s is %(state)s."), draw.get_status_display()
        raise Conflict(code, text, draw=draw.number, state=state)


# The draw itself ------------------------------------------------------------------------------------


def round_seat(*, draw_id: int) -> Json:
    """Carry out a confirmed draw: secret, seats, shoes, buttons, posting, all in one transaction (step 4).

    The task calls this; it is idempotent, since a draw has one key. Gives ``{"round": id, "seats": [[code,
    table, box]]}``. Raises Refused ``draw_not_confirmed`` (409), ``no_draw_due`` (409) if the event is over
    by now, ``roster_changed`` (409).
    """
    draw = find(Draw, draw_id, "draw")

    def act(cmd: Command) -> Json:
        draw.refresh_from_db()
        event = event_of(cmd)
        _status_check(draw, "draw_not_confirmed", Status.CONFIRMED)
        _refuse_over(event)
        secret = bytes(DrawSecret.objects.get(draw=draw).secret)
        mixed = (secret, event.code, draw.number, draw.roster, draw.cards)
        drawn, buttons = seats_drawn(*mixed, draw.open_seats)
        round_, seats = _round_for(cmd, event, draw), [list(seat) for seat in drawn]
        cmd.note(secret=secret.hex(), buttons=buttons)
        facts_write(cmd, Seated(key_of(round_), tuple(drawn), tuple(buttons.items())))
        _shoes_make(cmd, round_, buttons)
        status_move(draw, Status.DRAWN, revealed_secret=secret.hex(), result=seats, drawn_at=cmd.at)
        _post(cmd, event, draw, round_, buttons)
        return {"round": round_.pk, "draw": draw.number, "seats": seats}

    return command(
        kind="round.seat",
        key=f"seat:{draw_id}",
        actor=None,
        event_id=draw.event_id,
        body={"draw": draw_id},
        act=act,
    )


def _round_for(cmd: Command, event: Event, draw: Draw) -> Round:
    """Return the round that this draw seats: a new one, or in a redraw the existing one."""
    standing = draw.rounds.first()
    if standing is not None:
        return standing
    due = seat_due(event)
    roster_check(draw, due)
    assert due is not None
    return round_open(cmd, step=due, draw=draw)


def _shoes_make(cmd: Command, round_: Round, buttons: dict[int, int]) -> None:
    """Make a shoe for every table, with its button (T11, T14); a redraw keeps existing shoes."""
    tables = {table.number: table for table in Table.objects.filter(event=round_.event_id)}
    earlier = list(round_.shoes.select_related("table"))
    there = {shoe.table.number: shoe for shoe in earlier if shoe.status == Shoe.Status.DEALING}
    burned = game_of(house_rules(round_)).burned_cards
    for number in sorted(there.keys() - buttons.keys()):
        _shoe_unused(cmd, there.pop(number))
    for number, shoe in there.items():
        shoe.button_box = buttons[number]
    sql.update(list(there.values()), ["button_box"])
    Shoe.objects.bulk_create(
        Shoe(
            round=round_,
            table=tables[number],
            number=1 + sum(shoe.table.number == number for shoe in earlier),
            decks=round_.event.settings.decks,
            cards_dealt=burned,
            button_box=box,
            opened_at=cmd.at,
        )
        for number, box in buttons.items()
        if number not in there
    )


def _shoe_unused(cmd: Command, shoe: Shoe) -> None:
    """Close a shoe that a redraw leaves empty: nothing was dealt, so nothing is counted."""
    status_move(shoe, Shoe.Status.OVER, ended_reason="drawn anew at other tables", ended_at=cmd.at)
    status_move(shoe, Shoe.Status.COUNTED)


def _post(cmd: Command, event: Event, draw: Draw, round_: Round, buttons: dict[int, int]) -> None:
    """Post everything that a player needs to check the draw, on paper or with ten lines of code (step 4)."""
    body = {
        "event": event.code,
        "number": draw.number,
        "purpose": draw.purpose,
        "round": round_.number,
        "roster": draw.roster,
        "open_seats": draw.open_seats,
        "cards": draw.cards,
        "commitment": draw.commitment,
        "secret": draw.revealed_secret,
        "result": draw.result,
        "buttons": {str(table): box for table, box in buttons.items()},
    }
    posting_make(cmd, kind=Posting.Kind.DRAW, number=draw.number, body=body)


# Redraw ---------------------------------------------------------------------------------------------


def redraw_request(*, draw_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Ask a second person for a redraw with the next commitment, before the first bet only (step 5).

    The old draw stays public. Raises Refused ``first_bet_called`` (409), ``draw_superseded`` (409),
    ``no_spare_left`` (409), ``reason_missing``, ``already_asked`` (409).
    """
    draw = find(Draw, draw_id, "draw")
    return request_open(
        event_id=draw.event_id,
        kind=REDRAW,
        body={"draw": draw_id},
        reason=reason,
        check=lambda: _redraw_check(find(Draw, draw_id, "draw")),
        key=key,
        actor=actor,
    )


def _redraw_check(draw: Draw) -> Round | None:
    """Return the round that the draw has seated, if any. Refuse once a bet was made in it."""
    _status_check(draw, "draw_superseded", Status.LOCKED, Status.CONFIRMED, Status.DRAWN)
    round_ = draw.rounds.first()
    if round_ is None and draw.status == Status.DRAWN:
        raise Conflict(
            "draw_superseded", _("Draw %(draw)s is no longer the draw of a round."), draw=draw.number
        )
    dealt = round_ is not None and Deal.objects.filter(shoe__round=round_).exists()
    if round_ is not None and (round_.status != Round.Status.SEATED or dealt):
        raise Conflict(
            "first_bet_called", _("%(round)s has begun with its first bet: the draw stands."), round=round_
        )
    _spare_check(draw.event, round_.number if round_ else len(main_rounds(draw.event)) + 1)
    return round_


def _spare_check(event: Event, number: int) -> None:
    """Refuse unless a commitment is left for every stage to come: rounds, their play-offs, sudden death."""
    to_come = 2 * max(0, event.format.last - number) + (number <= event.format.last)
    if event.draws.filter(status=Status.PLANNED).count() <= to_come:
        raise Conflict(
            "no_spare_left",
            _("The remaining secrets are needed for the coming rounds; none is left for a redraw."),
        )


@handler(REDRAW, check=lambda request: _redraw_check(find(Draw, request.body["draw"], "draw")))
def _redraw(cmd: Command, request: Request) -> Json:
    """Redraw after the approval: the next draw takes over; stacks stay, seats are given up."""
    draw = find(Draw, request.body["draw"], "draw")
    event = event_of(cmd)
    round_ = _redraw_check(draw)
    status_move(draw, Status.SUPERSEDED, superseded_reason=request.reason)
    purpose = draw.purpose.removesuffix(", again")
    if round_ is None:
        due = _due(event)
        codes, waiting = _roster(event, due)
        # The stage to seat may be over by now, and another one due.
        purpose, kind = purpose_of(due), due.stage[1]
    else:
        kind = round_.kind
        # Read the entries from stacks: a second redraw has no seats yet.
        codes = list(round_.stacks.filter(state__in=IN_PLAY).values_list("entry__code", flat=True))
        Seat.objects.filter(round=round_, vacated_at__isnull=True).update(vacated_at=cmd.at)
    again = _lock(cmd, event, codes, f"{purpose}, again", kind)
    if round_ is not None:
        Round.objects.filter(pk=round_.pk).update(draw=again)
    else:
        facts_write(cmd, RosterLocked(tuple(again.roster), tuple(waiting)))
    return {"draw": again.pk, "number": again.number, "supersedes": draw.number}
