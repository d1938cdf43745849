"""A whole night, stopped at every state: each page that names a player says what the database says.

``truth`` works out what is so by plain SQL, ``told`` reads the pages. A page says nothing of a player that is
not known there and checked: place, seat, stack, side of the cut, tie, how somebody left, money, every count
of players.
"""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Seat
from tables.services import (
    dealing,
    draws,
    seating,
)
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.floor import close, count_both, draw_and_seat, event_make, hand, shoe_of, shoe_over
from tests.pages.every_word import READ, Reader
from tournament.models import Event, Round, Stack
from tournament.services import entries, events, payments, payouts, refunds, requests
from tournament.services.rounds import round_close, tie_rule

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

NAMES = ["Ada", "Bea", "Cyd", "Dov", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lea"]


def named(event: Event, names: list[str]) -> None:
    """Sell an entry to each of these, whose names differ in their first letter."""
    for number, name in enumerate(names):
        family = f"{chr(ord('Z') - number)}urner"
        EntryFactory(event=event, player=PlayerFactory(given_name=name, family_name=family))


def by_entry(round_: Round) -> dict[str, tuple[int, int]]:
    """Entry → table and box, as they sit now."""
    seats = Seat.objects.filter(round=round_, vacated_at__isnull=True).select_related("entry", "table")
    return {seat.entry.code: (seat.table.number, seat.box) for seat in seats}


def played(round_: Round, words: dict[str, tuple[int, str]]) -> None:
    """One hand at every table that has a player of these: entry → bet and result."""
    seats = by_entry(round_)
    for table in sorted({seats[code][0] for code in words}):
        here = {seats[code][1]: each for code, each in words.items() if seats[code][0] == table}
        hand(
            shoe_of(round_, table),
            {b: bet for b, (bet, _) in here.items()},
            **{f"b{b}": w for b, (_, w) in here.items()},
        )


def count(round_: Round, reader: Reader) -> None:
    """The cut card is out and two people count, table by table; looked at in between."""
    for shoe in round_.shoes.order_by("table__number"):
        shoe_over(shoe)
    reader.hold()
    for shoe in round_.shoes.order_by("table__number"):
        count_both(shoe_of(round_, shoe.table.number))
    round_.refresh_from_db()


def prizes_post(event: Event, *amounts: int) -> None:
    structure = {"kind": "fixed", "amounts": list(amounts)}
    payouts.payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=None)


def approve(asked: dict[str, Any]) -> None:
    requests.request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=UserFactory())


def disqualify(event: Event, code: str, reader: Reader) -> None:
    entry = event.entries.get(code=code)
    asked = entries.entry_disqualify_request(
        entry_id=entry.pk, reason="marked", key=new_key(), actor=UserFactory()
    )
    reader.hold()
    approve(asked)


def test_T20_T23_T25_T26_every_word_of_a_whole_night_is_so():
    """Ten buy in for two tables of four: a withdrawal, a no-show and its alternate, an absent player, a void
    hand, a tie of three for two seats, a replaced qualifier, two disqualified, three rounds, every prize."""
    event = EventFactory(
        settings={
            "public_input": False,
            "tables_count": 2,
            "boxes_per_table": 4,
            "cut_after_round_1": 4,
            "cut_after_round_2": 3,
        }
    )
    reader = Reader(event)
    reader.hold()
    named(event, NAMES[:10])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader.hold()
    entries.entry_withdraw(entry_id=event.entries.get(code="E003").pk, key=new_key(), actor=None)
    reader.hold()
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    reader.hold()
    round_ = Round.objects.get(pk=draws.round_seat(draw_id=locked["draw"])["round"])
    reader.hold()
    first_round(event, round_, reader)
    prizes_post(event, 600_00, 300_00)
    reader.hold()
    second_round(event, reader)
    final_round(event, reader)
    assert not reader.wrong, "\n\n".join(reader.wrong)
    assert reader.seen == READ


def first_round(event: Event, round_: Round, reader: Reader) -> None:
    """Round 1, its tie and what comes between the rounds."""
    seat = Seat.objects.filter(round=round_).order_by("table__number", "box")[0]
    seating.seat_no_show(seat_id=seat.pk, refund=False, reason="", key=new_key(), actor=None)
    reader.hold()
    seating.seat_fill(round_id=round_.pk, table_id=seat.table_id, box=seat.box, key=new_key(), actor=None)
    reader.hold()
    codes = sorted(by_entry(round_))
    played(round_, dict.fromkeys(codes, (200, "push")))
    opened = dealing.deal_open(
        shoe_id=shoe_of(round_, 1).pk,
        bets={box: 200 for table, box in by_entry(round_).values() if table == 1},
        key=new_key(),
        actor=None,
    )
    reader.hold()
    dealing.deal_void(deal_id=opened["deal"], reason="misdeal", key=new_key(), actor=None)
    reader.hold()
    # Two are above, three level for two of the seats, two below, and one who was disqualified.
    results = [(1000, "win"), (600, "win"), *[(200, "win")] * 3, (200, "lose"), (400, "lose"), (800, "win")]
    played(round_, dict(zip(codes, results, strict=True)))
    reader.hold()
    disqualify(event, codes[7], reader)
    away = Stack.objects.get(round=round_, entry__code=codes[6])
    seating.stack_absent(stack_id=away.pk, absent=True, reason="called away", key=new_key(), actor=None)
    reader.hold()
    count(round_, reader)
    reader.hold()
    play_off(event, codes[2:5], reader)
    reader.hold()
    close(round_)
    reader.hold()
    replaced = event.entries.get(code=codes[0])
    seating.entry_replace(entry_id=replaced.pk, reason="ill", key=new_key(), actor=None)
    reader.hold()
    disqualify(event, codes[6], reader)
    reader.hold()


