"""What a correction would change, for the director to see before it is confirmed (T17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tables.models import Deal, Shoe
from tables.selectors.countings import (
    BoxCounted,
    ruling_standing,
)
from tables.selectors.cut_since import Differs
from tables.selectors.facts_standing import Course
from tournament.engine.facts import StageKey
from tournament.engine.ranking import Ranked, RoundResult, Standing, cut, final_places, rank
from tournament.engine.stages import DISQUALIFIED
from tournament.engine.state import Result, seats_of, stage_of
from tournament.engine.tie_look import ADVANCED, CUT, RANKED
from tournament.engine.ties import TieGroup, prizes_by_entry
from tournament.models import Entry, Event, Penalty, Round, Stack
from tournament.selectors.prizes import prizes_for
from tournament.selectors.stage_ranking import Ranking, State, stacks_by_code, stage_ranking
from tournament.selectors.stages import (
    live_payouts,
    main_rounds,
    places_so_far,
    play_is_over,
    qualified,
    round_stacks,
    standings_of,
)

from .put_right import TOO_FEW, Found
from .working import Correction


@dataclass(frozen=True)
class Line:
    """One entry in a preview: stack, rank, side of the cut and prize, before and after.

    ``cut_before`` and ``cut_after`` are states of the ranking, empty in a round without a cut; in a tie that
    is played for ``in`` and ``out``, ``open`` while it goes on, ``placed`` where a place is decided. A prize
    is what the rank pays as it stands, ties shared; None for who plays on, or with no structure posted.
    """

    entry: str
    chips_before: int
    chips_after: int
    rank_before: int
    rank_after: int
    cut_before: str
    cut_after: str
    prize_before_cents: int | None
    prize_after_cents: int | None

    @property
    def changed(self) -> bool:
        """Whether this entry notices anything."""
        before = (self.chips_before, self.rank_before, self.cut_before, self.prize_before_cents)
        return before != (self.chips_after, self.rank_after, self.cut_after, self.prize_after_cents)


@dataclass(frozen=True)
class Preview:
    """What a correction would do: all entries of the round, those that change, whether a count is redone.

    ``handed_in``: by entry, what those who have left had as they left, and would have had, in chips;
    ``void``: later hands of a tie that would not stand, and why, ``dropped``: penalties in chips likewise;
    ``goes_on``: the tie would be open; ``seats_stand``: a later stage is seated, so that who went on stays,
    and ``differs`` is who should have by the hands then. ``ruled``: the boxes that a ruling on the count was
    about, which is taken back with the count, or keeps what it moved.
    """

    deal: Deal
    lines: tuple[Line, ...]
    recount: bool
    void: tuple[tuple[Deal, str], ...] = ()
    dropped: tuple[tuple[Penalty, str], ...] = ()
    handed_in: tuple[tuple[str, int, int], ...] = ()
    goes_on: bool = False
    seats_stand: bool = False
    differs: Differs | None = None
    ruled: tuple[BoxCounted, ...] = ()

    @property
    def changed(self) -> tuple[Line, ...]:
        """The entries that notice anything."""
        return tuple(line for line in self.lines if line.changed)


# The preview ----------------------------------------------------------------------------------------


def round_preview(found: Found, lines: tuple[Line, ...] | None = None) -> Preview:
    """What the correction of a hand of a round would do; ``lines``, where it was tried and they were read."""
    recount = found.hand.deal.shoe.status == Shoe.Status.COUNTED
    lines = _lines(found) if lines is None else lines
    handed_in = tuple(_handed_in(found))
    return Preview(found.hand.deal, lines, recount, handed_in=handed_in, ruled=_ruled(found.hand))


def _handed_in(found: Found) -> Iterator[tuple[str, int, int]]:
    """T26: no ranking shows the chips of who has left; what they had as they left may be another."""
    key = found.key[0]
    then, now = found.before.had(key), found.after.had(key)
    left = (_left(course, key) for course in (found.before, found.after))
    for code in sorted(set.intersection(*left)):
        if then[code] != now[code]:
            yield code, then[code], now[code]


def _left(course: Course, key: StageKey) -> set[str]:
    """Return who has left a stage; of a tie also who was decided in it before that."""
    stage = stage_of(course.state, key)
    gone = {each.entry for each in stage.gone}
    return gone | set(TiePlay.of(course, key).gone) if stage.tie else gone


def _ruled(found: Correction) -> tuple[BoxCounted, ...]:
    """The boxes of the ruling on the count of this shoe, of a closed round those whose stacks move (T18)."""
    made = ruling_standing(found.deal.shoe)
    if made is None:
        return ()
    closed = found.deal.shoe.round.status == Round.Status.CLOSED
    moved = {stack.entry_id for stack in found.changes}
    return tuple(box for box in made.disputed if box.entry and (not closed or box.entry.pk in moved))


def as_it_stands(round_: Round) -> _Standing:
    """A closed stage, or one that is opened again, as the database has it: what every page says of it (T17).

    Read before and after a correction that is carried out and taken back, it is what that really does.
    """
    stands = _Standing.of(stage_ranking(round_))
    return replace(stands, prizes=_prizes(round_)) if round_.status == Round.Status.CLOSED else stands


def lines_between(then: _Standing, now: _Standing) -> tuple[Line, ...]:
    """What becomes of every entry between two readings."""
    return tuple(_line(entry, then, now) for entry in now.ranks)


def line_since(line: Line, now: _Standing, *, in_tie: bool) -> Line:
    """What has become of an entry since a correction was confirmed; in a tie of its stack alone."""
    if line.entry not in now.ranks:
        return replace(line, **_before(line))
    ranked = now.ranks[line.entry]
    since = replace(line, **_before(line), chips_after=ranked.chips)
    if in_tie:
        return since
    return replace(
        since,
        rank_after=ranked.place,
        cut_after=now.sides.get(line.entry, ""),
        prize_after_cents=now.prizes.get(line.entry),
    )


def _before(line: Line) -> dict[str, Any]:
    """What a line came to, as where the next one begins."""
    return {
        "chips_before": line.chips_after,
        "rank_before": line.rank_after,
        "cut_before": line.cut_after,
        "prize_before_cents": line.prize_after_cents,
    }


def lines_stood(stage: Round, lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines of a play-off whose seats stand: its hands decide nobody's seat any more, nor a prize."""
    prizes = _prizes(stage)
    sides = {stack.entry.code: _side_stood(stack) for stack in stage.stacks.select_related("entry")}
    return tuple(
        replace(
            line,
            cut_before=sides[line.entry],
            cut_after=sides[line.entry],
            prize_before_cents=prizes.get(line.entry),
            prize_after_cents=prizes.get(line.entry),
        )
        for line in lines
    )


