"""QR codes as SVG, for receipts, seat cards, posters and links."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_draw(text: str) -> SafeString:
    """Draw a QR code as SVG without a size, which the stylesheet sets.

    Empty for a text too long for a QR code.
    """
    try:
        code = segno.make(text, error="m", micro=False)
    except segno.DataOverflowError:
        return mark_safe("")
    drawn = code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None)
    return mark_safe(drawn)  # noqa: S308 - squares drawn by the library; the text itself is not in it


@lru_cache(maxsize=2048)
def qr_svg(text: str) -> SafeString:
    """Return the QR code of a public address.

    Drawing one takes 7 to 20 ms, so the last 2,048 are cached: the seat cards of 1,000 players have theirs.

    Do not cache secrets: use ``qr_draw`` for the link that sets a password.
    """
    return qr_draw(text)
