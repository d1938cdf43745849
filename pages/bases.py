"""The basis of each form: the names of what it changes, and the commands that change it without naming it."""

from __future__ import annotations

from tables.selectors.whereabouts import seats_taken
from tournament.models import Entry, Event, Player, Request, Round
from tournament.selectors.basis import OPENING, STATUS, Basis, basis_made, names_of_entry, names_with_requests
from tournament.selectors.buying import players_at_desk
from tournament.selectors.waiting import rulings_on_chips

# -- An event -----------------------------------------------------------------------------------------


def setup_basis(event_id: int) -> Basis:
    """The set-up of an event: its name, its settings, whether the rules are posted."""
    return basis_made(event_id, *STATUS, "event.settings")


def start_basis(event_id: int) -> Basis:
    """The start of an event, and whether play has begun."""
    return basis_made(event_id, *STATUS, "event.start", "round.play")


def announcements_basis(event_id: int) -> Basis:
    """The announcements of an event that are shown, and whether anybody could read one."""
    return basis_made(event_id, *OPENING, "announcement")


def publication_basis(event_id: int) -> Basis:
    """How an event publishes its standings."""
    return basis_made(event_id, *OPENING, "standings")


def screens_basis(event_id: int) -> Basis:
    """The named screens of an event, what each keeps to, and the rotation."""
    return basis_made(event_id, "screen", "hall")


PAID = ("prize", "prize_pay", "prize_take_back")
SOLD = ("entry", "seat.no_show", "disqualify")
STRUCTURE = ("payouts", "payouts_supersede")
PLACES = (*STATUS, *STRUCTURE, "round.look", "round.tie_rule", "entry", "disqualify")
PUT_RIGHT = ("deal.correct", "correct_after_close")


def calling_off_basis(event_id: int) -> Basis:
    """What calling an event off gives back: its entries by status, its pool, what has been paid."""
    return basis_made(event_id, *STATUS, *SOLD, *PAID, "seat.fill", "redraw")


# -- Entries and the desk -----------------------------------------------------------------------------


def desk_basis(event_id: int, player_id: int) -> Basis:
    """A person at the desk: an entry of theirs, what is left of their day, whether they were turned away.

    The limit of the day is used up at the desks of all events, so it has a mark.
    """
    event, player = Event.objects.get(pk=event_id), Player.objects.get(pk=player_id)
    at = players_at_desk(event, [player])[0]
    entry = [at.entry.code, at.entry.status] if at.entry else None
    away = at.turned_away.pk if at.turned_away else None
    waiting = Request.objects.filter(status=Request.Status.OPEN, body__player=player_id)
    asked = list(waiting.order_by("pk").values_list("pk", flat=True))
    facts = [event.status, entry, at.left_cents, away, at.why_not, asked]
    names = names_with_requests(event_id, ("player", player_id), player=player_id)
    return basis_made(event_id, names=names, of=f"desk {player_id}", facts=facts)


def player_basis(player_id: int) -> Basis:
    """A person's record as a correction is made from it, and whether a second person is asked about it."""
    return basis_made(None, names=names_with_requests(None, ("player", player_id), player=player_id))


def entry_basis(entry_id: int) -> Basis:
    """An entry: its status, rounds and seat, its penalties, what a second person is asked about it.

    The hand that ends a stack names its table alone, so an entry has a mark.
    """
    entry = Entry.objects.get(pk=entry_id)
    stacks = list(entry.stacks.order_by("round").values_list("round_id", "state", "outcome"))
    seats = seats_taken([round_id for round_id, _state, _outcome in stacks])
    waiting = Request.objects.filter(event=entry.event_id, status=Request.Status.OPEN, body__entry=entry.pk)
    rulings = rulings_on_chips(Round.objects.filter(stacks__entry=entry)).get(entry.pk, [])
    facts = [
        entry.status,
        str(entry.waiting_since),
        stacks,
        [seats.get((round_id, entry.pk)) for round_id, _state, _outcome in stacks],
        [(each.pk, each.cancelled_at is None) for each in entry.penalties.order_by("pk")],
        sorted({*waiting.values_list("pk", flat=True), *(each.pk for each in rulings)}),
        entry.payments.count(),
    ]
    return basis_made(entry.event_id, names=names_of_entry(entry), of=f"entry {entry.pk}", facts=facts)


# -- The second person --------------------------------------------------------------------------------


def request_basis(request_id: int) -> Basis:
    """A request to a second person: whether it waits, or how it was answered."""
    asked = Request.objects.get(pk=request_id)
    return basis_made(asked.event_id, names=[("request", request_id)])


# -- Rounds -------------------------------------------------------------------------------------------


def round_basis(round_id: int) -> Basis:
    """A round as its close is decided on: every stack, rulings made and asked for, play-offs.

    Hands, counts and corrections move the stacks, and so do penalties in chips, but no warning.
    """
    moved = ("round", "deal", "shoe", "count", "stack", "seat.fill", "seat.no_show", "entry")
    ruled = ("count_ruling", "penalty_chips", "penalty_chips_back", "disqualify", "correct_after_close")
    return basis_made(Round.objects.get(pk=round_id).event_id, *moved, *ruled)


# -- Prizes -------------------------------------------------------------------------------------------


def payouts_basis(event_id: int) -> Basis:
    """What a payout structure is built on: the one in force, the pool, one that a second person looks at."""
    return basis_made(event_id, *STRUCTURE, *SOLD, *PAID, "event.call_off", "call_off")


def prize_basis(entry_id: int) -> Basis:
    """A prize to be paid, or paid: its amount, every payment, whether a second person is asked."""
    entry = Entry.objects.get(pk=entry_id)
    return basis_made(entry.event_id, *PLACES, *PUT_RIGHT, names=names_of_entry(entry))


def refund_basis(entry_id: int) -> Basis:
    """A buy-in that is due after an event was called off: how much, and whether it was handed out."""
    entry = Entry.objects.get(pk=entry_id)
    return basis_made(entry.event_id, "event.call_off", "call_off", names=names_of_entry(entry))


# -- The house ----------------------------------------------------------------------------------------


def house_basis() -> Basis:
    """The settings of the house."""
    return basis_made(None, "house", "house_day")


def person_basis(user_id: int) -> Basis:
    """Somebody who works here: the login, the roles, the password, what a second person is asked about it."""
    names = names_with_requests(None, ("user", user_id), user=user_id)
    return basis_made(None, names=names, besides=("staff.pin",))


def own_basis(user_id: int) -> Basis:
    """One's own password and PIN, and whatever else is done with one's login."""
    return basis_made(None, names=[("user", user_id)])


def link_basis(link_id: int) -> Basis:
    """A link that sets a password: whether it is created, used, or replaced by another one."""
    return basis_made(None, names=[("link", link_id)])
