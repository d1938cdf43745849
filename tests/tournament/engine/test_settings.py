"""The settings of an event and their limits."""

import json
from dataclasses import fields, replace

import pytest

from ground.refused import Refused
from tournament.engine.advance import Advance
from tournament.engine.format import CARRIED, RESET, SHORT, Bets, RoundSettings
from tournament.engine.settings import (
    CENTS_MAX,
    CHIPS_MAX,
    DEFAULTS,
    EventSettings,
    changed,
    from_dict,
    settings_hash,
    to_dict,
    validate,
)

LAST = RoundSettings(None)
SHARE = {"prizes_promised": "share"}
LIST = {"prizes_promised": "list"}
PROMISED = "promised_prizes_cents"
NOT_PLAYED = ("part_not_played", "round_1_top")


def cuts(*tops, stack=CARRIED, bets=None):
    """Rounds after which so many advance, and one more that ranks; stacks and bets are of the later ones."""
    rules = [*(Advance(top=top) for top in tops), None]
    later = [RoundSettings(rule, stack, bets) for rule in rules[1:]]
    return (RoundSettings(rules[0], RESET), *later)


def problems(**changed):
    return [(name, code) for name, code, _ in validate(replace(DEFAULTS, **changed))]


def test_T3_T10_T12_T20_defaults_are_the_sheet_and_can_be_posted():
    assert validate(DEFAULTS) == []
    assert (DEFAULTS.sheet, DEFAULTS.decks, DEFAULTS.starting_chips) == ("wonder", 6, 5_000)
    assert (DEFAULTS.bet_min_chips, DEFAULTS.bet_max_chips, DEFAULTS.bet_step_chips) == (200, 1_000, 200)


def each(name, *values):
    return [{name: value} for value in values]


@pytest.mark.parametrize(
    "changed",
    [
        *each("plan", cuts(12, 6, stack="reset"), cuts(12, 6, stack=7_000), cuts(2), cuts(*[1_000] * 11)),
        *each("plan", cuts(2, bets=Bets(200, 200, 200)), cuts(2, bets=Bets(5_000, None, 200))),
        *each("plan", cuts(6, 6), cuts(1_000, 2)),
        *each("tie_at_cut", "all_advance", "director"),
        *each("sudden_death_until", "stacks", "frozen"),
        *each("tables_count", 1, 200),
        *each("starting_chips", 200, CHIPS_MAX),
        {"decks": 8, "tie_tables": "posted", "no_hand": "ranked", "record_mode": "counts"},
        {"public_input": False, "boxes_per_table": 1, "min_entrants": 1_000, "bet_max_chips": 200},
        {"bet_min_chips": 400, "bet_step_chips": 400, "bet_max_chips": 800},
        {"chip_value_chips": 25, "bet_step_chips": 50, "bet_min_chips": 50},
        {"fee_cents": 10_000, "guarantee_cents": CENTS_MAX, "prize_unit_cents": 500},
        {"buy_in_cents": 0, "second_person_from_cents": 0, "tax_notice_from_cents": 120_000},
        *({**SHARE, "promised_share_bp": share} for share in (1, 10_000)),
        {**LIST, PROMISED: (2, 1)},
    ],
)
def test_settings_at_their_limits_can_be_posted(changed):
    assert problems(**changed) == []


def wrong(clause, name, code, *values, at=None):
    """Values of one setting that are refused with this code, at the field of its name or at another."""
    return [(clause, {name: value}, at or name, code) for value in values]


def plan(clause, code, at, *plans):
    return wrong(clause, "plan", code, *plans, at=at)


