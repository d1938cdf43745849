"""What each form of the tournament is made from: the facts that matter to who reads it, and no others."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.selectors.whereabouts import seats_taken
from tournament.engine.basis import Basis
from tournament.models import (
    Entry,
    Event,
    HallScreen,
    House,
    PasswordLink,
    Player,
    Posting,
    Request,
    Round,
    StandingsPublication,
)
from tournament.selectors.basis import basis_made
from tournament.selectors.buying import players_at_desk
from tournament.selectors.desk import house_read, round_begun
from tournament.selectors.hall import announcements_live, rotation_of
from tournament.selectors.prizes import PrizeLine, paid_of, payments_standing, pool_of, prize_line
from tournament.selectors.refunds import due_of
from tournament.selectors.replaced import status_word
from tournament.selectors.stages import live_payouts
from tournament.selectors.unclaimed_prize import unheld_of
from tournament.selectors.waiting import CORRECT, rankings_waiting, rulings_on_chips

# -- An event -----------------------------------------------------------------------------------------


def setup_basis(event_id: int) -> Basis:
    """The set-up of an event: its name, its settings, whether the rules are posted."""
    event = Event.objects.get(pk=event_id)
    posted = Posting.objects.filter(event=event, kind=Posting.Kind.RULES).count()
    facts = [event.name, event.status, event.settings_json, posted]
    return basis_made(f"set-up {event.pk}", facts, now=_event_now(event), event_id=event.pk)


def start_basis(event_id: int) -> Basis:
    """The start of an event, and whether play has begun."""
    event = Event.objects.get(pk=event_id)
    now = f"The event starts at {event.start}." if event.start else _event_now(event)
    facts = [event.status, str(event.start), round_begun(event)]
    return basis_made(f"start {event.pk}", facts, now=now, event_id=event.pk)


def announcements_basis(event_id: int) -> Basis:
    """The announcements of an event that are shown, and whether anybody could read one."""
    event = Event.objects.get(pk=event_id)
    facts = [event.status == Event.Status.DRAFT, [each.pk for each in announcements_live(event)]]
    now = "The announcements are shown as they are now."
    return basis_made(f"announcements {event.pk}", facts, now=now, event_id=event.pk)


def publication_basis(event_id: int) -> Basis:
    """How an event publishes its standings."""
    event = Event.objects.get(pk=event_id)
    found = StandingsPublication.objects.filter(event=event).values_list("mode", "minutes").first()
    now = "The page shows what the public sees of the standings now."
    facts = [event.status == Event.Status.DRAFT, list(found or ("live", None))]
    return basis_made(f"public standings {event.pk}", facts, now=now, event_id=event.pk)


def screens_basis(event_id: int) -> Basis:
    """The named screens of an event, what each keeps to, and the rotation."""
    event = Event.objects.get(pk=event_id)
    screens = list(HallScreen.objects.filter(event=event).order_by("pk").values_list("pk", "name", "shows"))
    facts = [[list(each) for each in screens], [list(each) for each in rotation_of(event)]]
    now = "The screens and their slides are shown as they are now."
    return basis_made(f"screens {event.pk}", facts, now=now, event_id=event.pk)


def calling_off_basis(event_id: int) -> Basis:
    """What calling an event off gives back: its entries by status, its pool, what has been paid."""
    event = Event.objects.get(pk=event_id)
    entries = dict(event.entries.order_by().values_list("status").annotate(Count("pk")))
    asked = event.requests.filter(kind="call_off", status=Request.Status.OPEN).count()
    facts = [event.status, entries, pool_of(event).cents, event.payments.count(), asked]
    over = event.status == Event.Status.CALLED_OFF
    return basis_made(f"calling off {event.pk}", facts, now=_event_now(event), event_id=event.pk, over=over)


def _event_now(event: Event) -> str:
    return f"The event is {event.get_status_display()}."


# -- Entries and the desk -----------------------------------------------------------------------------


def desk_basis(event_id: int, player_id: int) -> Basis:
    """A person at the desk: an entry of theirs, what is left of their day, whether they were turned away."""
    event, player = Event.objects.get(pk=event_id), Player.objects.get(pk=player_id)
    at = players_at_desk(event, [player])[0]
    entry = [at.entry.code, at.entry.status] if at.entry else None
    away = at.turned_away.pk if at.turned_away else None
    waiting = Request.objects.filter(status=Request.Status.OPEN, body__player=player_id)
    asked = list(waiting.order_by("pk").values_list("pk", flat=True))
    facts = [event.status, entry, at.left_cents, away, at.why_not, asked]
    about = [("player", player_id), *(("request", pk) for pk in asked)]
    return basis_made(f"desk {player_id}", facts, now=at.why_not, event_id=event_id, about=about)


def player_basis(player_id: int) -> Basis:
    """A person's record as a correction is made from it, and whether a second person is asked about it."""
    player = Player.objects.get(pk=player_id)
    asked = Request.objects.filter(kind=CORRECT, status=Request.Status.OPEN, body__player=player_id)
    facts = [player.given_name, player.family_name, player.alias, player.birth_year, player.identity_digest]
    facts += asked.order_by("pk").values_list("pk", flat=True)
    now = f"The record of {player.full_name} is shown as it is now."
    return basis_made(f"player {player_id}", facts, now=now, event_id=None, about=[("player", player_id)])


