"""Bring the ledger of chips from the moves of one state to those of another (T17).

Moves of one cause are compared in order: from the first that differs on, they are reversed and posted anew. A
transaction is never edited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from tables.models import Deal
from tournament.engine.facts import HandKey
from tournament.engine.state import RETURN, REVERSAL, STACK, Move
from tournament.models import ChipTransaction, Stack
from tournament.services.chips import ChipMove, chips_rewrite, felt_keep
from tournament.services.journal import Command

if TYPE_CHECKING:
    from .project import Rows

Source = tuple[object, ...]
PENALTY, HAND, STAGE, COUNT = "penalty", "hand", "stage", "count"


def project_chips(
    cmd: Command,
    rows: Rows,
    before: Iterable[Move],
    after: Iterable[Move],
    *,
    at_table: bool,
) -> Callable[[], None]:
    """Write the moves that differ; gives a function to call once the stages are written.

    ``at_table``: they are moved there as well, so that nothing is due for them.

    Raises Refused ``not_enough_chips`` where a stack would end below zero.
    """
    lay = {stack: stack.chips - stack.due_chips for stack in rows.stacks.values()}
    was, now = _by_source(before), _by_source(after)
    reverse, post = list[ChipTransaction](), list[ChipMove]()
    for source in [*was, *(each for each in now if each not in was)]:
        old, new = was.get(source, []), now.get(source, [])
        if old == new:
            continue
        wrong, anew = _differs(cmd, rows, source, _in_order(old), _in_order(new))
        reverse += wrong
        for move in anew:
            nets = _nets(rows, move)
            reverses = _posted(cmd, rows, source).first() if move.kind == REVERSAL else None
            post.append(ChipMove(move.kind, nets, _named(rows, source, rows.hands), reverses))
            # What a count says lies there already; chips of a penalty are moved once the table is told.
            moved = source[0] == COUNT or (at_table and source[0] != PENALTY)
            for stack, chips in nets.items() if moved else ():
                lay[stack] = 0 if move.kind == RETURN else lay[stack] + chips
    chips_rewrite(cmd, reverse=reverse, post=post)

    def settle_felt() -> None:
        chips = dict(Stack.objects.filter(pk__in=[each.pk for each in lay]).values_list("pk", "chips"))
        felt_keep({stack: felt for stack, felt in lay.items() if chips[stack.pk] - felt != stack.due_chips})

    return settle_felt


def _by_source(moves: Iterable[Move]) -> dict[Source, list[Move]]:
    found = dict[Source, list[Move]]()
    for move in moves:
        found.setdefault(move.source, []).append(move)
    return found


def _in_order(moves: Iterable[Move]) -> list[Move]:
    """Return the moves with their legs in one order, so that they can be compared."""
    return [Move(move.kind, move.source, tuple(sorted(move.legs, key=str))) for move in moves]


def _differs(
    cmd: Command, rows: Rows, source: Source, old: list[Move], new: list[Move]
) -> tuple[list[ChipTransaction], list[Move]]:
    """Return what is reversed of a cause, and what is posted of it."""
    same = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
    same = min(len(old), len(new)) if same is None else same
    if same == len(old):
        return [], new[same:]
    standing = list(_posted(cmd, rows, source))
    if len(standing) != len(old):
        same = 0
    return standing[same:], new[same:]


def _posted(cmd: Command, rows: Rows, source: Source) -> QuerySet[ChipTransaction]:
    """Return what was posted of a cause and stands."""
    found = ChipTransaction.objects.filter(event=cmd.event, source=_named(rows, source, {}), reversed_by=None)
    return found.exclude(kind=ChipTransaction.Kind.REVERSAL).order_by("pk")


def _nets(rows: Rows, move: Move) -> dict[Stack, int]:
    return {
        rows.stacks[stage, entry]: chips
        for account, stage, entry, chips in move.legs
        if account == STACK and stage is not None
    }


def _named(rows: Rows, source: Source, hands: Mapping[HandKey, Deal]) -> str:
    """Return the source of a transaction as the ledger names it; for a hand, the latest record."""
    word, *rest = source
    if word == HAND:
        stage, table, shoe, number = rest
        key: HandKey = (stage, table, shoe, number)  # type: ignore[assignment]  # the source of a hand is its key
        return f"deal:{hands[key].pk if key in hands else _standing(rows, key)}"
    if word == STAGE:
        return f"round:{rows.rounds[rest[0]].pk}"  # type: ignore[index]  # its key
    if word in (COUNT, PENALTY):
        named = rows.names.shoes if word == COUNT else rows.names.penalties
        return next(f"{word}:{pk}" for pk, name in named.items() if name == tuple(rest))
    return ":".join(map(str, source))


def _standing(rows: Rows, key: HandKey) -> int:
    """Return the record of a hand that the ledger has posted: the latest settled one."""
    sources = [f"deal:{pk}" for pk in rows.names.deals_of({key})]
    posted = ChipTransaction.objects.filter(
        source__in=sources, kind=ChipTransaction.Kind.DEAL, reversed_by=None
    )
    source = posted.values_list("source", flat=True).first()
    return int(source.removeprefix("deal:")) if source else 0
