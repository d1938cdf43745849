"""Forms of the house: its settings, a new event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from pages.fields import HundredthsField, StartForm, TextField, reason_field
from pages.form import Form
from tournament.models import Event

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


class HouseForm(Form):
    """The settings for all events of the house (T2)."""

    name = TextField(label=_("Name of the house"), max_length=80)
    currency = TextField(
        label=_("Currency"),
        max_length=3,
        widget=forms.TextInput(attrs={"list": "currencies", "autocapitalize": "characters"}),
    )
    language = forms.ChoiceField(
        label=_("First language"),
        choices=settings.LANGUAGES,
        help_text=_(
            "Pages for players are in this language if their address names none. They link to the other "
            "languages."
        ),
    )
    day_limit_cents = HundredthsField(
        label=_("Day limit"),
        help_text=_(
            "The most that a person may spend on buy-ins in a gaming day, over all events. 250.00 by default."
        ),
    )
    day_turns_at_hour = forms.TypedChoiceField(
        label=_("The gaming day begins at"),
        coerce=int,
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        help_text=_("An evening that goes past midnight stays one gaming day."),
    )
    time_zone = TextField(
        label=_("Time zone"),
        max_length=64,
        widget=forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off"}),
    )

    identity_required = forms.BooleanField(
        label=_("A buy-in needs an identity number"),
        required=False,
        help_text=_("Without it one person can be on record twice, and spend twice. Rehearsals need none."),
    )
    reason = reason_field(
        required=False,
        help_text=_("Needed if a second person has to confirm: limit, hour, time zone, identity number."),
    )

    @staticmethod
    def time_zones() -> list[str]:
        """Return the names of the time zones."""
        return sorted(
            zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix"))
        )

    @staticmethod
    def currencies() -> tuple[str, ...]:
        """Return the common currencies; any three letters can be typed."""
        return CURRENCIES


class EventForm(StartForm):
    """A new event; the settings follow afterwards."""

    name = TextField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autofocus": True}))
    kind = forms.ChoiceField(
        label=_("What it is for"),
        choices=[
            (Event.Kind.TOURNAMENT, _("A tournament for real players and money")),
            (
                Event.Kind.REHEARSAL,
                _(
                    "A rehearsal, to train the staff: no money, no day limit, and one person may confirm "
                    "alone"
                ),
            ),
        ],
        initial=Event.Kind.TOURNAMENT,
        widget=forms.RadioSelect,
    )
    like = forms.ChoiceField(
        label=_("Set up like"),
        required=False,
        help_text=_("The new event begins with the settings of that event, and you can change each of them."),
    )

    def __init__(self, *args: Any, likes: Iterable[Event] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["starts_at"].required = False
        known = ((str(each.pk), f"{each.name} · {each.code}") for each in likes)
        self.offer("like", [("", _("None: the defaults of the rule sheet")), *known])
