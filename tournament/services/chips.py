"""Posting to the chip ledger. Called from inside commands; never a command of its own.

Issued is negative, so that issued + stacks + bank + returned = 0 at any time (Standing orders).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Case, F, IntegerField, Value, When

from tournament.engine.refused import Refused
from tournament.models import ChipAccount, ChipEntry, ChipTransaction, Stack

from .journal import Command

Kind = ChipTransaction.Kind


def chips_issue(cmd: Command, *, stacks: Mapping[Stack, int], source: str) -> None:
    """Put fresh chips in front of entries: issued → stack (T3, T22, T23, T33). Amounts in chips."""
    _post(cmd, Kind.ISSUE, stacks, against=ChipAccount.ISSUED, source=source)


def chips_return(cmd: Command, *, stacks: Iterable[Stack], source: str) -> None:
    """Hand in all the chips of these stacks: stack → returned."""
    _post(
        cmd,
        Kind.RETURN,
        {s: -s.chips for s in stacks if s.chips},
        against=ChipAccount.RETURNED,
        source=source,
    )


def chips_carry(cmd: Command, *, moves: Mapping[Stack, Stack], source: str) -> None:
    """Carry stacks to the next round: old stack → new stack (T22)."""
    legs = [(old, -old.chips) for old in moves if old.chips]
    legs += [(new, old.chips) for old, new in moves.items() if old.chips]
    if legs:
        _write(cmd, Kind.CARRY, legs, {}, source=source)


def chips_settle(
    cmd: Command,
    *,
    nets: Mapping[Stack, int],
    source: str,
    kind: str = Kind.DEAL,
    reverses: int | None = None,
) -> ChipTransaction | None:
    """Post what each stack won or lost against the table bank, in chips (T17, T18). None if nobody did."""
    return _post(cmd, kind, nets, against=ChipAccount.BANK, source=source, reverses=reverses)


def chips_hand(cmd: Command, *, nets: Mapping[Stack, int], source: str) -> None:
    """Post a settled hand against the table bank; every stack keeps what it did to it, a push included."""
    legs = list(nets.items())
    moved = [(stack, net) for stack, net in legs if net]
    _check(moved)
    if moved:
        bank_chips = -sum(net for _, net in moved)
        _ledger(cmd, Kind.DEAL, moved, {ChipAccount.BANK: bank_chips}, source=source, reverses=None)
    _stacks_move(legs, last_hand=True)


def chips_replace(
    cmd: Command,
    *,
    old: ChipTransaction | None,
    old_nets: Mapping[Stack, int],
    nets: Mapping[Stack, int],
    source: str,
    new_source: str,
) -> None:
    """Reverse a settled hand and post it anew (T17): two transactions, each stack moved once.

    Moved once, because either posting alone could take a stack below zero where both together do not.
    ``old`` is None where nobody had won or lost. Raises Refused ``not_enough_chips``.
    """
    change = {stack: nets.get(stack, 0) - old_nets.get(stack, 0) for stack in {**old_nets, **nets}}
    legs = [(stack, amount) for stack, amount in change.items() if amount]
    _check(legs)
    for kind, amounts, where, reverses in (
        (Kind.REVERSAL, {stack: -net for stack, net in old_nets.items()}, source, old),
        (Kind.DEAL, nets, new_source, None),
    ):
        posted = [(stack, amount) for stack, amount in amounts.items() if amount]
        if posted:
            against: dict[str, int] = {ChipAccount.BANK: -sum(amount for _, amount in posted)}
            _ledger(cmd, kind, posted, against, source=where, reverses=reverses.pk if reverses else None)
    _stacks_move(legs)


def _post(
    cmd: Command,
    kind: str,
    amounts: Mapping[Stack, int],
    *,
    against: str,
    source: str,
    reverses: int | None = None,
) -> ChipTransaction | None:
    legs = [(stack, amount) for stack, amount in amounts.items() if amount]
    if not legs:
        return None
    return _write(
        cmd, kind, legs, {against: -sum(amount for _, amount in legs)}, source=source, reverses=reverses
    )


def _write(
    cmd: Command,
    kind: str,
    legs: list[tuple[Stack, int]],
    others: Mapping[str, int],
    *,
    source: str,
    reverses: int | None = None,
) -> ChipTransaction:
    _check(legs)
    posted = _ledger(cmd, kind, legs, others, source=source, reverses=reverses)
    _stacks_move(legs)
    return posted


def _ledger(
    cmd: Command,
    kind: str,
    legs: list[tuple[Stack, int]],
    others: Mapping[str, int],
    *,
    source: str,
    reverses: int | None,
) -> ChipTransaction:
    assert cmd.event is not None
    posted = ChipTransaction.objects.create(
        event_id=cmd.event.pk, kind=kind, source=source, reverses_id=reverses, at=cmd.at
    )
    rows = [
        ChipEntry(transaction=posted, account=ChipAccount.STACK, stack=stack, amount_chips=amount)
        for stack, amount in legs
    ]
    rows += [
        ChipEntry(transaction=posted, account=a, amount_chips=amount)
        for a, amount in others.items()
        if amount
    ]
    ChipEntry.objects.bulk_create(rows)
    return posted


def _stacks_move(legs: list[tuple[Stack, int]], *, last_hand: bool = False) -> None:
    if not legs:
        return
    # Relative, so that two postings never overwrite each other; the row's CHECK holds it above zero.
    change = Case(
        *(When(pk=stack.pk, then=Value(amount)) for stack, amount in legs), output_field=IntegerField()
    )
    Stack.objects.filter(pk__in=[stack.pk for stack, _ in legs]).update(
        chips=F("chips") + change, **({"last_change_chips": change} if last_hand else {})
    )
    for stack, amount in legs:
        stack.chips += amount


def _check(legs: list[tuple[Stack, int]]) -> None:
    for stack, amount in legs:
        if stack.chips + amount < 0:
            raise Refused(
                "not_enough_chips",
                f"{stack.entry.code} has {stack.chips:,} chips in front; {-amount:,} cannot be taken.",
            )
