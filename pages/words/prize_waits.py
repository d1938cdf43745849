"""Open requests about prizes, for the pages that list prizes (T26, T35)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.kit import Refusal
from pages.words.naming import entry_named
from tournament.models import Event, Request
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.prizes import CALL_OFF, TAKE_BACK, PrizeLine
from tournament.services.payments import PAY


def prize_waits(event: Event, lines: Sequence[PrizeLine]) -> dict[int, Refusal]:
    """Map entries to the words of the open request about their prize; these prizes are not paid now (T35)."""
    return {entry_id: Refusal(_words(kind), kind) for entry_id, kind in _asked(event, lines).items()}


def payable_words(lines: Sequence[PrizeLine], waits: Mapping[int, str]) -> str:
    """Return how many prizes are still to be paid, and how many of them now, if requests are open."""
    left = [line for line in lines if line.left_cents]
    now = sum(line.entry.pk not in waits for line in left)
    figures = {"n": len(left), "now": now}
    if now == len(left):
        words = ngettext("%(n)s prize is still to be paid.", "%(n)s prizes are still to be paid.", len(left))
    elif now:
        words = _("%(n)s prizes are still to be paid; %(now)s of them can be paid now.")
    else:
        words = ngettext(
            "%(n)s prize is still to be paid; it cannot be paid now.",
            "%(n)s prizes are still to be paid; none of them can be paid now.",
            len(left),
        )
    return words % figures


def take_backs_words(event: Event) -> str:
    """Return the payments that a second person is asked to reverse (T26), in words; empty without one."""
    waiting = Request.objects.filter(event=event, status=Request.Status.OPEN, kind=TAKE_BACK)
    back = event.entries.filter(pk__in=list(waiting.values_list("body__entry", flat=True)))
    names = [entry_named(entry) for entry in back.select_related("player").order_by("number")]
    words = ngettext(
        "A second person is asked to take back the payment to %(who)s and has not answered yet.",
        "A second person is asked to take back the payments to %(who)s and has not answered yet.",
        len(names),
    )
    return words % {"who": ", ".join(names)} if names else ""


def _asked(event: Event, lines: Sequence[PrizeLine]) -> dict[int, str]:
    """Map each entry to the kind of its request; of several, to the kind that takes away most."""
    waiting = Request.objects.filter(event=event, status=Request.Status.OPEN)
    found = list(waiting.values_list("kind", "body__entry"))
    left = [each.entry.pk for each in lines if each.left_cents]
    asked = dict.fromkeys(left, CALL_OFF) if (CALL_OFF, None) in found else {}
    kinds = (DISQUALIFY, TAKE_BACK, PAY)
    return asked | {entry_id: kind for each in kinds for kind, entry_id in found if kind == each}


def _words(kind: str) -> str:
    """Return words that make clear whether the player has the money."""
    return {
        PAY: _("Waits for a second person"),
        TAKE_BACK: _("Paid; taking back waits"),
        DISQUALIFY: _("Disqualification waits"),
        CALL_OFF: _("Calling off waits"),
    }[kind]
