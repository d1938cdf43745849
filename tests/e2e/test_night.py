"""A night in a real browser: 14 entrants from the set-up to the last prize, everybody with an own login.

Each kind of page is gone through by its people once or twice; what would be the same again goes through the
services: twelve buy-ins, three draws, round 2, two of three payments.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from playwright.sync_api import Browser, expect

from tables.selectors.floor import stacks_by_box
from tables.services.draws import draw_cards, draw_confirm, draw_lock
from tests.cast import browsers as night
from tests.cast.browsers import Staff, Visitor
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import by_results, close, count_both, result, shoe_over
from tournament.models import Draw, Entry, Event, Round
from tournament.selectors.stages import current_round
from tournament.services.entries import entry_buy_in
from tournament.services.payments import prize_pay
from tournament.services.people import player_create

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "seven boxes on the felt"
PLAYERS = (
    *("Ann Abbot", "Ben Brook", "Cleo Castle", "Dora Dale", "Emil Ebner", "Fay Field", "Gus Grant"),
    *("Hana Holm", "Ivo Ivers", "June Jarvis", "Karl Kern", "Lena Lund", "Miro Moss", "Nora North"),
)
CARDS = ("KH 4D 7S AC 2D", "2C 3C 4C 5C 6C", "QS TH 9D 8C 7H", "AS AH AD AC KS", "JD 5S 2H TC 6D")
# Everybody has 20, the dealer too: seven first cards, the dealer's ten, seven second cards | the hole card.
ALL_PUSH = "Kh Kd Ks Kc Qh Qd Qs Th Jh Jd Js Jc Qh Qd Qs | Td"


class House:
    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        UserFactory(username="dora.director", roles=["director"], password=PASSWORD)
        self.director = Staff(browser, address, "dora.director", PASSWORD)
        self.manager = self.hire("max.manager", "manager", first=True)
        self.cashier = self.known("cara.cashier", "cashier")
        self.floor = self.known("flo.floor", "floor")
        self.dealer = self.hire(
            "dan.dealer", "dealer", viewport={"width": 1180, "height": 820}, has_touch=True
        )
        self.staff = (self.director, self.manager, self.cashier, self.floor, self.dealer)

    def hire(self, name: str, role: str, *, first: bool = False, **context: Any) -> Staff:
        # The manager asks and the director confirms: the director will count and confirm with these people
        # tonight, and for a day who asked for a login is no second person to it.
        asks, confirms = (self.director, None) if first else (self.manager, self.director)
        owner = Visitor(self.browser, self.address)
        night.hire(asks, confirms, owner, name, role, PASSWORD)
        owner.context.close()
        return Staff(self.browser, self.address, name, PASSWORD, **context)

    def known(self, name: str, role: str) -> Staff:
        UserFactory(username=name, roles=[role], password=PASSWORD)
        return Staff(self.browser, self.address, name, PASSWORD)

    def works_at(self, slug: str) -> None:
        for each in self.staff:
            each.slug = slug


@pytest.fixture
def house(browser: Browser, live_server: Any) -> Iterator[House]:
    try:
        yield House(browser, live_server.url)
    finally:
        for context in browser.contexts:  # those of a night that failed on its way as well
            context.close()


def best_first(held: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Tables and boxes by their chips."""
    return sorted(held, key=lambda seat: (-held[seat], seat))


def play(house: House, nets: dict[tuple[int, int], int], held: dict[tuple[int, int], int]) -> None:
    """One hand by results at every table, the cut card, two counts of what must be there."""
    for table in sorted({table for table, _box in nets}):
        keeper, other = (house.dealer, house.floor) if table == 1 else (house.floor, house.director)
        here = {box: net for (at, box), net in nets.items() if at == table}
        night.results(keeper, table, here)
        night.table_over(keeper, other, table, {box: held[table, box] + net for box, net in here.items()})


def seats(slug: str) -> dict[tuple[int, int], int]:
    """The chips in the stage that is played, by table and box."""
    round_ = current_round(Event.objects.get(slug=slug))
    assert round_ is not None
    shoes = round_.shoes.select_related("table", "round__event")
    return {
        (shoe.table.number, box): stack.chips for shoe in shoes for box, stack in stacks_by_box(shoe).items()
    }


def user(who: Staff) -> User:
    return User.objects.get(username=who.name)


def sold(cashier: Staff, event: Event, name: str) -> None:
    given, family = name.split()
    made = player_create(
        given_name=given, family_name=family, identity_number=f"P-{name}", key=new_key(), actor=user(cashier)
    )
    entry_buy_in(
        event_id=event.pk,
        player_id=made["player"],
        identity_checked=True,
        key=new_key(),
        actor=user(cashier),
    )


def drawn(house: House, slug: str, cards: str) -> Round:
    """The stage that is due: locked, the cards typed by one and confirmed by another, seated."""
    event, floor, director = Event.objects.get(slug=slug), user(house.floor), user(house.director)
    draw_id = draw_lock(event_id=event.pk, key=new_key(), actor=floor)["draw"]
    draw_cards(draw_id=draw_id, cards=cards, key=new_key(), actor=floor)
    draw_confirm(draw_id=draw_id, cards=cards, key=new_key(), actor=director)
    return Round.objects.get(draw=draw_id)


def before_play(house: House) -> str:
    slug = night.set_up(house.director, "Wonder Friday")
    house.works_at(slug)
    house.cashier.at("desk/")
    for number, name in enumerate(PLAYERS[:2], start=1):
        night.buy_in(house.cashier, name, f"E{number:03}")
    for name in PLAYERS[2:]:
        sold(house.cashier, Event.objects.get(slug=slug), name)
    house.floor.at("boxes/")
    house.floor.press("Set up as many tables as are needed")
    table_1 = house.floor.page.get_by_role("region", name="Table 1")
    table_1.get_by_role("combobox").select_option("dan.dealer")
    house.floor.press("Assign", within=table_1)
    house.floor.reads("dan.dealer deals at table 1 now.")
    return slug


