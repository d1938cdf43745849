"""The state of the tables for the page 'Tonight', and what still keeps a round open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables.models import CountSheet, Deal, Shoe
from tables.selectors.countings import rulings
from tables.selectors.counts import boxes_again, boxes_to_count, differences, hands_say, recounters
from tables.selectors.floor import tables_in_play
from tables.selectors.next_hand import BoxDue, due_by_table
from tables.selectors.rulings import Asked, waiting_on
from tournament.models import Event, Round, Stack
from tournament.selectors.hands_left import CARDS_A_DECK, HANDS_A_SHOE


@dataclass(frozen=True)
class CountsDiffer:
    """Two counts of a table that do not agree, in chips, at one of its boxes (T18).

    ``box`` is 0 if only a box that has left play differed; the table needs a ruling all the same. ``again``:
    the table may still be counted again, blind, so no page shows the difference in chips.
    """

    table: int
    box: int
    chips: int
    with_ledger: bool = False
    again: bool = False


@dataclass(frozen=True)
class FloorFacts:
    """The state of the current stage, by table numbers.

    ``rulings`` wait for a second person (T18). ``due``: chips to give or take at each table before its next
    bets.
    """

    differ: tuple[CountsDiffer, ...] = ()
    rulings: Mapping[int, Asked] = field(default_factory=dict)
    to_count: tuple[int, ...] = ()
    counted_once: tuple[int, ...] = ()
    next_shoe: tuple[int, ...] = ()
    playing: tuple[int, ...] = ()
    begun: bool = False
    due: Mapping[int, tuple[BoxDue, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class TableLine:
    """One table on the page: ``word`` and ``tone`` of its pill, hands, and the dealt part of its shoe in per
    cent.

    ``hands``: None if no hands are recorded (T18). ``note``: a remark. ``action``: words of the link to its
    page ``tail``, if something is due there.
    """

    number: int
    hands: int | None
    percent: int
    word: str
    tone: str
    tail: str
    note: str = ""
    action: str = ""


def table_lines(round_: Round | None) -> tuple[list[TableLine], FloorFacts]:
    """Return the tables of a stage by number, and the facts that need a person, in few queries."""
    if round_ is None:
        return [], FloorFacts()
    shoes = _latest_shoes(round_)
    sheets: dict[int, list[CountSheet]] = defaultdict(list)
    over = [shoe.pk for shoe in shoes if shoe.status == Shoe.Status.OVER]
    for sheet in CountSheet.objects.filter(shoe__in=over, status=CountSheet.Status.LIVE).order_by("which"):
        sheets[sheet.shoe_id].append(sheet)
    both = [shoe for shoe in shoes if len(sheets[shoe.pk]) == 2]
    asked = waiting_on(*(shoe.pk for shoe in both)) if both else {}
    waits = {shoe.table.number: asked[shoe.pk] for shoe in both if shoe.pk in asked}
    torn = [_differ(shoe, sheets[shoe.pk]) for shoe in both if shoe.pk not in asked]
    differ = {each.table: each for each in torn}
    playing = _playing(round_, shoes)
    ruled = _ruled_on(round_, shoes)
    lines = [
        _over(shoe, "Called off", "")
        if shoe.round.event.status == Event.Status.CALLED_OFF and shoe.status != Shoe.Status.COUNTED
        # T19: the tie at this table is decided, even if another table still plays.
        else _over(shoe, "Decided", "good")
        if shoe.table_id not in playing
        else _line(
            shoe,
            len(sheets[shoe.pk]),
            shoe.table.number in differ,
            waits.get(shoe.table.number),
            shoe.pk in ruled,
        )
        for shoe in shoes
    ]
    due = due_by_table(round_)
    lines = [_with_due(line, due.get(line.number, ())) for line in lines]
    over_now = [shoe.table.number for shoe in shoes if shoe.status == Shoe.Status.OVER]
    done = [number for number in over_now if number not in differ and number not in waits]
    facts = FloorFacts(
        differ=tuple(torn),
        rulings=waits,
        to_count=() if round_.kind != Round.Kind.ROUND else tuple(done),
        counted_once=tuple(s.table.number for s in shoes if len(sheets[s.pk]) == 1),
        next_shoe=tuple(
            s.table.number for s in shoes if s.status == Shoe.Status.OVER and s.table_id in playing
        )
        if _tie_open(round_)
        else (),
        playing=tuple(
            s.table.number for s in shoes if s.status == Shoe.Status.DEALING and s.table_id in playing
        ),
        begun=round_.status != Round.Status.SEATED,
        due=due,
    )
    return lines, facts


def ruling_words(ruling: Asked) -> str:
    """Return a waiting ruling and its asker in words: ``5,600 in box 1, asked for by dana.``"""
    box, more = min(ruling.moves), len(ruling.moves) - 1
    words = {"chips": f"{ruling.moves[box][1]:,}", "box": box, "who": ruling.who or _("the house")}
    others = ngettext("and %(n)s more box", "and %(n)s more boxes", more) % {"n": more}
    moves = _("%(chips)s in box %(box)s") % words
    moves += f" {others}" if more else ""
    return f"{moves}, {_('asked for by %(who)s.') % words}"


def due_words(due: Iterable[BoxDue]) -> str:
    """Say which chips to move at a table: ``Take 800 chips from box 6. Give 400 chips to box 2.``"""
    take, give = _("Take %(chips)s chips from box %(box)s."), _("Give %(chips)s chips to box %(box)s.")
    return " ".join(
        (take if each.taken else give) % {"chips": f"{each.amount_chips:,}", "box": each.box} for each in due
    )


def _with_due(line: TableLine, due: tuple[BoxDue, ...]) -> TableLine:
    """Mark a table that must move chips before its next bets or its count."""
    if not due:
        return line
    note = f"{line.note} {due_words(due)}".strip()
    if line.action:
        return replace(line, note=note)
    return replace(line, word="Chips due", tone="due", note=note, action=_("Put the chips right"))


def _playing(round_: Round, shoes: list[Shoe]) -> set[int]:
    """Return the tables that are not done; in a tie, those where somebody still plays (T19)."""
    if round_.kind == Round.Kind.ROUND:
        return {shoe.table_id for shoe in shoes}
    return tables_in_play(round_)


def _tie_open(round_: Round) -> bool:
    """Whether a tie is still open: its shoe is not counted, another one follows (T23, T33)."""
    return round_.kind != Round.Kind.ROUND and round_.status in (Round.Status.SEATED, Round.Status.PLAYING)


def _latest_shoes(round_: Round) -> list[Shoe]:
    # Count as the table's own page does: a void hand uses its number, but was not played (T17).
    dealt = Count("deals", filter=Q(deals__status=Deal.Status.SETTLED))
    opened = Count("deals", filter=Q(deals__status=Deal.Status.OPEN))
    shoes = Shoe.objects.filter(round=round_).select_related("table", "round__event")
    shoes = shoes.annotate(hands=dealt, hands_open=opened)
    return list(
        {shoe.table_id: shoe for shoe in shoes.order_by("table__number", "flight", "number")}.values()
    )


def _differ(shoe: Shoe, sheets: list[CountSheet]) -> CountsDiffer:
    """Return how the counts of a table with both counts in differ, as the page of the count shows it."""
    stacks: dict[int, Stack] = boxes_to_count(shoe)
    if recounters(shoe, sheets, stacks):
        return CountsDiffer(shoe.table.number, boxes_again(sheets, stacks)[0], 0, again=True)
    hands = hands_say(shoe, stacks, sheets[1].at)
    for box, (first, second, ledger) in sorted(differences(sheets, hands).items()):
        if first != second:
            return CountsDiffer(shoe.table.number, box, abs(first - second))
        return CountsDiffer(shoe.table.number, box, abs(first - (ledger or 0)), with_ledger=True)
    return CountsDiffer(shoe.table.number, 0, 0)


def _over(shoe: Shoe, word: str, tone: str, at: str = "", note: str = "", action: str = "") -> TableLine:
    """Return the line of a table whose shoe is over; ``at``: the end of its page's address."""
    number = shoe.table.number
    return TableLine(number, _hands(shoe), 100, word, tone, f"tables/{number}/{at}", note, action)


