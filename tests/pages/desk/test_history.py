"""The history of an entry against the chip ledger: whatever moved its chips has a line with the figure."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from pages.words.history import HistoryLine, chip_sums, entry_history
from pages.words.naming import stage_named
from tables.services import draws
from tests.cast.at_tables import logged_in, text
from tests.cast.corrected import post, put_right, words
from tests.cast.factories import new_key
from tests.cast.floor import (
    close,
    confirm,
    count_both,
    disqualify,
    draw_and_seat,
    draw_of,
    event_make,
    hand,
    person,
    play_and_close,
    rule,
    seated,
    shoe_of,
    shoe_over,
    take_chips,
)
from tests.cast.prizes import finished
from tests.cast.tied import code_at, play_off
from tournament.figures import signed
from tournament.models import ChipEntry, ChipTransaction, Entry, Event, JournalEntry, Penalty, Round
from tournament.services import penalties
from tournament.services.entries import entry_disqualify_request, entry_withdraw

pytestmark = pytest.mark.django_db


def expected(entry: Entry) -> dict[int, dict[str, int]]:
    """Journal number → title of the stage → what that did to its chips, but for ordinary hands."""
    found: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    legs = ChipEntry.objects.filter(stack__entry=entry).select_related("transaction", "stack__round__parent")
    for leg in legs:
        command = JournalEntry.objects.get(event=entry.event_id, at=leg.transaction.at)
        played = command.kind in ("deal.settle", "deal.record")
        if not (played and leg.transaction.kind == ChipTransaction.Kind.DEAL):
            assert leg.stack is not None
            found[command.seq][leg.stack.round.title] += leg.amount_chips
    return found


def holds(entry: Entry) -> dict[int, HistoryLine]:
    """Every movement of its chips has its line with the figure; the lines by their journal number."""
    lines = {line.entry.seq: line for line in entry_history(entry)}
    for seq, by_round in expected(entry).items():
        assert seq in lines, (entry.code, JournalEntry.objects.get(event=entry.event_id, seq=seq).kind)
        for title, chips in by_round.items():
            figure = f"{title}: {signed(chips)} chips" if chips else f"{title}: "
            assert figure in lines[seq].detail.partition("this entry in ")[2], lines[seq].title
    sums(entry, lines)
    return lines


def sums(entry: Entry, lines: dict[int, HistoryLine]) -> None:
    """The figures of its lines and of its hands make its stack, stage by stage, as the database has it."""
    told = {stack.round.title: 0 for stack in entry.stacks.select_related("round__parent")}
    for line in lines.values():
        moved = line.detail.partition("this entry in ")[2]
        for title in told:
            found = re.findall(rf"{re.escape(title)}: ([+−][\d,]+) chips", moved)
            told[title] += sum(map(number, found))
    parts = (each.removeprefix("Hands in ").partition(": ") for each in chip_sums(entry))
    said = {title: figures for title, _, figures in parts}
    for stack in entry.stacks.select_related("round__parent"):
        legs = ChipEntry.objects.filter(stack=stack)
        assert sum(leg.amount_chips for leg in legs) == stack.chips
        figures = said[stage_named(stack.round)]
        hands, others = (number(each) for each in re.findall(FIGURE, figures)[:2])
        went = re.findall(r"(?:carried into [^:]+|handed in): ([\d,]+)", figures)
        others -= sum(map(number, went))
        assert others == told[stack.round.title], (entry.code, stack.round.title)
        assert hands == stack.chips - others, (entry.code, stack.round.title)
        left = re.findall(r"stack ([\d,]+)$", figures)
        assert sum(map(number, left)) == stack.chips, (entry.code, stack.round.title)
        assert left or went, (entry.code, stack.round.title)
        for into, chips in re.findall(r"carried into Round (\d): ([\d,]+)", figures):
            begun = entry.stacks.get(round__number=into, round__kind=Round.Kind.ROUND)
            assert begun.start_chips == number(chips), (entry.code, stack.round.title)


FIGURE = r"(?<![\w,])[+−]?\d[\d,]*"


def number(figure: str) -> int:
    return int(figure.replace(",", "").replace("−", "-"))


def all_hold(event: Event) -> None:
    entries = list(Entry.objects.filter(event=event).select_related("event", "player"))
    assert entries and any(expected(entry) for entry in entries)
    for entry in entries:
        holds(entry)


def test_T17_T18_T26_rulings_and_corrections_stand_in_the_history_with_their_figures():
    """Round 1 with a penalty, one given back, a ruling, and a hand put right after the close."""
    round_ = seated(4, cut_after_round_1=3, cut_after_round_2=2)
    first = hand(shoe_of(round_), {1: 400, 2: 200, 3: 200, 4: 400}, b1="win", b2="win", b3="lose", b4="lose")
    one, two, _, four = (Entry.objects.get(code=code_at(round_, box)) for box in range(1, 5))
    take_chips(one, 400)
    take_chips(one, 200)
    last = Penalty.objects.filter(entry=one).latest("pk")
    given = {"reason": "it was somebody else", "key": new_key(), "actor": person("director")}
    confirm(penalties.penalty_cancel(penalty_id=last.pk, **given))
    shoe_over(shoe_of(round_))
    counted = {1: 5_000, 2: 5_200, 3: 4_800, 4: 4_400}
    count_both(shoe_of(round_), counted)
    rule(shoe_of(round_), counted)
    close(round_)
    put_right(first, outcomes=words(b1="win", b2="lose", b3="win", b4="lose"))
    all_hold(round_.event)
    for entry, moved in ((two, [-400]), (four, [-200]), (one, [-400, -200])):
        details = [line.detail for line in holds(entry).values()]
        for chips in moved:
            assert sum(f"Round 1: {signed(chips)} chips" in detail for detail in details) == 1
    assert [line.entry.kind for line in holds(two).values()].count("request.open") == 1
    page = text(logged_in("director").get(f"/staff/{round_.event.slug}/entries/{two.code}/"))
    assert "Round 1: −400 chips" in page


def test_T17_carried_chips_that_follow_a_correction_and_who_left_hold_too():
    round_ = seated(4, cut_after_round_1=3, cut_after_round_2=2)
    old = hand(shoe_of(round_), {1: 400, 2: 200, 3: 200, 4: 400}, b1="win", b2="win", b3="lose", b4="lose")
    play_and_close(round_)
    post(round_.event, 30_000, 10_000)
    second = draw_and_seat(round_.event)
    put_right(old, outcomes=words(b1="win", b2="lose", b3="win", b4="lose"))
    gone = code_at(round_, 1)
    disqualify(second, gone)
    all_hold(round_.event)
    assert gone not in str([entry_history(each) for each in Entry.objects.exclude(code=gone)])


def test_T6_an_alternate_reads_in_the_history_who_made_room():
    event = event_make(4, tables_count=1, boxes_per_table=2)
    gone, third = event.entries.get(code="E001"), event.entries.get(code="E003")
    entry_withdraw(entry_id=gone.pk, key=new_key(), actor=person())
    assert [line.entry.kind for line in entry_history(third)] == ["entry.buy_in", "entry.withdraw"]
    assert "E003" in entry_history(third)[-1].detail
    assert [line.entry.kind for line in entry_history(event.entries.get(code="E004"))] == ["entry.buy_in"]


def test_T23_the_chips_of_a_play_off_hold_too_and_its_redraw_is_told():
    stage = play_off()
    redraw = {"draw_id": draw_of(stage).pk, "reason": "a card fell", "key": new_key(), "actor": person()}
    draws.round_seat(draw_id=confirm(draws.redraw_request(**redraw))["draw"])
    told = entry_history(stage.stacks.latest("pk").entry)
    assert [line.entry.kind for line in told][-3:] == ["request.open", "request.decide", "round.seat"]
    hand(shoe_of(stage), {1: 200, 2: 200, 3: 200}, b1="win", b2="push", b3="lose")
    close(stage)
    all_hold(stage.event)


def test_T26_who_moves_up_by_a_disqualification_reads_it_in_the_history_of_a_whole_night():
    """Places are decided when the one in front of them is disqualified: each reads from where to where."""
    event = finished()
    all_hold(event)
    first, second = Entry.objects.filter(event=event, place__lte=2).order_by("place")
    asked = {"reason": "marked a card", "key": new_key(), "actor": person("director")}
    confirm(entry_disqualify_request(entry_id=first.pk, **asked))
    moved = Entry.objects.get(pk=second.pk)
    assert moved.place == 1
    told = [line.detail for line in entry_history(moved) if first.code in line.detail]
    assert len(told) == 1 and "2nd → 1st" in told[0]
    assert "2nd → 1st" in text(logged_in("director").get(f"/staff/{event.slug}/entries/{second.code}/"))
