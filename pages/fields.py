"""Form fields for money in cents, chips, and text; figures are integers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ground.typed import digits_of, whole_number
from pages.form import Form, OurWords

AMOUNT = re.compile(r"([0-9 ,\s]+)(?:\.([0-9]{1,2}))?")
TOO_LARGE = _("This number has too many digits. At most nine fit.")


def cents_text(cents: int | None) -> str:
    """Return cents as they are typed: 10050 → ``100.50``; empty for None."""
    return "" if cents is None else f"{cents // 100}.{cents % 100:02}"


class FiguresField(forms.CharField):
    """A field whose text ``read`` turns into figures; None if nothing was typed.

    The services check which figures are allowed.
    """

    def read(self, text: str) -> Any:
        """Return the figures of a non-empty text; ValidationError for a text without figures."""
        raise NotImplementedError

    def to_python(self, value: Any) -> Any:
        """Return the figures of the typed text; any other value was read before."""
        if value is not None and not isinstance(value, str):
            return value
        text = (value or "").strip()
        return self.read(text) if text else None

    def validate(self, value: Any) -> None:
        """Check only that a required field is not empty."""
        if value in (None, []) and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """Check nothing: the services do."""


class HundredthsField(FiguresField):
    """An amount typed with up to two decimals, kept in hundredths: cents, or basis points."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "class": "num"})
    sentence = _("Type an amount like 100 or 100.50.")

    def prepare_value(self, value: Any) -> Any:
        """Return the text of the field: the typed text, or the stored hundredths as an amount."""
        return cents_text(value) if isinstance(value, int) else value

    def read(self, text: str) -> int | None:
        """Return an amount in hundredths; None for a currency sign alone."""
        amount = re.sub(r"[$€£%]", "", text).strip()
        if not amount:
            return None
        found = AMOUNT.fullmatch(amount)
        units = whole_number(found[1]) if found else None
        if found and units is None and digits_of(found[1]):
            raise forms.ValidationError(TOO_LARGE, code="large")
        if found is None or units is None:
            raise forms.ValidationError(self.sentence, code="amount")
        return units * 100 + int((found[2] or "").ljust(2, "0"))


class ShareField(HundredthsField):
    """A share of the pool in per cent, kept in basis points."""

    sentence = _("Type a share like 40 or 12.5.")


class AmountsField(FiguresField):
    """Amounts of money typed one a line, stored as a list of cents without empty lines."""

    widget = forms.Textarea(attrs={"rows": 3, "class": "num"})

    def prepare_value(self, value: Any) -> Any:
        """Return the text of the field: the typed text, or the stored amounts one a line."""
        return "\n".join(map(cents_text, value)) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        """Return the typed amounts in cents; an empty list for an empty text."""
        return super().to_python(value) or []

    def read(self, text: str) -> list[int]:
        """Return the amounts in cents."""
        amount = HundredthsField(required=False)
        found = [amount.clean(line) for line in text.splitlines()]
        return [cents for cents in found if cents is not None]


class WholeField(FiguresField):
    """A whole number, typed with or without commas."""

    widget = forms.TextInput(attrs={"inputmode": "numeric", "class": "num"})

    def prepare_value(self, value: Any) -> Any:
        """Return the text of the field: the typed text, or the number with a thousands separator."""
        return f"{value:,}" if isinstance(value, int) else value

    def read(self, text: str) -> int:
        """Return the number."""
        number = whole_number(text)
        if number is None and digits_of(text):
            raise forms.ValidationError(TOO_LARGE, code="large")
        if number is None:
            sentence = _("Type a whole number with the digits 0 to 9, without a sign.")
            raise forms.ValidationError(sentence, code="whole")
        return number


class TextField(forms.CharField):
    """A typed text. Too long is refused: with ``maxlength`` the browser would cut it off silently."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return the attributes without ``maxlength``."""
        attrs: dict[str, Any] = super().widget_attrs(widget)
        return {name: value for name, value in attrs.items() if name != "maxlength"}


def reason_field(**more: Any) -> TextField:
    """Return a field of two lines for a reason; required unless ``more`` says otherwise."""
    usual = {
        "label": _("Reason"),
        "max_length": 200,
        "widget": forms.Textarea(attrs={"rows": 2}),
        "error_messages": {"required": _("Give the reason; it is stored with the change.")},
    }
    return TextField(**{**usual, **more})


class ReasonForm(Form):
    """The reason of a ruling."""

    reason = reason_field()


class MomentField(forms.DateTimeField):
    """A day and a time without a time zone, so that no hour is missing or doubled."""

    def to_python(self, value: Any) -> datetime | None:
        with timezone.override(UTC):
            moment: datetime | None = super().to_python(value)
        return moment.replace(tzinfo=None) if moment else None


class StartForm(Form):
    """The start of an event: a time in the time zone chosen beside it (T6)."""

    starts_at = MomentField(
        label=_("Starts"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    starts_zone = forms.ChoiceField(label=_("Time zone of the start"), required=False)

    def __init__(self, *args: Any, zones: Iterable[str] = ("UTC",), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("starts_zone", [(zone, zone) for zone in zones])


START_FIELDS = dict.fromkeys(
    ("time_zone_unknown", "start_out_of_range", "start_no_such_hour", "start_twice"), "starts_at"
)
"""Map refusals of a start to the field that shows them."""


class LoginForm(OurWords, AuthenticationForm):
    """The log-in form: the same sentence for a wrong name and a wrong password."""

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
