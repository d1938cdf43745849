"""The base of every form: it has our own error messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

TOO_LONG = _("This has %(show_value)d characters and at most %(limit_value)d fit. Shorten it.")
UNSEEN = _("This contains a character that cannot be seen or printed. Type it again.")
NOT_OFFERED = _("That cannot be chosen. Choose one of these.")

SENTENCES: tuple[tuple[type[forms.Field], dict[str, Any]], ...] = (
    (forms.Field, {"required": _("This is empty. Fill it in.")}),
    (forms.CharField, {"max_length": TOO_LONG, "null_characters_not_allowed": UNSEEN}),
    (forms.DateTimeField, {"invalid": _("Type day and time like 2026-11-21 19:30.")}),
    (forms.ChoiceField, {"required": _("Choose one of these."), "invalid_choice": NOT_OFFERED}),
    (forms.MultipleChoiceField, {"invalid_list": NOT_OFFERED}),
    (forms.ModelChoiceField, {"required": _("Choose one of these."), "invalid_choice": NOT_OFFERED}),
)
"""Our messages instead of the framework's, by kind of field and code; a later row wins."""


class OurWords(forms.BaseForm):
    """A form with our error messages; those of a field itself come before those of its kind."""

    def full_clean(self) -> None:
        """Set the messages now, since fields may be added until a form is read."""
        for field in self.fields.values():
            words_chosen(field)
        super().full_clean()

    def add_error(self, field: str | None, error: Any) -> None:
        """Add the error beside its field; a list without a choice then shows an empty choice."""
        super().add_error(field, error)
        for name in self.errors:
            if name in self.fields:
                _unchosen(self[name])


def _unchosen(bound: forms.BoundField) -> None:
    """Put an empty choice first: a browser selects the first option if none is selected."""
    widget = bound.field.widget
    if not isinstance(widget, forms.Select) or widget.allow_multiple_selected:
        return
    values = {str(value) for value, _words in widget.choices}
    if not {"", str(bound.value() or "")} & values:
        widget.choices = [("", "–"), *widget.choices]


class Form(OurWords, forms.Form):
    """The base of every form."""

    def offer(self, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
        """Offer these choices in the list ``name``, each with its words."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)


def words_chosen(field: forms.Field) -> None:
    """Replace the framework's messages of a field by ours."""
    theirs: dict[str, Any] = {}
    for kind in reversed(type(field).__mro__):
        theirs |= getattr(kind, "default_error_messages", {})
    for kind, ours in SENTENCES:
        if isinstance(field, kind):
            for code, sentence in ours.items():
                if field.error_messages.get(code) is theirs.get(code):
                    theirs[code] = field.error_messages[code] = sentence
