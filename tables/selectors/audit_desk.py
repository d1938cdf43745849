"""The desk beside the journal: who entered, who paid and was paid, penalties, and what two persons decide.

Ids are names here: the journal knows a person, a login, a request and a penalty by nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Sum

from tables.selectors.audit_rows import Difference, Told, as_kept, compared, each_named, named, numbered
from tables.selectors.journal_facts import Line
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
TAKE_BACK, PENALTY, PENALTY_BACK = "prize_take_back", "penalty_chips", "penalty_chips_back"


def done_by_two(line: Line, kind: str) -> Mapping[str, Any] | None:
    """Return what a confirmed request of this kind did; None where the entry is something else."""
    if line.kind != "request.decide" or line.noted.get("kind") != kind:
        return None
    done: Mapping[str, Any] | None = line.result.get("done")
    return done


# -- Entries ----------------------------------------------------------------------------------------------


def _entries(told: Told) -> Iterator[Difference]:
    """Give the entries of another person, number or place among the alternates than was sold (T2, T6)."""
    should = {}
    for line in told.lines:
        if line.kind == "entry.buy_in":
            code = line.result["code"]
            should[f"entry {code}"] = {"player": line.asked["player"], "number": int(code[1:])}
    for code, since in _waiting_since(told.lines).items():
        should[f"entry {code}"]["waiting_since"] = since
    rows = Entry.objects.filter(event=told.event).values("code", "player", "number", "waiting_since")
    yield from compared(named("entry {code}", rows), should)


def _waiting_since(lines: Iterable[Line]) -> dict[str, Any]:
    """Return since when each entry waits as an alternate; None for one that has a box, or never waited."""
    since = dict[str, Any]()
    for line in lines:
        if line.kind == "entry.buy_in":
            waits = line.result["status"] == Entry.Status.WAITING
            since[line.result["code"]] = line.at if waits else None
        elif line.kind == "seat.fill":
            since[line.result["entry"]] = None
        waiting = line.result.get("waiting") if line.kind == "draw.lock" else line.noted.get("waiting")
        if waiting is not None:
            since |= dict.fromkeys(line.noted["roster"])
            since |= {code: since[code] or line.at for code in waiting}
        if "moved_up" in line.noted:
            since |= dict.fromkeys(line.noted["moved_up"].split(", "))
    return since


def _checks(told: Told) -> Iterator[Difference]:
    """Give the checks at the desk that are not those that the journal has (T7)."""
    should = list[tuple[str, Columns]]()

    def add(line: Line, player: int, outcome: str) -> None:
        check = {"outcome": outcome, "checked_by": line.actor, "at": line.at}
        should.append((f"check of player {player}", check))

    for line in told.lines:
        if line.kind in ("entry.buy_in", "player.turned_away"):
            add(line, line.asked["player"], line.asked.get("outcome", PlayerCheck.Outcome.PASSED.value))
        elif done_by_two(line, "player_let_in"):
            of = (each for each in told.lines if each.result.get("request") == line.asked["request"])
            add(line, next(of).noted["asks"]["player"], PlayerCheck.Outcome.LET_IN.value)
    rows = PlayerCheck.objects.filter(event=told.event).order_by("pk")
    columns = ("player", "outcome", "checked_by", "at")
    are = ((f"check of player {row['player']}", row) for row in rows.values(*columns))
    yield from compared(each_named(are), each_named(should))


# -- Money ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Posted:
    """A transaction of money that a command has posted; ``reverses``: the kind that it turns round."""

    line: Line
    kind: str
    code: str
    cents: int
    place: int | None = None
    reverses: str | None = None


def _posted(told: Told) -> list[_Posted]:
    """Return the transactions that the commands have posted, in their order."""
    found, standing = list[_Posted](), dict[str, list[_Posted]]()
    for line in told.lines:
        # The result of a command, or of the request that two persons confirmed.
        done = line.result.get("done", line.result)
        if line.kind == "entry.buy_in":
            found.append(_Posted(line, Kind.BUY_IN, done["code"], done["amount_cents"]))
        elif line.kind == "refund.hand_out" or (done.get("refunded_cents") and "posting" not in done):
            code = done.get("code") or done["entry"]
            cents = done.get("refunded_cents") or done["amount_cents"]
            found.append(_Posted(line, Kind.REFUND, code, cents, reverses=Kind.BUY_IN))
        elif "payment" in done:
            code = told.names.entries[done["entry"]]
            kind = Kind.FURTHER if code in standing else Kind.PRIZE
            found.append(_Posted(line, kind, code, done["amount_cents"], done["place"]))
            standing.setdefault(code, []).append(found[-1])
        elif done_by_two(line, TAKE_BACK):
            code = told.names.entries[done["entry"]]
            back = reversed(standing[code])
            found += [_Posted(line, Kind.TAKEN_BACK, code, e.cents, e.place, e.kind) for e in back]
            standing[code] = []
    return found


def _transactions(told: Told) -> Iterator[Difference]:
    """Give the buy-ins, refunds and prizes whose person or time in the ledger is another one (T2, T35)."""
    columns = ("amount_cents", "by", "at", "gaming_day", "reverses__kind", "reverses__entry__code")
    should = list[tuple[str, Columns]]()
    for each in _posted(told):
        line = each.line
        day = date.fromisoformat(line.result.get("gaming_day") or line.noted["gaming_day"])
        of = (each.reverses, each.code if each.reverses else None)
        values = (each.cents, line.actor, line.at, day, *of)
        should.append((f"money, {each.kind}: entry {each.code}", dict(zip(columns, values, strict=True))))
    rows = MoneyTransaction.objects.filter(event=told.event).order_by("pk")
    are = (
        (f"money, {row['kind']}: entry {row['entry__code']}", row)
        for row in rows.values("kind", "entry__code", *columns)
    )
    yield from compared(each_named(are), each_named(should))


def _payments(told: Told) -> Iterator[Difference]:
    """Give the payments of another amount, place or person than was paid (T35)."""
    columns = ("kind", "place", "amount_cents", "at", "paid_by", "identity_checked_by", "second_person")
    should, numbers = dict[str, Columns](), Counter[str]()
    for each in _posted(told):
        if each.kind in (Kind.BUY_IN, Kind.REFUND):
            continue
        numbers[each.code] += 1
        line, two = each.line, each.line.kind == "request.decide"
        by = line.noted["requested_by"] if two else line.actor
        people = (by, None if each.kind == Kind.TAKEN_BACK else by, line.actor if two else None)
        values = (each.kind, each.place, each.cents, line.at, *people)
        should[f"payment {numbers[each.code]} of {each.code}"] = dict(zip(columns, values, strict=True))
    rows = Payment.objects.filter(event=told.event).values("number", "entry__code", *columns)
    yield from compared(named("payment {number} of {entry__code}", rows), should)


def _hand_outs(told: Told) -> Iterator[Difference]:
    """Give the buy-ins of a called-off event that were handed out otherwise (T8)."""
    columns = ("amount_cents", "handed_by", "identity_checked_by", "at")
    should = dict[str, Columns]()
    for each in _posted(told):
        line = each.line
        if line.kind == "refund.hand_out":
            values = (each.cents, line.actor, line.actor, line.at)
            should[f"hand-out of {each.code}"] = dict(zip(columns, values, strict=True))
    rows = HandOut.objects.filter(event=told.event).values("entry__code", *columns)
    yield from compared(named("hand-out of {entry__code}", rows), should)


def _days(told: Told) -> Iterator[Difference]:
    """Give the gaming days on which another sum is kept than a person has spent, in all events (T2)."""
    if told.event.is_rehearsal:
        return
    bought = MoneyTransaction.objects.filter(kind=Kind.BUY_IN, event__kind=Event.Kind.TOURNAMENT)
    here = bought.filter(event=told.event).values("entry__player")
    kept = bought.filter(entry__player__in=here, reversed_by__isnull=True, amount_cents__gt=0)
    kept = kept.exclude(event__status=Event.Status.CALLED_OFF)
    spent = kept.values_list("entry__player", "gaming_day").annotate(cents=Sum("amount_cents")).order_by()
    should = {_day_name(player, day): {"spent_cents": cents} for player, day, cents in spent}
    rows = PlayerDay.objects.filter(player__in=here).values_list("player", "gaming_day", "spent_cents")
    are = {_day_name(player, day): {"spent_cents": cents} for player, day, cents in rows}
    # A day whose buy-ins were all given back keeps its row.
    yield from compared(are, {**{name: {"spent_cents": 0} for name in are}, **should})


def _day_name(player: int, day: date) -> str:
    return f"day {day} of player {player}"


# -- Penalties, and what two persons decide -----------------------------------------------------------------


def _penalties(told: Told) -> Iterator[Difference]:
    """Give the penalties that are not those that were given, or not cancelled as they were (T26)."""
    should, reasons = dict[int, Columns](), _reasons(told.lines)
    for line in told.lines:
        if line.kind == "penalty.add" and "penalty" in line.result:
            code = told.names.entries[line.asked["entry"]]
            by = {"by": line.actor, "reason": line.asked["reason"]}
            should[line.result["penalty"]] = _given(line, code, line.asked["kind"], 0) | by
        elif done := done_by_two(line, PENALTY):
            code, by = told.names.entries[done["entry"]], {"by": line.noted["requested_by"]}
            given = _given(line, code, Penalty.Kind.CHIPS.value, line.noted["chips"])
            should[done["penalty"]] = given | by | {"reason": reasons[line.asked["request"]]}
        elif line.kind == "penalty.cancel" and "penalty" in line.result:
            why = {"cancel_reason": line.asked["reason"]}
            should[line.result["penalty"]] |= {"cancelled_at": line.at, **why}
        elif done := done_by_two(line, PENALTY_BACK):
            why = {"cancel_reason": reasons[line.asked["request"]]}
            should[done["penalty"]] |= {"cancelled_at": line.at, **why}
        for dropped in line.noted.get("penalties_cancelled", ()):
            should[dropped] |= {"cancelled_at": line.at}
            del should[dropped]["cancel_reason"]
    columns = ("entry__code", "by", "kind", "chips", "reason", "at", "cancelled_at", "cancel_reason")
    rows = Penalty.objects.filter(entry__event=told.event).values("pk", *columns)
    are = {row["pk"]: row for row in rows}
    of_entry = {pk: row["entry__code"] for pk, row in {**are, **should}.items()}
    names = numbered((pk, f"penalty of {of_entry[pk]}") for pk in sorted(of_entry))
    yield from compared(are, should, names.__getitem__)


def _given(line: Line, code: str, kind: str, chips: int) -> Columns:
    given = {"entry__code": code, "kind": kind, "chips": chips, "at": line.at}
    return {**given, "cancelled_at": None, "cancel_reason": ""}


def _reasons(lines: Iterable[Line]) -> dict[int, str]:
    """Return the reason of each request, as far as a person gave one."""
    return {
        line.result["request"]: as_kept(line.asked["reason"])
        for line in lines
        if "request" in line.result and "reason" in line.asked
    }


def _requests(told: Told) -> Iterator[Difference]:
    """Give the requests that ask for something else than was asked, or were answered otherwise (faults)."""
    should, reasons = dict[int, Columns](), _reasons(told.lines)
    for line in told.lines:
        if line.kind == "request.decide":
            # A person who takes back their own request is no second person.
            own = line.noted["requested_by"] == line.actor and not told.event.is_rehearsal
            by = None if own and not line.asked["approve"] else line.actor
            decided = {"status": line.result["status"], "decided_by": by, "decided_at": line.at}
            should[line.asked["request"]] |= decided
        elif "request" in line.result:
            should[line.result["request"]] = {
                "kind": line.result["kind"],
                "body": line.noted["asks"],
                "requested_by": line.actor,
                "requested_at": line.at,
                "one_person_may": told.event.is_rehearsal,
                "status": Request.Status.OPEN.value,
                "decided_by": None,
                "decided_at": None,
            }
    for pk in reasons.keys() & should.keys():
        should[pk]["reason"] = reasons[pk]
    columns = ("kind", "body", "reason", "status", "requested_at", "decided_at", "one_person_may")
    rows = Request.objects.filter(event=told.event).values("pk", "requested_by", "decided_by", *columns)
    yield from compared({row["pk"]: row for row in rows}, should, "request {}".format)


PARTS = (_entries, _checks, _transactions, _payments, _hand_outs, _days, _penalties, _requests)
