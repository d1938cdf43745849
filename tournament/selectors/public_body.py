"""The standings that the public is shown, made from the newest ones: delayed or without any figure."""

from collections.abc import Iterable, Mapping

from tournament.selectors.standings_states import Headline, Json, of

BLANK: Json = {
    "place": None,
    "tied": False,
    "stack_chips": None,
    "change_chips": None,
    "under": False,
    "gap": None,
    "chance": None,
    "word": "",
    "state": "",
}
"""What a row of the standings says of a player beside name and seat: here nothing."""
SEAT = ("code", "name", "table", "box", "call")


def delayed_body(newest: Json, then: Json, publication: Json) -> Json:
    """Return the standings as they were ``then``; seats, announcements, draw and prizes are the newest.

    So is the call to the table: a player who is not in the standings of then is listed with the seat.
    """
    seats = {row["code"]: row for row in seats_only(newest["sections"])}
    sections = [
        {**section, "rows": [_called_now(row, seats) for row in section["rows"]]}
        for section in then["sections"]
    ]
    there = {row["code"] for section in sections for row in section["rows"] if "place" in row}
    missing = [row for code, row in seats.items() if code not in there]
    if missing:
        sections.insert(0, _seated(missing))
    return {**then, "sections": sections, **_always(newest, publication)}


def _called_now(row: Json, seats: Mapping[str, Json]) -> Json:
    """A row of then with the call of now and, as ``seat_now``, the table and box of now."""
    if "place" not in row:
        return row
    now = seats.get(row["code"])
    if now is None:
        return {**row, "call": ""}
    return {**row, "seat_now": [now["table"], now["box"]], "call": now["call"]}


def hidden_body(newest: Json, publication: Json) -> Json:
    """Return who has entered and who sits where, in the order of their names: no chips and no places."""
    sections = [each for each in newest["sections"] if each["kind"] == "entries"]
    seated = seats_only(newest["sections"])
    if seated:
        sections.insert(0, _seated(seated))
    # Not how far it is: that says which hand was the last, and of a tie at the cut.
    stage = newest.get("stage")
    headline = of(Headline.STAGE, stage=stage) if stage else newest["headline"]
    return {"headline": headline, "notes": [], "sections": sections, **_always(newest, publication)}


def _seated(rows: list[Json]) -> Json:
    return {"kind": "seated", "title": None, "rows": rows}


def _always(newest: Json, publication: Json) -> Json:
    """Return what is public in every state; never ``over``, so that phones go on asking."""
    kept: Json = {key: newest[key] for key in ("live", "announcements", "hall") if key in newest}
    return {**kept, "over": False, "seated": seats_only(newest["sections"]), "publication": publication}


def rows_with_seats(sections: Iterable[Json]) -> list[Json]:
    """Return the rows of the stage that is seated: of a tie that is played, or else of the round."""
    for kind in ("tie", "live"):
        rows = [row for section in sections if section["kind"] == kind for row in section["rows"]]
        if any(row.get("table") for row in rows):
            return rows
    return []


def seats_only(sections: Iterable[Json]) -> list[Json]:
    """Return the players who have a seat, by name, and nothing of them that tells how they stand."""
    rows = [row for row in rows_with_seats(sections) if row.get("table")]
    seats = [{**BLANK, **{key: row.get(key, "") for key in SEAT}} for row in rows]
    return sorted(seats, key=lambda row: (row["name"].casefold(), row["code"]))
