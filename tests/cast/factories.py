"""Minimal legal objects for tests. Everything with money or chips is built through the services.

``UserFactory(roles=["cashier"])`` · ``PlayerFactory()`` · ``EventFactory(settings={"buy_in_cents": 50_00})``
(desk open; ``opened=False``: being set up) · ``EntryFactory(event=event, player=player)``.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import factory
from django.contrib.auth.models import Group, User

from ground.arguments import WHOLE
from tables.models import Table
from tables.services.facts_write import facts_write
from tournament.catalogue import COMMANDS, Kind
from tournament.command_kinds import NOBODY
from tournament.engine import facts
from tournament.engine.facts import Fact
from tournament.engine.names import name_folded
from tournament.models import Draw, Entry, Event, Player, Round, Stack
from tournament.selectors.next_steps import seat_due
from tournament.services import entries, events, rounds
from tournament.services.journal import Command, command
from tournament.services.status import status_move

_numbers = itertools.count(1)
# Commands of tests are journalled too, and the journal refuses undeclared kinds.
COMMANDS.setdefault("test", Kind("Test", NOBODY, {"n": WHOLE.or_absent}, ()))
COMMANDS.setdefault("other", Kind("Another test", NOBODY, {"n": WHOLE.or_absent}, ()))
COMMANDS.setdefault("shown", Kind("A test that shows", NOBODY, {}, ()))


def new_key() -> str:
    """An idempotency key that no other test uses."""
    return f"test-{next(_numbers)}"


class UserFactory(factory.django.DjangoModelFactory):
    """A member of staff; ``roles`` are the groups, by default director and manager."""

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


def as_command(event: Event, act: Callable[[Command], Any], told: Iterable[Fact] = ()) -> None:
    """Run ``act(cmd)`` as one command of the event. ``told``: its facts."""

    def acting(cmd: Command) -> dict[str, Any]:
        cmd.write(*told)
        act(cmd)
        return {}

    command(kind="test", key=new_key(), actor=None, event_id=event.pk, body={}, act=acting)


def draw_lock(event: Event) -> None:
    """Lock the roster of the next planned draw: from now on entries come and leave only by ruling."""
    draw = event.draws.filter(status=Draw.Status.PLANNED).order_by("number")[0]
    as_command(event, lambda cmd: status_move(draw, Draw.Status.LOCKED))


def round_seat(event: Event) -> Round:
    """Seat the next stage without tables: the round, its stacks and their chips."""
    event.refresh_from_db(fields=["status"])
    due = seat_due(event)
    assert due is not None

    def act(cmd: Command) -> None:
        rounds.round_open(cmd, step=due, draw=None)
        facts_write(cmd)

    draw_lock(event)
    seats = tuple((e, 1 + at // facts.BOXES, 1 + at % facts.BOXES) for at, e in enumerate(due.entries))
    buttons = tuple((table, 1) for _code, table, _box in seats)
    for table, _box in buttons:
        Table.objects.get_or_create(event=event, number=table)
    as_command(event, act, [facts.Seated(due.stage, seats, buttons)])
    return Round.objects.get(event=event, status=Round.Status.SEATED)


def round_to(round_: Round, *statuses: str) -> None:
    """Move a round through these statuses."""
    key = (round_.number, round_.kind, round_.sequence)
    for status in statuses:
        told: list[Fact] = [facts.Began(key)] if status == Round.Status.PLAYING else []
        for table, chips in by_table(round_, lambda s: s.chips) if status == Round.Status.COUNTED else ():
            told += [facts.ShoeEnded(key, table), *[facts.Counted(key, table, chips)] * 2]
        as_command(round_.event, lambda cmd, to=status: status_move(round_, to), told)


def by_table(round_: Round, figure: Callable[[Stack], int]) -> Iterable[tuple[int, facts.Boxes]]:
    """Each table with a figure of every stack. For the fold all sit in the order in which they entered."""
    stacks = list(round_.stacks.select_related("entry").order_by("entry__number"))
    for at in range(0, len(stacks), facts.BOXES):
        yield 1 + at // facts.BOXES, facts.boxes(dict(enumerate(map(figure, stacks[at : at + 7]), start=1)))


def hands(round_: Round, nets: Mapping[str, int]) -> list[Fact]:
    """One hand at every table of a stage, which everybody has played."""
    key, number, none = (round_.number, round_.kind, round_.sequence), next(_numbers), facts.boxes({})
    bets = dict(by_table(round_, lambda stack: 1))
    return [
        facts.Hand(key, table, 1, number, bets[table], won, bets[table], none, (), 1)
        for table, won in by_table(round_, lambda stack: nets.get(stack.entry.code, 0))
    ]


def stack_of(entry: Entry) -> Stack:
    return Stack.objects.select_related("round", "entry").filter(entry=entry).latest("round_id")
