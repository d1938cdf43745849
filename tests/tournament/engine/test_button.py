"""The button: where it starts, where it goes, and that a further shoe draws it again (T14)."""

from tournament.engine.button import button_again, button_here, button_next

SECRET = b"s" * 32


def again(shoe: int, occupied: list[int], table: int = 1) -> int | None:
    return button_again(SECRET, "EVENT", 1, ["E001", "E002"], "", table, shoe, occupied)


def test_T14_the_button_goes_clockwise_to_the_next_occupied_box() -> None:
    assert button_next(2, [7, 2, 5]) == 5
    assert button_next(7, [2, 5, 7]) == 2
    assert button_next(3, [5]) == 5
    assert button_next(None, [5, 3]) == 3
    assert button_next(1, []) is None


def test_T14_the_button_stays_where_somebody_sits() -> None:
    assert button_here(5, [2, 5]) == 5
    assert button_here(4, [2, 5]) == 5
    assert button_here(None, [4, 2]) == 2
    assert button_here(3, []) is None


def test_T14_a_further_shoe_draws_the_button_from_the_posted_draw() -> None:
    drawn = [again(shoe, [1, 2, 3, 4, 5, 6, 7]) for shoe in range(2, 22)]
    assert drawn == DRAWN
    assert [again(shoe, [4, 6]) for shoe in range(2, 6)] == [again(shoe, [6, 4]) for shoe in range(2, 6)]
    assert {again(shoe, [4, 6]) for shoe in range(2, 20)} == {4, 6}
    assert again(2, []) is None
    assert again(2, [1, 2, 3, 4, 5, 6, 7], table=2) != drawn[0]


DRAWN = [2, 2, 5, 6, 3, 3, 5, 3, 1, 5, 4, 3, 1, 5, 3, 6, 3, 7, 5, 6]
"""What the seed of the draw gives: changing it would change draws that are posted."""
