"""Figures that belong to no row of one player, or to the frame of it: seats, chips, the cut, the pool, hands.

``FIGURES`` says which pages have which of them; ``figures_hold`` holds a page against ``truth``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator

from tests.cast.html import Node
from tests.pages.told import money, ordinal_of
from tests.pages.truth import (
    Row,
    Truth,
    codes_in,
    rows,
)

Holds = Callable[[Node, Truth, Row], None]


def signed(text: str) -> int:
    """``+400``, ``−1,200`` or ``0`` in chips."""
    return int(text.replace("−", "-").replace("+", "").replace(",", ""))


def chips(text: str) -> int:
    """``1,200`` in chips."""
    return int(text.replace(",", ""))


def figures_hold(name: str, page: Node, truth: Truth, round_: Row | None) -> None:
    """Every such figure of a page; ``name`` is that of its address, ``round_`` the stage that it is about."""
    stage = round_ or truth.extra or (truth.mains[-1] if truth.mains else None)
    for holds in FIGURES.get(name, ()):
        if stage is not None:
            holds(page, truth, stage)


# The cut ------------------------------------------------------------------------------------------------


def cut_gaps_hold(page: Node, truth: Truth, stage: Row) -> None:
    """What stands at the other end of a line of the cut: whose chips it is at, or that a round is closed."""
    if stage["kind"] != "round":
        stage = truth.mains[-1]
    for row in [n for n in page.all("li") if "cutrow" in n.classes and n.one(".gap")]:
        said = row.one(".gap")
        if found := re.fullmatch(r"(\d+)(?:st|nd|rd|th) has ([\d,]+)", said):
            code = truth.order(stage)[int(found[1]) - 1]
            assert truth.chips(stage, code) == chips(found[2]), said
            assert truth.side(stage, code) in ("above", "uncut", "advances"), said
            assert re.match(rf"(Top )?{found[1]} advance", row.text), row.text
        elif found := re.fullmatch(r"at ([\d,]+)", said):
            level, _seats = truth.level(stage)
            assert {truth.chips(stage, code) for code in level} == {chips(found[1])}, said
        elif found := re.fullmatch(r"round (\d) closed(?:, (\d+) seats? (?:is|are) empty)?", said):
            closed = truth.mains[int(found[1]) - 1]
            assert (closed["status"], truth.empty(closed)) == ("closed", int(found[2] or 0)), said
        else:
            assert said == "all are level" and truth.level(stage)[0] == sorted(truth.able(stage)), said


# Seats --------------------------------------------------------------------------------------------------


def chart_holds(page: Node, truth: Truth, stage: Row) -> None:
    """A chart of boxes: who sits at which box of which table, and that nobody is left out."""
    shown = {}
    for panel in page.all("section"):
        title = re.match(r"Table (\d+)\b", panel.one("h2") or panel.one("h3"))
        seats = [n for n in panel.all("li") if "seat" in n.classes]
        if not title or not seats:
            continue
        numbers = [int(seat.one(".no")) for seat in seats]
        assert numbers == sorted(set(numbers))
        found = re.search(r"(\d+) players?\b", panel.text)
        assert not found or int(found[1]) == len(seats), panel.text
        for seat, number in zip(seats, numbers, strict=True):
            for code in codes_in(seat.text, truth.entries):
                shown[code] = (int(title[1]), number)
    assert shown == {c: seat for (pk, c), seat in truth.seats.items() if pk == stage["id"]}


def public_chart_holds(page: Node, truth: Truth, _stage: Row) -> None:
    """The public chart shows the stage that was seated last."""
    chart_holds(page, truth, truth.rounds[-1])


def seat_cards_hold(page: Node, truth: Truth, stage: Row) -> None:
    """The large figures of a card that is put at a box."""
    for card in page.all(".seatcard"):
        (code,) = set(codes_in(card.text, truth.entries))
        assert card.one(".huge") == "{} · {}".format(*truth.seats[stage["id"], code])


def draw_holds(page: Node, truth: Truth, _stage: Row) -> None:
    """The public proof of a draw: its roster, its seats in the order in which they were drawn."""
    number = int(re.search(r"Draw (\d+)", page.one("h2"))[1])
    (draw,) = rows(
        "SELECT * FROM tournament_draw WHERE event_id = %s AND number = %s", truth.event["id"], number
    )
    result, roster = (json.loads(v) if isinstance(v, str) else v for v in (draw["result"], draw["roster"]))
    if roster:
        assert f"{len(roster)} entr" in page.text
    if not result:
        return
    lines = [[n.text for n in line.all("td", "th")] for line in page.all("tr") if line.all("td")]
    assert sorted(lines) == sorted(
        [str(table), str(box), code, ordinal_of(str(at))] for at, (code, table, box) in enumerate(result, 1)
    )
    seated = rows(
        "SELECT e.code, t.number, s.box FROM tables_seat s JOIN tables_table t ON t.id = s.table_id"
        " JOIN tournament_entry e ON e.id = s.entry_id JOIN tournament_round r ON r.id = s.round_id"
        " WHERE r.draw_id = %s",
        draw["id"],
    )
    taken = {(each["code"], each["number"], each["box"]) for each in seated}
    if taken:
        assert {(code, table, box) for code, table, box in result} <= taken


# Chips --------------------------------------------------------------------------------------------------


def changes_hold(page: Node, truth: Truth, stage: Row) -> None:
    """The public list: what the last hand changed, while a round is played; the card beside it."""
    main = truth.mains[-1]
    for row in page.all(".srow"):
        if "is-place" in row.classes:
            continue
        code, said = row.attrs["data-entry"], row.one(".change")
        if said == "" and row.attrs["data-change"] == "":
            continue  # of a round that is closed nothing changes any more
        playing = [r for r in (truth.extra, main) if r is not None and (r["id"], code) in truth.stacks]
        wanted = {truth.stacks[r["id"], code]["last_change_chips"] for r in playing}
        assert signed(said) in wanted and row.attrs["data-change"] == said, (code, said, wanted)
        sign = "gain" if signed(said) > 0 else "loss" if signed(said) < 0 else "even"
        assert row.attrs["data-sign"] == sign, code


def entry_holds(page: Node, truth: Truth, _stage: Row) -> None:
    """The page of an entry: the chips in front of it now, and with how many it began every stage."""
    (code,) = {c for c in truth.entries if page.one(".sub").startswith(c)}
    figures = dict(zip((n.text for n in page.all("dt")), (n.text for n in page.all("dd")), strict=False))
    mine = [r for r in truth.rounds if (r["id"], code) in truth.stacks]
    there = [
        r
        for r in mine
        if r["status"] != "closed" and truth.stacks[r["id"], code]["state"] in ("playing", "absent")
    ]
    now = (there or [r for r in mine if r["kind"] == "round"])[-1:]
    wanted = f"{truth.stacks[now[0]['id'], code]['chips']:,}" if now else "–"
    assert figures["Stack"] in (wanted, "" if wanted == "–" else wanted), (code, figures["Stack"], wanted)
    lines = [n for n in page.all("tr") if n.all("td") and re.match(r"(Round|Play-off|Sudden)", n.text)]
    for round_, line in zip(mine, lines, strict=True):
        began = chips(line.all("td")[0].text)
        assert began == truth.stacks[round_["id"], code]["start_chips"], (code, line.text)


def hands_hold(page: Node, truth: Truth, _stage: Row) -> None:
    """Every hand of a table: what each box bet and what came of it."""
    panels = page.all(".handpanel")
    for panel in panels:
        number = int(re.match(r"Hand (\d+)", panel.one("h2"))[1])
        shown = {}
        for line in [n for n in panel.all("tr") if n.all("td") and n.one(".name")]:
            box, _, who = line.one(".name").partition(" · ")
            bet, net = (n.text for n in line.all("td")[-2:])
            shown[int(box)] = (who, chips(bet), signed(net) if net else None)
        heads = {
            int(n.text.split()[0]): signed(n.text.split()[1])
            for nets in panel.all(".nets")
            for n in nets.all("span")
            if re.fullmatch(r"\d [+−]?[\d,]+", n.text)
        }
        assert heads == {box: net for box, (_, _, net) in shown.items() if net is not None}
        assert shown in [_hand_of(deal, truth) for deal in _deals(truth, number)], (number, shown)


def _deals(truth: Truth, number: int) -> list[Row]:
    return rows(
        "SELECT d.* FROM tables_deal d JOIN tables_shoe s ON s.id = d.shoe_id JOIN tournament_round r"
        " ON r.id = s.round_id WHERE r.event_id = %s AND d.number = %s",
        truth.event["id"],
        number,
    )


def _hand_of(deal: Row, truth: Truth) -> dict[int, tuple[str, int, int | None]]:
    read = {
        k: json.loads(deal[k]) if isinstance(deal[k], str) else deal[k] for k in ("bets", "entries", "answer")
    }
    nets = (read["answer"] or {}).get("net", {})
    codes = {box: truth.codes[read["entries"][box]] for box in read["bets"]}
    return {
        int(box): (f"{truth.name(codes[box])} {codes[box]}", bet, nets.get(box))
        for box, bet in read["bets"].items()
    }


# Money --------------------------------------------------------------------------------------------------


def pool_of(truth: Truth) -> int:
    """T32: buy-ins that were not given back, less the fee, at least the guarantee; none once called off."""
    if truth.event["status"] == "called_off":
        return 0
    bought = rows("SELECT * FROM tournament_moneytransaction WHERE event_id = %s", truth.event["id"])
    undone = {each["reverses_id"] for each in bought if each["reverses_id"]}
    kept = [b["amount_cents"] for b in bought if b["kind"] == "buy_in" and b["id"] not in undone]
    fee, least = truth.settings["fee_cents"], truth.settings["guarantee_cents"] or 0
    return max(sum(kept) - len(kept) * fee, least)


def tonight_pool_holds(page: Node, truth: Truth, _stage: Row) -> None:
    """``pool $1,400`` under the name of the event."""
    said = re.search(r"pool (\$[\d,.]+)", page.one(".sub"))
    assert (said is None) == (truth.event["status"] == "called_off")
    assert not said or money(said[1]) == pool_of(truth)


def prizes_hold(page: Node, truth: Truth, _stage: Row) -> None:
    """The public structure in force, place by place, what it comes to; and the pool."""
    live = [n for n in page.all("section") if "is-posted" in n.classes]
    assert bool(live) == bool(truth.prizes)
    for panel in live:
        lines = [n for n in panel.all("tr") if n.all("td") and re.match(r"\d", n.one("th"))]
        assert [n.one("th") for n in lines] == [
            ordinal_of(str(at)) for at, _ in enumerate(truth.prizes, start=1)
        ]
        assert [money(n.all("td")[-1].text) for n in lines] == truth.prizes
        assert money(panel.all("tfoot")[0].one("td")) == sum(truth.prizes)
    pool = next(n for n in page.all("section") if n.one("h2") == "The pool")
    assert money(pool.all("dd")[-1].text) == pool_of(truth)


def pay_holds(page: Node, truth: Truth, _stage: Row) -> None:
    """``$300.00 of $600.00 paid``, and every prize to the cent."""
    owed = {code: truth.prize(code) for code in truth.entries if truth.prize(code)}
    said = re.search(r"(\$[\d,.]+) of (\$[\d,.]+) paid", page.one(".sub"))
    assert bool(said) == bool(owed) or truth.event["status"] == "running"
    if said:
        assert (money(said[1]), money(said[2])) == (sum(truth.paid.values()), sum(owed.values()))
    for line in [n for n in page.all("tr") if n.all("td")]:
        (code,) = set(codes_in(line.text, truth.entries))
        assert money(line.one(".big").split()[0]) == owed[code], line.text


def refunds_hold(page: Node, truth: Truth, _stage: Row) -> None:
    """T8: of an event that is called off, what is due to whom, what is handed out and what is left."""
    due = dict(_dues(truth))
    given = {truth.codes[each["entry_id"]] for each in _handed(truth)}
    lines = [n for n in page.all("tr") if n.all("td")]
    assert {codes_in(n.text, truth.entries)[0]: money(n.one(".big")) for n in lines} == due
    if not due:
        return
    said = re.search(r"(\$[\d,.]+) of (\$[\d,.]+) handed out · (\$[\d,.]+) still due", page.one(".sub"))
    out = sum(due[c] for c in given)
    assert [money(each) for each in said.groups()] == [out, sum(due.values()), sum(due.values()) - out]


def _dues(truth: Truth) -> Iterator[tuple[str, int]]:
    """Entry and buy-in of whoever had not had it back when the event was called off."""
    if truth.event["status"] != "called_off":
        return
    called_off = rows(
        "SELECT max(at) AS at FROM tournament_posting WHERE event_id = %s AND kind = 'called_off'",
        truth.event["id"],
    )[0]["at"]
    bought = rows("SELECT * FROM tournament_moneytransaction WHERE event_id = %s", truth.event["id"])
    back = {each["reverses_id"]: each["at"] for each in bought if each["reverses_id"]}
    for each in bought:
        if each["kind"] == "buy_in" and back.get(each["id"], called_off) >= called_off:
            yield truth.codes[each["entry_id"]], each["amount_cents"]


def _handed(truth: Truth) -> list[Row]:
    return rows("SELECT * FROM tournament_handout WHERE event_id = %s", truth.event["id"])


# Hands of tables ----------------------------------------------------------------------------------------


def headline_holds(page: Node, truth: Truth, _stage: Row) -> None:
    """The status line of the public list: which stage, and how far it is."""
    said = next((n.text for n in page.walk() if "data-status" in n.attrs), "")
    stage = truth.extra or truth.mains[-1]
    if truth.event["status"] != "running":
        return
    named = {"round": f"Round {stage['number']}", "play_off": f"Play-off, round {stage['number']}"}
    assert said.startswith(named.get(stage["kind"], "Sudden death")), said
    words = {"seated": "seats are drawn", "playing_off": "tie at the cut", "closed": "closed"}
    words["counted"] = "counted" if stage["kind"] == "round" else "decided"
    if stage["status"] in words:
        assert said.endswith(f"· {words[stage['status']]}"), said
        return
    dealing = [t["hands"] for t in _shoes(stage) if t["status"] == "dealing"]
    if not dealing:
        assert said.endswith("· shoes over, chips are counted"), said
        return
    ((hand, times),) = Counter(dealing).most_common(1)
    if times == len(dealing) and min(dealing):
        wanted = f"hand {hand}"
    elif not min(dealing):
        wanted = f"hand {max(dealing)} at the most" if max(dealing) else "no hand is settled yet"
    elif times * 2 > len(dealing):
        wanted = f"hand {hand} at most tables"
    else:
        wanted = f"hands {min(dealing)} to {max(dealing)}"
    over = len(_shoes(stage)) - len(dealing)
    wanted += f" · {over} table{'s' * (over > 1)} over" if over else ""
    assert said.split(" · ", 1)[1] == wanted, (said, wanted)


def _shoes(stage: Row) -> list[Row]:
    """The newest shoe of every table of a stage with the number of the hand that was settled last."""
    return rows(
        "SELECT DISTINCT ON (s.table_id) s.status, (SELECT coalesce(max(d.number), 0) FROM tables_deal d"
        " WHERE d.shoe_id = s.id AND d.status = 'settled') AS hands FROM tables_shoe s WHERE s.round_id = %s"
        " ORDER BY s.table_id, s.number DESC",
        stage["id"],
    )


# What is next --------------------------------------------------------------------------------------------


def tables_of(words: str) -> set[int]:
    """``Table 3``, ``Tables 3, 4 and 6``: the numbers."""
    return {int(each) for each in re.findall(r"\d+", words)}


def table_lines_hold(page: Node, truth: Truth, stage: Row) -> None:
    """Tonight: every table of the stage that is played, how far its shoe is, and what is due there."""
    for panel in page.all(".tablelines"):
        shoes = {each["table"]: each for each in _tables(stage)}
        lines = {int(re.match(r"Table (\d+)", n.text)[1]): n for n in panel.all("li")}
        assert set(lines) == set(shoes)
        for number, line in lines.items():
            shoe = shoes[number]
            assert line.one(".pill") == table_word(stage, shoe), (number, shoe)
            share = int(line.all("progress")[0].attrs["value"])
            done = shoe["status"] != "dealing" or tie_decided_at(stage, shoe)
            assert share == 100 if done else 0 <= share < 100, (number, share)
            assert f" {shoe['played']} hand{'s' * (shoe['played'] != 1)}" in line.text


def tie_decided_at(stage: Row, shoe: Row) -> bool:
    """Whether nobody at this table plays the tie of the stage any more (T19)."""
    return bool(stage["kind"] != "round" and not shoe["in_it"])


def table_word(stage: Row, shoe: Row) -> str:
    """The word for a table in a stage; a tie is decided where nobody plays it any more."""
    if shoe["status"] == "counted":
        return "Ruled on" if shoe["ruled"] else "Counted"
    if tie_decided_at(stage, shoe):
        return "Decided"
    if shoe["status"] == "dealing":
        return "Playing" if shoe["played"] else "Seated"
    if stage["kind"] != "round":
        return "Next shoe" if stage["status"] in ("seated", "playing") else "Decided"
    if shoe["asked"]:
        return "Ruling waits"
    return ("Count due", "Second count due", "Counts differ")[shoe["sheets"]]


# Rulings that were asked for about the counts in force, of this status: none of them is about others (T18).
_RULINGS = (
    "SELECT count(*) FROM tournament_request q WHERE q.kind = 'count_ruling' AND q.body->>'shoe' = s.id::text"
    " AND (SELECT jsonb_agg(c.id ORDER BY c.which) FROM tables_countsheet c"
    "  WHERE c.shoe_id = s.id AND c.status = 'live') = q.body->'sheets' AND q.status"
)


def _tables(stage: Row) -> list[Row]:
    return rows(
        "SELECT DISTINCT ON (s.table_id) t.number AS table, s.status,"
        " (SELECT count(*) FROM tables_deal d WHERE d.shoe_id = s.id AND d.status = 'settled') AS played,"
        " (SELECT count(*) FROM tables_countsheet c WHERE c.shoe_id = s.id AND c.status = 'live') AS sheets,"
        f" ({_RULINGS} = 'open') AS asked, ({_RULINGS} = 'approved') AS ruled,"
        " (SELECT count(*) FROM tables_seat e JOIN tournament_stack k USING (round_id, entry_id)"
        "  WHERE e.round_id = s.round_id AND e.table_id = s.table_id AND e.vacated_at IS NULL"
        "  AND k.state IN ('playing', 'absent')) AS in_it"
        " FROM tables_shoe s JOIN tables_table t ON t.id = s.table_id WHERE s.round_id = %s"
        " ORDER BY s.table_id, s.number DESC",
        stage["id"],
    )


def next_holds(page: Node, truth: Truth, stage: Row) -> None:
    """Tonight's next step: the tables that it names, the round, the place of a tie; requests that wait."""
    said = " ".join(n.text for n in page.all(".next"))
    due = {
        each["table"]
        for each in _tables(stage)
        if table_word(stage, each) in ("Count due", "Second count due")
    }
    dealing = {
        each["table"]
        for each in _tables(stage)
        if each["status"] == "dealing" and not tie_decided_at(stage, each)
    }
    for pattern, numbers in (
        (r"(Tables? [\d, and]+?) ha(?:s|ve) (?:still )?to count", due),
        (r"(Tables? [\d, and]+?) (?:is|are) still playing", dealing),
    ):
        for found in re.finditer(pattern, said):
            assert tables_of(found[1]) == numbers, (found[0], numbers)
    if found := re.search(r"Close round (\d)|Tie at (\d+)(?:st|nd|rd|th)", said):
        main = truth.mains[-1]
        assert main["status"] in ("counted", "playing_off"), said
        if found[1]:
            assert int(found[1]) == main["number"]
        else:
            assert int(found[2]) == 1 + truth.count(main, "advances")
    if found := re.search(r"Draw the seats of round (\d)", said):
        assert int(found[1]) == len(truth.mains) + 1
    # A ruling on a count is a step of its own while it waits, and no step once it has lapsed (T18).
    asked = rows("SELECT * FROM tournament_request WHERE event_id = %s", truth.event["id"])
    waiting = sum(each["status"] == "open" and each["kind"] != "count_ruling" for each in asked)
    found = re.search(r"(\d+) requests? waits? for a second person", page.text)
    assert (int(found[1]) if found else 0) == waiting


