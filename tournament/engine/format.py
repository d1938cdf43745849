"""The plan of an event: its rounds in order, what each is played with and who goes on from it (F1).

Whoever wants to know how many rounds there are, whose stack is carried or who goes on asks the plan. Events
whose rules were posted with the three rounds of the first release are read as the plan that says the same.
"""

from dataclasses import dataclass
from typing import Final

from tournament.engine.advance import Advance
from tournament.engine.settings import CARRIED, EventSettings

CARRY: Final = None
"""In place of a posted stack: everybody plays on with the chips of the round before."""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round: ``stack_chips`` that everybody gets, or ``CARRY`` (F4, T22); its smallest bet (F5); its rule
    who goes on, None in the last round, which ranks those who play it (F10–F14, F18)."""

    stack_chips: int | None
    bet_min_chips: int
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
        return self.rounds[number].bet_min_chips if self.is_carried_into(number + 1) else None


def format_of(settings: EventSettings) -> Format:
    """The plan that the settings of an event say."""
    between = CARRY if settings.stacks == CARRIED else settings.starting_chips
    seats = (settings.cut_after_round_1, settings.cut_after_round_2)
    rules: tuple[Advance | None, ...] = (*(Advance(top=each) for each in seats), None)
    return Format(
        tuple(
            RoundPlan(settings.starting_chips if first else between, settings.bet_min_chips, rule)
            for first, rule in zip((True, False, False), rules, strict=True)
        )
    )
