"""The second person (faults, Who may do what)."""

import pytest
from django.db import IntegrityError, transaction

from tests.cast.calls import at_once, codes, refused
from tests.cast.factories import EventFactory, UserFactory, new_key
from tournament.models import Event, Request
from tournament.selectors.desk import requests_decided, requests_waiting
from tournament.services import events, requests

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def done(monkeypatch):
    """A kind of request that only notes that it was carried out."""
    carried_out = []

    def carry_out(cmd, request):
        carried_out.append(request.body)
        return {"carried_out": request.body}

    monkeypatch.setitem(requests._handlers, "redraw", carry_out)
    return carried_out


def ask(event, actor, reason="the cards fell", body=None, kind="redraw"):
    asked = requests.request_open(
        event_id=event.pk, kind=kind, body=body or {"draw": 1}, reason=reason, key=new_key(), actor=actor
    )
    return asked["request"]


def decide(request_id, actor, approve=True, key=None):
    return requests.request_decide(request_id=request_id, approve=approve, key=key or new_key(), actor=actor)


def test_second_person_confirms_and_it_is_done_in_the_same_command(done):
    event, one, two = EventFactory(), UserFactory(), UserFactory()
    asked = ask(event, one)
    assert [r.pk for r in requests_waiting(event)] == [asked]
    answer = decide(asked, two)
    assert answer == {"request": asked, "status": "approved", "done": {"carried_out": {"draw": 1}}}
    written = event.journal.latest("seq")
    assert (written.kind, written.approver) == ("request.decide", two)
    assert written.body["noted"] == {"kind": "redraw", "requested_by": one.pk}
    assert [r.decided_by for r in requests_decided(event)] == [two]


def test_nobody_confirms_their_own_request_but_takes_it_back(done):
    event, one = EventFactory(), UserFactory()
    asked = ask(event, one)
    with refused("own_request", 403):
        decide(asked, one)
    with pytest.raises(IntegrityError, match="nobody_approves_their_own_request"), transaction.atomic():
        Request.objects.filter(pk=asked).update(decided_by=one)
    assert decide(asked, one, approve=False)["status"] == "refused"
    assert done == [] and ask(event, one) != asked
    nobodys = ask(event, None, body={"draw": 2})
    with refused("own_request", 403):
        decide(nobodys, None)


def test_in_a_rehearsal_one_person_may_be_both_and_the_journal_says_so(done):
    for kind in ("rehearsal", "simulation"):
        event, one = EventFactory(kind=kind), UserFactory()
        decide(ask(event, one), one)
        assert event.journal.latest("seq").body["noted"]["one_person"] is True
    assert len(done) == 2


def test_request_is_answered_once(done, monkeypatch):
    event, one, two = EventFactory(), UserFactory(), UserFactory()
    asked = ask(event, one)
    first = decide(asked, two, key="tap")
    assert decide(asked, two, key="tap") == first
    with refused("already_decided", 409):
        decide(asked, two, approve=False)
    assert len(done) == 1

    def too_late(cmd, request):
        raise requests.Refused("too_late", "Too late.", status=409)

    # What the second person's act refuses leaves the request open.
    monkeypatch.setitem(requests._handlers, "redraw", too_late)
    again = ask(event, one)
    with refused("too_late", 409):
        decide(again, two)
    assert Request.objects.get(pk=again).status == "open"


def test_same_request_waits_only_once():
    event, one = EventFactory(), UserFactory()
    ask(event, one)
    with refused("already_asked", 409):
        ask(event, UserFactory())
    ask(event, one, body={"draw": 2})


def test_request_that_cannot_be_is_refused():
    event, one = EventFactory(), UserFactory()
    for given, code in [
        ({"kind": "free lunch"}, "request_unknown"),
        ({"reason": " "}, "reason_missing"),
        ({"reason": "x" * 201}, "text_too_long"),
    ]:
        with refused(code):
            ask(event, one, **given)


def test_request_is_not_confirmed_in_an_event_that_was_called_off(done):
    event, one, two = EventFactory(), UserFactory(), UserFactory()
    asked = ask(event, one)
    events.event_call_off(event_id=event.pk, reason="rain", key=new_key(), actor=one)
    with refused("event_over", 409):
        decide(asked, two)
    assert done == []
    assert decide(asked, two, approve=False)["status"] == "refused"


@pytest.mark.django_db(transaction=True)
def test_two_second_persons_at_once_carry_it_out_once(done):
    event, one = EventFactory(), UserFactory()
    asked = ask(event, one)
    two, three = UserFactory(), UserFactory()
    answers = at_once(lambda: decide(asked, two), lambda: decide(asked, three))
    assert codes(answers) == ["already_decided"]
    assert len(done) == 1
    assert Event.objects.get(pk=event.pk).journal.filter(kind="request.decide").count() == 1
