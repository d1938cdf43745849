"""The forms of the hall: its announcements, screens and clock."""

from __future__ import annotations

from typing import Any

from tests.cast.at_desk import staff
from tests.cast.factories import EventFactory, new_key
from tests.cast.form import Form, one_page
from tournament.services.announcements import announcement_post
from tournament.services.clocks import Until, clock_start
from tournament.services.screens import screen_add


def an_announcement() -> Form:
    return one_page(
        staff(EventFactory(), "hall/"), typed={"text": "Dinner is served"}, kept="Dinner is served"
    )


def an_announcement_withdrawn() -> Form:
    event = EventFactory()
    made = announcement_post(event_id=event.pk, text="Dinner is served", key=new_key(), actor=None)
    path = staff(event, f"hall/announcements/{made['announcement']}/withdraw/")
    return Form(staff(event, "hall/"), path)


def of_screen(tail: str, **typed: Any) -> Form:
    event = EventFactory()
    made = screen_add(event_id=event.pk, name="bar", key=new_key(), actor=None)
    return Form(
        staff(event, "hall/"), staff(event, f"hall/{tail}"), typed={**typed, "screen": made["screen"]}
    )


def another_screen() -> Form:
    event = EventFactory()
    path = staff(event, "hall/screens/")
    return Form(staff(event, "hall/"), path, typed={"name": "stage"}, kept="stage")


def a_publication() -> Form:
    event = EventFactory()
    typed = {"mode": "delayed", "minutes": "17"}
    return Form(staff(event, "hall/"), staff(event, "hall/standings/"), typed=typed, kept="17")


def a_rotation() -> Form:
    event = EventFactory()
    path = staff(event, "hall/rotation/")
    return Form(staff(event, "hall/"), path, typed={"number_out": "1", "seconds_out": "17"}, kept="17")


def a_clock() -> Form:
    typed = {"do": "start", "kind": "break", "label": "Dinner", "length": "20"}
    return one_page(
        staff(EventFactory(), "clock/"), typed=typed, kept="Dinner", holds='name="do" value="start"'
    )


def a_running_clock(do: str, **typed: Any) -> Form:
    event, until = EventFactory(), Until(seconds=600)
    clock_start(event_id=event.pk, kind="break", until=until, key=new_key(), actor=None)
    return one_page(staff(event, "clock/"), typed={"do": do, **typed}, holds=f'name="do" value="{do}"')
