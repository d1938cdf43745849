"""The page of a request, and the list of them: a reason is said once, and each is tried once (T17, T26)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast.at_tables import logged_in
from tests.cast.corrected import post, round_1
from tests.cast.correction_asked import SWAPPED, asked_for, page_of
from tests.cast.every_page import disqualification_asked
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import person
from tests.cast.form import Form
from tests.cast.screens import Screen
from tournament.models import Event, Request
from tournament.services.entries import entry_disqualify_request
from tournament.services.requests import request_decide

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def correction() -> tuple[Request, Callable[[Request], str]]:
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    return asked_for(old, outcomes=SWAPPED), page_of


def disqualification() -> tuple[Request, Callable[[Request], str]]:
    asked = disqualification_asked(Event.Kind.TOURNAMENT)
    return asked, lambda each: f"/staff/{each.event.slug}/requests/{each.pk}/disqualification/"


def asked_again(asked: Request) -> Request:
    """The same once more, as where two had asked before it was refused to the second."""
    again = Request.objects.get(pk=asked.pk)
    again.pk = None
    again.save()
    return again


@pytest.mark.parametrize("make", [correction, disqualification])
@pytest.mark.parametrize("fresh", [True, False])
def test_asked_twice_and_one_answered_the_other_says_once_why_it_cannot_be(make: Callable, fresh: bool):
    one, page = make()
    two = asked_again(one)
    form = Form(page(two), page(two), typed={"answer": "approve"})
    screen = Screen(form)
    request_decide(request_id=one.pk, approve=True, key=new_key(), actor=person("manager"))
    if fresh:
        screen = Screen(form)
    told = screen.send(form).content.decode()
    why = "is reversed" if make is correction else "is disqualified already"
    notes = re.findall(r'<div class="note note-bad".*?<div>(.*?)</div></div>', told.split("<template")[0])
    assert [why in each for each in notes] == [True], notes
    looked = screen.client.get(page(two)).content.decode().split("<template")[0]
    assert looked.count(why) == 1


def tried(client: object, path: str) -> int:
    """How often a load carries something out and takes it back."""
    client.get("/house/")  # the session is prolonged once a minute
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return sum(each["sql"].startswith("ROLLBACK TO SAVEPOINT") for each in asked.captured_queries)


def test_each_request_that_waits_is_tried_once_in_a_load_and_no_other():
    asked, _page = correction()
    listed, client = f"/staff/{asked.event.slug}/requests/", logged_in("manager")
    boss = UserFactory(roles=["director"])
    entries = asked.event.entries.order_by("number")[:3]
    for entry in entries:
        about = {"entry_id": entry.pk, "reason": "marked a card", "key": new_key(), "actor": boss}
        entry_disqualify_request(**about)
    waiting = list(Request.objects.filter(event=asked.event, status=Request.Status.OPEN))
    tails = {"correct_after_close": "correction", "disqualify": "disqualification"}
    own = {each.pk: f"{listed}{each.pk}/{tails[each.kind]}/" for each in waiting}
    assert len(waiting) == 4
    assert tried(client, listed) == 4
    assert [tried(client, path) for path in own.values()] == [1, 1, 1, 1]
    # What is answered is only read.
    for answered, (pk, path) in enumerate(own.items(), start=1):
        request_decide(request_id=pk, approve=False, key=new_key(), actor=person("manager"))
        assert (tried(client, listed), tried(client, path)) == (4 - answered, 0)
