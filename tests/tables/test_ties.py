"""Play-offs and sudden deaths after a hand: which tie is looked at, and what waits for the director (T19)."""

from __future__ import annotations

import pytest

from tests.cast.floor import close, hand, refusal, shoe_of
from tests.cast.tied import code_at, places, sudden_death

pytestmark = pytest.mark.django_db


def test_T19_a_decided_sudden_death_waits_for_the_close_of_the_director():
    stage = sudden_death()
    hand(shoe_of(stage), {1: 200, 2: 200}, b1="win", b2="lose")
    stage.refresh_from_db(), stage.event.refresh_from_db()
    assert (stage.status, stage.event.status) == ("counted", "running")
    close(stage)
    stage.event.refresh_from_db()
    assert stage.event.status == "finished"


def test_T19_a_tie_at_one_table_holds_up_no_other_group():
    stage = sudden_death(4, groups=2)
    first, second = shoe_of(stage, 1), shoe_of(stage, 2)
    for _ in range(2):
        hand(first, {1: 200, 2: 200}, b1="push", b2="push")
    hand(first, {1: 200, 2: 200}, b1="lose", b2="win")
    codes = [code_at(stage, box, table) for table in (1, 2) for box in (1, 2)]
    assert [places(stage)[code] for code in codes] == [2, 1, None, None]
    hand(second, {1: 200, 2: 200}, b1="push", b2="push")
    hand(second, {1: 200, 2: 200}, b1="win", b2="lose")
    stage.refresh_from_db()
    assert stage.status == "counted"
    assert [places(stage)[code] for code in codes] == [2, 1, 3, 4]


def test_T19_a_group_at_two_tables_still_waits_for_its_own():
    stage = sudden_death(4, groups=2)
    prizes = [40_000, 30_000, 20_000, 10_000]
    group = {"places": [1, 2, 3, 4], "entries": sorted(places(stage)), "prizes_cents": prizes}
    stage.stakes = {"groups": [group]}
    stage.save()
    hand(shoe_of(stage, 1), {1: 200, 2: 200}, b1="win", b2="push")
    with refusal("wait_for_other_table", 409):
        hand(shoe_of(stage, 1), {1: 200, 2: 200}, b1="win", b2="push")
    assert set(places(stage).values()) == {None}
