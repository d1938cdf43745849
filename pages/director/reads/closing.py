"""A stage before and after its close: ranking, cut line, ties, and its panel on 'Tonight'."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.words.prizes import listed
from pages.words.stages import stage_title
from pages.words.standings import StateText, gap_words, line_words, remark_words
from tables.selectors.whereabouts import seats_taken
from tournament.engine import settings as event_settings
from tournament.engine.facts import key_of
from tournament.engine.standing import AT_LINE, Side, cut_line
from tournament.engine.state import State, stage_of
from tournament.engine.steps.places import money_ties_open, play_is_over, without_hand
from tournament.engine.ties import TieGroup
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.ranking_states import decided_state, lines_of, no_hand_word, row_word
from tournament.selectors.stage_ranking import Ranking, Row, stage_ranking
from tournament.selectors.stages import IN_PLAY, main_rounds
from tournament.selectors.standings import final_words
from tournament.selectors.standings_states import Word

Status, Kind = Round.Status, Round.Kind


@dataclass(frozen=True)
class RankRow:
    """One player of the ranking; ``table`` and ``box`` are 0 where the seat was given up.

    ``word``: a remark beside the name, unless the pill has it. ``line``: the line drawn above this row, None
    without one.
    """

    row: Row
    word: str
    table: int
    box: int
    line: Mapping[str, StateText] | None = None

    @property
    def tied(self) -> bool:
        """Whether the player is tied at the cut line."""
        return self.row.state in AT_LINE


@dataclass(frozen=True)
class Closing:
    """The context of a main round's page; entries in order of rank.

    ``tied`` still contest ``seats``, in a play-off if ``plays_off``; ``played_off`` have decided their seats,
    ``won`` are the winners among them. ``play_off`` is the one in progress; ``fixed`` have won a seat in it;
    ``all_absent``: nobody is left who could play it. T24: ``nobody_cut``. T15: ``no_hand``: codes of the
    players without a hand in the round, whether that ranks them or not.
    """

    round: Round
    rows: tuple[RankRow, ...]
    advance: tuple[Entry, ...]
    tied: tuple[Entry, ...]
    won: tuple[Entry, ...]
    fixed: tuple[Entry, ...]
    played_off: tuple[Entry, ...]
    seats: int
    plays_off: bool
    play_off: Round | None
    all_absent: bool
    nobody_cut: bool
    no_hand: frozenset[str]

    @property
    def ranked(self) -> int:
        """Return the number of ranked players, without those who left before or never came."""
        return sum(each.row.place is not None for each in self.rows)

    @property
    def others_left(self) -> bool:
        """Whether the players who do not advance have all left the event, so that nobody hands in chips."""
        return all(each.row.state.gone for each in self.rows if each.row.entry not in self.advance)

    @property
    def out_without_hand(self) -> tuple[Entry, ...]:
        """The players who do not advance because they have played no hand (T15)."""
        return tuple(each.row.entry for each in self.rows if each.row.no_hand)

    @property
    def may_rule(self) -> bool:
        """Whether the director may rule: the posted rules say so, or all players of the play-off are
        absent."""
        ruled = self.round.event.settings.tie_at_cut == event_settings.DIRECTOR
        return bool(self.tied) and (ruled or self.all_absent)


def closing(round_: Round, state: State) -> Closing:
    """Return the ranking of a main round: provisional while it is played, then counted, then closed.

    ``state``: that of its event.
    """
    ranking = stage_ranking(round_, state)
    seats = seats_taken([round_.pk])
    lines = {at: line_words(line) for at, line in lines_of(ranking).items()}
    shown = [(row, lines.get(at)) for at, row in enumerate(ranking.rows)]
    shown += [(row, None) for row in ranking.not_ranked]
    play_off = round_.play_offs.exclude(status=Status.CLOSED).first()
    no_hand = without_hand(state, stage_of(state, key_of(round_)))
    return Closing(
        round=round_,
        rows=tuple(
            RankRow(row, _word(row, no_hand), *seats.get((round_.pk, row.stack.entry_id), (0, 0)), line)
            for row, line in shown
        ),
        advance=tuple(row.entry for row in ranking.above),
        tied=tuple(row.entry for row in ranking.level),
        won=tuple(row.entry for row in ranking.above if row.tie),
        fixed=_fixed(play_off),
        played_off=tuple(row.entry for row in ranking.rows if row.tie),
        seats=ranking.seats,
        plays_off=any(row.state == Side.PLAYS_OFF for row in ranking.level),
        play_off=play_off,
        all_absent=play_off is not None and nobody_there(play_off),
        nobody_cut=ranking.nobody_cut,
        no_hand=frozenset(row.code for row in ranking.rows if row.code in no_hand),
    )


def _fixed(play_off: Round | None) -> tuple[Entry, ...]:
    """Return the winners of seats in a running play-off; a ruling that ends it must include them (T23)."""
    if play_off is None:
        return ()
    won = play_off.stacks.filter(outcome=Stack.Outcome.ADVANCED, entry__status=Entry.Status.LIVE)
    return tuple(stack.entry for stack in won.select_related("entry__player").order_by("entry__number"))


def _word(row: Row, no_hand: Collection[str]) -> str:
    if row.state.gone:
        return ""
    return remark_words(no_hand_word(row) if row.code in no_hand else row_word(row))


def nobody_there(play_off: Round) -> bool:
    """Whether all who still play a tie are absent (T23, T33)."""
    in_play = play_off.stacks.filter(state__in=IN_PLAY)
    return in_play.exists() and not in_play.filter(state=Stack.State.PLAYING).exists()


def groups_named(groups: Iterable[TieGroup], named: Mapping[str, str]) -> list[tuple[TieGroup, str]]:
    """Return ties for money, each with its players in words; ``named``: code → name (T33, T34)."""
    return [(each, listed([named[code] for code in each.entries])) for each in groups]


# The panel of 'Tonight' -----------------------------------------------------------------------------


AROUND_THE_CUT = 4
TOP_SHOWN = 9


@dataclass(frozen=True)
class CutRow:
    """A row of the panel; ``line``: the line drawn above it, None without one."""

    place: int | None
    tied: bool
    name: str
    code: str
    chips: int
    word: str
    line: Mapping[str, StateText] | None = None


@dataclass(frozen=True)
class CutPanel:
    """The ranking around the cut of a round, or its top if nobody is cut, or the players of a tie."""

    title: str
    note: str
    rows: list[CutRow]


def cut_panel(event: Event, round_: Round | None, state: State) -> CutPanel | None:
    """Return the current stage, or the last round, around its cut (T20); the places once they are decided.

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
    lines = {at: line_words(line) for at, line in lines_of(ranking).items()}
    rows = [
        CutRow(
            *(r.place, r.tied, r.entry.player.public_name, r.code, r.chips),
            remark_words(Word.MONEY_TIE if r.code in tied else row_word(r)),
            lines.get(at),
        )
        for at, r in enumerate(ranking.rows)
    ]
    line = cut_line(ranking)
    if line is None:
        title = stage_title(ranking.round)
        note = _("%(round)s, nobody is cut") % {"round": title} if ranking.nobody_cut else title
        return CutPanel(_("Ranking"), note, rows[:TOP_SHOWN])
    # Show a long tie at the line from its top.
    at = line.at if line.level_from is None else line.level_from
    return CutPanel(_("Cut"), stage_title(ranking.round), _around(rows, at))


def _around(rows: Sequence[CutRow], at: int) -> list[CutRow]:
    return list(rows[max(0, at - AROUND_THE_CUT) : at + AROUND_THE_CUT])


def _tie_panel(ranking: Ranking) -> CutPanel:
    rows = [
        CutRow(r.place, r.tied, r.entry.player.public_name, r.code, r.chips, gap_words(decided_state(r)))
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
    words = final_words(event, placed)
    rows = [
        CutRow(e.place, e.place_tied, e.player.public_name, e.code, _chips(e), remark_words(words[e.pk]))
        for e in placed
    ]
    return CutPanel(_("Final standings"), _("places decided"), rows)


def _chips(entry: Entry) -> int:
    """Return the chips of a row; a disqualified player has none (T26)."""
    return 0 if entry.status == Entry.Status.DISQUALIFIED else entry.final_chips or 0
