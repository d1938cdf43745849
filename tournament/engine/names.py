"""Names as they are shown, without turning round what stands beside them, and as they are compared."""

from __future__ import annotations

import unicodedata

FROM_HERE, TO_HERE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
RIGHT_TO_LEFT = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}
LONGEST = 200
# Letters that no accent makes out of a plain one.
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th"})


def isolated(name: str) -> str:
    """A name for a sentence or a line: one that is written from the right keeps its neighbours in order.

    ``1 · דוד כ. · 5,600`` would otherwise be read with its figures swapped. Other names stay as they are.
    """
    if any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in name):
        return f"{FROM_HERE}{name}{TO_HERE}"
    return name


def name_folded(*parts: str) -> str:
    """A whole name without capitals, accents and the order of its words: ``Lee Ann`` is ``Ann Lee``."""
    plain = unicodedata.normalize("NFKD", " ".join(parts).casefold()).translate(_PLAIN)
    letters = (sign for sign in plain if sign.isalnum() or sign.isspace())
    folded = " ".join(sorted("".join(letters).split())) or " ".join(parts).casefold().strip()
    return folded[:LONGEST]
