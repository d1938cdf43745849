"""Helpers for every staff page: its frame, a key for each form, refusals beside the form."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from ground.refused import Conflict, Refused
from ground.typed import plain_number
from pages.guard import may, roles_at
from pages.words.news import news_since
from pages.words.saying import said as said  # noqa: PLC0414  # the views take it from the kit
from tournament.engine.days import zone_of
from tournament.models import Entry, Event
from tournament.roles import AUDITOR, DIRECTOR, MANAGER, roles_of
from tournament.selectors.basis import Basis, Submission
from tournament.selectors.desk import entry_by_code, house_read
from tournament.selectors.prizes import currency_of
from tournament.services.events import SettingsRefused

Json = dict[str, Any]
View = Callable[..., HttpResponse]


class FreshKey:
    """A key for a form, a new one each time a template prints it: one press, one command."""

    def __str__(self) -> str:
        return str(uuid.uuid4())


class Refusal(str):
    """The sentence of a refusal, which carries its code into the page (``_note.html``)."""

    def __new__(cls, sentence: str = "", code: str = "") -> Refusal:
        made = super().__new__(cls, sentence)
        made.code = code
        return made

    code: str


def told(refused: Refused | None) -> Refusal:
    """Return a refusal in the language of the page, with its code; empty for None."""
    return Refusal(said(refused.message), refused.code) if refused else Refusal()


@dataclass(frozen=True)
class Tried:
    """The outcome of a service call: its result, or the sentence of its refusal."""

    result: Json | None = None
    sentence: str = ""
    code: str = ""
    status: int = 200

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", Refusal(self.sentence, self.code))

    @property
    def done(self) -> bool:
        """Whether the service call succeeded."""
        return self.result is not None


UNTRIED = Tried()
"""The value for a page that is only opened."""


def act_or_sentence(act: Callable[[], Json], form: BaseForm | None = None, **fields: str) -> Tried:
    """Call a service once the form is valid; a refusal becomes its sentence and status, never an error page.

    A form that was not sent calls nothing. ``fields`` maps codes of refusals to the field that shows them.
    """
    if form is not None and not form.is_bound:
        return Tried()
    if form is not None and not form.is_valid():
        return Tried(sentence=_("Look at what is marked below, and send it again."), code="form", status=422)
    try:
        return Tried(result=act())
    except SettingsRefused as refused:
        for field, code, sentence in refused.problems:
            _beside(form, field, said(sentence), code)
        return Tried(sentence=said(refused.message), code=refused.code, status=refused.status)
    except Refused as refused:
        _beside(form, fields.get(refused.code, ""), said(refused.message), refused.code)
        return Tried(sentence=said(refused.message), code=refused.code, status=refused.status)


def act_or_why_not(
    check: Callable[[], object], act: Callable[[], Json], form: BaseForm | None, /, **fields: str
) -> Tried:
    """Do as ``act_or_sentence``, but if the form is invalid, first ``check`` whether the request is possible
    now.

    So nobody corrects a form that would be refused anyway.
    """
    tried = act_or_sentence(act, form, **fields)
    if tried.code != "form":
        return tried
    try:
        check()
    except Refused as refused:
        return Tried(sentence=said(refused.message), code=refused.code, status=refused.status)
    return tried


def why_not_now(check: Callable[[], object]) -> Refusal:
    """Return why the request that a page offers is impossible now; empty if it is possible.

    The page then shows the reason instead of the form.
    """
    try:
        check()
    except Refused as refused:
        return told(refused)
    return Refusal()


def _beside(form: BaseForm | None, field: str, sentence: str, code: str) -> None:
    if form is not None and field in form.fields:
        form.add_error(field, ValidationError(sentence, code=code))


def no_such_button() -> Refused:
    """Return ``unknown_action``, for a form that names none of the page's buttons."""
    sentence = _(
        "The form arrived without its button, so nothing was done. Load the page again and press once more."
    )
    return Refused("unknown_action", sentence)


REASON_REFUSED = frozenset({"reason_missing", "text_too_long", "text_bad"})


def reason_refused(tried: Tried | None) -> Json:
    """Return the sentence of a refusal as ``reason_refused`` if it is about the typed reason.

    For forms without other text: ``_reason.html`` shows it at the field.
    """
    return {"reason_refused": tried.sentence if tried and tried.code in REASON_REFUSED else ""}


def refused_in_ask(tried: Tried, *, asks: bool) -> Json:
    """Return a refusal for its form of ``_ask.html``, which opens again and covers the page.

    ``asks``: whether the page still has that form; without it the sentence goes on top, as ``refused``.
    """
    if not asks:
        return {"refused": tried.sentence}
    at_field = reason_refused(tried)
    return {**at_field, "ask_refused": "" if at_field["reason_refused"] else tried.sentence}


def form_sentence(form: BaseForm) -> Refusal:
    """Return a small form's errors as one sentence, with the code of the first."""
    found = [error for errors in form.errors.as_data().values() for error in errors]
    sentence = " ".join(message for error in found for message in error.messages)
    return Refusal(sentence, next((error.code for error in found if error.code), ""))


