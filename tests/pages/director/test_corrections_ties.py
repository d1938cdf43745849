"""The page that puts a hand of a tie right: what changes, who plays on, which hands become void (T17)."""

from __future__ import annotations

import pytest

from tests.cast.at_tables import logged_in
from tests.cast.correction_asked import changes
from tests.cast.factories import new_key
from tests.cast.floor import hand, shoe_of
from tests.cast.html import data
from tests.cast.tied import code_at, play_off, sudden_death

pytestmark = pytest.mark.django_db


def press(client, deal, do, **fields):
    address = f"/staff/{deal.shoe.round.event.slug}/deals/{deal.pk}/correct/"
    return client.post(address, {"do": do, "key": new_key(), "how": "results", **fields})


def test_T17_the_preview_of_a_tie_says_who_plays_on_and_which_hand_becomes_void():
    stage = play_off()
    first = hand(shoe_of(stage), {1: 200, 2: 200, 3: 200}, b1="win", b2="push", b3="push")
    hand(shoe_of(stage), {2: 200, 3: 200}, b2="win", b3="lose")
    client = logged_in("director")
    boxes = {"bet-1": "200", "bet-2": "200", "bet-3": "200", "out-1": "push", "out-2": "push", "out-3": "win"}
    page = press(client, first, "preview", **boxes)
    assert ("plays_on" in data(page, "code"), data(page, "void")) == (True, ["1-2"])
    after = [sides.split()[1] for sides in changes(page, name="state").values()]
    assert after.count("open") == 2
    answer = press(client, first, "correct", reason="mixed up", **boxes)
    assert answer.status_code == 303
    stage.refresh_from_db()
    assert stage.status == "playing"


def test_T17_the_preview_of_a_sudden_death_shows_the_prizes_that_change():
    stage = sudden_death()
    old = hand(shoe_of(stage), {1: 200, 2: 200}, b1="win", b2="lose")
    boxes = {"bet-1": "200", "bet-2": "200", "out-1": "lose", "out-2": "win"}
    page = press(logged_in("director"), old, "preview", **boxes)
    one, two = code_at(stage, 1), code_at(stage, 2)
    assert changes(page, name="cents") == {one: "40000 30000", two: "30000 40000"}
