"""The canonical spelling of hashed data: the message of a draw, a row of the journal, a posted rule sheet.

Everybody who checks a hash must write the same bytes, so there is exactly one function for it. The separators
are Python's own (comma and colon, each followed by a space), as the published recipe of the draw says; keys
are sorted, so that a row read from a database hashes like the row written.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

GENESIS_HASH = "0" * 64
"""The hash before the first row of a chain."""


def canonical_json(value: Any) -> str:
    """Return the JSON text of ``value``: ASCII only, default separators, sorted keys, no NaN.

    Raises ``ValueError`` for NaN and infinities, and ``TypeError`` for values outside JSON: such a value is a
    fault of the program, never of the person at the desk.
    """
    return json.dumps(value, sort_keys=True, allow_nan=False)


def sha256_hex(data: str | bytes) -> str:
    """Return the SHA-256 in 64 lower-case hexadecimal digits; text is hashed as UTF-8."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def json_hash(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of ``value``."""
    return sha256_hex(canonical_json(value))


def journal_row(
    *,
    seq: int,
    event: int | None,
    key: str,
    actor: int | None,
    approver: int | None,
    kind: str,
    body: Mapping[str, Any],
    result: Mapping[str, Any],
    at: datetime,
) -> dict[str, Any]:
    """Return a row of the journal in the form that is hashed: without hashes, times in UTC to the
    microsecond.

    The facts are included by their own hash, which is in the body of an event's entry.
    """
    return {
        "seq": seq,
        "event": event,
        "key": key,
        "actor": actor,
        "approver": approver,
        "kind": kind,
        "body": body,
        "result": result,
        "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
    }


def journal_hash(prev_hash: str, row: Mapping[str, Any]) -> str:
    """Return the hash of a journal row: SHA-256 of the previous hash followed by the row's canonical JSON."""
    return sha256_hex(prev_hash + canonical_json(row))
