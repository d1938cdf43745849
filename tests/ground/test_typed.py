"""Whole numbers as people type them (faults: hostile input)."""

import pytest

from ground.typed import plain_number, whole_number

NO_NUMBERS = [
    *("", " ", "²", "1²", "½", "٣", "１２", "+5", "-5", "−5", "1.5", "1e3", "1_000", "0x10", "NaN", "\x00"),
    *("5\x00", "\ud800", "5,60", "56,00", "5,6000", ",560", "200,", "1,2,3", "5 60", "5,600 200", "12:30"),
]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_whole_number_is_none(text):
    assert whole_number(text) is None
    assert plain_number(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("0", 0), ("007", 7), (" 5600 ", 5600), ("5,600", 5600), ("5 600", 5600), ("1,234,567", 1_234_567)),
        *(("5\N{NO-BREAK SPACE}600", 5600), ("5\N{NARROW NO-BREAK SPACE}600", 5600)),
    ],
)
def test_thousands_may_be_grouped(text, number):
    assert whole_number(text) == number


def test_a_number_is_as_long_as_a_column_holds_and_a_page_groups_nothing():
    for read in (whole_number, plain_number):
        assert [read("9" * digits) for digits in (9, 10, 5_000)] == [999_999_999, None, None]
    assert plain_number("5600") == 5600
    assert plain_number("5,600") is plain_number(" 5600") is None
    assert plain_number("77", digits_max=1) is None
