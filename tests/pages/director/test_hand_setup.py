"""The rules of the hand in the set-up: sheet, rows, options (T16)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.blackjack.options import option_catalogue
from games.blackjack.rules import SHEETS, SILENT
from pages.director.reads.sheet_rows import sheet_rows
from tests.cast.at_desk import Somebody, done, journal_length, refused_in_place, staff
from tests.cast.factories import EventFactory
from tests.cast.html import data
from tests.cast.pages import setup_fields
from tournament.engine.settings import hand_rules, sheet_defaults
from tournament.models import Event

pytestmark = pytest.mark.django_db


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
    for row in sheet_rows(SHEETS[sheet]):
        assert row.sentences, row
    for option in option_catalogue(SHEETS[sheet]):
        assert option.question.replace("'", "&#x27;") in text
        assert text.count(f'name="{option.name}"') == len(option.values)


def test_T16_every_sheet_says_which_rows_are_our_reading() -> None:
    assert set(SILENT) == set(SHEETS)
    sources = {row.number: row.source for row in sheet_rows(SHEETS["ggpoker"])}
    assert (sources[5], sources[8]) == ("D", "S")


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


@pytest.mark.parametrize(
    ("changed", "code"),
    [({"double_soft_low": "true"}, "bad_options"), ({"soft17": '"sometimes"'}, "invalid_choice")],
)
def test_T16_an_option_that_cannot_be_is_refused(changed: dict[str, str], code: str) -> None:
    event, before = draft(), journal_length()
    answer = Somebody("director").press(staff(event, "setup/hand/"), **(fields(event) | changed))
    refused_in_place(answer, code=code)
    assert journal_length() == before


def test_A7_a_ladder_of_odd_chips_is_taken_once_it_is_said_for_whom_halves_are_rounded() -> None:
    event, director = draft(), Somebody("director")
    odd = {"bet_min_chips": 25, "bet_max_chips": 500, "bet_step_chips": 25, "chip_value_chips": 5}
    code = "not_twice_chip"
    refused_in_place(director.press(staff(event, "setup/"), **setup_fields(event, **odd)), code=code)
    done(director.press(staff(event, "setup/hand/"), **fields(event, halves="player")), "setup/hand/")
    event.refresh_from_db()
    assert event.settings.options == {"halves": "player"}
    done(director.press(staff(event, "setup/"), **setup_fields(event, **odd)), "setup/")
    # Taken back, the ladder that stands cannot be played.
    event.refresh_from_db()
    refused_in_place(director.press(staff(event, "setup/hand/"), **fields(event, halves=None)), code=code)


@pytest.mark.parametrize(("sheet", "asked"), [("eca", True), ("banco", False)])
def test_A7_the_sheet_with_a_line_asks_nobody_about_halves(sheet: str, asked: bool) -> None:
    event = draft(**sheet_defaults(sheet))
    page = Somebody("director").get(staff(event, "setup/hand/")).content.decode()
    assert ('name="halves"' in page) is asked


def test_T16_another_sheet_brings_its_ladder_and_the_page_says_so() -> None:
    event, director = draft(options={"max_hands": 2}), Somebody("director")
    answer = director.press(staff(event, "setup/hand/"), do="sheet", sheet="eca")
    done(answer, "setup/hand/")
    assert data(director.get(staff(event, "setup/hand/")), "code") == ["sheet_taken"]
    event.refresh_from_db()
    chosen = event.settings
    assert (chosen.sheet, chosen.bet_min_chips, chosen.bet_max_chips, chosen.options) == ("eca", 10, 500, {})
    answer = director.press(staff(event, "setup/hand/"), do="sheet", sheet="bridge")
    refused_in_place(answer, code="invalid_choice")


def test_T16_the_sheet_can_be_chosen_on_the_set_up_page_too() -> None:
    event, director = draft(), Somebody("director")
    done(director.press(staff(event, "setup/"), **setup_fields(event, sheet="ggpoker")), "setup/")
    page = director.get(staff(event, "setup/"))
    assert data(page, "code") == ["sheet_taken"]
    event.refresh_from_db()
    assert (event.settings.bet_max_chips, event.settings.chip_value_chips) == (1_000, 1)
    assert '<option value="4"' in page.content.decode()


def test_T16_posted_rules_keep_their_sheet() -> None:
    event = EventFactory()
    answer = Somebody("director").press(staff(event, "setup/hand/"), do="sheet", sheet="eca")
    assert (answer.status_code, data(answer, "code")) == (409, ["rules_frozen"])
