"""Whether the hand settled last can still be taken back without a director (T17)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from ground.refused import Conflict, Forbidden, Refused
from tables.models import Deal, Shoe
from tables.selectors.deals import boxed
from tables.selectors.shoes import ended_with
from tournament import sql
from tournament.models import Round, Stack

TAKE_BACK_SECONDS = 30
"""How long the clerk who settled a hand can take it back; after that the director corrects it."""

SETTLES = ("deal.settle", "deal.record")


def is_fresh(deal: Deal, at: datetime) -> bool:
    """Whether a hand was settled so recently that its clerk can take it back."""
    return deal.closed_at is not None and at - deal.closed_at <= timedelta(seconds=TAKE_BACK_SECONDS)


def why_not_settled(deal: Deal) -> Refused | None:
    """Return why a hand cannot be corrected or taken back: it is not settled."""
    if deal.status == Deal.Status.SETTLED:
        return None
    return Conflict(
        "deal_not_settled", "Hand %(deal)s is %(state)s.", deal=deal.number, state=deal.get_status_display()
    )


def why_not_take_back(
    deal: Deal, stacks: Mapping[int, Stack], *, actor_id: int | None, at: datetime
) -> Refused | None:
    """Return why ``actor_id`` cannot take this hand back now without a director; None if allowed.

    ``stacks``: box → the stack in front of it now.

    ``deal_not_settled`` (409), ``too_late`` after half a minute, ``hand_of_tie``, ``not_tapped`` for a hand
    not entered on a screen, ``not_yours`` (403), ``shoe_over`` (409), ``dealt_since`` (409), ``moved_since``.
    """
    no = why_not_settled(deal) or _why_not_by_the_hand(deal, at)
    if no:
        return no
    of_the_hand = (deal.shoe.round.event_id, deal.closed_at, list(SETTLES), deal.pk)
    [(settled_by, later)] = sql.rows(_SINCE, *of_the_hand, deal.shoe_id, deal.number)
    # Check the person first: for anybody else no other reason matters.
    if actor_id is None or settled_by != actor_id:
        return _not_yours(deal)
    return _why_not_by_the_table(deal, stacks, later)


def _why_not_by_the_hand(deal: Deal, at: datetime) -> Refused | None:
    number = deal.number
    if not is_fresh(deal, at):
        return Refused(
            "too_late",
            "Hand %(deal)s was settled more than %(seconds)s seconds ago. The director corrects it, "
            "with a reason.",
            deal=number,
            seconds=TAKE_BACK_SECONDS,
        )
    if deal.shoe.round.kind != Round.Kind.ROUND:
        return Refused(
            "hand_of_tie",
            "Hand %(deal)s may have decided somebody's place. The director corrects it, with a reason.",
            deal=number,
        )
    if deal.mode != Deal.Mode.RESULTS and not deal.taps:
        return Refused(
            "not_tapped",
            "Hand %(deal)s was not entered at the table. The director corrects it, with a reason.",
            deal=number,
        )
    return None


# Who settled the hand, read from the end of the journal since that was seconds ago; and the next hand.
_SINCE = """
    SELECT (
        SELECT actor_id FROM tournament_journalentry
        WHERE event_id = %s AND at = %s AND kind = ANY(%s) AND result->'deal' = to_jsonb(%s::bigint)
        ORDER BY seq DESC LIMIT 1
    ), (SELECT min(number) FROM tables_deal WHERE shoe_id = %s AND number > %s)
"""


def _why_not_by_the_table(deal: Deal, stacks: Mapping[int, Stack], later: int | None) -> Refused | None:
    shoe = deal.shoe
    if shoe.status != Shoe.Status.DEALING and not ended_with(shoe, deal):
        return Conflict("shoe_over", "The shoe at %(table)s is over. Open it again first.", table=shoe.table)
    if later is not None:
        return Conflict(
            "dealt_since",
            "Hand %(later)s has been dealt since. The director corrects hand %(deal)s, with a reason.",
            later=later,
            deal=deal.number,
        )
    return _why_not_by_the_stacks(deal, stacks)


def _why_not_by_the_stacks(deal: Deal, stacks: Mapping[int, Stack]) -> Refused | None:
    """Return why not if a player's chips or seat changed since the hand."""
    nets = boxed((deal.answer or {"net": {}})["net"])
    for box, net in nets.items():
        stack, then = stacks.get(box), (deal.entries[str(box)], deal.stacks[str(box)])
        plays = stack is not None and stack.state == Stack.State.PLAYING
        if not plays or stack is None or (stack.entry_id, stack.chips - net) != then:
            return Refused(
                "moved_since",
                "The player or the chips of box %(box)s have changed since. The director corrects hand "
                "%(deal)s, with a reason.",
                box=box,
                deal=deal.number,
            )
    return None


def _not_yours(deal: Deal) -> Refused:
    return Forbidden(
        "not_yours",
        "Only the person who settled hand %(deal)s can take it back. The director can correct it.",
        deal=deal.number,
    )
