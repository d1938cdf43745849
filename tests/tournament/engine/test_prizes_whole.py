"""The pool is paid out whole, and what has been paid stands (T26, T35)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.advance import Finish
from tournament.engine.prizes import Goes, Prize, Unclaimed, prizes_of
from tournament.engine.ranking import RoundResult, final_places, rank
from tournament.engine.ties import places_unclaimed, prizes_by_entry, prizes_whole

# Prizes as they are posted: never rising, odd cents and all.
structures = st.lists(st.integers(1, 999), min_size=2, max_size=7).map(lambda cents: sorted(cents)[::-1])
STACKS = {"A": 900, "B": 500, "C": 300, "D": 200}


def places(codes, gone=""):
    return rank(Finish(code, STACKS[code], disqualified=code in gone) for code in codes)


@pytest.mark.parametrize(("paid", "whole"), [(0, 563), (563, 563), (564, 564), (601, 601)])
def test_T26_what_nobody_holds_goes_in_proportion_and_nobody_is_owed_less_than_they_have(paid, whole):
    """101 cents as 500 to 300 by largest remainder: 63.125 and 37.875."""
    found = prizes_whole(places("ABC", gone="C"), [500, 300, 101], {"A": paid})
    assert found == {"A": whole, "B": 901 - whole, "C": 0}


def test_T26_where_nobody_holds_a_paid_place_nobody_is_paid():
    # C moved up and holds the first place; with all of them gone nobody does.
    assert prizes_whole(places("ABC", gone="AB"), [500, 300]) == {"A": 0, "B": 0, "C": 800}
    final = two_rounds({"A": 900, "B": 500, "C": 300}, frozenset("AB"), set("AB"))
    assert prizes_whole(final, [500, 300]) == {"A": 0, "B": 0, "C": 0}
    assert prizes_of("finished", final, [500, 300], {}).unclaimed == Unclaimed(Goes.TO_NOBODY, (1, 2), 800)
    assert prizes_whole(places("A", gone="A"), [500, 300]) == {"A": 0}


def test_T26_T35_prizes_say_what_is_unclaimed_and_what_is_left_to_pay():
    found = prizes_of("finished", places("ABCD", gone="CD"), [500, 300, 101, 40], {"A": 500})
    assert found.whole == {"A": 588, "B": 353, "C": 0, "D": 0}
    assert found.unclaimed == Unclaimed(Goes.IN_PROPORTION, (3, 4), 141)
    assert (found.of("A"), found.of("A").left_cents, found.of("C")) == (Prize(588, 500), 88, Prize(0, 0))


def test_T8_a_called_off_event_has_no_prizes():
    off = prizes_of("called_off", places("AB"), [500, 300], {})
    assert (off.whole, off.unclaimed) == ({}, None)


def test_T35_where_every_place_is_held_a_payment_changes_no_prize():
    assert prizes_whole(places("ABC"), [500, 300, 100], {"B": 999}) == {"A": 500, "B": 300, "C": 100}


@given(structures, st.data())
def test_T26_whoever_is_disqualified_the_pool_is_whole_and_no_payment_is_too_much(prizes_cents, data):
    """Payments and disqualifications in any order: every prize is at least what was paid of it."""
    size = data.draw(st.integers(len(prizes_cents), 9))
    stacks = {f"E{n:03}": 100 * data.draw(st.integers(0, size)) for n in range(1, size + 1)}
    final = frozenset(data.draw(st.sets(st.sampled_from(sorted(stacks)))))
    gone: set[str] = set()
    paid: dict[str, int] = {}
    for _ in range(2 * size):
        ranked = two_rounds(stacks, final, gone)
        prizes, by_place = prizes_whole(ranked, prizes_cents, paid), prizes_by_entry(ranked, prizes_cents)
        held = sum(by_place.values())
        free = places_unclaimed(ranked, prizes_cents)
        assert held + sum(prizes_cents[place - 1] for place in free) == sum(prizes_cents)
        assert sum(prizes.values()) == (sum(prizes_cents) if held else 0)
        assert all(prizes[code] >= max(cents, paid.get(code, 0)) for code, cents in by_place.items())
        if not paid and held:
            shares = {code: Fraction(sum(prizes_cents) * cents, held) for code, cents in by_place.items()}
            assert all(abs(prizes[code] - shares[code]) < 1 for code in prizes)
        unpaid = sorted(set(stacks) - gone - set(paid))
        if len(unpaid) < 2 or data.draw(st.booleans()):
            code = data.draw(st.sampled_from(sorted(set(stacks) - gone)))
            paid |= {code: prizes[code]} if prizes[code] else {}
        else:
            gone.add(data.draw(st.sampled_from(unpaid)))


def two_rounds(stacks, final, gone):
    """T20: who played the final is ahead of who was cut; a disqualified entry is last of its round."""
    first = tuple(Finish(code, n, disqualified=code in gone - final) for code, n in stacks.items())
    second = tuple(Finish(code, stacks[code], disqualified=code in gone) for code in sorted(final))
    return final_places([RoundResult(first, final), RoundResult(second, frozenset())])
