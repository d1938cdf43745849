"""Entries: buy-ins, withdrawals, alternates, no-shows and disqualifications (T2–T7, T24–T26).

Seats belong to the floor: it registers a ``floor_hook``, which is called when an entry leaves or a ruling
moves its chips, and may refuse (a hand is open). Without a floor nothing is called.
"""

import secrets
from collections.abc import Callable

from django.contrib.auth.models import User
from django.db.models import Q

from ground.refused import Conflict, Refused, refuse
from ground.words import gettext_noop as _
from tournament import sql
from tournament.engine.facts import MovedUp, Sold, Withdrawn, Written
from tournament.engine.stages import move_check
from tournament.models import Entry, Event, House, PayoutStructure, Player, PlayerCheck, Round, Stack
from tournament.selectors.buying import why_not_sell_to
from tournament.selectors.desk import (
    alternates_up_next,
    day_left_cents,
    roster_locked,
    round_begun,
    waiting_number,
    why_new_entry_waits,
)
from tournament.selectors.open_requests import why_not_request_disqualification
from tournament.selectors.penalties import DISQUALIFY, why_tie_open
from tournament.selectors.replacements import round_qualified_from
from tournament.selectors.stages import IN_PLAY

from .arguments import event_id_of_entry, event_of, find, reason_clean
from .house import house_current
from .journal import Command, Json, command
from .money import buy_in_standing, money_buy_in, money_refund
from .people import check_record, refuse_unchecked
from .requests import request_open
from .status import status_move

FloorHook = Callable[[Entry, bool], None]
CoreHook = Callable[[Command], None]
_floor_hooks: list[FloorHook] = []
_core_hooks: list[CoreHook] = []


def floor_hook(function: FloorHook) -> FloorHook:
    """Register ``function(entry, leaves)``: called before an entry leaves, or a ruling moves its chips.

    It may refuse, which undoes the whole command.
    """
    if function not in _floor_hooks:
        _floor_hooks.append(function)
    return function


def core_hook(function: CoreHook) -> CoreHook:
    """Register ``function(cmd)``: it writes the rows that follow from the facts of a command."""
    if function not in _core_hooks:
        _core_hooks.append(function)
    return function


def facts_apply(cmd: Command, *facts: Written) -> None:
    """Write facts and the rows that follow from them: entries that left, chips of a ruling, payments."""
    cmd.write(*facts)
    for hook in _core_hooks:
        hook(cmd)


def floor_notify(entry: Entry, *, leaves: bool = False) -> None:
    """Call the floor before an entry leaves or a ruling moves its chips; the floor may refuse."""
    for hook in _floor_hooks:
        hook(entry, leaves)


# -- Buying in ----------------------------------------------------------------------------------------


def entry_buy_in(
    *, event_id: int, player_id: int, identity_checked: bool, key: str, actor: User | None
) -> Json:
    """Sell an entry (T2, T3, T6, T7): check, money, day limit and entry in one command.

    Result, which is the receipt: ``{"entry", "code", "status", "waiting_number", "amount_cents", "fee_cents",
    "starting_chips", "gaming_day", "left_today_cents"}``. ``status`` is ``waiting`` for an alternate, for
    whom there is no box; ``waiting_number`` is the place in the queue. Chips are issued when the entry is
    seated. Refuses ``desk_closed``, ``round_begun``, ``identity_not_checked``, ``turned_away``,
    ``identity_missing``, ``likely_duplicate``, ``already_entered`` and ``day_limit`` (with the remaining
    amount).
    """

    def act(cmd: Command) -> Json:
        event, player, house = event_of(cmd), find(Player, player_id, "player"), house_current()
        refuse(why_desk_closed(event))
        refuse_unchecked(identity_checked)
        refuse(why_not_sell_to(event, [player], house).get(player.pk))
        entry = _entry_add(cmd, event, player)
        check_record(cmd, player=player, house=house, outcome=PlayerCheck.Outcome.PASSED)
        receipt = _receipt(cmd, entry, house)
        cmd.write(Sold(entry.code, receipt["amount_cents"], entry.status == Entry.Status.WAITING))
        return receipt

    body = {"player": player_id, "identity_checked": identity_checked}
    return command(kind="entry.buy_in", key=key, actor=actor, event_id=event_id, body=body, act=act)


