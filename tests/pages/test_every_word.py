"""A whole night, stopped at every state: each page that names a player says what the database says.

``truth`` works out what is so by plain SQL, ``told`` reads the pages. A page says nothing of a player that is
not known there and checked: place, seat, stack, side of the cut, tie, how somebody left, money, every count
of players.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tables.models import Deal, Seat
from tables.services import (
    dealing,
    draws,
    seating,
)
from tests.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tests.pages.at_tables import logged_in
from tests.pages.told import (
    Node,
    Page,
    counts_hold,
    money,
    names_hold,
    ordinal_of,
    player_rows,
    read,
    words_hold,
)
from tests.pages.told_figures import figures_hold
from tests.pages.truth import (
    Row,
    Truth,
    codes_in,
)
from tests.tables.cast import close, count_both, draw_and_seat, event_make, hand, shoe_of, shoe_over
from tournament.models import ChipEntry, Event, Round, Stack
from tournament.roles import ROLES
from tournament.services import entries, events, payments, payouts, refunds, requests
from tournament.services.rounds import round_close, tie_rule
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.django_db, pytest.mark.long]

NAMES = ["Ada", "Bea", "Cyd", "Dov", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lea"]
UNDER = ("below", "out", "withdrew", "replaced", "taken_out", "no_show", "disqualified")


class Reader:
    """Somebody of every role, who opens the pages of an event and holds each against the database."""

    def __init__(self, event: Event) -> None:
        self.event, self.client, self.seen = event, logged_in(*ROLES), set[str]()
        self.wrong: list[str] = []
        self.stop = 0

    def hold(self) -> None:
        """Every page of the event, as it is now."""
        self.event.refresh_from_db()
        standings_recompute(event_id=self.event.pk)
        self.truth, self.stop = Truth(self.event.pk), self.stop + 1
        # What every entry has of its own is looked at by turns: all of it at every third stop.
        self.turn = sorted(self.truth.entries)[self.stop % 3 :: 3]
        wrong = []
        for part in (self.public, self.desk, self.floor, self.stages, self.prizes):
            try:
                part()
            except AssertionError as untrue:
                wrong.append(f"stop {self.stop}, {part.__name__}: {untrue}")
        self.wrong += wrong

    def get(self, name: str, address: str, round_: Row | None = None, **query: str) -> Node:
        """One page, its names and its counts held; ``name`` is that of the address."""
        answer = self.client.get(address, query)
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        self.seen.add(name)
        page = Page(address, read(answer.content.decode()), self.truth, round_)
        names_hold(page.tree, self.truth, address)
        if self.truth.mains or name in (
            "tables:tonight",
            "tournament:desk",
            "tables:boxes",
            "tournament:prizes",
        ):
            counts_hold(page)
        figures_hold(name, page.tree, self.truth, round_)
        return page.tree

    def staff(self, name: str, tail: str = "", round_: Row | None = None, **query: str) -> Node:
        """A staff page of the event."""
        return self.get(name, f"/staff/{self.event.slug}/{tail}", round_, **query)

    # The phone ----------------------------------------------------------------------------------------

    def public(self) -> None:
        """Standings, the card of everybody, seats, draws."""
        slug, truth = self.event.slug, self.truth
        page = self.get("tournament:leaderboard", f"/e/{slug}/")
        self.get("tournament:standings", f"/e/{slug}/standings")
        shown = standings_hold(page, truth)
        for code, attrs in shown.items():
            if code not in self.turn:
                continue
            card = self.get("tournament:leaderboard", f"/e/{slug}/", you=code).all(".you")[0]
            said = {n.attrs["data-slot"]: n.text for n in card.walk() if "data-slot" in n.attrs}
            assert said["entry"] == code and said["name"] == attrs["data-name"], code
            for slot in ("rank", "gap", "chance", "stack", "where"):
                assert said[slot] == attrs[f"data-{slot}"], (code, slot)
        seats_hold(self.get("tournament:seats", f"/e/{slug}/seats/"), truth)
        self.get("tournament:draws", f"/e/{slug}/draws/")
        self.get("tournament:draw", f"/e/{slug}/draws/1/")
        self.get("tournament:prizes", f"/e/{slug}/prizes/")
        for name, address in (("tournament:events", "/"), ("tournament:house", "/house/")):
            line = next(n for n in self.get(name, address).all("li") if self.event.name in n.text)
            assert re.search(r"(\d+) entrants?", line.text)[1] == str(truth.entrants()["entrants"]), address

    # The desk -----------------------------------------------------------------------------------------

    def desk(self) -> None:
        """The lists of the desk, every entry with its receipt, and who is looked for."""
        truth, desk = self.truth, self.staff("tournament:desk", "desk/", all="1")
        named = self.rows_hold(desk, "desk/")
        assert set(named) == set(truth.entries)
        listed = [n for n in desk.all("ol") if "lines" in n.classes]
        assert codes_in(listed[0].text if listed else "", truth.entries) == truth.waiting()
        for code in self.turn:
            self.entry(code)
            found = self.staff("tournament:desk", "desk/", q=truth.full_name(code))
            self.rows_hold(found, f"desk/?q={code}")

    def entry(self, code: str) -> None:
        """The page of an entry: where it stands, its rounds, its money; and its seat card."""
        truth, page = self.truth, self.staff("tournament:entry", f"entries/{code}/")
        now = truth.extra or (truth.mains[-1] if truth.mains else {"kind": "round", "id": 0, "number": 0})
        head = page.one(".sub")
        assert truth.standing(code) in head, (code, head)
        words_hold(re.sub(r"number \d+", "", head), truth, now, code, f"entries/{code}/")
        figures = dict(zip((n.text for n in page.all("dt")), (n.text for n in page.all("dd")), strict=False))
        assert figures["Place in the event"] == truth.place_so_far(code)
        assert (money(figures["Prize"]) if "$" in figures["Prize"] else 0) == truth.prize(code)
        played = [r for r in truth.rounds if (r["id"], code) in truth.stacks]
        lines = [n for n in page.all("tr") if n.all("td") and re.match(r"(Round|Play-off|Sudden)", n.text)]
        assert len(lines) == len(played)
        for round_, line in zip(played, lines, strict=True):
            _began, chips, place, _said = (n.text for n in line.all("td"))
            assert int(chips.replace(",", "")) == truth.chips(round_, code), (code, line.text)
            wanted = truth.place(round_, code) if round_["kind"] == "round" else truth.tie_place(round_, code)
            assert place == wanted, (code, line.text)
            words_hold(line.all("td")[-1].text, truth, round_, code, f"entries/{code}/")
        card = self.staff("tournament:receipt", f"entries/{code}/receipt/").all(".seatcard")[0]
        seat_card_holds(card.one(".muted"), truth, code)

    # The floor ----------------------------------------------------------------------------------------

    def floor(self) -> None:
        """Draw, seating of every stage, seat cards, tables, counts, hands."""
        truth = self.truth
        self.staff("tables:draw", "draw/")
        self.staff("tables:boxes", "boxes/")
        self.staff("tables:seating", "seating/", truth.rounds[-1] if truth.rounds else None)
        for round_ in truth.rounds:
            taken = {c: seat for (pk, c), seat in truth.seats.items() if pk == round_["id"]}
            chart = self.staff("tables:seating", "seating/", round_, round=str(round_["id"]))
            by_name = [n for n in chart.all("ul") if "namelist" in n.classes]
            lines = {c: n.text for c, n in player_rows(by_name[0], truth)} if by_name else {}
            assert set(lines) == set(taken)
            assert all(f"table {t}, box {b}" in lines[c] for c, (t, b) in taken.items())
            for table in {t for t, _ in taken.values()}:
                cards = self.staff("tables:seat_cards", f"seating/{round_['id']}/{table}/cards/", round_)
                for card in cards.all(".seatcard"):
                    (code,) = set(codes_in(card.text, truth.entries))
                    assert f"table {table}, box {taken[code][1]}" in card.text and taken[code][0] == table
            self.asked_first(round_)
        self.tables()

    def asked_first(self, round_: Row) -> None:
        """What is asked before a seat is given up, a box filled or a qualifier replaced, of one each."""
        truth = self.truth
        seats = Seat.objects.filter(round=round_["id"], vacated_at__isnull=True).order_by(
            "table__number", "box"
        )
        seat = seats.select_related("table").first()
        if seat is None:
            return
        code = truth.codes[seat.entry_id]
        leaves = self.staff("tables:seat_no_show", f"seating/{seat.pk}/no-show/", round_)
        comes = self.staff("tables:seat_fill", f"seating/{round_['id']}/{seat.table.number}/7/", round_)
        if (round_["kind"], round_["number"], round_["status"]) == ("round", 1, "seated"):
            assert leaves.one("h2") == f"{truth.full_name(code)}, {code}, has not come"
            assert f"Table {seat.table.number}, box {seat.box} becomes free" in leaves.text
        if comes.all("option"):
            assert comes.one("h2") == f"Table {seat.table.number}, box 7"
            assert codes_in(comes.text, truth.entries) == truth.waiting()
        if round_["status"] == "closed" and round_ == truth.mains[-1]:
            replaces_hold(self, round_)

    def tables(self) -> None:
        """Every table of the stage that is played: who sits where, stacks, who is absent; its hands."""
        truth = self.truth
        stage = truth.extra or next((r for r in truth.mains if r["status"] != "closed"), None)
        floor = self.staff("tables:floor", "tables/", stage)
        if stage is None or self.event.status != Event.Status.RUNNING:
            return
        seats = {seat: c for (pk, c), seat in truth.seats.items() if pk == stage["id"]}
        for table in sorted({t for t, _ in seats}):
            panel = next(n for n in floor.all(".floor-table") if n.one("h2") == f"Table {table}")
            players = int(re.search(r"(\d+) players?", panel.text)[1])
            assert players == sum(t == table for t, _ in seats)
            hands = re.search(r"(\d+) hands?\b", panel.text)
            assert not hands or int(hands[1]) == truth.hands(stage, table)
            self.table(stage, table, seats)

    def table(self, stage: Row, table: int, seats: dict[tuple[int, int], str]) -> None:
        """One table's page and what hangs on it."""
        truth = self.truth
        page = self.staff("tables:table", f"tables/{table}/", stage)
        for box in page.all(".box"):
            number = int(box.attrs["id"].removeprefix("box-"))
            code = seats.get((table, number))
            assert box.one(".who-sits") == (truth.name(code) if code else ""), (table, number)
            if code and box.one(".stack"):
                # Of who is decided in a tie what they ended with: its chips are given back (T23).
                lies = truth.stacks[stage["id"], code]["chips"]
                wanted = lies if stage["kind"] == "round" else truth.chips(stage, code)
                assert int(box.one(".stack").replace(",", "")) == wanted, (table, number)
                if "Absent" in box.text or "absent" in box.text:
                    assert truth.absent(stage, code)
        self.staff("tables:deals", "deals/", stage, table=str(table))
        if stage["kind"] != "round":
            return  # nothing of a tie is counted (T33)
        self.staff("tables:count", f"tables/{table}/count/", stage)
        sheet = self.staff("tables:count_sheet", f"tables/{table}/count/sheet/", stage)
        for code, line in player_rows(sheet, truth):
            assert line.one("th") == str(truth.seats[stage["id"], code][1]), line.text

    # Ranking, cut, ties -------------------------------------------------------------------------------

    def stages(self) -> None:
        """Tonight, the page of every stage, the last look before it is closed, what a correction would do."""
        truth = self.truth
        tonight_holds(self.staff("tables:tonight"), truth)
        for round_ in truth.rounds:
            page = self.staff("tables:round", f"rounds/{round_['id']}/", round_)
            if round_["kind"] == "round":
                round_page_holds(page, truth, round_)
            else:
                tie_page_holds(page, truth, round_)
            last = self.staff("tables:round_close", f"rounds/{round_['id']}/close/", round_)
            if round_["kind"] == "round" and round_["cut_to"] is not None:
                assert codes_in(last.one(".advance"), truth.entries) == self.to_advance(round_)
            self.correction(round_)

    def to_advance(self, round_: Row) -> list[str]:
        """Who advances by the close that is asked for; nobody where it cannot be closed now."""
        sides = {code: self.truth.side(round_, code) for code in self.truth.order(round_)}
        if round_["status"] != "counted" or not set(sides.values()).isdisjoint(
            ("tied", "plays_off", "level")
        ):
            return []
        return [code for code, side in sides.items() if side in ("advances", "above", "uncut")]

    def correction(self, round_: Row) -> None:
        """T17: the newest hand of a round that is open, were it void: what is now, and what would be."""
        deals = Deal.objects.filter(shoe__round=round_["id"], status=Deal.Status.SETTLED).order_by("-pk")
        deal = deals.first()
        if deal is not None:
            self.staff("tables:replay", f"deals/{deal.pk}/replay/", round_)
        if deal is None or round_["kind"] != "round" or round_["status"] not in ("playing", "counted"):
            return
        address = f"/staff/{self.event.slug}/deals/{deal.pk}/correct/"
        form = self.get("tables:correct", address, round_)
        hidden = {
            n.attrs["name"]: n.attrs.get("value", "")
            for n in form.all("input")
            if n.attrs.get("type") == "hidden"
        }
        answer = self.client.post(address, {**hidden, "how": "void", "do": "preview", "key": new_key()})
        after = Truth(self.event.pk)
        for box, net in (deal.answer or {})["net"].items():
            code = after.codes[deal.entries[box]]
            after.stacks[round_["id"], code]["chips"] -= net
        # A ruling on the count goes with the count (T18).
        for leg in ChipEntry.objects.filter(transaction__source=f"count:{deal.shoe_id}", stack__isnull=False):
            code = after.codes[leg.stack.entry_id]
            after.stacks[round_["id"], code]["chips"] -= leg.amount_chips
        preview = read(answer.content.decode()).all(".preview")
        if answer.status_code == 200 and preview:
            preview_holds(preview[0], round_, self.truth, after)

    # Money --------------------------------------------------------------------------------------------

    def prizes(self) -> None:
        """Who is owed what, and who has it."""
        truth = self.truth
        self.staff("tournament:requests", "requests/")
        self.staff("tournament:payouts", "payouts/")
        self.staff("tournament:journal", "journal/")
        self.staff("tournament:refunds", "refunds/")
        if self.event.status == Event.Status.CALLED_OFF:
            return  # no prize: the buy-ins go back
        page = self.staff("tournament:pay", "pay/")
        owed = self.rows_hold(page, "pay/")
        assert set(owed) == {c for c in truth.entries if truth.prize(c)}
        for code, line in owed.items():
            assert line.one("td") == truth.final_place(code)
            if code in truth.paid:
                receipt = self.staff("tournament:pay_receipt", f"pay/{code}/receipt/")
                assert (
                    truth.full_name(code) in receipt.text and money(receipt.one(".huge")) == truth.paid[code]
                )
            else:
                form = self.staff("tournament:pay_entry", f"pay/{code}/")
                assert ordinal_of(truth.final_place(code).lstrip("=")) in form.one(".sub")
                assert money(form.one(".huge")) == truth.prize(code)

    def rows_hold(self, page: Node, where: str) -> dict[str, Node]:
        """Every row that names a player says nothing but what is so."""
        truth = self.truth
        stage = truth.extra or (truth.mains[-1] if truth.mains else {"kind": "round", "id": 0, "number": 0})
        found = player_rows(page, truth)
        for code, row in found:
            words_hold(row.text, truth, stage, code, where)
        return dict(found)


