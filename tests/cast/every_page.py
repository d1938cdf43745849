"""The table of who may open which page, and a world that has all pages."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tables.models import Clerk, Deal, Seat, Table
from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.calls import made_once
from tests.cast.corrected import SWAPPED, ask, round_1, swapped
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tests.cast.worlds import kept
from tournament.models import Entry, Event, Penalty, Request, Round
from tournament.roles import ROLES
from tournament.services.entries import entry_disqualify_request
from tournament.services.events import event_call_off
from tournament.services.hall import screen_add
from tournament.services.logins import staff_add
from tournament.services.passwords import password_link_make
from tournament.services.payments import prize_pay
from tournament.services.penalties import penalty_add
from tournament.services.requests import request_decide

ANONYMOUS = "anonymous"

COLUMNS = (*ROLES, ANONYMOUS)

STRUCTURE = "?kind=shares&a1=60&a2=40"

TABLE = """
address                           director manager  cashier  dealer   floor    auditor  anonymous
healthz                           200/405  200/405  200/405  200/405  200/405  200/405  200/405
readyz                            200/405  200/405  200/405  200/405  200/405  200/405  200/405
service_worker                    200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:events                 200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:login                  302/302  302/302  302/302  302/302  302/302  302/302  200/422
tournament:logout                 405/302  405/302  405/302  405/302  405/302  405/302  405/302
tournament:house                  200/405  200/405  200/405  200/405  200/405  200/403  302/302
tournament:event_new              200/422  200/422  403/403  403/403  403/403  200/403  302/302
tournament:house_settings         200/422  200/422  403/403  403/403  403/403  200/403  302/302
tournament:staff                  200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:staff_add              302/422  302/422  403/403  403/403  403/403  302/403  302/302
tournament:house_requests         200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:exceptions             200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:house_journal          200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:house_journal_check    200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:own_password           200/422  200/422  200/422  200/422  200/422  200/422  302/302
tournament:own_pin                302/422  302/422  302/422  302/422  302/422  302/422  302/302
tournament:staff_person           200/422  200/422  403/403  403/403  403/403  200/403  302/302
tournament:staff_new_password     302/422  302/422  403/403  403/403  403/403  302/403  302/302
tournament:staff_link             302/422  302/422  403/403  403/403  403/403  302/403  302/302
tournament:house_request_answer   302/400  302/400  403/403  403/403  403/403  302/403  302/302
tournament:password_link          200/422  200/422  200/422  200/422  200/422  200/422  200/422
tournament:leaderboard            200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:standings              200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:seats                  200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:rules                  200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:prizes                 200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:results                200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:draws                  200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:results_poster         200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:rules_poster           200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:table_display          200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:table_picture          200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:public_entry           200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:public_hand            200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:tv                     200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:tv_slides              200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:hand_setup             200/409  200/409  403/403  403/403  403/403  200/403  302/302
tournament:start                  200/409  200/409  403/403  403/403  403/403  200/403  302/302
tournament:hall                   200/422  403/403  403/403  403/403  403/403  200/403  302/302
tournament:hall_rotation          302/422  403/403  403/403  403/403  403/403  302/403  302/302
tournament:standings_publish      302/422  403/403  403/403  403/403  403/403  302/403  302/302
tournament:screen_add             302/422  403/403  403/403  403/403  403/403  302/403  302/302
tournament:screen_show            302/422  403/403  403/403  403/403  403/403  302/403  302/302
tournament:screen_remove          302/422  403/403  403/403  403/403  403/403  302/403  302/302
tournament:tv_screen              200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:tv_screen_slides       200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:announcement_withdraw  302/404  403/403  403/403  403/403  403/403  302/403  302/302
tournament:setup_again            302/422  302/422  403/403  403/403  403/403  302/403  302/302
tournament:call_off               200/422  403/403  403/403  403/403  403/403  200/403  302/302
tournament:requests               200/405  200/405  403/403  403/403  200/405  200/403  302/302
tournament:journal                200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:journal_check          200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:desk                   200/405  403/403  200/405  403/403  403/403  200/403  302/302
tournament:desk_player            302/422  403/403  302/422  403/403  403/403  302/403  302/302
tournament:desk_buy_in            302/404  403/403  302/404  403/403  403/403  302/403  302/302
tournament:desk_turn_away         302/404  403/403  302/404  403/403  403/403  302/403  302/302
tournament:desk_identity          302/404  403/403  302/404  403/403  403/403  302/403  302/302
tournament:desk_ask               302/404  302/404  403/403  403/403  403/403  302/403  302/302
tournament:person                 200/422  403/403  200/422  403/403  403/403  200/403  302/302
tables:tonight                    200/405  200/405  200/405  200/405  200/405  200/403  302/302
tables:draw                       200/405  200/405  403/403  403/403  200/405  200/403  302/302
tables:draw_lock                  302/422  403/403  403/403  403/403  302/422  302/403  302/302
tables:draw_cards                 302/404  403/403  403/403  403/403  302/404  302/403  302/302
tables:draw_confirm               302/404  302/404  403/403  403/403  302/404  302/403  302/302
tables:seating                    200/405  403/403  200/405  403/403  200/405  200/403  302/302
tables:boxes                      200/405  403/403  403/403  403/403  200/405  200/403  302/302
tables:boxes_add                  302/422  403/403  403/403  403/403  302/422  302/403  302/302
tables:floor                      200/422  403/403  403/403  200/403  200/422  200/403  302/302
tables:clock                      200/422  403/403  403/403  403/403  200/422  200/403  302/302
tournament:setup                  200/422  200/422  403/403  403/403  403/403  200/403  302/302
tournament:setup_post             200/422  200/422  403/403  403/403  403/403  200/403  302/302
tournament:entry                  200/405  200/405  200/405  403/403  200/405  200/403  302/302
tournament:entry_leave            302/422  403/403  302/403  403/403  403/403  302/403  302/302
tournament:entry_penalty          302/422  403/403  403/403  403/403  302/422  302/403  302/302
tournament:entry_disqualify       302/422  403/403  403/403  403/403  403/403  302/403  302/302
tournament:receipt                200/405  403/403  200/405  403/403  403/403  200/403  302/302
tables:entry_replace              200/422  403/403  403/403  403/403  403/403  200/403  302/302
tournament:draw                   200/405  200/405  200/405  200/405  200/405  200/405  200/405
tournament:entry_penalty_cancel   302/422  403/403  403/403  403/403  403/403  302/403  302/302
tournament:request_answer         302/400  302/400  403/403  403/403  403/403  302/403  302/302
tournament:payouts                200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:payouts_post           403/403  302/422  403/403  403/403  403/403  302/403  302/302
tournament:payouts_replace        403/403  302/422  403/403  403/403  403/403  302/403  302/302
tournament:pay                    200/405  200/405  200/405  403/403  403/403  200/403  302/302
tournament:payouts_check          200/405  200/405  403/403  403/403  403/403  200/403  302/302
tournament:payouts_confirm        403/403  200/405  403/403  403/403  403/403  200/403  302/302
tournament:pay_entry              403/403  200/422  200/422  403/403  403/403  200/403  302/302
tournament:pay_receipt            200/405  200/405  200/405  403/403  403/403  200/403  302/302
tournament:pay_take_back          403/403  302/422  302/422  403/403  403/403  302/403  302/302
tournament:refunds                200/405  200/405  200/405  403/403  403/403  200/403  302/302
tournament:refund_entry           403/403  200/422  200/422  403/403  403/403  200/403  302/302
tournament:refund_receipt         303/405  303/405  303/405  403/403  403/403  303/403  302/302
tables:draw_again                 302/422  403/403  403/403  403/403  403/403  302/403  302/302
tables:seat_no_show               200/422  403/403  403/403  403/403  200/422  200/403  302/302
tables:seat_fill                  200/409  403/403  403/403  403/403  200/409  200/403  302/302
tables:seat_cards                 200/405  403/403  200/405  403/403  200/405  200/403  302/302
tables:seat_cards_all             200/405  403/403  200/405  403/403  200/405  200/403  302/302
tables:play_begin                 200/422  403/403  403/403  200/422  200/422  200/403  302/302
tables:table 1                    200/422  403/403  403/403  200/422  200/422  200/403  302/302
tables:table 2                    200/422  403/403  403/403  403/403  200/422  200/403  302/302
tables:count 1                    200/422  200/422  403/403  200/422  200/422  200/403  302/302
tables:count 2                    200/422  200/422  403/403  403/403  200/422  200/403  302/302
tables:count_sheet 1              200/405  200/405  403/403  200/405  200/405  200/403  302/302
tables:count_sheet 2              200/405  200/405  403/403  403/405  200/405  200/403  302/302
tables:boxes_change 1             302/422  403/403  403/403  403/403  302/422  302/403  302/302
tables:boxes_change 2             302/422  403/403  403/403  403/403  302/422  302/403  302/302
tables:boxes_dealer 1             302/404  403/403  403/403  403/403  302/404  302/403  302/302
tables:boxes_dealer 2             302/404  403/403  403/403  403/403  302/404  302/403  302/302
tables:round                      200/422  200/403  403/403  403/403  200/403  200/403  302/302
tables:cut_stands                 200/409  403/403  403/403  403/403  403/403  200/403  302/302
tables:round_close                200/405  403/403  403/403  403/403  403/403  200/403  302/302
tables:deals 1                    200/405  200/405  403/403  200/405  200/405  200/403  302/302
tables:deals 2                    200/405  200/405  403/403  403/405  200/405  200/403  302/302
tables:correction_asked           200/400  200/400  403/403  403/403  200/403  200/403  302/302
tournament:disqualification_asked 200/400  200/400  403/403  403/403  200/403  200/403  302/302
tables:correct                    200/422  403/403  403/403  403/403  403/403  200/403  302/302
tables:replay 1                   200/405  200/405  200/405  200/405  200/405  200/403  302/302
tables:replay 2                   200/405  200/405  200/405  403/405  200/405  200/403  302/302
tables:record 1                   200/405  200/405  200/405  200/405  200/405  200/403  302/302
tables:record 2                   200/405  200/405  200/405  403/405  200/405  200/403  302/302
tables:replay_from                200/422  200/422  200/422  200/422  200/422  200/422  302/302
"""


@dataclass
class World:
    """A draft, an event in round 1 with two tables, two finished ones with prizes to pay, one called off.

    Of ``paid`` some prizes are paid, one of them in part.
    """

    draft: Event
    event: Event
    finished: Event
    paid: Event
    called_off: Event
    round: Round
    deals: dict[int, Deal]
    penalty: Penalty
    request: Request
    seat: Seat
    asked: Request


@pytest.fixture(scope="module")
def made_world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Made once for the tests of a module: it takes seconds."""
    with made_once(django_db_blocker, lambda: world_of(Event.Kind.TOURNAMENT)) as made:
        yield made


