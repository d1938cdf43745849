"""Only the boxes in which two counts differ are counted again, blind, once by each of the two (T18)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tables.models import Shoe
from tables.selectors import count_view
from tables.selectors.audit import audit
from tables.selectors.countings import countings
from tables.services import counts
from tests.cast.counting import enter, leave, recount
from tests.cast.factories import new_key
from tests.cast.floor import chips_at, close, hand, person, refusal, seated, shoe_of, shoe_over, take_chips
from tournament.models import Event
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db
RIGHT, WRONG = {1: 5_200, 2: 4_800}, {1: 5_200, 2: 4_600}


def over() -> Shoe:
    shoe = shoe_of(seated(2))
    hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    shoe_over(shoe)
    return shoe_of(shoe.round)


def again(shoe: Shoe, chips: dict[Any, Any], actor: User | None) -> dict[str, Any]:
    return counts.count_again(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=actor)


def differing(shoe: Shoe, *figures: dict[int, int]) -> list[User]:
    people = [person("floor"), person("floor")]
    for who, chips in zip(people, figures or (RIGHT, WRONG), strict=True):
        enter(shoe, chips, who)
    return people


def test_T18_who_was_right_counts_the_same_again_and_the_other_one_corrects_it():
    shoe = over()
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
    again(shoe, {2: 4_800}, first), again(shoe, {2: 4_700}, second)
    assert count_view(shoe, first).differences == {2: (4_800, 4_700, 4_800)}, "the director rules"
    with refusal("counted_again", 409):
        again(shoe, {2: 4_800}, second)


def test_T18_only_the_two_people_count_again_and_only_while_they_are_blind():
    shoe = over()
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
    leave(shoe, 2)
    shoe.refresh_from_db(), shoe.round.refresh_from_db()
    assert shoe.status == "counted", "the box that differed is gone"
    close(shoe.round)
    holds(shoe)