def entry_basis(entry_id: int) -> Basis:
    """An entry: its status, rounds and seat, its penalties, what a second person is asked about it."""
    entry = Entry.objects.get(pk=entry_id)
    stacks = list(entry.stacks.order_by("round").values_list("round_id", "state", "outcome"))
    seats = seats_taken([round_id for round_id, _state, _outcome in stacks])
    rulings = rulings_on_chips(Round.objects.filter(stacks__entry=entry)).get(entry.pk, [])
    asked = sorted({*_asked_about(entry), *(each.pk for each in rulings)})
    facts = [
        entry.status,
        str(entry.waiting_since),
        stacks,
        [seats.get((round_id, entry.pk)) for round_id, _state, _outcome in stacks],
        [(each.pk, each.cancelled_at is None) for each in entry.penalties.order_by("pk")],
        asked,
        entry.payments.count(),
    ]
    now = f"{entry.code} is {status_word(entry)}."
    about = _names_of(entry, asked)
    return basis_made(f"entry {entry.pk}", facts, now=now, event_id=entry.event_id, about=about)


def _names_of(entry: Entry, asked: list[int]) -> list[tuple[str, int | str]]:
    """An entry, its penalties and what is asked about it, as the journal names them."""
    penalties = entry.penalties.values_list("pk", flat=True)
    return [
        *(("entry", entry.pk), ("entry", entry.code)),
        *(("request", pk) for pk in asked),
        *(("penalty", pk) for pk in penalties),
    ]


def _asked_about(entry: Entry) -> list[int]:
    waiting = Request.objects.filter(event=entry.event_id, status=Request.Status.OPEN)
    return list(waiting.filter(body__entry=entry.pk).order_by("pk").values_list("pk", flat=True))


# -- The second person --------------------------------------------------------------------------------


def request_basis(request_id: int) -> Basis:
    """What waits for a second person, or what one has answered."""
    asked = Request.objects.get(pk=request_id)
    return basis_made(
        f"request {request_id}",
        asked.status,
        now=asked.now_words,
        event_id=asked.event_id,
        about=[("request", request_id)],
        over=asked.status != Request.Status.OPEN,
    )


# -- Rounds -------------------------------------------------------------------------------------------


def round_basis(round_id: int) -> Basis:
    """A round as its close is decided on: every stack, rulings made and asked for, play-offs.

    Corrections move the stacks.
    """
    round_ = Round.objects.get(pk=round_id)
    stacks = round_.stacks.order_by("pk").values_list("pk", "chips", "state", "outcome", "closed_chips")
    facts = [
        round_.status,
        round_.stakes,
        list(stacks),
        list(round_.play_offs.order_by("pk").values_list("pk", "status")),
        [each.pk for each in rankings_waiting([round_])],
    ]
    now = f"{round_} is {round_.get_status_display()}."
    return basis_made(f"round {round_id}", facts, now=now, event_id=round_.event_id)


# -- Prizes -------------------------------------------------------------------------------------------


def payouts_basis(event_id: int) -> Basis:
    """What a payout structure is built on: the one in force, the pool, one that a second person looks at."""
    event, live = Event.objects.get(pk=event_id), live_payouts(Event.objects.get(pk=event_id))
    asked = event.requests.filter(kind="payouts_supersede", status=Request.Status.OPEN)
    facts: list[Any] = [
        live.version if live else None,
        pool_of(event).cents,
        list(asked.order_by("pk").values_list("pk", flat=True)),
        payments_standing(event).exists(),
    ]
    now = f"Version {live.version} of the payouts is in force." if live else "No payouts are posted."
    return basis_made(f"payouts {event_id}", facts, now=now, event_id=event_id)


