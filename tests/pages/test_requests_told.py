"""What waits for a second person, as every page tells it: who may do what, how many, and why not now."""

from __future__ import annotations

import re

import pytest

from tables.models import Shoe
from tables.services import counts, dealing
from tests.cast.at_tables import logged_in, text, url
from tests.cast.factories import EntryFactory, UserFactory, new_key
from tests.cast.floor import (
    confirm,
    count_both,
    hand,
    opened,
    rule,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
    take_chips,
)
from tournament.models import Event, Request, Round
from tournament.services.entries import entry_disqualify_request
from tournament.services.penalties import penalty_add, penalty_cancel

pytestmark = pytest.mark.django_db
EVEN = dict.fromkeys(range(1, 5), 5000)


def staff(event: Event, tail: str = "") -> str:
    return f"/staff/{event.slug}/{tail}"


def to_disqualify(round_: Round, box: int, table: int = 1) -> int:
    entry = stack_at(round_, box, table).entry
    asked = entry_disqualify_request(
        entry_id=entry.pk, reason="marked a card", key=new_key(), actor=UserFactory()
    )
    return int(asked["request"])


def two_tables() -> tuple[Round, Shoe, Shoe]:
    """Both shoes over; at table 1 the counts differ, table 2 has still to count."""
    round_ = seated(8, boxes_per_table=4)
    one, two = shoe_of(round_), shoe_of(round_, 2)
    shoe_over(one), shoe_over(two)
    for chips in (EVEN, EVEN | {1: 5200}):
        counts.count_enter(shoe_id=one.pk, chips=chips, key=new_key(), actor=UserFactory())
    return round_, one, two


def ruling_asked(shoe: Shoe) -> None:
    counts.count_rule(shoe_id=shoe.pk, chips=EVEN | {1: 5200}, reason="x", key=new_key(), actor=UserFactory())


# -- Why not now ------------------------------------------------------------------------------------------


def test_T26_while_a_hand_is_open_the_list_says_why_and_offers_no_confirmation():
    """In the words of the request's own page; once the hand is over it is offered again."""
    round_ = seated(4)
    asked, manager = to_disqualify(round_, 1), logged_in("manager")
    listed = staff(round_.event, "requests/")
    assert "Look at it and confirm" in text(manager.get(listed))
    deal = opened(shoe_of(round_), {1: 200, 2: 200}, "results")
    code = stack_at(round_, 1).entry.code
    why = f"It cannot be carried out as things stand: A hand is open at Table 1, where {code} sits."
    page = text(manager.get(listed))
    assert why in page and "Look at it and confirm" not in page
    assert why in text(manager.get(staff(round_.event, f"requests/{asked}/disqualification/")))
    dealing.deal_void(deal_id=deal.pk, reason="a card fell", key=new_key(), actor=None)
    page = text(manager.get(listed))
    assert "Look at it and confirm" in page and "cannot be carried out" not in page
    assert Request.objects.get(pk=asked).status == Request.Status.OPEN


def test_T26_chips_of_a_penalty_that_cannot_be_moved_now_are_not_offered_either():
    round_ = seated(4)
    entry, actor = stack_at(round_, 1).entry, UserFactory()
    taken = take_chips(entry, 300)
    penalty_cancel(penalty_id=taken["penalty"], reason="a mistake", key=new_key(), actor=actor)
    penalty_add(entry_id=entry.pk, kind="chips", chips=500, reason="late", key=new_key(), actor=actor)
    manager, listed = logged_in("manager"), staff(round_.event, "requests/")
    assert manager.get(listed).content.decode().count('value="approve"') == 2
    opened(shoe_of(round_), {1: 200}, "results")
    page = manager.get(listed)
    assert 'value="approve"' not in page.content.decode() and 'value="refuse"' in page.content.decode()
    assert text(page).count("A hand is open at Table 1") == 2


