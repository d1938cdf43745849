"""What is left out of every log."""

from __future__ import annotations

import logging


class NoQuery(logging.Filter):
    """Leaves out what stands after the question mark of a request line: searches are people's names."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always lets the record through."""
        if isinstance(record.args, tuple):
            record.args = tuple(_without_query(each) for each in record.args)
        return True


def _without_query(value: object) -> object:
    if not isinstance(value, str) or "?" not in value:
        return value
    before, _, after = value.partition("?")
    # A request line ends with the protocol: "GET /desk/?q=Ann HTTP/1.1".
    _, space, protocol = after.rpartition(" ")
    return f"{before}{space}{protocol}" if space else before
