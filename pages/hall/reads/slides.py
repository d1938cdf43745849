"""The slides of a screen in the hall, made only from the stored standings that phones read: no query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from tournament.selectors.hall import (
    ANNOUNCEMENT,
    DRAW,
    ENTRIES,
    NOTICE,
    OUT,
    PRIZES,
    SEATS,
    STANDINGS,
    START,
    TABLES,
    TIE,
)
from tournament.selectors.publication import rows_with_seats

Json = dict[str, Any]

COLUMN_ROWS = 8
PAGE_ROWS = 2 * COLUMN_ROWS
PAGES_MOST = 8
"""The most pages of a list that are shown: the first ones, and those around the cut."""
PAGES_FIRST = 4
TABLES_A_PAGE = 6
NAME_SIZES = ((13, ""), (22, "long"), (50, "longer"))
"""The most letters of a name for each size: a longer name is set smaller, in up to three lines."""


@dataclass(frozen=True)
class Slide:
    """One slide: page ``number`` of ``of`` of its kind and title, with rows in columns.

    ``line``: the line that begins the next page, also drawn at the foot of this one. ``facts``: the content
    of a slide without rows. ``urgent``: a new value brings the slide up at once.
    """

    kind: str
    title: str
    number: int = 1
    of: int = 1
    part: int = 1
    note: str = ""
    columns: tuple[tuple[Json, ...], ...] = ()
    line: Json | None = None
    facts: Json = field(default_factory=dict)
    urgent: str = ""
    seconds: int = 0

    @property
    def key(self) -> str:
        """Return the key by which a screen recognizes the slide."""
        return f"{self.kind}-{self.part}-{self.number}"


def slides_of(body: Json) -> list[Slide]:
    """Return the slides of a body of standings in order, at least one."""
    sections, hall = body["sections"], body["hall"]
    found = [_announcement(each) for each in body.get("announcements", ())]
    if is_called_off(body):
        return [*found, Slide(NOTICE, "", facts={"texts": [note["text"] for note in body["notes"]]})]
    if hall["draw"]:
        found.append(_draw(hall["draw"]))
    found += _of_sections(sections, "tie", TIE, _("Play-off"))
    found += _of_sections(sections, "live", STANDINGS, _("Standings"), body["notes"])
    found += _of_sections(sections, "closed", STANDINGS, _("Standings"), body["notes"])
    found += _of_sections(sections, "final", STANDINGS, _("Final standings"))
    seated = [row for row in rows_seated(body) if row.get("table")]
    if _before_play(hall) or len(seated) <= PAGES_MOST * PAGE_ROWS:
        found += _seats(seated) + _tables(seated)
    if hall["payouts"] and not any(section["kind"] == "final" for section in sections):
        found += _prizes(hall["payouts"])
    if hall["start"] and not any("place" in row for section in sections for row in section["rows"]):
        found.append(Slide(START, _("Start"), facts={"start": hall["start"]}))
    found += _of_sections(sections, "entries", ENTRIES, _("Entered"))
    found += _of_sections(sections, "out", OUT, _("Out"))
    if all(slide.kind == ANNOUNCEMENT for slide in found):
        found.append(Slide(NOTICE, "", facts=_why_empty(body)))
    return found


def _why_empty(body: Json) -> Json:
    """Return why a screen has nothing to show: the publication of the standings, or no entries."""
    publication = body.get("publication")
    return {"texts": [publication["text"]]} if publication else {"empty": True}


def composed(slides: Sequence[Slide], rotation: Sequence[tuple[str, int]], shows: str = "") -> list[Slide]:
    """Return the slides of a screen: those of the rotation in its order, or of the kind that it ``shows``.

    Announcements, and the reason for an empty screen, come first. Without slides of the chosen kind the
    rotation is shown, and without slides of the rotation all slides.
    """
    kept = [slide for slide in slides if slide.kind == shows]
    if kept:
        return kept
    always = [slide for slide in slides if slide.kind in (ANNOUNCEMENT, NOTICE)]
    chosen = [
        replace(slide, seconds=seconds)
        for kind, seconds in rotation
        for slide in slides
        if slide.kind == kind
    ]
    return [*always, *chosen] if always or chosen else list(slides)


def _before_play(hall: Json) -> bool:
    """Whether seats are drawn and nobody has played yet, so that everybody looks for a seat."""
    return bool(hall["draw"]) and hall["draw"]["state"] == "drawn"


def is_called_off(body: Json) -> bool:
    """Whether the event was called off, so that the screen shows only the reason."""
    return bool(body["notes"]) and not body["sections"]


def first_prize(body: Json) -> tuple[int, str] | None:
    """Return the first prize in cents and its currency; None before prizes are posted, or if none is won.

    It is the posted one, and at the end that of the winner: T26 may divide an unclaimed prize.
    """
    payouts = body["hall"]["payouts"]
    if payouts is None or not payouts["prizes_cents"] or is_called_off(body):
        return None
    for section in body["sections"]:
        if section["kind"] == "final" and section["rows"]:
            won_cents = section["rows"][0]["prize_cents"]
            return (won_cents, payouts["currency"]) if won_cents else None
    return payouts["prizes_cents"][0], payouts["currency"]


# Pages --------------------------------------------------------------------------------------------------


def pages_shown(pages: int, cut_page: int | None) -> list[int]:
    """Return the shown pages of a list, counted from 0: all, or the first ones and those around the cut.

    ``cut_page``: the page of the first row below the cut line.
    """
    if pages <= PAGES_MOST:
        return list(range(pages))
    around = range(cut_page - 2, cut_page + 2) if cut_page is not None else ()
    return sorted({*range(PAGES_FIRST), *(page for page in around if 0 <= page < pages)})


def _of_sections(
    sections: Iterable[Json], of_kind: str, kind: str, title: str, notes: Sequence[Json] = ()
) -> list[Slide]:
    found: list[Slide] = []
    note = " ".join(note["text"] for note in notes)
    chosen = [section for section in sections if section["kind"] == of_kind]
    for part, section in enumerate(chosen, start=1):
        rows = [_shown(row, section.get("currency", "")) for row in section["rows"]]
        words = note or section.get("note", "")
        found += _paged(kind, section["title"] or title, _named(rows), part=part, note=words)
    return found


def _paged(kind: str, title: str, rows: list[Json], *, part: int = 1, note: str = "") -> list[Slide]:
    """Cut rows into pages; a line between two pages is also drawn at the end of the first one."""
    pages = [rows[at : at + PAGE_ROWS] for at in range(0, len(rows), PAGE_ROWS)]
    cut = next((at // PAGE_ROWS for at, row in reversed(list(enumerate(rows))) if row.get("cut")), None)
    urgent = f"{title} {len(rows)}" if kind == TIE else ""
    return [
        Slide(
            kind,
            title,
            at + 1,
            len(pages),
            part,
            note,
            _columns(pages[at]),
            pages[at + 1][0].get("cut") if at + 1 < len(pages) else None,
            urgent=urgent,
        )
        for at in pages_shown(len(pages), cut)
    ]


def _columns(rows: list[Json]) -> tuple[tuple[Json, ...], ...]:
    """Put a short list in one column, a longer one in two equal columns."""
    if len(rows) <= COLUMN_ROWS:
        return (tuple(rows),)
    half = (len(rows) + 1) // 2
    return tuple(rows[:half]), tuple(rows[half:])


# Rows ---------------------------------------------------------------------------------------------------


def _shown(row: Json, currency: str) -> Json:
    return {**row, "size": name_size(row["name"]), "currency": currency}


def name_size(name: str) -> str:
    """Return the size class of a name, so that all of it fits."""
    return next((size for most, size in NAME_SIZES if len(name) <= most), "longest")


def _named(rows: list[Json]) -> list[Json]:
    """Mark rows that share a public name, so that the entry number is shown too."""
    often = Counter(row["name"] for row in rows)
    return [{**row, "same_name": often[row["name"]] > 1} for row in rows]


def rows_seated(body: Json) -> list[Json]:
    """Return the rows of the seated stage; without figures while the standings are not live."""
    rows = body["seated"] if "seated" in body else rows_with_seats(body["sections"])
    return _named([_shown(row, "") for row in rows])


def _seats(seated: list[Json]) -> list[Slide]:
    by_name = sorted(seated, key=lambda row: (row["name"].casefold(), row["code"]))
    rows = [{key: value for key, value in row.items() if key != "cut"} for row in by_name]
    pages = [rows[at : at + PAGE_ROWS] for at in range(0, len(rows), PAGE_ROWS)]
    return [
        Slide(SEATS, _("Seats by name"), at, len(pages), columns=_columns(page))
        for at, page in enumerate(pages, start=1)
    ]


def _tables(seated: list[Json]) -> list[Slide]:
    numbers = sorted({row["table"] for row in seated})
    tables = [
        {
            "number": number,
            "rows": sorted((r for r in seated if r["table"] == number), key=lambda r: int(r["box"])),
        }
        for number in numbers
    ]
    pages = [tables[at : at + TABLES_A_PAGE] for at in range(0, len(tables), TABLES_A_PAGE)]
    return [
        Slide(TABLES, _("Seats by table"), at, len(pages), facts={"tables": page})
        for at, page in enumerate(pages, start=1)
    ]


# Other slides -------------------------------------------------------------------------------------------


def _prizes(payouts: Json) -> list[Slide]:
    rows = [
        {"prize": place, "prize_cents": cents, "currency": payouts["currency"]}
        for place, cents in enumerate(payouts["prizes_cents"], start=1)
    ]
    return _paged(PRIZES, _("Prizes"), rows)


def _announcement(said: Json) -> Slide:
    facts, urgent = {"texts": [said["text"]]}, f"announcement {said['id']}"
    return Slide(ANNOUNCEMENT, _("Announcement"), part=said["id"], facts=facts, urgent=urgent)


def _draw(draw: Json) -> Slide:
    title = _("Draw %(n)s") % {"n": draw["number"]}
    return Slide(DRAW, title, facts=draw, urgent=f"{draw['number']} {draw['state']}")