def replaces_hold(reader: Reader, round_: Row) -> None:
    """T25: who takes the place of a qualifier: the best who is out, or several tied."""
    truth = reader.truth
    through = sorted(truth.went_on(round_))
    if not through or round_["cut_to"] is None:
        return
    page = reader.staff("tables:entry_replace", f"seating/replace/{through[0]}/", round_)
    if "This cannot be done now" in page.text:
        return
    assert page.one("h2") == f"Replace {truth.full_name(through[0])}, {through[0]}"
    live = [c for c in truth.able(round_) if truth.entries[c]["status"] == "live"]
    out = [c for c in live if truth.side(round_, c) == "out"]
    best = [c for c in out if truth.chips(round_, c) == max(truth.chips(round_, each) for each in out)]
    if len(best) == 1:
        assert f"{best[0]}, {truth.full_name(best[0])}, is next in the frozen standings" in page.text
    elif best:
        assert "Several are tied as next" in page.text and set(codes_in(page.text, best)) == set(best)
    else:
        assert "Nobody is left who could take the place" in page.text


# What one page has to show -------------------------------------------------------------------------


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


# Nights ---------------------------------------------------------------------------------------------

# The pages that a night opens at every stop where they are: each is really looked at.
READ = {
    *("tournament:events", "tournament:house", "tournament:leaderboard", "tournament:standings"),
    *("tournament:seats", "tournament:draws", "tournament:draw", "tournament:prizes", "tournament:desk"),
    *("tournament:entry", "tournament:receipt", "tournament:requests", "tournament:payouts"),
    *("tournament:pay", "tournament:pay_entry", "tournament:pay_receipt", "tournament:journal"),
    *("tables:tonight", "tables:draw", "tables:boxes", "tables:seating", "tables:seat_cards", "tables:floor"),
    *("tables:table", "tables:count", "tables:count_sheet", "tables:deals", "tables:correct"),
    *("tables:round", "tables:round_close", "tables:replay", "tournament:refunds"),
    *("tables:seat_no_show", "tables:seat_fill", "tables:entry_replace"),
}


