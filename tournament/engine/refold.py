"""Facts about facts: the log as it stands once a hand was put right or taken back (T17).

| rule                                                                | where                 |
|---------------------------------------------------------------------|-----------------------|
| what a corrected hand comes to                                      | ``corrections.decide``|
| a hand that was taken back was never there, nor the end of its shoe | ``_taken_back``       |

The state after a correction is the fold of that log; nothing is ever moved from one state to another.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.engine.corrections import decide, place_of
from tournament.engine.facts import Corrected, Fact, ShoeEnded, TakenBack


def amended(log: Sequence[Fact], fact: Corrected | TakenBack) -> list[Fact]:
    """Return the log once this is taken into it. Raises KeyError where there is no such hand, and Refused."""
    return _taken_back(log, fact) if isinstance(fact, TakenBack) else list(decide(log, fact.at, fact.by).log)


def _taken_back(log: Sequence[Fact], fact: TakenBack) -> list[Fact]:
    at, (stage, table, _shoe, _number) = place_of(log, fact.at), fact.at
    return [
        *log[:at],
        *(
            each
            for each in log[at + 1 :]
            if not (isinstance(each, ShoeEnded) and (each.stage, each.table) == (stage, table))
        ),
    ]
