"""Compare the rows of the desk with the journal: entries, payments, penalties and requests.

Ids are compared here: the journal has no other name for a person, a login, a request or a penalty.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Sum

from tables.selectors.audit_rows import Difference, ExpectedRows, FoldedEvent, JournalLine, beside, compared
from tournament.engine.facts import HandedOut, MovedUp, RosterLocked, SeatGiven, Sold
from tournament.engine.state import DESK
from tournament.models import (
    Entry,
    Event,
    HandOut,
    MoneyTransaction,
    Payment,
    Penalty,
    PlayerCheck,
    PlayerDay,
    Request,
)

Columns = dict[str, Any]
Kind = MoneyTransaction.Kind

# -- Entries ----------------------------------------------------------------------------------------------


@beside(Entry, "entry {code}")
def _entries(folded: FoldedEvent) -> ExpectedRows:
    """Yield the person, number, status and place of every sold entry, and since when it waits (T2, T6)."""
    since, places = _waiting_since(folded), {each.entry: each for each in folded.state.places}
    for line in folded.of("entry.buy_in"):
        code = line.result["code"]
        placed = places.get(code)
        yield (
            f"entry {code}",
            {
                "player": line.asked["player"],
                "number": int(code[1:]),
                "waiting_since": since[code],
                "status": folded.state.entries[code],
                "place": placed.place if placed else None,
                "place_tied": placed is not None and placed.tied,
                "final_chips": placed.chips if placed else None,
            },
        )


def _waiting_since(folded: FoldedEvent) -> dict[str, Any]:
    """Return since when each entry waits as an alternate; None for an entry that does not wait (T6)."""
    since = dict[str, Any]()
    for line, fact in folded.facts:
        match fact:
            case Sold():
                since[fact.entry] = line.at if fact.waits else None
            case SeatGiven():
                since[fact.entry] = None
            case MovedUp():
                since |= dict.fromkeys(fact.entries)
            case RosterLocked():
                since |= dict.fromkeys(fact.roster)
                since |= {code: since[code] or line.at for code in fact.waiting}
    return since


@beside(PlayerCheck, "check of player {player}")
def _checks(folded: FoldedEvent) -> ExpectedRows:
    """Yield the checks at the desk (T7)."""
    outcomes = {"entry.buy_in": PlayerCheck.Outcome.PASSED.value, "player_let_in": PlayerCheck.Outcome.LET_IN}
    for line in folded.lines:
        if line.act in outcomes or line.kind == "player.turned_away":
            asked = folded.asking(line)
            player = (line.asked if asked is line else asked.noted["asks"])["player"]
            outcome = outcomes.get(line.act) or line.asked["outcome"]
            yield (
                f"check of player {player}",
                {"outcome": outcome, "checked_by": line.actor, "at": line.at},
            )


# -- Money ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Posted:
    """A transaction of money; ``reverses``: the one that it reverses. A payment has a number and a place."""

    line: JournalLine
    kind: str
    code: str
    cents: int
    number: int = 0
    place: int | None = None
    reverses: _Posted | None = None


def _posted(folded: FoldedEvent) -> Iterator[_Posted]:
    """Yield the transactions that the fold has posted, in their order."""
    bought, paid, numbers = dict[str, _Posted](), defaultdict[str, list[_Posted]](list), Counter[str]()
    for line, move in folded.money:
        code = str(move.source[1])
        cents = sum(abs(cents) for account, _stage, _entry, cents in move.legs if account == DESK)
        if move.kind == Kind.BUY_IN:
            yield (posted := _Posted(line, move.kind, code, cents))
            bought[code] = posted
        elif move.kind == Kind.REFUND:
            yield _Posted(line, move.kind, code, cents, reverses=bought[code])
        else:
            numbers[code] += 1
            back = paid[code].pop() if move.kind == Kind.TAKEN_BACK else None
            place = back.place if back else line.done["place"]
            yield (posted := _Posted(line, move.kind, code, cents, numbers[code], place, back))
            if back is None:
                paid[code].append(posted)


@beside(MoneyTransaction, "money, {kind}: entry {entry__code}")
def _transactions(folded: FoldedEvent) -> ExpectedRows:
    """Yield the person and the time of every buy-in, refund and prize in the ledger (T2, T35)."""
    for each in _posted(folded):
        line = each.line
        yield (
            f"money, {each.kind}: entry {each.code}",
            {
                "amount_cents": each.cents,
                "by": line.actor,
                "at": line.at,
                "gaming_day": date.fromisoformat(line.result.get("gaming_day") or line.noted["gaming_day"]),
                "reverses__kind": each.reverses.kind if each.reverses else None,
                "reverses__entry__code": each.code if each.reverses else None,
            },
        )


@beside(Payment, "payment {number} of {entry__code}")
def _payments(folded: FoldedEvent) -> ExpectedRows:
    """Yield the amount, the place and the persons of every payment (T35)."""
    for each in _posted(folded):
        if not each.number:
            continue
        line, asked = each.line, folded.asking(each.line)
        yield (
            f"payment {each.number} of {each.code}",
            {
                "kind": each.kind,
                "place": each.place,
                "amount_cents": each.cents,
                "at": line.at,
                "paid_by": asked.actor,
                "identity_checked_by": None if each.reverses else asked.actor,
                "second_person": None if asked is line else line.actor,
                "takes_back__number": each.reverses.number if each.reverses else None,
            },
        )


@beside(HandOut, "hand-out of {entry__code}")
def _hand_outs(folded: FoldedEvent) -> ExpectedRows:
    """Yield the buy-ins of a called-off event that were handed out (T8)."""
    for line, fact in folded.facts:
        if isinstance(fact, HandedOut):
            by = {"handed_by": line.actor, "identity_checked_by": line.actor}
            yield f"hand-out of {fact.entry}", {"amount_cents": fact.cents, "at": line.at, **by}


def _days(folded: FoldedEvent) -> Iterator[Difference]:
    """Yield the gaming days whose stored sum differs from what the person spent, in all events (T2)."""
    if folded.event.is_rehearsal:
        return
    bought = MoneyTransaction.objects.filter(kind=Kind.BUY_IN, event__kind=Event.Kind.TOURNAMENT)
    here = bought.filter(event=folded.event).values("entry__player")
    kept = bought.filter(entry__player__in=here, reversed_by__isnull=True, amount_cents__gt=0)
    kept = kept.exclude(event__status=Event.Status.CALLED_OFF)
    spent = kept.values_list("entry__player", "gaming_day").annotate(cents=Sum("amount_cents")).order_by()
    should = {_day_name(player, day): {"spent_cents": cents} for player, day, cents in spent}
    rows = PlayerDay.objects.filter(player__in=here).values_list("player", "gaming_day", "spent_cents")
    are = {_day_name(player, day): {"spent_cents": cents} for player, day, cents in rows}
    # The row of a day stays even if all its buy-ins were refunded.
    yield from compared(are, {**{name: {"spent_cents": 0} for name in are}, **should})


def _day_name(player: int, day: date) -> str:
    return f"day {day} of player {player}"


# -- Penalties and requests ----------------------------------------------------------------------------------


@beside(Penalty, "penalty of {entry__code} ({pk})", of="entry__event")
def _penalties(folded: FoldedEvent) -> ExpectedRows:
    """Yield the penalties as they were given and cancelled (T26)."""
    found = dict[int, tuple[str, Columns]]()
    for line in folded.lines:
        asked, pk = folded.asking, line.done.get("penalty")
        if line.act in ("penalty.add", "penalty_chips") and pk:
            given = asked(line).asked
            found[pk] = (
                f"penalty of {folded.names.entries[given['entry']]} ({pk})",
                {
                    "kind": given["kind"],
                    "chips": given["chips"],
                    "reason": folded.reason(line),
                    "by": asked(line).actor,
                    "at": line.at,
                    "cancelled_at": None,
                    "cancel_reason": "",
                },
            )
        elif line.act in ("penalty.cancel", "penalty_chips_back") and pk:
            found[pk][1].update(cancelled_at=line.at, cancel_reason=folded.reason(line))
    return found.values()


@beside(Request, "request {pk}")
def _requests(folded: FoldedEvent) -> ExpectedRows:
    """Yield the requests as they were made and answered (faults)."""
    found = dict[int, Columns]()
    for line in folded.lines:
        if line.kind == "request.decide":
            # A person who withdraws their own request is no second person.
            own = line.noted["requested_by"] == line.actor and not folded.event.is_rehearsal
            by = None if own and not line.asked["approve"] else line.actor
            decided = {"status": line.result["status"], "decided_by": by, "decided_at": line.at}
            found[line.asked["request"]] |= decided
        elif "request" in line.result:
            found[line.result["request"]] = {
                "kind": line.result["kind"],
                "body": line.noted["asks"],
                "requested_by": line.actor,
                "requested_at": line.at,
                "one_person_may": folded.event.is_rehearsal,
                "status": Request.Status.OPEN.value,
                "decided_by": None,
                "decided_at": None,
                **({"reason": folded.reason(line)} if "reason" in line.asked else {}),
            }
    return ((f"request {pk}", columns) for pk, columns in found.items())


PARTS = (_entries, _checks, _transactions, _payments, _hand_outs, _days, _penalties, _requests)