def named(event: Event, names: list[str]) -> None:
    """Sell an entry to each of these, whose names differ in their first letter."""
    for number, name in enumerate(names):
        family = f"{chr(ord('Z') - number)}urner"
        EntryFactory(event=event, player=PlayerFactory(given_name=name, family_name=family))


def by_entry(round_: Round) -> dict[str, tuple[int, int]]:
    """Entry → table and box, as they sit now."""
    seats = Seat.objects.filter(round=round_, vacated_at__isnull=True).select_related("entry", "table")
    return {seat.entry.code: (seat.table.number, seat.box) for seat in seats}


def played(round_: Round, words: dict[str, tuple[int, str]]) -> None:
    """One hand at every table that has a player of these: entry → bet and result."""
    seats = by_entry(round_)
    for table in sorted({seats[code][0] for code in words}):
        here = {seats[code][1]: each for code, each in words.items() if seats[code][0] == table}
        hand(
            shoe_of(round_, table),
            {b: bet for b, (bet, _) in here.items()},
            **{f"b{b}": w for b, (_, w) in here.items()},
        )


def count(round_: Round, reader: Reader) -> None:
    """The cut card is out and two people count, table by table; looked at in between."""
    for shoe in round_.shoes.order_by("table__number"):
        shoe_over(shoe)
    reader.hold()
    for shoe in round_.shoes.order_by("table__number"):
        count_both(shoe_of(round_, shoe.table.number))
    round_.refresh_from_db()


