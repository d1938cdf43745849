"""Every state that the stored standings can hold has a sentence, in each language that pages are read in."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.utils.translation import override

from pages.words import standings as words
from pages.words.standings_said import in_words
from tournament.engine.standing import Side
from tournament.selectors import standings_states as states
from tournament.selectors.alternates import Seats
from tournament.selectors.public_body import BLANK

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
            yield each, words.headline_said(told(each, stage=STAGE))
    yield from ((each, words.headline_said({**playing, "progress": each})) for each in states.Progress)
    yield from ((each, words.title_said(told(each, stage=STAGE, round=1))) for each in states.Title)
    yield from ((each, words.say(words.NOTES, told(each))) for each in states.Note)
    yield from ((each, words.word_said(each)) for each in states.Word if each)
    yield from ((each, words.gap_said(told(each))) for each in states.GapState if each not in of_round)
    yield from ((each, words.gap_said(told(each, round=1))) for each in words.AFTER_ROUND)
    yield from ((each, words.chance_said(told(each))) for each in (*states.ChanceState, *states.Word) if each)
    for each in states.LineState:
        yield each, words.line_said({"label": told(each, round=1), "gap": None})["label"]
    yield from ((each, words.shoe_said(each, 2 if each == "dealing" else None)) for each in states.Shoe)
    pills = (each for each in Side if each not in (Side.PLAYING, Side.RANKED))
    yield from ((each, words.state_word(each)) for each in pills)
    yield from (((each, n), words.seating_said(each, n)) for each in Seats for n in (0, 1, 2))


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
    assert (shown["where"], shown["seat"]) == (words.TABLE % {"table": 1}, words.seat_said(3, 4))
    assert (said["headline"].state, said["publication"]["text"].state) == ("final", "delayed")
    assert body["sections"] == [section], "what is stored stays as it is"
