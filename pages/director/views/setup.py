"""The set-up of an event: settings, posting the rules, calling the event off."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.bases import calling_off_basis, setup_basis
from pages.director.forms.plan import COUNT, COUNT_TO, count_of
from pages.director.forms.setup import SetupForm, initial_of, summary
from pages.director.views.hand_setup import sheet_notice
from pages.fields import ReasonForm
from pages.guard import carries_out
from pages.kit import (
    act_or_sentence,
    act_or_why_not,
    event_get,
    opens,
    posted,
    pressed,
    refused_in_ask,
    see_other,
    sent,
    staff_page,
    typed_text,
    why_not_now,
)
from pages.words.plans import rounds_words
from tournament.models import Event, Posting
from tournament.selectors.prizes import currency_of, pool_of
from tournament.selectors.stages import has_chips_in_play
from tournament.services.events import (
    call_off_request_check,
    event_call_off,
    event_open,
    event_settings_change,
    event_setup_again,
    settings_check,
)

# -- Set-up -------------------------------------------------------------------------------------------


@carries_out("event.settings")
def setup(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every setting of the event; read-only with its hash once the rules are posted."""
    event = event_get(slug)
    if event.status != Event.Status.DRAFT and request.method != "POST":
        return _posted_page(request, event)
    currency = currency_of(event)
    form = SetupForm(sent(request), initial=initial_of(event.name, event.settings), currency=currency)
    if request.method != "POST":
        return _setup_page(request, event, form)

    if COUNT_TO in request.POST:
        return _other_rounds(request, event, currency)

    def act() -> dict[str, Any]:
        return event_settings_change(
            event_id=event.pk,
            settings=form.settings(),
            name=form.cleaned_data["name"],
            **pressed(request, setup_basis, event.pk),
        )

    check = partial(settings_check, event)
    tried = act_or_why_not(check, act, form, text_too_long="name", text_bad="name")
    if not tried.done and event_get(slug).status != Event.Status.DRAFT:
        return _posted_page(request, event_get(slug), status=tried.status, refused=tried.sentence)
    if not tried.done:
        sentence = _("Nothing was saved. Look at what is marked below.") if form.errors else tried.sentence
        return _setup_page(request, event, form, status=tried.status, refused=sentence)
    sheet_notice(request, tried.result)
    if "post" in request.POST:
        return see_other(request, "", "tournament:setup_post", slug=slug)
    return see_other(
        request, _("The settings are saved. Nothing is public yet."), "tournament:setup", slug=slug
    )


def _other_rounds(request: HttpRequest, event: Event, currency: str) -> HttpResponse:
    """Show the typed form with another number of rounds; nothing is saved."""
    typed = {**request.POST.dict(), COUNT: count_of(request.POST, len(event.settings.plan))}
    form = SetupForm(initial={**typed, "sheet": event.settings.sheet}, currency=currency)
    form.initial = typed
    return _setup_page(request, event, form, basis=typed_text(request.POST, "basis"))


def _setup_page(
    request: HttpRequest,
    event: Event,
    form: SetupForm,
    status: int = 200,
    refused: str = "",
    basis: str = "",
) -> HttpResponse:
    # Nothing was saved, so the form keeps its basis.
    context: dict[str, Any] = {"form": form, "basis": basis or setup_basis(event.pk), "refused": refused}
    context["to_boxes"] = _to_boxes(request, event)
    context["plan_said"] = rounds_words(event.settings)
    return staff_page(request, "director/setup.html", context, event=event, status=status)


def _to_boxes(request: HttpRequest, event: Event) -> bool:
    """Whether this person may open the page of tables and boxes."""
    return opens(request, resolve_url("tables:boxes", slug=event.slug))


def _may_change(event: Event) -> bool:
    return event.status == Event.Status.OPEN and not event.entries.exists()


