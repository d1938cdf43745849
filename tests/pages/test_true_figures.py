"""A night stopped where places change: places, stacks, seats and prizes on the pages are those of the tables.

``Truth`` works the figures out by plain SQL and shares no code with the pages.
"""

from __future__ import annotations

import pytest
from django.test import Client

from tables.models import Seat
from tables.services import dealing, seating
from tests.cast.at_tables import logged_in
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    close,
    count_both,
    draw_and_seat,
    event_make,
    hand,
    payouts_post,
    shoe_of,
    shoe_over,
)
from tests.cast.html import Node, read
from tests.cast.leaving import disqualify
from tests.cast.truth import Truth
from tournament.models import Event, Round
from tournament.services import payments
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


def page(client: Client, address: str) -> Node:
    return read(client.get(address).content.decode())


def hold(event: Event) -> None:
    """The public lists, the seats and the page of each entry."""
    event.refresh_from_db()
    standings_recompute(event_id=event.pk)
    truth, client = Truth(event.pk), logged_in("director", "cashier", "manager")
    shown = listed(page(client, f"/e/{event.slug}/"))
    assert sorted(map(sorted, shown)) == sorted(map(sorted, lists(truth)))
    assert ranking(truth) in shown
    stage = truth.rounds[-1]["id"]
    chart = page(client, f"/e/{event.slug}/seats/")
    by_name = {tuple(int(n.text) for n in row.all("td")[1:]) for row in chart.all("tr") if row.all("td")}
    assert by_name == {seat for (pk, _), seat in truth.seats.items() if pk == stage}
    for code in truth.entries:
        entry = page(client, f"/staff/{event.slug}/entries/{code}/")
        (place,) = [n.attrs["data-place"] for n in entry.all("dd") if "data-place" in n.attrs]
        (prize,) = [n.attrs["data-prize-cents"] for n in entry.all("dd") if "data-prize-cents" in n.attrs]
        assert (place or "–", int(prize)) == (truth.place_so_far(code), truth.prize(code)), code


def listed(tree: Node) -> list[list[tuple[str, str, str]]]:
    """Entry, place and stack of each row of each public list."""
    return [
        [(row.attrs["data-entry"], row.attrs["data-place"], row.attrs["data-stack"]) for row in rows]
        for each in tree.all(".standings")
        if (rows := each.all(".srow"))
    ]


def ranking(truth: Truth) -> list[tuple[str, str, str]]:
    """The list of the round that was played last, or the final places."""
    round_ = truth.mains[-1]
    if truth.event["status"] == "running":
        rows = [(code, truth.place(round_, code), truth.chips(round_, code)) for code in truth.order(round_)]
    else:
        placed = {c: e for c, e in truth.entries.items() if e["place"] is not None}
        best = sorted(placed, key=lambda c: (placed[c]["place"], placed[c]["number"]))
        rows = [(code, truth.final_place(code), placed[code]["final_chips"]) for code in best]
    return [(code, place, f"{chips:,}") for code, place, chips in rows]


def lists(truth: Truth) -> list[list[tuple[str, str, str]]]:
    """All lists of the public page: the tie that is played, the round, and who is out of each earlier one."""
    extra, mains, places = truth.extra, truth.mains, truth.event_places()
    if truth.event["status"] != "running":
        return [ranking(truth)]
    ties = []
    if extra:
        groups = [group["entries"] for group in truth.stakes(extra).get("opened", [])]
        ties = [
            [(code, truth.tie_place(extra, code), f"{truth.chips(extra, code):,}") for code in group]
            for group in groups or [truth.members(extra)]
        ]
    out = [
        [(c, places[c], f"{truth.chips(r, c):,}") for c in set(truth.members(r)) - truth.went_on(r)]
        for r in reversed(mains[:-1])
    ]
    return [rows for rows in (*ties, ranking(truth), *out) if rows]


def by_entry(round_: Round) -> dict[str, tuple[int, int]]:
    """Entry → table and box, as they sit now."""
    seats = Seat.objects.filter(round=round_, vacated_at__isnull=True).select_related("entry", "table")
    return {seat.entry.code: (seat.table.number, seat.box) for seat in seats}


def played(round_: Round, words: dict[str, tuple[int, str]]) -> None:
    """One hand at every table that has a player of these: entry → bet and result."""
    seats = by_entry(round_)
    for table in sorted({seats[code][0] for code in words}):
        here = {seats[code][1]: each for code, each in words.items() if seats[code][0] == table}
        bets = {box: bet for box, (bet, _) in here.items()}
        hand(shoe_of(round_, table), bets, **{f"b{box}": word for box, (_, word) in here.items()})


def won(round_: Round, codes: list[str], *hands: tuple[int, str]) -> None:
    """A hand each, then the cut card and two counts."""
    played(round_, dict(zip(codes, hands, strict=True)))
    for shoe in round_.shoes.order_by("table__number"):
        shoe_over(shoe)
        count_both(shoe_of(round_, shoe.table.number))
    round_.refresh_from_db()


def best_first(round_: Round) -> list[str]:
    stacks = {s.entry.code: s.chips for s in round_.stacks.select_related("entry")}
    return sorted(by_entry(round_), key=lambda code: (-stacks[code], code))


@pytest.mark.soak
def test_T20_T23_T25_T26_places_stacks_seats_and_prizes_of_a_night_are_those_of_the_tables() -> None:
    """Eight play for four seats: a no-show and its alternate, a tie of three for two seats, two disqualified,
    a replaced qualifier, three rounds, both prizes."""
    event = event_make(9, tables_count=2, boxes_per_table=4, cut_after_round_1=4, cut_after_round_2=3)
    round_ = draw_and_seat(event)
    seat = Seat.objects.filter(round=round_).order_by("table__number", "box")[0]
    seating.seat_no_show(seat_id=seat.pk, refund=False, reason="", key=new_key(), actor=None)
    hold(event)
    seating.seat_fill(round_id=round_.pk, table_id=seat.table_id, box=seat.box, key=new_key(), actor=None)
    hold(event)
    codes = sorted(by_entry(round_))
    played(round_, {codes[7]: (800, "win")})
    disqualify(round_, codes[7])
    hold(event)
    hands = [(1000, "win"), (600, "win"), *[(200, "win")] * 3, (200, "lose"), (400, "lose")]
    won(round_, codes[:7], *hands)
    hold(event)
    stage, tied = draw_and_seat(event), codes[2:5]
    played(stage, {tied[0]: (200, "win"), tied[1]: (200, "push"), tied[2]: (200, "push")})
    hold(event)
    away = stage.stacks.get(entry__code=tied[1])
    seating.stack_absent(stack_id=away.pk, absent=True, reason="not there", key=new_key(), actor=None)
    dealing.round_look(round_id=stage.pk, key=new_key(), actor=None)
    hold(event)
    close(stage)
    close(round_)
    hold(event)
    replaced = event.entries.get(code=codes[0])
    seating.entry_replace(entry_id=replaced.pk, reason="ill", key=new_key(), actor=None)
    disqualify(round_, codes[6])
    hold(event)
    payouts_post(event, 600_00, 300_00)
    for hands in (
        [(1000, "win"), (600, "win"), (200, "win"), (200, "lose")],
        [(1000, "win"), (600, "win"), (200, "win")],
    ):
        round_ = draw_and_seat(event)
        won(round_, best_first(round_), *hands)
        hold(event)
        close(round_)
        hold(event)
    for entry in event.entries.filter(place__lte=2):
        payments.prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=UserFactory())
    hold(event)
    assert event.status == Event.Status.PAID
