"""A correction that waits for a second person, for the pages that it would change (T17)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from pages.kit import opens
from pages.words.requests import request_words
from tables.models import Deal
from tables.selectors.correction_requests import CorrectionRequest, correction_requests
from tournament.models import Event


def corrections_wait(
    request: HttpRequest, event: Event, waiting: Iterable[CorrectionRequest]
) -> list[dict[str, Any]]:
    """Return the open corrections in words, each with the address of its page if this person may open it."""
    waiting = list(waiting)
    words = request_words(event, [each.request for each in waiting]) if waiting else {}
    return [_told(request, event, each, words[each.request.pk]) for each in waiting]


def correction_of_hand(request: HttpRequest, event: Event, deal: Deal) -> dict[str, Any] | None:
    """Return the waiting correction of a hand, as ``corrections_wait`` does; None without one."""
    waiting = [each for each in correction_requests(event) if each.deal.pk == deal.pk]
    return next(iter(corrections_wait(request, event, waiting)), None)


def _told(request: HttpRequest, event: Event, asked: CorrectionRequest, words: Any) -> dict[str, Any]:
    href = f"/staff/{event.slug}/{words.tail}"
    return {
        "asked": asked.request,
        "deal": asked.deal,
        "words": words,
        "changes": bool(asked.lines),
        "moves_cut": asked.moves_cut,
        "href": href if opens(request, href) else "",
    }
