"""Tables and open seats (T4, T21)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ground.refused import Refused
from tournament.engine.seats import capacity, open_seats, tables_needed

ALL_BOXES = [1, 2, 3, 4, 5, 6, 7]
FLOOR = [(number, ALL_BOXES) for number in range(1, 7)]

floors = st.dictionaries(
    st.integers(1, 20), st.sets(st.integers(1, 7), max_size=7).map(sorted), min_size=1, max_size=8
).map(lambda tables: list(tables.items()))


def players_at(seats):
    return Counter(table for table, _ in seats)


def test_T4_open_seats_are_box_1_of_every_table_then_box_2():
    assert open_seats([(2, [1, 2]), (1, [1, 2, 3])]) == [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]
    assert open_seats(FLOOR[:3], 8) == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize(
    ("entrants", "posted", "tables"),
    [
        *((1, None, 1), (7, None, 1), (8, None, 2), (14, None, 2), (15, None, 3), (42, None, 6)),
        *((12, 4, 4), (12, 6, 6), (3, 5, 3)),
    ],
)
def test_T4_fewest_tables_hold_the_round_or_as_many_as_are_posted(entrants, posted, tables):
    assert [number for number, _ in tables_needed(entrants, FLOOR, posted)] == list(range(1, tables + 1))


@pytest.mark.parametrize(
    ("entrants", "posted", "code"),
    [(0, None, "nobody_to_seat"), (43, None, "boxes_short"), (15, 2, "boxes_short"), (12, 7, "tables_short")],
)
def test_T4_players_without_boxes_or_posted_tables_that_are_not_there_are_refused(entrants, posted, code):
    with pytest.raises(Refused) as refused:
        tables_needed(entrants, FLOOR, posted)
    assert refused.value.code == code


def test_T4_open_seats_never_outnumber_the_boxes():
    with pytest.raises(Refused) as refused:
        open_seats(FLOOR[:1], 8)
    assert refused.value.code == "boxes_short"


def test_T4_a_box_out_of_use_is_not_drawn_and_tables_stay_even():
    seats = open_seats([(1, [4, 5, 6, 7]), (2, ALL_BOXES)], 8)
    assert seats == [(2, 1), (2, 2), (2, 3), (1, 4), (2, 4), (1, 5), (1, 6), (1, 7)]


@pytest.mark.parametrize(
    ("tables", "entrants", "players"),
    [
        # A table more where fewer could not be even; where no choice is even, the fewest that hold the round.
        ([(1, ALL_BOXES), (2, [1, 2, 3, 4]), (3, [1, 2, 3, 4])], 10, {1: 4, 2: 3, 3: 3}),
        ([(1, ALL_BOXES), (2, [1, 2])], 9, {1: 7, 2: 2}),
        ([(2, [1, 2]), (1, [6, 7])], 2, {1: 2}),
        ([(1, []), (2, ALL_BOXES), (3, ALL_BOXES)], 8, {2: 4, 3: 4}),
    ],
)
def test_T4_tables_are_even_where_their_boxes_allow(tables, entrants, players):
    assert players_at(open_seats(tables_needed(entrants, tables), entrants)) == players


def test_T4_the_largest_tables_that_are_in_use_are_counted():
    assert capacity([(1, []), (2, ALL_BOXES), (3, [1])]) == 8
    assert capacity([(1, [1]), (2, ALL_BOXES), (3, [1, 2])], 2) == 9


@given(floors, st.integers(1, 60))
def test_T4_seats_are_distinct_open_and_as_even_as_boxes_allow(tables, entrants):
    if entrants > capacity(tables):
        with pytest.raises(Refused):
            tables_needed(entrants, tables)
        return
    chosen = tables_needed(entrants, tables)
    seats = open_seats(chosen, entrants)
    boxes = dict(chosen)
    assert len(set(seats)) == len(seats) == entrants
    assert all(box in boxes[table] for table, box in seats)
    assert seats == sorted(seats, key=lambda seat: (seat[1], seat[0]))
    counts = players_at(seats)
    most = max(counts.values())
    # T4: a table is more than one player behind only if all of its boxes are taken.
    assert all(most - counts[table] <= 1 or counts[table] == len(boxes[table]) for table in boxes)
