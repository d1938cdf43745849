"""The rehearsal that a first start offers: a night in progress, to try everything on (issue's first start)."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.db import transaction

from tables.models import Clerk
from tournament import roles
from tournament.models import Event, Round
from tournament.services.journal import Json

from .nights import Night, night_buy_in, night_draw, night_open, night_play, night_post_payouts, shoes_in_play
from .simulation import shoe_play_on

SLUG = "rehearsal"
ENTRANTS = 42
# Hands already played in round 2, table by table: one table is ahead, as on a real night.
HANDS_PLAYED = (3, 2)


@transaction.atomic
def rehearsal_make() -> Json:
    """Play a rehearsal up to round 2: 42 simulated entrants, round 1 over, payouts posted, round 2 at the tables.

    Run by the people named after the roles; the dealer keeps table 1. All or nothing: a first start that is
    cut off leaves no half a rehearsal. Gives ``{"event", "slug"}``.
    """
    night = night_open(
        name="Rehearsal night",
        code="REHEARSAL",
        kind=Event.Kind.REHEARSAL,
        luck=secrets.token_hex(16),
        settings={},
        slug=SLUG,
        **people(),
    )
    night_buy_in(night, ENTRANTS)
    night_play(night, until=round_1_over)
    night_post_payouts(night)
    round_2_start(night)
    return {"event": night.event.pk, "slug": night.event.slug}


def people() -> dict[str, User | None]:
    """Who runs a rehearsal: the users named after the roles, as far as they exist."""
    by_name = {user.username: user for user in User.objects.filter(username__in=roles.ROLES)}
    return {role: by_name.get(role) for role in ("cashier", "director", "floor", "manager", "dealer")}


def round_1_over(event: Event) -> bool:
    """Whether round 1 of the event is closed."""
    return event.rounds.filter(number=1, kind=Round.Kind.ROUND, status=Round.Status.CLOSED).exists()


def round_2_start(night: Night) -> None:
    """Seat round 2 and play the first hands; the dealer gets the first table."""
    round_ = night_draw(night)
    shoes = shoes_in_play(round_)
    for shoe, hands in zip(shoes, HANDS_PLAYED, strict=False):
        shoe_play_on(shoe_id=shoe.pk, hands=hands, key=night.key(), actor=night.dealer)
    if night.dealer is not None and shoes:
        Clerk.objects.get_or_create(user=night.dealer, defaults={"table": shoes[0].table})
