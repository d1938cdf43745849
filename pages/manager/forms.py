"""A payout structure as it is typed: shares in per cent or fixed amounts, one for every place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pages.fields import (
    HundredthsField,
    ReasonForm,
    ShareField,
    cents_text,
)
from pages.form import Form
from tournament.engine.payouts import FIXED, SHARES, share_text
from tournament.engine.typed import plain_number

PLACES_MIN, PLACES_MAX = 2, 50
# Longer than any amount there is: what is cut here is refused, and never read as a shorter one.
LONGEST = 40


@dataclass(frozen=True)
class Typed:
    """What stands in the boxes: ``texts`` by place; ``structure`` for services, None with a ``problem``."""

    kind: str
    texts: tuple[str, ...]
    structure: dict[str, Any] | None
    problem: str = ""

    @property
    def places(self) -> int:
        """How many boxes there are."""
        return len(self.texts)

    @property
    def rows(self) -> list[tuple[int, str]]:
        """Place and text."""
        return list(enumerate(self.texts, start=1))


def kind_of(data: Mapping[str, str]) -> str:
    """Shares of the pool unless fixed amounts are asked for."""
    return FIXED if data.get("kind") == FIXED else SHARES


def places_of(data: Mapping[str, str], default: int) -> int:
    """How many places are asked for, within what a page can hold."""
    number = plain_number(data.get("places", ""), digits_max=3)
    return max(PLACES_MIN, min(PLACES_MAX, default if number is None else number))


def structure_typed(data: Mapping[str, str]) -> Typed:
    """Read the boxes ``a1``, ``a2`` …; boxes left empty at the end pay nothing and are left out."""
    kind = kind_of(data)
    texts: list[str] = []
    while f"a{len(texts) + 1}" in data and len(texts) < PLACES_MAX:
        texts.append(data[f"a{len(texts) + 1}"].strip()[:LONGEST])
    field = (HundredthsField if kind == FIXED else ShareField)(required=False)
    used = texts[: max((i for i, text in enumerate(texts, start=1) if text), default=0)]
    amounts: list[int] = []
    for place, text in enumerate(used, start=1):
        try:
            amounts.append(field.clean(text) or 0)
        except forms.ValidationError as error:
            problem = _("Place %(place)s: %(why)s") % {"place": place, "why": error.messages[0]}
            return Typed(kind, tuple(texts), None, problem)
    return Typed(kind, tuple(texts), {"kind": kind, "amounts": amounts})


def as_typed(kind: str, amounts: list[int] | tuple[int, ...]) -> Typed:
    """A structure as it would stand in the boxes."""
    texts = tuple(share_text(each) if kind == SHARES else cents_text(each) for each in amounts)
    return Typed(kind, texts, {"kind": kind, "amounts": list(amounts)})


class SupersedeForm(ReasonForm):
    """Why a posted structure is replaced (T31)."""


class PayForm(Form):
    """The check before a prize is handed over (T35)."""

    identity_checked = forms.BooleanField(
        label=gettext_lazy("Identity checked: this is the person who played"), required=False
    )


class TakeBackForm(ReasonForm):
    """Why a payment is taken back (T26)."""


class SharingForm(ReasonForm):
    """What each entry is given of a prize that nobody holds, and why (T26)."""

    def __init__(self, data: Any = None, *, codes: Iterable[str], shares_cents: Mapping[str, int]) -> None:
        super().__init__(data)
        self.codes = list(codes)
        amounts = {
            f"share-{code}": HundredthsField(
                label=code,
                required=False,
                initial=shares_cents.get(code) or None,
                widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "input num"}),
            )
            for code in self.codes
        }
        self.fields = {**amounts, **self.fields}

    @property
    def boxes(self) -> list[forms.BoundField]:
        """The boxes of the amounts, in the order of the entries."""
        return [self[f"share-{code}"] for code in self.codes]

    @property
    def shares_cents(self) -> dict[str, int]:
        """What was typed, by entry code; an empty box gives nothing."""
        return {code: self.cleaned_data[f"share-{code}"] or 0 for code in self.codes}


class HandOutForm(Form):
    """The check before a buy-in is handed back (T8)."""

    identity_checked = forms.BooleanField(
        label=gettext_lazy("Identity checked: this is the person who bought in"), required=False
    )
