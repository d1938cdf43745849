"""The two counts at the end of a shoe; both stay hidden until both are in (T18)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce

from ground.refused import Conflict, Forbidden, Refused
from tables.models import CountSheet, Deal, Shoe
from tournament.models import Entry, Request, Stack
from tournament.roles import AUDITOR, DEALER, DIRECTOR, FLOOR, MANAGER, roles_of
from tournament.selectors.open_requests import COUNT_RULING
from tournament.selectors.stages import IN_PLAY

from .clerks import deals_at
from .floor import stacks_by_box

# The roles that may make a count, and those that may only make the second one.
COUNTS, COUNTS_SECOND = (DIRECTOR, FLOOR, DEALER), (MANAGER,)


@dataclass(frozen=True)
class CountView:
    """The counts of a shoe as one person may see them.

    ``entered``: how many counts are in (0, 1, 2); ``by_me``: this person has entered one of them.
    ``may_enter``: this person can enter the next one; ``why_not``: why their role cannot. ``signers``: people
    who can enter it by signing at this person's tablet. ``boxes``: box → entry, the boxes to count.
    ``differences``: box → (first, second, hands), once both counts are in and differ; ``hands`` is None where
    no hand was recorded. ``agreed``: box → chips of the other boxes. Nobody sees a figure earlier. ``again``:
    the boxes that this person can still count again; while any is left, they see no figures.
    """

    shoe: Shoe
    entered: int
    by_me: bool
    may_enter: bool
    why_not: str
    signers: tuple[User, ...]
    boxes: dict[int, Entry]
    differences: dict[int, tuple[int, int, int | None]]
    agreed: dict[int, int]
    again: tuple[int, ...] = ()


def live_sheets(shoe: Shoe) -> list[CountSheet]:
    """Return the counts in force, first then second. For services: pages use ``count_view``."""
    return list(CountSheet.objects.filter(shoe=shoe, status=CountSheet.Status.LIVE).order_by("which"))


def boxes_to_count(shoe: Shoe) -> dict[int, Stack]:
    """Map boxes to their stacks, without disqualified players (T26)."""
    return {box: stack for box, stack in stacks_by_box(shoe).items() if stack.state in IN_PLAY}


def hands_recorded(shoe: Shoe) -> bool:
    """Whether the hands of this shoe were recorded; if not, the counts alone decide (T18)."""
    return Deal.objects.filter(shoe=shoe, status=Deal.Status.SETTLED).exists()


def hands_say(
    shoe: Shoe, stacks: Mapping[int, Stack], counted_at: datetime | None = None
) -> dict[int, int | None]:
    """Map boxes to the chips by their hands: start, wins and losses, penalties; None without recorded hands.

    It is not the stack, since a ruling moves that (T18). Penalties after ``counted_at`` do not count: they
    took chips that had been counted.
    """
    if not hands_recorded(shoe):
        return dict.fromkeys(stacks)
    # A hand's posting and its reversal both name the hand; a ruling's posting names the count.
    hand = Q(chip_entries__transaction__source__startswith="deal:")
    penalty = Q(chip_entries__transaction__source__startswith="penalty:")
    if counted_at is not None:
        penalty &= Q(chip_entries__transaction__at__lte=counted_at)
    won = Coalesce(Sum("chip_entries__amount_chips", filter=hand | penalty), 0)
    asked = Stack.objects.filter(pk__in=[stack.pk for stack in stacks.values()])
    chips = {pk: start + net for pk, start, net in asked.values_list("pk", "start_chips", won).order_by()}
    return {box: chips[stack.pk] for box, stack in stacks.items()}


def count_view(shoe: Shoe, user: User | None) -> CountView:
    """Return the counts of a shoe as ``user`` may see them."""
    sheets = live_sheets(shoe)
    stacks = boxes_to_count(shoe)
    by_me = any(user is not None and sheet.counted_by_id == user.pk for sheet in sheets)
    alone = shoe.round.event.is_rehearsal
    why_not = why_not_count(len(sheets), user)
    due = shoe.status == Shoe.Status.OVER and len(sheets) < 2
    both = len(sheets) == 2 and shoe.status == Shoe.Status.OVER
    once_more = recounters(shoe, sheets, stacks) if both and not sees_counts(user) else []
    shown = both and not once_more
    differ = differences(sheets, hands_say(shoe, stacks, sheets[1].at)) if shown else {}
    signing = once_more or (signers(shoe, sheets) if due else [])
    return CountView(
        shoe=shoe,
        entered=len(sheets),
        by_me=by_me,
        may_enter=(due and why_not is None and (alone or not by_me)) or user in once_more,
        why_not=why_not.message if due and why_not else "",
        signers=tuple(each for each in signing if each != user),
        boxes={box: stack.entry for box, stack in stacks.items()},
        differences=differ,
        agreed={box: int(sheets[0].chips[str(box)]) for box in stacks if shown and box not in differ},
        again=tuple(boxes_again(sheets, stacks)) if once_more else (),
    )


def signers(shoe: Shoe, sheets: Sequence[CountSheet]) -> list[User]:
    """Return the people who may sign the next count of a table at another person's tablet, by user name.

    The first count has no signers: the person who is logged in enters it.
    """
    if not sheets:
        return []
    at_all = Q(groups__name__in=[*(role for role in COUNTS if role != DEALER), *COUNTS_SECOND])
    own = Q(groups__name=DEALER, clerk__table=shoe.table_id)
    people = User.objects.filter(at_all | own | Q(is_superuser=True), is_active=True)
    return list(people.exclude(pk=sheets[0].counted_by_id or 0).distinct().order_by("username"))


def why_not_count(entered: int, user: User | None) -> Refused | None:
    """Return why a user may not make the next count of a table; None if allowed (Who may do what).

    ``entered``: how many counts are in. Without a user the house itself counts, which is allowed.
    """
    if user is None or roles_of(user) & {*COUNTS, *(() if not entered else COUNTS_SECOND)}:
        return None
    return Forbidden(
        "not_yours_to_count",
        "The floor, the director or the dealer makes the first count of a table. A manager makes the second.",
    )


def differences(
    sheets: Sequence[CountSheet], hands: Mapping[int, int | None]
) -> dict[int, tuple[int, int, int | None]]:
    """Map boxes to (first, second, hands) where the counts differ from each other or from the hands."""
    first, second = (sheet.chips for sheet in sheets)
    found = {}
    for box, said in hands.items():
        a, b = int(first.get(str(box), 0)), int(second.get(str(box), 0))
        if counts_differ(a, b, said):
            found[box] = (a, b, said)
    return found


def counts_differ(first: int, second: int, hands: int | None) -> bool:
    """Whether the two counts of a box differ from each other or from its hands (T18)."""
    return first != second or (hands is not None and first != hands)


SEES = frozenset({DIRECTOR, MANAGER, AUDITOR})
"""The roles that see both counts as soon as both are in: they rule, confirm, or read the journal."""


def sees_counts(user: User | None) -> bool:
    """Whether this user sees two differing counts even while a box may still be counted again."""
    return user is None or bool(roles_of(user) & SEES)


def boxes_again(sheets: Sequence[CountSheet], stacks: Iterable[int]) -> list[int]:
    """Return the boxes in which the two counts differ from each other, regardless of the hands."""
    first, second = (sheet.chips for sheet in sheets)
    return sorted(box for box in stacks if first.get(str(box)) != second.get(str(box)))


def recounters(shoe: Shoe, sheets: Sequence[CountSheet], stacks: Iterable[int]) -> list[User]:
    """Return the people of the two counts who may still count the differing boxes again, by user name."""
    people = User.objects.filter(pk__in={sheet.counted_by_id for sheet in sheets if sheet.counted_by_id})
    there = people.filter(is_active=True).order_by("username")
    return [each for each in there if why_not_again(shoe, sheets, stacks, each) is None]


def why_not_again(
    shoe: Shoe, sheets: Sequence[CountSheet], stacks: Iterable[int], user: User | None
) -> Refused | None:
    """Return why a person cannot count the differing boxes again; None where they can.

    ``counts_missing`` (409), ``nothing_differs`` (409), ``counts_seen`` (403), ``not_your_count`` (403),
    ``counted_again`` (409).
    """
    if len(sheets) < 2:
        return Conflict("counts_missing", "Both counts must be in before a box is counted again.")
    if not boxes_again(sheets, stacks):
        return Conflict("nothing_differs", "The two counts agree in every box. No box is counted again.")
    asked = Request.objects.filter(kind=COUNT_RULING, body__sheets=[sheet.pk for sheet in sheets])
    # A requested ruling has shown the figures to everybody.
    if user is None or sees_counts(user) or asked.exists():
        return Forbidden(
            "counts_seen",
            "The two counts have been shown, so no box is counted blind any more. Count all boxes again.",
        )
    # A recount keeps the time of the count that it changes.
    earlier = CountSheet.objects.filter(shoe=shoe, counted_by=user, status=CountSheet.Status.REOPENED)
    if earlier.filter(at__in=[sheet.at for sheet in sheets]).exists():
        return Conflict(
            "counted_again",
            "You have counted these boxes again already. The other person may, or the director rules.",
        )
    if user.pk in {sheet.counted_by_id for sheet in sheets} and _keeps(user, shoe):
        return None
    return Forbidden(
        "not_your_count", "Only the two people who counted this table can count these boxes again."
    )


def _keeps(user: User, shoe: Shoe) -> bool:
    roles = roles_of(user)
    return FLOOR in roles or (DEALER in roles and deals_at(user, shoe.table))
