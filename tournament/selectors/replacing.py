"""Who takes the place of a qualifier that withdraws (T25): reads only."""

from __future__ import annotations

from tournament.engine.ranking import replacements
from tournament.models import Entry, Round, Stack
from tournament.selectors.stages import round_stacks, standings_of


def next_ranked(round_: Round) -> list[Entry]:
    """Who stands next in the frozen standings of a closed round; several where they are tied, or nobody."""
    stacks = {stack.entry.code: stack for stack in round_stacks(round_)}
    choices = replacements(
        standings_of(stacks.values()),
        advanced=[code for code, stack in stacks.items() if stack.outcome == Stack.Outcome.ADVANCED],
        gone=[code for code, stack in stacks.items() if stack.entry.status != Entry.Status.LIVE],
        minimum_chips=round_.event.settings.minimum_to_advance_chips(),
        seats_free=1,
    )
    return [stacks[code].entry for code in choices[0]] if choices else []
