"""Data that only the pages of the desk show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.kit import Refusal, told
from pages.words.requests import Words, correction_words, request_words
from tables.selectors.correction_requests import correction_requests
from tables.selectors.whereabouts import seats_taken
from tournament.figures import chips
from tournament.models import Entry, Event, Request, Stack
from tournament.roles import CASHIER, DIRECTOR
from tournament.selectors.desk import WaitingReason, requests_waiting
from tournament.selectors.open_requests import (
    COUNT_RULING,
    rulings_on_chips,
    why_lapsed,
    why_not_request_disqualification,
)
from tournament.selectors.penalties import (
    IF_DISQUALIFIED,
    PENALTY,
    PENALTY_BACK,
    why_not_in_it,
)


def waits_words(waits: WaitingReason | None) -> str:
    """Return why a new entry would be an alternate, in words; empty if it would not (T4, T6)."""
    if waits is None:
        return ""
    if waits.locked:
        return _(
            "The roster is locked. An alternate is seated in place of a no-show, or at a free box, until the"
            " first bet."
        )
    words = ngettext(
        "The one box is sold. An alternate is seated when it becomes free.",
        "All %(n)s boxes are sold. An alternate is seated when one becomes free.",
        waits.boxes,
    )
    return words % {"n": waits.boxes}


def asked_about(
    event: Event, entry: Entry, stacks: Iterable[Stack], opens: Callable[[str], bool]
) -> dict[str, Any]:
    """Return the open requests about an entry; ``lapsed``: why one no longer applies. ``opens``: whether this
    person may open a page; ``href``: the page that answers the request. ``asked_listed``: a request has no
    page of its own, so link to the list.

    A ruling on a count is included if it moves the stack of this entry (T18). A correction of a closed round
    is included if it would change this entry's stack, rank, side of the cut or prize, or if the entry should
    have advanced by it (T17).
    """
    stacks = list(stacks)
    rulings = rulings_on_chips([stack.round for stack in stacks]).get(entry.pk, [])
    counts = [each for each in rulings if each.kind == COUNT_RULING]
    asked = [each for each in requests_waiting(event) if each.body.get("entry") == entry.pk]
    corrections = {each.request.pk: each for each in correction_requests(event) if entry.code in each.codes}
    asked = sorted(
        [*asked, *counts, *(each.request for each in corrections.values())], key=lambda each: each.pk
    )
    words = request_words(event, asked)
    lapsed = {each.pk: why_lapsed(each) for each in asked}
    penalties = {each.pk for each in asked if each.kind in (PENALTY, PENALTY_BACK)}
    seats = seats_taken([each.body["round"] for each in counts]) if counts else {}
    requests = [
        {
            "asked": each,
            "words": words[each.pk],
            "effect": _moves(each, seats[each.body["round"], entry.pk][1])
            if each in counts
            else correction_words(each, entry.code)
            if each.pk in corrections
            else words[each.pk].effect
            if each.pk in penalties and lapsed[each.pk] is None
            else "",
            "lapsed": lapsed[each.pk],
            "href": _page(event, words[each.pk], opens),
        }
        for each in asked
    ]
    return {"asked": requests, "asked_listed": any(not each["href"] for each in requests)}


def _page(event: Event, words: Words, opens: Callable[[str], bool]) -> str:
    """Return the page that answers a request; empty if it has none or this person may not open it."""
    href = f"/staff/{event.slug}/{words.tail}"
    return href if words.seen_first and opens(href) else ""


def _moves(asked: Request, box: int) -> str:
    """Return the stack of one box before and after a requested ruling on the count, in words."""
    names = {"before": chips(asked.body["before"][str(box)]), "after": chips(asked.body["chips"][str(box)])}
    return _("This stack: %(before)s → %(after)s once it is confirmed.") % names


def disqualifying(entry: Entry) -> dict[str, Any]:
    """Return whether a disqualification can be requested, its effects, and what must come first."""
    why_not = why_not_request_disqualification(entry)
    in_the_way = why_not is not None and why_not.code == "prize_paid"
    return {
        "may_disqualify": why_not is None,
        "why_not_disqualify": told(why_not if in_the_way else None),
        "disqualified_words": _(IF_DISQUALIFIED) if why_not is None else "",
    }


def without_form(context: Mapping[str, Any], mine: Collection[str]) -> str:
    """Return the refusal for the top of the page if its form is gone from it; else empty.

    ``context``: that of the entry's page; ``mine``: the roles of the person.
    """
    entry, where, refused = context["entry"], context.get("refused_at"), context.get("refused", "")
    leaves = context["only_replaced"] or DIRECTOR in mine or (CASHIER in mine and not context["ruling"])
    there = {
        "withdraw": context["in_event"] and bool(leaves),
        "penalty": context["in_event"] and entry.status == Entry.Status.LIVE,
        "disqualify": context["may_disqualify"] or bool(refused),
    }
    if not where or there[where]:
        return ""
    why_not = {"penalty": why_not_in_it, "disqualify": why_not_request_disqualification}.get(where)
    found = why_not(entry) if why_not and not refused else None
    gone = _("This form is not offered for %(entry)s any more. Nothing was done.")
    return refused or (told(found) if found else Refusal(gone % {"entry": entry.code}, "not_asked_any_more"))
