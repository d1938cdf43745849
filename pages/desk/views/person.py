"""The record of a person, its past corrections, and the form to correct it (T7)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _

from pages.bases import player_basis
from pages.desk.forms import CorrectionForm
from pages.guard import carries_out
from pages.kit import act_or_sentence, event_get, pressed, see_other, staff_page
from pages.unsaved import keeps_typed, typed_by
from pages.words.requests import player_changes_words
from tournament.models import Event, Player
from tournament.services.people import player_correct

BESIDE = {
    "name_missing": "given_name",
    "birth_year_bad": "birth_year",
    "identity_bad": "identity_number",
    "identity_known": "identity_number",
    "reason_missing": "reason",
}
"""Map codes of refusals to the field that shows them."""


@keeps_typed
@carries_out("player.correct", "player_correct")
def person(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    """Correct a name or an alias; ask a second person about a year of birth or an identity number."""
    event, player = event_get(slug), get_object_or_404(Player, pk=player_id)
    if request.method != "POST":
        return _page(request, event, player, form=CorrectionForm.of_player(player))
    form = CorrectionForm(request.POST)

    def act() -> dict[str, Any]:
        return player_correct(
            player_id=player.pk,
            **form.cleaned_data,
            **pressed(request, player_basis, player.pk),
        )

    tried = act_or_sentence(act, form, **BESIDE)
    if tried.result is None:
        player.refresh_from_db()
        sentence = "" if form.errors else tried.sentence
        return _page(request, event, player, form=form, refused=sentence, status=tried.status)
    message = _("The record is corrected.")
    if "request" in tried.result:
        message = _("A second person has been asked to confirm the year of birth or the identity number.")
        if tried.result["corrected"]:
            message = _("The name is corrected. %(asked)s") % {"asked": message}
    return see_other(request, message, "tournament:person", slug=slug, player_id=player.pk)


def _page(
    request: HttpRequest, event: Event, player: Player, status: int = 200, **context: Any
) -> HttpResponse:
    found = player.corrections.select_related("by", "request__requested_by", "request__decided_by")
    context = {
        "player": player,
        "entry": event.entries.filter(player=player).order_by("-pk").first(),
        "typed_by": typed_by(request),
        "basis": player_basis(player.pk),
        "corrections": [(each, player_changes_words(each)) for each in found.order_by("-pk")],
        **context,
    }
    return staff_page(request, "desk/person.html", context, event=event, status=status)


urlpatterns = [path("staff/<slug:slug>/people/<int:player_id>/", person, name="person")]
