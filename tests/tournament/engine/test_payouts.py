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


def fixed(*cents):
    return Structure(FIXED, cents)


def both(shares_bp, fixed_cents):
    return Structure(BOTH, shares_bp, fixed_cents)


@st.composite
def any_shares(draw):
    """Shares in order that add up to the whole pool, each at least one basis point."""
    places = draw(st.integers(2, 20))
    cuts = draw(
        st.lists(st.integers(1, WHOLE_POOL_BP - 1), min_size=places - 1, max_size=places - 1, unique=True)
    )
    edges = [0, *sorted(cuts), WHOLE_POOL_BP]
    return shares(*sorted((b - a for a, b in pairwise(edges)), reverse=True))


@pytest.mark.parametrize(
    ("structure", "pool_cents", "unit_cents", "prizes"),
    [
        (shares(5000, 3000, 2000), 420_000, 1, [210_000, 126_000, 84_000]),
        # 0.05 · 1.01 = 0.0505 and 0.95 · 1.01 = 0.9595: the cent left over is first's.
        (shares(9500, 500), 101, 1, [96, 5]),
        # 33.34, 33.33 and 33.33 % of 1.00: thirds of a cent are equal, the better place gets the cent.
        (shares(3334, 3333, 3333), 100, 1, [34, 33, 33]),
        (shares(4000, 3500, 2500), 1_003, 1, [401, 351, 251]),
        # What is less than a unit goes to first place.
        (shares(5000, 3000, 2000), 123_456, 1_000, [62_456, 37_000, 24_000]),
        (fixed(60_000, 50_000), 100_000, 1, [60_000, 50_000]),
        (
            both((5000, 3000, 2000, 0), (90_000, 5_000, 5_000, 5_000)),
            123_457,
            1_000,
            [152_457, 42_000, 29_000, 5_000],
        ),
    ],
)
def test_T32_shares_fixed_prizes_and_both_are_paid_to_the_unit(structure, pool_cents, unit_cents, prizes):
    assert payout_table(structure, pool_cents, 42, unit_cents) == prizes
    assert difference_cents(prizes, pool_cents) == sum(structure.fixed or prizes) - (
        0 if structure.fixed else pool_cents
    )


@pytest.mark.parametrize(
    ("structure", "pool_cents", "entries", "code"),
    [
        *(
            (shares(10_000), 100, 42, "places_paid_few"),
            (both((10_000,), (100,)), 100, 42, "places_paid_few"),
        ),
        (shares(5000, 3000, 2000), 100_000, 2, "places_paid_many"),
        (shares(6000, 4000), 100_000, 1, "entries_few"),
        (shares(5000, 3000, 2000), 100_000, 3, ""),
        (shares(*[1] * (PLACES_PAID_MAX + 1)), 100, 2_000, "places_paid_many"),
        *((shares(5000, 3000, bp), 100, 42, "shares_wrong") for bp in (1999, 2001)),
        (shares(3000, 5000, 2000), 100, 42, "prizes_rising"),
        *((shares(7000, 3000, 0), 100, 42, "prize_none"), (shares(10_001, -1), 100, 42, "prize_none")),
        *((shares(9000, 1000), cents, 42, code) for cents, code in ((0, "prize_none"), (1, "prize_none"))),
        *((fixed(10_000, 0), 100, 42, "prize_none"), (fixed(10_000, 20_000), 100, 42, "prizes_rising")),
        *((both((5000, 5000), cents), 100, 42, "payout_amounts") for cents in ((100,), ())),
        (both((5000, 4999), (100, 100)), 100, 42, "shares_wrong"),
        *((both(bp, (100, 100)), 100, 42, "prizes_rising") for bp in ((5000, 5001),)),
        (both((5000, 5000), (100, 101)), 100, 42, "prizes_rising"),
        *((both((10_000, 0), cents), 100, 42, "prize_none") for cents in ((100, -1), (0, 0))),
        (both((10_001, -1), (100, 100)), 100, 42, "prize_none"),
        (Structure("all", (5000, 5000)), 100, 42, "payout_kind"),
    ],
)
def test_T30_T32_a_structure_that_cannot_be_paid_is_refused(structure, pool_cents, entries, code):
    if not code:
        assert len(payout_table(structure, pool_cents, entries)) == entries
        return
    with pytest.raises(Refused) as refused:
        payout_table(structure, pool_cents, entries)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("buy_ins_cents", "fees_cents", "guarantee_cents", "pool_cents"),
    [
        (420_000, 42_000, 0, 378_000),
        (420_000, 42_000, 378_000, 378_000),
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


@pytest.mark.parametrize(("pool_cents", "unit_cents"), [(-1, 1), (100, 0)])
def test_T32_a_pool_below_nothing_and_a_unit_of_nothing_are_errors(pool_cents, unit_cents):
    with pytest.raises(ValueError, match="at least one cent"):
        payout_table(shares(6_000, 4_000), pool_cents, 42, unit_cents)


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


def test_T30_T32_templates_can_be_posted_and_begin_and_end_as_printed():
    ends = {2: (6500, 3500), 3: (5000, 2000), 6: (4000, 500), 10: (3300, 325), 11: (3317, 301)}
    for places in (*range(2, 31), 999, PLACES_PAID_MAX):
        structure = template_structure(places)
        assert len(structure.amounts) == places
        structure_check(structure)
        assert ends.get(places) in (None, (structure.amounts[0], structure.amounts[-1]))
    for places, code in ((1, "places_paid_few"), (PLACES_PAID_MAX + 1, "places_paid_many")):
        with pytest.raises(Refused) as refused:
            template_structure(places)
        assert refused.value.code == code


@given(st.integers(0, 10**9), st.sets(st.integers(1, 999).map("E{:03}".format), min_size=1))
def test_T33_split_loses_no_cent_and_the_lowest_codes_have_what_cannot_be_split(cents, entries):
    parts = split_equally(cents, entries)
    assert sum(parts.values()) == cents
    assert max(parts.values()) - min(parts.values()) <= 1
    assert [parts[code] for code in sorted(entries)] == sorted(parts.values(), reverse=True)
