"""What a ranking shows of who is disqualified is the same whenever it happened: no chips (T26)."""

from __future__ import annotations

import re

import pytest

from tests.cast.at_tables import logged_in, text
from tests.cast.corrected import post
from tests.cast.floor import chips_at, close, draw_and_seat, hand, play_and_count, shoe_of
from tests.cast.leaving import disqualify
from tests.cast.playing import promised
from tests.cast.rounds import address, counted
from tests.cast.tied import code_at, play_off
from tournament.models import Entry, Event, Round
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import places_so_far
from tournament.selectors.standings import rows_of, standings_body

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def shown(event: Event) -> dict[str, int]:
    event.refresh_from_db()
    return {row["code"]: row["stack_chips"] for row in rows_of(standings_body(event))}


def before_and_after() -> tuple[Round, str, str]:
    """One of five is disqualified before the close of round 1 and one, who leads, after it."""
    round_ = counted(**promised(30_000, 10_000))
    event = round_.event
    first, second = code_at(round_, 2), code_at(round_, 1)
    disqualify(round_, first)
    close(round_)
    disqualify(round_, second)
    post(event, 30_000, 10_000)
    return round_, first, second


def test_T26_the_public_list_shows_the_same_of_both():
    round_, first, second = before_and_after()
    rows = {row["code"]: row for row in rows_of(standings_body(round_.event))}
    for code in (first, second):
        row = rows[code]
        assert (row["stack_chips"], row["place"], row["word"], row["change_chips"]) == (
            0,
            4,
            "disqualified",
            None,
        )
    assert all(row["stack_chips"] for code, row in rows.items() if code not in (first, second))


def test_T26_the_ranking_of_the_round_and_the_places_show_the_same_of_both():
    round_, first, second = before_and_after()
    round_.refresh_from_db()
    ranked = {row.code: row.chips for row in stage_ranking(round_).rows}
    placed = {each.entry: each.chips for each in places_so_far(round_.event)}
    assert ranked[first] == ranked[second] == placed[first] == placed[second] == 0
    page = logged_in("director").get(address(round_)).content.decode()
    assert re.findall(r'class="stack">([\d,]+)<', page)[-2:] == ["0", "0"]


def test_T26_what_was_closed_with_is_told_on_the_page_of_the_entry():
    round_, _first, second = before_and_after()
    client = logged_in("director")
    page = client.get(f"/staff/{round_.event.slug}/entries/{second}/").content.decode()
    had = round_.stacks.get(entry__code=second).closed_chips
    assert had
    assert f'data-left-chips="{had}"' in page


def test_T26_the_final_standings_show_no_chips_of_who_is_disqualified_after_the_places_are_decided():
    round_ = counted(cut_after_round_1=2, cut_after_round_2=2, **promised(30_000, 10_000))
    close(round_)
    event = round_.event
    post(event, 30_000, 10_000)
    for more in (400, 600):
        stage = draw_and_seat(event)
        # Whoever the draw seats in box 1: the one who has more wins more, so that nobody is level.
        ahead = 1 if chips_at(stage, 1) >= chips_at(stage, 2) else 2
        hand(shoe_of(stage), {ahead: more, 3 - ahead: 200}, b1="win", b2="win")
        play_and_count(stage)
        close(stage)
        event.refresh_from_db()
    assert event.status == Event.Status.FINISHED
    code = Entry.objects.get(event=event, place=1).code
    disqualify(stage, code)
    assert shown(event)[code] == 0
    assert Entry.objects.get(event=event, code=code).final_chips == 0
    tonight = text(logged_in("director").get(f"/staff/{event.slug}/"))
    assert re.search(rf"{code}.{{0,40}}\b0\b", tonight)


@pytest.mark.parametrize("won", [True, False])
def test_T23_T26_a_play_off_that_was_closed_before_shows_the_same_as_the_round(won: bool):
    """Who won a seat in it, or lost it, and is disqualified then: no chips, no seat, in every list."""
    stage = play_off()
    hand(shoe_of(stage), {1: 200, 2: 200, 3: 200}, b1="win", b2="win", b3="lose")
    code = code_at(stage, 1 if won else 3)
    close(stage)
    ended = {row.code: row.chips for row in stage_ranking(stage).rows}
    assert ended[code]
    close(stage.parent)
    disqualify(stage, code)
    stage.parent.refresh_from_db()
    for each in (stage, stage.parent):
        row = next(row for row in stage_ranking(each).rows if row.code == code)
        assert (row.chips, row.state, row.place) == (0, "disqualified", 3)
        page = text(logged_in("director").get(address(each)))
        assert re.search(rf"{code}.{{0,80}}Disqualified.{{0,20}}\b0\b", page), page
    rest = {row.code: row.chips for row in stage_ranking(stage).rows if row.code != code}
    assert rest == {other: chips for other, chips in ended.items() if other != code}
    entry = text(logged_in("director").get(f"/staff/{stage.event.slug}/entries/{code}/"))
    assert f"{ended[code]:,}" not in entry.split("Money")[0]
