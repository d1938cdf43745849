"""A refusal stands where the press was made: in the form that is open again, else on top of its page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.cast.at_desk import Somebody, codes, done, staff
from tests.cast.at_tables import Clerk, dealer_at
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, round_seat
from tests.cast.floor import seated, shoe_of
from tests.cast.payments import disqualify
from tournament.models import Penalty

pytestmark = pytest.mark.django_db
ALERT = 'role="alert"'
OPEN = re.compile(r'<details class="(?:ask|foot-more)[^"]*" open>.*?</details>', re.S)


def said(answer: Any) -> str:
    """The page without what its script may say later."""
    return re.sub(r"<template.*?</template>", "", answer.content.decode(), flags=re.S)


def opened(answer: Any) -> str:
    """The one form of the page that is open again."""
    found = OPEN.findall(answer.content.decode())
    assert len(found) == 1, found
    return str(found[0])


def in_its_form(answer: Any, code: str) -> None:
    text = said(answer)
    assert f'data-code="{code}"' in opened(answer), codes(answer)
    # Said once: above, it would stand behind what is open.
    assert text.count(ALERT) == opened(answer).count(ALERT) == 1


def on_top(answer: Any, code: str) -> None:
    assert code in codes(answer), codes(answer)
    assert not OPEN.search(answer.content.decode())


def test_of_a_penalty_that_is_cancelled() -> None:
    entry, director = EntryFactory(), Somebody("director")
    EntryFactory(event=entry.event)
    round_seat(entry.event)
    path = staff(entry.event, "entries/E001/penalty/")
    for reason in ("Late bet", "Too loud"):
        done(director.press(path, kind="warning", reason=reason))
    penalty, other = Penalty.objects.order_by("pk")
    cancel = f"{path}{penalty.pk}/cancel/"
    in_its_form(director.press(cancel, key="", reason="In time"), "no_key")
    in_its_form(director.press(cancel, basis="", reason="In time"), "no_basis")
    done(director.press(cancel, reason="In time"))
    on_top(director.press(cancel, reason="In time"), "already_cancelled")
    assert not Penalty.objects.get(pk=other.pk).cancelled_at


def test_of_a_new_password_and_never_in_the_form_of_the_roles() -> None:
    director, person = Somebody("director"), UserFactory(roles=["cashier"])
    answer = director.press(f"/house/staff/{person.pk}/password/", key="", reason="Forgot it")
    in_its_form(answer, "no_key")
    manager = UserFactory(roles=["manager", "director"])
    on_top(
        Somebody("manager").press(f"/house/staff/{manager.pk}/password/", reason="Forgot it"), "roles_lacking"
    )


def test_of_a_desk_that_is_closed_again() -> None:
    event, director = EventFactory(), Somebody("director")
    in_its_form(director.press(staff(event, "setup/again/"), key=""), "no_key")
    sold = EntryFactory().event
    on_top(director.press(staff(sold, "setup/again/")), "entries_sold")


@pytest.mark.parametrize("do", ["cut", "close", "absent"])
def test_of_what_is_pressed_between_two_hands(do: str) -> None:
    shoe = shoe_of(seated(3))
    clerk = Clerk(dealer_at(shoe) if do != "absent" else Somebody("floor").client, shoe)
    answer = clerk.press(do, key="", reason="A reason", stack=str(shoe.round.stacks.first().pk))
    assert answer.status_code == 422
    in_its_form(answer, "no_key")


def test_of_bets_it_stands_first_on_the_page_and_stays_in_sight() -> None:
    clerk = Clerk(dealer_at(shoe := shoe_of(seated(3))), shoe)
    text = clerk.press("bets", **{"bet-1": 300}).content.decode()
    assert text.count(ALERT) == 1
    assert text.index('class="refused"') < text.index(ALERT) < text.index('id="entering"')
    results = clerk.press("results", mode="results", **{"bet-1": 400, "out-1": ""}).content.decode()
    assert results.count(ALERT) == 1
    assert results.index('class="refused"') < results.index(ALERT) < results.index('id="entering"')


def test_of_a_form_that_is_no_longer_on_the_page_of_an_entry() -> None:
    """Nobody is left without an answer: it stands on top of the page, for there is no form to open again."""
    entry, director = EntryFactory(), Somebody("director")
    path = staff(EntryFactory(event=entry.event).event, "entries/E001/")

    def pressed(tail: str, **fields: str) -> Any:
        return director.client.post(f"{path}{tail}/", fields)

    done(director.press(path + "disqualify/", reason="marked cards"))
    on_top(pressed("disqualify"), "already_asked")
    on_top(director.press(path + "disqualify/", reason="marked cards"), "already_asked")
    on_top(pressed("disqualify", reason="marked cards"), "no_key")
    disqualify(entry.event, "E002")
    path = staff(entry.event, "entries/E002/")
    on_top(pressed("disqualify"), "not_in_the_event")
    for fields in ({}, {"kind": "warning"}):
        on_top(pressed("penalty", **fields), "not_in_the_event")
    on_top(director.press(path + "penalty/", kind="warning", reason="late"), "not_in_the_event")
    for refused in (pressed("penalty", reason="late"), pressed("withdraw")):
        assert ALERT in said(refused)
    on_top(pressed("withdraw"), "no_key")


def test_of_somebody_new_where_the_desk_is_closed() -> None:
    entry, director = EntryFactory(), Somebody("director")
    done(director.press(staff(entry.event, "call-off/"), reason="Flood"))
    answer = director.client.post(staff(entry.event, "desk/player/"), {})
    on_top(answer, "called_off")
    assert said(answer).count(ALERT) == 1 and codes(answer).count("called_off") == 1
