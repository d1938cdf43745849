"""Filters of the public pages alone: shares of the pool, cards of the cut."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def percent(share_bp: int) -> str:
    """A share in basis points: 2750 → `27.5 %`, 4000 → `40 %`."""
    whole, rest = divmod(share_bp, 100)
    decimals = f".{rest:02}".rstrip("0") if rest else ""
    return f"{whole}{decimals}\N{NO-BREAK SPACE}%"


@register.filter
def cardcode(code: str) -> str:
    """A card as the draw writes it (`KH`) in the letters of the card tag (`Kh`)."""
    return code[:-1] + code[-1:].lower()
