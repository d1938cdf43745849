"""Make the rehearsal that a first start offers: a night in progress for trying everything."""

from __future__ import annotations

import secrets
from dataclasses import fields

from django.contrib.auth.models import User
from django.db import transaction

from tournament import roles
from tournament.models import Event
from tournament.services.journal import Json

from .clerks import clerk_bind
from .nights import (
    Night,
    People,
    night_buy_in,
    night_draw,
    night_open,
    night_play,
    night_post_payouts,
    round_1_over,
    shoes_in_play,
)
from .simulation import shoe_play_on

SLUG = "rehearsal"
ENTRANTS = 42
# Hands already played in round 2, table by table: one table is ahead, as on a real night.
HANDS_PLAYED = (3, 2)


@transaction.atomic
def rehearsal_make() -> Json:
    """Play a rehearsal up to round 2: 42 entrants, round 1 over, payouts posted, round 2 at the tables.

    The users named after the roles run it, and the dealer gets table 1. It is one transaction: an interrupted
    first start leaves no half rehearsal. Gives ``{"event", "slug"}``.
    """
    night = night_open(
        name="Rehearsal night",
        code="REHEARSAL",
        kind=Event.Kind.REHEARSAL,
        luck=secrets.token_hex(16),
        settings={},
        slug=SLUG,
        people=people(),
    )
    night_buy_in(night, ENTRANTS)
    night_play(night, until=round_1_over)
    night_post_payouts(night)
    round_2_start(night)
    return {"event": night.event.pk, "slug": night.event.slug}


def people() -> People:
    """Return the people who run a rehearsal: the users named after the roles; None where there is none."""
    by_name = {user.username: user for user in User.objects.filter(username__in=roles.ROLES)}
    return People(**{each.name: by_name.get(each.name) for each in fields(People)})


def round_2_start(night: Night) -> None:
    """Seat round 2 and play the first hands; the dealer gets the first table."""
    round_ = night_draw(night)
    shoes = shoes_in_play(round_)
    for shoe, hands in zip(shoes, HANDS_PLAYED, strict=False):
        shoe_play_on(shoe_id=shoe.pk, hands=hands, key=night.key(), actor=night.people.dealer)
    if night.people.dealer is not None and shoes:
        table = shoes[0].table
        clerk_bind(
            table_id=table.pk, user_id=night.people.dealer.pk, key=night.key(), actor=night.people.floor
        )