def _posted_page(request: HttpRequest, event: Event, status: int = 200, **refused: str) -> HttpResponse:
    postings = Posting.objects.filter(event=event, kind=Posting.Kind.RULES).select_related("posted_by")
    context = {
        "groups": summary(event.settings, currency_of(event)),
        "postings": list(postings.order_by("-number")),
        "basis": setup_basis(event.pk),
        "may_change": _may_change(event),
        "to_boxes": _to_boxes(request, event),
        **refused,
    }
    return staff_page(request, "director/setup_posted.html", context, event=event, status=status)


@carries_out("event.open")
def setup_post(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the settings once more, then post the rules and open the desk."""
    event = event_get(slug)
    if event.status != Event.Status.DRAFT and request.method != "POST":
        return see_other(request, "", "tournament:setup", slug=slug)
    refused, status = "", 200
    if request.method == "POST":
        tried = act_or_sentence(
            lambda: event_open(event_id=event.pk, **pressed(request, setup_basis, event.pk))
        )
        if tried.done:
            message = _("The rules are posted and the desk is open.")
            return see_other(request, message, "tables:tonight", slug=slug)
        refused, status, event = tried.sentence, tried.status, event_get(slug)
        if event.status != Event.Status.DRAFT:
            return _posted_page(request, event, status=status, refused=refused)
    groups = summary(event.settings, currency_of(event))
    context = {"groups": groups, "basis": setup_basis(event.pk), "refused": refused}
    return staff_page(request, "director/setup_post.html", context, event=event, status=status)


@carries_out("event.setup_again")
@posted("tournament:setup")
def setup_again(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the desk to change the settings again; possible until the first buy-in."""
    event = event_get(slug)
    tried = act_or_sentence(
        lambda: event_setup_again(event_id=event.pk, **pressed(request, setup_basis, event.pk))
    )
    if not tried.done:
        again = event_get(slug)
        said_there = refused_in_ask(tried, asks=_may_change(again))
        return _posted_page(request, again, status=tried.status, **said_there)
    message = _(
        "The desk is closed and the settings can be changed. The rules posted before are kept; "
        "the public pages come back when new ones are posted."
    )
    return see_other(request, message, "tournament:setup", slug=slug)


@carries_out("event.call_off", "call_off")
def call_off(request: HttpRequest, slug: str) -> HttpResponse:
    """Call the event off: every buy-in is refunded, in one command, with a reason (T8, T24)."""
    event = event_get(slug)
    form = ReasonForm(sent(request))
    tried = act_or_why_not(
        partial(call_off_request_check, event),
        lambda: event_call_off(
            event_id=event.pk, **form.cleaned_data, **pressed(request, calling_off_basis, event.pk)
        ),
        form,
    )
    if tried.result is not None:
        return see_other(request, _called_off_words(tried.result), "tables:tonight", slug=slug)
    context: dict[str, Any] = {"form": form, "basis": calling_off_basis(event.pk), "pool": pool_of(event)}
    context["refused"] = tried.sentence if tried.code != "form" else ""
    context["why_not"] = why_not_now(partial(call_off_request_check, event))
    if context["why_not"].code == "already_asked":
        context["instead"] = [(resolve_url("tournament:requests", slug=slug), _("Second person"))]
    context["decided"] = event.status == Event.Status.FINISHED
    # Before the first draw nobody is seated; once every place is decided nobody plays on.
    context["chips_out"] = not context["decided"] and has_chips_in_play(event)
    return staff_page(request, "director/call_off.html", context, event=event, status=tried.status)


def _called_off_words(result: dict[str, Any]) -> str:
    if "request" in result:
        return _(
            "Every place is decided, so a second person has been asked to confirm that the event is "
            "called off."
        )
    words = ngettext(
        "Called off. %(n)s buy-in is to be handed out.",
        "Called off. %(n)s buy-ins are to be handed out.",
        result["refunds"],
    )
    return words % {"n": result["refunds"]}


urlpatterns = [
    path("staff/<slug:slug>/setup/", setup, name="setup"),
    path("staff/<slug:slug>/setup/post/", setup_post, name="setup_post"),
    path("staff/<slug:slug>/setup/again/", setup_again, name="setup_again"),
    path("staff/<slug:slug>/call-off/", call_off, name="call_off"),
]
