"""Rank the entries of a round, and find which advance and which play for a seat.

| rule                                              | clause   | where               |
|---------------------------------------------------|----------|---------------------|
| most chips first                                  | T1, T20  | ``rank``            |
| tied places share the lower number                | T20      | ``rank``            |
| no hand of the round played: behind all who did   | T15      | ``rank``            |
| disqualified: last of the round                   | T26      | ``rank``            |
| the top 12, then the top 6 advance                | T20      | ``cut``             |
| who cannot cover the minimum does not advance     | T20      | ``cut``             |
| a player who played no hand does not advance      | T15      | ``cut``             |
| fewer entrants than the cut: nobody is cut        | T24      | ``cut``             |
| a tie at the cut is decided for its seats only    | T23      | ``cut``             |
| play-off: looked at after every hand              | T23      | ``play_off_step``   |
| who won the play-off advances, who lost is out    | T23      | ``cut_settle``      |
| all tied advance (option)                         | T23      | ``cut_settle``      |
| who withdrew is replaced by the next-ranked       | T25      | ``replacements``    |
| placed by the round in which one was cut          | T20      | ``final_places``    |
| who loses a play-off keeps the tied place         | T23      | ``final_places``    |
| how far from the cut line                         | T20      | ``gap_to_cut``      |
| ties for money                                    | T33, T34 | ``ties.py``         |

Chips are integers. Entries are codes; where chips are equal they are listed by code, which decides
nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ground.refused import Refused
from ground.words import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Standing:
    """The stack of an entry at the end of a round; ``out_of_play``: disqualified in it (T26).

    ``no_hand``: the player has played no hand of the round and is out of it for that (T15).
    """

    entry: str
    chips: int
    out_of_play: bool = False
    no_hand: bool = False

    @property
    def may_advance(self) -> bool:
        """Whether the chips of this entry count at the cut."""
        return not self.out_of_play and not self.no_hand


@dataclass(frozen=True, slots=True)
class Ranked:
    """A standing with its place; ``tied``: shared with at least one other entry."""

    entry: str
    chips: int
    place: int
    tied: bool
    out_of_play: bool = False
    no_hand: bool = False

    @property
    def may_advance(self) -> bool:
        """Whether the chips of this entry count at the cut."""
        return not self.out_of_play and not self.no_hand


@dataclass(frozen=True, slots=True)
class Cut:
    """The entries that advance after a round (T20), each list in order of rank.

    ``tied`` are those at the line, of whom ``contested_seats`` advance; with no tie both are empty.
    """

    advance: tuple[str, ...]
    out: tuple[str, ...]
    tied: tuple[str, ...] = ()
    contested_seats: int = 0


@dataclass(frozen=True, slots=True)
class PlayOffStep:
    """A play-off after a hand (T23): who is in, who is out, and who goes on for ``seats_left`` seats.

    ``fresh_stacks``: those who go on are out of chips and get equal stacks again.
    """

    in_: tuple[str, ...]
    out: tuple[str, ...]
    going_on: tuple[str, ...]
    seats_left: int
    fresh_stacks: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """How far an entry is from the cut line.

    ``side`` is ``in``, ``tied`` (at the line) or ``out``. ``gap_chips`` is how many chips an entry
    that is in has over place ``against_place``, or lacks to it when it is out. ``against_place`` is
    None where the line is no place: nobody is cut but who cannot cover the minimum.
    """

    side: str
    gap_chips: int
    against_place: int | None


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A round as it was closed: the stacks of all who played it, and who went on.

    ``gone_since``: those of them who have been disqualified in the next round, which is not closed.

    Stacks are those from before a play-off, which are the ones that are reported (T23).
    """

    standings: tuple[Standing, ...]
    advanced: frozenset[str] = frozenset()
    gone_since: frozenset[str] = frozenset()