def _side_stood(stack: Stack) -> str:
    return State.DISQUALIFIED if stack.state == Stack.State.DISQUALIFIED else _TIED[stack.outcome]


def _prizes(round_: Round) -> dict[str, int]:
    """What everybody who does not play on would be paid as it stands, in cents by entry code (T35)."""
    event = Event.objects.get(pk=round_.event_id)
    payouts = live_payouts(event)
    if payouts is None:
        return {}
    if event.status == Event.Status.FINISHED:
        codes = dict(event.entries.values_list("pk", "code"))
        return {codes[pk]: cents for pk, cents in prizes_for(event).items()}
    closed = [each for each in main_rounds(event) if each.status == Round.Status.CLOSED]
    in_play = {entry.code for entry in qualified(closed[-1])} if closed and not play_is_over(event) else set()
    out = set(event.entries.filter(status=Entry.Status.DISQUALIFIED).values_list("code", flat=True))
    prizes = prizes_by_entry(places_so_far(event), payouts.prizes_cents)
    return {code: 0 if code in out else cents for code, cents in prizes.items() if code not in in_play}


def tie_preview(found: Found) -> Preview:
    """What the correction of a hand of a play-off or sudden death would do."""
    round_ = found.hand.deal.shoe.round
    plays = [TiePlay.of(course, found.key[0]) for course in (found.before, found.after)]
    then, now = (_tie_standing(round_, play) for play in plays)
    order = sorted(now.ranks, key=lambda code: (now.ranks[code].place, code))
    return Preview(
        found.hand.deal,
        tuple(_line(entry, then, now) for entry in order),
        False,
        tuple(found.void),
        tuple((penalty, TOO_FEW) for penalty in found.dropped),
        tuple(_handed_in(found)),
        goes_on=bool(plays[1].in_play),
    )


def _lines(found: Found) -> tuple[Line, ...]:
    round_, key = found.hand.deal.shoe.round, found.key[0]
    was, now = (seats_of(stage_of(course.state, key)) for course in (found.before, found.after))
    moved = {code: table.chips[at] - was[code][0].chips[was[code][1]] for code, (table, at) in now.items()}
    # T15: whoever has no other hand of the round has played none once this one does not count.
    ids = {code: pk for pk, code in found.names.entries.items()}
    played = {ids[code] for code, (table, at) in now.items() if table.last[at] is not None}
    stacks = stacks_by_code(round_)
    before, after = (
        _Standing.of(stage_ranking(round_, {}, stacks=stacks)),
        _Standing.of(stage_ranking(round_, moved, played, stacks)),
    )
    return tuple(_line(entry, before, after) for entry in after.ranks)


