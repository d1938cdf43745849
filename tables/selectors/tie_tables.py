"""The ties of a play-off or a sudden death, and the tables where they are played (T19, T23, T33)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Seat, Shoe
from tournament.engine.tie_look import PLAY_OFF_TIE, tie_key
from tournament.models import Round, Stack
from tournament.selectors.stages import groups_of

LOOKED, LOOKS = "looked", "looks"
"""In the stakes of a stage: tie → table id → its hands at the last look, and all looks there were."""
IN_PLAY = (Stack.State.PLAYING, Stack.State.ABSENT)
_WHERE = ("entry__code", "table_id", "entry__stacks__state", "entry__stacks__chips")


@dataclass(frozen=True)
class Tie:
    """One tie of a stage while it is played: its key, and the ids of the tables where its players sit."""

    key: str
    tables: frozenset[int]
    can_bet: frozenset[int]


def hands_by_table(round_: Round) -> dict[int, int]:
    """Table id → hands settled, for the tables of a stage."""
    settled = Deal.objects.filter(shoe__round=round_, status=Deal.Status.SETTLED)
    dealt = settled.order_by().values_list("shoe__table_id").annotate(Count("pk"))
    return {**dict.fromkeys(round_.shoes.values_list("table_id", flat=True), 0), **dict(dealt)}


def ties_of(round_: Round) -> list[Tie]:
    """The ties of a stage that are still played, each with its tables (T23, T33)."""
    seats = Seat.objects.filter(
        round=round_, vacated_at__isnull=True, entry__stacks__round=round_, entry__stacks__state__in=IN_PLAY
    )
    where = {code: (table, state, chips) for code, table, state, chips in seats.values_list(*_WHERE)}
    minimum_chips = round_.plan.bets.min_chips
    able = {c for c, (_, state, n) in where.items() if state == Stack.State.PLAYING and n >= minimum_chips}
    return [
        Tie(
            key,
            frozenset(where[code][0] for code in codes if code in where),
            frozenset(where[code][0] for code in codes if code in able),
        )
        for key, codes in _tied(round_, where).items()
    ]


def _tied(round_: Round, seated: Iterable[str]) -> dict[str, tuple[str, ...]]:
    if round_.kind == Round.Kind.PLAY_OFF:
        return {PLAY_OFF_TIE: tuple(seated)}
    return {tie_key(group): group.entries for group in groups_of(round_)}


def looked_at(round_: Round, tie: str) -> dict[int, int]:
    """Table id → hands at the last look at a tie."""
    looked = round_.stakes.get(LOOKED, {}).get(tie, {})
    return {int(table): hands for table, hands in looked.items()}


def why_not_level(shoe: Shoe) -> Refused | None:
    """``wait_for_other_table`` (409): where a tie plays at two tables, none is a hand ahead (T23, T33)."""
    hands = hands_by_table(shoe.round)
    for tie in ties_of(shoe.round):
        looked = looked_at(shoe.round, tie.key)
        ahead = hands[shoe.table_id] - looked.get(shoe.table_id, 0)
        behind = [t for t in tie.can_bet if hands[t] - looked.get(t, 0) < ahead]
        if shoe.table_id in tie.tables and behind:
            return Refused(
                "wait_for_other_table",
                _("%(table)s waits until the other tables have played this hand."),
                status=409,
                table=shoe.table,
            )
    return None
