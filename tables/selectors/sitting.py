"""The players who can bet in the next hand, and those who sit it out by a penalty (T13, T15, T26)."""

from __future__ import annotations

from collections.abc import Mapping

from tables.models import Deal
from tournament import sql
from tournament.models import Penalty, Stack

_GIVEN = (
    "SELECT p.entry_id, p.id FROM tournament_penalty p JOIN tournament_entry e ON e.id = p.entry_id"
    " WHERE e.event_id = %s AND p.kind = %s AND p.cancelled_at IS NULL ORDER BY p.id DESC"
)


def bet_blocked(stack: Stack, bet_min_chips: int) -> str:
    """Why a stack cannot bet: absent (T15), out of chips (T13), decided or out of play; empty if it can."""
    if stack.state == Stack.State.ABSENT:
        return "absent"
    if stack.state != Stack.State.PLAYING:
        return str(stack.get_state_display())
    return "" if stack.chips >= bet_min_chips else "cannot cover the minimum"


def sitting_out(event_id: int, stacks: Mapping[int, Stack], bet_min_chips: int) -> dict[int, int]:
    """Map boxes to the penalty by which they sit the next hand out; only a box that could bet serves one.

    Where nobody else at the table could bet there would be no hand at all, and the penalty waits.
    """
    waiting = _waiting(event_id)
    if not waiting:
        return {}
    able = {box: stack for box, stack in stacks.items() if not bet_blocked(stack, bet_min_chips)}
    held = {box: waiting[stack.entry_id] for box, stack in able.items() if stack.entry_id in waiting}
    return held if len(held) < len(able) else {}


def still_held(sits_out: Mapping[int, int]) -> dict[int, int]:
    """Return the boxes that sit an open hand out by a penalty that still stands."""
    if not sits_out:
        return {}
    standing = Penalty.objects.filter(pk__in=sits_out.values(), cancelled_at__isnull=True)
    kept = set(standing.values_list("pk", flat=True))
    return {box: penalty for box, penalty in sits_out.items() if penalty in kept}


def _waiting(event_id: int) -> dict[int, int]:
    """Entry id → its oldest penalty that no hand has served yet."""
    given = sql.rows(_GIVEN, event_id, Penalty.Kind.SIT_OUT.value)
    done = _served(event_id) if given else set()
    return {entry: penalty for entry, penalty in given if penalty not in done}


def _served(event_id: int) -> set[int]:
    """Return the penalties that a hand has served; after a void hand one waits for the next."""
    counts = [Deal.Status.OPEN, Deal.Status.SETTLED]
    held = Deal.objects.filter(shoe__round__event=event_id, status__in=counts).exclude(sits_out={})
    return {penalty for boxes in held.values_list("sits_out", flat=True) for penalty in boxes.values()}
