"""What the director types for the hall."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from pages.form import Form
from tournament.services.announcements import LONGEST


class AnnouncementForm(Form):
    """One announcement."""

    text = forms.CharField(
        label=_("Announcement"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3, "class": "input"}),
        help_text=_("At most 200 characters, to be read across the hall."),
    )
