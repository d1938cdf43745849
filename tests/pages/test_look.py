"""The figures, cards and parts that all pages share."""

import re
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import timezone, translation

from pages import art
from tournament.engine.days import Start

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TEXTS = ("text", "muted", "felt-text", "brass", "gain", "loss")


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
        ("{{ 168000|money:'EUR' }}", "1.680,00\N{NO-BREAK SPACE}€"),
        ("{{ 168000|money_short:'CHF' }}", "1.680\N{NO-BREAK SPACE}CHF"),
        ("{{ loss|money:'USD' }}, {{ 2750|percent }}", "−2,00\N{NO-BREAK SPACE}$, 27,5\N{NO-BREAK SPACE}%"),
        ("{{ at|date:'SHORT_DATE_FORMAT' }}", "05.11.2026"),
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


class _Inline(HTMLParser):
    """Collects what the content security policy would refuse."""

    found = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        inline = [name for name in names if name == "style" or name.startswith("on")]
        if inline or tag == "style" or (tag == "script" and "src" not in names):
            self.found += f"<{tag} {inline}>"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_needs_inline_style_or_script(path: Path) -> None:
    parser = _Inline()
    parser.feed(path.read_text())
    assert parser.found == ""


def test_every_form_leaves_the_refusal_to_the_house() -> None:
    """The browser's own bubbles say 'match the requested format'; our sentences say what to do."""
    forms = [tag for path in TEMPLATES for tag in re.findall(r"<form\b[^>]*>", path.read_text())]
    assert len(forms) > 45
    assert [tag for tag in forms if "novalidate" not in tag] == []


def test_an_error_page_says_what_to_do_without_any_context() -> None:
    for code in (400, 403, 404, 500, 503):
        shown = render_to_string(f"{code}.html")
        assert "<h1>" in shown and "<p" in shown and "href=" in shown


def _luminance(colour: str) -> float:
    full = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [part / 255 for part in bytes.fromhex(full)]
    linear = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_every_text_colour_can_be_read_on_every_ground_in_both_themes() -> None:
    """And each colour is written once, with both its values."""
    base, colour = (ROOT / "static" / "base.css").read_text(), "(#[0-9a-f]+)"
    both = re.findall(rf"--([a-z-]+): var\(--light, {colour}\) var\(--dark, {colour}\);", base)
    pairs = [(text, on, 4.5) for text in TEXTS for on in ("ground", "surface", "raised")]
    pairs += [(text, f"{text}-wash", 4.5) for text in ("brass", "gain", "loss")]
    pairs += [("felt-ink", "felt", 4.5), ("edge", "ground", 3), ("edge", "surface", 3)]
    for at in (1, 2):
        theme = {each[0]: _luminance(each[at]) for each in both}
        assert len(theme) == len(both) == 21
        for one, other, least in pairs:
            dark, light = sorted((theme[one], theme[other]))
            assert (light + 0.05) / (dark + 0.05) >= least, (at, one, other)