def event_get(slug: str) -> Event:
    """Return the event of an address, or 404."""
    return get_object_or_404(Event, slug=slug)


def entry_get(event: Event, code: str) -> Entry:
    """Return the entry of an address, or 404."""
    try:
        return entry_by_code(event, code)
    except Refused as refused:
        raise Http404 from refused


def submission_key(request: HttpRequest) -> str:
    """Return the key of a form that rests on no state: a new person, a new event.

    Refuses ``not_saved`` (409) for a form shown again after a log-in (``pages.unsaved``).
    """
    if getattr(request, "not_saved", False):
        raise Conflict("not_saved", _("Look at what you typed, and send it again."))
    return typed_text(request.POST, "key")


def submission_of(request: HttpRequest, basis: Callable[[], Basis]) -> Submission:
    """Return the key of the form and the state that it rests on; ``basis`` reads the present state."""
    seen, reason = typed_text(request.POST, "basis"), typed_text(request.POST, "reason", REASON_LONGEST)
    return Submission(submission_key(request), seen=seen, basis=basis, news=news_since, reason=reason.strip())


def pressed(request: HttpRequest, basis: Callable[..., Basis], *about: Any) -> Json:
    """Return the arguments that every service takes from a press: ``key`` and ``actor``.

    ``basis`` reads the state that the form is ``about``.
    """
    return {"key": submission_of(request, partial(basis, *about)), "actor": actor_of(request)}


def sent(request: HttpRequest) -> QueryDict | None:
    """Return the data of a sent form, possibly empty; None if the page is only opened."""
    return request.POST if request.method == "POST" else None


def number_or_0(text: str) -> int:
    """Return an id or number from an address or a form; 0, which nothing has, for other text."""
    return plain_number(text) or 0


def typed_text(data: QueryDict, name: str, longest: int = 80) -> str:
    """Return text from a form or an address without unprintable characters."""
    return "".join(sign for sign in data.get(name, "")[:longest] if sign.isprintable())


REASON_LONGEST = 500
ANSWERS = {"approve": True, "refuse": False}


def answer_of(request: HttpRequest) -> bool:
    """Return the answer of a second person. Refuses ``no_answer`` (400) if the form has none.

    A press without an answer must not count as refusing the request.
    """
    answer = request.POST.get("answer", "")
    if answer not in ANSWERS:
        sentence = _("The form arrived without your answer. Press its button again.")
        raise Refused("no_answer", sentence, status=400)
    return ANSWERS[answer]


def actor_of(request: HttpRequest) -> User:
    """Return the person who is logged in; guarded pages always have one."""
    assert isinstance(request.user, User)
    return request.user


def opens(request: HttpRequest, path: str) -> bool:
    """Whether this person may open the page at an address; other links are not shown."""
    roles = roles_at(path)
    if roles is None:
        return False
    return (
        may(request, roles)
        if request.method in ("GET", "HEAD")
        else bool(roles_of(request.user) & set(roles))
    )


def answers_requests(request: HttpRequest, event: Event) -> bool:
    """Whether to show this person a link to open requests: they may answer one, or read all.

    The floor may open that page too, but not answer.
    """
    path = resolve_url("tournament:requests", slug=event.slug)
    return opens(request, path) and bool(roles_of(request.user) & {DIRECTOR, MANAGER, AUDITOR})


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page; a history restore gets the whole page."""
    htmx: Any = getattr(request, "htmx", None)
    return bool(htmx and not htmx.history_restore_request)


def staff_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    event: Event | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render a staff page or fragment, with the house's time zone and currency; never cached.

    ``mine``: the roles of the person, so that templates show only allowed buttons. ``typed``: the data of a
    refused form.
    """
    house = house_read()
    frame = {
        "key": FreshKey(),
        "event": event,
        "house": house,
        "currency": currency_of(event, house),
        "mine": roles_of(request.user) - {"auditor"}
        if not request.user.is_superuser
        else roles_of(request.user),
        "typed": request.POST if request.method == "POST" else {},
    }
    with timezone.override(zone_of(house.time_zone)):
        response = render(request, template, {**frame, **(context or {})}, status=status)
    response["Cache-Control"] = "private, no-store"
    patch_vary_headers(response, ["HX-Request"])
    return response


def see_other(request: HttpRequest, sentence: str, to: str, *args: Any, **kwargs: Any) -> HttpResponse:
    """Redirect after a change (303) with a message, so that a reload repeats nothing."""
    if sentence:
        messages.success(request, sentence, extra_tags=getattr(sentence, "code", ""))
    response = HttpResponseRedirect(resolve_url(to, *args, **kwargs))
    response.status_code = 303
    return response


def posted(to: str, *names: str) -> Callable[[View], View]:
    """Guard an address that only takes forms: opening it by hand redirects to its page.

    ``names``: the parts of the address that the page needs; by default the event's slug.
    """

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **kwargs)
            parts = {name: kwargs[name] for name in names or ("slug",) if name in kwargs}
            return HttpResponseRedirect(resolve_url(to, **parts))

        return guarded

    return guard
