"""The standings as the public sees them, as plain JSON: who is where, and where the cut line runs (T20).

Built once per change and stored; the pages only show it. Public names, entry codes, seats and chips:
nothing else of a person.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.engine.chances import Chance
from tournament.engine.ranking import Ranked
from tournament.engine.settings import round_rules
from tournament.figures import chips, money_short, ordinal
from tournament.models import ChipEntry, ChipTransaction, Entry, Event, PayoutStructure, Posting, Round, Stack
from tournament.selectors.alternates import seating_of
from tournament.selectors.desk import waiting_list
from tournament.selectors.entrants import entrants_of
from tournament.selectors.floor import TableProgress
from tournament.selectors.hall import announcements_live, hall_facts
from tournament.selectors.prizes import currency_of, prizes_for
from tournament.selectors.prospects import Prospect, chance_words, paid_places, prospects, state_chance
from tournament.selectors.ranking_words import decided_words, lines_of, nobody_cut_words, row_word
from tournament.selectors.replaced import left_words
from tournament.selectors.stage_ranking import Ranking, Row, State, Tie
from tournament.selectors.stages import live_payouts, places_so_far
from tournament.selectors.standings_facts import Facts, facts_of
from tournament.selectors.tie_rulings import rulings_posted_words

Json = dict[str, Any]
Kind, Status = Round.Kind, Round.Status

HISTORY_POINTS = 12
# Beyond this many rows a phone would load more lines than names: no history is drawn.
HISTORY_ROWS_MAX = 120


def standings_body(event: Event) -> Json:
    """The standings of an event as JSON: ``headline``, ``live``, ``over``, ``notes``, ``sections``.

    ``stage``: the title of what is played, without how far it is; not before the first draw and at the end.
    ``over``: the event is paid or called off, so that phones need not ask again.

    A section has ``kind`` (entries, live, closed, tie, out, final), ``title`` and ``rows``; a row the
    fields of the page's row, chips as integers. ``announcements``: ``id`` and
    ``text`` of each. ``hall``: what only the screens in the hall show.
    """
    payouts = live_payouts(event)
    said = [{"id": each.pk, "text": each.text} for each in announcements_live(event)]
    return {**_body_of(event, payouts), "announcements": said, "hall": hall_facts(event, payouts)}


def _body_of(event: Event, payouts: PayoutStructure | None) -> Json:
    if event.status == Event.Status.CALLED_OFF:
        notes = [_note("bad", _("The event is called off. Every buy-in is refunded at the desk."))]
        posting = event.postings.filter(kind=Posting.Kind.CALLED_OFF).first()
        if posting is not None:
            notes.append(_note("", _("The reason: %(why)s") % {"why": posting.body["reason"]}))
        return _body(_("Called off"), notes=notes, over=True)
    if event.status in (Event.Status.FINISHED, Event.Status.PAID):
        return _final_body(event)
    facts = facts_of(event, payouts)
    if not facts.mains:
        return _desk_body(event)
    return _running_body(facts)


def _body(headline: str, **also: Any) -> Json:
    return {"headline": headline, "live": False, "over": False, "notes": [], "sections": [], **also}


def _note(kind: str, text: str) -> Json:
    return {"kind": kind, "text": text}


def _section(kind: str, title: str, rows: Iterable[Json], **also: Any) -> Json:
    return {"kind": kind, "title": title, "rows": list(rows), **also}


# Before the draw ------------------------------------------------------------------------------------


def _desk_body(event: Event) -> Json:
    """Who has entered, by entry number, and the alternates in their order (T6)."""
    entries = event.entries.filter(status=Entry.Status.LIVE).select_related("player")
    live = [_entry_row(e) for e in entries.order_by("number")]
    waiting = _waiting_section(event)
    headline = _("Desk open · %(entrants)s") % {"entrants": entrants_of(event).words}
    sections = [_section("entries", _("Entered"), live), *waiting] if live or waiting else []
    return _body(headline, sections=sections)


def _waiting_section(event: Event) -> list[Json]:
    """The alternates in their order, whether seating is open, and how many boxes are free (T6)."""
    waiting = waiting_list(event)
    if not waiting:
        return []
    seating = seating_of(event)
    told = {"note": seating.words, "seating": seating.state, "boxes_free": seating.free}
    return [_section("entries", _("Waiting"), map(_entry_row, waiting), **told)]


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
    sections += _waiting_section(facts.event)
    playing = facts.extra or main
    return _body(
        _headline(playing, list(facts.progress(playing).values())),
        stage=playing.title,
        live=playing.status != Status.CLOSED,
        notes=notes,
        sections=sections,
    )


def _places(facts: Facts) -> dict[str, Ranked]:
    """Places from the closed rounds: those of who is out are settled, whoever goes on is ahead of them."""
    if not any(r.status == Status.CLOSED for r in facts.mains):
        return {}
    return {ranked.entry: ranked for ranked in places_so_far(facts.event)}


def _headline(round_: Round, tables: Sequence[TableProgress]) -> str:
    words = {
        Status.SEATED: _("seats are drawn"),
        Status.PLAYING: _progress(tables, round_.counts_alone),
        Status.COUNTED: _("counted") if round_.kind == Kind.ROUND else _("decided"),
        Status.PLAYING_OFF: _("tie at the cut"),
        Status.CLOSED: _("closed"),
    }[Status(round_.status)]
    return f"{round_.title} · {words}" if words else round_.title


def _progress(tables: Sequence[TableProgress], counts_alone: bool) -> str:
    """`hand 9 at most tables`: the number of the hand that most tables in play have settled last.

    On counts alone no hand is recorded, and none is claimed (T18).
    """
    dealing = [t.hands for t in tables if t.state == "dealing"]
    if not tables:
        return ""
    if not dealing:
        return _("shoes over, chips are counted")
    words = _("being played") if counts_alone else _hands_words(dealing)
    over = len(tables) - len(dealing)
    if over:
        words += " · " + ngettext("%(n)s table over", "%(n)s tables over", over) % {"n": over}
    return words


def _hands_words(hands: Sequence[int]) -> str:
    ((hand, at),) = Counter(hands).most_common(1)
    if not min(hands):
        return _("hand %(n)s at the most") % {"n": max(hands)} if max(hands) else _("no hand is settled yet")
    if at == len(hands):
        return _("hand %(n)s") % {"n": hand}
    if at * 2 > len(hands):
        return _("hand %(n)s at most tables") % {"n": hand}
    return _("hands %(first)s to %(last)s") % {"first": min(hands), "last": max(hands)}


def _live_section(facts: Facts, ranking: Ranking) -> tuple[Json, list[Json]]:
    """The ranking as it stands, the cut line drawn through it, and what has to be said about it."""
    histories = _histories(ranking.round, [row.stack for row in ranking.rows])

    rules = round_rules(facts.event.settings, ranking.round.number)
    hands = facts.hands_most(ranking.round, rules)
    told = prospects(ranking, rules, hands, paid_places(facts.prizes_cents))
    level = Counter(row.place for row in ranking.in_play)
    rows = [
        {
            **_live_row(facts, ranking, row, histories, told.get(row.code)),
            **facts.prize(row.place, level[row.place]),
        }
        for row in ranking.rows
    ]
    nobody = nobody_cut_words(ranking)
    title = "" if len(facts.mains) == 1 else ranking.round.title
    section = _section("live", title, _lines_drawn(rows, ranking), leader_chips=_leader_chips(ranking))
    return section, [_note("", nobody)] if nobody else []


def _leader_chips(ranking: Ranking) -> int:
    """The largest stack in play, which the hairlines of the rows are measured by."""
    return max((row.chips for row in ranking.in_play), default=0)


def _live_row(
    facts: Facts, ranking: Ranking, row: Row, histories: dict[int, list[int]], prospect: Prospect | None
) -> Json:
    return _row(
        row,
        **facts.seat(row.stack),
        history=histories.get(row.stack.pk, []),
        gap=_gap_words(ranking, row) if row.gap else _leader_words(ranking, row),
        chance=chance_words(ranking, row, prospect, facts.prizes_cents),
        chances=str(prospect.chance) if prospect else "",
        needs_chips=prospect.needs_chips if prospect else None,
    )


def _row(row: Row, **also: Any) -> Json:
    return {
        "place": row.place,
        "tied": row.tied,
        "code": row.code,
        "name": row.entry.player.public_name,
        "where": "",
        "word": row_word(row),
        "state": str(row.state),
        "under": row.state.under,
        "stack_chips": row.chips,
        # T26: chips that have left play were changed by no hand.
        "change_chips": None if row.state.gone else row.stack.last_change_chips,
        "history": [],
        "gap": "",
        "chance": "",
        **also,
    }


def _gap_words(ranking: Ranking, row: Row) -> str:
    gap = row.gap
    assert gap is not None
    amount = chips(gap.gap_chips)
    decided = {
        Tie.WON: _("won the tie at the cut"),
        Tie.LOST: _("lost the tie at the cut"),
        Tie.ALL: _("level at the cut, all who are level advance"),
    }
    if row.tie:
        return decided[row.tie]
    if gap.against_place is None:
        if gap.side == "in":
            # T20: who cannot cover the smallest bet is cut, however few are playing.
            if ranking.nobody_cut:
                return _("nobody is cut in this round")
            return _("advances") if row.state == State.ADVANCES else _("in as it stands")
        return _("%(chips)s short of the smallest bet") % {"chips": amount}
    if row in ranking.level:
        return _("level at the cut, top %(n)s advance") % {"n": gap.against_place}
    words = _("%(chips)s behind %(place)s") if row.state.under else _("%(chips)s ahead of %(place)s")
    return words % {"chips": amount, "place": ordinal(gap.against_place)}


def _leader_words(ranking: Ranking, row: Row) -> str:
    """In the last round nobody is cut; what counts is the first place."""
    if row.state.gone or row.no_hand or len(ranking.in_play) < 2:
        return ""
    first, second = ranking.in_play[:2]
    if row.place == 1:
        lead = chips(first.chips - second.chips)
        return _("level at the top") if row.tied else _("leads by %(chips)s") % {"chips": lead}
    return _("%(chips)s behind 1st") % {"chips": chips(first.chips - row.chips)}


def _lines_drawn(rows: list[Json], ranking: Ranking) -> list[Json]:
    """The rows with the cut line, and the one over those who are level at it, above where they belong."""
    for at, line in lines_of(ranking).items():
        rows[at]["cut"] = {"label": line.label, "gap": line.gap}
    return rows


def _histories(round_: Round, stacks: Sequence[Stack]) -> dict[int, list[int]]:
    """The stack after each of the last hands, oldest first, from the chip ledger."""
    if len(stacks) > HISTORY_ROWS_MAX:
        return {}
    kinds = (ChipTransaction.Kind.DEAL, ChipTransaction.Kind.REVERSAL, ChipTransaction.Kind.COUNT)
    legs = ChipEntry.objects.filter(stack__in=stacks, transaction__kind__in=kinds)
    lines = {s.pk: [s.start_chips] for s in stacks}
    for stack_id, amount_chips in legs.order_by("id").values_list("stack_id", "amount_chips"):
        lines[stack_id].append(lines[stack_id][-1] + amount_chips)
    return {pk: line[-HISTORY_POINTS:] for pk, line in lines.items() if len(line) > 2}


# Closed rounds, those who are out, and ties that are played off ---------------------------------------


def _closed_section(facts: Facts, ranking: Ranking, places: dict[str, Ranked]) -> Json:
    """A closed round: who goes on, the line, who is out; the stacks as they were frozen."""
    number = ranking.round.number
    level = Counter(ranked.place for ranked in places.values())
    rows = [_closed_row(facts, row, number, places, level) for row in ranking.rows]
    title = "" if len(facts.mains) == 1 else ranking.round.title
    drawn, note = _lines_drawn(rows, ranking), rulings_posted_words(ranking.round)
    return _section("closed", title, drawn, leader_chips=_leader_chips(ranking), note=note)


def _closed_row(facts: Facts, row: Row, number: int, places: dict[str, Ranked], level: Counter[int]) -> Json:
    ends = places.get(row.code) if row.state.under else None
    return _row(
        row,
        **_prize_of(facts, ends, level),
        change_chips=None,
        gap=_closed_words(row, number),
        chance=_place_words(ends),
        chances=str(state_chance(row.state)),
    )


def _prize_of(facts: Facts, ranked: Ranked | None, level: Counter[int]) -> Json:
    """The prize of a player who is out, as it stands; nothing for one who plays on."""
    if ranked is None or ranked.out_of_play:
        return {}
    return facts.prize(ranked.place, level[ranked.place])


def _closed_words(row: Row, number: int) -> str:
    words = {
        State.ADVANCES: _("goes on to round %(n)s") % {"n": number + 1},
        State.OUT: _("out after round %(n)s") % {"n": number},
        State.REPLACED: _("replaced after round %(n)s") % {"n": number},
        State.TAKEN_OUT: _("taken out after round %(n)s") % {"n": number},
        State.WITHDREW: _("withdrew after round %(n)s") % {"n": number},
        State.NO_SHOW: _("did not come to round %(n)s") % {"n": number + 1},
        State.DISQUALIFIED: _("disqualified"),
    }
    return words.get(row.state, "")


def _place_words(ranked: Ranked | None) -> str:
    """Where somebody ends: a round is ranked by itself, and who goes on is ahead of everybody else."""
    if ranked is None:
        return ""
    return _("%(place)s in the event") % {"place": ("=" if ranked.tied else "") + ordinal(ranked.place)}


def _out_sections(facts: Facts, places: dict[str, Ranked]) -> list[Json]:
    """Those who did not go on from earlier rounds, the latest first, with the places that they hold (T20)."""
    sections = []
    level = Counter(ranked.place for ranked in places.values())
    for round_ in reversed(facts.mains[:-1]):
        rows = [row for row in facts.ranking(round_).rows if row.state.under]
        placed = [replace(row, place=places[row.code].place, tied=places[row.code].tied) for row in rows]
        placed.sort(key=lambda row: (row.place or 0, row.code))
        made = [
            _row(
                row,
                **_prize_of(facts, places[row.code], level),
                change_chips=None,
                gap=_closed_words(row, round_.number),
                chances=str(Chance.OUT),
            )
            for row in placed
        ]
        if made:
            title = _("Out after round %(n)s") % {"n": round_.number}
            sections.append(_section("out", title, made))
    return sections


def _extra_sections(facts: Facts, round_: Round) -> list[Json]:
    """The play-off (T23) or the groups of a sudden death (T33) that are being played, and what is decided."""
    ranking = facts.ranking(round_)
    if round_.kind == Kind.PLAY_OFF:
        seats = ranking.seats
        title = ngettext("Play-off for %(n)s seat", "Play-off for %(n)s seats", seats) % {"n": seats}
        title = title if seats else _("Play-off, decided")
        rows = [_tie_row(facts, row, chances=str(state_chance(row.state))) for row in ranking.rows]
        return [_section("tie", title, rows)]
    parts = [
        (
            _("Sudden death for %(places)s") % {"places": _places_words(group.places)},
            [row for row in ranking.rows if row.code in group.entries],
        )
        for group in ranking.groups
    ]
    playing = {code for group in ranking.groups for code in group.entries}
    parts.append((_("Sudden death, decided"), [row for row in ranking.rows if row.code not in playing]))
    return [
        _section("tie", title, [_sudden_death_row(facts, row, ranking.rows) for row in rows])
        for title, rows in parts
        if rows
    ]


def _places_words(places: Sequence[int]) -> str:
    if len(places) == 1:
        return ordinal(places[0])
    return _("%(first)s to %(last)s") % {"first": ordinal(places[0]), "last": ordinal(places[-1])}


def _sudden_death_row(facts: Facts, row: Row, rows: Iterable[Row]) -> Json:
    level = sum(other.place == row.place for other in rows)
    return _tie_row(facts, row, **({} if row.state.gone else facts.prize(row.place, level)))


def _tie_row(facts: Facts, row: Row, **also: Any) -> Json:
    """A player of a tie, with what is decided (T23, T33)."""
    return _row(row, **facts.seat(row.stack), gap=decided_words(row), **also)


# The end ------------------------------------------------------------------------------------------------


def _final_body(event: Event) -> Json:
    """Every place with its prize (T1, T35)."""
    found = event.entries.filter(place__isnull=False).select_related("player")
    placed = list(found.order_by("place", "number"))
    prizes = prizes_for(event)
    currency = currency_of(event)
    words, by_death = left_words(placed), _placed_by_sudden_death(event)
    rows = [
        _final_row(
            e,
            prizes.get(e.pk, 0),
            currency,
            words[e.pk] or (_("by sudden death") if e.pk in by_death else ""),
        )
        for e in placed
    ]
    for row in rows:
        row["gap"] = row["gap"] or _("of %(n)s") % {"n": len(rows)}
    _line_under_the_paid(rows)
    title = _("Final standings")
    paid = event.status == Event.Status.PAID
    headline = _("Final standings · prizes paid") if paid else title
    return _body(headline, over=paid, sections=[_section("final", title, rows, currency=currency)])


def _line_under_the_paid(rows: list[Json]) -> None:
    """Under the last who is paid; T26: among those above it may be somebody with a place and no prize."""
    paid = [i for i, row in enumerate(rows) if row["prize_cents"]]
    under = paid[-1] + 1 if paid else len(rows)
    if under < len(rows):
        words = _("Top %(n)s are paid") if under == len(paid) else _("%(n)s are paid")
        rows[under]["cut"] = {"label": words % {"n": len(paid)}, "gap": ""}


def _placed_by_sudden_death(event: Event) -> set[int]:
    """Who has a place that chips alone do not tell: level with others who played sudden death too (T33)."""
    played = event.entries.filter(
        place__isnull=False, stacks__round__kind=Kind.SUDDEN_DEATH, stacks__round__status=Status.CLOSED
    )
    level: dict[int | None, set[int]] = defaultdict(set)
    for pk, chips_ in played.exclude(status=Entry.Status.DISQUALIFIED).values_list("pk", "final_chips"):
        level[chips_].add(pk)
    return {pk for each in level.values() if len(each) > 1 for pk in each}


def _final_row(entry: Entry, prize_cents: int, currency: str, word: str) -> Json:
    words = _("prize %(amount)s") % {"amount": money_short(prize_cents, currency)} if prize_cents else ""
    return {
        "place": entry.place,
        "tied": entry.place_tied,
        "code": entry.code,
        "name": entry.player.public_name,
        # T26: the same for places that were decided when the chips of the disqualified were still kept.
        "stack_chips": 0 if entry.status == Entry.Status.DISQUALIFIED else entry.final_chips,
        "prize_cents": prize_cents,
        "gap": words,
        # The pinned card of a phone says it too.
        "chance": word,
        "word": word,
    }


def rows_of(body: Json) -> Iterable[Json]:
    """Every row of a body, the most current section first: where somebody is looked for."""
    for section in body["sections"]:
        yield from section["rows"]


def rows_matching(body: Json, word: str) -> list[Json]:
    """The rows of the entry number or name that was typed: ``E017``, ``17`` or ``ann``; one for an entry."""
    return [row for row in _rows_called(rows_of(body), word) if "place" in row]


def lists_naming(body: Json, word: str) -> list[Json]:
    """Who was typed and has no place yet: entered and not drawn, or an alternate (T6); and in which list."""
    return [
        {"list": section["title"], **row}
        for section in body["sections"]
        if section["kind"] == "entries"
        for row in _rows_called(section["rows"], word)
    ]


def _rows_called(rows: Iterable[Json], word: str) -> list[Json]:
    wanted = word.strip().casefold()
    if not wanted:
        return []
    once = {row["code"]: row for row in reversed(list(rows))}
    exact = [row for code, row in once.items() if _number(wanted) and _number(code) == _number(wanted)]
    found = exact or [row for row in once.values() if wanted in row["name"].casefold()]
    return sorted(found, key=lambda row: str(row["code"]))


def _number(code: str) -> str:
    return code.casefold().removeprefix("e").lstrip("0")
