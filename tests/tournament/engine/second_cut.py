"""A second opinion on who goes on, by counting alone: nobody is sorted, no part of the engine is used.

Of a pool an entry is clear of the line when as many as there are seats, or fewer, stand no lower than it,
itself among them; where it is not, it is level at the line when fewer stand above it than there are seats.
"""

from __future__ import annotations

import random
from typing import Any

PARTS = ("per_table", "per_session", "top", "fill_to")


def above(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether ``one`` finished better than ``other`` (formats.md, F15)."""
    if one.get("disqualified") or other.get("disqualified"):
        return bool(other.get("disqualified")) and not one.get("disqualified")
    if not one.get("out") or not other.get("out"):
        if one.get("out") or other.get("out"):
            return not one.get("out")
        return one["chips"] > other["chips"]
    if one["out"]["hand"] != other["out"]["hand"]:
        return one["out"]["hand"] > other["out"]["hand"]
    return one["out"]["before"] > other["out"]["before"]


def places(pool: list[dict[str, Any]]) -> list[list[str]]:
    """The codes of a pool in groups of level ones, best first: by how many stand above each."""
    higher = {one["entry"]: sum(above(other, one) for other in pool) for one in pool}
    return [sorted(code for code in higher if higher[code] == many) for many in sorted(set(higher.values()))]


def pools(line: dict[str, Any], part: str) -> list[tuple[dict[str, int], list[dict[str, Any]]]]:
    """Where a part looks for its best: what names the place, and who is there."""
    rooms = [
        ({"session": s + 1, "table": int(number)}, session["tables"][number])
        for s, session in enumerate(line["sessions"])
        for number in sorted(session["tables"], key=int)
    ]
    if part == "per_table":
        return rooms
    if part == "per_session":
        sessions = range(1, len(line["sessions"]) + 1)
        return [
            ({"session": s}, [one for name, there in rooms if name["session"] == s for one in there])
            for s in sessions
        ]
    return [({}, [one for _, there in rooms for one in there])]


def second_answer(line: dict[str, Any]) -> dict[str, Any]:
    """What ``manage.py cut`` must answer to a line without a fault."""
    least = line.get("smallest_bet")
    through: dict[str, str] = {}

    def stays(one: dict[str, Any]) -> bool:
        poor = least is not None and one["chips"] < least
        return bool(one.get("out") or one.get("disqualified")) or poor or one["entry"] in through

    for part in PARTS:
        seats = line["advance"].get(part, 0) - (len(through) if part == "fill_to" else 0)
        ties, won = [], {}
        for place, pool in pools(line, part):
            able = [one for one in pool if not stays(one)]
            clear = [one["entry"] for one in able if sum(not above(one, other) for other in able) <= seats]
            level = [
                one["entry"]
                for one in able
                if one["entry"] not in clear and sum(above(other, one) for other in able) < seats
            ]
            won.update({code: part for group in places(able) for code in group if code in clear})
            if level:
                ties.append({"part": part, **place, "entries": sorted(level), "seats": seats - len(clear)})
        through.update(won)
        if ties:
            return told(line, through, ties, [], [])
    everybody = pools(line, "top")[0][1]
    left = [one for one in everybody if one["entry"] not in through]
    drawn = [one["entry"] for one in left if not (one.get("disqualified") if least is None else stays(one))]
    return told(line, through, [], sorted(drawn) if line["advance"].get("drawn") else [], places(left))


def told(line: dict[str, Any], through: dict[str, str], ties: Any, drawn: Any, left: Any) -> dict[str, Any]:
    advanced = [{"entry": code, "by": part} for code, part in through.items()]
    return {"id": line["id"], "advanced": advanced, "ties": ties, "drawn_from": drawn, "not_through": left}


def round_made(seed: int) -> dict[str, Any]:
    """A round of up to three sessions with few different stacks, so that many of its players are level."""
    chance = random.Random(seed)
    codes = iter(chance.sample([f"E{n:03d}" for n in range(1, 61)], 60))
    stacks = chance.choice([(0, 100, 200, 300), range(0, 2_000, 100), (500,), (0, 199, 200, 201)])

    def one() -> dict[str, Any]:
        made: dict[str, Any] = {"entry": next(codes), "chips": chance.choice(stacks)}
        if chance.random() < 0.2:
            made["out"] = {"hand": chance.choice((8, 16)), "before": chance.choice((100, 200))}
        if chance.random() < 0.06:
            made["disqualified"] = True
        return made

    sessions = [
        {
            "tables": {
                str(number): [one() for _ in range(chance.choice((0, 1, 2, 3, 4)))]
                for number in chance.sample(range(1, 13), chance.randint(1, 4))
            }
        }
        for _ in range(chance.randint(1, 3))
    ]
    rule = {
        "per_table": chance.choice((0, 0, 1, 2)),
        "per_session": chance.choice((0, 0, 1, 3)),
        "top": chance.choice((0, 0, 1, 2, 6)),
        "fill_to": chance.choice((0, 0, 3, 8, 20)),
        "drawn": chance.choice((0, 0, 1)),
    }
    least = chance.choice((None, None, 0, 200))
    return {"id": seed, "advance": rule, "smallest_bet": least, "sessions": sessions}
