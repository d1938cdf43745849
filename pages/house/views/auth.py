"""Log-in and log-out; after the log-in each person lands on the page of their work."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import views as auth_views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from pages.director.reads.tonight import event_of_tonight
from pages.fields import LoginForm
from tables.selectors.clerks import table_kept
from tournament.roles import CASHIER, DEALER, DIRECTOR, FLOOR, MANAGER, roles_of
from tournament.services.pins import pin_attempts_reset


@method_decorator(never_cache, name="dispatch")
class Login(auth_views.LoginView):
    """Show the log-in page."""

    template_name = "house/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get_default_redirect_url(self) -> str:
        """Return the page of this person's work."""
        return landing(self.request.user)

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in. For a form sent by htmx, redirect the whole page, not the fragment."""
        response = super().form_valid(form)
        pin_attempts_reset(form.get_user())
        if self.request.headers.get("HX-Request"):
            return HttpResponse(status=204, headers={"HX-Redirect": response["Location"]})
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the page again with the error."""
        return self.render_to_response(self.get_context_data(form=form), status=422)


login = Login.as_view()
logout = auth_views.LogoutView.as_view()


def locked_out(request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
    """Answer 429: too many wrong passwords for one name from one address, or from one address."""
    context = {
        "error": _(
            "Too many wrong passwords for this name, or from this network. Wait a quarter of an hour."
        ),
        "form": LoginForm(request, initial={"username": request.POST.get("username", "")[:150]}),
        "next": request.POST.get("next", ""),
    }
    return render(request, "house/login.html", context, status=429)


def landing(user: Any) -> str:
    """Return the start page of a person: their table, desk, Tonight, or the list of events."""
    roles = roles_of(user)
    table = table_kept(user)
    if DEALER in roles and table is not None and not roles & {DIRECTOR, MANAGER, FLOOR}:
        return resolve_url("tables:table", slug=table.event.slug, number=table.number)
    event = event_of_tonight()
    if event is None:
        return resolve_url("tournament:house")
    if CASHIER in roles and not roles & {DIRECTOR, MANAGER}:
        return resolve_url("tournament:desk", slug=event.slug)
    return resolve_url("tables:tonight", slug=event.slug)
