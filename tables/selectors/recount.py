"""Only the boxes in which two counts differ are counted again, blind, by one of the two people (T18).

Each of the two may do so once: a third try would be a guess. A person who has seen both counts may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import CountSheet, Shoe
from tournament.models import Request
from tournament.roles import AUDITOR, DEALER, DIRECTOR, FLOOR, MANAGER, roles_of
from tournament.selectors.waiting import COUNT_RULING

from .clerks import keeps_table

SEES = frozenset({DIRECTOR, MANAGER, AUDITOR})
"""The roles that are shown both counts as soon as both are in: they rule, confirm, or read the journal."""


def sees_counts(user: User | None) -> bool:
    """Whether somebody is shown two counts that differ although a box may still be counted again."""
    return user is None or bool(roles_of(user) & SEES)


def boxes_again(sheets: Sequence[CountSheet], stacks: Iterable[int]) -> list[int]:
    """The boxes in which the two counts differ from each other, whatever the hands say."""
    first, second = (sheet.chips for sheet in sheets)
    return sorted(box for box in stacks if first.get(str(box)) != second.get(str(box)))


def recounters(shoe: Shoe, sheets: Sequence[CountSheet], stacks: Iterable[int]) -> list[User]:
    """Return which of the two people may still count the differing boxes again, by user name."""
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
        return Refused(
            "counts_missing", _("Both counts must be in before a box is counted again."), status=409
        )
    if not boxes_again(sheets, stacks):
        return Refused(
            "nothing_differs", _("The two counts agree in every box. No box is counted again."), status=409
        )
    asked = Request.objects.filter(kind=COUNT_RULING, body__sheets=[sheet.pk for sheet in sheets])
    # A ruling that was asked for has shown the figures to everybody.
    if user is None or sees_counts(user) or asked.exists():
        return Refused(
            "counts_seen",
            _("The two counts have been shown, so no box is counted blind any more. Count all boxes again."),
            status=403,
        )
    # What a person counted again is as old as the count that it belongs to.
    earlier = CountSheet.objects.filter(shoe=shoe, counted_by=user, status=CountSheet.Status.REOPENED)
    if earlier.filter(at__in=[sheet.at for sheet in sheets]).exists():
        return Refused(
            "counted_again",
            _("You have counted these boxes again already. The other person may, or the director rules."),
            status=409,
        )
    if user.pk in {sheet.counted_by_id for sheet in sheets} and _keeps(user, shoe):
        return None
    return Refused(
        "not_your_count",
        _("One of the two people who counted this table counts these boxes again."),
        status=403,
    )


def _keeps(user: User, shoe: Shoe) -> bool:
    roles = roles_of(user)
    return FLOOR in roles or (DEALER in roles and keeps_table(user, shoe.table))
