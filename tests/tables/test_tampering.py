"""Edits behind the back of the services: the audit names each, or docs/reliability.md says why it cannot."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, transaction

from tables.selectors.audit import audit
from tables.selectors.audit_rows import Difference
from tables.services import draws, seating
from tables.services.closing import tie_rule
from tests.cast.edits import CALLED_OFF, OF_A_NIGHT, Edit, unguarded
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tests.cast.floor import close, confirm, hand, one_box_win, play_and_count, recorded, shoe_of, take_chips
from tests.cast.worlds import kept
from tournament.models import Event, Round
from tournament.services.events import event_call_off
from tournament.services.payments import prize_pay
from tournament.services.payouts import payouts_post
from tournament.services.penalties import penalty_add
from tournament.services.refunds import refund_hand_out

pytestmark = pytest.mark.django_db

RELIABILITY = Path(__file__).parents[2] / "docs" / "reliability.md"


def drawn(event: Event) -> Round:
    """The next stage, seated by five cards that one person types and another confirms."""
    draw = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)["draw"]
    cards = "KH 4D 7S AC 2D"
    draws.draw_cards(draw_id=draw, cards=cards, key=new_key(), actor=UserFactory(roles=["floor"]))
    draws.draw_confirm(draw_id=draw, key=new_key(), actor=UserFactory(roles=["floor"]))
    return Round.objects.get(pk=draws.round_seat(draw_id=draw)["round"])


@kept
def rich_night() -> Event:
    """Four entrants: cards and results, penalties, counts, two rounds after the cut, one prize paid."""
    desk = UserFactory(roles=["cashier"])
    settings = {"no_hand": "ranked", "cut_after_round_1": 2, "cut_after_round_2": 2}
    event = EventFactory(settings={**settings, "second_person_from_cents": 20_000})
    first, *_others = [EntryFactory(event=event, actor=desk) for _entry in range(4)]
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    round_ = drawn(event)
    warning = {"entry_id": first.pk, "kind": "warning", "reason": "late"}
    penalty_add(**warning, key=new_key(), actor=UserFactory(roles=["floor"]))
    recorded(shoe_of(round_), one_box_win(1, 400))
    take_chips(first, 100)  # at whatever box: nobody is level at the cut
    hand(shoe_of(round_), {1: 600, 2: 200, 3: 400, 4: 200}, b1="win", b2="push", b3="lose", b4="lose")
    play_and_count(round_)
    close(round_)
    structure = {"kind": "fixed", "amounts": [30_000, 10_000]}
    payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=None)
    for _round in (2, 3):
        round_ = drawn(event)
        hand(shoe_of(round_), {1: 200, 2: 400}, b1="lose", b2="win")
        play_and_count(round_)
        close(round_)
    winner = event.entries.get(place=1)
    confirm(prize_pay(entry_id=winner.pk, identity_checked=True, key=new_key(), actor=UserFactory()))
    return Event.objects.get(pk=event.pk)


@kept
def called_off_night() -> Event:
    """Three level for two seats: their tie was ruled on, the event called off. One has the buy-in back."""
    settings = {"cut_after_round_1": 2, "cut_after_round_2": 2, "tie_at_cut": "director"}
    event = EventFactory(settings=settings)
    first, *_others = [EntryFactory(event=event) for _entry in range(3)]
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    round_ = drawn(event)
    play_and_count(round_)
    tie_rule(round_id=round_.pk, advance=["E001", "E002"], reason="by lot", key=new_key(), actor=None)
    event_call_off(event_id=event.pk, reason="fire", key=new_key(), actor=None)
    refund_hand_out(entry_id=first.pk, identity_checked=True, key=new_key(), actor=UserFactory())
    return Event.objects.get(pk=event.pk)


def differences_after(event: Event, edits: Iterable[Edit]) -> tuple[Difference, ...]:
    """What the audit finds once the edits are made; they are taken back."""
    with transaction.atomic():
        for edit in edits:
            with unguarded(), connection.cursor() as cursor:
                cursor.execute(edit.sql % {"event": event.pk})
        found = audit(Event.objects.get(pk=event.pk)).differences
        transaction.set_rollback(True)
    return found


def is_named(edit: Edit, found: tuple[Difference, ...]) -> bool:
    return any(each.row.startswith(edit.row) and each.column.startswith(edit.column) for each in found)


def batches(edits: tuple[Edit, ...], one_by_one: bool) -> list[list[Edit]]:
    """The edits as they are made: in the gate those that hide nothing of each other together."""
    alone = [[edit] for edit in edits if one_by_one or edit.alone]
    together = [edit for edit in edits if not one_by_one and not edit.alone]
    return [*alone, together] if together else alone


@pytest.mark.parametrize("one_by_one", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_every_edit_of_the_list_is_named_by_its_row_and_column(one_by_one: bool):
    assert sum(map(len, OF_A_NIGHT)) >= 50
    missed = {}
    for event, lists in ((rich_night(), OF_A_NIGHT), (called_off_night(), (CALLED_OFF,))):
        assert audit(event).differences == ()
        for edits in lists:
            for made in batches(edits, one_by_one):
                found = differences_after(event, made)
                missed |= {edit.sql: found for edit in made if not is_named(edit, found)}
    assert missed == {}, [*missed]


def test_every_table_is_edited_or_said_to_be_free():
    edited = " ".join(edit.sql for edits in (*OF_A_NIGHT, CALLED_OFF) for edit in edits)
    free = set(re.findall(r"^\| `(\w+)` \|", RELIABILITY.read_text(), re.MULTILINE))
    models = [*apps.get_app_config("tournament").get_models(), *apps.get_app_config("tables").get_models()]
    neither = {
        model.__name__
        for model in models
        if not re.search(rf"(UPDATE|DELETE FROM) {model._meta.db_table}\b", edited)
        and model.__name__ not in free
    }
    assert neither == set()
    assert free <= {model.__name__ for model in models}
