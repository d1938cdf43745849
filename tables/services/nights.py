"""Play whole events with simulated players, through the services that a real night uses.

``manage.py simulate`` plays one to its paid end; the rehearsal is one that stops in the middle.
"""

from __future__ import annotations

import secrets as random_source
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Sum

from ground.chance import Stream, shuffle
from ground.refused import Refused
from tables.models import Deal, Shoe
from tables.selectors.counts import boxes_to_count
from tables.services.dealing import round_look
from tables.services.shoes import shoe_next
from tournament.engine.draw import PUBLIC_CARDS, RANKS, SUITS
from tournament.engine.next_steps import Do, NextStep
from tournament.engine.payouts import template_structure
from tournament.models import ChipAccount, ChipEntry, Entry, Event, JournalHead, Player, Round, Stack
from tournament.selectors.next_steps import steps_of
from tournament.selectors.prizes import paid_of, pool_of, prizes_for
from tournament.selectors.stages import stage_row
from tournament.services import commits
from tournament.services.entries import entry_buy_in
from tournament.services.events import event_create, event_open
from tournament.services.journal import Json
from tournament.services.payments import prize_pay
from tournament.services.payouts import payouts_post
from tournament.services.people import player_create

from .closing import round_close, tie_rule
from .counts import count_enter
from .draws import draw_cards, draw_confirm, draw_lock, round_seat
from .seating import tables_ensure
from .simulation import hand_play, seed_of, shoe_end_if_due, shoe_seed

ENTRANTS_MIN, ENTRANTS_MAX = 2, 1_000
PLACES_PAID = 6
STAGES_MAX = 200
STANDINGS = "tournament.recompute_standings"
"""The task that makes the standings: once per stage, or at the end of a simulation that nobody watches."""
Kind, Status = Round.Kind, Round.Status
_GIVEN = (
    "Ann", "Miro", "Priya", "Dieter", "Chen", "Tomas", "Sam", "Olga", "Felix", "Kim", "Bo", "Rosa",
    "Luca", "Sven", "Maya", "Ines", "Jorge", "Hana", "Noor", "Emil", "Vera", "Otto", "Lena", "Yusuf",
    "Petra", "Ravi", "Greta", "Dario", "Mina", "Pavel", "Sofia", "Anton", "Iris", "Marek", "Nadia", "Theo",
)  # fmt: skip
_FAMILY = (
    "Berg", "Kovac", "Sharma", "Weber", "Li", "Novak", "Adams", "Rossi", "Marin", "Hart", "Lind", "Pereira",
    "Durand", "Toth", "Okafor", "Silva", "Ortega", "Sato", "Haddad", "Nilsson", "Wagner", "Fischer", "Kaya",
    "Dvorak", "Patel", "Jensen", "Moreau", "Costa", "Ivanova", "Meyer", "Quinn",
)  # fmt: skip
"""Names of simulated players, so that a rehearsal reads like a night."""


@dataclass(frozen=True)
class People:
    """The users who run a night; None in a simulation."""

    cashier: User | None = None
    director: User | None = None
    floor: User | None = None
    manager: User | None = None
    dealer: User | None = None


NOBODY = People()


@dataclass
class Night:
    """An event that is being played, its source of randomness, and the people who run it."""

    event: Event
    luck: str
    people: People
    commands: int = field(default=0)

    def key(self) -> str:
        """A fresh idempotency key."""
        self.commands += 1
        return f"night:{self.event.slug}:{self.commands}"


def night_open(
    *,
    name: str,
    code: str,
    kind: str,
    luck: str,
    settings: Mapping[str, Any],
    slug: str = "",
    people: People = NOBODY,
) -> Night:
    """Set up an event and post its rules; the secrets of its draws are made from ``luck``."""
    # Every run has its own keys; all later ones contain the event's slug.
    start = f"night:{random_source.token_hex(8)}"
    made = event_create(
        name=name,
        code=code,
        kind=kind,
        settings=settings,
        slug=slug,
        key=f"{start}:create",
        actor=people.director,
    )
    night = Night(Event.objects.get(pk=made["event"]), luck, people)
    secrets = [seed_of(luck, "draw", number) for number in range(1, night.event.format.planned_draws + 1)]
    event_open(event_id=night.event.pk, secrets=secrets, key=night.key(), actor=people.director)
    return night


def _name_of(number: int) -> tuple[str, str]:
    """Given and family name of simulated player ``number``, from 1; the lists' lengths share no factor."""
    return _GIVEN[(number * 5) % len(_GIVEN)], _FAMILY[(number * 7) % len(_FAMILY)]


def night_buy_in(night: Night, entrants: int) -> None:
    """Sell entries to simulated players, whose records later simulations use again."""
    with commits.once(STANDINGS):
        _buy_in(night, entrants)


