"""Translate sentences of the lower layers."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ground.words import Sentence


def said(sentence: str) -> str:
    """Return a sentence of the lower layers in the page's language: translate its text, then insert its
    figures."""
    if not isinstance(sentence, Sentence):
        return sentence
    text = _(sentence.text) if sentence.text else ""
    figures = {
        name: said(figure) if isinstance(figure, str) else figure for name, figure in sentence.figures.items()
    }
    whole = text % figures if figures else text
    return whole[:1].upper() + whole[1:] if sentence[:1].isupper() else whole
