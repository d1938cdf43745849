"""Recording a deal by its results: what each hand did, without its cards.

    results_settle(rules, {1: 200}, {1: 900}, {1: {"hands": [{"result": "win", "doubled": 200}]}})
    # {"net": {"1": 400}, "hands": {"1": [400]}, "put_up": {"1": 400}}
"""

from collections.abc import Mapping
from typing import Any

from tables.engine.rules import HouseRules

RESULTS = ("lose", "push", "win", "natural", "even_money", "surrender")


def results_settle(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    outcomes: Mapping[int, Mapping[str, Any]],
) -> dict[str, Any]:
    """Net chips per box from the outcome of each of its hands.

    ``outcomes``: box → ``{"hands": [{"result": one of RESULTS, "doubled": chips (0 or left out: not
    doubled)}, …], "insurance": chips, "insurance_won": bool}``; several hands are a split box.
    Raises Refused with the record's codes, or ``results_missing``, ``bad_result``, ``result_impossible``.
    """
    raise NotImplementedError


def net_bounds(rules: HouseRules, bet_chips: int, stack_chips: int | None = None) -> tuple[int, int]:
    """The least and the most that a box can win in one deal with this bet: (negative, positive) chips."""
    raise NotImplementedError