def why_desk_closed(event: Event) -> Refused | None:
    """Return why no entry can be sold: ``desk_closed``, or ``round_begun`` (T6); both 409."""
    if event.status in (Event.Status.OPEN, Event.Status.RUNNING):
        if not round_begun(event):
            return None
        return Conflict(
            "round_begun", "The desk is closed: round 1 has begun, and nobody can enter any more."
        )
    sentence = {
        Event.Status.DRAFT: _("The desk opens when the rules are posted."),
        Event.Status.CALLED_OFF: _("The event is called off. Refunds are handed out on the page 'Pay'."),
        Event.Status.FINISHED: _("The desk is closed: every place is decided."),
        Event.Status.PAID: _("The desk is closed: every prize is paid."),
    }[Event.Status(event.status)]
    return Conflict("desk_closed", sentence)


_LAST_AND_HELD = """
    SELECT coalesce(max(number), 0), max(code) FILTER (WHERE player_id = %s AND status <> 'withdrawn')
    FROM tournament_entry WHERE event_id = %s
"""


def _entry_add(cmd: Command, event: Event, player: Player) -> Entry:
    """Add an entry. Refuses ``already_entered``, since a person has one entry (T3)."""
    ((last_number, held),) = sql.rows(_LAST_AND_HELD, player.pk, event.pk)
    if held is not None:
        raise Refused(
            "already_entered",
            "%(full_name)s has entry %(held)s in this event already.",
            full_name=player.full_name,
            held=held,
        )
    number, waits = last_number + 1, bool(why_new_entry_waits(event))
    return Entry.objects.create(
        event=event,
        player=player,
        number=number,
        code=f"E{number:03}",
        status=Entry.Status.WAITING if waits else Entry.Status.LIVE,
        waiting_since=cmd.at if waits else None,
        view_token=secrets.token_urlsafe(12),
        created_at=cmd.at,
    )


def _receipt(cmd: Command, entry: Entry, house: House) -> Json:
    event, posted = event_of(cmd), money_buy_in(cmd, entry=entry, house=house)
    left_cents = None
    if not event.is_rehearsal:
        left_cents = day_left_cents(entry.player, posted.gaming_day, house)
    return {
        "entry": entry.pk,
        "code": entry.code,
        "status": entry.status,
        "waiting_number": waiting_number(entry),
        "amount_cents": posted.amount_cents,
        "fee_cents": event.fee_cents,
        "starting_chips": event.starting_chips,
        "gaming_day": posted.gaming_day.isoformat(),
        "left_today_cents": left_cents,
    }


# -- Alternates ---------------------------------------------------------------------------------------


def buy_in_standing_check(entry: Entry) -> None:
    """Refuse ``buy_in_refunded`` (409): a no-show whose buy-in was refunded is out of the event (T6)."""
    if buy_in_standing(entry) is None:
        raise Conflict(
            "buy_in_refunded",
            "The buy-in of %(entry)s has been refunded: the player is out of the event.",
            entry=entry.code,
        )


def alternates_move_up(cmd: Command, event: Event) -> None:
    """Give free boxes to the first alternates before the draw (T6). Called inside commands."""
    coming = alternates_up_next(event)
    for entry in coming:
        status_move(entry, Entry.Status.LIVE, waiting_since=None)
    if coming:
        cmd.note(moved_up=", ".join(entry.code for entry in coming))
        cmd.write(MovedUp(tuple(entry.code for entry in coming)))


# -- Leaving ------------------------------------------------------------------------------------------


