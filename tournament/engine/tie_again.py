"""A play-off or sudden death played again from its first hand, after one of its hands was corrected (T17).

Every look is taken again in order (T23, T33). A later hand stands if everybody whom it was dealt to would
have been playing, nobody else would, and the bets are covered; otherwise it is void. What cannot be played
again to what is there was decided by something else than hands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tournament.engine.tie_look import (
    ADVANCED,
    CUT,
    Decided,
    TieLook,
    is_level,
    play_off_look,
    sudden_death_look,
    sudden_death_priced,
)
from tournament.engine.ties import TieGroup

PLAY_OFF_TIE = "0"
"""The key of the one tie of a play-off; those of a sudden death are keyed by their first place."""

OVER, OTHERS = "over", "others"
"""Why a later hand does not stand: the tie was decided before it, or others would have been playing."""


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

    ``prizes_cents``: by place, where it was taken because another structure came into force (T31).
    """

    after: int
    absent: frozenset[str]
    asked: bool = False
    prizes_cents: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """What a stage is played with: seats of a play-off, or groups of a sudden death, and its settings."""

    tables: Mapping[str, int]
    fresh_chips: int
    minimum_chips: int
    until: str
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()
    ruled: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class ChipPosting:
    """Fresh chips issued, or chips handed in, by entry."""

    issue: bool
    chips: Mapping[str, int]


Stands = Callable[[TieHand, Mapping[str, int]], str]
"""Why a hand could not have been played with these chips in front; empty where it could."""


@dataclass
class TiePlay:
    """A stage as it is played again: where it stands, and what has moved on the way."""

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
    ruled: bool = False

    @property
    def over(self) -> bool:
        """Whether nothing is left to play for."""
        return not self.in_play


def tie_play(
    terms: Terms,
    hands: Iterable[TieHand],
    looks: Sequence[Looked],
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
    for each in _in_order(hands, looks):
        if isinstance(each, Looked):
            _price(play, each.prizes_cents) if each.prizes_cents else _look(play, each.absent, asked=True)
            continue
        play.able[each.number] = _able(play, each, _absent(looks, each.number - 1))
        later = as_was is not None and each.number > corrected
        why = _why_void(play, each, as_was) or stands(each, play.chips) if later and as_was else ""
        if why:
            play.void[each.number] = why
        else:
            _hand(play, each)
            _look(play, _absent(looks, each.number), asked=False)
    _rule(play)
    return play


def _in_order(hands: Iterable[TieHand], looks: Iterable[Looked]) -> list[TieHand | Looked]:
    """The hands, and the looks that the director asked for, each after the hand that it came after."""
    found: list[tuple[int, int, TieHand | Looked]] = [(hand.number, 0, hand) for hand in hands]
    found += [(look.after, 1, look) for look in looks if look.asked]
    return [each for _, _, each in sorted(found, key=lambda one: one[:2])]


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


def _price(play: TiePlay, prizes_cents: Sequence[int]) -> None:
    """Another structure: nobody plays for places that pay the same now, the others are looked at anew.

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


def _take(play: TiePlay, found: TieLook, due: Collection[str], *, again: bool = True) -> None:
    """What a look at the ties ``due`` comes to; without ``again`` no tie counts as looked at anew."""
    kept = {key: play.looked.get(key, {}) for key in _ties(play) if key not in due or not again}
    for each in found.decided:
        play.decided[each.entry] = each
        play.in_play.discard(each.entry)
    ended = {each.entry: play.chips[each.entry] for each in found.decided}
    for step in found.chips:
        _issue(play, step.entries) if step.issue else _hand_in(play, step.entries)
    # What a decided entry ended with is what is reported (T23).
    play.chips.update(ended)
    play.seats = found.seats
    left = [g for g in play.groups if tie_key(g) not in due] + list(found.groups)
    play.groups = tuple(sorted(left, key=lambda group: group.places))
    play.looked = {key: kept.get(key, dict(play.hands)) for key in _ties(play)}


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


def _rule(play: TiePlay) -> None:
    """The ruling that ended a play-off nobody was there to play (T23), where it still fits what is left."""
    ruled = play.terms.ruled
    if ruled is None or play.over:
        return
    won = {code for code, each in play.decided.items() if each.outcome == ADVANCED}
    if len(ruled & play.in_play) != play.seats or ruled - play.in_play != won:
        return
    ended = {code: play.chips[code] for code in play.in_play}
    for code in sorted(play.in_play):
        play.decided[code] = Decided(code, ADVANCED if code in ruled else CUT)
    _hand_in(play, sorted(play.in_play))
    play.chips.update(ended)
    play.in_play, play.ruled = set(), True
