"""Which players have played a hand of a round: those with a bet in a hand that counts (T15, T17)."""

from __future__ import annotations

from datetime import datetime

from tournament import sql

_BETTORS = """
    SELECT DISTINCT (d.entries->>bet.box)::bigint
    FROM tables_deal d JOIN tables_shoe s ON s.id = d.shoe_id, jsonb_object_keys(d.bets) AS bet (box)
    WHERE s.round_id = %s AND d.status = 'settled'
"""
# A hand that was corrected after a moment still counted then.
_BETTORS_THEN = """
    SELECT DISTINCT (d.entries->>bet.box)::bigint
    FROM tables_deal d JOIN tables_shoe s ON s.id = d.shoe_id
        LEFT JOIN tables_deal later ON later.corrects_id = d.id, jsonb_object_keys(d.bets) AS bet (box)
    WHERE s.round_id = %s AND d.opened_at <= %s
        AND (d.status = 'settled' OR d.status = 'reversed' AND later.opened_at > %s)
"""


def bettors(round_id: int) -> set[int]:
    """The ids of the entries with a bet in a settled hand of a round."""
    return {entry for (entry,) in sql.rows(_BETTORS, round_id)}


def bettors_then(round_id: int, at: datetime) -> set[int]:
    """The same by the hands as they were at a moment, before later corrections."""
    return {entry for (entry,) in sql.rows(_BETTORS_THEN, round_id, at, at)}