@pytest.mark.parametrize(
    ("clause", "changed", "field", "code"),
    [
        *wrong("T10", "decks", "not_a_choice", 7),
        *wrong("T16", "sheet", "not_a_choice", "bridge"),
        *plan("F1", "out_of_range", "plan", cuts(), cuts(*[9] * 12), ()),
        *plan("F1", "advance_missing", "round_1_top", (cuts()[0], *cuts(12)[1:])),
        *plan("F10", *NOT_PLAYED, (RoundSettings(Advance(per_table=1, top=6), "reset"), LAST)),
        *plan("F14", *NOT_PLAYED, (RoundSettings(Advance(drawn=1, top=6), "reset"), LAST)),
        *plan("F18", "advance_after_last", "round_2_top", cuts(12)[:1] * 2),
        *plan("F4", "not_a_choice", "round_2_stack", cuts(12, stack="doubled")),
        *plan("F4", "stack_of_round_1", "round_1_stack", (RoundSettings(Advance(top=6), 4_000), LAST)),
        *plan("F4", "below_bet_min", "round_2_stack_chips", cuts(12, stack=100)),
        *plan("F4", "not_whole_chips", "round_2_stack_chips", cuts(12, stack=5_050)),
        *plan(
            "F4", "out_of_range", "round_2_stack_chips", cuts(12, stack=0), cuts(12, stack=CHIPS_MAX + 100)
        ),
        *plan("F5", "below_bet_min", "sudden_death_chips", cuts(2, bets=Bets(5_200, None, 200))),
        *plan("F5", "not_on_step", "round_2_bet_min", cuts(2, bets=Bets(300, 900, 200))),
        *plan("F5", "below_bet_min", "round_2_bet_max", cuts(2, bets=Bets(200, 100, 200))),
        *plan("F5", "not_twice_chip", "round_2_bet_step", cuts(2, bets=Bets(300, 900, 150))),
        *plan("F5", "out_of_range", "round_2_bet_min", cuts(2, bets=Bets(0, 900, 200))),
        *plan("F5", "below_bet_min", "round_2_stack_chips", cuts(2, stack=600, bets=Bets(800, 800, 200))),
        (
            "F5",
            {"plan": cuts(2, stack=RESET, bets=Bets(5_200, None, 200)), "sudden_death_chips": 5_200},
            "round_2_stack",
            "below_bet_min",
        ),
        *wrong("T23", "tie_at_cut", "not_a_choice", "coin"),
        *wrong("T33", "sudden_death_until", "not_a_choice", "dawn"),
        *wrong("T23", "tie_tables", "not_a_choice", "two"),
        *wrong("T15", "no_hand", "not_a_choice", "half"),
        *wrong("T18", "record_mode", "not_a_choice", "memory"),
        *wrong("T4", "tables_count", "out_of_range", 0, 201),
        *wrong("T4", "boxes_per_table", "out_of_range", 0, 8),
        *wrong("T24", "min_entrants", "out_of_range", 1, 1_001),
        *plan("T20", "out_of_range", "round_2_top", cuts(12, 1)),
        *plan("T20", "out_of_range", "round_1_top", cuts(1_001, 6)),
        *plan("T20", "cut_rising", "round_2_top", cuts(12, 13)),
        *wrong("T3", "starting_chips", "out_of_range", 0, CHIPS_MAX + 100),
        *wrong("T3", "starting_chips", "not_whole_chips", 5_050),
        *wrong("T3", "starting_chips", "below_bet_min", 100),
        *wrong("T3", "starting_chips", "wrong_kind", "5000", True),
        *wrong("T23", "play_off_chips", "below_bet_min", 100),
        *wrong("T33", "sudden_death_chips", "not_whole_chips", 250),
        *wrong("T12", "chip_value_chips", "out_of_range", 0),
        *wrong("T12", "bet_step_chips", "not_twice_chip", 0, 100),
        *wrong("T12", "bet_min_chips", "not_on_step", 300),
        *wrong("T12", "bet_min_chips", "out_of_range", 0),
        ("T12", {"bet_min_chips": 800, "bet_max_chips": 600}, "bet_max_chips", "below_bet_min"),
        *wrong("T2", "buy_in_cents", "out_of_range", -1, CENTS_MAX + 1),
        *wrong("T2", "buy_in_cents", "wrong_kind", 100.0),
        *wrong("T32", "fee_cents", "over_buy_in", 10_001),
        *wrong("T32", "guarantee_cents", "out_of_range", -1),
        *wrong("T32", "prize_unit_cents", "out_of_range", 0),
        *wrong("T32", "prizes_promised", "not_a_choice", ""),
        ("T32", SHARE, "promised_share_bp", "promise_missing"),
        *wrong("T32", "promised_share_bp", "promise_unused", 9_000),
        *(
            ("T32", {**SHARE, "promised_share_bp": share}, "promised_share_bp", "out_of_range")
            for share in (0, 10_001)
        ),
        ("T32", LIST, PROMISED, "promise_missing"),
        *wrong("T32", PROMISED, "promise_unused", (2, 1)),
        ("T32", {**LIST, PROMISED: (2, 1.5)}, PROMISED, "wrong_kind"),
        ("T30", {**LIST, PROMISED: (2,)}, PROMISED, "places_paid_few"),
        ("T32", {**LIST, PROMISED: (1, 2)}, PROMISED, "prizes_rising"),
        ("T32", {**LIST, PROMISED: (2, 0)}, PROMISED, "prize_none"),
        *wrong("T35", "second_person_from_cents", "out_of_range", -1),
        *wrong("T4", "public_input", "wrong_kind", 1),
    ],
)
def test_F4_F5_F18_settings_past_their_limits_are_named_field_by_field(clause, changed, field, code):
    assert problems(**changed) == [(field, code)], clause


