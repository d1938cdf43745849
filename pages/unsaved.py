"""Keep a form that was sent after its session had ended, and show it again, unsaved, to its user.

The form carries the signed id of its user. Its values wait on the server, in the session of the log-in page,
and end with that session. After the log-in, the address of the form answers as if the form were sent again.
``kit.submission_key`` then refuses every command (``not_saved``): the page shows the values and writes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.utils.translation import gettext as _

View = Callable[..., HttpResponseBase]

CODE = "not_saved"
FIELD = "typed_by"
OWN_OF_A_PAGE = frozenset({"csrfmiddlewaretoken", "key", "basis", FIELD})
"""Fields that the page makes anew."""
NEVER_STORED = frozenset({"identity_number", "pin"})
"""Fields that must never be stored in plain text. A password may be typed in place of a PIN."""
MOST_CHARACTERS = 5_000
_SESSION = "unsaved_form"
_signer = signing.Signer(salt="cutline unsaved form")


def typed_by(request: HttpRequest) -> str:
    """Return the signed name of the person who types here: the value of the hidden field ``typed_by``."""
    return _signer.sign(str(request.user.pk))


def keeps_typed(view: View) -> View:
    """Decorate a view that takes a form: a form sent without a session is shown again after the log-in."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            if request.method == "POST":
                _keep(request)
        elif request.method == "GET":
            _show_again(request)
        return view(request, *args, **kwargs)

    return guarded


def _keep(request: HttpRequest) -> None:
    """Keep the typed values, without passwords, files and identity numbers; show that nothing was saved."""
    try:
        user = int(_signer.unsign(request.POST.get(FIELD, "")))
    except (signing.BadSignature, ValueError):
        return
    typed = {name: values for name, values in request.POST.lists() if name not in OWN_OF_A_PAGE}
    long = sum(len(value) for values in typed.values() for value in values) > MOST_CHARACTERS
    if request.FILES or long or any("password" in name for name in typed):
        request.session.pop(_SESSION, None)
        sentence = _("You were logged out before your form was sent. Nothing of it was saved.")
    else:
        dropped = {name: typed.pop(name, []) for name in NEVER_STORED}
        request.session[_SESSION] = {
            "user": user,
            "to": request.get_full_path(),
            "typed": typed,
            "withheld": any(dropped["identity_number"]),
        }
        sentence = _(
            "You were logged out before your form was sent. Nothing of it was saved. Log in to see it again."
        )
    messages.warning(request, sentence, extra_tags=CODE)


def _show_again(request: HttpRequest) -> None:
    """Answer as if the form were sent again, unsaved; for another user, drop it."""
    kept: dict[str, Any] | None = request.session.get(_SESSION)
    if kept is None:
        return
    if kept["user"] != request.user.pk:
        del request.session[_SESSION]
        return
    if kept["to"] != request.get_full_path():
        return
    del request.session[_SESSION]
    again = QueryDict(mutable=True)
    for name, values in kept["typed"].items():
        again.setlist(name, values)
    request.method, request.POST = "POST", again  # type: ignore[assignment]  # the form that came before
    request.not_saved = True  # type: ignore[attr-defined]  # read by ``kit.submission_key``
    sentence = _("You were logged out before this form was sent. Nothing of it was saved.")
    if kept["withheld"]:
        sentence = f"{sentence} {_('Type the identity number again.')}"
    messages.warning(request, sentence, extra_tags=CODE)