def _line(entry: str, then: _Standing, now: _Standing) -> Line:
    return Line(
        entry=entry,
        chips_before=then.ranks[entry].chips,
        chips_after=now.ranks[entry].chips,
        rank_before=then.ranks[entry].place,
        rank_after=now.ranks[entry].place,
        cut_before=then.sides.get(entry, ""),
        cut_after=now.sides.get(entry, ""),
        prize_before_cents=then.prizes.get(entry),
        prize_after_cents=now.prizes.get(entry),
    )


@dataclass(frozen=True)
class _Standing:
    """A round as it stands: rank, side of the cut and prize by entry, best first."""

    ranks: dict[str, Ranked]
    sides: dict[str, str]
    prizes: dict[str, int]

    @classmethod
    def of(cls, ranking: Ranking) -> _Standing:
        """A main round as it stands, or would: what its places pay those who do not play on."""
        ranks = {
            row.code: Ranked(row.code, row.chips, row.place or 0, row.tied, row.state == State.DISQUALIFIED)
            for row in ranking.rows
        }
        cuts = ranking.round.cut_to is not None
        sides: dict[str, str] = {row.code: row.state for row in ranking.rows if cuts or row.state.gone}
        payouts = live_payouts(ranking.round.event)
        prizes = prizes_by_entry(ranks.values(), payouts.prizes_cents) if payouts else {}
        plays_on = {row.code for row in (*ranking.above, *ranking.level)}
        return cls(ranks, sides, {code: cents for code, cents in prizes.items() if code not in plays_on})


# A play-off or sudden death ---------------------------------------------------------------------------


@dataclass(frozen=True)
class TiePlay:
    """A play-off or sudden death as the facts come to it; ``gone`` are disqualified."""

    chips: Mapping[str, int]
    decided: Mapping[str, Result]
    gone: frozenset[str]
    in_play: frozenset[str]
    groups: tuple[TieGroup, ...]

    @classmethod
    def of(cls, course: Course, key: StageKey) -> TiePlay:
        """Return the stage as it stands."""
        stage, chips = stage_of(course.state, key), course.had(key)
        gone = frozenset(code for code in chips if course.state.entries[code] == DISQUALIFIED)
        in_play = frozenset(seats_of(stage).keys() - stage.results.keys())
        return cls(chips, stage.results, gone, in_play, stage.tie.groups if stage.tie else ())


_TIED = {ADVANCED: "in", CUT: "out", RANKED: "placed"}


def _tie_standing(round_: Round, play: TiePlay) -> _Standing:
    """A stage as it was played: rank or place in it, whose tie is decided, and what that pays."""
    sides = {code: _tie_side(play, code) for code in play.chips}
    if round_.kind == Round.Kind.PLAY_OFF:
        standings = [Standing(code, play.chips[code], code in play.gone) for code in play.chips]
        return _Standing({r.entry: r for r in rank(standings)}, sides, _play_off_prizes(round_, play))
    ranks = _places_played(play)
    payouts = live_payouts(round_.event)
    placed = [ranks[code] for code in play.decided]
    return _Standing(ranks, sides, prizes_by_entry(placed, payouts.prizes_cents) if payouts else {})


def _tie_side(play: TiePlay, code: str) -> str:
    if code in play.gone:
        return State.DISQUALIFIED
    return _TIED[play.decided[code].outcome] if code in play.decided else "open"


def _places_played(play: TiePlay) -> dict[str, Ranked]:
    """The places that a sudden death has decided; who plays on shares the first of the places played for.

    T26: who is disqualified comes last, behind all who share a place too.
    """
    first = {code: group.places[0] for group in play.groups for code in group.entries}
    decided = {code: each.place or 0 for code, each in play.decided.items() if code not in play.gone}
    place = decided | first
    shared = Counter(place.values())
    last = max((at + each for at, each in shared.items()), default=1)
    ranks = {code: Ranked(code, play.chips[code], at, shared[at] > 1) for code, at in place.items()}
    return {code: ranks.get(code) or Ranked(code, 0, last, False, True) for code in play.chips}


def _play_off_prizes(round_: Round, play: TiePlay) -> dict[str, int]:
    """What those who lose the play-off would be paid for the tied place that they keep (T23, T20)."""
    payouts, parent = live_payouts(round_.event), round_.parent
    if payouts is None or parent is None:
        return {}
    ahead = set(cut(standings_of(round_stacks(parent)), parent.cut_to or 1, None).advance)
    won = {code for code, each in play.decided.items() if each.outcome == ADVANCED} - play.gone
    result = RoundResult(tuple(standings_of(round_stacks(parent))), frozenset(ahead | won | play.in_play))
    prizes = prizes_by_entry(final_places([result]), payouts.prizes_cents)
    return {code: prizes[code] for code, each in play.decided.items() if each.outcome == CUT}
