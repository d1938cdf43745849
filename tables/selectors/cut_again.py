"""The new cut of a closed round that was corrected before the next one was seated (T17).

In ``cut_since`` the seats stand and the director rules; here the cut itself changes. The first posting is
compared with the present one, so that only public facts are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tables.models import Deal
from tournament.models import Entry, Event, Posting, Round, Stack
from tournament.selectors.stages import main_rounds

Kind, Status = Round.Kind, Round.Status


@dataclass(frozen=True)
class PlaceMoved:
    """An entry whose place in a round has changed by a correction."""

    entry: Entry
    before: int
    after: int


@dataclass(frozen=True)
class CutAgain:
    """A closed round that was corrected by ``corrected``, and perhaps closed again.

    ``goes_on``: out at the first close and now in; ``out``: in at the first close and now out; ``moved``:
    changed places, best first. ``is_open``: not closed again, because its tie is open.
    """

    round: Round
    corrected: tuple[Deal, ...]
    goes_on: tuple[Entry, ...]
    out: tuple[Entry, ...]
    moved: tuple[PlaceMoved, ...]
    is_open: bool


def cut_again(round_: Round) -> CutAgain | None:
    """Return what corrections after its first close changed in a round; None without one."""
    if round_.kind != Kind.ROUND:
        return None
    found = Posting.objects.filter(event=round_.event_id, kind=Posting.Kind.RESULT, number=round_.number)
    posted = list(found.order_by("version"))
    corrected = _corrected(round_, posted[0].at) if posted else ()
    if not corrected:
        return None
    closed_at = round_.closed_at
    last = [each for each in posted if closed_at and each.at <= closed_at]
    first, now = _standings(posted[0]), _standings(last[-1]) if last else {}
    entries = {e.code: e for e in Entry.objects.filter(event=round_.event_id).select_related("player")}
    advanced = Stack.Outcome.ADVANCED
    was = {code for code, (_place, outcome) in first.items() if outcome == advanced}
    is_now = {code for code, (_place, outcome) in now.items() if outcome == advanced}
    return CutAgain(
        round=round_,
        corrected=corrected,
        goes_on=tuple(entries[code] for code in sorted(is_now - was)) if now else (),
        out=tuple(entries[code] for code in sorted(was - is_now)) if now else (),
        moved=tuple(
            PlaceMoved(entries[code], first[code][0], place)
            for code, (place, _outcome) in now.items()
            if code in first and first[code][0] != place
        ),
        is_open=closed_at is None,
    )


def cut_again_now(event: Event) -> CutAgain | None:
    """Return the same for the last round, until a later stage is seated or the event is paid."""
    rounds = main_rounds(event)
    if not rounds or event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        return None
    later = Round.objects.filter(event=event, pk__gt=rounds[-1].pk).exclude(kind=Kind.PLAY_OFF)
    return None if later.exists() else cut_again(rounds[-1])


def _corrected(round_: Round, first_closed: datetime) -> tuple[Deal, ...]:
    """Return the hands corrected after the first close and before the last one, if any."""
    made = Deal.objects.filter(shoe__round__event=round_.event_id, corrects__isnull=False)
    made = made.filter(shoe__round__number__lte=round_.number, opened_at__gt=first_closed)
    made = made.exclude(shoe__round__kind=Kind.SUDDEN_DEATH)
    if round_.closed_at is not None:
        made = made.filter(opened_at__lte=round_.closed_at)
    found = made.select_related("shoe__table", "shoe__round", "opened_by")
    return tuple(found.order_by("opened_at", "pk"))


def _standings(posted: Posting) -> dict[str, tuple[int, str]]:
    """Map entry codes to place and outcome as posted, in their order."""
    return {code: (place, outcome) for place, code, _chips, outcome in posted.body["standings"]}
