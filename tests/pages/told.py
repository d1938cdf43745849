"""Pages held against the database: every row that names a player, every word in it, every count beside it.

A row is read as a whole: after its name, its entry and what is checked in figures, each word that is left has
to be one that is known here, and true. A word that nobody checks fails as well as one that is not so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.cast.html import Node
from tests.pages.truth import (
    Row,
    Truth,
    codes_in,
    ordinal,
)

ROWS = ("li", "tr")


# Words about one player -------------------------------------------------------------------------------

Told = Callable[[Truth, Row, str, Any], bool]


def side_is(*sides: str) -> Told:
    """True of who stands so in the round of the page."""
    return lambda truth, round_, code, _: side(truth, round_, code) in sides


def side(truth: Truth, round_: Row, code: str) -> str:
    """Where somebody stands in the stage of the page, main or not."""
    return truth.side(round_, code) if round_["kind"] == "round" else truth.tie_side(round_, code)


def status_is(*statuses: str) -> Told:
    """True of an entry in this status."""
    return lambda truth, _, code, __: truth.entries[code]["status"] in statuses


def _won(outcome: str) -> Told:
    def told(truth: Truth, round_: Row, code: str, _: Any) -> bool:
        main = round_
        if round_["kind"] == "play_off":
            main = next(r for r in truth.rounds if r["id"] == round_["parent_id"])
        return truth.tie_outcome(main, code) == outcome

    return told


def _seat(truth: Truth, round_: Row, code: str, found: Any) -> bool:
    """In the stage of the page; who does not play it sits where the round has them."""
    stages = [round_["id"], *(r["id"] for r in reversed(truth.rounds) if r["status"] != "closed")]
    seats = [truth.seats[pk, code] for pk in stages if (pk, code) in truth.seats]
    return bool(seats) and seats[0] == (int(found["table"]), int(found["box"]))


def _table(truth: Truth, round_: Row, code: str, found: Any) -> bool:
    return truth.seats.get((round_["id"], code), (0, 0))[0] == int(found["table"])


def _behind(truth: Truth, round_: Row, code: str, found: Any) -> bool:
    """``200 behind 3rd``, ``600 ahead of 4th``: the chips of that place are so many away."""
    in_play = [c for c in truth.members(round_) if not truth.disqualified(round_, c)]
    able = truth.able(round_) if round_["cut_to"] is not None else in_play
    place, amount = int(found["place"]), int(found["chips"].replace(",", ""))
    field_of = in_play if found["how"] == "ahead of" else able
    stacks = sorted((truth.chips(round_, c) for c in field_of), reverse=True)
    level, _seats = truth.level(round_)
    other = truth.chips(round_, level[0]) if level and place == round_["cut_to"] else stacks[place - 1]
    mine = truth.chips(round_, code)
    return amount == (mine - other if found["how"] == "ahead of" else other - mine) and amount > 0


def _leads(truth: Truth, round_: Row, code: str, found: Any) -> bool:
    stacks = [truth.chips(round_, c) for c in truth.members(round_) if not truth.disqualified(round_, c)]
    first, second = sorted(stacks, reverse=True)[:2]
    return truth.chips(round_, code) == first and first - second == int(found["chips"].replace(",", ""))


def _short(truth: Truth, round_: Row, code: str, found: Any) -> bool:
    lacks = truth.settings["bet_min_chips"] - truth.chips(round_, code)
    return lacks == int(found["chips"].replace(",", "")) > 0


def _in_the_money(truth: Truth, round_: Row, code: str, _: Any) -> bool:
    place = truth.place(round_, code)
    level = [truth.place(round_, c) for c in truth.members(round_)].count(place)
    last = int(place.lstrip("=")) + level - 1
    return last <= len(truth.prizes) and truth.prizes[last - 1] > 0


def _by_then(outcome: str) -> Told:
    """T17: on this side of a cut by what was recorded then, and by what is recorded now not clearly so."""

    def told(truth: Truth, round_: Row, code: str, _: Any) -> bool:
        stacks = sorted((truth.chips(round_, c) for c in truth.members(round_)), reverse=True)
        last_in, first_out = stacks[round_["cut_to"] - 1], stacks[round_["cut_to"]]
        now = truth.chips(round_, code)
        level = now == last_in == first_out
        across = now < last_in if outcome == "advanced" else now > first_out
        return (level or across) and truth.stacks[round_["id"], code]["outcome"] == outcome

    return told


def _covers(truth: Truth, round_: Row, code: str) -> bool:
    return truth.chips(round_, code) >= int(truth.settings["bet_min_chips"])


def _absent(truth: Truth, round_: Row, code: str, _: Any) -> bool:
    return truth.absent(round_, code)


def _no_hand(truth: Truth, round_: Row, code: str, found: Any) -> bool:
    """T15: no hand of the round has changed the stack, by nothing either."""
    unplayed = truth.stacks[round_["id"], code]["last_change_chips"] is None
    return unplayed and (not found["absent"] or truth.absent(round_, code))


def _out_after(truth: Truth, _round: Row, code: str, found: Any) -> bool:
    round_ = next(r for r in truth.mains if r["number"] == int(found["n"]))
    return truth.side(round_, code) == "out"


def _left_after(what: str) -> Told:
    def told(truth: Truth, _round: Row, code: str, found: Any) -> bool:
        round_ = next(r for r in truth.mains if r["number"] == int(found["n"]))
        return truth.side(round_, code) == what

    return told


def _withdrew(truth: Truth, code: str) -> bool:
    return truth.entries[code]["status"] == "withdrawn" and code not in truth.replaced


def _goes_on(truth: Truth, round_: Row, code: str, found: Any) -> bool:
    return truth.side(round_, code) == "advances" and int(found["n"]) == round_["number"] + 1


def _nobody_cut(truth: Truth, round_: Row, code: str, _: Any) -> bool:
    playing = truth.playing_in(round_)
    everybody = {truth.side(round_, each) for each in playing} <= {"uncut", "advances"}
    return code in playing and everybody and len(playing) <= round_["cut_to"]


def _in_the_event(truth: Truth, _round: Row, code: str, found: Any) -> bool:
    return truth.event_places()[code] == found["tied"] + found["place"]


def _by_sudden_death(truth: Truth, _round: Row, code: str, _: Any) -> bool:
    return truth.tie_places(code) == [truth.entries[code]["place"]]


def _prize(truth: Truth, _round: Row, code: str, found: Any) -> bool:
    return truth.prize(code) == money(found["amount"])


def _of_all(truth: Truth, _round: Row, code: str, found: Any) -> bool:
    return int(found["n"]) == truth.entrants()["entrants"] and not truth.prize(code)


def _paid(truth: Truth, _round: Row, code: str, _: Any) -> bool:
    return truth.paid.get(code, 0) >= truth.prize(code) > 0


def _to_pay(truth: Truth, _round: Row, code: str, _: Any) -> bool:
    return truth.paid.get(code, 0) < truth.prize(code)


def money(text: str) -> int:
    """``$1,680.50`` in cents."""
    whole, _, cents = text.strip("$").replace(",", "").partition(".")
    return int(whole) * 100 + int(cents or 0)


AMOUNT = r"\$[\d,]+(?:\.\d\d)?"
WORDS: list[tuple[str, Told | None]] = [
    (r"table (?P<table>\d+), box (?P<box>\d+)", _seat),
    (r"table (?P<table>\d+)", _table),
    (r"out after round (?P<n>\d)", _out_after),
    (r"withdrew after round (?P<n>\d)", _left_after("withdrew")),
    (r"replaced after round (?P<n>\d)", _left_after("replaced")),
    (r"taken out after round (?P<n>\d)", _left_after("taken_out")),
    (r"goes on to round (?P<n>\d)", _goes_on),
    (r"(?P<tied>=?)(?P<place>\d+)(st|nd|rd|th) in the event", _in_the_event),
    (r"advanced by what was recorded then", _by_then("advanced")),
    (r"out by what was recorded then", _by_then("cut")),
    (r"by sudden death", _by_sudden_death),
    (r"in the event", lambda truth, _, code, __: truth.standing(code) == "in the event"),
    (r"still in it", lambda truth, r, c, _: side(truth, r, c) in ("below", "level") and _covers(truth, r, c)),
    (r"in as it stands", side_is("above")),
    (r"in the money as it stands", _in_the_money),
    (r"above the cut", side_is("above")),
    (r"below the cut", side_is("below")),
    (r"on the line", side_is("level")),
    (r"level at the cut, top (?P<n>\d+) advance", side_is("level", "plays_off", "tied")),
    (r"level at the cut, all who are level advance", side_is("above", "advances")),
    (r"level at the top", lambda truth, r, c, _: truth.place(r, c) == "=1"),
    (r"won the tie( at the cut)?", _won("won")),
    (r"lost the tie( at the cut)?", _won("lost")),
    (r"(?P<chips>[\d,]+) (?P<how>behind|ahead of) (?P<place>\d+)(st|nd|rd|th)", _behind),
    (r"leads by (?P<chips>[\d,]+)", _leads),
    (r"(?P<chips>[\d,]+) short of the smallest bet", _short),
    (r"cannot cover the minimum", lambda truth, r, c, _: not _covers(truth, r, c)),
    (r"nobody is cut( in this round)?", _nobody_cut),
    (r"(?P<absent>absent, )?0 hands played", _no_hand),
    (r"absent, the stack stands", _absent),
    (r"absent, behind all who play", _absent),
    (r"absent", _absent),
    (r"advances", side_is("advances")),
    (r"plays off", side_is("plays_off")),
    (r"tied at the cut", side_is("tied")),
    (r"still playing", side_is("playing")),
    (r"decided", side_is("ranked", "advances", "out")),
    (r"ranked", side_is("ranked")),
    (r"open", side_is("playing", "absent")),
    (r"disqualified", status_is("disqualified")),
    (r"withdrew|withdrawn", lambda truth, _, code, __: _withdrew(truth, code)),
    (r"(?P<how>replaced|taken out)", lambda truth, _, code, f: truth.replaced.get(code) == f["how"].lower()),
    (r"no-show", status_is("no_show")),
    (r"alternate", status_is("waiting")),
    (r"called off", lambda truth, _, __, ___: truth.event["status"] == "called_off"),
    (r"refunded", lambda truth, _, code, __: code in truth.refunded),
    (rf"prize (?P<amount>{AMOUNT})", _prize),
    (r"of (?P<n>\d+)", _of_all),
    (r"paid( \d\d:\d\d)?", _paid),
    (r"to pay|to be paid|pay", _to_pay),
    (r"out", side_is("out")),
    (rf"(?P<amount>{AMOUNT})", _prize),
    (
        r"(?P<tied>=?)(?P<place>\d+)(st|nd|rd|th)",
        lambda t, _, c, f: t.final_place(c) == f["tied"] + f["place"],
    ),
]
# What a page says that is about nobody in particular.
NEUTRAL = r"player|entry|box|table|empty|free|shared|place|cannot cover the minimum"


def words_hold(text: str, truth: Truth, round_: Row, code: str, where: str) -> None:
    """Every word of a text about one player is known, and so."""
    left = text.replace(truth.full_name(code), " ").replace(truth.name(code), " ").replace(code, " ").lower()
    for pattern, told in WORDS:
        for found in re.finditer(rf"(?<![\w-])({pattern})(?![\w-])", left):
            assert told is None or told(truth, round_, code, found.groupdict()), (
                f"{where}: {code} is told {found[0]!r} in {round_['kind']} {round_['number']}"
            )
        left = re.sub(rf"(?<![\w-])({pattern})(?![\w-])", " ", left)
    unknown = re.findall(r"[a-z][a-z-]+", re.sub(rf"\b({NEUTRAL})\b", " ", left))
    assert not unknown, f"{where}: nobody checks {unknown} of {text!r}"


def player_rows(page: Node, truth: Truth) -> list[tuple[str, Node]]:
    """The rows of a page that name one player each, with the entry; the innermost ones."""
    found = []
    for node in page.walk():
        if node.tag in ROWS and not any(n is not node and n.tag in ROWS for n in node.walk()):
            codes = set(codes_in(node.text, truth.entries))
            if len(codes) == 1:
                found.append((codes.pop(), node))
    return found


def names_hold(page: Node, truth: Truth, where: str) -> None:
    """Beside the number of an entry stands the name of its player, and nobody else's."""
    for code, row in player_rows(page, truth):
        named = [c for c in truth.entries if truth.name(c) in row.text or truth.full_name(c) in row.text]
        assert named in ([code], []), f"{where}: {code} is called {named} in {row.text!r}"


