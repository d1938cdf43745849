"""Sentences for people: marked for translation where they are written, translated where they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHOWN_CHARACTERS = 40


def shown(value: object) -> str:
    """Return ``value`` for use in a sentence: short, numbers as ``1,000``; never raises."""
    try:
        text = f"{value:,}" if type(value) is int else repr(value)
    except (ValueError, RecursionError):
        # Python cannot print a number of thousands of digits, or a list nested a thousand deep.
        return "something that cannot be written out"
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def gettext_noop(text: str) -> str:
    """Return ``text``, marked for translation; the page that shows it translates it."""
    return text


class Sentence(str):
    """A complete sentence that still knows its text and figures.

    ``text`` is marked for translation (``gettext_noop``) and names its figures (``%(chips)s``); ``figures``
    are their values, which may be sentences too. Code below the pages passes it on as text in its original
    language; a page translates it (``pages.words.saying.said``).
    """

    __slots__ = ("figures", "text")
    text: str
    figures: dict[str, Any]

    def __new__(cls, text: str, /, **figures: Any) -> Sentence:
        made = super().__new__(cls, text % figures if figures else text)
        made.text, made.figures = text, figures
        return made

    def to_json(self) -> dict[str, Any]:
        """Return the sentence as JSON for ``sentence_of``: its text, and its figures by name."""
        return {
            "text": self.text,
            "figures": {name: _json(each) for name, each in self.figures.items()},
        }

    def capitalized(self) -> Sentence:
        """Return the sentence with a capital at its beginning."""
        made = str.__new__(type(self), self[:1].upper() + self[1:])
        made.text, made.figures = self.text, self.figures
        return made


def _json(figure: Any) -> Any:
    if isinstance(figure, Sentence):
        return figure.to_json()
    return figure if isinstance(figure, int) else str(figure)


def sentence_of(stored: str | Mapping[str, Any]) -> str:
    """Return the sentence from its JSON; plain text is returned unchanged."""
    if isinstance(stored, str):
        return stored
    figures = {
        name: sentence_of(each) if isinstance(each, Mapping) else each
        for name, each in stored["figures"].items()
    }
    return Sentence(stored["text"], **figures)
