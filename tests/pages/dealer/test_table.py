"""The table's page: a hand by cards, a hand by results, refusals, absent players, the end of the shoe."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Deal, Shoe
from tables.selectors.basis import shoe_basis
from tests.cast.at_tables import HTMX, Clerk, chosen, code, dealer_at, logged_in, sentence, text, url, wanted
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, hand, only, seated, shoe_of, stack_at

pytestmark = pytest.mark.django_db
BOXES = 3
QUERIES_AT_MOST = 19  # the last of them for who settled the hand that still lies there


# -- By cards ------------------------------------------------------------------------------------------


def test_T16_a_whole_hand_is_entered_by_taps(clerk, round_):
    assert wanted(clerk.press("bets", bet_1=400, bet_2=200, bet_3=1000)) == "card:1"
    assert wanted(clerk.cards("9s", "Kd", "5d", "Td", "9h", "Qh", "6s")) == "look"
    assert wanted(clerk.tap("look:no")) == "decision:1"
    clerk.tap("stand:1")
    clerk.tap("stand:2")
    assert wanted(clerk.tap("double:3")) == "card:3"
    page = clerk.cards("9d", "7d")
    assert wanted(page) == "done"
    assert "+2,000" in text(page)
    page = clerk.in_hand("settle")
    assert (chips_at(round_, 1), chips_at(round_, 2), chips_at(round_, 3)) == (5400, 5200, 7000)
    assert Deal.objects.get().status == Deal.Status.SETTLED
    assert 'data-number="2"' in page.content.decode()


def test_row8_insurance_is_offered_box_by_box_and_no_row_moves_when_a_box_insures(clerk):
    clerk.press("bets", bet_1=400, bet_2=200)
    page = clerk.cards("9s", "Ts", "Ah", "9d", "Ad")
    before = page.content.decode()
    assert wanted(page) == "insurance"
    assert 'value="insurance:1:200"' in before and 'value="even_money:2"' in before
    after = clerk.tap("insurance:1:200").content.decode()
    rows = [
        re.findall(r'class="hush">Box (\d),', page.split('class="offers"')[1]) for page in (before, after)
    ]
    assert rows == [["1", "2"], ["1", "2"]]
    assert "Insured 200" in after and 'value="insurance:1:' not in after
    assert wanted(clerk.tap("close_insurance")) == "look"


def test_T12_a_bet_beside_the_ladder_is_refused_and_the_others_stay_typed(clerk):
    answer = clerk.press("bets", bet_1=300, bet_2=400)
    assert (answer.status_code, code(answer)) == (422, "bet_not_in_increment")
    assert chosen(answer.content.decode())["bet-2"] == "400"


def test_F5_where_the_stack_may_be_bet_the_bet_is_typed():
    bets = {"min": 400, "max": None, "step": 200}
    plan = [{"stack": "reset", "advance": {"top": 2}, "bets": bets}, {"stack": "carried", "advance": None}]
    shoe = shoe_of(seated(3, plan=plan))
    clerk = Clerk(logged_in("floor"), shoe)
    for mode in ("cards", "results"):
        page = clerk.client.get(url(shoe), {"mode": mode}).content.decode()
        assert page.count('type="number"') == 3, mode
    boxes = {f"bet_{box}": 400 for box in (1, 2, 3)}
    wrong = {200: "bet_below_minimum", 500: "bet_not_in_increment", 5_200: "not_enough_chips"}
    for bet, why in wrong.items():
        answer = clerk.press("bets", **{**boxes, "bet_1": bet})
        assert (answer.status_code, code(answer)) == (422, why), bet
    assert clerk.press("bets", **{**boxes, "bet_1": 5_000}).status_code == 200
    assert Deal.objects.get(shoe=shoe).bets["1"] == 5_000


def test_T13_who_cannot_cover_the_minimum_is_shown_as_out(shoe, clerk, round_):
    stack = stack_at(round_, 2)
    type(stack).objects.filter(pk=stack.pk).update(chips=100)
    page = clerk.client.get(url(shoe)).content.decode()
    assert ('name="bet-1"' in page, 'name="bet-2"' in page) == (True, False)


def test_T15_an_absent_player_is_marked_by_the_floor_and_sits_out(shoe, clerk, round_):
    stack = stack_at(round_, 2)
    assert clerk.press("absent", stack=stack.pk, reason="Phone").status_code == 403
    floor = Clerk(logged_in("floor"), shoe)
    typed = {"mode": "results", "bet_1": "200", "out_1": "win"}
    page = floor.press("absent", stack=stack.pk, reason="Phone", **typed).content.decode()
    assert 'name="bet-1"' in page and 'name="bet-2"' not in page
    assert chosen(page)["out-1"] == "win", "a ruling leaves what is typed"
    answer = clerk.press("bets", bet_1=200, bet_2=200)
    assert (answer.status_code, code(answer)) == (422, "absent")
    floor.press("absent", stack=f"{stack.pk}:back", reason="Is back")
    assert clerk.press("bets", bet_1=200, bet_2=200).status_code == 200


# -- By results ----------------------------------------------------------------------------------------


def test_a_hand_is_entered_by_results_once_it_is_shown_what_they_come_to(clerk, round_):
    typed = {"insurance": "lost", "bet-1": 400, "out-1": "natural", "bet-2": 200, "out-2": "lose_doubled"}
    typed |= {"bet-3": 400, "out-3": "split", "hand-3-1": "win", "hand-3-2": "lose_doubled", "ins-3": "200"}
    answer = clerk.press("check", **typed)
    assert all(net in text(answer) for net in ("+600", "−400", "−600")) and not Deal.objects.exists()
    assert "+600" not in text(clerk.press("check", **{"bet-1": 400}))
    assert clerk.press("results", **typed).status_code == 200
    assert [chips_at(round_, box) for box in (1, 2, 3)] == [5600, 4600, 4400]


@pytest.mark.parametrize(
    ("settings", "offered"),
    [
        ({}, [100, 200, 300, 400, 500]),
        (
            {"options": {"halves": "player"}, "bet_min_chips": 25, "bet_max_chips": 75},
            [5, 10, 15, 20, 25, 30, 35],
        ),
        (
            {"sheet": "eca", "options": {"halves": "house"}, "bet_min_chips": 25, "bet_max_chips": 75},
            [10, 25, 35],
        ),
    ],
)
def test_row8_results_and_corrections_offer_what_a_bet_can_be_insured_for(settings, offered):
    """Half of the largest bet is not what the rules say where halves are rounded, or are exactly half."""
    if settings:
        settings |= {"bet_step_chips": 25, "chip_value_chips": 5}
    shoe = shoe_of(seated(2, **settings))
    shown = dealer_at(shoe).get(url(shoe), {"mode": "results"}).content.decode()
    bet = 200 if not settings else 25
    deal = hand(shoe, {1: bet, 2: bet}, b1="win", b2="lose")
    address = f"/staff/{shoe.round.event.slug}/deals/{deal.pk}/correct/"
    corrected = logged_in("director").get(address, {"how": "results"}).content.decode()
    for page in (shown, corrected):
        choice = page.split('name="ins-1"')[1].split("</select>")[0]
        assert [int(value) for value in re.findall(r'value="(\d+)"', choice)] == offered


def test_results_that_cannot_be_are_refused_and_stay_typed(clerk, round_):
    answer = clerk.press("results", **{"insurance": "won", "bet-1": 400, "out-1": "win", "ins-1": "200"})
    assert (answer.status_code, code(answer)) == (422, "result_impossible")
    assert chosen(answer.content.decode())["out-1"] == "win"
    answer = clerk.press("results", **{"bet-1": 400, "out-1": "win", "bet-2": 200})
    assert (answer.status_code, code(answer)) == (422, "results_missing")
    assert chips_at(round_, 1) == 5000


# -- The shoe ------------------------------------------------------------------------------------------


def test_T11_a_table_with_a_hand_typed_is_closed_after_it_or_without_it_on_purpose(clerk, shoe):
    typed = {"mode": "results", "bet_1": "200", "out_1": "win", "reason": "The shuffler broke"}
    answer = clerk.press("close", **typed)
    page = answer.content.decode()
    assert (answer.status_code, code(answer), chosen(page)["out-1"]) == (422, "hand_typed", "win")
    assert 'name="leave"' in page
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.DEALING
    assert clerk.press("close", leave="1", **typed).status_code == 200
    shoe.refresh_from_db()
    assert (shoe.status, Deal.objects.count()) == (Shoe.Status.OVER, 0)


def test_in_a_rehearsal_the_simulated_players_play_and_in_a_real_event_nobody(clerk):
    assert "simulated" not in text(clerk.client.get(url(clerk.shoe)))
    assert clerk.press("simulate", hands=1).status_code == 403
    shoe = shoe_of(seated(3, kind="rehearsal"))
    clerk = Clerk(logged_in("director"), shoe)
    assert "simulated players" in text(clerk.client.get(url(shoe)))
    page = clerk.press("simulate", hands=1)
    assert page.status_code == 200, sentence(page)
    assert Deal.objects.filter(shoe=shoe, status=Deal.Status.SETTLED).count() == 1
    clerk.press("simulate", hands="all")
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER


# -- One address, page and fragment --------------------------------------------------------------------


def test_without_script_a_press_is_a_full_page(clerk, shoe):
    sent = {"do": "bets", "key": new_key(), "shoe": shoe.pk, "bet-1": 400, "mode": "cards"}
    with only(shoe, {1}):
        sent["basis"] = str(shoe_basis(shoe.pk))
        answer = clerk.client.post(url(shoe), sent)
    assert (answer.status_code, answer["Location"]) == (303, url(shoe) + "?mode=cards")
    sent = {"do": "settle", "key": new_key(), "basis": str(shoe_basis(shoe.pk)), "deal": clerk.deal.pk}
    answer = clerk.client.post(url(shoe), sent)
    assert (answer.status_code, code(answer)) == (422, "deal_not_done")
    assert "<html" in answer.content.decode()


def test_a_page_that_looks_again_gets_nothing_until_somebody_acts(clerk, shoe):
    page = clerk.client.get(url(shoe), **HTMX).content.decode()
    since = page[page.index("?since=") :].split("&")[0]
    assert clerk.client.get(url(shoe) + since, **HTMX).status_code == 204
    Clerk(logged_in("floor"), shoe).press("bets", bet_1=400)
    again = clerk.client.get(url(shoe) + since, **HTMX)
    assert (again.status_code, wanted(again)) == (200, "card:1")


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "tap", "deal": "x"},
        {"do": "tap", "tap": "hit:x:y:z"},
        {"do": "tap", "card": "ZZ"},
        {"do": "bets", "bet-1": "9" * 40},
        {"do": "bets", "bet-1": "-200"},
        {"do": "nothing of that kind"},
        {"do": "results", "bet-1": "200", "out-1": "split"},
        {"do": "settle", "deal": "999999"},
        {"do": "cut", "shoe": "1e9"},
        {"do": "absent", "stack": ""},
    ],
)
def test_hostile_input_is_a_sentence_and_changes_nothing(clerk, fields):
    answer = clerk.press(**fields)
    assert 400 <= answer.status_code < 500
    assert code(answer)
    assert not Deal.objects.exists()


def test_T15_T17_hands_and_players_of_another_table_cannot_be_touched():
    round_ = seated(8)
    here, there = (Clerk(logged_in("director"), shoe_of(round_, table)) for table in (1, 2))
    there.press("bets", bet_1=200)
    deal, stack = there.deal, stack_at(round_, 1, table=2)
    assert here.press("undo", deal=deal.pk, seen=0).status_code == 404
    assert here.press("absent", stack=stack.pk, reason="x").status_code == 404
    there.in_hand("void", reason="Misdeal")
    there.press("results", **{"bet-1": 200, "out-1": "win"})
    settled = Deal.objects.get(status="settled")
    assert here.press("take_back", deal=settled.pk).status_code == 404


@pytest.mark.parametrize("boxes", [2, 7])
def test_the_table_needs_few_queries_however_many_sit_there(boxes):
    shoe = shoe_of(seated(boxes))
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    client, page = dealer_at(shoe), url(shoe)

    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as made:
            assert client.get(path).status_code == 200
        return len(made)

    queries(page)  # The first page writes the time into the session.
    assert max(queries(page), queries(page + "?mode=results&same=1")) <= QUERIES_AT_MOST
    clerk = Clerk(client, shoe)
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s", "6d")
    assert queries(page) <= QUERIES_AT_MOST
