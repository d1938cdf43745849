"""The page to share out an unclaimed prize other than in proportion (T26)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from pages.bases import sharing_basis
from pages.guard import carries_out
from pages.kit import (
    act_or_sentence,
    event_get,
    pressed,
    see_other,
    sent,
    staff_page,
    told,
)
from pages.manager.forms import SharingForm
from pages.words.prizes import unclaimed_words
from tournament.engine.prizes import Goes
from tournament.selectors.prizes import currency_of, prizes_at, shared_to
from tournament.services.prize_sharing import prize_sharing_request, why_not_ask_to_share


@carries_out("prize_sharing")
def prize_sharing(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask a second person to confirm how an unclaimed prize is shared out."""
    event = event_get(slug)
    people = shared_to(event)
    form = SharingForm(
        sent(request),
        shares_cents={entry.code: prize.shared_cents for entry, prize in people},
    )
    tried = act_or_sentence(
        lambda: prize_sharing_request(
            event_id=event.pk,
            shares_cents=form.shares_cents,
            reason=form.cleaned_data["reason"],
            **pressed(request, sharing_basis, event.pk),
        ),
        form,
        reason_missing="reason",
        text_bad="reason",
    )
    if tried.done:
        said = _("A second person has been asked to confirm how the prize is shared out.")
        return see_other(request, said, "tournament:payouts", slug=slug)
    found = prizes_at(event).unclaimed
    context = {
        "form": form,
        "rows": [(*each, box) for each, box in zip(people, form.boxes, strict=True)],
        "unheld_cents": sum(each.cents for each in found),
        "shared_already": any(each.goes is not Goes.TO_RULE for each in found),
        "sentences": unclaimed_words(found, currency_of(event)),
        "why_not": told(why_not_ask_to_share(event)),
        "basis": sharing_basis(event.pk),
        "refused": "" if form.errors else tried.sentence,
    }
    return staff_page(request, "manager/prize_sharing.html", context, event=event, status=tried.status)


urlpatterns = [path("staff/<slug:slug>/payouts/sharing/", prize_sharing, name="prize_sharing")]
