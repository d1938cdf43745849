"""Compare a count or ruling that came too late with the recorded counts (T18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ground.typed import whole_number
from tables.models.floor import BOXES
from tables.selectors.countings import BoxCounted, Counting
from tournament.figures import chips

FIGURE_LONGEST = 20


@dataclass(frozen=True)
class LateBox:
    """A box as typed; ``recorded``: its two counts, None if nobody may see them."""

    box: int
    typed: str
    recorded: BoxCounted | None

    @property
    def differs(self) -> bool:
        """Whether the figure differs from both counts."""
        if self.recorded is None:
            return False
        return {whole_number(self.typed)} != {self.recorded.first, self.recorded.second}

    @property
    def shown(self) -> str:
        """The figure as the page formats figures; text that is none as it was typed."""
        number = whole_number(self.typed)
        return chips(number) if number is not None else self.typed


@dataclass(frozen=True)
class LateCount:
    """The typed chips by box. ``compared``: both counts are in, so each box is compared."""

    boxes: tuple[LateBox, ...]
    compared: bool
    ruling: bool

    @property
    def differs(self) -> bool:
        """Whether any box differs from the recorded counts."""
        return any(each.differs for each in self.boxes)


def late_count(post: Mapping[str, str], counted: Counting | None) -> LateCount | None:
    """Return the figures of a count or ruling whose form is gone from the page; None without any.

    ``counted``: the two counts that the page shows; None while they are blind or of another shoe.
    """
    typed = {box: _figure(post.get(f"chips-{box}", "")) for box in range(1, BOXES + 1)}
    recorded = {row.box: row for row in counted.boxes} if counted else {}
    boxes = tuple(LateBox(box, text, recorded.get(box)) for box, text in typed.items() if text)
    if post.get("do") not in ("enter", "again", "rule") or not boxes:
        return None
    return LateCount(boxes, bool(recorded), post["do"] == "rule")


def _figure(text: str) -> str:
    return "".join(sign for sign in text.strip()[:FIGURE_LONGEST] if sign.isprintable())
