"""A play-off or sudden death played again from its first hand, after one of its hands was corrected (T17).

| what is played again, each at its place                       | clause   | where       |
|---------------------------------------------------------------|----------|-------------|
| a hand; a later one stands if the same players would have     | T17      | ``_hand``   |
| been playing and the bets are covered, otherwise it is void   |          |             |
| the look after it, or one that the director asked for         | T23, T33 | ``_look``   |
| chips taken by a penalty, or given back; one that would not   | T26      | ``_dock``   |
| have been there to take is dropped                            |          |             |
| somebody disqualified: fewer play on, a seat comes free,      | T26      | ``_leave``  |
| those behind move up                                          |          |             |
| a ruling on those who are left, where it still fits           | T23      | ``_rule``   |
| other prizes: places that pay the same are not played for     | T31, T33 | ``_price``  |

What cannot be played again to what is there was decided by something else than these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournament.engine.tie_look import (
    ADVANCED,
    CUT,
    ChipStep,
    Decided,
    TieLook,
    is_level,
    play_off_look,
    sudden_death_look,
    sudden_death_priced,
)
from tournament.engine.tie_without import moved_up, play_off_without, sudden_death_without
from tournament.engine.ties import TieGroup

PLAY_OFF_TIE = "0"
"""The key of the one tie of a play-off; those of a sudden death are keyed by their first place."""

OVER, OTHERS, TOO_FEW = "over", "others", "too_few"
"""Why a later hand or penalty does not stand: decided before it, others would have been playing, no chips."""


def tie_key(group: TieGroup) -> str:
    """What names a tie of a sudden death while it is played: the first place it is about."""
    return str(group.places[0])


@dataclass(frozen=True, slots=True)
class TieHand:
    """A settled hand: ``number`` orders all hands of the stage, ``nets`` are chips by entry."""

    number: int
    table: int
    seated: tuple[str, ...]
    nets: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Looked:
    """A look that was taken after hand ``after``: who was absent, and whether the director asked for it.

    ``nth`` orders what happened after the same hand, here as in what follows.
    """

    after: int
    absent: frozenset[str]
    asked: bool = False
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Docked:
    """Chips that a penalty took from a stack, below 0, or that came back as it was cancelled (T26)."""

    after: int
    entry: str
    chips: int
    penalty: int
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody is disqualified (T26), who held ``place`` in the event if it is not one of this stage.

    In a play-off ``tied`` are level at the cut of the round without them, for ``contested`` seats; in a
    sudden death ``prizes_cents`` is what the places pay. ``closed``: the stage had been closed by then.
    """

    after: int
    entry: str
    place: int
    tied: tuple[str, ...] = ()
    contested: int = 0
    prizes_cents: tuple[int, ...] = ()
    closed: bool = False
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Ruled:
    """The director ruled on those who were left, all of them absent: ``advance`` go on (T23)."""

    after: int
    advance: frozenset[str]
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Priced:
    """Another structure came into force: what each place pays from then on, in cents (T31)."""

    after: int
    prizes_cents: tuple[int, ...]
    nth: int = 0


Move = Looked | Docked | Left | Ruled | Priced
"""What happened to a stage between its hands."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a stage is played with: seats of a play-off, or groups of a sudden death, and its settings."""

    tables: Mapping[str, int]
    fresh_chips: int
    minimum_chips: int
    until: str
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class ChipPosting:
    """Fresh chips issued, or chips handed in, by entry."""

    issue: bool
    chips: Mapping[str, int]


Stands = Callable[[TieHand, Mapping[str, int]], str]
"""Why a hand could not have been played with these chips in front; empty where it could."""


