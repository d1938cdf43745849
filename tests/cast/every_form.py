"""Every form of the staff's pages, each on a page that has it: who sends it, where to, and what is typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tables.models import Clerk, CountSheet, Seat, Table
from tables.services.correction_later import correction_later
from tables.services.seating import seats_seen
from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.amending import tapped
from tests.cast.at_desk import staff
from tests.cast.every_page import (
    called_off,
    correction_asked,
    cut_put_right,
    disqualification_asked,
    link_for,
    login_asked,
)
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.screens import Form, one_page
from tests.cast.worlds import kept
from tournament.models import Event, Request, Round
from tournament.services.clocks import Until, clock_start
from tournament.services.entries import entry_disqualify_request
from tournament.services.hall import announcement_post, screen_add
from tournament.services.payments import prize_pay
from tournament.services.penalties import penalty_add
from tournament.services.people import player_check_refuse

# Why these need no state that they were made from.
NEEDS_NONE = {
    "tournament:login": "who logs in has seen nothing yet",
    "tournament:logout": "logging out twice is logging out",
    "tournament:event_new": "an event is made from nothing; its name may come twice",
    "tournament:staff_add": "a login is made from nothing; a name that is taken is refused",
    "tournament:desk_player": "a person is made from nothing; an identity that is known is refused",
    "tournament:own_password": "it carries the password of now; a change logs out all other screens",
    "tournament:password_link": "the link is used once",
    "tables:replay_from": "a record is played again and nothing is written",
}


def a_house() -> Form:
    typed = {"name": "Grand", "currency": "USD", "time_zone": "UTC", "day_limit_cents": "250.00"}
    typed |= {"language": "en", "day_turns_at_hour": "6", "reason": "A new name"}
    return one_page("/house/settings/", typed=typed, kept="Grand")


def own_pin() -> Form:
    typed = {"pin-old": "a long enough password", "pin-pin": "204816", "pin-pin_again": "204816", "do": "set"}
    return Form("/house/password/", "/house/password/pin/", typed=typed, by=UserFactory(roles=["dealer"]))


def somebody() -> Form:
    pk = UserFactory(roles=["dealer"]).pk
    typed = {"roles": ["floor"], "active": "1", "reason": "Moved"}
    return one_page(f"/house/staff/{pk}/", typed=typed, kept="Moved")


def a_password() -> Form:
    pk = UserFactory(roles=["dealer"]).pk
    path = f"/house/staff/{pk}/password/"
    return Form(f"/house/staff/{pk}/", path, typed={"reason": "Forgotten"}, kept="Forgotten")


def by_boss(page: str, make: Callable[[Any], int], path: str, **typed: Any) -> Form:
    """A form of the house about what one person has asked for."""
    boss = UserFactory(roles=["director"])
    made = Form(f"/house/{page}", f"/house/{path.format(make(boss))}", typed)
    return made if typed else replace(made, by=boss)


SHEET = {"do": "sheet", "sheet": "banco"}
START = {"starts_at": "2026-11-20T19:00", "starts_zone": "UTC"}
YES = {"answer": "approve"}


def for_reason(path: str, reason: str, role: str = "director", **typed: Any) -> Form:
    return one_page(path, typed={"reason": reason, **typed}, role=role, kept=reason)


def in_setup(tail: str, **given: Any) -> Form:
    return one_page(staff(EventFactory(opened=False), f"setup/{tail}"), **given)


def beside(page: str, tail: str, event: Event | None = None, **given: Any) -> Form:
    """A form of one page of an event that is sent to another."""
    event = event or EventFactory()
    return Form(staff(event, page), staff(event, tail), **given)


def of_draw(tail: str, event: Event | None = None, **typed: Any) -> Form:
    """A form on the page of the draw, which waits for its cards."""
    event, kept = event or drawing(confirm=False), typed.get("cards", "")
    return beside("draw/", f"draw/{tail}", event, typed=typed, kept=kept)


@kept
def drawing(confirm: bool) -> Event:
    """An event whose draw waits for its five cards, or for the second person."""
    event = cast.event_make(5, public_input=True)
    made = cast.draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    if confirm:
        given = {"draw_id": made["draw"], "cards": "KH 4D 7S AC 2D"}
        cast.draws.draw_cards(**given, key=new_key(), actor=UserFactory())
    return event


def of_boxes(tail: str, **typed: Any) -> Form:
    return beside("boxes/", f"boxes/{tail}", cast.event_make(3), typed=typed)


def of_person(tail: str, role: str = "cashier", known: bool = True, **typed: Any) -> Form:
    """A form of the desk about a person; a director is asked where somebody was turned away."""
    event, player = EventFactory(), PlayerFactory() if known else PlayerFactory(identity_digest=None)
    if tail == "ask/":
        given = {"event_id": event.pk, "player_id": player.pk, "outcome": "under_age"}
        player_check_refuse(**given, key=new_key(), actor=UserFactory())
    return beside(f"desk/?player={player.pk}", f"desk/{tail}", event, typed=typed, role=role)


def of_payouts(tail: str, *, posted: bool, **typed: Any) -> Form:
    event = playing.round_1_closed(5, cut_after_round_1=4, cut_after_round_2=3)
    if posted:
        playing.post(event)
    page, why = "payouts/confirm/?kind=shares&a1=60&a2=40", typed.get("reason", "")
    return beside(page, f"payouts/{tail}", event, typed=typed, role="manager", kept=why)


def an_answer() -> Form:
    entry = EntryFactory()
    boss = UserFactory(roles=["director"])
    asked = entry_disqualify_request(entry_id=entry.pk, reason="marked a card", key=new_key(), actor=boss)
    return beside("requests/", f"requests/{asked['request']}/", entry.event, typed={"answer": "refuse"})


def of_entry(tail: str, role: str = "director", **typed: Any) -> Form:
    entry = cast.stack_at(cast.seated(3), 1).entry
    page = staff(entry.event, f"entries/{entry.code}/")
    return Form(page, page + tail, typed=typed, role=role, kept=str(typed.get("reason", "")))


def a_cancelled_penalty() -> Form:
    entry = cast.stack_at(cast.seated(3), 1).entry
    given = penalty_add(entry_id=entry.pk, kind="warning", reason="late", key=new_key(), actor=None)
    page = staff(entry.event, f"entries/{entry.code}/")
    path = f"{page}penalty/{given['penalty']}/cancel/"
    return Form(page, path, typed={"reason": "was not late"})


def a_payment_back() -> Form:
    event = playing.finished(5, cut_after_round_1=4, cut_after_round_2=3)
    entry = event.entries.get(code="E001")
    prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=None)
    page = staff(event, "pay/E001/receipt/")
    typed = {"reason": "To the wrong person"}
    return Form(page, staff(event, "pay/E001/take-back/"), typed=typed, role="manager", kept=typed["reason"])


def a_no_show() -> Form:
    seat = Seat.objects.get(round=cast.seated(3), box=1)
    return one_page(staff(seat.round.event, f"seating/{seat.pk}/no-show/"))


def of_begin(tail: str, round_: Round) -> Form:
    return one_page(staff(round_.event, f"rounds/{round_.pk}/{tail}"))


def of_free_box(round_: Round) -> Form:
    late = EntryFactory(event=round_.event)
    return one_page(staff(round_.event, f"seating/{round_.pk}/1/7/"), typed={"entry": late.pk})


def a_dealer_taken_off() -> Form:
    event = cast.seated(3).event
    Clerk.objects.create(user=UserFactory(roles=["dealer"]), table=Table.objects.get(event=event))
    return one_page(staff(event, "tables/"), holds='value="release"')


def a_shoe_again() -> Form:
    page = staff(over().event, "tables/1/")
    return one_page(page, typed={"reason": "The wrong button"}, holds='name="do" value="reopen"')


def a_dealer_on_the_floor() -> Form:
    dealer = UserFactory(roles=["dealer"])
    return one_page(
        staff(cast.seated(3).event, "tables/"), typed={"user": dealer.pk, "table": "1"}, holds="bind-user"
    )


BETS = {"bet-1": "200", "bet-2": "200", "bet-3": "200"}


def at_table(do: str, mode: str = "results", round_: Round | None = None, **typed: Any) -> Form:
    page = staff((round_ or cast.seated(3)).event, "tables/1/")
    return Form(f"{page}?mode={mode}", page, typed=typed, holds=f'name="do" value="{do}"')


def absent() -> Form:
    round_ = cast.seated(3)
    return at_table("absent", round_=round_, reason="Gone", stack=cast.stack_at(round_, 1).pk)


def not_seen_after_all() -> Form:
    round_ = cast.seated(3)
    seats_seen(shoe_id=cast.shoe_of(round_).pk, boxes=[1, 2], key=new_key(), actor=None)
    return at_table("unseen", round_=round_, seen="1")


BETS3 = {1: 200, 2: 200, 3: 200}


def in_hand(do: str, taps: str = "", query: str = "", **typed: Any) -> Form:
    """A form beside an open hand with these taps."""
    round_ = cast.seated(3)
    tapped(cast.opened(cast.shoe_of(round_), BETS3), taps)
    page = staff(round_.event, "tables/1/")
    return Form(page + query, page, typed=typed, holds=f'name="do" value="{do}"')


def a_hole_card_turned() -> Form:
    """A hand with its first cards out, in which box 1 is to act."""
    typed = {"rank": "T", "suit": "d", "reason": "Floor: Ann", "ruling": "play_on"}
    return in_hand("wrong", "9s 8d 7c 6d 2h 3c 4d", **typed)


def over(*counts: dict[int, int]) -> Round:
    """Round 1 of two with its shoe over, and these counts of it."""
    round_ = cast.seated(2)
    shoe = cast.shoe_of(round_)
    cast.shoe_over(shoe)
    for chips in counts:
        cast.counts.count_enter(
            shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory(roles=["floor"])
        )
    return round_


DIFFER = {1: 5000, 2: 5000}, {1: 5200, 2: 4800}


def of_count(do: str, *counts: dict[int, int], **given: Any) -> Form:
    return one_page(staff(over(*counts).event, "tables/1/count/"), holds=f'value="{do}"', **given)


def a_ruling(one: str, two: str) -> Form:
    typed = {"chips-1": one, "chips-2": two, "reason": "Counted a third time"}
    return of_count("rule", *DIFFER, typed=typed)


def a_box_counted_again() -> Form:
    made = of_count("again", {1: 5000, 2: 5000}, {1: 5000, 2: 4800}, typed={"chips-2": "5000"})
    return replace(made, by=CountSheet.objects.latest("pk").counted_by)


def an_answer_to_a_ruling() -> Form:
    round_ = over(*DIFFER)
    ruled = {"shoe_id": cast.shoe_of(round_).pk, "chips": DIFFER[1], "reason": "Counted a third time"}
    asked = cast.counts.count_rule(**ruled, key=new_key(), actor=UserFactory())
    path = f"requests/{asked['request']}/"
    return beside("requests/", path, round_.event, typed=YES, role="manager")


def a_cut_that_stands() -> Form:
    round_ = cut_put_right()
    return for_reason(staff(round_.event, f"rounds/{round_.pk}/stands/"), "They have played on")


def a_person() -> Form:
    page = staff(EventFactory(), f"people/{PlayerFactory().pk}/")
    return for_reason(page, "Her own wish", "cashier", alias="Ace")


def a_prize() -> Form:
    event = playing.finished(5, cut_after_round_1=4, cut_after_round_2=3)
    return one_page(staff(event, "pay/E001/"), typed={"identity_checked": "on"}, role="manager")


def a_buy_in_back() -> Form:
    page = staff(called_off(Event.Kind.TOURNAMENT), "refunds/E001/")
    return one_page(page, typed={"identity_checked": "on"}, role="cashier")


def asked_about(ask: Callable[[str], Request], tail: str) -> Form:
    asked = ask(Event.Kind.TOURNAMENT)
    return one_page(staff(asked.event, f"requests/{asked.pk}/{tail}"), typed=YES)


def chips_due() -> Form:
    """A table in play from which chips of a penalty are to be taken."""
    round_ = cast.seated(3)
    cast.hand(cast.shoe_of(round_), BETS3, b1="win", b2="win", b3="lose")
    cast.take_chips(cast.stack_at(round_, 1).entry, 800)
    return one_page(staff(round_.event, "tables/1/"), holds='name="do" value="due"')


def a_slip() -> Form:
    """A hand by results that its clerk can take back."""
    round_, clerk = cast.seated(3), UserFactory(roles=["floor"])
    cast.dealing.deal_record_results(
        shoe_id=cast.shoe_of(round_).pk,
        bets=BETS3,
        outcomes={box: cast.result("win") for box in (1, 2, 3)},
        key=new_key(),
        actor=clerk,
    )
    page = staff(round_.event, "tables/1/")
    return Form(page, page, holds='name="do" value="take_back"', by=clerk)


def the_close() -> Form:
    round_ = cast.seated(5, cut_after_round_1=3, cut_after_round_2=3)
    cast.hand(cast.shoe_of(round_), {n: 200 * n for n in (1, 2)}, b1="win", b2="win")
    cast.hand(cast.shoe_of(round_), {3: 1000}, b3="win")
    cast.play_and_count(round_)
    page = staff(round_.event, f"rounds/{round_.pk}/")
    return Form(page + "close/", page, holds='value="close"')


def a_correction(*, waits: bool = False) -> Form:
    deal = cast.hand(cast.shoe_of(cast.seated(3)), {1: 200}, b1="win")
    typed = {"do": "correct", "how": "results", "bet-1": "200", "out-1": "lose", "reason": "Seen on tape"}
    page = staff(deal.shoe.round.event, f"deals/{deal.pk}/correct/?how=results")
    if not waits:
        return Form(page, page.split("?")[0], typed=typed, kept="Seen on tape")
    cast.opened(deal.shoe, {1: 200})
    correction_later(deal_id=deal.pk, void=True, reason="Seen on tape", key=new_key(), actor=None)
    return Form(page, page.split("?")[0], typed={"do": "drop"}, holds='value="drop"')


def an_announcement_withdrawn() -> Form:
    event = EventFactory()
    made = announcement_post(event_id=event.pk, text="Dinner is served", key=new_key(), actor=None)
    return beside("hall/", f"hall/announcements/{made['announcement']}/withdraw/", event)


def of_hall(tail: str, kept: str = "", **typed: Any) -> Form:
    return beside("hall/", f"hall/{tail}", typed=typed, kept=kept)


def of_screen(tail: str, **typed: Any) -> Form:
    event = EventFactory()
    made = screen_add(event_id=event.pk, name="bar", key=new_key(), actor=None)
    return beside("hall/", f"hall/{tail}", event, typed={**typed, "screen": made["screen"]})


def of_clock(do: str, *, runs: bool = True, **typed: Any) -> Form:
    event, until = EventFactory(), Until(seconds=600)
    if runs:
        clock_start(event_id=event.pk, kind="break", until=until, key=new_key(), actor=None)
    typed, holds = {"do": do, **typed}, f'name="do" value="{do}"'
    return one_page(staff(event, "clock/"), typed=typed, holds=holds, kept=typed.get("label", ""))


DINNER = {"kind": "break", "label": "Dinner", "length": "20"}
SERVED = {"text": "Dinner is served"}

FORMS: dict[str, Callable[[], Form]] = {
    "tournament:house_settings": a_house,
    "tournament:staff_person": somebody,
    "tournament:own_pin": own_pin,
    "tournament:staff_new_password": a_password,
    "tournament:staff_link": lambda: by_boss("staff/", link_for, "staff/links/{}/"),
    "tournament:house_request_answer": lambda: by_boss("requests/", login_asked, "requests/{}/", **YES),
    "tournament:setup": lambda: in_setup("", typed={"name": "Spring Cup"}, kept="Spring Cup"),
    "tournament:hand_setup": lambda: in_setup("hand/", typed=SHEET, holds='value="sheet"'),
    "tournament:setup_post": lambda: in_setup("post/"),
    "tournament:setup_again": lambda: beside("setup/", "setup/again/"),
    "tournament:start": lambda: one_page(staff(EventFactory(), "start/"), typed=START, kept="T19:00"),
    "tournament:hall": lambda: one_page(staff(EventFactory(), "hall/"), typed=SERVED, kept=SERVED["text"]),
    "tournament:announcement_withdraw": an_announcement_withdrawn,
    "tournament:screen_add": lambda: of_hall("screens/", "stage", name="stage"),
    "tournament:screen_show": lambda: of_screen("screens/show/", kind="prizes"),
    "tournament:screen_remove": lambda: of_screen("screens/remove/"),
    "tournament:hall_rotation": lambda: of_hall("rotation/", "17", number_out="1", seconds_out="17"),
    "tournament:standings_publish": lambda: of_hall("standings/", "17", mode="delayed", minutes="17"),
    "tournament:call_off": lambda: for_reason(staff(EntryFactory().event, "call-off/"), "Too few came"),
    "tournament:request_answer": an_answer,
    "tournament:desk_buy_in": lambda: of_person("buy-in/", identity_checked="on"),
    "tournament:desk_turn_away": lambda: of_person("turn-away/", outcome="under_age"),
    "tournament:desk_identity": lambda: of_person("identity/", known=False, identity_number="AB 123456"),
    "tournament:person": a_person,
    "tournament:desk_ask": lambda: of_person("ask/", "director", reason="Has shown a passport"),
    "tournament:entry_leave": lambda: of_entry("withdraw/", reason="Ill", refund="on"),
    "tournament:entry_penalty": lambda: of_entry("penalty/", "floor", kind="warning", reason="Late"),
    "tournament:entry_penalty chips": lambda: of_entry("penalty/", kind="chips", chips="200", reason="Late"),
    "tournament:entry_disqualify": lambda: of_entry("disqualify/", reason="Marked a card"),
    "tournament:entry_penalty_cancel": a_cancelled_penalty,
    "tournament:payouts_post": lambda: of_payouts("post/", posted=False),
    "tournament:payouts_replace": lambda: of_payouts("replace/", posted=True, reason="A typo"),
    "tournament:pay_entry": a_prize,
    "tournament:pay_take_back": a_payment_back,
    "tournament:refund_entry": a_buy_in_back,
    "tables:draw_lock": lambda: of_draw("lock/", cast.event_make(3, public_input=True)),
    "tables:draw_cards": lambda: of_draw("cards/", cards="KH 4D 7S AC 2D"),
    "tables:draw_confirm": lambda: of_draw("confirm/", drawing(confirm=True)),
    "tables:draw_again": lambda: of_draw("1/again/", cast.seated(3).event, reason="A box was out"),
    "tables:seat_no_show": a_no_show,
    "tables:seat_fill": lambda: of_free_box(cast.seated(3)),
    "tables:play_begin": lambda: of_begin("begin/", cast.seated(3, record_mode="counts")),
    "tables:entry_replace": lambda: for_reason(
        staff(playing.round_1_closed(5, cut_after_round_1=3, cut_after_round_2=3), "seating/replace/E001/"),
        "Ill",
    ),
    "tables:boxes_add": lambda: of_boxes("add/", one="1"),
    "tables:boxes_change": lambda: of_boxes("1/", in_use="1", box=["1", "2", "3"]),
    "tables:boxes_dealer": lambda: of_boxes("1/dealer/", user=UserFactory(roles=["dealer"]).pk),
    "tables:clock": lambda: of_clock("start", runs=False, **DINNER),
    "tables:clock pause": lambda: of_clock("pause"),
    "tables:clock set": lambda: of_clock("set", length="20"),
    "tables:floor": a_dealer_on_the_floor,
    "tables:floor release": a_dealer_taken_off,
    "tables:table results": lambda: at_table("results", **BETS, **{f"out-{n}": "win" for n in (1, 2, 3)}),
    "tables:table bets": lambda: at_table("bets", "cards", **BETS),
    "tables:table cut": lambda: at_table("cut", reason="The shuffler broke"),
    "tables:table close": lambda: at_table("close", reason="The shuffler broke"),
    "tables:table absent": absent,
    "tables:table seen": lambda: at_table("seen", seen=["1", "2"]),
    "tables:table unseen": not_seen_after_all,
    "tables:table due": chips_due,
    "tables:table void": lambda: in_hand("void", reason="Misdeal"),
    "tables:table amend": lambda: in_hand("amend", "9s", "?amend=0", card="8s"),
    "tables:table wrong": a_hole_card_turned,
    "tables:table last_hand": lambda: in_hand("last_hand", reason="A short shoe"),
    "tables:table reopen": a_shoe_again,
    "tables:count": lambda: of_count("enter", typed={"chips-1": "5000", "chips-2": "5000"}, kept="5000"),
    "tables:count again": a_box_counted_again,
    "tables:count rule": lambda: a_ruling("5000", "5000"),
    "tables:count rule moves": lambda: a_ruling("5200", "4800"),
    "tournament:request_answer ruling": an_answer_to_a_ruling,
    "tables:count reopen": lambda: of_count("reopen", *DIFFER, typed={"reason": "Both are wrong"}),
    "tables:round": the_close,
    "tables:cut_stands": a_cut_that_stands,
    "tables:correct": a_correction,
    "tables:correct drop": lambda: a_correction(waits=True),
    "tables:correction_asked": lambda: asked_about(correction_asked, "correction/"),
    "tournament:disqualification_asked": lambda: asked_about(disqualification_asked, "disqualification/"),
}
FORMS = {name: kept(form) for name, form in FORMS.items()}
# Of a hand that was settled just now, so that it is made each time.
FORMS["tables:table take_back"] = a_slip

WITH_REASON = frozenset(
    f"tournament:{name}"
    for name in (
        *("house_settings", "staff_person", "staff_new_password", "call_off", "person", "desk_ask"),
        *("entry_leave", "entry_penalty", "entry_penalty chips", "entry_disqualify", "entry_penalty_cancel"),
        *("payouts_replace", "pay_take_back"),
    )
) | frozenset(
    f"tables:{name}"
    for name in (
        *("draw_again", "entry_replace", "cut_stands", "correct"),
        *("table cut", "table close", "table absent", "table void", "table wrong", "table last_hand"),
        "table reopen",
        *("count rule", "count rule moves", "count reopen"),
    )
)
"""The forms that take a reason."""
