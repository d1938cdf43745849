"""Penalties of an entry, and reasons why one cannot be given, cancelled, or the entry disqualified (T26)."""

from dataclasses import dataclass

from ground.refused import Conflict, Refused
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.figures import money
from tournament.models import Entry, Event, JournalEntry, Penalty, Request, Round, Stack
from tournament.selectors.prizes import currency_of, paid_of
from tournament.selectors.replacements import status_word
from tournament.selectors.stages import NOT_RANKED

PENALTY, PENALTY_BACK = "penalty_chips", "penalty_chips_back"
"""Requests to take the chips of a penalty, and to give them back."""
DISQUALIFY = "disqualify"
IF_DISQUALIFIED = _(
    "The stack leaves play, and the place is the last of the round. No prize and no further refund. The seat"
    " of a qualifier stays empty."
)
"""The effects of a disqualification (T26); the page of the request computes the rest."""


@dataclass(frozen=True)
class PenaltyLine:
    """A penalty, with the people who confirmed its chips and their return; empty if that was not needed.

    ``cancelling``: a request to give its chips back is open.
    """

    penalty: Penalty
    confirmed_by: str
    cancel_confirmed_by: str
    cancelling: bool


LASTING = frozenset({"not_in_the_event", "no_stack", "penalty_in_tie", "round_closed", "already_cancelled"})
"""The codes that waiting does not change: a request that meets one of them has lapsed."""


def penalties_of(entry: Entry) -> list[PenaltyLine]:
    """Return the penalties of an entry, cancelled ones too, newest first (T26)."""
    given = list(entry.penalties.select_related("round", "by").order_by("-pk"))
    done = JournalEntry.objects.filter(
        event=entry.event_id, kind="request.decide", result__done__penalty__in=[each.pk for each in given]
    )
    rows = done.values_list("body__noted__kind", "result__done__penalty", "approver__username")
    by = {(kind, penalty): name or "" for kind, penalty, name in rows.order_by()}
    waiting = Request.waiting(entry.event_id, PENALTY_BACK, body__entry=entry.pk)
    cancelling = {request.body["penalty"] for request in waiting}
    return [
        PenaltyLine(
            each, by.get((PENALTY, each.pk), ""), by.get((PENALTY_BACK, each.pk), ""), each.pk in cancelling
        )
        for each in given
    ]


def stack_now(entry: Entry) -> Stack | None:
    """Return the stack in front of an entry: that of the unclosed round, or of the play-off inside it."""
    unclosed = Stack.objects.filter(entry=entry).exclude(round__status=Round.Status.CLOSED)
    return unclosed.select_related("round__event", "entry").order_by("-round_id").first()


def why_not_in_it(entry: Entry) -> Refused | None:
    """Return ``not_in_the_event`` (409) for an entry that has left: it gets no lesser penalty."""
    if entry.status == Entry.Status.LIVE:
        return None
    return Conflict(
        "not_in_the_event", "%(entry)s is %(state)s.", entry=entry.code, state=Sentence(status_word(entry))
    )


def why_tie_open(round_: Round) -> Refused | None:
    """Return ``tie_open`` (409) while a tie at the cut is played off: its seats depend on the stacks of the
    round."""
    if round_.status != Round.Status.PLAYING_OFF:
        return None
    return Conflict(
        "tie_open",
        "The tie at the cut of %(title)s is being played off, and the play-off depends on these "
        "stacks. Do this when the play-off is over.",
        title=round_.title,
    )


def why_not_take(entry: Entry, chips: int, round_id: int | None = None) -> Refused | None:
    """Return why these chips cannot be taken from an entry; ``round_id``: the round of an earlier request.

    ``not_in_the_event``, ``no_stack`` and ``penalty_in_tie`` (409), which are final; ``not_whole_chips``,
    ``tie_open`` (409) and ``not_enough_chips``.
    """
    stack = stack_now(entry)
    why_not = why_not_in_it(entry) or _why_no_stack(stack, round_id)
    if why_not is not None:
        return why_not
    assert stack is not None, "or there is no stack to take from"
    unit_chips = stack.round.event.settings.chip_value_chips
    if chips < 1 or chips % unit_chips:
        return Refused(
            "not_whole_chips",
            "A penalty in chips is a multiple of %(unit_chips)s.",
            unit_chips=f"{unit_chips:,}",
        )
    return why_tie_open(stack.round) or (not_enough_chips(stack, chips) if chips > stack.chips else None)


