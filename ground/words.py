"""Sentences that a person reads: marked where they are written, said in a language where they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHOWN_CHARACTERS = 40


def shown(value: object) -> str:
    """Return ``value`` as a sentence can carry it: short, numbers as ``1,000``, never a failure."""
    try:
        text = f"{value:,}" if type(value) is int else repr(value)
    except (ValueError, RecursionError):
        # A number of thousands of digits, or a list a thousand deep, has no text.
        return "something that cannot be written out"
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def gettext_noop(text: str) -> str:
    """Marks ``text`` for translation; whoever shows it passes it through gettext."""
    return text


class Sentence(str):
    """A sentence with its figures put in, which still knows what it was made of.

    ``text`` is marked for translation (``gettext_noop``) and names its figures (``%(chips)s``); ``figures``
    are what stands for them, sentences among them. Code below the pages passes it on as the text that it is,
    in the language that it was written in; a page says it in its reader's (``pages.words.saying.said``).
    """

    __slots__ = ("figures", "text")
    text: str
    figures: dict[str, Any]

    def __new__(cls, text: str, /, **figures: Any) -> Sentence:
        made = super().__new__(cls, text % figures if figures else text)
        made.text, made.figures = text, figures
        return made

    def kept(self) -> dict[str, Any]:
        """Return the sentence as JSON that ``sentence_of`` reads: its text, and its figures by name."""
        return {"text": self.text, "figures": {name: _kept(each) for name, each in self.figures.items()}}

    def begun(self) -> Sentence:
        """The same with a capital at its beginning."""
        made = str.__new__(type(self), self[:1].upper() + self[1:])
        made.text, made.figures = self.text, self.figures
        return made


def _kept(figure: Any) -> Any:
    if isinstance(figure, Sentence):
        return figure.kept()
    return figure if isinstance(figure, int) else str(figure)


def sentence_of(kept: str | Mapping[str, Any]) -> str:
    """Return the sentence that was kept as JSON; a plain text as it is."""
    if isinstance(kept, str):
        return kept
    figures = {
        name: sentence_of(each) if isinstance(each, Mapping) else each
        for name, each in kept["figures"].items()
    }
    return Sentence(kept["text"], **figures)
