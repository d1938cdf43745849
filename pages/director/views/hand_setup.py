"""The rules of the hand in the set-up: the sheet, its rows, and the options (T16)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from games.registry import sheet_title
from pages.bases import setup_basis
from pages.director.forms.hand import OptionsForm, SheetForm
from pages.director.reads.sheet_rows import sheet_rows, sheets_to_choose
from pages.guard import carries_out
from pages.kit import UNTRIED, Tried, act_or_why_not, event_get, form_sentence, pressed, see_other, staff_page
from tournament.engine.settings import hand_rules
from tournament.models import Event
from tournament.services.events import event_settings_change, settings_check

Json = dict[str, Any]


@carries_out("event.settings")
def hand_setup(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the sheet row by row with the options; read-only once the rules are posted."""
    event = event_get(slug)
    if request.method != "POST":
        return _show(request, event, OptionsForm(settings=event.settings))
    if request.POST.get("do") == "sheet":
        return _sheet(request, event)
    form = OptionsForm(request.POST, settings=event.settings)
    check = partial(settings_check, event)
    tried = act_or_why_not(check, lambda: _change(request, event, {"options": form.options()}), form)
    if not tried.done:
        return _show(request, event, form, tried)
    message = _("The options are saved. Nothing is public yet.")
    return see_other(request, message, "tournament:hand_setup", slug=slug)


def _sheet(request: HttpRequest, event: Event) -> HttpResponse:
    form = SheetForm(request.POST)
    check = partial(settings_check, event)
    tried = act_or_why_not(
        check, lambda: _change(request, event, {"sheet": form.cleaned_data["sheet"]}), form
    )
    if tried.code == "form":
        options = OptionsForm(settings=event.settings)
        return _show(request, event, options, Tried(status=tried.status), sheet_refused=form_sentence(form))
    if not tried.done:
        return _show(request, event, OptionsForm(settings=event.settings), tried)
    sheet_notice(request, tried.result)
    return see_other(request, "", "tournament:hand_setup", slug=event.slug)


def _change(request: HttpRequest, event: Event, settings: Json) -> Json:
    return event_settings_change(
        event_id=event.pk, settings=settings, **pressed(request, setup_basis, event.pk)
    )


def sheet_notice(request: HttpRequest, result: Json | None) -> None:
    """Show a message about the changes that another sheet brought."""
    if result and result["taken"]:
        words = _(
            "The hand is now played by the sheet %(name)s. Decks, bets, chips and stacks that you have not "
            "changed yourself are those of that sheet, and no option is set: look at them once more."
        )
        messages.warning(
            request, words % {"name": sheet_title(result["settings"]["sheet"])}, extra_tags="sheet_taken"
        )


def _show(
    request: HttpRequest,
    event: Event,
    form: OptionsForm,
    tried: Tried = UNTRIED,
    *,
    sheet_refused: str = "",
) -> HttpResponse:
    asked = form.by_row()
    changed = set(event.settings.options)
    context = {
        "sheets": sheets_to_choose(),
        "basis": setup_basis(event.pk),
        "settings": event.settings,
        "rows": [
            {
                "row": row,
                "asked": asked.get(row.number, []),
                "changed": any(field.name in changed for field in asked.get(row.number, [])),
            }
            for row in sheet_rows(hand_rules(event.settings))
        ],
        "draft": event.status == Event.Status.DRAFT,
        "refused": tried.sentence,
        "sheet_refused": sheet_refused,
        "sheet_title": sheet_title(event.settings.sheet),
    }
    return staff_page(request, "director/hand_setup.html", context, event=event, status=tried.status)


urlpatterns = [path("staff/<slug:slug>/setup/hand/", hand_setup, name="hand_setup")]
