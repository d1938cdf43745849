"""Set-up, posting the rules, calling off."""

import re

import pytest

from pages.director.forms.setup import GROUPS
from tests.cast.at_desk import Somebody, done, journal_length, refused_in_place, staff
from tests.cast.factories import EntryFactory, EventFactory
from tests.cast.html import data, read
from tests.cast.pages import setup_fields
from tournament.engine.format import Bets
from tournament.engine.settings import DEFAULTS
from tournament.models import Event
from tournament.selectors.refunds import dues

pytestmark = pytest.mark.django_db


OWN_BETS = {"round_3_bet_min": "300", "round_3_bet_max": "900", "round_3_bet_step": "200"}


def test_every_setting_stands_on_the_page_with_its_default():
    event = EventFactory(opened=False)
    text = Somebody("director").get(staff(event, "setup/")).content.decode()
    assert "Sheet: 1,000" in text and "Default: 5,000" in text and "Default: $100.00" in text
    for group in GROUPS:
        for each in group.settings:
            assert f'name="{each.name}"' in text


def test_the_page_offers_every_setting_that_an_event_has_but_those_that_are_fixed():
    shown = {each.name for group in GROUPS for each in group.settings}
    fixed = {"plan", "house_rules", "options"}  # the sheet alone so far, without its options
    assert shown == set(DEFAULTS.__dataclass_fields__) - fixed


def test_saved_settings_are_read_as_they_were_typed():
    event = EventFactory(opened=False)
    fields = setup_fields(
        event, buy_in_cents="75.50", starting_chips="6,000", decks="8", public_input="", tables_count="4"
    )
    done(Somebody("manager").press(staff(event, "setup/"), **fields), "setup/")
    event.refresh_from_db()
    chosen = event.settings
    assert (chosen.buy_in_cents, chosen.starting_chips, chosen.decks) == (75_50, 6_000, 8)
    assert (chosen.public_input, chosen.tables_count) == (False, 4)


def test_T32_a_list_of_prizes_is_promised_one_amount_a_line_and_posted():
    event, director = EventFactory(opened=False), Somebody("director")
    fields = setup_fields(event, prizes_promised="list", promised_prizes_cents="500\n\n299.50\n")
    done(director.press(staff(event, "setup/"), **fields), "setup/")
    event.refresh_from_db()
    assert event.settings.promised_prizes_cents == (500_00, 299_50)
    again = setup_fields(event)["promised_prizes_cents"]
    assert again.split() == ["500.00", "299.50"]
    assert "$500.00 · $299.50" in director.get(staff(event, "setup/post/")).content.decode()
    done(director.press(staff(event, "setup/post/")), "")
    rules = Somebody().get(f"/e/{event.slug}/rules/").content.decode()
    assert "$500.00" in rules and "$299.50" in rules


def refused_at(typed, field, code, **also):
    """What is typed is refused with the code beside that field, stays typed, and changes nothing."""
    event, before = EventFactory(opened=False), journal_length()
    fields = setup_fields(event, **typed, **also)
    text = refused_in_place(Somebody("director").press(staff(event, "setup/"), **fields), code=code)
    (part,) = [part for part in text.split('<div class="field ')[1:] if f'name="{field}"' in part]
    assert part.startswith("has-error") and code in data(part, "code")
    assert typed.get(field) is None or f'value="{typed[field]}"' in part
    assert journal_length() == before


