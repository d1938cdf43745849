"""The button goes round the boxes where somebody sits (T14)."""

from ground.button import button_here, button_next


def test_T14_the_button_goes_clockwise_to_the_next_occupied_box():
    nexts = [(2, [7, 2, 5], 5), (7, [2, 5, 7], 2), (3, [5], 5), (None, [5, 3], 3), (1, [], None)]
    assert [button_next(box, occupied) for box, occupied, _ in nexts] == [to for *_, to in nexts]


def test_T14_the_button_stays_where_somebody_sits():
    heres = [(5, [2, 5], 5), (4, [2, 5], 5), (None, [4, 2], 2), (3, [], None)]
    assert [button_here(box, occupied) for box, occupied, _ in heres] == [to for *_, to in heres]