@pytest.fixture
def world(made_world: World, db: None) -> World:
    """The world as it was made, for a test of a module that has ``made_world``."""
    return deepcopy(made_world)


@kept
def world_of(kind: str) -> World:
    """The four events, all of this kind."""
    round_ = cast.seated(8, kind=kind, boxes_per_table=4)
    deals = {n: cast.hand(cast.shoe_of(round_, n), {1: 200, 2: 200}, b1="win", b2="lose") for n in (1, 2)}
    entry = Entry.objects.get(event=round_.event, number=1)
    boss = UserFactory(roles=["director"])
    penalty_add(entry_id=entry.pk, kind="warning", reason="late", key=new_key(), actor=boss)
    screen_add(event_id=round_.event_id, name="bar", key=new_key(), actor=boss)
    entry_disqualify_request(entry_id=entry.pk, reason="marked a card", key=new_key(), actor=boss)
    return World(
        draft=EventFactory(kind=kind, opened=False),
        event=round_.event,
        finished=playing.finished(5, kind=kind, cut_after_round_1=4, cut_after_round_2=3),
        paid=partly_paid(kind),
        called_off=called_off(kind),
        round=round_,
        deals=deals,
        penalty=Penalty.objects.get(),
        request=Request.objects.get(event=round_.event),
        seat=Seat.objects.filter(round=round_, vacated_at__isnull=True).first(),
        asked=correction_asked(kind),
    )