@dataclass
class TiePlay:
    """A stage as it is played again: where it stands, and what has moved on the way.

    ``gone`` are disqualified, ``out`` of them before the stage was closed; ``left`` is what they had in front
    as they left play. ``dropped`` are the penalties that do not stand, with why.
    """

    terms: Terms
    chips: dict[str, int] = field(default_factory=dict)
    in_play: set[str] = field(default_factory=set)
    decided: dict[str, Decided] = field(default_factory=dict)
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()
    hands: dict[int, int] = field(default_factory=dict)
    looked: dict[str, dict[int, int]] = field(default_factory=dict)
    postings: list[ChipPosting] = field(default_factory=list)
    before: dict[int, dict[str, int]] = field(default_factory=dict)
    able: dict[int, frozenset[str]] = field(default_factory=dict)
    void: dict[int, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    out: set[str] = field(default_factory=set)
    left: dict[str, int] = field(default_factory=dict)
    dropped: dict[int, str] = field(default_factory=dict)
    ruled: bool = False

    @property
    def over(self) -> bool:
        """Whether nothing is left to play for."""
        return not self.in_play

    def had(self, code: str) -> int:
        """The chips that an entry has in front, ended with, or had as it was disqualified."""
        return self.left.get(code, self.chips[code])


def tie_play(
    terms: Terms,
    hands: Iterable[TieHand],
    moves: Sequence[Move],
    *,
    as_was: TiePlay | None = None,
    corrected: int = 0,
    stands: Stands = lambda hand, chips: "",
) -> TiePlay:
    """Play the stage. With ``as_was``, as it was played, hands after ``corrected`` must still stand."""
    play = TiePlay(terms, seats=terms.seats, groups=terms.groups)
    play.in_play = set(terms.tables)
    play.hands = dict.fromkeys(terms.tables.values(), 0)
    play.chips = dict.fromkeys(terms.tables, 0)
    _issue(play, tuple(sorted(terms.tables)))
    looks = [each for each in moves if isinstance(each, Looked)]
    for each in _in_order(hands, moves):
        if not isinstance(each, TieHand):
            _move(play, each)
            continue
        play.able[each.number] = _able(play, each, _absent(looks, each.number - 1))
        later = as_was is not None and each.number > corrected
        why = _why_void(play, each, as_was) or stands(each, play.chips) if later and as_was else ""
        if why:
            play.void[each.number] = why
        else:
            _hand(play, each)
            _look(play, _absent(looks, each.number), asked=False)
    return play


def _in_order(hands: Iterable[TieHand], moves: Iterable[Move]) -> list[TieHand | Move]:
    """The hands, and what happened between them, each after the hand that it came after.

    The look after a hand is taken with it; only those that the director asked for stand by themselves.
    """
    found: list[tuple[tuple[int, int, int], TieHand | Move]] = [((hand.number, 0, 0), hand) for hand in hands]
    found += [
        ((each.after, 1, each.nth), each) for each in moves if not isinstance(each, Looked) or each.asked
    ]
    return [each for _, each in sorted(found, key=lambda one: one[0])]


def _move(play: TiePlay, move: Move) -> None:
    match move:
        case Looked():
            _look(play, move.absent, asked=True)
        case Docked():
            _dock(play, move)
        case Left():
            _leave(play, move)
        case Ruled():
            _rule(play, move.advance)
        case Priced():
            _price(play, move.prizes_cents)


def _able(play: TiePlay, hand: TieHand, absent: Collection[str]) -> frozenset[str]:
    """Who at the table of a hand could bet in it."""
    return frozenset(code for code in hand.seated if code in _can_bet(play, absent))


def _can_bet(play: TiePlay, absent: Collection[str]) -> set[str]:
    least = play.terms.minimum_chips
    return {code for code in play.in_play if play.chips[code] >= least and code not in absent}


def _absent(looks: Sequence[Looked], number: int) -> frozenset[str]:
    """Who was absent when hand ``number`` was looked at, as the last look until then says."""
    found = [look for look in looks if look.after <= number and not look.asked]
    return found[-1].absent if found else frozenset()


def _why_void(play: TiePlay, hand: TieHand, as_was: TiePlay) -> str:
    if not play.able[hand.number]:
        return OVER
    return "" if play.able[hand.number] == as_was.able[hand.number] else OTHERS


def _hand(play: TiePlay, hand: TieHand) -> None:
    play.before[hand.number] = {code: play.chips[code] for code in play.in_play}
    for code, net in hand.nets.items():
        play.chips[code] += net
    play.hands[hand.table] += 1


def _look(play: TiePlay, absent: Collection[str], *, asked: bool) -> None:
    """The look that the table takes after a hand, at every tie whose tables are level."""
    if play.over:
        return
    due = [key for key, codes in _ties(play).items() if _is_due(play, key, codes, absent, asked)]
    if not due:
        return
    _take(play, _found(play, absent, due), due)


def _take(play: TiePlay, found: TieLook, due: Collection[str], *, again: bool = True) -> None:
    """What a look at the ties ``due`` comes to; without ``again`` no tie counts as looked at anew."""
    kept = {key: play.looked.get(key, {}) for key in _ties(play) if key not in due or not again}
    _decide(play, found.decided, found.chips)
    play.seats = found.seats
    left = [g for g in play.groups if tie_key(g) not in due] + list(found.groups)
    play.groups = tuple(sorted(left, key=lambda group: group.places))
    play.looked = {key: kept.get(key, dict(play.hands)) for key in _ties(play)}


def _decide(play: TiePlay, decided: Iterable[Decided], steps: Iterable[ChipStep]) -> None:
    """Fix these entries; what a decided entry ended with is what is reported (T23)."""
    for each in decided:
        play.decided[each.entry] = each
        play.in_play.discard(each.entry)
    ended = {each.entry: play.chips[each.entry] for each in decided}
    for step in steps:
        _issue(play, step.entries) if step.issue else _hand_in(play, step.entries)
    play.chips.update(ended)


def _found(play: TiePlay, absent: Collection[str], due: Collection[str]) -> TieLook:
    terms = play.terms
    chips = {code: play.chips[code] for code in play.in_play}
    if not terms.groups:
        return play_off_look(chips, absent, play.seats, terms.minimum_chips)
    groups = [group for group in play.groups if tie_key(group) in due]
    return sudden_death_look(groups, chips, absent, terms.minimum_chips, terms.until)


def _ties(play: TiePlay) -> dict[str, tuple[str, ...]]:
    if not play.terms.groups:
        return {PLAY_OFF_TIE: tuple(play.in_play)} if play.in_play else {}
    return {tie_key(group): group.entries for group in play.groups}


def _is_due(play: TiePlay, key: str, codes: Iterable[str], absent: Collection[str], asked: bool) -> bool:
    able, codes = _can_bet(play, absent), list(codes)
    tables = {play.terms.tables[code] for code in codes}
    can_bet = {play.terms.tables[code] for code in codes if code in able}
    looked = play.looked.get(key, {})
    played = any(play.hands[table] > looked.get(table, 0) for table in tables)
    return (asked or played) and is_level(tables, play.hands, looked, can_bet)


def _issue(play: TiePlay, codes: Iterable[str]) -> None:
    codes = tuple(codes)
    play.postings.append(ChipPosting(True, dict.fromkeys(codes, play.terms.fresh_chips)))
    for code in codes:
        play.chips[code] += play.terms.fresh_chips


def _hand_in(play: TiePlay, codes: Iterable[str]) -> None:
    given = {code: play.chips[code] for code in codes if play.chips[code]}
    if given:
        play.postings.append(ChipPosting(False, given))
    for code in given:
        play.chips[code] = 0


# Between the hands -----------------------------------------------------------------------------------


def _dock(play: TiePlay, docked: Docked) -> None:
    """Chips taken by a penalty or given back (T26); one that would not have been there does not stand."""
    given_back, entry = docked.chips > 0, docked.entry
    if given_back and docked.penalty in play.dropped:
        return
    if entry in play.in_play and play.chips[entry] + docked.chips >= 0:
        play.chips[entry] += docked.chips
    elif given_back:
        # Decided since: it is handed in with the rest of the chips.
        play.postings.append(ChipPosting(False, {entry: docked.chips}))
    else:
        play.dropped[docked.penalty] = TOO_FEW if entry in play.in_play else OVER


def _leave(play: TiePlay, left: Left) -> None:
    """Somebody is disqualified (T26); what is decided moves by it in an open sudden death alone."""
    sudden_death = bool(play.terms.groups)
    code, before, place = left.entry, play.groups, _place_held(play, left)
    play.gone.add(code)
    if not (play.over and left.closed):
        play.out.add(code)
    if play.over and (left.closed or not sudden_death):
        return
    if code in play.in_play:
        play.left[code], play.chips[code] = play.chips[code], 0
        play.in_play.discard(code)
    if sudden_death:
        _others_move_up(play, code, place)
        found = sudden_death_without(play.groups, code, place, left.prizes_cents)
    else:
        won = {each for each in _won(play) if each not in play.gone}
        found = play_off_without(play.in_play, won, left.tied, left.contested)
    _decide(play, found.decided, [ChipStep(False, tuple(each.entry for each in found.decided))])
    play.seats, play.groups = found.seats, found.groups
    if sudden_death:
        was = {entry: tie_key(group) for group in before for entry in group.entries}
        kept = {tie_key(g): play.looked.get(was[g.entries[0]]) for g in play.groups}
        play.looked = {key: looked for key, looked in kept.items() if looked is not None}


def _price(play: TiePlay, prizes_cents: Sequence[int]) -> None:
    """Another structure: nobody plays for places that pay the same now, the others are looked at anew (T31).

    Nobody who is absent just then is behind for it: that is for the next hand to say.
    """
    _take(play, sudden_death_priced(play.groups, prizes_cents), _ties(play), again=False)
    due = [
        key
        for key, codes in _ties(play).items()
        if _dealt(play, codes) and _is_due(play, key, codes, (), asked=True)
    ]
    if due:
        _take(play, _found(play, (), due), due)


def _dealt(play: TiePlay, codes: Iterable[str]) -> bool:
    return any(play.hands[play.terms.tables[code]] for code in codes)


def _place_held(play: TiePlay, left: Left) -> int:
    """The place that somebody held: their own in this stage, else that in the event."""
    for group in play.groups:
        if left.entry in group.entries:
            return group.places[0]
    decided = play.decided.get(left.entry)
    return decided.place if decided and decided.place else left.place


def _others_move_up(play: TiePlay, code: str, place: int) -> None:
    for entry, each in play.decided.items():
        if entry != code:
            play.decided[entry] = replace(each, place=moved_up(each.place, place))


def _won(play: TiePlay) -> set[str]:
    return {code for code, each in play.decided.items() if each.outcome == ADVANCED}


def _rule(play: TiePlay, advance: frozenset[str]) -> None:
    """The ruling that ended a play-off nobody was there to play (T23), where it still fits what is left."""
    if play.over:
        return
    won = _won(play) - play.gone
    if len(advance & play.in_play) != play.seats or advance - play.in_play != won:
        return
    decided = [Decided(code, ADVANCED if code in advance else CUT) for code in sorted(play.in_play)]
    _decide(play, decided, [ChipStep(False, tuple(sorted(play.in_play)))])
    play.ruled = True
