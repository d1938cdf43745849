"""A disqualification that waits holds the close of its round and the lock of a roster (T19, T21, T26)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.services import draws
from tests.cast.at_tables import logged_in
from tests.cast.corrected import post
from tests.cast.disqualifying import answer, ask
from tests.cast.factories import new_key
from tests.cast.floor import (
    close,
    draw_and_seat,
    event_make,
    hand,
    person,
    play_and_count,
    refusal,
    seated,
    shoe_of,
)
from tests.cast.html import data
from tests.cast.pages import next_of
from tests.cast.playing import promised
from tests.cast.rounds import CUTS, address, counted, press
from tests.cast.tied import code_at, sudden_death
from tournament.models import Event, Round
from tournament.services.entries import entry_withdraw

pytestmark = pytest.mark.django_db


def lock(event: Event) -> Any:
    return draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)


def advanced(round_: Round) -> list[str]:
    return sorted(round_.stacks.filter(outcome="advanced").values_list("entry__code", flat=True))


def between(**settings: Any) -> Round:
    """Round 1 closed and the payouts posted: three of five go on."""
    round_ = counted(**promised(30_000, 10_000), **settings)
    close(round_)
    post(round_.event, 30_000, 10_000)
    round_.refresh_from_db()
    return round_


@pytest.mark.parametrize("box", [1, 5])
def test_T19_T26_a_round_is_not_closed_while_a_disqualification_in_it_waits(box: int):
    round_ = counted()
    asked = ask(round_.event, code_at(round_, box))
    with refusal("ruling_waits", 409):
        close(round_)
    answer(asked, approve=False)
    close(round_)
    assert advanced(round_) == sorted(code_at(round_, box) for box in (1, 2, 3))


def test_T19_T26_confirmed_before_the_close_the_next_in_rank_moves_up():
    round_ = counted()
    asked = ask(round_.event, code_at(round_, 1))
    with refusal("ruling_waits", 409):
        close(round_)
    answer(asked)
    close(round_)
    assert advanced(round_) == sorted(code_at(round_, box) for box in (2, 3, 4))


def test_T19_T26_about_somebody_who_is_out_it_holds_neither_the_close_nor_the_roster():
    round_ = between()
    asked = ask(round_.event, code_at(round_, 4))
    second = draw_and_seat(round_.event)
    play_and_count(second)
    client = logged_in("director")
    assert not data(client.get(address(second)), "waits")
    hand_over = close(second)
    assert len(hand_over["advanced"]) == 2
    answer(asked)


def test_T19_T26_what_has_lapsed_holds_nothing():
    round_ = seated(5, **CUTS)
    bets = {1: 1000, 2: 800, 3: 600, 4: 400, 5: 200}
    hand(shoe_of(round_), bets, **{f"b{box}": "win" for box in bets})
    code = code_at(round_, 1)
    ask(round_.event, code)
    entry_withdraw(
        entry_id=round_.event.entries.get(code=code).pk,
        reason="went home",
        refund=False,
        key=new_key(),
        actor=person("director"),
    )
    play_and_count(round_)
    round_.refresh_from_db()
    assert len(close(round_)["advanced"]) == 3


def test_T19_T26_the_round_its_close_and_tonight_say_that_it_waits():
    round_ = counted()
    asked = ask(round_.event, code_at(round_, 1))
    client = logged_in("director")
    for page in (client.get(address(round_, tail)) for tail in ("", "close/")):
        assert "ruling_waits" in data(page, "code") and data(page, "waits") == [str(asked)]
        assert 'name="do" value="close"' not in page.content.decode()
    step = next_of(round_.event)[0]
    assert (step.tail, step.tells) == ("requests/", {asked})
    pressed = press(client, round_, "close")
    assert (pressed.status_code, "ruling_waits" in data(pressed, "code")) == (409, True)
    answer(asked, approve=False)
    assert not [each for tail in ("", "close/") for each in data(client.get(address(round_, tail)), "waits")]


def test_T21_T26_a_roster_is_not_locked_while_a_qualifier_is_asked_about():
    round_ = between()
    event, code = round_.event, code_at(round_, 1)
    asked = ask(event, code)
    with refusal("ruling_waits", 409):
        lock(event)
    client = logged_in("director")
    response = client.get(f"/staff/{event.slug}/draw/")
    assert "ruling_waits" in data(response, "code")
    assert "/draw/lock/" not in response.content.decode()
    assert next_of(event)[0].tells == {asked}
    assert data(client.get(address(round_)), "waits") == [str(asked)]
    answer(asked, approve=False)
    assert sorted(lock(event)["roster"]) == advanced(round_)


def test_T4_T26_nor_the_roster_of_round_1():
    event = event_make(5, **CUTS)
    code = event.entries.first().code
    asked = ask(event, code)
    with refusal("ruling_waits", 409):
        lock(event)
    assert next_of(event)[0].tells == {asked}
    answer(asked)
    assert code not in lock(event)["roster"]


def test_T23_T26_no_play_off_is_drawn_while_one_above_the_line_is_asked_about():
    round_ = counted(tied=True)
    asked = ask(round_.event, code_at(round_, 1))
    with refusal("ruling_waits", 409):
        lock(round_.event)
    answer(asked)
    # All three who were tied now have a seat: nothing is left to play off.
    with refusal("no_draw_due", 409):
        lock(round_.event)


def test_T33_T26_no_sudden_death_is_closed_while_one_in_it_is_asked_about():
    sudden = sudden_death()
    hand(shoe_of(sudden), {1: 400, 2: 200}, b1="win", b2="lose")
    sudden.refresh_from_db()
    asked = ask(sudden.event, code_at(sudden, 1))
    assert sudden.status == Round.Status.COUNTED
    with refusal("ruling_waits", 409):
        close(sudden)
    answer(asked, approve=False)
    close(sudden)
