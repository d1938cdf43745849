"""The tables and boxes of a round, and the order in which they are posted for the draw (T4, T21)."""

from collections.abc import Iterable, Sequence

from ground.refused import Refused

Table = tuple[int, Sequence[int]]
"""A table's number and its boxes in use; boxes out of use are left out."""

Seat = tuple[int, int]
"""(table, box)."""


def capacity(tables: Iterable[Table], tables_count: int | None = None) -> int:
    """Return how many players the tables hold; with ``tables_count``, how many that many tables hold."""
    return sum(len(boxes) for _, boxes in _largest_first(tables)[:tables_count])


def tables_needed(entrants: int, tables: Iterable[Table], tables_count: int | None = None) -> list[Table]:
    """Return the tables of a round, in order of their numbers (T4).

    Without ``tables_count``: the fewest tables that hold the round so that they differ by at most one player;
    if boxes out of use make that impossible, the fewest that hold it. With it: that many tables, but at most
    one per entrant. Tables with the most boxes come first, then the lowest numbers. Refuses ``boxes_short``
    if there are not enough boxes.
    """
    usable = _largest_first(tables)
    if entrants < 1:
        raise Refused("nobody_to_seat", "There are no players to seat in this round.")
    if tables_count is not None:
        return sorted(_posted_tables(entrants, usable, tables_count))
    for fits in (_balanced, _holds):
        for count in range(1, len(usable) + 1):
            if fits(entrants, usable[:count]):
                return sorted(usable[:count])
    raise _boxes_short(entrants, capacity(usable))


def open_seats(tables: Iterable[Table], entrants: int | None = None) -> list[Seat]:
    """Return the open seats in posted order: box 1 of every table, then box 2 of every table, and so on.

    With ``entrants``: that many seats, chosen so that the tables differ by at most one player as far as their
    boxes allow. Without: all seats. Refuses ``boxes_short``.
    """
    boxes_left = {number: sorted(set(boxes)) for number, boxes in tables if boxes}
    total = sum(map(len, boxes_left.values()))
    if entrants is None:
        entrants = total
    if entrants > total:
        raise _boxes_short(entrants, total)
    taken: list[Seat] = []
    while len(taken) < entrants:
        # One more player at every table that has a box left. If only some of them get one, the lowest boxes
        # come first, which is the posted order again.
        level = sorted((boxes[0], number) for number, boxes in boxes_left.items() if boxes)
        for box, number in level[: entrants - len(taken)]:
            boxes_left[number].remove(box)
            taken.append((number, box))
    return sorted(taken, key=lambda seat: (seat[1], seat[0]))


def _posted_tables(entrants: int, usable: Sequence[Table], tables_count: int) -> Sequence[Table]:
    if tables_count > len(usable):
        raise Refused(
            "tables_short",
            "The rules post %(tables_count)s tables, but %(n)s can be used. Put another table into "
            "use, or post fewer tables.",
            tables_count=tables_count,
            n=len(usable),
        )
    chosen = usable[: min(tables_count, entrants)]
    if not _holds(entrants, chosen):
        raise _boxes_short(entrants, capacity(chosen))
    return chosen


def _largest_first(tables: Iterable[Table]) -> list[Table]:
    usable = [(number, boxes) for number, boxes in tables if boxes]
    return sorted(usable, key=lambda table: (-len(table[1]), table[0]))


def _holds(entrants: int, tables: Sequence[Table]) -> bool:
    return capacity(tables) >= entrants


def _balanced(entrants: int, tables: Sequence[Table]) -> bool:
    fewest, tables_with_one_more = divmod(entrants, len(tables))
    if min(len(boxes) for _, boxes in tables) < fewest:
        return False
    return sum(len(boxes) > fewest for _, boxes in tables) >= tables_with_one_more


def _boxes_short(entrants: int, boxes: int) -> Refused:
    return Refused(
        "boxes_short",
        "%(entrants)s players need %(entrants)s boxes, but the tables have %(boxes)s. "
        "Put more boxes or tables into use, or let some players wait as alternates.",
        entrants=entrants,
        boxes=boxes,
    )
