"""Names as they are shown: in any script, without turning round what stands beside them."""

from __future__ import annotations

import unicodedata

FROM_HERE, TO_HERE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
RIGHT_TO_LEFT = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}


def isolated(name: str) -> str:
    """A name for a sentence or a line: one that is written from the right keeps its neighbours in order.

    ``1 · דוד כ. · 5,600`` would otherwise be read with its figures swapped. Other names stay as they are.
    """
    if any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in name):
        return f"{FROM_HERE}{name}{TO_HERE}"
    return name