@kept
def two_paid(kind: str) -> Event:
    """A finished event in which the second and the third prize are paid."""
    event = playing.finished(5, kind=kind)
    for code in ("E002", "E003"):
        entry = event.entries.get(code=code)
        prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=UserFactory())
    return event


@kept
def disqualification_asked(kind: str) -> Request:
    """A second person is asked about the winner after two prizes have been paid."""
    winner, boss = two_paid(kind).entries.get(code="E001"), UserFactory(roles=["director"])
    asked = entry_disqualify_request(entry_id=winner.pk, reason="marked a card", key=new_key(), actor=boss)
    return Request.objects.get(pk=asked["request"])


@kept
def correction_asked(kind: str) -> Request:
    """A hand of a closed round that a second person is asked to put right."""
    _round, deal = round_1(kind=kind)
    return Request.objects.get(pk=ask(deal, outcomes=SWAPPED)["request"])


@kept
def partly_paid(kind: str) -> Event:
    """An event in which somebody was disqualified after two prizes had been paid: E002's has grown."""
    event = two_paid(kind)
    cast.disqualify(event, "E001")
    return event


@kept
def place_unclaimed(kind: str) -> Event:
    """An event with three prizes and two left to hold their places."""
    event = playing.finished(3, kind=kind)
    cast.disqualify(event, "E003")
    return event


