"""A payout structure as it is typed: shares in per cent or fixed amounts, one for every place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ground.typed import whole_number
from pages.fields import (
    HundredthsField,
    ReasonForm,
    ShareField,
    cents_text,
)
from pages.form import Form
from pages.kit import Refusal
from tournament.engine.payouts import BOTH, FIXED, KINDS, SHARES, Structure, share_text
from tournament.selectors.prizes import structure_to_dict

# The boxes are sent in the address of the next page, two for each place: a front takes addresses up to 8 KB.
PLACES_MIN, PLACES_MAX = 2, 250
# Longer than any amount there is: what is cut here is refused, and never read as a shorter one.
LONGEST = 40


@dataclass(frozen=True)
class Typed:
    """The typed prizes: ``texts`` by place, ``fixed`` beside them where prizes are both.

    ``structure`` is that for services, None with a ``problem``.
    """

    kind: str
    texts: tuple[str, ...]
    structure: dict[str, Any] | None
    problem: str = ""
    fixed: tuple[str, ...] = ()

    @property
    def places(self) -> int:
        """Return the number of boxes."""
        return len(self.texts)

    @property
    def rows(self) -> list[tuple[int, str, str]]:
        """Place, text, and the text of the fixed amount beside it where prizes are both."""
        beside = self.fixed or ("",) * self.places
        return [(place, *each) for place, each in enumerate(zip(self.texts, beside, strict=True), start=1)]


def kind_of(data: Mapping[str, str], default: str = SHARES) -> str:
    """The kind of prizes that is asked for, or ``default``."""
    asked = data.get("kind", default)
    return asked if asked in KINDS else default


def places_of(data: Mapping[str, str], default: int) -> int:
    """Return the number of places asked for, as far as a page can hold them."""
    number = whole_number(data.get("places", ""))
    return max(PLACES_MIN, min(PLACES_MAX, default if number is None else number))


def places_unread(data: Mapping[str, str]) -> str:
    """Return what was typed as the number of places where it is no number; empty where it is one."""
    typed = data.get("places", "").strip()
    return "" if whole_number(typed) is not None else typed[:LONGEST]


def structure_typed(data: Mapping[str, str]) -> Typed:
    """Read the boxes ``a1``, ``a2`` …, and ``f1``, ``f2`` … beside them where prizes are both.

    Places whose boxes are empty at the end pay nothing and are left out.
    """
    kind = kind_of(data)
    count = 0
    while f"a{count + 1}" in data and count < PLACES_MAX:
        count += 1
    columns = {"amounts": "a", **({"fixed": "f"} if kind == BOTH else {})}
    texts = {
        name: tuple(data.get(f"{box}{place}", "").strip()[:LONGEST] for place in range(1, count + 1))
        for name, box in columns.items()
    }
    used = max((i for i, row in enumerate(zip(*texts.values(), strict=True), start=1) if any(row)), default=0)
    found: dict[str, Any] = {"kind": kind}
    for name, column in texts.items():
        money = kind == FIXED or name == "fixed"
        field = (HundredthsField if money else ShareField)(required=False)
        found[name] = []
        for place, text in enumerate(column[:used], start=1):
            try:
                found[name].append(field.clean(text) or 0)
            except forms.ValidationError as error:
                problem = _("Place %(place)s: %(why)s") % {"place": place, "why": error.messages[0]}
                refusal = Refusal(problem, error.code or "")
                return Typed(kind, texts["amounts"], None, refusal, texts.get("fixed", ()))
    return Typed(kind, texts["amounts"], found, "", texts.get("fixed", ()))


def as_typed(structure: Structure) -> Typed:
    """A structure as it would stand in the boxes."""
    written = cents_text if structure.kind == FIXED else share_text
    texts = tuple(written(each) for each in structure.amounts)
    fixed = tuple(cents_text(each) for each in structure.fixed)
    return Typed(structure.kind, texts, structure_to_dict(structure), "", fixed)


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

    def __init__(self, data: Any = None, *, shares_cents: Mapping[str, int]) -> None:
        super().__init__(data)
        self.codes = list(shares_cents)
        amounts = {
            f"share-{code}": HundredthsField(
                label=code,
                required=False,
                initial=cents or None,
                widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "input num"}),
            )
            for code, cents in shares_cents.items()
        }
        self.fields = {**amounts, **self.fields}

    @property
    def boxes(self) -> list[forms.BoundField]:
        """The boxes of the amounts, in the order of the entries."""
        return [self[f"share-{code}"] for code in self.codes]

    @property
    def shares_cents(self) -> dict[str, int]:
        """Return the typed shares in cents, by entry code; an empty box gives nothing."""
        return {code: self.cleaned_data[f"share-{code}"] or 0 for code in self.codes}


class HandOutForm(Form):
    """The check before a buy-in is handed back (T8)."""

    identity_checked = forms.BooleanField(
        label=gettext_lazy("Identity checked: this is the person who bought in"), required=False
    )
