"""An event that is played without tables: chips are won and lost, rounds are counted and closed."""

from __future__ import annotations

from tables.services.closing import round_close
from tables.services.facts_write import facts_write
from tests.cast.factories import EntryFactory, EventFactory, as_command, hands, new_key, round_seat, round_to
from tests.cast.worlds import kept
from tournament.models import Event, Round
from tournament.services.chips import chips_hand
from tournament.services.journal import Command
from tournament.services.payouts import payouts_post

SHARES = {"kind": "shares", "amounts": [5000, 3000, 2000]}


@kept
def event_with(entrants: int, *, kind: str = Event.Kind.TOURNAMENT, **settings: object) -> Event:
    """An open event with this many entries, E001 and on."""
    event: Event = EventFactory(settings=settings, kind=kind)
    for _ in range(entrants):
        EntryFactory(event=event)
    return event


def win(round_: Round, **nets: int) -> None:
    """Chips won (or lost) in one hand, by entry code; in a tie with what that decides."""

    def act(cmd: Command) -> None:
        stacks = {s.entry.code: s for s in round_.stacks.select_related("entry")}
        chips_hand(cmd, nets={stacks[code]: net for code, net in nets.items()}, source="deal:1")
        facts_write(cmd)

    as_command(round_.event, act, hands(round_, nets))
    round_.refresh_from_db()


def ladder(round_: Round) -> dict[str, int]:
    """Nets that make every stack differ: the lowest entry code ends on top."""
    codes = sorted(round_.stacks.values_list("entry__code", flat=True))
    return {code: 200 * (len(codes) - i) for i, code in enumerate(codes)}


def close(round_: Round) -> None:
    round_.refresh_from_db()
    round_to(round_, Round.Status.PLAYING, Round.Status.COUNTED)
    round_close(round_id=round_.pk, key=new_key(), actor=None)


@kept
def round_1_closed(entrants: int = 5, **settings: object) -> Event:
    """An event whose first round is closed, E001 first."""
    event = event_with(entrants, **settings)
    round_ = round_seat(event)
    win(round_, **ladder(round_))
    close(round_)
    event.refresh_from_db()
    return event


def promised(*prizes_cents: int) -> dict[str, object]:
    """Settings of an event whose rules promise these prizes, whatever the pool (T32)."""
    return {"prizes_promised": "list", "promised_prizes_cents": list(prizes_cents)}


def post(event: Event, structure: dict[str, object] | None = None) -> dict[str, object]:
    """Post a structure: shares for three places, unless another is given."""
    return payouts_post(event_id=event.pk, structure=structure or SHARES, key=new_key(), actor=None)


@kept
def finished(entrants: int = 5, structure: dict[str, object] | None = None, **settings: object) -> Event:
    """An event played to its end: E001 wins, then E002 …; prizes posted, nothing paid."""
    event = round_1_closed(entrants, **settings)
    post(event, structure)
    for _ in range(2):
        event.refresh_from_db()
        round_ = round_seat(event)
        win(round_, **ladder(round_))
        close(round_)
    event.refresh_from_db()
    return event
