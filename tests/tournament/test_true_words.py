"""What a page says is so: nothing is cut off without a word, and no word stands where it does not belong."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from tables.services.draws import draw_lock
from tables.services.seating import tables_ensure
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, new_key, round_seat
from tests.cast.playing import event_with, finished, round_1_closed, win
from tournament.catalogue import REQUESTS
from tournament.models import Draw, Entry, Event, House, Player, Stack

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("length", "taken"), [(79, True), (80, True), (81, False), (130, False)])
def test_the_name_of_an_event_is_taken_whole_or_refused(length, taken):
    name = "w" * length
    response = Somebody("manager").press("/house/events/new/", name=name, kind="tournament")
    assert [event.name for event in Event.objects.all()] == ([name] if taken else [])
    if not taken:
        text = refused_in_place(response, f"This has {length} characters and at most 80 fit. Shorten it.")
        assert name in text


@pytest.mark.parametrize(("length", "taken"), [(60, True), (61, False)])
def test_the_name_of_a_person_is_taken_whole_or_refused(length, taken):
    event, name = EventFactory(), "W" + "w" * (length - 1)
    names = {"given_name": "Ann", "family_name": name, "identity_number": "P 1234"}
    response = Somebody("cashier").press(staff(event, "desk/player/"), **names)
    assert Player.objects.filter(family_name=name).exists() == taken
    if not taken:
        refused_in_place(response, "This has 61 characters and at most 60 fit")


def test_a_name_that_was_searched_for_is_carried_whole_into_the_form():
    event, name = EventFactory(), "Ann " + "w" * 90
    text = Somebody("cashier").get(staff(event, "desk/"), q=name).content.decode()
    assert ("w" * 90) in text


@pytest.mark.parametrize(
    "path",
    ["/house/events/new/", "/house/settings/", "{event}setup/", "{event}desk/", "{event}entries/E001/"],
)
def test_no_field_lets_the_browser_cut_anything_off(path):
    event = EventFactory(opened="setup" not in path)
    if event.status == Event.Status.OPEN:
        EntryFactory(event=event)
    text = Somebody("manager", "director", "cashier").get(path.format(event=staff(event))).content.decode()
    assert "<input" in text and "maxlength" not in text


@pytest.mark.parametrize("typed", ["1,000,000,000", "12345678901234567890"])
def test_an_amount_that_is_too_long_is_refused_and_not_read_as_a_shorter_one(typed):
    response = Somebody("director").press(
        "/house/settings/",
        **{
            "name": "Wonder",
            "currency": "USD",
            "time_zone": "UTC",
            "day_limit_cents": typed,
            "day_turns_at_hour": "6",
        },
    )
    refused_in_place(response, "Type an amount like 100 or 100.50.")
    assert not House.objects.exclude(day_limit_cents=250_00).exists()


def test_chips_stand_beside_the_chips_of_a_penalty_alone():
    event = EventFactory()
    entry = EntryFactory(event=event)
    text = Somebody("director", "floor").get(staff(event, f"entries/{entry.code}/")).content.decode()
    units = re.findall(r'name="(\w+)"[^>]*>(?:[^<]*</textarea>)?\s*<span class="unit">(\w+)</span>', text)
    assert units == [("chips", "chips")]


def test_T6_who_waits_although_boxes_are_free_is_told_why():
    event, cashier = EventFactory(settings={"tables_count": 1}), Somebody("cashier")
    for _ in range(3):
        EntryFactory(event=event)
    tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    draw_lock(event_id=event.pk, key=new_key(), actor=None)
    why = (
        "The roster is locked: an alternate is seated in place of a no-show or at a free box, until the first"
    )
    assert why in cashier.get(staff(event, "desk/")).content.decode()
    response = cashier.press(staff(event, "desk/buy-in/"), player=PlayerFactory().pk, identity_checked="on")
    text = cashier.get(response["Location"]).content.decode()
    assert f"waits as alternate 1. {why}" in text and "no box" not in text


@pytest.mark.parametrize(("entrants", "waits"), [(1, False), (2, True)])
def test_T6_the_desk_says_before_the_sale_that_every_box_is_sold(entrants, waits):
    event, cashier = EventFactory(settings={"tables_count": 1, "boxes_per_table": 2}), Somebody("cashier")
    for _ in range(entrants):
        EntryFactory(event=event)
    text = cashier.get(staff(event, "desk/")).content.decode()
    assert ('data-code="sells_to_alternates"' in text) == waits
    cashier.press(staff(event, "desk/buy-in/"), player=PlayerFactory().pk, identity_checked="on")
    assert Entry.objects.latest("pk").status == ("waiting" if waits else "live")


def test_T25_who_has_qualified_is_led_to_the_page_that_replaces():
    event = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    passed = Stack.objects.filter(round__event=event, outcome=Stack.Outcome.ADVANCED)
    code = passed.latest("pk").entry.code
    path, replace = staff(event, f"entries/{code}/"), staff(event, f"seating/replace/{code}/")
    director = Somebody("director", "cashier")
    text = director.get(path).content.decode()
    assert replace in text and "Withdraw the entry" not in text and "the next-ranked takes the place" in text
    assert director.get(replace).status_code == 200
    assert replace not in Somebody("cashier").get(path).content.decode()
    refused = director.press(path + "withdraw/", reason="ill")
    assert refused.status_code == 409 and replace in refused.content.decode()
    done(director.press(replace, reason="ill"))
    out = Stack.objects.filter(round__event=event, outcome=Stack.Outcome.CUT).exclude(
        entry__status="withdrawn"
    )
    text = director.get(staff(event, f"entries/{out.latest('pk').entry.code}/")).content.decode()
    assert "/replace/" not in text


@pytest.mark.parametrize("role", ["cashier", "dealer"])
def test_a_page_of_another_role_offers_no_log_in_to_who_is_logged_in(role):
    who = Somebody(role)
    response = who.get("/house/staff/")
    page = response.content.decode()
    assert response.status_code == 403
    assert f"You are logged in as {who.user.username}." in page
    assert ">Log in<" not in page and "Log out" in page and 'action="/logout"' in page


def test_a_form_that_is_too_old_offers_a_log_in_only_to_who_has_none():
    who = Somebody("cashier")
    for client, offered in ((who.client, False), (Client(), True)):
        client.handler.enforce_csrf_checks = True
        page = client.post("/logout", {"csrfmiddlewaretoken": "x"}).content.decode()
        assert "This form cannot be taken" in page
        assert (">Log in<" in page) is offered


def test_a_stack_of_nothing_beside_final_chips_says_where_they_are():
    event = finished(5)
    page = Somebody("director").get(staff(event, "entries/E001/")).content.decode()
    stack = event.entries.get(code="E001").stacks.order_by("pk").last()
    assert stack.chips == 0 and stack.closed_chips > 0
    assert f"The {stack.closed_chips:,} chips of {stack.round.title} have left play." in page


def test_a_stack_that_was_lost_says_nothing_of_chips_that_left_play():
    event = event_with(3)
    round_ = round_seat(event)
    page = Somebody("director").get(staff(event, "entries/E001/")).content.decode()
    assert "left play." not in page
    win(round_, E001=-5_000, E002=200)
    page = Somebody("director").get(staff(event, "entries/E001/")).content.decode()
    assert "left play." not in page


def test_T25_where_nobody_is_left_to_take_the_place_every_page_says_so():
    """The link is named as the button that it leads to, and nobody is promised who would not come."""
    event = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    director = Somebody("director")
    for code, confirm in (("E001", "Replace"), ("E002", "Replace"), ("E003", "leave the place empty")):
        path, replace = staff(event, f"entries/{code}/"), staff(event, f"seating/replace/{code}/")
        there, here = (director.get(each).content.decode() for each in (replace, path))
        button = re.search(r"<button[^>]*btn-stop-go[^>]*>(.*?)</button>", there).group(1)
        link = re.search(rf'<a [^>]*href="{replace}"[^>]*>(?:<svg.*?</svg>)?(.*?)</a>', here).group(1)
        assert link == button and button.endswith(confirm)
        assert ("the next-ranked takes the place" in here) == (confirm == "Replace")
        done(director.press(replace, reason="ill"))


@pytest.mark.parametrize("house", [False, True])
def test_an_empty_list_names_everything_that_can_wait_in_it(house):
    event = EventFactory()
    path = "/house/requests/" if house else staff(event, "requests/")
    page = unescape(Somebody("director").get(path).content.decode())
    waits = [str(each.words) for each in REQUESTS.values() if each.house is house]
    assert f"Nothing waits. A second person confirms here: {' · '.join(waits)}." in page


# What is done, not who or what it is done to, and not what to do.
ACT = re.compile(
    r"(Change|Correction|Disqualification|Payment|Penalty|Redraw|Renewal|Ruling|[A-Z][a-z]+ing)\b.*"
)


def test_what_a_second_person_confirms_is_named_by_the_act_of_every_kind():
    named = [str(each.words) for each in REQUESTS.values()]
    assert [each for each in named if not ACT.fullmatch(each)] == []
    assert [each for each in named if re.search(r" to be |, |^(A|An|The|New|Other) ", each)] == []


def test_a_draw_that_is_superseded_or_left_over_is_not_kept_for_a_later_one():
    event = EventFactory(opened=True)
    numbers = list(event.draws.order_by("number").values_list("number", flat=True))
    Draw.objects.filter(event=event, number=numbers[0]).update(status="superseded")
    Draw.objects.filter(event=event, number=numbers[1]).update(status="drawn")
    page = Client().get(f"/e/{event.slug}/draws/").content.decode()
    assert f"1 of {len(numbers)} drawn" in page
    Draw.objects.filter(event=event, number=numbers[1]).update(status="planned")
    page = Client().get(f"/e/{event.slug}/draws/").content.decode()
    assert f"0 of {len(numbers)} drawn" in page
    assert page.count("kept for a later draw") == len(numbers) - 1
    Event.objects.filter(pk=event.pk).update(status="called_off")
    page = Client().get(f"/e/{event.slug}/draws/").content.decode()
    assert "kept for a later draw" not in page and page.count("not used") == len(numbers) - 1
    assert "A draw that no round needed was never begun" in page
    assert "A draw that is superseded does not stand" in page
    page = Client().get(f"/e/{event.slug}/draws/{numbers[-1]}/").content.decode()
    assert "Not used: no round needed it, and its secret stays closed." in page
    assert "when the draw is due" not in page and "once the roster is locked" not in page


ONE_WORD = re.compile(r"\b[Aa]sked by\b|[Pp]ost the payouts|Payouts superseded|[Pp]rizes are posted\b")


def test_one_thing_has_one_word_on_every_page():
    """A request is asked for by somebody; what is posted and superseded is the payout structure (T31)."""
    root = Path(__file__).resolve().parents[2]
    read = [*(root / "templates").rglob("*.html"), *(root / "tournament").rglob("*.py")]
    read += (root / "pages").rglob("*.py")
    marked = re.compile(r'translate "([^"]*)"|%}([^{]*(?:{{[^}]*}}[^{]*)*){% endbl|_\(\s*"([^"]*)"')
    said = {text for path in read for found in marked.findall(path.read_text()) for text in found if text}
    assert len(said) > 800
    assert [each for each in said if ONE_WORD.search(each)] == []