@pytest.mark.parametrize(
    ("field", "typed", "code"),
    [
        ("bet_step_chips", "300", "not_twice_chip"),
        ("bet_max_chips", "100", "below_bet_min"),
        ("round_2_top", "20", "cut_rising"),
        ("buy_in_cents", "251", "over_day_limit"),
        ("starting_chips", "many", "whole"),
        ("fee_cents", "100.01", "over_buy_in"),
        ("promised_share_bp", "90", "promise_unused"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_beside_it_and_stays_typed(field, typed, code):
    refused_at({field: typed}, field, code)


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
    assert "<strong>6,000</strong>" in director.get(staff(event, "setup/post/")).content.decode()


@pytest.mark.parametrize(
    ("typed", "field", "code"),
    [
        ({"round_2_stack": "own"}, "round_2_stack_chips", "own_missing"),
        ({"round_2_stack_chips": "900"}, "round_2_stack_chips", "own_not_chosen"),
        ({"round_2_stack": "own", "round_2_stack_chips": "100"}, "round_2_stack_chips", "below_bet_min"),
        ({"rounds": "4"}, "round_3_top", "required"),
        ({"round_2_bets": "own"}, "round_2_bet_max", "own_missing"),
        ({"round_2_bets": "stack"}, "round_2_bet_step", "own_missing"),
        ({"round_2_bet_max": "900"}, "round_2_bet_max", "own_not_chosen"),
        ({"round_3_bets": "own"} | OWN_BETS, "round_3_bet_min", "not_on_step"),
    ],
)
def test_F4_a_round_that_cannot_be_is_refused_beside_it(typed, field, code):
    refused_at(typed, field, code, round_4_stack="carried", round_4_bets="event")


@pytest.mark.parametrize(("rounds", "to"), [("2", ["3"]), ("11", ["12", "10"]), ("12", ["11"])])
def test_F1_no_button_leads_past_the_fewest_or_the_most_rounds(rounds, to):
    event = EventFactory(opened=False)
    fields = setup_fields(event, rounds_to=rounds)
    text = Somebody("director").press(staff(event, "setup/"), **fields).content.decode()
    assert re.findall(r'name="rounds_to" value="(\d+)"', text) == to


@pytest.mark.parametrize("typed", ["", "1"])
def test_T4_a_refused_form_keeps_the_public_part_that_was_chosen(typed):
    event = EventFactory(opened=False)
    fields = setup_fields(event, public_input=typed, starting_chips="many")
    page = read(Somebody("director").press(staff(event, "setup/"), **fields).content.decode())
    (field,) = [each for each in page.all("select") if each.attrs.get("name") == "public_input"]
    (kept,) = [each for each in field.all("option") if "selected" in each.attrs]
    assert kept.attrs["value"] == typed


def test_posting_shows_a_summary_first_and_then_opens_the_desk():
    event, director = EventFactory(opened=False), Somebody("director")
    fields = setup_fields(event, round_1_top="10", post="1")
    done(director.press(staff(event, "setup/"), **fields), "setup/post/")
    assert "<strong>10</strong>" in director.get(staff(event, "setup/post/")).content.decode()
    done(director.press(staff(event, "setup/post/")), staff(event))
    event.refresh_from_db()
    assert event.status == Event.Status.OPEN and event.settings.plan[0].advance.top == 10


def test_after_posting_the_settings_are_read_only_with_their_hash():
    event = EventFactory()
    text = Somebody("manager").get(staff(event, "setup/")).content.decode()
    assert (
        event.rules_hash in text
        and 'name="buy_in_cents"' not in text
        and staff(event, "setup/again/") in text
    )


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
    assert [row.entry for row in dues(event).rows if row.open] == [entry]


def test_what_is_still_set_up_has_no_link_to_a_public_page_that_is_not_there():
    director = Somebody("director")
    for event in (EventFactory(opened=False), EventFactory()):
        there = director.get(f"/e/{event.slug}/").status_code == 200
        page = director.get(staff(event, "setup/")).content.decode()
        assert (f'href="/e/{event.slug}/"' in page) is there is (event.status == Event.Status.OPEN)


@pytest.mark.parametrize("tail", ["setup/", "setup/hand/"])
def test_of_posted_rules_nobody_is_sent_to_look_for_what_is_not_marked(tail):
    event = EventFactory()
    for fields in ({}, {"do": "sheet"}):
        answer = Somebody("director").press(staff(event, tail), **fields)
        assert answer.status_code == 409
        assert data(answer, "code") == ["rules_frozen"]


def test_a_sheet_that_was_not_chosen_is_asked_for_where_it_is_chosen():
    event = EventFactory(opened=False)
    answer = Somebody("director").press(staff(event, "setup/hand/"), do="sheet")
    text = refused_in_place(answer, code="required")
    picks = text.split('class="panel-body sheetpick"')[1].split("</form>")[0]
    assert data(text, "code") == data(picks, "code") == ["required"] and " checked" not in picks


def test_a_sheet_is_named_as_people_name_it():
    event = EventFactory(opened=False, settings={"sheet": "ggpoker"})
    for tail in ("setup/", "setup/post/"):
        text = Somebody("director").get(staff(event, tail)).content.decode()
        assert "GGPoker" in text and ">ggpoker<" not in text


@pytest.mark.parametrize(("role", "offered"), [("director", True), ("manager", False)])
def test_only_who_may_open_the_tables_is_sent_to_them(role, offered):
    event, somebody = EventFactory(opened=False), Somebody(role)
    page = f'href="{staff(event, "boxes/")}"'
    assert (somebody.get(staff(event, "boxes/")).status_code == 200) is offered
    assert (page in somebody.get(staff(event, "setup/")).content.decode()) is offered
    done(Somebody("director").press(staff(event, "setup/post/")))
    assert (page in somebody.get(staff(event, "setup/")).content.decode()) is offered
