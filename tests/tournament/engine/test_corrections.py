"""What a corrected hand comes to: the table of corrections, a row each, without a database (T17)."""

from __future__ import annotations

from typing import Any

import pytest

from ground.refused import Refused
from tests.tournament.engine.one_table import ONE, TWO, chips, codes, counted, hand, seated
from tournament.engine.advance import Advance, Decided, Finish, advance
from tournament.engine.corrections import Decision, decide, seated_after
from tournament.engine.facts import (
    Absent,
    Began,
    Closed,
    Corrected,
    Counted,
    CountReopened,
    CountRuled,
    CutDiffers,
    Disqualified,
    Hand,
    Looked,
    Paid,
    PaymentReversed,
    Penalty,
    PenaltyCancelled,
    Posted,
    Replaced,
    RosterLocked,
    Seated,
    ShoeEnded,
    TakenBack,
    TieRuled,
    Withdrawn,
    boxes,
)
from tournament.engine.fold import fold
from tournament.engine.ranking import Ranked
from tournament.engine.state import stacks_of, stage_of, table_of
from tournament.engine.steps.cut import contested_in, cut_differs
from tournament.engine.ties import TieResult, places_after_ties
from tournament.selectors.facts_standing import NO_FACTS

OFF, SUDDEN = (1, "play_off", 1), (3, "sudden_death", 1)
NETS = {1: 400, 2: 200, 3: -200, 4: -400}
LEVEL = {1: 0, 2: 0, 3: 0, 4: 0}
Log = list[Any]


def key(number: int = 1, stage: Any = ONE) -> Any:
    return (stage, 1, 1, number)


def put_right(
    log: Log, nets: dict[int, int] | None, number: int = 1, stage: Any = ONE, **more: Any
) -> Decision:
    """The hand of this number with other nets; None: void."""
    by = None if nets is None else hand(nets, number, button=number, stage=stage, **more)
    return decide(NO_FACTS.then(log).log, key(number, stage), by)


def code(log: Log, nets: dict[int, int] | None, **at: Any) -> str:
    """The code by which it is refused; empty where it is not."""
    try:
        put_right(log, nets, **at)
    except Refused as no:
        return no.code
    return ""


def status(found: Decision, stage: Any = ONE) -> str:
    return stage_of(fold(found.log), stage).status


def closed_round(nets: dict[int, int] = NETS, *through: str, **settings: Any) -> Log:
    """Four players, one hand, counted and closed: the first two go on."""
    before = [*seated(**settings), Began(ONE), hand(nets)]
    return [*before, *counted(fold(before)), Closed(ONE, through or ("E001", "E002"))]


def tie(nets: dict[int, int], number: int = 1, stage: Any = OFF) -> Hand:
    return hand(nets, number, button=number, stage=stage)


