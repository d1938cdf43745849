"""Every plan: one event of each length is played, and its pages are opened in every state on the way.

Events of two to five rounds are played through the services. In each round every table plays two simulated
hands; then the shoes end and the chips are counted. Every state has a name. In each state every address of
the event is opened, and no answer may be a 500. ``tests/cast/every_page.py`` says who may see what. A state
that all plans go through is opened by halves where several are played: each plan opens every other address.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tables.models import Clerk, Deal, Seat, Table
from tables.selectors.correction_requests import AFTER_CLOSE
from tables.services import nights
from tables.services.corrections import correction_request
from tables.services.draws import draw_lock
from tables.services.seating import tables_ensure
from tables.services.shoes import shoe_end
from tests.cast.every_page import ANONYMOUS, COLUMNS, OF_ROUND, STRUCTURE, TABLE, routed, rows_of
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tests.cast.links import closed
from tournament.models import Event, Request, Round, Stack
from tournament.roles import AUDITOR, DEALER, ROLES
from tournament.selectors.penalties import DISQUALIFY
from tournament.services.entries import entry_disqualify_request
from tournament.services.events import event_call_off
from tournament.services.hall import screen_add
from tournament.services.penalties import penalty_add

CARRIED, RESET, OWN = "carried", "reset", 3_000
PLANS: dict[int, list[tuple[str | int, int | None]]] = {
    2: [(RESET, 4), (CARRIED, None)],
    3: [(RESET, 6), (CARRIED, 4), (CARRIED, None)],
    4: [(RESET, 6), (OWN, 5), (CARRIED, 3), (RESET, None)],
    5: [(RESET, 7), (CARRIED, 6), (RESET, 5), (OWN, 3), (CARRIED, None)],
}
"""By the number of rounds: the stack of each round, and how many advance from it."""
IN_ALL = (
    *("draft", "roster locked", "round 1 played", "round 1 closed, two requests wait"),
    *("called off", "finished", "paid"),
)
"""The states that an event goes through whatever its plan is."""
ENTRANTS = 8
HANDS = 2


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside the block is taken back after it."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def played(rounds: int, people: dict[str, User]) -> Iterator[tuple[str, Event]]:
    """Play an event of so many rounds; give each named state when the event is in it."""
    plan = [
        {"stack": stack, "advance": None if top is None else {"top": top}} for stack, top in PLANS[rounds]
    ]
    settings = {"plan": plan, "boxes_per_table": 4}
    yield "draft", EventFactory(opened=False, settings=settings)
    night = nights.night_open(
        name="Every plan",
        code=f"PLAN-{rounds}",
        kind=Event.Kind.TOURNAMENT,
        luck="luck",
        settings=settings,
        people=nights.People(**{role: user for role, user in people.items() if role != AUDITOR}),
    )
    event = night.event
    screen_add(event_id=event.pk, name="bar", key=new_key(), actor=None)
    for _ in range(ENTRANTS):
        EntryFactory(event=event)
    tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    with undone():
        draw_lock(event_id=event.pk, key=new_key(), actor=None)
        yield "roster locked", event
    for number in range(1, rounds + 1):
        yield from _round(night, number)
    nights.night_play(night)
    yield "finished", event
    nights.night_pay(night)
    yield "paid", event


def _round(night: nights.Night, number: int) -> Iterator[tuple[str, Event]]:
    """One round from its draw to its close."""
    event, last = night.event, night.event.format.last
    round_ = nights.night_draw(night)
    for shoe in HANDS * nights.shoes_in_play(round_):
        nights._hand(night, shoe)
    yield f"round {number} played", event
    if number == 2:
        with undone():
            event_call_off(event_id=event.pk, reason="the power is out", key=new_key(), actor=None)
            yield "called off", event
    for shoe in nights.shoes_in_play(round_):
        shoe_end(shoe_id=shoe.pk, reason="the night stops here", key=night.key(), actor=night.people.dealer)
        nights.shoe_count(night, shoe)
    if number == last:
        yield f"round {number} counted", event
    nights.night_play(
        night, until=lambda _: Round.objects.filter(pk=round_.pk, status=Round.Status.CLOSED).exists()
    )
    if number == 1:
        with undone():
            _asked(round_)
            yield "round 1 closed, two requests wait", event
        nights.night_post_payouts(night)


def _asked(round_: Round) -> None:
    """A warning, and two requests to a second person: to disqualify somebody, and to put a hand right."""
    boss = UserFactory(roles=["director"])
    entry = round_.stacks.filter(outcome=Stack.Outcome.ADVANCED).latest("pk").entry
    penalty_add(entry_id=entry.pk, kind="warning", reason="late", key=new_key(), actor=boss)
    entry_disqualify_request(entry_id=entry.pk, reason="marked a card", key=new_key(), actor=boss)
    deal = Deal.objects.filter(shoe__round=round_).latest("pk")
    correction_request(deal_id=deal.pk, void=True, reason="misdealt", key=new_key(), actor=boss)


ROWS = {name.removesuffix(" 1"): cells for name, cells in rows_of(TABLE).items()}
"""The row of each address in the table of permissions. Table 1 is the dealer's."""


