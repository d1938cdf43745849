"""Ties for a seat or for money, and their evaluation after a hand (T23, T33, T34).

| rule                                                    | clause | where                     |
|---------------------------------------------------------|--------|---------------------------|
| tied players play if their places pay differently       | T33    | ``money_ties``            |
| a tie that reaches over the last paid place counts      | T34    | ``money_ties``            |
| the whole group plays on while a tie in it is for money | T33    | ``_after_hand``           |
| fresh equal stacks if a whole group is out of chips     | T33    | ``_after_hand``           |
| absent players rank last in the group                   | T33    | ``sudden_death_evaluate`` |
| each group is ranked only inside its own places         | T34    | ``places_decide``         |
| a tie decides only for its own entries                  | T33    | ``places_after_ties``     |
| a play-off after a hand: each is in, out, or plays on   | T23    | ``play_off_evaluate``     |
| absent and still tied: prizes split equally             | T33    | ``prizes_by_entry``       |
| disqualified in a sudden death: those behind move up    | T26    | ``groups_without``        |
| the prize of an unclaimed place: in proportion          | T26    | ``prizes_whole``          |
| nobody is owed less than they have been paid            | T26    | ``prizes_whole``          |
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from tournament.engine.advance import Finish, best
from tournament.engine.payouts import split_equally
from tournament.engine.ranking import Ranked, rank
from tournament.engine.settings import FROZEN, PRIZES_DIFFER, STACKS_DIFFER
from tournament.engine.stages import ADVANCED, CUT, ONLY_RANKED
from tournament.engine.value import value


@value
class TieGroup:
    """Entries that share a place but would be paid differently: they play for ``places``, and only those."""

    places: tuple[int, ...]
    entries: tuple[str, ...]
    prizes_cents: tuple[int, ...]

    @property
    def is_for_money(self) -> bool:
        """Whether its places pay differently, so that they are played for (T33)."""
        return len(set(self.prizes_cents)) > 1


PLAY_OFF_TIE = "0"
"""The key of the only tie of a play-off; those of a sudden death are keyed by their first place."""


def tie_key(group: TieGroup) -> str:
    """Return the key of a tie in a sudden death: its first place."""
    return str(group.places[0])


@value
class Decided:
    """A decided entry: its outcome, and in a sudden death its place."""

    entry: str
    outcome: str
    place: int | None = None


@value
class TieEvaluation:
    """The result of an evaluation; ``seats`` (play-off) or ``groups`` (sudden death) are still played for.

    Decided players hand in their chips. So do the players in ``fresh``, who get equal stacks again.
    """

    decided: tuple[Decided, ...]
    fresh: tuple[str, ...] = ()
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()
    over: bool = False


def money_ties(places: Iterable[Ranked], prizes_cents: Sequence[int]) -> list[TieGroup]:
    """Return the groups that must play for money, best places first (T33, T34).

    ``prizes_cents`` is by place, first place first; a place beyond it pays nothing, so a tie over the last
    paid place counts too. Places that pay the same are not played for, and a disqualified entry has no prize
    to play for (T26).
    """
    tied = (
        TieGroup(tuple(range(place, place + len(entries))), entries, ())
        for place, entries in _by_place(places)
    )
    return [group for group in (group_priced(each, prizes_cents) for each in tied) if group.is_for_money]


def group_priced(group: TieGroup, prizes_cents: Sequence[int]) -> TieGroup:
    """Return a group with the prizes of its places (T31)."""
    return replace(group, prizes_cents=tuple(_prize_cents(prizes_cents, place) for place in group.places))


def places_decide(places: Iterable[Ranked], decided: Mapping[str, int]) -> list[Ranked]:
    """Return the places, with those that a sudden death has decided, in order of place.

    Raises ``ValueError`` for a place outside those of the tie: a tie for third can never overtake first
    (T34).
    """
    places = list(places)
    tie_sizes = {entry: len(entries) for _, entries in _by_place(places) for entry in entries}
    moved = []
    for r in places:
        place = decided.get(r.entry, r.place)
        if not r.place <= place < r.place + tie_sizes.get(r.entry, 1):
            raise ValueError(f"{r.entry} was tied for place {r.place} and cannot take place {place}")
        moved.append(replace(r, place=place))
    shared = [(r.place, r.out_of_play) for r in moved]
    ordered = sorted(moved, key=lambda r: (r.place, r.out_of_play, r.entry))
    return [replace(r, tied=shared.count((r.place, r.out_of_play)) > 1) for r in ordered]


@value
class TieResult:
    """A sudden death: the entries of each of its ties, and the places that it has decided."""

    ties: tuple[frozenset[str], ...]
    places: Mapping[str, int]


def places_after_ties(
    places: Iterable[Ranked], results: Iterable[TieResult]
) -> tuple[list[Ranked], tuple[frozenset[str], ...]]:
    """Return the places after sudden deaths, and for each sudden death the entries it decided (T33, T34).

    A tie decides only for its own entries: if other entries are tied now, it decides nothing, whatever the
    places pay. Disqualified entries are left out on both sides (T26).
    """
    places = list(places)
    now, decided, about = places, dict[str, tuple[int, ...]](), list[frozenset[str]]()
    for each in results:
        level = {entry: frozenset(entries) for _, entries in _by_place(now) for entry in entries}
        ties = [(tie, tie & level.keys()) for tie in each.ties]
        held = [tie for tie, left in ties if all(level[entry] == left for entry in left)]
        about.append(frozenset().union(*held))
        for entry in about[-1] & each.places.keys():
            decided[entry] = (*decided.get(entry, ()), each.places[entry])
        now = places_decide(places, places_moved_up(places, decided)) if decided else places
    return now, tuple(about)


def places_moved_up(places: Iterable[Ranked], decided: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Return the places that sudden deaths have decided inside the current groups (T26, T34).

    ``decided``: the places of an entry in one sudden death after the other. If a player is disqualified after
    it, those behind in the group move up, in the order of the sudden death.
    """
    return {
        entry: place + sum(decided[other] < decided[entry] for other in entries if other in decided)
        for place, entries in _by_place(places)
        for entry in entries
        if entry in decided
    }


