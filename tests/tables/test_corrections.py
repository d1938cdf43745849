"""Corrections: reversal, stacks after it, what they say and do; in an open hand they wait (T17, T18)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

import pytest
from django.db import transaction

from tables.models import Deal
from tables.selectors import next_hand
from tables.selectors.audit import audit
from tables.selectors.correction_requests import CorrectionRequest
from tables.selectors.countings import countings
from tables.services import corrections, dealing
from tables.services.correction_later import correction_later, corrections_carry_out, deal_correct_or_later
from tables.tasks import corrections_sweep
from tests.cast import calls
from tests.cast.at_desk import codes, marked
from tests.cast.at_tables import logged_in, text, url
from tests.cast.corrected import (
    SWAPPED,
    ask,
    books_agree,
    closed_play_off,
    correct_now,
    outcomes,
    played,
    post,
    put_right,
    round_1,
    words,
)
from tests.cast.counting import enter
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    close,
    confirm,
    draw_and_seat,
    hand,
    one_box_win,
    opened,
    play_and_close,
    record,
    recorded,
    refusal,
    result,
    rule,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.rounds import ended_with
from tests.cast.tied import code_at, play_off
from tournament.engine.facts import Looked
from tournament.engine.facts_json import fact_of_json
from tournament.engine.state import START
from tournament.models import ChipTransaction, Event, Request, Round, Stack
from tournament.selectors.facts_standing import FACTS, NO_FACTS, SHELF, Course, Kept, Shelf, course_standing
from tournament.selectors.prizes import prizes_for
from tournament.selectors.stage_ranking import place_shown
from tournament.selectors.stages import live_payouts, state_of
from tournament.services import commits
from tournament.services.commits import watch

pytestmark = pytest.mark.django_db


def test_T17_a_correction_reverses_and_records_anew_with_the_same_number():
    round_ = seated(2)
    old = hand(shoe_of(round_), {1: 200, 2: 200}, b1="win", b2="lose")
    made = correct_now(old, outcomes={1: result("lose"), 2: result("win")})
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (4_800, 5_200)
    old.refresh_from_db()
    again = Deal.objects.get(pk=made["deal"])
    assert (old.status, again.status, again.number, again.corrects) == ("reversed", "settled", 1, old)
    assert again.reason == "the camera"
    first = ChipTransaction.objects.get(source=f"deal:{old.pk}", kind="deal")
    assert first.reversed_by.kind == "reversal"
    assert books_agree(round_.event)


def test_T17_boxes_that_move_in_opposite_ways_never_pass_below_zero():
    round_ = seated(2, starting_chips=400)
    shoe = shoe_of(round_)
    old = hand(shoe, {1: 400, 2: 400}, b1="win", b2="lose")
    later = hand(shoe, {1: 800}, b1="lose")
    # Reversing first would take box 1 from 0 to −400; posting first would take box 2 to −200.
    correct_now(old, bets={1: 400, 2: 200}, outcomes={1: result("natural"), 2: result("lose")})
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (200, 200)
    later.refresh_from_db()
    assert later.stacks == {"1": 1_000}
    assert books_agree(round_.event)


def test_T17_facts_are_kept_by_the_head_and_a_hand_rolled_back_is_in_no_others():
    round_ = seated(2)
    event, shoe = round_.event, shoe_of(round_)
    old = hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    one = course_standing(event)
    with transaction.atomic():
        hand(shoe, {1: 200, 2: 200}, b1="win", b2="win")
        assert course_standing(event).log[-1].nets[:2] == (200, 200)
        transaction.set_rollback(True)
    assert course_standing(event) is one
    hand(shoe, {1: 200, 2: 200}, b1="lose", b2="push")
    two = course_standing(event)
    assert (two.log[-2] is one.log[-1], two.log[-1].nets[:2]) == (True, (-200, 0))
    correct_now(old, outcomes={1: result("lose"), 2: result("push")})
    kept, three = SHELF.of(event.pk)[0], course_standing(event)
    assert (three.log[-2].nets[:2], three.log[-1] is two.log[-1]) == ((-200, 0), True)
    facts = chain(*event.journal.order_by("seq").values_list("facts", flat=True))
    assert kept.course is three and three == NO_FACTS.then(map(fact_of_json, facts))


def test_T17_the_events_used_least_recently_drop_out_of_the_cache_once_it_has_too_many_facts():
    shelf, some = Shelf(), Course((Looked((1, "play_off", 1)),) * (FACTS // 10), START, (), {})
    for event in range(12):
        shelf.keep(event, Kept(1, "", some))
    assert [len(shelf.of(event)) for event in range(12)] == [0, 0, *[1] * 10]


def test_T17_a_reason_and_something_to_record_are_needed_and_no_open_hand():
    old = hand(shoe_of(seated(2)), {1: 200}, b1="win")
    with refusal("reason_missing"):
        correct_now(old, reason="", void=True)
    with refusal("nothing_given"):
        correct_now(old)
    with refusal("box_empty"):
        correct_now(old, bets={6: 200}, outcomes={6: result("win")})
    with refusal("double_amount"):
        correct_now(old, outcomes={1: result("lose", doubled=300)})


def test_T17_a_hand_of_a_closed_round_needs_two_persons():
    round_ = seated(2)
    old = hand(shoe_of(round_), {1: 200}, b1="win")
    with refusal("round_not_closed"):
        ask(old, void=True)
    play_and_close(round_)
    with refusal("round_closed", 409):
        correct_now(old, void=True)
    assert corrections.correction_preview(deal_id=old.pk, void=True).changed


def test_T10_a_correction_puts_the_cards_of_the_shoe_right():
    round_ = seated(2)
    shoe = shoe_of(round_)
    made = recorded(shoe, one_box_win(1, 200))
    hit_first = ({"seat": 1, "action": "hit"}, {"seat": 1, "action": "stand"})
    longer = record({1: 200}, ["5h", "9c", "6s", "Td", "9s"], *hit_first)
    correct_now(made, record=longer)
    assert shoe_of(round_).cards_dealt == 1 + 5


def test_T17_a_refusal_names_the_box_that_it_is_about():
    round_ = seated(3, starting_chips=1_000)
    shoe = shoe_of(round_)
    old = hand(shoe, {1: 200, 2: 1_000}, b1="win", b2="win")
    later = hand(shoe, {1: 200, 2: 1_000}, b1="win", b2="win")
    with refusal("later_bet_not_covered") as no:
        correct_now(old, outcomes={1: result("lose"), 2: result("lose")})
    faulty, other = stack_at(round_, 2).entry.code, stack_at(round_, 1).entry.code
    assert faulty in no.value.message and other not in no.value.message
    assert f"hand {later.number}" in no.value.message


def test_T14_T17_the_button_goes_to_a_box_that_can_bet_after_all():
    round_ = seated(2, starting_chips=400)
    at = shoe_of(round_).button_box
    other = 3 - at
    old = hand(shoe_of(round_), {at: 200, other: 400}, **{f"b{at}": "win", f"b{other}": "lose"})
    assert shoe_of(round_).button_box == at
    correct_now(old, outcomes={at: result("win"), other: result("win")})
    assert shoe_of(round_).button_box == other
    assert audit(round_.event).differences == ()


def test_T17_the_seats_stand_and_carried_chips_follow():
    """In truth 3 and not 2 should have gone on: nobody is reseated, 2 plays on with 400 less."""
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    two, three = code_at(round_, 2), code_at(round_, 3)
    second = draw_and_seat(round_.event)
    box = next(box for box in (1, 2) if code_at(second, box) == two)
    later = hand(shoe_of(second), {box: 200}, **{f"b{box}": "win"})
    anew = words(b1="win", b2="lose", b3="win", b4="lose")
    seen = corrections.correction_preview(deal_id=old.pk, outcomes=anew)
    assert seen.seats_stand
    # What it does is said, and beside it who should have gone on.
    assert {line.entry: (line.before.cut, line.after.cut) for line in seen.changed} == {
        two: ("advances", "advances"),
        three: ("out", "out"),
    }
    assert seen.differs is not None
    assert (seen.differs.missed, seen.differs.extra) == ((three,), (two,))
    put_right(old, outcomes=anew)
    assert (outcomes(round_)[two], outcomes(round_)[three]) == ("advanced", "cut")
    assert chips_at(second, box) == 5000
    assert stack_at(second, box).start_chips == 4800
    later.refresh_from_db()
    assert later.stacks == {str(box): 4800}
    assert (stack_at(round_, 2).place, stack_at(round_, 3).place) == (3, 2)
    assert books_agree(round_.event)
    play_and_close(second)
    assert books_agree(round_.event)


def in_the_database(round_: Round) -> dict[str, tuple[Any, ...]]:
    """Entry → stack, rank and outcome in a closed round, and the prize that its place pays, None in play."""
    round_ = Round.objects.get(pk=round_.pk)
    event = Event.objects.get(pk=round_.event_id)
    rows = [(s.entry.code, s) for s in round_.stacks.exclude(place=None).select_related("entry")]
    ended = ended_with(round_)
    return {code: (ended[code], s.place, s.outcome, prize(event, s)) for code, s in rows}


def prize(event: Event, stack: Stack) -> int | None:
    if event.status == Event.Status.FINISHED:
        return prizes_for(event).get(stack.entry.code, 0)
    found, payouts = place_shown(event, stack.entry, state_of(event)), live_payouts(event)
    if found is None or payouts is None:
        return None
    assert not found.tied, "the scenes have no tie for money that is open"
    return int(payouts.prizes_cents[found.place - 1]) if found.place <= len(payouts.prizes_cents) else 0


OUTCOMES = {"advances": "advanced", "out": "cut", "": "ranked"}


def said_by(lines: Any) -> dict[str, tuple[Any, ...]]:
    return {
        line.entry: (line.after.chips, line.after.rank, OUTCOMES[line.after.cut], line.after.prize_cents)
        for line in lines
    }


def seats_drawn() -> tuple[Round, Deal, Any]:
    round_, old = round_1()
    post(round_.event, 40_000, 30_000, 20_000)
    draw_and_seat(round_.event)
    return round_, old, SWAPPED


def two_rounds_later() -> tuple[Round, Deal, Any]:
    round_, old, _ = seats_drawn()
    second = round_.event.rounds.latest("pk")
    play_and_close(second)
    draw_and_seat(round_.event)
    return round_, old, SWAPPED


def all_decided_and_another_cut() -> tuple[Round, Deal, Any]:
    _event, round_, old = played(stacks="reset")
    return round_, old, SWAPPED


SCENES = (seats_drawn, two_rounds_later, all_decided_and_another_cut)


@pytest.mark.parametrize("scene", SCENES)
def test_T17_what_was_said_to_change_is_what_changes(scene: Callable[[], tuple[Round, Deal, Any]]):
    round_, old, anew = scene()
    before = in_the_database(round_)
    looked = corrections.correction_preview(deal_id=old.pk, outcomes=anew)
    asked = ask(old, outcomes=anew)
    confirm(asked)
    after = in_the_database(round_)
    assert said_by(looked.lines) == after
    assert {line.entry for line in looked.changed} == {code for code in after if after[code] != before[code]}
    assert CorrectionRequest(Request.objects.get(pk=asked["request"]), old).lines == looked.changed


def test_T17_a_play_off_whose_seats_stand_is_not_said_to_be_won_by_another():
    stage, old = closed_play_off(round_too=True)
    post(stage.event, 20_000, 10_000)
    draw_and_seat(stage.event)
    two, three = code_at(stage, 2), code_at(stage, 3)
    looked = corrections.correction_preview(deal_id=old.pk, outcomes=words(b1="win", b2="lose", b3="win"))
    assert looked.seats_stand
    sides = {line.entry: (line.before.cut, line.after.cut) for line in looked.lines}
    assert (sides[two], sides[three]) == (("advances",) * 2, ("out",) * 2)
    assert all(line.before.prize_cents == line.after.prize_cents for line in looked.lines)
    assert looked.differs is not None
    assert (looked.differs.missed, looked.differs.extra) == ((three,), (two,))


# A count that was ruled on (T18) ---------------------------------------------------------------------------


def ruled(figure: int, **settings: Any) -> tuple[Round, Deal]:
    """A hand by which box 1 has 5,800; counted 5,800 and 5,900; ruled; the round closed."""
    cuts = {"cut_after_round_1": 2, "cut_after_round_2": 2, **settings}
    round_ = seated(3, **cuts)
    shoe = shoe_of(round_)
    old = hand(shoe, {1: 800, 2: 400, 3: 200}, b1="win", b2="lose", b3="lose")
    shoe_over(shoe)
    enter(shoe, {1: 5_800, 2: 4_600, 3: 4_800})
    enter(shoe, {1: 5_900, 2: 4_600, 3: 4_800})
    rule(shoe, {1: figure, 2: 4_600, 3: 4_800})
    round_.refresh_from_db()
    close(round_)
    return round_, old


ANEW = words(b1="natural", b2="lose", b3="lose")
"""Box 1 won 1,200 with a blackjack and not 800: its hands come to 6,200."""


def test_T18_a_correction_after_the_close_keeps_what_the_ruling_moved_and_the_preview_says_so():
    round_, old = ruled(5_900)
    asked = ask(old, outcomes=ANEW)
    at = f"/staff/{round_.event.slug}/requests/"
    client = logged_in("director")
    typed = {"bet-1": "800", "out-1": "natural", "bet-2": "400", "out-2": "lose", "bet-3": "200"}
    typed |= {"out-3": "lose", "do": "preview", "how": "results"}
    preview = client.post(f"/staff/{round_.event.slug}/deals/{old.pk}/correct/", typed)
    for answered in (preview, client.get(at), client.get(f"{at}{asked['request']}/correction/")):
        assert "+100" in text(answered) and "5,900 → 6,300" in text(answered)
    confirm(asked)
    assert ended_with(round_)[code_at(round_, 1)] == 6_300
    requested_by = Request.objects.get(pk=asked["request"]).requested_by
    assert Deal.objects.get(corrects=old).opened_by == requested_by
    assert audit(round_.event).differences == ()


def test_T18_the_evidence_of_a_ruling_stays_as_it_was():
    round_, old = ruled(5_900)
    confirm(ask(old, outcomes=ANEW))
    [found] = countings(shoe_of(round_))
    box = found.boxes[0]
    assert (box.first, box.second, box.hands) == (5_800, 5_900, 5_800)
    assert (box.ruled, box.moved) == (5_900, 100)
    assert not any(b.differs for b in found.boxes[1:])
    client = logged_in("director")
    for address in ("", f"rounds/{round_.pk}/", "tables/1/count/"):
        page = text(client.get(f"/staff/{round_.event.slug}/{address}"))
        assert "5,800" in page and "5,900" in page


BOTH = {1: 200, 2: 200}
NOT_COVERED, GONE = "later_bet_not_covered", "asker_gone"


def ended(deal_id, *, void=True):
    how = {"reason": "misdeal"} if void else {"outcomes": words(b1="push", b2="push")}
    end = dealing.deal_void if void else dealing.deal_settle
    return end(deal_id=deal_id, **how, key=new_key(), actor=None)


@pytest.mark.parametrize(
    ("word", "void", "chips", "no"),
    [("lose", 0, 1_200, NOT_COVERED), ("push", 0, 1_000, ""), ("lose", 1, 800, ""), ("push", 0, 1_200, GONE)],
)
def test_T17_a_correction_waits_for_the_end_of_the_hand_and_is_made_if_it_still_holds(
    word, void, chips, no, django_capture_on_commit_callbacks
):
    """Box 1 bets 1,000 in the open hand, and would have 800, or 1,000."""
    round_, director = seated(2, starting_chips=1_000), UserFactory(roles=["director"])
    shoe, bets = shoe_of(round_), {1: 1_000, 2: 200}
    old = hand(shoe, BOTH, b1="win", b2="lose")
    now = dealing.deal_open(shoe_id=shoe.pk, bets=bets, mode="results", actor=None)["deal"]
    right = {"deal_id": old.pk, "outcomes": words(b1=word, b2="lose"), "reason": "the camera"}
    ask = partial(deal_correct_or_later, **right, actor=director)
    asked = ask(key="asked")
    with refusal("already_asked", 409):
        ask(key=new_key())
    assert chips_at(round_, 1) == 1_200
    type(director).objects.filter(pk=director.pk).update(is_active=no != GONE)
    saved = watch()
    with django_capture_on_commit_callbacks(execute=True):
        ended(now, void=void)
    shoe.refresh_from_db()
    assert (chips_at(round_, 1), [each["no"] for each in shoe.to_correct]) == (chips, [no] if no else [])
    assert all(each["why"]["figures"] for each in shoe.to_correct)
    last = round_.event.journal.latest("seq")
    assert (last.kind, last.actor) == (("deal.correct_lapse", None) if no else ("deal.correct", director))
    assert (ask(key="asked"), saved.in_doubt) == (asked, False)
    with refusal("no_hand_open" if no else "deal_not_settled", 409):
        correction_later(**right, key=new_key(), actor=director)
    assert audit(round_.event).differences == ()


def test_T17_T23_in_a_tie_it_waits_for_the_other_table_too(django_capture_on_commit_callbacks):
    stage = play_off(4, boxes_per_table=2)
    one, two = shoe_of(stage, 1), shoe_of(stage, 2)
    old = hand(one, BOTH, b1="push", b2="push")
    now = dealing.deal_open(shoe_id=two.pk, bets=BOTH, mode="results", actor=None)["deal"]
    right = {"deal_id": old.pk, "outcomes": words(b1="win", b2="lose")}
    deal_correct_or_later(**right, reason="the camera", key=new_key(), actor=None)
    with refusal("correction_waits", 409):
        dealing.deal_open(shoe_id=one.pk, bets=BOTH, actor=None)
    with django_capture_on_commit_callbacks(execute=True):
        ended(now, void=False)
    old.refresh_from_db()
    assert (old.status, audit(stage.event).differences) == ("reversed", ())


def test_T17_a_correction_that_waits_is_told_and_taken_back_and_one_that_was_not_made_is_read():
    old = hand(shoe_of(seated(3)), {1: 400, 2: 200}, b1="win", b2="lose")
    now, client = opened(old.shoe, {1: 200}), logged_in("director")
    tonight = f"/staff/{old.shoe.round.event.slug}/"
    here, replay = f"{tonight}deals/{old.pk}/correct/", f"{tonight}deals/{old.pk}/replay/"

    def post(do):
        old.shoe.refresh_from_db()
        later = [each["seq"] for each in old.shoe.to_correct]
        typed = {"how": "void", "reason": "On tape", "later": max(later, default="")}
        return client.post(here, {"do": do, "key": new_key(), **typed})

    def told():
        pages = (url(old.shoe), replay, f"{tonight}deals/")
        found = ["correction_later" in codes(client.get(page)) for page in pages]
        return [*found, here in client.get(tonight).content.decode(), *marked(client.get(here), "later")]

    nothing = [False] * 4
    assert "deal_open" in codes(post("preview"))
    assert (told(), post("correct").status_code, told()) == (nothing, 303, [*[True] * 4, "waits"])
    assert (post("drop").status_code, told()) == (303, nothing)
    assert codes(post("drop"))[0] == "not_waiting"
    assert post("correct").status_code == 303
    ended(now.pk)
    correct_now(old, void=True)
    corrections_carry_out(shoe_id=old.shoe_id)
    assert told() == [*nothing[:3], True, "deal_not_settled"]
    assert (post("drop").status_code, told()) == (303, nothing)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("code", ["chips_due", "correction_waits", ""])
def test_T17_no_hand_slips_in_where_the_process_dies_that_ended_the_one_before(code, monkeypatch):
    """It is made first, or where that fails the hand is refused. Without both a hand begins before it."""
    round_ = seated(2)
    shoe = shoe_of(round_)
    old, now = hand(shoe, BOTH, b1="win", b2="lose"), opened(shoe, BOTH)
    correction_later(deal_id=old.pk, void=True, reason="the camera", key=new_key(), actor=None)
    monkeypatch.setattr(commits, "after_commit_here", lambda *task: None)
    ended(now.pk)
    if code == "correction_waits":
        monkeypatch.setattr("tables.services.correction_later.corrected", lambda *given: 1 / 0)
    if not code:
        monkeypatch.setattr(dealing, "corrected_first", lambda shoe_id: None)
        monkeypatch.setattr(next_hand, "why_not_corrected", lambda shoe: None)
    opens = [partial(dealing.deal_open, shoe_id=shoe.pk, bets=BOTH, actor=None)] * 2
    assert calls.codes(calls.at_once(*opens)) == [code] * 2 * bool(code)
    monkeypatch.undo()
    corrections_sweep()
    corrections_sweep()
    made = round_.event.journal.filter(kind="deal.correct").count()
    assert (made, chips_at(round_, 1)) == ((1, 5_000) if code else (0, 5_200))
    assert audit(round_.event).differences == ()
