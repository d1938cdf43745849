"""The slides of a screen in the hall at their boundaries: full pages, the cut at an edge, long lists."""

from __future__ import annotations

from typing import Any

import pytest

from pages.hall.reads.slides import PAGE_ROWS, PAGES_MOST, first_prize, pages_shown, slides_of

PAYOUTS = {"version": 1, "prizes_cents": [168_000, 84_000], "currency": "USD"}
START = {"starts_at": "2026-11-20T19:00:00-07:00", "starts_zone": "America/Denver"}
LINE = {"label": "Top advance", "gap": ""}


def row(place: int, **more: Any) -> dict[str, Any]:
    return {
        "place": place,
        "code": f"E{place:03}",
        "name": f"N{place:03}",
        "stack_chips": 9_000 - place,
        **more,
    }


def section(kind: str, count: int, cut: int | None = None, **more: Any) -> dict[str, Any]:
    rows = [row(place, **more) for place in range(1, count + 1)]
    if cut is not None and cut < count:
        rows[cut]["cut"] = LINE
    return {"kind": kind, "title": "", "rows": rows}


def body(*sections: dict[str, Any], notes: tuple[str, ...] = (), **hall: Any) -> dict[str, Any]:
    return {
        "headline": "",
        "notes": [{"kind": "", "text": text} for text in notes],
        "sections": list(sections),
        "hall": {"start": None, "payouts": None, "draw": None, **hall},
    }


def kinds(made: dict[str, Any]) -> list[str]:
    return [slide.kind for slide in slides_of(made)]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (8, [[8]]),
        (9, [[5, 4]]),
        (PAGE_ROWS, [[8, 8]]),
        (PAGE_ROWS + 1, [[8, 8], [1]]),
    ],
)
def test_a_page_is_full_and_one_more_row_begins_the_next(rows: int, columns: list[list[int]]) -> None:
    made = body(section("live", rows))
    assert [[len(column) for column in slide.columns] for slide in slides_of(made)] == columns
    assert [(slide.number, slide.of) for slide in slides_of(made)] == [
        (at + 1, len(columns)) for at in range(len(columns))
    ]


@pytest.mark.parametrize(
    ("cut", "at_foot", "in_rows"),
    [(PAGE_ROWS - 1, False, [15]), (PAGE_ROWS, True, [16]), (PAGE_ROWS + 1, False, [17])],
)
def test_T20_a_cut_at_the_edge_of_a_page_is_drawn_on_both_sides_of_it(
    cut: int, at_foot: bool, in_rows: list[int]
) -> None:
    first, second = slides_of(body(section("live", PAGE_ROWS + 4, cut)))
    assert (first.line is not None) == at_foot
    assert second.line is None
    rows = [each for slide in (first, second) for column in slide.columns for each in column]
    assert [at for at, each in enumerate(rows) if each.get("cut")] == in_rows


@pytest.mark.parametrize(
    ("pages", "cut_page", "shown"),
    [
        (PAGES_MOST, 7, list(range(PAGES_MOST))),
        (PAGES_MOST + 1, None, [0, 1, 2, 3]),
        (PAGES_MOST + 1, 0, [0, 1, 2, 3]),
        (PAGES_MOST + 1, 8, [0, 1, 2, 3, 6, 7, 8]),
        (63, 25, [0, 1, 2, 3, 23, 24, 25, 26]),
    ],
)
def test_of_a_long_list_the_first_pages_and_those_around_the_cut_are_shown(
    pages: int, cut_page: int | None, shown: list[int]
) -> None:
    assert pages_shown(pages, cut_page) == shown


def test_T23_T33_a_tie_comes_first_and_is_urgent_and_there_is_none_without_one() -> None:
    live = section("live", 3)
    assert kinds(body(live)) == ["standings"]
    tie, standings = slides_of(body(section("tie", 2), live))
    assert (tie.kind, bool(tie.urgent)) == ("tie", True)
    assert (standings.kind, standings.urgent) == ("standings", "")
    # T33: each group of a sudden death is a slide of its own.
    slides = slides_of(body(section("tie", 2), section("tie", 3), section("live", 5)))
    assert [slide.key for slide in slides] == ["tie-1-1", "tie-2-1", "standings-1-1"]


def test_T31_prizes_stand_on_a_slide_once_they_are_posted_until_they_stand_beside_the_names() -> None:
    assert first_prize(body(section("live", 3))) is None
    posted = body(section("live", 3), payouts=PAYOUTS)
    assert kinds(posted) == ["standings", "prizes"]
    assert first_prize(posted) == (168_000, "USD")
    over = body(section("final", 3, prize_cents=100), payouts=PAYOUTS)
    assert kinds(over) == ["standings"]
    # T26: a prize that nobody claims is divided among the others.
    assert first_prize(over) == (100, "USD")


def test_T6_the_start_is_shown_until_somebody_has_a_place() -> None:
    entered = {"kind": "entries", "title": "", "rows": [{"code": "E001", "name": "Ann"}]}
    assert kinds(body(entered, start=START)) == ["start", "entries"]
    assert kinds(body(section("live", 2), start=START)) == ["standings"]


def test_T8_an_empty_event_says_what_will_be_here_and_a_called_off_one_only_why() -> None:
    (slide,) = slides_of(body())
    assert (slide.kind, slide.facts) == ("notice", {"empty": True})
    made = body(notes=("Called off.", "No power."), payouts=PAYOUTS, start=START)
    (slide,) = slides_of(made)
    assert (slide.kind, slide.facts["texts"]) == ("notice", ["Called off.", "No power."])
    assert first_prize(made) is None


@pytest.mark.parametrize("state", ["locked", "confirmed", "drawn"])
def test_T4_a_draw_in_hand_comes_first_and_each_step_of_it_is_urgent(state: str) -> None:
    draw = {"number": 2, "purpose": "", "state": state, "entries": 9, "cards": [], "public_cards": True}
    slide = slides_of(body(section("live", 2), draw=draw))[0]
    assert (slide.kind, slide.urgent) == ("draw", f"2 {state}")


def test_seats_stand_by_name_and_by_table() -> None:
    rows = [
        {**row(1), "name": "Zoe", "seat": "", "table": 1, "box": 2},
        {**row(2), "name": "ann", "seat": "", "table": 2, "box": 7},
        {**row(3), "name": "Bob", "seat": "", "table": 1, "box": 1},
    ]
    _standings, by_name, by_table = slides_of(body({"kind": "live", "title": "", "rows": rows}))
    assert [each["name"] for each in by_name.columns[0]] == ["ann", "Bob", "Zoe"]
    tables = {table["number"]: [each["name"] for each in table["rows"]] for table in by_table.facts["tables"]}
    assert tables == {1: ["Bob", "Zoe"], 2: ["ann"]}
    # Two persons of one name are told apart.
    anns = [{**row(1), "name": "Ann"}, {**row(2), "name": "Ann"}, row(3)]
    (slide,) = slides_of(body({"kind": "live", "title": "", "rows": anns}))
    assert [each["same_name"] for each in slide.columns[0]] == [True, True, False]


@pytest.mark.parametrize("more", [0, 1])
def test_while_a_large_field_plays_its_seats_are_not_shown_and_before_play_they_are(more: int) -> None:
    rows = section("live", PAGES_MOST * PAGE_ROWS + more, table=1, box=1, seat="")
    assert ("seats" in kinds(body(rows))) == (not more)
    drawn = {"number": 1, "purpose": "", "state": "drawn", "entries": 9, "cards": [], "public_cards": True}
    assert "seats" in kinds(body(rows, draw=drawn))
