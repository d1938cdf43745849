"""The seat of a disqualified qualifier."""

from __future__ import annotations

from typing import Any

from tables.models import Deal
from tables.services import seating
from tests.cast.corrected import post
from tests.cast.factories import new_key
from tests.cast.floor import hand, person, play_and_close, seated, shoe_of
from tests.cast.playing import promised
from tests.cast.tied import code_at
from tests.cast.worlds import kept
from tournament.models import Entry, Round


@kept
def three_of_five(**settings: Any) -> tuple[Round, Deal]:
    """Round 1 of five is closed: boxes 3, 1, 2 are through with 5,600, 5,400, 5,200; next are 4, then 5."""
    round_ = seated(5, cut_after_round_1=3, cut_after_round_2=2, **{**promised(30_000, 10_000), **settings})
    bets = {1: 400, 2: 200, 3: 600, 4: 200, 5: 400}
    deal = hand(shoe_of(round_), bets, b1="win", b2="win", b3="win", b4="lose", b5="lose")
    play_and_close(round_)
    post(round_.event, 30_000, 10_000)
    return round_, deal


def entry_at(round_: Round, box: int) -> Entry:
    return Entry.objects.get(event=round_.event_id, code=code_at(round_, box))


def fill(entry: Entry, reason: str = "the next-ranked plays", by: Entry | None = None) -> dict[str, Any]:
    """Give the seat of an entry to the next-ranked."""
    return seating.entry_replace(
        entry_id=entry.pk,
        reason=reason,
        replacement_id=by.pk if by else None,
        key=new_key(),
        actor=person("director"),
    )


def codes(round_: Round, *boxes: int) -> list[str]:
    return sorted(code_at(round_, box) for box in boxes)
