"""The table's page: a hand by cards, a hand by results, refusals, absent players, the end of the shoe."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.blackjack.rules import SHEETS
from pages.dealer.games.part import net_label
from tables.models import Deal, Shoe
from tables.selectors.basis import shoe_basis
from tests.cast.amending import tapped
from tests.cast.at_tables import HTMX, Clerk, chosen, code, dealer_at, logged_in, sentence, text, url, wanted
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, hand, only, opened, seated, shoe_of, stack_at
from tests.cast.html import data
from tournament.services.reconcile import reconcile

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
        ({"options": {"halves": "player"}}, [5, 10, 15, 20, 25, 30, 35]),
        ({"sheet": "eca", "options": {"halves": "house"}}, [10, 25, 35]),
    ],
)
def test_row8_results_and_corrections_offer_what_a_bet_can_be_insured_for(settings, offered):
    """Half of the largest bet is not what the rules say where halves are rounded, or are exactly half."""
    if settings:
        settings |= {"bet_min_chips": 25, "bet_max_chips": 75, "bet_step_chips": 25, "chip_value_chips": 5}
    shoe = shoe_of(seated(2, **settings))
    shown = dealer_at(shoe).get(url(shoe), {"mode": "results"}).content.decode()
    bet = 200 if not settings else 25
    deal = hand(shoe, {1: bet, 2: bet}, b1="win", b2="lose")
    address = f"/staff/{shoe.round.event.slug}/deals/{deal.pk}/correct/"
    corrected = logged_in("director").get(address, {"how": "results"}).content.decode()
    for page in (shown, corrected):
        choice = page.split('name="ins-1"')[1].split("</select>")[0]
        assert [int(value) for value in re.findall(r'value="(\d+)"', choice)] == offered


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


def test_hostile_input_is_a_sentence_and_changes_nothing(clerk):
    for do, fields in (
        ("tap", {"deal": "x"}),
        ("tap", {"card": "ZZ"}),
        ("bets", {"bet-1": "9" * 40}),
        ("nothing of that kind", {}),
        ("results", {"bet-1": "200", "out-1": "split"}),
        ("cut", {"shoe": "1e9"}),
        ("absent", {"stack": ""}),
    ):
        answer = clerk.press(do, **fields)
        assert 400 <= answer.status_code < 500 and code(answer), do
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


# -- What goes wrong in a hand, where the sheet knows it -------------------------------------------------


def clerk_at(sheet: str, boxes: int = 2, **settings: Any) -> Clerk:
    shoe = shoe_of(seated(boxes, sheet=sheet, **settings))
    return Clerk(dealer_at(shoe), shoe)


def page(clerk: Clerk) -> str:
    return clerk.client.get(url(clerk.shoe)).content.decode()


def mishap(clerk: Clerk, kind: str, card: str, **more: Any) -> Any:
    sent = {"mishap": kind, "mishap-rank": card[0], "mishap-suit": card[1], **more}
    return clerk.in_hand("tap", **sent)


def settled(clerk: Clerk) -> Deal:
    assert clerk.in_hand("settle").status_code == 200
    deal = Deal.objects.get(status="settled")
    assert reconcile(clerk.shoe.round.event) == []
    return deal


def test_eca_a_card_that_lay_face_up_is_burned_and_the_next_one_is_dealt():
    clerk = clerk_at("eca")
    clerk.press("bets", bet_1=200, bet_2=200)
    assert 'name="burned"' in page(clerk)
    clerk.cards("Ts")
    assert wanted(clerk.in_hand("tap", card="2h", burned="1")) == "card:2"
    clerk.cards("9s", "9h", "9d", "8d")
    for value in ("stand:1", "stand:2"):
        clerk.tap(value)
    # A card too many on the finished hand of the dealer is burned as well.
    assert 'value="too_many"' in clerk.cards("8c").content.decode()
    assert wanted(mishap(clerk, "too_many", "2c")) == "done"
    deal = settled(clerk)
    kinds = [(each["kind"], each["card"]) for each in deal.record["irregularities"]]
    assert (kinds, deal.answer["net"]) == ([("face_up", 2), ("dealer_extra", 8)], {"1": 200, "2": 0})


def test_eca_a_card_dealt_in_error_is_refused_by_one_and_is_the_next_ones():
    clerk = clerk_at("eca")
    clerk.press("bets", bet_1=200, bet_2=200)
    clerk.cards("Ts", "9s", "6h", "2d", "3d")
    assert re.findall(r'name="refuses-(\d)"', page(clerk)) == ["1", "2"]
    answer = clerk.in_hand("tap", **{"mishap": "exposed", "mishap-rank": "5"})
    assert (answer.status_code, code(answer), len(clerk.deal.taps)) == (422, "no_rank", 5)
    answer = mishap(clerk, "exposed", "5c", **{"refuses-1": "1"})
    assert wanted(answer) == "decision:2"
    assert 'data-came-out="5c"' in answer.content.decode()
    # One card at a time comes out in error: the form is gone until somebody has it.
    assert 'value="exposed"' not in answer.content.decode()
    answer = clerk.tap("hit:2")
    assert "data-came-out" not in answer.content.decode()
    clerk.tap("stand:2")
    clerk.cards("Tc", "Kh")
    deal = settled(clerk)
    assert deal.record["irregularities"] == [{"kind": "misdealt", "card": 6, "refused": [1], "after": 0}]
    assert deal.answer["hands"]["2"][0]["cards"] == ["9s", "3d", "5c"]


def test_banco_a_box_that_was_not_dealt_to_sits_out_and_has_its_bet_back():
    clerk = clerk_at("banco", 3)
    before = chips_at(clerk.shoe.round, 2)
    clerk.press("bets", bet_1=20, bet_2=40, bet_3=20)
    clerk.cards("Ts")
    assert 'value="not_dealt:2"' in page(clerk)
    assert wanted(clerk.tap("not_dealt:2")) == "card:3"
    clerk.cards("9s", "9h", "9d", "8d")
    clerk.tap("stand:1")
    clerk.tap("stand:3")
    clerk.cards("9c")
    deal = settled(clerk)
    assert deal.answer["net"] == {"1": 20, "2": 0, "3": -20}
    assert chips_at(clerk.shoe.round, 2) == before


@pytest.mark.parametrize("sheet", [name for name, rules in SHEETS.items() if not rules.irregularities])
def test_a_sheet_that_knows_none_offers_none_and_refuses_them(sheet):
    clerk = clerk_at(sheet)
    clerk.press("bets", bet_1=200, bet_2=200)
    assert not re.search('name="burned"|value="exposed"', page(clerk))
    for sent in ({"card": "2h", "burned": "1"}, {"tap": "not_dealt:1"}):
        answer = clerk.in_hand("tap", **sent)
        assert (answer.status_code, code(answer)) == (422, "irregularity_not_known")


# -- What needs a ruling, on every sheet ------------------------------------------------------------------

THREE = "9s 8d 7c 6d 2h 3c 4d"
BETS = {1: 200, 2: 200, 3: 200}


def forms(page: str) -> list[str]:
    return re.findall(r'data-wrong="(\w+)"', page)


def wrong(clerk: Clerk, which: str, ruling: str = "play_on", **more: Any) -> Any:
    return clerk.in_hand("wrong", **{"wrong": which, "ruling": ruling, "reason": "Floor: Ann"} | more)


def test_T17_a_hole_card_turned_too_early_and_a_skipped_box_are_played_on():
    shoe = shoe_of(seated(3))
    clerk, deal = Clerk(dealer_at(shoe), shoe), tapped(opened(shoe, BETS), THREE[:-3])
    assert forms(page(clerk)) == []
    tapped(deal, THREE[-2:])
    assert forms(page(clerk)) == ["hole", "skipped"]
    # Without the card, or without a reason, nothing is kept, and the form says so where it was sent.
    for suit, reason, why in (("", "Ann", "no_rank"), ("d", "", "reason_missing")):
        answer = wrong(clerk, "hole", rank="T", suit=suit, reason=reason)
        assert answer.status_code == 422
        form = answer.content.decode().partition('data-wrong="hole"')[2].partition("</form>")[0]
        assert f'data-code="{why}"' in form
        assert '<option value="T" selected>' in form
    assert len(clerk.deal.taps) == 7
    answer = wrong(clerk, "skipped", seat=1, behind=2)
    assert forms(answer.content.decode()) == ["hole"]
    tapped(deal, "stand:2")
    answer = wrong(clerk, "hole", rank="T", suit="d")
    assert forms(answer.content.decode()) == []
    tapped(deal, "stand:1 stand:3 4c")
    deal = settled(clerk)
    assert deal.record["cards"] == [*THREE.split(), "Td", "4c"]
    assert [each["kind"] for each in deal.record["irregularities"]] == ["skipped", "hole_turned"]
    replay = clerk.client.get(f"/staff/{shoe.round.event.slug}/deals/{deal.pk}/replay/").content.decode()
    assert re.findall(r'data-ruling="(\w+)"', replay) == ["play_on", "play_on"]


# -- By results ------------------------------------------------------------------------------------------


def results_page(clerk: Clerk, **asked: Any) -> str:
    return clerk.client.get(url(clerk.shoe), {"mode": "results", **asked}).content.decode()


def split(box: int, *words: str) -> dict[str, str]:
    return {f"out-{box}": "split", **{f"hand-{box}-{at}": word for at, word in enumerate(words, start=1)}}


def doubled(results_page: str) -> str:
    return re.findall(r'name="dbl-1" value="(\w+)"', results_page)[0]


def corrected(clerk: Clerk, deal: Deal) -> str:
    address = f"/staff/{clerk.shoe.round.event.slug}/deals/{deal.pk}/correct/"
    return logged_in("director").get(address, {"how": "results"}).content.decode()


def test_row16_more_than_four_hands_where_the_sheet_sets_no_limit():
    clerk = clerk_at("eca")
    before = chips_at(clerk.shoe.round, 1)
    shown = results_page(clerk)
    assert 'name="hand-1-5"' not in shown
    typed = {"bet-1": "20", **split(1, "win", "win", "lose", "win"), "hands": "8"}
    assert 'name="hand-1-8"' in results_page(clerk, **typed)
    # The results_page that looks again keeps how many hands were asked for.
    looked = {"since": shown.split("?since=")[1].split("&")[0] + "x", "mode": "results", **typed}
    assert 'name="hand-1-8"' in clerk.client.get(url(clerk.shoe), looked, **HTMX).content.decode()
    answer = clerk.press("results", **{"bet-1": 20, **split(1, *["win"] * 4, "surrender")})
    assert answer.status_code == 422
    fourth = answer.content.decode().split('name="hand-1-4"')[1].split("</select>")[0]
    assert re.findall(r'value="(\w+)" selected', fourth) == ["win"]
    assert 'name="hand-1-5"' in answer.content.decode(), "what was refused keeps its fifth hand"
    answer = clerk.press("results", **{"bet-1": 20, **split(1, *["win"] * 5, "lose_doubled")})
    assert answer.status_code == 200, sentence(answer)
    assert chips_at(clerk.shoe.round, 1) == before + 5 * 20 - 40
    deal = Deal.objects.get()
    assert len(deal.outcomes["1"]["hands"]) == 6
    again = corrected(clerk, deal)
    assert 'name="hand-1-6"' in again
    assert 'name="hand-1-7"' in again, "one that is free"
    assert reconcile(clerk.shoe.round.event) == []


@pytest.mark.parametrize(("sheet", "most"), [("wonder", 4), ("ggpoker", 2)])
def test_row16_no_more_hands_are_offered_than_the_sheet_has(sheet, most):
    shown = results_page(clerk_at(sheet), hands="12")
    assert f'name="hand-1-{most}"' in shown
    assert f'name="hand-1-{most + 1}"' not in shown
    # Row 13: where a double is the same again no amount is asked.
    assert ('name="dbl-1"' in shown) == (sheet == "ggpoker")


def test_row13_a_double_for_less_by_results():
    clerk = clerk_at("ggpoker")
    before = chips_at(clerk.shoe.round, 1)
    assert 'name="dbl-1-1"' not in results_page(clerk), "no doubles after a split on this sheet"
    answer = clerk.press("results", **{"bet-1": 20, "out-1": "win_doubled", "dbl-1": "7"})
    assert answer.status_code == 200, sentence(answer)
    assert chips_at(clerk.shoe.round, 1) == before + 27
    page = corrected(clerk, Deal.objects.get())
    assert (doubled(page), data(page, "doubled-chips")) == ("7", ["7"])
    for typed in ("21", "seven"):
        answer = clerk.press("results", **{"bet-1": 20, "out-1": "win_doubled", "dbl-1": typed})
        assert (answer.status_code, doubled(answer.content.decode())) == (422, typed)


@pytest.mark.parametrize(("hand_nets", "label"), [((0, None), "Push"), ((-400,), "0"), ((200, -200), "0")])
def test_A4_a_net_of_0_is_a_push_only_where_no_hand_won_or_lost(hand_nets, label):
    assert net_label(0, hand_nets)["label"] == label
