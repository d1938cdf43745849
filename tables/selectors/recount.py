"""Only the boxes in which two counts differ are counted again, blind, by one of the two people (T18).

Each of the two may do so once: a third try would be a guess. A person who has seen both counts may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db.models import Q

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import CountSheet, Shoe
from tournament.models import JournalEntry, Request
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
    """Return which of the two people may still count the differing boxes again, by user name; may be empty.

    A ruling that was asked for has shown the figures to everybody.
    """
    if shoe.status != Shoe.Status.OVER or not boxes_again(sheets, stacks) or _ruling_asked(shoe, sheets):
        return []
    done = again_by(shoe)
    ids = {sheet.counted_by_id for sheet in sheets} - done
    people = User.objects.filter(pk__in=[pk for pk in ids if pk is not None], is_active=True)
    return [each for each in people.order_by("username") if _counts_blind(shoe, each)]


def _ruling_asked(shoe: Shoe, sheets: Sequence[CountSheet]) -> bool:
    asked = Request.objects.filter(kind=COUNT_RULING, body__shoe=shoe.pk)
    return asked.filter(body__sheets=[sheet.pk for sheet in sheets]).exists()


def again_by(shoe: Shoe) -> set[int | None]:
    """Return the people who have counted boxes of this table again since its first count."""
    entered = JournalEntry.objects.filter(
        event=shoe.round.event_id, kind="count.enter", body__asked__shoe=shoe.pk
    )
    again = Q(body__asked__again=True)
    first = entered.filter(result__which=1).exclude(again).order_by("seq").last()
    since = first.seq if first else 0
    return set(entered.filter(again, seq__gt=since).values_list("actor", flat=True))


def _counts_blind(shoe: Shoe, user: User) -> bool:
    roles = roles_of(user)
    if roles & SEES:
        return False
    return FLOOR in roles or (DEALER in roles and keeps_table(user, shoe.table))


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
    if sees_counts(user) or _ruling_asked(shoe, sheets):
        return Refused(
            "counts_seen",
            _("The two counts have been shown, so no box is counted blind any more. Count all boxes again."),
            status=403,
        )
    if user in recounters(shoe, sheets, stacks):
        return None
    if user is not None and user.pk in again_by(shoe):
        return Refused(
            "counted_again",
            _("You have counted these boxes again already. The other person may, or the director rules."),
            status=409,
        )
    return Refused(
        "not_your_count",
        _("One of the two people who counted this table counts these boxes again."),
        status=403,
    )
