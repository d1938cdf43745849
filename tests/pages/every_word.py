"""Somebody of every role, who opens every page of an event and holds each against the database."""

from __future__ import annotations

import re

from tables.models import Deal, Seat
from tests.cast.at_tables import logged_in
from tests.cast.factories import new_key
from tests.cast.html import Node, read
from tests.pages.holds import (
    preview_holds,
    round_page_holds,
    seat_card_holds,
    seats_hold,
    standings_hold,
    tie_page_holds,
    tonight_holds,
)
from tests.pages.told import Page, counts_hold, money, names_hold, ordinal_of, player_rows, words_hold
from tests.pages.told_figures import figures_hold
from tests.pages.truth import (
    Row,
    Truth,
    codes_in,
)
from tournament.models import ChipEntry, Event
from tournament.roles import ROLES
from tournament.services.standings import standings_recompute


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
            every = self.staff("tables:seat_cards_all", f"seating/{round_['id']}/cards/", round_)
            of = [codes_in(card.text, truth.entries) for card in every.all(".seatcard")]
            assert of == [[code] for code in sorted(taken, key=lambda each: taken[each])]
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


# The pages that a night opens at every stop where they are: each is really looked at.
READ = {
    *("tournament:events", "tournament:house", "tournament:leaderboard", "tournament:standings"),
    *("tournament:seats", "tournament:draws", "tournament:draw", "tournament:prizes", "tournament:desk"),
    *("tournament:entry", "tournament:receipt", "tournament:requests", "tournament:payouts"),
    *("tournament:pay", "tournament:pay_entry", "tournament:pay_receipt", "tournament:journal"),
    *("tables:tonight", "tables:draw", "tables:boxes", "tables:seating", "tables:seat_cards", "tables:floor"),
    "tables:seat_cards_all",
    *("tables:table", "tables:count", "tables:count_sheet", "tables:deals", "tables:correct"),
    *("tables:round", "tables:round_close", "tables:replay", "tournament:refunds"),
    *("tables:seat_no_show", "tables:seat_fill", "tables:entry_replace"),
}
