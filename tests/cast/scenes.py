"""The scenes in which every kind of command occurs, played by the services: for the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from pages.words.history import journal_lines
from tables.models import Deal, Seat
from tables.selectors.amending import Change
from tables.selectors.cut_review import cut_review
from tables.services import clerks, closing, corrections, counts, dealing, draws, seating, simulation
from tables.services.amending import deal_amend, deal_play_on
from tables.services.correction_later import correction_drop, correction_later, corrections_carry_out
from tables.services.seating import seats_seen
from tables.services.shoes import shoe_end, shoe_last_hand, shoe_next, shoe_reopen
from tables.services.take_back import deal_take_back
from tests.cast import playing
from tests.cast.amending import tapped
from tests.cast.corrected import put_right, round_1, words
from tests.cast.every_page import cut_put_right
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.floor import (
    chips_right,
    confirm,
    disqualify,
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
from tests.cast.payments import pay, take_back
from tests.cast.tied import play_off
from tournament.models import Event, JournalEntry
from tournament.services import (
    clocks,
    entries,
    events,
    hall,
    house,
    logins,
    passwords,
    payouts,
    penalties,
    people,
    pins,
    refunds,
)


def by(actor: User | None = None) -> dict[str, Any]:
    """A press of its own."""
    return {"key": new_key(), "actor": actor}


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
        **by(boss),
    )
    confirm(asked)
    the_staff()
    logins.role_passwords(create=True, **by())
    found = people.player_create(given_name="Ann", family_name="Archer", **by())
    people.player_identity(player_id=found["player"], identity_number="P1", **by())
    corrected = people.player_correct(
        player_id=found["player"],
        given_name="Ann",
        family_name="Archer",
        alias="Ace",
        birth_year=1974,
        identity_number="P2",
        reason="her passport",
        **by(boss),
    )
    confirm(corrected)


def the_staff() -> None:
    boss = User.objects.get(username="boss")
    wanted = {"roles": ["cashier", "floor"], "reason": "she starts tonight"}
    made = confirm(logins.staff_add(username="newcomer", **wanted, **by(boss)))
    passwords.password_link_make(link_id=made["link"], token="t" * 43, **by(boss))
    passwords.password_by_link(token="t" * 43, password="seven brown foxes", key=new_key())
    newcomer = User.objects.get(pk=made["user"])
    passwords.password_change(password="nine green doors", proved=True, **by(newcomer))
    pins.pin_set(pin="204816", proved=True, **by(newcomer))
    pins.pin_remove(proved=True, **by(newcomer))
    about = {"user_id": newcomer.pk, "actor": boss}
    confirm(logins.staff_reset(**about, reason="forgot it", key=new_key()))
    logins.staff_roles(**about, roles=["floor"], key=new_key())
    confirm(logins.staff_roles(**about, roles=["dealer"], reason="short of dealers", key=new_key()))


def the_set_up() -> Event:
    event = EventFactory(code="SCENE-1", opened=False)
    events.event_settings_change(
        event_id=event.pk, settings={"buy_in_cents": 120_00}, name="Other name", **by()
    )
    set_at = {"starts_zone": "America/Denver", "key": new_key(), "actor": None}
    events.event_start_change(event_id=event.pk, starts_at=datetime(2026, 11, 20, 19), **set_at)
    events.event_open(event_id=event.pk, **by())
    the_clock(event)
    said = {"text": " Dinner  is served ", "key": new_key(), "actor": None}
    made = hall.announcement_post(event_id=event.pk, **said)
    hall.announcement_withdraw(announcement_id=made["announcement"], **by())
    for mode, minutes, reason in (("delayed", 10, "the stream"), ("hidden", None, ""), ("live", None, "")):
        shown = {"mode": mode, "minutes": minutes, "reason": reason, "key": new_key(), "actor": None}
        hall.standings_publish(event_id=event.pk, **shown)
    named = hall.screen_add(event_id=event.pk, name="Bar", **by())
    about = {"event_id": event.pk, "screen_id": named["screen"]}
    hall.screen_show(**about, kind="prizes", **by())
    hall.screen_remove(**about, **by())
    slides = [("standings", 10), ("prizes", 5)]
    hall.rotation_set(event_id=event.pk, slides=slides, **by())
    events.event_setup_again(event_id=event.pk, **by())
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
    people.player_check_refuse(event_id=event.pk, player_id=one.pk, outcome="under_age", **by())
    about = {"event_id": event.pk, "player_id": one.pk, "actor": User.objects.get(username="boss")}
    confirm(people.player_let_in_request(**about, reason="of age after all", key=new_key()))
    confirm(people.players_apart_request(**about, reason="twins", key=new_key()))
    entries.entry_withdraw(entry_id=event.entries.get(code="E002").pk, reason="", **by(UserFactory()))
    events.event_call_off(event_id=event.pk, reason="the lights went out", **by())
    entry = event.entries.get(code="E001")
    refunds.refund_hand_out(entry_id=entry.pk, identity_checked=True, **by(UserFactory()))
    return event


def the_draw() -> Event:
    event = event_make(4, public_input=True)
    table = seating.table_add(event_id=event.pk, boxes_out=[6, 7], **by())
    seating.table_change(table_id=table["table"], in_use=False, boxes_out=[], **by())
    dora = UserFactory(username="dora", roles=["dealer"])
    kept = event.tables.get(number=1).pk
    clerks.clerk_bind(table_id=kept, user_id=dora.pk, **by())
    clerks.clerk_release(table_id=kept, user_id=dora.pk, **by())
    locked = draws.draw_lock(event_id=event.pk, **by())["draw"]
    draws.draw_cards(draw_id=locked, cards="Kh 4d 7s Ac 2d", **by(UserFactory()))
    draws.draw_confirm(draw_id=locked, **by(UserFactory()))
    draws.round_seat(draw_id=locked)
    EntryFactory(event=event)
    seat = Seat.objects.get(round__event=event, box=4)
    shoe = shoe_of(seat.round)
    seats_seen(shoe_id=shoe.pk, boxes=[1, 2], **by())
    seating.seat_no_show(seat_id=seat.pk, refund=True, reason="her train", **by())
    seating.seat_fill(round_id=seat.round_id, table_id=seat.table_id, box=4, **by())
    dealing.round_play(round_id=seat.round_id, **by())
    return event


def the_redraw() -> Event:
    draw = draw_of(seated(4))
    confirm(draws.redraw_request(draw_id=draw.pk, reason="left out", **by(UserFactory())))
    return draw.event


def the_hands() -> Event:
    round_ = seated(2)
    shoe = shoe_of(round_)
    first = hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    opened = dealing.deal_open(shoe_id=shoe.pk, bets={1: 200, 2: 400}, mode="results", actor=None)
    dealing.deal_settle(deal_id=opened["deal"], outcomes={1: result("push"), 2: result("lose")}, **by())
    opened = dealing.deal_open(shoe_id=shoe.pk, bets={1: 600, 2: 200}, actor=None)
    card = {"op": "card", "card": "9s"}
    dealing.deal_tap(deal_id=opened["deal"], seen=0, nonce=new_key(), op=card)
    right = Change(at=0, put=({"op": "card", "card": "8s"},))
    deal_amend(deal_id=opened["deal"], seen=1, change=right, **by())
    deal = tapped(Deal.objects.get(pk=opened["deal"]), "8d 6d 2h 3c")
    early = {"op": "hole_turned", "card": "Td"}
    deal_play_on(deal_id=deal.pk, seen=len(deal.taps), op=early, reason="the floor, Ann", **by())
    later = {"deal_id": first.pk, "void": True, "reason": "the camera"}
    correction_drop(deal_id=first.pk, later=correction_later(**later, **by())["later"], **by())
    correction_later(**later, **by())
    dealing.deal_void(deal_id=opened["deal"], reason="misdeal", **by())
    stack = stack_at(round_, 1)
    given = confirm(
        penalties.penalty_add(entry_id=stack.entry_id, kind="chips", chips=400, reason="late", **by())
    )
    chips_right(shoe)
    confirm(penalties.penalty_cancel(penalty_id=given["penalty"], reason="he was not", **by()))
    corrections.deal_correct(
        deal_id=first.pk, outcomes={1: result("win"), 2: result("win")}, reason="the wrong box", **by()
    )
    corrections_carry_out(shoe_id=shoe.pk)
    chips_right(shoe)
    clerk = UserFactory()
    outcomes = {1: result("win"), 2: result("lose")}
    slip = dealing.deal_record_results(shoe_id=shoe.pk, bets={1: 200, 2: 200}, outcomes=outcomes, **by(clerk))
    again = deal_take_back(deal_id=slip["deal"], **by(clerk))
    dealing.deal_settle(deal_id=again["deal"], outcomes=outcomes, **by(clerk))
    seating.stack_absent(stack_id=stack.pk, absent=True, reason="telephone", **by())
    return round_.event


def the_counts() -> Event:
    round_ = seated(2)
    shoe = shoe_of(round_)
    hand(shoe, {1: 200, 2: 200}, b1="win", b2="push")
    hand(shoe, {1: 1_000, 2: 200}, b1="push", b2="push")
    shoe_over(shoe)
    for _ in range(2):
        counts.count_enter(shoe_id=shoe.pk, chips={1: 5_000, 2: 5_000}, **by(UserFactory()))
    counts.count_reopen(shoe_id=shoe.pk, reason="again", **by())
    for chips in (5_000, 4_800):
        who = UserFactory(roles=["floor"])
        counts.count_enter(shoe_id=shoe.pk, chips={1: 5_000, 2: chips}, **by(who))
    counts.count_enter(again=True, shoe_id=shoe.pk, chips={2: 5_000}, **by(who))
    counts.count_reopen(shoe_id=shoe.pk, reason="again", **by())
    for _ in range(2):
        counts.count_enter(shoe_id=shoe.pk, chips={1: 5_000, 2: 5_000}, **by(UserFactory()))
    ruled = {"shoe_id": shoe.pk, "chips": {1: 5_600, 2: 5_000}, "reason": "found", "actor": None}
    confirm(counts.count_rule(**ruled, key=new_key()))
    return round_.event


def the_shoe() -> Event:
    shoe = shoe_of(seated(2))
    with only(shoe, {1: 200}):
        dealing.deal_record(shoe_id=shoe.pk, record=one_box_win(1, 200), **by())
    shoe_over(shoe)
    shoe_reopen(shoe_id=shoe.pk, reason="the wrong button", **by())
    shoe_last_hand(shoe_id=shoe.pk, reason="a short shoe", **by())
    return shoe.round.event


def the_tie() -> Event:
    stage = play_off(4)
    shoe = shoe_of(stage)
    shoe_end(shoe_id=shoe.pk, reason="fire drill", **by())
    shoe_next(round_id=stage.pk, table_id=shoe.table_id, **by())
    return stage.event


def the_ruling() -> Event:
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut="director")
    play_and_count(round_)
    codes = list(round_.event.entries.values_list("code", flat=True))[:2]
    closing.tie_rule(round_id=round_.pk, advance=codes, reason="drawn lots", **by())
    return round_.event


def the_cut() -> Event:
    round_, won = round_1()
    put_right(won, outcomes=words(b1="push", b2="win", b3="lose", b4="lose"))
    seating.entry_replace(entry_id=stack_at(round_, 1).entry_id, reason="ill", **by())
    return round_.event


def the_cut_that_stands() -> Event:
    round_ = cut_put_right()
    closing.cut_stands(round_id=round_.pk, reason="they played on", **by())
    stood = cut_review(round_)
    assert stood is not None and stood.stands is not None
    return round_.event


def the_sudden_death() -> Event:
    sudden = sudden_death_of_two()
    gone = stack_at(sudden, 1)
    seating.stack_absent(stack_id=gone.pk, absent=True, reason="went home", **by())
    dealing.round_look(round_id=sudden.pk, **by())
    return sudden.event


def the_prizes() -> Event:
    event = playing.finished(5, second_person_from_cents=200_00)
    pay(event, "E003", UserFactory())
    confirm(pay(event, "E001", UserFactory(username="carla")))
    take_back(event, "E003")
    return event


def the_calling_off() -> Event:
    event = playing.finished(5)
    confirm(events.event_call_off(event_id=event.pk, reason="counterfeit chips", **by(UserFactory())))
    return event


def the_other_payouts() -> Event:
    event = playing.round_1_closed(5)
    playing.post(event)
    structure = {"kind": "shares", "amounts": [6000, 4000]}
    about = {"event_id": event.pk, "structure": structure, "reason": "a sponsor"}
    confirm(payouts.payouts_supersede_request(**about, **by(UserFactory())))
    disqualify(event, "E002")
    return event


def the_rehearsal() -> Event:
    event = event_make(2, kind=Event.Kind.REHEARSAL)
    shoe = shoe_of(draw_and_seat(event))
    simulation.shoe_seed(shoe_id=shoe.pk, seed=bytes(32), **by())
    return event


SCENES: list[Callable[[], Event | None]] = [
    the_house,
    the_set_up,
    the_desk,
    the_draw,
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
