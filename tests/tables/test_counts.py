"""Counts at the end of a shoe, twice and blind; where they differ, blind once more (T18, T19)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tables.models import CountSheet, Shoe
from tables.selectors.audit import audit
from tables.selectors.countings import countings, rulings
from tables.selectors.counts import count_view
from tables.services import counts
from tests.cast.corrected import correct
from tests.cast.counting import enter, recount
from tests.cast.factories import new_key
from tests.cast.floor import (
    chips_at,
    close,
    count_both,
    disqualify,
    hand,
    person,
    refusal,
    rule,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
    take_chips,
)
from tests.cast.tied import play_off
from tournament.models import Event, Round
from tournament.selectors.facts_standing import SHELF
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


def over(round_: Round, table: int = 1) -> Shoe:
    """A shoe with one hand, box 1 up by 200 and box 2 down by 200, that is over."""
    hand(shoe_of(round_, table), {1: 200, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe_of(round_, table))
    return shoe_of(round_, table)


RIGHT, BOTH = {1: 5_200, 2: 4_800}, {1: 5_000, 2: 4_800}


def test_T18_T19_T23_tables_are_counted_after_their_shoes_and_the_round_with_the_last_of_them():
    round_ = seated(4, boxes_per_table=2)
    with refusal("shoe_not_over", 409):
        enter(shoe_of(round_), RIGHT)
    first, second = over(round_, 1), over(round_, 2)
    count_both(first)
    round_.refresh_from_db()
    assert round_.status == "playing"
    count_both(second)
    round_.refresh_from_db()
    assert round_.status == "counted"
    close(round_)
    with refusal("round_closed", 409):
        recount(first)
    tie = play_off()
    shoe_over(shoe_of(tie))
    with refusal("count_not_due"):
        enter(shoe_of(tie), {1: 5_000, 2: 5_000, 3: 5_000})
    with refusal("tie_open", 409):
        recount(shoe_of(tie.parent))


def test_T18_two_people_who_are_logged_in_count_a_table():
    shoe, alone = over(seated(2)), person()
    with refusal("first_by_login", 403):
        counts.count_enter(shoe_id=shoe.pk, chips=RIGHT, key=new_key(), actor=person(), tablet=person())
    first = enter(shoe, RIGHT, alone)
    assert (first["which"], first["agreed"], first["status"]) == (1, None, "over")
    with refusal("same_person", 403):
        enter(shoe, RIGHT, alone)
    with refusal("same_person", 403):
        counts.count_enter(shoe_id=shoe.pk, chips=RIGHT, key=new_key(), actor=alone, tablet=person())
    second = enter(shoe, RIGHT)
    assert (second["which"], second["agreed"], second["status"]) == (2, True, "counted")
    kept, event = SHELF.of(shoe.round.event_id)[0], shoe.round.event
    assert (kept.head, kept.course.log[-1].chips[:2]) == (event.journal_head.hash, (5_200, 4_800))


def test_T18_in_a_rehearsal_one_person_may_and_the_journal_says_so():
    round_ = seated(2, kind="rehearsal")
    shoe, alone = over(round_), person()
    enter(shoe, RIGHT, alone)
    assert enter(shoe, RIGHT, alone)["agreed"]
    last = round_.event.journal.filter(kind="count.enter").latest("seq")
    assert last.body["noted"]["one_person"] is True


def test_T18_the_first_count_is_seen_with_the_second_and_where_they_differ_a_director_rules():
    shoe, first, second = over(seated(2)), person(), person()
    with refusal("counts_missing", 409):
        rule(shoe, RIGHT)
    enter(shoe, BOTH, first)
    for viewer in (first, second, None):
        seen = count_view(shoe, viewer)
        assert seen.differences == {}
        assert "5000" not in repr(seen).replace("_", "")
    assert (count_view(shoe, first).may_enter, count_view(shoe, second).may_enter) == (False, True)
    assert enter(shoe, RIGHT, second)["agreed"] is False
    assert count_view(shoe, second).differences == {1: (5_000, 5_200, 5_200)}
    with refusal("counts_in", 409):
        enter(shoe, RIGHT)
    with refusal("reason_missing"):
        rule(shoe, RIGHT, reason=" ")
    rule(shoe, RIGHT)
    shoe.refresh_from_db()
    assert (shoe.status, chips_at(shoe.round, 1)) == ("counted", 5_200)


def test_T18_numbers_that_cannot_be_are_refused():
    shoe = over(seated(2))
    for chips, code in [
        ({1: 5_250, 2: 4_800}, "not_whole_chips"),
        ({1: "5200", 2: 4_800}, "not_whole_chips"),
        ({1: -100, 2: 4_800}, "negative"),
        ({1: 5_200}, "box_missing"),
        ({1: 5_200, 2: 4_800, 3: 100}, "box_empty"),
        ({1: 5_200, 9: 4_800}, "bad_seat"),
    ]:
        with refusal(code):
            enter(shoe, chips)
    assert not CountSheet.objects.exists()


def test_T18_an_event_on_counts_alone_takes_the_count_as_the_stack():
    shoe = shoe_of(seated(2, record_mode="counts"))
    shoe_over(shoe)
    # 103 hands of three cards are in six decks; in each, four hands are doubled and won with 1,000.
    most = 5_000 + 103 * 8 * 1_000
    with refusal("more_than_possible"):
        count_both(shoe, {1: most + 100, 2: 0})

    def stacks() -> tuple[int, int]:
        return chips_at(shoe.round, 1), chips_at(shoe.round, 2)

    assert count_both(shoe, {1: 7_300, 2: 0})["agreed"] and stacks() == (7_300, 0)
    recount(shoe)
    assert stacks() == (5_000, 5_000)
    assert count_both(shoe, {1: 100, 2: 200})["agreed"] and stacks() == (100, 200)
    shoe.round.refresh_from_db()
    close(shoe.round)


def evidence(shoe: Shoe) -> list[tuple[int, int, int | None, int | None]]:
    """First, second, hands and ruling of box 1, for every time the table was counted."""
    return [(b.first, b.second, b.hands, b.ruled) for each in countings(shoe) for b in each.boxes[:1]]


def test_T18_a_count_is_taken_back_with_its_ruling_and_both_stay_beside_the_next():
    round_ = seated(2)
    shoe = over(round_)
    count_both(shoe, BOTH)
    rule(shoe, {1: 5_600, 2: 4_800})
    with refusal("reason_missing"):
        counts.count_reopen(shoe_id=shoe.pk, reason="", key=new_key(), actor=None)
    recount(shoe)
    round_.refresh_from_db()
    shoe.refresh_from_db()
    assert (round_.status, shoe.status, chips_at(round_, 1)) == ("playing", "over", 5_200)
    with refusal("no_count", 409):
        recount(shoe)
    enter(shoe, RIGHT)
    recount(shoe)
    assert len(countings(shoe)) == 1, "one count alone that is taken back is nobody's to see"
    count_both(shoe, {1: 5_100, 2: 4_800})
    rule(shoe, {1: 5_100, 2: 4_800}, "counted by three")
    assert evidence(shoe) == [(5_000, 5_000, 5_200, 5_600), (5_100, 5_100, 5_200, 5_100)]
    first, second = countings(shoe)
    assert first.taken_back and first.taken_back.reason == "once more"
    assert not second.taken_back
    assert [each.boxes[0].ruled for each in rulings(round_.event)] == [5_100]


def test_T18_counts_taken_back_by_a_correction_keep_what_the_hands_said_then():
    shoe = over(seated(2))
    count_both(shoe, BOTH)
    rule(shoe, {1: 5_000, 2: 4_800})
    correct(shoe.deals.get(), b1="push", b2="lose")
    assert evidence(shoe) == [(5_000, 5_000, 5_200, 5_000)]
    assert [bool(each.taken_back) for each in countings(shoe)] == [True]
    assert rulings(shoe.round.event) == []
    assert count_both(shoe, BOTH)["agreed"]
    assert evidence(shoe)[-1] == (5_000, 5_000, 5_000, None)


def test_T18_a_penalty_after_the_count_is_no_difference_and_one_before_it_is_in_the_hands():
    round_ = seated(2)
    shoe = over(round_)
    take_chips(stack_at(round_, 1).entry, 400)
    count_both(shoe, {1: 4_800, 2: 4_800})
    assert evidence(shoe) == [(4_800, 4_800, 4_800, None)]
    take_chips(stack_at(round_, 1).entry, 200)
    assert chips_at(round_, 1) == 4_600
    assert evidence(shoe) == [(4_800, 4_800, 4_800, None)]


WRONG = {1: 5_200, 2: 4_600}


def again(shoe: Shoe, chips: dict[Any, Any], actor: User | None) -> dict[str, Any]:
    return counts.count_enter(again=True, shoe_id=shoe.pk, chips=chips, key=new_key(), actor=actor)


def differing(shoe: Shoe, *figures: dict[int, int]) -> list[User]:
    people = [person("floor"), person("floor")]
    for who, chips in zip(people, figures or (RIGHT, WRONG), strict=True):
        enter(shoe, chips, who)
    return people


def test_T18_who_was_right_counts_the_same_again_and_the_other_one_corrects_it():
    shoe = over(seated(2))
    first, second = person("floor"), person("floor")
    enter(shoe, RIGHT, first)
    with refusal("counts_missing", 409):
        again(shoe, {2: 4_800}, first)
    enter(shoe, WRONG, second)
    for chips, code in (({}, "box_missing"), (RIGHT, "box_empty"), ({2: 4_850}, "not_whole_chips")):
        with refusal(code):
            again(shoe, chips, second)
    assert again(shoe, {2: 4_800}, first)["agreed"] is False
    with refusal("counted_again", 409):
        again(shoe, {2: 4_600}, first)
    assert not count_view(shoe, first).differences, "still blind"
    done = again(shoe, {2: 4_800}, second)
    assert (done["which"], done["agreed"], done["status"]) == (2, True, "counted")
    (counting,) = countings(shoe)
    assert [(box.first, box.second) for box in counting.boxes] == [(5_200, 5_200), (4_800, 4_800)]
    last = counting.again[-1]
    assert (last.box, last.was, last.now, last.who) == (2, 4_600, 4_800, second.username)
    recount(shoe)
    first, _ = differing(shoe, {1: 5_000, 2: 5_000}, {1: 5_000, 2: 5_000})
    with refusal("nothing_differs", 409):
        again(shoe, {2: 4_800}, first)
    recount(shoe)
    first, second = differing(shoe)
    again(shoe, {2: 4_800}, first)
    again(shoe, {2: 4_700}, second)
    assert count_view(shoe, first).differences == {2: (4_800, 4_700, 4_800)}, "the director rules"
    with refusal("counted_again", 409):
        again(shoe, {2: 4_800}, second)


def test_T18_only_the_two_people_count_again_and_only_while_they_are_blind():
    shoe = over(seated(2))
    first, second = differing(shoe)
    with refusal("not_your_count", 403):
        again(shoe, {2: 4_800}, person("floor"))
    with refusal("counts_seen", 403):
        again(shoe, {2: 4_800}, person("floor", "director"))
    second.is_active = False
    second.save()
    assert (count_view(shoe, first).again, count_view(shoe, first).signers) == ((2,), ())
    about = {"shoe_id": shoe.pk, "chips": WRONG, "reason": "seen by all"}
    ruled = counts.count_rule(**about, key=new_key(), actor=person())
    request_decide(request_id=ruled["request"], approve=False, key=new_key(), actor=person())
    with refusal("counts_seen", 403):
        again(shoe, {2: 4_800}, first)


def holds(shoe: Shoe) -> None:
    found = audit(Event.objects.get(pk=shoe.round.event_id))
    assert (found.differences, found.stop) == ((), None)


def test_T18_T26_a_box_counted_again_is_audited_with_hands_recorded():
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2)
    hand(shoe_of(round_), dict.fromkeys((1, 2, 3, 4), 200), b1="win", b2="lose", b3="push", b4="win")
    shoe_over(shoe_of(round_))
    shoe, right = shoe_of(round_), {box: chips_at(round_, box) for box in (1, 2, 3, 4)}
    first, second = differing(shoe, right, right | {2: 4_600})
    again(shoe, {2: 4_800}, first)
    holds(shoe)
    assert again(shoe, {2: 4_800}, second)["agreed"]
    holds(shoe)
    recount(shoe)
    holds(shoe)
    first, second = differing(shoe, right | {3: 5_400}, right)
    take_chips(shoe.round.stacks.get(entry__seats__box=4).entry, 400)
    assert again(shoe, {3: 5_000}, first)["agreed"], "the penalty took chips that were counted"
    holds(shoe)
    recount(shoe)
    differing(shoe, right | {4: 4_800, 2: 5_000}, right | {4: 4_800})
    disqualify(shoe.round, stack_at(shoe.round, 2).entry.code)
    shoe.refresh_from_db()
    shoe.round.refresh_from_db()
    assert shoe.status == "counted", "the box that differed is gone"
    close(shoe.round)
    holds(shoe)
