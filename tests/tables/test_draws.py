"""The draw that players can check: T4, T6, T14, T21, T24, and redraws."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest
from django.utils.translation import override

from ground.chance import commitment
from pages.words.stages import draw_purpose
from tables.models import Seat, Table
from tables.selectors.draws import draw_view, draws_public, purpose_of
from tables.selectors.floor import boxes_free
from tables.services import draws, seating
from tables.tasks import draws_sweep, seat_round
from tests.cast.alternates import fill, no_show
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import (
    confirm,
    draw_and_seat,
    draw_of,
    event_make,
    hand,
    person,
    refusal,
    seated,
    shoe_of,
)
from tournament.engine.draw import draw_order
from tournament.engine.next_steps import Do, NextStep
from tournament.models import Draw, Entry, Event, Posting, Round
from tournament.services.entries import entry_withdraw
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db
CARDS = "KH 4D 7S AC 2D"


def lock(event: Event) -> Draw:
    made = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    return Draw.objects.get(pk=made["draw"])


def redraw(draw: Draw) -> None:
    confirm(draws.redraw_request(draw_id=draw.pk, reason="left out", key=new_key(), actor=person("director")))


def test_T23_the_draw_of_a_further_play_off_has_its_number():
    """As kept, and in German as a page says it: a purpose without words of its own would stay English."""
    stages = ((1, "round", 1), (1, "play_off", 1), (1, "play_off", 2), (3, "sudden_death", 1))
    kept = [purpose_of(NextStep(Do.SEAT, stage)) for stage in stages]
    assert len(set(kept)) == len(kept)
    with override("de"):
        assert not {draw_purpose(each) for each in kept} & set(kept)


def test_T4_T14_a_player_recomputes_the_order_and_reads_the_buttons_from_the_posting_alone():
    round_ = seated(9)
    posted = Posting.objects.get(event=round_.event, kind="draw").body
    # What follows uses the posting and the published recipe, nothing of ours.
    secret = bytes.fromhex(posted["secret"])
    assert hashlib.sha256(secret).hexdigest() == posted["commitment"]
    asked = [posted["event"], posted["number"], sorted(posted["roster"]), posted["cards"]]
    seed = hmac.digest(secret, json.dumps(asked).encode(), "sha256")
    order, n = sorted(posted["roster"]), 0
    for i in range(len(order) - 1, 0, -1):
        while True:
            block = int.from_bytes(hmac.digest(seed, n.to_bytes(8, "big"), "sha256")[:8], "big")
            n += 1
            if block < 2**64 - 2**64 % (i + 1):
                break
        j = block % (i + 1)
        order[i], order[j] = order[j], order[i]
    expected = [[code, *seat] for code, seat in zip(order, posted["open_seats"], strict=True)]
    assert posted["result"] == expected
    taken = Seat.objects.filter(round=round_).values_list("entry__code", "table__number", "box")
    assert sorted(map(list, taken)) == sorted(expected)
    for shoe in round_.shoes.select_related("table"):
        assert round_.seats.filter(table=shoe.table, box=shoe.button_box).exists()
        assert posted["buttons"][str(shoe.table.number)] == shoe.button_box


def test_T4_the_fewest_tables_are_used_evenly_and_no_box_that_is_out_of_use():
    at = list(seated(9).seats.values_list("table__number", flat=True))
    assert sorted(at.count(n) for n in set(at)) == [4, 5]
    event = event_make(5)
    table = {"table_id": event.tables.get().pk, "in_use": True, "boxes_out": [2, 4]}
    seating.table_change(**table, key=new_key(), actor=None)
    assert sorted(draw_and_seat(event).seats.values_list("box", flat=True)) == [1, 3, 5, 6, 7]


def test_T4_entrants_without_a_box_wait_latest_first():
    event, boxless = event_make(7), event_make(0)
    late = [EntryFactory(event=event) for _ in range(2)]
    EntryFactory(event=boxless)
    EntryFactory(event=boxless)
    with refusal("no_box"):
        lock(boxless)
    assert not boxless.entries.filter(status="waiting").exists()
    made = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    assert made["waiting"] == [entry.code for entry in late]
    assert set(event.entries.filter(status="waiting")) == set(late)
    assert len(made["roster"]) == 7


def test_the_draw_needs_its_five_cards_and_a_second_person():
    event = event_make(4, public_input=True)
    draw = lock(event)
    first, second = person("floor"), person("floor")
    secret = bytes(draw.secret_row.secret)
    assert commitment(secret) == draw.commitment

    def told() -> bool:
        return secret.hex() in json.dumps([entry.body for entry in event.journal.all()])

    with refusal("cards_missing"):
        draws.draw_confirm(draw_id=draw.pk, key=new_key(), actor=second)
    with refusal("cards_count"):
        draws.draw_cards(draw_id=draw.pk, cards="KH 4D", key=new_key(), actor=first)
    for cards in ("KH 4D 7S AC 3D", CARDS.lower()):
        draws.draw_cards(draw_id=draw.pk, cards=cards, key=new_key(), actor=first)
    with refusal("same_person", 403):
        draws.draw_confirm(draw_id=draw.pk, key=new_key(), actor=first)
    with refusal("cards_changed", 409):
        draws.draw_confirm(draw_id=draw.pk, cards="KH 4D 7S AC 3D", key=new_key(), actor=second)
    with refusal("draw_not_confirmed", 409):
        draws.round_seat(draw_id=draw.pk)
    draws.draw_confirm(draw_id=draw.pk, cards=CARDS, key=new_key(), actor=second)
    with refusal("draw_not_locked", 409):
        draws.draw_cards(draw_id=draw.pk, cards=CARDS, key=new_key(), actor=first)
    assert not told(), "the secret is in the journal with the draw and not before"
    draws.round_seat(draw_id=draw.pk)
    draw.refresh_from_db()
    assert told() and draw.revealed_secret == secret.hex()
    order = draw_order(secret, event.code, draw.number, draw.roster, CARDS)
    assert [code for code, _, _ in draw.result] == order


def test_in_a_rehearsal_one_person_may_confirm_and_the_journal_says_so():
    event = event_make(4, kind="rehearsal", public_input=True)
    about = {"draw_id": lock(event).pk, "actor": person("floor")}
    draws.draw_cards(cards=CARDS, key=new_key(), **about)
    draws.draw_confirm(key=new_key(), **about)
    assert event.journal.get(kind="draw.confirm").body["noted"] == {"one_person": True}


@pytest.mark.parametrize("by", ["task", "sweep"])
def test_T6_a_draw_is_carried_out_once_for_those_on_its_roster(django_capture_on_commit_callbacks, by: str):
    """By its task after the commit, and by the sweep where the task was lost."""
    event = event_make(4)
    with django_capture_on_commit_callbacks(execute=by == "task"):
        draw = lock(event)
        with refusal("draw_in_progress", 409):
            lock(event)
        late = EntryFactory(event=event)
        Entry.objects.filter(pk=late.pk).update(status="live")
    if by == "sweep":
        assert not Round.objects.filter(event=event).exists()
        draws_sweep()
    event.refresh_from_db()
    assert (Round.objects.get(event=event).status, event.status) == ("seated", "running")
    before = event.journal.count()
    seat_round(draw.pk)
    draws_sweep()
    assert (Round.objects.filter(event=event).count(), event.journal.count()) == (1, before)
    assert not Seat.objects.filter(entry=late).exists()
    with refusal("no_draw_due", 409):
        lock(event)


def test_T7_who_leaves_after_the_lock_stops_the_draw_until_it_is_superseded():
    event = event_make(4, public_input=True)
    draw = lock(event)
    entry = event.entries.get(number=2)
    entry_withdraw(entry_id=entry.pk, reason="ill", key=new_key(), actor=None)
    draws.draw_cards(draw_id=draw.pk, cards=CARDS, key=new_key(), actor=person())
    with refusal("roster_changed", 409):
        draws.draw_confirm(draw_id=draw.pk, key=new_key(), actor=person())
    assert entry.code in draw_view(event).problem
    redraw(draw)
    again = event.draws.get(status="locked")
    assert (again.number, again.roster) == (2, ["E001", "E003", "E004"])


def test_a_redraw_takes_the_next_number_and_the_old_one_stays_public():
    round_ = seated(6)
    old, alone = draw_of(round_), person("director")
    with refusal("reason_missing"):
        draws.redraw_request(draw_id=old.pk, reason=" ", key=new_key(), actor=alone)
    asked = draws.redraw_request(draw_id=old.pk, reason="left out", key=new_key(), actor=alone)
    with refusal("own_request", 403):
        confirm(asked, alone)
    confirm(asked)
    old.refresh_from_db()
    assert (old.status, old.superseded_reason) == ("superseded", "left out")
    with refusal("draw_superseded", 409):
        draws.redraw_request(draw_id=old.pk, reason="left out", key=new_key(), actor=alone)
    again = round_.event.draws.get(status="confirmed")
    draws.round_seat(draw_id=again.pk)
    round_.refresh_from_db()
    assert (round_.draw, round_.status) == (again, "seated")
    assert Round.objects.filter(event=round_.event).count() == 1
    assert [draw.number for draw in draws_public(round_.event)] == [1, 2]
    assert Posting.objects.filter(event=round_.event, kind="draw").count() == 2
    live = Seat.objects.filter(round=round_, vacated_at__isnull=True)
    assert sorted(live.values_list("entry__code", flat=True)) == again.roster
    again.refresh_from_db()
    assert sorted(map(list, live.values_list("entry__code", "table__number", "box"))) == sorted(again.result)
    assert round_.stacks.filter(chips=5000).count() == 6
    asked = draws.redraw_request(draw_id=again.pk, reason="once more", key=new_key(), actor=alone)
    # T8, T21: the first bet would make the redraw impossible, so it waits for the answer.
    with refusal("redraw_waits", 409):
        hand(shoe_of(round_), {1: 200}, b1="win")
    request_decide(request_id=asked["request"], approve=False, key=new_key(), actor=alone)
    hand(shoe_of(round_), {1: 200}, b1="win")
    with refusal("first_bet_called", 409):
        draws.redraw_request(draw_id=again.pk, reason="once more", key=new_key(), actor=alone)


def test_a_redraw_at_other_tables_leaves_no_shoe_to_count():
    event = event_make(6)
    round_ = draw_and_seat(event)
    seating.table_add(event_id=event.pk, key=new_key(), actor=None)
    Table.objects.filter(event=event, number=1).update(in_use=False)
    redraw(draw_of(round_))
    draws.round_seat(draw_id=event.draws.get(status="confirmed").pk)
    assert dict(round_.shoes.values_list("table__number", "status")) == {1: "counted", 2: "dealing"}
    # T6: nobody is seated at the table that was left, although it is in use again.
    Table.objects.filter(event=event, number=1).update(in_use=True)
    assert boxes_free(round_) == [(2, 7)]
    no_show(round_, 1, 2)
    with refusal("box_out_of_use"):
        fill(round_, 1, event.entries.get(status="no_show"))
    # And back again: the first table gets a further shoe.
    for number in (1, 2):
        Table.objects.filter(event=event, number=number).update(in_use=number == 1)
    round_.refresh_from_db()
    redraw(draw_of(round_))
    draws.round_seat(draw_id=event.draws.get(status="confirmed").pk)
    shoes = sorted(round_.shoes.values_list("table__number", "number", "status"))
    assert shoes == [(1, 1, "counted"), (1, 2, "dealing"), (2, 1, "counted")]
