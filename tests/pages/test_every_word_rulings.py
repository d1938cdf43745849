"""The walk of every word, stopped where a ruling waits, has lapsed or is confirmed, and a cut differs."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal
from tables.selectors import boxes_to_count
from tables.services import corrections, counts, seating
from tables.services.cut_since import cut_stands
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import close, draw_and_seat, event_make, result, shoe_of, shoe_over
from tests.pages.every_word import Reader
from tests.pages.test_every_word import NAMES, approve, by_entry, named, played, prizes_post
from tournament.models import Event, Round

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def begun() -> tuple[Event, Round, list[str], Reader]:
    """Four play, two go on: the first two have won their hand and the others lost it."""
    event = event_make(0, cut_after_round_1=2, cut_after_round_2=2)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    round_ = draw_and_seat(event)
    codes = sorted(by_entry(round_))
    hands = [(400, "win"), (200, "win"), (200, "lose"), (400, "lose")]
    played(round_, dict(zip(codes, hands, strict=True)))
    return event, round_, codes, Reader(event)


def differ(round_: Round, code: str, by: int = 100) -> dict[int, int]:
    """Two counts that differ at the box of one entry; gives the second one."""
    shoe, box = shoe_of(round_), by_entry(round_)[code][1]
    right = {at: stack.chips for at, stack in boxes_to_count(shoe).items()}
    second = {**right, box: right[box] + by}
    for chips in (right, second):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    return second


def ask(round_: Round, chips: dict[int, int]) -> dict[str, Any]:
    return counts.count_rule(
        shoe_id=shoe_of(round_).pk, chips=chips, reason="recounted", key=new_key(), actor=UserFactory()
    )


def put_right(deal: Deal, **words: str) -> None:
    """The hand as it should have been, by two persons."""
    asked = corrections.correction_request(
        deal_id=deal.pk,
        outcomes={int(box[1:]): result(word) for box, word in words.items()},
        reason="seen on film",
        key=new_key(),
        actor=UserFactory(),
    )
    approve(asked)


def test_T18_every_word_where_a_ruling_waits_has_lapsed_and_is_confirmed_is_so():
    _event, round_, codes, reader = begun()
    shoe_over(shoe_of(round_))
    ask(round_, differ(round_, codes[1]))
    reader.hold()
    counts.count_reopen(shoe_id=shoe_of(round_).pk, reason="again", key=new_key(), actor=UserFactory())
    reader.hold()
    asked = ask(round_, differ(round_, codes[1]))
    reader.hold()
    approve(asked)
    round_.refresh_from_db()
    assert round_.status == Round.Status.COUNTED
    reader.hold()
    close(round_)
    reader.hold()
    # What the ruling moved is kept where its hand is put right.
    boxes = {code: by_entry(round_)[code][1] for code in codes}
    hands = dict(zip(codes, ("natural", "natural", "lose", "lose"), strict=True))
    put_right(Deal.objects.get(), **{f"b{boxes[code]}": word for code, word in hands.items()})
    assert round_.stacks.get(entry__code=codes[1]).closed_chips == 5_400
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)


def test_T17_every_word_where_the_cut_would_be_another_and_is_ruled_to_stand_is_so():
    event, round_, codes, reader = begun()
    shoe_over(shoe_of(round_))
    differ(round_, codes[0], by=0)
    round_.refresh_from_db()
    close(round_)
    prizes_post(event, 300_00, 100_00)
    boxes = {code: by_entry(round_)[code][1] for code in codes}
    second = draw_and_seat(event)
    hands = dict(zip(codes, ("win", "lose", "win", "lose"), strict=True))
    put_right(Deal.objects.get(), **{f"b{boxes[code]}": word for code, word in hands.items()})
    reader.hold()
    played(second, dict.fromkeys(by_entry(second), (200, "push")))
    reader.hold()
    cut_stands(round_id=round_.pk, reason="they have played on", key=new_key(), actor=UserFactory())
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)