def groups_without(groups: Iterable[TieGroup], code: str, place: int) -> list[TieGroup]:
    """Return the groups of a sudden death after ``code``, who held or shared ``place``, is disqualified
    (T26).

    Its own group plays for one place less, and those behind move up.
    """
    left = []
    for group in groups:
        entries = tuple(entry for entry in group.entries if entry != code)
        first = group.places[0] - (code not in group.entries and group.places[0] > place)
        places = tuple(range(first, first + len(entries)))
        left += [TieGroup(places, entries, ())] if entries else []
    return left


def places_unclaimed(places: Iterable[Ranked], prizes_cents: Sequence[int]) -> tuple[int, ...]:
    """Return the paid places that nobody holds or shares any more, best first (T26)."""
    held = {place + i for place, entries in _by_place(places) for i in range(len(entries))}
    return tuple(place for place in range(1, len(prizes_cents) + 1) if place not in held)


def prizes_whole(
    places: Iterable[Ranked],
    prizes_cents: Sequence[int],
    paid_cents: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return ``prizes_by_entry`` with unclaimed prizes given to others, so that the pool is paid out whole
    (T26).

    The prize of an unclaimed place goes to the other entries in proportion to their prizes. Cents that cannot
    be split go by largest remainder, the better prize and the lowest code first. Payments stand
    (``paid_cents``, by entry): no share is below what the entry was paid. If nobody holds a paid place,
    nobody has a prize.
    """
    by_place = prizes_by_entry(places, prizes_cents)
    left_cents = sum(prizes_cents) - sum(by_place.values())
    if left_cents <= 0:
        return by_place
    paid = paid_cents or {}
    in_hand = {code: max(0, paid.get(code, 0) - cents) for code, cents in by_place.items()}
    more = _shared_out(left_cents, by_place, in_hand)
    return {code: cents + more[code] for code, cents in by_place.items()}


def _shared_out(left_cents: int, prizes: Mapping[str, int], least_cents: Mapping[str, int]) -> dict[str, int]:
    """Split ``left_cents`` in proportion to ``prizes``; nobody gets less than their ``least_cents``."""
    held: dict[str, int] = {}
    while True:
        others = {code: cents for code, cents in prizes.items() if code not in held}
        more = _in_proportion(max(0, left_cents - sum(held.values())), others)
        short = {code: least_cents[code] for code in others if more[code] < least_cents[code]}
        if not short:
            return {**more, **held}
        held |= short


def _in_proportion(cents: int, prizes: Mapping[str, int]) -> dict[str, int]:
    all_cents = sum(prizes.values())
    if not all_cents:
        return dict.fromkeys(prizes, 0)
    more = {code: cents * each // all_cents for code, each in prizes.items()}
    over = sorted(prizes, key=lambda code: (-(cents * prizes[code] % all_cents), -prizes[code], code))
    for code in over[: cents - sum(more.values())]:
        more[code] += 1
    return more


def prizes_by_entry(places: Iterable[Ranked], prizes_cents: Sequence[int]) -> dict[str, int]:
    """Return the prize of every entry in cents, 0 if there is none (T35).

    Entries still tied share the prizes of their places equally: they pay the same, or nobody came to play for
    them (T33). Cents that cannot be split go to the lowest entry codes. A disqualified entry gets no prize
    and passes none on (T26).
    """
    places = list(places)
    prizes = {r.entry: 0 for r in places}
    for place, entries in _by_place(places):
        at_stake_cents = sum(_prize_cents(prizes_cents, place + i) for i in range(len(entries)))
        prizes.update(split_equally(at_stake_cents, entries))
    return prizes


def _by_place(places: Iterable[Ranked]) -> list[tuple[int, tuple[str, ...]]]:
    """Return the entries that can be paid, by the place that they hold or share."""
    in_play = sorted((r.place, r.entry) for r in places if not r.out_of_play)
    return [
        (place, tuple(e for _, e in group)) for place, group in groupby(in_play, key=lambda pair: pair[0])
    ]


def _prize_cents(prizes_cents: Sequence[int], place: int) -> int:
    return prizes_cents[place - 1] if place <= len(prizes_cents) else 0


def _part(group: TieGroup, at: int, entries: tuple[str, ...]) -> TieGroup:
    """Return these entries of a group with the places that they play for, from index ``at`` on."""
    until = at + len(entries)
    return TieGroup(group.places[at:until], entries, group.prizes_cents[at:until])


def _parted(groups: Iterable[TieGroup]) -> tuple[list[Decided], list[TieGroup]]:
    """Return the decided entries, whose places all pay the same, and the groups that play (T33)."""
    groups = list(groups)
    shared = [placed for group in groups if not group.is_for_money for placed in _shared(group)]
    return shared, [group for group in groups if group.is_for_money]


def _shared(group: TieGroup) -> list[Decided]:
    return [Decided(entry, ONLY_RANKED, group.places[0]) for entry in group.entries]


def play_off_evaluate(
    chips: Mapping[str, int], absent: Collection[str], seats: int, minimum_chips: int
) -> TieEvaluation:
    """Evaluate a play-off for ``seats`` among the players in ``chips`` after a hand (T23).

    Players above the stack at the line are in, those below are out, and those at it play on. An absent player
    is behind everybody who plays (as in T33). If those who play on cannot cover the minimum they get equal
    stacks again.
    """
    if not 1 <= seats < len(chips):
        raise ValueError(f"{len(chips)} players cannot play off for {seats} seats")
    held = {code: -1 if code in absent else each for code, each in chips.items()}
    found = best((Finish(code, each) for code, each in held.items()), seats)
    in_, going_on = found.entries, found.level
    out = tuple(sorted(held.keys() - {*in_, *going_on}, key=lambda code: (-held[code], code)))
    decided = [Decided(code, ADVANCED) for code in in_] + [Decided(code, CUT) for code in out]
    short = any(held[code] < minimum_chips for code in going_on) and not set(going_on) <= set(absent)
    over = not going_on
    return TieEvaluation(tuple(decided), going_on if short else (), seats if over else found.seats, over=over)


def sudden_death_evaluate(
    groups: Iterable[TieGroup],
    chips: Mapping[str, int],
    absent: Collection[str],
    minimum_chips: int,
    until: str = PRIZES_DIFFER,
) -> TieEvaluation:
    """Evaluate the tie groups after a hand: each is ranked only inside its own places (T33, T34).

    Absent players rank last in their group, tied with each other. A single present player wins the best place
    without play; if nobody is present, all stay tied.
    """
    decided, fresh, left = list[Decided](), list[str](), list[TieGroup]()
    for group in groups:
        present = tuple(entry for entry in group.entries if entry not in absent)
        missing = tuple(entry for entry in group.entries if entry in absent)
        placed, playing = _parted([_part(group, 0, present)])
        decided += [*placed, *_shared(_part(group, len(present), missing))]
        for each in playing:
            found = _after_hand(each, chips, minimum_chips, until)
            decided += found.decided
            fresh += found.fresh
            left += found.groups
    return TieEvaluation(tuple(decided), tuple(fresh), groups=tuple(left), over=not left)


def _after_hand(group: TieGroup, chips: Mapping[str, int], minimum_chips: int, until: str) -> TieEvaluation:
    """Evaluate a group whose players are all present (T33).

    It is decided when no tied players hold places that pay differently; with ``until`` ``stacks`` when all
    stacks differ. Until then the whole group plays on with its stacks; with ``frozen`` only the tied players
    do. If all players in it are tied and out of chips (cannot cover ``minimum_chips``), they get fresh equal
    stacks. The same applies to a part of it: if only players without chips are still tied, no hand could
    separate them, so the others are decided and the tied players play on for their own places.
    """
    ranked = rank(Finish(entry, chips[entry]) for entry in group.entries)
    level = groupby(ranked, key=lambda each: each.place)
    decided, left = _parted(_part(group, first - 1, tuple(r.entry for r in each)) for first, each in level)
    level_with_chips = any(r.tied and r.chips >= minimum_chips for r in ranked)
    if until != FROZEN and level_with_chips and (left or until == STACKS_DIFFER):
        return TieEvaluation((), groups=(group,))
    short = tuple(entry for part in left for entry in part.entries if chips[entry] < minimum_chips)
    return TieEvaluation(tuple(decided), short, groups=tuple(left))


def sudden_death_priced(groups: Iterable[TieGroup], prizes_cents: Sequence[int]) -> TieEvaluation:
    """Return the groups of a sudden death after a change of its prizes or places (T26, T31, T33).

    Each group plays on for the current prizes. A group whose places all pay the same shares them.
    """
    decided, left = _parted(group_priced(group, prizes_cents) for group in groups)
    return TieEvaluation(tuple(decided), groups=tuple(left), over=not left)


def play_off_without(
    playing: Collection[str], won: Collection[str], tied: Collection[str], contested: int
) -> TieEvaluation:
    """Return a play-off with ``playing`` left in it and ``won`` decided, after a disqualification (T23, T26).

    ``tied``: the other players tied at the cut of the round, for ``contested`` seats: fewer play for them, or
    one has become free. With a seat for every remaining player the play-off is over.
    """
    seats = contested - len(set(won) & set(tied)) if set(playing) <= set(tied) else len(playing)
    over = seats >= len(playing)
    decided = tuple(Decided(code, ADVANCED) for code in sorted(playing)) if over else ()
    return TieEvaluation(decided, seats=seats, over=over)


def is_level(since: Mapping[int, int], can_bet: Collection[int]) -> bool:
    """Whether a tie may be evaluated: none of its tables is a hand ahead of one that can still bet.

    ``since``: table → hands since its last evaluation, of the tables with players of this tie: other ties do
    not delay it (T19). A table whose players are all absent or out of chips deals no hand and delays nobody
    (T33).
    """
    able = [since[table] for table in can_bet]
    return not able or max(since.values()) <= min(able)
