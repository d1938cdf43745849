"""Set-up, posting the rules, calling off."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest

from games.blackjack.options import option_catalogue
from games.blackjack.rules import SHEETS, SILENT
from pages.director.forms.setup import GROUPS
from pages.director.reads.sheet_rows import sheet_rows
from tests.cast.at_desk import Somebody, done, journal_length, refused_in_place, staff
from tests.cast.factories import EntryFactory, EventFactory
from tests.cast.html import data, read
from tests.cast.pages import next_of, setup_fields
from tournament.engine.format import Bets
from tournament.engine.settings import DEFAULTS, hand_rules
from tournament.models import Event
from tournament.selectors.refunds import dues

pytestmark = pytest.mark.django_db


OWN_BETS = {"round_3_bet_min": "300", "round_3_bet_max": "900", "round_3_bet_step": "200"}


def test_every_setting_but_those_that_are_fixed_stands_on_the_page_with_its_default():
    names = {each.name for group in GROUPS for each in group.settings}
    fixed = {"plan", "house_rules", "options"}  # the sheet alone so far, without its options
    assert names == set(DEFAULTS.__dataclass_fields__) - fixed
    event = EventFactory(opened=False)
    text = Somebody("director").get(staff(event, "setup/")).content.decode()
    assert "Rule sheet: 1,000" in text and "Default: 5,000" in text and "Default: $100.00" in text
    assert [name for name in names if f'name="{name}"' not in text] == []
    # Nobody can read a public page yet.
    assert f'href="/e/{event.slug}/"' not in text


def test_saved_settings_are_read_as_they_were_typed_and_posted_after_a_summary():
    event, director = EventFactory(opened=False), Somebody("director")
    typed = {"buy_in_cents": "75.50", "starting_chips": "6,000", "decks": "8", "public_input": ""}
    fields = setup_fields(event, **typed, tables_count="4", round_1_top="10", post="1")
    done(Somebody("manager").press(staff(event, "setup/"), **fields), "setup/post/")
    event.refresh_from_db()
    chosen = event.settings
    assert (chosen.buy_in_cents, chosen.starting_chips, chosen.decks) == (75_50, 6_000, 8)
    assert (chosen.public_input, chosen.tables_count) == (False, 4)
    assert "<strong>10</strong>" in director.get(staff(event, "setup/post/")).content.decode()
    done(director.press(staff(event, "setup/post/")), staff(event))
    event.refresh_from_db()
    assert event.status == Event.Status.OPEN and event.settings.plan[0].advance.top == 10
    # From then on they are read only, with their hash.
    text = director.get(staff(event, "setup/")).content.decode()
    assert event.rules_hash in text and 'name="buy_in_cents"' not in text
    assert staff(event, "setup/again/") in text and f'href="/e/{event.slug}/"' in text
    for tail, fields in product(("setup/", "setup/hand/"), ({}, {"do": "sheet", "sheet": "eca"})):
        answer = director.press(staff(event, tail), **fields)
        assert (answer.status_code, data(answer, "code")) == (409, ["rules_frozen"])


def test_T32_a_list_of_prizes_is_promised_one_amount_a_line_and_posted():
    event, director = EventFactory(opened=False), Somebody("director")
    fields = setup_fields(event, prizes_promised="list", promised_prizes_cents="500\n\n299.50\n")
    done(director.press(staff(event, "setup/"), **fields), "setup/")
    event.refresh_from_db()
    assert event.settings.promised_prizes_cents == (500_00, 299_50)
    assert setup_fields(event)["promised_prizes_cents"].split() == ["500.00", "299.50"]
    assert "$500.00 · $299.50" in director.get(staff(event, "setup/post/")).content.decode()


@pytest.mark.parametrize(
    ("typed", "field", "code"),
    [
        ({"bet_step_chips": "300"}, "bet_step_chips", "not_twice_chip"),
        ({"round_2_top": "20"}, "round_2_top", "cut_rising"),
        ({"buy_in_cents": "251"}, "buy_in_cents", "over_day_limit"),
        ({"starting_chips": "many"}, "starting_chips", "whole"),
        ({"starting_chips": "5,000,000,000"}, "starting_chips", "large"),
        ({"promised_share_bp": "90"}, "promised_share_bp", "promise_unused"),
        ({"round_2_stack": "own"}, "round_2_stack_chips", "own_missing"),
        ({"round_2_stack_chips": "900"}, "round_2_stack_chips", "own_not_chosen"),
        ({"round_2_stack": "own", "round_2_stack_chips": "100"}, "round_2_stack_chips", "below_bet_min"),
        ({"rounds": "4", "round_4_stack": "carried", "round_4_bets": "event"}, "round_3_top", "required"),
        ({"round_2_bets": "own"}, "round_2_bet_max", "own_missing"),
        ({"round_2_bets": "stack"}, "round_2_bet_step", "own_missing"),
        ({"round_2_bet_max": "900"}, "round_2_bet_max", "own_not_chosen"),
        ({"round_3_bets": "own"} | OWN_BETS, "round_3_bet_min", "not_on_step"),
    ],
)
def test_F4_what_cannot_be_is_refused_beside_its_field_stays_typed_and_changes_nothing(typed, field, code):
    event, before = EventFactory(opened=False), journal_length()
    fields = setup_fields(event, **typed)
    text = refused_in_place(Somebody("director").press(staff(event, "setup/"), **fields), code=code)
    (part,) = [part for part in text.split('<div class="field ')[1:] if f'name="{field}"' in part]
    assert part.startswith("has-error") and code in data(part, "code")
    assert typed.get(field) is None or f'value="{typed[field]}"' in part
    assert journal_length() == before


def test_F1_a_round_is_added_with_what_is_typed_and_nothing_is_saved():
    event, director = EventFactory(opened=False), Somebody("director")
    before = journal_length()
    fields = setup_fields(event, round_1_top="9", buy_in_cents="77", rounds_to="4")
    response = director.press(staff(event, "setup/"), **fields)
    page = read(response.content.decode())
    typed = {
        each.attrs["name"]: each.attrs.get("value", "") for each in page.all("input") if "name" in each.attrs
    }
    assert (response.status_code, journal_length()) == (200, before)
    assert (typed["rounds"], typed["round_1_top"], typed["buy_in_cents"]) == ("4", "9", "77")
    assert typed["round_3_top"] == "" and "round_4_top" not in typed and "round_4_stack_chips" in typed
    assert not page.all(".error")


def test_F1_F4_the_rounds_that_are_typed_are_the_plan_of_the_event():
    event, director = EventFactory(opened=False), Somebody("director")
    fields = setup_fields(
        event, rounds="4", round_2_stack="own", round_2_stack_chips="6,000", round_3_top="4"
    )
    fields |= {"round_3_stack": "reset", "round_4_stack": "carried"}
    fields |= {"round_3_bets": "stack", "round_3_bet_min": "400", "round_3_bet_step": "200"}
    fields |= {"round_4_bets": "event"}
    done(director.press(staff(event, "setup/"), **fields), "setup/")
    event.refresh_from_db()
    assert [(each.stack, each.advance and each.advance.top) for each in event.settings.plan] == [
        ("reset", 12),
        (6_000, 6),
        ("reset", 4),
        ("carried", None),
    ]
    assert [each.bets for each in event.settings.plan] == [None, None, Bets(400, None, 200), None]
    assert "<strong>6,000 chips</strong>" in director.get(staff(event, "setup/post/")).content.decode()


@pytest.mark.parametrize(("rounds", "to"), [("2", ["3"]), ("11", ["12", "10"]), ("12", ["11"])])
def test_F1_no_button_leads_past_the_fewest_or_the_most_rounds(rounds, to):
    event = EventFactory(opened=False)
    fields = setup_fields(event, rounds_to=rounds)
    text = Somebody("director").press(staff(event, "setup/"), **fields).content.decode()
    assert re.findall(r'name="rounds_to" value="(\d+)"', text) == to


def test_T2_change_again_only_while_nobody_has_bought_in():
    event, director = EventFactory(), Somebody("director")
    done(director.press(staff(event, "setup/again/")), "setup/")
    event.refresh_from_db()
    assert event.status == Event.Status.DRAFT
    sold = EntryFactory().event
    assert staff(sold, "setup/again/") not in director.get(staff(sold, "setup/")).content.decode()
    response = director.press(staff(sold, "setup/again/"))
    assert (response.status_code, data(response, "code")) == (409, ["entries_sold"])


def test_T8_calling_off_needs_a_reason_and_owes_everybody_the_buy_in():
    entry = EntryFactory()
    event, director = entry.event, Somebody("director")
    page = director.get(staff(event, "call-off/"))
    assert (data(page, "entries"), data(page, "cents")) == (["1"], ["10000"])
    assert data(page, "code") == ["nobody_confirms"], "nobody has a seat or a chip"
    refused_in_place(director.press(staff(event, "call-off/"), reason=" "), code="required")
    done(director.press(staff(event, "call-off/"), reason="Flood"), staff(event))
    event.refresh_from_db()
    assert event.status == Event.Status.CALLED_OFF
    assert [row.entry for row in dues(event).rows if not row.hand_out] == [entry]
    assert staff(event, "call-off/") not in director.get(staff(event)).content.decode()
    assert next_of(event)[0].tail == "refunds/"


# -- The rules of the hand: sheet, rows, options (T16) ---------------------------------------------------


def draft(**settings: Any) -> Event:
    return EventFactory(opened=False, settings=settings)


def fields(event: Event, **changed: Any) -> dict[str, str]:
    """The page's form as it stands, with answers changed."""
    sheet = SHEETS[event.settings.sheet]
    chosen = {o.name: event.settings.options.get(o.name, o.default) for o in option_catalogue(sheet)}
    return {name: json.dumps(value) for name, value in {**chosen, **changed}.items()}


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_every_row_and_every_option_of_the_sheet_is_on_the_page(sheet: str) -> None:
    event = draft(sheet=sheet)
    text = Somebody("director").get(staff(event, "setup/hand/")).content.decode()
    assert sheet in SILENT, "which rows are our reading"
    assert all(row.sentences for row in sheet_rows(SHEETS[sheet]))
    for option in option_catalogue(SHEETS[sheet]):
        assert option.question.replace("'", "&#x27;") in text
        assert text.count(f'name="{option.name}"') == len(option.values)


