"""Fields of the house: amounts of money in cents, chips, and words; integers only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pages.form import (
    Form,
    OurWords,
)
from tournament.engine.typed import whole_number

AMOUNT = re.compile(r"([0-9 ,\s]{1,15})(?:\.([0-9]{1,2}))?")


def cents_text(cents: int | None) -> str:
    """Cents as they are typed: 10050 → ``100.50``, nothing for none."""
    return "" if cents is None else f"{cents // 100}.{cents % 100:02}"


class HundredthsField(forms.CharField):
    """An amount typed with up to two decimals, kept in hundredths: cents, or basis points."""

    sentence = _("Type an amount like 100 or 100.50.")

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.TextInput(attrs={"inputmode": "decimal", "class": "num"}))
        super().__init__(**kwargs)

    def prepare_value(self, value: Any) -> Any:
        """What stands in the box: what was typed, or the stored hundredths as an amount."""
        return cents_text(value) if isinstance(value, int) else value

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]  # an amount, not the text of it
        if isinstance(value, int):
            return value
        text = re.sub(r"[$€£%]", "", str(value or "")).strip()
        if not text:
            return None
        found = AMOUNT.fullmatch(text)
        units = whole_number(found[1]) if found else None
        if found is None or units is None:
            raise forms.ValidationError(self.sentence, code="amount")
        return units * 100 + int((found[2] or "").ljust(2, "0"))

    def validate(self, value: Any) -> None:
        if value is None and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """The rules about amounts are the services'."""


class ShareField(HundredthsField):
    """A share of the pool in per cent, kept in basis points."""

    sentence = _("Type a share like 40 or 12.5.")


class AmountsField(forms.CharField):
    """Amounts of money typed one a line, kept as a list of cents; empty lines are left out."""

    widget = forms.Textarea(attrs={"rows": 3, "class": "num"})

    def prepare_value(self, value: Any) -> Any:
        """What stands in the box: what was typed, or each stored amount on a line of its own."""
        return "\n".join(map(cents_text, value)) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> list[int]:  # type: ignore[override]  # amounts, not the text of them
        if isinstance(value, list | tuple):
            return list(value)
        amount = HundredthsField(required=False)
        found = [amount.clean(line) for line in str(value or "").splitlines()]
        return [cents for cents in found if cents is not None]

    def validate(self, value: Any) -> None:
        if not value and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """The rules about amounts are the services'."""


class WholeField(forms.CharField):
    """A whole number, typed with or without commas."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.TextInput(attrs={"inputmode": "numeric", "class": "num"}))
        super().__init__(**kwargs)

    def prepare_value(self, value: Any) -> Any:
        """What stands in the box: what was typed, or the number with its thousands grouped."""
        return f"{value:,}" if isinstance(value, int) else value

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]  # a number, not the text of it
        if isinstance(value, int):
            return value
        text = str(value or "").strip()
        if not text:
            return None
        number = whole_number(text)
        if number is None:
            raise forms.ValidationError(_("Type a whole number."), code="whole")
        return number

    def validate(self, value: Any) -> None:
        if value is None and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """The rules about numbers are the services'."""


class TextField(forms.CharField):
    """A typed text. Too long is refused: with ``maxlength`` the browser would cut it off without a word."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Without ``maxlength``."""
        attrs: dict[str, Any] = super().widget_attrs(widget)
        return {name: value for name, value in attrs.items() if name != "maxlength"}


class ReasonForm(Form):
    """The reason of a ruling."""

    reason = TextField(
        label=_("Reason"),
        max_length=200,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Give the reason; it is kept with the change.")},
    )


class MomentField(forms.DateTimeField):
    """A day and a time by the clock of the house: no zone, so that no hour is missing or twice in it."""

    def to_python(self, value: Any) -> datetime | None:
        with timezone.override(UTC):
            moment: datetime | None = super().to_python(value)
        return moment.replace(tzinfo=None) if moment else None


class StartForm(Form):
    """When an event starts: a time by the clock of a zone that is named beside it (T6)."""

    starts_at = MomentField(
        label=_("Starts"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    starts_zone = forms.ChoiceField(label=_("Time zone of the start"), required=False)

    def __init__(self, *args: Any, zones: Iterable[str] = ("UTC",), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["starts_zone"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(zone, zone) for zone in zones]


START_FIELDS = dict.fromkeys(
    ("time_zone_unknown", "start_out_of_range", "start_no_such_hour", "start_twice"), "starts_at"
)
"""The refusals of a start, beside its field."""


class LoginForm(OurWords, AuthenticationForm):
    """One sentence for a wrong name and for a wrong password."""

    error_messages = {
        "invalid_login": _("The name or the password is not right. Type both again."),
        "inactive": _("The name or the password is not right. Type both again."),
        "missing": _("Type your name and your password."),
    }

    def clean(self) -> dict[str, Any]:
        """Treat an impossible name or password as a wrong one."""
        empty = any(self.has_error(field, "required") for field in self.fields)
        if empty or self.errors:
            code = "missing" if empty else "invalid_login"
            raise forms.ValidationError(self.error_messages[code], code=code)
        return super().clean()
