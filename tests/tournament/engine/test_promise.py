"""What the posted rules promise of the pool, and prizes that fall short of it (T32)."""

import pytest

from tournament.engine.promise import NOT_PROMISED, Promise, Shortfall

POOL = Promise()
SHARE = Promise("share", share_bp=9_000)
LIST = Promise("list", prizes_cents=(300, 200, 100))


@pytest.mark.parametrize(
    ("promise", "prizes", "short"),
    [
        (POOL, [600, 400], None),
        (POOL, [600, 399], Shortfall(999, 1_000)),
        (POOL, [601, 400], None),
        (SHARE, [600, 300], None),
        (SHARE, [600, 299], Shortfall(899, 900)),
        (LIST, [300, 200, 100], None),
        (LIST, [300, 200, 99], Shortfall(599, 600)),
        (LIST, [301, 200, 99], Shortfall(99, 100, place=3)),
        (LIST, [400, 200], Shortfall(0, 100, place=3)),
        (Promise(NOT_PROMISED), [1, 1], None),
    ],
)
def test_T32_prizes_fall_short_of_the_promise_by_a_cent(promise, prizes, short):
    assert promise.shortfall(prizes, pool_cents=1_000, entries=10) == short


def test_T32_a_listed_prize_that_no_entry_can_win_is_not_owed():
    assert LIST.shortfall([300, 200], pool_cents=0, entries=2) is None
    assert LIST.shortfall([300, 199], pool_cents=0, entries=2) == Shortfall(499, 500)
    assert LIST.promised_cents(pool_cents=0, entries=3) == 600


@pytest.mark.parametrize(("pool_cents", "divided_cents"), [(1_000, 900), (1_001, 901), (1_009, 909), (0, 0)])
def test_T32_a_promised_share_is_rounded_up_to_the_cent(pool_cents, divided_cents):
    assert SHARE.divided_cents(pool_cents) == divided_cents
    assert POOL.divided_cents(pool_cents) == LIST.divided_cents(pool_cents) == pool_cents
