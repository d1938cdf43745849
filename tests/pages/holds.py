"""What lists, rows and previews of a page say of players, held against the database: for every_word.py."""

from __future__ import annotations

import re

from tests.cast.html import Node
from tests.pages.told import money, ordinal_of, player_rows, words_hold
from tests.pages.truth import (
    Row,
    Truth,
    codes_in,
)

UNDER = ("below", "out", "withdrew", "replaced", "taken_out", "no_show", "disqualified")


def standings_hold(page: Node, truth: Truth) -> dict[str, dict[str, str]]:
    """The public list, section by section; entry → the attributes that its card is filled from."""
    area = next(n for n in page.walk() if n.attrs.get("id") == "standings")
    title, shown = "", dict[str, dict[str, str]]()
    for node in area.walk():
        if node.tag == "h2":
            title = node.text
        elif node.tag == "ol" and "standings" in node.classes:
            rows = section_holds(title, node, truth)
            shown = {**rows, **shown}
        elif node.tag == "ul" and title == "Waiting":
            assert all(truth.entries[c]["status"] == "waiting" for c in codes_in(node.text, truth.entries))
        elif node.tag == "ul" and title == "Entered":
            live = [c for c, e in truth.entries.items() if e["status"] == "live"]
            assert codes_in(node.text, truth.entries) == live
    if truth.mains and truth.event["status"] in ("running", "finished", "paid"):
        closed = truth.event_places()
        assert set(shown) == set(truth.members(truth.mains[-1])) | set(closed)
    return shown


def section_holds(title: str, listed: Node, truth: Truth) -> dict[str, dict[str, str]]:
    """One list of the public page."""
    rows = [n for n in listed.all("li") if "srow" in n.classes]
    lines = {
        at - i for i, at in enumerate(k for k, n in enumerate(listed.all("li")) if "cutrow" in n.classes)
    }
    codes = [row.attrs["data-entry"] for row in rows]
    if title == "Final standings":
        final_holds(rows, codes, lines, truth)
    elif title.startswith(("Play-off", "Sudden death")):
        assert truth.extra is not None
        for row, code in zip(rows, codes, strict=True):
            row_holds(row, truth, truth.extra, code, truth.tie_place(truth.extra, code))
    elif title.startswith("Out after"):
        round_ = truth.mains[int(title[-1]) - 1]
        places = truth.event_places()
        assert sorted(codes) == sorted(set(truth.members(round_)) - truth.went_on(round_))
        for row, code in zip(rows, codes, strict=True):
            row_holds(row, truth, round_, code, places[code])
    else:
        round_ = truth.mains[-1]
        assert codes == truth.order(round_), title
        assert lines == truth.lines(round_), (title, lines, truth.lines(round_))
        for row, code in zip(rows, codes, strict=True):
            row_holds(row, truth, round_, code, truth.place(round_, code))
    return {row.attrs["data-entry"]: row.attrs for row in rows}


def row_holds(row: Node, truth: Truth, round_: Row, code: str, place: str) -> None:
    """One row of the public list: place, name, stack, side of the line, and every word."""
    attrs, where = row.attrs, f"/e/ {row.attrs['data-entry']}"
    assert (attrs["data-place"], row.one(".place")) == (place, place), where
    assert attrs["data-rank"] == ordinal_of(place), where
    assert attrs["data-name"] == truth.name(code) and row.one(".name").startswith(truth.name(code)), where
    chips = f"{truth.chips(round_, code):,}"
    assert (attrs["data-stack"], row.one(".stack")) == (chips, chips), where
    if round_["kind"] == "round":
        assert ("is-under" in row.classes) == (truth.side(round_, code) in UNDER), where
    for text in (row.one(".name"), attrs["data-gap"], attrs["data-chance"], attrs["data-where"]):
        words_hold(text, truth, round_, code, where)


def final_holds(rows: list[Node], codes: list[str], lines: set[int], truth: Truth) -> None:
    """Every place with its prize, best first."""
    placed = {c: e for c, e in truth.entries.items() if e["place"] is not None}
    assert codes == sorted(placed, key=lambda c: (placed[c]["place"], placed[c]["number"]))
    paying = sum(truth.prize(c) > 0 for c in codes)
    assert lines == ({paying} if 0 < paying < len(codes) else set())
    for row, code in zip(rows, codes, strict=True):
        assert row.one(".place") == truth.final_place(code), code
        assert row.attrs["data-rank"] == ordinal_of(truth.final_place(code)), code
        assert row.one(".change") == f"{placed[code]['final_chips']:,}"
        assert (money(row.one(".stack")) if row.one(".stack") else 0) == truth.prize(code)
        assert ("is-under" in row.classes) == (not truth.prize(code))
        for text in (row.one(".name"), row.attrs["data-gap"]):
            words_hold(text, truth, truth.mains[-1], code, "/e/ final")