def test_settings_are_all_checked_at_once():
    found = problems(decks=5, bet_step_chips=150, fee_cents=-1, plan=cuts(1, 1))
    assert {name for name, _ in found} == {
        *("decks", "bet_step_chips", "fee_cents", "round_1_top", "round_2_top")
    }


def test_T2_a_buy_in_above_the_day_limit_could_never_be_sold():
    assert [code for _, code, _ in validate(DEFAULTS, day_limit_cents=9_999)] == ["over_day_limit"]
    assert validate(DEFAULTS, day_limit_cents=10_000) == []


@pytest.mark.parametrize("name", [each.name for each in fields(EventSettings)])
def test_every_setting_that_is_no_such_value_is_refused_by_its_name(name):
    assert problems(**{name: object()}) == [(name, "wrong_kind")]


def test_settings_survive_being_stored_and_take_the_defaults_for_what_came_later():
    chosen = replace(DEFAULTS, decks=8, tables_count=3, house_rules={"day_limit_cents": 25_000})
    chosen = replace(chosen, **LIST, promised_prizes_cents=(2, 1))
    assert from_dict(json.loads(json.dumps(to_dict(chosen)))) == chosen
    older = to_dict(DEFAULTS)
    del older["prize_unit_cents"]
    assert from_dict(older) == DEFAULTS == from_dict({})


@pytest.mark.parametrize("stack", [CARRIED, RESET])
def test_F1_three_rounds_of_one_kind_are_said_as_they_were_before_there_was_a_plan(stack):
    said = to_dict(replace(DEFAULTS, plan=cuts(9, 4, stack=stack)))
    short = {name: said[name] for name in SHORT}
    assert short == {"rounds": 3, "cut_after_round_1": 9, "cut_after_round_2": 4, "stacks": stack}
    assert "plan" not in said
    assert from_dict(said).plan == cuts(9, 4, stack=stack)


@pytest.mark.parametrize(
    "plan",
    [
        *(cuts(12), cuts(12, 6, 4), cuts(12, 6, stack=6_000)),
        (*cuts(12, 6)[:2], RoundSettings(None, RESET)),
        cuts(12, 6, bets=Bets(200, None, 200)),
        cuts(12, 6, stack=RESET, bets=Bets(400, 800, 400)),
    ],
)
def test_F1_any_other_plan_is_said_round_by_round_and_read_again(plan):
    said = to_dict(replace(DEFAULTS, plan=plan))
    assert not set(SHORT) & set(said)
    assert from_dict(json.loads(json.dumps(said))).plan == plan


@pytest.mark.parametrize(
    ("snapshot", "code"),
    [
        ({"colour": "green", "plan": []}, "settings_unknown"),
        *(({"plan": bad}, "plan_bad") for bad in ([], "three", [3], [{"stack": "reset", "colour": 1}])),
        *(({"plan": [{"advance": bad}]}, "plan_bad") for bad in ({"best": 1}, 12)),
        *(({"plan": [{"advance": None, "bets": bad}]}, "plan_bad") for bad in ({"min": 200}, 200)),
        ({"plan": [{"advance": None}], "stacks": "reset"}, "plan_twice"),
        ({"rounds": 2}, "plan_twice"),
    ],
)
def test_F1_what_is_no_plan_is_refused_by_a_code(snapshot, code):
    with pytest.raises(Refused) as refused:
        from_dict(snapshot)
    assert refused.value.code == code


def test_F1_a_plan_takes_the_place_of_the_short_words_and_they_of_it():
    plan = [{"stack": "reset", "advance": {"top": 4}}, {"stack": "carried", "advance": None}]
    after, _ = changed(to_dict(DEFAULTS), {"plan": plan})
    assert from_dict(after).plan == cuts(4)
    assert from_dict(changed(after, {"decks": 8})[0]).plan == cuts(4)
    again, _ = changed(after, {"cut_after_round_1": 8})
    assert from_dict(again).plan == cuts(8, 6)


def test_settings_hash_is_that_of_the_snapshot_as_posted():
    snapshot = to_dict(DEFAULTS)
    assert settings_hash(snapshot) == settings_hash(DEFAULTS)
    assert settings_hash(dict(reversed(snapshot.items()))) == settings_hash(DEFAULTS)
    assert settings_hash(replace(DEFAULTS, decks=8)) != settings_hash(DEFAULTS)
    older = {name: value for name, value in snapshot.items() if name != "prize_unit_cents"}
    assert settings_hash(older) != settings_hash(from_dict(older))