def prizes_post(event: Event, *amounts: int) -> None:
    structure = {"kind": "fixed", "amounts": list(amounts)}
    payouts.payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=None)


def approve(asked: dict[str, Any]) -> None:
    requests.request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=UserFactory())


def disqualify(event: Event, code: str, reader: Reader) -> None:
    entry = event.entries.get(code=code)
    asked = entries.entry_disqualify_request(
        entry_id=entry.pk, reason="marked", key=new_key(), actor=UserFactory()
    )
    reader.hold()
    approve(asked)


def test_T20_T23_T25_T26_every_word_of_a_whole_night_is_so():
    """Ten buy in for two tables of four: a withdrawal, a no-show and its alternate, an absent player, a void
    hand, a tie of three for two seats, a replaced qualifier, two disqualified, three rounds, every prize."""
    event = EventFactory(
        settings={
            "public_input": False,
            "tables_count": 2,
            "boxes_per_table": 4,
            "cut_after_round_1": 4,
            "cut_after_round_2": 3,
        }
    )
    reader = Reader(event)
    reader.hold()
    named(event, NAMES[:10])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader.hold()
    entries.entry_withdraw(entry_id=event.entries.get(code="E003").pk, key=new_key(), actor=None)
    reader.hold()
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    reader.hold()
    round_ = Round.objects.get(pk=draws.round_seat(draw_id=locked["draw"])["round"])
    reader.hold()
    first_round(event, round_, reader)
    prizes_post(event, 300_00, 200_00)
    reader.hold()
    second_round(event, reader)
    final_round(event, reader)
    assert not reader.wrong, "\n\n".join(reader.wrong)
    assert reader.seen == READ