def test_T26_chips_that_are_to_be_taken_are_asked_for_with_the_stack_before_and_after():
    """As it stands now, on every page that says what waits; what is answered says nothing of a stack now."""
    round_ = seated(4)
    entry, actor = stack_at(round_, 1).entry, UserFactory()
    asked = penalty_add(entry_id=entry.pk, kind="chips", chips=300, reason="late", key=new_key(), actor=actor)
    tails = ("requests/", f"entries/{entry.code}/", f"rounds/{round_.pk}/")
    manager = logged_in("manager", "director")

    def say(words: str) -> list[bool]:
        return [words in text(manager.get(staff(round_.event, tail))) for tail in tails]

    assert all(say("The stack as it stands: 5,000 → 4,700."))
    hand(shoe_of(round_), {1: 200, 2: 200, 3: 200, 4: 200}, b1="win", b2="win", b3="win", b4="win")
    assert all(say("The stack as it stands: 5,200 → 4,900."))
    confirm(asked)
    assert stack_at(round_, 1).chips == 4900 and not any(say("The stack as it stands"))
    back = penalty_cancel(penalty_id=entry.penalties.get().pk, reason="no", key=new_key(), actor=actor)
    assert all(say("The stack as it stands: 4,900 → 5,200."))
    confirm(back)
    assert stack_at(round_, 1).chips == 5200 and not any(say("The stack as it stands"))


def test_T26_of_chips_that_cannot_be_taken_any_more_no_stack_is_said():
    round_ = seated(4)
    entry = stack_at(round_, 1).entry
    penalty_add(entry_id=entry.pk, kind="chips", chips=300, reason="x", key=new_key(), actor=UserFactory())
    confirm(entry_disqualify_request(entry_id=entry.pk, reason="x", key=new_key(), actor=UserFactory()))
    page = text(logged_in("manager").get(staff(round_.event, "requests/")))
    assert "No longer holds" in page and "The stack as it stands" not in page


def test_T26_nobody_is_shown_as_disqualified_while_it_is_only_asked_for():
    round_ = seated(4)
    asked, manager = to_disqualify(round_, 1), logged_in("manager")
    path = staff(round_.event, f"requests/{asked}/disqualification/")
    lines = manager.get(path).content.decode().split('id="preview"')[1].split("</table>")[0]
    assert "Disqualification asked for" in lines and "pill-bad" not in lines
    confirm({"request": asked})
    lines = manager.get(path).content.decode().split('id="preview"')[1].split("</table>")[0]
    assert "Disqualified" in lines and "asked for" not in lines and "pill-bad" in lines


def test_T18_what_waits_is_not_said_to_keep_all_chips_where_they_are():
    """Hands go on at the table while a penalty waits: only what is asked for stands still."""
    round_ = seated(4)
    to_disqualify(round_, 1)
    entry = stack_at(round_, 2).entry
    penalty_add(entry_id=entry.pk, kind="chips", chips=300, reason="x", key=new_key(), actor=UserFactory())
    hand(shoe_of(round_), {1: 200, 2: 200, 3: 200, 4: 200}, b1="win", b2="win", b3="win", b4="win")
    for tail in (f"rounds/{round_.pk}/", "tables/1/"):
        page = text(logged_in("director").get(staff(round_.event, tail)))
        assert "o chips move" not in page
    page = text(logged_in("director").get(staff(round_.event, f"rounds/{round_.pk}/")))
    assert "What waits here changes nothing until another director, or a manager, has confirmed it." in page
    assert "The ranking moves with every hand." in page


def test_a_request_has_one_button_on_the_page_of_its_entry():
    """To its own page where it has one, to the list where it is answered there."""
    round_ = seated(4)
    asked, entry = to_disqualify(round_, 1), stack_at(round_, 1).entry
    path, client = staff(round_.event, f"entries/{entry.code}/"), logged_in("director")
    listed = f'class="btn" href="{staff(round_.event, "requests/")}"'
    own = f'class="btn" href="{staff(round_.event, f"requests/{asked}/disqualification/")}"'
    page = client.get(path).content.decode()
    assert (page.count(own), page.count(listed)) == (1, 0)
    penalty_add(entry_id=entry.pk, kind="chips", chips=300, reason="x", key=new_key(), actor=UserFactory())
    page = client.get(path).content.decode()
    assert (page.count(own), page.count(listed)) == (1, 1)


