"""The standings as the public sees them, as plain JSON: who is where, and where the cut line runs (T20).

Built once per change and stored; the pages only show it. Public names, entry codes, seats and chips:
nothing else of a person.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.engine.ranking import Gap, Ranked, gap_to_cut, rank
from tournament.models import ChipEntry, ChipTransaction, Entry, Event, Posting, Round, Stack
from tournament.selectors.floor import TableProgress, floor
from tournament.selectors.prizes import currency_of, prizes_for
from tournament.selectors.stages import (
    NOT_RANKED,
    group_from_dict,
    live_payouts,
    places_so_far,
    round_cut,
    standings_of,
)
from tournament.templatetags.cutline import chips, money_short, ordinal

Json = dict[str, Any]
Kind, Status = Round.Kind, Round.Status

# The sides of those whose tie at the cut is decided, beside those of the engine's Gap.
WON, LOST = "won", "lost"
OUT_OF_PLAY = Gap("out", 0, None)

HISTORY_POINTS = 12
# Beyond this many rows a phone would load more lines than names: no history is drawn.
HISTORY_ROWS_MAX = 120


@dataclass(frozen=True)
class Facts:
    """Everything that one body is built from, read once."""

    event: Event
    rounds: list[Round]
    stacks: dict[int, list[Stack]]
    seats: dict[tuple[int, int], tuple[int, int]]
    prizes_cents: list[int]

    @property
    def mains(self) -> list[Round]:
        """Rounds 1, 2, 3 as far as they have been seated."""
        return [r for r in self.rounds if r.kind == Kind.ROUND]

    @property
    def extra(self) -> Round | None:
        """The play-off or sudden death that is being played."""
        return next((r for r in self.rounds if r.kind != Kind.ROUND and r.status != Status.CLOSED), None)

    def seat(self, stack: Stack) -> Json:
        """The seat in words: ``table 3`` beside the name, ``table 3, box 5`` on the card."""
        seat = self.seats.get((stack.round_id, stack.entry_id))
        if seat is None:
            return {}
        table = _("table %(table)s") % {"table": seat[0]}
        return {"where": table, "seat": _("%(table)s, box %(box)s") % {"table": table, "box": seat[1]}}


def standings_body(event: Event) -> Json:
    """The standings of an event as JSON: ``headline``, ``live``, ``notes``, ``leader_chips``, ``sections``.

    A section has ``kind`` (entries, live, closed, tie, out, final), ``title`` and ``rows``; a row the
    fields of the page's row, chips as integers.
    """
    if event.status == Event.Status.CALLED_OFF:
        notes = [_note("bad", _("The event is called off. Every buy-in is refunded at the desk."))]
        posting = event.postings.filter(kind=Posting.Kind.CALLED_OFF).first()
        if posting is not None:
            notes.append(_note("", _("The reason: %(why)s") % {"why": posting.body["reason"]}))
        return _body(_("Called off"), notes=notes)
    if event.status in (Event.Status.FINISHED, Event.Status.PAID):
        return _final_body(event)
    facts = _facts(event)
    if not facts.mains:
        return _desk_body(event)
    return _running_body(facts)


def _body(headline: str, **also: Any) -> Json:
    return {"headline": headline, "live": False, "notes": [], "leader_chips": 0, "sections": [], **also}


def _note(kind: str, text: str) -> Json:
    return {"kind": kind, "text": text}


def _section(kind: str, title: str, rows: Sequence[Json], **also: Any) -> Json:
    return {"kind": kind, "title": title, "rows": list(rows), **also}


def _facts(event: Event) -> Facts:
    rounds = list(event.rounds.order_by("id"))
    by_round: dict[int, list[Stack]] = defaultdict(list)
    if rounds:
        found = Stack.objects.filter(round__in=rounds).exclude(state__in=NOT_RANKED)
        for stack in found.select_related("entry__player", "round").order_by("entry__number"):
            by_round[stack.round_id].append(stack)
    seated = [r.pk for r in rounds if r.status != Status.CLOSED]
    live = live_payouts(event)
    seats = floor().seats(seated) if seated else {}
    return Facts(event, rounds, by_round, seats, list(live.prizes_cents) if live else [])


# Before the draw ------------------------------------------------------------------------------------


def _desk_body(event: Event) -> Json:
    """Who has entered, by entry number, and the alternates in their order (T6)."""
    entries = list(event.entries.select_related("player").order_by("number"))
    live = [_entry_row(e) for e in entries if e.status == Entry.Status.LIVE]
    waiting = [e for e in entries if e.status == Entry.Status.WAITING]
    waiting.sort(key=lambda e: (e.waiting_since or e.created_at, e.number))
    headline = ngettext("Desk open · %(n)s entry", "Desk open · %(n)s entries", len(live)) % {"n": len(live)}
    sections = [_section("entries", _("Entered"), live)]
    if waiting:
        note = _("Alternates take the seats of players who do not come, in this order.")
        sections.append(_section("entries", _("Waiting"), [_entry_row(e) for e in waiting], note=note))
    return _body(headline, sections=sections if entries else [])


def _entry_row(entry: Entry) -> Json:
    return {"code": entry.code, "name": entry.player.public_name}


# In play ----------------------------------------------------------------------------------------------


def _running_body(facts: Facts) -> Json:
    main = facts.mains[-1]
    sections: list[Json] = []
    notes: list[Json] = []
    if facts.extra is not None:
        sections += _extra_sections(facts, facts.extra)
    places = _places(facts)
    if main.status == Status.CLOSED:
        sections.append(_closed_section(facts, main, places))
    else:
        section, notes = _live_section(facts, main)
        sections.append(section)
    sections += _out_sections(facts, places)
    playing = facts.extra or main
    return _body(
        _headline(playing, floor().progress(playing.pk) if playing.status == Status.PLAYING else []),
        live=playing.status != Status.CLOSED,
        notes=notes,
        leader_chips=max((s.chips for s in facts.stacks[main.pk]), default=0),
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
        Status.PLAYING: _progress(tables),
        Status.COUNTED: _("counted"),
        Status.PLAYING_OFF: _("tie at the cut"),
        Status.CLOSED: _("closed"),
    }[Status(round_.status)]
    return f"{round_.title} · {words}" if words else round_.title


def _progress(tables: Sequence[TableProgress]) -> str:
    """`hand 9 at most tables`: the hand that most tables in play have settled last."""
    dealing = [t.hands for t in tables if t.state == "dealing"]
    if not tables:
        return ""
    if not dealing:
        return _("shoes over, chips are counted")
    words = _hands_words(dealing)
    over = len(tables) - len(dealing)
    if over:
        words += " · " + ngettext("%(n)s table over", "%(n)s tables over", over) % {"n": over}
    return words


def _hands_words(hands: Sequence[int]) -> str:
    ((hand, at),) = Counter(hands).most_common(1)
    if at == len(hands):
        return _("hand %(n)s") % {"n": hand}
    if at * 2 > len(hands):
        return _("hand %(n)s at most tables") % {"n": hand}
    return _("hands %(first)s to %(last)s") % {"first": min(hands), "last": max(hands)}


def _live_section(facts: Facts, round_: Round) -> tuple[Json, list[Json]]:
    """The ranking as it stands, the cut line drawn through it, and what has to be said about it."""
    stacks = facts.stacks[round_.pk]
    by_code = {s.entry.code: s for s in stacks}
    standings = standings_of(stacks)
    ranked = rank(standings)
    gaps: dict[str, Gap] = {}
    if round_.cut_to is not None:
        gaps = gap_to_cut(standings, round_.cut_to, facts.event.settings.minimum_to_advance_chips())
        ranked = _tie_applied(round_, ranked, gaps)
    histories = _histories(round_, stacks)
    rows = [_live_row(facts, round_, r, by_code[r.entry], gaps, ranked, histories) for r in ranked]
    notes = _cut_rows(rows, round_.cut_to, ranked, gaps)
    return _section("live", "" if len(facts.mains) == 1 else round_.title, rows), notes


def _tie_applied(round_: Round, ranked: list[Ranked], gaps: dict[str, Gap]) -> list[Ranked]:
    """Once a tie at the cut is decided (T23): its winners are in and stand before those who lost it."""
    if round_.status != Status.COUNTED or not any(gap.side == "tied" for gap in gaps.values()):
        return ranked
    winners = round_cut(round_).tie_winners
    if not winners:
        return ranked
    for code, gap in gaps.items():
        if gap.side == "tied":
            gaps[code] = Gap(WON if code in winners else LOST, 0, gap.against_place)
    return sorted(ranked, key=lambda r: (r.place, gaps.get(r.entry, OUT_OF_PLAY).side == LOST))


def _live_row(
    facts: Facts,
    round_: Round,
    ranked: Ranked,
    stack: Stack,
    gaps: dict[str, Gap],
    everybody: Sequence[Ranked],
    histories: dict[int, list[int]],
) -> Json:
    gap = gaps.get(ranked.entry)
    return _row(
        ranked,
        stack,
        **facts.seat(stack),
        history=histories.get(stack.pk, []),
        gap=_gap_words(gap, round_) if gap else _leader_words(ranked, everybody),
        chance=_chance(facts, round_, ranked, stack, gap),
        side=gap.side if gap else "",
        under=gap is not None and gap.side in ("out", LOST),
        out=ranked.out_of_play,
    )


def _row(ranked: Ranked, stack: Stack, **also: Any) -> Json:
    return {
        "place": ranked.place,
        "tied": ranked.tied,
        "code": stack.entry.code,
        "name": stack.entry.player.public_name,
        "where": "",
        "stack_chips": ranked.chips,
        "change_chips": stack.last_change_chips,
        "history": [],
        "gap": "",
        "chance": "",
        "side": "",
        "under": False,
        "out": False,
        **also,
    }


def _gap_words(gap: Gap, round_: Round) -> str:
    amount = chips(gap.gap_chips)
    if gap.against_place is None:
        if gap.side == "in":
            return _("nobody is cut in this round")
        return _("%(chips)s short of the smallest bet") % {"chips": amount}
    if gap.side in (WON, LOST):
        return _("won the tie at the cut") if gap.side == WON else _("lost the tie at the cut")
    if gap.side == "tied":
        return _("level at the cut, top %(n)s advance") % {"n": gap.against_place}
    words = _("%(chips)s ahead of %(place)s") if gap.side == "in" else _("%(chips)s behind %(place)s")
    return words % {"chips": amount, "place": ordinal(gap.against_place)}


def _leader_words(ranked: Ranked, everybody: Sequence[Ranked]) -> str:
    """In the last round nobody is cut; what counts is the first place."""
    if ranked.out_of_play or len(everybody) < 2:
        return ""
    first, second = everybody[0], everybody[1]
    if ranked.place == 1:
        lead = chips(first.chips - second.chips)
        return _("level at the top") if ranked.tied else _("leads by %(chips)s") % {"chips": lead}
    return _("%(chips)s behind 1st") % {"chips": chips(first.chips - ranked.chips)}


def _chance(facts: Facts, round_: Round, ranked: Ranked, stack: Stack, gap: Gap | None) -> str:
    if ranked.out_of_play:
        return _("disqualified")
    if stack.state == Stack.State.ABSENT:
        return _("absent, the stack stands")
    if gap is None:
        paid = not ranked.tied and ranked.place <= len(facts.prizes_cents)
        return _("in the money as it stands") if paid else ""
    if round_.status not in (Status.SEATED, Status.PLAYING) or gap.against_place is None:
        return ""
    if gap.side == "in":
        return _("in as it stands")
    can_bet = stack.chips >= facts.event.settings.bet_min_chips
    return _("still in it") if can_bet else _("cannot cover the minimum")


def _cut_rows(
    rows: list[Json], cut_to: int | None, ranked: Sequence[Ranked], gaps: dict[str, Gap]
) -> list[Json]:
    """Draw the cut line: before the first row that is out, and round those who are level at it (T20, T23).

    Returns the notes where there is no line to draw.
    """
    if cut_to is None:
        return []
    label = _("Top %(n)s advance") % {"n": cut_to}
    tied = [i for i, row in enumerate(rows) if row["side"] == "tied"]
    out = next((i for i, row in enumerate(rows) if row["under"]), None)
    if tied:
        contested = cut_to - tied[0]
        if len(tied) == len(rows):
            rows[0]["cut"] = {"label": label, "gap": _("all are level")}
            return []
        words = _("%(n)s level for %(seats)s of the seats") % {"n": len(tied), "seats": contested}
        level = _("at %(chips)s") % {"chips": chips(ranked[tied[0]].chips)}
        rows[tied[0]]["cut"] = {"label": words, "gap": level}
        if out is not None:
            rows[out]["cut"] = {"label": label, "gap": ""}
        return []
    if out is None:
        if all(gap.against_place is None for gap in gaps.values()):
            text = _("%(n)s advance and no more are playing: nobody is cut in this round.") % {"n": cut_to}
            return [_note("", text)]
        return []
    if out == 0:
        return []
    words = _("%(place)s has %(chips)s") % {"place": ordinal(out), "chips": chips(ranked[out - 1].chips)}
    rows[out]["cut"] = {"label": label if out == cut_to else _("%(n)s advance") % {"n": out}, "gap": words}
    return []


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


def _closed_section(facts: Facts, round_: Round, places: dict[str, Ranked]) -> Json:
    """A closed round: who goes on, the line, who is out; the stacks as they were frozen."""
    stacks = {s.entry.code: s for s in facts.stacks[round_.pk]}
    ordered = sorted((places[code] for code in stacks), key=lambda r: (r.place, r.out_of_play, r.entry))
    rows = [_closed_row(ranked, stacks[ranked.entry]) for ranked in ordered]
    first_out = next((i for i, row in enumerate(rows) if row["under"]), None)
    if first_out:
        words = ngettext("%(n)s goes on", "%(n)s go on", first_out) % {"n": first_out}
        rows[first_out]["cut"] = {"label": words, "gap": _("round %(n)s closed") % {"n": round_.number}}
    return _section("closed", "" if len(facts.mains) == 1 else round_.title, rows)


def _closed_row(ranked: Ranked, stack: Stack) -> Json:
    number = stack.round.number
    words = {
        Stack.Outcome.ADVANCED: _("goes on to round %(n)s") % {"n": number + 1},
        Stack.Outcome.CUT: _("out after round %(n)s") % {"n": number},
    }
    return _row(
        ranked,
        stack,
        change_chips=None,
        gap=words.get(Stack.Outcome(stack.outcome), ""),
        chance=_("disqualified") if ranked.out_of_play else "",
        under=stack.outcome == Stack.Outcome.CUT,
        out=ranked.out_of_play,
    )


def _out_sections(facts: Facts, places: dict[str, Ranked]) -> list[Json]:
    """Those who were cut in earlier rounds, the latest round first, with the places that they hold (T20)."""
    seen = {s.entry_id for s in facts.stacks[facts.mains[-1].pk]}
    sections = []
    for round_ in reversed(facts.mains[:-1]):
        stacks = {s.entry.code: s for s in facts.stacks[round_.pk] if s.entry_id not in seen}
        seen |= {s.entry_id for s in stacks.values()}
        ranked = sorted((places[code] for code in stacks if code in places), key=lambda r: (r.place, r.entry))
        words = _("out after round %(n)s") % {"n": round_.number}
        rows = [_row(r, stacks[r.entry], change_chips=None, gap=words, under=True, out=True) for r in ranked]
        if rows:
            title = _("Out after round %(n)s") % {"n": round_.number}
            sections.append(_section("out", title, rows))
    return sections


def _extra_sections(facts: Facts, round_: Round) -> list[Json]:
    """The play-off (T23) or the tie groups of a sudden death (T33) that are being played."""
    stacks = facts.stacks[round_.pk]
    if round_.kind == Kind.PLAY_OFF:
        contested = round_.stakes.get("contested", 0)
        title = ngettext("Play-off for %(n)s seat", "Play-off for %(n)s seats", contested) % {"n": contested}
        return [_section("tie", title, _tie_rows(facts, stacks))]
    sections = []
    for group in map(group_from_dict, round_.stakes.get("groups", [])):
        title = _("Sudden death for %(places)s") % {"places": _places_words(group.places)}
        members = [s for s in stacks if s.entry.code in group.entries]
        sections.append(_section("tie", title, _tie_rows(facts, members, offset=group.places[0] - 1)))
    return sections


def _places_words(places: Sequence[int]) -> str:
    if len(places) == 1:
        return ordinal(places[0])
    return _("%(first)s to %(last)s") % {"first": ordinal(places[0]), "last": ordinal(places[-1])}


def _tie_rows(facts: Facts, stacks: Sequence[Stack], offset: int = 0) -> list[Json]:
    """The players of one tie by the chips of the tie; what is decided already is said (T23, T33)."""
    by_code = {s.entry.code: s for s in stacks}
    outcomes = Stack.Outcome
    words = {outcomes.ADVANCED: _("goes on"), outcomes.CUT: _("out"), outcomes.RANKED: _("decided")}
    rows = []
    for r in rank(standings_of(stacks)):
        stack = by_code[r.entry]
        place = Ranked(r.entry, r.chips, r.place + offset, r.tied, r.out_of_play)
        decided, is_out = words.get(outcomes(stack.outcome), ""), stack.outcome == outcomes.CUT
        rows.append(_row(place, stack, **facts.seat(stack), gap=decided, out=is_out))
    return rows


# The end ------------------------------------------------------------------------------------------------


def _final_body(event: Event) -> Json:
    """Every place with its prize (T1, T35)."""
    placed = event.entries.filter(place__isnull=False).select_related("player")
    prizes = prizes_for(event)
    currency = currency_of(event)
    rows = [_final_row(e, prizes.get(e.pk, 0), currency) for e in placed.order_by("place", "number")]
    for row in rows:
        row["gap"] = row["gap"] or _("of %(n)s") % {"n": len(rows)}
    unpaid = next((i for i, row in enumerate(rows) if not row["prize_cents"]), None)
    if unpaid:
        words = _("Top %(n)s are paid") % {"n": unpaid}
        rows[unpaid]["cut"] = {"label": words, "gap": ""}
    title = _("Final standings")
    headline = _("Final standings · prizes paid") if event.status == Event.Status.PAID else title
    return _body(headline, sections=[_section("final", title, rows, currency=currency)])


def _final_row(entry: Entry, prize_cents: int, currency: str) -> Json:
    words = _("prize %(amount)s") % {"amount": money_short(prize_cents, currency)} if prize_cents else ""
    return {
        "place": entry.place,
        "tied": entry.place_tied,
        "code": entry.code,
        "name": entry.player.public_name,
        "stack_chips": entry.final_chips,
        "prize_cents": prize_cents,
        "gap": words,
        "out": entry.status == Entry.Status.DISQUALIFIED,
    }


def rows_of(body: Json) -> Iterable[Json]:
    """Every row of a body, the most current section first: where somebody is looked for."""
    for section in body["sections"]:
        yield from section["rows"]


def rows_matching(body: Json, word: str) -> list[Json]:
    """The rows of the entry number or name that was typed: ``E017``, ``17`` or ``ann``; one for an entry."""
    wanted = word.strip().casefold()
    if not wanted:
        return []
    rows = {row["code"]: row for row in reversed(list(rows_of(body)))}
    exact = [row for code, row in rows.items() if _number(wanted) and _number(code) == _number(wanted)]
    found = exact or [row for row in rows.values() if wanted in row["name"].casefold()]
    found = [row for row in found if "place" in row]
    return sorted(found, key=lambda row: str(row["code"]))


def _number(code: str) -> str:
    return code.casefold().removeprefix("e").lstrip("0")