def first_round(event: Event, round_: Round, reader: Reader) -> None:
    """Round 1, its tie and what comes between the rounds."""
    seat = Seat.objects.filter(round=round_).order_by("table__number", "box")[0]
    seating.seat_no_show(seat_id=seat.pk, refund=False, reason="", key=new_key(), actor=None)
    reader.hold()
    seating.seat_fill(round_id=round_.pk, table_id=seat.table_id, box=seat.box, key=new_key(), actor=None)
    reader.hold()
    codes = sorted(by_entry(round_))
    played(round_, dict.fromkeys(codes, (200, "push")))
    opened = dealing.deal_open(
        shoe_id=shoe_of(round_, 1).pk,
        bets={box: 200 for table, box in by_entry(round_).values() if table == 1},
        key=new_key(),
        actor=None,
    )
    reader.hold()
    dealing.deal_void(deal_id=opened["deal"], reason="misdeal", key=new_key(), actor=None)
    reader.hold()
    # Two are above, three level for two of the seats, two below, and one who was disqualified.
    results = [(1000, "win"), (600, "win"), *[(200, "win")] * 3, (200, "lose"), (400, "lose"), (800, "win")]
    played(round_, dict(zip(codes, results, strict=True)))
    reader.hold()
    disqualify(event, codes[7], reader)
    away = Stack.objects.get(round=round_, entry__code=codes[6])
    seating.stack_absent(stack_id=away.pk, absent=True, reason="called away", key=new_key(), actor=None)
    reader.hold()
    count(round_, reader)
    reader.hold()
    play_off(event, codes[2:5], reader)
    reader.hold()
    close(round_)
    reader.hold()
    replaced = event.entries.get(code=codes[0])
    seating.entry_replace(entry_id=replaced.pk, reason="ill", key=new_key(), actor=None)
    reader.hold()
    disqualify(event, codes[6], reader)
    reader.hold()


