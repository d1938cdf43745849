"""Forms for an event's rule sheet and its options: each option a question with a sentence per answer."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.protocol import Option
from games.registry import game_of, sheets
from pages.form import Form
from tournament.engine.settings import EventSettings


def sheet_choices() -> list[tuple[str, str]]:
    """Return every rule sheet of every game with its name."""
    return [(name, name) for name in sheets()]


class SheetForm(Form):
    """Choose the rule sheet of the event."""

    sheet = forms.ChoiceField(choices=sheet_choices)


class OptionsForm(Form):
    """The options that the director chooses; the sheet's own answer is marked."""

    def __init__(self, *args: Any, settings: EventSettings, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sheet = sheets()[settings.sheet]
        self.catalogue = game_of(sheet).options(sheet)
        for option in self.catalogue:
            chosen = settings.options.get(option.name, option.default)
            self.fields[option.name] = forms.ChoiceField(
                label=_(option.question),
                choices=[(json.dumps(value), _words(option, value)) for value in option.values],
                initial=json.dumps(chosen),
                widget=forms.RadioSelect,
            )

    def options(self) -> dict[str, Any]:
        """Return the options for the service: only those that differ from the sheet."""
        chosen = {option.name: json.loads(self.cleaned_data[option.name]) for option in self.catalogue}
        return {
            option.name: chosen[option.name]
            for option in self.catalogue
            if chosen[option.name] != option.default
        }

    def by_row(self) -> dict[int, list[forms.BoundField]]:
        """Map rows of the house rules to their questions."""
        rows: dict[int, list[forms.BoundField]] = {}
        for option in self.catalogue:
            rows.setdefault(option.row, []).append(self[option.name])
        return rows


def _words(option: Option, value: object) -> str:
    sentence = _(option.sentence(value))
    return (
        _("%(sentence)s (the sheet's own)") % {"sentence": sentence} if value == option.default else sentence
    )