def rank(standings: Iterable[Standing]) -> list[Ranked]:
    """Everybody's place: most chips first, ties share the lower number (T20), disqualified last (T26).

    Players without a hand come behind all who played (T15). Whoever is disqualified has no chips, whenever
    it happened: the stack has left play.
    """
    ordered = sorted(standings, key=lambda s: (*_rank_key(s), s.entry))
    ranked: list[Ranked] = []
    for _rank, group in groupby(ordered, key=_rank_key):
        tied = list(group)
        place = len(ranked) + 1
        ranked += [
            Ranked(s.entry, 0 if s.out_of_play else s.chips, place, len(tied) > 1, s.out_of_play, s.no_hand)
            for s in tied
        ]
    return ranked


def cut(standings: Iterable[Standing], seats: int, minimum_chips: int | None) -> Cut:
    """The ``seats`` entries with the most chips advance (T20).

    ``minimum_chips`` is the smallest bet where stacks are carried: who cannot cover it does not
    advance and the cut shrinks. None where every round starts with a fresh stack. With fewer who may
    advance than seats, all of them do (T24).
    """
    if seats < 1:
        raise ValueError("a cut leaves at least one seat")
    ranked = rank(standings)
    able = [r for r in ranked if r.may_advance and (minimum_chips is None or r.chips >= minimum_chips)]
    if len(able) <= seats:
        return _cut_at(ranked, advance=able, tied=[])
    line_chips = able[seats - 1].chips
    over = [r for r in able if r.chips > line_chips]
    at_line = [r for r in able if r.chips == line_chips]
    if len(over) + len(at_line) == seats:
        return _cut_at(ranked, advance=over + at_line, tied=[])
    return _cut_at(ranked, advance=over, tied=at_line, contested_seats=seats - len(over))


def cut_settle(cut: Cut, winners: Collection[str]) -> Cut:
    """The cut once its tie is decided: ``winners`` of the tied entries advance, the rest are out (T23).

    As many win as seats are contested, or all who are tied where the event says that all advance;
    anything else is refused as ``cut_winners_wrong``.
    """
    if not set(winners) <= set(cut.tied) or len(set(winners)) not in (cut.contested_seats, len(cut.tied)):
        raise Refused(
            "cut_winners_wrong",
            _("%(contested_seats)s of %(tied)s must be chosen to advance, or all of them."),
            contested_seats=cut.contested_seats,
            tied=", ".join(cut.tied),
        )
    won = tuple(entry for entry in cut.tied if entry in winners)
    lost = tuple(entry for entry in cut.tied if entry not in winners)
    return Cut(advance=cut.advance + won, out=lost + cut.out)


def cut_won(cut: Cut, winners: Collection[str]) -> Cut:
    """The cut once ``winners`` of the tied entries have won their seats (T23).

    Where more seats are contested than they won, because one has come free since (T26), the others stay
    tied for what is left; otherwise as ``cut_settle``.
    """
    if not set(winners) < set(cut.tied) or len(set(winners)) >= cut.contested_seats:
        return cut_settle(cut, winners)
    won = tuple(entry for entry in cut.tied if entry in winners)
    left = tuple(entry for entry in cut.tied if entry not in winners)
    return Cut(cut.advance + won, cut.out, left, cut.contested_seats - len(won))


def play_off_step(stacks: Mapping[str, int], contested: int, minimum_chips: int = 1) -> PlayOffStep:
    """A play-off looked at after a hand (T23).

    ``stacks``: the play-off chips of those still playing for ``contested`` seats. Who has more than
    the stack at the line is in, who has less is out, and those exactly at it go on while there are
    fewer seats than players. If they cannot cover the minimum they get fresh equal stacks.
    """
    if not 1 <= contested < len(stacks):
        raise ValueError(f"{len(stacks)} players cannot play off for {contested} seats")
    result = cut([Standing(entry, chips) for entry, chips in stacks.items()], contested, None)
    fresh = any(stacks[entry] < minimum_chips for entry in result.tied)
    return PlayOffStep(result.advance, result.out, result.tied, result.contested_seats, fresh)


