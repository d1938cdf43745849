"""Tonight always says what is next and who must do it; the journal; where the event stands."""

from __future__ import annotations

import re

import pytest

from pages.director.reads.closing import AROUND_THE_CUT, TOP_SHOWN, cut_panel
from pages.director.reads.floor_facts import table_lines
from pages.director.reads.tonight import event_of_tonight, stops
from tables.models import Shoe
from tables.services.counts import count_enter
from tables.services.draws import draw_lock
from tests.cast import floor as cast
from tests.cast import playing
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.edits import unguarded
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key, round_seat
from tests.cast.pages import next_of
from tests.cast.playing import event_with, ladder, win
from tests.cast.prizes import after_round_1, finished, night
from tournament.models import Draw, Event, JournalEntry, StandingsPublication
from tournament.selectors.next_steps import state_now
from tournament.services import payments
from tournament.services.entries import entry_disqualify_request

pytestmark = pytest.mark.django_db
CALL_OFF = "/call-off/"


def page(event, role="director"):
    return Somebody(role).get(staff(event)).content.decode()


def now_at(event):
    event = Event.objects.get(pk=event.pk)
    return [stop.label for stop in stops(event, state_now(event)) if stop.state == "now"]


# -- State by state -----------------------------------------------------------------------------------


def test_the_director_posts_the_rules_the_cashier_sells_and_then_the_seats_are_drawn():
    event = EventFactory(opened=False)
    assert next_of(event)[0].tail == "setup/"
    assert now_at(event) == ["Rules"]
    text = page(event)
    assert 'id="next-go"' in text and staff(event, "setup/") in text
    assert 'id="next-go"' not in page(event, "cashier")
    event = EventFactory()
    assert next_of(event)[0].tail == "desk/"
    for _ in range(2):
        EntryFactory(event=event)
    assert [step.tail for step in next_of(event)] == ["draw/", "desk/"]
    assert now_at(event) == ["Desk"]
    # A request stands beside what is next.
    entry_disqualify_request(
        entry_id=event.entries.first().pk, reason="Rude", key=new_key(), actor=UserFactory()
    )
    assert "requests/" in [step.tail for step in next_of(event)]


def test_a_locked_draw_waits_for_cards_and_then_for_a_second_person():
    event, cards = night(public_input=True).event, "KH 4D 7S AC 2D"
    draw_lock(event_id=event.pk, key=new_key(), actor=None)
    draw = Draw.objects.filter(event=event, number=1)
    assert now_at(event) == ["Draw"]
    for change, shown, asked in (
        ({"cards": ""}, False, True),
        ({"cards": cards}, True, True),
        ({"status": Draw.Status.CONFIRMED}, False, False),
    ):
        draw.update(**change)
        step = next_of(event)[0]
        assert (step.tail, cards in step.detail, bool(step.roles)) == ("draw/", shown, asked)


def test_T24_T35_a_finished_event_is_paid_and_called_off_until_the_first_payment():
    event = finished()
    assert [step.tail for step in next_of(event)] == ["pay/"]
    assert now_at(event) == ["Prizes"]
    assert CALL_OFF in page(event)
    entry = event.entries.get(code="E001")
    payments.prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=None)
    assert CALL_OFF not in page(event)
    Event.objects.filter(pk=event.pk).update(status=Event.Status.PAID)
    assert next_of(event) == []
    event.refresh_from_db()
    assert [stop.label for stop in stops(event, state_now(event)) if stop.state == "done"][-1] == "Paid"


@pytest.mark.parametrize("rounds", [2, 4])
def test_F1_the_line_has_a_stop_for_every_round_of_the_plan(rounds):
    # From each round but the last, one player fewer goes on than from the one before.
    tops = [{"top": 6 - number} for number in range(1, rounds)] + [None]
    event = playing.round_1_closed(5, plan=[{"stack": "reset", "advance": top} for top in tops])
    playing.post(event)
    between = [f"Round {number}" for number in range(2, rounds)]
    line = ["Rules posted", "Desk", "Draw", "Round 1", "Payouts posted", *between, "Final", "Prizes"]
    assert [stop.label for stop in stops(event, state_now(event))] == line
    for label in [*between, "Final"]:
        round_ = round_seat(event)
        assert now_at(event) == [label]
        playing.win(round_, **playing.ladder(round_))
        playing.close(round_)
        event.refresh_from_db()
    assert now_at(event) == ["Prizes"]
    assert [stop.state for stop in stops(event, state_now(event))] == ["done"] * (len(line) - 1) + ["now"]


# -- The live part ------------------------------------------------------------------------------------


def test_the_page_asks_again_and_gets_nothing_while_nothing_has_changed():
    event, director = EventFactory(), Somebody("director")
    text = director.get(staff(event)).content.decode()
    assert "every 5s" in text
    seen = re.search(r"\?seen=([0-9a-f]+)", text)[1]
    answers = {director.part(staff(event), seen=seen).status_code for _ in range(2)}
    assert 204 in answers  # a turn of the minute in between shows the new time once
    EntryFactory(event=event)
    changed = director.part(staff(event), seen=seen)
    assert changed.status_code == 200
    assert "1 entrant" in changed.content.decode() and "<html" not in changed.content.decode()


# -- The journal --------------------------------------------------------------------------------------