def _buy_in(night: Night, entrants: int) -> None:
    known = Player.objects.filter(simulated=True).order_by("pk").values_list("pk", flat=True)
    players = list(known[:entrants])
    for number in range(len(players) + 1, entrants + 1):
        given, family = _name_of(number)
        made = player_create(
            given_name=given, family_name=family, simulated=True, key=night.key(), actor=night.people.cashier
        )
        players.append(made["player"])
    for player in players:
        entry_buy_in(
            event_id=night.event.pk,
            player_id=player,
            identity_checked=True,
            key=night.key(),
            actor=night.people.cashier,
        )
    tables_ensure(event_id=night.event.pk, key=night.key(), actor=night.people.floor)


def night_draw(night: Night) -> Round:
    """Draw the stage that is due: lock, five public cards, confirm, seats."""
    locked = draw_lock(event_id=night.event.pk, key=night.key(), actor=night.people.floor)
    if night.event.settings.public_input:
        deck = [rank + suit for suit in SUITS for rank in RANKS]
        cut = shuffle(deck, Stream(seed_of(night.luck, "cards", locked["number"])))[:PUBLIC_CARDS]
        draw_cards(draw_id=locked["draw"], cards=" ".join(cut), key=night.key(), actor=night.people.floor)
        draw_confirm(draw_id=locked["draw"], key=night.key(), actor=night.people.director)
    # The task may have drawn already: the same key gives the same result.
    seated = round_seat(draw_id=locked["draw"])
    return Round.objects.get(pk=seated["round"])


def night_play(night: Night, *, until: Callable[[Event], bool] = lambda event: False) -> None:
    """Play stage after stage until the places are decided, or ``until`` says to stop."""
    for _stage in range(STAGES_MAX):
        night.event.refresh_from_db()
        if night.event.status != Event.Status.RUNNING and night.event.rounds.exists():
            return
        if until(night.event):
            return
        with commits.once(STANDINGS):
            _next(night)
    raise AssertionError(f"{night.event.code} does not come to an end")


def _next(night: Night) -> None:
    step = steps_of(night.event)[0]
    if step.do == Do.POST_PAYOUTS:
        night_post_payouts(night)
    elif step.do == Do.SEAT:
        night_draw(night)
    else:
        round_ = stage_row(night.event, step.stage)
        if step.do == Do.PLAY:
            round_play_out(night, round_)
        elif step.do == Do.RULE:
            _rule(night, round_, step)
        else:
            round_close(round_id=round_.pk, key=night.key(), actor=night.people.director)


def round_1_over(event: Event) -> bool:
    """Whether round 1 of the event is closed."""
    return event.rounds.filter(number=1, kind=Kind.ROUND, status=Status.CLOSED).exists()


def _rule(night: Night, round_: Round, step: NextStep) -> None:
    stream = Stream(seed_of(night.luck, "ruling", round_.pk - (night.event.rounds.order_by("pk")[0].pk)))
    lucky = shuffle(sorted(step.entries), stream)[: step.seats]
    reason = "simulated ruling"
    tie_rule(round_id=round_.pk, advance=lucky, reason=reason, key=night.key(), actor=night.people.director)


def night_post_payouts(night: Night) -> None:
    """Post six paid places by template, or as many as there are entrants (T30, T31)."""
    entrants = night.event.entries.filter(status=Entry.Status.LIVE).count()
    structure = template_structure(max(2, min(PLACES_PAID, entrants)))
    payouts_post(event_id=night.event.pk, structure=structure, key=night.key(), actor=night.people.manager)


# A round ----------------------------------------------------------------------------------------------


def round_play_out(night: Night, round_: Round) -> None:
    """Play a seated stage to its end, table by table and hand by hand, and count it."""
    if round_.kind == Kind.ROUND:
        shoes = shoes_in_play(round_)
        while shoes:
            shoes = [shoe for shoe in shoes if not _hand(night, shoe)]
        for shoe in round_.shoes.filter(status=Shoe.Status.OVER).order_by("table__number"):
            shoe_count(night, shoe)
    else:
        _decide_by_hands(night, round_)


def shoes_in_play(round_: Round) -> list[Shoe]:
    """Return the shoes that are being dealt, by table."""
    shoes = round_.shoes.filter(status=Shoe.Status.DEALING).select_related("table", "round__event")
    return list(shoes.order_by("table__number"))


def _hand(night: Night, shoe: Shoe) -> bool:
    """Play one hand at a table; return True once its shoe is over."""
    if not shoe.seed:
        round_ = shoe.round
        seed = seed_of(
            night.luck, round_.number, round_.kind, round_.sequence, shoe.table.number, shoe.number
        )
        shoe_seed(shoe_id=shoe.pk, seed=seed, key=night.key(), actor=night.people.dealer)
        shoe.seed = seed
    bet = hand_play(shoe_id=shoe.pk, key=night.key(), actor=night.people.dealer)
    return shoe_end_if_due(shoe=shoe, bet=bet, key=night.key(), actor=night.people.dealer)


