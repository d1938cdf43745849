"""The plan of an event: its rounds in order, each with its stack, its bets and its advance rule (F1).

``RoundSettings`` is a round as the director posts it. ``RoundPlan`` is the same round with the stack and bets
of the event filled in. Code that needs the number of rounds, carried stacks or the entries that advance asks
``Format``, which knows no preset.

A snapshot describes three rounds of one kind by the short keys of the first release (``rounds``,
``cut_after_round_1``, ``cut_after_round_2``, ``stacks``) and every other plan under ``plan``. So each plan
has one snapshot and one hash, also for events that were posted before other plans existed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any, Final

from ground.refused import Refused
from tournament.engine.advance import Advance

CARRIED: Final = "carried"
RESET: Final = "reset"
STACKS: Final = (CARRIED, RESET)
CARRY: Final = None
"""Instead of a posted stack: every player continues with the chips of the round before."""
BET_WORDS: Final = ("min", "max", "step")
ROUNDS_LEAST: Final = 2
ROUNDS_MOST: Final = 12
SHORT_ROUNDS: Final = 3
SHORT: Final = ("rounds", "cut_after_round_1", "cut_after_round_2", "stacks")
"""The short keys of a snapshot; they are refused beside ``plan``."""


THE_STACK: Final = None
"""Instead of a largest bet: a player may bet the whole stack."""


@dataclass(frozen=True, slots=True)
class Bets:
    """The bets of a round in chips (F5): from ``min_chips`` to ``max_chips``, or to ``THE_STACK``, in steps
    of ``step_chips``."""

    min_chips: int
    max_chips: int | None
    step_chips: int


@dataclass(frozen=True, slots=True)
class RoundSettings:
    """A round as it is posted.

    ``advance``: its advance rule (F10–F14); None in the last round, which ranks its players (F18). ``stack``:
    ``CARRIED``, ``RESET`` (the starting stack again, always so in round 1) or chips (F4, T22). ``bets``: its
    bets; None for the bets of the event (F5, T12).
    """

    advance: Advance | None
    stack: str | int = CARRIED
    bets: Bets | None = None


SHEET_TOPS: Final = (12, 6)
THREE_ROUNDS: Final = (
    RoundSettings(Advance(top=SHEET_TOPS[0]), RESET),
    RoundSettings(Advance(top=SHEET_TOPS[1])),
    RoundSettings(None),
)
"""The three rounds of the sheet (T20)."""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round: ``stack_chips`` for every player, or ``CARRY`` (F4, T22); its bets (F5); its advance rule,
    None in the last round, which ranks its players (F10–F14, F18)."""

    stack_chips: int | None
    bets: Bets
    advance: Advance | None

    @property
    def is_carried(self) -> bool:
        """Whether the players of the round keep their chips from the round before."""
        return self.stack_chips is CARRY


@dataclass(frozen=True, slots=True)
class Format:
    """The rounds of an event in the order in which they are played, numbered from 1."""

    rounds: tuple[RoundPlan, ...]

    @property
    def last(self) -> int:
        """The number of the last round."""
        return len(self.rounds)

    @property
    def after_last(self) -> int:
        """The number of the stage after the last round: sudden death, and the result of the event."""
        return self.last + 1

    def of(self, number: int) -> RoundPlan:
        """Return the plan of a stage: a play-off is played like its round, sudden death like the last round
        (F5)."""
        return self.rounds[min(number, self.last) - 1]

    def seats_after(self, number: int) -> int | None:
        """Return how many entries advance after a round by their chips (F12, T20); None after the last
        round."""
        rule = self.rounds[number - 1].advance
        return rule.top if rule else None

    def is_carried_into(self, number: int) -> bool:
        """Whether chips are carried into a round from the one before (T22); never after the last round."""
        return 1 < number <= self.last and self.rounds[number - 1].is_carried

    def carried_on(self, number: int) -> range:
        """Return the rounds into which the chips of a round are carried, one after the other."""
        until = number + 1
        while self.is_carried_into(until):
            until += 1
        return range(number + 1, until)

    def least_to_advance(self, number: int) -> int | None:
        """Return the minimum stack for advancing from a round: the smallest bet of the next round if stacks
        are carried into it (F15, T20); None if there is no minimum."""
        return self.rounds[number].bets.min_chips if self.is_carried_into(number + 1) else None

    def held_back(self, number: int, through: int) -> int:
        """Return the minimum stack that left a seat free after a round from which ``through`` entries advance
        (F15, T20); 0 if no seat stayed free, or if there is no minimum."""
        is_free = through < (self.seats_after(number) or 0)
        return (self.least_to_advance(number) or 0) if is_free else 0

    @property
    def planned_draws(self) -> int:
        """Return the number of draws that are committed to when the rules are posted (verifiable-draw,
        Commit).

        One for each round, one for its play-off, a spare for a redraw, and three for sudden death: twelve for
        three rounds.
        """
        return 3 * self.last + 3