def seats_hold(page: Node, truth: Truth) -> None:
    """The public chart: everybody with a seat in the stage that was seated last, and nobody else."""
    last = truth.rounds[-1]["id"] if truth.rounds else None
    taken = {c: seat for (pk, c), seat in truth.seats.items() if pk == last}
    lines = {c: n for c, n in player_rows(page, truth) if n.tag == "tr"}
    assert set(lines) == set(taken)
    for code, line in lines.items():
        assert [int(n.text) for n in line.all("td")[1:]] == list(taken[code])
    for code, line in player_rows(page, truth):
        if line.tag == "li":
            assert line.one(".no") == str(taken[code][1])


def seat_card_holds(said: str, truth: Truth, code: str) -> None:
    """What is printed under the name: a seat, a place in line, that one will be drawn, or that it is over."""
    standing, entry = truth.standing(code), truth.entries[code]
    open_rounds = [r["id"] for r in truth.rounds if r["status"] != "closed"]
    seats = [truth.seats[pk, code] for pk in open_rounds if (pk, code) in truth.seats]
    if standing not in ("in the event", "alternate") or truth.event["status"] not in ("open", "running"):
        assert said == f"{standing[0].upper()}{standing[1:]}: this card is no longer valid", (code, said)
    elif seats:
        assert said == "Table {}, box {}".format(*seats[-1]), (code, said)
    elif entry["status"] == "waiting" and truth.mains and truth.mains[0]["status"] != "seated":
        assert said == "Not seated: your buy-in goes back at the desk", (code, said)
    elif entry["status"] == "waiting":
        assert said == f"Alternate number {truth.waiting().index(code) + 1}: stay near the desk"
    else:
        played = any((r["id"], code) in truth.stacks for r in truth.rounds)
        assert said == (
            "Your next seat is drawn before the round"
            if played
            else "Your seat is drawn when the desk closes"
        )


def tonight_holds(page: Node, truth: Truth) -> None:
    """Who is round the cut, with the line where it is, or who plays for a tie; prizes; hands of tables."""
    stage = truth.extra or (truth.mains[-1] if truth.mains else None)
    over = truth.event["status"] in ("finished", "paid")
    listed = next((n for n in page.all("ol") if "cutlist" in n.classes), None)
    if listed is not None:
        assert stage is not None
        rows = [n for n in listed.all("li") if "ranked" in n.classes]
        codes = [codes_in(row.text, truth.entries)[0] for row in rows]
        order = tonight_order(truth, stage, over)
        start = order.index(codes[0])
        assert codes == order[start : start + len(codes)], (codes, order)
        if stage["kind"] == "round" and not over:
            items = listed.all("li")
            drawn = {at - i for i, at in enumerate(k for k, n in enumerate(items) if "cutrow" in n.classes)}
            wanted = {at - start for at in truth.lines(stage)}
            assert drawn == {at for at in wanted if 0 <= at < len(codes)}
        for row, code in zip(rows, codes, strict=True):
            tonight_row_holds(row, truth, stage, code, over)
    for row in [n for n in page.all("li") if n.all(".rankcol") and not {"ranked", "cutsince"} & {*n.classes}]:
        (code,) = set(codes_in(row.text, truth.entries))
        assert row.one(".rankcol") == truth.final_place(code)
        words_hold(row.text, truth, truth.mains[-1], code, "tonight, prizes")
    for line in page.all(".tablelines")[0].all("li") if page.all(".tablelines") else []:
        table, hands = re.search(r"Table (\d+).*?(\d+) hands?", line.text).groups()
        assert stage is not None and int(hands) == truth.hands(stage, int(table))


def tonight_order(truth: Truth, stage: Row, over: bool) -> list[str]:
    """The order in which 'Tonight' has to list players."""
    if over:
        placed = {c: e for c, e in truth.entries.items() if e["place"] is not None}
        return sorted(placed, key=lambda c: (placed[c]["place"], placed[c]["number"]))
    if stage["kind"] == "round":
        return truth.order(stage)
    if stage["kind"] == "sudden_death":
        rank = {"ranked": 0}
        return sorted(
            truth.members(stage),
            key=lambda c: (
                int(truth.tie_place(stage, c).lstrip("=")),
                rank.get(truth.tie_side(stage, c), 1),
                c,
            ),
        )
    tier = {"advances": 0, "playing": 1, "absent": 1, "out": 2}
    return sorted(
        truth.members(stage),
        key=lambda c: (
            tier[truth.tie_side(stage, c)],
            truth.absent(stage, c),
            0 if truth.absent(stage, c) else -truth.chips(stage, c),
            c,
        ),
    )


