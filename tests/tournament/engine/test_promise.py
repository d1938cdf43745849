"""What the posted rules promise of the pool, and prizes that fall short of it (T32)."""

import pytest

from tournament.engine.promise import Promise, Shortfall

POOL = Promise()
SHARE = Promise("share", share_bp=9_000)
LIST = Promise("list", prizes_cents=(300, 200, 100))


@pytest.mark.parametrize(
    ("promise", "prizes", "entries", "short"),
    [
        (POOL, [600, 400], 10, None),
        (POOL, [600, 399], 10, Shortfall(999, 1_000)),
        (SHARE, [600, 300], 10, None),
        (SHARE, [600, 299], 10, Shortfall(899, 900)),
        (LIST, [300, 200, 100], 10, None),
        (LIST, [300, 200, 99], 10, Shortfall(599, 600)),
        (LIST, [301, 200, 99], 10, Shortfall(99, 100, place=3)),
        (LIST, [400, 200], 10, Shortfall(0, 100, place=3)),
        # A listed prize that no entry can win is not owed.
        (LIST, [300, 200], 2, None),
        (LIST, [300, 199], 2, Shortfall(499, 500)),
    ],
)
def test_T32_prizes_fall_short_of_the_promise_by_a_cent(promise, prizes, entries, short):
    assert promise.shortfall(prizes, pool_cents=1_000, entries=entries) == short


@pytest.mark.parametrize(("pool_cents", "divided_cents"), [(1_000, 900), (1_001, 901), (1_009, 909), (0, 0)])
def test_T32_a_promised_share_is_rounded_up_to_the_cent(pool_cents, divided_cents):
    assert SHARE.divided_cents(pool_cents) == divided_cents
    assert POOL.divided_cents(pool_cents) == LIST.divided_cents(pool_cents) == pool_cents
