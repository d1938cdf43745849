"""The button: whose player bets first (T14). Cards and decisions always start at box 1."""

from collections.abc import Iterable, Sequence

from ground.chance import Stream, seed_make


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


def button_drawn(
    secret: bytes,
    event: str,
    number: int,
    roster: Sequence[str],
    cards: str,
    at: tuple[int, ...],
    occupied: Iterable[int],
) -> int:
    """The button that the draw gives a table: one of its occupied boxes, at least one (T14).

    ``at``: the table, and of a further shoe its number too. Anybody with the posted draw can repeat it.
    """
    boxes = sorted(occupied)
    stream = Stream(seed_make(secret, event, number, roster, cards, "button", *at))
    return boxes[stream.below(len(boxes))]
