"""Which players have played a hand of a round: those with a bet in a hand that counts (T15, T17)."""

from __future__ import annotations

from tournament import sql

_BETTORS = """
    SELECT DISTINCT (d.entries->>bet.box)::bigint
    FROM tables_deal d JOIN tables_shoe s ON s.id = d.shoe_id, jsonb_object_keys(d.bets) AS bet (box)
    WHERE s.round_id = %s AND d.status = 'settled'
"""


def bettors(round_id: int) -> set[int]:
    """The ids of the entries with a bet in a settled hand of a round."""
    return {entry for (entry,) in sql.rows(_BETTORS, round_id)}