def test_the_journal_lists_every_command_newest_first_and_filters():
    made = after_round_1()
    manager = Somebody("manager")
    path = staff(made.event, "journal/")

    def listed(**filters):
        return [line.entry for line in manager.get(path, **filters).context["lines"]]

    seqs = [each.seq for each in listed()]
    assert seqs == sorted(seqs, reverse=True) and seqs[0] == made.event.journal.latest("seq").seq
    assert [each.kind for each in listed(kind="entry.buy_in")] == ["entry.buy_in"] * 8
    assert listed(by="99999") == []
    for query in ({"kind": "\x00'"}, {"by": "²"}, {"page": "-1"}, {"page": "9" * 30}, {"by": "9" * 50}):
        assert manager.get(path, **query).status_code == 200


def test_the_chain_is_verified_and_a_break_is_found():
    entry, auditor = EntryFactory(), Somebody("auditor")
    path = staff(entry.event, "journal/check/")
    assert "Chain verified" in auditor.part(path).content.decode()
    assert "Chain verified" in auditor.get(staff(entry.event, "journal/"), check="1").content.decode()
    with unguarded():
        JournalEntry.objects.filter(event=entry.event, seq=2).update(result={"rules_hash": "another"})
    assert "Broken at 2" in auditor.part(path).content.decode()


# -- At its boundaries -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statuses", "which"),
    [
        ((Event.Status.OPEN, Event.Status.RUNNING), 1),
        ((Event.Status.RUNNING, Event.Status.OPEN), 0),
        ((Event.Status.OPEN, Event.Status.FINISHED), 1),
        ((Event.Status.OPEN, Event.Status.OPEN), 1),
        ((Event.Status.PAID, Event.Status.OPEN), 1),
        ((Event.Status.PAID, Event.Status.CALLED_OFF), None),
    ],
)
def test_the_event_of_tonight_is_the_one_that_most_people_work_at(statuses, which):
    events = [event_with(0) for _ in statuses]
    # A rehearsal in play comes after any real one.
    rehearsal = event_with(0, kind=Event.Kind.REHEARSAL)
    Event.objects.filter(pk=rehearsal.pk).update(status=Event.Status.RUNNING if which else "paid")
    for event, status in zip(events, statuses, strict=True):
        Event.objects.filter(pk=event.pk).update(status=status)
    assert event_of_tonight() == (events[which] if which is not None else None)


@pytest.mark.parametrize("cut", [3, 4, 5, 8, 12])
def test_T20_T24_the_panel_shows_four_on_each_side_of_the_cut_or_the_top_nine_without_one(cut):
    event = event_with(12, cut_after_round_1=cut, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, **ladder(round_))
    shown = cut_panel(event, round_, state_now(event)).rows
    codes = sorted(each.entry.code for each in round_.stacks.all())
    around = codes[max(0, cut - AROUND_THE_CUT) : cut + AROUND_THE_CUT] if cut < 12 else codes[:TOP_SHOWN]
    assert [row.code for row in shown] == around
    assert [row.code for row in shown if row.line] == codes[cut : cut + 1]


@pytest.mark.parametrize("chips", [0, -100, 100])
def test_T18_a_table_line_says_what_its_shoe_is_at(chips):
    """Seated, playing, to count, counted or in what the two counts differ, however they differ."""
    round_ = cast.seated(3)
    shoe = cast.shoe_of(round_)

    def line():
        (found,), facts = table_lines(round_)
        return (found.word, found.hands, found.percent), facts

    assert line()[0] == ("Seated", 0, 0)
    cast.hand(shoe, {1: 200}, b1="win")
    Shoe.objects.filter(pk=shoe.pk).update(cards_dealt=130)
    said, facts = line()
    assert said == ("Playing", 1, 50)
    assert (facts.playing, facts.to_count, facts.differ) == ((1,), (), ())
    cast.shoe_over(shoe)
    said, facts = line()
    assert said == ("Count due", 1, 100) and (facts.playing, facts.to_count) == ((), (1,))
    right = {box: cast.chips_at(round_, box) for box in (1, 2, 3)}
    for counted in (right, {**right, 1: right[1] + chips}):
        count_enter(shoe_id=shoe.pk, chips=counted, key=new_key(), actor=UserFactory())
    said, facts = line()
    assert said == ("Counts differ" if chips else "Counted", 1, 100)
    differ = [(1, 1, 100, False)] if chips else []
    assert [(d.table, d.box, d.chips, d.with_ledger) for d in facts.differ] == differ
    assert facts.to_count == ()


# -- The public standings --------------------------------------------------------------------------------


def test_the_director_delays_and_hides_and_staff_are_reminded() -> None:
    event, director = EventFactory(), Somebody("director")
    pages, publish = [staff(event), staff(event, "hall/")], staff(event, "hall/standings/")
    for mode, minutes in (("live", ""), ("delayed", "17"), ("hidden", ""), ("live", "")):
        done(director.press(publish, mode=mode, minutes=minutes))
        found = StandingsPublication.objects.get(event=event)
        assert (found.mode, found.minutes) == (mode, int(minutes) if minutes else None)
        for path in pages:
            content = director.get(path).content.decode()
            marks = re.findall(r'data-public-standings="(\w+)"', content)
            assert marks == ([] if mode == "live" else [mode]), (path, mode)
    refused = director.press(publish, mode="delayed", minutes="61")
    assert refused.status_code == 422 and 'aria-invalid="true"' in refused.content.decode()
    assert StandingsPublication.objects.get(event=event).mode == "live"
    director.press(publish, mode="hidden")
    content = page(event, "floor")
    assert 'data-public-standings="hidden"' in content and "#public-standings" not in content