def round_1(house: House, slug: str) -> None:
    """Ten win, three lose 200 and are tied for the last two seats, one is behind them."""
    house.director.next_step(re.compile("Draw|draw|Lock|Sell"))
    night.draw(house.floor, house.director, CARDS[0], by_tap=True)
    night.cards(house.dealer, 1, 7, ALL_PUSH, stand=7)
    held = seats(slug)
    assert night.stacks(house.director, 2) == {
        box: chips for (table, box), chips in held.items() if table == 2
    }
    assert set(held.values()) == {5_000}
    assert len(held) == len(PLAYERS)
    winners = {(table, box): 200 * box for table in (1, 2) for box in range(1, 6)}
    play(house, {**winners, (1, 6): -200, (1, 7): -400, (2, 6): -200, (2, 7): -200}, held)


def play_off(house: House, slug: str) -> None:
    house.director.next_step("Tie at 11th: play it off")
    drawn(house, slug, CARDS[1])
    boxes = [box for _table, box in sorted(seats(slug))]
    night.results(house.dealer, 1, dict(zip(boxes, (400, 200, -200), strict=True)))
    night.close_round(house.director, "play-off")


def round_2(house: House, slug: str) -> None:
    """The six ahead win, the others lose: a clean cut."""
    house.director.next_step("Draw the seats of round 2")
    round_ = drawn(house, slug, CARDS[2])
    ahead = best_first(seats(slug))[:6]
    for shoe in round_.shoes.select_related("table", "round__event"):
        wins = {box: (shoe.table.number, box) in ahead for box in stacks_by_box(shoe)}
        bets = {box: 1_000 if won else 200 for box, won in wins.items()}
        by_results(shoe, bets, {box: result("win" if won else "lose") for box, won in wins.items()})
        shoe_over(shoe)
        count_both(shoe)
    round_.refresh_from_db()
    close(round_)


def round_3(house: House, slug: str) -> None:
    """One ahead, two with the same chips behind, and then three more."""
    house.director.next_step("Draw the seats of round 3")
    drawn(house, slug, CARDS[3])
    held = seats(slug)
    order = best_first(held)
    top = max(held.values())
    ends = (top + 800, top - 200, top - 200, top - 600, top - 800, top - 1_000)
    play(house, {seat: end - held[seat] for seat, end in zip(order, ends, strict=True)}, held)


def sudden_death(house: House, slug: str) -> None:
    house.director.next_step("Tie for money: draw the sudden death", "Draw sudden death")
    night.draw(house.floor, house.director, CARDS[4])
    boxes = [box for _table, box in sorted(seats(slug))]
    night.results(house.dealer, 1, dict(zip(boxes, (200, -200), strict=True)))
    night.close_round(house.director, "sudden death")


def prizes_paid(house: House, slug: str) -> list[str]:
    """Pay the three prizes; the entries in the order of their places."""
    codes = list(
        Entry.objects.filter(event__slug=slug, place__lte=3).order_by("place").values_list("code", flat=True)
    )
    house.cashier.next_step("Pay the prizes", "To the payments")
    for code in codes[:-1]:
        entry = Entry.objects.get(event__slug=slug, code=code)
        prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=user(house.cashier))
    night.pay(house.cashier, codes[-1:])
    house.cashier.reads("That was the last prize: the event is paid.")
    house.cashier.next_step("Every prize is paid")
    return codes


def public_pages_show_it(phone: Visitor, slug: str, codes: list[str]) -> None:
    phone.goto(f"/e/{slug}/")
    rows = phone.page.locator(".standings .srow")
    expect(rows).to_have_count(len(PLAYERS))
    for at, code in enumerate(codes):
        expect(rows.nth(at)).to_have_attribute("data-entry", code)
        expect(rows.nth(at)).to_have_attribute("data-place", str(at + 1))
    phone.goto(f"/e/{slug}/prizes/")
    for prize in ("$700.00", "$420.00", "$280.00"):
        phone.reads(prize)
    for number, cut in ((1, CARDS[0]), (5, CARDS[4])):
        phone.goto(f"/e/{slug}/draws/{number}/")
        phone.reads(cut)
        phone.reads(Draw.objects.get(event__slug=slug, number=number).commitment)
        phone.reads("Check it yourself")


def said_by(command: str, *args: str) -> str:
    out = io.StringIO()
    call_command(command, *args, stdout=out)
    return out.getvalue()


def test_14_entrants_are_played_from_the_set_up_to_the_last_prize(house: House, browser: Browser) -> None:
    phone = Visitor(browser, house.address, viewport={"width": 390, "height": 844})
    slug = before_play(house)
    round_1(house, slug)
    play_off(house, slug)
    night.close_round(house.director, "round 1")
    night.post_payouts(house.manager, "50", "30", "20")
    round_2(house, slug)
    round_3(house, slug)
    night.close_round(house.director, "round 3")
    sudden_death(house, slug)
    codes = prizes_paid(house, slug)

    public_pages_show_it(phone, slug, codes)
    event = Event.objects.get(slug=slug)
    assert event.status == Event.Status.PAID
    assert said_by("verify_journal", event.code).startswith("ok ")
    assert said_by("reconcile", event.code).strip() == "ok"
    assert [error for each in (*house.staff, phone) for error in each.errors] == []
