"""What the own card of a player says of the cut and of the prizes, in values and states."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.engine.chances import Chance
from tournament.engine.needs import Need
from tournament.engine.standing import Side
from tournament.models import Round
from tournament.selectors.ranking_states import row_word
from tournament.selectors.stage_ranking import Ranking, Row
from tournament.selectors.standings_states import ChanceState, Json, of

Status = Round.Status


def need_state(need: Need) -> Json | None:
    """What a player needs, as the own card says it; None where the gap to the cut says it all."""
    if need.chance == Chance.CLINCHED:
        return of(ChanceState.PRIZE_SURE if need.prizes else ChanceState.THROUGH)
    if need.chance == Chance.OUT:
        return of(ChanceState.PRIZE_MISSED if need.prizes else ChanceState.CUT_MISSED)
    if need.needs_chips is None or need.gap is None or need.gap.against_place is None:
        return None
    state = ChanceState.NEEDS_MONEY if need.prizes else ChanceState.NEEDS_TOP
    if need.gap.side == "tied":
        state = ChanceState.NEEDS_CLEAR
    return of(state, chips=need.needs_chips, seats=need.seats)


def chance_of(ranking: Ranking, row: Row, need: Need | None, prizes_cents: Sequence[int]) -> Json | None:
    """Return what a player's own card says beside the gap; None for nothing."""
    if row.state.gone:
        return of(row_word(row))
    playing = ranking.round.status in (Status.SEATED, Status.PLAYING)
    if row.no_hand:
        # T15: what an absent player can still do about it.
        return of(ChanceState.BEHIND_UNTIL_HAND if playing else ChanceState.BEHIND_WITHOUT_HAND)
    if row.absent:
        return of(ChanceState.STACK_STANDS)
    told = need_state(need) if need and playing else None
    if row.gap is None:
        in_the_money = _in_the_money(ranking, row, prizes_cents)
        return told or (of(ChanceState.IN_THE_MONEY) if in_the_money else None)
    if not playing or (row.gap.against_place is None and not _is_settled(need)):
        return None
    if told is not None or row.state == Side.ABOVE:
        return told or of(ChanceState.IN)
    can_bet = row.chips >= ranking.round.plan.bets.min_chips
    return of(ChanceState.ALIVE if can_bet else ChanceState.CANNOT_BET)


def _is_settled(need: Need | None) -> bool:
    return need is not None and need.chance != Chance.ALIVE


def _in_the_money(ranking: Ranking, row: Row, prizes_cents: Sequence[int]) -> bool:
    """Whether every place that this player may end on as it stands is paid."""
    level = sum(other.place == row.place for other in ranking.in_play)
    last = (row.place or 0) + level - 1
    return last <= len(prizes_cents) and prizes_cents[last - 1] > 0
