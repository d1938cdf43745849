"""What a disqualification would change, for the person who confirms it: places, prizes, debts (T26)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any

from ground.refused import Refused
from tournament import sql
from tournament.engine.basis import Basis
from tournament.engine.ranking import Ranked
from tournament.engine.ties import TieGroup, prizes_by_entry
from tournament.models import Entry, Event, Request, Round, Stack
from tournament.selectors.basis import basis_made
from tournament.selectors.desk import requests_waiting
from tournament.selectors.floor import floor
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.prizes import paid_of, prizes_for
from tournament.selectors.stage_ranking import Row, stage_ranking
from tournament.selectors.stages import (
    NOT_RANKED,
    current_round,
    live_payouts,
    open_money_ties,
    places_so_far,
    play_is_over,
)
from tournament.selectors.tie_changes import Tie, ties_of
from tournament.selectors.unclaimed_prize import Goes, Unclaimed, places_ranked, unclaimed
from tournament.selectors.waiting import SHOE_COUNTED, effects_kept, why_lapsed

from .asked import find
from .entries import entry_disqualify
from .journal import Command, Json
from .requests import keeps
from .saving import taken_back


@dataclass(frozen=True)
class Place:
    """A place in the event, or a rank in the stage that is played; None where there is none yet."""

    number: int | None
    tied: bool = False
    word: str = ""


NOWHERE = Place(None)


@dataclass(frozen=True)
class Moved:
    """The changes for one entry, before and after; amounts in cents.

    A prize is None where there is none: nothing posted, or who has it still plays. ``paid_cents`` has been
    paid of it.
    """

    entry: Entry
    place_before: Place
    place_after: Place
    rank_before: Place
    rank_after: Place
    prize_before_cents: int | None
    prize_after_cents: int | None
    paid_cents: int

    @property
    def left_cents(self) -> int:
        """The amount still to be paid of the prize afterwards."""
        return max(0, (self.prize_after_cents or 0) - self.paid_cents)

    @property
    def changed(self) -> bool:
        """Whether this entry notices anything."""
        before = (self.place_before, self.rank_before, self.prize_before_cents)
        return before != (self.place_after, self.rank_after, self.prize_after_cents)


@dataclass(frozen=True)
class Effects:
    """The effects of a disqualification: entries that move, the disqualified first, and remarks.

    ``stage`` is the one that is played, None between two; ``decided``: every place is decided afterwards, so
    that the prizes are what is paid; ``begun`` are the ties for money that come of it, and ``opens``: places
    that were decided are open again by them; ``unheld`` is what becomes of the prizes that nobody is paid for
    by place. An older journal has both in sentences. ``counted`` are the tables whose two counts then agree
    (T18), and ``falls`` what a second person is asked for that no longer holds afterwards.
    """

    lines: tuple[Moved, ...]
    stage: Round | None
    decided: bool
    decides: bool
    begun: tuple[Tie | str, ...]
    opens: bool
    unheld: tuple[Unclaimed | str, ...]
    counted: tuple[int, ...]
    falls: tuple[Request, ...]


@dataclass(frozen=True)
class _Standing:
    """An event as it stands: places of finished entries, ranks of those in play, prizes by entry."""

    status: str
    places: dict[str, Place]
    ranks: dict[str, Place]
    prizes: dict[str, int]
    ties: tuple[TieGroup, ...]
    unheld: tuple[Unclaimed, ...]
    counted: tuple[int, ...]
    holding: tuple[Request, ...]

    @classmethod
    def of(cls, event_id: int, stage_id: int | None) -> _Standing:
        event = Event.objects.get(pk=event_id)
        ranked = places_ranked(event) or _places_out(event)
        ties = tuple(open_money_ties(event)) if play_is_over(event) else ()
        return cls(
            event.status,
            {each.entry: Place(each.place, each.tied) for each in ranked},
            {row.code: _rank(row) for row in _rows(stage_id)},
            _prizes(event, ranked, ties),
            ties,
            tuple(unclaimed(event)),
            _counted(stage_id),
            tuple(each for each in requests_waiting(event) if why_lapsed(each) is None),
        )


def disqualified_preview(request: Request) -> Effects:
    """Return what approving a request would change now; changes nothing.

    It is carried out and rolled back, so the preview is exact. Raises Refused whatever the approval would.
    """
    event = find(Event, request.event_id or 0, "event")
    stage = current_round(event)
    gone = find(Entry, request.body["entry"], "entry")
    with taken_back():
        before = _Standing.of(event.pk, stage.pk if stage else None)
        now = sql.row("SELECT clock_timestamp()")
        assert now is not None
        entry_disqualify(Command(event, None, None, now[0], 0), find(Entry, gone.pk, "entry"))
        after = _Standing.of(event.pk, stage.pk if stage else None)
    known = {code for group in before.ties for code in group.entries}
    begun = [group for group in after.ties if not known & set(group.entries)]
    decided = after.status == Event.Status.FINISHED
    return Effects(
        _lines(find(Event, event.pk, "event"), gone, before, after),
        stage,
        decided,
        decided and before.status != Event.Status.FINISHED,
        ties_of(begun),
        bool(begun) and before.status == Event.Status.FINISHED,
        after.unheld,
        tuple(table for table in after.counted if table not in before.counted),
        tuple(each for each in before.holding if each not in after.holding and each != request),
    )


def disqualified_looked(request: Request) -> Effects | Refused:
    """Return what approving an open request would change now, or why it is refused."""
    lapsed = why_lapsed(request)
    if lapsed is not None:
        return lapsed
    try:
        return disqualified_preview(request)
    except Refused as no:
        return no


def preview_basis(request_id: int, looked: Effects | Refused | None = None) -> Basis:
    """Return the basis of the answer: the places and the money that it would change now.

    The ranks of a round that is played change with every hand, and are no part of it. ``looked``: what it
    would change, where that was tried already.
    """
    request = Request.objects.get(pk=request_id)
    facts: Any = None
    if request.status == Request.Status.OPEN:
        found = looked or disqualified_looked(request)
        facts = found.code if isinstance(found, Refused) else _facts(found)
    return basis_made(
        f"asked disqualification {request_id}",
        [request.status, facts],
        now=request.now_words,
        event_id=request.event_id,
        about=[("request", request_id), ("entry", request.body["entry"])],
        over=request.status != Request.Status.OPEN,
    )


# What was confirmed, and what is recorded since -----------------------------------------------------------


@keeps(DISQUALIFY)
def _kept(request: Request) -> Json:
    """Return the effects that the confirmer saw, for the journal: figures and codes."""
    effects = disqualified_preview(request)
    return {
        "stage": effects.stage.pk if effects.stage else None,
        "lines": [
            {
                "entry": each.entry.code,
                "place": [astuple(each.place_before), astuple(each.place_after)],
                "rank": [astuple(each.rank_before), astuple(each.rank_after)],
                "prize_cents": [each.prize_before_cents, each.prize_after_cents],
                "paid_cents": each.paid_cents,
            }
            for each in effects.lines
        ],
        "decided": effects.decided,
        "decides": effects.decides,
        **_said(effects),
        "counted": effects.counted,
        "falls": [each.pk for each in effects.falls],
    }


def disqualified_kept(request: Request) -> Effects | None:
    """Return the effects of a disqualification when it was confirmed; None where not kept."""
    kept = effects_kept(request)
    if kept is None:
        return None
    codes = [each["entry"] for each in kept["lines"]]
    found = Entry.objects.filter(event=request.event_id, code__in=codes).select_related("player")
    entries = {each.code: each for each in found}
    falls = Request.objects.filter(pk__in=kept["falls"]).select_related("requested_by").order_by("pk")
    return Effects(
        lines=tuple(_line_kept(entries[each["entry"]], each) for each in kept["lines"]),
        stage=Round.objects.filter(pk=kept["stage"]).first(),
        decided=kept["decided"],
        decides=kept["decides"],
        begun=tuple(map(_tie_kept, kept["begun"])),
        opens=kept.get("opens", False),
        unheld=tuple(map(_unclaimed_kept, kept["unheld"])),
        counted=tuple(kept["counted"]),
        falls=tuple(falls),
    )


def _said(effects: Effects) -> Json:
    """The ties and the unclaimed prizes as JSON; sentences of before stay sentences."""
    return {
        "begun": [each if isinstance(each, str) else asdict(each) for each in effects.begun],
        "opens": effects.opens,
        "unheld": [each if isinstance(each, str) else asdict(each) for each in effects.unheld],
    }


def _tie_kept(kept: Json | str) -> Tie | str:
    return kept if isinstance(kept, str) else Tie(tuple(kept["entries"]), tuple(kept["places"]))


def _unclaimed_kept(kept: Json | str) -> Unclaimed | str:
    if isinstance(kept, str):
        return kept
    return Unclaimed(Goes(kept["goes"]), tuple(kept["places"]), kept["cents"], kept["shares_cents"])


def _line_kept(entry: Entry, kept: Json) -> Moved:
    before, after = (Place(*each) for each in kept["place"])
    rank_before, rank_after = (Place(*each) for each in kept["rank"])
    prize_before_cents, prize_after_cents = kept["prize_cents"]
    return Moved(
        entry,
        before,
        after,
        rank_before,
        rank_after,
        prize_before_cents,
        prize_after_cents,
        kept["paid_cents"],
    )


def recorded_since(request: Request, effects: Effects) -> tuple[Moved, ...]:
    """Return the entries whose place or prize has changed since it was confirmed: as it was, and as it is.

    Ranks of a round that is played change with every hand, and are no part of it.
    """
    event = find(Event, request.event_id or 0, "event")
    now, paid = _Standing.of(event.pk, None), paid_of(event)
    made = (
        Moved(
            each.entry,
            each.place_after,
            now.places.get(each.entry.code, NOWHERE),
            NOWHERE,
            NOWHERE,
            each.prize_after_cents,
            now.prizes.get(each.entry.code),
            paid.get(each.entry.pk, 0),
        )
        for each in effects.lines
    )
    return tuple(each for each in made if each.changed)


def _facts(effects: Effects) -> list[Any]:
    lines = [
        [
            each.entry.code,
            astuple(each.place_before),
            astuple(each.place_after),
            *(each.prize_before_cents, each.prize_after_cents, each.paid_cents),
        ]
        for each in effects.lines
    ]
    falls = [each.pk for each in effects.falls]
    return [lines, effects.decided, _said(effects), effects.counted, falls]


def _lines(event: Event, gone: Entry, before: _Standing, after: _Standing) -> tuple[Moved, ...]:
    paid = paid_of(event)
    made = [
        Moved(
            each,
            before.places.get(each.code, NOWHERE),
            after.places.get(each.code, NOWHERE),
            before.ranks.get(each.code, NOWHERE),
            after.ranks.get(each.code, NOWHERE),
            before.prizes.get(each.code),
            after.prizes.get(each.code),
            paid.get(each.pk, 0),
        )
        for each in event.entries.select_related("player").order_by("number")
    ]
    noticed = [each for each in made if each.changed or each.entry.pk == gone.pk]
    return tuple(sorted(noticed, key=lambda each: (each.entry.pk != gone.pk, *_order(each))))


def _order(line: Moved) -> tuple[int, int]:
    first = line.place_before.number or line.rank_before.number or 0
    return first, line.entry.number


def _places_out(event: Event) -> list[Ranked]:
    """Return the present places of entries that play no more; of all once play is over."""
    places = places_so_far(event)
    if play_is_over(event):
        return places
    stacks = Stack.objects.filter(round__event=event, round__kind=Round.Kind.ROUND)
    ranked_here = stacks.exclude(round__status=Round.Status.CLOSED).exclude(state__in=NOT_RANKED)
    cut = stacks.filter(outcome=Stack.Outcome.CUT).values("entry")
    through = event.entries.filter(status=Entry.Status.LIVE).exclude(pk__in=cut)
    in_it = {*ranked_here.values_list("entry__code", flat=True), *through.values_list("code", flat=True)}
    return [each for each in places if each.entry not in in_it]


def _rows(stage_id: int | None) -> Sequence[Row]:
    return stage_ranking(Round.objects.get(pk=stage_id)).rows if stage_id else ()


def _counted(stage_id: int | None) -> tuple[int, ...]:
    """The tables of a stage that are counted, by number."""
    tables = floor().progress(stage_id) if stage_id else ()
    return tuple(each.table for each in tables if each.state == SHOE_COUNTED)


def _rank(row: Row) -> Place:
    return Place(row.place, row.tied, str(row.state))


def _prizes(event: Event, ranked: Sequence[Ranked], ties: Sequence[TieGroup]) -> dict[str, int]:
    """Prizes by code: as decided; before that what the place pays as it stands, of who is out."""
    if event.status == Event.Status.FINISHED:
        codes = dict(event.entries.values_list("pk", "code"))
        return {codes[pk]: cents for pk, cents in prizes_for(event).items()}
    live = live_payouts(event)
    if live is None:
        return {}
    playing = {code for group in ties for code in group.entries}
    by_place = prizes_by_entry(ranked, live.prizes_cents)
    return {code: cents for code, cents in by_place.items() if code not in playing}
