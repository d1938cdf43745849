"""The page on which a prize that nobody holds any more is shared out otherwise than in proportion (T26)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from pages.bases import sharing_basis
from pages.guard import carries_out
from pages.kit import (
    Tried,
    act_or_sentence,
    actor_of,
    event_get,
    press_of,
    see_other,
    staff_page,
    told,
)
from pages.manager.forms import SharingForm
from pages.words.prizes import unclaimed_words
from tournament.models import Event
from tournament.selectors.prizes import SharedTo, currency_of, shared_to
from tournament.selectors.unclaimed_prize import unclaimed, unheld_of
from tournament.services.prize_sharing import prize_sharing_request, why_not_ask_to_share


@carries_out("prize_sharing")
def prize_sharing(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask a second person to share out a prize that nobody holds."""
    event = event_get(slug)
    people = shared_to(event)
    form = SharingForm(
        request.POST if request.method == "POST" else None,
        codes=[each.entry.code for each in people],
        shares_cents={each.entry.code: each.share_cents for each in people},
    )
    tried = Tried()
    if request.method == "POST":
        tried = act_or_sentence(
            lambda: prize_sharing_request(
                event_id=event.pk,
                shares_cents=form.shares_cents,
                reason=form.cleaned_data["reason"],
                key=press_of(request, partial(sharing_basis, event.pk)),
                actor=actor_of(request),
            ),
            form,
            reason_missing="reason",
            text_bad="reason",
        )
        if tried.done:
            said = _("A second person has been asked to confirm how the prize is shared out.")
            return see_other(request, said, "tournament:payouts", slug=slug)
    return _page(request, event, form, people, tried)


def _page(
    request: HttpRequest, event: Event, form: SharingForm, people: list[SharedTo], tried: Tried
) -> HttpResponse:
    why_not, unheld = why_not_ask_to_share(event), unheld_of(event)
    context: dict[str, Any] = {
        "form": form,
        "rows": list(zip(people, form.boxes, strict=True)),
        "unheld": unheld,
        "sentences": unclaimed_words(unclaimed(event), currency_of(event)),
        "why_not": told(why_not),
        "basis": sharing_basis(event.pk),
        "refused": "" if form.errors else tried.sentence,
    }
    return staff_page(request, "manager/prize_sharing.html", context, event=event, status=tried.status)


urlpatterns = [path("staff/<slug:slug>/payouts/sharing/", prize_sharing, name="prize_sharing")]