def replacements(
    standings: Iterable[Standing],
    advanced: Collection[str],
    gone: Collection[str],
    minimum_chips: int | None,
    seats_free: int,
) -> list[tuple[str, ...]]:
    """Return the entries that take the seats of qualifiers who withdrew (T25), in order.

    Returns one tuple for each choice: a single entry, or several who are tied for the seat and of
    whom the director must choose. ``gone`` are those who withdrew or were disqualified; who cannot
    cover ``minimum_chips`` is passed over, as at the cut.
    """
    able = [
        r
        for r in rank(standings)
        if r.entry not in advanced
        and r.entry not in gone
        and r.may_advance
        and (minimum_chips is None or r.chips >= minimum_chips)
    ]
    choices: list[tuple[str, ...]] = []
    for _chips, group in groupby(able, key=lambda r: r.chips):
        tied = tuple(r.entry for r in group)
        free = seats_free - sum(map(len, choices))
        if free <= 0:
            break
        choices += [tied] if len(tied) > free else [(entry,) for entry in tied]
    return choices


def gap_to_cut(standings: Iterable[Standing], seats: int, minimum_chips: int | None = None) -> dict[str, Gap]:
    """How far every entry whose chips count at the cut is from it, like "200 behind 12th"."""
    chips = {s.entry: s.chips for s in standings if s.may_advance}
    result = cut([Standing(entry, stack) for entry, stack in chips.items()], seats, minimum_chips)
    if result.tied:
        in_line = out_line = (chips[result.tied[0]], seats)
    elif len(result.advance) == seats and result.out:
        in_line = (chips[result.out[0]], seats + 1)
        out_line = (chips[result.advance[-1]], seats)
    else:
        # T24, T20: nobody is cut but those who cannot cover the minimum, and they lack that.
        return {
            **{entry: Gap("in", 0, None) for entry in result.advance},
            **{entry: Gap("out", (minimum_chips or 0) - chips[entry], None) for entry in result.out},
        }
    return {
        **{entry: Gap("in", chips[entry] - in_line[0], in_line[1]) for entry in result.advance},
        **{entry: Gap("tied", 0, seats) for entry in result.tied},
        **{entry: Gap("out", out_line[0] - chips[entry], out_line[1]) for entry in result.out},
    }


def final_places(rounds: Sequence[RoundResult]) -> list[Ranked]:
    """Everybody's place in the event, from the rounds in the order in which they were closed.

    An entry is placed by the last round that it played, behind all who went further (T20), in the
    order of that round. Entries with equal stacks share the lower number, also those who lost a
    play-off against each other, which changes no place (T23); a disqualified entry is last of its
    round (T26). Called before the last round is closed, those who have advanced come first, and who of
    them was disqualified in the round that is played has the last of their places at once.
    """
    placed: list[Ranked] = []
    seen: set[str] = set()
    for result in reversed(rounds):
        here = [s for s in result.standings if s.entry not in seen]
        through = [s for s in here if s.entry in result.advanced and not s.out_of_play]
        ahead = [replace(s, out_of_play=s.entry in result.gone_since) for s in through]
        behind = [s for s in here if s not in through]
        for tier in (ahead, behind):
            base = len(placed)
            placed += [replace(r, place=base + r.place) for r in rank(tier)]
        seen.update(s.entry for s in here)
    return placed


def _rank_key(standing: Standing) -> tuple[bool, bool, int]:
    # T26: the stack of a disqualified entry has left play and ranks nobody.
    if standing.out_of_play:
        return (True, False, 0)
    return (False, standing.no_hand, -standing.chips)


def _cut_at(
    ranked: Sequence[Ranked], *, advance: Sequence[Ranked], tied: Sequence[Ranked], contested_seats: int = 0
) -> Cut:
    chosen = {r.entry for r in (*advance, *tied)}
    return Cut(
        advance=tuple(r.entry for r in advance),
        out=tuple(r.entry for r in ranked if r.entry not in chosen),
        tied=tuple(r.entry for r in tied),
        contested_seats=contested_seats,
    )
