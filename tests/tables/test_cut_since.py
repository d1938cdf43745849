"""A closed round put right while its seats stand: who should have gone on, and the ruling (T17, T19)."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tables.models import Seat
from tables.selectors.cut_since import CutSince, cut_since, cuts_since
from tables.services import seating
from tests.cast.at_tables import code, logged_in, text
from tests.cast.corrected import (
    SWAPPED,
    books_agree,
    latest,
    outcomes,
    post,
    put_right,
    round_1,
    stands,
    swapped,
    words,
)
from tests.cast.factories import new_key
from tests.cast.floor import (
    close,
    disqualify,
    draw_and_seat,
    hand,
    person,
    play_and_count,
    refusal,
    seated,
    shoe_of,
)
from tests.cast.pages import next_of
from tests.cast.playing import promised
from tests.cast.tied import code_at, play_off
from tournament.models import Entry, Event, Round
from tournament.services.payments import prize_pay

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def told(round_: Round) -> tuple[list[str], list[str], list[str], int]:
    """Who should have gone on and did not, who did and should not have, who is level, for how many seats."""
    found = found_of(round_)
    about = found.about
    assert [row.code for row in found.missed] == list(about.missed)
    return list(about.missed), list(about.extra), list(about.tied), about.seats


def found_of(round_: Round) -> CutSince:
    found = cut_since(Round.objects.get(pk=round_.pk))
    assert found is not None
    return found


def cut_lines(client: Client, round_: Round) -> list[str]:
    """The players whom Tonight names beside a cut that is another now."""
    page = client.get(f"/staff/{round_.event.slug}/").content.decode()
    return re.findall(r'class="cutsince" data-entry="(\w+)"', page)


# Who should have gone on --------------------------------------------------------------------------------


def test_T17_who_should_have_gone_on_and_who_should_not_have_is_said():
    round_, _second, two, three = swapped()
    assert told(round_) == ([three], [two], [], 0)
    assert [each.round for each in cuts_since(round_.event)] == [round_]
    assert [deal.number for deal in found_of(round_).corrected] == [1]


def test_T17_the_same_players_after_a_correction_are_nothing_to_rule_on():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    draw_and_seat(round_.event)
    put_right(old, outcomes=words(b1="natural", b2="win", b3="lose", b4="lose"))
    assert cut_since(round_) is None
    assert cuts_since(round_.event) == []
    with refusal("cut_agrees"):
        stands(round_)


def test_T17_who_would_have_been_level_at_the_line_is_named_with_the_seats():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    two, three = code_at(round_, 2), code_at(round_, 3)
    draw_and_seat(round_.event)
    put_right(old, outcomes=words(b1="win", b2="push", b3="push", b4="lose"))
    assert told(round_) == ([], [], sorted([two, three]), 1)
    assert found_of(round_).went_on == {code_at(round_, 1), two}
    assert set(cut_lines(logged_in("director"), round_)) == {two, three}


def test_T17_a_tie_that_was_played_off_is_no_difference_although_a_player_of_it_has_left_since():
    stage = play_off(4, **promised(20_000, 10_000))
    deal = hand(shoe_of(stage), {1: 200, 2: 200, 3: 200, 4: 200}, b1="win", b2="win", b3="lose", b4="lose")
    close(stage)
    parent = Round.objects.get(pk=stage.parent_id)
    close(parent)
    post(stage.event, 20_000, 10_000)
    one, two, three = (code_at(stage, box) for box in (1, 2, 3))
    second = draw_and_seat(stage.event)
    disqualify(second, one)
    assert cut_since(parent) is None
    # Who won the play-off stays; by what is recorded now box 3 and not box 2 would have.
    put_right(deal, outcomes=words(b1="win", b2="lose", b3="win", b4="lose"))
    assert told(parent) == ([three], [two], [], 0)


def test_T17_a_correction_reaches_the_cut_of_a_later_round_where_chips_are_carried():
    round_ = seated(4, cut_after_round_1=3, cut_after_round_2=2)
    old = hand(shoe_of(round_), {1: 400, 2: 200, 3: 200}, b1="win", b2="win", b3="push")
    hand(shoe_of(round_), {4: 400}, b4="lose")
    play_and_count(round_), close(round_)
    post(round_.event, 30_000, 10_000)
    two, three = code_at(round_, 2), code_at(round_, 3)
    second = draw_and_seat(round_.event)
    play_and_count(second), close(second)
    draw_and_seat(round_.event)
    put_right(old, outcomes=words(b1="win", b2="push", b3="win"))
    assert cut_since(Round.objects.get(pk=round_.pk)) is None
    assert told(second) == ([three], [two], [], 0)


# Who has left since --------------------------------------------------------------------------------------


def test_T17_T25_a_replacement_puts_it_right_and_nothing_is_left_to_rule_on():
    round_, second, two, three = swapped()
    page = logged_in("director").get(f"/staff/{round_.event.slug}/").content.decode()
    assert f"/seating/replace/{two}/" in page
    entry = round_.event.entries.get(code=two)
    done = seating.entry_replace(
        entry_id=entry.pk, reason="was not through", key=new_key(), actor=person("director")
    )
    assert done["in"] == three
    assert cut_since(Round.objects.get(pk=round_.pk)) is None
    assert Seat.objects.filter(round=second, entry__code=three, vacated_at=None).exists()
    assert books_agree(round_.event)


def test_T17_T26_disqualified_between_the_rounds_left_a_seat_empty_that_is_nobodys():
    round_ = seated(5, cut_after_round_1=3, cut_after_round_2=2, **promised(30_000, 10_000))
    bets = {1: 400, 2: 200, 3: 600, 4: 200, 5: 400}
    old = hand(shoe_of(round_), bets, b1="win", b2="win", b3="win", b4="lose", b5="lose")
    play_and_count(round_), close(round_)
    post(round_.event, 30_000, 10_000)
    disqualify(round_, code_at(round_, 1))
    draw_and_seat(round_.event)
    put_right(old, outcomes=words(b1="natural", b2="win", b3="win", b4="lose", b5="lose"))
    assert cut_since(Round.objects.get(pk=round_.pk)) is None


# The ruling that it stands ---------------------------------------------------------------------------------


def test_T17_T19_it_stands_by_a_ruling_of_the_director_which_says_who_when_and_why():
    round_, _second, two, three = swapped()
    boss = person("director")
    before = outcomes(round_)
    done = stands(round_, "Played on", by=boss)
    assert (done["missed"], done["extra"], done["tied"]) == ([three], [two], [])
    found = found_of(round_)
    assert found.stands is not None
    assert (found.stands.who, found.stands.reason) == (boss.username, "Played on")
    assert outcomes(round_) == before
    assert books_agree(round_.event)
    with refusal("cut_ruled", 409) as no:
        stands(round_)
    assert boss.username in no.value.message
    for address in ("", f"rounds/{round_.pk}/"):
        page = logged_in("director").get(f"/staff/{round_.event.slug}/{address}").content.decode()
        assert 'data-cut="stands"' in page and boss.username in page


def test_T17_a_later_correction_that_changes_who_opens_it_anew_and_the_ruling_stays_readable():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    one, two, three, four = (code_at(round_, box) for box in (1, 2, 3, 4))
    draw_and_seat(round_.event)
    put_right(old, outcomes=SWAPPED)
    boss = person("director")
    stands(round_, "First", by=boss)
    # A correction that changes nobody's side leaves the ruling as it is.
    put_right(latest(old), outcomes=words(b1="natural", b2="lose", b3="win", b4="lose"))
    assert found_of(round_).stands is not None
    put_right(latest(old), outcomes=words(b1="lose", b2="lose", b3="win", b4="win"))
    found = found_of(round_)
    assert found.stands is None
    assert told(round_) == (sorted([three, four]), sorted([one, two]), [], 0)
    assert [each.reason for each in found.before] == ["First"]
    assert "“First”" in text(logged_in("director").get(f"/staff/{round_.event.slug}/rounds/{round_.pk}/"))
    stands(round_, "Second")
    assert found_of(round_).stands is not None
    # Put right to what it was: those who went on are those who should have.
    put_right(latest(old), outcomes=words(b1="win", b2="win", b3="lose", b4="lose"))
    assert cut_since(Round.objects.get(pk=round_.pk)) is None
    # Nobody has ruled last on these players.
    put_right(latest(old), outcomes=SWAPPED)
    assert found_of(round_).stands is None


def test_T17_T19_once_the_event_is_paid_no_cut_is_ruled_on():
    round_, second, *_ = swapped()
    play_and_count(second), close(second)
    third = draw_and_seat(round_.event)
    hand(shoe_of(third), {1: 200, 2: 200}, b1="win", b2="lose")
    play_and_count(third), close(third)
    event = Event.objects.get(pk=round_.event_id)
    assert event.status == "finished"
    for entry in event.entries.filter(place__lte=2):
        prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=person("cashier"))
    assert Event.objects.get(pk=event.pk).status == "paid"
    with refusal("event_over", 409):
        stands(round_)
    page = logged_in("director").get(f"/staff/{event.slug}/").content.decode()
    assert "data-cut=" in page and "/stands/" not in page


# The pages ---------------------------------------------------------------------------------------------


def test_T17_T25_what_ends_with_the_first_hand_stands_before_it_on_tonight_and_at_the_table():
    round_, _second, two, _three = swapped()
    event, director = round_.event, logged_in("director")
    first, then, *_ = next_of(event)
    assert (first.tail, first.roles) == (f"rounds/{round_.pk}/", ("director",))
    table = f"/staff/{event.slug}/tables/1/"
    warning = 'data-code="cut_to_rule"'
    assert warning in director.get(table).content.decode()
    # Until the first bet a qualifier is replaced, after it no more.
    assert seating.replace_check(Entry.objects.get(event=event, code=two))
    stands(round_)
    assert next_of(event)[0].tail == then.tail != first.tail
    assert warning not in director.get(table).content.decode()


def test_T17_the_director_rules_on_a_page_and_is_told_what_is_wrong_with_it():
    round_, _second, two, three = swapped()
    director = logged_in("director")
    page = f"/staff/{round_.event.slug}/rounds/{round_.pk}/stands/"
    said = text(director.get(page))
    assert three in said and two in said
    assert director.post(page, {"key": new_key(), "reason": ""}).status_code == 422
    assert found_of(round_).stands is None
    assert director.post(page, {"key": new_key(), "reason": "Played on"}).status_code == 303
    assert found_of(round_).stands is not None
    assert code(director.get(page)) == "cut_ruled"
    for role in ("manager", "floor", "dealer"):
        somebody = logged_in(role)
        answered = somebody.get(f"/staff/{round_.event.slug}/").content.decode()
        assert "data-cut=" in answered
        assert "/stands/" not in answered and "/seating/replace/" not in answered
        assert somebody.get(page).status_code == 403
