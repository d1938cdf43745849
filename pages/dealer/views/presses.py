"""Read the submission of a press at a table: its key, and the state that the page was made from."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from ground.refused import Refused, refuse
from pages.floor.at_table import deal_begun, shoe_here, shoe_of_deal
from pages.floor.forms import hand_typed, number_of
from pages.kit import actor_of, submission_key, submission_of, typed_text
from tables.models import Deal, Table
from tables.selectors.basis import shoe_basis
from tables.selectors.seating import why_ask_first
from tables.services.locks import shoe_basis_locked
from tournament.models import Round

Json = dict[str, Any]


BEGIN_PLAY = ("bets", "results", "cut", "close", "simulate")
"""The presses that begin a seated round."""


def shoe_press(request: HttpRequest, at: Table) -> Json:
    """Return the arguments of a press between hands: shoe, key and actor.

    The key includes the state of the page: the seated players, the last hand, the hand on the table. Refuses
    as ``shoe_here`` does, and ``seating_closes`` (409) before the first bet of a round.
    """
    shoe = shoe_here(at, number_of(request.POST, "shoe"))
    if shoe.round.status == Round.Status.SEATED and request.POST.get("do") in BEGIN_PLAY:
        refuse(why_ask_first(shoe.round, request.POST.get("closes", "")))
    return _press(request, "shoe_id", shoe.pk, shoe.pk)


def deal_press(request: HttpRequest, at: Table) -> Json:
    """Return the arguments of a press on a hand, even if its last taps are sent with it (ADR 24).

    Refuses as ``shoe_of_deal`` and ``deal_begun`` do.
    """
    deal_id, shoe_id = _deal_pressed(request, at)
    after = request.POST.get("after", "")
    if not after:
        return _press(request, "deal_id", deal_id, shoe_id)
    # It was pressed while the last taps were being sent, so it rests on the hand after the last of them. Read
    # the basis first, so that any change in between makes it stale.
    basis = str(shoe_basis(shoe_id))
    press = _press(request, "deal_id", deal_id, shoe_id)
    taps = Deal.objects.values_list("taps", flat=True).get(pk=deal_id)
    if taps and taps[-1]["nonce"] == after[:64]:
        press["key"].seen = basis
    return press


def _press(request: HttpRequest, name: str, pk: int, shoe_id: int) -> Json:
    key = submission_of(request, partial(shoe_basis_locked, shoe_id))
    return {name: pk, "key": key, "actor": actor_of(request)}


def tap_press(request: HttpRequest, at: Table) -> Json:
    """Return the arguments of a tap: its hand, the number of taps that the screen had seen, its nonce, and
    the actor."""
    return {
        "deal_id": _deal_pressed(request, at)[0],
        **seen_of(request),
        "nonce": submission_key(request)[:64],
        "actor": actor_of(request),
    }


def seen_of(request: HttpRequest) -> Json:
    """Return the number of taps that the screen had seen, and the screen's mark."""
    return {
        "seen": number_of(request.POST, "seen"),
        "called": typed_text(request.POST, "called", longest=200),
        "screen": screen_of(request),
    }


def _deal_pressed(request: HttpRequest, at: Table) -> tuple[int, int]:
    """Return the ids of the form's hand and its shoe; a hand without an id yet is named by the press that
    began it."""
    if request.POST.get("begun") and not request.POST.get("deal"):
        shoe_id = shoe_here(at, number_of(request.POST, "shoe")).pk
        return deal_begun(shoe_id, typed_text(request.POST, "begun")), shoe_id
    deal_id = number_of(request.POST, "deal")
    return deal_id, shoe_of_deal(at, deal_id)


def is_typed(request: HttpRequest) -> bool:
    """Whether the form has a typed, unsettled hand that the clerk has not chosen to leave out."""
    return hand_typed(request.POST) and request.POST.get("leave") != "1"


def typed_check(request: HttpRequest) -> None:
    """Refuse ``hand_typed`` while a typed hand would be lost."""
    if is_typed(request):
        raise Refused(
            "hand_typed",
            _("Bets or results of a hand are typed and not settled. Settle the hand first, or leave it out."),
        )


def screen_of(request: HttpRequest) -> str:
    """Return a mark of the session that pressed, so that one person on two tablets is two screens."""
    return hashlib.sha256((request.session.session_key or "").encode()).hexdigest()[:8]
