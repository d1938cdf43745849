"""The states of a ranking that every page shows: of each player, and of the lines drawn through the list.

The ranking itself is ``stage_ranking``.
"""

from __future__ import annotations

from tournament.engine.standing import Side, Tie, cut_line
from tournament.models import Round
from tournament.selectors.stage_ranking import Ranking, Row
from tournament.selectors.standings_states import GapState, Json, LineState, Word, of


def row_word(row: Row) -> Word:
    """What a list says of a player beside the name."""
    if row.state.gone:
        return Word(row.state)
    if row.no_hand:
        return no_hand_word(row)
    if row.absent:
        return Word.ABSENT
    return {Tie.WON: Word.WON_TIE, Tie.LOST: Word.LOST_TIE}.get(row.tie, Word.NONE)


def no_hand_word(row: Row) -> Word:
    """What is said beside a player who has played no hand of the round (T15)."""
    return Word.ABSENT_NO_HAND if row.absent else Word.NO_HAND


def lines_of(ranking: Ranking) -> dict[int, Json]:
    """The lines of a ranking, by the number of rows above each: the cut, and one over those who are level.

    A line has the states at its two ends, ``label`` and ``gap``; None where nothing stands there.
    """
    line = cut_line(ranking)
    if line is None or not line.at:
        return {}
    if ranking.round.status == Round.Status.CLOSED:
        # T25, T26: where seats are empty fewer go on than advanced.
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
    """What a play-off or sudden death has come to for a player, or that it has not yet."""
    if row.state == Side.PLAYING:
        return of(GapState.ABSENT if row.absent else GapState.PLAYING)
    states = {
        Side.ADVANCES: GapState.WON_TIE,
        Side.OUT: GapState.LOST_TIE,
        Side.RANKED: GapState.DECIDED,
    }
    return of(states.get(row.state) or GapState(row.state))
