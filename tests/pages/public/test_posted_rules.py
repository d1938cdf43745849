"""The posted rules say every setting: each of them, and each house rule, changes the text (T16)."""

import re
from dataclasses import fields, replace
from typing import Any

import pytest
from django.utils import translation

from games.blackjack.event_rules import OPTION_NAMES
from games.blackjack.options import option_catalogue
from games.blackjack.rules import SHEETS, HouseRules
from pages.public.reads.rules_text import Clause, rules_sections
from pages.words.hands import Rule
from tests.cast.factories import EventFactory
from tests.cast.html import read
from tournament.engine.advance import Advance
from tournament.engine.format import THREE_ROUNDS, Bets, RoundSettings
from tournament.engine.promise import ALL_OF_POOL, PRIZE_LIST, SHARE_OF_POOL
from tournament.engine.settings import (
    EventSettings,
    from_dict,
    hand_rules,
    settings_hash,
    sheet_defaults,
    to_dict,
)
from tournament.models import Event

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


def clauses(snapshot: dict[str, Any]) -> list[Clause]:
    """The clauses of all sections of an event with this snapshot."""
    event = Event(name="Friday", code="F", settings_json=snapshot)
    return [clause for section in rules_sections(event) for clause in section.clauses]


def rules_of(settings: EventSettings) -> list[Rule]:
    """Every sentence with its clause and the settings that it says."""
    return [rule for clause in clauses(to_dict(settings)) for rule in clause.rules]


def words(settings: EventSettings) -> str:
    """The sentences alone: what they carry would change by itself."""
    return "\n".join(rule.text for rule in rules_of(settings))


def frozen(rules: HouseRules) -> EventSettings:
    """The settings of an event that froze these rules of the hand."""
    return replace(from_dict(sheet_defaults(rules.name)), house_rules=rules.to_dict())


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
    assert words(frozen(replace(SHEETS[sheet], **{name: value}))) != words(frozen(SHEETS[sheet]))


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_every_value_of_every_option_has_words_of_its_own_and_is_carried_by_them(sheet: str) -> None:
    beside = {"double_soft_low": {"double": "9-11"}}
    for option in option_catalogue(SHEETS[sheet]):
        rules, said = replace(SHEETS[sheet], **beside.get(option.name, {})), set()
        for value in option.values:
            settings = frozen(replace(rules, **{option.name: value}))
            said.add(words(settings))
            posted = [rule.settings for rule in rules_of(settings)]
            carried = [each[option.name] for each in posted if option.name in each]
            assert set(carried) <= {value}, option.name
        assert len(said) == len(option.values), option.name


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_every_row_of_the_house_rules_is_posted_as_it_is_frozen(sheet: str) -> None:
    """Before and after freezing the same settings read the same, so the page shown before posting is true."""
    settings = from_dict({**sheet_defaults(sheet), "options": {"even_money": False}})
    after = replace(settings, house_rules=hand_rules(settings).to_dict())
    assert words(settings) == words(after) and "%(" not in words(after)
    found = clauses(sheet_defaults(sheet))
    rows = {f"row {n}" for n in range(3, 26)} | {"A1", "A2", "A3", "A4", "A5", "A6", "T10", "T12"}
    assert rows <= {clause.clause for clause in found}
    assert len({clause.number for clause in found}) == len(found)


def test_T12_the_largest_bet_that_can_be_made_is_said_where_it_is_below_the_maximum() -> None:
    for high, top in ((900, ["800"]), (1_000, []), (1_100, ["1,000"])):
        rules = rules_of(replace(EventSettings(), bet_max_chips=high))
        said = next(rule.text for rule in rules if "bet_max_chips" in rule.settings)
        assert set(re.findall(r"[\d,]*\d", said)) == {"200", f"{high:,}", *top}


def test_T32_the_buy_in_goes_into_the_pool_whole_only_where_all_of_the_pool_is_promised() -> None:
    said = {}
    for kind, beside in ((ALL_OF_POOL, {}), (SHARE_OF_POOL, {"promised_share_bp": 9_000}), (PRIZE_LIST, {})):
        rules = rules_of(replace(EventSettings(), prizes_promised=kind, **beside))
        said[kind] = next(rule.text for rule in rules if "buy_in_cents" in rule.settings)
    assert said[SHARE_OF_POOL] == said[PRIZE_LIST] != said[ALL_OF_POOL]


def carried(client: Any, address: str, **asked: str) -> tuple[str, list[tuple[str, str]]]:
    """A page, and the settings that its sentences carry, each with its value."""
    html = client.get(address, asked).content.decode()
    marked = [node.attrs for node in read(html).walk() if "data-option" in node.attrs]
    return html, [(each["data-option"], each["data-value"]) for each in marked]


def test_T16_the_page_and_the_poster_carry_the_same_settings_in_every_language(client: Any) -> None:
    event = EventFactory(settings={"sheet": "wiesbaden", "options": {"soft17": "hit"}, "fee_cents": 500})
    posting = event.postings.get(kind="rules")
    page, shown = carried(client, f"/e/{event.slug}/rules/")
    poster, printed = carried(client, f"/e/{event.slug}/rules/poster/")
    letter, on_letter = carried(client, f"/e/{event.slug}/rules/poster/", paper="letter")
    assert {("soft17", "hit"), ("double", "9-11"), ("buy_in_cents fee_cents", "10000 500")} <= set(shown)
    assert shown == printed == on_letter
    with translation.override("de"):
        german = [rule for clause in clauses(event.settings_json) for rule in clause.rules if rule.settings]
        assert [(rule.options, rule.values) for rule in german] == shown
        assert settings_hash(event.settings_json) == event.rules_hash
    assert posting.hash in page
    assert "paper-a4" in poster and "paper-letter" in letter
    for html in (page, poster):
        assert event.rules_hash in html and f'data-posting="{posting.number}"' in html
    assert f"http://testserver/e/{event.slug}/rules/" in poster and "<svg" in poster
