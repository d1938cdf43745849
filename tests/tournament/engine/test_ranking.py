"""Ranking, the cut, the play-off and the final places (T1, T20–T26)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.advance import Finish, WentOut, best
from tournament.engine.ranking import Gap, RoundResult, final_places, gap_to_cut, rank
from tournament.engine.ties import play_off_evaluate

chips = st.integers(0, 12).map(lambda n: n * 100)
stacks_of = st.dictionaries(st.integers(1, 60).map("E{:03}".format), chips, min_size=1, max_size=30)


def standings(**stacks):
    return [Finish(entry, stack) for entry, stack in stacks.items()]


def placed(ranked):
    return {r.entry: r.place for r in ranked}


def test_T1_T20_T26_most_chips_is_first_ties_share_the_lower_number_and_disqualified_are_last():
    gone = [Finish("F", 9_000, disqualified=True), Finish("G", 700, disqualified=True)]
    ranked = rank([*gone, *standings(A=500, B=900, C=500, D=100, E=0)])
    assert [(r.entry, r.place, r.tied, r.chips) for r in ranked] == [
        ("B", 1, False, 900),
        ("A", 2, True, 500),
        ("C", 2, True, 500),
        ("D", 4, False, 100),
        ("E", 5, False, 0),
        ("F", 6, True, 0),
        ("G", 6, True, 0),
    ]
    assert rank([]) == []


@pytest.mark.parametrize(
    ("minimum", "through"), [(None, "ABC"), (199, "ABC"), (200, "AB"), (201, "A"), (901, "")]
)
def test_T15_T20_T22_T26_only_who_played_and_can_bet_with_carried_stacks_advances(minimum, through):
    gone, idle = Finish("X", 999, disqualified=True), Finish("N", 998, WentOut(0, 998))
    stacks = [gone, idle, *standings(A=900, B=200, C=199, D=0)]
    result = best(stacks, 3, minimum)
    assert "".join(result.entries) == through
    assert result.not_through == tuple((entry,) for entry in "ABCDNX" if entry not in through)


@pytest.mark.parametrize(
    ("stacks", "seats", "outcomes", "goes_on"),
    [
        ((6_000, 5_000, 5_000, 4_000), 2, {"A": "advanced", "D": "cut"}, (1, "")),
        ((6_000, 5_000, 4_000, 4_000), 2, {"A": "advanced", "B": "advanced", "C": "cut", "D": "cut"}, None),
        ((5_200, 5_200, 5_200), 1, {}, (1, "")),
        ((400, 200, 200), 2, {"A": "advanced"}, (1, "")),
        ((400, 199, 199), 2, {"A": "advanced"}, (1, "BC")),
    ],
)
def test_T23_after_a_hand_those_at_the_line_go_on_with_fresh_stacks_below_the_smallest_bet(
    stacks, seats, outcomes, goes_on
):
    look = play_off_evaluate(dict(zip("ABCD", stacks, strict=False)), (), seats, minimum_chips=200)
    assert {each.entry: each.outcome for each in look.decided} == outcomes
    fresh = "".join(look.fresh)
    assert (None if look.over else (look.seats, fresh)) == goes_on


@pytest.mark.parametrize(
    ("stacks", "seats", "gaps"),
    [
        (
            {"A": 900, "B": 700, "C": 500, "D": 100},
            2,
            [Gap("in", 400, 3), Gap("in", 200, 3), Gap("out", 200, 2), Gap("out", 600, 2)],
        ),
        (
            {"A": 900, "B": 700, "C": 700, "D": 100},
            2,
            [Gap("in", 200, 2), Gap("tied", 0, 2), Gap("tied", 0, 2), Gap("out", 600, 2)],
        ),
        ({"A": 900, "B": 100}, 12, [Gap("in", 0, None), Gap("out", 100, None)]),
    ],
)
def test_T20_T23_T24_T26_the_gap_is_to_the_line_and_a_disqualified_entry_has_none(stacks, seats, gaps):
    found = gap_to_cut([*standings(**stacks), Finish("X", 999, disqualified=True)], seats, 200)
    assert found == dict(zip(stacks, gaps, strict=True))


def test_T26_who_is_disqualified_in_the_round_that_is_played_is_last_of_it_at_once():
    """A had most chips after round 1; those who were cut in it, however many, stay behind all who went on."""
    stacks = tuple(standings(A=900, B=800, C=700, D=600))
    places = final_places([RoundResult(stacks, frozenset("ABC"), gone_since=frozenset("A"))])
    assert [(r.entry, r.place, r.out_of_play) for r in places] == [
        ("B", 1, False),
        ("C", 2, False),
        ("A", 3, True),
        ("D", 4, False),
    ]
    both = final_places([RoundResult(stacks, frozenset("ABC"), gone_since=frozenset("AB"))])
    assert placed(both) == {"C": 1, "A": 2, "B": 2, "D": 4}


def test_T20_T23_T26_those_cut_keep_the_order_of_their_round_and_a_disqualified_is_last_of_it():
    """E lost a play-off against D, and C withdrew before round 2 (T25)."""
    first = RoundResult(tuple(standings(A=900, B=800, C=700, D=600, E=600, F=0)), frozenset("ABCD"))
    second = RoundResult((*standings(A=400, B=800, D=400), Finish("C", 0)), frozenset("B"))
    third = RoundResult(tuple(standings(B=2_000)))
    assert [(r.entry, r.place, r.chips) for r in final_places([first, second, third])] == [
        ("B", 1, 2_000),
        ("A", 2, 400),
        ("D", 2, 400),
        ("C", 4, 0),
        ("E", 5, 600),
        ("F", 6, 0),
    ]
    gone = RoundResult(
        (*standings(A=400, B=800, D=400), Finish("C", 1_200, disqualified=True)), frozenset("B")
    )
    assert placed(final_places([first, gone, third]))["C"] == 4


def test_T25_who_withdrew_after_qualifying_is_placed_by_the_round_played_last():
    first = RoundResult(tuple(standings(A=900, B=500, C=400, D=100)), frozenset("BC"))
    second = RoundResult(tuple(standings(B=0, C=700)))
    assert placed(final_places([first, second])) == {"C": 1, "B": 2, "A": 3, "D": 4}


@given(stacks_of, stacks_of, st.integers(1, 14))
def test_T20_every_entry_has_one_place_and_who_went_further_is_ahead(first_stacks, later, seats):
    first = standings(**first_stacks)
    result = best(first, seats)
    advanced = (*result.entries, *result.level[: result.seats])
    second = tuple(Finish(entry, later.get(entry, 300)) for entry in advanced)
    places = final_places([RoundResult(tuple(first), frozenset(advanced)), RoundResult(second)])
    assert sorted(r.entry for r in places) == sorted(first_stacks)
    assert [r.entry for r in places[: len(advanced)]] == [r.entry for r in rank(second)]
    for i, r in enumerate(places):
        assert 1 <= r.place <= i + 1
        assert r.place == places[i - 1].place if i and r.place != i + 1 else r.place == i + 1
