"""Buying in, alternates, leaving, penalties and disqualification (T2, T3, T6, T7, T24–T26)."""

import pytest

from tables.selectors.audit import audit
from tables.services.closing import round_close
from tests.cast.calls import at_once, codes, refused
from tests.cast.factories import (
    EntryFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
    new_key,
    round_seat,
    round_to,
    stack_of,
)
from tests.cast.floor import confirm, disqualify
from tests.cast.playing import post, round_1_closed, win
from tournament.models import ChipTransaction, Entry, PlayerCheck
from tournament.selectors.buying import players_at_desk
from tournament.selectors.desk import desk_summary, entries_list, players_search, waiting_list
from tournament.services import entries, events, penalties, people
from tournament.services.reconcile import chip_accounts, reconcile

pytestmark = pytest.mark.django_db


def buy_in(event, player=None, *, checked=True, actor=None):
    player_id = (player or PlayerFactory()).pk
    checked_by = {"identity_checked": checked, "actor": actor}
    return entries.entry_buy_in(event_id=event.pk, player_id=player_id, key=new_key(), **checked_by)


def withdraw(entry, reason="", refund=True):
    return entries.entry_withdraw(entry_id=entry.pk, reason=reason, refund=refund, key=new_key(), actor=None)


def test_T3_receipt_shows_the_posted_value_and_chips_are_issued_at_the_table():
    event = EventFactory(settings={"starting_chips": 6_000, "fee_cents": 10_00})
    sold = buy_in(event)
    about = {"code": "E001", "status": "live", "waiting_number": None, "starting_chips": 6_000}
    assert sold.items() >= {**about, "amount_cents": 100_00, "fee_cents": 10_00}.items()
    assert sold["left_today_cents"] == 150_00
    assert not ChipTransaction.objects.exists()
    round_seat(event)
    assert stack_of(Entry.objects.get(pk=sold["entry"])).chips == 6_000


def test_T7_check_at_the_desk_is_recorded_and_without_it_nothing_is_sold():
    event, player, cashier = EventFactory(), PlayerFactory(), UserFactory()
    with refused("identity_not_checked"):
        buy_in(event, player, checked=False)
    buy_in(event, player, actor=cashier)
    check = PlayerCheck.objects.values_list("outcome", "checked_by", "event").get()
    assert check == ("passed", cashier.pk, event.pk)
    with refused("already_entered"):
        buy_in(event, player)


def test_T7_an_excluded_person_is_sold_nothing_and_nobody_is_while_the_desk_is_closed():
    event, player, draft = EventFactory(), PlayerFactory(), EventFactory(opened=False)
    away = {"event_id": event.pk, "outcome": "excluded", "actor": None}
    people.player_check_refuse(player_id=player.pk, **away, key=new_key())
    with refused("turned_away", 403):
        buy_in(event, player)
    with refused("no_such_player", 404):
        entries.entry_buy_in(event_id=event.pk, player_id=0, identity_checked=True, key=new_key(), actor=None)
    events.event_call_off(event_id=event.pk, reason="rain", key=new_key(), actor=None)
    for closed in (draft, event):
        with refused("desk_closed", 409):
            buy_in(closed)


def test_T6_entrant_without_a_box_waits_in_order_and_moves_up_when_one_comes_free():
    event = EventFactory(settings={"tables_count": 1, "boxes_per_table": 2})
    sold = [buy_in(event) for _ in range(4)]
    assert [each["status"] for each in sold] == ["live", "live", "waiting", "waiting"]
    assert [each["waiting_number"] for each in sold] == [None, None, 1, 2]
    assert [entry.code for entry in waiting_list(event)] == ["E003", "E004"]
    withdraw(event.entries.get(code="E001"))
    third = event.entries.get(code="E003")
    assert (third.status, third.waiting_since) == ("live", None)
    assert [entry.code for entry in waiting_list(event)] == ["E004"]
    assert audit(event).differences == ()


def test_T6_entrant_after_the_draw_waits_and_nobody_enters_once_round_1_has_begun():
    event = EventFactory()
    EntryFactory.create_batch(2, event=event)
    round_ = round_seat(event)
    assert buy_in(event)["status"] == "waiting"
    assert withdraw(event.entries.get(status="waiting"))["refunded_cents"] == 100_00
    round_to(round_, "playing")
    with refused("round_begun", 409):
        buy_in(event)


@pytest.mark.django_db(transaction=True)
def test_T6_last_box_is_sold_once_and_the_others_wait_in_line():
    event = EventFactory(settings={"tables_count": 1, "boxes_per_table": 2})
    EntryFactory(event=event)
    players = PlayerFactory.create_batch(8)
    answers = at_once(*(lambda player=player: buy_in(event, player) for player in players))
    assert codes(answers) == []
    assert [answer["status"] for answer in answers].count("live") == 1
    assert sorted(answer["waiting_number"] or 0 for answer in answers) == list(range(8))
    assert event.entries.filter(status="live").count() == 2


def test_T7_entry_is_withdrawn_once_with_a_refund_before_the_draw_and_the_person_enters_again():
    entry = EntryFactory()
    with refused("refund_due"):
        withdraw(entry, refund=False)
    assert withdraw(entry)["refunded_cents"] == 100_00
    with refused("move_not_allowed", 409):
        withdraw(entry)
    again = buy_in(entry.event, entry.player)
    assert (again["code"], again["left_today_cents"]) == ("E002", 150_00)
    assert reconcile(entry.event) == []


