"""A second game behind the protocol: tables and tournament play it as they play blackjack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games import registry
from tables.models import Deal
from tables.selectors.amending import Change
from tables.selectors.deals import deal_view
from tables.selectors.floor import event_rules
from tables.services import dealing, nights, shoes, simulation
from tables.services.amending import deal_amend
from tables.services.corrections import correction_preview, deal_correct
from tests.cast import floor as cast
from tests.cast.calls import refused
from tests.cast.factories import EventFactory, new_key
from tests.games.colour.deals import dealt, rouge, tap
from tests.games.colour.game import COLOUR, ColourRules, called
from tournament.engine.settings import from_dict, hand_rules, to_dict, validate
from tournament.models import Posting, Round
from tournament.selectors.chain import chain_verify
from tournament.services.reconcile import reconcile


@pytest.fixture
def round_(db: None) -> Round:
    """Three players of colour, seated by a draw."""
    return cast.seated(3, **rouge())


# -- Rules, options, words ---------------------------------------------------------------------------------


def test_T16_the_sheet_says_the_game_and_the_posted_snapshot_is_read_again(db: None) -> None:
    settings = from_dict(rouge(options={"ace": "push"}))
    assert (validate(settings), hand_rules(settings)) == ([], ColourRules(ace="push"))
    for wrong, expected in (
        (rouge(options={"ace": "burns"}), "bad_options"),
        (rouge(bet_step_chips=75), "not_whole_chips"),
    ):
        assert [code for _, code, _ in validate(from_dict(wrong))] == [expected]
    assert [name for name, _, _ in validate(from_dict(rouge(decks=8)))] == ["decks"]
    event = EventFactory(settings=rouge(options={"ace": "push"}))
    frozen = event.settings_json["house_rules"]
    assert (frozen["game"], frozen["name"]) == ("colour", "rouge")
    assert event_rules(event) == ColourRules(ace="push")
    posted = Posting.objects.get(event=event, kind=Posting.Kind.RULES)
    assert posted.body["settings"]["house_rules"] == frozen


def test_T16_rules_of_a_game_that_is_not_played_here_are_refused_not_taken_for_another(db: None) -> None:
    snapshot = {**to_dict(from_dict(rouge())), "house_rules": {**ColourRules().to_dict(), "game": "whist"}}
    with refused("unknown_game"):
        hand_rules(from_dict(snapshot))


def test_rules_that_name_no_game_are_blackjacks_and_its_snapshot_names_none() -> None:
    wonder = registry.sheets()["wonder"]
    assert "game" not in wonder.to_dict()
    assert registry.game_of_snapshot(wonder.to_dict()).name == wonder.game == "blackjack"


def test_a_sheet_of_another_game_cannot_have_the_same_name() -> None:
    class Twin:
        name = "twin"
        sheets = {"wonder": ColourRules(name="wonder")}

    with pytest.raises(ValueError, match="wonder"), registry.played(Twin()):  # type: ignore[arg-type]  # no more of it is looked at
        pass
    with pytest.raises(ValueError, match="rouge"), registry.played(COLOUR):
        pass


# -- Card by card ------------------------------------------------------------------------------------------


def test_a_hand_is_dealt_tap_by_tap_and_settled(round_: Round) -> None:
    shoe = cast.shoe_of(round_)
    assert shoe.cards_dealt == COLOUR.burned_cards == 2
    for bets, code in (({1: 25}, "bet_below_minimum"), ({1: 75}, "bet_not_in_increment")):
        with refused(code):
            cast.opened(shoe, bets)
    deal = cast.opened(shoe, {1: 50, 3: 100})
    assert [(each.seat, each.action) for each in deal_view(deal).legal] == [(1, "red"), (1, "black")]
    with refused("not_now"):
        tap(deal, op="card", card="7h")
    with refused("bad_operation"):
        tap(deal, op="looked", natural=True)
    tap(deal, op="decision", seat=1, action="red")
    with refused("deal_not_done"):
        dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)
    tap(deal, op="decision", seat=3, action="red")
    dealing.deal_undo(deal_id=deal.pk, seen=2, nonce=new_key())
    tap(deal, op="decision", seat=3, action="black")
    tap(deal, op="card", card="7h")
    deal.refresh_from_db()
    assert deal_view(deal).said == ("box 1: red", "box 3: black", "card 7h")
    done = dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)
    assert done["net"] == {"1": 50, "3": -100}
    start = from_dict(rouge()).starting_chips
    assert [cast.chips_at(round_, box) for box in (1, 2, 3)] == [start + 50, start, start - 100]
    shoe.refresh_from_db()
    assert shoe.cards_dealt == 3
    assert reconcile(round_.event) == []
    with refused("cut_card_not_out"):
        shoes.shoe_end(shoe_id=shoe.pk, reason="", key=new_key(), actor=None)
    # The one deck holds each card once.
    deal = cast.opened(shoe, {1: 50})
    tap(deal, op="decision", seat=1, action="red")
    with refused("card_used_up"):
        tap(deal, op="card", card="7h")


def test_T17_what_does_not_happen_in_the_game_puts_no_open_hand_right(round_: Round) -> None:
    deal = cast.opened(cast.shoe_of(round_), {1: 50})
    tap(deal, op="decision", seat=1, action="red")
    tap(deal, op="card", card="7h")

    def put(at: int, **op: Any) -> Any:
        deal.refresh_from_db()
        seen, change = len(deal.taps), Change(at=at, put=(op,))
        deal_amend(deal_id=deal.pk, seen=seen, change=change, key=new_key(), actor=None)
        return deal_view(Deal.objects.get(pk=deal.pk)).said

    with refused("bad_operation"):
        put(0, op="decision", seat=1, action="purple")
    for card in ("8", "8x"):
        with refused("bad_operation"):
            put(1, op="card", card=card)
    assert put(0, op="decision", seat=1, action="black") == ("box 1: black", "card 7h")


# -- Corrected, replayed -----------------------------------------------------------------------------------


def test_T17_a_hand_is_settled_again_and_corrected_by_cards_by_results_and_void(
    round_: Round, tmp_path: Path, capsys: Any
) -> None:
    deal = dealt(cast.shoe_of(round_), {1: 50, 2: 100}, {1: "red", 2: "black"}, "7h")
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(deal.record))
    call_command("settle", str(file))
    assert json.loads(capsys.readouterr().out) == deal.answer
    record = {**(deal.record or {}), "cards": ["7s"]}
    changed = correction_preview(deal_id=deal.pk, record=record).changed
    assert sorted(line.after.chips - line.before.chips for line in changed) == [-100, 200]
    again = correct(deal, record=record)
    assert (again.answer or {})["net"] == {"1": -50, "2": 100}
    results = correct(again, outcomes={1: called("red", "lose"), 2: called("red", "lose")})
    assert (results.answer or {})["net"] == {"1": -50, "2": -100}
    void = deal_correct(deal_id=results.pk, void=True, reason="dropped", key=new_key(), actor=None)
    assert set(void["changes"].values()) == {50, 100}
    assert len({cast.chips_at(round_, box) for box in (1, 2, 3)}) == 1
    assert reconcile(round_.event) == []


def correct(deal: Deal, **anew: Any) -> Deal:
    done = deal_correct(deal_id=deal.pk, **anew, reason="misread", key=new_key(), actor=None)
    return Deal.objects.get(pk=done["deal"])


def test_T17_a_later_bet_that_would_be_without_cover_stands_in_the_way(round_: Round) -> None:
    shoe = cast.shoe_of(round_)
    first = dealt(shoe, {1: 500}, {1: "red"}, "7h")
    cards = iter("89TJQK")
    while (chips := cast.chips_at(round_, 1)) > 0:
        bet = min(500, chips)
        dealt(shoe, {1: bet}, {1: "red"}, f"{next(cards)}s")
    with refused("later_bet_not_covered"):
        correct(first, outcomes={1: called("red", "lose")})


# -- Simulated ---------------------------------------------------------------------------------------------


def test_its_bots_play_a_whole_event_from_the_draw_to_the_last_prize(db: None) -> None:
    simulation.player_of.cache_clear()
    night = nights.event_simulate(entrants=4, seed=5, settings={"sheet": "rouge", "boxes_per_table": 3})
    simulation.player_of.cache_clear()
    deals = Deal.objects.filter(shoe__round__event__slug=night["event"], status=Deal.Status.SETTLED)
    event = deals.first().shoe.round.event  # type: ignore[union-attr]  # there are some
    assert deals.count() > 30
    assert {deal.record["rules"] for deal in deals if deal.record} == {"rouge"}
    assert all(COLOUR.settle(deal.record)["net"] == (deal.answer or {})["net"] for deal in deals)
    assert night["chips_issued"] == night["chips_on_tables"]
    assert min(each["place"] for each in night["places"]) == 1
    assert reconcile(event) == []
    assert chain_verify(event).broken_at is None
