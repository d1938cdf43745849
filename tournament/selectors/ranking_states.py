"""The states of a ranking that every page shows: of each player, of a player's own card, of the lines in the
list.

The ranking itself is in ``stage_ranking``.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.engine.needs import Chance, Need
from tournament.engine.standing import Side, Tie, cut_line
from tournament.engine.state import State
from tournament.engine.steps.cut import cut_differs
from tournament.models import Round
from tournament.selectors.stage_ranking import Ranking, Row
from tournament.selectors.standings_states import ChanceState, GapState, Json, LineState, Note, Word, of

Status = Round.Status


def row_word(row: Row) -> Word:
    """Return the word beside a player's name in a list."""
    if row.state.gone:
        return Word(row.state)
    if row.no_hand:
        return no_hand_word(row)
    if row.absent:
        return Word.ABSENT
    if row.short:
        return Word.CANNOT_BET
    return {Tie.WON: Word.WON_TIE, Tie.LOST: Word.LOST_TIE}.get(row.tie, Word.NONE)


def no_hand_word(row: Row) -> Word:
    """Return the note beside a player who has played no hand of the round (T15)."""
    return Word.ABSENT_NO_HAND if row.absent else Word.NO_HAND


def lines_of(ranking: Ranking) -> dict[int, Json]:
    """Return the lines of a ranking, by the number of rows above each: the cut, and one above tied players.

    A line has the states at its two ends, ``label`` and ``gap``, each None if its end is empty.
    """
    line = cut_line(ranking)
    if line is None or not line.at:
        return {}
    if ranking.round.status == Status.CLOSED:
        # T25, T26: if seats are empty, fewer play on than advanced.
        gap = of(LineState.CLOSED, round=ranking.round.number, empty=ranking.empty)
        return {line.at: {"label": of(LineState.GO_ON, n=line.at), "gap": gap}}
    label = of(LineState.TOP_ADVANCE, n=ranking.cut_to)
    if line.level_from is None:
        label = label if line.at == ranking.cut_to else of(LineState.ADVANCE, n=line.at)
        gap = of(LineState.HAS, place=line.at, chips=ranking.above[-1].chips)
        return {line.at: {"label": label, "gap": gap}}
    if not line.level_from and not line.under:
        return {0: {"label": label, "gap": of(LineState.ALL_LEVEL)}}
    tied = of(LineState.LEVEL, n=len(ranking.level), seats=ranking.seats)
    over = {line.level_from: {"label": tied, "gap": of(LineState.AT, chips=ranking.level[0].chips)}}
    return {**over, line.at: {"label": label, "gap": None}} if line.under else over


def decided_state(row: Row) -> Json:
    """Return the result of a play-off or sudden death for a player, or that there is none yet."""
    if row.state == Side.PLAYING:
        return of(GapState.ABSENT if row.absent else GapState.PLAYING)
    states = {
        Side.ADVANCES: GapState.WON_TIE,
        Side.OUT: GapState.LOST_TIE,
        Side.RANKED: GapState.DECIDED,
    }
    return of(states.get(row.state) or row.state)


# A player's own card: the cut and the prizes ------------------------------------------------------------


def need_state(need: Need) -> Json | None:
    """Return what a player needs, for their own card; None if the gap to the cut says enough."""
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
    """Return the text state of a player's own card beside the gap; None for nothing."""
    if row.state.gone:
        return of(row_word(row))
    playing = ranking.round.status in (Status.SEATED, Status.PLAYING)
    if row.no_hand:
        # T15: this tells an absent player what can still be done.
        return of(ChanceState.BEHIND_UNTIL_HAND if playing else ChanceState.BEHIND_WITHOUT_HAND)
    if row.absent:
        return of(ChanceState.STACK_STANDS)
    # A player of a tie whose players all advance needs nothing to be clear of it (T23). The gap says already
    # that a tie was lost.
    open_still = need is not None and need.chance == Chance.ALIVE
    silent = row.tie == Tie.LOST or (row.tie == Tie.ALL and open_still)
    state = need_state(need) if need and not silent else None
    if row.gap is None:
        in_the_money = _in_the_money(ranking, row, prizes_cents)
        return state or (of(ChanceState.IN_THE_MONEY) if in_the_money else None)
    if state is not None:
        return state
    if not playing or row.gap.against_place is None:
        return None
    if row.state == Side.ABOVE:
        return of(ChanceState.IN)
    can_bet = row.chips >= ranking.round.plan.bets.min_chips
    return of(ChanceState.ALIVE if can_bet else ChanceState.CANNOT_BET)


def _in_the_money(ranking: Ranking, row: Row, prizes_cents: Sequence[int]) -> bool:
    """Whether every place that this player may have at present is paid."""
    first = row.place or 0
    if first > len(prizes_cents):
        return False
    last = first + sum(other.place == first for other in ranking.in_play) - 1
    return last <= len(prizes_cents) and prizes_cents[last - 1] > 0


def cuts_that_stand(state: State) -> list[Json]:
    """Return a note for each round whose cut was ruled to stand although its hands were corrected (T17)."""
    ruled = [stage for stage in state.stages if stage.stands]
    stand = [each for each in ruled if each.stands == cut_differs(state, each.frame.key)]
    return [of(Note.CUT_STANDS, n=each.frame.key[0]) for each in stand]
