"""A closed stage put right: who should have gone on, whose place is another, the ruling (T17, T19, T33)."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tables.models import Seat
from tables.selectors.audit import audit
from tables.selectors.cut_review import CutReview, cut_review, cut_reviews
from tables.services import seating, shoes
from tests.cast.at_tables import code, logged_in, text
from tests.cast.corrected import (
    SWAPPED,
    books_agree,
    outcomes,
    pages,
    post,
    put_right,
    put_right_shown,
    round_1,
    stands,
    swapped,
    words,
)
from tests.cast.factories import new_key
from tests.cast.floor import close, draw_and_seat, hand, person, play_and_count, refusal, seated, shoe_of
from tests.cast.tied import code_at, sudden_death
from tournament.models import Round

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def told(round_: Round) -> tuple[list[str], list[str], list[str], int]:
    """Return the players who missed the cut wrongly, passed it wrongly, and are level for how many seats."""
    found = found_of(round_)
    about = found.about
    assert [row.code for row in found.missed] == list(about.missed)
    return list(about.missed), list(about.extra), list(about.tied), about.seats


def found_of(round_: Round) -> CutReview:
    found = cut_review(Round.objects.get(pk=round_.pk))
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
    assert [each.round for each in cut_reviews(round_.event)] == [round_]
    assert [deal.number for deal in found_of(round_).corrected] == [1]


def test_T17_who_would_have_been_level_at_the_line_is_named_with_the_seats():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    two, three = code_at(round_, 2), code_at(round_, 3)
    draw_and_seat(round_.event)
    put_right(old, outcomes=words(b1="win", b2="push", b3="push", b4="lose"))
    assert told(round_) == ([], [], sorted([two, three]), 1)
    assert found_of(round_).went_on == {code_at(round_, 1), two}
    assert set(cut_lines(logged_in("director"), round_)) == {two, three}


def test_T17_a_correction_reaches_the_cut_of_a_later_round_where_chips_are_carried():
    round_ = seated(4, cut_after_round_1=3, cut_after_round_2=2)
    old = hand(shoe_of(round_), {1: 400, 2: 200, 3: 200}, b1="win", b2="win", b3="push")
    hand(shoe_of(round_), {4: 400}, b4="lose")
    play_and_count(round_)
    close(round_)
    post(round_.event, 30_000, 10_000)
    two, three = code_at(round_, 2), code_at(round_, 3)
    second = draw_and_seat(round_.event)
    play_and_count(second)
    close(second)
    draw_and_seat(round_.event)
    put_right(old, outcomes=words(b1="win", b2="push", b3="win"))
    assert cut_review(Round.objects.get(pk=round_.pk)) is None
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
    assert cut_review(Round.objects.get(pk=round_.pk)) is None
    with refusal("cut_agrees"):
        stands(round_)
    assert Seat.objects.filter(round=second, entry__code=three, vacated_at=None).exists()
    assert books_agree(round_.event)


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
    assert books_agree(round_.event) and audit(round_.event).differences == ()
    with refusal("cut_ruled", 409) as no:
        stands(round_)
    assert boss.username in no.value.message
    for address in ("", f"rounds/{round_.pk}/"):
        page = logged_in("director").get(f"/staff/{round_.event.slug}/{address}").content.decode()
        assert 'data-cut="stands"' in page and boss.username in page


# The pages ---------------------------------------------------------------------------------------------


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


# Before the next is seated, or where there is none -------------------------------------------------------


def test_T17_a_round_says_who_goes_on_by_a_correction():
    round_, old = round_1()
    put_right(old, outcomes=SWAPPED)
    told = pages(round_)
    assert put_right_shown(told) == [["others"], ["others"]]
    assert all("Out → Advances" in page for page in told)


def closed() -> tuple[Round, object]:
    stage = sudden_death()
    old = hand(shoe_of(stage), {1: 200, 2: 200}, b1="win", b2="lose")
    close(stage)
    return stage, old


def test_T17_T33_tonight_says_whose_places_and_prizes_a_correction_made_others():
    stage, old = closed()
    assert put_right_shown(pages(stage)) == [[], []]
    put_right(old, outcomes=words(b1="lose", b2="win"))
    told = pages(stage)
    assert put_right_shown(told) == [["others"], ["others"]]
    for page in told:
        assert "1 → 2" in page and "$400.00 → $300.00" in page
        assert "2 → 1" in page and "$300.00 → $400.00" in page


@pytest.mark.parametrize("other", [True, False])
def test_T17_T33_a_tie_that_comes_to_light_is_open_again_until_it_is_decided(other: bool):
    stage, old = closed()
    put_right(old, void=True)
    assert put_right_shown(pages(stage)) == [["open"], ["open"]]
    shoes.shoe_next(round_id=stage.pk, table_id=old.shoe.table_id, key=new_key(), actor=None)
    won = {"b1": "lose", "b2": "win"} if other else {"b1": "win", "b2": "lose"}
    hand(shoe_of(stage), {1: 200, 2: 200}, **won)
    close(stage)
    assert put_right_shown(pages(stage)) == [["others" if other else "same"]] * 2
