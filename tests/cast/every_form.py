"""Every form of the staff's pages, each on a page that has it: who sends it, where to, and what is typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tables.models import Clerk, Deal, Seat, Table
from tables.services.seen import seats_seen
from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.amending import tapped
from tests.cast.at_desk import staff
from tests.cast.every_page import (
    correction_asked,
    cut_put_right,
    disqualification_asked,
    link_for,
    login_asked,
    place_unheld,
)
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.form import Form, one_page
from tests.cast.hall_forms import (
    a_clock,
    a_publication,
    a_rotation,
    a_running_clock,
    an_announcement,
    an_announcement_withdrawn,
    another_screen,
    of_screen,
)
from tests.cast.worlds import kept
from tournament.models import Event, Penalty, Request, Round
from tournament.services.entries import entry_disqualify_request
from tournament.services.events import event_call_off
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
    "tournament:own_password": "it carries the password of now, which is another one once it is changed",
    "tournament:own_pin": "it carries the password; the PIN that was set last is the one in force",
    "tournament:password_link": "the link is used once",
    "tables:replay_from": "a record is played again and nothing is written",
}


def a_house() -> Form:
    typed = {"name": "Grand", "currency": "USD", "time_zone": "UTC", "day_limit_cents": "250.00"}
    typed |= {"language": "en", "day_turns_at_hour": "6", "reason": "A new name"}
    return one_page("/house/settings/", typed=typed, kept="Grand")


def somebody() -> Form:
    pk = UserFactory(roles=["dealer"]).pk
    typed = {"roles": ["floor"], "active": "1", "reason": "Moved"}
    return one_page(f"/house/staff/{pk}/", typed=typed, kept="Moved")


def a_password() -> Form:
    pk = UserFactory(roles=["dealer"]).pk
    path = f"/house/staff/{pk}/password/"
    return Form(f"/house/staff/{pk}/", path, typed={"reason": "Forgotten"}, kept="Forgotten")


def a_link() -> Form:
    asker = UserFactory(roles=["director"])
    return Form("/house/staff/", f"/house/staff/links/{link_for(asker)}/", by=asker)


def an_answer_of_the_house() -> Form:
    path = f"/house/requests/{login_asked(UserFactory(roles=['director']))}/"
    return Form("/house/requests/", path, typed={"answer": "approve"})


def a_draft() -> Event:
    return EventFactory(opened=False)


def the_setup() -> Form:
    return one_page(staff(a_draft(), "setup/"), typed={"name": "Spring Cup"}, kept="Spring Cup")


def the_start() -> Form:
    typed = {"starts_at": "2026-11-20T19:00", "starts_zone": "UTC"}
    return one_page(staff(EventFactory(), "start/"), typed=typed, kept="2026-11-20T19:00")


def the_hand() -> Form:
    path = staff(a_draft(), "setup/hand/")
    return one_page(path, typed={"do": "sheet", "sheet": "banco"}, holds='value="sheet"')


def the_rules() -> Form:
    return one_page(staff(a_draft(), "setup/post/"))


def the_setup_again() -> Form:
    event = EventFactory()
    return Form(staff(event, "setup/"), staff(event, "setup/again/"))


def calling_off() -> Form:
    return one_page(
        staff(EntryFactory().event, "call-off/"), typed={"reason": "Too few came"}, kept="Too few came"
    )


def an_answer() -> Form:
    entry = EntryFactory()
    boss = UserFactory(roles=["director"])
    entry_disqualify_request(entry_id=entry.pk, reason="marked a card", key=new_key(), actor=boss)
    path = staff(entry.event, f"requests/{Request.objects.get().pk}/")
    return Form(staff(entry.event, "requests/"), path, typed={"answer": "refuse"})


def a_buy_in() -> Form:
    event, player = EventFactory(), PlayerFactory()
    page = staff(event, f"desk/?player={player.pk}")
    return Form(page, staff(event, "desk/buy-in/"), typed={"identity_checked": "on"}, role="cashier")


def turned_away() -> Form:
    event, player = EventFactory(), PlayerFactory()
    page = staff(event, f"desk/?player={player.pk}")
    return Form(page, staff(event, "desk/turn-away/"), typed={"outcome": "under_age"}, role="cashier")


def an_identity() -> Form:
    event, player = EventFactory(), PlayerFactory(identity_digest=None)
    page = staff(event, f"desk/?player={player.pk}")
    typed = {"identity_number": "AB 123456"}
    return Form(page, staff(event, "desk/identity/"), typed=typed, role="cashier")


def a_person() -> Form:
    player = PlayerFactory()
    typed = {"alias": "Ace", "reason": "Her own wish"}
    return one_page(
        staff(EventFactory(), f"people/{player.pk}/"), typed=typed, role="cashier", kept="Her own wish"
    )


def let_in_after_all() -> Form:
    event, player = EventFactory(), PlayerFactory()
    player_check_refuse(
        event_id=event.pk, player_id=player.pk, outcome="under_age", key=new_key(), actor=UserFactory()
    )
    page = staff(event, f"desk/?player={player.pk}")
    return Form(page, staff(event, "desk/ask/"), typed={"reason": "Has shown a passport"})


def of_entry(tail: str, role: str = "director", **typed: Any) -> Form:
    entry = cast.stack_at(cast.seated(3), 1).entry
    page = staff(entry.event, f"entries/{entry.code}/")
    return Form(page, page + tail, typed=typed, role=role, kept=str(typed.get("reason", "")))


def a_cancelled_penalty() -> Form:
    entry = cast.stack_at(cast.seated(3), 1).entry
    penalty_add(entry_id=entry.pk, kind="warning", reason="late", key=new_key(), actor=None)
    page = staff(entry.event, f"entries/{entry.code}/")
    path = f"{page}penalty/{Penalty.objects.get().pk}/cancel/"
    return Form(page, path, typed={"reason": "was not late"})


def the_payouts() -> Form:
    event = playing.round_1_closed(5, cut_after_round_1=4, cut_after_round_2=3)
    page = staff(event, "payouts/confirm/?kind=shares&a1=60&a2=40")
    return Form(page, staff(event, "payouts/post/"), role="manager")


def other_payouts() -> Form:
    event = playing.round_1_closed(5, cut_after_round_1=4, cut_after_round_2=3)
    playing.post(event)
    page = staff(event, "payouts/confirm/?kind=shares&a1=60&a2=40")
    return Form(
        page, staff(event, "payouts/replace/"), typed={"reason": "A typo"}, role="manager", kept="A typo"
    )


def a_prize() -> Form:
    event = playing.finished(5, cut_after_round_1=4, cut_after_round_2=3)
    return one_page(staff(event, "pay/E001/"), typed={"identity_checked": "on"}, role="manager")


def a_prize_shared_out() -> Form:
    event = place_unheld(Event.Kind.TOURNAMENT)
    typed = {"share-E001": "20", "share-E002": "40", "reason": "They agreed"}
    return one_page(staff(event, "payouts/sharing/"), typed=typed, kept="They agreed")


def a_payment_back() -> Form:
    event = playing.finished(5, cut_after_round_1=4, cut_after_round_2=3)
    entry = event.entries.get(code="E001")
    prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=None)
    page = staff(event, "pay/E001/receipt/")
    typed = {"reason": "To the wrong person"}
    return Form(page, staff(event, "pay/E001/take-back/"), typed=typed, role="manager", kept=typed["reason"])


def a_buy_in_back() -> Form:
    event = EntryFactory().event
    event_call_off(event_id=event.pk, reason="The power is out", key=new_key(), actor=None)
    return one_page(staff(event, "refunds/E001/"), typed={"identity_checked": "on"}, role="cashier")


def the_lock() -> Form:
    event = cast.event_make(3, public_input=True)
    return Form(staff(event, "draw/"), staff(event, "draw/lock/"))


def locked() -> Event:
    event = cast.event_make(3, public_input=True)
    cast.draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    return event


def the_cards() -> Form:
    event = locked()
    typed = {"cards": "KH 4D 7S AC 2D"}
    return Form(staff(event, "draw/"), staff(event, "draw/cards/"), typed=typed, kept="KH 4D 7S AC 2D")


def the_confirmation() -> Form:
    event = locked()
    draw = event.draws.get(status="locked")
    cast.draws.draw_cards(draw_id=draw.pk, cards="KH 4D 7S AC 2D", key=new_key(), actor=UserFactory())
    return Form(staff(event, "draw/"), staff(event, "draw/confirm/"))


def a_redraw() -> Form:
    event = cast.seated(3).event
    return Form(staff(event, "draw/"), staff(event, "draw/1/again/"), typed={"reason": "A box was out"})


def a_no_show() -> Form:
    seat = Seat.objects.get(round=cast.seated(3), box=1)
    return one_page(staff(seat.round.event, f"seating/{seat.pk}/no-show/"))


def play_begun() -> Form:
    round_ = cast.seated(3, record_mode="counts")
    return one_page(staff(round_.event, f"rounds/{round_.pk}/begin/"))


def play_not_begun() -> Form:
    round_ = cast.seated(3, record_mode="counts")
    cast.dealing.round_play(round_id=round_.pk, key=new_key(), actor=None)
    return one_page(staff(round_.event, f"rounds/{round_.pk}/begin/undo/"))


def a_free_box() -> Form:
    round_ = cast.seated(3)
    late = EntryFactory(event=round_.event)
    path = staff(round_.event, f"seating/{round_.pk}/1/7/")
    return one_page(path, typed={"entry": late.pk})


def a_replacement() -> Form:
    event = playing.round_1_closed(5, cut_after_round_1=3, cut_after_round_2=3)
    return one_page(staff(event, "seating/replace/E001/"), typed={"reason": "Ill"}, kept="Ill")


def one_more_table() -> Form:
    event = cast.event_make(3)
    return Form(staff(event, "boxes/"), staff(event, "boxes/add/"), typed={"one": "1"})


def boxes_out() -> Form:
    event = cast.event_make(3)
    typed = {"in_use": "1", "box": ["1", "2", "3"]}
    return Form(staff(event, "boxes/"), staff(event, "boxes/1/"), typed=typed)


def a_dealer() -> Form:
    event, dealer = cast.event_make(3), UserFactory(roles=["dealer"])
    return Form(staff(event, "boxes/"), staff(event, "boxes/1/dealer/"), typed={"user": dealer.pk})


def a_dealer_on_the_floor() -> Form:
    dealer = UserFactory(roles=["dealer"])
    return one_page(
        staff(cast.seated(3).event, "tables/"), typed={"user": dealer.pk, "table": "1"}, holds="bind-user"
    )


def a_dealer_taken_off() -> Form:
    event = cast.seated(3).event
    Clerk.objects.create(user=UserFactory(roles=["dealer"]), table=Table.objects.get(event=event))
    return one_page(staff(event, "tables/"), holds='value="release"')


BETS = {"bet-1": "200", "bet-2": "200", "bet-3": "200"}


def at_table(do: str, mode: str = "results", **typed: Any) -> Form:
    round_ = cast.seated(3)
    page = staff(round_.event, f"tables/1/?mode={mode}")
    return Form(page, page.split("?")[0], typed=typed, holds=f'name="do" value="{do}"')


def absent() -> Form:
    made = at_table("absent", reason="Gone")
    stack = cast.stack_at(Round.objects.get(), 1)
    return Form(made.page, made.path, {**made.typed, "stack": stack.pk}, holds=made.holds)


def not_seen_after_all() -> Form:
    made = at_table("unseen", seen="1")
    shoe = cast.shoe_of(Round.objects.get())
    seats_seen(shoe_id=shoe.pk, boxes=[1, 2], key=new_key(), actor=None)
    return made


def in_hand(do: str, **typed: Any) -> Form:
    round_ = cast.seated(3)
    cast.dealing.deal_open(shoe_id=cast.shoe_of(round_).pk, bets={1: 200, 2: 200, 3: 200}, actor=None)
    page = staff(round_.event, "tables/1/")
    return Form(page, page.split("?")[0], typed=typed, holds=f'name="do" value="{do}"')


def chips_due() -> Form:
    """A table in play from which chips of a penalty are to be taken."""
    round_ = cast.seated(3)
    cast.hand(cast.shoe_of(round_), {1: 200, 2: 200, 3: 200}, b1="win", b2="win", b3="lose")
    cast.take_chips(cast.stack_at(round_, 1).entry, 800)
    return one_page(staff(round_.event, "tables/1/"), holds='name="do" value="due"')


def a_card_put_right() -> Form:
    round_ = cast.seated(3)
    bets = {1: 200, 2: 200, 3: 200}
    opened = cast.dealing.deal_open(shoe_id=cast.shoe_of(round_).pk, bets=bets, actor=None)
    card = {"op": "card", "card": "9s"}
    cast.dealing.deal_tap(deal_id=opened["deal"], seen=0, nonce=new_key(), op=card)
    page = staff(round_.event, "tables/1/")
    return Form(f"{page}?amend=0", page, typed={"card": "8s"}, holds='name="do" value="amend"')


def a_hole_card_turned() -> Form:
    """A hand with its first cards out, in which box 1 is to act."""
    round_ = cast.seated(3)
    bets = {1: 200, 2: 200, 3: 200}
    opened = cast.dealing.deal_open(shoe_id=cast.shoe_of(round_).pk, bets=bets, actor=None)
    tapped(Deal.objects.get(pk=opened["deal"]), "9s 8d 7c 6d 2h 3c 4d")
    page = staff(round_.event, "tables/1/")
    typed = {"rank": "T", "suit": "d", "reason": "Floor: Ann", "ruling": "play_on"}
    return one_page(page, typed=typed, holds='name="do" value="wrong"')


def a_shoe_again() -> Form:
    round_ = cast.seated(3)
    cast.shoe_over(cast.shoe_of(round_))
    page = staff(round_.event, "tables/1/")
    return one_page(page, typed={"reason": "The wrong button"}, holds='name="do" value="reopen"')


def a_slip() -> Form:
    """A hand by results that its clerk can take back."""
    round_, clerk = cast.seated(3), UserFactory(roles=["floor"])
    cast.dealing.deal_record_results(
        shoe_id=cast.shoe_of(round_).pk,
        bets={1: 200, 2: 200, 3: 200},
        outcomes={box: cast.result("win") for box in (1, 2, 3)},
        key=new_key(),
        actor=clerk,
    )
    page = staff(round_.event, "tables/1/")
    return Form(page, page, holds='name="do" value="take_back"', by=clerk)


def a_count() -> Form:
    round_ = cast.seated(2)
    cast.shoe_over(cast.shoe_of(round_))
    typed = {"chips-1": "5000", "chips-2": "5000"}
    return one_page(staff(round_.event, "tables/1/count/"), typed=typed, kept="5000", holds='value="enter"')


def differing() -> Round:
    round_ = cast.seated(2)
    cast.shoe_over(cast.shoe_of(round_))
    cast.counts.count_enter(
        shoe_id=cast.shoe_of(round_).pk, chips={1: 5000, 2: 5000}, key=new_key(), actor=UserFactory()
    )
    cast.counts.count_enter(
        shoe_id=cast.shoe_of(round_).pk, chips={1: 5200, 2: 4800}, key=new_key(), actor=UserFactory()
    )
    return round_


def a_box_counted_again() -> Form:
    round_ = cast.seated(2)
    shoe = cast.shoe_of(round_)
    cast.shoe_over(shoe)
    for chips in (5000, 4800):
        who = UserFactory(roles=["floor"])
        cast.counts.count_enter(shoe_id=shoe.pk, chips={1: 5000, 2: chips}, key=new_key(), actor=who)
    path = staff(round_.event, "tables/1/count/")
    return one_page(path, typed={"chips-2": "5000"}, by=who, holds='value="again"')


def a_ruling_on_counts() -> Form:
    typed = {"chips-1": "5000", "chips-2": "5000", "reason": "Counted a third time"}
    return one_page(staff(differing().event, "tables/1/count/"), typed=typed, holds='value="rule"')


def a_ruling_that_moves_chips() -> Form:
    typed = {"chips-1": "5200", "chips-2": "4800", "reason": "Counted a third time"}
    return one_page(staff(differing().event, "tables/1/count/"), typed=typed, holds='value="rule"')


def an_answer_to_a_ruling() -> Form:
    round_ = differing()
    cast.counts.count_rule(
        shoe_id=cast.shoe_of(round_).pk,
        chips={1: 5200, 2: 4800},
        reason="Counted a third time",
        key=new_key(),
        actor=UserFactory(),
    )
    path = staff(round_.event, f"requests/{Request.objects.get().pk}/")
    return Form(staff(round_.event, "requests/"), path, typed={"answer": "approve"}, role="manager")


def counted_again() -> Form:
    page = staff(differing().event, "tables/1/count/")
    return one_page(page, typed={"reason": "Both are wrong"}, holds='value="reopen"')


def the_close() -> Form:
    round_ = cast.seated(5, cut_after_round_1=3, cut_after_round_2=3)
    cast.hand(cast.shoe_of(round_), {n: 200 * n for n in (1, 2)}, b1="win", b2="win")
    cast.hand(cast.shoe_of(round_), {3: 1000}, b3="win")
    cast.play_and_count(round_)
    page = staff(round_.event, f"rounds/{round_.pk}/")
    return Form(page + "close/", page, holds='value="close"')


def a_correction() -> Form:
    deal = cast.hand(cast.shoe_of(cast.seated(3)), {1: 200}, b1="win")
    typed = {"do": "correct", "how": "results", "bet-1": "200", "out-1": "lose", "reason": "Seen on tape"}
    page = staff(deal.shoe.round.event, f"deals/{deal.pk}/correct/?how=results")
    return Form(page, page.split("?")[0], typed=typed, kept="Seen on tape")


def a_cut_that_stands() -> Form:
    round_ = cut_put_right()
    path = staff(round_.event, f"rounds/{round_.pk}/stands/")
    return one_page(path, typed={"reason": "They have played on"}, kept="They have played on")


def an_asked_correction() -> Form:
    asked = correction_asked(Event.Kind.TOURNAMENT)
    path = staff(asked.event, f"requests/{asked.pk}/correction/")
    return one_page(path, typed={"answer": "approve"})


def an_asked_disqualification() -> Form:
    asked = disqualification_asked(Event.Kind.TOURNAMENT)
    path = staff(asked.event, f"requests/{asked.pk}/disqualification/")
    return one_page(path, typed={"answer": "approve"})


FORMS: dict[str, Callable[[], Form]] = {
    "tournament:house_settings": a_house,
    "tournament:staff_person": somebody,
    "tournament:staff_new_password": a_password,
    "tournament:staff_link": a_link,
    "tournament:house_request_answer": an_answer_of_the_house,
    "tournament:setup": the_setup,
    "tournament:hand_setup": the_hand,
    "tournament:setup_post": the_rules,
    "tournament:setup_again": the_setup_again,
    "tournament:start": the_start,
    "tournament:hall": an_announcement,
    "tournament:announcement_withdraw": an_announcement_withdrawn,
    "tournament:screen_add": another_screen,
    "tournament:screen_show": lambda: of_screen("screens/show/", kind="prizes"),
    "tournament:screen_remove": lambda: of_screen("screens/remove/"),
    "tournament:hall_rotation": a_rotation,
    "tournament:standings_publish": a_publication,
    "tournament:call_off": calling_off,
    "tournament:request_answer": an_answer,
    "tournament:desk_buy_in": a_buy_in,
    "tournament:desk_turn_away": turned_away,
    "tournament:desk_identity": an_identity,
    "tournament:person": a_person,
    "tournament:desk_ask": let_in_after_all,
    "tournament:entry_leave": lambda: of_entry("withdraw/", reason="Ill", refund="on"),
    "tournament:entry_penalty": lambda: of_entry("penalty/", "floor", kind="warning", reason="Late"),
    "tournament:entry_penalty chips": lambda: of_entry("penalty/", kind="chips", chips="200", reason="Late"),
    "tournament:entry_disqualify": lambda: of_entry("disqualify/", reason="Marked a card"),
    "tournament:entry_penalty_cancel": a_cancelled_penalty,
    "tournament:payouts_post": the_payouts,
    "tournament:payouts_replace": other_payouts,
    "tournament:prize_sharing": a_prize_shared_out,
    "tournament:pay_entry": a_prize,
    "tournament:pay_take_back": a_payment_back,
    "tournament:refund_entry": a_buy_in_back,
    "tables:draw_lock": the_lock,
    "tables:draw_cards": the_cards,
    "tables:draw_confirm": the_confirmation,
    "tables:draw_again": a_redraw,
    "tables:seat_no_show": a_no_show,
    "tables:seat_fill": a_free_box,
    "tables:play_begin": play_begun,
    "tables:play_undo": play_not_begun,
    "tables:entry_replace": a_replacement,
    "tables:boxes_add": one_more_table,
    "tables:boxes_change": boxes_out,
    "tables:boxes_dealer": a_dealer,
    "tables:clock": a_clock,
    "tables:clock pause": lambda: a_running_clock("pause"),
    "tables:clock set": lambda: a_running_clock("set", length="20"),
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
    "tables:table amend": a_card_put_right,
    "tables:table wrong": a_hole_card_turned,
    "tables:table last_hand": lambda: in_hand("last_hand", reason="A short shoe"),
    "tables:table reopen": a_shoe_again,
    "tables:count": a_count,
    "tables:count again": a_box_counted_again,
    "tables:count rule": a_ruling_on_counts,
    "tables:count rule moves": a_ruling_that_moves_chips,
    "tournament:request_answer ruling": an_answer_to_a_ruling,
    "tables:count reopen": counted_again,
    "tables:round": the_close,
    "tables:cut_stands": a_cut_that_stands,
    "tables:correct": a_correction,
    "tables:correction_asked": an_asked_correction,
    "tournament:disqualification_asked": an_asked_disqualification,
}
FORMS = {name: kept(form) for name, form in FORMS.items()}
# Of a hand that was settled just now, so that it is made each time.
FORMS["tables:table take_back"] = a_slip

WITH_REASON = frozenset(
    f"tournament:{name}"
    for name in (
        *("house_settings", "staff_person", "staff_new_password", "call_off", "person", "desk_ask"),
        *("entry_leave", "entry_penalty", "entry_penalty chips", "entry_disqualify", "entry_penalty_cancel"),
        *("payouts_replace", "prize_sharing", "pay_take_back"),
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
