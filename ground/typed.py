"""What people type as a whole number: read in one place, so that every page takes and refuses the same."""

from __future__ import annotations

import re

DIGITS_MAX = 9
"""Chips, numbers and ids stay below 2³¹, which is what the database's columns hold."""

_BLANK = "[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}]"
_PLAIN = re.compile("[0-9]+")
_GROUPED = re.compile(f"[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]{{1,3}}(?:{_BLANK}[0-9]{{3}})+")


def digits_of(text: str) -> str:
    """The digits of a whole number, thousands grouped or not: ``5,600`` → ``5600``; empty if it is none.

    ASCII digits alone: ``int`` would take other scripts' digits, signs and underscores, and fails on ``²``.
    A comma that groups no thousands (``5,60``) may be meant as a decimal one, so it is no number here.
    """
    typed = text.strip()
    if _PLAIN.fullmatch(typed):
        return typed
    return re.sub(r"\D", "", typed) if _GROUPED.fullmatch(typed) else ""


def whole_number(text: str, *, digits_max: int = DIGITS_MAX) -> int | None:
    """A whole number from 0 on as a person types it; None for anything else, and for one that is too long."""
    digits = digits_of(text)
    return int(digits) if 0 < len(digits) <= digits_max else None


def plain_number(text: str, *, digits_max: int = DIGITS_MAX) -> int | None:
    """A whole number as a page or an address carries it: digits and nothing else; None for anything else."""
    return int(text) if len(text) <= digits_max and _PLAIN.fullmatch(text) else None
