"""What waits for a second person, or for a table, as every page tells it (T17, T26)."""

import re
from typing import Any

import pytest
from django.test import Client

from pages.bases import effects_basis
from pages.director.reads.floor_facts import due_words
from tables.models import Deal, Shoe
from tables.selectors.next_hand import due_by_table
from tables.services import counts, dealing
from tests.cast.at_desk import codes, staff
from tests.cast.at_tables import HTMX, dealer_at, logged_in, text, url
from tests.cast.calls import refused
from tests.cast.corrected import correct
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import confirm, hand, opened, person, seated, shoe_of, shoe_over, stack_at, take_chips
from tests.cast.leaving import ask, three_level
from tests.cast.worlds import kept
from tournament.models import Event, JournalEntry, Request, Round, Stack
from tournament.selectors.basis import holds
from tournament.selectors.desk import database_now
from tournament.services.entries import entry_disqualify_request
from tournament.services.penalties import penalty_add, penalty_cancel
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db
EVEN = dict.fromkeys(range(1, 5), 5000)


def test_T26_while_a_hand_is_open_the_list_says_why_and_offers_no_confirmation():
    """Neither of a disqualification nor of chips; once the hand is over both are offered again."""
    round_, manager = seated(4), logged_in("manager")
    one, two = (stack_at(round_, box).entry_id for box in (1, 2))
    given = {"reason": "late", "key": new_key(), "actor": UserFactory()}
    asked = entry_disqualify_request(entry_id=one, **given)["request"]
    penalty_add(entry_id=two, kind="chips", chips=500, **given | {"key": new_key()})
    listed, own = staff(round_.event, "requests/"), staff(round_.event, f"requests/{asked}/disqualification/")

    def offered() -> tuple[int, int]:
        page = manager.get(listed).content.decode()
        return page.count("data-confirm"), page.count('value="approve"')

    before = offered()
    assert all(before) and not codes(manager.get(listed))
    deal = opened(shoe_of(round_), {1: 200, 2: 200}, "results")
    assert offered() == (0, 0) and codes(manager.get(listed)).count("hand_open") == 2
    assert "hand_open" in codes(manager.get(own)) and b"data-confirm" not in manager.get(own).content
    dealing.deal_void(deal_id=deal.pk, reason="a card fell", key=new_key(), actor=None)
    assert offered() == before
    assert Request.objects.get(pk=asked).status == Request.Status.OPEN


def test_T26_a_hand_of_a_tie_makes_the_page_of_a_disqualification_stale_and_one_of_a_round_does_not():
    for stage, matters in ((seated(3), False), (three_level(sudden_death_chips=1000), True)):
        asked = ask(stage.event, stack_at(stage, 1).entry.code)
        seen = str(effects_basis(asked))
        hand(shoe_of(stage), dict.fromkeys((1, 2, 3), 200), b1="push", b2="push", b3="lose")
        assert holds(effects_basis(asked), seen) is not matters


def test_T26_chips_that_are_to_be_taken_are_asked_for_with_the_stack_before_and_after():
    """As it stands now, on every page that says what waits."""
    round_ = seated(4)
    entry, actor = stack_at(round_, 1).entry, UserFactory()
    asked = penalty_add(entry_id=entry.pk, kind="chips", chips=300, reason="late", key=new_key(), actor=actor)
    manager = logged_in("manager", "director")

    def say(words: str) -> set[bool]:
        tails = ("requests/", f"entries/{entry.code}/", f"rounds/{round_.pk}/")
        return {words in text(manager.get(staff(round_.event, tail))) for tail in tails}

    hand(shoe_of(round_), {1: 200, 2: 200, 3: 200, 4: 200}, b1="win", b2="win", b3="win", b4="win")
    assert say("5,200 → 4,900") == {True}
    confirm(asked)
    assert stack_at(round_, 1).chips == 4900 and say("5,200 → 4,900") == {False}
    penalty_cancel(penalty_id=entry.penalties.get().pk, reason="no", key=new_key(), actor=actor)
    assert say("4,900 → 5,200") == {True}


def test_the_floor_is_not_sent_to_requests_that_it_cannot_confirm():
    round_ = seated(4)
    shoe_over(shoe_of(round_))
    shoe = shoe_of(round_)
    for chips in (EVEN, EVEN | {1: 5200}):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    ruled = {"chips": EVEN | {1: 5200}, "reason": "x", "key": new_key(), "actor": UserFactory()}
    counts.count_rule(shoe_id=shoe.pk, **ruled)
    to = staff(round_.event, "requests/")
    floor, manager = logged_in("floor"), logged_in("manager")
    link = re.compile(rf'class="btn(?: btn-go)?" href="{to}')
    for path in (staff(round_.event), url(shoe, "count/"), staff(round_.event, f"rounds/{round_.pk}/")):
        sent = [len(link.findall(page.get(path).content.decode())) for page in (floor, manager)]
        assert sent[0] == 0 and sent[1] > 0, path


