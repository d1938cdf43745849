"""Disqualified after they left: who withdrew from a round that had ranked them (T26)."""

from __future__ import annotations

import pytest

from ground.refused import Refused
from tests.cast import playing
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.disqualified import LISTED, PRIZES, disqualify, gone_in_round_2, places, withdraw
from tests.cast.factories import EntryFactory, new_key, round_seat, round_to
from tournament.models import Entry, Event, Stack
from tournament.selectors.entrants import entrants_of
from tournament.selectors.penalties import why_not_disqualify
from tournament.selectors.prizes import prizes_for
from tournament.selectors.stage_ranking import stage_ranking
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


def play(event: Event, number: int) -> None:
    """The rounds that are left, up to ``number``; the lowest code ends on top."""
    while event.rounds.filter(kind="round").count() < number:
        event.refresh_from_db()
        round_ = round_seat(event)
        playing.win(round_, **playing.ladder(round_))
        playing.close(round_)
    event.refresh_from_db()


def by_code(event: Event) -> dict[str, int]:
    return {event.entries.get(pk=pk).code: cents for pk, cents in prizes_for(event).items() if cents}


def test_T26_who_withdrew_after_a_ranked_round_loses_the_place_and_its_prize():
    event = gone_in_round_2(4)
    play(event, 3)
    assert places(event) == {"E001": 1, "E002": 2, "E003": 3, "E004": 4}
    assert by_code(event)["E004"] == 5_000
    disqualify(event, "E004")
    assert event.entries.get(code="E004").status == "disqualified"
    assert by_code(event) == {"E001": 22_222, "E002": 16_667, "E003": 11_111}
    assert reconcile(event) == []


@pytest.mark.parametrize("when", ["in the round", "between rounds", "after the places are decided"])
def test_T26_those_behind_who_withdrew_move_up_whenever_it_is_found_out(when: str):
    event = playing.round_1_closed(6, stacks="reset", cut_after_round_1=4, cut_after_round_2=4, **LISTED)
    playing.post(event, {**PRIZES, "amounts": [20_000, 15_000, 10_000, 5_000, 5_000]})
    withdraw(event, "E005")
    if when == "between rounds":
        disqualify(event, "E005")
    round_ = round_seat(event)
    round_to(round_, "playing")
    if when == "in the round":
        disqualify(event, "E005")
    playing.win(round_, **playing.ladder(round_))
    round_to(round_, "counted")
    from tournament.services import rounds

    rounds.round_close(round_id=round_.pk, key=new_key(), actor=None)
    play(event, 3)
    if when == "after the places are decided":
        assert places(event)["E005"] == 5
        disqualify(event, "E005")
    assert places(event) == {"E001": 1, "E002": 2, "E003": 3, "E004": 4, "E006": 5, "E005": 6}
    assert by_code(event)["E006"] == 5_000
    words = {row.code: str(row.state) for row in stage_ranking(event.rounds.order_by("pk")[0]).rows}
    assert (words["E005"], words["E006"]) == ("disqualified", "out")
    assert reconcile(event) == []


def test_T26_a_stack_that_was_given_up_is_ranked_in_no_round_by_it():
    event = playing.round_1_closed(6, stacks="reset", **LISTED)
    playing.post(event, PRIZES)
    round_ = round_seat(event)
    round_to(round_, "playing")
    entry = withdraw(event, "E004")
    disqualify(event, "E004")
    assert Stack.objects.get(round=round_, entry=entry).state == "withdrawn"
    assert "E004" not in {row.code for row in stage_ranking(round_).rows}
    first = {row.code: row.place for row in stage_ranking(event.rounds.order_by("pk")[0]).rows}
    assert first["E004"] == 6
    assert entrants_of(event).entrants == 6


def test_T26_a_no_show_or_withdrawn_before_any_round_ranked_them_has_no_place_to_lose():
    event = playing.event_with(3)
    gone = withdraw(event, "E003", refund=True)
    round_ = round_seat(event)
    round_to(round_, "playing")
    no_show = event.entries.get(code="E002")
    Stack.objects.filter(round=round_, entry=no_show).update(state="no_show")
    Entry.objects.filter(pk=no_show.pk).update(status="no_show")
    for entry in (gone, no_show):
        entry.refresh_from_db()
        why_not = why_not_disqualify(entry)
        assert why_not is not None and why_not.code == "not_in_the_event"
        with pytest.raises(Refused) as no:
            disqualify(event, entry.code)
        assert (no.value.code, no.value.status) == ("not_in_the_event", 409)


def test_T26_an_alternate_and_who_is_disqualified_already_are_not_disqualified():
    event = playing.event_with(3)
    waiting = EntryFactory(event=event)
    Entry.objects.filter(pk=waiting.pk).update(status="waiting", waiting_since=waiting.created_at)
    waiting.refresh_from_db()
    why_not = why_not_disqualify(waiting)
    assert why_not is not None and why_not.code == "not_in_the_event"
    round_to(round_seat(event), "playing")
    disqualify(event, "E001")
    why_not = why_not_disqualify(event.entries.get(code="E001"))
    assert why_not is not None and why_not.code == "not_in_the_event"


def test_T26_the_page_of_who_withdrew_asks_for_it():
    event = gone_in_round_2()
    director = Somebody("director")
    path = staff(event, "entries/E004/")
    assert 'disqualify/"' in director.get(path).content.decode()
    done(director.press(path + "disqualify/", reason="marked cards"))
    assert "disqualify/" not in director.get(path).content.decode()


def test_T26_while_a_disqualification_waits_the_form_is_closed_and_says_the_refusal():
    event = playing.round_1_closed(4)
    director, path = Somebody("director"), staff(event, "entries/E001/")
    done(director.press(path + "disqualify/", reason="marked cards"))
    assert 'disqualify/"' not in director.get(path).content.decode()
    again = director.press(path + "disqualify/", reason="marked cards")
    refused_in_place(again, code="already_asked", status=409)


def test_T26_what_stands_in_the_way_is_said_before_anybody_types_a_reason():
    from tests.cast.payments import pay

    event = playing.finished(5)
    pay(event, "E002")
    page = Somebody("director").get(staff(event, "entries/E002/")).content.decode()
    in_the_way = 'data-code="prize_paid"'
    assert in_the_way in page and 'disqualify/"' not in page
