"""The audit: fold an event from its journal and name every difference from its rows.

| what is compared                               | by                                  | where          |
|------------------------------------------------|-------------------------------------|----------------|
| stacks and outcomes                            | stage and entry                     | ``_stacks``    |
| hands                                          | stage, table, shoe and number       | ``_hands``     |
| the legs of both ledgers                       | source, stage, entry                | ``_ledger``    |
| evidence in the journal                        | the journal entry                   | ``_evidence``  |
| the chain of the journal                       | the journal entry                   | ``_chain``     |
| all other rows of the event                    | names that never change             | ``ALL_ROWS``   |

Ids are never compared. A journal entry without facts, or with one of another release, may have moved
anything, so after it only hands and ledgers up to that entry are compared: their rows are never edited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
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
    ExpectedRows,
    FoldedEvent,
    Part,
    Row,
    Stop,
    beside,
    compared,
    hand_name,
    journal_lines,
    stage_name,
)
from tables.selectors.names import GONE, Names, names_of
from tournament.engine.facts import BOXES, Boxes, Hand, HandVoid, Sold, StageKey, boxes
from tournament.engine.facts_json import UnknownFact, fact_of_json
from tournament.engine.fold import CANNOT_FOLLOW
from tournament.engine.state import ISSUED, RETURN, RETURNED, stacks_of
from tournament.models import ChipEntry, Event, MoneyEntry, Stack
from tournament.selectors.chain import chain_verify
from tournament.selectors.facts_standing import Course
from tournament.selectors.moment import one_moment

Legs: TypeAlias = Counter[tuple[Row, Row]]
HANDED_IN, GIVEN_ON = "chips handed in", "replace"


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of an audit: the differences, how much of the journal was folded, and where the fold
    stopped."""

    entries: int
    facts: int
    differences: tuple[Difference, ...]
    stop: Stop | None


def audit(event: Event) -> Audit:
    """Fold the journal of an event and compare it with the rows, in one snapshot of the database."""
    with one_moment():
        return _audit(Event.objects.get(pk=event.pk))


def _audit(event: Event) -> Audit:
    folded = fold_event(event)
    parts = (*ALL_ROWS, *UP_TO_A_STOP) if folded.stop is None else (_entries_gone, *UP_TO_A_STOP)
    differences = tuple(each for part in parts for each in _tried(part(folded)))
    return Audit(folded.entries, len(folded.facts), differences, folded.stop)


def _tried(part: Iterable[Difference]) -> Iterator[Difference]:
    """Yield the differences that a part finds; an unreadable journal or row is a difference too."""
    try:
        yield from part
    except (LookupError, TypeError, ValueError, AttributeError) as why:
        row = getattr(part, "__name__", "rows").strip("_").replace("_", " ")
        yield Difference(row, "journal", f"not readable here ({why!r})", "readable")


def fold_event(event: Event) -> FoldedEvent:
    """Fold the facts of the journal, up to an entry that has none, an unknown one or one that cannot
    follow."""
    folded = FoldedEvent(event, names_of(event), tuple(journal_lines(event)))
    for line in folded.lines:
        if line.facts is None:
            folded.stop = Stop(line, "its facts were not kept")
            break
        try:
            for fact in [fact_of_json(body) for body in line.facts]:
                folded.take(line, fact)
        except UnknownFact as kind:
            folded.stop = Stop(line, f"another release wrote a fact that this one does not know: {kind}")
            break
        except CANNOT_FOLLOW as why:
            folded.stop = Stop(line, f"it cannot follow what the fold came to: {why}", amiss=True)
            break
        folded.entries = line.seq
    return folded


# -- Rows against rows -----------------------------------------------------------------------------------


@beside(Stack, "stack {entry__code}, {round}", of="round__event")
def _stacks(folded: FoldedEvent) -> ExpectedRows:
    for (stage, entry), stack in stacks_of(folded.state).items():
        yield f"stack {entry}, {stage_name(stage)}", asdict(stack)


