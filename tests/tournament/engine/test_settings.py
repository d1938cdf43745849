"""The settings of an event and their limits."""

import json
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from ground.refused import Refused
from tournament.engine.advance import Advance
from tournament.engine.format import CARRIED, RESET, SHORT, Bets, RoundSettings
from tournament.engine.settings import (
    CENTS_MAX,
    CHIPS_MAX,
    DEFAULTS,
    EventSettings,
    as_posted,
    begun_with,
    changed,
    from_dict,
    settings_hash,
    to_dict,
    validate,
)

LAST = RoundSettings(None)
SHARE = {"prizes_promised": "share"}
LIST = {"prizes_promised": "list"}
NOT_PLAYED = ("round_1_top", "part_not_played")


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


def test_settings_are_frozen():
    with pytest.raises(FrozenInstanceError):
        DEFAULTS.decks = 8


@pytest.mark.parametrize(
    "changed",
    [
        {"decks": 8},
        {"plan": cuts(12, 6, stack="reset")},
        {"plan": cuts(12, 6, stack=7_000)},
        {"plan": cuts(2)},
        {"plan": cuts(2, bets=Bets(200, 200, 200))},
        {"plan": cuts(2, bets=Bets(5_000, None, 200))},
        {"plan": cuts(*[1_000] * 11)},
        {"tie_at_cut": "all_advance"},
        {"tie_at_cut": "director"},
        {"sudden_death_until": "stacks"},
        {"sudden_death_until": "frozen"},
        {"tie_tables": "posted"},
        {"no_hand": "ranked"},
        {"record_mode": "counts"},
        {"public_input": False},
        {"tables_count": 1},
        {"tables_count": 200},
        {"boxes_per_table": 1},
        {"min_entrants": 1_000},
        {"starting_chips": 200},
        {"starting_chips": CHIPS_MAX},
        {"bet_max_chips": 200},
        {"bet_min_chips": 400, "bet_step_chips": 400, "bet_max_chips": 800},
        {"chip_value_chips": 25, "bet_step_chips": 50, "bet_min_chips": 50},
        {"plan": cuts(6, 6)},
        {"plan": cuts(1_000, 2)},
        {"fee_cents": 10_000},
        {"buy_in_cents": 0},
        {"guarantee_cents": CENTS_MAX},
        {"second_person_from_cents": 0, "tax_notice_from_cents": 120_000},
        {"prize_unit_cents": 500},
        {"prizes_promised": "share", "promised_share_bp": 1},
        {"prizes_promised": "share", "promised_share_bp": 10_000},
        {"prizes_promised": "list", "promised_prizes_cents": (2, 1)},
    ],
)
def test_settings_at_their_limits_can_be_posted(changed):
    assert problems(**changed) == []


