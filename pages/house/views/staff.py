"""The staff: logins and roles, password links, and everybody's own password."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth import authenticate, update_session_auth_hash
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ground.refused import Refused
from pages.bases import link_basis, own_basis, person_basis
from pages.guard import carries_out, role_required
from pages.house.forms.staff import NewPasswordForm, OwnPasswordForm, PinForm, RolesForm, StaffForm
from pages.house.reads import links_to_hand_over, staff_list
from pages.kit import (
    act_or_sentence,
    actor_of,
    no_such_button,
    posted,
    pressed,
    refused_in_ask,
    said,
    see_other,
    sent,
    staff_page,
    submission_key,
)
from pages.qr import qr_draw
from tournament.models import PasswordLink
from tournament.roles import DIRECTOR, MANAGER, ROLES
from tournament.selectors.desk import database_now
from tournament.services.logins import staff_add as login_ask
from tournament.services.logins import staff_reset, staff_roles, why_not_power
from tournament.services.passwords import (
    link_of,
    password_by_link,
    password_change,
    password_link_make,
    token_digest,
    why_not_use,
)
from tournament.services.pins import has_pin, pin_remove, pin_set

PIN = "pin"
"""The prefix of the PIN form's fields, since the password form is on the same page."""
ASKED = "A second person has been asked. It waits on the page Second person."


@role_required(DIRECTOR, MANAGER)
@require_safe
def staff(request: HttpRequest) -> HttpResponse:
    """Show the staff and their roles, with a form to request a login."""
    return _staff_page(request, StaffForm())


def _staff_page(request: HttpRequest, form: StaffForm, status: int = 200, **context: Any) -> HttpResponse:
    # The session shows a link only once.
    shown = request.session.pop("link_once", None)
    if shown:
        shown["qr"] = qr_draw(shown["address"])
    context = {
        "form": form,
        "people": staff_list(),
        "links": [(each, link_basis(each.pk)) for each in links_to_hand_over(actor_of(request))],
        "shown": shown,
        **context,
    }
    return staff_page(request, "house/staff.html", context, status=status)


@carries_out("staff.create", "login_new")
@posted("tournament:staff")
def staff_add(request: HttpRequest) -> HttpResponse:
    """Request a login for somebody."""
    form = StaffForm(request.POST)

    def act() -> dict[str, Any]:
        return login_ask(**form.cleaned_data, key=submission_key(request), actor=actor_of(request))

    fields = dict.fromkeys(("username_taken", "username_alike", "username_missing", "text_bad"), "username")
    fields |= dict.fromkeys(("role_unknown", "roles_lacking"), "roles")
    tried = act_or_sentence(act, form, **fields, reason_missing="reason")
    if tried.result is None:
        sentence = "" if form.errors else tried.sentence
        return _staff_page(request, form, status=tried.status, refused=sentence)
    if "request" in tried.result:
        return see_other(request, _(ASKED), "tournament:house_requests")
    message = _("The second login of the house is added. Create the link and hand it over.")
    return see_other(request, message, "tournament:staff")


@carries_out("staff.password", "login_reset")
@posted("tournament:staff_person", "user_id")
def staff_new_password(request: HttpRequest, user_id: int) -> HttpResponse:
    """Request a new password for somebody."""
    person = get_object_or_404(User, pk=user_id)
    tried = act_or_sentence(
        lambda: staff_reset(
            user_id=user_id,
            reason=request.POST.get("reason", ""),
            **pressed(request, person_basis, user_id),
        )
    )
    if not tried.done:
        roles = RolesForm(initial={"roles": _roles_of(person)})
        asks = _why_not_power(request, person) is None and person != actor_of(request)
        # The page's other form has a reason of its own.
        return _person_page(request, person, roles, status=tried.status, **refused_in_ask(tried, asks=asks))
    return see_other(request, _(ASKED), "tournament:house_requests")


@carries_out("staff.link")
@posted("tournament:staff")
def staff_link(request: HttpRequest, link_id: int) -> HttpResponse:
    """Create a password link that two people have agreed to; its asker sees it once."""
    token = secrets.token_urlsafe(32)
    tried = act_or_sentence(
        lambda: password_link_make(
            link_id=link_id,
            token=token,
            **pressed(request, link_basis, link_id),
        )
    )
    if not tried.done:
        return _staff_page(request, StaffForm(), status=tried.status, sentence=tried.sentence)
    link = PasswordLink.objects.select_related("user").get(pk=link_id)
    # A repeated press keeps the first link, the only valid one.
    if link.digest == token_digest(token):
        address = request.build_absolute_uri(reverse("tournament:password_link", args=[token]))
        request.session["link_once"] = {"name": link.user.get_username(), "address": address}
    return see_other(request, "", "tournament:staff")


@carries_out("staff.roles", "login_roles")
def staff_person(request: HttpRequest, user_id: int) -> HttpResponse:
    """Show and change a person's roles, and whether the login is active."""
    person = get_object_or_404(User, pk=user_id)
    form = RolesForm(sent(request), initial={"roles": _roles_of(person)})
    if request.method != "POST":
        return _person_page(request, person, form)
    active = request.POST.get("active") == "1"
    form.fields["roles"].required = active

    def act() -> dict[str, Any]:
        cleaned = form.cleaned_data
        return staff_roles(
            user_id=user_id,
            roles=cleaned["roles"],
            active=active,
            reason=cleaned["reason"],
            **pressed(request, person_basis, user_id),
        )

    fields = dict.fromkeys(("own_roles", "role_unknown", "roles_lacking"), "roles")
    tried = act_or_sentence(act, form, **fields, reason_missing="reason")
    if tried.result is None:
        return _person_page(request, person, form, status=tried.status, refused=tried.sentence)
    if "request" in tried.result:
        return see_other(request, _(ASKED), "tournament:house_requests")
    return see_other(request, _("%(name)s is saved.") % {"name": person.get_username()}, "tournament:staff")


