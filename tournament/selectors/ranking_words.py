"""What is said of a ranking: the words beside a player, and those of the lines drawn through the list.

Every page that draws a ranking says the same of it; the ranking itself is ``stage_ranking``.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.figures import chips, ordinal
from tournament.models import Round
from tournament.selectors.stage_ranking import Ranking, Row, State, Tie


@dataclass(frozen=True)
class Line:
    """A line drawn above a row: its label, and the words at its other end, which may be empty."""

    label: str
    gap: str = ""


def row_word(row: Row) -> str:
    """What a list says of a player beside the name: nothing of whom the place says it all."""
    if row.state.gone:
        return str(row.state.word).lower()
    if row.no_hand:
        return no_hand_words(row)
    if row.absent:
        return _("absent")
    return {Tie.WON: _("won the tie"), Tie.LOST: _("lost the tie")}.get(row.tie, "")


def no_hand_words(row: Row) -> str:
    """What is said beside a player who has played no hand of the round (T15)."""
    return _("absent, 0 hands played") if row.absent else _("0 hands played")


def lines_of(ranking: Ranking) -> dict[int, Line]:
    """The lines of a ranking, by the number of rows above each: the cut, and one over those who are level."""
    if ranking.line is None:
        return {}
    if ranking.round.status == Round.Status.CLOSED:
        return _closed_line(ranking, ranking.line)
    return _level_lines(ranking, ranking.line) if ranking.level else _cut_line(ranking, ranking.line)


def _closed_line(ranking: Ranking, line: int) -> dict[int, Line]:
    words = ngettext("%(n)s goes on", "%(n)s go on", line) % {"n": line}
    gap = _("round %(n)s closed") % {"n": ranking.round.number}
    if ranking.empty:
        # T25, T26: fewer go on than advanced.
        empty = ngettext("%(n)s seat is empty", "%(n)s seats are empty", ranking.empty)
        gap = f"{gap}, {empty % {'n': ranking.empty}}"
    return {line: Line(words, gap)} if line else {}


def _level_lines(ranking: Ranking, line: int) -> dict[int, Line]:
    """T23: nobody who is level stands above the cut alone, so the line runs under all of them."""
    above, level = ranking.above, ranking.level
    label = _("Top %(n)s advance") % {"n": ranking.round.cut_to}
    # T15: a player who has played no hand is not level, and stands below the line.
    below = any(row.state.under and not row.state.gone for row in ranking.rows)
    if len(level) == len(ranking.in_play) and not below:
        return {0: Line(label, _("all are level"))}
    words = ngettext(
        "%(n)s are level for %(seats)s seat", "%(n)s are level for %(seats)s seats", ranking.seats
    )
    words %= {"n": len(level), "seats": ranking.seats}
    lines = {len(above): Line(words, _("at %(chips)s") % {"chips": chips(level[0].chips)})}
    if below:
        lines[line] = Line(label)
    return lines


def _cut_line(ranking: Ranking, line: int) -> dict[int, Line]:
    if not line:
        return {}
    label = _("Top %(n)s advance") if line == ranking.round.cut_to else _("%(n)s advance")
    gap = _("%(place)s has %(chips)s") % {
        "place": ordinal(line),
        "chips": chips(ranking.above[-1].chips),
    }
    return {line: Line(label % {"n": line}, gap)}


def nobody_cut_words(ranking: Ranking) -> str:
    """T24: that nobody is cut, where a round has a cut that reaches no one; empty otherwise."""
    if not ranking.nobody_cut:
        return ""
    said = _("%(n)s advance and no more are playing: nobody is cut in this round.")
    return said % {"n": ranking.round.cut_to}


def decided_words(row: Row) -> str:
    """What a play-off or sudden death has come to for a player, or that it has not yet."""
    words = {
        State.ADVANCES: _("won the tie at the cut"),
        State.OUT: _("lost the tie at the cut"),
        State.RANKED: _("decided"),
        State.PLAYING: _("absent, behind all who play") if row.absent else _("still playing"),
    }
    return words.get(row.state, row_word(row))