# -- Who -------------------------------------------------------------------------------------------------


def test_T18_the_floor_counts_while_a_ruling_waits_and_looks_at_its_counts():
    round_, one, two = two_tables()
    ruling_asked(one)
    floor = logged_in("floor")
    page = floor.get(staff(round_.event)).content.decode()
    assert "Another role does this" not in page
    next_go = re.search(r'<a id="next-go"[^>]*href="([^"]*)">([^<]*)<', page)
    assert next_go is not None and next_go.groups() == (url(one, "count/"), "Look at the counts")
    assert "Table 2 has to count" in page and f'href="{url(two, "count/")}">Count the chips' in page
    assert floor.get(url(one, "count/")).status_code == 200


def test_T18_while_counts_differ_whoever_counts_the_other_table_is_sent_there():
    round_, one, two = two_tables()
    for role in ("floor", "dealer", "director"):
        page = logged_in(role).get(staff(round_.event)).content.decode()
        assert f'href="{url(two, "count/")}">Count the chips' in page, role
    floor = logged_in("floor").get(staff(round_.event)).content.decode()
    assert "Rule on table 1</a>" not in floor and f'href="{url(one, "count/")}">Look at the counts' in floor


def test_the_floor_is_not_sent_to_requests_that_it_cannot_confirm():
    round_, one, _two = two_tables()
    ruling_asked(one)
    to_disqualify(round_, 1, 2)
    to = staff(round_.event, "requests/")
    pages = (staff(round_.event), url(one, "count/"), staff(round_.event, f"rounds/{round_.pk}/"))
    floor, manager = logged_in("floor"), logged_in("manager")
    for path in pages:
        sent = [
            page.get(path).content.decode().count(f'class="btn{kind}" href="{to}')
            for page in (floor, manager)
            for kind in ("", " btn-go")
        ]
        assert sent[:2] == [0, 0] and sum(sent[2:]) > 0, path
    assert floor.get(to).status_code == 200, "it may read them"


# -- How many, and one word ------------------------------------------------------------------------------


def test_T18_tonight_says_as_many_requests_as_the_list_has():
    round_, one, _two = two_tables()
    ruling_asked(one)
    to_disqualify(round_, 1, 2)
    manager = logged_in("manager")
    tonight = text(manager.get(staff(round_.event)))
    assert "Table 1: a ruling waits for a second person" in tonight
    assert "1 more request waits for a second person" in tonight
    assert (
        '<h2 id="wait-title">Waiting</h2><span>2</span>'
        in manager.get(staff(round_.event, "requests/")).content.decode()
    )


def test_alone_a_request_is_no_further_one():
    entry = EntryFactory()
    entry_disqualify_request(entry_id=entry.pk, reason="x", key=new_key(), actor=UserFactory())
    assert "1 request waits for a second person" in text(logged_in("manager").get(staff(entry.event)))


def test_T18_a_table_that_is_counted_by_ruling_is_called_the_same_on_every_page():
    round_ = seated(8, boxes_per_table=4)
    one, two = shoe_of(round_), shoe_of(round_, 2)
    hand(one, {1: 200}, b1="win")
    shoe_over(one), shoe_over(two)
    count_both(one, EVEN)
    rule(one, EVEN)
    director = logged_in("director")
    for tail in ("", "tables/", f"rounds/{round_.pk}/"):
        page = text(director.get(staff(round_.event, tail)))
        assert (page.count(" Ruled on "), page.count(" Counted ")) == (1, 0), tail
    assert "Ruled on" in text(director.get(url(one, "count/")))
