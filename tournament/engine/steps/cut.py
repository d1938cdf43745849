"""Who goes on from a counted round, and who is level at its line.

| rule                                                    | clause   | where                |
|---------------------------------------------------------|----------|----------------------|
| who goes on, by any rule                                | F10–F17  | ``advance.advance``  |
| no hand of the round played: out of it                  | T15      | ``_session``         |
| a tie that was ruled on or played off goes to its winners | T23    | ``_decided``         |
| all tied advance where the rules say so                 | T23      | ``cut_of``           |
"""

from __future__ import annotations

from tournament.engine.advance import Advance, Advanced, Decided, Finish, WentOut, advance
from tournament.engine.facts import PLAY_OFF
from tournament.engine.settings import ALL_ADVANCE
from tournament.engine.stages import CLOSED, LIVE
from tournament.engine.state import Stage, State, seats_of

from .places import ADVANCED, without_hand


def cut_of(state: State, stage: Stage) -> Advanced:
    """Return who goes on from a round, with its ties as far as they are decided; nobody from the last one."""
    plan, number = state.posted, stage.frame.key[0]
    rule = plan.format.rounds[number - 1].advance or Advance()
    least, sessions = plan.format.least_to_advance(number), [_session(state, stage)]
    decided = _decided(state, stage)
    found = advance(rule, sessions, least, decided)
    # Without boxes for all of them the tie is played off, and then a play-off is there.
    while found.ties and not decided and plan.settings.tie_at_cut == ALL_ADVANCE:
        level = [frozenset(tie.entries) for tie in found.ties]
        found = advance(rule, sessions, least, [Decided(each, each) for each in level])
    return found


def level_at_cut(state: State, stage: Stage) -> tuple[list[str], int]:
    """Return who is level at the cut of a round by the stacks alone, and for how many seats (T20)."""
    plan, number = state.posted, stage.frame.key[0]
    rule = plan.format.rounds[number - 1].advance or Advance()
    found = advance(rule, [_session(state, stage)], plan.format.least_to_advance(number)).ties
    return (list(found[0].entries), found[0].seats) if found else ([], 0)


def _decided(state: State, stage: Stage) -> list[Decided]:
    """Return the rulings on the tie of a round and its play-offs that are closed, the latest first.

    Who has left since takes nothing from the others (T26).
    """
    number, there = stage.frame.key[0], {e for e, status in state.entries.items() if status == LIVE}
    played = [
        each
        for each in reversed(state.stages)
        if each.frame.key[:2] == (number, PLAY_OFF) and each.status == CLOSED
    ]
    decided = [
        *stage.rulings,
        *(Decided(frozenset(seats_of(each)), _winners(each)) for each in played),
    ]
    return [Decided(each.level & there, each.winners & there) for each in decided]


def _winners(play_off: Stage) -> frozenset[str]:
    return frozenset(entry for entry, each in play_off.results.items() if each.outcome == ADVANCED)


def _session(state: State, stage: Stage) -> dict[int, list[Finish]]:
    """Return the tables of a round with how everybody ended; without a hand one is out of it (T15)."""
    unplayed, tables = without_hand(state, stage), dict[int, list[Finish]]()
    for entry, (table, index) in seats_of(stage).items():
        chips = table.chips[index]
        out = WentOut(0, chips) if entry in unplayed else None
        tables.setdefault(table.table, []).append(Finish(entry, chips, out))
    return tables
