"""A hard night: somebody leaves or is ruled on in the middle of it; and what the journal says of it all."""

import hashlib
import html
import re
from typing import Any

import pytest

from tables.models import Seat, Shoe
from tables.services import dealing, draws, seating
from tests.cast import playing
from tests.cast.alternates import fill as take_seat
from tests.cast.corrected import books_agree, put_right, round_1, words
from tests.cast.counting import enter
from tests.cast.edits import unguarded
from tests.cast.empty_seat import codes, entry_at, fill, three_of_five
from tests.cast.factories import EntryFactory, UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    confirm,
    disqualify,
    draw_and_seat,
    draw_of,
    event_make,
    hand,
    opened,
    payouts_post,
    play_and_close,
    record,
    recorded,
    refusal,
    result,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.tied import code_at, sudden_death
from tournament.engine.steps.places import places_so_far
from tournament.models import Draw, Entry, Event, JournalEntry, JournalHead, Round, Stack
from tournament.selectors.chain import chain_verify
from tournament.selectors.next_steps import seat_due, steps_of
from tournament.selectors.stages import state_of
from tournament.services import entries, events
from tournament.services.penalties import penalty_add
from tournament.services.reconcile import chip_accounts, reconcile

pytestmark = pytest.mark.django_db

CARDS = "KH 4D 7S AC 2D"


def entry_of(event: Event, code: str) -> Entry:
    return Entry.objects.get(event=event, code=code)


def test_T20_with_one_left_in_after_a_disqualification_the_event_is_settled():
    event = playing.round_1_closed(5, cut_after_round_1=2, cut_after_round_2=2)
    playing.post(event)
    disqualify(event.rounds.get(), "E002")
    event.refresh_from_db()
    assert event.status == Event.Status.FINISHED
    totals = chip_accounts(event)
    assert totals["stack"] == 0
    assert reconcile(event) == []


def test_T33_a_table_whose_players_are_out_of_chips_holds_nobody_up():
    sudden = sudden_death(4, boxes_per_table=2, sudden_death_chips=200)
    one, two = shoe_of(sudden, 1), shoe_of(sudden, 2)
    both = {1: 200, 2: 200}
    hand(one, both, b1="lose", b2="lose")
    assert sudden.stacks.filter(state=Stack.State.PLAYING).count() == 4, "table 2 has not played the hand"
    hand(two, both, b1="win", b2="win")
    # Table 1 is out of chips and table 2 is level: only table 2 can part them.
    hand(two, both, b1="win", b2="lose")
    sudden.refresh_from_db()
    assert [len(group.entries) for group in steps_of(sudden.event)[-1].groups] == [2]
    # The two who were out of chips have fresh stacks, and play on for third: nothing to catch up.
    hand(one, both, b1="win", b2="lose")
    sudden.refresh_from_db()
    assert sudden.status == Round.Status.COUNTED
    assert sorted(sudden.stacks.values_list("place", flat=True)) == [1, 2, 3, 4]


def cards_confirm(draw_id: int) -> None:
    draws.draw_cards(draw_id=draw_id, cards=CARDS, key=new_key(), actor=UserFactory())
    draws.draw_confirm(draw_id=draw_id, key=new_key(), actor=UserFactory())
    draws.round_seat(draw_id=draw_id)


def redraw(draw: Draw) -> Draw:
    asked = draws.redraw_request(draw_id=draw.pk, reason="a card fell", key=new_key(), actor=UserFactory())
    return Draw.objects.get(pk=confirm(asked)["draw"])


def test_T6_T21_nobody_comes_goes_or_is_late_while_the_seats_are_drawn_anew():
    event = event_make(4, public_input=True)
    cards_confirm(draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)["draw"])
    round_ = Round.objects.get(event=event)
    again = redraw(draw_of(round_))
    table, about = shoe_of(round_).table_id, {"key": new_key(), "actor": None}
    one = entry_of(event, "E001").pk
    for call in (
        lambda: shoe_over(shoe_of(round_)),
        lambda: dealing.round_play(round_id=round_.pk, **about),
        lambda: entries.entry_withdraw(entry_id=one, reason="ill", **about),
        lambda: seating.seat_fill(round_id=round_.pk, table_id=table, box=1, **about),
    ):
        with refusal("draw_in_progress", 409):
            call()
    assert not event.entries.exclude(status=Entry.Status.LIVE).exists()
    cards_confirm(again.pk)
    assert Seat.objects.filter(round=round_, vacated_at__isnull=True).count() == 4


