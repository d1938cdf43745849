"""A refusal stands where the press was made: in the form that is open again, else on top of its page."""

import re
from typing import Any

import pytest

from tests.cast.at_desk import Somebody, codes, done, staff
from tests.cast.at_tables import Clerk, dealer_at
from tests.cast.factories import EntryFactory, round_seat
from tests.cast.floor import disqualify, seated, shoe_of
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


@pytest.mark.parametrize("do", ["cut", "close", "absent"])
def test_of_what_is_pressed_between_two_hands(do: str) -> None:
    shoe = shoe_of(seated(3))
    clerk = Clerk(dealer_at(shoe) if do != "absent" else Somebody("floor").client, shoe)
    answer = clerk.press(do, key="", reason="A reason", stack=str(shoe.round.stacks.first().pk))
    assert answer.status_code == 422
    in_its_form(answer, "no_key")


def test_T26_of_a_form_that_is_no_longer_on_the_page_of_an_entry() -> None:
    """Nobody is left without an answer: it stands on top of the page, for there is no form to open again."""
    entry, director = EntryFactory(), Somebody("director")
    path = staff(EntryFactory(event=entry.event).event, "entries/E001/")
    has_form = lambda: 'disqualify/"' in director.get(path).content.decode()  # noqa: E731 - a word
    assert has_form()
    done(director.press(path + "disqualify/", reason="marked cards"))
    assert not has_form(), "the form is closed while a second person is asked"
    on_top(director.press(path + "disqualify/", reason="marked cards"), "already_asked")
    on_top(director.client.post(path + "disqualify/", {}), "already_asked")
    on_top(director.client.post(path + "disqualify/", {"reason": "marked cards"}), "no_key")
    disqualify(entry.event, "E002")
    path = staff(entry.event, "entries/E002/")
    on_top(director.press(path + "penalty/", kind="warning", reason="late"), "not_in_the_event")
    on_top(director.client.post(path + "penalty/", {"kind": "warning"}), "not_in_the_event")
    on_top(director.client.post(path + "withdraw/", {}), "no_key")
