"""The journal in words: commands, their objects and results. Players appear as entry codes, never by name.

The catalogue has the words for each kind of command; this module reads the entries and looks up their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Case, Max, Q, QuerySet, Value, When
from django.utils.translation import gettext as _

from pages.words.chips_moved import Account, How, Moved, chip_accounts, chips_moved
from pages.words.journal import JournalBody, Names, box_words, ids_needed, say
from pages.words.naming import stage_named
from pages.words.requests import rank_and_cut_words
from tables.selectors.correction_requests import AFTER_CLOSE
from tables.selectors.next_hand import REDRAW
from tables.selectors.rulings import rulings_about
from tables.selectors.whereabouts import boxes_of_seats, hands_of_deals, numbers_of_tables, tables_of_shoes
from tournament.catalogue import COMMANDS, REQUESTS, Approval
from tournament.figures import chips, money, ordinal, signed
from tournament.journal_parts import Part
from tournament.models import Draw, Entry, Event, JournalEntry, Penalty, Request, Round, Stack
from tournament.selectors.prizes import currency_of


@dataclass(frozen=True)
class HistoryLine:
    """One entry of the journal on a page."""

    entry: JournalEntry
    title: str
    detail: str

    @property
    def by(self) -> str:
        """The person who acted, or the house itself."""
        return self.entry.actor.get_username() if self.entry.actor else _("the house")


# Kinds and filters -----------------------------------------------------------------------------------

ASKED = Q(kind__in=[kind for kind, each in COMMANDS.items() if each.requested], result__has_key="request")
"""The entries of commands that only requested a second person."""


def journal_kinds(event: Event | None) -> list[tuple[str, str]]:
    """Return the kinds that occur in a journal, with their words, including confirmed requests."""
    here = JournalEntry.objects.filter(event=event).order_by()
    said = Case(When(ASKED, then=Value("request.open")), default="kind")
    found = set(here.values_list(said, flat=True).distinct())
    done = here.filter(kind="request.decide", body__asked__approve=True)
    for asked in done.values_list("body__noted__kind", flat=True).distinct():
        approval = REQUESTS.get(asked)
        found.add(approval.same_as or asked if approval else asked)
    return sorted(((kind, kind_words(kind)) for kind in found), key=lambda each: each[1])


def kind_words(kind: str) -> str:
    """Return a kind of command in words; for an unknown kind (of another version), its name."""
    if kind in COMMANDS:
        return _(COMMANDS[kind].words)
    if kind in REQUESTS:
        return _(REQUESTS[kind].done)
    return kind.replace(".", " ").replace("_", " ").capitalize()


def journal_of_kind(entries: QuerySet[JournalEntry], kind: str) -> QuerySet[JournalEntry]:
    """Return the entries of a kind, including confirmed requests, without those that only requested it."""
    asks = [name for name, approval in REQUESTS.items() if kind in (name, approval.same_as)]
    confirmed = Q(kind="request.decide", body__asked__approve=True, body__noted__kind__in=asks)
    of_kind = Q(kind=kind) | ASKED if kind == "request.open" else Q(kind=kind) & ~ASKED
    return entries.filter(of_kind | confirmed)


# Lines -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Read:
    """An entry with the parts of its sentence, and its request if it has one."""

    entry: JournalEntry
    body: JournalBody
    parts: tuple[Part, ...]
    request: Request | None


def journal_lines(event: Event | None, entries: Iterable[JournalEntry]) -> list[HistoryLine]:
    """Return journal entries in words (``event`` None: the house's), in one query for each kind of object."""
    entries = list(entries)
    asked = _requests(entries)
    read = [_read(each, asked) for each in entries]
    names = _names(event, read)
    return [HistoryLine(each.entry, _title(each), _detail(each, names)) for each in read]


def _requests(entries: Iterable[JournalEntry]) -> dict[int, Request]:
    """Return the requests that were opened or answered in these entries."""
    of = {each.pk: _request_id(each) for each in entries}
    return Request.objects.select_related("requested_by").in_bulk({pk for pk in of.values() if pk})


def _request_id(entry: JournalEntry) -> int | None:
    if entry.kind not in ("request.open", "request.decide"):
        return None
    found = _mapping(entry.result).get("request")
    return found if type(found) is int else None


def _read(entry: JournalEntry, requests: Mapping[int, Request]) -> _Read:
    body, result = _mapping(entry.body), _mapping(entry.result)
    noted = _mapping(body.get("noted"))
    request = requests.get(_request_id(entry) or 0)
    if request is None:
        kind = COMMANDS.get(entry.kind)
        read = JournalBody(_mapping(body.get("asked")), result, noted, entry.seq)
        return _Read(entry, read, kind.line if kind else (), None)
    read = JournalBody(_mapping(request.body), _mapping(result.get("done")), noted, entry.seq)
    approval = REQUESTS.get(request.kind)
    return _Read(entry, read, approval.line if approval else (), request)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _title(read: _Read) -> str:
    """Return the command's words; for an answered request, whether it was carried out."""
    kind = COMMANDS.get(read.entry.kind)
    if kind is not None and kind.requested and read.body.at("result.request"):
        return _(kind.requested)
    if read.request is None or read.entry.kind == "request.open":
        return kind_words(read.entry.kind)
    if _mapping(read.entry.body.get("asked")).get("approve"):
        return kind_words(read.request.kind)
    own = read.entry.actor_id == read.request.requested_by_id
    return _("Request taken back") if own else _("Second person refused")


def _detail(read: _Read, names: Names) -> str:
    """Return the details of a journal entry in one line: persons, places, amounts, reasons."""
    said = [say(part, read.body, names) for part in read.parts]
    if read.request is not None:
        said = _asked_words(read, said)
    if read.body.noted.get("one_person"):
        said.append(_("one person did both"))
    reason = _reason(read)
    if reason:
        said.append(f"\N{LEFT DOUBLE QUOTATION MARK}{reason}\N{RIGHT DOUBLE QUOTATION MARK}")
    return " · ".join(part for part in said if part)


def _asked_words(read: _Read, said: list[str]) -> list[str]:
    """Return the request if the title does not name it; for an answer, also its asker."""
    request = read.request
    assert request is not None, "the caller has looked"
    approval: Approval | None = REQUESTS.get(request.kind)
    done = read.entry.kind == "request.decide"
    approved = done and _mapping(read.entry.body.get("asked")).get("approve")
    words = [] if approved else [_(approval.words) if approval else kind_words(request.kind)]
    by = request.requested_by.get_username() if request.requested_by else _("the house")
    return [*words, *said, *([_("asked for by %(who)s") % {"who": by}] if done else [])]


def _reason(read: _Read) -> str:
    if read.request is not None:
        return read.request.reason
    kind = COMMANDS.get(read.entry.kind)
    found = read.body.at(kind.reason if kind else "asked.reason") if kind is None or kind.reason else ""
    return found if isinstance(found, str) else ""


# Names of ids ----------------------------------------------------------------------------------------


def _names(event: Event | None, read: Iterable[_Read]) -> Names:
    read = list(read)
    wanted: dict[str, set[int]] = {}
    for each in read:
        for part in each.parts:
            for thing, pk in ids_needed(part, each.body):
                wanted.setdefault(thing, set()).add(pk)
    things = {(thing, pk): said for thing, ids in wanted.items() for pk, said in _LOOK_UP[thing](ids).items()}
    return Names(things, currency_of(event), _second_counts(event, read))


def _second_counts(event: Event | None, read: Iterable[_Read]) -> dict[int, int]:
    """Map shoes counted in these entries to the journal number of their latest second count."""
    shoes = {each.body.at("asked.shoe") for each in read if each.entry.kind == "count.enter"}
    if not shoes:
        return {}
    counts = JournalEntry.objects.filter(event=event, kind="count.enter", result__which=2)
    rows = counts.filter(body__asked__shoe__in=shoes).values_list("body__asked__shoe").annotate(Max("seq"))
    return {int(shoe): seq for shoe, seq in rows}


def _penalties(ids: set[int]) -> dict[int, str]:
    found = Penalty.objects.filter(pk__in=ids).select_related("entry")
    return {each.pk: f"{each.entry.code} · {_penalty_words(each)}" for each in found}


def _penalty_words(penalty: Penalty) -> str:
    if penalty.kind != Penalty.Kind.CHIPS:
        return _(penalty.get_kind_display())
    return _("%(n)s chips") % {"n": chips(penalty.chips)}


def _draws(ids: set[int]) -> dict[int, str]:
    found = Draw.objects.filter(pk__in=ids).values_list("pk", "number")
    return {pk: _("draw %(n)s") % {"n": number} for pk, number in found}


def _tables(numbers: Mapping[int, int]) -> dict[int, str]:
    return {pk: _("table %(n)s") % {"n": number} for pk, number in numbers.items()}


def _hands(ids: set[int]) -> dict[int, str]:
    words = _("table %(table)s, hand %(hand)s")
    return {pk: words % {"table": table, "hand": n} for pk, (table, n) in hands_of_deals(ids).items()}


_LOOK_UP: dict[str, Callable[[set[int]], dict[int, str]]] = {
    "entry": lambda ids: dict(Entry.objects.filter(pk__in=ids).values_list("pk", "code")),
    "stack": lambda ids: dict(Stack.objects.filter(pk__in=ids).values_list("pk", "entry__code")),
    "penalty": _penalties,
    "round": lambda ids: {each.pk: each.title for each in Round.objects.filter(pk__in=ids)},
    "draw": _draws,
    "user": lambda ids: dict(User.objects.filter(pk__in=ids).values_list("pk", "username")),
    # A person without an entry has no code: use the number of the record, not the name.
    "player": lambda ids: {pk: _("person %(n)s") % {"n": pk} for pk in ids},
    "shoe": lambda ids: _tables(tables_of_shoes(ids)),
    "table": lambda ids: _tables(numbers_of_tables(ids)),
    "deal": _hands,
    "seat": lambda ids: {pk: box_words(table, box) for pk, (table, box) in boxes_of_seats(ids).items()},
}


def entry_history(entry: Entry) -> list[HistoryLine]:
    """Return the journal's lines about one entry, oldest first, with every movement of its chips.

    Its ordinary hands are in the records of its tables; every other movement of chips has a line here.
    """
    moved = chips_moved(entry)
    drawn = Draw.objects.filter(event=entry.event_id, roster__contains=[entry.code]).values_list(
        "pk", flat=True
    )
    requests = Request.objects.filter(event=entry.event_id).filter(
        Q(body__entry=entry.pk)
        | Q(body__changes__has_key=entry.code)
        | Q(kind=REDRAW, body__draw__in=list(drawn))
    )
    corrections = _corrections_about(entry)
    asked = {*requests.values_list("pk", flat=True), *corrections, *_requests_of(entry, moved)}
    asked |= set(rulings_about(entry))
    about = Q(body__asked__entry=entry.pk) | Q(result__entry=entry.pk) | Q(result__entry=entry.code)
    about |= Q(result__request__in=list(asked)) | Q(seq__in=list(moved))
    about |= Q(body__asked__stack__in=list(entry.stacks.values_list("pk", flat=True)))
    about |= Q(body__asked__penalty__in=list(entry.penalties.values_list("pk", flat=True)))
    about |= Q(kind="request.decide", body__noted__effects__lines__contains=[{"entry": entry.code}])
    about |= Q(result__contains={"in": entry.code}) | Q(result__changes__has_key=entry.code)
    # An alternate moves up (T6) in the command of another entry, whose notes name "E015, E016".
    about |= Q(body__noted__moved_up__regex=rf"\y{entry.code}\y")
    # The seats of a redraw move no chips (T21).
    about |= Q(kind="round.seat", result__seats__contains=[[entry.code]])
    for side in ("missed", "extra", "tied"):
        about |= Q(kind="round.cut_stands", result__contains={side: [entry.code]})
    found = JournalEntry.objects.filter(about, event_id=entry.event_id).select_related("actor", "approver")
    lines = journal_lines(entry.event, found.order_by("seq"))
    lines = [line for line in lines if line.entry.seq in moved or not _of_others(line, entry)]
    lines = [_with_chips(line, moved.get(line.entry.seq, ())) for line in lines]
    return [_with_place(_with_rank(line, corrections, entry), entry) for line in lines]


def history_shown(entry: Entry) -> dict[str, Any]:
    """Return the history for the page of an entry: its lines, and the sums of its chips."""
    return {"history": entry_history(entry), "chip_sums": chip_sums(entry)}


def chip_sums(entry: Entry) -> list[str]:
    """Return the sum of each stack of an entry, a line per stage: its hands, the lines above, the end."""
    return account_words(chip_accounts(entry))


def account_words(accounts: Sequence[Account]) -> list[str]:
    """Return these accounts in words, in the order of their stages."""
    lines, brought = [], 0
    for at, each in enumerate(accounts, start=1):
        # The carried amount is what came in less what went on; only rounds carry chips.
        on = brought - each.carried_chips if each.round.kind == Round.Kind.ROUND else 0
        lines.append(_account_line(each, on, accounts[at:]))
        brought = on if each.round.kind == Round.Kind.ROUND else brought
    return lines


def _account_line(account: Account, on: int, later: Sequence[Account]) -> str:
    back = min(account.handed_in_chips, 0)
    parts = [
        _("Hands in %(round)s: %(hands)s")
        % {"round": stage_named(account.round), "hands": signed(account.hands_chips)},
        _("the lines above: %(others)s") % {"others": signed(account.others_chips + on - back)},
    ]
    if on:
        into = next(
            (stage_named(each.round) for each in later if each.round.kind == Round.Kind.ROUND),
            _("the next round"),
        )
        parts.append(_("carried into %(round)s: %(chips)s") % {"round": into, "chips": chips(on)})
    if back:
        parts.append(_("handed in: %(chips)s") % {"chips": chips(-back)})
    if account.stack_chips or not (on or back):
        parts.append(_("stack %(chips)s") % {"chips": chips(account.stack_chips)})
    return " · ".join(parts)


def _effects(line: HistoryLine) -> Sequence[Mapping[str, Any]]:
    """Return the changes of a disqualification as confirmed, the disqualified entry first (T26)."""
    return _mapping(_mapping(line.entry.body.get("noted")).get("effects")).get("lines") or ()


def _of_others(line: HistoryLine, entry: Entry) -> bool:
    """Whether a line is another player's disqualification that did not move this entry's place or prize."""
    kept = next((each for each in _effects(line)[1:] if each["entry"] == entry.code), None)
    return kept is not None and all(kept[each][0] == kept[each][1] for each in ("place", "prize_cents"))


def _with_place(line: HistoryLine, entry: Entry) -> HistoryLine:
    """Add to a disqualification the entry's place and prize after it, as confirmed (T26)."""
    kept = next((each for each in _effects(line) if each["entry"] == entry.code), None)
    if kept is None:
        return line
    before, after = (_place(*each) for each in kept["place"])
    was, is_now = (money(each or 0, currency_of(entry.event)) for each in kept["prize_cents"])
    moved = [
        _("place in the event %(before)s → %(after)s") % {"before": before, "after": after},
        _("prize %(before)s → %(after)s") % {"before": was, "after": is_now},
    ]
    said = [each for each, same in zip(moved, (before == after, was == is_now), strict=True) if not same]
    here = _("this entry: %(moved)s") % {"moved": ", ".join(said)}
    return replace(line, detail=f"{line.detail} · {here}") if said else line


def _place(number: int | None, tied: bool, _word: str) -> str:
    """Return a place, shared or not; a dash without one."""
    if not number:
        return "–"
    return _("shared %(place)s") % {"place": ordinal(number)} if tied else ordinal(number)


def _corrections_about(entry: Entry) -> dict[int, Request]:
    """Return the corrections after a close that moved, or would have moved, the entry's rank, cut or prize
    (T17).

    The entry's own chips need not move: another player may pass it.
    """
    about = Q(body__seen__contains=[{"entry": entry.code}])
    for side in ("missed", "extra", "tied"):
        about |= Q(body__differs__contains={side: [entry.code]})
    # If another hand was corrected in between, the confirmation may change other entries than the request.
    decided = JournalEntry.objects.filter(
        event=entry.event_id,
        kind="request.decide",
        body__noted__effects__seen__contains=[{"entry": entry.code}],
    )
    about |= Q(pk__in=list(decided.values_list("result__request", flat=True)))
    found = Request.objects.filter(about, event=entry.event_id, kind=AFTER_CLOSE)
    return {each.pk: each for each in found}


def _with_rank(line: HistoryLine, corrections: Mapping[int, Request], entry: Entry) -> HistoryLine:
    """Add the changes of the entry's rank and cut by a correction, as requested or as confirmed."""
    body, request = line.entry.body, corrections.get(_request_id(line.entry) or 0)
    if request is None:
        return line
    effects: Mapping[str, Any] = request.body
    if line.entry.kind == "request.decide":
        if not _mapping(body.get("asked")).get("approve"):
            return line
        effects = {**effects, **_mapping(_mapping(body.get("noted")).get("effects"))}
    said = rank_and_cut_words(effects, entry.code, currency_of(entry.event))
    return replace(line, detail=" · ".join(part for part in (line.detail, said) if part))


def _requests_of(entry: Entry, moved: Iterable[int]) -> list[int]:
    """Return the requests whose approval moved the entry's chips, so that the history has the request too."""
    decided = JournalEntry.objects.filter(event=entry.event_id, seq__in=list(moved), kind="request.decide")
    return [found for found in decided.values_list("result__request", flat=True) if found]


def _with_chips(line: HistoryLine, moved: Iterable[Moved]) -> HistoryLine:
    said = ", ".join(_moved_words(each) for each in moved)
    said = _("this entry in %(moved)s") % {"moved": said} if said else ""
    detail = " · ".join(part for part in (line.detail, said) if part)
    return replace(line, detail=detail) if said else line


def _moved_words(moved: Moved) -> str:
    """Return the chips that a command moved for an entry: ``Round 1: +400 chips``."""
    if not moved.chips:
        return _("%(round)s: the same chips as before") % {"round": moved.round.title}
    words = {
        How.ISSUED: _("%(round)s: %(n)s chips issued"),
        How.CARRIED: _("%(round)s: %(n)s chips carried"),
        How.HANDED_IN: _("%(round)s: %(n)s chips handed in"),
    }
    said = words.get(moved.how, _("%(round)s: %(n)s chips"))
    return said % {"round": moved.round.title, "n": signed(moved.chips)}
