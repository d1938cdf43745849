"""Filters for personal data in logs."""

from __future__ import annotations

import logging
import re


class NoQuery(logging.Filter):
    """Removes the part after the question mark of a request line: searches are people's names."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True; every record is logged."""
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


LINK = re.compile(r"(/password/)[\w-]{20,}")


class NoLinks(logging.Filter):
    """Removes the secret of a one-time link: until it is used, it is worth a password."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True; every record is logged."""
        record.msg, args = _without_link(record.msg), record.args
        if isinstance(args, tuple):
            record.args = tuple(_without_link(each) for each in args)
        elif isinstance(args, dict):
            # gunicorn's arguments of an access; its dictionary is of a special kind, so it is changed in
            # place.
            args.update({name: _without_link(value) for name, value in args.items()})
        return True


def _without_link(value: object) -> object:
    return LINK.sub(r"\1…", value) if isinstance(value, str) else value
