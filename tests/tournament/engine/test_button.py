"""The button: where it starts, where it goes, and that a further shoe draws it again (T14)."""

from tournament.engine.button import button_drawn, button_here, button_next


def again(shoe, occupied, table=1):
    return button_drawn(b"s" * 32, "EVENT", 1, ["E001", "E002"], "", (table, shoe), occupied)


def test_T14_the_button_goes_clockwise_to_the_next_occupied_box():
    nexts = [(2, [7, 2, 5], 5), (7, [2, 5, 7], 2), (3, [5], 5), (None, [5, 3], 3), (1, [], None)]
    assert [button_next(box, occupied) for box, occupied, _ in nexts] == [to for *_, to in nexts]


def test_T14_the_button_stays_where_somebody_sits():
    heres = [(5, [2, 5], 5), (4, [2, 5], 5), (None, [4, 2], 2), (3, [], None)]
    assert [button_here(box, occupied) for box, occupied, _ in heres] == [to for *_, to in heres]


def test_T14_a_further_shoe_draws_the_button_from_the_posted_draw():
    """Other boxes here would change draws that are posted."""
    drawn = [again(shoe, [1, 2, 3, 4, 5, 6, 7]) for shoe in range(2, 22)]
    assert drawn == [2, 2, 5, 6, 3, 3, 5, 3, 1, 5, 4, 3, 1, 5, 3, 6, 3, 7, 5, 6]
    assert [again(shoe, [4, 6]) for shoe in range(2, 6)] == [again(shoe, [6, 4]) for shoe in range(2, 6)]
    assert again(2, [1, 2, 3, 4, 5, 6, 7], table=2) != drawn[0]
