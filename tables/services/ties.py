"""Play-offs and sudden deaths after a hand: which ties may be looked at, and the look (T19, T23, T33)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ground.refused import Refused, refuse
from ground.words import gettext_noop as _
from tables.models import Deal, Shoe
from tables.selectors.tie_tables import LOOKED, LOOKS, Tie, hands_by_table, looked_at, ties_of, why_not_level
from tournament.engine.tie_look import is_level
from tournament.models import Round, Stack
from tournament.services.journal import Command
from tournament.services.payouts import priced_hook
from tournament.services.rounds import round_priced, round_step, tie_over_hook

IN_PLAY = (Stack.State.PLAYING, Stack.State.ABSENT)


def level_check(shoe: Shoe) -> None:
    """Refuse what ``why_not_level`` says."""
    refuse(why_not_level(shoe))


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
    look = {"absent": _absent(round_)}
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
    """Keep who was absent at a look beside those before it (T33)."""
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
    look = {"absent": _absent(round_)}
    round_priced(cmd, round_, prizes_cents)
    due = [tie.key for tie in _level_ties(round_, hands) if any(hands[table] for table in tie.tables)]
    kept = _kept(round_, due)
    if due:
        round_step(cmd, round_, due, absent=())
    _looked(cmd, round_, look, kept, hands)


def _absent(round_: Round) -> list[str]:
    """Return the entries that are absent, or were when it was decided and are not back (T15, T17)."""
    states = dict(round_.stacks.values_list("entry__code", "state"))
    before = [code for look in round_.stakes.get(LOOKS, [])[-1:] for code in look["absent"]]
    away = {code for code, state in states.items() if state == Stack.State.ABSENT}
    return sorted(away | {code for code in before if states.get(code) not in IN_PLAY})
