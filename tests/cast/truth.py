"""What is so, worked out from the tables by plain SQL: for holding pages against, by none of their functions.

Every rule here is written a second time, from the clauses; nothing is imported from the code that pages use.
"""

from __future__ import annotations

from typing import Any

from django.db import connection

Row = dict[str, Any]
GONE = ("no_show", "withdrawn")


def rows(sql: str, *values: object) -> list[Row]:
    """The answer of the database, a mapping for each row."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        names = [column.name for column in cursor.description]
        return [dict(zip(names, each, strict=True)) for each in cursor.fetchall()]


class Truth:
    """An event as its tables have it."""

    def __init__(self, event_id: int) -> None:
        import json

        (self.event,) = rows("SELECT * FROM tournament_event WHERE id = %s", event_id)
        settings = self.event["settings_json"]
        self.settings: Row = json.loads(settings) if isinstance(settings, str) else settings
        people = rows(
            "SELECT e.*, p.given_name, p.family_name, p.alias FROM tournament_entry e"
            " JOIN tournament_player p ON p.id = e.player_id WHERE e.event_id = %s ORDER BY e.number",
            event_id,
        )
        self.entries: dict[str, Row] = {each["code"]: each for each in people}
        self.codes = {each["id"]: each["code"] for each in people}
        self.rounds = rows("SELECT * FROM tournament_round WHERE event_id = %s ORDER BY id", event_id)
        stacks = rows(
            "SELECT s.* FROM tournament_stack s JOIN tournament_round r ON r.id = s.round_id"
            " WHERE r.event_id = %s",
            event_id,
        )
        self.stacks: dict[tuple[int, str], Row] = {
            (s["round_id"], self.codes[s["entry_id"]]): s for s in stacks
        }
        seats = rows(
            "SELECT s.*, t.number FROM tables_seat s JOIN tables_table t ON t.id = s.table_id"
            " WHERE t.event_id = %s AND s.vacated_at IS NULL",
            event_id,
        )
        self.seats = {(s["round_id"], self.codes[s["entry_id"]]): (s["number"], s["box"]) for s in seats}
        live = rows(
            "SELECT prizes_cents FROM tournament_payoutstructure WHERE event_id = %s AND status = 'live'",
            event_id,
        )
        prizes = live[0]["prizes_cents"] if live else []
        self.prizes: list[int] = json.loads(prizes) if isinstance(prizes, str) else prizes
        given = rows(
            "SELECT result->>'out' AS code, result->>'in' AS taken FROM tournament_journalentry"
            " WHERE event_id = %s AND kind = 'entry.replace'",
            event_id,
        )
        self.replaced = {each["code"]: "replaced" if each["taken"] else "taken out" for each in given}

    # Stages -------------------------------------------------------------------------------------------

    @property
    def mains(self) -> list[Row]:
        """Rounds 1, 2, 3 as far as there are any."""
        return [r for r in self.rounds if r["kind"] == "round"]

    @property
    def extra(self) -> Row | None:
        """The play-off or sudden death that is not closed."""
        return next((r for r in self.rounds if r["kind"] != "round" and r["status"] != "closed"), None)

    def members(self, round_: Row) -> list[str]:
        """Who is ranked in a stage."""
        found = [
            code for (pk, code), s in self.stacks.items() if pk == round_["id"] and s["state"] not in GONE
        ]
        return sorted(found)

    def missing(self, round_: Row) -> list[str]:
        """Who has a stack in it and is not ranked."""
        return sorted(c for (pk, c), s in self.stacks.items() if pk == round_["id"] and s["state"] in GONE)

    def chips(self, round_: Row, code: str) -> int:
        """The stack in a stage: as it was frozen, else as it is; T26: of who is disqualified in it none."""
        if round_["kind"] == "round" and self.disqualified(round_, code):
            return 0
        stack = self.stacks[round_["id"], code]
        return int(stack["chips"] if stack["closed_chips"] is None else stack["closed_chips"])

    def absent(self, round_: Row, code: str) -> bool:
        """T15: the stack stands."""
        return bool(self.stacks[round_["id"], code]["state"] == "absent")

    def seen_later(self, round_: Row, code: str) -> bool:
        """Whether an entry is ranked in a later round."""
        return any(r["number"] > round_["number"] and code in self.members(r) for r in self.mains)

    # A main round -------------------------------------------------------------------------------------

    def side(self, round_: Row, code: str) -> str:
        """The one word for where somebody stands in a main round."""
        stack, status = self.stacks[round_["id"], code], self.entries[code]["status"]
        if stack["state"] in GONE:
            return self._left(code, status, stack["state"])
        if self.disqualified(round_, code):
            return "disqualified"
        if round_["status"] == "closed":
            if stack["outcome"] == "advanced":
                stays = status == "live" or self.seen_later(round_, code)
                return "advances" if stays else self._left(code, status, status)
            return "out" if stack["outcome"] == "cut" else "ranked"
        return "playing" if round_["cut_to"] is None else self._side_of_the_cut(round_, code)

    def _left(self, code: str, status: str, how: str) -> str:
        """T25, T26: of who was replaced not why, unless it was by being disqualified."""
        if how == "withdrawn" and code in self.replaced:
            return "disqualified" if status == "disqualified" else self.replaced[code].replace(" ", "_")
        return {"withdrawn": "withdrew"}.get(how, how)

    def disqualified(self, round_: Row, code: str) -> bool:
        """T26: in this round, or between it and the next."""
        if self.stacks[round_["id"], code]["state"] == "disqualified":
            return True
        closed = round_["status"] == "closed" and self.entries[code]["status"] == "disqualified"
        return closed and not self.seen_later(round_, code)

    def _side_of_the_cut(self, round_: Row, code: str) -> str:
        level, seats = self.level(round_)
        settled = round_["status"] in ("counted", "playing_off")
        better = ("advances", "out") if settled else ("above", "below")
        if code in level:
            return self._side_in_the_tie(round_, code, seats, settled)
        able = self.able(round_)
        line = max((self.chips(round_, c) for c in level), default=None)
        if line is None:
            chosen = sorted(able, key=lambda c: -self.chips(round_, c))[: round_["cut_to"]]
            if not settled and len(able) <= round_["cut_to"] and len(able) == len(self.playing_in(round_)):
                return "uncut"
            return better[code not in chosen]
        return better[code not in able or self.chips(round_, code) < line]

    def playing_in(self, round_: Row) -> list[str]:
        """Who is ranked by chips, able to advance or not."""
        return [c for c in self.members(round_) if not self.disqualified(round_, c)]

    def able(self, round_: Row) -> list[str]:
        """T20: who may advance. With carried stacks the smallest bet has to be covered."""
        least = self.settings["bet_min_chips"] if self.settings["stacks"] == "carried" else 0
        return [
            c
            for c in self.members(round_)
            if not self.disqualified(round_, c) and self.chips(round_, c) >= least
        ]

    def level(self, round_: Row) -> tuple[list[str], int]:
        """T23: who is level at the line, and for how many seats; nobody where the line parts them."""
        able = self.able(round_)
        if round_["cut_to"] is None or len(able) <= round_["cut_to"]:
            return [], 0
        stacks = sorted((self.chips(round_, c) for c in able), reverse=True)
        line = stacks[round_["cut_to"] - 1]
        if stacks[round_["cut_to"]] != line:
            return [], 0
        over = sum(chips > line for chips in stacks)
        return sorted(c for c in able if self.chips(round_, c) == line), round_["cut_to"] - over

    def _side_in_the_tie(self, round_: Row, code: str, seats: int, settled: bool) -> str:
        if self.settings["tie_at_cut"] == "all_advance":
            return "advances" if settled else "above"
        if not settled:
            return "level"
        outcome = self.tie_outcome(round_, code)
        if outcome:
            return "advances" if outcome == "won" else "out"
        return "plays_off" if self.settings["tie_at_cut"] == "play_off" else "tied"

    def tie_outcome(self, round_: Row, code: str) -> str:
        """Whether somebody won or lost the tie at the cut of a round: by play-off, or by ruling."""
        level, _seats = self.level(round_)
        for each in self.rounds:
            stack = self.stacks.get((each["id"], code))
            # A play-off stands for the tie that it was played for, not for another one.
            if each["parent_id"] != round_["id"] or self.members(each) != level:
                continue
            if stack and stack["outcome"]:
                return "won" if stack["outcome"] == "advanced" else "lost"
        # The latest ruling on exactly these players counts.
        for ruling in reversed(self.stakes(round_).get("rulings", [])):
            if code in ruling["tied"] and sorted(ruling["tied"]) == level:
                return "won" if code in ruling["advance"] else "lost"
        return ""

    def stakes(self, round_: Row) -> Row:
        """What a stage is played for."""
        import json

        stakes = round_["stakes"]
        return json.loads(stakes) if isinstance(stakes, str) else stakes

    def place(self, round_: Row, code: str) -> str:
        """The label of a place in a main round; tied places carry the sign, who is not ranked a dash."""
        if code in self.missing(round_):
            return "–"
        gone = self.disqualified(round_, code)
        others = [c for c in self.members(round_) if c != code]
        if gone:
            place = 1 + sum(not self.disqualified(round_, c) for c in others)
            return ("=" if any(self.disqualified(round_, c) for c in others) else "") + str(place)
        mine = self.chips(round_, code)
        theirs = [self.chips(round_, c) for c in others if not self.disqualified(round_, c)]
        return ("=" if mine in theirs else "") + str(1 + sum(chips > mine for chips in theirs))

    def order(self, round_: Row) -> list[str]:
        """Everybody in a main round as a list has to show them: who advances first, disqualified last."""
        tier = {"advances": 0, "above": 0, "uncut": 0, "playing": 0, "ranked": 0}
        tier |= {"level": 1, "plays_off": 1, "tied": 1, "disqualified": 3}
        return sorted(
            self.members(round_),
            key=lambda c: (
                tier.get(self.side(round_, c), 2),
                int(self.place(round_, c).lstrip("=")),
                c,
            ),
        )

    # Places in the event ------------------------------------------------------------------------------

    def went_on(self, round_: Row) -> set[str]:
        """Who went on from a closed round."""
        return {c for c in self.members(round_) if self.side(round_, c) == "advances"}

    def event_places(self) -> dict[str, str]:
        """T20: everybody by their last round, those who went further first; before any sudden death."""
        placed: dict[str, str] = {}
        for round_ in reversed([r for r in self.mains if r["status"] == "closed"]):
            here = [c for c in self.members(round_) if c not in placed]
            on = self.went_on(round_)
            for tier in ([c for c in here if c in on], [c for c in here if c not in on]):
                placed |= self._tier(round_, tier, len(placed))
        return placed

    def _tier(self, round_: Row, tier: list[str], base: int) -> dict[str, str]:
        def key(code: str) -> tuple[bool, int]:
            gone = self.disqualified(round_, code)
            return gone, 0 if gone else -self.chips(round_, code)

        keys = {code: key(code) for code in tier}
        return {
            code: ("=" if sum(k == mine for k in keys.values()) > 1 else "")
            + str(base + 1 + sum(k < mine for k in keys.values()))
            for code, mine in keys.items()
        }

    def final_place(self, code: str) -> str:
        """The place that is written once all places are decided."""
        entry = self.entries[code]
        return "–" if entry["place"] is None else ("=" if entry["place_tied"] else "") + str(entry["place"])

    def place_so_far(self, code: str) -> str:
        """The place in the event: as written, or of who is out of it as it stands; else a dash.

        Who is disqualified in a round that is not closed is the last of it at once (T26).
        """
        entry = self.entries[code]
        if entry["place"] is not None or self.event["status"] != "running":
            return self.final_place(code)
        for round_ in (r for r in self.mains if r["status"] != "closed"):
            if (round_["id"], code) in self.stacks and self.disqualified(round_, code):
                return self.place(round_, code)
        left = entry["status"] not in ("live", "waiting")
        cut = any(self.outcome(r, code) == "cut" for r in self.mains)
        return self.event_places().get(code, "–") if left or cut else "–"

    # A play-off or sudden death -----------------------------------------------------------------------

    def tie_place(self, round_: Row, code: str) -> str:
        """In a play-off the shared place of the round; in sudden death the one inside the group (T34)."""
        if round_["kind"] == "play_off":
            parent = next(r for r in self.rounds if r["id"] == round_["parent_id"])
            return self.place(parent, code)
        taken = self._sudden_death_places(round_)
        return ("=" if list(taken.values()).count(taken[code]) > 1 else "") + str(taken[code])

    def _sudden_death_places(self, round_: Row) -> dict[str, int]:
        taken = {
            c: self.stacks[round_["id"], c]["place"]
            for c in self.members(round_)
            if self.stacks[round_["id"], c]["place"] is not None
        }
        for group in self.stakes(round_).get("groups", []):
            keys = {
                c: (self.absent(round_, c), 0 if self.absent(round_, c) else -self.chips(round_, c))
                for c in group["entries"]
            }
            taken |= {c: group["places"][0] + sum(k < keys[c] for k in keys.values()) for c in keys}
        return taken

    # Counts -------------------------------------------------------------------------------------------

    def outcome(self, round_: Row, code: str) -> str:
        """What was frozen for an entry in a round; empty where nothing was."""
        stack = self.stacks.get((round_["id"], code))
        return stack["outcome"] if stack else ""

    def prize(self, code: str) -> int:
        """T33, T35: what a placed entry is owed; those who share places share what these pay."""
        entry = self.entries[code]
        if entry["place"] is None or entry["status"] == "disqualified" or not self.prizes:
            return 0
        level = sorted(
            c
            for c, e in self.entries.items()
            if e["place"] == entry["place"] and e["status"] != "disqualified"
        )
        spanned = range(entry["place"], entry["place"] + len(level))
        cents = sum(self.prizes[place - 1] for place in spanned if place <= len(self.prizes))
        whole, rest = divmod(cents, len(level))
        return whole + (level.index(code) < rest)
