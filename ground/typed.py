"""Read typed whole numbers, in the same way for every page."""

from __future__ import annotations

import re

DIGITS_MAX = 9
"""Chips, numbers and ids stay below 2³¹, the limit of the database's columns."""

_BLANK = "[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}]"
_PLAIN = re.compile("[0-9]+")
_GROUPED = re.compile(f"[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]{{1,3}}(?:{_BLANK}[0-9]{{3}})+")


def digits_of(text: str) -> str:
    """Return the digits of a whole number, thousands grouped or not: ``5,600`` → ``5600``; empty for other
    text.

    ASCII digits only: ``int`` would accept other scripts' digits, signs and underscores, and fails on ``²``.
    A comma that groups no thousands (``5,60``) may be meant as a decimal comma, so the text is refused.
    """
    typed = text.strip()
    if _PLAIN.fullmatch(typed):
        return typed
    return re.sub(r"\D", "", typed) if _GROUPED.fullmatch(typed) else ""


def whole_number(text: str, *, digits_max: int = DIGITS_MAX) -> int | None:
    """Return a typed whole number from 0 on; None for other text, and for a number that is too long."""
    digits = digits_of(text)
    return int(digits) if 0 < len(digits) <= digits_max else None


def plain_number(text: str, *, digits_max: int = DIGITS_MAX) -> int | None:
    """Return a whole number from a page or an address, written in digits only; None for other text."""
    return int(text) if len(text) <= digits_max and _PLAIN.fullmatch(text) else None
