"""The verifiable draw: known answer, evenness, and what it refuses."""

import hashlib
import hmac
import json
import math

import pytest

from ground.chance import Stream, commitment, secret_parse, shuffle
from ground.refused import Refused
from tournament.engine.draw import button_drawn, cards_parse, draw_order

SECRET = hashlib.sha256(b"kat").digest()
ROSTER = [f"E{number:02}" for number in range(1, 13)]
CARDS = "KH 4D 7S AC 2D"
SEATS = 12


def refusal(act, *arguments):
    with pytest.raises(Refused) as refused:
        act(*arguments)
    return refused.value.code


def test_T4_the_draw_has_its_known_answer_in_whatever_order_entries_are_named():
    expected = "E10 E04 E03 E05 E11 E08 E07 E12 E06 E09 E02 E01"
    for roster in (ROSTER, ROSTER[::-1]):
        assert " ".join(draw_order(SECRET, "EV1", 1, roster, CARDS)) == expected
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_draw_the_ten_lines_of_a_player_agree():
    roster = sorted(ROSTER)
    seed = hmac.new(SECRET, json.dumps(["EV1", 9, roster, ""]).encode(), hashlib.sha256).digest()
    block = 0
    for i in range(len(roster) - 1, 0, -1):
        number = 2**64
        while number >= 2**64 - 2**64 % (i + 1):
            digest = hmac.new(seed, block.to_bytes(8, "big"), hashlib.sha256).digest()
            number, block = int.from_bytes(digest[:8], "big"), block + 1
        j = number % (i + 1)
        roster[i], roster[j] = roster[j], roster[i]
    assert roster == draw_order(SECRET, "EV1", 9, ROSTER, "")


class FixedBlocks(Stream):
    __slots__ = ("blocks",)

    def __init__(self, *blocks):
        super().__init__(b"")
        self.blocks = list(blocks)

    def block(self):
        return self.blocks.pop(0)


def test_draw_a_block_at_the_uneven_top_of_the_range_is_refused():
    limit = 2**64 - 2**64 % 12
    assert FixedBlocks(limit, 2**64 - 1, limit - 1).below(12) == (limit - 1) % 12
    assert FixedBlocks(2**64 - 1).below(2**64) == 2**64 - 1
    for k in (0, 2**64 + 1):
        with pytest.raises(ValueError, match="cannot draw"):
            Stream(SECRET).below(k)


def chi_square_p(distance: float, degrees: int) -> float:
    """The chance of a distance at least this large: 1 − P(degrees/2, distance/2).

    P is the regularised incomplete gamma function, by its series.
    """
    shape, x = degrees / 2, distance / 2
    term = total = 1 / shape
    step = shape
    while term > total * 1e-15:
        step += 1
        term *= x / step
        total += term
    return 1 - total * math.exp(shape * math.log(x) - x - math.lgamma(shape))


def evenness_p(shuffle_once, draws=12000):
    """The p of the counts under even seats. Rows and columns add up, hence (n−1)² degrees and (n−1)/n."""
    counts = [[0] * SEATS for _ in range(SEATS)]
    for number in range(draws):
        stream = Stream(hmac.digest(SECRET, number.to_bytes(8, "big"), "sha256"))
        for seat, entry in enumerate(shuffle_once(range(SEATS), stream)):
            counts[entry][seat] += 1
    expected = draws / SEATS
    distance = sum((count - expected) ** 2 / expected for row in counts for count in row)
    return chi_square_p(distance * (SEATS - 1) / SEATS, (SEATS - 1) ** 2)


def test_T4_12000_draws_of_12_seats_are_even():
    assert 0.005 < evenness_p(shuffle) < 0.995


def test_draw_the_chi_square_itself_gives_published_values():
    for distance, degrees, p in ((3.841459, 1, 0.05), (18.307038, 10, 0.05), (4.865, 11, 0.9376)):
        assert chi_square_p(distance, degrees) == pytest.approx(p, abs=1e-3)


def test_T14_button_is_one_of_the_occupied_boxes_and_known_to_everybody():
    seed = hmac.digest(SECRET, json.dumps(["EV1", 1, ROSTER, CARDS, "button", 3]).encode(), "sha256")
    occupied = [7, 2, 5]
    mixed = (SECRET, "EV1", 1, ROSTER[::-1])
    assert button_drawn(*mixed, CARDS, (3,), occupied) == [2, 5, 7][Stream(seed).below(3)]
    assert {button_drawn(*mixed, "", (table,), [1, 4, 6]) for table in range(1, 40)} == {1, 4, 6}


def test_T14_a_further_shoe_draws_the_button_from_the_posted_draw():
    """Other boxes here would change draws that are posted."""

    def again(shoe, occupied, table=1):
        return button_drawn(b"s" * 32, "EVENT", 1, ["E001", "E002"], "", (table, shoe), occupied)

    drawn = [again(shoe, [1, 2, 3, 4, 5, 6, 7]) for shoe in range(2, 22)]
    assert drawn == [2, 2, 5, 6, 3, 3, 5, 3, 1, 5, 4, 3, 1, 5, 3, 6, 3, 7, 5, 6]
    assert [again(shoe, [4, 6]) for shoe in range(2, 6)] == [again(shoe, [6, 4]) for shoe in range(2, 6)]
    assert again(2, [1, 2, 3, 4, 5, 6, 7], table=2) != drawn[0]


@pytest.mark.parametrize(
    ("secret", "entries", "code"),
    [
        (b"short", ROSTER, "secret_bad"),
        (SECRET, [], "roster_empty"),
        (SECRET, [*ROSTER, "E03"], "entry_twice"),
        (SECRET, ["E01", ""], "entry_bad"),
        (SECRET, ["E01", "E 02"], "entry_bad"),
        (SECRET, ["E01", "\udcff"], "entry_bad"),
    ],
)
def test_draw_refuses_what_cannot_be_drawn(secret, entries, code):
    assert refusal(draw_order, secret, "EV1", 1, entries, "") == code


@pytest.mark.parametrize("text", ["", "zz" * 32, "ab" * 31, "ab" * 33, " " + "ab" * 32, "a b" * 21 + "a"])
def test_draw_refuses_a_secret_that_is_not_64_hex_digits(text):
    assert refusal(secret_parse, text) == "secret_bad"
    assert secret_parse(SECRET.hex().upper()) == SECRET


@pytest.mark.parametrize(
    ("typed", "cards"), [("  kh,4D, 7S\tAC 2d\n", CARDS), ("10h 2c 3c 4c 5c", "TH 2C 3C 4C 5C")]
)
def test_draw_cards_are_normalised(typed, cards):
    assert cards_parse(typed) == cards


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        *((typed, "cards_count") for typed in ("", "KH 4D 7S AC", "KH 4D 7S AC 2D 3D")),
        *((f"KH 4D 7S AC {bad}", "cards_bad") for bad in ("1D", "2X", "10", "110D")),
        *((typed, "cards_twice") for typed in ("7S 4D 7s AC 2D", "TH 4D 7S AC 10h")),
    ],
)
def test_draw_cards_that_cannot_be_cut_are_refused(typed, code):
    assert refusal(cards_parse, typed) == code