def _entries_gone(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the entries that were sold and have no row; after a stop nothing else of entries is compared."""
    sold = {fact.entry for _line, fact in folded.facts if isinstance(fact, Sold)}
    for code in sorted(sold.difference(folded.event.entries.values_list("code", flat=True))):
        yield Difference(f"entry {code}", ROW, MISSING, THERE)


# -- Hands -----------------------------------------------------------------------------------------------


def _hands_folded(course: Course) -> dict[Row, Columns]:
    """Return the hands of the journal, with the stacks before each as folded."""
    found = dict[Row, Columns]()
    for fact in course.log:
        if isinstance(fact, Hand | HandVoid):
            chips = course.table_before(fact.key).chips
            stacks = tuple(there if bet else 0 for there, bet in zip(chips, fact.bets, strict=True))
        if isinstance(fact, Hand):
            sits_out = tuple(int(box in fact.sits_out) for box in range(1, BOXES + 1))
            by_box = (fact.bets, stacks, fact.nets, fact.line_chip, sits_out)
            found[hand_name(*fact.key)] = {"button_box": fact.button, **_hand(Deal.Status.SETTLED, *by_box)}
        elif isinstance(fact, HandVoid):
            found[hand_name(*fact.key)] = _hand(Deal.Status.VOID, fact.bets, stacks)
    return found


def _hand(status: str, *by_box: Boxes) -> Columns:
    """Return the columns of a hand; a void one has only bets and stacks."""
    columns = ("bet", "stack", "net", "line chip", "sits out")
    figures = {
        f"{column} of box {box}": figure
        for column, boxed in zip(columns, by_box, strict=False)
        for box, figure in enumerate(boxed, start=1)
    }
    return {"status": str(status), **figures}


def _hands(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the hands that differ; after a stop, without the columns that later commands may have changed."""
    rows = Deal.objects.filter(shoe__round__event=folded.event)
    reversed_ = rows.filter(corrects__isnull=False)
    rows = rows.exclude(status=Deal.Status.OPEN)
    if folded.stop is not None:
        at = folded.stop.line.at
        rows, reversed_ = rows.filter(closed_at__lt=at), reversed_.filter(opened_at__lt=at)
    rows = rows.exclude(pk__in=reversed_.values("corrects"))
    columns = ("pk", "status", "button_box", "sits_out", "bets", "stacks", "answer__net", "answer__line_chip")
    are = dict[Row, Columns]()
    for pk, status, button, held, *others in rows.values_list(*columns):
        by_box = map(boxes, (*others, dict.fromkeys(held, 1)))
        are[hand_name(*folded.names.hands[pk])] = {"button_box": button, **_hand(status, *by_box)}
    should = _hands_folded(folded.course)
    void = {row for row, columns in should.items() if columns["status"] == Deal.Status.VOID}
    for each in compared(are, should):
        # A correction rewrites the stacks before later hands, but not those of void hands.
        stale = folded.amended and each.row in void and each.column.startswith("stack")
        later = folded.stop is not None and each.column.startswith(("status", "stack"))
        if not stale and not later:
            yield each


# -- The ledgers -----------------------------------------------------------------------------------------


def _chips(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the legs of chips that differ, summed by kind and source.

    Once a hand was put right, all kinds of a source are summed: reversals and new postings. Chips that are
    handed in, or given to a replacement, follow a correction in transactions of their own, so they are all
    summed in one row.
    """

    def named(kind: str, of: str | None, source: tuple[object, ...]) -> Row:
        if not folded.amended:
            return f"chips, {kind}: {_source_name(source)}"
        together = RETURN in (kind, of) or source[0] == GIVEN_ON
        return HANDED_IN if together else f"chips: {_source_name(source)}"

    def leg(row: Row, account: str, stage: StageKey | None, entry: str) -> Row:
        outside = row == HANDED_IN and account == ISSUED
        return _leg_name(RETURNED if outside else account, stage, entry)

    legs = _until(folded, ChipEntry.objects.filter(transaction__event=folded.event))
    columns = ("transaction__kind", "transaction__reverses__kind", "transaction__source")
    are, should = Legs(), Legs()
    for kind, of, source, account, stack, chips in legs.values_list(
        *columns, "account", "stack", "amount_chips"
    ):
        row = named(kind, of, _source(source, folded.names))
        are[row, leg(row, account, *(folded.names.stacks[stack] if stack else (None, "")))] += chips
    for move in folded.course.moves:
        for account, stage, entry, chips in move.legs:
            row = named(move.kind, None, move.source)
            should[row, leg(row, account, stage, entry)] += chips
    yield from _ledger(are, should)


def _money(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the legs of money that differ, summed by kind and entry."""
    legs = _until(folded, MoneyEntry.objects.filter(transaction__event=folded.event))
    are, should = Legs(), Legs()
    columns = ("transaction__kind", "transaction__entry__code", "account", "amount_cents")
    for kind, code, account, cents in legs.values_list(*columns):
        are[f"money, {kind}: entry {code}", account] += cents
    for _line, move in folded.money:
        for account, _stage, _entry, cents in move.legs:
            should[f"money, {move.kind}: {_source_name(move.source)}", account] += cents
    yield from _ledger(are, should)


def _until(folded: FoldedEvent, legs: QuerySet[Any]) -> QuerySet[Any]:
    legs = legs.order_by()
    return legs if folded.stop is None else legs.filter(transaction__at__lt=folded.stop.line.at)


def _ledger(are: Legs, should: Legs) -> Iterator[Difference]:
    """Compare the legs of each row; a leg that one side lacks counts as 0 there."""
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
    """Return the source of a transaction without ids, as the fold names it."""
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


def _amiss(folded: FoldedEvent) -> Iterator[Difference]:
    if folded.stop is not None and folded.stop.amiss:
        line, why = folded.stop.line, folded.stop.why
        yield Difference(f"journal entry {line.seq}", line.kind, f"impossible ({why})", "possible")


# -- Evidence --------------------------------------------------------------------------------------------


def _evidence(folded: FoldedEvent) -> Iterator[Difference]:
    for line, differs in folded.evidence:
        yield Difference(f"journal entry {line.seq}", differs.what, differs.recorded, differs.should)


def _chain(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the entry where the chain of the journal breaks; no later entry is proven."""
    found = chain_verify(folded.event)
    if found.broken_at is None:
        return
    row = "journal head" if found.at_the_end else f"journal entry {found.broken_at}"
    yield Difference(row, "chain", f"broken ({found.why})", "unbroken")


UP_TO_A_STOP: tuple[Part, ...] = (_hands, _chips, _money, _evidence, _amiss, _chain)
"""The parts that also run if the fold stopped."""
_OTHERS = (*audit_event.PARTS, *audit_desk.PARTS, *audit_floor.PARTS)
ALL_ROWS: tuple[Part, ...] = (_stacks, *_OTHERS)
"""All parts but those above; they need the whole journal folded."""
