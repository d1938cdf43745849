"""The rounds of an event in its set-up form: starting stack and number of players who advance (F1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ground.typed import plain_number
from ground.words import shown
from pages.fields import WholeField
from pages.words.plans import bets_words
from tournament.engine.format import (
    BET_WORDS,
    CARRIED,
    RESET,
    ROUNDS_LEAST,
    ROUNDS_MOST,
    THE_STACK,
    Bets,
    RoundSettings,
)
from tournament.engine.settings import EventSettings
from tournament.figures import chips

OWN = "own"
STACK_CHOICES = [
    (CARRIED, gettext_lazy("Carried on from the round before")),
    (RESET, gettext_lazy("The starting stack again")),
    (OWN, gettext_lazy("A stack of its own")),
]
OF_EVENT, TO_STACK = "event", "stack"
BETS_CHOICES = [
    (OF_EVENT, gettext_lazy("Those of the event")),
    (OWN, gettext_lazy("Its own, up to a largest bet")),
    (TO_STACK, gettext_lazy("Its own, up to the stack")),
]
UNITS = {
    "top": gettext_lazy("players"),
    **dict.fromkeys(("stack_chips", "bet_min", "bet_max", "bet_step"), gettext_lazy("chips")),
}
COUNT = "rounds"
"""The field with the number of rounds in the form."""
COUNT_TO = "rounds_to"
"""The button that shows the form with another number of rounds; it saves nothing."""


def count_of(typed: Mapping[str, Any], otherwise: int) -> int:
    """Return the number of rounds of a form, limited to the numbers that can be posted."""
    found = plain_number(str(typed.get(COUNT_TO) or typed.get(COUNT) or "")) or otherwise
    return min(max(found, ROUNDS_LEAST), ROUNDS_MOST)


def plan_fields(count: int) -> dict[str, forms.Field]:
    """Return the fields of ``count`` rounds; the engine's refusals use the same names."""
    found: dict[str, forms.Field] = {}
    for number in range(1, count + 1):
        if number > 1:
            found[f"round_{number}_stack"] = forms.ChoiceField(label=_("Stacks"), choices=STACK_CHOICES)
            found[f"round_{number}_stack_chips"] = WholeField(
                label=_("Stack of round %(n)s") % {"n": number},
                required=False,
                help_text=_("only if the round has a stack of its own"),
            )
        if number < count:
            found[f"round_{number}_top"] = WholeField(
                label=_("Advance after round %(n)s") % {"n": number},
                help_text=_("the number of players who advance: those with the most chips"),
            )
        found |= _bet_fields(number)
    return found


def _bet_fields(number: int) -> dict[str, forms.Field]:
    labels = {
        "min": _("Smallest bet of round %(n)s"),
        "max": _("Largest bet of round %(n)s"),
        "step": _("Step of round %(n)s"),
    }
    return {
        f"round_{number}_bets": forms.ChoiceField(label=_("Bets"), choices=BETS_CHOICES),
        **{
            f"round_{number}_bet_{word}": WholeField(
                label=label % {"n": number}, required=False, help_text=_("only if the round has its own bets")
            )
            for word, label in labels.items()
        },
    }


def plan_initial(rounds: Iterable[RoundSettings]) -> dict[str, Any]:
    """Return the initial values for these rounds."""
    found: dict[str, Any] = {}
    for number, each in enumerate(rounds, start=1):
        found[COUNT] = number
        if number > 1:
            own = not isinstance(each.stack, str)
            found[f"round_{number}_stack"] = OWN if own else each.stack
            found[f"round_{number}_stack_chips"] = each.stack if own else None
        if each.advance is not None:
            found[f"round_{number}_top"] = each.advance.top
        found |= _bets_initial(number, each.bets)
    return found


def _bets_initial(number: int, bets: Bets | None) -> dict[str, Any]:
    if bets is None:
        return {f"round_{number}_bets": OF_EVENT}
    return {
        f"round_{number}_bets": TO_STACK if bets.max_chips is THE_STACK else OWN,
        f"round_{number}_bet_min": bets.min_chips,
        f"round_{number}_bet_max": bets.max_chips,
        f"round_{number}_bet_step": bets.step_chips,
    }


