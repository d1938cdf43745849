"""A typed payout structure: shares in per cent or fixed amounts, one for every place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ground.typed import whole_number
from pages.fields import HundredthsField, ReasonForm, ShareField, cents_text
from pages.form import Form
from pages.kit import Refusal
from tournament.engine.payouts import BOTH, FIXED, KINDS, SHARES, Structure, share_text
from tournament.selectors.prizes import structure_to_dict

# The address of the next page carries two fields for each place, and a proxy allows addresses up to 8 KB.
PLACES_MIN, PLACES_MAX = 2, 250
# Longer than any possible amount, so that a cut text is refused and never read as a smaller amount.
LONGEST = 40


@dataclass(frozen=True)
class Typed:
    """The typed prizes: ``texts`` by place, and ``fixed`` amounts if prizes are shares and amounts.

    ``structure``: the structure for services, None with a ``problem``.
    """

    kind: str
    texts: tuple[str, ...]
    structure: dict[str, Any] | None
    problem: str = ""
    fixed: tuple[str, ...] = ()

    @property
    def places(self) -> int:
        """The number of typed places."""
        return len(self.texts)

    @property
    def rows(self) -> list[tuple[int, str, str]]:
        """Return (place, text, text of the fixed amount) of each place."""
        beside = self.fixed or ("",) * self.places
        return [(place, *each) for place, each in enumerate(zip(self.texts, beside, strict=True), start=1)]


def kind_of(data: Mapping[str, str], default: str = SHARES) -> str:
    """Return the requested kind of prizes, or ``default``."""
    kind = data.get("kind", default)
    return kind if kind in KINDS else default


def places_of(data: Mapping[str, str], default: int) -> int:
    """Return the requested number of places, limited to what a page can hold."""
    number = whole_number(data.get("places", ""))
    return max(PLACES_MIN, min(PLACES_MAX, default if number is None else number))


def places_unread(data: Mapping[str, str]) -> str:
    """Return what was typed as the number of places where it is no number; empty where it is one."""
    typed = data.get("places", "").strip()
    return "" if whole_number(typed) is not None else typed[:LONGEST]


def structure_typed(data: Mapping[str, str]) -> Typed:
    """Read the fields ``a1``, ``a2`` …, and for shares with fixed amounts also ``f1``, ``f2`` ….

    Empty fields at the end are left out.
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
    """Return a structure as the texts of the fields."""
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


class HandOutForm(Form):
    """The check before a buy-in is handed back (T8)."""

    identity_checked = forms.BooleanField(
        label=gettext_lazy("Identity checked: this is the person who bought in"), required=False
    )
