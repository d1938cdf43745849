"""Play-offs and sudden deaths after a hand: which ties may be looked at, and the look (T19, T23, T33)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Seat, Shoe
from tables.selectors.tie_played import LOOKED, LOOKS
from tournament.engine.tie_again import PLAY_OFF_TIE, tie_key
from tournament.engine.tie_look import is_level
from tournament.models import Round, Stack
from tournament.selectors.stages import group_from_dict
from tournament.services.journal import Command
from tournament.services.payouts import priced_hook
from tournament.services.rounds import round_priced, round_step, tie_over_hook

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
    minimum_chips = round_.event.settings.bet_min_chips
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
    groups = map(group_from_dict, round_.stakes.get("groups", []))
    return {tie_key(group): group.entries for group in groups}


def looked_at(round_: Round, tie: str) -> dict[int, int]:
    """Table id → hands at the last look at a tie. What was written before ties had keys holds for all."""
    kept = round_.stakes.get(LOOKED, {})
    found = kept.get(tie)
    if not isinstance(found, dict):
        found = {table: hands for table, hands in kept.items() if isinstance(hands, int)}
    return {int(table): hands for table, hands in found.items()}


def level_check(shoe: Shoe) -> None:
    """T23, T33 are looked at after every hand: where a tie plays at two tables, none is a hand ahead."""
    hands = hands_by_table(shoe.round)
    for tie in ties_of(shoe.round):
        looked = looked_at(shoe.round, tie.key)
        ahead = hands[shoe.table_id] - looked.get(shoe.table_id, 0)
        behind = [t for t in tie.can_bet if hands[t] - looked.get(t, 0) < ahead]
        if shoe.table_id in tie.tables and behind:
            raise Refused(
                "wait_for_other_table",
                _("%(table)s waits until the other tables have played this hand."),
                status=409,
                table=shoe.table,
            )


def round_look_if_level(cmd: Command, round_: Round, *, asked: bool = False) -> None:
    """Look at each tie of a play-off or sudden death once its tables have played the hand (T23, T33).

    ``asked``: the director looks without a hand, because nobody there can play one.
    """
    hands = hands_by_table(round_)
    due = [
        tie.key
        for tie in _level_ties(round_, hands)
        if asked or any(hands[t] > looked_at(round_, tie.key).get(t, 0) for t in tie.tables)
    ]
    if not due:
        return
    look = {
        "after": _last_hand(round_),
        "absent": _absent(round_),
        "asked": asked,
        "at": cmd.at.isoformat(),
    }
    kept = _kept(round_, due)
    round_step(cmd, round_, due)
    _looked(cmd, round_, look, kept, hands)


def _level_ties(round_: Round, hands: Mapping[int, int]) -> list[Tie]:
    """The ties that may be looked at: none of their tables is a hand ahead (T19)."""
    return [
        tie for tie in ties_of(round_) if is_level(tie.tables, hands, looked_at(round_, tie.key), tie.can_bet)
    ]


def _kept(round_: Round, due: Collection[str]) -> dict[str, dict[int, int]]:
    return {tie.key: looked_at(round_, tie.key) for tie in ties_of(round_) if tie.key not in due}


def _looked(
    cmd: Command,
    round_: Round,
    look: Mapping[str, Any],
    kept: Mapping[str, Mapping[int, int]],
    hands: Mapping[int, int],
) -> None:
    """Keep a look beside those before it, so that the stage can be played again (T17)."""
    now = {str(table): number for table, number in hands.items()}
    round_.stakes = {
        **round_.stakes,
        LOOKED: {tie.key: kept.get(tie.key, now) for tie in ties_of(round_)},
        LOOKS: [*round_.stakes.get(LOOKS, []), look],
    }
    round_.save(update_fields=["stakes"])


@tie_over_hook
def tie_over(cmd: Command, round_: Round) -> None:
    """T33: a shoe need not be finished once the tie is decided, by whatever, and nothing of it is counted."""
    shoes = Shoe.objects.filter(round=round_, status=Shoe.Status.DEALING)
    shoes.update(status=Shoe.Status.OVER, ended_reason="the tie is decided", ended_at=cmd.at)


@priced_hook
def tie_priced(cmd: Command, round_: Round, prizes_cents: Sequence[int]) -> None:
    """Another structure is in force while a sudden death is played (T31, T33).

    Whose places pay the same now stops playing; the others are looked at anew by the stacks that they have,
    where a hand was dealt. Refuses ``hand_open`` (409): the hand that is dealt may decide it.
    """
    # Nobody opens a hand while the tie may be ending: that takes the shoe's lock.
    shoes = list(Shoe.objects.select_for_update().filter(round=round_).order_by("pk"))
    open_ = Deal.objects.filter(shoe__in=[shoe.pk for shoe in shoes], status=Deal.Status.OPEN)
    deal = open_.select_related("shoe__table").first()
    if deal is not None:
        raise Refused(
            "hand_open",
            _("A hand of the sudden death is open at %(table)s. Finish it or void it first."),
            status=409,
            table=deal.shoe.table,
        )
    hands = hands_by_table(round_)
    look = {
        "after": _last_hand(round_),
        "absent": _absent(round_),
        "asked": True,
        "at": cmd.at.isoformat(),
        "prizes_cents": list(prizes_cents),
    }
    round_priced(cmd, round_, prizes_cents)
    due = [tie.key for tie in _level_ties(round_, hands) if any(hands[table] for table in tie.tables)]
    kept = _kept(round_, due)
    if due:
        round_step(cmd, round_, due, absent=())
    _looked(cmd, round_, look, kept, hands)


def _last_hand(round_: Round) -> int:
    """The id of the hand that was dealt last in a stage, as it was first recorded; 0 before the first."""
    dealt = Deal.objects.filter(shoe__round=round_, corrects__isnull=True).exclude(status=Deal.Status.OPEN)
    return dealt.aggregate(last=Max("pk"))["last"] or 0


def _absent(round_: Round) -> list[str]:
    """Who is absent, and who was when decided: nobody has said since that they are back (T15, T17)."""
    states = dict(round_.stacks.values_list("entry__code", "state"))
    before = [code for look in round_.stakes.get(LOOKS, [])[-1:] for code in look["absent"]]
    away = {code for code, state in states.items() if state == Stack.State.ABSENT}
    return sorted(away | {code for code in before if states.get(code) not in IN_PLAY})
