"""Tables, no-shows, alternates, replacements, and who has come before the first bet (T4, T6, T25)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tables.models import Seat, Table
from tables.selectors.audit import audit
from tables.selectors.floor import boxes_free, seat_of
from tables.selectors.seating import Unseen, begin_check, may_begin, seating_closes, unseen_of, why_ask_first
from tables.selectors.table_view import table_view
from tables.services import dealing, seating
from tables.services.closing import tie_rule
from tables.services.seating import seats_seen
from tests.cast.alternates import alone, begin, fill, full_of, no_show, status, table, told
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.corrected import post, put_right, round_1, words
from tests.cast.empty_seat import entry_at as at
from tests.cast.empty_seat import fill as replace
from tests.cast.factories import EntryFactory, EventFactory, new_key
from tests.cast.floor import (
    close,
    draw_and_seat,
    event_make,
    hand,
    opened,
    payouts_post,
    play_and_close,
    play_and_count,
    refusal,
    result,
    seated,
    shoe_of,
    stack_at,
)
from tests.cast.html import read
from tests.cast.rounds import ended_with
from tournament.engine.settings import TABLES_MAX
from tournament.engine.standing import standing
from tournament.engine.state import START
from tournament.engine.steps.places import rounds_of
from tournament.models import ChipEntry, Entry, Event, MoneyTransaction, Posting, Round, Stack
from tournament.selectors.desk import waiting_list, why_new_entry_waits
from tournament.selectors.entrants import entrants_of
from tournament.selectors.floor import floor
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import state_of
from tournament.services.entries import entry_withdraw
from tournament.services.events import event_call_off
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


def change(table: Table, in_use: bool, *boxes_out: int) -> None:
    about = {"table_id": table.pk, "in_use": in_use, "boxes_out": boxes_out}
    seating.table_change(**about, key=new_key(), actor=None)


def test_T4_enough_tables_are_put_out_for_all_who_entered():
    event = event_make(5, boxes_per_table=2)
    assert Table.objects.filter(event=event).count() == 3
    posted = event_make(3, tables_count=2, boxes_per_table=6)
    assert [table.boxes_out for table in Table.objects.filter(event=posted)] == [[7], [7]]


def test_a_page_may_read_its_state_and_its_rows_at_two_moments():
    """Another command may commit between the two reads: seats drawn, or the tie of a player opened again."""
    round_ = seated(2)
    assert stage_ranking(round_, START).rows == stage_ranking(round_).rows
    Stack.objects.filter(round=round_, entry__code="E001").update(state="settled")
    assert {row.ended_chips for row in table_view(round_.event.tables.get()).boxes} == {None}


def test_T4_a_box_where_somebody_sits_stays_in_use():
    round_ = seated(2)
    table = round_.event.tables.get(number=1)
    with refusal("box_occupied", 409):
        change(table, True, 1)
    with refusal("box_occupied", 409):
        change(table, False)
    with refusal("bad_box"):
        change(table, True, 8)
    change(table, True, 7)
    table.refresh_from_db()
    assert table.boxes_out == [7]


def test_T6_a_no_show_frees_the_box_without_refund_and_the_chips_leave_play():
    round_ = seated(3)
    with refusal("reason_missing"):
        no_show(round_, 1, refund=True)
    assert no_show(round_, 1, refund=True, reason="no shuttle")["refunded_cents"] == 10_000
    seat = round_.seats.get(box=2)
    made = no_show(round_, 2)
    entry = Entry.objects.get(code=made["entry"])
    stack = Stack.objects.get(round=round_, entry=entry)
    assert (made["refunded_cents"], entry.status) == (0, "no_show")
    assert (stack.state, stack.chips, seat_of(round_, entry)) == ("no_show", 0, None)
    with refusal("seat_vacated", 409):
        seating.seat_no_show(seat_id=seat.pk, key=new_key(), actor=None)


def test_T6_alternates_take_free_seats_in_their_order_until_the_first_bet():
    event = event_make(7)
    first, second = EntryFactory(event=event), EntryFactory(event=event)
    round_ = draw_and_seat(event)
    assert waiting_list(event) == [first, second]
    with refusal("box_taken", 409):
        fill(round_, 3)
    no_show(round_, 3)
    no_show(round_, 4)
    with refusal("not_next_alternate"):
        fill(round_, 3, second)
    assert fill(round_, 3)["entry"] == first.code
    first.refresh_from_db()
    stack = Stack.objects.get(round=round_, entry=first)
    assert (first.status, stack.chips, stack.start_chips) == ("live", 5_000, 5_000)
    with refusal("already_seated", 409):
        fill(round_, 4, first)
    change(event.tables.get(number=1), True, 4)
    with refusal("box_out_of_use"):
        fill(round_, 4)
    change(event.tables.get(number=1), True)
    assert fill(round_, 4)["entry"] == second.code
    no_show(round_, 5)
    with refusal("no_alternate"):
        fill(round_, 5)
    EntryFactory(event=event)
    hand(shoe_of(round_), {1: 200}, b1="win")
    with refusal("first_bet_called", 409):
        no_show(round_, 2)
    with refusal("first_bet_called", 409):
        fill(round_, 5)


# In ``round_1`` boxes 1 and 2 are in, 3 is next, then 4.


def test_T25_after_the_draw_the_replacement_takes_the_same_box():
    round_, _deal = round_1()
    event = round_.event
    with refusal("not_qualified"):
        replace(at(round_, 4))
    second = draw_and_seat(event)
    leaving = at(round_, 1)
    seat = seat_of(second, leaving)
    with refusal("qualified", 409):
        entry_withdraw(entry_id=leaving.pk, reason="ill", refund=False, key=new_key(), actor=None)
    with refusal("reason_missing"):
        replace(leaving, reason="")
    assert replace(leaving)["in"] == at(round_, 3).code
    assert Posting.objects.get(event=event, kind="result").version == 1
    coming = at(round_, 3)
    taken = seat_of(second, coming)
    assert (taken.table_id, taken.box) == (seat.table_id, seat.box)
    assert Stack.objects.get(round=second, entry=coming).chips == 4_800
    gone = Stack.objects.get(round=second, entry=leaving)
    assert (gone.chips, gone.state) == (0, "withdrawn")
    payouts_post(event)
    hand(shoe_of(second), {1: 200}, b1="win")
    with refusal("first_bet_called", 409):
        replace(at(round_, 2))


@pytest.mark.parametrize(("stacks", "chips"), [("carried", {5_200, 4_800}), ("reset", {5_000})])
def test_T25_a_replacement_before_the_draw_plays_with_the_posted_stack(stacks, chips):
    round_, _deal = round_1(stacks=stacks)
    replace(at(round_, 1))
    second = draw_and_seat(round_.event)
    assert {stack.entry_id for stack in second.stacks.all()} == {at(round_, 2).pk, at(round_, 3).pk}
    assert set(second.stacks.values_list("chips", flat=True)) == chips


def test_T25_with_several_tied_for_the_seat_the_director_names_one():
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2)
    hand(shoe_of(round_), {1: 400, 2: 400}, b1="win", b2="win")
    play_and_close(round_)
    with refusal("tie_choose"):
        replace(at(round_, 1))
    with refusal("not_a_replacement"):
        replace(at(round_, 1), by=at(round_, 2))
    assert replace(at(round_, 1), by=at(round_, 4))["in"] == at(round_, 4).code


def test_T25_the_tie_of_a_round_before_stays_won_by_who_takes_a_seat_in_a_later_one():
    event = event_make(4, cut_after_round_1=3, cut_after_round_2=2, tie_at_cut="director")
    payouts_post(event)
    for advance in (["E001", "E002", "E003"], ["E001", "E002"]):
        round_ = draw_and_seat(event)
        play_and_count(round_)
        tie_rule(round_id=round_.pk, advance=advance, reason="by lot", key=new_key(), actor=None)
        close(round_)
    assert replace(event.entries.get(code="E001"))["in"] == "E003"
    state = state_of(event)
    ties = [{row.code: row.tie for row in standing(state, each).rows} for each in rounds_of(state)]
    assert ties == [
        {"E001": "won", "E002": "won", "E003": "won", "E004": "lost"},
        {"E001": "won", "E002": "won", "E003": ""},
    ]


@pytest.mark.parametrize(
    ("third", "fourth", "chips"), [("push", 0, (5_000, 4_600)), ("lose", 400, (4_800, 4_200))]
)
def test_T25_the_round_of_a_replacement_says_the_chips_of_a_hand_put_right_since(third, fourth, chips):
    """What the correction does not change keeps its place in the ledger, before what is posted anew."""
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    draw_and_seat(round_.event)
    replace(at(round_, 1))
    lost = result("lose", **({"doubled": fourth} if fourth else {}))
    put_right(old, outcomes={**words(b1="win", b2="win", b3=third), 4: lost})
    assert {row.code: row.chips for row in stage_ranking(round_).rows} == {
        at(round_, box).code: ended for box, ended in enumerate((5_400, 5_200, *chips), start=1)
    }


def test_T25_with_nobody_left_the_seat_stays_empty():
    round_, _deal = round_1()
    event = round_.event
    for box in (1, 2, 3):
        replace(at(round_, box))
    with refusal("not_qualified"):
        replace(at(round_, 3))
    made = replace(at(round_, 4))
    assert made["in"] is None
    assert not Stack.objects.filter(round__event=event, chips__gt=0).exists()


def waiting(event: Event) -> list[str]:
    return list(event.entries.filter(status="waiting").order_by("number").values_list("code", flat=True))


@pytest.mark.parametrize(
    ("settings", "out", "boxes"),
    [
        ({}, [4, 6, 7], 11),  # no number is posted, two tables are in use
        ({"tables_count": 2}, [4, 6, 7], 11),
        ({"tables_count": 2, "boxes_per_table": 6}, [7], 12),
        ({"tables_count": 3, "boxes_per_table": 5}, [], 15),  # one of three is not in use yet: as posted
    ],
)
def test_T4_the_desk_has_as_many_boxes_as_the_draw_will_have(settings: Any, out: list[int], boxes: int):
    event = EventFactory(settings=settings)
    table(event, *out)
    table(event)
    assert floor().capacity(event) == boxes


def test_T4_no_table_is_put_out_beyond_the_posted_number():
    def tables_for(event: Event, entrants: int) -> int:
        for _ in range(entrants - event.entries.count()):
            EntryFactory(event=event)
        seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
        return event.tables.count()

    settings = {"tables_count": 2, "boxes_per_table": 3}
    whole, short = EventFactory(settings=settings), EventFactory(settings=settings)
    table(whole, 4, 5, 6, 7), table(short, 3, 4, 5, 6, 7)
    assert tables_for(whole, 7) == 2
    # A box is out of use at table 1: with a third one the draw has two whole tables.
    assert [tables_for(short, entrants) for entrants in (5, 6)] == [2, 3]


@pytest.mark.parametrize("settings", [{}, {"tables_count": 1}])
def test_T6_the_entry_after_the_last_box_is_sold_as_an_alternate(settings: Any):
    event = EventFactory(settings=settings)
    assert settings or (floor().capacity(event), why_new_entry_waits(event)) == (None, None)
    table(event, 4, 5, 6, 7)
    sold = []
    for _ in range(3):
        assert not why_new_entry_waits(event)
        sold.append(EntryFactory(event=event).status)
    assert why_new_entry_waits(event)
    assert [*sold, EntryFactory(event=event).status] == ["live", "live", "live", "waiting"]


def test_T6_boxes_that_come_before_the_draw_go_to_the_first_alternates():
    event = EventFactory()
    table(event, 2, 3, 4, 5, 6, 7)
    for _ in range(4):
        EntryFactory(event=event)
    assert waiting(event) == ["E002", "E003", "E004"]
    change(event.tables.get(number=1), True, 3, 4, 5, 6, 7)
    assert waiting(event) == ["E003", "E004"]
    table(event, 2, 3, 4, 5, 6, 7)
    assert waiting(event) == ["E004"]
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    assert waiting(event) == [] and audit(event).differences == ()
    Table.objects.create(event=event, number=TABLES_MAX)
    with refusal("too_many_tables"):
        table(event)


def test_T6_the_free_boxes_of_a_round_are_those_that_somebody_can_be_seated_at():
    round_ = seated(5, boxes_per_table=3)
    free = [(2, 3)]
    assert boxes_free(round_) == free
    no_show(round_, 1, 1)
    assert boxes_free(round_) == [(1, 1), *free]
    change(round_.event.tables.get(number=1), True, 1)
    assert boxes_free(round_) == free
    table(round_.event)
    assert boxes_free(round_) == free  # nobody plays this round at the third table
    with refusal("box_out_of_use"):
        fill(round_, 1, EntryFactory(event=round_.event), table=3)


def test_T6_phones_tell_alternates_how_many_boxes_are_free_and_whether_seating_is_open():
    event = event_make(5, tables_count=1, boxes_per_table=3)
    assert told(event) == [("not_drawn", None)]
    round_ = draw_and_seat(event)
    assert told(event) == [("open", 0)]
    no_show(round_, 1)
    no_show(round_, 2)
    assert told(event) == [("open", 2)]
    fill(round_, 1)
    assert told(event) == [("open", 1)]
    hand(shoe_of(round_), {1: 200}, b1="win")
    assert told(event) == [("closed", 1)]


def test_T6_with_every_box_taken_phones_say_that_none_was_free():
    round_ = full_of(2, 3)
    table(round_.event)
    assert waiting(round_.event) == ["E003"], "nobody moves up after the draw"
    hand(shoe_of(round_), {1: 200}, b1="win")
    assert told(round_.event) == [("closed", 0)]
    assert why_ask_first(Round.objects.get(pk=round_.pk), "") is None


def test_T6_the_first_bet_is_asked_about_while_an_alternate_waits():
    assert why_ask_first(seated(3), "") is None
    round_ = full_of(2, 4)
    first = why_ask_first(round_, "")
    assert first is not None and (first.code, first.status) == ("seating_closes", 409)
    closes = seating_closes(round_)
    assert closes is not None and (closes.alternates, closes.free) == (2, ())
    assert why_ask_first(round_, closes.mark) is None
    no_show(round_, 1)
    assert why_ask_first(round_, closes.mark) is not None  # a box has come free since
    again = seating_closes(round_)
    assert again is not None and again.free == ((1, 1),)
    assert why_ask_first(round_, again.mark) is None


def see(round_: Round, *boxes: int, table: int = 1, seen: bool = True) -> None:
    shoe = shoe_of(round_, table)
    seats_seen(shoe_id=shoe.pk, boxes=boxes, seen=seen, key=new_key(), actor=None)


def boxes(seats: Iterable[Seat]) -> list[tuple[int, int]]:
    return [(seat.table.number, seat.box) for seat in seats]


def test_T6_a_tick_is_taken_back_and_an_absent_player_is_not_asked_about():
    round_ = seated(3)
    with refusal("box_empty"):
        see(round_, 3, 4)
    with refusal("no_box_named"):
        see(round_)
    assert len(unseen_of(round_.event).seats) == 3
    see(round_, 1, 2)
    stack = {"stack_id": stack_at(round_, 3).pk, "absent": True, "reason": "late train"}
    seating.stack_absent(**stack, key=new_key(), actor=None)
    assert unseen_of(round_.event).seats == ()
    see(round_, 2, seen=False)
    found = unseen_of(round_.event)
    assert (boxes(found.seats), boxes(found.seen)) == ([(1, 2)], [(1, 1)])


def test_T6_only_seats_of_round_1_are_asked_about_until_its_first_bet():
    round_ = seated(3)
    hand(shoe_of(round_), {1: 200, 2: 400, 3: 600}, b1="win", b2="win", b3="win")
    assert unseen_of(round_.event) == Unseen()
    with refusal("first_bet_called", 409):
        see(round_, 1)
    play_and_close(round_)
    second = draw_and_seat(round_.event)
    assert unseen_of(round_.event) == Unseen()
    with refusal("not_round_1"):
        see(second, 1)


def marked() -> tuple[Round, Entry]:
    """Round 1, where the player of box 2 was marked as a no-show."""
    round_ = seated(4, tables_count=1)
    return round_, Entry.objects.get(code=no_show(round_, 2)["entry"], event=round_.event)


def test_T6_a_no_show_who_comes_before_the_first_bet_has_a_stack_again_and_is_asked_about():
    round_, entry = marked()
    fill(round_, 5, entry)
    assert no_show(round_, 5)["entry"] == entry.code, "and twice"
    assert fill(round_, 2, entry)["entry"] == entry.code
    entry.refresh_from_db()
    stack = Stack.objects.get(round=round_, entry=entry)
    assert (entry.status, stack.state, stack.chips, stack.start_chips) == ("live", "playing", 5_000, 5_000)
    assert (reconcile(round_.event), entrants_of(round_.event).no_shows) == ([], 0)
    assert entry in [seat.entry for seat in unseen_of(round_.event).seats]
    hand(shoe_of(round_), {2: 200}, b2="win")
    play_and_count(round_)
    assert stage_ranking(round_).rows[0].entry == entry
    close(round_)
    assert ended_with(round_)[entry.code] == 5_200, "without the stack that was given up"


def test_T6_a_no_show_is_not_seated_at_a_taken_box_with_the_buy_in_back_or_after_the_first_bet():
    round_, entry = marked()
    first = EntryFactory(event=round_.event)
    assert fill(round_, 2)["entry"] == first.code
    with refusal("box_taken", 409):
        fill(round_, 2, entry)
    paid_back = Entry.objects.get(code=no_show(round_, 3, refund=True, reason="ill")["entry"])
    with refusal("buy_in_refunded", 409):
        fill(round_, 3, paid_back)
    hand(shoe_of(round_), {1: 200}, b1="win")
    with refusal("first_bet_called", 409):
        fill(round_, 5, entry)
    assert set(Entry.objects.filter(pk__in=[entry.pk, paid_back.pk]).values_list("status")) == {("no_show",)}
    assert Stack.objects.get(round=round_, entry=paid_back).chips == 0


def test_T6_the_page_of_a_free_box_offers_a_no_show_behind_the_alternates():
    round_, entry = marked()
    no_show(round_, 3, refund=True, reason="ill")  # whoever had the buy-in back is not offered
    late = EntryFactory(event=round_.event)
    floor, path = Somebody("floor"), staff(round_.event, f"seating/{round_.pk}/1/2/")
    page = read(floor.get(path).content.decode())
    assert [node.attrs["value"] for node in page.all("option")] == [str(late.pk), str(entry.pk)]
    done(floor.press(path, entry=str(entry.pk)), "seating/")
    assert stack_at(round_, 2).entry == entry


def called_off(**settings: object) -> Round:
    """Round 1 is seated at one table, one alternate waits, and the event is called off."""
    round_ = seated(4, tables_count=1, **settings)
    EntryFactory(event=round_.event)
    event_call_off(event_id=round_.event_id, reason="the lights went out", key=new_key(), actor=None)
    return Round.objects.get(pk=round_.pk)


COMMANDS: list[Callable[[Round], Any]] = [
    lambda round_: no_show(round_, 1, refund=True, reason="ill"),
    lambda round_: fill(round_, 5),
    lambda round_: seating.stack_absent(
        stack_id=stack_at(round_, 1).pk, absent=True, reason="gone", key=new_key(), actor=None
    ),
    lambda round_: seats_seen(shoe_id=shoe_of(round_).pk, boxes=[1], key=new_key(), actor=None),
    begin,
    lambda round_: dealing.deal_open(
        shoe_id=shoe_of(round_).pk, bets=dict.fromkeys((1, 2, 3, 4), 200), actor=None
    ),
]


def test_T8_no_seat_moves_once_the_event_is_called_off():
    round_ = called_off()
    before = [MoneyTransaction.objects.count(), ChipEntry.objects.count()]
    for command in COMMANDS:
        with refusal("event_not_running", 409):
            command(round_)
    assert [MoneyTransaction.objects.count(), ChipEntry.objects.count()] == before


def test_T8_play_does_not_begin_once_the_event_is_called_off():
    round_ = called_off(record_mode="counts")
    assert round_.event.status == Event.Status.CALLED_OFF and round_.status == Round.Status.SEATED
    assert not may_begin(round_)
    director = Somebody("director")
    seat = f"seating/{round_.seats.get(box=1).pk}/no-show/"
    for path in (f"rounds/{round_.pk}/begin/", seat, f"seating/{round_.pk}/1/5/"):
        page = director.get(staff(round_.event, path))
        assert page.status_code == 200 and 'name="key"' not in page.content.decode(), path


def may(round_: Round) -> bool:
    return may_begin(Round.objects.select_related("event").get(pk=round_.pk))


def test_T6_play_begins_by_a_press_on_counts_alone():
    hands = seated(3)
    with refusal("not_counts_alone"):
        begin_check(hands)
    round_ = alone(tables_count=1, boxes_per_table=2)
    assert not may(hands) and told(round_.event) == [("open", 0)]
    with refusal("counts_only"):
        opened(shoe_of(round_), {1: 200})
    assert (may(round_), status(round_)) == (True, "seated")
    begin(round_)
    assert (may(round_), status(round_), told(round_.event)) == (False, "playing", [("closed", 0)])
    with refusal("first_bet_called", 409):
        no_show(round_, 1)
    with refusal("round_not_seated", 409):
        begin(round_)
