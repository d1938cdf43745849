"""Filters of the public pages alone: cards of the cut."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def cardcode(code: str) -> str:
    """A card as the draw writes it (`KH`) in the letters of the card tag (`Kh`)."""
    return code[:-1] + code[-1:].lower()
