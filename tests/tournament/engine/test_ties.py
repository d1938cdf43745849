"""Ties for money and sudden death (T33, T34)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.advance import Finish
from tournament.engine.ranking import rank
from tournament.engine.settings import FROZEN, PRIZES_DIFFER, STACKS_DIFFER
from tournament.engine.ties import (
    TieGroup,
    groups_without,
    is_level,
    money_ties,
    places_decide,
    places_moved_up,
    prizes_by_entry,
    sudden_death_evaluate,
)

PRIZES = [50_000, 30_000, 20_000]
FOR_SECOND = TieGroup((2, 3, 4), ("B", "C", "D"), (30_000, 20_000, 0))
FOR_SIXTH = TieGroup((6, 7, 8), ("F", "G", "H"), (10_000, 0, 0))
FOR_FIRST = TieGroup((1, 2, 3, 4), ("A", "B", "C", "D"), (9, 9, 5, 0))

stacks_of = st.dictionaries(
    st.integers(1, 40).map("E{:03}".format), st.integers(0, 6).map(lambda n: n * 100), min_size=1, max_size=14
)
prizes_of = st.lists(st.integers(1, 9), min_size=2, max_size=10).map(
    lambda cents: sorted((n * 1_000 for n in cents), reverse=True)
)


def places(**stacks):
    return rank(Finish(entry, stack) for entry, stack in stacks.items())


@pytest.mark.parametrize(
    ("stacks", "prizes", "groups"),
    [
        ((900, 500, 500, 100), PRIZES, [TieGroup((2, 3), ("B", "C"), (30_000, 20_000))]),
        # Over the last paid place it counts; beyond the money, or for the same prize, nobody plays.
        ((900, 800, 500, 500, 500), PRIZES, [TieGroup((3, 4, 5), ("C", "D", "E"), (20_000, 0, 0))]),
        ((900, 800, 700, 100, 100), PRIZES, []),
        ((900, 500, 500), [50, 20, 20], []),
        (
            (9, 9, 5, 5),
            [4, 3, 2, 1],
            [TieGroup((1, 2), ("A", "B"), (4, 3)), TieGroup((3, 4), ("C", "D"), (2, 1))],
        ),
    ],
)
def test_T33_T34_a_tie_over_places_that_pay_differently_is_played(stacks, prizes, groups):
    assert money_ties(places(**dict(zip("ABCDE", stacks, strict=False))), prizes) == groups


def test_T26_disqualified_players_play_for_nothing_and_get_no_prize():
    standings = rank([Finish("A", 900), *(Finish(code, 0, disqualified=True) for code in "BC")])
    assert money_ties(standings, PRIZES) == []
    assert places_decide(standings, {}) == standings
    assert prizes_by_entry(standings, PRIZES) == {"A": 50_000, "B": 0, "C": 0}
    with pytest.raises(ValueError, match="was tied for place 2"):
        places_decide(standings, {"B": 3})


def step(decided, groups=(), fresh=False):
    return decided, groups, fresh


def looked(group, chips, absent=(), until=PRIZES_DIFFER):
    """What a look decides, by place; what is played for from then on, and whether with fresh stacks."""
    found = sudden_death_evaluate([group], chips, absent, 200, until)
    return step(tuple((each.place, each.entry) for each in found.decided), found.groups, bool(found.fresh))


def rest(*entries, prizes=(20000, 0)):
    return (TieGroup((3, 4), entries, prizes),)


@pytest.mark.parametrize(
    ("group", "stacks", "until", "found"),
    [
        # Decided when all stacks differ, or those level are for places that pay the same.
        (FOR_SECOND, (4_000, 6_000, 5_000), PRIZES_DIFFER, step(((2, "C"), (3, "D"), (4, "B")))),
        (FOR_SIXTH, (1_000, 200, 200), PRIZES_DIFFER, step(((6, "F"), (7, "G"), (7, "H")))),
        # The whole group plays on while two are level over places that pay differently.
        (FOR_SECOND, (4_000, 6_000, 4_000), PRIZES_DIFFER, step((), (FOR_SECOND,))),
        (FOR_SIXTH, (1_000, 1_000, 200), PRIZES_DIFFER, step((), (FOR_SIXTH,))),
        (FOR_FIRST, (600, 600, 0, 0), PRIZES_DIFFER, step((), (FOR_FIRST,))),
        # Everybody below the smallest bet: fresh stacks; at it they play on.
        (FOR_SECOND, (199, 199, 199), PRIZES_DIFFER, step((), (FOR_SECOND,), True)),
        (FOR_SECOND, (200, 200, 200), PRIZES_DIFFER, step((), (FOR_SECOND,))),
        # Only players without chips are tied: they play on for their own places, if these pay differently.
        (FOR_SECOND, (0, 800, 0), PRIZES_DIFFER, step(((2, "C"),), rest("B", "D"), True)),
        (
            FOR_FIRST,
            (600, 800, 0, 0),
            PRIZES_DIFFER,
            step(((1, "B"), (2, "A")), rest("C", "D", prizes=(5, 0)), True),
        ),
        (FOR_SIXTH, (0, 800, 0), PRIZES_DIFFER, step(((6, "G"), (7, "F"), (7, "H")))),
        # The options of an event.
        (FOR_SIXTH, (1_000, 200, 200), STACKS_DIFFER, step((), (FOR_SIXTH,))),
        (FOR_SIXTH, (1_000, 200, 400), STACKS_DIFFER, step(((6, "F"), (7, "H"), (8, "G")))),
        (FOR_SECOND, (199, 600, 199), FROZEN, step(((2, "C"),), rest("B", "D"), True)),
        (FOR_SECOND, (200, 600, 200), FROZEN, step(((2, "C"),), rest("B", "D"), False)),
        (
            FOR_SECOND,
            (600, 600, 0),
            FROZEN,
            step(((4, "D"),), (TieGroup((2, 3), ("B", "C"), (30_000, 20_000)),)),
        ),
    ],
)
def test_T33_a_sudden_death_after_a_hand(group, stacks, until, found):
    chips = {**dict(zip(group.entries, stacks, strict=True)), "X": 600, "Y": 600}
    assert looked(group, chips, until=until) == found


@pytest.mark.parametrize(
    ("absent", "found"),
    [
        ("", step((), (FOR_SECOND,))),
        ("B", step(((4, "B"),), (TieGroup((2, 3), ("C", "D"), (30_000, 20_000)),))),
        ("BD", step(((2, "C"), (3, "B"), (3, "D")))),
        ("BCD", step(((2, "B"), (2, "C"), (2, "D")))),
    ],
)
def test_T33_who_is_absent_ranks_last_and_who_alone_is_present_wins(absent, found):
    assert looked(FOR_SECOND, dict.fromkeys("BCD", 200), absent) == found


@pytest.mark.parametrize(
    ("code", "place", "first"), [("C", 2, [2, 5]), ("A", 1, [1, 5]), ("E", 5, [2, 5]), ("Z", 9, [2, 6])]
)
def test_T26_groups_behind_a_disqualified_player_move_up_and_its_own_plays_for_a_place_less(
    code, place, first
):
    found = groups_without([FOR_SECOND, FOR_SIXTH], code, place)
    assert [group.places[0] for group in found] == first
    assert [len(group.places) for group in found] == [2 if code == "C" else 3, 3]
    assert all(code not in group.entries for group in found)


def test_T19_T33_a_tie_is_looked_at_once_no_table_that_can_bet_is_a_hand_behind():
    ahead = {1: 1, 2: 0}
    assert [is_level(ahead, can_bet) for can_bet in ([1, 2], [2], [1], [])] == [False, False, True, True]
    assert is_level({1: 1, 2: 1}, [1, 2])


def test_T26_T34_those_behind_a_disqualified_player_move_up_in_the_order_that_was_played_for():
    ranked = rank([*(Finish(code, 500) for code in "ABD"), Finish("C", 500, disqualified=True)])
    decided = {"A": (4,), "B": (2, 1), "C": (2, 2), "D": (1,)}
    assert places_moved_up(ranked, decided) == {"D": 1, "B": 2, "A": 3}


def test_T33_places_follow_the_sudden_death():
    decided = places_decide(places(A=900, B=500, C=500, D=100, E=100), {"C": 2, "B": 3})
    assert [(r.entry, r.place, r.chips, r.tied) for r in decided] == [
        ("A", 1, 900, False),
        ("C", 2, 500, False),
        ("B", 3, 500, False),
        ("D", 4, 100, True),
        ("E", 4, 100, True),
    ]


@pytest.mark.parametrize("decided", [{"C": 1}, {"C": 4}, {"A": 2}, {"D": 3}, {"D": 5}])
def test_T34_a_tie_for_third_can_never_overtake_first(decided):
    with pytest.raises(ValueError, match="was tied for place"):
        places_decide(places(A=900, B=500, C=500, D=100), decided)


@pytest.mark.parametrize(
    ("stacks", "prizes", "paid"),
    [
        ((900, 500, 300, 100), PRIZES, (50_000, 30_000, 20_000, 0)),
        ((900, 500, 500, 500, 100), PRIZES, (50_000, 16_667, 16_667, 16_666, 0)),
        ((500, 500, 500), [5, 3], (3, 3, 2)),
    ],
)
def test_T33_T35_paid_by_final_rank_and_tied_ones_share_with_odd_cents_to_the_lowest_codes(
    stacks, prizes, paid
):
    codes = "ABCDE"[: len(stacks)]
    found = prizes_by_entry(places(**dict(zip(codes, stacks, strict=True))), prizes)
    assert found == dict(zip(codes, paid, strict=True))


@given(stacks_of, prizes_of, st.data())
def test_T33_T34_sudden_death_ends_inside_its_places_and_pays_every_prize_of_an_entry(
    stacks, prizes_cents, data
):
    standings = places(**stacks)
    before = {r.entry: r for r in standings}
    decided: dict[str, int] = {}
    for group in money_ties(standings, prizes_cents):
        playing = [group]
        for _ in range(4):
            if not playing:
                break
            current = playing.pop()
            chips = {e: data.draw(st.integers(0, 3)) * 200 for e in current.entries}
            placed, groups, _fresh = looked(current, chips)
            decided |= {entry: place for place, entry in placed}
            playing += groups
        for left in playing:
            decided |= {entry: place for place, entry in looked(left, {}, left.entries)[0]}
    final = places_decide(standings, decided)
    assert all(before[r.entry].place <= r.place for r in final)
    assert sum(prizes_by_entry(final, prizes_cents).values()) == sum(prizes_cents[: len(stacks)])
    for r in final:
        assert r.place == 1 + sum(other.place < r.place for other in final)