def test_T8_a_draw_that_waits_is_not_carried_out_once_the_event_is_called_off():
    event = event_make(4)
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    events.event_call_off(event_id=event.pk, reason="power cut", key=new_key(), actor=None)
    with refusal("no_draw_due", 409):
        draws.round_seat(draw_id=locked["draw"])
    assert chip_accounts(event)["issued"] == 0
    assert Draw.objects.get(pk=locked["draw"]).revealed_secret == ""


def test_T21_redraws_leave_a_secret_for_every_stage_to_come():
    round_ = draw_and_seat(event_make(4))
    for _ in range(6):
        again = redraw(draw_of(round_))
        draws.round_seat(draw_id=again.pk)
        round_ = Round.objects.get(pk=round_.pk)
    with refusal("no_spare_left", 409):
        redraw(draw_of(round_))
    # Two more rounds, a play-off in each of the first two, sudden death.
    assert round_.event.draws.filter(status=Draw.Status.PLANNED).count() == 5


def test_T21_a_further_play_off_of_a_round_may_find_no_secret_left():
    event = event_make(4)
    event.draws.update(status=Draw.Status.DRAWN)
    with refusal("no_commitment_left"):
        draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)


def test_a_chain_without_the_record_of_its_head_is_broken():
    event = event_make(2)
    JournalHead.objects.filter(event=event).delete()
    assert chain_verify(event).why


def test_a_tail_that_is_cut_off_with_its_head_is_seen_by_the_posted_result():
    event = playing.round_1_closed(5)
    kept = JournalEntry.objects.filter(event=event).order_by("seq")[3]
    with unguarded():
        JournalEntry.objects.filter(event=event, seq__gt=kept.seq).delete()
    JournalHead.objects.filter(event=event).update(seq=kept.seq, hash=kept.hash)
    report = chain_verify(event)
    assert (report.broken_at, report.entries) == (kept.seq + 1, kept.seq)
    assert "posted result 1" in report.why


def test_T31_anybody_can_hash_the_posted_rules_again(client):
    event = event_make(2)
    page = client.get(f"/e/{event.slug}/rules/").content.decode()
    posting = event.postings.get(kind="rules")
    for name, posted in (("settings-json", event.rules_hash), ("posting-json", posting.hash)):
        line = re.search(rf'<code id="{name}">(.*?)</code>', page, re.DOTALL)
        assert line is not None
        assert hashlib.sha256(html.unescape(line[1]).encode()).hexdigest() == posted


def hand_kept(event: Event, kind: str) -> dict[str, Any]:
    facts: list[dict[str, Any]] = JournalEntry.objects.filter(event=event, kind=kind).latest("seq").facts
    return facts[-1]


def test_T2_T13_T26_settings_and_all_that_was_put_up_are_in_the_journal():
    round_ = seated(3, decks=8)
    event, shoe = round_.event, shoe_of(round_)
    (posted,) = JournalEntry.objects.get(event=event, kind="event.open").facts
    assert posted["plan"] == event.settings_json
    assert event.settings.decks == 8
    cards = ["6h", "9c", "5s", "Td", "Ks"]
    recorded(shoe, record({1: 400}, cards, {"seat": 1, "action": "double"}))
    said = hand_kept(event, "deal.record")
    assert (said["nets"][0], said["put_up"][0]) == (800, 800)
    assert (said["line_chip"], said["sits_out"]) == ([0] * 7, [])
    deal = opened(shoe, {1: 400}, mode="results")
    doubled = {"hands": [{"result": "win", "doubled": 400}]}
    dealing.deal_settle(deal_id=deal.pk, outcomes={1: doubled}, key=new_key(), actor=None)
    said = hand_kept(event, "deal.settle")
    assert (said["nets"][0], said["put_up"][0]) == (800, 800)
    held = stack_at(round_, 2).entry_id
    penalty_add(entry_id=held, kind="sit_out", reason="abuse", key=new_key(), actor=None)
    outcomes = {1: result("win"), 3: result("lose")}
    bets = {"shoe_id": shoe.pk, "bets": {1: 200, 3: 200}, "outcomes": outcomes}
    dealing.deal_record_results(**bets, key=new_key(), actor=None)
    assert hand_kept(event, "deal.record")["sits_out"] == [2]


