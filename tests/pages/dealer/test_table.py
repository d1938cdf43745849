"""The table's page: a hand by cards, a hand by results, taps of two clerks, refusals, who may be there."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Deal, Shoe
from tables.selectors.basis import shoe_basis
from tables.services import seating
from tests.cast.at_tables import (
    HTMX,
    Clerk,
    chosen,
    code,
    dealer_at,
    logged_in,
    sentence,
    text,
    url,
    waits,
    wanted,
)
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, hand, only, seated, shoe_of, shoe_over, stack_at
from tournament.models import Round

pytestmark = pytest.mark.django_db
BOXES = 3
QUERIES_AT_MOST = 19  # the last of them for who settled the hand that still lies there


# -- Who may be there --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("director", 200),
        ("floor", 200),
        ("auditor", 200),
        ("dealer", 403),
        ("cashier", 403),
        ("manager", 403),
    ],
)
def test_the_page_opens_for_the_roles_of_the_floor(shoe, role, status):
    assert logged_in(role).get(url(shoe)).status_code == status


def test_a_dealer_works_at_the_own_table_and_at_no_other():
    round_ = seated(8)
    own, other = shoe_of(round_, 1), shoe_of(round_, 2)
    client = dealer_at(own)
    assert client.get(url(own)).status_code == 200
    assert client.get(url(other)).status_code == 403
    assert Clerk(client, other).press("cut").status_code == 403
    other.refresh_from_db()
    assert other.status == Shoe.Status.DEALING


def test_an_auditor_reads_and_changes_nothing(shoe):
    assert Clerk(logged_in("auditor"), shoe).press("bets", bet_1=200).status_code == 403
    assert not Deal.objects.exists()


def test_nobody_logged_in_goes_to_the_log_in(client, shoe):
    assert client.get(url(shoe)).status_code == 302


def test_the_page_is_never_stored(clerk, shoe):
    assert "no-store" in clerk.client.get(url(shoe))["Cache-Control"]


def test_a_table_that_does_not_exist_is_404(clerk, shoe):
    assert logged_in("director").get(url(shoe).replace("/1/", "/99/")).status_code == 404


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
    assert page.status_code == 200
    assert (chips_at(round_, 1), chips_at(round_, 2), chips_at(round_, 3)) == (5400, 5200, 7000)
    assert Deal.objects.get().status == Deal.Status.SETTLED
    assert 'data-number="2"' in page.content.decode()


def test_T16_only_legal_decisions_can_be_pressed(clerk):
    clerk.press("bets", bet_1=400)
    clerk.cards("9s", "6d", "2h")
    page = clerk.client.get(url(clerk.shoe)).content.decode()
    split = page[page.index('value="split:1"') :][:60]
    stand = page[page.index('value="stand:1"') :][:60]
    assert "disabled" in split
    assert "disabled" not in stand


def test_a_decision_that_is_not_legal_is_refused_in_a_sentence(clerk):
    clerk.press("bets", bet_1=400)
    clerk.cards("9s", "6d", "2h")
    answer = clerk.in_hand("tap", tap="split:1")
    assert (answer.status_code, code(answer)) == (422, "split_not_allowed")
    assert len(clerk.deal.taps) == 3


def test_insurance_is_offered_box_by_box_with_its_amounts_and_closed(clerk):
    clerk.press("bets", bet_1=400, bet_2=200)
    page = clerk.cards("9s", "Ts", "Ah", "9d", "Ad")
    assert wanted(page) == "insurance"
    assert 'value="insurance:1:200"' in page.content.decode()
    assert 'value="even_money:2"' in page.content.decode()
    clerk.tap("insurance:1:200")
    page = clerk.tap("close_insurance")
    assert "Insured 200" in text(page)
    assert wanted(page) == "look"


def test_the_hole_card_must_be_what_the_look_said(clerk):
    clerk.press("bets", bet_1=400)
    clerk.cards("9s", "Td", "9h")
    clerk.tap("look:no")
    assert wanted(clerk.tap("stand:1")) == "hole"
    answer = clerk.in_hand("tap", card="Ah", hole=1)
    assert (answer.status_code, code(answer)) == (422, "card_contradicts_look")


def test_undo_takes_the_last_tap_back(clerk):
    clerk.press("bets", bet_1=400)
    assert wanted(clerk.cards("9s", "6d")) == "card:1"
    assert wanted(clerk.in_hand("undo")) == "card"


def test_a_stale_tap_is_409_and_tells_what_happened(clerk, shoe):
    clerk.press("bets", bet_1=400)
    deal = clerk.deal
    other = Clerk(logged_in("floor"), shoe)
    other.cards("9s")
    answer = clerk.press("tap", deal=deal.pk, seen=0, card="Kh")
    assert answer.status_code == 409
    page, who = answer.content.decode(), other.client.user.username
    assert f'data-by="{who}"' in page
    # The line of the tablet names that person too, in place of "somebody else".
    assert f'data-changed="{who}' in page
    assert 'data-seen="1"' in page
    assert len(clerk.deal.taps) == 1


def test_a_tap_sent_twice_counts_once(clerk):
    clerk.press("bets", bet_1=400)
    deal, key = clerk.deal, new_key()
    for _ in range(2):
        assert clerk.press("tap", deal=deal.pk, seen=0, key=key, card="Kh").status_code == 200
    assert len(clerk.deal.taps) == 1


def test_T17_a_void_hand_gives_every_bet_back_and_its_number_stays_used(clerk, round_):
    clerk.press("bets", bet_1=400)
    clerk.cards("9s")
    answer = clerk.in_hand("void", reason="")
    assert (answer.status_code, code(answer)) == (422, "reason_missing")
    page = clerk.in_hand("void", reason="Two cards fell")
    assert page.status_code == 200
    assert chips_at(round_, 1) == 5000
    assert "hand 2" in text(page)


def test_row8_no_row_of_insurance_moves_when_a_box_insures(clerk):
    clerk.press("bets", bet_1=400, bet_2=200)
    before = clerk.cards("9s", "Ts", "Ah", "9d", "Ad").content.decode()
    after = clerk.tap("insurance:1:200").content.decode()
    rows = [
        re.findall(r'class="hush">Box (\d),', page.split('class="offers"')[1]) for page in (before, after)
    ]
    assert rows == [["1", "2"], ["1", "2"]]
    assert "Insured 200" in after and 'value="insurance:1:' not in after


def test_T12_a_bet_beside_the_ladder_is_refused_and_the_others_stay_typed(clerk):
    answer = clerk.press("bets", bet_1=300, bet_2=400)
    assert (answer.status_code, code(answer)) == (422, "bet_not_in_increment")
    assert chosen(answer.content.decode())["bet-2"] == "400"


def test_F5_where_the_stack_may_be_bet_the_bet_is_typed():
    bets = {"min": 400, "max": None, "step": 200}
    plan = [{"stack": "reset", "advance": {"top": 2}, "bets": bets}, {"stack": "carried", "advance": None}]
    round_ = seated(3, plan=plan)
    shoe = shoe_of(round_)
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
    page = floor.press("absent", stack=stack.pk, reason="Phone")
    assert "Absent" in text(page)
    assert 'name="bet-2"' not in page.content.decode()
    answer = clerk.press("bets", bet_1=200, bet_2=200)
    assert (answer.status_code, code(answer)) == (422, "absent")
    floor.press("absent", stack=f"{stack.pk}:back", reason="Is back")
    assert clerk.press("bets", bet_1=200, bet_2=200).status_code == 200


# -- By results ----------------------------------------------------------------------------------------


def test_a_hand_is_entered_by_results_two_taps_a_box(clerk, round_):
    page = clerk.press(
        "results",
        **{
            "bet-1": 400,
            "out-1": "win",
            "bet-2": 200,
            "out-2": "natural",
            "bet-3": 600,
            "out-3": "lose_doubled",
        },
    )
    assert page.status_code == 200
    assert (chips_at(round_, 1), chips_at(round_, 2), chips_at(round_, 3)) == (5400, 5300, 3800)
    assert "Results" in text(page)


def test_results_know_splits_and_insurance(clerk, round_):
    fields = {
        "insurance": "lost",
        "bet-1": 400,
        "out-1": "split",
        "hand-1-1": "win",
        "hand-1-2": "lose_doubled",
        "ins-1": "200",
    }
    assert clerk.press("results", **fields).status_code == 200
    assert chips_at(round_, 1) == 5000 + 400 - 800 - 200


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
    round_ = seated(2, **settings)
    shoe = shoe_of(round_)
    clerk = Clerk(dealer_at(shoe), shoe)
    shown = clerk.client.get(url(shoe), {"mode": "results"}).content.decode()
    bet = 200 if not settings else 25
    deal = hand(shoe, {1: bet, 2: bet}, b1="win", b2="lose")
    address = f"/staff/{round_.event.slug}/deals/{deal.pk}/correct/"
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


def test_what_the_results_come_to_is_shown_before_they_are_settled(clerk, round_):
    answer = clerk.press("check", **{"bet-1": 400, "out-1": "natural"})
    assert "+600" in text(answer)
    assert "+600" not in text(clerk.press("check", **{"bet-1": 400}))
    assert not Deal.objects.exists()


def test_results_sent_twice_are_one_hand(clerk, round_):
    fields = {"key": new_key(), "bet-1": 400, "out-1": "win"}
    assert [clerk.press("results", **fields).status_code for _ in range(2)] == [200, 200]
    assert chips_at(round_, 1) == 5400


# -- The shoe ------------------------------------------------------------------------------------------


def test_T11_the_cut_card_ends_the_shoe_and_the_count_is_next(clerk, shoe):
    page = clerk.press("cut", reason="fire drill")
    assert waits(page) == "count"
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER


def test_T11_the_cut_card_waits_for_the_open_hand(clerk):
    clerk.press("bets", bet_1=400)
    answer = clerk.press("cut")
    assert (answer.status_code, code(answer)) == (409, "deal_open")


def test_T11_a_table_with_a_hand_typed_is_closed_after_it_or_without_it_on_purpose(clerk, shoe):
    do = "close"
    typed = {"mode": "results", "bet_1": "200", "out_1": "win", "reason": "The shuffler broke"}
    answer = clerk.press(do, **typed)
    page = answer.content.decode()
    assert (answer.status_code, code(answer), chosen(page)["out-1"]) == (422, "hand_typed", "win")
    assert 'name="leave"' in page
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.DEALING
    assert clerk.press(do, leave="1", **typed).status_code == 200
    shoe.refresh_from_db()
    assert (shoe.status, Deal.objects.count()) == (Shoe.Status.OVER, 0)


def test_T15_a_ruling_on_absence_leaves_what_is_typed(clerk, shoe, round_):
    typed = {"mode": "results", "bet_1": "200", "out_1": "win"}
    floor = Clerk(logged_in("floor"), shoe)
    answer = floor.press("absent", stack=stack_at(round_, 3).pk, reason="Phone", **typed)
    assert answer.status_code == 200
    assert chosen(answer.content.decode())["out-1"] == "win"


def test_T11_a_table_is_closed_in_the_middle_with_a_reason(clerk, shoe):
    assert clerk.press("close", reason=" ").status_code == 422
    page = clerk.press("close", reason="Shuffler broke")
    assert "Shuffler broke" in text(page)


def test_in_a_rehearsal_the_simulated_players_play(db):
    shoe = shoe_of(seated(3, kind="rehearsal"))
    clerk = Clerk(logged_in("director"), shoe)
    assert "simulated players" in text(clerk.client.get(url(shoe)))
    page = clerk.press("simulate", hands=1)
    assert page.status_code == 200, sentence(page)
    assert Deal.objects.filter(shoe=shoe, status=Deal.Status.SETTLED).count() == 1
    clerk.press("simulate", hands="all")
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER


def test_in_a_real_event_nothing_is_simulated(clerk):
    assert "simulated" not in text(clerk.client.get(url(clerk.shoe)))
    assert clerk.press("simulate", hands=1).status_code == 403


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
    answer = clerk.press(**{"do": "", **fields})
    assert 400 <= answer.status_code < 500
    assert code(answer)
    assert not Deal.objects.exists()


def test_a_hand_of_another_table_cannot_be_touched(db):
    round_ = seated(8)
    here, there = Clerk(logged_in("director"), shoe_of(round_, 1)), shoe_of(round_, 2)
    Clerk(logged_in("director"), there).press("bets", bet_1=200)
    deal = Deal.objects.get(shoe=there)
    assert here.press("undo", deal=deal.pk, seen=0).status_code == 404


@pytest.mark.parametrize("boxes", [2, 7])
def test_the_table_needs_few_queries_however_many_sit_there(boxes):
    shoe = shoe_of(seated(boxes))
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    client = dealer_at(shoe)
    page = url(shoe)
    # The first page writes the time into the session.
    client.get(page)
    assert queries(client, page) <= QUERIES_AT_MOST
    assert queries(client, page + "?mode=results&same=1") <= QUERIES_AT_MOST
    clerk = Clerk(client, shoe)
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s", "6d")
    assert queries(client, page) <= QUERIES_AT_MOST


def queries(client, page: str) -> int:
    """How many queries a page needs."""
    with CaptureQueriesContext(connection) as made:
        assert client.get(page).status_code == 200
    return len(made)


def test_T18_an_event_on_counts_alone_says_so(db):
    shoe = shoe_of(seated(3, record_mode="counts"))
    page = logged_in("director").get(url(shoe))
    assert "counts alone" in text(page)


def test_the_shoe_over_page_knows_when_the_table_is_counted(shoe, round_):
    from tests.cast.floor import count_both

    shoe_over(shoe)
    count_both(shoe)
    assert waits(logged_in("director").get(url(shoe))) == "counted"
    assert Round.objects.get(pk=round_.pk).status == Round.Status.COUNTED


def test_T15_an_absent_player_of_another_table_is_not_ruled_on_here():
    round_ = seated(8)
    here = Clerk(logged_in("floor"), shoe_of(round_, 1))
    stack = stack_at(round_, 1, table=2)
    assert here.press("absent", stack=stack.pk, reason="x").status_code == 404


def test_an_absent_mark_is_undone_by_the_service_alone(shoe, round_):
    stack = stack_at(round_, 1)
    seating.stack_absent(stack_id=stack.pk, absent=True, reason="x", key=new_key(), actor=None)
    assert "Absent" in text(logged_in("auditor").get(url(shoe)))


def test_an_auditor_is_shown_the_hand_without_its_buttons(shoe, clerk):
    clerk.press("bets", bet_1=400)
    page = logged_in("auditor").get(url(shoe))
    assert wanted(page) == "card:1"
    assert 'name="do"' not in page.content.decode()