def seats(*entries: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((entry, 1, box) for box, entry in enumerate(entries, start=1))


def in_play_off(**settings: Any) -> Log:
    """All four are level for two seats, and play for them with 1,000 each."""
    settings = {"play_off_chips": 1_000, **settings}
    before = [*seated(**settings), Began(ONE), hand(LEVEL)]
    return [*before, *counted(fold(before)), Seated(OFF, seats(*codes(4)), ((1, 1),))]


# Hands of a round -------------------------------------------------------------------------------------


def test_T17_a_corrected_hand_moves_every_stack_after_it():
    first, later, right = hand({1: 200, 2: -200}), hand({1: 400, 2: 0}, 2, 2), hand({1: -200, 2: 200})
    log = [*seated(2), first, later]
    assert NO_FACTS.then([*log, Corrected(key(), right)]).state == fold([*seated(2), right, later])
    void = NO_FACTS.then([*log, Corrected(key(), None)]).state
    assert (chips(void), table_of(stage_of(void, ONE), 1).number) == ({"E001": 5_400, "E002": 5_000}, 2)
    assert NO_FACTS.then([*log, Corrected(key(), right), Corrected(key(), first)]).state == fold(log)
    # T14: the button has moved on from a hand that is void.
    void_first = [*seated(2), hand({1: 0, 2: 0}), Corrected(key(), None), hand({1: 0}, 2, 2)]
    assert NO_FACTS.then(void_first).state.differs == ()


def test_T17_a_hand_taken_back_was_never_there():
    log = [*seated(2), hand({1: 200, 2: 0})]
    back = [hand({1: 400}, 2, 2), ShoeEnded(ONE, 1), TakenBack(key(2))]
    assert NO_FACTS.then([*log, *back]).state == fold(log)


@pytest.mark.parametrize(("net", "no"), [(-800, ""), (-900, "later_bet_not_covered")])
def test_T17_a_later_hand_of_a_round_that_is_not_covered_any_more_refuses(net: int, no: str):
    log = [*seated(2, starting_chips=1_000), hand({1: 0, 2: 0}), hand({1: 0, 2: 0}, 2, 2)]
    assert code(log, {1: net, 2: 0}) == no


@pytest.mark.parametrize(("net", "no"), [(-900, ""), (-800, "later_bet_not_covered")])
def test_T13_T17_a_bet_below_the_least_was_all_that_there_was(net: int, no: str):
    all_in = hand({1: 0}, 2, 2, bets=boxes({1: 100}), put_up=boxes({1: 100}))
    assert code([*seated(2, starting_chips=1_000), hand({1: -900, 2: 0}), all_in], {1: net, 2: 0}) == no


def test_T17_a_box_whose_stack_does_not_move_is_not_asked():
    later = hand({1: 0, 2: 0}, 2, 2, put_up=boxes({1: 200, 2: 6_000}))
    assert code([*seated(2), hand({1: 0, 2: 0}), later], {1: -200, 2: 0}) == ""


@pytest.mark.parametrize(("net", "no"), [(-800, ""), (-900, "later_bet_not_covered")])
def test_T17_T26_a_penalty_takes_no_more_than_is_left_in_a_round(net: int, no: str):
    log = [*seated(2, starting_chips=1_000), hand({1: 0, 2: 0}), Penalty(ONE, "E001", 1, 200)]
    assert code(log, {1: net, 2: 0}) == no
    # Also where what was left of the stack has been handed in since.
    assert code([*log, Withdrawn("E001", 0)], {1: net, 2: 0}) == no
    assert code([*log, PenaltyCancelled(ONE, "E001", 1, 200)], {1: net, 2: 0}) == ""


@pytest.mark.parametrize("stage", [ONE, OFF])
@pytest.mark.parametrize(("left", "no"), [(100, ""), (0, "line_chip_decided")])
def test_T17_a_chip_on_the_line_that_a_later_hand_has_decided_refuses(left: int, no: str, stage: Any):
    log = seated(2) if stage == ONE else in_play_off()
    log += [hand({1: 0}, stage=stage, line_chip=boxes({1: 100}))]
    log += [hand({2: 0}, 2, 2, stage), hand({1: 0}, 3, 1, stage)]
    assert code(log, {1: 0}, stage=stage, line_chip=boxes({1: left})) == no


def test_T17_only_a_hand_that_counts_is_put_right():
    log = [*seated(2), hand({1: 0, 2: 0}), Corrected(key(), None)]
    assert code(log, {1: 0, 2: 0}) == "deal_not_settled"
    with pytest.raises(KeyError):
        put_right(log, None, number=2)


# Counts -----------------------------------------------------------------------------------------------


def test_T18_a_counted_table_of_an_open_round_counts_again():
    before = [*seated(2), Began(ONE), hand({1: 200, 2: 0})]
    found = put_right([*before, *counted(fold(before))], {1: 0, 2: 0})
    assert (found.again, status(found), chips(fold(found.log))["E001"]) == (((ONE, 1),), "playing", 5_000)


def test_T18_two_counts_that_differed_from_the_hand_agree_once_it_is_put_right():
    sheet = Counted(ONE, 1, boxes({1: 5_400, 2: 5_000}))
    log = [*seated(2), Began(ONE), hand({1: 200, 2: 0}), ShoeEnded(ONE, 1), sheet, sheet]
    assert (fold(log).stages[0].status, status(put_right(log, {1: 400, 2: 0}))) == ("playing", "counted")


def test_T18_what_was_ruled_goes_back_with_the_count_and_stays_once_the_round_is_closed():
    before = [*seated(), Began(ONE), hand(NETS)]
    sheet = Counted(ONE, 1, boxes({1: 5_400, 2: 5_200, 3: 4_800, 4: 4_500}))
    ruled = [*before, ShoeEnded(ONE, 1), sheet, sheet, CountRuled(ONE, 1, boxes({4: -100}))]
    right = {**NETS, 4: -200}
    assert chips(fold(put_right(ruled, right).log))["E004"] == 4_800
    shut = put_right([*ruled, Closed(ONE, ("E001", "E002"))], right)
    assert fold(shut.log).stages[0].results["E004"].chips == 4_700


def test_T18_T26_a_count_that_was_taken_back_decides_nothing_of_who_has_left():
    # The counts agreed with the only hand; without it they say nothing of what was handed in.
    before = [*seated(3), Began(ONE), hand({1: 400, 2: 0, 3: 0})]
    log = [*before, *counted(fold(before)), Withdrawn("E001", 0), CountReopened(ONE, 1)]
    handed_in = [move for fact in [put_right(log, None)] for move in _returned(fact)]
    assert handed_in == [5_000]


def _returned(found: Decision) -> list[int]:
    state, given = fold(()), list[int]()
    for fact in found.log:
        state = fold([fact], state)
        given += [-leg[3] for move in state.moves if move.kind == "return" for leg in move.legs if leg[1]]
    return given


# Closed rounds ----------------------------------------------------------------------------------------


def test_T17_T20_a_closed_round_is_closed_again_with_who_goes_on_now_or_is_open():
    log = closed_round()
    found = put_right(log, {1: -400, 2: 200, 3: -200, 4: 400})
    assert (found.through, status(found)) == (((ONE, ("E002", "E004")),), "closed")
    assert stacks_of(fold(found.log))[ONE, "E004"].outcome == "advanced"
    level = put_right(log, LEVEL)
    assert (level.through, status(level)) == ((), "counted")


def test_T17_T22_with_the_next_round_seated_who_went_on_stays_and_the_chips_follow():
    log = [*closed_round(), Seated(TWO, seats("E001", "E002"), ((1, 1),))]
    found = put_right(log, {1: -600, 2: 200, 3: -200, 4: -400})
    state = fold(found.log)
    assert (found.through, chips(state, TWO)) == ((), {"E001": 4_400, "E002": 5_200})
    assert [stacks_of(state)[ONE, entry].outcome for entry in codes(4)] == ["advanced"] * 2 + ["cut"] * 2
    assert stacks_of(state)[ONE, "E001"].place == 4
    level = fold(put_right(log, {**NETS, 2: -200}).log)
    assert cut_differs(state, ONE) == CutDiffers(missed=("E003",), extra=("E001",))
    assert cut_differs(level, ONE) == CutDiffers(tied=("E002", "E003"), seats=1)
    assert not cut_differs(fold(log), ONE) and not cut_differs(fold(closed_round(LEVEL)[:-1]), ONE)
    # T25: the place of a replaced qualifier is its replacement's, who may be the wrong one now.
    given = fold(put_right([*log, Replaced("E001", "E003")], {1: -400, 2: 200, 3: -200, 4: 400}).log)
    assert cut_differs(given, ONE) == CutDiffers(missed=("E004",), extra=("E003",))


def test_T23_T25_a_replacement_is_no_wrong_one_where_more_went_on_than_there_were_seats():
    nets, three = {1: 400, 2: 0, 3: 0, 4: -400}, ("E001", "E002", "E003")
    log = [*closed_round(nets, *three, tie_at_cut="all_advance"), Seated(TWO, seats(*three), ((1, 1),))]
    state = fold(put_right([*log, Replaced("E001", "E004")], nets).log)
    assert stage_of(state, ONE).by_hands == {*three} and not cut_differs(state, ONE)


@pytest.mark.parametrize("moved", [0, 200])
def test_T18_a_counted_table_that_carried_chips_have_reached_counts_again(moved: int):
    log = [*closed_round(), Seated(TWO, seats("E001", "E002"), ((1, 1),)), Began(TWO)]
    log += counted(fold(log), TWO)
    found = put_right(log, {**NETS, 1: NETS[1] + moved})
    assert found.again == (((TWO, 1),) if moved else ())


@pytest.mark.parametrize(
    ("since", "no"),
    [
        ([Withdrawn("E001", 0)], "entry_left"),
        ([Replaced("E001", "E003")], "entry_left"),
        ([Withdrawn("E004", 0)], "entry_left"),
        ([Disqualified("E001", 2)], "entry_left"),
        ([Withdrawn("E003", 0)], ""),
        ([Disqualified("E004", 4)], ""),
        ([RosterLocked(("E001", "E002"), ())], "draw_in_progress"),
    ],
)
def test_T17_T25_what_has_happened_since_the_close_refuses(since: Log, no: str):
    assert code([*closed_round(), *since], {1: -400, 2: 200, 3: -200, 4: 400}) == no


def test_T26_the_seat_of_a_disqualified_qualifier_is_given_to_nobody():
    with pytest.raises(ValueError, match="E001"):
        fold([*closed_round(), Disqualified("E001", 1), Replaced("E001", "E003")])


def test_T17_T26_who_was_disqualified_since_goes_on_by_no_correction():
    found = put_right([*closed_round(), Disqualified("E004", 4)], {1: -400, 2: 200, 3: -200, 4: 400})
    assert found.through == ((ONE, ("E002", "E003")),)
    ended = fold(found.log).stages[0].results["E004"]
    assert (ended.place, ended.chips) == (4, 5_400)


def finished() -> Log:
    """Places are decided after round 2, between the two who went on."""
    log = [*closed_round(), Posted((20_000, 10_000)), Seated(TWO, seats("E001", "E002"), ((1, 1),))]
    log += [Began(TWO), hand({1: 200, 2: 0}, stage=TWO)]
    return [*log, *counted(fold(log), TWO), Closed(TWO, ())]


def test_T17_T35_after_the_first_payment_every_hand_stands():
    log, right = finished(), {1: -400, 2: 200}
    assert [each.entry for each in fold(put_right(log, right, stage=TWO).log).places][:2] == ["E002", "E001"]
    assert code([*log, Paid("E001", 20_000)], right, stage=TWO) == "paid_from"
    assert code([*log, Paid("E001", 20_000), PaymentReversed("E001", 20_000)], right, stage=TWO) == ""
    # T33: a draw that was locked for a tie is given up with the last place.
    assert code([*log[:-1], RosterLocked(("E001",), ()), log[-1]], right, stage=TWO) == ""


def test_T26_T31_places_are_decided_again_or_played_for_after_a_disqualification():
    gone = fold([*finished(), Disqualified("E001", 1)])
    assert [(each.entry, each.place) for each in gone.places[:2]] == [("E002", 1), ("E001", 2)]
    # Two share the second place, which pays nothing; without the winner they share the first.
    plan = [{"stack": "reset", "advance": {"top": 3}}, {"stack": "carried", "advance": None}]
    three = ("E001", "E002", "E003")
    log = [*closed_round(NETS, *three, plan=plan), Posted((20_000,)), Seated(TWO, seats(*three), ((1, 1),))]
    log += [Began(TWO), hand({1: 200, 2: 0, 3: 400}, stage=TWO)]
    log += [*counted(fold(log), TWO), Closed(TWO, ())]
    assert [each.place for each in fold(log).places] == [1, 2, 2, 4]
    level = fold([*log, Disqualified("E001", 1)])
    assert (level.status, level.places) == ("running", ())
    assert fold([Posted((10_000, 10_000))], level).status == "finished"


# Ties -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nets", [NETS, LEVEL])
def test_T17_T23_while_its_play_off_runs_the_hands_of_a_round_wait(nets: dict[int, int]):
    assert code(in_play_off(), nets) == "tie_open"


@pytest.mark.parametrize(
    ("nets", "second", "falls"),
    [
        ({1: 200, 2: 0, 3: 0, 4: -200}, 200, ""),  # 2 and 3 play on, as they did
        ({1: 200, 2: 200, 3: 0, 4: 0}, 200, "over"),
        ({1: 200, 2: 0, 3: 0, 4: 0}, 200, "others"),  # 4 could have bet as well
        ({1: 0, 2: -400, 3: -400, 4: -500}, 600, ""),  # each has the 600 that it put up
        ({1: 0, 2: -500, 3: -500, 4: -600}, 600, "uncovered"),  # and here not
    ],
)
def test_T17_a_later_hand_of_a_tie_stands_or_falls(nets: dict[int, int], second: int, falls: str):
    bets = boxes({2: second, 3: second})
    later = hand({2: 200, 3: 0}, 2, 2, OFF, bets=bets, put_up=bets)
    log = [*in_play_off(), tie({1: 400, 2: 0, 3: 0, 4: -400}), later]
    found = put_right(log, nets, stage=OFF)
    assert found.fallen == ({key(2, OFF)} if falls else set())
    assert found.uncovered == ({key(2, OFF)} if falls == "uncovered" else set())


def test_T17_T23_a_tie_that_is_not_decided_after_all_is_open_and_its_round_too():
    won = ("E001", "E002")
    log = [*in_play_off(), tie({1: 200, 2: 200, 3: 0, 4: 0}), Closed(OFF, won), Closed(ONE, won)]
    other = put_right(log, {1: 200, 2: 0, 3: 200, 4: 0}, stage=OFF)
    assert (other.through, status(other, OFF)) == (((ONE, ("E001", "E003")),), "closed")
    # T26: also without one who was cut by it, and is disqualified since.
    cut = put_right([*log, Disqualified("E004", 4)], {1: 200, 2: 0, 3: 200, 4: 0}, stage=OFF)
    assert cut.through == other.through
    found = put_right(log, {1: 200, 2: 0, 3: 0, 4: -200}, stage=OFF)
    assert (found.through, status(found), status(found, OFF)) == ((), "playing_off", "seated")
    # T26: with one of the two who are level disqualified since, it is decided after all.
    gone = put_right([*log, Disqualified("E003", 3)], {1: 200, 2: 0, 3: 0, 4: -200}, stage=OFF)
    assert (gone.through, status(gone, OFF)) == (((ONE, won),), "closed")


def test_T17_with_the_next_round_seated_the_winners_of_a_play_off_stay():
    won = ("E001", "E002")
    log = [*in_play_off(), tie({1: 200, 2: 200, 3: 0, 4: 0}), Closed(OFF, won), Closed(ONE, won)]
    log += [Seated(TWO, seats(*won), ((1, 1),))]
    found = put_right(log, {1: 0, 2: 0, 3: 200, 4: 200}, stage=OFF)
    assert (found.through, status(found), status(found, OFF)) == ((), "closed", "closed")
    assert [stacks_of(fold(found.log))[OFF, entry].outcome for entry in won] == ["advanced"] * 2


def test_T23_T25_a_replacement_has_neither_won_nor_lost_the_tie_and_nobody_has_lost_it_to_one():
    won = ("E001", "E002")
    log = [*in_play_off(), tie({1: 200, 2: 200, 3: 0, 4: 0}), Closed(OFF, won), Closed(ONE, won)]
    log += [Seated(TWO, seats(*won), ((1, 1),)), Replaced("E001", "E003")]
    state = fold(log)
    assert contested_in(state, stage_of(state, ONE)) == (set(won), {"E004"})
    # The replacement was chosen among two, who would now be level for one seat: they played for none.
    state = fold(put_right(log, {1: 200, 2: -200, 3: 0, 4: 0}).log)
    assert contested_in(state, stage_of(state, ONE)) == (set(), set())


def test_T23_what_a_play_off_has_decided_belongs_to_its_players():
    won = ("E001", "E002")
    log = [*in_play_off(), tie({1: 200, 2: 200, 3: 0, 4: 0}), Closed(OFF, won), Closed(ONE, won)]
    # Three are level behind one: the hand among all four is on record, and decides nothing.
    found = put_right(log, {1: 0, 2: 0, 3: 0, 4: 200})
    assert (found.through, status(found), status(found, OFF)) == ((), "counted", "closed")
    assert stacks_of(fold(found.log))[OFF, "E001"].outcome == "advanced"
    # Where the same four are level again, their tie is decided as it was.
    back = decide(found.log, key(), hand(LEVEL))
    recounted = [*back.log, *counted(fold(back.log))[1:], Closed(ONE, won)]
    assert (back.again, fold(recounted).differs) == (((ONE, 1),), ())
    assert put_right(log, {1: 0, 2: 0, 3: 200, 4: 400}).through == ((ONE, ("E003", "E004")),)


def test_T23_a_ruling_that_ended_a_play_off_stands_and_is_about_those_who_were_level():
    absent = [Absent(OFF, entry, on=True) for entry in codes(4)[:2]]
    log = [*in_play_off(), tie({1: 0, 2: 0, 3: 200, 4: -200}), *absent, TieRuled(ONE, ("E001", "E003"))]
    log += [Closed(ONE, ("E001", "E003"))]
    assert code(log, {1: 0, 2: 0, 3: 400, 4: -400}, stage=OFF) == "tie_ruled"
    another = put_right(log, {1: 0, 2: 0, 3: 0, 4: 200})
    assert (another.through, status(another)) == ((), "counted")


def test_T23_a_ruling_says_nothing_of_others_who_are_level_now():
    log = closed_round({1: 400, 2: 0, 3: 0, 4: -400})
    log = [*log[:-1], TieRuled(ONE, ("E002",)), log[-1]]
    assert put_right(log, {1: 600, 2: 0, 3: 0, 4: -400}).through == ((ONE, ("E001", "E002")),)
    found = put_right(log, {1: 400, 2: -400, 3: 0, 4: 0})
    assert (found.through, status(found)) == ((), "counted")


@pytest.mark.parametrize(("seats_now", "through"), [(1, []), (2, ["a", "b"]), (3, ["a", "b"])])
def test_T23_a_play_off_is_about_no_fewer_seats_than_it_was_won_for(seats_now: int, through: list[str]):
    level = [Finish(entry, 5_000) for entry in "abcd"]
    decided = [Decided(frozenset("abcd"), frozenset("ab"))]
    found = advance(Advance(top=seats_now), [{1: level}], None, decided)
    assert [each.entry for each in found.through] == through


@pytest.mark.parametrize(
    ("places", "gone", "first"),
    [
        ({"a": 1, "b": 1, "c": 1}, "", ["b", "a", "c"]),
        ({"a": 1, "b": 2, "c": 2}, "", ["a", "b=", "c="]),  # others are level now
        ({"a": 1, "b": 1, "c": 3}, "c", ["b", "a", "c"]),  # T26: who is disqualified since counts not
    ],
)
def test_T33_a_sudden_death_decides_among_those_who_played_it(places: dict[str, int], gone: str, first: Any):
    shared = list(places.values())
    ranked = [Ranked(e, 0, at, shared.count(at) > 1, e in gone) for e, at in places.items()]
    found, _about = places_after_ties(ranked, [TieResult((frozenset("abc"),), {"a": 2, "b": 1, "c": 3})])
    assert [each.entry + "=" * each.tied for each in found] == first


def sudden_death(*sold: Any) -> Log:
    """Two rounds without a difference, and the two who went on are level for places 1 and 2."""
    log = [*closed_round(), Posted((20_000, 10_000)), Seated(TWO, seats("E001", "E002"), ((1, 1),))]
    log += [Began(TWO), hand({1: 0, 2: 200}, stage=TWO)]
    log += [*counted(fold(log), TWO), Closed(TWO, ()), Seated(SUDDEN, seats("E001", "E002"), ((1, 1),))]
    return [*log, *sold]


def test_T19_T33_each_tie_is_looked_at_once_its_own_table_has_played():
    """Two ties for money, at a table each. E004 is absent, which counts once E003 could have bet."""
    log = [*closed_round({1: 400, 2: 400, 3: -400, 4: -400}), Posted((20_000, 10_000, 5_000, 2_000))]
    log += [Seated(TWO, seats("E001", "E002"), ((1, 1),)), Began(TWO), hand({1: 0, 2: 0}, stage=TWO)]
    two_tables = (*seats("E001", "E002"), ("E003", 2, 1), ("E004", 2, 2))
    log += [*counted(fold(log), TWO), Closed(TWO, ()), Seated(SUDDEN, two_tables, ((1, 1), (2, 1)))]
    log += [Absent(SUDDEN, "E004", on=True)]
    places = {"E001": 1, "E002": 2, "E003": 3, "E004": 4}
    for more, results, at in (
        ([tie({1: 200, 2: 0}, stage=SUDDEN)], ["E001", "E002"], "seated"),
        ([tie({1: 200, 2: 0}, stage=SUDDEN), Looked(SUDDEN)], [*places], "counted"),
        # Another structure decides nothing by itself, whoever is absent.
        (
            [tie({1: 0, 2: 0}, stage=SUDDEN), Absent(SUDDEN, "E002", on=True), Posted((9, 7, 5, 3))],
            [],
            "seated",
        ),
    ):
        stage = stage_of(fold([*log, *more]), SUDDEN)
        assert ({e: each.place for e, each in stage.results.items()}, stage.status) == (
            {entry: places[entry] for entry in results},
            at,
        )
    assert stage.tie and [group.places for group in stage.tie.groups] == [(1, 2), (3, 4)]
    # T26: a tie that goes on without a player of another one waits for its next hand.
    for gone, evaluated in (("E003", [{1: 1, 2: 0}]), ("E001", [{}])):
        after = [*log, tie({1: 0, 2: 0}, stage=SUDDEN), Disqualified(gone, places[gone])]
        left = stage_of(fold(after), SUDDEN)
        assert left.tie and [*left.tie.evaluated.values()] == evaluated


def test_T13_T19_a_table_whose_players_cannot_bet_delays_nobody():
    two_tables = (*seats("E001", "E002"), ("E003", 2, 1), ("E004", 2, 2))
    log = [*in_play_off()[:-1], Seated(OFF, two_tables, ((1, 1), (2, 1)))]
    log += [Penalty(OFF, entry, 1, 900) for entry in ("E003", "E004")]
    assert stage_of(fold([*log, tie({1: 0, 2: 0})]), OFF).status == "counted"
    assert stage_of(fold([*log[:-1], tie({1: 0, 2: 0})]), OFF).status == "seated"


def test_T23_T26_the_seat_of_a_winner_who_is_disqualified_goes_to_those_who_still_play_for_it():
    log = [*in_play_off(), tie({1: 400, 2: 0, 3: 0, 4: -400}), Disqualified("E001", 1)]
    off = stage_of(fold(log), OFF)
    outcomes = {entry: each.outcome for entry, each in off.results.items()}
    assert (off.status, outcomes["E002"], outcomes["E003"]) == ("counted", "advanced", "advanced")
    # Without a rival the rest have won the tie against nobody.
    log += [Disqualified("E004", 3), Closed(OFF, ("E002", "E003")), Closed(ONE, ("E002", "E003"))]
    state = fold(log)
    assert contested_in(state, stage_of(state, ONE)) == (frozenset(), frozenset())
    # Before a hand has decided anything they play on for the same seats.
    off = stage_of(fold([*in_play_off(), Disqualified("E004", 1)]), OFF)
    assert (off.status, off.tie and off.tie.seats, off.results) == ("seated", 2, {})


def test_T17_another_tie_is_closed_first():
    assert code(sudden_death(), {1: 0, 2: 0}, stage=TWO) == "tie_open"
    # A sudden death is beside no round: nothing is seated on its result, and it has no cut.
    state, round_ = fold(sudden_death()), (SUDDEN[0], "round", 1)
    assert not seated_after(state, round_) and not cut_differs(state, round_)


def test_T33_nobody_plays_again_for_a_tie_to_which_nobody_came():
    log = sudden_death(*(Absent(SUDDEN, entry, on=True) for entry in ("E001", "E002")))
    state = fold([*log, Looked(SUDDEN), Closed(SUDDEN, ())])
    assert (state.status, [each.place for each in state.places]) == ("finished", [1, 1, 3, 4])


def test_T33_T34_what_a_sudden_death_has_decided_belongs_to_its_players():
    won = [tie({1: 200, 2: 0}, stage=SUDDEN), Closed(SUDDEN, ())]
    log = sudden_death(*won)
    assert [each.entry for each in fold(log).places][:2] == ["E001", "E002"]
    found = put_right(log, {1: 0, 2: 400}, stage=TWO)
    assert [each.entry for each in fold(found.log).places][:2] == ["E002", "E001"]
    back = decide(found.log, key(1, TWO), hand({1: 0, 2: 200}, stage=TWO))
    assert [each.entry for each in fold(back.log).places][:2] == ["E001", "E002"]


def test_T17_a_closed_sudden_death_that_is_not_decided_after_all_goes_on_for_who_is_left():
    log = sudden_death(tie({1: 200, 2: 0}, stage=SUDDEN), Closed(SUDDEN, ()))
    found = put_right(log, {1: 0, 2: 0}, stage=SUDDEN)
    assert (status(found, SUDDEN), fold(found.log).places) == ("seated", ())
    gone = put_right([*log, Disqualified("E002", 2)], {1: 0, 2: 0}, stage=SUDDEN)
    assert (status(gone, SUDDEN), fold(gone.log).places[0].entry) == ("closed", "E001")


def test_T17_what_a_correction_says_otherwise_is_told():
    found = put_right(closed_round(), {1: -400, 2: 200, 3: -200, 4: 400})
    said = Corrected(key(), None, (), ((ONE, ("E004", "E002")),))
    assert found.differs(said) == ()
    assert [each.what for each in found.differs(Corrected(key(), None, (key(2),), (), ((ONE, 1),)))] == [
        "fallen",
        "through",
        "counted again",
    ]
