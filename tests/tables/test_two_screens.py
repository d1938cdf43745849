"""Two screens at one table, each with its form: the second was made from a state that is no more (faults)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tables.models import Deal
from tables.selectors.basis import shoe_basis
from tables.services import dealing, seating
from tests.cast.at_tables import HTMX, Clerk, chosen, code, dealer_at, logged_in, sentence, url
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, hand, seated, shoe_of, shoe_over, stack_at
from tests.cast.hostile import forms_of
from tournament.models import JournalEntry
from tournament.selectors.basis import seq_of

pytestmark = pytest.mark.django_db
WON = {"bet_1": 200, "out_1": "win", "bet_2": 200, "out_2": "lose"}


@pytest.fixture
def shoe(db):
    return shoe_of(seated(2))


@pytest.fixture
def screens(shoe) -> tuple[Clerk, Clerk]:
    return Clerk(dealer_at(shoe), shoe), Clerk(logged_in("floor"), shoe)


def table_now(shoe: Any) -> Any:
    deals = list(Deal.objects.order_by("pk").values())
    stacks = list(shoe.round.stacks.order_by("pk").values())
    shoe.refresh_from_db()
    return deals, stacks, shoe.status, JournalEntry.objects.count()


def test_T17_the_same_hand_by_results_from_two_screens_counts_once(shoe, screens):
    dealer, floor = screens
    seen = str(shoe_basis(shoe.pk))
    none = dealer.press("results", basis="", **WON)
    assert (none.status_code, code(none), Deal.objects.count()) == (422, "no_basis", 0)
    assert dealer.press("results", basis=seen, **WON).status_code == 200
    before = table_now(shoe)
    answer = floor.press("results", basis=seen, **WON)
    assert answer.status_code == 409
    assert table_now(shoe) == before
    assert chips_at(shoe.round, 1) == 5200
    assert code(answer) == "stale" and dealer.client.user.username in sentence(answer)
    page = answer.content.decode()
    assert chosen(page)["out-1"] == "win"
    # The page that answers was made from what is now: sent on purpose, it is hand 2.
    assert f'value="{shoe_basis(shoe.pk).mark}.' in page


def absent(shoe: Any) -> None:
    stack = {"stack_id": stack_at(shoe.round, 2).pk, "absent": True, "reason": "phone"}
    seating.stack_absent(**stack, key=new_key(), actor=None)


def opened(shoe: Any) -> None:
    dealing.deal_open(shoe_id=shoe.pk, bets={1: 200, 2: 200}, actor=None)


def test_bets_changed_on_one_screen_are_not_changed_back_by_another(shoe, screens):
    dealer, floor = screens
    dealer.press("bets", bet_1=200, bet_2=200)
    seen = str(shoe_basis(shoe.pk))
    assert dealer.in_hand("rebet", bet_1=400, bet_2=200).status_code == 200
    assert floor.in_hand("rebet", basis=seen, bet_1=600, bet_2=200).status_code == 409
    assert dealer.deal.bets == {"1": 400, "2": 200}
    # The same change from both is one change.
    assert floor.in_hand("rebet", basis=seen, bet_1=400, bet_2=200).status_code == 200
    seen = str(shoe_basis(shoe.pk))
    dealer.cards("9s")
    assert floor.press("void", basis=seen, deal=dealer.deal.pk, reason="spilt").status_code == 409
    assert dealer.deal.status == Deal.Status.OPEN


def test_another_tables_hands_leave_a_form_as_it_was(db):
    round_ = seated(4, tables_count=2)
    one, two = shoe_of(round_, 1), shoe_of(round_, 2)
    seen = str(shoe_basis(one.pk))
    hand(two, {1: 200}, b1="win")
    assert Clerk(logged_in("floor"), one).press("results", basis=seen, **WON).status_code == 200


def test_what_is_typed_stays_under_the_fingers_while_another_screen_settles(shoe, screens):
    """The page that looks again would make the typed results into those of the next hand."""
    dealer, floor = screens
    page = floor.client.get(url(shoe) + "?mode=results").content.decode()
    since = page[page.index("?since=") + 1 :].split("&")[0]
    typed = {"mode": "results", "basis": str(shoe_basis(shoe.pk)), "bet-1": "200", "out-1": "win"}
    dealer.press("results", **WON)
    look = {"since": since.removeprefix("since=")}
    answer = floor.client.get(url(shoe), {**look, **typed}, **HTMX)
    assert (answer.status_code, answer["HX-Retarget"]) == (200, "#meanwhile")
    assert 'id="entering"' not in answer.content.decode()
    again = floor.client.get(url(shoe), {**look, **typed, "told": shoe_basis(shoe.pk).mark}, **HTMX)
    assert again.status_code == 204
    # Nothing typed: the page is simply the newer one.
    plain = floor.client.get(url(shoe), {**look, "mode": "results", "basis": typed["basis"]}, **HTMX)
    assert 'data-number="2"' in plain.content.decode()


def form_of(answer: Any) -> dict[str, str]:
    """What the form in which bets and results are entered would send as it stands."""
    page = answer.content.decode()
    (form,) = [each for each in forms_of("/", page) if "bet-1" in each.fields]
    checked = re.findall(r'name="((?:bet|out)-\d)" value="(\w+)"[^>]*? checked', page)
    hidden = ("do", "mode", "key", "basis", "shoe", "deal")
    return {name: form.fields[name] for name in hidden if name in form.fields} | dict(checked)


TYPED = {"bet-1": "200", "out-1": "win", "bet-2": "200", "out-2": "lose"}
CHANGES = [(opened, HTMX), (opened, {}), (shoe_over, HTMX), (absent, HTMX)]


@pytest.mark.parametrize(("meanwhile", "headers"), CHANGES)
def test_after_any_change_a_form_is_stale_and_keeps_what_was_typed(shoe, screens, meanwhile, headers):
    floor = screens[1]
    sent = {"do": "results", "mode": "results", "key": new_key(), "basis": str(shoe_basis(shoe.pk))}
    meanwhile(shoe)
    before = table_now(shoe)
    answer = floor.client.post(url(shoe), {**sent, "shoe": str(shoe.pk), **TYPED}, **headers)
    assert (answer.status_code, code(answer)) == (409, "stale")
    assert "data-card=" not in answer.content.decode(), "the screen has not gone over to the cards"
    assert table_now(shoe) == before
    again = form_of(answer)
    assert (again["do"], again["mode"], again["shoe"]) == ("results", "results", str(shoe.pk))
    typed = {name: value for name, value in again.items() if name in TYPED}
    if meanwhile is absent:
        assert typed == {"bet-1": "200", "out-1": "win"}
        return
    assert typed == TYPED
    # Sent again as things are, it is refused in a sentence, and nothing is lost either.
    refused = floor.client.post(url(shoe), again, **headers)
    assert refused.status_code in (409, 422)
    assert {name: form_of(refused)[name] for name in TYPED} == TYPED
    assert table_now(shoe) == before


def test_results_that_stayed_are_recorded_once_the_hand_in_the_way_is_gone(shoe, screens):
    dealer, floor = screens
    seen = str(shoe_basis(shoe.pk))
    dealer.press("bets", bet_1=400, bet_2=400)
    stayed = form_of(floor.press("results", basis=seen, mode="results", **WON))
    # The page that looks again leaves them; whoever leaves them out sees the table as it is.
    looks = {"since": "another version", "mode": "results", "basis": stayed["basis"], **TYPED}
    again = form_of(floor.client.get(url(shoe), looks, **HTMX))
    assert {name: again[name] for name in TYPED} == TYPED
    assert "data-card=" in floor.client.get(url(shoe), **HTMX).content.decode()
    dealer.in_hand("void", reason="misdeal")
    stale = floor.client.post(url(shoe), stayed, **HTMX)
    assert stale.status_code == 409
    assert floor.client.post(url(shoe), form_of(stale), **HTMX).status_code == 200
    made = Deal.objects.get(status=Deal.Status.SETTLED)
    assert (made.number, made.bets) == (2, {"1": 200, "2": 200})


def test_bets_that_were_typed_stay_where_another_screen_has_called_its_own(shoe, screens):
    dealer, floor = screens
    seen = str(shoe_basis(shoe.pk))
    dealer.press("bets", bet_1=200, bet_2=200)
    # The page that looks again sends the empty form along, whose button says 'bets', and shows the hand.
    looks = {"since": "another version", "mode": "cards", "do": "bets", "basis": str(shoe_basis(shoe.pk))}
    page = floor.client.get(url(shoe), looks, **HTMX).content.decode()
    assert "data-card=" in page and 'name="bet-1"' not in page
    answer = floor.press("bets", basis=seen, bet_1=600, bet_2=400)
    assert answer.status_code == 409
    again = form_of(answer)
    assert (again["do"], again["bet-1"], again["bet-2"]) == ("rebet", "600", "400")
    assert floor.client.post(url(shoe), {**again, "seen": "0"}, **HTMX).status_code == 200
    assert dealer.deal.bets == {"1": 600, "2": 400}


def test_a_form_says_how_far_the_journal_was():
    texts = (".7", "", "abc", "abc.", "abc.x", "abc.²", "abc.-1")
    assert [seq_of(text) for text in texts] == [7, *[None] * 6]