def test_row23_the_chip_on_the_line_is_noted():
    round_ = seated(2, sheet="banco")
    dealt = {"rules": "banco", "bets": {"1": 15}, "cards": ["Ah", "9c", "Ks"], "decisions": []}
    deal = recorded(shoe_of(round_), dealt)
    on_line = (deal.answer or {})["line_chip"]
    assert hand_kept(round_.event, "deal.record")["line_chip"][0] == on_line["1"] != 0


def test_T17_a_round_that_is_closed_again_says_who_is_through():
    round_, old = round_1()
    first = [code_at(round_, box) for box in (1, 2)]
    (closed,) = JournalEntry.objects.get(event=round_.event, kind="round.close").facts
    assert {*closed["through"]} == {*first}
    put_right(old, outcomes=words(b1="win", b2="lose", b3="win", b4="lose"))
    (corrected,) = JournalEntry.objects.get(event=round_.event, kind="request.decide").facts
    ((_stage, through),) = corrected["through"]
    assert {*through} == {code_at(round_, 1), code_at(round_, 3)}


@pytest.mark.parametrize("box", [1, 3])
def test_T26_who_sits_at_an_open_hand_is_ruled_on_when_it_is_over(box):
    round_ = seated()
    entry, other = stack_at(round_, box).entry, stack_at(round_, 2).entry
    deal = opened(shoe_of(round_), {1: 200, 2: 200}, "results")
    given = {"entry_id": other.pk, "kind": "chips", "chips": 300, "reason": "slow play", "actor": None}
    chips = penalty_add(**given, key=new_key())
    about = {"entry_id": entry.pk, "reason": "marked a card", "actor": UserFactory()}
    out = entries.entry_disqualify_request(**about, key=new_key())
    for asked in (chips, out):
        with refusal("hand_open", 409):
            confirm(asked)
    dealing.deal_void(deal_id=deal.pk, reason="a card fell", key=new_key(), actor=None)
    confirm(chips)
    confirm(out)
    assert chips_at(round_, 2) == 4_700
    assert Seat.objects.get(entry=entry).vacated_at is not None
    play_and_close(round_)
    last = places_so_far(state_of(round_.event))[-1]
    assert (last.entry, last.place, last.out_of_play) == (entry.code, 4, True)
    payouts_post(round_.event, 300_00, 100_00)
    disqualify(round_, other.code)
    assert {each.entry for each in places_so_far(state_of(round_.event))[2:]} == {other.code, entry.code}
    assert reconcile(round_.event) == []


def test_T6_box_of_who_withdraws_before_the_first_bet_goes_to_an_alternate():
    round_ = seated(4)
    leaving = stack_at(round_, 2).entry
    alternate = EntryFactory(event=round_.event)
    entries.entry_withdraw(entry_id=leaving.pk, reason="taken ill", key=new_key(), actor=None)
    take_seat(round_, 2)
    assert stack_at(round_, 2).entry == alternate
    assert Stack.objects.get(entry=leaving).state == Stack.State.WITHDRAWN
    assert reconcile(round_.event) == []


def test_T7_T18_on_counts_alone_a_withdrawal_makes_the_count_that_agrees_the_stacks():
    shoe = shoe_of(seated(3, record_mode="counts"))
    shoe_over(shoe)
    enter(shoe, {1: 5400, 2: 4800, 3: 5000})
    enter(shoe, {1: 5400, 2: 4600, 3: 5000})
    about = {"entry_id": stack_at(shoe.round, 2).entry_id, "reason": "taken ill", "refund": False}
    entries.entry_withdraw(**about, key=new_key(), actor=UserFactory())
    shoe.refresh_from_db()
    assert (shoe.status, chips_at(shoe.round, 1)) == (Shoe.Status.COUNTED, 5400)
    assert reconcile(shoe.round.event) == []


def drawn(event: Event) -> list[str]:
    due = seat_due(event)
    return sorted(due.entries) if due else []


def test_T26_the_seat_of_a_disqualified_qualifier_stays_empty():
    round_, _deal = three_of_five()
    gone, later = entry_at(round_, 1), entry_at(round_, 2)
    disqualify(round_, gone.code)
    with refusal("not_qualified"):
        fill(gone)
    assert drawn(round_.event) == codes(round_, 2, 3)
    second = draw_and_seat(round_.event)
    disqualify(round_, later.code)
    with refusal("not_qualified"):
        fill(later)
    live = Seat.objects.filter(round=second, vacated_at=None)
    assert [seat.entry.code for seat in live.select_related("entry")] == codes(round_, 3)
    assert books_agree(round_.event)
