"""The public page of an entry: its results, and its own hands step by step once their round is closed."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tables.models import Deal
from tables.services import dealing
from tables.services.seating import seat_no_show
from tests.cast import floor as cast
from tests.cast.counting import enter
from tests.cast.disqualified import withdraw
from tests.cast.factories import new_key
from tests.cast.worlds import kept
from tournament.models import Entry, Event, Player, StandingsSnapshot
from tournament.services.standings import standings_recompute

pytestmark = pytest.mark.django_db


@dataclass
class Night:
    """Round 1 is closed and round 2 is in play. ``who`` sat at box 1 and goes on, ``other`` at box 2."""

    event: Event
    who: Entry
    other: Entry
    by_cards: Deal
    by_results: Deal
    void: Deal
    of_another: Deal
    open_round: Deal


@kept
def night() -> Night:
    """Hands of every kind in round 1, and one in round 2."""
    round_ = cast.seated(4, cut_after_round_1=2, cut_after_round_2=2)
    for entry in round_.event.entries.all():
        Player.objects.filter(pk=entry.player_id).update(alias=f"Alias {entry.number}")
    shoe = cast.shoe_of(round_)
    by_cards = cast.recorded(shoe, cast.one_box_win(1, 400))
    by_results = cast.hand(shoe, {1: 200, 2: 400}, b1="lose", b2="win")
    void = cast.opened(shoe, {1: 600}, mode="cards")
    dealing.deal_void(deal_id=void.pk, reason="Bea T. saw a card", key=new_key(), actor=None)
    of_another = cast.hand(shoe, {2: 200}, b2="lose")
    who, other = (cast.stack_at(round_, box).entry for box in (1, 2))
    cast.play_and_close(round_)
    cast.payouts_post(round_.event)
    second = cast.draw_and_seat(round_.event)
    box = next(seat.box for seat in second.seats.filter(vacated_at__isnull=True) if seat.entry_id == who.pk)
    open_round = cast.recorded(cast.shoe_of(second), cast.one_box_win(box, 200))
    standings_recompute(event_id=round_.event_id)
    return Night(second.event, who, other, by_cards, by_results, void, of_another, open_round)


def page(client: Client, of: Night, entry: Entry, deal: Deal | None = None, step: int = 0) -> HttpResponse:
    """The page of an entry, or of one step of a hand of it."""
    parts: dict[str, Any] = {"slug": of.event.slug, "code": entry.code}
    if deal is None:
        return client.get(reverse("tournament:public_entry", kwargs=parts))
    return client.get(reverse("tournament:public_hand", kwargs={**parts, "pk": deal.pk, "step": step}))


def values(answer: HttpResponse, name: str) -> list[str]:
    """Every value of a ``data-`` attribute, in the order of the page."""
    assert answer.status_code == 200
    return re.findall(rf'data-{name}="([^"]*)"', answer.content.decode())


def test_T17_an_entry_lists_its_own_hands_of_closed_rounds_alone(client: Client) -> None:
    of = night()
    own = page(client, of, of.who)
    assert values(own, "hand") == [str(each.pk) for each in (of.by_cards, of.by_results, of.void)]
    assert values(own, "net") == ["400", "-200", ""]
    # Round 2 is open, round 1 is posted: 5,000 and what was won.
    assert values(own, "round") == ["2", "1"]
    assert values(own, "state") == ["open", "closed", "settled", "settled", "void"]
    assert values(own, "chips")[-1] == "5200"
    for hidden in (of.of_another, of.open_round):
        assert page(client, of, of.who, hidden).status_code == 404
    assert page(client, of, of.other, of.of_another).status_code == 200
    for code in ("E999", "e001", "x"):
        assert client.get(f"/e/{of.event.slug}/entries/{code}/").status_code == 404


def test_T6_a_player_who_never_came_has_played_no_round(client: Client) -> None:
    seat = cast.seated(4).seats.get(box=4)
    seat_no_show(seat_id=seat.pk, refund=True, reason="her train", key=new_key(), actor=None)
    answer = client.get(f"/e/{seat.round.event.slug}/entries/{seat.entry.code}/")
    assert (values(answer, "round"), values(answer, "code")) == ([], ["no_show"])


def test_T7_an_entry_that_was_withdrawn_before_it_had_a_seat_is_said_to_be_gone_and_names_nobody(
    client: Client,
) -> None:
    event = cast.event_make(4)
    entry = withdraw(event, "E004", refund=True)
    answer = client.get(reverse("tournament:public_entry", args=[event.slug, "E004"]))
    words = answer.content.decode()
    assert (answer.status_code, 'data-state="withdrawn"' in words) == (404, True)
    assert entry.player.public_name not in words


def test_T18_T26_what_rulings_moved_beside_the_hands_is_told_once_the_round_is_closed(client: Client) -> None:
    round_ = cast.seated(4, cut_after_round_1=3, cut_after_round_2=2)
    shoe = cast.shoe_of(round_)
    cast.hand(shoe, {1: 200, 2: 200}, b1="lose", b2="win")
    who = cast.stack_at(round_, 1).entry
    cast.take_chips(who, 500)
    cast.shoe_over(shoe)
    held = {1: 4_300, 2: 5_200, 3: 5_000, 4: 5_000}
    enter(shoe, held)
    enter(shoe, {**held, 1: 4_500})
    cast.rule(shoe, {**held, 1: 4_600})
    path = reverse("tournament:public_entry", args=[round_.event.slug, who.code])
    assert values(client.get(path), "ruled-chips") == []
    cast.close(round_)
    page = client.get(path)
    assert (values(page, "ruled-chips"), values(page, "chips")[-1]) == (["-200"], "4600")


def test_a_hand_is_replayed_step_by_step_each_with_its_address(client: Client) -> None:
    of = night()
    first = page(client, of, of.who, of.by_cards)
    last = int(values(first, "last")[0])
    assert values(first, "before") == ["5000"] and values(first, "after") == []
    steps = [page(client, of, of.who, of.by_cards, step) for step in range(last + 1)]
    assert [values(each, "kind")[0] for each in steps][:: last or 1] == ["bets", "settled"]
    assert values(steps[-1], "net") == ["400"] and values(steps[-1], "after") == ["5400"]
    # The dealer's second card is seen when it is turned, not before.
    seen = ["10 of diamonds" in each.content.decode() for each in steps]
    assert seen == sorted(seen) and not seen[0] and seen[-1]
    assert page(client, of, of.who, of.by_cards, last + 1).status_code == 404


def test_a_hand_without_cards_says_so_and_shows_what_came_of_it(client: Client) -> None:
    of = night()
    # A void hand shows no chips: what lay there is not told anew when an earlier hand is corrected.
    for deal, *said in ((of.by_results, "hand_by_result", "5400", "5200"), (of.void, "hand_void", "", "")):
        told = page(client, of, of.who, deal)
        assert [values(told, name) for name in ("code", "before", "after")] == [[each] for each in said]
        assert page(client, of, of.who, deal, 1).status_code == 404


def test_no_page_of_an_entry_names_anybody_else_or_a_reason_of_the_staff(client: Client) -> None:
    of = night()
    others = [e.player.public_name for e in of.event.entries.exclude(pk=of.who.pk).select_related("player")]
    assert len(set(others)) == 3
    for deal in (None, of.by_cards, of.by_results, of.void):
        words = page(client, of, of.who, deal).content.decode()
        assert of.who.player.public_name in words
        assert not [name for name in [*others, "saw a card"] if name in words]


def test_the_stack_of_an_open_round_comes_from_the_snapshot_alone(client: Client) -> None:
    of = night()
    stack = of.who.stacks.latest("pk")
    leaderboard = client.get(reverse("tournament:leaderboard", args=[of.event.slug])).content.decode()
    assert f'href="entries/{of.who.code}/"' in leaderboard
    assert values(page(client, of, of.who), "chips") == [str(stack.chips), "5200"]
    StandingsSnapshot.objects.filter(event=of.event).delete()
    assert values(page(client, of, of.who), "chips") == ["5200"]