# Counts on any page -----------------------------------------------------------------------------------


@dataclass
class Page:
    """One answer: its address, its tree, and the stage that it is about."""

    address: str
    tree: Node
    truth: Truth
    round: Row | None


def _n(number: str) -> int:
    return int(number.replace(",", ""))


def _stage(page: Page) -> Row:
    found = page.round or (page.truth.extra or page.truth.mains[-1])
    assert found is not None
    return found


def _main(page: Page) -> Row:
    stage = _stage(page)
    return stage if stage["kind"] == "round" else page.truth.mains[-1]


def _advancing(page: Page) -> int:
    return page.truth.count(_main(page), "advances", "above", "uncut")


def _open_tie(page: Page) -> tuple[int, int]:
    """How many are still tied at the cut, and for how many seats."""
    round_ = _main(page)
    level, seats = page.truth.level(round_)
    taken = sum(page.truth.tie_outcome(round_, c) == "won" for c in level)
    still = page.truth.count(round_, "level", "tied", "plays_off")
    return still, seats - taken if still else 0


def _apart(kind: str) -> Callable[[Page, Any], bool]:
    return lambda page, found: _n(found["n"]) == page.truth.entrants()[kind]


def _entered_or_waiting(page: Page, found: Any) -> bool:
    return _n(found["n"]) == page.truth.entrants()["entrants"]


