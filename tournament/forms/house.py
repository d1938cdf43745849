"""Forms of the house: its settings, its staff, a new event."""

from __future__ import annotations

from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import HundredthsField
from tournament.models import Event
from tournament.roles import ROLES

ROLE_WORDS = {
    "director": _("Director: draws, closes rounds, rules"),
    "manager": _("Manager: posts rules and payouts"),
    "cashier": _("Cashier: sells entries, pays prizes"),
    "dealer": _("Dealer: records hands at a table"),
    "floor": _("Floor: helps at every table, counts"),
    "auditor": _("Auditor: reads all, changes nothing"),
}
CURRENCIES = (
    "USD",
    "EUR",
    "GBP",
    "CAD",
    "AUD",
    "CHF",
    "JPY",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "MXN",
    "ZAR",
    "NZD",
)


class HouseForm(forms.Form):
    """What holds for every event of the house (T2)."""

    name = forms.CharField(label=_("Name of the house"), max_length=80)
    currency = forms.CharField(
        label=_("Currency"),
        max_length=3,
        widget=forms.TextInput(attrs={"list": "currencies", "autocapitalize": "characters"}),
    )
    day_limit_cents = HundredthsField(
        label=_("Day limit"),
        help_text=_(
            "The most that a person spends on buy-ins in a gaming day, over all events. The sheet: 250.00."
        ),
    )
    day_turns_at_hour = forms.TypedChoiceField(
        label=_("The gaming day turns at"),
        coerce=int,
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        help_text=_("An evening that goes past midnight stays one gaming day."),
    )
    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        widget=forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off"}),
    )

    @staticmethod
    def time_zones() -> list[str]:
        """The names to choose from."""
        return sorted(
            zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix"))
        )

    @staticmethod
    def currencies() -> tuple[str, ...]:
        """The common ones; any three letters can be typed."""
        return CURRENCIES


class EventForm(forms.Form):
    """A new event: its name; everything else is set up afterwards."""

    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autofocus": True}))
    kind = forms.ChoiceField(
        label=_("What it is for"),
        choices=[
            (Event.Kind.TOURNAMENT, _("A tournament for real players and money")),
            (
                Event.Kind.REHEARSAL,
                _("A rehearsal, to train the staff: no money, no day limit, one person may be two"),
            ),
        ],
        initial=Event.Kind.TOURNAMENT,
        widget=forms.RadioSelect,
    )
    starts_at = forms.DateTimeField(
        label=_("Starts"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )


class RolesForm(forms.Form):
    """What a person may do."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=[(role, ROLE_WORDS[role]) for role in ROLES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one role.")},
    )


class StaffForm(RolesForm):
    """Somebody new; the password is made by the house and shown once."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    field_order = ("username", "roles")
