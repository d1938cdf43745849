"""The panel of 'Tonight' with the ranking: round the cut, or of those who play for a tie."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.words.stages import stage_title
from pages.words.standings import Said, gap_said, line_said, word_said
from tournament.engine.standing import cut_line
from tournament.engine.state import State
from tournament.engine.steps.places import money_ties_open, play_is_over
from tournament.models import Entry, Event, Round
from tournament.selectors.ranking_states import decided_state, lines_of, row_word
from tournament.selectors.replaced import left_words
from tournament.selectors.stage_ranking import Ranking, stage_ranking
from tournament.selectors.stages import main_rounds
from tournament.selectors.standings_states import Word

AROUND_THE_CUT = 4
TOP_SHOWN = 9


@dataclass(frozen=True)
class CutRow:
    """A row of the panel; ``line`` is what runs above it, None for nothing."""

    place: int | None
    tied: bool
    name: str
    code: str
    chips: int
    word: str
    line: Mapping[str, Said] | None = None


@dataclass(frozen=True)
class CutPanel:
    """The ranking around the cut of a round, its top where nobody is cut, or the players of a tie."""

    title: str
    note: str
    rows: list[CutRow]


def cut_panel(event: Event, round_: Round | None, state: State) -> CutPanel | None:
    """The stage that is played, or the last round, around its cut (T20); once places are decided, those.

    ``state``: the event's ``state_now``.
    """
    if event.status in (Event.Status.FINISHED, Event.Status.PAID):
        return _final_panel(event)
    shown = round_ or next(reversed(main_rounds(event)), None)
    if shown is None:
        return None
    ranking = stage_ranking(shown, state)
    if shown.kind != Round.Kind.ROUND:
        return _tie_panel(ranking)
    ties = money_ties_open(state) if play_is_over(state) else ()
    return _round_panel(ranking, {code for group in ties for code in group.entries})


def _round_panel(ranking: Ranking, tied: Collection[str]) -> CutPanel:
    """Return the panel of a round; ``tied``: the entries that wait for a sudden death (T33)."""
    lines = {at: line_said(line) for at, line in lines_of(ranking).items()}
    rows = [
        CutRow(
            *(r.place, r.tied, r.entry.player.public_name, r.code, r.chips),
            word_said(Word.MONEY_TIE if r.code in tied else row_word(r)),
            lines.get(at),
        )
        for at, r in enumerate(ranking.rows)
    ]
    line = cut_line(ranking)
    if line is None:
        title = stage_title(ranking.round)
        note = title if ranking.round.cut_to is None else _("%(round)s, nobody is cut") % {"round": title}
        return CutPanel(_("Ranking"), note, rows[:TOP_SHOWN])
    # A long tie at the line is shown from its top.
    at = line.at if line.level_from is None else line.level_from
    return CutPanel(_("Cut"), stage_title(ranking.round), _around(rows, at))


def _around(rows: Sequence[CutRow], at: int) -> list[CutRow]:
    return list(rows[max(0, at - AROUND_THE_CUT) : at + AROUND_THE_CUT])


def _tie_panel(ranking: Ranking) -> CutPanel:
    rows = [
        CutRow(r.place, r.tied, r.entry.player.public_name, r.code, r.chips, gap_said(decided_state(r)))
        for r in ranking.rows
    ]
    note = _("each tie decides its own places")
    if ranking.round.status in (Round.Status.COUNTED, Round.Status.CLOSED):
        note = _("decided")
    elif ranking.round.kind == Round.Kind.PLAY_OFF:
        note = ngettext("played for %(n)s seat", "played for %(n)s seats", ranking.seats)
    return CutPanel(stage_title(ranking.round), note % {"n": ranking.seats}, rows)


def _final_panel(event: Event) -> CutPanel:
    found = event.entries.filter(place__isnull=False).select_related("player")
    placed = list(found.order_by("place", "number")[:TOP_SHOWN])
    left = left_words(placed)
    rows = [
        CutRow(e.place, e.place_tied, e.player.public_name, e.code, _chips(e), word_said(left[e.pk]))
        for e in placed
    ]
    return CutPanel(_("Final standings"), _("places decided"), rows)


def _chips(entry: Entry) -> int:
    """Return the chips of a row; a disqualified player has none (T26)."""
    return 0 if entry.status == Entry.Status.DISQUALIFIED else entry.final_chips or 0