def test_T16_options_are_saved_marked_and_posted() -> None:
    event, director = draft(), Somebody("director")
    sent = fields(event, soft17="stand", max_hands=2, draw_on_21=False)
    done(director.press(staff(event, "setup/hand/"), **sent), "setup/hand/")
    event.refresh_from_db()
    assert event.settings.options == {"soft17": "stand", "max_hands": 2, "draw_on_21": False}
    assert (hand_rules(event.settings).soft17, hand_rules(event.settings).max_hands) == ("stand", 2)
    assert director.get(staff(event, "setup/hand/")).content.decode().count("is-lit") == 3
    done(director.press(staff(event, "setup/post/")))
    event.refresh_from_db()
    assert event.settings_json["house_rules"]["soft17"] == "stand"
    assert 'name="soft17"' not in director.get(staff(event, "setup/hand/")).content.decode()


def test_T16_another_sheet_brings_its_ladder_and_the_page_says_so() -> None:
    event, director = draft(options={"max_hands": 2}), Somebody("director")
    path = staff(event, "setup/hand/")
    done(director.press(path, do="sheet", sheet="eca"), "setup/hand/")
    page = director.get(path)
    assert data(page, "code") == ["sheet_taken"] and 'name="halves"' in page.content.decode()
    event.refresh_from_db()
    chosen = event.settings
    assert (chosen.sheet, chosen.bet_min_chips, chosen.bet_max_chips, chosen.options) == ("eca", 10, 500, {})
    refused_in_place(director.press(path, do="sheet", sheet="bridge"), code="invalid_choice")
    text = refused_in_place(director.press(path, do="sheet"), code="required")
    picks = text.split('class="panel-body sheetpick"')[1].split("</form>")[0]
    assert data(text, "code") == data(picks, "code") == ["required"] and " checked" not in picks
    # A7: the sheet with a line for the odd chip asks nobody about halves.
    done(director.press(path, do="sheet", sheet="banco"), "setup/hand/")
    assert 'name="halves"' not in director.get(path).content.decode()
