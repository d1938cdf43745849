"""Bring the ledger of chips from the moves of one state to those of another (T17).

Moves of one cause are compared in order: from the first that differs on, they are reversed and posted anew. A
transaction is never edited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from tables.models import Deal
from tournament.engine.facts import HandKey
from tournament.engine.state import RETURN, REVERSAL, STACK, Move
from tournament.models import ChipTransaction, Stack
from tournament.services.chips import ChipMove, chips_rewrite, chips_settle, felt_keep
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
        if old == new or source[0] == PENALTY:
            continue
        wrong, anew = _differs(cmd, rows, source, _in_order(old), _in_order(new))
        reverse += wrong
        for move in anew:
            nets = _nets(rows, move)
            if move.kind == REVERSAL:
                _count_back(cmd, rows, source, nets, lay)
            else:
                post.append(ChipMove(move.kind, nets, _named(rows, source, rows.hands)))
                for stack, chips in nets.items() if at_table else ():
                    lay[stack] = 0 if move.kind == RETURN else lay[stack] + chips
    reverse += _penalties(cmd, rows)
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
    posted = ChipTransaction.objects.filter(
        event=cmd.event, source=_named(rows, source, {}), reversed_by__isnull=True
    )
    standing = list(posted.exclude(kind=ChipTransaction.Kind.REVERSAL).order_by("pk"))
    if len(standing) != len(old):
        same = 0
    return standing[same:], new[same:]


def _nets(rows: Rows, move: Move) -> dict[Stack, int]:
    return {
        rows.stacks[stage, entry]: chips
        for account, stage, entry, chips in move.legs
        if account == STACK and stage is not None
    }


def _count_back(
    cmd: Command, rows: Rows, source: Source, nets: Mapping[Stack, int], lay: dict[Stack, int]
) -> None:
    """Reverse what a count or a ruling had moved; the chips lie as they were counted (T18)."""
    name = _named(rows, source, {})
    kind = ChipTransaction.Kind.COUNT
    adopted = ChipTransaction.objects.filter(event=cmd.event, source=name, kind=kind, reversed_by=None)
    reverses = adopted.values_list("pk", flat=True).first()
    chips_settle(cmd, nets=nets, source=name, kind=ChipTransaction.Kind.REVERSAL, reverses=reverses)
    for stack, chips in nets.items():
        lay[stack] += chips


def _penalties(cmd: Command, rows: Rows) -> list[ChipTransaction]:
    """Reverse what cancelled penalties had taken (T26)."""
    sources = [f"penalty:{pk}" for pk in rows.dropped]
    taken = ChipTransaction.objects.filter(event=cmd.event, source__in=sources, reversed_by__isnull=True)
    return list(taken.filter(kind=ChipTransaction.Kind.PENALTY).order_by("pk"))


def _named(rows: Rows, source: Source, hands: Mapping[HandKey, Deal]) -> str:
    """Return the source of a transaction as the ledger names it; for a hand, the latest record."""
    word, *rest = source
    if word == HAND:
        stage, table, shoe, number = rest
        key: HandKey = (stage, table, shoe, number)  # type: ignore[assignment]  # the source of a hand is its key
        return f"deal:{hands[key].pk if key in hands else _standing(rows, key)}"
    if word == STAGE:
        return f"round:{rows.rounds[rest[0]].pk}"  # type: ignore[index]  # its key
    if word == COUNT:
        stage, table, shoe = rest
        named = {name: pk for pk, name in rows.names.shoes.items()}
        return f"count:{named[stage, table, shoe]}"  # type: ignore[index]  # the name of a shoe
    return ":".join(map(str, source))


def _standing(rows: Rows, key: HandKey) -> int:
    """Return the record of a hand that the ledger has posted: the latest settled one."""
    sources = [f"deal:{pk}" for pk in rows.names.deals_of({key})]
    posted = ChipTransaction.objects.filter(
        source__in=sources, kind=ChipTransaction.Kind.DEAL, reversed_by=None
    )
    source = posted.values_list("source", flat=True).first()
    return int(source.removeprefix("deal:")) if source else 0
