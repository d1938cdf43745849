"""Read the submission of a press at a table: its key, and the state that the page was made from."""

from __future__ import annotations

import hashlib
from functools import partial

from django.http import HttpRequest
from django.utils.translation import gettext as _

from ground.refused import Refused
from pages.floor.at_table import deal_begun, deal_here, shoe_here
from pages.floor.forms import hand_typed, number_of
from pages.kit import submission_of, typed_text
from tables.models import Deal, Table
from tables.selectors.basis import shoe_basis
from tables.selectors.deals import dealt_at
from tables.services.locks import shoe_basis_locked
from tournament.selectors.basis import Submission


def shoe_press(request: HttpRequest, shoe_id: int) -> Submission:
    """The press with what the page was made from: who sits there, the last hand, the hand on the table."""
    return submission_of(request, partial(shoe_basis_locked, shoe_id))


def deal_press(request: HttpRequest, deal_id: int) -> Submission:
    """The same for what is pressed on a hand, also where its last taps were on their way with it (ADR 24)."""
    found = dealt_at(deal_id)
    assert found is not None, "checked where the form was read"
    shoe_id, after = found[0], request.POST.get("after", "")
    if not after:
        return shoe_press(request, shoe_id)
    # It was pressed while the last taps were on their way: made from the hand as the very last of them leaves
    # it. The basis is read first, so that whatever comes in between makes it another one.
    basis = str(shoe_basis(shoe_id))
    press = shoe_press(request, shoe_id)
    taps = Deal.objects.values_list("taps", flat=True).get(pk=deal_id)
    if taps and taps[-1]["nonce"] == after[:64]:
        press.seen = basis
    return press


def shoe_pressed(request: HttpRequest, at: Table) -> int:
    """The shoe that the form names. Refuses as ``shoe_here`` does."""
    return shoe_here(at, number_of(request.POST, "shoe"))


def deal_pressed(request: HttpRequest, at: Table) -> int:
    """The hand that the form names; one that was not known yet by the press that has begun it."""
    if request.POST.get("begun") and not request.POST.get("deal"):
        return deal_begun(shoe_pressed(request, at), typed_text(request.POST, "begun"))
    return deal_here(at, number_of(request.POST, "deal"))


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