@pytest.mark.parametrize(
    ("clause", "changed", "field", "code"),
    [
        ("T10", {"decks": 7}, "decks", "not_a_choice"),
        ("T16", {"sheet": "bridge"}, "sheet", "not_a_choice"),
        ("F1", {"plan": cuts()}, "plan", "out_of_range"),
        ("F1", {"plan": cuts(*[9] * 12)}, "plan", "out_of_range"),
        ("F1", {"plan": ()}, "plan", "out_of_range"),
        ("F1", {"plan": (cuts()[0], *cuts(12)[1:])}, "round_1_top", "advance_missing"),
        ("F10", {"plan": (RoundSettings(Advance(per_table=1, top=6), "reset"), LAST)}, *NOT_PLAYED),
        ("F14", {"plan": (RoundSettings(Advance(drawn=1, top=6), "reset"), LAST)}, *NOT_PLAYED),
        ("F4", {"plan": cuts(12, stack="doubled")}, "round_2_stack", "not_a_choice"),
        ("F4", {"plan": (RoundSettings(Advance(top=6), 4_000), LAST)}, "round_1_stack", "stack_of_round_1"),
        ("F4", {"plan": cuts(12, stack=100)}, "round_2_stack_chips", "below_bet_min"),
        ("F4", {"plan": cuts(12, stack=5_050)}, "round_2_stack_chips", "not_whole_chips"),
        ("F4", {"plan": cuts(12, stack=0)}, "round_2_stack_chips", "out_of_range"),
        ("F4", {"plan": cuts(12, stack=CHIPS_MAX + 100)}, "round_2_stack_chips", "out_of_range"),
        ("F5", {"plan": cuts(2, bets=Bets(5_200, None, 200))}, "sudden_death_chips", "below_bet_min"),
        ("F5", {"plan": cuts(2, bets=Bets(300, 900, 200))}, "round_2_bet_min", "not_on_step"),
        ("F5", {"plan": cuts(2, bets=Bets(200, 100, 200))}, "round_2_bet_max", "below_bet_min"),
        ("F5", {"plan": cuts(2, bets=Bets(300, 900, 150))}, "round_2_bet_step", "not_twice_chip"),
        ("F5", {"plan": cuts(2, bets=Bets(0, 900, 200))}, "round_2_bet_min", "out_of_range"),
        ("F5", {"plan": cuts(2, bets=Bets("1", 900, 200))}, "round_2_bet_min", "wrong_kind"),
        ("F5", {"plan": cuts(2, bets=Bets(None, 900, 200))}, "round_2_bet_min", "wrong_kind"),
        (
            "F5",
            {"plan": cuts(2, stack=600, bets=Bets(800, 800, 200))},
            "round_2_stack_chips",
            "below_bet_min",
        ),
        (
            "F5",
            {"plan": cuts(2, stack=RESET, bets=Bets(5_200, None, 200)), "sudden_death_chips": 5_200},
            "round_2_stack",
            "below_bet_min",
        ),
        ("F4", {"plan": cuts(12, stack=True)}, "round_2_stack", "wrong_kind"),
        ("T23", {"tie_at_cut": "coin"}, "tie_at_cut", "not_a_choice"),
        ("T33", {"sudden_death_until": "dawn"}, "sudden_death_until", "not_a_choice"),
        ("T23", {"tie_tables": "two"}, "tie_tables", "not_a_choice"),
        ("T15", {"no_hand": "half"}, "no_hand", "not_a_choice"),
        ("T18", {"record_mode": "memory"}, "record_mode", "not_a_choice"),
        ("T4", {"tables_count": 0}, "tables_count", "out_of_range"),
        ("T4", {"tables_count": 201}, "tables_count", "out_of_range"),
        ("T4", {"boxes_per_table": 0}, "boxes_per_table", "out_of_range"),
        ("T4", {"boxes_per_table": 8}, "boxes_per_table", "out_of_range"),
        ("T24", {"min_entrants": 1}, "min_entrants", "out_of_range"),
        ("T24", {"min_entrants": 1_001}, "min_entrants", "out_of_range"),
        ("T20", {"plan": cuts(12, 1)}, "round_2_top", "out_of_range"),
        ("T20", {"plan": cuts(1_001, 6)}, "round_1_top", "out_of_range"),
        ("T20", {"plan": cuts(12, 13)}, "round_2_top", "cut_rising"),
        ("T20", {"plan": cuts("12", 6)}, "round_1_top", "wrong_kind"),
        ("T3", {"starting_chips": 0}, "starting_chips", "out_of_range"),
        ("T3", {"starting_chips": CHIPS_MAX + 100}, "starting_chips", "out_of_range"),
        ("T3", {"starting_chips": 5_050}, "starting_chips", "not_whole_chips"),
        ("T3", {"starting_chips": 100}, "starting_chips", "below_bet_min"),
        ("T23", {"play_off_chips": 100}, "play_off_chips", "below_bet_min"),
        ("T33", {"sudden_death_chips": 250}, "sudden_death_chips", "not_whole_chips"),
        ("T12", {"chip_value_chips": 0}, "chip_value_chips", "out_of_range"),
        ("T12", {"bet_step_chips": 100}, "bet_step_chips", "not_twice_chip"),
        ("T12", {"bet_step_chips": 0}, "bet_step_chips", "not_twice_chip"),
        ("T12", {"bet_min_chips": 300}, "bet_min_chips", "not_on_step"),
        ("T12", {"bet_min_chips": 0}, "bet_min_chips", "out_of_range"),
        ("T12", {"bet_min_chips": 800, "bet_max_chips": 600}, "bet_max_chips", "below_bet_min"),
        ("T2", {"buy_in_cents": -1}, "buy_in_cents", "out_of_range"),
        ("T2", {"buy_in_cents": CENTS_MAX + 1}, "buy_in_cents", "out_of_range"),
        ("T32", {"fee_cents": 10_001}, "fee_cents", "over_buy_in"),
        ("T32", {"guarantee_cents": -1}, "guarantee_cents", "out_of_range"),
        ("T32", {"prize_unit_cents": 0}, "prize_unit_cents", "out_of_range"),
        ("T32", {"prizes_promised": ""}, "prizes_promised", "not_a_choice"),
        ("T32", {"prizes_promised": "share"}, "promised_share_bp", "promise_missing"),
        ("T32", {"promised_share_bp": 9_000}, "promised_share_bp", "promise_unused"),
        ("T32", {**SHARE, "promised_share_bp": 0}, "promised_share_bp", "out_of_range"),
        ("T32", {**SHARE, "promised_share_bp": 10_001}, "promised_share_bp", "out_of_range"),
        ("T32", LIST, "promised_prizes_cents", "promise_missing"),
        ("T32", {"promised_prizes_cents": (2, 1)}, "promised_prizes_cents", "promise_unused"),
        ("T32", {**LIST, "promised_prizes_cents": (2, 1.5)}, "promised_prizes_cents", "wrong_kind"),
        ("T30", {**LIST, "promised_prizes_cents": (2,)}, "promised_prizes_cents", "places_paid_few"),
        ("T32", {**LIST, "promised_prizes_cents": (1, 2)}, "promised_prizes_cents", "prizes_rising"),
        ("T32", {**LIST, "promised_prizes_cents": (2, 0)}, "promised_prizes_cents", "prize_none"),
        ("T35", {"second_person_from_cents": -1}, "second_person_from_cents", "out_of_range"),
        ("T3", {"starting_chips": "5000"}, "starting_chips", "wrong_kind"),
        ("T3", {"starting_chips": True}, "starting_chips", "wrong_kind"),
        ("T4", {"tables_count": "six"}, "tables_count", "wrong_kind"),
        ("T2", {"buy_in_cents": 100.0}, "buy_in_cents", "wrong_kind"),
        ("T4", {"public_input": 1}, "public_input", "wrong_kind"),
        ("T2", {"house_rules": None}, "house_rules", "wrong_kind"),
    ],
)
def test_settings_past_their_limits_are_named_field_by_field(clause, changed, field, code):
    assert problems(**changed) == [(field, code)], clause


