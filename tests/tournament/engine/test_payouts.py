"""Prizes to the cent (T30, T32, T33)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ground.refused import Refused
from tournament.engine.payouts import (
    BOTH,
    FIXED,
    PLACES_PAID_MAX,
    SHARES,
    WHOLE_POOL_BP,
    Structure,
    difference_cents,
    payout_table,
    pool,
    split_equally,
    structure_check,
    template_structure,
)


def shares(*amounts):
    return Structure(SHARES, amounts)


@st.composite
def any_shares(draw):
    """Shares in order that add up to the whole pool, each at least one basis point."""
    places = draw(st.integers(2, 20))
    cuts = draw(
        st.lists(st.integers(1, WHOLE_POOL_BP - 1), min_size=places - 1, max_size=places - 1, unique=True)
    )
    edges = [0, *sorted(cuts), WHOLE_POOL_BP]
    return shares(*sorted((b - a for a, b in pairwise(edges)), reverse=True))


def refusal(structure, **table):
    with pytest.raises(Refused) as refused:
        payout_table(structure, **{"pool_cents": 100_000, "entries": 42} | table)
    return refused.value.code


def test_T32_shares_of_the_pool():
    assert payout_table(shares(5000, 3000, 2000), 420_000, 42) == [210_000, 126_000, 84_000]


def test_T32_units_left_over_go_to_the_largest_remainders():
    # 0.05 · 1.01 = 0.0505 and 0.95 · 1.01 = 0.9595: the cent left over is first's.
    assert payout_table(shares(9500, 500), 101, 42) == [96, 5]
    # 33.34, 33.33 and 33.33 % of 1.00: thirds of a cent are equal, the better place gets the cent.
    assert payout_table(shares(3334, 3333, 3333), 100, 42) == [34, 33, 33]
    assert payout_table(shares(3400, 3300, 3300), 101, 42) == [35, 33, 33]
    assert payout_table(shares(4000, 3500, 2500), 1_003, 42) == [401, 351, 251]


def test_T32_posted_unit_and_what_is_less_than_a_unit_to_first_place():
    assert payout_table(shares(5000, 3000, 2000), 123_456, 42, unit_cents=1_000) == [62_456, 37_000, 24_000]


def test_T32_fixed_prizes_are_paid_as_posted_and_the_difference_is_shown():
    prizes = payout_table(Structure(FIXED, (60_000, 50_000)), 100_000, 42)
    assert prizes == [60_000, 50_000]
    assert difference_cents(prizes, 100_000) == 10_000
    assert difference_cents(prizes, 120_000) == -10_000


def both(shares_bp, fixed_cents):
    return Structure(BOTH, tuple(shares_bp), tuple(fixed_cents))


def test_T32_a_share_and_a_fixed_amount_are_paid_together():
    structure = both((5000, 3000, 2000, 0), (90_000, 0, 0, 0))
    assert refusal(structure) == "prize_none", "4th would be paid nothing"
    structure = both((5000, 3000, 2000, 0), (90_000, 5_000, 5_000, 5_000))
    prizes = payout_table(structure, 123_457, 42, unit_cents=1_000)
    assert prizes == [62_457 + 90_000, 37_000 + 5_000, 24_000 + 5_000, 5_000]
    assert difference_cents(prizes, 123_457) == 105_000, (
        "the shares are the pool, what is fixed is the house's"
    )


@pytest.mark.parametrize(
    ("structure", "code"),
    [
        (both((5000, 5000), (100,)), "payout_amounts"),
        (both((5000, 5000), ()), "payout_amounts"),
        (both((5000, 4999), (100, 100)), "shares_wrong"),
        (both((5000, 5001), (100, 100)), "prizes_rising"),
        (both((5000, 5000), (100, 101)), "prizes_rising"),
        (both((10_001, -1), (100, 100)), "prize_none"),
        (both((10_000, 0), (100, -1)), "prize_none"),
        (both((10_000, 0), (0, 0)), "prize_none"),
        (both((10_000,), (100,)), "places_paid_few"),
        (Structure("all", (5000, 5000)), "payout_kind"),
    ],
)
def test_T32_both_together_are_held_to_what_each_is_held_to(structure, code):
    assert refusal(structure) == code


def test_T30_one_paid_place_is_refused():
    assert refusal(shares(10_000)) == "places_paid_few"


def test_T32_more_paid_places_than_entries_are_refused():
    assert refusal(shares(5000, 3000, 2000), entries=2) == "places_paid_many"
    assert len(payout_table(shares(5000, 3000, 2000), 100_000, 3)) == 3


@pytest.mark.parametrize(
    ("structure", "code"),
    [
        (shares(5000, 3000, 1999), "shares_wrong"),
        (shares(5000, 3000, 2001), "shares_wrong"),
        (shares(3000, 5000, 2000), "prizes_rising"),
        (shares(7000, 3000, 0), "prize_none"),
        (shares(10_001, -1), "prize_none"),
        (Structure(FIXED, (10_000, 0)), "prize_none"),
        (Structure(FIXED, (10_000, 20_000)), "prizes_rising"),
        (Structure("lottery", (2, 1)), "payout_kind"),
        (shares(*[1] * (PLACES_PAID_MAX + 1)), "places_paid_many"),
    ],
)
def test_T32_structure_that_cannot_be_is_refused(structure, code):
    assert refusal(structure) == code


def test_T32_the_sentence_says_what_the_shares_add_up_to():
    with pytest.raises(Refused, match=r"add up to 99\.05\s%"):
        structure_check(shares(6000, 3905))


def test_T32_the_sentences_name_the_place():
    with pytest.raises(Refused, match="Place 3 would be paid more than place 2"):
        structure_check(shares(5000, 2000, 3000))
    with pytest.raises(Refused, match="place 2 would be paid nothing"):
        payout_table(shares(9000, 1000), 1, 42)


def test_T32_pool_too_small_to_pay_every_place_is_refused():
    assert refusal(shares(9000, 1000), pool_cents=1) == "prize_none"
    assert refusal(shares(9000, 1000), pool_cents=0) == "prize_none"


@pytest.mark.parametrize("bad", [{"unit_cents": 0}, {"pool_cents": -1}])
def test_T32_impossible_pool_or_unit_is_an_error(bad):
    with pytest.raises(ValueError, match="the unit is at least"):
        payout_table(shares(9000, 1000), **{"pool_cents": 100, "entries": 2} | bad)


@pytest.mark.parametrize(
    ("buy_ins_cents", "fees_cents", "guarantee_cents", "pool_cents"),
    [
        (420_000, 0, 0, 420_000),
        (420_000, 42_000, 0, 378_000),
        (420_000, 42_000, 378_001, 378_001),
        (0, 0, 0, 0),
    ],
)
def test_T32_pool_is_buy_ins_less_fees_raised_to_the_guarantee(
    buy_ins_cents, fees_cents, guarantee_cents, pool_cents
):
    assert pool(buy_ins_cents, fees_cents, guarantee_cents) == pool_cents


@pytest.mark.parametrize("bad", [(-1, 0, 0), (0, 1, 0), (0, 0, -1)])
def test_T32_pool_of_impossible_money_is_an_error(bad):
    with pytest.raises(ValueError, match="not negative"):
        pool(*bad)


@given(any_shares(), st.integers(0, 10**9), st.sampled_from([1, 5, 100, 500]))
def test_T32_shares_add_up_to_the_pool_to_the_cent(structure, pool_cents, unit_cents):
    # A unit for every basis point there could be: no place is left without a prize.
    pool_cents += WHOLE_POOL_BP * unit_cents
    prizes = payout_table(structure, pool_cents, 42, unit_cents)
    assert sum(prizes) == pool_cents
    assert all(prize > 0 for prize in prizes)
    assert prizes == sorted(prizes, reverse=True)
    assert all(prize % unit_cents == 0 for prize in prizes[1:])
    for prize, share in zip(prizes, structure.amounts, strict=True):
        assert abs(prize * WHOLE_POOL_BP - pool_cents * share) < 2 * unit_cents * WHOLE_POOL_BP


@pytest.mark.parametrize("places", [*range(2, 31), 100, 999, PLACES_PAID_MAX])
def test_T32_templates_add_up_and_can_be_posted(places):
    structure = template_structure(places)
    assert len(structure.amounts) == places
    structure_check(structure)


@pytest.mark.parametrize(
    ("places", "first", "last"),
    [
        (2, 6500, 3500),
        (3, 5000, 2000),
        (4, 4500, 1100),
        (5, 4200, 800),
        (6, 4000, 500),
        (7, 3800, 450),
        (8, 3600, 400),
        (9, 3400, 350),
        (10, 3300, 325),
        (11, 3317, 301),
    ],
)
def test_T32_templates_begin_and_end_as_printed(places, first, last):
    amounts = template_structure(places).amounts
    assert (amounts[0], amounts[-1]) == (first, last)


@pytest.mark.parametrize("places", [0, 1, PLACES_PAID_MAX + 1])
def test_T30_there_is_no_template_for_fewer_than_two_places(places):
    with pytest.raises(Refused) as refused:
        template_structure(places)
    assert refused.value.code == "places_paid_few"


def test_T33_split_equally_to_the_cent():
    assert split_equally(1_000, ["C", "A", "B"]) == {"A": 334, "B": 333, "C": 333}


@given(st.integers(0, 10**9), st.sets(st.integers(1, 999).map("E{:03}".format), min_size=1))
def test_T33_split_loses_no_cent_and_differs_by_one_at_most(cents, entries):
    parts = split_equally(cents, entries)
    assert sum(parts.values()) == cents
    assert max(parts.values()) - min(parts.values()) <= 1
