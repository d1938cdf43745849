"""One spelling for what is hashed: the message of a draw, a row of the journal, a posted rule sheet.

Everybody who checks a hash must write the same bytes, so there is exactly one function for it. The
separators are Python's own (comma and colon, each with a space behind it), as the draw's published
recipe says; keys are sorted, so that a row read back from a database hashes like the row written.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

GENESIS_HASH = "0" * 64
"""What stands before the first row of a chain."""


def canonical_json(value: Any) -> str:
    """The JSON text of ``value``: ASCII only, default separators, sorted keys, no NaN.

    Raises ``ValueError`` for a number that is not one and ``TypeError`` for what JSON cannot hold:
    a float in the ledger would be a fault of ours, never of the person at the desk.
    """
    return json.dumps(value, sort_keys=True, allow_nan=False)


def sha256_hex(data: str | bytes) -> str:
    """SHA-256 in 64 lower-case hexadecimal digits; text is hashed as UTF-8."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def json_hash(value: Any) -> str:
    """SHA-256 of the canonical JSON of ``value``."""
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
    """Return a row of the journal as it is hashed: all but the hashes, times in UTC to the microsecond.

    The facts are in it by their own hash, which the body of the entry of an event keeps.
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
    """The hash of a journal row: SHA-256 of the hash before it followed by the row's canonical JSON."""
    return sha256_hex(prev_hash + canonical_json(row))