def play_off(event: Event, tied: list[str], reader: Reader) -> None:
    """Three for two seats: one wins at once, then one of the other two is absent."""
    stage = draw_and_seat(event)
    reader.hold()
    played(stage, {tied[0]: (200, "win"), tied[1]: (200, "push"), tied[2]: (200, "push")})
    reader.hold()
    away = Stack.objects.get(round=stage, entry__code=tied[1])
    seating.stack_absent(stack_id=away.pk, absent=True, reason="not there", key=new_key(), actor=None)
    reader.hold()
    dealing.round_look(round_id=stage.pk, key=new_key(), actor=None)
    stage.refresh_from_db()
    assert stage.status == Round.Status.COUNTED
    reader.hold()
    close(stage)


def second_round(event: Event, reader: Reader) -> None:
    """Four play, three go on; a qualifier withdraws after the seats are drawn, before the first bet."""
    round_ = draw_and_seat(event)
    reader.hold()
    codes = sorted(by_entry(round_))
    stacks = {s.entry.code: s.chips for s in round_.stacks.select_related("entry")}
    codes.sort(key=lambda code: (-stacks[code], code))
    played(round_, dict(zip(codes, [(1000, "win"), (600, "win"), (200, "win"), (200, "lose")], strict=True)))
    reader.hold()
    count(round_, reader)
    reader.hold()
    close(round_)
    reader.hold()


def final_round(event: Event, reader: Reader) -> None:
    """Three play, nobody level; then the prizes, one by one."""
    round_ = draw_and_seat(event)
    reader.hold()
    codes = sorted(by_entry(round_))
    stacks = {s.entry.code: s.chips for s in round_.stacks.select_related("entry")}
    codes.sort(key=lambda code: (-stacks[code], code))
    played(round_, dict(zip(codes, [(1000, "win"), (600, "win"), (200, "win")], strict=True)))
    reader.hold()
    count(round_, reader)
    reader.hold()
    close(round_)
    reader.hold()
    for entry in event.entries.filter(place__lte=2).order_by("place"):
        payments.prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=UserFactory())
        reader.hold()
    event.refresh_from_db()
    assert event.status == Event.Status.PAID