def test_F18_the_last_round_ranks_its_players_and_sends_nobody_on():
    assert problems(plan=cuts(12)[:1] * 2) == [("round_2_top", "advance_after_last")]


def test_settings_every_problem_has_a_sentence():
    wrong = validate(replace(DEFAULTS, decks=5, bet_step_chips=150, fee_cents=-1, plan=cuts(1, 1)))
    assert {name for name, _, _ in wrong} == {
        "decks",
        "bet_step_chips",
        "fee_cents",
        "round_1_top",
        "round_2_top",
    }
    assert all(sentence.endswith(".") and sentence[0].isupper() for _, _, sentence in wrong)


def test_T2_a_buy_in_above_the_day_limit_could_never_be_sold():
    assert [code for _, code, _ in validate(DEFAULTS, day_limit_cents=9_999)] == ["over_day_limit"]
    assert validate(DEFAULTS, day_limit_cents=10_000) == []


def test_settings_survive_being_stored():
    chosen = replace(DEFAULTS, decks=8, tables_count=3, house_rules={"day_limit_cents": 25_000})
    chosen = replace(chosen, **LIST, promised_prizes_cents=(2, 1))
    assert from_dict(json.loads(json.dumps(to_dict(chosen)))) == chosen


@pytest.mark.parametrize("name", [each.name for each in fields(EventSettings)])
def test_every_setting_that_is_no_such_value_is_refused_by_its_name(name):
    ((field, code, sentence),) = validate(replace(DEFAULTS, **{name: object()}))
    assert (field, code) == (name, "wrong_kind")
    assert sentence.startswith(("The ", "What "))