NEEDED = {name for name, parts in routed() if "slug" in parts or not parts}
"""Every address but those of a single login, which are the same for every plan."""
OF_EVENT = [name for name, parts in routed() if "slug" in parts]


def may_see(name: str) -> dict[str, int]:
    """The roles that may open an address, each with the status of an answer that shows the page."""
    cells = dict(zip(COLUMNS, ROWS[name], strict=True))
    return {
        role: int(cell.split("/")[0])
        for role, cell in cells.items()
        if not cell.startswith("403") and (role, cell) != (ANONYMOUS, "302/302")
    }


class Opener:
    """Opens every address of an event and keeps what was answered."""

    def __init__(self, *, every_role: bool) -> None:
        self.every_role, self.states = every_role, 0
        self.shown: set[str] = set()
        self.faults: list[str] = []
        self.people = {role: UserFactory(roles=[role]) for role in ROLES}
        self.clients = {name: Client(raise_request_exception=False) for name in COLUMNS}
        for role, user in self.people.items():
            self.clients[role].force_login(user)

    def open_all(self, state: str, event: Event, half: int | None) -> None:
        """Open each address as one role that may see it, the roles taking turns, or as every role.

        ``half``: of the addresses of an event only every other one, from this on.
        """
        event.refresh_from_db()
        self.states += 1
        table = Table.objects.filter(event=event, number=1).first()
        if table is not None:
            Clerk.objects.update_or_create(user=self.people[DEALER], defaults={"table": table})
        # A dealer without a table sees no page of the tables.
        at_work = [role for role in COLUMNS if role != DEALER or table is not None]
        house = event.status == Event.Status.RUNNING and "tournament:house" not in self.shown
        for turn, (name, path) in enumerate(addresses(event, house=house).items(), start=self.states):
            may = may_see(name)
            if half is not None and name in OF_EVENT[1 - half :: 2]:
                continue
            if not self.every_role and name in self.shown and 302 in may.values():
                continue  # This address takes forms alone. Once is enough.
            seeing = [role for role in at_work if role in may]
            for role in at_work if self.every_role else [seeing[turn % len(seeing)]]:
                answer = self.clients[role].get(path)
                status = answer.status_code
                if status == 200 and "html" in answer["Content-Type"]:
                    self.faults += closed(role, path, answer.content.decode())
                if status == may.get(role):
                    self.shown.add(name)
                kept_out = status == 403 if role != ANONYMOUS or role in may else status == 302
                if status >= 500 or kept_out == (role in may):
                    self.faults.append(f"{state}: {role} gets {status} from {path}")


def addresses(event: Event, *, house: bool) -> dict[str, str]:
    """Every address with what it needs of this event; 0 where the event does not have it yet.

    ``house``: with the addresses that need no event.
    """
    values = values_in(event)
    made = {}
    for name, parts in routed():
        if "slug" in parts or (house and not parts):
            own = {**values, **values.get(name, {})}
            made[name] = reverse(name, kwargs={part: own[part] for part in parts})
    for name in ("tournament:payouts_check", "tournament:payouts_confirm"):
        made[name] += STRUCTURE
    return made


def values_in(event: Event) -> dict[str, Any]:
    """The parts of addresses: the newest round with its newest seat and hand, a player of it, table 1.

    Where a part means something else in one address, that address has its own value by its name.
    """
    round_ = event.rounds.order_by("-pk").first()
    entry = event.entries.filter(place=1).first() or event.entries.filter(stacks__round=round_).first()
    asked = Request.objects.filter(event=event)
    newest = {
        "pk": Deal.objects.filter(shoe__round__event=event, shoe__table__number=1).last(),
        "round_id": round_,
        "seat_id": Seat.objects.filter(round=round_).last(),
        "request_id": asked.filter(kind=DISQUALIFY).last(),
        "penalty_id": entry and entry.penalties.last(),
        "player_id": entry and entry.player,
    }
    ids: dict[str, Any] = {part: thing.pk if thing else 0 for part, thing in newest.items()}
    correction = asked.filter(kind=AFTER_CLOSE).last()
    return {
        **{"slug": event.slug, "code": entry.code if entry else "E001", "number": 1, "box": 4, "step": 0},
        **{"announcement_id": 0, "screen": "bar"},
        **ids,
        **{name: {"pk": ids["round_id"]} for name in OF_ROUND},
        "tables:correction_asked": {"request_id": correction.pk if correction else 0},
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rounds", "half"),
    [
        *((2, 0), (5, 1)),
        *(pytest.param(rounds, half, marks=pytest.mark.soak) for rounds, half in ((3, 0), (4, 1))),
        *(pytest.param(rounds, None, marks=pytest.mark.soak) for rounds in PLANS),
    ],
)
def test_F1_every_page_opens_in_every_state_of_an_event_of(rounds: int, half: int | None) -> None:
    """``half``: of the states of all plans, this half of the addresses; None: every one, as every role."""
    opener = Opener(every_role=half is None)
    for state, event in played(rounds, opener.people):
        opener.open_all(f"{rounds} rounds, {state}", event, half if state in IN_ALL else None)
    assert opener.faults == []
    needed = NEEDED if half is None else NEEDED & set(OF_EVENT[half::2])
    assert needed - opener.shown == set(), "no state shows these pages"