def cut_put_right() -> Round:
    """Round 1, put right after round 2 was seated: by what is recorded now another should have gone on."""
    return swapped()[0]


@kept
def called_off(kind: str) -> Event:
    """An event whose one buy-in is due."""
    event: Event = EntryFactory(event=EventFactory(kind=kind)).event
    event_call_off(event_id=event.pk, reason="the power is out", key=new_key(), actor=None)
    return event


def people(world: World) -> dict[str, Any]:
    """Somebody of every role; the dealer keeps table 1 of the event."""
    made = {role: UserFactory(roles=[role]) for role in ROLES}
    Clerk.objects.create(user=made["dealer"], table=Table.objects.get(event=world.event, number=1))
    return {**made, ANONYMOUS: None}


def addresses(world: World, known: dict[str, Any]) -> dict[str, str]:
    """Every named address with what it needs; the tables' pages twice, for the dealer's own and another."""
    events = (world.event, world.draft, world.finished, world.paid, world.called_off)
    live, draft, over, paid, off = (reverse_of(event) for event in events)
    person, boss = known["cashier"].pk, UserFactory()
    given = {
        "staff_person": person,
        "staff_new_password": person,
        "staff_link": link_for(boss),
        "house_request_answer": login_asked(boss),
        "password_link": token_of(boss),
    }
    numbered = {"number": 1, "screen": "bar", "announcement_id": 1, "request_id": world.request.pk}
    seat = {"round_id": world.round.pk, "number": 1}
    return {
        **{name: reverse(name) for name, parts in routed() if not parts},
        # A page that needs its event alone has no line here; the hands of a table stand table by table below.
        **{name: live(name) for name, parts in routed() if parts == {"slug"} and name != "tables:deals"},
        **{f"tournament:{name}": reverse(f"tournament:{name}", args=[part]) for name, part in given.items()},
        # What is numbered from 1 in an event, its screen and its request, by the part that the address has.
        **{
            name: live(name, **{part: numbered[part] for part in parts - {"slug"}})
            for name, parts in routed()
            if "slug" in parts and len(parts) == 2 and parts <= {"slug", *numbered} and name not in OF_TABLE
        },
        **{name: draft(name) for name in ("tournament:setup", "tournament:setup_post")},
        "tournament:person": live("tournament:person", player_id=world.event.entries.first().player_id),
        **{name: live(name, code="E001") for name in OF_ENTRY},
        "tournament:entry_penalty_cancel": live(
            "tournament:entry_penalty_cancel", code="E001", penalty_id=world.penalty.pk
        ),
        **{name: over(name) for name in OF_PAYOUTS},
        **{name: over(name) + STRUCTURE for name in OF_STRUCTURE},
        **{f"tournament:{n}": over(f"tournament:{n}", code="E001") for n in ("public_entry", "pay_entry")},
        "tournament:public_hand": hand_of_a_closed_round(world.asked),
        **{name: paid(name, code="E002") for name in ("tournament:pay_receipt", "tournament:pay_take_back")},
        "tournament:refunds": off("tournament:refunds"),
        **{name: off(name, code="E001") for name in ("tournament:refund_entry", "tournament:refund_receipt")},
        "tables:seat_no_show": live("tables:seat_no_show", seat_id=world.seat.pk),
        "tables:seat_fill": live("tables:seat_fill", **seat, box=4),
        "tables:seat_cards": live("tables:seat_cards", **seat),
        "tables:seat_cards_all": live("tables:seat_cards_all", round_id=world.round.pk),
        **{f"{name} {n}": live(name, number=n) for name in OF_TABLE for n in (1, 2)},
        **{name: live(name, pk=world.round.pk) for name in OF_ROUND},
        **{f"tables:deals {n}": live("tables:deals") + f"?table={n}" for n in (1, 2)},
        "tables:correction_asked": reverse_of(world.asked.event)(
            "tables:correction_asked", request_id=world.asked.pk
        ),
        "tables:correct": live("tables:correct", pk=world.deals[1].pk),
        **{f"{name} {n}": live(name, pk=deal.pk) for name in OF_DEAL for n, deal in world.deals.items()},
    }


