"""The form for the publication of the standings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from pages.fields import TextField, WholeField
from pages.form import Form
from tournament.models import StandingsPublication
from tournament.models.hall import MINUTES_LEAST, MINUTES_MOST
from tournament.services.hall import REASON_LONGEST

Mode = StandingsPublication.Mode
MODES = (
    (Mode.LIVE, _("Live: as they are")),
    (Mode.DELAYED, _("Delayed: as they were some minutes ago, as for a stream")),
    (Mode.HIDDEN, _("Hidden: until you show them again")),
)


class PublicationForm(Form):
    """Choose whether the public sees the standings, with what delay in minutes, and why."""

    mode = forms.ChoiceField(
        label=_("The public sees the standings"), choices=MODES, widget=forms.RadioSelect
    )
    minutes = WholeField(
        label=_("Minutes behind"),
        required=False,
        help_text=format_lazy(
            _("For delayed standings: {least} to {most}."), least=MINUTES_LEAST, most=MINUTES_MOST
        ),
        widget=forms.TextInput(attrs={"class": "input num", "inputmode": "numeric", "size": 3}),
    )
    reason = TextField(
        label=_("Reason"),
        required=False,
        max_length=REASON_LONGEST,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
        help_text=_("For the journal. Players do not see it."),
    )

    def __init__(self, data: Any = None, *, now: StandingsPublication | None = None) -> None:
        mode, minutes = (now.mode, now.minutes) if now else (Mode.LIVE, None)
        # The page has other forms, so these fields need ids of their own.
        super().__init__(data, initial={"mode": mode, "minutes": minutes}, auto_id="standings_%s")
