"""Forms of the seating chart: no-show, fill a free box, replace a qualifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from pages.fields import ReasonForm, reason_field
from pages.form import NOT_OFFERED, Form
from tables.models import Seat
from tournament.models import Entry, Event, MoneyTransaction
from tournament.selectors.replacements import status_word


class EntryField(forms.ModelChoiceField):
    """Entries to choose from, with code, name and status."""

    def label_from_instance(self, obj: Entry) -> str:
        """Return the words of an entry in the list."""
        return f"{obj.code} · {obj.player.full_name} · {gettext(status_word(obj))}"

    def to_python(self, value: Any) -> Any:
        """Refuse a value that cannot be the id of an entry."""
        try:
            return super().to_python(value)
        except forms.ValidationError as error:
            raise forms.ValidationError(NOT_OFFERED, code="invalid_choice") from error

    def offer(self, event: Event, offered: Iterable[Entry]) -> None:
        """Offer these entries, but accept any entry of the event: the service checks the choice.

        So the refusal of an outdated form names what has happened to its entry.
        """
        self.queryset = event.entries.select_related("player")
        first = [("", self.empty_label)] if self.empty_label else []
        self.choices = [*first, *((entry.pk, self.label_from_instance(entry)) for entry in offered)]


class NoShowForm(Form):
    """Rule a player a no-show; ``refunds``: this person may rule on the refund (T6)."""

    refund = forms.BooleanField(label=gettext_lazy("Refund the buy-in, by ruling"), required=False)
    reason = reason_field(required=False, help_text=gettext_lazy("Needed for a refund."))

    def __init__(self, *args: Any, refunds: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not refunds:
            del self.fields["refund"]
            self.fields["reason"].help_text = ""


class FillForm(Form):
    """Give a free box to an entry."""

    entry = EntryField(
        queryset=Entry.objects.none(), label=gettext_lazy("Who gets the seat"), empty_label=None
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["entry"]
        assert isinstance(field, EntryField)
        seated = Seat.objects.filter(round__event=event, vacated_at__isnull=True).values("entry")
        late = event.entries.filter(status__in=[Entry.Status.WAITING, Entry.Status.LIVE])
        # T6: a refunded no-show is out of the event.
        bought = MoneyTransaction.objects.filter(
            event=event, kind=MoneyTransaction.Kind.BUY_IN, reversed_by__isnull=True
        )
        back = event.entries.filter(status=Entry.Status.NO_SHOW, pk__in=bought.values("entry"))
        wanted = (late | back).exclude(pk__in=seated)
        field.offer(event, wanted.select_related("player").order_by("waiting_since", "number"))


class ReplaceForm(ReasonForm):
    """Choose the entry that replaces a qualifier (T25, T26)."""

    replacement = EntryField(
        queryset=Entry.objects.none(), label=gettext_lazy("Who takes the seat"), required=False
    )
    field_order = ("replacement", "reason")

    def __init__(self, *args: Any, event: Event, choices: list[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["replacement"]
        assert isinstance(field, EntryField)
        field.empty_label = None if len(choices) > 1 else gettext_lazy("the next-ranked")
        field.offer(event, choices)
        if len(choices) < 2:
            del self.fields["replacement"]
