"""The hands of a box in a hand record, and the result of each, for pages to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.blackjack.cards import is_natural
from games.protocol import HandSummary, Json


def hand_summaries(
    bet_chips: int, box: str, answer: Mapping[str, Any], outcome: Mapping[str, Any] | None
) -> Iterable[HandSummary]:
    """Return the hands of a box: with their cards if these were recorded, else with the entered
    ``outcome``."""
    hands = answer.get("hands", {}).get(box, [])
    if outcome is None:
        for hand in hands:
            yield HandSummary(tuple(hand["cards"]), "", hand["net"])
        return
    for at, entered in enumerate(outcome["hands"]):
        doubled = entered.get("doubled", 0)
        word = entered["result"] + (" doubled" if doubled else "")
        net, less = hands[at] if at < len(hands) else None, doubled if doubled < bet_chips else 0
        yield HandSummary((), word.replace("_", " "), net, less)


def outcomes_of(
    bets: Mapping[str, int], record: Mapping[str, Any], answer: Mapping[str, Any]
) -> dict[str, Json]:
    """Return the result of each box of a hand that was entered card by card, in the form of entered
    results."""
    made = {}
    for box, hands in answer.get("hands", {}).items():
        decisions = {d["action"]: d for d in record.get("decisions", []) if str(d["seat"]) == box}
        # A box without a hand got no cards.
        results = [_result(bets[box], hand, decisions, len(hands)) for hand in hands] or [
            {"result": "not_dealt"}
        ]
        made[box] = {"hands": results} | _insurance(record, answer, box)
    return made


def _result(bet_chips: int, hand: Json, decisions: Mapping[str, Json], hands: int) -> Json:
    net = int(hand["net"])
    if "surrender" in decisions and -bet_chips < net < 0:
        return {"result": "surrender"}
    if "even_money" in decisions:
        return {"result": "even_money"}
    # The odd half of a natural may lie on the line (row 23), so its net does not identify it.
    if net > 0 and is_natural(hand["cards"]) and (hands == 1 or net > bet_chips):
        return {"result": "natural"}
    doubled = max(abs(net) - bet_chips, 0)
    if net == 0 and hands == 1 and "double" in decisions:
        doubled = decisions["double"].get("amount", bet_chips)
    result = {"result": "win" if net > 0 else "lose" if net < 0 else "push"}
    return {**result, "doubled": doubled} if doubled else result


def _insurance(record: Mapping[str, Any], answer: Mapping[str, Any], box: str) -> Json:
    won = answer.get("insurance", {}).get(box)
    if won is None:
        return {}
    taken = [d for d in record.get("decisions", []) if d["action"] == "insurance" and str(d["seat"]) == box]
    return {"insurance": taken[0]["amount"] if taken else abs(won), "insurance_won": won > 0}
