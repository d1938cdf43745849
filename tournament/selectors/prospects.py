"""What each player of a round can still reach: through, out or open, and the chips needed now.

A claim is of the stacks that are settled and of every course of the hands to come (``engine/chances``). In
the last round, where nobody is cut, it is about the places that are paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.protocol import Rules
from tournament.engine import settings as event_settings
from tournament.engine.chances import Chance, Reach, chances, needs_chips, reach
from tournament.engine.ranking import Gap, Standing, gap_to_cut
from tournament.engine.standing import Side
from tournament.models import Round, Stack
from tournament.selectors.ranking_states import row_word
from tournament.selectors.stage_ranking import Ranking, Row
from tournament.selectors.standings_states import ChanceState, Json, of

Status = Round.Status
HandsMost = Mapping[int, int | None]
"""Entry → the most hands that its player can still play in the round; None, or no entry: nobody knows."""


@dataclass(frozen=True)
class Prospect:
    """The chance of one player for the ``seats`` of the round, and the chips needed now, None above them.

    ``prizes``: the seats are paid places (T33), not seats of the next round.
    """

    chance: Chance
    needs_chips: int | None
    seats: int
    gap: Gap | None = None
    prizes: bool = False


def prospects(ranking: Ranking, rules: Rules, hands: HandsMost, paid: int) -> dict[str, Prospect]:
    """The prospect of every player of an open main round, by entry code; empty where nothing is played for.

    ``rules``: the hand's in this round; ``paid``: how many places are paid, as far as it is posted.
    """
    round_ = ranking.round
    seats = paid if round_.cut_to is None else round_.cut_to
    if not seats:
        return {}
    if round_.cut_to is None:
        gaps = gap_to_cut(map(_standing, ranking.rows), seats)
    else:
        gaps = {row.code: row.gap for row in ranking.rows if row.gap}
    found = _chances(ranking, rules, hands, seats)
    made = {}
    for row in ranking.rows:
        chance, gap = found[row.code], gaps.get(row.code)
        if round_.cut_to is None and row.no_hand:
            # T15: behind all who played there may still be a prize, so nothing is claimed.
            chance = Chance.ALIVE
        wins = chance == Chance.ALIVE and _may_win(row, round_.status, rules, gap, hands)
        needs = needs_chips(gap, rules.chip_chips) if wins else None
        made[row.code] = Prospect(chance, needs, seats, gap, prizes=round_.cut_to is None)
    return made


def _may_win(row: Row, status: str, rules: Rules, gap: Gap | None, hands: HandsMost) -> bool:
    """Whether a player can win what is needed: not with the shoe over, nor below the smallest bet (T13).

    Before the first hand all who start level are tied, which says nothing of anybody.
    """
    if status == Status.SEATED:
        return gap is not None and gap.side == "out"
    return status == Status.PLAYING and row.chips >= rules.min_chips and hands.get(row.entry.pk) != 0


def paid_places(prizes_cents: Sequence[int]) -> int:
    """How many places are paid, 0 where a place without a prize lies between them."""
    paid = sum(1 for prize in prizes_cents if prize)
    return paid if all(prizes_cents[:paid]) else 0


def _standing(row: Row) -> Standing:
    return Standing(row.code, row.chips, row.state.gone, row.no_hand)


def _chances(ranking: Ranking, rules: Rules, hands: HandsMost, seats: int) -> dict[str, Chance]:
    round_ = ranking.round
    if round_.status == Status.SEATED:
        # T6: until the first bet others may still be seated.
        return {row.code: Chance.OUT if row.state.gone else Chance.ALIVE for row in ranking.rows}
    playing = round_.status == Status.PLAYING
    if not playing and round_.cut_to is not None:
        return {row.code: state_chance(row.state) for row in ranking.rows}
    minimum = None if round_.cut_to is None else round_.event.format.least_to_advance(round_.number)
    # T15: once all is counted the ranking itself knows who has played no hand.
    unsure = playing and _ranks_behind_without_hand(round_)
    field = []
    for row in ranking.rows:
        left = hands.get(row.entry.pk) if playing else 0
        least, most = reach(rules, row.chips, left)
        ranked = not row.state.gone and not row.no_hand
        counts = ranked and (not unsure or _has_played(row.stack))
        may_count = not row.state.gone and (not row.no_hand or left != 0)
        field.append(Reach(row.code, least, most, counts, may_count))
    return chances(field, seats, minimum)


def _ranks_behind_without_hand(round_: Round) -> bool:
    settings = round_.event.settings
    return settings.record_mode == event_settings.HANDS and settings.no_hand == event_settings.OUT


def _has_played(stack: Stack) -> bool:
    """Whether a hand of the round was certainly played: not of a stack that no hand has moved (T15)."""
    return bool(stack.last_change_chips) or stack.chips != stack.start_chips


def state_chance(state: Side) -> Chance:
    """The chance of a player whose side of the cut the ranking knows, a tie that is played off included."""
    if state == Side.ADVANCES:
        return Chance.CLINCHED
    return Chance.OUT if state.under else Chance.ALIVE


def prospect_state(prospect: Prospect) -> Json | None:
    """The prospect of a player as the own card says it; None where the gap to the cut says it all."""
    if prospect.chance == Chance.CLINCHED:
        return of(ChanceState.PRIZE_SURE if prospect.prizes else ChanceState.THROUGH)
    if prospect.chance == Chance.OUT:
        return of(ChanceState.PRIZE_MISSED if prospect.prizes else ChanceState.CUT_MISSED)
    if prospect.needs_chips is None or prospect.gap is None or prospect.gap.against_place is None:
        return None
    state = ChanceState.NEEDS_MONEY if prospect.prizes else ChanceState.NEEDS_TOP
    if prospect.gap.side == "tied":
        state = ChanceState.NEEDS_CLEAR
    return of(state, chips=prospect.needs_chips, seats=prospect.seats)


def chance_of(
    ranking: Ranking, row: Row, prospect: Prospect | None, prizes_cents: Sequence[int]
) -> Json | None:
    """Return what a player's own card says beside the gap; None for nothing."""
    if row.state.gone:
        return of(row_word(row))
    playing = ranking.round.status in (Status.SEATED, Status.PLAYING)
    if row.no_hand:
        # T15: what an absent player can still do about it.
        return of(ChanceState.BEHIND_UNTIL_HAND if playing else ChanceState.BEHIND_WITHOUT_HAND)
    if row.absent:
        return of(ChanceState.STACK_STANDS)
    told = prospect_state(prospect) if prospect and playing else None
    if row.gap is None:
        in_the_money = _in_the_money(ranking, row, prizes_cents)
        return told or (of(ChanceState.IN_THE_MONEY) if in_the_money else None)
    if not playing or (row.gap.against_place is None and not _is_settled(prospect)):
        return None
    if told is not None or row.state == Side.ABOVE:
        return told or of(ChanceState.IN)
    can_bet = row.chips >= ranking.round.plan.bets.min_chips
    return of(ChanceState.ALIVE if can_bet else ChanceState.CANNOT_BET)


def _is_settled(prospect: Prospect | None) -> bool:
    return prospect is not None and prospect.chance != Chance.ALIVE


def _in_the_money(ranking: Ranking, row: Row, prizes_cents: Sequence[int]) -> bool:
    """Whether every place that this player may end on as it stands is paid."""
    level = sum(other.place == row.place for other in ranking.in_play)
    last = (row.place or 0) + level - 1
    return last <= len(prizes_cents) and prizes_cents[last - 1] > 0


def prize_so_far(prizes_cents: Sequence[int], currency: str, place: int, level: int) -> Json:
    """The prize of a place as it stands, in cents, from the least to the most of a tie (T33).

    ``level``: how many in play hold the place, 0 for somebody who has left the round. Empty where none of
    their places is paid.
    """
    paid = list(prizes_cents[place - 1 : place - 1 + level])
    most = max(paid, default=0)
    if not most:
        return {}
    least = min(paid) if len(paid) == level else 0
    return {"prize_least_cents": least, "prize_most_cents": most, "currency": currency}
