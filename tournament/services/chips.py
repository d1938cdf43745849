"""Post to the chip ledger. Called inside commands.

Issued is negative, so that issued + stacks + bank + returned = 0 at any time (Standing orders).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournament import sql
from tournament.models import ChipAccount, ChipTransaction, Stack
from tournament.selectors.penalties import not_enough_chips

from .journal import Command

Kind = ChipTransaction.Kind


def chips_return(cmd: Command, *, stacks: Iterable[Stack], source: str) -> None:
    """Hand in all the chips of these stacks: stack → returned. No chips of a ruling are due to them any
    more."""
    leaving = list(stacks)
    Stack.objects.filter(pk__in=[stack.pk for stack in leaving]).exclude(due_chips=0).update(due_chips=0)
    nets = {stack: -stack.chips for stack in leaving}
    chips_rewrite(cmd, post=[ChipMove(Kind.RETURN, nets, source)])


def chips_hand(cmd: Command, *, nets: Mapping[Stack, int], source: str) -> None:
    """Post a settled hand against the table bank; every stack records its net as the last change, 0 for a
    push."""
    legs = list(nets.items())
    moved = [(stack, net) for stack, net in legs if net]
    _check(moved)
    if moved:
        bank_chips = -sum(net for _, net in moved)
        _ledger(
            cmd, Kind.DEAL, moved, {ChipAccount.BANK: bank_chips}, source=source, reverses=None, hand=legs
        )
    else:
        _stacks_move(legs, last_hand=True)


@dataclass(frozen=True)
class ChipMove:
    """A transaction to post: the net of each stack, in chips, against the account of its kind."""

    kind: str
    nets: Mapping[Stack, int]
    source: str
    reverses: ChipTransaction | None = None


_AGAINST: dict[str, str] = {
    Kind.ISSUE: ChipAccount.ISSUED,
    Kind.RETURN: ChipAccount.RETURNED,
    Kind.DEAL: ChipAccount.BANK,
    Kind.COUNT: ChipAccount.BANK,
    Kind.PENALTY: ChipAccount.BANK,
    Kind.REVERSAL: ChipAccount.BANK,
}


def chips_rewrite(cmd: Command, *, reverse: Iterable[ChipTransaction] = (), post: Iterable[ChipMove]) -> None:
    """Reverse transactions and post others, or further ones (T17); each stack is moved once, as in a hand.

    Raises Refused ``not_enough_chips`` if a stack would end below zero.
    """
    post = list(post)
    undone = [(each, list(each.legs.select_related("stack__entry"))) for each in reverse]
    total: dict[Stack, int] = defaultdict(int)
    for _reversed, legs in undone:
        for leg in legs:
            if leg.stack is not None:
                total[leg.stack] -= leg.amount_chips
    for move in post:
        for stack, amount in move.nets.items():
            total[stack] += amount
    moved = [(stack, amount) for stack, amount in total.items() if amount]
    _check(moved)
    for each, legs in undone:
        back = [(leg.stack, -leg.amount_chips) for leg in legs if leg.stack is not None]
        others = {leg.account: -leg.amount_chips for leg in legs if leg.stack is None}
        _ledger(cmd, Kind.REVERSAL, back, others, source=each.source, reverses=each.pk)
    for move in post:
        nets = [(stack, amount) for stack, amount in move.nets.items() if amount]
        if nets:
            rest = -sum(amount for _, amount in nets)
            against = {_AGAINST[move.kind]: rest} if rest else {}
            reverses = move.reverses.pk if move.reverses else None
            _ledger(cmd, move.kind, nets, against, source=move.source, reverses=reverses)
    _stacks_move(moved)


def felt_keep(felt: Mapping[Stack, int]) -> None:
    """Set the chips that are in front of the stacks after the ledger was rewritten; the difference is due
    (T17)."""
    if felt:
        sql.send(_FELT, [stack.pk for stack in felt], list(felt.values()))


_MOVE = """
    UPDATE tournament_stack s SET chips = s.chips + leg.chips{more}
    FROM unnest(%s::bigint[], %s::bigint[]) AS leg (stack, chips) WHERE s.id = leg.stack
"""
_MOVE_PLAIN = _MOVE.format(more="")
_MOVE_HAND = _MOVE.format(more=", last_change_chips = leg.chips")
# No chips are due to a player at no table: before the first bet complete stacks are put out.
_IN_PLAY = """
    s.state IN ('playing', 'absent')
    AND (SELECT r.status = 'playing' FROM tournament_round r WHERE r.id = s.round_id)
"""
_FELT = f"""
    UPDATE tournament_stack s SET due_chips = CASE WHEN {_IN_PLAY} THEN s.chips - felt.chips ELSE 0 END
    FROM unnest(%s::bigint[], %s::bigint[]) AS felt (stack, chips) WHERE s.id = felt.stack
"""  # noqa: S608 - our own columns

# The transaction and its legs in one statement.
_POST = """
    WITH posted AS (
        INSERT INTO tournament_chiptransaction (event_id, kind, source, reverses_id, at)
        VALUES (%s, %s, %s, %s, %s) RETURNING id
    ), legs AS (
        INSERT INTO tournament_chipentry (transaction_id, account, stack_id, amount_chips)
        SELECT posted.id, leg.account, leg.stack, leg.chips
        FROM posted, unnest(%s::text[], %s::bigint[], %s::bigint[]) AS leg (account, stack, chips)
    )
    SELECT id FROM posted
"""
_POSTED = "SELECT id FROM posted"
# A hand moves its stacks in the same statement.
_POST_HAND = _POST.replace(_POSTED, f", moved AS ({_MOVE_HAND}) {_POSTED}")


def _ledger(
    cmd: Command,
    kind: str,
    legs: list[tuple[Stack, int]],
    others: Mapping[str, int],
    *,
    source: str,
    reverses: int | None,
    hand: list[tuple[Stack, int]] | None = None,
) -> None:
    assert cmd.event is not None
    against = [(str(account), amount) for account, amount in others.items() if amount]
    moving = [[stack.pk for stack, _ in hand], [amount for _, amount in hand]] if hand else []
    sql.rows(
        _POST_HAND if hand else _POST,
        *(cmd.event.pk, str(kind), source, reverses, cmd.at),
        [str(ChipAccount.STACK) for _ in legs] + [account for account, _ in against],
        [stack.pk for stack, _ in legs] + [None for _ in against],
        [amount for _, amount in legs] + [amount for _, amount in against],
        *moving,
    )
    for stack, amount in hand or ():
        stack.chips += amount


def _stacks_move(legs: list[tuple[Stack, int]], *, last_hand: bool = False) -> None:
    if not legs:
        return
    # Relative, so that two postings never overwrite each other; the row's CHECK keeps it from going below
    # zero.
    move = _MOVE_HAND if last_hand else _MOVE_PLAIN
    sql.send(move, [stack.pk for stack, _ in legs], [amount for _, amount in legs])
    for stack, amount in legs:
        stack.chips += amount


def _check(legs: list[tuple[Stack, int]]) -> None:
    for stack, amount in legs:
        if stack.chips + amount < 0:
            raise not_enough_chips(stack, -amount)
