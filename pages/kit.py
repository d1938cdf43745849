"""What every staff page needs: its frame, a key for each form, a refusal as a sentence beside it."""

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

from ground.refused import Refused
from ground.typed import plain_number
from pages.guard import roles_at
from pages.words.news import news_since
from pages.words.saying import said as said  # noqa: PLC0414  # the views take it from the kit
from tournament.engine.days import zone_of
from tournament.models import Entry, Event
from tournament.roles import AUDITOR, DIRECTOR, MANAGER, may, roles_of
from tournament.selectors.basis import Basis, Submission
from tournament.selectors.desk import entry_by_code, house_read
from tournament.selectors.prizes import currency_of
from tournament.services.events import SettingsRefused

Json = dict[str, Any]
View = Callable[..., HttpResponse]


class FreshKey:
    """A key for a form, a new one each time it is written into a page: one press, one command."""

    def __str__(self) -> str:
        return str(uuid.uuid4())


class Refusal(str):
    """The sentence of a refusal; it takes its code into every page (``_note.html``)."""

    def __new__(cls, sentence: str = "", code: str = "") -> Refusal:
        made = super().__new__(cls, sentence)
        made.code = code
        return made

    code: str


def told(refused: Refused | None) -> Refusal:
    """A refusal in the language of the page, with its code; empty where nothing is refused."""
    return Refusal(said(refused.message), refused.code) if refused else Refusal()


@dataclass(frozen=True)
class Tried:
    """The outcome of a service call: its result, or the sentence that goes back beside the form."""

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
"""Of a page that is only opened."""


def act_or_sentence(act: Callable[[], Json], form: BaseForm | None = None, **fields: str) -> Tried:
    """Call a service once the form is valid; a refusal becomes its sentence and status, never an error page.

    With a form that nobody has sent nothing is tried. ``fields`` names the field of the form that the refusal
    of a code belongs beside.
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
    """As ``act_or_sentence``; ``check`` first raises why the form's request is impossible now.

    So nobody is sent to fill in a form that would be refused.
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
    """Say why the request that a page offers is impossible now; empty where it is possible.

    The page then says so instead of offering what would be refused.
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
    """Refuse a form that names none of the page's buttons: ``unknown_action``. Nothing was done."""
    sentence = _(
        "It did not come through which button was pressed, and nothing was done. "
        "Load the page again and press once more."
    )
    return Refused("unknown_action", sentence)


REASON_REFUSED = frozenset({"reason_missing", "text_too_long", "text_bad"})


def reason_refused(tried: Tried | None) -> Json:
    """The sentence of a refusal under ``reason_refused`` where it is about the reason that was typed.

    For a form that takes no other text: ``_reason.html`` says it at the field.
    """
    return {"reason_refused": tried.sentence if tried and tried.code in REASON_REFUSED else ""}


def refused_in_ask(tried: Tried, *, asks: bool) -> Json:
    """Put a refusal into its form of ``_ask.html``, which is open again and covers the page.

    ``asks``: whether the page still has that form. Where it has not, the sentence stands on top, ``refused``.
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
    """The event of an address, or 404."""
    return get_object_or_404(Event, slug=slug)


def entry_get(event: Event, code: str) -> Entry:
    """The entry of an address, or 404."""
    try:
        return entry_by_code(event, code)
    except Refused as refused:
        raise Http404 from refused


def submission_key(request: HttpRequest) -> str:
    """Return the key of a form that is made from nothing that could change: a new person, a new event.

    Refuses ``not_saved`` (409) for a form that is only shown again after a log-in (``pages.unsaved``).
    """
    if getattr(request, "not_saved", False):
        raise Refused("not_saved", _("Look at what you typed, and send it again."), status=409)
    return typed_text(request.POST, "key")


def submission_of(request: HttpRequest, basis: Callable[[], Basis]) -> Submission:
    """The key that the form carried and the state that it was made from; ``basis`` reads what it is now."""
    seen, reason = typed_text(request.POST, "basis"), typed_text(request.POST, "reason", REASON_LONGEST)
    return Submission(submission_key(request), seen=seen, basis=basis, news=news_since, reason=reason.strip())


def pressed(request: HttpRequest, basis: Callable[..., Basis], *about: Any) -> Json:
    """What every service takes of a press: ``key``, as ``submission_of`` reads it, and ``actor``.

    ``basis`` reads the state of what the form is ``about``.
    """
    return {"key": submission_of(request, partial(basis, *about)), "actor": actor_of(request)}


def sent(request: HttpRequest) -> QueryDict | None:
    """What came with a form, be it nothing; None where the page is only opened."""
    return request.POST if request.method == "POST" else None


def number_or_0(text: str) -> int:
    """An id or a number from an address or a form; 0, which nothing has, for anything else."""
    return plain_number(text) or 0


def typed_text(data: QueryDict, name: str, longest: int = 80) -> str:
    """Return text from a form or an address without unprintable characters."""
    return "".join(sign for sign in data.get(name, "")[:longest] if sign.isprintable())


REASON_LONGEST = 500
ANSWERS = {"approve": True, "refuse": False}


def answer_of(request: HttpRequest) -> bool:
    """Return the answer of a second person; Refused ``no_answer`` (400) where the form has none.

    A press that has lost its answer is no refusal of the request.
    """
    answer = request.POST.get("answer", "")
    if answer not in ANSWERS:
        sentence = _("Your answer did not come with the form. Press its button again.")
        raise Refused("no_answer", sentence, status=400)
    return ANSWERS[answer]


def actor_of(request: HttpRequest) -> User:
    """Return the person who is logged in; the pages are guarded, so there is one."""
    assert isinstance(request.user, User)
    return request.user


def opens(request: HttpRequest, path: str) -> bool:
    """Whether this person may open the page at an address, so that no link leads to a closed door."""
    roles = roles_at(path)
    if roles is None:
        return False
    return (
        may(request, roles)
        if request.method in ("GET", "HEAD")
        else bool(roles_of(request.user) & set(roles))
    )


def answers_requests(request: HttpRequest, event: Event) -> bool:
    """Whether to link this person to open requests: they could answer one, or they read all.

    The floor opens that page too, and answers nothing on it.
    """
    path = resolve_url("tournament:requests", slug=event.slug)
    return opens(request, path) and bool(roles_of(request.user) & {DIRECTOR, MANAGER, AUDITOR})


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page; a history restore gets the page whole."""
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
    """A staff page or fragment: times by the house's clock, amounts in its currency, never stored.

    ``mine`` are the roles of the person: a template shows what they may press. ``typed`` is what came
    with a form that was refused.
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
    """After a change: the message, and on to a page (303), so that a reload repeats nothing."""
    if sentence:
        messages.success(request, sentence, extra_tags=getattr(sentence, "code", ""))
    response = HttpResponseRedirect(resolve_url(to, *args, **kwargs))
    response.status_code = 303
    return response


def posted(to: str, *names: str) -> Callable[[View], View]:
    """Guard an address that only takes forms: a person who opens it by hand is sent to its page.

    ``names`` are the parts of the address that the page needs; the event's slug without them.
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