COUNTS: list[tuple[str, Callable[[Page, Any], bool]]] = [
    (r"(?P<n>[\d,]+) entrants?\b(?! are needed| is needed)", _entered_or_waiting),
    (r"(?P<n>\d+) alternates?(?= |,|$)", _apart("alternates")),
    (r"(?P<n>\d+) no-shows?\b", _apart("no-shows")),
    (r"(?P<n>\d+) withdrawn\b", _apart("withdrawn")),
    (r"from (?P<n>\d+) buy-ins?", lambda p, f: _n(f["n"]) == p.truth.buy_ins),
    (r"(?P<n>\d+) buy-ins?, paid and not given back", lambda p, f: _n(f["n"]) == p.truth.buy_ins),
    (r"These (?P<n>\d+) players advance", lambda p, f: _n(f["n"]) == _advancing(p)),
    (r"(?<!These )(?P<n>\d+) players? advances?\b", lambda p, f: _n(f["n"]) == _advancing(p)),
    (r"(?P<n>\d+) go(?:es)? on\b", lambda p, f: _n(f["n"]) == _advancing(p)),
    (r"[Tt]op (?P<n>\d+) advance", lambda p, f: _n(f["n"]) == _main(p)["cut_to"]),
    (r"(?P<n>\d+) ranked\b", lambda p, f: _n(f["n"]) == len(p.truth.members(_main(p)))),
    (
        r"(?P<n>\d+) players? (?:are )?tied for (?P<seats>\d+) seats?",
        lambda p, f: (_n(f["n"]), _n(f["seats"])) == _open_tie(p),
    ),
    (
        r"(?P<n>\d+) are level for (?P<seats>\d+) seats?",
        lambda p, f: (_n(f["n"]), _n(f["seats"])) == _open_tie(p),
    ),
    (r"[Pp]lay-off for (?P<n>\d+) seats?", lambda p, f: _n(f["n"]) == _open_tie(p)[1]),
    (r"[Pp]layed for (?P<n>\d+) seats?", lambda p, f: _n(f["n"]) == _open_tie(p)[1]),
    (r"Tie at (?P<n>\d+)(?:st|nd|rd|th)", lambda p, f: _open_tie(p)[0] > 0),
    (r"(?P<n>\d+) prizes? (?:is|are) still to be paid", lambda p, f: _n(f["n"]) == len(_unpaid(p))),
    (
        r"(?<![.,])\b(?P<n>\d+) are paid",
        lambda p, f: _n(f["n"]) == sum(p.truth.prize(c) > 0 for c in p.truth.entries),
    ),
    (
        r"Rulings on the tie at the cut \| (?P<n>\d+)",
        lambda p, f: _n(f["n"]) == p.truth.rulings(_main(p)) > 0,
    ),
    (
        r"(?<!Rulings on the )tie at the cut(?! is decided)",
        lambda p, f: _open_tie(p)[0] > 0 or "lost the" in p.tree.text or "seats are decided" in p.tree.text,
    ),
    (r"(?P<n>\d+) advance and no more are playing", lambda p, f: len(p.truth.able(_main(p))) <= _n(f["n"])),
    (r"Every prize is paid|all prizes are paid|prizes paid", lambda p, f: not _unpaid(p)),
    (r"Every buy-in is refunded\.", lambda p, f: p.truth.buy_ins == 0),
    (r"No tie for money is left|The places stand", lambda p, f: not _money_tie(p.truth)),
]


