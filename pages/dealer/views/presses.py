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
"""What begins a round that is seated."""


def shoe_press(request: HttpRequest, at: Table) -> Json:
    """What the service of a press between hands takes: the shoe, the key and who pressed.

    The key has what the page was made from: who sits there, the last hand, the hand on the table. Refuses as
    ``shoe_here`` does, and ``seating_closes`` (409) before the first bet of a round.
    """
    shoe = shoe_here(at, number_of(request.POST, "shoe"))
    if shoe.round.status == Round.Status.SEATED and request.POST.get("do") in BEGIN_PLAY:
        refuse(why_ask_first(shoe.round, request.POST.get("closes", "")))
    return _press(request, "shoe_id", shoe.pk, shoe.pk)


def deal_press(request: HttpRequest, at: Table) -> Json:
    """The same for what is pressed on a hand, also where its last taps were on their way with it (ADR 24).

    Refuses as ``shoe_of_deal`` and ``deal_begun`` do.
    """
    deal_id, shoe_id = _deal_pressed(request, at)
    after = request.POST.get("after", "")
    if not after:
        return _press(request, "deal_id", deal_id, shoe_id)
    # It was pressed while the last taps were on their way: made from the hand as the very last of them leaves
    # it. The basis is read first, so that whatever comes in between makes it another one.
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
    """What a tap carries: its hand, how much of it the screen had seen, its own name, and who tapped."""
    return {
        "deal_id": _deal_pressed(request, at)[0],
        **seen_of(request),
        "nonce": submission_key(request)[:64],
        "actor": actor_of(request),
    }


def seen_of(request: HttpRequest) -> Json:
    """How much of the hand the screen had seen, and its mark."""
    return {
        "seen": number_of(request.POST, "seen"),
        "called": typed_text(request.POST, "called", longest=200),
        "screen": screen_of(request),
    }


def _deal_pressed(request: HttpRequest, at: Table) -> tuple[int, int]:
    """The hand that the form names and its shoe; one not known yet by the press that has begun it."""
    if request.POST.get("begun") and not request.POST.get("deal"):
        shoe_id = shoe_here(at, number_of(request.POST, "shoe")).pk
        return deal_begun(shoe_id, typed_text(request.POST, "begun")), shoe_id
    deal_id = number_of(request.POST, "deal")
    return deal_id, shoe_of_deal(at, deal_id)


def is_typed(request: HttpRequest) -> bool:
    """Whether a hand is typed and not settled, and its clerk has not said to leave it out."""
    return hand_typed(request.POST) and request.POST.get("leave") != "1"


def typed_check(request: HttpRequest) -> None:
    """Refuse ``hand_typed`` while a typed hand would be lost."""
    if is_typed(request):
        raise Refused(
            "hand_typed",
            _("Bets or results of a hand are typed and not settled. Settle the hand first, or leave it out."),
        )


def screen_of(request: HttpRequest) -> str:
    """A mark of the screen that pressed: of its log-in, so that one person on two tablets is two screens."""
    return hashlib.sha256((request.session.session_key or "").encode()).hexdigest()[:8]
