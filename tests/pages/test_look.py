"""The figures, cards and parts that all pages share."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import override

from pages import art
from pages.public.reads.shown import in_words
from pages.words import standings as words
from tournament.engine.days import Start
from tournament.engine.standing import Side
from tournament.selectors import standings_states as states
from tournament.selectors.desk import SeatingState
from tournament.selectors.publication import BLANK

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


FIGURES: dict[str, Any] = {
    **{"n": 2, "seats": 2, "chips": 1_200, "place": 2, "tied": True, "cents": 500, "currency": "EUR"},
    **{"places": [2, 3]},
    **{"hand": 7, "first": 1, "last": 2, "empty": 1, "reason": "lots", "tables_over": 1, "entrants": 3},
}
STAGE = {"kind": "play_off", "number": 2}


def told(state: Any, **more: Any) -> dict[str, Any]:
    return {"state": str(state), **FIGURES, **more}


def sentences() -> Iterator[tuple[Any, str]]:
    """Every state with what is said of it."""
    of_round = (words.GapState.GOES_ON, words.GapState.OUT)
    playing = {**FIGURES, "state": "playing", "stage": STAGE}
    for each in states.Headline:
        if each != states.Headline.PLAYING:
            yield each, words.headline_words(told(each, stage=STAGE))
    yield from ((each, words.headline_words({**playing, "progress": each})) for each in states.Progress)
    yield from ((each, words.title_words(told(each, stage=STAGE, round=1))) for each in states.Title)
    yield from ((each, words.say(words.NOTES, told(each))) for each in states.Note)
    yield from ((each, words.remark_words(each)) for each in states.Word if each)
    yield from ((each, words.gap_words(told(each))) for each in states.GapState if each not in of_round)
    yield from ((each, words.gap_words(told(each, round=1))) for each in words.AFTER_ROUND)
    yield from (
        (each, words.chance_words(told(each))) for each in (*states.ChanceState, *states.Word) if each
    )
    for each in states.LineState:
        yield each, words.line_words({"label": told(each, round=1), "gap": None})["label"]
    yield from ((each, words.shoe_words(each, 2 if each == "dealing" else None)) for each in states.Shoe)
    pills = (each for each in Side if each not in (Side.PLAYING, Side.RANKED))
    yield from ((each, words.state_word(each)) for each in pills)
    yield from (((each, n), words.seating_state_words(each, n)) for each in SeatingState for n in (0, 1, 2))


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_state_is_said_in_every_language(language: str) -> None:
    with override(language):
        for state, text in sentences():
            assert text, state
            assert "%(" not in str(text), state


def test_a_body_in_words_keeps_its_states_and_the_seat_of_now() -> None:
    """Delayed: the row is of then, with the table and box that the player has now."""
    gap = {"state": "behind", "chips": 200, "place": 2}
    row = {**BLANK, "code": "E001", "name": "Ann", "table": 1, "box": 2, "seat_now": [3, 4], "place": 1}
    section = {"kind": "live", "title": None, "rows": [{**row, "gap": gap, "word": "absent"}]}
    publication = {"state": "delayed", "behind": 2, "at": datetime(2026, 11, 20, 20, tzinfo=UTC)}
    body = {"headline": {"state": "final"}, "notes": [], "sections": [section], "publication": publication}
    said = in_words(body)
    (shown,) = said["sections"][0]["rows"]
    assert (shown["gap"].state, shown["gap"].chips, shown["word"].state) == ("behind", 200, "absent")
    assert (shown["where"], shown["seat"]) == (words.TABLE % {"table": 1}, words.seat_words(3, 4))
    assert (said["headline"].state, said["publication"]["text"].state) == ("final", "delayed")
    assert body["sections"] == [section], "what is stored stays as it is"