def entry_withdraw(
    *, entry_id: int, reason: str = "", refund: bool = True, key: str, actor: User | None
) -> Json:
    """Withdraw an entry (T7). Result: ``{"entry", "code", "refunded_cents"}``.

    Before the draw, and for an alternate at any time, with a refund. Later only by a ruling of the director,
    with a ``reason`` and with or without a ``refund``; the stack leaves play. The person may enter again.
    Refuses ``reason_missing``, ``refund_due`` (no refund although the draw has not been made), ``qualified``
    (409: a qualifier is replaced, T25), ``payouts_posted``, ``places_decided`` and ``move_not_allowed``.
    """

    def act(cmd: Command) -> Json:
        event, entry = event_of(cmd), find(Entry, entry_id, "entry")
        _refuse_places_decided(event)
        refuse(why_not_withdraw(entry))
        ruling = roster_locked(event) and entry.status != Entry.Status.WAITING
        if ruling:
            cmd.note(ruling=reason_clean(reason))
        elif not refund:
            raise Refused("refund_due", "Before the draw an entry is withdrawn with its refund.")
        refunded_cents = entry_leaves(cmd, entry, Entry.Status.WITHDRAWN, refund=refund)
        facts_apply(cmd, Withdrawn(entry.code, refunded_cents))
        if not ruling:
            alternates_move_up(cmd, event)
        return {"entry": entry.pk, "code": entry.code, "refunded_cents": refunded_cents}

    body, event_id = {"entry": entry_id, "reason": reason, "refund": refund}, event_id_of_entry(entry_id)
    return command(kind="entry.withdraw", key=key, actor=actor, event_id=event_id, body=body, act=act)


def why_not_withdraw(entry: Entry) -> Refused | None:
    """T25: return why the entry must be replaced: it has qualified, and the next round has not begun."""
    round_ = round_qualified_from(entry) if entry.status == Entry.Status.LIVE else None
    if round_ is None:
        return None
    return Conflict(
        "qualified",
        "%(entry)s has qualified. The director can replace the entry by the next-ranked one, if "
        "there is one.",
        entry=entry.code,
    )


def entry_leaves(cmd: Command, entry: Entry, status: str, *, refund: bool) -> int:
    """Let an entry leave unless a rule forbids it, and return the refund in cents. Called inside commands.

    Its status, box and chips follow from the fact of the command.
    """
    _refuse_in_play_off(entry)
    move_check("entry", entry.status, status)
    floor_notify(entry, leaves=True)
    return _refund(cmd, entry) if refund else 0


def _refuse_in_play_off(entry: Entry) -> None:
    """Refuse to withdraw an entry that plays for a seat or a place: it is ruled absent instead (T23, T33).

    Stacks of a round whose tie is being played off must stay as well: its seats depend on them.
    """
    playing = Stack.objects.filter(entry=entry, state__in=IN_PLAY).exclude(
        Q(round__status=Round.Status.CLOSED)
        | Q(round__kind=Round.Kind.ROUND) & ~Q(round__status=Round.Status.PLAYING_OFF)
    )
    stack = playing.select_related("round").order_by("-round_id").first()
    if stack is None:
        return
    refuse(why_tie_open(stack.round))
    raise Conflict(
        "tie_open",
        "%(entry)s is playing %(title)s. Mark the player absent, and do this when it is over.",
        entry=entry.code,
        title=stack.round.title,
    )


def _refund(cmd: Command, entry: Entry) -> int:
    # Posted prizes are computed from the pool; after that only calling the event off refunds a buy-in.
    if PayoutStructure.objects.filter(event_id=entry.event_id).exists():
        raise Conflict("payouts_posted", "The payout structure is posted, so a buy-in is no longer refunded.")
    return money_refund(cmd, entry=entry).amount_cents


def _refuse_places_decided(event: Event) -> None:
    if event.status not in (Event.Status.OPEN, Event.Status.RUNNING):
        raise Conflict(
            "places_decided",
            "The event is %(state)s; nobody can leave it any more.",
            state=event.get_status_display(),
        )


# -- Disqualification ----------------------------------------------------------------------------------------


def entry_disqualify_request(*, entry_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Request a disqualification, which a second person confirms (T26). Result: ``{"request": id, …}``.

    Refuses as ``why_not_request_disqualification``.
    """
    return request_open(
        event_id=event_id_of_entry(entry_id),
        kind=DISQUALIFY,
        body={"entry": entry_id},
        reason=reason,
        check=lambda: refuse(why_not_request_disqualification(find(Entry, entry_id, "entry"))),
        key=key,
        actor=actor,
    )
