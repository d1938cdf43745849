"""The audit: an event folded from its journal, beside its rows, and every difference by name.

| what is compared                               | by                                  | where          |
|------------------------------------------------|-------------------------------------|----------------|
| stacks and outcomes                            | stage and entry                     | ``_stacks``    |
| stages                                         | stage                               | ``_stages``    |
| hands                                          | stage, table, shoe and number       | ``_hands``     |
| the legs of both ledgers                       | what they come from, stage, entry   | ``_ledger``    |
| status and place of an entry, what it was paid | entry                               | ``_entries``   |
| evidence in the journal                        | the journal entry                   | ``_evidence``  |
| the chain of the journal                       | the journal entry                   | ``_chain``     |
| all other rows of the event                    | names that never change             | ``OTHER_ROWS`` |

Ids are never compared. Where the journal holds a command that no step folds yet, that one may have moved
everything; then only the hands and the ledgers up to it are compared, whose rows are never edited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any, TypeAlias

from django.db.models import QuerySet

from tables.models import Deal
from tables.selectors import audit_desk, audit_event, audit_floor
from tables.selectors.audit_rows import (
    MISSING,
    ROW,
    THERE,
    Columns,
    Difference,
    Line,
    Part,
    Row,
    Told,
    compared,
    hand_name,
    journal_lines,
    stack_name,
    stage_name,
)
from tables.selectors.facts_standing import NO_FACTS, Course
from tables.selectors.names import GONE, Names, names_of
from tournament.engine.facts import (
    BOXES,
    Boxes,
    Corrected,
    Hand,
    HandVoid,
    Sold,
    StageKey,
    TakenBack,
    Written,
    boxes,
)
from tournament.engine.facts_json import fact_of_json
from tournament.engine.fold import CANNOT_FOLLOW
from tournament.engine.state import (
    ISSUED,
    MONEY,
    RETURN,
    RETURNED,
    Differs,
    Move,
    StackNow,
    State,
    stacks_of,
)
from tournament.models import (
    ChipEntry,
    Entry,
    Event,
    MoneyEntry,
    Round,
    Stack,
)
from tournament.selectors.chain import chain_verify
from tournament.selectors.moment import one_moment
from tournament.selectors.prizes import paid_of

OTHER_ROWS: tuple[Part, ...] = (*audit_event.PARTS, *audit_desk.PARTS, *audit_floor.PARTS)
"""What compares the rows that the fold knows nothing of with what the journal says of them."""

Legs: TypeAlias = Counter[tuple[Row, Row]]
HANDED_IN, GIVEN_ON = "chips handed in", "replace"


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the fold has ended: at an entry that keeps no facts, or that cannot be (``amiss``)."""

    seq: int
    kind: str
    at: datetime
    why: str
    amiss: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit has found: the differences, how much of the journal was folded, where that ended."""

    entries: int
    facts: int
    differences: tuple[Difference, ...]
    stop: Stop | None


@dataclass
class Folded:
    """An event as its journal comes to it up to an entry of this number, and what was met on the way.

    ``amended``: a hand was put right or taken back, so the ledgers hold what was reversed as well.
    """

    entries: int = 0
    facts: list[tuple[Line, Written]] = field(default_factory=list)
    course: Course = NO_FACTS
    money: list[Move] = field(default_factory=list)
    evidence: list[tuple[int, Differs]] = field(default_factory=list)
    stop: Stop | None = None
    amended: bool = False

    @property
    def state(self) -> State:
        """The last state."""
        return self.course.state

    def take(self, fact: Written) -> tuple[Differs, ...]:
        """Take a fact; gives what it says that the fold comes to otherwise."""
        if isinstance(fact, Corrected):
            found = self.course.decided(fact.at, fact.by)
            self.course, self.amended = self.course.put_right(fact.at, found), True
            return found.differs(fact)
        self.course = self.course.then([fact])
        if isinstance(fact, TakenBack):
            self.amended = True
            return ()
        self.money += [move for move in self.state.moves if move.kind in MONEY]
        return self.state.differs


def audit(event: Event) -> Audit:
    """Fold the journal of an event and compare it with the rows, all of them as of one moment."""
    with one_moment():
        return _audit(Event.objects.get(pk=event.pk))


def _audit(event: Event) -> Audit:
    names = names_of(event)
    lines = tuple(journal_lines(event))
    folded = folded_of(lines)
    stop = folded.stop
    compared: tuple[Iterable[Difference], ...] = (
        _hands(event, names, folded, stop),
        _chips(event, names, folded, stop),
        _money(event, folded, stop),
        _evidence(folded),
        _amiss(stop),
        _chain(event),
    )
    if stop is not None:
        compared = (_entries_gone(event, folded), *compared)
    else:
        told = Told(event, names, lines, folded.facts, folded.state)
        others = (part(told) for part in OTHER_ROWS)
        whole = (
            _stacks(event, names, folded),
            _stages(event, folded),
            _entries(event, folded),
            *others,
        )
        compared = (*whole, *compared)
    differences = tuple(each for part in compared for each in _tried(part))
    return Audit(folded.entries, len(folded.facts), differences, stop)


def _tried(part: Iterable[Difference]) -> Iterator[Difference]:
    """Give what a part finds; a journal or a row that it cannot read is a difference as well."""
    try:
        yield from part
    except (LookupError, TypeError, ValueError, AttributeError) as why:
        row = getattr(part, "__name__", "rows").strip("_").replace("_", " ")
        yield Difference(row, "journal", f"not readable here ({why!r})", "readable")


def folded_of(lines: Iterable[Line]) -> Folded:
    """Fold the facts that the journal keeps, up to an entry without any, or with one that cannot follow."""
    found = Folded()
    for line in lines:
        at = (line.seq, line.kind, line.at)
        if line.facts is None:
            found.stop = Stop(*at, "its facts were not kept")
            break
        try:
            for fact in map(fact_of_json, line.facts):
                found.evidence += [(line.seq, each) for each in found.take(fact)]
                found.facts.append((line, fact))
        except CANNOT_FOLLOW as why:
            found.stop = Stop(*at, f"it cannot follow what the fold came to: {why}", amiss=True)
            break
        found.entries = line.seq
    return found


# -- Rows against rows -----------------------------------------------------------------------------------


def _stacks(event: Event, names: Names, folded: Folded) -> Iterator[Difference]:
    columns = tuple(each.name for each in fields(StackNow))
    rows = Stack.objects.filter(round__event=event).values("pk", *columns)
    are = {names.stacks[row["pk"]]: row for row in rows}
    should = {key: asdict(stack) for key, stack in stacks_of(folded.state).items()}
    yield from compared(are, should, stack_name)


def _stages(event: Event, folded: Folded) -> Iterator[Difference]:
    rows = Round.objects.filter(event=event).values("number", "kind", "sequence", "status", "cut_to")
    are = {(row["number"], row["kind"], row["sequence"]): row for row in rows}
    stages = folded.state.stages
    should = {each.frame.key: {"status": each.status, "cut_to": each.frame.cut_to} for each in stages}
    yield from compared(are, should, stage_name)


def _entries(event: Event, folded: Folded) -> Iterator[Difference]:
    state = folded.state
    columns, cents = ("place", "place_tied", "final_chips"), paid_of(event)
    are = {
        f"entry {row['code']}": {**row, "paid_cents": cents.get(row["code"], 0)}
        for row in Entry.objects.filter(event=event).values("code", "status", *columns)
    }
    should = {
        f"entry {code}": {
            **dict.fromkeys(("place", "final_chips")),
            **{"status": status, "place_tied": False, "paid_cents": state.money.paid_cents(code)},
        }
        for code, status in state.entries.items()
    }
    for each in state.places:
        placed = zip(columns, (each.place, each.tied, each.chips), strict=True)
        should[f"entry {each.entry}"] |= dict(placed)
    yield from compared(
        {**are, "event": {"status": event.status}}, {**should, "event": {"status": state.status}}
    )


def _entries_gone(event: Event, folded: Folded) -> Iterator[Difference]:
    """Give the entries that were sold and have no row any more; a stop leaves everything else of them out."""
    sold = {fact.entry for _line, fact in folded.facts if isinstance(fact, Sold)}
    for code in sorted(sold.difference(event.entries.values_list("code", flat=True))):
        yield Difference(f"entry {code}", ROW, MISSING, THERE)


# -- Hands -----------------------------------------------------------------------------------------------


def _hands_folded(course: Course) -> dict[Row, Columns]:
    """Return the hands as the journal has them, with the stacks that the fold comes to before each."""
    found = dict[Row, Columns]()
    for fact in course.log:
        if not isinstance(fact, Hand | HandVoid):
            continue
        chips = course.table_before(fact.key).chips
        stacks = tuple(there if bet else 0 for there, bet in zip(chips, fact.bets, strict=True))
        columns: dict[str, Any] = {**_by_box("bet", fact.bets), **_by_box("stack", stacks)}
        if isinstance(fact, HandVoid):
            columns |= {"status": Deal.Status.VOID.value}
        else:
            columns |= {"status": Deal.Status.SETTLED.value, "button_box": fact.button}
            columns |= {**_by_box("net", fact.nets), **_by_box("line chip", fact.line_chip)}
            columns |= _by_box("sits out", tuple(int(box in fact.sits_out) for box in range(1, BOXES + 1)))
        found[hand_name(*fact.key)] = columns
    return found


def _by_box(column: str, figures: Boxes) -> dict[str, int]:
    return {f"{column} of box {box}": figure for box, figure in enumerate(figures, start=1)}


def _hands(event: Event, names: Names, folded: Folded, stop: Stop | None) -> Iterator[Difference]:
    """Give the hands that differ; before a stop what may have become of them since is left out."""
    rows = Deal.objects.filter(shoe__round__event=event)
    reversed_ = rows.filter(corrects__isnull=False)
    rows = rows.exclude(status=Deal.Status.OPEN)
    if stop is not None:
        rows, reversed_ = rows.filter(closed_at__lt=stop.at), reversed_.filter(opened_at__lt=stop.at)
    rows = rows.exclude(pk__in=reversed_.values("corrects"))
    columns = ("pk", "status", "button_box", "bets", "stacks", "answer__net", "answer__line_chip", "sits_out")
    are = dict[Row, Columns]()
    for pk, status, button, bets, stacks, net, line_chip, held in rows.values_list(*columns):
        are[hand_name(*names.hands[pk])] = {
            "status": status,
            "button_box": button,
            **_by_box("bet", boxes(bets)),
            **_by_box("stack", boxes(stacks)),
            **_by_box("net", boxes(net)),
            **_by_box("line chip", boxes(line_chip)),
            **_by_box("sits out", boxes(dict.fromkeys(held, 1))),
        }
    should = _hands_folded(folded.course)
    void = {row for row, columns in should.items() if columns["status"] == Deal.Status.VOID}
    for each in compared(are, should):
        # A correction writes the stacks before the later hands anew, and leaves those of void ones.
        stale = folded.amended and each.row in void and each.column.startswith("stack")
        later = stop is not None and each.column.startswith(("status", "stack"))
        if not stale and not later:
            yield each


# -- The ledgers -----------------------------------------------------------------------------------------


def _chips(event: Event, names: Names, folded: Folded, stop: Stop | None) -> Iterator[Difference]:
    """Give the legs of chips that differ, all of one kind and cause together.

    Once hands were put right the kinds count together: what was reversed and posted anew. What is handed in,
    or given to who takes a place, follows a correction in a transaction of its own, so all of that does too.
    """

    def named(kind: str, of: str | None, source: tuple[object, ...]) -> Row:
        if not folded.amended:
            return f"chips, {kind}: {_source_name(source)}"
        together = RETURN in (kind, of) or source[0] == GIVEN_ON
        return HANDED_IN if together else f"chips: {_source_name(source)}"

    def leg(row: Row, account: str, stage: StageKey | None, entry: str) -> Row:
        outside = row == HANDED_IN and account == ISSUED
        return _leg_name(RETURNED if outside else account, stage, entry)

    legs = _until(ChipEntry.objects.filter(transaction__event=event), stop)
    columns = ("transaction__kind", "transaction__reverses__kind", "transaction__source")
    are, should = Legs(), Legs()
    for kind, of, source, account, stack, chips in legs.values_list(
        *columns, "account", "stack", "amount_chips"
    ):
        row = named(kind, of, _source(source, names))
        are[row, leg(row, account, *(names.stacks[stack] if stack else (None, "")))] += chips
    for move in folded.course.moves:
        for account, stage, entry, chips in move.legs:
            row = named(move.kind, None, move.source)
            should[row, leg(row, account, stage, entry)] += chips
    yield from _ledger(are, should)


def _money(event: Event, folded: Folded, stop: Stop | None) -> Iterator[Difference]:
    """Give the legs of money that differ, all of one kind and entry together."""
    legs = _until(MoneyEntry.objects.filter(transaction__event=event), stop)
    are, should = Legs(), Legs()
    columns = ("transaction__kind", "transaction__entry__code", "account", "amount_cents")
    for kind, code, account, cents in legs.values_list(*columns):
        are[f"money, {kind}: entry {code}", account] += cents
    for move in folded.money:
        for account, _stage, _entry, cents in move.legs:
            should[f"money, {move.kind}: {_source_name(move.source)}", account] += cents
    yield from _ledger(are, should)


def _until(legs: QuerySet[Any], stop: Stop | None) -> QuerySet[Any]:
    return legs.order_by() if stop is None else legs.order_by().filter(transaction__at__lt=stop.at)


def _ledger(are: Legs, should: Legs) -> Iterator[Difference]:
    """Compare the legs of each row; one that is on one side alone is nothing on the other."""
    rows: tuple[dict[Row, dict[Row, int]], ...] = ({}, {})
    for legs, by_row in zip((are, should), rows, strict=True):
        for (row, column), amount in legs.items():
            if amount:
                by_row.setdefault(row, {})[column] = amount
    for row in rows[0].keys() & rows[1].keys():
        for one, other in (rows, reversed(rows)):
            one[row].update(dict.fromkeys(other[row].keys() - one[row].keys(), 0))
    yield from compared(rows[0], rows[1])


def _source(source: str, names: Names) -> tuple[object, ...]:
    """Return what a transaction comes from without ids, as the fold says it."""
    word, _, rest = source.partition(":")
    try:
        if word == "round":
            return ("stage", names.stages[int(rest)])
        if word == "deal":
            return ("hand", *names.hands[int(rest)])
        if word == "count":
            return ("count", *names.shoes[int(rest)])
        if word == "penalty":
            return ("penalty", *names.penalties[int(rest)])
    except KeyError:
        return (f"{word} {rest}", GONE)
    return (word, rest) if rest else (word,)


def _source_name(source: tuple[Any, ...]) -> str:
    word, *rest = source
    if word == "stage":
        return stage_name(rest[0])
    if word == "hand":
        return hand_name(*rest)
    if word == "count":
        return f"count, {stage_name(rest[0])}, table {rest[1]}, shoe {rest[2]}"
    if word == "penalty":
        return f"penalty of {rest[1]}, {stage_name(rest[0])}"
    return " ".join(map(str, source))


def _leg_name(account: str, stage: StageKey | None, entry: str) -> str:
    return f"{account} of {entry}, {stage_name(stage)}" if stage else account


def _amiss(stop: Stop | None) -> Iterator[Difference]:
    if stop is not None and stop.amiss:
        yield Difference(f"journal entry {stop.seq}", stop.kind, f"impossible ({stop.why})", "possible")


# -- Evidence --------------------------------------------------------------------------------------------


def _evidence(folded: Folded) -> Iterator[Difference]:
    for seq, differs in folded.evidence:
        yield Difference(f"journal entry {seq}", differs.what, differs.said, differs.should)


def _chain(event: Event) -> Iterator[Difference]:
    """Give where the chain of the journal breaks; nothing after it is proven."""
    found = chain_verify(event)
    if found.broken_at is None:
        return
    row = "journal head" if found.at_the_end else f"journal entry {found.broken_at}"
    yield Difference(row, "chain", f"broken ({found.why})", "unbroken")