def planned(rounds: Sequence[RoundSettings], *, starting_chips: int, bets: Bets) -> Format:
    """Return the plan of the posted rounds in an event with this starting stack and these bets."""
    stacks = {CARRIED: CARRY, RESET: starting_chips}
    return Format(
        tuple(
            RoundPlan(
                stacks[each.stack] if isinstance(each.stack, str) else each.stack,
                each.bets or bets,
                each.advance,
            )
            for each in rounds
        )
    )


# -- Snapshots -----------------------------------------------------------------------------------------


def plan_to_dict(rounds: Sequence[RoundSettings]) -> dict[str, Any]:
    """Return posted rounds as keys of a snapshot: the short keys if they suffice, else ``plan``.

    In ``plan`` each round is ``{"stack": …, "advance": {part: number, …} or None}``; parts that take nobody
    are left out. A round with its own bets has ``{"bets": {"min": …, "max": … or None, "step": …}}`` too.
    """
    short = _short_of(rounds)
    return {"plan": [_round_to_dict(each) for each in rounds]} if short is None else short


def plan_of_dict(snapshot: Mapping[str, Any]) -> tuple[RoundSettings, ...]:
    """Return the rounds that a snapshot posts; those of the sheet if it names none.

    Raises Refused ``plan_bad`` if ``plan`` is not a list of rounds, and ``plan_twice`` if the short keys
    stand beside it or name another number of rounds than three.
    """
    if "plan" not in snapshot:
        return _of_short(snapshot)
    if any(name in snapshot for name in SHORT):
        raise Refused("plan_twice", "The rounds are given twice: in the plan and in the short form.")
    rounds = snapshot["plan"]
    if not isinstance(rounds, list | tuple) or not rounds or not all(isinstance(r, Mapping) for r in rounds):
        raise Refused("plan_bad", "The plan must be a list of rounds, from the first to the last.")
    return tuple(_round_of_dict(each) for each in rounds)


def plan_put(before: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return a snapshot with ``chosen`` put in; rounds in ``chosen`` replace all rounds of ``before``."""
    if "plan" in chosen:
        before = {name: value for name, value in before.items() if name not in SHORT}
    elif any(name in chosen for name in SHORT):
        before = {name: value for name, value in before.items() if name != "plan"}
    return {**before, **chosen}


def _short_of(rounds: Sequence[RoundSettings]) -> dict[str, Any] | None:
    """Return the short keys of three rounds with the sheet's kind of cut and equal stacks; None for other
    plans."""
    if len(rounds) != SHORT_ROUNDS or len({each.stack for each in rounds[1:]}) > 1:
        return None
    stack, tops = rounds[1].stack, [each.advance.top if each.advance else None for each in rounds]
    short = dict(zip(SHORT, (SHORT_ROUNDS, tops[0], tops[1], stack), strict=True))
    return short if stack in STACKS and _of_short(short) == tuple(rounds) else None


def _of_short(snapshot: Mapping[str, Any]) -> tuple[RoundSettings, ...]:
    if snapshot.get("rounds", SHORT_ROUNDS) != SHORT_ROUNDS:
        raise Refused(
            "plan_twice", "The short form is for three rounds only; give a plan for another number."
        )
    tops = [snapshot.get(f"cut_after_round_{n}", top) for n, top in enumerate(SHEET_TOPS, start=1)]
    between = snapshot.get("stacks", CARRIED)
    return (
        RoundSettings(Advance(top=tops[0]), RESET),
        RoundSettings(Advance(top=tops[1]), between),
        RoundSettings(None, between),
    )


def _round_to_dict(each: RoundSettings) -> dict[str, Any]:
    parts = None
    if each.advance is not None:
        parts = {part: taken for part, taken in asdict(each.advance).items() if taken}
    body = {"stack": each.stack, "advance": parts}
    return body if each.bets is None else {**body, "bets": _bets_to_dict(each.bets)}


def _bets_to_dict(bets: Bets) -> dict[str, int | None]:
    return dict(zip(BET_WORDS, astuple(bets), strict=True))


def _round_of_dict(body: Mapping[str, Any]) -> RoundSettings:
    parts = body.get("advance")
    unknown = sorted({*body} - {each.name for each in fields(RoundSettings)})
    if isinstance(parts, Mapping):
        unknown += sorted({*parts} - {each.name for each in fields(Advance)})
    elif parts is not None:
        unknown += ["advance"]
    bets = body.get("bets")
    if bets is not None and (not isinstance(bets, Mapping) or set(bets) != set(BET_WORDS)):
        unknown += ["bets"]
    if unknown:
        raise Refused(
            "plan_bad", "A round of the plan has nothing called %(unknown)s.", unknown=", ".join(unknown)
        )
    return RoundSettings(
        None if parts is None else Advance(**parts),
        body.get("stack", CARRIED),
        None if bets is None else Bets(*(bets[word] for word in BET_WORDS)),
    )
