"""Every sentence that a form says is ours: none of the framework's reaches a page."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import QueryDict
from django.test import RequestFactory
from django.utils import timezone, translation
from django.utils.timezone import override

import pages
import tables
import tournament
from pages import form as base
from pages.desk.forms import PenaltyForm
from pages.director.forms.setup import SetupForm
from tests.cast.factories import EntryFactory, EventFactory
from tournament.engine.settings import DEFAULTS
from tournament.models import Event

pytestmark = pytest.mark.django_db


def form_classes() -> list[type[BaseForm]]:
    """Every form of the house, wherever it is written."""
    for package in (tournament, tables, pages):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if "migrations" not in module.name and "management" not in module.name:
                importlib.import_module(module.name)
    found, todo = set(), [BaseForm]
    while todo:
        for each in todo.pop().__subclasses__():
            todo.append(each)
            ours = each.__module__.split(".")[0] in ("tournament", "tables", "pages")
            if ours and each.__module__ != base.__name__:
                found.add(each)
    return sorted(found, key=lambda each: each.__qualname__)


@pytest.fixture
def event() -> Event:
    return EventFactory()


def maker(cls: type[BaseForm], event: Event) -> Callable[[Any], BaseForm]:
    """How this form is made of what was sent; what it is made of beside that, it says itself."""
    needs: dict[str, Callable[[], dict[str, Any]]] = {
        "OptionsForm": lambda: {"settings": DEFAULTS},
        "FillForm": lambda: {"event": event},
        "NoShowForm": lambda: {"refunds": True},
        "ReplaceForm": lambda: {"event": event, "choices": [EntryFactory(event=event) for _ in range(2)]},
        "UntilForm": lambda: {"now": timezone.now()},
        "ClockForm": lambda: {"now": timezone.now()},
        "LoginForm": lambda: {"request": RequestFactory().post("/login")},
    }
    given = needs.get(cls.__name__, dict)()
    return lambda data: cls(data=data, **given)


WRONG = (
    *("", " ", "x" * 5_000, "\x00", "a\x00b", "²", "1.5", "nonsense", "9" * 400, "-1", "<b>"),
    *("2026-02-30T25:00", "2026-03-29T02:30"),
)


def tries(names: list[str]) -> Iterator[tuple[str, QueryDict]]:
    """Nothing at all, and each of the wrong values in every field, once and twice."""
    yield "nothing", QueryDict("", mutable=True)
    for value in WRONG:
        for times in (1, 2):
            data = QueryDict("", mutable=True)
            for name in names:
                data.setlist(name, [value] * times)
            yield f"{value[:12]!r} x {times}", data


def is_the_frameworks(error: ValidationError) -> bool:
    """Whether a sentence is in the framework's own list of translations; ours are not."""
    said = error.messages
    with translation.override("fi"):
        return bool(error.messages != said)


def test_what_the_framework_says_is_known_here_and_every_form_is_walked() -> None:
    """The test below can fail."""
    plain = forms.CharField(max_length=3)
    for wrong in ("", "long", "\x00"):
        with pytest.raises(ValidationError) as said:
            plain.clean(wrong)
        assert is_the_frameworks(said.value)
    names = {each.__name__ for each in form_classes()}
    assert len(names) > 20
    assert {"LoginForm", "SetupForm", "OptionsForm", "EventForm", "FillForm"} <= names


@pytest.mark.parametrize("cls", form_classes(), ids=lambda cls: cls.__name__)
def test_no_form_says_what_the_framework_says(cls: type[BaseForm], event: Event) -> None:
    made = maker(cls, event)
    names, said = list(made({}).fields), 0
    assert names
    for what, data in tries(names):
        with override("Europe/Vienna"):  # where 2:30 on that night does not exist
            errors = made(data).errors.as_data()
        for name, found in errors.items():
            for error in found:
                said += 1
                sentence = " ".join(error.messages)
                assert not is_the_frameworks(error), f"{name}, {what}: {sentence}"
                assert sentence[0].isupper(), sentence
                assert sentence.rstrip().endswith((".", "?")), sentence
    if any(field.required for field in made({}).fields.values()):
        assert said


def test_a_list_in_which_nothing_was_chosen_shows_nothing_as_chosen() -> None:
    first = str(PenaltyForm({"kind": "nonsense"})["kind"]).split("<option")[1]
    assert first.startswith(' value=""'), first
    assert 'value=""' not in str(PenaltyForm({"kind": "warning"})["kind"])
    setup = SetupForm({})
    lists = [name for name, field in setup.fields.items() if isinstance(field, forms.ChoiceField)]
    assert len(lists) > 5
    for name in set(lists) - {"public_input"}:  # where an empty value is an answer
        assert setup.has_error(name, "required")
        assert ' value=""' in str(setup[name]).split("<option")[1], name