def sharing_basis(event_id: int) -> Basis:
    """What nobody holds, the ruling on it that is in force, what has been paid, what is asked about it."""
    event = Event.objects.get(pk=event_id)
    live, unheld = live_payouts(event), unheld_of(event)
    asked = event.requests.filter(kind="prize_sharing", status=Request.Status.OPEN)
    facts: list[Any] = [
        event.status,
        live.version if live else None,
        [unheld.places, unheld.shares_cents] if unheld else None,
        {str(pk): cents for pk, cents in paid_of(event).items()},
        list(asked.order_by("pk").values_list("pk", flat=True)),
    ]
    now = "There is a prize that nobody holds." if unheld else "Every paid place is held."
    return basis_made(f"sharing {event_id}", facts, now=now, event_id=event_id)


def prize_basis(entry_id: int) -> Basis:
    """A prize to be paid, or paid: its amount, every payment, whether a second person is asked."""
    entry = Entry.objects.select_related("event").get(pk=entry_id)
    line, asked = prize_line(entry.event, entry), _asked_about(entry)
    prize = [line.amount_cents, line.paid_cents, len(line.payments)] if line else None
    facts = [entry.event.status, prize, asked]
    now = f"The prize of {entry.code} is {_paid_words(line)}." if line else f"{entry.code} has no prize."
    about = _names_of(entry, asked)
    return basis_made(f"prize {entry_id}", facts, now=now, event_id=entry.event_id, about=about)


def _paid_words(line: PrizeLine) -> str:
    if not line.paid_cents:
        return "not paid yet"
    return "paid in part" if line.left_cents else "paid"


def refund_basis(entry_id: int) -> Basis:
    """A buy-in that is due after an event was called off: how much, and whether it was handed out."""
    entry = Entry.objects.select_related("event").get(pk=entry_id)
    due = due_of(entry.event, entry)
    facts = [due.amount_cents, due.hand_out is not None] if due else None
    now = f"The buy-in of {entry.code} is {'still due' if due and due.open else 'not due any more'}."
    about, over = _names_of(entry, []), due is None or not due.open
    return basis_made(f"refund {entry_id}", facts, now=now, event_id=entry.event_id, about=about, over=over)


# -- The house ----------------------------------------------------------------------------------------


def house_basis() -> Basis:
    """The settings of the house."""
    house = house_read()
    facts: Any = {field.name: str(getattr(house, field.name)) for field in House._meta.concrete_fields}
    waiting = Request.objects.filter(event=None, status=Request.Status.OPEN).exclude(kind__startswith="login")
    facts["asked"] = list(waiting.order_by("pk").values_list("pk", flat=True))
    now = "The settings of the house are shown as they are now."
    return basis_made("house", facts, now=now, event_id=None, about=[("kind", "house.change")])


def person_basis(user_id: int) -> Basis:
    """Somebody who works here: the login, the roles, the password, what a second person is asked about it."""
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise Refused("no_such_user", _("There is no such user. Look at the list again."), status=404)
    roles = sorted(user.groups.values_list("name", flat=True))
    waiting = Request.objects.filter(event=None, status=Request.Status.OPEN, body__user=user_id)
    asked = list(waiting.order_by("pk").values_list("pk", flat=True))
    facts = [user.username, user.is_active, user.is_superuser, roles, user.password, asked]
    now = f"{user.username} {'works here' if user.is_active else 'does not work here any more'}."
    about = [("user", user_id), *(("request", pk) for pk in asked)]
    return basis_made(f"person {user_id}", facts, now=now, event_id=None, about=about)


def link_basis(link_id: int) -> Basis:
    """A link that sets a password: whether it is made out, used, or replaced by another one."""
    link = PasswordLink.objects.select_related("user").filter(pk=link_id).first()
    if link is None:
        raise Refused("no_such_link", _("There is no such link. Look at the list again."), status=404)
    facts = [link.digest, str(link.used_at), str(link.replaced_at)]
    now = f"The link for {link.user.username} is {'made out' if link.digest else 'not made out yet'}."
    return basis_made(f"link {link_id}", facts, now=now, event_id=None, about=[("link", link_id)])
