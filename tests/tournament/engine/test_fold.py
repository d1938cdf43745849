"""The fold: an event from its facts, without a database (event core; T4–T22)."""

from __future__ import annotations

import pytest

from ground.button import button_next
from tests.seed import chance_of
from tests.tournament.engine.one_table import ONE, TWO, chips, closed, codes, counted, hand, seated
from tournament.engine.facts import (
    Absent,
    Began,
    CalledOff,
    Closed,
    Counted,
    CountReopened,
    CountRuled,
    Fact,
    HandedOut,
    NoShow,
    OfHand,
    OfPenalty,
    Paid,
    PaymentReversed,
    Penalty,
    PenaltyCancelled,
    Posted,
    Seated,
    SeatGiven,
    ShoeEnded,
    Sold,
    Withdrawn,
    boxes,
)
from tournament.engine.fold import STEPS, fold, states
from tournament.engine.standing import standing
from tournament.engine.state import Differs, stacks_of, stage_of, table_of
from tournament.engine.steps.places import places_so_far, without_hand

# Seats ----------------------------------------------------------------------------------------------


def test_T3_T4_a_seat_comes_with_the_starting_stack():
    state = fold(seated(3, starting_chips=4_000))
    assert chips(state) == dict.fromkeys(codes(3), 4_000)
    (issued,) = state.moves
    assert issued.legs[-1] == ("issued", None, "", -12_000)
    assert state.status == "running"


def test_T6_an_alternate_has_no_seat_until_one_is_given():
    facts = [*seated(2), Sold("E003", 10_000, waits=True), NoShow("E001"), SeatGiven(ONE, "E003", 1, 1)]
    state = fold(facts)
    assert state.entries == {"E001": "no_show", "E002": "live", "E003": "live"}
    assert table_of(stage_of(state, ONE), 1).entries[:2] == ("E003", "E002")
    assert stacks_of(state)[ONE, "E001"].state == "no_show"
    assert sum(chips(state).values()) == 10_000


# Leaving --------------------------------------------------------------------------------------------


def test_T7_who_withdraws_hands_the_chips_in_and_has_the_buy_in_back():
    state = fold([*seated(2, fee_cents=2_000), hand({1: 200, 2: 0}), Withdrawn("E001", 10_000)])
    stack = stacks_of(state)[ONE, "E001"]
    assert (stack.chips, stack.last_change_chips, stack.state) == (0, 200, "withdrawn")
    chips_in, refund = state.moves
    assert chips_in.legs == (("stack", ONE, "E001", -5_200), ("returned", None, "", 5_200))
    assert dict(leg[::3] for leg in refund.legs) == {"desk": -10_000, "fee": 2_000, "pool": 8_000}
    assert (state.money.pool_cents, state.differs) == (8_000, ())
    again = fold([Withdrawn("E002", 9_000)], state)
    assert again.differs == (Differs("cents", 9_000, 10_000),)
    # Below the ranking they stand by their codes, whoever left first.
    both = fold([*seated(3), Withdrawn("E003", 0), Withdrawn("E001", 0)])
    assert [row.code for row in standing(both, stage_of(both, ONE)).not_ranked] == ["E001", "E003"]


@pytest.mark.parametrize(("left", "status"), [("E001", "counted"), ("E002", "over")])
def test_T18_two_counts_that_differ_only_in_the_box_of_who_left_agree(left: str, status: str):
    before = fold([*seated(3), hand({1: 200}), ShoeEnded(ONE, 1)])
    counts = [Counted(ONE, 1, boxes({1: one, 2: 5_000, 3: 5_000})) for one in (5_200, 5_100)]
    state = fold([*counts, Withdrawn(left, 0)], before)
    assert table_of(stage_of(state, ONE), 1).status == status


def test_T8_an_event_called_off_has_no_chips_and_owes_every_buy_in():
    state = fold([*seated(2), hand({1: 200}), CalledOff()])
    assert (state.status, chips(state), state.entries["E001"]) == (
        "called_off",
        {"E001": 0, "E002": 0},
        "live",
    )
    (move,) = state.moves
    assert move.legs[-1] == ("returned", None, "", 10_200)
    given = fold([HandedOut("E001", 10_000)], state)
    assert given.money.spent == {"E002": 10_000}
    assert fold([HandedOut("E001", 10_000)], given).differs == (Differs("cents", 10_000, 0),)


# Hands ----------------------------------------------------------------------------------------------


