"""The scenes in which every kind of command occurs, played by the services: for the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import User

from pages.history import (
    journal_lines,
)
from tables.models import Deal, Seat
from tables.selectors.amending import Change
from tables.services import (
    clerks,
    corrections,
    counts,
    cut_since,
    dealing,
    draws,
    seating,
    simulation,
)
from tables.services.amending import deal_amend
from tables.services.cut_card import shoe_last_hand, shoe_reopen
from tables.services.irregular import deal_play_on
from tables.services.play_begun import round_play_undo
from tables.services.seen import seats_seen
from tables.services.take_back import deal_take_back
from tests.cast import playing
from tests.cast.amending import tapped
from tests.cast.every_page import cut_put_right, place_unheld
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.floor import (
    chips_right,
    close,
    draw_and_seat,
    draw_of,
    event_make,
    hand,
    one_box_win,
    only,
    play_and_count,
    result,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
    sudden_death_of_two,
)
from tournament.models import Event, JournalEntry
from tournament.services import (
    announcements,
    clocks,
    entries,
    events,
    house,
    logins,
    passwords,
    payments,
    payouts,
    penalties,
    people,
    pins,
    prize_sharing,
    publication,
    refunds,
    rounds,
    screens,
)
from tournament.services.requests import request_decide

# The scenes ------------------------------------------------------------------------------------------


def approve(asked: dict) -> dict:
    return request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=UserFactory())


def the_house() -> None:
    boss = UserFactory(username="boss")
    asked = house.house_change(
        name="The House",
        currency="USD",
        language="de",
        time_zone="UTC",
        day_limit_cents=300_00,
        day_turns_at_hour=6,
        reason="the law",
        key=new_key(),
        actor=boss,
    )
    approve(asked)
    the_staff()
    logins.role_passwords(create=True, key=new_key(), actor=None)
    found = people.player_create(given_name="Ann", family_name="Archer", key=new_key(), actor=None)
    people.player_identity(player_id=found["player"], identity_number="P1", key=new_key(), actor=None)
    corrected = people.player_correct(
        player_id=found["player"],
        given_name="Ann",
        family_name="Archer",
        alias="Ace",
        birth_year=1974,
        identity_number="P2",
        reason="her passport",
        key=new_key(),
        actor=boss,
    )
    approve(corrected)
    people.player_exclude(player_id=found["player"], reason="cheats", key=new_key(), actor=None)


def the_staff() -> None:
    boss = User.objects.get(username="boss")
    wanted = {"roles": ["cashier", "floor"], "reason": "she starts tonight"}
    made = approve(logins.staff_add(username="newcomer", **wanted, key=new_key(), actor=boss))["done"]
    passwords.password_link_make(link_id=made["link"], token="t" * 43, key=new_key(), actor=boss)
    passwords.password_by_link(token="t" * 43, password="seven brown foxes", key=new_key())
    newcomer = User.objects.get(pk=made["user"])
    passwords.password_change(password="nine green doors", proved=True, key=new_key(), actor=newcomer)
    pins.pin_set(pin="204816", proved=True, key=new_key(), actor=newcomer)
    pins.pin_remove(proved=True, key=new_key(), actor=newcomer)
    about = {"user_id": newcomer.pk, "actor": boss}
    approve(logins.staff_reset(**about, reason="forgot it", key=new_key()))
    logins.staff_roles(**about, roles=["floor"], key=new_key())
    approve(logins.staff_roles(**about, roles=["dealer"], reason="short of dealers", key=new_key()))


def the_set_up() -> Event:
    event = EventFactory(code="SCENE-1", opened=False)
    events.event_settings_change(
        event_id=event.pk, settings={"buy_in_cents": 120_00}, name="Other name", key=new_key(), actor=None
    )
    set_at = {"starts_zone": "America/Denver", "key": new_key(), "actor": None}
    events.event_start_change(event_id=event.pk, starts_at=datetime(2026, 11, 20, 19), **set_at)
    events.event_open(event_id=event.pk, key=new_key(), actor=None)
    the_clock(event)
    said = {"text": " Dinner  is served ", "key": new_key(), "actor": None}
    made = announcements.announcement_post(event_id=event.pk, **said)
    announcements.announcement_withdraw(announcement_id=made["announcement"], key=new_key(), actor=None)
    for mode, minutes, reason in (("delayed", 10, "the stream"), ("hidden", None, ""), ("live", None, "")):
        shown = {"mode": mode, "minutes": minutes, "reason": reason, "key": new_key(), "actor": None}
        publication.standings_publish(event_id=event.pk, **shown)
    named = screens.screen_add(event_id=event.pk, name="Bar", key=new_key(), actor=None)
    about = {"event_id": event.pk, "screen_id": named["screen"]}
    screens.screen_show(**about, kind="prizes", key=new_key(), actor=None)
    screens.screen_remove(**about, key=new_key(), actor=None)
    slides = [("standings", 10), ("prizes", 5)]
    screens.rotation_set(event_id=event.pk, slides=slides, key=new_key(), actor=None)
    events.event_setup_again(event_id=event.pk, key=new_key(), actor=None)
    return event


def the_clock(event: Event) -> None:
    about = {"event_id": event.pk, "actor": None}
    until = clocks.Until(seconds=600)
    clocks.clock_start(kind="late", label="Doors", until=until, key=new_key(), **about)
    clocks.clock_pause(key=new_key(), **about)
    clocks.clock_set(until=clocks.Until(seconds=45), key=new_key(), **about)
    clocks.clock_resume(key=new_key(), **about)
    clocks.clock_stop(key=new_key(), **about)


def the_desk() -> Event:
    event = playing.event_with(4)
    _, one = (PlayerFactory(given_name="Tim", family_name="Twin") for _ in range(2))
    people.player_check_refuse(
        event_id=event.pk, player_id=one.pk, outcome="under_age", key=new_key(), actor=None
    )
    about = {"event_id": event.pk, "player_id": one.pk, "actor": User.objects.get(username="boss")}
    approve(people.player_let_in_request(**about, reason="of age after all", key=new_key()))
    approve(people.players_apart_request(**about, reason="twins", key=new_key()))
    entries.entry_withdraw(
        entry_id=event.entries.get(code="E002").pk, reason="", key=new_key(), actor=UserFactory()
    )
    events.event_call_off(event_id=event.pk, reason="the lights went out", key=new_key(), actor=None)
    entry = event.entries.get(code="E001")
    refunds.refund_hand_out(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=UserFactory())
    return event


def the_draw() -> Event:
    event = event_make(4, public_input=True)
    table = seating.table_add(event_id=event.pk, boxes_out=[6, 7], key=new_key(), actor=None)
    seating.table_change(table_id=table["table"], in_use=False, boxes_out=[], key=new_key(), actor=None)
    dora = UserFactory(username="dora", roles=["dealer"])
    kept = event.tables.get(number=1).pk
    clerks.clerk_bind(table_id=kept, user_id=dora.pk, key=new_key(), actor=None)
    clerks.clerk_release(table_id=kept, user_id=dora.pk, key=new_key(), actor=None)
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)["draw"]
    draws.draw_cards(draw_id=locked, cards="Kh 4d 7s Ac 2d", key=new_key(), actor=UserFactory())
    draws.draw_confirm(draw_id=locked, key=new_key(), actor=UserFactory())
    draws.round_seat(draw_id=locked)
    EntryFactory(event=event)
    seat = Seat.objects.get(round__event=event, box=4)
    shoe = shoe_of(seat.round)
    seats_seen(shoe_id=shoe.pk, boxes=[1, 2], key=new_key(), actor=None)
    seating.seat_no_show(seat_id=seat.pk, refund=True, reason="her train", key=new_key(), actor=None)
    seating.seat_fill(round_id=seat.round_id, table_id=seat.table_id, box=4, key=new_key(), actor=None)
    dealing.round_play(round_id=seat.round_id, key=new_key(), actor=None)
    return event


def the_play_begun() -> Event:
    round_ = seated(2, record_mode="counts")
    dealing.round_play(round_id=round_.pk, key=new_key(), actor=None)
    round_play_undo(round_id=round_.pk, key=new_key(), actor=None)
    return round_.event


def the_redraw() -> Event:
    draw = draw_of(seated(4))
    approve(draws.redraw_request(draw_id=draw.pk, reason="left out", key=new_key(), actor=UserFactory()))
    return draw.event


def the_hands() -> Event:
    round_ = seated(2)
    shoe = shoe_of(round_)
    first = hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    opened = dealing.deal_open(shoe_id=shoe.pk, bets={1: 200, 2: 400}, mode="results", actor=None)
    dealing.deal_settle(
        deal_id=opened["deal"], outcomes={1: result("push"), 2: result("lose")}, key=new_key(), actor=None
    )
    opened = dealing.deal_open(shoe_id=shoe.pk, bets={1: 600, 2: 200}, actor=None)
    card = {"op": "card", "card": "9s"}
    dealing.deal_tap(deal_id=opened["deal"], seen=0, nonce=new_key(), op=card)
    right = Change(at=0, put=({"op": "card", "card": "8s"},))
    deal_amend(deal_id=opened["deal"], seen=1, change=right, key=new_key(), actor=None)
    deal = tapped(Deal.objects.get(pk=opened["deal"]), "8d 6d 2h 3c")
    early = {"op": "hole_turned", "card": "Td"}
    deal_play_on(
        deal_id=deal.pk, seen=len(deal.taps), op=early, reason="the floor, Ann", key=new_key(), actor=None
    )
    dealing.deal_void(deal_id=opened["deal"], reason="misdeal", key=new_key(), actor=None)
    stack = stack_at(round_, 1)
    given = approve(
        penalties.penalty_add(
            entry_id=stack.entry_id, kind="chips", chips=400, reason="late", key=new_key(), actor=None
        )
    )["done"]
    chips_right(shoe)
    approve(
        penalties.penalty_cancel(penalty_id=given["penalty"], reason="he was not", key=new_key(), actor=None)
    )
    corrections.deal_correct(
        deal_id=first.pk,
        outcomes={1: result("win"), 2: result("win")},
        reason="the wrong box",
        key=new_key(),
        actor=None,
    )
    chips_right(shoe)
    clerk = UserFactory()
    outcomes = {1: result("win"), 2: result("lose")}
    slip = dealing.deal_record_results(
        shoe_id=shoe.pk, bets={1: 200, 2: 200}, outcomes=outcomes, key=new_key(), actor=clerk
    )
    again = deal_take_back(deal_id=slip["deal"], key=new_key(), actor=clerk)
    dealing.deal_settle(deal_id=again["deal"], outcomes=outcomes, key=new_key(), actor=clerk)
    seating.stack_absent(stack_id=stack.pk, absent=True, reason="telephone", key=new_key(), actor=None)
    return round_.event


def the_counts() -> Event:
    round_ = seated(2)
    shoe = shoe_of(round_)
    hand(shoe, {1: 200, 2: 200}, b1="win", b2="push")
    hand(shoe, {1: 1_000, 2: 200}, b1="push", b2="push")
    shoe_over(shoe)
    for _ in range(2):
        counts.count_enter(shoe_id=shoe.pk, chips={1: 5_000, 2: 5_000}, key=new_key(), actor=UserFactory())
    counts.count_reopen(shoe_id=shoe.pk, reason="again", key=new_key(), actor=None)
    for chips in (5_000, 4_800):
        who = UserFactory(roles=["floor"])
        counts.count_enter(shoe_id=shoe.pk, chips={1: 5_000, 2: chips}, key=new_key(), actor=who)
    counts.count_again(shoe_id=shoe.pk, chips={2: 5_000}, key=new_key(), actor=who)
    counts.count_reopen(shoe_id=shoe.pk, reason="again", key=new_key(), actor=None)
    for _ in range(2):
        counts.count_enter(shoe_id=shoe.pk, chips={1: 5_000, 2: 5_000}, key=new_key(), actor=UserFactory())
    ruled = {"shoe_id": shoe.pk, "chips": {1: 5_600, 2: 5_000}, "reason": "found", "actor": None}
    approve(counts.count_rule(**ruled, key=new_key()))
    return round_.event


def the_shoe() -> Event:
    shoe = shoe_of(seated(2))
    with only(shoe, {1: 200}):
        dealing.deal_record(shoe_id=shoe.pk, record=one_box_win(1, 200), key=new_key(), actor=None)
    shoe_over(shoe)
    shoe_reopen(shoe_id=shoe.pk, reason="the wrong button", key=new_key(), actor=None)
    shoe_last_hand(shoe_id=shoe.pk, reason="a short shoe", key=new_key(), actor=None)
    return shoe.round.event


def the_tie() -> Event:
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2)
    play_and_count(round_)
    play_off = draw_and_seat(round_.event)
    shoe = shoe_of(play_off)
    dealing.shoe_end(shoe_id=shoe.pk, reason="fire drill", key=new_key(), actor=None)
    dealing.shoe_next(round_id=play_off.pk, table_id=shoe.table_id, key=new_key(), actor=None)
    return round_.event


def the_ruling() -> Event:
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut="director")
    play_and_count(round_)
    codes = list(round_.event.entries.values_list("code", flat=True))[:2]
    rounds.tie_rule(round_id=round_.pk, advance=codes, reason="drawn lots", key=new_key(), actor=None)
    return round_.event


def the_cut() -> Event:
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2)
    won = hand(shoe_of(round_), {1: 400, 2: 400, 3: 200, 4: 400}, b1="win", b2="win", b3="lose", b4="lose")
    play_and_count(round_)
    close(round_)
    first = stack_at(round_, 1).entry
    corrected = corrections.correction_request(
        deal_id=won.pk,
        outcomes={1: result("push"), 2: result("win"), 3: result("lose"), 4: result("lose")},
        reason="film",
        key=new_key(),
        actor=UserFactory(),
    )
    approve(corrected)
    seating.entry_replace(entry_id=first.pk, reason="ill", key=new_key(), actor=None)
    return round_.event


def the_cut_that_stands() -> Event:
    round_ = cut_put_right()
    cut_since.cut_stands(round_id=round_.pk, reason="they played on", key=new_key(), actor=None)
    return round_.event


def the_sudden_death() -> Event:
    sudden = sudden_death_of_two()
    gone = stack_at(sudden, 1)
    seating.stack_absent(stack_id=gone.pk, absent=True, reason="went home", key=new_key(), actor=None)
    dealing.round_look(round_id=sudden.pk, key=new_key(), actor=None)
    return sudden.event


def the_prizes() -> Event:
    event = playing.finished(5, second_person_from_cents=200_00)
    paid = {entry.code: entry.pk for entry in event.entries.all()}
    payments.prize_pay(entry_id=paid["E003"], identity_checked=True, key=new_key(), actor=UserFactory())
    asked = payments.prize_pay(
        entry_id=paid["E001"], identity_checked=True, key=new_key(), actor=UserFactory(username="carla")
    )
    approve(asked)
    asked = payments.prize_take_back_request(
        entry_id=paid["E003"], reason="to the wrong person", key=new_key(), actor=UserFactory()
    )
    approve(asked)
    return event


def the_sharing() -> Event:
    event = place_unheld(Event.Kind.TOURNAMENT)
    asked = prize_sharing.prize_sharing_request(
        event_id=event.pk,
        shares_cents={"E001": 20_00, "E002": 40_00},
        reason="they agreed",
        key=new_key(),
        actor=UserFactory(),
    )
    approve(asked)
    return event


def the_calling_off() -> Event:
    event = playing.finished(5)
    asked = events.event_call_off(
        event_id=event.pk, reason="counterfeit chips", key=new_key(), actor=UserFactory()
    )
    approve(asked)
    return event


def the_other_payouts() -> Event:
    event = playing.round_1_closed(5)
    playing.post(event)
    asked = payouts.payouts_supersede_request(
        event_id=event.pk,
        structure={"kind": "shares", "amounts": [6000, 4000]},
        reason="a sponsor",
        key=new_key(),
        actor=UserFactory(),
    )
    approve(asked)
    asked = entries.entry_disqualify_request(
        entry_id=event.entries.get(code="E002").pk, reason="marked cards", key=new_key(), actor=UserFactory()
    )
    approve(asked)
    return event


def the_rehearsal() -> Event:
    event = event_make(2, kind=Event.Kind.REHEARSAL)
    shoe = shoe_of(draw_and_seat(event))
    simulation.shoe_seed(shoe_id=shoe.pk, seed=bytes(32), key=new_key(), actor=None)
    return event


SCENES: list[Callable[[], Event | None]] = [
    the_house,
    the_set_up,
    the_desk,
    the_draw,
    the_play_begun,
    the_redraw,
    the_hands,
    the_counts,
    the_shoe,
    the_tie,
    the_ruling,
    the_cut,
    the_cut_that_stands,
    the_sudden_death,
    the_prizes,
    the_sharing,
    the_calling_off,
    the_other_payouts,
    the_rehearsal,
]


def lines_by_kind() -> dict[str, list[tuple[str, str]]]:
    """Title and detail of every line of every journal, by the kind of its command and of its request."""
    found: dict[str, list[tuple[str, str]]] = {}
    for event in [None, *Event.objects.all()]:
        for line in journal_lines(event, JournalEntry.objects.filter(event=event).order_by("seq")):
            found.setdefault(line.entry.kind, []).append((line.title, line.detail))
            if line.entry.kind == "request.decide":
                asked = line.entry.body["noted"]["kind"]
                found.setdefault(asked, []).append((line.title, line.detail))
    return found
