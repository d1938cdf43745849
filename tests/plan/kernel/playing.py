"""Rounds of the kernel by chance beside the plain engine: any sheet, any options, any play, any chips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from games.blackjack.event_rules import rules_make
from games.blackjack.options import option_catalogue, option_values
from games.blackjack.record import answer
from games.blackjack.rules import SHEETS, HouseRules
from games.blackjack.words import QUESTIONS
from ground.refused import Refused
from plan.blackjack.playbook import UPS, VALUES
from plan.kernel.layout import Record
from plan.kernel.tables import table_make
from plan.kernel.trace import Round, Seat, Shoe

SHOES = 12
"""Shoes that are dealt with the same rules and the same plays."""
OPTION_IN = 4
"""Every so many options are chosen otherwise than the sheet."""
UNPLAYED = {"shared_max", "insurance_closes"}
"""Options that decide nothing here: no box is shared, and who insures does so before anybody plays."""

WISHES = (0, 1, 2, 3, 4, 5, 6, 7, 7, 4, 5, 8, 15, 14, 1, 0)
"""All that a play can wish for, splits and doubles more often than one would."""


class AnyPlay:
    """A play that wishes for anything: no player, but it goes where no good play leads."""

    def __init__(self, random: Random) -> None:
        draws = random.choice((0.2, 0.5, 0.8))
        cells = [(up, one, two) for up in UPS for one in VALUES for two in VALUES]
        self._first = {cell: random.choice(WISHES) for cell in cells}
        self._after = {cell: random.choice(WISHES) for cell in cells}
        self._later = {(up, state): random.random() < draws for up in UPS for state in range(64)}

    def first(self, up: int, one: int, two: int) -> int:
        return self._first[up, one, two]

    def after(self, up: int, one: int, two: int) -> int:
        return self._after[up, one, two]

    def later(self, up: int, state: int) -> bool:
        return self._later[up, state]


EVERY = [
    (name, option, value)
    for name, sheet in SHEETS.items()
    for option in QUESTIONS
    for value in option_values(sheet, option)
    if option not in UNPLAYED and value is not None and value != getattr(sheet, option)
]
"""Every option of every sheet that a hand can tell, and what it can be set to otherwise."""


def any_rules(seed: int, random: Random) -> tuple[HouseRules, dict[str, Any]]:
    """A sheet with its decks and options: one of ``EVERY``, in turn, and some others by chance; and which."""
    name, option, value = EVERY[seed % len(EVERY)]
    while True:
        options = {
            each.name: random.choice([choice for choice in each.values if choice is not None])
            for each in option_catalogue(SHEETS[name])
            if random.randrange(OPTION_IN) == 0
        }
        try:
            options[option] = value
            decks = random.choice(SHEETS[name].decks_allowed)
            return rules_make(name, decks=decks, limits=any_limits(name, random), options=options), options
        except Refused:
            continue  # it needs another one


def any_limits(name: str, random: Random) -> dict[str, int]:
    """The sheet's steps and chips with another smallest and largest bet."""
    limits = SHEETS[name].limits
    return {
        **limits,
        "min": limits["step"] * random.randint(1, 4),
        "max": limits["step"] * random.randint(10, 50),
    }


def any_seats(rules: HouseRules, random: Random) -> Iterator[list[Seat]]:
    """One to seven boxes, with stacks that are short, long or not counted."""
    while True:
        yield [any_seat(rules, random) for _ in range(random.randint(1, 7))]


def any_seat(rules: HouseRules, random: Random) -> Seat:
    bet = random.randrange(rules.min_chips, rules.max_chips + 1, rules.step_chips)
    more = random.randrange(0, 4 * bet + 1, rules.chip_chips)
    return Seat(
        bet_chips=bet,
        stack_chips=None if random.random() < 0.3 else bet + more,
        line_chips=random.choice((0, 0, 1, 3)) * rules.chip_chips if rules.line_chip else 0,
        play=random.randrange(2),
        insures=random.randrange(4),
    )


@dataclass
class Compared:
    """What a comparison saw: rounds played, options chosen, decisions made, and the first differences."""

    rounds: int = 0
    options: set[tuple[str, str, object]] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)


def difference(played: Round) -> str:
    """What the plain engine says otherwise of a round; nothing where it settles alike."""
    said = answer(played.record)
    if said.get("net") == played.net and said.get("line_chip", {}) == played.line_chip:
        return ""
    return f"{played.record} kernel {played.net} {played.line_chip} engine {said}"


def compare(seeds: Iterable[int]) -> Compared:
    """Compare rounds seed by seed."""
    seen = Compared()
    for seed in seeds:
        random = Random(seed)
        rules, options = any_rules(seed, random)
        seen.options |= {(rules.name, name, value) for name, value in options.items()}
        table = table_make(rules, [AnyPlay(random), AnyPlay(random)])
        compare_shoes(rules, table, seed, random, seen)
        if seen.differences:
            break
    return seen


def compare_shoes(rules: HouseRules, table: Record, seed: int, random: Random, seen: Compared) -> None:
    """Some shoes of one table."""
    seats = any_seats(rules, random)
    for number in range(SHOES):
        for played in Shoe(rules, table, seed=seed, number=number).rounds(seats):
            seen.rounds += 1
            seen.actions |= {each["action"] for each in played.record["decisions"]}
            found = difference(played)
            if found:
                seen.differences.append(f"seed {seed}: {found}")
                return
