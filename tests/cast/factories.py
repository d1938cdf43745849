"""Minimal legal things to test with. Whatever holds money or chips is built through the services.

``UserFactory(roles=["cashier"])`` · ``PlayerFactory()`` · ``EventFactory(settings={"buy_in_cents": 50_00})``
(desk open; ``opened=False``: being set up) · ``EntryFactory(event=event, player=player)``.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable
from typing import Any

import factory
from django.contrib.auth.models import Group, User

from tournament.arguments import WHOLE
from tournament.catalogue import COMMANDS, Kind
from tournament.engine.names import name_folded
from tournament.kinds import NOBODY
from tournament.models import Draw, Entry, Event, Player, Round, Stack
from tournament.selectors.stages import next_stage
from tournament.services import entries, events, rounds
from tournament.services.journal import Command, command
from tournament.services.status import status_move

_numbers = itertools.count(1)
# What tests do by hand is journalled as well, and the journal takes no kind that is not declared.
COMMANDS.setdefault("test", Kind("Test", NOBODY, {"n": WHOLE.or_absent}, ()))
COMMANDS.setdefault("other", Kind("Another test", NOBODY, {"n": WHOLE.or_absent}, ()))
COMMANDS.setdefault("shown", Kind("A test that shows", NOBODY, {}, (), standings=True))


def new_key() -> str:
    """An idempotency key that no other test uses."""
    return f"test-{next(_numbers)}"


class UserFactory(factory.django.DjangoModelFactory):
    """Somebody who works here; ``roles`` are the groups, director and manager where none are given."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"person{n}")
    password = factory.django.Password("a long enough password")

    @factory.post_generation
    def roles(self, create: bool, extracted: list[str] | None, **kwargs: Any) -> None:
        for role in ["director", "manager"] if extracted is None else extracted:
            self.groups.add(Group.objects.get_or_create(name=role)[0])


class PlayerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Player

    given_name = "Ann"
    family_name = factory.Sequence(lambda n: f"Player{n}")
    name_folded = factory.LazyAttribute(lambda made: name_folded(made.given_name, made.family_name))
    identity_digest = factory.Sequence(lambda n: f"{n:064x}")


class EventFactory(factory.Factory):
    """An event of the defaults with its desk open, through the services."""

    class Meta:
        model = Event

    name = factory.Sequence(lambda n: f"Friday Night {n}")
    # Seats are drawn from it as well: it comes from the chance of the test, not from the tests before it.
    code = factory.LazyFunction(lambda: f"FRIDAY-{secrets.token_hex(4).upper()}")
    kind = Event.Kind.TOURNAMENT
    settings = factory.Dict({})
    opened = True
    actor = None

    @classmethod
    def _create(cls, model_class: type[Event], *args: Any, opened: bool, **given: Any) -> Event:
        made = events.event_create(key=new_key(), **given)
        if opened:
            events.event_open(event_id=made["event"], key=new_key(), actor=given["actor"])
        return Event.objects.get(pk=made["event"])


class EntryFactory(factory.Factory):
    """An entry that was bought in at the desk, through the services."""

    class Meta:
        model = Entry

    event = factory.SubFactory(EventFactory)
    player = factory.SubFactory(PlayerFactory)
    actor = None

    @classmethod
    def _create(
        cls, model_class: type[Entry], *args: Any, event: Event, player: Player, actor: User | None
    ) -> Entry:
        sold = entries.entry_buy_in(
            event_id=event.pk, player_id=player.pk, identity_checked=True, key=new_key(), actor=actor
        )
        return Entry.objects.get(pk=sold["entry"])


def as_command(event: Event, act: Callable[[Command], Any]) -> None:
    """Run ``act(cmd)`` as one command of the event."""

    def acting(cmd: Command) -> dict[str, Any]:
        act(cmd)
        return {}

    command(kind="test", key=new_key(), actor=None, event_id=event.pk, body={}, act=acting)


def draw_lock(event: Event) -> None:
    """Fix the roster of the next planned draw: from now on entries come and leave by ruling only."""
    draw = event.draws.filter(status=Draw.Status.PLANNED).order_by("number")[0]
    as_command(event, lambda cmd: status_move(draw, Draw.Status.LOCKED))


def round_seat(event: Event) -> Round:
    """Seat the next stage without tables: the round, its stacks and their chips."""
    stage = next_stage(event)
    assert stage is not None

    def act(cmd: Command) -> None:
        if event.status == Event.Status.OPEN:
            status_move(event, Event.Status.RUNNING)
        rounds.round_open(cmd, stage=stage, draw=None)

    draw_lock(event)
    as_command(event, act)
    return Round.objects.get(event=event, status=Round.Status.SEATED)


def round_to(round_: Round, *statuses: str) -> None:
    """Move a round through these statuses."""
    for status in statuses:
        as_command(round_.event, lambda cmd, to=status: status_move(round_, to))


def stack_of(entry: Entry) -> Stack:
    return Stack.objects.select_related("round", "entry").filter(entry=entry).latest("round_id")