@kept
def two_boxes_due() -> Shoe:
    """A table of three: 600 are to be taken from box 1, and 400 given to box 2."""
    round_ = seated(3)
    hand(shoe_of(round_), {1: 200, 2: 200, 3: 200}, b1="push", b2="lose", b3="lose")
    correct(Deal.objects.get(), b1="push", b2="win", b3="lose")
    take_chips(stack_at(round_, 1).entry, 600)
    return shoe_of(round_)


def told(client: Client, shoe: Shoe) -> list[tuple[str, str]]:
    """Box and chips, as the table's page names them."""
    page = client.get(url(shoe)).content.decode()
    return re.findall(r'data-box="(\d)" data-chips="(-?\d+)"', page)


def due(shoe: Shoe) -> dict[int, int]:
    found = due_by_table(Round.objects.get(pk=shoe.round_id))
    return {each.box: each.chips for each in found.get(shoe.table.number, ())}


def press(client: Client, shoe: Shoe, do: str = "due", **fields: Any) -> Any:
    sent = {"do": do, "key": new_key(), "shoe": shoe.pk, "basis": "fresh", **fields}
    return client.post(url(shoe), sent, **HTMX)


def test_T17_T26_the_dealer_of_the_table_is_told_and_confirms():
    """So do the floor and the director at every table; a dealer of no table and the auditor do not."""
    shoe = two_boxes_due()
    for role in ("dealer", "cashier"):
        assert press(logged_in(role), shoe).status_code == 403
    assert b'value="due"' not in logged_in("auditor").get(url(shoe)).content
    words, path = due_words(due_by_table(shoe.round)[shoe.table.number]), f"/staff/{shoe.round.event.slug}/"
    floor, tails = logged_in("floor"), ("", "tables/")
    for tail in tails:
        page = floor.get(path + tail).content.decode()
        assert words and words in page and f'href="{path}tables/1/"' in page
    client = dealer_at(shoe)
    assert told(floor, shoe) == told(client, shoe) == [("1", "-600"), ("2", "400")]
    assert press(client, shoe).status_code == 200
    assert (told(client, shoe), due(shoe)) == ([], {})
    entry = JournalEntry.objects.get(kind="chips.due")
    assert entry.result["due"] == {"1": -600, "2": 400}
    assert entry.actor == client.user  # type: ignore[attr-defined]  # set by ``dealer_at``
    assert not [tail for tail in tails if words in floor.get(path + tail).content.decode()]
    again = press(floor, shoe)
    assert (again.status_code, codes(again)) == (409, ["no_chips_due"])


def test_T26_while_a_hand_is_on_the_table_a_line_alone_says_what_comes_after_it():
    """A hand that was opened in the very moment in which a penalty was confirmed is played on."""
    round_ = seated(2)
    hand(shoe_of(round_), {1: 200, 2: 200}, b1="win", b2="lose")
    shoe, client = shoe_of(round_), logged_in("floor")
    opened = dealing.deal_open(shoe_id=shoe.pk, bets={1: 200, 2: 200}, actor=None)
    Stack.objects.filter(pk=stack_at(round_, 1).pk).update(due_chips=-800)
    assert (told(client, shoe), "chips_due" in codes(client.get(url(shoe)))) == ([], True)
    dealing.deal_void(deal_id=opened["deal"], reason="misdeal", key=new_key(), actor=None)
    assert told(client, shoe) == [("1", "-800")]


@pytest.mark.parametrize("fields", [{"do": "bets"}, {"do": "bets", "card": "Ts"}])
def test_T26_bets_that_are_called_too_early_stay_on_the_page_that_says_what_is_due(fields: dict[str, str]):
    shoe, bets = two_boxes_due(), {"bet-1": 200, "bet-2": 400, "bet-3": 200}
    # The refusal and the panel say what is due, until the floor has confirmed it; what was typed stays.
    for do, status, said in ((fields, 409, 2), ({"do": "due"}, 200, 0)):
        answer = press(logged_in("floor"), shoe, **do, **bets)
        assert (answer.status_code, codes(answer).count("chips_due")) == (status, said)
        assert re.search(r'value="400"[^>]* checked', answer.content.decode())


def test_a_request_of_a_kind_that_is_gone_has_lapsed_and_is_refused():
    """The release before had requests of kind ``prize_sharing``; in a paid event nothing is approved."""
    event, manager, actor = seated(4).event, logged_in("manager"), person("manager")
    given = {"kind": "prize_sharing", "body": {}, "reason": "so ruled", "requested_at": database_now()}
    asked = Request.objects.create(event=event, requested_by=person("director"), **given)
    for tail in ("", "requests/", "journal/"):
        assert manager.get(staff(event, tail)).status_code == 200
    assert "No longer holds" in text(manager.get(staff(event, "requests/")))
    for status, code in (("paid", "event_over"), ("running", "lapsed")):
        Event.objects.filter(pk=event.pk).update(status=status)
        with refused(code, 409):
            request_decide(request_id=asked.pk, approve=True, key=new_key(), actor=actor)
    request_decide(request_id=asked.pk, approve=False, key=new_key(), actor=actor)
    assert manager.get(staff(event, "requests/")).status_code == 200
