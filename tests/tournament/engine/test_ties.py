"""Ties for money and sudden death (T33, T34)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.ranking import Ranked, Standing, rank
from tournament.engine.settings import FROZEN, STACKS_DIFFER
from tournament.engine.ties import (
    SuddenDeathStep,
    TieGroup,
    group_present,
    money_ties,
    places_decide,
    prizes_by_entry,
    sudden_death_step,
)

PRIZES = [50_000, 30_000, 20_000]
FOR_SECOND = TieGroup((2, 3, 4), ("B", "C", "D"), (30_000, 20_000, 0))

stacks_of = st.dictionaries(
    st.integers(1, 40).map("E{:03}".format), st.integers(0, 6).map(lambda n: n * 100), min_size=1, max_size=14
)
prizes_of = st.lists(st.integers(1, 9), min_size=2, max_size=10).map(
    lambda cents: sorted((n * 1_000 for n in cents), reverse=True)
)


def places(**stacks):
    return rank(Standing(entry, stack) for entry, stack in stacks.items())


# -- who plays


def test_T33_a_tie_between_players_who_would_be_paid_is_played():
    assert money_ties(places(A=900, B=500, C=500, D=100), PRIZES) == [
        TieGroup((2, 3), ("B", "C"), (30_000, 20_000))
    ]


def test_T34_a_tie_that_reaches_over_the_last_paid_place_counts():
    assert money_ties(places(A=900, B=800, C=500, D=500, E=500), PRIZES) == [
        TieGroup((3, 4, 5), ("C", "D", "E"), (20_000, 0, 0))
    ]


def test_T33_a_tie_beyond_the_money_is_not_played():
    assert money_ties(places(A=900, B=800, C=700, D=100, E=100), PRIZES) == []


def test_T33_places_that_pay_the_same_are_not_played_for():
    assert money_ties(places(A=900, B=500, C=500), [50_000, 20_000, 20_000]) == []


def test_T34_several_groups_each_with_its_own_places():
    groups = money_ties(places(A=900, B=900, C=500, D=500), [50_000, 30_000, 20_000, 10_000])
    assert [(g.places, g.entries) for g in groups] == [((1, 2), ("A", "B")), ((3, 4), ("C", "D"))]


def test_T26_disqualified_players_play_for_nothing():
    shared_last = rank([Standing("A", 900), Standing("B", 0, True), Standing("C", 0, True)])
    assert money_ties(shared_last, PRIZES) == []


# -- sudden death


def test_T33_decided_when_all_stacks_differ():
    step = sudden_death_step(FOR_SECOND, {"B": 4_000, "C": 6_000, "D": 5_000})
    assert step == SuddenDeathStep(decided=((2, "C"), (3, "D"), (4, "B")))


def test_T33_the_whole_group_plays_on_while_two_are_level_over_places_that_pay_differently():
    step = sudden_death_step(FOR_SECOND, {"B": 4_000, "C": 6_000, "D": 4_000})
    assert step == SuddenDeathStep(decided=(), groups=(FOR_SECOND,))


FOR_SIXTH = TieGroup((6, 7, 8), ("F", "G", "H"), (10_000, 0, 0))


def test_T33_who_is_level_over_places_that_pay_the_same_does_not_play_on():
    step = sudden_death_step(FOR_SIXTH, {"F": 1_000, "G": 200, "H": 200}, minimum_chips=200)
    assert step == SuddenDeathStep(decided=((6, "F"), (7, "G"), (7, "H")))


def test_T33_one_level_with_the_best_is_still_played_for():
    step = sudden_death_step(FOR_SIXTH, {"F": 1_000, "G": 1_000, "H": 200}, minimum_chips=200)
    assert step == SuddenDeathStep(decided=(), groups=(FOR_SIXTH,))


def test_T33_while_one_tie_is_for_money_those_level_with_chips_play_on_with_it():
    group = TieGroup((1, 2, 3, 4), ("A", "B", "C", "D"), (9, 9, 5, 0))
    chips = {"A": 600, "B": 600, "C": 0, "D": 0}
    assert sudden_death_step(group, chips, minimum_chips=200) == SuddenDeathStep((), (group,))
    step = sudden_death_step(group, {**chips, "B": 800}, minimum_chips=200)
    assert step == SuddenDeathStep(((1, "B"), (2, "A")), (TieGroup((3, 4), ("C", "D"), (5, 0)),), True)


def test_T33_option_until_all_its_stacks_differ():
    step = sudden_death_step(FOR_SIXTH, {"F": 1_000, "G": 200, "H": 200}, 200, STACKS_DIFFER)
    assert step == SuddenDeathStep(decided=(), groups=(FOR_SIXTH,))
    step = sudden_death_step(FOR_SIXTH, {"F": 1_000, "G": 200, "H": 400}, 200, STACKS_DIFFER)
    assert step == SuddenDeathStep(decided=((6, "F"), (7, "H"), (8, "G")))


@pytest.mark.parametrize(("stack", "fresh"), [(199, True), (200, False)])
def test_T33_option_places_decided_on_the_way_are_frozen(stack, fresh):
    step = sudden_death_step(FOR_SECOND, {"B": stack, "C": 6_000, "D": stack}, 200, FROZEN)
    rest = TieGroup((3, 4), ("B", "D"), (20_000, 0))
    assert step == SuddenDeathStep(decided=((2, "C"),), groups=(rest,), fresh_stacks=fresh)


def test_T33_everybody_out_of_chips_gets_fresh_equal_stacks():
    step = sudden_death_step(FOR_SECOND, {"B": 0, "C": 0, "D": 0}, minimum_chips=200)
    assert step == SuddenDeathStep(decided=(), groups=(FOR_SECOND,), fresh_stacks=True)


def test_T33_where_only_players_without_chips_are_tied_they_play_on_for_their_own_places():
    step = sudden_death_step(FOR_SECOND, {"B": 0, "C": 800, "D": 0}, minimum_chips=200)
    rest = TieGroup((3, 4), ("B", "D"), (20_000, 0))
    assert step == SuddenDeathStep(decided=((2, "C"),), groups=(rest,), fresh_stacks=True)


def test_T33_players_without_chips_whose_places_pay_the_same_stay_tied():
    over_the_money = TieGroup((3, 4, 5), ("C", "D", "E"), (20_000, 0, 0))
    step = sudden_death_step(over_the_money, {"C": 0, "D": 800, "E": 0}, minimum_chips=200)
    assert step == SuddenDeathStep(decided=((3, "D"), (4, "C"), (4, "E")))


@pytest.mark.parametrize(("stack", "fresh"), [(199, True), (200, False)])
def test_T33_fresh_stacks_begin_below_the_smallest_bet(stack, fresh):
    group = TieGroup((1, 2), ("A", "B"), (2, 1))
    assert sudden_death_step(group, {"A": stack, "B": stack}, minimum_chips=200).fresh_stacks is fresh


def test_T33_players_with_chips_left_play_on_with_them():
    group = TieGroup((1, 2), ("A", "B"), (2, 1))
    assert sudden_death_step(group, {"A": 1, "B": 1}).fresh_stacks is False
    assert sudden_death_step(group, {"A": 0, "B": 0}).fresh_stacks is True


def test_T33_where_nobody_without_chips_can_win_more_the_rest_is_decided_in_its_own_places():
    group = TieGroup((1, 2, 3, 4), ("A", "B", "C", "D"), (9, 5, 5, 1))
    step = sudden_death_step(group, {"A": 0, "B": 0, "C": 800, "D": 100}, minimum_chips=200)
    assert step == SuddenDeathStep(((1, "C"), (2, "D")), (TieGroup((3, 4), ("A", "B"), (5, 1)),), True)


def test_T33_chips_of_players_outside_the_group_do_not_matter():
    group = TieGroup((3, 4), ("C", "D"), (2, 1))
    step = sudden_death_step(group, {"C": 400, "D": 200, "A": 400, "B": 200})
    assert step.decided == ((3, "C"), (4, "D"))


# -- absence


def test_T33_who_is_absent_ranks_last_in_the_group():
    step = group_present(FOR_SECOND, {"B"})
    assert step == SuddenDeathStep(
        decided=((4, "B"),), groups=(TieGroup((2, 3), ("C", "D"), (30_000, 20_000)),)
    )


def test_T33_who_alone_is_present_wins_without_play_and_the_absent_share():
    assert group_present(FOR_SECOND, {"B", "D"}) == SuddenDeathStep(decided=((2, "C"), (3, "B"), (3, "D")))


def test_T33_if_all_are_absent_they_stay_tied_and_split_the_prizes_of_their_places():
    standings = places(A=900, B=500, C=500, D=500, E=100)
    step = group_present(money_ties(standings, PRIZES)[0], {"B", "C", "D"})
    decided = places_decide(standings, {entry: place for place, entry in step.decided})
    assert step.groups == ()
    assert prizes_by_entry(decided, PRIZES) == {"A": 50_000, "B": 16_667, "C": 16_667, "D": 16_666, "E": 0}


def test_T33_with_nobody_absent_the_whole_group_plays():
    assert group_present(FOR_SECOND, set()) == SuddenDeathStep(decided=(), groups=(FOR_SECOND,))


# -- places and prizes


def test_T33_places_follow_the_sudden_death():
    decided = places_decide(places(A=900, B=500, C=500, D=100), {"C": 2, "B": 3})
    assert [(r.entry, r.place, r.chips, r.tied) for r in decided] == [
        ("A", 1, 900, False),
        ("C", 2, 500, False),
        ("B", 3, 500, False),
        ("D", 4, 100, False),
    ]


@pytest.mark.parametrize("decided", [{"C": 1}, {"C": 4}, {"A": 2}, {"D": 3}, {"D": 5}])
def test_T34_a_tie_for_third_can_never_overtake_first(decided):
    with pytest.raises(ValueError, match="was tied for place"):
        places_decide(places(A=900, B=500, C=500, D=100), decided)


def test_T26_a_disqualified_entry_keeps_its_place_and_gets_no_prize():
    standings = rank([Standing("A", 900), Standing("B", 500), Standing("C", 700, True)])
    assert places_decide(standings, {}) == standings
    assert prizes_by_entry(standings, PRIZES) == {"A": 50_000, "B": 30_000, "C": 0}


def test_T26_a_disqualified_entry_cannot_be_moved():
    standings = rank([Standing("A", 900), Standing("B", 700, True)])
    with pytest.raises(ValueError, match="was tied for place 2"):
        places_decide(standings, {"B": 3})


def test_T35_paid_by_final_rank_and_posted_structure():
    assert prizes_by_entry(places(A=900, B=500, C=300, D=100), PRIZES) == {
        "A": 50_000,
        "B": 30_000,
        "C": 20_000,
        "D": 0,
    }


def test_T33_cents_that_cannot_be_split_go_to_the_lowest_codes():
    assert prizes_by_entry(places(B=500, A=500, C=500), [5, 3]) == {"A": 3, "B": 3, "C": 2}


@given(stacks_of, prizes_of)
def test_T33_T34_groups_are_the_ties_that_change_somebodys_prize(stacks, prizes_cents):
    standings = places(**stacks)
    playing = {entry for group in money_ties(standings, prizes_cents) for entry in group.entries}
    for r in standings:
        size = sum(other.place == r.place for other in standings)
        at_stake = {(prizes_cents + [0] * 20)[r.place - 1 + i] for i in range(size)}
        assert (r.entry in playing) == (len(at_stake) > 1)


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
            step = sudden_death_step(current, chips, minimum_chips=200)
            decided |= {entry: place for place, entry in step.decided}
            playing += step.groups
        for left in playing:
            absent = group_present(left, left.entries)
            decided |= {entry: place for place, entry in absent.decided}
    final = places_decide(standings, decided)
    assert all(before[r.entry].place <= r.place for r in final)
    assert sum(prizes_by_entry(final, prizes_cents).values()) == sum(prizes_cents[: len(stacks)])
    for r in final:
        assert r.place == 1 + sum(other.place < r.place for other in final)


def test_T33_ranked_entries_without_a_decision_keep_their_tie():
    tied = [Ranked("A", 5, 1, True), Ranked("B", 5, 1, True)]
    assert places_decide(tied, {}) == tied
