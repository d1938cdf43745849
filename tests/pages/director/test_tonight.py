"""Tonight always says what is next and who must do it; the journal; where the event stands."""

import re

import pytest

from pages.director.reads.floor_facts import table_lines
from pages.director.reads.tonight import (
    stops,
)
from tables.models import Shoe
from tables.services import dealing
from tables.services.draws import draw_lock
from tables.services.nights import night_draw, night_play, night_post_payouts
from tests.cast import playing
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.every_page import disqualified
from tests.cast.factories import EntryFactory, EventFactory, new_key, round_seat
from tests.cast.floor import count_both, draw_and_seat, event_make, hand, seated, shoe_of
from tests.cast.pages import next_of
from tests.cast.prizes import after_round_1, finished, night
from tournament.models import Draw, Event, JournalEntry, Request, Round
from tournament.selectors.stages import current_round
from tournament.services import payments
from tournament.services.entries import entry_disqualify_request
from tournament.services.rounds import round_close

pytestmark = pytest.mark.django_db
CALL_OFF = "/call-off/"


def page(event, role="director"):
    return Somebody(role).get(staff(event)).content.decode()


def now_at(event):
    return [stop.label for stop in stops(Event.objects.get(pk=event.pk)) if stop.state == "now"]


# -- State by state -----------------------------------------------------------------------------------


def test_being_set_up_the_director_posts_the_rules():
    event = EventFactory(opened=False)
    assert next_of(event)[0].tail == "setup/"
    assert now_at(event) == ["Rules"]
    text = page(event)
    assert 'id="next-go"' in text and staff(event, "setup/") in text
    assert 'id="next-go"' not in page(event, "cashier")


def test_with_the_desk_open_the_cashier_sells_and_then_the_seats_are_drawn():
    event = EventFactory()
    assert next_of(event)[0].tail == "desk/"
    for _ in range(2):
        EntryFactory(event=event)
    assert [step.tail for step in next_of(event)] == ["draw/", "desk/"]
    assert now_at(event) == ["Desk"]


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


def test_T19_a_counted_round_is_closed_by_the_director():
    made = night()
    night_play(made, until=lambda event: event.rounds.filter(status=Round.Status.COUNTED).exists())
    step, round_ = next_of(made.event)[0], current_round(made.event)
    if step.tail != "draw/":  # no tie is open
        assert step.tail == f"rounds/{round_.pk}/"
        round_close(round_id=round_.pk, key=new_key(), actor=None)


def test_T20_the_last_round_is_closed_by_its_ranking_and_no_cut_is_spoken_of():
    made = night()
    night_play(made, until=lambda event: event.rounds.filter(number=3, status=Round.Status.COUNTED).exists())
    step, last = next_of(made.event)[0], current_round(made.event)
    assert step.tail == f"rounds/{last.pk}/" and "cut" not in step.detail
    for tail in ("", f"rounds/{last.pk}/", f"rounds/{last.pk}/close/"):
        page = Somebody("director").get(staff(made.event, tail)).content.decode()
        assert "the cut" not in page.split('class="page-head"')[-1]


def test_T31_after_round_1_the_manager_posts_the_payouts():
    event = after_round_1().event
    first, second = next_of(event)
    assert (first.tail, first.roles, second.tail) == ("payouts/", ("manager",), "draw/")
    assert now_at(event) == ["Payouts"]


def test_then_round_2_is_drawn_and_played():
    made = after_round_1()
    night_post_payouts(made)
    assert next_of(made.event)[0].tail == "draw/"
    night_draw(made)
    assert next_of(made.event)[0].tail == "tables/"
    assert now_at(made.event) == ["Round 2"]


def test_T35_a_finished_event_is_paid():
    event = finished()
    assert [step.tail for step in next_of(event)] == ["pay/"]
    assert now_at(event) == ["Prizes"]
    Event.objects.filter(pk=event.pk).update(status=Event.Status.PAID)
    assert next_of(event) == []
    event.refresh_from_db()
    assert [stop.label for stop in stops(event) if stop.state == "done"][-1] == "Paid"


@pytest.mark.parametrize("rounds", [2, 3, 4, 5])
def test_F1_the_line_has_a_stop_for_every_round_of_the_plan(rounds):
    event = playing.round_1_closed(5, plan=plan_of(rounds))
    playing.post(event)
    between = [f"Round {number}" for number in range(2, rounds)]
    line = ["Rules posted", "Desk", "Draw", "Round 1", "Payouts posted", *between, "Final", "Prizes"]
    assert [stop.label for stop in stops(event)] == line
    for label in [*between, "Final"]:
        round_ = round_seat(event)
        assert now_at(event) == [label]
        playing.win(round_, **playing.ladder(round_))
        playing.close(round_)
        event.refresh_from_db()
    assert now_at(event) == ["Prizes"]
    assert [stop.state for stop in stops(event)] == ["done"] * (len(line) - 1) + ["now"]


