"""The basis of each form: the things it changes, and commands that change them without naming them."""

from __future__ import annotations

from tables.selectors.whereabouts import seats_taken
from tournament.models import Entry, Event, Player, Request, Round
from tournament.selectors.basis import OPENING, STATUS, Basis, basis_made, names_of_entry, names_with_requests
from tournament.selectors.buying import players_at_desk
from tournament.selectors.open_requests import RULINGS, rulings_on_chips

# -- An event -----------------------------------------------------------------------------------------


def setup_basis(event_id: int) -> Basis:
    """Return the basis of the set-up: name, settings, and whether the rules are posted."""
    return basis_made(event_id, *STATUS, "event.settings")


def start_basis(event_id: int) -> Basis:
    """Return the basis of the start form: the start of an event, and whether play has begun."""
    return basis_made(event_id, *STATUS, "event.start", "round.play")


def announcements_basis(event_id: int) -> Basis:
    """Return the basis of announcements: those that are shown, and whether the event is public."""
    return basis_made(event_id, *OPENING, "announcement")


def publication_basis(event_id: int) -> Basis:
    """Return the basis of the publication of an event's standings."""
    return basis_made(event_id, *OPENING, "standings")


def screens_basis(event_id: int) -> Basis:
    """Return the basis of the named screens of an event, the slide each is set to, and the rotation."""
    return basis_made(event_id, "screen", "hall")


PAID = ("prize", "prize_pay", "prize_take_back")
SOLD = ("entry", "seat.no_show", "disqualify")
STRUCTURE = ("payouts", "payouts_supersede")
PLACES = (*STATUS, *STRUCTURE, "round.look", "round.tie_rule", "entry", "disqualify")
PUT_RIGHT = ("deal.correct", "correct_after_close")


def calling_off_basis(event_id: int) -> Basis:
    """Return the basis of calling an event off: its entries by status, its pool, and payments."""
    return basis_made(event_id, *STATUS, *SOLD, *PAID, "seat.fill", "redraw")


# -- Entries and the desk -----------------------------------------------------------------------------


def desk_basis(event_id: int, player_id: int) -> Basis:
    """Return the basis of a sale: the person's entry, the rest of the day limit, a turn-away.

    The day limit is shared by the desks of all events, so it has a mark.
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
    """Return the basis of a person's record, including open requests about it."""
    return basis_made(None, names=names_with_requests(None, ("player", player_id), player=player_id))


def entry_basis(entry_id: int) -> Basis:
    """Return the basis of an entry: status, rounds and seat, penalties, open requests.

    The hand that ends a stack names only its table, so an entry has a mark.
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
    """Return the basis of a request: whether it waits, or how it was answered."""
    asked = Request.objects.get(pk=request_id)
    return basis_made(asked.event_id, names=[("request", request_id)])


def effects_basis(request_id: int) -> Basis:
    """Return the basis of a request whose page shows its effects: whatever moves places, prizes or the cut.

    Ranks of a running round change with every hand, so its hands are left out; those of a tie decide places.
    """
    asked = Request.objects.get(pk=request_id)
    moved = (*PLACES, *PUT_RIGHT, *PAID, *RULINGS, "count", "seat.fill", "seat.no_show")
    ties = Round.objects.filter(event=asked.event_id).exclude(kind=Round.Kind.ROUND)
    hands = ("deal",) if ties.exclude(status=Round.Status.CLOSED).exists() else ()
    return basis_made(asked.event_id, *moved, *hands, names=[("request", request_id)])


# -- Rounds -------------------------------------------------------------------------------------------


def round_basis(round_id: int) -> Basis:
    """Return the basis of closing a round: every stack, rulings made and requested, play-offs.

    Hands, counts, corrections and penalties in chips move stacks; warnings do not.
    """
    moved = ("round", "deal", "shoe", "count", "stack", "seat.fill", "seat.no_show", "entry")
    ruled = ("count_ruling", "penalty_chips", "penalty_chips_back", "disqualify", "correct_after_close")
    return basis_made(Round.objects.get(pk=round_id).event_id, *moved, *ruled)


# -- Prizes -------------------------------------------------------------------------------------------


def payouts_basis(event_id: int) -> Basis:
    """Return the basis of a payout structure: the one in force, the pool, an open request to replace it."""
    return basis_made(event_id, *STRUCTURE, *SOLD, *PAID, "event.call_off", "call_off")


def prize_basis(entry_id: int) -> Basis:
    """Return the basis of a prize: its amount, its payments, and open requests."""
    entry = Entry.objects.get(pk=entry_id)
    return basis_made(entry.event_id, *PLACES, *PUT_RIGHT, names=names_of_entry(entry))


def refund_basis(entry_id: int) -> Basis:
    """Return the basis of a buy-in due after an event was called off: its amount, and whether it was paid."""
    entry = Entry.objects.get(pk=entry_id)
    return basis_made(entry.event_id, "event.call_off", "call_off", names=names_of_entry(entry))


# -- The house ----------------------------------------------------------------------------------------


def house_basis() -> Basis:
    """Return the basis of the settings of the house."""
    return basis_made(None, "house", "house_day")


def person_basis(user_id: int) -> Basis:
    """Return the basis of a member of staff: login, roles, password, open requests."""
    names = names_with_requests(None, ("user", user_id), user=user_id)
    return basis_made(None, names=names, besides=("staff.pin",))


def own_basis(user_id: int) -> Basis:
    """Return the basis of a person's own password and PIN, and of other changes to the login."""
    return basis_made(None, names=[("user", user_id)])


def link_basis(link_id: int) -> Basis:
    """Return the basis of a link that sets a password: whether it was created, used, or replaced."""
    return basis_made(None, names=[("link", link_id)])