def test_T33_T34_every_word_of_a_sudden_death_of_two_groups_is_so():
    """Four play for two ties: the one for first is decided before the one for third, where one is absent."""
    event = event_make(0, cut_after_round_1=4, cut_after_round_2=4)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader = Reader(event)
    for number in (1, 2, 3):
        round_ = draw_and_seat(event)
        codes = sorted(by_entry(round_))
        best = (
            [(600, "win"), (600, "win"), (200, "win"), (200, "win")] if number == 3 else [(200, "push")] * 4
        )
        played(round_, dict(zip(codes, best, strict=True)))
        reader.hold()
        count(round_, reader)
        close(round_)
        if number == 1:
            prizes_post(event, 400_00, 300_00, 200_00, 100_00)
    reader.hold()
    sudden = draw_and_seat(event)
    reader.hold()
    played(sudden, dict(zip(codes, [(200, "win"), (200, "lose"), (1000, "win"), (1000, "win")], strict=True)))
    reader.hold()
    away = Stack.objects.get(round=sudden, entry__code=codes[3])
    seating.stack_absent(stack_id=away.pk, absent=True, reason="left", key=new_key(), actor=None)
    reader.hold()
    dealing.round_look(round_id=sudden.pk, key=new_key(), actor=None)
    sudden.refresh_from_db()
    assert sudden.status == Round.Status.COUNTED
    reader.hold()
    round_close(round_id=sudden.pk, key=new_key(), actor=None)
    reader.hold()
    event.refresh_from_db()
    assert event.status == Event.Status.FINISHED
    assert not reader.wrong, "\n\n".join(reader.wrong)
    assert list(event.entries.order_by("place").values_list("code", flat=True)) == codes


@pytest.mark.parametrize("method", ["director", "all_advance"])
def test_T23_every_word_of_a_tie_that_is_not_played_off_is_so(method):
    event = event_make(0, cut_after_round_1=2, cut_after_round_2=2, tie_at_cut=method)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader, round_ = Reader(event), draw_and_seat(event)
    codes = sorted(by_entry(round_))
    played(round_, dict(zip(codes, [(1000, "win"), (200, "win"), (200, "win"), (200, "lose")], strict=True)))
    reader.hold()
    count(round_, reader)
    reader.hold()
    if method == "director":
        tie_rule(round_id=round_.pk, advance=[codes[2]], reason="by lot", key=new_key(), actor=None)
        reader.hold()
    close(round_)
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)


def test_T20_every_word_of_who_cannot_cover_the_smallest_bet_is_so():
    """One below the minimum, one exactly at it: the cut shrinks to who can bet."""
    event = event_make(0, cut_after_round_1=3, cut_after_round_2=2, starting_chips=400)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader, round_ = Reader(event), draw_and_seat(event)
    codes = sorted(by_entry(round_))
    played(round_, dict(zip(codes, [(400, "win"), (200, "lose"), (400, "lose"), (400, "lose")], strict=True)))
    reader.hold()
    count(round_, reader)
    reader.hold()
    close(round_)
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)


def test_T8_every_word_of_an_event_that_is_called_off_is_so():
    event = event_make(0, cut_after_round_1=2, cut_after_round_2=2)
    named(event, NAMES[:4])
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    reader, round_ = Reader(event), draw_and_seat(event)
    played(round_, dict.fromkeys(sorted(by_entry(round_)), (200, "win")))
    reader.hold()
    events.event_call_off(event_id=event.pk, reason="power cut", key=new_key(), actor=None)
    reader.hold()
    first = event.entries.get(code="E002")
    refunds.refund_hand_out(entry_id=first.pk, identity_checked=True, key=new_key(), actor=UserFactory())
    reader.hold()
    assert not reader.wrong, "\n\n".join(reader.wrong)