def reverse_of(event: Event) -> Any:
    return lambda name, **parts: reverse(name, kwargs={"slug": event.slug, **parts})


def hand_of_a_closed_round(asked: Request) -> str:
    """The first step of the hand that a correction is asked of, as its first box sees it."""
    deal = Deal.objects.get(pk=asked.body["deal"])
    code = Entry.objects.get(pk=deal.entries["1"]).code
    return str(reverse_of(asked.event)("tournament:public_hand", code=code, pk=deal.pk, step=0))


def login_asked(by: Any) -> int:
    """A login that somebody has asked for."""
    name, wanted = new_key(), {"roles": ["cashier"], "reason": "new"}
    return int(staff_add(username=name, **wanted, key=new_key(), actor=by)["request"])


def link_for(by: Any) -> int:
    """A link that may be created, and has not been."""
    asked = request_decide(request_id=login_asked(by), approve=True, key=new_key(), actor=UserFactory())
    return int(asked["done"]["link"])


def token_of(by: Any) -> str:
    """Return the token in the address of an invitation link."""
    token = f"{new_key():t<43}"
    password_link_make(link_id=link_for(by), token=token, key=new_key(), actor=by)
    return token


OF_ENTRY = (
    *(
        f"tournament:{name}"
        for name in ("entry", "entry_leave", "entry_penalty", "entry_disqualify", "receipt")
    ),
    "tables:entry_replace",
)
OF_PAYOUTS = (
    *("tournament:payouts", "tournament:payouts_post", "tournament:payouts_replace", "tournament:pay"),
)
OF_STRUCTURE = ("tournament:payouts_check", "tournament:payouts_confirm")
OF_ROUND = tuple(f"tables:{n}" for n in ("round", "cut_stands", "round_close", "play_begin"))
OF_DEAL = ("tables:replay", "tables:record")
OF_TABLE = tuple(
    f"tables:{name}" for name in ("table", "count", "count_sheet", "boxes_change", "boxes_dealer")
)


def routed() -> Iterator[tuple[str, set[str]]]:
    """Name of every address, and the parts that it needs."""
    for name, pattern in _walk(get_resolver().url_patterns, ""):
        yield name, set(pattern.pattern.converters)


def _patterns(patterns: list[URLPattern | URLResolver], space: str) -> Iterator[tuple[str, Any]]:
    for name, pattern in _walk(patterns, space):
        yield name, pattern.callback


def _walk(patterns: list[URLPattern | URLResolver], space: str) -> Iterator[tuple[str, URLPattern]]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from _walk(each.url_patterns, f"{each.namespace}:" if each.namespace else space)
        else:
            assert each.name, f"{each.pattern} has no name"
            yield f"{space}{each.name}", each


def rows_of(text: str) -> dict[str, list[str]]:
    """The lines of the table: address and its cells."""
    found = [line.rsplit(maxsplit=len(COLUMNS)) for line in text.strip().splitlines()[1:] if line.strip()]
    return {name.strip(): cells for name, *cells in found}
