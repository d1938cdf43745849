"""Decide whether a person counts as a second person (faults, Who may do what).

Two logins can belong to one person. A person who created a login, reset its password or gave it a role could
be using it. For a day neither of the two may confirm a request of the other. The same holds for requests of
directors and managers if one person had the links of both logins.
"""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q

from ground.refused import Forbidden, Refused, refuse
from tournament.models import LoginChange

from .journal import Command

APART = timedelta(hours=24)


def second_person(cmd: Command, *, first_id: int | None, one_may: bool, own: Refused) -> None:
    """Refuse an actor who does not count as a second person beside the first one (a user's id).

    With ``one_may``, in a rehearsal, one person may be both, and the journal says ``one_person``.
    Refuses ``own`` for the same login, and ``login_of_yours`` (403).
    """
    if (cmd.actor.pk if cmd.actor else None) == first_id:
        if not one_may:
            raise own
        cmd.note(one_person=True)
        return
    refuse(None if one_may else why_not_second(first_id, cmd.actor, cmd.at))


def why_not_second(first_id: int | None, second: User | None, at: datetime) -> Refused | None:
    """Return why two logins do not count as two people yet: one of them has recently changed the other."""
    if first_id is None or second is None:
        return None
    between = Q(user=second.pk, by=first_id) | Q(user=first_id, by=second.pk)
    lately = LoginChange.objects.filter(between, at__gt=at - APART, first_two=False)
    last = lately.select_related("by").order_by("at").last()
    if last is None or last.by is None:
        return None
    return _not_two(last.by)


def why_not_two(first_id: int | None, second: User | None, at: datetime) -> Refused | None:
    """Return why two logins may not share a request: one person had the links of both and could use both."""
    direct = why_not_second(first_id, second, at)
    if direct is not None or first_id is None or second is None:
        return direct
    both = _link_holders(first_id, at) & _link_holders(second.pk, at)
    if not both:
        return None
    return _not_two(User.objects.filter(pk__in=both).order_by("pk")[0])


def _not_two(had_a_hand: User) -> Refused:
    return Forbidden(
        "login_of_yours",
        "In the last 24 hours %(who)s added or reset one of the two logins or gave it a role, so the "
        "two do not count as two people yet. Ask another person.",
        who=had_a_hand.get_username(),
    )


def _link_holders(user_id: int, at: datetime) -> set[int]:
    """Return the users who could be using a login: its owner, and anybody with a link for it in the last
    day."""
    hands, todo = {user_id}, {user_id}
    while todo:
        links = LoginChange.objects.filter(
            user__in=todo, by__isnull=False, at__gt=at - APART, first_two=False
        )
        given = links.exclude(what=LoginChange.What.ROLES).values_list("by_id", flat=True)
        todo = {by_id for by_id in given if by_id is not None} - hands
        hands |= todo
    return hands
