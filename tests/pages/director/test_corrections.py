"""Hands that are over, and putting one right with a preview (T17)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.services import dealing
from tests.cast import corrected
from tests.cast.at_tables import logged_in
from tests.cast.corrected import SWAPPED, answer, asked_for, changes, page_of, post, put_right, round_1, words
from tests.cast.counting import basis_of
from tests.cast.factories import new_key
from tests.cast.floor import (
    chips_at,
    close,
    draw_and_seat,
    hand,
    opened,
    person,
    play_and_close,
    play_and_count,
    record,
    recorded,
    seated,
    shoe_of,
)
from tests.cast.html import data, read
from tests.cast.tied import CUTS, code_at, play_off
from tournament.models import Event, Request
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


@pytest.fixture
def shoe(db) -> Shoe:
    return shoe_of(seated(3))


@pytest.fixture
def deal(shoe) -> Deal:
    """A hand by results: box 1 won 400, box 2 lost 200."""
    return hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")


def address(deal) -> str:
    return f"/staff/{deal.shoe.round.event.slug}/deals/{deal.pk}/correct/"


def press(client, deal, do="preview", **fields):
    return client.post(address(deal), {"do": do, "key": new_key(), **fields})


RIGHT = {"how": "results", "bet-1": "400", "out-1": "lose", "bet-2": "200", "out-2": "lose"}


def test_hands_are_listed_with_cards_results_and_why_they_are_void(shoe):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    recorded(shoe, taken)
    dealing.deal_void(deal_id=opened(shoe, {1: 200}).pk, reason="Misdeal", key=new_key(), actor=None)
    page = logged_in("floor").get(f"/staff/{shoe.round.event.slug}/deals/")
    assert data(page, "state") == ["void", "settled"]
    assert data(page, "net-chips") == ["", "400"]
    assert all(each in page.content.decode() for each in ("9 of spades", "stand", "Misdeal"))


def checked(page) -> dict[str, str]:
    """What is chosen in the form: the name of each choice and its value."""
    return dict(re.findall(r'name="([\w-]+)" value="(\w+)"[^>]*checked', page.content.decode()))


def test_T17_a_preview_shows_stacks_ranks_and_the_cut_and_a_correction_reverses_the_hand():
    """Three sit there and two bet: the third was recorded without a bet, which is no gap to be filled."""
    shoe = shoe_of(seated(3, **CUTS))
    deal = hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    client, code = logged_in("director"), shoe.round.seats.get(box=1).entry.code
    page = client.get(address(deal))
    was = {"bet-1": "400", "bet-2": "200", "bet-3": "0", "out-1": "win", "out-2": "lose"}
    assert was.items() <= checked(page).items()
    page = press(client, deal, **RIGHT, **{"bet-3": "0"})
    assert page.status_code == 200
    assert (changes(page)[code], changes(page, name="place")[code]) == ("5400 4600", "1 3")
    assert changes(page, name="state")[code] == "above below"
    assert chips_at(shoe.round, 1) == 5400
    assert checked(page)["out-1"] == "lose"
    answer = press(client, deal, "correct", reason=" ", **RIGHT)
    assert (answer.status_code, data(answer, "code")) == (422, ["reason_missing"])
    answer = press(client, deal, "correct", reason="Misread", **RIGHT)
    assert answer.status_code == 303
    assert chips_at(shoe.round, 1) == 4600
    page = client.get(answer["Location"])
    assert data(page, "state") == ["settled", "reversed"] and "Misread" in page.content.decode()
    assert data(page, "stands-for") == ["corrected"]


RECORDED = "9s Td 9h look:no stand:1 7d"


def on_felt(client, deal, taps=RECORDED, **touched: str) -> tuple[str, dict[str, str], list[str]]:
    """What the felt asks for then, the fields that it sends, and the codes that it shows."""
    page = press(client, deal, "amend", **{"how": "felt", "bet-1": "400", "taps": taps}, **touched)
    fields = re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', page.content.decode())
    return data(page, "felt")[0], dict(fields), data(page, "code")


def test_T17_a_hand_by_cards_is_put_right_on_its_felt_and_sent_as_text(shoe):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    deal, client = recorded(shoe, taken), logged_in("director")
    replay = address(deal).replace("correct", "replay")
    seen = [logged_in(role).get(replay).content.decode() for role in ("floor", "director")]
    assert [address(deal) in page for page in seen] == [False, True]
    page = client.get(address(deal), {"how": "felt"})
    assert (data(page, "felt"), data(page, "code")) == (["done"], ["amend_nothing"])
    _asks, right, codes = on_felt(client, deal, amend="5", card="9d")
    assert (right["cards"], right["decisions"], right["bet-1"]) == ("9s Td 9h 9d", "1 stand", "400")
    assert codes == []
    assert "5400 4600" in changes(client.post(address(deal), right | {"do": "preview"})).values()
    typed = client.post(address(deal), right | {"do": "felt", "decisions": "1 Stand"})
    assert (data(typed, "felt"), chips_at(shoe.round, 1)) == (["done"], 5400)
    assert client.post(address(deal), right | {"do": "correct", "reason": "Misread"}).status_code == 303
    assert chips_at(shoe.round, 1) == 4600
    others = (deal, hand(shoe, {1: 400}, b1="win"), opened(shoe, {1: 400}))
    gone = [data(client.get(address(each), {"how": "felt"}), "code")[0] for each in others]
    assert gone == ["deal_not_settled", "recorded_by_results", "deal_not_settled"]


def test_T17_the_felt_asks_for_what_is_missing_and_refuses_what_cannot_be(shoe):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    deal, client = recorded(shoe, taken), logged_in("director")
    asks, kept, codes = on_felt(client, deal, amend="1", card="9d")
    assert (asks, codes[0], kept["keep"]) == ("1", "amend_drops", "3")
    asks, right, _codes = on_felt(client, deal, amend="1", put="9d", keep="3")
    for each in ("split:1", "2c", "stand:1", "5h", "stand:1", "Td"):
        assert asks == "next"
        put = {"tap" if ":" in each else "card": each}
        asks, right, _codes = on_felt(client, deal, right["taps"], amend="next", **put)
    assert (asks, right["cards"]) == ("done", "9s 9d 9h Td 2c 5h")
    assert right["decisions"].split() == ["1", "split", "1", "stand", "1", "stand"]
    for chips, code in (("1000", []), ("1200", ["bet_above_maximum"]), ("x", ["not_a_number"])):
        assert on_felt(client, deal, amend="bet-1", chips=chips)[2] == code
    for taps, at in ((RECORDED, "5"), ("9s zz", "0")):
        assert on_felt(client, deal, taps, amend=at, card="zz")[2][0] == "bad_card"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"cards": "9s 1x 9h"}, "card_unreadable"),
        ({"decisions": "1 jump"}, "decision_unreadable"),
        ({"decisions": "² hit"}, "decision_unreadable"),
        ({"decisions": "stand"}, "decision_unreadable"),
        ({"decisions": "1 insurance ²"}, "not_a_number"),
        ({"bet-1": "4,00"}, "not_a_number"),
        ({"bet-1": "300"}, "bet_not_in_increment"),
        ({"cards": ""}, "cards_missing"),
    ],
)
def test_T17_what_cannot_be_is_refused_and_stays_typed(shoe, fields, code):
    taken = record({1: 400}, ["9s", "Td", "9h", "7d"], {"seat": 1, "action": "stand"})
    deal = recorded(shoe, taken)
    typed = {"how": "cards", "bet-1": "400", "cards": "9s 10d 9h 9d", "decisions": "1 stand", **fields}
    answer = press(logged_in("director"), deal, **typed)
    assert (answer.status_code, data(answer, "code")) == (422, [code])
    assert typed["decisions"] in answer.content.decode()
    assert chips_at(shoe.round, 1) == 5400


def test_T17_a_counted_table_is_counted_again_and_after_the_close_a_second_person_is_asked(shoe, deal):
    client = logged_in("director")
    play_and_count(shoe.round)
    assert data(press(client, deal, **RIGHT), "code") == ["recount"]
    close(shoe.round)
    assert "second_person" in data(press(client, deal, **RIGHT), "code")
    assert press(client, deal, "correct", reason="On tape", **RIGHT).status_code == 303
    assert Request.objects.get().status == Request.Status.OPEN


def test_T17_the_preview_of_a_tie_says_who_plays_on_and_which_hand_becomes_void():
    stage = play_off()
    first = hand(shoe_of(stage), {1: 200, 2: 200, 3: 200}, b1="win", b2="push", b3="push")
    hand(shoe_of(stage), {2: 200, 3: 200}, b2="win", b3="lose")
    client = logged_in("director")
    boxes = {"how": "results"} | {f"bet-{box}": "200" for box in (1, 2, 3)}
    boxes |= {"out-1": "push", "out-2": "push", "out-3": "win"}
    page = press(client, first, **boxes)
    assert ("plays_on" in data(page, "code"), data(page, "void")) == (True, ["1-2"])
    after = [sides.split()[1] for sides in changes(page, name="state").values()]
    assert after.count("playing") == 2
    answer = press(client, first, "correct", reason="mixed up", **boxes)
    assert answer.status_code == 303
    stage.refresh_from_db()
    assert stage.status == "playing"


# -- What a second person is asked to put right ----------------------------------------------------------


LOST = words(b1="lose", b2="win", b3="lose", b4="lose")


def test_T17_the_link_of_a_request_leads_to_the_preview_where_a_second_person_confirms_it():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    asked = asked_for(old, outcomes=SWAPPED)
    client = logged_in("manager")
    listed = client.get(f"/staff/{round_.event.slug}/requests/").content.decode()
    assert f'href="{page_of(asked)}"' in listed and "/correct/" not in listed
    assert 'value="approve"' not in listed and 'value="refuse"' in listed
    page = client.get(page_of(asked))
    two, three = code_at(round_, 2), code_at(round_, 3)
    assert changes(page) == {two: "5200 4800", three: "4800 5200"}
    assert changes(page, name="place") == {two: "2 3", three: "3 2"}
    assert changes(page, name="state") == {two: "advances out", three: "out advances"}
    assert asked.reason in page.content.decode() and 'value="approve"' in page.content.decode()
    unseen = client.post(
        f"/staff/{round_.event.slug}/requests/{asked.pk}/", {"answer": "approve", "key": new_key()}
    )
    assert (unseen.status_code, data(unseen, "code")) == (409, ["seen_first"])
    told = client.post(page_of(asked), {"key": new_key(), "answer": "perhaps"})
    assert (told.status_code, data(told, "code")) == (400, ["no_answer"])
    assert Deal.objects.get(pk=old.pk).status == "settled"
    assert answer(client, asked).status_code == 303
    asked.refresh_from_db()
    assert (asked.status, asked.decided_by) == ("approved", client.user)
    assert Deal.objects.get(pk=old.pk).status == "reversed"


def test_T17_after_the_last_round_no_chips_are_said_to_be_moved_at_a_table():
    _event, _round, old = corrected.played()
    page = logged_in("director").get(page_of(asked_for(old, outcomes=SWAPPED)))
    assert "seats_stand_over" in data(page, "code")


def test_T17_the_asker_can_only_take_it_back_and_the_floor_only_reads():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    draw_and_seat(round_.event)
    asked = asked_for(old, outcomes=SWAPPED)
    floor, asker = logged_in("floor"), logged_in("director")
    page = floor.get(page_of(asked))
    assert "5200 4800" in changes(page).values() and 'name="answer"' not in page.content.decode()
    assert data(page, "code").count("not_yours_to_confirm") == 1
    assert "seats_stand" in data(page, "code")
    Request.objects.filter(pk=asked.pk).update(requested_by=asker.user)
    page = asker.get(page_of(asked))
    assert "5200 4800" in changes(page).values()
    assert 'value="approve"' not in page.content.decode() and 'value="refuse"' in page.content.decode()
    assert [answer(each, asked).status_code for each in (floor, asker)] == [403, 403]
    assert answer(asker, asked, "refuse").status_code == 303
    asked.refresh_from_db()
    assert (asked.status, asked.decided_by) == ("refused", None)


def test_T17_what_has_changed_since_it_was_asked_is_shown_and_refuses_a_page_from_before():
    """Another hand of the round is put right between the two persons: the preview is what is confirmed."""
    round_ = seated(4, **CUTS)
    first = hand(shoe_of(round_), {1: 400, 2: 200, 3: 200, 4: 400}, b1="win", b2="win", b3="lose", b4="lose")
    second = hand(shoe_of(round_), {1: 200}, b1="win")
    play_and_close(round_)
    asked = asked_for(first, outcomes=LOST)
    client = logged_in("manager")
    before = client.get(page_of(asked))
    assert "changed_since" not in data(before, "code")
    put_right(second, outcomes=words(b1="push"))
    page, one = client.get(page_of(asked)), code_at(round_, 1)
    assert "changed_since" in data(page, "code")
    assert (changes(page)[one], changes(page, "seen")[one]) == ("5400 4600", "5600 4800")
    no = answer(client, asked, basis=basis_of(before))
    assert (no.status_code, "stale" in data(no, "code")) == (409, True)
    assert Deal.objects.get(pk=first.pk).status == "settled"
    assert answer(client, asked).status_code == 303


def test_T17_the_page_shows_the_hand_as_it_is_and_as_it_would_be():
    _round, old = round_1()
    asked = asked_for(old, bets={1: 400, 2: 200, 3: 200, 4: 600}, outcomes=SWAPPED)

    def shown(request: Request) -> list[tuple[str, str, str]]:
        page = read(logged_in("manager").get(page_of(request)).content.decode())
        rows = [row.attrs for row in page.all("tr") if row.attrs.get("data-box") == "4"]
        states = [each.attrs["data-state"] for each in page.all(".handpanel")]
        return [
            (state, row["data-bet-chips"], row["data-net-chips"])
            for state, row in zip(states, rows, strict=True)
        ]

    assert shown(asked) == [("settled", "400", "-400"), ("settled", "600", "-600")]
    request_decide(request_id=asked.pk, approve=False, key=new_key(), actor=person("manager"))
    assert shown(asked_for(old, void=True)) == [("settled", "400", "-400"), ("void", "400", "")]


def test_T17_only_a_correction_of_this_event_has_such_a_page():
    _, old = round_1()
    asked, other = asked_for(old, void=True), seated(2)
    client = logged_in("director")
    assert client.get(f"/staff/{other.event.slug}/requests/{asked.pk}/correction/").status_code == 404
    Request.objects.filter(pk=asked.pk).update(kind="disqualify")
    assert client.get(page_of(asked)).status_code == 404


# -- Where it waits --------------------------------------------------------------------------------------


def staff(event: Event, tail: str = "") -> str:
    return f"/staff/{event.slug}/{tail}"


def test_T17_a_correction_that_waits_is_linked_wherever_it_would_change_something():
    """It moves somebody across the cut of a closed round: 3 goes on and not 2, and nothing of 4 changes."""
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    asked = asked_for(old, outcomes=SWAPPED)
    client, correct = logged_in("director"), f"deals/{asked.body['deal']}/correct/"
    two, three, four = (f"entries/{code_at(round_, box)}/" for box in (2, 3, 4))
    hands = f"deals/?table=1&round={round_.pk}"
    tails = (f"rounds/{round_.pk}/", two, three, correct, hands, "draw/")

    def shown(tail: str, by: Any = client) -> str:
        return by.get(staff(round_.event, tail)).content.decode()

    assert [page_of(asked) in shown(tail) for tail in tails] == [True] * len(tails)
    assert page_of(asked) not in shown(four)
    # Its page is closed to the cashier.
    assert page_of(asked) not in shown(two, logged_in("cashier"))
    # The hand is marked and cannot be asked about twice.
    for role in ("director", "floor"):
        assert data(shown(hands, logged_in(role)), "code") == ["correction_waits"]
    assert correct not in shown(hands) and 'value="preview"' not in shown(correct)
    posted = {"key": new_key(), "how": "void", "do": "correct", "reason": "again"}
    refused = client.post(staff(round_.event, correct), posted)
    assert (refused.status_code, data(refused, "code").count("already_asked")) == (409, 1)
    answer(client, asked, "refuse")
    assert not any(page_of(asked) in shown(tail) for tail in (*tails[:2], tails[-1]))
    assert correct in shown(hands) and 'value="preview"' in shown(correct)


@pytest.mark.parametrize("settings", [{}, {"stacks": "reset"}])
def test_T17_chips_that_were_carried_tell_it_on_the_page_of_the_next_round_too(settings: dict[str, str]):
    round_, old = round_1(**settings)
    post(round_.event, 30_000, 10_000)
    second = draw_and_seat(round_.event)
    asked, client = asked_for(old, outcomes=SWAPPED), logged_in("director")
    pages = [client.get(staff(round_.event, f"rounds/{each.pk}/")) for each in (round_, second)]
    assert [page_of(asked) in page.content.decode() for page in pages] == [True, not settings]


def test_T17_a_roster_that_was_looked_at_before_it_was_asked_is_not_locked():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    client = logged_in("director")
    basis = basis_of(client.get(staff(round_.event, "draw/")))
    asked_for(old, outcomes=SWAPPED)
    pressed = client.post(staff(round_.event, "draw/lock/"), {"key": new_key(), "basis": basis})
    assert pressed.status_code == 409
    assert not round_.event.draws.filter(status="locked").exists()