def play_off(event: Event, tied: list[str], reader: Reader) -> None:
    """Three for two seats: one wins at once, then one of the other two is absent."""
    stage = draw_and_seat(event)
    reader.hold()
    played(stage, {tied[0]: (200, "win"), tied[1]: (200, "push"), tied[2]: (200, "push")})
    reader.hold()
    away = Stack.objects.get(round=stage, entry__code=tied[1])
    seating.stack_absent(stack_id=away.pk, absent=True, reason="not there", key=new_key(), actor=None)
    reader.hold()
    dealing.round_look(round_id=stage.pk, key=new_key(), actor=None)
    stage.refresh_from_db()
    assert stage.status == Round.Status.COUNTED
    reader.hold()
    close(stage)


def second_round(event: Event, reader: Reader) -> None:
    """Four play, three go on; a qualifier withdraws after the seats are drawn, before the first bet."""
    round_ = draw_and_seat(event)
    reader.hold()
    codes = sorted(by_entry(round_))
    stacks = {s.entry.code: s.chips for s in round_.stacks.select_related("entry")}
    codes.sort(key=lambda code: (-stacks[code], code))
    played(round_, dict(zip(codes, [(1000, "win"), (600, "win"), (200, "win"), (200, "lose")], strict=True)))
    reader.hold()
    count(round_, reader)
    reader.hold()
    close(round_)
    reader.hold()


def final_round(event: Event, reader: Reader) -> None:
    """Three play, nobody level; then the prizes, one by one."""
    round_ = draw_and_seat(event)
    reader.hold()
    codes = sorted(by_entry(round_))
    stacks = {s.entry.code: s.chips for s in round_.stacks.select_related("entry")}
    codes.sort(key=lambda code: (-stacks[code], code))
    played(round_, dict(zip(codes, [(1000, "win"), (600, "win"), (200, "win")], strict=True)))
    reader.hold()
    count(round_, reader)
    reader.hold()
    close(round_)
    reader.hold()
    for entry in event.entries.filter(place__lte=2).order_by("place"):
        payments.prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=UserFactory())
        reader.hold()
    event.refresh_from_db()
    assert event.status == Event.Status.PAID


def test_T33_T34_every_word_of_a_sudden_death_of_two_groups_is_so():
    """Four play for two ties: the one for first is decided before the one for third, where one is absent."""
    event = event_make(0, cut_after_round_1=4, cut_after_round_2=4)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader = Reader(event)
    for number in (1, 2, 3):
        round_ = draw_and_seat(event)
        codes = sorted(by_entry(round_))
        best = (
            [(600, "win"), (600, "win"), (200, "win"), (200, "win")] if number == 3 else [(200, "push")] * 4
        )
        played(round_, dict(zip(codes, best, strict=True)))
        reader.hold()
        count(round_, reader)
        close(round_)
        if number == 1:
            prizes_post(event, 400_00, 300_00, 200_00, 100_00)
    reader.hold()
    sudden = draw_and_seat(event)
    reader.hold()
    played(sudden, dict(zip(codes, [(200, "win"), (200, "lose"), (1000, "win"), (1000, "win")], strict=True)))
    reader.hold()
    away = Stack.objects.get(round=sudden, entry__code=codes[3])
    seating.stack_absent(stack_id=away.pk, absent=True, reason="left", key=new_key(), actor=None)
    reader.hold()
    dealing.round_look(round_id=sudden.pk, key=new_key(), actor=None)
    sudden.refresh_from_db()
    assert sudden.status == Round.Status.COUNTED
    reader.hold()
    round_close(round_id=sudden.pk, key=new_key(), actor=None)
    reader.hold()
    event.refresh_from_db()
    assert event.status == Event.Status.FINISHED
    assert not reader.wrong, "\n\n".join(reader.wrong)
    assert list(event.entries.order_by("place").values_list("code", flat=True)) == codes


@pytest.mark.parametrize("method", ["director", "all_advance"])
def test_T23_every_word_of_a_tie_that_is_not_played_off_is_so(method):
    event = event_make(0, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut=method)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader, round_ = Reader(event), draw_and_seat(event)
    codes = sorted(by_entry(round_))
    played(round_, dict(zip(codes, [(1000, "win"), (200, "win"), (200, "win"), (200, "lose")], strict=True)))
    reader.hold()
    count(round_, reader)
    reader.hold()
    if method == "director":
        tie_rule(round_id=round_.pk, advance=[codes[2]], reason="by lot", key=new_key(), actor=None)
        reader.hold()
    close(round_)
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)


def test_T20_every_word_of_who_cannot_cover_the_smallest_bet_is_so():
    """One below the minimum, one exactly at it: the cut shrinks to who can bet."""
    event = event_make(0, cut_after_round_1=3, cut_after_round_2=2, starting_chips=400)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader, round_ = Reader(event), draw_and_seat(event)
    codes = sorted(by_entry(round_))
    played(round_, dict(zip(codes, [(400, "win"), (200, "lose"), (400, "lose"), (400, "lose")], strict=True)))
    reader.hold()
    count(round_, reader)
    reader.hold()
    close(round_)
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)


def test_T8_every_word_of_an_event_that_is_called_off_is_so():
    event = event_make(0, cut_after_round_1=2, cut_after_round_2=2)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader, round_ = Reader(event), draw_and_seat(event)
    played(round_, dict.fromkeys(sorted(by_entry(round_)), (200, "win")))
    reader.hold()
    events.event_call_off(event_id=event.pk, reason="power cut", key=new_key(), actor=None)
    reader.hold()
    first = event.entries.get(code="E002")
    refunds.refund_hand_out(entry_id=first.pk, identity_checked=True, key=new_key(), actor=UserFactory())
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)
