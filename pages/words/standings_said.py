"""The stored standings in the language of the reader: each state becomes the text that the templates show."""

from __future__ import annotations

from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.words.standings import (
    NOTES,
    TABLE,
    Said,
    chance_said,
    gap_said,
    headline_said,
    line_said,
    prize_said,
    ruling_said,
    say,
    seat_said,
    seating_said,
    shoe_said,
    title_said,
    word_said,
)
from tournament.selectors.standings_states import Note

Json = dict[str, Any]


def in_words(body: Json) -> Json:
    """The same body with a text for each state; a ``Said`` still knows its state. Places and chips stay.

    ``headline``, the ``text`` of notes and of ``publication``, the ``title`` and ``note`` of sections, and of
    rows ``word``, ``gap``, ``chance``, ``where``, ``seat``, ``seat_at``, ``left``, ``prize`` and ``cut``.
    """
    said = {
        **body,
        "headline": headline_said(body["headline"]),
        "notes": [_note(each) for each in body["notes"]],
        "sections": [_section(each) for each in body["sections"]],
    }
    if "publication" in body:
        said["publication"] = {**body["publication"], "text": _publication(body["publication"])}
    if "seated" in body:
        said["seated"] = [_row(row) for row in body["seated"]]
    return said


def _note(told: Json) -> Json:
    return {"kind": "bad" if told["state"] == Note.CALLED_OFF else "", "text": say(NOTES, told)}


def _section(section: Json) -> Json:
    return {
        **section,
        "title": title_said(section["title"]),
        "note": _section_note(section),
        "rows": [_row(row) if "place" in row else row for row in section["rows"]],
    }


def _section_note(section: Json) -> str:
    if "seating" in section:
        return seating_said(section["seating"], section["boxes_free"])
    return " ".join(ruling_said(each, ", ".join(each["advance"])) for each in section.get("rulings", ()))


def _row(row: Json) -> Json:
    said = {
        **row,
        "word": word_said(row["word"]),
        "gap": gap_said(row["gap"]),
        "chance": chance_said(row["chance"]),
        "where": "",
        **_place_of(row),
    }
    if "shoe" in row:
        said["left"] = shoe_said(row["shoe"], row["hands_left"])
    if row.get("prize_most_cents"):
        said["prize"] = prize_said(row)
    if "cut" in row:
        said["cut"] = line_said(row["cut"])
    return said


def _place_of(row: Json) -> Json:
    """Return where a player sits: the table in the standings, and the seat of now if it is another."""
    then = [row["table"], row["box"]] if row.get("table") else None
    now = row.get("seat_now") or then
    if now is None:
        return {}
    where = str(TABLE % {"table": row["table"]}) if then else ""
    return {"where": where, "seat": seat_said(*now), "seat_at": now}


def _publication(told: Json) -> Said:
    """How the standings are published: hidden, so many minutes behind, or not old enough to be shown."""
    if "behind" in told:
        words = ngettext(
            "Standings are %(n)s minute behind, as of %(time)s.",
            "Standings are %(n)s minutes behind, as of %(time)s.",
            told["behind"],
        )
        return Said(
            words % {"n": told["behind"], "time": date_format(told["at"], "TIME_FORMAT")}, told["state"]
        )
    if "minutes" in told:
        words = ngettext(
            "The standings follow %(n)s minute behind.",
            "The standings follow %(n)s minutes behind.",
            told["minutes"],
        )
        return Said(words % {"n": told["minutes"]}, told["state"])
    return Said(_("The director has hidden the standings."), told["state"])
