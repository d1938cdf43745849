"""The standings for the public, as plain JSON: players in order, and the cut line (T20).

Built once per change and stored. Public names, entry codes, seats and chips, and no other data of a person.
It holds values and states (``standings_states``); pages put them into words, in one language at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from tournament.engine import state as engine
from tournament.engine.facts import key_of
from tournament.engine.needs import Need, needs, side_chance
from tournament.engine.ranking import Ranked
from tournament.engine.settings import round_rules
from tournament.engine.standing import Side, Tie
from tournament.engine.state import State
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
from tournament.selectors.stages import IN_PLAY, rulings_posted, state_of
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
    facts = facts_of(event)
    if not facts.mains:
        return _desk_body(event)
    return _running_body(facts)


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
    ranking = facts.ranking(main)
    places = _places(facts)
    notes: list[Json] = []
    sections = _extra_sections(facts, facts.extra) if facts.extra is not None else []
    if main.status == Status.CLOSED:
        sections.append(_closed_section(facts, ranking, places))
    else:
        section, notes = _live_section(facts, ranking)
        sections.append(section)
    sections += _out_sections(facts, places)
    for row in (row for section in sections for row in section["rows"] if row["code"] in facts.money_ties):
        row["word"] = str(Word.MONEY_TIE)
        row["gap"] = of(GapState.MONEY_TIE, places=list(facts.money_ties[row["code"]]))
    sections += _waiting_section(facts.event)
    playing = facts.extra or main
    return _body(
        _headline(playing, list(facts.progress(playing).values())),
        stage=stage_of(playing),
        live=playing.status != Status.CLOSED,
        notes=[*notes, *cuts_that_stand(facts.state)],
        sections=sections,
    )


def _places(facts: Facts) -> dict[str, Ranked]:
    """Return places from the closed rounds: those of eliminated players are final, qualifiers are ahead of
    them."""
    if not any(r.status == Status.CLOSED for r in facts.mains):
        return {}
    return {ranked.entry: ranked for ranked in places_so_far(facts.state)}


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


def _live_section(facts: Facts, ranking: Ranking) -> tuple[Json, list[Json]]:
    """Return the current ranking with the cut line drawn through it, and its notes."""
    histories = _histories(ranking.round, [row.stack for row in ranking.rows])

    stage = engine.stage_of(facts.state, key_of(ranking.round))
    needed = needs(facts.state, stage, ranking, facts.hands_most(ranking))
    level = Counter(row.place for row in ranking.in_play)
    rows = [
        {
            **_live_row(facts, ranking, row, histories, needed.get(row.code)),
            **facts.prize(row.place, level[row.place]),
        }
        for row in ranking.rows
    ]
    drawn = _lines_drawn(rows, ranking)
    section = _section("live", _round_title(facts, ranking.round), drawn, leader_chips=_leader_chips(ranking))
    # T24: a cut that reaches nobody.
    nobody = [of(Note.NOBODY_CUT, n=ranking.round.cut_to)] if ranking.nobody_cut else []
    return section, nobody


def _round_title(facts: Facts, round_: Round) -> Json | None:
    """Return the title of a round; None while it is the only one."""
    return None if len(facts.mains) == 1 else of(Title.STAGE, stage=stage_of(round_))


def _leader_chips(ranking: Ranking) -> int:
    """Return the largest stack in play, by which the bars of the rows are scaled."""
    return max((row.chips for row in ranking.in_play), default=0)


def _live_row(
    facts: Facts, ranking: Ranking, row: Row, histories: dict[int, list[int]], need: Need | None
) -> Json:
    return _row(
        row,
        **facts.seat(row.stack),
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
    if row in ranking.level:
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


def _closed_section(facts: Facts, ranking: Ranking, places: dict[str, Ranked]) -> Json:
    """Return the section of a closed round: advancing players, the line, players who are out; final
    stacks."""
    number = ranking.round.number
    level = Counter(ranked.place for ranked in places.values())
    rows = [_closed_row(facts, row, number, places, level) for row in ranking.rows]
    return _section(
        "closed",
        _round_title(facts, ranking.round),
        _lines_drawn(rows, ranking),
        leader_chips=_leader_chips(ranking),
        rulings=rulings_posted(ranking.round),
    )


def _closed_row(facts: Facts, row: Row, number: int, places: dict[str, Ranked], level: Counter[int]) -> Json:
    ends = places.get(row.code) if row.state.under else None
    return _row(
        row,
        **_prize_of(facts, ends, level),
        change_chips=None,
        gap=_closed_gap(row, number),
        # A round is ranked by itself; qualifiers are ahead of everybody else.
        chance=of(ChanceState.PLACE, place=ends.place, tied=ends.tied) if ends else None,
        chances=str(side_chance(row.state)),
    )


def _prize_of(facts: Facts, ranked: Ranked | None, level: Counter[int]) -> Json:
    """Return the provisional prize of an eliminated player; empty for a player who plays on."""
    if ranked is None or ranked.out_of_play:
        return {}
    return facts.prize(ranked.place, level[ranked.place])


def _closed_gap(row: Row, number: int) -> Json | None:
    """Return the result of a closed round for a player."""
    states = {Side.ADVANCES: GapState.GOES_ON, Side.OUT: GapState.OUT}
    if row.state not in states and not row.state.gone:
        return None
    return of(states.get(row.state) or row.state, round=number)


def _out_sections(facts: Facts, places: dict[str, Ranked]) -> list[Json]:
    """Return the players who were cut in earlier rounds, the latest round first, with their places (T20)."""
    sections = []
    level = Counter(ranked.place for ranked in places.values())
    for round_ in reversed(facts.mains[:-1]):
        rows = [row for row in facts.ranking(round_).rows if row.state.under]
        placed = [replace(row, place=places[row.code].place, tied=places[row.code].tied) for row in rows]
        placed.sort(key=lambda row: (row.place or 0, row.code))
        # Their places are those in the event, so nothing else is shown beside them.
        made = [{**_closed_row(facts, row, round_.number, places, level), "chance": None} for row in placed]
        if made:
            sections.append(_section("out", of(Title.OUT, round=round_.number), made))
    return sections


def _extra_sections(facts: Facts, round_: Round) -> list[Json]:
    """Return the sections of an open play-off (T23) or of the groups of a sudden death (T33)."""
    ranking = facts.ranking(round_)
    if round_.kind == Kind.PLAY_OFF:
        seats = ranking.seats
        title = of(Title.PLAY_OFF, seats=seats) if seats else of(Title.PLAY_OFF_DECIDED)
        rows = [_tie_row(facts, row, chances=str(side_chance(row.state))) for row in ranking.rows]
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
        _section("tie", title, [_sudden_death_row(facts, row, ranking.rows) for row in rows])
        for title, rows in parts
        if rows
    ]


def _sudden_death_row(facts: Facts, row: Row, rows: Iterable[Row]) -> Json:
    level = sum(other.place == row.place for other in rows)
    return _tie_row(facts, row, **({} if row.state.gone else facts.prize(row.place, level)))


def _tie_row(facts: Facts, row: Row, **also: Any) -> Json:
    """Return a player of a tie, with the decided result (T23, T33)."""
    return _row(row, **facts.seat(row.stack), gap=decided_state(row), **also)


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
class Facts:
    """All data from which one body is built, read once."""

    event: Event
    rounds: list[Round]
    seats: dict[tuple[int, int], tuple[int, int]]
    ranked: dict[int, Ranking] = field(default_factory=dict)
    tables: dict[int, dict[int, TableProgress]] = field(default_factory=dict)
    at_tables: dict[tuple[int, int], Json] = field(default_factory=dict)

    @property
    def prizes_cents(self) -> Sequence[int]:
        """The posted prizes by place; empty before they are posted."""
        return self.state.prizes_cents or ()

    @cached_property
    def state(self) -> State:
        """The state of the event, which ranks its stages."""
        return state_of(self.event)

    @cached_property
    def _currency(self) -> str:
        return currency_of(self.event)

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

    @property
    def mains(self) -> list[Round]:
        """The rounds of the plan that have been seated, in order (F1)."""
        return [r for r in self.rounds if r.kind == Kind.ROUND]

    @property
    def extra(self) -> Round | None:
        """The open play-off or sudden death."""
        return next((r for r in self.rounds if r.kind != Kind.ROUND and r.status != Status.CLOSED), None)

    @cached_property
    def money_ties(self) -> Mapping[str, Sequence[int]]:
        """Entries whose sudden death is still to be drawn, each with the places of its tie (T33)."""
        if self.extra is not None or not self.prizes_cents or not play_is_over(self.state):
            return {}
        groups = money_ties_open(self.state)
        return {code: group.places for group in groups for code in group.entries}

    def ranking(self, round_: Round) -> Ranking:
        """Return the ranking of one of the stages."""
        if round_.pk not in self.ranked:
            self.ranked[round_.pk] = stage_ranking(round_, self.state)
        return self.ranked[round_.pk]

    def progress(self, round_: Round) -> dict[int, TableProgress]:
        """Return the tables of a stage by number; none unless it is being played."""
        if round_.pk not in self.tables:
            found = floor().progress(round_.pk) if round_.status == Status.PLAYING else []
            self.tables[round_.pk] = {each.table: each for each in found}
        return self.tables[round_.pk]

    def _round(self, stack: Stack) -> Round:
        return next(each for each in self.rounds if each.pk == stack.round_id)

    def seat(self, stack: Stack) -> Json:
        """Return the table and box of a player, and the progress of the table.

        ``call`` changes each time the player must go there: with new seats and when play begins.
        """
        seat = self.seats.get((stack.round_id, stack.entry_id))
        if seat is None:
            return {}
        round_ = self._round(stack)
        called = round_.status in (Status.SEATED, Status.PLAYING) and stack.state in IN_PLAY
        return {
            "table": seat[0],
            "box": seat[1],
            "call": f"{round_.pk}-{round_.status}-{seat[0]}-{seat[1]}" if called else "",
            **self._progress_at(round_, seat[0]),
        }

    def _progress_at(self, round_: Round, table: int) -> Json:
        """Return the progress of a table, computed once for all its players."""
        key = (round_.pk, table)
        if key not in self.at_tables:
            found = self.progress(round_).get(table)
            # T23, T33: a tie ends with the hand that decides it, however long its shoe is.
            unknown = round_.counts_alone or round_.kind != Kind.ROUND
            about = hands_about(found) if found and not unknown else None
            self.at_tables[key] = (
                {"hand": found.hands, "hands_left": about, "shoe": str(shoe_state(found))} if found else {}
            )
        return self.at_tables[key]

    def hands_most(self, ranking: Ranking) -> dict[str, int | None]:
        """Return the most hands that each player of a stage can still play, by code; None if unknown."""
        round_ = ranking.round
        rules, alone = round_rules(self.event.settings, round_.number), round_.counts_alone
        most = {
            number: hands_most(rules, table, counts_alone=alone)
            for number, table in self.progress(round_).items()
        }
        seats = {row.code: self.seats.get((round_.pk, row.entry.pk)) for row in ranking.rows}
        return {code: most.get(seat[0]) for code, seat in seats.items() if seat}


def facts_of(event: Event) -> Facts:
    """Read the rounds of an event, and the seats of those that are not closed."""
    rounds = list(event.rounds.select_related("parent").order_by("id"))
    for round_ in rounds:
        round_.event = event
        if round_.parent is not None:
            round_.parent.event = event
    seated = [r.pk for r in rounds if r.status != Status.CLOSED]
    seats = floor().seats(seated) if seated else {}
    return Facts(event, rounds, seats)
