"""The pages that a browser draws, and the house that they show."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser

from pages.languages import path_in
from pages.public.reads.entry import hand_page
from tables.models import Deal, Shoe
from tables.selectors.table_view import table_view
from tables.services import dealing
from tests.cast import every_page as doors
from tests.cast import floor as cast
from tests.cast import hostile, playing
from tests.cast.browsers import Visitor
from tests.cast.every_form import drawing
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tournament.models import Draw, Event, Player, Round, StandingsSnapshot
from tournament.models import House as TheHouse
from tournament.services.clocks import Until, clock_start
from tournament.services.standings import standings_recompute

PHONE, DESK, WALL = ({"width": w, "height": h} for w, h in ((390, 844), (1440, 900), (1920, 1080)))


class House:
    """Events in the states that their pages differ in, and a browser whose person may see all."""

    def __init__(self, browser: Browser, address: str, night: Event) -> None:
        self.night, self.draft = night, EventFactory(opened=False, name="Next Friday")
        self.open = EventFactory(name="Tonight at eight")
        EntryFactory(event=self.open)
        late = Until(seconds=86_400)
        clock_start(event_id=self.open.pk, kind="late", until=late, key=new_key(), actor=None)
        self.player = PlayerFactory()
        self.over = playing.finished(6, cut_after_round_1=5, cut_after_round_2=4)
        standings_recompute(event_id=self.over.pk)
        self.paid = doors.partly_paid(Event.Kind.TOURNAMENT)
        self.unclaimed = doors.place_unclaimed(Event.Kind.TOURNAMENT)
        self.staff = Visitor(browser, address, viewport=PHONE, reduced_motion="reduce")
        self.public = Visitor(browser, address, viewport=PHONE, reduced_motion="reduce")
        client = Client()
        client.force_login(UserFactory(is_superuser=True, username="house"))
        cookie = client.cookies["sessionid"]
        self.staff.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": address}])


def at(event: Event, *tails: str) -> list[str]:
    return [f"/staff/{event.slug}/{tail}" for tail in tails]


def public_pages(house: House) -> list[str]:
    """Return the public pages, in English and again in German."""
    pages = ["/", f"/e/{house.unclaimed.slug}/prizes/", f"/e/{house.open.slug}/"]
    tails = ["", "?you=E001", "seats/", "results/", "prizes/", "rules/", "rules/poster/"]
    tails += ["results/poster/", "draws/", "tv/"]
    for event in (house.night, house.over):
        pages += [f"/e/{event.slug}/{tail}" for tail in (*tails, "tv/?theme=light")]
    pages += [f"/e/{house.night.slug}/tables/1/{tail}" for tail in ("", "?overlay=1&theme=light")]
    pages += hands_of_an_entry(house.night)
    drawn = Draw.objects.filter(event=house.night, status=Draw.Status.DRAWN).latest("number")
    pages += [f"/e/{house.night.slug}/draws/{number}/" for number in (drawn.number, drawn.number + 1)]
    return ["/login", *pages, *(path_in("de", page) for page in pages)]


def hands_of_an_entry(event: Event) -> list[str]:
    """The page of an entry, and a hand of it at its bets, on the way and settled."""
    closed = Deal.objects.filter(shoe__round__event=event, shoe__round__status=Round.Status.CLOSED)
    deal = closed.filter(status=Deal.Status.SETTLED, record__has_key="cards").earliest("pk")
    entry = event.entries.get(pk=next(iter(deal.entries.values())))
    page = f"/e/{event.slug}/entries/{entry.code}/"
    found = hand_page(event, entry, deal.pk, 0)
    assert found is not None
    last = found.stage["last"]
    return [page, *(f"{page}hands/{deal.pk}/{step}/" for step in (0, last // 2, last))]


def pages_of_the_house(house: House) -> list[str]:
    asked = ("desk/", "desk/?q=nobody", f"desk/?player={house.player.pk}")
    tails = (*asked, f"people/{house.player.pk}/", "entries/E001/", "entries/E001/receipt/")
    return [
        *("/house/", "/house/events/new/", "/house/settings/", "/house/staff/", "/staff/replay/"),
        f"/house/staff/{UserFactory(roles=['dealer']).pk}/",
        *at(house.draft, "", "setup/", "setup/post/", "start/"),
        *at(house.open, "", "setup/", "call-off/", *tails),
        *at(house.night, "requests/", "journal/?check", "payouts/"),
        *at(house.over, "", "pay/", "pay/E001/", "payouts/"),
        *at(house.unclaimed, "", "pay/", "payouts/"),
        *at(house.paid, "", "pay/", "pay/E002/", "pay/E002/receipt/", "entries/E002/", "requests/"),
    ]


def pages_of_the_floor(house: House) -> list[str]:
    round_1, round_2 = Round.objects.filter(event=house.night, kind=Round.Kind.ROUND).order_by("number")
    deal = Deal.objects.filter(shoe__round=round_2, status=Deal.Status.SETTLED).latest("pk")
    counted = Shoe.objects.filter(round=round_2).select_related("table").order_by("table__number")
    cast.shoe_over(counted[1])
    bets = {row.box: 200 for row in table_view(counted[0].table).boxes if row.may_bet}
    dealing.deal_open(shoe_id=counted[0].pk, bets=bets, mode="cards", actor=None)
    hows = ("results", "cards", "void", "felt")
    return [
        *at(house.night, "", "draw/", "seating/", "boxes/", "tables/", "tables/1/", "tables/2/"),
        *at(house.open, "", "clock/"),
        *at(house.night, "clock/", "tables/2/count/", "tables/2/count/sheet/", f"rounds/{round_1.pk}/"),
        *at(house.night, f"seating/{round_2.pk}/1/cards/", f"seating/{round_2.pk}/cards/"),
        *at(house.night, f"rounds/{round_2.pk}/", f"rounds/{round_2.pk}/close/", "deals/"),
        *at(house.night, f"deals/{deal.pk}/replay/"),
        *at(house.night, *(f"deals/{deal.pk}/correct/?how={how}" for how in hows)),
    ]


def pages_of_draws_ties_and_counts() -> list[str]:
    round_, differ = cast.seated(7), hostile.over()
    hostile.counts_differ(differ)
    ruling, play_off = hostile.tied(tie_at_cut="director"), hostile.tied()
    off = cast.draw_and_seat(play_off)
    waits, asked, cut = hostile.ruling_waits(), hostile.tied(), doors.cut_put_right()
    hostile.chips_asked(asked)
    gone = doors.disqualification_asked(Event.Kind.TOURNAMENT)
    alone, begun = cast.seated(3, record_mode="counts"), cast.seated(3, record_mode="counts")
    cast.dealing.round_play(round_id=begun.pk, key=new_key(), actor=None)
    once = hostile.over()
    counted = {"shoe_id": cast.shoe_of(once).pk, "chips": {1: 5000, 2: 5000, 3: 5000}}
    cast.counts.count_enter(**counted, key=new_key(), actor=UserFactory(roles=["dealer"]))
    dealt = cast.seated(3)
    hand = cast.opened(cast.shoe_of(dealt), {1: 200, 2: 200, 3: 200})
    card = {"op": "card", "card": "9s"}
    cast.dealing.deal_tap(deal_id=hand.pk, seen=0, nonce=new_key(), op=card)
    return [
        *at(once.event, "tables/1/count/"),
        *at(dealt.event, "tables/1/", "tables/1/?amend=0", "tables/1/?amend=bet-1"),
        *at(alone.event, "", "tables/1/", f"rounds/{alone.pk}/begin/"),
        *at(begun.event, "", "tables/1/"),
        *at(gone.event, f"requests/{gone.pk}/disqualification/", "requests/", "entries/E001/"),
        *at(round_.event, "draw/", "tables/1/?mode=cards", "tables/1/?mode=results", "seating/"),
        *at(drawing(False), "draw/"),
        *at(drawing(True), "draw/"),
        *at(differ.event, "tables/1/count/", "tables/1/"),
        *at(ruling, "", f"rounds/{ruling.rounds.get().pk}/"),
        *at(play_off, "", f"rounds/{off.pk}/", f"rounds/{off.parent_id}/"),
        *at(waits.event, "tables/1/count/", "tables/1/", "tables/", "", "requests/", f"rounds/{waits.pk}/"),
        *at(cut.event, "", f"rounds/{cut.pk}/", f"rounds/{cut.pk}/stands/"),
        *at(asked, "", "draw/", "requests/", "entries/E001/"),
        *at(asked, *(f"rounds/{asked.rounds.get().pk}/{tail}" for tail in ("", "close/"))),
    ]


LONG = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessen"


def name_long() -> None:
    """Give everybody and everything the longest possible name, without a blank."""
    Player.objects.update(given_name=LONG[:60], family_name=LONG[:60])
    for number, event in enumerate(Event.objects.all()):
        Event.objects.filter(pk=event.pk).update(name=f"{LONG[:78]}{number}")
        # The snapshot is as new as the journal, which no name is in: it is made anew.
        StandingsSnapshot.objects.filter(event=event).delete()
        standings_recompute(event_id=event.pk)
    for user in User.objects.all():
        User.objects.filter(pk=user.pk).update(username=f"{LONG}{LONG}"[:140] + str(user.pk))
    TheHouse.objects.update(name=LONG[:80])