def _decide_by_hands(night: Night, round_: Round) -> None:
    """Play a play-off or sudden death hand by hand until it is decided, with a new shoe when one runs out."""
    for _hand in range(STAGES_MAX * 10):
        round_.refresh_from_db()
        if round_.status not in (Status.SEATED, Status.PLAYING):
            return
        before = Deal.objects.filter(shoe__round=round_).count()
        for table in round_.shoes.order_by("table__number").values_list("table_id", flat=True).distinct():
            _hand_at(night, round_, table)
        if Deal.objects.filter(shoe__round=round_).count() == before:
            round_look(round_id=round_.pk, key=night.key(), actor=night.people.floor)
    raise AssertionError(f"{round_} is not decided")


def _hand_at(night: Night, round_: Round, table_id: int) -> None:
    round_.refresh_from_db()
    if round_.status not in (Status.SEATED, Status.PLAYING):
        return
    shoes = round_.shoes.filter(table_id=table_id).select_related("table", "round__event").order_by("-number")
    shoe = shoes[0]
    if shoe.status != Shoe.Status.DEALING:
        made = shoe_next(round_id=round_.pk, table_id=table_id, key=night.key(), actor=night.people.floor)
        shoe = shoes.get(pk=made["shoe"])
    _hand(night, shoe)


def shoe_count(night: Night, shoe: Shoe) -> None:
    """Enter two equal counts (T18)."""
    chips = {box: stack.chips for box, stack in boxes_to_count(shoe).items()}
    for person in (night.people.dealer, night.people.floor):
        count_enter(shoe_id=shoe.pk, chips=chips, key=night.key(), actor=person)


# A whole event ------------------------------------------------------------------------------------------


def event_simulate(*, entrants: int, seed: int, settings: Mapping[str, Any] | None = None) -> Json:
    """Play a whole event with ``entrants`` simulated players and give its summary (issue's form).

    The same ``seed`` and settings give the same summary but for ``event`` and ``journal.head``. Raises
    Refused ``entrants_wrong`` outside 2 to 1,000, and ``SettingsRefused``.
    """
    if not ENTRANTS_MIN <= entrants <= ENTRANTS_MAX:
        raise Refused(
            "entrants_wrong",
            "A simulation has from %(entrants_min)s to %(entrants_max)s entrants.",
            entrants_min=ENTRANTS_MIN,
            entrants_max=f"{ENTRANTS_MAX:,}",
        )
    code = f"SIM-{seed}"
    with commits.once(STANDINGS):
        night = night_open(
            name=f"Simulation {seed}",
            code=code,
            kind=Event.Kind.SIMULATION,
            luck=code,
            settings=settings or {},
        )
        night_buy_in(night, entrants)
        night_play(night)
        night_pay(night)
    return {"event": night.event.slug, "entrants": entrants, "seed": seed, **summary(night.event)}


def night_pay(night: Night) -> None:
    """Pay every prize, best place first (T35)."""
    owed = [code for code, cents in prizes_for(night.event).items() if cents]
    with commits.once(STANDINGS):
        for entry in night.event.entries.filter(code__in=owed).order_by("place", "code"):
            prize_pay(entry_id=entry.pk, identity_checked=True, key=night.key(), actor=night.people.cashier)
    night.event.refresh_from_db()


def summary(event: Event) -> Json:
    """Return the results of an event: its rounds, places, chips and journal.

    ``chips_on_tables``: chips in stacks, in table banks or handed in, by the accounts; ``chips_issued``: all
    issued chips. They are equal if no chip is lost (Standing orders).
    """
    accounts = dict(
        ChipEntry.objects.filter(transaction__event=event)
        .values_list("account")
        .annotate(total=Sum("amount_chips"))
    )
    in_front = Stack.objects.filter(round__event=event).aggregate(total=Sum("chips"))["total"] or 0
    head = JournalHead.objects.get(event=event)
    return {
        "rounds": [_round_summary(round_) for round_ in event.rounds.order_by("pk")],
        "places": _places(event),
        "pool_cents": pool_of(event).cents,
        "chips_issued": -accounts.get(ChipAccount.ISSUED, 0),
        "chips_on_tables": in_front
        + accounts.get(ChipAccount.BANK, 0)
        + accounts.get(ChipAccount.RETURNED, 0),
        "journal": {"entries": head.seq, "head": head.hash},
    }


def _round_summary(round_: Round) -> Json:
    advanced = round_.stacks.filter(outcome=Stack.Outcome.ADVANCED).order_by("entry__number")
    return {
        "number": round_.number,
        "kind": round_.kind,
        "entries": round_.stacks.count(),
        "tables": round_.shoes.values("table").distinct().count(),
        "deals": Deal.objects.filter(shoe__round=round_, status=Deal.Status.SETTLED).count(),
        "advanced": list(advanced.values_list("entry__code", flat=True)),
    }


def _places(event: Event) -> list[Json]:
    paid = paid_of(event)
    return [
        {
            "place": entry.place,
            "entry": entry.code,
            "chips": entry.final_chips,
            "prize_cents": paid.get(entry.code, 0),
        }
        for entry in event.entries.order_by("place", "number")
    ]
