"""The plan of an event: its rounds in order, what each is played with and who goes on from it (F1).

``RoundSettings`` is a round as the director posts it, ``RoundPlan`` the same with the event's own stack and
bets put in where the round names none. Whoever wants to know how many rounds there are, whose stack is
carried or who goes on asks the ``Format``, which knows no preset.

A snapshot says three rounds of one kind in the short words of the first release (``rounds``,
``cut_after_round_1``, ``cut_after_round_2``, ``stacks``) and every other plan under ``plan``, so that one
plan has one snapshot and one hash, also that of an event which was posted before there were others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any, Final

from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament.engine.advance import Advance

CARRIED: Final = "carried"
RESET: Final = "reset"
STACKS: Final = (CARRIED, RESET)
CARRY: Final = None
"""In place of a posted stack: everybody plays on with the chips of the round before."""
BET_WORDS: Final = ("min", "max", "step")
ROUNDS_LEAST: Final = 2
ROUNDS_MOST: Final = 12
SHORT_ROUNDS: Final = 3
SHORT: Final = ("rounds", "cut_after_round_1", "cut_after_round_2", "stacks")
"""The short words of a snapshot; they are refused beside ``plan``."""


THE_STACK: Final = None
"""In place of a largest bet: all that lies in front of a player may be bet."""


@dataclass(frozen=True, slots=True)
class Bets:
    """What may be bet in a round, in chips (F5): from ``min_chips`` to ``max_chips``, or to ``THE_STACK``,
    in steps of ``step_chips``."""

    min_chips: int
    max_chips: int | None
    step_chips: int


@dataclass(frozen=True, slots=True)
class RoundSettings:
    """A round as it is posted.

    ``advance``: who goes on from it (F10–F14), None in the last round, which ranks those who play it (F18).
    ``stack``: ``CARRIED``, ``RESET`` (the starting stack again, and so in round 1) or chips (F4, T22).
    ``bets``: what may be bet in it, None for the bets of the event (F5, T12).
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
"""T20: the sheet's."""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round: ``stack_chips`` that everybody gets, or ``CARRY`` (F4, T22); its bets (F5); its rule who goes
    on, None in the last round, which ranks those who play it (F10–F14, F18)."""

    stack_chips: int | None
    bets: Bets
    advance: Advance | None

    @property
    def is_carried(self) -> bool:
        """Whether its players bring their chips along."""
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
        """The number of what follows the last round: sudden death, and the result of the event."""
        return self.last + 1

    def of(self, number: int) -> RoundPlan:
        """What a stage is played with: a play-off as its round, sudden death as the last one (F5)."""
        return self.rounds[min(number, self.last) - 1]

    def seats_after(self, number: int) -> int | None:
        """How many advance after a round by their chips alone (F12, T20); None after the last."""
        rule = self.rounds[number - 1].advance
        return rule.top if rule else None

    def is_carried_into(self, number: int) -> bool:
        """Whether chips are carried into a round from the one before (T22); never after the last."""
        return 1 < number <= self.last and self.rounds[number - 1].is_carried

    def carried_on(self, number: int) -> range:
        """The rounds into which the chips of a round are carried, one after the other."""
        until = number + 1
        while self.is_carried_into(until):
            until += 1
        return range(number + 1, until)

    def least_to_advance(self, number: int) -> int | None:
        """The stack below which nobody goes on from a round: the smallest bet of the next one where stacks
        are carried into it (F15, T20); None where nobody is held back."""
        return self.rounds[number].bets.min_chips if self.is_carried_into(number + 1) else None

    def held_back(self, number: int, through: int) -> int:
        """The stack below which nobody took a seat that stayed free after a round from which ``through``
        advance (F15, T20); 0 where no seat stayed free, or nobody is held back."""
        is_free = through < (self.seats_after(number) or 0)
        return (self.least_to_advance(number) or 0) if is_free else 0

    @property
    def planned_draws(self) -> int:
        """How many draws are committed to when the rules are posted (verifiable-draw, Commit).

        One for each round, its play-off and a spare for a redraw, and three for sudden death: twelve for
        three rounds.
        """
        return 3 * self.last + 3


def planned(rounds: Sequence[RoundSettings], *, starting_chips: int, bets: Bets) -> Format:
    """The plan that posted rounds come to in an event with this starting stack and these bets."""
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


# -- As a snapshot says it -----------------------------------------------------------------------------


def plan_to_dict(rounds: Sequence[RoundSettings]) -> dict[str, Any]:
    """Posted rounds as keys of a snapshot: the short words where these can say them, else ``plan``.

    In ``plan`` each round is ``{"stack": …, "advance": {part: number, …} or None}``; parts that take nobody
    are left out. Bets of its own stand beside them: ``{"bets": {"min": …, "max": … or None, "step": …}}``.
    """
    short = _short_of(rounds)
    return {"plan": [_round_to_dict(each) for each in rounds]} if short is None else short


def plan_of_dict(snapshot: Mapping[str, Any]) -> tuple[RoundSettings, ...]:
    """The rounds that a snapshot posts; those of the sheet where it says nothing of them.

    Raises Refused ``plan_bad`` where ``plan`` is no list of rounds, and ``plan_twice`` where the short
    words stand beside it or name another number of rounds than three.
    """
    if "plan" not in snapshot:
        return _of_short(snapshot)
    if any(name in snapshot for name in SHORT):
        raise Refused("plan_twice", _("The rounds are said twice: once by the plan and once in short."))
    rounds = snapshot["plan"]
    if not isinstance(rounds, list | tuple) or not rounds or not all(isinstance(r, Mapping) for r in rounds):
        raise Refused("plan_bad", _("The plan must be a list of rounds, from the first to the last."))
    return tuple(_round_of_dict(each) for each in rounds)


def plan_put(before: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """A snapshot with ``chosen`` put in; where that says the rounds, what said them before goes."""
    if "plan" in chosen:
        before = {name: value for name, value in before.items() if name not in SHORT}
    elif any(name in chosen for name in SHORT):
        before = {name: value for name, value in before.items() if name != "plan"}
    return {**before, **chosen}


def _short_of(rounds: Sequence[RoundSettings]) -> dict[str, Any] | None:
    """The short words for three rounds with the sheet's kind of cut and stacks that are alike."""
    if len(rounds) != SHORT_ROUNDS or len({each.stack for each in rounds[1:]}) > 1:
        return None
    stack, tops = rounds[1].stack, [each.advance.top if each.advance else None for each in rounds]
    short = dict(zip(SHORT, (SHORT_ROUNDS, tops[0], tops[1], stack), strict=True))
    return short if stack in STACKS and _of_short(short) == tuple(rounds) else None