def tonight_row_holds(row: Node, truth: Truth, stage: Row, code: str, over: bool) -> None:
    """One row of the panel."""
    label, chips = row.one(".rankcol"), int(row.one("strong").replace(",", ""))
    if over:
        assert (label, chips) == (truth.final_place(code), truth.entries[code]["final_chips"])
        words_hold(row.text, truth, truth.mains[-1], code, "tonight, final")
        return
    place = truth.place(stage, code) if stage["kind"] == "round" else truth.tie_place(stage, code)
    assert (label, chips) == (place, truth.chips(stage, code)), row.text
    words_hold(row.text, truth, stage, code, "tonight")


PILLS = {
    "above": "Above the cut",
    "uncut": "Nobody is cut",
    "level": "On the line",
    "below": "Below the cut",
    "advances": "Advances",
    "plays_off": "Plays off",
    "tied": "Tied at the cut",
    "out": "Out",
    "playing": "",
    "ranked": "",
    "withdrew": "Withdrew",
    "replaced": "Replaced",
    "taken_out": "Taken out",
    "no_show": "No-show",
    "disqualified": "Disqualified",
}


def round_page_holds(page: Node, truth: Truth, round_: Row) -> None:
    """The ranking of a round: order, line, place, pill, stack; and the names in the sentences above it."""
    (listed,) = page.all(".ranking")
    items = listed.all("li")
    rows = [n for n in items if "srow" in n.classes]
    codes = [codes_in(row.text, truth.entries)[0] for row in rows]
    assert codes == [*truth.order(round_), *truth.missing(round_)]
    drawn = {at - i for i, at in enumerate(k for k, n in enumerate(items) if "cutrow" in n.classes)}
    assert drawn == truth.lines(round_), (drawn, truth.lines(round_))
    for row, code in zip(rows, codes, strict=True):
        side = truth.side(round_, code)
        # Above the list it is said once that nobody is cut.
        pill = "" if side == "uncut" else PILLS[side]
        assert (row.one(".place"), row.one(".pill")) == (truth.place(round_, code), pill), code
        assert int(row.one(".stack").replace(",", "")) == truth.chips(round_, code)
        assert ("is-under" in row.classes) == (side in UNDER)
        words_hold(row.text, truth, round_, code, f"rounds/{round_['id']}/")
    for sentence in [
        n.text for n in page.all("p") if "are playing off" in n.text or "have the same chips" in n.text
    ]:
        tied = sorted(c for c in codes if truth.side(round_, c) == "plays_off")
        assert sorted(codes_in(sentence, truth.entries)) == tied


def tie_page_holds(page: Node, truth: Truth, round_: Row) -> None:
    """The players of a play-off or sudden death."""
    (listed,) = page.all(".ranking")
    rows = listed.all("li")
    codes = [codes_in(row.text, truth.entries)[0] for row in rows]
    assert codes == tonight_order(truth, round_, over=False)
    words = {
        "advances": "Advances",
        "out": "Out",
        "ranked": "Decided",
        "absent": "Absent",
        "playing": "Still playing",
    }
    for row, code in zip(rows, codes, strict=True):
        assert row.one(".place") == truth.tie_place(round_, code), code
        assert row.one(".pill") == words[truth.tie_side(round_, code)], code
        assert int(row.one(".stack").replace(",", "")) == truth.chips(round_, code)
        words_hold(row.text, truth, round_, code, f"rounds/{round_['id']}/")
    for group, line in zip(
        truth.stakes(round_).get("groups", []),
        [n for ul in page.all(".groups") for n in ul.all("li")],
        strict=False,
    ):
        assert sorted(codes_in(line.text, truth.entries)) == sorted(group["entries"])


def preview_holds(table: Node, round_: Row, now: Truth, then: Truth) -> None:
    """T17: stack, rank and cut as they are, and as they would be; and nobody who would notice is left out."""
    told = dict(player_rows(table, now))
    noticed = {
        c
        for c in now.members(round_)
        if (now.chips(round_, c), now.place(round_, c).lstrip("="), now.side(round_, c))
        != (then.chips(round_, c), then.place(round_, c).lstrip("="), then.side(round_, c))
    }
    assert noticed <= set(told)
    for code, line in told.items():
        said = {n.attrs["data-label"]: n.text.split(" → ") for n in line.all("td")}
        for at, truth in ((0, now), (-1, then)):
            assert int(said["Stack"][at].replace(",", "")) == truth.chips(round_, code)
            assert said["Rank"][at] == truth.place(round_, code).lstrip("=")
            side = PILLS[truth.side(round_, code)]
            # Where nobody is cut there is no such column, and nobody has a word for it.
            assert ("Cut" in said or not side) and said.get("Cut", ["–", "–"])[at] == (side or "–"), line.text
