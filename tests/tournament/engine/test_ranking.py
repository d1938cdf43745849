"""Ranking, the cut, the play-off and the final places (T1, T20–T26)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ground.refused import Refused
from tournament.engine.ranking import (
    Cut,
    Gap,
    PlayOffStep,
    RoundResult,
    Standing,
    cut,
    cut_settle,
    final_places,
    gap_to_cut,
    play_off_step,
    rank,
    replacements,
)

chips = st.integers(0, 12).map(lambda n: n * 100)
stacks_of = st.dictionaries(st.integers(1, 60).map("E{:03}".format), chips, min_size=1, max_size=30)


def standings(**stacks):
    return [Standing(entry, stack) for entry, stack in stacks.items()]


def field(count, top=9_000):
    """Entries E01 … with stacks 100 apart, largest first."""
    return [Standing(f"E{i + 1:02}", top - 100 * i) for i in range(count)]


def placed(ranked):
    return {r.entry: r.place for r in ranked}


# -- ranking


def test_T1_most_chips_is_first():
    assert placed(rank(standings(A=100, B=900, C=400))) == {"B": 1, "C": 2, "A": 3}


def test_T20_tied_places_share_the_lower_number():
    ranked = rank(standings(A=500, B=900, C=500, D=100))
    assert [(r.entry, r.place, r.tied) for r in ranked] == [
        ("B", 1, False),
        ("A", 2, True),
        ("C", 2, True),
        ("D", 4, False),
    ]


def test_T26_disqualified_is_last_whatever_the_stack():
    ranked = rank([Standing("A", 9_000, out_of_play=True), Standing("B", 0), Standing("C", 200)])
    assert placed(ranked) == {"C": 1, "B": 2, "A": 3}


def test_T26_two_disqualified_share_the_last_place_and_no_tie_with_an_empty_stack():
    ranked = rank([Standing("A", 700, True), Standing("B", 0), Standing("C", 300, True)])
    assert [(r.entry, r.place, r.tied) for r in ranked] == [("B", 1, False), ("A", 2, True), ("C", 2, True)]


def test_T20_nobody_is_ranked_where_nobody_played():
    assert rank([]) == []


@given(stacks_of)
def test_T20_a_place_is_one_more_than_those_ahead(stacks):
    for r in rank(standings(**stacks)):
        assert r.place == 1 + sum(other > r.chips for other in stacks.values())
        assert r.tied == (list(stacks.values()).count(r.chips) > 1)


# -- the cut


def test_T20_top_twelve_advance():
    result = cut(field(14), 12, 200)
    assert result.advance == tuple(f"E{i:02}" for i in range(1, 13))
    assert result.out == ("E13", "E14")
    assert result.tied == ()


def test_T20_with_carried_stacks_the_cut_shrinks_to_those_who_can_cover_the_minimum():
    assert cut(standings(A=900, B=200, C=199, D=0), 3, 200) == Cut(advance=("A", "B"), out=("C", "D"))


def test_T22_with_fresh_stacks_the_minimum_does_not_matter():
    assert cut(standings(A=900, B=200, C=100, D=0), 3, None).advance == ("A", "B", "C")


def test_T20_nobody_advances_where_nobody_can_bet():
    assert cut(standings(A=100, B=0), 2, 200) == Cut(advance=(), out=("A", "B"))


@pytest.mark.parametrize("entrants", [2, 11, 12])
def test_T24_fewer_entrants_than_the_cut_cuts_nobody(entrants):
    assert cut(field(entrants), 12, 200).out == ()


def test_T26_disqualified_does_not_advance():
    assert cut([Standing("A", 900, True), Standing("B", 100)], 2, None) == Cut(advance=("B",), out=("A",))


def test_T23_a_tie_at_the_cut_is_for_the_contested_seats_only():
    stacks = standings(A=900, B=500, C=500, D=500, E=100)
    assert cut(stacks, 3, 200) == Cut(advance=("A",), out=("E",), tied=("B", "C", "D"), contested_seats=2)


def test_T23_a_tie_above_or_below_the_line_is_no_tie_at_the_cut():
    assert cut(standings(A=900, B=900, C=500, D=500), 2, 200).tied == ()


def test_T23_who_wins_the_play_off_advances_and_who_loses_is_out():
    tied = cut(standings(A=900, B=500, C=500, D=500, E=100), 3, 200)
    assert cut_settle(tied, {"D", "B"}) == Cut(advance=("A", "B", "D"), out=("C", "E"))


def test_T23_option_all_tied_advance():
    tied = cut(standings(A=900, B=500, C=500), 2, 200)
    assert cut_settle(tied, tied.tied) == Cut(advance=("A", "B", "C"), out=())


@pytest.mark.parametrize("winners", [(), ("B",), ("A", "B"), ("B", "E")])
def test_T23_a_ruling_that_does_not_fill_the_contested_seats_is_refused(winners):
    tied = cut(standings(A=900, B=500, C=500, D=500, E=100), 3, 200)
    with pytest.raises(Refused, match="2 of B, C, D must be chosen") as refused:
        cut_settle(tied, winners)
    assert refused.value.code == "cut_winners_wrong"


def test_T20_a_cut_to_nobody_is_an_error():
    with pytest.raises(ValueError, match="at least one seat"):
        cut(field(3), 0, None)


@given(stacks_of, st.integers(1, 14), st.sampled_from([None, 200]))
def test_T20_T23_a_cut_parts_the_field(stacks, seats, minimum_chips):
    result = cut(standings(**stacks), seats, minimum_chips)
    assert sorted((*result.advance, *result.tied, *result.out)) == sorted(stacks)
    able = [e for e in stacks if minimum_chips is None or stacks[e] >= minimum_chips]
    assert len(result.advance) + result.contested_seats == min(seats, len(able))
    assert bool(result.tied) == bool(result.contested_seats)
    assert not result.tied or len(result.tied) > result.contested_seats
    levels = [[stacks[e] for e in group] for group in (result.advance, result.tied, result.out) if group]
    assert all(min(upper) > max(lower) for upper, lower in pairwise(levels))


# -- the play-off


def test_T23_after_a_hand_those_clearly_in_or_out_are_fixed_and_the_rest_go_on():
    step = play_off_step({"A": 6_000, "B": 5_000, "C": 5_000, "D": 4_000}, 2)
    assert step == PlayOffStep(in_=("A",), out=("D",), going_on=("B", "C"), seats_left=1)


def test_T23_players_with_chips_left_play_on_with_them():
    assert play_off_step({"A": 1, "B": 1}, 1).fresh_stacks is False
    assert play_off_step({"A": 0, "B": 0}, 1).fresh_stacks is True


def test_T23_a_play_off_ends_when_the_seats_are_decided():
    step = play_off_step({"A": 6_000, "B": 5_000, "C": 4_000, "D": 4_000}, 2)
    assert step == PlayOffStep(in_=("A", "B"), out=("C", "D"), going_on=(), seats_left=0)


def test_T23_a_hand_that_parts_nobody_sends_all_of_them_on():
    step = play_off_step({"A": 5_200, "B": 5_200, "C": 5_200}, 1)
    assert step == PlayOffStep(in_=(), out=(), going_on=("A", "B", "C"), seats_left=1)


def test_T23_those_who_go_on_without_chips_get_fresh_stacks():
    step = play_off_step({"A": 400, "B": 0, "C": 0}, 2, minimum_chips=200)
    assert step == PlayOffStep(in_=("A",), out=(), going_on=("B", "C"), seats_left=1, fresh_stacks=True)


@pytest.mark.parametrize(("on_line", "fresh"), [(199, True), (200, False)])
def test_T23_fresh_stacks_begin_below_the_smallest_bet(on_line, fresh):
    assert play_off_step({"A": on_line, "B": on_line}, 1, minimum_chips=200).fresh_stacks is fresh


@pytest.mark.parametrize("contested", [0, 2, 3])
def test_T23_a_play_off_without_a_contest_is_an_error(contested):
    with pytest.raises(ValueError, match="cannot play off"):
        play_off_step({"A": 1, "B": 1}, contested)


@given(st.data(), st.integers(2, 7))
def test_T23_a_play_off_ends_with_the_contested_seats_filled(data, players):
    contested = data.draw(st.integers(1, players - 1))
    playing, seats_left = [f"E{i}" for i in range(players)], contested
    won, lost = [], []
    for _ in range(6):
        step = play_off_step({entry: data.draw(chips) for entry in playing}, seats_left)
        won += step.in_
        lost += step.out
        assert sorted((*won, *lost, *step.going_on)) == [f"E{i}" for i in range(players)]
        assert len(won) + step.seats_left == contested
        playing, seats_left = list(step.going_on), step.seats_left
        if not playing:
            assert len(won) == contested
            return


# -- withdrawal after qualifying


def test_T25_next_ranked_takes_the_seat():
    assert replacements(field(5), {"E01", "E02"}, {"E02"}, 200, 1) == [("E03",)]


def test_T25_who_withdrew_or_cannot_bet_is_passed_over():
    stacks = standings(A=900, B=800, C=700, D=100)
    assert replacements(stacks, {"A"}, {"A", "B"}, 200, 2) == [("C",)]
    assert replacements(stacks, {"A"}, {"A", "B"}, 100, 2) == [("C",), ("D",)]


def test_T25_several_tied_for_the_free_seat_are_left_to_the_director():
    stacks = standings(A=900, B=800, C=700, D=700, E=100)
    assert replacements(stacks, {"A"}, {"A"}, 200, 2) == [("B",), ("C", "D")]
    assert replacements(stacks, {"A"}, {"A"}, 200, 3) == [("B",), ("C",), ("D",)]


# -- the gap


def test_T20_gap_is_what_one_has_over_the_first_who_is_out_and_lacks_to_the_last_who_is_in():
    gaps = gap_to_cut(standings(A=900, B=700, C=500, D=100), 2)
    assert gaps == {
        "A": Gap("in", 400, 3),
        "B": Gap("in", 200, 3),
        "C": Gap("out", 200, 2),
        "D": Gap("out", 600, 2),
    }


def test_T20_gap_of_who_is_out_is_to_the_last_of_many_who_are_in():
    assert gap_to_cut(field(5), 4)["E05"] == Gap("out", 100, 4)


def test_T23_gap_with_a_tie_at_the_line():
    gaps = gap_to_cut(standings(A=900, B=700, C=700, D=100), 2)
    assert gaps == {
        "A": Gap("in", 200, 2),
        "B": Gap("tied", 0, 2),
        "C": Gap("tied", 0, 2),
        "D": Gap("out", 600, 2),
    }


def test_T24_gap_where_nobody_is_cut_but_who_cannot_bet():
    gaps = gap_to_cut(standings(A=900, B=100), 12, 200)
    assert gaps == {"A": Gap("in", 0, None), "B": Gap("out", 100, None)}


def test_T26_disqualified_has_no_gap():
    assert gap_to_cut([Standing("A", 900, True), Standing("B", 100)], 1) == {"B": Gap("in", 0, None)}


# -- final places


def test_T26_who_is_disqualified_in_the_round_that_is_played_is_last_of_it_at_once():
    """A had most chips after round 1; those who were cut in it, however many, stay behind all who went on."""
    stacks = tuple(standings(A=900, B=800, C=700, D=600))
    first = RoundResult(stacks, frozenset("ABC"), gone_since=frozenset("A"))
    places = final_places([first])
    assert [(r.entry, r.place, r.out_of_play) for r in places] == [
        ("B", 1, False),
        ("C", 2, False),
        ("A", 3, True),
        ("D", 4, False),
    ]
    second = RoundResult((Standing("A", 0, out_of_play=True), Standing("B", 0), Standing("C", 300)))
    assert placed(final_places([first, second])) == {"C": 1, "B": 2, "A": 3, "D": 4}


def test_T26_two_who_are_disqualified_in_it_share_the_last_place_of_it():
    first = RoundResult(
        tuple(standings(A=900, B=800, C=700, D=600)), frozenset("ABC"), gone_since=frozenset("AB")
    )
    assert placed(final_places([first])) == {"C": 1, "A": 2, "B": 2, "D": 4}


def three_rounds():
    first = RoundResult(tuple(standings(A=900, B=800, C=700, D=600, E=600, F=0)), frozenset("ABCD"))
    second = RoundResult(tuple(standings(A=400, B=800, C=1_200, D=400)), frozenset("BC"))
    third = RoundResult(tuple(standings(B=2_000, C=200)))
    return [first, second, third]


def test_T20_those_cut_are_placed_by_the_order_of_the_round_in_which_they_were_cut():
    assert [(r.entry, r.place, r.chips) for r in final_places(three_rounds())] == [
        ("B", 1, 2_000),
        ("C", 2, 200),
        ("A", 3, 400),
        ("D", 3, 400),
        ("E", 5, 600),
        ("F", 6, 0),
    ]


def test_T23_who_loses_a_play_off_keeps_the_tied_place_behind_those_who_went_on():
    first = RoundResult(tuple(standings(A=900, B=500, C=500, D=500, E=100)), frozenset("AC"))
    second = RoundResult(tuple(standings(A=0, C=700)))
    assert placed(final_places([first, second])) == {"C": 1, "A": 2, "B": 3, "D": 3, "E": 5}


def test_T20_before_the_next_round_those_who_advanced_come_first():
    first = RoundResult(tuple(standings(A=900, B=500, C=500)), frozenset("AC"))
    assert placed(final_places([first])) == {"A": 1, "C": 2, "B": 3}


def test_T25_who_withdrew_after_qualifying_is_placed_by_the_round_played_last():
    first = RoundResult(tuple(standings(A=900, B=500, C=400, D=100)), frozenset("BC"))
    second = RoundResult(tuple(standings(B=0, C=700)))
    assert placed(final_places([first, second])) == {"C": 1, "B": 2, "A": 3, "D": 4}


def test_T26_disqualified_is_last_of_the_round_it_happened_in():
    first, second, third = three_rounds()
    second = RoundResult(
        (*second.standings[:2], Standing("C", 1_200, True), second.standings[3]), frozenset("B")
    )
    places = final_places([first, second, RoundResult(tuple(standings(B=2_000)))])
    assert placed(places) == {"B": 1, "A": 2, "D": 2, "C": 4, "E": 5, "F": 6}
    assert [r.entry for r in places if r.out_of_play] == ["C"]
    assert third.advanced == frozenset()


@given(stacks_of, stacks_of, st.integers(1, 14))
def test_T20_every_entry_has_one_place_and_who_went_further_is_ahead(first_stacks, later, seats):
    first = standings(**first_stacks)
    result = cut(first, seats, None)
    advanced = (*result.advance, *result.tied[: result.contested_seats])
    second = tuple(Standing(entry, later.get(entry, 300)) for entry in advanced)
    places = final_places([RoundResult(tuple(first), frozenset(advanced)), RoundResult(second)])
    assert sorted(r.entry for r in places) == sorted(first_stacks)
    assert [r.entry for r in places[: len(advanced)]] == [r.entry for r in rank(second)]
    for i, r in enumerate(places):
        assert 1 <= r.place <= i + 1
        assert r.place == places[i - 1].place if i and r.place != i + 1 else r.place == i + 1