def test_T17_a_hand_moves_stacks_against_the_bank():
    state = fold([*seated(), hand({1: 200, 2: -400, 3: 0})])
    table = table_of(stage_of(state, ONE), 1)
    assert table.chips[:4] == (5_200, 4_600, 5_000, 5_000)
    assert table.last[:4] == (200, -400, 0, None)
    (move,) = state.moves
    assert move.legs == (("stack", ONE, "E001", 200), ("stack", ONE, "E002", -400), ("bank", None, "", 200))


@pytest.mark.parametrize(("left", "next_box"), [(0, 3), (100, 3), (200, 2)])
def test_T13_T14_the_button_passes_over_who_cannot_cover_the_minimum(left: int, next_box: int):
    state = fold([*seated(), hand({1: 0, 2: left - 5_000})])
    assert table_of(stage_of(state, ONE), 1).button == next_box
    assert fold([hand({1: 0}, 2, next_box)], state).differs == ()


@pytest.mark.parametrize("button", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("out", [(), (1, 2), (3, 4, 7), (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7)])
def test_T14_the_button_moves_as_the_rule_of_the_button_says(button: int, out: tuple[int, ...]):
    nets = {box: -5_000 if box in out else 0 for box in range(1, 8)}
    state = fold([*seated(7), hand(nets, button=button)])
    occupied = [box for box in range(1, 8) if box not in out]
    assert table_of(stage_of(state, ONE), 1).button == button_next(button, occupied)


# Counts ---------------------------------------------------------------------------------------------


def test_T18_a_ruling_moves_what_it_says_and_goes_back_with_the_counts():
    before = fold([*seated(2), hand({1: 200}), ShoeEnded(ONE, 1)])
    both = [Counted(ONE, 1, boxes({1: 5_100, 2: 5_000}))] * 2
    ruled = fold([*both, CountRuled(ONE, 1, boxes({1: 400}))], before)
    assert (chips(ruled)["E001"], stage_of(ruled, ONE).status) == (5_600, "counted")
    state = fold([CountReopened(ONE, 1)], ruled)
    assert (chips(state), stage_of(state, ONE).status) == (chips(before), "playing")
    assert state.moves[0].legs == (("stack", ONE, "E001", -400), ("bank", None, "", 400))
    assert fold([*both, CountReopened(ONE, 1)], before).moves == ()
    # Who has left in between has handed in what was ruled.
    left = fold([Withdrawn("E001", 0), CountReopened(ONE, 1)], ruled)
    assert (left.moves, chips(left)) == ((), {"E001": 0, "E002": 5_000})


# Closing --------------------------------------------------------------------------------------------


def test_T15_T20_T22_the_top_two_go_on_with_their_chips_and_an_absent_one_is_expected_again():
    facts = [*seated(), hand({1: 400, 2: 200, 3: -200, 4: -400}), Absent(ONE, "E001", on=True)]
    state = closed(facts, ("E001", "E002"))
    assert state.differs == ()
    stacks = {entry: stack for (_key, entry), stack in stacks_of(state).items()}
    assert [stacks[code].outcome for code in codes(4)] == ["advanced", "advanced", "cut", "cut"]
    assert [stacks[code].place for code in codes(4)] == [1, 2, 3, 4]
    assert [stacks[code].chips for code in codes(4)] == [5_400, 5_200, 0, 0]
    assert [state.stages[0].results[code].chips for code in codes(4)] == [5_400, 5_200, 4_800, 4_600]
    after = fold([Seated(TWO, (("E002", 1, 1), ("E001", 1, 2)), ((1, 2),))], state)
    assert chips(after, TWO) == {"E002": 5_200, "E001": 5_400}
    assert set(chips(after).values()) == {0}
    assert [move.kind for move in after.moves] == ["carry"]
    assert (stage_of(state, ONE).away, stage_of(after, TWO).away) == ({"E001"}, set())


def test_T15_a_player_without_a_hand_is_behind_all_who_played():
    facts = [*seated(no_hand="out"), hand({1: -400, 2: -600, 3: 0})]
    state = closed(facts, ("E001", "E003"))
    assert state.differs == ()
    assert stacks_of(state)[ONE, "E004"].place == 4
    ranked = closed([*seated(no_hand="ranked"), hand({1: -400, 2: -600, 3: 100})], ("E003", "E004"))
    assert ranked.differs == ()
    # At a table without a hand only an absent player has played none.
    before = fold([*seated(no_hand="out"), Absent(ONE, "E002", on=True)])
    state = fold(counted(before), before)
    assert without_hand(state, stage_of(state, ONE)) == {"E002"}


def test_T21_others_seated_than_go_on_are_told():
    state = closed([*seated(), hand({1: 400, 2: 200, 3: -200, 4: -400})], ("E001", "E002"))
    right = Seated(TWO, (("E002", 1, 1), ("E001", 1, 2)), ((1, 2),))
    assert fold([right], state).differs == ()
    wrong = Seated(TWO, (("E003", 1, 1), ("E001", 1, 2)), ((1, 2),))
    assert fold([wrong], state).differs == (Differs("seats", ["E001", "E003"], ["E001", "E002"]),)


# Rulings --------------------------------------------------------------------------------------------


def test_T26_chips_of_a_penalty_go_to_the_bank_and_come_back():
    taken = fold([*seated(2), Penalty(ONE, "E002", 1, 400)])
    assert (chips(taken)["E002"], taken.moves[0].kind) == (4_600, "penalty")
    assert taken.moves[0].legs == (("stack", ONE, "E002", -400), ("bank", None, "", 400))
    state = fold([PenaltyCancelled(ONE, "E002", 1, 400)], taken)
    assert (chips(state)["E002"], state.moves[0].kind) == (5_000, "reversal")


def test_T20_T35_after_the_last_round_every_place_is_known_and_paid():
    first = closed([*seated(), hand({1: 400, 2: 200, 3: -200, 4: -400})], ("E001", "E002"))
    seats = Seated(TWO, (("E001", 1, 1), ("E002", 1, 2)), ((1, 1),))
    played = fold([Posted((20_000, 10_000)), seats, hand({1: -600, 2: 200}, stage=TWO)], first)
    state = fold([*counted(played, TWO), Closed(TWO, ())], played)
    assert [(each.entry, each.place) for each in state.places] == [
        ("E002", 1),
        ("E001", 2),
        ("E003", 3),
        ("E004", 4),
    ]
    assert state.status == "finished"
    once = fold([Paid("E002", 20_000)], state)
    assert once.moves[0].legs == (("desk", None, "", -20_000), ("pool", None, "", 20_000))
    assert (once.status, once.differs, once.money.pool_cents) == ("finished", (), 20_000)
    assert fold([Paid("E001", 10_000)], once).status == "paid"
    assert fold([Paid("E001", 9_000)], once).differs == (Differs("cents", 9_000, 10_000),)
    # T26: taken back whole, and paid once more.
    paid = fold([Paid("E001", 10_000)], once)
    back = fold([PaymentReversed("E002", 20_000)], paid)
    assert [move.legs for move in back.moves] == [(("desk", None, "", 20_000), ("pool", None, "", -20_000))]
    assert (back.status, back.money.paid_cents("E002"), back.differs) == ("finished", 0, ())
    assert (paid.money.pool_cents, back.money.pool_cents) == (10_000, 30_000)
    assert fold([PaymentReversed("E001", 9_000)], paid).differs == (Differs("cents", 9_000, 10_000),)
    again = fold([Paid("E002", 20_000)], back)
    assert (once.moves[0].kind, again.moves[0].kind, again.status) == ("prize", "further", "paid")


def test_T7_T20_a_qualifier_who_leaves_is_placed_behind_the_players_who_go_on():
    first = closed([*seated(), hand({1: 400, 2: 200, 3: -200, 4: -400})], ("E001", "E002"))
    left = fold([Posted((20_000, 10_000)), Withdrawn("E001", 0)], first)
    assert [each.entry for each in places_so_far(left)] == ["E002", "E001", "E003", "E004"]


# Of all facts ---------------------------------------------------------------------------------------


def test_every_fact_has_one_step():
    kinds = {*Fact.__subclasses__(), *OfHand.__subclasses__(), *OfPenalty.__subclasses__()}
    assert {kind.__name__ for kind in STEPS} == {kind.__name__ for kind in kinds} - {"OfHand", "OfPenalty"}


def test_chips_are_conserved_whatever_is_played():
    chance = chance_of("fold")
    facts = [*seated(7), Began(ONE)]
    for number in range(1, 40):
        nets = {box: chance.choice([-200, 0, 200, 400]) for box in range(1, 8)}
        facts.append(hand(nets, number, button=(number - 1) % 7 + 1))
    bank = issued = 0
    for _fact, _before, after in states(facts):
        for move in after.moves:
            assert sum(leg[3] for leg in move.legs) == 0
            bank += sum(leg[3] for leg in move.legs if leg[0] == "bank")
            issued += sum(leg[3] for leg in move.legs if leg[0] == "issued")
        assert sum(chips(after).values()) + bank + issued == 0
    assert issued == -35_000


def test_a_step_leaves_the_state_before_it_alone():
    before = fold(seated())
    seen = repr(before)
    fold([hand({1: 200}), Absent(ONE, "E002", on=True), NoShow("E003")], before)
    assert repr(before) == seen
