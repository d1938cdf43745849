"""The rounds of an event in its set-up form: each with its stack and how many go on from it (F1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ground.words import shown
from pages.fields import WholeField
from tournament.engine.format import CARRIED, RESET, ROUNDS_LEAST, ROUNDS_MOST, RoundSettings
from tournament.engine.settings import EventSettings
from tournament.engine.typed import plain_number
from tournament.figures import chips

OWN = "own"
STACK_CHOICES = [
    (CARRIED, gettext_lazy("Carried on from the round before")),
    (RESET, gettext_lazy("The starting stack again")),
    (OWN, gettext_lazy("A stack of its own")),
]
COUNT = "rounds"
"""The field that says how many rounds the form shows."""
COUNT_TO = "rounds_to"
"""The button that shows the form again with so many rounds; nothing is saved by it."""


def count_of(typed: Mapping[str, Any], otherwise: int) -> int:
    """How many rounds a form is about, within what can be posted."""
    found = plain_number(str(typed.get(COUNT_TO) or typed.get(COUNT) or "")) or otherwise
    return min(max(found, ROUNDS_LEAST), ROUNDS_MOST)


def plan_fields(count: int) -> dict[str, forms.Field]:
    """The fields of ``count`` rounds, named as the engine names what is wrong with them."""
    found: dict[str, forms.Field] = {}
    for number in range(1, count + 1):
        if number > 1:
            found[f"round_{number}_stack"] = forms.ChoiceField(
                label=_("Stacks"), choices=STACK_CHOICES, help_text="T22"
            )
            found[f"round_{number}_stack_chips"] = WholeField(
                label=_("Its own stack"), required=False, help_text=_("only where it has one")
            )
        if number < count:
            found[f"round_{number}_top"] = WholeField(
                label=_("Advance after round %(n)s") % {"n": number}, help_text="T20"
            )
    return found


def plan_initial(rounds: Iterable[RoundSettings]) -> dict[str, Any]:
    """The fields as the rounds of an event stand."""
    found: dict[str, Any] = {}
    for number, each in enumerate(rounds, start=1):
        found[COUNT] = number
        if number > 1:
            own = not isinstance(each.stack, str)
            found[f"round_{number}_stack"] = OWN if own else each.stack
            found[f"round_{number}_stack_chips"] = each.stack if own else None
        if each.advance is not None:
            found[f"round_{number}_top"] = each.advance.top
    return found


def plan_typed(cleaned: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    """The rounds that were typed, as a snapshot's ``plan`` has them."""
    return [
        {
            "stack": _stack_typed(cleaned, number) if number > 1 else RESET,
            "advance": {"top": cleaned[f"round_{number}_top"]} if number < count else None,
        }
        for number in range(1, count + 1)
    ]


def _stack_typed(cleaned: Mapping[str, Any], number: int) -> str | int | None:
    stack = cleaned[f"round_{number}_stack"]
    # Chips typed beside another choice would be lost without a word.
    own: int | None = cleaned[f"round_{number}_stack_chips"]
    return own if stack == OWN else str(stack)


def plan_wrong(cleaned: Mapping[str, Any], count: int) -> Iterator[tuple[str, str]]:
    """Where the choice of a stack and its chips do not fit: the field, and a sentence."""
    for number in range(2, count + 1):
        stack, own = cleaned.get(f"round_{number}_stack"), cleaned.get(f"round_{number}_stack_chips")
        if stack == OWN and own is None:
            yield f"round_{number}_stack_chips", _("Type the stack that everybody gets in this round.")
        elif stack in (CARRIED, RESET) and own is not None:
            yield (
                f"round_{number}_stack_chips",
                _("Choose a stack of its own above, or leave %(chips)s out.") % {"chips": shown(own)},
            )


def plan_rows(form: forms.Form, count: int) -> list[dict[str, Any]]:
    """The rounds as the page shows them: number, whether the last, and the fields."""
    return [
        {
            "number": number,
            "last": number == count,
            "fields": [
                form[f"round_{number}_{name}"]
                for name in ("stack", "stack_chips", "top")
                if f"round_{number}_{name}" in form.fields
            ],
        }
        for number in range(1, count + 1)
    ]


def plan_summary(settings: EventSettings, defaults: EventSettings) -> list[dict[str, Any]]:
    """The rounds to read: what each is played with and how many go on, and whether the default differs."""
    rows = []
    for number, each in enumerate(settings.plan, start=1):
        before = defaults.plan[number - 1] if number <= len(defaults.plan) else None
        rows += [
            {
                "label": _("Round %(n)s, stacks") % {"n": number},
                "value": _stack_words(each, number, settings),
                "clause": "T22",
                "changed": before is None or before.stack != each.stack,
            },
            {
                "label": _("Advance after round %(n)s") % {"n": number},
                "value": chips(each.advance.top) if each.advance else _("nobody: it ranks who plays it"),
                "clause": "T20",
                "changed": before is None or before.advance != each.advance,
            },
        ]
    return rows


def _stack_words(each: RoundSettings, number: int, settings: EventSettings) -> str:
    if each.stack == CARRIED:
        return _("carried on from round %(n)s") % {"n": number - 1}
    return chips(settings.starting_chips if isinstance(each.stack, str) else each.stack)
