"""The posted rules say every setting: each of them, and each house rule, changes the text (T16)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from django.utils.html import escape

from games.blackjack.chosen import OPTION_NAMES
from games.blackjack.options import option_catalogue
from games.blackjack.rules import SHEETS, HouseRules
from pages.public.reads.rules_text import (
    rules_sections,
    settings_rows,
)
from tests.cast.factories import EventFactory
from tournament.catalogue import who_may
from tournament.engine.advance import Advance
from tournament.engine.format import THREE_ROUNDS, Bets, RoundSettings
from tournament.engine.settings import EventSettings, from_dict, hand_rules, sheet_defaults, to_dict
from tournament.models import Event
from tournament.roles import DIRECTOR, FLOOR

pytestmark = pytest.mark.django_db

# What else each setting can be. A setting that is not here fails the test: it would stand on no poster.
OTHER_SETTINGS: dict[str, Any] = {
    "sheet": "eca",
    "options": {"max_hands": 2},
    "decks": 8,
    "starting_chips": 6_000,
    "chip_value_chips": 50,
    "bet_min_chips": 400,
    "bet_max_chips": 800,
    "bet_step_chips": 400,
    "plan": (*THREE_ROUNDS[:2], RoundSettings(Advance(top=4)), RoundSettings(None)),
    "no_hand": "ranked",
    "min_entrants": 9,
    "tables_count": 3,
    "boxes_per_table": 5,
    "tie_at_cut": "director",
    "play_off_chips": 3_000,
    "sudden_death_chips": 4_000,
    "sudden_death_until": "frozen",
    "tie_tables": "posted",
    "record_mode": "counts",
    "public_input": False,
    "buy_in_cents": 12_345,
    "fee_cents": 500,
    "guarantee_cents": 100_000,
    "prizes_promised": "share",
    "promised_share_bp": 9_000,
    "promised_prizes_cents": (50_000, 30_000),
    "prize_unit_cents": 500,
    "second_person_from_cents": 50_000,
    "tax_notice_from_cents": 60_000,
    "house_rules": {**SHEETS["eca"].to_dict()},
}

# What has to be otherwise too, for a setting to be a legal one.
BESIDE: dict[str, dict[str, Any]] = {
    "bet_step_chips": {"bet_min_chips": 400, "bet_max_chips": 800},
    "tie_tables": {"tables_count": 3},
    "promised_share_bp": {"prizes_promised": "share"},
    "promised_prizes_cents": {"prizes_promised": "list"},
}

# Field of a round → (its number, another value).
OTHER_ROUNDS: dict[str, list[tuple[int, Any]]] = {
    "advance": [(1, Advance(top=13)), (2, Advance(top=5))],
    "bets": [(1, Bets(400, 1_000, 200)), (2, Bets(200, 2_000, 200)), (3, Bets(200, None, 200))],
    "stack": [(2, "reset"), (3, "reset"), (2, 6_000), (3, 6_000)],
}

# Field → (a sheet on which it means something, another value). Options say themselves what else they can be.
OTHER_RULES: dict[str, tuple[str, Any]] = {
    "name": ("wonder", "eca"),
    "decks": ("wonder", 8),
    "decks_allowed": ("wonder", (6,)),
    "joker": ("wonder", True),
    "min_chips": ("wonder", 400),
    "max_chips": ("wonder", 800),
    "step_chips": ("wonder", 100),
    "chip_chips": ("wonder", 50),
    "looks_under": ("ggpoker", "AT"),
    "natural_pays": ("wonder", (6, 5)),
    "paid_at_once": ("wonder", (2, 8)),
    "insurance": ("eca", "up_to_half"),
    "insurance_from_half_minimum": ("banco", False),
    "line_chip": ("banco", False),
    "side_bets": ("wiesbaden", ()),
    "side_bet_box_max": ("wiesbaden", ()),
    "players_per_box": ("eca", 2),
    "irregularities": ("eca", ("face_up",)),
    "void_reasons": ("eca", ("ruling",)),
}


def event_of(snapshot: dict[str, Any]) -> Event:
    """An event with this snapshot; nothing is saved."""
    return Event(name="Friday", code="F", settings_json=snapshot)


def words(settings: EventSettings) -> str:
    """The clauses alone: the table of settings under them would change by itself."""
    sections = rules_sections(event_of(to_dict(settings)))
    return "\n".join(clause["text"] for section in sections for clause in section["clauses"])


def words_of_rules(rules: HouseRules) -> str:
    """The posted rules of an event that froze these rules of the hand."""
    settings = from_dict(sheet_defaults(rules.name))
    return words(replace(settings, house_rules=rules.to_dict()))


@pytest.mark.parametrize("name", [each.name for each in fields(EventSettings)])
def test_T16_every_setting_changes_the_posted_rules(name: str) -> None:
    before = EventSettings(**BESIDE.get(name, {}))
    assert words(replace(before, **{name: OTHER_SETTINGS[name]})) != words(before)


@pytest.mark.parametrize("name", [each.name for each in fields(RoundSettings)])
def test_F1_every_field_of_a_round_changes_the_posted_rules(name: str) -> None:
    before = EventSettings()
    for number, values in OTHER_ROUNDS[name]:
        plan = list(before.plan)
        plan[number - 1] = replace(plan[number - 1], **{name: values})
        assert words(replace(before, plan=tuple(plan))) != words(before), (number, values)


@pytest.mark.parametrize("name", [each.name for each in fields(HouseRules) if each.name not in OPTION_NAMES])
def test_T16_every_field_of_the_house_rules_changes_the_posted_rules(name: str) -> None:
    sheet, value = OTHER_RULES[name]
    assert words_of_rules(replace(SHEETS[sheet], **{name: value})) != words_of_rules(SHEETS[sheet])


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_every_value_of_every_option_has_words_of_its_own(sheet: str) -> None:
    beside = {"double_soft_low": {"double": "9-11"}}
    for option in option_catalogue(SHEETS[sheet]):
        rules = replace(SHEETS[sheet], **beside.get(option.name, {}))
        said = [words_of_rules(replace(rules, **{option.name: value})) for value in option.values]
        assert len(set(said)) == len(said), option.name


def test_T16_every_sheet_has_posted_rules_of_its_own() -> None:
    said = {sheet: words(from_dict(sheet_defaults(sheet))) for sheet in SHEETS}
    assert len(set(said.values())) == len(SHEETS)
    for text in said.values():
        assert "%(" not in text


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_what_is_posted_is_what_is_frozen(sheet: str) -> None:
    """Before and after freezing the same settings read the same, so the page shown before posting is true."""
    settings = from_dict({**sheet_defaults(sheet), "options": {"even_money": False}})
    frozen = replace(settings, house_rules=hand_rules(settings).to_dict())
    assert words(settings) == words(frozen)


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_every_row_of_the_house_rules_is_on_the_poster(sheet: str) -> None:
    sections = rules_sections(event_of(sheet_defaults(sheet)))
    clauses = {clause["clause"] for section in sections for clause in section["clauses"]}
    rows = {f"row {n}" for n in range(3, 26)} | {"A1", "A2", "A3", "A4", "A5", "A6", "T10", "T12"}
    assert rows <= clauses
    numbers = [clause["number"] for section in sections for clause in section["clauses"]]
    assert len(set(numbers)) == len(numbers)


def test_T6_the_posted_rule_names_who_the_catalogue_lets_give_the_seat_of_a_no_show_away() -> None:
    assert set(who_may("seat.no_show")) == set(who_may("seat.fill")) == {FLOOR, DIRECTOR}
    said = "the floor or the director may give the seat of a no-show to the alternates in their order"
    assert said in words(EventSettings())


def test_T26_the_posted_rule_names_who_the_catalogue_lets_give_a_penalty() -> None:
    assert set(who_may("penalty.add")) == {FLOOR, DIRECTOR}
    assert "The floor or the director may warn, or sit a player out for a hand;" in words(EventSettings())


def test_the_table_of_settings_names_the_options() -> None:
    event = event_of({**sheet_defaults("eca"), "options": {"soft17": "hit"}})
    assert ("options", "soft17: hit") in settings_rows(event)


def test_F1_the_table_of_settings_says_a_plan_round_by_round() -> None:
    plan = (RoundSettings(Advance(top=9), "reset", Bets(400, None, 200)), RoundSettings(None))
    rows = dict(settings_rows(event_of(to_dict(replace(EventSettings(), plan=plan)))))
    first = "stack: reset, advance: top: 9, bets: min: 400, max: –, step: 200"
    assert rows["plan"] == f"{first}; stack: carried, advance: –"
    assert "rounds" not in rows and dict(settings_rows(event_of({})))["cut_after_round_1"] == "12"


# -- The pages --------------------------------------------------------------------------------------------


def test_the_poster_has_date_version_hash_and_the_qr_code_of_the_page(client: Any) -> None:
    event = EventFactory(settings={"sheet": "banco"})
    posting = event.postings.get(kind="rules")
    page = client.get(f"/e/{event.slug}/rules/poster/").content.decode()
    assert f"Version 1, posted {posting.at:%-d %b %Y, %H:%M}" in page
    assert event.rules_hash in page
    assert f"http://testserver/e/{event.slug}/rules/" in page
    assert "<svg" in page
    assert "one chip lies on the line" in page
    assert "paper-a4" in page
    letter = client.get(f"/e/{event.slug}/rules/poster/", {"paper": "letter"}).content.decode()
    assert "paper-letter" in letter


def test_the_poster_and_the_page_say_the_same(client: Any) -> None:
    event = EventFactory(settings={"sheet": "wiesbaden", "options": {"soft17": "hit"}})
    page = client.get(f"/e/{event.slug}/rules/").content.decode()
    poster = client.get(f"/e/{event.slug}/rules/poster/").content.decode()
    for section in rules_sections(event):
        for clause in section["clauses"]:
            assert escape(clause["text"]) in page
            assert escape(clause["text"]) in poster


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_what_only_the_sheet_has_is_posted_as_not_offered(sheet: str) -> None:
    """Side bets and shared boxes: no limit of theirs stands as if it held in the event."""
    posted = words(from_dict(sheet_defaults(sheet)))
    limits = [line for line in posted.splitlines() if "shared box" in line or "share a box" in line]
    for line in limits:
        assert "not offered in this event" in line or "in this event a box is one player's" in line, line
    assert "would be up to" not in posted


def test_T16_a_sheet_with_side_bets_and_shared_boxes_is_among_them() -> None:
    posted = words(from_dict(sheet_defaults("wiesbaden")))
    said = "The side bets of the sheet, Twins (up to 200 on a shared box) and Crazy Twins, are not offered"
    assert said in posted and "in this event a box is one player's" in posted