def cut_since_holds(page: Node, truth: Truth, _stage: Row) -> None:
    """Who should have advanced by the stacks as they are now, where no tie is at the line (T17, T20)."""
    said: dict[str, list[str]] = {"Should have advanced and did not": [], "Advanced and should not have": []}
    for row in [n for n in page.all("li") if "cutsince" in n.classes]:
        (code,) = set(codes_in(row.text, truth.entries))
        (word,) = [each for each in said if each in row.text]
        said[word].append(code)
        round_ = next(r for r in truth.mains if r["cut_to"] and r["status"] == "closed")
        assert row.one(".rankcol") == truth.place(round_, code)
        assert int(row.one(".num").replace(",", "")) == truth.chips(round_, code)
    if not any(said.values()):
        return
    stacks = {c: truth.chips(round_, c) for c in truth.members(round_)}
    best = set(sorted(stacks, key=lambda c: -stacks[c])[: round_["cut_to"]])
    through = {c for c in stacks if truth.stacks[round_["id"], c]["outcome"] == "advanced"}
    assert said["Should have advanced and did not"] == sorted(best - through)
    assert said["Advanced and should not have"] == sorted(through - best)


FIGURES: dict[str, tuple[Holds, ...]] = {
    "tournament:leaderboard": (cut_gaps_hold, changes_hold),
    "tournament:standings": (headline_holds,),
    "tournament:seats": (public_chart_holds,),
    "tournament:draw": (draw_holds,),
    "tournament:prizes": (prizes_hold,),
    "tournament:entry": (entry_holds,),
    "tournament:pay": (pay_holds,),
    "tournament:refunds": (refunds_hold,),
    "tables:tonight": (cut_since_holds, cut_gaps_hold, tonight_pool_holds, table_lines_hold, next_holds),
    "tables:round": (cut_gaps_hold,),
    "tables:seating": (chart_holds,),
    "tables:seat_cards": (seat_cards_hold,),
    "tables:seat_cards_all": (seat_cards_hold,),
    "tables:deals": (hands_hold,),
    "tables:replay": (hands_hold,),
}