def _hands(shoe: Shoe) -> int | None:
    """Return the number of settled hands of the shoe; None if no hands are recorded (T18)."""
    return None if shoe.round.counts_alone else shoe.hands  # type: ignore[attr-defined]  # annotated above


def _ruled_on(round_: Round, shoes: list[Shoe]) -> set[int]:
    """Return the shoes that are counted by a ruling (T18), so that every page uses the same word."""
    if not any(shoe.status == Shoe.Status.COUNTED for shoe in shoes):
        return set()
    return {each.shoe.pk for each in rulings(round_.event)}


def _line(shoe: Shoe, counts: int, torn: bool, ruling: Asked | None, ruled: bool) -> TableLine:
    if shoe.status == Shoe.Status.COUNTED:
        return _over(shoe, "Ruled on" if ruled else "Counted", "good")
    if ruling is not None:
        return _over(shoe, "Ruling waits", "due", "count/", ruling_words(ruling), _("Look at the counts"))
    if torn:
        return _over(shoe, "Counts differ", "bad", "count/", action=_("Look at the counts"))
    if shoe.status == Shoe.Status.OVER and shoe.round.kind != Round.Kind.ROUND:
        if _tie_open(shoe.round):
            return _over(shoe, "Next shoe", "due", action=_("Begin the next shoe"))
        return _over(shoe, "Decided", "good")
    if shoe.status == Shoe.Status.OVER:
        word = "Count due" if not counts else "Second count due"
        return _over(shoe, word, "due", "count/", action=_("Count the chips"))
    tail = f"tables/{shoe.table.number}/"
    hands = _hands(shoe)
    begun = hands or (hands is None and shoe.round.status != Round.Status.SEATED)
    begun = begun or shoe.hands_open  # type: ignore[attr-defined]  # annotated above
    word, tone = ("Playing", "live") if begun else ("Seated", "")
    return TableLine(shoe.table.number, hands, _percent(shoe, hands or 0), word, tone, tail)


def _percent(shoe: Shoe, hands: int) -> int:
    if shoe.cards_dealt:
        return min(98, shoe.cards_dealt * 100 // (CARDS_A_DECK * (shoe.decks - 1)))
    return min(95, hands * 100 // HANDS_A_SHOE)