def plan_typed(cleaned: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    """Return the typed rounds in the form of a snapshot's ``plan``."""
    return [
        {
            "stack": _stack_typed(cleaned, number) if number > 1 else RESET,
            "advance": {"top": cleaned[f"round_{number}_top"]} if number < count else None,
            **_bets_typed(cleaned, number),
        }
        for number in range(1, count + 1)
    ]


def _bets_typed(cleaned: Mapping[str, Any], number: int) -> dict[str, Any]:
    if cleaned[f"round_{number}_bets"] == OF_EVENT:
        return {}
    return {"bets": {word: cleaned[f"round_{number}_bet_{word}"] for word in BET_WORDS}}


def _stack_typed(cleaned: Mapping[str, Any], number: int) -> str | int | None:
    stack = cleaned[f"round_{number}_stack"]
    own: int | None = cleaned[f"round_{number}_stack_chips"]
    return own if stack == OWN else str(stack)


def plan_wrong(cleaned: Mapping[str, Any], count: int) -> Iterator[tuple[str, forms.ValidationError]]:
    """Yield each field whose choice does not fit the chips typed beside it, with the error.

    Otherwise chips typed beside another choice would be dropped silently.
    """
    for number in range(1, count + 1):
        yield from _bets_wrong(cleaned, number)
    for number in range(2, count + 1):
        stack, own = cleaned.get(f"round_{number}_stack"), cleaned.get(f"round_{number}_stack_chips")
        if stack == OWN and own is None:
            sentence = _("Type the stack that everybody gets in this round.")
            yield f"round_{number}_stack_chips", forms.ValidationError(sentence, code="own_missing")
        elif stack in (CARRIED, RESET) and own is not None:
            sentence = _("Choose a stack of its own above, or leave %(chips)s out.") % {"chips": shown(own)}
            yield f"round_{number}_stack_chips", forms.ValidationError(sentence, code="own_not_chosen")


def _bets_wrong(cleaned: Mapping[str, Any], number: int) -> Iterator[tuple[str, forms.ValidationError]]:
    choice = cleaned.get(f"round_{number}_bets")
    needed = {OWN: BET_WORDS, TO_STACK: ("min", "step")}.get(str(choice), ())
    for word in BET_WORDS:
        name = f"round_{number}_bet_{word}"
        if name not in cleaned:
            continue  # not a number: the field reports that itself
        typed = cleaned[name]
        if word in needed and typed is None:
            sentence = _("Type it, or choose the bets of the event above.")
            yield name, forms.ValidationError(sentence, code="own_missing")
        elif word not in needed and typed is not None and choice:
            sentence = _("It does not fit the bets chosen above. Choose other bets, or leave %(chips)s out.")
            yield name, forms.ValidationError(sentence % {"chips": shown(typed)}, code="own_not_chosen")


def plan_rows(form: forms.Form, count: int) -> list[dict[str, Any]]:
    """Return the rounds for the page: number, whether it is the last, and the fields with their units."""
    return [
        {
            "number": number,
            "last": number == count,
            "fields": [
                {"field": form[f"round_{number}_{name}"], "unit": UNITS.get(name, "")}
                for name in ("stack", "stack_chips", "top", "bets", "bet_min", "bet_max", "bet_step")
                if f"round_{number}_{name}" in form.fields
            ],
        }
        for number in range(1, count + 1)
    ]


def plan_summary(settings: EventSettings, defaults: EventSettings) -> list[dict[str, Any]]:
    """Return the rounds in words: stack, players who advance, and whether it differs from the default."""
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
                "value": chips(each.advance.top)
                if each.advance
                else _("nobody: this round ranks its players"),
                "clause": "T20",
                "changed": before is None or before.advance != each.advance,
            },
            {
                "label": _("Round %(n)s, bets") % {"n": number},
                "value": bets_words(each.bets) if each.bets else _("those of the event"),
                "clause": "T12",
                "changed": before is None or before.bets != each.bets,
            },
        ]
    return rows


def _stack_words(each: RoundSettings, number: int, settings: EventSettings) -> str:
    if each.stack == CARRIED:
        return _("carried on from round %(n)s") % {"n": number - 1}
    stack = settings.starting_chips if isinstance(each.stack, str) else each.stack
    return _("%(n)s chips") % {"n": chips(stack)}
