"""The button: it moves round the boxes of a table, clockwise. Cards and decisions always start at box 1."""

from collections.abc import Iterable


def button_next(box: int | None, occupied: Iterable[int]) -> int | None:
    """Return the next occupied box clockwise from ``box``: the next higher number, after the last one box 1.

    None if nobody sits at the table. If ``box`` is None, return the lowest occupied box.
    """
    boxes = sorted(occupied)
    if not boxes:
        return None
    return next((b for b in boxes if box is not None and b > box), boxes[0])


def button_here(box: int | None, occupied: Iterable[int]) -> int | None:
    """Return ``box`` if somebody sits there, else the next occupied box clockwise."""
    boxes = sorted(occupied)
    return box if box in boxes else button_next(box, boxes)
