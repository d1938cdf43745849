"""The button goes round the boxes of a table, clockwise. Cards and decisions always start at box 1."""

from collections.abc import Iterable


def button_next(box: int | None, occupied: Iterable[int]) -> int | None:
    """The next occupied box clockwise from ``box``, which is the next higher number and then box 1 again.

    None where nobody sits any more. Without a box to start from it is the lowest.
    """
    boxes = sorted(occupied)
    if not boxes:
        return None
    return next((b for b in boxes if box is not None and b > box), boxes[0])


def button_here(box: int | None, occupied: Iterable[int]) -> int | None:
    """``box`` if somebody sits there, else the next occupied box clockwise."""
    boxes = sorted(occupied)
    return box if box in boxes else button_next(box, boxes)