def _of_short(snapshot: Mapping[str, Any]) -> tuple[RoundSettings, ...]:
    if snapshot.get("rounds", SHORT_ROUNDS) != SHORT_ROUNDS:
        raise Refused(
            "plan_twice", _("In short there are always three rounds; post a plan for another number.")
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
    said = {"stack": each.stack, "advance": parts}
    return said if each.bets is None else {**said, "bets": _bets_to_dict(each.bets)}


def _bets_to_dict(bets: Bets) -> dict[str, int | None]:
    return dict(zip(BET_WORDS, astuple(bets), strict=True))


def _round_of_dict(said: Mapping[str, Any]) -> RoundSettings:
    parts = said.get("advance")
    unknown = sorted({*said} - {each.name for each in fields(RoundSettings)})
    if isinstance(parts, Mapping):
        unknown += sorted({*parts} - {each.name for each in fields(Advance)})
    elif parts is not None:
        unknown += ["advance"]
    bets = said.get("bets")
    if bets is not None and (not isinstance(bets, Mapping) or set(bets) != set(BET_WORDS)):
        unknown += ["bets"]
    if unknown:
        raise Refused(
            "plan_bad", _("A round of the plan has nothing called %(unknown)s."), unknown=", ".join(unknown)
        )
    return RoundSettings(
        None if parts is None else Advance(**parts),
        said.get("stack", CARRIED),
        None if bets is None else Bets(*(bets[word] for word in BET_WORDS)),
    )
