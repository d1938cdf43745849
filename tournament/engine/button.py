"""The button: it marks the player who bets first (T14). Cards and decisions always start at box 1."""

from collections.abc import Iterable, Sequence

from ground.chance import Stream, seed_make


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


def button_drawn(
    secret: bytes,
    event: str,
    number: int,
    roster: Sequence[str],
    cards: str,
    at: tuple[int, ...],
    occupied: Iterable[int],
) -> int:
    """Return the button that the draw gives a table: one of its occupied boxes, of which there is at least
    one (T14).

    ``at``: the table number, followed by the shoe number for a further shoe. Anybody can repeat the draw from
    its posted inputs.
    """
    boxes = sorted(occupied)
    stream = Stream(seed_make(secret, event, number, roster, cards, "button", *at))
    return boxes[stream.below(len(boxes))]
