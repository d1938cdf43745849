"""Tables and open seats (T4, T21)."""

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
    counts = {}
    for table, _ in seats:
        counts[table] = counts.get(table, 0) + 1
    return counts


def test_T4_open_seats_are_box_1_of_every_table_then_box_2():
    assert open_seats([(2, [1, 2]), (1, [1, 2, 3])]) == [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]


def test_T4_the_first_as_many_as_there_are_entries():
    assert open_seats(FLOOR[:3], 8) == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize(
    ("entrants", "tables"), [(1, 1), (6, 1), (7, 1), (8, 2), (12, 2), (14, 2), (15, 3), (42, 6)]
)
def test_T4_fewest_tables_that_hold_the_round(entrants, tables):
    assert [number for number, _ in tables_needed(entrants, FLOOR)] == list(range(1, tables + 1))


def test_T4_more_entrants_than_boxes_are_refused_with_both_numbers():
    with pytest.raises(Refused, match=r"43 players.*have 42") as refused:
        tables_needed(43, FLOOR)
    assert refused.value.code == "boxes_short"


def test_T4_open_seats_never_outnumber_the_boxes():
    with pytest.raises(Refused) as refused:
        open_seats(FLOOR[:1], 8)
    assert refused.value.code == "boxes_short"


def test_T4_nobody_to_seat_is_refused():
    with pytest.raises(Refused) as refused:
        tables_needed(0, FLOOR)
    assert refused.value.code == "nobody_to_seat"


def test_T4_posted_number_of_tables_is_used():
    assert len(tables_needed(12, FLOOR, 4)) == 4
    assert sorted(players_at(open_seats(tables_needed(12, FLOOR, 4), 12)).values()) == [3, 3, 3, 3]


def test_T4_all_tables_may_be_posted():
    assert len(tables_needed(12, FLOOR, len(FLOOR))) == len(FLOOR)


def test_T4_of_tables_with_as_many_boxes_the_lowest_number_is_used():
    assert tables_needed(2, [(2, [1, 2]), (1, [6, 7])]) == [(1, [6, 7])]


def test_T4_posted_number_never_leaves_a_table_without_players():
    assert len(tables_needed(3, FLOOR, 5)) == 3


@pytest.mark.parametrize(("entrants", "posted", "code"), [(15, 2, "boxes_short"), (12, 7, "tables_short")])
def test_T4_posted_number_that_cannot_be_is_refused(entrants, posted, code):
    with pytest.raises(Refused) as refused:
        tables_needed(entrants, FLOOR, posted)
    assert refused.value.code == code


def test_T4_box_out_of_use_is_not_drawn_and_tables_stay_even():
    tables = [(1, [4, 5, 6, 7]), (2, ALL_BOXES)]
    seats = open_seats(tables, 8)
    assert players_at(seats) == {1: 4, 2: 4}
    assert seats == [(2, 1), (2, 2), (2, 3), (1, 4), (2, 4), (1, 5), (1, 6), (1, 7)]


def test_T4_a_table_more_is_used_where_fewer_could_not_be_even():
    tables = [(1, ALL_BOXES), (2, [1, 2, 3, 4]), (3, [1, 2, 3, 4])]
    assert players_at(open_seats(tables_needed(10, tables), 10)) == {1: 4, 2: 3, 3: 3}


def test_T4_where_no_choice_is_even_the_fewest_tables_hold_the_round():
    tables = [(1, ALL_BOXES), (2, [1, 2])]
    assert players_at(open_seats(tables_needed(9, tables), 9)) == {1: 7, 2: 2}


def test_T4_table_out_of_use_is_passed_over():
    assert [number for number, _ in tables_needed(8, [(1, []), (2, ALL_BOXES), (3, ALL_BOXES)])] == [2, 3]
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


@given(st.integers(1, 42))
def test_T4_whole_tables_differ_by_at_most_one_player(entrants):
    counts = players_at(open_seats(tables_needed(entrants, FLOOR), entrants)).values()
    assert max(counts) - min(counts) <= 1