def _unpaid(page: Page) -> list[str]:
    return [c for c in page.truth.entries if page.truth.prize(c) > page.truth.paid.get(c, 0)]


def _money_tie(truth: Truth) -> bool:
    """T33: whether somebody still plays, or has to play, for a place that pays differently."""
    if any(r["kind"] == "sudden_death" for r in truth.rounds):
        return any(truth.stakes(r).get("groups") for r in truth.rounds if r["kind"] == "sudden_death")
    places = [p for p in truth.event_places().values() if p.startswith("=")]
    spans = {int(p[1:]): places.count(p) for p in places}
    prize = dict(enumerate(truth.prizes, 1))
    return any(len({prize.get(first + i, 0) for i in range(size)}) > 1 for first, size in spans.items())


BLOCKS = {"li", "p", "h1", "h2", "h3", "dt", "dd", "td", "th", "div", "section", "tr", "a", "summary"}


def said_of_all(tree: Node, truth: Truth) -> str:
    """What a page says of players together: its text without the rows and the card of one of them."""
    parts: list[str] = []

    def take(node: Node) -> None:
        one = node.tag in ROWS and codes_in(node.text, truth.entries) and not node.all("ol", "ul")
        if one or "you" in node.classes or node.tag == "option":
            return
        for part in node.parts:
            if isinstance(part, str):
                parts.append(part)
            else:
                take(part)
        if node.tag in BLOCKS:
            parts.append(" | ")

    take(tree)
    return re.sub(r"\s+", " ", " ".join(parts))


def counts_hold(page: Page) -> None:
    """Every figure of players that a page gives is so."""
    text = said_of_all(page.tree, page.truth)
    for pattern, told in COUNTS:
        for found in re.finditer(pattern, text):
            assert told(page, found.groupdict()), (
                f"{page.address} says {found[0]!r} in …{text[max(0, found.start() - 80) : found.end() + 40]}…"
            )


def ordinal_of(label: str) -> str:
    """``=12`` → ``=12th``."""
    return "=" * label.startswith("=") + ordinal(int(label.lstrip("=")))