def test_T7_after_the_draw_an_entry_is_withdrawn_by_ruling_with_a_reason():
    event = EventFactory()
    entry, other, _ = EntryFactory.create_batch(3, event=event)
    round_seat(event)
    with refused("reason_missing"):
        withdraw(entry)
    assert withdraw(entry, "taken ill", refund=False)["refunded_cents"] == 0
    assert withdraw(other, "taken ill", refund=True)["refunded_cents"] == 100_00
    assert (stack_of(entry).state, stack_of(entry).chips) == ("withdrawn", 0)
    assert chip_accounts(event)["returned"] == 10_000
    assert event.journal.latest("seq").body["noted"]["ruling"] == "taken ill"
    assert reconcile(event) == []


def test_T31_buy_in_is_not_refunded_once_the_prizes_are_posted():
    event = round_1_closed(5)
    post(event)
    round_to(round_seat(event), "playing")
    entry = event.entries.get(code="E001")
    with refused("payouts_posted", 409):
        withdraw(entry, "taken ill")
    assert withdraw(entry, "taken ill", refund=False)["refunded_cents"] == 0


def playing(entrants=3, **settings):
    """An event in round 1, and its entries."""
    event = EventFactory(settings=settings)
    sold = EntryFactory.create_batch(entrants, event=event)
    round_to(round_seat(event), "playing")
    return event, sold


def test_T23_who_plays_off_for_a_seat_is_not_taken_out_of_it_nor_anybody_of_that_round():
    event, sold = playing(4, cut_after_round_1=2, cut_after_round_2=2)
    win(event.rounds.get(), E004=200)
    round_to(event.rounds.get(), "counted")
    assert round_seat(event).stacks.count() == 3
    for entry in sold:
        with refused("tie_open", 409):
            withdraw(entry, "taken ill", refund=False)
    disqualify(event, "E001")
    assert event.entries.get(code="E001").status == "disqualified"


def penalty(entry, kind="chips", chips=600, reason="slow play"):
    """A penalty in chips, which two persons give; of another kind it is refused here."""
    given = {"entry_id": entry.pk, "kind": kind, "chips": chips, "reason": reason}
    return confirm(penalties.penalty_add(**given, key=new_key(), actor=None))


def cancel(given):
    back = {"penalty_id": given["penalty"], "reason": "mistaken", "key": new_key(), "actor": None}
    return confirm(penalties.penalty_cancel(**back))


def test_T26_penalty_in_chips_goes_to_the_bank_and_is_given_back_when_cancelled():
    event, (entry, *_) = playing()
    given = penalty(entry)
    assert (stack_of(entry).chips, chip_accounts(event)["bank"]) == (4_400, 600)
    cancel(given)
    assert (stack_of(entry).chips, chip_accounts(event)["bank"]) == (5_000, 0)
    assert list(ChipTransaction.objects.values_list("kind", flat=True)) == ["issue", "penalty", "reversal"]
    assert reconcile(event) == []
    with refused("already_cancelled", 409):
        cancel(given)
    stands, round_ = penalty(entry), event.rounds.get()
    round_to(round_, "counted")
    round_close(round_id=round_.pk, key=new_key(), actor=None)
    with refused("round_closed", 409):
        cancel(stands)
    with refused("no_stack", 409):
        penalty(entry)


def test_T26_penalty_that_cannot_be_is_refused():
    _, (entry, *_) = playing()
    for given, code in [
        ({"kind": "prison"}, "penalty_unknown"),
        ({"reason": ""}, "reason_missing"),
        ({"chips": 0}, "not_whole_chips"),
        ({"chips": 250}, "not_whole_chips"),
        ({"chips": -100}, "not_whole_chips"),
        ({"chips": 5_100}, "not_enough_chips"),
    ]:
        with refused(code):
            penalty(entry, **given)


def test_desk_finds_persons_by_every_typed_word():
    ann = {"given_name": "Ann", "family_name": "Berg", "alias": "Ace", "identity_number": "X1"}
    people.player_create(**ann, key=new_key(), actor=None)
    PlayerFactory(given_name="Ann", family_name="Cole")
    found = [len(players_search(text)) for text in ("ber an", "ace", "ann", "zoe", " ")]
    assert found == [1, 1, 2, 0, 0]


def test_T2_desk_says_what_is_left_of_the_day_and_why_nothing_can_be_sold(django_assert_max_num_queries):
    event = EventFactory()
    inside, excluded, free, spent = PlayerFactory.create_batch(4)
    EntryFactory(event=event, player=inside)
    for _ in range(2):
        EntryFactory(player=spent)
    away = {"event_id": event.pk, "outcome": "excluded", "actor": None}
    people.player_check_refuse(player_id=excluded.pk, **away, key=new_key())
    with django_assert_max_num_queries(10):
        rows = players_at_desk(event, [inside, excluded, free, spent])
    assert [row.left_cents for row in rows] == [150_00, 250_00, 250_00, 50_00]
    assert [bool(row.why_not) for row in rows] == [True, True, False, True]
    assert rows[1].turned_away.outcome == "excluded"


def test_desk_summary_counts_entrants_and_money():
    event = EventFactory(settings={"guarantee_cents": 250_00, "tables_count": 1, "boxes_per_table": 2})
    EntryFactory.create_batch(3, event=event)
    found = desk_summary(event)
    assert (found.entrants.entrants, found.entrants.alternates, found.boxes, found.enough) == (2, 1, 2, True)
    assert (found.pool_cents, found.desk_cents) == (300_00, 300_00)
    withdraw(event.entries.get(number=3))
    assert desk_summary(event).pool_cents == 250_00
    assert [entry.refunded for entry in entries_list(event)] == [False, False, True]