def test_T24_F1_an_event_that_ends_early_has_no_stop_for_a_round_that_nobody_played():
    event = playing.round_1_closed(4, plan=plan_of(4))
    playing.post(event)
    for code in ("E002", "E003", "E004"):
        disqualified(event, code)
    assert event.status == Event.Status.FINISHED
    labels = ["Rules posted", "Desk", "Draw", "Round 1", "Payouts posted", "Prizes"]
    assert [stop.label for stop in stops(event)] == labels
    assert now_at(event) == ["Prizes"]


def plan_of(rounds):
    """So many rounds; from each but the last, one player fewer goes on than from the one before."""
    return [
        {"stack": "reset", "advance": {"top": 6 - number} if number < rounds else None}
        for number in range(1, rounds + 1)
    ]


def test_T8_an_event_that_is_called_off_says_so():
    event = EntryFactory().event
    done(Somebody("director").press(staff(event, "call-off/"), reason="Flood"))
    assert (now_at(event), CALL_OFF in page(event)) == ([], False)
    assert next_of(event)[0].tail == "refunds/"


def test_T24_an_event_is_called_off_from_here_until_a_prize_is_paid():
    event = finished()
    assert CALL_OFF in page(event)
    entry = event.entries.get(code="E001")
    payments.prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=None)
    assert CALL_OFF not in page(event)


def test_a_request_stands_beside_what_is_next():
    entry = EntryFactory()
    entry_disqualify_request(entry_id=entry.pk, reason="Rude", key=new_key(), actor=None)
    assert Request.objects.count() == 1
    assert [step.tail for step in next_of(entry.event)] == ["desk/", "requests/"]


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


def test_the_progress_of_a_table_is_seen():
    made = night()
    round_ = night_draw(made)
    Shoe.objects.filter(round=round_).update(cards_dealt=130)
    lines, facts = table_lines(round_)
    assert [line.percent for line in lines] == [50] * len(lines) and facts.playing
    assert all(line.word == "Seated" for line in lines)


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


def test_the_chain_is_verified_and_a_break_is_found():
    entry, auditor = EntryFactory(), Somebody("auditor")
    path = staff(entry.event, "journal/check/")
    assert "Chain verified" in auditor.part(path).content.decode()
    assert "Chain verified" in auditor.get(staff(entry.event, "journal/"), check="1").content.decode()
    from tournament.sql import unguarded

    with unguarded():
        JournalEntry.objects.filter(event=entry.event, seq=2).update(result={"rules_hash": "another"})
    assert "Broken at 2" in auditor.part(path).content.decode()


def test_the_journal_survives_hostile_filters():
    event, auditor = EventFactory(), Somebody("auditor")
    for query in ({"kind": "\x00'"}, {"by": "²"}, {"page": "-1"}, {"page": "9" * 30}, {"by": "9" * 50}):
        assert auditor.get(staff(event, "journal/"), **query).status_code == 200


def test_T23_a_shoe_that_ends_before_a_tie_is_decided_goes_on_and_is_not_counted():
    main = seated(4, cut_after_round_1=2, cut_after_round_2=2)
    dealing.shoe_end(shoe_id=shoe_of(main).pk, reason="fire drill", key=new_key(), actor=None)
    count_both(shoe_of(main))
    play_off = draw_and_seat(main.event)
    assert play_off.kind == Round.Kind.PLAY_OFF
    dealing.shoe_end(shoe_id=shoe_of(play_off).pk, reason="fire drill", key=new_key(), actor=None)
    lines, facts = table_lines(play_off)
    step = next_of(main.event)[0]
    assert (facts.to_count, facts.next_shoe, lines[0].word) == ((), (1,), "Next shoe")
    assert step.tail == "tables/1/"
    dealing.shoe_next(round_id=play_off.pk, table_id=shoe_of(play_off).table_id, key=new_key(), actor=None)
    assert table_lines(play_off)[1].next_shoe == ()


def test_T6_alternates_without_a_box_get_their_money_back_and_tonight_says_so():
    event = event_make(3, tables_count=1, boxes_per_table=2, cut_after_round_1=2, cut_after_round_2=2)
    round_ = draw_and_seat(event)
    assert "desk/" not in [step.tail for step in next_of(event)]
    hand(shoe_of(round_), {1: 200}, b1="win")
    assert "desk/" in [step.tail for step in next_of(event)]