def _roles_of(person: User) -> list[str]:
    return [group.name for group in person.groups.all() if group.name in ROLES]


def _why_not_power(request: HttpRequest, person: User) -> Refused | None:
    return why_not_power(actor_of(request), _roles_of(person), superuser=person.is_superuser)


def _person_page(
    request: HttpRequest,
    person: User,
    form: RolesForm,
    status: int = 200,
    **refused: str,
) -> HttpResponse:
    why_not = _why_not_power(request, person)
    context: dict[str, Any] = {"form": form, "person": person, "why_not": why_not, **refused}
    context["basis"] = person_basis(person.pk)
    return staff_page(request, "house/staff_person.html", context, status=status)


# -- Passwords ----------------------------------------------------------------------------------------


@carries_out("staff.password_own")
def own_password(request: HttpRequest) -> HttpResponse:
    """Change one's own password; all other sessions end."""
    form, me = OwnPasswordForm(sent(request)), actor_of(request)
    if request.method != "POST":
        return _own_page(request, form, PinForm(prefix=PIN))

    def act() -> dict[str, Any]:
        cleaned = form.cleaned_data
        proved = _proved(request, cleaned["old"])
        return password_change(
            password=cleaned["password"], proved=proved, **pressed(request, own_basis, actor_of(request).pk)
        )

    fields = {"password_wrong": "old", "password_same": "password", "password_weak": "password"}
    tried = act_or_sentence(act, form, **fields)
    if not tried.done:
        sentence = "" if form.errors else tried.sentence
        return _own_page(request, form, PinForm(prefix=PIN), status=tried.status, refused=sentence)
    me.refresh_from_db()
    update_session_auth_hash(request, me)
    return see_other(request, _("Your password is changed."), "tournament:house")


@carries_out("staff.pin")
@posted("tournament:own_password")
def own_pin(request: HttpRequest) -> HttpResponse:
    """Set, change or remove one's own PIN."""
    form, me = PinForm(request.POST, prefix=PIN), actor_of(request)

    def act() -> dict[str, Any]:
        cleaned, do = form.cleaned_data, request.POST.get("do")
        if do not in ("set", "remove"):
            raise no_such_button()
        proved = _proved(request, cleaned["old"])
        if do == "remove":
            return pin_remove(proved=proved, **pressed(request, own_basis, me.pk))
        return pin_set(pin=cleaned["pin"], proved=proved, **pressed(request, own_basis, me.pk))

    tried = act_or_sentence(act, form)
    if not tried.done:
        return _own_page(request, OwnPasswordForm(), form, status=tried.status, pin_refused=tried.sentence)
    done = _("Your PIN is set.") if request.POST["do"] == "set" else _("Your PIN is removed.")
    return see_other(request, done, "tournament:own_password")


def _proved(request: HttpRequest, password: str) -> bool:
    """Whether this is one's own password; throttled, so that an open session is no place to guess."""
    me = actor_of(request)
    return authenticate(request, username=me.get_username(), password=password) == me


def _own_page(
    request: HttpRequest, form: OwnPasswordForm, pin_form: PinForm, status: int = 200, **refused: str
) -> HttpResponse:
    if pin_form.is_bound:
        # Focus the sent form: on a phone its refusal is below the other form.
        pin_form.fields["old"].widget.attrs["autofocus"] = form.fields["old"].widget.attrs.pop("autofocus")
    me = actor_of(request)
    basis = own_basis(me.pk)
    context = {"form": form, "pin_form": pin_form, "has_pin": has_pin(me), "basis": basis, **refused}
    return staff_page(request, "house/password.html", context, status=status)


@never_cache
def password_link(request: HttpRequest, token: str) -> HttpResponse:
    """Let the owner of a login set its password by a one-time link."""
    form = NewPasswordForm(sent(request))
    try:
        link = link_of(token)
    except Refused as refused:
        return _link_page(request, form, None, refused.status, said(refused.message))
    user = link.user
    if request.method != "POST":
        over = why_not_use(link, database_now())
        if over is not None:
            return _link_page(request, form, None, over.status, said(over.message))
        return _link_page(request, form, user, 200)

    def act() -> dict[str, Any]:
        return password_by_link(
            token=token, password=form.cleaned_data["password"], key=submission_key(request)
        )

    tried = act_or_sentence(act, form, password_weak="password")  # noqa: S106 - the name of a field
    if not tried.done:
        sentence = "" if form.errors else tried.sentence
        return _link_page(request, form, user, tried.status, sentence)
    return see_other(request, _("Your password is set. Log in with it."), "tournament:login")


def _link_page(
    request: HttpRequest, form: NewPasswordForm, user: User | None, status: int, refused: str = ""
) -> HttpResponse:
    context = {"form": form, "owner": user, "refused": refused, "key": secrets.token_hex(16)}
    return render(request, "house/password_link.html", context, status=status)


urlpatterns = [
    path("house/staff/", staff, name="staff"),
    path("house/staff/add/", staff_add, name="staff_add"),
    path("house/staff/<int:user_id>/", staff_person, name="staff_person"),
    path("house/staff/<int:user_id>/password/", staff_new_password, name="staff_new_password"),
    path("house/staff/links/<int:link_id>/", staff_link, name="staff_link"),
    path("house/password/", own_password, name="own_password"),
    path("house/password/pin/", own_pin, name="own_pin"),
    path("password/<str:token>/", password_link, name="password_link"),
]
