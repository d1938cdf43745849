"""The close of a round: the ranking, its cut and ties, play-off and sudden death (T19–T24, T33)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.services import draws
from tables.services.corrections import correction_preview
from tables.services.seating import stack_absent
from tests.cast.at_tables import HTMX, Clerk, logged_in, url
from tests.cast.corrected import post
from tests.cast.factories import new_key
from tests.cast.floor import (
    close,
    count_both,
    draw_and_seat,
    event_make,
    hand,
    play_and_count,
    refusal,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.html import data, read
from tests.cast.leaving import answer, ask
from tests.cast.pages import next_of
from tests.cast.playing import promised
from tests.cast.rounds import CUTS, address, counted, press
from tests.cast.tied import code_at
from tournament.models import Event, Round, Stack
from tournament.selectors.stage_ranking import stage_ranking

pytestmark = pytest.mark.django_db


def next_step(page):
    """What the round waits for; how many advance, how many seats are contested, and by how many."""
    return [data(page, name)[0] for name in ("step", "advance", "seats", "tied")]


def states(page):
    """How many players of a ranking are in each state."""
    return Counter(row.attrs["data-state"] for row in read(page.content.decode()).all(".srow"))


def test_T19_T20_before_every_table_is_counted_nobody_is_named_and_nothing_closed():
    round_ = seated(5, **CUTS)
    client = logged_in("director")

    def named():
        page = client.get(address(round_, "close/"))
        return data(page, "code"), data(page, "advances")

    page = client.get(address(round_))
    assert (data(page, "step"), named()) == (["playing"], (["not_counted"], []))
    hand(shoe_of(round_), {1: 200}, b1="push")
    page = client.get(address(round_))
    assert (data(page, "step"), states(page)) == (["playing"], {"level": 5})
    shoe_over(shoe_of(round_))
    assert named() == (["not_counted"], [])
    answer = press(client, round_, "close")
    assert (answer.status_code, "not_counted" in data(answer, "code")) == (409, True)


def test_T20_the_cut_line_is_drawn_and_the_close_lists_who_advances():
    round_ = counted()
    client = logged_in("director")
    page = client.get(address(round_))
    assert next_step(page) == ["close", "3", "0", "0"]
    assert states(page) == {"advances": 3, "out": 2}
    assert len(read(page.content.decode()).all(".cutrow")) == 1
    codes = {stack_at(round_, box).entry.code for box in (1, 2, 3)}
    assert set(data(client.get(address(round_, "close/")), "advances")) == codes
    assert press(client, round_, "close").status_code == 303
    round_.refresh_from_db()
    assert round_.status == Round.Status.CLOSED
    closed = client.get(address(round_))
    assert data(closed, "step") == ["closed"]
    page = client.get(address(round_, "close/"))
    assert (data(page, "code"), data(page, "advances")) == (["not_counted"], [])
    # T17: a hand of a closed round is put right too, and is found from here during the next one.
    assert f"/staff/{round_.event.slug}/deals/?round={round_.pk}" in closed.content.decode()


def test_T18_the_close_of_a_round_on_counts_alone_promises_no_correction_of_hands():
    alone = seated(2, record_mode="counts")
    shoe_over(shoe_of(alone))
    count_both(shoe_of(alone), {1: 5_600, 2: 4_800})
    for round_, said in ((alone, (["counts"], [])), (counted(), (["counts hands"], ["hands"]))):
        pages = (logged_in("director").get(address(round_, tail)) for tail in ("", "close/"))
        assert tuple(data(page, "corrected") for page in pages) == said


@pytest.mark.parametrize(("rule", "advance"), [("out", 3), ("ranked", 4)])
def test_T15_the_closing_page_says_who_played_no_hand(rule, advance):
    """Whether the posted rules rank the stack or not: the director sees it before the close."""
    round_ = seated(4, cut_after_round_1=4, cut_after_round_2=2, no_hand=rule)
    hand(shoe_of(round_), {1: 200, 2: 200, 3: 200}, b1="win", b2="win", b3="lose")
    play_and_count(round_)
    code = stack_at(round_, 4).entry.code
    client = logged_in("director")
    ranking, closing = (client.get(address(round_, tail)).content.decode() for tail in ("", "close/"))
    assert f'data-no-hand="{code}"' in ranking
    assert (closing.count("data-no-hand"), closing.count(f'data-no-hand="{code}"')) == (1, 1)
    assert closing.count("data-advances") == advance


def test_T23_a_tie_at_the_cut_is_played_off_and_the_close_given_back():
    round_ = counted(tied=True)
    client = logged_in("director")
    page = client.get(address(round_))
    assert next_step(page) == ["play_off", "1", "2", "3"]
    assert states(page)["plays_off"] == 3
    answer = press(client, round_, "close")
    assert (answer.status_code, "tie_at_cut" in data(answer, "code")) == (422, True)
    page = client.get(address(round_, "close/"))
    assert (data(page, "code"), data(page, "advances")) == (["tie_at_cut"], [])
    play_off = draw_and_seat(round_.event)
    assert data(client.get(address(round_)), "step") == ["playing_off"]
    page = client.get(address(play_off))
    assert (data(page, "seats"), states(page)) == (["2"], {"playing": 3})
    shoe = shoe_of(play_off)
    hand(shoe, {1: 1000, 2: 200, 3: 200}, b1="win", b2="win", b3="lose")
    page = client.get(address(play_off))
    assert (data(page, "step"), states(page)) == (["counted"], {"advances": 2, "out": 1})
    assert next_step(client.get(address(round_)))[0] == "playing_off"
    assert press(client, play_off, "close").status_code == 303
    assert next_step(client.get(address(round_)))[:2] == ["close", "3"]
    assert press(client, round_, "close").status_code == 303


def test_T23_where_the_rules_leave_it_to_the_director_the_ruling_is_made_here():
    round_ = counted(tied=True, tie_at_cut="director")
    client = logged_in("director")
    assert next_step(client.get(address(round_))) == ["rule", "1", "2", "3"]
    codes = [stack_at(round_, box).entry.code for box in (2, 3)]
    answer = press(client, round_, "rule", advance=codes[:1], reason="Longest here")
    assert (answer.status_code, data(answer, "code")[0]) == (422, "cut_winners_wrong")
    assert f'value="{codes[0]}" checked' in answer.content.decode()
    assert "Longest here" in answer.content.decode()
    assert press(client, round_, "rule", advance=codes, reason="").status_code == 422
    assert press(logged_in("floor"), round_, "rule", advance=codes, reason="x").status_code == 403
    assert press(client, round_, "rule", advance=codes, reason="Longest here").status_code == 303
    assert press(client, round_, "close").status_code == 303
    advanced = Stack.objects.filter(round=round_, outcome=Stack.Outcome.ADVANCED)
    assert set(codes) < set(advanced.values_list("entry__code", flat=True))


def test_T23_T33_the_director_begins_a_further_shoe_or_goes_on_without_who_is_absent():
    play_off = draw_and_seat(counted(tied=True).event)
    client = logged_in("director")
    shoe_over(shoe_of(play_off))
    clerk = Clerk(logged_in("floor"), shoe_of(play_off))
    assert 'value="next_shoe"' in clerk.client.get(url(clerk.shoe)).content.decode()
    assert clerk.press("next_shoe").status_code == 200
    shoe = shoe_of(play_off)
    assert (shoe.number, shoe.status) == (2, Shoe.Status.DEALING)
    clerk = Clerk(clerk.client, shoe)
    for box in (1, 2):
        clerk.press("absent", stack=stack_at(play_off, box).pk, reason="Went home")
    third = stack_at(play_off, 3).pk
    for absent, tail in ((True, f"rounds/{play_off.parent_id}/"), (False, "tables/")):
        stack_absent(stack_id=third, absent=absent, reason="as seen", key=new_key(), actor=None)
        assert next_of(play_off.event)[0].tail == tail
    assert press(client, play_off, "look").status_code == 303
    assert Stack.objects.filter(round=play_off, outcome=Stack.Outcome.ADVANCED).exists()


@pytest.mark.parametrize(("boxes", "step"), [(4, "close"), (3, "play_off")])
def test_T23_all_tied_advance_only_where_there_are_boxes_for_all(boxes: int, step: str):
    round_, client = counted(tied=True, tie_at_cut="all_advance"), logged_in("director")
    round_.event.tables.update(boxes_out=list(range(boxes + 1, 8)))
    assert data(client.get(address(round_)), "step") == [step]
    deal = Deal.objects.filter(shoe__round=round_).earliest("pk")
    seen = correction_preview(deal_id=deal.pk, outcomes=deal.outcomes).lines
    shown = [(row.code, row.place, row.tied, row.state) for row in stage_ranking(round_).rows]
    assert [(each.entry, each.after.rank, each.after.tied, each.after.cut) for each in seen] == shown
    assert press(client, round_, "close").status_code == (303 if step == "close" else 422)


def test_a_round_of_another_event_is_404_and_an_unknown_button_a_sentence():
    round_, other = counted(), seated(2)
    client = logged_in("director")
    assert client.get(f"/staff/{other.event.slug}/rounds/{round_.pk}/").status_code == 404
    answer = press(client, round_, "x")
    assert (answer.status_code, data(answer, "code")[0]) == (422, "unknown_action")
    assert client.get(address(round_), **HTMX).status_code == 200


# -- A disqualification that waits holds close and roster (T19, T21, T26) --------------------------------


def lock(event: Event) -> Any:
    return draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)


def advanced(round_: Round) -> list[str]:
    return sorted(round_.stacks.filter(outcome="advanced").values_list("entry__code", flat=True))


def between() -> Round:
    """Round 1 closed and the payouts posted: three of five go on."""
    round_ = counted(**promised(30_000, 10_000))
    close(round_)
    post(round_.event, 30_000, 10_000)
    round_.refresh_from_db()
    return round_


@pytest.mark.parametrize(("box", "approved", "on"), [(1, True, (2, 3, 4)), (5, False, (1, 2, 3))])
def test_T19_T26_a_round_is_not_closed_while_a_disqualification_in_it_waits(
    box: int, approved: bool, on: tuple[int, ...]
):
    round_ = counted()
    asked = ask(round_.event, code_at(round_, box))
    with refusal("ruling_waits", 409):
        close(round_)
    client = logged_in("director")
    for page in (client.get(address(round_, tail)) for tail in ("", "close/")):
        assert "ruling_waits" in data(page, "code") and data(page, "waits") == [str(asked)]
        assert 'name="do" value="close"' not in page.content.decode()
    step = next_of(round_.event)[0]
    assert (step.tail, step.tells) == ("requests/", {asked})
    pressed = press(client, round_, "close")
    assert (pressed.status_code, "ruling_waits" in data(pressed, "code")) == (409, True)
    answer(asked, approve=approved)
    assert not [each for tail in ("", "close/") for each in data(client.get(address(round_, tail)), "waits")]
    close(round_)
    assert advanced(round_) == sorted(code_at(round_, box) for box in on)


def test_T21_T26_a_roster_is_not_locked_while_a_qualifier_is_asked_about():
    round_ = between()
    event, code = round_.event, code_at(round_, 1)
    asked = ask(event, code)
    with refusal("ruling_waits", 409):
        lock(event)
    client = logged_in("director")
    response = client.get(f"/staff/{event.slug}/draw/")
    assert "ruling_waits" in data(response, "code")
    assert "/draw/lock/" not in response.content.decode()
    assert next_of(event)[0].tells == {asked}
    assert data(client.get(address(round_)), "waits") == [str(asked)]
    answer(asked, approve=False)
    assert sorted(lock(event)["roster"]) == advanced(round_)


def test_T4_T26_nor_the_roster_of_round_1():
    event = event_make(5, **CUTS)
    code = event.entries.first().code
    asked = ask(event, code)
    with refusal("ruling_waits", 409):
        lock(event)
    assert next_of(event)[0].tells == {asked}
    answer(asked)
    assert code not in lock(event)["roster"]
