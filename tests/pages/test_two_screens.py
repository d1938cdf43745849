"""Two screens, one form each, made from the same state (faults): every address that takes a form.

Each form is loaded twice, by two people; the first one is carried out, the second one was made from a state
that is no more. It is refused (409) with what has happened, and the database is as the first one left it.
"""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tables.models import Seat, Shoe, Table
from tables.services.clerks import clerk_bind
from tables.services.seating import seat_no_show, stack_absent, table_add
from tests.cast.at_desk import codes
from tests.cast.every_form import FORMS, NEEDS_NONE, WITH_REASON
from tests.cast.every_page import TABLE, rows_of
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.floor import disqualify, hand, stack_at
from tests.cast.screens import Screen, everything
from tournament.models import Entry, Event, Player, Round
from tournament.services.entries import entry_buy_in
from tournament.services.hall import announcement_post
from tournament.services.payments import prize_pay
from tournament.services.penalties import penalty_add

pytestmark = pytest.mark.django_db


def test_every_address_that_takes_a_form_is_tried_or_has_its_reason() -> None:
    takes = {
        name.split(" ")[0]
        for name, cells in rows_of(TABLE).items()
        if any(cell.split("/")[1] not in ("405", "403") for cell in cells[:-1])
    }
    assert sorted(takes) == sorted({name.split(" ")[0] for name in FORMS} | set(NEEDS_NONE))


def test_no_view_takes_a_bare_key_but_for_what_is_made_from_nothing() -> None:
    """Every view asks for the state by ``submission_of``, but for those that are named with a reason."""
    views = Path("pages").rglob("*.py")
    takers = {
        function.name
        for path in views
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "submission_key"
    }
    # The taps of a hand carry ``seen`` instead, which says in what order they came.
    made_from_nothing = {"desk_player", "event_new", "staff_add", "password_link", "act"}
    assert takers == {"submission_of", *made_from_nothing, "tap_press"}


@pytest.mark.parametrize("name", FORMS)
def test_of_two_screens_the_second_one_is_told_what_has_happened(name: str) -> None:
    """Without its state a form changes nothing; sent twice it counts once; from an old one it is refused."""
    form = FORMS[name]()
    assert ("reason" in form.typed) == (name in WITH_REASON)
    first, second = Screen(form), Screen(form)
    assert first.fields["basis"] == second.fields["basis"], "the form carries no state"
    assert first.fields["key"] != second.fields["key"]
    before = everything()
    stateless = {name: value for name, value in first.fields.items() if name != "basis"}
    assert first.client.post(form.path, stateless).status_code == 422
    assert everything() == before

    answer = first.send(form)
    assert answer.status_code == 303, codes(answer)
    before = everything()
    answer = first.send(form)
    assert answer.status_code == 303, codes(answer)
    assert everything() == before

    own = {"reason": "typed on the second screen"} if "reason" in form.typed else {}
    second.fields |= own
    answer = second.send(form)
    page = answer.content.decode()
    assert answer.status_code == 409, codes(answer)
    assert everything() == before
    assert "stale" in codes(answer), "nothing says what has happened"
    assert own.get("reason", "") in page, "the reason that was typed is gone"
    assert form.kept in page, "what was typed is gone"


def last(model: Any, **filters: Any) -> Any:
    return model.objects.filter(**filters).latest("pk")


def done(act: Callable[..., Any], **given: Any) -> None:
    act(**given, key=new_key(), actor=None)


def late() -> None:
    done(penalty_add, entry_id=last(Seat, box=2).entry_id, kind="warning", reason="late")


def absent() -> None:
    done(stack_absent, stack_id=stack_at(last(Round), 1).pk, absent=True, reason="phone")


def sold(event: Event, player: Player) -> None:
    done(entry_buy_in, event_id=event.pk, player_id=player.pk, **SEEN)


def keeps(table: int) -> None:
    done(clerk_bind, table_id=last(Table, number=table).pk, user_id=UserFactory(roles=["dealer"]).pk)


SEEN = {"identity_checked": True}
# What happened between the page and its press, and whether it matters to who reads the form.
MEANWHILE = [
    ("tables:seat_no_show", lambda: done(seat_no_show, seat_id=last(Seat, box=2).pk), False),
    ("tables:seat_no_show", lambda: hand(last(Shoe), {1: 200}, b1="win"), True),
    ("tournament:entry_penalty", late, False),
    ("tournament:entry_penalty", lambda: hand(last(Shoe), {1: 200}, b1="win"), False),
    ("tournament:entry_penalty", absent, True),
    ("tournament:pay_entry", lambda: done(prize_pay, entry_id=last(Entry, code="E002").pk, **SEEN), False),
    ("tournament:pay_entry", lambda: disqualify(last(Event), "E002"), True),
    ("tournament:disqualification_asked", lambda: disqualify(last(Event), "E004"), True),
    ("tables:correction_asked", late, False),
    ("tournament:desk_buy_in", lambda: sold(last(Event), PlayerFactory()), False),
    ("tournament:desk_buy_in", lambda: sold(EventFactory(), last(Player)), True),
    ("tables:round", lambda: done(announcement_post, event_id=last(Event).pk, text="Dinner"), False),
    ("tables:round", late, False),
    ("tables:floor", lambda: done(table_add, event_id=last(Event).pk) or keeps(2), False),
    ("tables:floor", lambda: keeps(1), True),
    ("tables:boxes_change", lambda: keeps(1), False),
    ("tables:draw_lock", lambda: done(table_add, event_id=last(Event).pk), True),
    ("tables:draw_cards", lambda: sold(last(Event), PlayerFactory()), False),
]


@pytest.mark.parametrize(("name", "meanwhile", "matters"), MEANWHILE)
def test_a_form_is_stale_by_what_is_about_its_thing_and_by_nothing_else(
    name: str, meanwhile: Callable[[], None], matters: bool
) -> None:
    """The journal names a person by id, by code or by stack; a first hand begins its round on the way."""
    form = FORMS[name]()
    screen = Screen(form)
    meanwhile()
    answer = screen.send(form)
    assert (answer.status_code, "stale" in codes(answer)) == ((409, True) if matters else (303, False))