def _why_no_stack(stack: Stack | None, round_id: int | None) -> Refused | None:
    if stack is None:
        return Conflict("no_stack", "No round is being played, so there is no stack to take from.")
    if round_id not in (None, stack.round_id):
        return Conflict(
            "no_stack",
            "The penalty was asked for in an earlier round; %(entry)s now plays %(title)s.",
            title=stack.round.title,
            entry=stack.entry.code,
        )
    return _why_in_tie(stack.round)


def _why_in_tie(round_: Round) -> Refused | None:
    if round_.kind == Round.Kind.ROUND:
        return None
    return Conflict(
        "penalty_in_tie",
        "%(title)s is played with equal stacks, which no penalty may change. Give a warning, let the "
        "player sit out a hand, or ask for a disqualification.",
        title=round_.title,
    )


def not_enough_chips(stack: Stack, chips: int) -> Refused:
    """Return the refusal to take more chips than are in front of a player."""
    return Refused(
        "not_enough_chips",
        "%(entry)s has %(chips)s chips in front; %(n)s cannot be taken.",
        entry=stack.entry.code,
        chips=f"{stack.chips:,}",
        n=f"{chips:,}",
    )


def why_not_cancel(penalty: Penalty) -> Refused | None:
    """Return why a penalty cannot be cancelled and its chips given back.

    ``already_cancelled``, and for chips ``round_closed``, ``not_in_the_event`` and ``penalty_in_tie``, which
    are final; ``tie_open``. All 409.
    """
    if penalty.cancelled_at is not None:
        return Conflict("already_cancelled", "This penalty is cancelled already.")
    if penalty.kind != Penalty.Kind.CHIPS:
        return None
    if penalty.round is None or penalty.round.status == Round.Status.CLOSED:
        return Conflict("round_closed", "The round is closed and its standings are final.")
    return why_not_in_it(penalty.entry) or why_tie_open(penalty.round) or _why_in_tie(penalty.round)


# Disqualification -------------------------------------------------------------------------------------


def why_not_disqualify(entry: Entry) -> Refused | None:
    """Return why an entry cannot be disqualified; it can until the event is paid, but not with a paid prize.

    An entry that withdrew or did not come can be disqualified once a round has ranked it: its place may be
    paid. ``not_in_the_event``, ``event_over`` and ``prize_paid``; all 409.
    """
    return _why_no_place(entry) or _why_over(entry.event) or _why_paid(entry)


def was_ranked(entry: Entry) -> bool:
    """Whether a round ranks the entry: it has, or had, a stack there that it did not give up (T25)."""
    played = Stack.objects.filter(entry=entry, round__kind=Round.Kind.ROUND)
    return played.exclude(state__in=NOT_RANKED).exists()


def _why_no_place(entry: Entry) -> Refused | None:
    if entry.status == Entry.Status.LIVE:
        return None
    if entry.status == Entry.Status.DISQUALIFIED:
        return Conflict("not_in_the_event", "%(entry)s is disqualified already.", entry=entry.code)
    if entry.status != Entry.Status.WAITING and was_ranked(entry):
        return None
    return Conflict(
        "not_in_the_event",
        "%(entry)s is %(state)s and was never ranked in a round, so there is no place to lose.",
        entry=entry.code,
        state=Sentence(status_word(entry)),
    )


def _why_over(event: Event) -> Refused | None:
    if event.status in (Event.Status.OPEN, Event.Status.RUNNING, Event.Status.FINISHED):
        return None
    return Conflict(
        "event_over",
        "The event is %(state)s; nobody can be disqualified any more.",
        state=Sentence(event.get_status_display()),
    )


def _why_paid(entry: Entry) -> Refused | None:
    """Return ``prize_paid`` if their own prize is paid already, which would be paid twice (T26)."""
    paid_cents = paid_of(entry.event).get(entry.code)
    if not paid_cents:
        return None
    return Conflict(
        "prize_paid",
        "%(entry)s has been paid %(amount)s. The payment must be taken back first: a cashier or "
        "manager asks for that on the receipt, and a second person confirms it.",
        entry=entry.code,
        amount=money(paid_cents, currency_of(entry.event)),
    )
