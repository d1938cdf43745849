"""Forms of the staff: roles, a new login, passwords."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pages.fields import TextField, reason_field
from pages.form import Form
from tournament.roles import ROLES

ROLE_WORDS = {
    "director": _("Director: draws, closes rounds, rules"),
    "manager": _("Manager: posts rules and payouts"),
    "cashier": _("Cashier: sells entries, pays prizes"),
    "dealer": _("Dealer: records hands at a table"),
    "floor": _("Floor: helps at every table, counts"),
    "auditor": _("Auditor: reads all, changes nothing"),
}
WHY = _("The second person reads it, and it is stored.")


class RolesForm(Form):
    """The roles of a person."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=[(role, ROLE_WORDS[role]) for role in ROLES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one role.")},
    )
    reason = reason_field(
        required=False,
        help_text=_("Needed if a second person has to confirm. That person reads it, and it is stored."),
    )


class StaffForm(RolesForm):
    """A new login; its owner sets the password."""

    username = TextField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    field_order = ("username", "roles", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = True
        self.fields["reason"].help_text = WHY


def _password(label: Any, help_text: Any = "", **attrs: Any) -> TextField:
    """Return a password field; ``attrs`` tell the browser what it may fill in."""
    widget = forms.PasswordInput(attrs=attrs)
    return TextField(label=label, strip=False, max_length=128, help_text=help_text, widget=widget)


class NewPasswordForm(Form):
    """A password, typed twice."""

    password = _password(
        _("New password"),
        _("At least ten characters, and nothing that somebody could guess from the name."),
        autocomplete="new-password",
    )
    again = _password(_("The same password again"), autocomplete="new-password")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        typed = [cleaned.get(name) for name in ("password", "again")]
        if all(typed) and typed[0] != typed[1]:
            self.add_error("again", _("The two are not the same. Type both again."))
        return cleaned


class OwnPasswordForm(NewPasswordForm):
    """A person's own password; changing it needs the old one."""

    old = _password(_("Old password"), autocomplete="current-password", autofocus=True)
    field_order = ("old", "password", "again")


class PinForm(Form):
    """A person's own PIN, typed twice; setting or removing it needs the password."""

    old = _password(_("Your password"), autocomplete="current-password")
    pin = TextField(
        label=_("PIN"),
        max_length=128,
        required=False,
        help_text=_("Six digits, not all the same and not in a row."),
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )
    pin_again = TextField(
        label=_("The same PIN again"),
        max_length=128,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("pin", "") != cleaned.get("pin_again", ""):
            self.add_error("pin_again", _("The two are not the same. Type both again."))
        return cleaned
