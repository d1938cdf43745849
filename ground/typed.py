"""Read typed whole numbers and texts, in the same way for every page and command."""

from __future__ import annotations

import re
import unicodedata

from ground.refused import Refused

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


# Invisible characters that count as letters or marks (Unicode, default-ignorable code points).
_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0"
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000))))


def text_composed(text: str) -> str:
    """Return a text as it is stored: Unicode-composed (NFC), without outer or doubled spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def text_clean(text: str, what: str, *, longest: int, missing: str = "") -> str:
    """Return a typed text without outer spaces, composed (NFC).

    Refuses ``text_too_long``, and ``text_bad`` for characters that cannot be printed or seen: control
    characters, zero-width and direction marks. An empty text is refused with the code ``missing``, if there
    is one.
    """
    cleaned = text_composed(text)
    if missing and not cleaned:
        raise Refused(missing, "%(what)s is missing. Type it.", what=what)
    if len(cleaned) > longest:
        raise Refused(
            "text_too_long",
            "%(what)s is longer than %(longest)s characters. Shorten it.",
            what=what,
            longest=longest,
        )
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Cs") or sign in _UNSEEN for sign in cleaned):
        raise Refused(
            "text_bad",
            "%(what)s contains a character that cannot be seen or printed. Type it again.",
            what=what,
        )
    return cleaned


def name_clean(name: str, what: str, *, longest: int, missing: str = "") -> str:
    """Return a typed name, cleaned like ``text_clean``, in the form in which names are compared (NFKC).

    Letters that only look different, such as wide ones or ligatures, become plain letters.
    """
    return text_clean(unicodedata.normalize("NFKC", name), what, longest=longest, missing=missing)