def test_settings_of_an_older_snapshot_take_the_defaults_for_what_came_later():
    older = to_dict(DEFAULTS)
    del older["prize_unit_cents"]
    assert from_dict(older) == DEFAULTS
    assert from_dict({}) == EventSettings()


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
        cuts(12),
        cuts(12, 6, 4),
        cuts(12, 6, stack=6_000),
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
        ({"plan": [], "x": 1}, "settings_unknown"),
        ({"plan": []}, "plan_bad"),
        ({"plan": "three"}, "plan_bad"),
        ({"plan": [3]}, "plan_bad"),
        ({"plan": [{"stack": "reset", "colour": 1}]}, "plan_bad"),
        ({"plan": [{"advance": {"best": 1}}]}, "plan_bad"),
        ({"plan": [{"advance": 12}]}, "plan_bad"),
        ({"plan": [{"advance": None, "bets": {"min": 200}}]}, "plan_bad"),
        ({"plan": [{"advance": None, "bets": 200}]}, "plan_bad"),
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
    again, _ = changed(after, {"cut_after_round_1": 8})
    assert from_dict(again).plan == cuts(8, 6)


def test_settings_hash_is_that_of_the_snapshot_as_posted():
    snapshot = to_dict(DEFAULTS)
    assert settings_hash(snapshot) == settings_hash(DEFAULTS)
    assert settings_hash(dict(reversed(snapshot.items()))) == settings_hash(DEFAULTS)
    assert settings_hash(replace(DEFAULTS, decks=8)) != settings_hash(DEFAULTS)
    older = {name: value for name, value in snapshot.items() if name != "prize_unit_cents"}
    assert settings_hash(older) != settings_hash(from_dict(older))


def test_settings_unknown_name_is_refused():
    with pytest.raises(Refused, match="colour") as refused:
        from_dict({"colour": "green"})
    assert refused.value.code == "settings_unknown"


@pytest.mark.parametrize(
    ("name", "before", "now", "default"),
    [
        ("sudden_death_until", "stacks", "frozen", "prizes"),
        ("no_hand", "ranked", "out", "out"),
        ("prizes_promised", "", "pool", "pool"),
        ("tie_tables", "posted", "fewest", "fewest"),
    ],
)
def test_T15_T23_T32_T33_rules_posted_before_keep_what_they_said(name, before, now, default):
    posted = {**to_dict(DEFAULTS), "house_rules": {"name": "wonder"}}
    del posted[name]
    assert getattr(as_posted(posted), name) == before
    assert getattr(as_posted({**posted, name: now}), name) == now
    assert getattr(as_posted({**posted, "house_rules": {}}), name) == default


def test_T32_a_new_event_like_an_older_one_promises_the_pool():
    posted = {**to_dict(DEFAULTS), "house_rules": {"name": "wonder"}}
    del posted["prizes_promised"]
    begun = from_dict(begun_with(as_posted(posted)))
    assert (begun.prizes_promised, begun.house_rules) == ("pool", {})
