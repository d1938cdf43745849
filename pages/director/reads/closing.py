"""A stage before and after its close: ranking, cut line, ties, and what they are played for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from pages.words.prizes import listed
from pages.words.standings import Said, line_said, word_said
from tables.selectors.whereabouts import seats_taken
from tournament.engine import settings as event_settings
from tournament.engine.facts import key_of
from tournament.engine.standing import Side
from tournament.engine.state import State, stage_of
from tournament.engine.steps.places import without_hand
from tournament.engine.ties import TieGroup
from tournament.models import Entry, Round, Stack
from tournament.selectors.ranking_states import lines_of, no_hand_word, row_word
from tournament.selectors.stage_ranking import Row, stage_ranking
from tournament.selectors.stages import IN_PLAY

Status, Kind = Round.Status, Round.Kind


@dataclass(frozen=True)
class RankRow:
    """One player of the ranking; ``table`` and ``box`` are 0 where the seat was given up.

    ``word`` is said beside the name, where the pill does not say it. ``line``: what is drawn
    above this row, None for nothing.
    """

    row: Row
    word: str
    table: int
    box: int
    line: Mapping[str, Said] | None = None


@dataclass(frozen=True)
class Closing:
    """All that the page of a main round shows; entries in order of rank.

    ``seats`` are still contested by ``tied``, in a play-off where ``plays_off``; ``played_off`` have won or
    lost theirs, ``won`` are the first of them. ``play_off`` is the one in progress, in which ``fixed`` have
    won a seat, with ``all_absent`` where nobody is left who could play it. T24: ``nobody_cut``. T15:
    ``no_hand`` are the players who have played no hand of the round, whether they rank by it or not.
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
    no_hand: tuple[Entry, ...]

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
        """Whether the director rules: where the posted rules say so, or nobody is there to play it off."""
        ruled = self.round.event.settings.tie_at_cut == event_settings.DIRECTOR
        return bool(self.tied) and (ruled or self.all_absent)


def closing(round_: Round, state: State) -> Closing:
    """The ranking of a main round: provisional while it is played, then as counted, then as closed.

    ``state``: that of its event.
    """
    ranking = stage_ranking(round_, state)
    seats = seats_taken([round_.pk])
    said = {at: line_said(line) for at, line in lines_of(ranking).items()}
    shown = [(row, said.get(at)) for at, row in enumerate(ranking.rows)]
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
        no_hand=tuple(row.entry for row in ranking.rows if row.code in no_hand),
    )


def _fixed(play_off: Round | None) -> tuple[Entry, ...]:
    """Return the winners of seats in a play-off that goes on: a ruling that ends it names them too (T23)."""
    if play_off is None:
        return ()
    won = play_off.stacks.filter(outcome=Stack.Outcome.ADVANCED, entry__status=Entry.Status.LIVE)
    return tuple(stack.entry for stack in won.select_related("entry__player").order_by("entry__number"))


def _word(row: Row, no_hand: Collection[str]) -> str:
    if row.state.gone:
        return ""
    return word_said(no_hand_word(row) if row.code in no_hand else row_word(row))


def nobody_there(play_off: Round) -> bool:
    """Whether all who still play a tie are absent (T23, T33)."""
    in_play = play_off.stacks.filter(state__in=IN_PLAY)
    return in_play.exists() and not in_play.filter(state=Stack.State.PLAYING).exists()


def groups_named(groups: Iterable[TieGroup], named: Mapping[str, str]) -> list[tuple[TieGroup, str]]:
    """Return ties for money, each with its players in words; ``named``: whom a code is (T33, T34)."""
    return [(each, listed([named[code] for code in each.entries])) for each in groups]
