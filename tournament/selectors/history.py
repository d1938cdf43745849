"""The journal in words: what was done, to whom, and what came of it; ids become entry codes, never names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Entry, Event, JournalEntry, Stack
from tournament.selectors.floor import floor
from tournament.selectors.prizes import currency_of
from tournament.templatetags.cutline import chips, money

KINDS: dict[str, Any] = {
    "event.create": gettext_lazy("Event made"),
    "event.settings": gettext_lazy("Settings changed"),
    "event.open": gettext_lazy("Rules posted, desk opened"),
    "event.setup_again": gettext_lazy("Desk closed, set-up again"),
    "event.call_off": gettext_lazy("Event called off"),
    "entry.buy_in": gettext_lazy("Buy-in"),
    "entry.withdraw": gettext_lazy("Withdrawn"),
    "entry.replace": gettext_lazy("Qualifier replaced"),
    "player.turned_away": gettext_lazy("Turned away at the desk"),
    "penalty.add": gettext_lazy("Penalty"),
    "penalty.cancel": gettext_lazy("Penalty cancelled"),
    "request.open": gettext_lazy("Second person asked"),
    "request.decide": gettext_lazy("Second person answered"),
    "table.add": gettext_lazy("Table added"),
    "table.change": gettext_lazy("Table changed"),
    "tables.ensure": gettext_lazy("Tables put out"),
    "draw.lock": gettext_lazy("Roster locked"),
    "draw.cards": gettext_lazy("Five cards typed"),
    "draw.confirm": gettext_lazy("Five cards confirmed"),
    "round.seat": gettext_lazy("Seats drawn"),
    "seat.no_show": gettext_lazy("No-show"),
    "seat.fill": gettext_lazy("Seat filled"),
    "stack.absent": gettext_lazy("Absence ruled"),
    "round.play": gettext_lazy("First bet called"),
    "round.look": gettext_lazy("Tie looked at"),
    "deal.settle": gettext_lazy("Hand settled"),
    "deal.record": gettext_lazy("Hand recorded"),
    "deal.void": gettext_lazy("Hand void"),
    "deal.correct": gettext_lazy("Hand corrected"),
    "shoe.end": gettext_lazy("Cut card out"),
    "shoe.next": gettext_lazy("Further shoe"),
    "shoe.seed": gettext_lazy("Shoe seeded"),
    "count.enter": gettext_lazy("Count entered"),
    "count.rule": gettext_lazy("Count ruled on"),
    "count.reopen": gettext_lazy("Count reopened"),
    "round.close": gettext_lazy("Round closed"),
    "round.tie_rule": gettext_lazy("Tie ruled on"),
    "payouts.post": gettext_lazy("Payouts posted"),
    "prize.pay": gettext_lazy("Prize paid"),
}


@dataclass(frozen=True)
class Line:
    """One entry of the journal on a page."""

    entry: JournalEntry
    title: str
    detail: str

    @property
    def by(self) -> str:
        """Who did it; the house itself where nobody pressed anything."""
        return self.entry.actor.get_username() if self.entry.actor else _("the house")


def journal_kinds(event: Event) -> list[tuple[str, str]]:
    """The kinds that occur in an event's journal, with their words."""
    found = (
        JournalEntry.objects.filter(event=event).order_by("kind").values_list("kind", flat=True).distinct()
    )
    return [(kind, kind_words(kind)) for kind in found]


def kind_words(kind: str) -> str:
    """A kind of command in words."""
    return str(KINDS.get(kind) or kind.replace(".", " ").replace("_", " ").capitalize())


@dataclass(frozen=True)
class _Names:
    """What ids in the journal mean: entry codes, tables, hands."""

    entries: Mapping[int, str]
    stacks: Mapping[int, str]
    shoes: Mapping[int, int]
    hands: Mapping[int, tuple[int, int]]
    currency: str


def journal_lines(event: Event, entries: Iterable[JournalEntry]) -> list[Line]:
    """Entries of the journal in words; five queries for what their ids mean."""
    entries = list(entries)
    asked = [each.body.get("asked", {}) for each in entries]
    results = [each.result for each in entries if isinstance(each.result, dict)]
    names = _Names(
        dict(event.entries.filter(pk__in=_numbers(asked, "entry")).values_list("pk", "code")),
        dict(Stack.objects.filter(pk__in=_numbers(asked, "stack")).values_list("pk", "entry__code")),
        floor().shoes(_numbers(asked, "shoe")),
        floor().hands(_numbers(asked, "deal") | _numbers(results, "deal")),
        currency_of(event),
    )
    return [Line(each, kind_words(each.kind), _detail(each, names)) for each in entries]


def _numbers(asked: Iterable[Mapping[str, Any]], name: str) -> set[int]:
    return {each[name] for each in asked if isinstance(each.get(name), int)}


def _detail(each: JournalEntry, names: _Names) -> str:
    """What stands out of an entry, in a line: who, where, how much, which number, why."""
    asked, result = each.body.get("asked", {}), each.result if isinstance(each.result, dict) else {}
    parts = [
        _who(asked, result, names),
        _where(asked, result, names),
        *_figures(each.kind, asked, result, names),
    ]
    if each.kind == "request.decide":
        parts.append(_("approved") if asked.get("approve") else _("refused"))
    if each.body.get("noted", {}).get("one_person"):
        parts.append(_("one person did both"))
    if asked.get("reason") and each.kind != "player.exclude":
        parts.append(f"\N{LEFT DOUBLE QUOTATION MARK}{asked['reason']}\N{RIGHT DOUBLE QUOTATION MARK}")
    return " · ".join(part for part in parts if part)


def _who(asked: Mapping[str, Any], result: Mapping[str, Any], names: _Names) -> str:
    said = result.get("code") or result.get("entry")
    if isinstance(said, str):
        return said
    return names.entries.get(asked.get("entry", 0)) or names.stacks.get(asked.get("stack", 0)) or ""


def _where(asked: Mapping[str, Any], result: Mapping[str, Any], names: _Names) -> str:
    hand = names.hands.get(asked.get("deal", 0)) or names.hands.get(result.get("deal", 0))
    if hand:
        return _("table %(table)s, hand %(hand)s") % {"table": hand[0], "hand": hand[1]}
    table = names.shoes.get(asked.get("shoe", 0))
    return _("table %(n)s") % {"n": table} if table else ""


def _figures(kind: str, asked: Mapping[str, Any], result: Mapping[str, Any], names: _Names) -> list[str]:
    said = [
        money(result[name], names.currency)
        for name in ("amount_cents", "refunded_cents")
        if isinstance(result.get(name), int)
    ]
    if kind in ("round.seat", "draw.lock") and isinstance(result.get("draw"), int):
        said.append(_("draw %(n)s") % {"n": result.get("number") or result["draw"]})
    if isinstance(asked.get("cards"), str):
        said.append(asked["cards"])
    if isinstance(result.get("advanced"), list) and result["advanced"]:
        said.append(_("%(n)s advance") % {"n": len(result["advanced"])})
    if isinstance(asked.get("chips"), int) and asked["chips"]:
        said.append(_("%(n)s chips") % {"n": chips(asked["chips"])})
    return said


def entry_history(entry: Entry) -> list[Line]:
    """What the journal says about one entry, oldest first."""
    about = Q(body__asked__entry=entry.pk) | Q(result__entry=entry.pk) | Q(result__entry=entry.code)
    about |= Q(body__asked__body__entry=entry.pk)
    found = (
        JournalEntry.objects.filter(about, event_id=entry.event_id).select_related("actor").order_by("seq")
    )
    return journal_lines(entry.event, found)
