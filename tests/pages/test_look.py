"""The figures, cards and parts that all pages share."""

from __future__ import annotations

import re
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import timezone, translation

from pages import art
from tournament.engine.days import Start

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def show(source: str, **values: Any) -> str:
    return Template("{% load cutline %}" + source).render(Context(values))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ 5600|chips }}", "5,600"),
        ("{{ 0|chips }}", "0"),
        ("{{ missing|chips }}", "–"),
        ("{{ 400|signed }}", "+400"),
        ("{{ loss|signed }}", "−200"),
        ("{{ 0|signed }}", "0"),
        ("{{ loss|sign_class }} {{ 4|sign_class }}", "loss gain"),
        ("{{ 168000|money }}", "$1,680.00"),
        ("{{ 168005|money:'EUR' }}", "€1,680.05"),
        ("{{ 100|money:'CHF' }}", "CHF\N{NO-BREAK SPACE}1.00"),
        ("{{ loss|money:'USD' }}", "−$2.00"),
        ("{{ 168000|money_short }} {{ 168001|money_short }}", "$1,680 $1,680.01"),
        ("{{ 1|ordinal }} {{ 2|ordinal }} {{ 3|ordinal }} {{ 11|ordinal }}", "1st 2nd 3rd 11th"),
        ("{{ 13|ordinal }} {{ 21|ordinal }} {{ 112|ordinal }}", "13th 21st 112th"),
        ("{{ 8|placelabel:True }} {{ 8|placelabel:False }}", "=8 8"),
    ],
)
def test_figures_are_written_as_the_house_writes_them(source: str, expected: str) -> None:
    assert show(source, loss=-200) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ 5600|chips }} {{ loss|signed }} {{ 13|ordinal }}", "5.600 −200 13."),
        (
            "{{ 168000|money:'EUR' }}, {{ 168000|money_short:'CHF' }}",
            "1.680,00\N{NO-BREAK SPACE}€, 1.680\N{NO-BREAK SPACE}CHF",
        ),
        ("{{ loss|money:'USD' }}, {{ 2750|percent }}", "−2,00\N{NO-BREAK SPACE}$, 27,5\N{NO-BREAK SPACE}%"),
        (
            "{{ at|date:'SHORT_DATE_FORMAT' }}, {{ at|date:'DATETIME_FORMAT' }}",
            "05.11.2026, 5.\N{NO-BREAK SPACE}November 2026, 20:00",
        ),
        (
            "{{ start|start_words:'START_FORMAT' }}",
            "Donnerstag, 5.\N{NO-BREAK SPACE}November 2026, 20:00 (Europe/Vienna)",
        ),
    ],
)
def test_german_writes_figures_and_dates_in_its_own_way(source: str, expected: str) -> None:
    at = datetime(2026, 11, 5, 20, 0, tzinfo=ZoneInfo("Europe/Vienna"))
    with translation.override("de"), timezone.override(at.tzinfo):
        assert show(source, loss=-200, at=at, start=Start(at, "Europe/Vienna")) == expected


def test_every_card_has_its_name_and_shape() -> None:
    for rank in art.RANKS:
        for suit in art.SUITS:
            drawn = show("{% card code %}", code=rank + suit)
            assert f"card-{suit}" in drawn
            assert art.SUIT_PATHS[suit] in drawn
    assert show("{% card 'Th' %}") == show("{% card '10h' %}") != show("{% card 'Th' 'lg' %}")
    for code in ("", None, "1h", "Ax", "<b>", "8hh"):
        down = show("{% card code %}", code=code)
        assert "card-down" in down and "<b>" not in down


def test_every_drawing_is_whole() -> None:
    drawings = [art.suit_svg(suit) for suit in art.SUITS] + [
        art.chip_svg(value) for value in (200, 1000, 25_000)
    ]
    drawings += [art.chip_stack_svg(chips) for chips in (0, 200, 90_000)]
    drawings += [f"<svg>{lines}</svg>" for lines in [*art.ICONS.values(), art.CARD_BACK, art.card_body("Th")]]
    for drawing in drawings:
        assert "{" not in drawing
        ElementTree.fromstring(drawing)  # noqa: S314 - our own drawing
        for path in re.findall(r' d="([^"]*)"', drawing):
            assert re.fullmatch(r"[Mm][-\d\s.,MmLlHhVvCcSsAaZz]*", path), path


def test_an_error_stands_beside_its_field_and_is_tied_to_it() -> None:
    class Buy(forms.Form):
        amount = forms.IntegerField(label="Amount", help_text="In dollars")

    form = Buy({"amount": "x"})
    form.is_valid()
    shown = render_to_string("_field.html", {"field": form["amount"], "unit": "USD"})
    assert ' id_amount_error"' in shown
    assert 'id="id_amount_error"' in shown
    assert 'aria-invalid="true"' in shown
    assert shown.index("<input") < shown.index('data-code="invalid"')


def test_the_public_frame_marks_the_open_tab_and_asks_for_no_person(rf: Any) -> None:
    class Untouchable:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"a public page looked at {name}")

    request = rf.get("/e/wonder/seats/")
    request.user = request.session = Untouchable()
    event = SimpleNamespace(name="Wonder Friday", slug="wonder")
    shown = Template('{% extends "public.html" %}').render(Context({"event": event, "request": request}))
    assert re.search(r'/seats/" aria-current="page"', shown)
    assert shown.count("aria-current") == 1


class _Inline(HTMLParser):
    """Collects what the content security policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in names):
            self.found.append(f"<{tag}>")
        self.found += [f"{tag} {name}" for name in names if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_needs_inline_style_or_script(path: Path) -> None:
    parser = _Inline()
    parser.feed(path.read_text())
    assert parser.found == []


def test_every_form_leaves_the_refusal_to_the_house() -> None:
    """The browser's own bubbles say 'match the requested format'; our sentences say what to do."""
    forms = [tag for path in TEMPLATES for tag in re.findall(r"<form\b[^>]*>", path.read_text())]
    assert len(forms) > 45
    assert [tag for tag in forms if "novalidate" not in tag] == []


@pytest.mark.parametrize("code", [400, 403, 404, 500, 503])
def test_an_error_page_says_what_to_do_without_any_context(code: int) -> None:
    shown = render_to_string(f"{code}.html")
    assert "<h1>" in shown and "<p" in shown and "href=" in shown


def _luminance(colour: str) -> float:
    full = colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])
    parts = [int(full[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _themes() -> dict[str, dict[str, str]]:
    sheet = (ROOT / "static" / "base.css").read_text()
    both = re.findall(r"--([a-z-]+): var\(--light, (#[0-9a-f]+)\) var\(--dark, (#[0-9a-f]+)\);", sheet)
    return {
        "light": {name: light for name, light, _ in both},
        "dark": {name: dark for name, _, dark in both},
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_colour_can_be_read_on_every_ground(theme: str) -> None:
    colour = _themes()[theme]
    for text in ("text", "muted", "felt-text", "brass", "gain", "loss"):
        for ground in ("ground", "surface", "raised"):
            assert _contrast(colour[text], colour[ground]) >= 4.5, (text, ground)
    for text in ("brass", "gain", "loss"):
        assert _contrast(colour[text], colour[f"{text}-wash"]) >= 4.5, text
    assert _contrast(colour["felt-ink"], colour["felt"]) >= 4.5
    assert _contrast(colour["edge"], colour["ground"]) >= 3
    assert _contrast(colour["edge"], colour["surface"]) >= 3
