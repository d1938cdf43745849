"""The standings for the public, as plain JSON: players in order, and the cut line (T20).

Built once per change and stored. Public names, entry codes, seats and chips, and no other data of a person.
It holds values and states (``standings_states``); pages put them into words, in one language at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from tournament.engine import state as engine
from tournament.engine.facts import key_of
from tournament.engine.needs import Need, needs, side_chance
from tournament.engine.ranking import Ranked
from tournament.engine.settings import round_rules
from tournament.engine.standing import AT_LINE, Side, Tie
from tournament.engine.state import Stage, State, TableState
from tournament.engine.steps.places import money_ties_open, places_so_far, play_is_over
from tournament.models import ChipEntry, ChipTransaction, Entry, Event, Posting, Round, Stack
from tournament.selectors.desk import seating_of, waiting_list
from tournament.selectors.entrants import entrants_of
from tournament.selectors.floor import TableProgress, floor
from tournament.selectors.hall import announcements_live, hall_facts
from tournament.selectors.hands_left import hands_about, hands_most, shoe_state
from tournament.selectors.prizes import currency_of, prizes_for
from tournament.selectors.ranking_states import chance_of, cuts_that_stand, decided_state, lines_of, row_word
from tournament.selectors.replacements import left_words
from tournament.selectors.stage_ranking import Ranking, Row, stage_ranking
from tournament.selectors.stages import IN_PLAY, state_of
from tournament.selectors.standings_states import (
    ChanceState,
    GapState,
    Headline,
    Json,
    LineState,
    Note,
    Progress,
    Title,
    Word,
    of,
)

Kind, Status = Round.Kind, Round.Status

HISTORY_POINTS = 12
# With more rows a phone would load more chart lines than names, so no history is drawn.
HISTORY_ROWS_MAX = 120


def standings_body(event: Event) -> Json:
    """Return the standings of an event as JSON: ``headline``, ``live``, ``over``, ``notes``, ``sections``.

    ``stage``: the current stage (``kind``, ``number``), None before the first draw and at the end. ``over``:
    the event is paid or called off, so that phones need not ask again.

    A section has ``kind`` (entries, live, closed, tie, out, final), ``title`` and ``rows``; a row has the
    fields of the page's row, chips and cents as integers. ``announcements``: ``id`` and ``text`` of each.
    ``hall``: data for the screens in the hall. Every text is a ``state`` with its figures.
    """
    announcements = [{"id": each.pk, "text": each.text} for each in announcements_live(event)]
    return {**_body_of(event), "announcements": announcements, "hall": hall_facts(event)}


def _body_of(event: Event) -> Json:
    if event.status == Event.Status.CALLED_OFF:
        notes = [of(Note.CALLED_OFF)]
        posting = event.postings.filter(kind=Posting.Kind.CALLED_OFF).first()
        if posting is not None:
            notes.append(of(Note.REASON, reason=posting.body["reason"]))
        return _body(of(Headline.CALLED_OFF), notes=notes, over=True)
    if event.status in (Event.Status.FINISHED, Event.Status.PAID):
        return _final_body(event)
    rounds = list(event.rounds.order_by("id"))
    return _running_body(Facts(event, rounds)) if rounds else _desk_body(event)


def _body(headline: Json, **also: Any) -> Json:
    nothing: Json = {"stage": None, "live": False, "over": False, "notes": [], "sections": []}
    return {"headline": headline, **nothing, **also}


def _section(kind: str, title: Json | None, rows: Iterable[Json], **also: Any) -> Json:
    return {"kind": kind, "title": title, "rows": list(rows), **also}


def stage_of(round_: Round) -> Json:
    """Return the fields by which a page names a stage."""
    later = {"sequence": round_.sequence} if round_.sequence > 1 else {}
    return {"kind": round_.kind, "number": round_.number, **later}


# Before the draw ------------------------------------------------------------------------------------


def _desk_body(event: Event) -> Json:
    """Return the entries by number, and the alternates in their order (T6)."""
    entries = event.entries.filter(status=Entry.Status.LIVE).select_related("player")
    live = [_entry_row(e) for e in entries.order_by("number")]
    waiting = _waiting_section(event)
    headline = of(Headline.DESK_OPEN, **asdict(entrants_of(event)))
    sections = [_section("entries", of(Title.ENTERED), live), *waiting] if live or waiting else []
    return _body(headline, sections=sections)


def _waiting_section(event: Event) -> list[Json]:
    """Return the alternates in order, whether seating is open, and how many boxes are free (T6)."""
    waiting = waiting_list(event)
    if not waiting:
        return []
    seating = seating_of(event)
    seats = {"seating": str(seating.state), "boxes_free": seating.free}
    return [_section("entries", of(Title.WAITING), map(_entry_row, waiting), **seats)]


def _entry_row(entry: Entry) -> Json:
    return {"code": entry.code, "name": entry.player.public_name}


# In play ----------------------------------------------------------------------------------------------


def _running_body(facts: Facts) -> Json:
    main = facts.mains[-1]
    notes: list[Json] = []
    sections = _extra_sections(facts, facts.extra) if facts.extra is not None else []
    if main.round.status == Status.CLOSED:
        sections.append(_closed_section(facts, main))
    else:
        section, notes = _live_section(facts, main)
        sections.append(section)
    sections += _out_sections(facts)
    for row in (row for section in sections for row in section["rows"] if row["code"] in facts.money_ties):
        row["word"] = str(Word.MONEY_TIE)
        row["gap"] = of(GapState.MONEY_TIE, places=list(facts.money_ties[row["code"]]))
    sections += _waiting_section(facts.event)
    playing = facts.extra or main
    return _body(
        _headline(playing.round, list(playing.tables.values())),
        stage=stage_of(playing.round),
        live=playing.round.status != Status.CLOSED,
        notes=[*notes, *cuts_that_stand(facts.state)],
        sections=sections,
    )


def _headline(round_: Round, tables: Sequence[TableProgress]) -> Json:
    stage = stage_of(round_)
    if round_.status == Status.PLAYING:
        return of(Headline.PLAYING, stage=stage, **_progress(tables, round_.counts_alone))
    states = {
        Status.SEATED: Headline.SEATED,
        Status.COUNTED: Headline.COUNTED if round_.kind == Kind.ROUND else Headline.DECIDED,
        Status.PLAYING_OFF: Headline.TIE,
        Status.CLOSED: Headline.CLOSED,
    }
    return of(states[Status(round_.status)], stage=stage)


def _progress(tables: Sequence[TableProgress], counts_alone: bool) -> Json:
    """Return the progress of the tables in play, and how many are over.

    On counts alone no hand is recorded, so none is shown (T18).
    """
    dealing = [t.hands for t in tables if t.state == "dealing"]
    if not dealing:
        return {"progress": str(Progress.COUNTING if tables else Progress.NONE)}
    progress = {"progress": str(Progress.COUNTS)} if counts_alone else _hands(dealing)
    return {**progress, "tables_over": len(tables) - len(dealing)}


def _hands(hands: Sequence[int]) -> Json:
    ((hand, at),) = Counter(hands).most_common(1)
    first, last = min(hands), max(hands)
    if not first:
        return {"progress": str(Progress.AT_MOST if last else Progress.NO_HAND), "hand": last}
    if at == len(hands):
        return {"progress": str(Progress.HAND), "hand": hand}
    if at * 2 > len(hands):
        return {"progress": str(Progress.MOST), "hand": hand}
    return {"progress": str(Progress.RANGE), "first": first, "hand": last}


def _live_section(facts: Facts, stage: StageFacts) -> tuple[Json, list[Json]]:
    """Return the current ranking with the cut line drawn through it, and its notes."""
    ranking = stage.ranking
    histories = _histories(ranking.round, [row.stack for row in ranking.rows])
    needed = needs(facts.state, stage.folded, ranking, stage.hands_most())
    level = Counter(row.place for row in ranking.in_play)
    rows = [
        {
            **_live_row(facts, stage, row, histories, needed.get(row.code)),
            **facts.prize(row.place, level[row.place]),
        }
        for row in ranking.rows
    ]
    drawn = _lines_drawn(rows, ranking)
    section = _section("live", _round_title(facts, stage.round), drawn, leader_chips=_leader_chips(ranking))
    # T24: a cut that reaches nobody.
    nobody = [of(Note.NOBODY_CUT, n=ranking.cut_to)] if ranking.nobody_cut else []
    return section, nobody


def _round_title(facts: Facts, round_: Round) -> Json | None:
    """Return the title of a round; None while it is the only one."""
    return None if len(facts.mains) == 1 else of(Title.STAGE, stage=stage_of(round_))


def _leader_chips(ranking: Ranking) -> int:
    """Return the largest stack in play, by which the bars of the rows are scaled."""
    return max((row.chips for row in ranking.in_play), default=0)


def _live_row(
    facts: Facts, stage: StageFacts, row: Row, histories: dict[int, list[int]], need: Need | None
) -> Json:
    ranking = stage.ranking
    return _row(
        row,
        **stage.seat(row),
        history=histories.get(row.stack.pk, []),
        gap=_gap(ranking, row) if row.gap else _behind_leader(ranking, row),
        chance=chance_of(ranking, row, need, facts.prizes_cents),
        chances=str(need.chance) if need else "",
        needs_chips=need.needs_chips if need else None,
    )


def _row(row: Row, **also: Any) -> Json:
    return {
        "place": row.place,
        "tied": row.tied,
        "code": row.code,
        "name": row.entry.player.public_name,
        "word": str(row_word(row)),
        "state": str(row.state),
        "under": row.state.under,
        "stack_chips": row.chips,
        # T26: no hand has changed chips that have left play.
        "change_chips": None if row.state.gone else row.stack.last_change_chips,
        "history": [],
        "gap": None,
        "chance": None,
        **also,
    }


def _gap(ranking: Ranking, row: Row) -> Json:
    """Return the position of a player relative to the cut."""
    gap = row.gap
    assert gap is not None
    decided = {Tie.WON: GapState.WON_TIE, Tie.LOST: GapState.LOST_TIE, Tie.ALL: GapState.ALL_ADVANCE}
    if row.tie:
        return of(decided[row.tie])
    if gap.against_place is None:
        if gap.side != "in":
            return of(GapState.SHORT, chips=gap.gap_chips)
        # T20: players who cannot cover the smallest bet are cut, however few are playing.
        if ranking.nobody_cut:
            return of(GapState.NOBODY_CUT)
        return of(GapState.ADVANCES if row.state == Side.ADVANCES else GapState.IN)
    if row.state in AT_LINE:
        return of(GapState.LEVEL, n=gap.against_place)
    state = GapState.BEHIND if row.state.under else GapState.AHEAD
    return of(state, chips=gap.gap_chips, place=gap.against_place)


def _behind_leader(ranking: Ranking, row: Row) -> Json | None:
    """Return the gap to the first place: in the last round nobody is cut."""
    if row.state.gone or row.no_hand or len(ranking.in_play) < 2:
        return None
    first, second = ranking.in_play[:2]
    if row.place == 1:
        return of(GapState.LEADS_LEVEL) if row.tied else of(GapState.LEADS, chips=first.chips - second.chips)
    return of(GapState.BEHIND, chips=first.chips - row.chips, place=1)


def _lines_drawn(rows: list[Json], ranking: Ranking) -> list[Json]:
    """Return the rows with the cut line, and the line above tied players, inserted."""
    for at, line in lines_of(ranking).items():
        rows[at]["cut"] = line
    return rows


def _histories(round_: Round, stacks: Sequence[Stack]) -> dict[int, list[int]]:
    """Return the stack after each of the last hands, oldest first, from the chip ledger."""
    if len(stacks) > HISTORY_ROWS_MAX:
        return {}
    kinds = (ChipTransaction.Kind.DEAL, ChipTransaction.Kind.REVERSAL, ChipTransaction.Kind.COUNT)
    legs = ChipEntry.objects.filter(stack__in=stacks, transaction__kind__in=kinds)
    lines = {s.pk: [s.start_chips] for s in stacks}
    for stack_id, amount_chips in legs.order_by("id").values_list("stack_id", "amount_chips"):
        lines[stack_id].append(lines[stack_id][-1] + amount_chips)
    return {pk: line[-HISTORY_POINTS:] for pk, line in lines.items() if len(line) > 2}


# Closed rounds, eliminated players and ties -----------------------------------------------------------


def _closed_section(facts: Facts, stage: StageFacts) -> Json:
    """Return the section of a closed round: advancing players, the line, players who are out; final
    stacks."""
    round_, ranking = stage.round, stage.ranking
    rows = [_closed_row(facts, row, round_.number) for row in ranking.rows]
    return _section(
        "closed",
        _round_title(facts, round_),
        _lines_drawn(rows, ranking),
        leader_chips=_leader_chips(ranking),
        rulings=list(round_.rulings.filter(used=True).values("advance", "reason")),
    )


def _closed_row(facts: Facts, row: Row, number: int) -> Json:
    ends = facts.places.get(row.code) if row.state.under else None
    return _row(
        row,
        **facts.prize_placed(ends),
        change_chips=None,
        gap=_closed_gap(row, number),
        # A round is ranked by itself; qualifiers are ahead of everybody else.
        chance=of(ChanceState.PLACE, place=ends.place, tied=ends.tied) if ends else None,
        chances=str(side_chance(row.state)),
    )


def _closed_gap(row: Row, number: int) -> Json | None:
    """Return the result of a closed round for a player."""
    states = {Side.ADVANCES: GapState.GOES_ON, Side.OUT: GapState.OUT}
    if row.state not in states and not row.state.gone:
        return None
    return of(states.get(row.state) or row.state, round=number)


def _out_sections(facts: Facts) -> list[Json]:
    """Return the players who were cut in earlier rounds, the latest round first, with their places (T20)."""
    sections, places = [], facts.places
    for stage in reversed(facts.mains[:-1]):
        rows, number = [row for row in stage.ranking.rows if row.state.under], stage.round.number
        placed = [replace(row, place=places[row.code].place, tied=places[row.code].tied) for row in rows]
        placed.sort(key=lambda row: (row.place or 0, row.code))
        # Their places are those in the event, so nothing else is shown beside them.
        made = [{**_closed_row(facts, row, number), "chance": None} for row in placed]
        if made:
            sections.append(_section("out", of(Title.OUT, round=number), made))
    return sections


def _extra_sections(facts: Facts, stage: StageFacts) -> list[Json]:
    """Return the sections of an open play-off (T23) or of the groups of a sudden death (T33)."""
    ranking = stage.ranking
    if stage.round.kind == Kind.PLAY_OFF:
        seats = ranking.seats
        title = of(Title.PLAY_OFF, seats=seats) if seats else of(Title.PLAY_OFF_DECIDED)
        rows = [_tie_row(stage, row, chances=str(side_chance(row.state))) for row in ranking.rows]
        return [_section("tie", title, rows)]
    parts = [
        (
            of(Title.SUDDEN_DEATH, first=group.places[0], last=group.places[-1]),
            [row for row in ranking.rows if row.code in group.entries],
        )
        for group in ranking.groups
    ]
    playing = {code for group in ranking.groups for code in group.entries}
    parts.append((of(Title.SUDDEN_DEATH_DECIDED), [row for row in ranking.rows if row.code not in playing]))
    return [
        _section("tie", title, [_sudden_death_row(facts, stage, row) for row in rows])
        for title, rows in parts
        if rows
    ]


def _sudden_death_row(facts: Facts, stage: StageFacts, row: Row) -> Json:
    level = sum(other.place == row.place for other in stage.ranking.rows)
    return _tie_row(stage, row, **({} if row.state.gone else facts.prize(row.place, level)))


def _tie_row(stage: StageFacts, row: Row, **also: Any) -> Json:
    """Return a player of a tie, with the decided result (T23, T33)."""
    return _row(row, **stage.seat(row), gap=decided_state(row), **also)


# The end ------------------------------------------------------------------------------------------------


def _final_body(event: Event) -> Json:
    """Return every place with its prize (T1, T35)."""
    found = event.entries.filter(place__isnull=False).select_related("player")
    placed = list(found.order_by("place", "number"))
    prizes = prizes_for(event)
    currency = currency_of(event)
    words = final_words(event, placed)
    rows = []
    for each in placed:
        prize_cents = prizes.get(each.code, 0)
        prize = of(GapState.PRIZE, cents=prize_cents, currency=currency)
        gap = prize if prize_cents else of(GapState.PLACED, n=len(placed))
        rows.append({**_final_row(each, words[each.pk]), "prize_cents": prize_cents, "gap": gap})
    _line_under_the_paid(rows)
    title = of(Title.FINAL)
    paid = event.status == Event.Status.PAID
    headline = of(Headline.PAID if paid else Headline.FINAL)
    return _body(headline, over=paid, sections=[_section("final", title, rows, currency=currency)])


def _line_under_the_paid(rows: list[Json]) -> None:
    """Draw a line under the last paid place; T26: a player above it may have a place and no prize."""
    paid = [i for i, row in enumerate(rows) if row["prize_cents"]]
    under = paid[-1] + 1 if paid else len(rows)
    if under < len(rows):
        state = LineState.TOP_PAID if under == len(paid) else LineState.PAID
        rows[under]["cut"] = {"label": of(state, n=len(paid)), "gap": None}


def final_words(event: Event, placed: Sequence[Entry]) -> dict[int, Word]:
    """Return the remark beside each final place: how the entry left, or that sudden death placed it (T33)."""
    by_death = placed_by_sudden_death(event)
    words = left_words(placed)
    return {pk: word or (Word.SUDDEN_DEATH if pk in by_death else Word.NONE) for pk, word in words.items()}


def placed_by_sudden_death(event: Event) -> set[int]:
    """Return the entries that sudden death placed among others with the same chips (T33).

    Players who all share one place after it, because none of them came, were not placed by it.
    """
    played = event.entries.filter(
        place__isnull=False, stacks__round__kind=Kind.SUDDEN_DEATH, stacks__round__status=Status.CLOSED
    ).exclude(status=Entry.Status.DISQUALIFIED)
    level: dict[int | None, dict[int, int | None]] = defaultdict(dict)
    for pk, chips_, place in played.values_list("pk", "final_chips", "place"):
        level[chips_][pk] = place
    return {pk for places in level.values() if len(set(places.values())) > 1 for pk in places}


def _final_row(entry: Entry, word: Word) -> Json:
    return {
        "place": entry.place,
        "tied": entry.place_tied,
        "code": entry.code,
        "name": entry.player.public_name,
        # T26: places may have been decided when chips of the disqualified were still kept.
        "stack_chips": 0 if entry.status == Entry.Status.DISQUALIFIED else entry.final_chips,
        # The pinned card on a phone shows it too.
        "chance": of(word) if word else None,
        "word": str(word),
    }


# The data of a body -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class StageFacts:
    """All data of one stage, each read once; ``state``: that of its event."""

    round: Round
    state: State

    @cached_property
    def folded(self) -> Stage:
        """The stage in the state of its event."""
        return engine.stage_of(self.state, key_of(self.round))

    @cached_property
    def ranking(self) -> Ranking:
        """The ranking of the stage."""
        return stage_ranking(self.round, self.state)

    @cached_property
    def tables(self) -> dict[int, TableProgress]:
        """The tables by number; none unless the stage is being played."""
        found = floor().progress(self.round.pk) if self.round.status == Status.PLAYING else []
        return {each.table: each for each in found}

    @cached_property
    def _seats(self) -> dict[str, tuple[TableState, int]]:
        return engine.seats_of(self.folded)

    @cached_property
    def _progress(self) -> dict[int, Json]:
        """The progress of each table."""
        # T23, T33: a tie ends with the hand that decides it, however long its shoe is.
        unknown = self.round.counts_alone or self.round.kind != Kind.ROUND
        return {
            number: {
                "hand": table.hands,
                "hands_left": None if unknown else hands_about(table),
                "shoe": str(shoe_state(table)),
            }
            for number, table in self.tables.items()
        }

    def seat(self, row: Row) -> Json:
        """Return the table and box of a player, and the progress of the table.

        ``call`` changes each time the player must go there: with new seats and when play begins.
        """
        if row.code not in self._seats:
            return {}
        round_, (table, at) = self.round, self._seats[row.code]
        number, box = table.table, at + 1
        called = round_.status in (Status.SEATED, Status.PLAYING) and row.stack.state in IN_PLAY
        call = f"{round_.pk}-{round_.status}-{number}-{box}" if called else ""
        return {"table": number, "box": box, "call": call, **self._progress.get(number, {})}

    def hands_most(self) -> dict[str, int | None]:
        """Return the most hands that each player can still play, by code; None if unknown."""
        round_ = self.round
        rules, alone = round_rules(round_.event.settings, round_.number), round_.counts_alone
        most = {number: hands_most(rules, table, counts_alone=alone) for number, table in self.tables.items()}
        return {code: most.get(table.table) for code, (table, _at) in self._seats.items()}


@dataclass(frozen=True)
class Facts:
    """All data from which one body is built, read once."""

    event: Event
    rounds: list[Round]

    @property
    def prizes_cents(self) -> Sequence[int]:
        """The posted prizes by place; empty before they are posted."""
        return self.state.prizes_cents or ()

    @cached_property
    def state(self) -> State:
        """The state of the event, which ranks its stages."""
        return state_of(self.event)

    @cached_property
    def mains(self) -> list[StageFacts]:
        """The rounds of the plan that have been seated, in order (F1)."""
        return [StageFacts(each, self.state) for each in self.rounds if each.kind == Kind.ROUND]

    @cached_property
    def extra(self) -> StageFacts | None:
        """The open play-off or sudden death."""
        open_ties = (r for r in self.rounds if r.kind != Kind.ROUND and r.status != Status.CLOSED)
        return next((StageFacts(each, self.state) for each in open_ties), None)

    @cached_property
    def places(self) -> dict[str, Ranked]:
        """Places from the closed rounds: those of eliminated players are final, qualifiers are ahead of
        them."""
        if not any(each.round.status == Status.CLOSED for each in self.mains):
            return {}
        return {ranked.entry: ranked for ranked in places_so_far(self.state)}

    @cached_property
    def money_ties(self) -> Mapping[str, Sequence[int]]:
        """Entries whose sudden death is still to be drawn, each with the places of its tie (T33)."""
        if self.extra is not None or not self.prizes_cents or not play_is_over(self.state):
            return {}
        groups = money_ties_open(self.state)
        return {code: group.places for group in groups for code in group.entries}

    @cached_property
    def _currency(self) -> str:
        return currency_of(self.event)

    @cached_property
    def _level(self) -> Counter[int]:
        """How many players have each place."""
        return Counter(ranked.place for ranked in self.places.values())

    def prize(self, place: int | None, level: int) -> Json:
        """Return the provisional prize of a place, in cents, from the least to the most of a tie (T33).

        ``level``: how many players in play hold the place, 0 for a player who has left the round. Empty if
        none of their places is paid, or no structure is posted.
        """
        paid = self.prizes_cents[place - 1 : place - 1 + level] if place else ()
        most = max(paid, default=0)
        if not most:
            return {}
        least = min(paid) if len(paid) == level else 0
        return {"prize_least_cents": least, "prize_most_cents": most, "currency": self._currency}

    def prize_placed(self, ranked: Ranked | None) -> Json:
        """Return the provisional prize of an eliminated player; empty for a player who plays on."""
        if ranked is None or ranked.out_of_play:
            return {}
        return self.prize(ranked.place, self._level[ranked.place])
