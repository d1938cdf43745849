"""A language of the tests: every marked sentence stands in brackets, and what is outside is not marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from html.parser import HTMLParser
from typing import Any
from unittest import mock

from django.contrib.auth.models import User
from django.utils.translation import trans_real

from tests.cast.html import VOID
from tournament.models import Event, House, Player

OPEN, CLOSE = "⟦", "⟧"
LANGUAGE = "de"
"""Its addresses are those of German, in whose place it speaks."""
WORD = re.compile(r"[^\W\d_]{2,}")
SENTENCE = re.compile(r"(?<!\w)[^\W\d_]{2,} [^\W\d_]{2,}(?!\w)")
"""Two words of a sentence side by side; names of settings such as ``bet_min_chips`` are none."""
ADDRESS = re.compile(r"\S*testserver\S*")
READ_OUT = {"aria-label", "aria-description", "title", "alt", "placeholder"}
NO_WORDS = {"script", "style", "pre", "code"}
NO_SENTENCES = {"code", "hash", "no-print"}
"""Classes of what is the same in every language, and of what is not on paper."""
ALWAYS = {"Cutline", "UTC", "Letter", "Deutsch", "English", "SHA"}


class Pseudo(NullTranslations):
    """Puts every sentence in brackets, and remembers which were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.used: set[str] = set()

    def gettext(self, message: str) -> str:
        self.used.add(message)
        return f"{OPEN}{message.rpartition(trans_real.CONTEXT_SEPARATOR)[2]}{CLOSE}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.used.add(msgid1)
        return f"{OPEN}{(msgid1 if n == 1 else msgid2).rpartition(trans_real.CONTEXT_SEPARATOR)[2]}{CLOSE}"

    def to_language(self) -> str:
        return LANGUAGE


@contextmanager
def spoken() -> Iterator[Pseudo]:
    """Speak it instead of German."""
    django: Any = trans_real
    pseudo = Pseudo()
    with mock.patch.dict(django._translations, {LANGUAGE: pseudo}):
        yield pseudo


def names_known() -> set[str]:
    """The words of what people are called, of events and of the house: nobody translates those."""
    said = [
        House.objects.values_list("name", "currency", "time_zone"),
        Event.objects.values_list("name", "slug", "code"),
    ]
    said += [
        Player.objects.values_list("given_name", "family_name", "alias"),
        User.objects.values_list("username"),
    ]
    return ALWAYS | {
        word for rows in said for row in rows for text in row for word in WORD.findall(str(text or ""))
    }


class Unmarked(HTMLParser):
    """Collects the words of a page outside of all brackets, each with the element that it stands in."""

    def __init__(self, names: set[str], *, printed: bool) -> None:
        super().__init__()
        self.names, self.found, self.depth = names, list[str](), 0
        self._open: list[tuple[str, bool]] = [("", printed)]  # of a staff page only what is printed counts
        self._printed = printed

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        silent = self._open[-1][1] and not (self._printed and tag == "main")
        silent = silent or tag in NO_WORDS or bool(NO_SENTENCES & set(told.get("class", "").split()))
        if not silent:
            self._read_attributes(tag, told)
        if tag not in VOID:
            self._open.append((tag, silent))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._open[-1][1]:
            self._read_attributes(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        while len(self._open) > 1 and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        outside, self.depth = outside_of(data, self.depth)
        if not self._open[-1][1]:
            self._note(self._open[-1][0], outside, data)

    def _read_attributes(self, tag: str, told: dict[str, str]) -> None:
        for name, value in told.items():
            sentence = name.startswith("data-") and SENTENCE.search(value)
            described = name == "content" and told.get("name") == "description"
            if name in READ_OUT or sentence or described:
                self._note(f"{tag} {name}", outside_of(value, 0)[0], value)

    def _note(self, place: str, outside: str, whole: str) -> None:
        if set(WORD.findall(ADDRESS.sub("", outside))) - self.names:
            self.found.append(f"<{place}> {' '.join(whole.split())[:120]!r}")


def outside_of(text: str, depth: int) -> tuple[str, int]:
    """The part of a text that stands in no bracket, and how many are open after it."""
    outside = []
    for sign in text:
        depth += (sign == OPEN) - (sign == CLOSE)
        outside.append(sign if depth == 0 and sign != CLOSE else " ")
    return "".join(outside), depth


def unmarked(html: str, names: set[str], *, printed: bool = False) -> list[str]:
    """Every place with words that are not marked; ``printed``: of a page of the staff, what is on paper."""
    reader = Unmarked(names, printed=printed)
    reader.feed(html)
    if reader.depth:
        reader.found.append(f"{reader.depth} brackets stay open: a marked sentence was cut")
    return reader.found
