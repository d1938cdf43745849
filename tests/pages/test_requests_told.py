"""What waits for a second person, as every page tells it: who may do what, how many, and why not now."""

from __future__ import annotations

import re

import pytest

from tables.services import counts, dealing
from tests.cast.at_desk import codes
from tests.cast.at_tables import logged_in, text, url
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    confirm,
    hand,
    opened,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
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


# -- Why not now ------------------------------------------------------------------------------------------


def test_T26_while_a_hand_is_open_the_list_says_why_and_offers_no_confirmation():
    """Neither of a disqualification nor of chips; once the hand is over both are offered again."""
    round_, manager = seated(4), logged_in("manager")
    asked, entry = to_disqualify(round_, 1), stack_at(round_, 2).entry
    penalty_add(entry_id=entry.pk, kind="chips", chips=500, reason="late", key=new_key(), actor=UserFactory())
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


def test_T26_chips_that_are_to_be_taken_are_asked_for_with_the_stack_before_and_after():
    """As it stands now, on every page that says what waits; what is answered says nothing of a stack now."""
    round_ = seated(4)
    entry, actor = stack_at(round_, 1).entry, UserFactory()
    asked = penalty_add(entry_id=entry.pk, kind="chips", chips=300, reason="late", key=new_key(), actor=actor)
    tails = ("requests/", f"entries/{entry.code}/", f"rounds/{round_.pk}/")
    manager = logged_in("manager", "director")

    def say(words: str) -> list[bool]:
        return [words in text(manager.get(staff(round_.event, tail))) for tail in tails]

    assert all(say("5,000 → 4,700"))
    hand(shoe_of(round_), {1: 200, 2: 200, 3: 200, 4: 200}, b1="win", b2="win", b3="win", b4="win")
    assert all(say("5,200 → 4,900"))
    confirm(asked)
    assert stack_at(round_, 1).chips == 4900 and not any(say("5,200 → 4,900"))
    back = penalty_cancel(penalty_id=entry.penalties.get().pk, reason="no", key=new_key(), actor=actor)
    assert all(say("4,900 → 5,200"))
    confirm(back)
    assert stack_at(round_, 1).chips == 5200 and not any(say("4,900 → 5,200"))


def test_T26_nobody_is_shown_as_disqualified_while_it_is_only_asked_for():
    round_ = seated(4)
    asked, manager = to_disqualify(round_, 1), logged_in("manager")
    path = staff(round_.event, f"requests/{asked}/disqualification/")
    lines = manager.get(path).content.decode().split('id="preview"')[1].split("</table>")[0]
    assert "pill-due" in lines and "pill-bad" not in lines
    confirm({"request": asked})
    lines = manager.get(path).content.decode().split('id="preview"')[1].split("</table>")[0]
    assert "Disqualified" in lines and "asked for" not in lines and "pill-bad" in lines


# -- Who -------------------------------------------------------------------------------------------------


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
