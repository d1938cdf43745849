"""The forms of the clock: a length, or a time of day at which it ends."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pages.fields import FiguresField, TextField
from pages.form import Form
from tournament.engine.clock import nearest
from tournament.models import EventClock
from tournament.models.hall import LABEL_LONGEST
from tournament.services.clocks import Until

LENGTH = re.compile(r"(-?)([0-9]{1,5})(?::([0-5][0-9]))?")
KINDS = (
    (EventClock.Kind.ROUND, _("Round")),
    (EventClock.Kind.START, _("Start of a round")),
    (EventClock.Kind.BREAK, _("Break")),
    (EventClock.Kind.LATE, _("Late registration")),
)
MINUTES = (5, 10, 15, 20, 30, 45, 60, 90)
"""The minutes that have a key of their own."""


class LengthField(FiguresField):
    """Minutes, or minutes and seconds like ``12:30``, stored in seconds."""

    def read(self, text: str) -> int:
        """Return the length in seconds."""
        found = LENGTH.fullmatch(text)
        if found is None:
            raise forms.ValidationError(
                _("Type minutes like 20, or minutes and seconds like 12:30."), code="length"
            )
        sign = -1 if found[1] else 1
        return sign * (int(found[2]) * 60 + int(found[3] or 0))


class UntilForm(Form):
    """The time of a clock: a length, or an end in the event's time zone."""

    length = LengthField(
        label=_("Minutes"),
        required=False,
        widget=forms.TextInput(attrs={"class": "num", "autocomplete": "off"}),
        help_text=_("Like 20, or 12:30 with the seconds."),
    )
    until = forms.TimeField(
        label=_("Or until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": _("Type a time of day like 20:30.")},
    )

    def __init__(
        self, *args: Any, zone: str = "UTC", now: datetime, pressed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.zone, self.now, self.pressed = zone, now, pressed
        self.fields["until"].help_text = _("By the clock of %(zone)s.") % {"zone": zone}

    def clean(self) -> dict[str, Any]:
        """Ignore the fields if a key with its own minutes was pressed."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.pressed is not None:
            for name in UntilForm.base_fields:
                self.errors.pop(name, None)
            return {**cleaned, "how_long": Until(seconds=self.pressed * 60)}
        at = cleaned.get("until")
        local = nearest(at, self.zone, self.now) if at else None
        return {**cleaned, "how_long": Until(cleaned.get("length"), local)}


class ClockForm(UntilForm):
    """A new clock: its kind, and a label if the kind is not enough."""

    kind = forms.ChoiceField(label=_("What for"), choices=KINDS, widget=forms.RadioSelect)
    label = TextField(
        label=_("Shown as"),
        required=False,
        max_length=LABEL_LONGEST,
        help_text=_("Empty: the round, or “Break”, or “Late registration”."),
    )


REFUSED_AT = {
    "clock_one_time": "length",
    "clock_too_short": "length",
    "clock_too_long": "length",
    "clock_past": "until",
    "start_no_such_hour": "until",
    "start_twice": "until",
    "clock_kind": "kind",
    "text_too_long": "label",
    "text_bad": "label",
}
"""Map codes of refusals to the field that shows them."""
